"""The page in a real browser: starts the server on a free loopback port and drives Debian's Chromium."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 1800.0
"""After which tests that still wait for the browser have failed."""
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def served(log: Path, *options: str, script: str = "webapp/server.py") -> Iterator[str]:
    """The page's address while its server runs; what the server prints goes to `log`."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", "--server.fileWatcherType=none", *options]
    with log.open("w", encoding="utf-8") as out:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env=environment)
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


def wait_for(address: str, process: subprocess.Popen[bytes], seconds: float = 600) -> None:
    """Waits until the server answers."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError("the server ended before it answered")
        try:
            with urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"{address} did not answer within {seconds:g} s")


@contextmanager
def chromium(camera: Path | None = None, seconds: float | None = None) -> Iterator[Browser]:
    """A headless browser.

    Args:
        camera: A file of JPEGs (`.mjpeg`) that its camera sees; without one it has no camera.
        seconds: After so long it is ended, and whoever waits for it meets a TimeoutError: Playwright waits for a page's
            script without an end.
    """
    from playwright.sync_api import Error, sync_playwright

    ended = threading.Event()

    def end() -> None:
        ended.set()
        for process in processes("run-driver", of=os.getpid()):  # Playwright's own; its browser goes with it
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)

    args = ["--no-sandbox", "--disable-gpu"]
    if camera is not None:
        args += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        args.append(f"--use-file-for-fake-video-capture={camera}")
    watchdog = threading.Timer(seconds or 0.0, end)
    with sync_playwright() as playwright:
        if seconds is not None:
            watchdog.start()
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
            try:
                yield browser
            finally:
                watchdog.cancel()
                with suppress(Error):
                    browser.close()
        except Error as error:
            if ended.is_set():
                raise TimeoutError(f"the browser was ended: it was not done within {seconds:g} s") from error
            raise


def processes(word: str, of: int | None = None) -> list[int]:
    """The processes whose command line holds a word; those that a process has started, or all."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if of in (None, parent) and word.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found
