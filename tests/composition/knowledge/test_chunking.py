"""Passages: never too large, nothing cut that fits, nothing lost."""

from __future__ import annotations

import gc
import sys
import time
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.ports import Chunk, Extraction, Extractor, Section, retrieved_text
from symfonic.capabilities.knowledge import safe_source, shows_blank
from symfonic.composition.knowledge._sentences import sentences
from symfonic.composition.knowledge.chunking import Chunking, ChunkPolicy, chunk_extraction, passage_label

if TYPE_CHECKING:
    from collections.abc import Iterable

SMALL = ChunkPolicy(max_chars=60, target_chars=40)


def cut(
    text: str, kind: str = "markdown", policy: ChunkPolicy | None = SMALL, headings: tuple[str, ...] = ()
) -> Chunking:
    """Passages of one section."""
    extraction = Extraction(kind=kind, sections=(Section(text=text, headings=headings),))
    return chunk_extraction(extraction, file="f", policy=policy)


def texts(text: str, kind: str = "markdown", policy: ChunkPolicy | None = SMALL) -> list[str]:
    """What of them is stored and shown."""
    return [retrieved_text(chunk.text) for chunk in cut(text, kind, policy).visible]


# -------------------------------------------------------------------------------------------------------- sentences


@pytest.mark.requirement("IN-CHUNK-2")
@pytest.mark.parametrize(
    "parts",
    [
        ["One. ", "Two! ", "Three? ", "Four… ", "Five."],
        ["Dr. Smith paid 3.5 USD, e.g. in the U.S. market. ", "He left."],
        ["J. R. R. Tolkien wrote it. ", "It was I. ", "Then he slept."],
        ['"Really?" he asked. ', '"Yes!" ', "(He nodded.) ", "So be it."],
        ["See Fig. 3 and No. 5 in vol. 210. ", "It ended in 1990. ", "Then came 1991."],
        ["Acme Inc. sells cables. ", "They moved to Acme Ltd. ", "Then they stopped."],
        ["Am 3. Oktober war z. B. Feiertag, d. h. frei. ", "„Gut.“ ", "Er ging usw. ", "Ende."],
        ["これは文です。", "次の文！？", "「引用です。」と彼は言った。", "終わり"],
        ["वह गया। ", "वह आया।"],
        ["هل جاء؟ ", "نعم."],
        ["Wait... what? ", "No..."],
        ["example.org/a.b?c=d is a path, v1.2.3 a version. ", "Done."],
        ["Line\nbreaks are. no ends.\n", "Next."],
        ["no stop at all"],
    ],
)
def test_sentences_end_where_sentences_end(parts: list[str]) -> None:
    """Abbreviations, initials, numbers, quotations, scripts."""
    assert list(sentences("".join(parts))) == parts


@given(st.text(alphabet='aA1 .!?…。」"\n', max_size=60))
def test_sentences_joined_are_the_text(text: str) -> None:
    """Whatever the punctuation."""
    assert "".join(sentences(text)) == text


# ------------------------------------------------------------------------------------------------------------ units


@pytest.mark.requirement("IN-CHUNK-2")
def test_sentences_are_not_cut() -> None:
    """A passage ends between two of them."""
    assert texts("Aaaa bbbb cccc dddd. Eeee ffff gggg hhhh. Iiii jjjj kkkk llll mmmm.") == [
        "Aaaa bbbb cccc dddd.",
        "Eeee ffff gggg hhhh.",
        "Iiii jjjj kkkk llll mmmm.",
    ]


def test_a_sentence_between_target_and_ceiling_is_a_passage() -> None:
    """The target is an aim, the ceiling is a promise."""
    sentence = "A sentence of fifty characters, which is too long."
    assert texts(f"Short one here. {sentence} Short two here.") == ["Short one here.", sentence, "Short two here."]


def test_paragraphs_are_preferred_places_to_part() -> None:
    """A paragraph that still fits the next passage is not begun in this one."""
    assert texts("One two three. Four five six.\n\nSeven eight nine. Ten eleven.") == [
        "One two three. Four five six.",
        "Seven eight nine. Ten eleven.",
    ]


