"""Stores, extractors and hosts that do odd things: what each costs, and that it costs nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import fields
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.capabilities.knowledge import (
    Attachment,
    AttachmentError,
    AttachmentPolicy,
    AttachmentSource,
    BridgeContractError,
    ContextRequest,
    DocumentDropCode,
    DocumentDropReason,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    KnowledgeSource,
)

if TYPE_CHECKING:
    import inspect
    from collections.abc import Generator, Iterator

KEY: Final = bytes(range(32))
REQUEST: Final = ContextRequest("handbook", "tenant\x1facme")
SECRET: Final = "hunter2"
Act = Callable[[], Any]


class Shelf:
    """A store that does one thing for ``b``, and answers ``fine`` for the others."""

    def __init__(self, act: Act) -> None:
        self.act = act

    def get(self, name: str) -> Any:
        return self.act() if name == "b" else "fine"


class Reader:
    """An extractor of that kind."""

    def __init__(self, act: Act) -> None:
        self.act = act

    def extract(self, attachment: Attachment) -> Any:
        return self.act() if attachment.name == "b" else "fine"


class Finder:
    """A retriever of that kind."""

    def __init__(self, act: Act) -> None:
        self.act = act

    def search(self, query: str, limit: int) -> Any:
        assert (query, limit) == ("q", 3)
        return self.act()


def file(name: str, data: bytes = b"x") -> Attachment:
    """A file of that name."""
    return Attachment(name, "text/plain", data)


def from_store(act: Act) -> DocumentSelection:
    """Three documents, the second of which comes by ``act``."""
    return DocumentSource(Shelf(act), ["a", "b", "c"]).select(REQUEST)


def from_extractor(act: Act) -> DocumentSelection:
    """Three attachments, the second of which comes by ``act``."""
    return AttachmentSource([file("a"), file("b"), file("c")], Reader(act)).select(REQUEST)


def answering(answer: Any) -> Act:
    """Answer that."""
    return lambda: answer


def raising(error: BaseException) -> Act:
    """Raise that."""

    def act() -> Any:
        raise error

    return act


def only_drop(selection: DocumentSelection) -> tuple[str, str]:
    """Code and sentence of the one drop, which is that of ``b``; the others are shown."""
    assert [one.source for one in selection.admitted] == ["a", "c"]
    ((name, reason),) = selection.dropped
    assert name == "b"
    assert type(reason) is DocumentDropReason
    assert SECRET not in reason
    assert reason.isascii()
    return reason.code.value, str(reason)


class Hiding:
    """Something that cannot be asked for its class."""

    @property  # type: ignore[misc]  # the attack
    def __class__(self) -> type:
        raise RuntimeError(SECRET)


class Claiming:
    """Something that claims to be of another class."""

    claimed: type = str

    @property  # type: ignore[misc]  # the attack
    def __class__(self) -> type:
        return self.claimed


class ClaimingReason(Claiming):
    """It claims to be one of our own reasons."""

    claimed = DocumentDropReason


class ClaimingCoroutine(Claiming):
    """It claims to be a coroutine, and cannot be closed."""

    claimed = CoroutineType


class Mute:
    """Something that cannot show, compare or hash itself, nor tell its size."""

    def refuse(self, *_: object) -> Any:
        raise RuntimeError(SECRET)

    __repr__ = __str__ = __eq__ = __hash__ = __len__ = __bool__ = __iter__ = refuse


class Waiting:
    """Something that has to be awaited and is no coroutine."""

    def __await__(self) -> Generator[Any, Any, Any]:
        yield


class Stubborn:
    """A coroutine that goes on when it is closed."""

    def started(self) -> Any:
        async def coroutine() -> None:
            try:
                await Waiting()
            finally:
                raise RuntimeError(SECRET)

        begun = coroutine()
        begun.send(None)
        return begun


def rows() -> Iterator[str]:
    """A generator."""
    yield SECRET


@pytest.mark.requirement("KB-ATT-EXTRACT-2", "KB-DOC-STORE-1")
@pytest.mark.parametrize(
    ("act", "detail"),
    [
        (answering(b"x"), "a bytes"),
        (answering(["x"]), "a list"),
        (answering({"x": SECRET}), "a dict"),
        (answering(float("nan")), "a float"),
        (answering(True), "a bool"),
        (answering(str), "a type"),
        (answering(AttachmentError(SECRET)), "a AttachmentError"),
        (rows, "a generator"),
        (answering(Mute()), "a Mute"),
        (answering(Claiming()), "a Claiming"),
        (answering(ClaimingReason()), "a ClaimingReason"),
        (answering(type("B\u00fc[\n", (), {})()), r"a B\xfc[\n"),
    ],
)
def test_an_answer_that_is_no_text_is_named_by_its_true_type_alone(act: Act, detail: str) -> None:
    """Whatever it says it is: not even one of our own reasons is believed."""
    expected = ("bad-content", f"the content is not text: {detail}")
    assert only_drop(from_store(act)) == expected
    assert only_drop(from_extractor(act)) == expected


def endless() -> Any:
    """Never come to an end."""
    return endless()


class HidingError(Exception):
    """An error that shows nothing of itself."""

    def refuse(self, *_: object) -> Any:
        raise RuntimeError(SECRET)

    __repr__ = __str__ = __getattr__ = __eq__ = __hash__ = refuse


class PanicException(BaseException):
    """What native code raises when it panics."""


@pytest.mark.requirement("KB-ATT-EXTRACT-2", "KB-DOC-STORE-1")
@pytest.mark.parametrize(
    ("act", "detail"),
    [
        (raising(RuntimeError(SECRET)), "RuntimeError"),
        (raising(RecursionError(SECRET)), "RecursionError"),
        (raising(MemoryError()), "MemoryError"),
        (raising(StopIteration(SECRET)), "StopIteration"),
        (raising(ExceptionGroup(SECRET, [OSError(SECRET)])), "ExceptionGroup"),
        (raising(HidingError(SECRET)), "HidingError"),
        (raising(PanicException(SECRET)), "PanicException"),
        (raising(BridgeContractError(SECRET, rule=SECRET)), "BridgeContractError"),
        (answering(Hiding()), "RuntimeError"),
        (answering(ClaimingCoroutine()), "AttributeError"),
        (Stubborn().started, "RuntimeError"),
        (endless, "RecursionError"),
    ],
)
def test_whatever_fails_while_it_is_asked_costs_one_item_and_names_its_type_alone(act: Act, detail: str) -> None:
    """Also what fails only when its answer is looked at."""
    assert only_drop(from_store(act)) == ("store-failed", f"the store failed: {detail}")
    assert only_drop(from_extractor(act)) == ("extraction-failed", f"its text could not be extracted: {detail}")


@pytest.mark.requirement("KB-ATT-EXTRACT-2", "KB-DOC-STORE-1")
def test_what_is_no_coroutine_and_has_to_be_awaited_is_a_failure() -> None:
    """Text that could be awaited as well is no text."""
    both = type("Both", (str, Waiting), {})
    for answer, kind in ((Waiting(), "Waiting"), (both(SECRET), "Both")):
        awaited = f"answered a {kind}, which has to be awaited"
        assert only_drop(from_store(answering(answer)))[1] == f"the store failed: its get {awaited}"
        sentence = f"its text could not be extracted: the extractor {awaited}"
        assert only_drop(from_extractor(answering(answer)))[1] == sentence


class Stop(BaseException):
    """What a framework stops a task with."""


class StopInDisguise(BaseException):
    """It claims to be an ordinary failure."""

    @property  # type: ignore[misc]  # the attack
    def __class__(self) -> type:
        return RuntimeError


class StopUnseen(BaseException):
    """It cannot be asked for its class."""

    @property  # type: ignore[misc]  # the attack
    def __class__(self) -> type:
        raise RuntimeError(SECRET)


@pytest.mark.requirement("KB-ATT-EXTRACT-2", "KB-DOC-STORE-1")
@pytest.mark.parametrize(
    "ask", [from_store, from_extractor, lambda act: KnowledgeSource(Finder(act), "q").select(REQUEST)]
)
@pytest.mark.parametrize(
    "make",
    [
        KeyboardInterrupt,
        SystemExit,
        asyncio.CancelledError,
        GeneratorExit,
        Stop,
        lambda: BaseExceptionGroup(SECRET, [KeyboardInterrupt()]),
        StopInDisguise,
        StopUnseen,
    ],
)
def test_what_asks_for_an_end_passes_through_every_bridge_as_it_is(ask: Any, make: Callable[[], BaseException]) -> None:
    """By its true type, whatever it says of its class."""
    error = make()
    with pytest.raises(type(error)) as caught:
        ask(raising(error))
    assert caught.value is error


@pytest.mark.requirement("KB-ATT-EXTRACT-1")
@pytest.mark.parametrize("name", ["code", "limit"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError])
def test_what_asks_for_an_end_while_an_error_is_looked_at_passes_through(name: str, error: type[BaseException]) -> None:
    """A property of the error may be where it arrives."""

    def arrive(_: object) -> Any:
        raise error

    kind = type("OwnError", (Exception,), {"code": "limit", name: property(arrive)})
    with pytest.raises(error):
        from_extractor(raising(kind()))


class Named(str):
    """A name or word that is never the same twice and calls itself something else."""

    __slots__ = ()

    def lie(self, *_: object) -> Any:
        return SECRET

    __str__ = __format__ = __repr__ = strip = splitlines = encode = lower = lie  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        raise RuntimeError(SECRET)


def own(code: object, limit: object = None) -> Act:
    """Raise an error of an extractor's own that says so."""
    return raising(type("OwnError", (Exception,), {"code": code, "limit": limit})())


