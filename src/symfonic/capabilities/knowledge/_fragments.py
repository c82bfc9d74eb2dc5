"""Rows of a retrieval and what selection makes of them.

Rules of this module: values and their one rendering. A row is taken as the store answered it and judged elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ._labels import safe_source
from ._reasons import DropReason
from ._refusals import refuse
from ._text import clean_content

_ESCAPES: Final = str.maketrans({"\x00": "\x02a", "\x01": "\x02b", "\x02": "\x02c"})
_REVISION_DIGITS: Final = 16
_LINES_FORMAT: Final = "symfonic-knowledge lines 1\n"


@dataclass(frozen=True, slots=True)
class RetrievedFragment:
    """One row as a store answered it. Nothing is checked here: selection judges it and says what is wrong.

    Args:
        content: The passage.
        source: Where it comes from, as the store names it.
        score: How well it answers the query; higher is better, the scale is the store's.
        metadata: Anything else; it never reaches the prompt and takes no part in ``repr``.
    """

    content: str
    source: str
    score: float
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False, hash=False)

    def citation_line(self) -> str:
        """The row as the one line a prompt shows: ``SOURCE [label]: content``, both made safe."""
        return f"SOURCE [{safe_source(self.source)}]: {clean_content(self.content)}"


CountedLines = tuple[tuple[RetrievedFragment, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FragmentSelection:
    """What was admitted, in rank order, and why everything else was not.

    Args:
        admitted: Admitted rows, best first.
        dropped: ``(source, reason)`` for each row left out; the source is raw, show it through ``safe_source``.
        lines: The rendered line of each admitted row where hardened mode made it, else empty.
        confusable: Pairs of admitted labels that look alike but differ, where these are reported.
        dropped_rows: The row behind each pair of ``dropped``, as it came, for whoever wants to show more of it than its
            source; takes no part in comparison. ``None`` for a row of another scope, usable or not, whose content is
            not the asker's to keep, and for a reason about the read as a whole.
        counted: Where ``lines`` is empty, rows and the line of each as selection rendered them to count them, so that
            rendering need not do it again; for other rows than exactly these it says nothing. Only selection fills it.
    """

    admitted: tuple[RetrievedFragment, ...] = ()
    dropped: tuple[tuple[str, DropReason], ...] = ()
    lines: tuple[str, ...] = field(default=(), kw_only=True)
    confusable: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    dropped_rows: tuple[object, ...] = field(default=(), kw_only=True, repr=False, compare=False)
    counted: CountedLines = field(default=((), ()), kw_only=True, repr=False, compare=False)


def render_fragments(selection: FragmentSelection) -> str:
    """The admitted rows as text, one line each.

    Raises:
        BridgeContractError: It is no selection.
    """
    _refuse_other(selection)
    lines = selection.lines
    if not lines and selection.counted[0] is selection.admitted:
        lines = selection.counted[1]
    return "\n".join(lines or [fragment.citation_line() for fragment in selection.admitted])


def selection_revision(selection: FragmentSelection) -> str:
    """A change detector for the admitted rows: 16 hex digits (64 bits) of SHA-256.

    It covers ``source`` and ``content`` of every row, encoded so that no two selections are encoded alike, or the
    rendered lines where hardened mode made them. It is no identity: use the compiler's digests for that.

    Raises:
        BridgeContractError: It is no selection.
    """
    _refuse_other(selection)
    if selection.lines:
        encoded = _LINES_FORMAT + "\n".join(selection.lines)
    else:
        encoded = "\x00".join(
            f"{row.source.translate(_ESCAPES)}\x01{row.content.translate(_ESCAPES)}" for row in selection.admitted
        )
    return hashlib.sha256(encoded.encode("utf-8", "surrogatepass")).hexdigest()[:_REVISION_DIGITS]


def _refuse_other(selection: object) -> None:
    """Refuse what nothing has selected, such as the bare rows of a selection."""
    if not isinstance(selection, FragmentSelection):
        refuse("KB-RET-RENDER-1", selection)
