"""Child processes that do the parsing which may crash, hang, eat memory or be taken over.

Rules of this module: the parent's side only; it knows how to start, ask, time and end a worker, not what the formats
are (that is ``_worker``). Nothing the child says is trusted beyond its shape: answers are JSON and UTF-8, never pickle,
and no more of them is read than the limits allow. The child gets nothing it does not need: of the environment, where
keys and passwords may stand, only what finds shared libraries.

One worker serves one request at a time; several threads may share it and wait for each other, or share a pool and have
a worker each. A worker that dies or takes too long costs its file: it is killed, the file gets a named error, and the
next file gets a new one. So it does after a number of files, and after one that took much memory. A file that a worker
which has read others dies of is given to a new one once, since one of those may be why. An answer belongs to
one request, whose number it repeats: whoever stops waiting for it (an interrupt, an exception out of a signal handler)
ends the worker with it, so that the next file can never get the text of another.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import weakref
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, Self

from symfonic.adapters.knowledge.extractors._answers import header_of, understood
from symfonic.adapters.knowledge.extractors._worker import LENGTH_BYTES, MAX_HEADER_BYTES, RAISE, write_frame
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["ExtractionLimits", "ExtractionPool", "ExtractionWorker", "IsolatedExtractor", "Isolation"]

_MOST_SECONDS: Final = 86_400
_PATIENCE_SECONDS: Final = 5.0
_START_SECONDS: Final = 60.0
_DEATH_SECONDS: Final = 1.0
_GROWN_SHARE: Final = 0.25  # of the memory a file may take: a process that once took more is replaced
# The module search path travels as an argument: the child runs isolated (-I), so that neither its folder nor
# PYTHON* variables decide what it imports.
_BOOT: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from symfonic.adapters.knowledge.extractors._worker import main; main()"
)
# What an interpreter may need to start and to load a parser. Neither HOME nor PATH nor anything else that programs are
# told is among it; without a locale Python takes UTF-8.
_INHERITED: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "SYSTEMROOT", "WINDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionLimits:
    """What one file may take. Each is named by the error of the file that takes more.

    Attributes:
        seconds: Wall time, and processor time likewise (``seconds``).
        memory_bytes: Address space of the process, where the platform can limit it; 0 for no limit (``memory``).
        characters: Of all texts and headings that come out (``characters``).
        output_bytes: The same text in UTF-8, headings aside (``bytes``).

    Raises:
        ValueError: ``seconds`` is no number above 0 and up to 86,400, or another no plain int from 1, for
            ``memory_bytes`` from 0, to ``sys.maxsize``.
    """

    seconds: float = 60.0
    memory_bytes: int = 2 * 2**30
    characters: int = 20_000_000
    output_bytes: int = 64_000_000

    def __post_init__(self) -> None:
        if type(self.seconds) not in {int, float} or not 0 < self.seconds <= _MOST_SECONDS:
            raise _no_limit("seconds", f"a number above 0 and up to {_MOST_SECONDS:,}")
        for name, least in (("memory_bytes", 0), ("characters", 1), ("output_bytes", 1)):
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= sys.maxsize:
                raise _no_limit(name, f"a whole number from {least} to {sys.maxsize}")


def _no_limit(name: str, what: str) -> ValueError:
    return ValueError(f"{name} of ExtractionLimits is {what}; as it is, that limit would not hold; correct it")


class Isolation(Protocol):
    """A worker, or a pool of them."""

    def extract(self, kind: str, data: bytes, *, name: str) -> Extraction:
        """Have a file read in another process."""
        ...

    def stop(self) -> None:
        """End what is being read, and read nothing more."""
        ...

    def release(self, library: str) -> str:
        """Name and installed release of an outside library."""
        ...


class IsolatedExtractor:
    """Reads files of one format in another process; several threads may call it at once.

    Args:
        kind: The format, a key of the worker's table.
        isolation: A worker or a pool; whoever made it closes it.
        version: Of our own rules for the format; raised with each change of what they make of a file.
        libraries: Outside libraries that decide the text as well.
    """

    concurrent: Final = True

    def __init__(self, kind: str, isolation: Isolation, *, version: str, libraries: Sequence[str] = ()) -> None:
        self._kind = kind
        self._isolation = isolation
        self._version = version
        self._libraries = tuple(libraries)

    @property
    def version(self) -> str:
        """What decides the text besides the bytes: our rules and the releases of the parsers."""
        return " ".join((self._version, *map(self._isolation.release, self._libraries)))

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the text of ``data``.

        Raises:
            ExtractionError: What the format's module raises; ``limit`` with the limit's name, ``damaged`` where the
                parser died, ``unavailable`` where its library is not installed or no process can be started.
        """
        return self._isolation.extract(self._kind, data, name=name)

    def stop(self) -> None:
        """End what is being read, and read nothing more: nobody waits for it."""
        self._isolation.stop()


