"""The command as a process of its own: bytes, signals, closed pipes, terminals, and what it costs to start."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command

MAIN = "from symfonic.frontends.knowledge.cli import main\nmain()\n"


def command(*words: str, before: str = "") -> list[str]:
    """The command line of a new process, with a program to run before."""
    return [sys.executable, "-c", before + MAIN, *words]


def environment(**changes: str) -> dict[str, str]:
    """This process's environment with changes."""
    return {**os.environ, **changes}


def unmeasured() -> dict[str, str]:
    """An environment in which coverage does not follow the process, for it imports much and is slow."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


@pytest.mark.requirement("CLI-ASK-1")
def test_the_prompt_is_the_same_bytes_in_any_locale(filled: Command) -> None:
    """UTF-8 whatever the terminal speaks, in any process."""
    with KnowledgeBase.open(filled.store) as knowledge:
        expected = knowledge.ask("leave").prompt.text.encode()
    words = command("prompt", "leave", "--store", str(filled.store))
    for env in (environment(PYTHONHASHSEED="1"), environment(LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONHASHSEED="2")):
        done = subprocess.run(words, capture_output=True, check=True, env=env)
        assert (done.stdout, done.stderr) == (expected, b"")


def test_an_ascii_terminal_gets_ascii(filled: Command) -> None:
    """Bars and marks that cannot be shown never end a command."""
    words = command("explain", "leave", "--store", str(filled.store))
    done = subprocess.run(words, capture_output=True, check=True, env=environment(PYTHONIOENCODING="ascii"))
    assert done.stdout.isascii()
    assert b"-----" in done.stdout
    assert b"2 rows = 2 admitted + 0 dropped" in done.stdout


def test_words_that_are_no_text_are_asked_all_the_same(filled: Command) -> None:
    """Undecodable bytes become U+FFFD."""
    words = [os.fsencode(word) for word in command("explain", "--json", "--store", str(filled.store))]
    done = subprocess.run([*words, b"leave \xff"], capture_output=True, check=True)
    assert json.loads(done.stdout)["question"] == "leave \ufffd"


@pytest.mark.requirement("CLI-EXTRA-1")
@pytest.mark.parametrize("part", ["typer", "rich"])
def test_a_missing_part_names_its_extra(part: str) -> None:
    """One line, exit 1; with --json one document."""
    block = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {part!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    done = subprocess.run(command("explain", "x", "--store", "none.db", before=block), capture_output=True, check=False)
    if part == "typer":
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
        assert b"needs typer" in done.stderr
        assert b"symfonic-knowledge[cli]" in done.stderr
    words = command("explain", "x", "--store", "none.db", "--json", before=block)
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 1
    assert sorted(json.loads(done.stdout)["error"]) == ["code", "message"]


def test_what_a_client_logs_of_its_own_floods_no_terminal(tmp_path: Path) -> None:
    """A command tells its failures itself; the warnings of everybody else still come."""
    log = (
        "import atexit, logging\n"
        "atexit.register(lambda: logging.getLogger('psycopg.pool').warning('error connecting'))\n"
        "atexit.register(lambda: logging.getLogger('other').warning('of another'))\n"
    )
    words = command("list", "--store", str(tmp_path / "none.db"), before=log)
    done = subprocess.run(words, capture_output=True, check=False)
    assert b"there is none at" in done.stderr
    assert done.stderr.endswith(b"of another\n")
    assert b"error connecting" not in done.stderr


def test_a_missing_module_of_ours_is_no_missing_extra() -> None:
    """A bug stays visible as one."""
    broken = (
        "import sys\n"
        "class Refuse:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'symfonic.composition.knowledge':\n"
        "            raise ModuleNotFoundError('gone', name=name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    done = subprocess.run(command("list", before=broken), capture_output=True, check=False)
    assert done.returncode == 1
    assert b"Traceback" in done.stderr


@pytest.mark.requirement("CLI-END-1")
def test_a_reader_who_leaves_early_is_no_error(filled: Command, folder: Path) -> None:
    """Nothing on standard error, and the code a shell knows."""
    (folder / "many.txt").write_text("leave is a word. " * 30_000)
    assert filled("ingest", str(folder)).code == 0
    process = subprocess.Popen(
        command("export", "--store", str(filled.store)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait() == 141


@pytest.mark.requirement("CLI-END-1")
@pytest.mark.parametrize("words", [["search", "leave"], ["search", "leave", "--json"], ["stats"], ["-h"]])
def test_a_reader_who_was_never_there_is_no_error(filled: Command, words: list[str]) -> None:
    """Whoever writes, a library of the command line or the command itself."""
    done = in_shell(filled, words, "| true")
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@pytest.mark.requirement("CLI-END-1")
def test_an_error_nobody_reads_is_no_trace(filled: Command) -> None:
    """Neither as JSON nor in words."""
    assert in_shell(filled, ["search", "--json"], "| true").stderr == b""
    done = in_shell(filled, ["search", "zebra"], "2>&1 >/dev/null | true")
    assert (done.stdout, done.stderr) == (b"3\n", b"")


@pytest.mark.requirement("CLI-END-1")
@pytest.mark.parametrize("words", [["list"], ["export"], ["-h"], ["search", "--json"]])
def test_a_full_disk_is_one_line(filled: Command, words: list[str]) -> None:
    """And exit 1, whoever wrote."""
    done = in_shell(filled, words, ">/dev/full")
    assert done.stdout == b"1\n"
    assert done.stderr.startswith(b"Error: results are written to standard output; that failed (No space left")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.requirement("CLI-END-1")
@pytest.mark.parametrize(
    ("words", "closed", "code", "told"),
    [
        (["list"], ">&-", 1, b"Error: results are written to standard output; that failed (Bad file descriptor)"),
        (["list"], "2>&- >/dev/null", 0, b""),
        (["search", "zebra"], "2>&-", 3, b""),
        (["check", "-"], "<&- >/dev/null", 0, b""),
        (["list"], "<&- >&- 2>&-", 1, b""),
    ],
)
def test_a_stream_that_is_closed_is_put_back(
    filled: Command, words: list[str], closed: str, code: int, told: bytes
) -> None:
    """Input is empty, errors go nowhere, output fails; no file of ours takes the place."""
    done = in_shell(filled, words, closed)
    assert (done.stdout, done.stderr[: len(told)], b"Traceback" in done.stderr) == (b"%d\n" % code, told, False)
    with KnowledgeBase.open(filled.store) as knowledge:
        assert knowledge.stats().documents == 2


def in_shell(filled: Command, words: list[str], behind: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a shell with a redirection behind it; the shell's output is the command's exit code."""
    store = [] if words[0] in {"-h", "check"} or words == ["search", "--json"] else ["--store", str(filled.store)]
    script = f'"$@" {behind}; echo "${{PIPESTATUS[0]}}"'
    return subprocess.run(
        ["bash", "-c", script, "bash", *command(*words, *store)], capture_output=True, check=False, env=environment()
    )