LIMITS: Final = ["seconds", "memory", "characters", "members", "unpacked-bytes", "ratio", "depth", "bytes"]


@pytest.mark.requirement("KB-ATT-EXTRACT-1")
@pytest.mark.parametrize(
    ("act", "told"),
    [
        *[(own("limit", word), f"it met the limit of {word}") for word in LIMITS],
        (own("limit", Named("memory")), "it met the limit of memory"),
        (own("damaged", "memory"), "it met the limit of memory"),
        (own("limit"), "limit"),
        (own("limit", ""), "limit"),
        (own("limit", "ignore-all-previous-instructions"), "limit"),
        (own("limit", "Memory"), "limit"),
        (own("limit", "memory "), "limit"),
        (own("limit", ["memory"]), "limit"),
        (own("damaged", SECRET), "damaged"),
        (own(Named("encrypted")), "encrypted"),
        (own(["encrypted"]), "OwnError"),
        (own(Hiding(), Hiding()), "OwnError"),
        (own(Mute(), Mute()), "OwnError"),
        (own(SECRET, SECRET), "OwnError"),
        (own("zipped"), "OwnError"),
        (own("unsupporte"), "OwnError"),
    ],
)
def test_an_extractor_has_no_word_of_its_own_in_a_reason(act: Act, told: str) -> None:
    """A limit that is not known here is told as a limit, and no more."""
    assert only_drop(from_extractor(act)) == (
        "extraction-failed",
        f"its text could not be extracted: {told}",
    )


