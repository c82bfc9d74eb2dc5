"""Records that leave the process: one JSON document with a name, a version and nothing that is not expected.

Rules of this module: it knows how a document is written and how strictly it is read, not what stands in it. What is
read back went through other hands, so nothing is guessed: a document is taken whole, or refused.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NoReturn, TypeGuard

from ._refusals import refuse
from ._text import exact_str, is_text

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_text(kind: str, body: Mapping[str, object], version: int = 1) -> str:
    """The document as JSON text, ASCII only, so that nothing in it acts on a terminal or in a log."""
    return json.dumps({"format": kind, "version": version, **body}, allow_nan=False)


def from_text(kind: str, text: object, *versions: frozenset[str]) -> dict[str, object]:
    """Read a document of one kind back.

    Args:
        kind: Name of the format.
        text: The document.
        versions: For each version from 1 on, every field it must have, beside its name and version, and no other.

    Raises:
        BridgeContractError: The text is no JSON object without repeated names and numbers JSON does not have, names
            another format, is of a newer version, or has other fields.
    """
    document = _parsed(text, kind)
    if not is_object(document) or document.get("format") != kind:
        refuse("KB-GRD-JSON-2", document, kind=kind)
    version = document.get("version")
    if type(version) is not int or not 1 <= version <= len(versions):
        refuse("KB-GRD-JSON-3", version, kind=kind, versions=" or ".join(map(str, range(1, len(versions) + 1))))
    return exact_fields(document, versions[version - 1] | {"format", "version"}, kind)


def exact_fields(value: object, fields: frozenset[str], where: str) -> dict[str, object]:
    """The value as an object with exactly these fields.

    Raises:
        BridgeContractError: It is no object, lacks one of them, or has another.
    """
    if not is_object(value) or value.keys() != fields:
        refuse("KB-GRD-JSON-4", value, where=where, names=", ".join(sorted(fields)))
    return value


def items(value: object, where: str) -> list[object]:
    """The value as a list.

    Raises:
        BridgeContractError: It is none.
    """
    if not is_list(value):
        refuse("KB-GRD-JSON-5", value, where=where)
    return value


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether the value is a JSON list."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Whether the value is a JSON object; its names are text, because JSON has no others."""
    return isinstance(value, dict)


def _parsed(text: object, kind: str) -> object:
    if not is_text(text):
        refuse("KB-GRD-JSON-1", text, kind=kind)
    try:
        parsed: object = json.loads(exact_str(text), object_pairs_hook=_unrepeated, parse_constant=_no_number)
    except (ValueError, RecursionError):
        # The text may be somebody's content: how long it is will do.
        refuse("KB-GRD-JSON-1", len(text), kind=kind, got=f"text of length {len(text)} that is none")
    return parsed


def _unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_number(_: str) -> NoReturn:
    raise ValueError
