"""What a deployment decides, and where it is read from."""

from __future__ import annotations

import builtins
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
from symfonic.capabilities.knowledge import AttachmentPolicy, DocumentPolicy, RetrievalPolicy
from symfonic.composition.knowledge import (
    DEFAULT_INSTRUCTIONS,
    MissingExtraError,
    Settings,
    SettingsError,
    default_store_path,
    read_instructions,
)


def written(path: Path, text: str) -> Path:
    """A file with that text."""
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_a_usable_deployment() -> None:
    """Nothing has to be set."""
    settings = Settings()
    assert settings == Settings.load(environ={}) == Settings.load()
    assert settings.retrieval_policy() == RetrievalPolicy(5, 0.0, 2000, 8000)
    assert (settings.candidates, settings.store, settings.instructions) == (20, None, DEFAULT_INSTRUCTIONS)


@pytest.mark.requirement("CO-SET-1")
def test_a_file_sets_every_field(tmp_path: Path) -> None:
    """Each setting stands in its table; paths are relative to the file."""
    written(tmp_path / "say.md", "Answer in verse.\n")
    path = written(
        tmp_path / "s.toml",
        'store = "k.db"\n'
        "[retrieval]\nlimit = 2\nmin_score = 0.25\nmax_fragment_chars = 900\nmax_total_chars = 1800\n"
        "max_per_source = 2\ncandidates = 7\n"
        '[prompt]\ninstructions_file = "say.md"\nmax_learned_chars = 2000\nmax_prompt_chars = 9000\ndatamark = "^"\n'
        "source_deadline = 2.5\nneutralise_sentence_tokens = true\n"
        "[ingest]\nmax_chunk_chars = 800\nmax_file_bytes = 1000\nworkers = 3\nmax_extraction_seconds = 5\n"
        "max_extraction_memory = 0\nmax_extraction_chars = 7000\n"
        '[answer]\nmodel = "m"\nbase_url = "http://127.0.0.1:8080/v1"\nmodel_timeout = 5\nmax_answer_tokens = 90\n',
    )
    assert Settings.load(path) == Settings(
        store=tmp_path / "k.db",
        limit=2,
        min_score=0.25,
        max_fragment_chars=900,
        max_total_chars=1800,
        max_per_source=2,
        candidates=7,
        instructions="Answer in verse.",
        max_learned_chars=2000,
        max_prompt_chars=9000,
        source_deadline=2.5,
        neutralise_sentence_tokens=True,
        datamark="^",
        max_chunk_chars=800,
        max_file_bytes=1000,
        workers=3,
        max_extraction_seconds=5,
        max_extraction_memory=0,
        max_extraction_chars=7000,
        model="m",
        base_url="http://127.0.0.1:8080/v1",
        model_timeout=5,
        max_answer_tokens=90,
    )


@pytest.mark.requirement("CO-SET-2")
def test_the_environment_wins_over_the_file_and_names_it(tmp_path: Path) -> None:
    """Variables are field names in capitals; an empty one is not set; other programs' variables are left alone."""
    path = written(tmp_path / "s.toml", "[retrieval]\nlimit = 2\ncandidates = 9\n")
    settings = Settings.load(
        environ={
            "SYMFONIC_KNOWLEDGE_SETTINGS": str(path),
            "SYMFONIC_KNOWLEDGE_LIMIT": "4",
            "SYMFONIC_KNOWLEDGE_MIN_SCORE": "0.5",
            "SYMFONIC_KNOWLEDGE_STORE": "here.db",
            "SYMFONIC_KNOWLEDGE_DATAMARK": "^",
            "SYMFONIC_KNOWLEDGE_MAX_TOTAL_CHARS": "",
            "SYMFONIC_KNOWLEDGE_MODEL": "local",
            "SYMFONIC_KNOWLEDGE_NEUTRALISE_SENTENCE_TOKENS": "true",
            "SYMFONIC_KNOWLEDGE_BASE_URL": "https://models.example/v1",
            "SYMFONIC_KNOWLEDGE_MODEL_TIMEOUT": "2.5",
            "SYMFONIC_OTHER": "x",
        }
    )
    assert settings == Settings(
        limit=4,
        candidates=9,
        min_score=0.5,
        store=Path("here.db"),
        datamark="^",
        model="local",
        neutralise_sentence_tokens=True,
        base_url="https://models.example/v1",
        model_timeout=2.5,
    )


