"""What the grounding filter does to a whole answer, written down as plainly as possible, one step after the other.

Lines first, then code in each line, then references in what is left, then quotations in the output. Nothing is kept
from one step to the next but lists of places, and nothing is fast.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from plain_quotes import COVER, QUOTED, Quotation, looked_at, quotations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from symfonic.capabilities.knowledge import GroundingReport

WORD_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
UNSPACED = (
    *("CJK ", "IDEOGRAPHIC ", "VERTICAL IDEOGRAPHIC ", "VERTICAL KANA ", "MASU MARK", "HIRAGANA ", "HENTAIGANA "),
    *("KATAKANA ", "KATAKANA-HIRAGANA ", "COMBINING KATAKANA-HIRAGANA ", "HALFWIDTH KATAKANA", "BOPOMOFO ", "YI "),
    *("THAI ", "LAO ", "TIBETAN ", "MYANMAR ", "KHMER ", "TAI ", "NEW TAI ", "JAVANESE ", "BALINESE "),
    *("VARIATION SELECTOR", "ARCHAIC KATAKANA", "KATAKANA", "MINNAN TONE"),
)


def is_word_or_number(character: str) -> bool:
    """Whether the character belongs to a number, or to a word of a script that puts spaces between words."""
    if unicodedata.digit(character, None) is not None:
        return True
    is_letter = unicodedata.category(character)[0] in "LM" or unicodedata.numeric(character, None) is not None
    return is_letter and not unicodedata.name(character, "").startswith(UNSPACED)


@dataclass(frozen=True)
class PlainReference:
    """A reference in the text that came in."""

    start: int
    end: int
    name: str
    is_torn: bool = False


@dataclass(frozen=True)
class PlainLedger:
    """Labels, each with the label of its source and its content, in the order of the ledger."""

    entries: tuple[tuple[str, str, str], ...]

    def meant_by(self, name: str) -> list[str]:
        """Labels a name can mean."""
        exact = [label for label, _, _ in self.entries if label == name]
        return exact or [label for label, source, _ in self.entries if source == name]


@dataclass
class PlainAnswer:
    """The output, and what is reported of it."""

    output: str = ""
    cited: dict[str, list[int]] = field(default_factory=dict)
    unknown: dict[str, list[int]] = field(default_factory=dict)
    ambiguous: dict[str, list[int]] = field(default_factory=dict)
    quotes: list[Quotation] = field(default_factory=list)
    unread: int = 0


@dataclass(frozen=True)
class PlainGrounding:
    """The function of the whole text.

    Args:
        ledger: What the prompt showed.
        mark: Whether unknown names are marked.
        render: What writes an admitted reference from its label and number.
        gap: Most spaces between word and bracket.
        longest: Characters of the longest name.
        window: Most characters between a backtick run and the end of the one that closes it.
    """

    ledger: PlainLedger
    mark: bool = True
    render: Callable[[str, int], str] | None = None
    gap: int = 64
    longest: int = 254
    window: int = 1024

    def answer(self, text: str, seams: Sequence[int] = ()) -> PlainAnswer:
        """What becomes of a text in which something was deleted at ``seams``."""
        lines = list(self._lines(text))
        fenced = [(start, end) for start, end, is_fence in lines if is_fence]
        inline = [code for start, end, is_fence in lines if not is_fence for code in self._inline(text, start, end)]
        references = list(self._references(text, sorted(fenced + inline), set(seams)))
        return self._written(text, references, fenced, inline, set(seams))

    # ------------------------------------------------------------------------------------------------ code

    def _lines(self, text: str) -> Iterator[tuple[int, int, bool]]:
        """Start, end and whether it belongs to a fenced block, of every line, its line break included."""
        fence, owed = "", False
        for match in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", text):
            line = match[0].rstrip("\r\n")
            if fence:
                yield match.start(), match.end(), True
                closing = re.fullmatch(rf" {{0,3}}({re.escape(fence[0])}+)[ \t]*", line)
                if closing and len(closing[1]) >= len(fence):
                    fence = ""
                continue
            opening = re.match(r" {0,3}(`{3,}|~{3,})", line)
            if opening and not (opening[1][0] == "`" and "`" in line[opening.end() :][: self.window]):
                info = line[opening.end() :][: self.window]
                due = owed and opening[1][0] == "`" and info.strip(" \t") == ""
                fence = "" if due else opening[1]
                owed = owed and opening[1][0] == "~"
                yield match.start(), match.end(), not due
            else:
                item = re.fullmatch(r"[ \t]*(?:(?:>|(?:[-*+]|[0-9]+[.)])[ \t])[ \t]*)+(`{3,})([^`]*)", line)
                if item and len(item[1]) + len(item[2]) + 1 <= self.window:
                    owed = True
                deep = re.fullmatch(r"[ \t]+(`{3,})([ \t]*)", line)
                if deep and len(deep[1]) + len(deep[2]) + 1 <= self.window:
                    owed = False
                yield match.start(), match.end(), False

    def _inline(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Inline code of one line."""
        runs = [(match.start() + start, match.end() + start) for match in re.finditer("`+", text[start:end])]
        place = 0
        while place < len(runs):
            opened = runs[place]
            for later, closing in enumerate(runs[place + 1 :], start=place + 1):
                same = closing[1] - closing[0] == opened[1] - opened[0]
                if same and closing[1] - opened[1] <= self.window:
                    yield opened[0], closing[1]
                    place = later
                    break
            place += 1

    # ------------------------------------------------------------------------------------------ references

    def _references(self, text: str, code: list[tuple[int, int]], seams: set[int]) -> Iterator[PlainReference]:
        """References in the stretches between code; a bare one ends where something was deleted."""
        cuts = sorted({0, len(text), *(place for span in code for place in span)})
        for start, end in pairwise(cuts):
            if (start, end) in code or any(span[0] <= start < span[1] for span in code):
                continue
            at = start
            while at < end:
                before = "" if at in seams else text[at - 1 : at]
                seam = min({end, *(place for place in seams if at < place < end)})
                found = self._reference_at(text[at:end], text[at:seam], before, self._after(text, at, seams))
                if found is None:
                    at += 1
                else:
                    size, name = found
                    inside = range(at + size - len(name) - 1, at + size)
                    yield PlainReference(at, at + size, name, any(place in inside for place in seams))
                    at += size

    @staticmethod
    def _after(text: str, at: int, seams: set[int]) -> Callable[[int], str]:
        return lambda length: "" if at + length in seams else text[at + length : at + length + 1]

    def _reference_at(self, text: str, whole: str, before: str, after: Callable[[int], str]) -> tuple[int, str] | None:
        """Length and name of the reference the text begins with, a bare one as far as nothing was deleted."""
        word = re.match(rf"(?:SOURCE|Source)[ \t]{{0,{self.gap}}}\[([^\[\]\r\n]{{1,{self.longest}}})\]", text)
        if word and (before == "" or before not in WORD_CHARACTERS):
            return word.end(), word[1]
        bare = re.match(rf"\[([^\[\]\r\n]{{1,{self.longest}}})\]", whole)
        if bare is None or not self._may_stand_bare(bare[1]):
            return None
        if before != "" and (before in "])" or is_word_or_number(before)):
            return None
        following = after(bare.end())
        return None if following != "" and following in "([:" else (bare.end(), bare[1])

    def _may_stand_bare(self, label: str) -> bool:
        is_admitted = any(label == admitted for admitted, _, _ in self.ledger.entries)
        is_number = all(unicodedata.digit(one, None) is not None for one in label)
        return is_admitted and len(label) > 1 and not is_number and label[0] != "^" and "`" not in label

    # ---------------------------------------------------------------------------------------------- output

    def _written(
        self,
        text: str,
        references: list[PlainReference],
        fenced: list[tuple[int, int]],
        inline: list[tuple[int, int]],
        seams: set[int],
    ) -> PlainAnswer:
        """The output, the account, and the quotations."""
        answer = PlainAnswer()
        places: list[tuple[int, str, str]] = []  # place in the input, what stands there in the output, its kind
        at = 0
        was_replaced = False
        for reference in references:
            places += [(place, text[place], "text") for place in range(at, reference.start)]
            will_be_replaced = self._is_replaced(reference)
            behind_one = was_replaced and at == reference.start
            if will_be_replaced and (behind_one or text[: reference.start].endswith(("!", "]"))):
                places.append((reference.start, " ", "space"))
            offset = sum(len(shown) for _, shown, _ in places)
            shown = self._account(answer, reference, text[reference.start : reference.end], offset)
            places.append((reference.start, shown, "reference"))
            at = reference.end
            was_replaced = will_be_replaced
            if was_replaced and at not in seams and text[at : at + 1] == ":":
                at += 1
            if was_replaced and text[at : at + 1] in ("(", "[", ":"):
                places.append((at, " ", "space"))
        places += [(place, text[place], "text") for place in range(at, len(text))]
        answer.output = "".join(shown for _, shown, _ in places)
        meant = {reference.start: tuple(self._meant_by(reference)) for reference in references}
        fragments = [(label, content) for label, _, content in self.ledger.entries]
        for shown, covered, found, begin in _paragraphs(text, places, meant, fenced, inline):
            answer.quotes += quotations(shown, covered, begin, found, fragments)
            answer.unread += len(covered) - len(looked_at(covered))
        return answer

    def _meant_by(self, reference: PlainReference) -> list[str]:
        """Labels a reference can mean; none where its name was put together by a deletion."""
        return [] if reference.is_torn else self.ledger.meant_by(reference.name)

    def _is_replaced(self, reference: PlainReference) -> bool:
        """Whether something else is written in its place."""
        meant = self._meant_by(reference)
        if not meant:
            return self.mark
        return len(meant) == 1 and self.render is not None and "`" not in reference.name

    def _account(self, answer: PlainAnswer, reference: PlainReference, raw: str, offset: int) -> str:
        """Count a reference, and say what stands in its place."""
        meant = self._meant_by(reference)
        if not meant:
            answer.unknown.setdefault(reference.name, []).append(offset)
        elif len(meant) > 1:
            answer.ambiguous.setdefault(reference.name, []).append(offset)
        else:
            answer.cited.setdefault(meant[0], []).append(offset)
        if not self._is_replaced(reference):
            return raw
        if not meant or self.render is None:
            return "[unverified source]"
        return self.render(meant[0], list(answer.cited).index(meant[0]) + 1)


