"""The boundary as a whole, fed with what attackers and broken stores answer."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    ContextRequest,
    DropCode,
    FragmentSelection,
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    render_fragments,
    safe_source,
    select_fragments,
    selection_revision,
)
from symfonic.testing.knowledge import ScriptedRetriever, find_inline_markers, parse_lines
from symfonic.testing.knowledge.strategies import hostile_rows, hostile_text

if TYPE_CHECKING:
    from collections.abc import Callable

KEY: Final = bytes(range(32))
ACME: Final = "tenant\x1facme"
PATHS: Final = ("", "", "", ACME, ACME, "tenant\x1facme-labs", "tenant\x1fother", "tenant", None, 7)
FIRST: Final = RetrievedFragment("opens at nine", "first.md", 9.0, {"scope_path": ""})
LAST: Final = RetrievedFragment("closes at six", "last.md", -9.0, {"scope_path": ""})

# What a later stage may do to text, written down here once more: nothing of the product decides what is tried.
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
STEPS: Final[dict[str, Callable[[str], str]]] = {
    "none": lambda text: text,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "casefold": str.casefold,
    "invisibles": lambda text: _INVISIBLE.sub("", text),
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
    "unescape": html.unescape,
}
# Names of steps, the first one taken first.
KEEPING_LINES: Final = (
    *(name for name in STEPS if name != "unescape"),
    "NFKC casefold NFKC",
    "casefold NFKD casefold",
    "invisibles NFKC invisibles",
    "NFD invisibles NFC",
)
UNESCAPING: Final = (
    "unescape",
    "NFKC unescape",
    "casefold unescape",
    "invisibles unescape",
    "invisibles NFKC unescape",
    "unescape NFKC",
    "NFKC unescape NFKC",
    "NFKD unescape NFKC casefold",
    "casefold unescape casefold",
    "invisibles unescape invisibles",
    "NFKC casefold invisibles unescape invisibles casefold NFKC",
)
#: As a program finds citation lines that takes no special care.
PLAIN_MARKER: Final = re.compile(r"\bSOURCE ?\[|\bsource \[")
BRACKET_OR_BREAK: Final = re.compile("[]\\[［］【】〔〕〖〗〘〙〚〛\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
#: Reasons about the read as a whole, which stand for no row.
OF_THE_READ: Final = {DropCode.UNEXAMINED, DropCode.EMPTY_SCOPE, DropCode.STORE_FAILED}


def after(text: str, names: str) -> str:
    """The text after these steps."""
    return reduce(lambda so_far, name: STEPS[name](so_far), names.split(), text)


def lines_after(text: str, names: str) -> list[tuple[str, str]]:
    """Labels and contents an independent reader finds after these steps."""
    keyword = "source" if "casefold" in names else "SOURCE"
    return [(line.label, line.content) for line in parse_lines(after(text, names), keyword=keyword)]


def policies(**fixed: Any) -> st.SearchStrategy[RetrievalPolicy]:
    """Policies with every ceiling and switch drawn, small enough to be met."""
    drawn: dict[str, st.SearchStrategy[Any]] = {
        "limit": st.sampled_from([6, 4, 9, 3, 2, 1, 0]),
        "min_score": st.sampled_from([-10.0, 0.0, 0.5]),
        "max_fragment_chars": st.sampled_from([2000, 2000, 40]),
        "max_total_chars": st.sampled_from([8000, 8000, 240, 120]),
        "max_per_source": st.sampled_from([None, None, None, 2, 2, 1, 0]),
        "neutralise_markers": st.booleans(),
        "drop_duplicates": st.booleans(),
        "prove_scope": st.booleans(),
        "report_confusables": st.booleans(),
    } | {name: st.just(value) for name, value in fixed.items()}
    return st.fixed_dictionaries(drawn).map(lambda fields: RetrievalPolicy(**fields))


def keyed_policies() -> st.SearchStrategy[RetrievalPolicy]:
    """The same under a key, which demands that markers are neutralised."""
    return st.sampled_from([KEY, KEY[::-1]]).flatmap(lambda key: policies(key=key, neutralise_markers=True))


def document_of(row: RetrievedFragment) -> str | None:
    """What the reserved key says, where the metadata can be read at all."""
    metadata: object = row.metadata
    try:
        document = metadata.get("document") if isinstance(metadata, Mapping) else None
    except RuntimeError:
        return None
    return str.__str__(document) if isinstance(document, str) else None


def most_of_one(values: list[str]) -> int:
    """How often the most frequent value occurs."""
    return max(Counter(values).values(), default=0)


def told(selection: FragmentSelection) -> list[tuple[str, str]]:
    """The drops in words."""
    return [(repr(source), str(reason)) for source, reason in selection.dropped]


# Every example goes through all steps: making one costs more than a step does.


@pytest.mark.requirement("KB-ALL-1")
@settings(max_examples=100)
@given(content=hostile_text(), source=hostile_text(30))
def test_one_hostile_row_between_two_honest_ones_stays_one_line(content: str, source: str) -> None:
    """Whatever it holds, a reader sees three rows at most, and the honest two as they were, after every transform."""
    hostile = RetrievedFragment(content, source, 0.0)
    selection = select_fragments([LAST, hostile, FIRST], RetrievalPolicy(limit=3, min_score=-10.0))
    text = render_fragments(selection)
    for names in KEEPING_LINES:
        seen = lines_after(text, names)
        assert len(seen) == len(selection.admitted), names
        assert (seen[0], seen[-1]) == (("first.md", "opens at nine"), ("last.md", "closes at six")), names
        labels = [after(safe_source(row.source), names) for row in selection.admitted]
        assert [label for label, _ in seen] == labels, names


@pytest.mark.requirement("KB-ALL-1")
@settings(max_examples=100)
@given(source=hostile_text(30))
def test_a_label_stays_one_label_when_it_is_unescaped(source: str) -> None:
    """No bracket and no line break hides in a reference, in whichever order the steps come."""
    label = safe_source(source)
    assert [names for names in UNESCAPING if BRACKET_OR_BREAK.search(after(label, names))] == []


@pytest.mark.requirement("KB-ALL-2")
@settings(max_examples=300)
@given(content=hostile_text())
def test_no_marker_comes_from_hardened_content(content: str) -> None:
    """Now and after every composition of what a later stage may do."""
    policy = RetrievalPolicy.hardened(key=KEY, prove_scope=False)
    selection = select_fragments([RetrievedFragment(content, "a.md", 1.0)], policy)
    for line in parse_lines(render_fragments(selection)):
        for names in (*KEEPING_LINES, *UNESCAPING):
            later = after(line.content, names)
            assert find_inline_markers(later) == (), names
            assert PLAIN_MARKER.findall(later) == [], names


@pytest.mark.requirement("KB-ALL-2")
@given(hostile_rows(scope_paths=PATHS), keyed_policies())
def test_hardened_lines_carry_one_tag_each_and_no_marker_inside(
    rows: list[RetrievedFragment], policy: RetrievalPolicy
) -> None:
    """Each line is its row's: its label, a tag for its source and text, and no marker that comes from content."""
    source = KnowledgeSource(ScriptedRetriever(rows), "q", policy)
    request = ContextRequest("facts", ACME)
    selection = source.select(request)
    lines = parse_lines(source.read(request).text)
    assert [line.label for line in lines] == [safe_source(row.source) for row in selection.admitted]
    assert None not in {line.tag for line in lines}
    assert len({line.tag for line in lines}) == len({(row.source, row.content) for row in selection.admitted})
    assert [find_inline_markers(line.content) for line in lines] == [()] * len(lines)
    if policy.drop_duplicates:
        assert len({line.tag for line in lines}) == len(lines)
    if policy.prove_scope:
        assert {row.metadata["scope_path"] for row in selection.admitted} <= {"", ACME}


