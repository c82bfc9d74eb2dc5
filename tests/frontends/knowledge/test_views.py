"""The view model: exact shapes, and nothing in them that JSON or a terminal would choke on."""

from __future__ import annotations

import json

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Completion, Document, FinishReason, StoredChunk, StoreStats
from symfonic.capabilities.knowledge import (
    AmbiguousReference,
    CitationLedger,
    CitedFragment,
    DropCode,
    DropReason,
    FragmentSelection,
    GroundingReport,
    QuoteCheck,
    QuoteVerdict,
    RetrievedFragment,
    UnknownReference,
    safe_source,
)
from symfonic.capabilities.prompting import (
    DiagnosticCode,
    PromptCompiler,
    PromptContribution,
    PromptDiagnostic,
    PromptDigests,
    StaticPromptSource,
)
from symfonic.composition.knowledge import Answer, Answerable, Ceilings, ExplainedRow, Explanation, KeyFileError
from symfonic.frontends.knowledge import _views as views

ROW = RetrievedFragment(
    "text\x1b", "a[b", 0.5, {"file": "a[b", "page": 2, "heading": "H\n", "scope_path": "tenant\x1facme"}
)
CEILINGS = Ceilings(
    limit=1,
    min_score=0.0,
    max_fragment_chars=2,
    max_total_chars=3,
    max_per_source=None,
    candidates=4,
    max_rows=5,
    max_learned_chars=6,
    max_prompt_chars=7,
)


@pytest.mark.requirement("CLI-VIEW-1")
def test_an_explanation_has_one_shape() -> None:
    """Admitted and dropped rows as objects, with numbers; everything that was in force beside them."""
    explanation = Explanation(
        question="q",
        scope_path="tenant\x1facme",
        rows=(
            ExplainedRow(
                rank=1, label=safe_source("a[b"), score=0.5, fragment=ROW, line="SOURCE [a_b ·tag]: text\ufffd"
            ),
            ExplainedRow(
                rank=0,
                label=safe_source("x"),
                score=None,
                fragment=RetrievedFragment("", "x", float("nan")),
                reason=DropReason("no number", DropCode.BAD_SCORE, float("inf"), 3),
            ),
        ),
        notes=(DropReason("too many", DropCode.UNEXAMINED, ceiling=5),),
        ceilings=CEILINGS,
        digests=PromptDigests(l0="0", l1="1", whole="2"),
        diagnostics=(PromptDiagnostic(DiagnosticCode.CLEANED, "knowledge", "treated", actual=1),),
        confusable=(("a", "а"),),
    )
    view = views.explanation_view(explanation)
    assert view == {
        "question": "q",
        "scope": ["tenant:acme"],
        "counts": {"rows": 2, "admitted": 1, "dropped": 1},
        "admitted": [
            {
                "rank": 1,
                "label": str(safe_source("a[b")),
                "score": 0.5,
                "file": "a[b",
                "page": 2,
                "slide": None,
                "sheet": None,
                "heading": "H ",
                "citation": "a_b ·tag",
                "line": "SOURCE [a_b ·tag]: text\ufffd",
                "markers": 0,
            }
        ],
        "dropped": [
            {
                "rank": 0,
                "label": "x",
                "score": None,
                "file": "",
                "page": None,
                "slide": None,
                "sheet": None,
                "heading": "",
                "code": "bad-score",
                "reason": "no number",
                "actual": None,
                "ceiling": 3,
            }
        ],
        "notes": [{"code": "unexamined", "reason": "too many", "actual": None, "ceiling": 5}],
        "ceilings": {
            "limit": 1,
            "min_score": 0.0,
            "max_fragment_chars": 2,
            "max_total_chars": 3,
            "max_per_source": None,
            "candidates": 4,
            "max_rows": 5,
            "max_learned_chars": 6,
            "max_prompt_chars": 7,
            "unit": "characters",
            "max_document_chars": None,
            "max_total_document_chars": None,
            "max_attachments": None,
            "max_attachment_bytes": None,
            "max_attachment_chars": None,
            "max_total_attachment_chars": None,
        },
        "digests": {"l0": "0", "l1": "1", "whole": "2"},
        "diagnostics": [
            {
                "code": "cleaned",
                "contribution_id": "knowledge",
                "message": "treated",
                "actual": 1,
                "ceiling": None,
                "left_out": False,
            }
        ],
        "confusable": [["a", "а"]],
        "documents": [],
    }
    json.dumps(view, allow_nan=False)


def test_a_search_has_one_shape() -> None:
    """Rows in rank order; label and text safe to show, file raw."""
    assert views.search_view("q", "", [ROW]) == {
        "question": "q",
        "scope": [],
        "results": [
            {
                "rank": 1,
                "label": str(safe_source("a[b")),
                "score": 0.5,
                "file": "a[b",
                "page": 2,
                "slide": None,
                "sheet": None,
                "heading": "H ",
                "scope": ["tenant:acme"],
                "text": "text\ufffd",
            }
        ],
    }


