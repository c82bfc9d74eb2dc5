"""The filter of layer tags: what it removes, what it leaves, when it shows, how much it holds."""

from __future__ import annotations

import copy
import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_tags import PlainTagMachine, lower, without_tags

from symfonic.capabilities.knowledge import (
    DEFAULT_LAYER_NAMES,
    MAX_OPEN_TAGS,
    MAX_TAG_SPACE,
    BridgeContractError,
    BridgeTypeError,
    CitationTagFilter,
)
from symfonic.testing.knowledge import assert_chunk_invariant, assert_latency_optimal, filtered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHORT = ("ab", "b")
#: More names than one expression is made of, so that the other way of splitting is taken.
MANY = (*SHORT, *(f"name {number}" for number in range(60)), "é")
VOCABULARIES = {
    "default": DEFAULT_LAYER_NAMES,
    "short": SHORT,
    "many": MANY,
    "spaced": ("a b", "b "),
    "é": ("é", "aÉ"),
    "long": ("ab" * 40, "a"),
}
TOKENS = (
    *("[", "]", "a", "b", " ", "\t", "x", "A", "\n", "é", "É", "\u212a", "ſ", "c]", "]]", "  "),
    *("[ab]", "[a]", "[b]", "[semantic]", "[SEM", "antic]", "[sem", "[work", "ing]", "[a b]", "[a ", "[é]", "[name 1]"),
    *(" " * 40, " " * 65, "\t" * 64, "[" + "ab" * 30, "ab" * 10 + "]"),
)
#: Continuations that finish or break off whatever the filter of the name "a" may hold.
ENDS = ("x", "]", "a]", " ", "[a]", "a]a]")
texts = st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)


def shown(text: str, names: Iterable[str] = DEFAULT_LAYER_NAMES) -> str:
    """What a new filter makes of a text, the same however it is cut."""
    names = tuple(names)
    return assert_chunk_invariant(lambda: CitationTagFilter(names), text, rounds=4)


# ---------------------------------------------------------------------------------------------- what is removed


@pytest.mark.requirement("KB-CIT-TAG-1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("blue [semantic].", "blue."),
        ("blue[semantic].", "blue."),
        ("blue \t [semantic] sky", "blue sky"),
        ("[semantic] blue", " blue"),
        ("a [semantic] [working][episodic] b", "a b"),
        ("[SEMANTIC] [Working] [pRoSpEcTiVe]", ""),
        ("procedural [procedural]", "procedural"),
    ],
)
def test_a_tag_goes_with_the_spaces_and_tabs_left_of_it(text: str, expected: str) -> None:
    """What is right of it stays."""
    assert shown(text) == expected


@pytest.mark.requirement("KB-CIT-TAG-1")
def test_a_tag_in_code_goes_too_and_its_line_stays() -> None:
    """A leak is the worse error; the line break left of the indentation is none of the tag's."""
    assert shown("code:\n    [working]    indented") == "code:\n    indented"


@pytest.mark.requirement("KB-CIT-TAG-2")
@pytest.mark.parametrize(
    "text",
    [
        "arr[0] [1] [2024] [x] [ ] []",
        "[memory](https://example.org) is a link",
        "[sem] [semantics] [ semantic] [semantic ] [semantic",
        "[ſemantic] [ſEMANTIC]",
        "[wor\u212aing] [WOR\u212aING]",
        "[ep\u0130sodic] [ep\u0131sodic] [EP\u0130SODIC]",
        "[ｓｅｍａｎｔｉｃ] ［semantic］",
        "[sem\u00adantic] [sem\u200bantic]",
        "semantic] [[",
    ],
)
def test_what_is_no_tag_stays(text: str) -> None:
    """Only ASCII letters compare without case: ſ is no s, the Kelvin sign no k, and no dotless i an i."""
    assert shown(text + "|") == text + "|"


@pytest.mark.requirement("KB-CIT-TAG-2")
@pytest.mark.parametrize("space", ["\n", "\r\n", "\r", "\u00a0", "\u2028", "\u2003", "\u3000", "\f", "\v"])
def test_only_spaces_and_tabs_go_with_a_tag(space: str) -> None:
    """Line breaks and the spaces of typography stay."""
    assert shown(f"a{space}[semantic]b") == f"a{space}b"
    assert shown(f"a{space} [semantic]b") == f"a{space}b"


