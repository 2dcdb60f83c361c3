"""One visitor of a tour: a browser page that is driven as a person would, and its pictures."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from solver import parse
from solver.games import position_from_json
from tests.webapp import actions
from tests.webapp.actions import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Page


WIDTHS: Final = (390, 1280)
PHOTO: Final = "your photo with every card outlined and named"
CUT: Final = """() => { const found = [];
  const look = (root) => root.querySelectorAll("*").forEach((e) => {
    if (e.shadowRoot) look(e.shadowRoot);
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const style = getComputedStyle(e);
    if (own && e.clientWidth > 20 && e.scrollWidth > e.clientWidth + 1 && style.overflowX === "hidden" &&
      style.clipPath === "none" && !e.closest("pre, .unseen, [data-testid=stIconMaterial], .icon"))
      found.push(e.textContent.trim().slice(0, 60)); });
  look(document);
  return found; }"""
"""The texts of a page of which a part is hidden."""
Json = dict[str, Any]


@dataclass
class Driver:
    """One visitor: a browser page, where its pictures go, and how long each station took."""

    page: Page
    address: str
    out: Path
    name: str
    shots: int = 0
    times: dict[str, float] = field(default_factory=dict)

    def go(self, path: str = "/") -> None:
        """Opens an address and waits until the page stands still."""
        self.page.goto(self.address + path)
        self.still()

    def still(self) -> None:
        """Waits until the page is not being drawn anew; what is clicked while it is may be lost."""
        self.page.wait_for_timeout(150)
        actions.still(self.page)

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
        cut = self.page.evaluate(CUT)
        if cut:
            raise AssertionError(f"{what}: texts that are cut: {cut}")

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Notes how long something took."""
        start = time.perf_counter()
        yield
        self.times[what] = time.perf_counter() - start

    def says(self, text: str) -> None:
        """Waits for a text."""
        self.page.get_by_text(text).first.wait_for()

    def table(self) -> Json:
        """The table that the address holds."""
        return parse(actions.line(self.page)).to_json()

    def until(self, wanted: Callable[[], bool], what: str) -> None:
        """Waits until something holds."""
        actions.until(self.page, wanted, what)

    def settled(self) -> None:
        """Waits for the board and its verdict, and until nothing more is searched."""
        self.still()  # until then the verdict on the table of before may be seen
        self.page.locator(".felt .card").first.wait_for()
        actions.verdict(self.page)

    def button(self, name: str) -> None:
        """Presses a button once the page is still."""
        self.still()
        self.page.get_by_role("button", name=name).first.click()
        self.still()

    def pick(self, place: str) -> None:
        """Taps a card or a place on the board."""
        self.still()
        found = self.page.locator(f".felt [data-place='{place}']").first
        if place[-1] in "+*" and not found.count():
            self.page.get_by_role("button", name="Add cards").click()
        # Of a card in a fan only a strip on the left or at the top is uncovered.
        found.click(position={"x": 6, "y": 6})

    def choose(self, card: str) -> None:
        """Taps a card of the sheet and waits until the table has changed."""
        before = self.page.url
        self.page.locator(f"dialog .deck [data-card='{card}']").click()
        self.until(lambda: self.page.url != before, f"the table changes to hold {card}")
        done = self.page.get_by_role("button", name="Done", exact=True)
        if done.count():
            done.click()
        self.still()

    def upload(self, label: str, *files: tuple[str, bytes]) -> None:
        """Gives photos, each with its name, to a button that takes them."""
        actions.choose_photos(self.page, dict(files), label)

    def open(self, summary: str) -> None:
        """Unfolds what is folded."""
        box = self.page.locator("details", has=self.page.locator("summary", has_text=summary)).first
        if box.get_attribute("open") is None:
            box.locator("summary").first.click()


def jpeg(picture: Image.Image, quality: int = 92) -> bytes:
    """A picture as a file."""
    file = io.BytesIO()
    picture.convert("RGB").save(file, "JPEG", quality=quality)
    return file.getvalue()


def truth_of(sample: str) -> Json:
    """What a sample photo shows."""
    label = json.loads((SAMPLES / f"{sample}.json").read_text(encoding="utf-8"))
    return position_from_json(label["position"]).to_json()
