"""The one view model: what every face shows of answers, reports and errors.

Rules of this module: values of composition in, plain ``dict``, ``list``, ``str``, numbers and ``None`` out, ready for
JSON; the shapes here are public. It reads nothing and prints nothing. Two kinds of text leave it: *safe* ones (labels,
reasons, passages in their rendered form) may be shown as they are, and *raw* ones (``file``, ``origin``, ``source`` and
``text`` of an export) are for programs and must be escaped, as JSON does.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from symfonic.capabilities.knowledge import GroundingReport, ScopePath, safe_source
from symfonic.composition.knowledge import ExplainedRow, showable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from symfonic.adapters.knowledge.ports import Document, DocumentRecord, Removal, StoredChunk, StoreStats
    from symfonic.capabilities.knowledge import (
        AmbiguousReference,
        CitationLedger,
        CitedFragment,
        DropReason,
        RetrievedFragment,
        UnknownReference,
    )
    from symfonic.capabilities.prompting import CompiledPrompt, PromptDiagnostic
    from symfonic.composition.knowledge import (
        Answer,
        Answerable,
        CopyReport,
        ExplainedDocument,
        Explanation,
        IngestReport,
        KnowledgeError,
        TextChange,
        TextInspection,
    )

SLIDES: Final = frozenset({"pptx"})
"""Kinds of documents whose page is a slide."""

SHEETS: Final = frozenset({"xlsx", "xls", "ods"})
"""Kinds of documents whose first heading is the name of a sheet."""

_UNSAVED: Final = "formula"
"""What ``Extraction.hidden`` calls cells with a formula that was saved without a result."""

View: TypeAlias = dict[str, Any]
"""One JSON object."""


def scope_view(scope_path: str) -> list[str]:
    """``KIND:ID`` of each step, root first; none for what the whole deployment shares."""
    return [f"{kind}:{identity}" for kind, identity in ScopePath.parse(scope_path).pairs]


# ----------------------------------------------------------------------------------------------------------- asking


def search_view(question: str, scope_path: str, fragments: Sequence[RetrievedFragment]) -> View:
    """What ``search`` answers: ranked rows."""
    return {
        "question": question,
        "scope": scope_view(scope_path),
        "results": [_result(rank, fragment) for rank, fragment in enumerate(fragments, start=1)],
    }


def _result(rank: int, fragment: RetrievedFragment) -> View:
    row = ExplainedRow(rank=rank, label=safe_source(fragment.source), score=fragment.score, fragment=fragment)
    return {**_row(row), "scope": scope_view(row.scope_path), "text": showable(fragment.content)}


def prompt_view(answerable: Answerable) -> View:
    """What ``prompt`` answers: the prompt with its account, and the question, which is no part of it."""
    prompt = answerable.prompt
    return {
        "question": answerable.question,
        "scope": scope_view(answerable.scope_path),
        "prompt": prompt.text,
        "admitted": len(answerable.selection.admitted),
        "blocks": _blocks(prompt),
        "digests": asdict(prompt.digests),
        "diagnostics": [_diagnostic(item) for item in prompt.diagnostics],
        "documents": _documents(answerable),
    }


def _documents(answerable: Answerable) -> list[View]:
    return [_whole(one) for one in answerable.explain().documents] if answerable.all_documents else []


def _whole(one: ExplainedDocument) -> View:
    """A document or an attachment with its one outcome; ``code`` is ``None`` where it was admitted.

    ``position`` counts those of one contribution as they were given. ``detail`` is what the store or the extractor said
    itself, or what raises a ceiling; ``hidden`` counts what no reader of its file sees.
    """
    untold = {"code": None, "reason": None, "actual": None, "ceiling": None}
    return {
        "contribution_id": one.contribution_id,
        "position": one.position,
        "label": str(one.label),
        "citation": one.citation,
        "characters": one.characters,
        "detail": one.detail or None,
        "hidden": dict(one.hidden),
        **(untold if one.reason is None else _reason(one.reason)),
    }


def _blocks(prompt: CompiledPrompt) -> list[View]:
    return [
        {
            "contribution_id": block.contribution_id,
            "tier": block.tier.value,
            "layer": block.layer.value,
            "trusted": block.trusted,
            "revision": block.revision,
            "start": block.start,
            "end": block.end,
        }
        for block in prompt.blocks
    ]


def explanation_view(explanation: Explanation) -> View:
    """What ``explain`` answers: every candidate row with its one outcome, and everything that was in force."""
    admitted, dropped = explanation.admitted, explanation.dropped
    return {
        "question": explanation.question,
        "scope": scope_view(explanation.scope_path),
        "counts": {"rows": len(explanation.rows), "admitted": len(admitted), "dropped": len(dropped)},
        "admitted": [
            {**_row(row), "citation": row.citation, "line": row.line, "markers": row.markers} for row in admitted
        ],
        "dropped": [{**_row(row), **_reason(row.reason)} for row in dropped if row.reason is not None],
        "notes": [_reason(reason) for reason in explanation.notes],
        "ceilings": None if explanation.ceilings is None else asdict(explanation.ceilings),
        "digests": asdict(explanation.digests),
        "diagnostics": [_diagnostic(item) for item in explanation.diagnostics],
        "confusable": [list(pair) for pair in explanation.confusable],
        "documents": [_whole(one) for one in explanation.documents],
    }


def _row(row: ExplainedRow) -> View:
    return {
        "rank": row.rank,
        "label": str(row.label),
        "score": row.score,
        "file": row.file,
        "page": row.page,
        "slide": row.slide,
        "sheet": None if row.sheet is None else showable(row.sheet),
        "heading": showable(row.heading),
    }


def _reason(reason: DropReason) -> View:
    return {
        "code": reason.code.value,
        "reason": str(reason),
        "actual": _number(reason.actual),
        "ceiling": _number(reason.ceiling),
    }


def _number(value: float | None) -> float | None:
    """JSON knows no infinities and no NaN."""
    return None if value is None or not math.isfinite(value) else value


def _diagnostic(item: PromptDiagnostic) -> View:
    return {
        "code": item.code.value,
        "contribution_id": item.contribution_id,
        "message": item.message,
        "actual": item.actual,
        "ceiling": item.ceiling,
        "left_out": item.left_out,
    }


# -------------------------------------------------------------------------------------------------------- answering


def answer_view(answerable: Answerable, answer: Answer | None = None) -> View:
    """What ``answer`` answers; without an answer no model was asked. Without ``finish`` it did not come to its end."""
    completion = None if answer is None else answer.completion
    return {
        "question": answerable.question,
        "scope": scope_view(answerable.scope_path),
        "admitted": len(answerable.selection.admitted),
        "answer": "" if answer is None else answer.text,
        "finish": None if completion is None else completion.finish.value,
        "model": None if completion is None else showable(completion.model),
        "usage": {
            "prompt_tokens": None if completion is None else completion.prompt_tokens,
            "answer_tokens": None if completion is None else completion.answer_tokens,
        },
        "report": _grounding(GroundingReport() if answer is None else answer.report),
        "documents": _documents(answerable),
    }


def ledger_view(ledger: CitationLedger) -> View:
    """What ``verify`` takes: every source that a prompt shows, with its label and its text as it stands there."""
    document: View = json.loads(ledger.to_json())
    return document


def verification_view(ledger: CitationLedger, answer: Answer) -> View:
    """What ``verify`` answers; ``marked`` counts marks that another check left in the place of invented sources."""
    return {
        "entries": len(ledger),
        "marked": answer.marks,
        "report": _grounding(answer.report),
    }


def _grounding(report: GroundingReport) -> View:
    """A report; offsets are characters of the answer. All of it is safe but ``source``."""
    return {
        "cited": [{"label": item.label, "source": item.source, **_places(item)} for item in report.cited],
        "unknown": [{"name": item.name, **_places(item)} for item in report.unknown],
        "ambiguous": [{"name": item.name, "labels": list(item.labels), **_places(item)} for item in report.ambiguous],
        "uncited": list(report.uncited),
        "quotes": [
            {
                "text": showable(item.text),
                "offset": item.offset,
                "label": item.label,
                "verdict": item.verdict.value,
                "elsewhere": list(item.elsewhere),
            }
            for item in report.quotes
        ],
        "omitted_unknown": report.omitted_unknown,
        "omitted_quotes": report.omitted_quotes,
        "unread_chars": report.unread_chars,
        "marked": report.marked,
    }


def _places(item: CitedFragment | UnknownReference | AmbiguousReference) -> View:
    """Where references begin, and how many more there were."""
    return {"offsets": list(item.offsets), "omitted": item.omitted}


# ---------------------------------------------------------------------------------------------- filling and keeping

QUIET_OUTCOMES = frozenset({"ingested", "replaced", "unchanged", "pruned", "hidden", "already-visited"})
"""Outcomes of ingestion that need no line of their own."""


def report_view(report: IngestReport) -> View:
    """What ``ingest`` answers: counts by outcome, and every file with its outcome."""
    return {
        "counts": {outcome.value: count for outcome, count in report.counts().items()},
        "chunks": report.chunks,
        "oversized_units": report.oversized_units,
        "embedded": report.embedded,
        "unembedded": report.unembedded,
        "files": [
            {
                "path": showable(item.path),
                "file": item.file,
                "outcome": item.outcome.value,
                "reason": showable(item.reason),
                "limit": item.limit,
                "chunks": item.chunks,
                "hidden": dict(item.hidden),
            }
            for item in report.items
        ],
    }


def documents_view(records: Iterable[DocumentRecord]) -> View:
    """What ``list`` answers."""
    return {"documents": [_record(record) for record in records]}


def _record(record: DocumentRecord) -> View:
    return {
        **_document(record.document),
        "label": str(safe_source(record.document.file)),
        "size": record.document.size,
        "chunks": record.chunks,
        "characters": record.characters,
    }


def _document(document: Document) -> View:
    return {
        "file": document.file,
        "scope": scope_view(document.scope_path),
        "kind": document.kind,
        "origin": document.origin,
        "digest": document.digest,
    }


def stats_view(stats: StoreStats, path: str, key_fingerprint: str | None, below: str = "") -> View:
    """What ``stats`` answers; ``below`` keeps the scopes at that path and below it.

    Size, schema, embedder and vectors are those of the whole store.
    """
    paths = [entry for entry in stats.scopes if below in ScopePath.parse(entry[0]).ancestors()]
    return {
        "store": showable(path),
        "documents": sum(entry[1] for entry in paths),
        "chunks": sum(entry[2] for entry in paths),
        "file_bytes": stats.file_bytes,
        "schema_version": stats.schema_version,
        "embedder": None if stats.embedding is None else showable(stats.embedding.name),
        "dimensions": None if stats.embedding is None else stats.embedding.dimensions,
        "vectors": stats.vectors,
        "without_vector": 0 if stats.embedding is None else stats.chunks - stats.vectors,
        "key_fingerprint": key_fingerprint,
        "scopes": [
            {"scope": scope_view(scope_path), "documents": documents, "chunks": chunks}
            for scope_path, documents, chunks in paths
        ],
        "kinds": {} if below else dict(stats.kinds),
    }


def embed_view(path: str, embedder: str, embedded: int, vectors: int) -> View:
    """What ``embed`` answers: how many passages it gave a vector, and how many have one now."""
    return {"store": showable(path), "embedder": showable(embedder), "embedded": embedded, "vectors": vectors}


def copy_view(report: CopyReport, source: str, target: str) -> View:
    """What ``copy`` answers."""
    return {
        "from": showable(source),
        "to": showable(target),
        "copied": report.copied,
        "unchanged": report.unchanged,
        "passages": report.passages,
        "characters": report.characters,
        "vectors": report.vectors,
        "extra": report.extra,
        "digest": report.digest,
        "moved": report.moved,
        "failures": [
            {"scope_path": one.scope_path, "file": showable(one.file), "reason": showable(one.reason)}
            for one in report.failures
        ],
    }


def check_store_view(path: str, faults: Sequence[str]) -> View:
    """What ``check-store`` answers."""
    return {"store": showable(path), "sound": not faults, "faults": [showable(fault) for fault in faults]}


def removal_view(removal: Removal, origins: Sequence[str], *, vacuumed: bool) -> View:
    """What ``forget`` answers; ``origins`` are those of the documents that went whole."""
    return {
        "documents": removal.documents,
        "chunks": removal.chunks,
        "origins": list(origins),
        "vacuumed": vacuumed,
    }


def vacuum_view(path: str, before: int, after: int) -> View:
    """What ``vacuum`` answers: bytes of the store's files."""
    return {"store": showable(path), "file_bytes_before": before, "file_bytes": after}


