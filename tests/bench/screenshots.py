"""Saves pictures of the page for the README, at phone and laptop width: `python -m tests.bench.screenshots --help`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import numpy as np
from PIL import Image

from solver.klondike import STANDARD, random_deal
from tests.webapp.browser import ROOT, chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS: Final = (390, 1280)
WAIT: Final = 240_000
"""Milliseconds that an element may take to appear."""
PHONE: Final = "Mozilla/5.0 (Linux; Android 14) Chrome/126 Mobile"
"""What a phone's browser calls itself; the page has fewer buttons there."""
TABLE: Final = (
    "makiaveli floor: 7C 7D 7H | 9S TS JS QS KS | 2D 3D 4D 5D 6D 7D 8D | 4C 4H 4D; cross: 2S - 9H -; hand: 3S 4S 5S 9C"
)


def link(line: str) -> str:
    """The address of a table."""
    return f"/?p={quote(line)}"


def start(page: Page, address: str) -> None:
    """The first thing a visitor sees."""
    page.goto(address)
    page.get_by_role("heading", name="Could I have won?").wait_for(timeout=WAIT)


def sample(page: Page, address: str) -> None:
    """A sample photo, read and settled."""
    start(page, address)
    samples = page.locator("details", has=page.locator(".samples"))
    if samples.get_attribute("open") is None:
        samples.locator("summary").click(timeout=WAIT)
    page.get_by_role("button", name="Makiaveli 1", exact=True).click(timeout=WAIT)
    settled(page)
    page.locator(".frame img").first.wait_for(timeout=WAIT)


def step(page: Page, address: str) -> None:
    """The way to win, two steps on."""
    sample(page, address)
    for _ in range(2):
        page.get_by_role("button", name="Next step").click(timeout=WAIT)


def table(page: Page, address: str) -> None:
    """A table from a link, with its verdict and the way."""
    page.goto(address + link(TABLE))
    settled(page)


def correcting(page: Page, address: str) -> None:
    """A card picked on the board, with the grid to change it."""
    table(page, address)
    page.locator("[data-place='hand/3']").first.click()
    page.locator("dialog [data-card='9D']").wait_for(timeout=WAIT)


def live(page: Page, address: str) -> None:
    """The live camera over a table, whose cards are lit."""
    start(page, address)
    page.get_by_role("button", name="Film live").click(timeout=WAIT)
    page.locator(".live .often").first.wait_for(timeout=WAIT)


def deal(page: Page, address: str) -> None:
    """A Klondike deal with every card known."""
    page.goto(address + link(str(random_deal(10, STANDARD))))
    settled(page)


def klondike(page: Page, address: str) -> None:
    """A game of Klondike."""
    page.goto(f"{address}/klondike")
    page.get_by_role("button", name="New deal").click(timeout=WAIT)
    page.locator(".felt").first.wait_for(timeout=WAIT)


def makiaveli(page: Page, address: str) -> None:
    """A game of Makiaveli against the computer."""
    page.goto(f"{address}/makiaveli")
    page.get_by_role("button", name="New game").click(timeout=WAIT)
    page.locator(".felt").first.wait_for(timeout=WAIT)


def chances(page: Page, address: str) -> None:
    """A simulation that has ended."""
    page.goto(f"{address}/chances")
    page.get_by_role("radio", name="Baccarat").click(timeout=WAIT)
    page.get_by_role("button", name="Start").click(timeout=WAIT)
    page.get_by_text("Exact:").first.wait_for(timeout=WAIT)
    page.locator("svg.marks").first.wait_for(timeout=WAIT)


def settled(page: Page) -> None:
    """Waits for the board and the verdict."""
    page.locator(".felt").first.wait_for(timeout=WAIT)
    page.locator(".alert[data-tone]:not(.wait)").first.wait_for(timeout=WAIT)


VIEWS: Final[dict[str, Callable[[Page, str], None]]] = {
    view.__name__: view for view in (start, sample, step, table, correcting, live, deal, klondike, makiaveli, chances)
}


def shoot(page: Page, path: Path) -> None:
    """The whole view as a PNG of 256 colours, which keeps it small."""
    page.mouse.move(0, 0)  # where nothing is lit under it
    page.wait_for_timeout(1500)
    height = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
    width = page.viewport_size["width"] if page.viewport_size else WIDTHS[-1]
    page.set_viewport_size({"width": width, "height": min(max(700, height), 2600)})
    page.wait_for_timeout(800)
    page.screenshot(path=path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(256, kmeans=1, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    overflow = page.evaluate("() => document.documentElement.scrollWidth") - width
    colours = len(np.unique(np.asarray(small)))
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KB, {colours} colours, overflow {max(0, overflow)} px")


def main() -> None:
    """Takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("views", nargs="*", help=f"which of {', '.join(VIEWS)}; all by default")
    parser.add_argument("--out", type=Path, default=ROOT / "webapp" / "pictures", help="folder for the PNG files")
    parser.add_argument("--widths", type=int, nargs="*", default=list(WIDTHS), help="widths of the window, px")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    args = parser.parse_args()
    unknown = set(args.views) - set(VIEWS)
    if unknown:
        parser.error(f"unknown view {sorted(unknown)[0]!r}; one of {', '.join(VIEWS)}")
    args.out.mkdir(parents=True, exist_ok=True)
    log = Path(tempfile.gettempdir()) / "screenshots.log"
    film = Path(tempfile.gettempdir()) / "screenshots-camera.mjpeg"
    film.write_bytes((ROOT / "datasets" / "samples" / "makiaveli_1.jpg").read_bytes())  # one picture, again and again
    with served(log) as address, chromium(film) as browser:
        for width in args.widths:
            for name in args.views or VIEWS:
                phone = PHONE if width < 700 else None
                size = {"width": width, "height": 900}
                touch = phone is not None
                page = browser.new_page(
                    viewport=size, color_scheme=args.theme, user_agent=phone, is_mobile=touch, has_touch=touch
                )
                page.set_default_navigation_timeout(WAIT)
                VIEWS[name](page, address)
                suffix = "" if args.theme == "light" else f"_{args.theme}"
                shoot(page, args.out / f"{name}_{width}{suffix}.png")
                page.close()


if __name__ == "__main__":
    main()
