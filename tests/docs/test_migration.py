"""The page for users of symfonic-core: our column of its table, run again. Theirs is run where both are installed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from symfonic.capabilities.knowledge import CitationTagFilter
from symfonic.testing.knowledge import assert_chunk_invariant, filtered

pytestmark = pytest.mark.tree

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "how-to" / "migrate-from-symfonic-core.md"
ROW = re.compile(r"^\| `(\[.*?\])` \| `.*?` \| `(.*?)` \|", re.MULTILINE)


def test_the_table_says_what_our_filter_does() -> None:
    """In these chunks and in any others."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    assert len(rows) > 10
    for chunks, expected in rows:
        pieces = ast.literal_eval(chunks)
        assert filtered(CitationTagFilter(), pieces) == ast.literal_eval(expected), chunks
        assert assert_chunk_invariant(CitationTagFilter, "".join(pieces)) == ast.literal_eval(expected), chunks