@pytest.mark.requirement("KB-CIT-TAG-3")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello [sem", "hello "),
        ("hello [sem [sem", "hello "),
        ("hello[", "hello"),
        ("hello [semantic", "hello "),
        ("- [ ", "- [ "),
        ("hello [sem ", "hello [sem "),
        ("hello [semi", "hello [semi"),
        ("hello  ", "hello  "),
        ("hello [sem\n", "hello [sem\n"),
    ],
)
def test_an_unfinished_tag_at_the_end_is_dropped(text: str, expected: str) -> None:
    """Unless white space follows it; the space left of it stays."""
    assert shown(text) == expected


@pytest.mark.requirement("KB-CIT-TAG-4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[sem[semantic]antic]", ""),
        ("x [sem [semantic]antic] y", "x y"),
        ("[sem[semantic]]", "[sem]"),
        ("[s[w[semantic]orking]emantic]", "[semantic"),
        ("[sem[sem[semantic]antic]antic]", "[semantic"),
        ("[sem[sem[sem[semantic]antic]antic]antic]]]", "[sem[semanticantic]]]"),
        ("[sem[sem[semantic]antic]antic]]]]", "[semantic"),
        ("[sem[semantic] antic]", "[sem antic]"),
        ("[Hand[semantic]book]", "[Handbook]"),
    ],
)
def test_a_tag_inside_a_tag_goes_and_leaves_none(text: str, expected: str) -> None:
    """Two deep both go; deeper than that the last bracket of a tag that would remain goes."""
    assert shown(text) == expected


@pytest.mark.requirement("KB-CIT-TAG-4")
@given(text=texts, vocabulary=st.sampled_from(sorted(VOCABULARIES)))
def test_no_output_holds_a_tag(text: str, vocabulary: str) -> None:
    """Whatever the text does to put one together out of pieces."""
    names = VOCABULARIES[vocabulary]
    output = lower(filtered(CitationTagFilter(names), [text]))
    assert [name for name in names if lower(f"[{name}]") in output] == []


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.parametrize("vocabulary", sorted(VOCABULARIES))
def test_random_texts_in_random_chunks_show_at_each_chunk_what_the_plain_machine_shows(vocabulary: str) -> None:
    """As text and in parts by turns, through one object; where the seams lie does not depend on the chunks."""
    names = VOCABULARIES[vocabulary]
    rng = random.Random(vocabulary)
    tested, plain, whole = CitationTagFilter(names), PlainTagMachine(names), CitationTagFilter(names)
    for _ in range(250):
        chunks = ["".join(rng.choices(TOKENS, k=rng.choice((0, 1, 1, 2, 3, 12)))) for _ in range(rng.randrange(1, 7))]
        seen = [""]
        for chunk in chunks:
            expected = plain.feed(chunk)
            if rng.random() < 0.3:
                assert tested.feed(chunk) == expected, chunks
                break
            parts = tested._feed_parts(chunk)
            assert "".join(parts) == expected, chunks
            seen = joined(seen, parts)
        else:
            seen = joined(seen, tested._flush_parts())
            assert seen == joined(joined([""], whole._feed_parts("".join(chunks))), whole._flush_parts()), chunks
            plain.flush()
            assert seams(seen) == plain.seams, chunks
            continue
        assert tested.flush() == plain.flush(), chunks


# ------------------------------------------------------------------------------ failures seen in other filters


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_white_space_that_came_with_an_earlier_chunk_goes_with_its_tag() -> None:
    """A filter that shows the space at once cannot take it back."""
    assert filtered(CitationTagFilter(), ["The sky is blue ", "[semantic]", "."]) == "The sky is blue."
    assert filtered(CitationTagFilter(), ["blue", " ", "\t", " [semantic]."]) == "blue."


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_the_space_that_begins_a_chunk_after_a_tag_stays() -> None:
    """It separates the words that now meet."""
    assert filtered(CitationTagFilter(), ["blue [semantic]", " sky"]) == "blue sky"
    assert filtered(CitationTagFilter(), ["blue [semantic", "]", " ", "sky"]) == "blue sky"


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_the_line_break_before_a_tag_stays_in_any_chunks() -> None:
    """A line is not joined to the one before it because it begins with a tag."""
    assert filtered(CitationTagFilter(), ["one\n", "[semantic] two"]) == "one\n two"
    assert filtered(CitationTagFilter(), ["one", "\n[semantic]", "\ntwo"]) == "one\n\ntwo"


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_pieces_of_two_tags_do_not_make_a_third() -> None:
    """Deleting the inner one must not leave the outer one whole."""
    assert filtered(CitationTagFilter(), ["[sem[sem", "antic]", "antic]"]) == ""


