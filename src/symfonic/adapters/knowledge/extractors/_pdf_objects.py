"""Which text of a PDF page no reader sees.

Rules of this module: with ``pdf`` the only one that knows pypdfium2, and it looks at objects of a page, never at its
picture. What is told is told surely: text in the invisible mode where no picture lies behind it (text found in a scan
lies invisible over the picture of it, and is wanted), of no opacity, of next to no size, outside the page, and white
text where nothing was drawn behind it. What lies within a form is judged by its mode, opacity and size alone.

Known and not told: text below something opaque, cut off by a clip path, in a layer that is switched off, in the colour
of anything but the blank page, and ``/ActualText`` that says other words than its glyphs.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from symfonic.adapters.knowledge.extractors._omissions import Omissions

__all__ = ["remove_unseen"]

_UNSEEN_MODES: Final = frozenset({3, 7})
_FILLED: Final = 0
_SMALLEST: Final = 0.7
"""Points; print has six or more."""
_WHITE: Final = 250
_MOST_COMPARISONS: Final = 5_000_000
_MOST_DEPTH: Final = 10
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Piece:
    """An object of a page, with the form it lies in and how large that is shown."""

    raw: Any
    kind: int
    form: Any
    scale: float


def remove_unseen(page: Any, omissions: Omissions) -> None:
    """Take text no reader sees off a page, and count it.

    Args:
        page: Of pypdfium2; only what is read of it afterwards is changed, never the file.
        omissions: Counts what is taken off.
    """
    import pypdfium2.raw as pdfium

    unseen = list(_unseen(page, list(_pieces(page))))
    if not unseen:
        return
    text_page = page.get_textpage()
    for piece, why in unseen:
        omissions.add(why, _text(piece.raw, text_page))
    text_page.close()
    for piece, _ in unseen:
        if piece.form is None:
            removed = pdfium.FPDFPage_RemoveObject(page, piece.raw)
        else:
            removed = pdfium.FPDFFormObj_RemoveObject(piece.form, piece.raw)
        if removed:
            pdfium.FPDFPageObj_Destroy(piece.raw)


def _pieces(page: Any) -> Iterator[_Piece]:
    import pypdfium2.raw as pdfium

    for place in range(pdfium.FPDFPage_CountObjects(page)):
        raw = pdfium.FPDFPage_GetObject(page, place)
        yield from _opened(_Piece(raw, pdfium.FPDFPageObj_GetType(raw), None, _scale(raw)), 0)


def _opened(piece: _Piece, depth: int) -> Iterator[_Piece]:
    import pypdfium2.raw as pdfium

    yield piece
    if piece.kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MOST_DEPTH:
        for place in range(pdfium.FPDFFormObj_CountObjects(piece.raw)):
            raw = pdfium.FPDFFormObj_GetObject(piece.raw, place)
            inner = _Piece(raw, pdfium.FPDFPageObj_GetType(raw), piece.raw, piece.scale * _scale(raw))
            yield from _opened(inner, depth + 1)


def _scale(raw: Any) -> float:
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(raw, matrix):
        return 1.0
    return math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


# ----------------------------------------------------------------------------------------------------------- judging


def _unseen(page: Any, pieces: list[_Piece]) -> Iterator[tuple[_Piece, str]]:
    import pypdfium2.raw as pdfium

    shown = page.get_cropbox()
    drawn: list[_Box] = []
    pictures = [box for piece in pieces if piece.kind == pdfium.FPDF_PAGEOBJ_IMAGE and (box := _box(piece.raw))]
    # Pictures within forms have other coordinates; where there are some, invisible text is taken for what a scan says.
    scanned = any(piece.form is not None and piece.kind == pdfium.FPDF_PAGEOBJ_IMAGE for piece in pieces)
    left = _MOST_COMPARISONS
    for piece in pieces:
        if piece.kind != pdfium.FPDF_PAGEOBJ_TEXT:
            if piece.form is None and (box := _box(piece.raw)):
                drawn.append(box)
            continue
        left -= len(drawn) + len(pictures)
        # Past so many comparisons anything may lie behind a text; how it is written itself still counts.
        behind = (drawn, pictures) if left > 0 else ([shown], [shown])
        if why := _why(piece, shown, *behind, scanned=scanned):
            yield piece, why


def _why(piece: _Piece, shown: _Box, drawn: list[_Box], pictures: list[_Box], *, scanned: bool) -> str:
    import pypdfium2.raw as pdfium

    box = _box(piece.raw)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(piece.raw)
    if mode in _UNSEEN_MODES:
        behind = scanned or piece.form is not None or (box and any(_meet(box, picture) for picture in pictures))
        return "" if behind else "hidden"
    if _is_tiny(piece, box):
        return "size"
    if mode == _FILLED and (colour := _fill(piece.raw)):
        if not colour[3]:
            return "transparent"
        if piece.form is None and box and min(colour[:3]) >= _WHITE and not any(_meet(box, other) for other in drawn):
            return "colour"
    return "place" if piece.form is None and box and not _meet(box, shown) else ""


def _is_tiny(piece: _Piece, box: _Box | None) -> bool:
    import pypdfium2.raw as pdfium

    size = ctypes.c_float()
    if not box or not pdfium.FPDFTextObj_GetFontSize(piece.raw, size):
        return False
    # A font may be drawn far larger than it says, so what it comes to has to be small as well.
    drawn = max(box[2] - box[0], box[3] - box[1]) if piece.form is None else 0.0
    return abs(size.value) * piece.scale < _SMALLEST and min(box[2] - box[0], box[3] - box[1], drawn) < _SMALLEST


def _box(raw: Any) -> _Box | None:
    """Left, bottom, right, top; ``None`` for what takes no room, such as spaces."""
    import pypdfium2.raw as pdfium

    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(raw, *sides):
        return None
    left, bottom, right, top = (side.value for side in sides)
    return (left, bottom, right, top) if right > left or top > bottom else None


def _fill(raw: Any) -> tuple[int, int, int, int] | None:
    import pypdfium2.raw as pdfium

    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(raw, *parts):
        return None
    red, green, blue, opacity = (part.value for part in parts)
    return red, green, blue, opacity


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _text(raw: Any, text_page: Any) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDFTextObj_GetText(raw, text_page, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFTextObj_GetText(raw, text_page, ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")
