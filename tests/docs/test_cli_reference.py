"""The reference of the command line and its help say the same: commands, options and arguments, in both directions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.composition.knowledge import ChunkPolicy, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reference" / "cli.md"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


@pytest.fixture
def help_text(run_command: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Help as the program prints it, wide enough that no option is wrapped."""
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("TERMINAL_WIDTH", "300")

    def read(*command: str) -> str:
        return str(run_command([*command, "--help"]).output)

    return read


def rows(text: str) -> dict[str, list[str]]:
    """Lines of the help's panels by title."""
    found: dict[str, list[str]] = {}
    panel: list[str] = []
    for line in text.split("\n"):
        if line.startswith("╭"):
            panel = found.setdefault(line.strip("╭─╮ "), [])
        elif line.startswith("│"):
            panel.append(line.strip("│ "))
    return found


def options(text: str) -> set[str]:
    """Options a help text lists, whatever panel they stand in; options it only mentions do not count."""
    lines = [row for panel in rows(text).values() for row in panel]
    # A star stands before an option that must be given.
    return {match.group() for row in lines if (match := OPTION.match(row.lstrip("* ")))} - {"--help"}


def commands(text: str) -> list[str]:
    """Commands a help text offers."""
    return [row.split()[0] for row in rows(text).get("Commands", []) if re.match(r"[a-z]", row)]


def documented() -> dict[str, set[str]]:
    """Options on the page by command; a command has a heading of its own, ``## `name` ``."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    named = {section.partition("`")[2].partition("`")[0]: section for section in sections if section.startswith("`")}
    return {
        name: set(OPTION.findall(section.partition("|---|---|")[2].partition("\n\n")[0]))
        for name, section in named.items()
    }


def test_every_command_has_a_section_and_every_section_a_command(help_text: Callable[..., str]) -> None:
    """No command is undocumented, no documented one is gone; a group stands for the commands in it."""
    offered = {name: commands(help_text(name)) for name in commands(help_text())}
    expected = [f"{name} {inner}".strip() for name, nested in offered.items() for inner in nested or [""]]
    assert sorted(documented()) == sorted(expected)


@pytest.mark.parametrize("command", sorted(documented()))
def test_every_option_is_documented_and_every_documented_option_exists(
    command: str, help_text: Callable[..., str]
) -> None:
    """The section of a command names exactly the options its help shows."""
    assert sorted(options(help_text(*command.split()))) == sorted(documented()[command])


DEFAULTS = {
    "--limit": ("candidates", "limit"),
    "--min-score": ("min_score",),
    "--max-fragment-chars": ("max_fragment_chars",),
    "--max-total-chars": ("max_total_chars",),
    "--max-chunk-chars": ("max_chunk_chars",),
}


@pytest.mark.parametrize("command", ["ingest", "eval", "search", "prompt", "answer", "explain"])
def test_help_and_page_name_the_default_of_every_ceiling(command: str, help_text: Callable[..., str]) -> None:
    """As the settings have it; the limit of a search is another one than that of a prompt."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## `{command}`")[2].partition("\n## ")[0]
    ceilings = rows(help_text(command))["Ceilings"]
    assert ceilings
    for row in ceilings:
        option = row.split()[0]
        setting = DEFAULTS[option][-1 if command != "search" else 0]
        number = ChunkPolicy().max_chars if option == "--max-chunk-chars" else getattr(Settings(), setting)
        assert f"Default: the setting {setting}, else {number:g}" in row
        (line,) = (line for line in section.split("\n") if line.startswith(f"| `{option}"))
        assert re.search(rf"default[^0-9]* {number:g}\b", line), line


def test_the_readme_says_which_command_takes_which_option(help_text: Callable[..., str]) -> None:
    """Every command but the named ones."""
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sentence = (
        "Every command but `check`, `copy`, `extract` and `verify` takes `--store`, those of `access` and `key` "
        "(`key show`) included. All but `check`, `extract`, `verify`, `embed`, `index`, `check-store`, `key`, `serve`, "
        "`vacuum` and, of `access`, `access list` and `access revoke` take `--scope`, and all but `export`, which "
        "writes JSON lines anyway, and `mcp`, which [serves agents](docs/how-to/mcp.md), take `--json`."
    )
    assert sentence in readme
    without: dict[str, set[str]] = {option: set() for option in ("--store", "--scope", "--json")}
    for command in documented():
        for option in without.keys() - options(help_text(*command.split())):
            without[option].add(command.split()[0])
    assert without == {
        "--store": {"check", "copy", "extract", "verify"},
        "--scope": {"access", "check", "extract", "verify", "embed", "index", "check-store", "key", "serve", "vacuum"},
        "--json": {"export", "mcp"},
    }


def test_the_parser_of_help_sees_rows() -> None:
    """Panels are told apart by their titles, and an option in a sentence is no option of the command."""
    text = "╭─ Where ──╮\n│ *  --store  PATH  Not --scope. │\n╰──╯\n╭─ Commands ─╮\n│ list  What │\n╰──╯\n"
    assert options(text) == {"--store"}
    assert commands(text) == ["list"]
