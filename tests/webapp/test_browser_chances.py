"""The simulations in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.webapp.actions import opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_no_stale_answer_stands_on_the_chances(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/chances", 1280) as page:
        page.get_by_role("button", name="Start").click()
        page.get_by_test_id("stMetric").first.wait_for()
        page.get_by_role("radio", name="Baccarat").click()
        page.get_by_text("Two sides, the player and the banker").first.wait_for()
        page.get_by_test_id("stMetric").first.wait_for(state="detached")