@pytest.mark.requirement("KB-CIT-STREAM-2")
@pytest.mark.parametrize(
    "left", ["words ", "[sem", "[sem [sem", "[sem[sem[sem", "[sem[sem[sem[semantic]antic]antic", "a [x"]
)
def test_nothing_survives_a_flush(left: str) -> None:
    """A filter serves the next stream as if it were new."""
    used = CitationTagFilter()
    used.feed(left)
    used.flush()
    assert used.flush() == ""
    assert filtered(used, ["antic] ]", "ok [semantic]"]) == "antic] ]ok"


@pytest.mark.requirement("KB-CIT-TAG-4")
@pytest.mark.parametrize("text", ["[sem[sem[xsemantic]!", "[sem[sem[ semantic]!", "[sem[sem[[semanticx]]"])
def test_after_a_forced_release_only_the_bracket_of_a_tag_goes(text: str) -> None:
    """The end of the output is remembered as long as it may become a tag, and no longer."""
    assert shown(text) == text


@pytest.mark.requirement("KB-CIT-TAG-4")
@pytest.mark.parametrize("names", [SHORT, MANY])
def test_after_a_forced_release_a_name_with_another_bracket_stays(names: Sequence[str]) -> None:
    """What follows the first other character is read no more."""
    tested = CitationTagFilter(names)
    assert [tested.feed("[ab[ab[ab]]"), tested.feed("x?ab]"), tested.feed("[")] == ["[ab", "x?ab]", ""]
    assert [tested.feed("ab[ab[ab]]" + " " * 70), tested.feed("ab]")] == ["[ab" + " " * 6, " " * 64 + "ab]"]


@pytest.mark.requirement("KB-CIT-TAG-4")
def test_the_end_of_the_output_is_remembered_while_a_tag_comes_and_goes() -> None:
    """The half that was released meets its other half only then."""
    chunks = ["[sem[sem[semantic]antic]", "[sem", "antic]", "antic]", "!"]
    assert list(map(CitationTagFilter().feed, chunks)) == ["[sem", "", "", "antic", "!"]


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_a_name_in_what_is_no_tag_is_none() -> None:
    """Cut behind it, too."""
    assert filtered(CitationTagFilter(["a"]), ["[a", "bx]"]) == "[abx]"
    assert filtered(CitationTagFilter(["a"]), ["[", "abx] [a", "]"]) == "[abx]"


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.parametrize("name", DEFAULT_LAYER_NAMES)
def test_every_beginning_of_a_tag_at_the_end_of_a_chunk_is_held(name: str) -> None:
    """And shown as soon as it turns out to be something else."""
    for end in range(1, len(name) + 2):
        held = CitationTagFilter()
        assert held.feed(f"a [{name}"[: end + 2]) == "a"
        assert held.feed("!") == f" [{name}"[: end + 1] + "!"


# ---------------------------------------------------------------------------- the function, by two definitions


@pytest.mark.requirement("KB-CIT-STREAM-1")
@given(text=texts, vocabulary=st.sampled_from(sorted(VOCABULARIES)), cuts=st.lists(st.integers(0, 60), max_size=12))
def test_the_filter_shows_at_each_chunk_what_the_plain_machine_shows(
    text: str, vocabulary: str, cuts: list[int]
) -> None:
    """Not only in the end: the machine shows as early as can be, see below."""
    names = VOCABULARIES[vocabulary]
    tested, plain = CitationTagFilter(names), PlainTagMachine(names)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    for start, end in itertools.pairwise([0, *places]):
        assert tested.feed(text[start:end]) == plain.feed(text[start:end])
        assert len(plain.held) <= plain.bound
    assert tested.flush() == plain.flush()


