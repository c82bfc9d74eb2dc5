"""From one capability to the other: nothing is lost, nothing gains trust, and nothing can vanish unnoticed."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    ContextContribution,
    ContextRead,
    ContextRequest,
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
    StaticContextSource,
)
from symfonic.capabilities.prompting import (
    CompiledPrompt,
    DiagnosticCode,
    PromptCompiler,
    PromptContribution,
    PromptRead,
    PromptRequest,
    ReadFailure,
    RenderPolicy,
    StaticPromptSource,
    read_source,
)
from symfonic.composition.knowledge import (
    KNOWLEDGE_ID,
    ConcurrentHydrator,
    Settings,
    StoreFailedError,
    WiringError,
    prompt_contributions,
)
from symfonic.composition.knowledge.errors import CompileFailedError, CounterFailedError
from symfonic.composition.knowledge.keys import derive_keys
from symfonic.composition.knowledge.wiring import Inquiry, Wiring, align, harden

KEYS = derive_keys(bytes(range(32)))


@dataclass
class AskedSource:
    """Remembers what it was asked."""

    scope_aware: bool = True
    asked: list[ContextRequest] = field(default_factory=list)
    answer: Any = field(default_factory=lambda: ContextRead("text", "r1"))

    def read(self, request: ContextRequest) -> ContextRead:
        self.asked.append(request)
        answer: ContextRead = self.answer
        return answer


@dataclass
class Store:
    """Answers fixed rows, or raises."""

    rows: Iterable[RetrievedFragment] = ()
    error: Exception | None = None
    asked: list[tuple[str, int, str]] = field(default_factory=list)

    def search(self, query: str, limit: int, *, scope_path: str) -> Iterable[RetrievedFragment]:
        self.asked.append((query, limit, scope_path))
        if self.error is not None:
            raise self.error
        return self.rows


def row(content: str, score: float = 0.5, source: str = "a.md") -> RetrievedFragment:
    """A row everybody may see."""
    return RetrievedFragment(content, source, score, {"scope_path": "", "file": source})


@pytest.mark.requirement("CO-WIRE-1")
def test_a_contribution_crosses_with_every_field() -> None:
    """The same words on both sides, the same request, and untrusted text stays untrusted."""
    source = AskedSource()
    words: dict[str, Any] = {"layer": "L1", "tier": "profile", "scope": "tenant"}
    declared = ContextContribution("docs", source, capability="kb", order=3, inherit=False, **words)
    (crossed,) = prompt_contributions([declared])
    assert (crossed.contribution_id, crossed.capability, crossed.order) == ("docs", "kb", 3)
    assert (crossed.layer.value, crossed.tier.value, crossed.scope.value) == ("L1", "profile", "tenant")
    assert (crossed.inherit, crossed.pinned, crossed.requires_hydration) == (False, False, True)
    read = crossed.source.read(PromptRequest("tenant\x1facme", 7))
    assert source.asked == [ContextRequest("docs", "tenant\x1facme", 7)]
    assert (read.text, read.revision, read.untrusted) == ("text", "r1", True)


@pytest.mark.requirement("CO-WIRE-1")
@pytest.mark.parametrize("said", [True, False])
def test_no_source_can_make_its_text_trusted(*, said: bool) -> None:
    """Whatever it says of its answer, text from this side is untrusted on the other."""
    source = AskedSource(answer=ContextRead("text", "r1", untrusted=said))
    (crossed,) = prompt_contributions([ContextContribution("docs", source)])
    answer = crossed.source.read(PromptRequest())
    assert (answer.text, answer.revision, answer.untrusted) == ("text", "r1", True)


def test_offline_safety_crosses() -> None:
    """What needs no network on one side needs none on the other."""
    declared = ContextContribution("docs", StaticContextSource("text"))
    prompt = PromptCompiler(RenderPolicy()).compile(prompt_contributions([declared]), offline=True)
    assert [block.contribution_id for block in prompt.blocks] == ["docs"]
    (crossed,) = prompt_contributions([declared])
    assert getattr(crossed.source, "offline_safe", None) is True


@pytest.mark.requirement("CO-ERR-1")
def test_a_store_that_has_to_be_awaited_is_told_apart() -> None:
    """A coroutine or an asynchronous generator in place of rows: the message says what to do about it."""

    class Coroutine:
        async def search(self, query: str, limit: int, *, scope_path: str) -> list[RetrievedFragment]:
            return []

    class Generator:
        async def search(self, query: str, limit: int, *, scope_path: str) -> Any:
            yield row("text")

    stores: list[Any] = [Coroutine(), Generator()]
    for store in stores:
        inquiry = Inquiry(store, "leave", harden(RetrievalPolicy(), KEYS), scope_aware=False)
        inquiry.read(ContextRequest("k"))
        with pytest.raises(StoreFailedError, match=r"has to be awaited, and no prompt was made; wrap it"):
            inquiry.refuse_failed()


def test_a_source_that_answers_something_else_costs_its_block() -> None:
    """It never becomes a read."""
    answers: list[tuple[Any, str]] = [
        ("text", "(str)"),
        (PromptRead("text"), "(PromptReadOfContextSource)"),
        (ReadFailure(DiagnosticCode.TOO_SLOW, "secret"), "(ReadFailure, which is for a hydrator to answer)"),
    ]
    for answer, told in answers:
        declared = ContextContribution("docs", AskedSource(answer=answer))
        prompt = PromptCompiler(RenderPolicy()).compile(prompt_contributions([declared]))
        assert [item.code.value for item in prompt.diagnostics] == ["wrong-type"]
        assert told in prompt.diagnostics[0].message


def test_a_source_whose_read_has_to_be_awaited_is_told_as_such() -> None:
    """And nobody is warned of a coroutine that was never awaited."""

    class Later:
        async def read(self, request: ContextRequest) -> ContextRead:
            return ContextRead("text")

    source: Any = Later()
    prompt = PromptCompiler().compile(prompt_contributions([ContextContribution("docs", source)]))
    assert prompt.diagnostics[0].message == (
        "the source answered something other than a read (coroutine, as of an async def, which nobody awaits): its "
        "block is left out. Repair the source."
    )


@pytest.mark.requirement("CO-ERR-1")
def test_a_store_that_panics_in_native_code_is_a_store_that_failed() -> None:
    """Whatever it answers with besides; what asks the process to end does not end as a failure of the store."""

    class PanicException(BaseException):
        pass

    class Raising:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def search(self, query: str, limit: int, *, scope_path: str) -> Iterable[RetrievedFragment]:
            raise self.error

    wiring = Wiring.build(Settings(), KEYS)
    panic = PanicException("password")
    with pytest.raises(StoreFailedError, match="the store failed: PanicException") as caught:
        wiring.ask(Inquiry(Raising(panic), "q", wiring.policy, scope_aware=False), "", 0)
    assert caught.value.__cause__ is panic
    with pytest.raises(KeyboardInterrupt):
        wiring.ask(Inquiry(Raising(KeyboardInterrupt()), "q", wiring.policy, scope_aware=False), "", 0)


def test_two_contributions_under_one_id_are_refused() -> None:
    """Assembly checks again."""
    declared = ContextContribution("docs", StaticContextSource("text"))
    with pytest.raises(BridgeContractError):
        prompt_contributions([declared, declared])


def test_hardening_keeps_the_ceilings_and_switches_everything_on() -> None:
    """Whatever a policy says, the defences are on and the deployment's key is used."""
    policy = harden(RetrievalPolicy(4, 0.1, 100, 300, key=b"x" * 16, neutralise_markers=True), KEYS, candidates=10)
    assert policy == RetrievalPolicy(
        4,
        0.1,
        100,
        300,
        max_per_source=3,
        overfetch=3,
        neutralise_markers=True,
        drop_duplicates=True,
        prove_scope=True,
        report_confusables=True,
        cap_documents=True,
    )
    assert policy.key == KEYS.labels
    assert harden(RetrievalPolicy(1), KEYS).max_per_source == 1
    assert harden(RetrievalPolicy(4, max_per_source=4), KEYS).max_per_source == 4
    assert harden(RetrievalPolicy(4, overfetch=9), KEYS, candidates=10).overfetch == 9
    assert [harden(RetrievalPolicy(limit), KEYS, candidates=20).overfetch for limit in (5, 19, 20, 50)] == [4, 2, 2, 2]
    assert harden(RetrievalPolicy(0), KEYS, candidates=10).limit == 0


