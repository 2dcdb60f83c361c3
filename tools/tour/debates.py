"""From a photo with a misread card to a settled debate, for each game."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageEnhance

from solver.games import position_from_json
from tests.webapp import actions
from tests.webapp.actions import SAMPLES
from tools.tour.driver import PHOTO, Driver, jpeg

FIVE: Final = (
    ("cross", "9D", "6S"),
    ("cross", "QD", "4S"),
    ("cross", "AC", "5C"),
    ("hand", "2H", "6D"),
    ("hand", "TS", "7D"),
)
"""Cards of a sample that no rule puts right: the zone, the card, and the one whose index is pasted over its own."""


def forged(sample: str, victim: str, donor: str) -> bytes:
    """A sample photo in which each visible index of one card is pasted over with another card's."""
    with Image.open(SAMPLES / f"{sample}.jpg") as picture:
        photo = picture.convert("RGB")
    paste(photo, sample, victim, donor)
    return jpeg(photo)


def paste(photo: Image.Image, sample: str, victim: str, donor: str, zone: str = "") -> None:
    """Pastes each visible index of a card of a sample photo, in a zone, over with another card's."""
    label = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))

    def indices(card: str, zone: str = "") -> list[tuple[float, ...]]:
        held = next(held for held in label["cards"] if held["card"] == card and held["zone"].startswith(zone))
        return [tuple(index["box"]) for index in held["indices"] if index["visible"] > 0.5]

    patch = photo.crop(tuple(map(round, indices(donor)[0])))
    for number, box in enumerate(indices(victim, zone)):
        left, top, right, bottom = map(round, box)
        turned = patch.rotate(180) if number else patch
        photo.paste(turned.resize((right - left, bottom - top), Image.Resampling.LANCZOS), (left, top))


def put_right(driver: Driver, sample: str, misread: Sequence[tuple[str, str]]) -> None:
    """Taps each misread card in the photo and chooses what it is; what else was misread is put right as text.

    Args:
        driver: The visitor.
        sample: The photo's name.
        misread: The zone and the card of each misread card.
    """
    label = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))
    frame = driver.page.locator(".frame").first
    actions.show(driver.page, "Photo")  # larger, so that no mark of a question lies over an index
    for zone, card in misread:
        held = next(held for held in label["cards"] if held["card"] == card and held["zone"].startswith(zone))
        left, top, right, bottom = max(held["indices"], key=lambda index: index["visible"])["box"]
        scale = frame.evaluate("(e) => e.clientWidth") / label["image"]["width"]
        frame.click(position={"x": scale * (left + right) / 2, "y": scale * (top + bottom) / 2})
        driver.page.wait_for_timeout(400)
        if driver.page.locator("dialog .piece").is_hidden():  # a question's mark lay over the index
            driver.page.locator(".asking").get_by_role("button", name="Another", exact=True).click()
        driver.page.locator("dialog .piece").wait_for()
        driver.page.wait_for_timeout(400)
        driver.page.screenshot(path=driver.out / f"{driver.name}_sheet.png")
        driver.page.locator(f"dialog .deck [data-card='{card}']").click()
        driver.still()
    actions.show(driver.page, "Both")
    truth = position_from_json(label["position"])
    if driver.table() != truth.to_json():
        print("  more was misread than was forged", flush=True)
        driver.open("line of text")
        driver.page.get_by_role("textbox", name="The table as a line of text").fill(str(truth))
        driver.button("Use this line")
        driver.until(lambda: driver.table() == truth.to_json(), "the line is used")


def debate(driver: Driver, sample: str, victim: str, donor: str) -> None:
    """From the front page over a photo with a misread card to the verdict."""
    driver.go()
    driver.says("Could I have won?")
    driver.shot("start")
    with driver.timed("photo to board"):
        driver.upload("Choose photo", (f"{sample}.jpg", forged(sample, victim, donor)))
        driver.page.locator(".felt .card").first.wait_for()
    with driver.timed("board to verdict"):
        driver.settled()
    driver.page.get_by_alt_text(PHOTO).wait_for()
    driver.shot("read")
    put_right(driver, sample, [("", victim)])
    with driver.timed("change to verdict"):
        driver.settled()
    driver.shot("settled")
    other_rules(driver)
    if driver.page.get_by_role("button", name="Best next move").count():
        driver.button("Best next move")
        driver.says("Next:")
        driver.shot("advice")
    steps(driver)
    share(driver)


