"""Plain text: decoded, otherwise left as it is.

Rules of this module: standard library only; it looks for no structure.
"""

from __future__ import annotations

from symfonic.adapters.knowledge.extractors.characters import WHITE_SPACE
from symfonic.adapters.knowledge.extractors.charsets import detector_release
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.ports import Extraction, ExtractionError, Section

__all__ = ["PlainTextExtractor", "require_text"]


class PlainTextExtractor:
    """Reads text files."""

    @property
    def version(self) -> str:
        """What decides the text besides the bytes: our rules and the detector's release."""
        return f"2 {detector_release()}"

    def extract(self, data: bytes, *, name: str) -> Extraction:
        """Return the decoded text as one section.

        Raises:
            ExtractionError: ``binary`` where the bytes are no text, ``empty`` where they show nothing.
        """
        text = require_text(decode_text(data, name=name), name=name)
        return Extraction(kind="text", sections=(Section(text=text),))


def require_text(text: str, *, name: str) -> str:
    """Return ``text`` unless it is only white space.

    Raises:
        ExtractionError: ``empty``.
    """
    if not text.strip(WHITE_SPACE):
        message = f"{name} holds no text, so nothing of it can be found; there is nothing to do unless it should."
        raise ExtractionError(message, code="empty")
    return text
