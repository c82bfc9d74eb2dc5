"""Which encoding bytes are in that say nothing about it, and what names encodings have.

Rules of this module: a guess is made where it can be checked, and only then: whatever is decoded here holds nothing but
what text is made of. Tables decide what that is, so that every interpreter decides alike. It is the only module that
knows chardetng, the detector of a browser, which is imported when bytes are in no Unicode encoding. The detector always
names something; what is believed of it, and why, stands in ``docs/decisions/0018-encodings.md``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import metadata
from typing import Final

from symfonic.adapters.knowledge.extractors import _tables as tables
from symfonic.adapters.knowledge.extractors.characters import WORD

__all__ = ["codec_of", "detected_text", "detector_release", "escaped_text", "is_plausible", "wide_text"]

# Encodings of web pages. Not every Python codec: "unicode_escape" interprets the text, "utf-7" hides markup, and
# "punycode" takes quadratic time. As the HTML standard has it, Latin-1 and ASCII mean Windows-1252.
_WEB: Final = {
    **dict.fromkeys(("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1"), "cp1252"),
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"{maker}{page}": f"cp{page}" for page in (874, *range(1250, 1259)) for maker in ("windows-", "cp")},
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    **dict.fromkeys(("ibm866", "cp866"), "cp866"),
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-9": "cp1254",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
}
# What every mail program writes that does not know better.
_NOTHING_SAID: Final = frozenset({"us-ascii", "ascii", "ansi_x3.4-1968"})

# Letters, marks and numbers of every script, ASCII, and the punctuation and signs that stand beside them. Neither
# controls nor private use nor, in the basic plane, characters that are not assigned.
_TEXT: Final = (
    f"{WORD}\t\n\f\r -~\xa0-\xff\u02c2-\u02df\u037e\u0384\u0385\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6"
    "\u05f3\u05f4\u060c\u060d\u061b\u061e\u061f\u066a-\u066d\u06d4\u0964\u0965\u0970\u0e2f\u0e3f\u0e46\u0e4f\u0e5a\u0e5b"
    "\u10fb\u1360-\u1368\u200b-\u200f\u2010-\u2027\u202f-\u205e\u20a0-\u20c0\u2100-\u23ff\u2460-\u2bff\u2e00-\u2e5d"
    "\u3000-\u303f\u309b-\u309e\u30a0\u30fb-\u30fe\ufb1e-\ufb4f\ufe30-\ufe6b\uff01-\uff65\uffe0-\uffe6"
)
_ESCAPE: Final = b"\x1b$"
_FEW: Final = 8
_RIGHT: Final = 4


@cache
def _text() -> re.Pattern[str]:
    return re.compile(f"[{_TEXT}]*+")


def is_plausible(text: str) -> bool:
    """Whether a text holds nothing but what text is made of."""
    return _text().fullmatch(text) is not None


def codec_of(name: str, *, mail: bool = False) -> str:
    """Python's name of the encoding a page or a message declares; empty where it is none that may be believed."""
    name = name.strip().lower()
    return "" if mail and name in _NOTHING_SAID else _WEB.get(name, "")


def escaped_text(data: bytes) -> str | None:
    """The text of ISO-2022-JP, which is told by its escape sequences; ``None`` for anything else."""
    if _ESCAPE not in data or not data.isascii():
        return None
    text = _decoded(data, "iso2022_jp")
    return text if text is not None and is_plausible(text) else None


def wide_text(data: bytes) -> str | None:
    """The text of UTF-32 or UTF-16 without a byte order mark; ``None`` where it is not certain to be that.

    UTF-32 is: no other text decodes as it. In UTF-16 two readings are possible, which differ in the order of bytes.
    In the right one there are characters of ASCII, more than half of all or :data:`_FEW`, and :data:`_RIGHT` times as
    many as characters that would be of ASCII in the other.
    """
    for encoding in ("utf-32-le", "utf-32-be"):
        text = _decoded(data, encoding) if len(data) % 4 == 0 else None
        if text is not None and is_plausible(text):
            return text
    for encoding, high, low in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        plain, turned = data[high::2].count(0), data[low::2].count(0)
        certain = plain >= _RIGHT * turned and (plain >= _FEW or 4 * plain > len(data))
        text = _decoded(data, encoding) if certain and len(data) % 2 == 0 else None
        if text is not None and is_plausible(text):
            return text
    return None


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


