"""What is stored and asked: texts sampled from this project's own documentation, and unit vectors around topics.

Everything depends on a seed alone. Sentences are real, passages are sentences in a random order: as many words occur
in them as in prose, though fewer different ones than in a large collection, which makes questions of words harder.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent.parent
DIMENSIONS = 384
TOPICS = 500
PASSAGE = 500  # characters
QUESTION_WORDS = 6
TIED, GROUPS, OTHERS = 12, 5, 340


def sentences() -> list[str]:
    """Sentences of the documentation: no code, no tables, no headings."""
    found: set[str] = set()
    for file in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        prose = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        lines = [line for line in prose.splitlines() if not re.match(r"\s*([|#>]|$)", line)]
        found.update(part.strip() for part in re.split(r"(?<=[.:;?])\s+", " ".join(lines)))
    return sorted(part for part in found if 30 <= len(part) <= 300)


def passage(rng: random.Random, source: list[str], length: int) -> str:
    """Sentences until there are ``length`` characters."""
    text = ""
    while len(text) < length:
        text += f" {rng.choice(source)}"
    return text.strip()


def around(rng: np.random.Generator, centres: NDArray[np.float32], spread: float) -> NDArray[np.float32]:
    """Unit vectors near other ones."""
    noise = rng.standard_normal(centres.shape, dtype=np.float32) / np.sqrt(np.float32(centres.shape[1]))
    near = centres + np.float32(spread) * noise
    unit: NDArray[np.float32] = near / np.linalg.norm(near, axis=1, keepdims=True)
    return unit


def write(place: Path, ids: list[str], texts: list[str], vectors: NDArray[np.float32] | None = None) -> None:
    """Write texts as JSON lines and their matrix beside them."""
    with place.open("w", encoding="utf-8") as lines:
        for name, text in zip(ids, texts, strict=True):
            lines.write(json.dumps({"id": name, "text": text}) + "\n")
    if vectors is not None:
        np.save(place.with_suffix(".npy"), vectors)


def corpus(folder: Path, count: int, questions: int) -> None:
    """``passages.jsonl`` and ``questions.jsonl``, each with its matrix."""
    rng, noise, source = random.Random(1), np.random.default_rng(1), sentences()
    topics = noise.standard_normal((TOPICS, DIMENSIONS), dtype=np.float32) / np.sqrt(np.float32(DIMENSIONS))
    vectors = around(noise, topics[noise.integers(0, TOPICS, count)], 1.0)
    texts = [passage(rng, source, PASSAGE) for _ in range(count)]
    write(folder / "passages.jsonl", [f"p{at:06}" for at in range(count)], texts, vectors)
    near = around(noise, vectors[noise.integers(0, min(count, 20_000), questions)], 0.7)
    words = [question(rng, source) for _ in range(questions)]
    write(folder / "questions.jsonl", [f"q{at}" for at in range(questions)], words, near)


def question(rng: random.Random, source: list[str]) -> str:
    """Some words of one sentence, in their order."""
    words = re.findall(r"[A-Za-z]{3,}", rng.choice(source)) or ["knowledge"]
    at = rng.randrange(max(1, len(words) - QUESTION_WORDS + 1))
    return " ".join(words[at : at + QUESTION_WORDS])


def documents(folder: Path, count: int, characters: int) -> None:
    """``documents.jsonl``, to be embedded; each has about so many characters."""
    rng, source = random.Random(2), sentences()
    texts = [passage(rng, source, characters) for _ in range(count)]
    write(folder / "documents.jsonl", [f"d{at:05}" for at in range(count)], texts)


def ties(folder: Path) -> int:
    """``tied.jsonl``: groups of passages with one text and one vector, among others; ``ties.jsonl`` asks for them."""
    rng, noise, source = random.Random(3), np.random.default_rng(3), sentences()
    drawn = noise.standard_normal((GROUPS + OTHERS, DIMENSIONS), dtype=np.float32)
    unit = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    texts = [passage(rng, source, PASSAGE) for _ in range(GROUPS + OTHERS)]
    rows = [at for at in range(GROUPS) for _ in range(TIED)] + list(range(GROUPS, GROUPS + OTHERS))
    write(folder / "tied.jsonl", [f"t{at:03}" for at in range(len(rows))], [texts[at] for at in rows], unit[rows])
    asked = [" ".join(texts[at].split()[:QUESTION_WORDS]) for at in range(GROUPS)]
    write(folder / "ties.jsonl", [f"q{at}" for at in range(GROUPS)], asked, around(noise, unit[:GROUPS], 0.3))
    return len(rows)
