"""This project: every file through its wall of worker processes, cut into passages as ingestion cuts them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import extract_files, ingest

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGES = ("symfonic-knowledge", "pypdfium2", "lxml", "selectolax", "python-calamine")


class Party:
    """Reads with a number of worker processes."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def try_each(self, paths: Sequence[Path]) -> list[tuple[str, list[str]]]:
        """Reason why a file yields no passages, empty where it yields some, and its texts."""
        return [
            ("" if file.chunks else file.reason or file.outcome.value, [section.text for section in file.sections])
            for file in extract_files(paths, workers=self.workers)
        ]

    def read(self, paths: Sequence[Path]) -> int:
        """Read all files; processes are started and ended within. How many texts there are."""
        return sum(len(file.sections) for file in extract_files(paths, workers=self.workers))

    def store(self, folder: Path) -> int:
        """Files of a folder that are stored in a new SQLite file, without vectors."""
        with tempfile.TemporaryDirectory() as place, SqliteStore(Path(place) / "knowledge.sqlite3") as store:
            ingest(store, [folder], workers=self.workers)
            return store.stats().documents
