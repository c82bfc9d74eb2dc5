"""Labels: the name of a source as it stands in the brackets of a citation line.

Rules of this module:

* Only `safe_source` and `tagged_label` make a `Label`. Its type is the proof that the treatment was applied, once.
* A character that could close, open or imitate the bracket, or that does not show, is replaced by a visible `_`, never
  removed: removal would turn a doctored name into an honest one.
* Whatever changed a name shows: the label then ends in a digest of the raw name, so no doctored name takes an honest
  label, and two names that can be seen never share one by accident.

What stays in a label stays harmless under NFC, NFD, NFKC, NFKD, case folding and removal of invisibles: no character
that is left has a form with a bracket, an angle or a line break in it, and none that is left is ignorable.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NoReturn, Self, final
from unicodedata import ucd_3_2_0

from . import _tables as tables
from ._folding import MAY_START_REFERENCE, folded_copies, replaced
from ._invisibles import SUSPICIOUS, replace_floods
from ._text import exact_str, flatten_content, shows_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._folding import Folded

MAX_LABEL_CHARS: Final = 200
TAG_SEPARATOR: Final = " \u00b7"
UNKNOWN: Final = "unknown"
_SUFFIX_CHARS = 13
_MAX_TREATED_CHARS = 4096  # of a longer name no more is looked at for the label; the digest covers all of it
_SURROGATE = re.compile(f"[{tables.SURROGATES}]")
_UNSAFE = (
    f"{tables.SPACES}{SUSPICIOUS}{tables.BIDI_MARKS}{tables.PRIVATE_USE}{tables.BLANKS}"
    f"{tables.SQUARE_OPEN}{tables.SQUARE_CLOSE}{tables.ANGLES_OPEN}{tables.ANGLES_CLOSE}"
)
_UNSAFE_RUN = re.compile(f"[{_UNSAFE}]+")


@cache
def _notable() -> re.Pattern[str]:
    """Whatever needs a closer look in a name; compiled when it is first needed, not on import."""
    return re.compile(f"[^{tables.LABEL_ORDINARY}]")


_HEAD_MARKS = re.compile(f"\\A[{tables.MARKS}]+")
_REFERENCE_START = re.compile(f"[{MAY_START_REFERENCE}]")
# What a cut may have left of a reference; the longest name has 32 characters.
_OPEN_REFERENCE = re.compile(f"[{MAY_START_REFERENCE}][#0-9A-Za-z]{{0,33}}\\Z")
# Looked for in a folded form; any dialect of base32 looks like a tag to a reader, o like 0, l and i like 1.
_LOOKS_LIKE_OURS = re.compile(
    f"(?:[{tables.TILDES}][0-9a-foil]{{12}}| [{tables.MIDDLE_DOTS}][0-9a-z]{{10,}}|\\Aunknown)\\Z"
)
_TAG = re.compile("[a-z2-7]{10,}")
# Code: no reference is read in it, so a name with code in it could not be cited.
_CODE = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
# The names of ordinary files: nothing in them needs a closer look, so none is taken.
_PLAIN = re.compile(f"[A-Za-z0-9_./](?:[A-Za-z0-9_./,() -]{{0,{MAX_LABEL_CHARS - 2}}}[A-Za-z0-9_.)])?", re.ASCII)


@final
class Label(str):
    """A source's name made safe for the brackets of a citation line; a `str` that only this module can make."""

    __slots__ = ()

    def __new__(cls, *_: object) -> Self:
        """Refuse: a label is made by `safe_source`."""
        raise TypeError(
            "a Label is the proof that a name was made safe, so it cannot be built from text: call safe_source(name)"
        )

    def __init_subclass__(cls) -> NoReturn:
        """Refuse: a subclass could mint labels of its own."""
        raise TypeError("Label has no subclasses: one of them could make labels out of any text; use Label as it is")

    def __copy__(self) -> Label:
        return self

    def __deepcopy__(self, memo: object) -> Label:
        return self

    def __reduce_ex__(self, protocol: object) -> tuple[type[str], tuple[str]]:
        # The text survives pickling, the proof does not: bytes from elsewhere must not arrive as a Label.
        return str, (exact_str(self),)


def _mint(text: str) -> Label:
    """The only place where a label comes into being."""
    return str.__new__(Label, text)


def safe_source(name: str) -> Label:
    """The label of a source: one line, at most 200 characters, nothing in it closes or imitates the bracket.

    A name that needs no treatment is its own label. A name that shows as blank is `unknown`. Any other ends, once it
    was changed, in `~` and twelve hex digits of the SHA-256 of the raw name, and so does a clean name that already ends
    like that or like a keyed tag.

    Args:
        name: The raw name, as the store gave it. A label is treated as a raw name, too.

    Raises:
        BridgeTypeError: `name` is no `str` (`KB-TXT-TYPE-1`); nothing else can be the name of a source.
    """
    raw = name if type(name) is str else exact_str(name)
    if _PLAIN.fullmatch(raw) and raw.lower() != UNKNOWN:
        return _mint(raw)
    if not raw.isascii() and _SURROGATE.search(raw):
        return _mint(UNKNOWN + _suffix(raw))
    if shows_blank(raw):
        return _mint(UNKNOWN)
    head = raw[:_MAX_TREATED_CHARS]
    body = (_treated(head) if _notable().search(head) else head).strip(" ")
    if _CODE.search(body):
        body = body.replace("`", "_")
    if body == raw and len(raw) <= MAX_LABEL_CHARS and not _looks_like_ours(raw):
        return _mint(raw)
    return _mint((_shortened(body).rstrip(" ") or UNKNOWN) + _suffix(raw))


