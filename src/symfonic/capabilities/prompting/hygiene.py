"""Text hygiene of the compiler, for whoever shows what becomes of a text between its delimiters.

Rules of this module: the public door to the two neutralisers of untrusted blocks, and to the places they look at. It
holds no rule of its own; they stand in the private modules below. All take text that was cleaned before; what the
neutralisers answer they leave alone.
"""

from __future__ import annotations

from ._text import control_token_places, delimiter_places, neutralise_control_tokens, neutralise_delimiters

__all__ = ["control_token_places", "delimiter_places", "neutralise_control_tokens", "neutralise_delimiters"]
