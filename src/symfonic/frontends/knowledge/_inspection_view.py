"""What the inspector shows of one question: every row with its text, the prompt by trust, and what changed.

Rules of this module: values of composition in, plain ``dict``, ``list``, ``str``, numbers and ``None`` out, as in
``_views``, whose words it uses. All decisions of a page stand here, so that templates hold none. All text that leaves
it is text: whoever shows it escapes it. Nothing invisible leaves it as itself: what hygiene treats is told by its code
points.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from symfonic.capabilities.prompting import LAYER_LADDER
from symfonic.composition.knowledge import inspect_text, ledger_of, showable

from ._views import View, code_points, counted, documents_view, explanation_view, scope_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from symfonic.adapters.knowledge.ports import DocumentRecord
    from symfonic.capabilities.prompting import CompiledPrompt, PromptBlock
    from symfonic.composition.knowledge import Answerable, ExplainedRow, Explanation, TextChange

MOST_RAW_CHARS: Final = 20_000
"""Characters of one row's text that are inspected and shown; of a longer one the rest is counted."""

MOST_CHANGES: Final = 200
"""Changes of one row's text that are shown; its text ends before the next. A document may change at every character."""

MOST_DROPPED: Final = 100
"""Passages that were left out and are listed, best first; more are counted. A store may answer thousands that tie."""

ADMITTED: Final = "admitted"

OUTCOMES: Final[Mapping[str, str]] = {
    ADMITTED: "Admitted",
    "over-limit": "Over the number of passages",
    "below-floor": "Below the least score",
    "over-fragment": "Passage too long",
    "over-total": "No room left",
    "over-source": "Too many of one source",
    "duplicate": "Said already",
    "out-of-scope": "Belongs to another scope",
    "blank": "Shows nothing",
    "bad-score": "Score is no number",
    "bad-content": "Content is no text",
    "bad-source": "Source is no text",
    "bad-text": "Text cannot be written down",
    "unexamined": "Not looked at",
    "empty-scope": "No scope",
    "store-failed": "Store failed",
}
"""Outcome to words."""

_LAYERS: Final = (
    ("L0", "Authored prefix", "what the operator wrote; the same for every question"),
    ("L1", "Standing text", "what stands in every prompt of this scope"),
    ("L2", "This question", "what was found for it"),
)
_DIGESTS: Final = re.compile(r"[0-9a-f]{64}(?:\.[0-9a-f]{64}){2}")
_KINDS: Final[Mapping[str, str]] = {"marker": "imitated citation", "delimiter": "imitated delimiter"}
_HEAD: Final = re.compile(r"(SOURCE.\[[^\n]*?\]:)(.)")


# ---------------------------------------------------------------------------------------------------------- question


def inspected_view(answerable: Answerable, previous: str = "") -> View:
    """All that the page of one question shows.

    Args:
        answerable: The question with its prompt.
        previous: ``state`` of an earlier view, to tell what changed; anything else counts as none.
    """
    explanation = answerable.explain()
    told = explanation_view(explanation)
    blocks = prompt_blocks(answerable, explanation)
    state = layer_state(answerable.prompt)
    lines = _lines(blocks)
    listed = sorted((*explanation.admitted, *explanation.dropped[:MOST_DROPPED]), key=lambda row: row.rank)
    return {
        **{name: told[name] for name in ("question", "scope", "counts", "ceilings", "diagnostics", "confusable")},
        "notes": [note["reason"] for note in told["notes"]],
        "documents": told["documents"],
        "rows": [_row(row, explanation, lines) for row in listed],
        "unlisted": len(explanation.rows) - len(listed),
        "outcomes": _outcomes(explanation),
        "blocks": blocks,
        "characters": len(answerable.prompt.text),
        "layers": _layers(answerable.prompt, state, previous),
        "prefix": _prefix(state, previous),
        "state": state,
        "grounded": answerable.grounded,
    }


def _outcomes(explanation: Explanation) -> list[View]:
    found = Counter(ADMITTED if row.reason is None else row.reason.code.value for row in explanation.rows)
    return [{"code": code, "words": words, "count": found[code]} for code, words in OUTCOMES.items() if found[code]]


