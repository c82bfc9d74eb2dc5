"""The events and messages of Anthropic's Messages API, as a scripted server sends them.

Rules of this module: standard library only. It plays a reply and knows no connection. What a reply cites is looked up
among the search results of the request, as the provider does it: by number, in the order in which they stand there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["FAULTS", "message_events", "whole_message"]

_FINISHES: Final = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
FAULTS: Final = {
    "malformed": b'event: content_block_delta\ndata: {"type": "content_block_delta", \n\n',
    "shapeless": b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, "delta": null}\n\n',
    "error": b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", '
    b'"message": "\\u001b[31msecret"}}\n\n',
}
"""What goes wrong behind the last chunk, as an event of this protocol."""


def message_events(
    chunks: Sequence[str],
    cited: Mapping[int, Sequence[int]],
    body: Mapping[str, Any],
    usage: tuple[int, int] | None,
    finish: str | None,
) -> Iterator[bytes]:
    """The events of one answer; ``finish`` of ``None`` leaves its end out.

    A chunk that cites is a block of its own, with its citations behind its text; all others share blocks.
    """
    read, written = usage or (0, 0)
    counts = {} if usage is None else {"usage": {"input_tokens": read, "output_tokens": 1}}
    yield _event({"type": "message_start", "message": {**_head(body), "stop_reason": None, **counts}})
    yield _event({"type": "ping"})
    results = list(search_results(body))
    for index, (texts, numbers) in enumerate(_blocks(chunks, cited)):
        yield from _block(index, texts, [_citation(number, results) for number in numbers])
    if finish is not None:
        delta = {"stop_reason": _FINISHES.get(finish, finish), "stop_sequence": None}
        ended = {} if usage is None else {"usage": {"output_tokens": written}}
        yield _event({"type": "message_delta", "delta": delta, **ended})
        yield _event({"type": "message_stop"})


def whole_message(
    chunks: Sequence[str],
    cited: Mapping[int, Sequence[int]],
    body: Mapping[str, Any],
    usage: tuple[int, int] | None,
    finish: str | None,
) -> dict[str, Any]:
    """The same answer where no stream was asked for: one message, a block for each that the events would have."""
    results = list(search_results(body))
    message: dict[str, Any] = {
        **_head(body),
        "content": [
            {
                "type": "text",
                "text": "".join(texts),
                "citations": [_citation(number, results) for number in numbers] or None,
            }
            for texts, numbers in _blocks(chunks, cited)
        ],
        "stop_reason": None if finish is None else _FINISHES.get(finish, finish),
        "stop_sequence": None,
    }
    if usage is not None:
        message["usage"] = {"input_tokens": usage[0], "output_tokens": usage[1]}
    return message


def _head(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": "scripted", "type": "message", "role": "assistant", "content": [], "model": body.get("model")}


def search_results(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The search results of a request, in the order in which they are numbered."""
    for message in body.get("messages", ()):
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "search_result":
                yield block


def _blocks(chunks: Sequence[str], cited: Mapping[int, Sequence[int]]) -> Iterator[tuple[list[str], Sequence[int]]]:
    texts: list[str] = []
    for place, chunk in enumerate(chunks):
        if place not in cited:
            texts.append(chunk)
            continue
        if texts:
            yield texts, ()
        yield [chunk], cited[place]
        texts = []
    if texts:
        yield texts, ()


def _block(index: int, texts: Sequence[str], citations: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    yield _event({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}})
    deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": text} for text in texts]
    deltas += [{"type": "citations_delta", "citation": citation} for citation in citations]
    for delta in deltas:
        yield _event({"type": "content_block_delta", "index": index, "delta": delta})
    yield _event({"type": "content_block_stop", "index": index})


def _citation(number: int, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    missing: dict[str, Any] = {"source": "", "title": None, "content": [{"text": ""}]}
    found = results[number] if 0 <= number < len(results) else missing
    return {
        "type": "search_result_location",
        "cited_text": found["content"][0]["text"],
        "source": found["source"],
        "title": found["title"],
        "search_result_index": number,
        "start_block_index": 0,
        "end_block_index": 1,
    }


def _event(data: Mapping[str, Any]) -> bytes:
    head = f"event: {data['type']}\ndata: ".encode()
    # Not ASCII only: a packet may then end in the middle of a character. A lone surrogate has no bytes of its own.
    with suppress(UnicodeEncodeError):
        return head + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"
    return head + json.dumps(data).encode() + b"\n\n"
