"""Word documents: what a reader sees, in the order it is read, and nothing else."""

from __future__ import annotations

import io
import zipfile

import pytest

from symfonic.adapters.knowledge.extractors import blocks, drawings, opc
from symfonic.adapters.knowledge.extractors.docx import extract_docx
from symfonic.adapters.knowledge.ports import ExtractionError, Section

SCHEMAS = "http://schemas.openxmlformats.org/"
SPACES = (
    f'xmlns:w="{SCHEMAS}wordprocessingml/2006/main" xmlns:r="{SCHEMAS}officeDocument/2006/relationships" '
    f'xmlns:mc="{SCHEMAS}markup-compatibility/2006" xmlns:m="{SCHEMAS}officeDocument/2006/math" '
    f'xmlns:a="{SCHEMAS}drawingml/2006/main" xmlns:c="{SCHEMAS}drawingml/2006/chart" '
    f'xmlns:wp="{SCHEMAS}drawingml/2006/wordprocessingDrawing" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:w16se="http://schemas.microsoft.com/office/word/2015/wordml/symex" xmlns:other="urn:other"'
)


def docx(body: str, *, spaces: str = SPACES, related: str = "", **parts: str) -> bytes:
    """A document of this body; parts are named after their relationship, or anything that ``related`` relates."""
    relations = "".join(
        f'<Relationship Id="{name}" Type="x/{"".join(c for c in name if c.isalpha())}" Target="{name}.xml"/>'
        for name in parts
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("word/document.xml", f"<w:document {spaces}><w:body>{body}</w:body></w:document>")
        file.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{SCHEMAS}package/2006/relationships">{relations}{related}</Relationships>',
        )
        for name, content in parts.items():
            file.writestr(f"word/{name}.xml", f"<w:part {spaces}>{content}</w:part>")
    return buffer.getvalue()


def p(*runs: str, properties: str = "") -> str:
    """A paragraph; what does not begin as an element is the text of a run."""
    inside = "".join(run if run.startswith("<") else f"<w:r><w:t>{run}</w:t></w:r>" for run in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside}</w:p>"


def table(*rows: list[str]) -> str:
    """A table of cells with one paragraph each; what begins as an element is the content of its cell."""
    cells = ["".join(f"<w:tc>{cell if cell.startswith('<') else p(cell)}</w:tc>" for cell in row) for row in rows]
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def text_of(body: str, **parts: str) -> str:
    """The text of a document, all sections together."""
    return "".join(section.text for section in extract_docx(docx(body, **parts), name="a.docx").sections)


STYLES = """
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Absatz"><w:name w:val="Absatz"/>
  <w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Derived"><w:name w:val="Derived"/><w:basedOn w:val="Secret"/></w:style>
<w:style w:type="character" w:styleId="Ghost"><w:name w:val="Ghost"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Bullet"><w:name w:val="List Bullet"/>
  <w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="LoopA"><w:name w:val="LoopA"/><w:basedOn w:val="LoopB"/></w:style>
<w:style w:type="paragraph" w:styleId="LoopB"><w:name w:val="LoopB"/><w:basedOn w:val="LoopA"/></w:style>
"""


def styled(style: str, *runs: str, properties: str = "") -> str:
    """A paragraph of a style."""
    return p(*runs, properties=f'<w:pStyle w:val="{style}"/>{properties}')


# --------------------------------------------------------------------------------------------------------- headings


@pytest.mark.requirement("EX-DOCX-1")
def test_headings_nest_by_their_style_whatever_its_id_is_called() -> None:
    """By the name every language shares, by inheritance, by the outline level of style or paragraph."""
    body = (
        p("Before.")
        + styled("Titel", "Handbook")
        + styled("berschrift1", "One")
        + p("Text of one.")
        + styled("Absatz", "Deeper")
        + p("Text.", properties='<w:outlineLvl w:val="9"/>')
        + styled("Kapitel", "Two")
        + p("Direct", properties='<w:outlineLvl w:val="4"/>')
    )
    assert extract_docx(docx(body, styles=STYLES), name="a.docx").sections == (
        Section(text="Before.\n\n"),
        Section(text="Handbook\n\n", headings=("Handbook",)),
        Section(text="One\n\nText of one.\n\n", headings=("Handbook", "One")),
        Section(text="Deeper\n\nText.\n\n", headings=("Handbook", "One", "Deeper")),
        Section(text="Two\n\n", headings=("Handbook", "Two")),
        Section(text="Direct\n", headings=("Handbook", "Two", "Direct")),
    )


