"""The rules of a table in a browser: shown, chosen, asked once for a photo."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

import pytest

from tests.webapp.actions import kept, line, opened, still, until, use_sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUICK_RULES = """(names) => {
  const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter((e) => e);
  for (const name of names)
    roots.flatMap((e) => [...e.querySelectorAll("[role=radio]")]).find((e) => e.textContent === name).click();
}"""
"""Taps on rules before the page is drawn between them."""


@pytest.mark.parametrize("width", [390, 1280])
def test_all_rules_shows_the_rules_and_changes_none(browser: Browser, address: str, width: int) -> None:
    with opened(browser, address, width) as page:
        use_sample(page, "Klondike 1")
        for count in (1, 3):
            page.get_by_role("radio", name=f"Turn {count}", exact=True).click()
            page.wait_for_url(lambda url, count=count: f"draw:{count}" in unquote_plus(url).replace(" ", ""))
        still(page)  # the verdict of before may stand there until now
        page.locator(".alert[data-tone]:not(.wait)").first.wait_for()
        page.locator(".searching").wait_for(state="detached")
        still(page)
        before, said = page.url, page.locator(".alert[data-tone] h2").inner_text()
        page.locator(".rules summary").click()
        held = {
            group.get_attribute("aria-label"): group.locator("[aria-checked=true]").inner_text()
            for group in page.locator(".rules details [role=radiogroup]").all()
        }
        assert held == {
            "Cards turned at a time": "3",
            "Times the waste may be turned over": "unlimited",
            "Moves between columns": "any part of a run",
            "From a foundation back to a column": "yes",
        }
        page.locator(".rules summary").click()
        page.get_by_role("button", name="Add cards").click()
        page.wait_for_timeout(800)
        still(page)
        assert page.url == before
        assert page.locator(".alert[data-tone] h2").inner_text() == said


@pytest.mark.parametrize("width", [390, 1280])
def test_the_rule_that_was_tapped_last_counts(browser: Browser, address: str, width: int) -> None:
    with opened(browser, address, width) as page:
        use_sample(page, "Klondike 1")
        for taps in (("Turn 1", "Turn 3"), ("Turn 3", "Turn 1", "Turn 3"), ("Turn 3", "Turn 1")):
            page.evaluate(QUICK_RULES, taps)
            still(page)
            assert f"draw: {taps[-1][-1]};" in line(page)
            assert page.get_by_role("radio", name=taps[-1], exact=True).get_attribute("aria-checked") == "true"


def test_a_klondike_photo_goes_by_the_rules_at_home_and_suggests_the_last(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Klondike 1")
        assert "moves: run; worrying_back: yes" in line(page)
        page.locator(".asking").get_by_text("Do you turn one card or three?").wait_for()
        page.get_by_role("button", name="Three cards", exact=True).click()
        page.locator(".asking").get_by_text("Do you turn one card or three?").wait_for(state="detached")
        assert "draw: 3;" in line(page)
        page.get_by_role("button", name="New table").click()
        use_sample(page, "Klondike 2")
        assert "draw: 3;" in line(page)
        page.get_by_role("button", name="Three cards, as last time").click()
        page.locator(".asking").get_by_text("Do you turn one card or three?").wait_for(state="detached")
        until(page, lambda: kept(page, "rules"), "the rules are kept")
        page.goto(address)
        use_sample(page, "Klondike 2")
        page.get_by_role("button", name="Three cards, as last time").wait_for()
        assert "draw: 3;" in line(page), "remembered over a reload"
