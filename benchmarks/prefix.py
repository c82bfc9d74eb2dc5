"""What share of a conversation's bytes a prefix cache can use again, by how the prompt is put together.

Run ``python benchmarks/prefix.py``. A conversation of fifty turns: fixed instructions, two standing documents that
never change, and for every question four passages that a store found; the store gives its rows in another order every
time. Every way below sends the same instructions, documents, passages, questions and answers; only the order, and the
words that stand around them, are its own:

- *ours, whole*: the compiled prompt as the system text, then the conversation.
- *ours, apart*: authored text as the system text, standing documents after the first question, the conversation, then
  what this question found, as what a function answered.
- *LangChain*: a ``ChatPromptTemplate`` with instructions, documents and found passages in the system message, a
  placeholder for the conversation, then the question; passages joined by blank lines.
- *LlamaIndex*: its ``ContextChatEngine`` as it comes, instructions and documents as the system prompt. Its template
  puts what was found before the system prompt.
- *Haystack*: a ``ChatPromptBuilder`` with instructions and documents in the system message, the conversation, then one
  message with the found passages and the question.

A request is written out message by message. Used again is what a request and the best of all earlier ones have in
common from the start. That is the most any cache can do: providers keep whole blocks of tokens, above a least length,
and some only up to breakpoints. For ours both are told: the prefix, and the part of it that ends at a breakpoint. The
peers can be used otherwise, and some ways would do better; these are common ones for a conversation over documents.
"""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.messages import MessageParts, Turn, anthropic_request, openai_chat_request
from symfonic.capabilities.knowledge import (
    ContextContribution,
    ContextLayer,
    ContextTier,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    StaticContextSource,
    knowledge_contribution,
)
from symfonic.capabilities.prompting import (
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
    from collections.abc import Callable, Iterable, Iterator, Sequence

TURNS: Final = 50
KEY: Final = bytes(range(32))
PASSAGES: Final = 400
FOUND: Final = 4
LOOKBACK: Final = 20
"""Blocks before a breakpoint at which Anthropic looks for what it has kept."""

Blocks = list[tuple[str, bool]]
"""A request as stretches of text, each with whether a breakpoint ends it."""


@dataclass(frozen=True, slots=True)
class Question:
    """One turn: what is asked, what the store finds, in its own order of the day, and what is answered."""

    text: str
    rows: tuple[RetrievedFragment, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What every way of putting a prompt together is given."""

    instructions: str
    documents: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]

    def said_before(self, turn: int) -> list[tuple[str, str]]:
        """Role and text of everything said before a turn."""
        done = self.questions[:turn]
        return [said for one in done for said in (("user", one.text), ("assistant", one.answer))]


def conversation(turns: int = TURNS, seed: int = 5) -> Conversation:
    """A conversation that depends on the seed alone."""
    rng = random.Random(seed)
    syllables = [start + vowel for start in "bdfglmnprst" for vowel in "aeiou"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(3_000)]

    def text(count: int) -> str:
        picked = rng.choices(words, k=count)
        return ". ".join(" ".join(picked[at : at + 14]).capitalize() for at in range(0, count, 14)) + "."

    shelf = [(text(85), f"guide-{number % 60}.md § {number}") for number in range(PASSAGES)]
    documents = tuple((name, "\n".join(text(40) for _ in range(14))) for name in ("handbook", "policy"))
    questions = []
    for _ in range(turns):
        found = rng.sample(shelf, FOUND + 4)
        rows = [RetrievedFragment(*row, 1.0 - place / 10, {"scope_path": ""}) for place, row in enumerate(found)]
        rng.shuffle(rows)
        questions.append(Question(text(11), tuple(rows), text(70)))
    return Conversation(text(150), documents, tuple(questions))


# ----------------------------------------------------------------------------------------------------------- ours


class _Store:
    """Answers the rows of one question."""

    def __init__(self, rows: Sequence[RetrievedFragment]) -> None:
        self._rows = rows

    def search(self, query: str, limit: int) -> Iterable[RetrievedFragment]:
        del query, limit
        return self._rows


@dataclass(frozen=True, slots=True)
class _Entry:
    label: str


def our_parts(talk: Conversation, turn: int) -> tuple[MessageParts, MessageParts]:
    """The turn's prompt, whole and apart, by the boundary and the compiler with their defences on."""
    policy = RetrievalPolicy.hardened(key=KEY, limit=FOUND, max_per_source=FOUND)
    source = KnowledgeSource(_Store(talk.questions[turn].rows), talk.questions[turn].text, policy)
    standing = [
        ContextContribution(name, StaticContextSource(text), layer=ContextLayer.L1, tier=ContextTier.PROFILE)
        for name, text in talk.documents
    ]
    contributions = [
        PromptContribution(
            "instructions",
            StaticPromptSource(talk.instructions),
            layer=PromptLayer.L0,
            tier=PromptTier.OPERATING,
            pinned=True,
        ),
        *prompt_contributions([*standing, knowledge_contribution("knowledge", source)]),
    ]
    compiler = PromptCompiler(RenderPolicy(max_learned_chars=20_000, delimiter_key=KEY))
    compiled = compiler.compile(contributions, PromptRequest(turn=turn))
    history = [Turn(role=role, text=text) for role, text in talk.said_before(turn)]
    question = talk.questions[turn].text
    lines = next(block for block in compiled.blocks if block.contribution_id == "knowledge")
    shown = compiled.text[lines.content_start : lines.content_end].split("\n")
    ledger = [_Entry(line.removeprefix("SOURCE [").partition("]: ")[0]) for line in shown]
    return (
        MessageParts.whole(compiled, question, history=history),
        MessageParts.apart(compiled, question, ledgers={"knowledge": ledger}, history=history),
    )


def anthropic_blocks(parts: MessageParts) -> Blocks:
    """Anthropic's request, block by block in the order in which the provider reads them."""
    request = anthropic_request(parts)
    blocks = [*request["system"], *(block for message in request["messages"] for block in message["content"])]
    return [(_bare(block), "cache_control" in block) for block in blocks]


def openai_blocks(parts: MessageParts) -> Blocks:
    """OpenAI's request, part by part."""
    found: Blocks = []
    for message in openai_chat_request(parts)["messages"]:
        content = message.get("content")
        for part in content if isinstance(content, list) else [message]:
            found.append((_bare({"role": message["role"], **part}), "prompt_cache_breakpoint" in part))
    return found


def _bare(block: dict[str, Any]) -> str:
    """A block without its marker, which is no part of what a model reads."""
    marks = {"cache_control", "prompt_cache_breakpoint"}
    return json.dumps({key: value for key, value in block.items() if key not in marks}, ensure_ascii=False)


# ---------------------------------------------------------------------------------------------------------- peers


def best_rows(question: Question) -> list[RetrievedFragment]:
    """What a retriever hands on: the best rows, best first."""
    return sorted(question.rows, key=lambda row: -row.score)[:FOUND]


def standing_text(talk: Conversation) -> str:
    """Instructions and documents as one text."""
    return "\n\n".join([talk.instructions, *(f"{name}:\n{text}" for name, text in talk.documents)])


def langchain(talk: Conversation, turn: int) -> list[tuple[str, str]]:
    """A prompt template with a placeholder for the conversation."""
    from langchain_core.documents import Document
    from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

    template = ChatPromptTemplate.from_messages(
        [
            ("system", "{standing}\n\nAnswer from this context:\n\n{context}"),
            MessagesPlaceholder("history"),
            ("human", "{question}"),
        ]
    )
    found = [Document(row.content, metadata={"source": row.source}) for row in best_rows(talk.questions[turn])]
    context = "\n\n".join(f"{document.metadata['source']}: {document.page_content}" for document in found)
    messages = template.format_messages(
        standing=standing_text(talk),
        context=context,
        history=talk.said_before(turn),
        question=talk.questions[turn].text,
    )
    return [(message.type, message.text) for message in messages]


def llamaindex(talk: Conversation, turn: int) -> list[tuple[str, str]]:
    """Its chat engine for conversations over documents, with its own templates."""
    from llama_index.core.chat_engine import ContextChatEngine
    from llama_index.core.llms import ChatMessage, LLMMetadata
    from llama_index.core.llms.mock import MockLLMWithChatMemoryOfLastCall
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            del query_bundle
            return [
                NodeWithScore(node=TextNode(text=row.content, metadata={"source": row.source}), score=row.score)
                for row in best_rows(talk.questions[turn])
            ]

    class Model(MockLLMWithChatMemoryOfLastCall):
        @property
        def metadata(self) -> Any:
            return LLMMetadata(context_window=1_000_000, num_output=1, is_chat_model=True)

    model = Model(max_tokens=1, is_chat_model=True)
    history = [ChatMessage(content=text, role=role) for role, text in talk.said_before(turn)]
    engine = ContextChatEngine.from_defaults(
        Retriever(),
        llm=model,
        system_prompt=standing_text(talk),
        memory=ChatMemoryBuffer.from_defaults(chat_history=history, token_limit=10**9, llm=model),
    )
    engine.chat(talk.questions[turn].text)
    return [(message.role.value, str(message.content)) for message in model.last_chat_messages or ()]


def haystack(talk: Conversation, turn: int) -> list[tuple[str, str]]:
    """Its prompt builder, with what was found beside the question."""
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    from haystack import Document
    from haystack.components.builders import ChatPromptBuilder
    from haystack.dataclasses import ChatMessage

    asked = (
        "Given these documents, answer the question.\nDocuments:\n"
        "{% for doc in documents %}{{ doc.meta.source }}: {{ doc.content }}\n{% endfor %}"
        "\nQuestion: {{ question }}\nAnswer:"
    )
    make = {"user": ChatMessage.from_user, "assistant": ChatMessage.from_assistant}
    template = [
        ChatMessage.from_system("{{ standing }}"),
        *(make[role](text) for role, text in talk.said_before(turn)),
        ChatMessage.from_user(asked),
    ]
    builder = ChatPromptBuilder(template=template, required_variables=["standing", "documents", "question"])
    found = [Document(content=row.content, meta={"source": row.source}) for row in best_rows(talk.questions[turn])]
    prompt = builder.run(standing=standing_text(talk), documents=found, question=talk.questions[turn].text)["prompt"]
    return [(message.role.value, message.text) for message in prompt]


# ------------------------------------------------------------------------------------------------------ measuring


def written(messages: Iterable[tuple[str, str]]) -> Blocks:
    """Messages as stretches of text, without breakpoints."""
    return [(json.dumps({"role": role, "content": text}, ensure_ascii=False), False) for role, text in messages]


def common_bytes(one: bytes, other: bytes) -> int:
    """How many bytes two requests have in common from the start."""
    least, most = 0, min(len(one), len(other))
    while least < most:  # the longest equal prefix lies between the two
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def prefix_share(requests: Sequence[Blocks]) -> float:
    """Share of all bytes that stand in the prefix a request has in common with the best earlier one."""
    bodies = ["".join(text for text, _ in blocks).encode() for blocks in requests]
    used = sum(
        max((common_bytes(body, earlier) for earlier in bodies[:turn]), default=0) for turn, body in enumerate(bodies)
    )
    return used / sum(map(len, bodies))


def breakpoint_share(requests: Sequence[Blocks], lookback: int) -> float:
    """Share of all bytes up to the last place that was kept: a breakpoint, or ``lookback`` blocks before one."""
    kept: set[str] = set()
    used = total = 0
    for blocks in requests:
        prefixes = list(_prefixes(blocks))
        marked = [place for place, (_, ends) in enumerate(blocks) if ends]
        places = {place for mark in marked for place in range(max(0, mark - lookback), mark + 1)}
        used += max((len(prefixes[place].encode()) for place in places if prefixes[place] in kept), default=0)
        total += len(prefixes[-1].encode())
        kept.update(prefixes[mark] for mark in marked)
    return used / total


def _prefixes(blocks: Blocks) -> Iterator[str]:
    text = ""
    for block, _ in blocks:
        text += block
        yield text


PEERS: dict[str, Callable[[Conversation, int], list[tuple[str, str]]]] = {
    "LangChain": langchain,
    "LlamaIndex": llamaindex,
    "Haystack": haystack,
}


def run(turns: int = TURNS) -> dict[str, Any]:
    """Measure every way; peers that are not installed are left out."""
    talk = conversation(turns)
    ours = [our_parts(talk, turn) for turn in range(turns)]
    _hold_the_prefix(ours)
    shares = {
        "ours, whole": prefix_share([openai_blocks(whole) for whole, _ in ours]),
        "ours, apart": prefix_share([openai_blocks(apart) for _, apart in ours]),
    }
    at_breakpoints = {
        "ours, whole, OpenAI": breakpoint_share([openai_blocks(whole) for whole, _ in ours], 0),
        "ours, apart, OpenAI": breakpoint_share([openai_blocks(apart) for _, apart in ours], 0),
        "ours, whole, Anthropic": breakpoint_share([anthropic_blocks(whole) for whole, _ in ours], LOOKBACK),
        "ours, apart, Anthropic": breakpoint_share([anthropic_blocks(apart) for _, apart in ours], LOOKBACK),
    }
    for name, render in PEERS.items():
        try:
            shares[name] = prefix_share([written(render(talk, turn)) for turn in range(turns)])
        except ImportError:
            print(f"{name} is not installed and left out.")
    return {"turns": turns, "shares": shares, "at_breakpoints": at_breakpoints}


def _hold_the_prefix(ours: Sequence[tuple[MessageParts, MessageParts]]) -> None:
    """Fail where the stable layers changed by a byte: no share would mean anything then."""
    for form in zip(*ours, strict=True):
        stable = {"".join(part.text for part in takewhile(lambda part: part.stable, parts.system)) for parts in form}
        if len(stable) != 1:
            raise AssertionError(f"the stable layers had {len(stable)} texts in one conversation")


def show(result: dict[str, Any]) -> str:
    """The shares as a table."""
    rows = [f"Bytes of {result['turns']} turns that a prefix cache can use again"]
    rows += [f"  {name:<28} {share:6.1%}" for name, share in result["shares"].items()]
    rows += ["up to a breakpoint that was kept"]
    rows += [f"  {name:<28} {share:6.1%}" for name, share in result["at_breakpoints"].items()]
    return "\n".join(rows)


if __name__ == "__main__":
    print(show(run()))