@pytest.mark.requirement("EX-DOCX-1")
def test_a_style_that_is_not_described_is_known_by_its_id() -> None:
    """A document without styles; a style that inherits from itself is a plain one."""
    (section,) = extract_docx(docx(styled("Heading2", "A") + p("b")), name="a.docx").sections
    assert section == Section(text="A\n\nb\n", headings=("A",))
    assert text_of(styled("LoopA", "a"), styles=STYLES) == "a\n"


@pytest.mark.requirement("EX-DOCX-1")
def test_a_long_heading_is_shortened_in_its_path_only() -> None:
    """As everywhere."""
    (section,) = extract_docx(docx(styled("Heading1", "a" * 300)), name="a.docx").sections
    assert section == Section(text="a" * 300 + "\n", headings=("a" * 159 + "…",))


# ------------------------------------------------------------------------------------------------------------ lists

NUMBERING = """
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl>
  <w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8">
  <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
  <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
  <w:lvl w:ilvl="2"><w:isLgl/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2.%3"/></w:lvl>
  <w:lvl w:ilvl="3"><w:start w:val="27"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%4)"/></w:lvl>
  <w:lvl w:ilvl="4"><w:numFmt w:val="none"/><w:lvlText w:val=""/></w:lvl>
  <w:lvl w:ilvl="5"><w:start w:val="9"/><w:numFmt w:val="decimalZero"/><w:lvlText w:val="%6"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="8"/>
  <w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num>
"""


def item(text: str, number: int, level: int = 0, more: str = "") -> str:
    """A paragraph that is numbered."""
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return p(text, properties=more + numbered)


@pytest.mark.requirement("EX-DOCX-2")
def test_items_stand_behind_the_number_word_shows() -> None:
    """Bullets, levels, formats, legal numbers, a list continued and one that starts anew."""
    body = (
        p("Lists:")
        + item("a", 1)
        + item("b", 1, 1)
        + p("Next.")
        + item("c", 2)
        + item("d", 2, 1)
        + item("e", 2, 1)
        + item("f", 2, 2)
        + item("g", 2, 3)
        + item("h", 2)
        + item("i", 2, 1)
        + item("j", 3)
        + item("k", 2, 5)
    )
    assert text_of(body, numbering=NUMBERING) == (
        "Lists:\n\n- a\n  - b\n\nNext.\n\n"
        "I. c\n  I.1 d\n  I.2 e\n    1.2.1 f\n      (aa) g\nII. h\n  II.1 i\nIV. j\n          09 k\n"
    )


@pytest.mark.requirement("EX-DOCX-2")
def test_an_item_without_a_number_is_a_paragraph() -> None:
    """Number 0, a level that shows nothing, a list that is not described; an empty item still counts."""
    body = item("a", 0) + item("b", 2, 4) + item("c", 99) + item("", 2) + item("d", 2) + styled("Bullet", "e")
    assert text_of(body, numbering=NUMBERING, styles=STYLES) == "a\n\nb\n\nc\n\nII. d\n- e\n"


@pytest.mark.requirement("EX-DOCX-2")
def test_a_list_may_describe_a_level_anew() -> None:
    """It goes on counting with the others of its description."""
    own = (
        '<w:num w:numId="4"><w:abstractNumId w:val="8"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0">'
        '<w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1)"/></w:lvl></w:lvlOverride></w:num>'
    )
    assert text_of(item("a", 2) + item("b", 4) + item("c", 2), numbering=NUMBERING + own) == "I. a\nii) b\nIII. c\n"


@pytest.mark.requirement("EX-DOCX-2")
def test_a_numbered_heading_keeps_its_number() -> None:
    """People cite it."""
    data = docx(item("Scope", 2, 0, '<w:pStyle w:val="Heading1"/>'), numbering=NUMBERING)
    assert extract_docx(data, name="a.docx").sections == (Section(text="I. Scope\n", headings=("I. Scope",)),)


