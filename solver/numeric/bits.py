"""Single processor instructions on bitsets, for compiled kernels."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from solver.numeric.load_numba import load_numba

_numba: Final = load_numba()


def _instruction(name: str, *operands: Any) -> Any:
    """An instruction on int64 by LLVM's name, with further operands."""

    def declare(_context: Any, _value: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], *operands)

        return _numba.types.int64(_numba.types.int64), generate

    return _numba.extending.intrinsic(declare)


_NEVER_ZERO: Final = ir.Constant(ir.IntType(1), 1)

trailing_zeros: Final[Any] = _instruction("cttz", _NEVER_ZERO)
"""Index of the lowest set bit of a value that is not zero."""
leading_zeros: Final[Any] = _instruction("ctlz", _NEVER_ZERO)
"""How many bits lie above the highest set bit of a value that is not zero."""
popcount: Final[Any] = _instruction("ctpop")
"""How many bits are set."""
