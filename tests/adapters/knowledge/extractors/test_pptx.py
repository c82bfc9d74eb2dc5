"""Presentations: slides in their order, each with its title, its shapes and its notes."""

from __future__ import annotations

import io
import zipfile

import pytest

from symfonic.adapters.knowledge.extractors import blocks, opc
from symfonic.adapters.knowledge.extractors.pptx import extract_pptx
from symfonic.adapters.knowledge.extractors.xml import parse_xml
from symfonic.adapters.knowledge.ports import ExtractionError, Section

SCHEMAS = "http://schemas.openxmlformats.org/"
SPACES = (
    f'xmlns:p="{SCHEMAS}presentationml/2006/main" xmlns:r="{SCHEMAS}officeDocument/2006/relationships" '
    f'xmlns:mc="{SCHEMAS}markup-compatibility/2006" xmlns:m="{SCHEMAS}officeDocument/2006/math" '
    f'xmlns:a="{SCHEMAS}drawingml/2006/main" xmlns:dgm="{SCHEMAS}drawingml/2006/diagram" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
)


def relations(*entries: tuple[str, str, str]) -> str:
    """Relationships of a part: id, kind, target."""
    inside = "".join(f'<Relationship Id="{name}" Type="x/{kind}" Target="{to}"/>' for name, kind, to in entries)
    return f'<Relationships xmlns="{SCHEMAS}package/2006/relationships">{inside}</Relationships>'


def pptx(
    *slides: str,
    order: str = "",
    notes: str = "",
    diagram: str = "",
    spaces: str = SPACES,
    in_deck: str = "",
    after: str = "",
) -> bytes:
    """A presentation; a slide is its shapes, with the attributes of the slide before a bar. Notes are of the first."""
    buffer = io.BytesIO()
    numbers = order.split() or [str(number) for number in range(1, len(slides) + 1)]
    listed = "".join(f'<p:sldId id="{number}" r:id="s{number}"/>' for number in numbers)
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("_rels/.rels", relations(("a", "officeDocument", "/ppt/deck.xml")))
        file.writestr(
            "ppt/deck.xml", f"<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst>{in_deck}</p:presentation>"
        )
        places = [(f"s{number}", "slide", f"slides/slide{number}.xml") for number in range(1, len(slides) + 1)]
        file.writestr("ppt/_rels/deck.xml.rels", relations(*places))
        for number, slide in enumerate(slides, 1):
            attributes, _, shapes = slide.rpartition("|")
            content = f"<p:sld {spaces} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>{after}</p:sld>"
            file.writestr(f"ppt/slides/slide{number}.xml", content)
        of_first = [("n", "notesSlide", "../notes/n.xml")] if notes else []
        of_first += [("d", "diagramData", "../diagrams/data1.xml")] if diagram else []
        file.writestr("ppt/slides/_rels/slide1.xml.rels", relations(*of_first))
        file.writestr("ppt/notes/n.xml", f"<p:notes {spaces}><p:cSld><p:spTree>{notes}</p:spTree></p:cSld></p:notes>")
        file.writestr("ppt/diagrams/data1.xml", f"<dgm:dataModel {spaces}>{diagram}</dgm:dataModel>")
    return buffer.getvalue()


def para(text: str, properties: str = "") -> str:
    """An ``a:p``; what begins as an element is its content."""
    return f"<a:p>{properties}{text if text.startswith('<') else f'<a:r><a:t>{text}</a:t></a:r>'}</a:p>"


def shape(*paragraphs: str, kind: str | None = None, more: str = "") -> str:
    """A shape of these paragraphs; ``kind`` makes it a placeholder."""
    inside = "".join(text if text.startswith("<a:p>") else para(text) for text in paragraphs)
    place = "" if kind is None else f'<p:ph type="{kind}"/>' if kind else '<p:ph idx="1"/>'
    described = f'<p:nvSpPr><p:cNvPr id="1" name="x" {more}/><p:nvPr>{place}</p:nvPr></p:nvSpPr>'
    return f"<p:sp>{described}<p:txBody>{inside}</p:txBody></p:sp>"


def text_of(shapes: str, **more: str) -> str:
    """The text of one slide."""
    (section,) = extract_pptx(pptx(shapes, **more), name="a.pptx").sections
    return section.text


