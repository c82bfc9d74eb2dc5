"""What people really try to ingest: real files of many kinds."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors.pdf import extract_pdf
from symfonic.adapters.knowledge.ports import ExtractionError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge.chunking import ChunkPolicy
from symfonic.composition.knowledge.ingestion import FileOutcome, ingest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.corpora

# A scan without a text layer, and a template that is front matter and nothing else.
NO_TEXT = ("MEDRPT-2024-PAT-3847_medical_report_scan.pdf", "unstructured__.github__ISSUE_TEMPLATE__custom.md")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """An empty embedded store."""
    store = SqliteStore(tmp_path / "kb.sqlite")
    yield store
    store.close()


@pytest.mark.requirement("IN-REAL-1")
def test_every_real_file_has_the_outcome_of_its_kind(corpora: Path, store: SqliteStore) -> None:
    """Supported kinds are stored, the others named, what holds no text is empty, and nothing fails."""
    report = ingest(store, [corpora / "realdocs"])
    expected = {
        item.file: FileOutcome.EMPTY if item.file.endswith(NO_TEXT) else FileOutcome.INGESTED for item in report.items
    }
    assert {item.file: item.outcome for item in report.items} == expected
    assert report.ok
    assert report.counts()[FileOutcome.INGESTED] == store.stats().documents
    ceiling = ChunkPolicy().max_chars
    assert all(0 < len(held.chunk.text) <= ceiling for held in store.chunks())


@pytest.mark.requirement("IN-REAL-1")
def test_a_second_run_stores_nothing(corpora: Path, store: SqliteStore) -> None:
    """Every stored file is unchanged."""
    first = ingest(store, [corpora / "realdocs"])
    revision = store.revision()
    second = ingest(store, [corpora / "realdocs"], prune=True)
    stored = first.counts()[FileOutcome.INGESTED]
    assert second.counts()[FileOutcome.UNCHANGED] == stored
    assert FileOutcome.INGESTED not in second.counts()
    assert (second.chunks, store.revision()) == (0, revision)


def test_no_hyphen_artefact_is_left(corpora: Path, store: SqliteStore) -> None:
    """Hundreds of them stand in the ten PDFs."""
    ingest(store, [corpora / "realdocs"])
    assert not any("\ufffe" in held.chunk.text or "\x02" in held.chunk.text for held in store.chunks())


@pytest.mark.requirement("EX-PDF-4")
def test_pdf_text_agrees_with_an_independent_extractor(corpora: Path) -> None:
    """At least 98 of 100 words that pdftotext finds are found, file by file."""
    assert shutil.which("pdftotext"), "the other extractor is not installed: install poppler-utils (it has pdftotext)"
    for path in sorted((corpora / "realdocs").glob("*.pdf")):
        command = ["pdftotext", str(path), "-"]
        wanted = _words(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        got = _words(_pdf_text(path))
        assert (wanted - got).total() <= 0.02 * wanted.total(), path.name


def _pdf_text(path: Path) -> str:
    try:
        return "\n".join(section.text for section in extract_pdf(path.read_bytes(), name=path.name).sections)
    except ExtractionError as error:
        if error.code != "empty":
            raise
        return ""


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))
