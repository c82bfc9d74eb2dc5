"""Sources that are read at the same time: deadlines, threads that hang, late answers, the memory."""

from __future__ import annotations

import contextvars
import subprocess
import sys
import threading
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.capabilities.prompting import (
    DiagnosticCode,
    HydrationError,
    KeyedHydrator,
    PromptCompiler,
    PromptContractError,
    PromptContribution,
    PromptRead,
    PromptRequest,
    PromptTier,
    ReadFailure,
    RenderPolicy,
    SequentialHydrator,
    StaticPromptSource,
)
from symfonic.composition.knowledge import ConcurrentHydrator, SettingsError, hydration
from symfonic.composition.knowledge.hydration import current_call

if TYPE_CHECKING:
    from collections.abc import Iterator

ACME = PromptRequest("tenant\x1facme", 2)
# Long enough for a thread to start on a busy machine; only what hangs waits for all of it.
SHORT = 0.4
# Python writes out no int of so many digits.
HUGE = pytest.param(10**5000, id="huge")
LOW = pytest.param(-(10**5000), id="low")


class Answering:
    """Answers or raises what it was given, or calls it, and notes the threads it is asked in."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.threads: list[threading.Thread] = []

    def read(self, request: PromptRequest) -> Any:
        """Answer, raise what is an exception, or call what can be called."""
        self.threads.append(threading.current_thread())
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer(request) if callable(self.answer) else self.answer


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Sources of a test may wait for it; it opens when the test is over, so that no thread outlives the run."""
    event = threading.Event()
    yield event
    event.set()


def hanging(gate: threading.Event) -> Answering:
    """Return a source that answers when the gate opens."""

    def wait(request: PromptRequest) -> PromptRead:
        gate.wait()
        return PromptRead("late")

    return Answering(wait)


def item(name: str, source: Any, **fields: Any) -> PromptContribution:
    """Return a declaration of learned text."""
    return PromptContribution(name, source, **fields)


@pytest.mark.requirement("CO-HYD-1")
def test_ten_sources_are_read_at_the_same_time() -> None:
    """Each waits until all ten have begun, which no reader one after the other could bring about."""
    together = threading.Barrier(10, timeout=20)

    def meet(request: PromptRequest) -> PromptRead:
        return PromptRead(str(together.wait() < 10))

    sources = [Answering(meet) for _ in range(10)]
    items = [item(f"s{place}", source) for place, source in enumerate(sources)]
    reads = ConcurrentHydrator(deadline=30).read_all(items, ACME)
    assert reads == {f"s{place}": PromptRead("True") for place in range(10)}
    assert list(reads) == [f"s{place}" for place in range(10)]
    assert all(thread.daemon for source in sources for thread in source.threads)


@pytest.mark.requirement("CO-HYD-1")
def test_no_more_sources_run_at_once_than_there_are_workers() -> None:
    """The others wait their turn, and all are read."""
    lock, running, most = threading.Lock(), 0, 0

    def count(request: PromptRequest) -> PromptRead:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.002)
        with lock:
            running -= 1
        return PromptRead("x")

    items = [item(f"s{place}", Answering(count)) for place in range(12)]
    assert len(ConcurrentHydrator(workers=3).read_all(items, ACME)) == 12
    assert 1 <= most <= 3


@pytest.mark.requirement("CO-HYD-2")
def test_a_source_that_hangs_costs_its_own_block(gate: threading.Event) -> None:
    """One diagnostic with the deadline; the neighbours are rendered, with one worker too."""
    for workers in (1, 4):
        compiler = PromptCompiler(RenderPolicy(), ConcurrentHydrator(deadline=SHORT, workers=workers))
        kb = item("kb", Answering(PromptRead("x", untrusted=True)))
        prompt = compiler.compile([item("hangs", hanging(gate)), kb], ACME)
        assert [block.contribution_id for block in prompt.blocks] == ["kb"]
        (told,) = prompt.diagnostics
        assert (told.code, told.contribution_id) == (DiagnosticCode.TOO_SLOW, "hangs")
        assert "(0.4 s)" in told.message


@pytest.mark.requirement("CO-HYD-2")
def test_authored_text_that_hangs_fails_the_compile(gate: threading.Event) -> None:
    """Tiers fail closed whoever reads."""
    authored = PromptContribution("rules", hanging(gate), tier=PromptTier.PLATFORM)
    with pytest.raises(HydrationError) as caught:
        PromptCompiler(hydrator=ConcurrentHydrator(deadline=SHORT)).compile([authored], ACME)
    assert (caught.value.contribution_id, caught.value.code) == ("rules", "too-slow")


