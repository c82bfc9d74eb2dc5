"""``answer`` as a process of its own: it streams, it can be interrupted, and no answer steers a terminal."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from symfonic.testing.knowledge import Fault, ScriptedChatServer, ScriptedReply

from .test_cli_process import command, environment, through_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .conftest import Command


def asking(filled: Command, *more: str, before: str = "") -> list[str]:
    """The command line of a question."""
    return command("answer", "leave", "--model", "m", "--store", str(filled.store), *more, before=before)


def scripted(filled: Command, chunks: Sequence[str], *, times: int = 1) -> list[str]:
    """The same with a model in the process, for what has nothing to do with a connection."""
    return asking(
        filled,
        before="from symfonic.frontends.knowledge.cli import _session\n"
        "from symfonic.testing.knowledge import ScriptedChatModel\n"
        f"_session.chat_model = lambda *_: ScriptedChatModel({list(chunks)!a} * {times})\n",
    )


@pytest.mark.requirement("CLI-ANS-5")
def test_an_answer_streams_and_an_interrupt_ends_it_cleanly(filled: Command) -> None:
    """What arrived is on standard output while the model still talks; then exit 130, the report, one word."""
    with ScriptedChatServer(ScriptedReply(["Thirty days ", "[wor"], fault=Fault.STALL)) as server:
        words = asking(filled, "--base-url", server.base_url)
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert os.read(process.stdout.fileno(), 11) == b"Thirty days"
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=30)
        assert server.hung_up.wait(20)
    assert process.returncode == 130
    assert rest in {b" ", b""}  # where the interrupt falls into a filter, what is held is not shown
    assert errors.endswith(b"Sources    2 unused\nInterrupted.\n")
    assert b"Traceback" not in errors


@pytest.mark.requirement("CLI-END-1")
def test_a_reader_who_leaves_ends_an_answer(filled: Command) -> None:
    """Quietly."""
    script = '"$@" | head -c 6; echo "${PIPESTATUS[0]}"'
    words = ["bash", "-c", script, "bash", *scripted(filled, ["Thirty days. "], times=20_000)]
    done = subprocess.run(words, capture_output=True, check=False, env=environment())
    assert (done.stdout, done.stderr) == (b"Thirty141\n", b"")


@pytest.mark.parametrize("behind", ["2>/dev/full", "2> >(exit 0)"])
def test_an_answer_is_whole_where_nobody_reads_the_report(filled: Command, behind: str) -> None:
    """Standard error may be full or gone."""
    words = ["bash", "-c", f'"$@" {behind}; echo " $?"', "bash", *scripted(filled, ["Thirty days."])]
    assert subprocess.run(words, stdout=subprocess.PIPE, check=False).stdout == b"Thirty days. 0\n"


@pytest.mark.requirement("CLI-SAFE-1")
def test_an_answer_steers_no_terminal(filled: Command) -> None:
    """Controls, direction marks and invisible tags show as U+FFFD; line feeds and writing stay."""
    hostile = "a\x1b[31mb\x9bc\rd\u202ee\U000e0041f\x07\n\tü 👩‍💻\u00a0."
    code, written = through_terminal(scripted(filled, [hostile, " end"]))
    assert code == 0
    shown = written.decode()
    assert "a�[31mb�c�d�e�f�\r\n" in shown
    assert "ü 👩‍💻\u00a0. end\r\n" in shown
    answer = shown.partition(" end\r\n")[0]
    assert "\x1b" not in answer
    assert "\u202e" not in shown
