"""The reference of the command line and its help say the same: commands, options and arguments, in both directions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reference" / "cli.md"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
#: Options a shell needs; nobody has to read about them on the page.
SHELL = {"--install-completion", "--show-completion"}


def help_text(*command: str) -> str:
    """Help as the program prints it, wide enough that no option is wrapped."""
    program = Path(sys.executable).parent / "symfonic-knowledge"
    environment = {**os.environ, "COLUMNS": "300", "TERMINAL_WIDTH": "300", "NO_COLOR": "1"}
    done = subprocess.run(
        [str(program), *command, "--help"], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout


def rows(text: str, panel: str) -> list[str]:
    """Lines of the help's panels whose title begins with ``panel``."""
    found: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("╭"):
            inside = line.strip("╭─╮ ").startswith(panel)
        elif inside and line.startswith("│"):
            found.append(line.strip("│ "))
    return found


def commands() -> list[str]:
    """Commands the program offers."""
    return sorted(row.split()[0] for row in rows(help_text(), "Commands") if re.match(r"[a-z]", row))


def documented() -> dict[str, set[str]]:
    """Options on the page by command; a command has a heading of its own, ``## `name` ``."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    named = {section.partition("`")[2].partition("`")[0]: section for section in sections if section.startswith("`")}
    return {name: set(OPTION.findall(section.partition("```console")[0])) for name, section in named.items()}


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    """No command is undocumented, no documented one is gone."""
    assert sorted(documented()) == commands()


@pytest.mark.parametrize("command", sorted(documented()))
def test_every_option_is_documented_and_every_documented_option_exists(command: str) -> None:
    """The section of a command names exactly the options its help shows."""
    shown = {option for row in rows(help_text(*command.split()), "Options") for option in OPTION.findall(row)}
    assert sorted(shown - SHELL - {"--help"}) == sorted(documented()[command])


def test_the_parser_of_help_sees_rows() -> None:
    """Panels are told apart by their titles."""
    text = "╭─ Options ──╮\n│ --store  PATH │\n╰──╯\n╭─ Commands ─╮\n│ list  What │\n╰──╯\n"
    assert rows(text, "Options") == ["--store  PATH"]
    assert rows(text, "Commands") == ["list  What"]