@pytest.mark.requirement("EX-PPTX-1")
def test_slides_come_in_the_order_of_the_presentation() -> None:
    """Not in that of the files; the number counts slides without text and hidden ones, which have no section."""
    slides = (
        shape("Last", kind="title"),
        shape("Body") + shape("First", kind="ctrTitle"),
        "",
        'show="0"|' + shape("hidden"),
    )
    assert extract_pptx(pptx(*slides, order="2 3 4 1 1"), name="a.pptx").sections == (
        Section(text="First\n\nBody\n", headings=("First",), page=1),
        Section(text="Last\n", headings=("Last",), page=4),
    )


@pytest.mark.requirement("EX-PPTX-1")
def test_a_slide_without_a_title_has_no_heading() -> None:
    """A title of two lines is one heading."""
    titled = shape(para("<a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r>"), kind="title")
    assert extract_pptx(pptx(shape("text"), titled), name="a.pptx").sections == (
        Section(text="text\n", page=1),
        Section(text="One\ntwo\n", headings=("One two",), page=2),
    )


@pytest.mark.requirement("EX-PPTX-2")
def test_lists_have_markers_and_depth() -> None:
    """A body of several paragraphs is a list unless it says it is none; other shapes say it themselves."""
    body = shape("a", para("b", '<a:pPr lvl="1"/>'), para("c", "<a:pPr><a:buNone/></a:pPr>"), "d", kind="")
    single = shape("only", kind="body")
    auto = '<a:pPr lvl="{}"><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>'
    own = shape(
        "e",
        "f",
        para("g", '<a:pPr><a:buChar char="•"/></a:pPr>'),
        para("h", auto.format(0)),
        para("i", auto.format(1)),
        para("j", auto.format(0)),
        "",
        "k",
    )
    assert text_of(body + single + own) == "- a\n  - b\n\nc\n\n- d\n\nonly\n\ne\nf\n\n- g\n3. h\n  3. i\n4. j\n\nk\n"


@pytest.mark.requirement("EX-PPTX-2")
def test_shapes_in_groups_and_alternatives_are_read_in_the_order_of_the_file() -> None:
    """Each once; what is hidden is left out, alone or as a group."""
    properties = '<p:nvGrpSpPr><p:cNvPr id="2" name="g" {}/></p:nvGrpSpPr>'
    group = "<p:grpSp>" + properties.format("") + shape("a") + shape("X", more='hidden="1"') + "</p:grpSp>"
    hidden = "<p:grpSp>" + properties.format('hidden="true"') + shape("X") + "</p:grpSp>"
    either = (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{shape("c")}</mc:Choice>'
        f"<mc:Fallback>{shape('X')}</mc:Fallback></mc:AlternateContent>"
    )
    assert text_of(group + hidden + shape("b") + either) == "a\n\nb\n\nc\n"


@pytest.mark.requirement("EX-PPTX-2")
def test_a_footer_is_written_once_and_numbers_and_dates_never() -> None:
    """They stand on every slide."""
    slide = shape("text") + shape("ACME", kind="ftr") + shape("7", kind="sldNum") + shape("May", kind="dt")
    first, second = extract_pptx(pptx(slide, slide), name="a.pptx").sections
    assert (first.text, second.text) == ("text\n\nACME\n", "text\n")


@pytest.mark.requirement("EX-PPTX-3")
def test_tables_have_a_line_for_each_row() -> None:
    """Merged cells once."""

    def cell(text: str, more: str = "") -> str:
        return f"<a:tc {more}><a:txBody>{para(text)}{para('')}</a:txBody></a:tc>"

    rows = (
        cell("a", 'gridSpan="2"') + cell("X", 'hMerge="1"') + cell("b"),
        cell("c") + cell("X", 'vMerge="1"') + cell("d/e"),
    )
    inside = "".join(f"<a:tr>{row}</a:tr>" for row in rows)
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData>'
        f"<a:tbl>{inside}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    assert text_of(shape("before") + frame + shape("after")) == "before\n\n| a | b |\n| c | | d/e |\n\nafter\n"


@pytest.mark.requirement("EX-PPTX-3")
def test_a_diagram_is_a_list_of_its_nodes() -> None:
    """What connects them and what lays them out has no text of its own."""
    points = "".join(
        f'<dgm:pt type="{kind}"><dgm:t>{para(text)}</dgm:t></dgm:pt>'
        for kind, text in (("doc", "X"), ("node", "plan"), ("parTrans", "X"), ("asst", "do"), ("pres", "X"))
    )
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    assert text_of(frame, diagram=f"<dgm:ptLst>{points}</dgm:ptLst>") == "- plan\n- do\n"


