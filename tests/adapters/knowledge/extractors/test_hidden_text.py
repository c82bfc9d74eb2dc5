"""Text no reader of a file sees: left out, and counted by why, format by format."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors import _style_sheets, _worker
from symfonic.adapters.knowledge.extractors._answers import understood
from symfonic.adapters.knowledge.extractors.docx import extract_docx
from symfonic.adapters.knowledge.extractors.eml import extract_eml
from symfonic.adapters.knowledge.extractors.html import extract_html
from symfonic.adapters.knowledge.extractors.pdf import extract_pdf
from symfonic.adapters.knowledge.extractors.pptx import extract_pptx
from symfonic.adapters.knowledge.extractors.sheets import extract_xlsx
from symfonic.adapters.knowledge.ports import ExtractionError

from .test_docx import docx, p, table
from .test_pptx import pptx, shape
from .test_sheets import cell, row, xlsx

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import Extraction

    from .conftest import MakePdf

SHOWN: tuple[tuple[str, int], ...] = ()


def found(extraction: Extraction) -> tuple[str, tuple[tuple[str, int], ...]]:
    """The words of a text, and what was left out of it."""
    return " ".join("".join(part.text for part in extraction.sections).split()), extraction.hidden


def page(body: str, style: str = "") -> tuple[str, tuple[tuple[str, int], ...]]:
    """A page with a word that shows, and what is asked about."""
    return found(extract_html(f"<style>{style}</style><div>seen</div>{body}".encode(), name="a.html"))


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("style", "why"),
    [
        (r"d\69splay:none", "hidden"),
        (r"d\isplay:none", "hidden"),
        ("content-visibility:hidden", "hidden"),
        ("opacity:0", "transparent"),
        ("opacity:0.5", ""),
        ("color:transparent", "transparent"),
        ("color:rgba(0, 0, 0, 0)", "transparent"),
        ("color:rgba(0, 0, 0, .5)", ""),
        ("color:transparent;background-clip:text", ""),
        ("font-size:0", "size"),
        ("font-size:1px", "size"),
        ("font-size:9px", ""),
        ("position:absolute;left:-9999px", "place"),
        ("position:absolute;left:-20px", ""),
        ("position:absolute;clip:rect(0,0,0,0)", "place"),
        ("clip-path:inset(100%)", "place"),
        ("text-indent:-9999px", "place"),
        ("height:0;overflow:hidden", "size"),
        ("height:0;overflow:hidden;padding-top:50%", ""),
        ("color:#fff;background:white", "colour"),
        ("color:#fff;background-color:rgb(250,250,250)", "colour"),
        ("color:#fff;background:#000", ""),
        ("color:#fff;background:#fff url(a.png)", ""),
        ("color:#fff", ""),
        ("color:#ffff;background:#ffffffff", "colour"),
        ("background:#fff;background-color:#fff;color:#fff", "colour"),
        ("display:none;display:block !ie", "hidden"),
        ("display:none!ie", ""),
        ("display:none;display:var(--a, block)", ""),
        ("font:0/0 a", "size"),
        ("font:bold 9px/0 a", ""),
        ("position:relative;left:-9999px", "place"),
        ("position:absolute;inset:-9999px auto auto 0", "place"),
        ("margin-top:-9999px", "place"),
        ("margin-left:-9999px;padding-left:9999px", ""),
        ("height:0;overflow-y:hidden", "size"),
        ("height:0;overflow:hidden;padding:0", "size"),
        ("height:0;overflow:hidden;min-height:9px", ""),
        ("width:0;overflow:hidden;flex:1", ""),
        ("width:1px;overflow:hidden;display:table-cell", ""),
        ("opacity:0;animation:in 1s forwards", ""),
        ("opacity:0;animation:none", "transparent"),
    ],
)
def test_what_a_style_hides_is_counted(style: str, why: str) -> None:
    """Within the element and in a sheet, alike."""
    expected = ("seen", ((why, 4),)) if why else ("seen text", SHOWN)
    assert page(f'<p style="{style}">text</p>') == expected
    assert page('<p class="x">text</p>', f".x{{{style}}}") == expected


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("sheet", "hides"),
    [
        ("p.x{display:none}", True),
        ("#i,#j{display:none}", True),
        ("[lang=en]{display:none}", True),
        ("@media screen{.x{display:none}}", True),
        ("@import 'a.css';/*}*/.x{display:none", True),
        (".x{color:red;b{color:red}display:none}", True),
        (".x{display:none!important}#i{display:block}", True),
        ("#i{display:block}p{display:none}", False),
        ("p{display:none}.x{display:block}", False),
        ("@media print{.x{display:none}}", False),
        ("@media (min-width:9px){.x{display:none}}", False),
        ("@supports (a:b){.x{display:none}}", False),
        (".x{display:none}.x:hover{display:block}", False),
        (".x{display:none}.x.open{display:block}", False),
        (".x{display:none}@media (max-width:9px){.x{display:block}}", False),
        (".x{display:none}</style><script>e.classList.remove('x')</script><style>", False),
        (".x{display:none}</style><script>e.classList.remove('xy')</script><style>", True),
        ("body .x{display:none}", False),
        (".x::after{display:none}", False),
        ("@keyframes a{p{display:none}}", False),
        ("{display:none}}.y{", False),
        ("<!-- .x{display:none} -->", True),
        (".x{display:none!important}@media (min-width:9px){.w\\:y{display:block!important}}", False),
        (".x{display:none!important}@media (min-width:9px){.w\\:y{display:block}}", True),
        (".x{display:none}@media print{*{display:block}}", True),
        (".x{display:none}b .w\\:y::after{display:block}", True),
        (".x{display:none}.x::after{display:table}", True),
        (".x{display:none}:is(.x){display:block}", False),
        (".x{display:none;&.open{display:block}}", False),
        (".x{display:none;@media (min-width:9px){display:block}}", False),
        (".x{position:absolute;left:-9999px}.x:focus{left:0}", False),
        (".x{height:0;overflow:hidden}.x.open{height:auto}", False),
        ("</style><style type=text/less>.x{display:none}", False),
        ("p{display:none}</style><script>find('p').show()</script><style>", False),
        ("[lang]{display:none}</style><script src=a.js></script><style>", False),
        ("body{display:none}</style><script src=a.js></script><style>", False),
    ],
)
def test_what_a_sheet_hides_for_certain_is_left_out(sheet: str, hides: bool) -> None:  # noqa: FBT001 - a table's column
    """What a rule of the page shows in another state or window, somebody reaches."""
    expected = ("seen", (("hidden", 4),)) if hides else ("seen text", SHOWN)
    text, hidden = page('<p class="x w:y" id="i" lang="en">text</p>', sheet)
    assert (text, tuple(("hidden", size) for _, size in hidden)) == expected


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("body", "shown", "left_out"),
    [
        ("<dialog>no</dialog><noembed>no</noembed><div popover>no</div>", "", 6),
        ("<p hidden=until-found>no<script>code</script></p>", "", 2),
        ("<dialog open>yes</dialog><p inert>yes</p><p aria-hidden=true>yes</p>", " yes yes yes", 0),
        ("<details><summary>more</summary>yes</details>", " more yes", 0),
        ("<button popovertarget=a>open</button><div popover id=a>yes</div>", " open yes", 0),
        ("<a role=tab aria-controls=a>open</a><div id=a hidden>yes</div>", " open yes", 0),
        ("<button data-bs-target=#a>open</button><div id=a style=display:none>yes</div>", " open yes", 0),
        ("<a onclick='show(\"a\")'>open</a><div id=a style=display:none>yes</div>", " open yes", 0),
        ("<script>a.showModal()</script><dialog id=a>yes</dialog>", " yes", 0),
        ("<div style='font-size:0'>no<b style='font-size:12px'>yes</b></div>", " yes", 0),
        ("<div style='font-size:0'>no<b style='font-size:1em'>no</b><b style='font-size:inherit'>no</b></div>", "", 0),
        ("<style>.r{font-size:0}.r .c{font-size:9px}</style><div class=r>no<b class=c>yes</b></div>", " yes", 0),
        ("<div style='background:#fff;color:#fff'><b style='color:inherit;background:none'>no</b></div>", "", 0),
        ("<div style='background:#fff'><p style='color:#fff;float:left'>no</p></div>", "", 0),
        ("<div style='background:#fff'><mark style='color:#fff'>yes</mark></div>", " yes", 0),
        ("<p style='background:#fff'><table><td bgcolor=black><b style='color:#fff'>yes</b></table>", " | yes |", 0),
        ("<link rel=stylesheet><div style=background:#fff><p id=a><b style=color:#fff>yes</b></div>", " yes", 0),
        ("<p><span style='width:0;overflow:hidden'>yes</span><p style='width:0;overflow:hidden'>no", " yes", 0),
        ("<div style='opacity:0'>no<b style='opacity:1'>no</b></div>", "", 0),
        ("<div style='background:#fff'><p style='color:#fff'>no</p></div>", "", 0),
        ("<div style='background:#fff'><p style='color:#fff;position:absolute'>yes</p></div>", " yes", 0),
    ],
)
def test_what_no_sign_leads_to_is_hidden(body: str, shown: str, left_out: int) -> None:
    """A closed element with something to open it is kept."""
    text, hidden = page(body)
    assert (text, dict(hidden).get("hidden", 0)) == (f"seen{shown}", left_out)


@pytest.mark.requirement("EX-HIDE-2")
def test_sheets_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that hide, comparisons, matches; what hides nothing costs nothing."""
    assert page("<p>x</p>", ".a{border:0}" * 9000) == ("seen x", SHOWN)
    for name in ("MAX_RULES", "MAX_COMPARISONS", "MAX_MATCHES"):
        with monkeypatch.context() as patch:
            patch.setattr(_style_sheets, name, 1)
            with pytest.raises(ExtractionError) as caught:
                page("<p>x</p><p>y</p>", ".y{display:none}p{display:none}")
        assert (caught.value.code, caught.value.limit) == ("limit", "members")


