"""What a user writes, as the type checkers see it: this file must pass mypy and pyright, both strict.

It is never run. Each function uses the public API the way the documentation shows it; ``assert_type`` holds the types a
user may rely on.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from io import BytesIO
from typing import TYPE_CHECKING, Any, assert_type

from symfonic.adapters.knowledge import (
    BlockingRetriever,
    BulkStore,
    ChatMessage,
    ChatModel,
    CheckedStore,
    Completion,
    DeclaredScope,
    Embedder,
    IndexedStore,
    KnowledgeStore,
    MissingScore,
    Removal,
    ScoreKind,
    ScorePolicy,
    Telemetry,
    VectorStore,
)
from symfonic.adapters.knowledge.counters.tiktoken import TiktokenCounter
from symfonic.adapters.knowledge.documents.folder import FolderDocumentStore
from symfonic.adapters.knowledge.documents.sqlite import SqliteDocumentStore
from symfonic.adapters.knowledge.embedders.minilm import MiniLM
from symfonic.adapters.knowledge.embedders.openai import OpenAIEmbedder
from symfonic.adapters.knowledge.embedders.wrapped import (
    FastEmbedEmbedder,
    LangChainEmbedder,
    SentenceTransformersEmbedder,
)
from symfonic.adapters.knowledge.frameworks.haystack import HaystackRetriever, haystack_retriever
from symfonic.adapters.knowledge.frameworks.langchain import LangChainRetriever, LangChainStore, langchain_retriever
from symfonic.adapters.knowledge.frameworks.llamaindex import LlamaIndexRetriever, llamaindex_retriever
from symfonic.adapters.knowledge.frameworks.tools import async_knowledge_tool, knowledge_tool
from symfonic.adapters.knowledge.messages import (
    AnthropicCitations,
    Evidence,
    MessageParts,
    Turn,
    UnresolvedCitation,
    anthropic_request,
    gemini_request,
    langchain_anthropic_messages,
    langchain_messages,
    openai_chat_request,
    openai_responses_request,
)
from symfonic.adapters.knowledge.stores.chroma import ChromaStore
from symfonic.adapters.knowledge.stores.lancedb import LanceDBStore
from symfonic.adapters.knowledge.stores.pgvector import PgvectorStore
from symfonic.adapters.knowledge.stores.qdrant import QdrantStore
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.adapters.knowledge.telemetry.opentelemetry import OpenTelemetry
from symfonic.capabilities.knowledge import (
    MAX_HELD_CHARS,
    MAX_REPORTED_NAMES,
    UNVERIFIED_MARK,
    AdmittedDocument,
    AdmittedFragment,
    AmbiguousReference,
    Attachment,
    AttachmentError,
    AttachmentExtractor,
    AttachmentPolicy,
    AttachmentSource,
    BridgeContractError,
    BridgeTypeError,
    CitationLedger,
    CitationTagFilter,
    CitedFragment,
    ContextContribution,
    ContextContributor,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContextSource,
    ContributionSpec,
    DocumentDropCode,
    DocumentDropReason,
    DocumentPolicy,
    DocumentSelection,
    DocumentSource,
    DocumentStore,
    DropCode,
    DropReason,
    FragmentSelection,
    GroundingFilter,
    GroundingReport,
    KnowledgeRetriever,
    KnowledgeSource,
    Label,
    LedgerEntry,
    QuoteCheck,
    QuoteVerdict,
    ReferenceWriter,
    RetrievalPolicy,
    RetrievedFragment,
    ScopedDocumentStore,
    ScopedKnowledgeRetriever,
    ScopePath,
    StaticContextSource,
    StreamFilter,
    UnknownReference,
    afilter_stream,
    assemble,
    attachment_contribution,
    chain,
    document_contribution,
    filter_stream,
    knowledge_contribution,
    marker_places,
    render_fragments,
    safe_source,
    select_fragments,
    selection_revision,
    takes_scope_path,
)
from symfonic.capabilities.prompting import (
    CompiledPrompt,
    CounterError,
    PromptCompiler,
    PromptContribution,
    PromptDiagnostic,
    PromptRead,
    PromptRequest,
    PromptSource,
    RenderPolicy,
    StaticPromptSource,
    after_head,
    control_token_places,
    delimiter_places,
)
from symfonic.composition.knowledge import (
    UPLOADED,
    AccessKey,
    AccessKeys,
    Answer,
    Answerable,
    Answering,
    AsyncAnswering,
    AsyncKnowledgeBase,
    EnclosurePolicy,
    Estimate,
    Evaluation,
    ExplainedDocument,
    ExplainedRow,
    ExtractedFile,
    FloorShares,
    IngestProgress,
    IngestReport,
    Inquiry,
    KnowledgeBase,
    RerankedRetriever,
    Settings,
    Upload,
    access_in_force,
    access_path,
    chat_model,
    embedder_of,
    evaluate,
    evaluate_collection,
    evaluation_chart,
    extract_files,
    file_extractor,
    inspect_text,
    ledger_of,
    message_parts,
    narrowed,
    paired_differences,
    prompt_contributions,
    read_attachment,
    read_judgements,
    read_ledger,
    read_queries,
    remove_document,
    upload,
    verify_answer,
    write_ledger,
)

if TYPE_CHECKING:
    from tiktoken import Encoding


class Shelf:
    """A store of the user's own."""

    def search(self, query: str, limit: int) -> list[RetrievedFragment]:
        """Answer one row."""
        return [RetrievedFragment(query, "shelf", 1.0, {"limit": limit})][:limit]


