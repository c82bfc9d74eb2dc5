"""Small filters of a model's text, before its tags and references are looked at.

Rules of this module: text in, text out. It makes what a model says into text that can be written down and read, and
knows neither tags nor references.
"""

from __future__ import annotations


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
    """Reads a datamark as the space it stands for."""

    __slots__ = ("_mark",)

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def feed(self, text: str) -> str:
        """One character for one."""
        return text.replace(self._mark, " ")

    def flush(self) -> str:
        """Nothing is held."""
        return ""
