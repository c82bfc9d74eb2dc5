"""`make demo`: any question reaches the command as it was typed, and the default one shows several ceilings at work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parent.parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
RECORD = '#!/bin/sh\nprintf "%s\\n" "$2" >> asked\n'


@pytest.mark.parametrize(
    "question",
    ["What's a datamark?", 'Is it "cut"?', "How much is $HOME?", "What is $(shell id) or `id`?", "a#b %s \\n", "*"],
)
def test_any_question_can_be_asked(question: str, tmp_path: Path) -> None:
    """Quotes, dollars, backticks and signs of printf are text; a stand-in for the command writes down what it got."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    stand_in = tmp_path / "bin" / "symfonic-knowledge"
    stand_in.parent.mkdir()
    stand_in.write_text(RECORD)
    stand_in.chmod(0o755)
    command = ["make", "demo", f"QUESTION={question}", f"BIN={stand_in.parent}", "SETUP=@true"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "asked").read_text() == f"docs\n{question}\n{question}\n"
    assert f'$ symfonic-knowledge prompt "{question}" --limit' in done.stdout


def test_a_question_without_an_answer_goes_on_to_its_explanation(tmp_path: Path) -> None:
    """Nothing admitted is an answer; any other failure stops the demo."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    stand_in = tmp_path / "bin" / "symfonic-knowledge"
    stand_in.parent.mkdir()
    command = ["make", "demo", "QUESTION=xylophone", f"BIN={stand_in.parent}", "SETUP=@true"]
    for code, asked, succeeds in ((3, 3, True), (1, 2, False)):
        stand_in.write_text(f'{RECORD}[ "$1" = ingest ] || exit {code}\n')
        stand_in.chmod(0o755)
        (tmp_path / "asked").unlink(missing_ok=True)
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode == 0) is succeeds
        assert len((tmp_path / "asked").read_text().splitlines()) == asked


def test_the_demo_shows_more_than_one_ceiling_at_work(run_command: Any, tmp_path: Path) -> None:
    """The default question under the demo's ceilings, on the documentation as it stands; pictures are passed over."""
    question, ceilings = (
        match[1]
        for name in ("QUESTION ?=", "CEILINGS :=")
        if (match := re.search(rf"^{re.escape(name)} (.+)$", MAKEFILE, re.MULTILINE))
    )
    store = ["--store", str(tmp_path / "demo.db")]
    ingested = run_command(["ingest", str(ROOT / "docs"), *store])
    assert ingested.code == 0
    passed_over, *pictures, more = ingested.errors.splitlines()
    assert passed_over.startswith("unsupported, 12 files: this format cannot be read")
    assert (len(pictures), more) == (3, "  and 9 more; --json lists all")
    assert all(picture.endswith(".png") for picture in pictures)
    added = r"\d+ ingested, 12 unsupported; \d+ passages added( \(\d+ oversized units? split\))? for everybody"
    assert re.match(added, ingested.output)
    explained = json.loads(run_command(["explain", question, *ceilings.split(), *store, "--json"]).output)
    assert len(explained["admitted"]) > 1
    assert explained["admitted"][0]["file"] == "decisions/0002-whole-or-not-at-all.md"
    assert len({row["code"] for row in explained["dropped"]}) > 1
