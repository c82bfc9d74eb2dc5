"""A child process that does the parsing which may crash, hang or eat memory.

Rules of this module: the parent's side only; it knows how to start, ask, time and end a worker, not what the formats
are (that is ``_worker``). Nothing the child says is trusted beyond its shape: answers are JSON, never pickle. It gets
nothing it does not need: of the environment, where keys and passwords may stand, only what finds shared libraries.

One worker serves one request at a time; several threads may share it and wait for each other. A worker that dies or
takes too long costs its file: it is killed, the file gets a named error, and the next file gets a new worker.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
from importlib import metadata
from typing import IO, TYPE_CHECKING, Any, Final, Self

from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ExtractionWorker"]

_LENGTH_BYTES: Final = 8
_MAX_ANSWER_BYTES: Final = 400_000_000
_PATIENCE_SECONDS: Final = 5.0
_LIBRARIES: Final = {"pdf": "pypdfium2", "html": "selectolax"}
# The module search path travels as an argument: the child runs isolated (-I), so that neither its folder nor
# PYTHON* variables decide what it imports.
_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from symfonic.adapters.knowledge.extractors._worker import main; main()"
)


# What an interpreter may need to start and to load a parser. Neither HOME nor PATH nor anything else that programs are
# told is among it; without a locale Python takes UTF-8.
_INHERITED: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SYSTEMROOT", "WINDIR")


class ExtractionWorker:
    """Parses files in a child process that is started when the first file comes.

    Args:
        timeout_seconds: Wall time one file may take, the start of the process included; processor time likewise.
        max_memory_bytes: Address space of the child, where the platform can limit it; 0 for no limit.
        command: What to start instead of this interpreter and our worker; for tests.
    """

    def __init__(
        self,
        *,
        timeout_seconds: float = 60.0,
        max_memory_bytes: int = 2 * 2**30,
        command: Sequence[str] | None = None,
    ) -> None:
        self._timeout = timeout_seconds
        path = json.dumps([os.path.abspath(entry) for entry in sys.path])  # noqa: PTH100 - "" means the current folder
        # Processor time never runs out before wall time has, unless nobody is left to measure that.
        limits = (str(max_memory_bytes), str(math.ceil(timeout_seconds) + 1))
        # No bytecode is written (-B): the child may write no file.
        self._command = tuple(command or (sys.executable, "-I", "-B", "-c", _BOOT, path, *limits))
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._releases: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child; a later request would start a new one."""
        with self._lock:
            self._end(kill=False)

    def release(self, library: str) -> str:
        """Name and installed release of an outside library, the bare name where it is not installed."""
        if library not in self._releases:
            try:
                self._releases[library] = f"{library} {metadata.version(library)}"
            except metadata.PackageNotFoundError:
                self._releases[library] = library
        return self._releases[library]

    def extract(self, kind: str, data: bytes, *, name: str) -> Extraction:
        """Have the child extract ``data`` as ``kind``.

        Raises:
            ExtractionError: What the child reports; ``limit`` where it took too long, ``damaged`` where it died,
                ``unavailable`` where the library is not installed.
        """
        with self._lock:
            answer, timed_out = self._ask(kind, data, name)
        if answer is None and timed_out:
            message = f"{name} took longer than {self._timeout:g} s to read, so nothing of it is stored; split it."
            raise ExtractionError(message, code="limit")
        extraction = None if answer is None else _understood(kind, answer, name)
        if extraction is None:
            message = f"{name} ended the process that read it, so nothing of it is stored; it is damaged or hostile."
            raise ExtractionError(message, code="damaged")
        return extraction

    def _ask(self, kind: str, data: bytes, name: str) -> tuple[bytes | None, bool]:
        """The child's answer, or ``None`` and whether time ran out."""
        if self._process is None or self._process.poll() is not None:
            self._end(kill=True)
            self._process = _start(self._command)
        process = self._process
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(self._timeout, expire)
        timer.daemon = True
        timer.start()
        try:
            answer = _exchange(process, json.dumps([kind, name]).encode(), data)
        finally:
            timer.cancel()
            timer.join()
        if answer is None or expired.is_set():
            self._end(kill=True)
        return answer, expired.is_set()

    def _end(self, *, kill: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if kill:
            process.kill()
        try:
            process.communicate(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: os.environ[name] for name in _INHERITED if name in os.environ},
    )


def _exchange(process: subprocess.Popen[bytes], *parts: bytes) -> bytes | None:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for part in parts:
            process.stdin.write(len(part).to_bytes(_LENGTH_BYTES, "big"))
            process.stdin.write(part)
        process.stdin.flush()
        return _read_frame(process.stdout)
    except OSError:
        return None


def _read_frame(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH_BYTES)
    size = int.from_bytes(head, "big")
    if len(head) < _LENGTH_BYTES or size > _MAX_ANSWER_BYTES:
        return None
    body = stream.read(size)
    return body if len(body) == size else None


def _understood(kind: str, answer: bytes, name: str) -> Extraction | None:
    """The extraction an answer describes, ``None`` where it has not the agreed shape."""
    try:
        match json.loads(answer):
            case {"sections": [*sections]}:
                return Extraction(kind=kind, sections=tuple(_section(section) for section in sections))
            case {"code": "missing-library"}:
                raise _missing(kind, name)
            case {"code": str(code), "message": str(message)}:
                raise ExtractionError(message, code=code)
            case _:
                return None
    except (ValueError, TypeError):
        return None


def _section(value: Any) -> Section:
    match value:
        case [str(text), [*headings], int() | None as page] if all(isinstance(title, str) for title in headings):
            return Section(text=text, headings=tuple(headings), page=page)
        case _:
            raise TypeError(value)


def _missing(kind: str, name: str) -> ExtractionError:
    message = (
        f"{name} needs {_LIBRARIES.get(kind, kind)}, which is not installed, so nothing of it is stored; "
        'install it with: pip install "symfonic-knowledge[ingest]".'
    )
    return ExtractionError(message, code="unavailable")