def test_whatever_hardening_means_reaches_the_product() -> None:
    """Every switch is what the boundary's own hardened mode says, and every ceiling is what the policy says.

    One switch more is on: the stores asked here write the reserved key of the document themselves.
    """
    policy = RetrievalPolicy(4, 0.1, 100, 300, max_per_source=2, overfetch=9, max_rows=77)
    hardened, default = harden(policy, KEYS), RetrievalPolicy.hardened(key=KEYS.labels, cap_documents=True)
    for item in fields(RetrievalPolicy):
        value = getattr(policy, item.name)
        expected = default if item.name == "key" or type(value) is bool else policy
        assert getattr(hardened, item.name) == getattr(expected, item.name), item.name


@pytest.mark.requirement("CO-WIRE-3")
@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (RetrievalPolicy(max_fragment_chars=1), r"max_fragment_chars \(1\) must be at least 2"),
        (RetrievalPolicy(max_total_chars=25), r"max_total_chars \(25\) must be at least 26"),
        (RetrievalPolicy(max_per_source=0), r"max_per_source \(0\) must be at least 1"),
        (RetrievalPolicy(max_rows=0), r"max_rows \(0\) must be at least 1"),
    ],
)
def test_ceilings_without_room_for_a_source_are_refused(policy: RetrievalPolicy, message: str) -> None:
    """Every question would come to nothing; a limit of 0 says the same openly and is left alone."""
    with pytest.raises(WiringError, match=message):
        Wiring.build(Settings(), KEYS, policy)
    assert Wiring.build(Settings(), KEYS, replace(policy, limit=0)).policy.limit == 0


