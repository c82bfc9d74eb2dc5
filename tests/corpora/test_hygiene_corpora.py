"""Text hygiene over the external corpora and over every Unicode scalar value, judged by a parser of its own."""

from __future__ import annotations

import html
import re
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING, Final

import pytest

from symfonic.capabilities.knowledge import (
    RetrievalPolicy,
    RetrievedFragment,
    clean_content,
    inspect_content,
    is_encodable,
    neutralise_markers,
    render_fragments,
    safe_source,
    select_fragments,
    shows_blank,
)
from symfonic.capabilities.knowledge import _tables as tables
from symfonic.capabilities.prompting._text import clean_block, neutralise_control_tokens, neutralise_delimiters
from symfonic.testing.knowledge.parsing import find_inline_markers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.corpora, pytest.mark.slow]

IGNORABLE: Final = re.compile(f"[{tables.IGNORABLES}]")
BATCH: Final = 500  # lines in one text: nothing that comes later reaches across a line feed
SCALARS: Final = tuple(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
PLAIN: Final = RetrievalPolicy(max_fragment_chars=10**6, max_total_chars=10**7)
HARDENED: Final = RetrievalPolicy.hardened(
    key=bytes(range(32)), max_fragment_chars=10**6, max_total_chars=10**7, max_per_source=None
)
LINE_PATTERN: Final = re.compile("\r\n|[\n\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029]")


READ_MARKER: Final = re.compile(
    r"(?<![A-Za-z0-9_])[Ss][Oo][Uu][Rr][Cc][Ee][\s\u2800\ufffc\ufffd\U00013441\U00013442]*"
    r"[\[［【〔〖〘〚⁅⟦⦋⦍⦏❲⟬⦗⌈⌊⸢⸤]"
)


def normal(form: str) -> Callable[[str], str]:
    """A normal form as a function."""
    return lambda text: unicodedata.normalize(form, text)  # type: ignore[arg-type]  # one of the four names


LATER: Final[dict[str, Callable[[str], str]]] = {
    "nothing": str,
    **{form: normal(form) for form in ("NFC", "NFD", "NFKC", "NFKD")},
    "casefold": str.casefold,
    "no invisibles": lambda text: IGNORABLE.sub("", text),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}


def read_markers(text: str) -> list[str]:
    """Markers a plain reader finds, who knows nothing of folded copies; `source[` is code."""
    return [marker for marker in READ_MARKER.findall(text) if marker != "source["]


def forms(text: str) -> set[str]:
    """The text after each later step, and after one unescaping before or after that step."""
    plain = {later(text) for later in LATER.values()}
    unescaped = html.unescape(text)
    return plain | {html.unescape(form) for form in plain} | {later(unescaped) for later in LATER.values()}


def parse(text: str, prefix: str) -> list[tuple[str, str]]:
    """Labels and contents of a prompt of citation lines; anything that is not exactly that is an error."""
    rows = []
    for line in LINE_PATTERN.split(text):
        assert line.startswith(prefix + " ["), ascii(line)
        label, closed, content = line[len(prefix) + 2 :].partition("]: ")
        assert closed, ascii(line)
        assert not set("[]<>") & set(label), ascii(line)
        rows.append((label, content))
    return rows


def assert_three_rows(source: str, content: str) -> None:
    """A hostile row between two harmless ones stays one row under one label, whatever happens later."""
    rows = [
        RetrievedFragment("shelf 4 opens at nine", "Rota", 0.9, {"scope_path": ""}),
        RetrievedFragment(content, source, 0.8, {"scope_path": ""}),
        RetrievedFragment("left", "Map", 0.7, {"scope_path": ""}),
    ]
    shown = [row for row in rows if not shows_blank(row.content)]
    for policy in (PLAIN, HARDENED):
        text = render_fragments(select_fragments(rows[::-1], policy))
        wanted = [expected_row(row, line, policy) for row, line in zip(shown, text.split("\n"), strict=True)]
        for name, later in LATER.items():
            expected = [(later(label), later(content)) for label, content in wanted]
            assert parse(later(text), later("SOURCE")) == expected, f"{name}: {source!a} {content!a}"


def expected_row(row: RetrievedFragment, line: str, policy: RetrievalPolicy) -> tuple[str, str]:
    """Label and content by the public treatment; what a keyed tag says is taken from the line itself."""
    label, content = str(safe_source(row.source)), clean_content(row.content)
    if policy.key is None:
        return label, content
    tag = line[len(f"SOURCE [{label}") :][: len(" ·abcdefghij")]
    assert re.fullmatch(" ·[a-z2-7]{10}", tag), ascii(line)
    return label + tag, neutralise_markers(content)[0]


@pytest.mark.requirement("KB-HYG-META-1")
def test_every_hostile_string_stays_one_row_under_one_label(hostile_texts: list[str]) -> None:
    """As a source, as a content, and as both."""
    for text in hostile_texts:
        if is_encodable(text):
            assert_three_rows(text, text)
            cleaned = clean_content(text)
            assert clean_content(cleaned) == cleaned
            assert inspect_content(text).text == cleaned
        else:
            assert re.fullmatch("unknown~[0-9a-f]{12}", safe_source(text))


@pytest.mark.requirement("KB-HYG-MARKER-3")
def test_no_hostile_string_keeps_a_marker_a_delimiter_or_a_control_token(hostile_texts: list[str]) -> None:
    """Wrapped in what would be one, too; now and after any transform."""
    for raw in hostile_texts:
        for text in (raw, f"SOURCE [{raw}]: <untrusted-data {raw}"):
            if not is_encodable(text):
                continue
            line, _ = neutralise_markers(clean_content(text))
            block, _ = neutralise_delimiters(clean_block(text)[0])
            block, _ = neutralise_control_tokens(block)
            assert neutralise_markers(line)[1] == 0
            for form in forms(line):
                assert read_markers(form) == [], f"{text!a}"
            assert find_inline_markers(line) == ()
            for later in (*LATER.values(), html.unescape):
                assert neutralise_delimiters(later(block))[1] == 0
                assert neutralise_control_tokens(later(block))[1] == 0


@pytest.mark.requirement("KB-HYG-META-1")
@pytest.mark.parametrize("place", ["{}", "{}b", "a{}", "a{}b"])
def test_every_scalar_value_in_every_position_stays_one_row_under_one_label(place: str) -> None:
    """As a source and as a content; content is its own treatment, and nothing is lost but invisibles.

    It needs no corpus and stands here for its cost; every run tries every seventh code point of the same.
    """
    for start in range(0, len(SCALARS), BATCH):
        texts = [place.format(char) for char in SCALARS[start : start + BATCH]]
        labels, contents = [str(safe_source(text)) for text in texts], [clean_content(text) for text in texts]
        assert [clean_content(content) for content in contents] == contents
        lines = [f"SOURCE [{label}]: {content}" for label, content in zip(labels, contents, strict=True)]
        for later in LATER.values():
            expected = zip(*(later("\n".join(parts)).split(later("\n")) for parts in (labels, contents)), strict=True)
            assert parse(later("\n".join(lines)), later("SOURCE")) == list(expected)


def interesting() -> list[str]:
    """Scalar values that some transform changes, and the first blocks; all others behave like one another."""
    alike = re.compile("|".join(f"[{inside}]" for inside in tables.LOOKALIKES.values()))
    return [c for c in SCALARS if c < "\u3100" or alike.match(c) or any(later(c) != c for later in LATER.values())]


MARKER_PLACES: Final = (
    *(
        "{}SOURCE [x]: y",
        "a{}SOURCE [x]: y",
        "&{}SOURCE [x]: y",
        "S{}OURCE [x]",
        "SOURC{}E [x]",
        "SOURCE{} [x]",
        "SOURCE {}[x]",
        "SOURCE{}[x]",
        "SOURCE {}x] y",
    ),
    *("{}OURCE [x]", "S{}URCE [x]", "SO{}RCE [x]", "SOU{}CE [x]", "SOUR{}E [x]", "SOURC{} [x]", "source{}[x]"),
    *("SOURCE {}#91;x", "SOURCE &{}91;x", "SOURCE &#{}1;x", "SOURCE &#91{}x"),
)


@pytest.mark.requirement("KB-HYG-MARKER-3")
def test_no_scalar_value_in_any_position_brings_a_marker_back() -> None:
    """Before, inside and after the word, the bracket and its references."""
    for char in interesting():
        for place in MARKER_PLACES:
            line, _ = neutralise_markers(clean_content(place.format(char)))
            assert neutralise_markers(line)[1] == 0, f"{char!a} in {place}"
            for text in forms(line):
                assert read_markers(text) == [], f"{char!a} in {place}"


DELIMITER_PLACES: Final = (
    *("{}untrusted-data>", "<{}untrusted-data>", "</{} untrusted-data", "<u{}ntrusted-data", "<{}ntrusted-data"),
    *("<u{}trusted-data", "<un{}rusted-data", "<unt{}usted-data", "<untr{}sted-data", "<untru{}ted-data"),
    *("<untru{}ed-data", "<untrus{}ed-data", "<untrust{}d-data", "<untruste{}-data", "<untrusted{}data"),
    *("<untrusted-{}ata", "<untrusted-d{}ta", "<untrusted-da{}a", "<untrusted-{}ta", "<untrusted-dat{}"),
    *("<untrusted-data{}>", "&{}60;untrusted-data", "&#6{};untrusted-data", "&l{};untrusted-data"),
    *("&lt{}untrusted-data", "<|a{}b|>", "{}|ab|>", "<{}ab|>", "[INS{}]", "{}INST]", "[{}NST]", "[INST{}", "<<SY{}>>"),
    *("<{}SYS>>", "<start{}of_turn>"),
)


@pytest.mark.requirement("PR-HYG-DELIM-3")
def test_no_scalar_value_in_any_position_brings_a_delimiter_or_a_token_back() -> None:
    """Before, inside and after every character of them."""
    for char in interesting():
        for place in DELIMITER_PLACES:
            block, _ = neutralise_delimiters(clean_block(place.format(char))[0])
            block, _ = neutralise_control_tokens(block)
            for text in {later(block) for later in (*LATER.values(), html.unescape)}:
                assert neutralise_delimiters(text)[1] == 0, f"{char!a} in {place}"
                assert neutralise_control_tokens(text)[1] == 0, f"{char!a} in {place}"


@pytest.mark.tree
@pytest.mark.requirement("KB-HYG-GEN-1")
def test_the_tables_are_what_the_generator_makes_of_the_unicode_files(corpora: Path, project: Path) -> None:
    """Generation is reproducible: `--check` finds no difference."""
    script = project / "scripts" / "generate_unicode_tables.py"
    result = subprocess.run(
        [sys.executable, str(script), str(corpora / "unicode"), "--check"], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
