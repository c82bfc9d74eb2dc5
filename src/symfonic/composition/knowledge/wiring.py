"""How the parts are put together: from a store to a compiled prompt, and the wirings that are refused.

Rules of this module: the only one that sees both capabilities. It decides nothing about rows or text; it carries values
from one side to the other, raises the compiler's ceiling to that of the retrieval, and refuses a wiring in which a
retrieval could compile to nothing but a diagnostic. Each question has its own source, which keeps what it read: the
selection that is shown is the one that was compiled, and nothing is shared between questions.

The question itself is no part of the compiled prompt. The prompt is what a model gets as its system text; the question
is the user's message and stays outside, so that the prefix of the prompt is the same for every question.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.capabilities.knowledge import (
    ContextContribution,
    ContextRead,
    ContextRequest,
    ContextScope,
    ContributionSpec,
    CounterError,
    DropCode,
    DropReason,
    FragmentSelection,
    KnowledgeRetriever,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    ScopedKnowledgeRetriever,
    assemble,
    knowledge_contribution,
    render_fragments,
    selection_revision,
    takes_scope_path,
)
from symfonic.capabilities.prompting import (
    FAILURE_CODES,
    CompiledPrompt,
    DiagnosticCode,
    PromptCompiler,
    PromptContribution,
    PromptDiagnostic,
    PromptError,
    PromptLayer,
    PromptRead,
    PromptRequest,
    PromptScope,
    PromptTier,
    RenderPolicy,
    SequentialHydrator,
    StaticPromptSource,
    compiled_chars,
)
from symfonic.capabilities.prompting import CounterError as PromptCounterError

from ._failures import failure_of
from .errors import CompileFailedError, CounterFailedError, StoreFailedError, WiringError, type_name
from .hydration import ReadingCall, current_call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ._contributors import Beside
    from .errors import KnowledgeError
    from .keys import DerivedKeys
    from .settings import Settings

__all__ = ["INSTRUCTIONS_ID", "KNOWLEDGE_ID", "Inquiry", "prompt_contributions"]

_SHORTEST_LINE: Final = len("SOURCE [a ·0123456789]: ab")
"""Characters of the shortest line with a keyed label and two characters of content."""

_SHORTEST_PLAIN_LINE: Final = len("SOURCE [a]: a")
"""Characters of the shortest line whose label has no tag."""

_LOST: Final = frozenset({DiagnosticCode.OVER_LEARNED, DiagnosticCode.OVER_PROMPT})

_TOO_LATE: Final = FragmentSelection(
    dropped=(("", DropReason("the store failed: the prompt was compiled without its answer", DropCode.STORE_FAILED)),),
    dropped_rows=(None,),
)
"""The selection of a question whose store gave no answer in time."""

INSTRUCTIONS_ID: Final = "instructions"
"""Contribution id of the operator's text."""

KNOWLEDGE_ID: Final = "knowledge"
"""Contribution id of the retrieved sources."""

DOCUMENTS_ID: Final = "documents"
"""Contribution id of the documents that a question names."""

ATTACHMENTS_ID: Final = "attachments"
"""Contribution id of the files that come with a question."""

STANDING_ID: Final = "standing"
"""Contribution id of the documents that the settings name, which every prompt shows."""


# ------------------------------------------------------------------------------------- from one side to the other


@dataclass(frozen=True, slots=True)
class BridgedSource:
    """A knowledge-side contribution as the compiler reads it: same id, scope path and turn, same text and trust."""

    spec: ContributionSpec

    @property
    def offline_safe(self) -> bool:
        """Whether reading touches no network."""
        return self.spec.offline_safe

    def read(self, request: PromptRequest) -> PromptRead:
        """Ask the knowledge side. Whatever the source says of its answer, ingested content is untrusted here."""
        answer: object = self.spec.read(ContextRequest(self.spec.contribution_id, request.scope_path, request.turn))
        if isinstance(answer, ContextRead):
            return PromptRead(answer.text, answer.revision, untrusted=True)
        # Anything else is no read on the other side either, which tells its type; what only reads like one is hidden.
        return cast("PromptRead", PromptReadOfContextSource() if type(answer) is PromptRead else answer)


class PromptReadOfContextSource:
    """Stands for a read of the wrong side: a source here answers a ContextRead. Its name is what a diagnostic tells."""