@pytest.mark.requirement("KB-CIT-STREAM-1")
def test_every_short_text_agrees_with_the_plain_machine() -> None:
    """All texts of up to five pieces, each in one chunk, piece by piece, and character by character."""
    tested, plain = CitationTagFilter(SHORT), PlainTagMachine(SHORT)
    for size in range(6):
        for pieces in itertools.product(("[", "[b", "b]", "b", "]", "a", " "), repeat=size):
            text = "".join(pieces)
            expected = plain.feed(text) + plain.flush()
            assert filtered(tested, [text]) == expected, text
            assert filtered(tested, pieces) == expected, text
            assert filtered(tested, text) == expected, text


@pytest.mark.requirement("KB-CIT-STREAM-1")
@given(text=texts.map(lambda text: text * 8), size=st.integers(100, 600))
def test_long_chunks_agree_with_the_plain_machine(text: str, size: int) -> None:
    """They are split by one expression, which the machine does not know."""
    tested, plain = CitationTagFilter(SHORT), PlainTagMachine(SHORT)
    for start in range(0, len(text), size):
        chunk = text[start : start + size]
        assert tested.feed(chunk) == plain.feed(chunk)
    assert tested.flush() == plain.flush()


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.parametrize("names", [SHORT, [*SHORT, *(f"name {number}" for number in range(60))]], ids=len)
@pytest.mark.parametrize(
    "text",
    [
        "a [note] [ab\n[a[b",
        "[ab] x\n [a [b] y [A",
        "[AB] x [b] [ab] \n\n [a",
        "[a[a[a\n] b [a[a [",
        "x [é] [ab] [é\ty\n  [",
        "[ab][note]" * 3 + "\n[",
    ],
)
def test_a_long_chunk_that_ends_in_a_beginning_agrees_with_the_plain_machine(text: str, names: list[str]) -> None:
    """Only its last line is read by the machine."""
    tested, plain = CitationTagFilter(names), PlainTagMachine(names)
    for rest in ("", "b]", "]"):
        assert tested.feed(text) == plain.feed(text)
        assert tested.feed(rest) + tested.flush() == plain.feed(rest) + plain.flush()


@pytest.mark.requirement("KB-CIT-TAG-5")
@given(text=texts, vocabulary=st.sampled_from(["default", "short", "many", "é"]))
def test_without_a_forced_release_tags_are_deleted_until_none_is_left(text: str, vocabulary: str) -> None:
    """The idea and the machine are the same, and doing it twice changes nothing; no name here holds spaces at odds."""
    names = VOCABULARIES[vocabulary]
    machine = PlainTagMachine(names)
    machine.feed(text)
    if machine.was_forced:
        return
    output = filtered(CitationTagFilter(names), [text])
    assert output == without_tags(text, names)
    assert filtered(CitationTagFilter(names), [output]) == output


def test_the_two_definitions_part_where_a_release_is_forced() -> None:
    """Otherwise the comparison above would hold the machine against nothing."""
    text = "[ab[ab[ab]]]"
    machine = PlainTagMachine(["ab"])
    assert machine.feed(text) == "[ab"
    assert machine.was_forced
    assert without_tags(text, ["ab"]) == ""


# ------------------------------------------------------------------------------------------ latency and bounds


@pytest.mark.requirement("KB-CIT-STREAM-4")
@pytest.mark.parametrize("size", [1, 70, 1_000])
def test_a_name_may_have_any_length_and_the_longest_one_bounds_what_is_held(size: int) -> None:
    """Two frames are, each with its white space; what would come beside them releases the older one."""
    name = "x" * size
    one = CitationTagFilter([name])
    assert filtered(one, [f"a [{name}] b"]) == "a b"
    frame = " " * MAX_TAG_SPACE + f"[{name}"
    assert one.feed(frame * MAX_OPEN_TAGS) == ""
    assert one.feed(" ") == frame
    assert one.feed("]") == frame + " ]"
    assert one.feed(f"[{name}x") == f"[{name}x"
    assert one.flush() == ""


@pytest.mark.requirement("KB-CIT-STREAM-3")
def test_nothing_is_held_that_could_be_shown() -> None:
    """By brute force: what is shown is what the outputs of all continuations have in common."""
    for pieces in itertools.product(("[", "[a", "a]", "]", " ", "x"), repeat=3):
        assert_latency_optimal(lambda: CitationTagFilter(["a"]), "".join(pieces), ENDS, 2)


