"""What a reading asks, in a browser: each doubt is settled with a piece of the photo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.webapp.actions import choose_photo, kept, line, opened, seen, show, start, still, until, verdict

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_doubts_are_settled_with_a_large_upright_piece_of_the_photo(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        piece = page.locator(".doubts .piece").first
        piece.wait_for()
        for row in page.locator(".doubts .doubt").all():
            assert (row.bounding_box() or {"height": 999})["height"] < 140, "a doubt takes three lines at the most"
        assert (piece.bounding_box() or {"width": 0})["width"] >= 80
        show(page, "Photo")
        overlaps = page.locator(".frame svg").evaluate(
            """(svg) => { const plates = [...svg.querySelectorAll('rect')].map((r) => r.getBBox());
            const over = (a, b) => Math.max(0, Math.min(a.x + a.width, b[2]) - Math.max(a.x, b[0])) *
              Math.max(0, Math.min(a.y + a.height, b[3]) - Math.max(a.y, b[1]));
            const indices = plates.map((_, n) => { const x = 20 + 60 * (n % 10), y = 20 + 90 * Math.floor(n / 10);
              return [x + 3, y + 3, x + 13, y + 25]; });
            return plates.length * plates.filter((p) => indices.some((i) => over(p, i) > 1)).length; }"""
        )
        assert overlaps == 0, "no label covers an index"
        inner = page.locator(".frame .inner")
        wide = (inner.bounding_box() or {"width": 0})["width"]
        page.get_by_role("button", name="Zoom in").click()
        assert (inner.bounding_box() or {"width": 0})["width"] > 1.4 * wide
        page.get_by_role("button", name="Zoom out").click()
        page.get_by_role("button", name="Full screen").click()
        box = page.locator(".photo.full").bounding_box() or {"width": 0, "height": 0}
        assert (box["width"], box["height"]) == (390, 844), "the whole window is the photo's"
        page.get_by_role("button", name="Full screen").click()
        page.locator(".frame").click(position={"x": 25, "y": 30})
        seen(page, "dialog.sheet .piece")
        assert (page.locator("dialog.sheet .piece").bounding_box() or {"width": 0})["width"] >= 150
        assert page.locator("dialog.sheet .likely").count() == 3
        assert page.locator("dialog.sheet .deck .pick").count() == 52
        page.locator("dialog.sheet").get_by_role("button", name="is right").click()
        page.get_by_text("Please check 4 things").wait_for()


def test_cards_face_down_are_counted_where_they_are_asked_about(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        row = page.locator(".doubt.check")
        assert "Column 2 may hide" in row.inner_text()
        row.get_by_role("button", name="one more").click()
        page.wait_for_url(lambda url: "[7C]" in url or "%5B7C%5D" in url)
        still(page)
        assert "?? ?? ?? [7C]" in line(page)
        page.get_by_role("button", name="That is right").click()
        row.wait_for(state="detached")


def test_what_was_looked_at_in_a_photo_need_not_be_looked_at_again_after_a_reload(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        still(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.get_by_text("Please check 5 things").wait_for()
        page.locator(".doubts .doubt").first.get_by_role("button", name="is right").click()
        page.get_by_text("Please check 4 things").wait_for()
        until(page, lambda: (kept(page, "photo") or {}).get("kept", {}).get("settled", {}).get("checked"), "it is kept")
        page.reload()
        page.locator(".frame img").wait_for()
        page.get_by_text("Please check 4 things").wait_for()
        page.get_by_role("button", name="Yes, this is my table").click()
        page.locator(".alert.bad").wait_for()
        until(page, lambda: kept(page, "photo")["kept"]["settled"]["vouched"], "it is kept")
        page.reload()
        page.locator(".frame img").wait_for()
        page.locator(".alert.bad").wait_for()


def test_a_typo_in_the_hand_is_told_as_one(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "handless.jpg")
        assert "Which cards are in your hand?" in verdict(page)
        assert page.locator(".doubts .doubt").count() == 0, (
            "the hand is asked for once, and nothing offers that none is right"
        )
        field = page.get_by_role("textbox", name="The cards of your hand")
        field.fill("3S 4X 5S")
        page.get_by_role("button", name="Put into the hand").click()
        page.locator(".alert.warn", has_text="The hand: At character 4").wait_for()
        still(page)
        assert page.get_by_text("could not be read").count() == 0
        assert page.locator(".frame img").count() == 1, "the photo is still there"
        field.fill("3S 4S 5S")
        page.get_by_role("button", name="Put into the hand").click()
        page.locator(".felt [data-place='hand/2']").wait_for()
        still(page)
        assert page.locator(".alert.warn", has_text="The hand").count() == 0