# ------------------------------------------------------------------------------------------------ one byte or several

_SAMPLE_BYTES: Final = 262_144
_WESTERN: Final = "cp1252"
_LATIN: Final = frozenset({_WESTERN, "cp1250", "cp1254", "cp1257", "cp1258", "iso8859-2", "iso8859-4"})
_ENOUGH: Final = 8
_FOREIGN: Final = re.compile(rb"[\x80-\xff]")
_NEIGHBOURS: Final = re.compile(rb"[\x80-\xff]{2}")
_LETTERS: Final = re.compile(r"[^\W\d_]")
# Between two letters none of these stands: there it is a letter, read in the wrong encoding.
_SIGN_IN_WORD: Final = re.compile(r"[^\W\d_][†‡•™‰€ƒˆ˜¤¦§¨¬¯°±²³´µ¶¸¹º¼½¾¿×÷ªˇ˘˙˛˝¡«»‹›„“”…–—‚©®£¥¢][^\W\d_]")
# Lithuanian read in the encoding of its neighbours: the languages that have đ have none of the others.
_LITHUANIAN: Final = (frozenset("đĐ"), frozenset("ëřŕţű"))
# With the tilde where Hungarian has two strokes; Portuguese has ã beside õ, Estonian ä.
_HUNGARIAN: Final = (frozenset("õÕû"), frozenset("öüóõÕ"))


@cache
def detector_release() -> str:
    """Name and installed release of the detector, the bare name where it is not installed."""
    try:
        return f"chardetng {metadata.version('chardetng-py')}"
    except metadata.PackageNotFoundError:
        return "chardetng"


def detected_text(data: bytes) -> str | None:
    """The text of bytes in an encoding that is not Unicode; ``None`` where there is not enough to be certain.

    Raises:
        ImportError: The detector is not installed.
    """
    codec = codec_of(_guess(data))
    text = _decoded(data, codec) if codec else None
    if text is None or not is_plausible(text):
        return None
    letters = _LETTERS.findall(text[: 4 * _SAMPLE_BYTES])
    foreign = sum(not letter.isascii() for letter in letters)
    if codec in _LATIN:
        return text if _is_latin(text, codec, foreign, len(letters)) else None
    if 10 * foreign < len(letters):
        return _western(data)
    certain = foreign >= _ENOUGH and 10 * foreign >= 3 * len(letters) and not _changes_case(text, foreign)
    return text if certain else None


def _guess(data: bytes) -> str:
    from chardetng_py import EncodingDetector

    first = _FOREIGN.search(data)
    start = first.start() if first else 0
    detector = EncodingDetector()
    detector.feed(data[start : start + _SAMPLE_BYTES], last=start + _SAMPLE_BYTES >= len(data))
    return str(detector.guess(tld=None, allow_utf8=False))


def _is_latin(text: str, codec: str, foreign: int, letters: int) -> bool:
    """Whether a text can be of a Latin script: few letters outside ASCII, no signs and no capitals within words."""
    used = frozenset(text)
    if codec == _WESTERN and all(used & part for part in _HUNGARIAN) and not used & {"ä", "ã"}:
        return False
    if codec == "cp1250" and all(used & part for part in _LITHUANIAN):
        return False
    enough = foreign >= (1 if codec == _WESTERN else _ENOUGH)
    few = codec == "cp1258" or 20 * foreign <= 9 * letters
    return enough and few and not _SIGN_IN_WORD.search(text) and not _changes_case(text, foreign)


def _western(data: bytes) -> str | None:
    """Windows-1252 where no two characters outside ASCII are neighbours, which in other scripts they always are."""
    text = None if _NEIGHBOURS.search(data) else _decoded(data, _WESTERN)
    return text if text is not None and is_plausible(text) and not _SIGN_IN_WORD.search(text) else None


@cache
def _case_change() -> re.Pattern[str]:
    small, capital = f"a-z{tables.LOWERCASE}", f"A-Z{re.escape(tables.CAPITALS)}"
    return re.compile(f"[{small}][{capital}]")


def _changes_case(text: str, foreign: int) -> bool:
    """Whether capitals follow small letters more often than in one of 200 letters outside ASCII."""
    changes = sum(not pair.isascii() for pair in _case_change().findall(text[: 4 * _SAMPLE_BYTES]))
    return 200 * changes > foreign
