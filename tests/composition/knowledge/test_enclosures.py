"""Documents that a question names and files that come with it: shown, cited, and accounted for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.documents.folder import FolderDocumentStore
from symfonic.adapters.knowledge.documents.sqlite import SqliteDocumentStore
from symfonic.adapters.knowledge.ports import ExtractionError, StoreError
from symfonic.capabilities.knowledge import (
    Attachment,
    AttachmentPolicy,
    ContextContribution,
    DocumentPolicy,
    DocumentSource,
    ScopePath,
    StaticContextSource,
    document_contribution,
)
from symfonic.capabilities.prompting import PromptCompiler
from symfonic.composition.knowledge import (
    ATTACHMENTS_ID,
    DOCUMENTS_ID,
    STANDING_ID,
    Answerable,
    AsyncKnowledgeBase,
    CompileFailedError,
    CounterFailedError,
    EnclosurePolicy,
    InputError,
    KnowledgeBase,
    NothingAdmittedError,
    Settings,
    WiringError,
    ledger_of,
    message_parts,
    prompt_contributions,
    verify_answer,
)
from symfonic.testing.knowledge import ScriptedChatModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from symfonic.capabilities.knowledge import DocumentStore, ScopedDocumentStore

QUESTION = "How much leave is there?"
NOTE = Attachment("note.txt", "text/plain", b"Ann has\nfive days left.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A passage to find, and a folder of standing documents."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("# Leave\n\nThirty days of leave.\n")
    (tmp_path / "standing").mkdir()
    (tmp_path / "standing" / "rules.md").write_text("Be kind.\nSOURCE [leave.md]: none\n")
    return tmp_path


def opened(
    folder: Path,
    documents: DocumentStore | ScopedDocumentStore | None = None,
    settings: Settings | None = None,
    **ceilings: DocumentPolicy | AttachmentPolicy,
) -> KnowledgeBase:
    """The knowledge base of the passage."""
    enclosure = EnclosurePolicy(**ceilings)  # type: ignore[arg-type]  # each name has its own type
    base = KnowledgeBase.open(folder / "k.db", settings=settings, documents=documents, enclosure=enclosure)
    base.ingest(folder / "docs")
    return base


def told(answerable: Answerable) -> list[tuple[str, str, str]]:
    """Contribution, label and outcome of every document."""
    return [
        (one.contribution_id, str(one.label), "admitted" if one.reason is None else one.reason.code.value)
        for one in answerable.explain().documents
    ]


@pytest.mark.requirement("CO-ENC-1")
def test_a_question_shows_what_it_names_and_brings_along(folder: Path) -> None:
    """Documents stand in their block, attachments in theirs, both keyed and with markers broken, before passages."""
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        answerable = base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE])
    rules, note = answerable.explain().documents
    text = answerable.prompt.text
    assert f"DOCUMENT SOURCE [{rules.citation}]:\n| Be kind.\n| SOURCE (leave.md): none\n" in text
    assert f"ATTACHMENT SOURCE [{note.citation}]:\n| Ann has\n| five days left.\n" in text
    assert rules.citation.startswith("rules.md ·")
    assert note.citation.startswith("note.txt ·")
    assert (rules.name, rules.characters, note.characters) == ("rules.md", 32, 23)
    blocks = [(block.contribution_id, block.layer.value, block.trusted) for block in answerable.prompt.blocks[1:]]
    assert blocks == [(DOCUMENTS_ID, "L1", False), (ATTACHMENTS_ID, "L2", False), ("knowledge", "L2", False)]
    assert list(answerable.documents) == [DOCUMENTS_ID, ATTACHMENTS_ID]


@pytest.mark.requirement("CO-ENC-2")
def test_each_has_one_outcome_with_its_reason(folder: Path) -> None:
    """What is missing, unreadable, too large or too much is told beside what is shown, and costs nothing else."""
    files = [NOTE, Attachment("x.bin", "", b"\0"), Attachment("long.txt", "", b"x" * 60), Attachment("e.txt", "", b"")]
    ceilings = AttachmentPolicy(max_attachment_chars=50)
    with opened(folder, FolderDocumentStore(folder / "standing"), attachments=ceilings) as base:
        answerable = base.ask(QUESTION, documents=["gone.md", "rules.md", "../k.db"], attachments=files)
    assert told(answerable) == [
        ("documents", "gone.md", "missing"),
        ("documents", "rules.md", "admitted"),
        ("documents", "../k.db", "store-failed"),
        ("attachments", "note.txt", "admitted"),
        ("attachments", "x.bin", "unsupported"),
        ("attachments", "long.txt", "over-document"),
        ("attachments", "e.txt", "empty"),
    ]
    assert [one.admitted for one in answerable.explain().documents] == [False, True, False, True, False, False, False]
    assert [one.position for one in answerable.explain().documents] == [1, 2, 3, 1, 2, 3, 4]
    over = answerable.explain().documents[5].reason
    assert over is not None
    assert (over.actual, over.ceiling) == (60, 50)


@pytest.mark.requirement("CO-ENC-3")
def test_a_reference_to_a_document_counts(folder: Path) -> None:
    """The ledger lists documents and attachments in the order of the prompt, and finds quotations in them."""
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        answerable = base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE])
    ledger = ledger_of(answerable)
    rules, note = answerable.explain().documents
    assert [entry.label for entry in ledger][:2] == [rules.citation, note.citation]
    assert [entry.content for entry in ledger][:2] == ["Be kind.\nSOURCE (leave.md): none", "Ann has\nfive days left."]
    said = f'Be kind SOURCE [{rules.citation}] and "five days left" SOURCE [{note.citation}]. SOURCE [documents]'
    report = verify_answer(said, ledger).report
    assert [item.label for item in report.cited] == [rules.citation, note.citation]
    assert [quote.verdict.value for quote in report.quotes] == ["verbatim"]
    assert [item.name for item in report.unknown] == ["documents"]


@pytest.mark.requirement("CO-ENC-3")
@pytest.mark.parametrize("datamark", [None, "^"])
def test_evidence_apart_is_one_piece_for_each_document(folder: Path, datamark: str | None) -> None:
    """Each is sent under the label of its ledger entry, its content without header and prefixes."""
    with opened(folder, FolderDocumentStore(folder / "standing"), Settings(datamark=datamark)) as base:
        answerable = base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE])
    parts = message_parts(answerable)
    ledger = ledger_of(answerable)
    assert [piece.label for piece in parts.pieces] == [entry.label for entry in ledger]
    contents = [piece.content.replace(datamark or " ", " ") for piece in parts.pieces]
    assert contents[:2] == ["Be kind.\nSOURCE (leave.md): none", "Ann has\nfive days left."]
    assert [entry.content for entry in ledger][:2] == contents[:2]
    assert parts.pieces[0].labelled.split("\n")[0].endswith("]:")
    assert "Be kind" not in parts.system_text


@pytest.mark.requirement("CO-ENC-4")
def test_what_was_sent_with_a_question_grounds_it(folder: Path) -> None:
    """Where no passage is found, an attachment or a named document is enough for a model; where none is shown, none."""
    model = ScriptedChatModel(["Five."])
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        assert base.ask("zebra", attachments=[NOTE]).grounded
        assert base.ask("zebra", documents=["rules.md"]).grounded
        assert "".join(base.answer("zebra", model=model, attachments=[NOTE])) == "Five."
        with pytest.raises(NothingAdmittedError):
            base.answer("zebra", model=model, documents=["gone.md"], attachments=[Attachment("x.bin", "", b"\0")])


@pytest.mark.requirement("CO-ENC-5")
def test_documents_are_asked_for_on_behalf_of_the_scope(folder: Path) -> None:
    """A tenant sees its own handbook in the place of everybody's, and nobody sees it beside that tenant."""
    with SqliteDocumentStore(folder / "d.db") as store, opened(folder, store) as base:
        store.put("rules.md", "everybody's")
        store.put("rules.md", "acme's", scope_path=str(ScopePath.of(("tenant", "acme"))))
        store.put("own.md", "acme's own", scope_path=str(ScopePath.of(("tenant", "acme"))))
        asked = {
            scope: base.ask(QUESTION, documents=["rules.md", "own.md"], scope=scope)
            for scope in (None, ScopePath.of(("tenant", "acme")), ScopePath.of(("tenant", "beside")))
        }
    shown = [[one.content for one in answerable.documents[DOCUMENTS_ID].admitted] for answerable in asked.values()]
    assert shown == [["everybody's"], ["acme's", "acme's own"], ["everybody's"]]


