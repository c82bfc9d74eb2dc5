"""Messages of the conformance suite: four lines, few rows, little of each."""

from __future__ import annotations

import pytest

from symfonic.testing.knowledge import _rules as rules

RULES = {name: rule for name, rule in vars(rules).items() if isinstance(rule, rules.Rule)}


def test_a_broken_rule_is_told_in_four_lines() -> None:
    """Rule, what was seen, cause, remedy."""
    rule = rules.Rule("It rains upwards.", "the sky", "turn it round")
    assert rule.broken("drops") == (
        "It rains upwards.\n  seen:         drops\n  likely cause: the sky\n  remedy:       turn it round"
    )


@pytest.mark.parametrize("name", RULES)
def test_each_rule_is_one_sentence_a_cause_and_a_remedy(name: str) -> None:
    """Nothing is left blank, and nothing breaks the layout."""
    rule = RULES[name]
    assert rule.rule.endswith(".")
    assert all(len(part.split()) > 2 and "\n" not in part for part in rule)
    assert not rule.cause.endswith(".")
    assert not rule.remedy.endswith(".")


def test_values_are_shown_in_ascii_and_in_short() -> None:
    """A row of a full store does not fill the screen."""
    assert rules.shown("caf\u00e9\u200b") == "'caf\\xe9\\u200b'"
    assert rules.shown("x" * 58) == "'" + "x" * 58 + "'"
    assert rules.shown("x" * 59) == "'" + "x" * 56 + "..."


def test_the_first_three_rows_are_listed() -> None:
    """And how many more there are."""
    assert rules.listed([]) == "none"
    assert rules.listed([("a", 1), ("b", 2)]) == "('a', 1), ('b', 2)"
    assert rules.listed([(name,) for name in "abcde"]) == "('a'), ('b'), ('c'), and 2 more"


def test_a_difference_names_what_is_missing_and_what_is_too_much() -> None:
    """Counting, so that a row that comes twice shows."""
    assert rules.difference([("a",)], [("a",)]) == ""
    assert rules.difference([("a",), ("b",)], [("a",), ("a",)]) == "missing: ('b'); not expected: ('a')"
    assert rules.difference([("a",)], []) == "missing: ('a')"