def export_view(stored: StoredChunk) -> View:
    """One line of ``export``: a passage with its document, raw but for the label, whose raw form is ``source``."""
    chunk, kind = stored.chunk, stored.document.kind
    return {
        **_document(stored.document),
        "label": str(safe_source(chunk.label)),
        "source": chunk.label,
        "ordinal": chunk.ordinal,
        "heading": chunk.heading,
        "page": chunk.page,
        "slide": chunk.page if kind in SLIDES else None,
        "sheet": chunk.heading if kind in SHEETS and chunk.heading else None,
        "text": chunk.text,
    }


# ------------------------------------------------------------------------------------------------ keys, text, errors


def key_view(path: str, fingerprint: str, replaced: str | None = None) -> View:
    """What the ``key`` commands answer; ``replaced`` is the fingerprint of the key that is gone, where it was read."""
    return {"path": showable(path), "fingerprint": fingerprint, "replaced": replaced}


def inspection_view(name: str, inspection: TextInspection) -> View:
    """What ``check`` answers."""
    return {
        "file": showable(name),
        "characters": inspection.characters,
        "clean": inspection.clean,
        "counts": dict(inspection.counts),
        "line_ends": inspection.line_ends,
        "private_use": inspection.private_use,
        "markers": inspection.markers,
        "delimiters": inspection.delimiters,
        "control_tokens": inspection.control_tokens,
        "changes": [_change(change) for change in inspection.changes],
        "places": [_change(place) for place in inspection.places],
    }


