"""Sixty questions about a public collection are ranked, and admitted, the same from Qdrant, Chroma and LanceDB."""

from __future__ import annotations

import importlib.util
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ENGINES = ["Chroma", "LanceDB", "PostgreSQL, exact", "Qdrant"]


@pytest.mark.corpora
@pytest.mark.stores
@pytest.mark.lengthy
@pytest.mark.requirement("ST-PG-SAME-2", "ST-QD-SAME-1", "ST-ROWS-SAME-1")
def test_the_agreement_that_the_page_tells_is_what_its_command_measures(
    corpora: Path, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By words and MiniLM; a page with figures that nobody can make again would be a promise."""
    figures = measured_by_command(project, corpora / "collections" / "xquad-en", tmp_path / "found.json", monkeypatch)
    assert (figures["passages"], figures["questions"]) == (240, 60)
    for engine in ENGINES:
        told = figures[engine]
        assert told["same_admitted_and_prompt"] == told["same_rows_and_scores"] == told["overlap_at_10"] == 1.0
        assert told["kendall_tau"] == pytest.approx(1.0)
        assert told["highest_score_difference"] == 0.0


def measured_by_command(project: Path, collection: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What ``benchmarks/store_agreement.py`` writes."""
    spec = importlib.util.spec_from_file_location("store_agreement", project / "benchmarks" / "store_agreement.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sys, "argv", ["store_agreement.py", str(collection), "--json", str(file)])
    module.main()
    return json.loads(file.read_text("utf-8"))
