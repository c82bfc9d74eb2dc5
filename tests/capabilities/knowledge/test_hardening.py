"""Hardened mode: keyed labels, markers, scope proof, confusable labels."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    FragmentSelection,
    RetrievalPolicy,
    RetrievedFragment,
    ScopePath,
    _hardening,
    _selection,
    render_fragments,
    select_fragments,
    selection_revision,
)

KEY = bytes(range(32))
ACME = str(ScopePath.of(("tenant", "acme")))
LINE = re.compile(r"SOURCE \[(?P<label>[^\[\]]*) ·(?P<tag>[a-z2-7]{10,52})\]: (?P<content>.*)")


def row(
    content: str = "opens at nine", source: str = "Handbook", score: float = 0.8, path: Any = ""
) -> RetrievedFragment:
    """Build a row that was stored at ``path``."""
    return RetrievedFragment(content, source, score, {"scope_path": path})


def hardened(*rows: RetrievedFragment, scope_path: str = ACME, key: bytes = KEY, **changes: Any) -> FragmentSelection:
    """Select under the hardened policy."""
    return select_fragments(rows, RetrievalPolicy.hardened(key=key, **changes), scope_path=scope_path)


def tags(selection: FragmentSelection) -> list[str]:
    """The tag of every rendered line."""
    return [match["tag"] for match in map(LINE.fullmatch, selection.lines) if match]


def codes(selection: FragmentSelection) -> list[tuple[object, str]]:
    """Reduce the drops to source and code."""
    return [(source, reason.code.value) for source, reason in selection.dropped]


def expected_tag(key: bytes, *parts: str) -> str:
    """The tag by its definition, computed apart."""
    message = b"symfonic-knowledge fragment tag 1" + b"".join(
        len(part.encode()).to_bytes(8, "big") + part.encode() for part in parts
    )
    return base64.b32encode(hmac.digest(key, message, hashlib.sha256)).decode().lower()[:10]


@pytest.mark.requirement("KB-HRD-TAG-1")
def test_a_label_carries_a_tag_over_scope_source_and_content() -> None:
    """HMAC-SHA256 under the deployment key, length-prefixed, first ten base32 characters."""
    selection = hardened(row())
    tag = expected_tag(KEY, ACME, "Handbook", "opens at nine")
    assert selection.lines == (f"SOURCE [Handbook ·{tag}]: opens at nine",)
    assert render_fragments(selection) == selection.lines[0]


@pytest.mark.requirement("KB-HRD-TAG-2")
def test_a_tag_depends_on_key_scope_source_and_content_and_on_nothing_else() -> None:
    """The same from turn to turn; two fragments of one source are cited apart."""
    base = tags(hardened(row()))
    assert tags(hardened(row(score=0.1), row("noise", "Other", 0.9)))[1:] == base
    assert tags(hardened(row(), key=b"k" * 32)) != base
    assert tags(hardened(row(), scope_path="")) != base
    assert tags(hardened(row(source="Handbooks"))) != base
    assert tags(hardened(row("opens at ten"))) != base
    assert tags(hardened(row("nine", "opens at")))[0] != tags(hardened(row("s at nine", "open")))[0]


@pytest.mark.requirement("KB-HRD-TAG-1")
def test_a_whole_tag_shows_all_256_bits_without_padding() -> None:
    """52 characters of lower-case base32, from the published definition."""
    message = (
        b"symfonic-knowledge fragment tag 1" + bytes(7) + b"\x01p" + bytes(7) + b"\x01s" + bytes(7) + b"\x02\xc3\xbc"
    )
    whole = base64.b32encode(hmac.digest(KEY, message, hashlib.sha256)).decode().lower()
    assert _hardening.fragment_tag(KEY, "p", "s", "ü") == whole[:52]
    assert whole[52:] == "===="


@pytest.mark.requirement("KB-HRD-TAG-2")
def test_a_tag_tells_texts_apart_that_have_no_utf_8_form() -> None:
    """Nothing is replaced or left out on the way into the digest."""
    texts = ["\ud800", "\ud801", "?", "", "\ufffd", "\\ud800"]
    for place in range(3):
        parts = [[text if at == place else "x" for at in range(3)] for text in texts]
        assert len({_hardening.fragment_tag(KEY, *part) for part in parts}) == len(texts)


def alike(key: bytes, scope_path: str, source: str, content: str) -> str:
    """A tag function whose first eleven characters are the same for every row."""
    return "a" * 11 + _hardening.fragment_tag(key, scope_path, source, content)[11:]


@pytest.mark.requirement("KB-HRD-TAG-3")
def test_colliding_tags_are_lengthened_together_until_they_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forced here by tags that start alike; otherwise fifty bits would have to collide."""
    monkeypatch.setattr(_selection, "fragment_tag", alike)
    rows = [row(f"text {i}", "S", 0.9) for i in range(3)]
    shown = tags(hardened(*rows, limit=3, max_per_source=None))
    assert len(set(shown)) == 3
    assert {len(tag) for tag in shown} <= {12, 13}
    assert [len(tag) for tag in tags(hardened(rows[0]))] == [10]


