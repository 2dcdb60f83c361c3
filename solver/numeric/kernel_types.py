"""Types of the arguments and results of kernels, for the reader and mypy. Numba ignores them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Int: TypeAlias = Any
"""A number or truth value: Python's outside a kernel, NumPy's inside."""
Array: TypeAlias = npt.NDArray[Any]
"""Numbers of the type that the kernel's docstring names; counts are uint8 compiled and int64 interpreted."""
Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Words = npt.NDArray[np.uint64]
