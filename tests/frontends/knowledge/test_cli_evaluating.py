"""``eval``: what it prints, where, and with which exit code."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.frontends.knowledge.cli import _evaluating

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Command

DOCUMENTS = [
    {"_id": "leave", "title": "Leave", "text": "Employees have thirty days of leave every year."},
    {"_id": "travel", "title": "Travel", "text": "Travel by train is booked two weeks early."},
    {"_id": "sick", "title": "Illness", "text": "A certificate is due on the third day of an illness."},
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A collection of three documents and two queries, as options."""
    content = {
        "corpus": "".join(json.dumps(document) + "\n" for document in DOCUMENTS),
        "queries": '{"_id": "1", "text": "days of leave"}\n{"_id": "2", "text": "book a train"}\n',
        "qrels": "query-id\tcorpus-id\tscore\n1\tleave\t2\n1\tsick\t1\n2\ttravel\t1\n",
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    return {f"--{name}": str(tmp_path / name) for name in content}


def words(files: dict[str, str], *without: str) -> list[str]:
    """The options of a collection as words."""
    return [word for option, path in files.items() if option not in without for word in (option, path)]


@pytest.mark.requirement("KB-EVAL-CLI-1")
def test_json_holds_measures_intervals_cost_and_settings(run: Command, files: dict[str, str]) -> None:
    """The schema of the reference; no store is left behind where none is named."""
    done = run.bare("eval", *words(files), "--limit", "1", "--json", env={"SYMFONIC_KNOWLEDGE_STORE": str(run.store)})
    found = done.json
    assert (done.code, done.err) == (0, "")
    assert not run.store.exists()
    assert list(found["metrics"]) == ["ndcg@5", "ndcg@10", "recall@5", "recall@10", "recall@100", "mrr@10"]
    assert list(found["intervals"]) == list(found["metrics"])
    assert (found["metrics"]["recall@5"], found["intervals"]["recall@5"]) == (1.0, [1.0, 1.0])
    assert (found["queries"], found["documents"], found["passages"], found["judgements"]) == (2, 3, 3, 3)
    boundary = found["boundary"]
    assert (boundary["limit"], boundary["recall@admitted"], boundary["raw_recall@limit"]) == (1, 0.75, 0.75)
    assert boundary["relevant"] == {"admitted": 0.75, "over-limit": 0.25}
    assert boundary["lifted"]["limit"]["recall@admitted"] == 1.0
    assert (boundary["lost"], boundary["gained"], boundary["recall_cost"]) == ({}, 0.0, 0.0)
    assert found["settings"]["limit"] == 1
    assert (found["depth"], found["resamples"], found["seed"], found["scope"]) == (100, 10_000, 0, [])
    assert found["faults"] == {"total": 0, "counts": [], "examples": []}
    assert sorted(found["timings"]) == ["filling", "prompt_p50", "search_p50"]


@pytest.mark.requirement("KB-EVAL-SAME-1")
def test_two_runs_give_the_same_bytes_but_for_times(run: Command, files: dict[str, str]) -> None:
    """Into a new store and from one that is there."""
    answers: list[dict[str, Any]] = []
    for arguments in ([], ["--store", str(run.store)], ["--store", str(run.store)]):
        found = run.bare("eval", *words(files), *arguments, "--json").json
        found.pop("timings")
        answers.append(found)
    assert json.dumps(answers[0]) == json.dumps(answers[1]) == json.dumps(answers[2])


@pytest.mark.requirement("KB-EVAL-CLI-1")
def test_people_get_tables_and_what_was_lost(run: Command, files: dict[str, str]) -> None:
    """Measures, recall with and without each ceiling that matters, and how all relevant documents ended."""
    done = run.bare("eval", *words(files), "--limit", "1")
    head = "2 queries over 3 documents with 3 passages; words alone; intervals of 95 % by 10,000 resamples\n"
    assert done.text.startswith(head)
    for line in (
        " recall@5     1.0000   [1.0000, 1.0000] ",
        " store, first 1         0.7500   [0.5000, 1.0000] ",
        " prompt without limit   1.0000   [1.0000, 1.0000] ",
        "Lost of the first rows: nothing",
        "All relevant documents: admitted 75.0 %, over-limit 25.0 %",
    ):
        assert line in done.text
    assert "without min_score" not in done.text


@pytest.mark.requirement("KB-EVAL-CLI-1")
def test_a_store_is_asked_by_the_names_it_shows(run: Command, folder: Path, tmp_path: Path) -> None:
    """Without a corpus; nothing is made where there is no store."""
    queries, qrels = tmp_path / "q", tmp_path / "r"
    queries.write_text('{"id": "1", "text": "thirty days of leave"}\n')
    qrels.write_text("1\thandbook.md § Leave\t1\n")
    arguments = ["eval", "--queries", str(queries), "--qrels", str(qrels), "--json"]
    assert run(*arguments).json["error"]["code"] == "missing-store"
    run("ingest", str(folder))
    found = run(*arguments).json
    assert (found["metrics"]["mrr@10"], found["intervals"]["mrr@10"]) == (1.0, None)
    scoped = run(*arguments, "--scope", "tenant:acme").json
    assert (scoped["scope"], scoped["metrics"]["mrr@10"]) == (["tenant:acme"], 1.0)


@pytest.mark.requirement("KB-EVAL-INPUT-1")
def test_a_bad_line_fails_only_where_that_is_asked_for(run: Command, files: dict[str, str]) -> None:
    """It is told on standard error, and counted in JSON; control characters of names reach no terminal."""
    with open(files["--qrels"], "a", encoding="utf-8") as file:  # noqa: PTH123 - paths are options here
        file.write("1\tno\x1b[31mwhere\t1\n2\n")
    done = run.bare("eval", *words(files))
    assert done.code == 0
    assert done.err.splitlines()[0] == "Passed over: 1 bad-line in qrels, 1 unknown-document in qrels"
    assert "  qrels line 6: a judgement has three columns" in done.err
    assert "\x1b" not in done.err + done.text
    strict = run.bare("eval", *words(files), "--strict", "--json")
    assert (strict.code, strict.json["faults"]["total"]) == (1, 2)
    assert (strict.json["not_stored"], strict.json["metrics"]["recall@5"]) == (1, 0.833333)
    assert "1 relevant document is not stored and counts as missed" in done.text


@pytest.mark.requirement("KB-EVAL-DIFF-1")
def test_a_baseline_is_compared_query_by_query(run: Command, files: dict[str, str], tmp_path: Path) -> None:
    """What --per-query wrote with one limit against another limit."""
    kept = str(tmp_path / "values.tsv")
    run.bare("eval", *words(files), "--limit", "1", "--per-query", kept)
    done = run.bare("eval", *words(files), "--baseline", kept, "--json")
    assert done.json["differences"]["values"]["recall@admitted"] == 0.25
    assert done.json["differences"]["intervals"]["recall@admitted"] == [0.0, 0.5]
    assert done.json["differences"]["values"]["ndcg@10"] == 0.0
    shown = run.bare("eval", *words(files), "--baseline", kept).text
    assert "+0.2500   [0.0000, 0.5000]" in shown
    assert [done.json["differences"][name] for name in ("queries", "only_here", "only_baseline")] == [2, 0, 0]
    with open(kept, encoding="utf-8") as file:  # noqa: PTH123 - paths are options here
        lines = file.read().replace("\n2\t", "\n3\t")
    (tmp_path / "other.tsv").write_text(lines)
    part = run.bare("eval", *words(files), "--baseline", str(tmp_path / "other.tsv"))
    assert part.err == (
        "Note: differences are over queries of both runs, 1; 1 of this run alone and 1 of the baseline alone were not "
        "compared.\n"
    )
    wrong = run.bare("eval", *words(files), "--baseline", files["--qrels"], "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "input")


@pytest.mark.requirement("KB-EVAL-DIFF-1")
def test_two_ways_are_compared_in_one_run(run: Command, files: dict[str, str]) -> None:
    """Here the same way twice, so every difference is nothing; times alone differ, and stand together."""
    arguments = ["eval", *words(files), "--embedder", "none", "--compare", "none"]
    found = run.bare(*arguments, "--json").json
    assert found["compared"] == {
        name: found[name] for name in ("embedder", "embedded", "metrics", "intervals", "boundary")
    }
    assert set(found["differences"]["values"].values()) == {0.0}
    assert sorted(found["timings"]["compared"]) == ["filling", "prompt_p50", "search_p50"]
    done = run.bare(*arguments)
    assert "words alone, compared with words alone;" in done.text
    assert done.err.startswith("Note: both runs went by words alone, so there was nothing to compare")


@pytest.mark.requirement("KB-EVAL-VECTORS-1")
def test_meaning_is_not_measured_where_nothing_has_a_vector(run: Command, folder: Path, tmp_path: Path) -> None:
    """A store filled by words is no ground for a comparison; one with some vectors says how many."""
    (tmp_path / "q").write_text('{"id": "1", "text": "thirty days of leave"}\n')
    (tmp_path / "r").write_text("1\thandbook.md § Leave\t1\n")
    run("ingest", str(folder))
    arguments = ["eval", "--queries", str(tmp_path / "q"), "--qrels", str(tmp_path / "r")]
    refused = run(*arguments, "--embedder", "minilm", "--compare", "none", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "input")
    assert "no passage of this store has one" in refused.json["error"]["message"]
    view = {"embedder": "letters", "embedded": 0.5}
    assert _evaluating._way(view) == "words and letters (vectors of 50.0 % of the store's passages)"
    assert "nothing to compare" in run(*arguments, "--compare", "none").err


@pytest.mark.requirement("KB-EVAL-FLOOR-1")
def test_floors_are_shown_where_negatives_are_given(run: Command, files: dict[str, str], tmp_path: Path) -> None:
    """As a table and in JSON; a bad line among them is told like any other."""
    (tmp_path / "none").write_text('{"id": "1", "text": "chromodynamics"}\nno question\n')
    arguments = ["eval", *words(files), "--negatives", str(tmp_path / "none")]
    found = run.bare(*arguments, "--json").json
    assert found["negatives"] == 1
    assert found["floors"][0] == {"floor": 0.0, "kept": 1.0, "refused": 1.0}
    assert found["faults"]["counts"] == [{"file": "negatives", "code": "bad-json", "count": 1}]
    assert " 0.00        100.0 %             100.0 % " in run.bare(*arguments).text
    assert run.bare("eval", *words(files), "--json").json["floors"] == []


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_chart_is_drawn_and_its_path_checked_first(run: Command, files: dict[str, str], tmp_path: Path) -> None:
    """Another ending is told before anything is read."""
    assert run.bare("eval", *words(files), "--chart", str(tmp_path / "a.svg")).code == 0
    assert (tmp_path / "a.svg").read_text().startswith("<svg ")
    values, chart = str(tmp_path / "values.tsv"), str(tmp_path / "b.svg")
    run.bare("eval", *words(files), "--per-query", values)
    for extra, against in ((["--baseline", values], "the run in values.tsv"), (["--compare", "none"], "words alone")):
        assert run.bare("eval", *words(files), *extra, "--chart", chart).code == 0
        assert f">Change against {against}<" in (tmp_path / "b.svg").read_text()
    wrong = run.bare("eval", *words(files, "--qrels"), "--qrels", "none", "--chart", "a.gif", "--json").json
    assert "a chart is an .svg or a .png" in wrong["error"]["message"]


@pytest.mark.requirement("KB-EVAL-OUTPUT-1")
@pytest.mark.parametrize("option", ["--per-query", "--chart"])
@pytest.mark.parametrize(
    "read", ["--queries", "--qrels", "--corpus", "--negatives", "--baseline", "--settings", "--store"]
)
def test_no_result_replaces_what_is_read(option: str, read: str, run: Command, files: dict[str, str]) -> None:
    """By whatever name, here a link; whatever was there is as it was, and nothing was measured."""
    link = run.store.parent / "link.svg"
    target = run.store.parent / "kept"
    target.write_text("kept")
    link.symlink_to(files.get(read, str(target)))
    before = link.read_bytes()
    given = {"--queries": "none", **files, read: files.get(read, str(target)), option: str(link)}
    done = run.bare("eval", *words(given), "--json")
    assert done.code == 2
    assert f"is that of {read}, which would be overwritten" in done.json["error"]["message"]
    assert link.read_bytes() == before


@pytest.mark.requirement("KB-EVAL-OUTPUT-1")
def test_results_go_to_files_of_their_own_that_can_be_written(
    run: Command, files: dict[str, str], tmp_path: Path
) -> None:
    """Neither a folder, nor one file for two results, nor the store or the key that settings lead to."""
    (tmp_path / "folder.svg").mkdir()
    one = str(tmp_path / "one.svg")
    for extra, message in (
        (["--per-query", str(tmp_path)], "is a folder"),
        (["--chart", str(tmp_path / "folder.svg")], "is a folder"),
        (["--chart", "x.pdf"], "a chart is an .svg or a .png"),
        (["--chart", one, "--per-query", one], "is that of --chart"),
        (["--store", str(run.store), "--per-query", f"{run.store}.key"], "is that of --store (key)"),
        (["--store", str(run.store), "--per-query", f"{run.store}-wal"], "is that of --store (wal)"),
    ):
        done = run.bare("eval", *words(files, "--qrels"), "--qrels", "none", *extra, "--json")
        assert (done.code, message in done.json["error"]["message"]) == (2, True), done.json


@pytest.mark.requirement("KB-EVAL-CLI-1")
@pytest.mark.parametrize(
    ("extra", "without", "message"),
    [
        (["--scope", "tenant:acme"], "", "a corpus is asked for everybody"),
        (["--max-chunk-chars", "100"], "--corpus", "passages are made when a corpus is stored"),
        (["--limit", "-1"], "", "is not from 0 to"),
        (["--max-chunk-chars", "0"], "", "max_chunk_chars"),
        (["--baseline", "values.tsv", "--compare", "none"], "", "leave out one of --baseline and --compare"),
        (["--per-query", "no/such/folder/values.tsv"], "", "in a folder that exists"),
        ([], "--queries", "--queries"),
        ([], "--qrels", "--qrels"),
    ],
)
def test_wrong_use_is_told_as_such(
    extra: list[str], without: str, message: str, run: Command, files: dict[str, str]
) -> None:
    """Options that contradict each other, are out of range, or are missing."""
    done = run.bare("eval", *words(files, without), *extra, "--json")
    assert done.code == 2
    assert message in done.json["error"]["message"]


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, by stage; a short run leaves no line."""
    from symfonic.composition.knowledge import EvaluationProgress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with _evaluating._progress() as lines:
        for elapsed in (1.0, 29.0, 31.0, 45.0, 62.0):
            lines(EvaluationProgress(stage="asking", total=1000 if elapsed < 60 else None, done=7, elapsed=elapsed))
    assert capsys.readouterr().err == "asking: 7 of 1,000\nasking: 7\n"
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with _evaluating._progress() as advance:
        advance(EvaluationProgress(stage="asking", total=3, done=1, elapsed=0.0))
    assert "asking" in terminal.getvalue()


@pytest.mark.requirement("CLI-EMB-5")
@pytest.mark.parametrize("option", ["--embedder", "--compare"])
def test_the_option_that_names_no_embedder_is_told(run: Command, files: dict[str, str], option: str) -> None:
    """Each of the two by its own name."""
    refused = run.bare("eval", *words(files), option, "nonsense")
    assert (refused.code, f"Invalid value for {option}: embedder is minilm, " in refused.err) == (2, True)
