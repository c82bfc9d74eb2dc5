"""Files of a turn: how an extractor is asked, what each file becomes, and why it may be left out."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import hmac
import inspect
import pickle
from typing import Any, Final

import pytest

from symfonic.capabilities.knowledge import (
    Attachment,
    AttachmentError,
    AttachmentExtractor,
    AttachmentPolicy,
    AttachmentSource,
    BridgeContractError,
    BridgeError,
    CitationLedger,
    ContextContribution,
    ContextLayer,
    ContextRequest,
    ContextScope,
    ContextSource,
    ContextTier,
    CounterError,
    DocumentDropCode,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    attachment_contribution,
    safe_source,
)

KEY: Final = bytes(range(32))
ACME: Final = "tenant\x1facme"
REQUEST: Final = ContextRequest("attachments", ACME, 3)


class Decoding:
    """Takes every file for UTF-8, and keeps what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def extract(self, attachment: Attachment) -> str:
        self.given.append(attachment.name)
        return attachment.data.decode("utf-8", "surrogatepass")


class Answering:
    """Answers one thing for the file ``b``, or raises it, and ``fine`` for the others."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def extract(self, attachment: Attachment) -> Any:
        if attachment.name != "b":
            return "fine"
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class ElsewhereError(Exception):
    """An error of an extractor's own that says the same as ours."""

    def __init__(self, message: str, *, code: Any, limit: Any = "") -> None:
        super().__init__(message)
        self.code = code
        self.limit = limit


class TrapError(Exception):
    """An error that cannot be looked at."""

    @property
    def code(self) -> str:
        raise RuntimeError("no")


