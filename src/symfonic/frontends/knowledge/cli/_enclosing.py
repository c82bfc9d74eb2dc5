"""``--attach``, ``--document`` and ``--documents``: what a question names and brings along.

Rules of this module: files are read before anything else is done, and one that is not there is wrong use. What is left
out of a prompt is told line by line on standard error; JSON has it in the document itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typer import BadParameter

from symfonic.adapters.knowledge.documents.folder import FolderDocumentStore
from symfonic.adapters.knowledge.ports import StoreError
from symfonic.capabilities.knowledge import Attachment, shows_blank
from symfonic.composition.knowledge import STANDING_ID, InputError, read_attachment, showable
from symfonic.frontends.knowledge._views import hidden_characters

from ._output import Column, print_table, say, styled
from ._session import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from symfonic.composition.knowledge import Answerable, Settings
    from symfonic.frontends.knowledge._views import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosing:
    """What a question names and brings along.

    Attributes:
        store: The folder of documents; ``None`` where no option names one.
        names: Which of them.
        attachments: The files.
    """

    store: FolderDocumentStore | None
    names: tuple[str, ...]
    attachments: tuple[Attachment, ...]

    @property
    def asked(self) -> dict[str, Any]:
        """What ``ask`` and ``answer`` take of it."""
        return {"documents": self.names, "attachments": self.attachments}


def enclosing(
    attach: list[str] | None, document: list[str] | None, folder: str | None, settings: Settings
) -> Enclosing:
    """Read the files and open the folder that options name, where the settings name none.

    Raises:
        BadParameter: A file or the folder is not there or cannot be read, a name shows nothing or stands twice, or one
            of two options stands alone.
    """
    names = _named(document or ())
    if names and folder is None and settings.document_folder is None:
        raise BadParameter(
            "a document is named in a folder; none is named and nothing was asked; add --documents FOLDER",
            param_hint="--document",
        )
    if folder is not None and not names and (settings.document_folder is not None or not settings.document_names):
        raise BadParameter(
            "a folder of documents is asked for some of them; none is named and nothing was asked; add --document NAME",
            param_hint="--documents",
        )
    try:
        attachments = tuple(read_attachment(path, max_bytes=settings.max_attachment_bytes) for path in attach or ())
    except InputError as error:
        raise BadParameter(str(error), param_hint="--attach") from error
    try:
        store = None if folder is None else FolderDocumentStore(folder)
    except StoreError as error:
        raise BadParameter(str(error), param_hint="--documents") from error
    return Enclosing(store=store, names=names, attachments=attachments)


def _named(given: Sequence[str]) -> tuple[str, ...]:
    """Names of documents, each once.

    Raises:
        BadParameter: One shows nothing, or stands twice.
    """
    names = tuple(map(readable, given))
    for place, name in enumerate(names):
        if shows_blank(name):
            what = "a document is named by its path inside the folder; this name shows nothing"
        elif name in names[:place]:
            what = f"a document is named once; {showable(name)} is named twice"
        else:
            continue
        raise BadParameter(f"{what} and nothing was asked; leave it out", param_hint="--document")
    return names


def is_anything_left_out(answerable: Answerable) -> bool:
    """Whether the prompt lacks anything that was named, sent or pinned, which ``--strict`` makes an error."""
    return any(not one.admitted for one in answerable.explain().documents)


def tell_left_out(view: View, *, before: str = "") -> None:
    """Say of each document and attachment that the prompt does not show why that is, and what it hides of the others.

    ``before`` precedes all of it.
    """
    for line in _lines_of(view["documents"]):
        say(f"{before}{line}")
        before = ""


def _lines_of(rows: list[View]) -> Iterator[str]:
    named = Counter((row["contribution_id"], row["label"]) for row in rows)
    for row in rows:
        alike = named[row["contribution_id"], row["label"]] > 1
        name = f"{kind_of(row)} {row['label']}" + (f" (number {row['position']})" if alike else "")
        if row["code"] is not None:
            detail = "" if row["detail"] is None else f"; {row['detail']}"
            yield f"Left out: {name}: {row['reason']} ({row['code']}){detail}"
        elif hidden := hidden_characters(row):
            yield f"Note: {name}: {hidden}"


def print_documents(out: Console, view: View) -> None:
    """A table of all documents and attachments, where there are some."""
    if not view["documents"]:
        return
    columns = (
        Column("Kind", wraps=False),
        Column("#", "right", wraps=False),
        Column("Label"),
        Column("Outcome", wraps=False),
        Column("Why"),
    )
    print_table(out, columns, [_table_row(row) for row in view["documents"]])


def _table_row(row: View) -> list[Any]:
    begun = [kind_of(row), row["position"], row["label"]]
    if row["code"] is not None:
        return [*begun, styled(row["code"], "yellow"), "; ".join(filter(None, (row["reason"], row["detail"])))]
    tag = row["citation"].removeprefix(row["label"]).lstrip(" ·")
    told = "; ".join(filter(None, (f"cited with tag {tag}", hidden_characters(row))))
    return [*begun, styled("admitted", "green"), told]


def kind_of(row: View) -> str:
    """What a row of the account is about, in the singular."""
    name: str = row["contribution_id"]
    return "document" if name == STANDING_ID else name.removesuffix("s")
