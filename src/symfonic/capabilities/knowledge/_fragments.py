"""Rows of a retrieval and what selection makes of them.

Rules of this module: values and their one rendering. A row is taken as the store answered it and judged elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ._labels import Label, safe_source
from ._reasons import DropReason
from ._refusals import refuse
from ._text import clean_content, is_text

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
        """The row as the one line a prompt shows: ``SOURCE [label]: content``, both made safe.

        Selection leaves out rows that are not text or hold lone surrogates; here the first are refused, and of the
        second the line has no UTF-8 form either.

        Raises:
            BridgeTypeError: Source or content is no text (``KB-TXT-TYPE-1``).
        """
        return f"SOURCE [{safe_source(self.source)}]: {clean_content(self.content)}"


@dataclass(frozen=True, slots=True)
class FragmentSelection:
    """What was admitted, in rank order, and why everything else was not.

    Args:
        admitted: Admitted rows, best first.
        dropped: ``(source, reason)`` for each row left out. The source is as the store gave it, which may be no text;
            ``dropped_labels`` can be shown.
        lines: The rendered line of each admitted row where hardened mode made it, else empty.
        confusable: Pairs of admitted labels that look alike but differ, where these are reported.
        dropped_rows: The row behind each pair of ``dropped``, as it came, for whoever wants to show more of it than its
            source; takes no part in comparison. ``None`` for a row of another scope, usable or not, whose content is
            not the asker's to keep, and for a reason about the read as a whole.

    Attributes:
        counted: Where ``lines`` is empty, the line of each admitted row as selection rendered it to count it, so that
            rendering need not do it again. Only selection fills it: whoever could pass lines here would show other
            text than the revision covers. A changed copy has none.
    """

    admitted: tuple[RetrievedFragment, ...] = ()
    dropped: tuple[tuple[object, DropReason], ...] = ()
    lines: tuple[str, ...] = field(default=(), kw_only=True)
    confusable: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)
    dropped_rows: tuple[object, ...] = field(default=(), kw_only=True, repr=False, compare=False)
    counted: tuple[str, ...] = field(default=(), init=False, kw_only=True, repr=False, compare=False)

    @property
    def dropped_labels(self) -> tuple[Label, ...]:
        """The source of each pair of ``dropped`` as it may be shown to whoever asked.

        ``unknown`` stands for a source that is no text, and for that of a row of another scope: what others call their
        documents is not the asker's to know.
        """
        rows = self.dropped_rows or self.dropped  # a selection made by hand may keep no rows
        return tuple(
            safe_source(source if row is not None and is_text(source) else "")
            for (source, _), row in zip(self.dropped, rows, strict=True)
        )


def with_counted(selection: FragmentSelection, lines: tuple[str, ...]) -> FragmentSelection:
    """Give a new selection the lines it was counted by, and return it; nobody else has seen it yet."""
    object.__setattr__(selection, "counted", lines)
    return selection


def render_fragments(selection: FragmentSelection) -> str:
    """The admitted rows as text, one line each.

    Raises:
        BridgeContractError: It is no selection.
    """
    _refuse_other(selection)
    lines = selection.lines or selection.counted or [fragment.citation_line() for fragment in selection.admitted]
    return "\n".join(lines)


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
