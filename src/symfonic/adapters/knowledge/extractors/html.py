"""HTML to the text a reader sees, as light Markdown (selectolax).

Rules of this module: the only one that knows selectolax, which is imported when a page is read. Parsing happens in the
worker process (``isolation``), because the parser's time grows with the square of the nesting depth: 200,000 open tags
took it 66 seconds.

What comes out: blocks apart by a blank line; ``- `` and ``1. `` before list items; a data table as one
``| cell | cell |`` line a row; ``<pre>`` as a code fence. Layout tables (those that hold tables, headings, lists or
code) come out as blocks. Left out is what no reader sees: scripts, styles, templates, ``noscript``, comments; and,
counted, text that is hidden: by ``hidden``, by its element (``noembed``, a closed ``dialog``, a ``popover`` no button
opens), by its style or by a style sheet within the page, as ``_visibility`` and ``_style_sheets`` read them. What a
visible sign leads to is kept, such as closed ``details``. Sheets the page links to are never fetched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from symfonic.adapters.knowledge.extractors._omissions import Omissions
from symfonic.adapters.knowledge.extractors._style_sheets import Looks, scripted, styled
from symfonic.adapters.knowledge.extractors._visibility import HIDING, PLAIN, State, looks_of
from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.extractors.outline import MAX_HEADING_CHARS, Heading, heading_text, sections_of
from symfonic.adapters.knowledge.extractors.plain import require_text
from symfonic.adapters.knowledge.extractors.xhtml import as_html, is_xhtml
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

__all__ = ["MAX_ATTRIBUTES", "PageText", "extract_html", "links_of", "read_page"]


def extract_html(data: bytes, *, name: str) -> Extraction:
    """Return the visible text, one section for each heading; the title heads them where the page has no ``h1``.

    Raises:
        ExtractionError: ``binary``, ``empty``, or ``limit``.
    """
    text = decode_text(data, name=name, html=True)
    page = read_page(as_html(text) if is_xhtml(text) else text, name=name)
    require_text("".join(page.lines), name=name)
    title = "" if any(heading.level == 1 for heading in page.headings) else page.title
    sections = sections_of(page.lines, page.headings, title=title)
    return Extraction(kind="html", sections=sections, hidden=page.hidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What a reader sees of one page, for formats that are made of pages or hold one.

    Attributes:
        lines: With their line ends; the last one is blank. Empty where nothing shows.
        headings: In text order.
        title: Of its head, on one line; empty for none.
        hidden: Characters left out because no reader sees them, as ``Extraction.hidden``.
    """

    lines: Sequence[str]
    headings: Sequence[Heading]
    title: str
    hidden: tuple[tuple[str, int], ...] = ()


def read_page(text: str, *, name: str) -> PageText:
    """Return what shows of a page, which may be nothing.

    Args:
        text: The page, decoded.
        name: The file's name, for messages only.

    Raises:
        ExtractionError: ``limit`` (``members``) where a tag has more than :data:`MAX_ATTRIBUTES`, or style sheets more
            rules than ``_style_sheets`` allows; ``damaged``, where the parser makes no tree of it.
    """
    root = _root(text, name)
    scan = _TableScan()
    _walk(root, scan)
    words = scripted(root)
    scan.opened = words | _opened(root)
    scan.is_scripted = bool(words)
    scan.is_linked = root.css_first("link[rel~=stylesheet]") is not None
    page = _Page(scan, styled(root, partial(_matched, root), elements=text.count("<"), name=name))
    _walk(root, page)
    page.out.end_block()
    return PageText(lines=page.out.lines, headings=page.headings, title=page.title, hidden=page.omissions.counted())


def links_of(text: str, *, name: str) -> list[tuple[str, str]]:
    """Addresses and words of the links in a page's table of contents (``nav``), in order; empty where it has none.

    Raises:
        ExtractionError: As :func:`read_page`.
    """
    links = _Links()
    _walk(_root(text, name), links)
    return links.contents if links.has_contents else links.first


def _root(text: str, name: str) -> Any:
    from selectolax.lexbor import LexborHTMLParser

    if any(found[1] for found in _ATTRIBUTES.finditer(text)):
        # The parser compares each with all before it.
        message = f"{name} has a tag with more than {MAX_ATTRIBUTES:,} attributes, so nothing of it is used"
        raise ExtractionError(f"{message}; it is damaged or hostile.", code="limit", limit="members")
    root = LexborHTMLParser(text).root
    if root is None:  # pragma: no cover - the parser makes a tree out of anything; its types say otherwise
        message = f"{name} could not be parsed as HTML; nothing of it is used."
        raise ExtractionError(message, code="damaged")
    return root


