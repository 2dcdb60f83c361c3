"""The page as a new user meets it, from a photo to a settled debate: `python -m tests.bench.tour --help`.

Each tour drives the real page in Debian's Chromium at phone and laptop width, checks what it must end with, and keeps a
picture of every station to look at. In the photos one index is pasted over with another card's, so that a card is
misread as it could be at a table; the tour puts it right with clicks, as a person would.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, urlsplit

from PIL import Image

from solver.answer import parse_position, position_from_json
from tests.bench.screenshots import PHONE
from tests.fuzzing.files import bomb
from tests.webapp.browser import ROOT, chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WIDTHS: Final = (390, 1280)
WAIT: Final = 240_000
"""Milliseconds that an element may take to appear; the machine may be busy."""
SAMPLES: Final = ROOT / "datasets" / "samples"
STILL: Final = "[data-testid='stApp'][data-test-script-state='notRunning']"
PHOTO: Final = "your photo with every card outlined and named"

UNMOVED: Final = """document.addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { animation: none !important; transition: none !important; }";
  document.head.append(style);
});"""
"""Takes what moves out of a page: drawn in software on the server's cores it costs more than a reading."""

Json = dict[str, Any]


@dataclass
class Visit:
    """One visitor: a browser page, where its pictures go, and how long each station took."""

    page: Page
    address: str
    out: Path
    name: str
    shots: int = 0
    times: dict[str, float] = field(default_factory=dict)

    def go(self, path: str = "/") -> None:
        """Opens an address and waits until the page stands still."""
        self.page.goto(self.address + path, timeout=WAIT)
        self.still()

    def still(self) -> None:
        """Waits until the page is not being drawn anew; what is clicked while it is may be lost."""
        self.page.wait_for_timeout(150)
        self.page.locator(STILL).wait_for(timeout=WAIT)

    def shot(self, what: str) -> None:
        """Keeps a picture of the whole view and checks that nothing is wider than the window."""
        self.still()
        self.page.wait_for_timeout(600)
        self.shots += 1
        size = self.page.viewport_size or {"width": WIDTHS[-1], "height": 900}
        height = self.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
        self.page.set_viewport_size({"width": size["width"], "height": min(max(700, height), 4000)})
        self.page.wait_for_timeout(300)
        self.page.screenshot(path=self.out / f"{self.name}_{self.shots}_{what}.png")
        overflow = self.page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        self.page.set_viewport_size(size)
        if overflow > 0:
            raise AssertionError(f"{what}: {overflow} px wider than the window")

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Notes how long something took."""
        start = time.perf_counter()
        yield
        self.times[what] = time.perf_counter() - start

    def says(self, text: str) -> None:
        """Waits for a text."""
        self.page.get_by_text(text).first.wait_for(timeout=WAIT)

    def table(self) -> Json:
        """The table that the address holds."""
        return parse_position(parse_qs(urlsplit(self.page.url).query)["p"][0]).to_json()

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Waits until something holds."""
        deadline = time.monotonic() + WAIT / 1000
        while not wanted():
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {WAIT / 1000:g} s: {what}")
            self.page.wait_for_timeout(100)

    def settled(self) -> None:
        """Waits for the board and for a verdict that is no longer being searched."""
        self.page.locator(".felt").first.wait_for(timeout=WAIT)
        self.page.get_by_test_id("stAlert").first.wait_for(timeout=WAIT)
        self.still()

    def button(self, name: str) -> None:
        """Presses a button once the page is still."""
        self.still()
        self.page.get_by_role("button", name=name).first.click(timeout=WAIT)
        self.still()

    def pick(self, place: str) -> None:
        """Taps a card or a place on the board."""
        self.still()
        # Of a card in a fan only a strip on the left or at the top is uncovered.
        self.page.locator(f"[data-place='{place}']").first.click(timeout=WAIT, position={"x": 5, "y": 5})
        self.still()

    def choose(self, card: str) -> None:
        """Taps a card of the grid and waits until the table has changed."""
        before = self.page.url
        self.page.locator(f".deck button[data-place='{card}']").click(timeout=WAIT)
        self.until(lambda: self.page.url != before, f"the table changes to hold {card}")
        self.still()


