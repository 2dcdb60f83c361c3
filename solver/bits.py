"""Single processor instructions on bitsets, for compiled kernels."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _count_trailing_zeros(_context: Any, _value: Any) -> Any:
    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


def _count_leading_zeros(_context: Any, _value: Any) -> Any:
    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


def _count_ones(_context: Any, _value: Any) -> Any:
    def codegen(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


trailing_zeros: Final[Any] = intrinsic(_count_trailing_zeros)
"""Index of the lowest set bit of a value that is not zero."""
leading_zeros: Final[Any] = intrinsic(_count_leading_zeros)
"""How many bits lie above the highest set bit of a value that is not zero."""
popcount: Final[Any] = intrinsic(_count_ones)
"""How many bits are set."""