@pytest.mark.requirement("CO-HYD-2")
def test_a_late_answer_goes_nowhere(gate: threading.Event) -> None:
    """Not into the answers of its own round or a later one, not into the memory."""
    late = hanging(gate)
    declared = item("late", late, requires_hydration=False)
    hydrator = ConcurrentHydrator(deadline=SHORT)
    assert hydrator.read_all([declared], ACME) == {"late": ReadFailure(DiagnosticCode.TOO_SLOW, "0.4 s")}
    gate.set()
    late.threads[0].join()
    assert len(hydrator.memo) == 0
    late.answer = PromptRead("in time")
    assert ConcurrentHydrator.read_all(hydrator, [declared], ACME) == {"late": PromptRead("in time")}


@pytest.mark.requirement("CO-HYD-2")
def test_an_answer_that_comes_after_its_deadline_while_others_are_waited_for_goes_nowhere(
    gate: threading.Event,
) -> None:
    """It arrives in the queue of a round that is still going on."""
    second = threading.Event()

    def then(request: PromptRequest) -> PromptRead:
        gate.set()  # the first, whose deadline has passed, answers now
        first.threads[0].join(20)
        second.set()
        return PromptRead("x")

    first = hanging(gate)
    items = [item("first", first), item("then", Answering(then))]
    reads = ConcurrentHydrator(deadline=SHORT, workers=1).read_all(items, ACME)
    assert reads == {"first": ReadFailure(DiagnosticCode.TOO_SLOW, "0.4 s"), "then": PromptRead("x")}
    assert second.is_set()


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


@pytest.mark.requirement("CO-HYD-2")
def test_an_answer_is_late_by_when_it_was_given() -> None:
    """Not by when somebody looks: it is in nobody's prompt and in no memory, although it lies there already."""
    clock, calls = Clock(), []

    def late(request: PromptRequest) -> PromptRead:
        calls.append(current_call())
        clock.now += 20.5
        return PromptRead("LATE")

    for seconds, read in ((20, ReadFailure(DiagnosticCode.TOO_SLOW, "20 s")), (20.5, PromptRead("LATE"))):
        hydrator = ConcurrentHydrator(deadline=seconds, clock=clock)
        assert hydrator.read_all([item("late", Answering(late), requires_hydration=False)], ACME) == {"late": read}
        assert len(hydrator.memo) == int(seconds > 20)
    assert [call is not None and call.left_alone for call in calls] == [True, False]


@pytest.mark.requirement("CO-HYD-2")
def test_a_deadline_holds_while_other_answers_keep_arriving() -> None:
    """The late one is given up between two of them, and makes room for those that wait their turn."""
    clock, given_up = Clock(), threading.Event()

    def late(request: PromptRequest) -> PromptRead:
        given_up.wait(20)
        return PromptRead("LATE")

    def pass_time(request: PromptRequest) -> PromptRead:
        clock.now += 10
        return PromptRead("x")

    def end(request: PromptRequest) -> PromptRead:
        given_up.set()
        return PromptRead("x")

    items = [item("late", Answering(late), requires_hydration=False)]
    items += [item(f"s{place}", Answering(pass_time)) for place in range(9)]
    hydrator = ConcurrentHydrator(deadline=25, workers=2, clock=clock)
    reads = dict(hydrator.read_all([*items, item("last", Answering(end))], ACME))
    assert reads.pop("late") == ReadFailure(DiagnosticCode.TOO_SLOW, "25 s")
    assert set(reads.values()) == {PromptRead("x")}
    assert (len(reads), len(hydrator.memo)) == (10, 0)


