"""Books: reading order, names of chapters, and parts that are missing, locked or elsewhere."""

from __future__ import annotations

import io
import zipfile

import pytest

from symfonic.adapters.knowledge.extractors import epub
from symfonic.adapters.knowledge.extractors.epub import extract_epub
from symfonic.adapters.knowledge.ports import ExtractionError

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile media-type="application/oebps-package+xml" full-path="OPS/book.opf"/></rootfiles></container>'
)
XHTML = "application/xhtml+xml"


def item(identifier: str, href: str, kind: str = XHTML, more: str = "") -> str:
    """One line of the list of parts."""
    return f'<item id="{identifier}" href="{href}" media-type="{kind}" {more}/>'


def package(items: str, order: str, title: str = "The Book", spine: str = "") -> str:
    """A package file; ``order`` names the parts of the spine."""
    places = "".join(f'<itemref idref="{place}"/>' for place in order.split())
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata><dc:title>{title}</dc:title></metadata><manifest>{items}</manifest>"
        f"<spine {spine}>{places}</spine></package>"
    )


def book(opf: str, **members: str) -> bytes:
    """A book; the names of members have ``_`` for a slash and ``__`` for a dot."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("META-INF/container.xml", CONTAINER)
        file.writestr("OPS/book.opf", opf)
        for name, text in members.items():
            file.writestr(name.replace("__", ".").replace("_", "/"), text)
    return buffer.getvalue()


def sections(data: bytes) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of every section."""
    return [(part.headings, part.text.strip("\n")) for part in extract_epub(data, name="a.epub").sections]


def refusal(data: bytes) -> tuple[str, str]:
    """Code and message with which a book is refused."""
    with pytest.raises(ExtractionError, match=r"^a\.epub ") as caught:
        extract_epub(data, name="a.epub")
    return caught.value.code, str(caught.value)


@pytest.mark.requirement("EX-EPUB-1")
def test_chapters_come_in_the_order_of_the_spine() -> None:
    """Not in that of the list or the container; what is outside the linear order stays, what comes twice comes once."""
    opf = package(item("a", "a.xhtml") + item("b", "b.xhtml") + item("n", "n.xhtml"), "b n a b")
    opf = opf.replace('idref="n"', 'idref="n" linear="no"')
    data = book(opf, OPS_a__xhtml="<h1>A</h1><p>a</p>", OPS_b__xhtml="<h1>B</h1>b", OPS_n__xhtml="<h2>Note</h2>n")
    assert sections(data) == [
        (("The Book", "B"), "B\n\nb"),
        (("The Book", "B", "Note"), "Note\n\nn"),
        (("The Book", "A"), "A\n\na"),
    ]


@pytest.mark.requirement("EX-EPUB-2")
@pytest.mark.parametrize("contents", ["nav", "ncx"])
def test_a_chapter_without_a_heading_is_named_by_the_contents(contents: str) -> None:
    """By either kind; one without a name goes on with the chapter before it, and a chapter's own headings stand."""
    chapters = "".join(item(name, f"{name}.xhtml") for name in "abcd")
    nav = (
        '<nav epub:type="landmarks"><a href="../a.xhtml">Start</a></nav><nav epub:type="toc"><ol>'
        '<li><a href="../a.xhtml#x"> One\n1 </a></li><li><a href="../a.xhtml#y">Part</a></li>'
        '<li><a href="../d.xhtml">Named</a></li><li><a href="">None</a></li></ol></nav>'
    )
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>One 1</text></navLabel>'
        '<content src="../a.xhtml"/><navPoint><navLabel><text>Named</text></navLabel><content src="../d.xhtml"/>'
        "</navPoint></navPoint></navMap></ncx>"
    )
    kind, more = (XHTML, 'properties="nav"') if contents == "nav" else ("application/x-dtbncx+xml", "")
    opf = package(chapters + item("t", "x/toc.xml", kind, more), "a b c d")
    text = nav if contents == "nav" else ncx
    data = book(
        opf, OPS_a__xhtml="a", OPS_b__xhtml="b", OPS_c__xhtml="<h2>C</h2>", OPS_d__xhtml="d", OPS_x_toc__xml=text
    )
    assert sections(data) == [
        (("The Book", "One 1"), "a\n\nb"),
        (("The Book", "One 1", "C"), "C"),
        (("The Book", "Named"), "d"),
    ]


@pytest.mark.requirement("EX-EPUB-2")
@pytest.mark.parametrize("broken", ["<nav", "<ncx><navMap>", "\x00"])
def test_contents_that_cannot_be_read_cost_names_only(broken: str) -> None:
    """The text is whole without them."""
    parts = item("a", "a.xhtml") + item("n", "nav", XHTML, 'properties="nav"')
    opf = package(parts + item("t", "toc", "application/x-dtbncx+xml"), "a")
    assert sections(book(opf, OPS_a__xhtml="text", OPS_nav=broken, OPS_toc=broken)) == [(("The Book",), "text")]