def _row(row: ExplainedRow, explanation: Explanation, lines: Mapping[int, View]) -> View:
    reason = row.reason
    outcome = ADMITTED if reason is None else reason.code.value
    floor = 0.0 if explanation.ceilings is None else explanation.ceilings.min_score
    top = max([1.0, *(one.score for one in explanation.rows if one.score is not None)])
    line = lines.get(row.rank)
    return {
        "rank": row.rank,
        "anchor": f"row-{row.rank}",
        "line": f"line-{row.rank}" if line is not None else None,
        "label": str(row.label),
        "key": _key(row),
        "outcome": outcome,
        "words": OUTCOMES.get(outcome, outcome),
        "reason": "" if reason is None else str(reason),
        "score": None if row.score is None else f"{row.score:.3f}",
        "bar": _share(row.score, top),
        "floor": _share(floor, top) if floor else None,
        "measure": "" if reason is None else _measure(outcome, reason.actual, reason.ceiling, explanation),
        "place": _place(row),
        **_texts(row, line),
    }


def _key(row: ExplainedRow) -> str:
    """Names a row from one question to the next, whatever its rank and outcome; empty where nobody may see it."""
    content: object = None if row.fragment is None else row.fragment.content
    if type(content) is not str:
        return ""
    identity = f"{row.contribution_id}\0{row.label}\0{content}"
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _share(value: float | None, top: float) -> float:
    """Percent of the width of a bar, in tenths."""
    return 0.0 if value is None else round(min(max(value / top, 0.0), 1.0) * 100, 1)


def _measure(outcome: str, actual: float | None, ceiling: float | None, explanation: Explanation) -> str:
    """The number that broke the rule and the one in force, with their unit; empty where there are none."""
    if actual is None or not math.isfinite(actual):
        return ""
    unit = "characters" if explanation.ceilings is None else explanation.ceilings.unit
    if outcome == "below-floor":
        return f"{actual:.3f} of at least {ceiling:.3f}" if ceiling is not None else f"{actual:.3f}"
    noun = unit if outcome in {"over-fragment", "over-total"} else "passages"
    if ceiling is None:
        return f"{actual:,} {noun}"
    return f"{actual:,} {noun}, at most {ceiling:,}"


def _place(row: ExplainedRow) -> str:
    """Heading and page, slide or sheet, in words."""
    told = [showable(row.heading)] if row.heading else []
    if row.slide is not None:
        told.append(f"slide {row.slide}")
    elif row.page is not None:
        told.append(f"page {row.page}")
    if row.sheet is not None:
        told.append(f"sheet {showable(row.sheet)}")
    return " · ".join(told)


def _texts(row: ExplainedRow, line: View | None) -> View:
    """A row's text as it is stored, with everything hygiene treats made visible, and as the prompt shows it."""
    content: object = None if row.fragment is None else row.fragment.content
    if type(content) is not str:
        return {"raw": [], "rendered": "", "changes": [], "changed": 0, "characters": 0, "unshown": 0}
    kept = content[:MOST_RAW_CHARS]
    inspection = inspect_text(kept)
    treated = dict(inspection.counts)
    treated |= {
        name: count
        for name, count in (
            ("marker", inspection.markers),
            ("delimiter", inspection.delimiters),
            ("control-token", inspection.control_tokens),
        )
        if count
    }
    changes = sorted((*inspection.changes, *inspection.places), key=lambda one: (one.start, -one.end))
    shown = kept if len(changes) <= MOST_CHANGES else kept[: changes[MOST_CHANGES].start]
    return {
        "raw": list(visible_changes(shown, changes[:MOST_CHANGES])),
        "rendered": line["text"] if line is not None else showable(kept),
        "changes": [f"{_KINDS.get(kind, kind.replace('-', ' '))}: {count:,}" for kind, count in treated.items()],
        "changed": sum(treated.values()),
        "characters": len(content),
        "unshown": len(content) - len(shown),
    }


def visible_changes(text: str, changes: Sequence[TextChange]) -> Iterator[View]:
    """A text in pieces: ``kind`` is empty for one that stays; ``found`` has the code points of one that does not."""
    place = 0
    for change in sorted(changes, key=lambda one: (one.start, -one.end)):
        if change.start < place:
            continue  # what two rules look at belongs to the first
        if change.start > place:
            yield _piece(text[place : change.start])
        becomes = showable(change.replacement) if change.replacement else "nothing"
        yield {
            "text": "",
            "kind": _KINDS.get(change.kind, change.kind.replace("-", " ")),
            "found": code_points(change.found, 4),
            "becomes": "a space" if becomes == " " else becomes,
        }
        place = change.end
    if place < len(text):
        yield _piece(text[place:])


