"""Markdown and reStructuredText: the source as it was written, cut at its headings.

Rules of this module: standard library only, one pass, linear work for each line. The text is kept as source, because
that is what people cite and what a model reads well; only headings are understood. Front matter is the one thing left
out: it is written for the program that builds a page, not for its reader. Only its title is kept, as a heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE, WORD
from symfonic.adapters.knowledge.extractors.charsets import detector_release
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.fences import FenceLine, FenceScanner
from symfonic.adapters.knowledge.extractors.outline import Heading, heading_text, sections_of
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.ports import Extraction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MarkdownExtractor", "RestructuredTextExtractor"]


_LINES: Final = re.compile(r"[^\n]*\n|[^\n]+")


class MarkdownExtractor:
    """Reads Markdown (CommonMark headings and fences; YAML and TOML front matter is left out)."""

    @property
    def version(self) -> str:
        """What decides the text besides the bytes: our rules and the detector's release."""
        return f"3 {detector_release()}"

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the source without its front matter, one section for each heading; what precedes the first has none.

        The title front matter gives stands above all headings where the text has none of the first level.

        Raises:
            ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
        """
        lines = _lines(data, name)
        front = _front_matter_end(lines)
        body = lines[front:]
        require_text("".join(body), name=name)
        headings = list(_markdown_headings(body))
        topmost = any(heading.level == 1 for heading in headings)
        title = "" if topmost else heading_text(_front_matter_title(lines[:front]))
        return Extraction(kind="markdown", sections=sections_of(body, headings, title=title))


class RestructuredTextExtractor:
    """Reads reStructuredText; heading levels follow the order in which their adornments appear."""

    @property
    def version(self) -> str:
        """What decides the text besides the bytes: our rules and the detector's release."""
        return f"2 {detector_release()}"

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the source, one section for each title; what precedes the first has none.

        Raises:
            ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
        """
        lines = _lines(data, name)
        return Extraction(kind="rst", sections=sections_of(lines, _rst_headings(lines)))


def _lines(data: bytes, name: str) -> list[str]:
    # Not str.splitlines: it also cuts at form feeds and at U+2028, which end no line in either format.
    return _LINES.findall(require_text(decode_text(data, name=name), name=name))


# --------------------------------------------------------------------------------------------------- front matter

# What a line of a YAML mapping may be: an entry, a comment, a list item, what is indented below an entry, or the end of
# a bracket opened above. A key holds no colon and begins with no sign that means something else in YAML.
_YAML_ENTRY: Final = re.compile(
    rf"""(?:"[^"\n]{{0,200}}"|'[^'\n]{{0,200}}'|[^{WHITE_SPACE}:#\[\]{{}},&*!|>'"%@`?-][^:\n]{{0,200}}+)[ \t]*+:"""
    r"(?:[ \t]|$)"
)
_YAML_MORE: Final = re.compile(r"[ \t]|#|-(?:[ \t]|$)|[\]}]|$")
_TOML_START: Final = re.compile(r"""(?:[0-9A-Za-z_.-]{1,200}|"[^"\n]{0,200}"|'[^'\n]{0,200}')[ \t]*+=|\[""")
_TITLE: Final = re.compile(
    rf"""["']?title["']?[ \t]*+[:=][ \t]*+(?:"([^"\n]*)"|'([^'\n]*)'|([^{WHITE_SPACE}"'|>\[{{&*!#].*))"""
)


def _front_matter_end(lines: Sequence[str]) -> int:
    """Number of lines that front matter takes, its fences included; 0 where there is none.

    A text may as well begin with a thematic break, and none of that is lost: front matter begins on the first line,
    with nothing blank behind its fence, is closed, and holds what a YAML mapping or a TOML table may hold.
    """
    fence = lines[0].rstrip(WHITE_SPACE) if lines else ""
    closing = {"---": ("---", "..."), "+++": ("+++",)}.get(fence, ())
    end = next((number for number in range(1, len(lines)) if lines[number].rstrip(WHITE_SPACE) in closing), 0)
    holds = _is_yaml if fence == "---" else _is_toml
    return end + 1 if end and holds([line.rstrip(WHITE_SPACE) for line in lines[1:end]]) else 0


def _is_yaml(lines: Sequence[str]) -> bool:
    if not lines:
        return True
    entries = [bool(_YAML_ENTRY.match(line)) for line in lines]
    more = (entry or _YAML_MORE.match(line) for entry, line in zip(entries, lines, strict=True))
    return bool(lines[0]) and any(entries) and all(more)


def _is_toml(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line and not line.startswith("#")), None)
    return first is None or _TOML_START.match(first) is not None


def _front_matter_title(lines: Sequence[str]) -> str:
    """What the entry ``title`` says; nothing of an entry in a TOML table, nor of one that takes several lines."""
    for line in lines:
        if line.startswith("["):
            return ""
        if found := _TITLE.match(line):
            return next(filter(None, found.groups()), "").partition(" #")[0]
    return ""


# ------------------------------------------------------------------------------------------------------- Markdown

_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?\Z")
_SETEXT: Final = re.compile(r" {0,3}(=++|-++)[ \t]*+\Z")
# A line that is no paragraph, so that a row of dashes after it is a rule and not an underline.
_NO_PARAGRAPH: Final = re.compile(r" {4}|\t| {0,3}(?:>|\||[-*+](?:[ \t]|$)|[0-9]{1,9}[.)](?:[ \t]|$)|<)")
_RULE: Final = re.compile(r" {0,3}(?:(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+)\Z")
# HTML blocks in which nothing is Markdown, and what ends each.
_HTML_BLOCK: Final = re.compile(r" {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE | re.ASCII)


def _markdown_headings(lines: Sequence[str]) -> Iterator[Heading]:
    fences = FenceScanner()
    paragraph = -1  # first line of the paragraph that is open, or -1
    html_end = ""
    for number in range(len(lines)):
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
    title = " ".join(part.strip(WHITE_SPACE) for part in lines[paragraph:number])
    return Heading(paragraph, 1 if found[1][0] == "=" else 2, _plain_title(title))


def _without_closing(title: str) -> str:
    """Drop the number signs that may close an ATX heading."""
    title = title.strip(WHITE_SPACE)
    bare = title.rstrip("#")
    return bare.rstrip(WHITE_SPACE) if not bare or bare[-1] in " \t" else title


def _paragraph_after(line: str, number: int, paragraph: int) -> int:
    if not line.strip(WHITE_SPACE) or _RULE.match(line):
        return -1
    if paragraph >= 0:
        return paragraph
    return -1 if _NO_PARAGRAPH.match(line) else number


# Inline markup around the words of a heading. Every quantifier is bounded: a heading may be a megabyte long.
_LINK: Final = re.compile(
    rf"!?\[([^\[\]]{{0,200}})\](?:\([^(){WHITE_SPACE}]{{0,300}}(?:[{WHITE_SPACE}][^()]{{0,100}})?\)|\[[^\[\]]{{0,100}}\])"
)
_TAG: Final = re.compile(r"</?[A-Za-z][^<>]{0,300}>|<!--[^<>]{0,300}-->")
_ANCHOR: Final = re.compile(r"[ \t]\{#[^{}]{0,100}\}$")
_EMPHASIS: Final = re.compile(rf"(?<!\\)(?:\*{{1,3}}|`{{1,9}}|(?<![{WORD}])_{{1,3}}|_{{1,3}}(?![{WORD}]))")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LONGEST_TITLE: Final = 1000