@pytest.mark.requirement("KB-CIT-STREAM-3")
@pytest.mark.parametrize("text", [" " * 66 + "[a", "[a" + " " * 66, "[a[a[a]a", "x [a" + " " * 64 + "[a", "[a[ [a]a"])
def test_nothing_is_held_that_could_be_shown_at_the_bounds(text: str) -> None:
    """The same where releases are forced."""
    assert_latency_optimal(lambda: CitationTagFilter(["a"]), text, ENDS, 2)


def most_held(text: str, names: Sequence[str]) -> int:
    """Most characters held at any time: what a character that begins nothing brings out after each beginning."""
    tested = CitationTagFilter(names)
    most = 0
    for end in range(len(text) + 1):
        tested.feed(text[:end])
        most = max(most, len(tested.feed("!")) - 1)
        tested.flush()
    return most


@pytest.mark.requirement("KB-CIT-STREAM-4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" " * 200, MAX_TAG_SPACE),
        ((" " * 64 + "[semantic") * 4, 2 * (MAX_TAG_SPACE + 9)),
        ((" " * 64 + "[prospective") * 2 + " " * 64, 2 * (MAX_TAG_SPACE + 12)),
        ("[" * 50, 2),
        ("[semanti" * 20, 16),
        ("[" + "x" * 100, 1),
    ],
)
def test_what_is_held_is_bounded(text: str, expected: int) -> None:
    """Two beginnings with their white space; the documented bound allows one more run of white space."""
    bound = MAX_OPEN_TAGS * (MAX_TAG_SPACE + len("[prospective]") - 1) + MAX_TAG_SPACE
    assert most_held(text, DEFAULT_LAYER_NAMES) == expected <= bound


@pytest.mark.requirement("KB-CIT-STREAM-4")
def test_white_space_beyond_the_bound_stays() -> None:
    """The 64 characters next to the tag go with it, the ones before are shown when the bound is reached."""
    assert shown("x" + " " * 70 + "[semantic]y") == "x" + " " * 6 + "y"
    tested = CitationTagFilter()
    assert tested.feed("x" + " " * 70) == "x" + " " * 6
    assert tested.feed(" ") == " "
    assert tested.feed("\t" * 64) == " " * 64
    assert tested.feed("[semantic]") == ""
    assert shown("[sem" + " " * 65 + "[semantic]antic]") == "[sem antic]"


@pytest.mark.requirement("KB-CIT-STREAM-4")
@pytest.mark.parametrize("text", ["[sem" * 5, "[sem [sem [sem ", " [sem" * 3 + " " * 65, "[[[sem"])
def test_a_forced_release_shows_the_oldest_beginning_first(text: str) -> None:
    """In the order in which it came, and once."""
    tested = CitationTagFilter()
    assert "".join([*map(tested.feed, text), tested.feed("!")]) == text + "!"


# ---------------------------------------------------------------------------------------------------- seams


@pytest.mark.requirement("KB-STR-SEAM-1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ["plain"]),
        ("", [""]),
        ("[Hand [semantic]book]", ["[Hand", "book]"]),
        ("[semantic]x", ["", "x"]),
        ("x[semantic]", ["x", ""]),
        ("x [semantic] [working]y", ["x", "y"]),
        ("[sem[semantic]x", ["[sem", "x"]),
        ("[sem[semantic] x", ["[sem", " x"]),
        ("[s[semantic]e[working]m!", ["[s", "e", "m!"]),
        ("[sem[semantic]antic]!", ["", "!"]),
        ("a[sem[sem[semantic]antic]antic]]!", ["a[sem", "antic", "!"]),
        ("[sem[semantic][sem[semantic][sem!", ["[sem", "[sem", "[sem!"]),
        ("[sem[semantic]" + " " * 65 + "!", ["[sem", " " * 65 + "!"]),
        ("x" + " " * 70 + "[semantic]y", ["x" + " " * 6, "y"]),
        ("[s[working]emantic] [q!", ["", " [q!"]),
    ],
)
def test_a_seam_lies_where_something_was_deleted(text: str, expected: list[str]) -> None:
    """In short chunks and in long ones; the filter after this one must not read across it."""
    tested = CitationTagFilter()
    assert tested._feed_parts(text) == expected
    assert tested._flush_parts() == []
    long = tested._feed_parts("." * 100 + text)
    assert long == ["." * 100 + expected[0], *expected[1:]]


