"""Which format a file is in, and what reads it.

Rules of this module: it decides by content where content is decisive and by the name's ending otherwise. It imports no
outside library; extractors import theirs in another process, when the first file comes.

What decides, the first that applies, so that a file which is valid in two formats has one answer:

1. ``%PDF-`` as the first bytes: a PDF (whatever else follows, an archive included).
2. The first bytes of an archive or of a compound file: what the archive or the file holds (``containers``). Where its
   directory is out of reach, because the file is damaged or only its beginning is known, the name's ending, if it names
   such a format.
3. The beginning of a web page, or of a document in RTF, under any name but that of a format in which it may stand as
   text (Markdown, reStructuredText).
4. The name's ending. Formats whose content would have been decisive are not believed by their name: text named
   ``.docx`` is refused, not guessed at, because nothing marks it as text, and so is a message without a header.
"""

from __future__ import annotations

import codecs
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.containers import (
    COMPOUND_HEAD,
    ZIP_HEAD,
    kind_of_archive,
    kind_of_compound_file,
)
from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits, ExtractionPool, IsolatedExtractor
from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.adapters.knowledge.ports import ExtractionError, Extractor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["HEAD_BYTES", "default_extractors", "detect_kind", "kind_by_name"]

HEAD_BYTES: Final = 1024
"""How much of a file's beginning decides its format where it is no container, in bytes."""

_KIND_BY_ENDING: Final = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".eml": "eml",
    ".pdf": "pdf",
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), "docx"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xltx", ".xltm"), "xlsx"),
    **dict.fromkeys((".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"), "pptx"),
    **dict.fromkeys((".xls", ".xlt"), "xls"),
    **dict.fromkeys((".ods", ".ots"), "ods"),
    ".epub": "epub",
}
_LISTED_ENDINGS: Final = ".md .rst .txt .csv .tsv .html .eml .pdf .docx .xlsx .pptx .xls .ods .epub"
_ARCHIVES: Final = frozenset({"docx", "xlsx", "pptx", "ods", "epub"})
# What is believed by its name alone: any text may be one.
_BY_NAME: Final = frozenset({"markdown", "rst", "text", "csv", "tsv", "html"})
# Where a page or RTF may stand as an example.
_MARKUP: Final = frozenset({"markdown", "rst"})
# Files of software projects that are text by convention and have no ending.
_TEXT_NAMES: Final = frozenset({"readme", "license", "licence", "copying", "notice", "authors", "changelog", "changes"})
_PDF_HEAD: Final = b"%PDF-"
_RTF_HEAD: Final = b"{\\rtf"
_PAGE_HEAD: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,100}(?:<\?xml[^>]{0,200}>[ \t\r\n]{0,100})?(?:<!doctype\s{1,9}html|<html)[\s>]",
    re.IGNORECASE,
)
# The line of a mailbox, or a field: its name, a colon.
_MESSAGE_HEAD: Final = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]{0,20}(?:From |[!-9;-~]{1,100}[ \t]{0,9}:)")
_SHOWN_AS: Final = {"pdf": "a PDF", "eml": "a message", "xls": "a workbook", "ods": "a workbook", "epub": "a book"}


def detect_kind(name: str, head: bytes) -> str:
    """Return the format of a file, a key of :func:`default_extractors`.

    A name ending in ``.pdf`` needs ``%PDF-`` within the first kilobyte, as readers of the format do.

    Args:
        name: The file's name.
        head: The whole file, or its beginning: :data:`HEAD_BYTES` are enough where it is no archive or compound file,
            and of those the beginning alone gives what the name says.

    Raises:
        ExtractionError: ``unsupported``; ``empty`` where there are no bytes at all; of containers also ``encrypted``,
            ``damaged``, and ``limit`` where an archive's directory promises too much.
    """
    if not head:
        message = f"{name} is empty (0 bytes), so there is nothing to read."
        raise ExtractionError(message, code="empty")
    named = kind_by_name(name)
    if head.startswith(_PDF_HEAD):
        return "pdf"
    if head.startswith((ZIP_HEAD, COMPOUND_HEAD)):
        return _kind_of_container(name, named, head)
    if named == "pdf" and _PDF_HEAD in head[:HEAD_BYTES]:
        return "pdf"
    if named not in _MARKUP:
        if _PAGE_HEAD.match(head):
            return "html"
        if head.startswith(_RTF_HEAD):
            message = f"{name} is in RTF, which cannot be read, so nothing of it is used; save it as .docx."
            raise ExtractionError(message, code="unsupported")
    if named in _BY_NAME or (named == "eml" and _MESSAGE_HEAD.match(head)):
        return named
    raise _unsupported(name, named, is_text=_is_like_text(head[:HEAD_BYTES]))


