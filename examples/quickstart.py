"""A folder of documents to a cited prompt: run it from anywhere, it keeps its store in a temporary folder."""

from __future__ import annotations

import tempfile
from pathlib import Path

from symfonic.composition.knowledge import KnowledgeBase

HANDBOOK = Path(__file__).resolve().parent / "handbook"


def main() -> None:
    """Ingest the handbook, ask, and show the prompt and every row's outcome."""
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(Path(folder) / "knowledge.db") as base:
        base.ingest(HANDBOOK)
        answer = base.ask("How many days of leave can be carried over?")
        print(answer.prompt.text)
        for row in answer.explain().rows:
            print(f"{row.label}: {'admitted' if row.admitted else row.reason}")


if __name__ == "__main__":
    main()
