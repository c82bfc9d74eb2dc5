"""The command line and search by meaning."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.ports import EmbeddingError
from symfonic.adapters.knowledge.stores.sqlite import SqliteStore
from symfonic.composition.knowledge import IngestProgress, _opening, embedding
from symfonic.frontends.knowledge.cli._progress import as_time, progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .conftest import Command


class Letters:
    """Counts letters, in the place of the model; ``down`` makes it fail."""

    name = "letters"
    dimensions = 26
    down = False

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        if self.down:
            message = "MiniLM needs the package onnxruntime, which is not installed"
            raise EmbeddingError(message)
        return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    """What ``--embedder minilm`` makes here."""
    made = Letters()
    for module in (embedding, _opening):
        monkeypatch.setattr(module, "minilm", lambda: made)
    return made


@pytest.mark.requirement("CLI-EMB-1")
@pytest.mark.usefixtures("letters")
def test_a_store_filled_with_an_embedder_is_searched_with_it(run: Command, folder: Path) -> None:
    """Named once, when it is filled; words alone are searched where that is asked for."""
    assert run("ingest", str(folder), "--embedder", "minilm").code == 0
    assert run("search", "evael", "--limit", "1").text.split("\n")[0].endswith("handbook.md § Leave")
    for command in ("search", "prompt", "explain"):
        assert run(command, "evael", "--embedder", "none").code == 3
        assert run(command, "evael").code == 0


@pytest.mark.requirement("CLI-EMB-1")
@pytest.mark.usefixtures("letters")
def test_a_variable_and_a_settings_file_name_an_embedder(run: Command, folder: Path, tmp_path: Path) -> None:
    """An option wins over both."""
    settings = tmp_path / "settings.toml"
    settings.write_text('embedder = "minilm"\n')
    run("ingest", str(folder), "--settings", str(settings), "--embedder", "none")
    assert run("stats", "--json").json["vectors"] == 0
    run("ingest", str(folder), "--settings", str(settings))
    assert run("stats", "--json").json["vectors"] == 3
    assert run("embed", env={"SYMFONIC_KNOWLEDGE_EMBEDDER": "minilm"}).code == 0
    refused = run("search", "leave", "--embedder", "wrong")
    assert (refused.code, "embedder is minilm, openai:" in refused.err) == (2, True)


@pytest.mark.requirement("CLI-EMB-2")
@pytest.mark.usefixtures("letters")
def test_a_filled_store_is_completed(filled: Command) -> None:
    """The command says with what, and how many there are; a second time it has nothing to do."""
    refused = filled("embed")
    assert (refused.code, "name one with --embedder" in refused.err) == (1, True)
    done = filled("embed", "--embedder", "minilm")
    assert (done.code, done.text) == (0, f"3 passages embedded with letters, 3 vectors in {filled.store}\n")
    again = {"store": str(filled.store), "embedder": "letters", "embedded": 0, "vectors": 3}
    assert filled("embed", "--json").json == again
    assert filled("embed", "--anew", "--json").json == again | {"embedded": 3}


@pytest.mark.requirement("CLI-EMB-2")
def test_another_embedder_takes_over_with_anew(filled: Command, letters: Letters) -> None:
    """Without it the store refuses to mix."""
    filled("embed", "--embedder", "minilm")
    letters.name = "letters 2"
    refused = filled("embed", "--embedder", "minilm")
    assert (refused.code, "embed --anew" in refused.err) == (1, True)
    refused = filled("search", "leave")
    assert (refused.code, "was filled with 'letters'" in refused.err, "--embedder none" in refused.err) == (
        1,
        True,
        True,
    )
    assert filled("embed", "--embedder", "minilm", "--anew").code == 0
    assert filled("search", "leave").code == 0


@pytest.mark.requirement("CLI-EMB-2")
@pytest.mark.usefixtures("letters")
def test_ingestion_says_how_many_earlier_passages_it_embedded(filled: Command, folder: Path) -> None:
    """On the summary line and in JSON."""
    done = filled("ingest", str(folder), "--embedder", "minilm")
    assert done.text == (
        f"2 unchanged; 0 passages added for everybody (no scope) in {filled.store}; 3 earlier passages embedded\n"
    )
    assert filled("ingest", str(folder), "--json").json["embedded"] == 0


@pytest.mark.requirement("IN-VEC-6")
def test_ingestion_notes_what_could_not_be_embedded(
    filled: Command, folder: Path, letters: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 0: what was named is stored. The command that embeds says why."""

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[0.0] * 26 if "leave" in text.lower() else letters.embed_query(text) for text in texts]

    monkeypatch.setattr(letters, "embed_documents", embed)
    done = filled("ingest", str(folder), "--embedder", "minilm")
    assert (done.code, "of the store could not be embedded and can be found by words alone" in done.err) == (0, True)
    assert filled("ingest", str(folder), "--embedder", "minilm", "--json").json["unembedded"] >= 1
    failed = filled("embed", "--embedder", "minilm")
    assert (failed.code, "could not be embedded, are found by their words alone" in failed.err) == (1, True)


