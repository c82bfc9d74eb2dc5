"""What the treatment of content costs beside a plain substitution of line breaks: ratios in one run.

Texts of about 20,000 characters: ordinary ones in several scripts, and ones that are nothing but what costs most.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from selection import timed

from symfonic.capabilities.knowledge import clean_content

SAMPLES: Final = {
    "ASCII": "The shop opens at nine on weekdays, and closes late.\n",
    "German": "Geschäftsbericht über die Lage der Gesellschaft im Jahr\n",
    "Hindi": "दुकान सुबह नौ बजे खुलती है और देर से बंद होती है\n",
    "Persian with ZWNJ": "می\u200cخواهم کتاب\u200cها را بخوانم و نمی\u200cدانم چه می\u200cشود\n",
    "soft hyphens": "Ver\u00adwal\u00adtungs\u00adge\u00adbühren sind fäl\u00adlig\n",
    "emoji with U+FE0F": "Wir öffnen ❤\ufe0f und schließen ☀\ufe0f um neun ✈\ufe0f\n",
    "emoji families": "👨\u200d👩\u200d👧\u200d👦",
    "one chain of emoji": "👨\u200d",
    "joiners in Latin words": "a\u200db",
    "a control every third": "ab\x01",
}
_BREAKS: Final = re.compile(r"[\r\n]+")


def run() -> list[dict[str, Any]]:
    """Measure every sample."""
    results: list[dict[str, Any]] = []
    for name, sample in SAMPLES.items():
        text = sample * (20_000 // len(sample))
        jobs = {"plain": partial(_BREAKS.sub, " ", text), "ours": partial(clean_content, text)}
        seconds = timed(jobs, 15)
        results.append(
            {
                "text": name,
                "nanoseconds_per_character": seconds["ours"] / len(text) * 1e9,
                "ratio_to_plain": seconds["ours"] / seconds["plain"],
            }
        )
    return results


def show(results: list[dict[str, Any]]) -> str:
    """The results as a table for people."""
    lines = ["Treatment of content (median; ratio to one substitution of line breaks in the same run)"]
    lines.extend(
        f"    {row['text']:<22}{row['nanoseconds_per_character']:>10,.1f} ns/char   × {row['ratio_to_plain']:.1f}"
        for row in results
    )
    return "\n".join(lines)