@pytest.mark.requirement("IN-CHUNK-2")
@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        ("markdown", "```py\nx. Y = 1\n\nz. Z = 2\n\nlast = 3. A\n```"),
        ("html", "````\nx. Y = 1\n```\nz. Z = 2\n````"),
        ("markdown", "~~~\nx. Y = 1\n\nz. Z = 2 and so on.\n~~~"),
        ("markdown", "    indented. Code = 1\n\n    more. Code = 2"),
        ("markdown", "- item one. With two sentences\n  and a line."),
        ("markdown", "- item\n\n  ```\n  code. Here\n\n  more. Code\n  ```"),
        ("markdown", "- ```\n  a. B\n\n  c. D and some more\n  ```"),
        ("markdown", "3) item. Also\n\n   second paragraph. Here."),
        ("markdown", "| a cell. With | two sentences. Here | 12345 |"),
        ("markdown", "a | b\n--|--"),
        ("rst", ".. code-block:: py\n\n  x. Y = 1\n\n  z. Z = 2 = 3"),
        ("rst", "- item::\n\n    code. Here\n\n    more. Code"),
        ("rst", "- item\n\n  .. code::\n\n    code. X\n\n    more. Y"),
        ("rst", "+------+-------+\n| a. B | c. D  |\n+------+-------+"),
        ("rst", "======  ======\na. B    c. D\n        more\n======  ======"),
        ("text", "• bullet. With sentences.\n  And a second line. Yes."),
        ("docx", "```\nx. Y = 1\n\nz. Z = 2\n```"),
        ("eml", "```\nx. Y = 1\n\nz. Z = 2\n```"),
        ("epub", "- item one. With two sentences\n  and a line."),
        *(
            (kind, "| a cell. With | two sentences. Here |")
            for kind in ("pptx", "xlsx", "xls", "ods", "csv", "tsv", "eml")
        ),
    ],
)
def test_units_are_not_cut_if_they_fit(kind: str, unit: str) -> None:
    """Code, items and rows stand whole in one passage, wherever they come."""
    assert len(unit) <= SMALL.max_chars
    for before in ("Words before, to move it about. ", "Words before it all. " * 2, "Word. " * 5):
        chunking = cut(f"{before}\n\n{unit}\n\nWords after. And more. " + "End. " * 8, kind)
        assert sum(unit in chunk.text for chunk in chunking.chunks) == 1, [chunk.text for chunk in chunking.chunks]
        assert chunking.oversized_units == 0


def test_rst_literal_blocks_are_code() -> None:
    """The paragraph that announces them is not."""
    code = "    x. Y = 1\n\n    z. Z = 2 and some more code"
    assert texts(f"Words to announce it, and more::\n\n{code}\n\nAfter.", "rst")[1].startswith(code)
    assert texts("Not literal::\nbecause it goes on. Here it ends now.\n\n  A quotation.", "rst") == [
        "Not literal::\nbecause it goes on.",
        "Here it ends now.\n\n  A quotation.",
    ]


def test_rst_text_after_two_colons_that_is_not_indented_is_text() -> None:
    """The promise of a literal block was not kept."""
    assert texts("Note::\n\nBut not indented. So it is text, is it not.", "rst") == [
        "Note::\n\nBut not indented.",
        "So it is text, is it not.",
    ]


def test_rst_tables_are_cut_between_rows() -> None:
    """Rows of several lines stay together."""
    head, rows = "| a1 | a2 |\n| a3 | a4 |", "| b1 | b2 |\n| b3 | b4 |"
    grid = f"+----+----+\n{head}\n+====+====+\n{rows}\n+----+----+\n| c1 | c2 |\n+----+----+"
    assert texts(grid, "rst", ChunkPolicy(50, 48)) == [
        "+----+----+\n| a1 | a2 |\n| a3 | a4 |\n+====+====+",
        "| b1 | b2 |\n| b3 | b4 |\n+----+----+",
        "| c1 | c2 |\n+----+----+",
    ]
    after_a_simple_one = texts(f"==  ==\nA   B\n==  ==\n1   2\n==  ==\n\n{grid}", "rst", ChunkPolicy(50, 48))
    assert after_a_simple_one[-3:] == texts(grid, "rst", ChunkPolicy(50, 48))
    simple = "===  ===\nA    B\n===  ===\na1   b1\n     b2\na2   b3\n\n===  ===\n\nAfter the table."
    assert texts(simple, "rst", ChunkPolicy(30, 30)) == [
        "===  ===\nA    B\n===  ===",
        "a1   b1\n     b2",
        "a2   b3\n\n===  ===",
        "After the table.",
    ]


def test_pipe_tables_keep_their_head_together() -> None:
    """The row of dashes stays with the row above it, with or without outer pipes."""
    rows = "".join(f"row {number} | value\n" for number in range(4))
    assert texts("name | what\n---- | ----\n" + rows) == [
        "name | what\n---- | ----\nrow 0 | value",
        "row 1 | value\nrow 2 | value",
        "row 3 | value",
    ]


