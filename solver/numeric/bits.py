"""Single processor instructions on bitsets, for compiled kernels."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _instruction(name: str, *operands: Any) -> Any:
    """An instruction on int64 by LLVM's name, with further operands."""

    def declare(_context: Any, _value: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], *operands)

        return types.int64(types.int64), generate

    return intrinsic(declare)


_NEVER_ZERO: Final = ir.Constant(ir.IntType(1), 1)

trailing_zeros: Final[Any] = _instruction("cttz", _NEVER_ZERO)
"""Index of the lowest set bit of a value that is not zero."""
leading_zeros: Final[Any] = _instruction("ctlz", _NEVER_ZERO)
"""How many bits lie above the highest set bit of a value that is not zero."""
popcount: Final[Any] = _instruction("ctpop")
"""How many bits are set."""
