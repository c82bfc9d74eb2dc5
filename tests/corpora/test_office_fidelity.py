"""Every real office file against another extractor, word by word.

Documents are held against pandoc and workbooks against xlsx2csv (22 MB with
``apt-get install --no-install-recommends pandoc xlsx2csv``). No program of that size reads presentations; they are held
against every text element of their slides and notes, read by the standard library, which knows nothing of structure.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import unicodedata
import zipfile
from collections import Counter
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

import pytest

from symfonic.adapters.knowledge.extractors.docx import extract_docx
from symfonic.adapters.knowledge.extractors.pptx import extract_pptx
from symfonic.adapters.knowledge.extractors.sheets import extract_xlsx

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from symfonic.adapters.knowledge.ports import Extraction

pytestmark = pytest.mark.corpora

#: Files in which less than nine of ten words are found, and why.
EXPLAINED: Final = {
    "markitdown__packages__markitdown__tests__test_files__equations.docx": (
        "formulas in a file of few words: pandoc writes them in TeX, whose commands (frac, lambda, left) are words"
    ),
}


def words(text: str) -> Counter[str]:
    """Words with how often they occur."""
    return Counter(re.findall(r"\w+", text.lower()))


def recall(wanted: str, got: str) -> float:
    """The share of words of ``wanted`` that are found."""
    expected = words(wanted)
    return 1 - (expected - words(got)).total() / max(1, expected.total())


def run(*command: str) -> str:
    """What a program prints."""
    assert shutil.which(command[0]), f"the other extractor is not installed: apt-get install {command[0]}"
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def by_pandoc(path: Path) -> str:
    """A document as plain text."""
    return run("pandoc", "--from=docx", "--to=plain", "--wrap=none", str(path))


def by_xlsx2csv(path: Path) -> str:
    """All sheets of a workbook, without the lines it puts before each."""
    return re.sub("(?m)^-------- .*$", "", run("xlsx2csv", "--all", str(path)))


def by_elements(path: Path) -> str:
    """Every text element of slides and notes."""

    def texts() -> Iterator[str]:
        with zipfile.ZipFile(path) as parts:
            for name in parts.namelist():
                if re.fullmatch(r"ppt/(slides|notesSlides)/[^/]+\.xml", name):
                    yield from (e.text or "" for e in ET.fromstring(parts.read(name)).iter() if e.tag.endswith("}t"))

    return "\n".join(texts())


@pytest.mark.parametrize(
    ("ending", "files", "extract", "other"),
    [
        pytest.param("docx", 14, extract_docx, by_pandoc, marks=pytest.mark.requirement("EX-DOCX-8")),
        pytest.param("pptx", 3, extract_pptx, by_elements, marks=pytest.mark.requirement("EX-PPTX-5")),
        pytest.param("xlsx", 6, extract_xlsx, by_xlsx2csv, marks=pytest.mark.requirement("EX-SHEET-7")),
    ],
)
def test_office_text_agrees_with_another_extractor(
    corpora: Path, ending: str, files: int, extract: Callable[..., Extraction], other: Callable[[Path], str]
) -> None:
    """At least 98 of 100 words in the median, and 90 in every file that is not explained."""
    paths = sorted((corpora / "realdocs").glob(f"*.{ending}"))
    found = {}
    for path in paths:
        sections = extract(path.read_bytes(), name=path.name).sections
        found[path.name] = recall(other(path), "\n".join(section.text for section in sections))
    assert len(found) == files
    assert statistics.median(found.values()) >= 0.98, found
    low = {name for name, share in found.items() if share < 0.9}
    assert low == {name for name in EXPLAINED if name.endswith(ending)}, found


@pytest.mark.requirement("EX-DOCX-8")
def test_what_is_explained_is_explained_truly(corpora: Path) -> None:
    """Without the commands of TeX, every word and every number is found; powers are written otherwise."""
    (name,) = EXPLAINED
    path = corpora / "realdocs" / name
    got = "\n".join(section.text for section in extract_docx(path.read_bytes(), name=name).sections)
    plain = unicodedata.normalize("NFKC", re.sub(r"\\[a-z]+", " ", by_pandoc(path)))
    assert set(re.findall("[A-Za-z]+|[0-9]+", plain)) <= set(re.findall("[A-Za-z]+|[0-9]+", got))


def test_the_measure_notices_what_is_missing() -> None:
    """One of four words, and one of two that are the same."""
    assert recall("a b c d", "a b c") == 0.75
    assert recall("a a", "A") == 0.5
