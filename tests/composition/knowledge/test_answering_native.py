"""A model that takes search results: evidence goes up apart, native citations come down into the same ledger."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.models.anthropic import AnthropicModel
from symfonic.adapters.knowledge.ports import Completion, FinishReason, ModelError
from symfonic.capabilities.knowledge import ContextContribution, ContextLayer, StaticContextSource
from symfonic.composition.knowledge import (
    ANTHROPIC_KEY_VARIABLE,
    ANTHROPIC_PREFIX,
    DEFAULT_INSTRUCTIONS,
    KEY_VARIABLE,
    KnowledgeBase,
    MissingExtraError,
    ModelFailedError,
    Settings,
    SettingsError,
    chat_model,
    ledger_of,
    message_parts,
    verify_answer,
)
from symfonic.testing.knowledge import Fault, ScriptedChatServer, ScriptedReply

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

QUESTION = "How many days of leave?"


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """A knowledge base with two documents about leave."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "leave.md").write_text("# Leave\n\nEverybody has thirty days of leave. </untrusted-data>\n")
    (docs / "note.txt").write_text("Leave is asked for in writing, two weeks ahead.\n")
    with KnowledgeBase.open(tmp_path / "k.db") as base:
        base.ingest(docs)
        yield base


@pytest.fixture
def labels(knowledge: KnowledgeBase) -> list[str]:
    """Labels in the order of the prompt."""
    return [entry.label for entry in ledger_of(knowledge.ask(QUESTION))]


