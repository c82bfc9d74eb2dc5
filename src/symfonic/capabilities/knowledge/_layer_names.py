"""The names of layer tags: which are possible, and how a tag or the beginning of one is recognised.

Rules of this module: values only, made once and never changed. What becomes of a tag is the business of `citations`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final, cast

from ._refusals import refuse
from ._text import exact_str, is_text

if TYPE_CHECKING:
    from collections.abc import Iterable

_IMPOSSIBLE: Final = re.compile(r"[\[\]\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MOST_ALTERNATIVES: Final = 50  # beyond them a set is faster than an expression that tries one name after the other
_LONGEST_LISTED: Final = 64  # few and short names have so few beginnings that they can be listed


def folded(text: str) -> str:
    """The text with ASCII letters in lower case, and only those: the Kelvin sign is no k, and ſ no s."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


class LayerNames:
    """The names of tags, checked, in the forms in which they are looked up."""

    __slots__ = ("_beginnings", "_expression", "_ordered", "all", "longest")

    def __init__(self, layer_names: Iterable[str]) -> None:
        names = _checked_names(layer_names)
        self.all = frozenset(folded("\n".join(names)).split("\n"))
        self._ordered = [f"[{name}" for name in sorted(self.all)]
        self.longest = max(map(len, self.all)) + 2
        self._beginnings: frozenset[str] = frozenset()
        if len(self.all) > _MOST_ALTERNATIVES:
            first = "".join(map(re.escape, sorted({name[0] for name in self.all})))
            rest = rf"[^\[\]]{{0,{self.longest - 3}}}+"
            self._expression = re.compile(rf"(\[[{first}]{rest}\])", re.ASCII | re.IGNORECASE)
            return
        alternatives = "|".join(map(re.escape, sorted(self.all)))
        self._expression = re.compile(rf"\[(?:{alternatives})\]", re.ASCII | re.IGNORECASE)
        if self.longest <= _LONGEST_LISTED:
            self._beginnings = frozenset(f"[{name[:end]}" for name in self.all for end in range(len(name) + 1))

    def is_part(self, text: str) -> bool:
        """Whether text that is not empty is the beginning of a tag, and not all of it."""
        if len(text) >= self.longest:
            return False
        text = text.lower() if text.isascii() else folded(text)
        if self._beginnings:
            return text in self._beginnings
        at = bisect_left(self._ordered, text)
        return at < len(self._ordered) and self._ordered[at].startswith(text)

    def is_tag(self, text: str) -> bool:
        """Whether the text, which begins with a bracket and ends in the only other one, is a tag."""
        return len(text) <= self.longest and folded(text[1:-1]) in self.all

    def split(self, text: str) -> list[str]:
        """What stands between the tags of a text."""
        if len(self.all) <= _MOST_ALTERNATIVES:
            return self._expression.split(text)
        tags = {candidate for candidate in set(self._expression.findall(text)) if self.is_tag(candidate)}
        if len(tags) < 2:
            return text.split(*tags) if tags else [text]
        pieces = self._expression.split(text)
        between: list[str] = []
        kept = [pieces[0]]
        for candidate, text_after in zip(pieces[1::2], pieces[2::2], strict=True):
            if candidate in tags:
                between.append("".join(kept))
                kept = [text_after]
            else:
                kept += (candidate, text_after)
        return [*between, "".join(kept)]


def _checked_names(layer_names: Iterable[str]) -> list[str]:
    """Plain names that can stand in a tag. Ten thousand are checked at once; the culprit is looked for afterwards."""
    given: object = layer_names
    if isinstance(given, str | bytes | bytearray):
        refuse("KB-CIT-NAMES-1", given)
    try:
        names = list(cast("Iterable[object]", given))
    except TypeError:
        refuse("KB-CIT-NAMES-1", given)
    if not names:
        refuse("KB-CIT-NAMES-2", given)
    if set(map(type, names)) != {str}:
        names = [exact_str(name) if is_text(name) else refuse("KB-CIT-NAMES-3", name) for name in names]
    plain = cast("list[str]", names)
    if "" in plain or _IMPOSSIBLE.search("".join(plain)):
        refuse("KB-CIT-NAMES-3", next(name for name in plain if not name or _IMPOSSIBLE.search(name)))
    return plain
