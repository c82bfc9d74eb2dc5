"""A reader of prompts that knows nothing of the compiler, and what later stages may do to a text; loaded by path."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LINE_ENDS: Final = re.compile("\r\n|\n")
_OPENING: Final = re.compile(r'<untrusted-data id="([A-Za-z0-9_.-]{1,128})" tag="([0-9a-f]{16})">')
_LOOSE: Final = re.compile(r"<[\s/]*untrusted[^A-Za-z0-9]*data", re.IGNORECASE | re.ASCII)
# Default_Ignorable_Code_Point of Unicode, written out: a gap in the compiler's own table would go unseen with it.
_IGNORABLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

TRANSFORMS: Final[dict[str, Callable[[str], str]]] = {
    "nothing": str,
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "casefold": str.casefold,
    "no invisibles": lambda text: _IGNORABLE.sub("", text),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "unescaped": html.unescape,
    "unescaped, then NFKC": lambda text: unicodedata.normalize("NFKC", html.unescape(text)),
    "NFKC, then unescaped": lambda text: html.unescape(unicodedata.normalize("NFKC", text)),
    "casefold, then unescaped": lambda text: html.unescape(text.casefold()),
    "no invisibles, then unescaped": lambda text: html.unescape(_IGNORABLE.sub("", text)),
}
"""Every later step that the page on text hygiene names, alone and beside one unescaping."""


def read_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Id and content of every block, as strictly as a model is told to read them."""
    lines = iter(_LINE_ENDS.split(text))
    for line in lines:
        opening = _OPENING.fullmatch(line)
        if opening is None:
            continue
        content: list[str] = []
        for inner in lines:
            if inner == f'</untrusted-data tag="{opening[2]}">':
                break
            content.append(inner)
        else:
            content.append("(the block never ends)")
        yield opening[1], "\n".join(content)


def loose_delimiters(text: str) -> int:
    """How many delimiters a careless reader sees, whatever stands between the words."""
    return len(_LOOSE.findall(text))
