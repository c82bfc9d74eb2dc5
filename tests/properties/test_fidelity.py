"""Legitimate text on its whole way: from the bytes of a file, in whatever encoding, into a compiled prompt."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.capabilities.knowledge import clean_content
from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from pathlib import Path

SAMPLES: Final = {
    "Persian": "این کتاب\u200cها را می\u200cخواهم؛ نسخهٔ PDF\u200cها هم.",
    "Arabic": "في ٣١\u200f/١٢: هـ\u200d و \u0600١٢ \u06dd",
    "Hebrew": "בְּרֵאשִׁית בָּרָא\u200f (hello)\u200e!",
    "Hindi": "क्\u200dष और क्\u200cष",
    "Malayalam": "അവന്\u200d വന്നു",
    "Bengali": "র\u200d্যাব",
    "Khmer": "ក្រុង ភ្នំពេញ ជា រាជធានី",
    "Mongolian": "ᠨᠢᠭᠡ\u180eᠠ ᠭ\u180d\u180eᠠ",
    "Javanese": "ꦲꦏ꧀\u200cꦱꦫ",
    "Japanese": "葛\U000e0100城市の 辻\U000e0101さん「です」",
    "Chinese": "第三条（适用范围）《办法》——“是”",
    "Thai": "น้ำท่วมที่กรุงเทพฯ",
    "Vietnamese": "Tie\u0302\u0301ng Vie\u0323\u0302t",
    "family": "👨\u200d👩\u200d👧\u200d👦 👩🏽\u200d🚀",
    "flags": "🇩🇪 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 🏳\ufe0f\u200d🌈",
    "emoji with selectors": "❤\ufe0f 1\ufe0f\u20e3 ☎\ufe0e 👍🏽",
    "German": "„Straße“ – 5 m² à 10 € … 25 °C, ½ l",
    "mathematics": "∀x ≤ 5²: ⟨a|b⟩ ≠ ∅, ‖v‖ → ∞",
    "code": "\tif (a[0] < b && c > d) return `x`;  // source[1]",
}
UNICODE_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (b"", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
)


@pytest.mark.requirement("KB-HYG-FID-1")
@pytest.mark.parametrize(("mark", "encoding"), UNICODE_ENCODINGS)
def test_text_in_any_form_of_unicode_is_decoded_and_treated_without_loss(mark: bytes, encoding: str) -> None:
    """Every sample, byte order mark or not."""
    for text in SAMPLES.values():
        assert clean_content(decode_text(mark + text.encode(encoding), name="a.txt")) == text


@pytest.mark.requirement("KB-HYG-FID-1")
@pytest.mark.parametrize(
    ("text", "encoding", "declared"),
    [
        *((text, "gb18030", "gb18030") for text in SAMPLES.values()),
        (SAMPLES["German"], "cp1252", "iso-8859-1"),
        (SAMPLES["Chinese"], "gbk", "gb2312"),
        (SAMPLES["Thai"], "cp874", "windows-874"),
        ("کتاب\u200cها را \u200f(PDF)\u200e ه\u200d", "cp1256", "windows-1256"),
        ("שָׁלוֹם\u200f (hi)\u200e", "cp1255", "windows-1255"),
        ("日本語「テスト」①", "cp932", "shift_jis"),
        ("日本語「テスト」", "euc_jp", "euc-jp"),
        ("한국어 “시험”", "cp949", "euc-kr"),
        ("Тихо, №5 – «да»", "cp1251", "windows-1251"),
    ],
)
def test_text_in_an_older_encoding_is_decoded_and_treated_without_loss(text: str, encoding: str, declared: str) -> None:
    """As the page declares it: Windows-1256 has bytes for the two joiners, GB 18030 holds tags and selectors."""
    page = f'<meta charset="{declared}">{text}'
    assert clean_content(decode_text(page.encode(encoding), name="a.html", html=True)) == page


@pytest.mark.requirement("KB-HYG-FID-1")
def test_text_stands_in_the_prompt_as_it_stood_in_its_file(tmp_path: Path) -> None:
    """Extracted, cut into passages, stored, found, selected and compiled; half of the files are in UTF-16."""
    for number, (name, text) in enumerate(SAMPLES.items()):
        data = f"zebra {text}".encode("utf-16" if number % 2 else "utf-8")
        (tmp_path / f"{name}.txt").write_bytes(data)
    with KnowledgeBase.open(tmp_path / "k.db") as knowledge:
        for name, text in SAMPLES.items():
            knowledge.ingest(tmp_path / f"{name}.txt")
            prompt = knowledge.ask("zebra").prompt.text
            assert f"]: zebra {text}\n" in prompt, name
            knowledge.forget(f"{name}.txt")
