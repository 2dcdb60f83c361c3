"""What a reading asks, in a browser: each doubt is settled with a piece of the photo."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from tests.webapp.actions import (
    answer_all,
    choose_photo,
    kept,
    line,
    link,
    opened,
    seen,
    show,
    start,
    still,
    tone,
    top_of,
    until,
    verdict,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


BOTTOM_AND_TOP = """asked => [
    asked.querySelector("h2").getBoundingClientRect().bottom,
    asked.querySelector(".piece").getBoundingClientRect().top,
]"""
"""Where the text of a question ends and where its piece of the photo begins, at one moment."""


def test_where_the_picture_ends_another_photo_is_offered_with_the_question(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "cut.jpg")
        page.locator(".asking").get_by_text("The picture ends at J♠").wait_for()
        assert "Take another photo" in page.locator(".asking .more > *").first.inner_text(), "before any card by hand"
        page.locator(".asked .piece").wait_for()
        bottom, top = page.locator(".asked").evaluate(BOTTOM_AND_TOP)  # the sheet may still slide in
        assert bottom <= top, "beside the piece a long text would take many lines"
        choose_photo(page, "sure.jpg", label="Take another photo")
        page.locator(".alert[data-tone=good], .alert[data-tone=bad]").first.wait_for()
        assert page.locator(".asking").is_hidden()


def test_a_spot_that_may_be_a_card_is_shown_with_what_lies_round_it(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "spot.jpg")
        page.locator(".asking").get_by_text("Does a card lie here?").wait_for()
        shown = page.locator(".asking canvas")
        shape = "(canvas) => canvas.width / canvas.height"  # the spot is three times as high as it is wide
        until(page, lambda: shown.count() and shown.evaluate(shape) > 0.7, "the spot with half a card at each side")


def test_doubts_are_settled_with_a_large_upright_piece_of_the_photo(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        piece = page.locator(".asking .piece").first
        piece.wait_for()
        assert (page.locator(".asking").bounding_box() or {"height": 999})["height"] < 240, "the photo stays in view"
        assert (piece.bounding_box() or {"width": 0})["width"] >= 100
        assert page.locator(".frame svg circle").count() == 5, "each question is marked in the photo"
        marks = page.locator(".frame svg circle + text").all_text_contents()
        assert marks == ["?"] * 5, "no number that could be taken for a column's"
        widths = "all => all.map((one) => one.getBoundingClientRect().width)"
        assert 0 < max(page.locator(".frame svg circle").evaluate_all(widths)) < 20, "it hides no card"
        assert page.locator(".bar").is_hidden(), "one thing is asked at a time"
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
        page.locator(".asking").get_by_text("4 left").wait_for()


def test_what_was_open_stays_open_where_the_photo_is_gone(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        assert tone(page) == "open"
        until(page, lambda: page.url.endswith("&open=5"), "the address tells of the questions")
        steps = page.evaluate("history.length")
        page.locator(".asking .card-answer").first.click()
        until(page, lambda: page.url.endswith("&open=4"), "and of an answer")
        assert page.evaluate("history.length") == steps, "that is no step of its own for the Back button"
        shared = page.url
    with opened(browser, shared) as page:  # where that photo is not kept
        assert "First guess" in verdict(page)
        assert tone(page) == "open"
        page.locator(".asking").get_by_role("button", name="Yes, they are").click()
        until(page, lambda: tone(page) != "open", "it is as sure as whoever says so")
        until(page, lambda: "open=" not in page.url, "that is told, too")
        page.reload()
        verdict(page)
        assert tone(page) != "open"


def test_the_table_of_a_photo_before_comes_back_with_its_own_doubts(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        assert tone(page) == "open"
        until(page, lambda: page.url.endswith("&open=5"), "the address tells of the questions")
        choose_photo(page, "after.jpg", label="A better photo")
        until(page, lambda: tone(page) == "good", "the other photo leaves nothing open")
        page.go_back()
        until(page, lambda: "First guess" in verdict(page), "what was a guess is one")
        assert page.locator(".photo").count() == 0, "the other photo shows another table"
        page.go_forward()
        until(page, lambda: page.locator(".photo").count() == 1, "its photo is still kept")
        assert tone(page) == "good"


def test_two_quick_taps_answer_one_question(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.locator(".asking").get_by_text("5 left").wait_for()
        assert not page.locator(".asking .card-answer").first.evaluate(ANSWERS_AND_HITS_THE_NEXT)
        page.locator(".asking").get_by_text("4 left").wait_for()
        page.locator(".asking .card-answer").first.click()
        page.locator(".asking").get_by_text("3 left").wait_for()  # a tap after a look counts


def test_each_card_that_is_asked_about_is_marked_and_their_number_stands_once(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "in_hand.jpg")
        page.locator(".asking").get_by_text("Do 9♠, 10♠ and J♠ lie in the hand or on the floor?").wait_for()
        assert page.locator(".frame svg polygon[stroke='#ffd23f']").count() == 3
        assert page.locator(".frame svg circle").count() == 1


def test_a_card_of_a_meld_that_cannot_be_right_is_shown_with_what_lies_round_it(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "sure.jpg")
        verdict(page)
        page.locator(".felt .card[data-place='floor/0/2']").click()  # nothing lies on it
        page.locator(".sheet .suit [data-card='KD']").click()
        page.locator(".felt .card[data-place='floor/0/2'][aria-label$=', fault']").click()
        page.locator(".sheet .region").wait_for()
        page.get_by_role("button", name="Add a card beside it").click()
        page.locator(".sheet h2", has_text="Add cards: meld 1").wait_for()


def test_in_large_text_no_question_no_step_and_no_verdict_covers_the_table(browser: Browser, made: str) -> None:
    larger = "document.documentElement.style.setProperty('font-size', '200%', 'important')"
    with opened(browser, "about:blank") as page:
        page.add_init_script(f"addEventListener('DOMContentLoaded', () => {larger})")
        page.goto(made)
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.locator(".large-text").wait_for()
        (asked, table) = (page.locator(name).bounding_box() or {} for name in (".asking", ".stage"))
        assert asked["y"] + asked["height"] <= table["y"]
        page.goto(link(made, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"))
        verdict(page)
        hidden = page.locator(".st-key-views").evaluate("(e) => e.scrollWidth - e.clientWidth")
        assert hidden <= 0, "each view can be chosen"
        bar, slider, table, tools = (
            page.locator(name).bounding_box() or {} for name in (".bar", ".bar input", ".stage", ".app > .tools")
        )
        page.get_by_role("button", name="Next step").click()
        page.locator(".bar .text", has_text="Step 1 of").wait_for()
        longest = page.locator(".bar").bounding_box() or {}
        assert max(bar["height"], longest["height"]) < 844 / 4
        assert slider["x"] + slider["width"] <= bar["x"] + bar["width"], "none of it is cut"
        assert table["y"] < tools["y"], "what is asked for comes first"
        page.goto(link(made, "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 3S"))
        verdict(page)
        assert page.locator(".verdict .about").is_hidden()


def test_the_text_is_as_large_as_the_browser_is_set_to(browser: Browser, made: str) -> None:
    with opened(browser, "about:blank") as page:
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
        page.goto(link(made, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"))
        verdict(page)
        page.locator(".large-text").wait_for(timeout=20_000)


def test_what_is_not_sure_is_put_off_and_comes_back(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        for _ in range(5):
            page.get_by_role("button", name="Not sure").click()
        page.locator(".asking").wait_for(state="hidden")
        assert page.locator(".alert.good, .alert.bad").count() == 0, "what nobody has settled is not believed"
        page.get_by_role("button", name="5 questions").click()
        page.locator(".asking [data-card='KD']").click()
        page.wait_for_url(lambda url: "KD" in url)
        still(page)
        for _ in range(4):
            page.get_by_role("button", name="Not sure").click()
        page.get_by_role("button", name="4 questions").click()
        page.get_by_text("4 left", exact=True).wait_for()  # what is left is counted anew, as its button counts it
        assert answer_all(page) == 4


def test_many_doubts_are_asked_together_and_one_that_is_wrong_by_itself(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "worst.jpg")
        verdict(page)
        cells = page.locator(".asking .cell")
        assert cells.count() == page.locator(".asking .cell .piece").count() == 8, "each is seen before it is believed"
        first = cells.first.inner_text().split()[-1]
        cells.first.click()
        page.locator(".asking [data-card='KD']").click()
        page.wait_for_url(lambda url: "KD" in url)
        still(page)
        assert cells.count() == 8
        assert first not in page.locator(".asking").inner_text()
        assert answer_all(page, 10) <= 8, "with the two for the wrong card ten taps"
        page.locator(".asking").wait_for(state="hidden")


def test_seven_cards_are_all_right_with_one_tap(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "seven.jpg")
        verdict(page)
        until(page, lambda: page.locator(".asking .cell .piece").count() == 7, "each is seen before it is believed")
        assert answer_all(page, 1) == 1


def test_where_very_much_is_open_a_better_photo_is_offered_before_anything_is_asked(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "hard.jpg")
        verdict(page)
        row = page.locator(".asking")
        row.get_by_text("Much of this is hard to read.").wait_for()
        numbers = page.locator(".frame svg circle")
        assert numbers.count() == 0, "so many would hide the photo"
        assert row.locator(".answer, .cell").count() == 0
        row.get_by_role("button", name="Answer what matters most first").click()
        row.locator(".cell").first.wait_for()
        assert 0 < numbers.count() <= 8, "only those of what is asked now"
        page.get_by_role("button", name="New table").click()
        start(page)
        choose_photo(page, "hard.jpg")
        verdict(page)
        choose_photo(page, "sure.jpg", label="A better photo")
        page.locator(".alert.bad").wait_for()
        assert row.is_hidden()


def test_which_game_it_is_comes_before_a_better_photo(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "scattered.jpg")
        verdict(page)
        row = page.locator(".asking")
        row.get_by_text("Is this Makiaveli?").wait_for()
        row.get_by_role("button", name="Yes").click()
        row.get_by_text("Much of this is hard to read.").wait_for()


def test_a_picture_that_is_not_there_for_a_moment_is_asked_for_again(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        gone: list[str] = []

        def answer(route: Route) -> None:
            gone.append(route.request.url)
            if gone.count(route.request.url) > 1:
                route.continue_()
            else:
                route.fulfill(status=404)

        page.route("**/media/**", answer)
        choose_photo(page, "doubts.jpg")
        page.locator(".asking .piece").first.wait_for()
        assert len(gone) > 1


def test_a_notice_covers_no_question(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        notice, row = page.locator(".notice .alert"), page.locator(".asking")
        row.locator(".piece").wait_for()
        page.locator(".app").evaluate(PUTS_A_CARD_WRONG)
        notice.get_by_text("On this foundation").wait_for()

        def is_above() -> bool:
            above, below = (each.bounding_box() or {"y": 0, "height": 999} for each in (notice, row))
            return bool(above["y"] + above["height"] <= below["y"])

        until(page, is_above, "the whole question is seen")
        page.locator("[data-testid='stMain']").evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
        page.wait_for_timeout(200)
        assert is_above(), "nor at the end of the page"


def test_what_is_left_is_counted_down_while_a_notice_stands(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.locator(".app").evaluate(MISSPELLS_THE_HAND)
        page.locator(".notice .alert").get_by_text("The hand: 4X is no card.").wait_for()
        row = page.locator(".asking")
        row.get_by_text("5 left").wait_for()
        row.locator(".answer").first.click()
        row.get_by_text("4 left").wait_for()
        still(page)
        assert "4 left" in row.inner_text()


def test_a_card_that_is_chosen_from_all_counts_as_an_answer(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        row = page.locator(".asking")
        row.get_by_text("5 left").wait_for()
        row.get_by_role("button", name="Another").click()
        page.locator("dialog .deck [data-card='KC']").click()
        row.get_by_text("4 left").wait_for()
        page.get_by_role("button", name="Undo").click()
        row.get_by_text("5 left").wait_for()


def test_of_another_reading_of_a_table_it_is_told_what_is_left(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        row = page.locator(".asking")
        row.get_by_role("button", name="Another", exact=True).click()
        page.locator("dialog [data-card='2C']").click()  # as it is in the other reading: no card lies twice
        row.get_by_text("4 left").wait_for()
        still(page)
        page.get_by_label("Read this photo as another game").select_option("klondike")
        row.get_by_text("2 left").wait_for()  # the cards face down of a column, then the rules
        page.get_by_role("button", name="New table").click()
        start(page)
        choose_photo(page, "doubts.jpg")
        row.get_by_text("5 left").wait_for()


def test_a_photo_of_another_game_is_read_as_that_from_the_question(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "which.jpg")
        row = page.locator(".asking")
        row.get_by_text("Is this Klondike?").wait_for()
        still(page)
        row.get_by_label("Read this photo as another game").select_option("tomb_double")
        page.locator(".felt[data-game='tomb_double']").wait_for()  # where the stock is told, and no more a pile
        page.locator(".felt [data-card='2C']").first.wait_for()
        assert not row.is_visible()


@pytest.mark.parametrize(("photo", "place"), [("many", "floor/0/0"), ("low", "hand/0")])
def test_a_large_table_scrolls_above_its_open_question(browser: Browser, made: str, photo: str, place: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, f"{photo}.jpg")
        verdict(page)
        page.locator(".asking .piece").wait_for()
        still(page)
        pile = f".felt [data-place='{place}']"

        def box(of: str) -> tuple[float, float]:
            found = page.locator(of).bounding_box() or {"y": 0, "height": 999}
            return found["y"], found["y"] + found["height"]

        until(page, lambda: box(".cloth")[1] <= box(".asking")[0], "the question covers none of the table")
        assert page.locator(".cloth.scrolls").evaluate("(e) => e.scrollHeight > e.clientHeight")
        until(page, lambda: box(".cloth")[0] <= box(pile)[0], "the pile does not begin above the table")
        until(page, lambda: box(pile)[1] <= box(".cloth")[1], "the pile ends within the table")


def test_cards_face_down_are_counted_where_they_are_asked_about(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        row = page.locator(".asking")
        assert "How many face down in column 2?" in row.inner_text()
        assert not row.get_by_text("Outlined").count(), "no answer stands out"
        row.get_by_role("button", name="1", exact=True).click()
        page.wait_for_url(lambda url: "[7C]" in url or "%5B7C%5D" in url)
        still(page)
        assert "| ?? [7C] |" in line(page)
        row.get_by_text("Do you turn one card or three?").wait_for()


def test_the_hidden_cards_of_several_columns_are_counted_at_a_glance(browser: Browser, made: str) -> None:
    one, many = "1 card is missing: there are 51 instead of 52", "21 cards are missing: there are 31 instead of 52"
    for answer, told, missing in (
        ("All of these are right", "| [4D] | ?? ?? [5S] | ?? ?? ?? [6H] | ?? ?? ?? ?? [7S] |", one),
        ("No card is face down", "| [4D] | [5S] | [6H] | [7S] | [8H] | [9S];", many),
    ):
        with opened(browser, made) as page:
            start(page)
            choose_photo(page, "columns.jpg")
            verdict(page)
            row, cells = page.locator(".asking"), page.locator(".asking .cell")
            row.get_by_role("button", name="All of these are right").click()  # the two cards
            row.get_by_text("column 2: 1").wait_for()
            read = [cell.split("\n")[-1] for cell in cells.all_inner_texts()]
            assert read == [f"column {n}: {n - 1}" for n in range(2, 8)], "each is seen before it is believed"
            assert all(cells.evaluate_all(HOLDS_ITS_WORDS)), "no words reach out of their tile"
            if answer.startswith("All"):
                cells.first.click()
                assert row.locator(".likely").all_inner_texts() == ["0", "1"]
                assert row.locator(".likely.first").all_inner_texts() == ["1"]
                row.get_by_text("Filled: most likely.").wait_for()
                row.get_by_role("button", name="0", exact=True).click()
                until(page, lambda cells=cells: cells.count() == 5, "what was answered by itself is asked no more")
            row.get_by_role("button", name=answer).click()
            until(page, lambda wanted=told: wanted in line(page), "the table is as was answered")
            page.locator(".alert").get_by_text(missing).wait_for()
            until(page, lambda row=row: row.inner_text() == "", "the rules are asked once the table breaks none")


def test_what_was_looked_at_in_a_photo_need_not_be_looked_at_again_after_a_reload(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        still(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.locator(".asking").get_by_text("5 left").wait_for()
        page.locator(".asking .answer").first.click()
        page.locator(".asking").get_by_text("4 left").wait_for()
        until(
            page, lambda: (kept(page, "photo") or {}).get("kept", {}).get("settled", {}).get("answered"), "it is kept"
        )
        page.reload()
        page.locator(".frame img").wait_for()
        page.locator(".asking").get_by_text("4 left").wait_for()
        answer_all(page)
        page.locator(".alert.bad").wait_for()
        until(page, lambda: len(kept(page, "photo")["kept"]["settled"]["answered"]) == 5, "it is kept")
        page.reload()
        page.locator(".frame img").wait_for()
        page.locator(".alert.bad").wait_for()


def test_a_typo_in_the_hand_is_told_as_one(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "handless.jpg")
        assert "Which cards are in your hand?" in verdict(page)
        assert page.locator(".asking").is_hidden(), "the hand is asked for once, and nothing offers that none is right"
        field = page.get_by_role("textbox", name="The cards of your hand")
        field.press_sequentially("3S 4X 5S")  # key by key, as a keyboard does
        page.get_by_role("button", name="Put into the hand").click()
        page.locator(".alert.warn", has_text="The hand: 4X is no card.").wait_for()
        still(page)
        assert page.get_by_text("could not be read").count() == 0
        assert page.locator(".frame img").count() == 1, "the photo is still there"
        field.fill("3S 4S 5S")
        page.get_by_role("button", name="Put into the hand").click()
        page.locator(".felt [data-place='hand/2']").wait_for()
        still(page)
        assert page.locator(".alert.warn", has_text="The hand").count() == 0
        assert page.get_by_role("button", name="1 question").count() == 0, "the hand is there now"


def test_who_has_no_card_left_says_so_with_one_tap(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "handless.jpg")
        verdict(page)
        page.get_by_role("button", name="None, I have no cards left").click()
        page.get_by_role("heading", name="Already won").wait_for()
        still(page)
        assert tone(page) == "good"
        assert page.locator(".asking").is_hidden()


def test_rules_of_the_table_before_are_suggested_and_cover_nothing(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        answer_all(page)
        page.get_by_role("button", name="New table").click()
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        assert page.locator(".notice .alert").count() == 0
        page.locator(".asking .answer").first.click()
        suggested = page.get_by_role("button", name="One card, as last time")
        suggested.wait_for()
        page.get_by_role("radio", name="Turn 3", exact=True).click()
        suggested.wait_for(state="detached")


def test_a_card_is_shown_whole_where_its_piece_was_tapped(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        page.add_init_script(
            "const scale = CanvasRenderingContext2D.prototype.scale;"
            "CanvasRenderingContext2D.prototype.scale = function (by, ...more) {"
            " this.canvas.dataset.scale = by; return scale.call(this, by, ...more); };"
        )
        page.reload()
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        piece = page.locator(".asking .piece")
        piece.wait_for()
        shown = "(e) => e.height / e.dataset.scale"  # px of the photo, where each card is 50 wide and 70 high
        assert piece.evaluate(shown) < 70
        page.get_by_role("button", name="Make the picture larger").click()
        page.locator(".asked.large").wait_for()
        assert 70 <= piece.evaluate(shown) < 100


def test_a_question_about_a_suit_begins_with_the_large_piece(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "suit.jpg")
        page.locator(".asked.large .piece").wait_for()
        page.get_by_role("button", name="Make the picture smaller").click()
        page.locator(".asked:not(.large) .piece").wait_for()


def test_the_numbers_of_backs_lie_on_their_strips_and_not_over_each_other(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        page.add_init_script(
            "window.numbers = []; const fill = CanvasRenderingContext2D.prototype.fillText;"
            "CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {"
            " if (text === 1) window.numbers = []; window.numbers.push([text, x, y, this.canvas.width]);"
            " return fill.call(this, text, x, y); };"
        )
        page.reload()
        start(page)
        choose_photo(page, "backs.jpg")
        verdict(page)
        page.locator(".asking .piece").wait_for()
        numbers = page.evaluate("window.numbers")
        assert [number for number, *_ in numbers] == [1, 2, 3]
        assert all(abs(a[1] - b[1]) >= 26 or abs(a[2] - b[2]) >= 26 for a, b in combinations(numbers, 2))
        assert all(0.4 * wide < x < 0.6 * wide for _, x, _, wide in numbers), "on the middle line"
        heights = [y for *_, y, _ in numbers]
        assert heights == sorted(heights, reverse=heights[0] > heights[-1]), "in order"


ANSWERS_AND_HITS_THE_NEXT = """(answer) => {
  const root = answer.getRootNode();
  answer.click();
  const next = root.querySelector(".asking .card-answer"), { left, top, width, height } = next.getBoundingClientRect();
  return next.contains(root.elementFromPoint(left + width / 2, top + height / 2)); }"""
PUTS_A_CARD_WRONG = "(e) => e.getRootNode().app.send('add', { path: 'foundations/H', card: '2C' })"
MISSPELLS_THE_HAND = "(e) => e.getRootNode().app.send('hand', { text: '4X' })"
HOLDS_ITS_WORDS = """cells => cells.map((one) => {
  const { paddingLeft, paddingRight } = getComputedStyle(one);
  return one.lastElementChild.offsetWidth <= one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight); })"""


def test_photo_and_table_stay_as_large_from_one_question_to_the_next(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "doubts.jpg")
        verdict(page)
        page.locator(".asking .piece").first.wait_for()
        still(page)
        page.locator(".asking").get_by_role("button", name="Not sure").click()
        still(page)
        sizes = []
        for height in ("", "320px"):  # of what is asked next
            page.locator(".asking").evaluate("(e, height) => (e.style.minHeight = height)", height)
            page.locator(".app").evaluate("(box) => void box.getRootNode().app.fit()")
            sizes.append([(page.locator(of).first.bounding_box() or {})["height"] for of in (".frame", ".felt")])
        assert sizes[0] == sizes[1]


def test_a_card_low_on_the_photo_stays_in_view_above_its_sheet(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        still(page)
        choose_photo(page, "low.jpg")
        verdict(page)
        show(page, "Photo")
        low = page.locator(".photo [data-number='76']")
        lay = low.bounding_box() or {}
        page.mouse.click(lay["x"] + lay["width"] / 2, lay["y"] + lay["height"] / 2)
        sheet = page.locator("dialog[open]")
        sheet.wait_for()
        assert lay["y"] > top_of(sheet)
        until(page, lambda: 0 <= top_of(low) < top_of(sheet) - 20, "the card lies above the sheet")
        page.keyboard.press("Escape")
        until(page, lambda: low.bounding_box() == lay, "all lies as before")
