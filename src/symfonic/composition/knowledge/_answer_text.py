"""Small filters of a model's text, before its tags and references are looked at.

Rules of this module: text in, text out. It makes what a model says into text that can be written down and read, and
knows neither tags nor references.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACES: Final = re.compile(" +")
_REPLACEMENT: Final = "\ufffd"  # what the compiler puts in place of a datamark that stood in a text before


class WellFormed:
    """Makes text that can be written down: halves of a character that came in two pieces are joined, a lone one shows.

    A server may cut between the two escapes of one character, and JSON lets a half stand alone.
    """

    __slots__ = ("_half",)

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """At most one half is held."""
        text, self._half = self._half + text, ""
        try:
            text.encode()
        except UnicodeEncodeError:
            if "\ud800" <= text[-1] <= "\udbff":
                text, self._half = text[:-1], text[-1]
            return _joined(text)
        return text

    def flush(self) -> str:
        """A half that stayed alone."""
        half, self._half = self._half, ""
        return _joined(half)


def _joined(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Unmarking:
    """Reads a datamark as the space it stands for, and in brackets a label as the prompt showed it.

    A mark stands for a run of spaces of any length, and U+FFFD for a mark that stood in a label before. A model can
    only copy what it was shown, so a label with either of them is read back as a whole.

    Args:
        mark: The datamark, one character.
        labels: The labels that the prompt showed; there is no square bracket in them.
    """

    __slots__ = ("_forms", "_held", "_mark", "_shown")

    def __init__(self, mark: str, labels: Iterable[str] = ()) -> None:
        self._mark = mark
        self._forms = _Forms(mark, _shown_forms(mark, tuple(labels)))
        self._held = ""  # the beginning of a label
        self._shown = 0  # how many characters of it are shown

    def feed(self, text: str) -> str:
        """Held is what may become one of those labels, from the character on in which the readings differ."""
        text, shown, forms = self._held + text, self._shown, self._forms
        self._held, self._shown = "", 0
        out: list[str] = []
        at = text.find("[") if forms.longest else -1
        while at >= 0:
            end = text.find("]", at, at + forms.longest) + 1
            label = forms.labels.get(text[at:end])
            if label is not None:
                out += (self._read(text[shown:at]), label[max(0, shown - at) :])
                shown = end
            elif not end and (certain := forms.certain(text[at:])):
                self._held, self._shown = text[at:], certain
                return "".join([*out, self._read(text[shown : at + certain])])
            at = text.find("[", max(end if label is not None else 0, at + 1))
        return "".join([*out, self._read(text[shown:])])

    def flush(self) -> str:
        """What became none of them."""
        held, self._held = self._held[self._shown :], ""
        self._shown = 0
        return self._read(held)

    def _read(self, text: str) -> str:
        return text.replace(self._mark, " ")


class _Forms:
    """What labels look like in brackets, and what they are.

    Args:
        mark: The datamark.
        labels: The labels with their brackets, after their forms.

    Attributes:
        labels: The same.
        longest: Characters of the longest form; 0 where there is none.
    """

    __slots__ = ("_least", "_ordered", "labels", "longest")

    def __init__(self, mark: str, labels: dict[str, str]) -> None:
        self.labels = labels
        self.longest = max(map(len, labels), default=0)
        self._ordered = sorted(labels)
        # Where a form and its label part; then the least such place of 2, 4, 8 ... forms in a row, from each on.
        self._least = [[_same(form.replace(mark, " "), labels[form]) for form in self._ordered]]
        while 2 << len(self._least) - 1 <= len(labels):
            row = self._least[-1]
            self._least.append(list(map(min, row, row[1 << len(self._least) - 1 :])))

    def certain(self, text: str) -> int:
        """Of the beginning of a form, how many characters are shown whatever it becomes; 0 where it begins none."""
        size = len(text)
        if size >= self.longest:
            return 0
        start = bisect_left(self._ordered, text)
        end = bisect_right(self._ordered, text, start, key=lambda form: form[:size])
        if start == end:
            return 0
        level = (end - start).bit_length() - 1
        row = self._least[level]
        return min(size, row[start], row[end - (1 << level)])


def _same(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _shown_forms(mark: str, labels: tuple[str, ...]) -> dict[str, str]:
    """What marked labels look like in brackets, with marks or with spaces, where reading marks as spaces loses them."""
    forms: dict[str, str] = {}
    known = frozenset(labels)
    for label in labels:
        joined = _SPACES.sub(mark, label.replace(mark, _REPLACEMENT))
        spaced = joined.replace(mark, " ")
        if spaced != label:
            forms[f"[{label}]"] = f"[{label}]"  # as it stands in an answer that was read before
            forms |= {f"[{form}]": f"[{label}]" for form in (joined, spaced) if form not in known}
    return forms