def _piece(text: str) -> View:
    return {"text": text, "kind": "", "found": "", "becomes": ""}


# ------------------------------------------------------------------------------------------------------------ prompt


def prompt_blocks(answerable: Answerable, explanation: Explanation) -> list[View]:
    """The prompt in blocks by trust; joined, the texts of blocks, with the line feeds between them, are the prompt."""
    prompt = answerable.prompt
    found = [_note(prompt)] if prompt.note_end else []
    found += [
        _authored(prompt, block) if block.trusted else _untrusted(prompt, block, explanation) for block in prompt.blocks
    ]
    return found


def _note(prompt: CompiledPrompt) -> View:
    return {
        **_block("note", "Rules of this prompt", LAYER_LADDER[0].value, "written by this program"),
        "lines": [_line(prompt.authority_note)],
    }


def _authored(prompt: CompiledPrompt, block: PromptBlock) -> View:
    words = f"the operator's text, {block.tier.value}"
    text = prompt.text[block.start : block.end]
    return {**_block("authored", block.contribution_id, block.layer.value, words), "lines": [_line(text)]}


def _untrusted(prompt: CompiledPrompt, block: PromptBlock, explanation: Explanation) -> View:
    content = prompt.text[block.content_start : block.content_end].strip("\n")
    rows = [row for row in explanation.admitted if row.contribution_id == block.contribution_id]
    return {
        **_block("untrusted", block.contribution_id, block.layer.value, "untrusted data, never followed"),
        "opening": prompt.text[block.start : block.content_start].rstrip("\n"),
        "closing": prompt.text[block.content_end : block.end].lstrip("\n"),
        "lines": list(_matched(content.split("\n"), rows)),
    }


def _block(kind: str, name: str, layer: str, words: str) -> View:
    return {"kind": kind, "name": name, "layer": layer, "words": words, "opening": "", "closing": "", "lines": []}


def _matched(lines: Sequence[str], rows: Sequence[ExplainedRow]) -> Iterator[View]:
    """Each line, with the row it was made of; both stand in one order."""
    waiting = list(rows)
    exact = len(lines) == len(rows)
    for line in lines:
        head = _HEAD.match(line)
        place = 0 if exact and waiting else _place_of(line, waiting)
        row = waiting[place] if place is not None else None
        if place is not None:
            del waiting[: place + 1]
        cut = 0 if head is None else head.end()
        label, gap = ("", "") if head is None else head.groups()
        yield {**_line(line[cut:], rank=None if row is None else row.rank), "head": label, "gap": gap}


def _place_of(line: str, rows: Sequence[ExplainedRow]) -> int | None:
    return next((place for place, row in enumerate(rows) if line.startswith(f"SOURCE [{row.citation}]:")), None)


def _line(text: str, *, rank: int | None = None) -> View:
    anchors = {"anchor": None, "row": None} if rank is None else {"anchor": f"line-{rank}", "row": f"row-{rank}"}
    return {"head": "", "gap": "", "text": text, "rank": rank, **anchors}


def _lines(blocks: Sequence[View]) -> dict[int, View]:
    """Rank to the line that stands in the prompt."""
    return {line["rank"]: line for block in blocks for line in block["lines"] if line["rank"] is not None}


# ------------------------------------------------------------------------------------------------------------ layers


def layer_state(prompt: CompiledPrompt) -> str:
    """SHA-256 of each layer's own text, joined by dots: what the next view needs to tell which of them changed."""
    texts = prompt.layers
    return ".".join(hashlib.sha256(texts[layer].encode()).hexdigest() for layer in LAYER_LADDER)


def _layers(prompt: CompiledPrompt, state: str, previous: str) -> list[View]:
    texts = prompt.layers
    before = previous.split(".") if _DIGESTS.fullmatch(previous) else [None, None, None]
    digests = (prompt.digests.l0, prompt.digests.l1, prompt.digests.whole)
    told = zip(_LAYERS, LAYER_LADDER, state.split("."), before, digests, strict=True)
    return [
        {
            "name": name,
            "title": title,
            "words": words,
            "characters": len(texts[layer]),
            "digest": digest,
            "changed": "first" if earlier is None else "same" if earlier == own else "changed",
        }
        for (name, title, words), layer, own, earlier, digest in told
    ]


