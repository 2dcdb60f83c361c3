"""The browser that tests drive. A module of its own: Playwright runs once in a process at a time."""

from __future__ import annotations

import pytest

from tests.webapp.browser import CHROMIUM, chromium

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine (Debian: apt-get install chromium)")
def test_a_browser_that_never_answers_is_a_failure() -> None:
    with pytest.raises(TimeoutError, match="not done within 2 s"), chromium(seconds=2) as browser:
        browser.new_page().evaluate("() => new Promise(() => {})")
