"""Prints the seconds from a photo that is chosen to its verdict, in Chromium: `python -m tests.bench.upload --help`.

Each sample photo is enlarged to twelve megapixels, as a phone takes them, and given to the page at a phone's width. The
time is parted in what the browser does until the photo is sent, the server until it has answered, and the browser
until the verdict stands there.
"""

from __future__ import annotations

import argparse
import io
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from tests.bench.page import SAMPLES, load, rest, server_pid
from tests.bench.screenshots import PHONE
from tests.webapp.browser import chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZE: Final = (4000, 3000)
WAIT: Final = 60_000
CHOSEN: Final = """(input) => { const stamp = () => performance.timeOrigin + performance.now();
  const told = () => { const found = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter((e) => e)
    .map((e) => e.querySelector(".alert[data-tone]:not(.wait)")).find((e) => e);
    if (found) window.verdictAt = stamp(); else requestAnimationFrame(told); };
  input.addEventListener("change", () => { window.chosenAt = stamp(); told(); }, { capture: true, once: true }); }"""
"""Notes in the page when a photo is chosen and when the verdict stands there."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Seconds from a photo that is chosen to its verdict, and of that until it is sent and until the server answers."""

    whole: float
    sent: float
    answered: float
    cpu: float


def upload(browser: Browser, address: str, pid: int, photo: bytes) -> Upload:
    """One user chooses a photo."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, user_agent=PHONE
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    sent: list[tuple[float, int]] = []
    heard: list[tuple[float, int]] = []

    def follow(socket: Any) -> None:
        socket.on("framesent", lambda data: sent.append((time.time(), len(data))))
        socket.on("framereceived", lambda data: heard.append((time.time(), len(data))))

    page.on("websocket", follow)
    try:
        page.goto(address, timeout=WAIT)
        page.get_by_role("heading", name="Could I have won?").wait_for()
        page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()
        rest(pid)
        chooser = page.get_by_label("Choose photo", exact=True).first
        chooser.evaluate(CHOSEN)
        sent.clear()
        heard.clear()
        before = load(pid)[1]
        chooser.set_input_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo})
        page.wait_for_function("() => window.verdictAt")
        chosen, verdict = page.evaluate("() => [window.chosenAt / 1000, window.verdictAt / 1000]")
        cpu = load(pid)[1] - before
    finally:
        context.close()
    large = next(at for at, size in sent if size > 50_000)
    answers = [at for at, size in heard if large < at <= verdict]
    return Upload(verdict - chosen, large - chosen, max(answers, default=verdict) - chosen, cpu)


def enlarged(path: Path) -> bytes:
    """A sample photo with twelve megapixels."""
    file = io.BytesIO()
    with Image.open(path) as photo:
        photo.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS).save(file, "JPEG", quality=92)
    return file.getvalue()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.upload", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="times that each photo is given (2)")
    parser.add_argument("--photos", nargs="*", help="names of sample photos; all by default")
    args = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    photos = [path for path in SAMPLES if not args.photos or path.stem in args.photos]
    log = Path(tempfile.gettempdir()) / "upload-bench.log"
    times: list[Upload] = []
    with served(log) as address, chromium() as browser:
        pid = server_pid(address)
        for path in photos:
            data = enlarged(path)
            for _ in range(args.rounds):
                found = upload(browser, address, pid, data)
                times.append(found)
                print(
                    f"{path.stem}: verdict after {found.whole:.2f} s; sent after {found.sent:.2f} s, answered after"
                    f" {found.answered:.2f} s; server and workers {found.cpu:.2f} s of CPU"
                )
    whole = [found.whole for found in times]
    parts = [
        statistics.median(found.sent for found in times),
        statistics.median(found.answered - found.sent for found in times),
        statistics.median(found.whole - found.answered for found in times),
    ]
    median = statistics.median(whole)
    print(f"photo chosen to verdict, {len(times)} times: median {median:.2f} s, worst {max(whole):.2f} s")
    print("of that, medians: browser until sent {:.2f} s, server {:.2f} s, browser draws {:.2f} s".format(*parts))


if __name__ == "__main__":
    main()