def forged(sample: str, victim: str, donor: str) -> bytes:
    """A sample photo in which each visible index of one card is pasted over with another card's."""
    label = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))
    with Image.open(SAMPLES / f"{sample}.jpg") as picture:
        photo = picture.convert("RGB")

    def indices(card: str) -> list[tuple[float, ...]]:
        held = next(held for held in label["cards"] if held["card"] == card)
        return [tuple(index["box"]) for index in held["indices"] if index["visible"] > 0.5]

    patch = photo.crop(tuple(map(round, indices(donor)[0])))
    for number, box in enumerate(indices(victim)):
        left, top, right, bottom = map(round, box)
        turned = patch.rotate(180) if number else patch
        photo.paste(turned.resize((right - left, bottom - top), Image.Resampling.LANCZOS), (left, top))
    file = io.BytesIO()
    photo.save(file, "JPEG", quality=92)
    return file.getvalue()


def upload(visit: Visit, label: str, *files: tuple[str, bytes]) -> None:
    """Gives files to the uploader of a name."""
    box = visit.page.get_by_test_id("stFileUploader").filter(has_text=label)
    box.locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": data} for name, data in files], timeout=WAIT
    )


def truth_of(sample: str) -> Json:
    """What a sample photo shows."""
    label = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))
    return position_from_json(label["position"]).to_json()


def put_right(visit: Visit, truth: Json) -> int:
    """Changes the table with taps until it holds what is true; how many cards had to be changed."""
    changes = 0
    for path, wanted in lists_of(truth, visit.table()):
        held = at(visit.table(), path)
        while len(held) > len(wanted):
            visit.pick(f"{path}/{len(held) - 1}")
            visit.button("Remove")
            changes += 1
            visit.until(lambda path=path, held=held: len(at(visit.table(), path)) < len(held), f"less in {path}")  # type: ignore[misc]
            held = at(visit.table(), path)
        for number, card in enumerate(wanted[: len(held)]):
            if held[number] != card:
                visit.pick(f"{path}/{number}")
                visit.choose(card or "")
                changes += 1
    return changes


def lists_of(truth: Json, table: Json) -> list[tuple[str, list[Any]]]:
    """The paths of the table's lists with what they should hold; melds are matched by their cards."""
    wanted: list[tuple[str, list[Any]]] = []
    if truth["game"] == "makiaveli":
        left = list(truth["floor"])
        for number, meld in enumerate(table["floor"]):
            best = max(left, key=lambda other: len(set(other) & set(meld)))
            left.remove(best)
            wanted.append((f"floor/{number}", best))
        wanted += [("cross", truth["cross"]), ("hand", truth["hand"])]
    elif truth["game"] == "klondike":
        for number, column in enumerate(truth["columns"]):
            wanted += [(f"columns/{number}/{part}", column.get(part, [])) for part in ("up", "down")]
        wanted.append(("waste", truth["waste"]))
    elif truth["game"] == "tomb_single":
        wanted += [(f"corners/{n}", pile) for n, pile in enumerate(truth["corners"])]
        wanted += [(name, truth[name]) for name in ("spares", "spare_six", "discard", "centre")]
    else:
        for name in ("reserves", "tableau", "wastes"):
            wanted += [(f"{name}/{n}", pile) for n, pile in enumerate(truth[name])]
        wanted.append(("centre", truth["centre"]))
    return wanted


def at(table: Any, path: str) -> Any:
    """What stands at a path of a table."""
    for part in path.split("/"):
        table = table[int(part)] if isinstance(table, list) else table[part]
    return table