def test_tags_that_collide_grow_and_others_do_not() -> None:
    """Only the colliding group is lengthened, all of it by the same amount."""
    assert _hardening.shown_tags(["aaab", "aaac", "bbbb"], 1) == ["aaab", "aaac", "b"]
    assert _hardening.shown_tags(["ab", "ab"], 1) == ["a", "a"]
    assert _hardening.shown_tags([], 10) == []


@pytest.mark.requirement("KB-HRD-TAG-4")
def test_the_cost_of_longer_tags_is_counted_and_a_row_that_no_longer_fits_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The total holds for what is really rendered: two lines fit with short tags, one with long ones."""
    monkeypatch.setattr(_selection, "fragment_tag", alike)
    rows = [row("text 0", "S", 0.9), row("text 1", "S", 0.8), row("beside it", "S", 0.7)]
    short = 2 * len("SOURCE [S ·aaaaaaaaaa]: text 0") + 1
    selection = hardened(*rows, max_per_source=None, max_total_chars=short)
    assert [fragment.content for fragment in selection.admitted] == ["text 0"]
    assert [(str(reason.code), reason.ceiling) for _, reason in selection.dropped] == [("over-total", short)] * 2
    assert selection.dropped[0][1].actual == short + 4
    assert len(render_fragments(selection)) <= short
    assert len(selection.lines) == 1


@pytest.mark.requirement("KB-HRD-TAG-4")
def test_longer_tags_that_fit_to_the_character_cost_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The total is a ceiling, not a limit to stay below."""
    monkeypatch.setattr(_selection, "fragment_tag", alike)
    rows = [row("text 0", "S", 0.9), row("text 1", "S", 0.8)]
    long = 2 * len("SOURCE [S ·aaaaaaaaaaaa]: text 0") + 1
    assert len(hardened(*rows, max_per_source=None, max_total_chars=long).admitted) == 2
    assert len(hardened(*rows, max_per_source=None, max_total_chars=long - 1).admitted) == 1


@pytest.mark.requirement("KB-HRD-TAG-4")
def test_a_row_that_longer_tags_push_out_is_told_at_its_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason stands before that of a row ranked below it, although it was found later."""
    monkeypatch.setattr(_selection, "fragment_tag", alike)
    rows = [row("text 0", "S", 0.9), row("text 1", "S", 0.8), row("far too long", "S", 0.7)]
    short = 2 * len("SOURCE [S ·aaaaaaaaaa]: text 0") + 1
    selection = hardened(*rows, limit=3, max_per_source=None, max_fragment_chars=6, max_total_chars=short)
    assert codes(selection) == [("S", "over-total"), ("S", "over-fragment")]
    assert selection.dropped_rows == (rows[1], rows[2])


@pytest.mark.requirement("KB-HRD-MARKER-1")
def test_markers_inside_content_are_neutralised_at_both_brackets() -> None:
    """No marker of ours comes from content."""
    selection = hardened(row("a SOURCE [Ledger]: paid"))
    assert selection.lines[0].endswith("]: a SOURCE (Ledger): paid")
    plain = select_fragments([row("a SOURCE [Ledger]: paid")], RetrievalPolicy(neutralise_markers=True))
    assert plain.lines == ("SOURCE [Handbook]: a SOURCE (Ledger): paid",)


@pytest.mark.requirement("KB-RET-DUPLICATE-1")
def test_duplicates_compare_what_is_rendered() -> None:
    """Two spellings that render alike are one."""
    selection = hardened(row("x SOURCE [y]", score=0.9), row("x SOURCE (y)", score=0.8))
    assert (len(selection.admitted), codes(selection)) == (1, [("Handbook", "duplicate")])


def test_the_lines_of_a_hardened_selection_are_kept_once() -> None:
    """They are the selection's own, which the revision covers; nothing stands beside them."""
    selection = hardened(row())
    assert (len(selection.lines), selection.counted) == (1, ())


