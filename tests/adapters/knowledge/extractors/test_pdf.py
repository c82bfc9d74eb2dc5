"""PDF: text page by page, and named errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors import pdf
from symfonic.adapters.knowledge.extractors.isolation import IsolatedExtractor
from symfonic.adapters.knowledge.extractors.pdf import extract_pdf, mend_hyphens
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.extractors.isolation import ExtractionWorker

    from .conftest import MakePdf


@pytest.mark.requirement("EX-PDF-1")
def test_pages_are_sections_numbered_from_one(make_pdf: MakePdf, worker: ExtractionWorker) -> None:
    """A page without text has no section but keeps its number."""
    data = make_pdf("First page.\nSecond line.", "", "Third page.")
    expected = Extraction(
        kind="pdf",
        sections=(Section(text="First page.\nSecond line.", page=1), Section(text="Third page.", page=3)),
    )
    assert extract_pdf(data, name="a.pdf") == expected
    extractor = IsolatedExtractor("pdf", worker, version="3", libraries=("pypdfium2",))
    assert extractor.extract(data, name="a.pdf") == expected
    assert extractor.version.startswith("3 pypdfium2 ")


@pytest.mark.requirement("EX-PDF-2")
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda data: b"%PDF-1.7\n", "damaged"),
        (lambda data: b"%PDF-1.7\n" + bytes(range(256)) * 8, "damaged"),
        (lambda data: data.replace(b"/Catalog", b"/Catalxx").replace(b"/Pages", b"/Pagxx"), "damaged"),
    ],
)
def test_damaged_files_say_so(make_pdf: MakePdf, damage: object, code: str) -> None:
    """PDFium's refusal becomes a named error."""
    assert callable(damage)
    with pytest.raises(ExtractionError) as caught:
        extract_pdf(damage(make_pdf("x")), name="a.pdf")
    assert caught.value.code == code


@pytest.mark.requirement("EX-PDF-2")
def test_an_encrypted_file_says_so(make_pdf: MakePdf) -> None:
    """The remedy is a copy without a password."""
    with pytest.raises(ExtractionError, match="without a password") as caught:
        extract_pdf(make_pdf("secret", encrypt=True), name="a.pdf")
    assert caught.value.code == "encrypted"


@pytest.mark.requirement("EX-PDF-2")
def test_a_scan_has_no_text(make_pdf: MakePdf) -> None:
    """Pictures of text need OCR first."""
    with pytest.raises(ExtractionError, match="OCR") as caught:
        extract_pdf(make_pdf("", ""), name="a.pdf")
    assert caught.value.code == "empty"


@pytest.mark.requirement("EX-PDF-2")
def test_text_beyond_all_measure_is_refused(make_pdf: MakePdf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file can unfold into a very large text; without the limit's name the parent would take it for damage."""
    monkeypatch.setattr(pdf, "MAX_CHARS", 10)
    with pytest.raises(ExtractionError) as caught:
        extract_pdf(make_pdf("more than ten characters"), name="a.pdf")
    assert (caught.value.code, caught.value.limit) == ("limit", "characters")


@pytest.mark.requirement("EX-PDF-5")
@pytest.mark.parametrize("code", ["001", "010", "013", "014", "034", "177", "205", "237"])
def test_a_glyph_without_a_meaning_shows(make_pdf: MakePdf, code: str) -> None:
    """The library gives a control for it; as a line break it would become a space, and the sign would be gone."""
    (section,) = extract_pdf(make_pdf(f"k \\{code} C"), name="a.pdf").sections
    assert section.text == "k \ufffd C"


@pytest.mark.requirement("EX-PDF-3")
@pytest.mark.parametrize(
    ("pages", "mended"),
    [
        (["con\ufffefirming"], ["confirming"]),
        (["con\x02firming"], ["confirming"]),
        (["com\ufffe\nputer"], ["computer"]),
        (["ＡＢ dé\ufffefinitions,"], ["ＡＢ définitions,"]),
        (["Lucene\ufffeBM25 and GPT\ufffe4"], ["Lucene-BM25 and GPT-4"]),
        (["dual\ufffeencoder", "a dual-encoder"], ["dual-encoder", "a dual-encoder"]),
        (["re\ufffesign", "resign re-sign"], ["resign", "resign re-sign"]),
        (["a \ufffe b", "x\ufffe"], ["a - b", "x-"]),
        (["日\ufffe本"], ["日本"]),
        (["none"], ["none"]),
    ],
)
def test_line_end_hyphens_are_mended(pages: list[str], mended: list[str]) -> None:
    """Divided words are joined, compounds keep their hyphen, and the artefact never stays."""
    assert mend_hyphens(pages) == mended
