"""The main view, from a link, a line or a photo to the verdict; the browser's own part is in test_browser.py."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from solver.answer import parse_position
from tests.webapp.taps import is_off, tap
from vision.errors import PhotoError
from webapp import desk, edits, outcome, start, state
from webapp.boxes import Boxes
from webapp.pipeline import Shot
from webapp.visit import QUICK, Visit

SCRIPT = "from webapp.page import table\ntable.page()\n"
WON = "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"
HIDDEN = (
    "klondike columns: ?? ?? [2C] | ?? ?? [7C] | ?? ?? [JH] | - | - | - | -; foundations: C1 D13 H9 S13;"
    " stock: ?? ?? ?? ?? ?? ??; waste: 3C"
)
LOST = "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 3S 4S 9D"


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Any:
    yield
    state.pool.clear()


def opened(link: str | None = None) -> AppTest:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    if link is not None:
        page.query_params["p"] = link
    return settled(page.run())


def visit(page: AppTest) -> Visit:
    """What the visitor has."""
    held = page.session_state[Visit.__qualname__]
    assert isinstance(held, Visit)
    return held


def box(page: AppTest, name: str) -> str:
    """The key of a box that is replaced when its value is changed elsewhere."""
    return f"{name}{page.session_state[Boxes.__qualname__].numbers[name]}"


def line(page: AppTest) -> str:
    """The visitor's table."""
    return visit(page).line or ""


def settled(page: AppTest) -> AppTest:
    """The page once its searches have ended."""
    assert not page.exception, page.exception
    job = None
    while (search := visit(page).search) is not None and search.job is not job:
        job = search.job
        job.wait(300)
        page.run()
        assert not page.exception, page.exception
    if visit(page).judging is not None:
        visit(page).judging[2].wait(300)
        page.run()
        assert not page.exception, page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(str(box.proto) for kind in (page.success, page.error, page.warning, page.info) for box in kind)


def notation(page: AppTest) -> Any:
    return next(box for box in page.text_area if box.label == "The table as a line of text")


def pick(page: AppTest, place: str) -> AppTest:
    return tap(page, "board", place)


def test_a_new_visitor_is_asked_how_to_begin() -> None:
    page = opened()
    assert page.title[0].value == "Could I have won?"
    assert not page.success


def test_a_link_opens_with_its_verdict_and_keeps_its_address() -> None:
    page = opened(WON)
    assert "Yes, you could have won" in said(page)
    assert page.query_params["p"] == str(parse_position(WON))


def test_a_loss_is_called_proved() -> None:
    page = opened(LOST)
    assert "No, you could not have won" in said(page)
    assert "Proved" in said(page)


def test_an_impossible_table_lists_every_fault_and_gives_no_verdict() -> None:
    page = opened("makiaveli floor: 7C 7D 8H; hand: 3S 3S 3S")
    assert "no meld" in said(page)
    assert "3 times" in said(page)
    assert not page.success


@pytest.mark.parametrize(
    "given",
    [
        "<script>alert(1)</script>",
        "makiaveli hand: <img src=x onerror=alert(1)>",
        "makiaveli hand: ![x](http://example.com/x.png)",
        "{" * 3000,
        '{"game": "klondike", "columns": 7}',
        "makiaveli hand: " + "3S " * 100_000,
        "\x00\x01\u202e",
        "",
    ],
    ids=["script", "image", "markdown", "braces", "json", "megabyte", "control", "empty"],
)
def test_a_hostile_link_gets_a_kind_sentence(given: str) -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=300)
    page.query_params["p"] = given
    page.run()
    assert not page.exception
    assert page.title[0].value == "Could I have won?"
    shown = said(page)
    assert "no table" in shown
    assert "<img" not in shown.replace("\\\\", "\\").replace("\\<", "")
    assert "![" not in shown


def test_editing_the_line_changes_the_table_and_can_be_undone() -> None:
    page = opened(WON)
    notation(page).set_value(LOST).run()
    page = settled(page)
    assert "No, you could not have won" in said(page)
    tap(page, "tools", "undo")
    assert "Yes, you could have won" in said(settled(page))
    assert notation(page).value == str(parse_position(WON))


