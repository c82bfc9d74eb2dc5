"""From a question to a checked answer: what a model is sent, what is shown of it, and what is told of it."""

from __future__ import annotations

import random
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.models.openai import OpenAIChatModel
from symfonic.adapters.knowledge.ports import ChatMessage, Completion, FinishReason, ModelError
from symfonic.capabilities.knowledge import RetrievalPolicy, _account
from symfonic.composition.knowledge import (
    KEY_VARIABLE,
    Answering,
    InputError,
    KnowledgeBase,
    MissingExtraError,
    ModelFailedError,
    NothingAdmittedError,
    Settings,
    SettingsError,
    chat_model,
    ledger_of,
    verify_answer,
)
from symfonic.testing.knowledge import Fault, ScriptedChatModel, ScriptedChatServer, ScriptedReply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

QUESTION = "How many days of leave?"
LOCAL = "http://127.0.0.1:8080/v1"
MARK = "[unverified source]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents about leave."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "leave.md").write_text("# Leave\n\nEverybody has thirty days of leave.\n")
    (docs / "note.txt").write_text("Leave is asked for in writing, two weeks ahead.\n")
    return docs


@pytest.fixture
def knowledge(tmp_path: Path, folder: Path) -> Iterator[KnowledgeBase]:
    """A knowledge base with those documents."""
    with KnowledgeBase.open(tmp_path / "k.db") as base:
        base.ingest(folder)
        yield base


@pytest.fixture
def labels(knowledge: KnowledgeBase) -> list[str]:
    """Labels as the prompt shows them: of leave.md, and of note.txt."""
    entries = sorted(ledger_of(knowledge.ask(QUESTION)), key=lambda entry: entry.source)
    return [entry.label for entry in entries]


def answered(knowledge: KnowledgeBase, *chunks: str, **options: Any) -> tuple[list[str], Answering]:
    """The pieces shown of a model that says these chunks."""
    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(chunks), **options)
    return list(answering), answering


# ------------------------------------------------------------------------------------------------- what a model gets


@pytest.mark.requirement("AN-ASK-1")
def test_a_model_gets_the_prompt_and_the_question(knowledge: KnowledgeBase) -> None:
    """The compiled prompt as system text, the question as the user's message, and nothing else."""
    model = ScriptedChatModel(("Thirty.",))
    answering = knowledge.answer(QUESTION, model=model)
    assert model.asked == []
    assert list(answering) == ["Thirty."]
    prompt = knowledge.ask(QUESTION).prompt.text
    assert model.asked == [(ChatMessage("system", prompt), ChatMessage("user", QUESTION))]
    assert answering.answerable.prompt.text == prompt


@pytest.mark.requirement("AN-ASK-2")
def test_without_a_source_no_model_is_asked(knowledge: KnowledgeBase) -> None:
    """No word in common, or no place for any passage: the error carries the account."""
    model = ScriptedChatModel(("Forty.",))
    for options in ({"question": "zebra"}, {"question": QUESTION, "policy": RetrievalPolicy(0)}):
        with pytest.raises(NothingAdmittedError, match="no model was asked") as refused:
            knowledge.answer(model=model, **options)
        assert refused.value.answerable.explain().admitted == ()
    assert model.asked == []


# ------------------------------------------------------------------------------------------------ what is shown of it


