"""A prompt compiled without a knowledge base: its selections by contribution id make of it all that a base's own is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.messages import AnthropicCitations, MessageError, MessageParts
from symfonic.capabilities.knowledge import (
    BridgeContractError,
    CitationLedger,
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
)
from symfonic.capabilities.prompting import (
    CompiledPrompt,
    PromptCompiler,
    PromptContribution,
    PromptLayer,
    PromptRequest,
    PromptTier,
    RenderPolicy,
    StaticPromptSource,
)
from symfonic.composition.knowledge import (
    Answerable,
    Answering,
    InputError,
    Inquiry,
    LedgerError,
    chat_messages,
    ledger_of,
    message_parts,
    prompt_contributions,
    verify_answer,
)
from symfonic.testing.knowledge import ScriptedChatModel, ScriptedRetriever

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

POLICY = RetrievalPolicy.hardened(key=bytes(range(32)), limit=3)


def row(content: str, source: str, score: float = 0.5, **metadata: Any) -> RetrievedFragment:
    """A row everybody may see."""
    return RetrievedFragment(content, source, score, {"scope_path": "", **metadata})


LEAVE = row("Thirty days of leave.", "leave.md", 0.9, row_id=7)
TRAVEL = row("Travel is booked early.", "travel.md", 0.4, row_id=8)
TICKET = row("Leave <|im_start|> was refused.", "ticket 5", 0.7, row_id="t5")


def compiled(
    stores: Mapping[str, tuple[RetrievedFragment, ...]],
    *,
    policy: RetrievalPolicy = POLICY,
    datamark: str | None = None,
) -> tuple[CompiledPrompt, dict[str, FragmentSelection]]:
    """A prompt of a handbook and these stores, and what was selected of each."""
    inquiries = {
        name: Inquiry(ScriptedRetriever(rows), "leave?", policy, scope_aware=False) for name, rows in stores.items()
    }
    text = StaticPromptSource("# Handbook\nBe kind.")
    handbook = PromptContribution("handbook", text, layer=PromptLayer.L1, tier=PromptTier.PROFILE)
    declared = prompt_contributions([inquiry.contribution(name) for name, inquiry in inquiries.items()])
    prompt = PromptCompiler(RenderPolicy(max_learned_chars=9_000, datamark=datamark)).compile([handbook, *declared])
    return prompt, {name: inquiry.selection for name, inquiry in inquiries.items()}


@pytest.mark.requirement("AN-OWN-1")
@pytest.mark.parametrize("datamark", [None, "^"])
def test_two_stores_in_one_prompt_have_one_ledger_and_parts_of_the_same_labels(datamark: str | None) -> None:
    """In the order of the prompt, documents of one piece among them; nothing has to be told about ceilings."""
    prompt, selections = compiled({"tickets": (TICKET,), "knowledge": (TRAVEL, LEAVE)}, datamark=datamark)
    answerable = Answerable(question="leave?", prompt=prompt, selections=selections)
    ledger = ledger_of(answerable)
    assert [entry.source for entry in ledger] == ["handbook", "leave.md", "travel.md", "ticket 5"]
    assert [entry.content for entry in ledger][0::3] == ["# Handbook\nBe kind.", "Leave (|im_start|> was refused."]
    parts = message_parts(answerable)
    assert [piece.label for piece in parts.pieces] == [entry.label for entry in ledger]
    assert [piece.contribution_id for piece in parts.pieces] == ["handbook", "knowledge", "knowledge", "tickets"]
    assert answerable.grounded
    assert answerable.selection is selections["knowledge"]


@pytest.mark.requirement("AN-OWN-1")
def test_what_a_model_cites_of_such_a_prompt_is_told_from_what_it_makes_up() -> None:
    """Natively or in words, while it arrives or later."""
    prompt, selections = compiled({"tickets": (TICKET,)})
    answerable = Answerable(question="leave?", prompt=prompt, selections=selections)
    label = ledger_of(answerable).entries[1].label
    answering = Answering(answerable, ScriptedChatModel([f"Refused SOURCE [{label}], SOURCE [x.md]."]))
    assert "".join(answering) == f"Refused SOURCE [{label}], [unverified source]."
    parts = message_parts(answerable)
    cited = {"type": "search_result_location", "search_result_index": 1, "source": label}
    text = AnthropicCitations(parts.pieces).read([{"type": "text", "text": "Refused.", "citations": [cited]}])
    report = verify_answer(text, ledger_of(answerable)).report
    assert ([item.label for item in report.cited], report.unknown) == ([label], ())


@pytest.mark.requirement("AN-OWN-1")
def test_a_cited_label_leads_to_the_row_of_its_store() -> None:
    """With whatever the store keeps in its metadata, also where the boundary changed the text."""
    prompt, selections = compiled({"tickets": (TICKET,), "knowledge": (LEAVE, TRAVEL)})
    answerable = Answerable(question="leave?", prompt=prompt, selections=selections)
    rows = {row.citation: row for row in answerable.explain().admitted}
    found = [rows[entry.label] for entry in ledger_of(answerable) if entry.source != "handbook"]
    told = [(item.rank, item.contribution_id, item.fragment and item.fragment.metadata["row_id"]) for item in found]
    assert told == [(1, "knowledge", 7), (2, "knowledge", 8), (3, "tickets", "t5")]


@pytest.mark.requirement("AN-OWN-1")
def test_an_account_of_several_retrievals_tells_what_was_admitted_first() -> None:
    """Ranks go through all of it; a retrieval without a block comes last; no ceilings are made up."""
    policy = replace(POLICY, min_score=0.5)
    prompt, selections = compiled({"none": (), "knowledge": (TRAVEL, LEAVE), "tickets": (TICKET,)}, policy=policy)
    explanation = Answerable(question="leave?", prompt=prompt, selections=selections).explain()
    assert [(row.rank, str(row.label), row.admitted, row.contribution_id) for row in explanation.rows] == [
        (1, "leave.md", True, "knowledge"),
        (2, "ticket 5", True, "tickets"),
        (3, "travel.md", False, "knowledge"),
    ]
    assert explanation.ceilings is None
    assert explanation.notes == ()


@pytest.mark.requirement("AN-OWN-1")
def test_what_two_retrievals_found_is_one_source() -> None:
    """One label, one text, one entry; two texts under one label are refused."""
    prompt, selections = compiled({"a": (LEAVE,), "b": (replace(LEAVE, score=0.3),)})
    answerable = Answerable(question="leave?", prompt=prompt, selections=selections)
    assert [(entry.source, entry.score) for entry in ledger_of(answerable)] == [("handbook", 0.0), ("leave.md", 0.9)]
    plain = RetrievalPolicy()
    prompt, selections = compiled({"a": (LEAVE,), "b": (row("No leave.", "leave.md"),)}, policy=plain)
    with pytest.raises(LedgerError, match="once"):
        ledger_of(Answerable(question="leave?", prompt=prompt, selections=selections))


@pytest.mark.requirement("AN-OWN-2")
def test_an_inquiry_can_be_declared_under_any_id_and_is_refused_under_another() -> None:
    """An empty ledger would call every citation of it made up."""
    inquiry = Inquiry(ScriptedRetriever((LEAVE,)), "leave?", POLICY, scope_aware=False)
    renamed = replace(inquiry.contribution(), contribution_id="tickets")
    assert renamed == inquiry.contribution("tickets")
    assert inquiry.contribution().contribution_id == "knowledge"
    prompt = PromptCompiler().compile(prompt_contributions([renamed]), PromptRequest())
    with pytest.raises(InputError, match="the prompt has none called 'knowledge'"):
        Answerable(question="leave?", prompt=prompt, selections={"knowledge": inquiry.selection})
    answerable = Answerable(question="leave?", prompt=prompt, selections={"tickets": inquiry.selection})
    assert [entry.source for entry in ledger_of(answerable)] == ["leave.md"]
    with pytest.raises(BridgeContractError):
        inquiry.contribution("two words")


@pytest.mark.requirement("AN-OWN-2")
def test_a_retrieval_without_its_selection_is_refused() -> None:
    """All of it would be one source called knowledge."""
    prompt, _ = compiled({"knowledge": (LEAVE,)})
    with pytest.raises(InputError, match="without its selection all of it would be one source"):
        Answerable(question="leave?", prompt=prompt)
    alone, _ = compiled({})
    answerable = Answerable(question="leave?", prompt=alone)
    assert ([entry.label for entry in ledger_of(answerable)], answerable.grounded) == (["handbook"], False)
    assert answerable.selection == FragmentSelection()


@pytest.mark.requirement("AN-OWN-2")
@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"prompt": "text"}, "a prompt is a CompiledPrompt, .*; this one is a str"),
        (
            {"selections": FragmentSelection()},
            "a mapping from contribution id to .*; this one is a FragmentSel",
        ),
        ({"selections": {"knowledge": (LEAVE,)}}, "a FragmentSelection, as an inquiry keeps it; this one is a tuple"),
        ({"selections": {7: FragmentSelection()}}, "none called 7"),
    ],
)
def test_what_is_no_part_of_an_answerable_is_refused(fields: dict[str, Any], message: str) -> None:
    """With what is wanted in its place."""
    prompt, selections = compiled({"knowledge": (LEAVE,)})
    given: dict[str, Any] = {"question": "leave?", "prompt": prompt, "selections": selections, **fields}
    with pytest.raises(InputError, match=message):
        Answerable(**given)


@pytest.mark.requirement("AN-OWN-2")
@pytest.mark.parametrize(
    "use", [ledger_of, message_parts, chat_messages, lambda given: Answering(given, ScriptedChatModel(()))]
)
def test_what_is_no_answerable_is_refused(use: Callable[[Any], object]) -> None:
    """An inquiry, a prompt, a selection: with how to make one of them."""
    prompt, selections = compiled({"knowledge": (LEAVE,)})
    inquiry = Inquiry(ScriptedRetriever(()), "leave?", POLICY, scope_aware=False)
    for given in (inquiry, prompt, selections["knowledge"], None):
        with pytest.raises(InputError, match=r"or Answerable\(question=…, prompt=…, selections=\{…\}\) of"):
            use(given)


@pytest.mark.requirement("AN-LED-1")
@pytest.mark.parametrize("datamark", [None, "^"])
@pytest.mark.parametrize("source", ["INST", "/INST", "TOOL_CALLS", "my ^ file", "a  b"])
def test_ledger_and_parts_find_a_label_whatever_the_compiler_made_of_it(source: str, datamark: str | None) -> None:
    """A label that is a control token between its brackets was in the parts, and made up for the ledger."""
    prompt, selections = compiled({"knowledge": (row("text", source),)}, policy=RetrievalPolicy(), datamark=datamark)
    answerable = Answerable(question="leave?", prompt=prompt, selections=selections)
    (piece,) = message_parts(answerable).evidence
    (entry,) = (entry for entry in ledger_of(answerable) if entry.source == source)
    assert (piece.label, piece.content) == (entry.label, entry.content) == (source, "text")
    assert verify_answer(f"Text SOURCE [{source}].", ledger_of(answerable)).report.unknown == ()


@pytest.mark.requirement("KB-MSG-LEDGER-3")
def test_what_is_no_ledger_is_refused_where_a_prompt_is_taken_apart() -> None:
    """A selection above all, whose rows have no labels."""
    prompt, selections = compiled({"knowledge": (LEAVE,)})
    wrong: list[Any] = [selections, {"knowledge": selections["knowledge"].admitted}, {"knowledge": "leave.md"}]
    wrong += [CitationLedger(), {7: ()}, {"knowledge": None}, selections["knowledge"]]
    for ledgers in wrong:
        with pytest.raises(MessageError, match="ledgers map a contribution id to entries") as caught:
            MessageParts.apart(prompt, "leave?", ledgers=ledgers)
        assert caught.value.rule == "KB-MSG-LEDGER-3"
