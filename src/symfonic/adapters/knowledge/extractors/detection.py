"""Which format a file is in, and what reads it.

Rules of this module: it decides by content where content is decisive and by the name's ending otherwise. It imports no
outside library; extractors import theirs when they are first used.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.html import HtmlExtractor
from symfonic.adapters.knowledge.extractors.isolation import ExtractionWorker
from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.extractors.pdf import PdfExtractor
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.adapters.knowledge.ports import ExtractionError, Extractor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["HEAD_BYTES", "default_extractors", "detect_kind"]

HEAD_BYTES: Final = 1024
"""How much of a file's beginning decides its format, in bytes."""

_KIND_BY_ENDING: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}
# Files of software projects that are text by convention and have no ending.
_TEXT_NAMES: Final = frozenset({"readme", "license", "licence", "copying", "notice", "authors", "changelog", "changes"})
_PDF_HEAD: Final = b"%PDF-"
_PAGE_HEAD: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,100}(?:<!doctype\s{1,9}html|<html)[\s>]", re.IGNORECASE)


def detect_kind(name: str, head: bytes) -> str:
    """Return the format of a file: ``markdown``, ``rst``, ``text``, ``html`` or ``pdf``.

    ``%PDF-`` at the very beginning makes a PDF of any name; a name ending in ``.pdf`` needs it within the first
    kilobyte, as readers of the format do. A text file that begins as a web page is one, and so is a page saved as PDF.

    Args:
        name: The file's name.
        head: Its first :data:`HEAD_BYTES` bytes, or more.

    Raises:
        ExtractionError: ``unsupported``, or ``empty`` where there are no bytes at all.
    """
    if not head:
        message = f"{name} is empty (0 bytes), so there is nothing to store."
        raise ExtractionError(message, code="empty")
    kind = _kind_by_name(name)
    if head.startswith(_PDF_HEAD) or (kind == "pdf" and _PDF_HEAD in head[:HEAD_BYTES]):
        return "pdf"
    if kind in {"pdf", "text"} and _PAGE_HEAD.match(head):
        return "html"
    if kind in {"", "pdf"}:
        raise _unsupported(name, kind)
    return kind


def _kind_by_name(name: str) -> str:
    stem, dot, ending = name.lower().rpartition(".")
    if not dot:
        return "text" if ending in _TEXT_NAMES else ""
    return _KIND_BY_ENDING.get(dot + ending, "") if stem else ""


def _unsupported(name: str, kind: str) -> ExtractionError:
    endings = " ".join(sorted(_KIND_BY_ENDING))
    # The file's name stays out of the common case, so that a report can say it once for many files.
    why = f"{name} is named like a PDF and is none" if kind else "this format cannot be read"
    message = f"{why}, so nothing of it is stored; convert it to one of: {endings}."
    return ExtractionError(message, code="unsupported")


@contextmanager
def default_extractors(*, timeout_seconds: float = 60.0) -> Iterator[Mapping[str, Extractor]]:
    """Open the extractors of this distribution by format, and end their worker process afterwards.

    Args:
        timeout_seconds: Wall time one PDF or HTML file may take.
    """
    with ExtractionWorker(timeout_seconds=timeout_seconds) as worker:
        yield {
            "markdown": MarkdownExtractor(),
            "rst": RestructuredTextExtractor(),
            "text": PlainTextExtractor(),
            "html": HtmlExtractor(worker),
            "pdf": PdfExtractor(worker),
        }
