"""The live camera in a browser: a module of its own, for its browser has a camera."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

import pytest

from tests.webapp.actions import SAMPLE, WAIT, opened, start, verdict
from tests.webapp.browser import CHROMIUM, LIMIT_S, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera stands still over a table."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    film = tmp_path_factory.mktemp("camera") / "camera.mjpeg"
    film.write_bytes(SAMPLE.read_bytes())
    with chromium(film, seconds=LIMIT_S) as browser:
        yield browser


@pytest.fixture
def go() -> Iterator[Path]:
    """What says, once it is there, that the camera has seen everything."""
    path = Path(gettempdir(), f"go-live-{os.getpid()}")
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


def test_a_live_film_says_where_to_go_and_ends_by_itself(browser: Browser, made: str, go: Path) -> None:
    with opened(browser, made) as page:
        start(page)
        page.get_by_role("button", name="Film live").click()
        page.get_by_text("Go on to the right").wait_for()
        assert page.get_by_text("1 card, 0 of them seen twice").is_visible()
        assert page.locator(".live polygon").count() == 1
        go.touch()
        assert "No, you could not have won" in verdict(page)
        assert page.locator(".frame img").count() == 1
        assert page.locator("video").count() == 0


def test_a_live_film_ends_when_it_is_said_to(browser: Browser, made: str, go: Path) -> None:
    with opened(browser, made) as page:
        start(page)
        page.get_by_role("button", name="Film live").click()
        page.get_by_text("Go on to the right").wait_for()
        page.get_by_role("button", name="Done").click()
        assert "No, you could not have won" in verdict(page)


def test_a_camera_that_may_not_be_used_is_one_clear_sentence(browser: Browser, made: str) -> None:
    with opened(browser, made) as page:
        start(page)
        page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('no')); }")
        page.get_by_role("button", name="Film live").click(timeout=WAIT)
        page.get_by_text("The camera cannot be used. Allow it in your browser, or choose a film.").wait_for()
