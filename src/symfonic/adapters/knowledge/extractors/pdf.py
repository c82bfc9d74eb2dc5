"""PDF to text, page by page (pypdfium2).

Rules of this module: with ``_pdf_objects`` the only one that knows pypdfium2, which is imported when a file is read.
It is native code and not thread-safe, so it runs in the worker process (``isolation``). Text no reader sees, as far as
``_pdf_objects`` can tell, is left out and counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors._pdf_objects import remove_unseen
from symfonic.adapters.knowledge.extractors.blocks import MAX_CHARS
from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE, WORD, is_digit, is_lower, is_upper, lower
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


__all__ = ["extract_pdf", "mend_hyphens"]

# A control is a glyph whose meaning the font does not tell (a sign of a formula, a ligature). Some are line breaks to
# a reader, who would see a space where the sign was. U+0002 is a hyphen and mended below.
_UNMAPPED: Final = re.compile("[\x00\x01\x03-\x08\x0b-\x1f\x7f-\x9f]")


def extract_pdf(data: bytes, *, name: str) -> Extraction:
    """Return the text layer, one section for each page that has text, numbered from 1. Never call it from two threads.

    Raises:
        ExtractionError: ``encrypted`` (needs a password), ``damaged``, ``empty`` (no text layer: a scan), or ``limit``
            (``characters``).
    """
    import pypdfium2

    omissions = Omissions()
    try:
        pages = list(_pages(data, name, omissions))
    except pypdfium2.PdfiumError as error:
        # Refusals carry PDFium's own words; a password is the one case a person can mend.
        if "password" in str(error).lower():
            message = f"{name} is encrypted, so its text cannot be read; save a copy without a password."
            raise ExtractionError(message, code="encrypted") from None
        message = f"{name} is a damaged PDF, so nothing of it is used; repair it or print it anew."
        raise ExtractionError(message, code="damaged") from None
    sections = tuple(
        Section(text=text, page=number) for number, text in enumerate(mend_hyphens(pages), 1) if text.strip(WHITE_SPACE)
    )
    if not sections and (hidden := sum(number for _, number in omissions.counted())):
        message = f"{name} shows no text ({hidden:,} hidden characters left out), so nothing of it is used; look at it."
        raise ExtractionError(message, code="empty")
    if not sections:
        message = (
            f"{name} has no text layer ({len(pages)} pages of pictures), so nothing of it can be found; run OCR on it."
        )
        raise ExtractionError(message, code="empty")
    return Extraction(kind="pdf", sections=sections, hidden=omissions.counted())


def _pages(data: bytes, name: str, omissions: Omissions) -> Iterator[str]:
    import pypdfium2

    total = 0
    with pypdfium2.PdfDocument(data) as document:
        for number in range(len(document)):
            page = document[number]
            remove_unseen(page, omissions)
            text_page = page.get_textpage()
            text = text_page.get_text_range(errors="replace")
            text_page.close()
            page.close()
            total += len(text)
            if total > MAX_CHARS:
                message = f"{name} holds more than {MAX_CHARS:,} characters, so nothing of it is used; split it."
                raise ExtractionError(message, code="limit", limit="characters")
            yield _UNMAPPED.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


# ---------------------------------------------------------------------------------------------------------- hyphens

# PDFium writes U+FFFE (older releases U+0002) for a hyphen at a line end and joins the lines.
_ARTEFACT: Final = re.compile(rf"([{WORD}]{{0,60}}+)[\ufffe\x02]\n?([{WORD}]{{0,60}}+)")
_WORD: Final = re.compile(rf"[{WORD}]++(?:[-\u2010\u2011][{WORD}]++)*+")


def mend_hyphens(pages: Sequence[str]) -> list[str]:
    """Put together the words that line ends divided.

    A divided word loses its hyphen (``con|firming`` becomes ``confirming``), a compound keeps it: where the second half
    begins with a capital or a digit, where a half is missing, and where the document elsewhere has the hyphenated form
    and not the joined one (``question|answering`` next to ``question-answering``).
    """
    if not any(_has_artefact(page) for page in pages):
        return list(pages)
    words = {lower(word) for text in pages for word in _WORD.findall(text)}

    def mended(found: re.Match[str]) -> str:
        left, right = found[1], found[2]
        joined, compound = left + right, f"{left}-{right}"
        if not left or not right or not is_lower(right[0]):
            # Scripts without case have no capitals to go by; a division is far more common than a compound.
            cased = is_upper(right[:1]) or is_digit(right[:1]) or not left or not right
            return compound if cased else joined
        known_compound = lower(compound) in words and lower(joined) not in words
        return compound if known_compound else joined

    return [_ARTEFACT.sub(mended, page) if _has_artefact(page) else page for page in pages]


def _has_artefact(page: str) -> bool:
    return "\ufffe" in page or "\x02" in page
