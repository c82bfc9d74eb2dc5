"""What runs inside the extraction process: read a request, extract, answer, until the parent closes the pipe.

Rules of this module: the child's side only. It knows which module reads which format and nothing of the parent's
state; whatever goes wrong becomes an answer, and what cannot (a crash, an endless loop) is the parent's to notice.
Everything a parser may want to import is imported first. Then, before the first byte of a document is read, the process
gives up what parsing does not need: memory beyond a limit, writing files, leaving a memory image behind, and whatever
``_confinement`` can take from it, opening anything included. Time is given for one file at a time, by the processor and
by the wall, in case the parent is gone.

It speaks first: one frame of JSON, which formats have their parser and which protections are in force. A request is two
frames, ``[kind, name, number]`` as JSON and the file's bytes. An answer is two: JSON, with the number of its request,
and the texts of all sections, one directly after the other, in UTF-8. A frame is eight bytes of length, big-endian,
then the body.
"""

from __future__ import annotations

import codecs
import importlib
import json
import os
import signal
import sys
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.extractors._confinement import confine
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "EXTRACTORS",
    "LENGTH_BYTES",
    "MAX_HEADER_BYTES",
    "MAX_HEADER_VALUES",
    "MAX_SECTIONS",
    "RAISE",
    "allow_seconds",
    "answer",
    "limit_resources",
    "main",
    "prepare",
    "serve",
    "values_of",
    "write_frame",
]

LENGTH_BYTES: Final = 8
"""Bytes before each frame that tell its length."""

MAX_HEADER_BYTES: Final = 16_000_000
"""What may be told of the sections of one file, headings included, in bytes."""

MAX_HEADER_VALUES: Final = 2_000_000
"""How many values what is told may hold, as :func:`values_of` counts them."""

MAX_SECTIONS: Final = 100_000
"""Sections one file may have."""

RAISE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "seconds": "split it, or raise max_extraction_seconds (ExtractionLimits.seconds)",
        "memory": "split it, or raise max_extraction_memory (ExtractionLimits.memory_bytes)",
        "characters": "split it, or raise max_extraction_chars (ExtractionLimits.characters)",
        "bytes": "split it, or raise max_extraction_chars (ExtractionLimits.output_bytes)",
    }
)
"""What to do about a limit of the caller's: its setting, and its field for those who call this themselves."""

_MAX_MESSAGE_CHARS: Final = 1_000
_NO_LIMITS: Final[Mapping[str, int]] = MappingProxyType({})
_MAX_OPEN_FILES: Final = 64
_PACKAGE: Final = "symfonic.adapters.knowledge.extractors"

EXTRACTORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "csv": ("delimited:extract_csv", ()),
    "docx": ("docx:extract_docx", ("lxml.etree",)),
    "eml": ("eml:extract_eml", ("email.policy", "selectolax.lexbor")),
    "epub": ("epub:extract_epub", ("lxml.etree", "selectolax.lexbor")),
    "html": ("html:extract_html", ("selectolax.lexbor",)),
    "ods": ("sheets:extract_ods", ("lxml.etree",)),
    "pdf": ("pdf:extract_pdf", ("pypdfium2",)),
    "pptx": ("pptx:extract_pptx", ("lxml.etree",)),
    "tsv": ("delimited:extract_tsv", ()),
    "xls": ("sheets:extract_xls", ("python_calamine",)),
    "xlsx": ("sheets:extract_xlsx", ("lxml.etree", "python_calamine")),
}
"""For each format the module and function that read it, and what has to be imported before files are out of reach."""

# What the standard library imports only when it is used, and then could not any more: parts of its e-mail package, the
# words of a Unicode error, the detector of encodings, and below every encoding.
_LATE_IMPORTS: Final = (
    "base64", "binascii", "chardetng_py", "email._header_value_parser", "email.generator", "email.header",
    "email.headerregistry", "email.message", "email.parser", "encodings.idna", "encodings.punycode", "html.entities",
    "quopri", "stringprep", "unicodedata", "zipfile",
)  # fmt: skip