def test_the_least_room_is_room() -> None:
    """At the bounds a source is admitted."""
    wiring = Wiring.build(Settings(), KEYS, RetrievalPolicy(1, 0.0, 2, 26, max_rows=1))
    inquiry = Inquiry(Store([row("ab", source="a")]), "q", wiring.policy, scope_aware=False)
    wiring.ask(inquiry, "", 0)
    assert [len(line) for line in inquiry.selection.lines] == [26]


def test_alignment_raises_and_never_lowers() -> None:
    """The highest ceiling of all contributions holds."""
    assert align(RenderPolicy(), (8000, 200)).max_learned_chars == 8000
    assert align(RenderPolicy(9000), (8000,)).max_learned_chars == 9000
    assert align(RenderPolicy(), ()).max_learned_chars == 500


@pytest.mark.requirement("CO-WIRE-2")
def test_the_compilers_ceiling_follows_the_retrieval() -> None:
    """Raised to the total of the lines, or to what the operator set above it."""
    assert Wiring.build(Settings(), KEYS).compiler.policy.max_learned_chars == 8000
    assert Wiring.build(Settings(max_learned_chars=9000), KEYS).compiler.policy.max_learned_chars == 9000
    wide = Wiring.build(Settings(), KEYS, RetrievalPolicy(3, max_total_chars=20_000))
    assert wide.compiler.policy.max_learned_chars == 20_000


@pytest.mark.requirement("CO-WIRE-3")
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(max_learned_chars=7999), r"max_learned_chars \(7999\) must not be below max_total_chars \(8000\)"),
        (Settings(max_prompt_chars=100), r"max_prompt_chars \(100\) must hold the operator's text"),
        (Settings(max_prompt_chars=8500), r"max_prompt_chars \(8,500\) must hold the operator's text and a retrieval"),
    ],
)
def test_a_retrieval_that_could_vanish_is_refused(settings: Settings, message: str) -> None:
    """Rule, consequence and remedy in the message."""
    with pytest.raises(WiringError, match=message):
        Wiring.build(settings, KEYS)


