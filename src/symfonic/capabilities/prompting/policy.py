"""How one deployment wants its prompts rendered: ceilings, key, datamarking.

Rules of this module: one value and the refusals of its constructor. It must not know contributions, reads or where a
key comes from; the composition root hands the key in.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Final

from .contracts import exact_text, is_text
from .errors import PromptContractError

__all__ = ["MIN_KEY_BYTES", "RenderPolicy"]

MIN_KEY_BYTES: Final = 16
"""Shortest delimiter key, in bytes."""

_FINGERPRINT_DOMAIN: Final = b"symfonic-knowledge/prompting/key-fingerprint/v1"

# Literal ranges, not Unicode categories: the interpreters in use know different versions of the character database, and
# the same policy must be legal on all of them. Left out on purpose: letters, digits, quotes, brackets, angles and what
# looks like them, the bar and the slash (`<|token|>`, `</name`), the backtick, the dotted circle that goes before a
# leading combining mark, and whatever a normal form turns into a space.
_DATAMARK_RANGES: Final = (
    *((ord(mark), ord(mark)) for mark in "!#$%&*+,-.:;=?@^_~¡¢£¤¥¦§©¬®°±¶·×÷ˆ•‣‰‱※"),
    (0x2020, 0x2021),  # daggers
    (0x2190, 0x2199),  # arrows; not the struck-through ones, which come apart into a combining stroke
    (0x21D0, 0x21FF),
    (0x2500, 0x25CB),  # box drawing, blocks, geometric shapes up to the dotted circle
    (0x25CD, 0x25FF),  # geometric shapes after it
    (0xE000, 0xF8FF),  # private use
    (0xF0000, 0xFFFFD),
    (0x100000, 0x10FFFD),
)


@dataclass(frozen=True, slots=True)
class RenderPolicy:
    """Ceilings and switches of the compiler.

    Attributes:
        max_learned_chars: Characters one learned read may have, counted on the text as the source gave it; a longer one
            is dropped whole with a diagnostic, never cut.
        max_prompt_chars: Characters the whole prompt may have, authority note and separators included; ``None`` sets
            no ceiling.
        delimiter_key: Secret of the deployment, at least 16 bytes, that keys the tags of untrusted blocks. Without it
            the tags are plain SHA-256: an author can then compute the tag of any text, though still not embed it in
            that same text. A constant key keeps tags the same from turn to turn, which a provider's prefix cache needs.
        datamark: One character that joins the words of untrusted text (datamarking, "spotlighting",
            arXiv 2403.14720), or ``None``. A printable mark or a private-use character; the ranges are literal.
        neutralise_sentence_tokens: Whether ``<s>`` and ``</s>`` count as control tokens. Off by default, because in
            HTML they are ordinary markup; turn it on in front of a local tokenizer that parses them.

    Raises:
        PromptContractError: A ceiling that is negative or no plain ``int``, a key that is not ``bytes`` or too short, a
            datamark outside the allowed ranges, or a switch that is not ``bool``.
    """

    max_learned_chars: int = 500
    max_prompt_chars: int | None = None
    delimiter_key: bytes | None = field(default=None, repr=False, compare=False)
    datamark: str | None = None
    neutralise_sentence_tokens: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _require_ceiling("max_learned_chars", self.max_learned_chars)
        if self.max_prompt_chars is not None:
            _require_ceiling("max_prompt_chars", self.max_prompt_chars)
        if self.delimiter_key is not None:
            _require_key(self.delimiter_key)
        if self.datamark is not None:
            object.__setattr__(self, "datamark", _required_datamark(self.datamark))
        if type(self.neutralise_sentence_tokens) is not bool:
            raise PromptContractError(
                "neutralise_sentence_tokens must be exactly True or False: a truthy value would switch a defence by "
                "accident. Pass a bool.",
                rule="PR-POL-BOOL-1",
                value=self.neutralise_sentence_tokens,
            )

    @property
    def key_fingerprint(self) -> str:
        """Return 16 hex digits that tell keys apart without telling the key; empty without a key."""
        if self.delimiter_key is None:
            return ""
        return hmac.new(self.delimiter_key, _FINGERPRINT_DOMAIN, hashlib.sha256).hexdigest()[:16]


def _require_ceiling(name: str, value: object) -> None:
    if type(value) is not int or value < 0:
        raise PromptContractError(
            f"{name} must be a plain int of at least 0: a ceiling that does not compare would admit anything. "
            "Give a number of characters.",
            rule="PR-POL-CEILING-1",
            value=value,
        )


def _require_key(key: object) -> None:
    if type(key) is not bytes or len(key) < MIN_KEY_BYTES:
        # The offending value stays out of the error: it may be most of a secret.
        raise PromptContractError(
            f"delimiter_key must be bytes, at least {MIN_KEY_BYTES} of them: a short key can be guessed, and then the "
            "delimiters can be forged. Take 32 bytes from a cryptographic source and keep them.",
            rule="PR-POL-KEY-1",
        )


def _required_datamark(mark: object) -> str:
    text = exact_text(mark) if isinstance(mark, str) and is_text(mark) else ""
    if len(text) == 1 and any(first <= ord(text) <= last for first, last in _DATAMARK_RANGES):
        return text
    raise PromptContractError(
        "datamark must be one printable mark or private-use character, and none that reads as a letter, digit, space, "
        "quote, bracket, angle, bar or slash: it could forge the very structure it protects. Take '^' or '\\ue000'.",
        rule="PR-POL-DATAMARK-1",
        value=mark,
    )