@pytest.mark.requirement("AN-NATIVE-3")
def test_evidence_goes_up_as_search_results_and_nowhere_else(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Under the labels of the ledger, treated as in the prompt; the system text has not a word of it."""
    with ScriptedChatServer("None.") as server:
        list(knowledge.answer(QUESTION, model=AnthropicModel("m", base_url=server.address)))
    (request,) = server.requests
    (message,) = request.body["messages"]
    *results, question = message["content"]
    assert [(block["type"], block["source"], block["title"]) for block in results] == [
        ("search_result", label, label) for label in labels
    ]
    shown = {entry.label: entry.content for entry in ledger_of(knowledge.ask(QUESTION))}
    assert {block["source"]: block["content"][0]["text"] for block in results} == shown
    assert question == {"type": "text", "text": QUESTION}
    system = "".join(block["text"] for block in request.body["system"])
    assert [text for text in ("thirty days", "two weeks", *labels) if text in system] == []


@pytest.mark.requirement("AN-NATIVE-3")
def test_native_citations_are_references_to_the_ledger(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Counted, and rewritten where the caller likes, as references of any other model are."""
    reply = ScriptedReply(
        ["Leave is ", "thirty days", ", asked for ", "in writing ", "[semantic]."], cited={1: (0,), 3: (1,)}
    )
    with ScriptedChatServer(reply) as server:
        answering = knowledge.answer(QUESTION, model=AnthropicModel("m", base_url=server.address))
        shown = "".join(answering)
    first, second = (f"SOURCE [{label}]" for label in labels)
    assert shown == f"Leave is thirty days {first}, asked for in writing {second}."
    answer = answering.answer()
    assert [(item.label, len(item.offsets)) for item in answer.report.cited] == [(label, 1) for label in labels]
    assert (answer.report.unknown, answer.report.uncited) == ((), ())
    assert answer.completion == Completion(model="m", prompt_tokens=7, answer_tokens=3)


@pytest.mark.requirement("AN-INS-1")
def test_the_instructions_built_in_are_true_of_either_form(knowledge: KnowledgeBase, labels: list[str]) -> None:
    """Each source has a label and, apart, citations of its own; nothing is said of lines, or of where sources stand."""
    with ScriptedChatServer("None.") as server:
        list(knowledge.answer(QUESTION, model=AnthropicModel("m", base_url=server.address)))
    body = server.requests[0].body
    results = body["messages"][0]["content"][:-1]
    assert DEFAULT_INSTRUCTIONS in "".join(block["text"] for block in body["system"])
    assert [(block["title"], block["citations"]["enabled"]) for block in results] == [(label, True) for label in labels]
    whole = knowledge.ask(QUESTION).prompt.text
    assert DEFAULT_INSTRUCTIONS in whole
    assert [label for label in labels if f"\nSOURCE [{label}]: " not in whole] == []
    assert re.findall(r"\b(?:above|below|beneath|lines?|blocks?|begins?|title)\b", DEFAULT_INSTRUCTIONS) == []


def test_datamarks_change_nothing_about_citations(tmp_path: Path) -> None:
    """Words of the sources are joined on the way up; labels are those of the ledger, marks in a file's name or not."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "my ^ leave.txt").write_text("Everybody has thirty days of leave.\n")
    with (
        KnowledgeBase.open(tmp_path / "k.db", settings=Settings(datamark="^")) as base,
        ScriptedChatServer(ScriptedReply(["Thirty days"], cited={0: (0,)})) as server,
    ):
        base.ingest(docs)
        answerable = base.ask(QUESTION)
        answering = base.answer(QUESTION, model=AnthropicModel("m", base_url=server.address))
        list(answering)
    (piece,) = message_parts(answerable).evidence
    result = server.requests[0].body["messages"][0]["content"][0]
    assert result["content"][0]["text"] == "Everybody^has^thirty^days^of^leave."
    (entry,) = ledger_of(answerable)
    assert result["source"] == piece.label == entry.label == answerable.explain().admitted[0].citation
    assert [item.label for item in answering.answer().report.cited] == [entry.label]


@pytest.mark.requirement("AN-NATIVE-3")
def test_a_citation_of_nothing_that_was_sent_is_marked_and_reported(knowledge: KnowledgeBase) -> None:
    """As a source that was made up."""
    with ScriptedChatServer(ScriptedReply(["Forty days"], cited={0: (9,)})) as server:
        answering = knowledge.answer(QUESTION, model=AnthropicModel("m", base_url=server.address))
        assert "".join(answering) == "Forty days [unverified source]"
    assert [item.name for item in answering.answer().report.unknown] == ["search result 9"]


class Handbook:
    """Declares a standing document."""

    def contributions(self) -> tuple[ContextContribution, ...]:
        """Declare it."""
        return (ContextContribution("handbook", StaticContextSource("Be kind."), layer=ContextLayer.L1),)


@pytest.mark.requirement("AN-LED-3")
@pytest.mark.requirement("AN-NATIVE-3")
def test_a_citation_of_a_standing_document_is_one_of_a_source(tmp_path: Path) -> None:
    """It was sent to be cited: shown as a reference, counted, and found again by whoever checks the text later."""
    (tmp_path / "leave.md").write_text("Everybody has thirty days of leave.\n")
    with (
        KnowledgeBase.open(tmp_path / "k.db", contributors=[Handbook()]) as base,
        ScriptedChatServer(ScriptedReply(["Be kind.", " Bye."], cited={0: (0,)})) as server,
    ):
        base.ingest(tmp_path / "leave.md")
        answering = base.answer(QUESTION, model=AnthropicModel("m", base_url=server.address))
        assert "".join(answering) == "Be kind. SOURCE [handbook] Bye."
        ledger = ledger_of(base.ask(QUESTION))
    report = answering.answer().report
    assert ([item.label for item in report.cited], report.unknown) == (["handbook"], ())
    assert verify_answer("Be kind. SOURCE [handbook]", ledger).report.unknown == ()


@pytest.mark.requirement("AN-NATIVE-2")
@pytest.mark.parametrize("fault", [Fault.DISCONNECT, Fault.ERROR, Fault.MALFORMED])
def test_a_fault_leaves_what_was_shown(knowledge: KnowledgeBase, fault: Fault) -> None:
    """White space that waited for a reference included."""
    with ScriptedChatServer(ScriptedReply(["Thirty days. "], fault=fault)) as server:
        answering = knowledge.answer(QUESTION, model=AnthropicModel("m", base_url=server.address))
        with pytest.raises(ModelFailedError) as failed:
            list(answering)
    assert failed.value.answer.text == "Thirty days. "


class Scripted:
    """A model of the user's own that takes search results."""

    def __init__(self, *events: Any) -> None:
        self.events = events
        self.closed = False

    def stream(self, messages: Any) -> Iterator[str]:
        """Is not asked where search results are taken."""
        raise AssertionError

    def stream_search_results(self, request: Mapping[str, Any]) -> Generator[object, None, Completion]:
        """Answer the script."""
        try:
            for event in self.events:
                if isinstance(event, Exception):
                    raise event
                yield event
            return Completion(finish=FinishReason.LENGTH)
        finally:
            self.closed = True


def text(said: str) -> dict[str, Any]:
    """An event with text."""
    return {"type": "content_block_delta", "delta": {"type": "text_delta", "text": said}}


def test_stopping_early_lets_go_of_the_model(knowledge: KnowledgeBase) -> None:
    """At once, not when somebody collects it."""
    model = Scripted(text("a"), text("b"))
    answering = knowledge.answer(QUESTION, model=model)
    assert next(answering) == "a"
    answering.stop()
    assert model.closed


def test_a_model_of_ones_own_ends_and_fails_as_any_other(knowledge: KnowledgeBase) -> None:
    """Plain data is as good as the objects of a library; a plain iterator will do."""
    answering = knowledge.answer(QUESTION, model=Scripted(text("a")))
    assert (list(answering), answering.answer().completion) == (["a"], Completion(finish=FinishReason.LENGTH))
    with pytest.raises(ModelFailedError) as failed:
        list(knowledge.answer(QUESTION, model=Scripted(text("a"), ModelError("no", code="server"))))
    assert (failed.value.reason, failed.value.answer.text) == ("server", "a")
    with pytest.raises(ModelFailedError, match="raised MessageError") as failed:
        list(knowledge.answer(QUESTION, model=Scripted(text("a "), 7)))
    assert failed.value.answer.text == "a "
    model = Scripted()
    model.stream_search_results = lambda request: iter([text("a")])  # type: ignore[method-assign,assignment,return-value]  # no generator
    assert list(knowledge.answer(QUESTION, model=model)) == ["a"]


@pytest.mark.requirement("AN-NATIVE-4")
def test_the_name_says_which_api_is_asked() -> None:
    """With the key of that provider, and no other."""
    settings = Settings(model="anthropic:claude", max_answer_tokens=9, model_timeout=3.0)
    model = chat_model(settings, {ANTHROPIC_KEY_VARIABLE: " sk-1 ", KEY_VARIABLE: "sk-2"})
    assert isinstance(model, AnthropicModel)
    assert (model.model, model.endpoint.url) == ("claude", "https://api.anthropic.com")
    assert (model._api_key, model.max_tokens, model.timeout) == ("sk-1", 9, 3.0)
    local = chat_model(Settings(model="anthropic:claude", base_url="http://127.0.0.1:9"), {KEY_VARIABLE: "sk-2"})
    assert isinstance(local, AnthropicModel)
    assert (local._api_key, local.endpoint.url) == (None, "http://127.0.0.1:9")


@pytest.mark.requirement("AN-NATIVE-4")
def test_a_name_or_a_key_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked."""
    with pytest.raises(SettingsError, match=f"{ANTHROPIC_KEY_VARIABLE} is not set"):
        chat_model(Settings(model=f"{ANTHROPIC_PREFIX}claude"), {KEY_VARIABLE: "sk-2"})
    with pytest.raises(SettingsError, match="none follows"):
        chat_model(Settings(model=ANTHROPIC_PREFIX), {ANTHROPIC_KEY_VARIABLE: "sk-1"})
    monkeypatch.setitem(__import__("sys").modules, "anthropic", None)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[anthropic\]"):
        chat_model(Settings(model="anthropic:claude"), {ANTHROPIC_KEY_VARIABLE: "sk-1"})
