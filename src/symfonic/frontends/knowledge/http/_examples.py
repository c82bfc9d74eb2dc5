"""Examples and errors for the OpenAPI description. Rules of this module: constants, in the form the views have."""

from __future__ import annotations

from typing import Any, Final

from symfonic.frontends.knowledge._asgi import PROBLEM_TYPE

DESCRIPTION: Final = """\
Questions are held by the operator's ceilings; every row that was looked at has one outcome. Text of documents is quoted
material wherever it stands.

A token is sent as `Authorization: Bearer TOKEN`. It reaches its own scope and what is below it. Errors are
`application/problem+json` (RFC 9457) with a `code` for programs and the id of the request, under which the operator
finds the rest in the log.
"""

_LABEL: Final = "handbook.md § Leave ·4f0c2d9a1e"
_DIGEST: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


def _answers(
    description: str, example: Any, *, kind: str = "application/json", schema: Any = None
) -> dict[int | str, Any]:
    content: dict[str, Any] = {"example": example}
    if schema is not None:
        content["schema"] = schema
    return {200: {"description": description, "content": {kind: content}}}


def _problem(description: str, status: int, title: str, code: str, detail: str) -> dict[str, Any]:
    example = {
        "type": f"urn:symfonic-knowledge:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "detail": detail,
        "request": "0f8c1d2e3a4b5c6d",
    }
    return {"description": description, "content": {PROBLEM_TYPE: {"schema": PROBLEM_SCHEMA, "example": example}}}


PROBLEM_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["type", "title", "status", "code", "detail", "request"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "A stable word for programs."},
        "detail": {"type": "string", "description": "The rule, what happened, and what to do about it."},
        "request": {"type": "string", "description": "The id under which the operator's log tells of this request."},
        "faults": {
            "type": "array",
            "items": {"type": "object"},
            "description": "What is not as it should be.",
        },
        "account": {"type": "object", "description": "What was looked at, where nothing was admitted."},
    },
}

PROBLEMS: Final[dict[int | str, Any]] = {
    400: _problem("The request cannot be read.", 400, "Bad Request", "malformed", "the body cannot be read"),
    401: _problem("No token, or nobody's.", 401, "Unauthorized", "token", "this service asks for a token"),
    403: _problem("The key does not reach that.", 403, "Forbidden", "access-refused", "a key reaches its own scope"),
    404: _problem("There is none.", 404, "Not Found", "not-found", "there is nothing of that name"),
    408: _problem("The body came too slowly.", 408, "Request Timeout", "body-time", "send it again"),
    413: _problem("The body is too large.", 413, "Content Too Large", "body-size", "this request has more"),
    414: _problem("The address is too long.", 414, "URI Too Long", "target-size", "send a shorter one"),
    415: _problem("The body is of another kind.", 415, "Unsupported Media Type", "media-type", "this route takes JSON"),
    421: _problem("Asked under another name.", 421, "Misdirected Request", "host", "it has other names"),
    422: _problem("The request is refused.", 422, "Unprocessable Content", "question", "a question holds words"),
    429: _problem("Too many requests.", 429, "Too Many Requests", "rate", "ask again later"),
    431: _problem(
        "Too many headers.", 431, "Request Header Fields Too Large", "header-size", "send fewer header lines"
    ),
    500: _problem("Something failed.", 500, "Internal Server Error", "internal", "the operator finds it in the log"),
    501: _problem("A part is not there.", 501, "Not Implemented", "no-model", "no model is named"),
    502: _problem("The model failed.", 502, "Bad Gateway", "model", "the model did not answer"),
    503: _problem("Busy, ending, or without its store.", 503, "Service Unavailable", "busy", "ask again in a moment"),
    504: _problem("It took too long.", 504, "Gateway Timeout", "time", "ask for less, or later"),
}

_ROW: Final = {
    "rank": 1,
    "label": _LABEL,
    "score": 0.61,
    "file": "handbook.md",
    "page": None,
    "slide": None,
    "sheet": None,
    "heading": "Leave",
}

SEARCH: Final = _answers(
    "Ranked rows, raw but for their labels.",
    {
        "question": "How many days of leave are there?",
        "scope": ["tenant:acme"],
        "results": [{**_ROW, "scope": ["tenant:acme"], "text": "There are 27 days of leave."}],
    },
)

