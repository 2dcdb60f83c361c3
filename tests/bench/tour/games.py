"""The other views: games that are played, simulations, an evaluation."""

from __future__ import annotations

import io
import zipfile

from tests.bench.tour.visit import SAMPLES, WAIT, Visit


def play_klondike(visit: Visit) -> None:
    """Klondike played with a hint, a move and an undo."""
    visit.go("/klondike")
    visit.shot("start")
    visit.button("New deal")
    visit.page.locator(".felt .card").first.wait_for(timeout=WAIT)
    visit.shot("dealt")
    visit.button("Hint")
    visit.says("Next:")
    visit.shot("hint")
    visit.button("Play it")
    visit.button("Turn the stock")
    visit.shot("moved")
    visit.button("Can it still be won?")
    visit.page.locator(".panel .alert").first.wait_for(timeout=WAIT)
    visit.shot("peek")
    visit.button("Undo")


def stuck(visit: Visit) -> None:
    """A stuck Klondike: played until no turn helps, asked whether it can still be won, taken back."""
    visit.go("/klondike")
    visit.page.get_by_role("radio", name="Turn 3").click(timeout=WAIT)
    visit.button("New deal")
    for _ in range(12):
        visit.button("Turn the stock")
    visit.button("Can it still be won?")
    visit.page.locator(".panel .alert").first.wait_for(timeout=WAIT)
    visit.shot("asked")
    visit.button("Undo")
    visit.says("11 moves")


def play_makiaveli(visit: Visit) -> None:
    """Turns of Makiaveli against the computer, by the hint where there is one."""
    visit.go("/makiaveli")
    visit.shot("start")
    visit.button("New game")
    visit.page.locator(".felt .card").first.wait_for(timeout=WAIT)
    visit.shot("dealt")
    for turn in range(4):
        visit.button("Hint")
        visit.page.locator(".panel .alert").first.wait_for(timeout=WAIT)
        if visit.page.get_by_role("button", name="Lay it out").count():
            visit.shot(f"hint{turn}")
            visit.button("Lay it out")
            visit.button("End the turn")
        else:
            visit.button("Draw a card")
        if not visit.page.get_by_role("button", name="Hint").count():
            break  # somebody has won
    visit.shot("later")
    visit.pick("hand/0")
    visit.shot("picked")


def chances(visit: Visit) -> None:
    """A simulation watched, stopped and gone on with."""
    visit.go("/chances")
    visit.shot("start")
    visit.page.get_by_text("Napoleon's Tomb, two decks").click(timeout=WAIT)
    visit.button("Start")
    visit.page.get_by_test_id("stMetric").first.wait_for(timeout=WAIT)
    visit.page.get_by_role("button", name="Stop").click(timeout=WAIT)
    visit.says("Stopped at")
    visit.shot("stopped")
    visit.page.get_by_role("button", name="Go on").click(timeout=WAIT)
    visit.page.wait_for_timeout(5000)
    visit.page.screenshot(path=visit.out / f"{visit.name}_running.png")
    visit.page.get_by_role("button", name="Stop").click(timeout=WAIT)
    visit.page.get_by_role("radio", name="Baccarat").click(timeout=WAIT)
    visit.button("Start")
    visit.says("Exact:")  # told once all are dealt
    visit.page.wait_for_timeout(1500)
    visit.shot("baccarat")


def evaluate(visit: Visit) -> None:
    """A ZIP of photos with ground truth, measured."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        for sample in ("tomb_single_1", "makiaveli_1"):
            for suffix in (".jpg", ".json"):
                file.write(SAMPLES / f"{sample}{suffix}", sample + suffix)
    visit.go("/evaluate")
    visit.shot("start")
    box = visit.page.get_by_test_id("stFileUploader").locator("input[type=file]")
    box.set_input_files({"name": "set.zip", "mimeType": "application/zip", "buffer": data.getvalue()}, timeout=WAIT)
    visit.says("set.zip")
    visit.button("Evaluate")
    visit.page.get_by_role("heading", name="Report").wait_for(timeout=WAIT)
    visit.page.get_by_test_id("stTable").wait_for(timeout=WAIT)
    visit.shot("report")
