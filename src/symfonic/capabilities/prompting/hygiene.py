"""Text hygiene of the compiler, for whoever shows what becomes of a text between its delimiters.

Rules of this module: the public door to the two neutralisers of untrusted blocks. It holds no rule of its own; they
stand in the private modules below. Both take text that was cleaned before, answer it with a number, and are idempotent.
"""

from __future__ import annotations

from ._text import neutralise_control_tokens, neutralise_delimiters

__all__ = ["neutralise_control_tokens", "neutralise_delimiters"]
