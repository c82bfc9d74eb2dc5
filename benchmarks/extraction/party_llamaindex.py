"""LlamaIndex: `SimpleDirectoryReader` with the readers of `llama-index-readers-file`, chosen by itself from endings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llama_index.core import SimpleDirectoryReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PACKAGES = ("llama-index-core", "llama-index-readers-file", "pypdf", "pandas", "docx2txt", "python-pptx")


class Party:
    """All files in one call."""

    def try_each(self, paths: Sequence[Path]) -> list[tuple[str, list[str]]]:
        """What its reader raises for each file, empty where nothing, and its texts."""
        return [_tried(path) for path in paths]

    def read(self, paths: Sequence[Path]) -> int:
        """Read all files, passing over those it cannot read. How many texts there are."""
        return len(SimpleDirectoryReader(input_files=list(paths)).load_data())


def _tried(path: Path) -> tuple[str, list[str]]:
    try:
        documents = SimpleDirectoryReader(input_files=[path], raise_on_error=True).load_data()
    except Exception as error:  # noqa: BLE001 - whatever a peer raises is told
        cause = error.__cause__ or error
        return f"{type(cause).__name__}: {' '.join(str(cause).split())}"[:200], []
    return "", [document.text for document in documents]