# ------------------------------------------------------------------------------------------------- quotations


def _paragraphs(
    text: str,
    places: list[tuple[int, str, str]],
    meant: dict[int, tuple[str, ...]],
    fenced: list[tuple[int, int]],
    inline: list[tuple[int, int]],
) -> Iterator[tuple[str, str, list[tuple[int, tuple[str, ...]]], int]]:
    """Each paragraph of the output: text, the same with code and references covered, these, and where it begins."""
    cover = [any(start <= place < end for start, end in inline) for place in range(len(text))]
    offset = 0
    shown, covered, begin = "", "", 0
    references: list[tuple[int, tuple[str, ...]]] = []
    ends = set(_paragraph_ends(text, fenced))
    for place, written, kind in [*places, (len(text), "", "end")]:
        if place in ends or kind == "end":
            yield shown, covered, references, begin
            shown, covered, references, begin = "", "", [], offset
        if kind == "reference":
            references.append((len(shown), meant[place]))
        hidden = kind == "reference" or (kind == "text" and cover[place])
        if any(start <= place < end for start, end in fenced):
            begin = offset + len(written)
        else:
            shown += written
            covered += COVER * len(written) if hidden else written
        offset += len(written)


def _paragraph_ends(text: str, fenced: list[tuple[int, int]]) -> Iterator[int]:
    """Places in the input before which a paragraph ends: at blank lines and fences."""
    for match in re.finditer(r"([^\r\n]*)(?:\r\n|\r|\n)", text):
        if not match[1].strip(" \t"):
            yield match.start() + len(match[1])
    for start, end in fenced:
        yield start
        yield end