@pytest.mark.requirement("EX-HIDE-2")
def test_selectors_take_time_in_proportion_to_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets that stay open, and rules within rules of long lists."""
    began = time.perf_counter()
    assert page("<p>x</p>", ".x{display:none}" + "[" * 100_000 + "{display:block}") == ("seen x", SHOWN)
    monkeypatch.setattr(_style_sheets, "_MOST_READ", 1_000)
    with pytest.raises(ExtractionError, match="1,000 rules"):
        page("<p>x</p>", ".a," * 300 + ".b{" + "& i{top:0}" * 100_000)
    assert time.perf_counter() - began < 10


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("more", "shown", "why"),
    [
        ("BT /F1 12 Tf 3 Tr 72 600 Td (text) Tj ET", "", "hidden"),
        (
            "q 600 0 0 700 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID a EI Q BT /F1 12 Tf 3 Tr 72 600 Td (text) Tj ET",
            " text",
            "",
        ),
        ("BT /F1 12 Tf 1 1 1 rg 72 600 Td (text) Tj ET", "", "colour"),
        ("0 0 0 rg 60 590 90 40 re f BT /F1 12 Tf 1 1 1 rg 72 600 Td (text) Tj ET", " text", ""),
        ("BT /F1 12 Tf 5000 600 Td (text) Tj ET", "", "place"),
        ("BT /F1 0.1 Tf 72 600 Td (text) Tj ET", "", "size"),
        ("BT /F1 1 Tf 12 0 0 12 72 600 Tm (text) Tj ET", " text", ""),
    ],
)
def test_text_a_pdf_does_not_show(make_pdf: MakePdf, more: str, shown: str, why: str) -> None:
    """Invisible text over a picture is what was read in a scan, and wanted."""
    content = "seen) Tj ET " + more + " BT ("
    expected = (f"seen{shown}", ((why, 4),) if why else SHOWN)
    assert found(extract_pdf(make_pdf(content), name="a.pdf")) == expected


@pytest.mark.requirement("EX-HIDE-1")
def test_a_pdf_of_hidden_text_alone_is_no_scan(make_pdf: MakePdf) -> None:
    """The reason says how much it hides."""
    with pytest.raises(ExtractionError, match="4 hidden characters left out") as caught:
        extract_pdf(make_pdf(") Tj 3 Tr (text"), name="a.pdf")
    assert caught.value.code == "empty"


def styled_run(properties: str, text: str = "text") -> str:
    """A run with properties."""
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


DARK = '<w:shd w:val="clear" w:fill="1F3864"/>'
WHITE = styled_run('<w:color w:val="FFFFFF"/>', "white")
DARK_RUN = styled_run(DARK, "dark")


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("body", "shown", "why"),
    [
        (p(styled_run("<w:vanish/>")), "", "hidden"),
        (p(styled_run('<w:sz w:val="2"/>')), "", "size"),
        (p(styled_run('<w:sz w:val="8"/>')), " text", ""),
        (p(styled_run('<w:color w:val="FFFFFF"/>')), "", "colour"),
        (p(styled_run('<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>')), " text", ""),
        (p(styled_run('<w:color w:val="FFFFFF"/><w:highlight w:val="red"/>')), " text", ""),
        (p(styled_run('<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:fill="auto"/>')), " text", ""),
        (p(styled_run('<w:color w:val="FFFFFF"/>'), properties='<w:shd w:fill="123456"/>'), " text", ""),
        (
            table([p(styled_run('<w:color w:val="FFFFFF"/>'))]).replace("<w:tc>", f"<w:tc><w:tcPr>{DARK}</w:tcPr>"),
            " text",
            "",
        ),
        (p(styled_run('<w:color w:val="FFFFFF"/>')) + "<w:sectPr/><w:pict/>", " text", ""),
        (table(["text"]).replace("<w:tr>", "<w:tr><w:trPr><w:hidden/></w:trPr>"), "", "hidden"),
    ],
)
def test_text_a_document_does_not_show(body: str, shown: str, why: str) -> None:
    """White is the colour of paper where nothing shades it, and nothing may lie behind it."""
    expected = (f"seen{shown}", ((why, 4),) if why else SHOWN)
    assert found(extract_docx(docx(p("seen") + body), name="a.docx")) == expected


STYLES = f"""
<w:style w:type="paragraph" w:styleId="Dark"><w:pPr>{DARK}</w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Darker"><w:basedOn w:val="Dark"/></w:style>
<w:style w:type="character" w:styleId="Ink"><w:rPr>{DARK}</w:rPr></w:style>
<w:style w:type="table" w:styleId="Grid"><w:tblStylePr><w:tcPr>{DARK}</w:tcPr></w:tblStylePr></w:style>
<w:style w:type="table" w:default="1" w:styleId="Plain"/>
"""


@pytest.mark.requirement("EX-HIDE-4")
@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (p(WHITE), False),
        (p(DARK_RUN) + p(WHITE), False),
        (p(WHITE, properties='<w:pStyle w:val="Darker"/>'), True),
        (p(WHITE.replace("<w:rPr>", '<w:rPr><w:rStyle w:val="Ink"/>')), True),
        (table([p(WHITE)]), False),
        (table([p(WHITE)]).replace("<w:tbl>", '<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr>'), True),
    ],
)
def test_white_text_is_judged_by_the_shading_in_force(body: str, shown: bool) -> None:  # noqa: FBT001 - a column
    """A style that nothing around it uses, and shading elsewhere, lie behind nothing."""
    text, hidden = found(extract_docx(docx(p("seen") + body, styles=STYLES), name="a.docx"))
    assert ("white" in text, hidden) == (shown, SHOWN if shown else (("colour", 5),))


@pytest.mark.requirement("EX-HIDE-1")
def test_defaults_and_styles_of_a_document_hide_too() -> None:
    """What a run says about itself counts more."""
    defaults = "<w:docDefaults><w:rPrDefault><w:rPr><w:vanish/></w:rPr></w:rPrDefault></w:docDefaults>"
    body = p("text") + p(styled_run('<w:vanish w:val="0"/>', "seen"))
    assert found(extract_docx(docx(body, styles=defaults), name="a")) == ("seen", (("hidden", 4),))
    tiny = '<w:style w:type="character" w:styleId="T"><w:rPr><w:sz w:val="1"/></w:rPr></w:style>'
    body = p("seen", styled_run('<w:rStyle w:val="T"/>'))
    assert found(extract_docx(docx(body, styles=tiny), name="a")) == ("seen", (("size", 4),))


def at(left: int, top: int = 0) -> str:
    """Where a shape of ten by ten stands."""
    return f'<p:spPr><a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="10" cy="10"/></a:xfrm></p:spPr>'


@pytest.mark.requirement("EX-HIDE-1")
@pytest.mark.parametrize(
    ("left", "timing", "shown"),
    [(500, "", ""), (-10, "", ""), (-5, "", " text"), (95, "", " text"), (500, "<p:timing/>", " text")],
)
def test_shapes_beside_a_slide(left: int, timing: str, shown: str) -> None:
    """An animation may move them onto it."""
    shapes = shape("seen") + shape("text").replace("<p:txBody>", at(left) + "<p:txBody>")
    data = pptx(shapes, in_deck='<p:sldSz cx="100" cy="100"/>', after=timing)
    assert found(extract_pptx(data, name="a.pptx")) == (f"seen{shown}", SHOWN if shown else (("place", 4),))


@pytest.mark.requirement("EX-HIDE-1")
def test_hidden_slides_and_sheets_are_counted() -> None:
    """Their text is left out whole."""
    assert found(extract_pptx(pptx(shape("seen"), 'show="0"|' + shape("te xt")), name="a")) == (
        "seen",
        (("hidden", 4),),
    )
    rows = [row(1, cell("A1", "| seen")), row(1, cell("A1", "te xt"), cell("B1", "x"))]
    assert found(extract_xlsx(xlsx(*rows, states="visible veryHidden"), name="a"))[1] == (("hidden", 5),)


@pytest.mark.requirement("EX-HIDE-1")
def test_mail_is_read_as_a_mail_program_shows_it() -> None:
    """The page, without what it hides; its plain twin may say anything."""
    data = (
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nOther words.\n--b\n"
        b"Content-Type: text/html\n\n<p>seen<p hidden>text\n--b--\n"
    )
    assert found(extract_eml(data, name="a.eml")) == ("seen", (("hidden", 4),))


@pytest.mark.requirement("EX-HIDE-3")
def test_counts_come_through_the_wall() -> None:
    """And whatever else an answer says of them is no answer."""
    header, text = _worker.answer("html", b"<p>a<p hidden>text", "a.html", {})
    header = json.loads(json.dumps(header)) | {"request": 1}
    extraction = understood(header, text, kind="html", name="a", request=1)
    assert extraction == extract_html(b"<p>a<p hidden>text", name="a")
    for told in (1, [["why", 1]], [["hidden", 0]], [["hidden", True]], [["size", 1], ["hidden", 1]], [["size", 1]] * 2):
        assert understood(header | {"hidden": told}, text, kind="html", name="a", request=1) is None