@pytest.mark.parametrize("kind", ["text", "pdf", "eml"])
def test_a_rule_of_tildes_begins_no_code_where_people_know_of_no_fences(kind: str) -> None:
    """What follows it would be cut at lines."""
    text = "~~~~~~~~~~\n" + "Words that go on. " * 3
    assert cut(text, kind).oversized_units == 0
    assert cut(text, "html").oversized_units == 1


@pytest.mark.parametrize("text", ["chapter\n3. It goes on. Here.", "a dash\n- so it seems - goes on."])
def test_a_wrapped_line_is_no_list_item(text: str) -> None:
    """In text and PDF a number at the head of a line may be the sentence's own."""
    assert texts(text, "pdf") == [text]


# ---------------------------------------------------------------------------------------------------------- ceiling


@pytest.mark.requirement("IN-CHUNK-3")
def test_a_unit_above_the_ceiling_is_cut_at_lines_and_counted() -> None:
    """Then the lines that are still too long at white space."""
    code = "```\n" + "line of code\n" * 8 + "```"
    chunking = cut(code)
    assert chunking.oversized_units == 1
    assert all(line in {"```", "line of code"} for chunk in chunking.chunks for line in chunk.text.splitlines())
    sentence = "word " * 30 + "end."
    chunking = cut(sentence)
    assert chunking.oversized_units == 1
    assert [len(chunk.text) for chunk in chunking.chunks] == [60, 60, 34]


@pytest.mark.requirement("IN-CHUNK-3")
def test_an_item_above_the_ceiling_is_cut_at_its_parts() -> None:
    """Its fence stays whole."""
    chunking = cut("- Item one here. It is long. Very long.\n\n  ```\n  a\n\n  b\n  ```\n\n  And more words here.\n")
    assert chunking.oversized_units == 1
    assert any("```\n  a\n\n  b\n  ```" in chunk.text for chunk in chunking.chunks)


@pytest.mark.requirement("IN-CHUNK-3")
@pytest.mark.parametrize(
    "unit", ["e\u0301\u0302", "👨\u200d👩\u200d👧\u200d👦", "👍🏽", "🇩🇪", "कि", "🏴\U000e0067\U000e0062\U000e007f"]
)
def test_no_cut_falls_inside_a_visible_character(unit: str) -> None:
    """Not at any ceiling."""
    for size in range(len(unit) + 2, len(unit) + 14):
        pieces = texts(unit * 40, "text", ChunkPolicy(size, size))
        assert "".join(pieces) == unit * 40
        assert all(len(piece) % len(unit) == 0 for piece in pieces)


def test_a_flood_of_marks_is_cut_nevertheless() -> None:
    """The ceiling is the stronger promise."""
    pieces = texts("e" + "\u0301" * 500, "text", ChunkPolicy(100, 100))
    assert [len(piece) for piece in pieces] == [100, 100, 100, 100, 100, 1]


def test_a_line_end_is_not_cut() -> None:
    """CRLF is one."""
    assert texts("abcdefghi\r\n" * 3, "text", ChunkPolicy(10, 10)) == ["abcdefghi"] * 3
    assert exact("abcdefghi\r\n" * 2, ChunkPolicy(10, 10)) == ["abcdefghi", "\r\n"] * 2


# ------------------------------------------------------------------------------------------------------------ seams


def exact(text: str, policy: ChunkPolicy, kind: str = "text") -> list[str]:
    """All passages, character by character."""
    return [chunk.text for chunk in cut(text, kind, policy).chunks]


