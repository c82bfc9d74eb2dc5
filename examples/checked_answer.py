"""An answer whose references are checked while it arrives.

The model is a script that cites well, cites badly, and leaks a tag. Put one of your own in its place, for instance
``chat_model(Settings(model="…"), os.environ)``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from symfonic.composition.knowledge import KnowledgeBase, ledger_of
from symfonic.testing.knowledge import ScriptedChatModel

HANDBOOK = Path(__file__).resolve().parent / "handbook"
QUESTION = "How many days of leave can be carried over?"


def script(base: KnowledgeBase) -> ScriptedChatModel:
    """A model that saw the prompt: it cites the first source as it stands there, and one that never stood there."""
    label = next(iter(ledger_of(base.ask(QUESTION)))).label
    said = f"Five days [semantic] can be carried over SOURCE [{label}]. The board allows more SOURCE [minutes.pdf]."
    return ScriptedChatModel([said[start : start + 4] for start in range(0, len(said), 4)])


def main() -> None:
    """Ingest the handbook, show the answer as it arrives, then what it rests on."""
    with tempfile.TemporaryDirectory() as folder, KnowledgeBase.open(Path(folder) / "knowledge.db") as base:
        base.ingest(HANDBOOK)
        with base.answer(QUESTION, model=script(base)) as answering:
            for piece in answering:
                print(piece, end="", flush=True)
    report = answering.answer().report
    print()
    for cited in report.cited:
        print(f"cited: {cited.source}, {cited.count} time(s)")
    for invented in report.unknown:
        print(f"invented: {invented.name}")
    print(f"never used: {len(report.uncited)}")


if __name__ == "__main__":
    main()
