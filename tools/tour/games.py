"""The other views: games that are played, simulations, an evaluation."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from tests.webapp import actions
from tests.webapp.actions import SAMPLES
from tools.tour.driver import Driver

MOST_HINTS: Final = 300


def play_klondike(driver: Driver) -> None:
    """Klondike played with a hint, a move and an undo."""
    driver.go("/klondike")
    driver.shot("start")
    driver.button("New deal")
    driver.page.locator(".felt .card").first.wait_for()
    driver.shot("dealt")
    driver.button("Hint")
    driver.says("Next:")
    driver.shot("hint")
    driver.button("Play it")
    driver.button("Turn the stock")
    driver.shot("moved")
    driver.button("Give up")
    driver.page.locator(".verdict").first.wait_for()
    driver.shot("given_up")
    driver.button("Go on playing")
    driver.button("Undo")


def play_on(driver: Driver) -> None:
    """A photo of Klondike played on to its end by the hints; what is turned is dealt by chance."""
    driver.go()
    driver.upload("Choose photo", ("klondike.jpg", (SAMPLES / "klondike_1.jpg").read_bytes()))
    driver.settled()
    taps = actions.answer_all(driver.page)
    driver.settled()
    driver.shot("read")
    driver.button("Play on")
    sheet = driver.page.locator("dialog[open]")
    with driver.timed("game"):
        for _ in range(MOST_HINTS):
            finish = driver.page.get_by_role("button", name="Finish")
            if finish.count():
                finish.click()
                driver.says("You won")
                break
            driver.button("Hint")
            driver.page.locator(".panel .alert").first.wait_for()
            if not driver.page.get_by_role("button", name="Play it").count():
                break  # lost
            driver.button("Play it")
            taps += 2
            driver.page.wait_for_timeout(300)
            if sheet.count():
                driver.page.screenshot(path=driver.out / f"{driver.name}_turned.png")
                driver.button("Deal the hidden cards by chance")
                taps += 1
        else:
            raise AssertionError(f"the game did not end within {MOST_HINTS} hints")
    driver.shot("end")
    print(f"  {taps} taps from the photo to the end", flush=True)


def play_makiaveli(driver: Driver) -> None:
    """Turns of Makiaveli against the computer, by the hint where there is one."""
    driver.go("/makiaveli")
    driver.shot("start")
    driver.button("New game")
    driver.page.locator(".felt .card").first.wait_for()
    driver.shot("dealt")
    for turn in range(4):
        driver.button("Hint")
        driver.page.locator(".panel .alert").first.wait_for()
        if driver.page.get_by_role("button", name="Lay it out").count():
            driver.shot(f"hint{turn}")
            driver.button("Lay it out")
            driver.button("End the turn")
        else:
            driver.button("Draw a card")
        if not driver.page.get_by_role("button", name="Hint").count():
            break  # somebody has won
    driver.shot("later")
    driver.pick("hand/0")
    driver.shot("picked")


def chances(driver: Driver) -> None:
    """A simulation watched, stopped and gone on with."""
    driver.go("/chances")
    driver.shot("start")
    driver.page.get_by_text("Napoleon's Tomb, two decks").click()
    driver.button("Start")
    driver.page.get_by_test_id("stMetric").first.wait_for()
    driver.page.get_by_role("button", name="Stop").click()
    driver.says("Stopped at")
    driver.shot("stopped")
    driver.page.get_by_role("button", name="Go on").click()
    driver.page.wait_for_timeout(5000)
    driver.page.screenshot(path=driver.out / f"{driver.name}_running.png")
    driver.page.get_by_role("button", name="Stop").click()
    driver.page.get_by_role("radio", name="Baccarat").click()
    driver.button("Start")
    driver.says("Exact:")  # told once all are dealt
    driver.page.wait_for_timeout(1500)
    driver.shot("baccarat")


def evaluate(driver: Driver) -> None:
    """A ZIP of photos with ground truth, measured."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for sample in ("tomb_single_1", "makiaveli_1"):
            for suffix in (".jpg", ".json"):
                file.write(SAMPLES / f"{sample}{suffix}", sample + suffix)
    driver.go("/evaluate")
    driver.shot("start")
    box = driver.page.get_by_test_id("stFileUploader").locator("input[type=file]")
    box.set_input_files({"name": "set.zip", "mimeType": "application/zip", "buffer": data.getvalue()})
    driver.page.get_by_role("heading", name="Report").wait_for()
    driver.page.get_by_test_id("stTable").wait_for()
    driver.shot("report")