@pytest.mark.requirement("CLI-EMB-3")
@pytest.mark.usefixtures("letters")
def test_stats_say_whose_vectors_there_are(filled: Command, folder: Path) -> None:
    """And how many passages have none."""
    view = filled("stats", "--json").json
    assert [view[key] for key in ("embedder", "dimensions", "vectors", "without_vector")] == [None, None, 0, 0]
    assert "Embedder" not in filled("stats").text
    filled("embed", "--embedder", "minilm")
    assert "Embedder   letters, 26 dimensions: every passage has a vector\n" in filled("stats").text
    view = filled("stats", "--json").json
    assert [view[key] for key in ("embedder", "dimensions", "vectors", "without_vector")] == ["letters", 26, 3, 0]


@pytest.mark.requirement("CLI-EMB-3")
@pytest.mark.usefixtures("letters")
def test_a_search_by_meaning_says_that_vectors_are_missing(filled: Command) -> None:
    """Not how many: that could be another tenant's business. Without an embedder there is nothing to say."""
    note = "Note: some passages of this store have no vector"
    for command in ("search", "explain"):
        assert note in filled(command, "leave", "--embedder", "minilm").err
        assert note not in filled(command, "leave").err
    filled("embed", "--embedder", "minilm")
    assert filled("search", "leave").err == ""


@pytest.mark.requirement("CLI-EMB-4")
def test_a_model_that_is_not_installed_is_told_with_both_ways_out(filled: Command, letters: Letters) -> None:
    """Install it, or search words; what needs no model works."""
    filled("embed", "--embedder", "minilm")
    letters.down = True
    failed = filled("search", "leave", "--json")
    assert failed.code == 1
    assert failed.json["error"]["code"] == "embedder"
    assert failed.json["error"]["message"] == (
        "MiniLM needs the package onnxruntime, which is not installed; with 'none' as embedder (--embedder none) words "
        "alone are searched"
    )
    for command in ("list", "stats", "export", "vacuum"):
        assert filled(command).code == 0
    assert filled("forget", "handbook.md").code == 0


