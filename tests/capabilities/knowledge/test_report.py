"""The values of a grounding report: what they hold, what they refuse, and that they come back from JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symfonic.capabilities.knowledge import (
    AmbiguousReference,
    BridgeContractError,
    CitedFragment,
    GroundingReport,
    QuoteCheck,
    QuoteVerdict,
    UnknownReference,
)

WHOLE = GroundingReport(
    (CitedFragment("a ·k7d2q4x4m3", "a", (0, 12), omitted=5),),
    (UnknownReference("Evil_~0123456789ab", (3,)),),
    ("b", "c ·abcdefghij"),
    (
        QuoteCheck("one two three", 4, "a ·k7d2q4x4m3", QuoteVerdict.VERBATIM),
        QuoteCheck("four \u201efive\u201c six", 9, "", QuoteVerdict.ELSEWHERE, ("b",)),
        QuoteCheck("seven eight nine", 30, "b", QuoteVerdict.NOWHERE),
    ),
    ambiguous=(AmbiguousReference("d", ("d ·k7d2q4x4m3", "d ·abcdefghij"), (7, 8)),),
    omitted_unknown=6,
    omitted_quotes=7,
    unread_chars=8,
    marked=9,
)
FIRST_VERSION = (
    '{"format": "symfonic-knowledge grounding report", "version": 1, '
    '"cited": [{"label": "a", "source": "a", "offsets": [0, 12]}], "unknown": [{"name": "x", "offsets": [3]}], '
    '"ambiguous": [{"name": "d", "labels": ["d ·k7d2q4x4m3", "d ·abcdefghij"], "offsets": [7, 8]}], '
    '"quotes": [{"text": "one two three", "offset": 4, "label": "a", "verdict": "verbatim", "elsewhere": []}], '
    '"uncited": ["b"]}'
)


def refusal(rule: str, make: Any, *args: Any, **fields: Any) -> BridgeContractError:
    """The error that a call raises, after checking its rule."""
    with pytest.raises(BridgeContractError) as caught:
        make(*args, **fields)
    assert caught.value.rule == rule
    return caught.value


@pytest.mark.requirement("KB-GRD-RECORD-1")
def test_a_report_comes_back_from_json_as_it_went() -> None:
    """Every part, and the text the same again."""
    text = WHOLE.to_json()
    assert text.isascii()
    assert GroundingReport.from_json(text) == WHOLE
    assert GroundingReport.from_json(text).to_json() == text
    assert GroundingReport.from_json(GroundingReport().to_json()) == GroundingReport()


@pytest.mark.requirement("KB-GRD-REPORT-1")
def test_a_document_of_the_first_version_is_still_read() -> None:
    """It left nothing out; written again it is of this version. A field of one version does not stand in the other."""
    report = GroundingReport.from_json(FIRST_VERSION)
    assert report == GroundingReport(
        (CitedFragment("a", "a", (0, 12)),),
        (UnknownReference("x", (3,)),),
        ("b",),
        (QuoteCheck("one two three", 4, "a", QuoteVerdict.VERBATIM),),
        ambiguous=(AmbiguousReference("d", ("d ·k7d2q4x4m3", "d ·abcdefghij"), (7, 8)),),
    )
    assert GroundingReport.from_json(report.to_json()) == report
    first, second = json.loads(FIRST_VERSION), json.loads(WHOLE.to_json())
    for document in (first | {"version": 2}, second | {"version": 1}, first | {"marked": 1}):
        refusal("KB-GRD-JSON-4", GroundingReport.from_json, json.dumps(document))
    mixed = first | {"cited": second["cited"]}
    refusal("KB-GRD-JSON-4", GroundingReport.from_json, json.dumps(mixed))
    newer = refusal("KB-GRD-JSON-3", GroundingReport.from_json, json.dumps(second | {"version": 3}))
    assert "must be 1 or 2" in str(newer)


def test_the_document_of_a_report_is_this() -> None:
    """Its form is a promise to programs in other languages."""
    assert json.loads(WHOLE.to_json()) == {
        "format": "symfonic-knowledge grounding report",
        "version": 2,
        "cited": [{"label": "a ·k7d2q4x4m3", "source": "a", "offsets": [0, 12], "omitted": 5}],
        "unknown": [{"name": "Evil_~0123456789ab", "offsets": [3], "omitted": 0}],
        "ambiguous": [{"name": "d", "labels": ["d ·k7d2q4x4m3", "d ·abcdefghij"], "offsets": [7, 8], "omitted": 0}],
        "quotes": [
            {"text": "one two three", "offset": 4, "label": "a ·k7d2q4x4m3", "verdict": "verbatim", "elsewhere": []},
            {"text": "four „five“ six", "offset": 9, "label": "", "verdict": "elsewhere", "elsewhere": ["b"]},
            {"text": "seven eight nine", "offset": 30, "label": "b", "verdict": "nowhere", "elsewhere": []},
        ],
        "uncited": ["b", "c ·abcdefghij"],
        "omitted_unknown": 6,
        "omitted_quotes": 7,
        "unread_chars": 8,
        "marked": 9,
    }


def test_a_cited_fragment_counts_its_references() -> None:
    """One for each place, and those whose places were left out; so do invented names and ambiguous ones."""
    assert CitedFragment("a", "a", (0, 12)).count == 2
    assert CitedFragment("a", "a", (0, 12), omitted=3).count == 5
    assert UnknownReference("a", (0,), omitted=3).count == 4
    assert AmbiguousReference("a", ("a", "b"), (0,), omitted=2).count == 3
    assert not hasattr(CitedFragment("a", "a", (0,)), "__dict__")


def test_text_is_taken_by_its_characters() -> None:
    """And a verdict by its word."""

    class Other(str):
        __slots__ = ()

    assert type(UnknownReference(Other("a"), (0,)).name) is str
    assert QuoteCheck("a b c", 0, "x", "nowhere").verdict is QuoteVerdict.NOWHERE  # type: ignore[arg-type]  # its word


@pytest.mark.parametrize(
    ("rule", "make", "args"),
    [
        pytest.param(
            "KB-GRD-REPORT-1", CitedFragment, (1, "a", (0,)), marks=pytest.mark.requirement("KB-GRD-REPORT-1")
        ),
        pytest.param(
            "KB-GRD-REPORT-1", CitedFragment, ("a", None, (0,)), marks=pytest.mark.requirement("KB-GRD-REPORT-1")
        ),
        pytest.param(
            "KB-GRD-REPORT-1", UnknownReference, (b"a", (0,)), marks=pytest.mark.requirement("KB-GRD-REPORT-1")
        ),
        pytest.param(
            "KB-GRD-REPORT-1", UnknownReference, ("\ud800", (0,)), marks=pytest.mark.requirement("KB-GRD-REPORT-1")
        ),
        pytest.param(
            "KB-GRD-REPORT-1",
            AmbiguousReference,
            (1, ("a", "b"), (0,)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-1"),
        ),
        pytest.param(
            "KB-GRD-REPORT-1",
            QuoteCheck,
            (1, 0, "a", QuoteVerdict.NOWHERE),
            marks=pytest.mark.requirement("KB-GRD-REPORT-1"),
        ),
        pytest.param(
            "KB-GRD-REPORT-1",
            QuoteCheck,
            ("a", 0, 1, QuoteVerdict.NOWHERE),
            marks=pytest.mark.requirement("KB-GRD-REPORT-1"),
        ),
        pytest.param(
            "KB-GRD-REPORT-2", CitedFragment, ("a", "a", ()), marks=pytest.mark.requirement("KB-GRD-REPORT-2")
        ),
        pytest.param(
            "KB-GRD-REPORT-2", CitedFragment, ("a", "a", [0]), marks=pytest.mark.requirement("KB-GRD-REPORT-2")
        ),
        pytest.param(
            "KB-GRD-REPORT-2", CitedFragment, ("a", "a", (-1,)), marks=pytest.mark.requirement("KB-GRD-REPORT-2")
        ),
        pytest.param(
            "KB-GRD-REPORT-2", UnknownReference, ("a", (True,)), marks=pytest.mark.requirement("KB-GRD-REPORT-2")
        ),
        pytest.param(
            "KB-GRD-REPORT-2", UnknownReference, ("a", (1, 1, 0)), marks=pytest.mark.requirement("KB-GRD-REPORT-2")
        ),
        pytest.param(
            "KB-GRD-REPORT-2",
            AmbiguousReference,
            ("a", ("a", "b"), (2, 1)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-2"),
        ),
        pytest.param(
            "KB-GRD-REPORT-2",
            QuoteCheck,
            ("a", -1, "a", QuoteVerdict.NOWHERE),
            marks=pytest.mark.requirement("KB-GRD-REPORT-2"),
        ),
        pytest.param(
            "KB-GRD-REPORT-3", AmbiguousReference, ("a", ("a",), (0,)), marks=pytest.mark.requirement("KB-GRD-REPORT-3")
        ),
        pytest.param(
            "KB-GRD-REPORT-3",
            AmbiguousReference,
            ("a", ["a", "b"], (0,)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-3"),
        ),
        pytest.param(
            "KB-GRD-REPORT-3",
            AmbiguousReference,
            ("a", ("a", 1), (0,)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-3"),
        ),
        pytest.param(
            "KB-GRD-REPORT-3",
            QuoteCheck,
            ("a", 0, "a", QuoteVerdict.ELSEWHERE, ("\ud800",)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-3"),
        ),
        pytest.param(
            "KB-GRD-REPORT-4", QuoteCheck, ("a", 0, "a", "Verbatim"), marks=pytest.mark.requirement("KB-GRD-REPORT-4")
        ),
        pytest.param(
            "KB-GRD-REPORT-4", QuoteCheck, ("a", 0, "a", None), marks=pytest.mark.requirement("KB-GRD-REPORT-4")
        ),
        pytest.param(
            "KB-GRD-REPORT-5",
            QuoteCheck,
            ("a", 0, "a", QuoteVerdict.ELSEWHERE),
            marks=pytest.mark.requirement("KB-GRD-REPORT-5"),
        ),
        pytest.param(
            "KB-GRD-REPORT-5",
            QuoteCheck,
            ("a", 0, "a", QuoteVerdict.VERBATIM, ("b",)),
            marks=pytest.mark.requirement("KB-GRD-REPORT-5"),
        ),
        pytest.param("KB-GRD-REPORT-6", GroundingReport, ([],), marks=pytest.mark.requirement("KB-GRD-REPORT-6")),
        pytest.param(
            "KB-GRD-REPORT-6",
            GroundingReport,
            ((UnknownReference("a", (0,)),),),
            marks=pytest.mark.requirement("KB-GRD-REPORT-6"),
        ),
        pytest.param("KB-GRD-REPORT-6", GroundingReport, ((), (1,)), marks=pytest.mark.requirement("KB-GRD-REPORT-6")),
        pytest.param(
            "KB-GRD-REPORT-3", GroundingReport, ((), (), ["a"]), marks=pytest.mark.requirement("KB-GRD-REPORT-3")
        ),
    ],
)
def test_what_could_not_be_read_back_is_refused(rule: str, make: Any, args: tuple[Any, ...]) -> None:
    """Each field has a rule."""
    refusal(rule, make, *args)


@pytest.mark.requirement("KB-GRD-REPORT-7")
@pytest.mark.parametrize("count", [-1, True, 1.0, "1", None])
def test_what_is_left_out_is_counted_in_whole_numbers(count: Any) -> None:
    """Each of them by name; none below zero, which is what nothing left out is."""
    makers: tuple[tuple[Any, str], ...] = (
        (lambda **fields: CitedFragment("a", "a", (0,), **fields), "omitted"),
        (lambda **fields: UnknownReference("a", (0,), **fields), "omitted"),
        (lambda **fields: AmbiguousReference("a", ("a", "b"), (0,), **fields), "omitted"),
        *((GroundingReport, name) for name in ("omitted_unknown", "omitted_quotes", "unread_chars", "marked")),
    )
    for make, name in makers:
        assert str(refusal("KB-GRD-REPORT-7", make, **{name: count})).startswith(f"{name} in a report must be")
        make(**{name: 0})


def test_the_parts_of_a_report_are_refused_by_name() -> None:
    """The message says what belongs there."""
    assert "must be a tuple of QuoteCheck values, got 1" in str(
        refusal("KB-GRD-REPORT-6", GroundingReport, quotes=(1,))
    )
    assert "tuple of AmbiguousReference values" in str(refusal("KB-GRD-REPORT-6", GroundingReport, ambiguous=1))
    assert "at least 2" in str(refusal("KB-GRD-REPORT-3", AmbiguousReference, "a", ("a",), (0,)))
    assert "at least 0" in str(refusal("KB-GRD-REPORT-3", GroundingReport, uncited=("a", 1)))
    assert "verbatim, elsewhere, nowhere" in str(refusal("KB-GRD-REPORT-4", QuoteCheck, "a", 0, "a", "x"))


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"version": 3}, "KB-GRD-JSON-3"),
        ({"version": 0}, "KB-GRD-JSON-3"),
        ({"version": True}, "KB-GRD-JSON-3"),
        ({"marked": -1}, "KB-GRD-REPORT-7"),
        ({"format": "x"}, "KB-GRD-JSON-2"),
        ({"more": 1}, "KB-GRD-JSON-4"),
        ({"cited": {}}, "KB-GRD-JSON-5"),
        ({"uncited": "ab"}, "KB-GRD-JSON-5"),
        ({"uncited": [1]}, "KB-GRD-REPORT-3"),
        ({"cited": [{"label": "a", "source": "a"}]}, "KB-GRD-JSON-4"),
        ({"cited": [{"label": "a", "source": "a", "offsets": [0]}]}, "KB-GRD-JSON-4"),
        ({"cited": [{"label": "a", "source": "a", "offsets": [0.0], "omitted": 0}]}, "KB-GRD-REPORT-2"),
        ({"cited": [{"label": "a", "source": ["a"], "offsets": [0], "omitted": 0}]}, "KB-GRD-REPORT-1"),
        ({"cited": [{"label": "a", "source": "a", "offsets": [0], "omitted": 0.5}]}, "KB-GRD-REPORT-7"),
        ({"unknown": ["a"]}, "KB-GRD-JSON-4"),
    ],
)
def test_a_document_that_was_changed_on_its_way_is_refused(changes: dict[str, Any], rule: str) -> None:
    """Reading back checks all that building checks."""
    refusal(rule, GroundingReport.from_json, json.dumps(json.loads(WHOLE.to_json()) | changes))
