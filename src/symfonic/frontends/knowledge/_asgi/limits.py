"""How much a service takes from one client and from all.

Rules of this module: numbers with units and their ranges; nothing is measured here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from symfonic.composition.knowledge import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLimits:
    """Ceilings of a service. Every one is more than nothing; ``max_waiting`` alone may be none.

    Attributes:
        max_body_bytes: Most bytes of a request's body.
        max_upload_bytes: Most bytes of a body where documents are uploaded.
        max_headers: Most header lines of a request.
        max_header_bytes: Most bytes of their names and values together.
        max_target_bytes: Most bytes of path and query string together.
        max_concurrency: Most requests that are worked on at the same time.
        max_concurrency_per_key: Most of them with one key, so that no tenant takes all places; more wait.
        max_waiting: Most that wait for their turn behind either; more are refused.
        waiting_seconds: Longest such a wait.
        requests_per_minute: Requests of one key, or of one client address where it has none; over a longer time.
        burst: As many of them may come at once.
        max_uploads: Most uploads whose bodies are taken in at the same time, for they hold memory; more wait.
        max_connections: Most connections; one too many ends whichever has asked nothing for longest.
        max_rated: Most keys and addresses whose requests are counted; those not seen for longest are forgotten.
        head_seconds: Longest time of a connection without a whole request, from its beginning or the last answer.
        body_seconds: Longest time for the body to arrive.
        request_seconds: Longest time from the whole request to the first byte of the answer.
        idle_seconds: Longest time between two pieces of a body or an answer, so that a slow reader frees its place.
        stream_seconds: Longest time of an answer from its first byte to its last.
        notice_seconds: Time from the signal that ends the service to its end, in which only readiness says so and all
            else is answered as before: whoever spreads requests sends them elsewhere by then.
        drain_seconds: Longest wait at the end of the service for requests that were accepted.

    Raises:
        SettingsError: One is no number, or not above its least.
    """

    max_body_bytes: int = 1024 * 1024
    max_upload_bytes: int = 64 * 1024 * 1024
    max_headers: int = 64
    max_header_bytes: int = 16 * 1024
    max_target_bytes: int = 8 * 1024
    max_concurrency: int = 64
    max_concurrency_per_key: int = 32
    max_uploads: int = 8
    max_connections: int = 512
    max_waiting: int = 128
    waiting_seconds: float = 10.0
    requests_per_minute: int = 600
    burst: int = 120
    max_rated: int = 10_000
    head_seconds: float = 20.0
    body_seconds: float = 120.0
    request_seconds: float = 60.0
    idle_seconds: float = 30.0
    stream_seconds: float = 600.0
    notice_seconds: float = 0.0
    drain_seconds: float = 30.0

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value: object = getattr(self, name)
            kinds = (int | float) if name.endswith("_seconds") else int
            if isinstance(value, bool) or not isinstance(value, kinds) or not _least(name) <= value < math.inf:
                raise SettingsError(
                    f"{name} must be a {'number' if name.endswith('_seconds') else 'whole number'} from "
                    f"{_least(name):g} up, not {ascii(value)[:80]}; the service would not be bounded; correct it"
                )


def _least(name: str) -> float:
    if name in {"max_waiting", "notice_seconds"}:
        return 0
    return 0.001 if name.endswith("_seconds") else 1
