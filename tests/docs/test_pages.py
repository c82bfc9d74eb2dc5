"""The pages hold together: links lead somewhere, every page is reachable, the first screen says what it must."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.tree

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"(?<!`)\]\((?P<target>[^)\s]+)\)")
FIRST_SCREEN = 60


def pages() -> list[Path]:
    """Every page a reader may start from or come to."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "README.md"])


def links(page: Path) -> list[str]:
    """Link targets of a page that lie in this project, anchors left out."""
    targets = (match["target"] for match in LINK.finditer(page.read_text(encoding="utf-8")))
    return [target.partition("#")[0] for target in targets if "://" not in target and not target.startswith("#")]


def test_every_link_leads_to_a_file() -> None:
    """No link points nowhere."""
    broken = [(page.name, link) for page in pages() for link in links(page) if not (page.parent / link).exists()]
    assert broken == []


def test_every_page_is_linked() -> None:
    """No page is lost; the README is where everybody starts."""
    reached = {(page.parent / link).resolve() for page in pages() for link in links(page)}
    assert [page.name for page in pages() if page.resolve() not in reached and page.name != "README.md"] == []
    assert [path.name for path in (ROOT / "assets").iterdir() if path.resolve() not in reached] == []


def test_the_first_screen_says_what_a_reader_needs() -> None:
    """What it is, for whom, what it guarantees and does not, what the store finds, and the two commands."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").split("\n")
    first = " ".join(lines[:FIRST_SCREEN])
    for wanted in (
        "trust boundary",
        "For whom",
        "What it guarantees",
        "does not make a model obey",
        "does not make content true",
        "2403.14720",
        "make demo",
        "make test",
        "BM25",
        "no embeddings",
        "without spaces",
        "docs/reference/glossary.md",
        "Windows is untested",
    ):
        assert wanted in first


def test_every_folder_of_tests_is_described_and_every_described_one_exists() -> None:
    """The table of folders is what there is."""
    table = (ROOT / "tests" / "README.md").read_text(encoding="utf-8").partition("\n\n- ")[0]
    named = re.findall(r"`([a-z]+)/`", table)
    present = {path.parent.name for path in (ROOT / "tests").glob("[a-z]*/*") if path.name != "__pycache__"}
    assert sorted(named) == sorted(present)


def test_the_changelog_names_every_command() -> None:
    """And the reference of the command line is where commands are listed; a test compares that with the help."""
    reference = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    commands = re.findall(r"^## `([a-z ]+)`$", reference, flags=re.MULTILINE)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(commands) > 10
    assert [command for command in commands if f"`{command}`" not in changelog] == []


def test_the_glossary_has_the_words_a_reader_asks_for() -> None:
    """Words of the code and of messages, each explained once."""
    glossary = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z, ]+) \|", glossary.partition("## How messages")[0], flags=re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]
    wanted = "row fragment passage chunk source label tag learned authored hydration scope layer tier turn delegated"
    assert sorted(set(wanted.split()) - set(words)) == []
    assert len(words) == len(set(words))
    assert "[KB-CON-PATH-4]" in glossary


def test_no_line_is_too_long_for_a_terminal() -> None:
    """Prose wraps at 130 characters; tables and links may be longer."""
    long = [
        f"{page.name}:{number}"
        for page in pages()
        for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1)
        if len(line) > 130 and not line.startswith(("|", "![", "["))
    ]
    assert long == []


def test_the_library_in_five_lines_has_five() -> None:
    """The README keeps its word."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert len([line for line in example.split("\n") if line.strip()]) == 5