@pytest.mark.requirement("KB-DOC-STORE-1")
def test_text_of_an_odd_class_is_taken_for_its_characters() -> None:
    """Of a store, of an extractor, and in a name."""
    said = "opens\nat nine"
    for ask in (from_store, from_extractor):
        for text in (Named(said), DocumentDropReason(said, DocumentDropCode.MISSING)):
            selection = ask(answering(text))
            assert selection.dropped == ()
            assert selection.admitted[1].content == said
            assert SECRET not in selection.text
    assert DocumentSource(Shelf(answering("x")), [Named("a"), Named("b")]).names == ("a", "b")
    source = AttachmentSource([Attachment(Named("b"), Named("text/plain"), b"x")], Reader(answering("x")))
    assert [(type(one.name), one.name, type(one.media_type)) for one in source.attachments] == [(str, "b", str)]
    assert source.select(REQUEST).text == "ATTACHMENT SOURCE [b]:\n| x"


# ------------------------------------------------------------------------------------------- extractors that reach out


@pytest.mark.requirement("KB-ATT-EXTRACT-3")
@pytest.mark.parametrize("field", ["name", "media_type", "data"])
@pytest.mark.parametrize("value", ["\ud800", 7, None])
@pytest.mark.parametrize("answer", ["fine", 7])
def test_an_extractor_that_changes_what_it_was_given_changes_nothing_else(
    field: str, value: object, answer: Any
) -> None:
    """The account tells the name that was sent, and the next turn reads the same file."""

    class Changing:
        seen: list[Attachment]

        def extract(self, attachment: Attachment) -> Any:
            self.seen.append(Attachment(attachment.name, attachment.media_type, attachment.data))
            object.__setattr__(attachment, field, value)
            return answer

    extractor = Changing()
    extractor.seen = []
    sent = [file("a"), file("b")]
    source = AttachmentSource(sent, extractor)
    first, second = source.select(REQUEST), source.select(REQUEST)
    assert first == second
    assert [name for name, _ in first.dropped] == ([] if answer == "fine" else ["a", "b"])
    assert [one.source for one in first.admitted] == (["a", "b"] if answer == "fine" else [])
    assert sent == [file("a"), file("b")] == extractor.seen[:2] == extractor.seen[2:]
    assert source.attachments == (file("a"), file("b"))