def _matched(root: Any, selector: str) -> Sequence[Any]:
    from selectolax.lexbor import SelectolaxError

    try:
        nodes: Sequence[Any] = root.css(selector)
    except SelectolaxError:
        return ()  # not valid, so it matches nothing
    return nodes


# ------------------------------------------------------------------------------------------------------------ tree


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNSEEN: Final = _names(
    "script style template noscript iframe object audio video canvas datalist meta link base param -comment"
)
MAX_ATTRIBUTES: Final = 1_000
"""Attributes one tag may have."""

_ATTRIBUTE: Final = (
    r"""[ \t\n\f\r/]*+[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"""
    r"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"[^"]*+"?|'[^']*+'?|[^ \t\n\f\r>]*+))?+"""
)
# Each comment, script or tag, as its parser reads them; of a tag that has too many attributes, one more.
_ATTRIBUTES: Final = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<script\b.*?(?:</script|\Z)"
    rf"|<[a-z][^ \t\n\f\r/>]*+(?:{_ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+({_ATTRIBUTE})?",
    re.DOTALL | re.IGNORECASE | re.ASCII,
)
_NEVER_OPEN: Final = frozenset({"noembed", "noframes"})
_OPENERS: Final = {
    "popovertarget": "", "commandfor": "", "aria-controls": "", "data-target": "#", "data-bs-target": "#",
}  # fmt: skip
_CLICKED: Final = frozenset({"button", "input", "a", "summary"})
_INLINE: Final = _names(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup "
    "td th tr tt u var"
)
# Shown on a ground of their own.
_GROUNDED: Final = _names("button input mark meter option progress select textarea")
_ROOTS: Final = frozenset({"html", "body"})
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form header hgroup hr legend main menu nav ol p pre section summary table tbody tfoot thead tr td th ul"
)
_LAYOUT_SIGNS: Final = frozenset(["table", "pre", "ul", "ol", "dl", *_HEADINGS])
# Menus set links side by side and leave the gap to the style sheet.
_LINKS: Final = frozenset({"a", "button", "option"})
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")
_BACKTICKS: Final = re.compile(r"`{3,}")
_MAX_INDENT: Final = 8


_Attributes = Mapping[str, str | None]


class _Visitor(Protocol):
    def enter(self, node: Any) -> bool: ...

    def leave(self, node: Any) -> None: ...


def _walk(root: Any, visitor: _Visitor) -> None:
    """Enter and leave every node without recursion: how deep a page nests is its author's choice."""
    node, depth = root, 0
    while True:
        entered = visitor.enter(node)
        child = node.first_child if entered else None
        if child is not None:
            node, depth = child, depth + 1
            continue
        if entered:
            visitor.leave(node)
        while depth and node.next is None:
            node, depth = node.parent, depth - 1
            visitor.leave(node)
        if not depth:
            return
        node = node.next


class _TableScan:
    """Finds the tables that arrange blocks rather than data, and what buttons open."""

    def __init__(self) -> None:
        self.layout: set[int] = set()
        self.opened: frozenset[str] = frozenset()
        self.is_scripted = False
        self.is_linked = False
        self._open: list[int] = []

    def enter(self, node: Any) -> bool:
        if self._open and node.tag in _LAYOUT_SIGNS:
            self.layout.add(self._open[-1])
        if node.tag == "table":
            self._open.append(node.mem_id)
        return True

    def leave(self, node: Any) -> None:
        if node.tag == "table":
            self._open.pop()


def _opened(root: Any) -> frozenset[str]:
    """The ids that controls of a page name."""
    found: set[str] = set()
    for name, mark in _OPENERS.items():
        for node in root.css(f"[{name}]"):
            if node.tag in _CLICKED or "role" in node.attributes:
                found |= {word.removeprefix(mark) for word in (node.attributes.get(name) or "").split()}
    return frozenset(found)


def _is_there(node: Any, attributes: _Attributes, looks: Looks) -> bool:
    """Whether an element that nothing opens is there at all."""
    display = looks.get("display")
    if display is not None:
        return display[0] != "hidden"
    if "hidden" in attributes or node.tag in _NEVER_OPEN:
        return False
    return not ((node.tag == "dialog" and "open" not in attributes) or "popover" in attributes)


