"""The other ways to a table: several photos, the camera, every file format, by hand, a deal, a link."""

from __future__ import annotations

import io
import json
from typing import Any
from urllib.parse import quote

from PIL import Image

from solver.answer import parse_position
from tests.bench.tour.visit import PHOTO, SAMPLES, WAIT, Visit, truth_of, upload


def two_photos(visit: Visit) -> None:
    """Table and hand in two photos."""
    label = json.loads((SAMPLES / "makiaveli_1.json").read_text(encoding="utf-8"))
    hand = [card["quad"] for card in label["cards"] if card["zone"] == "hand"]
    top = min(y for quad in hand for _, y in quad) - 8
    parts = []
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        for box in ((0, 0, picture.width, round(top)), (0, round(top), picture.width, picture.height)):
            file = io.BytesIO()
            picture.convert("RGB").crop(box).save(file, "JPEG", quality=92)
            parts.append(file.getvalue())
    visit.go()
    visit.page.get_by_text("The hand is not in the photo").click(timeout=WAIT)
    visit.still()
    upload(visit, "only the hand", ("hand.jpg", parts[1]))
    visit.still()
    visit.shot("hand")
    upload(visit, "A photo of the table", ("table.jpg", parts[0]))
    visit.settled()
    visit.shot("read")
    if sorted(visit.table()["hand"]) != sorted(truth_of("makiaveli_1")["hand"]):
        raise AssertionError(f"the hand was read as {visit.table()['hand']}")


def camera(visit: Visit) -> None:
    """A photo by the camera, which is not asked for before it is wanted."""
    visit.page.add_init_script(
        "window.asked = 0; const media = navigator.mediaDevices; const get = media.getUserMedia.bind(media);"
        "media.getUserMedia = (wanted) => { window.asked += 1; return get(wanted); };"
    )
    visit.go()
    visit.says("Upload")
    visit.page.wait_for_timeout(1000)
    if visit.page.evaluate("() => window.asked"):
        raise AssertionError("the page asks for the camera before it is chosen")
    visit.page.get_by_role("radio", name="Camera").click(timeout=WAIT)
    visit.page.get_by_role("button", name="Take Photo").wait_for(timeout=WAIT)
    visit.page.wait_for_timeout(1500)
    visit.shot("camera")
    visit.page.get_by_role("button", name="Take Photo").click(timeout=WAIT)
    with visit.timed("shot to verdict"):
        visit.settled()
    visit.page.get_by_alt_text(PHOTO).wait_for(timeout=WAIT)
    visit.shot("read")


def by_hand(visit: Visit) -> None:
    """A table laid out from nothing, with the keyboard as well."""
    visit.go()
    visit.page.get_by_text("By hand", exact=True).click(timeout=WAIT)
    visit.still()
    visit.shot("choose")
    visit.button("Empty table")
    visit.page.locator(".felt").first.wait_for(timeout=WAIT)
    visit.shot("empty")
    visit.pick("floor/*")
    for card in ("7C", "7D", "7H"):
        visit.choose(card)
        if card == "7C":
            visit.shot("first")
    visit.pick("hand/+")
    for card in ("7S", "5S"):
        visit.choose(card)
    visit.settled()
    visit.shot("built")


def link(visit: Visit) -> None:
    """A link reopens exactly; script and a megabyte of text are kindly refused."""
    line = "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS; cross: 2S - 9H -; hand: 3S 4S 5S 9C"
    dialogs: list[str] = []
    visit.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    visit.go(f"/?p={quote(line)}")
    visit.settled()
    visit.shot("opened")
    if visit.table() != parse_position(line).to_json():
        raise AssertionError("the link opened another table")
    for what, hostile in (
        ("script", "makiaveli hand: <img src=x onerror=alert(1)><script>alert(2)</script>"),
        ("long", "makiaveli hand: " + "3S" * 15_000),
    ):
        visit.go(f"/?p={quote(hostile)}")
        visit.says("This link holds no table")
        visit.shot(what)
    answer = visit.page.request.get(f"{visit.address}/?p={'3S' * 500_000}", fail_on_status_code=False)
    if answer.status < 400 or "Traceback" in answer.text():
        raise AssertionError(f"a megabyte in the address was answered {answer.status}")
    visit.go()
    if dialogs:
        raise AssertionError(f"a link was executed: {dialogs}")


def encodings() -> dict[str, bytes]:
    """The sample photo as cameras, phones and programs write it, by file name."""
    import cv2
    import numpy as np
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


def formats(visit: Visit) -> None:
    """The same photo in every encoding that a phone or a program makes: read alike."""
    wanted = sorted(truth_of("makiaveli_1")["hand"])
    for name, data in encodings().items():
        visit.go()
        with visit.timed(name):
            upload(visit, "A photo of the table", (name, data))
            visit.settled()
        if sorted(visit.table()["hand"]) != wanted:
            raise AssertionError(f"{name}: the hand was read as {visit.table()['hand']}")


def deal(visit: Visit) -> None:
    """A whole Klondike deal: the line played step by step."""
    visit.go()
    visit.page.get_by_text("By hand", exact=True).click(timeout=WAIT)
    visit.still()
    visit.page.get_by_test_id("stSelectbox").locator("input, button").first.click(timeout=WAIT)
    visit.page.get_by_role("option", name="Klondike").click(timeout=WAIT)
    visit.button("Random deal")
    visit.settled()
    visit.shot("settled")
