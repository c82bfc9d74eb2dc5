"""Extracted text to passages that fit under the fragment ceiling.

Rules of this module: pure functions over values; it reads no file and knows no store. What it promises:

* The passages of a document, joined, are its extracted text, character by character.
* A passage never exceeds ``ChunkPolicy.max_chars``, white space included.
* Sentences, fenced code blocks, table rows and list items (a nested item is an item of its own) are not cut if they fit
  under the ceiling. One that does not is cut between its parts, then at line ends, then at the ceiling (at white space
  where some is near; never inside a combining sequence or a line end), and counted.
* A heading begins a passage and stays with what follows it, unless both together exceed the ceiling.
* What shows nothing stands at the end of the passage before it, so that a passage begins with what shows; where that
  one is full, at the beginning of the next. Only a stretch that fits neither makes passages that show nothing, and
  ``Chunking.visible`` leaves them out.
* The head of a table is not repeated in the passages of its rows: they would hold what the text does not.
* Equal input gives equal passages, on every interpreter; time is linear in the text.

A page of a PDF is a section, because its number is the citation: a sentence that runs over the page's end is cut there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.ports import Chunk, Extraction, Section
from symfonic.capabilities.knowledge import is_mark, shows_blank
from symfonic.composition.knowledge._blocks import Block, BlockKind, blocks, lines_of
from symfonic.composition.knowledge._sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CHUNKING_VERSION", "ChunkPolicy", "Chunking", "chunk_extraction", "passage_label"]

CHUNKING_VERSION: Final = 3
"""Grows whenever the same text would be cut differently; part of every document's digest."""


@dataclass(frozen=True, slots=True)
class ChunkPolicy:
    """How large passages may and should be, in characters.

    Attributes:
        max_chars: Ceiling of a passage. It must not exceed the retrieval policy's ``max_fragment_chars``, or passages
            could be stored that are never admitted.
        target_chars: A passage is closed before it grows beyond this, if what it holds may be parted there.

    Raises:
        ValueError: Not plain integers with ``1 <= target_chars <= max_chars``.
    """

    max_chars: int = 2000
    target_chars: int = 1200

    def __post_init__(self) -> None:
        for value in (self.max_chars, self.target_chars):
            if type(value) is not int:
                message = f"Sizes of passages are whole numbers of characters, not {value!r}; pass an int."
                raise ValueError(message)
        if not 1 <= self.target_chars <= self.max_chars:
            message = (
                f"A passage cannot aim at {self.target_chars} characters under a ceiling of {self.max_chars}; "
                "choose 1 <= target_chars <= max_chars."
            )
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """The passages of one document.

    Attributes:
        chunks: In reading order, numbered from 0. Their texts, joined, are the extracted text.
        oversized_units: Sentences, code blocks, rows and items that alone exceeded the ceiling and had to be cut.
    """

    chunks: tuple[Chunk, ...]
    oversized_units: int = 0

    @property
    def visible(self) -> tuple[Chunk, ...]:
        """Those that show something, which are those worth storing.

        It is all of them, unless the text holds a stretch that shows nothing and is longer than its neighbours have
        room for: passages of such a stretch would be found by their label and shown to nobody. Numbers stay as they
        are, so that a gap tells of it.
        """
        return tuple(chunk for chunk in self.chunks if not shows_blank(chunk.text))


def chunk_extraction(extraction: Extraction, *, file: str, policy: ChunkPolicy | None = None) -> Chunking:
    """Cut an extracted document into passages.

    Args:
        extraction: What an extractor returned.
        file: What labels begin with, raw.
        policy: Sizes; the default when ``None``.
    """
    policy = policy or ChunkPolicy()
    packer = _Packer(policy, extraction.kind)
    seams = _Seams(policy.max_chars)
    for lead, text, section in _led_sections(extraction):
        label = passage_label(file, section, kind=extraction.kind)
        place = _Place(label, " > ".join(section.headings), section.page)
        for passage in packer.pack(lead, text):
            seams.put(passage, place)
    chunks = tuple(
        Chunk(text=text, label=place.label, ordinal=ordinal, heading=place.heading, page=place.page)
        for ordinal, (text, place) in enumerate(seams.passages())
    )
    return Chunking(chunks=chunks, oversized_units=packer.oversized)


