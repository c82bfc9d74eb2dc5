"""Why nothing was admitted, and what to do about it.

Rules of this module: one sentence for people, from what the knowledge base says of itself; the first reason that
applies, from the store as a whole down to the single passage.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from symfonic.capabilities.knowledge import ScopePath
from symfonic.frontends.knowledge._views import as_counts, scope_view

from ._output import say

if TYPE_CHECKING:
    from symfonic.composition.knowledge import Answerable, KnowledgeBase


def why_not_found(
    knowledge: KnowledgeBase, question: str, scope: ScopePath | None, *, limit: int | None, min_score: float | None
) -> str:
    """The reason why a search showed nothing."""
    settings = knowledge.settings
    known = _why_none_visible(knowledge, scope, settings.candidates if limit is None else limit)
    if known:
        return known
    best = knowledge.search(question, scope=scope, limit=1, min_score=0.0)
    if best:
        floor = settings.min_score if min_score is None else min_score
        return _sentence(
            f"the best passage scores {best[0].score:.3f}, below the floor of {floor:g}. A lower --min-score shows it."
        )
    return _nothing_near(knowledge)


def why_not_admitted(
    knowledge: KnowledgeBase, scope: ScopePath | None, answer: Answerable, *, explained: bool = False
) -> str:
    """The reason why a prompt holds no sources; ``explained`` where the outcome of every passage was just shown."""
    known = _why_none_visible(knowledge, scope, 1 if answer.ceilings is None else answer.ceilings.limit)
    if known:
        return known
    if answer.selection.dropped:
        where = "the outcomes above say" if explained else "`symfonic-knowledge explain QUESTION` says"
        codes = Counter(reason.code.value for _, reason in answer.selection.dropped)
        return _sentence(f"every candidate was left out ({as_counts(codes)}); {where} why.")
    return _nothing_near(knowledge)


def _why_none_visible(knowledge: KnowledgeBase, scope: ScopePath | None, limit: int) -> str:
    asked = scope or ScopePath()
    # Only what can be seen from here is spoken of: how much others store is theirs to know.
    if not {path for path, _, _ in knowledge.stats().scopes}.intersection(asked.ancestors()):
        whose = f"for {' '.join(scope_view(str(asked)))} or above it" if asked.pairs else "for everybody (no scope)"
        return _sentence(
            f"nothing is stored {whose}. Fill the store with `symfonic-knowledge ingest FOLDER`, or name the scope the "
            "documents are stored under with --scope KIND:ID."
        )
    return "" if limit else _sentence("the limit is 0, so there is no place for any passage. Raise --limit.")


def _nothing_near(knowledge: KnowledgeBase) -> str:
    if knowledge.embedder is not None:
        return _sentence(
            "no passage that can be seen from this scope shares a word with the question or is near it in meaning. Ask "
            "in other words, or name another scope with --scope KIND:ID."
        )
    return _sentence(
        "no passage that can be seen from this scope shares a word with the question. Ask with the words of the "
        "documents, or name another scope with --scope KIND:ID."
    )


def note_of_missing_vectors(knowledge: KnowledgeBase) -> None:
    """Say that meaning finds only a part of the store. How large a part is not said: that is others' to know."""
    if knowledge.embedder is None:
        return
    stats = knowledge.stats()
    if stats.vectors < stats.chunks:
        say(
            "Note: some passages of this store have no vector and are found by their words alone; `symfonic-knowledge "
            "embed` completes them."
        )


def _sentence(reason: str) -> str:
    return f"Nothing admitted: {reason}"
