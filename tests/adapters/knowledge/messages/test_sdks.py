"""Requests against the providers' own libraries: their types take every key, and their clients send what was built.

The libraries' types are made strict for it: left as they are, validation passes over keys they do not know. What is
sent is read off the wire: a transport stands in for the network.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.messages import (
    FUNCTION_NAME,
    AnthropicCitations,
    MessageParts,
    anthropic_request,
    gemini_request,
    langchain_anthropic_messages,
    langchain_messages,
    openai_chat_request,
    openai_responses_request,
)
from symfonic.capabilities.prompting import PromptCompiler

from .conftest import QUESTION, TODAY, Scene, compile_scene

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.sdk

MODEL = "some-model"
CACHINGS = ("explicit", "automatic", "none")


def variants() -> list[Any]:
    """Parts of every kind: whole and apart, with and without history, evidence, system text and a text of this turn."""
    scenes = [compile_scene(), compile_scene(()), compile_scene(today=TODAY), compile_scene(handbook="")]
    found = [pytest.param(MessageParts.whole(PromptCompiler().compile([]), QUESTION), id="question alone")]
    for number, scene in enumerate(scenes):
        for history in ((), "default"):
            given: dict[str, Any] = {} if history else {"history": ()}
            for form in ("whole", "apart"):
                name = f"{number}-{form}-{'history' if history else 'first'}"
                found.append(pytest.param(getattr(scene, form)(**given), id=name))
    return found


def strict(schema: Any) -> Any:
    """A schema whose iterables are read at once, and whose dictionaries have no key their type does not name."""
    if isinstance(schema, dict):
        changed = {key: strict(inner) for key, inner in schema.items()}
        if schema.get("type") == "generator":
            changed["type"] = "list"
        elif schema.get("type") == "typed-dict":
            changed["extra_behavior"] = "forbid"
        return changed
    return [strict(inner) for inner in schema] if isinstance(schema, list) else schema


@functools.cache
def validator(kind: Any) -> Any:
    """Validates plain data by a library's type."""
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator

    return SchemaValidator(strict(TypeAdapter(kind).core_schema))


def validated(kind: Any, data: Any) -> Any:
    """What a library's type makes of plain data."""
    return validator(kind).validate_python(data)


class Wire:
    """A transport that keeps what is sent and answers with one text."""

    def __init__(self, reply: Any, content_type: str = "application/json") -> None:
        self.bodies: list[Any] = []
        self._reply = reply if isinstance(reply, str) else json.dumps(reply)
        self._content_type = content_type

    def client(self) -> Any:
        """A client of the network library all of them use."""
        import httpx2

        def answer(request: Any) -> Any:
            self.bodies.append(json.loads(request.content))
            return httpx2.Response(200, text=self._reply, headers={"content-type": self._content_type})

        return httpx2.Client(transport=httpx2.MockTransport(answer))

    @property
    def body(self) -> Any:
        """The one body that was sent."""
        (body,) = self.bodies
        return body


# ------------------------------------------------------------------------------------------------------ Anthropic

