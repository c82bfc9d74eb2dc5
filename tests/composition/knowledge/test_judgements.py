"""Files of collections: what is read of them, and what becomes of a line that is none."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, cast

import pytest

from symfonic.composition.knowledge import (
    CorpusDocument,
    InputError,
    InputFaults,
    Judgements,
    judgements,
    read_corpus,
    read_judgements,
    read_queries,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and say where it is."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


QUERIES = '{"_id": "1", "text": "leave"}\n{"id": 2, "text": "travel"}\n'


def codes(faults: InputFaults) -> list[tuple[int, str]]:
    """Line and code of each example."""
    return [(fault.line, fault.code) for fault in faults.examples]


@pytest.mark.parametrize(
    "qrels",
    [
        "query-id\tcorpus-id\tscore\n1\ta\t2\n2\tb\t1\n",
        "query doc grade\n1 a 2\n2 b 1\n",
        "1 0 a 2\n2 0 b 1\n",
        "1\tQ0\ta\t2\r\n\r\n2\tQ0\tb\t1",
        "\ufeff1\ta\t2.0\n2\tb\t+1\n",
    ],
    ids=["beir", "spaces", "trec", "tabs, crlf and no end", "mark and decimals"],
)
@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_judgements_of_every_form_say_the_same(qrels: str, write: Write) -> None:
    """BEIR's three columns with or without a heading, TREC's four."""
    found = read_judgements(write("q", QUERIES), write("r", qrels))
    assert found == Judgements(queries={"1": "leave", "2": "travel"}, grades={"1": {"a": 2}, "2": {"b": 1}})


@pytest.mark.requirement("KB-EVAL-INPUT-1")
@pytest.mark.parametrize(
    "grade", ["1e3", "0.5", "9" * 5000, "nan", "Infinity", "1\t", "", "1_0", "x2", "\u0661"], ids=range(10)
)
def test_a_first_line_with_a_bad_grade_is_a_fault_and_no_heading(grade: str, write: Write) -> None:
    """Only a word is a heading; what was meant to be a number is told."""
    found = read_judgements(write("q", QUERIES), write("r", f"1\tz\t{grade}\n1\ta\t1\n"))
    assert (found.grades, codes(found.faults)) == ({"1": {"a": 1}}, [(1, "bad-grade")])


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_names_may_hold_spaces_between_tabs(write: Write) -> None:
    """Labels do."""
    found = read_judgements(write("q", QUERIES), write("r", "1\tleave.md § Sick leave\t1\n"))
    assert found.grades["1"] == {"leave.md § Sick leave": 1}


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_a_bad_line_of_queries_costs_itself(write: Write) -> None:
    """Each kind of fault, on the line where it stands."""
    lines = [
        b'{"_id": "1", "text": "leave"}',
        b"{",
        b"[1]",
        b'{"_id": "3"}',
        b'{"_id": true, "text": "x"}',
        b'{"_id": "1", "text": "again"}',
        b'{"_id": "4", "text": " \\u200b "}',
        b'{"_id": "\\ud800", "text": "x"}',
        b'{"_id": "5", "text": "\xff"}',
        b'{"_id": "", "text": "x"}',
        b"[" * 100_000,
        b'{"_id": "6", "text": ' + b"9" * 5000 + b"}",
    ]
    found = read_judgements(write("q", b"\n".join(lines)), write("r", "1\ta\t1\n"))
    assert found.queries == {"1": "leave"}
    assert codes(found.faults) == [
        (2, "bad-json"),
        (3, "bad-line"),
        (4, "bad-line"),
        (5, "bad-line"),
        (6, "duplicate-id"),
        (7, "blank"),
        (8, "bad-json"),
        (9, "bad-utf8"),
        (10, "blank"),
        (11, "bad-json"),
        (12, "bad-json"),
    ]
    assert found.faults.total == 11


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_a_bad_judgement_costs_itself(write: Write) -> None:
    """Columns, grades, unknown queries and a second word on the same document; below 0 is not relevant."""
    lines = "1\ta\t1\n1\t \t1\n1\tb\n1\tc\tmuch\n1\td\t1001\n9\ta\t1\n1\ta\t2\n1\te\t-2\n1 2 3 4 5\n1\tf\t" + "9" * 9999
    found = read_judgements(write("q", QUERIES), write("r", lines))
    assert found.grades == {"1": {"a": 1, "e": 0}}
    assert codes(found.faults) == [
        (2, "blank"),
        (3, "bad-line"),
        (4, "bad-grade"),
        (5, "bad-grade"),
        (6, "unknown-query"),
        (7, "duplicate-judgement"),
        (9, "bad-line"),
        (10, "bad-grade"),
    ]
    assert found.judged == ("1",)


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_a_line_without_end_is_not_read_to_its_end(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is passed over, and the next one counts."""
    monkeypatch.setattr(judgements, "MAX_LINE_BYTES", 40)
    found = read_judgements(write("q", "x" * 200 + "\n" + QUERIES), write("r", "1\ta\t1\n"))
    assert codes(found.faults) == [(1, "too-long")]
    assert set(found.queries) == {"1", "2"}


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_faults_are_counted_without_measure_and_shown_by_example(write: Write) -> None:
    """A file of nothing but faults does not fill the memory; names in messages are short and escaped."""
    lines = "".join(f"{'q' * 500}\x1b[31m\ta{number}\t1\n" for number in range(50)) + "1\ta\t1\n"
    faults = read_judgements(write("q", QUERIES), write("r", lines)).faults
    assert (faults.counts, len(faults.examples)) == ((("qrels", "unknown-query", 50),), 20)
    assert all(len(fault.message) < 200 and fault.message.isprintable() for fault in faults.examples)


