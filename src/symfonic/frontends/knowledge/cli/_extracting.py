"""``extract``: what ingestion would store of files, without a store.

Rules of this module: each file is shown as soon as it is known and then let go of, but for ``--json``, which is one
document. With ``--text`` standard output has the texts and nothing else, and the account goes to standard error. Text
of documents reaches a terminal in a harmless form only.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Final

from symfonic.composition.knowledge import MAX_FILE_BYTES, FileOutcome, extract_files, require_paths
from symfonic.frontends.knowledge._extraction_view import extracted_view, extraction_view
from symfonic.frontends.knowledge._views import View, as_counts, counted, hidden_characters

from . import _options as options
from ._filling import exit_code, named_outcome
from ._output import console, say, write_json, write_piece
from ._session import changed, loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from symfonic.composition.knowledge import ExtractedFile, Settings

_QUIET: Final = frozenset({"hidden", "already-visited"})


def extract(
    paths: list[str] = options.PATHS,
    *,
    text: bool = options.TEXT,
    strict: bool = options.STRICT_FILES,
    max_chunk_chars: int | None = options.MAX_CHUNK_CHARS,
    workers: int | None = options.WORKERS,
    settings: str | None = options.SETTINGS,
    as_json: bool = options.JSON,
) -> int:
    """Show what ingest would store of files and folders: sections, passages, or the reason why not. Stores nothing."""
    chosen = changed(loaded(settings), max_chunk_chars=max_chunk_chars, workers=workers)
    require_paths(paths)
    seen: Counter[FileOutcome] = Counter()
    with closing(_extracted(paths, chosen)) as extracted:
        if as_json:
            views = []
            for file in extracted:
                seen[file.outcome] += 1
                views.append(extracted_view(file, text=text))
            write_json(extraction_view(views))
        else:
            _show_all(extracted, seen, text=text)
    return exit_code(seen, strict=strict)


def _extracted(paths: list[str], settings: Settings) -> Generator[ExtractedFile]:
    most = settings.max_file_bytes
    return extract_files(
        paths,
        policy=settings.chunk_policy(),
        max_file_bytes=MAX_FILE_BYTES if most is None else most,
        workers=settings.extraction_workers(),
        limits=settings.extraction_limits(),
    )


def _show_all(extracted: Iterator[ExtractedFile], seen: Counter[FileOutcome], *, text: bool) -> None:
    passages = characters = 0
    tell: Callable[[str], None] = say if text else _print
    for file in extracted:
        seen[file.outcome] += 1
        passages += len(file.chunks)
        characters += file.characters
        view = extracted_view(file)
        if view["outcome"] not in _QUIET:
            for line in _lines_of(view):
                tell(line)
        if text:
            _write_text(file)
    counts = {outcome.value: seen[outcome] for outcome in FileOutcome if seen[outcome]}
    ingested = counts.pop(FileOutcome.INGESTED.value, 0)
    others = f", {as_counts(counts)}" if counts else ""
    sums = f"{counted(passages, 'passage')}, {counted(characters, 'character')}"
    tell(f"{counted(ingested, 'file')} would be stored{others}; {sums}; nothing was stored")


def _print(line: str) -> None:
    console().print(line, soft_wrap=True)


def _lines_of(view: View) -> Iterator[str]:
    """A file for people: one line for it, for each of its sections and for each of its passages."""
    if view["outcome"] != FileOutcome.INGESTED.value:
        yield f"{view['path']}: {named_outcome(view)}" + (f" ({view['reason']})" if view["reason"] else "")
        return
    split = f", {counted(view['oversized_units'], 'oversized unit')} split" if view["oversized_units"] else ""
    left_out = hidden_characters(view)
    yield (
        f"{view['path']}: {view['kind']}, {counted(view['size'], 'byte')}, {counted(view['characters'], 'character')}, "
        f"{counted(len(view['sections']), 'section')}, {counted(len(view['passages']), 'passage')}{split}"
        f"{f', {left_out}' if left_out else ''}, {view['seconds']:.2f} s"
    )
    for section in view["sections"]:
        yield f"  section {_place_of(section)}: {counted(section['characters'], 'character')}"
    for passage in view["passages"]:
        yield f"  passage {passage['ordinal']} {passage['label']}: {counted(passage['characters'], 'character')}"


def _place_of(section: View) -> str:
    """Page, slide or sheet, and the heading path; a sheet is its first heading."""
    page = f"p. {section['page']}" if section["page"] is not None else ""
    slide = f"slide {section['slide']}" if section["slide"] is not None else ""
    sheet = "sheet" if section["sheet"] is not None else ""
    return " ".join(filter(None, (page, slide, sheet, " > ".join(section["headings"])))) or "(no heading)"


def _write_text(file: ExtractedFile) -> None:
    """The text of one file, which is its passages joined, and a line feed behind it where it has none."""
    for chunk in file.chunks:
        write_piece(chunk.text)
    if file.chunks and not file.chunks[-1].text.endswith("\n"):
        write_piece("\n")
