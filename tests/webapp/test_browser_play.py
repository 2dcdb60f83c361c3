"""The games that are played in a browser: Klondike and Makiaveli."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pytest

from solver import parse
from solver.cards import deck, parse_cards
from solver.klondike import random_deal
from solver.makiaveli import game as makiaveli_game
from tests.webapp.actions import WAIT, centre, keep, kept, link, opened, still, top_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

QUIET = str(random_deal(63))
"""A deal with all aces face down: whatever the stock turns up, nothing plays itself."""
TAPS = """([place, times]) => {
  const next = () => {
    const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter((e) => e);
    const found = roots.map((e) => e.querySelector(place)).find((e) => e && !e.disabled);
    if (found) found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    times -= found ? 1 : 0;
    if (times) setTimeout(next, 10);
  };
  next();
}"""
"""Taps on a place of the board or on a button, in quicker succession than the page can be drawn."""

STATE_AT_ONCE = """() => {
  const show = HTMLDialogElement.prototype.showModal;
  HTMLDialogElement.prototype.showModal = function () {
    show.call(this);
    window.isOffAtOnce = this.querySelector(".say button").disabled;
  };
}"""
"""Notes of a sheet, as it opens, whether its first button cannot be tapped."""


def stands(element: Locator) -> bool:
    """Waits until an element stands still, which a forced click does not; False where it is drawn anew meanwhile."""
    from playwright.sync_api import Error

    try:
        element.scroll_into_view_if_needed()
    except Error as error:
        if "not attached" in str(error):
            return False
        raise
    return True


TO_TOP = "document.querySelectorAll('*').forEach((box) => box.scrollTo({ top: 0, behavior: 'instant' }))"


def lay(page: Page, deal: str, moves: Sequence[str] = ()) -> None:
    """Has the page of Klondike hold a game that was played so far."""
    page.get_by_role("button", name="New deal").wait_for()
    still(page)
    keep(page, "game:klondike", {"deal": str(parse(deal)), "moves": list(moves)})
    page.reload()
    page.locator(".felt [data-card]").first.wait_for()
    still(page)


def test_no_tap_of_several_in_quick_succession_is_lost_and_none_is_served_twice(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike", 1280) as page:
        lay(page, QUIET)
        for place, moves in (
            ("[data-place=stock]", "Moves: 12."),
            ("[data-name=undo]", "Moves: 0."),
            ("[data-name=draw]", "Moves: 12."),
        ):
            page.get_by_text("Home:").wait_for()
            page.evaluate(TAPS, [place, 12])
            page.get_by_text(moves).wait_for()
            page.wait_for_timeout(500)
            still(page)
            assert page.get_by_text(moves).count() == 1


def test_back_closes_the_question_which_card_was_turned(browser: Browser, address: str) -> None:
    table = "klondike draw: 1; columns: ?? [QH] | [KS] | - | - | - | - | -; foundations: C13 D13 H11 S10; stock: ?? ??"
    with opened(browser, link(address, table)) as page:
        page.evaluate(STATE_AT_ONCE)
        page.get_by_role("button", name="Play on", exact=True).click()
        page.get_by_role("button", name="Turn the stock").click()
        asked = page.locator("dialog[open]")
        asked.wait_for()
        assert page.evaluate("isOffAtOnce"), "a second tap on what it slides over deals no cards"
        still(page)
        by_chance = asked.get_by_role("button", name="Deal the hidden cards by chance")
        assert top_of(by_chance) < top_of(asked.locator(".suit").first), "who replays a game does not know the card"
        entries = page.evaluate("history.length")
        page.go_back()
        asked.wait_for(state="detached")
        until(page, lambda: "/klondike" in page.url, "the address is the game's again")
        page.wait_for_timeout(500)
        still(page)
        assert (asked.count(), page.evaluate("history.length")) == (0, entries)
        for its_place in ("waste/", "stock"):  # the back itself, and the stock, which turns no other card meanwhile
            page.locator(f".felt [data-place^='{its_place}']").first.click()
            asked.wait_for()
            page.keyboard.press("Escape")
            asked.wait_for(state="detached")
        page.get_by_role("button", name="Which card?").click()
        by_chance.click()
        page.get_by_text("of 52. Hidden cards by chance.").wait_for()
        page.go_back()
        page.get_by_role("button", name="Play on", exact=True).wait_for()


def test_why_a_tap_did_nothing_goes_by_itself_and_is_told_again(browser: Browser, address: str) -> None:
    table = "klondike draw: 1; columns: ?? [QS] | [KS] | - | - | - | - | -; foundations: C13 D13 H11 S10; stock: ?? ??"
    with opened(browser, link(address, table)) as page:
        page.get_by_role("button", name="Play on", exact=True).click()
        page.get_by_text("Moves: 0.").wait_for()
        for _ in range(2):
            page.locator(".felt [data-card='QS']").click()
            told = page.locator(".notice", has_text="has no place to go now.")
            told.wait_for()
            told.wait_for(state="detached")


def test_the_rules_of_the_next_deal_are_no_switch_of_the_game_that_is_played(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        lay(page, QUIET)
        of_next = page.get_by_role("radio", name="Turn 3", exact=True)
        assert of_next.is_hidden()
        page.locator("summary", has_text="The next deal").click()
        of_next.click()
        page.locator("[aria-checked=true]", has_text="Turn 3").wait_for()


def test_a_card_of_a_tomb_is_turned_onto_the_waste_that_is_tapped(browser: Browser, address: str) -> None:
    table = "tomb_double foundations: C14; tableau: KD | 5H | QH | 6S; reserves: 8C | 9C | TD | KH; wastes: 3H |-|-|-|-"
    with opened(browser, link(address, table)) as page:
        page.get_by_role("button", name="Play on", exact=True).click()
        page.locator("[data-place=stock]").click()
        page.locator("[data-place='wastes/1/+']").first.click()
        asked = page.locator("dialog[open]")
        asked.get_by_text("Which card was turned? (waste 2)").wait_for()
        asked.locator("[data-card='KC']").click()
        asked.get_by_text("K♣\ufe0e is on the table already: foundation of clubs.").wait_for()
        asked.locator("[data-card='5H']").click()  # its other copy
        page.locator("[data-place='wastes/1/0'][data-card='5H']").first.wait_for()
        page.reload()
        page.get_by_text("Moves: 1. Home: 14 of 104.").wait_for()
        page.locator("[data-place='wastes/1/0'][data-card='5H']").first.wait_for()
    with opened(browser, link(address, table).replace("?", "tomb?")) as page:  # a browser that has kept no game
        page.get_by_text("Moves: 0. Home: 14 of 104.").wait_for()


@pytest.mark.parametrize("game", ["klondike", "makiaveli"])
def test_a_game_that_has_not_begun_shows_no_bar_of_steps(browser: Browser, address: str, game: str) -> None:
    with opened(browser, f"{address}/{game}") as page:
        page.get_by_role("button", name=re.compile("New (deal|game)")).wait_for()
        still(page)
        assert page.locator(".bar").is_hidden()


def test_playing_klondike_tells_no_hidden_card(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike", 1280) as page:
        lay(page, QUIET)
        told, next_ones = page.locator(".rules .told"), page.locator(".rules summary")
        assert top_of(told) < top_of(next_ones), "the rules of this game come first"
        for turned in range(6):
            movable = page.locator(".felt button.card[data-card]:not([data-card='??']):not(.empty)")
            for number in range(movable.count()):
                card = movable.nth(number)
                until(page, partial(stands, card), "the card stands still")
                card.hover(position={"x": 6, "y": 6}, force=True)
                words = page.locator(".app").evaluate(
                    "(e) => e.innerText + [...e.querySelectorAll('[aria-label],[title]')]"
                    ".map((x) => `${x.ariaLabel} ${x.title}`).join()"
                )
                assert "turns up" not in words
                open_cards = page.locator(".felt .card").evaluate_all("(e) => e.map((x) => x.dataset.card)")
                told = re.findall(r"\b(ace|\d+|jack|queen|king) of (clubs|diamonds|hearts|spades)", words)
                assert {f"{'10' if r == '10' else r[0].upper()}{s[0].upper()}" for r, s in told} <= {
                    card.replace("T", "10") for card in open_cards
                }
            moves = page.locator(".app").evaluate("(e) => e.innerText.match(/Moves: (\\d+)/)[1]")
            assert moves == str(turned)
            page.get_by_role("button", name="Turn the stock").click()
            still(page)


def test_a_card_of_a_game_is_dragged_and_what_can_lose_nothing_plays_itself(browser: Browser, address: str) -> None:
    deal = (
        "klondike draw: 1; moves: run; worrying_back: yes; columns: [KS] | [QH] | [KH] | - | - | - | -;"
        " foundations: C13 D13 H11 S12; stock:; waste:"
    )
    with opened(browser, f"{address}/klondike", 1280) as page:
        lay(page, deal)
        page.locator(".felt [data-card='QH']").hover(position={"x": 10, "y": 10})
        page.mouse.down()
        page.mouse.move(*centre(page, ".felt [data-card='KS']"), steps=5)
        page.mouse.up()
        page.get_by_text("52 of 52").wait_for()
        page.locator(".party").click()
        page.locator(".party").wait_for(state="detached")


def test_a_finger_drags_a_card_at_once_scrolls_beside_it_and_sends_it_home_with_two_taps(
    browser: Browser, address: str
) -> None:
    deal = (
        "klondike draw: 1; moves: run; worrying_back: yes; columns: [KS] | [QH] | [KH] | - | - | - | -;"
        " foundations: C13 D13 H11 S12; stock:; waste:"
    )
    with opened(browser, f"{address}/klondike") as page:
        page.set_viewport_size({"width": 390, "height": 400})
        lay(page, deal)
        fingers = page.context.new_cdp_session(page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            told = [{"x": x, "y": y} for x, y in points]
            fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": told})

        def scrolled() -> float:
            return float(page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop"))

        page.locator(".felt [data-card='QH']").scroll_into_view_if_needed()
        before, (x, y) = scrolled(), centre(page, ".felt [data-card='QH']")
        touch("Start", (x, y))
        for far in (12, 24, 36):
            touch("Move", (x, y - far))
        assert page.locator(".felt .lifted").count() == 1, "a card is dragged at once"
        touch("End")
        assert scrolled() == before
        page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
        felt = page.locator(".felt").bounding_box() or {"x": 0, "y": 0}
        x, y = felt["x"] + 5, felt["y"] + 5
        touch("Start", (x, y))
        for far in range(12, 110, 12):
            touch("Move", (x, y - far))
        until(page, lambda: scrolled() > 0, "a finger beside the cards scrolls")
        touch("End")
        page.locator(".felt [data-card='QH']").scroll_into_view_if_needed()
        point = centre(page, ".felt [data-card='QH']")
        for _ in range(2):
            touch("Start", point)
            touch("End")
        page.get_by_text("52 of 52").wait_for()
        assert page.evaluate("visualViewport.scale") == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_a_drop_or_a_tap_that_is_no_move_is_told_and_leaves_the_board_where_it_is(
    browser: Browser, address: str, width: int
) -> None:
    deal = (
        "klondike draw: 1; moves: run; columns: [JH] | 8H [9H] | - | - | - | - | -; foundations: C13 D13 H7 S8;"
        " stock: 9S TS TH JS QH QS KH KS"
    )
    with opened(browser, f"{address}/klondike", width) as page:
        lay(page, deal)
        before = page.locator(".felt").bounding_box()
        page.locator(".felt [data-card='9H']").hover(position={"x": 10, "y": 10})
        page.mouse.down()
        page.mouse.move(*centre(page, ".felt [data-card='JH']"), steps=5)
        page.mouse.up()
        page.get_by_role("alert").get_by_text("does not go on").wait_for()
        page.locator(".felt [data-card='JH']").click()
        page.get_by_role("alert").get_by_text("J♥ has no place to go now.").wait_for()
        assert page.locator(".felt").bounding_box() == before
        page.get_by_role("button", name="Close").click()
        page.get_by_role("alert").wait_for(state="detached")


def test_a_hint_that_is_played_leaves_the_board_where_it_is(browser: Browser, address: str) -> None:
    deal = (
        "klondike draw: 1; moves: run; columns: 6H 7H 8H 6S 7S [9H] | [JH] | [KC] | - | - | - | -;"
        " foundations: C12 D13 H5 S5; stock: QS KS QH KH TH JS 8S 9S TS"
    )
    with opened(browser, f"{address}/klondike") as page:
        page.set_viewport_size({"width": 390, "height": 560})
        lay(page, deal, ["draw"] * 9)
        page.get_by_role("button", name="Hint").click()
        play, told = page.get_by_role("button", name="Play it"), page.locator(".panel h2")
        play.wait_for()
        still(page)
        play.scroll_into_view_if_needed()
        tops = []
        while told.count():
            play.click()
            still(page)
            tops.append((page.locator(".felt").bounding_box() or {})["y"])
        assert len(tops) >= 1
        assert max(tops) - min(tops) < 1


def test_a_game_that_is_over_leaves_no_room_for_hints(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        lay(page, "klondike draw: 1; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H12 S12; stock: KH")
        tools = page.locator(".tools > button")
        tops = {(tools.nth(n).bounding_box() or {"y": n})["y"] for n in range(tools.count())}
        assert len(tops) == 1, "they stand in one row"
        for name in ("Hint", "Play it", "Give up"):
            page.get_by_role("button", name=name, exact=True).click()
            still(page)
        page.locator(".verdict", has_text="Yes, it could have been won").wait_for()
        felt, bar = (page.locator(of).bounding_box() or {"y": 0, "height": 0} for of in (".felt", ".bar"))
        assert felt["y"] + felt["height"] <= bar["y"], "the table is on one screen"
        page.locator(".panel").wait_for(state="hidden")
        for name in ("Go on playing", "Finish"):
            page.get_by_role("button", name=name, exact=True).click()
            still(page)
        page.locator(".verdict", has_text="You won").wait_for()
        assert page.locator(".panel").is_hidden()


def test_a_hint_that_goes_leaves_no_hole_where_the_page_is_not_scrolled(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        lay(page, QUIET)
        page.locator("[data-place=stock]").click()
        page.get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Play it").wait_for()
        still(page)
        page.evaluate(TO_TOP)
        page.get_by_role("button", name="Undo").click()
        still(page)
        assert page.locator(".panel").is_hidden()


def test_a_hint_of_makiaveli_is_explained_before_it_is_laid_out(browser: Browser, address: str) -> None:
    floor, held = parse_cards("7C 7D 7H"), parse_cards("7S KD")
    left = list(deck(2))
    for card in (*floor, *held):
        left.remove(card)
    game = makiaveli_game.Game((tuple(floor),), (None,) * 4, (tuple(held), tuple(left[:5])), tuple(left[5:]))
    with opened(browser, f"{address}/makiaveli") as page:
        page.get_by_role("button", name="New game").wait_for()
        still(page)
        keep(page, "game:makiaveli", {"game": makiaveli_game.to_json(game), "laid": game.table(0).to_json()})
        page.reload()
        page.locator(".felt [data-place='hand/1']").wait_for()
        still(page)
        page.get_by_role("button", name="Hint").click()
        page.locator(".panel .alert", has_text="You can play 1 card").wait_for()
        still(page)
        assert page.locator(".felt [data-zone=hand] .card[data-card]").count() == 2, "nothing is laid out yet"
        page.get_by_role("button", name="Next step").click()
        assert "7♠" in page.locator(".bar .text").inner_text()
        page.get_by_role("button", name="Lay it out").click()
        page.locator(".felt [data-place='floor/0/3']").wait_for()


def test_a_second_tab_keeps_a_game_of_its_own(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        lay(page, QUIET)
        for moves in ("Moves: 1.", "Moves: 2."):
            page.locator("[data-name=draw]").click()
            page.get_by_text(moves).wait_for()
        still(page)
        other = page.context.new_page()
        other.set_default_timeout(WAIT)
        other.goto(f"{address}/klondike")
        other.get_by_text("Moves: 2.").wait_for()
        still(other)
        other.get_by_role("button", name="New deal").click()
        other.get_by_text("Moves: 0.").wait_for()
        still(other)
        page.reload()
        page.get_by_text("Moves: 2.").wait_for()
        other.reload()
        other.get_by_text("Moves: 0.").wait_for()
        other.close()


def test_a_reload_keeps_the_games_that_are_played(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        lay(page, QUIET)
        page.locator("[data-place=stock]").click()
        page.get_by_text("Moves: 1.").wait_for()
        cards = page.locator(".felt .card").evaluate_all("(e) => e.map((x) => x.dataset.card)")
        until(page, lambda: kept(page, "game:klondike"), "the game is kept")
        page.reload()
        page.get_by_text("Moves: 1.").wait_for()
        assert page.locator(".felt .card").evaluate_all("(e) => e.map((x) => x.dataset.card)") == cards
        page.goto(f"{address}/makiaveli")
        page.get_by_role("button", name="New game").click()
        page.get_by_role("button", name="Draw a card").click()
        page.get_by_text("You: 6").wait_for()
        until(page, lambda: kept(page, "game:makiaveli"), "the game is kept")
        page.reload()
        page.get_by_text("You: 6").wait_for()


def test_who_closes_the_question_for_another_card_has_changed_nothing(browser: Browser, address: str) -> None:
    deal = f"klondike draw: 1; columns: ?? ?? [JH] | [QS] | [4H] | - | - | - | -; stock: {'?? ' * 24}"
    with opened(browser, f"{address}/klondike") as page:
        lay(page, deal, ["T1>T2:1"])
        named, again = page.locator(".felt [data-card='TS']"), page.locator("[data-name=name_again]")
        page.locator("dialog [data-card='TS']").click()
        named.wait_for()
        still(page)
        again.click()
        page.locator("dialog", has_text="now. Which card is right?").wait_for()
        assert page.locator("dialog .now").get_attribute("data-card") == "TS"
        page.locator("dialog").get_by_role("button", name="Close").click()
        still(page)
        assert named.count() == 1
        again.click()
        page.locator("dialog [data-card='9S']").click()
        page.locator(".felt [data-card='9S']").wait_for()
        still(page)
        assert named.count() == 0


def test_the_place_that_a_sheet_asks_about_stays_in_view_above_it(browser: Browser, address: str) -> None:
    deal = f"klondike draw: 1; columns: ?? ?? [JH] | [QS] | [4H] | - | - | - | -; stock: {'?? ' * 24}"
    with opened(browser, f"{address}/klondike") as page:
        lay(page, deal, ["T1>T2:1"])
        asked, place = page.locator("dialog[open]"), page.locator("[data-zone^='columns/0/']").first
        asked.wait_for()

        def is_above() -> bool:
            lies, sheet = place.bounding_box(), asked.bounding_box()
            return bool(lies and sheet and lies["y"] >= 0 and lies["y"] + lies["height"] <= sheet["y"])

        until(page, is_above, "the column that is asked about is seen")


def test_a_card_that_was_named_and_turned_down_again_tells_where_it_lies(browser: Browser, address: str) -> None:
    table = "klondike draw: 1; columns: ?? [KH] | [KS] | - | - | - | - | -; foundations: C13 D13 H11 S10; stock: ?? ??"
    with opened(browser, link(address, table)) as page:
        page.get_by_role("button", name="Play on", exact=True).click()
        page.get_by_role("button", name="Turn the stock").click()
        page.locator("dialog [data-card='QS']").click()
        still(page)
        page.locator("[data-name=undo]").click()
        page.get_by_text("Moves: 0.").wait_for()
        still(page)
        page.locator(".felt [data-card='KH']").click()
        page.locator("dialog [data-card='QS']").click()
        page.locator("dialog", has_text="Q♠ was named before: it lies face down in the stock.").wait_for()