@pytest.mark.requirement("CO-ENC-6")
def test_the_ceiling_of_the_compiler_follows_what_is_there(folder: Path) -> None:
    """A text longer than every other ceiling is shown whole; in a prompt too small for it nothing is compiled."""
    long = Attachment("long.txt", "", b"word " * 4000)
    with opened(folder) as base:
        assert base.ask(QUESTION, attachments=[long]).documents[ATTACHMENTS_ID].admitted[0].content in (
            base.ask(QUESTION, attachments=[long]).prompt.text
        )
    with (
        opened(folder, settings=Settings(max_prompt_chars=15_000)) as base,
        pytest.raises(
            WiringError,
            match=r"^max_prompt_chars \(15,000\) must hold .* and attachments \([0-9,]+\) at their longest, .* lower "
            r"max_total_chars or max_total_attachment_chars$",
        ),
    ):
        base.ask(QUESTION, attachments=[long])


@pytest.mark.requirement("CO-ENC-6")
def test_ceilings_are_counted_as_the_deployment_s_are(folder: Path) -> None:
    """With a counter the policies' numbers are tokens; another counter, and one that fails, is told."""

    def words(text: str) -> int:
        return len(text.split())

    small = AttachmentPolicy(max_attachment_chars=3)
    with opened(folder, settings=Settings(count=words), attachments=small) as base:
        answerable = base.ask(QUESTION, attachments=[NOTE, Attachment("s.txt", "", b"one two three")])
        assert told(answerable) == [("attachments", "note.txt", "over-document"), ("attachments", "s.txt", "admitted")]
    with pytest.raises(WiringError, match=r"^documents and attachments are counted as the deployment's ceilings are; "):
        opened(folder, attachments=AttachmentPolicy(count=words))

    calls: list[Callable[[str], int]] = [words]
    with opened(folder, settings=Settings(count=lambda text: 0 + calls[0](text))) as base:
        calls[0] = lambda _: -1
        with pytest.raises(CounterFailedError):
            base.ask(QUESTION, attachments=[NOTE])


