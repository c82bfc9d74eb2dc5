"""Every example in the documentation is executed.

Python fences of one page run in order in one namespace; a ``text`` fence directly after one is what it prints. Console
fences run their ``$ symfonic-knowledge …`` lines; lines below a command, where there are any, are what it prints. In
expected output ``...`` stands for anything on the line, and a line of its own for any number of lines. A comment
``# exit 3`` after a command is its exit code. Each page starts in a folder that holds the project's ``docs`` and
``examples`` where a checkout has them, and nothing else: what a page names by path exists for who pastes from it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
#: Pages whose examples need the libraries of others.
SDK = {"docs/how-to/use-with-frameworks.md"}
#: Pages whose examples need a server, and the address that stands there for its own.
SERVED = {"docs/how-to/move-to-a-server.md"}
ADDRESS = "postgresql://app@localhost/knowledge"
EXIT = re.compile(r"\s+# exit (?P<code>\d)$")


class Fence(NamedTuple):
    language: str
    body: str
    line: int
    follows: bool
    """Whether it stands directly below the fence before it."""


class Command(NamedTuple):
    arguments: list[str]
    code: int
    expected: str


def fences(text: str) -> list[Fence]:
    """Fenced blocks of a page, in order."""
    found: list[Fence] = []
    end = 0
    for match in FENCE.finditer(text):
        follows = bool(found) and not text[end : match.start()].strip()
        found.append(Fence(match["language"], match["body"], text.count("\n", 0, match.start()) + 1, follows))
        end = match.end()
    return found


def commands(body: str) -> list[Command]:
    """Commands of a console fence with what they print; a trailing backslash continues a line."""
    found: list[Command] = []
    for block in re.split(r"^\$ ", body.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        line, _, output = block.partition("\n")
        code = EXIT.search(line)
        found.append(Command(shlex.split(EXIT.sub("", line)), int(code["code"]) if code else 0, output))
    return found


def matches(expected: str, actual: str) -> bool:
    """Whether output is what a page shows, ``...`` standing for anything."""
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part.rstrip()) for part in line.split("...")) + r"[ ]*\n"
    return re.fullmatch(pattern, actual.rstrip("\n") + "\n") is not None


def _run_python(fence: Fence, namespace: dict[str, Any], page: str) -> str:
    """Execute a fence at its own line numbers, so that a traceback points into the page; return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * fence.line + fence.body, page, "exec"), namespace)
    return printed.getvalue()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.sdk, pytest.mark.filterwarnings("ignore")] if page in SDK else ())
        for page in PAGES
        if page not in SERVED
    ],
)
def test_examples_do_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Any
) -> None:
    """Every fence that can run runs, and prints what stands below it."""
    _check(page, (ROOT / page).read_text(encoding="utf-8"), tmp_path, monkeypatch, run_command)


@pytest.mark.stores
@pytest.mark.parametrize("page", sorted(SERVED))
def test_examples_on_a_server_do_what_the_page_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Any, postgres: Any
) -> None:
    """The same with the address of a server that is there."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    text = (ROOT / page).read_text(encoding="utf-8")
    assert ADDRESS in text
    _check(page, text.replace(ADDRESS, f"{postgres.url}?schema=docs"), tmp_path, monkeypatch, run_command)


def _check(page: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_command: Any) -> None:
    found = fences(text)
    if any(fence.language in {"python", "console"} for fence in found):
        shutil.copytree(ROOT / "docs", tmp_path / "docs")
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for fence in found:
        if fence.language == "python":
            printed = _run_python(fence, namespace, page)
        elif fence.language == "text" and fence.follows:
            assert matches(fence.body, printed), f"{page}:{fence.line}: printed\n{printed}"
        elif fence.language == "console":
            for command in commands(fence.body):
                assert command.arguments[0] == "symfonic-knowledge"
                done = run_command(command.arguments[1:])
                where = f"{page}:{fence.line}: {shlex.join(command.arguments)}"
                assert done.code == command.code, f"{where}\n{done.output}{done.errors}"
                assert not command.expected or matches(command.expected, done.output), f"{where}\n{done.output}"


@pytest.mark.parametrize(
    ("script", "wanted", "unwanted"),
    [
        ("quickstart.py", "SOURCE [leave.md § Carrying over ·", "SOURCE [leave.md]:"),
        ("own_store.py", "SOURCE [inbox.txt ·", "Nobody else may see this."),
        ("many_questions.py", "home? -> remote-work.rst § ", "Traceback"),
        (
            "checked_answer.py",
            "more [unverified source].\ncited: leave.md § Carrying over, 1 time",
            "[semantic]",
        ),
    ],
)
def test_example_scripts_run(script: str, wanted: str, unwanted: str, tmp_path: Path) -> None:
    """Each script shows what it is about, and not what the boundary keeps out."""
    command = [sys.executable, str(ROOT / "examples" / script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert wanted in done.stdout
    assert unwanted not in done.stdout


def test_every_example_script_is_tested() -> None:
    """No script is forgotten."""
    scripts = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert scripts == {"quickstart.py", "own_store.py", "many_questions.py", "checked_answer.py"}


def test_every_fence_names_a_language_the_test_knows() -> None:
    """No example escapes by a language nobody runs."""
    known = {"python", "text", "console", "sh", "toml", "json"}
    found = [(page, fence) for page in PAGES for fence in fences((ROOT / page).read_text(encoding="utf-8"))]
    assert [(page, fence.line) for page, fence in found if fence.language not in known] == []
    assert sum(fence.language in {"python", "console"} for _, fence in found) > 10


def test_the_parser_reads_commands_and_output() -> None:
    """Exit codes, continued lines and output are taken apart."""
    body = "$ symfonic-knowledge search 'a b' \\\n  --limit 2  # exit 3\nNothing found.\n$ symfonic-knowledge stats\n"
    assert commands(body) == [
        Command(["symfonic-knowledge", "search", "a b", "--limit", "2"], 3, "Nothing found.\n"),
        Command(["symfonic-knowledge", "stats"], 0, ""),
    ]


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("a ... c\n", "a b c\n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
        ("...\n", "", True),
    ],
)
def test_expected_output_is_compared_exactly(expected: str, actual: str, *, same: bool) -> None:
    """Dots stand for anything, everything else for itself."""
    assert matches(expected, actual) is same