@pytest.mark.requirement("EX-DOCX-2")
def test_a_list_described_by_a_style_is_found() -> None:
    """The description points to a style, which points to another description."""
    numbering = (
        '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Bullet"/></w:abstractNum>'
        '<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1)"/>'
        '</w:lvl></w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num>'
        '<w:num w:numId="1"><w:abstractNumId w:val="2"/></w:num>'
    )
    assert text_of(item("a", 5) + item("b", 5), numbering=numbering, styles=STYLES) == "1) a\n2) b\n"


# ----------------------------------------------------------------------------------------------------------- tables


@pytest.mark.requirement("EX-DOCX-3")
def test_a_table_has_a_line_for_each_row() -> None:
    """Paragraphs of a cell on one line, merged cells once, empty rows not at all, tables apart."""
    merged = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' + p("both")
    below = "<w:tcPr><w:vMerge/></w:tcPr>" + p("unseen")
    body = (
        table(["a", p("b") + p("c") + item("d", 1)], [merged, "e"], [below, "f"], ["", " "])
        + table(["g", "h"])
        + p("End.")
    )
    assert text_of(body, numbering=NUMBERING) == ("| a | b c - d |\n| both | e |\n| | f |\n\n| g | h |\n\nEnd.\n")


@pytest.mark.requirement("EX-DOCX-3")
def test_a_table_that_arranges_blocks_comes_out_as_blocks() -> None:
    """It holds a table, or is a frame around one cell; headings in it are headings, in a data table they are not."""
    inner = table(["x", "y"])
    body = table([p("left"), styled("Heading1", "In") + inner]) + table([p("frame") + item("one", 1)])
    assert extract_docx(docx(body, numbering=NUMBERING), name="a.docx").sections == (
        Section(text="left\n\n"),
        Section(text="In\n\n| x | y |\n\nframe\n\n- one\n", headings=("In",)),
    )
    assert extract_docx(docx(table([styled("Heading1", "a"), "b"])), name="a.docx").sections == (
        Section(text="| a | b |\n"),
    )


@pytest.mark.requirement("EX-DOCX-3")
def test_rows_and_cells_are_found_in_content_controls() -> None:
    """Repeating rows and cells bound to data."""
    row = "<w:sdt><w:sdtContent><w:tr><w:tc>" + p("a") + "</w:tc><w:sdt><w:sdtContent><w:tc>" + p("b")
    body = f"<w:tbl>{row}</w:tc></w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>"
    assert text_of(body) == "| a | b |\n"


# ------------------------------------------------------------------------------------------------------- characters


@pytest.mark.requirement("EX-DOCX-4")
@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t></w:r>", "a\tb\nc\nd\n"),
        (
            "<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail sol</w:t><w:softHyphen/><w:t>id</w:t></w:r>",
            "e\u2011mail solid\n",
        ),
        ('<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>', "α☑\n"),
        ('<w:r><w:sym w:font="Strange" w:char="F061"/><w:sym w:font="X" w:char="2022"/></w:r>', "\ufffd•\n"),
        (
            '<w:r><w:sym w:font="X" w:char="D800"/><w:sym w:font="X" w:char="FFFFFFFF"/><w:sym/></w:r>',
            "\ufffd" * 3 + "\n",
        ),
        ('<w:hyperlink r:id="x"><w:r><w:t>link</w:t></w:r></w:hyperlink>', "link\n"),
        ("<w:sdt><w:sdtContent><w:r><w:t>control</w:t></w:r></w:sdtContent></w:sdt>", "control\n"),
        ("<w:smartTag><w:r><w:t>tag</w:t></w:r></w:smartTag>", "tag\n"),
        ("<w:r><w:t>a\n  b\u2028c\x85d\u2029e</w:t></w:r>", "a   b\nc\ufffdd\ne\n"),
        (
            (
                "<w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase>"
                "</w:ruby></w:r>"
            ),
            "漢(kan)\n",
        ),
        (
            (
                '<w:r><mc:AlternateContent><mc:Choice Requires="w16se"><w16se:symEx w16se:font="E" w16se:char="1F600"/>'
                "</mc:Choice><mc:Fallback><w:t>:-)</w:t></mc:Fallback></mc:AlternateContent></w:r>"
            ),
            "😀\n",
        ),
        (
            (
                '<w:r><mc:AlternateContent><mc:Choice Requires="other"><w:t>a</w:t></mc:Choice>'
                "<mc:Fallback><w:t>b</w:t>"
                "</mc:Fallback></mc:AlternateContent></w:r>"
            ),
            "b\n",
        ),
    ],
)
def test_what_a_run_shows(run: str, expected: str) -> None:
    """Breaks, hyphens, symbols, links, controls, phonetic guides, emoji with a fallback."""
    assert text_of(p(run)) == expected