class TenantShelf:
    """A store that honours scopes."""

    def search(self, query: str, limit: int, *, scope_path: str) -> Sequence[RetrievedFragment]:
        """Answer one row of the scope."""
        return (RetrievedFragment(query, "shelf", 1.0, {"scope_path": scope_path}),)[:limit]


class Folder:
    """A store of documents of the user's own."""

    def get(self, name: str) -> str | None:
        """Know one document."""
        return "Leave is 28 days." if name == "leave.md" else None


class TenantFolder:
    """A store of documents that honours scopes."""

    def get(self, name: str, *, scope_path: str) -> str | None:
        """Know every document of the scope."""
        return f"{name} of {scope_path}"


class PlainText:
    """An extractor of the user's own."""

    def extract(self, attachment: Attachment) -> str:
        """Read what is plain text."""
        if attachment.media_type != "text/plain":
            raise AttachmentError("no plain text", code="unsupported", limit="")
        return attachment.data.decode()


class Handbook:
    """A contributor and a source in one."""

    def read(self, request: ContextRequest) -> ContextRead:
        """Answer the same text for everybody."""
        return ContextRead(f"for {request.scope_path}")

    def contributions(self) -> Iterable[ContextContribution]:
        """One declaration, layer given as the plain string."""
        yield ContextContribution("handbook", self, layer=ContextLayer.L1)


class Rules:
    """A prompt source of the user's own."""

    def read(self, request: PromptRequest) -> PromptRead:
        """Answer authored text."""
        return PromptRead(f"Turn {request.turn}.")


def protocols_are_satisfied() -> None:
    """User classes need no base class."""
    retriever: KnowledgeRetriever = Shelf()
    scoped: ScopedKnowledgeRetriever = TenantShelf()
    source: ContextSource = Handbook()
    contributor: ContextContributor = Handbook()
    rules: PromptSource = Rules()
    KnowledgeSource(retriever, "leave")
    KnowledgeSource(scoped, lambda request: request.scope_path, scope_aware=True)
    ContextContribution("a", source)
    PromptContribution("b", rules)
    assert_type(contributor.contributions(), Iterable[ContextContribution])


def documents_are_typed(key: bytes) -> CitationLedger:
    """Names and files to documents of a prompt, and to entries of a ledger."""
    store: DocumentStore = Folder()
    scoped: ScopedDocumentStore = TenantFolder()
    extractor: AttachmentExtractor = PlainText()
    standing = DocumentSource(store, ["leave.md"], DocumentPolicy.hardened(key=key, max_total_chars=500))
    tenants = DocumentSource(scoped, ("leave.md",), scope_aware=True, offline_safe=True)
    sent = AttachmentSource([Attachment("a.txt", "text/plain", b"x")], extractor, AttachmentPolicy(max_attachments=2))
    document_contribution("leave", standing)
    document_contribution("tenants", tenants, scope="tenant", order=1)
    attachment_contribution("files", sent, order=2)
    selection = standing.select(ContextRequest("leave"))
    assert_type(selection, DocumentSelection)
    assert_type(selection.admitted, tuple[AdmittedDocument, ...])
    for name, reason in selection.dropped:
        assert_type(name, str)
        assert_type(reason, DocumentDropReason)
        assert_type(reason.code, DocumentDropCode)
    assert_type(selection.dropped_labels, tuple[Label, ...])
    assert_type(sent.select(), DocumentSelection)
    assert_type(selection.as_read(), ContextRead)
    return CitationLedger([*selection.admitted, *sent.select().admitted])


