"""Views for whoever asks from elsewhere: the same members, without places on the machine that answers.

Rules of this module: a view in, a view out. Where no keys are asked for, the operator asks, and nothing is left out. A
key's holder learns no folder and no path of the operator's: those are ``None``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symfonic.composition.knowledge import ATTACHMENTS_ID, UPLOADED

from ._views import documents_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from symfonic.adapters.knowledge.ports import DocumentRecord
    from symfonic.composition.knowledge import AccessKey

    from ._views import View


def is_removable(key: AccessKey | None, origin: str) -> bool:
    """Whether whoever asks may remove a document of this origin: with a key what was sent, and nothing else.

    What the operator ingested from files is the operator's, whoever may read it and whoever guesses where it lay.
    """
    return key is None or origin.startswith(UPLOADED)


def view_for(key: AccessKey | None, view: View) -> View:
    """A view of a question. What a store of standing documents says itself, where it looked for one, is left out."""
    if key is None:
        return view
    told = [one if one["contribution_id"] == ATTACHMENTS_ID else {**one, "detail": None} for one in view["documents"]]
    return {**view, "documents": told}


def documents_view_for(key: AccessKey | None, records: Iterable[DocumentRecord]) -> View:
    """What ``list`` answers. The origin of a file that lay on the operator's machine is left out."""
    view = documents_view(records)
    if key is None:
        return view
    told = [one if one["origin"].startswith(UPLOADED) else {**one, "origin": None} for one in view["documents"]]
    return {**view, "documents": told}
