"""``answer`` and ``verify``: what they print, where, and with which exit code, over a real connection."""

from __future__ import annotations

import os
import re
import stat
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from symfonic.capabilities.knowledge import MAX_PARAGRAPH_CHARS, MAX_REPORTED_NAMES, MAX_REPORTED_OFFSETS
from symfonic.composition.knowledge import Answering, KnowledgeBase, ledger_of, read_ledger
from symfonic.frontends.knowledge.cli import _answering, _output
from symfonic.testing.knowledge import Fault, ScriptedChatServer, ScriptedReply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .conftest import Command, Outcome

STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
QUESTION = "how much leave?"
MARK = "[unverified source]"


class Serve(Protocol):
    """Starts a scripted server."""

    def __call__(self, *replies: ScriptedReply | str) -> ScriptedChatServer: ...


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Scripted servers that run until the test ends."""
    with ExitStack() as running:
        yield lambda *replies: running.enter_context(ScriptedChatServer(*replies))


@pytest.fixture
def label(filled: Command) -> str:
    """The label of the passage about leave, as the prompt shows it."""
    with KnowledgeBase.open(filled.store) as knowledge:
        return next(entry.label for entry in ledger_of(knowledge.ask(QUESTION)) if "§ Leave" in entry.label)


def ask(filled: Command, server: ScriptedChatServer, *words: str, env: dict[str, str] | None = None) -> Outcome:
    """Have the server's model answer."""
    return filled("answer", QUESTION, "--model", "m", "--base-url", server.base_url, *words, env=env)


@pytest.mark.requirement("CLI-ANS-1")
def test_the_answer_alone_is_on_standard_output(filled: Command, serve: Serve, label: str) -> None:
    """Byte for byte what was shown; the report stands on standard error and steers no terminal."""
    said = f'"Employees have thirty days" \x1b[31m [semantic]é [{label}]. SOURCE [Evil\x07.md]'
    shown = ask(filled, serve(ScriptedReply([said[:40], said[40:]], packet=7)))
    assert (shown.code, shown.text) == (0, f'"Employees have thirty days" \x1b[31mé [{label}]. {MARK}')
    assert STEERING.search(shown.err) is None
    assert re.search(r"^ *Evil_\.md~\w+ +invented +1 +the prompt never showed it", shown.err, re.MULTILINE)
    assert re.search(rf"^ *{re.escape(label)} +cited +1", shown.err, re.MULTILINE)
    assert re.search(r" unused +0", shown.err)
    assert re.search(r"^ *Employees have thirty days +verbatim +", shown.err, re.MULTILINE)
    assert shown.err.endswith("Sources    1 cited, 1 invented, 1 unused; 1 quotation: 1 verbatim\n")


@pytest.mark.requirement("CLI-ANS-2")
def test_an_answer_as_json_is_one_document(filled: Command, serve: Serve, label: str) -> None:
    """Answer, report, what answered and what it took."""
    told = ask(filled, serve(f"Thirty [{label}]. SOURCE [Evil.md]"), "--json", "--limit", "1")
    assert (told.code, told.err, told.out.isascii(), told.out.count(b"\n")) == (0, "", True, 1)
    assert told.json == {
        "question": QUESTION,
        "scope": [],
        "admitted": 1,
        "answer": f"Thirty [{label}]. {MARK}",
        "finish": "stop",
        "model": "m",
        "usage": {"prompt_tokens": 7, "answer_tokens": 3},
        "report": {
            "cited": [{"label": label, "source": "handbook.md § Leave", "offsets": [7], "omitted": 0}],
            "unknown": [{"name": "Evil.md", "offsets": [len(f"Thirty [{label}]. ")], "omitted": 0}],
            "ambiguous": [],
            "uncited": [],
            "quotes": [],
            "omitted_unknown": 0,
            "omitted_quotes": 0,
            "unread_chars": 0,
            "marked": 0,
        },
        "documents": [],
    }