def selection_is_typed(rows: Iterable[RetrievedFragment], key: bytes) -> str:
    """Rows to lines."""
    policy = RetrievalPolicy.hardened(key=key, limit=5)
    assert_type(policy, RetrievalPolicy)
    selection = select_fragments(rows, policy, scope_path=str(ScopePath.of(("tenant", "acme"))))
    assert_type(selection, FragmentSelection)
    assert_type(selection.admitted, tuple[RetrievedFragment, ...])
    assert_type(selection.dropped_labels, tuple[Label, ...])
    for source, reason in selection.dropped:
        assert_type(source, object)  # as the store gave it, which may be no text
        assert_type(reason, DropReason)
        assert_type(reason.code, DropCode)
    assert_type(safe_source("x"), Label)
    assert_type(selection_revision(selection), str)
    return render_fragments(selection)


class Shown:
    """A fragment of the user's own; no base class is needed."""

    label = source = "Handbook"
    content = "Leave is 28 days."
    content_hash = scope_path = ""
    score = 0.5


def numbered(entry: LedgerEntry, number: int) -> str:
    """A reference as a footnote."""
    return f"[^{number}: {entry.source}]"


def grounding_is_typed(chunks: Iterable[str]) -> str:
    """An answer checked while it streams, then reported on."""
    fragment: AdmittedFragment = Shown()
    ledger = CitationLedger([LedgerEntry("a", "a", "text", score=1), fragment])
    assert_type(ledger["a"], LedgerEntry)
    assert_type(ledger.get("b"), LedgerEntry | None)
    assert_type(ledger.named("a"), tuple[LedgerEntry, ...])
    assert_type(CitationLedger.from_json(ledger.to_json()), CitationLedger)
    grounding = GroundingFilter(ledger, on_unknown="keep", render=numbered)
    shown = "".join(grounding.feed(chunk) for chunk in chunks) + grounding.flush()
    report = grounding.report()
    assert_type(report, GroundingReport)
    assert_type(report.cited, tuple[CitedFragment, ...])
    assert_type(report.unknown, tuple[UnknownReference, ...])
    assert_type(report.ambiguous, tuple[AmbiguousReference, ...])
    assert_type(report.quotes, tuple[QuoteCheck, ...])
    assert_type(report.uncited, tuple[str, ...])
    assert_type((report.cited[0].omitted, report.unknown[0].count, report.ambiguous[0].count), tuple[int, int, int])
    assert_type(report.omitted_unknown + report.omitted_quotes + report.unread_chars + report.marked, int)
    assert_type(MAX_HELD_CHARS + MAX_REPORTED_NAMES, int)
    assert_type(shown.replace(UNVERIFIED_MARK, ""), str)
    assert_type(GroundingReport.from_json(report.to_json()), GroundingReport)
    writer: StreamFilter = ReferenceWriter()
    assert_type(ReferenceWriter().cite(["a"]), None)
    shown += writer.feed(shown) + writer.flush()
    return shown if all(quote.verdict is QuoteVerdict.VERBATIM for quote in report.quotes) else ""


def metadata_is_read_only(row: RetrievedFragment) -> None:
    """A row's metadata is a mapping nobody writes to."""
    assert_type(row.metadata, Mapping[str, Any])


def assembly_is_typed(source: KnowledgeSource) -> tuple[ContributionSpec, ...]:
    """Declarations to plain values; wrong ones are one error type."""
    try:
        return assemble([knowledge_contribution("kb", source, order=2), *Handbook().contributions()])
    except BridgeContractError as error:
        assert_type(error.rule, str)
        return assemble([ContextContribution("seed", StaticContextSource("text"))])


def compiling_is_typed() -> CompiledPrompt:
    """Contributions to a prompt."""
    compiler = PromptCompiler(RenderPolicy(max_learned_chars=9_000, datamark="^"))
    prompt = compiler.compile([PromptContribution("rules", StaticPromptSource("Be brief."))], PromptRequest(turn=1))
    assert_type(prompt, CompiledPrompt)
    assert_type(prompt.text, str)
    assert_type(prompt.diagnostics, tuple[PromptDiagnostic, ...])
    assert_type(prompt.digests.whole, str)
    return prompt