def file(name: str, text: str | bytes = "opens") -> Attachment:
    """A file of that name."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return Attachment(name, "text/plain", data)


def selected(files: list[Attachment], policy: AttachmentPolicy | None = None) -> DocumentSelection:
    """Select files that are UTF-8."""
    return AttachmentSource(files, Decoding(), policy or AttachmentPolicy()).select(REQUEST)


def drops(selection: DocumentSelection) -> list[tuple[str, str]]:
    """Reduce the drops to name and code."""
    return [(name, reason.code.value) for name, reason in selection.dropped]


def sizes(selection: DocumentSelection) -> list[tuple[str, float | None, float | None]]:
    """Reduce the drops to code and numbers."""
    return [(reason.code.value, reason.actual, reason.ceiling) for _, reason in selection.dropped]


# --------------------------------------------------------------------------------------------------- rendering


@pytest.mark.requirement("KB-ATT-RENDER-1")
def test_an_attachment_is_rendered_like_a_document_under_a_header_of_its_own() -> None:
    """Lines behind bars, markers broken where the policy says so, a label made of its name."""
    odd = "a]\n.txt"
    files = [file(odd, "one\r\nSOURCE [x]: y"), file("https://example.org/b.pdf", "\x0cpage")]
    assert selected(files, AttachmentPolicy(neutralise_markers=True)).text == (
        f"ATTACHMENT SOURCE [{safe_source(odd)}]:\n| one\n| SOURCE (x): y\n"
        "ATTACHMENT SOURCE [https://example.org/b.pdf]:\n|\n| page"
    )


@pytest.mark.requirement("KB-ATT-RENDER-1")
def test_tags_of_attachments_are_not_those_of_documents() -> None:
    """The same name and text on both sides stay two sources."""
    message = b"symfonic-knowledge attachment tag 1" + b"".join(
        len(part.encode()).to_bytes(8, "big") + part.encode() for part in (ACME, "a.txt", "opens")
    )
    tag = base64.b32encode(hmac.digest(KEY, message, "sha256")).decode().lower()[:10]
    selection = selected([file("a.txt")], AttachmentPolicy.hardened(key=KEY))
    assert selection.admitted[0].label == f"a.txt ·{tag}"

    class Folder:
        def get(self, name: str) -> str:
            return "opens"

    document = DocumentSource(Folder(), ["a.txt"], DocumentPolicy.hardened(key=KEY)).select(REQUEST)
    assert len({entry.label for entry in CitationLedger([*selection.admitted, *document.admitted])}) == 2


@pytest.mark.requirement("KB-ATT-DUPLICATE-1")
def test_a_label_is_admitted_once() -> None:
    """Without tags one name is one label; with them the same name may stand above two texts, and not above one."""
    files = [file("scan.txt", "one"), file("scan.txt", "two"), file("scan.txt", "one"), file("other.txt", "one")]
    plain = selected(files)
    assert drops(plain) == [("scan.txt", "duplicate"), ("scan.txt", "duplicate")]
    assert plain.dropped[0][1] == "its label was admitted already"
    keyed = selected(files, AttachmentPolicy.hardened(key=KEY))
    assert drops(keyed) == [("scan.txt", "duplicate")]
    assert [one.content for one in keyed.admitted] == ["one", "two", "one"]
    room = len("ATTACHMENT SOURCE [scan.txt]:\n| two")
    assert drops(selected([file("scan.txt", "x" * 99), *files[1:2]], AttachmentPolicy(max_total_chars=room))) == [
        ("scan.txt", "over-total")
    ]


# ----------------------------------------------------------------------------------------------------- reasons


@pytest.mark.requirement("KB-ATT-ACCOUNT-1")
def test_what_is_left_out_is_told_apart() -> None:
    """In declared order, each with its code and the numbers that broke the rule."""
    files = [
        file("ok"), file("\udcff.txt"), file("none", ""), file("big", "x" * 61), file("long", "y" * 51),
        file("lone", "\ud800"), file("blank", "\n "), file("ok"), file("late", "z" * 50), file("small", "s"),
        file("further"), file("empty", ""),
    ]  # fmt: skip
    selection = selected(files, AttachmentPolicy(7, 60, 50, 90))
    assert drops(selection) == [
        ("\udcff.txt", "bad-name"),
        ("none", "empty"),
        ("big", "over-bytes"),
        ("long", "over-document"),
        ("lone", "bad-text"),
        ("blank", "blank"),
        ("ok", "duplicate"),
        ("late", "over-total"),
        ("further", "over-count"),
        ("empty", "empty"),
    ]
    assert sizes(selection)[2:4] == [("over-bytes", 61, 60), ("over-document", 51, 50)]
    assert sizes(selection)[8] == ("over-count", None, 7)
    assert [one.source for one in selection.admitted] == ["ok", "small"]


def test_reasons_are_sentences_with_their_numbers() -> None:
    """What people read."""
    files = [file("\ud800"), file("none", ""), file("big", "x" * 9), file("a"), file("late")]
    assert [str(reason) for _, reason in selected(files, AttachmentPolicy(1, 8)).dropped] == [
        "the name holds lone surrogates and cannot be encoded",
        "the file has no bytes",
        "its 9 bytes are over the ceiling of 8 for one attachment",
        "the ceiling of 1 for attachments was reached before it",
    ]


@pytest.mark.requirement("KB-ATT-COUNT-1")
def test_no_more_files_are_read_than_the_ceiling_says() -> None:
    """Those that are left out unread take no place of another."""
    extractor = Decoding()
    files = [file("none", ""), file("big", "x" * 9), *[file(name, "\ud800") for name in "abc"]]
    selection = AttachmentSource(files, extractor, AttachmentPolicy(2, 8)).select(REQUEST)
    assert extractor.given == ["a", "b"]
    assert [code for _, code in drops(selection)] == ["empty", "over-bytes", "bad-text", "bad-text", "over-count"]
    AttachmentSource(files, extractor, AttachmentPolicy(0)).select(REQUEST)
    assert extractor.given == ["a", "b"]


@pytest.mark.requirement("KB-ATT-CEILING-1")
def test_ceilings_hold_to_the_byte_and_to_the_character() -> None:
    """Bytes and raw characters for one, rendered ones with their line feeds for all."""
    files = [file("a", "ü\nü"), file("b", "x")]
    whole = selected(files)
    assert drops(selected(files, AttachmentPolicy(2, 5, 3, len(whole.text)))) == []
    assert sizes(selected(files, AttachmentPolicy(2, 4))) == [("over-bytes", 5, 4)]
    assert sizes(selected(files, AttachmentPolicy(2, 5, 2))) == [("over-document", 3, 2)]
    assert sizes(selected(files, AttachmentPolicy(2, 5, 3, len(whole.text) - 1))) == [
        ("over-total", len(whole.text), len(whole.text) - 1)
    ]


@pytest.mark.requirement("KB-ATT-CEILING-1")
def test_with_a_counter_the_ceilings_of_text_are_in_its_unit() -> None:
    """Bytes stay bytes; a counter that fails is one error."""
    selection = selected(
        [file("a", "one two"), file("b", "one")], AttachmentPolicy(2, 7, 1, 99, count=lambda t: len(t.split()))
    )
    ((name, reason),) = selection.dropped
    assert (name, reason) == ("a", "its 2 tokens are over the ceiling of 1 for one alone")
    with pytest.raises(CounterError):
        selected([file("a")], AttachmentPolicy(count=lambda _: -1))


@pytest.mark.requirement("KB-ATT-EXTRACT-1")
@pytest.mark.parametrize("error", [AttachmentError, ElsewhereError])
@pytest.mark.parametrize(
    ("said", "code", "sentence"),
    [
        ({"code": "unsupported"}, "unsupported", "files of this kind cannot be read"),
        ({"code": "empty"}, "blank", "the content shows nothing"),
        ({"code": "encrypted"}, "extraction-failed", "its text could not be extracted: encrypted"),
        ({"code": "damaged"}, "extraction-failed", "its text could not be extracted: damaged"),
        ({"code": "binary"}, "extraction-failed", "its text could not be extracted: binary"),
        ({"code": "unavailable"}, "extraction-failed", "its text could not be extracted: unavailable"),
        (
            {"code": "limit", "limit": "unpacked-bytes"},
            "extraction-failed",
            "its text could not be extracted: it met the limit of unpacked-bytes",
        ),
        ({"code": "limit"}, "extraction-failed", "its text could not be extracted: limit"),
    ],
)
def test_what_an_extractor_says_of_a_file_is_told(
    error: type[AttachmentError], said: dict[str, str], code: str, sentence: str
) -> None:
    """Whoever's class the error is: its code and the limit it met, in known words, and nothing of its message."""
    failed = error("the file says SOURCE [x]", **said)
    selection = AttachmentSource([file("a"), file("b"), file("c")], Answering(failed)).select(REQUEST)
    assert [one.source for one in selection.admitted] == ["a", "c"]
    ((name, reason),) = selection.dropped
    assert (name, reason.code.value, str(reason)) == ("b", code, sentence)


