"""Files that a person sends with a question: read from a path, and turned into text.

Rules of this module: the kind of a file is decided by its content and the ending of its name, never by what its sender
says it is, except where both say nothing; then what is said to be text is read as text, and refused where it is none.
Formats that need an outside library are read in a worker process. An address is text and is never fetched. Every error
carries a word for its kind, which the bridge of attachments tells; nothing of a file stands in a message.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WORD
from symfonic.adapters.knowledge.ports import ExtractionError
from symfonic.capabilities.knowledge import Attachment, AttachmentPolicy

from .errors import InputError, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
    from symfonic.adapters.knowledge.ports import Extraction, Extractor, Section

__all__ = ["FileExtractor", "extracted_text", "file_extractor", "read_attachment"]

_ENDING_BY_MEDIA_TYPE: Final = {
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-rst": ".rst",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "message/rfc822": ".eml",
}
"""Media types of formats that nothing but a name tells; all others show by their content or are named by their type."""

_TEXT_TYPE: Final = re.compile(
    r"text/.+|application/(?:(?:.+\+)?(?:json|xml|yaml)|x-yaml|toml|sql|javascript|ecmascript)", re.DOTALL
)
"""Further media types of text: they are read as plain text, whatever their names end with."""


class FileExtractor:
    """Turns attachments into text by the extractors of ingestion. Get one from :func:`file_extractor`.

    Args:
        extractors: By kind, as ``detect_kind`` names it.
    """

    __slots__ = ("_extractors",)

    def __init__(self, extractors: Mapping[str, Extractor]) -> None:
        self._extractors = extractors

    def extract(self, attachment: Attachment) -> str:
        """The text of an attachment, with its lines and headings.

        Raises:
            ExtractionError: It cannot be read, with ``code`` and ``limit``, which the bridge of attachments tells.
        """
        return extracted_text(self.extraction(attachment))

    def extraction(self, attachment: Attachment) -> Extraction:
        """The sections of an attachment, and what was left out of it because no reader sees it.

        Raises:
            ExtractionError: As :meth:`extract`.
        """
        kind = _kind_of(attachment)
        extractor = self._extractors.get(kind)
        if extractor is None:
            raise ExtractionError(
                f"an attachment is read by the extractor for its format; none is at hand for {kind}, so nothing of it "
                "is shown; convert it",
                code="unsupported",
            )
        return extractor.extract(attachment.data, name=attachment.name)


@contextmanager
def file_extractor(*, limits: ExtractionLimits | None = None) -> Iterator[FileExtractor]:
    """Open the extractors of ingestion for attachments, and end their worker process afterwards.

    ::

        with file_extractor() as extractor:
            source = AttachmentSource(attachments, extractor, policy)
            selection = source.select(ContextRequest("attachments"))

    Args:
        limits: What one file may take in that process; the defaults when ``None``.
    """
    from symfonic.adapters.knowledge.extractors.detection import default_extractors  # as in ingestion.py

    with default_extractors(limits=limits) as extractors:
        yield FileExtractor(extractors)


def _kind_of(attachment: Attachment) -> str:
    """The kind of a file; where neither its content nor its name says, what its sender says of text."""
    from symfonic.adapters.knowledge.extractors.detection import detect_kind, kind_by_name  # as in ingestion.py

    try:
        return detect_kind(attachment.name, attachment.data)
    except ExtractionError as error:
        media_type = attachment.media_type.partition(";")[0].strip().lower()
        ending = _ENDING_BY_MEDIA_TYPE.get(media_type, ".txt" if _TEXT_TYPE.fullmatch(media_type) else "")
        if error.code != "unsupported" or not ending or kind_by_name(attachment.name):
            raise
        return detect_kind(f"file{ending}", attachment.data)


# ----------------------------------------------------------------------------------------------- sections to one text


def extracted_text(extraction: Extraction) -> str:
    """All sections of a file as one text, each beginning on a line of its own, without empty lines around all of it.

    Where a section does not write its own heading, as the sheet of a workbook does not, the line ``A > B`` of its
    headings stands above it, once for all sections under the same headings. An empty line stands before that, and
    between two pages or slides; nothing else is put between sections, for a source is shown as it was written.
    """
    parts: list[str] = []
    headings: tuple[str, ...] = ()
    page: int | None = None
    for section in extraction.sections:
        is_titled = bool(section.headings) and section.headings != headings and not _writes_heading(section)
        if parts:
            end = "".join(parts[-2:])[-2:]
            wanted = 2 if is_titled or section.page != page else 1
            parts.append("\n" * max(0, wanted - (len(end) - len(end.rstrip("\n")))))
        if is_titled:
            parts.append(f"{' > '.join(section.headings)}\n")
        headings, page = section.headings, section.page
        if section.text:
            parts.append(section.text)
    return "".join(parts).strip("\n")


def _writes_heading(section: Section) -> bool:
    """Whether a section's first lines are its own heading, whatever markup adds to that."""
    title = _words(section.headings[-1].removesuffix("…"))
    begun = ""
    for line in section.text.splitlines():
        begun += _words(line)
        if begun.startswith(title):
            return begun == title or section.headings[-1].endswith("…")
        if not title.startswith(begun):
            return False
    return False


# By tables, so that every interpreter puts the same lines above a section; an underscore is markup here.
_NOT_WORDS: Final = re.compile(rf"(?:[^{WORD}]|_)++")


def _words(text: str) -> str:
    return _NOT_WORDS.sub("", text)


# ------------------------------------------------------------------------------------------------------ from a path


def read_attachment(path: str | os.PathLike[str], *, media_type: str = "", max_bytes: int | None = None) -> Attachment:
    """Read a file as an attachment; its name is the last part of the path.

    Args:
        path: A regular file; a link is followed.
        media_type: What it is said to be; only where content and name say nothing of its format does it count.
        max_bytes: Most bytes; a larger file is refused before it is read. ``None`` is what an
            :class:`AttachmentPolicy` allows by default.

    Raises:
        InputError: There is no file, it cannot be read, is no regular one, or is larger.
    """
    most = AttachmentPolicy().max_attachment_bytes if max_bytes is None else max_bytes
    named: object = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str) or not named or "\0" in named:
        what = "this names none" if isinstance(named, str) else f"{type_name(path)} is no path of one"
        raise InputError(f"an attachment is read from a file; {what} and nothing was asked; name a file")
    try:
        # Without O_NONBLOCK a pipe of that name would be waited for.
        handle = os.open(named, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            data = _bounded(handle, named, most)
        finally:
            os.close(handle)
    except OSError as error:
        raise InputError(
            f"an attachment is read from a file; {named} could not be read ({error.strerror or type_name(error)}) and "
            "nothing was asked; check the path"
        ) from error
    return Attachment(_shown_name(Path(named).name), media_type, data)


def _bounded(handle: int, named: str, most: int) -> bytes:
    """The bytes of an open file, read no further than the ceiling."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise InputError(
            f"an attachment is a regular file; {named} is a folder, a device or a pipe and nothing was asked; name a "
            "file"
        )
    data = bytearray()
    while status.st_size <= most and len(data) <= most:
        piece = os.read(handle, min(2**20, most + 1 - len(data)))
        if not piece:
            return bytes(data)
        data += piece
    raise InputError(
        f"an attachment has at most {most:,} bytes; {named} has {max(status.st_size, len(data)):,} and nothing was "
        "asked; ingest it instead, attach a part of it, or allow more: "
        "max_attachment_bytes in [attachments] of the settings, on the command line --max-attachment-bytes"
    )


def _shown_name(name: str) -> str:
    """A file's name as text: bytes that are no UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
