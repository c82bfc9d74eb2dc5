"""A first look at untrusted text: whether anything in it has to be treated, or is worth a folded copy.

Rules of this module:

* It may call for a closer look that finds nothing, and must never miss what a closer look would find. A test holds
  that, with every character that folds to anything, in every place.
* It reads a text as it stands, with classes that the fold decides: what folds to the letters a name begins with, what
  to nothing. An ampersand before anything that could be a reference always calls for the closer look.
* Everything is linear: from an angle it reads on to the next one at most.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from . import _tables as tables
from ._folding import MAY_START_REFERENCE, fold_plain
from ._invisibles import may_be_flooded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LEADING_MARK: Final = re.compile(f"[{tables.IGNORABLES}]*+[{tables.MARKS}]")
"""A combining mark at the very start, before which nothing shows."""

_ANGLES: Final = tables.ANGLES_OPEN + tables.ANGLES_CLOSE
# Of ASCII only a letter or a number sign goes on after the ampersand of a reference.
_REFERENCE: Final = rf"(?<=[{MAY_START_REFERENCE}])(?![\t\n -\"$-@\[-`{{-~]|\Z)"
_PLAIN_REFERENCE: Final = re.compile("&(?![^#A-Za-z])")
_ANGLED: Final = ("sta", "end", "bos", "eos", "pad", "unk", "unu", "too", "thi", "fim", "beg")
"""How the names of control tokens in angles begin."""
_SQUARED: Final = ("ins", "sys", "ava", "too", "arg", "cal")
"""How those in square brackets begin."""


_STARTERS: Final = f"{_ANGLES}{tables.SQUARE_OPEN}{MAY_START_REFERENCE}"
"""What a delimiter or a control token may begin with."""


@cache
def _beside(kept: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is neither plain nor one of these, and the same without combining marks; large classes, made when needed."""
    return re.compile(f"[^{tables.PLAIN}{kept}]"), re.compile(f"[^{tables.PLAIN_OR_MARK}{kept}]")


def needs_nothing(text: str) -> bool:
    """Whether nothing in a text has to be cleaned, counted or neutralised; ``False`` promises nothing."""
    return _is_made_of_plain_and("", text)


def needs_no_cleaning(text: str) -> bool:
    """Whether nothing in a text has to be cleaned or counted; ``False`` promises nothing."""
    return _is_made_of_plain_and(_STARTERS, text)


def _is_made_of_plain_and(kept: str, text: str) -> bool:
    other, other_than_marks = _beside(kept)
    first = other.search(text)
    if first is None:
        return True
    if other_than_marks.search(text, first.start()):
        return False
    return not (may_be_flooded(text) or LEADING_MARK.match(text))


@cache
def delimiter_candidate() -> re.Pattern[str]:
    """An angle, then no letter or digit, then how the delimiter's name begins; or what may be a reference."""
    return re.compile(f"[{_ANGLES}{MAY_START_REFERENCE}](?:{_delimiter()}|{_REFERENCE})")


@cache
def token_candidate(*, sentence_tokens: bool = False) -> re.Pattern[str]:
    """An angle or square bracket and how a control token goes on; or what may be a reference."""
    starts = f"[{tables.ANGLES_OPEN}{tables.SQUARE_OPEN}{MAY_START_REFERENCE}]"
    return re.compile(f"{starts}(?:{_token(sentence_tokens=sentence_tokens)}|{_REFERENCE})")


def may_hold_either(text: str, *, sentence_tokens: bool = False) -> bool:
    """Whether a delimiter or a control token could stand in a text, told in one look."""
    if not text.isascii():
        return _candidate(sentence_tokens=sentence_tokens).search(text) is not None
    # Nothing of ASCII folds to anything but its small letter, so the names can be looked for as they are written.
    lowered = text.lower()
    return (
        "untrusted" in lowered
        or _plain_token(sentence_tokens=sentence_tokens).search(lowered) is not None
        or _PLAIN_REFERENCE.search(text) is not None
    )


@cache
def _candidate(*, sentence_tokens: bool) -> re.Pattern[str]:
    token = _token(sentence_tokens=sentence_tokens)
    return re.compile(f"[{_STARTERS}](?:{_delimiter()}|{token}|{_REFERENCE})")


@cache
def _plain_token(*, sentence_tokens: bool) -> re.Pattern[str]:
    """How control tokens begin that are written in ASCII, in small letters."""
    angled, squared = ("|".join(names) for names in ((*_ANGLED, *("s" * sentence_tokens)), _SQUARED))
    first = "".join(sorted({name[0] for name in (*_ANGLED, *_SQUARED)}))
    return re.compile(rf"[<\[](?=[|</{first}])(?:(?<=<)(?:\||<?/?(?:{angled}|sys))|(?<=\[)/?(?:{squared}))")


