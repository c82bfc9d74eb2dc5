"""What the style written on an element of a page says about whether it shows.

Rules of this module: pure, standard library only, its time in proportion to the text. It reads declarations as CSS does
as far as they matter here: comments are none, what stands in quotation marks or brackets is a value, of several valid
declarations the last one counts, important ones before others, and what is not valid says nothing.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["shown_by"]

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A value that may hold anything, as one word that means nothing here. What is left open goes on to the end.
_TEXT: Final = re.compile(r""""(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL)
_BRACKETS: Final = re.compile(r"\([^()]*\)")
_SOME: Final = "0some"
_ANYTHING: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_DISPLAY_WORD: Final = re.compile(
    r"block|inline|flow|flow-root|list-item|contents|run-in|math|inline-block|(?:-webkit-)?(?:inline-)?(?:flex|box)"
    r"|(?:inline-)?(?:grid|table)|table-(?:row|header|footer|column)-group|table-(?:row|cell|column|caption)"
    r"|ruby(?:-base|-text)?(?:-container)?"
)
_VISIBILITIES: Final = {
    "visible": True, "hidden": False, "collapse": False, "initial": True, "inherit": None, "unset": None,
    "revert": None, "revert-layer": None,
}  # fmt: skip


def shown_by(style: str) -> tuple[bool | None, bool | None]:
    """Return whether an element is there at all (``display``) and whether it is visible; ``None`` where that is unsaid.

    Args:
        style: Declarations, as the attribute ``style`` holds them.
    """
    lower = style.lower()
    if "display" not in lower and "visibility" not in lower:
        return None, None
    display: str | None = None
    visibility: bool | None = None
    strongest = {"display": False, "visibility": False}
    for name, value, important in _declarations(lower):
        if important < strongest.get(name, False):
            continue
        if name == "display" and _is_display(value):
            display, strongest[name] = value, important
        elif name == "visibility" and value in _VISIBILITIES:
            visibility, strongest[name] = _VISIBILITIES[value], important
    return None if display is None else display != "none", visibility


def _declarations(style: str) -> list[tuple[str, str, bool]]:
    plain = _TEXT.sub(_SOME, _COMMENT.sub("", style))
    for _ in range(3):
        plain = _BRACKETS.sub(_SOME, plain)
    found = []
    for declaration in plain.partition("(")[0].split(";"):
        name, _, value = declaration.partition(":")
        value, mark, word = value.partition("!")
        found.append((name.strip(), value.strip(), mark == "!" and word.strip() == "important"))
    return found


def _is_display(value: str) -> bool:
    words = value.split()
    if len(words) == 1 and words[0] in {"none", *_ANYTHING}:
        return True
    return bool(words) and len(words) <= 3 and all(map(_DISPLAY_WORD.fullmatch, words))
