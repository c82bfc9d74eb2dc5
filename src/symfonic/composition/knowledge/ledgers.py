"""Ledgers: what a compiled prompt really showed, taken from its account, and kept in files of their own.

Rules of this module: it decides nothing about references. The entry of a fragment needs two witnesses: the selection,
which knows the fragment, and the compiled prompt's block map, which knows whether its line came through; a document or
an attachment needs the same two, with its header in the place of the line. An untrusted block without a selection, such
as a handbook, is one entry under its contribution id: the name that its opening delimiter shows, and its label where
evidence is sent apart. A ledger holds the text of sources, so its file is readable by its owner only, and appears
complete or not at all.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.capabilities.knowledge import BridgeError, CitationLedger, LedgerEntry, safe_source
from symfonic.capabilities.prompting import neutralise_control_tokens, neutralise_delimiters

from ._private_files import written_beside
from .errors import LedgerError
from .explanation import explain_rows, require_answerable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from symfonic.capabilities.knowledge import AdmittedDocument, DocumentSelection, FragmentSelection
    from symfonic.capabilities.prompting import CompiledPrompt, PromptBlock

    from .explanation import Answerable, ExplainedRow

__all__ = ["ledger_of", "read_ledger", "write_ledger"]

_MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_ROUNDS: Final = 3
"""As often as the compiler looks again, for breaking one look-alike may build another."""

_SPACES: Final = re.compile(" +")
_NAMED_MARK: Final = re.compile(r"\nInside these blocks the character (.) \(U\+[0-9A-F]{4,6}\)")


def ledger_of(answerable: Answerable) -> CitationLedger:
    """List what the compiled prompt shows under a label, in its order, however it is sent.

    That is every fragment whose line stands in it and every document and attachment whose header does, under their
    labels, and every other untrusted block, such as a handbook, under its contribution id. Documents without a key, one
    of whose labels another source bears with another content, are that block, too, for a reference could not tell them
    apart. A prompt without the block of sources lists no fragment, whatever the selection admitted. The content of an
    entry is what the prompt shows of it, without datamarks.

    Args:
        answerable: The question with its prompt. For a prompt of your own: ``Answerable(question=…, prompt=…,
            selections={"knowledge": inquiry.selection})``.

    Raises:
        LedgerError: Two entries bear one label and differ, so that no reference could tell them apart. Fragments of a
            knowledge base's own prompts have a tag in every label, and no contribution id has one.
        InputError: It is no :class:`Answerable`.
    """
    require_answerable(answerable)
    entries: dict[LedgerEntry, LedgerEntry] = {}
    try:
        for entry in _all_entries(answerable):
            # What two retrievals found is one source, however well it answered either.
            entries.setdefault(replace(entry, score=0.0), entry)
        return CitationLedger(entries.values())
    except BridgeError as error:
        raise LedgerError(str(error)) from error


def shows_sources(answerable: Answerable) -> bool:
    """Whether a source that was found, named or sent for the question stands in the prompt."""
    return any(
        True
        for block in answerable.prompt.blocks
        if block.contribution_id in answerable.selections or block.contribution_id in answerable.documents
        for _ in _entries_of(answerable, block)
    )


def _all_entries(answerable: Answerable) -> Iterator[LedgerEntry]:
    """The entries of all untrusted blocks, in the order of the prompt."""
    whole = whole_documents(answerable)
    for block in answerable.prompt.blocks:
        if block.contribution_id in whole:
            yield from whole[block.contribution_id]
        elif not block.trusted:
            yield from _entries_of(answerable, block)


def whole_documents(answerable: Answerable) -> dict[str, list[LedgerEntry]]:
    """The documents that stand in the prompt, by the id of their block.

    A block is left out where one of its labels is another source's with another content: it is then one source under
    its id, as of a retrieval in such a case.
    """
    prompt = answerable.prompt
    own = [block for block in prompt.blocks if block.contribution_id in answerable.all_documents]
    known = {
        entry.label: entry.content
        for block in prompt.blocks
        if not block.trusted and block not in own
        for entry in _entries_of(answerable, block)
    }
    found: dict[str, list[LedgerEntry]] = {}
    for block in own:
        entries = list(_documents(prompt, block, answerable.all_documents[block.contribution_id]))
        if all(known.get(entry.label, entry.content) == entry.content for entry in entries):
            known.update((entry.label, entry.content) for entry in entries)
            found[block.contribution_id] = entries
    return found


def _documents(prompt: CompiledPrompt, block: PromptBlock, selection: DocumentSelection) -> Iterator[LedgerEntry]:
    """The documents of a selection whose headers stand in a block."""
    for label, one in _headed(prompt, block, selection):
        yield LedgerEntry(label, one.source, _as_compiled(one.content), scope_path=one.scope_path)


def _headed(
    prompt: CompiledPrompt, block: PromptBlock, selection: DocumentSelection
) -> Iterator[tuple[str, AdmittedDocument]]:
    """Each document whose header stands in a block, and the label it shows there."""
    mark = _datamark(prompt)
    lines = prompt.text[block.content_start : block.content_end].split("\n")
    for one in selection.admitted:
        label = _took_place(one.header, lines, mark)
        if label is not None:
            yield label, one


def _entries_of(answerable: Answerable, block: PromptBlock) -> Iterator[LedgerEntry]:
    selection = answerable.all_selections.get(block.contribution_id)
    if selection is None:
        return iter((_standing(answerable.prompt, block),))
    return _fragments(answerable.prompt, block, selection)


def _fragments(prompt: CompiledPrompt, block: PromptBlock, selection: FragmentSelection) -> Iterator[LedgerEntry]:
    """The fragments of a selection whose lines stand in a block."""
    for row, label in zip(_admitted(selection), _shown_labels(prompt, block, selection), strict=True):
        if row.fragment is None or label is None:
            continue
        content = row.line.partition("]: ")[2]
        yield LedgerEntry(
            label, row.fragment.source, _as_compiled(content), scope_path=row.scope_path, score=row.fragment.score
        )


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as the prompt shows it."""

    label: str


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document under the label that the prompt shows, and its header as it was rendered."""

    label: str
    header: str


def shown_documents(answerable: Answerable, name: str) -> list[ShownDocument]:
    """The documents of a selection that stand in the prompt; of those that do not, none."""
    return [
        ShownDocument(label, one.header)
        for block in answerable.prompt.blocks
        if block.contribution_id == name
        for label, one in _headed(answerable.prompt, block, answerable.all_documents[name])
    ]


def shown_rows(answerable: Answerable, name: str) -> list[ShownRow]:
    """The rows of a selection, each under the label that the prompt shows; of what it does not, under its own."""
    selection = answerable.all_selections[name]
    rows = [row.citation for row in _admitted(selection)]
    for block in answerable.prompt.blocks:
        if block.contribution_id == name:
            labels = _shown_labels(answerable.prompt, block, selection)
            rows = [shown or own for own, shown in zip(rows, labels, strict=True)]
    return [ShownRow(label) for label in rows]


def _shown_labels(prompt: CompiledPrompt, block: PromptBlock, selection: FragmentSelection) -> list[str | None]:
    """For each admitted row the label that its line shows in a block, ``None`` where it does not stand there."""
    mark = _datamark(prompt)
    lines = prompt.text[block.content_start : block.content_end].split("\n")
    return [_took_place(row.line, lines, mark) for row in _admitted(selection)]


def _admitted(selection: FragmentSelection) -> list[ExplainedRow]:
    return [row for row in explain_rows(selection) if row.admitted]


def _standing(prompt: CompiledPrompt, block: PromptBlock) -> LedgerEntry:
    """A block that is one piece, under the label :class:`MessageParts` sends it by."""
    text = prompt.text[block.content_start : block.content_end]
    mark = _datamark(prompt)
    name = block.contribution_id
    return LedgerEntry(safe_source(name), name, text if mark is None else text.replace(mark, " "))


def _datamark(prompt: CompiledPrompt) -> str | None:
    """The character that stands for spaces in the blocks of a prompt; its authority note names it."""
    named = _NAMED_MARK.search(prompt.authority_note)
    return named[1] if named else None


def _took_place(line: str, shown: list[str], mark: str | None) -> str | None:
    """The label of a line that stands among those shown, which then loses it and all before it: both have one order."""
    # Whether a policy breaks tokens of sentences, too, a prompt does not say.
    heads = dict(_heads(line, mark, sentence_tokens=broken) for broken in (False, True))
    for place, other in enumerate(shown):
        for head, label in heads.items():
            if other.startswith(head):
                del shown[: place + 1]
                return label
    return None


def _heads(line: str, mark: str | None, *, sentence_tokens: bool) -> tuple[str, str]:
    """The line up to its content as the compiler shows it, and the label in it before words were joined.

    Where joining words makes a look-alike, which is then broken, the label has spaces in the place of marks.
    """
    whole = _as_compiled(line, sentence_tokens=sentence_tokens)
    start = line.index("[") + 1  # in the line as it was rendered: a look-alike may begin at the bracket itself
    if mark is None:
        return _head(whole), _label(whole, start)
    joined = _SPACES.sub(lambda _: mark, whole.replace(mark, "\ufffd"))
    shown = _as_compiled(joined, sentence_tokens=sentence_tokens)
    return _head(shown), _label(whole if _head(shown) == _head(joined) else shown.replace(mark, " "), start)


def _head(line: str) -> str:
    return line[: line.index("]:") + 2]


def _label(line: str, start: int) -> str:
    return _head(line)[start:-2]


def _as_compiled(content: str, *, sentence_tokens: bool = False) -> str:
    """Content with the look-alikes broken that the compiler breaks."""
    for _ in range(_MOST_ROUNDS):
        content, delimiters = neutralise_delimiters(content)
        content, tokens = neutralise_control_tokens(content, sentence_tokens=sentence_tokens)
        if not delimiters and not tokens:
            break
    return content


# ------------------------------------------------------------------------------------------------------------ files


def write_ledger(path: str | os.PathLike[str], ledger: CitationLedger) -> Path:
    """Keep a ledger in a file that only its owner may read; a file of that name is replaced as a whole.

    A link is followed. Folders are not made.

    Returns:
        The file's path.

    Raises:
        LedgerError: It could not be written, or what stands there is no file; that was left as it is.
    """
    place = _path_of(path)
    with _explained(place, "written"):
        target = Path(os.path.realpath(place))
        with contextlib.suppress(FileNotFoundError):
            _refuse_no_file(target.stat(), place)
        with written_beside(target, ledger.to_json().encode("ascii") + b"\n") as ready:
            ready.replace(target)
    return place


def read_ledger(path: str | os.PathLike[str]) -> CitationLedger:
    """Read a ledger back. Every entry is checked again, its digest included.

    Raises:
        LedgerError: It cannot be read, or is no ledger.
    """
    place = _path_of(path)
    with _explained(place, "read"):
        # Without O_NONBLOCK a pipe of that name would be waited for.
        handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(handle, "rb") as file:  # noqa: PTH123 - a handle has no path
            _refuse_no_file(os.fstat(handle), place)
            data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise LedgerError(
            f"a ledger has at most {_MOST_BYTES} bytes; {place} has more and was not read; name the file that was "
            "saved with the prompt"
        )
    try:
        return CitationLedger.from_json(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LedgerError(
            f"a ledger is JSON in UTF-8; {place} is not, at byte {error.start}, and nothing was checked against it; "
            "name the file that was saved with the prompt"
        ) from error
    except BridgeError as error:
        raise LedgerError(f"{place} is no ledger: {error}") from error


def _path_of(path: object) -> Path:
    named: object = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(named, str) or not named or "\0" in named:
        raise LedgerError("a ledger is kept in a file; this is no path of one and nothing was done; name a file")
    return Path(named)


def _refuse_no_file(status: os.stat_result, place: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise LedgerError(
            f"a ledger is kept in a file; {place} is a folder, a device or a pipe and was left as it is; name a file"
        )


@contextlib.contextmanager
def _explained(place: Path, done: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:  # text that no file system can take
        raise LedgerError(
            f"a ledger is kept in a file; {str(place)!a} names none and nothing was changed; name another path"
        ) from error
    except OSError as error:
        raise LedgerError(
            f"a ledger is kept in a file; {place} could not be {done} ({error.strerror}) and nothing was changed; "
            "check the path"
        ) from error