class _Place(NamedTuple):
    """What the passages of one section have in common."""

    label: str
    heading: str
    page: int | None


# What a label puts between file and place, where a file's own name has it; the backslashes in front count as well.
# The number of a slide ends a label, so only a name that ends in one is doctored, and none with an ending: ``.pptx``.
_IMITATION: Final = re.compile(r"(?<= )(?=\\*+(?:§(?: |\Z)|p\. [0-9]|slide [0-9]++\Z))")
_SLIDES: Final = frozenset({"pptx"})


def passage_label(file: str, section: Section, *, kind: str = "") -> str:
    r"""What a citation shows: the file, then `` § `` and the innermost heading, or `` p. `` and the page.

    A slide is known by its number, ``deck.pptx slide 3``, though it has a title as well; a sheet of a workbook by its
    name, which is its heading.

    Different files, headings, pages and slides never share a label, whoever writes them. Inside the file's part a ``§``
    between spaces, a ``p.`` before a number and a number of a slide at the end get a backslash:
    ``policy.md § Refunds.md`` is shown as ``policy.md \§ Refunds.md`` and is no section of ``policy.md``. The first
    such sign without a backslash ends the file's part; what follows it is the heading as it was written. Whatever else
    is doctored about either (invisible characters, line breaks, brackets) is the boundary's to replace: a label is a
    raw name until ``safe_source``.

    Args:
        file: The file's name, raw.
        section: The place in it.
        kind: The format, as in ``Extraction.kind``.
    """
    name = _IMITATION.sub("\\\\", file)
    if kind in _SLIDES and section.page is not None:
        return f"{name} slide {section.page}"
    if section.headings:
        return f"{name} § {section.headings[-1]}"
    return name if section.page is None else f"{name} p. {section.page}"


# -------------------------------------------------------------------------------------------------------- headings


def _led_sections(extraction: Extraction) -> Iterator[tuple[str, str, Section]]:
    """Heading lines, rest and place of each section; a section that is only a heading leads its first subsection."""
    pending = ""
    sections = extraction.sections
    for number, section in enumerate(sections):
        lead, text = _lead(section, extraction.kind)
        following = sections[number + 1] if number + 1 < len(sections) else None
        if lead and not text.strip(WHITE_SPACE) and following is not None and _is_below(following, section):
            pending += section.text
            continue
        yield pending + lead, text, section
        pending = ""


def _is_below(section: Section, above: Section) -> bool:
    depth = len(above.headings)
    return len(section.headings) > depth and section.headings[:depth] == above.headings


# What markup and line breaks add to a title; the punctuation of other scripts stays on both sides.
_NOT_WORDS: Final = re.compile(rf"[\x00-/:-@\[-`{{-\x9f{WHITE_SPACE}]+")
_ADORNMENT: Final = re.compile(r" {0,3}([!-/:-@\[-`{-~])\1*+[ \t]*+\Z")
_UNDERLINES: Final = frozenset("=-")
_LONGEST_LEAD_LINES: Final = 6


def _lead(section: Section, kind: str) -> tuple[str, str]:
    """Divide a section's text after the lines that write its own heading, adornments and blank lines included."""
    title = _NOT_WORDS.sub("", section.headings[-1].removesuffix("…")) if section.headings else ""
    lines = section.text.split("\n", _LONGEST_LEAD_LINES + 1)[:_LONGEST_LEAD_LINES] if title else []
    end, said, before = 0, False, ""
    for line in lines:
        if line.strip(WHITE_SPACE) and not _is_adornment(
            line, kind, may_be=bool(before.strip(WHITE_SPACE)) or not said
        ):
            words = _NOT_WORDS.sub("", line[:1000])
            if said or not words or not (words.startswith(title) or title.startswith(words)):
                break
            said = True
        end, before = end + len(line) + 1, line
    end = min(end, len(section.text))
    return (section.text[:end], section.text[end:]) if said else ("", section.text)