def debate(visit: Visit, sample: str, victim: str, donor: str) -> None:
    """From the front page over a photo with a misread card to the verdict."""
    visit.go()
    visit.says("Upload")
    visit.shot("start")
    with visit.timed("photo to board"):
        upload(visit, "A photo of the table", (f"{sample}.jpg", forged(sample, victim, donor)))
        visit.page.locator(".felt").first.wait_for(timeout=WAIT)
    with visit.timed("board to verdict"):
        visit.settled()
    visit.page.get_by_alt_text(PHOTO).wait_for(timeout=WAIT)
    visit.shot("read")
    truth = truth_of(sample)
    wrong = next(
        (path, n) for path, cards in lists_of(truth, visit.table()) for n, c in enumerate(cards) if c == victim
    )
    visit.pick(f"{wrong[0]}/{wrong[1]}")
    visit.shot("picked")
    visit.pick(f"{wrong[0]}/{wrong[1]}")
    # Streamlit makes one of two taps on the same drawing that wait for the same run; the next one is for a card again.
    visit.until(lambda: not visit.page.locator(".deck").count(), "the card is let go")
    changed = put_right(visit, truth)
    if not changed:
        raise AssertionError("no card was misread")
    with visit.timed("change to verdict"):
        visit.settled()
    visit.page.get_by_alt_text(PHOTO).wait_for(timeout=WAIT)
    visit.shot("settled")
    if put_right(visit, truth):
        raise AssertionError("a change was lost")
    other_rules(visit)
    visit.page.get_by_alt_text(PHOTO).wait_for(timeout=WAIT)
    if visit.page.get_by_role("button", name="Best next move").count():
        visit.button("Best next move")
        visit.says("Next:")
        visit.shot("advice")
    if visit.page.get_by_role("button", name="Next", exact=True).count():
        visit.button("Next")
        visit.button("Next")
        visit.shot("step")
        if visit.page.get_by_role("button", name="Next", exact=True).is_enabled():
            visit.page.get_by_role("button", name="Play").click(timeout=WAIT)
            visit.says("Step 3 of")
    share(visit)
    print(f"  {changed} cards put right", flush=True)


def other_rules(visit: Visit) -> None:
    """Other rules, chosen next to the verdict: the address holds them and the answer follows; then back."""
    before = visit.page.url
    rules = visit.page.locator(".st-key-rules").get_by_role("radio")
    rules.nth(1 if rules.first.is_checked() else 0).click(timeout=WAIT)
    visit.until(lambda: visit.page.url != before, "the address holds the other rules")
    with visit.timed("rules to verdict"):
        visit.settled()
    visit.shot("rules")
    visit.button("Undo")
    visit.until(lambda: visit.page.url == before, "the rules are as before")
    visit.settled()


def share(visit: Visit) -> None:
    """The tabs below, and every download."""
    for tab in ("As text", "Share"):
        visit.page.get_by_role("tab", name=tab).click(timeout=WAIT)
        visit.still()
        visit.shot(tab.lower().replace(" ", "_"))
    for name in ("JSON", "Annotated photo", "Save a picture"):
        button = visit.page.get_by_role("button", name=name)
        if not button.count():
            continue
        with visit.page.expect_download(timeout=WAIT) as caught:
            button.first.click(timeout=WAIT)
        path = visit.out / f"{visit.name}_{caught.value.suggested_filename}"
        caught.value.save_as(path)
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        else:
            with Image.open(path) as picture:
                picture.verify()


def makiaveli(visit: Visit) -> None:
    """Makiaveli from a photo."""
    debate(visit, "makiaveli_1", "8H", "2S")


def klondike(visit: Visit) -> None:
    """Klondike from a photo."""
    debate(visit, "klondike_1", "JH", "4C")


def tomb_single(visit: Visit) -> None:
    """Napoleon's Tomb with one deck from a photo."""
    debate(visit, "tomb_single_2", "4S", "8C")


def tomb_double(visit: Visit) -> None:
    """Napoleon's Tomb with two decks from a photo."""
    debate(visit, "tomb_double_2", "JC", "3C")


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