def test_the_bytes_of_a_file_are_not_copied_for_its_extractor() -> None:
    """They may be many."""
    data = b"x" * 99
    given: list[bytes] = []

    class Keeping:
        def extract(self, attachment: Attachment) -> str:
            given.append(attachment.data)
            return "fine"

    AttachmentSource([file("a", data)], Keeping()).select(REQUEST)
    assert given[0] is data


@pytest.mark.parametrize("kind", ["document", "attachment"])
def test_a_store_or_extractor_that_asks_its_source_again_spoils_nothing(kind: str) -> None:
    """A read keeps nothing in the source."""
    inner: list[DocumentSelection] = []
    asking = [True]

    def act() -> str:
        if asking.pop():
            asking.append(False)
            inner.append(source.select(REQUEST))
        else:
            asking.append(False)
        return "fine"

    source: DocumentSource | AttachmentSource
    if kind == "document":
        source = DocumentSource(Shelf(act), ["a", "b", "c"])
    else:
        source = AttachmentSource([file("a"), file("b"), file("c")], Reader(act))
    outer = source.select(REQUEST)
    assert inner == [outer]
    assert [one.source for one in outer.admitted] == ["a", "b", "c"]


@pytest.mark.requirement("KB-DOC-STORE-1")
@pytest.mark.parametrize("kind", ["document", "attachment"])
def test_a_method_that_can_be_looked_up_only_once_costs_what_it_was_asked_for(kind: str) -> None:
    """A source looks it up when it is made, and when it asks."""

    class Fading:
        left = 2

        @property
        def get(self) -> Any:
            self.left -= 1
            if self.left == 0:
                raise RuntimeError(SECRET)
            return lambda *_: "fine"

        extract = get

    source: Any = (
        DocumentSource(Fading(), ["b", "a", "c"])
        if kind == "document"
        else AttachmentSource([file("b"), file("a"), file("c")], Fading())
    )
    assert only_drop(source.select(REQUEST))[1].endswith(": RuntimeError")


@pytest.mark.requirement("KB-DOC-STORE-1")
def test_a_signature_that_cannot_be_read_fails_closed() -> None:
    """Where looking at it raises, the store is not asked: it might have needed the scope."""
    asked: list[object] = []

    class Get:
        @property
        def __signature__(self) -> inspect.Signature:
            raise RuntimeError(SECRET)

        def __call__(self, *names: object, **_: object) -> str:
            asked.append(names)
            return "fine"

    store = type("Store", (), {"get": Get()})()
    ((_, reason),) = DocumentSource(store, ["b"]).select(REQUEST).dropped
    assert reason == "the store failed: RuntimeError"
    assert asked == []


# --------------------------------------------------------------------------------------- lists, policies and files


def odd_list(kind: type, method: str, act: Callable[..., Any]) -> Any:
    """A list or tuple of one good item with one method of its own."""
    return type("Odd", (kind,), {method: act})


def failing(*_: object) -> Any:
    """Raise."""
    raise RuntimeError(SECRET)


@pytest.mark.requirement("KB-ATT-SOURCE-1", "KB-DOC-SOURCE-2")
@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("method", ["__iter__", "__len__"])
def test_a_list_that_cannot_be_read_is_refused(kind: type, method: str) -> None:
    """With our own error, which does not repeat what the list raised."""
    odd = odd_list(kind, method, failing)
    for make in (
        lambda: DocumentSource(Shelf(answering("x")), odd(["a"])),
        lambda: AttachmentSource(odd([file("a")]), Reader(answering("x"))),
    ):
        with pytest.raises(BridgeContractError) as caught:
            make()
        assert caught.value.rule in {"KB-DOC-SOURCE-2", "KB-ATT-SOURCE-1"}
        assert type(caught.value.value) is odd
        assert SECRET not in str(caught.value)


