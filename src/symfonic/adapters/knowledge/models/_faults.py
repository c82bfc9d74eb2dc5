"""What can go wrong with a model behind an address, in words of our own.

Rules of this module: pure; it knows no library. A message says what was asked, what became of it and what to do, and
repeats nothing that the other side said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import ModelError

if TYPE_CHECKING:
    from symfonic.adapters.knowledge.models.endpoints import Endpoint

__all__ = [
    "MOST_CHARS_PER_TOKEN",
    "count_of",
    "fault_of_connection",
    "fault_of_silence",
    "fault_of_status",
    "faulty_server",
    "interrupted",
    "no_such_protocol",
    "shapeless",
    "too_long",
]

MOST_CHARS_PER_TOKEN: Final = 200
"""Above the longest token of any known vocabulary, a run of 128 spaces."""

_STATUSES: Final = {
    401: ("credentials", "refused the key", "check the key in {variable}, or the one that was passed"),
    403: ("credentials", "does not allow this key to ask this model", "use another key, or another model"),
    404: ("not-found", "knows no such model or address", "check the name of the model and the address"),
    408: ("timeout", "gave up waiting", "try again"),
    413: ("refused", "found the prompt too long", "lower the ceilings of the retrieval"),
    429: ("rate-limit", "takes no more requests for now, or the account is used up", "try again later"),
}
_NO_KEY: Final = ("credentials", "asked for a key, but none was sent", "set {variable}, or pass a key")
_REFUSED: Final = ("refused", "refused the request", "check that it has this model and that the prompt fits it")
_SERVER: Final = ("server", "failed", "try again later")


def fault_of_status(endpoint: Endpoint, status: int, *, variable: str, keyed: bool) -> ModelError:
    """A server that answered with a status other than success.

    Args:
        endpoint: The server.
        status: The HTTP status.
        variable: The environment variable that composition takes the key from; it is named only.
        keyed: Whether a key was sent.
    """
    code, said, remedy = _STATUSES.get(status) or (_SERVER if status >= 500 else _REFUSED)
    if status == 401 and not keyed:
        code, said, remedy = _NO_KEY
    remedy = remedy.format(variable=variable)
    if code == "credentials" and not endpoint.takes_key:
        remedy = "a key travels over https only: use such an address"
    return ModelError(
        f"a model is asked at {endpoint.url}; that server {said} (status {status}) and nothing was answered; {remedy}",
        code=code,
        status=status,
    )


def fault_of_silence(endpoint: Endpoint, timeout: float) -> ModelError:
    """Nothing came for too long."""
    return ModelError(
        f"a model is waited for {timeout:g} seconds; nothing came from {endpoint.url} for longer and the answer ends "
        "here; try again, or raise model_timeout",
        code="timeout",
    )


def fault_of_connection(endpoint: Endpoint, error: BaseException) -> ModelError:
    """No connection came about."""
    return ModelError(
        f"a model is asked at {endpoint.url}; no connection came about ({type(_root_of(error)).__name__}) and nothing "
        "was answered; check the address, and that the server runs",
        code="unreachable",
    )


def _root_of(error: BaseException) -> BaseException:
    """What lies at the bottom of an error: a refused connection, an unknown name, a certificate."""
    while (below := error.__cause__ or error.__context__) is not None:
        error = below
    return error


def faulty_server(endpoint: Endpoint) -> ModelError:
    """An event that reports a fault in the middle of an answer."""
    return ModelError(
        f"an answer comes whole; the server at {endpoint.url} reported a fault and the answer ends here; try again",
        code="server",
    )


def no_such_protocol(endpoint: Endpoint, protocol: str, error: BaseException) -> ModelError:
    """What came cannot be read at all."""
    return ModelError(
        f"an answer comes as events of {protocol}; what came from {endpoint.url} is none ({type(error).__name__}) and "
        "the answer ends here; check that the address is that of such a server",
        code="malformed",
    )


def shapeless(part: str, protocol: str) -> ModelError:
    """An event that can be read and is of another shape."""
    return ModelError(
        f"an event of an answer has {part} of one shape; this one has not and the answer ends here; check that the "
        f"server speaks {protocol}",
        code="malformed",
    )


def interrupted() -> ModelError:
    """An answer that broke off."""
    return ModelError(
        "an answer says when it ends; this one broke off before and is incomplete; try again", code="interrupted"
    )


def too_long() -> ModelError:
    """An answer that goes on beyond what was allowed."""
    return ModelError(
        "an answer has as many tokens as were allowed; this one went on and was ended; check the server, or raise "
        "max_answer_tokens",
        code="too-long",
    )


def count_of(usage: Any, name: str) -> int | None:
    """A number of tokens, where somebody counted."""
    value = getattr(usage, name, None)
    return value if type(value) is int and value >= 0 else None
