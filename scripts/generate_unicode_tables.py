"""Generates the literal character tables of the text hygiene from the Unicode data files.

The boundary must give the same bytes on every interpreter, and each interpreter carries its own Unicode version. So
nothing that is rendered may depend on `unicodedata`: the tables below are read once from the files of one Unicode
version and written out as literals, one module for each capability that renders text and one for extraction and
cutting, whose passages must be the same bytes everywhere, too.

The sets that are a decision of ours (what a line break is, what imitates a square bracket) stand in this file as
literals; whatever Unicode defines (marks, scripts, variation sequences, compatibility forms, confusables) is read.

Usage::

    python scripts/generate_unicode_tables.py [DIRECTORY] [--check]

DIRECTORY holds `UnicodeData.txt` and its neighbours; without it, `unicode` below the folder named by the environment
variable SYMFONIC_CORPORA. `--check` writes nothing and exits with 1 when a module differs from what would be written.
"""

from __future__ import annotations

import argparse
import os
import sys
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent
CAPABILITIES = ROOT / "src" / "symfonic" / "capabilities"
EXTRACTORS = ROOT / "src" / "symfonic" / "adapters" / "knowledge" / "extractors"

# ------------------------------------------------------------------------------------------------ decisions of ours

LINE_BREAKS = {0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029}
SOFT_INVISIBLES = {0xAD, 0x200B, *range(0x2060, 0x2065), 0xFEFF}
CONTROLS = {c for c in (*range(0x20), *range(0x7F, 0xA0)) if c not in LINE_BREAKS and c != 0x09}
TAGS = set(range(0xE0000, 0xE0080))
BIDI_CONTROLS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
BIDI_MARKS = {0x200E, 0x200F, 0x061C}
JOINERS = {0x200C, 0x200D}
IDEOGRAPHIC_SELECTORS = set(range(0xE0100, 0xE01F0))
MONGOLIAN_SELECTORS = {0x180B, 0x180C, 0x180D, 0x180F}
SELECTORS = {*range(0xFE00, 0xFE10)} | IDEOGRAPHIC_SELECTORS | MONGOLIAN_SELECTORS
AMPERSANDS = frozenset({0x26, 0xFE60, 0xFF06})
MONGOLIAN_SEPARATOR = 0x180E
FILLERS = {
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),
    *range(0x206A, 0x2070),
    *range(0xFFF0, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *(set(range(0xE0080, 0xE1000)) - IDEOGRAPHIC_SELECTORS),
}
NONCHARACTERS = {*range(0xFDD0, 0xFDF0), *(plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF))}
BASIC_PLANE = set(range(0x10000))
PRIVATE_USE = {*range(0xE000, 0xF900), *range(0xF0000, 0xFFFFE), *range(0x100000, 0x10FFFE)}
SURROGATES = set(range(0xD800, 0xE000))
BLANKS = {0x2800, 0x1D159, 0x16FE4, 0xFFFC, 0x13441, 0x13442}  # the last two are letters by category

# Ps/Pe characters a reader, or a model, takes for a square bracket; quotes and corner brackets are not among them.
SQUARE_OPEN = {
    *(0x5B, 0x2045, 0x2308, 0x230A, 0x2772, 0x27E6, 0x27EC, 0x298B, 0x298D, 0x298F, 0x2997, 0x2E22, 0x2E24, 0x2E55),
    *(0x2E57, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0xFF3B),
}
SQUARE_CLOSE = {
    *(0x5D, 0x2046, 0x2309, 0x230B, 0x2773, 0x27E7, 0x27ED, 0x298C, 0x298E, 0x2990, 0x2998, 0x2E23, 0x2E25, 0x2E56),
    *(0x2E58, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0xFF3D),
}
LESS_THAN = {0x3C, 0x02C2, 0x1438, 0x16B2, 0x2039, 0x276E, 0x27E8, 0x2329, 0x3008}
GREATER_THAN = {0x3E, 0x02C3, 0x1433, 0x203A, 0x276F, 0x27E9, 0x232A, 0x3009}
ZWJ, EMOJI_SELECTOR, FIRST_TONE, LAST_TONE, BLACK_FLAG = 0x200D, 0xFE0F, 0x1F3FB, 0x1F3FF, 0x1F3F4