@pytest.mark.requirement("KB-ATT-EXTRACT-2")
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("password is hunter2"),
        ElsewhereError("x", code="SOURCE [x]: y"),
        ElsewhereError("x", code=404, limit=None),
        ElsewhereError("x", code="odd", limit="memory of mine"),
        ElsewhereError("x", code="odd", limit="memory\n"),
        ElsewhereError("x", code="odd", limit="m" * 33),
        TrapError(),
    ],
)
def test_any_other_failure_costs_its_file_and_names_its_type_alone(error: Exception) -> None:
    """Words that are not known here stay out, too."""
    selection = AttachmentSource([file("a"), file("b"), file("c")], Answering(error)).select(REQUEST)
    assert [one.source for one in selection.admitted] == ["a", "c"]
    assert [str(reason) for _, reason in selection.dropped] == [
        f"its text could not be extracted: {type(error).__name__}"
    ]


@pytest.mark.requirement("KB-ATT-EXTRACT-2")
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_what_asks_the_process_or_task_to_end_passes_through(error: type[BaseException]) -> None:
    """It is no failure of the extractor."""
    with pytest.raises(error):
        AttachmentSource([file("b")], Answering(error())).select(REQUEST)


@pytest.mark.requirement("KB-ATT-EXTRACT-2")
@pytest.mark.parametrize(("answer", "sentence"), [(None, "a NoneType"), (b"x", "a bytes"), (7, "a int")])
def test_an_answer_that_is_no_text_costs_its_file(answer: object, sentence: str) -> None:
    """Also where it is nothing at all."""
    selection = AttachmentSource([file("a"), file("b")], Answering(answer)).select(REQUEST)
    ((name, reason),) = selection.dropped
    assert (name, reason.code, reason) == ("b", DocumentDropCode.BAD_CONTENT, f"the content is not text: {sentence}")