def prompt_contributions(contributions: Iterable[ContextContribution]) -> tuple[PromptContribution, ...]:
    """Assemble knowledge-side contributions and declare each to the compiler with the same words.

    What a hydrator remembers of a source it remembers of the crossed one, so contributions with
    ``requires_hydration=False`` are crossed once and compiled as often as wanted.

    Raises:
        BridgeContractError: As :func:`assemble`.
    """
    return tuple(
        PromptContribution(
            spec.contribution_id,
            BridgedSource(spec),
            capability=spec.capability,
            layer=PromptLayer(spec.layer),
            tier=PromptTier(spec.tier),
            scope=PromptScope(spec.scope),
            order=spec.order,
            inherit=spec.inherit,
            pinned=spec.pinned,
            requires_hydration=spec.requires_hydration,
            offline_safe=spec.offline_safe,
        )
        for spec in assemble(contributions)
    )


# ------------------------------------------------------------------------------------------------- one question


@dataclass(slots=True)
class _RecordingRetriever:
    """Passes a store's answer on and keeps what the store raised."""

    store: KnowledgeRetriever | ScopedKnowledgeRetriever
    failure: BaseException | None = None

    def search(self, query: str, limit: int, *, scope_path: str) -> Iterator[RetrievedFragment]:
        """Answer row by row, so that a store that answers without end is read no further than the boundary reads."""
        search: Any = self.store.search
        scope = {"scope_path": scope_path} if takes_scope_path(self.store) else {}
        try:
            yield from _rows_of(search(query, limit, **scope))
        except BaseException as error:  # whether it is a failure, the boundary decides
            self.failure = error
            raise


class _AsyncStoreError(TypeError):
    """A store whose search has to be awaited."""


def _rows_of(answer: Any) -> Iterable[RetrievedFragment]:
    if not (inspect.isawaitable(answer) or inspect.isasyncgen(answer)):
        rows: Iterable[RetrievedFragment] = answer
        return rows
    if inspect.iscoroutine(answer):
        answer.close()  # spares the host a "never awaited" warning
    raise _AsyncStoreError(
        f"a store answers with rows; this one's search answered {type_name(answer)}, which has to be awaited, and "
        "no prompt was made; wrap it in a store whose search waits for the answer (AsyncKnowledgeBase, too, runs a "
        "synchronous store in its threads)"
    )


@dataclass(slots=True)
class _Reading:
    """One time the store is asked. What it finds it keeps to itself, so one that comes late changes no later one."""

    request: ContextRequest
    call: ReadingCall | None
    selection: FragmentSelection | None = None
    failure: BaseException | None = None
    miscounted: CounterError | None = None
    dismissed: bool = False

    @property
    def left_alone(self) -> bool:
        """Whether a prompt was compiled without it, whatever it has found since."""
        return self.dismissed or (self.call is not None and self.call.left_alone)