class Mean(Mapping[str, Any]):
    """Metadata that raises when it is asked."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Obliging:
    """No mapping, and yet it answers ``get`` with what is hoped for."""

    def get(self, key: str) -> str:
        return ""


class Chatty(str):
    """A str that claims to equal everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(ACME)


@pytest.mark.requirement("KB-HRD-SCOPE-1")
@pytest.mark.parametrize("path", ["", ACME])
def test_a_row_stored_here_or_above_is_in_scope(path: str) -> None:
    """The empty path is deployment-wide."""
    assert len(hardened(row(path=path)).admitted) == 1


@pytest.mark.requirement("KB-HRD-SCOPE-1")
@pytest.mark.parametrize(
    "path",
    [
        None,
        7,
        "tenant",
        "tenant\x1fac",
        "tenant\x1facme-labs",
        "tenant\x1facme\x1fuser\x1f7",
        "tenant\x1fother",
        "\x1f",
        Chatty("tenant\x1fother"),
    ],
)
def test_a_row_without_proof_or_stored_beside_is_dropped(path: Any) -> None:
    """Whatever the store's own filter did."""
    selection = hardened(row(path=path), row("honest", "Honest", 0.1))
    assert codes(selection) == [("Handbook", "out-of-scope")]
    assert [fragment.source for fragment in selection.admitted] == ["Honest"]


@pytest.mark.requirement("KB-HRD-SCOPE-1")
@pytest.mark.parametrize("metadata", [{}, None, "scope_path", Mean(), [("scope_path", "")], Obliging()])
def test_metadata_that_proves_nothing_drops_the_row(metadata: Any) -> None:
    """A store's own mapping may raise anything; that is no proof either."""
    selection = hardened(RetrievedFragment("x", "s", 1.0, metadata))
    assert codes(selection) == [("s", "out-of-scope")]


@pytest.mark.requirement("KB-HRD-SCOPE-2")
@pytest.mark.parametrize("scope", ["tenant", "tenant\x1facme\x1fuser", "\x1f"])
def test_a_malformed_request_path_sees_nothing(scope: str) -> None:
    """Not even what is deployment-wide: nobody can tell who asks."""
    assert codes(hardened(row(path=""), row(path=scope), scope_path=scope)) == [("Handbook", "out-of-scope")] * 2


def test_a_usable_row_of_another_scope_is_not_kept_either() -> None:
    """The account names it, and holds nothing of it."""
    selection = hardened(row(path="tenant\x1fother"), row(path=""))
    assert codes(selection) == [("Handbook", "out-of-scope")]
    assert selection.dropped_rows == (None,)


