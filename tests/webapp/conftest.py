"""What tests of the page share: its server, and a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.own_fonts import own_fonts
from tests.webapp.browser import CHROMIUM, LIMIT_S, chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["own_fonts"]


def own_lines(log: str) -> Iterator[str]:
    """The lines of tracebacks that name files of ours.

    A tab that closes just while it is written to leaves a traceback of the web server's own.
    """
    return (line for line in log.splitlines() if re.search(r'File "(?!.*site-packages).*\b(webapp|tests)/', line))


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, whose server starts for the first test that opens it."""
    log = tmp_path_factory.mktemp("page") / "server.log"
    with served(log) as address:
        yield address
    text = log.read_text(encoding="utf-8")
    assert not list(own_lines(text))
    assert "passed over" not in text, "an event of our own was not understood"


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page with readings made by hand."""
    log = tmp_path_factory.mktemp("made") / "server.log"
    with served(log, script="tests/webapp/readings_app.py") as address:
        yield address
    assert not list(own_lines(log.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")  # Playwright runs once in a process at a time, and test_chromium.py starts it too
def browser() -> Iterator[Browser]:
    """A headless browser, where there is one on this machine."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine (Debian: apt-get install chromium)")
    with chromium(seconds=LIMIT_S) as browser:
        yield browser