def ceilings_in_tokens_are_typed(encoding: Encoding) -> tuple[RetrievalPolicy, RenderPolicy, Settings]:
    """A counter of a library, or any function from text to int; what fails is an error of either side."""

    def words(text: str) -> int:
        return len(text.split())

    count = TiktokenCounter(encoding)
    assert_type(count("text"), int)
    policy = RenderPolicy(max_prompt_chars=4000, count=count)
    try:
        assert_type(policy.measure("text"), int)
    except CounterError as error:
        assert_type(error.answer, str)
        assert_type(error.characters, int)
    return RetrievalPolicy(count=words), policy, Settings(count=count)


def embedders_are_typed(model: object) -> list[Embedder]:
    """Each is an embedder, whatever runs it."""
    small = MiniLM(threads=2)
    assert_type(small.name, str)
    assert_type(small.dimensions, int)
    server = OpenAIEmbedder("m", base_url="http://127.0.0.1:8080/v1", api_key="key", dimensions=256)
    assert_type(server.embed_query("text"), tuple[float, ...])
    wrapped = SentenceTransformersEmbedder(model, name="m", batch_size=8)
    assert_type(wrapped.embed_documents(["text"]), list[tuple[float, ...]])
    return [small, server, wrapped, FastEmbedEmbedder(model, name="m"), LangChainEmbedder(model, name="m")]


def extraction_without_a_store_is_typed() -> int:
    """Files to passages, one after the other; closing ends the processes that read."""
    files = extract_files(["docs"], workers=2)
    try:
        for file in files:
            assert_type(file, ExtractedFile)
            assert_type([chunk.label for chunk in file.chunks], list[str])
            return file.characters
    finally:
        files.close()
    return 0


def a_knowledge_base_is_typed(path: str) -> str:
    """A folder to a prompt."""
    with KnowledgeBase.open(path, settings=Settings(limit=3)) as base:
        assert_type(base, KnowledgeBase)
        assert_type(base.ingest("docs", scope=ScopePath.of(("tenant", "acme"))), IngestReport)
        answer = base.ask("When?", policy=RetrievalPolicy(limit=2))
        assert_type(answer, Answerable)
        assert_type(answer.selection, FragmentSelection)
        for row in answer.explain().rows:
            assert_type(row.label, Label)
            assert_type(row.reason, DropReason | None)
        return answer.prompt.text


def documents_and_attachments_are_typed(path: str) -> Iterator[ExplainedDocument]:
    """Stores of documents, files, and what became of each."""
    stores: list[DocumentStore | ScopedDocumentStore] = [FolderDocumentStore("policies"), SqliteDocumentStore("d.db")]
    with file_extractor() as extractor:
        assert_type(extractor.extract(read_attachment("note.txt")), str)
    enclosure = EnclosurePolicy(documents=DocumentPolicy(1000), attachments=AttachmentPolicy(2), extractor=extractor)
    for store in stores:
        with KnowledgeBase.open(path, documents=store, enclosure=enclosure) as base:
            answer = base.ask("When?", documents=["leave.md"], attachments=[read_attachment("note.txt")])
            assert_type(answer.documents, Mapping[str, DocumentSelection])
            assert_type(answer.standing, Mapping[str, DocumentSelection])
            assert_type(answer.all_documents, Mapping[str, DocumentSelection])
            assert_type([one.detail for one in answer.explain().documents], list[str])
            yield from answer.explain().documents


class OwnEmbedder:
    """What satisfies the port."""

    name = "own"
    dimensions = 2

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [[0.0, 1.0] for _ in texts]

    def embed_query(self, text: str) -> tuple[float, float]:
        return (1.0, float(len(text)))


class OwnReranker:
    """What satisfies the port."""

    def rerank(self, query: str, rows: Sequence[RetrievedFragment]) -> Iterator[float]:
        return (0.5 for _ in rows)