def test_an_explicit_file_wins_over_the_named_one(tmp_path: Path) -> None:
    """What the program passes is what holds."""
    path = written(tmp_path / "s.toml", "[retrieval]\nlimit = 2\n")
    assert Settings.load(path, {"SYMFONIC_KNOWLEDGE_SETTINGS": "/nowhere"}).limit == 2


@pytest.mark.requirement("CO-SET-3")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limit = 3", r"the top level has no setting 'limit'.*move it to \[retrieval\]"),
        ("[retrieval]\nlimits = 3", r"\[retrieval\] has no setting 'limits'.*known there: .*limit"),
        (
            "[prompts]\nx = 1",
            r"\[prompts\] is no table of settings.*known: answer, attachments, documents, ingest, prompt, retrieval",
        ),
        ("[prompt]\nmax_chunk_chars = 3", r"move it to \[ingest\]"),
        ("limit = ", "settings are TOML"),
        ("[prompts]", r"\[prompts\] is no table of settings"),
        ("store = {}", r"\[store\] is no table of settings"),
        ('store = ""', "store must be the path of a file"),
        ('store = "~nosuchuser/k.db"', "names no user with a home folder"),
        ('store = "a\\u0000b"', "store must be the path of a file"),
        ("[retrieval]\nlimit = " + "9" * 5000, "settings are TOML"),
        ("x = " + "[" * 5000, "nested too deeply|settings are TOML"),
        ('[prompt]\ninstructions_file = "a\\u0000"', "is no path of one"),
        ('[prompt]\ninstructions_file = ""', "is no path of one"),
        ('[prompt]\ninstructions = "\\u2800"', "not blank"),
        ("[retrieval]\nlimit = {}", "limit must be a whole number"),
        ('[prompt]\ninstructions = "a"\ninstructions_file = "b"', "exclude each other"),
        ("[prompt]\ninstructions_file = 3", "exclude each other"),
        ('[prompt]\ninstructions_file = "none.md"', "could not be read"),
        ("store = 3", "store must be the path of a file"),
        ("[retrieval]\nlimit = true", "limit"),
        ("[retrieval]\nmin_score = nan", "min_score"),
    ],
)
def test_what_would_have_no_effect_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """A mistyped key is told, with where it belongs."""
    with pytest.raises(SettingsError, match=message):
        Settings.load(written(tmp_path / "s.toml", text))


@pytest.mark.requirement("CO-SET-3")
@pytest.mark.parametrize(
    ("text", "environ", "told"),
    [
        ("[retrieval]\nlimit = -1", {}, "{path}: [retrieval]: limit must be"),
        ("[retrieval]\nmin_score = nan", {}, "{path}: [retrieval]: min_score must be"),
        ('[prompt]\ninstructions = ""', {}, "{path}: [prompt]: instructions must be"),
        ("[ingest]\nmax_file_bytes = 0", {}, "{path}: [ingest]: max_file_bytes must be"),
        ("[ingest]\nmax_chunk_chars = 2001", {}, "{path}: [ingest]: max_chunk_chars (2001) must not exceed"),
        ("store = 3", {}, "{path}: store must be"),
        ("", {"LIMIT": "-1"}, "environment variable SYMFONIC_KNOWLEDGE_LIMIT: limit must be"),
        ("[retrieval]\nlimit = 2", {"LIMIT": "-1"}, "environment variable SYMFONIC_KNOWLEDGE_LIMIT: limit must be"),
        (
            "[retrieval]\nmax_fragment_chars = 500",
            {"MAX_CHUNK_CHARS": "501"},
            "{path} and the environment: max_chunk_chars (501) must not exceed",
        ),
        (
            "[retrieval]\nmax_fragment_chars = 500\n[ingest]\nmax_chunk_chars = 501",
            {},
            "{path}: max_chunk_chars (501) must not exceed",
        ),
    ],
)
def test_a_refused_value_is_told_with_its_place(tmp_path: Path, text: str, environ: dict[str, str], told: str) -> None:
    """File and table, or variable; where it takes two values to be refused, the sources that were read."""
    path = written(tmp_path / "s.toml", text)
    with pytest.raises(SettingsError) as caught:
        Settings.load(path, {f"SYMFONIC_KNOWLEDGE_{name}": value for name, value in environ.items()})
    assert str(caught.value).startswith(told.format(path=path))


