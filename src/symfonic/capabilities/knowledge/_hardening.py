"""What hardened mode adds to a row: a label nobody can predict, a proof of scope, and the document it is counted under.

Rules of this module: pure functions over one row or one list of rows. It decides nothing about admission.
"""

from __future__ import annotations

import base64
import hmac
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ._scope_path import scope_ancestors
from ._text import exact_str, is_text
from .errors import BridgeContractError, is_failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._fragments import RetrievedFragment

SCOPE_KEY: Final = "scope_path"
"""Reserved metadata key: the scope path a row was stored under, written by ingestion only."""

DOCUMENT_KEY: Final = "document"
"""Reserved metadata key: the document a row is part of, looked at only where ``cap_documents`` says who writes it."""

TAG_LENGTH: Final = 10
"""Characters of a tag: 50 bits, five a character."""

_DOMAIN: Final = b"symfonic-knowledge fragment tag 1"

Groups = tuple[tuple[str, str], ...]
"""What the cap per source counts a row under."""


def fragment_tag(key: bytes, scope_path: str, source: str, content: str) -> str:
    """The whole tag of a fragment, lower-case base32 (RFC 4648), 52 characters; labels show the first few.

    HMAC-SHA256 over a domain string and the length-prefixed scope path, source and content: the same from turn to
    turn, and not to be foreseen by whoever writes the content.
    """
    return keyed_tag(key, _DOMAIN, scope_path, source, content)


def keyed_tag(key: bytes, domain: bytes, *parts: str) -> str:
    """A tag over texts, each with its length before it; tags of two domains have nothing in common."""
    message = [domain]
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        message += (len(data).to_bytes(8, "big"), data)
    return base64.b32encode(hmac.digest(key, b"".join(message), "sha256")).decode("ascii").rstrip("=").lower()


def shown_tags(tags: Sequence[str], length: int) -> list[str]:
    """Cut whole tags to ``length`` characters; those that collide are lengthened together until they differ.

    Tags that are equal in full belong to rows equal in scope, source and content, and stay equal at any length.
    """
    lengths = [length] * len(tags)
    distinct = len(set(tags))
    while True:
        shown = [tag[:size] for tag, size in zip(tags, lengths, strict=True)]
        if len(set(shown)) == distinct:
            return shown
        counts = Counter(shown)
        lengths = [size + (counts[cut] > 1) for cut, size in zip(shown, lengths, strict=True)]


def cap_groups(row: RetrievedFragment, *, by_document: bool) -> Groups:
    """What the cap per source counts a row under: its source and, where ``by_document``, the document it names.

    A source may name a place inside a document, and whoever writes the document chooses its headings; counted by source
    alone, one document could fill every slot. The document counts only where the operator says that no author of
    content can write the key: otherwise a row could name another's document and use up its places.
    """
    document = _metadata_text(row, DOCUMENT_KEY) if by_document else None
    source = ("source", row.source)
    return (source,) if document is None else (source, ("document", document))


def visible_paths(scope_path: str) -> frozenset[str]:
    """Scope paths whose rows may be shown at ``scope_path``; none where it is no scope path at all."""
    try:
        return frozenset(scope_ancestors(scope_path))
    except BridgeContractError:
        return frozenset()


def is_in_scope(row: RetrievedFragment, visible: frozenset[str]) -> bool:
    """Whether the row carries, under the reserved key, one of the visible paths."""
    stored = _metadata_text(row, SCOPE_KEY)
    return stored is not None and stored in visible


def _metadata_text(row: RetrievedFragment, key: str) -> str | None:
    try:
        metadata: object = row.metadata
        stored: object = metadata.get(key) if isinstance(metadata, Mapping) else None
        return exact_str(stored) if is_text(stored) else None
    except BaseException as error:  # a store's own mapping may raise anything; then it says nothing
        if not is_failure(error):
            raise
        return None


def confusable_pairs(labels: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Pairs of different labels with one skeleton (UTS #39), sorted: the first of them with each other one.

    Args:
        labels: ``(label, skeleton)`` of every admitted row.
    """
    by_skeleton: dict[str, set[str]] = {}
    for label, skeleton in labels:
        by_skeleton.setdefault(skeleton, set()).add(label)
    groups = [sorted(group) for group in by_skeleton.values()]
    return tuple(sorted((group[0], other) for group in groups for other in group[1:]))
