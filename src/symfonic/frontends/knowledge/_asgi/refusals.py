"""Every refusal of the edge: a status, a word for programs, and what to do about it.

Rules of this module: sentences and headers. None repeats what a request held, so that none can carry it elsewhere.
"""

from __future__ import annotations

import math
from typing import Final

from .problems import Problem

CLOSE: Final = (b"connection", b"close")
_RETRY: Final = b"retry-after"


class RefusedError(Exception):
    """A request that is answered with a problem, and the headers that go with it."""

    def __init__(self, status: int, code: str, detail: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(code)
        self.problem = Problem(status=status, code=code, detail=detail)
        self.headers = headers


def bad_header(name: str) -> RefusedError:
    """A header that is said twice, or is not of its form."""
    return RefusedError(
        400, "header", f"the header {name} is said once, in its form; here it is not and nothing was done; correct it"
    )


def bad_path() -> RefusedError:
    """A path that goes up, or holds what no path of ours does."""
    return RefusedError(400, "path", "a path names its place without detours; this one does not; correct it")


def unreadable() -> RefusedError:
    """What is no request at all."""
    return RefusedError(
        400, "form", "a request is HTTP/1.1; this is not and nothing was done; send it with an HTTP client", CLOSE
    )


def unknown_token() -> RefusedError:
    """No token, or nobody's."""
    return RefusedError(
        401,
        "token",
        "this service asks for a token, as Authorization: Bearer TOKEN; there is none, it is nobody's, or it expired "
        "or was revoked; get one from the operator",
        (b"www-authenticate", b'Bearer realm="symfonic-knowledge"'),
    )


def foreign_origin() -> RefusedError:
    """A page of another site."""
    return RefusedError(
        403,
        "origin",
        "pages of this service may ask, and those of sites its operator named; this comes from another, and nothing "
        "was done; use its own pages, or have the site added",
    )


def unsaid_origin() -> RefusedError:
    """A change by cookie, of which nobody says which page it comes from."""
    return RefusedError(
        403,
        "origin",
        "what is sent with a cookie says which page it comes from; this does not, and nothing was done; use a browser "
        "that sends Origin, or a token",
    )


def late_body() -> RefusedError:
    """A request that did not arrive in time."""
    return RefusedError(
        408, "body-time", "the request did not arrive in time and was not worked on; send it again", CLOSE
    )


def too_large(most: int) -> RefusedError:
    """A body that is larger than it may be."""
    return RefusedError(
        413,
        "body-size",
        f"a request has at most {most:,} bytes here; this one has more and was not read to its end; send less",
        CLOSE,
    )


def long_target(most: int) -> RefusedError:
    """Path and query string that are too long."""
    return RefusedError(414, "target-size", f"an address has at most {most:,} bytes here; send a shorter one")


def unknown_host() -> RefusedError:
    """A name under which this service is not known."""
    return RefusedError(
        421,
        "host",
        "this service is asked under the names, and at the ports, that its operator gave it; this is none of them and "
        "nothing was done; use one, or have it added with --allowed-host",
    )


def many_requests(per_minute: int, seconds: float) -> RefusedError:
    """One request too many in a while."""
    return RefusedError(
        429,
        "rate",
        f"this service takes {per_minute:,} requests a minute from each; these are more; ask again later",
        (_RETRY, str(math.ceil(seconds)).encode()),
    )


def large_headers(most: int, most_bytes: int) -> RefusedError:
    """Too many header lines, or too long ones."""
    return RefusedError(
        431, "header-size", f"a request has at most {most} header lines of {most_bytes:,} bytes here; send fewer"
    )


def failed() -> RefusedError:
    """Whatever nobody foresaw."""
    return RefusedError(
        500,
        "internal",
        "something failed on the server; the operator finds it in the log, under the id of the request",
    )


def unknown_method() -> RefusedError:
    """A method no route has."""
    return RefusedError(501, "method", "this service knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS; use one")


def busy() -> RefusedError:
    """No place, and none became free."""
    return RefusedError(
        503,
        "busy",
        "as many requests as this service takes are being worked on, and others wait; ask again in a moment",
        (_RETRY, b"1"),
    )


def draining() -> RefusedError:
    """The service is ending."""
    return RefusedError(
        503,
        "draining",
        "this service is ending and takes no more requests; ask again in a moment",
        (_RETRY, b"5"),
    )


def late_answer() -> RefusedError:
    """An answer that did not begin in time."""
    return RefusedError(
        504, "time", "the answer took longer than this service allows, and was given up; ask for less, or later"
    )