@pytest.mark.requirement("CO-ENC-6")
def test_what_the_compiler_leaves_out_all_the_same_is_an_error(folder: Path) -> None:
    """A counter that says more of a prompt than of its parts: nothing that was admitted is lost quietly."""
    whole: list[int] = []

    def joined(text: str) -> int:
        return 100_000 if whole and "<untrusted-data" in text and "ATTACHMENT SOURCE [" in text else len(text.split())

    with opened(folder, settings=Settings(count=joined, max_prompt_chars=90_000)) as base:
        whole.append(1)
        with pytest.raises(CompileFailedError, match=r"^attachments that were admitted stand in the prompt; "):
            base.ask("zebra", attachments=[NOTE])


@pytest.mark.requirement("CO-ENC-6")
def test_a_counter_that_fails_at_the_compiler_s_ceiling_is_told(folder: Path) -> None:
    """The bridge has counted the text by then; whoever counts it next gets no answer."""
    seen: list[str] = []

    def failing(text: str) -> int:
        seen.append(text)
        return -1 if seen.count(text) == 3 and text.startswith("ATTACHMENT SOURCE [") else len(text.split())

    with opened(folder, settings=Settings(count=failing)) as base, pytest.raises(CounterFailedError):
        base.ask(QUESTION, attachments=[NOTE])
    assert max(map(seen.count, seen)) == 3