ANTHROPIC_REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": MODEL,
    "content": [{"type": "text", "text": "Hello."}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


@pytest.mark.requirement("KB-MSG-SDK-1")
@pytest.mark.parametrize("parts", variants())
@pytest.mark.parametrize("ttl", [None, "1h"])
def test_anthropics_types_take_every_key(parts: MessageParts, ttl: Any) -> None:
    """Of the whole request."""
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    request = {"model": MODEL, "max_tokens": 9, **anthropic_request(parts, ttl=ttl)}
    assert validated(MessageCreateParamsNonStreaming, request) == request


@pytest.mark.requirement("KB-MSG-SDK-2")
@pytest.mark.parametrize("parts", variants())
def test_anthropics_client_sends_what_was_built(parts: MessageParts) -> None:
    """Markers in place, nothing added but the model."""
    import anthropic

    wire = Wire(ANTHROPIC_REPLY)
    with anthropic.Anthropic(api_key="none", http_client=wire.client()) as client:
        client.messages.create(model=MODEL, max_tokens=9, **anthropic_request(parts))
    assert wire.body == {"model": MODEL, "max_tokens": 9, **anthropic_request(parts)}


def server_sent(*events: dict[str, Any]) -> str:
    """Events as a server sends them."""
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def cited(parts: MessageParts, index: int) -> dict[str, Any]:
    """A citation of a piece by its number."""
    piece = parts.pieces[index]
    return {
        "type": "search_result_location",
        "cited_text": piece.content,
        "source": piece.label,
        "title": piece.label,
        "search_result_index": index,
        "start_block_index": 0,
        "end_block_index": 1,
    }


@pytest.mark.requirement("KB-MSG-CITE-1")
def test_citations_of_anthropics_library_name_labels(scene: Scene) -> None:
    """Streamed events, events of the library's helper, and the whole message say the same."""
    import anthropic

    parts = scene.apart()
    block = {"type": "text", "text": "", "citations": None}
    events = server_sent(
        {"type": "message_start", "message": {**ANTHROPIC_REPLY, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "28 "}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "days."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": cited(parts, 1)}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    )
    expected = f"28 days. SOURCE [{scene.labels[0]}]"
    request: dict[str, Any] = {"model": MODEL, "max_tokens": 9, **anthropic_request(parts)}
    wire = Wire(events, "text/event-stream")
    with anthropic.Anthropic(api_key="none", http_client=wire.client()) as client:
        reader = AnthropicCitations(parts.pieces)
        with client.messages.create(stream=True, **request) as stream:
            assert "".join(reader.feed(event) for event in stream) + reader.flush() == expected
        with client.messages.stream(**request) as helper:
            assert "".join(reader.feed(event) for event in helper) + reader.flush() == expected
            assert reader.read(helper.get_final_message().content) == expected
            assert reader.read(helper.get_final_message()) == expected


# --------------------------------------------------------------------------------------------------------- OpenAI

RESPONSE = {"id": "resp_1", "object": "response", "created_at": 0, "model": MODEL, "output": [], "status": "completed"}
CHAT = {"id": "chat_1", "object": "chat.completion", "created": 0, "model": MODEL, "choices": []}


@pytest.mark.requirement("KB-MSG-SDK-1")
@pytest.mark.parametrize("parts", variants())
@pytest.mark.parametrize("caching", CACHINGS)
def test_openais_types_take_every_key(parts: MessageParts, caching: Any) -> None:
    """Of both requests."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    request = {"model": MODEL, **openai_responses_request(parts, caching=caching)}
    assert validated(ResponseCreateParamsNonStreaming, request) == request
    request = {"model": MODEL, **openai_chat_request(parts, caching=caching)}
    assert validated(CompletionCreateParamsNonStreaming, request) == request


@pytest.mark.requirement("KB-MSG-SDK-1")
@pytest.mark.parametrize("ttl", ["30m", "12h"])
def test_openais_types_take_every_time_to_live(scene: Scene, ttl: Any) -> None:
    """Of the Responses API; the other has one of its own only."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
    from pydantic import ValidationError

    request = {"model": MODEL, **openai_responses_request(scene.apart(), ttl=ttl)}
    assert validated(ResponseCreateParamsNonStreaming, request) == request
    chat: dict[str, Any] = {"model": MODEL, **openai_chat_request(scene.apart())}
    chat["prompt_cache_options"]["ttl"] = "12h"
    with pytest.raises(ValidationError):
        validated(CompletionCreateParamsNonStreaming, chat)


@pytest.mark.requirement("KB-MSG-SDK-2")
@pytest.mark.parametrize("parts", variants())
@pytest.mark.parametrize("caching", CACHINGS)
def test_openais_client_sends_what_was_built(parts: MessageParts, caching: Any) -> None:
    """Breakpoints in place, nothing added but the model."""
    import openai

    sent: list[tuple[Any, Callable[[Any], Any], dict[str, Any]]] = [
        (RESPONSE, lambda client: client.responses.create, openai_responses_request(parts, caching=caching)),
        (CHAT, lambda client: client.chat.completions.create, openai_chat_request(parts, caching=caching)),
    ]
    for reply, create, request in sent:
        wire = Wire(reply)
        with openai.OpenAI(api_key="none", http_client=wire.client()) as client:
            create(client)(model=MODEL, **request)
        assert wire.body == {"model": MODEL, **request}


# --------------------------------------------------------------------------------------------------------- Gemini


@pytest.mark.requirement("KB-MSG-SDK-1")
@pytest.mark.parametrize("parts", variants())
@pytest.mark.parametrize(
    "given", [{}, {"signature": None}, {"signature": "c2lnbg=="}], ids=["default", "none", "other"]
)
def test_geminis_types_take_every_key(parts: MessageParts, given: dict[str, Any]) -> None:
    """They forbid what they do not know, and give back every byte; the signature is bytes there and text in JSON."""
    from google.genai import types

    request = gemini_request(parts, **given)
    for content in [*request["contents"], *filter(None, [request.get("systemInstruction")])]:
        model = types.Content.model_validate(content)
        assert model.model_dump(mode="json", by_alias=True, exclude_none=True) == content


@pytest.mark.requirement("KB-MSG-SDK-2")
@pytest.mark.parametrize("parts", variants())
def test_geminis_client_sends_what_was_built(parts: MessageParts) -> None:
    """The signature as the very text its documentation gives, and nothing added but an empty configuration."""
    from google import genai

    request = gemini_request(parts)
    wire = Wire({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello."}]}}]})
    with genai.Client(api_key="none", http_options={"httpx_client": wire.client()}) as client:
        config = {"systemInstruction": request.get("systemInstruction")}
        client.models.generate_content(model=MODEL, contents=request["contents"], config=config)
    assert wire.body == {**request, "generationConfig": {}}


# ------------------------------------------------------------------------------------------------------ LangChain


LANGCHAIN_CHAT = {**CHAT, "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello."}}]}


@pytest.mark.requirement("KB-MSG-SDK-2")
@pytest.mark.parametrize("parts", variants())
@pytest.mark.parametrize("ttl", [None, "1h"])
def test_langchains_model_of_anthropic_sends_the_request_of_its_api(parts: MessageParts, ttl: Any) -> None:
    """System text and messages block by block, markers in place, nothing added but the model and its ceiling."""
    import anthropic
    from langchain_anthropic import ChatAnthropic

    wire = Wire(ANTHROPIC_REPLY)
    model = ChatAnthropic(model=MODEL, api_key="none", max_tokens=9, max_retries=0)
    with anthropic.Anthropic(api_key="none", http_client=wire.client()) as client:
        vars(model)["_client"] = client  # it takes no client; this is where it keeps the one it makes
        assert model.invoke(langchain_anthropic_messages(parts, ttl=ttl)).text == "Hello."
    assert wire.body == {"model": MODEL, "max_tokens": 9, **anthropic_request(parts, ttl=ttl)}


@pytest.mark.requirement("KB-MSG-SDK-2")
@pytest.mark.parametrize("parts", variants())
def test_langchains_model_of_openai_sends_the_messages_of_its_api(parts: MessageParts) -> None:
    """Roles, texts, calls and their ids; where a call has no text it says so."""
    from langchain_openai import ChatOpenAI

    wire = Wire(LANGCHAIN_CHAT)
    with wire.client() as client:
        model = ChatOpenAI(model=MODEL, api_key="none", max_retries=0, http_client=client)
        assert model.invoke(langchain_messages(parts)).text == "Hello."
    for message in wire.body["messages"]:
        if "tool_calls" in message:
            assert message.pop("content") is None
    assert wire.body["messages"] == openai_chat_request(parts, caching="automatic")["messages"]
    assert wire.body.keys() == {"model", "messages", "stream"}


@pytest.mark.requirement("KB-MSG-LANGCHAIN-1")
@pytest.mark.parametrize("build", [langchain_messages, langchain_anthropic_messages])
@pytest.mark.parametrize("parts", variants())
def test_langchains_models_get_what_was_built(parts: MessageParts, build: Callable[..., Any]) -> None:
    """Whatever model: every message with its role, and every text in it, calls and answers joined by their ids."""
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    seen: list[Any] = []

    class Model(GenericFakeChatModel):  # type: ignore[misc]  # unknown where types are checked
        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            seen.extend(messages)
            return super()._generate(messages, *args, **kwargs)

    built = build(parts)
    assert Model(messages=iter([AIMessage("Hello.")])).invoke(built).text == "Hello."
    roles = {"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}
    assert [message.type for message in seen] == [roles[message["role"]] for message in built]
    assert [message.content for message in seen] == [message["content"] for message in built]
    calls = [call for message in seen if message.type == "ai" for call in message.tool_calls]
    assert calls == [call for message in built for call in message.get("tool_calls", ())]
    answers = [message.tool_call_id for message in seen if message.type == "tool"]
    assert answers == [call["id"] for call in calls]


@pytest.mark.requirement("KB-MSG-CITE-2")
def test_citations_are_read_out_of_langchains_chunks(scene: Scene) -> None:
    """As they come, and out of the message they add up to, whichever way its model of Anthropic's streams."""
    from langchain_core.messages import AIMessageChunk

    parts = scene.apart()
    citation = {"type": "text", "index": 0, "citations": [cited(parts, 1)]}
    plain = ["", "28 ", "days. ", [citation], "Bye."]
    blocks = [[], [{"type": "text", "text": "28 days. ", "index": 0}], [citation]]
    blocks.append([{"type": "text", "text": "Bye.", "index": 1}])
    for contents in (plain, blocks):
        chunks = [AIMessageChunk(content=content) for content in contents]
        reader = AnthropicCitations(parts.pieces)
        assert "".join(map(reader.feed, chunks)) + reader.flush() == f"28 days. SOURCE [{scene.labels[0]}] Bye."
        message = functools.reduce(lambda one, other: one + other, chunks)
        assert reader.read(message) == reader.read(message.content) == f"28 days. SOURCE [{scene.labels[0]}] Bye."


def test_langchain_turns_messages_into_those_of_chat_completions(scene: Scene) -> None:
    """What its models of OpenAI's protocol send is what this project's own shape has, the tool's name apart."""
    from langchain_core.messages import convert_to_messages, convert_to_openai_messages

    turned = convert_to_openai_messages(convert_to_messages(langchain_messages(scene.apart())))
    plain = openai_chat_request(scene.apart(), caching="none")["messages"]
    for message in turned:
        if message["role"] == "tool":
            assert message.pop("name") == FUNCTION_NAME
        if "tool_calls" in message:
            assert message.pop("content") == ""
    assert turned == plain


# -------------------------------------------------------------------------------------------- the checks themselves


@pytest.mark.parametrize("change", [{"prompt_cache_breakpoint": {}}, {"cache_control": {"type": "forever"}}])
def test_validation_finds_what_a_library_does_not_know(change: dict[str, Any]) -> None:
    """A key its types lack, and a value they refuse."""
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from pydantic import ValidationError

    request: dict[str, Any] = {"model": MODEL, "max_tokens": 9, **anthropic_request(compile_scene().apart())}
    request["messages"][0]["content"][0] |= change
    with pytest.raises(ValidationError):
        validated(MessageCreateParamsNonStreaming, request)