def steps(driver: Driver) -> None:
    """The way to win on the one board, step by step."""
    last = driver.page.locator(".bar input[type=range]").get_attribute("max") or "0"
    if last == "0":
        return
    driver.page.get_by_role("button", name="Next step").click()
    driver.page.wait_for_timeout(700)
    driver.page.screenshot(path=driver.out / f"{driver.name}_step.png")
    driver.page.get_by_role("button", name="Last step").click()
    driver.says(f"Step {last} of {last}")
    driver.page.get_by_role("button", name="First step").click()
    if int(last) > 1:
        driver.page.get_by_role("button", name="Play").click()
        driver.says("Step 2 of")
        driver.page.get_by_role("button", name="First step").click()


def other_rules(driver: Driver) -> None:
    """Other rules: the address holds them and the answer follows; then back."""
    before = driver.page.url
    if driver.page.get_by_text("All rules").count():  # a game with one rule shows it at once
        driver.open("All rules")
    rules = driver.page.locator(".rules [role=radio][aria-checked=false]:visible")
    rules.first.click()
    driver.until(lambda: driver.page.url != before, "the address holds the other rules")
    with driver.timed("rules to verdict"):
        driver.settled()
    driver.shot("rules")
    driver.button("Undo")
    driver.until(lambda: driver.page.url == before, "the rules are as before")
    driver.settled()


def share(driver: Driver) -> None:
    """What can be taken away."""
    driver.open("line of text")
    driver.page.get_by_text("Files", exact=True).click()
    driver.still()
    driver.shot("share")
    for name in ("JSON", "Annotated photo", "Save as labelled photo", "Save a picture"):
        button = driver.page.get_by_role("button", name=name)
        with driver.page.expect_download() as caught:
            button.first.click()
        path = driver.out / f"{driver.name}_{caught.value.suggested_filename}"
        caught.value.save_as(path)
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as labels:
                if labels.testzip():
                    raise AssertionError("the labelled photos are damaged")
        else:
            with Image.open(path) as picture:
                picture.verify()


def dark(driver: Driver) -> None:
    """A dark photo with five misread cards: nothing is claimed before they are put right."""
    with Image.open(SAMPLES / "makiaveli_2.jpg") as bright:
        dim = ImageEnhance.Brightness(bright.convert("RGB")).enhance(0.35)
    for zone, victim, donor in FIVE:
        paste(dim, "makiaveli_2", victim, donor, zone)
    driver.go()
    driver.upload("Choose photo", ("dark.jpg", jpeg(dim, quality=90)))
    driver.settled()
    driver.shot("read")
    print(
        f"  told as {actions.tone(driver.page)}: {driver.page.locator('.alert[data-tone] h2').first.inner_text()}",
        flush=True,
    )
    if actions.tone(driver.page) in ("good", "bad"):
        raise AssertionError("a verdict is told on a table with five misread cards")
    put_right(driver, "makiaveli_2", [(zone, card) for zone, card, _ in FIVE])
    driver.settled()
    if actions.tone(driver.page) == "open":
        taps = actions.answer_all(driver.page)
        print(f"  {taps} taps for what was asked", flush=True)
        driver.settled()
    driver.shot("settled")
    if actions.tone(driver.page) not in ("good", "bad"):
        raise AssertionError(f"the verdict is {actions.tone(driver.page)}")


def makiaveli(driver: Driver) -> None:
    """Makiaveli from a photo."""
    debate(driver, "makiaveli_1", "8H", "2S")


def klondike(driver: Driver) -> None:
    """Klondike from a photo."""
    debate(driver, "klondike_1", "JH", "4C")


def tomb_single(driver: Driver) -> None:
    """Napoleon's Tomb with one deck from a photo."""
    debate(driver, "tomb_single_2", "4S", "8C")


def tomb_double(driver: Driver) -> None:
    """Napoleon's Tomb with two decks from a photo."""
    debate(driver, "tomb_double_2", "JC", "3C")
