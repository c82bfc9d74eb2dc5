"""The first look misses nothing that the closer look would find: it saves time and decides nothing."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from symfonic.capabilities.prompting import RenderPolicy, _first_look
from symfonic.capabilities.prompting import _tables as tables
from symfonic.capabilities.prompting._first_look import (
    delimiter_candidate,
    may_hold_either,
    needs_no_cleaning,
    needs_nothing,
    token_candidate,
)
from symfonic.capabilities.prompting._folding import fold_plain, neutralised
from symfonic.capabilities.prompting._text import (
    _control_tokens,
    _delimiter_angles,
    _sentence_and_control_tokens,
    clean_block,
)
from symfonic.capabilities.prompting.rendering import prepare_untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKENS = ("<|im_start|>", "<start_of_turn>", "</eos>", "<fim_middle>", "[INST]", "[/tool_calls]", "<<SYS>>", "<</SYS>>")
NAMES = [
    "start_of_turn",
    "end_of_turn",
    "start_of_image",
    "end_of_audio",
    "bos",
    "eos",
    "pad",
    "unk",
    "bos_token",
    "eos_token",
    "pad_token",
    "unused7",
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_responses",
    "think",
    "fim_prefix",
    "fim_middle",
    "fim_suffix",
    "fim_pad",
    "begin_of_text",
    "end_of_sentence",
]
SQUARED = ["inst", "system_prompt", "available_tools", "tool_calls", "tool_results", "tool_content", "args", "call_id"]


def missed(text: str) -> list[str]:
    """What the closer look finds and the first look did not call for."""
    found = []
    delimiter = neutralised(text, _delimiter_angles)[1] > 0
    token = neutralised(text, _control_tokens)[1] > 0
    sentence = neutralised(text, _sentence_and_control_tokens)[1] > 0
    if delimiter and not delimiter_candidate().search(text):
        found.append("delimiter")
    if token and not token_candidate().search(text):
        found.append("token")
    if sentence and not token_candidate(sentence_tokens=True).search(text):
        found.append("sentence token")
    if (delimiter or token) and not may_hold_either(text):
        found.append("either")
    if sentence and not may_hold_either(text, sentence_tokens=True):
        found.append("either, with sentence tokens")
    if (delimiter or token or sentence) and needs_nothing(text):
        found.append("nothing")
    return found


def special() -> list[str]:
    """Every character that does not fold to itself, looks like a letter of the name, joins or stands on others."""
    found = {c for sources in (*tables.FOLD_TO_ONE.values(), *tables.FOLD_TO_MANY.values()) for c in sources}
    for inside in (*tables.LOOKALIKES.values(), tables.ANGLES_OPEN, tables.ANGLES_CLOSE, tables.SQUARE_OPEN):
        found.update(_first_look._members(inside))
    found.update(list(_first_look._members(tables.IGNORABLES))[::9])
    found.update(list(_first_look._members(tables.MARKS))[::9])
    return sorted(found | set(map(chr, range(0x250))))


def placed(character: str, text: str, reach: int) -> Iterator[str]:
    """The text with the character before, after and in place of each of its first characters."""
    for place in range(reach):
        yield text[:place] + character + text[place:]
        yield text[:place] + character + text[place + 1 :]


@pytest.mark.requirement("PR-HYG-LOOK-1")
@pytest.mark.parametrize("part", range(4))
def test_no_character_hides_a_delimiter_or_a_token_from_the_first_look(part: int) -> None:
    """A sample here, one of four, of every character and place; the corpora run takes all of them."""
    for number, character in enumerate(special()):
        if number % 4 == part:
            text = ("<untrusted-data", "<!-- untrusted-data", *TOKENS)[number // 4 % (len(TOKENS) + 2)]
            for spelled in placed(character, text, 4):
                assert missed(spelled) == [], ascii(spelled)


@pytest.mark.slow
@pytest.mark.corpora
@pytest.mark.requirement("PR-HYG-LOOK-1")
@pytest.mark.parametrize("text", ["<untrusted-data", "‹ -untrusted data", *TOKENS])
def test_no_character_hides_any_of_them(text: str) -> None:
    """All characters in all places that the first look reads."""
    for character in special():
        for spelled in placed(character, text, 8):
            assert missed(spelled) == [], ascii(spelled)


@pytest.mark.requirement("PR-HYG-LOOK-1")
@pytest.mark.parametrize("slash", ["", "/"])
def test_every_token_calls_for_the_closer_look(slash: str) -> None:
    """By every name, in small and capital letters, fullwidth, and with invisibles between."""
    wide = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
    for text in (*(f"<{slash}{name}>" for name in (*NAMES, "s")), *(f"[{slash}{name}]" for name in SQUARED)):
        for spelled in (text, text.upper(), text.translate(wide), "\u2060".join(text), text.replace("<", "&lt;")):
            assert missed(f"x {spelled} y") == [], ascii(spelled)
            assert neutralised(spelled, _sentence_and_control_tokens)[1] == 1, ascii(spelled)


def test_ascii_folds_to_its_small_letters_and_spaces() -> None:
    """That is why a text of ASCII may be looked through as it is written: no name holds a space."""
    printable = "".join(map(chr, range(0x20, 0x7F)))
    assert fold_plain(printable) == printable.lower()
    assert {fold_plain(chr(code)) for code in range(0x20) if fold_plain(chr(code)) != chr(code)} == {" "}
    assert not any(re.search("[\x00-\x7f]", inside) for inside in tables.LOOKALIKES.values())


def test_ignorable_characters_fold_to_nothing() -> None:
    """What may stand between the letters of a name is what shows nothing."""
    assert {fold_plain(c) for c in _first_look._members(tables.IGNORABLES)} == {""}


PIECES = st.sampled_from(
    [
        "<", ">", "＜", "‹", "/", "|", "[", "［", "untrusted-data", "untrusted", "un", "u", "n", "data", "_", "-", " ",
        "🆄🅽🆃🆁🆄🆂🆃🅴🅳", "🆄", "սոtrusted", "ﬆart_of_turn", "start_of_turn", "INST", "SYS", "ﬁm_pad", "s", "|x|", "&", "&lt",
        ";", "&#60;", "&amp;", "amp", "lt;", "#", "x3c", "\u0338", "\u0301", "\u200d", "\ufe0f", "\u2060", "\u115f",
        "a", "7",
        "é", "ǖ", "字", "\U0001f600", "\U000e0041", "\n", "\t", "=", "!", "ᐸ", "ᐳ", "ⓤ", "⒰", "\x00", "\ue000",
    ]
)  # fmt: skip


@pytest.mark.requirement("PR-HYG-LOOK-1")
@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30))
@settings(max_examples=400)
@example("<🆄 untrusted-data")
@example("<&#117;ntrusted-data")
@example("&amp;lt;untrusted-data")
@example("＆lt;untrusted-data")
def test_the_first_look_misses_nothing(text: str) -> None:
    """Of whatever may be written together."""
    assert missed(text) == []


@pytest.mark.requirement("PR-HYG-LOOK-1")
@given(st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30))
@settings(max_examples=200)
def test_what_needs_nothing_comes_through_as_it_is(text: str) -> None:
    """With every quick answer refused the result is the same, and so are the counts."""
    policy = RenderPolicy()
    quick = (clean_block(text), prepare_untrusted(text, policy))
    with pytest.MonkeyPatch.context() as patch:
        never = re.compile("")  # is found everywhere
        patch.setattr("symfonic.capabilities.prompting._text.needs_no_cleaning", lambda _: False)
        patch.setattr("symfonic.capabilities.prompting._text.delimiter_candidate", lambda: never)
        patch.setattr("symfonic.capabilities.prompting._text.token_candidate", lambda **_: never)
        patch.setattr("symfonic.capabilities.prompting.rendering.needs_nothing", lambda _: False)
        patch.setattr("symfonic.capabilities.prompting.rendering.may_hold_either", lambda *_, **__: True)
        assert (clean_block(text), prepare_untrusted(text, policy)) == quick


def treated(points: range) -> list[str]:
    """Characters that the first look passes, alone or in company, and cleaning does not."""
    texts = [form.format(chr(point)) for point in points for form in ("{}", "a{}b")]
    passed = [text for text in texts if needs_no_cleaning(text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symfonic.capabilities.prompting._text.needs_no_cleaning", lambda _: False)
        return [ascii(text) for text in passed if clean_block(text) != (text, {})]


@pytest.mark.requirement("PR-HYG-LOOK-1")
def test_every_likely_code_point_that_passes_needs_no_cleaning() -> None:
    """Alone and between letters; the corpora run takes all of Unicode."""
    assert treated(range(0x3100)) == []
    assert treated(range(0xFE00, 0x10000)) == []
    assert treated(range(0xE0000, 0xE0200)) == []


@pytest.mark.slow
@pytest.mark.corpora
@pytest.mark.requirement("PR-HYG-LOOK-1")
def test_every_code_point_that_passes_needs_no_cleaning() -> None:
    """All of them."""
    assert treated(range(sys.maxunicode + 1)) == []


@pytest.mark.parametrize(
    ("text", "nothing", "no_cleaning"),
    [
        ("", True, True),
        ("Leave lapses at the end of March.\n\tÄh, 5² m – „so“ …", True, True),
        ("दुकान सुबह नौ बजे खुलती है", True, True),
        ("items[0] < 3 && x", False, True),
        ("a\r\nb", False, False),
        ("a\u200bb", False, False),
        ("\u0301a", False, False),
        ("e" + "\u0301" * 16, True, True),
        ("e" + "\u0301" * 17, False, False),
        ("\ue000", False, False),
    ],
)
def test_ordinary_text_is_settled_at_the_first_look(text: str, *, nothing: bool, no_cleaning: bool) -> None:
    """Otherwise it would save nothing."""
    assert (needs_nothing(text), needs_no_cleaning(text)) == (nothing, no_cleaning)


@pytest.mark.parametrize(
    "text",
    [
        "if a < b and c[0] > d: return x & 0xFF && y << 2  # <T> <div> </p> [x] [1]",
        "List<Map<K, V>> a; std::cout << std::endl; a->b; <html><body><table>",
        "Отпуск ‹до марта› «сгорает» [см. 4] ≤ 5",
    ],
)
def test_code_and_markup_are_settled_at_the_first_look(text: str) -> None:
    """Angles and brackets are everywhere in them."""
    assert not may_hold_either(text)
    assert not delimiter_candidate().search(text)


@pytest.mark.parametrize(
    "text",
    ["<", "<!", "<🆄", "<\u0301", "<\u2060", "[\ufe0f", "<<", "&", "&a", "‹ ", "<u\u0301", "\u0301", "<-", "[/", "<ᐸ"],
)
def test_the_first_look_is_linear(text: str) -> None:
    """Four times the length takes at most some ten times the time, in the best of a few tries."""

    def seconds(length: int) -> float:
        long = f"é{text * (length // len(text))}"
        started = time.process_time()
        may_hold_either(long)
        delimiter_candidate().search(long)
        token_candidate().search(long)
        needs_nothing(long)
        return time.process_time() - started

    allowed = 10 * min(seconds(10_000) for _ in range(3)) + 0.02
    assert any(seconds(40_000) < allowed for _ in range(3))  # again only where the time before was disturbed