@pytest.mark.requirement("KB-STR-SEAM-1")
@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        (["x [sem", "antic]", "y"], [["x"], ["", ""], ["y"]]),
        (["[sem[semantic]", "!"], [[], ["[sem", "!"]]),
        (["x ", "[semantic", "] y"], [["x"], [""], ["", " y"]]),
        (["[sem[sem[", "semantic]", "antic]", "antic]]", "!"], [["[sem"], [], ["", ""], ["antic", ""], ["!"]]),
    ],
)
def test_a_seam_is_told_with_the_chunk_that_makes_it_certain(chunks: list[str], expected: list[list[str]]) -> None:
    """And not before what lies left of it."""
    tested = CitationTagFilter()
    assert [tested._feed_parts(chunk) for chunk in chunks] == expected


@pytest.mark.requirement("KB-STR-SEAM-1")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("x ", [" "]), ("x [sem", [" ", ""]), ("x [sem ", [" [sem "]), ("x", []), ("[s[semantic]e ", ["[s", "e "])],
)
def test_the_end_tells_its_seams_too(text: str, expected: list[str]) -> None:
    """What was dropped as unfinished leaves one."""
    tested = CitationTagFilter()
    tested._feed_parts(text)
    assert tested._flush_parts() == expected


@given(text=texts, cuts=st.lists(st.integers(0, 60), max_size=6))
def test_parts_put_together_are_the_output(text: str, cuts: list[int]) -> None:
    """For every chunk, and where the seams lie does not depend on the chunks."""
    tested, plain = CitationTagFilter(SHORT), PlainTagMachine(SHORT)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    seen: list[str] = [""]
    for start, end in itertools.pairwise([0, *places]):
        parts = tested._feed_parts(text[start:end])
        assert "".join(parts) == plain.feed(text[start:end])
        seen = joined(seen, parts)
    seen = joined(seen, tested._flush_parts())
    plain.flush()
    assert seams(seen) == plain.seams
    assert seen == joined(joined([""], tested._feed_parts(text)), tested._flush_parts())


def seams(parts: list[str]) -> list[int]:
    """Where in the text the seams between its parts lie."""
    return list(itertools.accumulate(map(len, parts[:-1])))


def joined(parts: list[str], more: list[str]) -> list[str]:
    """Parts and what comes after them; seams that meet are one."""
    if not more:
        return parts
    middle = parts[-1] + more[0]
    if not middle and len(parts) > 1 and len(more) > 1:
        return [*parts[:-1], *more[1:]]
    return [*parts[:-1], middle, *more[1:]]


@pytest.mark.requirement("KB-STR-SEAM-2")
@pytest.mark.parametrize(
    ("parts", "expected", "rest"),
    [
        (["a ", "b"], ["a ", "b"], []),
        (["[Hand", "book]"], ["[Hand", "book]"], []),
        (["x [sem", "antic] y"], ["x", " y"], []),
        (["x [sem", "i"], ["x [sem", "i"], []),
        (["", "x"], ["", "x"], []),
        (["x", ""], ["x", ""], []),
        (["x ", ""], ["x"], [" ", ""]),
        (["x [s", "e"], ["x"], [" ", ""]),
        (["x [s", " "], ["x"], [" [s", " "]),
        (["[sem[se", "m[x"], ["[sem[se", "m[x"], []),
        (["[sem[s", "e", "m[x"], ["[sem[s", "e", "m[x"], []),
        (["x ", " " * 70 + "semantic]"], ["x ", " " * 70 + "semantic]"], []),
        (["[sem[sem[semantic]antic]", "antic]"], ["[sem", "antic", ""], []),
        (["x"], ["x"], []),
        ([], [], []),
    ],
)
def test_seams_of_the_filter_before_are_carried_on(parts: list[str], expected: list[str], rest: list[str]) -> None:
    """A tag is one across a seam; a seam beside white space that is held is told when that is shown."""
    tested = CitationTagFilter()
    assert tested._pass_parts(parts) == expected
    assert tested._flush_parts() == rest
    assert tested.feed("x") == "x"


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.requirement("KB-CIT-NAMES-1")
@pytest.mark.parametrize("bad", ["semantic", "", b"semantic", None, 5])
def test_names_that_are_no_sequence_are_refused(bad: Any) -> None:
    """A bare string would be read as one name for each of its characters."""
    with pytest.raises(BridgeContractError) as caught:
        CitationTagFilter(bad)
    assert (caught.value.rule, caught.value.value) == ("KB-CIT-NAMES-1", bad)
    assert isinstance(caught.value, ValueError)
    assert "one name for each of its characters" in str(caught.value)


