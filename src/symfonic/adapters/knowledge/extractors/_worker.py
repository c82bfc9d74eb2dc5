"""What runs inside the extraction process: read a request, extract, answer, until the parent closes the pipe.

Rules of this module: the child's side only. It imports the parser a request needs and nothing of the parent's state;
whatever goes wrong becomes an answer, and what cannot (a crash, an endless loop) is the parent's to notice. Before the
first byte of a document is read it gives up what parsing does not need: memory beyond a limit, writing files, opening
many, leaving a memory image behind; processor time is given for one file at a time, in case the parent is gone.

A request is two frames, ``[kind, name]`` as JSON and the file's bytes; an answer is one frame of JSON. A frame is eight
bytes of length, big-endian, then the body.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["allow_seconds", "answer", "limit_resources", "main", "serve"]

_LENGTH_BYTES: Final = 8
_MAX_OPEN_FILES: Final = 64


def main() -> None:  # pragma: no cover - it cannot write the file in which coverage is kept
    """Serve the parent over standard input and output."""
    limit_resources(int(sys.argv[2]))
    # A native library may print; what it prints must not end up between our frames.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with replies:
        serve(sys.stdin.buffer, replies, max_seconds=int(sys.argv[3]))


def limit_resources(max_bytes: int) -> None:
    """Give up what parsing does not need, each where the platform can: Windows has none of these limits, macOS some.

    Args:
        max_bytes: Address space this process may take; 0 for no limit.
    """
    if max_bytes:
        _lower("RLIMIT_AS", max_bytes)
    _lower("RLIMIT_FSIZE", 0)
    _lower("RLIMIT_CORE", 0)
    _lower("RLIMIT_NOFILE", _MAX_OPEN_FILES)


def _lower(name: str, value: int) -> None:
    """Lower a limit for good; what the platform does not know or refuses is left, and the wall-time limit holds."""
    try:
        import resource

        limit = getattr(resource, name)
        highest = resource.getrlimit(limit)[1]
        value = value if highest == resource.RLIM_INFINITY else min(value, highest)
        resource.setrlimit(limit, (value, value))
    except (ImportError, AttributeError, ValueError, OSError):
        return


def allow_seconds(seconds: int) -> None:
    """Let this process use so much more processor time, where the platform can; 0 for no limit."""
    try:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        highest = resource.getrlimit(resource.RLIMIT_CPU)[1]
        # The limit counts from the start of the process, and the highest one stays as it is, to be moved again.
        until = int(used.ru_utime + used.ru_stime) + 1 + seconds if seconds else highest
        until = until if highest == resource.RLIM_INFINITY else min(until, highest)
        resource.setrlimit(resource.RLIMIT_CPU, (until, highest))
    except (ImportError, ValueError, OSError):
        return


def serve(requests: IO[bytes], replies: IO[bytes], *, max_seconds: int = 0) -> None:
    """Answer requests until there are no more.

    Args:
        requests: Pairs of frames.
        replies: Takes one frame for each pair.
        max_seconds: Processor time for each; 0 for no limit.
    """
    while (head := _read_frame(requests)) is not None and (data := _read_frame(requests)) is not None:
        allow_seconds(max_seconds)
        kind, name = json.loads(head)
        body = json.dumps(answer(kind, data, name)).encode("ascii")
        replies.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
        replies.write(body)
        replies.flush()


def _read_frame(stream: IO[bytes]) -> bytes | None:
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    return stream.read(int.from_bytes(head, "big"))


def answer(kind: str, data: bytes, name: str) -> dict[str, object]:
    """Extract one file; every outcome is a value."""
    try:
        extraction = _extractor(kind)(data, name=name)
    except ExtractionError as error:
        return {"code": error.code, "message": str(error)}
    except ImportError:
        return {"code": "missing-library"}
    except MemoryError:
        return {"code": "limit", "message": f"{name} needs more memory than one file may take; split it."}
    except Exception as error:  # noqa: BLE001 - a parser's bug costs its file
        message = (
            f"{name} could not be read ({type(error).__name__}), so nothing of it is stored; repair or convert it."
        )
        return {"code": "damaged", "message": message}
    return {"sections": [[_sound(part.text), part.headings, part.page] for part in extraction.sections]}


def _extractor(kind: str) -> Callable[..., Extraction]:
    if kind == "pdf":
        from symfonic.adapters.knowledge.extractors.pdf import extract_pdf

        return extract_pdf
    from symfonic.adapters.knowledge.extractors.html import extract_html

    return extract_html


def _sound(text: str) -> str:
    """``text`` with every lone surrogate, which no store can encode, shown as U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
