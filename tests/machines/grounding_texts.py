"""Texts that bring out what a grounding filter may be waiting for, and a way to feed it places of deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import CitationLedger, LedgerEntry

if TYPE_CHECKING:
    from symfonic.capabilities.knowledge import GroundingFilter

SHORT: Final = CitationLedger([LedgerEntry(name, name, "text") for name in ("ab", "abc", "a`", "SOU")])
"""Labels so short that continuations reach them; names of references may have four characters."""

PIECES: Final = (
    *("[S", "[SO", "SOURCE[S", "SOURCE[SOURCE", "SOURCE", "S", "SOURCE[", "[", "]", "ab", "a", "x", "`", "``", "```"),
    *("\n", " ", "[ab]", "SOURCE[x]", ":", "(", "(x", "!", "\n```", "~~~", "c]", "`]", "y", "|"),
)
"""What short texts are made of."""

ENDS: Final = (
    *("SOURCE["[start:] + rest for start in range(8) for rest in ("ab]", "x]", "`]", "ab]`", "x]`")),
    *("b]", "c]", "]", "]`"),
    *("OU]", "U]", "b]`", "c]`", "`]`", "OU]`", "U]`", "``]", "x`\n", "`", "``", "```", "\n", " ", "|"),
)
"""Whatever completes or breaks off what the filter may be waiting for, with and without a backtick behind it.

A filter that shows, after some text, all that its outputs for these continuations have in common shows all that no
continuation changes: more continuations can only have less in common, and less than what was shown they may not have.
"""


class Seamed:
    """A grounding filter that is fed text in which ``|`` stands where something was deleted."""

    def __init__(self, one: GroundingFilter) -> None:
        self.one = one
        self.flush = one.flush

    def feed(self, text: str) -> str:
        """As behind a filter that tells what it deleted."""
        return self.one._feed_joined(text.split("|"))
