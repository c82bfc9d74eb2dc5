"""Several questions at once with asyncio; the core stays synchronous and runs in worker threads."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from symfonic.composition.knowledge import AsyncKnowledgeBase

HANDBOOK = Path(__file__).resolve().parent / "handbook"
QUESTIONS = (
    "How many days of leave can be carried over?",
    "When is a lost laptop reported?",
    "How many days can be worked from home?",
)


async def ask_all(store: Path) -> None:
    """Ingest once, then ask all questions at the same time."""
    async with AsyncKnowledgeBase.open(store) as base:
        await base.ingest(HANDBOOK)
        answers = await asyncio.gather(*(base.ask(question) for question in QUESTIONS))
    for answer in answers:
        print(f"{answer.question} -> {answer.explain().admitted[0].label}")


def main() -> None:
    """Keep the store in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(ask_all(Path(folder) / "knowledge.db"))


if __name__ == "__main__":
    main()
