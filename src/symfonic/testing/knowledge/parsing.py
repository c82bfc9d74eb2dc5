"""Strict parsers of rendered lines and documents, and a detector of markers, that share no code with the renderer.

Rules of this module: it knows the *published forms* and nothing of how they are made; its tables are its own. It
accepts exactly what a careful reader of a prompt would, and raises for everything else, so that a test can say: these
rows came in, and these rows, no more and no fewer, are what a reader sees.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "LineFormatError",
    "ParsedDocument",
    "ParsedLine",
    "find_inline_markers",
    "parse_documents",
    "parse_lines",
]

_LINE_BREAKS: Final = re.compile("[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
# Square brackets and what passes for one: wide, tortoise-shell, lenticular, white, barred, half and vertical ones.
_OPENERS: Final = "[⁅⌈⌊❲⟦⟬⦋⦍⦏⦗⸢⸤⹕⹗【〔〖〘〚︗︹︻﹇﹝［"
_CLOSERS: Final = "]⁆⌉⌋❳⟧⟭⦌⦎⦐⦘⸣⸥⹖⹘】〕〗〙〛︘︺︼﹈﹞］"
_BRACKET: Final = re.compile(f"[{re.escape(_OPENERS + _CLOSERS)}]")
# What a renderer, a font or a clean-up step leaves out without a trace (the default-ignorable code points).
_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Glyphs as empty as a space.
_BLANKS: Final = "\u2800\U00016fe4\U0001d159"
_TAG: Final = re.compile(r" ·(?P<tag>[a-z2-7]{10,52})\Z")

# ------------------------------------------------------------------------------------------------------------- lines

# Format characters that show: signs that stand over, under or around digits and hieroglyphs.
_SHOWN_FORMAT: Final = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U0001343f]"
)
# Format characters that ordinary text needs: joiners, marks of direction, the Mongolian separator, flags of regions.
_TEXT_FORMAT: Final = re.compile("[\u200c\u200d\u200e\u200f\u061c\u180e]|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_WITHOUT_INK: Final = re.compile(rf"[\s{_BLANKS}\ufffc]*")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs"})


class LineFormatError(ValueError):
    """A text is not a sequence of citation lines, or of documents; the message says which line and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedLine:
    """One citation line as a reader sees it.

    Attributes:
        label: What stands in the brackets, without the keyed tag.
        tag: The keyed tag, where the label carries one.
        content: Everything after the colon and its space.
    """

    label: str
    tag: str | None
    content: str


def parse_lines(text: str, *, keyword: str = "SOURCE") -> tuple[ParsedLine, ...]:
    """Read rendered lines strictly.

    Args:
        text: Lines joined by line feeds; the empty text has none.
        keyword: The word before the bracket; after a case folding of the whole text it is ``source``.

    Raises:
        LineFormatError: A line has another form, or holds any line break other than the line feeds between lines. Its
            label shows nothing, alone or before a keyed tag; or holds a second square bracket, whatever imitates one,
            or a default-ignorable character. Label or content hold a control character, a format character or a lone
            surrogate. Allowed are format characters that show (U+0600 and its like), and in content a tab and what
            ordinary text needs: joiners, bidi marks, U+180E, and the tag characters of a flag.
    """
    if not text:
        return ()
    return tuple(_parse_line(line, number, keyword) for number, line in enumerate(text.split("\n"), 1))


def _parse_line(line: str, number: int, keyword: str) -> ParsedLine:
    if _LINE_BREAKS.search(line):
        raise LineFormatError(f"line {number} holds another line break: {line!a}")
    prefix = f"{keyword} ["
    if not line.startswith(prefix):
        raise LineFormatError(f"line {number} does not start with {prefix!r}: {line!a}")
    inside, closing, rest = line[len(prefix) :].partition("]")
    if not closing or not rest.startswith(": "):
        raise LineFormatError(f"line {number} does not close its label with ']: ': {line!a}")
    tagged = _TAG.search(inside)
    label, content = inside[: tagged.start()] if tagged else inside, rest[2:]
    fault = _label_fault(label) or _content_fault(content)
    if fault:
        raise LineFormatError(f"line {number} {fault}: {line!a}")
    return ParsedLine(label=label, tag=tagged["tag"] if tagged else None, content=content)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDocument:
    """One document as a reader sees it.

    Attributes:
        label: What stands in the brackets of its header, without the keyed tag.
        tag: The keyed tag, where the label carries one.
        lines: Its lines, without the bar before each.
    """

    label: str
    tag: str | None
    lines: tuple[str, ...]


def parse_documents(text: str, *, keyword: str = "DOCUMENT SOURCE") -> tuple[ParsedDocument, ...]:
    """Read rendered documents strictly.

    Args:
        text: Documents joined by line feeds, each a header and its lines; the empty text has none.
        keyword: The words before the bracket, ``ATTACHMENT SOURCE`` for attachments; after a case folding of the whole
            text they are lower-case.

    Raises:
        LineFormatError: A line is neither a header nor begins with a bar, alone or with a space behind it; the first
            is no header, or a header has no line below it; or, as :func:`parse_lines`, a line holds another line break,
            or label or line hide something.
    """
    found: list[tuple[str, list[str]]] = []
    for number, line in enumerate(text.split("\n") if text else (), 1):
        if _LINE_BREAKS.search(line):
            raise LineFormatError(f"line {number} holds another line break: {line!a}")
        if line.startswith(f"{keyword} ["):
            found.append((_header_label(line[len(keyword) + 2 :], line, number), []))
        elif not found or not (line == "|" or line.startswith("| ")):
            raise LineFormatError(f"line {number} is neither a header nor a line of a document: {line!a}")
        else:
            found[-1][1].append(_checked_content(line[2:], line, number))
    return tuple(_parsed_document(inside, lines) for inside, lines in found)


