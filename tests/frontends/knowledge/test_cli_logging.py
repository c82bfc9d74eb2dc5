"""What libraries write while a service runs: lines of its log, without their words."""

from __future__ import annotations

import logging
import warnings
from typing import Any

import pytest

from symfonic.frontends.knowledge.cli._logging import libraries_logged


@pytest.mark.requirement("HTTP-LOG-3")
def test_what_a_library_writes_is_a_line_without_its_words() -> None:
    """A parser may quote what was sent, and a trace a question."""
    lines: list[Any] = []
    library = logging.getLogger("python_multipart.multipart")
    with libraries_logged(lines.append):
        library.warning("Expected boundary character %r, got %r", 45, "secret")
        library.info("secret")
        library.error("secret", exc_info=ValueError("secret"))
    library.addHandler(logging.NullHandler())
    library.warning("after it")
    assert lines == [
        {"event": "library", "logger": "python_multipart.multipart", "level": "WARNING", "error": None},
        {"event": "library", "logger": "python_multipart.multipart", "level": "ERROR", "error": "ValueError"},
    ]


@pytest.mark.requirement("HTTP-LOG-3")
def test_a_warning_of_python_is_a_line_as_well() -> None:
    """It would stand between the lines of the log."""
    lines: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with libraries_logged(lines.append):
            warnings.warn("secret", RuntimeWarning, stacklevel=1)
    assert lines == [{"event": "library", "logger": "py.warnings", "level": "WARNING", "error": None}]
