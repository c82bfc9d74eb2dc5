"""The order of rows decides nothing: in one process, in another, under another hash seed, on another interpreter."""

from __future__ import annotations

import itertools
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.testing.knowledge.strategies import hostile_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

SCRIPT: Final = Path(__file__).with_name("fixed_rows.py")
FIXED: Final = runpy.run_path(str(SCRIPT))

#: Of 86 rows: admitted, dropped, revision, SHA-256 of the bytes, SHA-256 of the drops. A changed digest is a changed
#: prompt or a changed account, which needs a line in the changelog.
EXPECTED: Final[dict[str, list[Any]]] = {
    "plain": [
        3,
        83,
        "44f1c089c3209b5b",
        "d99d5ce2ddc1979e9bfb0c6349ac05e5eaacce78840a0b515372084afcc856e9",
        "fe3b66b9e158fb67ddf1bd781561558967340dbd9e1eff7af3e92b9a9f17d847",
    ],
    "plain, all of it": [
        57,
        29,
        "280cef17f6736a54",
        "ec3710e161480f97c3c695e316dfea73f1daee914ac0451d5b2e2a1fcfe86aa2",
        "10e0e97dd2c8983f625386fe3cd87426fce7bbbd0a984c259250a963f75f5851",
    ],
    "plain, tight": [
        9,
        77,
        "f80a1d87a027597d",
        "700c95ebe46f03c0dcc2f6056a604f1debe151cee8d58990e26f05d899ee3c25",
        "831c9917677966bf75d9fbac4fbd430bce8c4e1eff9a150ce68f6e84c35e754d",
    ],
    "hardened": [
        3,
        83,
        "f0c12c9605853760",
        "f296ac26888925693347eb18ddeb5f4e2fe31ad7b78df2b96cfe535a4fe78197",
        "b70b0204990f345155fedf956ff859a87513a35469bb0be96ac9950b7e5fd470",
    ],
    "hardened, all of it": [
        36,
        50,
        "9259994740e2ae4e",
        "fbe4d7c7b4d522edd1872e9766708d9e09a2d8a11210a8236c27e53fa1ffcc72",
        "554180ae5188678d1e708a1e119bdfe65dc61a3b8f0695c483bf225bc8b80918",
    ],
    "hardened, tight": [
        7,
        79,
        "148e71a8b528c2b3",
        "c604f2eede40bc724de65f184c74c0bcc1bfd1a5961a10a62c4c70e1bc8848e7",
        "43e23776f94914c736a57697989528f68c0d2272bd40a9d483af3428807b45d2",
    ],
}


def other_process(seed: int, *options: str, **changes: str) -> dict[str, list[list[Any]]]:
    """The outcomes in a process of its own; coverage does not follow it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    command = [sys.executable, *options, str(SCRIPT), str(seed)]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env={**env, **changes})
    found: dict[str, list[list[Any]]] = json.loads(done.stdout)
    return found


@pytest.mark.requirement("KB-RET-PERMUTE-2")
@pytest.mark.parametrize(
    ("seed", "options", "changes"),
    [
        (1, (), {"PYTHONHASHSEED": "0"}),
        (2, (), {"PYTHONHASHSEED": "1"}),
        (3, ("-O",), {"PYTHONHASHSEED": "4294967295"}),
        (4, (), {"PYTHONHASHSEED": "random", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Asia/Kathmandu"}),
    ],
)
def test_every_process_makes_the_same_bytes_of_the_same_rows(
    seed: int, options: tuple[str, ...], changes: dict[str, str]
) -> None:
    """Shuffled anew in each; compared with what is written down, so two interpreters are held to one outcome."""
    assert other_process(seed, *options, **changes) == {name: [outcome] for name, outcome in EXPECTED.items()}


@pytest.mark.requirement("KB-RET-PERMUTE-2")
def test_the_fixed_rows_are_ties_twins_and_rows_unusable_in_every_way() -> None:
    """What is written down covers what it should: every reason that can be about a row."""
    codes = {
        code
        for policy in FIXED["POLICIES"].values()
        for _, code, *_ in FIXED["told"](FIXED["select_fragments"](FIXED["ROWS"], policy, scope_path=FIXED["ACME"]))
    }
    assert len(FIXED["ROWS"]) == 86
    assert sorted(code.value for code in codes) == [
        "bad-content", "bad-score", "bad-source", "bad-text", "below-floor", "blank", "duplicate", "out-of-scope",
        "over-fragment", "over-limit", "over-source", "over-total",
    ]  # fmt: skip


def results(rows: Sequence[Any], policy: Any) -> set[str]:
    """What selection makes of the rows in every order they can come in."""
    return {str(FIXED["outcome"](order, policy)) for order in itertools.permutations(rows)}


def of(*sources: object) -> list[Any]:
    """The fixed rows whose sources are these."""
    return [row for row in FIXED["ROWS"] if getattr(row, "source", "no row") in sources]


SIX: Final = {
    "ties": of("rota.md", "Rota.md", "b.md")[:6],
    "twins": of("twin.md")[2:8],
    "no numbers": of("scores.md")[6:12],
    "unusable": [*of(None, 7, ("a", 1))[:4], None, 3],
    "look-alikes": of("Handbook", "Hаndbook", "Hand\u200bbook", "unknown", "", "a~0123456789ab"),
    "elsewhere": [*of("s.md")[:4], *of("twin.md")[:2]],
}


@pytest.mark.requirement("KB-RET-PERMUTE-1")
@pytest.mark.parametrize("kind", SIX)
@pytest.mark.parametrize("policy", ["plain, tight", "hardened, tight"])
def test_all_orders_of_six_rows_come_out_alike(kind: str, policy: str) -> None:
    """All 720 of them, of every kind of row, in both modes."""
    assert len(SIX[kind]) == 6
    assert len(results(SIX[kind], FIXED["POLICIES"][policy])) == 1


@pytest.mark.requirement("KB-RET-PERMUTE-1")
@pytest.mark.parametrize("policy", ["plain, tight", "hardened, tight"])
@given(rows=hostile_rows(max_size=4, scope_paths=("", FIXED["ACME"], "tenant\x1fother", None)))
@settings(max_examples=30)
def test_all_orders_of_any_few_rows_come_out_alike(policy: str, rows: list[RetrievedFragment]) -> None:
    """Up to four rows drawn from everything a store may answer."""
    assert len(results(rows, FIXED["POLICIES"][policy])) == 1


@pytest.mark.requirement("KB-RET-PERMUTE-1")
@given(order=st.permutations(FIXED["ROWS"]), policy=st.sampled_from(sorted(EXPECTED)))
@settings(max_examples=60)
def test_any_order_of_many_rows_comes_out_as_written_down(order: list[Any], policy: str) -> None:
    """Sampled, where trying all is out of reach."""
    assert FIXED["outcome"](order, FIXED["POLICIES"][policy]) == EXPECTED[policy]