@pytest.mark.requirement("EX-DOCX-4")
def test_paragraphs_are_found_in_what_only_wraps_them() -> None:
    """Content controls, and alternatives of blocks and within paragraphs, of which one is shown."""

    def either(first: str, second: str) -> str:
        choice = f'<mc:Choice Requires="wps">{first}</mc:Choice>'
        return f"<mc:AlternateContent>{choice}<mc:Fallback>{second}</mc:Fallback></mc:AlternateContent>"

    run = "<w:r><w:t>{}</w:t></w:r>".format
    body = f"<w:sdt><w:sdtContent>{p('a')}</w:sdtContent></w:sdt>" + either(p("b"), p("X"))
    assert text_of(body + p(either(run("c"), run("X")))) == "a\n\nb\n\nc\n"


@pytest.mark.requirement("EX-DOCX-4")
def test_formulas_are_one_line() -> None:
    """Fractions, powers, indices, roots, sums, brackets, matrices; what is hidden or deleted in them is not there."""

    def r(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    def e(name: str, text: str) -> str:
        return f"<m:{name}>{r(text)}</m:{name}>"

    formula = (
        f"<m:f>{e('num', 'a+b')}{e('den', '2')}</m:f>{r('=')}<m:sSup>{e('e', 'x')}{e('sup', '10')}</m:sSup>"
        f"<m:sSub>{e('e', 'y')}{e('sub', 'i')}</m:sSub><m:rad>{e('deg', '3')}{e('e', '2g')}</m:rad>"
        f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>{e("sub", "i=1")}{e("sup", "n")}{e("e", "k")}</m:nary>'
        f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>{e("e", "a")}{e("e", "b")}</m:d>'
        f"<m:m><m:mr>{e('e', '1')}{e('e', '0')}</m:mr><m:mr>{e('e', '0')}{e('e', '1')}</m:mr></m:m>"
        f"<m:limLow>{e('e', 'lim')}{e('lim', 'n→∞')}</m:limLow><m:eqArr>{e('e', 'u')}{e('e', 'v')}</m:eqArr>"
        f'<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr>{e("e", "P")}</m:phant>'
        "<m:r><w:rPr><w:vanish/></w:rPr><m:t>H</m:t></m:r><w:del><m:r><m:t>D</m:t></m:r></w:del>"
    )
    assert text_of(p("f: ", f"<m:oMath>{formula}</m:oMath>")) == (
        "f: (a+b)/2=x^(10)y_i(3)√(2g)∑_(i=1)^n k[a|b]1, 0; 0, 1lim_(n→∞)u; v\n"
    )


# --------------------------------------------------------------------------------------------------- what is unseen


@pytest.mark.requirement("EX-DOCX-5")
@pytest.mark.parametrize(
    "unseen",
    [
        p("<w:r><w:rPr><w:vanish/></w:rPr><w:t>X</w:t></w:r>"),
        p('<w:r><w:rPr><w:rStyle w:val="Ghost"/></w:rPr><w:t>X</w:t></w:r>'),
        styled("Secret", "X"),
        styled("Derived", "X"),
        p("<w:del><w:r><w:delText>X</w:delText></w:r></w:del>"),
        p("<w:moveFrom><w:r><w:t>X</w:t></w:r></w:moveFrom>"),
        "<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>" + p("X") + "</w:tc></w:tr></w:tbl>",
        "<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>" + p("X") + "</w:tc></w:tr></w:tbl>",
        p('<w:r><w:fldChar w:fldCharType="begin"/><w:t>X</w:t><w:fldChar w:fldCharType="end"/></w:r>'),
        p('<w:r><w:drawing><wp:inline><wp:docPr hidden="1"/><wps:txbx><w:txbxContent>' + p("X")
          + "</w:txbxContent></wps:txbx></wp:inline></w:drawing></w:r>"),
        p('<w:r><w:pict><v:shape style="position:absolute;visibility: hidden"><v:textbox><w:txbxContent>' + p("X")
          + "</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"),
        '<w:altChunk r:id="x"/>',
    ],
)  # fmt: skip
def test_what_no_reader_sees_is_left_out(unseen: str) -> None:
    """Hidden by itself or by a style, deleted, the code of a field, hidden shapes and rows."""
    assert text_of(p("a") + unseen + p("b"), styles=STYLES) == "a\n\nb\n"


@pytest.mark.requirement("EX-DOCX-5")
def test_what_only_seems_hidden_is_kept() -> None:
    """Switched off, hidden on the web only, hidden twice (which is not hidden), and after a field that never ends."""
    body = (
        p('<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>a</w:t></w:r>')
        + p("<w:r><w:rPr><w:webHidden/></w:rPr><w:t>b</w:t></w:r>")
        + styled("Secret", '<w:r><w:rPr><w:rStyle w:val="Ghost"/></w:rPr><w:t>c</w:t></w:r>')
        + styled("Secret", "<w:r><w:rPr><w:vanish w:val='false'/></w:rPr><w:t>d</w:t></w:r>")
        + p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>', "e")
    )
    assert text_of(body, styles=STYLES) == "a\n\nb\n\nc\n\nd\n\ne\n"


@pytest.mark.requirement("EX-DOCX-5")
def test_a_tracked_change_shows_the_new_text() -> None:
    """Insertions and moved text at their new place; a paragraph whose end was deleted goes on in the next one."""
    deleted_end = "<w:rPr><w:del/></w:rPr>"
    body = p("a", "<w:ins><w:r><w:t>b</w:t></w:r></w:ins>", "<w:moveTo><w:r><w:t>c</w:t></w:r></w:moveTo>")
    body += p("one ", properties=deleted_end) + p("two") + p("three", properties=deleted_end)
    assert text_of(body) == "abc\n\none two\n\nthree\n"


@pytest.mark.requirement("EX-DOCX-5")
def test_a_field_shows_its_result() -> None:
    """Across runs and paragraphs, nested in code and in results, and the short form."""
    begin, apart, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    code = "<w:r><w:instrText>IF 1 = 1</w:instrText></w:r>"
    body = (
        p("a ", begin, code, begin, code, apart, "unseen", end, apart, "result ", begin, code, apart, "inner")
        + p(end, " more", end, " b", end)
        + p('<w:fldSimple w:instr="PAGE"><w:r><w:t>7</w:t></w:r></w:fldSimple>')
    )
    assert text_of(body) == "a result inner\n\nmore b\n\n7\n"


# ------------------------------------------------------------------------------------------- notes, margins, boxes


@pytest.mark.requirement("EX-DOCX-6")
def test_notes_stand_behind_the_block_that_refers_to_them() -> None:
    """Footnotes and endnotes counted together, each written once, behind a table where they hang on a cell."""
    notes = (
        '<w:footnote w:id="0" w:type="separator">' + p("line") + "</w:footnote>"
        '<w:footnote w:id="2">' + p("<w:r><w:footnoteRef/></w:r>", " First note.") + p("More.") + "</w:footnote>"
    )
    ends = '<w:endnote w:id="2">' + p("End note.") + "</w:endnote>"
    foot, end = '<w:r><w:footnoteReference w:id="2"/></w:r>', '<w:r><w:endnoteReference w:id="2"/></w:r>'
    missing = '<w:r><w:footnoteReference w:id="9"/></w:r>'
    body = p("a", foot, " b", foot, missing) + p("c") + table([p("d", end), "e"]) + p("f")
    assert text_of(body, footnotes=notes, endnotes=ends) == (
        "a[^1] b[^1]\n\n[^1]: First note.\nMore.\n\nc\n\n| d[^2] | e |\n\n[^2]: End note.\n\nf\n"
    )


@pytest.mark.requirement("EX-DOCX-6")
def test_headers_come_first_and_footers_last_each_text_once() -> None:
    """Without page numbers; those of first and even pages only where there are such pages."""
    page = '<w:fldSimple w:instr=" PAGE "><w:r><w:t>3</w:t></w:r></w:fldSimple>'
    pages = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> NUMPAGES </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>9</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="header1"/>'
        '<w:headerReference w:type="first" r:id="header2"/>'
        '<w:headerReference w:type="even" r:id="header3"/><w:footerReference w:type="default" r:id="footer1"/>'
        "{}</w:sectPr>"
    )
    parts = {
        "header1": p("ACME"),
        "header2": p("First"),
        "header3": p("Even") + p("ACME"),
        "footer1": styled("Heading1", "Page ", page, " of ", pages),
    }
    body = styled("Heading1", "Title") + p("text", properties=section.format("")) + section.format("")
    first, middle, last = extract_docx(docx(body, **parts), name="a.docx").sections
    assert first == Section(text="ACME\n\n")
    assert middle == Section(text="Title\n\ntext\n\n", headings=("Title",))
    assert last == Section(text="Page  of\n")
    all_pages = p("x") + section.format("<w:titlePg/>")
    settings = "<w:evenAndOddHeaders/>"
    assert text_of(all_pages, settings=settings, **parts) == "ACME\n\nFirst\n\nEven\n\nx\n\nPage  of\n"