@pytest.mark.requirement("IN-CHUNK-5")
@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("Aaaa bbbb. \n\n\tCccc dddd. \n", ["Aaaa bbbb. \n\n", "\tCccc dddd. \n"]),
        ("\n \n  Aaaa bbbb.", ["\n \n  Aaaa bbbb."]),
        ("\u200b\n\nAaaa bbbb.\n\n\u2800\n\nCccc dddd.", ["\u200b\n\nAaaa bbbb.\n\n\u2800\n\n", "Cccc dddd."]),
        ("Aaaaaaaaaaaaaaaaa a.\n\nBbbbbbbbb.", ["Aaaaaaaaaaaaaaaaa a.", "\n\nBbbbbbbbb."]),
        ("Aaaaaaaaaaaaaaaaa a.\n\nBbbbbbbbbbbbbbbbb b.", ["Aaaaaaaaaaaaaaaaa a.", "\n\n", "Bbbbbbbbbbbbbbbbb b."]),
        ("Aaaa bbbb." + "\n" * 45 + "Cccc dddd.", ["Aaaa bbbb." + "\n" * 10, "\n" * 20, "\n" * 15, "Cccc dddd."]),
        ("Aaaa bbbb." + "\n" * 18 + "Cccc dddd.", ["Aaaa bbbb." + "\n" * 10, "\n" * 8 + "Cccc dddd."]),
        ("Aaaa bbbb." + "\n" * 45, ["Aaaa bbbb." + "\n" * 10, "\n" * 20, "\n" * 15]),
    ],
)
def test_what_shows_nothing_stands_where_there_is_room(text: str, passages: list[str]) -> None:
    """Behind what shows, else before it; by itself only where neither has room, and then it is not stored."""
    assert exact(text, ChunkPolicy(20, 10)) == passages
    stored = cut(text, "text", ChunkPolicy(20, 10)).visible
    assert [chunk.text for chunk in stored] == [passage for passage in passages if passage.strip()]
    assert [chunk.ordinal for chunk in stored] == [at for at, passage in enumerate(passages) if passage.strip()]


@pytest.mark.requirement("IN-CHUNK-1")
def test_a_page_that_shows_nothing_ends_the_passage_before_it() -> None:
    """Whose place is that of what shows; before the first page that shows something it begins that one."""
    parts = tuple(Section(text=text, page=number) for number, text in enumerate(("\n", "Two.\n", " \n", "Four."), 1))
    chunking = chunk_extraction(Extraction(kind="pdf", sections=parts), file="a.pdf")
    assert [(chunk.text, chunk.label) for chunk in chunking.chunks] == [
        ("\nTwo.\n \n", "a.pdf p. 2"),
        ("Four.", "a.pdf p. 4"),
    ]


@pytest.mark.requirement("IN-CHUNK-1")
def test_a_document_that_shows_nothing_is_passages_nobody_stores() -> None:
    """Of an extraction without text there are none."""
    chunking = cut(" \n\u200b", "text")
    assert ([chunk.text for chunk in chunking.chunks], chunking.visible) == ([" \n\u200b"], ())
    assert chunk_extraction(Extraction(kind="text", sections=()), file="f").chunks == ()


# --------------------------------------------------------------------------------------------------------- headings


def sectioned(*sections: tuple[str, tuple[str, ...]], kind: str = "markdown") -> list[tuple[str, str, str]]:
    """Text, label and heading path of the passages of several sections."""
    parts = tuple(Section(text=text, headings=headings) for text, headings in sections)
    chunking = chunk_extraction(Extraction(kind=kind, sections=parts), file="doc/f.md", policy=SMALL)
    assert "".join(chunk.text for chunk in chunking.chunks) == "".join(text for text, _ in sections)
    return [(retrieved_text(chunk.text), chunk.label, chunk.heading) for chunk in chunking.chunks]


@pytest.mark.requirement("IN-CHUNK-4")
def test_a_heading_begins_a_passage_and_labels_it() -> None:
    """Even where the passage before had room."""
    assert sectioned(("Intro.\n\n", ()), ("# A\n\nBody.\n", ("A",)), ("## B\nMore.\n", ("A", "B"))) == [
        ("Intro.", "doc/f.md", ""),
        ("# A\n\nBody.", "doc/f.md § A", "A"),
        ("## B\nMore.", "doc/f.md § B", "A > B"),
    ]


@pytest.mark.requirement("IN-CHUNK-4")
def test_a_heading_stays_with_what_follows() -> None:
    """A sentence or unit above the target joins it, if the ceiling allows."""
    unit = "```\n" + "x" * 38 + "\n```"
    assert sectioned((f"# Title\n\n{unit}\n", ("Title",)))[0][0] == f"# Title\n\n{unit}"
    sentence = "S" + "entence" * 6 + "."
    assert sectioned((f"Title\n=====\n{sentence} Next.\n", ("Title",)))[0][0].startswith(f"Title\n=====\n{sentence}")
    too_long = "```\n" + "x" * 50 + "\n```"
    assert [text for text, _, _ in sectioned((f"# Title\n\n{too_long}\n", ("Title",)))] == ["# Title", too_long]


