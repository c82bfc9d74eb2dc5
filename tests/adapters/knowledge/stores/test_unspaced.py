"""Scripts written without spaces are found by pairs of characters, by one character, and beside other scripts."""

from __future__ import annotations

import time
import unicodedata
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import Chunk, Document
from symfonic.adapters.knowledge.stores._unspaced import asked, is_unspaced, normalized, pieces

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.stores.sqlite import SqliteStore


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing of the kind, café", ""),
        ("茶", "茶"),
        ("手机很好", "手机 机很 很好 好"),
        ("iPhone手机, hello", "iPhone 手机 机"),
        ("手机2024款 x", "手机 机 2024 款"),
        ("한국어", "한국 국어 어"),
        ("สวัสดี", "สว วั ัส สด ดี ี"),
        ("a_手_b", "手"),
        ("ﾃﾞｰﾀ", "デー ータ タ"),
        ("\u1112\u1161\u11ab", "한"),
        ("x" * 50_000 + " 茶", "茶"),
    ],
)
def test_a_run_is_cut_into_pairs_and_its_last_character(text: str, expected: str) -> None:
    """Every character begins one piece; what touches a run is a piece as well."""
    assert pieces(text) == expected


def test_questions_ask_for_pairs_and_for_one_character_where_there_is_no_pair() -> None:
    """The last character alone is no part of a longer question."""
    assert asked("手机很好") == ["手机", "机很", "很好"]
    assert asked("手") == ["手"]
    assert normalized("buy iPhone手机now") == "buy iPhone 手机 now"
    assert normalized("C++ café") == "C++ café"
    assert [is_unspaced(word) for word in ("手机", "手a", "", "นี้", "ខ្មែរ", "မြန်မာ", "ລາວ", "かな", "abc")] == [
        True, False, False, True, True, True, True, True, False,
    ]  # fmt: skip


FLOODS = {
    "above and below by turns": "\u0301\u0316",
    "those that decompose": "\u0344\u0316",
    "those of class 0 that decompose": "\u0f73\u0316\u0f81",
    "halfwidth, which are letters": "\uff9e\u0301",
}


@pytest.mark.requirement("ST-CJK-2")
@pytest.mark.parametrize("marks", FLOODS.values(), ids=FLOODS)
def test_a_flood_of_combining_marks_takes_linear_time(marks: str) -> None:
    """A row of 200,000, which put in order as a whole would take minutes while no other thread runs."""
    text = "漢a" + marks * (200_000 // len(marks))
    before = time.thread_time()
    assert pieces(text).startswith("漢 ")
    assert normalized(text).startswith(" 漢 ")
    assert time.thread_time() - before < 2


@pytest.mark.requirement("ST-CJK-2")
@pytest.mark.parametrize("count", [0, 1, 29, 30, 31, 60, 61])
def test_marks_are_put_in_order_and_composed_by_thirty(count: int) -> None:
    """A row of thirty is what normalisation makes of it, and so is each thirty of a longer one."""
    marks = ("\u0301\u0316" * count)[:count]
    parts = [f"漢 e{marks[:30]}", *(marks[at : at + 30] for at in range(30, count, 30))]
    expected = "".join(unicodedata.normalize("NFKC", part) for part in [*parts[:-1], f"{parts[-1]} ﾃﾞ"])
    assert normalized(f"漢 e{marks} ﾃﾞ").replace("  ", " ").strip() == expected.replace("  ", " ")


@pytest.mark.requirement("ST-CJK-2")
def test_rows_of_what_is_no_letter_are_normalised_as_a_whole() -> None:
    """Leaders, rules, spaces and accents of their own, however many."""
    for row in ("…", "-", "\u3000", "\u00a8", "⎯", "\u0300 ", "か\u3099", "\u1161", "㌀"):
        text = f"漢{row * 100}漢"
        whole = unicodedata.normalize("NFKC", text)
        assert normalized(text).replace(" ", "") == whole.replace(" ", "")


@pytest.mark.requirement("ST-CJK-2")
def test_a_question_and_a_passage_may_be_floods(store: SqliteStore) -> None:
    """Both are stored, asked and found in a moment."""
    flood = "漢" + "a" + "\u0301\u0316" * 32_000
    before = time.thread_time()
    store.put(Document(scope_path="", origin="/a", file="a", digest="d"), [Chunk(text=flood, label="", ordinal=0)])
    assert [row.metadata["file"] for row in store.search(flood, 10)] == ["a"]
    assert time.thread_time() - before < 2
    assert store.check() == ()


@pytest.mark.requirement("ST-CJK-1")
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("iphone", {"mixed"}),
        ("手机", {"mixed", "plain"}),
        ("机", {"mixed", "plain"}),
        ("价格是多少", {"plain"}),
        ("格", {"plain"}),
        ("好", set()),
        ("スマホ", {"kana"}),
        ("ｽﾏﾎ", {"kana"}),
        ("한국", {"hangul"}),
        ("ภาษา", {"thai"}),
        ("telephones", {"english"}),
    ],
)
def test_passages_are_found_by_what_they_hold(store: SqliteStore, question: str, found: set[str]) -> None:
    """Whole words do not part such text, pairs do."""
    for name, text in (
        ("mixed", "新的iPhone手机"),
        ("plain", "这部手机的价格"),
        ("kana", "新しいスマホを買う"),
        ("hangul", "한국어를 배우다"),
        ("thai", "ฉันพูดภาษาไทย"),
        ("english", "a telephone"),
    ):
        document = Document(scope_path="", origin=f"/{name}", file=name, digest="d")
        store.put(document, [Chunk(text=text, label="", ordinal=0)])
    assert {row.metadata["file"] for row in store.search(question, 10)} == found


@pytest.mark.requirement("ST-CJK-1")
def test_lengths_count_each_character_once(store: SqliteStore) -> None:
    """A passage of a longer run is longer, so its one match weighs less."""
    for name, text in (("short", "手机"), ("long", "手机的价格是多少钱")):
        document = Document(scope_path="", origin=f"/{name}", file=name, digest="d")
        store.put(document, [Chunk(text=text, label="", ordinal=0)])
    assert [row.metadata["file"] for row in store.search("手机", 10)] == ["short", "long"]
    assert store.check() == ()
    store.remove([Document(scope_path="", origin="/short", file="short", digest="")])
    assert [row.metadata["file"] for row in store.search("手", 10)] == ["long"]
    assert store.check() == ()
