"""The inspector in Chromium, against a running service on a real store."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from serving import ANSWER, Serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

QUESTION = "How many days of annual leave can be carried over?"
PHONE = {"width": 360, "height": 740}


def asked(page: Page, serving: Serving, **ceilings: str) -> None:
    """Ask the question and wait for its candidates."""
    page.goto(f"{serving.address}/inspector")
    page.get_by_label("Question").fill(QUESTION)
    for name, value in ceilings.items():
        page.locator(f"#{name}").fill(value)
    page.get_by_role("button", name="Show the prompt").click()
    page.locator(".candidates tbody").first.wait_for()


def moved(page: Page, name: str, value: str) -> None:
    """Move a slider as a hand does; it is there once the scripts are."""
    slider = page.locator(f"[data-for={name}]")
    slider.wait_for()
    slider.evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})) }", value
    )


@pytest.mark.requirement("INS-ROW-1")
def test_why_a_row_was_left_out_can_be_read(serving: Serving, window: Callable[..., Any]) -> None:
    """The row says it in words, with the number and the ceiling; the filter leaves that outcome alone."""
    page = window().new_page()
    asked(page, serving, max_fragment_chars="120")
    dropped = page.locator("tbody[data-outcome=over-fragment]")
    assert dropped.first.locator(".badge").inner_text() == "Passage too long"
    assert dropped.first.locator(".measure").inner_text().endswith("characters, at most 120")
    assert "120" in dropped.first.locator(".reason").inner_text()
    page.get_by_text("Passage too long", exact=False).first.click()
    shown = page.locator(".candidates tbody").evaluate_all(
        "rows => rows.filter(row => row.checkVisibility()).map(row => row.dataset.outcome)"
    )
    assert shown == ["over-fragment"] * dropped.count()


@pytest.mark.requirement("INS-LIVE-1")
def test_a_moved_ceiling_changes_the_prompt(serving: Serving, window: Callable[..., Any]) -> None:
    """No button is pressed; number, candidates and prompt follow, and the change is said to screen readers."""
    page = window().new_page()
    asked(page, serving)
    before = page.locator(".block.untrusted .line").count()
    moved(page, "limit", "1")
    page.locator("tbody[data-outcome=over-limit]").first.wait_for()
    assert page.locator("#limit").input_value() == "1"
    assert before > 1
    assert page.locator(".block.untrusted .line").count() == 1
    assert page.locator("#summary").inner_text().startswith("1 of")
    assert page.locator(".was").all_inner_texts() == ["before: Admitted"] * (before - 1)
    assert page.locator(".layers .badge").all_inner_texts() == ["same as before", "same as before", "changed"]
    moved(page, "limit", str(before))
    page.locator(".block.untrusted .line").nth(before - 1).wait_for()


@pytest.mark.requirement("INS-LIVE-1")
def test_an_answer_appears_while_the_model_speaks(serving: Serving, window: Callable[..., Any]) -> None:
    """Pieces come one by one; sources light up as they are cited; the report stands at the end."""
    page = window().new_page()
    page.goto(f"{serving.address}/inspector")
    page.get_by_label("Question").fill(QUESTION)
    page.evaluate(
        "() => { window.seen = []; new MutationObserver(() => { const said = document.querySelector('#said');"
        " if (said) window.seen.push([said.textContent.length, said.getAttribute('aria-busy')]) })"
        ".observe(document.querySelector('#results'), {subtree: true, childList: true}) }"
    )
    page.get_by_role("button", name="Have it answered").click()
    page.locator("#report .counts").wait_for()
    seen = page.evaluate("window.seen")
    assert len({length for length, busy in seen if busy == "true"}) >= len(ANSWER) - 1
    assert page.locator("#said .ref").all_inner_texts() == ["[1]", "[2]", "[unverified source]"]
    assert page.locator("#said .ref.invented").get_attribute("title") == "intranet.md § Wishes"
    assert page.locator(".sources li.cited .state").all_inner_texts() == ["cited", "cited"]
    assert set(page.locator(".sources li.unused .state").all_inner_texts()) == {"unused"}
    assert page.locator("#report .badge.verbatim").count() == 1
    assert page.locator("#said").get_attribute("aria-busy") == "false"


@pytest.mark.requirement("INS-DOC-1")
def test_an_uploaded_document_is_found_and_removed(
    serving: Serving, window: Callable[..., Any], tmp_path: Path
) -> None:
    """Upload, outcome, question, and the way out again."""
    file = tmp_path / "parking.md"
    file.write_text("# Parking\n\nParking lots are given by the front desk.\n")
    page = window().new_page()
    page.goto(f"{serving.address}/inspector/documents")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    assert page.locator(".outcomes li").inner_text().split() == ["ingested", "parking.md", "1", "passage"]
    page.get_by_role("link", name="Ask").click()
    page.get_by_label("Question").fill("Who gives parking lots?")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Show the prompt").click()
    assert page.locator("tbody .label").first.inner_text() == "parking.md § Parking"
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("button", name="Remove parking.md").click()
    page.get_by_role("button", name="Remove it").click()
    assert page.locator(".done").inner_text() == "Removed: parking.md"
    assert page.locator(".shelf", has_text="parking.md").count() == 0


@pytest.mark.requirement("INS-TEXT-1")
def test_hostile_text_shows_as_text(serving: Serving, window: Callable[..., Any]) -> None:
    """A script in a document stands on the page as its letters and does not run; what is invisible is named."""
    page = window().new_page()
    asked(page, serving)
    row = page.locator("tbody", has_text="note.md").first
    row.locator("summary").click()
    stored = row.locator(".text").first.inner_text()
    assert "<script>window.attacked = 1</script><img src=x onerror=window.attacked=2>" in stored
    assert {"U+202E", "U+200B", "U+001B"} <= {word.strip() for word in stored.replace("→", " ").split()}
    assert "<script>window.attacked" in page.locator(".block.untrusted").inner_text()
    page.get_by_role("button", name="Have it answered").click()
    page.locator("#report .counts").wait_for()
    assert page.evaluate("window.attacked") is None


@pytest.mark.requirement("INS-PLAIN-1")
def test_everything_works_without_a_script(serving: Serving, window: Callable[..., Any], tmp_path: Path) -> None:
    """Ask, filter, answer, upload and remove with forms and links alone."""
    page = window(java_script_enabled=False).new_page()
    asked(page, serving, limit="1")
    assert page.locator("[data-summary]").inner_text().startswith("1 of")
    assert page.locator("input[type=range]:visible").count() == 0
    page.locator(".filter label", has_text="Admitted").click()
    assert page.locator(".candidates tbody:visible").count() == 1
    page.locator("a.jump").click()
    assert page.url.endswith("#line-1")
    page.get_by_role("button", name="Have it answered").click()
    # One source is in the prompt, so the other one of the handbook counts as made up, too.
    assert page.locator("#said .ref.invented").count() == 2
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("button", name="Remove note.md").click()
    page.get_by_role("button", name="Remove it").click()
    assert page.locator(".done").inner_text() == "Removed: note.md"


@pytest.mark.requirement("INS-PLAIN-1")
def test_the_keyboard_is_enough(serving: Serving, window: Callable[..., Any]) -> None:
    """From the first key to a line of the prompt and back, and every stop of the way shows its focus."""
    page = window().new_page()
    page.goto(f"{serving.address}/inspector")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.type(QUESTION)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Show the prompt"
    page.keyboard.press("Enter")
    page.locator(".candidates tbody").first.wait_for()
    page.locator("#question").focus()
    names = []
    for _ in range(18):
        page.keyboard.press("Tab")
        outline = page.evaluate(
            "() => { const one = document.activeElement; const box = one.closest('label') ?? one;"
            " return [one.name || one.className || one.textContent, getComputedStyle(one).outlineStyle,"
            " getComputedStyle(box).outlineStyle] }"
        )
        names.append(outline[0])
        assert "solid" in outline[1:] or "auto" in outline[1:], names
    assert "jump" in names
    assert "limit" in names
    assert "shown" in names
    page.locator("a.jump").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#line-1"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "back"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#row-1"
    page.locator("[data-for=limit]").focus()
    page.keyboard.press("Home")
    page.locator("tbody[data-outcome=over-limit]").first.wait_for()


@pytest.mark.requirement("INS-KEY-1")
def test_a_token_signs_in_and_out(tmp_path: Path, window: Callable[..., Any]) -> None:
    """The cookie is out of reach of scripts, and a revoked key leads back to the sign-in while a slider moves."""
    with Serving(tmp_path, documents=(("leave.md", "annual leave can be carried over"),), keys=True) as serving:
        assert serving.access is not None
        key, token = serving.access.create("operations")
        page = window().new_page()
        page.goto(f"{serving.address}/inspector/documents")
        assert page.url.endswith("/inspector/sign-in")
        page.get_by_label("Access token").fill(token)
        page.keyboard.press("Enter")
        page.get_by_text("Signed in as operations").wait_for()
        assert page.evaluate("document.cookie") == ""
        asked(page, serving)
        page.get_by_role("button", name="Sign out").click()
        assert page.url.endswith("/inspector/sign-in")
        page.get_by_label("Access token").fill(token)
        page.get_by_role("button", name="Sign in").click()
        asked(page, serving)
        serving.access.revoke(key.id)
        page.goto(f"{serving.address}/inspector")
        assert page.url.endswith("/inspector/sign-in")


def views(page: Page, serving: Serving) -> Any:
    """Every kind of page, one after the other, by name."""
    page.goto(f"{serving.address}/inspector")
    yield "empty form"
    asked(page, serving, limit="2", min_score="0.1")
    for one in page.locator("details").all():
        one.evaluate("element => element.open = true")
    yield "results"
    page.get_by_role("button", name="Have it answered").click()
    page.locator("#report .counts").wait_for()
    yield "answer"
    page.locator("#min_score").fill("1")
    page.locator("[data-summary], .problem").first.wait_for()
    yield "nothing admitted"
    page.goto(f"{serving.address}/inspector/documents")
    yield "documents"
    page.get_by_role("button", name="Remove note.md").click()
    page.get_by_role("heading", name="Remove this document?").wait_for()
    yield "confirmation"
    page.goto(f"{serving.address}/inspector/static/none")
    yield "problem"


def sign_in(page: Page, folder: Path) -> Any:
    """The page of a service with keys, before and after a wrong token."""
    (folder / "keys").mkdir()
    with Serving(folder / "keys", keys=True) as guarded:
        assert guarded.access is not None
        guarded.access.create("operations")
        page.goto(guarded.address)
        yield "sign-in"
        page.get_by_label("Access token").fill("symfonic_x")
        page.get_by_role("button", name="Sign in").click()
        page.locator(".problem").wait_for()
        yield "wrong token"


@pytest.mark.requirement("INS-AXE-1")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(serving: Serving, window: Callable[..., Any], tmp_path: Path, scheme: str) -> None:
    """On every page, contrast included."""
    from axe_playwright_python.sync_playwright import Axe

    page = window(color_scheme=scheme, reduced_motion="reduce", bypass_csp=True).new_page()
    page.goto(f"{serving.address}/inspector")
    axe = Axe()
    for name in chain(views(page, serving), sign_in(page, tmp_path)):
        found = axe.run(page).response["violations"]
        grave = [
            (one["id"], [node["html"][:120] for node in one["nodes"]])
            for one in found
            if one["impact"] in {"serious", "critical"}
        ]
        assert grave == [], name


@pytest.mark.requirement("INS-AXE-1")
def test_a_phone_scrolls_down_only(serving: Serving, window: Callable[..., Any], tmp_path: Path) -> None:
    """Nothing is wider than the window, whatever a document holds, and nothing moves for who asked for less motion."""
    long = tmp_path / f"{'long' * 30}.txt"
    long.write_text(f"annual leave can be carried over {'x' * 100_000} annual leave\n")
    serving.knowledge.ingest(long)
    page = window(viewport=PHONE, reduced_motion="reduce").new_page()
    page.goto(f"{serving.address}/inspector")
    for name in views(page, serving):
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], name
        moving = page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length")
        assert moving == 0, name
