"""all-MiniLM-L6-v2 in this process: 384 numbers for each text, without a network and without PyTorch.

Rules of this module: the only one that knows ONNX Runtime and tokenizers, which are imported when the first text is
embedded. Weights and tokenizer come from installed packages (:mod:`._installed`), whose digests are checked; the graph
is rewritten in memory each time it is loaded (:mod:`._integer_graph`, a fifth of a second), so there is no file of
ours that could be damaged or out of date.

The same text has the same vector, byte for byte, whatever it is embedded with and on however many threads. The model
takes the range of its 8 bits over everything in a batch, so two texts in one batch would change each other's vectors.
Each is therefore run alone, which is the fastest on a processor as well: nothing is padded. Threads run several at a
time. Processors with other instructions round differently, so vectors of two machines are close and need not be equal.

The model was made for up to 256 tokens. A longer text is neither cut nor refused: it is split into windows of equal
length, the vector of each gets length 1, and their mean is the text's. Beyond 32 windows (8,128 tokens, twenty pages)
or 65,536 characters a text is not read on.

Sources: Reimers and Gurevych, Sentence-BERT (2019); the model's card: mean of all tokens' vectors, then length 1.
"""

from __future__ import annotations

import itertools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.embedders._answers import readable_texts
from symfonic.adapters.knowledge.embedders._installed import (
    MINILM_GRAPH,
    MINILM_TOKENIZER,
    installed_bytes,
    not_installed,
)
from symfonic.adapters.knowledge.embedders._integer_graph import with_integer_arithmetic
from symfonic.adapters.knowledge.ports import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MiniLM"]

_NAME: Final = "all-MiniLM-L6-v2/int8-dynamic/1"
"""Model, precision, and the version of everything here that decides vectors: graph, windows, pooling."""

_DIMENSIONS: Final = 384
_FIRST, _LAST = 101, 102  # the tokens around every text: [CLS] and [SEP]
_WINDOW: Final = 254
"""Tokens of a text in one run; with the two around them 256, the model's own limit."""
_MOST_TOKENS: Final = 32 * _WINDOW
_MOST_CHARS: Final = 65_536
_MOST_THREADS: Final = 64


class MiniLM:
    """Embeds with all-MiniLM-L6-v2, weights and products of 8 bits.

    Making one is cheap. The first text loads the model (about half a second, 140 MB of memory). One may be used by any
    number of threads, and a process that was forked loads its own. Every text has a vector, the empty one too.

    Args:
        threads: How many texts are run at a time; it changes the speed and no vector. As many as there are cores is
            best.

    Raises:
        ValueError: ``threads`` is not from 1 to 64.
    """

    __slots__ = ("_engine", "_threads")

    def __init__(self, *, threads: int = 2) -> None:
        if type(threads) is not int or not 1 <= threads <= _MOST_THREADS:
            raise ValueError(
                f"threads is a whole number from 1 to {_MOST_THREADS}, not {threads!a}; nothing can be run on others; "
                "give the number of cores"
            )
        self._threads = threads
        self._engine = _Engine()

    @property
    def threads(self) -> int:
        """As it was given."""
        return self._threads

    @property
    def name(self) -> str:
        """Model, precision and version: what decides vectors."""
        return _NAME

    @property
    def dimensions(self) -> int:
        """384."""
        return _DIMENSIONS

    def embed_documents(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """One vector of length 1 for each text, in their order.

        Raises:
            EmbeddingError: A package is missing or damaged, ``texts`` holds something else than texts, or the
                runtime failed.
        """
        readable = readable_texts(texts)
        engine = self._own_engine()
        engine.load()
        windows = [engine.windows(text) for text in readable]
        runs = [window for several in windows for window in several]
        vectors = iter(_run_all(engine, runs, self._threads))
        return [_mean([next(vectors) for _ in several]) for several in windows]

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question: the model makes no difference between questions and passages.

        Raises:
            EmbeddingError: As for :meth:`embed_documents`.
        """
        (vector,) = self.embed_documents([text])
        return vector

    def __repr__(self) -> str:
        return f"MiniLM(threads={self._threads})"

    def _own_engine(self) -> _Engine:
        # A process that was forked has a copy of everything, perhaps a lock that a thread of its parent holds.
        if self._engine.process != os.getpid():
            self._engine = _Engine()
        return self._engine


class _Engine:
    """The model as one process has loaded it."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def load(self) -> None:
        """Load the model unless that is done."""
        with self._lock:
            if self._session is None:
                self._tokenizer = _tokenizer(installed_bytes(MINILM_TOKENIZER))
                self._session = _session(with_integer_arithmetic(installed_bytes(MINILM_GRAPH)))

    def windows(self, text: str) -> list[list[int]]:
        """The tokens of a text in equal windows, each with the two tokens that belong around it."""
        try:
            tokens = self._tokenizer.encode(text[:_MOST_CHARS], add_special_tokens=False).ids[:_MOST_TOKENS]
        except Exception as error:
            raise _failed(error) from error
        count = max(1, -(-len(tokens) // _WINDOW))
        cuts = [len(tokens) * number // count for number in range(count + 1)]
        return [[_FIRST, *tokens[start:end], _LAST] for start, end in itertools.pairwise(cuts)]

    def run(self, window: list[int]) -> NDArray[np.float64]:
        """The vector of one window, of length 1."""
        import numpy as np

        tokens = np.array([window], dtype=np.int64)
        given = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        try:
            (states,) = self._session.run(None, given)
        except Exception as error:
            raise _failed(error) from error
        return _unit(states[0].mean(axis=0, dtype=np.float64))


def _run_all(engine: _Engine, windows: list[list[int]], threads: int) -> list[NDArray[np.float64]]:
    if threads == 1 or len(windows) == 1:
        return [engine.run(window) for window in windows]
    # Threads of one call: such as outlived it would be missing in a process that was forked.
    pool = ThreadPoolExecutor(min(threads, max(1, len(windows))), thread_name_prefix="minilm")
    try:
        return list(pool.map(engine.run, windows))
    finally:
        pool.shutdown(cancel_futures=True)


def _mean(vectors: list[NDArray[np.float64]]) -> NDArray[np.float32]:
    import numpy as np

    return _unit(np.stack(vectors).mean(axis=0)).astype(np.float32)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    length: np.float64 = np.sqrt(np.sum(vector * vector))
    return vector / length


def _tokenizer(data: bytes) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise not_installed("tokenizers") from None
    tokenizer: Any = Tokenizer.from_buffer(data)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is these five characters
    return tokenizer


def _session(graph: bytes) -> Any:
    try:
        import onnxruntime
    except ImportError:
        raise not_installed("onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors; they are raised as well
    try:
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise _failed(error) from error


def _failed(error: Exception) -> EmbeddingError:
    return EmbeddingError(
        f"MiniLM runs on ONNX Runtime and tokenizers; one of them failed ({type(error).__name__}) and nothing was "
        "embedded; install the releases that 'symfonic-knowledge[minilm]' names"
    )