# ------------------------------------------------------------------------------------------------------------ pool


class ExtractionPool:
    """Several workers, so that as many threads extract at once, each with a process of its own.

    A thread that finds none idle waits for one. The worker used last is taken first, so that no more are started than
    are needed at once.

    Args:
        workers: The most processes there are at a time.
        limits: For each file; the defaults when ``None``.
        files_per_worker: Files after which a process is replaced by a new one; 1 gives every file its own.
        idle_seconds: A process that had nothing to do for so long, at most twice as long, is ended.
        command: As for :class:`ExtractionWorker`.
    """

    def __init__(
        self,
        *,
        workers: int = 1,
        limits: ExtractionLimits | None = None,
        files_per_worker: int = 200,
        idle_seconds: float = 30.0,
        command: Sequence[str] | None = None,
    ) -> None:
        self._workers = [
            ExtractionWorker(limits=limits, files_per_worker=files_per_worker, command=command)
            for _ in range(max(workers, 1))
        ]
        self._idle = list(self._workers)
        self._freed = threading.Condition()
        self._idle_seconds = idle_seconds
        self._timer: threading.Timer | None = None
        self._resting: frozenset[ExtractionWorker] = frozenset()
        _call_after_fork(self._forget)

    def _forget(self) -> None:
        """Begin anew in a process that was forked off: threads, locks and workers are those of its parent."""
        self._idle = list(self._workers)
        self._freed = threading.Condition()
        self._timer = None
        self._resting = frozenset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes, after the files they are reading; a later request would start new ones."""
        with self._freed:
            timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
        for worker in self._workers:
            worker.close()

    def stop(self) -> None:
        """End all processes at once and for good; a file that is being read, or comes later, fails."""
        for worker in self._workers:
            worker.stop()

    @property
    def protections(self) -> tuple[str, ...]:
        """What is in force in every process started so far, in the order of the first; empty before there is one."""
        told = [worker.protections for worker in self._workers if worker.protections]
        return tuple(name for name in told[0] if all(name in others for others in told)) if told else ()

    def release(self, library: str) -> str:
        """Name and installed release of an outside library, the bare name where it is not installed."""
        return self._workers[0].release(library)

    def extract(self, kind: str, data: bytes, *, name: str) -> Extraction:
        """Have an idle worker extract ``data`` as ``kind``.

        Raises:
            ExtractionError: As :meth:`ExtractionWorker.extract` does.
        """
        worker = None
        try:
            with self._freed:
                self._freed.wait_for(lambda: self._idle)
                worker = self._idle[-1]  # known before it is gone: an interrupt in between must not lose it
                self._idle.remove(worker)
                self._resting -= {worker}
            return worker.extract(kind, data, name=name)
        finally:
            if worker is not None:
                with self._freed:
                    if worker not in self._idle:
                        self._idle.append(worker)
                    self._freed.notify()
                    self._watch()

    def _watch(self) -> None:
        if self._timer is None and any(worker.running for worker in self._idle):
            timer = threading.Timer(self._idle_seconds, self._end_resting)
            timer.daemon = True
            with suppress(RuntimeError):  # where no thread can be started, workers rest a while longer
                timer.start()
                self._timer, self._resting = timer, frozenset(self._idle)

    def _end_resting(self) -> None:
        """End the workers nobody has asked since the timer was set, and set it again for the others."""
        with self._freed:
            if self._timer is not threading.current_thread():
                return
            self._timer = None
            for worker in self._resting.intersection(self._idle):
                worker.close()
            self._watch()


# ---------------------------------------------------------------------------------------------------------- worker


class ExtractionWorker:
    """Parses files in a child process that is started when the first file comes.

    Args:
        limits: For each file; the defaults when ``None``.
        files_per_worker: Files after which the process is replaced by a new one.
        command: What to start instead of this interpreter and our worker; for tests.
    """

    def __init__(
        self,
        *,
        limits: ExtractionLimits | None = None,
        files_per_worker: int = 200,
        command: Sequence[str] | None = None,
    ) -> None:
        self._limits = limits or ExtractionLimits()
        path = json.dumps([os.path.abspath(entry) for entry in sys.path])  # noqa: PTH100 - "" means the current folder
        # Processor time never runs out before wall time has, unless nobody is left to measure that.
        settings = asdict(self._limits) | {"cpu_seconds": math.ceil(self._limits.seconds) + 1}
        # No bytecode is written (-B): the child may write no file.
        own = (sys.executable, "-I", "-B", "-c", _BOOT, path, json.dumps(settings))
        self._command = tuple(command or own)
        self._files_left = 0
        self._requests = 0
        self._files_per_worker = files_per_worker
        self._process: subprocess.Popen[bytes] | None = None
        self._inherited = 0
        self._lock = threading.Lock()
        self._releases: dict[str, str] = {}
        self._protections: tuple[str, ...] = ()
        self._stopped = False
        _call_after_fork(self._forget)

    def _forget(self) -> None:
        """Leave the child to the process this one was forked off from, and nothing half said in its pipe."""
        process, self._process = self._process, None
        self._lock = threading.Lock()
        if process is None:
            return
        process.returncode = 0  # it is not ours to wait for
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError), open(os.devnull, "r+b", buffering=0) as nowhere:  # noqa: PTH123 - a descriptor
                    os.dup2(nowhere.fileno(), stream.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child; a later request would start a new one."""
        with self._lock:
            self._end()

    def stop(self) -> None:
        """End the child at once and for good; a file that is being read, or comes later, fails."""
        self._stopped = True  # first, so that whoever starts a child now sees it
        process = self._process
        if process is not None:
            _kill(process)

    @property
    def running(self) -> bool:
        """Whether there is a child now."""
        return self._process is not None

    @property
    def protections(self) -> tuple[str, ...]:
        """What the child started last has given up, by name, before it saw a document; empty before there is one."""
        return self._protections

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
            ExtractionError: What the child reports; ``limit`` where it took too long or too much, ``damaged`` where
                it died, ``unavailable`` where the library is not installed or the child does not start.
        """
        with self._lock:
            try:
                result = self._asked(kind, data, name)
            except BaseException:
                # Whatever ended the wait, an answer may still come: nobody must take it for that to another file.
                self._end()
                raise
        if isinstance(result, Extraction):
            return result
        raise result

    def _asked(self, kind: str, data: bytes, name: str) -> Extraction | ExtractionError:
        while True:
            process = self._started(name)
            is_first = self._files_left == self._files_per_worker
            result = self._answered(process, kind, data, name)
            if result is not None:
                return result
            if is_first:
                return self._death(name, "")
            # A file before this one may have done it: this one is asked of a process that has read no other.

    def _answered(
        self, process: subprocess.Popen[bytes], kind: str, data: bytes, name: str
    ) -> Extraction | ExtractionError | None:
        """What the child says of a file; ``None``, and no child any more, where that is no answer."""
        self._requests += 1
        request = json.dumps([kind, name, self._requests]).encode()
        with _deadline(process, self._limits.seconds) as expired:
            answer = _exchange(process, request, data, self._limits.output_bytes)
        if answer is None or expired.is_set():
            limit = "seconds" if expired.is_set() else self._cause_of_death(process)
            self._end()
            return self._death(name, limit) if limit else None
        result = understood(*answer, kind=kind, name=name, request=self._requests)
        self._retire_if_spent(answer[0], lied=result is None)
        return result

    def _started(self, name: str) -> subprocess.Popen[bytes]:
        process = self._process
        if process is None or process.poll() is not None:
            self._end()
            try:
                process = self._greeted()
            except OSError:
                self._end()
                message = (
                    f"the process that would read {name} did not start, so nothing of it is used; allow it more "
                    "memory, allow this user more processes, or see whether the installation is whole."
                )
                raise ExtractionError(message, code="unavailable") from None
            self._files_left = self._files_per_worker
        return process

    def _greeted(self) -> subprocess.Popen[bytes]:
        """Start the child, and hear what it has given up.

        Raises:
            OSError: The system starts no process, or what it started says nothing.
        """
        self._inherited = _peak_bytes()
        process = self._process = _start(self._command)
        if self._stopped:
            _kill(process)
        with _deadline(process, _START_SECONDS):
            protections = _greeting(process)
        if protections is None:
            raise OSError
        self._protections = protections
        return process

    def _retire_if_spent(self, header: Any, *, lied: bool) -> None:
        """End a child that has had its files, that grew, or whose answer was none."""
        self._files_left -= 1
        peak = 0 if lied else header.get("peak_bytes", 0)
        grew = isinstance(peak, int) and peak > (self._limits.memory_bytes or math.inf) * _GROWN_SHARE
        if lied or grew or self._files_left <= 0:
            self._end()

    def _cause_of_death(self, process: subprocess.Popen[bytes]) -> str:
        """The limit a child died of, as far as that can be told; ``""`` for any other cause."""
        if sys.platform == "win32":
            return ""
        code, peak = _reaped(process)
        # Nobody but the system, when memory runs out, kills it: we do that after a deadline only. On Linux its peak
        # begins with that of the process that started it.
        if code == -signal.SIGKILL or peak > max((self._limits.memory_bytes or math.inf) / 2, self._inherited):
            return "memory"
        return "seconds" if code in {-signal.SIGXCPU, -signal.SIGALRM} else ""

    def _death(self, name: str, limit: str) -> ExtractionError:
        if limit == "seconds":
            why = f"took longer than {self._limits.seconds:g} s to read, so nothing of it is used; {RAISE[limit]}."
        elif limit:
            why = f"took more memory than there is, so nothing of it is used; {RAISE[limit]}."
        else:
            why = "ended the process that read it, so nothing of it is used; it is damaged or hostile."
        return ExtractionError(f"{name} {why}", code="limit" if limit else "damaged", limit=limit)

    def _end(self) -> None:
        """Kill the child: it has nothing to lose, and one that was taken over would not go when it is asked to."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        # Nothing it still says is wanted: to wait for the end of its words would be to keep them all.
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    os.set_blocking(stream.fileno(), False)  # what it has not read may be more than fits
                with suppress(OSError, ValueError):
                    stream.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE_SECONDS)


