"""Small filters of a model's text, before its tags and references are looked at.

Rules of this module: text in, text out. It makes what a model says into text that can be written down and read, and
knows neither tags nor references.
"""

from __future__ import annotations

import re
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
        mark: The datamark.
        labels: The labels that the prompt showed.
    """

    __slots__ = ("_forms", "_held", "_places")

    def __init__(self, mark: str, labels: Iterable[str] = ()) -> None:
        self._forms = _shown_forms(mark, tuple(labels))
        self._places = re.compile("|".join(map(re.escape, (*self._forms, mark))))
        self._held = ""

    def feed(self, text: str) -> str:
        """Held is at most what may become one of those labels."""
        text, self._held = self._held + text, ""
        at = text.rfind("[") if self._forms else -1
        if at >= 0 and any(form.startswith(text[at:]) for form in self._forms):
            text, self._held = text[:at], text[at:]
        return self._read(text)

    def flush(self) -> str:
        """What became none of them."""
        held, self._held = self._held, ""
        return self._read(held)

    def _read(self, text: str) -> str:
        return self._places.sub(lambda found: self._forms.get(found[0], " "), text)


def _shown_forms(mark: str, labels: tuple[str, ...]) -> dict[str, str]:
    """What marked labels look like in brackets, with marks or with spaces, where reading marks as spaces loses them."""
    forms: dict[str, str] = {}
    for label in labels:
        joined = _SPACES.sub(mark, label.replace(mark, _REPLACEMENT))
        spaced = joined.replace(mark, " ")
        if spaced != label:
            forms |= {f"[{form}]": f"[{label}]" for form in (joined, spaced) if form not in labels}
    return forms