@pytest.mark.requirement("KB-ATT-EXTRACT-2")
def test_an_answer_that_has_to_be_awaited_is_a_failure() -> None:
    """Its coroutine is closed, so that the host hears of no coroutine that was never awaited."""

    class Awaited:
        async def extract(self, attachment: Attachment) -> str:
            return attachment.name

    ((_, reason),) = AttachmentSource([file("a")], Awaited()).select(REQUEST).dropped  # type: ignore[arg-type]  # the mistake
    assert reason == ("its text could not be extracted: the extractor answered a coroutine, which has to be awaited")


@pytest.mark.requirement("KB-ATT-EXTRACT-1")
def test_an_attachment_error_crosses_processes_with_its_evidence() -> None:
    """Extractors run in workers."""
    error = pickle.loads(pickle.dumps(AttachmentError("too big", code="limit", limit="memory")))
    assert isinstance(error, AttachmentError)
    assert issubclass(AttachmentError, BridgeError)
    assert (str(error), error.code, error.limit) == ("too big", "limit", "memory")
    assert (error.rule, error.value) == ("KB-ATT-EXTRACT-1", "memory")
    plain = AttachmentError("odd")
    assert (plain.code, plain.limit, plain.value) == ("damaged", "", "damaged")


# --------------------------------------------------------------------------------------------- selection and read


@pytest.mark.requirement("KB-ATT-READ-1")
def test_a_read_is_what_was_selected_untrusted() -> None:
    """The same bytes and revision, whoever asks and however often."""
    source = AttachmentSource([file("a"), file("b", "")], Decoding())
    selection = source.select(request=REQUEST)
    read = source.read(REQUEST)
    assert (read.text, read.revision, read.untrusted) == (selection.text, selection.revision, True)
    assert source.select() == selection
    assert type(source.attachments) is tuple
    assert isinstance(Decoding(), AttachmentExtractor)


@pytest.mark.requirement("KB-ATT-SCOPE-1")
def test_a_scope_aware_source_asked_without_scope_answers_nothing_with_a_reason() -> None:
    """Scope fails closed, and no file is read."""
    extractor = Decoding()
    source = AttachmentSource([file("a")], extractor, scope_aware=True)
    assert drops(source.select(ContextRequest("attachments"))) == [("", "empty-scope")]
    assert extractor.given == []
    assert [one.scope_path for one in source.select(REQUEST).admitted] == [ACME]
    assert [one.scope_path for one in selected([file("a")]).admitted] == [""]


