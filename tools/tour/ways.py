"""The other ways to a table: several photos, the camera, every file format, by hand, a deal, a link."""

from __future__ import annotations

import io
import json
from statistics import median
from typing import Any, Final
from urllib.parse import quote

import numpy as np
from PIL import Image

from solver import parse
from solver.klondike import STANDARD, random_deal
from tests.webapp.actions import SAMPLES
from tools.tour.driver import Driver, jpeg, truth_of

SLOW: Final = 50_000
"""Bytes a second."""
SLOW_LIMIT_S: Final = 5.0


def two_photos(driver: Driver) -> None:
    """Table and hand in two photos."""
    label = json.loads((SAMPLES / "makiaveli_1.json").read_text(encoding="utf-8"))
    top = min(y for card in label["cards"] if card["zone"] == "hand" for _, y in card["quad"]) - 8
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        floor, hand = (
            jpeg(picture.crop((0, round(above), picture.width, round(below))))
            for above, below in ((0, top), (top, picture.height))
        )
    driver.go()
    driver.upload("Choose photo", ("table.jpg", floor))
    driver.says("Which cards are in your hand?")
    driver.shot("handless")
    driver.upload("Photo of the hand", ("hand.jpg", hand))
    driver.until(lambda: bool(driver.table()["hand"]), "the hand is read")
    driver.settled()
    driver.shot("read")
    if sorted(driver.table()["hand"]) != sorted(truth_of("makiaveli_1")["hand"]):
        raise AssertionError(f"the hand was read as {driver.table()['hand']}")


def together(driver: Driver) -> None:
    """A large table in two photos that overlap, chosen together."""
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        left, right = (
            jpeg(picture.crop((round(begin * picture.width), 0, round(end * picture.width), picture.height)))
            for begin, end in ((0.0, 0.66), (0.34, 1.0))
        )
    driver.go()
    driver.upload("Choose photo", ("left.jpg", left), ("right.jpg", right))
    driver.settled()
    driver.shot("read")
    if driver.page.locator(".frame").count() != 2:
        raise AssertionError("not both photos are shown")