# -------------------------------------------------------------------------------------------------- the account


@dataclass(frozen=True)
class PlainReport:
    """What is told of an answer, places with how many more there were."""

    cited: dict[str, tuple[list[int], int]]
    unknown: dict[str, tuple[list[int], int]]
    ambiguous: dict[str, tuple[list[int], int]]
    quotes: list[Quotation]
    omitted_unknown: int
    omitted_quotes: int
    unread_chars: int
    marked: int


def plain_report(
    answer: PlainAnswer, label: Callable[[str], str], names: int = 256, places: int = 1000, quotes: int = 500
) -> PlainReport:
    """The report on an answer, within these limits; `label` makes an invented name safe."""
    invented = {name: offsets for name, offsets in answer.unknown.items() if name != "unverified source"}
    told: dict[str, list[int]] = {}
    for name in list(invented)[:names]:
        told[label(name)] = sorted(told.get(label(name), []) + invented[name])

    def kept(counted: dict[str, list[int]]) -> dict[str, tuple[list[int], int]]:
        return {key: (offsets[:places], len(offsets[places:])) for key, offsets in counted.items()}

    return PlainReport(
        kept(answer.cited),
        kept(told),
        kept(answer.ambiguous),
        answer.quotes[:quotes],
        sum(len(invented[name]) for name in list(invented)[names:]),
        len(answer.quotes[quotes:]),
        answer.unread,
        len(answer.unknown.get("unverified source", [])),
    )


def seen_report(report: GroundingReport) -> PlainReport:
    """The same of a report."""
    return PlainReport(
        {one.label: (list(one.offsets), one.omitted) for one in report.cited},
        {one.name: (list(one.offsets), one.omitted) for one in report.unknown},
        {one.name: (list(one.offsets), one.omitted) for one in report.ambiguous},
        [Quotation(*(getattr(quote, name) for name in QUOTED)) for quote in report.quotes],
        report.omitted_unknown,
        report.omitted_quotes,
        report.unread_chars,
        report.marked,
    )
