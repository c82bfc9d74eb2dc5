"""``extract``: what ingestion would store, shown without a store."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from symfonic.frontends.knowledge._views import hidden_characters

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command


@pytest.mark.requirement("CLI-EXT-1")
def test_extract_shows_sections_passages_and_why_not(run: Command, folder: Path) -> None:
    """A line for each; nothing is stored."""
    (folder / "empty.txt").write_text("")
    told = run.bare("extract", str(folder / "handbook.md"), str(folder / "empty.txt"))
    lines = re.sub(r"[0-9.]+ s$", "T s", told.text.replace(str(folder), "docs"), flags=re.MULTILINE).splitlines()
    assert lines == [
        "docs/handbook.md: markdown, 81 bytes, 81 characters, 2 sections, 2 passages, T s",
        "  section Leave: 47 characters",
        "  section Travel: 34 characters",
        "  passage 0 handbook.md § Leave: 47 characters",
        "  passage 1 handbook.md § Travel: 34 characters",
        "docs/empty.txt: empty (empty.txt is empty (0 bytes), so there is nothing to read.)",
        "1 file would be stored, 1 empty; 2 passages, 81 characters; nothing was stored",
    ]
    assert (told.code, told.err, run.store.exists()) == (0, "", False)


@pytest.mark.requirement("CLI-SAFE-1")
@pytest.mark.requirement("CLI-EXT-1")
def test_hostile_names_and_headings_are_shown_as_text(run: Command, folder: Path) -> None:
    """No control character reaches a terminal, no markup is read; with --text the bytes are exactly the text."""
    (folder / "x\x1b[2J.md").write_text("# [red]H\x1b[31m\u202e\n\nText \x9b1m.\n")
    told = run.bare("extract", str(folder))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", told.text)
    assert "section [red]H" in told.text
    text = run.bare("extract", "--text", str(folder / "handbook.md"), str(folder / "x\x1b[2J.md"))
    handbook = (folder / "handbook.md").read_bytes()
    assert text.out == handbook + (folder / "x\x1b[2J.md").read_bytes()
    assert "2 files would be stored" in text.err
    assert "\x1b" not in text.err


@pytest.mark.requirement("CLI-EXT-1")
@pytest.mark.requirement("CLI-JSON-1")
def test_extract_as_one_document(run: Command, folder: Path) -> None:
    """With the text of passages where that is asked for."""
    view = run.bare("extract", str(folder / "handbook.md"), "--json", "--text", "--max-chunk-chars", "60").json
    (file,) = view["files"]
    assert (view["counts"], view["passages"], view["characters"]) == ({"ingested": 1}, 2, 81)
    assert file["sections"][0] == {
        "headings": ["Leave"],
        "page": None,
        "slide": None,
        "sheet": None,
        "characters": 47,
    }
    assert "".join(passage["text"] for passage in file["passages"]) == (folder / "handbook.md").read_text()
    plain = run.bare("extract", str(folder / "handbook.md"), "--json").json["files"][0]["passages"][0]
    assert plain == {"ordinal": 0, "label": "handbook.md § Leave", "characters": 47}


@pytest.mark.requirement("CLI-EXT-1")
def test_exit_codes_are_those_of_ingest(run: Command, folder: Path) -> None:
    """A file that fails is no failure of the command unless that is asked for; nothing at any path is one."""
    (folder / "bad.eml").write_bytes(b"Subject")
    (folder / "big.csv").write_text("one,two\n" * 50)
    limit = {"SYMFONIC_KNOWLEDGE_MAX_EXTRACTION_CHARS": "20"}
    for command, store in (("extract", ()), ("ingest", ("--store", str(run.store)))):
        told = run.bare(command, str(folder), *store, env=limit)
        assert told.code == 0
        line = "failed (limit:characters): " if store else "big.csv: failed (limit:characters) ("
        assert line in (told.err if store else told.text)
        failed = run.bare(command, str(folder), "--strict", "--json", *store, env=limit)
        assert (failed.code, [file["limit"] for file in failed.json["files"] if file["limit"]]) == (1, ["characters"])
        assert run.bare(command, str(folder), str(folder / "none"), *store).code == 0
        assert run.bare(command, str(folder / "none"), *store).code == 1
        assert run.bare(command, str(folder), "--workers", "0", *store).code == 2


@pytest.mark.requirement("EX-HIDE-3")
def test_what_was_left_out_as_hidden_is_told(run: Command, folder: Path) -> None:
    """By both commands, in words and as data."""
    (folder / "page.html").write_text("<p>seen<p hidden>text<p style='opacity:0'>te xt")
    line = "8 hidden characters left out (4 hidden, 4 transparent)"
    for command, store in (("extract", ()), ("ingest", ("--store", str(run.store)))):
        view = run.bare(command, str(folder / "page.html"), *store, "--json").json
        assert [file["hidden"] for file in view["files"]] == [{"hidden": 4, "transparent": 4}]
        (folder / "page.html").write_text(f"<p>seen by {command}<p hidden>text<p style='opacity:0'>te xt")
        told = run.bare(command, str(folder / "page.html"), *store)
        assert line in (told.err if store else told.text)


@pytest.mark.requirement("EX-SHEET-8")
def test_formulas_without_a_result_are_told_as_cells() -> None:
    """Apart from hidden characters, with what helps."""
    advice = "2 formulas without a saved result left out: open and save it in a spreadsheet program"
    assert hidden_characters({"hidden": {"formula": 2}}) == advice
    both = hidden_characters({"hidden": {"formula": 2, "hidden": 3}})
    assert both == f"3 hidden characters left out (3 hidden); {advice}"
