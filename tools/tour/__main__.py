"""The page as a new user meets it, from a photo to a settled debate: `python -m tools.tour --help`.

Each tour drives the real page in Debian's Chromium at phone and laptop width, checks what it must end with, and keeps a
picture of every station to look at. In the photos one index is pasted over with another card's, so that a card is
misread as it could be at a table; the tour puts it right with clicks, as a person would.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.webapp.actions import PHONE, SAMPLES, WAIT
from tests.webapp.browser import ROOT, chromium, served
from tools.tour.debates import dark, klondike, makiaveli, tomb_double, tomb_single
from tools.tour.driver import WIDTHS, Driver
from tools.tour.games import chances, evaluate, play_klondike, play_makiaveli, play_on
from tools.tour.trouble import astray, audit, hostile
from tools.tour.ways import by_hand, camera, deal, formats, link, slow, together, two_photos

if TYPE_CHECKING:
    from playwright.sync_api import Browser

UNMOVED: Final = """document.addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.textContent = "*, *::before, *::after { animation: none !important; transition: none !important; }";
  document.head.append(style);
});"""
"""Takes what moves out of a page: drawn in software on the server's cores it costs more than a reading."""
TOURS: Final[dict[str, Callable[[Driver], None]]] = {
    tour.__name__: tour
    for tour in (
        makiaveli,
        klondike,
        tomb_single,
        tomb_double,
        dark,
        two_photos,
        together,
        camera,
        by_hand,
        link,
        hostile,
        formats,
        astray,
        audit,
        deal,
        slow,
        play_klondike,
        play_on,
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
    driver = Driver(context.new_page(), address, out, f"{name}_{width}{suffix}")
    driver.page.set_default_timeout(WAIT)
    faults: list[str] = []
    driver.page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        TOURS[name](driver)
    except Exception as error:
        driver.page.screenshot(path=out / f"{driver.name}_failed.png")
        where = traceback.extract_tb(error.__traceback__)
        here = [frame for frame in where if Path(frame.filename).parent == Path(__file__).parent][-1]
        place = f"{Path(here.filename).name}, line {here.lineno}"
        faults.append(f"{type(error).__name__} at {place}: {str(error)[:300]}")
    finally:
        context.close()
    times = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in driver.times.items())
    print(f"{driver.name}: {'; '.join(faults) or 'ok'}{', ' * bool(times)}{times}", flush=True)
    return "; ".join(faults)


def main() -> int:
    """Takes the tours; exit status 1 where one failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.tour", description=__doc__, epilog="example: python -m tools.tour makiaveli"
    )
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
    # A visitor who leaves while the server still writes is an error in the log of the server's own libraries.
    if f'File "{ROOT / "webapp"}' in log.read_text(encoding="utf-8"):
        print(f"the server met an error: see {log}", file=sys.stderr)
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