def search_by_meaning_is_typed(store: ScopedKnowledgeRetriever) -> Sequence[RetrievedFragment]:
    """An embedder and a reranker of one's own, and those the settings name."""

    def told(progress: IngestProgress) -> None:
        assert_type(progress.remaining, float | None)

    with KnowledgeBase.open("k.db", embedder=OwnEmbedder(), reranker=OwnReranker()) as base:
        assert_type(base.embed(anew=True, on_progress=told), int)
        assert_type(base.check(), tuple[str, ...])
        assert_type(base.embedder, Embedder | None)
    assert_type(embedder_of(Settings(embedder="minilm"), {}), Embedder | None)
    return RerankedRetriever(store, OwnReranker(), depth=20).search("When?", 5)


def telemetry_is_typed() -> None:
    """The adapter satisfies the port, and both façades take it."""
    telemetry: Telemetry = OpenTelemetry(content=True)
    span = telemetry.begin("own", {"a": 1, "b": ["c"]}, client=True)
    with span.current():
        span.set({"d": 0.5})
    with KnowledgeBase.open("k.db", telemetry=telemetry) as base:
        assert_type(base, KnowledgeBase)
    AsyncKnowledgeBase.open("k.db", telemetry=telemetry).close()


def stores_are_typed(path: str, other: KnowledgeStore) -> list[object]:
    """The embedded store satisfies every port; another one is asked which it does."""
    store = SqliteStore(path, embedder=OwnEmbedder())
    by_meaning: VectorStore = store
    bulk: BulkStore = store
    checked: CheckedStore = store
    assert_type(by_meaning.search("When?", 5, vector=(0.0, 1.0)), Sequence[RetrievedFragment])
    bulk.put_many([])
    assert_type(checked.check(), tuple[str, ...])
    return [isinstance(other, VectorStore), isinstance(other, BulkStore), isinstance(other, CheckedStore)]


def stores_on_servers_are_typed(url: str) -> tuple[str, ...]:
    """The same for a store in PostgreSQL, whose options may stand in its URL."""
    with PgvectorStore.from_url(url, embedder=OwnEmbedder()) as store:
        by_meaning: VectorStore = store
        bulk: BulkStore = store
        checked: CheckedStore = store
        bulk.put_many([])
        assert_type(by_meaning.embed(), int)
        assert_type(checked.check(), tuple[str, ...])
    PgvectorStore(url, schema="handbook", index="hnsw", row_security=True, pool_size=4).close()
    with PgvectorStore.from_url(url, schema="handbook", create=False) as served:
        indexed: IndexedStore = served
        assert_type(indexed.build_index(), bool)
    return PgvectorStore.grants("app", schema="handbook")


def stores_of_rows_are_typed(path: str) -> list[VectorStore]:
    """The same for stores in LanceDB and in Chroma."""
    lance, chroma = LanceDBStore(path, table="handbook"), ChromaStore(path, collection="handbook", headers={"key": "x"})
    bulk: list[BulkStore] = [lance, chroma]
    checked: list[CheckedStore] = [lance, chroma]
    assert_type(LanceDBStore.from_url("lancedb:///x", embedder=OwnEmbedder()), LanceDBStore)
    assert_type(ChromaStore.from_url("chroma+http://x:1/y", create=False), ChromaStore)
    assert_type([len(bulk), len(checked)], list[int])
    return [lance, chroma]


def a_store_in_qdrant_is_typed(url: str) -> str:
    """The same for a store in Qdrant, on a server or in a folder."""
    with QdrantStore.from_url(url, embedder=OwnEmbedder()) as store, store.beside() as other:
        by_meaning: VectorStore = store
        bulk: BulkStore = store
        checked: CheckedStore = other
        found: Sequence[RetrievedFragment] = by_meaning.search("hours", 3, scope_path="")
        bulk.put_many([])
        assert_type(checked.check(), tuple[str, ...])
        assert not found
        return QdrantStore(store.url, api_key="k", index="hnsw", timeout=5, attempts=2).url