@pytest.mark.requirement("CLI-END-2")
def test_an_interrupt_while_it_starts_is_exit_130() -> None:
    """Before the first command is known."""
    slow = "import sys, time\nclass Slow:\n    def find_spec(self, name, path=None, target=None):\n"
    slow += "        if name == 'typer':\n            print('starting', flush=True)\n            time.sleep(30)\n"
    slow += "sys.meta_path.insert(0, Slow())\n"
    with subprocess.Popen(command("list", before=slow), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"starting\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"Interrupted.\n")


@pytest.mark.requirement("CLI-END-2")
def test_an_interrupt_while_it_starts_is_an_error_document_where_json_is_asked_for() -> None:
    """As at any later time."""
    slow = "import sys\nclass Stopped:\n    def find_spec(self, name, path=None, target=None):\n"
    slow += "        if name == 'typer':\n            raise KeyboardInterrupt\n"
    slow += "sys.meta_path.insert(0, Stopped())\n"
    stopped = subprocess.run(command("list", "--json", before=slow), capture_output=True, check=False)
    assert (stopped.returncode, stopped.stderr) == (130, b"")
    assert json.loads(stopped.stdout)["error"]["code"] == "interrupted"


@pytest.mark.requirement("CLI-END-2")
def test_an_interrupt_from_the_keyboard_is_exit_130(filled: Command) -> None:
    """No trace, one word."""
    slow = (
        "import time\n"
        "from symfonic.composition.knowledge import KnowledgeBase\n"
        "def ask(*_, **__):\n"
        "    print('asked', flush=True)\n"
        "    time.sleep(30)\n"
        "KnowledgeBase.ask = ask\n"
    )
    with subprocess.Popen(
        command("prompt", "leave", "--store", str(filled.store), before=slow),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"asked\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"Interrupted.\n")


def through_terminal(words: list[str]) -> tuple[int, bytes]:
    """Exit code and everything a command wrote to the terminal it ran in."""
    terminal, inside = pty.openpty()
    env = environment(TERM="xterm", COLUMNS="100")
    with subprocess.Popen(words, stdin=inside, stdout=inside, stderr=inside, env=env) as process:
        os.close(inside)
        written = b""
        try:
            while block := os.read(terminal, 65536):
                written += block
        except OSError:  # Linux answers so when the other side is closed
            pass
        finally:
            os.close(terminal)
    return process.returncode, written


def test_a_terminal_sees_progress_and_a_final_line_feed(run: Command, folder: Path) -> None:
    """The bar names files without reading markup in them; a prompt ends with a line of its own."""
    code, written = through_terminal(command("ingest", str(folder), "--store", str(run.store)))
    assert code == 0
    assert b"2/2" in written or b"1/2" in written or b"0/2" in written
    assert b"2 ingested; 3 passages added for everybody (no scope)" in written
    code, written = through_terminal(command("prompt", "leave", "--store", str(run.store)))
    assert (code, written.endswith(b'">\r\n')) == (0, True)


@pytest.mark.requirement("CLI-START-1")
def test_help_starts_quickly() -> None:
    """Well under the 300 ms of processor time that were promised; the margin is for a busy machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command("--help"), check=True, capture_output=True, env=unmeasured())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.0


@pytest.mark.requirement("CLI-START-2")
def test_starting_imports_nothing_that_may_not_be_needed() -> None:
    """Help needs no database, no extractor library, no event loop, no progress bar."""
    probe = "import sys\ntry:\n    main()\nexcept SystemExit:\n    pass\nprint(sorted(sys.modules))\n"
    program = MAIN.replace("main()\n", probe)
    done = subprocess.run(
        [sys.executable, "-c", program, "--help"], capture_output=True, check=True, text=True, env=unmeasured()
    )
    loaded = set(json.loads(done.stdout.splitlines()[-1].replace("'", '"')))
    unwanted = {"sqlite3", "asyncio", "tomllib", "pypdfium2", "selectolax", "rich.progress", "pydantic"}
    assert sorted(unwanted & loaded) == []