def test_the_refusal_is_exact() -> None:
    """One character decides, and at the ceiling the longest retrieval is in the prompt."""
    base = Settings(max_total_chars=1000, max_fragment_chars=1000, instructions="Say it.", max_prompt_chars=5000)
    with pytest.raises(WiringError) as caught:
        Wiring.build(base.changed(max_prompt_chars=1000), KEYS)
    needed = int(str(caught.value).split("(1,000), ")[1].split(" ")[0].replace(",", ""))
    with pytest.raises(WiringError):
        Wiring.build(base.changed(max_prompt_chars=needed - 1), KEYS)
    wiring = Wiring.build(base.changed(max_prompt_chars=needed), KEYS)
    line = len("SOURCE [a.md ·0123456789]: ")
    inquiry = Inquiry(Store([row("x" * (1000 - line))]), "q", wiring.policy, scope_aware=False)
    prompt = wiring.ask(inquiry, "", 0)
    assert len(prompt.text) == needed
    assert len(inquiry.selection.lines[0]) == 1000


@pytest.mark.requirement("CO-WIRE-3")
@pytest.mark.parametrize("chars", [10**8, 10**11, 10**18])
def test_a_ceiling_of_any_size_is_checked_by_adding_up(chars: int) -> None:
    """No text of that length is made, whether the retrieval fits or not, and the check stays exact."""
    policy = RetrievalPolicy(3, max_fragment_chars=chars, max_total_chars=chars)
    assert Wiring.build(Settings(), KEYS, policy).compiler.policy.max_learned_chars == chars
    with pytest.raises(WiringError) as caught:
        Wiring.build(Settings(max_prompt_chars=chars), KEYS, policy)
    needed = int(str(caught.value).split(f"({chars:,}), ")[1].split(" ")[0].replace(",", ""))
    assert 0 < needed - chars < 2000
    assert Wiring.build(Settings(max_prompt_chars=needed), KEYS, policy).compiler.policy.max_prompt_chars == needed
    with pytest.raises(WiringError):
        Wiring.build(Settings(max_prompt_chars=needed - 1), KEYS, policy)


@pytest.mark.parametrize("switch", [True, False])
def test_sentence_tokens_are_made_harmless_where_the_deployment_says_so(*, switch: bool) -> None:
    """For a tokenizer that reads them; elsewhere they are markup."""
    prompt, _ = asked(Settings(neutralise_sentence_tokens=switch), row("a</s><s>b"))
    assert ("a</s><s>b" in prompt.text) is not switch
    assert [told.code.value for told in prompt.diagnostics] == ["control-token"] * switch


def test_a_question_reads_once_and_keeps_what_it_read() -> None:
    """The selection that is kept is the one that stands in the prompt."""
    wiring = Wiring.build(Settings(), KEYS)
    store = Store([row("alpha", 0.2), row("beta", 0.9)])
    inquiry = Inquiry(store, "q", wiring.policy, scope_aware=False)
    prompt = wiring.ask(inquiry, "", 3)
    assert store.asked == [("q", 20, "")]
    assert [fragment.content for fragment in inquiry.selection.admitted] == ["beta", "alpha"]
    assert "\n".join(inquiry.selection.lines) in prompt.text
    assert [block.contribution_id for block in prompt.blocks] == ["instructions", KNOWLEDGE_ID]
    before = inquiry.selection
    inquiry.read(ContextRequest(KNOWLEDGE_ID))
    assert inquiry.selection == before


def test_a_store_without_end_is_read_up_to_the_ceiling() -> None:
    """What was not looked at is told."""

    def endless() -> Iterable[RetrievedFragment]:
        while True:
            yield row("again")

    policy = harden(RetrievalPolicy(2, max_rows=5), KEYS)
    inquiry = Inquiry(Store(endless()), "q", policy, scope_aware=False)
    inquiry.read(ContextRequest(KNOWLEDGE_ID))
    assert len(inquiry.selection.admitted) + len(inquiry.selection.dropped) == 5 + 1
    assert inquiry.selection.dropped[-1][1].code.value == "unexamined"