def _shortened(body: str) -> str:
    """As much of a treated name as leaves room for the suffix; a reference that the cut goes through goes with it."""
    limit = MAX_LABEL_CHARS - _SUFFIX_CHARS
    if len(body) <= limit:
        return body
    # In other spellings, and where references are made of references, a cut can leave one: read once more.
    return _without_references(_OPEN_REFERENCE.sub("", body[:limit]))


def _treated(name: str) -> str:
    """The name with everything unsafe replaced."""
    text = _UNSAFE_RUN.sub("_", _without_references(flatten_content(replace_floods(name))).strip(" "))
    # A mark at the head would sit on our bracket.
    return _HEAD_MARKS.sub("_", text)


def _without_references(name: str) -> str:
    """The name with every character reference to a bracket or a line break replaced: unescaping would bring it back."""
    if not _REFERENCE_START.search(name):
        return name
    return replaced(name, {(*span, "_") for folded in folded_copies(name) for span in _bracket_references(folded)})


def _bracket_references(folded: Folded) -> Iterator[tuple[int, int]]:
    """Where the name spells a bracket or a line break as a reference."""
    for i, character in enumerate(folded.text):
        if character in "[] ":
            start, end = folded.raw_span(i)
            if end - start > 1:
                yield start, end


def _suffix(raw: str) -> str:
    """`~` and 48 bits of the raw name's digest."""
    return "~" + sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[: _SUFFIX_CHARS - 1]


def _looks_like_ours(name: str) -> bool:
    """Whether a reader could take the name for the fallback, for one with a suffix or a keyed tag, or for no name.

    Judged is what the name looks like, so in every normal form, case and spelling by references.
    """
    if name.isascii() and "&" not in name:
        return _LOOKS_LIKE_OURS.search(name.lower()) is not None
    return any(
        shows_blank(copy.text) or _LOOKS_LIKE_OURS.search(copy.text.translate(_single_prototypes()))
        for copy in folded_copies(name)
    )


def tagged_label(label: Label, tag: str) -> Label:
    """The label with a keyed tag after it: `Handbook ·k7d2q9x4m3`.

    Args:
        label: A label without a tag.
        tag: At least ten characters of lower-case base32 (`a-z2-7`).

    Raises:
        TypeError: `label` is no `Label`.
        ValueError: `tag` is no such tag.
    """
    if type(label) is not Label:
        raise TypeError(
            "only a Label can carry a tag, because a plain name was never made safe: call safe_source first"
        )
    if not _TAG.fullmatch(tag):
        raise ValueError(f"a tag is ten or more of a-z and 2-7, or a reader could not tell it from a name; got {tag!r}")
    return _mint(f"{exact_str(label)}{TAG_SEPARATOR}{tag}")


@cache
def _prototypes() -> dict[int, str]:
    """Character to prototype, as UTS #39 maps them."""
    lines = (line.split("\x1f") for line in tables.CONFUSABLES.strip("\n").split("\n"))
    return {ord(c): prototype for prototype, characters in lines for c in characters}


@cache
def _single_prototypes() -> dict[int, str]:
    """Characters beyond ASCII that look like one letter, here a small one, or digit of ASCII."""
    single = re.compile("[A-Za-z0-9]", re.ASCII)
    return {c: text.lower() for c, text in _prototypes().items() if c > 0x7F and single.fullmatch(text)}


@cache
def _later_decompositions() -> dict[int, str]:
    """Canonical decompositions that the data of Unicode 3.2 lack, or have wrong."""
    lines = (line.split("\x1f") for line in tables.LATER_DECOMPOSITIONS.strip("\n").split("\n"))
    return {ord(c): parts for parts, characters in lines for c in characters}


def label_skeleton(label: str) -> str:
    """The skeleton of UTS #39: two labels that look the same have the same one. For reports, never rendered.

    In place of NFD, which each interpreter knows for its own Unicode version, every character is decomposed by the
    tables and the Unicode 3.2 data that all interpreters share, and marks on one letter are sorted by code point. So
    the order in which marks are stacked does not tell two labels apart.
    """
    text = exact_str(label)
    visible = text if text.isascii() else _ignorable().sub("", _decomposed(text))  # nothing of ASCII is ignorable
    return _decomposed(visible.translate(_prototypes()))


@cache
def _ignorable() -> re.Pattern[str]:
    return re.compile(f"[{tables.IGNORABLES}]")


@cache
def _mark_run() -> re.Pattern[str]:
    return re.compile(f"[{tables.MARKS}]{{2,}}")


def _decomposed(text: str) -> str:
    """The text with every character decomposed, marks in the order of their code points."""
    if text.isascii():
        return text
    later = _later_decompositions()
    apart = "".join(later.get(ord(c)) or ucd_3_2_0.normalize("NFD", c) for c in text)
    return _mark_run().sub(lambda marks: "".join(sorted(marks[0])), apart)
