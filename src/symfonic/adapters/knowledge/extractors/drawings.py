"""DrawingML: the text of shapes, and of charts and diagrams that stand in parts of their own.

Rules of this module: it is the same in documents and presentations, and knows neither. A chart is written as the table
of its cached numbers, a diagram as a list of its nodes. Each such part is written once, however often it is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from symfonic.adapters.knowledge.extractors.blocks import number_text
from symfonic.adapters.knowledge.extractors.formulas import FORMULAS, linear
from symfonic.adapters.knowledge.extractors.opc import ALTERNATIVES, RELATIONS, chosen
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from symfonic.adapters.knowledge.extractors.opc import Package, Relation

__all__ = ["GRAPHICS", "MAX_CHART_CELLS", "A", "Drawings", "paragraph_text"]

_BASE: Final = "{http://schemas.openxmlformats.org/drawingml/2006/"
A: Final = f"{_BASE}main}}"
"""Namespace of DrawingML, as lxml writes it before names."""

_CHARTS: Final = f"{_BASE}chart}}"
_DIAGRAMS: Final = f"{_BASE}diagram}}"
_CHART: Final = f"{_CHARTS}chart"
_DIAGRAM: Final = f"{_DIAGRAMS}relIds"
GRAPHICS: Final = frozenset({_CHART, _DIAGRAM})
"""Elements that stand for a chart or a diagram in a part of its own."""

MAX_CHART_CELLS: Final = 1_000_000
"""Cells the table of a chart may have, empty ones included."""

_UNSEEN_POINTS: Final = frozenset({"doc", "pres", "parTrans", "sibTrans"})
_LONGEST_NUMBER: Final = 40


class _Sink(Protocol):
    def paragraph(self, text: str) -> None: ...

    def item(self, text: str, *, marker: str) -> None: ...

    def row(self, cells: Iterable[str]) -> None: ...

    def part(self) -> None: ...


class Drawings:
    """Charts and diagrams of a package.

    Args:
        package: The file.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._written: set[str] = set()

    def write(self, element: Any, relations: Mapping[str, Relation], sink: _Sink) -> None:
        """Write the text of one of :data:`GRAPHICS`; nothing where its part is missing.

        Args:
            element: As it stands in a document or on a slide.
            relations: Those of the part it stands in.
            sink: Where blocks go.
        """
        relation = relations.get(element.get(f"{RELATIONS}{'id' if element.tag == _CHART else 'dm'}", ""))
        if relation is None or relation.target not in self._package or relation.target.lower() in self._written:
            return
        self._written.add(relation.target.lower())
        root = self._package.root(relation.target)
        sink.part()
        if element.tag == _CHART:
            _write_chart(root, sink, self._package.name)
        else:
            for text in _nodes(root):
                sink.item(text, marker="-")
        sink.part()


def paragraph_text(paragraph: Any) -> str:
    """The text of an ``a:p``; line breaks are line feeds."""
    text: list[str] = []
    for child in paragraph:
        tag = child.tag
        if tag in {f"{A}r", f"{A}fld"}:
            text.append(child.findtext(f"{A}t") or "")
        elif tag == f"{A}br":
            text.append("\n")
        elif tag == ALTERNATIVES:
            branch = chosen(child)
            text.append("" if branch is None else paragraph_text(branch))
        elif tag in FORMULAS:
            text.append(linear(child))
    return "".join(text)


def _number(text: str) -> str:
    """A cached number as people write it; anything else stays as it is."""
    try:
        return number_text(float(text)) if len(text) <= _LONGEST_NUMBER else text
    except ValueError:
        return text


def _nodes(root: Any) -> Iterable[str]:
    for point in root.iter(f"{_DIAGRAMS}pt"):
        if point.get("type", "node") not in _UNSEEN_POINTS:
            texts = [paragraph_text(paragraph) for paragraph in point.iterfind(f"{_DIAGRAMS}t/{A}p")]
            yield " ".join(text for text in texts if text)


# ------------------------------------------------------------------------------------------------------------ charts


def _write_chart(root: Any, sink: _Sink, name: str) -> None:
    chart = root.find(_CHART)
    if chart is None:
        return
    title = chart.find(f"{_CHARTS}title")
    if title is not None:
        sink.paragraph(" ".join(paragraph_text(paragraph) for paragraph in title.iter(f"{A}p")))
    series = list(chart.iter(f"{_CHARTS}ser"))
    names = [" ".join(_points(one, "tx").values()) for one in series]
    values = [_points(one, "val", "yVal") for one in series]
    categories = {place: text for one in reversed(series) for place, text in _points(one, "cat", "xVal").items()}
    places = sorted(categories.keys() | {place for one in values for place in one})
    if len(places) * len(series) > MAX_CHART_CELLS:
        message = f"{name} has a chart of more than {MAX_CHART_CELLS:,} numbers, so nothing of it is used; split it."
        raise ExtractionError(message, code="limit", limit="members")
    if any(names):
        sink.row(["", *names])
    for place in places:
        sink.row([categories.get(place, ""), *(one.get(place, "") for one in values)])


def _points(series: Any, *names: str) -> dict[int, str]:
    """Cached values of a series by their place."""
    found: dict[int, str] = {}
    for name in names:
        for source in series.iterchildren(f"{_CHARTS}{name}"):
            for point in source.iter(f"{_CHARTS}pt"):
                place = point.get("idx", "")
                if place.isascii() and place.isdigit() and len(place) < 10:
                    found.setdefault(int(place), _number(point.findtext(f"{_CHARTS}v") or ""))
            if not found and (text := source.findtext(f"{_CHARTS}v")):
                found[0] = text
    return found
