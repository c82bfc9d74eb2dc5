"""Markdown, reStructuredText and plain text: source kept, headings known."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symfonic.adapters.knowledge.extractors.markup import MarkdownExtractor, RestructuredTextExtractor
from symfonic.adapters.knowledge.extractors.plain import PlainTextExtractor
from symfonic.adapters.knowledge.ports import ExtractionError


def markdown(text: str) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of every section."""
    extraction = MarkdownExtractor().extract(text.encode(), name="a.md")
    return [(section.headings, section.text) for section in extraction.sections]


def rst(text: str) -> list[tuple[tuple[str, ...], str]]:
    """Headings and text of every section."""
    extraction = RestructuredTextExtractor().extract(text.encode(), name="a.rst")
    return [(section.headings, section.text) for section in extraction.sections]


@pytest.mark.requirement("EX-MD-1")
def test_markdown_is_cut_at_its_headings() -> None:
    """ATX and setext headings, closed or not, nested by level."""
    text = "before\n\n# One #\na\n\nTwo\n---\nb\n\n### Three\nc\n\nOther\n=====\nd\n"
    assert markdown(text) == [
        ((), "before\n\n"),
        (("One",), "# One #\na\n\n"),
        (("One", "Two"), "Two\n---\nb\n\n"),
        (("One", "Two", "Three"), "### Three\nc\n\n"),
        (("Other",), "Other\n=====\nd\n"),
    ]


@pytest.mark.requirement("EX-MD-1")
@pytest.mark.parametrize(
    "text",
    [
        "```sh\n# comment\n```\n",
        "~~~~\n# comment\n```\n~~~\n# still\n~~~~\n",
        "- item\n\n  ```sh\n# ends the item\n".replace("# ends the item", "  # comment"),
        "1. item\n\n   - ```\n     # comment\n     ```\n",
        "> ```\n> # comment\n> ```\n",
        "    # indented code\n",
        "#no space\n",
        "####### seven\n",
        "<!-- \n# hidden\n-->\n",
        "<pre>\n# shell\n</pre>\n",
        "<!-- one line --> text\n",
        "- item\n---\n",
        "\n---\n\ntext\n",
        "| a | b |\n---\n",
        "```unclosed\n# code to the end\n",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    """Code, comments, rules and tables."""
    assert markdown(text) == [((), text)]


def test_a_fence_ends_with_the_item_or_quote_that_holds_it() -> None:
    """What follows is text again, as CommonMark has it."""
    assert markdown("- ```\n  code\n\n# Out\n") == [((), "- ```\n  code\n\n"), (("Out",), "# Out\n")]
    assert markdown("> ```\n> code\n# Out\n") == [((), "> ```\n> code\n"), (("Out",), "# Out\n")]


def test_inline_backticks_open_no_fence() -> None:
    """An info string holds no backtick."""
    assert markdown("``` not `code` ```\n# Yes\n")[1][0] == ("Yes",)


@pytest.mark.requirement("EX-MD-1")
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "front",
    [
        "---\ntags: [a, b]\n---\n",
        "---\ntags:\n- a\n- b\n\n# note\n'q': |\n  ---\n  # no heading\n...\n",
        "---\nshown: {\n  a: 1\n}\n---\n",
        "--- \n---\n",
        '+++\n# note\ntags = [\'a\']\n[more]\ntext = """\nTitle\n---\n"""\n+++\n',
        "+++\n+++\n",
        "+++\n[more]\ntitle = 'of the table'\n+++\n",
    ],
)
def test_front_matter_is_left_out(front: str, end: str, start: str) -> None:
    """YAML and TOML, with any line ends and a byte order mark, with and without a blank line behind it."""
    for body in ("# H\nbody\n", "\n# H\nbody\n"):
        found = markdown(start + (front + body).replace("\n", end))
        assert "".join(text for _, text in found) == body
        assert found[-1] == (("H",), "# H\nbody\n")


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: Time off\nx: y\n---\n", "Time off"),
        ('---\nx: y\ntitle:  "A: b"  \n---\n', "A: b"),
        ("---\ntitle: Plain # a comment\n---\n", "Plain"),
        ("---\ntitle: >\n  folded\n---\n", ""),
        ("---\nsubtitle: S\n---\n", ""),
        ("+++\ntitle = 'Time off'\n+++\n", "Time off"),
        ("+++\n[x]\ntitle = 'T'\n+++\n", ""),
        ("---\ntitle: " + "x" * 500 + "\n---\n", "x" * 159 + "…"),
    ],
)
def test_a_title_in_front_matter_is_a_heading(front: str, title: str) -> None:
    """It stands above all others, unless the text has one of the first level."""
    over = (title,) if title else ()
    assert markdown(f"{front}text\n## S\nmore\n") == [(over, "text\n"), ((*over, "S"), "## S\nmore\n")]
    assert markdown(f"{front}text\n# H\n") == [((), "text\n"), (("H",), "# H\n")]