@pytest.mark.parametrize("path", ["s\0", b"s", 5, ""])
def test_what_is_no_path_is_refused(path: Any) -> None:
    """Before anything is opened."""
    for read in (Settings.load, read_instructions):
        with pytest.raises(SettingsError, match=r"is no path of one|could not be read"):
            read(path)


def test_the_largest_values_are_allowed() -> None:
    """And the message of the next one names them."""
    assert Settings(limit=2**31 - 1, max_total_chars=sys.maxsize, max_file_bytes=2**31 - 1).limit == 2**31 - 1
    with pytest.raises(SettingsError, match="max_file_bytes must be a whole number from 1 to 2147483647"):
        Settings(max_file_bytes=2**31)


def test_files_that_cannot_be_read_are_explained(tmp_path: Path) -> None:
    """Missing, and no UTF-8."""
    with pytest.raises(SettingsError, match="could not be read"):
        Settings.load(tmp_path / "none.toml")
    (tmp_path / "s.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="settings are TOML in UTF-8"):
        Settings.load(tmp_path / "s.toml")


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("LIMITS", "3", "sets nothing.*SYMFONIC_KNOWLEDGE_LIMIT"),
        ("LIMIT", "three", "must be a number, not 'three'"),
        ("MIN_SCORE", "high", "must be a number"),
        ("MODEL_TIMEOUT", "soon", "must be a number"),
        ("NEUTRALISE_SENTENCE_TOKENS", "True", "must be true or false, not 'True'"),
        ("LIMIT", "9" * 5000, "must be a number, not '9+…;"),
        ("MAX_TOTAL_CHARS", str(10**30), f"from 0 to {sys.maxsize}"),
        ("STORE", "~nosuchuser/k.db", "names no user with a home folder"),
        ("INSTRUCTIONS_FILE", "/nowhere/x", "could not be read"),
    ],
)
def test_wrong_variables_are_refused(variable: str, value: str, message: str) -> None:
    """The same care as for the file."""
    with pytest.raises(SettingsError, match=message):
        Settings.load(environ={f"SYMFONIC_KNOWLEDGE_{variable}": value})


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": -1},
        {"limit": 2.0},
        {"min_score": float("inf")},
        {"max_fragment_chars": -1},
        {"max_total_chars": "8000"},
        {"max_per_source": -1},
        {"candidates": 0},
        {"candidates": True},
        {"candidates": None},
        {"instructions": ""},
        {"instructions": " \n"},
        {"instructions": "\u2800"},
        {"instructions": "\u200b\u200e"},
        {"limit": 2**31},
        {"candidates": 10**30},
        {"max_per_source": 2**31},
        {"max_fragment_chars": 10**30},
        {"max_total_chars": 10**30},
        {"max_learned_chars": sys.maxsize + 1},
        {"max_prompt_chars": 10**30},
        {"max_chunk_chars": 10**30},
        {"max_file_bytes": 2**31},
        {"limit": 10**5000},
        {"instructions": None},
        {"instructions": "a\ud800"},
        {"max_learned_chars": -1},
        {"max_prompt_chars": -1},
        {"datamark": "a"},
        {"neutralise_sentence_tokens": 1},
        {"max_chunk_chars": 0},
        {"max_file_bytes": 0},
        {"store": ""},
        {"store": "a\0b"},
        {"store": 3},
        {"model": ""},
        {"model": " m"},
        {"model": "m\x1b[31m"},
        {"model": "m" * 201},
        {"model": 3},
        {"base_url": ""},
        {"base_url": 3},
        {"base_url": "https://user:hunter2@host"},
        {"source_deadline": 0},
        {"source_deadline": float("inf")},
        {"source_deadline": "30"},
        {"vector_cache_bytes": -1},
        {"vector_cache_bytes": 2.0**30},
        {"vector_cache_bytes": None},
        {"model_timeout": 0},
        {"model_timeout": -1.0},
        {"model_timeout": float("nan")},
        {"model_timeout": float("inf")},
        {"model_timeout": 86_401},
        {"model_timeout": True},
        {"model_timeout": "60"},
        {"max_answer_tokens": 0},
        {"max_answer_tokens": 1_000_001},
        {"max_answer_tokens": None},
    ],
)
def test_a_wrong_value_is_refused_where_it_is_made(wrong: dict[str, Any]) -> None:
    """Every field is checked in the constructor."""
    with pytest.raises(SettingsError):
        Settings(**wrong)


