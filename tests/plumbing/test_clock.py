from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from numba import njit
from numba.core import event

from plumbing import clock
from plumbing.clock import Clock


class Passing(event.Listener):  # type: ignore[misc]
    """Lets a minute pass while a kernel is compiled."""

    minutes = 0

    def on_start(self, _: Any) -> None:
        self.minutes += 1

    def on_end(self, _: Any) -> None:
        pass


def test_the_clock_stands_still_while_a_kernel_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    passing, seconds = Passing(), 0.0
    monkeypatch.setattr(clock, "time", SimpleNamespace(perf_counter=lambda: seconds + 60.0 * passing.minutes))

    @njit
    def squares(n: int) -> int:
        total = 0
        for k in range(n):
            total += k * k
        return total

    running = Clock()
    with event.install_listener("numba:compile", passing):
        assert squares(4) == 14
    assert passing.minutes > 0
    assert running.seconds == 0
    seconds += 2
    assert running.seconds == 2