@pytest.mark.requirement("CLI-EMB-4")
def test_what_reads_no_meaning_makes_no_embedder(filled: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the settings say."""

    def fail() -> None:
        raise AssertionError

    for module in (embedding, _opening):
        monkeypatch.setattr(module, "minilm", fail)
    monkeypatch.setattr(SqliteStore, "check", lambda _: (), raising=False)
    for words in (["list"], ["stats"], ["export"], ["vacuum"], ["check-store"], ["forget", "handbook.md"]):
        assert filled(*words, env={"SYMFONIC_KNOWLEDGE_EMBEDDER": "minilm"}).code == 0, words


@pytest.mark.usefixtures("letters")
def test_nothing_found_by_meaning_is_told_as_that(run: Command, tmp_path: Path) -> None:
    """Words of the documents are no advice where meaning was searched as well."""
    (tmp_path / "a.txt").write_text("aaa")
    run("ingest", str(tmp_path / "a.txt"), "--embedder", "minilm")
    told = run("search", "bbb")
    assert (told.code, "shares a word with the question or is near it in meaning" in told.err) == (3, True)


def test_an_index_of_vectors_is_no_business_of_a_file(filled: Command) -> None:
    """All vectors are read there."""
    result = filled("index")
    assert result.code == 1
    assert "an index of vectors is built on request in PostgreSQL; SqliteStore builds none so" in result.err


# -------------------------------------------------------------------------------------------------------- check-store


@pytest.mark.requirement("CLI-CHECK-2")
def test_a_sound_store_is_told(filled: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 0; a damaged one 1, with every fault."""
    found: list[tuple[str, ...]] = [(), ("page 3 is damaged; restore it", "the index lacks\x1b[0m a row")]
    monkeypatch.setattr(SqliteStore, "check", lambda _: found[0], raising=False)
    sound = filled("check-store")
    assert (sound.code, sound.text) == (0, f"{filled.store}: sound\n")
    assert filled("check-store", "--json").json == {"store": str(filled.store), "sound": True, "faults": []}
    found.reverse()
    damaged = filled("check-store")
    assert damaged.code == 1
    assert damaged.text.startswith("Fault: page 3 is damaged; restore it\nFault: the index lacks")
    assert f"{filled.store}: damaged, 2 faults\nDamaged vectors are replaced by" in damaged.text
    assert "\x1b" not in damaged.text
    assert filled("check-store", "--json").code == 1


# ----------------------------------------------------------------------------------------------------------- progress


@pytest.mark.requirement("CLI-ING-3")
def test_without_a_terminal_a_long_run_says_where_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    """Every half minute; a short run says nothing."""
    with progress() as tell:
        tell(IngestProgress(total=50, done=0))
        for second in range(0, 100, 5):
            tell(
                IngestProgress(
                    total=5000,
                    done=second * 10,
                    passages=second * 30,
                    elapsed=float(second),
                    rate=30.4,
                    remaining=410.0,
                )
            )
    assert capsys.readouterr().err.splitlines() == [
        "300 of 5,000 files, 900 passages, 30/s, 6 min 50 s left",
        "600 of 5,000 files, 1,800 passages, 30/s, 6 min 50 s left",
        "900 of 5,000 files, 2,700 passages, 30/s, 6 min 50 s left",
    ]
    with progress() as tell:
        tell(IngestProgress(total=9, done=9, unit="passages", passages=9, elapsed=31.0, rate=0.2, remaining=0.0))
        tell(IngestProgress(total=9, done=9, unit="passages", passages=9, elapsed=70.0))
    assert capsys.readouterr().err.splitlines() == ["9 of 9 passages, under 1/s", "9 of 9 passages"]


@pytest.mark.requirement("CLI-ING-3")
def test_a_terminal_sees_rate_and_remaining_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the bar; names of files are no markup."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    seen = Terminal()
    monkeypatch.setattr("sys.stderr", seen)
    monkeypatch.setenv("COLUMNS", "200")
    with progress() as tell:
        tell(
            IngestProgress(total=40, done=10, current="[red]a.txt", passages=70, elapsed=9.0, rate=7.0, remaining=27.0)
        )
    text = seen.getvalue()
    assert "10/40" in text
    assert "70 passages, 7/s, 27 s left" in text
    assert "[red]a.txt" in text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3599, "59 min 59 s"), (7265, "2 h 01 min")],
)
def test_seconds_are_told_as_people_do(seconds: float, said: str) -> None:
    """In two units at most."""
    assert as_time(seconds) == said


@pytest.mark.requirement("CLI-EMB-5")
@pytest.mark.parametrize("command", ["search", "prompt", "explain", "ingest"])
def test_an_embedder_nobody_knows_is_told_with_its_option(filled: Command, command: str) -> None:
    """The option and the words it takes."""
    refused = filled(command, "leave", "--embedder", "nonsense")
    told = " ".join(refused.err.replace("│", " ").split())
    assert (refused.code, "--embedder" in told) == (2, True)
    assert "embedder is minilm, openai:NAME of a model, or none, not 'nonsense'" in told
