"""A game looked at again: from the game that is played on the page, and from a record that is given."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from plumbing.errors import CardsError, NotationError
from solver.klondike.move import DRAW
from solver.klondike.position import Position
from solver.place import Place
from solver.record import PHOTO, parse_record
from tests.vision.test_film import write_film
from tests.webapp.actions import SAMPLE, WAIT, held, keep, kept, line, opened, still, until
from vision import record
from vision.history.answers import DEAL_PLACE, DRAW_PLACE, NOTHING, Answer
from vision.history.doubts import OPEN_DOUBT
from vision.history.drawn_order import DrawnOrder
from vision.history.game_history import DISORDERED
from vision.history.progress import COMPARED, FITTED, REFITTED, Done
from vision.history.record_writer import PhotoRow
from vision.history.sight import STOCK
from vision.image import encode, load, save
from vision.question import Question, QuestionKind
from vision.read_card import Sight
from webapp import recording, worker
from webapp.jobs import PREPARING, Job
from webapp.page import review
from webapp.page.klondike import Play, resumed
from webapp.page.review import Reviewing
from webapp.recording import PART_BY_PART

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FilePayload, Page, WebSocketRoute

DEAL = (
    "klondike draw: 1; moves: run; worrying_back: yes; columns: KD [QS] | [KH] | - | - | - | - | -;"
    " foundations: C13 D12 H12 S11; stock: KS"
)
DAY_MS = 86_400_000
MOVES = ["draw", "T1>T2:1", "T1>T3:1", "T2>T3:1", "W>T1"]


def test_a_game_that_was_played_is_reviewed_and_saved(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/klondike") as page:
        page.get_by_role("button", name="New deal").wait_for()
        still(page)
        keep(page, "game:klondike", {"deal": DEAL, "moves": MOVES, "past": [[DEAL, MOVES[:2]]]})
        page.reload()
        page.get_by_text("Moves: 5.").wait_for()
        still(page)  # a redraw swallows clicks
        page.get_by_text("Review and save the game").click()
        still(page)
        page.get_by_role("button", name="Review the game").click()
        page.wait_for_url(lambda url: "review" in url)
        page.get_by_role("heading", name="Move by move").wait_for()
        shown = page.frame_locator("iframe[title='st.iframe'], iframe").first
        shown.get_by_role("heading", name="The game can still be won").wait_for()
        curves = shown.locator(".plot svg")
        box = curves.bounding_box()
        assert box is not None
        assert box["height"] >= 220
        assert box["width"] > 250
        curves.click(position={"x": 0.22 * box["width"], "y": 60})
        shown.get_by_text("Move 1: turning the stock.").wait_for()
        shown.get_by_role("button", name="2. Q♠ from column 1 to column 2").last.click()
        shown.get_by_text("Move 2: Q♠ from column 1 to column 2.").wait_for()
        page.emulate_media(color_scheme="dark")
        light = shown.locator("body").evaluate("(e) => getComputedStyle(e).backgroundColor.match(/\\d+/)[0]")
        assert int(light) < 64, "the review is as dark as the page around it"
        reviewed = page.url
        shown.get_by_role("button", name="Open this table").click()
        page.get_by_role("button", name="Play on", exact=True).wait_for()
        assert line(page) == str(resumed(DEAL, MOVES).record().positions[2])
        page.go_back()
        page.wait_for_url(reviewed)
        shown.get_by_role("heading", name="The game can still be won").wait_for()
        shown.get_by_text("Move 2: Q♠ from column 1 to column 2.").wait_for()  # as it was left
        shown.get_by_role("button", name="Try another move instead").click()
        page.get_by_role("button", name="Play on", exact=True).wait_for()
        assert "KD [QS]" in line(page), "before that move, with the card that it turned up"
        page.get_by_text("Before move 2: Q♠ from column 1 to column 2.").wait_for()
        page.get_by_role("button", name="Play on", exact=True).click()
        page.wait_for_url(lambda url: "/klondike" in url)
        page.get_by_text("Home:").wait_for()
        page.go_back()
        page.get_by_role("button", name="Play on", exact=True).wait_for()
        assert "KD [QS]" in line(page), "the table that is played on"
        page.go_forward()
        page.get_by_text("Home:").wait_for()
        page.get_by_role("link", name="Back to the review").click()
        page.wait_for_url(reviewed)
        shown.get_by_text("Move 2: Q♠ from column 1 to column 2.").wait_for()
        with page.expect_download() as told:
            page.get_by_role("button", name="Game as text").click()
        assert [str(step.move) for step in parse_record(told.value.path().read_text()).steps] == MOVES


def test_photos_that_show_no_game_stay_and_what_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    held, page = reviewed(
        monkeypatch, ("one.jpg", encode(np.full((60, 80, 3), 128, np.uint8))), ("notes.txt", b"we won")
    )
    assert "one photo is no game" in page.warning[0].value.lower()
    assert "Your photo is still here" in page.markdown[0].value
    assert "vision" not in page.warning[0].value, "a command is nothing to choose"
    assert "notes\\.txt" in page.info[0].value
    page.file_uploader[0].set_value([("two.jpg", b"no picture", "image/jpeg")]).run()
    assert not page.exception
    assert held.folder is not None
    assert [path.name[4:] for path in sorted(Path(held.folder.name).glob("0*"))] == ["one.jpg", "two.jpg"]
    assert held.job is not None
    assert held.job.wait(300)
    assert not page.run().info, "nothing was left out this time"
    assert "no photo shows a game" in page.warning[0].value.lower()
    held.end()


def reviewed(monkeypatch: pytest.MonkeyPatch, *files: tuple[str, bytes]) -> tuple[Reviewing, AppTest]:
    """A review of some files that has ended, and its page."""
    held = Reviewing()
    held.begin_files(files)
    monkeypatch.setattr(review, "kept", lambda name: held)
    assert held.job is not None
    assert held.job.wait(300)
    page = AppTest.from_string("from webapp.page import review\nreview.page()\n", default_timeout=300)
    page.query_params[review.PARAMETER] = "ours"
    return held, page.run()


def test_photos_in_which_nothing_was_found_are_looked_at_again_with_one_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    held, looked = Reviewing(), []
    monkeypatch.setattr(review, "kept", lambda name: held)
    monkeypatch.setattr(Reviewing, "_look", lambda held, request: looked.append(request["folder"]))
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    held.job = Job({}, 1.0)
    held.job._finish()
    page = AppTest.from_string("from webapp.page import review\nreview.page()\n", default_timeout=300)
    page.query_params[review.PARAMETER] = "ours"
    next(button for button in page.run().button if button.label == "Look again").click().run()
    assert looked == 2 * [looked[0]]
    held.end()


def test_of_a_file_that_is_no_photo_or_too_short_a_film_another_one_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    short = write_film(tmp_path / "short.mp4", [np.full((120, 160, 3), 128, np.uint8)] * 12)
    for name, data, said in (
        ("text.jpg", b"we won", '"text.jpg": no image that can be read'),
        ("short.mp4", short.read_bytes(), '"short.mp4": this film is only 0.5 s long; film the whole game'),
    ):
        held, page = reviewed(monkeypatch, (name, data))
        assert page.warning[0].value.replace("\\", "").startswith(said)
        assert [box.label for box in page.file_uploader] == ["Photos or record of a game"]
        held.end()


def test_files_that_were_chosen_are_taken_and_wait_for_a_run_that_comes_to_their_box() -> None:
    script = """
