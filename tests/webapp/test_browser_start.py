"""The start in a browser: what it says it can do, and addresses that others made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.webapp.actions import SAMPLE, in_view, link, opened, start, still, verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def test_any_address_may_be_a_servers_first(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/chances", 1280) as page:
        page.get_by_role("button", name="Start").wait_for()


def test_a_photo_is_taken_before_the_page_has_come(browser: Browser, address: str) -> None:
    with opened(browser, "about:blank") as page:
        held: list[Route] = []
        comes = False
        page.route("**/static/js/*.js", lambda route: route.continue_() if comes else held.append(route))
        page.goto(address, wait_until="commit")
        page.get_by_text("Take a photo of the cards on the table.").wait_for()
        page.locator("#first-screen input").set_input_files(SAMPLE)
        page.get_by_text("Your photo is read as soon as the page is here.").wait_for()
        comes = True
        for route in held:
            route.continue_()
        assert "could have won" in verdict(page)
        assert page.locator("#first-screen").count() == 0


@pytest.mark.parametrize("width", [390, 1280])
def test_the_start_says_what_it_can_do(browser: Browser, address: str, width: int) -> None:
    with opened(browser, address, width) as page:
        for _ in range(2):
            start(page)
            words = page.locator(".start").inner_text()
            for game in ("Makiaveli", "Klondike", "Napoleon's Tomb, one deck", "Napoleon's Tomb, two decks"):
                assert game in words
            assert "does not keep it" in words
            assert "for six hours at the most" in words
            assert "ground truth" not in words
            page.locator(".hero .felt .card").first.wait_for(state="attached")
            page.locator(".hero img").wait_for()
            for name in ("Your table", "Klondike", "Makiaveli", "Chances"):
                shown = page.get_by_role("link", name=name, exact=True)
                box = shown.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
            for way in (".ways .main", ".ways a[href='/review']", ".words summary"):
                assert in_view(page, way), "on the first screen"
            assert page.get_by_role("link", name="Evaluate").count() == 0
            assert not page.locator("[data-testid=stSidebar]").is_visible()
            page.reload()
        start(page)
        if width == 390:
            camera = page.get_by_label("Take photo", exact=True)
            assert camera.get_attribute("capture") == "environment"
            assert str(camera.get_attribute("accept")).startswith("image/*")
        assert page.locator("link[rel=manifest]").count() == 1
        manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json())")
        assert manifest["display"] == "standalone"
        icon = page.evaluate(
            "([at, src]) => fetch(new URL(src, at)).then((r) => r.status)",
            [page.locator("link[rel=manifest]").evaluate("(e) => e.href"), manifest["icons"][0]["src"]],
        )
        assert icon == 200
        page.goto(f"{address}/evaluate")
        page.get_by_role("heading", name="How well are photos read?").wait_for()
        hidden = "columns: ?? ?? [2C] | ?? ?? [7C] | ?? ?? [JH] | - | - | - | -; foundations: C1 D13 H9 S13"
        page.goto(link(address, f"klondike {hidden}; stock: ?? ?? ?? ?? ?? ??; waste: 3C"))
        shown = verdict(page)
        assert "95%" not in shown
        assert "seed" not in shown


def test_a_picture_explains_floor_cross_and_melds(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        start(page)
        page.locator("summary", has_text="what is what?").click()
        page.get_by_role("img", name="a table of Makiaveli: floor, cross and hand").wait_for()
        assert page.locator("dt").all_inner_texts() == ["Floor", "Meld", "Cross", "Hand"]


def test_what_a_link_says_is_never_executed(browser: Browser, address: str) -> None:
    with opened(browser, "about:blank") as page:
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(f"{address}/?p=makiaveli hand: <img src=x onerror=alert(1)><script>alert(2)</script>")
        page.get_by_text("This link holds no table").wait_for()
        page.wait_for_timeout(500)
        assert dialogs == []
        assert page.locator("img[src=x]").count() == 0


def test_what_the_page_waits_for_is_told_in_one_line_and_not_faded(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        start(page)
        still(page)
        height, opacity = page.locator(".app").evaluate(
            """(box) => { const { app } = box.getRootNode();
            app.server.busy("Getting the photo ready ...");
            const around = box.getRootNode().host.closest("[data-stale]");
            around.dataset.stale = "true";
            around.style.transition = "none";
            const pill = getComputedStyle(box, "::after");
            return [parseFloat(pill.height), getComputedStyle(around).opacity]; }"""
        )
        assert height < 60
        assert opacity == "1"


def test_a_table_is_laid_by_hand_for_the_game_of_the_last_table(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "klondike columns: [KS] | - | - | - | - | - | -")) as page:
        page.get_by_role("button", name="New table").click()
        start(page)
        page.locator("summary", has_text="Lay the table out").click()
        assert page.get_by_label("Game", exact=True).input_value() == "klondike"