class Inquiry:
    """One question as a source: it asks the store when the compiler reads it, and keeps the selection it made.

    Make one for each question and compile it once; it is no object to share between threads. Where its hydrator left
    it alone because it was too slow, what the store answers afterwards goes nowhere.

    Args:
        store: Is asked: any retriever, with or without the keyword ``scope_path``.
        question: What it is asked, as it stands.
        policy: Ceilings and defences.
        scope_aware: Whether the answer must depend on a scope path; without one it then reads nothing.
        offline_safe: Whether the store touches no network, so that an offline compile may ask it.

    Raises:
        BridgeContractError: As :class:`KnowledgeSource`.
    """

    __slots__ = ("_declared_as", "_reading", "_source", "offline_safe", "scope_aware")

    def __init__(
        self,
        store: KnowledgeRetriever | ScopedKnowledgeRetriever,
        question: str,
        policy: RetrievalPolicy,
        *,
        scope_aware: bool,
        offline_safe: bool = False,
    ) -> None:
        self._source = KnowledgeSource(store, question, policy, scope_aware=scope_aware, offline_safe=offline_safe)
        self._reading: _Reading | None = None
        self._declared_as = KNOWLEDGE_ID
        self.scope_aware = scope_aware
        self.offline_safe = offline_safe

    @property
    def selection(self) -> FragmentSelection:
        """What was admitted, and why everything else was not; empty until it is read.

        Of a store that was too slow it has one ``store-failed`` reason and nothing else, whatever comes later.
        """
        reading = self._reading
        if reading is not None and reading.left_alone:
            return _TOO_LATE
        return FragmentSelection() if reading is None or reading.selection is None else reading.selection

    def contribution(self, contribution_id: str = KNOWLEDGE_ID) -> ContextContribution:
        """Declare it: a tenant's where it answers by scope, the deployment's otherwise.

        Args:
            contribution_id: Its id in the prompt; another one for each where several stores are asked.

        Raises:
            BridgeContractError: It is no id.
        """
        scope = ContextScope.TENANT if self.scope_aware else ContextScope.DEPLOYMENT
        declared = replace(knowledge_contribution(contribution_id, self._source, scope=scope), source=self)
        self._declared_as = declared.contribution_id
        return declared

    def read(self, request: ContextRequest) -> ContextRead:
        """Ask the store, select and render; what an earlier reading kept is replaced.

        Raises:
            CounterError: The policy's counter raised, or answered what is no count.
        """
        recorder = _RecordingRetriever(self._source.retriever)
        reading = self._reading = _Reading(request, current_call())
        try:
            selection = replace(self._source, retriever=recorder).select(request)
        except CounterError as error:
            reading.miscounted = error  # the compiler would make it a source that failed, and the answer one without it
            raise
        reading.failure, reading.selection = recorder.failure, selection
        return ContextRead(render_fragments(selection), selection_revision(selection))

    def refuse_failed(self, prompt: CompiledPrompt | None = None) -> None:
        """Make a store that failed the caller's business: a prompt without its sources is not a smaller answer.

        Args:
            prompt: What the question was compiled into. Then what the compiler left out is told as well, and what a
                hydrator of your own left out for being too slow changes no selection any more.

        Raises:
            StoreFailedError: The store raised, answered what is no list of rows, was too slow, or was not asked at all.
            EmbedderFailedError: The store's embedder did not embed the question.
            CounterFailedError: The counter failed at a row.
            CompileFailedError: What was admitted is left out of the prompt, for a ceiling of the compiler's.
            WiringError: The prompt is none that this question was compiled into.
        """
        reading = self._reading
        told = None if prompt is None else self._left_out_of(prompt)
        if reading is None:
            raise StoreFailedError(_unanswered("the store was not asked" if told is None else told.message))
        if reading.miscounted is not None and not reading.left_alone:
            raise CounterFailedError(str(reading.miscounted)) from reading.miscounted
        if told is not None and told.code in FAILURE_CODES:
            reading.dismissed = True
            raise StoreFailedError(_unanswered(told.message))
        _refuse_failed_read(reading)
        if told is not None and told.code in _LOST:
            raise CompileFailedError(
                f"sources that were admitted stand in the prompt; {_first_words(told.message)}, and no prompt was "
                "made; raise that ceiling, or lower max_total_chars"
            )

    def _left_out_of(self, prompt: CompiledPrompt) -> PromptDiagnostic | None:
        """What the prompt says of a question without a block; nothing where it has one."""
        name = self._declared_as if self._reading is None else self._reading.request.contribution_id
        if any(block.contribution_id == name for block in prompt.blocks):
            return None
        for told in prompt.diagnostics:
            if told.contribution_id == name and told.left_out:
                return told
        if self._reading is None:
            return None
        raise WiringError(
            f"a question is looked up in the prompt that was compiled with it; this one has no {name}, and nobody "
            "could tell what became of its sources; pass the prompt of the same compile"
        )


def _refuse_failed_read(reading: _Reading) -> None:
    if reading.left_alone:
        raise StoreFailedError(_unanswered("the store did not answer in time"))
    if reading.selection is None:
        raise StoreFailedError(_unanswered("the store has not answered"))
    for _, reason in reading.selection.dropped:
        if reason.code is DropCode.STORE_FAILED:
            raise _store_failed(reading.failure, str(reason)) from reading.failure


def _unanswered(what: str) -> str:
    return (
        f"a question needs the store's answer; {_first_words(what)}, and no prompt was made; look at the store, or "
        "raise the deadline (source_deadline of the settings)"
    )


def _first_words(message: str) -> str:
    """What happened, of a message that goes on after a colon."""
    return message.partition(":")[0]


def _store_failed(failure: BaseException | None, reason: str) -> KnowledgeError:
    # What adapters raise is worded for people; anything else may quote content or credentials.
    if isinstance(failure, AdapterError):
        return failure_of(failure, remedy="; with 'none' as embedder (--embedder none) words alone are searched")
    if isinstance(failure, _AsyncStoreError):
        return StoreFailedError(str(failure))
    return StoreFailedError(f"a question needs the store's answer; {reason}, and no prompt was made; look at its cause")


# ------------------------------------------------------------------------------------------------------ ceilings