def _change(change: TextChange) -> View:
    return {
        "kind": change.kind,
        "line": change.line,
        "column": change.column,
        "start": change.start,
        "end": change.end,
        "found": code_points(change.found),
        "replacement": code_points(change.replacement),
    }


def code_points(text: str, most: int = 8) -> str:
    """``U+XXXX`` of each character, of the first few where there are many; nothing of the text itself."""
    shown = " ".join(f"U+{ord(character):04X}" for character in text[:most])
    return shown if len(text) <= most else f"{shown} and {len(text) - most} more"


def error_view(error: KnowledgeError) -> View:
    """What every face answers in place of a result."""
    return failure_view(error.code, str(error))


def failure_view(code: str, message: str) -> View:
    """An error that has no class of its own, such as a wrong option."""
    return {"error": {"code": code, "message": message.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}}


def counted(count: int, noun: str) -> str:
    """A number with its noun, in the singular where it is one."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def added_up(rows: Iterable[View], name: str) -> int:
    """The sum of one number of all rows."""
    return sum(row[name] for row in rows)


def hidden_characters(view: View) -> str:
    """What was left out of a file because no reader sees it, in words; empty for nothing."""
    found: dict[str, int] = dict(view["hidden"])
    formulas = found.pop(_UNSAVED, 0)
    told = [f"{counted(sum(found.values()), 'hidden character')} left out ({as_counts(found)})"] if found else []
    if formulas:
        told.append(
            f"{counted(formulas, 'formula')} without a saved result left out: open and save it in a spreadsheet program"
        )
    return "; ".join(told)


def as_counts(counts: Mapping[str, int]) -> str:
    """Counts by name as one phrase."""
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())