def _delimiter() -> str:
    """What follows an angle before the delimiter's name; never past the next angle."""
    u, n = (_beginning({letter, *_members(tables.LOOKALIKES[letter])}) for letter in "un")
    marks = _folding_to(lambda folded: folded != "" and _MARKS.fullmatch(folded) is not None)
    between = f"[{_basic(tables.MARKS)}{_basic(tables.IGNORABLES)}{marks}]*"
    name = f"(?:{_unclear()}|[{u}]{between}(?:{_unclear()}|[{n}]))"
    letters = _folding_to(lambda folded: _LETTER_OR_DIGIT.search(folded) is not None)
    # Letters on black ground are symbols, so a gap may end at each of them.
    gap = f"[^{_basic(tables.LETTERS_AND_DIGITS)}{letters}{_ANGLES}{_HIGHER}]*?"
    return f"(?<=[{_ANGLES}])(?![{_inside(_ASCII_WORD - set(u))}]){gap}{name}"


def _token(*, sentence_tokens: bool) -> str:
    """What follows an angle or a square bracket in a control token; most are settled by the character after them."""
    slash = f"(?:[{_beginning('/')}]{_ignored()})?"
    sentence = f"[{_beginning('s')}]|" if sentence_tokens else ""
    angled = f"{slash}(?:{sentence}{_one_of(_ANGLED)})"
    system = f"[{tables.ANGLES_OPEN}]{_ignored()}{slash}{_one_of(('sys',))}"
    opened = f"(?<=[{tables.ANGLES_OPEN}]){_ignored()}(?:[{_beginning('|')}]|{angled}|{system})"
    squared = f"(?<=[{tables.SQUARE_OPEN}]){_ignored()}{slash}{_one_of(_SQUARED)}"
    first = _beginning({"/", "|", *(name[0] for name in (*_ANGLED, *_SQUARED))})
    next_ = f"[{first}{tables.ANGLES_OPEN}{_basic(tables.IGNORABLES)}{_unclear()[1:]}"
    return f"(?={next_})(?:{opened}|{squared})"


# ------------------------------------------------------------------------------------------ classes the fold decides

# Every range above the basic plane is asked for by itself, and there are hundreds of them. Whatever stands there calls
# for the closer look; hardly anything does, after an angle or a bracket.
_HIGHER: Final = "\U00010000-\U0010ffff"
_LETTER_OR_DIGIT: Final = re.compile(f"[{tables.LETTERS_AND_DIGITS}]")
_ASCII_WORD: Final = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Settled before anything else is asked: what most often stands behind an angle."""
_MARKS: Final = re.compile(f"[{tables.MARKS}]+")
_RANGE: Final = re.compile(r"\\?(.)(?:-\\?(.))?", re.DOTALL)


def _members(inside: str) -> Iterator[str]:
    """The characters of a class, given as its inside."""
    for first, last in _RANGE.findall(inside):
        yield from map(chr, range(ord(first), ord(last or first) + 1))


def _basic(inside: str) -> str:
    """The part of a class that lies in the basic plane; no range of the tables goes beyond its end."""
    return "".join(found[0] for found in _RANGE.finditer(inside) if found[1] < "\U00010000")


@cache
def _folds() -> dict[str, str]:
    """Every character of the basic plane that does not fold to itself, and what it folds to."""
    changed = {*_members(tables.IGNORABLES)}
    for sources in (*tables.FOLD_TO_ONE.values(), *tables.FOLD_TO_MANY.values()):
        changed.update(sources)
    return {character: fold_plain(character) for character in sorted(changed) if character < "\U00010000"}


def _inside(characters: Iterable[str]) -> str:
    """The inside of a class of these characters."""
    return "".join(f"\\{c}" if c in "\\]^-[" else c for c in sorted(set(characters)))


def _folding_to(wanted: Callable[[str], bool]) -> str:
    """Of the characters that do not fold to themselves those whose fold is wanted."""
    return _inside(c for c, folded in _folds().items() if wanted(folded))


def _beginning(letters: Iterable[str]) -> str:
    """What folds to one of these letters, or to a text that begins with one."""
    wanted = set(letters)
    themselves = {c for c in wanted if c not in _folds() and c < "\U00010000"}
    return _inside(themselves | {c for c, folded in _folds().items() if folded[:1] in wanted})


@cache
def _unclear() -> str:
    """A class of what folds to more than one letter or digit, or stands above the basic plane: it could be anything."""
    return f"[{_folding_to(lambda folded: len(_LETTER_OR_DIGIT.findall(folded)) > 1)}{_HIGHER}]"


@cache
def _ignored() -> str:
    """A pattern of what folds to nothing."""
    return f"[{_basic(tables.IGNORABLES)}]*"


def _one_of(names: Iterable[str]) -> str:
    """A pattern of how these names begin, with what folds to nothing between the letters."""
    classes = ([f"[{_beginning(letter)}]" for letter in name] for name in names)
    between, unclear = _ignored(), _unclear()
    spelled = (
        f"{first}{between}(?:{unclear}|{second}{between}(?:{unclear}|{third}))" for first, second, third in classes
    )
    return f"(?:{unclear}|{'|'.join(spelled)})"