def frameworks_are_typed(theirs: object, policy: RetrievalPolicy) -> list[object]:
    """Stores of others in front of the boundary, and the boundary as a tool."""
    scope = DeclaredScope.field("tenant_path")
    stores: list[ScopedKnowledgeRetriever] = [
        LangChainStore(theirs, scope=scope, scores="distance", filters=lambda path: {"filter": path}),
        LangChainRetriever(theirs, scope=DeclaredScope.fixed(""), missing_score=0.5),
        LlamaIndexRetriever(theirs, scope=scope, scores=lambda raw: raw + 1),
        HaystackRetriever(theirs, scope=scope, embed=lambda text: [float(len(text))]),
    ]
    with BlockingRetriever(theirs, scope=scope, timeout=1.0) as adapted:
        stores.append(adapted)
        assert_type(adapted.search("When?", 5, scope_path="tenant\x1facme"), list[RetrievedFragment])
    assert_type(scope.of({}), str | None)
    kind: ScoreKind = "similarity"
    missing: MissingScore = "rank"
    ScorePolicy(kind=kind, missing=missing)
    assert_type(knowledge_tool(stores[0], policy=policy)("When?"), str)
    tool = async_knowledge_tool(stores[0], policy=policy, on_selection=lambda selection: None)
    make = (langchain_retriever, llamaindex_retriever, haystack_retriever)
    return [tool, *(one(stores[0], policy=policy, scope_path="") for one in make)]


def a_knowledge_base_is_a_retriever_of_frameworks(knowledge: KnowledgeBase) -> list[object]:
    """Its own boundary decides; a policy may be left out."""
    assert_type(knowledge_tool(knowledge, scope_path="tenant\x1facme")("When?"), str)
    make = (langchain_retriever, llamaindex_retriever, haystack_retriever)
    return [async_knowledge_tool(knowledge), *(one(knowledge) for one in make)]


async def its_async_twin_is_typed() -> CompiledPrompt:
    """The same, awaited."""
    async with await AsyncKnowledgeBase.open("knowledge.db") as base:
        assert_type(await base.passage("a" * 40, scope=ScopePath.of(("tenant", "acme"))), Answerable | None)
        answer = await base.ask("When?")
        assert_type(answer, Answerable)
        return answer.prompt


class Entry:
    """An entry of a ledger of the user's own."""

    @property
    def label(self) -> str:
        """One label."""
        return "leave.md"


def messages_are_typed(prompt: CompiledPrompt, events: Iterable[object]) -> str:
    """A prompt to requests, and an answer's events to text."""
    history = [Turn(role="user", text="Hello?"), Turn(role="assistant", text="Hello.")]
    parts = MessageParts.apart(prompt, "When?", ledgers={"knowledge": [Entry()]}, history=history)
    assert_type(MessageParts.whole(prompt, "When?"), MessageParts)
    assert_type(parts.pieces, tuple[Evidence, ...])
    assert_type(anthropic_request(parts, ttl="1h"), dict[str, Any])
    assert_type(openai_responses_request(parts, caching="automatic"), dict[str, Any])
    assert_type(openai_responses_request(parts, ttl="12h"), dict[str, Any])
    assert_type(openai_chat_request(parts, caching="none"), dict[str, Any])
    assert_type(gemini_request(parts, signature=None), dict[str, Any])
    assert_type(langchain_messages(parts), list[dict[str, Any]])
    assert_type(langchain_anthropic_messages(parts, ttl="1h"), list[dict[str, Any]])
    reader = AnthropicCitations(parts.pieces)
    assert_type(next(AnthropicCitations(parts.pieces, writer=ReferenceWriter()).texts({})), str)
    assert_type(reader.end(), None)
    assert_type(reader.unresolved, tuple[UnresolvedCitation, ...])
    return "".join(reader.feed(event) for event in events) + reader.flush()


class Quiet:
    """A filter of the user's own."""

    def feed(self, text: str) -> str:
        """Pass on."""
        return text

    def flush(self) -> str:
        """Nothing is held."""
        return ""


def answers_are_filtered(chunks: Iterable[str]) -> str:
    """Filters of ours and of the user's in one chain."""
    filters = chain(CitationTagFilter(["semantic"]), CitationTagFilter(("a", "b")), Quiet())
    assert_type(filters, StreamFilter)
    assert_type(filter_stream(filters, chunks), Generator[str, None, None])
    try:
        return "".join(filter_stream(filters, chunks)) + filters.flush()
    except BridgeTypeError as error:
        assert_type(error.rule, str)
        return ""


async def answers_are_filtered_as_they_come(chunks: AsyncIterable[str]) -> list[str]:
    """The same, asynchronous, closed when the reader stops."""
    stream = afilter_stream(CitationTagFilter(), chunks)
    assert_type(stream, AsyncGenerator[str, None])
    async with aclosing(stream) as answers:
        return [answer async for answer in answers]