def _is_adornment(line: str, kind: str, *, may_be: bool) -> bool:
    found = _ADORNMENT.match(line) if may_be else None
    return found is not None and (kind == "rst" or (kind == "markdown" and found[1] in _UNDERLINES))


# --------------------------------------------------------------------------------------------------------- packing


class _Packer:
    """Fills passages up to the target, never beyond the ceiling."""

    def __init__(self, policy: ChunkPolicy, kind: str) -> None:
        self.oversized = 0
        self._policy = policy
        self._kind = kind
        self._parts: list[str] = []
        self._size = 0
        self._only_lead = False
        self._done: list[str] = []

    def pack(self, lead: str, text: str) -> list[str]:
        """Cut one section; no piece exceeds the ceiling but by white space at its end, and all of them are its text."""
        self._done = []
        self._put_lead(lead)
        for block in blocks(text, self._kind):
            self._put_block(block)
        self._flush()
        self._join_short_tail()
        return self._done

    def _put_lead(self, lead: str) -> None:
        if len(lead.rstrip(WHITE_SPACE)) > self._policy.max_chars // 2:
            self._put_parts(self._fitting(lead))
        elif lead:
            self._add(lead)
            self._only_lead = True

    def _put_block(self, block: Block) -> None:
        if self._fits(block.text, self._policy.target_chars):
            self._add(block.text)
            return
        if not self._may_be_parted_later(block) and not self._only_lead:
            self._flush()
        if self._fits(block.text, self._policy.target_chars):
            self._add(block.text)
        else:
            self._put_parts(self._parts_of(block))

    def _may_be_parted_later(self, block: Block) -> bool:
        """Whether to go on with what is there: a few words join what follows, and a paragraph may be parted for it."""
        few = self._size <= self._policy.target_chars // 4
        if block.kind is BlockKind.PROSE:
            return few
        if few and self._fits(block.text, self._policy.max_chars):
            self._only_lead = bool(self._parts)
            return True
        return False

    def _put_parts(self, parts: Iterator[str]) -> None:
        for part in parts:
            ceiling = self._policy.max_chars if self._only_lead else self._policy.target_chars
            if not self._fits(part, ceiling):
                self._flush()
            self._add(part)

    def _fits(self, text: str, ceiling: int) -> bool:
        # White space at a piece's end shows nothing and may stand elsewhere, so it needs no room.
        return self._size + len(text.rstrip(WHITE_SPACE)) <= ceiling

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)
        self._only_lead = self._only_lead and not text.strip(WHITE_SPACE)

    def _flush(self) -> None:
        if self._parts:
            self._done.append("".join(self._parts))
        self._parts = []
        self._size = 0
        self._only_lead = False

    def _join_short_tail(self) -> None:
        """A passage of a few words alone is hard to find and to understand."""
        if len(self._done) < 2 or len(self._done[-1].rstrip(WHITE_SPACE)) > self._policy.target_chars // 4:
            return
        if len(self._done[-2]) + len(self._done[-1].rstrip(WHITE_SPACE)) <= self._policy.max_chars:
            tail = self._done.pop()
            self._done[-1] += tail

    # ---- units

    def _parts_of(self, block: Block) -> Iterator[str]:
        if block.kind is BlockKind.PROSE:
            for sentence in sentences(block.text):
                yield from self._fitting(sentence)
        elif block.kind is BlockKind.ITEM and len(block.text.rstrip(WHITE_SPACE)) > self._policy.max_chars:
            self.oversized += 1
            for inner in blocks(block.text, self._kind, items=False):
                yield from self._parts_of(inner)
        else:
            yield from self._fitting(block.text)

    def _fitting(self, unit: str) -> Iterator[str]:
        """The unit itself, or its lines, or what the ceiling leaves of them."""
        if len(unit.rstrip(WHITE_SPACE)) <= self._policy.max_chars:
            yield unit
            return
        self.oversized += 1
        for line in lines_of(unit):
            yield from _cut(line, self._policy.max_chars)