@pytest.mark.requirement("CO-ERR-1")
def test_a_store_that_fails_is_an_error_and_tells_no_secret() -> None:
    """Never an empty prompt; the words of a foreign exception stay in the cause."""
    wiring = Wiring.build(Settings(), KEYS)
    failure = RuntimeError("password=hunter2")
    with pytest.raises(StoreFailedError, match="the store failed: RuntimeError") as caught:
        wiring.ask(Inquiry(Store(error=failure), "q", wiring.policy, scope_aware=False), "", 0)
    assert caught.value.__cause__ is failure
    assert "hunter2" not in str(caught.value)


def test_a_store_that_answers_no_rows_is_an_error() -> None:
    """So is a number where rows are needed."""
    wiring = Wiring.build(Settings(), KEYS)
    with pytest.raises(StoreFailedError, match="TypeError"):
        wiring.ask(Inquiry(Store(rows=3), "q", wiring.policy, scope_aware=False), "", 0)  # type: ignore[arg-type]  # a store may answer anything


def test_a_store_that_is_bound_to_its_scope_can_be_asked_too() -> None:
    """It is asked without the keyword it does not take."""

    class Bound:
        def search(self, query: str, limit: int) -> list[RetrievedFragment]:
            return [row(f"{query} {limit}")]

    wiring = Wiring.build(Settings(), KEYS)
    inquiry = Inquiry(Bound(), "q", wiring.policy, scope_aware=False)
    assert "q 20" in wiring.ask(inquiry, "", 0).text
    assert [admitted.content for admitted in inquiry.selection.admitted] == ["q 20"]


def test_what_cannot_be_asked_is_refused_before_it_is_asked() -> None:
    """With the boundary's own rule."""
    with pytest.raises(BridgeContractError) as caught:
        Inquiry(object(), "q", RetrievalPolicy(), scope_aware=False)  # type: ignore[arg-type]  # the mistake under test
    assert caught.value.rule == "KB-RET-SOURCE-1"


def test_without_a_scope_a_scoped_question_reads_nothing() -> None:
    """Scope fails closed: the store is not even asked."""
    store = Store([row("alpha")])
    inquiry = Inquiry(store, "q", Wiring.build(Settings(), KEYS).policy, scope_aware=True)
    assert inquiry.contribution().scope.value == "tenant"
    inquiry.read(ContextRequest(KNOWLEDGE_ID, ""))
    assert store.asked == []
    assert [reason.code.value for _, reason in inquiry.selection.dropped] == ["empty-scope"]


def test_an_operators_text_that_makes_no_prompt_is_one_of_our_errors() -> None:
    """Errors of the compiler never leave as they are."""
    wiring = Wiring.build(Settings(), KEYS)
    inquiry = Inquiry(Store(), "q", wiring.policy, scope_aware=False)
    with pytest.raises(CompileFailedError):
        wiring.ask(inquiry, "a\ud800", 0)


# --------------------------------------------------------------------------------------------- stores that are too slow


class Slow(Store):
    """A store that answers when its gate opens, or raises then."""

    def __init__(self, *rows: RetrievedFragment, error: Exception | None = None) -> None:
        super().__init__(rows, error)
        self.gate = threading.Event()
        self.over = threading.Event()

    def search(self, query: str, limit: int, *, scope_path: str) -> Iterable[RetrievedFragment]:
        """Wait, answer, and tell when the reader is done with the answer."""
        self.gate.wait(20)
        try:
            yield from super().search(query, limit, scope_path=scope_path)
        finally:
            self.over.set()


def waited(store: Slow, inquiry: Inquiry) -> FragmentSelection:
    """Let the store answer, wait for the thread that read it, and return what the question says then."""
    store.gate.set()
    assert store.over.wait(20)
    for thread in threading.enumerate():
        if thread.name == "symfonic-knowledge read":
            thread.join(20)
    return inquiry.selection