@pytest.mark.requirement("CO-WIRE-3")
def test_passages_no_prompt_could_hold_are_refused() -> None:
    """The ceiling of a chunk is at most that of a fragment."""
    assert Settings(max_chunk_chars=500, max_fragment_chars=500).max_chunk_chars == 500
    with pytest.raises(SettingsError, match=r"max_chunk_chars \(501\) must not exceed max_fragment_chars \(500\)"):
        Settings(max_chunk_chars=501, max_fragment_chars=500)


@pytest.mark.requirement("CO-COUNT-1")
def test_a_counter_is_passed_by_a_program_only(tmp_path: Path) -> None:
    """No file and no variable holds a function; it is neither shown nor compared."""
    settings = Settings(count=len)
    assert settings.retrieval_policy().count is len
    assert (settings == Settings(), "built-in function len" in repr(settings)) == (True, False)
    assert settings.changed(limit=3).count is len
    (tmp_path / "s.toml").write_text("count = 3\n")
    with pytest.raises(SettingsError, match="has no setting 'count'"):
        Settings.load(tmp_path / "s.toml")
    with pytest.raises(SettingsError, match="sets nothing"):
        Settings.load(environ={"SYMFONIC_KNOWLEDGE_COUNT": "len"})
    wrong: Any = "o200k_base"
    with pytest.raises(SettingsError, match="count must be a callable"):
        Settings(count=wrong)


def test_passages_in_characters_are_not_compared_with_tokens() -> None:
    """Who names both knows how long the tokens are."""
    assert Settings(count=len, max_chunk_chars=3000, max_fragment_chars=500).max_chunk_chars == 3000
    with pytest.raises(SettingsError, match="must not exceed"):
        Settings(max_chunk_chars=3000, max_fragment_chars=500)


def test_changed_passes_over_what_nobody_gave() -> None:
    """Options without a value change nothing."""
    assert Settings().changed(limit=2, store=None) == Settings(limit=2)


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"Say it.\n", "Say it."), (b"\xef\xbb\xbfA\r\nB\r\n", "A\nB"), (b"A\n\n", "A\n"), (" é ".encode(), " é ")],
)
def test_instructions_are_text_without_the_last_line_feed(tmp_path: Path, data: bytes, text: str) -> None:
    """A byte order mark and Windows line ends are no text either."""
    (tmp_path / "i.md").write_bytes(data)
    assert read_instructions(tmp_path / "i.md") == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\n", "not blank"),
        ("\u2800\u200b".encode(), "not blank"),
        (b"\xff", "UTF-8 text.*byte 0"),
        (b"a" * 1_000_001, "at most 1000000"),
    ],
)
def test_instructions_that_cannot_be_used_are_refused(tmp_path: Path, data: bytes, message: str) -> None:
    """Blank, no UTF-8, or endless."""
    (tmp_path / "i.md").write_bytes(data)
    with pytest.raises(SettingsError, match=message):
        read_instructions(tmp_path / "i.md")


def test_the_default_store_lies_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the system keeps data of programs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = default_store_path()
    assert (path.name, path.parent.name) == ("knowledge.db", "symfonic-knowledge")