def _kind_of_container(name: str, named: str, data: bytes) -> str:
    archive = data.startswith(ZIP_HEAD)
    try:
        return kind_of_archive(data, name=name) if archive else kind_of_compound_file(data, name=name)
    except ExtractionError as error:
        # What cannot be looked into is left to the extractor, which says what is wrong with it.
        if error.code == "damaged" and (named in _ARCHIVES if archive else named == "xls"):
            return named
        raise


def kind_by_name(name: str) -> str:
    """The kind that the ending of a name tells, or all of the name; empty where it tells none."""
    stem, dot, ending = name.lower().rpartition(".")
    if not dot:
        return "text" if ending in _TEXT_NAMES else ""
    return _KIND_BY_ENDING.get(dot + ending, "") if stem else ""


def _is_like_text(head: bytes) -> bool:
    """Whether a file begins as UTF-8 text does."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _unsupported(name: str, named: str, *, is_text: bool) -> ExtractionError:
    # The file's name stays out of the common case, so that a report can say it once for many files.
    shown = _SHOWN_AS.get(named, f"a {named}")
    why, remedy = "this format cannot be read", "convert it to one of"
    if named:
        why, remedy = f"{name} is named like {shown} file and is none", "rename it after what it is, one of"
    elif is_text:
        remedy = "rename it to .txt where it is text, else convert it to one of"
    message = f"{why}, so nothing of it is used; {remedy}: {_LISTED_ENDINGS}."
    return ExtractionError(message, code="unsupported")


# The version of our rules for each format, and the libraries that decide its text as well. A version is raised with
# each change of what becomes of a file: whoever has it stored gets it anew.
_ISOLATED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "csv": ("1", ("chardetng-py",)),
    "docx": ("3", ("lxml",)),
    "eml": ("4", ("selectolax", "chardetng-py")),
    "epub": ("4", ("lxml", "selectolax", "chardetng-py")),
    "html": ("6", ("selectolax", "chardetng-py")),
    "ods": ("3", ("lxml",)),
    "pdf": ("4", ("pypdfium2",)),
    "pptx": ("2", ("lxml",)),
    "tsv": ("1", ("chardetng-py",)),
    "xls": ("2", ("python-calamine",)),
    "xlsx": ("3", ("lxml", "python-calamine")),
}


@contextmanager
def default_extractors(
    *, workers: int = 1, limits: ExtractionLimits | None = None
) -> Iterator[Mapping[str, Extractor]]:
    """Open the extractors of this distribution by format, and end their worker processes afterwards.

    They may be called from several threads; as many files as there are workers are read at once. Markdown,
    reStructuredText and plain text are read in this process.

    Args:
        workers: The most processes there are at a time.
        limits: What one file may take there; the defaults when ``None``.
    """
    with ExtractionPool(workers=workers, limits=limits) as pool:
        isolated = {
            kind: IsolatedExtractor(kind, pool, version=version, libraries=libraries)
            for kind, (version, libraries) in _ISOLATED.items()
        }
        yield {
            "markdown": MarkdownExtractor(),
            "rst": RestructuredTextExtractor(),
            "text": PlainTextExtractor(),
            **isolated,
        }