def test_which_document_is_counted_among_equal_rows_does_not_depend_on_their_arrival() -> None:
    """Equal rows of two documents: one of them is admitted and uses up its document's place, always the same one."""
    equal = [RetrievedFragment("same", "a", 0.9, {"scope_path": "", "document": name}) for name in ("x", "y")]
    other = [RetrievedFragment(f"of {name}", f"b-{name}", 0.5, {"scope_path": "", "document": name}) for name in "xy"]
    accounts = {
        tuple(codes(hardened(*rows, max_per_source=1, limit=4, cap_documents=True)))
        for rows in itertools.permutations([*equal, *other])
    }
    assert accounts == {(("a", "over-source"), ("b-x", "over-source"))}
    plain = RetrievalPolicy(max_per_source=1, limit=4, cap_documents=True)
    assert codes(select_fragments([*equal, *other], plain)) == [("a", "over-source"), ("b-x", "over-source")]
    assert codes(select_fragments([*other, *equal[::-1]], plain)) == [("a", "over-source"), ("b-x", "over-source")]


@pytest.mark.requirement("KB-RET-RANK-1")
def test_documents_put_only_equal_rows_in_order() -> None:
    """Source and content decide before them, among rows of one score that hold equal ones too."""
    pairs = (("a", "z"), ("b", "y"), ("b", "x"))
    rows = [RetrievedFragment(text, "s", 0.5, {"document": name}) for text, name in pairs]
    for order in itertools.permutations(rows):
        selection = select_fragments(order, RetrievalPolicy(cap_documents=True))
        assert [(one.content, one.metadata["document"]) for one in selection.admitted] == [
            ("a", "z"),
            ("b", "x"),
            ("b", "y"),
        ]


