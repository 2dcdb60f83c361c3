"""The winning line in a browser: followed step by step on the board and on the photo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from solver.klondike import STANDARD, random_deal, solve
from tests.webapp.actions import NOTATION, centre, link, opened, seen, show, start, still, until, use_sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize


def quiet(page: Page, frames: list[int]) -> int:
    """Waits until the page has sent nothing for a second; how much it has sent."""
    before = -1
    while before != len(frames):
        before = len(frames)
        page.wait_for_timeout(1000)
    return before


def test_what_a_verdict_rests_on_makes_nothing_smaller_and_scrolls_away(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 1")
        page.get_by_alt_text("your photo with every card outlined").wait_for()
        sizes = "(stage) => [...stage.querySelectorAll('.felt, .photos')].map((part) => part.offsetHeight)"
        before = page.locator(".stage").evaluate(sizes)
        page.locator(".verdict summary").first.click()
        about = page.locator(".verdict .about")
        about.wait_for()
        page.wait_for_timeout(300)  # the page is fitted anew after it was drawn
        assert page.locator(".stage").evaluate(sizes) == before
        page.locator(".felt").evaluate("(felt) => felt.scrollIntoView()")
        until(page, lambda: about.evaluate("(about) => about.getBoundingClientRect().bottom <= 0"), "the table is free")


def test_what_a_verdict_rests_on_is_folded_in_again_with_a_new_table(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli hand: 3S 4S 5S")) as page:
        page.locator(".alert.good").wait_for()
        still(page)
        about = page.locator(".verdict .about")
        page.locator(".verdict summary").first.click()
        about.wait_for()
        page.get_by_role("button", name="New table").click()
        start(page)
        page.locator("summary", has_text="Lay the table out").click()
        page.get_by_label("A table as a line of text or JSON").fill("makiaveli hand: 7C 7D 7H")
        page.get_by_role("button", name="Could I have won?").click()
        page.locator(".alert.good").wait_for()
        still(page)
        assert about.is_hidden()


def test_a_page_that_is_loaded_anew_amid_the_steps_goes_on_there(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 7S")) as page:
        page.get_by_role("button", name="Last step").click()
        page.get_by_text("Step 2 of 2: ").first.wait_for()
        page.reload()
        page.get_by_text("Step 2 of 2: ").first.wait_for()
        page.get_by_role("button", name="First step").click()
        page.reload()
        page.locator(".bar").get_by_text("How: 2 steps").wait_for()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_way_is_followed_on_the_one_board(browser: Browser, address: str, width: int) -> None:
    deal = random_deal(10, STANDARD)
    with opened(browser, "about:blank", width) as page:
        frames: list[int] = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda data: frames.append(len(data))))
        page.goto(link(address, str(deal)))
        page.locator(".alert.good").wait_for()
        still(page)
        steps = int(page.locator(".bar input[type=range]").get_attribute("max") or 0)
        assert f"in {steps} steps" in (page.locator(".alert.good").text_content() or ""), "one number for one way"
        assert 0 < steps < 0.75 * len(solve(deal).line), "turns of the stock are merged"
        assert page.locator(".felt").count() == 1
        for name in ("First step", "Step back", "Play", "Next step", "Last step"):
            button = page.get_by_role("button", name=name, exact=True)
            assert button.is_visible()
            assert (button.bounding_box() or {"width": 0})["width"] >= 44
        before = quiet(page, frames)
        text = page.locator(".bar .text")
        shown = [text.inner_text()]
        for key in ["ArrowRight"] * 8 + ["ArrowLeft"]:
            page.keyboard.press(key)
            shown.append(text.inner_text())
        assert shown[-1] == shown[-3]
        assert len(set(shown)) == 9
        assert page.locator(".felt .card [stroke-width='6']").count() >= 1, "what moved is marked"
        page.get_by_role("button", name="Last step").click()
        assert text.inner_text().startswith(f"Step {steps} of {steps}")
        page.locator("details.all summary").click()
        page.locator("details.all li button").nth(4).click()
        assert text.inner_text().startswith(f"Step 5 of {steps}")
        page.locator(".bar input[type=range]").fill("7")
        assert text.inner_text().startswith(f"Step 7 of {steps}")
        for listed in page.locator("details.all li").all_inner_texts():
            assert not NOTATION.search(listed), listed
        assert len(frames) == before, "no step needs a run of the server"


NUMBERS = """(felt) => [...felt.querySelectorAll(".zone:not(.kept) .card")]
  .map((e) => getComputedStyle(e, "::after").content).filter((drawn) => drawn !== "none")
  .map((drawn) => drawn.replaceAll('"', ""))"""
"""The numbers that are drawn on cards, and are no text of theirs: a card's text is part of what it is called."""