def too_slow(store: Slow, hydrator: Any = None) -> tuple[Inquiry, CompiledPrompt]:
    """Compile a question whose store misses its deadline."""
    inquiry = Inquiry(store, "q", harden(RetrievalPolicy(), KEYS), scope_aware=False)
    compiler = PromptCompiler(RenderPolicy(8000), hydrator or ConcurrentHydrator(deadline=0.2))
    return inquiry, compiler.compile(prompt_contributions([inquiry.contribution()]))


@pytest.mark.requirement("CO-HYD-5")
@pytest.mark.parametrize("error", [None, ConnectionError()])
def test_a_late_answer_changes_no_selection(error: Exception | None) -> None:
    """A prompt was compiled without it: the account says so then, and says the same when the store has answered."""
    store = Slow(row("alpha"), error=error)
    inquiry, prompt = too_slow(store)
    assert [told.code.value for told in prompt.diagnostics] == ["too-slow"]
    for selection in (inquiry.selection, waited(store, inquiry)):
        assert selection.admitted == ()
        assert [(source, reason.code.value) for source, reason in selection.dropped] == [("", "store-failed")]
        with pytest.raises(StoreFailedError, match="did not answer in time, and no prompt was made") as caught:
            inquiry.refuse_failed()
        assert caught.value.__cause__ is None
        with pytest.raises(StoreFailedError, match=r"the source missed its deadline \(0.2 s\), and no prompt was made"):
            inquiry.refuse_failed(prompt)


@pytest.mark.requirement("CO-HYD-5")
def test_a_question_that_is_read_again_keeps_what_it_read_last() -> None:
    """Whatever the reading before it comes to afterwards."""
    store = Slow(row("alpha"))
    inquiry, _ = too_slow(store)
    store.gate.set()
    prompt = PromptCompiler(RenderPolicy(8000)).compile(prompt_contributions([inquiry.contribution()]))
    again = inquiry.selection
    assert [fragment.content for fragment in again.admitted] == ["alpha"]
    assert waited(store, inquiry) is again
    inquiry.refuse_failed()
    inquiry.refuse_failed(prompt)


class Impatient:
    """A hydrator of somebody's own: it has a deadline and tells no source of it."""

    def read_all(self, contributions: Any, request: PromptRequest) -> Any:
        """Leave every read alone at once."""
        for item in contributions:
            reading = threading.Thread(target=read_source, args=(item, request), name="symfonic-knowledge read")
            reading.start()
        return {item.contribution_id: ReadFailure(DiagnosticCode.TOO_SLOW) for item in contributions}


@pytest.mark.requirement("CO-HYD-5")
def test_a_question_is_told_by_its_prompt_that_it_was_left_alone() -> None:
    """Whoever reads with a hydrator of their own hands in the prompt; from then on no late answer counts."""
    store = Slow(row("alpha"))
    inquiry, prompt = too_slow(store, Impatient())
    assert inquiry.selection.dropped == ()
    with pytest.raises(StoreFailedError, match="has not answered"):
        inquiry.refuse_failed()
    with pytest.raises(StoreFailedError, match="missed its deadline"):
        inquiry.refuse_failed(prompt)
    assert [reason.code.value for _, reason in waited(store, inquiry).dropped] == ["store-failed"]


@pytest.mark.requirement("CO-HYD-5")
def test_a_question_that_was_not_asked_is_told() -> None:
    """Never compiled, left out of an offline compile, or not read at all because too many reads hang."""
    inquiry = Inquiry(Store(), "q", RetrievalPolicy(), scope_aware=False)
    with pytest.raises(StoreFailedError, match="the store was not asked, and no prompt was made"):
        inquiry.refuse_failed()
    offline = PromptCompiler().compile(prompt_contributions([inquiry.contribution("tickets")]), offline=True)
    with pytest.raises(StoreFailedError, match="needs an outside part and this compile is offline, and no prompt"):
        inquiry.refuse_failed(offline)
    with pytest.raises(StoreFailedError, match="the store was not asked"):
        inquiry.refuse_failed(PromptCompiler().compile([]))
    store, hydrator = Slow(), ConcurrentHydrator(deadline=0.2, max_hanging=1)
    too_slow(store, hydrator)
    inquiry, prompt = too_slow(store, hydrator)
    store.gate.set()
    with pytest.raises(StoreFailedError, match="not asked, 1 earlier reads still hang"):
        inquiry.refuse_failed(prompt)