MARKER_LETTERS = "source"
DELIMITER_LETTERS = "untrsead"
# Letters in a dress that UTS #39 does not list: how Unicode names them, the letter follows.
DRESSED_LETTERS = (
    "LATIN LETTER SMALL CAPITAL ",
    "NEGATIVE CIRCLED LATIN CAPITAL LETTER ",
    "NEGATIVE SQUARED LATIN CAPITAL LETTER ",
    "REGIONAL INDICATOR SYMBOL LETTER ",
)
# What a reader takes for the two characters that only our own labels end with; UTS #39 knows most of them.
MIDDLE_DOTS = {0xB7, 0x2E33, 0x2024}
TILDES = {0x7E, 0x301C, 0x223D, 0x2F7}
ACUTE = 0x0301  # stands for "some combining mark" in the folded copy


# --------------------------------------------------------------------------------------------------------- reading


def fields(path: Path) -> Iterator[list[str]]:
    """The semicolon-separated fields of every data line, comments removed."""
    for line in path.read_text("utf-8-sig").splitlines():
        data = line.split("#", 1)[0].strip()
        if data and not data.startswith("@"):
            yield [part.strip() for part in data.split(";")]


def code_points(text: str) -> list[int]:
    """`0041 0301` as a list of integers."""
    return [int(part, 16) for part in text.split()]


def span(text: str) -> range:
    """`0041..005A` or `0041` as a range."""
    first, _, last = text.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def property_map(path: Path) -> dict[int, str]:
    """Code point to property value, for files with one value a line."""
    return {c: row[1] for row in fields(path) for c in span(row[0])}


def property_set(path: Path, name: str) -> set[int]:
    """Code points that have the binary property `name`."""
    return {c for row in fields(path) if row[1] == name for c in span(row[0])}


