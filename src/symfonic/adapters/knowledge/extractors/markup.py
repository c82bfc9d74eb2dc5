"""Markdown and reStructuredText: the source as it was written, cut at its headings.

Rules of this module: standard library only, one pass, constant work for each line. The text is kept as source, because
that is what people cite and what a model reads well; only headings are understood.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.fences import FenceLine, FenceScanner
from symfonic.adapters.knowledge.extractors.outline import Heading, sections_of
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.ports import Extraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["MarkdownExtractor", "RestructuredTextExtractor"]


_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")


class MarkdownExtractor:
    """Reads Markdown (CommonMark headings and fences, YAML front matter)."""

    version = "1"

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the source, one section for each heading; front matter and what precedes a heading have none.

        Raises:
            ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
        """
        return _extract(data, name, "markdown", _markdown_headings)


class RestructuredTextExtractor:
    """Reads reStructuredText; heading levels follow the order in which their adornments appear."""

    version = "1"

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the source, one section for each title; what precedes the first has none.

        Raises:
            ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
        """
        return _extract(data, name, "rst", _rst_headings)


def _extract(data: bytes, name: str, kind: str, find: Callable[[Sequence[str]], Iterator[Heading]]) -> Extraction:
    text = require_text(decode_text(data, name=name), name=name)
    # Not str.splitlines: it also cuts at form feeds and at U+2028, which end no line in either format.
    lines = _LINES.findall(text)
    return Extraction(kind=kind, sections=sections_of(lines, find(lines)))


# ------------------------------------------------------------------------------------------------------- Markdown

_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_SETEXT: Final = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_MAX_FRONT_MATTER_LINES: Final = 500
# A line that is no paragraph, so that a row of dashes after it is a rule and not an underline.
_NO_PARAGRAPH: Final = re.compile(r" {4}|\t| {0,3}(?:>|\||[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|<)")
_RULE: Final = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$")
# HTML blocks in which nothing is Markdown, and what ends each.
_HTML_BLOCK: Final = re.compile(r" {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE | re.ASCII)


def _markdown_headings(lines: Sequence[str]) -> Iterator[Heading]:
    fences = FenceScanner()
    paragraph = -1  # first line of the paragraph that is open, or -1
    html_end = ""
    for number in range(_front_matter_end(lines), len(lines)):
        line = lines[number].rstrip("\n")
        if html_end:
            html_end = "" if html_end in line.lower() else html_end
            continue
        if fences.feed(line) is not FenceLine.OUTSIDE:
            paragraph = -1
            continue
        html_end = _html_block_end(line)
        heading = _heading_at(lines, number, paragraph)
        if heading is not None:
            yield heading
        paragraph = -1 if heading is not None or html_end else _paragraph_after(line, number, paragraph)


def _front_matter_end(lines: Sequence[str]) -> int:
    """Number of lines that YAML front matter takes, 0 where there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for number in range(1, min(len(lines), _MAX_FRONT_MATTER_LINES)):
        if lines[number].rstrip() in {"---", "..."}:
            return number + 1
    return 0


def _html_block_end(line: str) -> str:
    found = _HTML_BLOCK.match(line)
    if not found:
        return ""
    end = "-->" if found[1] else f"</{found[2].lower()}>"
    return "" if end in line.lower()[found.end() :] else end


def _heading_at(lines: Sequence[str], number: int, paragraph: int) -> Heading | None:
    line = lines[number].rstrip("\n")
    if found := _ATX.match(line):
        return Heading(number, len(found[1]), _plain_title(_without_closing(found[2] or "")))
    found = _SETEXT.match(line) if paragraph >= 0 else None
    if not found:
        return None
    title = " ".join(part.strip() for part in lines[paragraph:number])
    return Heading(paragraph, 1 if found[1][0] == "=" else 2, _plain_title(title))


def _without_closing(title: str) -> str:
    """Drop the number signs that may close an ATX heading."""
    title = title.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title


def _paragraph_after(line: str, number: int, paragraph: int) -> int:
    if not line.strip() or _RULE.match(line):
        return -1
    if paragraph >= 0:
        return paragraph
    return -1 if _NO_PARAGRAPH.match(line) else number


# Inline markup around the words of a heading. Every quantifier is bounded: a heading may be a megabyte long.
_LINK: Final = re.compile(r"!?\[([^\[\]]{0,200})\](?:\([^()\s]{0,300}(?:\s[^()]{0,100})?\)|\[[^\[\]]{0,100}\])")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>|<!--[^<>]{0,300}-->")
_ANCHOR: Final = re.compile(r"[ \t]\{#[^{}]{0,100}\}$")
_EMPHASIS: Final = re.compile(r"(?<!\\)(?:\*{1,3}|`{1,9}|(?<!\w)_{1,3}|_{1,3}(?!\w))")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LONGEST_TITLE: Final = 1000


def _plain_title(title: str) -> str:
    """The words of a heading without its inline markup."""
    title = _ANCHOR.sub("", title[:_LONGEST_TITLE])
    # Twice, because a picture may stand inside a link.
    title = _LINK.sub(r"\1", _LINK.sub(r"\1", title))
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub("", _TAG.sub("", title))).strip()


# ------------------------------------------------------------------------------------------------ reStructuredText

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_ROLE: Final = re.compile(r":[a-z][a-z0-9:+._-]{0,40}:(?=`)", re.IGNORECASE | re.ASCII)
_TARGET: Final = re.compile(r"[ \t]<[^<>`]{0,300}>(?=`)")
_SHORTEST_ADORNMENT: Final = 4


def _rst_headings(lines: Sequence[str]) -> Iterator[Heading]:
    styles: list[tuple[str, bool]] = []
    number = 0
    while number < len(lines):
        found = _rst_title_at(lines, number)
        if found is None:
            number += 1
            continue
        title, style, height = found
        if style not in styles:
            styles.append(style)
        yield Heading(number, styles.index(style) + 1, _plain_rst_title(title))
        number += height


def _rst_title_at(lines: Sequence[str], number: int) -> tuple[str, tuple[str, bool], int] | None:
    """Title, adornment style and number of lines of the title that begins at ``number``."""
    if number and lines[number - 1].strip():
        return None
    first, second, third = (_line(lines, number + step) for step in range(3))
    overline = _ADORNMENT.match(first)
    if overline:
        fits = second.strip() and first.rstrip() == third.rstrip() and not _ADORNMENT.match(second)
        return (second.strip(), (overline[1], True), 3) if fits and _is_long_enough(first, second.strip()) else None
    underline = _ADORNMENT.match(second)
    if not underline or not first.strip() or first[0] in " \t" or not _is_long_enough(second, first.rstrip()):
        return None
    return first.strip(), (underline[1], False), 2


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number].rstrip("\n") if number < len(lines) else ""


def _is_long_enough(adornment: str, title: str) -> bool:
    return len(adornment.rstrip()) >= min(len(title), _SHORTEST_ADORNMENT)


def _plain_rst_title(title: str) -> str:
    title = _TARGET.sub("", _ROLE.sub("", title[:_LONGEST_TITLE]))
    return title.replace("`_", "").replace("`", "").replace("**", "").strip()
