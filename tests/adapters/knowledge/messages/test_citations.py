"""Native citations become references to labels, in streams and in whole messages alike."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.messages import AnthropicCitations, MessageError, UnresolvedCitation
from symfonic.capabilities.knowledge import CitationTagFilter, ReferenceWriter, chain

from .conftest import Entry

PIECES = (Entry("handbook"), Entry("leave.md ·aaaaaaaaaa"))


def cited(index: Any, source: str | None = None, **more: Any) -> dict[str, Any]:
    """A citation as the API gives it."""
    source = PIECES[index].label if source is None and index in (0, 1) else source
    return {"type": "search_result_location", "search_result_index": index, "source": source, **more}


def block(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    """A block of text in a message."""
    return {"type": "text", "text": text, "citations": list(citations) or None}


def events(*blocks: dict[str, Any], size: int = 3) -> list[dict[str, Any]]:
    """The blocks as a stream sends them."""
    found: list[dict[str, Any]] = [{"type": "message_start"}]
    for index, one in enumerate(blocks):
        found.append({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}})
        text = one["text"]
        deltas = [{"type": "text_delta", "text": text[at : at + size]} for at in range(0, len(text), size)]
        deltas += [{"type": "citations_delta", "citation": citation} for citation in one["citations"] or ()]
        found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        found.append({"type": "content_block_stop", "index": index})
    return [*found, {"type": "message_delta"}, {"type": "message_stop"}]


def streamed(*blocks: dict[str, Any], size: int = 3) -> str:
    """The text a stream makes."""
    reader = AnthropicCitations(PIECES)
    return "".join(reader.feed(event) for event in events(*blocks, size=size)) + reader.flush()


@pytest.mark.requirement("KB-MSG-CITE-1")
def test_a_citation_is_written_after_the_words_it_stands_for() -> None:
    """Before the white space the words end with, and before what comes next."""
    blocks = [block("You have "), block("28 days \n", cited(1)), block("a year.")]
    expected = "You have 28 days SOURCE [leave.md ·aaaaaaaaaa] \na year."
    assert AnthropicCitations(PIECES).read(blocks) == expected
    assert streamed(*blocks) == expected


def test_a_label_cited_twice_in_one_block_is_written_once() -> None:
    """In the order of first citation."""
    blocks = [block("Kind.", cited(1), cited(0), cited(1))]
    assert AnthropicCitations(PIECES).read(blocks) == "Kind. SOURCE [leave.md ·aaaaaaaaaa] SOURCE [handbook]"


def test_a_label_the_words_name_themselves_is_not_written_again() -> None:
    """One reference is one; that of another block counts by itself."""
    blocks = [block("Kind, says SOURCE [handbook].", cited(0), cited(1)), block(" Very.", cited(0))]
    expected = "Kind, says SOURCE [handbook]. SOURCE [leave.md ·aaaaaaaaaa] Very. SOURCE [handbook]"
    assert AnthropicCitations(PIECES).read(blocks) == expected
    assert streamed(*blocks) == expected


def test_objects_of_the_sdk_are_read_like_plain_data() -> None:
    """Fields are attributes there."""
    citation = SimpleNamespace(type="search_result_location", search_result_index=0, source="handbook")
    message = [
        SimpleNamespace(type="thinking", thinking="…"),
        SimpleNamespace(type="text", text="a", citations=[citation]),
    ]
    assert AnthropicCitations(PIECES).read(message) == "a SOURCE [handbook]"
    delta = SimpleNamespace(type="content_block_delta", delta=SimpleNamespace(type="text_delta", text="a"))
    assert AnthropicCitations().feed(delta) == "a"


@pytest.mark.requirement("KB-MSG-CITE-1")
@pytest.mark.parametrize(
    ("citation", "name", "index"),
    [
        (cited(2, "handbook"), "search result 2", 2),
        (cited(-1, "handbook"), "search result -1", -1),
        (cited(1, "handbook"), "search result 1", 1),
        (cited(True, "leave.md ·aaaaaaaaaa"), "a citation", None),
        (cited(None, "handbook"), "a citation", None),
        ({"type": "char_location", "document_index": 0}, "a citation", None),
    ],
)
def test_a_citation_of_nothing_that_was_sent_is_shown_and_reported(
    citation: dict[str, Any], name: str, index: int | None
) -> None:
    """Under a name that is nobody's label; it is never dropped, never given to a neighbour."""
    reader = AnthropicCitations(PIECES)
    assert reader.read([block("x", citation)]) == f"x SOURCE [{name}]"
    assert reader.unresolved == (UnresolvedCitation(name=name, kind=citation["type"], index=index),)


def test_a_source_that_bears_the_name_of_a_missing_one_is_not_cited() -> None:
    """A document may be called anything."""
    reader = AnthropicCitations([Entry("search result 7 ·aaaaaaaaaa"), Entry("unresolved search result 7")])
    assert reader.read([block("x", cited(7))]) == "x SOURCE [unresolved unresolved search result 7]"


