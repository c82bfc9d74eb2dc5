"""The ledger: what it takes, what it refuses, how it is asked, and that it comes back from JSON as it went."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import math
import pickle
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    CitationLedger,
    FragmentSelection,
    LedgerEntry,
    safe_source,
)
from symfonic.capabilities.knowledge._ledger import MAX_REFERENCE_CHARS

TAG = " ·k7d2q4x4m3"
OTHER_TAG = " ·abcdefghij"


def refusal(rule: str, make: Any, *args: Any, **fields: Any) -> BridgeContractError:
    """The error that a call raises, after checking its rule."""
    with pytest.raises(BridgeContractError) as caught:
        make(*args, **fields)
    assert caught.value.rule == rule
    return caught.value


@pytest.mark.requirement("KB-GRD-LEDGER-5")
def test_an_entry_keeps_what_it_was_given_and_computes_its_digest() -> None:
    """Positional: label, source, content; the rest by name."""
    entry = LedgerEntry("Handbook" + TAG, "Handbook", "Leave: 28 days.", scope_path="tenant\x1facme", score=1)
    digest = hashlib.sha256(b"Leave: 28 days.").hexdigest()
    assert dataclasses.astuple(entry) == (
        "Handbook" + TAG, "Handbook", "Leave: 28 days.", digest, "tenant\x1facme", 1.0,
    )  # fmt: skip
    assert type(entry.score) is float
    assert LedgerEntry("Handbook", "Handbook", "Leave: 28 days.", content_hash=digest).content_hash == digest
    assert not hasattr(entry, "__dict__")
    assert "28" not in repr(entry)
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.label = "x"  # type: ignore[misc]  # that is what is refused


def test_a_label_of_the_ledger_is_plain_text() -> None:
    """A `Label`, or any other kind of `str`, is taken by its characters."""

    class Liar(str):
        __slots__ = ()

        def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
            return b"another"

    entry = LedgerEntry(safe_source("Handbook"), Liar("Handbook"), Liar("text"))
    assert [type(value) for value in (entry.label, entry.source, entry.content)] == [str, str, str]
    assert entry.content_hash == hashlib.sha256(b"text").hexdigest()


@pytest.mark.parametrize(
    ("label", "source", "short"),
    [
        ("Handbook", "Handbook", "Handbook"),
        ("Handbook" + TAG, "Handbook", "Handbook"),
        ("Handbook ·" + "a2" * 26, "Handbook", "Handbook"),
        (safe_source("Handbook" + TAG), "Handbook" + TAG, safe_source("Handbook" + TAG)),
        (safe_source("Handbook" + TAG) + OTHER_TAG, "Handbook" + TAG, safe_source("Handbook" + TAG)),
        (safe_source("a[b]") + TAG, "a[b]", safe_source("a[b]")),
        ("unknown" + TAG, "", "unknown"),
        ("a ·b" + TAG, "a ·b", "a ·b"),
    ],
)
def test_the_label_of_the_source_stands_before_the_tag(label: str, source: str, short: str) -> None:
    """With and without a tag, and for names that look like tagged labels themselves."""
    assert LedgerEntry(label, source, "text").source_label == short


def test_the_longest_label_has_as_many_characters_as_the_constant_says() -> None:
    """Two hundred, the separator, and a whole tag."""
    entry = LedgerEntry("x" * 200 + " ·" + "a2" * 26, "x" * 200, "text")
    assert len(entry.label) == MAX_REFERENCE_CHARS == 254


@pytest.mark.requirement("KB-GRD-ENTRY-1")
@pytest.mark.parametrize("name", ["label", "source", "content", "content_hash", "scope_path"])
@pytest.mark.parametrize("bad", [None, b"Handbook", 1])
def test_a_field_that_is_no_text_is_refused(name: str, bad: object) -> None:
    """Nothing is converted."""
    fields: dict[str, Any] = {"label": "Handbook", "source": "Handbook", "content": "text", name: bad}
    error = refusal("KB-GRD-ENTRY-1", LedgerEntry, **fields)
    assert error.value is bad
    assert f"{name} of a ledger entry must be text" in str(error)


@pytest.mark.requirement("KB-GRD-ENTRY-2")
@pytest.mark.parametrize("name", ["source", "content", "scope_path"])
def test_text_without_a_utf8_form_is_refused(name: str) -> None:
    """Two lone surrogates side by side would come back from JSON as one character."""
    fields: dict[str, Any] = {"label": "Handbook", "source": "Handbook", "content": "text", name: "\ud83d\ude00"}
    assert refusal("KB-GRD-ENTRY-2", LedgerEntry, **fields).value == "\ud83d\ude00"


@pytest.mark.requirement("KB-GRD-ENTRY-3")
@pytest.mark.parametrize(
    ("label", "source"),
    [
        ("Ledger", "Handbook"),
        ("", ""),
        ("a[b]", "a[b]"),
        ("Handbook" + TAG, "Handbook" + TAG),
        ("Handbook ·k7d2q4x4m", "Handbook"),
        ("Handbook ·K7D2Q4X4M3", "Handbook"),
        ("Handbook ·k7d2q4x4m3\n", "Handbook"),
        ("Handbook ·" + "a" * 53, "Handbook"),
        ("Handbook·k7d2q4x4m3", "Handbook"),
        ("Handbook  ·k7d2q4x4m3", "Handbook"),
        ("Handbook" + TAG + OTHER_TAG, "Handbook"),
        (TAG, ""),
    ],
)
def test_a_label_that_is_not_that_of_the_source_is_refused(label: str, source: str) -> None:
    """A reference would be counted for a source that the prompt never named."""
    assert refusal("KB-GRD-ENTRY-3", LedgerEntry, label, source, "text").value == label


@pytest.mark.requirement("KB-GRD-ENTRY-3")
@pytest.mark.parametrize(
    ("label", "source"),
    [
        ("(think&gt;.md", "&lt;think&gt;.md"),
        ("((x", "&lt;&#60;x"),
        ("a (x b" + TAG, "a &lt;x b"),
        ("a \ufffd b", "a ^ b"),
        ("a\ufffd\ufffd", "a\u02c6\u2042"),
        ("a b c", "a  b   c"),
        ("(x a  b", "&lt;x a  b"),
    ],
)
def test_a_label_as_a_compiler_changed_it_is_that_of_the_source(label: str, source: str) -> None:
    """It is what the prompt shows, so what a model can cite."""
    assert LedgerEntry(label, source, "text").label == label


@pytest.mark.requirement("KB-GRD-ENTRY-3")
@pytest.mark.parametrize(
    ("label", "source"),
    [
        ("(", "&lt; x"),
        ("(y", "&lt;x"),
        ("(x", "lt;x"),
        ("a\ufffd", "ab"),
        ("ab", "a b"),
        ("a  b", "a b"),
        ("a c", "a b"),
        ("a", "a^"),
        ("a^^", "a^"),
    ],
)
def test_a_label_no_compiler_makes_of_the_source_is_refused(label: str, source: str) -> None:
    """Only a look-alike, a datamark and several spaces are shown in another way."""
    refusal("KB-GRD-ENTRY-3", LedgerEntry, label, source, "text")


@pytest.mark.requirement("KB-GRD-ENTRY-4")
@pytest.mark.parametrize("digest", ["0" * 64, hashlib.sha256(b"text").hexdigest().upper(), "x"])
def test_a_digest_of_something_else_is_refused(digest: str) -> None:
    """Upper case too: one content has one digest."""
    assert refusal("KB-GRD-ENTRY-4", LedgerEntry, "a", "a", "text", content_hash=digest).value == digest


@pytest.mark.requirement("KB-GRD-ENTRY-5")
@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 10**400, True, "1", None])
def test_a_score_that_is_no_finite_number_is_refused(score: Any) -> None:
    """JSON has no word for it."""
    assert refusal("KB-GRD-ENTRY-5", LedgerEntry, "a", "a", "text", score=score).value is score


@pytest.mark.requirement("KB-GRD-LEDGER-3")
def test_a_ledger_is_asked_by_label() -> None:
    """Iteration in the order given; exact labels only."""
    first = LedgerEntry("b", "b", "one")
    second = LedgerEntry("a" + TAG, "a", "two")
    ledger = CitationLedger(iter([first, second]))
    assert list(ledger) == [first, second]
    assert ledger.entries == (first, second)
    assert len(ledger) == 2
    assert ledger["a" + TAG] is second
    assert ledger.get("b") is first
    assert ledger.get("a") is None
    assert ("b" in ledger, "a" in ledger, 1 in ledger) == (True, False, False)
    with pytest.raises(KeyError):
        ledger["a"]
    assert list(CitationLedger()) == []
    assert not hasattr(ledger, "__dict__")


@pytest.mark.requirement("KB-GRD-LEDGER-4")
def test_a_name_means_its_label_or_else_every_fragment_of_the_source() -> None:
    """One: resolved. Several: ambiguous. None: never admitted."""
    plain = LedgerEntry("a", "a", "one")
    tagged = LedgerEntry("a" + TAG, "a", "two")
    first = LedgerEntry("b" + TAG, "b", "three")
    second = LedgerEntry("b" + OTHER_TAG, "b", "four")
    only = LedgerEntry("c" + TAG, "c", "five")
    ledger = CitationLedger([plain, tagged, second, first, only])
    assert ledger.named("a") == (plain,)
    assert ledger.named("b") == (second, first)
    assert ledger.named("b" + TAG) == (first,)
    assert ledger.named("c") == (only,)
    assert ledger.named("c" + OTHER_TAG) == ()
    assert ledger.named("C") == ()


@pytest.mark.requirement("KB-GRD-LEDGER-2")
def test_one_label_for_two_entries_is_refused() -> None:
    """Nobody could tell which of them a reference means."""
    first, second = LedgerEntry("a", "a", "one"), LedgerEntry("a", "a", "two")
    assert refusal("KB-GRD-LEDGER-2", CitationLedger, [first, second]).value == "a"
    assert refusal("KB-GRD-LEDGER-2", CitationLedger, [first, first]).value == "a"


@pytest.mark.requirement("KB-GRD-LEDGER-1")
def test_whatever_has_the_attributes_is_taken_and_checked() -> None:
    """A row of another kind becomes an entry; what lacks an attribute does not."""
    row = SimpleNamespace(label="a", source="a", content="text", content_hash="", scope_path="", score=0.5)
    assert CitationLedger([row]).entries == (LedgerEntry("a", "a", "text", score=0.5),)
    row.label = "b"
    refusal("KB-GRD-ENTRY-3", CitationLedger, [row])
    del row.score
    error = refusal("KB-GRD-LEDGER-1", CitationLedger, [row])
    assert error.value is row
    assert "label, source, content, content_hash, scope_path, score" in str(error)


@pytest.mark.requirement("KB-GRD-LEDGER-8")
@pytest.mark.parametrize("entries", [None, FragmentSelection((), ()), 5, LedgerEntry("a", "a", "text")])
def test_what_cannot_be_iterated_over_is_no_list_of_entries(entries: Any) -> None:
    """A selection has its fragments in a field; the message says which."""
    error = refusal("KB-GRD-LEDGER-8", CitationLedger, entries)
    assert error.value is entries
    assert ".admitted" in str(error)


def test_a_ledger_is_a_value() -> None:
    """Equal by its entries, hashable, and it survives copying and pickling."""
    ledger = CitationLedger([LedgerEntry("a", "a", "text")])
    assert ledger == CitationLedger([LedgerEntry("a", "a", "text")])
    assert ledger != CitationLedger([LedgerEntry("a", "a", "other")])
    assert hash(ledger) == hash(CitationLedger([LedgerEntry("a", "a", "text")]))
    for twin in (copy.deepcopy(ledger), pickle.loads(pickle.dumps(ledger))):
        assert twin == ledger
        assert twin["a"].content == "text"
    with pytest.raises(dataclasses.FrozenInstanceError):
        ledger.entries = ()  # type: ignore[misc]  # that is what is refused


def test_the_document_of_a_ledger_is_this() -> None:
    """Its form is a promise to programs in other languages."""
    ledger = CitationLedger([LedgerEntry("é" + TAG, "é", "x\u2028", scope_path="a\x1fb", score=0.1)])
    digest = hashlib.sha256("x\u2028".encode()).hexdigest()
    assert ledger.to_json() == (
        '{"format": "symfonic-knowledge citation ledger", "version": 1, "entries": [{"label": "\\u00e9 '
        '\\u00b7k7d2q4x4m3", "source": "\\u00e9", "content": "x\\u2028", "content_hash": '
        f'"{digest}", "scope_path": "a\\u001fb", "score": 0.1}}]}}'
    )


@pytest.mark.requirement("KB-GRD-LEDGER-6")
@given(
    rows=st.lists(
        st.tuples(st.text(max_size=12), st.text(max_size=20), st.text(max_size=6), st.floats(allow_nan=False)),
        max_size=4,
        unique_by=lambda row: safe_source(row[0]),
    )
)
def test_a_ledger_comes_back_from_json_as_it_went(rows: list[tuple[str, str, str, float]]) -> None:
    """Every character and every bit of a score, and the text the same again."""
    entries = [
        LedgerEntry(safe_source(source), source, content, scope_path=path, score=score)
        for source, content, path, score in rows
        if math.isfinite(score) and max(source + content + path, default="") < "\ud800"
    ]
    ledger = CitationLedger(entries)
    text = ledger.to_json()
    assert text.isascii()
    back = CitationLedger.from_json(text)
    assert back == ledger
    assert back.to_json() == text


@pytest.mark.requirement("KB-GRD-LEDGER-7")
@pytest.mark.parametrize(
    ("text", "rule", "value"),
    [
        pytest.param(None, "KB-GRD-JSON-1", None, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param(b"{}", "KB-GRD-JSON-1", b"{}", marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param("", "KB-GRD-JSON-1", 0, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param("{", "KB-GRD-JSON-1", 1, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param("[" * 100_000, "KB-GRD-JSON-1", 100_000, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param('{"a": 1, "a": 1}', "KB-GRD-JSON-1", 16, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param('{"a": NaN}', "KB-GRD-JSON-1", 10, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param('{"a": -Infinity}', "KB-GRD-JSON-1", 16, marks=pytest.mark.requirement("KB-GRD-JSON-1")),
        pytest.param(
            '{"a": ' + "1" * 5000 + "}", "KB-GRD-JSON-1", 5007, marks=pytest.mark.requirement("KB-GRD-JSON-1")
        ),
        pytest.param("[]", "KB-GRD-JSON-2", [], marks=pytest.mark.requirement("KB-GRD-JSON-2")),
        pytest.param("{}", "KB-GRD-JSON-2", {}, marks=pytest.mark.requirement("KB-GRD-JSON-2")),
        pytest.param(
            '{"format": "symfonic-knowledge grounding report", "version": 1}',
            "KB-GRD-JSON-2",
            ...,
            marks=pytest.mark.requirement("KB-GRD-JSON-2"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "entries": []}',
            "KB-GRD-JSON-3",
            None,
            marks=pytest.mark.requirement("KB-GRD-JSON-3"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 2, "more": []}',
            "KB-GRD-JSON-3",
            2,
            marks=pytest.mark.requirement("KB-GRD-JSON-3"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 0, "entries": []}',
            "KB-GRD-JSON-3",
            0,
            marks=pytest.mark.requirement("KB-GRD-JSON-3"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": true, "entries": []}',
            "KB-GRD-JSON-3",
            True,
            marks=pytest.mark.requirement("KB-GRD-JSON-3"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1.0, "entries": []}',
            "KB-GRD-JSON-3",
            1.0,
            marks=pytest.mark.requirement("KB-GRD-JSON-3"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1}',
            "KB-GRD-JSON-4",
            ...,
            marks=pytest.mark.requirement("KB-GRD-JSON-4"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1, "entries": [], "x": 1}',
            "KB-GRD-JSON-4",
            ...,
            marks=pytest.mark.requirement("KB-GRD-JSON-4"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1, "entries": {}}',
            "KB-GRD-JSON-5",
            {},
            marks=pytest.mark.requirement("KB-GRD-JSON-5"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1, "entries": [1]}',
            "KB-GRD-JSON-4",
            1,
            marks=pytest.mark.requirement("KB-GRD-JSON-4"),
        ),
        pytest.param(
            '{"format": "symfonic-knowledge citation ledger", "version": 1, "entries": [{}]}',
            "KB-GRD-JSON-4",
            {},
            marks=pytest.mark.requirement("KB-GRD-JSON-4"),
        ),
    ],
)
def test_a_document_that_is_broken_or_another_is_refused(text: Any, rule: str, value: Any) -> None:
    """Nothing is guessed, and nothing of an unreadable text is shown."""
    error = refusal(rule, CitationLedger.from_json, text)
    assert value is ... or error.value == value
    if isinstance(text, str) and rule == "KB-GRD-JSON-1":
        assert f", got text of length {value} that is none: " in str(error)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"content": "another"}, "KB-GRD-ENTRY-4"),
        ({"label": "b"}, "KB-GRD-ENTRY-3"),
        ({"content": None}, "KB-GRD-ENTRY-1"),
        ({"score": "0"}, "KB-GRD-ENTRY-5"),
        ({"content": "\ud800"}, "KB-GRD-ENTRY-2"),
        ({"more": 1}, "KB-GRD-JSON-4"),
    ],
)
def test_an_entry_that_was_changed_on_its_way_is_refused(changes: dict[str, Any], rule: str) -> None:
    """Reading back checks all that building checks."""
    document = json.loads(CitationLedger([LedgerEntry("a", "a", "text")]).to_json())
    document["entries"][0] |= changes
    refusal(rule, CitationLedger.from_json, json.dumps(document))


def test_a_refused_document_says_which_kind_was_wanted() -> None:
    """Rule, consequence, remedy."""
    for broken, rule in (("{", "KB-GRD-JSON-1"), ("{}", "KB-GRD-JSON-2")):
        message = str(refusal(rule, CitationLedger.from_json, broken))
        assert message.startswith("a symfonic-knowledge citation ledger must be ")
    text = '{"format": "symfonic-knowledge citation ledger", "version": 2}'
    assert str(refusal("KB-GRD-JSON-3", CitationLedger.from_json, text)) == (
        "the version of a symfonic-knowledge citation ledger must be 1, got 2: what a newer version means would be "
        "guessed. Remedy: read it with the version of the library that wrote it, or a newer one. [KB-GRD-JSON-3]"
    )