def test_the_photo_shows_the_arrows_of_the_board_in_the_same_colours(browser: Browser, address: str) -> None:
    strokes = "(e, where) => [...e.querySelectorAll(where)].map((x) => x.getAttribute('stroke'))"
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 1")
        page.locator(".bar input[type=range]").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        numbers = page.locator(".felt").evaluate(NUMBERS)
        assert numbers == [str(n + 1) for n in range(len(numbers))] != [], "the steps speak of melds by their numbers"
        pointed, begun = 0, list[set[str]]()
        for _ in range(int(page.locator(".bar input[type=range]").get_attribute("max") or 0)):
            page.get_by_role("button", name="Next step").click()
            board, photo = (
                page.locator(".app").evaluate(strokes, f"{where} .arrow path:last-child")
                for where in (".arrows", ".frame")
            )
            assert set(photo) <= set(board)
            pointed += len(photo)
            if "as a new meld" in page.locator(".bar .text").inner_text():
                heads = page.locator(".frame .arrow path:nth-child(2)").evaluate_all(
                    "(all) => all.map((e) => e.getAttribute('d'))"
                )
                begun.append({head.partition("L")[0] for head in heads})
        assert pointed
        assert [len(ends) for ends in begun] == [1], "all cards of a new meld go to one free place"


def test_arrows_begin_and_end_at_cards_though_the_cards_glide(browser: Browser, address: str) -> None:
    floor = "7C 7D 7H 7S | 4H 5H 6H | JS JD JC | 9D TD JD QD | AS 2S 3S | KC KD KH | 8S 9S TS JS"
    table = f"makiaveli floor: {floor}; cross: 5S QC - 9H; hand: 8H 9C TC JH 4S"
    with opened(browser, link(address, table)) as page:
        page.locator(".alert.good").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        for step in range(1, 1 + int(page.locator(".bar input[type=range]").get_attribute("max") or 0)):
            page.get_by_role("button", name="Next step").click()
            page.locator(".bar .text", has_text=f"Step {step} of").wait_for()
            until(page, lambda: page.locator(".app").evaluate(ARROWS_AT_CARDS), "arrows lie between cards")
            assert page.locator(".app").evaluate(FROM_NO_MIDDLE), "no card that stays looks like the one that moves"


def test_an_arrow_begins_where_its_card_lay_and_not_at_the_end_of_its_meld(browser: Browser, address: str) -> None:
    table = "makiaveli floor: 7C 7D 7H 7S; cross: - - - -; hand: 5C 6C"
    begins = """(box) => { const own = box.querySelector(".felt").getBoundingClientRect().left;
      const edge = box.querySelector(".felt [data-card='7D']").getBoundingClientRect().left - own;
      const ends = [...box.querySelectorAll(".arrow path:last-child")].map((path) => path.getAttribute("d"));
      return ends.filter((path) => Math.abs(Number(path.match(/-?[0-9.]+/)[0]) - edge) < 4).length; }"""
    with opened(browser, link(address, table)) as page:
        page.locator(".alert.good").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        page.get_by_role("button", name="Next step").click()
        page.locator(".bar .text", has_text="take 7♣").wait_for()
        until(page, lambda: page.locator(".app").evaluate(begins) == 1, "7C lay before 7D")