@pytest.mark.requirement("EX-PPTX-3")
def test_a_part_that_is_missing_or_empty_shows_nothing() -> None:
    """A diagram whose part is not there, notes without text, text in no alternative that is known."""
    frame = (
        '<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    unknown = (
        '<mc:AlternateContent><mc:Choice Requires="none"><a:r><a:t>X</a:t></a:r></mc:Choice></mc:AlternateContent>'
    )
    shapes = shape("a", para(unknown)) + frame
    assert text_of(shapes, notes=shape("3", kind="sldNum")) == "a\n"


@pytest.mark.requirement("EX-HOSTILE-1")
def test_notes_that_slides_share_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And shown with each of them."""
    parsed: list[bytes] = []

    def counted(data: bytes, *, name: str, part: str) -> object:
        parsed.append(data)
        return parse_xml(data, name=name, part=part)

    monkeypatch.setattr(opc, "parse_xml", counted)
    data = pptx(shape("a"), shape("b"), notes=shape("Say this.", kind="body"))
    with zipfile.ZipFile(buffer := io.BytesIO(data), "a") as file:
        file.writestr("ppt/slides/_rels/slide2.xml.rels", relations(("n", "notesSlide", "/ppt/notes/n.xml")))
    texts = [section.text for section in extract_pptx(buffer.getvalue(), name="a.pptx").sections]
    assert texts == ["a\n\nNotes: Say this.\n", "b\n\nNotes: Say this.\n"]
    assert sum(b"Say this." in part for part in parsed) == 1


@pytest.mark.requirement("EX-PPTX-3")
def test_notes_are_marked_and_come_last() -> None:
    """Of the notes page, neither the picture of the slide nor its number."""
    notes = shape("Say this.", "And that.", kind="body") + shape("3", kind="sldNum")
    assert text_of(shape("text"), notes=notes) == "text\n\nNotes: Say this.\nAnd that.\n"


@pytest.mark.requirement("EX-PPTX-3")
def test_formulas_and_fields_are_text() -> None:
    """A formula stands in an alternative whose fallback is a picture of it."""
    formula = (
        '<mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></a14:m>'
        "</mc:Choice><mc:Fallback><a:r><a:t>X</a:t></a:r></mc:Fallback></mc:AlternateContent>"
    )
    field = '<a:fld type="datetime"><a:t>2024</a:t></a:fld>'
    assert text_of(shape(para(f"<a:r><a:t>f: </a:t></a:r>{formula}<a:br/>{field}"))) == "f: x=1\n2024\n"


@pytest.mark.requirement("EX-PPTX-4")
def test_strict_presentations_read_the_same() -> None:
    """Another set of namespaces for the same words."""
    strict = SPACES.replace(f"{SCHEMAS}presentationml/2006", "http://purl.oclc.org/ooxml/presentationml")
    strict = strict.replace(f"{SCHEMAS}officeDocument/2006", "http://purl.oclc.org/ooxml/officeDocument")
    strict = strict.replace(f"{SCHEMAS}drawingml/2006", "http://purl.oclc.org/ooxml/drawingml")
    slide = shape("A", kind="title") + shape("b", "c", kind="body")
    plain = extract_pptx(pptx(slide), name="a.pptx")
    assert extract_pptx(pptx(slide, spaces=strict), name="a.pptx") == plain


@pytest.mark.requirement("EX-PPTX-4")
def test_what_is_no_presentation_has_a_named_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Damaged, without text, encrypted, beyond all measure."""

    def refusal(data: bytes) -> tuple[str, str]:
        with pytest.raises(ExtractionError, match=r"^a\.pptx ") as caught:
            extract_pptx(data, name="a.pptx")
        return caught.value.code, caught.value.limit

    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    assert refusal(b"PK") == ("damaged", "")
    assert refusal(pptx("<p:sp>")) == ("damaged", "")
    assert refusal(pptx('show="false"|' + shape("x"))) == ("empty", "")
    assert refusal(compound) == ("encrypted", "")
    monkeypatch.setattr(blocks, "MAX_CHARS", 25)
    assert refusal(pptx(shape("more than ten"), shape("more than ten"))) == ("limit", "characters")
