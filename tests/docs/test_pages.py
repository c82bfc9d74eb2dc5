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
    assert [path.name for path in (ROOT / "docs" / "images").iterdir() if path.resolve() not in reached] == []


def test_the_first_screen_says_what_a_reader_needs() -> None:
    """What it is, for whom, what it guarantees, what it does not, and the two commands."""
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
    ):
        assert wanted in first


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
