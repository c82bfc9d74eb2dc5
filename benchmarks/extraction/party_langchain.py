"""LangChain: for each kind the loader of `langchain-community` its documentation names first that works offline.

Markdown and reStructuredText are read as plain text, which they are. The loaders of workbooks, slides, books and mail
need `unstructured`, which fetches a language model from the network at its first file, or `pandoc`; neither is
installed, and what they raise is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_community.document_loaders import (
    BSHTMLLoader,
    CSVLoader,
    Docx2txtLoader,
    PyPDFium2Loader,
    PyPDFLoader,
    TextLoader,
    UnstructuredEmailLoader,
    UnstructuredEPubLoader,
    UnstructuredExcelLoader,
    UnstructuredPowerPointLoader,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PACKAGES = ("langchain-community", "langchain-core", "pypdf", "pypdfium2", "docx2txt", "beautifulsoup4")
LOADERS: dict[str, Callable[[str], Any]] = {
    "csv": CSVLoader,
    "docx": Docx2txtLoader,
    "eml": UnstructuredEmailLoader,
    "epub": UnstructuredEPubLoader,
    "html": BSHTMLLoader,
    "md": lambda path: TextLoader(path, autodetect_encoding=True),
    "pdf": PyPDFLoader,
    "pptx": UnstructuredPowerPointLoader,
    "rst": lambda path: TextLoader(path, autodetect_encoding=True),
    "tsv": lambda path: CSVLoader(path, csv_args={"delimiter": "\t"}),
    "txt": lambda path: TextLoader(path, autodetect_encoding=True),
    "xlsx": UnstructuredExcelLoader,
}


class Party:
    """One loader a file; ``pdfium`` reads PDF with the faster of its two common loaders."""

    def __init__(self, *, pdfium: bool = False) -> None:
        self.loaders = {**LOADERS, "pdf": PyPDFium2Loader} if pdfium else LOADERS

    def texts(self, path: Path) -> list[str]:
        """Texts of one file."""
        loader = self.loaders[path.suffix[1:].lower()](str(path))
        return [document.page_content for document in loader.load()]

    def try_each(self, paths: Sequence[Path]) -> list[tuple[str, list[str]]]:
        """What each file's loader raises, empty where nothing, and its texts."""
        return [_tried(self.texts, path) for path in paths]

    def read(self, paths: Sequence[Path]) -> int:
        """Read all files, one after the other; one that raises costs itself. How many texts there are."""
        return sum(len(texts) for _, texts in self.try_each(paths))


def _tried(read: Callable[[Path], list[str]], path: Path) -> tuple[str, list[str]]:
    try:
        return "", read(path)
    except Exception as error:  # noqa: BLE001 - whatever a peer raises is told
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:200], []
