"""An evaluation as a picture.

Rules of this module: it draws what was measured and computes nothing; the drawing is SVG of its own, a PNG is made of
it by an adapter. Equal evaluations give equal bytes. Every bar has its number beside it, so no colour carries meaning
alone; a reader who prefers dark gets light marks on dark, where whoever shows the SVG heeds that wish.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import AdapterError

from ._line_files import require_path
from ._ranked import ADMITTED, NOT_RETRIEVED, NOT_STORED
from .comparisons import Estimate
from .errors import InputError, MissingExtraError, type_name
from .evaluation import Evaluation
from .explanation import require_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["chart_path", "evaluation_chart", "write_chart"]

_WIDTH: Final = 760
_LEFT: Final = 220
_SCALE: Final = 320
_BAR: Final = 18
_STEP: Final = 28
_TICKS: Final = (0, 0.25, 0.5, 0.75, 1)
_CHANGES: Final = (-1, -0.5, 0, 0.5, 1)
_NAME_CHARS: Final = 72
_OUTSIDE: Final = {NOT_RETRIEVED, NOT_STORED}
"""How a document ends that no ceiling holds back."""

_STYLE: Final = """\
text { font-family: system-ui, 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif; font-size: 13px; fill: #1f2430;
  paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
.title { font-size: 17px; font-weight: bold } .head { font-weight: bold } .note { fill: #596273 }
.page { fill: #ffffff } .grid { stroke: #d5dae2; stroke-width: 1 } .whisker { stroke: #1f2430; stroke-width: 1.5 }
.measure { fill: #3b76b5 } .kept { fill: #2f8f63 } .gone { fill: #c7742b } .outside { fill: #8a93a3 }
@media (prefers-color-scheme: dark) {
text { fill: #e8ebf0; stroke: #14181f } .note { fill: #a5aebd } .page { fill: #14181f } .grid { stroke: #343b47 }
.whisker { stroke: #e8ebf0 } .measure { fill: #6ba6e6 } .kept { fill: #55b98a } .gone { fill: #e39a55 }
.outside { fill: #7d8696 }
}
"""


def evaluation_chart(
    evaluation: Evaluation,
    *,
    title: str = "Retrieval on judged queries",
    differences: Mapping[str, Estimate] | None = None,
    compared: str = "another run",
) -> str:
    """Draw an evaluation as SVG: every measure with its interval, and how all relevant documents ended.

    Ceilings that hold nothing back are left out.

    Args:
        evaluation: What was measured.
        title: Stands above it.
        differences: Those to another run, as :func:`paired_differences` answers them; drawn where there are any.
        compared: Names that run.

    Raises:
        InputError: ``evaluation``, ``title``, ``differences`` or ``compared`` is none.
    """
    _require_drawable(evaluation, title, differences, compared)
    canvas = _Canvas(title)
    canvas.note(
        f"{evaluation.queries:,} queries, {evaluation.documents:,} documents, {evaluation.passages:,} passages; "
        "whiskers: 95 % bootstrap interval"
    )
    canvas.note(f"found by {_way(evaluation)}")
    canvas.head("Ranking, whole")
    canvas.estimates(evaluation.metrics.items(), "measure")
    canvas.axis()
    boundary = evaluation.boundary
    limit = boundary.ceilings.limit
    admitted = boundary.admitted["recall"]
    canvas.head(f"Recall: first {limit} rows of the store, rows of a prompt, and with one ceiling lifted")
    canvas.estimates([(f"store, first {limit}", boundary.raw["recall"])], "outside")
    canvas.estimates([("prompt", admitted)], "kept")
    lifted = ((name, found) for name, found in boundary.lifted.items() if _holds_back(found, admitted))
    canvas.estimates(((f"without {name}", found) for name, found in lifted), "gone")
    canvas.axis()
    canvas.head("How all relevant documents ended, in shares")
    canvas.shares(boundary.relevant)
    canvas.axis()
    if differences:
        canvas.head(f"Change against {_shortened(compared)}")
        canvas.changes(differences)
        canvas.axis(_CHANGES)
    return canvas.svg()


def _require_drawable(evaluation: object, title: object, differences: object, compared: object) -> None:
    require_kind("what is drawn", "an Evaluation", evaluation, Evaluation)
    require_kind("a title", "a text", title, str)
    require_kind("the name of another run", "a text", compared, str)
    sound = isinstance(differences, Mapping) and all(
        isinstance(name, str) and isinstance(found, Estimate) for name, found in differences.items()
    )
    if differences is not None and not sound:
        raise InputError(
            f"differences are a mapping of measures to an Estimate each; {type_name(differences)} was given and "
            "nothing was drawn; pass what paired_differences answers, or None"
        )


def _way(evaluation: Evaluation) -> str:
    """What found the passages, as the command says it."""
    return "words alone" if evaluation.embedder is None else f"words and {_shortened(evaluation.embedder)}"


def _shortened(name: str) -> str:
    """As much of a name as stands in one line of the picture, and nothing that no text of a picture may hold."""
    shown = _printable(name)
    return shown if len(shown) <= _NAME_CHARS else f"{shown[: _NAME_CHARS - 1]}…"


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "\ufffd" for character in text)


def _holds_back(lifted: Estimate, admitted: Estimate) -> bool:
    """Whether lifting a ceiling changes the recall, as far as it is shown."""
    return round(lifted.value, 6) != round(admitted.value, 6)


def write_chart(
    path: str | os.PathLike[str],
    evaluation: Evaluation,
    *,
    differences: Mapping[str, Estimate] | None = None,
    compared: str = "another run",
) -> None:
    """Write the picture of an evaluation to a file ending in ``.svg`` or ``.png``; a file there is replaced.

    ``differences`` and ``compared`` are those of :func:`evaluation_chart`.

    Raises:
        InputError: Another ending, the file cannot be written, no font is installed for a PNG, or as
            :func:`evaluation_chart`.
        MissingExtraError: A PNG is wanted and resvg-py is not installed.
    """
    place = chart_path(path)
    drawing = evaluation_chart(evaluation, differences=differences, compared=compared)
    data = drawing.encode() if place.suffix.lower() == ".svg" else _png(drawing)
    try:
        place.write_bytes(data)
    except OSError as error:
        raise InputError(
            f"a chart is written to a file; {place} could not be written ({error.strerror}); check the path"
        ) from error


def chart_path(path: str | os.PathLike[str]) -> Path:
    """The path of a chart, if it can be one; to be asked before anything is measured."""
    place = Path(require_path(path))
    if place.suffix.lower() not in {".svg", ".png"}:
        raise InputError(
            f"a chart is an .svg or a .png; {os.fspath(path)!a} ends otherwise and nothing was drawn; choose one"
        )
    if not place.parent.is_dir():
        raise InputError(
            f"a chart is written to a file in a folder that exists; {str(place.parent)!a} is none and nothing was "
            "drawn; make it, or name another"
        )
    return place


def _png(drawing: str) -> bytes:
    from symfonic.adapters.knowledge.pictures.png import png_of

    try:
        return png_of(drawing)
    except AdapterError as error:
        if isinstance(error.__cause__, ImportError):
            raise MissingExtraError(str(error)) from error
        raise InputError(str(error)) from error


def _at(place: float, ticks: Sequence[float]) -> float:
    """Where a tick of an axis stands."""
    return _LEFT + (place - ticks[0]) / (ticks[-1] - ticks[0]) * _SCALE


def _unsigned(number: float) -> float:
    """Three decimals; a zero has no sign."""
    return round(number, 3) + 0.0


class _Canvas:
    """Rows of bars below each other."""

    def __init__(self, title: str) -> None:
        self._title = _printable(title)
        self._parts: list[str] = []
        self._y = 32
        self._text(20, self._title, "title")
        self._y += 22

    def note(self, words: str) -> None:
        self._text(20, words, "note")
        self._y += 18

    def head(self, words: str) -> None:
        self._y += 24
        self._text(20, words, "head")
        self._y += 12

    def estimates(self, rows: Iterable[tuple[str, Estimate]], kind: str) -> None:
        for name, found in rows:
            shown = f"{found.value:.3f}"
            end = found.value
            if found.interval is not None:
                shown += f"  [{found.interval[0]:.3f}, {found.interval[1]:.3f}]"
                end = found.interval[1]
            self._bar(name, found.value, kind, shown, end)
            if found.interval is not None:
                self._whisker(*found.interval)
            self._y += _STEP

    def changes(self, rows: Mapping[str, Estimate]) -> None:
        """Bars to the left and to the right of a middle, from -1 to 1."""
        middle = _LEFT + _SCALE / 2
        for name, found in rows.items():
            value, shown = _unsigned(found.value), f"{_unsigned(found.value):+.3f}"
            low, high = found.interval or (value, value)
            if found.interval is not None:
                shown += f"  [{_unsigned(low):+.3f}, {_unsigned(high):+.3f}]"
            left, end = middle + min(0.0, value) * _SCALE / 2, (1 + max(0.0, value, high)) / 2
            self._row(name, shown, end, _CHANGES)
            self._rect("measure", left, abs(value) / 2)
            if found.interval is not None:
                self._whisker((1 + low) / 2, (1 + high) / 2)
            self._y += _STEP

    def axis(self, ticks: Sequence[float] = _TICKS) -> None:
        for place in ticks:
            at = f'x="{_at(place, ticks):g}" y="{self._y + 10}"'
            self._parts.append(f'<text class="note" {at} text-anchor="middle">{place:g}</text>')
        self._y += 16

    def shares(self, rows: Mapping[str, float]) -> None:
        order = sorted(rows, key=lambda code: (code != ADMITTED, code in _OUTSIDE, code))
        for code in order:
            kind = "kept" if code == ADMITTED else "outside" if code in _OUTSIDE else "gone"
            self._bar(code, rows[code], kind, f"{100 * rows[code]:.1f} %", rows[code])
            self._y += _STEP

    def svg(self) -> str:
        height = self._y + 8
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
            f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(self._title)}">'
        )
        page = f'<rect class="page" width="{_WIDTH}" height="{height}"/>'
        return "\n".join([head, f"<style>\n{_STYLE}</style>", page, *self._parts, "</svg>"]) + "\n"

    def _bar(self, name: str, value: float, kind: str, shown: str, end: float) -> None:
        """One row; the number stands behind whatever reaches furthest."""
        self._row(name, shown, end, _TICKS)
        self._rect(kind, _LEFT, value)

    def _row(self, name: str, shown: str, end: float, ticks: Sequence[float]) -> None:
        top, base = self._y, self._y + _BAR - 4
        for place in ticks:
            x = _at(place, ticks)
            self._parts.append(f'<line class="grid" x1="{x:g}" y1="{top - 5}" x2="{x:g}" y2="{top + _BAR + 5}"/>')
        self._parts.append(f'<text x="{_LEFT - 10}" y="{base}" text-anchor="end">{escape(_printable(name))}</text>')
        self._parts.append(f'<text x="{_LEFT + end * _SCALE + 8:.2f}" y="{base}">{escape(shown)}</text>')

    def _rect(self, kind: str, left: float, length: float) -> None:
        self._parts.append(
            f'<rect class="{kind}" x="{left:g}" y="{self._y}" width="{length * _SCALE:.2f}" height="{_BAR}" rx="2"/>'
        )

    def _whisker(self, low: float, high: float) -> None:
        middle = self._y + _BAR / 2
        left, right = _LEFT + low * _SCALE, _LEFT + high * _SCALE
        path = f"M{left:.2f} {middle - 5:g}V{middle + 5:g}M{left:.2f} {middle:g}H{right:.2f}M{right:.2f} {middle - 5:g}"
        self._parts.append(f'<path class="whisker" fill="none" d="{path}V{middle + 5:g}"/>')

    def _text(self, x: int, words: str, kind: str) -> None:
        self._parts.append(f'<text class="{kind}" x="{x}" y="{self._y}">{escape(words)}</text>')
