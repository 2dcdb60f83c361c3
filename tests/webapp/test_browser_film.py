"""Films in a browser, and hidden cards that are turned over for one more photo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from solver import parse
from tests.webapp.actions import answer_all, choose_photo, held, line, link, opened, start, still, tone, until, verdict
from tests.webapp.readings_app import OTHER_TABLE
from webapp import photo_session
from webapp.server import TRAVEL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FILM = "Film the table"


def choose_film(page: Page, name: str, data: bytes = b"film", kind: str = "video/mp4") -> None:
    page.get_by_label(FILM, exact=True).set_input_files({"name": name, "mimeType": kind, "buffer": data})


def test_a_film_becomes_a_table_and_tells_how_far_it_is(browser: Browser, made: str) -> None:
    with opened(browser, made) as page, held("sure.mov") as (name, let_go):
        start(page)
        choose_film(page, name, kind="video/quicktime")
        page.get_by_role("heading", name="Reading your film").wait_for()
        page.get_by_text("7 of 10 s, 12 cards so far").wait_for()
        page.wait_for_timeout(100)  # a frame or two, in which nothing else may move the bar
        bar = page.locator(".reading-fill")
        assert bar.evaluate("(fill) => fill.style.transform.slice(0, 11)") == "scaleX(0.79", "as far as the film is"
        assert page.get_by_text("Choosing the sharpest frames").is_visible()
        assert page.get_by_text("Getting the photo ready").count() == 0
        page.get_by_text("This browser cannot show your film. It is read all the same.").wait_for()
        let_go()
        assert "No, you could not have won" in verdict(page)
        assert page.locator(".frame img").count() == 1, "the whole table, put together"
        page.get_by_role("button", name="Forget the film").wait_for()
        page.get_by_role("button", name="New table").click()
        page.get_by_role("button", name="Your last film").wait_for()


def test_a_film_that_is_stopped_leaves_what_there_was_before(browser: Browser, made: str) -> None:
    with opened(browser, "about:blank") as page, held("sure.mov") as (name, let_go):
        page.add_init_script(TRAVEL.removeprefix("<script>").removesuffix("</script>"))
        page.goto(made)
        start(page)
        choose_photo(page, "sure.jpg")
        verdict(page)
        before = line(page)
        page.get_by_role("button", name="New table").click()
        start(page)
        choose_film(page, name, kind="video/quicktime")
        page.get_by_text("7 of 10 s, 12 cards so far").wait_for()
        page.get_by_role("button", name="Stop").click()
        page.locator(".message .alert:not(.bad)", has_text="Stopped. Nothing was read.").wait_for()  # it is no error
        start(page)
        choose_film(page, name, kind="video/quicktime")
        page.get_by_text("7 of 10 s, 12 cards so far").wait_for()
        page.go_back()
        page.get_by_text("Stopped. Nothing was read.").wait_for()
        let_go()
        page.go_back()
        page.wait_for_url(lambda url: "p=" in url)
        assert line(page) == before


def moving_film(path: Path) -> bytes:
    """A film in which the camera goes over a table, as browsers show it."""
    table = np.kron(np.random.default_rng(1).integers(0, 255, (30, 90, 3), np.uint8), np.ones((8, 8, 1), np.uint8))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"VP80"), 10.0, (320, 240))
    for number in range(20):
        writer.write(np.ascontiguousarray(table[:, 20 * number : 20 * number + 320]))
    writer.release()
    return path.read_bytes()


def test_the_browser_chooses_the_frames_and_shows_them(browser: Browser, made: str, tmp_path: Path) -> None:
    with opened(browser, made) as page, held("sure.webm") as (name, let_go):
        start(page)
        choose_film(page, name, moving_film(tmp_path / "film.webm"), kind="video/webm")
        page.get_by_text("7 of 10 s, 12 cards so far").wait_for()
        frames = page.locator(".strip img").count()
        let_go()
        assert "No, you could not have won" in verdict(page)
        page.get_by_text(f"{frames} frames, ").wait_for()
        assert 4 <= frames <= 12, "the camera went by its picture's width and a fifth"


def test_without_a_camera_none_is_offered(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        assert page.evaluate("navigator.mediaDevices.enumerateDevices().then((all) => all.length)") == 0
        assert page.get_by_role("button", name="Film live").count() == 0


def test_a_film_that_cannot_be_read_or_is_too_large_is_one_clear_sentence(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_film(page, "broken.mp4")
        page.get_by_text("This film could not be read. No pictures in it that can be read.").wait_for()
        choose_film(page, "broken.m4a", kind="audio/mp4")
        page.get_by_text("This film could not be read. No pictures in it that can be read").wait_for()
        page.evaluate("Object.defineProperty(File.prototype, 'size', { get: () => 240e6 })")
        choose_film(page, "long.mp4")
        page.get_by_text("This film is too large. It has 240 MB; a film may have 100 MB").wait_for()
        start(page)


def test_how_turned_cards_are_laid_is_shown_by_the_piles_of_the_game(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        choose_photo(page, "tomb_single.jpg")
        verdict(page)
        answer_all(page)
        page.get_by_text("Spread each pile where it lies, so that the corner of each card shows.").wait_for()
        drawn = page.get_by_role("img", name="the deck as a row")
        assert [drawn.get_by_text(pile, exact=True).count() for pile in ("Corner", "Centre", "Columns")] == [1, 1, 0]


def test_turned_over_cards_make_an_estimate_a_proof(browser: Browser, made: str) -> None:
    with opened(browser, made) as page, held("turned.jpg") as (name, let_go):
        start(page)
        choose_photo(page, "klondike.jpg")
        verdict(page)
        answer_all(page)
        page.get_by_text("Turn the hidden cards over and take one more photo").wait_for()
        assert page.get_by_text("Turn each hidden card face up where it lies").is_visible()
        assert page.get_by_text("Lay the stock face up in a row: its top card first").is_visible()
        assert page.get_by_text("Leave the waste as it lies").is_visible()
        assert page.get_by_text("An example, with other cards than yours").is_visible()
        is_endless = line(page).startswith("klondike draw: 1; redeals: unlimited;")
        assert page.get_by_text("Only cards that are hidden under its top").is_visible() is is_endless
        assert page.get_by_role("img", name="the stock as a row").is_visible()
        before = line(page)
        choose_photo(page, OTHER_TABLE.decode(), OTHER_TABLE, "Photo of the turned cards")
        page.get_by_text("The turned cards do not fit this table: 9♦ J♠ lie face up in it.").wait_for()
        assert line(page) == before
        choose_photo(page, name, name.encode(), "Photo of the turned cards")
        page.locator(".app.busy").wait_for()
        assert line(page) == before
        page.get_by_text("Files", exact=True).wait_for(state="hidden")
        let_go()
        until(page, lambda: "??" not in line(page), "every card is known")
        assert "could have been won" in verdict(page)
        assert tone(page) in ("good", "bad")
        still(page)
        assert page.get_by_text("Turn the hidden cards over").count() == 0
        page.get_by_role("button", name="Undo").click()
        until(page, lambda: line(page) == before, "the table as it was")


def test_a_table_without_a_photo_asks_for_none_of_its_hidden_cards(browser: Browser, made: str) -> None:
    table = str(parse("klondike columns: ?? [2C] | - | - | - | - | - | -; foundations: C1 D13 H13 S13; stock: ??"))
    with opened(browser, link(made, table)) as page:
        verdict(page)
        assert page.get_by_text("Turn the hidden cards over").count() == 0


def test_a_film_without_cards_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (320, 240))
    for _ in range(10):
        writer.write(np.full((240, 320, 3), 90, np.uint8))
    writer.release()
    told: list[float] = []
    shot = photo_session.read_film(
        "film.mp4", path.read_bytes(), "auto", lambda seconds, whole, cards: told.append(whole)
    )
    assert (shot.line, len(shot.files), len(shot.shown)) == (None, 1, 1)
    assert told == sorted(told)
