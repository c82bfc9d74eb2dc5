"""Tokens by tiktoken: a counter for the ceilings of a policy.

Rules of this module: the only one that knows tiktoken. It takes an encoding and never looks one up by its name, for
tiktoken fetches what it does not hold from the network, at whatever moment it is asked. Whoever opens the encoding
decides where from; afterwards nothing is read but memory.

A text written by an attacker must not be able to make a counter fail, for no ceiling holds without one. So the name of
a special token is counted as the text it is, and what the library cannot split is counted by its bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import AdapterError

if TYPE_CHECKING:
    from tiktoken import Encoding

__all__ = ["TiktokenCounter"]

_PIECE: Final = 100_000
"""Characters that are handed over at a time: the patterns of usual encodings run out of stack on a million spaces."""


class TiktokenCounter:
    """Counts tokens with an encoding of tiktoken.

    Equal encodings make equal counters. Above 100,000 characters a text is counted in pieces of that length, which may
    come to a token or two more than the whole for each cut, or less.

    Args:
        encoding: The encoding, such as ``tiktoken.get_encoding("o200k_base")``, which fetches its vocabulary unless
            the folder named by ``TIKTOKEN_CACHE_DIR`` holds it; or one built from a vocabulary of your own.

    Raises:
        AdapterError: tiktoken is not installed; the message names the extra.
        TypeError: Something else was given, such as the name of an encoding.
    """

    __slots__ = ("_encoding",)

    def __init__(self, encoding: Encoding) -> None:
        try:
            from tiktoken import Encoding
        except ImportError as error:
            raise AdapterError(
                "counting tokens needs tiktoken, which is not installed; no ceiling can be held in tokens; install "
                "symfonic-knowledge[tiktoken]"
            ) from error
        if not isinstance(encoding, Encoding):
            raise TypeError(
                f"encoding must be a tiktoken.Encoding, not {type(encoding).__name__}; a name would be looked up on "
                "the network at run time; open the encoding where that is allowed and pass it"
            )
        self._encoding = encoding

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text. Special tokens count as the characters they are written with."""
        return sum(self._counted(text[start : start + _PIECE]) for start in range(0, len(text), _PIECE))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TiktokenCounter) and self._encoding is other._encoding

    def __hash__(self) -> int:
        return hash((TiktokenCounter, id(self._encoding)))

    def __repr__(self) -> str:
        return f"TiktokenCounter({self._encoding.name!r})"

    def _counted(self, piece: str) -> int:
        try:
            # Without a look for special tokens, as `encode` does it with none of them allowed or disallowed.
            return len(self._encoding.encode_ordinary(piece))
        except BaseException as error:
            # A panic of the native part is no Exception; what stops the process passes through.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            # Every token has at least one byte, so there cannot be more of them.
            return len(piece.encode("utf-8", "surrogatepass"))
