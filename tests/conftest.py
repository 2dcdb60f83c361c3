"""What all tests share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent
GAMES = ("makiaveli", "klondike", "single", "double", "baccarat")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Gives the tests of one game's solver to one worker, so that its kernels are compiled once."""
    for item in items:
        parts = item.path.relative_to(ROOT).parts if item.path.is_relative_to(ROOT) else item.path.parts
        game = next((game for game in GAMES if game in parts), None)
        if "solver" in parts and game is not None:
            item.add_marker(pytest.mark.xdist_group(game))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Says in a line each what was skipped and why, and how often."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reasons[str(report.longrepr[-1]).removeprefix("Skipped: ")] += 1
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")
