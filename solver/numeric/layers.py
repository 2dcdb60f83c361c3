"""A small network of whole numbers in the processor's vector instructions, for compiled kernels.

LLVM makes vectors of a loop over arrays only where it is sure that they do not overlap. Of layers that are arguments it
never is, so it multiplied number by number, which took far longer. Here it is told of vectors, and sums stay
in registers. Whole numbers give the same results on every processor.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils as untyped_tools
from numba.extending import intrinsic

cgutils: Final[Any] = untyped_tools
_SHORT, _INT, _LONG = (ir.IntType(bits) for bits in (16, 32, 64))
FRACTION: Final = 8
"""Binary digits behind the point of each weight, and of what the last hidden layer gives."""


def whole_network(width: int, width2: int) -> Any:
    """The instructions `value(first, second, last, rows, count)` of a network with two hidden layers.

    The layers are (all rows + 1, `width`) int16, (`width` + 1, `width2`) int32 and (`width2` + 1) int32, each with its
    biases behind the others. `rows` (int64) names `count` rows of the first layer; their sums must stay within 16 bits.
    In both hidden layers what is negative becomes 0. Of the result 1024 stands for 1.
    """

    def declare(_context: Any, first: Any, second: Any, last: Any, rows: Any, count: Any) -> Any:
        kinds = first, second, last, rows

        def generate(context: Any, builder: ir.IRBuilder, _: Any, args: Any) -> Any:
            arrays = [context.make_array(kind)(context, builder, args[at]) for at, kind in enumerate(kinds)]
            all_rows = cgutils.unpack_tuple(builder, arrays[0].shape)[0]
            layers = [array.data for array in arrays[:3]]
            sums = _sum_rows(builder, layers[0], arrays[3].data, args[4], all_rows, width)
            sums = _second_layer(builder, layers[1], _positive(builder, sums), width, width2)
            return _last_layer(builder, layers[2], _positive(builder, sums), width2)

        return types.int64(*kinds, count), generate

    return intrinsic(declare)


def _sum_rows(builder: ir.IRBuilder, table: Any, rows: Any, count: Any, all_rows: Any, width: int) -> Any:
    """The sum of `count` rows of a table, and of its last one."""
    biases = _row(builder, table, builder.sub(all_rows, _LONG(1)), _SHORT, width)
    sums = cgutils.alloca_once_value(builder, biases)
    with cgutils.for_range(builder, count) as loop:
        row = builder.load(builder.gep(rows, [loop.index]))
        builder.store(builder.add(builder.load(sums), _row(builder, table, row, _SHORT, width)), sums)
    return builder.load(sums)


def _second_layer(builder: ir.IRBuilder, table: Any, below: Any, width: int, width2: int) -> Any:
    """What the second layer makes of the first, unit by unit of the first."""
    vector = ir.VectorType(_INT, width2)
    below = builder.sext(below, ir.VectorType(_INT, width))
    sums = builder.shl(_row(builder, table, _LONG(width), _INT, width2), _alike(vector, FRACTION))
    for unit in range(width):
        everywhere = builder.shuffle_vector(below, below, _alike(vector, unit))
        sums = builder.add(sums, builder.mul(everywhere, _row(builder, table, _LONG(unit), _INT, width2)))
    return builder.ashr(sums, _alike(vector, FRACTION))


def _last_layer(builder: ir.IRBuilder, table: Any, below: Any, width2: int) -> Any:
    """What the last unit makes of the second layer."""
    vector = ir.VectorType(_LONG, width2)
    weights = builder.sext(_row(builder, table, _LONG(0), _INT, width2), vector)
    products = builder.mul(builder.sext(below, vector), weights)
    add_up = ir.FunctionType(_LONG, [vector])
    add_up = cgutils.get_or_insert_function(builder.module, add_up, f"llvm.vector.reduce.add.v{width2}i64")
    bias = builder.sext(builder.load(builder.gep(table, [_LONG(width2)])), _LONG)
    total = builder.add(builder.call(add_up, [products]), builder.shl(bias, _LONG(FRACTION)))
    return builder.ashr(total, _LONG(FRACTION - 2))


def _row(builder: ir.IRBuilder, table: Any, row: Any, kind: ir.IntType, width: int) -> Any:
    """A row of a table as a vector."""
    vector = ir.VectorType(kind, width)
    start = builder.gep(table, [builder.mul(row, _LONG(width))])
    return builder.load(builder.bitcast(start, vector.as_pointer()), align=kind.width // 8)


def _positive(builder: ir.IRBuilder, vector: Any) -> Any:
    """The vector with 0 for what is negative."""
    zero = _alike(vector.type, 0)
    return builder.select(builder.icmp_signed(">", vector, zero), vector, zero)


def _alike(vector: ir.VectorType, number: int) -> ir.Constant:
    """A vector of one number."""
    return ir.Constant(vector, [number] * vector.count)