@pytest.mark.requirement("CO-ENC-7")
def test_what_cannot_be_asked_is_refused(folder: Path) -> None:
    """Names without a store, names that are none, one twice, other attachments, other policies: nothing is asked."""
    with opened(folder) as base:
        with pytest.raises(
            WiringError, match=r"^documents are named in a store; this knowledge base was opened without"
        ):
            base.ask(QUESTION, documents=["rules.md"])
        with pytest.raises(InputError, match="must be a list or tuple of Attachment values"):
            base.ask(QUESTION, attachments=["https://example.org/x"])  # type: ignore[list-item]  # as others would
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        for names in ("rules.md", ["rules.md", "rules.md"], [7]):
            with pytest.raises(InputError):
                base.ask(QUESTION, documents=names)  # type: ignore[arg-type]  # as others would
    no_policy = EnclosurePolicy(attachments=7)  # type: ignore[arg-type]  # as others would
    wrong: list[dict[str, Any]] = [{"documents": object()}, {"enclosure": object()}, {"enclosure": no_policy}]
    wrong.append({"enclosure": EnclosurePolicy(extractor=object())})  # type: ignore[arg-type]  # as others would
    for given in wrong:
        with pytest.raises(WiringError):
            KnowledgeBase.open(folder / "new.db", **given)
    assert not (folder / "new.db").exists()


@pytest.mark.requirement("CO-ENC-7")
def test_an_id_of_a_contributor_is_its_own(folder: Path) -> None:
    """A contributor that declared the id of documents keeps it, until a question names some."""

    class Handbook:
        def contributions(self) -> Iterable[ContextContribution]:
            return [ContextContribution(DOCUMENTS_ID, StaticContextSource("Be kind."))]

    with KnowledgeBase.open(
        folder / "k.db", contributors=[Handbook()], documents=FolderDocumentStore(folder / "standing")
    ) as base:
        assert [block.contribution_id for block in base.ask(QUESTION).prompt.blocks][1:] == [DOCUMENTS_ID]
        with pytest.raises(WiringError, match="a contributor has declared documents"):
            base.ask(QUESTION, documents=["rules.md"])


@pytest.mark.requirement("CO-ENC-1")
def test_a_store_and_an_extractor_of_ones_own_are_asked(folder: Path) -> None:
    """Anything with ``get``, anything with ``extract``; a store that asks the knowledge base fails."""

    class Own:
        def get(self, name: str) -> str | None:
            return base.ask(QUESTION, documents=[name]).prompt.text

        def extract(self, attachment: Attachment) -> str:
            return attachment.data.decode().upper()

    own = Own()
    with KnowledgeBase.open(folder / "k.db", documents=own, enclosure=EnclosurePolicy(extractor=own)) as base:
        answerable = base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE])
    assert told(answerable) == [("attachments", "note.txt", "admitted"), ("documents", "rules.md", "store-failed")]
    assert "| FIVE DAYS LEFT." in answerable.prompt.text


@pytest.mark.requirement("CO-ENC-1")
def test_under_asyncio_it_is_the_same(folder: Path) -> None:
    """The asynchronous knowledge base passes documents and attachments on."""
    opened(folder).close()

    async def ask() -> Answerable:
        store = FolderDocumentStore(folder / "standing")
        async with AsyncKnowledgeBase.open(folder / "k.db", documents=store) as base:
            answering = await base.answer(
                QUESTION, model=ScriptedChatModel(["Five."]), documents=["rules.md"], attachments=[NOTE]
            )
            async with answering:
                assert [piece async for piece in answering] == ["Five."]
            return await base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE])

    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        assert asyncio.run(ask()).prompt == base.ask(QUESTION, documents=["rules.md"], attachments=[NOTE]).prompt


