"""Scope paths: built from pairs, read exactly, ancestors by membership."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.capabilities.knowledge import (
    SCOPE_PATH_DELIMITER,
    BridgeContractError,
    ScopePath,
    scope_ancestors,
)


def wrong(value: object) -> Any:
    """Pass a value of the wrong type on purpose."""
    return value


PARTS = st.text(st.characters(codec="ascii", min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=6)


@pytest.mark.requirement("KB-CON-PATH-6")
def test_a_path_is_kind_and_id_pairs_joined_root_first() -> None:
    """The delimiter is U+001F, and an empty path is the whole deployment."""
    path = ScopePath.of(("tenant", "acme"), ("user", "7"))
    assert str(path) == "tenant\x1facme\x1fuser\x1f7"
    assert SCOPE_PATH_DELIMITER == "\x1f"
    assert str(ScopePath()) == ""
    assert ScopePath.parse("") == ScopePath()
    assert ScopePath([("tenant", "a")]).pairs == (("tenant", "a"),)  # type: ignore[arg-type]  # a list is taken too


@pytest.mark.requirement("KB-CON-PATH-7")
def test_ancestors_run_from_the_root_to_the_path_itself() -> None:
    """Membership is exact: a longer id that starts alike is no ancestor."""
    assert scope_ancestors("tenant\x1facme\x1fuser\x1f7") == ("", "tenant\x1facme", "tenant\x1facme\x1fuser\x1f7")
    assert scope_ancestors("") == ("",)
    assert "tenant\x1fac" not in scope_ancestors("tenant\x1facme")
    assert "tenant\x1facme" not in scope_ancestors("tenant\x1facme-labs")


@given(st.lists(st.tuples(PARTS, PARTS), max_size=5))
def test_parsing_gives_back_what_was_built(pairs: list[tuple[str, str]]) -> None:
    """Building and reading are inverse, and every ancestor is a path of its own."""
    path = ScopePath(tuple(pairs))
    assert ScopePath.parse(str(path)) == path
    assert len(path.ancestors()) == len(pairs) + 1
    for depth, ancestor in enumerate(path.ancestors()):
        assert ScopePath.parse(ancestor).pairs == path.pairs[:depth]


@pytest.mark.parametrize(
    ("build", "rule"),
    [
        pytest.param(
            lambda: ScopePath.parse(wrong(7)), "KB-CON-PATH-1", marks=pytest.mark.requirement("KB-CON-PATH-1")
        ),
        pytest.param(lambda: ScopePath.parse("t"), "KB-CON-PATH-2", marks=pytest.mark.requirement("KB-CON-PATH-2")),
        pytest.param(
            lambda: ScopePath.parse("t\x1fa\x1fu"), "KB-CON-PATH-2", marks=pytest.mark.requirement("KB-CON-PATH-2")
        ),
        pytest.param(
            lambda: scope_ancestors("a\x1fb\x1f"), "KB-CON-PATH-2", marks=pytest.mark.requirement("KB-CON-PATH-2")
        ),
        pytest.param(lambda: ScopePath(wrong("ab")), "KB-CON-PATH-3", marks=pytest.mark.requirement("KB-CON-PATH-3")),
        pytest.param(
            lambda: ScopePath(wrong({("tenant", "acme")})),
            "KB-CON-PATH-3",
            marks=pytest.mark.requirement("KB-CON-PATH-3"),
        ),
        pytest.param(lambda: ScopePath(wrong(None)), "KB-CON-PATH-3", marks=pytest.mark.requirement("KB-CON-PATH-3")),
        pytest.param(
            lambda: ScopePath.of(wrong("ab")), "KB-CON-PATH-3", marks=pytest.mark.requirement("KB-CON-PATH-3")
        ),
        pytest.param(
            lambda: ScopePath(wrong(pair for pair in [("a", "b")])),
            "KB-CON-PATH-3",
            marks=pytest.mark.requirement("KB-CON-PATH-3"),
        ),
        pytest.param(
            lambda: ScopePath(wrong({("a", "b")})), "KB-CON-PATH-3", marks=pytest.mark.requirement("KB-CON-PATH-3")
        ),
        pytest.param(
            lambda: ScopePath((("a", "b"),) * 65), "KB-CON-PATH-8", marks=pytest.mark.requirement("KB-CON-PATH-8")
        ),
        pytest.param(
            lambda: ScopePath.of(wrong(("a",))), "KB-CON-PATH-3", marks=pytest.mark.requirement("KB-CON-PATH-3")
        ),
        pytest.param(
            lambda: ScopePath.of(wrong(("a", "b", "c"))),
            "KB-CON-PATH-3",
            marks=pytest.mark.requirement("KB-CON-PATH-3"),
        ),
        pytest.param(lambda: ScopePath.of(("a", "")), "KB-CON-PATH-4", marks=pytest.mark.requirement("KB-CON-PATH-4")),
        pytest.param(lambda: ScopePath.of(("", "b")), "KB-CON-PATH-4", marks=pytest.mark.requirement("KB-CON-PATH-4")),
        pytest.param(
            lambda: ScopePath.of(("a", wrong(7))), "KB-CON-PATH-4", marks=pytest.mark.requirement("KB-CON-PATH-4")
        ),
        pytest.param(lambda: ScopePath.parse("\x1f"), "KB-CON-PATH-4", marks=pytest.mark.requirement("KB-CON-PATH-4")),
        pytest.param(
            lambda: ScopePath.of(("a", "b\x1fc")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a", "b\n")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a", " b")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a", "b\u3000")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a ", "b")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a", "b\u200b")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a\t", "b")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
        pytest.param(
            lambda: ScopePath.of(("a", "b\ud800")), "KB-CON-PATH-5", marks=pytest.mark.requirement("KB-CON-PATH-5")
        ),
    ],
)
def test_a_broken_path_is_refused(build: Any, rule: str) -> None:
    """Scope fails closed: what cannot be told exactly is no scope."""
    with pytest.raises(BridgeContractError) as caught:
        build()
    assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("build", "value"),
    [
        (lambda: ScopePath.parse(wrong(7)), 7),
        (lambda: ScopePath.parse("t\x1fa\x1fu"), "t\x1fa\x1fu"),
        (lambda: ScopePath(wrong("ab")), "ab"),
        (lambda: ScopePath.of(("a", "b"), wrong("cd")), "cd"),
        (lambda: ScopePath.of(wrong(("a", "b", "c"))), ("a", "b", "c")),
        (lambda: ScopePath.of(("a", wrong(7))), 7),
        (lambda: ScopePath.of(("a", "b\n")), "b\n"),
    ],
)
def test_a_refused_path_is_evidence_of_itself(build: Any, value: object) -> None:
    """The error carries the part that was refused, not the whole of what was passed."""
    with pytest.raises(BridgeContractError) as caught:
        build()
    assert caught.value.value == value


@pytest.mark.requirement("KB-CON-PATH-5")
@pytest.mark.parametrize(
    ("part", "fault"),
    [
        (" b", "it begins or ends with a space"),
        ("b\xa0", "it begins or ends with a space"),
        ("b\u3000", "it begins or ends with a space"),
        ("acme\n", "it holds a line break, U+000A, at character 4"),
        ("\r\nacme", "it holds a line break, U+000D, at character 0"),
        ("acme\x85", "it holds a line break, U+0085, at character 4"),
        ("acme\u2028", "it holds a line break, U+2028, at character 4"),
        ("acme\x1c", "it holds a line break, U+001C, at character 4"),
        ("\tacme", "it holds a tab, U+0009, at character 0"),
        (" acme\u200b", "it holds an invisible or control character, U+200B, at character 5"),
        (" b\x1fc ", "it holds an invisible or control character, U+001F, at character 2"),
        ("b\u2800", "it holds a blank that is not a space, U+2800, at character 1"),
        ("b\ud800", "it holds a lone surrogate, U+D800, at character 1"),
        ("b" + "\u0301" * 17, "it holds more than sixteen combining marks in a row"),
    ],
)
def test_a_refused_part_is_told_what_is_wrong_with_it(part: str, fault: str) -> None:
    """By name and place: a line break at an end is no space, although Python would strip both alike."""
    with pytest.raises(BridgeContractError) as caught:
        ScopePath.of(("a", part))
    assert str(caught.value).startswith(f"a scope part must show what it is, but {fault}, got ")


@pytest.mark.parametrize("part", ["acme-", "-acme", "a b", "a\u3000b", "\u00adb"[1:], "."])
def test_a_part_may_hold_spaces_inside_and_signs_at_its_ends(part: str) -> None:
    """Only its ends may be no space."""
    assert str(ScopePath.of(("a", part))) == f"a\x1f{part}"


def test_a_path_is_frozen_and_slotted() -> None:
    """What was checked cannot become another scope."""
    path = ScopePath.of(("tenant", "acme"))
    assert not hasattr(path, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        path.pairs = ()  # type: ignore[misc]  # the mistake under test


def test_ids_in_any_script_are_fine() -> None:
    """The charset of ids is not that of scope parts."""
    assert str(ScopePath.of(("tenant", "Bäckerei 社 [1]"))) == "tenant\x1fBäckerei 社 [1]"


@pytest.mark.requirement("KB-CON-PATH-8")
def test_a_path_has_at_most_64_pairs() -> None:
    """Every question is asked at each ancestor."""
    assert len(ScopePath((("a", "b"),) * 64).ancestors()) == 65
    pairs = (("a", "b"),) * 65
    with pytest.raises(BridgeContractError, match="at most 64 pairs, not 65, got <tuple>") as caught:
        ScopePath(pairs)
    assert (caught.value.rule, caught.value.value) == ("KB-CON-PATH-8", pairs)
