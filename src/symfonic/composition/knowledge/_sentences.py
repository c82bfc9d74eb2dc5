"""Where sentences end.

Rules of this module: pure, standard library only, linear in the text: every look back or ahead is bounded. In doubt
there is no boundary, because a boundary that is none cuts a sentence while a missed one only makes a longer unit. What
a letter, a capital or a space is comes from ``characters``, never from the interpreter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE, is_digit, is_lower, is_upper, lower

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["sentences"]

# Full stops that need white space after them, full stops that do not (CJK and kin), and what may close a quotation.
_STOP: Final = ".!?…‥؟۔।॥։።፧។႟၊။᙮"
_WIDE_STOP: Final = "。！？｡．"
_CLOSERS: Final = "\"'”’“‘»›)\\]}」』）】〉》〕｣*_`"
_END: Final = re.compile(f"(?P<stop>[{_STOP}]++|[{_WIDE_STOP}]++[{_STOP}{_WIDE_STOP}]*+)[{_CLOSERS}]*+")
_SPACES: Final = re.compile(f"[{WHITE_SPACE}]*+")
_SPACE: Final = re.compile(f"[{WHITE_SPACE}]")
_OPENERS: Final = "\"'“‘„«‹([{「『（*_`"
_PARTICLES: Final = "とっがをはにでもへのや、，,"
_LOOK_BACK: Final = 24
_LONGEST_OPENING: Final = 8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ABBREVIATIONS: Final = _words(
    # titles and names
    "adm capt dr drs fr gen gov jr lt mag messrs mme mlle mr mrs ms prof rep rev sen sgt sr st ste mt ft "
    # references
    "abb abs anm bd bde cf ch chap cit cp ed eds eq eqs fig figs fn ibid kap lit loc n nn nos nr nrs p para pg pl pp "
    "refs s sect ser sp ss supp tbl v vol vols vgl z "
    # Latin, English
    "al approx appt apt assn assoc ave bldg blvd ca dept dist e.g eg esp etc excl i.e ie incl "
    "misc n.b nb p.s q.v resp rd tel temp viz vs w.r.t wrt "
    # companies
    "bros co corp inc llc ltd plc "
    # dates
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri a.d b.c a.m p.m "
    # German, French, Spanish, Italian
    "allg aufl bearb bes betr bsp bspw bzgl bzw d.h dgl dipl evtl geb gegr ggf hrsg i.d.r ing inkl insb jh mio mrd "
    "mwst o.ä o.g s.a s.o s.u sog str tsd u.a u.ä usw u.u verf z.b z.t zzgl av bull env éd p.ex sté c.-à-d dña "
    "ej núm pág págs sra srta ud uds ecc sig sigg"
)
# Ordinary words too, unless a number follows; and what ends a sentence as often as not: a capital after it decides.
_BEFORE_NUMBERS: Final = _words("app art cap col ex id max min no op par pt ref sec tab")
_ENDING_TOO: Final = _words("etc usw ecc co corp inc ltd llc plc bros a.m p.m mwst")


def sentences(text: str) -> Iterator[str]:
    """Cut ``text`` after every sentence; the pieces, white space included, make up ``text`` again."""
    start = 0
    for found in _END.finditer(text):
        gap = _SPACES.match(text, found.end())
        end = gap.end() if gap else found.end()
        if end < len(text) and _is_boundary(text, found, end, start):
            yield text[start:end]
            start = end
    if start < len(text):
        yield text[start:]


def _is_boundary(text: str, found: re.Match[str], following: int, start: int) -> bool:
    stop = found["stop"]
    if stop[0] in _WIDE_STOP:
        # A particle after a closing bracket goes on with the sentence around the quotation.
        quoted = found.end() > found.end("stop") and following == found.end()
        return not (quoted and text[following] in _PARTICLES)
    if following == found.end():
        return False
    ahead = text[following : following + _LONGEST_OPENING].lstrip(_OPENERS)[:1]
    if is_lower(ahead):
        return False
    return stop != "." or not _is_abbreviation(text[max(start, found.start() - _LOOK_BACK) : found.start()], ahead)


def _is_abbreviation(before: str, ahead: str) -> bool:
    """Whether the full stop after ``before`` belongs to an abbreviation, an initial or an ordinal number."""
    word = _SPACE.split(before)[-1].lstrip(_OPENERS)  # empty where a space comes before the full stop
    lowered = lower(word)
    if lowered in _BEFORE_NUMBERS:
        return is_digit(ahead)
    if lowered in _ABBREVIATIONS:
        return lowered not in _ENDING_TOO or not is_upper(ahead)
    if is_digit(word):
        return len(word) <= 2  # "am 3. Oktober", "1. First step"; a year ends its sentence
    last = word.rpartition(".")[2]
    # "J. Smith", "U.S. Army", "z. B."; the pronoun is no initial.
    return len(last) == 1 and last.isalpha() and last.isascii() and word != "I"