def harden(policy: RetrievalPolicy, keys: DerivedKeys, *, candidates: int = 1) -> RetrievalPolicy:
    """Switch every defence on and leave the ceilings as they are.

    The store is asked for at least ``candidates`` rows, and for more than ``limit`` in any case, so that what is left
    out can be refilled and what fell below can be seen.

    ``max_per_source`` of ``None`` becomes one less than ``limit``, at least 1; set it to ``limit`` for no such ceiling.
    """
    limit = policy.limit
    return replace(
        policy,
        key=keys.labels,
        neutralise_markers=True,
        drop_duplicates=True,
        prove_scope=True,
        report_confusables=True,
        cap_documents=True,  # what is asked here is a KnowledgeStore: it writes the key itself, from what it was given
        max_per_source=max(1, limit - 1) if policy.max_per_source is None else policy.max_per_source,
        overfetch=max(policy.overfetch, -(-max(candidates, limit + 1) // max(1, limit))),
        count=policy.count,
    )


def align(render: RenderPolicy, ceilings: Iterable[int]) -> RenderPolicy:
    """Raise the compiler's ceiling for one learned block to the highest of ``ceilings``."""
    return replace(render, max_learned_chars=max(render.max_learned_chars, *ceilings, 0))


@dataclass(frozen=True, slots=True)
class Wiring:
    """Everything a question passes through, put together once and safe to use from several threads.

    Attributes:
        policy: Ceilings and defences of the retrieval.
        compiler: With its ceilings raised to those of the retrieval.
        instructions: The operator's text: first in the prompt, never left out.
        beside: What is compiled with every question besides.
    """

    policy: RetrievalPolicy
    compiler: PromptCompiler
    instructions: PromptContribution
    beside: tuple[PromptContribution, ...] = ()

    @classmethod
    def build(
        cls,
        settings: Settings,
        keys: DerivedKeys,
        policy: RetrievalPolicy | None = None,
        beside: Beside | None = None,
    ) -> Wiring:
        """Put the parts together.

        Args:
            settings: What the deployment decided.
            keys: The derived keys of the deployment.
            policy: Ceilings of this question in place of the settings'; the defences are switched on whatever it says.
            beside: What contributors declared; nothing where ``None``.

        Raises:
            WiringError: A retrieval could compile to nothing but a diagnostic, or two counters would hold one ceiling.
            CounterFailedError: The settings' counter raised, or answered what is no count.
        """
        counting = _counting_alike(policy or settings.retrieval_policy(), settings)
        hardened = harden(counting, keys, candidates=settings.candidates)
        refuse_empty_handed(hardened)
        _refuse_low_ceiling(settings.max_learned_chars, hardened)
        render = replace(settings.render_policy(), delimiter_key=keys.delimiters)
        told = {} if beside is None else beside.ceilings
        wanted = (hardened.max_total_chars, settings.max_learned_chars or 0, *(most or 0 for most in told.values()))
        render = align(render, wanted)
        # A source that does not say how long its text may be is held by the compiler alone.
        longest = {name: render.max_learned_chars if most is None else most for name, most in told.items()}
        try:
            _refuse_lost_retrieval(render, settings.instructions, hardened.max_total_chars, longest)
        except PromptCounterError as error:
            raise CounterFailedError(str(error)) from error
        return cls(
            policy=hardened,
            compiler=PromptCompiler(render, SequentialHydrator() if beside is None else beside.hydrator),
            instructions=_instructions(settings.instructions),
            beside=() if beside is None else beside.contributions,
        )

    def ask(self, inquiry: Inquiry, scope_path: str, turn: int) -> CompiledPrompt:
        """Compile the prompt of one question; the inquiry holds the selection afterwards.

        Raises:
            StoreFailedError: The store failed.
            CompileFailedError: The operator's text made no prompt, or what was admitted had no room in it.
            CounterFailedError: The counter raised, or answered what is no count.
        """
        try:
            prompt = self.compiler.compile(
                (self.instructions, *self.beside, *prompt_contributions((inquiry.contribution(),))),
                PromptRequest(scope_path, turn),
            )
        except PromptCounterError as error:
            raise CounterFailedError(str(error)) from error
        except PromptError as error:
            raise CompileFailedError(str(error)) from error
        inquiry.refuse_failed(prompt)
        return prompt


def _counting_alike(policy: RetrievalPolicy, settings: Settings) -> RetrievalPolicy:
    """The policy with the deployment's counter: its ceilings stand in place of the settings', in their unit."""
    if policy.count is not None and policy.count != settings.count:
        raise WiringError(
            "the ceilings of a question are counted as the deployment's are; with two counters a retrieval could fit "
            "the one and be dropped by the other; leave count out of the policy, or put it into the settings"
        )
    return replace(policy, count=settings.count)


def refuse_empty_handed(policy: RetrievalPolicy, of_whom: str = "") -> None:
    """Refuse ceilings under which no row at all has a place. A ``limit`` of 0 says so itself and is left alone.

    Raises:
        WiringError: A ceiling leaves no room; ``of_whom`` follows its name.
    """
    if policy.limit == 0:
        return
    # How many tokens the shortest line has depends on the counter, and on a tag; one is the least that any can say.
    tagged = (2, _SHORTEST_LINE) if policy.key is not None else (1, _SHORTEST_PLAIN_LINE)
    content, line = tagged if policy.count is None else (1, 1)
    least = (
        ("max_fragment_chars", policy.max_fragment_chars, content),
        ("max_total_chars", policy.max_total_chars, line),
        ("max_per_source", policy.max_per_source, 1),
        ("max_rows", policy.max_rows, 1),
    )
    for name, value, needed in least:
        if value is not None and value < needed:
            raise WiringError(
                f"{name} ({value}){of_whom} must be at least {needed}; below that there is no room for a source and "
                "every retrieval would come to nothing; raise it, or set limit to 0 to ask without sources"
            )


def _refuse_lost_retrieval(
    render: RenderPolicy, instructions: str, longest: int, beside: Mapping[str, int] = MappingProxyType({})
) -> None:
    """Refuse a prompt too small for the instructions and the longest text that each contribution may answer."""
    ceiling = render.max_prompt_chars
    if ceiling is None:
        return
    unit = "characters" if render.count is None else "tokens"
    most = {**beside, KNOWLEDGE_ID: longest}
    alone, together = (_added_up if render.count is None else _tried)(render, instructions, most)
    if alone > ceiling:
        raise WiringError(
            f"max_prompt_chars ({ceiling:,}) must hold the operator's text; it takes {alone:,} {unit} and "
            "no prompt could be made; raise max_prompt_chars or shorten the instructions"
        )
    if together > ceiling:
        others = "".join(f" and {name} ({size:,})" for name, size in beside.items())
        others += " at their longest" if beside else ""
        lowered = dict.fromkeys(["max_total_chars", *(_LOWERED.get(name, f"the ceiling of {name}") for name in beside)])
        raise WiringError(
            f"max_prompt_chars ({ceiling:,}) must hold the operator's text and a retrieval of max_total_chars "
            f"({longest:,}){others}, {together:,} {unit} together; otherwise sources that were "
            f"admitted would be left out whole; raise max_prompt_chars or lower {' or '.join(lowered)}"
        )


_LOWERED: Final[Mapping[str, str]] = MappingProxyType(
    {
        STANDING_ID: "max_total_document_chars",
        DOCUMENTS_ID: "max_total_document_chars",
        ATTACHMENTS_ID: "max_total_attachment_chars",
    }
)
"""The setting that makes a contribution smaller."""


def _added_up(render: RenderPolicy, instructions: str, most: Mapping[str, int]) -> tuple[int, int]:
    """Characters of the prompt without and with the longest texts, exactly, and nothing is compiled."""
    own = (len(instructions),)
    return compiled_chars(render, own, dict.fromkeys(most, 0)), compiled_chars(render, own, most)


def _tried(render: RenderPolicy, instructions: str, most: Mapping[str, int]) -> tuple[int, int]:
    """Tokens of the same two prompts, the second as near as can be told: joined text need not count as its parts do.

    The key takes no part, so that a deployment is refused or not whatever its key is.
    """
    frame = PromptCompiler(replace(render, max_prompt_chars=None, delimiter_key=None, count=None))
    rules = _instructions(instructions)
    alone, together = (
        render.measure(
            frame.compile((rules, *(PromptContribution(name, StaticPromptSource(text)) for name in most))).text
        )
        for text in ("", "a")
    )
    return alone, together + sum(most.values())


def _instructions(text: str) -> PromptContribution:
    return PromptContribution(
        INSTRUCTIONS_ID, StaticPromptSource(text), layer=PromptLayer.L0, tier=PromptTier.OPERATING, pinned=True
    )


def _refuse_low_ceiling(ceiling: int | None, policy: RetrievalPolicy) -> None:
    if ceiling is not None and ceiling < policy.max_total_chars:
        raise WiringError(
            f"max_learned_chars ({ceiling}) must not be below max_total_chars ({policy.max_total_chars}); a retrieval "
            "between the two would be admitted and then dropped whole; leave the first out, or lower the second"
        )
