"""What a visitor does on the page in a real browser, and what one waits for. Every wait ends after `WAIT`."""

from __future__ import annotations

import atexit
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, urlsplit
from uuid import uuid4

from solver import parse
from tests.webapp.browser import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SAMPLES: Final = ROOT / "datasets" / "samples"
SAMPLE: Final = SAMPLES / "makiaveli_1.jpg"
WAIT: Final = 240_000
"""Milliseconds for what may have to wait for other work on the machine."""
PHONE: Final = "Mozilla/5.0 (Linux; Android 14) Chrome/126 Mobile"
"""What a phone's browser calls itself; the page has fewer buttons there."""
PHONE_WIDTH: Final = 700
"""Windows narrower than this, in px, are a phone's."""
VERDICT: Final = ".alert[data-tone]"
"""Where the verdict stands."""
NOTATION: Final = re.compile(r"\b(W|T\d|F:\w|R\d|S\d?|draw)>|\b[A2-9TJQK][CDHS]\b")
"""A move or a card as only the solver writes it."""
KEPT: Final = """([name, value]) => new Promise((done) => { const asked = indexedDB.open("could-i-have-won", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
  asked.onsuccess = () => { const store = asked.result.transaction("kept", "readwrite").objectStore("kept");
    const end = value ? store.put(value, name) : store.get(name);
    end.onsuccess = () => { asked.result.close(); done(value ? null : end.result ?? null); }; }; })"""
"""Keeps a value in the browser; without a value gives the one that is kept."""


@contextmanager
def opened(browser: Browser, url: str, width: int = 390, **more: Any) -> Iterator[Page]:
    """A page of a phone or a laptop of its own, which knows nothing of those before."""
    phone = {"is_mobile": True, "has_touch": True, "user_agent": PHONE} if width < PHONE_WIDTH else {}
    context = browser.new_context(viewport={"width": width, "height": 844}, **phone, **more)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    try:
        page.goto(url, timeout=WAIT)
        yield page
        assert not faults
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    finally:
        context.close()


def start(page: Page) -> None:
    """Waits for the start."""
    page.get_by_role("heading", name="Could I have won?").wait_for()


def top_of(found: Locator) -> float:
    """Where an element begins in the window."""
    return float(found.evaluate("(box) => box.getBoundingClientRect().top"))


def open_empty_table(page: Page, game: str) -> None:
    """Opens an empty table of a game from the start."""
    start(page)
    page.locator("summary", has_text="Lay the table out").click()
    page.get_by_label("Game", exact=True).select_option(game)
    page.get_by_role("button", name="Empty table").click()


def use_sample(page: Page, title: str) -> None:
    """Opens a sample photo from the start and waits for its verdict."""
    start(page)
    samples = page.locator("details", has=page.locator(".samples"))
    if samples.get_attribute("open") is None:
        samples.locator("summary").click()
    page.get_by_role("button", name=title, exact=True).click()
    verdict(page)


@contextmanager
def held(name: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """What to call a file that the fixture `made` does not read yet, and what lets it go."""
    path = Path(gettempdir(), f"go-{uuid4().hex}")
    stem, _, kind = name.partition(".")
    try:
        yield f"{stem}-held-{path.name}.{kind}", path.touch
    finally:
        path.touch()  # a reading that was stopped, or begins late, may still wait for it, and all others behind it
        atexit.register(path.unlink, missing_ok=True)


def choose_photo(page: Page, name: str, data: bytes | None = None, label: str = "Choose photo") -> None:
    """Gives a photo to a button that takes them; the first sample where no other file is given."""
    choose_photos(page, {name: data or SAMPLE.read_bytes()}, label)


def choose_photos(page: Page, files: Mapping[str, bytes], label: str = "Choose photo") -> None:
    """Gives several photos together, by their names."""
    sent = [{"name": name, "mimeType": "image/jpeg", "buffer": data} for name, data in files.items()]
    page.get_by_label(label, exact=True).first.set_input_files(sent)  # type: ignore[arg-type]


def verdict(page: Page) -> str:
    """The verdict once it stands there."""
    page.locator(f"{VERDICT}:not(.wait)").first.wait_for()
    still(page)
    return str(page.locator(VERDICT).first.inner_text())


def answer_all(page: Page, most: int = 20) -> int:
    """Answers what is asked about a photo, each with the likeliest of the answers that are offered; how many taps."""
    for taps in range(most + 1):
        still(page)
        if page.locator(".asking").is_hidden():
            return taps
        likely, right = page.locator(".asking .likely"), page.get_by_role("button", name="All of these are right")
        (likely if likely.count() else page.locator(".asking .answer").or_(right)).first.click()
    raise AssertionError(f"more than {most} questions")


def tone(page: Page) -> str:
    """What the verdict is shown as: good, bad, open, warn or wait."""
    return str(page.locator(VERDICT).first.get_attribute("data-tone"))


def still(page: Page) -> None:
    """Waits until the board was told of all that it has sent, and the page is drawn."""
    page.locator(".app[aria-busy]").first.wait_for(state="detached")
    page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()


def until(page: Page, wanted: Callable[[], object], what: str) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + WAIT / 1000
    while not wanted():
        assert time.monotonic() < deadline, f"never: {what}"
        page.wait_for_timeout(50)


def seen(page: Page, selector: str) -> None:
    """Waits until an element lies wholly in the window."""
    until(page, lambda: in_view(page, selector), f"{selector} is in view")


def kept(page: Page, name: str) -> Any:
    """What the browser keeps of a name, None where nothing."""
    return page.evaluate(KEPT, [name, None])


def keep(page: Page, name: str, value: object) -> None:
    """Has the browser keep something by a name."""
    page.evaluate(KEPT, [name, value])


def line(page: Page) -> str:
    """The table that the address holds."""
    return str(parse(parse_qs(urlsplit(page.url).query)["p"][0]))


def link(address: str, table: str) -> str:
    """The address of a table."""
    return f"{address}/?p={quote(table)}"


def in_view(page: Page, selector: str) -> bool:
    """Whether an element lies wholly in the window, with nothing over its middle."""
    return bool(
        page.locator(selector).first.evaluate(
            """(e) => { const b = e.getBoundingClientRect();
            const top = e.getRootNode().elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
            return b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth && b.height > 0 &&
              (e.contains(top) || top?.contains(e)); }"""
        )
    )


def show(page: Page, what: str) -> None:
    """Shows the photo, the table or both."""
    page.get_by_role("radio", name=what, exact=True).click()


def tap(page: Page, place: str) -> None:
    """Taps a place of the board, where a card in a fan is uncovered."""
    page.locator(f".felt [data-place='{place}']").first.click(position={"x": 6, "y": 6})


def download(page: Page, name: str, path: Path) -> None:
    """Downloads a file; again where the page was drawn anew meanwhile, as after a search: that breaks it off."""
    from playwright.sync_api import TimeoutError as Late

    def came() -> bool:
        try:
            with page.expect_download(timeout=WAIT / 8) as caught:
                page.get_by_role("button", name=name).click()
        except Late:  # it was broken off before it began
            return False
        if caught.value.failure():
            return False
        caught.value.save_as(path)
        return True

    until(page, came, f"the file of {name!r}")


def centre(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element in the window, px."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
