"""What libraries write while a service runs, as lines of its log.

Rules of this module: which library, how grave, which error; none of its words, for they may quote what was sent. A
process that serves has one log, of one form, so that a program can read all of it.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Log = Callable[[Mapping[str, object]], None]


@contextmanager
def libraries_logged(log: Log) -> Iterator[None]:
    """While the block lasts, warnings and errors of libraries that nobody handles become lines of ``log``."""
    handler, root = _Lines(log), logging.getLogger()
    root.addHandler(handler)
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(handler)


class _Lines(logging.Handler):
    """A line for each record."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0] if record.exc_info else None
        self._log(
            {
                "event": "library",
                "logger": record.name,
                "level": record.levelname,
                "error": None if kind is None else kind.__name__,
            }
        )
