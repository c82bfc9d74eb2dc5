"""Finding what is stored by the label it is shown under.

Rules of this module: it reads a store's lists and removes by raw names; how a name is shown is the boundary's to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import Removal
from symfonic.capabilities.knowledge import safe_source

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.ports import KnowledgeStore

_TAG: Final = re.compile(" ·[a-z2-7]{10,52}$")
"""What a prompt shows behind a label: a keyed tag in base32."""


def untagged(label: str) -> str:
    """A label as a prompt shows it without the tag behind it."""
    return _TAG.sub("", label)


def forget_shown(store: KnowledgeStore, label: str, scope_path: str) -> Removal:
    """Remove, exactly at ``scope_path``, the documents shown as ``label``, or else the passages shown so.

    A tag behind it, as a prompt shows one, is passed over. It is never read as a glob.

    Raises:
        StoreError: The store failed.
    """
    wanted = untagged(label)
    documents = [
        record.document
        for record in store.documents(scope_path=scope_path)
        if wanted in {safe_source(record.document.file), record.document.file}
    ]
    if documents:
        return store.remove(documents)
    names = {
        stored.chunk.label
        for stored in store.chunks(scope_path=scope_path)
        if wanted in {safe_source(stored.chunk.label), stored.chunk.label}
    }
    removals = [store.forget(name, scope_path=scope_path) for name in sorted(names)]
    return Removal(
        documents=sum(removal.documents for removal in removals), chunks=sum(removal.chunks for removal in removals)
    )