def test_a_stream_that_breaks_off_loses_nothing() -> None:
    """What was held comes with the end."""
    reader = AnthropicCitations(PIECES)
    head = events(block("One. ", cited(0)))[:-3]
    assert "".join(reader.feed(event) for event in head) == "One."
    assert reader.flush() == " SOURCE [handbook] "
    assert reader.flush() == ""


@pytest.mark.parametrize(
    "event",
    [
        {"type": "ping"},
        {"type": "content_block_delta"},
        {"type": "content_block_start", "content_block": {"type": "thinking", "text": "x"}},
        {"type": "text", "text": "x", "snapshot": "x"},
        {"type": "mcp_tool_result", "content": [{"type": "text", "text": "x"}]},
        {"type": "message", "content": []},
    ],
)
def test_other_events_add_nothing(event: object) -> None:
    """Also those the SDK's helper adds to the API's own, which repeat the text, and what a tool found."""
    assert AnthropicCitations(PIECES).feed(event) == ""


@given(
    blocks=st.lists(
        st.builds(block, st.text(" a\n.", max_size=8), *[st.sampled_from([cited(0), cited(1), cited(9)])] * 2),
        max_size=4,
    ),
    size=st.integers(1, 9),
)
def test_a_stream_makes_the_text_of_the_message(blocks: list[dict[str, Any]], size: int) -> None:
    """However it is cut."""
    assert streamed(*blocks, size=size) == AnthropicCitations(PIECES).read(blocks)


@pytest.mark.requirement("KB-MSG-CITE-2")
@pytest.mark.parametrize(
    "content",
    [
        "Kind. ",
        ["Kind", ". "],
        block("Kind. "),
        [block("Kind. ")],
        {"role": "assistant", "content": "Kind. "},
        {"type": "message", "content": [block("Kind. ")]},
        SimpleNamespace(type="ai", content="Kind. "),
        SimpleNamespace(type="AIMessageChunk", content=["Kind. "]),
        SimpleNamespace(content=(block("Kind. "),)),
        events(block("Kind. ")),
        (event for event in ("Kind", SimpleNamespace(content=". "))),
    ],
)
def test_text_is_never_passed_over(content: Any) -> None:
    """A message in the place of its content, plain text, a stream that is read as a whole."""
    assert AnthropicCitations(PIECES).read(content) == "Kind. "


@pytest.mark.requirement("KB-MSG-CONTENT-1")
@pytest.mark.parametrize("event", [b"Kind.", None, {}, 7, ("a",), {"text": "Kind."}, SimpleNamespace(text="Kind.")])
def test_what_is_nothing_known_is_refused(event: Any) -> None:
    """What it says would be lost; also inside a message that is known."""
    reader = AnthropicCitations(PIECES)
    for take in (reader.feed, lambda given: reader.read([given]), lambda given: reader.feed({"content": [given]})):
        with pytest.raises(MessageError, match="would be lost") as caught:
            take(event)
        assert caught.value.rule == "KB-MSG-CONTENT-1"
    with pytest.raises(MessageError, match="NoneType is none of them"):
        reader.read(None)


@pytest.mark.requirement("KB-MSG-CITE-2")
def test_the_first_words_of_a_block_may_come_with_its_beginning() -> None:
    """Citations, too."""
    start = {"type": "content_block_start", "index": 0, "content_block": block("Ki", cited(0))}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "nd."}}
    assert AnthropicCitations(PIECES).read([start, delta, {"type": "content_block_stop"}]) == "Kind. SOURCE [handbook]"


def chunk(*content: Any) -> SimpleNamespace:
    """A message chunk as LangChain's model of Anthropic's streams it: text as it is, or blocks with their numbers."""
    return SimpleNamespace(type="AIMessageChunk", content=content[0] if isinstance(content[0], str) else list(content))


def numbered(index: int, **more: Any) -> dict[str, Any]:
    """A block in such a chunk."""
    return {"type": "text", "index": index, **more}


@pytest.mark.requirement("KB-MSG-CITE-2")
@pytest.mark.parametrize(
    "chunks",
    [
        [
            *[chunk(""), chunk("You have "), chunk("28 days"), chunk(" \n"), chunk(numbered(1, citations=[cited(1)]))],
            *[chunk("a year."), chunk("")],
        ],
        [
            *[chunk(numbered(0, text="You have ")), chunk(numbered(1, text="28 ")), chunk(numbered(1, text="days \n"))],
            *[chunk(numbered(1, citations=[cited(1)])), chunk(numbered(1, citations=[cited(1)]))],
            *[chunk(numbered(2, text="a ")), chunk(numbered(2, text="year."))],
        ],
    ],
)
def test_chunks_of_langchain_are_read_like_events(chunks: list[SimpleNamespace]) -> None:
    """Whichever of its two ways it streams in; what it makes of them in the end is read the same."""
    expected = "You have 28 days SOURCE [leave.md ·aaaaaaaaaa] \na year."
    reader = AnthropicCitations(PIECES)
    assert "".join(map(reader.feed, chunks)) + reader.flush() == expected
    merged = ["You have 28 days \n", numbered(1, citations=[cited(1)]), "a year."]
    assert AnthropicCitations(PIECES).read(merged) == expected