@pytest.mark.requirement("KB-ALL-2")
@settings(max_examples=150)
@given(hostile_rows(max_size=10, scope_paths=PATHS, min_size=3), st.one_of(policies(), keyed_policies()))
def test_ceilings_hold_and_every_row_is_accounted_for(rows: list[RetrievedFragment], policy: RetrievalPolicy) -> None:
    """In is admitted plus dropped, and what was admitted is within every ceiling, counted on what renders."""
    selection = select_fragments(rows, policy, scope_path=ACME)
    admitted, text = selection.admitted, render_fragments(selection)
    assert len(admitted) + len(selection.dropped) == len(rows)
    assert len(selection.dropped_rows) == len(selection.dropped)
    assert OF_THE_READ.isdisjoint(reason.code for _, reason in selection.dropped)
    assert len(parse_lines(text)) == len(admitted) <= policy.limit
    assert len(text) <= policy.max_total_chars
    assert all(len(row.content) <= policy.max_fragment_chars for row in admitted)
    assert all(row.score >= policy.min_score for row in admitted)
    if policy.max_per_source is not None:
        assert most_of_one([row.source for row in admitted]) <= policy.max_per_source
        if policy.prove_scope:
            documents = [document for row in admitted if (document := document_of(row)) is not None]
            assert most_of_one(documents) <= policy.max_per_source


@pytest.mark.requirement("KB-ALL-2")
@settings(max_examples=150)
@given(st.data(), hostile_rows(scope_paths=PATHS, min_size=3), st.one_of(policies(), keyed_policies()))
def test_the_order_of_an_answer_decides_nothing(
    data: st.DataObject, rows: list[RetrievedFragment], policy: RetrievalPolicy
) -> None:
    """Any permutation gives the same bytes, the same revision and the same drops."""
    one = select_fragments(rows, policy, scope_path=ACME)
    other = select_fragments(data.draw(st.permutations(rows)), policy, scope_path=ACME)
    assert render_fragments(other) == render_fragments(one)
    assert selection_revision(other) == selection_revision(one)
    assert told(other) == told(one)


@given(rows=hostile_rows(max_size=6, scope_paths=PATHS), most=st.integers(0, 6))
def test_an_answer_is_read_up_to_its_ceiling_and_says_so(rows: list[RetrievedFragment], most: int) -> None:
    """What was not read is one reason about the read, apart from those about rows."""
    policy = RetrievalPolicy.hardened(key=KEY, min_score=-10.0, max_rows=most)
    selection = KnowledgeSource(ScriptedRetriever(rows), "q", policy).select(ContextRequest("facts", ACME))
    codes = [reason.code for _, reason in selection.dropped]
    of_the_read = [code for code in codes if code in OF_THE_READ]
    assert of_the_read == ([DropCode.UNEXAMINED] if len(rows) > most else [])
    assert len(selection.admitted) + len(codes) - len(of_the_read) == min(len(rows), most)
