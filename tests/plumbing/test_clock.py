from __future__ import annotations

import time

from numba import njit

from plumbing.clock import Clock


def test_the_clock_stands_still_while_a_kernel_is_compiled() -> None:
    @njit
    def squares(n: int) -> int:
        total = 0
        for k in range(n):
            total += k * k
        return total

    started, clock = time.perf_counter(), Clock()
    assert squares(4) == 14
    assert clock.seconds < 0.5 * (time.perf_counter() - started)
    before = clock.seconds
    time.sleep(0.01)
    assert clock.seconds - before >= 0.01