@pytest.mark.requirement("CO-SET-4")
def test_without_platformdirs_a_path_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the extra."""
    ordinary = builtins.__import__

    def refusing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "platformdirs":
            raise ModuleNotFoundError(name)
        return ordinary(name, *rest, **more)

    monkeypatch.delitem(sys.modules, "platformdirs", raising=False)
    monkeypatch.setattr(builtins, "__import__", refusing)
    with pytest.raises(MissingExtraError, match=r"symfonic-knowledge\[cli\]"):
        default_store_path()


@pytest.mark.requirement("IN-LIMIT-1")
def test_settings_make_the_limits_of_extraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the extractors have them by default; longer texts may have more bytes; processes by processors, at most 4."""
    assert Settings().extraction_limits() == ExtractionLimits()
    chosen = Settings(max_extraction_seconds=5, max_extraction_memory=0, max_extraction_chars=40_000_000)
    assert chosen.extraction_limits() == ExtractionLimits(
        seconds=5.0, memory_bytes=0, characters=40_000_000, output_bytes=128_000_000
    )
    assert Settings(max_extraction_chars=7).extraction_limits().output_bytes == 64_000_000
    for processors, workers in ((1, 1), (3, 3), (64, 4), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda processors=processors: processors)
        assert (Settings().extraction_workers(), Settings(workers=9).extraction_workers()) == (workers, 9)
    refusals: list[dict[str, Any]] = [
        {"workers": 0},
        {"workers": 65},
        {"max_extraction_seconds": 0},
        {"max_extraction_memory": -1},
    ]
    for refused in refusals:
        with pytest.raises(SettingsError, match=next(iter(refused))):
            Settings(**refused)


@pytest.mark.requirement("CO-SET-1")
def test_documents_and_attachments_have_settings_of_their_own(tmp_path: Path) -> None:
    """A file and the environment set folder, names and ceilings; the policies of both bridges have them."""
    file = tmp_path / "s.toml"
    file.write_text(
        '[documents]\ndocument_folder = "standing"\ndocument_names = ["a.md", "b, c.md"]\nmax_document_chars = 1\n'
        "max_total_document_chars = 2\n[attachments]\nmax_attachments = 3\nmax_attachment_bytes = 4\n"
    )
    environ = {
        "SYMFONIC_KNOWLEDGE_MAX_ATTACHMENT_CHARS": "5",
        "SYMFONIC_KNOWLEDGE_MAX_TOTAL_ATTACHMENT_CHARS": "6",
    }
    settings = Settings.load(file, environ)
    assert (settings.document_folder, settings.document_names) == (tmp_path / "standing", ("a.md", "b, c.md"))
    assert settings.document_policy() == DocumentPolicy(1, 2)
    assert settings.attachment_policy() == AttachmentPolicy(3, 4, 5, 6)
    named = Settings.load(
        None,
        {"SYMFONIC_KNOWLEDGE_DOCUMENT_NAMES": "a.md,b.md", "SYMFONIC_KNOWLEDGE_DOCUMENT_FOLDER": "here"},
    )
    assert (named.document_names, named.document_folder) == (("a.md", "b.md"), Path("here"))
    assert (Settings().document_policy(), Settings().attachment_policy()) == (DocumentPolicy(), AttachmentPolicy())


@pytest.mark.parametrize("names", ["a.md", ["a.md", "a.md"], [" "], [7], ["\ud800"], 7, None])
def test_names_of_documents_are_different_texts(names: object) -> None:
    """What is none, or stands twice, is refused."""
    with pytest.raises(SettingsError, match=r"^document_names are different names of documents, such as handbook.md"):
        Settings(document_names=names)  # type: ignore[arg-type]  # as others would


@pytest.mark.parametrize(
    "name",
    [
        "max_document_chars",
        "max_total_document_chars",
        "max_attachments",
        "max_attachment_bytes",
        "max_attachment_chars",
        "max_total_attachment_chars",
    ],
)
def test_a_ceiling_of_documents_is_a_whole_number(name: str) -> None:
    """One below zero, or none, is refused by its name."""
    for value in (-1, None, 1.5):
        with pytest.raises(SettingsError, match=f"^{name} must be a whole number from 0 to "):
            Settings(**{name: value})  # type: ignore[arg-type]  # as others would