def _plain_title(title: str) -> str:
    """The words of a heading without its inline markup."""
    title = _ANCHOR.sub("", title[:_LONGEST_TITLE])
    # Twice, because a picture may stand inside a link.
    title = _LINK.sub(r"\1", _LINK.sub(r"\1", title))
    return _ESCAPE.sub(r"\1", _EMPHASIS.sub("", _TAG.sub("", title))).strip(WHITE_SPACE)


# ------------------------------------------------------------------------------------------------ reStructuredText

_ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*+[ \t]*+\Z")
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
    if number and lines[number - 1].strip(WHITE_SPACE):
        return None
    first, second, third = (_line(lines, number + step) for step in range(3))
    overline = _ADORNMENT.match(first)
    if overline:
        fits = (
            second.strip(WHITE_SPACE)
            and first.rstrip(WHITE_SPACE) == third.rstrip(WHITE_SPACE)
            and not _ADORNMENT.match(second)
        )
        return (
            (second.strip(WHITE_SPACE), (overline[1], True), 3)
            if fits and _is_long_enough(first, second.strip(WHITE_SPACE))
            else None
        )
    underline = _ADORNMENT.match(second)
    if (
        not underline
        or not first.strip(WHITE_SPACE)
        or first[0] in " \t"
        or not _is_long_enough(second, first.rstrip(WHITE_SPACE))
    ):
        return None
    return first.strip(WHITE_SPACE), (underline[1], False), 2


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number].rstrip("\n") if number < len(lines) else ""


def _is_long_enough(adornment: str, title: str) -> bool:
    return len(adornment.rstrip(WHITE_SPACE)) >= min(len(title), _SHORTEST_ADORNMENT)


def _plain_rst_title(title: str) -> str:
    title = _TARGET.sub("", _ROLE.sub("", title[:_LONGEST_TITLE]))
    return title.replace("`_", "").replace("`", "").replace("**", "").strip(WHITE_SPACE)