@dataclass
class Unicode:
    """What the generator needs of one Unicode version."""

    directory: Path
    names: dict[int, str] = field(default_factory=dict)
    category: dict[int, str] = field(default_factory=dict)
    script: dict[int, str] = field(default_factory=dict)
    decomposition: dict[int, tuple[bool, list[int]]] = field(default_factory=dict)
    folding: dict[int, list[int]] = field(default_factory=dict)
    confusable: dict[int, list[int]] = field(default_factory=dict)
    ignorable: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Read the files."""
        self.category = property_map(self.directory / "DerivedGeneralCategory.txt")
        self.script = property_map(self.directory / "Scripts.txt")
        self.ignorable = property_set(self.directory / "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
        self.confusable = {int(r[0], 16): code_points(r[1]) for r in fields(self.directory / "confusables.txt")}
        for row in fields(self.directory / "CaseFolding.txt"):
            if row[1] in "CF":
                self.folding[int(row[0], 16)] = code_points(row[2])
        for row in fields(self.directory / "UnicodeData.txt"):
            self.names[int(row[0], 16)] = row[1]
            if row[5]:
                canonical = not row[5].startswith("<")
                self.decomposition[int(row[0], 16)] = canonical, code_points(row[5].rsplit(">", 1)[-1])

    @property
    def version(self) -> str:
        """The version, as the first line of a derived file tells it."""
        head = (self.directory / "DerivedGeneralCategory.txt").open(encoding="utf-8").readline()
        return head.strip().removesuffix(".txt").rsplit("-", 1)[-1]

    def of_category(self, letters: str) -> set[int]:
        """Code points whose general category starts with one of `letters`."""
        return {c for c, value in self.category.items() if value[0] in letters}

    def compatibility(self, c: int) -> list[int]:
        """The full compatibility decomposition (NFKD) of one code point; Hangul, which is algorithmic, as itself."""
        _, parts = self.decomposition.get(c, (True, []))
        return [d for part in parts for d in self.compatibility(part)] or [c]

    def canonical(self, c: int) -> list[int]:
        """The full canonical decomposition (NFD) of one code point; Hangul as itself."""
        canonical, parts = self.decomposition.get(c, (False, []))
        return [d for part in parts for d in self.canonical(part)] if canonical else [c]

    def fold(self, c: int) -> list[int]:
        """NFKD, case folding and NFKD again, invisibles dropped: the end of every transform chain we promise about.

        U+0345 stays the mark it is: case folding makes a letter of it, which only ever breaks a word.
        """
        folded = [f for d in self.compatibility(c) for f in (self.folding.get(d, [d]) if d != 0x0345 else [d])]
        return [d for f in folded for d in self.compatibility(f) if d not in self.ignorable]


# ---------------------------------------------------------------------------------------------------- derived sets


def spaces(data: Unicode) -> set[int]:
    """Tab and every space separator other than U+0020."""
    return {c for c, value in data.category.items() if value == "Zs" and c != 0x20} | {0x09}


def marks(data: Unicode) -> set[int]:
    """Combining marks; variation selectors, which are marks by category, count apart."""
    return data.of_category("M") - SELECTORS


def joining(data: Unicode) -> set[int]:
    """Letters and marks of the scripts that use joiners: those that join like Arabic, and the Indic ones."""
    shaped = {row[0]: row[2] for row in fields(data.directory / "ArabicShaping.txt")}
    scripts = {data.script[int(c, 16)] for c, kind in shaped.items() if kind in "DRL"}
    short = short_names(data, scripts)
    shared = {c: set(r[1].split()) for r in fields(data.directory / "ScriptExtensions.txt") for c in span(r[0])}
    arabic = {c for c, script in data.script.items() if script in scripts}
    arabic |= {c for c, names in shared.items() if names <= short}
    indic = {c for row in fields(data.directory / "IndicSyllabicCategory.txt") for c in span(row[0])}
    return (arabic | indic) & data.of_category("LM") - SELECTORS - FILLERS


def short_names(data: Unicode, scripts: set[str]) -> set[str]:
    """Four-letter codes of the scripts, as ScriptExtensions writes them."""
    del data
    codes = {
        "Adlam": "Adlm", "Arabic": "Arab", "Chorasmian": "Chrs", "Hanifi_Rohingya": "Rohg", "Mandaic": "Mand",
        "Manichaean": "Mani", "Mongolian": "Mong", "Nko": "Nkoo", "Old_Uyghur": "Ougr", "Phags_Pa": "Phag",
        "Psalter_Pahlavi": "Phlp", "Sogdian": "Sogd", "Syriac": "Syrc",
    }  # fmt: skip
    return {codes[name] for name in scripts}


def variations(data: Unicode) -> dict[int, set[int]]:
    """Selector to the bases it may follow: standardized and emoji variation sequences."""
    bases: dict[int, set[int]] = defaultdict(set)
    for name in ("StandardizedVariants.txt", "emoji-variation-sequences.txt"):
        for row in fields(data.directory / name):
            base, selector = code_points(row[0])
            bases[selector].add(base)
    mongolian = {c for c in data.of_category("LM") if data.script.get(c) == "Mongolian"} - SELECTORS
    for selector in MONGOLIAN_SELECTORS:
        bases[selector] |= mongolian
    return dict(sorted(bases.items()))


def emoji_sequences(data: Unicode) -> list[str]:
    """RGI emoji ZWJ sequences without U+FE0F; `*` stands for any skin tone, `≠` for a tone unlike the first."""
    shapes: dict[str, int] = defaultdict(int)
    for row in fields(data.directory / "emoji-zwj-sequences.txt"):
        parts = [c for c in code_points(row[0]) if c != EMOJI_SELECTOR]
        shape = "".join("*" if FIRST_TONE <= c <= LAST_TONE else chr(c) for c in parts)
        shapes[shape] += 1
    kinds = {1: "=", 5: "=", 25: "=", 20: "!"}
    return sorted(kinds[count] + shape for shape, count in shapes.items())


def flags(data: Unicode) -> list[str]:
    """The tag tails of the RGI emoji tag sequences, which all start with the black flag."""
    rows = [r for r in fields(data.directory / "emoji-sequences.txt") if r[1] == "RGI_Emoji_Tag_Sequence"]
    sequences = [code_points(row[0]) for row in rows]
    assert all(sequence[0] == BLACK_FLAG for sequence in sequences)
    return ["".join(map(chr, sequence[1:])) for sequence in sequences]


def closed(data: Unicode, characters: set[int]) -> set[int]:
    """`characters` and whatever shows one of them under a normal form."""
    return characters | {c for c in data.decomposition if characters & set(data.compatibility(c))}


def square_brackets(data: Unicode) -> tuple[set[int], set[int]]:
    """Opening and closing imitations of `[` and `]`; a letter in such dress (U+1F12A) counts as opening."""
    openers = closed(data, SQUARE_OPEN)
    return openers, closed(data, SQUARE_CLOSE) - openers


def angles(data: Unicode) -> tuple[set[int], set[int]]:
    """Opening and closing angles: the eight that become `<` or `>` under a normal form, and the look-alikes."""
    return closed(data, LESS_THAN), closed(data, GREATER_THAN)


def lookalikes(data: Unicode, letters: str) -> dict[str, set[int]]:
    """For each letter the characters UTS #39 calls confusable with it, in either case and in any form of theirs.

    Dressed letters count too. A character may look like two letters: U+03F2 is like c, and its compatibility form, a
    sigma, like o.
    """
    like: dict[str, set[int]] = {letter: set() for letter in letters}
    direct = {c: name[-1].lower() for c, name in data.names.items() if name[:-1] in DRESSED_LETTERS}
    direct = {c: letter for c, letter in direct.items() if letter in letters}
    for c, target in data.confusable.items():
        lower = data.folding.get(target[0], target)
        canonical, parts = data.decomposition.get(c, (False, []))
        composed = canonical and len(parts) > 1
        if len(target) == len(lower) == 1 and chr(lower[0]) in letters and not composed:
            direct[c] = chr(lower[0])
    for c in {*direct, *data.folding, *data.decomposition}:
        if data.fold(c) != [0x30] and all(d < 0x80 for d in data.fold(c)):
            continue  # ASCII, or folded to it
        forms = {(c,), tuple(data.compatibility(c)), tuple(data.folding.get(c, [c])), tuple(data.fold(c))}
        for form in forms:
            if len(form) == 1 and form[0] in direct:
                like[direct[form[0]]].add(c)
    if "o" in like:
        like["o"].add(0x30)
    return like


def folded_copy(data: Unicode, alike: set[int]) -> tuple[dict[int, int], dict[int, str]]:
    """The fold of the detectors: what becomes one other character, and what becomes several.

    Only characters whose fold shows an ASCII character, a bracket, a space or a look-alike matter; all others stay. The
    combining marks of a decomposed letter all become one, so that equal shapes share a line of the table.
    """
    openers, closers = square_brackets(data)
    less, greater = angles(data)
    plain = dict.fromkeys(spaces(data) | LINE_BREAKS | BLANKS, 0x20)
    plain |= dict.fromkeys(openers, 0x5B) | dict.fromkeys(closers, 0x5D)
    plain |= dict.fromkeys(less, 0x3C) | dict.fromkeys(greater, 0x3E)
    combining = marks(data)
    one: dict[int, int] = {}
    many: dict[int, str] = {}
    for c in {*plain, *data.decomposition, *data.folding} - data.ignorable:
        folded = [plain.get(d, d) for d in data.fold(c)]
        if c not in combining and all(d in combining for d in folded):  # marks of half width
            many[c] = "".join(map(chr, folded))
            continue
        whole = plain.get(c) if len(folded) == 1 or c not in openers else None
        if whole is not None or len(folded) == 1:
            target = folded[0] if whole is None else whole
            if target != c and target < 0x80:
                one[c] = target
        elif any(d < 0x80 or d in alike for d in folded):
            dressed = all(d in combining for d in folded[1:])
            many[c] = "".join(map(chr, [folded[0], ACUTE] if dressed else folded))
        elif data.compatibility(c)[0] in alike:
            # A capital that looks like the letter, with an accent; its small letter does not look like it.
            many[c] = chr(data.compatibility(c)[0]) + chr(ACUTE)
    return one, many


def letters_and_digits(data: Unicode) -> set[int]:
    """Code points that end the gap between an angle and the delimiter's name: their decomposition shows a letter."""
    word = data.of_category("LN")
    return {c for c in word if any(d in word for d in data.compatibility(c))} - data.ignorable