import streamlit as st
from webapp import streamlit_link as state
if st.session_state.get("ends_early"):
    st.stop()
st.session_state.took = state.ask_files(st.container(), "game", "Photos", ("jpg",))
"""
    page = AppTest.from_string(script).run()
    assert page.session_state.took == []
    page.session_state.ends_early = True
    page.file_uploader[0].set_value([("one.jpg", b"a photo", "image/jpeg")]).run()
    page.session_state.ends_early = False
    page.run()
    assert page.session_state.took == [("one.jpg", b"a photo")]
    assert not page.run().session_state.took
    assert not page.file_uploader[0].value, "the next ones do not hold these too"


def test_a_record_that_begins_with_an_unnamed_card_is_reviewed() -> None:
    record = (
        '[Game "klondike"]\n[Start "klondike draw: 1; moves: run; columns: [7S 6H] | ?? [??] | ?? ?? [9H] |'
        " ?? ?? ?? [5D] | ?? ?? ?? ?? [8S] | ?? ?? ?? ?? ?? [8H] | ?? ?? ?? ?? ?? ?? [4S]; foundations: C0 D0 H0 S0;"
        f' stock: {"?? " * 22}; waste: 5S"]\n'
    )
    assert worker.review_task({"record": record}, lambda news: None)["page"]


def test_a_record_that_was_saved_still_tells_what_its_photos_left_open() -> None:
    text = str(
        resumed("klondike columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S11", ["T1>T2"]).record()
    )
    asked = [{"text": "Where did 7♦ come from?", "asked": "photo 3 column/1"}]
    saved = recording.with_doubts(parse_record(text), asked, ["Photo 2: which?"], ["Photo 9 is left out."])
    found = worker.review_task({"record": str(saved)}, lambda news: None)
    assert found["open"] == ["Photo 3: Where did 7♦ come from?", "Photo 2: which?"]
    assert found["left_out"] == ["Photo 9 is left out."]
    assert found["record"] == f"{saved}\n", "and is saved so again"
    assert "<h1>As far as the photos tell, " in found["page"]
    assert str(recording.with_doubts(saved, [], [])) == text, "once all is answered"
    kept, photographed = (
        worker.review_task({"record": str(replace(saved, headers=headers))}, lambda news: None)
        for headers in ({}, {PHOTO: "photo 1"})
    )
    assert not kept["is_guess"], "its tables are played on as they were"
    assert photographed["is_guess"], "no photo proves where its hidden cards lay"


def test_all_that_is_open_is_told() -> None:
    page = AppTest.from_string("from webapp.page import review\nreview._show_notes(list('abcdefgh'), 'Open:')\n").run()
    shown = [text for box in page.caption for text in box.value.split("\n")]
    assert shown == [f"- {text}\\." for text in "ABCDEFGH"]
    assert [box.label for box in page.expander] == ["3 more"]


def test_a_record_is_reviewed_and_a_broken_one_is_named() -> None:
    said: list[dict[str, object]] = []
    text = str(resumed(DEAL, MOVES).record())
    found = worker.review_task({"record": text}, said.append)
    assert "2. Q♠ from column 1 to column 2" in found["page"]
    assert found["record"] == f"{text}\n"
    first = next(told for told in said if told.get("total"))
    assert first == {"done": 0, "total": 5, "what": "Moves looked at", "words": PREPARING}, "it may be compiled first"
    assert said[-1] == {"done": 5, "total": 5, "what": "Moves looked at"}
    with pytest.raises(CardsError, match=r"^this text is no game .*Game as text.*no header"):
        worker.review_task({"record": "hello"}, said.append)


def test_files_become_a_folder_in_their_order_or_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    held = Reviewing()
    monkeypatch.setattr(Reviewing, "_begin", lambda self, request: asked.append(request))
    held.begin_files([("../b.jpg", b"2"), ("a.jpg", b"1")])
    assert held.folder is not None
    (request,) = asked
    assert request == {"folder": held.folder.name, "answers": []}
    assert sorted(path.name for path in Path(held.folder.name).iterdir()) == ["001 b.jpg", "002 a.jpg"]
    held.end()
    assert not Path(request["folder"]).exists()
    held.begin_files([("game.txt", b"[Game]")])
    held.begin_files([("game.txt", "[Game]".encode("utf-16"))])
    assert asked[1:] == [{"record": "[Game]"}] * 2


@pytest.mark.parametrize("width", [390, 1280])
def test_doubts_of_a_recorded_game_are_answered_and_taken_back(browser: Browser, made: str, width: int) -> None:
    with opened(browser, f"{made}/review", width) as page:
        page.get_by_role("heading", name="Whole game").wait_for()
        look_at_photos(page)
        asked = page.locator(".asking")
        asked.get_by_text("Where did 4S come from?").wait_for()
        page.get_by_text("Still open: 3 questions.").wait_for()
        assert asked.locator("img").count() == 2, "the photo and the one before, side by side"
        at_once = "all => all.map(one => one.getBoundingClientRect().toJSON())"  # the question may still be sliding in
        (one, other) = asked.locator("img").evaluate_all(at_once)
        assert one["y"] == other["y"]
        assert one["x"] + one["width"] <= other["x"]
        as_it_is = page.locator("[style*='brightness(1)']")
        asked.get_by_alt_text("a part of photo 1").and_(as_it_is).wait_for()
        dark = asked.get_by_alt_text("a part of photo 2")
        until(page, lambda: "brightness" in dark.get_attribute("style") and not dark.and_(as_it_is).count(), "lit up")
        asked.get_by_role("button", name="Make the picture larger").click()
        asked.get_by_role("button", name="Show the whole photo").click()
        (whole, spot) = asked.locator(".shot").first.locator("img, .spot").evaluate_all(at_once)
        assert (spot["x"] - whole["x"]) / whole["width"] == pytest.approx(0.36, abs=0.02)
        assert (spot["y"] - whole["y"]) / whole["height"] == pytest.approx(0.28, abs=0.02)
        (whole, number) = asked.locator(".shot").first.locator("img, .column").evaluate_all(at_once)
        assert (number["x"] + number["width"] / 2 - whole["x"]) / whole["width"] == pytest.approx(0.4, abs=0.02)
        assert asked.locator(".column").first.inner_text() == "6", "nobody else can tell which column it is"
        page.get_by_text("The photos show the table from the other side").wait_for()
        asked.get_by_role("button", name="Make the picture smaller").wait_for()
        asked.get_by_role("button", name="Not sure").click()
        asked.get_by_text("How many cards of the stock are turned at a time?").wait_for()
        asked.get_by_role("button", name="3", exact=True).click()
        page.get_by_text("1 question answered. 1 question passed. Still open: 1 question.").wait_for()
        review = page.frame_locator("iframe[title='st.iframe'], iframe").first
        review.get_by_role("heading", name="Found under 1 answers").wait_for()
        page.get_by_text('Your answer is used. Without it: "Found under 0 answers."').wait_for()
        asked.get_by_text("No photo shows whether Q♦ or Q♥ lies under J♠ in column 5: which?").wait_for()
        asked.get_by_role("button", name="Neither").click()
        page.get_by_text("2 questions answered. 1 question passed. Still open: no questions.").wait_for()
        asked.wait_for(state="hidden")
        page.reload()
        page.get_by_text("2 questions answered. 1 question passed. Still open: no questions.").wait_for()
        assert asked.is_hidden(), "it is passed still"
        page.get_by_role("button", name="1 question").click()
        asked.get_by_text("You passed this one before.").wait_for()
        assert "more" not in asked.inner_text(), "one line alone counts what is open"
        asked.get_by_role("button", name="4S from column 6").click()
        page.get_by_text("3 questions answered. Still open: no questions.").wait_for()
        page.get_by_text("Nothing more can be asked that would settle it.").wait_for()
        page.get_by_text("Photo 3 is left out.").wait_for()
        asked.wait_for(state="hidden")
        page.reload()
        page.get_by_text("3 questions answered. Still open: no questions.").wait_for()
        page.get_by_role("button", name="Take back the last answer").click()
        review.get_by_role("heading", name="Found under 2 answers").wait_for()
        asked.get_by_text("Where did 4S come from?").wait_for()


def test_who_has_answered_enough_ends_all_questions_of_a_review_with_one_tap(browser: Browser, made: str) -> None:
    with opened(browser, f"{made}/review") as page:
        page.get_by_role("heading", name="Whole game").wait_for()
        look_at_photos(page)
        page.locator(".asking").get_by_role("button", name="Enough: show the review").click()
        page.get_by_text("3 questions passed. Still open: no questions.").wait_for()
        assert page.locator(".asking").is_hidden()


def test_a_review_whose_search_was_stopped_says_that_it_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewing, "_look", lambda self, request: setattr(self, "job", Job(request, 1.0)))
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    assert not held.is_behind, "nothing is shown"
    found_by(held, ask("photo 2 column/1"))
    assert not held.is_behind
    held.answer("photo 2 column/1", "KH")
    assert held.job is not None
    held.job.stop()
    held.take()
    assert held.is_behind
    held.look_again()
    found_by(held)
    assert not held.is_behind
    held.end()


def test_names_of_files_are_cut_to_what_every_system_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewing, "_look", lambda self, request: None)
    held = Reviewing()
    held.begin_files([("ü" * 200 + ".jpg", b"1"), ("a\0b.jpg", b"2"), ("", b"3")])
    assert held.folder is not None
    assert [path.suffix for path in sorted(Path(held.folder.name).iterdir())] == [".jpg", ".jpg", ""]
    held.end()


def test_photos_that_are_still_being_read_are_found_again(browser: Browser, made: str) -> None:
    with opened(browser, f"{made}/review") as page, held("1.jpg") as (name, let_go):
        page.get_by_role("heading", name="Whole game").wait_for()
        choose_game(page, name)
        page.get_by_text(review.WAITS).wait_for()
        until(page, lambda: kept(page, "reviews"), "the browser knows of it")
        way_back = page.get_by_role("link", name="Go on with your game: 2 files, today")
        page.go_back()
        way_back.wait_for()
        page.goto(made)
        way_back.click()
        page.get_by_text(review.WAITS).wait_for()
        let_go()
        page.get_by_text("Still open: 3 questions.").wait_for()
        still(page)
        (game,) = kept(page, "reviews")
        assert game["what"] == "2 photos"
        assert game["record"]
        keep(page, "reviews", [game | {"name": "gone", "record": ""}])
        page.goto(f"{made}/review?game=gone")
        page.get_by_text(review.GONE).wait_for()
        until(page, lambda: kept(page, "reviews") == [], "whose photos are gone before they were read")


def test_an_address_of_no_game_says_so(browser: Browser, made: str) -> None:
    with opened(browser, f"{made}/review?game=nonsense") as page:
        page.get_by_text("This game is not kept any more.").wait_for()


def test_the_last_games_are_found_again_from_the_start(browser: Browser, made: str) -> None:
    with opened(browser, f"{made}/review") as page:
        page.get_by_role("heading", name="Whole game").wait_for()
        look_at_photos(page)
        (game,) = kept(page, "reviews")
        assert game["what"] == "2 photos"
        older = {"name": "gone", "what": "40 photos", "record": "[Game] old", "at": game["at"] - DAY_MS}
        keep(page, "reviews", [game, older])
        page.goto(made)
        page.get_by_role("link", name="Your last game: 2 photos, today").click()
        page.get_by_text("Still open: 3 questions.").wait_for()
        review = page.frame_locator("iframe[title='st.iframe'], iframe").first
        shown = review.get_by_alt_text("photo 1")
        until(page, lambda: shown.evaluate("photo => photo.naturalWidth") > 0, "the photo of a table is beside it")
        page.goto(f"{made}/review")
        page.get_by_role("link", name="A game before: 40 photos, yesterday").click()
        review.get_by_role("heading", name="Found under 0 answers").wait_for()
        assert shown.count() == 0, "a record alone has no photos"
        assert "gone" not in page.url, "it is looked at anew, from the record that the browser kept"


def test_games_are_forgotten_one_by_one_or_all_at_once(browser: Browser, address: str) -> None:
    games = [{"name": str(n), "what": f"{n} moves", "record": f"[Game] {n}", "at": n * DAY_MS} for n in (3, 2, 1)]

    def names() -> list[str]:
        return [game["name"] for game in kept(page, "reviews") or []]

    with opened(browser, f"{address}/review") as page:
        keep(page, "reviews", games)
        keep(page, "rules", {"draw": 1})
        page.reload()
        page.get_by_text("A game before: 2 moves").wait_for()
        page.get_by_role("button", name="Forget this game").nth(1).click()
        page.get_by_text("A game before: 2 moves").wait_for(state="detached")
        assert names() == ["3", "1"]
        page.goto(address)
        for again in (True, False):
            page.get_by_role("button", name="Forget my 2 games", exact=True).click()
            page.get_by_text("Forgotten: 2 games.").wait_for()
            assert page.get_by_text("Your last game").count() == 0
            assert not names()
            assert kept(page, "rules") is None
            if again:
                page.get_by_role("button", name="Take back").click()
                page.get_by_text("Your last game").wait_for()
                assert names() == ["3", "1"]
                assert kept(page, "rules") == {"draw": 1}


def test_a_second_game_takes_the_place_of_the_first_on_one_page(browser: Browser, made: str) -> None:
    with opened(browser, f"{made}/review") as page:
        page.get_by_role("heading", name="Whole game").wait_for()
        look_at_photos(page)
        page.get_by_text(review.GOES_ON).wait_for()
        before = page.url
        page.get_by_text("Other photos, or another game").click()
        look_at_photos(page)
        page.goto(before)
        page.get_by_text("This game is not kept any more.").wait_for()


def test_a_page_that_was_lost_on_its_way_is_drawn_once_more(browser: Browser, address: str) -> None:
    """Streamlit drops what it has not sent yet where the browser asks for a part of the page at the same time."""
    passes = [True]
    asks: list[bytes] = []
    lost: list[bytes] = []

    def stand_between(browser_side: WebSocketRoute) -> None:
        server = browser_side.connect_to_server()

        def to_server(message: str | bytes) -> None:
            passes[0] = passes[0] or bool(lost)  # the browser asks anew, and hears what comes then
            server.send(message)

        def to_browser(message: str | bytes) -> None:
            own = message if isinstance(message, bytes) else b""
            if passes[0]:
                browser_side.send(message)
                if b"review_stop" in own:  # the page that says how far it is: what comes behind it is lost
                    asks.append(own)
                    passes[0] = bool(lost)
            elif b"the game can still be won" in own:
                lost.append(own)

        browser_side.on_message(to_server)
        server.on_message(to_browser)

    context = browser.new_context(viewport={"width": 390, "height": 844})
    try:
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.route_web_socket(re.compile("/_stcore/stream"), stand_between)
        page.goto(f"{address}/review", timeout=WAIT)
        page.get_by_role("heading", name="Whole game").wait_for()
        still(page)
        text = str(resumed(DEAL, MOVES).record()).encode()
        record: FilePayload = {"name": "game.txt", "mimeType": "text/plain", "buffer": text}
        page.locator("input[type=file]").set_input_files(record)
        shown = page.frame_locator("iframe[title='st.iframe'], iframe").first
        shown.get_by_role("heading", name="The game can still be won").wait_for()
        assert lost or not asks, "a review that ends before its page is drawn leaves nothing to lose"
    finally:
        context.close()


def choose_game(page: Page, first: str = "1.jpg") -> None:
    """Chooses two photos of a game; nothing else need be done until the game has an address of its own."""
    still(page)
    before, sending = page.url, []
    page.route("**/upload_file/**", lambda photo: sending.append(photo))
    photos = [{"name": name, "mimeType": "image/jpeg", "buffer": SAMPLE.read_bytes()} for name in (first, "2.jpg")]
    page.locator("input[type=file]").last.set_input_files(photos)  # type: ignore[arg-type]
    until(page, lambda: len(sending) >= len(photos), "they are being sent")
    below = page.get_by_test_id("stFileUploader").last.evaluate("box => getComputedStyle(box, '::after').content")
    assert below.startswith('"Chosen: " counter(files)'), "how many there are"
    for photo in sending:
        photo.continue_()
    page.unroute("**/upload_file/**")
    until(page, lambda: page.url != before, "the game has an address of its own")


def look_at_photos(page: Page) -> None:
    """Chooses two photos of a game; waits after each step until the page has heard it, and the browser keeps it."""
    choose_game(page)
    page.get_by_text("Still open: 3 questions.").wait_for()
    still(page)
    until(page, lambda: any(one["name"] in page.url for one in kept(page, "reviews") or ()), "the browser keeps it")


def test_a_game_ends_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewing, "_look", lambda held, request: None)
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    assert held.folder is not None
    first = Path(held.folder.name)
    assert first.is_dir()
    held.begin_files([("3.jpg", b"3"), ("4.jpg", b"4")])
    assert held.folder is not None
    second = Path(held.folder.name)
    assert not first.exists()
    assert len(list(second.iterdir())) == 2
    held.end()
    assert not second.exists()


def found_by(held: Reviewing, *questions: dict[str, object]) -> None:
    """Ends the search of a review: so much is still asked."""
    assert held.job is not None
    held.job.result = {"questions": list(questions), "photos": {}}
    held.take()


def test_a_game_is_found_anew_under_all_answers_and_each_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[list[str]] = []

    def look(held: Reviewing, request: dict[str, Any]) -> None:
        looked.append(request["answers"])
        held.job = Job(request, 1.0)

    monkeypatch.setattr(Reviewing, "_look", look)
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    deal, king = ask("photo 1 column"), ask("photo 2 column/1")
    found_by(held, deal | {"parts": [ask("photo 1 column/0"), ask("photo 1 column/1")]}, king)
    held.answer("photo 1 column", PART_BY_PART)
    assert [asked["id"] for asked in held.questions()] == ["photo 1 column/0", "photo 1 column/1", "photo 2 column/1"]
    assert looked == [[]], "nothing was said yet"
    held.answer("photo 2 column/1", "KH")
    held.answer("photo 1 column/1", "2")
    both = ["photo 2 column/1: KH", "photo 1 column/1: 2"]
    assert looked == [[], both[:1], both], "the second answer did not wait for the first search"
    found_by(held)
    assert held.questions() == []
    held.take_back()
    assert looked[-1] == both[:1]
    held.take_back()
    assert len(looked) == 4, "what was found before is shown at once"
    assert len(held.questions()) == 3
    with pytest.raises(StopIteration):
        held.answer("what nobody asked", "KH")
    with pytest.raises(NotationError):
        held.answer("photo 2 column/1", "no card")
    held.answer("photo 2 column/1", "KH")
    with pytest.raises(StopIteration):
        held.answer("photo 2 column/1", "KH")
    held.end()


def test_photos_in_mixed_order_are_sorted_with_one_tap_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[list[int]] = []

    def look(held: Reviewing, request: dict[str, Any]) -> None:
        looked.append(request.get("order", []))
        held.job = Job(request, 1.0)

    monkeypatch.setattr(Reviewing, "_look", look)
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2"), ("3.jpg", b"3")])
    found_by(held, ask("photo 2 column/1"))
    held.answer("photo 2 column/1", "KH")
    held.sort([2, 0, 1])
    assert not held.answers, "they named photos by their old numbers"
    assert held.found is None, "nothing can be answered by the old numbers"
    found_by(held, ask("photo 2 column/1"))
    held.answer("photo 2 column/1", "KS")
    held.sort([])
    assert looked == [[], [], [2, 0, 1], [2, 0, 1], []]
    held.end()


def test_that_photos_are_in_mixed_order_is_said_before_the_search(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("1.jpg", "2.jpg"):
        save(np.full((60, 80, 3), 128, np.uint8), tmp_path / name)
    monkeypatch.setattr(record, "read_tables", lambda files, *_, **__: (files, ["no card"] * len(files)))
    monkeypatch.setattr(record, "order_of_photos", lambda files, tables: (1, 0))

    def search(files: list[Path], tables: object, draw: None, done: Done, *_: object, **__: object) -> NoReturn:
        done(FITTED, 0)
        raise CardsError("the search begins")

    monkeypatch.setattr(record, "settle_tables", search)
    told: list[dict[str, Any]] = []
    for answers, order in (([], []), (["photo 1 column/0: KH"], []), ([], [1, 0])):
        with pytest.raises(CardsError, match="begins"):
            recording.find_game(tmp_path, answers, told.append, order)
    wrong = [news["order"] for news in told if news["what"] == FITTED]
    assert wrong == [[1, 0], [], []], "once somebody has answered or sorted them it was said"

    held, looked = Reviewing(), []
    monkeypatch.setattr(review, "kept", lambda name: held)
    monkeypatch.setattr(Reviewing, "_look", lambda held, request: looked.append(request["order"]))
    held.folder, held.job = TemporaryDirectory(), Job({}, 1.0)
    held.job.progress = {"done": 0, "total": 2, "what": FITTED, "order": [1, 0]}
    page = AppTest.from_string("from webapp.page import review\nreview.page()\n", default_timeout=300)
    page.query_params[review.PARAMETER] = "ours"
    page.run()
    assert page.warning[0].value == review.DISORDERED
    next(button for button in page.button if button.label.startswith("Sort them")).click().run()
    assert looked == [[1, 0]]
    held.end()


def ask(id_: str) -> dict[str, Any]:
    return {"id": id_, "asked": id_}


def test_what_is_open_is_to_be_settled_by_answers_before_by_further_photos(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = [f"photo {n}: no moves that I can find lead to its table" for n in (6, 7, 9)]
    assert recording.say_once(notes) == [f"P{notes[0][1:]}. The same goes for photos 7 and 9."]
    monkeypatch.setattr(Reviewing, "_look", lambda held, request: None)
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    held.found = {"questions": [ask("photo 2 column/1")]}
    assert "Answer the questions" in held.unsettled
    assert "choose all again" not in held.unsettled
    held.answer("photo 2 column/1", "KH")
    assert "choose all again" in held.unsettled
    held.end()
    assert "Choose its photos once more" in held.unsettled


def test_photos_are_added_to_a_game_that_was_found_and_its_answers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[list[str], list[int]]] = []

    def look(held: Reviewing, request: dict[str, Any]) -> None:
        looked.append((request["answers"], request.get("order", [])))
        held.job = Job(request, 1.0)

    monkeypatch.setattr(Reviewing, "_look", look)
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    held.sort([1, 0])
    found_by(held, ask("photo 2 column/1"))
    held.answer("photo 2 column/1", "KH")
    found_by(held)
    held.add_files([("2.jpg", b"3")])
    assert held.folder is not None
    assert [path.name for path in sorted(Path(held.folder.name).iterdir())] == ["001 1.jpg", "002 2.jpg", "003 2.jpg"]
    assert looked[-1] == (["photo 2 column/1: KH"], [1, 0])
    assert held.found is None, "the game of fewer photos is not asked about any more"
    held.end()


def test_what_was_passed_stays_passed_when_photos_are_added_and_nothing_is_asked_while_a_game_is_found_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Reviewing, "_look", lambda self, request: setattr(self, "job", Job(request, 1.0)))
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    stock = ask("photo 1 stock") | {"pictures": []}
    moment = [ask(f"photo 2 column/{n}") | {"pictures": [], "moment": "photo 2 origins"} for n in range(2)]

    def passed() -> list[bool]:
        return [asked["isPassed"] for asked in review._asked(held)["questions"]]

    found_by(held, stock, *moment)
    assert passed() == [False, False, False]
    review._handlers(held)["pass"]({"ids": ["photo 2 column/0", "what nobody asked"]})
    assert passed() == [False, True, True]
    guess = "Until you answer, the review below is a guess."
    assert review._asked(held)["status"] == f"2 questions passed. Still open: 1 question. {guess}"
    assert held.unsettled == review.UNSETTLED_YET
    held.answer("photo 1 stock", "3")
    assert passed() == []
    assert review._asked(held)["status"] == f"1 question answered. {review.FOUND_ANEW}"
    found_by(held, *moment)
    told = "1 question answered. 2 questions passed. Still open: no questions."
    assert (review._asked(held)["status"], held.unsettled) == (told, review.UNSETTLED)
    held.add_files([("3.jpg", b"3")])
    found_by(held, *moment, ask("photo 3 column/0") | {"pictures": []})
    assert passed() == [True, True, False]
    held.sort([1, 0])
    found_by(held, *moment)
    assert passed() == [False, False], "other photos have these numbers now"
    held.end()


def test_while_a_game_is_found_anew_nobody_is_told_to_answer_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reviewing, "_look", lambda self, request: setattr(self, "job", Job(request, 1.0)))
    held = Reviewing()
    held.begin_files([("1.jpg", b"1"), ("2.jpg", b"2")])
    found_by(held, ask("photo 1 stock"), ask("photo 2 column/1"))
    assert held.unsettled == review.UNSETTLED_YET
    held.answer("photo 1 stock", "3")
    assert held.unsettled == review.UNSETTLED, "none stands on the screen"
    held.end()


def test_whether_a_card_was_turned_over_is_answered_by_what_the_column_holds() -> None:
    choices = ("2 face down, 9D", "3 face down, no card face up")
    question = Question(QuestionKind.HIDDEN, "photo 2: was it not turned over yet?", Place("column", 3), choices)
    made = recording.question_json("photo 2", question, [])
    assert made["text"] == "Do you see or remember what lay in column 4 in photo 2?"
    unseen = recording.question_json("photo 2", replace(question, choices=("2 face down, ??", choices[1])), [])
    assert unseen["choices"][0] == {"value": "2 face down, ??", "label": "2 face down, a card that nobody saw"}
    assert [choice["value"] for choice in made["choices"]] == list(choices)


def test_what_an_answer_changes_elsewhere_in_the_first_table_is_told() -> None:
    counts = ("?? [KS] | ?? ?? [QS]", "?? ?? [KS] | ?? [QS]")
    before, now = (f'[Game "klondike"]\n[Start "klondike columns: {two} | - | - | - | - | -"]\n' for two in counts)
    said = review.changed_counts(before, now, ["photo 1 column/0: 2"])
    assert said == "With your last answer the first table has 1 card face down in column 2, not 2."
    assert not review.changed_counts(before, before, ["photo 1 column/0: 1"])
    held, lines = Reviewing(), ("photo 1 column/0: 2",)
    held.answers, held.before = (("1", *lines),), {(): {"record": before}, lines: {"record": now}}
    assert not held.changed, "nothing is shown yet"
    held.found = held.before[lines]
    assert held.changed == said
    held.take_back()
    assert not held.changed
    held.found = held.before[()] = {"record": "of another game"}
    assert not held.changed, "a record of any game is looked at without answers"


def test_the_bar_of_a_review_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[float] = []
    texts: list[str] = []

    def show(job: object, done: float, total: float, text: str, key: str) -> None:
        shown.append(done / total)
        texts.append(text)

    monkeypatch.setattr(review.state, "show_progress", show)
    of_record, of_photos = Reviewing(), Reviewing(folder=TemporaryDirectory())

    def look(held: Reviewing, *works: str) -> list[float]:
        shown.clear()
        for what, done in product(works, (0, 5, 9)):
            job: Any = SimpleNamespace(progress={"done": done, "total": 9, "what": what})
            review._show_progress(held, job)
        assert shown == sorted(shown)
        return [shown[0], shown[2], shown[-1]]

    assert look(of_record, recording.MOVES_REVIEWED) == [0, 1, 1]
    assert texts[0] == "Moves looked at: 0 of 9", "its one work needs no number"
    texts.clear()
    works = (recording.PHOTOS_READ, FITTED, REFITTED, COMPARED, REFITTED, FITTED, recording.MOVES_REVIEWED)
    assert look(of_photos, *works) == [0, 0.25, 1]
    assert texts[3] == "Step 2 of 4. Photos put together: 0 of 9", "a bar at a quarter begins no first work"
    assert texts[6] == "Step 2 of 4. Photos put together again: 0 of 9"
    assert texts[15] == "Step 3 of 4. Photos put together: 0 of 9", "where a second part of the game is searched"
    of_photos.end()


def test_where_several_cards_lay_is_asked_card_by_card_and_passed_together() -> None:
    ways = (
        "2C from column 4, 3C from the stock, AS from column 5",
        "2C from the stock, 3C from column 4, AS from column 5",
        "2C from column 5, 3C from the stock, AS from the stock",
    )
    several = Question(QuestionKind.ORIGIN, "?", Place("column", 3), ways)
    which = replace(several, choices=("2C from column 4", "3C from column 4"))
    draw = Question(QuestionKind.DRAW, "?", DRAW_PLACE, ("1", "3"))
    asked, of_column, other = (recording.question_json("photo 5", one, []) for one in (several, which, draw))
    assert asked["choices"] == [
        {"value": "2C from column 4", "label": "In column 4"},
        {"value": "2C from the stock", "label": "In the stock"},
        {"value": "2C from column 5", "label": "In column 5"},
    ]
    assert asked["id"] == recording.question_json("photo 5", replace(several, choices=ways[::-1]), [])["id"]
    assert asked["moment"] == of_column["moment"], "who does not remember one does not remember the other"
    assert "moment" not in other
    anywhere = recording.question_json("photo 5", several, [], hiding=(3, 5, STOCK))["choices"]
    assert anywhere == [*asked["choices"], {"value": "2C from column 6", "label": "In column 6"}]


def test_a_card_may_have_lain_in_each_column_that_hid_cards_and_in_the_stock() -> None:
    table = "klondike columns: ?? [9D] | [KS] | - | - | - | - | ?? ?? [5H]; stock:{}; foundations: C13 D8 H4 S12"
    lies, later = (Position.parse(table.format(stock)) for stock in (" ??", ""))
    rows = [PhotoRow(f"photo {n}", position, (), 1.0, ()) for n, position in enumerate((lies, None, later))]
    assert recording._hiding(rows, "photo 2") == (0, 6, STOCK)
    assert recording._hiding(rows, "photo 0") == ()


def test_what_lies_on_a_foundation_is_asked_with_its_suit() -> None:
    question = Question(QuestionKind.CARD, "?", Place("foundation", 0), ("3C", NOTHING))
    made = recording.question_json("photo 6", question, [])
    assert made["text"] == "Which card lies on top of the foundation of clubs in photo 6?"
    assert made["choices"] == [{"value": "3C", "label": ""}, {"value": "none", "label": "No card"}]
    assert Answer.parse(f"{made['asked']}: 3C") == Answer("photo 6", Place("foundation", 0), "3C")


@pytest.mark.parametrize(
    ("question", "text", "labels", "answer"),
    [
        (
            Question(QuestionKind.ORIGIN, "?", Place("column", 4), ("7C from column 5", "7C from the stock")),
            "7♣ was turned up before photo 2. Do you remember where it lay until then?",
            ["In column 5", "In the stock"],
            "7C from the stock",
        ),
        (
            Question(QuestionKind.ORIGIN, "?", Place("column", 4), ("7C from column 5", "7S from column 5")),
            "Before photo 2 a card was turned over in column 5 and moved on. Do you remember which one?",
            ["7C", "7S"],
            "7S from column 5",
        ),
        (
            Question(QuestionKind.ORIGIN, "?", Place("column", 4), ("7C from column 5", "7S from column 5"), number=1),
            "Before photo 2 cards were turned over in column 5 and moved on. Do you remember which came next?",
            ["7C", "7S"],
            "7S from column 5",
        ),
        (
            Question(
                QuestionKind.ORIGIN,
                "?",
                Place("column", 5),
                ("4S from the stock, 5D from column 6", "4S from column 6, 5D from the stock"),
            ),
            "4♠ was turned up before photo 2. Do you remember where it lay until then?",
            ["In the stock", "In column 6"],
            "4S from column 6",
        ),
        (
            Question(
                QuestionKind.ORIGIN,
                "?",
                Place("column", 5),
                ("AH from column 6, KC from column 5", "AH from the stock, KC from column 5"),
            ),
            "A♥ was turned up before photo 2. Do you remember where it lay until then?",
            ["In column 6", "In the stock"],
            "AH from the stock, KC from column 5",
        ),
        (
            Question(
                QuestionKind.CARD,
                "photo 2: no photo shows whether QD or QH lies under JS in column 5: which?",
                Place("column", 4),
                ("QD", "QH", "neither QH nor QD"),
            ),
            "No photo shows whether Q♦ or Q♥ lies under J♠ in column 5: which?",
            ["QD", "QH", "Neither"],
            "neither QH nor QD",
        ),
        (
            Question(QuestionKind.CARD, "?", Place("waste"), ("KC", "KS")),
            "Which card lies in the waste in photo 2?",
            ["KC", "KS"],
            "KS",
        ),
        (
            Question(QuestionKind.CARD, "?", Place("column", 0), ("1 face down, 9S 8D", "2 face down, 9S")),
            "Do you see or remember what lay in column 1 in photo 2?",
            ["1 face down, 9♠ 8♦", "2 face down, 9♠"],
            "2 face down, 9S",
        ),
        (
            Question(QuestionKind.HIDDEN, "?", Place("column", 2), ("1", "2")),
            "How many cards are face down in column 3 in photo 2?",
            [*"0123456"],
            "6",
        ),
        (
            Question(QuestionKind.DRAW, "?", DRAW_PLACE, ("1", "3")),
            "How many cards of the stock are turned at a time?",
            ["1", "3"],
            "3",
        ),
        (
            Question(QuestionKind.DEAL, "?", DEAL_PLACE, ("0 1 2 3 4 5 6",)),
            "Face down in photo 2: 1 in column 2, 2 in column 3, 3 in column 4, 4 in column 5, 5 in column 6,"
            " 6 in column 7, none elsewhere. Is that right? So a game begins.",
            ["Yes", "No"],
            PART_BY_PART,
        ),
        (
            Question(QuestionKind.DEAL, "?", DEAL_PLACE, ("0 0 1 0 0 3 5",)),
            "Face down in photo 2: 1 in column 3, 3 in column 6, 5 in column 7, none elsewhere."
            " As far as you see or remember, is that right?",
            ["Yes", "No"],
            PART_BY_PART,
        ),
    ],
)
def test_each_doubt_has_its_words_and_answers_that_can_be_read(
    question: Question, text: str, labels: list[str], answer: str
) -> None:
    made = recording.question_json("photo 2", question, [])
    assert made["text"] == text
    choices = made["choices"]
    assert [choice["label"] or choice.get("card", choice["value"]) for choice in choices] == labels
    assert choices[-1]["value"] == answer
    for asked in (made, *made.get("parts", ())):
        for choice in asked["choices"]:
            if choice["value"] != PART_BY_PART:
                Answer.parse(f"{asked['asked']}: {choice['value']}")


def test_the_likeliest_count_stands_out_but_none_where_photos_and_history_contradict_each_other() -> None:
    counts = Question(QuestionKind.HIDDEN, "?", Place("column", 6), ("0", "1"), doubt=0.99)
    for doubt, likely in ((0.99, [1, 2]), (OPEN_DOUBT, [0, 0])):
        made = recording.question_json("photo 2", replace(counts, doubt=doubt), [])
        assert [choice["likely"] for choice in made["choices"]] == [*likely, 0, 0, 0, 0, 0]


def test_a_question_comes_with_pieces_of_both_photos(tmp_path: Path) -> None:
    save(np.full((300, 400, 3), 128, np.uint8), tmp_path / "1.jpg")
    read: Any = SimpleNamespace(table=SimpleNamespace(size=(800, 600)))  # the copy is half as large
    quad = ((200.0, 100.0), (300.0, 100.0), (300.0, 200.0), (200.0, 200.0))
    sights = Sight(0, quad, columns=((1, (250.0, 200.0)), (7, (700.0, 200.0)))), Sight(1, quad)
    question = Question(QuestionKind.CARD, "?", Place("waste"), ("KC", "KS"), sights=sights)
    made = recording.question_json("photo 2", question, [(tmp_path / "1.jpg", read)] * 2)
    assert [piece["title"] for piece in made["pictures"]] == ["Photo 1", "Photo 2"]
    assert load(b64decode(made["pictures"][0]["data"])).shape == (160, 160, 3), "with what lies round the pile"
    assert made["pictures"][0]["box"] == pytest.approx([45 / 400, 0, 205 / 400, 160 / 300])
    assert made["pictures"][0]["spot"] == pytest.approx([55 / 160, 50 / 160, 105 / 160, 100 / 160]), "the pile itself"
    (column,) = made["pictures"][0]["columns"]
    assert column == pytest.approx([1, 80 / 160, 100 / 160]), "the number of a column that the piece shows"
    everything = replace(question, sights=(Sight(0, ((0.0, 0.0), (800.0, 0.0), (800.0, 600.0), (0.0, 600.0))),))
    (whole,) = recording.question_json("photo 2", everything, [(tmp_path / "1.jpg", read)])["pictures"]
    assert whole["spot"] is None, "a frame round all of it says nothing"


def test_photos_are_read_once_and_only_small_copies_of_them_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("1.jpg", "2.jpg"):
        save(np.full((1200, 2000, 3), 128, np.uint8), tmp_path / name)
    (tmp_path / "3.jpg").write_bytes(b"no picture")
    times: list[list[str]] = []

    def read_tables(files: list[Path], workers: int, **more: Any) -> tuple[list[Path], list[str]]:
        times.append([file.name for file in files])
        return files, [f"{file}: it shows nothing" for file in files]

    monkeypatch.setattr(record, "read_tables", read_tables)
    for _ in range(2):
        with pytest.raises(CardsError, match="no photo shows a game"):
            recording.find_game(tmp_path, [], lambda told: None)
    assert times == [["1.jpg", "2.jpg", "3.jpg"]]
    assert load(tmp_path / "2.jpg").shape == (960, 1600, 3)
    assert not (tmp_path / "3.jpg").exists()
    save(np.full((60, 80, 3), 128, np.uint8), tmp_path / "0.jpg")
    with pytest.raises(CardsError, match="no photo shows a game"):
        recording.find_game(tmp_path, [], lambda told: None, [1, 0, 2])
    assert times[1:] == [["0.jpg"]], "one that was added"
    assert [name for name, _ in json.loads((tmp_path / recording.READ).read_text())][-1] == "0.jpg", "it comes last"
    assert str(tmp_path) not in (tmp_path / recording.READ).read_text(), "nobody is told of folders here"


def test_a_moment_of_a_film_with_a_hand_over_the_table_is_left_out_with_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.mp4").touch()
    table = np.full((120, 160, 3), 128, np.uint8)
    shots = [("game.mp4 0:01.0", table), ("game.mp4 1:02.5", record.HAND), ("game.mp4 1:04.0", table)]
    monkeypatch.setattr(record, "photos_in_order", lambda files: files)
    monkeypatch.setattr(record, "shots_of", lambda _: [(tmp_path / name, picture) for name, picture in shots])
    monkeypatch.setattr(record, "read_tables", lambda files, *_, **__: (files, ["no card"] * len(files)))
    with pytest.raises(CardsError, match="no photo shows a game"):
        recording.find_game(tmp_path, [], lambda told: None)
    read = [told for _, told in json.loads((tmp_path / recording.READ).read_text())]
    assert read == ["no card", f"at 1:02.5 {record.HAND}", "no card"]


def test_each_photo_that_was_read_comes_with_the_game_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(np.full((1200, 1600, 3), 128, np.uint8), tmp_path / "1.jpg")
    read = [(tmp_path / "1.jpg", SimpleNamespace()), (tmp_path / "002 b.jpg", "it shows nothing")]
    texts = {"photo 1: which?": None, "photo 2 is left out: no card": 0.0, "photo 3 is left out: no card": 0.0}
    checks = [Question(QuestionKind.APART, text, doubt=doubt) for text, doubt in texts.items()]
    photos = [SimpleNamespace(file=f"photo {n}", checks=(check,), position=None) for n, check in enumerate(checks, 1)]
    photos[0].position = "a table"
    photos[0].checks += (Question(QuestionKind.APART, f"{DISORDERED}: photo 2, photo 1"),)
    game = SimpleNamespace(record=resumed(DEAL).record(), photos=photos, order=(1, 0, 2), is_from_across=False)
    monkeypatch.setattr(recording, "_tables", lambda *_: read)
    monkeypatch.setattr(record, "order_of_photos", lambda *_: game.order)
    monkeypatch.setattr(record, "settle_tables", lambda *_, **__: iter([game]))
    monkeypatch.setattr(record, "order_by_draws", lambda *_: DrawnOrder((1, 0), ((1, 0),)))
    _, asked = recording.find_game(tmp_path, [], lambda told: None)
    assert list(asked["small"]) == ["photo 1"]
    assert asked["open"] == ["Photo 1: which?"], "what is left out leaves nothing open; sorting has a button"
    assert asked["order"] == [1, 0, 2]
    assert asked["left_out"] == ["Photo 2 (b.jpg) is left out: no card. The same goes for photo 3."]
    assert asked["unused"] == ["photo 2", "photo 3"], "each, whatever the note says of several"
    assert load(b64decode(asked["small"]["photo 1"])).shape == (360, 480, 3)
    _, asked = recording.find_game(tmp_path, [], lambda told: None, [0, 1])
    assert list(asked["small"]) == ["photo 2"], "sorted by the draws, it counts as the second one"
    undecided = "Between photo 1 and photo 2 only the stock was turned: nothing tells which of them was taken first."
    assert undecided in asked["open"]


def test_what_is_wrong_with_a_file_is_told_without_the_folder_and_the_number_there(tmp_path: Path) -> None:
    (tmp_path / "001 a.mp4").write_bytes(b"no film")
    with pytest.raises(CardsError, match=r'^"a\.mp4": '):
        recording.find_game(tmp_path, [], lambda told: None)


def test_the_games_before_are_kept_when_the_next_is_dealt() -> None:
    play = Play()
    first = resumed(DEAL, MOVES)
    for game in (first, resumed(DEAL), resumed(DEAL, MOVES)):
        play.begin(game)
    assert [kept.game for kept in play.past] == [first], "a game without moves is none to look back on"


def test_the_clock_of_a_game_stands_while_the_page_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("webapp.page.klondike.time.time", lambda: now)
    play = Play()
    play.begin(resumed(DEAL))
    now += 90
    play.move(DRAW)
    assert play.seconds() == 90
    now += 3600
    again = Play()
    again.begin(resumed(DEAL, ["draw"]))
    again.go_on_from(90)
    now += 5
    assert again.seconds() == 95
    for told in (float("inf"), float("nan"), -1.0):
        again.go_on_from(told)
        assert again.seconds() >= 0, "a browser may send anything"