def text_box(text: str) -> str:
    """A run with a text box, as Word writes it: twice."""
    inside = f"<w:txbxContent>{p(text)}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wps:wsp><wps:txbx>'
        f"{inside}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>"
        f"{inside}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


@pytest.mark.requirement("EX-DOCX-6")
def test_a_text_box_is_written_once_behind_its_paragraph() -> None:
    """Word writes it twice, for itself and for older programs; in a cell it stands in the cell."""
    body = p("a ", text_box("box"), "b") + table([p("c", text_box("in cell")), "d"])
    assert text_of(body) == "a b\n\nbox\n\n| c in cell | d |\n"


@pytest.mark.requirement("EX-DOCX-6")
def test_a_text_box_keeps_its_blocks() -> None:
    """Tables and text boxes in it included; its headings are none of the document."""
    inside = styled("Heading1", "Aside") + table(["a", "b"]) + p("c", text_box("inner"))
    box = "<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    assert extract_docx(docx(p("x", box.format(inside))), name="a.docx").sections == (
        Section(text="x\n\nAside\n\n| a | b |\n\nc\n\ninner\n"),
    )


@pytest.mark.requirement("EX-DOCX-6")
def test_a_table_in_a_header_is_lines_of_cells() -> None:
    """Letterheads are tables."""
    section = '<w:sectPr><w:headerReference w:type="default" r:id="header1"/></w:sectPr>'
    assert text_of(p("x") + section, header1=table(["ACME", p("a") + p("b")], ["", ""])) == "| ACME | a b |\n\nx\n"


