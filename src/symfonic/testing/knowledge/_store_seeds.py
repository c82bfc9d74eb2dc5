"""What the suite for stores puts, and how it makes documents of it.

Rules of this module: values and pure functions, the same on every run; it knows the ports' values and no store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, overload

from symfonic.adapters.knowledge.ports import Chunk, Document

from ._seeds import ACME, LABS, USER

#: Texts, names and headings that some layer between here and the disk reads as something else; all have to be kept.
HOSTILE: Final = (
    *("it's nine", 'say "nine"', "nine`", "'; DROP TABLE chunk; --", "nine' OR '1'='1", "nine\\", "\\n \\x00 \\u0041"),
    *("%", "_", "%nine_", "*", "[n]ine*", "?", "{0} %s $1 :name {scope_path}", "$(id)", "NULL", "None", "nan", "1e999"),
    *('{"scope_path": "tenant\\u001facme"}', '{"$ne": 1}', "scope_path != ''", "nine\x1facme", "a,b;c|d\te", "-- nine"),
    *("<b>nine</b> &amp; &lt;", "nine \u202emirrored\u202c", "\u0645\u0631\u062d\u0628\u0627 nine"),
    *("nine \U0001f469\u200d\U0001f52c", "e\u0301\u0302\u0303 nine", "caf\u00e9", "cafe\u0301", "\uff4eine \ufb01ve"),
    *("\ufeffnine", "nine \ue000\U000f0000", "\ufffdnine", "nine\r\nlines\rand\nmore", "\tnine\u2028\u2029\x85"),
    *(" nine ", "nine\x01\x02\x1b[31m\x7f", "\u8cea\u554f nine", "nine\U0010ffff"),
)
#: What a store may refuse: its engine has no place for them.
REFUSABLE: Final = ("nine\x00", "\x00nine", "ni\x00ne", "nine \ud800", "\udfff nine", "\ud83d nine")
NO_PATHS: Final = ("tenant", "tenant\x1f", "\x1facme", "tenant\x1facme\x1fuser", "\x1f", "tenant\x1facme\x1f\x1f")
TEXT_FIELDS: Final = ("origin", "file", "digest", "kind")
PASSAGE_FIELDS: Final = ("text", "label", "heading")
#: Names in the order of their code points, which is that of no dictionary and not that of UTF-16.
ORDERED: Final = (
    " b",
    "#1",
    "10",
    "9",
    "B",
    "Z",
    "_",
    "a",
    "a b",
    "a.md",
    "b",
    "\u00c4",
    "\u00e4",
    "\uff5e",
    "\U0001f600",
)
LARGE: Final = "nine line of a very large passage \u00e4\u8cea\U0001f600\n" * 25_000
MANY: Final = 600
"""Passages of a document that no page, batch or default limit holds."""


def document(
    name: str, scope_path: str = "", *, origin: str = "", digest: str = "1", kind: str = "text", size: int = 9
) -> Document:
    """A document called ``name``, whose origin follows from that where none is given."""
    origin = origin or f"/docs/{name}"
    return Document(scope_path=scope_path, origin=origin, file=name, digest=digest, kind=kind, size=size)


def passages(name: str, *texts: str) -> tuple[Chunk, ...]:
    """The passages of a document called ``name``."""
    return tuple(Chunk(text=text, label=f"{name} p. {at + 1}", ordinal=at) for at, text in enumerate(texts))


RICH: Final = (
    Chunk(text="The shop opens\n", label="rota.md § Hours", ordinal=0, heading="Rota > Hours", page=1),
    Chunk(text="\n  at nine.  \n\n", label="rota.md p. 2", ordinal=1, page=2),
    Chunk(text="It closes at noon.", label="rota.md", ordinal=7, heading="Rota"),
)
TENANTS: Final = ("", ACME, USER, LABS)


def version(number: int, name: str = "rota.md", scope_path: str = "") -> tuple[Document, tuple[Chunk, ...]]:
    """One of many contents of a document: each text names its version, and odd ones have a passage more."""
    texts = [f"shop version{number} passage {at}" for at in range(versions_passages(number))]
    return document(name, scope_path, digest=str(number)), passages(name, *texts)


def versions_passages(number: int) -> int:
    """How many passages that version has."""
    return 3 + number % 2


def tied(names: Sequence[str]) -> list[tuple[Document, tuple[Chunk, ...]]]:
    """Documents of 100 passages each that all answer the question ``nine`` equally well, in this order."""
    return [
        (
            document(name),
            tuple(Chunk(text="opens at nine", label=f"{at:03}{name}", ordinal=at) for at in range(100)),
        )
        for name in names
    ]


class Breaking(Sequence[Chunk]):
    """Passages that cannot be read to their end, as where a file breaks off or a process is out of memory."""

    def __init__(self, chunks: Sequence[Chunk], after: int) -> None:
        self._chunks = chunks
        self._after = after

    def __len__(self) -> int:
        return len(self._chunks)

    @overload
    def __getitem__(self, at: int) -> Chunk: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Chunk]: ...
    def __getitem__(self, at: int | slice) -> Chunk | Sequence[Chunk]:
        stop = at.stop if isinstance(at, slice) else at + 1
        if stop is None or stop > self._after or stop < 0:
            raise InterruptedError("the passages break off here, as this check wants")
        return self._chunks[at]


def with_text(field: str, value: str) -> tuple[Document, tuple[Chunk, ...]]:
    """A document of one passage with ``value`` in one field of either."""
    one, (passage,) = document("odd.md", digest="odd"), passages("odd.md", "the odd one says nine")
    if field in TEXT_FIELDS:
        return _in_document(one, field, value), (passage,)
    return one, (_in_passage(passage, field, value),)


def _in_document(one: Document, field: str, value: str) -> Document:
    fields = {name: getattr(one, name) for name in TEXT_FIELDS} | {field: value}
    return replace(one, **fields)


def _in_passage(one: Chunk, field: str, value: str) -> Chunk:
    fields = {name: getattr(one, name) for name in PASSAGE_FIELDS} | {field: value}
    return replace(one, **fields)
