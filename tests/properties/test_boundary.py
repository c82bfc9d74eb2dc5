"""The boundary as a whole, fed with what attackers and broken stores answer."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given

from symfonic.capabilities.knowledge import (
    ContextRequest,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    render_fragments,
    safe_source,
    select_fragments,
)
from symfonic.testing.knowledge import ScriptedRetriever, find_inline_markers, parse_lines
from symfonic.testing.knowledge.strategies import hostile_rows, hostile_text

if TYPE_CHECKING:
    from collections.abc import Callable

KEY: Final = bytes(range(32))
FIRST: Final = RetrievedFragment("opens at nine", "first.md", 9.0, {"scope_path": ""})
LAST: Final = RetrievedFragment("closes at six", "last.md", -9.0, {"scope_path": ""})
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
TRANSFORMS: Final[dict[str, Callable[[str], str]]] = {
    "none": lambda text: text,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "casefold": str.casefold,
    "without invisibles": lambda text: _INVISIBLE.sub("", text),
    "CRLF translation": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
}


def lines_after(text: str, name: str) -> list[tuple[str, str]]:
    """Labels and contents an independent reader finds after a transform."""
    keyword = "source" if name == "casefold" else "SOURCE"
    return [(line.label, line.content) for line in parse_lines(TRANSFORMS[name](text), keyword=keyword)]


@pytest.mark.requirement("KB-ALL-1")
@pytest.mark.parametrize("name", TRANSFORMS)
@given(content=hostile_text(), source=hostile_text(30))
def test_one_hostile_row_between_two_honest_ones_stays_one_line(name: str, content: str, source: str) -> None:
    """Whatever it holds, a reader sees three rows at most, and the honest two as they were, after every transform."""
    hostile = RetrievedFragment(content, source, 0.0)
    selection = select_fragments([LAST, hostile, FIRST], RetrievalPolicy(limit=3, min_score=-10.0))
    seen = lines_after(render_fragments(selection), name)
    assert len(seen) == len(selection.admitted)
    assert (seen[0], seen[-1]) == (("first.md", "opens at nine"), ("last.md", "closes at six"))
    labels = [TRANSFORMS[name](safe_source(row.source)) for row in selection.admitted]
    assert [label for label, _ in seen] == labels


@pytest.mark.requirement("KB-ALL-2")
@given(hostile_rows(scope_paths=("", "tenant\x1facme", "tenant\x1fother", None, 7)))
def test_hardened_lines_carry_one_tag_each_and_no_marker_inside(rows: list[RetrievedFragment]) -> None:
    """No marker comes from content, and no row of another scope comes at all."""
    policy = RetrievalPolicy.hardened(key=KEY, min_score=-10.0, limit=9)
    source = KnowledgeSource(ScriptedRetriever(rows), "q", policy)
    request = ContextRequest("facts", "tenant\x1facme")
    selection = source.select(request)
    lines = parse_lines(source.read(request).text)
    assert len(lines) == len(selection.admitted)
    assert len({line.tag for line in lines}) == len(lines)
    assert None not in {line.tag for line in lines}
    assert [find_inline_markers(line.content) for line in lines] == [()] * len(lines)
    assert {row.metadata["scope_path"] for row in selection.admitted} <= {"", "tenant\x1facme"}
    assert len(selection.admitted) + len(selection.dropped) == len(rows)
