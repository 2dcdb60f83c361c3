"""A turn of Makiaveli between two photos: a table is remembered, and later it is told what has changed."""

from __future__ import annotations

import os
from base64 import b64encode
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from solver.place import Place
from tests.vision.test_compare import AFTER, BEFORE, beside_another_meld, reading
from tests.webapp.actions import choose_photo, choose_photos, keep, kept, opened, start, still, top_of, until, verdict
from tests.webapp.readings_app import DOES_NOT_JOIN, WERE_MOVED, picture
from vision.question import Question, QuestionKind
from vision.reading import NO_HAND, Reading
from webapp import streamlit_link, worker
from webapp.events import table_events
from webapp.jobs import Job
from webapp.photo_session import PhotoSession
from webapp.session import Session
from webapp.trust import WHOLE, card_id, question_id
from webapp.turns import (
    WON,
    ask_about_turn,
    ask_if_one_table,
    ask_what_changed,
    change_json,
    describe_change,
    hold_rest_of_hand,
    settled_reading,
    stand_in,
    with_first_question,
)

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page


def session_of(found: Reading) -> tuple[Session, PhotoSession]:
    shot = PhotoSession((picture(),), found, (picture(),))
    session = Session()
    session.begin(shot.line, shot)
    return session, shot


def compared(before: Reading, after: Reading, hand: str = "") -> dict[str, Any]:
    request = {"before": before.to_json(), "after": after.to_json(), "hand": hand, "as_read": False, "settled": []}
    return worker.compare_task(request | {"photo": b64encode(picture()).decode()}, lambda news: None)


def remember_table(page: Page, name: str = "before.jpg") -> None:
    """Has the page read a photo before a turn, and remember its table."""
    start(page)
    choose_photo(page, name, picture())
    verdict(page)
    page.get_by_role("button", name="Remember this table").click()
    page.get_by_text("I remember this table.").wait_for()


def read_later_table(page: Page, made: str, first: str = "before.jpg") -> None:
    """Has the page read a photo after a turn, loaded anew since it remembered the table before."""
    remember_table(page, first)
    page.goto(made)
    start(page)
    choose_photo(page, "after.jpg", picture())
    verdict(page)


