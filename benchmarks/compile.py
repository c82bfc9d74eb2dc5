"""What a compile costs beside the plain way to join texts, in one process and one run: ratios, not absolute times.

Fifty contributions of 2,000 characters each, their reads already done. The plain way is one substitution of line breaks
for each text, one join and one SHA-256: no hygiene, no delimiters, no account. The shares say where the rest goes: text
hygiene of untrusted blocks, and hashing, which is the tags of fifty blocks and the three digests.
"""

from __future__ import annotations

import hashlib
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from selection import timed

from symfonic.capabilities.prompting import (
    PromptCompiler,
    PromptContribution,
    PromptRead,
    PromptRequest,
    RenderPolicy,
    StaticPromptSource,
    delimiter_tag,
)
from symfonic.capabilities.prompting.rendering import prepare_untrusted

if TYPE_CHECKING:
    from collections.abc import Mapping

BLOCKS: Final = 50
CHARACTERS: Final = 2_000
KEY: Final = bytes(range(32))
POLICY: Final = RenderPolicy(max_learned_chars=CHARACTERS, delimiter_key=KEY)
REQUEST: Final = PromptRequest("tenant\x1facme", 4)
SAMPLES: Final = {
    "English": "Leave that was not taken lapses at the end of March, unless the company's needs prevented it.\n",
    "German": "Nicht genommener Urlaub verfällt Ende März, außer wenn betriebliche Gründe ihn unmöglich machten.\n",
    "Hindi": "जो छुट्टी नहीं ली गई वह मार्च के अंत में समाप्त हो जाती है, जब तक कि काम ने उसे रोका न हो।\n",
    "code": "    if items[0] < limit and not (a > b):  # <T> for List<Map<K, V>>\n        return data[i] & 0xFF\n",
    "look-alikes": "Отпуск, который не был использован ‹до конца марта›, «сгорает» [см. раздел 4] — кроме ≤ 5 дней.\n",
}
_BREAKS: Final = re.compile(r"[\r\n]+")


class Done:
    """A hydrator whose reads are done."""

    def __init__(self, reads: Mapping[str, PromptRead]) -> None:
        self.reads = reads

    def read_all(self, *_: object) -> Mapping[str, PromptRead]:
        """Answer what was read."""
        return self.reads


def plain(texts: list[str]) -> tuple[str, str]:
    """Join texts as people do."""
    joined = "\n\n".join([_BREAKS.sub(" ", text) for text in texts])
    return joined, hashlib.sha256(joined.encode()).hexdigest()


def hygiene(texts: list[str]) -> None:
    """Make every text ready for its block."""
    for text in texts:
        prepare_untrusted(text, POLICY)


def hashing(texts: list[str]) -> None:
    """Make every tag, and a digest of everything."""
    for number, text in enumerate(texts):
        delimiter_tag(KEY, REQUEST.scope_path, f"block-{number:02}", text)
    hashlib.sha256("\n\n".join(texts).encode()).hexdigest()


def texts_of(sample: str) -> list[str]:
    """Fifty texts of 2,000 characters that begin at different words."""
    words = sample.split(" ")
    rotated = (" ".join(words[place % len(words) :] + words[: place % len(words)]) for place in range(BLOCKS))
    return [(f"{number}. {text}" * (CHARACTERS // len(text) + 1))[:CHARACTERS] for number, text in enumerate(rotated)]


def run(rounds: int = 40) -> list[dict[str, Any]]:
    """Measure every kind of text."""
    results: list[dict[str, Any]] = []
    for name, sample in SAMPLES.items():
        texts = texts_of(sample)
        items = [
            PromptContribution(f"block-{number:02}", StaticPromptSource(text, untrusted=True))
            for number, text in enumerate(texts)
        ]
        reads = {item.contribution_id: PromptRead(text, "r1", True) for item, text in zip(items, texts, strict=True)}
        compiler = PromptCompiler(POLICY, Done(reads))
        jobs: dict[str, Any] = {
            "plain": partial(plain, texts),
            "compile": partial(compiler.compile, items, REQUEST),
            "hygiene": partial(hygiene, texts),
            "hashing": partial(hashing, texts),
        }
        seconds = timed(jobs, rounds)
        results.append(
            {
                "text": name,
                "p50_microseconds": seconds["compile"] * 1e6,
                "ratio_to_plain": seconds["compile"] / seconds["plain"],
                "share_of_hygiene": seconds["hygiene"] / seconds["compile"],
                "share_of_hashing": seconds["hashing"] / seconds["compile"],
            }
        )
    return results


def show(results: list[dict[str, Any]]) -> str:
    """The results as a table for people."""
    lines = [
        f"Compile of {BLOCKS} contributions of {CHARACTERS:,} characters, reads done (median)",
        "  ratio to one substitution of line breaks a text, one join and one SHA-256 in the same run",
    ]
    lines.extend(
        f"    {row['text']:<14}{row['p50_microseconds']:>10,.0f} µs   × {row['ratio_to_plain']:<6.1f}"
        f"hygiene {row['share_of_hygiene']:.0%}, hashing {row['share_of_hashing']:.0%}"
        for row in results
    )
    return "\n".join(lines)


if __name__ == "__main__":
    print(show(run()))