def main() -> None:  # pragma: no cover - it cannot write the file in which coverage is kept
    """Serve the parent over standard input and output."""
    settings = json.loads(sys.argv[2])
    # A native library may print; what it prints must not end up between our frames.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    ready = prepare()
    limits = limit_resources(settings["memory_bytes"])
    with replies:
        write_frame(replies, json.dumps({"kinds": ready, "protections": [*limits, *confine()]}).encode())
        serve(sys.stdin.buffer, replies, settings)


def prepare() -> list[str]:
    """Import whatever extraction may need, and return the formats for which that worked."""
    for name in (*_LATE_IMPORTS, *(f"encodings.{name}" for name in _encodings())):
        _imported(name)
    # A format whose second library is missing may still do without it, so none is left out after the first.
    found = {kind: [_imported(name) for name in _modules(kind)] for kind in EXTRACTORS}
    return [kind for kind, imported in found.items() if all(imported)]


def _encodings() -> list[str]:
    """Every encoding there is a module of; some have no alias."""
    import encodings
    import pkgutil
    from encodings.aliases import aliases

    return sorted({*aliases.values(), *(module.name for module in pkgutil.iter_modules(encodings.__path__))})


def _modules(kind: str) -> tuple[str, ...]:
    reader, libraries = EXTRACTORS[kind]
    return (f"{_PACKAGE}.{reader.partition(':')[0]}", *libraries)


def _imported(name: str) -> bool:
    try:
        importlib.import_module(name)
        if name.startswith("encodings."):
            codecs.lookup(name.removeprefix("encodings."))
    except (ImportError, LookupError):
        return False
    return True


# ---------------------------------------------------------------------------------------------------------- limits


def limit_resources(max_bytes: int) -> tuple[str, ...]:
    """Give up what parsing does not need, each where the platform can: Windows has none of these limits, macOS some.

    Args:
        max_bytes: Address space this process may take; 0 for no limit.

    Returns:
        Names of what holds now: ``memory``, ``no-writes``, ``no-core``, ``open-files``.
    """
    limits = {"memory": ("RLIMIT_AS", max_bytes)} if max_bytes else {}
    limits |= {"no-writes": ("RLIMIT_FSIZE", 0), "no-core": ("RLIMIT_CORE", 0)}
    limits |= {"open-files": ("RLIMIT_NOFILE", _MAX_OPEN_FILES)}
    return tuple(name for name, (limit, value) in limits.items() if _lower(limit, value))


def _lower(name: str, value: int) -> bool:
    """Lower a limit for good; what the platform does not know or refuses is left, and the wall-time limit holds."""
    try:
        import resource

        limit = getattr(resource, name)
        highest = resource.getrlimit(limit)[1]
        value = value if highest == resource.RLIM_INFINITY else min(value, highest)
        resource.setrlimit(limit, (value, value))
    except (ImportError, AttributeError, ValueError, OSError):
        return False
    return True


def allow_seconds(seconds: int) -> None:
    """Let this process use so much more processor time and live so long, where the platform can; 0 for no limit."""
    if hasattr(signal, "alarm"):
        signal.alarm(min(seconds, 2**31 - 1))
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