def _cut(line: str, ceiling: int) -> Iterator[str]:
    start = 0
    while len(line) - start > ceiling:
        end = _cut_before(line, start, start + ceiling)
        yield line[start:end]
        start = end
    yield line[start:]


def _cut_before(line: str, start: int, end: int) -> int:
    """Where to cut at or before ``end``: after white space in the second half, else between whole characters."""
    middle = start + (end - start) // 2
    for place in range(end, middle, -1):
        if line[place - 1] in WHITE_SPACE and not _is_joined(line, place, start):
            return place
    for place in range(end, max(start, end - _LONGEST_SEQUENCE), -1):
        if not _is_joined(line, place, start):
            return place
    return end


# Longest run of characters taken for one visible character: a family emoji has 11, a flag of a region 7.
_LONGEST_SEQUENCE: Final = 64
_JOINER: Final = "\u200d"
_FLAG_LETTERS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def _is_joined(text: str, place: int, start: int) -> bool:
    """Whether the characters on both sides of ``place`` make one visible character, as far as it need not be exact."""
    before, after = text[place - 1], text[place]
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        # Two of them make a flag: in a row of flags only every other place lies between two.
        row = text[start:place]
        return (len(row) - len(row.rstrip(_FLAG_LETTERS))) % 2 == 1
    if _JOINER in {before, after} or (before == "\r" and after == "\n"):
        return True
    return (
        is_mark(after)
        or "\udc00" <= after <= "\udfff"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
    )


# ----------------------------------------------------------------------------------------------------------- seams


class _Seams:
    """Lets what shows nothing stand where it harms least: behind what shows, as far as there is room."""

    def __init__(self, ceiling: int) -> None:
        self._ceiling = ceiling
        self._passages: list[tuple[str, _Place]] = []
        self._blank: list[str] = []  # since the last passage
        self._place = _Place("", "", None)

    def put(self, text: str, place: _Place) -> None:
        """Add the next piece of the text; without what shows nothing at its ends it fits under the ceiling."""
        lead, shown, tail = _parted(text)
        self._blank.append(lead)
        self._place = place
        if shown:
            first = self._spread(self._ceiling - len(shown))
            self._passages.append((first + shown, place))
            self._blank.append(tail)

    def passages(self) -> list[tuple[str, _Place]]:
        """Return the passages, which joined are the pieces joined."""
        self._spread(0)
        return self._passages

    def _spread(self, room: int) -> str:
        """Put what shows nothing behind the last passage; what finds no room there and fits ``room`` is returned."""
        blank = "".join(self._blank)
        self._blank = []
        if blank and self._passages:
            before, place = self._passages[-1]
            end = _last_place(blank, self._ceiling - len(before))
            self._passages[-1] = (before + blank[:end], place)
            blank = blank[end:]
        if len(blank) <= room:
            return blank
        self._passages.extend((piece, self._place) for piece in _cut(blank, self._ceiling))
        return ""


def _parted(text: str) -> tuple[str, str, str]:
    """Blank lines at the beginning, what shows, white space at the end; the first line that shows keeps its indent."""
    bare = text.rstrip(WHITE_SPACE)
    if shows_blank(bare):
        return text, "", ""
    start = bare.rfind("\n", 0, len(bare) - len(bare.lstrip(WHITE_SPACE))) + 1
    return bare[:start], bare[start:], text[len(bare) :]


def _last_place(text: str, end: int) -> int:
    """The last place up to ``end`` that parts no visible character and no line end; 0 where there is none."""
    if end >= len(text):
        return len(text)
    places = range(end, max(0, end - _LONGEST_SEQUENCE), -1)
    return next((place for place in places if not _is_joined(text, place, 0)), 0)