@pytest.mark.requirement("KB-EVAL-INPUT-2")
@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        ("", "1\ta\t1\n", r"queries are read from lines, .* has none .*check that it is the right file"),
        ("\n \n", "1\ta\t1\n", "queries are read from lines"),
        ("1\tleave\n", "1\ta\t1\n", "the first fault is on line 1: a line is one JSON object in UTF-8"),
        (QUERIES, "", "qrels are read from lines"),
        (QUERIES, "query-id\tcorpus-id\tscore\n", "qrels are read from lines"),
        (QUERIES, "1\ta\t0\n", "of 2 queries none is, .*judge a document with a grade of at least 1"),
        (QUERIES, "7\ta\t1\n8\tb\t1\n", "qrels are read .* no query has the id '7'"),
        (QUERIES, "1\ta\t0\n8\tb\t1\n", "the judgements name other query ids"),
    ],
)
def test_a_useless_file_is_an_error_with_a_remedy(queries: str, qrels: str, message: str, write: Write) -> None:
    """Empty, another format, or nothing relevant in it."""
    with pytest.raises(InputError, match=message):
        read_judgements(write("q", queries), write("r", qrels))


@pytest.mark.requirement("KB-EVAL-INPUT-2")
def test_a_file_that_cannot_be_read_is_named(write: Write, tmp_path: Path) -> None:
    """Missing, or a folder."""
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match=r"could not be read .* and nothing was measured; check the path"):
            read_judgements(path, write("r", "1\ta\t1\n"))


@pytest.mark.requirement("KB-EVAL-INPUT-2")
@pytest.mark.parametrize("path", ["a\0b", b"bytes", 5, None], ids=["nul", "bytes", "number", "none"])
def test_what_is_no_path_is_told(path: Any, write: Write) -> None:
    """No TypeError or ValueError of the system's."""
    with pytest.raises(InputError, match="nothing was measured"):
        read_judgements(path, write("r", "1\ta\t1\n"))