@pytest.mark.requirement("IN-CHUNK-4")
def test_a_heading_without_text_leads_its_first_subsection() -> None:
    """And stands alone where there is none."""
    assert sectioned(("# A\n\n", ("A",)), ("## B\n\nBody.\n", ("A", "B")), ("# C\n", ("C",)), ("# D\n", ("D",))) == [
        ("# A\n\n## B\n\nBody.", "doc/f.md § B", "A > B"),
        ("# C", "doc/f.md § C", "C"),
        ("# D", "doc/f.md § D", "D"),
    ]


def test_a_heading_longer_than_half_the_ceiling_is_text() -> None:
    """It is cut like any other."""
    title = "Long heading " * 6
    assert all(len(text) <= 60 for text, _, _ in sectioned((f"# {title}\n\nBody.\n", (title.strip(),))))


def test_pages_are_labelled_by_number() -> None:
    """A heading, where known, is the better label."""
    parts = (
        Section(text="One.", page=1),
        Section(text="Two.", page=12),
        Section(text="H\nThree.", page=13, headings=("H",)),
    )
    chunking = chunk_extraction(Extraction(kind="pdf", sections=parts), file="a.pdf")
    assert chunking.chunks == (
        Chunk(text="One.", label="a.pdf p. 1", ordinal=0, page=1),
        Chunk(text="Two.", label="a.pdf p. 12", ordinal=1, page=12),
        Chunk(text="H\nThree.", label="a.pdf § H", ordinal=2, page=13, heading="H"),
    )


def place(heading: str | None = None, page: int | None = None) -> Section:
    """A section with that heading or page."""
    return Section(text="x", headings=() if heading is None else ("Above", heading), page=page)


@pytest.mark.requirement("IN-CHUNK-7")
@pytest.mark.parametrize(
    ("file", "section", "label"),
    [
        ("policy.md", place("Refunds.md"), "policy.md § Refunds.md"),
        ("policy.md § Refunds.md", place(), r"policy.md \§ Refunds.md"),
        (r"policy.md \§ Refunds.md", place(), r"policy.md \\§ Refunds.md"),
        ("policy.md", place("§ H"), "policy.md § § H"),
        ("policy.md §", place("H"), r"policy.md \§ § H"),
        ("policy.md § A", place("B"), r"policy.md \§ A § B"),
        ("policy.md", place("A § B"), "policy.md § A § B"),
        ("a.pdf", place(page=3), "a.pdf p. 3"),
        ("a.pdf p. 3", place(), r"a.pdf \p. 3"),
        ("a.pdf p. 3 p.", place(page=4), r"a.pdf \p. 3 p. p. 4"),
        ("RFC 7231 §5.3.txt", place(), "RFC 7231 §5.3.txt"),
        ("Letter to p. Miller §§ 3.txt", place(), "Letter to p. Miller §§ 3.txt"),
        (r"plain \ backslash.txt", place(), r"plain \ backslash.txt"),
    ],
)
def test_a_files_name_cannot_imitate_a_place(file: str, section: Section, label: str) -> None:
    """Signs of a place inside the file's own name get a backslash, ordinary names stay as they are."""
    assert passage_label(file, section) == label


@pytest.mark.requirement("IN-CHUNK-7")
@pytest.mark.parametrize(
    ("file", "section", "kind", "label"),
    [
        ("deck.pptx", place(page=3), "pptx", "deck.pptx slide 3"),
        ("deck.pptx", place("Title", page=3), "pptx", "deck.pptx slide 3"),
        ("deck.pptx", place("Title"), "pptx", "deck.pptx § Title"),
        ("deck.pdf", place(page=3), "pdf", "deck.pdf p. 3"),
        ("deck slide 3", place(), "pptx", r"deck \slide 3"),
        ("deck slide 3", place(page=3), "pptx", r"deck \slide 3 slide 3"),
        ("About slide 3 of it.pptx", place(page=3), "pptx", "About slide 3 of it.pptx slide 3"),
        ("Lecture slide 3.pdf", place(page=3), "pdf", "Lecture slide 3.pdf p. 3"),
        ("book.xlsx", Section(text="x", headings=("Sheet1",)), "xlsx", "book.xlsx § Sheet1"),
    ],
)
def test_a_slide_is_cited_by_its_number_and_a_sheet_by_its_name(
    file: str, section: Section, kind: str, label: str
) -> None:
    """A title of a slide may stand on many; a file that is named like a slide gets a backslash."""
    assert passage_label(file, section, kind=kind) == label