def _peak_bytes() -> int:
    """The most memory this process or, on Linux, what started it has had, 0 where the platform does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


# --------------------------------------------------------------------------------------------------------- serving


def serve(requests: IO[bytes], replies: IO[bytes], settings: Mapping[str, int]) -> None:
    """Answer requests until there are no more.

    Args:
        requests: Pairs of frames.
        replies: Takes two frames for each pair.
        settings: ``cpu_seconds`` for each file, ``characters`` and ``output_bytes`` of an answer; 0 for no limit.
    """
    inherited = _peak_bytes()
    while (head := _read_frame(requests)) is not None and (data := _read_frame(requests)) is not None:
        allow_seconds(settings.get("cpu_seconds", 0))
        kind, name, number = json.loads(head)
        header, text = answer(kind, data, name, settings)
        del data
        told = _told(header, number, inherited)
        if len(told) > MAX_HEADER_BYTES or values_of(told) > MAX_HEADER_VALUES:
            header, text = _failed(_too_much(name, f"{MAX_HEADER_BYTES:,} bytes of headings", "bytes"))
            told = _told(header, number, inherited)
        write_frame(replies, told)
        write_frame(replies, text)
        allow_seconds(0)  # for whoever waits for the next file, time does not count


def values_of(told: bytes) -> int:
    """At least as many as JSON holds values: marks that begin or part some, those within texts too."""
    return told.count(b",") + told.count(b"[") + told.count(b"{")


def _told(header: Mapping[str, Any], number: int, inherited: int) -> bytes:
    peak = _peak_bytes()
    grown = peak if peak > inherited else 0  # else it may be that of a large process that started this one
    return json.dumps({**header, "request": number, "peak_bytes": grown}, ensure_ascii=False).encode()


def _read_frame(stream: IO[bytes]) -> bytes | None:
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    return stream.read(int.from_bytes(head, "big"))


def write_frame(stream: IO[bytes], body: bytes) -> None:
    """Write one frame and send it on its way."""
    stream.write(len(body).to_bytes(LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def answer(kind: str, data: bytes, name: str, settings: Mapping[str, int] = _NO_LIMITS) -> tuple[dict[str, Any], bytes]:
    """Extract one file; every outcome is a value.

    Returns:
        What is told of it, ``sections`` as ``[bytes, headings, page]`` and ``hidden``, where there is some, as
        ``[why, characters]``, or a failure as ``code``, ``message`` and ``limit``; and the text of all sections.
    """
    try:
        return _packed(_extractor(kind)(data, name=name), name, settings)
    except ExtractionError as error:
        return _failed(error)
    except ImportError:
        return _failure("unavailable", "")
    except MemoryError:
        message = f"{name} needs more memory than one file may take, so nothing of it is used; {RAISE['memory']}."
        return _failure("limit", message, "memory")
    except RecursionError:
        message = f"{name} is nested deeper than can be followed, so nothing of it is used; it is damaged or hostile."
        return _failure("limit", message, "depth")
    except Exception as error:  # noqa: BLE001 - a parser's bug costs its file
        why = f"could not be read ({type(error).__name__}), so nothing of it is used; repair or convert it."
        return _failure("damaged", f"{name} {why}")


def _failure(code: str, message: str, limit: str = "") -> tuple[dict[str, Any], bytes]:
    sound = _encoded(message[:_MAX_MESSAGE_CHARS]).decode()
    return {"code": code, "message": sound, "limit": limit}, b""


def _failed(error: ExtractionError) -> tuple[dict[str, Any], bytes]:
    return _failure(error.code, str(error), error.limit)


def _extractor(kind: str) -> Callable[..., Extraction]:
    if kind not in EXTRACTORS:
        raise ImportError(kind)
    module, _, function = EXTRACTORS[kind][0].partition(":")
    extractor: Callable[..., Extraction] = getattr(importlib.import_module(f"{_PACKAGE}.{module}"), function)
    return extractor


def _packed(extraction: Extraction, name: str, settings: Mapping[str, int]) -> tuple[dict[str, Any], bytes]:
    """Check how much there is before any of it is copied, then copy it once."""
    sections = extraction.sections
    if len(sections) > MAX_SECTIONS:
        raise _too_much(name, f"{MAX_SECTIONS:,} sections", "bytes")
    characters = sum(len(part.text) + sum(map(len, part.headings)) for part in sections)
    if characters > (settings.get("characters", 0) or characters):
        raise _too_much(name, f"{settings['characters']:,} characters", "characters", RAISE["characters"])
    texts, size, most = [], 0, settings.get("output_bytes", 0)
    for part in sections:
        texts.append(_encoded(part.text))
        size += len(texts[-1])
        if most and size > most:
            raise _too_much(name, f"{most:,} bytes of text", "bytes", RAISE["bytes"])
    places = [
        [len(text), [_encoded(title).decode() for title in part.headings], part.page]
        for text, part in zip(texts, sections, strict=True)
    ]
    hidden = {"hidden": [list(found) for found in extraction.hidden]} if extraction.hidden else {}
    return {"sections": places, **hidden}, b"".join(texts)


def _encoded(text: str) -> bytes:
    """``text`` in UTF-8, every lone surrogate, which no store can encode, as U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _too_much(name: str, what: str, limit: str, remedy: str = "split it") -> ExtractionError:
    message = f"{name} holds more than {what}, so nothing of it is used; {remedy}."
    return ExtractionError(message, code="limit", limit=limit)