def test_two_quick_taps_are_two_steps_back_and_two_on() -> None:
    page = opened("makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S QS")
    before = line(page)
    tap(page, "steps", "next", "next")
    assert visit(page).step == 2
    tap(page, "steps", "back", "back", "back")
    assert visit(page).step == 0
    for _ in range(2):
        pick(page, "hand/0")
        page.button(key="remove").click().run()
    assert line(page).endswith("hand: QS")
    tap(page, "tools", "undo", "undo")
    assert line(page) == before
    settled(page)


def test_an_address_that_comes_late_neither_undoes_a_change_nor_forgets_the_photo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    page = photographed(monkeypatch, tmp_path)
    page.button(key="alt1_5S").click().run()
    page.query_params["p"] = str(parse_position(MISREAD))  # as a browser sends it that has not heard of the change
    page.run()
    assert line(page) == str(parse_position(WON))
    assert visit(page).shot is not None
    page.query_params["p"] = LOST
    assert line(settled(page.run())) == str(parse_position(LOST)), "another link is opened"


def test_the_browsers_back_goes_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    page = photographed(monkeypatch, tmp_path)
    page.button(key="alt1_5S").click().run()
    monkeypatch.setattr(state, "_travelled", lambda: True)
    page.query_params["p"] = str(parse_position(MISREAD))
    assert line(settled(page.run())) == str(parse_position(MISREAD))
    page.query_params.clear()
    page.run()
    assert page.title[0].value == "Could I have won?"
    page.query_params["p"] = str(parse_position(MISREAD))
    page.run()
    assert visit(page).shot is not None


def test_what_polls_lies_in_a_block_of_its_own() -> None:
    """A poll amid a run of the page makes Streamlit draw that part again, at the end: nothing may lie beside it."""
    page = AppTest.from_string(
        "import streamlit as st\nfrom webapp import state\nst.text('a')\nstate.poll(st.text, 9.0, 'b')\nst.text('c')"
    ).run()
    part = page.main.children[1]
    assert len(part.children) == 1
    assert part.children[0].children[0].value == "b"  # type: ignore[union-attr]


def test_a_slip_in_the_line_is_pointed_at_and_changes_nothing() -> None:
    page = opened(WON)
    notation(page).set_value("makiaveli hand: 3S 9X").run()
    assert not page.exception
    assert any("9X" in block.value and "^" in block.value for block in page.code)
    assert line(page) == str(parse_position(WON))


def test_a_card_can_be_removed_and_moved() -> None:
    page = pick(opened(WON), "hand/2")
    page.button(key="remove").click().run()
    assert line(page).endswith("hand: 3S 4S")
    page = pick(settled(page), "cross/0")
    page.selectbox(key=box(page, "move_cross/0")).set_value("hand").run()
    assert line(page).endswith("cross: - - - -; hand: 3S 4S 2S")
    assert "Yes, you could have won" in said(settled(page))


def test_rules_can_be_chosen() -> None:
    page = opened(WON)
    page.pills(key=box(page, "rule_strict_cross")).set_value(1).run()
    assert line(page).startswith("makiaveli rules: strict_cross;")
    page.selectbox(key=box(page, "rule_repair")).select_index(1).run()
    assert line(page).startswith("makiaveli rules: strict_cross repair;")
    settled(page)


def test_other_rules_are_answered_at_once() -> None:
    table = "columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12"
    page = opened(f"klondike {table}")
    assert page.pills(key=box(page, "rule_set")).value == "One card moves"
    page.pills(key=box(page, "rule_set")).set_value("Turn 3").run()
    assert line(page).startswith("klondike draw: 3;")
    assert "Yes, it could have been won" in said(settled(page))
    page.selectbox(key=box(page, "rule_draw")).set_value(1).run()
    assert line(page).startswith("klondike draw: 2;")
    assert page.pills(key=box(page, "rule_set")).value == "Own"


