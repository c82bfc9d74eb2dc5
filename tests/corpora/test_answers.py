"""Hostile answers over a real connection, cut anywhere: what is shown and told is that of the whole text.

The filters have runs of their own; here the SDK, the connection and the account are part of what is tested.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.adapters.knowledge.models.openai import OpenAIChatModel
from symfonic.capabilities.knowledge import DEFAULT_LAYER_NAMES
from symfonic.composition.knowledge import KnowledgeBase, ledger_of, verify_answer
from symfonic.testing.knowledge import ScriptedChatServer, ScriptedReply

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

pytestmark = [pytest.mark.corpora, pytest.mark.slow]

ANSWERS: Final = 100
QUESTION: Final = "How many days of leave?"
TAG: Final = re.compile(rf"\[(?:{'|'.join(DEFAULT_LAYER_NAMES)})\]", re.IGNORECASE | re.ASCII)
PIECES: Final = (
    *(
        "thirty ",
        "[semantic]",
        " [sem",
        "antic]",
        "[working",
        "[[",
        "]",
        " \t",
        "\n\n",
        "`",
        "```\n",
        "~~~\n",
        "(",
        ": ",
    ),
    *("SOURCE [", "SOURCE ", "Source [Evil.md]", "[Evil.md]", "[2024]", "arr[0]", "[unverified source]", "·", "\\"),
    *('"thirty days of leave"', "“thirty days of leave”", "data: x\n\n"),
    *("\x1b[31m", "\x00", "\r", "é", "😀", "\u202e", "\ud83d", "\ude00"),
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Two passages about leave under one name, one under another."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("# Leave\n\nthirty days of leave\n\n# Leave\n\nleave is asked for\n")
    (tmp_path / "docs" / "note.txt").write_text("leave is paid, all days of it\n")
    with KnowledgeBase.open(tmp_path / "k.db") as base:
        base.ingest(tmp_path / "docs")
        yield base


def chunked(chance: random.Random, text: str) -> Sequence[str]:
    """A text in pieces of any size, empty ones between."""
    cuts = sorted(chance.choices(range(len(text) + 1), k=chance.randint(0, 12)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@pytest.mark.requirement("AN-SHOW-1")
def test_an_answer_over_a_connection_is_that_of_the_whole_text(knowledge: KnowledgeBase) -> None:
    """Text and report, whatever is said and however it is cut; no layer tag is left, and all of it can be encoded."""
    chance = random.Random(1)
    ledger = ledger_of(knowledge.ask(QUESTION))
    labels = [entry.label for entry in ledger]
    pieces = (*PIECES, *labels, *(f"SOURCE [{label}]" for label in labels), "SOURCE [leave.md § Leave]")
    texts = ["".join(chance.choices(pieces, k=chance.randint(1, 25))) for _ in range(ANSWERS)]
    replies = [ScriptedReply(chunked(chance, text), packet=chance.choice([None, 1, 7, 64])) for text in texts]
    invented = 0
    with ScriptedChatServer(*replies) as server:
        model = OpenAIChatModel("m", base_url=server.base_url)
        for text in texts:
            answering = knowledge.answer(QUESTION, model=model, on_unknown="keep")
            shown = "".join(answering)
            whole = verify_answer(text, ledger)
            answer = answering.answer()
            assert (shown, answer.text, answer.report) == (whole.text, whole.text, whole.report), ascii(text)
            assert TAG.search(shown) is None, ascii(text)
            assert shown.encode().decode() == shown
            invented += len(answer.report.unknown)
    assert invented > ANSWERS / 10