HOSTILE: Final = (
    ("text.jpg", b"this is no picture"),
    ("empty.png", b""),
    ("cut.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()[:5000]),
    ("bomb.png", bomb(60_000, 60_000)),
)


def hostile(visit: Visit) -> None:
    """Files that are no photos, at every uploader: a sentence, and the next photo is read all the same."""
    for name, data in HOSTILE:
        visit.go()
        upload(visit, "A photo of the table", (name, data))
        visit.says("This photo could not be read")
    visit.shot("photo")
    visit.go()
    visit.page.get_by_text("The hand is not in the photo").click(timeout=WAIT)
    visit.still()
    upload(visit, "only the hand", HOSTILE[0])
    visit.still()
    upload(visit, "A photo of the table", ("table.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()))
    visit.says("This photo could not be read")
    visit.shot("hand")
    visit.go("/evaluate")
    for name, data in (("broken.zip", b"PK no archive"), ("bomb.png", HOSTILE[-1][1])):
        upload(visit, "Photos and ground truth", (name, data))
        visit.says(name)
        visit.button("Evaluate")
        visit.page.get_by_test_id("stAlert").or_(visit.page.get_by_role("heading", name="Report")).first.wait_for()
        visit.shot(name.partition(".")[0])
        visit.go("/evaluate")
    visit.go("/")
    upload(visit, "A photo of the table", ("table.jpg", (SAMPLES / "makiaveli_1.jpg").read_bytes()))
    visit.settled()


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


def without_cards() -> bytes:
    """A photo in which lies nothing: soft light and the grain of a camera."""
    import numpy as np

    grain = np.random.default_rng(1).normal(0, 6, (900, 1200, 3))
    light = np.linspace(60, 190, 1200)[None, :, None] * np.array([1.0, 0.9, 0.7])
    file = io.BytesIO()
    Image.fromarray(np.clip(light + grain, 0, 255).astype(np.uint8)).save(file, "JPEG")
    return file.getvalue()


def huge() -> bytes:
    """The sample photo as the largest cameras of phones take it, 48 megapixels."""
    file = io.BytesIO()
    with Image.open(SAMPLES / "makiaveli_1.jpg") as picture:
        picture.convert("RGB").resize((8000, 6000), Image.Resampling.BICUBIC).save(file, "JPEG", quality=85)
    return file.getvalue()


def astray(visit: Visit) -> None:
    """What goes wrong at a table: a photo without cards, a huge one, Back and Forward, a reload, a second tab."""
    visit.go()
    upload(visit, "A photo of the table", ("nothing.jpg", without_cards()))
    visit.says("No cards in this photo")
    visit.shot("nothing")
    visit.go()
    with visit.timed("48 megapixels"):
        upload(visit, "A photo of the table", ("huge.jpg", huge()))
        visit.settled()
    read = visit.table()
    if sorted(read["hand"]) != sorted(truth_of("makiaveli_1")["hand"]):
        raise AssertionError(f"the hand was read as {read['hand']}")
    visit.pick("hand/0")
    visit.button("Remove")
    visit.until(lambda: len(visit.table()["hand"]) < len(read["hand"]), "the card is removed")
    changed = visit.table()

    def travel(where: str) -> None:
        visit.still()
        visit.page.evaluate(f"() => history.{where}()")
        visit.still()

    travel("back")
    visit.until(lambda: visit.table() == read, "Back undoes the change")
    visit.settled()
    travel("forward")
    visit.until(lambda: visit.table() == changed, "Forward makes it again")
    visit.settled()
    travel("back")
    travel("back")
    visit.page.get_by_text("Upload").first.wait_for(timeout=WAIT)
    visit.shot("back")
    travel("forward")
    visit.settled()
    visit.page.get_by_alt_text(PHOTO).wait_for(timeout=WAIT)
    visit.shot("forward")
    here = visit.table()
    tab = visit.page.context.new_page()
    tab.goto(f"{visit.address}/?p={quote('makiaveli hand: 3S 4S 5S')}", timeout=WAIT)
    tab.get_by_text("Yes, you could have won").first.wait_for(timeout=WAIT)
    tab.close()
    visit.page.reload(timeout=WAIT)
    visit.settled()
    if visit.table() != here:
        raise AssertionError("a reload lost the table")
    visit.shot("reloaded")


CONTRAST: Final = """() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, under) => {
    const a = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => top[i] * a + under[i] * (1 - a));
  };
  const lum = (c) => {
    const [r, g, b] = c.map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const chain = [];
    for (let e = element; e; e = e.parentElement) chain.unshift(parse(getComputedStyle(e).backgroundColor));
    return chain.filter((c) => c.length >= 3).reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (["STYLE", "SCRIPT", "NOSCRIPT"].includes(e.tagName) || e.closest("[disabled],[aria-disabled=true]")) continue;
    const style = getComputedStyle(e);
    const back = ground(e);
    const a = lum(over(parse(style.color), back)), b = lum(back);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    // Large text and graphics need 3:1 (WCAG 1.4.3, 1.4.11); Streamlit's icons are glyphs of a font.
    const large = parseFloat(style.fontSize) >= 24 || style.fontFamily.includes("Material");
    if (ratio < (large ? 3 : 4.5)) low.push(node.data.trim().slice(0, 40) + " " + ratio.toFixed(2));
  }
  const nameless = [...document.querySelectorAll("button, input, textarea, select, img, [role=button]")]
    .filter((e) => e.checkVisibility() && !e.closest("[aria-hidden=true]") && e.type !== "file")
    .filter((e) => !(e.innerText || e.alt || e.ariaLabel || e.title || e.getAttribute("aria-labelledby")
      || (e.labels && e.labels.length) || e.placeholder))
    .map((e) => e.outerHTML.slice(0, 120));
  return { low: [...new Set(low)], nameless };
}"""


def audit(visit: Visit) -> None:
    """Contrast of every text, names of every control, and the order in which the Tab key goes through them."""
    faults: list[str] = []
    line = "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS; cross: 2S - 9H -; hand: 3S 4S 5S 9C"
    for path in ("/", f"/?p={quote(line)}", "/klondike", "/makiaveli", "/chances", "/evaluate"):
        visit.go(path)
        if "p=" in path:
            visit.settled()
            visit.pick("hand/0")
        visit.page.wait_for_timeout(1500)
        found = visit.page.evaluate(CONTRAST)
        faults += [f"{path[:12]}: low contrast {text}" for text in found["low"]]
        faults += [f"{path[:12]}: no name {text}" for text in found["nameless"]]
    visit.go(f"/?p={quote(line)}")
    visit.settled()
    order: list[str] = []
    for _ in range(40):
        visit.page.keyboard.press("Tab")
        order.append(visit.page.evaluate(FOCUS))
    places = [name for name in order if "/" in name]
    board = ["floor/0/0", "floor/1/0", "cross/0", "hand/0"]
    if [place for place in places if place in board] != board:
        faults.append(f"the Tab key goes through the board as {places}")
    print("  Tab: " + " > ".join(dict.fromkeys(order)), flush=True)
    if faults:
        print("  " + "\n  ".join(faults), flush=True)
        raise AssertionError(f"{len(faults)} faults, printed above")


FOCUS: Final = """() => {
  let e = document.activeElement;
  while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
  return e ? (e.dataset.place || e.innerText || e.ariaLabel || e.tagName).trim().split("\\n").pop().slice(0, 24) : "";
}"""


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


def play_klondike(visit: Visit) -> None:
    """Klondike played with a hint, a move and an undo."""
    visit.go("/klondike")
    visit.shot("start")
    visit.button("New deal")
    visit.page.locator(".felt").first.wait_for(timeout=WAIT)
    visit.shot("dealt")
    visit.button("Hint")
    visit.says("Next:")
    visit.shot("hint")
    visit.button("Play it")
    visit.button("Turn the stock")
    visit.shot("moved")
    visit.button("Can it still be won?")
    visit.page.get_by_test_id("stAlert").first.wait_for(timeout=WAIT)
    visit.shot("peek")
    visit.button("Undo")


def play_makiaveli(visit: Visit) -> None:
    """Turns of Makiaveli against the computer, laid out by the hint where one can be."""
    visit.go("/makiaveli")
    visit.shot("start")
    visit.button("New game")
    visit.page.locator(".felt").first.wait_for(timeout=WAIT)
    visit.shot("dealt")
    for turn in range(4):
        visit.button("Hint")
        if visit.page.get_by_role("button", name="End the turn").is_enabled():
            visit.shot(f"hint{turn}")
            visit.button("End the turn")
        else:
            visit.button("Draw a card")
    visit.shot("later")
    place = visit.page.locator("[data-place^='hand/']").first.get_attribute("data-place") or ""
    visit.pick(place)
    visit.shot("picked")


def chances(visit: Visit) -> None:
    """A simulation watched, stopped and gone on with."""
    visit.go("/chances")
    visit.shot("start")
    visit.page.get_by_text("Napoleon's Tomb, two decks").click(timeout=WAIT)
    visit.button("Start")
    visit.page.get_by_text("95% interval").first.wait_for(timeout=WAIT)
    visit.page.get_by_role("button", name="Stop").click(timeout=WAIT)
    visit.says("Stopped at")
    visit.shot("stopped")
    visit.page.get_by_role("button", name="Go on").click(timeout=WAIT)
    visit.page.wait_for_timeout(5000)
    visit.page.screenshot(path=visit.out / f"{visit.name}_running.png")
    visit.page.get_by_role("button", name="Stop").click(timeout=WAIT)
    visit.page.get_by_role("radio", name="Baccarat").click(timeout=WAIT)
    visit.button("Start")
    visit.says("100,000 deals")
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
    upload(visit, "Photos and ground truth", ("set.zip", data.getvalue()))
    visit.says("set.zip")
    visit.button("Evaluate")
    visit.page.get_by_role("heading", name="Report").wait_for(timeout=WAIT)
    visit.page.get_by_test_id("stTable").wait_for(timeout=WAIT)
    visit.shot("report")


TOURS: Final[dict[str, Callable[[Visit], None]]] = {
    tour.__name__: tour
    for tour in (
        makiaveli,
        klondike,
        tomb_single,
        tomb_double,
        two_photos,
        camera,
        by_hand,
        link,
        hostile,
        formats,
        astray,
        audit,
        deal,
        play_klondike,
        play_makiaveli,
        chances,
        evaluate,
    )
}


def tour(browser: Browser, address: str, name: str, width: int, theme: str, out: Path) -> str:
    """Takes one tour; what went wrong, "" where nothing did."""
    suffix = "" if theme == "light" else f"_{theme}"
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
        is_mobile=width < 700,
        has_touch=width < 700,
        user_agent=PHONE if width < 700 else None,
        permissions=["camera"],
    )
    context.add_init_script(UNMOVED)
    visit = Visit(context.new_page(), address, out, f"{name}_{width}{suffix}")
    visit.page.set_default_timeout(WAIT)
    faults: list[str] = []
    visit.page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        TOURS[name](visit)
    except Exception as error:
        visit.page.screenshot(path=out / f"{visit.name}_failed.png")
        where = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in where if frame.filename == __file__]
        faults.append(f"{type(error).__name__} at line {lines[-1]}: {str(error)[:300]}")
    finally:
        context.close()
    times = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in visit.times.items())
    print(f"{visit.name}: {'; '.join(faults) or 'ok'}{', ' * bool(times)}{times}", flush=True)
    return "; ".join(faults)


def main() -> int:
    """Takes the tours; exit status 1 where one failed."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: python -m tests.bench.tour makiaveli")
    parser.add_argument("tours", nargs="*", help=f"which of {', '.join(TOURS)}; all by default")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "tour", help="folder for the pictures")
    parser.add_argument("--widths", type=int, nargs="*", default=list(WIDTHS), help="widths of the window, px")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    args = parser.parse_args()
    unknown = set(args.tours) - set(TOURS)
    if unknown:
        parser.error(f"unknown tour {sorted(unknown)[0]!r}; one of {', '.join(TOURS)}")
    args.out.mkdir(parents=True, exist_ok=True)
    log = Path(tempfile.gettempdir()) / "tour.log"
    film = Path(tempfile.gettempdir()) / "tour-camera.mjpeg"
    film.write_bytes((SAMPLES / "makiaveli_1.jpg").read_bytes())  # a film of one picture, shown again and again
    with served(log) as address, chromium(film) as browser:
        failed = [
            name
            for name in args.tours or TOURS
            for width in args.widths
            if tour(browser, address, name, width, args.theme, args.out)
        ]
    if "Traceback" in log.read_text(encoding="utf-8"):
        print(f"the server met an error: see {log}", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
