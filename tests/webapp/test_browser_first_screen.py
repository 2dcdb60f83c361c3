"""The first screen after a photo in a browser: photo, table and verdict together; and what is shown before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.webapp.actions import (
    SAMPLE,
    choose_photo,
    choose_photos,
    held,
    in_view,
    opened,
    seen,
    show,
    start,
    still,
    use_sample,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCREENS = ((390, 844), (1280, 800))


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("sample", ["Makiaveli 1", "Klondike 1"])
def test_photo_table_and_verdict_are_on_the_first_screen(
    browser: Browser, address: str, sample: str, width: int, height: int
) -> None:
    with opened(browser, address, width) as page:
        page.set_viewport_size({"width": width, "height": height})
        use_sample(page, sample)
        page.locator(".searching").first.wait_for(state="detached")
        for part in (".verdict summary", ".frame", ".felt"):
            seen(page, part)
        headline = page.locator(".verdict h2").inner_text()
        assert page.get_by_text(headline, exact=True).count() == 1, "nothing is said twice"
        assert page.locator(".frame svg polygon").count() > 10, "the cards are outlined as they are read"
        bar = page.locator(".bar").bounding_box()
        felt = page.locator(".felt").bounding_box()
        assert felt is not None
        assert bar is None or felt["y"] + felt["height"] <= bar["y"]


@pytest.mark.parametrize("width", [390, 1280])
def test_photo_and_table_are_swapped(browser: Browser, made: str, width: int) -> None:
    with opened(browser, made, width) as page:
        start(page)
        choose_photo(page, "sure.jpg")
        page.locator(".felt .card").first.wait_for()
        still(page)
        for what, photo, table in (("Photo", True, False), ("Table", False, True), ("Both", True, True)):
            show(page, what)
            shown = page.locator(".frame").is_visible(), page.locator(".felt").is_visible()
            assert shown == (photo, table)
        show(page, "Table")
        page.locator(".felt [data-place='hand/0']").click(position={"x": 6, "y": 6})
        page.locator("dialog [data-card='KD']").click()
        still(page)
        assert not page.locator(".frame").is_visible(), "a change of the table changes nothing of what is shown"


@pytest.mark.parametrize(("name", "width"), [("klondike", 350), ("many", 240)])
def test_beside_its_table_a_photo_takes_the_room_there_is(browser: Browser, made: str, name: str, width: int) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, f"{name}.jpg")
        page.locator(".felt .card").first.wait_for()
        still(page)
        while page.locator(".asking").is_visible():
            page.locator(".asking").get_by_role("button", name="Not sure").click()
        show(page, "Both")
        assert (page.locator(".frame").bounding_box() or {"width": 0})["width"] >= width


def test_two_photos_are_called_photos_while_they_are_read(browser: Browser, made: str) -> None:
    with opened(browser, made) as page, held("sure.jpg") as (name, let_go):
        start(page)
        still(page)
        choose_photos(page, {name: SAMPLE.read_bytes(), "pair.jpg": SAMPLE.read_bytes()})
        page.get_by_role("heading", name="Reading your photos").wait_for()
        page.locator(".reading li", has_text="Sending them").wait_for()
        let_go()
        page.locator(".felt .card").first.wait_for()


def test_a_photo_is_shown_at_once_with_what_is_being_done(browser: Browser, made: str) -> None:
    with opened(browser, made) as page, held("sure.jpg") as (name, let_go):
        start(page)
        still(page)
        page.evaluate(NOTE_STEPS)
        choose_photo(page, name)
        page.locator(".reading-photos canvas").wait_for()
        assert in_view(page, ".reading-photos canvas")
        page.locator(".reading li.now", has_text="Finding the cards").wait_for()
        steps = page.evaluate("window.steps")
        assert steps == ["Getting the photo ready", "Sending it", "Finding the cards and their places"]
        let_go()
        page.locator(".felt .card").first.wait_for()


def test_a_file_that_is_no_photo_leaves_the_table(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        start(page)
        choose_photo(page, "mine.jpg")
        page.locator(".felt .card").first.wait_for()
        choose_photo(page, "none.jpg", b"this is no photo", "Another photo of this table")
        page.get_by_text("This photo could not be read.").wait_for()
        assert page.locator(".felt .card").first.is_visible(), "the table stays"


NOTE_STEPS = """() => { window.steps = [];
  const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).find((e) => e && e.querySelector(".app"));
  new MutationObserver(() => { const now = root.querySelector(".reading li.now")?.lastChild.textContent;
    if (now && window.steps.at(-1) !== now) window.steps.push(now); })
    .observe(root, { childList: true, subtree: true, attributes: true }); }"""
"""Notes which steps the page says it takes."""
