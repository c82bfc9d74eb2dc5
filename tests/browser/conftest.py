"""Chromium, once for all tests, and a service for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from serving import CHROMIUM_FLAGS, NOTE, Serving, browser_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext

HANDBOOK = (
    "leave.md",
    """# Leave

## Annual leave

Everybody has 28 days of annual leave a year.

## Carrying over

Up to five days of annual leave can be carried over into the next year. They expire at the end of March.

## Sick leave

Report an illness on the first day, before nine.
""",
)


def is_fault(message: Any) -> bool:
    """Whether a line of the console is one; that an answer has a status of 4xx, which pages show, is none."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of this machine; a missing one fails the tests."""
    from playwright.sync_api import sync_playwright

    program = browser_program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """A service on a real store with a handbook and a note that attacks."""
    with Serving(tmp_path, documents=(HANDBOOK, NOTE)) as service:
        yield service


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Make a context of the browser; whatever a page says on its console, or throws, fails the test at its end."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def made(**options: Any) -> BrowserContext:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(10_000)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda message: faults.append(message.text) if is_fault(message) else None)
        contexts.append(context)
        return context

    yield made
    for context in contexts:
        context.close()
    assert faults == []
