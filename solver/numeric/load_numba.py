"""Numba, loaded without `coverage`.

Where that is installed, Numba loads it with forty modules, to tell it which lines are compiled: 25 ms in each process,
of use only while coverage is measured. Then it is there already, and Numba finds it.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any, Final

_COVERAGE: Final = "coverage"


def load_numba() -> Any:
    """The `numba` module."""
    hidden = _COVERAGE not in sys.modules
    if hidden:
        sys.modules[_COVERAGE] = None  # type: ignore[assignment]  # Python's way to say that there is no such module
    try:
        return importlib.import_module("numba")
    finally:
        if hidden:
            sys.modules.pop(_COVERAGE, None)