_BITS = st.lists(
    st.sampled_from(["a", " ", "§", " § ", "p.", " p. 3", "slide", " slide 3", "3", "\\", "."]), max_size=7
).map("".join)
_PAGES = st.sampled_from([3, 33]).map(lambda page: place(page=page))
_PLACES = st.one_of(
    st.tuples(st.one_of(st.just(place()), _BITS.map(place)), st.just("")),
    st.tuples(_PAGES, st.sampled_from(["", "pptx"])),
)


@pytest.mark.requirement("IN-CHUNK-7")
@given(_BITS, _PLACES, _BITS, _PLACES)
def test_different_places_never_share_a_label(
    one: str, here: tuple[Section, str], other: str, there: tuple[Section, str]
) -> None:
    """Files and headings may be anybody's; as raw names and as the labels that are shown."""
    same = (one, here) == (other, there)
    labels = passage_label(one, here[0], kind=here[1]), passage_label(other, there[0], kind=there[1])
    assert (labels[0] == labels[1]) == same
    if not any(shows_blank(label) for label in labels):
        assert (safe_source(labels[0]) == safe_source(labels[1])) == same


def test_a_few_last_words_join_the_passage_before() -> None:
    """If the ceiling allows."""
    assert texts("Aaaa bbbb cccc dddd eeee ffff gggg. Hhhh.\n") == ["Aaaa bbbb cccc dddd eeee ffff gggg. Hhhh."]


# ------------------------------------------------------------------------------------------------------- properties


@pytest.mark.requirement("IN-CHUNK-5")
@pytest.mark.parametrize("text", ["", " \n\t\n", "\u200b\ufeff", "\u2800\n\u3164", "\u00ad" * 3, "\ufe0f"])
def test_what_shows_nothing_makes_no_passage(text: str) -> None:
    """White space, invisible characters, blank letters."""
    assert texts(text, "text") == []


def test_what_the_boundary_would_drop_as_blank_makes_no_passage() -> None:
    """Every code point alone: both sides agree."""
    characters = (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF)
    blank = "".join(character for character in characters if shows_blank(character))
    assert len(blank) > 25
    assert texts("\n".join(blank), "text") == []


PIECES = st.sampled_from(
    ["word ", "Sentence ends. ", "\n", "\n\n", "- item ", "```", "```\n", "| a | b |", "    ", "1. ", "# h", "::", "..",
     "=== ===", "+--+--+", "e\u0301", "。", "> ", "\t", "x" * 70, "--- | ---", ".. code::", "👨\u200d👩"]
)  # fmt: skip


@pytest.mark.requirement("IN-CHUNK-1")
@given(
    st.lists(PIECES, max_size=40).map("".join),
    st.sampled_from(["markdown", "rst", "html", "text", "pdf"]),
    st.integers(1, 80),
    st.integers(1, 80),
)
def test_nothing_is_too_large_and_nothing_is_lost(text: str, kind: str, one: int, other: int) -> None:
    """At any sizes: every passage fits, and the passages hold the text's characters in their order."""
    policy = ChunkPolicy(max_chars=max(one, other), target_chars=min(one, other))
    passages = exact(text, policy, kind)
    assert "".join(passages) == text
    assert all(0 < len(passage) <= policy.max_chars for passage in passages)
    for before, passage in pairwise(passages):
        lead = passage[: len(passage) - len(passage.lstrip())] if not shows_blank(passage) else passage
        # Only what the passage before has no room for begins with a line end, or shows nothing at all.
        assert len(before) + len(lead) > policy.max_chars or not ("\n" in lead or shows_blank(passage))
    assert passages == exact(text, policy, kind)


_SECTIONS = st.tuples(
    st.lists(st.sampled_from(["word ", "# A\n", "\n", " ", "\u200b", "Ends. ", "| a |\n", "x" * 30]), max_size=9).map(
        "".join
    ),
    st.sampled_from([(), ("A",), ("A", "B"), ("C",)]),
    st.sampled_from([None, 1, 2]),
)


@pytest.mark.requirement("IN-CHUNK-1")
@given(st.lists(_SECTIONS, max_size=6), st.sampled_from(["markdown", "pptx", "xlsx", "pdf"]), st.integers(1, 60))
def test_passages_of_a_document_joined_are_its_text(
    sections: list[tuple[str, tuple[str, ...], int | None]], kind: str, ceiling: int
) -> None:
    """Whatever its sections hold, and each passage is labelled by what it shows."""
    parts = tuple(Section(text=text, headings=headings, page=page) for text, headings, page in sections)
    chunking = chunk_extraction(Extraction(kind=kind, sections=parts), file="f", policy=ChunkPolicy(ceiling, ceiling))
    assert "".join(chunk.text for chunk in chunking.chunks) == "".join(text for text, _, _ in sections)
    assert [chunk.ordinal for chunk in chunking.chunks] == list(range(len(chunking.chunks)))
    assert all(0 < len(chunk.text) <= ceiling for chunk in chunking.chunks)
    places = {(passage_label("f", part, kind=kind), " > ".join(part.headings), part.page) for part in parts}
    assert {(chunk.label, chunk.heading, chunk.page) for chunk in chunking.chunks} <= places


