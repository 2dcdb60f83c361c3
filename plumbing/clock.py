"""The clock for a search's time limit. It pauses while kernels are compiled or loaded."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.RLock()
_stood = 0.0
_depth = 0
_since = 0.0
_is_listening = False
_is_telling = False


def _stop() -> None:
    global _depth, _since
    with _lock:
        if _depth == 0:
            _since = time.perf_counter()
        _depth += 1


def _go_on() -> None:
    global _depth, _stood
    with _lock:
        _depth -= 1
        if _depth == 0:
            _stood += time.perf_counter() - _since


@contextmanager
def paused_clocks() -> Iterator[None]:
    """Pauses all clocks, for work that is done once in a process and is not part of a search."""
    _stop()
    try:
        yield
    finally:
        _go_on()
        _listen()


def announce_compiling() -> None:
    """Prints a line on stderr when a kernel is compiled for the first time, so that commands do not seem to hang."""
    global _is_telling
    _is_telling = True


def _listen() -> None:
    """Listens to Numba, once it is imported, for the compiling and loading of kernels."""
    global _is_listening
    if "numba.core.event" not in sys.modules:
        return
    with _lock:
        if _is_listening:
            return
        _is_listening = True
    event: Any = sys.modules["numba.core.event"]

    class Waiting(event.Listener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            _stop()

        def on_end(self, _: Any) -> None:
            _go_on()

    class Compiling(event.Listener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            global _is_telling
            if _is_telling:
                _is_telling = False
                print("compiling the solver for this machine; it is kept, so this happens once", file=sys.stderr)

        def on_end(self, _: Any) -> None:
            pass

    event.register("numba:compiler_lock", Waiting())  # held while a kernel is compiled or loaded
    event.register("numba:compile", Compiling())


class Clock:
    """Seconds since it was made, without those in which kernels were compiled or loaded.

    A time limit bounds the search. Without this the first search after an installation would end before it has begun.
    Uncompiled searching, which `numeric.jit` does before it is known that compiled kernels are needed, is not counted
    either.
    """

    def __init__(self) -> None:
        _listen()
        self._began = time.perf_counter() - self._idle()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        with _lock:
            return time.perf_counter() - self._idle() - self._began

    @staticmethod
    def _idle() -> float:
        with _lock:
            return _stood + (time.perf_counter() - _since if _depth else 0.0)