@pytest.mark.requirement("CO-HYD-2")
def test_what_answered_in_time_counts_however_late_it_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever compiles may be held up while answers wait in the queue."""
    clock, answered = Clock(), threading.Barrier(3, timeout=20)

    class HeldUp(SimpleQueue[Any]):
        def get(self, block: bool = True, timeout: float | None = None) -> Any:  # noqa: FBT001, FBT002 - its signature
            if block:
                answered.wait()
                while self.qsize() < 2:
                    time.sleep(0.001)
                clock.now = 100
            return super().get(block, timeout)

    def meet(request: PromptRequest) -> PromptRead:
        answered.wait()
        return PromptRead("x")

    monkeypatch.setattr(hydration, "SimpleQueue", HeldUp)
    items = [item("a", Answering(meet)), item("b", Answering(meet))]
    reads = ConcurrentHydrator(deadline=25, clock=clock).read_all(items, ACME)
    assert reads == {"a": PromptRead("x"), "b": PromptRead("x")}


@pytest.mark.requirement("CO-HYD-3")
def test_reads_that_hang_are_bounded(gate: threading.Event) -> None:
    """Where too many do, nothing more is begun; when they have ended, sources are read again."""
    hydrator = ConcurrentHydrator(deadline=SHORT, max_hanging=2)
    stuck, fine = hanging(gate), Answering(PromptRead("x"))
    items = [item("a", stuck), item("b", stuck)]
    assert {read.code for read in hydrator.read_all(items, ACME).values() if isinstance(read, ReadFailure)} == {
        DiagnosticCode.TOO_SLOW
    }
    answer = hydrator.keyed("other key").read_all([item("fine", fine)], ACME)
    assert answer == {"fine": ReadFailure(DiagnosticCode.TOO_SLOW, "not asked, 2 earlier reads still hang")}
    assert fine.threads == []
    gate.set()
    for thread in stuck.threads:
        thread.join()
    assert hydrator.read_all([item("fine", fine)], ACME) == {"fine": PromptRead("x")}


@pytest.mark.requirement("CO-HYD-6")
def test_a_source_that_hangs_again_and_again_costs_nobody_else(gate: threading.Event) -> None:
    """It is not asked again while too many of its reads hang; others are, however many of its reads hang at once."""
    hydrator = ConcurrentHydrator(deadline=0.05, max_hanging=4, max_hanging_each=2)
    stuck, fine = hanging(gate), Answering(PromptRead("x"))
    refused = ReadFailure(DiagnosticCode.TOO_SLOW, "not asked, 2 earlier reads of it still hang")
    for place in range(6):
        reads = hydrator.read_all([item("hangs", stuck), item("fine", fine)], ACME)
        assert reads["fine"] == PromptRead("x")
        assert reads["hangs"] == (ReadFailure(DiagnosticCode.TOO_SLOW, "0.05 s") if place < 2 else refused)
    assert (len(stuck.threads), len(fine.threads)) == (2, 6)
    # Another declaration of the same object is another one; five at once are more than all may have.
    asked = [
        threading.Thread(target=hydrator.read_all, args=([item("hangs", stuck, capability="b")], ACME)) for _ in "12345"
    ]
    for thread in asked:
        thread.start()
    for thread in asked:
        thread.join()
    assert hydrator.read_all([item("fine", fine)], ACME) == {"fine": PromptRead("x")}
    for name in ("c", "d"):
        told = hydrator.read_all([item(name, stuck)], ACME)[name]
        assert told == ReadFailure(DiagnosticCode.TOO_SLOW, "0.05 s")
    told = hydrator.read_all([item("c", stuck)], ACME)["c"]
    assert isinstance(told, ReadFailure)
    assert told.detail.startswith("not asked, ")
    assert told.detail.endswith(" earlier reads still hang")
    gate.set()
    for thread in stuck.threads:
        thread.join()
    assert hydrator.read_all([item("hangs", fine)], ACME) == {"hangs": PromptRead("x")}


SCRIPT = """
import threading
from symfonic.capabilities.prompting import PromptCompiler, PromptContribution
from symfonic.composition.knowledge import ConcurrentHydrator

class Never:
    def read(self, request):
        threading.Event().wait()

prompt = PromptCompiler(hydrator=ConcurrentHydrator(deadline=0.05)).compile([PromptContribution("kb", Never())])
print(prompt.diagnostics[0].code)
"""


@pytest.mark.requirement("CO-HYD-3")
def test_a_source_that_never_answers_does_not_keep_the_process_from_ending() -> None:
    """It would wait for ever; the process is gone long before the time allowed here."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("too-slow\n", "")


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (ValueError("secret"), ReadFailure(DiagnosticCode.SOURCE_FAILED, "ValueError")),
        ("text", ReadFailure(DiagnosticCode.WRONG_TYPE, "str")),
        (None, ReadFailure(DiagnosticCode.WRONG_TYPE, "NoneType")),
        (
            ReadFailure(DiagnosticCode.UNREAD, "secret"),
            ReadFailure(DiagnosticCode.WRONG_TYPE, "ReadFailure, which is for a hydrator to answer"),
        ),
    ],
)
def test_it_answers_like_the_sequential_reader(answer: Any, failure: ReadFailure) -> None:
    """Whatever a source does."""
    items = [
        item("bad", Answering(answer)),
        item("static", StaticPromptSource("s")),
        item("ok", Answering(PromptRead("x"))),
    ]
    reads = ConcurrentHydrator().read_all(items, ACME)
    assert reads == SequentialHydrator().read_all(items, ACME)
    assert reads["bad"] == failure


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_what_stops_the_process_is_raised_where_the_compile_waits(error: BaseException) -> None:
    """And not lost in a thread."""
    with pytest.raises(type(error)):
        ConcurrentHydrator().read_all([item("kb", Answering(error))], ACME)