@pytest.mark.requirement("EX-DOCX-6")
def test_a_chart_is_a_table_of_its_cached_numbers() -> None:
    """Part of its own, written once; a broken reference shows nothing."""
    chart = (
        f"<c:chartSpace {SPACES}><c:chart><c:title>"
        "<c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>"
        "<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat>"
        "<c:strRef><c:strCache><c:pt idx='0'><c:v>East</c:v></c:pt><c:pt idx='1'><c:v>West</c:v></c:pt></c:strCache>"
        "</c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>4.2999999999999998</c:v></c:pt>"
        "<c:pt idx='1'><c:v>2</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart>"
        "</c:chartSpace>"
    )
    frame = (
        '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="{}"/></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing></w:r>"
    )
    related = '<Relationship Id="k" Type="x/chart" Target="/word/charts/chart1.xml"/>'
    data = docx(p("a", frame.format("k"), frame.format("k"), frame.format("none")) + p("b"), related=related)
    with zipfile.ZipFile(buffer := io.BytesIO(data), "a") as file:
        file.writestr("word/charts/chart1.xml", chart)
    (section,) = extract_docx(buffer.getvalue(), name="a.docx").sections
    assert section.text == "a\n\nSales\n\n| | 2024 |\n| East | 4.3 |\n| West | 2 |\n\nb\n"