def _prefix(state: str, previous: str) -> str:
    """What a provider's cache of prefixes can still use, in words; empty for a first question."""
    if not _DIGESTS.fullmatch(previous):
        return ""
    same = [now == before for now, before in zip(state.split("."), previous.split("."), strict=True)]
    if all(same):
        return "Nothing changed: the prompt is the same to the byte."
    first = same.index(False)
    if not first:
        return "The authored prefix changed: no cached prefix can be used again."
    return f"Everything before {_LAYERS[first][0]} is the same to the byte, so a cached prefix can be used again."


# ------------------------------------------------------------------------------------------------------------ answer


def sources_view(answerable: Answerable) -> list[View]:
    """Every source that an answer may cite, in the order of the ledger, with the beginning of its text."""
    return [
        {"source": place, "anchor": f"source-{place}", "label": entry.label, "text": _beginning(entry.content)}
        for place, entry in enumerate(ledger_of(answerable))
    ]


def _beginning(text: str, most: int = 280) -> str:
    shown = showable(text[: most + 1])
    return shown if len(text) <= most else f"{shown[:most]}…"


def answer_spans(text: str, report: View, labels: Sequence[str], start: int = 0) -> list[View]:
    """The answer from ``start`` on in spans: plain text, and references with what they came to.

    Args:
        text: What was shown so far.
        report: ``report`` of the answer's view.
        labels: Labels of all sources, in the order of :func:`sources_view`.
        start: From which character on.
    """
    spans: list[View] = []
    place = start
    for offset, kind, name in _references(report):
        if offset < place:
            continue
        end = text.find("]", offset) + 1 or len(text)
        if offset > place:
            spans.append(_span("text", text[place:offset]))
        source = labels.index(name) if name in labels else None
        spans.append(_span(kind, text[offset:end], name, source))
        place = end
    if place < len(text):
        spans.append(_span("text", text[place:]))
    return spans


def _references(report: View) -> list[tuple[int, str, str]]:
    kinds = (("cited", "label"), ("unknown", "name"), ("ambiguous", "name"))
    found = [(offset, kind, item[name]) for kind, name in kinds for item in report[kind] for offset in item["offsets"]]
    return sorted(found)


def plain_span(text: str) -> View:
    """A span without a reference."""
    return _span("text", text)


def _span(kind: str, text: str, name: str = "", source: int | None = None) -> View:
    words = {"cited": "cited", "unknown": "invented", "ambiguous": "ambiguous"}
    return {"kind": words.get(kind, "text"), "text": text, "name": name, "source": source}


def report_rows(report: View) -> list[View]:
    """Every source of an answer with its verdict and how often it is named: invented ones first, unused ones last."""
    rows = [
        *(_verdict("invented", item["name"], item, "the prompt never showed it") for item in report["unknown"]),
        *(
            _verdict("ambiguous", item["name"], item, f"may mean {counted(len(item['labels']), 'passage')}")
            for item in report["ambiguous"]
        ),
        *(_verdict("cited", item["label"], item, "") for item in report["cited"]),
    ]
    unused = {"verdict": "unused", "count": 0, "note": ""}
    return [*rows, *({**unused, "label": label} for label in report["uncited"])]


def _verdict(verdict: str, label: str, item: View, note: str) -> View:
    return {"verdict": verdict, "label": label, "count": len(item["offsets"]) + item["omitted"], "note": note}


# --------------------------------------------------------------------------------------------------------- documents


def shelf_view(
    records: Sequence[DocumentRecord], *, writable: bool, removable: Callable[[str], bool] = lambda _: True
) -> View:
    """The page of documents; a form names one by its ``id``, for where a file lies is not for every reader.

    ``removable`` says of an origin whether the reader may remove what came from there.
    """
    told: list[View] = documents_view(records)["documents"]
    rows: list[dict[str, Any]] = [
        {
            **view,
            "id": document_id(record),
            "scope_words": scope_words(record.document.scope_path),
            "removable": writable and removable(record.document.origin),
        }
        for view, record in zip(told, records, strict=True)
    ]
    return {"documents": rows, "passages": sum(record.chunks for record in records), "writable": writable}


def document_id(record: DocumentRecord) -> str:
    """32 hex digits that name a stored document and tell nothing of where it came from."""
    identity = f"{record.document.scope_path}\0{record.document.origin}"
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def scope_words(scope_path: str) -> str:
    """A scope for people."""
    return " ".join(scope_view(scope_path)) or "everybody"
