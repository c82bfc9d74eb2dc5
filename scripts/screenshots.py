"""Take the pictures of the inspector that the documentation shows.

Usage: ``screenshots.py [FOLDER]``, by the Python of ``.venv-browser``; the folder is ``docs/explanation/inspector``.
It fills a store with the example handbook and a note that attacks, serves it on this machine and drives Chromium. Every
picture is made small enough to stand in the repository: 200 KB at most, or the script fails.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "browser"))

from playwright.sync_api import sync_playwright  # noqa: E402
from serving import CHROMIUM, CHROMIUM_FLAGS, NOTE, Serving  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUESTION = "How many days of annual leave can be carried over?"
MOST_BYTES = 200_000
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "explanation" / "inspector"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, Serving(Path(place), documents=(NOTE,)) as serving:
        serving.knowledge.ingest(ROOT / "examples" / "handbook")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
            for name, scheme, size in (("light", "light", WIDE), ("dark", "dark", WIDE), ("phone", "light", NARROW)):
                _take(browser, serving.address, folder, name, scheme, size)
            browser.close()
    large = [file.name for file in folder.glob("*.png") if file.stat().st_size > MOST_BYTES]
    if large:
        raise SystemExit(f"screenshots: a picture has at most {MOST_BYTES:,} bytes; {', '.join(large)} have more.")


def _take(browser: Browser, address: str, folder: Path, name: str, scheme: Any, size: Any) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/inspector")
    page.get_by_label("Question").fill(QUESTION)
    page.locator("#min_score").fill("0.2")
    page.get_by_role("button", name="Show the prompt").click()
    page.locator(".candidates details").nth(1).locator("summary").click()
    _save(page, folder / f"ask-{name}.png", "#results" if size is NARROW else "body")
    page.set_viewport_size({"width": size["width"], "height": 560})
    _save(page, folder / f"prompt-{name}.png", ".block.untrusted")
    page.set_viewport_size(size)
    page.get_by_role("button", name="Have it answered").click()
    page.locator("#report .counts").wait_for()
    _save(page, folder / f"answer-{name}.png", "#results" if size is NARROW else "body")
    page.goto(f"{address}/inspector/documents")
    _save(page, folder / f"documents-{name}.png")
    context.close()


def _save(page: Page, path: Path, top: str = "body") -> None:
    """The window, with the element at its top."""
    page.locator(top).first.evaluate("element => element.scrollIntoView()")
    page.screenshot(path=path)
    print(path.name, f"{path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