_LEDGER: Final = {
    "format": "symfonic-knowledge citation ledger",
    "version": 1,
    "entries": [
        {
            "label": _LABEL,
            "source": "handbook.md § Leave",
            "content": "There are 27 days of leave.",
            "content_hash": _DIGEST,
            "scope_path": "tenant\x1facme",
            "score": 0.61,
        }
    ],
}
_CEILINGS: Final = {
    "limit": 5,
    "min_score": 0.0,
    "max_fragment_chars": 2000,
    "max_total_chars": 8000,
    "max_per_source": 4,
    "candidates": 20,
    "max_rows": 10000,
    "max_learned_chars": 8000,
    "unit": "characters",
}
_DIGESTS: Final = {"l0": _DIGEST, "l1": _DIGEST, "whole": _DIGEST}

PROMPT: Final = _answers(
    "The prompt with its account, and the ledger that `/v1/verify` takes. With a provider's `format` also `request`.",
    {
        "question": "How many days of leave are there?",
        "scope": ["tenant:acme"],
        "prompt": f"You answer questions …\n\nSOURCE [{_LABEL}]: There are 27 days of leave.",
        "admitted": 1,
        "blocks": [],
        "digests": _DIGESTS,
        "diagnostics": [],
        "documents": [],
        "ledger": _LEDGER,
    },
)

EXPLAIN: Final = _answers(
    "Every candidate row with its one outcome.",
    {
        "question": "How many days of leave are there?",
        "scope": ["tenant:acme"],
        "counts": {"rows": 2, "admitted": 1, "dropped": 1},
        "admitted": [
            {**_ROW, "citation": _LABEL, "line": f"SOURCE [{_LABEL}]: There are 27 days of leave.", "markers": 0}
        ],
        "dropped": [
            {
                **_ROW,
                "rank": 2,
                "code": "over-fragment",
                "reason": "has 2,304 characters of at most 2,000",
                "actual": 2304,
                "ceiling": 2000,
            }
        ],
        "notes": [],
        "ceilings": _CEILINGS,
        "digests": _DIGESTS,
        "diagnostics": [],
        "confusable": [],
        "documents": [],
    },
)

ANSWER: Final = _answers(
    "Events `sources`, `piece` …, `problem` where the model failed, and `report` as the last.",
    'event: piece\ndata: {"text": "There are 27 days of leave."}\n\n',
    kind="text/event-stream",
    schema={"type": "string"},
)

VERIFY: Final = _answers(
    "What the answer rests on.",
    {
        "entries": 1,
        "marked": 0,
        "report": {
            "cited": [{"label": _LABEL, "source": "handbook.md § Leave", "offsets": [28], "omitted": 0}],
            "unknown": [],
            "ambiguous": [],
            "uncited": [],
            "quotes": [],
            "omitted_unknown": 0,
            "omitted_quotes": 0,
            "unread_chars": 0,
            "marked": 0,
        },
    },
)

UPLOAD: Final = _answers(
    "An outcome for every file.",
    {
        "counts": {"ingested": 1},
        "chunks": 3,
        "oversized_units": 0,
        "embedded": 0,
        "unembedded": 0,
        "files": [
            {
                "path": "handbook.md",
                "file": "handbook.md",
                "outcome": "ingested",
                "reason": "",
                "limit": "",
                "chunks": 3,
                "hidden": {},
            }
        ],
    },
)

DOCUMENTS: Final = _answers(
    "What is stored.",
    {
        "documents": [
            {
                "file": "handbook.md",
                "scope": ["tenant:acme"],
                "kind": "markdown",
                "origin": "upload:handbook.md",
                "digest": _DIGEST,
                "label": "handbook.md",
                "size": 2048,
                "chunks": 3,
                "characters": 1990,
            }
        ]
    },
)

DELETE: Final = _answers(
    "What was removed.", {"documents": 1, "chunks": 3, "origins": ["upload:handbook.md"], "vacuumed": False}
)
HEALTH: Final = _answers("It lives.", {"status": "ok"})
READY: Final = {
    **_answers("It takes requests.", {"status": "ready"}),
    503: PROBLEMS[503],
}