def test_stats_narrow_to_a_scope_and_below() -> None:
    """Totals are those of the scopes that stay; formats are known for the whole store only."""
    stats = StoreStats(
        documents=6,
        chunks=60,
        characters=600,
        file_bytes=4096,
        scopes=(("", 1, 10), ("tenant\x1fa", 2, 20), ("tenant\x1fa\x1fuser\x1f1", 3, 30), ("tenant\x1fab", 9, 90)),
        kinds=(("text", 6),),
        schema_version=1,
    )
    view = views.stats_view(stats, "k.db", "f" * 16, "tenant\x1fa")
    assert (view["documents"], view["chunks"], view["kinds"]) == (5, 50, {})
    assert [entry["scope"] for entry in view["scopes"]] == [["tenant:a"], ["tenant:a", "user:1"]]
    assert views.stats_view(stats, "k.db", "f" * 16)["kinds"] == {"text": 6}


def test_errors_have_one_shape() -> None:
    """Code and message."""
    assert views.error_view(KeyFileError("no")) == {"error": {"code": "key", "message": "no"}}


def test_a_number_has_its_noun() -> None:
    """The singular for one only."""
    assert [views.counted(count, "passage") for count in (0, 1, 2, 1000)] == [
        "0 passages",
        "1 passage",
        "2 passages",
        "1,000 passages",
    ]


def test_code_points_tell_and_show_nothing() -> None:
    """The first eight, and how many more."""
    assert views.code_points("\x1b\u202e") == "U+001B U+202E"
    assert views.code_points("a" * 10) == " ".join(["U+0061"] * 8) + " and 2 more"
    assert views.code_points("") == ""


@pytest.mark.requirement("CLI-VIEW-1")
def test_an_answer_has_one_shape() -> None:
    """Quotations as one safe line, what the server says of itself too; without an answer the same fields are empty."""
    report = GroundingReport(
        cited=(CitedFragment("a.md ·abcdefghij", "a\x1b.md", (0, 9), omitted=2),),
        unknown=(UnknownReference("x", (3,)),),
        uncited=("b.md ·abcdefghij",),
        quotes=(
            QuoteCheck("one\n\x1btwo three", 5, "a.md ·abcdefghij", QuoteVerdict.ELSEWHERE, ("b.md ·abcdefghij",)),
        ),
        ambiguous=(AmbiguousReference("c.md", ("c.md ·abcdefghij", "c.md ·bcdefghijk"), (7,)),),
        omitted_unknown=1,
        omitted_quotes=2,
        unread_chars=3,
        marked=4,
    )
    completion = Completion(finish=FinishReason.LENGTH, model="m\x1b", prompt_tokens=2, answer_tokens=1)
    prompt = PromptCompiler().compile([PromptContribution("knowledge", StaticPromptSource(""))])
    selections = {"knowledge": FragmentSelection(admitted=(ROW,))}
    answerable = Answerable(question="q", scope_path="tenant\x1facme", prompt=prompt, selections=selections)
    answer = Answer(text="[unverified source]\x1b", report=report, completion=completion)
    view = views.answer_view(answerable, answer)
    told = {
        "cited": [{"label": "a.md ·abcdefghij", "source": "a\x1b.md", "offsets": [0, 9], "omitted": 2}],
        "unknown": [{"name": "x", "offsets": [3], "omitted": 0}],
        "ambiguous": [
            {"name": "c.md", "labels": ["c.md ·abcdefghij", "c.md ·bcdefghijk"], "offsets": [7], "omitted": 0}
        ],
        "uncited": ["b.md ·abcdefghij"],
        "quotes": [
            {
                "text": "one \ufffdtwo three",
                "offset": 5,
                "label": "a.md ·abcdefghij",
                "verdict": "elsewhere",
                "elsewhere": ["b.md ·abcdefghij"],
            }
        ],
        "omitted_unknown": 1,
        "omitted_quotes": 2,
        "unread_chars": 3,
        "marked": 4,
    }
    assert view == {
        "question": "q",
        "scope": ["tenant:acme"],
        "admitted": 1,
        "answer": "[unverified source]\x1b",
        "finish": "length",
        "model": "m\ufffd",
        "usage": {"prompt_tokens": 2, "answer_tokens": 1},
        "report": told,
        "documents": [],
    }
    assert json.loads(json.dumps(view)) == view
    assert views.verification_view(CitationLedger(), answer) == {"entries": 0, "marked": 1, "report": told}
    empty = views.answer_view(answerable)
    assert sorted(empty) == sorted(view)
    assert (empty["answer"], empty["finish"], empty["usage"]) == (
        "",
        None,
        {"prompt_tokens": None, "answer_tokens": None},
    )
    assert sorted(empty["report"]) == sorted(told)
    assert [part for part in empty["report"].values() if part] == []


@pytest.mark.parametrize(
    ("kind", "slide", "sheet"), [("pptx", 2, None), ("xlsx", None, "One"), ("ods", None, "One"), ("pdf", None, None)]
)
def test_an_exported_passage_tells_slide_and_sheet_beside_page_and_heading(
    kind: str, slide: int | None, sheet: str | None
) -> None:
    """Which it is follows from the kind of its document, as in the metadata of a row."""
    document = Document(scope_path="", origin="/x", file="x", kind=kind, digest="0", size=1)
    chunk = Chunk(ordinal=0, label="x", text="text", heading="One", page=2)
    view = views.export_view(StoredChunk(document=document, chunk=chunk))
    assert (view["page"], view["slide"], view["heading"], view["sheet"]) == (2, slide, "One", sheet)
