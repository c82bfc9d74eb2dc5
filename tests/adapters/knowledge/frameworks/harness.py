"""Each framework's stores, scripted answers and usual prompt template, for the attacks.

Rules of this module: everything here is a framework's own: its store, its base classes, its way from documents to
prompt text. Only ``ours`` and ``guarded`` go through the boundary, over the very same store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from symfonic.adapters.knowledge import DeclaredScope
from symfonic.adapters.knowledge.frameworks.haystack import HaystackRetriever, haystack_retriever
from symfonic.adapters.knowledge.frameworks.langchain import LangChainStore, langchain_retriever
from symfonic.adapters.knowledge.frameworks.llamaindex import LlamaIndexRetriever, llamaindex_retriever
from symfonic.capabilities.knowledge import RetrievalPolicy

from .conftest import haystack_component, langchain_store, llamaindex_index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Documents = Sequence[tuple[str, Mapping[str, Any]]]
    Scored = Sequence[tuple[str, Mapping[str, Any], Any]]

QUESTION = "how many days of leave"
EVERYBODY = DeclaredScope.fixed("")
POLICY = RetrievalPolicy.hardened(key=bytes(32), limit=3, overfetch=3, max_fragment_chars=400, max_total_chars=1_000)


class Harness(Protocol):
    """One framework.

    ``fill`` makes a store of its own over documents, ``script`` one that answers rows with these scores whatever it is
    asked. ``raw`` is the prompt that its own retriever and template make, ``guarded`` the one behind the boundary.
    """

    def fill(self, documents: Documents) -> Any: ...
    def script(self, rows: Scored) -> Any: ...
    def raw(self, store: Any) -> str: ...
    def guarded(self, store: Any, scope: DeclaredScope, path: str) -> str: ...


class LangChain:
    """In-memory vector store, ``as_retriever``, ``format_document``."""

    def fill(self, documents: Documents) -> Any:
        return langchain_store(documents)

    def script(self, rows: Scored) -> Any:
        from langchain_core.documents import Document
        from langchain_core.vectorstores import InMemoryVectorStore

        pairs = [(Document(page_content=text, metadata=dict(told)), score) for text, told, score in rows]

        class Scripted(InMemoryVectorStore):  # type: ignore[misc, unused-ignore]
            def similarity_search_with_score(self, query: str, k: int = 4, **_: Any) -> Any:
                return pairs

            def similarity_search(self, query: str, k: int = 4, **_: Any) -> Any:
                return [document for document, _ in pairs]

        return Scripted(langchain_store(()).embedding)

    def raw(self, store: Any) -> str:
        return _formatted(store.as_retriever(search_kwargs={"k": 3}), "SOURCE [{source}]: {page_content}")

    def guarded(self, store: Any, scope: DeclaredScope, path: str) -> str:
        ours = LangChainStore(store, scope=scope, scores="similarity")
        return _formatted(langchain_retriever(ours, policy=POLICY, scope_path=path), "{page_content}")


def _formatted(retriever: Any, template: str) -> str:
    from langchain_core.prompts import PromptTemplate, format_document

    prompt = PromptTemplate.from_template(template)
    return "\n\n".join(format_document(one, prompt) for one in retriever.invoke(QUESTION))


class LlamaIndex:
    """In-memory index, ``as_retriever``, and what its response synthesizers print of a node."""

    def fill(self, documents: Documents) -> Any:
        return llamaindex_index(documents)

    def script(self, rows: Scored) -> Any:
        from llama_index.core.retrievers import BaseRetriever
        from llama_index.core.schema import NodeWithScore, TextNode

        class Scripted(BaseRetriever):  # type: ignore[misc, unused-ignore]
            def _retrieve(self, query_bundle: Any) -> Any:
                return [
                    NodeWithScore(node=TextNode(text=text, metadata=dict(told)), score=score)
                    for text, told, score in rows
                ]

        return Scripted()

    def raw(self, store: Any) -> str:
        return _printed(store.as_retriever(similarity_top_k=3) if hasattr(store, "as_retriever") else store)

    def guarded(self, store: Any, scope: DeclaredScope, path: str) -> str:
        ours = LlamaIndexRetriever(store, scope=scope)
        return _printed(llamaindex_retriever(ours, policy=POLICY, scope_path=path))


def _printed(retriever: Any) -> str:
    from llama_index.core.schema import MetadataMode

    return "\n\n".join(one.node.get_content(metadata_mode=MetadataMode.LLM) for one in retriever.retrieve(QUESTION))


class Haystack:
    """In-memory document store, its retriever by words, ``PromptBuilder`` in a pipeline."""

    def fill(self, documents: Documents) -> Any:
        return haystack_component(documents)

    def script(self, rows: Scored) -> Any:
        from haystack import Document, component

        @component  # type: ignore[untyped-decorator, unused-ignore]
        class Scripted:
            def run(self, query, top_k=3):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - it reads the types
                return {
                    "documents": [
                        Document(id=str(place), content=text, meta=dict(told), score=score)
                        for place, (text, told, score) in enumerate(rows)
                    ]
                }

        Scripted.run.__annotations__ = {"query": str, "top_k": int}
        component.output_types(documents=list[Document])(Scripted.run)
        return Scripted()

    def raw(self, store: Any) -> str:
        template = "{% for one in documents %}SOURCE [{{ one.meta.source }}]: {{ one.content }}\n\n{% endfor %}"
        return _built(store, template, {"query": QUESTION, "top_k": 3})

    def guarded(self, store: Any, scope: DeclaredScope, path: str) -> str:
        ours = HaystackRetriever(store, scope=scope)
        component = haystack_retriever(ours, policy=POLICY, scope_path=path)
        return _built(component, "{% for one in documents %}{{ one.content }}\n\n{% endfor %}", {"query": QUESTION})


def _built(component: Any, template: str, question: dict[str, Any]) -> str:
    from haystack import Pipeline
    from haystack.components.builders import PromptBuilder

    pipeline = Pipeline()
    pipeline.add_component("retriever", component)
    pipeline.add_component("prompt", PromptBuilder(template=template, required_variables=["documents"]))
    pipeline.connect("retriever.documents", "prompt.documents")
    return str(pipeline.run({"retriever": question})["prompt"]["prompt"])


FRAMEWORKS: dict[str, Harness] = {"LangChain": LangChain(), "LlamaIndex": LlamaIndex(), "Haystack": Haystack()}
