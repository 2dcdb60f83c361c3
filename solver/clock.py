"""The clock of a search's time limit."""

from __future__ import annotations

import time
from typing import Any, Final

from numba.core import event

_EVENTS: Final[Any] = event  # not annotated
_COMPILING: Final = _EVENTS.TimingListener()
_EVENTS.register("numba:compiler_lock", _COMPILING)  # held while a kernel is compiled or loaded


def _compiled() -> float:
    return float(_COMPILING.duration) if _COMPILING.done else 0.0


class Clock:
    """Seconds since it was made, but for those in which kernels were compiled, or loaded from the cache.

    A limit is one on searching: the first search after an installation would else end before it has begun.
    """

    def __init__(self) -> None:
        self._began = time.perf_counter() - _compiled()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - _compiled() - self._began