@pytest.mark.requirement("KB-CIT-NAMES-2")
@pytest.mark.parametrize("empty", [(), [], frozenset(), iter(())])
def test_no_names_are_refused(empty: Iterable[str]) -> None:
    """Such a filter would remove nothing."""
    with pytest.raises(BridgeContractError) as caught:
        CitationTagFilter(empty)
    assert caught.value.rule == "KB-CIT-NAMES-2"


@pytest.mark.requirement("KB-CIT-NAMES-3")
@pytest.mark.parametrize(
    "bad",
    [
        "",
        "[",
        "]",
        "a]",
        "a\nb",
        "a\r",
        "\x00",
        "\t",
        "a\x1f",
        "\x7f",
        "\x85",
        "\x9f",
        "\u2028",
        "\u2029",
        1,
        None,
        b"a",
    ],
)
def test_what_cannot_stand_in_a_tag_is_refused(bad: Any) -> None:
    """Alone or among others; the error holds the culprit."""
    for names in ([bad], ["semantic", bad], (name for name in ("a", bad, "b"))):
        with pytest.raises(BridgeContractError) as caught:
            CitationTagFilter(names)
        assert (caught.value.rule, caught.value.value) == ("KB-CIT-NAMES-3", bad)


@pytest.mark.requirement("KB-CIT-NAMES-1")
def test_any_iterable_of_names_will_do() -> None:
    """Names may hold spaces, letters beyond ASCII and signs of regular expressions; the same name twice is one."""
    names = ["long term", "é", "a.b*", "^", "long term", "LONG TERM", "\ud800"]
    text = "1 [long term]2 [é]3 [É]4 [a.b*]5 [axb]6 [^]7 [\ud800]8"
    for given_names in (names, tuple(names), iter(names), dict.fromkeys(names)):
        assert filtered(CitationTagFilter(given_names), [text]) == "123 [É]45 [axb]678"

    class Name(str):
        __slots__ = ()

    assert filtered(CitationTagFilter([Name("a")]), ["x [a]"]) == "x"


def test_the_published_constants() -> None:
    """Vocabulary and bounds are part of the promise."""
    assert DEFAULT_LAYER_NAMES == ("semantic", "episodic", "procedural", "working", "prospective")
    assert (MAX_TAG_SPACE, MAX_OPEN_TAGS) == (64, 2)


@pytest.mark.requirement("KB-STR-TEXT-1")
@pytest.mark.parametrize("bad", [b"x", None, 3, ["x"], bytearray(b"[")])
@pytest.mark.parametrize("before", ["", "a ", "a [sem", "[sem[sem[sem", "[sem[semantic]"])
@pytest.mark.parametrize("method", ["feed", "_feed_parts"])
def test_what_is_no_text_is_refused_and_changes_nothing(bad: Any, before: str, method: str) -> None:
    """The stream can go on."""
    tested, other = CitationTagFilter(), CitationTagFilter()
    assert tested.feed(before) == other.feed(before)
    with pytest.raises(BridgeTypeError) as caught:
        getattr(tested, method)(bad)
    assert (caught.value.rule, caught.value.value) == ("KB-STR-TEXT-1", bad)
    assert isinstance(caught.value, TypeError)
    assert "Remedy: decode bytes first" in str(caught.value)
    assert tested.feed("antic]. ") + tested.flush() == other.feed("antic]. ") + other.flush()


