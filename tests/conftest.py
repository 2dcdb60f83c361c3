"""What all tests share."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")
"""Hypothesis tries the same examples on every machine, however slow; `--hypothesis-profile default` tries others."""
COMPILING = ("tests/solver/", "tests/plumbing/", "tests/test_", "solver/")
"""Where tests compile the kernels of the game that their path, or else their name, tells."""
GAMES = ("makiaveli", "klondike", "tomb_single", "tomb_double", "baccarat")


@pytest.hookimpl(tryfirst=True)  # pytest-xdist looks for groups in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives the tests of one game's solver to one worker, so that its kernels are compiled once."""
    for item in items:
        if item.nodeid.startswith(COMPILING) and item.get_closest_marker("xdist_group") is None:
            path, _, name = item.nodeid.partition("::")
            told = (part.replace("/", "_").replace("-", "_") for part in (path, name))
            game = next((game for part in told for game in GAMES if game in part), None)
            if game is not None:
                item.add_marker(pytest.mark.xdist_group(game))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says in a line each what was skipped and why, and how often."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reasons[str(report.longrepr[-1]).removeprefix("Skipped: ")] += 1
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")