@pytest.mark.parametrize(
    "text",
    [
        "---\nno end: here\n",
        "+++\nno = 'end'\n",
        "---\n\nNote: between two breaks.\n\n---\n",
        "---\n\n---\n",
        "***\na: b\n***\n",
        "\n---\n\na: b\n\n---\n",
        " ---\n\na: b\n\n---\n",
        "----\na: b\n\n----\n",
        "+++\nwords\n+++\n",
        "text\n\n---\n\na: b\n\n---\n",
    ],
)
def test_a_thematic_break_is_no_front_matter(text: str) -> None:
    """Nothing of it is lost."""
    assert "".join(part for _, part in markdown(text)) == text


def test_prose_between_breaks_stays() -> None:
    """A line that is no entry of a mapping makes the whole a text; Markdown then sees a heading over its dashes."""
    text = "---\nOnly words, and: these\nstand here\n---\nx\n"
    assert markdown(text) == [((), "---\n"), (("Only words, and: these stand here",), text[4:])]


def test_a_file_of_front_matter_alone_is_empty() -> None:
    """There is nothing a reader would see."""
    with pytest.raises(ExtractionError) as caught:
        markdown("---\ntitle: T\n---\n\n")
    assert caught.value.code == "empty"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# `code` and **bold** _it_", "code and bold it"),
        ('# [Text](http://a.b/c "t") [ref][1]', "Text ref"),
        ("# [![Badge](http://i)](http://l) Name", "Badge Name"),
        ("# Title <a name='x'></a>", "Title"),
        ("# Title {#anchor}", "Title"),
        ("# snake_case_name", "snake_case_name"),
        (r"# C\# 1\*", "C# 1*"),
        ("#", ""),
        ("# " + "x" * 500, "x" * 159 + "…"),
    ],
)
def test_a_heading_is_its_words(line: str, title: str) -> None:
    """Labels show words, not markup, on one line of bounded length."""
    assert markdown(f"{line}\n\nbody")[0][0] == ((title,) if title else ())


def test_a_setext_heading_may_have_several_lines() -> None:
    """The whole paragraph is underlined."""
    assert markdown("One\ntwo\n===\nbody") == [(("One two",), "One\ntwo\n===\nbody")]


@pytest.mark.requirement("EX-RST-1")
def test_rst_levels_follow_the_order_of_their_adornments() -> None:
    """Any character, with or without an overline."""
    text = "====\nTop\n====\n\nA\n-\n\na\n\nDeep\n~~~~\n\nd\n\nB\n-\n\n====\nNext\n====\nn\n"
    assert [path for path, _ in rst(text)] == [("Top",), ("Top", "A"), ("Top", "A", "Deep"), ("Top", "B"), ("Next",)]
    assert "".join(part for _, part in rst(text)) == text


@pytest.mark.requirement("EX-RST-1")
@pytest.mark.parametrize(
    "text",
    [
        "text\n\n----\n\nmore\n",
        "Example::\n\n  Title\n  =====\n",
        "Long title\n==\n",
        "====  ====\na     b\n====  ====\n1     2\n====  ====\n",
        "two lines\nof text\n-------\n",
        "====\nUnclosed\n\n",
    ],
)
def test_rst_adornments_elsewhere_are_no_titles(text: str) -> None:
    """Transitions, literal blocks, tables."""
    assert rst(text) == [((), text)]


def test_rst_titles_lose_their_roles() -> None:
    """What a reader of the built page would see."""
    assert rst(":ref:`Word <target>` and ``code``\n=================================\n")[0][0] == ("Word and code",)


def test_plain_text_is_one_section() -> None:
    """A number sign is a number sign."""
    extraction = PlainTextExtractor().extract(b"# 1\n\ntext", name="a.txt")
    assert [(part.text, part.headings, part.page) for part in extraction.sections] == [("# 1\n\ntext", (), None)]


@pytest.mark.parametrize("extractor", [MarkdownExtractor(), RestructuredTextExtractor(), PlainTextExtractor()])
def test_a_blank_file_is_empty(extractor: PlainTextExtractor) -> None:
    """Only white space: nothing that could be found."""
    with pytest.raises(ExtractionError) as caught:
        extractor.extract(b" \n\t\n", name="a")
    assert caught.value.code == "empty"


ALPHABET = st.text(alphabet="ab #=-~`>\n\t.:|", max_size=80)


@pytest.mark.requirement("EX-ALL-1")
@given(ALPHABET.filter(str.strip))
def test_sections_joined_are_the_text(text: str) -> None:
    """No character is lost or moved, whatever the markup; only front matter, between its fences, is left out."""
    assert "".join(part for _, part in markdown(f"a\n{text}")) == f"a\n{text}"
    assert "".join(part for _, part in rst(text)) == text


@pytest.mark.parametrize(
    "unit", ["# a\n", "a\n=\n", "```\nx\n```\n", "<!--\n", "a\n", "> ```\n", "- - - ", "[", "<", "*", "\\", "`"]
)
def test_time_grows_with_the_text_only(unit: str) -> None:
    """A hundred thousand characters of anything, in time that a quadratic scan would not keep."""
    text = (unit * (100_000 // len(unit))).encode()
    start = time.process_time()
    for extractor in (MarkdownExtractor(), RestructuredTextExtractor()):
        extractor.extract(b"# " + text, name="a")
    assert time.process_time() - start < 5