@pytest.mark.requirement("KB-ATT-CONTRIBUTION-1")
def test_a_contribution_stands_in_the_layer_of_this_turn() -> None:
    """Tier session, read anew every turn, scope resolved exactly."""
    source = AttachmentSource([file("a")], Decoding(), scope_aware=True)
    declared = attachment_contribution("files", source, order=2, scope="profile")
    assert declared == ContextContribution(
        "files", source, layer=ContextLayer.L2, tier=ContextTier.SESSION, scope=ContextScope.PROFILE, order=2
    )
    assert declared.requires_hydration is True
    plain = attachment_contribution("files", source)
    assert (plain.scope, plain.order) == (ContextScope.DEPLOYMENT, 0)
    assert isinstance(source, ContextSource)
    assert not hasattr(source, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        source.scope_aware = False  # type: ignore[misc]  # refused


# ---------------------------------------------------------------------------------------------------- refusals


def refused(rule: str, kind: Any, *args: Any, **fields: Any) -> BridgeContractError:
    """The error that building a value raises, after checking its rule."""
    with pytest.raises(BridgeContractError) as caught:
        kind(*args, **fields)
    assert caught.value.rule == rule
    return caught.value


@pytest.mark.requirement("KB-ATT-FILE-1")
@pytest.mark.parametrize("bad", [None, b"a.txt", 7])
def test_a_name_or_media_type_that_is_no_text_is_refused(bad: object) -> None:
    """Nobody could tell which file is meant."""
    error = refused("KB-ATT-FILE-1", Attachment, bad, "text/plain", b"")
    assert (error.value, "name of an attachment" in str(error)) == (bad, True)
    assert "media_type of an attachment" in str(refused("KB-ATT-FILE-1", Attachment, "a", bad, b""))


@pytest.mark.requirement("KB-ATT-FILE-2")
@pytest.mark.parametrize("bad", ["text", bytearray(b"x"), memoryview(b"x"), None, "https://example.org/a.pdf"])
def test_data_that_is_no_bytes_is_refused(bad: object) -> None:
    """An address least of all: nothing is fetched."""
    assert refused("KB-ATT-FILE-2", Attachment, "a", "", bad).value is bad


def test_an_attachment_does_not_show_its_bytes() -> None:
    """They may be anything; names of a class of their own become plain."""
    one = Attachment(type("Name", (str,), {})("a"), "text/plain", b"secret")
    assert repr(one) == "Attachment(name='a', media_type='text/plain')"
    assert type(one.name) is str
    assert one == Attachment("a", "text/plain", b"secret") != Attachment("a", "text/plain", b"")
    assert not hasattr(one, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "b"  # type: ignore[misc]  # refused


@pytest.mark.requirement("KB-ATT-POLICY-1")
@pytest.mark.parametrize("name", ["max_attachments", "max_attachment_bytes", "max_attachment_chars", "max_total_chars"])
@pytest.mark.parametrize("bad", [-1, True, 2.0, None])
def test_a_ceiling_that_is_negative_or_no_plain_int_is_refused(name: str, bad: object) -> None:
    """True as a ceiling would hold nothing back; 0 is one."""
    assert f"{name} must be a plain int" in str(refused("KB-ATT-POLICY-1", AttachmentPolicy, **{name: bad}))
    least: dict[str, Any] = {name: 0}
    assert getattr(AttachmentPolicy(**least), name) == 0


@pytest.mark.requirement("KB-ATT-POLICY-2")
def test_a_switch_of_the_policy_that_is_not_a_bool_is_refused() -> None:
    """A defence must not be off because somebody passed 0."""
    error = refused("KB-ATT-POLICY-2", AttachmentPolicy, neutralise_markers=0)
    assert (error.value, "neutralise_markers must be a bool" in str(error)) == (0, True)


@pytest.mark.requirement("KB-ATT-POLICY-3")
@pytest.mark.parametrize("bad", ["secret-secret-secret", b"x" * 15])
def test_a_key_that_is_weak_or_no_bytes_is_refused_without_showing_it(bad: object) -> None:
    """Nor may it get lost on the way to hardened mode."""
    assert "secret-" not in str(refused("KB-ATT-POLICY-3", AttachmentPolicy, key=bad, neutralise_markers=True))
    assert refused("KB-ATT-POLICY-3", AttachmentPolicy.hardened, key=None).value is None


@pytest.mark.requirement("KB-ATT-POLICY-4")
def test_keyed_labels_need_neutralised_markers() -> None:
    """A tag that was shown once could otherwise be replayed inside content."""
    assert refused("KB-ATT-POLICY-4", AttachmentPolicy, key=KEY).value is False


@pytest.mark.requirement("KB-ATT-POLICY-5")
def test_a_counter_that_cannot_be_called_is_refused() -> None:
    """No ceiling could be held in its unit."""
    assert refused("KB-ATT-POLICY-5", AttachmentPolicy, count="words").value == "words"


@pytest.mark.requirement("KB-ATT-POLICY-6")
def test_a_policy_has_the_published_defaults_and_hardened_takes_all_fields() -> None:
    """Four ceilings by position, defences off; the key takes no part in repr and comparison."""
    assert dataclasses.astuple(AttachmentPolicy()) == (8, 10_485_760, 20_000, 40_000, None, False, None)
    defaults = dataclasses.astuple(AttachmentPolicy.hardened(key=KEY))
    assert defaults == (8, 10_485_760, 20_000, 40_000, KEY, True, None)
    hardened = AttachmentPolicy.hardened(
        key=KEY, max_attachments=1, max_attachment_bytes=2, max_attachment_chars=3, max_total_chars=4, count=len
    )
    assert dataclasses.astuple(hardened) == (1, 2, 3, 4, KEY, True, len)
    assert hardened == AttachmentPolicy(1, 2, 3, 4, neutralise_markers=True)
    assert repr(hardened) == (
        "AttachmentPolicy(max_attachments=1, max_attachment_bytes=2, max_attachment_chars=3, max_total_chars=4, "
        "neutralise_markers=True)"
    )
    with pytest.raises(TypeError):
        AttachmentPolicy(1, 2, 3, 4, KEY)  # type: ignore[call-arg]  # refused
    names = {field.name for field in dataclasses.fields(AttachmentPolicy)}
    assert set(inspect.signature(AttachmentPolicy.hardened).parameters) == names - {"neutralise_markers"}


@pytest.mark.requirement("KB-ATT-SOURCE-1")
@pytest.mark.parametrize("bad", [None, "a.txt", {1}, iter(()), [b"x"], ["a.txt"], file("a")])
def test_attachments_that_are_no_list_of_them_are_refused(bad: object) -> None:
    """A set has no order; a path is no file that was sent."""
    error = refused("KB-ATT-SOURCE-1", AttachmentSource, bad, Decoding())
    assert error.value is (bad[0] if isinstance(bad, list) else bad)


@pytest.mark.requirement("KB-ATT-SOURCE-1")
def test_a_subclass_of_an_attachment_is_refused() -> None:
    """What it makes of its fields is nobody's promise."""

    class Own(Attachment):
        pass

    assert type(refused("KB-ATT-SOURCE-1", AttachmentSource, [Own("a", "", b"x")], Decoding()).value) is Own


@pytest.mark.requirement("KB-ATT-SOURCE-2")
def test_an_extractor_that_cannot_be_asked_is_refused() -> None:
    """A function is none: it has no name for what it does."""
    for bad in (lambda attachment: attachment.name, None):
        assert refused("KB-ATT-SOURCE-2", AttachmentSource, [], bad).value is bad


@pytest.mark.requirement("KB-ATT-SOURCE-3")
def test_a_policy_that_is_none_is_refused() -> None:
    """That of documents is not that of attachments."""
    refused("KB-ATT-SOURCE-3", AttachmentSource, [], Decoding(), DocumentPolicy())


@pytest.mark.requirement("KB-ATT-SOURCE-4")
@pytest.mark.parametrize("name", ["scope_aware", "offline_safe"])
def test_a_switch_that_is_not_a_bool_is_refused(name: str) -> None:
    """A merely truthy value would decide silently."""
    error = refused("KB-ATT-SOURCE-4", AttachmentSource, [], Decoding(), **{name: 1})
    assert (error.value, f"{name} must be a bool" in str(error)) == (1, True)
    assert getattr(AttachmentSource([], Decoding()), name) is False


@pytest.mark.requirement("KB-ATT-ASK-1")
def test_a_source_is_asked_with_a_request() -> None:
    """A text might be somebody's scope path, or anything."""
    assert refused("KB-ATT-ASK-1", AttachmentSource([], Decoding()).select, ACME).value == ACME
