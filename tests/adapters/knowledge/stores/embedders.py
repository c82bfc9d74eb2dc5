"""Embedders without a model, and the ranking of a store written plainly."""

from __future__ import annotations

import hashlib
import math
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class HashedWords:
    """Adds up a random direction for each word: texts that share words are alike, and equal texts are equal."""

    def __init__(self, dimensions: int = 16, name: str = "hashed-words") -> None:
        self.name = name
        self.dimensions = dimensions
        self.embedded: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The sum of the directions of its words, and of one that all texts share."""
        sums = [0.0] * self.dimensions
        for word in ["", *text.lower().split()]:
            source = random.Random(hashlib.sha256(word.encode()).digest())  # noqa: S311 - no secret
            sums = [total + source.gauss(0, 1) for total in sums]
        return sums


def plain_cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """Cosine by the textbook."""
    products = math.fsum(a * b for a, b in zip(left, right, strict=True))
    return products / math.sqrt(math.fsum(a * a for a in left) * math.fsum(b * b for b in right))
