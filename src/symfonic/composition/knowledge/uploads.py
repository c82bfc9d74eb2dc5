"""Documents that somebody sends: stored under the name they were sent with, read behind the same wall as any file.

Rules of this module: what is sent lies in a private folder for as long as it is read, each file in a folder of its own,
so that no name of a sender's is ever part of a path. Its identity is the name alone: sent again under that name it
replaces what was there, unchanged it is left alone. Everything else is ingestion's.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from symfonic.adapters.knowledge.ports import Removal
from symfonic.capabilities.knowledge import shows_blank

from ._failures import mapped
from ._scopes import Scope, scope_path_of
from ._walk import FileOutcome, Found, Walk, file_name, origin_of, shown_name
from .embedding import require_embedder_for
from .errors import InputError, type_name
from .ingestion import MAX_FILE_BYTES, ingest_found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .ingestion import IngestReport
    from .knowledge_base import KnowledgeBase

__all__ = ["UPLOADED", "Upload", "remove_document", "upload"]

UPLOADED: Final = "upload:"
"""Begins the origin of every document that was sent."""

_MOST_NAME_CHARS: Final = 255
_COPIED_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that somebody sends.

    Args:
        name: Its name, as the sender's system gave it; of a path its last part counts.
        data: Its bytes, to be read once from where they stand.
    """

    name: str
    data: BinaryIO


def upload(knowledge: KnowledgeBase, files: Sequence[Upload], *, scope: Scope = None) -> IngestReport:
    """Read files into the store of a knowledge base. One that cannot be read costs itself alone.

    Args:
        knowledge: What is filled; its settings decide how large a file may be and how it is cut.
        files: What was sent. Of several with one name the first counts, the others are ``already-visited``.
        scope: Who may see them: this scope and everything below it. ``None`` is everybody.

    Returns:
        An outcome for each file, in their order.

    Raises:
        InputError: There is none, or one has no name. Nothing was stored.
        ScopeError: ``scope`` names nobody.
        WiringError: The store holds vectors and was opened without an embedder. Nothing was read.
        StoreFailedError: The store failed; what was stored before stays.
        EmbedderFailedError: The embedder embeds nothing at all; what was stored before stays.
    """
    scope_path = scope_path_of(scope)
    names = [_name_of(one.name) for one in files]
    if not names:
        raise InputError("documents are sent as files; there was none and nothing was stored; send at least one")
    settings = knowledge.settings
    most = MAX_FILE_BYTES if settings.max_file_bytes is None else settings.max_file_bytes
    with tempfile.TemporaryDirectory(prefix="symfonic-upload-") as folder, mapped():
        require_embedder_for(knowledge.store)
        return ingest_found(
            knowledge.store,
            Walk(found=_laid_down(Path(folder), files, names, most), folders=()),
            scope_path=scope_path,
            policy=settings.chunk_policy(),
            max_file_bytes=most,
            workers=min(settings.extraction_workers(), len(names)),
            limits=settings.extraction_limits(),
            clock=time.monotonic,
        )


def remove_document(knowledge: KnowledgeBase, origin: str, *, scope: Scope = None) -> Removal:
    """Remove the document of exactly this origin, stored at exactly this scope; nothing where there is none.

    Raises:
        ScopeError: ``scope`` names nobody.
        InputError: ``origin`` is no text.
        StoreFailedError: The store failed; nothing was removed.
    """
    scope_path = scope_path_of(scope)
    if not isinstance(origin, str):
        raise InputError(f"a document is named by its origin, a text, not {type_name(origin)}; nothing was removed")
    with mapped():
        found = [
            one.document for one in knowledge.store.documents(scope_path=scope_path) if one.document.origin == origin
        ]
        return knowledge.store.remove(found) if found else Removal()


def _laid_down(folder: Path, files: Sequence[Upload], names: Sequence[str], most: int) -> tuple[Found, ...]:
    """Every file in a folder of its own, no further than ingestion would read it."""
    found: list[Found] = []
    seen: set[str] = set()
    for place, (one, name) in enumerate(zip(files, names, strict=True)):
        path = folder / str(place) / "file"
        shown, file = shown_name(name), file_name(name)
        if file in seen:
            reason = "this request brought a file of this name before"
            found.append(
                Found(path=str(path), shown=shown, file=file, outcome=FileOutcome.ALREADY_VISITED, reason=reason)
            )
            continue
        seen.add(file)
        path.parent.mkdir(mode=0o700)
        with path.open("wb") as target:
            _copy(one.data, target, most + 1)
        found.append(Found(path=str(path), shown=shown, file=file, origin=UPLOADED + origin_of(name)))
    return tuple(found)


def _copy(source: BinaryIO, target: BinaryIO, most: int) -> None:
    left = most
    while left > 0 and (piece := source.read(min(left, _COPIED_AT_ONCE))):
        target.write(piece)
        left -= len(piece)


def _name_of(name: object) -> str:
    """The last part of a name, whatever system it comes from."""
    text = name.replace("\\", "/").rstrip("/").rpartition("/")[2] if isinstance(name, str) else ""
    if not text or text in {".", ".."} or shows_blank(text) or len(text) > _MOST_NAME_CHARS:
        raise InputError(
            f"a document that is sent has a name of 1 to {_MOST_NAME_CHARS} characters that shows something; this one "
            "has none and nothing was stored; name it"
        )
    return text
