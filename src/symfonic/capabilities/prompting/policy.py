"""How one deployment wants its prompts rendered: ceilings, key, datamarking.

Rules of this module: one value and the refusals of its constructor. It must not know contributions, reads or where a
key comes from; the composition root hands the key in.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from ._counting import counted
from ._text import is_private_use
from .contracts import exact_text, is_text
from .errors import PromptContractError

__all__ = ["MIN_KEY_BYTES", "RenderPolicy"]

MIN_KEY_BYTES: Final = 16
"""Shortest delimiter key, in bytes."""

_FINGERPRINT_DOMAIN: Final = b"symfonic-knowledge/prompting/key-fingerprint/v1"

# A mark that stands in a text is replaced there, visibly, so only characters may mark that a text next to never has.
# Private use means nothing outside one organisation. The circumflex and its modifier letter are the mark of the
# published measurement (arXiv 2403.14720); the asterism is a visible one that no formula and no program uses.
_VISIBLE_DATAMARKS: Final = "^\u02c6\u2042"


@dataclass(frozen=True, slots=True)
class RenderPolicy:
    """Ceilings and switches of the compiler. Sizes are characters, or tokens where there is a counter.

    Attributes:
        max_learned_chars: Characters one learned read may have, counted on the text as the source gave it; a longer one
            is dropped whole with a diagnostic, never cut. The default is for notes; set it to at least the total
            ceiling of a retrieval, or what lies between the two is retrieved and then dropped.
        max_prompt_chars: Characters the whole prompt may have, authority note and separators included; ``None`` sets
            no ceiling.
        delimiter_key: Secret of the deployment, at least 16 bytes, that keys the tags of untrusted blocks. Without it
            the tags are plain SHA-256: an author can then compute the tag of any text, though still not embed it in
            that same text. A constant key keeps tags the same from turn to turn, which a provider's prefix cache needs.
        datamark: One character that joins the words of untrusted text (datamarking, "spotlighting",
            arXiv 2403.14720), or ``None``. A private-use character, ``^``, ``ˆ`` (U+02C6) or ``⁂`` (U+2042). Where the
            mark itself stands in untrusted text it is replaced by U+FFFD and counted, which damages ``2^10``;
            prefer private use, such as U+E000, which hardly any text has.
        neutralise_sentence_tokens: Whether ``<s>`` and ``</s>`` count as control tokens. Off by default, because in
            HTML they are ordinary markup; turn it on in front of a local tokenizer that parses them.
        fail_closed: Always ``True``: authored text that cannot be read fails the compile with a
            :class:`~symfonic.capabilities.prompting.HydrationError`. The field names the rule where a deployment is
            configured and makes it part of the comparison; ``False`` is refused, for a prompt without the operator's
            text is no smaller prompt but another application.
        count: Counts the tokens of a text; ``None`` counts characters. Both ceilings are then in its unit, and hold for
            what it says of a read as the source gave it and of the whole prompt as it is joined, however it counts.
            Above 1,000 characters for each token of its ceiling a learned read is over it uncounted. A prompt over its
            ceiling is counted again after each block that leaves. What the counter raises, and an answer that is no
            plain int of at least 0, is a :class:`~symfonic.capabilities.prompting.CounterError` of the compile. Takes
            no part in ``repr`` and comparison.

    Raises:
        PromptContractError: A ceiling that is negative or no plain ``int``, a key that is not ``bytes`` or too short, a
            datamark that is none of the allowed characters, a switch that is not ``bool``, ``fail_closed`` that is not
            ``True``, or a counter that cannot be called.
    """

    max_learned_chars: int = 500
    max_prompt_chars: int | None = None
    delimiter_key: bytes | None = field(default=None, repr=False, compare=False)
    datamark: str | None = None
    neutralise_sentence_tokens: bool = field(default=False, kw_only=True)
    fail_closed: Literal[True] = field(default=True, kw_only=True)
    count: Callable[[str], int] | None = field(default=None, kw_only=True, repr=False, compare=False)

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
        if self.fail_closed is not True:
            raise PromptContractError(
                "fail_closed must be True: without it a prompt could be sent that lacks the operator's text, and "
                "learned text would speak alone. Leave it out; declare a learned tier for text that may be missing.",
                rule="PR-POL-CLOSED-1",
                value=self.fail_closed,
            )
        if self.count is not None and not callable(self.count):
            raise PromptContractError(
                "count must be a callable from text to a number, or None: no ceiling could be held in its unit. "
                "Pass a function such as a tokenizer's count, or leave it out to count characters.",
                rule="PR-POL-COUNT-1",
                value=self.count,
            )

    def measure(self, text: str) -> int:
        """Return what the ceilings say of a text: its characters, or the tokens of the counter.

        Raises:
            CounterError: The counter raised, or answered what is no count.
        """
        return len(text) if self.count is None else counted(self.count, text)

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
            "Give a number of characters, or of tokens where there is a counter.",
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
    if len(text) == 1 and (text in _VISIBLE_DATAMARKS or is_private_use(text)):
        return text
    raise PromptContractError(
        "datamark must be one private-use character, or one of ^ ˆ (U+02C6) ⁂ (U+2042): wherever a text has the mark "
        "it is replaced, so a character of ordinary text would damage it, and one that reads as structure could forge "
        "what it protects. Take '\\ue000'.",
        rule="PR-POL-DATAMARK-1",
        value=mark,
    )
