"""The compiler's share of text hygiene: what happens to untrusted text between its delimiters.

Rules of this module:

* Untrusted text keeps the lines a bridge rendered; every form of line break becomes one line feed. Hidden characters
  are treated as everywhere (`_invisibles`, `_tables`).
* Nothing in the text may look like the compiler's delimiter or like a control token of a chat template, in any spelling
  that a normal form, case folding, removal of invisibles or one HTML unescape would turn into one. The bracket or angle
  becomes a parenthesis, visibly; ordinary brackets and angles stay.
* Citation markers are no business of the compiler: genuine citation lines reach it as untrusted text.
* Order of use: `clean_block` first (removal of invisibles joins neighbours), then the two neutralisers in any order.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from . import _tables as tables
from ._first_look import LEADING_MARK, delimiter_candidate, needs_no_cleaning, token_candidate
from ._folding import neutralised, places, spelled
from ._invisibles import REPLACEMENT, SUSPICIOUS, Action, find_runs, mark_floods, replace_floods, treat_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ._folding import Folded

DOTTED_CIRCLE = "\u25cc"

_OTHER_BREAK = re.compile(f"[{tables.OTHER_BREAKS}]")


@cache
def _notable() -> re.Pattern[str]:
    """Whatever needs a closer look; a large class, so it is compiled when it is first needed, not on import."""
    return re.compile(f"[^{tables.ORDINARY}]")


_PRIVATE_USE = re.compile(f"[{tables.PRIVATE_USE}]+")
# The same set as on the knowledge side: neither may drop what the other shows.
_VISIBLE = re.compile(
    f"[^ {tables.SPACES}{tables.LINE_BREAKS}{SUSPICIOUS}{tables.BIDI_MARKS}{tables.IGNORABLES}{tables.BLANKS}]"
)
_SPACE_RUN = re.compile(f"[ {tables.SPACES}]+")


@cache
def _in_gap() -> re.Pattern[str]:
    """What joins words and is no letter or digit; compiled when it is first needed, not on import."""
    return re.compile(f"[^{tables.LETTERS_AND_DIGITS}]")


@cache
def _delimiter_name() -> re.Pattern[str]:
    """The name of the delimiter in any spelling; compiled when it is first needed, not on import."""
    # What joins the two words may end where the second one starts: letters on black ground are symbols by category.
    return re.compile(f"{spelled('untrusted')}[^{tables.LETTERS_AND_DIGITS}]+{spelled('data')}")


# On the folded copy, so in lower case. Names between bars: ChatML, Llama 3, Phi, Cohere, Granite, DeepSeek.
_CONTROL_TOKEN = re.compile(
    r"<\|[^\s<>|]++\|>"
    r"|<</?sys>>"
    r"|\[/?(?:inst|system_prompt|available_tools|tool_calls|tool_results|tool_content|args|call_id)\]"
    r"|</?(?:(?:start|end)_of_(?:turn|image|audio)|bos|eos|pad|unk|(?:bos|eos|pad)_token|unused[0-9]++"
    r"|tool_calls?|tool_responses?|think|fim_(?:prefix|middle|suffix|pad)|(?:begin|end)_of_(?:text|sentence))>"
)
_SENTENCE_TOKEN = re.compile("</?s>")


def clean_block(text: str) -> tuple[str, Mapping[str, int]]:
    """Untrusted text as it may stand in a block: its lines kept, hidden characters gone.

    Every form of line break becomes one line feed each (CRLF is one form); mark floods, invisible and control
    characters are treated as in a citation line; U+25CC goes before a combining mark at the very start, which would
    otherwise join what stands before the text. Idempotent and linear.

    Returns:
        The text and the number of characters treated, by kind. A line feed that stays is not counted; `private-use`
        counts characters that are kept, `leading-mark` the circle put in front.
    """
    plain = str.__str__(text)
    if needs_no_cleaning(plain):
        return plain, {}
    lines, breaks = _OTHER_BREAK.subn("\n", plain.replace("\r\n", "\n"))
    breaks += plain.count("\r\n")
    counts = {"line-break": breaks} if breaks else {}
    if not _notable().search(lines):
        return lines, counts
    for kind, characters in _treated(lines):
        counts[kind] = counts.get(kind, 0) + characters
    cleaned = treat_runs(replace_floods(lines))
    if LEADING_MARK.match(cleaned):
        counts["leading-mark"] = 1
        cleaned = DOTTED_CIRCLE + cleaned
    return cleaned, counts


def shows_blank(text: str) -> bool:
    """Whether a reader sees nothing: spaces, line breaks, invisibles, controls and glyphs without ink only."""
    return _VISIBLE.search(text) is None


def is_private_use(text: str) -> bool:
    """Whether a text is nothing but characters that mean what their users agree on, and is not empty."""
    return _PRIVATE_USE.fullmatch(text) is not None


def join_words(text: str, mark: str) -> tuple[str, int]:
    """Put the mark in place of every run of spaces, and U+FFFD in place of every mark that stood in the text before.

    Tabs and every other space count as spaces: a writer who uses no-break spaces must not escape the mark.

    Returns:
        The text, never longer than before, and how many marks were replaced.
    """
    return _SPACE_RUN.sub(lambda _: mark, text.replace(mark, REPLACEMENT)), text.count(mark)


def _treated(text: str) -> Iterator[tuple[str, int]]:
    """Kind and number of characters of everything that is treated, and of private use, which is only counted."""
    for start, end in mark_floods(text):
        yield "mark-flood", end - start
    for verdict in find_runs(replace_floods(text)):
        if verdict.action is not Action.KEEP:
            yield verdict.kind, verdict.end - verdict.start
    for run in _PRIVATE_USE.finditer(text):
        yield "private-use", len(run[0])


def neutralise_delimiters(text: str) -> tuple[str, int]:
    """Turn every angle before the name of the compiler's delimiter into a parenthesis.

    Looked for is, on the folded copy, an angle, then nothing that is a letter or digit, then `untrusted-data`, its two
    words joined by anything that is not a letter or digit. Every angle between the previous word and the name counts:
    were only the last one changed, the one before it would stand before the name. Idempotent.

    Returns:
        The text, the same object where nothing was found, and how many angles were changed.
    """
    plain = str.__str__(text)
    if not delimiter_candidate().search(plain):
        return plain, 0
    return neutralised(plain, _delimiter_angles)


def delimiter_places(text: str) -> tuple[tuple[int, int, str], ...]:
    """Start and end of every angle that :func:`neutralise_delimiters` turns into a parenthesis, and that, in order."""
    plain = str.__str__(text)
    return places(plain, _delimiter_angles) if delimiter_candidate().search(plain) else ()


def _delimiter_angles(folded: Folded) -> tuple[set[int], set[int]]:
    """The angles before the delimiter's name; they have no partners."""
    names = _delimiter_name().finditer(folded.text)
    return {index for name in names for index in _angles_before(folded, name.start())}, set()