@pytest.mark.requirement("CLI-ANS-3")
@pytest.mark.parametrize("as_json", [False, True])
def test_a_model_that_fails_leaves_what_was_shown_and_its_report(
    filled: Command, serve: Serve, label: str, *, as_json: bool
) -> None:
    """Exit 1, the error last; with --json all of it in one document."""
    server = serve(ScriptedReply([f"Thirty [{label}] da", "ys"], fault=Fault.DISCONNECT))
    failed = ask(filled, server, *(["--json"] if as_json else []))
    assert failed.code == 1
    if not as_json:
        assert failed.text == f"Thirty [{label}] days"
        assert re.search(r"1 cited, 1 unused\nError: an answer says when it ends", failed.err)
        return
    assert (failed.err, failed.json["answer"], failed.json["finish"]) == ("", f"Thirty [{label}] days", None)
    assert failed.json["model"] is None
    assert [item["label"] for item in failed.json["report"]["cited"]] == [label]
    assert sorted(failed.json["error"]) == ["code", "message", "reason", "status"]
    assert (failed.json["error"]["code"], failed.json["error"]["reason"]) == ("model", "interrupted")


@pytest.mark.requirement("CLI-ANS-3")
@pytest.mark.parametrize(("status", "reason"), [(401, "credentials"), (429, "rate-limit"), (500, "server")])
def test_a_refusal_is_an_error_without_the_servers_words(
    filled: Command, serve: Serve, status: int, reason: str
) -> None:
    """Nor any key; nothing is asked twice."""
    server = serve(ScriptedReply(status=status, body='{"error": {"message": "sk-secret \\u001b[31m"}}'))
    refused = ask(filled, server, "--json", env={"OPENAI_API_KEY": "sk-secret"})
    assert (refused.code, refused.json["error"]["reason"], refused.json["error"]["status"]) == (1, reason, status)
    told = ask(filled, server, env={"OPENAI_API_KEY": "sk-secret"})
    assert (told.code, told.out) == (1, b"")
    assert told.err.startswith("Error: a model is asked at http://127.0.0.1:")
    assert told.err.count("\n") == 1
    assert "sk-secret" not in refused.text + told.err
    assert [request.headers["authorization"] for request in server.requests] == ["Bearer sk-secret"] * 2


@pytest.mark.requirement("CLI-ANS-3")
@pytest.mark.parametrize(("finish", "note"), [("length", "cut off"), ("content_filter", "withheld"), ("x", "its own")])
def test_an_answer_that_ended_early_says_so(filled: Command, serve: Serve, finish: str, note: str) -> None:
    """It is shown all the same."""
    shown = ask(filled, serve(ScriptedReply(["Thirty"], finish=finish)))
    assert (shown.code, shown.text) == (0, "Thirty")
    assert note in shown.err.splitlines()[-1]


@pytest.mark.requirement("CLI-ANS-6")
@pytest.mark.parametrize("said", ["", "[semantic]", " [working]"])
def test_an_answer_of_nothing_does_not_pass_for_an_answer(filled: Command, serve: Serve, said: str) -> None:
    """The report shows that no source was used, and a note tells why there is nothing to read."""
    shown = ask(filled, serve(said))
    assert (shown.code, shown.text.strip()) == (0, "")
    assert re.search(r" unused +0", shown.err)
    assert shown.err.endswith("Sources    2 unused\nNote: the model said nothing, or nothing but layer tags.\n")


@pytest.mark.requirement("CLI-ANS-6")
def test_an_answer_of_nothing_that_was_cut_off_says_both(filled: Command, serve: Serve) -> None:
    """A model may have used up its tokens before it said anything."""
    shown = ask(filled, serve(ScriptedReply([], finish="length")))
    notes = shown.err.splitlines()[-2:]
    assert [note[:26] for note in notes] == ["Note: the model said nothi", "Note: the answer was cut o"]