def test_arrows_point_at_the_cards_when_the_phone_is_turned_and_a_card_is_opened_amid_the_way(
    browser: Browser, address: str
) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H 7S | JS JD JC; cross: - - - -; hand: 5C 6C")) as page:
        page.locator(".alert.good").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        page.get_by_role("button", name="Next step").click()
        step = page.locator(".bar .text", has_text="Step 1 of")
        for width, height in ((844, 390), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            until(page, lambda: page.locator(".app").evaluate(ARROWS_AT_CARDS), "arrows point where cards lay")
        page.locator(".felt [data-card='7C']").click()
        assert "meld 1" in page.locator("dialog h2").inner_text(), "where it lay: there it is changed"
        page.keyboard.press("Escape")
        step.wait_for()


def test_on_a_phone_on_its_side_the_table_stands_beside_the_steps(browser: Browser, address: str) -> None:
    with opened(browser, link(address, "makiaveli floor: 7C 7D 7H 7S | JS JD JC; cross: - - - -; hand: 5C 6C")) as page:
        page.locator(".alert.good").wait_for()
        page.set_viewport_size({"width": 844, "height": 390})
        page.get_by_role("button", name="Next step").click()
        page.locator(".bar .text", has_text="Step 1 of").wait_for()
        seen(page, ".felt")
        table, bar = (page.locator(name).bounding_box() or {} for name in (".felt", ".bar"))
        assert table["x"] + table["width"] <= bar["x"]
        assert page.locator("[data-testid=stMain]").evaluate("(e) => e.scrollTop") == 0
        assert page.locator("[data-testid=stMain]").evaluate("(e) => (e.scrollTo(0, 999), e.scrollTop)") > 40
        assert (page.locator(".felt").bounding_box() or {"y": -999})["y"] >= 0, (
            "it stays there where the page is scrolled"
        )
        files = page.get_by_text("Files", exact=True).bounding_box() or {}
        assert table["x"] + table["width"] <= files["x"], "nor does it cover what stands at the page's end"


ARROWS_AT_CARDS = """(box) => { const own = box.querySelector(".felt").getBoundingClientRect();
  const cards = [...box.querySelectorAll(".felt .card")].map((e) => e.getBoundingClientRect());
  const at = ([x, y]) => cards.some((b) => x >= b.left - own.left && x <= b.right - own.left &&
    y >= b.top - own.top && y <= b.bottom - own.top);
  const ends = [...box.querySelectorAll(".arrows path")].map((path) => path.getAttribute("d"))
    .map((path) => path.match(/-?[0-9.]+/g).map(Number));
  return ends.length > 0 && !box.querySelector(".felt").getAnimations({ subtree: true }).length && ends.every(at); }"""
FROM_NO_MIDDLE = """(box) => { const own = box.querySelector(".felt").getBoundingClientRect();
  // a card is seen up to the next one that lies on it
  const seen = (card) => { const { left, right, top, bottom } = card.getBoundingClientRect();
    const next = card.closest(".fan.right") && card.nextElementSibling?.matches(".card") ?
      card.nextElementSibling.getBoundingClientRect().left : right;
    return { left, right: Math.min(right, next), top, bottom }; };
  const cards = [...box.querySelectorAll(".felt .card:not(.empty)")].map(seen);
  const inside = ([x, y]) => cards.some((b) => x > b.left + 3 - own.left && x < b.right - 3 - own.left &&
    y > b.top + 3 - own.top && y < b.bottom - 3 - own.top);
  const begins = [...box.querySelectorAll(".arrows .arrow path:last-child")].map((path) => path.getAttribute("d"));
  return !begins.map((path) => path.match(/-?[0-9.]+/g).map(Number)).some(inside); }"""


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_the_whole_text_of_each_step_is_seen_and_the_bar_keeps_its_height(
    browser: Browser, address: str, size: str
) -> None:
    table = (
        "makiaveli floor: 4D 4C 4S | AS 2S 3S 4S | JS JC JD JH | 2C 3C 4C 5C 6C 7C 8C 9C TC JC | 6D 7D 8D | TH TC TD |"
        " JD QD KD AD | 2H 3H 4H | 5H 6H 7H 8H 9H | AH 2H 3H 4H 5H | 8S 8D 8C; cross: 7S - - 3D; hand: QD 6H 7H 6C 9C"
    )
    larger = f"document.documentElement.style.setProperty('font-size', '{size}', 'important')"
    with opened(browser, "about:blank", 320, reduced_motion="reduce") as page:
        page.add_init_script(f"addEventListener('DOMContentLoaded', () => {larger})")
        page.goto(link(address, table))
        page.locator(".alert.good, .alert.bad").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        heights = set()
        for step in range(1, 1 + int(page.locator(".bar input[type=range]").get_attribute("max") or 0)):
            page.get_by_role("button", name="Next step").click()
            page.locator(".bar .text", has_text=f"Step {step} of").wait_for()
            text = page.locator(".bar .text")
            assert text.evaluate("(text) => text.scrollHeight <= text.clientHeight"), text.inner_text()
            heights.add(text.evaluate("(text) => text.clientHeight"))
        assert len(heights) == 1


def test_a_waste_that_is_turned_over_is_not_pointed_at_card_by_card(browser: Browser, address: str) -> None:
    table = "klondike draw: 1; columns: [KC] | - | - | - | - | - | -; foundations: C10 D13 H13 S13; waste: JC QC"
    with opened(browser, link(address, table)) as page:
        show_first_step(page)
        page.locator(".bar .text", has_text="Step 1 of").wait_for()
        moved = page.locator(".felt .card[aria-label$=', moved']")
        assert [card.get_attribute("data-card") for card in moved.all()] == ["JC"], "QC went back with the others"


def test_what_a_step_moves_is_brought_into_view_on_a_phone(browser: Browser, address: str) -> None:
    floor = "7C 7D 7H 7S | 4H 5H 6H | JS JD JC | 9D TD JD QD | AS 2S 3S | KC KD KH | 8S 9S TS JS"
    table = f"makiaveli floor: {floor}; cross: 5S QC - 9H; hand: 8H 9C TC JH 4S"
    with opened(browser, link(address, table), reduced_motion="reduce") as page:
        page.locator(".alert.good").wait_for()
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        for step in range(1, 1 + int(page.locator(".bar input[type=range]").get_attribute("max") or 0)):
            page.get_by_role("button", name="Next step").click()
            page.locator(".bar .text", has_text=f"Step {step} of").wait_for()
            until(page, lambda: page.locator(".app").evaluate(MOVED_IN_VIEW), "the cards that moved are in view")


MOVED_IN_VIEW = """(box) => { const bar = box.querySelector(".bar").getBoundingClientRect();
  const moved = [...box.querySelectorAll(".felt .card[aria-label$=', moved']")].map((e) => e.getBoundingClientRect());
  return moved.length > 0 && moved.every((b) => b.top >= 0 && b.bottom <= bar.top); }"""


def test_hand_and_cross_are_whole_above_the_bar_in_each_step_and_the_table_stays_where_it_is(
    browser: Browser, address: str
) -> None:
    with opened(browser, address, reduced_motion="reduce") as page:
        use_sample(page, "Makiaveli 1")
        page.locator(".searching").first.wait_for(state="detached")
        still(page)
        tops, melds = [], page.locator(".app").evaluate(MELDS)
        for step in range(1, 1 + int(page.locator(".bar input[type=range]").get_attribute("max") or 0)):
            page.get_by_role("button", name="Next step").click()
            page.locator(".bar .text", has_text=f"Step {step} of").wait_for()
            until(page, lambda: page.locator(".app").evaluate(TABLE_ABOVE_BAR), "hand and cross are above the bar")
            assert page.locator(".photo").first.is_visible()
            now = page.locator(".app").evaluate(MELDS)
            assert {meld: now[meld] for meld in melds if meld in now} == melds, "each meld stays where it is"
            melds = now
            tops.append((page.locator(".felt").bounding_box() or {})["y"])
        assert max(tops) - min(tops) <= 20


MELDS = """(box) => { const own = box.querySelector(".felt").getBoundingClientRect();
  return Object.fromEntries([...box.querySelectorAll(".felt [data-zone^='floor/']:not(.kept)")]
    .map((zone) => [zone.dataset.zone, zone.getBoundingClientRect()])
    .map(([name, { left, top }]) => [name, [Math.round(left - own.left), Math.round(top - own.top)]])); }"""
"""Where each meld begins on the felt, px."""


FLOOR = " | ".join(f"{rank}C {rank}D {rank}{suit}" for rank in "23456789TJ" for suit in "HS")
TWENTY_MELDS = f"makiaveli floor: {FLOOR}; cross: AS QH AD 3S; hand: KS KH KD"


def show_first_step(page: Page) -> None:
    """Waits for a way that wins, and shows its first step."""
    page.locator(".alert.good").wait_for()
    still(page)
    page.get_by_role("button", name="Next step").click()


TABLE_ABOVE_BAR = """(box) => { const bar = box.querySelector(".bar").getBoundingClientRect();
  const parts = [...box.querySelectorAll(".felt section")].slice(1).map((e) => e.getBoundingClientRect());
  return parts.length === 2 && parts.every((b) => b.top >= 0 && b.bottom <= bar.top); }"""


def test_hand_and_cross_of_a_table_of_twenty_melds_are_above_the_bar_of_a_phone(browser: Browser, address: str) -> None:
    with opened(browser, link(address, TWENTY_MELDS)) as page:
        show_first_step(page)
        until(page, lambda: page.locator(".app").evaluate(TABLE_ABOVE_BAR), "hand and cross are above the bar")
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


SHOWN = """(app) => { const { show } = app.querySelector(".stage").dataset;
  const chosen = app.querySelector(".switch [aria-checked=true]").textContent;
  return chosen.toLowerCase().includes(show) ? show : `${show} is shown, and ${chosen} chosen`; }"""


def shown(page: Page) -> str:
    """What of photo and table is shown, and chosen; both are asked at one moment."""
    return str(page.locator(".app").evaluate(SHOWN))


def test_a_photo_that_has_no_room_above_its_table_has_some_beside_it(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 2")
        upright: ViewportSize = {"width": 390, "height": 844}
        on_its_side: ViewportSize = {"width": 844, "height": 390}
        for size, kind in ((upright, "table"), (on_its_side, "both"), (upright, "table")):
            page.set_viewport_size(size)
            until(page, lambda kind=kind: shown(page) == kind, f"{kind} is shown")
        show(page, "Both")
        for size in (on_its_side, upright):
            page.set_viewport_size(size)
            page.wait_for_timeout(300)
            assert shown(page) == "both", "what was chosen stays"


def test_beside_its_photo_a_table_is_seen_whole_where_it_can_be(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 1")
        show(page, "Both")
        page.get_by_role("button", name="Next step").click()
        page.locator(".cloth .arrow").first.wait_for()
        assert page.locator(".cloth.scrolls").count() == 0
        table, bar = (page.locator(of).first.bounding_box() or {} for of in (".cloth", ".bar"))
        assert table["y"] + table["height"] <= bar["y"], "with its cross and the hand"


def test_beside_its_photo_a_large_table_is_followed_above_the_bar(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        use_sample(page, "Makiaveli 2")
        show(page, "Both")
        page.get_by_role("button", name="Next step").click()
        page.locator(".cloth.scrolls .arrow").first.wait_for()
        table, bar, photo = (page.locator(of).first.bounding_box() or {} for of in (".cloth", ".bar", ".frame"))
        assert table["y"] + table["height"] <= bar["y"]
        assert photo["height"] > 140, "a third of the room"
        whole = "(e) => e.clientHeight === e.previousSibling.offsetHeight"
        assert page.locator(".arrows").evaluate(whole), "arrows lie on all of it"
        page.locator("[data-testid=stMain]").evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
        page.locator(".bar").get_by_role("button", name="Next step").evaluate("(next) => next.click()")
        until(page, lambda: page.locator(".app").evaluate(STEP_IN_VIEW), "a table that was scrolled away comes back")


def test_a_swipe_is_a_step(browser: Browser, address: str) -> None:
    table = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S QS"
    with opened(browser, link(address, table)) as page:
        page.locator(".alert.good").wait_for()
        still(page)
        x, y = centre(page, ".felt")
        swipe = """([x, y, to]) => { const felt = [...document.querySelectorAll('*')].map((e) => e.shadowRoot)
          .filter((e) => e).map((e) => e.querySelector('.felt')).find((e) => e);
          const fire = (kind, at) => felt.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 5,
            pointerType: 'touch', clientX: at, clientY: y, isPrimary: true }));
          fire('pointerdown', x); fire('pointermove', x + to / 2); fire('pointerup', x + to); }"""
        page.evaluate(swipe, [x, y, -120])
        assert page.locator(".bar .text").inner_text().startswith("Step 1 of")
        page.evaluate(swipe, [x, y, 120])
        assert not page.locator(".bar .text").inner_text().startswith("Step")


def test_the_way_is_followed_without_motion_where_that_is_asked_for(browser: Browser, address: str) -> None:
    table = "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S QS"
    with opened(browser, link(address, table), 1280, reduced_motion="reduce") as page:
        show_first_step(page)
        moving = "(e) => e.getAnimations({ subtree: true }).filter((a) => a.effect.getTiming().duration > 20).length"
        assert page.locator(".cloth").evaluate(moving) == 0


STEP_IN_VIEW = """(box) => { const cloth = box.querySelector(".cloth").getBoundingClientRect();
  const moved = [...box.querySelectorAll(".felt .card[aria-label$=', moved']")].map((e) => e.getBoundingClientRect());
  return moved.length > 0 && moved.every((b) => b.top >= Math.max(0, cloth.top) &&
    b.bottom <= Math.min(innerHeight, cloth.bottom)); }"""


def test_a_phone_that_is_turned_amid_the_way_shows_what_the_step_moves(browser: Browser, address: str) -> None:
    with opened(browser, link(address, TWENTY_MELDS)) as page:
        show_first_step(page)
        page.set_viewport_size({"width": 844, "height": 390})
        until(page, lambda: page.locator(".app").evaluate(STEP_IN_VIEW), "what the step moves is in view")
