"""Text hygiene stands in both capabilities, which may not import each other; here it is held equal."""

from __future__ import annotations

import hashlib
import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.extractors import _tables as extraction
from symfonic.capabilities.knowledge import _tables as knowledge
from symfonic.capabilities.knowledge._text import clean_content, inspect_content
from symfonic.capabilities.knowledge._text import shows_blank as shows_blank_as_a_row
from symfonic.capabilities.prompting import _tables as prompting
from symfonic.capabilities.prompting._text import DOTTED_CIRCLE, clean_block
from symfonic.capabilities.prompting._text import shows_blank as shows_blank_as_a_block

if TYPE_CHECKING:
    from types import ModuleType

OWN = {
    "knowledge": {"SURROGATES", "CONFUSABLES", "LABEL_ORDINARY", "LATER_DECOMPOSITIONS", "MIDDLE_DOTS", "TILDES"},
    "prompting": {"OTHER_BREAKS", "LETTERS_AND_DIGITS", "PLAIN", "PLAIN_OR_MARK"},
}
# The detectors of the two sides look for different words, so they fold different look-alikes.
DIFFERENT = {"FOLD_TO_MANY", "LOOKALIKES"}


def names(module: ModuleType) -> set[str]:
    """The tables of a module."""
    return {name for name in vars(module) if name.isupper()}


@pytest.mark.requirement("KB-HYG-SHARED-1")
def test_the_shared_tables_are_equal() -> None:
    """Every table is shared, or listed here as one side's own."""
    shared = names(knowledge) - OWN["knowledge"]
    assert shared == names(prompting) - OWN["prompting"]
    for name in shared - DIFFERENT:
        assert getattr(knowledge, name) == getattr(prompting, name), name


def test_the_two_folds_differ_in_look_alikes_only() -> None:
    """What becomes several ASCII characters does so on both sides."""

    def plain(table: dict[str, str]) -> dict[str, str]:
        return {target: sources for target, sources in table.items() if target.isascii()}

    assert plain(knowledge.FOLD_TO_MANY) == plain(prompting.FOLD_TO_MANY)
    common = set(knowledge.LOOKALIKES) & set(prompting.LOOKALIKES)
    assert common == set("sure")
    assert all(knowledge.LOOKALIKES[letter] == prompting.LOOKALIKES[letter] for letter in common)


@pytest.mark.tree
@pytest.mark.parametrize("name", ["_invisibles.py", "_folding.py", "_counting.py"])
def test_the_shared_modules_are_equal_to_the_byte(project: Path, name: str) -> None:
    """Change one, change both."""
    folder = project / "src" / "symfonic" / "capabilities"
    assert (folder / "knowledge" / name).read_bytes() == (folder / "prompting" / name).read_bytes()


@pytest.mark.requirement("KB-HYG-GEN-1")
@pytest.mark.parametrize("module", [knowledge, prompting, extraction], ids=lambda module: module.__name__)
def test_a_generated_module_is_as_it_was_generated(module: ModuleType) -> None:
    """Its head names the digest of everything below the docstring: an edit by hand shows without the Unicode files."""
    text = Path(str(module.__file__)).read_text("ascii")
    _, head, body = text.split('"""', 2)
    named = re.search("^SHA-256 of what follows: ([0-9a-f]{64})$", head, re.MULTILINE)
    assert named is not None
    assert named[1] == hashlib.sha256(body.encode()).hexdigest()


#: All of Unicode in one text, which is looked through much faster than its characters one by one.
EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))


def members(inside: str) -> set[int]:
    """The code points of a character class."""
    return set(map(ord, re.findall(f"[{inside}]", EVERYTHING)))


@pytest.mark.tree
@pytest.mark.requirement("KB-HYG-GEN-1")
def test_the_decisions_of_the_generator_are_in_the_tables(project: Path) -> None:
    """A set that was changed in the script but not generated again shows without the Unicode files."""
    script = runpy.run_path(str(project / "scripts" / "generate_unicode_tables.py"))
    for name in (
        *("LINE_BREAKS", "SOFT_INVISIBLES", "CONTROLS", "FILLERS", "TAGS", "BIDI_CONTROLS", "BIDI_MARKS", "JOINERS"),
        *("SELECTORS", "IDEOGRAPHIC_SELECTORS", "NONCHARACTERS", "PRIVATE_USE", "SURROGATES", "BLANKS"),
    ):
        assert members(getattr(knowledge, name)) == script[name], name
    for name, table in (
        *(("SQUARE_OPEN", "SQUARE_OPEN"), ("SQUARE_CLOSE", "SQUARE_CLOSE"), ("LESS_THAN", "ANGLES_OPEN")),
        *(("GREATER_THAN", "ANGLES_CLOSE"), ("MIDDLE_DOTS", "MIDDLE_DOTS"), ("TILDES", "TILDES")),
    ):
        assert members(getattr(knowledge, table)) >= script[name], name
    assert set(knowledge.LOOKALIKES) == set(script["MARKER_LETTERS"])
    assert set(prompting.LOOKALIKES) == set(script["DELIMITER_LETTERS"])


@pytest.mark.requirement("KB-HYG-SHARED-1")
@given(text=st.text(max_size=60))
def test_a_citation_lines_content_passes_the_compiler_unchanged(text: str) -> None:
    """What the bridge cleaned the compiler has nothing to clean in, and both count the same."""
    cleaned = clean_content(text)
    assert clean_block(cleaned)[0].removeprefix(DOTTED_CIRCLE) == cleaned.removeprefix(DOTTED_CIRCLE)
    left_out = {"line-break", "leading-mark"}
    compiled = {kind: count for kind, count in clean_block(text)[1].items() if kind not in left_out}
    assert compiled == {kind: count for kind, count in inspect_content(text).counts if kind not in left_out}


@pytest.mark.requirement("KB-HYG-SHARED-1")
def test_both_sides_agree_on_what_shows_nothing() -> None:
    """For every code point alone, and in company: one side must not drop what the other renders."""
    blank = set(filter(shows_blank_as_a_row, EVERYTHING))
    assert set(filter(shows_blank_as_a_block, EVERYTHING)) == blank
    assert {" ", "\t", "\n", "\u200e", "\u2800", "\ufffc", "\U00013441", "\x00"} <= blank
    assert not blank & set("a.\ufffd\ue000\u0301")
    company = "".join(sorted(blank))
    assert shows_blank_as_a_row(company)
    assert shows_blank_as_a_block(company)
    assert not shows_blank_as_a_row(f"{company}x")
    assert not shows_blank_as_a_block(f"{company}x")