def _header_label(rest: str, line: str, number: int) -> str:
    inside, closing, after = rest.partition("]")
    if not closing or after != ":":
        raise LineFormatError(f"line {number} does not end its label with ']:': {line!a}")
    return inside


def _checked_content(content: str, line: str, number: int) -> str:
    fault = _content_fault(content)
    if fault:
        raise LineFormatError(f"line {number} {fault}: {line!a}")
    return content


def _parsed_document(inside: str, lines: list[str]) -> ParsedDocument:
    tagged = _TAG.search(inside)
    label = inside[: tagged.start()] if tagged else inside
    fault = _label_fault(label) or ("" if lines else "has no line below it")
    if fault:
        raise LineFormatError(f"the header of {inside!a} {fault}")
    return ParsedDocument(label=label, tag=tagged["tag"] if tagged else None, lines=tuple(lines))


def _label_fault(label: str) -> str:
    if _WITHOUT_INK.fullmatch(_IGNORABLE.sub("", label)):
        return "has a label that shows nothing"
    if _BRACKET.search(label):
        return "has a second bracket in its label"
    if _IGNORABLE.search(label) or _hides(_SHOWN_FORMAT.sub("", label)):
        return "has a character in its label that does not show"
    return ""


def _content_fault(content: str) -> str:
    plain = _TEXT_FORMAT.sub("", _SHOWN_FORMAT.sub("", content.replace("\t", "")))
    return "has a control, format or surrogate character in its content" if _hides(plain) else ""


def _hides(text: str) -> bool:
    return not (text.isascii() and text.isprintable()) and any(unicodedata.category(c) in _HIDDEN for c in text)


# ----------------------------------------------------------------------------------------------------------- markers

_LOOK_ALIKES: Final = {
    "s": "SsЅѕՏᏕᏚꓢꜱƼƽ",
    "o": "Oo0ΟοσςОоՕօⲞⲟⵔꓳᴏᴑסه٥۵०০੦૦௦౦೦൦๐໐ဝ〇",
    "u": "UuՍսΥυƲʋᴜꓴ∪⋃ሀ",
    "r": "RrᎡᏒꓣƦᴦГгⲄⲅꭇꭈ",
    "c": "CcСсϹϲⲤⲥᏟꓚᴄ",
    "e": "EeЕеΕᎬꓰⴹ℮ꬲҼҽ",
}
# Before the word no ASCII letter, digit or underscore: text in Chinese has no spaces, and a marker after it is one.
_WORD: Final = "".join(f"[{_LOOK_ALIKES[letter]}]" for letter in "source")
# In the gap what shows nothing, and the sign for something that was hidden: the boundary itself puts U+FFFD there.
_GAP: Final = rf"[\s{_BLANKS}\ufffc\ufffd\U00013441\U00013442]*"
_MARKER: Final = re.compile(rf"(?<![A-Za-z0-9_]){_WORD}{_GAP}[{re.escape(_OPENERS)}]")
_CODE: Final = re.compile(r"(?<![A-Za-z0-9_])source\[")
_NUMBERED: Final = re.compile("&#(?:[0-9]+|[xX][0-9A-Fa-f]+);?")
_UNESCAPINGS: Final = 4


def find_inline_markers(content: str) -> tuple[str, ...]:
    """Whatever a reader or a later tool could take for a citation marker inside ``content``.

    A marker is the word ``source`` in any case, in its letters or what looks like them, not directly after an ASCII
    letter, digit or underscore; then any number of spaces, blank glyphs and U+FFFD; then an opening square bracket or
    what imitates one. The text is looked at as it is and after every sequence of NFKC, case folding, removal of
    default-ignorable characters, reading a numbered HTML reference as a sign of its own (``&#97SOURCE [x]``), and up to
    four unescapings of HTML entities. Lower-case ``source[`` is code, not a marker, wherever ``content`` itself spells
    exactly that, not directly after an ASCII letter, digit or underscore: the last letter of an unfinished reference is
    one, so ``&ampsource[0]`` is no code.

    Returns:
        The markers, bracket included, as spelled in whichever of these forms shows most of them, the content itself
        before others; empty when none shows any.
    """
    return max((tuple(_MARKER.findall(form)) for form in _forms(_CODE.sub("source(", content))), key=len)


def _forms(content: str) -> Iterator[str]:
    """The text itself, then every other form a later step could give it."""
    seen: set[str] = set()
    newest: list[str] = [content]
    for _ in range(_UNESCAPINGS + 1):
        newest = list(_normalised(newest, seen))
        yield from newest
        newest = [html.unescape(form) for form in newest if "&" in form]


def _normalised(forms: Iterable[str], seen: set[str]) -> Iterator[str]:
    """These forms and all that normalising makes of them, each once and only if not in ``seen``."""
    waiting = list(forms)
    while waiting:
        form = waiting.pop(0)
        if form not in seen:
            seen.add(form)
            yield form
            waiting += [step(form) for step in _NORMALISATIONS]


_NORMALISATIONS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: unicodedata.normalize("NFKC", text),
    str.casefold,
    lambda text: _IGNORABLE.sub("", text),
    lambda text: _NUMBERED.sub(".", text),
)