# ---------------------------------------------------------------------------------------------------------- frames


def _call_after_fork(method: Callable[[], None]) -> None:
    """Have a method called in each process that is forked off from this one, while there is its object."""
    if hasattr(os, "register_at_fork"):
        kept = weakref.WeakMethod(method)

        def call() -> None:
            if (alive := kept()) is not None:
                alive()

        os.register_at_fork(after_in_child=call)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={name: os.environ[name] for name in _INHERITED if name in os.environ},
        # What is typed at a terminal is meant for us, not for a file that is being read; and a group can be killed.
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, where there are groups of them."""
    if sys.platform != "win32" and process.poll() is None:  # its number may be another's by now
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _reaped(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Exit code of a process that is ending and the most memory it had, in bytes; zeros where it does not end."""
    pause = threading.Event()
    for _ in range(100):
        try:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:  # seen to be dead already
            return process.returncode or 0, 0
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        pause.wait(_DEATH_SECONDS / 100)
    return 0, 0


def _peak_bytes() -> int:
    """The most memory this process ever had, where a process that it starts is said to have had as much."""
    if not sys.platform.startswith("linux"):
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def _deadline(process: subprocess.Popen[bytes], seconds: float) -> Iterator[threading.Event]:
    """Kill a process after so many seconds and say so.

    Raises:
        ExtractionError: ``unavailable``: there is no thread that could.
    """
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        _kill(process)

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:
        message = (
            "this system starts no thread that would watch the time a file takes, so nothing of it is used; allow "
            "this user more processes, or use fewer workers."
        )
        raise ExtractionError(message, code="unavailable") from None
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()


def _greeting(process: subprocess.Popen[bytes]) -> tuple[str, ...] | None:
    """What a child says before it is asked anything."""
    assert process.stdout is not None
    try:
        match json.loads(_read_frame(process.stdout, MAX_HEADER_BYTES) or b""):
            case {"protections": [*names]} if all(isinstance(name, str) for name in names):
                return tuple(names)
    except (ValueError, OSError):
        pass
    return None


def _exchange(
    process: subprocess.Popen[bytes], request: bytes, data: bytes, max_bytes: int
) -> tuple[Any, bytes] | None:
    """The child's answer, ``None`` where it is no answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        write_frame(process.stdin, request)
        write_frame(process.stdin, data)
        header = _read_frame(process.stdout, MAX_HEADER_BYTES)
        text = None if header is None else _read_frame(process.stdout, max_bytes)
        return None if header is None or text is None else (header_of(header), text)
    except (OSError, ValueError, RecursionError):
        return None


def _read_frame(stream: IO[bytes], max_bytes: int) -> bytes | None:
    head = stream.read(LENGTH_BYTES)
    size = int.from_bytes(head, "big")
    if len(head) < LENGTH_BYTES or size > max_bytes:
        return None
    body = stream.read(size)
    return body if len(body) == size else None