class _Links:
    """Finds the links of every table of contents, and those of the first menu for a page that has none.

    Menus nest, and here and there a link stands within a link: each is taken once.
    """

    def __init__(self) -> None:
        self.contents: list[tuple[str, str]] = []
        self.first: list[tuple[str, str]] = []
        self.has_contents = False
        self._menus: list[bool] = []  # whether each open one is, or stands in, a table of contents
        self._menus_done = 0
        self._links = 0

    def enter(self, node: Any) -> bool:
        tag = node.tag
        if tag == "nav":
            is_contents = "toc" in (node.attributes.get("epub:type") or "").split()
            self.has_contents |= is_contents
            self._menus.append(is_contents or (bool(self._menus) and self._menus[-1]))
        elif tag == "a":
            self._links += 1
            if self._menus and self._links == 1:
                self._take(node)
        return True

    def _take(self, node: Any) -> None:
        link = (node.attributes.get("href") or "", heading_text(node.text()))
        if self._menus[-1]:
            self.contents.append(link)
        if not self._menus_done:
            self.first.append(link)

    def leave(self, node: Any) -> None:
        if node.tag == "nav":
            self._menus.pop()
            self._menus_done += not self._menus
        elif node.tag == "a":
            self._links -= 1


class _Page:
    """Turns the nodes of a page into lines and headings."""

    def __init__(self, scan: _TableScan, styles: dict[int, Looks]) -> None:
        self.title = ""
        self.omissions = Omissions()
        self.headings: list[Heading] = []
        self.out = _Lines()
        self._layout = scan.layout
        self._opened = scan.opened - {""}
        self._is_scripted = scan.is_scripted
        self._is_linked = scan.is_linked
        self._styles = styles
        self._heading_start = 0
        self._lists: list[int | None] = []  # the last number of every open list; None for bullets
        self._veils: list[tuple[int, State]] = []  # open elements that say how what they hold shows
        self._gone = 0  # the open element that is not there, and with it all it holds
        self._tables: list[bool] = []  # whether each open table is one of data

    def enter(self, node: Any) -> bool:
        if node.is_text_node:
            self._take_text(node.text_content or "")
            return False
        tag = node.tag or ""
        if tag in _UNSEEN:
            return False
        if self._gone:
            return True
        if tag == "title":
            self._take_title(node)
            return False
        attributes = node.attributes
        looks = self._looks(node, attributes)
        if attributes.get("id") in self._opened or (self._is_scripted and tag in _ROOTS):
            # Something opens it, or a script may show the whole page.
            looks = {name: look for name, look in looks.items() if look[0] not in HIDING}
        elif not _is_there(node, attributes, looks):
            self._gone = node.mem_id
            return True
        if looks:
            self._veils.append((node.mem_id, (self._veils[-1][1] if self._veils else PLAIN).below(looks)))
        self._open(tag, node)
        return True

    def _take_text(self, text: str) -> None:
        why = "hidden" if self._gone else self._veils[-1][1].why if self._veils else ""
        if why:
            self.omissions.add(why, text)
        else:
            self.out.write(text)

    def _looks(self, node: Any, attributes: _Attributes) -> Looks:
        looks = self._said(node, attributes)
        # Another sheet may lay a ground under what it can name.
        grounded = (
            "bgcolor" in attributes
            or node.tag in _GROUNDED
            or (self._is_linked and ("class" in attributes or "id" in attributes))
        )
        if grounded and not looks.get("background", ("", False))[0]:
            looks = looks | {"background": ("some", False)}
        if looks.get("box", ("", False))[0] == "narrow" and node.tag in _INLINE:
            looks = looks | {"box": ("shown", False)}
        return looks

    def _said(self, node: Any, attributes: _Attributes) -> Looks:
        style = attributes.get("style")
        own = looks_of(style) if style else {}
        sheet = self._styles.get(node.mem_id)
        if not sheet:
            return own
        return sheet | {name: look for name, look in own.items() if look[1] or not sheet.get(name, look)[1]}

    def _take_title(self, node: Any) -> None:
        # A drawing (svg) has titles too.
        if not self.title and node.parent is not None and node.parent.tag == "head":
            self.title = heading_text(node.text())

    def _open(self, tag: str, node: Any) -> None:
        if tag == "li":
            self.out.begin_item(self._marker(), len(self._lists) - 1)
        elif tag == "br":
            self.out.end_line()
        elif tag in _LINKS:
            self.out.part_from_link()
        elif tag in {"tr", "td", "th"} and self._tables and self._tables[-1]:
            self.out.begin_row() if tag == "tr" else self.out.begin_cell()
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._open_block(tag, node)

    def _open_block(self, tag: str, node: Any) -> None:
        self.out.end_block()
        if tag in _HEADINGS:
            self._heading_start = len(self.out.lines)
        elif tag == "pre":
            self.out.begin_code()
        elif tag in {"ul", "ol"}:
            self._lists.append(0 if tag == "ol" else None)
        elif tag == "table":
            self._tables.append(node.mem_id not in self._layout)

    def leave(self, node: Any) -> None:
        if self._gone:
            self._gone = 0 if self._gone == node.mem_id else self._gone
            return
        if self._veils and self._veils[-1][0] == node.mem_id:
            self._veils.pop()
        tag = node.tag or ""
        if tag == "li":
            self.out.end_item()
        elif tag in _LINKS:
            self.out.end_link()
        elif tag in {"tr", "td", "th"} and self._tables and self._tables[-1]:
            if tag == "tr":
                self.out.end_row()
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._close_block(tag)

    def _close_block(self, tag: str) -> None:
        if tag == "pre":
            self.out.end_code()
        elif tag in {"ul", "ol"}:
            self._lists.pop()
        elif tag == "table":
            self._tables.pop()
        self.out.end_block()
        if tag in _HEADINGS:
            # Headings may nest; no more lines are joined than a heading can show.
            start = self._heading_start
            title = heading_text(" ".join(self.out.lines[start : start + 2 * MAX_HEADING_CHARS]))
            if title:
                self.headings.append(Heading(self._heading_start, _HEADINGS[tag], title))

    def _marker(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "- "
        self._lists[-1] += 1
        return f"{self._lists[-1]}. "


class _Lines:
    """Text as it would be laid out: white space collapsed, lines and blocks ended where the page ends them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""  # list marker that waits for its first word
        self._code: list[str] | None = None
        self._codes = 0  # open blocks of code, of which the outermost counts
        self._in_row = False
        self._after_link = False

    def write(self, raw: str) -> None:
        if self._code is not None:
            self._code.append(raw)
            return
        text = _SPACES.sub(" ", raw)
        if not self._line or self._line[-1].endswith(" "):
            text = text.removeprefix(" ")
        if not text:
            return
        if not self._line and self._prefix:
            self._line.append(self._prefix)
            self._prefix = ""
        self._line.append(text)
        self._after_link = False

    def end_line(self) -> None:
        if self._code is not None:
            self._code.append("\n")
        elif self._in_row:
            self.write(" ")  # a row stays one line, whatever its cells hold
        elif self._line:
            self.lines.append("".join(self._line).rstrip(" ") + "\n")
            self._line.clear()

    def end_block(self) -> None:
        if self._code is not None or self._in_row:
            self.end_line()
            return
        self.end_line()
        if self.lines and self.lines[-1] != "\n" and not self._prefix:
            self.lines.append("\n")

    def part_from_link(self) -> None:
        if self._after_link and self._line:
            self.write(" ")

    def end_link(self) -> None:
        self._after_link = True

    def begin_item(self, marker: str, depth: int) -> None:
        self.end_line()
        self._prefix = "  " * max(0, min(depth, _MAX_INDENT)) + marker

    def end_item(self) -> None:
        self.end_line()
        self._prefix = ""

    def begin_row(self) -> None:
        self.end_line()
        self._in_row = True

    def begin_cell(self) -> None:
        self.write(" ")
        self._line.append("| ")

    def end_row(self) -> None:
        self._in_row = False
        if "".join(self._line).strip("| "):
            self.write(" ")
            self._line.append("|")
            self.end_line()
        self._line.clear()

    def begin_code(self) -> None:
        self._codes += 1
        if self._code is None:
            self._code = []

    def end_code(self) -> None:
        self._codes -= 1
        if self._codes:
            return
        code, self._code = "".join(self._code or ()).strip("\n"), None
        if not code.strip(WHITE_SPACE):
            return
        longest = max((len(run) for run in _BACKTICKS.findall(code)), default=2)
        fence = "`" * (longest + 1)
        self.lines += [f"{fence}\n", *(f"{line}\n" for line in code.split("\n")), f"{fence}\n"]