def test_threads_left_by_an_interruption_are_counted(gate: threading.Event) -> None:
    """They read on, and nobody waits for them."""
    stuck = hanging(gate)
    begun = threading.Event()

    def interrupt(request: PromptRequest) -> PromptRead:
        begun.wait()
        raise KeyboardInterrupt

    def begin(request: PromptRequest) -> PromptRead:
        begun.set()
        return stuck.read(request)  # type: ignore[no-any-return]  # what it is called for

    hydrator = ConcurrentHydrator(max_hanging=1)
    with pytest.raises(KeyboardInterrupt):
        hydrator.read_all([item("a", Answering(begin)), item("b", Answering(interrupt))], ACME)
    answer = hydrator.read_all([item("c", Answering(PromptRead("x")))], ACME)["c"]
    assert answer == ReadFailure(DiagnosticCode.TOO_SLOW, "not asked, 1 earlier reads still hang")


def test_fixed_text_needs_no_thread() -> None:
    """Operator's instructions are at hand; a subclass could do anything and gets one."""

    class Own(StaticPromptSource):
        def read(self, request: PromptRequest) -> PromptRead:
            return PromptRead(str(threading.current_thread() is threading.main_thread()))

    before = threading.active_count()
    reads = ConcurrentHydrator().read_all([item("static", StaticPromptSource("s")), item("own", Own(""))], ACME)
    assert reads == {"static": PromptRead("s", "static"), "own": PromptRead("False")}
    assert threading.active_count() <= before + 1


def test_a_source_sees_the_context_of_who_compiles() -> None:
    """Traces and request ids cross into the thread; what it changes there does not come back."""
    variable = contextvars.ContextVar("variable", default="unset")

    def change(request: PromptRequest) -> PromptRead:
        seen = variable.get()
        variable.set("changed")
        return PromptRead(seen)

    variable.set("mine")
    items = [item("a", Answering(change)), item("b", Answering(change))]
    assert ConcurrentHydrator().read_all(items, ACME) == {"a": PromptRead("mine"), "b": PromptRead("mine")}
    assert variable.get() == "mine"


def test_a_thread_that_cannot_be_started_is_a_failure_of_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the end of the interpreter."""

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError

    monkeypatch.setattr(threading.Thread, "start", refuse)
    reads = ConcurrentHydrator().read_all([item("kb", Answering(PromptRead("x")))], ACME)
    assert reads == {"kb": ReadFailure(DiagnosticCode.SOURCE_FAILED, "no thread could be started")}


@pytest.mark.requirement("PR-MEM-1")
def test_standing_reads_are_remembered_for_one_scope_and_key() -> None:
    """As by the sequential reader."""
    source = Answering(lambda request: PromptRead(request.scope_path))
    declared, hydrator = item("kb", source, requires_hydration=False), ConcurrentHydrator()
    other: KeyedHydrator = hydrator
    globex = PromptRequest("tenant\x1fglobex")
    for _ in range(2):
        assert hydrator.read_all([declared], ACME) == {"kb": PromptRead("tenant\x1facme")}
        assert hydrator.read_all([declared], globex) == {"kb": PromptRead("tenant\x1fglobex")}
        other.keyed("k1").read_all([declared], ACME)
    assert (len(source.threads), len(hydrator.memo)) == (3, 3)
    assert hydrator.invalidate(scope_path="tenant\x1facme") == 2
    hydrator.read_all([declared], ACME)
    assert len(source.threads) == 4


def test_a_read_that_was_under_way_during_an_invalidation_is_not_remembered() -> None:
    """It may be stale."""
    hydrator = ConcurrentHydrator()

    def forget(request: PromptRequest) -> PromptRead:
        hydrator.invalidate()
        return PromptRead("stale")

    hydrator.read_all([item("kb", Answering(forget), requires_hydration=False)], ACME)
    assert len(hydrator.memo) == 0


@pytest.mark.parametrize(
    "bad", [0, -1, True, None, "1", float("nan"), float("inf"), 10**400, 1e300, HUGE, [], "x" * 500]
)
def test_a_deadline_nobody_can_wait_for_is_refused(bad: Any) -> None:
    """No source could be in time, or none could be late."""
    with pytest.raises(SettingsError, match="deadline must be a number of seconds above 0") as caught:
        ConcurrentHydrator(deadline=bad)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["workers", "max_hanging", "max_hanging_each"])
@pytest.mark.parametrize("bad", [0, -1, True, 2.0, None, LOW, [0] * 500])
def test_numbers_of_threads_are_whole_and_positive(name: str, bad: Any) -> None:
    """Nothing could ever be read."""
    with pytest.raises(SettingsError, match=f"{name} must be a whole number") as caught:
        ConcurrentHydrator(**{name: bad})
    assert len(str(caught.value)) < 200
    with pytest.raises(PromptContractError):
        ConcurrentHydrator(memo_size=-1)


def test_nothing_to_read_is_nothing_to_wait_for() -> None:
    """No thread, no answer."""
    assert ConcurrentHydrator().read_all([], ACME) == {}