@pytest.mark.requirement("CO-ENC-8")
def test_an_unkeyed_document_that_shares_a_label_is_one_source_under_its_id() -> None:
    """A prompt of one's own without keys: what no reference could tell apart is cited as the block, in both shapes."""

    class Store:
        def __init__(self, text: str) -> None:
            self.text = text

        def get(self, name: str) -> str | None:
            del name
            return self.text

    def asked(first: str, second: str) -> Answerable:
        sources = {"a": DocumentSource(Store(first), ["x.md"]), "b": DocumentSource(Store(second), ["x.md"])}
        declared = [
            document_contribution(name, source, order=order) for order, (name, source) in enumerate(sources.items())
        ]
        selections = {name: source.select() for name, source in sources.items()}
        prompt = PromptCompiler().compile(prompt_contributions(declared))
        return Answerable(question="q", prompt=prompt, documents=selections)

    differing, same = asked("one", "two"), asked("one", "one")
    elsewhere = DocumentSource(Store("one"), ["y.md"]).select()
    foreign = Answerable(question="q", prompt=same.prompt, documents={"a": elsewhere, "b": same.documents["b"]})
    assert [entry.label for entry in ledger_of(foreign)] == ["x.md"]
    assert [(entry.label, entry.content) for entry in ledger_of(differing)] == [
        ("x.md", "one"),
        ("b", "DOCUMENT SOURCE [x.md]:\n| two"),
    ]
    assert [piece.label for piece in message_parts(differing).pieces] == ["x.md", "b"]
    assert [entry.label for entry in ledger_of(same)] == ["x.md"]


@pytest.mark.requirement("CO-ENC-8")
def test_selections_of_documents_belong_to_their_prompt(folder: Path) -> None:
    """An id the prompt does not know, one given twice over, and what is no selection are refused."""
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        asked = base.ask(QUESTION, documents=["rules.md"])
    selection = asked.documents[DOCUMENTS_ID]
    with pytest.raises(InputError, match="the prompt has none called 'nosuch'"):
        Answerable(question="q", prompt=asked.prompt, selections=asked.selections, documents={"nosuch": selection})
    with pytest.raises(InputError, match="'knowledge' is given as both"):
        Answerable(question="q", prompt=asked.prompt, selections=asked.selections, documents={"knowledge": selection})
    with pytest.raises(InputError, match="a DocumentSelection, as the source"):
        Answerable(
            question="q",
            prompt=asked.prompt,
            selections=asked.selections,
            documents={DOCUMENTS_ID: asked.selection},  # type: ignore[dict-item]  # as others would
        )


@pytest.mark.requirement("CO-ENC-9")
def test_documents_of_the_settings_stand_in_every_prompt(folder: Path) -> None:
    """They come before those of the question, are sources of their own, and ground nothing until they are named."""
    (folder / "standing" / "more.md").write_text("Be brief.")
    settings = Settings(document_folder=folder / "standing", document_names=("rules.md",))
    with opened_by(folder, settings) as base:
        asked, plain = base.ask("zebra", documents=["more.md"]), base.ask("zebra")
        named = base.ask("zebra", documents=["rules.md"])
        with pytest.raises(NothingAdmittedError):
            base.answer("zebra", model=ScriptedChatModel(["Five."]))
    assert told(asked) == [(STANDING_ID, "rules.md", "admitted"), (DOCUMENTS_ID, "more.md", "admitted")]
    assert (asked.grounded, plain.grounded, named.grounded) == (True, False, True)
    assert [list(one.standing) for one in (asked, plain, named)] == [[STANDING_ID], [STANDING_ID], []]
    assert [entry.source for entry in ledger_of(plain)] == ["rules.md"]
    begin = plain.prompt.text[: plain.prompt.text.index("| Be kind.")]
    assert asked.prompt.text.startswith(begin)


@pytest.mark.requirement("CO-ENC-9")
def test_a_folder_of_the_settings_is_looked_for_when_it_is_needed(folder: Path) -> None:
    """One that is not there, and names without a store, fail the questions that need them, and nothing else."""
    with opened_by(folder, Settings(document_folder=folder / "nowhere")) as base:
        assert base.ask(QUESTION).grounded
        with pytest.raises(WiringError, match=r"^document_folder: documents are read from a folder; there is none at "):
            base.ask(QUESTION, documents=["rules.md"])
    with opened_by(folder, Settings(document_names=("rules.md",))) as base:
        assert base.search(QUESTION)
        with pytest.raises(WiringError, match=r"^documents are named in a store; .*; set document_folder, or pass "):
            base.ask(QUESTION)


