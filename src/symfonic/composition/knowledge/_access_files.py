"""What an access file holds, as bytes: written in one form, and read strictly.

Rules of this module: bytes in, records out; it opens nothing. What it does not know it refuses: a field of a later
release may be a restriction, and overlooking one would let somebody in.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.knowledge import BridgeContractError, ScopePath

from .errors import AccessFileError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FORMAT: Final = "symfonic-knowledge/access/v1"
_MOST_BYTES: Final = 4 * 1024 * 1024
READING: Final = _MOST_BYTES + 1
"""As many bytes are read: one more than may count."""
_LAST_SECOND: Final = 253_402_300_799
"""The end of the year 9999: what is later is no date."""
_ID: Final = re.compile(r"[0-9a-f]{12}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FIELDS: Final = frozenset({"id", "name", "scope_path", "may_write", "created", "expires", "digest"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRecord:
    """One key as it is kept; ``digest`` is of its secret part."""

    id: str
    name: str
    scope_path: str
    may_write: bool
    created: float
    expires: float | None
    digest: bytes = field(repr=False)


def written_records(records: Iterable[AccessRecord]) -> bytes:
    """The file that holds these, the oldest first."""
    rows = [
        {
            "id": record.id,
            "name": record.name,
            "scope_path": record.scope_path,
            "may_write": record.may_write,
            "created": record.created,
            "expires": record.expires,
            "digest": record.digest.hex(),
        }
        for record in sorted(records, key=lambda record: (record.created, record.id))
    ]
    return json.dumps({"format": _FORMAT, "keys": rows}, indent=1, allow_nan=False).encode("ascii") + b"\n"


def parse_records(data: bytes, path: Path) -> dict[str, AccessRecord]:
    """What a file holds, by id.

    Raises:
        AccessFileError: It is not exactly what :func:`written_records` writes, but for spaces and the order.
    """
    try:
        if len(data) > _MOST_BYTES:
            raise ValueError  # noqa: TRY301 - as anything else that is wrong with it
        document = json.loads(data.decode("utf-8"), object_pairs_hook=_object)
        if set(document) != {"format", "keys"} or document["format"] != _FORMAT:
            raise ValueError  # noqa: TRY301 - as above
        records = [_record(row) for row in document["keys"]]
        by_id = {record.id: record for record in records}
        if len(by_id) != len(records):
            raise ValueError  # noqa: TRY301 - as above
    except (ValueError, TypeError, KeyError, RecursionError, BridgeContractError) as error:
        raise AccessFileError(
            f"an access file holds what `symfonic-knowledge access` wrote; {path} does not, or a later release wrote "
            "it, and nobody is let in; restore it from a backup, or move it away and make keys anew"
        ) from error
    return by_id


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):  # the same name twice: which of them counts would be a guess
        raise ValueError
    return found


def _record(row: dict[str, Any]) -> AccessRecord:
    sound = (
        set(row) == _FIELDS
        and all(isinstance(row[name], str) for name in ("id", "name", "scope_path", "digest"))
        and isinstance(row["may_write"], bool)
        and _is_time(row["created"])
        and (row["expires"] is None or _is_time(row["expires"]))
        and _ID.fullmatch(row["id"])
        and _DIGEST.fullmatch(row["digest"])
        and str(ScopePath.parse(row["scope_path"])) == row["scope_path"]
    )
    if not sound:
        raise ValueError
    return AccessRecord(**{**row, "digest": bytes.fromhex(row["digest"])})


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LAST_SECOND
