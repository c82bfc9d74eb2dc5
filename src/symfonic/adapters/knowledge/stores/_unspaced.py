"""Words of scripts written without spaces: pairs of neighbouring characters, for the index and for questions alike.

Rules of this module: pure functions over text. It knows neither tokenizer nor store.

The full-text tokenizer takes a whole run of such characters for one word, which nobody asks for again. So a passage's
runs are indexed once more, cut into pairs: a run of ``n`` characters becomes ``n`` pieces, its ``n - 1`` pairs and its
last character alone. Every character then begins exactly one piece, so that a single character is found by what begins
with it, and lengths count each character once. What other scripts write into the same word is a piece as well.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCRIPTS: Final = (
    # Han, with the marks that stand for a repeated or a counted one
    "\u3005\u3007\u3021-\u3029\u3031-\u3035\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff"  # Hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf"  # Thai, Lao
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1000-\u103f\u1050-\u109d\ua9e0-\ua9fe\uaa60-\uaa7f"  # Khmer, Myanmar
)
_RUN: Final = re.compile(f"[{_SCRIPTS}]+")
_LETTER: Final = "(?:[^\\W_]|[\u0300-\u036f])"
_MOST_MARKS: Final = 30
"""Combining marks that are put in order together: as many as stream-safe text may have in a row (UAX 15)."""

_PERHAPS_MARKS: Final = re.compile(f"[\\W\uff9e\uff9f]{{{_MOST_MARKS + 1},}}+")
"""Rows in which too many marks may stand: no mark is a letter or digit, but for the halfwidth sound marks."""

_TOUCHING: Final = re.compile(f"\\A{_LETTER}++|(?<!{_LETTER}){_LETTER}++\\Z")


def is_unspaced(word: str) -> bool:
    """Whether a word is of such a script altogether."""
    return _RUN.fullmatch(word) is not None


def normalized(text: str) -> str:
    """``text`` with such runs set apart from other words, their characters composed; other text as it is (NFKC)."""
    if text.isascii() or not _RUN.search(text):
        return text
    return _RUN.sub(r" \g<0> ", _composed(text))


def pieces(text: str) -> str:
    """What the index holds of ``text`` besides its words, pieces parted by spaces; empty for most text."""
    if text.isascii() or not _RUN.search(text):
        return ""
    return " ".join(_pieces(_composed(text)))


def _composed(text: str) -> str:
    """``text`` under NFKC in linear time, of a longer row of combining marks each :data:`_MOST_MARKS` by themselves.

    Marks are put in order by comparing neighbours, which takes the square of a row's length. No language writes one of
    so many.
    """
    parts: list[str] = []
    start = 0
    for found in _PERHAPS_MARKS.finditer(text):
        marks = 0
        for at in range(found.start(), found.end()):
            marks = marks + 1 if _is_mark(text[at]) else 0
            if marks > _MOST_MARKS:
                parts.append(unicodedata.normalize("NFKC", text[start:at]))
                start, marks = at, 1
    parts.append(unicodedata.normalize("NFKC", text[start:]))
    return "".join(parts)


def _is_mark(character: str) -> bool:
    """Whether a character is one combining mark, or decomposes into several and nothing else."""
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))


def _pieces(text: str) -> Iterator[str]:
    end = 0
    for found in _RUN.finditer(text):
        yield from _touching(text[end : found.start()], before=end > 0, behind=True)
        run, end = found[0], found.end()
        yield from (run[at : at + 2] for at in range(len(run)))
    yield from _touching(text[end:], before=end > 0, behind=False)


def _touching(text: str, *, before: bool, behind: bool) -> Iterator[str]:
    """Words of other scripts that touch a run ``before`` or ``behind`` this text."""
    for found in _TOUCHING.finditer(text):
        if (before and found.start() == 0) or (behind and found.end() == len(text)):
            yield found[0]


def asked(run: str) -> list[str]:
    """What a run in a question asks for: its pairs; the character where there is only one."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