@pytest.mark.requirement("KB-STR-TEXT-1")
def test_text_of_a_subclass_is_text() -> None:
    """Its characters count, not what it says of itself; what is shown is plain."""

    class Loud(str):
        __slots__ = ()

        def isalnum(self) -> bool:
            return True

        def __str__(self) -> str:
            return "LOUD"

    output = CitationTagFilter().feed(Loud("a [semantic]b"))
    assert (output, type(output)) == ("ab", str)


# ---------------------------------------------------------------------------------------- large vocabularies


@pytest.mark.requirement("KB-CIT-TAG-1")
@pytest.mark.parametrize("size", [49, 50, 51, 10_000])
def test_vocabularies_of_any_size_give_the_same(size: int) -> None:
    """Beyond fifty names tags are found in another way."""
    names = [f"layer-{number}" for number in range(size)]
    rng = random.Random(size)
    pieces = [
        "word",
        " ",
        "[layer-0]",
        "[Layer-48]",
        "[layer-x]",
        "[lay",
        "[link](x)",
        "[]",
        "[" * 3,
        f"[layer-{size}]",
    ]
    text = "".join(rng.choices(pieces, k=400))
    expected = PlainTagMachine(names[:49])
    assert filtered(CitationTagFilter(names), [text]) == expected.feed(text) + expected.flush()


@pytest.mark.requirement("KB-CIT-STREAM-1")
@pytest.mark.parametrize("held", ["[", "[sem", "[sem ", "[sem[sem[sem", " ", "[sem[semantic]"])
@pytest.mark.parametrize("size", [48, 49, 200])
def test_a_long_chunk_goes_on_with_what_is_held(held: str, size: int) -> None:
    """Whether it settles it, or is itself held to the end."""
    for more in ("[" * size, "antic] " + "x" * size, " " * size, "x" * size, "[sem[semantic]antic]" * (size // 20 + 1)):
        tested, plain = CitationTagFilter(), PlainTagMachine(DEFAULT_LAYER_NAMES)
        for chunk in (held, more, "antic]antic]]"):
            assert tested.feed(chunk) == plain.feed(chunk)
        assert tested.flush() == plain.flush()


def run_slowly(feed: Callable[[str], str], text: str) -> str:
    """One character at a time."""
    return "".join(map(feed, text))


@pytest.mark.requirement("KB-CIT-STREAM-4")
@pytest.mark.parametrize("line", [" " * 8_192, "[" * 8_192, "[semanti" * 1_024, "[sem[semantic]" * 585, "\t[" * 4_096])
def test_hostile_lines_come_through_in_one_chunk_and_in_many(line: str) -> None:
    """The same output, and a filter that can go on."""
    tested = CitationTagFilter()
    whole = tested.feed(line) + tested.flush()
    assert run_slowly(tested.feed, line) + tested.flush() == whole
    plain = PlainTagMachine(DEFAULT_LAYER_NAMES)
    assert plain.feed(line) + plain.flush() == whole


@pytest.mark.parametrize("begun", ["[sem", "[sem [", "[sem[", "x  ", "[sem[semantic]", "[[[sem", "[[[semantic"])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(begun: str, copied: Callable[[CitationTagFilter], CitationTagFilter]) -> None:
    """In the middle of a stream; neither shows or loses what the other one is fed."""
    for end in ("antic]", "semantic]antic]!", "x", " ]", ""):
        one, fresh = CitationTagFilter(), CitationTagFilter()
        assert one.feed(begun) == fresh.feed(begun)
        twin = copied(one)
        expected = fresh.feed(end) + fresh.flush()
        assert twin.feed("x[ y[") + twin.flush() is not None
        assert one.feed(end) + one.flush() == expected
        twin = CitationTagFilter()
        twin.feed(begun)
        other = copied(twin)
        twin.feed("[working] [")
        assert other.feed(end) + other.flush() == expected


def test_a_copy_keeps_what_a_subclass_has() -> None:
    """Attributes and slots, as other copies do: the same objects."""

    class Slotted(CitationTagFilter):
        __slots__ = ("mark",)
        mark: str

    class Named(Slotted):
        note: object

    one = Named(["a"])
    one.mark, one.note = "m", [1]
    one.feed("x [")
    twin = copy.copy(one)
    assert type(twin) is Named
    assert (twin.mark, twin.note is one.note) == ("m", True)
    assert twin.feed("a]!") + twin.flush() == "!"
    assert one.feed("!") + one.flush() == " [!"