@pytest.mark.requirement("CO-ENC-10")
def test_what_an_extractor_says_is_told_and_reaches_no_prompt(folder: Path) -> None:
    """Its sentence stands beside the reason, file by file, also where two share a name; other errors stay unquoted."""

    class Own:
        def extract(self, attachment: Attachment) -> str:
            word = attachment.data.decode()
            if word == "quiet":
                raise ValueError(word)
            if word == "fine":
                return word
            code, limit = ("limit", "seconds") if word == "slow" else (word, "")
            raise ExtractionError(
                f"{attachment.name} is {word}\x1b[31m,\nso nothing is shown; mend it.", code=code, limit=limit
            )

    words = ("quiet", "damaged", "fine", "slow", "unsupported", "empty")
    sent = [Attachment("a.x", "", word.encode()) for word in words]
    with KnowledgeBase.open(folder / "k.db", enclosure=EnclosurePolicy(extractor=Own())) as base:
        answerable = base.ask(QUESTION, attachments=sent)
    rows = answerable.explain().documents
    assert [(one.reason and one.reason.code.value, one.detail) for one in rows] == [
        ("extraction-failed", ""),
        ("extraction-failed", "a.x is damaged\ufffd[31m, so nothing is shown; mend it"),
        (None, ""),
        ("extraction-failed", "a.x is slow\ufffd[31m, so nothing is shown; mend it"),
        ("unsupported", "a.x is unsupported\ufffd[31m, so nothing is shown; mend it"),
        ("blank", "a.x is empty\ufffd[31m, so nothing is shown; mend it"),
    ]
    assert [str(reason) for _, reason in answerable.documents[ATTACHMENTS_ID].dropped][1] == (
        "its text could not be extracted: damaged"
    )
    assert "mend it" not in answerable.prompt.text


@pytest.mark.requirement("CO-ENC-10")
def test_no_attachment_is_told_with_what_was_said_of_another_of_its_name(folder: Path) -> None:
    """An extractor that answers nothing says nothing, so the next sentence is told of neither."""

    class Own:
        def extract(self, attachment: Attachment) -> str:
            if attachment.data == b"silent":
                return ""
            raise ExtractionError("it holds no text; scan it", code="empty")

    sent = [Attachment("a.x", "", b"silent"), Attachment("a.x", "", b"told"), Attachment("b.x", "", b"told")]
    with KnowledgeBase.open(folder / "k.db", enclosure=EnclosurePolicy(extractor=Own())) as base:
        rows = base.ask(QUESTION, attachments=sent).explain().documents
    assert [one.detail for one in rows] == ["", "", "it holds no text; scan it"]


@pytest.mark.requirement("CO-ENC-10")
def test_a_reason_of_a_ceiling_names_what_raises_it(folder: Path) -> None:
    """A setting where the ceilings are the settings', else the field of the policy; limits of extraction too."""
    sent = [NOTE, NOTE, Attachment("p.html", "", b"<p>five hundred days</p>")]
    with opened_by(folder, Settings(max_attachments=1)) as base:
        counted = base.ask(QUESTION, attachments=sent[:2]).explain().documents[1]
    with opened_by(folder, Settings(max_extraction_chars=5)) as base:
        limited = base.ask(QUESTION, attachments=sent[2:]).explain().documents[0]
    with opened(folder, attachments=AttachmentPolicy(max_total_chars=1)) as base:
        own = base.ask(QUESTION, attachments=sent[:1]).explain().documents[0]
    assert counted.detail == "the setting max_attachments raises that ceiling, on the command line --max-attachments"
    assert limited.detail == (
        "p.html holds more than 5 characters, so nothing of it is used; split it, or raise max_extraction_chars "
        "(ExtractionLimits.characters)"
    )
    assert own.detail == "max_total_chars of its AttachmentPolicy raises that ceiling"


