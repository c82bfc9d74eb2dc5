"""Where the two capabilities meet: they never import each other, so the strings they share are held equal here."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from symfonic.capabilities import knowledge, prompting
from symfonic.capabilities.knowledge import (
    ContextContribution,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContextScope,
    ContextTier,
    ContributionSpec,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    StaticContextSource,
    assemble,
    knowledge_contribution,
    render_fragments,
)
from symfonic.capabilities.prompting import (
    CompiledPrompt,
    PromptCompiler,
    PromptContractError,
    PromptContribution,
    PromptLayer,
    PromptRead,
    PromptRequest,
    PromptScope,
    PromptTier,
    RenderPolicy,
    StaticPromptSource,
    authority_note,
)
from symfonic.composition.knowledge import Settings, prompt_contributions
from symfonic.composition.knowledge.keys import derive_keys
from symfonic.composition.knowledge.wiring import Inquiry, Wiring, align

KEYS = derive_keys(bytes(range(32)))


# ---------------------------------------------------------------------------------------------------- the vocabulary


@pytest.mark.requirement("CO-SEAM-1")
@pytest.mark.parametrize(
    ("ours", "theirs"), [(ContextLayer, PromptLayer), (ContextTier, PromptTier), (ContextScope, PromptScope)]
)
def test_both_sides_use_the_same_words(ours: Any, theirs: Any) -> None:
    """Names and strings, in the same order, so that a word crosses and means the same."""
    assert [(member.name, member.value) for member in ours] == [(member.name, member.value) for member in theirs]


@pytest.mark.requirement("CO-SEAM-1")
def test_both_sides_rank_layers_and_call_the_same_tiers_authored() -> None:
    """The ladder decides the order of the prompt, the authored tiers decide about trust."""
    assert [str(layer) for layer in knowledge.LAYER_LADDER] == [str(layer) for layer in prompting.LAYER_LADDER]
    assert {str(tier) for tier in knowledge.AUTHORED_TIERS} == {str(tier) for tier in prompting.AUTHORED_TIERS}


@pytest.mark.requirement("CO-SEAM-1")
def test_every_value_of_assembly_has_its_field_in_the_compiler() -> None:
    """What is assembled can be declared; only the scope's proof and the read itself are not a declaration."""
    assembled = {item.name for item in fields(ContributionSpec)} - {"scope_aware", "read"}
    assert assembled == {item.name for item in fields(PromptContribution)} - {"source"}


@pytest.mark.requirement("CO-SEAM-1")
def test_both_sides_ask_and_answer_with_the_same_fields() -> None:
    """A read crosses whole; the request loses only the id, which the bridge adds again."""
    assert [item.name for item in fields(ContextRead)] == [item.name for item in fields(PromptRead)]
    assert {item.name for item in fields(ContextRequest)} - {"contribution_id"} == {
        item.name for item in fields(PromptRequest)
    }


@pytest.mark.requirement("CO-SEAM-1")
def test_both_sides_rank_by_the_same_key() -> None:
    """Layer, order, id: what assembly sorted the compiler leaves in place."""
    declared = [
        ContextContribution(name, StaticContextSource(name), layer=ContextLayer(layer), order=order)
        for name in ("b", "a", "B", "a.1")
        for layer in ("L2", "L1")
        for order in (3, -1)
        if not (name == "a" and layer == "L1")
    ]
    numbered = [
        ContextContribution(f"{item.contribution_id}-{place}", item.source, layer=item.layer, order=item.order)
        for place, item in enumerate(declared)
    ]
    specs = [spec.contribution_id for spec in assemble(numbered)]
    prompt = PromptCompiler().compile(reversed(prompt_contributions(numbered)))
    assert [block.contribution_id for block in prompt.blocks] == specs


@pytest.mark.requirement("CO-SEAM-1")
@pytest.mark.parametrize("name", ["a", "A.b-c_9", "x" * 128, "", "x" * 129, "a b", "a\n", "é", 'a"', "a/b", "\x00"])
def test_both_sides_take_the_same_ids(name: str) -> None:
    """An id that one side takes the other must not refuse in the middle of a turn."""
    taken = []
    for build, error in (
        (lambda: ContextContribution(name, StaticContextSource("x")), knowledge.BridgeContractError),
        (lambda: PromptContribution(name, StaticPromptSource("x")), PromptContractError),
    ):
        try:
            build()
        except error:
            taken.append(False)
        else:
            taken.append(True)
    assert taken[0] is taken[1]
    assert taken[0] is (name in {"a", "A.b-c_9", "x" * 128})


