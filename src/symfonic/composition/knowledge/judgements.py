"""Questions with judged answers, and the documents they are asked of, in the files of BEIR and TREC collections.

Rules of this module: it reads files and asks no store. A line that cannot be used costs itself and is counted with
its reason; what makes a whole file useless is an error. Memory depends on the names and questions in the files, never
on how much a corpus holds, and no line is read further than :data:`MAX_LINE_BYTES`.
"""

from __future__ import annotations

import json
import operator
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.measures.trec import MOST_GRADE
from symfonic.capabilities.knowledge import shows_blank

from ._line_files import opened
from .errors import InputError, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    _Path = str | os.PathLike[str]

__all__ = [
    "MAX_LINE_BYTES",
    "CorpusDocument",
    "InputFault",
    "InputFaults",
    "Judgements",
    "read_corpus",
    "read_judgements",
    "read_queries",
]

MAX_LINE_BYTES: Final = 16_000_000
"""Longest line of a file that is read."""

_EXAMPLES: Final = 20
_NAME_CHARS: Final = 60
_BETWEEN_LETTERS: Final = str.maketrans("", "", " _-")
_NUMBER_WORDS: Final = frozenset({"nan", "inf", "infinity", "none", "null"})
_GRADE: Final = re.compile(r"([+-]?[0-9]{1,9})(?:\.0{1,9})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFault:
    """A line that was passed over.

    Attributes:
        file: Which file: ``corpus``, ``queries``, ``qrels`` or ``negatives``.
        line: Its number, from 1; 0 of a judgement of a document that is not there, which is seen later.
        code: A stable word for programs: ``bad-utf8``, ``too-long``, ``bad-json``, ``bad-line`` (not the members or
            columns it must have), ``blank`` (it shows nothing), ``duplicate-id``, ``bad-grade``, ``unknown-query``,
            ``unknown-document``, ``duplicate-judgement``.
        message: What was wrong and what would be right, on one line; it holds nothing that could steer a terminal.
    """

    file: str
    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFaults:
    """What was passed over.

    Attributes:
        counts: ``(file, code, how many)`` in that order.
        examples: The first of them, at most 20.
    """

    counts: tuple[tuple[str, str, int], ...] = ()
    examples: tuple[InputFault, ...] = ()

    @property
    def total(self) -> int:
        """How many lines were passed over."""
        return sum(count for _, _, count in self.counts)

    def __add__(self, other: InputFaults) -> InputFaults:
        counts: Counter[tuple[str, str]] = Counter()
        for file, code, count in (*self.counts, *other.counts):
            counts[file, code] += count
        return InputFaults(
            counts=tuple((*key, count) for key, count in sorted(counts.items())),
            examples=(*self.examples, *other.examples)[:_EXAMPLES],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """Questions, and what of the documents answers each.

    Attributes:
        queries: Query id to question.
        grades: Query id to name of a document to grade; 1 and above is relevant, the higher the better; one
            below 0 counts as 0.
        faults: What was passed over while they were read.

    Raises:
        InputError: A query or a name is no text that shows something, a grade is no whole number up to 1000, or no
            query has a document judged relevant.
    """

    queries: Mapping[str, str]
    grades: Mapping[str, Mapping[str, int]]
    faults: InputFaults = field(default_factory=InputFaults)

    def __post_init__(self) -> None:
        grades = {_text(query): MappingProxyType(_grades(judged)) for query, judged in _items(self.grades)}
        queries = {_text(query): _text(question) for query, question in _items(self.queries)}
        if not isinstance(self.faults, InputFaults):
            raise InputError(
                f"faults of judgements are an InputFaults; {type_name(self.faults)} is none and nothing was measured; "
                "leave them out"
            )
        object.__setattr__(self, "queries", MappingProxyType(queries))
        object.__setattr__(self, "grades", MappingProxyType(grades))
        if not self.judged:
            raise InputError(
                "an evaluation asks queries of which some document is judged relevant; of "
                f"{len(self.queries):,} queries none is, and nothing was measured; {_remedy(self.faults)}"
            )

    @property
    def judged(self) -> tuple[str, ...]:
        """Ids of the queries that count, sorted: those with a document judged relevant."""
        return tuple(
            sorted(query for query in self.queries if any(grade > 0 for grade in self.grades.get(query, {}).values()))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDocument:
    """One document of a collection."""

    id: str
    title: str
    text: str


def _require_list(on_faults: object) -> None:
    if not isinstance(on_faults, list):
        raise InputError(
            f"what is passed over is appended to a list; {type_name(on_faults)} is none and nothing was read; "
            "pass a list"
        )


def _items(mapping: object) -> Iterable[tuple[object, object]]:
    if not isinstance(mapping, Mapping):
        raise InputError(
            "judgements are mappings, of query id to question and of query id to name and grade; "
            f"{type_name(mapping)} is none and nothing was measured; pass a dict"
        )
    return mapping.items()


def _text(value: object) -> str:
    if not isinstance(value, str) or shows_blank(value) or any("\ud800" <= sign <= "\udfff" for sign in value):
        told = shown(value) if isinstance(value, str) else type_name(value)
        raise InputError(
            "an id, a question and a name of a document are each text that shows something, without lone surrogates; "
            f"{told} is none and nothing was measured; correct it"
        )
    return value


def _grades(judged: object) -> dict[str, int]:
    return {_text(name): max(0, _grade(grade)) for name, grade in _items(judged)}


def _grade(value: object) -> int:
    try:
        grade = operator.index(value) if not isinstance(value, bool) else None  # type: ignore[arg-type]
    except TypeError:
        grade = None
    if grade is None or grade > MOST_GRADE:
        told = "a larger one" if grade is not None else type_name(value)
        raise InputError(
            f"a grade is a whole number up to {MOST_GRADE}; {told} cannot be measured with and nothing was measured; "
            "scale the grades"
        )
    return grade


class _Faults:
    """Collects what is passed over; memory is bounded whatever a file holds."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._counts: Counter[str] = Counter()
        self._examples: list[InputFault] = []

    def add(self, line: int, code: str, message: str) -> None:
        self._counts[code] += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(InputFault(file=self._file, line=line, code=code, message=message))

    def frozen(self) -> InputFaults:
        counts = tuple((self._file, code, count) for code, count in sorted(self._counts.items()))
        return InputFaults(counts=counts, examples=tuple(self._examples))


def read_judgements(queries: str | os.PathLike[str], qrels: str | os.PathLike[str]) -> Judgements:
    """Read questions and judgements.

    Args:
        queries: One JSON object a line, with ``_id`` or ``id``, and ``text``.
        qrels: ``query-id corpus-id score`` a line, or the four columns of TREC, ``query-id 0 corpus-id score``; parted
            by tabs, or by white space in a line that has no tab. A first line whose last column is a word is a
            heading. A grade is a whole number up to 1000; one below 0 counts as 0.

    Raises:
        InputError: A file cannot be read or has no usable line, or no query has a relevant document.
    """
    asked = _Faults("queries")
    texts = dict(_queries(queries, asked))
    if not texts:
        raise _useless("queries", queries, 'an object with "_id" and "text" on each line', asked.frozen())
    judged = _Faults("qrels")
    grades: dict[str, dict[str, int]] = {}
    for number, query, document, grade in _qrels(qrels, judged):
        if query not in texts:
            judged.add(
                number, "unknown-query", f"no query has the id {shown(query)}; give it one, or take the line out"
            )
        elif document in grades.setdefault(query, {}):
            judged.add(
                number,
                "duplicate-judgement",
                f"{shown(document)} is judged for query {shown(query)} already; the first line counts, take one out",
            )
        else:
            grades[query][document] = grade
    faults = asked.frozen() + judged.frozen()
    if not grades:
        raise _useless("qrels", qrels, "query id, document id and grade on each line, parted by tabs", faults)
    return Judgements(queries=texts, grades=grades, faults=faults)


def read_queries(path: str | os.PathLike[str], on_faults: list[InputFaults]) -> dict[str, str]:
    """Read questions without judgements, such as those that nothing answers: query id to question.

    Args:
        path: A JSON object a line, with ``_id`` or ``id``, and ``text``.
        on_faults: Gets what was passed over.

    Raises:
        InputError: The file cannot be read, or holds no usable line.
    """
    _require_list(on_faults)
    faults = _Faults("negatives")
    found = dict(_queries(path, faults))
    if not found:
        raise _useless("questions", path, 'an object with "_id" and "text" on each line', faults.frozen())
    on_faults.append(faults.frozen())
    return found


def read_corpus(path: str | os.PathLike[str], on_faults: list[InputFaults]) -> Iterator[CorpusDocument]:
    """Read documents one by one: a JSON object a line, with ``_id`` or ``id``, ``text``, and ``title`` if it has one.

    Args:
        path: The file.
        on_faults: Gets what was passed over when the last document is read.

    Raises:
        InputError: The file cannot be read, or holds no usable line.
    """
    _require_list(on_faults)
    faults = _Faults("corpus")
    seen: set[str] = set()
    for number, found in _objects(path, faults):
        title = found.get("title")
        if not (title is None or isinstance(title, str)):
            faults.add(number, "bad-line", "a title is text; write it as a string, or leave it out")
        elif (name := _id_of(number, found, seen, faults)) is not None:
            if shows_blank(found["text"]) and shows_blank(title or ""):
                faults.add(
                    number, "blank", f"document {shown(name)} shows nothing and can never be found; leave it out"
                )
            seen.add(name)
            yield CorpusDocument(id=name, title=title or "", text=found["text"])
    if not seen:
        raise _useless("documents", path, 'an object with "_id", "title" and "text" on each line', faults.frozen())
    on_faults.append(faults.frozen())


def unknown_documents(faults: Iterable[tuple[str, str]]) -> InputFaults:
    """Judgements of documents that are not there, each by query and document; they have no line any more."""
    found = _Faults("qrels")
    for query, document in faults:
        found.add(
            0,
            "unknown-document",
            f"query {shown(query)} judges {shown(document)}, which is not stored and counts as missed where it "
            "is relevant; store it, or correct the name",
        )
    return found.frozen()


def shown(name: str) -> str:
    """A name of a file's author for a message: quoted, not long, and escaped where it is not printable.

    Labels hold signs such as ``§``, and are to be copied from a message as they are.
    """
    return repr(name if len(name) <= _NAME_CHARS else f"{name[:_NAME_CHARS]}…")


def _queries(path: _Path, faults: _Faults) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, found in _objects(path, faults):
        if (name := _id_of(number, found, seen, faults)) is None:
            continue
        if shows_blank(found["text"]):
            faults.add(number, "blank", f"query {shown(name)} shows nothing and cannot be asked; give it words")
            continue
        seen.add(name)
        yield name, found["text"]


def _id_of(number: int, found: Mapping[str, Any], seen: set[str], faults: _Faults) -> str | None:
    """The id of a line, if the line has what it must have and the id is new."""
    name = found.get("_id", found.get("id"))
    name = str(name) if type(name) is int else name
    if not isinstance(name, str) or not isinstance(found.get("text"), str):
        faults.add(number, "bad-line", 'a line has "_id" or "id", and "text", each a string; add what is missing')
        return None
    if shows_blank(name):
        faults.add(number, "blank", "an id shows something; this one could not be named in a judgement; give it one")
        return None
    if name in seen:
        faults.add(number, "duplicate-id", f"the id {shown(name)} stands on an earlier line, which counts; rename one")
        return None
    return name


def _objects(path: _Path, faults: _Faults) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and JSON object of every line that holds one."""
    for number, line in _lines(path, faults):
        try:
            found = json.loads(line)
            json.dumps(found, ensure_ascii=False).encode()  # an escape can bring what no text may hold
        except (ValueError, RecursionError):
            faults.add(number, "bad-json", "a line is one JSON object in UTF-8, without lone surrogates; correct it")
            continue
        if not isinstance(found, dict):
            faults.add(number, "bad-line", "a line is one JSON object; wrap it in braces")
            continue
        yield number, found


def _qrels(path: _Path, faults: _Faults) -> Iterator[tuple[int, str, str, int]]:
    for number, line in _lines(path, faults):
        columns = line.rstrip("\r\n").split("\t") if "\t" in line else line.split()
        if len(columns) not in {3, 4}:
            faults.add(number, "bad-line", "a judgement has three columns, or TREC's four, parted by tabs; correct it")
            continue
        query, document, grade = columns[0], columns[-2], columns[-1].strip()
        if number == 1 and _is_heading(grade):
            continue
        if shows_blank(document):
            faults.add(number, "blank", "a judgement names a document; this one's name shows nothing; correct it")
            continue
        found = _GRADE.fullmatch(grade)
        if found is None or int(found[1]) > MOST_GRADE:
            faults.add(number, "bad-grade", f"a grade is a whole number up to {MOST_GRADE}, not {shown(grade)}")
            continue
        yield number, query, document, max(0, int(found[1]))


def _is_heading(grade: str) -> bool:
    """Whether the last column of a first line is a word: what a number was meant to be is a fault."""
    return grade.translate(_BETWEEN_LETTERS).isalpha() and grade.lower() not in _NUMBER_WORDS


def _lines(path: _Path, faults: _Faults) -> Iterator[tuple[int, str]]:
    """Number and text of every line that shows something."""
    with opened(path) as file:
        number = 0
        while data := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(data) > MAX_LINE_BYTES:
                _pass_line(file)
                faults.add(number, "too-long", f"a line has at most {MAX_LINE_BYTES:,} bytes; part the document")
                continue
            try:
                text = data.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                faults.add(number, "bad-utf8", "a line is UTF-8 text; convert the file")
                continue
            if text.strip():
                yield number, text


def _pass_line(file: Any) -> None:
    while (data := file.readline(MAX_LINE_BYTES)) and not data.endswith(b"\n"):
        pass


def _useless(what: str, path: str | os.PathLike[str], wanted: str, faults: InputFaults) -> InputError:
    first = ""
    if faults.total:
        first = f"the first fault is on line {faults.examples[0].line}: {faults.examples[0].message}; "
    return InputError(
        f"{what} are read from lines, {wanted}; {os.fspath(path)!a} has none that can be used and nothing was "
        f"measured; {first}check that it is the right file"
    )


def _remedy(faults: InputFaults) -> str:
    codes = {code for _, code, _ in faults.counts}
    if "unknown-query" in codes:
        return "the judgements name other query ids; check that both files belong together"
    return "judge a document with a grade of at least 1"