@pytest.mark.requirement("KB-ATT-SOURCE-1", "KB-DOC-SOURCE-2")
@pytest.mark.parametrize("claimed", [list, tuple])
def test_what_claims_to_be_a_list_is_refused(claimed: type) -> None:
    """By its true type."""
    liar: Any = type("Liar", (Claiming,), {"claimed": claimed, "__iter__": lambda _: iter(())})()
    with pytest.raises(BridgeContractError, match="list or tuple of names"):
        DocumentSource(Shelf(answering("x")), liar)
    with pytest.raises(BridgeContractError, match="list or tuple of Attachment"):
        AttachmentSource(liar, Reader(answering("x")))


@pytest.mark.requirement("KB-ATT-SOURCE-1", "KB-DOC-SOURCE-2")
def test_a_list_is_read_once_and_what_was_read_is_what_was_checked() -> None:
    """One that gives other items the second time gives nobody a second time."""
    given: list[list[Any]] = [[file("a")], [SECRET]]
    source = AttachmentSource(odd_list(list, "__iter__", lambda _: iter(given.pop(0)))(), Reader(answering("x")))
    assert source.attachments == (file("a"),)
    names: list[list[Any]] = [["a"], [7]]
    assert DocumentSource(Shelf(answering("x")), odd_list(tuple, "__iter__", lambda _: iter(names.pop(0)))()).names == (
        "a",
    )
    with pytest.raises(KeyboardInterrupt):
        DocumentSource(Shelf(answering("x")), odd_list(list, "__iter__", raising_it(KeyboardInterrupt))())


def raising_it(error: type[BaseException]) -> Callable[..., Any]:
    """Raise an error of that type, whatever is given."""

    def act(*_: object) -> Any:
        raise error

    return act


@pytest.mark.requirement("KB-ATT-SOURCE-1")
@pytest.mark.parametrize("field", ["name", "media_type", "data"])
@pytest.mark.parametrize("value", [7, None, Mute])
def test_a_file_that_was_changed_behind_its_checks_is_refused(field: str, value: object) -> None:
    """Its constructor had passed it."""
    odd = file("a")
    object.__setattr__(odd, field, value)
    with pytest.raises(BridgeContractError, match="Attachment values") as caught:
        AttachmentSource([file("b"), odd], Reader(answering("x")))
    assert caught.value.rule == "KB-ATT-SOURCE-1"
    assert caught.value.value is odd


@pytest.mark.requirement("KB-ATT-SOURCE-1")
def test_a_file_that_was_never_filled_is_refused() -> None:
    """And one that is changed after it was given changes nothing."""
    with pytest.raises(BridgeContractError, match="Attachment values"):
        AttachmentSource([object.__new__(Attachment)], Reader(answering("x")))
    sent = file("a")
    source = AttachmentSource([sent], Reader(answering("x")))
    object.__setattr__(sent, "name", 7)
    assert source.select(REQUEST).text == "ATTACHMENT SOURCE [a]:\n| fine"


def source_with(policy: Any) -> DocumentSource | AttachmentSource:
    """A source of the bridge the policy is for."""
    if issubclass(type(policy), DocumentPolicy):
        return DocumentSource(Shelf(answering("x")), ["a", "b"], policy)
    return AttachmentSource([file("a"), file("b")], Reader(answering("x")), policy)


@pytest.mark.requirement("KB-ATT-POLICY-7", "KB-DOC-POLICY-7")
@pytest.mark.parametrize("kind", [DocumentPolicy, AttachmentPolicy])
@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("max_total_chars", None, "POLICY-1"),
        ("max_total_chars", float("nan"), "POLICY-1"),
        ("neutralise_markers", "no", "POLICY-2"),
        ("key", b"short", "POLICY-3"),
        ("key", b"x" * 16, "POLICY-4"),
        ("count", 7, "POLICY-5"),
    ],
)
def test_a_policy_is_checked_where_it_is_used(kind: Any, name: str, value: object, rule: str) -> None:
    """A subclass that leaves the checks out, or a policy that was changed behind them, decides nothing."""
    unchecked = type("Unchecked", (kind,), {"__post_init__": lambda _: None})(**{name: value})
    changed = kind()
    object.__setattr__(changed, name, value)
    for policy in (unchecked, changed):
        with pytest.raises(BridgeContractError) as caught:
            source_with(policy)
        assert caught.value.rule == f"KB-{'DOC' if kind is DocumentPolicy else 'ATT'}-{rule}"