def chunkings(text: str) -> Iterator[Sequence[str]]:
    """Whole, character by character, in two at every place, and at random, empty chunks between."""
    yield [text]
    yield list(text)
    yield from ([text[:at], "", text[at:]] for at in range(1, len(text), 3))
    chance = random.Random(7)
    for _ in range(5):
        cuts = sorted(chance.sample(range(1, len(text)), 6))
        yield [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@pytest.mark.requirement("AN-SHOW-1")
def test_however_an_answer_is_cut_the_same_is_shown_and_told(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Tags vanish, invented sources are marked, admitted ones stay and are counted."""
    said = (
        f"It is thirty [semantic] days SOURCE [{labels[0]}], [sem[working]antic] asked for in "
        f'"writing, two weeks ahead" [{labels[1]}]. See SOURCE [Evil.md], SOURCE [Evil.md]: and arr[0]. [episo'
    )
    shown = (
        f"It is thirty days SOURCE [{labels[0]}], asked for in "
        f'"writing, two weeks ahead" [{labels[1]}]. See {MARK}, {MARK} and arr[0]. '
    )
    for chunks in chunkings(said):
        pieces, answering = answered(knowledge, *chunks)
        answer = answering.answer()
        assert "".join(pieces) == answer.text == answering.text
        assert answer.text == shown
        report = answer.report
        assert [(item.label, len(item.offsets)) for item in report.cited] == [(labels[0], 1), (labels[1], 1)]
        assert [(item.name, len(item.offsets)) for item in report.unknown] == [("Evil.md", 2)]
        assert (report.uncited, [quote.verdict for quote in report.quotes]) == ((), ["verbatim"])
        assert answer.complete


@pytest.mark.requirement("AN-SHOW-1")
def test_no_piece_is_empty_and_none_is_taken_back(knowledge: KnowledgeBase) -> None:
    """Text goes out as soon as it can only be text."""
    pieces, answering = answered(knowledge, "It is ", "", "thirty", "", " days", " [", "working]", ".")
    assert pieces == ["It is", " thirty", " days", "."]
    assert answering.text == "It is thirty days."


def test_references_can_be_kept_or_rewritten(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """As numbers, links or footnotes; what is neither of the two words is refused before anything is asked."""
    said = f"Thirty [{labels[0]}]. SOURCE [Evil.md]"
    assert answered(knowledge, said, on_unknown="keep")[1].text == said
    rewritten = answered(knowledge, said, render=lambda entry, number: f"({number}: {entry.source})")[1].text
    assert rewritten == f"Thirty (1: leave.md § Leave). {MARK}"
    with pytest.raises(SettingsError, match="on_unknown"):
        knowledge.answer(QUESTION, model=ScriptedChatModel(()), on_unknown="drop")  # type: ignore[arg-type]  # refused


@pytest.mark.parametrize("behind", [" days", ""])
def test_a_render_that_raises_ends_the_answer(knowledge: KnowledgeBase, labels: list[str], behind: str) -> None:
    """In the middle or at the end; the model is let go, and what was shown before stays."""
    model = ScriptedChatModel(("Thirty ", f"SOURCE [{labels[0]}]{behind}"))
    answering = knowledge.answer(QUESTION, model=model, render=lambda *_: str(1 // 0))
    pieces: list[str] = []
    with pytest.raises(SettingsError, match="ZeroDivisionError"):
        pieces.extend(answering)
    assert "".join(pieces) == answering.text == "Thirty"
    assert (list(answering), answering.stop()) == ([], "")
    assert (answering.answer().report.cited, answering.answer().complete) == ((), False)


@pytest.mark.requirement("AN-SHOW-2")
def test_what_is_shown_can_always_be_written_down(knowledge: KnowledgeBase) -> None:
    """Halves of a character that came apart are joined, lone ones show as U+FFFD."""
    assert answered(knowledge, "a\ud83d", "\ude00 b", "\udc00c", "\ud800")[1].text == "a😀 b\ufffdc\ufffd"
    assert answered(knowledge, "\ud83d", "", "\ud83d", "\ude00")[1].text == "\ufffd😀"


@pytest.mark.requirement("AN-SHOW-3")
def test_datamarks_are_read_as_spaces(tmp_path: Path, folder: Path) -> None:
    """A model that copies what it sees cites and quotes well, and a reader sees words."""
    with KnowledgeBase.open(tmp_path / "marked.db", settings=Settings(datamark="^")) as base:
        base.ingest(folder)
        answerable = base.ask(QUESTION)
        (label,) = (entry.label for entry in ledger_of(answerable) if entry.source.startswith("leave"))
        copied = label.replace(" ", "^")
        assert f"[{copied}]" in answerable.prompt.text
        said = f'"Everybody^has^thirty^days" [{copied}].'
        _, answering = answered(base, said)
        assert answering.text == f'"Everybody has thirty days" [{label}].'
        report = answering.answer().report
        assert ([item.label for item in report.cited], report.unknown) == ([label], ())
        assert [quote.verdict for quote in report.quotes] == ["verbatim"]
        assert verify_answer(said, answering.ledger, datamark="^").report == report


def test_an_answer_can_be_checked_again_from_its_text(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """In any process, with the ledger alone; invented references are kept where they stand."""
    said = f"Thirty [working] days [{labels[0]}], SOURCE [Evil.md]."
    _, answering = answered(knowledge, said, on_unknown="keep")
    again = verify_answer(said, type(answering.ledger).from_json(answering.ledger.to_json()))
    assert (again.text, again.report) == (answering.text, answering.answer().report)
    assert again.text == f"Thirty days [{labels[0]}], SOURCE [Evil.md]."
    assert (again.completion, again.complete) == (None, False)


@pytest.mark.requirement("AN-VER-1")
def test_marks_of_an_earlier_check_are_counted_as_marks(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Behind the word, too: what was shown of an answer names no invented source when it is checked once more."""
    said = f"SOURCE SOURCE [Evil.md] and SOURCE [Evil.md], [{labels[0]}]."
    _, answering = answered(knowledge, said)
    assert answering.text == f"SOURCE {MARK} and {MARK}, [{labels[0]}]."
    assert (answering.answer().marks, answering.answer().report.unknown[0].count) == (2, 2)
    again = verify_answer(answering.text, answering.ledger)
    assert (again.text, again.marks, again.report.marked, again.report.unknown) == (answering.text, 2, 1, ())
    assert [item.count for item in again.report.cited] == [1]
    other = verify_answer(f"{answering.text} SOURCE [Other.md]", answering.ledger)
    assert ([item.name for item in other.report.unknown], other.marks) == (["Other.md"], 2)


@pytest.mark.requirement("AN-SHOW-3")
@pytest.mark.parametrize("mark", ["^", "\ue000"])
@pytest.mark.parametrize("written", ["{mark}", " "])
def test_labels_and_passages_are_known_by_what_a_datamarked_prompt_shows_of_them(
    tmp_path: Path, mark: str, written: str
) -> None:
    """Several spaces in a name are one mark, a mark in it is U+FFFD: a model can only copy what it was shown."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "leave  of ^ 2024.txt").write_text("Everybody has thirty days of leave.\n")
    (docs / "plain.txt").write_text("Leave is asked for in writing.\n")
    with KnowledgeBase.open(tmp_path / "marked.db", settings=Settings(datamark=mark)) as base:
        base.ingest(docs)
        answerable = base.ask(QUESTION)
        ledger = ledger_of(answerable)
        lines = [line for line in answerable.prompt.text.split("\n") if line.startswith(f"SOURCE{mark}[")]
        names = [line.partition("[")[2].partition("]")[0].replace(mark, written.format(mark=mark)) for line in lines]
        assert len(names) == len(ledger) == 2
        said = (
            f'"Everybody{mark}has thirty{mark}days" SOURCE{mark}[{names[0]}], [{names[1]}] and [a{mark}b] [{names[0]}'
        )
        for chunks in ([said], list(said), [said[:40], said[40:]]):
            report = answered(base, *chunks)[1].answer().report
            assert (report.unknown, [item.count for item in report.cited]) == ((), [1, 1])
        checked = verify_answer(said, ledger, datamark=mark)
        assert ({item.label for item in checked.report.cited}, checked.report.unknown) == (
            {entry.label for entry in ledger},
            (),
        )
        assert [quote.verdict for quote in checked.report.quotes] == [
            "verbatim" if "thirty" in lines[0] else "elsewhere"
        ]
        assert checked.text.endswith(f" and [a b] [{names[0].replace(mark, ' ')}")
        assert [item.count for item in verify_answer(checked.text, ledger).report.cited] == [1, 1]


@pytest.mark.requirement("AN-VER-2")
def test_without_its_datamark_a_copied_name_counts_as_invented(tmp_path: Path, folder: Path) -> None:
    """A ledger does not know the mark, and nothing is guessed."""
    with KnowledgeBase.open(tmp_path / "marked.db", settings=Settings(datamark="^")) as base:
        base.ingest(folder)
        ledger = ledger_of(base.ask(QUESTION))
    label = next(entry.label for entry in ledger if " " in entry.label)
    said = f'"Everybody^has^thirty^days" SOURCE^[{label.replace(" ", "^")}]. SOURCE [{label.replace(" ", "^")}]'
    assert [item.name for item in verify_answer(said, ledger).report.unknown] == [label.replace(" ", "^")]
    report = verify_answer(said, ledger, datamark="^").report
    assert ([(item.label, item.count) for item in report.cited], report.unknown) == ([(label, 2)], ())


@pytest.mark.requirement("AN-VER-2")
@pytest.mark.parametrize("mark", ["", "a", " ", "^^", "[", 1])
def test_what_is_no_datamark_is_refused(knowledge: KnowledgeBase, mark: Any) -> None:
    """No prompt can have been made with it, and an empty one would tear every word apart."""
    ledger = ledger_of(knowledge.ask(QUESTION))
    with pytest.raises(SettingsError, match="datamark must be one private-use character"):
        verify_answer("a b", ledger, datamark=mark)
    with pytest.raises(SettingsError, match="datamark must be one private-use character"):
        Answering(knowledge.ask(QUESTION), ScriptedChatModel(()), datamark=mark)


def test_what_cannot_be_checked_is_refused(knowledge: KnowledgeBase) -> None:
    """One error of ours, whether the answer or the ledger is none."""
    ledger = ledger_of(knowledge.ask(QUESTION))
    for text, entries, message in (
        (b"x", ledger, "an answer to check is a text; this one is a bytes and nothing was done; give a text"),
        (
            "x",
            [1],
            (
                "a ledger to check is a CitationLedger, as read_ledger gives one; this one is a list and nothing was "
                "done; give a CitationLedger, as read_ledger gives one"
            ),
        ),
    ):
        with pytest.raises(InputError) as refused:
            verify_answer(text, entries)  # type: ignore[arg-type]  # refused
        assert str(refused.value) == message


# ----------------------------------------------------------------------------------------------- ends of all kinds


@pytest.mark.requirement("AN-END-1")
def test_a_model_that_fails_leaves_what_was_shown_and_its_account(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """What was held comes as a last piece, then one error of ours with the account; then nothing more."""
    failure = ModelError("rule, consequence, remedy", code="interrupted", status=200)
    model = ScriptedChatModel((f"Thirty [{labels[0]}] da", "ys [not a t"), error=failure)
    answering = knowledge.answer(QUESTION, model=model)
    pieces: list[str] = []
    with pytest.raises(ModelFailedError, match="rule, consequence, remedy") as failed:
        pieces.extend(answering)
    assert "".join(pieces) == failed.value.answer.text == f"Thirty [{labels[0]}] days [not a t"
    assert (failed.value.code, failed.value.reason, failed.value.status) == ("model", "interrupted", 200)
    assert failed.value.__cause__ is failure
    assert [item.label for item in failed.value.answer.report.cited] == [labels[0]]
    assert (failed.value.answer.completion, failed.value.answer.complete) == (None, False)
    assert list(answering) == []
    assert answering.stop() == ""


@pytest.mark.requirement("AN-END-1")
@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (lambda _: iter(["a", 3]), "malformed"),
        (lambda _: iter(["a", b"b"]), "malformed"),
        (lambda _: (_ for _ in ["a"] if 1 / len([]) > 0), "failed"),
        (lambda _: 3, "failed"),
    ],
)
def test_a_model_of_ones_own_fails_in_our_words(knowledge: KnowledgeBase, stream: Any, reason: str) -> None:
    """Whatever it raises, and whatever it gives that is no text."""
    model: Any = type("Model", (), {"stream": lambda _, messages: stream(messages)})()
    with pytest.raises(ModelFailedError) as failed:
        list(knowledge.answer(QUESTION, model=model))
    assert failed.value.reason == reason


@pytest.mark.parametrize("finish", list(FinishReason))
def test_how_an_answer_ended_is_told(knowledge: KnowledgeBase, finish: FinishReason) -> None:
    """Complete is only what the model itself ended."""
    completion = Completion(finish=finish, model="m", prompt_tokens=9, answer_tokens=1)
    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(("a",), completion=completion))
    list(answering)
    assert answering.answer().completion == completion
    assert answering.answer().complete is (finish is FinishReason.STOP)


def test_a_model_that_is_a_plain_iterator_ends_by_itself(knowledge: KnowledgeBase) -> None:
    """Nothing but pieces is asked of it, and stopping it needs nothing of it."""
    model: Any = type("Model", (), {"stream": lambda *_: iter(["Thir", "ty."])})()
    answering = knowledge.answer(QUESTION, model=model)
    assert "".join(answering) == "Thirty."
    assert answering.answer().completion == Completion()
    with knowledge.answer(QUESTION, model=model) as early:
        assert next(early) == "Thir"
    assert early.answer().completion is None


@pytest.mark.requirement("AN-END-2")
def test_stopping_early_lets_go_of_the_model(knowledge: KnowledgeBase) -> None:
    """What was held is returned, the account covers what was shown, and nothing comes after it."""
    let_go: list[str] = []

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            try:
                yield "Thirty [not a t"
                yield "never"
            finally:
                let_go.append("yes")

    with knowledge.answer(QUESTION, model=Model()) as answering:
        shown = next(answering)
        held = answering.stop()
        assert shown + held == "Thirty [not a t"
    assert let_go == ["yes"]
    assert (list(answering), answering.text, answering.answer().complete) == ([], "Thirty [not a t", False)
    with knowledge.answer(QUESTION, model=Model()) as answering:
        next(answering)
    assert let_go == ["yes", "yes"]


@pytest.mark.requirement("AN-END-2")
def test_an_interrupt_goes_through_and_the_account_stays(knowledge: KnowledgeBase) -> None:
    """The caller decides what becomes of it."""
    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(("Thirty ", "[a"), error=KeyboardInterrupt()))
    pieces: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        pieces.extend(answering)
    pieces.append(answering.stop())
    assert "".join(pieces) == answering.answer().text == "Thirty [a"


@pytest.mark.requirement("AN-END-2")
def test_stopping_waits_for_a_piece_that_another_thread_reads(knowledge: KnowledgeBase) -> None:
    """No piece is lost between the two."""
    reading, gate = threading.Event(), threading.Event()

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            reading.set()
            gate.wait(20)
            yield "Thirty."
            yield "never"

    answering = knowledge.answer(QUESTION, model=Model())
    pieces: list[str] = []
    reader = threading.Thread(target=lambda: pieces.extend(answering))
    reader.start()
    assert reading.wait(20)
    stopper = threading.Thread(target=lambda: pieces.append(answering.stop()))
    stopper.start()
    gate.set()
    for thread in (reader, stopper):
        thread.join(20)
    assert answering.text == "".join(pieces)
    assert answering.text.startswith("Thirty.")


@pytest.mark.requirement("AN-END-2")
def test_an_interrupt_inside_render_ends_the_answer(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """The model is let go, nothing comes after, and the report is that of what was shown."""
    let_go: list[str] = []

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            try:
                for word in ("a", "b", "c"):
                    yield f"{word} SOURCE [{labels[0]}] "
            finally:
                let_go.append("yes")
                raise OSError  # nobody hears of it

    rendered: list[int] = []

    def render(_: object, number: int) -> str:
        rendered.append(number)
        if len(rendered) == 3:
            raise KeyboardInterrupt
        return f"[{number}]"

    answering = knowledge.answer(QUESTION, model=Model(), render=render)
    pieces: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        pieces.extend(answering)
    told = answering.answer()
    assert ("".join(pieces), let_go) == ("a [1] b [1]", ["yes"])
    assert [(item.label, item.offsets) for item in told.report.cited] == [(labels[0], (2, 8))]
    assert told.report.uncited == (labels[1],)
    assert (answering.stop(), list(answering), answering.answer()) == ("", [], told)


@pytest.mark.requirement("AN-END-2")
def test_an_interrupt_before_a_piece_is_kept_leaves_no_trace_of_it(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Neither in the text nor in the report."""

    class Interrupted(list[str]):
        def append(self, item: str, /) -> None:
            if "SOURCE" in item:
                raise KeyboardInterrupt
            super().append(item)

    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(("Thirty. ", f"SOURCE [{labels[0]}] x", " y")))
    answering._shown = Interrupted()
    pieces: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        pieces.extend(answering)
    told = answering.answer()
    assert (pieces, told.text, told.report.cited, set(told.report.uncited)) == (["Thirty."], "Thirty.", (), set(labels))
    assert (answering.stop(), list(answering), answering.answer()) == ("", [], told)


@pytest.mark.requirement("AN-END-2")
def test_an_interrupt_takes_back_what_was_counted_and_never_shown(
    knowledge: KnowledgeBase, labels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly, where the report leaves things out as well: names, places, marks, quotations, and unread characters."""
    for name in ("NAMES", "OFFSETS", "QUOTES"):
        monkeypatch.setattr(_account, f"MAX_REPORTED_{name}", 1)
    piece = f'"a b c" SOURCE [{labels[0]}] SOURCE [u] SOURCE [v] SOURCE [unverified source]\n\n"{"x" * 8_200}\n\n'
    once = answered(knowledge, piece, piece)[1].answer().report
    rendered: list[int] = []

    def render(_: object, number: int) -> str:
        rendered.append(number)
        if len(rendered) == 4:
            raise KeyboardInterrupt
        return f"[{number}]"

    model = ScriptedChatModel((piece, piece, piece + piece))
    answering = knowledge.answer(QUESTION, model=model, render=render)
    with pytest.raises(KeyboardInterrupt):
        list(answering)
    report = answering.answer().report
    assert answering.text.count(MARK) == 6
    assert [item.count for item in report.cited] == [2]
    assert report.cited[0].omitted == 1
    assert [(item.name, item.count) for item in report.unknown] == [("u", 2)]
    assert (report.omitted_unknown, report.marked, len(report.quotes), report.omitted_quotes) == (2, 2, 1, 1)
    assert report.unread_chars == once.unread_chars > 0


@pytest.mark.requirement("AN-END-4")
@pytest.mark.parametrize("call", ["next", "stop", "leave"])
@pytest.mark.parametrize("minds", [True, False])
def test_a_render_cannot_read_or_stop_its_answer(
    knowledge: KnowledgeBase, labels: list[str], call: str, *, minds: bool
) -> None:
    """It would wait for itself: it is told so, and where it does not mind, the answer goes on."""
    refused: list[str] = []

    calls: dict[str, Callable[[], object]] = {}

    def render(_: object, number: int) -> str:
        try:
            calls[call]()
        except SettingsError as error:
            refused.append(str(error))
            if minds:
                raise
        return f"[{number}]"

    model = ScriptedChatModel(("Thirty ", f"SOURCE [{labels[0]}] days", "."))
    answering = knowledge.answer(QUESTION, model=model, render=render)
    calls |= {
        "next": lambda: next(answering),
        "stop": answering.stop,
        "leave": lambda: answering.__exit__(None, None, None),
    }
    if minds:
        with pytest.raises(SettingsError, match="raised SettingsError"):
            list(answering)
        assert (answering.text, answering.stop(), answering.answer().complete) == ("Thirty", "", False)
    else:
        assert ("".join(answering), answering.answer().complete) == ("Thirty [1] days.", True)
    assert [message[:41] for message in refused] == ["an answer is read and stopped from outsid"]


@pytest.mark.requirement("AN-END-4")
def test_a_render_can_ask_for_the_account(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Of what was shown, with the reference that is being written."""
    told: list[tuple[str, list[int]]] = []

    def render(_: object, number: int) -> str:
        answer = answering.answer()
        told.append((answer.text, [item.count for item in answer.report.cited]))
        return f"[{number}]"

    model = ScriptedChatModel(("Thirty ", f"SOURCE [{labels[0]}] ", f"SOURCE [{labels[0]}] "))
    answering = knowledge.answer(QUESTION, model=model, render=render)
    assert "".join(answering) == "Thirty [1] [1] "
    assert told == [("Thirty", [1]), ("Thirty [1]", [2])]


@pytest.mark.requirement("AN-END-4")
def test_a_model_cannot_read_or_stop_its_answer(knowledge: KnowledgeBase) -> None:
    """It fails in our words, and the answer can be stopped from outside."""

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            yield "Thirty"
            answering.stop()

    answering = knowledge.answer(QUESTION, model=Model())
    with pytest.raises(ModelFailedError) as failed:
        list(answering)
    assert isinstance(failed.value.__cause__, SettingsError)
    assert (failed.value.answer.text, answering.stop()) == ("Thirty", "")


class Clinging:
    """A model that raises over being let go."""

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[Any]:
        """Answer, and then something that is no text."""
        try:
            yield "Thirty [not a t"
            yield 3
        finally:
            raise OSError("gone")


@pytest.mark.requirement("AN-END-1")
def test_a_model_that_raises_over_being_let_go_fails_in_our_words(knowledge: KnowledgeBase) -> None:
    """What was held is in the account, and nothing comes after."""
    answering = knowledge.answer(QUESTION, model=Clinging())
    next(answering)
    with pytest.raises(ModelFailedError, match="raised OSError") as failed:
        answering.stop()
    assert (failed.value.reason, failed.value.answer.text) == ("failed", "Thirty [not a t")
    assert isinstance(failed.value.__cause__, OSError)
    assert (answering.stop(), list(answering), answering.text) == ("", [], "Thirty [not a t")


@pytest.mark.requirement("AN-END-1")
@pytest.mark.parametrize(("error", "raised"), [(None, ModelFailedError), (ZeroDivisionError, ZeroDivisionError)])
def test_the_end_of_a_block_hides_no_error(knowledge: KnowledgeBase, error: Any, raised: type[Exception]) -> None:
    """A model that raises over being let go is told of where nothing else is."""
    answering = knowledge.answer(QUESTION, model=Clinging())

    def leave() -> None:
        with answering:
            next(answering)
            if error is not None:
                raise error

    with pytest.raises(raised):
        leave()
    assert answering.text == "Thirty [not a t"


@pytest.mark.requirement("AN-END-1")
def test_what_failed_first_is_told(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Not what a model raises over being let go afterwards, nor what a render does."""
    with pytest.raises(ModelFailedError) as failed:
        list(knowledge.answer(QUESTION, model=Clinging()))
    assert (failed.value.reason, failed.value.answer.text) == ("malformed", "Thirty [not a t")
    held = ("Thirty ", f"` SOURCE [{labels[0]}]")  # code, unless the answer ends here
    model = ScriptedChatModel(held, error=ModelError("no", code="server"))
    with pytest.raises(ModelFailedError) as failed:
        list(knowledge.answer(QUESTION, model=model, render=lambda *_: str(1 // 0)))
    assert (failed.value.reason, failed.value.answer.text) == ("server", "Thirty ` ")
    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(held), render=lambda *_: str(1 // 0))
    with pytest.raises(SettingsError):
        list(answering)
    assert (answering.text, answering.answer().complete) == ("Thirty ` ", False)


@pytest.mark.requirement("AN-END-3")
def test_an_account_is_had_from_another_thread_while_a_model_is_waited_for(knowledge: KnowledgeBase) -> None:
    """It waits for no model."""
    reading, gate = threading.Event(), threading.Event()

    class Model:
        def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
            yield "Thirty"
            reading.set()
            gate.wait(20)
            yield " days"

    answering = knowledge.answer(QUESTION, model=Model())
    reader = threading.Thread(target=lambda: list(answering))
    reader.start()
    assert reading.wait(20)
    told = answering.answer()
    gate.set()
    reader.join(20)
    assert (told.text, answering.text) == ("Thirty", "Thirty days")


@pytest.mark.requirement("AN-END-3")
def test_accounts_from_several_threads_are_whole(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Each is of one moment, and none changes the next."""
    said = [f'"thirty days of leave" [{labels[0]}]. SOURCE [u{number}] ' for number in range(300)]
    twin = answered(knowledge, *said)[1].answer()
    answering = knowledge.answer(QUESTION, model=ScriptedChatModel(said))
    faults: list[object] = []
    over = threading.Event()

    def ask() -> None:
        try:
            while not over.is_set():
                told = answering.answer()
                marks = sum(item.count for item in told.report.unknown) + told.report.omitted_unknown
                if marks != told.text.count(MARK):
                    faults.append((marks, told.text.count(MARK)))
        except RuntimeError as error:
            faults.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        askers = [threading.Thread(target=ask) for _ in range(2)]
        for thread in askers:
            thread.start()
        pieces = list(answering)
    finally:
        over.set()
        sys.setswitchinterval(interval)
    for thread in askers:
        thread.join(20)
    assert (faults, "".join(pieces), answering.answer()) == ([], twin.text, twin)


# -------------------------------------------------------------------------------------------- models and their keys


@pytest.mark.requirement("AN-END-1")
@pytest.mark.parametrize("fault", list(Fault))
def test_faults_of_a_real_connection_arrive_as_ours(knowledge: KnowledgeBase, labels: list[str], fault: Fault) -> None:
    """From the socket to the account."""
    said = [f"Thirty days [{labels[0]}", "]. SOURCE [Ev", "il.md] [wor"]
    with ScriptedChatServer(ScriptedReply(said, fault=fault, packet=11)) as server:
        model = OpenAIChatModel("m", base_url=server.base_url, timeout=0.2)
        with pytest.raises(ModelFailedError) as failed:
            list(knowledge.answer(QUESTION, model=model))
    assert failed.value.answer.text == f"Thirty days [{labels[0]}]. {MARK} "
    assert [item.name for item in failed.value.answer.report.unknown] == ["Evil.md"]


@pytest.mark.requirement("AN-KEY-1")
def test_a_key_comes_from_the_environment_that_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And from nowhere else; this machine needs none, and gets it where there is one."""
    monkeypatch.setenv(KEY_VARIABLE, "sk-process")
    needing, local = Settings(model="m"), Settings(model="m", base_url=LOCAL)
    with pytest.raises(SettingsError, match=f"{KEY_VARIABLE} is not set"):
        chat_model(needing)
    made: list[Any] = [
        chat_model(needing, {KEY_VARIABLE: " sk-passed\n"}),
        chat_model(local),
        chat_model(local, {KEY_VARIABLE: "sk-passed"}),
        chat_model(Settings(model="m", base_url="http://10.0.0.5/v1"), {KEY_VARIABLE: "sk-passed"}),
    ]
    assert [model._api_key for model in made] == ["sk-passed", None, "sk-passed", None]


@pytest.mark.parametrize("key", ["sk\nsecond: line", "sk secret", "sk-é", "sk\x00"])
def test_a_key_that_could_not_be_sent_is_refused_and_not_shown(key: str) -> None:
    """It would end up in a header."""
    with pytest.raises(SettingsError, match="one word of ASCII") as refused:
        chat_model(Settings(model="m"), {KEY_VARIABLE: key})
    assert "sk" not in str(refused.value).replace("asked", "")


def test_a_model_is_made_as_the_settings_say() -> None:
    """Name, address, silence and length; without a name there is none."""
    with pytest.raises(SettingsError, match="none is named"):
        chat_model(Settings())
    model: Any = chat_model(Settings(model="m", base_url=LOCAL, model_timeout=5, max_answer_tokens=7))
    assert (model.model, model.endpoint.url, model.timeout, model.max_tokens) == ("m", LOCAL, 5, 7)


@pytest.mark.requirement("AN-MODEL-4")
def test_a_model_whose_part_is_missing_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The SDK, and the engine of the local model."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[openai\]"):
        chat_model(Settings(model="m", base_url=LOCAL))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[local\]"):
        chat_model(Settings(model="local"))


def test_the_local_model_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """And takes the settings that apply to it."""
    made: dict[str, Any] = {}
    monkeypatch.setattr(
        "symfonic.adapters.knowledge.models.local.LocalChatModel", lambda **options: made.update(options)
    )
    chat_model(Settings(model="local", model_timeout=9, max_answer_tokens=8))
    assert made == {"timeout": 9, "max_tokens": 8}