def test_a_table_is_remembered_over_a_reload_and_what_changed_is_told(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        read_later_table(page, made)
        page.get_by_role("button", name="What has changed since").click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        until(page, lambda: kept(page, "remembered").get("isCompared"), "it waits for no turn any more")
        told = page.locator(".change").inner_text()
        assert "Played: 7♦ 7♥." in told
        page.reload()
        page.get_by_role("heading", name="A legal turn").wait_for()
        assert "In this turn the hand could have played more: 3 cards instead of 2." in told
        assert page.get_by_text("Put it back").count() == 0, "a legal turn stays"
        page.get_by_role("button", name="Show how", exact=True).click()
        page.get_by_text("This is the table before the turn.").wait_for()
        assert "Yes, you could have won" in verdict(page)
        page.get_by_role("button", name="Compare with the photo after the turn").click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        page.get_by_role("button", name="Remember this table").click()
        page.get_by_text("I remember this table.").wait_for()
        assert page.get_by_label("Photo after the turn").get_attribute("capture") is None, "it may be taken already"
        before = {"name": "before.jpg", "mimeType": "image/jpeg", "buffer": picture()}
        page.get_by_label("Photo after the turn").set_input_files(before)
        page.get_by_role("heading", name="Not a legal turn").wait_for()  # it is compared at once
        still(page)
        assert "Not a legal turn" in verdict(page), "one answer at a time"
        assert page.locator(".verdict.good, .bar:visible").count() == 0
        until(page, lambda: page.locator(".change img").evaluate("(img) => img.naturalWidth") > 300, "the way back")


def test_how_more_could_have_been_played_is_shown_though_something_about_that_photo_is_open(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        remember_table(page, "spot before.jpg")
        choose_photo(page, "after.jpg", picture(), "Photo after the turn")
        page.get_by_role("button", name="Show how", exact=True).click()
        page.get_by_text("What the hand could have played is shown step by step.").wait_for()
        page.locator(".bar").get_by_role("button", name="Next step").click()
        assert page.locator(".asking").is_hidden(), "it stood in the place of the steps"
        page.get_by_role("button", name="1 question").wait_for()


def test_over_a_later_table_the_one_remembered_takes_one_line_and_is_forgotten_with_one_tap(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        read_later_table(page, made)
        offer = page.locator(".turn", has=page.get_by_role("button", name="What has changed since"))
        offer.wait_for()
        assert offer.evaluate("(box) => box.offsetHeight") < 60, "one line over the table"
        assert offer.locator(".main").count() == 0, "it may be another game"
        below = page.locator(".turn", has=page.get_by_role("button", name="Remember this table"))
        assert top_of(below) > top_of(page.locator(".felt"))
        page.get_by_role("button", name="Forget that table").click()
        offer.wait_for(state="detached")
        assert kept(page, "remembered") is None
        assert kept(page, "photo"), "nothing else is forgotten"


def test_a_table_of_several_photos_is_remembered_but_not_while_they_may_show_two(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photos(page, {"after.jpg": picture(), "before.jpg": picture()})
        page.locator(".asking").get_by_text("Photo 2 does not join").wait_for()
        still(page)
        assert page.get_by_role("button", name="Remember this table").count() == 0
        page.goto(made)
        start(page)
        choose_photos(page, {"pair.jpg": picture(), "more.jpg": picture()})
        verdict(page)
        page.get_by_role("button", name="Remember this table").click()
        page.get_by_text("I remember this table.").wait_for()
        choose_photo(page, "after.jpg", picture(), "Photo after the turn")
        page.locator(".change").get_by_text("As far as I can see:").wait_for()


def test_a_table_stays_remembered_until_somebody_has_another_one_remembered(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page, "sure.jpg")
        remembered = kept(page, "remembered")["key"]
        page.goto(made)
        page.get_by_text("I remember your table from").wait_for()  # the start says so, too
        assert page.get_by_label("Photo after the turn").count() == 1
        choose_photos(page, {"before.jpg": picture(), "after.jpg": picture()})
        page.get_by_role("button", name="Photo 1 before a turn, photo 2 after it").click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        assert kept(page, "remembered")["key"] == remembered, "two photos that came together replace no table"
        page.reload()
        page.get_by_role("heading", name="A legal turn").wait_for()  # with that of the pair
        page.goto(made)
        start(page)
        choose_photo(page, "strange.jpg", picture())
        verdict(page)
        page.get_by_role("button", name="Remember this table instead").wait_for()
        assert page.locator(".since").count() == 0, "it has other cards than the tables before"
        page.get_by_role("button", name="Remember this table instead").click()
        page.get_by_text("I remember this table.").wait_for()
        assert kept(page, "remembered")["key"] != remembered


def test_a_comparison_with_another_table_says_what_to_do_and_can_be_asked_for_again(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        read_later_table(page, made, "many.jpg")
        page.get_by_role("button", name="What has changed since").click()
        page.get_by_role("heading", name="I take this for another table").wait_for()
        assert "take a photo that shows all of it" in page.locator(".change").inner_text()
        page.get_by_role("button", name="What has changed since").wait_for()
        page.get_by_role("button", name="Remember this table instead").wait_for()


def test_over_a_table_that_has_hardly_a_meld_in_common_nothing_is_offered_to_compare(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        read_later_table(page, made, "many.jpg")  # of two melds any turn may have changed both
        page.get_by_role("button", name="What has changed since").wait_for()
        page.goto(made)
        start(page)
        choose_photo(page, "others.jpg", picture())
        verdict(page)
        page.get_by_role("button", name="Remember this table instead of that from").wait_for()
        assert page.get_by_role("button", name="What has changed since").count() == 0
        page.goto(made)
        start(page)
        choose_photo(page, "many.jpg", picture(1))
        verdict(page)
        page.get_by_role("button", name="What has changed since").wait_for()


def test_a_turn_that_is_told_waits_for_no_answer_about_its_table(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page)
        choose_photo(page, "spot.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="A legal turn").wait_for()
        still(page)
        assert page.locator(".asking").is_hidden()
        page.reload()
        page.get_by_role("heading", name="A legal turn").wait_for()  # it is what was asked last
        still(page)
        page.get_by_role("button", name="1 question").click()
        page.locator(".asking").get_by_text("Does a card lie here?").wait_for()


def test_what_keeps_a_turn_open_is_answered_with_one_tap_and_compared_again(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page)
        choose_photo(page, "beside.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="I cannot tell yet").wait_for()
        page.locator(".asking").get_by_text("Where does 7♠ lie?").wait_for()
        assert page.locator(".asking .enlarge").count() == 1, "with a piece of the photo"
        page.locator(".asking").get_by_role("button", name="7♣ 7♦ 7♥", exact=True).click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        assert "Played: 7♦ 7♥ 7♠." in page.locator(".change").inner_text()
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="What has changed since").click()
        page.locator(".asking").get_by_role("button", name="Hand", exact=True).click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        assert "Played: 7♦ 7♥." in page.locator(".change").inner_text()


def test_a_photo_with_unsure_cards_is_compared_at_once_and_asks_first_what_the_turn_hangs_on(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        remember_table(page)
        choose_photo(page, "unsure.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="I cannot tell yet").wait_for()
        asked = page.locator(".change li").inner_text()
        assert asked == "Which card is this? (beside 7♣ 7♦)", "not of the hand, though that is less sure"
        assert "1 question is about the turn. Please answer it first." in page.locator(".change").inner_text()
        page.locator(".asking").get_by_text("1 left", exact=True).wait_for()
        page.locator(".asking").get_by_text(asked).wait_for()
        still(page)
        assert top_of(page.locator(".felt")) > 0, "the table shows what is asked"
        page.locator(".asking [data-card='7H']").click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        page.locator(".asking [data-card='7S']").click()
        still(page)
        page.get_by_role("heading", name="A legal turn").wait_for()


@pytest.mark.parametrize(
    ("answer", "told"),
    [("Photo 1 before a turn, photo 2 after it", "A legal turn"), ("Photo 2 before a turn, photo 1 after it", "Not a")],
)
def test_photos_before_and_after_a_turn_that_were_chosen_together_are_compared(
    browser: Browser, made: str, answer: str, told: str
) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photos(page, {"before.jpg": picture(), "after.jpg": picture()})
        page.get_by_role("heading", name="Before and after a turn?").wait_for()
        still(page)
        assert page.locator(".verdict.good, .verdict.bad, .bar:visible").count() == 0, "there may be no such table"
        page.locator(".asking").get_by_text("Why does 7♣ lie at different places in photo 1 and photo 2?").wait_for()
        page.locator(".asking").get_by_role("button", name=answer).click()
        page.get_by_role("heading", name=told).wait_for()
        if told == "Not a":
            page.get_by_role("button", name="The other way round").click()
            page.get_by_role("heading", name="A legal turn").wait_for()


def test_the_hand_before_a_turn_is_typed_after_the_turn_was_told(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page, "bare.jpg")
        choose_photo(page, "after.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="Legal, if 7♦ 7♥ came from the hand").wait_for()
        assert page.locator(".change.good").count() == 0
        page.get_by_role("button", name="Say which cards the hand held before").click()
        page.get_by_text("Which cards were in the hand before the turn?").wait_for()
        page.get_by_text("The cards of your hand before the turn").wait_for()  # the field has a label
        compare = page.get_by_role("button", name="Compare with the photo after the turn")
        assert compare.get_attribute("class") is None, "the hand comes first"
        page.get_by_role("textbox", name="The cards of your hand").fill("7D 2C")
        page.get_by_role("button", name="Put into the hand").click()
        page.locator(".felt [data-place='hand/1']").wait_for()
        page.locator("button.main", has_text="Compare with the photo after the turn").wait_for()


def test_two_photos_that_do_not_join_are_compared_with_one_tap(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photos(page, {"after.jpg": picture(), "before.jpg": picture()})
        page.locator(".asking").get_by_text("Photo 2 does not join").wait_for()
        label = page.locator("figcaption").last
        assert label.evaluate("(box) => box.offsetHeight < 30 && box.offsetWidth <= box.parentElement.offsetWidth")
        page.locator(".asking").get_by_role("button", name="Before and after a turn").click()
        page.get_by_role("heading", name="Not a legal turn").wait_for()
        page.get_by_role("button", name="The other way round").click()
        page.get_by_role("heading", name="A legal turn").wait_for()


def test_photos_chosen_together_are_taken_in_the_order_of_their_times(
    browser: Browser, made: str, tmp_path: Path
) -> None:
    paths = [tmp_path / "after.jpg", tmp_path / "before.jpg"]
    for path, time in zip(paths, (5000, 1000), strict=True):
        path.write_bytes(picture())
        os.utime(path, (time, time))
    with opened(browser, made) as page:
        start(page)
        page.get_by_label("Choose photo", exact=True).set_input_files(paths)
        page.get_by_role("heading", name="Before and after a turn?").wait_for()


def test_the_photo_before_a_turn_is_put_right_and_the_turn_compared_again(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "strange.jpg", picture())
        verdict(page)
        page.get_by_role("button", name="Remember this table").click()
        choose_photo(page, "after.jpg", picture(), "Photo after the turn")
        page.get_by_role("button", name="Open the photo before the turn").click()
        page.get_by_text("This is the table before the turn.").wait_for()
        page.locator("li", has_text="9♠ is no meld").wait_for()
        page.locator(".felt [data-place='floor/2/0']").click()
        page.get_by_role("button", name="No card here").click()
        still(page)
        page.get_by_role("button", name="Compare with the photo after the turn").click()
        page.get_by_role("heading", name="A legal turn").wait_for()


def test_what_hides_the_way_back_and_is_asked_about_the_photo_before_is_one_tap_away(
    browser: Browser, made: str
) -> None:
    with opened(browser, made) as page:
        remember_table(page, "in_hand.jpg")
        choose_photo(page, "mixed.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="Not a legal turn").wait_for()
        page.get_by_text("How to put it back is shown once").wait_for()
        page.get_by_role("button", name="Open the photo before the turn").click()  # it stands in no fold
        asked = page.locator(".asking").get_by_role("button", name="Floor")
        asked.wait_for()
        still(page)
        go_on = page.get_by_role("button", name="Compare with the photo after the turn")
        assert top_of(go_on) > top_of(page.locator(".felt")), "it stands not above the question"
        asked.click()
        page.get_by_text("All questions about it are answered.").wait_for()
        assert page.get_by_text("What the turn hangs on").count() == 0, "it is settled"
        go_on.click()
        page.get_by_text("Put it back").wait_for()


def test_a_hand_that_is_told_after_a_table_was_remembered_is_remembered_too(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page, "bare.jpg")
        page.get_by_role("textbox", name="The cards of your hand").fill("7D 7H 2C")
        page.get_by_role("button", name="Put into the hand").click()
        until(page, lambda: kept(page, "remembered")["hand"] == "7D 7H 2C", "it is the table as it is now")


def test_a_table_that_is_remembered_as_it_is_is_not_offered_again(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page)
        keep(page, "remembered", kept(page, "remembered") | {"url": "of an earlier reading"})
        page.goto(made)
        start(page)
        choose_photo(page, "before.jpg", picture())
        page.get_by_text("I remember this table.").wait_for()
        still(page)
        assert page.get_by_role("button", name="Remember this table").count() == 0


def test_a_hand_that_is_remembered_is_not_lost_to_its_photo_that_is_read_anew(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page)
        remembered = kept(page, "remembered")
        keep(page, "remembered", remembered | {"hand": "7D 7H 2C", "url": "as it was with the hand"})
        page.goto(made)
        start(page)
        choose_photos(page, {"before.jpg": picture(), "after.jpg": picture()})
        page.get_by_role("button", name="Photo 1 before a turn, photo 2 after it").click()
        page.get_by_role("heading", name="A legal turn").wait_for()
        assert kept(page, "remembered")["hand"] == "7D 7H 2C"
        page.goto(made)
        start(page)
        choose_photo(page, "before.jpg", picture())
        page.get_by_text("I remember this table as it was at").wait_for()
        still(page)
        assert kept(page, "remembered")["hand"] == "7D 7H 2C"
        assert page.get_by_label("Photo after the turn").count() == 0, "one way on at a time"
        page.get_by_role("button", name="Remember it as it is now").click()
        until(page, lambda: not kept(page, "remembered")["hand"], "it was asked for")


def test_a_card_that_is_put_right_after_a_table_was_remembered_counts(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        remember_table(page, "strange.jpg")
        page.locator(".felt [data-place='floor/2/0']").click()
        page.get_by_role("button", name="No card here").click()
        until(page, lambda: ["9S"] not in kept(page, "remembered")["reading"]["position"]["floor"], "it is too")
        choose_photo(page, "after.jpg", picture(), "Photo after the turn")
        page.get_by_role("heading", name="A legal turn").wait_for()


def test_of_melds_that_the_board_does_not_show_nothing_is_told() -> None:
    before, after = (
        reading(f"floor: 4C 5C 6C 7C{more}") for more in (" | KC KD KH; hand: 8C 3H", " 8C; hand: KC KD KH 3H")
    )
    said = describe_change(compared(before, after))
    assert (said["tone"], said["steps"]) == ("open", [])
    assert not any("another meld" in line for line in said["lines"])


def test_of_a_table_of_several_photos_the_turn_is_told_but_no_way_back_is_drawn() -> None:
    request = {"before": reading(AFTER).to_json(), "after": reading(BEFORE).to_json(), "photo": None}
    found = worker.compare_task(request | {"hand": "", "as_read": True, "settled": []}, lambda news: None)
    assert (found["legal"], bool(found["put_back"]), found["picture"]) == (False, True, None)


def test_only_a_card_of_the_cross_that_lies_in_a_meld_now_was_taken_from_it() -> None:
    before, after = "floor: 4C 5C 6C | KC KD KH; cross: 7C 2S; hand: 8C", "floor: 4C 5C 6C 7C 8C | KC KD KH"
    lines = describe_change(compared(reading(before), reading(after)))["lines"]
    assert "From the cross: 7♣ into 4♣ 5♣ 6♣ 7♣ 8♣." in lines
    assert "2♠ lay in the cross and is not on the table any more." in lines


def test_the_turn_has_its_say_before_the_table_and_without_a_hand() -> None:
    assert (stand_in({"running": {}}) or {})["headline"] == "Was the turn legal?"
    legal = describe_change(compared(reading(BEFORE), reading(AFTER)))
    assert stand_in(legal) is None
    waits = stand_in(legal, is_handless=True) or {}
    assert (waits["headline"], waits["tone"]) == ("Legal, if 7♦ 7♥ came from the hand", "open")
    assert "the hand after the turn" in waits["detail"], "the other hand is asked for below"
    named = describe_change(compared(reading(BEFORE), reading(AFTER), "7D 7H 2C"))
    assert (stand_in(named, is_handless=True) or {})["headline"] == "A legal turn"


def test_what_a_legal_turn_left_of_a_named_hand_is_the_hand_after_it() -> None:
    job = Job({}, 1.0)
    job.result = compared(reading(BEFORE), reading(AFTER), "7D 7H 2C")
    session, shot = session_of(reading(AFTER))
    assert session.line is not None
    session.comparing = shot, session.line, session.answered, job
    hold_rest_of_hand(session)
    assert session.line.endswith("hand:"), "it is not compared yet"
    job._finish()
    hold_rest_of_hand(session)
    assert session.line.endswith("hand: 2C")
    assert (change_json(session) or {})["headline"] == "A legal turn", "it is not compared anew"
    session.undo()
    hold_rest_of_hand(session)
    assert session.line.endswith("hand:"), "who takes it back is right"


def test_a_turn_is_told_as_far_as_it_can_be_seen_where_a_card_may_not_have_been_read() -> None:
    unread = Question(QuestionKind.UNREAD, "I see a card here that I cannot read", photos=(0,), doubt=0.5)
    session, shot = session_of(replace(reading(AFTER), checks=(unread,)))
    assert session.line is not None
    job = Job({}, 1.0)
    job.result = compared(reading(BEFORE), reading(AFTER), "7D 7H 2C")
    job._finish()
    session.comparing = shot, session.line, session.answered, job
    assert (change_json(session) or {})["headline"] == "A legal turn, as far as I can see"
    session.answered = frozenset({question_id(unread)})
    session.comparing = shot, session.line, session.answered, job
    assert (change_json(session) or {})["headline"] == "A legal turn"


@pytest.mark.parametrize(("before", "hand"), [(f"{BEFORE.partition('; hand')[0]}; hand: 7D 7H", ""), (BEFORE, "7D 7H")])
def test_a_legal_turn_that_plays_the_whole_hand_has_won(before: str, hand: str) -> None:
    won = describe_change(compared(reading(before), reading(AFTER.partition("; hand")[0]), hand))
    assert (won["headline"], won["tone"]) == (WON, "good")
    assert not any("could not have played more" in line for line in won["lines"])
    for is_handless in (False, True):
        assert (stand_in(won, is_handless=is_handless) or {})["headline"] == WON, "it asks for no hand"
    assert describe_change(compared(reading(BEFORE), reading(AFTER), "7D 7H 2C"))["headline"] != WON


def test_that_a_turn_seems_to_have_won_is_said_while_something_else_is_asked() -> None:
    before = reading(f"{BEFORE.partition('; hand')[0]}; hand: 7D 7H")
    found = compared(before, reading(AFTER.partition("; hand")[0])) | {"checks": ["is it right?"]}
    seems = stand_in(describe_change(found), is_handless=True) or {}
    assert (seems["headline"], seems["tone"]) == ("A legal turn, as far as I can see", "open")
    assert seems["detail"] == "All cards of the hand were played, as far as I can see: then the turn won the game."


def test_a_question_comes_before_the_verdict_where_an_answer_to_it_breaks_the_rules() -> None:
    found = compared(*beside_another_meld())
    said = describe_change(found)
    assert (said["tone"], said["isLegal"]) == ("open", False)
    assert said["asks"][-1] == "Photo after the turn: perhaps 7♦ does not lie in meld 3: please check where it lies."
    assert len(found["questions"]) == 1


def test_of_photos_between_two_of_which_a_turn_may_lie_one_of_another_table_is_named_at_once() -> None:
    apart = replace(DOES_NOT_JOIN, photos=(2,))
    table = {"game": "makiaveli"}
    assert "list" not in (ask_if_one_table([WERE_MOVED], table) or {})
    said = ask_if_one_table([WERE_MOVED, apart], table) or {}
    assert said["list"] == ["Photo 3 seems to show another table, or too little of this one."]
    assert said["unfolded"], "it is seen without a tap"


def test_of_a_turn_that_is_not_clear_each_thing_is_said_once() -> None:
    found = compared(reading(BEFORE), reading(AFTER)) | {"legal": False, "played": [], "checks": ["is it right?"]}
    lines = describe_change(found | {"why": "no card was played: a turn plays one; 7C lies in the cross"})["lines"]
    assert sum("As far as I can see" in line for line in lines) == 1
    assert sum("o card was played" in line for line in lines) == 1
    assert lines[-1] == "How to put it back is shown once you have answered what is asked."


def test_photos_in_the_wrong_order_are_told_only_where_the_other_way_is_legal() -> None:
    said = describe_change(compared(reading(AFTER), reading(BEFORE)))
    assert said["otherWay"]
    for asked, is_told in (({"isOfTurn": True}, False), ({"isOfTurn": False}, True)):
        told = with_first_question(said, [asked | {"text": "Which card is this?"}])
        assert told is not None
        assert told["otherWay"] == is_told, "an answer about the turn may decide it"
    assert not describe_change(compared(reading(BEFORE), reading("floor: 4C 5C 6C | KC KD KH KS; cross: 2S")))[
        "otherWay"
    ]


@pytest.mark.parametrize(("after", "is_told"), [("5C 6C 7C; hand: 3H 4C", True), ("5C 6C 7C 8C; hand: 4C", False)])
def test_where_a_turn_only_took_cards_up_it_is_asked_if_the_photos_come_the_other_way(
    after: str, is_told: bool
) -> None:
    before = reading("floor: KC KD KH | 4C 5C 6C 7C; hand: 3H 8C")
    found = compared(before, reading(f"floor: KC KD KH | {after}"))
    assert found["legal"] is False
    said = describe_change(found | {"other_way": False})
    told = "Or was this photo taken before the other one? Then 4♣ was played."
    assert (said["otherWay"], said["whyOtherWay"]) == (is_told, told if is_told else "")


def test_the_cards_that_a_legal_turn_played_are_marked_on_the_table() -> None:
    job = Job({}, 1.0)
    job.result = compared(reading(BEFORE), reading(AFTER), "7D 7H 2C")
    job._finish()
    session, shot = session_of(reading(AFTER))
    assert session.line is not None
    session.comparing = shot, session.line, session.answered, job
    said = change_json(session) or {}
    floor = (session.position() or shot.reading.position).to_json()["floor"]
    places = [Place.of_path(place) for place in said["played"]]
    cards = [
        floor[place.ordinal][int(path.rpartition("/")[2])] for place, path in zip(places, said["played"], strict=True)
    ]
    assert sorted(cards) == ["7D", "7H"]
    assert said["lines"][:2] == ["Played: 7♦ 7♥.", "On the table they have a plus."]


@pytest.mark.parametrize(
    ("hand", "told"),
    [
        ("", "I go by the hand in the photo before the turn: 7♦ 7♥."),
        ("7D 7H 2C", "I go by the hand that you told me: 7♦ 7♥ 2♣."),
    ],
)
def test_it_is_said_by_which_hand_a_turn_is_told(hand: str, told: str) -> None:
    before = reading(BEFORE if hand else f"{BEFORE}; hand: 7D 7H")
    assert told in describe_change(compared(before, reading(AFTER), hand))["lines"]
    assert not any("I go by" in line for line in describe_change(compared(reading(BEFORE), reading(AFTER)))["lines"])


def test_an_illegal_turn_is_told_with_its_reason_and_the_steps_back() -> None:
    found = compared(reading(BEFORE), reading("floor: 4C 5C 6C | KC KD KH KS; cross: 2S"))
    said = describe_change(found)
    assert (said["headline"], said["tone"]) == ("Not a legal turn", "bad")
    assert "7♣ lay on the floor and is not on the table any more" in said["lines"][0], "the reason comes first"
    assert "Played: K♠." in said["lines"]
    assert len(said["steps"]) == 2
    assert found["picture"]


def test_of_another_table_nothing_is_listed_asked_or_put_back() -> None:
    said = describe_change(compared(reading(BEFORE), reading("floor: 9S TS JS QS | 8C 8D 8H; cross: 5D")))
    assert said["headline"] == "I take this for another table"
    assert said["lines"][0] == "The two photos seem to show different tables: few cards lie alike in both."
    assert "So I cannot tell if the turn was legal." in said["lines"][1], "it is no answer about the turn"
    assert (said.get("asks"), said.get("steps"), stand_in(said)) == (None, None, None), "the table's own verdict stays"


def test_what_is_in_doubt_is_asked_and_a_person_settles_it() -> None:
    doubtful = reading(AFTER, {"7H": 0.6})
    session, shot = session_of(doubtful)
    said = describe_change(compared(reading(BEFORE), settled_reading(session, shot)))
    assert said["tone"] == "open"
    assert "7♥ in meld 3 of the photo after the turn" in said["asks"][0]
    assert said["lines"][0].startswith("As far as I can see")
    assert not said["steps"], "nothing is put back before it is clear that the turn was not legal"
    session.answered = frozenset(card_id(n) for n, card in enumerate(doubtful.cards) if card.text == "7H")
    told = describe_change(compared(reading(BEFORE), settled_reading(session, shot)))
    assert (told["isLegal"], told["asks"]) == (True, [])


@pytest.mark.parametrize(("answer", "legal"), [("KD", True), ("none", False)])
def test_a_card_that_was_missed_is_asked_about_and_the_answer_compared(
    monkeypatch: pytest.MonkeyPatch, answer: str, legal: bool
) -> None:
    def submit(request: dict[str, Any], **_: Any) -> Job:
        job = Job(request, 1.0)
        job.result = worker.compare_task(request, lambda news: None)
        job._finish()
        return job

    monkeypatch.setattr(streamlit_link, "pool", lambda: SimpleNamespace(submit=submit))
    session, _ = session_of(reading("floor: 4C 5C 6C 7C | KC KH KS; hand: QH"))
    before = reading("floor: 4C 5C 6C | KC KD KH KS; hand: 7C QH")
    ask_what_changed(session, before.to_json(), "")
    (asked,) = ask_about_turn(session, {})
    assert asked["text"] == "Does K♦ lie with K♣ K♥ K♠, as before the turn? It may be covered."
    assert [choice["label"] for choice in asked["choices"]] == ["Yes, it lies there"]
    assert (asked["none"], len(asked["sights"])) == ("No", 3)
    table_events(session)["answer"]({"id": asked["id"], "value": answer, "others": []})
    assert (change_json(session) or {})["isLegal"] is legal
    assert ask_about_turn(session, {}) == []


def test_a_hand_that_was_written_is_asked_for_no_more_when_tables_are_compared() -> None:
    found = reading(AFTER)
    session, shot = session_of(replace(found, checks=(Question(QuestionKind.HAND, NO_HAND, Place("hand")),)))
    assert settled_reading(session, shot).checks
    session.put(f"makiaveli {AFTER}; hand: 7S")
    assert not settled_reading(session, shot).checks


@pytest.mark.parametrize(
    ("hand", "told"), [("7D 7H 2C", "could not have played more"), ("7D 7H 7S", "3 cards instead of 2")]
)
def test_a_hand_that_was_typed_counts(hand: str, told: str) -> None:
    said = describe_change(compared(reading(BEFORE), reading(AFTER), hand))
    assert told in said["lines"][-1]
    assert said["couldMore"] is ("instead" in told), "it is shown how"
    assert ("That is the whole hand: this turn could have won." in said["lines"][-1]) is said["couldMore"]


def test_that_a_legal_turn_could_have_played_more_is_said_while_something_is_asked() -> None:
    before = reading("floor: 4C 5C 6C 7C 8C 9C TC | KC KD KH; hand: JC KS")
    said = describe_change(compared(before, reading("floor: 4C 5C 6C 7C | 8C 9C TC JC | KC KD KH; hand: KS")))
    assert said["asks"]
    assert said["lines"][0] == "As far as I can see:"
    assert said["lines"][-1].startswith("In this turn the hand could have played more: 2 cards instead of 1.")
    assert said["couldMore"]


def test_where_no_hand_is_known_a_turn_is_legal_only_if_the_cards_came_from_it() -> None:
    shows_another = reading(f"{BEFORE}; hand: 3H 9S")
    rows = ((reading(BEFORE), ""), (shows_another, ""), (reading(BEFORE), "7D 7H 2C"))
    said = [describe_change(compared(before, reading(AFTER), hand)) for before, hand in rows]
    holds = "Legal, if 7♦ 7♥ came from the hand"
    assert [(one["headline"], one["tone"]) for one in said] == [(holds, "open")] * 2 + [("A legal turn", "good")]
    assert [one["asksHand"] for one in said] == [True, False, False], "a hand that is shown is somebody else's"
    assert all(one["isLegal"] for one in said)


@pytest.mark.parametrize("is_told", [False, True])
def test_after_a_turn_whose_hand_was_typed_the_photo_shows_none_unless_somebody_told_of_it(
    monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    again, looked = reading(AFTER), []
    monkeypatch.setattr("vision.compare._find_cards", lambda photo: None)
    monkeypatch.setattr("vision.compare._read_table", lambda *_, shows_hand: looked.append(shows_hand) or again)
    request = {"photo": b64encode(picture()).decode(), "as_read": True, "told": is_told, "settled": []}
    tables = {"before": reading(BEFORE).to_json(), "after": reading(f"{AFTER}; hand: 3H").to_json()}
    found = worker.compare_task(request | tables | {"hand": "7D 7H 2C"}, lambda news: None)
    assert (found["legal"], found["after"]["hand"], looked) == (
        True,
        ["3H"] if is_told else [],
        [] if is_told else [False],
    )


def test_a_card_that_was_put_right_is_the_one_that_is_compared() -> None:
    session, shot = session_of(reading(AFTER.replace("7H", "7S")))
    session.put(f"makiaveli {AFTER}")
    found = settled_reading(session, shot)
    assert {card.text: card.confidence for card in found.cards}["7H"] == 1.0
    assert compared(reading(BEFORE), found)["played"] == ["7D", "7H"]
    session.answered |= {WHOLE}
    assert all(card.confidence == 1.0 for card in settled_reading(session, shot).cards)
