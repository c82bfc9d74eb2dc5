"""Files that a browser sent, on their way into the store.

Rules of this module: a name is what a person reads and never a path; the bytes lie in a folder of their own while they
are read, and no longer. A file that is sent again replaces the one of that name and scope that was sent before.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import InputError, showable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.capabilities.knowledge import ScopePath
    from symfonic.composition.knowledge import IngestReport, KnowledgeBase

MOST_FILES: Final = 50

_PREFIX: Final = "symfonic-upload-"
_UPLOADED: Final = re.compile(rf".*/{_PREFIX}[^/]+/[^/]+")
_MOST_NAME_BYTES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One file as it was sent."""

    name: str
    data: bytes = field(repr=False)


def stored(knowledge: KnowledgeBase, uploads: Sequence[Upload], scope: ScopePath) -> IngestReport:
    """Store files at a scope and tell what became of each.

    Raises:
        InputError: There is none, one has no name a file can have, or two have the same.
        StoreFailedError, EmbedderFailedError, WiringError: As :meth:`KnowledgeBase.ingest`.
    """
    names = [file_name(one.name) for one in uploads]
    if not names or len(set(names)) != len(names):
        raise InputError(
            "files are chosen to be stored, each under a name of its own; none was chosen, or two have one name, and "
            "nothing was stored; choose at least one file"
        )
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
        paths = [Path(folder).resolve() / name for name in names]
        for path, one in zip(paths, uploads, strict=True):
            path.write_bytes(one.data)
        report = knowledge.ingest(*paths, scope=scope)
        _replace_former(knowledge, {path.name: path.as_posix() for path in paths}, scope)
    return report


def _replace_former(knowledge: KnowledgeBase, origins: dict[str, str], scope: ScopePath) -> None:
    """Remove what was sent before under a name that is stored now."""
    documents = [record.document for record in knowledge.documents(scope=scope)]
    now = {document.file for document in documents if document.origin == origins.get(document.file)}
    for document in documents:
        is_former = document.file in now and document.origin != origins[document.file]
        if is_former and _UPLOADED.fullmatch(document.origin):
            knowledge.forget(document.origin, scope=scope)


def file_name(sent: str) -> str:
    """The last part of a name as a browser sends it.

    Raises:
        InputError: It is none that a file can have.
    """
    name = showable(re.split(r"[/\\]", sent)[-1]).strip()
    if not name.strip(".") or len(name.encode()) > _MOST_NAME_BYTES:
        raise InputError(
            f"a file has a name of 1 to {_MOST_NAME_BYTES} bytes; {ascii(sent)[:60]} is none and nothing was stored; "
            "rename it"
        )
    return name
