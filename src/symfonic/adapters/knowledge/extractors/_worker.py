"""What runs inside the extraction process: read a request, extract, answer, until the parent closes the pipe.

Rules of this module: the child's side only. It imports the parser a request needs and nothing of the parent's state;
whatever goes wrong becomes an answer, and what cannot (a crash, an endless loop) is the parent's to notice.

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

__all__ = ["answer", "limit_memory", "main", "serve"]

_LENGTH_BYTES: Final = 8


def main() -> None:
    """Serve the parent over standard input and output."""
    limit_memory(int(sys.argv[2]))
    # A native library may print; what it prints must not end up between our frames.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with replies:
        serve(sys.stdin.buffer, replies)


def limit_memory(max_bytes: int) -> None:
    """Cap this process's address space where the platform can."""
    if not max_bytes:
        return
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    except (ImportError, ValueError, OSError):
        # Windows has no such limit and macOS refuses this one; the wall-time limit still holds.
        return


def serve(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    while (head := _read_frame(requests)) is not None and (data := _read_frame(requests)) is not None:
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
