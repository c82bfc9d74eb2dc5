"""Drawings as PNG: a picture with its texts, or one error that says what is missing."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from symfonic.adapters.knowledge.pictures import png
from symfonic.adapters.knowledge.pictures.png import png_of
from symfonic.adapters.knowledge.ports import AdapterError

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="5"><rect width="9" height="5" fill="#f00"/></svg>'


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_drawing_becomes_a_picture_of_its_size() -> None:
    """Twice as many pixels as units; the header says so."""
    data = png_of(DRAWING)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (18, 10)


def test_what_is_no_drawing_is_refused() -> None:
    """Nothing of the library passes through."""
    with pytest.raises(AdapterError, match="could not be read as such"):
        png_of("<svg")


@pytest.mark.requirement("KB-EVAL-CHART-1")
def test_a_machine_without_fonts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture whose labels are all missing is no picture."""
    import resvg_py

    real = resvg_py.svg_to_bytes
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **words: real(skip_system_fonts=True, **words))
    with pytest.raises(AdapterError, match="install a font such as DejaVu Sans"):
        png_of(DRAWING.replace("</svg>", "<text x='1' y='4'>a</text></svg>"))
    assert png_of(DRAWING).startswith(b"\x89PNG")


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the way without it."""
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **words: Any) -> Any:
        if name == "resvg_py":
            raise ImportError(name)
        return real(name, *rest, **words)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(AdapterError, match=r"install symfonic-knowledge\[eval\], or write an \.svg"):
        png.png_of(DRAWING)
