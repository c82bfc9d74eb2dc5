"""The ports: errors keep their evidence wherever they travel."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import (
    AdapterError,
    BulkStore,
    ChatMessage,
    CheckedStore,
    Chunk,
    Completion,
    ExtractionError,
    FinishReason,
    ModelError,
    StoreError,
    VectorStore,
    embedded_text,
    retrieved_text,
)
from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.requirement("ST-ROW-1")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\n\n", "a"),
        ("\n \n  a  b\n c \u3000\r\n", "  a  b\n c"),
        ("  a", "  a"),
        (" \n\t", ""),
        ("", ""),
        ("\u200b\n a", "\u200b\n a"),
        ("a\0\n", "a\0"),
    ],
)
def test_a_row_and_a_vector_are_of_what_shows(text: str, shown: str) -> None:
    """White space at the ends joins passages to their document's text and belongs to neither."""
    assert retrieved_text(text) == shown
    assert retrieved_text(shown) == shown
    assert embedded_text(Chunk(text=text, label="f", ordinal=0)) == shown
    assert embedded_text(Chunk(text=text, label="f", ordinal=0, heading="H")) == f"H\n{shown}"


def test_white_space_is_the_same_on_every_interpreter() -> None:
    """What a string's own methods take for it is what the tables have."""
    assert {character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()} == set(WHITE_SPACE)


def test_an_extraction_error_keeps_its_code_across_a_process_boundary() -> None:
    """Extraction runs in another process."""
    error = pickle.loads(pickle.dumps(ExtractionError("rule, consequence, remedy", code="damaged")))
    assert (type(error), str(error), error.code) == (ExtractionError, "rule, consequence, remedy", "damaged")


def test_what_a_store_can_do_is_recognized_by_its_methods(tmp_path: Path) -> None:
    """The embedded one can do everything; a retriever, nothing of it."""

    class Shelf:
        def search(self, query: str, limit: int) -> list[object]:
            raise NotImplementedError

    ports = (VectorStore, BulkStore, CheckedStore)
    with SqliteStore(tmp_path / "k.db") as store:
        assert [isinstance(store, port) for port in ports] == [True, True, True]
    assert [isinstance(Shelf(), port) for port in ports] == [False, False, False]


def test_every_error_of_an_adapter_is_one_tree() -> None:
    """One except clause is enough."""
    assert issubclass(ExtractionError, AdapterError)
    assert issubclass(StoreError, AdapterError)
    assert issubclass(ModelError, AdapterError)


def test_a_model_error_keeps_its_code_and_status_across_a_process_boundary() -> None:
    """A model may be asked from another process."""
    error = pickle.loads(pickle.dumps(ModelError("rule, consequence, remedy", code="rate-limit", status=429)))
    assert (type(error), str(error), error.code, error.status) == (
        ModelError,
        "rule, consequence, remedy",
        "rate-limit",
        429,
    )


@pytest.mark.parametrize(
    ("role", "content", "fault"),
    [
        ("tool", "a", "role is one of assistant, system, user, not 'tool'"),
        ("user", b"a", "content is a str"),
    ],
)
def test_a_message_has_a_role_and_text(role: str, content: Any, fault: str) -> None:
    """A value that no model could be sent is refused where it is made."""
    with pytest.raises(ValueError, match=fault):
        ChatMessage(role, content)


def test_a_completion_without_more_ended_by_itself() -> None:
    """What nobody counted is no number."""
    assert Completion() == Completion(finish=FinishReason.STOP, model="", prompt_tokens=None, answer_tokens=None)