def test_what_a_browser_still_holds_of_the_rules_before_does_not_undo_an_undo() -> None:
    page = opened("klondike columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D13 H12 S12")
    before = line(page)
    page.pills(key=box(page, "rule_set")).set_value("Turn 3").run()
    held = page._tree.get_widget_states()
    tap(page, "tools", "undo")
    assert line(page) == before
    page._run(held)  # a poll, or another tap, sent before the browser had heard that the table was taken back
    assert line(page) == before
    assert page.pills(key=box(page, "rule_set")).value == "One card moves"
    settled(page)


def test_what_a_browser_still_holds_of_the_line_before_does_not_undo_a_change() -> None:
    page = opened(WON)
    held = page._tree.get_widget_states()
    pick(page, "hand/2")
    page.button(key="remove").click().run()
    assert line(page).endswith("hand: 3S 4S")
    page._run(held)
    assert line(page).endswith("hand: 3S 4S")
    settled(page)


def test_forced_or_free_changes_the_answer() -> None:
    page = opened("tomb_single corners: 7H | - | - | -; deck: 51")
    before = said(page)
    page.pills(key=box(page, "rule_mode")).set_value(1).run()
    assert said(settled(page)) != before


def test_redeals_left_go_with_the_wastes() -> None:
    page = opened("tomb_double foundations: C26 D26 H26 S25; tableau: AS | - | - | -")
    page.pills(key=box(page, "redeals")).set_value(1).run()
    assert line(page).endswith("redeals: 1")
    settled(page)


def test_the_next_photo_goes_by_the_rules_agreed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    page = photographed(monkeypatch, tmp_path)
    page.pills(key=box(page, "rule_strict_cross")).set_value(1).run()
    assert page.button(key="reread").disabled, "rules are no part of a reading"
    page.button(key="new").click().run()
    page.pills(key="way").set_value("sample").run()
    page.button(key="use_makiaveli_1").click().run()
    assert line(page).startswith("makiaveli rules: strict_cross;")


def test_a_new_table_forgets_everything() -> None:
    page = opened(WON)
    page.button(key="new").click().run()
    assert visit(page).line is None
    assert "p" not in page.query_params


def seen(card: str, zone: str, confidence: float = 1.0, *alternatives: str) -> dict[str, Any]:
    others = [[name, 0.1] for name in alternatives]
    return {"card": card, "confidence": confidence, "alternatives": others, "zone": zone, "quad": None, "indices": []}


MISREAD = "makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 6S"
READING = {
    "image": {"width": 4, "height": 4},
    "game": "makiaveli",
    "game_confidence": 1.0,
    "cards": [seen("7C", "floor/0"), seen("6S", "hand", 0.6, "5S", "8S"), seen("7H", "floor/0", 0.9, "7S")],
    "backs": [],
    "problems": [],
    "doubtful": [{"number": 1}, {"number": 2}],
}
PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde\x00\x00\x00\x0c"
    b"IDATx\x9cc\xf8\xcf\xc0\x00\x00\x03\x01\x01\x00\xc9\xfe\x92\xef\x00\x00\x00\x00IEND\xaeB`\x82"
)


