"""The table in a browser: cards that are changed, its verdict, what is taken away from it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from PIL import Image

from solver import parse
from tests.webapp.actions import (
    NOTATION,
    centre,
    line,
    link,
    open_empty_table,
    opened,
    seen,
    start,
    still,
    tap,
    tone,
    top_of,
    until,
    use_sample,
    verdict,
)
from tests.webapp.browser import served
from tests.webapp.taps import event
from tests.webapp.visitor import visitor

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page


def test_a_card_is_changed_with_a_tap_and_with_the_keyboard(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S"), 1280) as page:
        page.get_by_text("No, you could not have won").first.wait_for()
        tap(page, "hand/2")
        assert page.locator("dialog .pick.now").get_attribute("aria-label") == "6 of spades, as it is now"
        page.locator("dialog [data-card='5S']").click()
        page.get_by_text("Yes, you could have won").first.wait_for()
        assert "5S" in line(page)
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("No, you could not have won").first.wait_for()
        page.locator(".felt [data-place='hand/2']").first.focus()
        page.keyboard.press("Enter")
        page.locator("dialog [data-card='5S']").focus()
        page.keyboard.press("Enter")
        page.get_by_text("Yes, you could have won").first.wait_for()
        tap(page, "hand/0")
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")


def test_an_empty_pile_is_laid_where_its_top_would_lie(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "tomb_single corners: - | - | - | -; spares: - - - -")) as page:
        for pile in ("corner 1", "centre", "spare sixes", "discard"):
            page.locator(".felt").get_by_label(f"empty place, {pile}").first.click()
            page.get_by_role("dialog", name=f"Add cards: {pile}").wait_for()
            page.keyboard.press("Escape")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_one_deck_tomb_fills_the_width(browser: Browser, address: str, width: int) -> None:
    with opened(
        browser, link(address, "tomb_single corners: 7H | - | - | -; spares: KH 8C - -; deck: 49"), width
    ) as page:
        deck, felt = (
            page.locator(found).first.evaluate("(box) => box.getBoundingClientRect().right")
            for found in (".felt [aria-label=deck] .card", ".felt")
        )
        assert 0 < felt - deck < 24


def test_back_closes_an_open_sheet_and_takes_nothing_back(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S")) as page:
        verdict(page)
        tap(page, "hand/2")
        page.locator("dialog [data-card='5S']").click()
        until(page, lambda: "5S" in line(page), "the card is changed")
        still(page)
        tap(page, "hand/0")
        page.go_back()
        page.locator("dialog[open]").wait_for(state="detached")
        until(page, lambda: "5S" in line(page), "the address is the table's again")
        page.go_back()
        until(page, lambda: "6S" in line(page), "without a sheet it undoes")


def test_a_card_is_dragged_to_another_meld(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 7S KD"), 1280) as page:
        verdict(page)
        page.locator(".felt [data-place='hand/0']").hover(position={"x": 8, "y": 8})
        page.mouse.down()
        page.locator(".felt [data-zone='floor/0']").hover(position={"x": 20, "y": 40})
        page.mouse.move(*centre(page, ".felt [data-zone='floor/0']"), steps=4)
        page.mouse.up()
        page.wait_for_url(lambda url: "7H+7S" in url or "7H%207S" in url or "7H 7S" in url)
        assert line(page).endswith("floor: 7C 7D 7H 7S; cross: - - - -; hand: KD")
        assert page.locator("dialog[open]").count() == 0, "a drag is no tap"


MID_GAME = (
    "klondike draw: 1; moves: run; worrying_back: yes; columns: ?? ?? [JH] | [QS] | [3H] | ?? [KD] | - | - | -;"
    f" foundations: C8 D7 H2 S8; stock: {'?? ' * 20}; waste:"
)


def test_a_card_that_is_taken_off_face_down_ones_asks_which_was_turned(browser: Browser, address: str) -> None:
    with opened(browser, link(address, MID_GAME), 1280) as page:
        verdict(page)
        page.locator(".felt [data-card='JH']").hover(position={"x": 10, "y": 10})
        page.mouse.down()
        page.mouse.move(*centre(page, ".felt [data-card='QS']"), steps=5)
        page.mouse.up()
        page.locator("dialog", has_text="Which card was turned?").wait_for()
        page.locator("dialog [data-card='TD']").click()
        until(page, lambda: "?? [TD] | [QS JH]" in line(page), "the game goes on")
        still(page)
        assert tone(page) != "warn"
        tap(page, "columns/2/up/0")
        page.get_by_role("combobox", name="Move to").select_option("foundations/H")
        until(page, lambda: "H3" in line(page), "a card goes onto the foundation that it tops")
        tap(page, "columns/1/up/1")
        page.get_by_role("button", name="No card here").click()
        until(page, lambda: "JH" not in line(page), "the card is gone")
        still(page)
        assert tone(page) != "warn", "the stock is what is not seen"


def test_a_verdict_that_comes_up_moves_no_board_under_the_finger(browser: Browser, address: str) -> None:
    columns = "KD QC JD | ?? [6C] | ?? ?? [8H 7S] | ?? ?? ?? [9D] | ?? ?? ?? ?? [QH] | - | ?? ?? ?? ?? ?? ?? [5S]"
    almost = f"klondike columns: {columns}; foundations: C1 D0 H0 S0; stock: {'?? ' * 24}"
    with opened(browser, link(address, almost)) as page:
        verdict(page)
        top = "(felt) => felt.getBoundingClientRect().top"
        tops = []
        for place, rank, said in (("C", "2", "Go on adding cards"), ("H", "A", "good player wins")):
            tap(page, f"foundations/{place}")
            page.get_by_role("button", name=f"Top card: {rank}", exact=True).click()
            page.locator("dialog").get_by_role("button", name="Close").click()
            page.locator(".verdict", has_text=said).wait_for()
            page.locator(".searching").first.wait_for(state="detached")
            still(page)
            tops.append(page.locator(".felt").evaluate(top))
        assert abs(tops[0] - tops[1]) < 2
        assert page.locator(".verdict .about").is_hidden(), "it is folded in"


def test_a_card_that_is_struck_out_tells_where_it_lies(browser: Browser, address: str) -> None:
    table = "klondike columns: KS | - | - | - | - | - | -; foundations: C13 D13 H13 S11; waste: QS"
    with opened(browser, link(address, table)) as page:
        verdict(page)
        tap(page, "columns/0/up/0")
        sheet = page.locator("dialog.sheet")
        sheet.get_by_text("Struck out: on the table.").wait_for()
        for card, where in (("QS", "Q♠\ufe0e is on the table already: waste."), ("3H", "foundation of hearts.")):
            sheet.locator(f".deck [data-card='{card}']").click()
            sheet.get_by_text(where).wait_for()
        assert sheet.is_visible()


def test_cards_are_added_to_a_pile_with_its_top_named(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "klondike columns: KS | - | - | - | - | - | -")) as page:
        verdict(page)
        page.get_by_role("button", name="Add cards").click()
        tap(page, "waste/+")
        page.locator("dialog.sheet").get_by_text("The card that you add last lies on top.").wait_for()


def test_an_empty_klondike_begins_with_the_rules_that_people_play(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        open_empty_table(page, "klondike")
        page.locator(".felt[data-game=klondike]").wait_for()
        still(page)
        assert "draw: 3;" in line(page)
        assert "moves: run; worrying_back: yes" in line(page)


def test_adding_is_offered_only_while_it_is_off(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli")) as page:
        tools = page.locator(".row.tools")
        page.locator(".plus[data-place='floor/*']").click()
        assert not tools.get_by_role("button").count(), "an empty table is nothing but places to add to"
        page.locator("dialog [data-card='9S']").click()
        page.locator("dialog").get_by_role("button", name="Done").click()
        tools.get_by_role("button", name="Stop adding").click()
        assert page.locator(".plus").count() == 0
        tools.get_by_role("button", name="Add cards").click()
        page.locator(".plus[data-place='floor/*']").wait_for()


def test_a_card_that_was_added_by_mistake_is_taken_back_in_the_sheet(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; hand: 3S")) as page:
        verdict(page)
        page.get_by_role("button", name="Add cards").click()
        tap(page, "floor/*")
        sheet = page.locator("dialog")
        for card in ("9S", "TS", "QS"):
            sheet.locator(f"[data-card='{card}']").click()
        sheet.get_by_role("button", name="Take back queen of spades").click()
        sheet.get_by_text("Added: 9♠\ufe0e 10♠\ufe0e").wait_for()
        sheet.locator("[data-card='JS']").click()
        until(page, lambda: "floor: 7C 7D 7H | 9S TS JS;" in line(page), "the right card lies there")
        for name in ("jack", "10", "9"):
            sheet.get_by_role("button", name=f"Take back {name} of spades").click()
        until(page, lambda: "floor: 7C 7D 7H;" in line(page), "nothing was added")
        sheet.locator("[data-card='2H']").click()
        until(page, lambda: "floor: 7C 7D 7H | 2H;" in line(page), "the next card begins the meld again")


MIDGAME: Final = (
    ((0, "KS QD"), (1, "JC TH 9S"), (0, "7D"), (3, "KD QS JH"), (4, "8C 7H"), (2, "5D"), (5, "6C")),
    "324A",
    "9C 2S",
)
"""Columns with how many are face down and what is seen, foundations and waste of a Klondike in its middle."""


def test_a_klondike_in_its_middle_is_laid_by_hand_in_forty_taps(browser: Browser, address: str) -> None:
    columns, foundations, waste = MIDGAME
    with opened(browser, address) as page:
        start(page)
        taps = 0

        def click(selector: Any) -> None:
            nonlocal taps
            selector.click()
            taps += 1

        click(page.locator("summary", has_text="Lay the table out"))
        page.get_by_label("Game", exact=True).select_option("klondike")
        taps += 2
        click(page.get_by_role("button", name="Empty table"))
        click(page.locator(".plus[data-place='waste/+']"))
        sheet = page.locator("dialog.sheet")

        def lay(cards: str) -> None:
            for card in cards.split():
                click(sheet.locator(f".deck [data-card='{card}']"))

        def further() -> None:
            click(sheet.get_by_role("button", name="Next: "))

        lay(waste)
        further()
        for rank in foundations:
            click(sheet.get_by_role("button", name=f"Top card: {rank}", exact=True))
        for number, (hidden, cards) in enumerate(columns):
            if number:
                further()
            if hidden:
                click(sheet.get_by_role("button", name=f"Face down below: {hidden}", exact=True))
            assert sheet.locator(".stepper").count() == 0, "each number that a column can hide is one tap"
            lay(cards)
        click(sheet.get_by_role("button", name="Done", exact=True))
        still(page)
        assert taps <= 40
        assert page.get_by_role("button", name="Add cards").is_visible()
        assert page.locator(".plus").count() == 0, "what is done is done"
        assert page.locator(".felt section").last.locator(".card").count() == 1, "an unknown stock is not spread out"
        laid = parse(line(page))
        assert not laid.problems()
        table = laid.to_json()
        assert [(len(column["down"]), " ".join(column["up"])) for column in table["columns"]] == list(columns)
        assert table["foundations"] == {"C": 3, "D": 2, "H": 4, "S": 1}
        assert " ".join(table["waste"]) == waste
        assert len(table["stock"]) == 52 - 15 - 13 - 10 - 2


def test_a_tomb_is_laid_by_hand_from_its_top_and_each_place_is_left_in_one_way(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        open_empty_table(page, "tomb_single")
        verdict(page)
        assert top_of(page.locator(".app")) >= 0, "the start had been scrolled down"
        tap(page, "corners/0/+")
        sheet = page.locator("dialog.sheet")
        for card in ("7H", "7S", "7D", "7C", "6H", "KC", "2C"):
            sheet.locator(f".deck [data-card='{card}']").click()
            sheet.get_by_text("Added: ").wait_for()
            sheet.get_by_role("button", name="Next: ").click()
        sheet.locator(".deck [data-card='2D']").click()
        sheet.locator(".deck [data-card='2S']").click()  # in its place
        sheet.get_by_role("button", name="Take back 2 of spades").click()
        sheet.locator(".deck [data-card='2H']").click()
        until(page, lambda: "2H" in line(page), "the last card is heard")
        laid = parse(line(page)).to_json()
        assert laid["corners"] == [["7H"], ["7S"], ["7D"], ["7C"]]
        assert laid["spares"] == ["2H", None, None, None]


LATE: Final = """(box) => { const { app } = box.getRootNode(), { data } = app;
  app.server.trigger = () => {};
  app.hearLate = (told) => app.update({ ...data, ...told, run: 0 }, app.server.trigger); }"""
"""Lets the server hear nothing more; `hearLate` tells the page what the server told last, with changes."""


def test_a_pad_shows_what_was_laid_before_though_the_server_answers_late(browser: Browser, address: str) -> None:
    table = "klondike columns: KS | - | - | - | - | - | -; foundations: C0 D2 H1 S1"
    with opened(browser, link(address, table)) as page:
        verdict(page)
        still(page)
        page.get_by_role("button", name="Add cards").click()
        tap(page, "waste/+")
        sheet, app = page.locator("dialog.sheet"), page.locator(".app")

        def struck() -> set[str]:
            return set(sheet.locator(".deck .spent").evaluate_all("(all) => all.map((one) => one.dataset.card)"))

        app.evaluate(LATE)
        sheet.locator("[data-card='9C']").click()
        sheet.get_by_role("button", name="Next: foundation of clubs").click()
        sheet.get_by_role("button", name="Top card: 3", exact=True).click()
        sheet.get_by_text("Add cards: column 2").wait_for()
        there = {"AD", "2D", "AH", "AS", "KS"}
        assert struck() == there | {"9C", "AC", "2C", "3C"}, "only a place where nothing lies is next"
        app.evaluate("(box) => box.getRootNode().app.hearLate({ notice: 'of the table before' })")
        page.get_by_text("of the table before").wait_for()
        assert struck() == there | {"9C", "AC", "2C", "3C"}
        app.evaluate(
            "(box) => { const { app } = box.getRootNode();"
            " app.hearLate({ heard: [app.server.sent], used: { QH: 1 } }); }"
        )
        assert struck() == {"QH"}, "what the server tells once it has heard all counts"


def test_a_foundation_ends_below_a_card_that_lies_elsewhere_and_leads_to_the_next(
    browser: Browser, address: str
) -> None:
    table = "klondike columns: 4C | 6C | - | - | - | - | -; foundations: C2 D0 H0 S0"
    with opened(browser, link(address, table)) as page:
        verdict(page)
        still(page)
        tap(page, "foundations/C")
        sheet = page.locator("dialog.sheet")
        assert sheet.locator(".spent").all_inner_texts() == [*"456789", "10", *"JQK"]
        sheet.get_by_text("Struck out: it or one below it lies elsewhere.").wait_for()
        for name, height in (("A", 1), ("2", 2)):
            sheet.get_by_role("button", name=f"Top card: {name}", exact=True).click()
            page.wait_for_url(f"**foundations%3A+C{height}**")
        assert sheet.get_by_text("Foundation of clubs").is_visible(), "what is put right leads nowhere"
        sheet.get_by_role("button", name="Top card: Q, not possible").click()
        sheet.get_by_text("4♣\ufe0e is on the table already: column 1.").wait_for()
        sheet.get_by_role("button", name="Next: foundation of diamonds").click()
        sheet.get_by_text("Foundation of diamonds").wait_for()
        sheet.get_by_role("button", name="Next: foundation of hearts").wait_for()
        assert "C2 D0" in line(page)
        sheet.get_by_role("button", name="Top card: 2", exact=True).click()
        sheet.get_by_text("Foundation of hearts").wait_for()
        sheet.get_by_role("button", name="Next: foundation of spades").click()  # meant for the diamonds
        told = 'Now: foundation of hearts. To leave it empty, tap "Next: foundation of spades" once more.'
        sheet.get_by_text(told).wait_for()
        sheet.get_by_role("button", name="Next: foundation of spades").click()
        sheet.get_by_role("button", name="Top card: A", exact=True).click()
        page.wait_for_url("**foundations%3A+C2+D2+H0+S1**")


def test_two_melds_that_are_laid_one_after_the_other_stay_two(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; hand: 3S")) as page:
        verdict(page)
        still(page)
        page.get_by_role("button", name="Add cards").click()
        tap(page, "floor/*")
        app, sheet = page.locator(".app"), page.locator("dialog.sheet")
        app.evaluate(LATE)
        for card in ("9S", "TS"):
            sheet.locator(f"[data-card='{card}']").click()
        sheet.get_by_role("button", name="Next: a new meld").click()
        for card in ("4D", "5D"):
            sheet.locator(f"[data-card='{card}']").click()
        laid = app.evaluate("(box) => box.getRootNode().app.server.events.map(({ path, card }) => [path, card])")
        assert laid[-4:] == [["floor/*", "9S"], ["floor/1", "TS"], ["floor/*", "4D"], ["floor/2", "5D"]]


def test_a_browser_that_hears_late_of_many_runs_can_still_draw_the_page(address: str) -> None:
    with visitor(address) as user:
        user.open(str(parse("makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S")))
        user.wait(lambda: user.is_still() and bool(user.said))
        assert user.drawings.kept, "the server no longer has drawings kept: this test checks nothing"
        for card in ("8S", "9S", "TS", "JS", "QS"):
            user.send("table", event("add", path="hand", card=card))
            user.doze()
        user.wait(user.is_still)
        assert user.table.endswith("6S 8S 9S TS JS QS")


DRAWN_ANEW = """(box) => { const { app } = box.getRootNode();
  const said = { ...app.data.said, detail: "Looked further." };
  app.update({ ...app.data, said, marks: { ...app.data.marks, "hand/0": "doubtful" } }, app.server.trigger); }"""
"""Draws the banner and the felt anew, as where a search ends."""


def test_a_page_that_is_drawn_anew_under_a_finger_loses_no_tap(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S"), 1280) as page:
        verdict(page)
        page.locator(".rules summary").click()
        for place in ("[data-place='hand/2']", "[role=radio][aria-checked=false]"):
            page.locator(place).first.hover(position={"x": 6, "y": 6})
            page.mouse.down()
            page.locator(".app").evaluate(DRAWN_ANEW)
            page.mouse.up()
            if "hand" in place:
                page.locator("dialog [data-card='5S']").click()
                page.get_by_text("Yes, you could have won").first.wait_for()
        page.wait_for_url(lambda url: "strict_cross" in url)


def test_what_is_being_typed_stays_when_a_search_ends(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S"), 1280) as page:
        verdict(page)
        page.locator("summary", has_text="line of text").click()
        box = page.get_by_role("textbox", name="The table as a line of text")
        box.fill("makiaveli hand: 3")
        page.locator(".app").evaluate(DRAWN_ANEW)
        assert box.input_value() == "makiaveli hand: 3"


def test_on_a_phone_the_verdict_unfolds_in_view_where_the_page_is_scrolled(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 1")
        verdict(page)
        seen(page, ".verdict details:not([open]) summary")
        page.locator("[data-testid=stMain]").evaluate("(main) => main.scrollTo(0, 300)")
        page.locator(".verdict summary").evaluate("(summary) => summary.click()")  # which scrolls nothing by itself
        seen(page, ".verdict .about")


def test_on_a_phone_the_line_of_text_opens_in_view(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; hand: 3S 4S 6S")) as page:
        verdict(page)
        page.locator("summary", has_text="line of text").click()
        seen(page, ".below details .row")


def test_on_a_phone_the_sheet_opens_in_view_and_the_verdict_stays_there(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Napoleon's Tomb, two decks 2")
        seen(page, ".alert[data-tone]")  # a sample low in the list opens at its verdict
        page.goto(link(address, "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS | 2D 3D 4D 5D 6D 7D 8D 9D; hand: 3S 4S 6S"))
        verdict(page)
        strips = page.locator(".felt [data-zone='floor/2'] .card").evaluate_all(
            "(e) => e.map((x) => x.getBoundingClientRect().x)"
        )
        assert min(b - a for a, b in pairwise(strips) if b > a) >= 24
        tap(page, "hand/2")
        seen(page, "dialog.sheet .head")
        seen(page, "dialog.sheet [data-card='5S']")
        top = page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop")
        page.locator("dialog [data-card='5S']").click()
        page.locator(".verdict").filter(has_text="Yes, you could").wait_for()
        still(page)
        seen(page, ".verdict")
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == top


def test_a_stuck_klondike_is_told_to_the_end(browser: Browser, address: str) -> None:
    rules = "klondike draw: 3; moves: run; worrying_back: yes; columns:"
    stuck = (
        f"{rules} ?? ?? [9C] | ?? [9S] | ?? ?? ?? [7C] | ?? ?? [7S] | ?? ?? ?? ?? [5C] | ?? [5S] | [KC];"
        f" foundations: C3 D2 H2 S3; stock: {'?? ' * 19}; waste: JC JS QC"
    )
    with opened(browser, link(address, stuck)) as page:
        assert "A good player wins" in verdict(page)
        page.get_by_role("button", name="Best next move").click()
        page.locator(".panel .alert h2", has_text="Next: turn the next 3 cards, then tell which they are").wait_for()
        page.get_by_text("Only the stock can be turned now.").wait_for()
        page.get_by_text('Tap "Play on" to make the moves here').wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
    over = (
        f"{rules} [KC QD JC TD 9C 8D 7C] | ?? [KS QH JS TH 9S 8H 7S] | ?? ?? [JD TC] | ?? ?? ?? [JH TS] |"
        " ?? ?? ?? ?? [5C] | ?? ?? ?? ?? ?? [5S] | ?? ?? ?? ?? ?? ?? [KH]; foundations: C3 D2 H2 S3; stock:; waste:"
    )
    with opened(browser, link(address, over)) as page:
        assert "Proved: no move is left." in verdict(page)
        assert tone(page) == "bad"
        assert not page.get_by_role("button", name="Best next move").count()


def test_the_wait_for_a_solver_that_gets_ready_is_explained_and_can_be_ended(browser: Browser, tmp_path: Path) -> None:
    with (
        served(tmp_path / "server.log", script="tests/webapp/unready_app.py") as unready,
        opened(browser, link(unready, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S")) as page,
    ):
        told = page.locator(".searching", has_text="Getting the solver ready")
        told.wait_for()
        assert "may take minutes" in told.inner_text()
        assert told.locator(".fill.open").count() == 1, "nothing that looks done before it has begun"
        row = page.locator(".search").bounding_box() or {}
        told.get_by_role("button", name="Stop").click()
        page.get_by_text("You stopped the search before it could tell.").wait_for()
        page.get_by_role("button", name="Search longer").wait_for()
        assert (page.locator(".search").bounding_box() or {})["height"] == row["height"], "it takes the search's place"


def test_a_search_that_is_overdue_says_so(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEGINS", "1")
    with (
        served(tmp_path / "server.log", script="tests/webapp/unready_app.py") as begun,
        opened(browser, link(begun, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S")) as page,
    ):
        page.locator(".searching", has_text="Searching. This takes longer than usual.").wait_for()
        assert page.locator(".searching .fill.open").count() == 1, "no bar that has long been full"


def test_a_table_is_shared_as_the_phone_shares_things(browser: Browser, address: str) -> None:
    with opened(browser, "about:blank") as page:
        page.add_init_script(
            """navigator.canShare = () => true;
            navigator.share = async ({ url, text, files }) => {
              window.shared = [url, text, files.map((file) => file.type)]; };"""
        )
        page.goto(link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"))
        verdict(page)
        share = page.get_by_role("button", name="Share")
        assert top_of(page.locator("summary", has_text="line of text")) < top_of(share), "a link opens nowhere else"
        share.click()
        until(page, lambda: page.evaluate("window.shared"), "it is shared")
        assert page.evaluate("window.shared") == [page.url, "Yes, you could have won", ["image/png"]]


def saved_picture(page: Page, folder: Path) -> NDArray[np.int64]:
    """The pixels (H, W, 3) of the picture of a table that the page saves."""
    with page.expect_download() as caught:
        page.get_by_role("button", name="Save a picture").click()
    path = folder / "saved.png"
    page.locator(".below [role=status]", has_text="The picture is saved").wait_for()
    caught.value.save_as(path)
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(np.int64)


def test_the_texts_of_the_saved_picture_stay_inside_it(browser: Browser, address: str, tmp_path: Path) -> None:
    floor = "7C 7D 7H | 9S TS JS QS KS | 2D 3D 4D 5D 6D 7D 8D | 4C 4H 4D"
    table = f"makiaveli floor: {floor}; cross: 2S - 9H -; hand: 3S 4S 5S 9C"
    with opened(browser, link(address, table), 1280) as page:
        verdict(page)
        pixels = saved_picture(page, tmp_path)
    assert pixels.shape[1] == 1080
    for edge in (pixels[:, :40], pixels[:, -40:]):
        assert np.abs(edge - pixels[0, 0]).max() < 12, "something reaches into the margin"


def test_a_saved_picture_of_columns_leaves_no_strip_empty(browser: Browser, address: str, tmp_path: Path) -> None:
    columns = " | ".join(f"[{rank}C]" for rank in "3456789")
    with opened(browser, link(address, f"klondike columns: {columns}; foundations: C2 D13 H13 S13; stock:")) as page:
        verdict(page)
        pixels = saved_picture(page, tmp_path)
    column = pixels[300:-80, -60:-48]  # beside the margin, above the name of the page
    assert np.abs(column - pixels[0, 0]).max() > 100, "the last column ends where the text may end"


def test_the_saved_picture_marks_the_cards_that_its_text_speaks_of(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    table = "makiaveli floor: 7C 7D 7H | 9S TS JS | KC KD KS; cross: 2S - 8D -; hand: 3S 4S 9D KH"
    with opened(browser, link(address, table)) as page:
        page.locator(".alert.bad", has_text="it is marked in red").wait_for()
        pixels = saved_picture(page, tmp_path)
    for colour in (0xB8102B, 0x6B3FA0):  # of the card without a place, and of those that it would fit
        ink = [colour >> 16, colour >> 8 & 255, colour & 255]
        assert (np.abs(pixels - ink).max(axis=2) < 12).sum() > 500


def test_errors_are_told_in_the_symbols_of_the_board_and_marked(browser: Browser, address: str) -> None:
    table = "tomb_double tableau: 7C | 7C | QH | -; reserves: 7C 3D | - | - | -; stock: 99"
    with opened(browser, link(address, table), 1280) as page:
        said = verdict(page)
        assert "3 copies of 7♣" in said
        assert not NOTATION.search(said)
        faulty = page.locator(".felt .card", has=page.locator("[stroke='#b8102b']"))
        places = faulty.evaluate_all("(e) => e.map((x) => x.dataset.place)")
        assert {"tableau/0/0", "tableau/1/0", "reserves/0/0"} <= set(places)


def test_a_pile_is_spread_out_only_where_it_shows_more_than_its_top(browser: Browser, address: str) -> None:
    table = "tomb_double tableau: 7C | - | QH | -; reserves: ?? ?? 3D | KD KS | - | -; stock: 60"
    with opened(browser, link(address, table)) as page:
        verdict(page)
        spread = page.locator(".felt section", has_text="Each pile").locator(".zone:visible")
        assert spread.evaluate_all("(zones) => zones.map((zone) => zone.dataset.zone)") == ["reserves/1"]
        page.get_by_role("button", name="Add cards").click()
        assert spread.count() > 1, "cards can be added to any pile"
        page.get_by_role("button", name="Stop adding").click()
        tap(page, "reserves/0/2")  # its top stands for the whole pile
        page.get_by_role("button", name="Face down below: 1", exact=True).click()
        until(page, lambda: parse(line(page)).to_json()["reserves"][0] == ["??", "3D"], "a card less is hidden")


def test_a_card_without_a_place_is_marked_and_so_are_those_it_would_fit(browser: Browser, address: str) -> None:
    table = "makiaveli floor: 7C 7D 7H | 9S TS JS | KC KD KS; cross: 2S - 8D -; hand: 3S 4S 9D KH"
    with opened(browser, link(address, table)) as page:
        page.locator(".alert.bad").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        labels = page.locator(".felt .card").evaluate_all("(all) => all.map((card) => card.ariaLabel)")
        marked = {label.rpartition(", ")[2]: [] for label in labels if label.endswith((", blocked", ", would fit"))}
        for label in labels:
            marked.get(label.rpartition(", ")[2], []).append(label.partition(",")[0])
        assert marked == {
            "blocked": ["9 of diamonds"],
            "would fit": ["7 of diamonds", "9 of spades", "8 of diamonds"],
        }


def test_a_table_without_a_photo_is_the_last_table_of_the_start(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S")) as page:
        verdict(page)
        table = line(page)
        page.get_by_role("button", name="New table").click()
        page.get_by_role("button", name="Your last table").click()
        verdict(page)
        assert line(page) == table
        page.get_by_role("button", name="New table").click()
        page.get_by_role("button", name="Forget my table").click()
        page.get_by_text("Forgotten: table.").wait_for()
        assert page.get_by_role("button", name="Your last table").count() == 0


def test_nothing_lies_over_the_line_that_is_typed_on_a_phone(browser: Browser, address: str) -> None:
    with opened(
        browser, link(address, "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S QS")
    ) as page:
        page.locator(".alert.good").wait_for()
        still(page)
        page.locator("summary", has_text="line of text").click()
        box = page.get_by_role("textbox", name="The table as a line of text")
        box.focus()
        box.evaluate("(e) => e.scrollIntoView({ block: 'end' })")
        field, bar = box.bounding_box() or {}, page.locator(".bar").bounding_box() or {}
        assert field["y"] + field["height"] <= bar["y"]