def test_a_question_is_looked_up_in_its_own_prompt() -> None:
    """Another one cannot say what became of it."""
    inquiry = Inquiry(Store([row("alpha")]), "q", RetrievalPolicy(), scope_aware=False)
    prompt = PromptCompiler(RenderPolicy(8000)).compile(prompt_contributions([inquiry.contribution()]))
    inquiry.refuse_failed(prompt)
    with pytest.raises(WiringError, match="pass the prompt of the same compile"):
        inquiry.refuse_failed(PromptCompiler().compile([]))


def test_what_a_ceiling_took_is_told() -> None:
    """Admitted by the retrieval, dropped by the compiler: a wiring nobody checked."""
    inquiry = Inquiry(Store([row("x" * 600)]), "q", RetrievalPolicy(), scope_aware=False)
    prompt = PromptCompiler().compile(prompt_contributions([inquiry.contribution()]))
    inquiry.refuse_failed()
    with pytest.raises(
        CompileFailedError, match=r"the text has \d+ characters and max_learned_chars allows 500, and no"
    ):
        inquiry.refuse_failed(prompt)


@pytest.mark.parametrize("safe", [True, False])
def test_a_store_without_a_network_is_read_offline(*, safe: bool) -> None:
    """Where the question says so; it says no bool as the boundary does."""
    inquiry = Inquiry(Store([row("alpha")]), "q", RetrievalPolicy(), scope_aware=False, offline_safe=safe)
    prompt = PromptCompiler().compile(prompt_contributions([inquiry.contribution()]), offline=True)
    assert len(prompt.blocks) == safe
    assert [told.code.value for told in prompt.diagnostics] == ([] if safe else ["offline"])
    with pytest.raises(BridgeContractError) as caught:
        Inquiry(Store(), "q", RetrievalPolicy(), scope_aware=False, offline_safe=1)  # type: ignore[arg-type]  # no bool
    assert caught.value.rule == "KB-RET-SOURCE-5"


# ------------------------------------------------------------------------------------------------- ceilings in tokens


def words(text: str) -> int:
    """Count words."""
    return len(text.split())


COUNTED = Settings(count=words, max_total_chars=40, max_fragment_chars=20, instructions="Say it.")


def asked(settings: Settings, *rows: RetrievedFragment, policy: RetrievalPolicy | None = None) -> tuple[Any, Inquiry]:
    """Compile one question's prompt."""
    wiring = Wiring.build(settings, KEYS, policy)
    inquiry = Inquiry(Store(rows), "q", wiring.policy, scope_aware=False)
    return wiring.ask(inquiry, "", 0), inquiry


@pytest.mark.requirement("CO-COUNT-1")
def test_the_deployments_counter_holds_every_ceiling_of_a_question() -> None:
    """The retrieval's, the compiler's for one block, and the prompt's."""
    wiring = Wiring.build(COUNTED.changed(max_prompt_chars=200), KEYS)
    assert (wiring.policy.count, wiring.compiler.policy.count) == (words, words)
    assert (wiring.policy.max_total_chars, wiring.compiler.policy.max_learned_chars) == (40, 500)
    rows = [row("one " * 20, 0.9), row("two " * 21, 0.8, "b.md"), row("three " * 12, 0.7, "c.md"), row("end", 0.6)]
    prompt, inquiry = asked(COUNTED.changed(max_prompt_chars=200), *rows)
    assert [fragment.content[:3] for fragment in inquiry.selection.admitted] == ["one", "thr"]
    assert [reason.code.value for _, reason in inquiry.selection.dropped] == ["over-fragment", "over-total"]
    assert words("\n".join(inquiry.selection.lines)) == 23 + 15
    assert words(prompt.text) <= 200