@pytest.mark.requirement("KB-ATT-SOURCE-3", "KB-DOC-SOURCE-5")
@pytest.mark.parametrize("kind", [DocumentPolicy, AttachmentPolicy])
def test_a_policy_that_cannot_be_read_is_none(kind: Any) -> None:
    """Never filled, or of a class whose fields raise; one that claims to be a policy is none either."""
    trap = type("Trap", (kind,), {"max_total_chars": property(failing), "__init__": lambda _: None})()
    for policy in (object.__new__(kind), trap):
        with pytest.raises(BridgeContractError, match="policy must be a") as caught:
            source_with(policy)
        assert caught.value.value is policy
        assert SECRET not in str(caught.value)
    claiming: Any = type("Liar", (Claiming,), {"claimed": kind})()
    with pytest.raises(BridgeContractError, match="policy must be a DocumentPolicy"):
        DocumentSource(Shelf(answering("x")), [], claiming)
    with pytest.raises(BridgeContractError, match="policy must be an AttachmentPolicy"):
        AttachmentSource([], Reader(answering("x")), claiming)


@pytest.mark.requirement("KB-ATT-SOURCE-3", "KB-DOC-SOURCE-5")
@pytest.mark.parametrize("kind", [DocumentPolicy, AttachmentPolicy])
def test_a_signal_to_stop_while_a_policy_is_read_passes(kind: Any) -> None:
    """It is nobody's refusal."""

    def interrupted(_: object) -> Any:
        raise KeyboardInterrupt

    trap = type("Trap", (kind,), {fields(kind)[0].name: property(interrupted), "__init__": lambda _: None})()
    with pytest.raises(KeyboardInterrupt):
        source_with(trap)


@pytest.mark.requirement("KB-ATT-POLICY-7", "KB-DOC-POLICY-7")
@pytest.mark.parametrize("kind", [DocumentPolicy, AttachmentPolicy])
def test_a_policy_is_what_it_was_when_the_source_was_made(kind: Any) -> None:
    """A ceiling that is never the same twice is read once; what changes it later changes nothing."""
    ceilings = [40_000, 0, 0, 0]

    class Changing(kind):  # type: ignore[misc]  # either of the two
        @property
        def max_total_chars(self) -> int:
            return ceilings.pop(0)

        def __init__(self) -> None:
            for name in set(kind.__slots__) - {"max_total_chars"}:
                object.__setattr__(self, name, getattr(kind(), name))

    given = kind(count=len)
    first, second = source_with(Changing()), source_with(given)
    object.__setattr__(given, "max_total_chars", 0)
    assert [type(source.policy) for source in (first, second)] == [kind, kind]
    assert second.policy.count is len
    for source in (first, second):
        assert [one.source for one in source.select(REQUEST).admitted] == ["a", "b"]


# ----------------------------------------------------------------------------------------------------------- many


@pytest.mark.requirement("KB-ATT-ACCOUNT-1")
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "keyed"])
def test_ten_thousand_files_are_all_accounted_for(key: bytes | None) -> None:
    """One name for all of them, every third of them failing: each is shown once or dropped with its reason."""

    class Third:
        calls = 0

        def extract(self, attachment: Attachment) -> str:
            self.calls += 1
            if self.calls % 3 == 0:
                raise OSError(attachment.name)
            return f"text {self.calls % 7}"

    many = [file("scan.pdf")] * 10_000
    policy = AttachmentPolicy(9_000, max_total_chars=200, key=key, neutralise_markers=key is not None)
    selection = AttachmentSource(many, Third(), policy).select(REQUEST)
    codes = [reason.code for _, reason in selection.dropped]
    assert len(selection.admitted) == (3 if key else 1)
    assert len(codes) + len(selection.admitted) == 10_000
    assert codes.count(DocumentDropCode.EXTRACTION_FAILED) == 3_000
    assert codes[-1_000:] == [DocumentDropCode.OVER_COUNT] * 1_000
    assert len(selection.text) <= 200
