"""Native citations become references to labels, in streams and in whole messages alike."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.messages import AnthropicCitations, MessageError, UnresolvedCitation

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
    "event", [None, {}, {"type": "ping"}, {"type": "content_block_delta"}, {"type": "text", "text": "x"}]
)
def test_other_events_add_nothing(event: object) -> None:
    """Also those the SDK's helper adds to the API's own, which repeat the text."""
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


@pytest.mark.requirement("KB-MSG-PIECES-1")
@pytest.mark.parametrize("pieces", [7, None, "text", [SimpleNamespace(label=None)]])
def test_what_has_no_labels_is_refused(pieces: Any) -> None:
    """The parts in the place of their pieces above all."""
    with pytest.raises(MessageError, match=r"Give parts\.pieces\.") as caught:
        AnthropicCitations(pieces)
    assert (caught.value.rule, caught.value.value) == ("KB-MSG-PIECES-1", pieces)