@pytest.mark.requirement("EX-HOSTILE-1")
def test_a_chart_of_series_by_places_without_end_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Series that share no place make a table as large as their number squared."""
    series = "".join(f"<c:ser><c:val><c:pt idx='{n}'><c:v>{n}</c:v></c:pt></c:val></c:ser>" for n in range(4))
    chart = f"<c:chartSpace {SPACES}><c:chart>{series}</c:chart></c:chartSpace>"
    related = '<Relationship Id="k" Type="x/chart" Target="/word/charts/chart1.xml"/>'
    data = docx(p('<w:r><w:drawing><a:graphic><c:chart r:id="k"/></a:graphic></w:drawing></w:r>'), related=related)
    with zipfile.ZipFile(buffer := io.BytesIO(data), "a") as file:
        file.writestr("word/charts/chart1.xml", chart)
    monkeypatch.setattr(drawings, "MAX_CHART_CELLS", 16)
    assert len(extract_docx(buffer.getvalue(), name="a.docx").sections[0].text.splitlines()) == 4
    monkeypatch.setattr(drawings, "MAX_CHART_CELLS", 15)
    assert refusal(buffer.getvalue()) == ("limit", "members")


@pytest.mark.requirement("EX-HOSTILE-1")
def test_relationships_without_end_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are counted before a tree is made of them."""
    related = "".join(f'<Relationship Id="i{n}" Type="x/image" Target="m{n}"/>' for n in range(38))
    monkeypatch.setattr(opc, "MAX_RELATIONS", 20)
    assert text_of(p("a")) == "a\n"
    assert extract_docx(docx(p("a"), related=related), name="a.docx").sections[0].text == "a\n"
    assert refusal(docx(p("a"), related=related + related)) == ("limit", "members")


# ------------------------------------------------------------------------------------------------------------ files


@pytest.mark.requirement("EX-ZIP-2")
@pytest.mark.parametrize("twin", ["word/Document.xml", "/word/document.xml", "WORD/document.XML"])
def test_two_parts_of_one_name_are_damage(twin: str) -> None:
    """Names of parts are compared without regard to case, and programs differ in which of the two they show."""
    buffer = io.BytesIO(docx(p("shown")))
    with zipfile.ZipFile(buffer, "a") as file:
        file.writestr(twin, f"<w:document {SPACES}><w:body>{p('other')}</w:body></w:document>")
    with pytest.raises(ExtractionError, match="one name") as caught:
        extract_docx(buffer.getvalue(), name="a.docx")
    assert caught.value.code == "damaged"


@pytest.mark.requirement("EX-DOCX-7")
def test_strict_documents_read_the_same() -> None:
    """Another set of namespaces for the same words."""
    strict = SPACES.replace(f"{SCHEMAS}wordprocessingml/2006", "http://purl.oclc.org/ooxml/wordprocessingml").replace(
        f"{SCHEMAS}officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument"
    )
    body = styled("Absatz", "A") + p("b", '<w:hyperlink r:id="x"><w:r><w:t> c</w:t></w:r></w:hyperlink>')
    assert "purl.oclc.org" in strict
    plain = extract_docx(docx(body, styles=STYLES), name="a.docx")
    assert extract_docx(docx(body, spaces=strict, styles=STYLES), name="a.docx") == plain


def refusal(data: bytes) -> tuple[str, str]:
    """Code and limit with which a document is refused."""
    with pytest.raises(ExtractionError, match=r"^a\.docx ") as caught:
        extract_docx(data, name="a.docx")
    return caught.value.code, caught.value.limit


@pytest.mark.requirement("EX-DOCX-7")
def test_what_is_no_document_has_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged, empty, encrypted, old, beyond all measure."""
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)
    assert refusal(b"PK\x03\x04") == ("damaged", "")
    assert refusal(docx(p("a"))[:-40]) == ("damaged", "")
    assert refusal(docx("<w:p>")) == ("damaged", "")
    assert refusal(docx(p(" "))) == ("empty", "")
    assert refusal(old) == ("unsupported", "")
    assert refusal(old + "EncryptedPackage".encode("utf-16-le")) == ("encrypted", "")
    monkeypatch.setattr(blocks, "MAX_CHARS", 10)
    assert refusal(docx(p("more than ten characters"))) == ("limit", "characters")


@pytest.mark.requirement("EX-DOCX-7")
def test_nesting_as_deep_as_xml_may_be_is_read_or_refused() -> None:
    """Tables in tables; the parser's own limit comes before that of the interpreter."""
    for depth, outcome in ((60, "read"), (5000, "refused")):
        body = "<w:tbl><w:tr><w:tc>" * depth + p("deep") + "</w:tc></w:tr></w:tbl>" * depth
        if outcome == "read":
            assert text_of(body) == "deep\n"
        else:
            assert refusal(docx(body)) == ("limit", "depth")
