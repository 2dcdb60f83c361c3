"""How a kernel is declared: a function that Python runs as it stands until there is enough work to compile it for.

    @kernel()
    def add_up(array): ...

To call a kernel compiles it, or loads what was compiled before; Numba is not imported before that. Numba takes half a
minute to compile a large kernel, once, and half a second to load it again. A single table asks for a few hundred
states, which the same source visits in some milliseconds as plain Python. So a caller may first run a kernel
`interpreted`, with a bound on its work, and call it as it is only where that was not enough:

    found = call_light(add_up, array, work=1)

Both ways give the same results, where a kernel is written so that numbers do not wrap around in NumPy's scalars (arrays
of uint8 are handed over as `as_int64`); hashes in uint64 may.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from plumbing.clock import paused_clocks

Function = TypeVar("Function", bound=Callable[..., Any])

_run = threading.local()
_making = threading.RLock()

INTERPRETED_WORK: Final = 10_000
"""States of a search that a process visits uncompiled in all. They take about a second; most tables need 1% of them."""
_work_left = INTERPRETED_WORK


class _Kernel:
    """A function that is replaced by its compiled form, for callers and for Numba, except while it is interpreted."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = options  # Numba reads here whether to inline it
        self.is_loaded = False

    def __call__(self, *args: Any) -> Any:
        if getattr(_run, "interpreted", False):
            return self.py_func(*args)
        self.is_loaded = True
        return self.compiled(*args)

    @cached_property
    def compiled(self) -> Any:
        """Numba's dispatcher, which compiles the function when it is first called, or loads it from its cache."""
        with _making, paused_clocks():
            if "compiled" not in self.__dict__:  # another thread may have been faster
                from solver.numeric.kernel_cache import compile_lazily

                self.__dict__["compiled"] = compile_lazily(self.py_func, self.targetoptions)
            return self.__dict__["compiled"]

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes the function for, when another kernel calls it."""
        return self.compiled._numba_type_


def kernel(*, inline: bool = False, nogil: bool = False, makes_arrays: bool = True) -> Callable[[Function], Function]:
    """Declares a kernel. What is compiled is kept on disk.

    Args:
        inline: Whether Numba copies it into the kernels that call it. LLVM does so with what is small by itself; where
            Numba does it beforehand, each copy is compiled on its own.
        nogil: Whether other threads of Python may run meanwhile.
        makes_arrays: Whether it, or one that it calls, makes an array. Only then Numba's run time is needed, which
            counts how often each array is referred to, in the innermost loops too; that can take a third of the time.
    """
    options: dict[str, Any] = {"forceinline": True} if inline else {}
    options |= {"nogil": True} if nogil else {}
    options |= {} if makes_arrays else {"_nrt": False}

    def declare(function: Function) -> Function:
        return cast(Function, _Kernel(function, options))

    return declare


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether a kernel has been called as compiled in this process: then to interpret it would save nothing."""
    return not isinstance(function, _Kernel) or function.is_loaded


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel as plain Python runs it, with all the kernels that it calls."""

    def run(*args: Any) -> Any:
        before = getattr(_run, "interpreted", False)
        _run.interpreted = True
        try:
            with np.errstate(over="ignore"):  # hashes wrap around
                return _native(function(*args))
        finally:
            _run.interpreted = before

    return run


def _native(value: Any) -> Any:
    """What a compiled kernel would give: Python's numbers where plain Python computed with NumPy's."""
    if isinstance(value, tuple):
        return tuple(map(_native, value))
    return value.item() if isinstance(value, np.generic) else value


def as_int64(array: NDArray[Any]) -> NDArray[np.int64]:
    """Counts as interpreted kernels need them: with scalars of uint8 NumPy's results would overflow."""
    return array.astype(np.int64)


def work_left() -> int:
    """States of a search that this process may still visit uncompiled."""
    return _work_left


def spend(work: int) -> None:
    """Subtracts from `work_left`."""
    global _work_left
    _work_left = max(0, _work_left - work)


def compile_at_once() -> None:
    """Compiles all kernels when they are first called. Call it before much work, or before measuring."""
    spend(INTERPRETED_WORK)


def call_light(function: Any, *args: Any, work: int) -> Any:
    """Calls a kernel that takes little work: interpreted while there is work left for that, and then compiled."""
    if is_compiled(function) or work_left() < work:
        return function(*args)
    spend(work)
    with paused_clocks():
        return interpreted(function)(*args)