def camera(driver: Driver) -> None:
    """A photo by the phone's own camera, which is not asked for before it is wanted."""
    driver.go()
    if driver.page.get_by_label("Take photo", exact=True).count():
        driver.upload("Take photo", ("camera.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()))
        with driver.timed("shot to verdict"):
            driver.settled()
        driver.shot("read")


def by_hand(driver: Driver) -> None:
    """A table laid out from nothing, with the keyboard as well."""
    driver.go()
    driver.open("Lay the table out by hand")
    driver.shot("choose")
    driver.button("Empty table")
    driver.page.locator(".felt .plus").first.wait_for()
    driver.shot("empty")
    for place, card in (
        ("floor/*", "7C"),
        ("floor/0/+", "7D"),
        ("floor/0/+", "7H"),
        ("hand/+", "7S"),
        ("hand/+", "5S"),
    ):
        driver.page.locator(f".plus[data-place='{place}'], .felt [data-place='{place}']").last.click()
        driver.choose(card)
    driver.settled()
    driver.shot("built")


def link(driver: Driver) -> None:
    """A link reopens exactly; script and a megabyte of text are kindly refused."""
    line = "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS; cross: 2S - 9H -; hand: 3S 4S 5S 9C"
    dialogs: list[str] = []
    driver.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    driver.go(f"/?p={quote(line)}")
    driver.settled()
    driver.shot("opened")
    if driver.table() != parse(line).to_json():
        raise AssertionError("the link opened another table")
    for what, hostile in (
        ("script", "makiaveli hand: <img src=x onerror=alert(1)><script>alert(2)</script>"),
        ("long", "makiaveli hand: " + "3S" * 15_000),
    ):
        driver.go(f"/?p={quote(hostile)}")
        driver.says("This link holds no table.")
        driver.shot(what)
    answer = driver.page.request.get(f"{driver.address}/?p={'3S' * 500_000}", fail_on_status_code=False)
    if answer.status < 400 or "Traceback" in answer.text():
        raise AssertionError(f"a megabyte in the address was answered {answer.status}")
    driver.go()
    if dialogs:
        raise AssertionError(f"a link was executed: {dialogs}")


def encodings() -> dict[str, bytes]:
    """The sample photo as cameras, phones and programs write it, by file name."""
    import cv2
    import pillow_heif

    pillow_heif.register_heif_opener()
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        photo = picture.convert("RGB")
    files: dict[str, bytes] = {}

    def write(name: str, image: Image.Image, kind: str, **options: Any) -> None:
        file = io.BytesIO()
        image.save(file, kind, **options)
        files[name] = file.getvalue()

    write("phone.heic", photo, "HEIF", quality=80)
    write("web.webp", photo, "WEBP", quality=85)
    write("animated.webp", photo, "WEBP", save_all=True, append_images=[photo.rotate(180)], duration=100)
    write("animated.png", photo, "PNG", save_all=True, append_images=[photo.rotate(180)])
    write("print.jpg", photo.convert("CMYK"), "JPEG", quality=92)
    write("glass.png", photo.convert("RGBA"), "PNG")
    exif = Image.Exif()
    exif[0x0112] = 6
    write("turned.jpg", photo.rotate(90, expand=True), "JPEG", quality=92, exif=exif)
    write("broken_exif.jpg", photo, "JPEG", quality=92, exif=b"Exif\0\0MM\0*\xff\xff\xff\xff garbage")
    files["deep.png"] = cv2.imencode(".png", np.asarray(photo)[..., ::-1].astype(np.uint16) * 257)[1].tobytes()
    return files


def formats(driver: Driver) -> None:
    """The same photo in every encoding that a phone or a program makes: read alike."""
    wanted = sorted(truth_of("makiaveli_1")["hand"])
    for name, data in encodings().items():
        driver.go()
        with driver.timed(name):
            driver.upload("Choose photo", (name, data))
            driver.settled()
        if sorted(driver.table()["hand"]) != wanted:
            raise AssertionError(f"{name}: the hand was read as {driver.table()['hand']}")


def slow(driver: Driver) -> None:
    """The page at 400 kbit/s: when something of it can be used, and when the whole start stands there."""
    network = driver.page.context.new_cdp_session(driver.page)
    network.send("Network.enable")
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 150, "downloadThroughput": SLOW, "uploadThroughput": SLOW},
    )
    with driver.timed("whole start"):
        with driver.timed("first screen"):
            driver.page.goto(driver.address, wait_until="commit")
            driver.says("Take or choose a photo")
            driver.page.screenshot(path=driver.out / f"{driver.name}_first.png")
        driver.page.locator(".start").wait_for()
    if driver.times["first screen"] > SLOW_LIMIT_S:
        raise AssertionError("nothing to use for too long")


def deal(driver: Driver) -> None:
    """A whole Klondike deal: the line played step by step."""
    driver.go()
    driver.open("Lay the table out by hand")
    driver.page.get_by_label("Game", exact=True).select_option("klondike")
    driver.button("Random deal")
    driver.settled()
    driver.shot("settled")
    sent: list[int] = []
    driver.page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(len(data))))
    driver.go(f"/?p={quote(str(random_deal(10, STANDARD)))}")
    driver.page.locator(".alert.good").wait_for()
    driver.settled()
    driver.page.wait_for_timeout(3000)
    before = len(sent)
    times = driver.page.locator(".bar").evaluate(STEPS)
    runs = len(sent) - before
    print(f"  {len(times)} steps: median {median(times):.0f} ms, worst {max(times):.0f} ms, {runs} runs of the server")
    if runs:
        raise AssertionError("a step needed the server")
    driver.shot("stepped")


STEPS: Final = """async (bar) => { const times = [], next = bar.querySelector("[aria-label='Next step']");
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  while (!next.disabled) { await drawn(); const begun = performance.now(); next.click(); await drawn();
    times.push(performance.now() - begun); }
  return times; }"""
"""Goes through all steps; for each the ms until it is drawn."""