@pytest.mark.requirement("EX-EPUB-2")
def test_the_title_page_is_no_chapter() -> None:
    """A heading that repeats the book's title is the top; a book without a title has none."""
    opf = package(item("a", "a.xhtml") + item("b", "b.xhtml"), "a b")
    pages = {"OPS_a__xhtml": "<h1>The Book</h1>by", "OPS_b__xhtml": "<h2>One</h2>x"}
    assert [path for path, _ in sections(book(opf, **pages))] == [("The Book",), ("The Book", "One")]
    opf = package(item("b", "b.xhtml"), "b", title=" ")
    assert [path for path, _ in sections(book(opf, OPS_b__xhtml="<h2>One</h2>"))] == [("One",)]


@pytest.mark.requirement("EX-EPUB-1")
@pytest.mark.parametrize("href", ["my%20text.xhtml", "my text.xhtml", "../OPS/./my%20text.xhtml#part"])
def test_addresses_are_decoded_and_resolved(href: str) -> None:
    """As a reading program would."""
    data = book(package(item("a", href), "a"), **{"OPS_my text__xhtml": "found"})
    assert sections(data) == [(("The Book",), "found")]


@pytest.mark.requirement("EX-EPUB-3")
@pytest.mark.parametrize(
    "href",
    ["gone.xhtml", "../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "https://a.example/b.xhtml", "", "."],
)
def test_a_part_that_is_missing_costs_the_book(href: str) -> None:
    """A hole nobody sees would be worse; no address leads out of the container."""
    code, message = refusal(book(package(item("a", "a.xhtml") + item("b", href), "a b"), OPS_a__xhtml="text"))
    assert code == "damaged"
    assert "is missing" in message


@pytest.mark.requirement("EX-EPUB-3")
def test_what_is_no_book_is_damaged() -> None:
    """No container file, no package file, a place that names nothing."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("mimetype", "application/epub+zip")
    assert refusal(buffer.getvalue())[0] == "damaged"
    with zipfile.ZipFile(buffer, "a") as file:
        file.writestr("META-INF/container.xml", CONTAINER)
    assert "its package file is missing" in refusal(buffer.getvalue())[1]
    assert refusal(book(package("", "a")))[0] == "damaged"
    assert refusal(b"PK")[0] == "damaged"


@pytest.mark.requirement("EX-EPUB-4")
def test_encrypted_chapters_are_refused_and_fonts_are_not() -> None:
    """What counts is what would be read."""
    opf = package(item("a", "a b.xhtml"), "a")
    locked = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">'
        '<e:EncryptedData><e:CipherData><e:CipherReference URI="{}"/></e:CipherData></e:EncryptedData></encryption>'
    )
    pages = {"OPS_a b__xhtml": "text", "OPS_font__otf": "font"}
    font = locked.format("OPS/font.otf")
    assert sections(book(opf, **pages, **{"META-INF_encryption__xml": font})) == [(("The Book",), "text")]
    chapter = locked.format("OPS/a%20b.xhtml")
    assert refusal(book(opf, **pages, **{"META-INF_encryption__xml": chapter}))[0] == "encrypted"


@pytest.mark.requirement("EX-EPUB-1")
def test_pictures_are_left_out_and_stand_ins_are_read() -> None:
    """A drawing has its words, a part of another kind its fallback; without one it cannot be left out unsaid."""
    parts = item("p", "p.png", "image/png") + item("s", "s.svg", "image/svg+xml") + item("a", "a.xhtml")
    other = item("x", "x.pdf", "application/pdf", 'fallback="a"')
    data = book(package(parts + other, "p s x"), OPS_s__svg="<svg><text>drawn</text></svg>", OPS_a__xhtml="stand-in")
    assert sections(data) == [(("The Book",), "drawn\n\nstand-in")]
    assert refusal(book(package(item("x", "x.pdf", "application/pdf"), "x")))[0] == "unsupported"
    assert refusal(book(package(item("x", "x", "application/pdf", 'fallback="x"'), "x")))[0] == "unsupported"
    assert refusal(book(package(parts, "p")))[0] == "empty"


@pytest.mark.requirement("EX-HOSTILE-1")
def test_a_chain_of_stand_ins_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many places of the reading order stand somewhere in it."""
    asked: list[object] = []
    kind_of = epub._media_type

    def counted(entry: object) -> str:
        asked.append(entry)
        return kind_of(entry)

    monkeypatch.setattr(epub, "_media_type", counted)
    chain = "".join(item(f"i{n}", f"{n}.png", "image/png", f'fallback="i{n + 1}"') for n in range(50))
    data = book(package(chain + item("i50", "a.xhtml"), " ".join(f"i{n}" for n in range(50))), OPS_a__xhtml="text")
    assert sections(data) == [(("The Book",), "text")]
    assert len(asked) <= 3 * 51


def test_chapters_are_read_as_xhtml() -> None:
    """Elements that close themselves do not swallow the page, and CDATA is text."""
    page = (
        '<?xml version="1.0"?><html><head><title/><script src="x"/></head><body><p/>a<![CDATA[ <b> ]]>c</body></html>'
    )
    assert sections(book(package(item("a", "a.xhtml"), "a"), OPS_a__xhtml=page)) == [(("The Book",), "a <b> c")]