@pytest.mark.requirement("CLI-ANS-4")
def test_without_a_source_no_model_is_asked(filled: Command, serve: Serve) -> None:
    """Exit 3 with the reason, as for a prompt."""
    server = serve("Forty.")
    for words, reason in ((["zebra"], "shares a word"), (["leave", "--limit", "0"], "the limit is 0")):
        nothing = filled("answer", *words, "--model", "m", "--base-url", server.base_url)
        assert (nothing.code, nothing.out, reason in nothing.err) == (3, b"", True)
        told = filled("answer", *words, "--model", "m", "--base-url", server.base_url, "--json")
        assert (told.code, told.err, told.json["answer"], told.json["finish"]) == (3, "", "", None)
        assert told.json["admitted"] == 0
    assert server.requests == []


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ([], 1, "none is named"),
        (["--model", "m"], 1, "OPENAI_API_KEY is not set"),
        (["--model", ""], 2, "model is the name of a model"),
        (["--model", "local", "--base-url", "http://127.0.0.1/v1"], 2, "an address would have no effect"),
        (["--model", "m", "--base-url", "nowhere"], 2, "no such scheme or no host"),
        (["--model", "m", "--base-url", "https://u:p@host/v1"], 2, "secrets come from the environment alone"),
        (["--model", "m", "--base-url", "http://127.0.0.1:9/v1"], 1, "no connection came about"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told(filled: Command, words: list[str], code: int, told: str) -> None:
    """A refused option is wrong use; what is missing is an error."""
    refused = filled("answer", "leave", *words, env={"OPENAI_API_KEY": ""})
    assert (refused.code, refused.out) == (code, b"")
    assert told in " ".join(refused.err.split())


def test_model_and_address_may_stand_in_the_settings(filled: Command, serve: Serve, tmp_path: Path) -> None:
    """Or in variables; options win."""
    server = serve("Thirty.")
    (tmp_path / "s.toml").write_text(f'[answer]\nmodel = "m"\nbase_url = "{server.base_url}"\nmax_answer_tokens = 5\n')
    assert filled("answer", "leave", "--settings", str(tmp_path / "s.toml"), "--model", "other").text == "Thirty."
    env = {"SYMFONIC_KNOWLEDGE_MODEL": "third", "SYMFONIC_KNOWLEDGE_BASE_URL": server.base_url}
    assert filled("answer", "leave", env=env).text == "Thirty."
    assert [request.body["model"] for request in server.requests] == ["other", "third"]
    assert [request.body["max_tokens"] for request in server.requests] == [5, 1024]


def test_what_a_model_gets_can_be_changed_as_for_a_prompt(filled: Command, serve: Serve, tmp_path: Path) -> None:
    """Instructions and ceilings; the prompt of both commands is the same."""
    (tmp_path / "say.md").write_text("Answer in verse.")
    server = serve("Thirty.")
    words = ("--instructions", str(tmp_path / "say.md"), "--limit", "1", "--max-total-chars", "200")
    ask(filled, server, *words)
    system, user = server.requests[0].body["messages"]
    assert system == {"role": "system", "content": filled("prompt", QUESTION, *words).text}
    assert user == {"role": "user", "content": QUESTION}


@pytest.mark.requirement("CLI-VER-1")
@pytest.mark.parametrize("command", ["prompt", "answer"])
def test_a_ledger_is_kept_for_verify(filled: Command, serve: Serve, tmp_path: Path, command: str) -> None:
    """Only its owner can read it, and it is that of the prompt; the output is the same."""
    path = tmp_path / "l.json"
    model = ["--model", "m", "--base-url", serve("Thirty.").base_url] if command == "answer" else []
    done = filled(command, QUESTION, *model, "--save-ledger", str(path))
    assert (done.code, done.out) == (0, filled(command, QUESTION, *model).out)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with KnowledgeBase.open(filled.store) as knowledge:
        assert read_ledger(path) == ledger_of(knowledge.ask(QUESTION))
    refused = filled("prompt", QUESTION, "--save-ledger", os.devnull, "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "ledger")


@pytest.fixture
def ledger(filled: Command, tmp_path: Path) -> str:
    """The ledger of the question."""
    filled("prompt", QUESTION, "--save-ledger", str(tmp_path / "ledger.json"))
    return str(tmp_path / "ledger.json")


@pytest.mark.requirement("CLI-VER-1")
@pytest.mark.parametrize(
    ("said", "code", "summary"),
    [
        ("Thirty [{label}].", 0, "1 cited, 1 unused"),
        ("Thirty [{label}]. SOURCE [Evil.md]", 4, "1 cited, 1 invented, 1 unused"),
        ("Thirty. [unverified source]", 4, "2 unused; 1 mark of an invented source"),
        ("Thirty arr[0] [2024].", 0, "2 unused"),
        ("", 0, "2 unused"),
    ],
)
def test_verify_tells_an_invented_source_by_its_exit_code(
    filled: Command, ledger: str, label: str, tmp_path: Path, said: str, code: int, summary: str
) -> None:
    """From a file or standard input; the report is the result, on standard output."""
    answer = said.format(label=label)
    (tmp_path / "a.txt").write_text(answer, encoding="utf-8")
    checked = filled.bare("verify", "--ledger", ledger, str(tmp_path / "a.txt"))
    assert (checked.code, checked.err) == (code, "")
    assert checked.text.endswith(f"Sources    {summary}\n")
    assert filled.bare("verify", "--ledger", ledger, stdin=answer.encode()).out == checked.out
    assert filled.bare("verify", "--ledger", ledger, "-", stdin=answer.encode()).code == code


@pytest.mark.requirement("CLI-VER-1")
def test_verify_as_json(filled: Command, ledger: str, label: str) -> None:
    """The report with its places, as ``answer`` tells them."""
    said = f'"thirty days of leave" [{label}]; SOURCE [Evil.md], "leave [bold]now" [{label}]'
    told = filled.bare("verify", "--ledger", ledger, "--json", stdin=said.encode())
    assert (told.code, told.err) == (4, "")
    assert sorted(told.json) == ["entries", "marked", "report"]
    assert (told.json["entries"], told.json["marked"]) == (2, 0)
    report = told.json["report"]
    assert [item["name"] for item in report["unknown"]] == ["Evil.md"]
    assert [(item["text"], item["verdict"]) for item in report["quotes"]] == [("thirty days of leave", "verbatim")]


@pytest.mark.parametrize(
    ("words", "stdin", "code", "told"),
    [
        (["--json"], b"", 2, "usage"),
        (["--ledger", "none.json", "--json"], b"", 1, "ledger"),
        (["--ledger", "{ledger}", "none.txt", "--json"], b"", 1, "input"),
        (["--ledger", "{ledger}", "--json"], b"\xff", 1, "input"),
        (["--ledger", "{ledger}", "--settings", "none.toml", "--json"], b"", 1, "settings"),
    ],
)
def test_verify_fails_in_one_document(
    filled: Command, ledger: str, words: list[str], stdin: bytes, code: int, told: str
) -> None:
    """Where there is nothing to check, or nothing to check against."""
    failed = filled.bare("verify", *(word.format(ledger=ledger) for word in words), stdin=stdin)
    assert (failed.code, failed.json["error"]["code"]) == (code, told)


def test_what_came_through_standard_input_is_called_so(filled: Command, ledger: str) -> None:
    """There is no file called - that could be ingested."""
    failed = filled.bare("verify", "--ledger", ledger, stdin=b"\xff")
    assert failed.err == (
        "Error: verify reads UTF-8 text; standard input is not, at byte 0, and nothing was looked at; "
        "convert it on the way in, for example with iconv\n"
    )


def test_verify_reads_datamarks_as_the_settings_have_them(filled: Command, ledger: str, label: str) -> None:
    """The model copied what it saw."""
    said = f"Thirty [{label.replace(' ', '^')}].".encode()
    env = {"SYMFONIC_KNOWLEDGE_DATAMARK": "^"}
    told = filled.bare("verify", "--ledger", ledger, "--json", stdin=said, env=env).json
    assert [item["label"] for item in told["report"]["cited"]] == [label]


def test_every_verdict_has_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    """Ambiguous references and quotations that stand elsewhere or nowhere included."""
    quote = {"text": "thirty days of leave", "offset": 0, "label": "a"}
    report: dict[str, Any] = {
        "cited": [],
        "unknown": [],
        "ambiguous": [{"name": "a.md", "labels": ["a.md ·1", "a.md ·2"], "offsets": [3, 9], "omitted": 40}],
        "uncited": [],
        "quotes": [
            {**quote, "verdict": "elsewhere", "elsewhere": ["b", "c"]},
            {**quote, "verdict": "nowhere", "elsewhere": []},
        ],
        "omitted_unknown": 1,
        "omitted_quotes": 2,
        "unread_chars": 3,
        "marked": 0,
    }
    _answering._print_report(_output.console(), {"report": report, "marked": 2})
    shown = capsys.readouterr().out
    assert re.search(r"a\.md +ambiguous +42 +may mean 2 passages", shown)
    assert re.search(r"thirty days of leave +elsewhere +a; stands in b, c", shown)
    assert re.search(r"thirty days of leave +nowhere +a\b", shown)
    assert shown.endswith(
        "Sources    1 ambiguous; 2 quotations: 1 elsewhere, 1 nowhere; 2 marks of an invented source\n"
        "Left out   1 reference to further invented sources; 2 further quotations, not checked; "
        "3 characters of long paragraphs, not searched for quotations\n"
    )
    _answering._print_report(_output.console(), {"report": dict.fromkeys(report, ())})
    assert capsys.readouterr().out == "Sources    none\n"


@pytest.mark.requirement("CLI-VER-1")
def test_verify_shows_what_an_answer_has_too_much_of(filled: Command, ledger: str, label: str) -> None:
    """Counts stay right in the tables, and what is not listed is told in a line of its own."""
    said = "".join(f"SOURCE [u{number}] " for number in range(MAX_REPORTED_NAMES + 5))
    said += f"[{label}] " * (MAX_REPORTED_OFFSETS + 1) + '\n\n"' + "x" * (MAX_PARAGRAPH_CHARS + 6)
    checked = filled.bare("verify", "--ledger", ledger, stdin=said.encode())
    assert (checked.code, checked.err) == (4, "")
    assert re.search(rf"^ *{re.escape(label)} +cited +{MAX_REPORTED_OFFSETS + 1}\b", checked.text, re.MULTILINE)
    assert checked.text.endswith(
        f"Sources    1 cited, {MAX_REPORTED_NAMES} invented, 1 unused\n"
        "Left out   5 references to further invented sources; 7 characters of long paragraphs, not searched for "
        "quotations\n"
    )
    report = filled.bare("verify", "--ledger", ledger, "--json", stdin=said.encode()).json["report"]
    assert (report["omitted_unknown"], report["unread_chars"], report["cited"][0]["omitted"]) == (5, 7, 1)


@pytest.mark.requirement("AN-VER-1")
def test_verify_counts_a_mark_behind_the_word_once(filled: Command, ledger: str) -> None:
    """What a check left of SOURCE SOURCE [Evil.md] names no source."""
    checked = filled.bare("verify", "--ledger", ledger, stdin=f"SOURCE {MARK}.".encode())
    assert (checked.code, checked.text.rpartition("Sources")[2]) == (
        4,
        "    2 unused; 1 mark of an invented source\n",
    )


@pytest.mark.requirement("CLI-ANS-5")
@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupt_reports_what_was_shown(
    filled: Command, serve: Serve, monkeypatch: pytest.MonkeyPatch, *, as_json: bool
) -> None:
    """Exit 130; what the filters held belongs to it."""
    feed = Answering.__next__

    def interrupted(self: Answering) -> str:
        if self.text:
            raise KeyboardInterrupt
        return feed(self)

    monkeypatch.setattr(Answering, "__next__", interrupted)
    stopped = ask(filled, serve(ScriptedReply(["Thirty days [not a t", "ag"])), *(["--json"] if as_json else []))
    assert stopped.code == 130
    if as_json:
        assert (stopped.json["answer"], stopped.json["finish"]) == ("Thirty days [not a t", None)
        assert stopped.json["error"] == {
            "code": "interrupted",
            "message": "the answer was stopped from the keyboard and is incomplete; what had come is reported; "
            "ask again",
        }
    else:
        assert stopped.text == "Thirty days [not a t"
        assert stopped.err.endswith("Sources    2 unused\nInterrupted.\n")


@pytest.mark.requirement("AN-NATIVE-4")
def test_a_model_of_anthropics_is_asked_by_its_name(filled: Command, serve: Serve, label: str) -> None:
    """Its native citation is in the answer and in the report; without a key for the provider nothing is asked."""
    server = serve(ScriptedReply(["Thirty days"], cited={0: (0,)}))
    words = ("answer", QUESTION, "--model", "anthropic:m", "--json", "--limit", "1")
    told = filled(*words, "--base-url", server.address)
    assert (told.code, told.json["answer"]) == (0, f"Thirty days SOURCE [{label}]")
    assert [row["label"] for row in told.json["report"]["cited"]] == [label]
    assert server.requests[0].path == "/v1/messages"
    refused = filled(*words)
    assert (refused.code, "ANTHROPIC_API_KEY is not set" in refused.json["error"]["message"]) == (1, True)