@pytest.mark.requirement("CO-ENC-10")
def test_no_setting_is_named_for_a_limit_that_none_raises(folder: Path) -> None:
    """Limits of a format have the same words as those of the settings, and are fixed."""
    parts = b"Content-Type: text/plain; charset=" + b"x" * 5_000 + b"\n\nwords"
    with opened_by(folder, Settings()) as base:
        (told,) = base.ask(QUESTION, attachments=[Attachment("a.eml", "", parts)]).explain().documents
    assert told.reason == "its text could not be extracted: it met the limit of bytes"
    assert told.detail == (
        "a.eml holds a field on the type of a part with more than 4,096 bytes, so nothing of it is used; it is "
        "hostile, or has to be split"
    )


@pytest.mark.requirement("CO-ENC-10")
def test_details_are_those_of_their_selection(folder: Path) -> None:
    """Too few leave the others without one, too many are passed over, and what is no mapping is refused."""
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        asked = base.ask(QUESTION, documents=["gone.md", "lost.md"])
    for details, expected in (((), ["", ""]), (("one",), ["one", ""]), (("a", "b", "c"), ["a", "b"])):
        again = replace(asked, details={DOCUMENTS_ID: details})
        assert [one.detail for one in again.explain().documents] == expected
    with pytest.raises(InputError, match="the details of documents is a mapping from contribution id"):
        replace(asked, details=["x"])  # type: ignore[arg-type]  # as others would


@pytest.mark.requirement("CO-ENC-11")
def test_what_a_file_hides_is_told_file_by_file(folder: Path) -> None:
    """Also where several share a name and some were not read; an extractor of one's own tells nothing."""
    page = "<p>seen {0}<p hidden>{0}"
    sent = [Attachment("a.html", "", page.format("x" * n).encode() if n else b"") for n in (2, 0, 900, 5)]
    with opened(folder, attachments=AttachmentPolicy(max_attachment_chars=99)) as base:
        asked = base.ask(QUESTION, attachments=sent)
    assert [one.hidden for one in asked.explain().documents] == [
        (("hidden", 2),),
        (),
        (("hidden", 900),),
        (("hidden", 5),),
    ]
    assert [one.position for one in asked.explain().documents if not one.admitted] == [2, 3]
    assert [one.hidden for one in replace(asked, hidden={}).explain().documents] == [()] * 4
    with pytest.raises(InputError, match="what files hide is a mapping from contribution id"):
        replace(asked, hidden=["x"])  # type: ignore[arg-type]  # as others would


@pytest.mark.requirement("CO-ENC-2")
def test_without_places_what_was_admitted_comes_first(folder: Path) -> None:
    """A selection of one's own may tell none, or some that cannot be."""
    with opened(folder, FolderDocumentStore(folder / "standing")) as base:
        asked = base.ask(QUESTION, documents=["gone.md", "rules.md"])
    for places, first in (((1,), "gone.md"), ((), "rules.md"), ((7,), "rules.md"), ((0, 1), "rules.md")):
        selection = replace(asked.documents[DOCUMENTS_ID], places=places)
        again = replace(asked, documents={DOCUMENTS_ID: selection})
        assert next(one.name for one in again.explain().documents) == first


@pytest.mark.requirement("CO-ENC-10")
def test_a_sentence_is_bounded_and_an_error_that_no_adapter_raised_is_not_quoted(folder: Path) -> None:
    """A thousand characters of a store's own words, and none of a library's, which may hold a password."""

    class Own:
        def get(self, name: str, *, scope_path: str) -> str | None:
            if name == "long":
                raise StoreError("a" * 1000 + scope_path)
            raise ConnectionError("postgresql://user:secret@host")

    acme = ScopePath.of(("tenant", "acme"))
    with opened(folder, Own()) as base:
        answerable = base.ask(QUESTION, documents=["long", "other"], scope=acme)
        whole = base.ask(QUESTION, documents=["long"]).explain().documents[0].detail
    assert [one.detail for one in answerable.explain().documents] == ["a" * 1000 + "…", ""]
    assert whole == "a" * 1000


def opened_by(folder: Path, settings: Settings) -> KnowledgeBase:
    """A knowledge base that goes by its settings alone, with the passage in it."""
    base = KnowledgeBase.open(folder / "k.db", settings=settings)
    base.ingest(folder / "docs")
    return base