@st.composite
def known_units(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A Markdown text and the units it was made of."""
    text, units = "", []
    for number in range(draw(st.integers(1, 12))):
        kind, size = draw(st.sampled_from("SFRIH")), draw(st.integers(1, 12))
        words = " ".join(f"Word{number}x{part}" for part in range(size))
        made = {
            "S": [f"{words} ends.", f"{words} also ends!"],
            "F": ["```py\n" + "\n\n".join(f"c{number}_{part} = 1. X" for part in range(size)) + "\n```"],
            "R": [f"| r{number} {part}. A | {words[:60]} |" for part in range(size)],
            "I": [f"- i{number} {part}. A {words[:80]}\n  more. Lines {number} {part}" for part in range(size)],
            "H": [f"## Head{number}"],
        }[kind]
        text += (" " if kind == "S" else "\n").join(made) + "\n\n"
        units += made
    return text, units


@pytest.mark.requirement("IN-CHUNK-2")
@given(known_units(), st.integers(120, 900), st.integers(60, 900))
def test_no_unit_that_fits_is_ever_cut(made: tuple[str, list[str]], ceiling: int, target: int) -> None:
    """At any sizes and in any company."""
    text, units = made
    extraction = MarkdownExtractor().extract(text.encode(), name="a.md")
    chunking = chunk_extraction(extraction, file="f", policy=ChunkPolicy(ceiling, min(ceiling, target)))
    fitting = [unit for unit in units if len(unit) <= ceiling]
    assert [unit for unit in fitting if not any(unit in chunk.text for chunk in chunking.chunks)] == []
    assert bool(chunking.oversized_units) == (len(fitting) < len(units))


@pytest.mark.parametrize("sizes", [(0, 0), (10, 11), (True, 1), (10.0, 5), ("10", 5), (10, 0)])
def test_sizes_that_make_no_sense_are_refused(sizes: tuple[int, int]) -> None:
    """Where they are declared."""
    with pytest.raises(ValueError, match="characters"):
        ChunkPolicy(*sizes)


@pytest.mark.requirement("IN-CHUNK-6")
@pytest.mark.parametrize(
    ("unit", "kind"),
    [
        ("word ", "text"),
        ("\n", "rst"),
        ("a", "markdown"),
        (".", "text"),
        (". ", "text"),
        ("```\nx\n```\n", "markdown"),
        ("- x\n", "markdown"),
        ("| a ", "markdown"),
        ("-|", "html"),
        ("a::\n\n  b\n\n", "rst"),
        ("e\u0301\u0301\u0301", "text"),
        (" ", "markdown"),
        ("\u200b", "text"),
        ("x\n\n\u200b\n\n", "text"),
        ("= ", "rst"),
        ("。", "text"),
    ],
)
def test_time_grows_with_the_text_only(unit: str, kind: str) -> None:
    """Five times the text takes about five times as long, never twenty-five times."""

    def seconds(size: int) -> float:
        text = "x" + unit * (size // len(unit))
        gc.disable()  # a collection walks everything other tests left in memory
        try:
            start = time.process_time()
            cut(text, kind, ChunkPolicy())
            return time.process_time() - start
        finally:
            gc.enable()

    allowed = 12 * max(min(seconds(40_000), seconds(40_000)), 0.004)
    assert any(seconds(200_000) < allowed for _ in range(2))  # the second time only where the first one was disturbed


_PREFIXES = (
    "", "a|b\n", "a | b\n--|--\n", "- x\n", "x\n", "x::\n\n  ", "+--+\n", "=== ===\na\n", "```\n", "> ", "# ", "# [",
)  # fmt: skip
_UNITS = (
    *' \t-=|#*_`[+.x\\>:"!\u2003', "- ", "= ", "| ", "-|", ":-", "* ", "_ ", "](", "<a ", "+-", "1", "1.", ". ", "x ",
    "> ", "\n ", "\n\n", "# x\n", "x\n=\n",
)  # fmt: skip
_SUFFICIENT = 0.075  # seconds of processor time for 8,000 characters, several times what they take


@pytest.mark.slow
@pytest.mark.requirement("IN-CHUNK-6")
@pytest.mark.parametrize("prefix", _PREFIXES, ids=ascii)
@pytest.mark.parametrize("extractor", [MarkdownExtractor(), RestructuredTextExtractor()], ids=["markdown", "rst"])
def test_no_repeated_unit_takes_more_than_its_share(extractor: Extractor, prefix: str) -> None:
    """After any first line: a line of one unit that fails at its end, extracted and cut."""

    def seconds(unit: str, size: int) -> float:
        data = f"{prefix}{unit * (size // len(unit))}x|\n".encode()
        start = time.process_time()
        chunk_extraction(extractor.extract(data, name="a"), file="f")
        return time.process_time() - start

    suspects = [unit for unit in _UNITS if seconds(unit, 8_000) > _SUFFICIENT]
    for unit in suspects:
        allowed = 8 * max(min(seconds(unit, 4_000) for _ in range(3)), 0.004)
        assert any(seconds(unit, 16_000) < allowed for _ in range(3)), repr(unit)


# ---------------------------------------------------------------------------------- the same on every interpreter


def digest(parts: Iterable[str]) -> str:
    """One number for many passages, their borders included."""
    hashed = sha256()
    for part in parts:
        data = part.encode()
        hashed.update(len(data).to_bytes(8, "big") + data)
    return hashed.hexdigest()


def scalars(last: int, first: int = 1) -> list[str]:
    """Every character from one code point to another but surrogates, line ends and NUL."""
    return [chr(code) for code in range(first, last + 1) if not 0xD800 <= code <= 0xDFFF and code not in {10, 13}]


@pytest.mark.requirement("IN-CHUNK-8")
@pytest.mark.parametrize(
    ("kind", "first", "last", "context", "expected"),
    [
        ("text", 1, sys.maxunicode, "{0} ", "074e5ec7a01b1d937660c1d664a95a6ec657a5988be4305a8a50e471109d8b5f"),
        (
            "text",
            1,
            0xFFFF,
            "Ab.{0}Cd. {0}f usw. {0} No. {0}. {0}. X ",
            "4b67bedb2936a809e67324b620613abbe278eecba8fe4783a9c66e5235e6fde5",
        ),
        (
            "text",
            0x10000,
            0x1FFFF,
            "Ab. {0}f {0}. X ",
            "a96748cd078ac9c406899671efa615526ef9cfce13841caf14d9e0666e22fa93",
        ),
        (
            "markdown",
            1,
            0xFFFF,
            "{0}\n\n({0}) a\n{0}- b\n    {0}\n\n{0}| c\n",
            "c850c0416c8f292fd42a2ca92f5a8f072fa365713383d389f73b6a19cf36e3fe",
        ),
        (
            "rst",
            1,
            0xFFFF,
            "{0}::\n\n  a {0}\n\n{0}=== ===\n{0}\n\n",
            "dd38b509801bcfac268f4a2d8716a15b2c8e8c9062293e36d2a871e7e5317dee",
        ),
    ],
    ids=["all", "sentences", "higher", "lines", "rst"],
)
def test_passages_are_the_same_on_every_interpreter(
    kind: str, first: int, last: int, context: str, expected: str
) -> None:
    """Each interpreter has a Unicode of its own; none of it decides where a passage ends."""
    passages = texts(
        "".join(context.format(character) for character in scalars(last, first)), kind, ChunkPolicy(400, 200)
    )
    assert digest(passages) == expected


@pytest.mark.requirement("IN-CHUNK-8")
def test_headings_are_the_same_on_every_interpreter() -> None:
    """Of Markdown and reStructuredText: their words, their labels and the text they lead."""
    words = scalars(0x10FFF)
    lines = ["".join(f"a_{c}_b{c}_ " for c in words[at : at + 60]) for at in range(0, len(words), 60)]
    both = (
        (MarkdownExtractor(), "".join(f"# {line}\n\nx\n\n" for line in lines)),
        (RestructuredTextExtractor(), "".join(f"{line}\n====\n\nx\n\n" for line in lines)),
    )
    cuts = [chunk_extraction(extractor.extract(text.encode(), name="a"), file="f") for extractor, text in both]
    found = digest(
        part
        for cut in cuts
        for chunk in cut.visible
        for part in (retrieved_text(chunk.text), chunk.label, chunk.heading)
    )
    assert found == "763db382656a43e1edd302fc68c4a8bd6e4f52d29a0dfd27a5cd404dd0fe391d"