def places_of_what_is_broken(text: str) -> None:
    """Start, end and parenthesis."""
    assert_type(marker_places(text), tuple[tuple[int, int, str], ...])
    assert_type(delimiter_places(text), tuple[tuple[int, int, str], ...])
    assert_type(control_token_places(text), tuple[tuple[int, int, str], ...])
    assert_type(after_head(text, "SOURCE [leave.md]: "), str | None)
    assert_type([place.line for place in inspect_text(text).places], list[int])


def a_question_to_a_store_of_ones_own(
    store: KnowledgeRetriever | ScopedKnowledgeRetriever, question: str, prompt: CompiledPrompt
) -> None:
    """Either kind of retriever, and what becomes of its prompt."""
    inquiry = Inquiry(store, question, RetrievalPolicy(), scope_aware=takes_scope_path(store))
    assert_type(inquiry.selection, FragmentSelection)
    prompt_contributions([inquiry.contribution(), inquiry.contribution("tickets")])
    inquiry.refuse_failed()
    inquiry.refuse_failed(prompt)
    Inquiry(store, question, RetrievalPolicy(), scope_aware=False, offline_safe=True)
    own = Answerable(question=question, prompt=prompt, selections={"tickets": inquiry.selection})
    assert_type(ledger_of(own), CitationLedger)
    assert_type(message_parts(own), MessageParts)
    assert_type({row.citation: row for row in own.explain().admitted}, dict[str, ExplainedRow])


class Parrot:
    """A model of the user's own: it returns nothing about how it ended."""

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """Say the question again."""
        yield messages[-1].content


def answers_are_typed() -> GroundingReport:
    """From a model to a report, at once and later."""
    model: ChatModel = chat_model(Settings(model="m"), {"OPENAI_API_KEY": "k"})
    with KnowledgeBase.open("k.db") as knowledge:
        with knowledge.answer("What?", model=model, on_unknown="keep") as answering:
            assert_type(answering, Answering)
            for piece in answering:
                assert_type(piece, str)
        assert_type(answering.answer(), Answer)
        ledger = ledger_of(knowledge.ask("What?"))
        render = knowledge.answer("What?", model=Parrot(), render=lambda entry, number: f"{entry.source} {number}")
    write_ledger("l.json", ledger)
    completion = render.answer().completion
    assert_type(completion, Completion | None)
    assert_type(render.answer().marks, int)
    return verify_answer(render.text, read_ledger("l.json"), datamark="^").report


async def its_async_twin_answers() -> str:
    """The same with await."""
    async with (
        AsyncKnowledgeBase.open("k.db") as knowledge,
        await knowledge.answer("What?", model=Parrot()) as answering,
    ):
        assert_type(answering, AsyncAnswering)
        return "".join([piece async for piece in answering])


def evaluations_are_typed(knowledge: KnowledgeBase) -> Mapping[str, Estimate]:
    """A store and a corpus, measured and compared."""
    judged = read_judgements("queries.jsonl", "qrels.tsv")
    assert_type(judged.judged, tuple[str, ...])
    found = evaluate(knowledge, judged, scope=None, resamples=1000, seed=1)
    other = evaluate_collection("corpus.jsonl", judged, settings=Settings(limit=3), negatives=["nonsense"])
    assert_type(other.floors, tuple[FloorShares, ...])
    assert_type(read_queries("negatives.jsonl", []), dict[str, str])
    assert_type(found, Evaluation)
    assert_type(found.boundary.relevant, Mapping[str, float])
    assert_type(evaluation_chart(other), str)
    return paired_differences(found.per_query, other.per_query)


def keys_of_tenants(store: str) -> str:
    """Make a key, recognise its token, and narrow what a request asks for."""
    keys = AccessKeys(access_path(store))
    key, token = keys.create("Acme", scope=ScopePath.of(("tenant", "acme")), may_write=True, days=90)
    running: AccessKeys | None = access_in_force(keys.path)
    asking: AccessKey | None = running.verify(token) if running is not None else None
    keys.revoke(key.id)
    return narrowed(asking, None)


def uploads_are_typed(knowledge: KnowledgeBase) -> Removal:
    """What somebody sends is stored, and removed by its origin."""
    report = upload(knowledge, [Upload(name="a.md", data=BytesIO(b"text"))], scope=None)
    assert_type(report, IngestReport)
    return remove_document(knowledge, f"{UPLOADED}a.md")