# ------------------------------------------------------------------------------------------------------- the ceilings


class Shelf:
    """Answers one row of a given length."""

    def __init__(self, content: str) -> None:
        self.content = content

    def search(self, query: str, limit: int, *, scope_path: str = "") -> list[RetrievedFragment]:
        """Answer the row, for everybody."""
        return [RetrievedFragment(self.content, "a.md", 0.9, {"scope_path": ""})]


def retrieval(content: str, policy: RetrievalPolicy) -> tuple[PromptContribution, ...]:
    """Return the retrieval of one row, carried over to the compiler."""
    return prompt_contributions([knowledge_contribution("knowledge", KnowledgeSource(Shelf(content), "q", policy))])


def codes(prompt: CompiledPrompt) -> list[tuple[str, str]]:
    """Return code and contribution of every diagnostic."""
    return [(str(diagnostic.code), diagnostic.contribution_id) for diagnostic in prompt.diagnostics]


class TestRenderPolicyAlignment:
    """The default ceiling of the compiler is far below that of a retrieval; somebody has to raise it."""

    @pytest.mark.requirement("CO-SEAM-2")
    def test_by_default_a_longer_retrieval_compiles_to_a_diagnostic_and_nothing_else(self) -> None:
        """Both sides keep their promise, and the prompt has no source: this is what the root prevents."""
        policy = RetrievalPolicy()
        content = "x" * (501 - len("SOURCE [a.md]: "))
        prompt = PromptCompiler(RenderPolicy()).compile(retrieval(content, policy))
        assert codes(prompt) == [("over-learned", "knowledge")]
        assert (prompt.diagnostics[0].actual, prompt.diagnostics[0].ceiling) == (501, 500)
        assert prompt.text == authority_note(RenderPolicy())
        assert prompt.blocks == ()

    @pytest.mark.requirement("CO-SEAM-2")
    def test_one_character_less_is_rendered(self) -> None:
        """The ceiling is 500 characters of the block's text, the line's label included."""
        content = "x" * (500 - len("SOURCE [a.md]: "))
        prompt = PromptCompiler(RenderPolicy()).compile(retrieval(content, RetrievalPolicy()))
        assert (codes(prompt), len(prompt.blocks)) == ([], 1)

    @pytest.mark.requirement("CO-SEAM-2")
    @pytest.mark.parametrize("total", [400, 501, 8000, 30_000])
    def test_an_aligned_policy_holds_whatever_the_retrieval_may_answer(self, total: int) -> None:
        """Raised to the ceiling of the lines and never lowered, so the fullest retrieval is rendered."""
        policy = RetrievalPolicy(max_fragment_chars=total, max_total_chars=total)
        render = align(RenderPolicy(), (policy.max_total_chars,))
        assert render.max_learned_chars == max(500, total)
        content = "x" * (total - len("SOURCE [a.md]: "))
        prompt = PromptCompiler(render).compile(retrieval(content, policy))
        assert codes(prompt) == []
        block = prompt.blocks[0]
        assert block.content_end - block.content_start == total

    @pytest.mark.requirement("CO-SEAM-2")
    @pytest.mark.parametrize("settings", [Settings(), Settings(max_total_chars=300, max_fragment_chars=300)])
    def test_the_composition_root_raises_the_ceiling_to_its_own_ceilings(self, settings: Settings) -> None:
        """Nobody who uses it has to know: a retrieval at its ceiling is in the prompt."""
        wiring = Wiring.build(settings, KEYS)
        assert wiring.compiler.policy.max_learned_chars == max(500, settings.max_total_chars)
        longest = settings.max_total_chars - len("SOURCE [a.md ·0123456789]: ")
        content = "x" * min(settings.max_fragment_chars, longest)
        inquiry = Inquiry(Shelf(content), "q", wiring.policy, scope_aware=False)
        prompt = wiring.ask(inquiry, "", 0)
        assert codes(prompt) == []
        assert render_fragments(inquiry.selection) in prompt.text