@pytest.mark.requirement("CO-COUNT-1")
def test_the_ceilings_of_one_question_are_in_the_deployments_unit() -> None:
    """A policy without a counter gets it; one with another would hold one ceiling twice, differently."""
    _, inquiry = asked(COUNTED, row("one " * 20), policy=RetrievalPolicy(max_fragment_chars=19))
    assert [(reason.actual, reason.ceiling) for _, reason in inquiry.selection.dropped] == [(20, 19)]
    assert Wiring.build(COUNTED, KEYS, RetrievalPolicy(count=words)).policy.count is words
    for settings in (COUNTED, Settings()):
        with pytest.raises(WiringError, match="leave count out of the policy"):
            Wiring.build(settings, KEYS, RetrievalPolicy(count=len))


@pytest.mark.requirement("CO-COUNT-2")
def test_a_prompt_too_small_in_tokens_is_refused_when_it_is_wired() -> None:
    """For the operator's text exactly; with a retrieval as near as tokens can be told."""
    retrieval = PromptContribution(KNOWLEDGE_ID, StaticPromptSource(""))
    alone = words(PromptCompiler().compile([Wiring.build(COUNTED, KEYS).instructions, retrieval]).text)
    for ceiling, message in (
        (alone - 1, rf"must hold the operator's text; it takes {alone} tokens"),
        (alone + 40, rf"a retrieval of max_total_chars \(40\), {alone + 6 + 40} tokens together"),
        (alone + 45, "tokens together"),
    ):
        with pytest.raises(WiringError, match=message):
            Wiring.build(COUNTED.changed(max_prompt_chars=ceiling), KEYS)
    assert Wiring.build(COUNTED.changed(max_prompt_chars=alone + 46), KEYS).compiler.policy.count is words


@pytest.mark.requirement("CO-COUNT-2")
def test_sources_that_have_no_room_once_they_are_counted_are_an_error() -> None:
    """Never a prompt that says nothing of them: a counter may see more in a whole than in its parts."""

    def count(text: str) -> int:
        return words(text) * (9 if "one one" in text and "untrusted-data" in text else 1)

    settings = COUNTED.changed(count=count, max_prompt_chars=300)
    assert asked(settings, row("two " * 20))[0].blocks[-1].contribution_id == KNOWLEDGE_ID
    with pytest.raises(CompileFailedError, match=r"had \d+ tokens and max_prompt_chars is 300, and no prompt"):
        asked(settings, row("one " * 20))


@pytest.mark.requirement("CO-COUNT-3")
@pytest.mark.parametrize("at", ["wiring", "row", "prompt"])
def test_a_counter_that_fails_is_an_error_of_the_knowledge_base(at: str) -> None:
    """At the wiring, at a row, or at the prompt; never a prompt without its sources."""

    def count(text: str) -> int:
        if (at == "row" and text == "secret") or (at == "prompt" and "SOURCE [a.md" in text and "\n\n" in text):
            raise ValueError(text)
        return -1 if at == "wiring" else words(text)

    with pytest.raises(CounterFailedError) as caught:
        asked(COUNTED.changed(count=count, max_prompt_chars=300), row("secret"))
    assert type(caught.value.__cause__).__name__ == "CounterError"
    assert caught.value.code == "counter"
    assert "secret" not in str(caught.value)


def test_any_ceiling_in_tokens_may_have_room() -> None:
    """How many the shortest line has is the counter's secret; only none at all is refused."""
    policy = RetrievalPolicy(max_fragment_chars=1, max_total_chars=1)
    assert Wiring.build(COUNTED, KEYS, policy).policy.max_total_chars == 1
    for none in (replace(policy, max_fragment_chars=0), replace(policy, max_total_chars=0)):
        with pytest.raises(WiringError, match="must be at least 1"):
            Wiring.build(COUNTED, KEYS, none)
