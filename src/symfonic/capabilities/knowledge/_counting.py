"""What a counter says of a text: how the ceilings of a policy are held in tokens instead of characters.

Rules of this module:

* A counter is the operator's, or a library's: it may raise, panic in native code, answer anything, and count two texts
  together as more or less than both apart. Whatever is no count becomes one error of ours; nobody here adds two counts
  up as if that proved anything, so whoever holds a ceiling counts the joined text once more.
* A tokenizer costs far more than a look at a length. A text that is long out of all proportion to its ceiling is over
  it without being counted.
* The module stands twice, in the knowledge and in the prompting capability, which may not import each other. Both
  copies are equal to the byte; a test says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .errors import CounterError, is_failure, type_name

if TYPE_CHECKING:
    from collections.abc import Callable

CHARS_PER_TOKEN: Final = 1000
"""Most characters a counted text may have for each token of its ceiling; no vocabulary has a token as long."""

_MOST: Final = 2**63 - 1


def unit_of(count: Callable[[str], int] | None) -> str:
    """What the ceilings of a policy count, in the plural."""
    return "characters" if count is None else "tokens"


def is_out_of_proportion(text: str, ceiling: int) -> bool:
    """Whether a text is too long to be counted against a ceiling in tokens."""
    return len(text) > ceiling * CHARS_PER_TOKEN


def counted(count: Callable[[str], int], text: str) -> int:
    """Ask a counter.

    Args:
        count: The counter.
        text: Encodable text, exactly as it stands in what is held.

    Raises:
        CounterError: It raised, or answered no plain ``int`` from 0 to 2**63 - 1.
    """
    try:
        answer: object = count(text)
    except BaseException as error:
        if not is_failure(error):
            raise
        raise _refused(f"raised {type_name(error)}", text) from error
    if type(answer) is not int:
        told = f"a {type_name(answer)}"
    elif answer < 0:
        told = "a negative number"
    elif answer > _MOST:
        told = "a number beyond 2**63"
    else:
        return answer
    raise _refused(f"answered {told}", text)


def _refused(answer: str, text: str) -> CounterError:
    return CounterError(
        f"a counter answers a plain int of at least 0 for every text; for one of {len(text)} characters it {answer}, "
        "and nothing was rendered, for no ceiling would hold. Give a counter that takes any text, special tokens and "
        "control characters included.",
        answer=answer,
        characters=len(text),
    )