def photographed(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> AppTest:
    """The page after a sample photo was read, with one card of the hand misread."""
    line = str(parse_position(MISREAD))
    shot = Shot("sample", (PIXEL,), READING, line, {1: PIXEL}, ((-0.5, str(parse_position(WON))),))
    (tmp_path / "makiaveli_1.jpg").write_bytes(PIXEL)
    monkeypatch.setattr(start, "SAMPLES", tmp_path)
    monkeypatch.setattr(start, "read", lambda *args, **more: shot)
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    page.pills(key="way").set_value("sample").run()
    page.button(key="use_makiaveli_1").click().run()
    return settled(page)


def test_a_misread_card_is_asked_about_first_and_put_right(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    page = photographed(monkeypatch, tmp_path)
    assert "No, you could not have won" in said(page)
    assert any("check 2 cards" in text.value for text in page.markdown)
    assert any("depends on this card" in text.value for text in page.caption)
    page.button(key="alt1_5S").click().run()
    page = settled(page)
    assert "Yes, you could have won" in said(page)
    assert any("check 1 card" in text.value for text in page.markdown)
    page.button(key="right2").click().run()
    assert not any("check" in text.value for text in page.markdown)
    page.button(key="reread").click().run()
    assert line(page) == str(parse_position(MISREAD))


@pytest.mark.parametrize("reason", ["holds no picture that can be read", "has <b>200</b> megapixels"])
def test_a_photo_that_cannot_be_read_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, reason: str) -> None:
    def refuse(*args: Any, **more: Any) -> Shot:
        raise PhotoError("<bytes>", reason)

    (tmp_path / "makiaveli_1.jpg").write_bytes(PIXEL)
    monkeypatch.setattr(start, "SAMPLES", tmp_path)
    monkeypatch.setattr(start, "read", refuse)
    page = AppTest.from_string(SCRIPT, default_timeout=300).run()
    page.pills(key="way").set_value("sample").run()
    page.button(key="use_makiaveli_1").click().run()
    assert not page.exception
    assert "could not be read" in said(page)
    assert visit(page).line is None


def test_a_wide_estimate_is_shown_soon_and_looked_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "LADDER", (QUICK, 2.0, 3.0))
    monkeypatch.setattr(outcome, "NARROW", -1.0)
    page = opened(HIDDEN)
    assert visit(page).seconds == 2.0
    assert "possible deals" in said(page)
    page.button(key="longer").click().run()
    assert visit(page).seconds == 3.0
    assert "possible deals" in said(page), "what is known stays on the page while the search goes on"
    settled(page)
    assert page.button(key="longer").label == "Look for 3 s"


def test_the_way_plays_by_itself_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "PACE", 0.0)
    page = opened("makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S QS")
    tap(page, "steps", "play")  # what ticks goes on at once, so this is the whole way
    last = visit(page).step
    assert last > 1
    assert is_off(page, "steps", "next")
    tap(page, "steps", "back")
    assert visit(page).step == last - 1


def test_an_empty_table_is_no_verdict() -> None:
    page = opened("makiaveli")
    assert "Tap a +" in said(page)
    assert "won" not in said(page)


def test_cards_that_begin_a_meld_stay_together() -> None:
    here = Visit()
    here.begin("makiaveli hand: 7S")
    here.pick("floor/*")
    for card in ("7C", "7D", "7H"):
        target = edits.target_of(here.picked or "")
        assert target is not None
        desk.put_on(here, target, card)
    assert here.line == "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 7S"


def test_the_rules_that_the_verdict_goes_by_are_told() -> None:
    page = opened(HIDDEN)
    assert any("Turn 1; redeals unlimited" in text.value.replace("\\", "") for text in page.caption)


def test_the_photos_notes_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setitem(READING, "notes", ["the deck is every card but TH"])
    page = photographed(monkeypatch, tmp_path)
    assert any("10♥" in text.value for text in page.caption)


def test_a_card_that_the_reading_left_out_is_shown_and_can_be_put_on_the_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    cards = [*READING["cards"], seen("7H", "none", 0.4)]
    monkeypatch.setitem(READING, "cards", cards)
    monkeypatch.setitem(READING, "doubtful", [{"number": 3}])
    page = photographed(monkeypatch, tmp_path)
    assert any("7♥** is in the photo" in text.value for text in page.markdown)
    page.selectbox(key=box(page, "in3")).set_value("hand").run()
    assert line(page).endswith("hand: 3S 4S 6S 7H")
    assert not any("is in the photo" in text.value for text in settled(page).markdown)
    tap(page, "tools", "undo")
    visit(page).checked = frozenset()
    page.run().button(key="out3").click().run()
    assert not any("is in the photo" in text.value for text in page.markdown)


def test_face_down_cards_are_counted_anew() -> None:
    page = pick(opened(HIDDEN), "columns/1/up/0")
    tap(page, "bury", "1", "1")
    assert "?? ?? ?? ?? [7C]" in line(page)
    tap(page, "bury", "-1", "-1")
    tap(page, "bury", "1")
    assert "?? ?? ?? [7C]" in line(page)
    assert "stock: ?? ?? ?? ?? ??;" in line(page)
    tap(page, "bury", "-1")
    assert line(page) == str(parse_position(HIDDEN))
