"""The stable layers of a conversation never change a byte, whatever the store finds and in whatever order."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.messages import (
    MessageParts,
    Turn,
    anthropic_request,
    gemini_request,
    langchain_messages,
    openai_chat_request,
    openai_responses_request,
)
from symfonic.capabilities.knowledge import (
    CitationLedger,
    ContextContribution,
    ContextLayer,
    ContextTier,
    KnowledgeSource,
    LedgerEntry,
    RetrievalPolicy,
    RetrievedFragment,
    StaticContextSource,
    knowledge_contribution,
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
from symfonic.composition.knowledge import prompt_contributions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

KEY: Final = bytes(range(32))
TURNS: Final = 50
DOCUMENTS: Final = {"handbook": "| Be kind.\n| Be on time.", "policy": "| Nothing is refunded."}
SHELF: Final = tuple(
    RetrievedFragment(f"Passage {n} of <b>many</b> [{n}].", f"file-{n % 7}.md", (n % 5) / 5, {"scope_path": ""})
    for n in range(40)
)
SHAPES: Final[tuple[Callable[[MessageParts], Any], ...]] = (
    anthropic_request,
    openai_responses_request,
    openai_chat_request,
    gemini_request,
    langchain_messages,
)


@dataclass(frozen=True, slots=True)
class ShuffledStore:
    """Finds other passages every turn, some turns none, and answers in no order."""

    rng: random.Random

    def search(self, query: str, limit: int) -> list[RetrievedFragment]:
        """As many passages as chance has it."""
        return self.rng.sample(SHELF, self.rng.randint(0, limit))


def conversation(seed: int, documents: dict[str, str] = DOCUMENTS) -> Iterator[tuple[CompiledPrompt, CitationLedger]]:
    """One prompt after the other, and what each shows; declarations come in another order every time."""
    rng = random.Random(seed)
    compiler = PromptCompiler(RenderPolicy(max_learned_chars=20_000, delimiter_key=KEY))
    policy = RetrievalPolicy.hardened(key=KEY, limit=6, max_per_source=6)
    instructions = StaticPromptSource("Answer from the sources.")
    for turn in range(TURNS):
        source = KnowledgeSource(ShuffledStore(random.Random(seed + turn)), "?", policy)
        again = KnowledgeSource(ShuffledStore(random.Random(seed + turn)), "?", policy)
        standing = [
            ContextContribution(name, StaticContextSource(text), layer=ContextLayer.L1, tier=ContextTier.PROFILE)
            for name, text in documents.items()
        ]
        declared = [
            PromptContribution("rules", instructions, layer=PromptLayer.L0, tier=PromptTier.OPERATING, pinned=True),
            *prompt_contributions([*standing, knowledge_contribution("knowledge", source)]),
        ]
        rng.shuffle(declared)
        selection = again.select(request_of(turn))
        entries = [
            LedgerEntry(line.removeprefix("SOURCE [").partition("]: ")[0], row.source, row.content)
            for line, row in zip(selection.lines, selection.admitted, strict=True)
        ]
        yield compiler.compile(declared, PromptRequest(turn=turn)), CitationLedger(entries)


def request_of(turn: int) -> Any:
    """What a source is asked at a turn."""
    from symfonic.capabilities.knowledge import ContextRequest

    return ContextRequest("knowledge", turn=turn)


def stable_text(parts: MessageParts) -> str:
    """The part of the system text that a cache can keep."""
    return "".join(part.text for part in takewhile(lambda part: part.stable, parts.system))


def as_sent(shape: Callable[[MessageParts], Any], parts: MessageParts) -> str:
    """A request as bytes on the wire would be, with the system text first, as every provider reads it."""
    request = shape(parts)
    if isinstance(request, dict):
        request = [request.get("system"), request.get("systemInstruction"), *_steps(request)]
    return json.dumps(request)


def _steps(request: dict[str, Any]) -> Sequence[Any]:
    steps: Sequence[Any] = request.get("messages") or request.get("input") or request["contents"]
    return steps


@pytest.mark.requirement("KB-MSG-PREFIX-1")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_stable_prefix_of_a_conversation_never_changes_a_byte(seed: int) -> None:
    """Fifty turns: other passages, other order of rows and of declarations, the same bytes to the end of L1."""
    prompts = list(conversation(seed))
    assert len({prompt.text[: prompt.layer_ends[1]].encode() for prompt, _ in prompts}) == 1
    assert len({prompt.digests.l1 for prompt, _ in prompts}) == 1
    assert len({prompt.digests.whole for prompt, _ in prompts}) > TURNS / 2
    for form in (
        [MessageParts.whole(prompt, "?") for prompt, _ in prompts],
        [MessageParts.apart(prompt, "?", ledgers={"knowledge": ledger}) for prompt, ledger in prompts],
    ):
        assert len({stable_text(parts) for parts in form}) == 1
        assert len({parts.cache_key for parts in form}) == 1


@pytest.mark.requirement("KB-MSG-PREFIX-1")
@pytest.mark.parametrize("shape", SHAPES)
def test_apart_a_request_begins_with_all_that_was_answered_before(shape: Callable[[MessageParts], Any]) -> None:
    """What two requests in turn share reaches to the last answer they share, not only to the system text."""
    said: list[Turn] = []
    before = ""
    for number, (prompt, ledger) in enumerate(conversation(4)):
        parts = MessageParts.apart(prompt, f"Question {number}?", ledgers={"knowledge": ledger}, history=said)
        sent = unmarked(as_sent(shape, parts))
        if number >= 2:
            shared = before.index(f"Reply {number - 2}.")
            assert sent[:shared] == before[:shared]
        said += [Turn(role="user", text=f"Question {number}?"), Turn(role="assistant", text=f"Reply {number}.")]
        before = sent


def unmarked(sent: str) -> str:
    """A request without its breakpoints, which move along and are no part of what a model reads."""
    for marker in (', "cache_control": {"type": "ephemeral"}', ', "prompt_cache_breakpoint": {"mode": "explicit"}'):
        sent = sent.replace(marker, "")
    return sent


@pytest.mark.requirement("KB-MSG-PREFIX-1")
def test_a_changed_document_changes_the_prefix() -> None:
    """The check can fail: L0 stays, L1 and its key do not."""
    changed = {**DOCUMENTS, "policy": "| Everything is refunded."}
    (first, _), (second, _) = next(conversation(1)), next(conversation(1, changed))
    assert first.digests.l0 == second.digests.l0
    assert first.digests.l1 != second.digests.l1
    assert MessageParts.whole(first, "?").cache_key != MessageParts.whole(second, "?").cache_key
