"""What goes wrong: hostile files, photos without cards, Back and reload; and what everybody must be able to use."""

from __future__ import annotations

import io
from typing import Final
from urllib.parse import quote

from PIL import Image

from tests.bench.tour.visit import PHOTO, SAMPLES, WAIT, Visit, truth_of, upload
from tests.fuzzing.files import bomb

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
