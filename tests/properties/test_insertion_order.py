"""The order in which a corpus was stored decides nothing."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.capabilities.knowledge import ScopePath
from symfonic.composition.knowledge import KnowledgeBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILES = {
    "rota.md": "# Opening\n\nThe shop opens at nine.\n\n# Closing\n\nThe shop closes at six.\n",
    "rota-copy.md": "# Opening\n\nThe shop opens at nine.\n\n# Closing\n\nThe shop closes at six.\n",
    "a.txt": "The shop opens at nine.\n",
    "b.txt": "The shop opens at nine.\n",
    "c.txt": "The shop opens at nine.\n",
    "tied.rst": "Shop\n====\n\nThe shop opens at ten in winter.\n",
    "long.md": "The shop opens at nine. " * 200,
}
QUESTIONS = ("When does the shop open?", "shop", "opens nine winter", "closing time of the shop")
KEY = bytes(range(32))
TENANT = ScopePath.of(("tenant", "acme"))


def prompts(folder: Path, store: Path, order: Sequence[str]) -> list[tuple[str, str, str]]:
    """Ingest the files one by one in this order, half of them for a tenant, and ask every question."""
    with KnowledgeBase(SqliteStore(store), key=KEY) as knowledge:
        for name in order:
            knowledge.ingest(folder / name, scope=TENANT if name > "b" else None)
        answers = [knowledge.ask(question, scope=scope) for question in QUESTIONS for scope in (None, TENANT)]
        return [(a.prompt.text, a.prompt.digests.whole, str(a.selection.dropped)) for a in answers]


@pytest.mark.requirement("CO-ORDER-1")
def test_permuting_the_order_of_ingestion_changes_no_byte_of_any_prompt(tmp_path: Path) -> None:
    """Ties, copies and tenants included; every rotation and the reverse of every rotation."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    names = list(FILES)
    orders = [names[turn:] + names[:turn] for turn in range(len(names))]
    orders += [order[::-1] for order in orders]
    results = [prompts(tmp_path, tmp_path / f"{number}.db", order) for number, order in enumerate(orders)]
    assert all("shop opens" in text for text, _, _ in results[0][:2])
    for (one, first), (other, second) in itertools.pairwise(enumerate(results)):
        assert first == second, f"orders {one} and {other} differ"
