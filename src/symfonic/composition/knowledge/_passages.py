"""One passage by its id: stable, unguessable, and good for nobody who could not have found the passage.

Rules of this module: it names and finds; what may be shown is the boundary's to say. An id is made of keyed digests: of
scope and file, by which the document is found, and of the passage with its place and text. So it tells nothing of a
path, cannot be made for another passage, and always names the very text that was shown: where that changes, the id
names nothing any more. Only what is stored at the asker's scope and above it is compared, so that an id of somebody
else's passage is like one that never was. Nothing is remembered: what was forgotten cannot be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import StoredChunk, retrieved_text
from symfonic.capabilities.knowledge import RetrievedFragment, ScopePath

from ._ceilings import ceilings_in_force
from .explanation import Answerable
from .wiring import KNOWLEDGE_ID, Inquiry, Wiring

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import KnowledgeStore

    from .keys import DerivedKeys
    from .settings import Settings

_DOCUMENT_BYTES: Final = 10
_PASSAGE_BYTES: Final = 15
_DOCUMENT_CHARS: Final = 16
_ID: Final = re.compile(r"[a-z2-7]{40}")
_PAGE_NAMES: Final = {"pptx": "slide"}
_HEADING_NAMES: Final = {"xlsx": "sheet", "xls": "sheet", "ods": "sheet"}


@dataclass(frozen=True, slots=True)
class _OnePassage:
    """Answers any question with one stored passage.

    Attributes:
        stored: The passage.
        score: Its score; no floor is to leave out what was not ranked.
    """

    stored: StoredChunk
    score: float

    def search(self, query: str, limit: int, *, scope_path: str = "") -> tuple[RetrievedFragment, ...]:  # noqa: ARG002
        """The passage."""
        document, chunk = self.stored.document, self.stored.chunk
        metadata: dict[str, Any] = {
            "scope_path": document.scope_path,
            "document": hashlib.sha256(document.origin.encode("utf-8", "surrogatepass")).hexdigest()[:32],
            "file": document.file,
            "ordinal": chunk.ordinal,
        }
        if chunk.page is not None:
            metadata["page"] = metadata[_PAGE_NAMES.get(document.kind, "page")] = chunk.page
        if chunk.heading:
            metadata["heading"] = metadata[_HEADING_NAMES.get(document.kind, "heading")] = chunk.heading
        return (RetrievedFragment(retrieved_text(chunk.text), chunk.label, self.score, metadata),)


def asked_alone(
    passage_id: str, stored: StoredChunk, scope_path: str, settings: Settings, keys: DerivedKeys
) -> Answerable:
    """One passage compiled as a question that found nothing else; contributors take no part.

    Raises:
        CompileFailedError, CounterFailedError: As :meth:`Wiring.ask`.
    """
    wiring = Wiring.build(settings, keys)
    alone = _OnePassage(stored, score=max(1.0, wiring.policy.min_score))
    inquiry = Inquiry(alone, passage_id, wiring.policy, scope_aware=bool(scope_path))
    return Answerable(
        question=passage_id,
        scope_path=scope_path,
        prompt=wiring.ask(inquiry, scope_path, 0),
        selections={KNOWLEDGE_ID: inquiry.selection},
        ceilings=ceilings_in_force(wiring, {}),
    )


def id_of(fragment: RetrievedFragment, keys: DerivedKeys) -> str:
    """The id of a row as a store answered it; empty where it does not say its scope path, file and ordinal."""
    metadata: object = fragment.metadata
    if not isinstance(metadata, Mapping):
        return ""
    scope_path, file, ordinal = (metadata.get(name) for name in ("scope_path", "file", "ordinal"))
    if type(scope_path) is not str or type(file) is not str or type(ordinal) is not int:
        return ""
    return _document_part(keys, scope_path, file) + _passage_part(
        keys, scope_path, file, str(ordinal), fragment.source, fragment.content
    )


def find_passage(store: KnowledgeStore, passage_id: str, scope_path: str, keys: DerivedKeys) -> StoredChunk | None:
    """The passage of that id which ``scope_path`` sees.

    Raises:
        StoreError: The store failed.
    """
    if type(passage_id) is not str or _ID.fullmatch(passage_id) is None:
        return None
    for path in ScopePath.parse(scope_path).ancestors():
        found = _found_at(store, passage_id, path, keys)
        if found is not None:
            return found
    return None


def _found_at(store: KnowledgeStore, passage_id: str, path: str, keys: DerivedKeys) -> StoredChunk | None:
    """Look in the documents of one scope whose first part is the id's; of most ids there is none."""
    wanted = passage_id[:_DOCUMENT_CHARS]
    records = [
        record
        for record in store.documents(scope_path=path)
        if hmac.compare_digest(_document_part(keys, path, record.document.file), wanted)
    ]
    left = sum(record.chunks for record in records)
    files = {record.document.file for record in records}
    if not left:
        return None
    for stored in store.chunks(scope_path=path):
        if stored.document.file not in files:
            continue
        if hmac.compare_digest(_id_of_stored(stored, keys), passage_id):
            return stored
        left -= 1
        if not left:
            break
    return None


def _id_of_stored(stored: StoredChunk, keys: DerivedKeys) -> str:
    document, chunk = stored.document, stored.chunk
    place = (document.scope_path, document.file)
    return _document_part(keys, *place) + _passage_part(
        keys, *place, str(chunk.ordinal), chunk.label, retrieved_text(chunk.text)
    )


def _document_part(keys: DerivedKeys, *parts: str) -> str:
    return _digest(keys, b"document", parts, _DOCUMENT_BYTES)


def _passage_part(keys: DerivedKeys, *parts: str) -> str:
    return _digest(keys, b"passage", parts, _PASSAGE_BYTES)


def _digest(keys: DerivedKeys, kind: bytes, parts: tuple[str, ...], size: int) -> str:
    """Keyed digest of parts, each told with its length, so that no two lists of parts are one text."""
    state = hmac.new(keys.passages, kind, "sha256")
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(b"\n%d:" % len(data) + data)
    return base64.b32encode(state.digest()[:size]).decode().lower()
