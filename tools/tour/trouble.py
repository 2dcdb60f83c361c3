"""What goes wrong: hostile files, photos without cards, Back and reload; and what everybody must be able to use."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from PIL import Image, ImageEnhance

from tests.fuzzing.files import bomb
from tests.webapp.actions import SAMPLES
from tools.tour import axe
from tools.tour.driver import PHOTO, Driver, jpeg, truth_of

HOSTILE: Final = (
    ("text.jpg", b"this is no picture"),
    ("empty.png", b""),
    ("cut.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()[:5000]),
    ("bomb.png", bomb(60_000, 60_000)),
)


def hostile(driver: Driver) -> None:
    """Files that are no photos: a sentence, and the next photo is read all the same."""
    for name, data in HOSTILE:
        driver.go()
        driver.upload("Choose photo", (name, data))
        driver.says("This photo could not be read.")
    driver.shot("photo")
    driver.go("/evaluate")
    for name, data in (("broken.zip", b"PK no archive"), ("bomb.png", HOSTILE[-1][1])):
        box = driver.page.get_by_test_id("stFileUploader").locator("input[type=file]")
        box.set_input_files({"name": name, "mimeType": "image/png", "buffer": data})
        driver.page.get_by_test_id("stAlert").or_(driver.page.get_by_role("heading", name="Report")).first.wait_for()
        driver.shot(name.partition(".")[0])
        driver.go("/evaluate")
    driver.go("/")
    driver.upload("Choose photo", ("table.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()))
    driver.settled()


def without_cards() -> bytes:
    """A photo in which lies nothing: soft light and the grain of a camera."""
    import numpy as np

    grain = np.random.default_rng(1).normal(0, 6, (900, 1200, 3))
    light = np.linspace(60, 190, 1200)[None, :, None] * np.array([1.0, 0.9, 0.7])
    return jpeg(Image.fromarray(np.clip(light + grain, 0, 255).astype(np.uint8)))


def huge() -> bytes:
    """The sample photo as the largest cameras of phones take it, 48 megapixels."""
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        return jpeg(picture.convert("RGB").resize((8000, 6000), Image.Resampling.BICUBIC), quality=85)


def astray(driver: Driver) -> None:
    """What goes wrong at a table: a photo without cards, a huge one, Back and Forward, a reload, a second tab."""
    driver.go()
    driver.upload("Choose photo", ("nothing.jpg", without_cards()))
    driver.says("I found no cards in this photo")
    driver.shot("nothing")
    driver.go()
    with driver.timed("48 megapixels"):
        driver.upload("Choose photo", ("huge.jpg", huge()))
        driver.settled()
    read = driver.table()
    if sorted(read["hand"]) != sorted(truth_of("makiaveli_1")["hand"]):
        raise AssertionError(f"the hand was read as {read['hand']}")
    driver.pick("hand/0")
    driver.button("No card here")
    driver.until(lambda: len(driver.table()["hand"]) < len(read["hand"]), "the card is removed")
    changed = driver.table()

    def travel(where: str) -> None:
        driver.still()
        driver.page.evaluate(f"() => history.{where}()")
        driver.still()

    travel("back")
    driver.until(lambda: driver.table() == read, "Back undoes the change")
    driver.settled()
    travel("forward")
    driver.until(lambda: driver.table() == changed, "Forward makes it again")
    driver.settled()
    travel("back")
    travel("back")
    driver.says("Could I have won?")
    driver.shot("back")
    travel("forward")
    driver.settled()
    driver.page.get_by_alt_text(PHOTO).wait_for()
    driver.shot("forward")
    here = driver.table()
    tab = driver.page.context.new_page()
    tab.goto(f"{driver.address}/?p={quote('makiaveli hand: 3S 4S 5S')}")
    tab.get_by_text("Yes, you could have won").first.wait_for()
    tab.close()
    driver.page.reload()
    driver.settled()
    if driver.table() != here:
        raise AssertionError("a reload lost the table")
    driver.shot("reloaded")


def audit(driver: Driver) -> None:
    """What axe-core finds on every view, a sheet open too, and the order in which the Tab key goes through a board."""
    source = axe.script()
    if source is None:
        print("  axe-core cannot be had here: nothing was checked", flush=True)
        return
    faults: list[str] = []
    line = "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS; cross: 2S - 9H -; hand: 3S 4S 5S 9C"

    def check(where: str) -> None:
        driver.page.wait_for_timeout(1500)
        faults.extend(f"{where}: {fault}" for fault in axe.violations(driver.page, source))

    for path in ("/", "/klondike", "/makiaveli", "/chances", "/evaluate", "/review"):
        driver.go(path)
        driver.page.wait_for_timeout(1500)
        check(path)
        for name in ("New deal", "New game"):
            if driver.page.get_by_role("button", name=name).count():
                driver.button(name)
                check(f"{path}, {name}")
    driver.go("/")
    driver.upload("Choose photo", ("table.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()))
    driver.settled()
    check("a photo")
    driver.pick("hand/0")
    check("the sheet")
    driver.page.keyboard.press("Escape")
    driver.button("Remember this table")
    dim = ImageEnhance.Brightness(Image.open(SAMPLES / "makiaveli_1.jpg")).enhance(0.9)
    driver.upload("Photo after the turn", ("after.jpg", jpeg(dim)))
    driver.says("Nothing was played")
    check("a comparison")
    driver.go("/")
    driver.page.get_by_role("button", name="Film live").click()
    driver.page.locator(".live polygon").first.wait_for(state="attached")
    check("a live film")
    driver.page.get_by_role("button", name="Done").click()
    driver.page.locator(".felt .card").first.wait_for()
    check("a film")
    driver.go("/klondike")
    driver.button("New deal")
    driver.button("Turn the stock")
    driver.page.get_by_text("Review and save the game").click()
    driver.button("Review the game")
    driver.page.locator("iframe").first.wait_for()
    check("a review")
    driver.go("/review")
    driver.page.locator("input[type=file]").first.set_input_files([SAMPLES / f"klondike_{n}.jpg" for n in (1, 1)])
    driver.page.locator("iframe").first.wait_for()
    check("a recorded game")
    driver.go(f"/?p={quote(STUCK)}")
    driver.button("Play on")
    driver.button("Turn the stock")
    driver.says("Which card was turned?")
    check("which card was turned")
    photos = [(name, (SAMPLES / name).read_bytes()) for name in ("makiaveli_1.jpg", "makiaveli_2.jpg")]
    driver.go("/")
    driver.upload("Choose photo", *photos)
    driver.settled()
    check("a photo that does not join")
    driver.go(f"/?p={quote(STUCK)}")
    driver.settled()
    driver.button("Best next move")
    driver.page.locator(".panel .alert").wait_for()
    check("advice")
    driver.go(f"/?p={quote(line)}")
    driver.settled()
    check("a table")
    order: list[str] = []
    for _ in range(60):
        driver.page.keyboard.press("Tab")
        order.append(driver.page.evaluate(FOCUS))
    places = list(dict.fromkeys(name for name in order if "/" in name))
    board = ["floor/0/0", "floor/1/0", "cross/0", "hand/0"]
    if [place for place in places if place in board] != board:
        faults.append(f"the Tab key goes through the board as {places}")
    print(f"  axe-core: {len(faults)} violations", flush=True)
    if faults:
        print("  " + "\n  ".join(faults), flush=True)
        raise AssertionError(f"{len(faults)} faults, printed above")


STUCK: Final = (
    "klondike draw: 3; moves: run; columns: ?? ?? [9C] | ?? [9S] | ?? ?? ?? [7C] | ?? ?? [7S] | ?? ?? ?? ?? [5C] |"
    f" ?? [5S] | [KC]; foundations: C3 D2 H2 S3; stock: {'?? ' * 19}; waste: JC JS QC"
)
"""A table on which nothing can be done but turn the stock."""
FOCUS: Final = """() => {
  let e = document.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e ? (e.dataset.place || e.innerText || e.ariaLabel || e.tagName).trim().split("\\n").pop().slice(0, 24) : "";
}"""