def _angles_before(folded: Folded, name: int) -> Iterator[int]:
    """Angles between the word before the name and the name."""
    index = name - 1
    while index >= 0 and _in_gap().match(folded.text, index):
        if folded.text[index] in "<>":
            yield index
        index -= 1


def neutralise_control_tokens(text: str, *, sentence_tokens: bool = False) -> tuple[str, int]:
    """Break control tokens of chat templates that are written out as text, by a parenthesis for their first character.

    A local tokenizer may parse `<|im_start|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>` and their like inside a prompt.
    Spellings count as in `neutralise_delimiters`. Idempotent.

    Args:
        text: Cleaned text.
        sentence_tokens: Whether `<s>` and `</s>` count too; they are HTML as well.

    Returns:
        The text, the same object where nothing was found, and how many tokens were broken.
    """
    plain = str.__str__(text)
    if not token_candidate(sentence_tokens=sentence_tokens).search(plain):
        return plain, 0
    return neutralised(plain, _sentence_and_control_tokens if sentence_tokens else _control_tokens)


def control_token_places(text: str) -> tuple[tuple[int, int, str], ...]:
    """Start and end of all that :func:`neutralise_control_tokens` replaces, and its parenthesis, in order."""
    plain = str.__str__(text)
    return places(plain, _control_tokens) if token_candidate().search(plain) else ()


def _control_tokens(folded: Folded) -> tuple[set[int], set[int]]:
    """Where control tokens start; their other end stays."""
    return {match.start() for match in _CONTROL_TOKEN.finditer(folded.text)}, set()


def _sentence_and_control_tokens(folded: Folded) -> tuple[set[int], set[int]]:
    """The same with `<s>` and `</s>`."""
    tokens, partners = _control_tokens(folded)
    return tokens.union(match.start() for match in _SENTENCE_TOKEN.finditer(folded.text)), partners