@pytest.mark.requirement("KB-MSG-CITE-2")
def test_words_of_one_numbered_block_do_not_speak_for_the_next() -> None:
    """As in blocks that come whole."""
    chunks = [chunk(numbered(0, text="See [handbook].")), chunk(numbered(1, text="Kind.", citations=[cited(0)]))]
    assert AnthropicCitations(PIECES).read(chunks) == "See [handbook].Kind. SOURCE [handbook]"


@pytest.mark.requirement("KB-MSG-PIECES-1")
@pytest.mark.parametrize("pieces", [7, None, "text", [SimpleNamespace(label=None)]])
def test_what_has_no_labels_is_refused(pieces: Any) -> None:
    """The parts in the place of their pieces above all."""
    with pytest.raises(MessageError, match=r"Give parts\.pieces\.") as caught:
        AnthropicCitations(pieces)
    assert (caught.value.rule, caught.value.value) == ("KB-MSG-PIECES-1", pieces)


@pytest.mark.requirement("KB-MSG-CITE-1")
@pytest.mark.parametrize("broken", [True, 5, "x", {"type": "search_result_location"}, [None], [7]])
def test_a_malformed_citation_costs_no_answer(broken: Any) -> None:
    """It is one that names nothing."""
    reader = AnthropicCitations(PIECES)
    assert reader.read([{"type": "text", "text": "x", "citations": broken}]) == "x SOURCE [a citation]"
    (told,) = reader.unresolved
    assert (told.name, told.index) == ("a citation", None)


def test_a_number_with_thousands_of_digits_is_told_of_and_not_repeated() -> None:
    """No text of it can be made; and a kind is no place for a long text."""
    reader = AnthropicCitations(PIECES)
    assert reader.read([block("x", {**cited(10**5000, "a"), "type": "k" * 500})]) == "x SOURCE [a citation]"
    assert repr(reader.unresolved) == (f"(UnresolvedCitation(name='a citation', kind='{'k' * 100}', index=None),)")


@pytest.mark.requirement("KB-MSG-CITE-1")
@pytest.mark.parametrize(
    "quoted", ["`[handbook]`", "[handbook](https://example.org)", "see[handbook]", "```\n[handbook]\n```"]
)
def test_a_label_in_brackets_that_are_no_reference_drops_none(quoted: str) -> None:
    """In code, as a link, after a letter: such brackets are counted nowhere."""
    assert AnthropicCitations(PIECES).read([block(f"{quoted}\nx", cited(0))]).endswith("x SOURCE [handbook]")


def test_references_are_written_behind_filters_of_ones_own() -> None:
    """Each piece of text goes through them before the writer hears what it rests on."""
    writer = ReferenceWriter()
    reader, filters = AnthropicCitations(PIECES, writer=writer), chain(CitationTagFilter(), writer)
    said = [block("One [semantic]", cited(0)), block(" two", cited(1)), block("."), block("")]
    shown = "".join(filters.feed(text) for text in reader.texts({"type": "message", "content": said}))
    reader.end()
    assert shown + filters.flush() == "One SOURCE [handbook] two SOURCE [leave.md ·aaaaaaaaaa]."


@pytest.mark.parametrize("label", ["", "a]b", "a\nb", "x" * 255])
def test_labels_that_no_reference_can_have_are_refused(label: str) -> None:
    """Before anything was read."""
    with pytest.raises(MessageError) as caught:
        AnthropicCitations([Entry(label)])
    assert caught.value.rule == "KB-MSG-PIECES-1"


def seconds(labels: int, given: list[Any]) -> float:
    """Processor time of an answer."""
    reader = AnthropicCitations([Entry(f"search result {number} of many") for number in range(labels)])
    begun = time.process_time()
    for event in given:
        reader.feed(event)
    reader.flush()
    return time.process_time() - begun


@pytest.mark.parametrize("kind", ["space", "citation"])
def test_time_grows_with_events_and_not_with_their_squares(kind: str) -> None:
    """White space in small pieces, and citations of nothing where there are many labels; squares would be 256 times."""
    deltas = {
        "space": {"type": "text_delta", "text": " "},
        "citation": {"type": "citations_delta", "citation": cited(10**6, "x")},
    }
    event = {"type": "content_block_delta", "delta": deltas[kind]}
    short = min(seconds(500, [event] * 500) for _ in range(3))
    assert seconds(8000, [event] * 8000) < 64 * short + 0.05