class Fickle(Mapping[str, Any]):
    """Metadata that answers otherwise each time it is asked, and counts the questions."""

    def __init__(self, **answers: list[Any]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __getitem__(self, key: str) -> Any:
        self.asked.append(key)
        given = self.answers[key]
        return given.pop(0) if len(given) > 1 else given[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)


@pytest.mark.parametrize("score", [0.9, 0.5])
def test_the_metadata_of_a_row_is_read_once(score: float) -> None:
    """What was decided by one answer is not undone by the next, among equal rows and elsewhere."""
    fickle = Fickle(scope_path=["", "tenant\x1fother"], document=["x", "y", "z"])
    rows = [
        RetrievedFragment("same", "a", score, fickle),
        RetrievedFragment("same", "a", 0.9, {"scope_path": "", "document": "q"}),
        RetrievedFragment("later", "b", 0.1, {"scope_path": "", "document": "x"}),
    ]
    policy = RetrievalPolicy(9, max_per_source=1, prove_scope=True, cap_documents=True)
    assert select_fragments(rows, policy).admitted[0].source == "a"
    assert sorted(fickle.asked) == ["document", "scope_path"]


@pytest.mark.requirement("KB-HRD-SCOPE-4")
def test_an_unusable_row_of_another_scope_is_not_kept() -> None:
    """It is told as unusable, which is checked first; its text is no more the asker's than that of a usable one."""
    paths = ("", ACME, "tenant\x1fother", "tenant", None)
    rows = [RetrievedFragment("secret", "s", float("nan"), {"scope_path": path}) for path in paths]
    bare: list[Any] = [RetrievedFragment("secret", "s", float("nan")), RetrievedFragment(" ", "s", 1.0), None]
    selection = hardened(*rows, *bare)
    assert len(selection.dropped) == len(selection.dropped_rows) == 8
    assert {id(row) for row in selection.dropped_rows if row is not None} == {id(row) for row in rows[:2]}
    plain = select_fragments([*rows, *bare], RetrievalPolicy())
    assert {id(row) for row in plain.dropped_rows} == {id(row) for row in [*rows, *bare]}


def test_among_equal_rows_those_in_scope_come_first() -> None:
    """Equal in score, source and content; what their metadata decides puts them in order."""
    rows = [row(path="tenant\x1fother"), row(path="")]
    for order in (rows, rows[::-1]):
        assert codes(hardened(*order, min_score=0.9)) == [("Handbook", "below-floor"), ("Handbook", "out-of-scope")]


def test_out_of_scope_rows_are_told_apart_beyond_the_limit_too() -> None:
    """The scope check comes before the limit, for every row."""
    rows = [row(f"t{i}", f"s{i}", 0.9 - i / 10, path) for i, path in enumerate(["", "x\x1fy", "", "x\x1fy", ""])]
    selection = hardened(*rows, limit=1)
    assert codes(selection) == [
        ("s1", "out-of-scope"),
        ("s2", "over-limit"),
        ("s3", "out-of-scope"),
        ("s4", "over-limit"),
    ]
    assert selection.dropped[1][1] == "the limit of 1 was reached before it"
    assert selection.dropped[1][1] is selection.dropped[3][1]


@pytest.mark.requirement("KB-HRD-CONFUSABLE-1")
def test_labels_that_look_alike_but_differ_are_reported() -> None:
    """By UTS #39 skeleton; equal labels are no pair."""
    cyrillic = "Hаndbook"
    selection = hardened(row(), row("b", cyrillic), row("c", "Other"), row("d"), limit=9)
    assert selection.confusable == (("Handbook", cyrillic),)
    assert select_fragments([row(), row("b", cyrillic)], RetrievalPolicy()).confusable == ()
    alike = [("b", "x"), ("a", "x"), ("c", "x"), ("d", "y")]
    assert _hardening.confusable_pairs(alike) == (("a", "b"), ("a", "c"))


@pytest.mark.requirement("KB-HRD-REVISION-1")
def test_a_hardened_revision_changes_exactly_when_the_bytes_do() -> None:
    """It covers the rendered lines and a format version."""
    one, two = hardened(row()), hardened(row(), key=b"z" * 32)
    assert selection_revision(one) == selection_revision(hardened(row(score=0.7)))
    assert selection_revision(one) != selection_revision(two)
    wanted = hashlib.sha256(("symfonic-knowledge lines 1\n" + one.lines[0]).encode()).hexdigest()[:16]
    assert selection_revision(one) == wanted
    assert selection_revision(hardened()) == selection_revision(select_fragments([], RetrievalPolicy()))


@pytest.mark.requirement("KB-RET-PERMUTE-1")
def test_equal_rows_of_different_scopes_and_documents_drop_alike_in_every_order() -> None:
    """Rows equal in score, source and content are put in order by what their metadata decides."""
    rows = [
        RetrievedFragment("x", "s", 0.5, {"scope_path": path, "document": document})
        for path in ("", ACME, "tenant\x1fother")
        for document in ("d", "e")
    ]
    for policy in (
        RetrievalPolicy.hardened(key=KEY, min_score=0.6),
        RetrievalPolicy.hardened(key=KEY, limit=2),
        RetrievalPolicy.hardened(key=KEY, limit=2, cap_documents=True),
        RetrievalPolicy(limit=4, max_per_source=3),
        RetrievalPolicy(limit=4, max_per_source=3, cap_documents=True),
    ):
        told = {
            tuple(str(reason) for _, reason in select_fragments(order, policy, scope_path=ACME).dropped)
            for order in itertools.permutations(rows)
        }
        assert len(told) == 1


PATHS = st.lists(st.sampled_from([("t", "a"), ("t", "aa"), ("u", "a"), ("u", "b")]), max_size=3).map(
    lambda pairs: str(ScopePath(tuple(pairs)))
)


@pytest.mark.requirement("KB-HRD-SCOPE-3")
@given(st.lists(st.tuples(PATHS, st.sampled_from(["x", "y"])), max_size=8), PATHS)
def test_nothing_of_another_scope_reaches_a_selection(stored: list[tuple[str, str]], asking: str) -> None:
    """A store that ignores the scope filter leaks nothing: the same lines as if the others did not exist."""
    rows = [row(f"{content} of {path!r}", content, 0.5, path) for path, content in stored]
    visible = [
        r
        for r in rows
        if ScopePath.parse(asking).pairs[: len(ScopePath.parse(r.metadata["scope_path"]).pairs)]
        == ScopePath.parse(r.metadata["scope_path"]).pairs
    ]
    seen, alone = hardened(*rows, scope_path=asking, limit=9), hardened(*visible, scope_path=asking, limit=9)
    assert seen.lines == alone.lines
    assert selection_revision(seen) == selection_revision(alone)
    assert [code for _, code in codes(seen)].count("out-of-scope") == len(rows) - len(visible)