@pytest.mark.requirement("KB-EVAL-INPUT-2")
def test_only_regular_files_are_read(write: Write, tmp_path: Path) -> None:
    """A pipe nobody writes to is not waited for, and a device without end is not read."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", tmp_path):
        with pytest.raises(InputError, match=r"is a folder, a pipe or a device|could not be read"):
            read_judgements(path, write("r", "1\ta\t1\n"))


@pytest.mark.requirement("KB-EVAL-INPUT-3")
@pytest.mark.parametrize(
    ("queries", "grades", "message"),
    [
        ({"q": "leave"}, {"q": {"a": 1001}}, "a grade is a whole number up to 1000; a larger one"),
        ({"q": "leave"}, {"q": {"a": 10**8}}, "a grade is a whole number up to 1000"),
        ({"q": "leave"}, {"q": {"a": "1"}}, "a grade is a whole number up to 1000; str"),
        ({"q": "leave"}, {"q": {"a": 0.5}}, "float"),
        ({"q": "leave"}, {"q": {"a": float("inf")}}, "float"),
        ({"q": "leave"}, {"q": {"a": True}}, "bool"),
        ({"q": 5}, {"q": {"a": 1}}, "a question .* int is none"),
        ({"q": " "}, {"q": {"a": 1}}, "text that shows something"),
        ({1: "leave"}, {1: {"a": 1}}, "an id"),
        ({"q": "leave"}, {"q": {1: 1}}, "a name of a document"),
        ({"q": "\ud800"}, {"q": {"a": 1}}, "without lone surrogates; '.ud800'"),
        ({"q": "leave"}, {"q": ["a"]}, "judgements are mappings"),
        (None, None, "NoneType"),
    ],
)
def test_judgements_of_a_program_are_held_to_what_files_are(queries: Any, grades: Any, message: str) -> None:
    """Before anything is measured: a grade reserves memory, and another type has no order."""
    with pytest.raises(InputError, match=message):
        Judgements(queries=queries, grades=grades)
    assert Judgements(queries={"q": "x"}, grades={"q": {"a": 1000, "b": -3}}).grades["q"] == {"a": 1000, "b": 0}


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_names_are_told_so_that_they_can_be_copied() -> None:
    """What can be printed stands as it is; what could steer or reorder is escaped."""
    assert judgements.shown("leave.md § Übertrag") == "'leave.md § Übertrag'"
    assert judgements.shown("a\x1b\u202e\ud800\u00a0") == r"'a\x1b\u202e\ud800\xa0'"


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_a_corpus_is_read_document_by_document(write: Write) -> None:
    """A title may be missing; a blank document is told and stays one, a title that is no text costs the line."""
    lines = [
        {"_id": "a", "title": "Leave", "text": "Thirty days."},
        {"id": "b", "text": "Travel."},
        {"_id": "c", "title": "", "text": " "},
        {"_id": "d", "title": 7, "text": "x"},
        {"_id": "a", "title": "", "text": "again"},
    ]
    faults: list[InputFaults] = []
    path = write("c", "".join(json.dumps(line) + "\n" for line in lines))
    assert list(read_corpus(path, faults)) == [
        CorpusDocument(id="a", title="Leave", text="Thirty days."),
        CorpusDocument(id="b", title="", text="Travel."),
        CorpusDocument(id="c", title="", text=" "),
    ]
    assert codes(faults[0]) == [(3, "blank"), (4, "bad-line"), (5, "duplicate-id")]


@pytest.mark.requirement("KB-EVAL-INPUT-2")
def test_what_is_passed_over_needs_a_list(write: Write) -> None:
    """Before anything is read; faults of judgements are such a value."""
    path, wrong = write("queries.jsonl", '{"_id": "1", "text": "a"}\n'), cast("Any", None)
    with pytest.raises(InputError, match="appended to a list; NoneType is none"):
        read_queries(path, wrong)
    with pytest.raises(InputError, match="appended to a list; NoneType is none"):
        next(read_corpus(path, wrong))
    with pytest.raises(InputError, match="faults of judgements are an InputFaults; NoneType is none"):
        Judgements(queries={"q": "a"}, grades={"q": {"d": 1}}, faults=wrong)


def test_a_corpus_without_documents_is_an_error(write: Write) -> None:
    """Nothing would be found in it."""
    with pytest.raises(InputError, match="documents are read from lines"):
        list(read_corpus(write("c", "{}\n"), []))