# --------------------------------------------------------------------------------------------------------- writing


def escape(c: int) -> str:
    """One code point for use in a literal that is also the inside of a regular-expression class."""
    if c > 0xFFFF:
        return f"\\U{c:08x}"
    if c > 0x7E or c < 0x20:
        return f"\\u{c:04x}" if c > 0xFF else f"\\x{c:02x}"
    return {'"': '\\"', "\\": "\\\\\\\\", "[": "\\\\[", "]": "\\\\]", "^": "\\\\^", "-": "\\\\-"}.get(chr(c), chr(c))


def escape_text(text: str) -> list[str]:
    """The characters of a plain literal."""
    return [
        '\\"' if c == '"' else "\\\\" if c == "\\" else chr(ord(c)) if " " <= c <= "~" else escape(ord(c)) for c in text
    ]


def ranges(points: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Maximal runs of consecutive code points."""
    ordered = sorted(points)
    start = 0
    for i in range(1, len(ordered) + 1):
        if i == len(ordered) or ordered[i] != ordered[i - 1] + 1:
            yield ordered[start], ordered[i - 1]
            start = i


def class_pieces(points: Iterable[int]) -> list[str]:
    """`a-z` pieces, one a range."""
    pieces = []
    for first, last in ranges(points):
        middle = "" if last == first else "-" if last > first + 1 else ""
        pieces.append(escape(first) + middle + (escape(last) if last > first else ""))
    return pieces


def literal(pieces: Iterable[str], indent: str = "    ") -> str:
    """String pieces as adjacent literals, no line beyond 112 columns."""
    lines, line = [], ""
    for piece in pieces:
        if line and len(indent) + len(line) + len(piece) > 110:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line)
    return "\n".join(f'{indent}"{text}"' for text in lines)


def assignment(name: str, note: str, pieces: Iterable[str]) -> str:
    """`NAME = ("..." "...")` under a comment."""
    return f"# {note}\n{name} = (\n{literal(pieces)}\n)\n"


def mapping(name: str, note: str, kind: str, entries: Mapping[str, Iterable[str]]) -> str:
    """A dictionary of string to string."""
    rows = []
    for key, pieces in entries.items():
        body = literal(pieces, "        ")
        rows.append(f'    "{key}": (\n{body}\n    ),' if "\n" in body else f'    "{key}": {body.strip()},')
    return f"# {note}\n{name}: {kind} = {{\n" + "\n".join(rows) + "\n}\n"


def fold_tables(data: Unicode, letters: str) -> list[str]:
    """The two dictionaries of the folded copy, sources grouped by what they become."""
    like = lookalikes(data, letters)
    one, many = folded_copy(data, set().union(*like.values()))
    by_target: dict[str, list[int]] = defaultdict(list)
    for c, target in one.items():
        by_target[chr(target)].append(c)
    by_text: dict[str, list[int]] = defaultdict(list)
    for c, text in many.items():
        by_text[text].append(c)
    first = {"".join(escape_text(k)): class_source(v) for k, v in sorted(by_target.items())}
    second = {"".join(escape_text(k)): class_source(v) for k, v in sorted(by_text.items())}
    alike = {letter: class_pieces(points) for letter, points in like.items()}
    note = "Folded copy of the detectors: what becomes the key (compatibility forms and case)."
    return [
        mapping("LOOKALIKES", "UTS #39: letter to what looks like it in some form.", "dict[str, str]", alike),
        mapping("FOLD_TO_ONE", note, "dict[str, str]", first),
        mapping("FOLD_TO_MANY", "The same for characters that become several.", "dict[str, str]", second),
    ]


def class_source(points: Iterable[int]) -> list[str]:
    """The characters themselves, one piece each."""
    return ["".join(escape_text(chr(c))) for c in sorted(points)]


def complement(points: set[int]) -> list[str]:
    """Everything else, the commonest ranges first: a negated class of it is what a regular expression scans fastest.

    A class with hundreds of ranges above U+FFFF makes the engine try each of them on every ordinary character.
    """
    rest = set(range(0x110000)) - points
    basic, emoji = set(range(0x10000)), set(range(0x1F000, 0x1FB00))
    return [piece for part in (rest & basic, rest & emoji, rest - basic - emoji) for piece in class_pieces(part)]


def suspicious() -> set[int]:
    """What has to be judged in its context."""
    return (SOFT_INVISIBLES | CONTROLS | FILLERS | TAGS | BIDI_CONTROLS | NONCHARACTERS | JOINERS | SELECTORS) | {
        MONGOLIAN_SEPARATOR
    }


def ordinary(notable: set[int]) -> list[str]:
    """The complement for a first look: of the higher planes only emoji and Han."""
    common = {*range(0x10000), *range(0x1F000, 0x1FB00), *range(0x20000, 0x30000)}
    return complement(notable | PRIVATE_USE | (set(range(0x110000)) - common))


def label_notable(data: Unicode) -> set[int]:
    """What a label replaces, and what makes a second look worth while."""
    brackets = set().union(*square_brackets(data), *angles(data))
    return (
        suspicious()
        | marks(data)
        | spaces(data)
        | LINE_BREAKS
        | BIDI_MARKS
        | BLANKS
        | SURROGATES
        | brackets
        | AMPERSANDS
    )


def block_notable(data: Unicode) -> set[int]:
    """What makes a second look at a block worth while, combining marks apart."""
    openers, _ = square_brackets(data)
    return suspicious() | (LINE_BREAKS - {0x0A}) | openers | set().union(*angles(data)) | AMPERSANDS


def shared_tables(data: Unicode) -> list[str]:
    """What both capabilities need: the content column of the table."""
    less, greater = angles(data)
    openers, closers = square_brackets(data)
    selector_bases = {escape(s): class_pieces(bases) for s, bases in variations(data).items()}
    han = {c for c, script in data.script.items() if script == "Han"}
    mongolian = {c for c in data.of_category("L") if data.script.get(c) == "Mongolian"}
    return [
        f'UNICODE_VERSION = "{data.version}"\n',
        assignment("UNSUSPICIOUS", "Everything that never has to be judged.", complement(suspicious())),
        assignment(
            "ORDINARY", "The same without marks, private use and rare planes.", ordinary(suspicious() | marks(data))
        ),
        assignment("LINE_BREAKS", "Every form at which some reader breaks a line.", class_pieces(LINE_BREAKS)),
        assignment(
            "SOFT_INVISIBLES", "Invisibles of ordinary text: one or two are removed.", class_pieces(SOFT_INVISIBLES)
        ),
        assignment("CONTROLS", "C0 and C1 controls that are neither tab nor line break.", class_pieces(CONTROLS)),
        assignment(
            "FILLERS", "Invisible letters, fillers, annotation and deprecated format controls.", class_pieces(FILLERS)
        ),
        assignment("TAGS", "Tag characters.", class_pieces(TAGS)),
        assignment("BIDI_CONTROLS", "Bidi embeddings, overrides and isolates.", class_pieces(BIDI_CONTROLS)),
        assignment("NONCHARACTERS", "Non-characters.", class_pieces(NONCHARACTERS)),
        assignment("BIDI_MARKS", "Bidi marks.", class_pieces(BIDI_MARKS)),
        assignment("JOINERS", "Zero width non-joiner and joiner.", class_pieces(JOINERS)),
        assignment("SELECTORS", "Variation selectors.", class_pieces(SELECTORS)),
        assignment(
            "IDEOGRAPHIC_SELECTORS", "Those of ideographic variation sequences.", class_pieces(IDEOGRAPHIC_SELECTORS)
        ),
        assignment("PRIVATE_USE", "Private use.", class_pieces(PRIVATE_USE)),
        assignment("MARKS", "Combining marks, variation selectors apart.", class_pieces(marks(data))),
        assignment("BASIC_MARKS", "Those of the basic plane.", class_pieces(marks(data) & BASIC_PLANE)),
        assignment("JOINING", "Letters and marks of scripts that use joiners.", class_pieces(joining(data))),
        assignment("BASIC_JOINING", "Those of the basic plane.", class_pieces(joining(data) & BASIC_PLANE)),
        assignment("MONGOLIAN", "Mongolian letters.", class_pieces(mongolian)),
        assignment("HAN", "Han, which ideographic selectors may follow.", class_pieces(han)),
        mapping("VARIATIONS", "Selector to the bases it may follow.", "dict[str, str]", selector_bases),
        assignment("FLAG_TAGS", "Tag tails of the three flags, joined by spaces.", flag_pieces(data)),
        emoji_table(data),
        assignment("ANGLES_OPEN", "What is or imitates a less-than sign.", class_pieces(less)),
        assignment("ANGLES_CLOSE", "What is or imitates a greater-than sign.", class_pieces(greater)),
        assignment("SQUARE_OPEN", "What is, imitates or becomes an opening square bracket.", class_pieces(openers)),
        assignment("SQUARE_CLOSE", "What is, imitates or becomes a closing square bracket.", class_pieces(closers)),
        assignment("IGNORABLES", "Default_Ignorable_Code_Point.", class_pieces(data.ignorable)),
        assignment("SPACES", "Tab and every space other than U+0020.", class_pieces(spaces(data))),
        assignment("BLANKS", "Not a space, yet nothing to see: replaced in a label.", class_pieces(BLANKS)),
    ]


def flag_pieces(data: Unicode) -> list[str]:
    """The three tails with a space between them."""
    return [escape(ord(c)) if c != " " else " " for c in " ".join(flags(data))]


def emoji_table(data: Unicode) -> str:
    """The emoji sequences as one literal of words."""
    note = (
        "RGI emoji ZWJ sequences without U+FE0F, joined by spaces. `*` is a skin tone; `!` in front: tones differ,\n"
        "# `=` in front: they are free."
    )
    words = [[escape(ord(c)) if c not in "*!=" else c for c in word] for word in emoji_sequences(data)]
    pieces = [piece for i, word in enumerate(words) for piece in ([" "] if i else []) + word]
    return assignment("EMOJI_SEQUENCES", note, pieces)


def confusable_table(data: Unicode) -> str:
    """UTS #39 as one literal: a dictionary of three thousand keys would be five times as long."""
    by_target: dict[str, list[int]] = defaultdict(list)
    for c, target in data.confusable.items():
        by_target["".join(map(chr, target))].append(c)
    note = "UTS #39, one prototype a line: the prototype, U+001F, the characters that look like it."
    return assignment("CONFUSABLES", note, line_pieces(by_target))


def imitations(data: Unicode, originals: set[int]) -> set[int]:
    """The characters, what UTS #39 calls confusable with one of them, and what a normal form turns into either."""
    known = originals | {c for c, target in data.confusable.items() if len(target) == 1 and target[0] in originals}
    return known | {c for c in data.decomposition if len(form := data.compatibility(c)) == 1 and form[0] in known}


def later_decompositions(data: Unicode) -> str:
    """Canonical decompositions that the frozen Unicode 3.2 data of every interpreter lacks, as one literal."""
    frozen = unicodedata.ucd_3_2_0
    by_target: dict[str, list[int]] = defaultdict(list)
    for c, (canonical, _) in data.decomposition.items():
        apart = "".join(map(chr, data.canonical(c)))
        if canonical and frozen.normalize("NFD", chr(c)) != apart:
            by_target[apart].append(c)
    note = "Canonical decompositions newer than Unicode 3.2, or mended since: the parts, U+001F, the characters."
    return assignment("LATER_DECOMPOSITIONS", note, line_pieces(by_target))


def line_pieces(by_target: Mapping[str, list[int]]) -> list[str]:
    """One line a target: the target, U+001F, the characters."""
    pieces: list[str] = []
    for text, sources in sorted(by_target.items()):
        pieces += [*escape_text(text), "\\x1f", *class_source(sources), "\\n"]
    return pieces


def knowledge_tables(data: Unicode) -> list[str]:
    """Everything the knowledge side needs: labels, scope parts and markers on top of the shared part."""
    return [
        *shared_tables(data),
        assignment("LABEL_ORDINARY", "What a label keeps without a second look.", ordinary(label_notable(data))),
        assignment("SURROGATES", "Surrogates.", class_pieces(SURROGATES)),
        *fold_tables(data, MARKER_LETTERS),
        assignment("MIDDLE_DOTS", "What looks like a middle dot.", class_pieces(imitations(data, MIDDLE_DOTS))),
        assignment("TILDES", "What looks like a tilde.", class_pieces(imitations(data, TILDES))),
        confusable_table(data),
        later_decompositions(data),
    ]


def prompting_tables(data: Unicode) -> list[str]:
    """What the compiler needs: the shared part, and the fold and the gap of the delimiter rule."""
    return [
        *shared_tables(data),
        assignment("OTHER_BREAKS", "Line breaks other than LF.", class_pieces(LINE_BREAKS - {0x0A})),
        assignment("PLAIN", "What no rule of a block speaks of.", ordinary(block_notable(data) | marks(data))),
        assignment("PLAIN_OR_MARK", "The same and combining marks.", ordinary(block_notable(data))),
        assignment(
            "LETTERS_AND_DIGITS", "What ends a gap: letters and digits.", class_pieces(letters_and_digits(data))
        ),
        *fold_tables(data, DELIMITER_LETTERS),
    ]


def small_letters(data: Unicode) -> dict[int, int]:
    """Letter to its small letter, where the two differ and each is one character."""
    return {int(row[0], 16): int(row[13], 16) for row in fields(data.directory / "UnicodeData.txt") if row[13]}


def extraction_tables(data: Unicode) -> list[str]:
    """What extraction and cutting need to know about letters."""
    words = (data.of_category("LMN") & BASIC_PLANE) - SELECTORS
    digits = {c for c, value in data.category.items() if value == "Nd"}
    lower = property_set(data.directory / "DerivedCoreProperties.txt", "Lowercase")
    small = dict(sorted(small_letters(data).items()))
    return [
        f'UNICODE_VERSION = "{data.version}"\n',
        assignment("WORDS", "Letters, marks and numbers of the basic plane.", class_pieces(words)),
        assignment("DIGITS", "Decimal digits.", class_pieces(digits)),
        assignment("LOWERCASE", "Lowercase.", class_pieces(lower)),
        assignment("CAPITALS", "Letters that have a small letter: a text, not a class.", map(escape, small)),
        assignment("SMALL", "The small letters, in the order of CAPITALS.", map(escape, small.values())),
    ]


def module(title: str, tables: list[str], data: Unicode) -> str:
    """The text of one generated module; its head carries the digest of everything below the docstring."""
    body = "\n\nfrom __future__ import annotations\n\n" + "\n".join(tables)
    head = (
        f'"""{title}\n\n'
        f"Generated from the Unicode {data.version} data files by scripts/generate_unicode_tables.py. Do not edit:\n"
        "run `python scripts/generate_unicode_tables.py DIRECTORY` again, and `--check` to see that nothing differs.\n"
        "Strings named as character sets are the inside of a regular-expression class.\n\n"
        f"SHA-256 of what follows: {sha256(body.encode('ascii')).hexdigest()}\n"
        '"""'
    )
    return head + body


def modules(directory: Path) -> dict[Path, str]:
    """Path to text of every generated module."""
    data = Unicode(directory)
    knowledge = module("Character tables of the knowledge capability's text hygiene.", knowledge_tables(data), data)
    prompting = module("Character tables of the prompt compiler's text hygiene.", prompting_tables(data), data)
    extraction = module("Character tables of extraction and cutting.", extraction_tables(data), data)
    return {
        EXTRACTORS / "_tables.py": extraction,
        CAPABILITIES / "knowledge" / "_tables.py": knowledge,
        CAPABILITIES / "prompting" / "_tables.py": prompting,
    }


def default_directory() -> Path | None:
    """Where the Unicode files stand when nobody says so."""
    corpora = os.environ.get("SYMFONIC_CORPORA")
    return Path(corpora) / "unicode" if corpora else None


def main(arguments: list[str] | None = None) -> int:
    """Write the modules, or compare them; the exit code is 1 when a comparison fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "directory", nargs="?", type=Path, default=default_directory(), help="folder of UnicodeData.txt"
    )
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 when a module differs")
    options = parser.parse_args(arguments)
    if options.directory is None:
        parser.error("name the folder of the Unicode files, or set SYMFONIC_CORPORA")
    stale = 0
    for path, text in modules(options.directory).items():
        same = path.exists() and path.read_text("ascii") == text
        if not options.check:
            path.write_text(text, "ascii")
        elif not same:
            print(f"{path}: differs from what the Unicode files give", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
