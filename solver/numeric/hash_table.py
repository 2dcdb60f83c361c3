"""The hash table of the kernels: which slot of an array holds a key.

Open addressing with linear probing: a key belongs into the slot that its hash names, its home, or into the next one
that is free. Nothing is ever taken out. Arrays are as long as a power of two, and at least one slot must be free; those
who fill them make them larger in time. There are three kinds: an array of keys; two arrays for keys of two words; and
an array of numbers, each of which names a key in a list.

Worked example. Of eight slots 2 is the home of both 2 and 7, so 7 goes into the slot behind:

    >>> from solver.numeric.jit import interpreted
    >>> keys = np.zeros(8, np.int64)
    >>> for key in (2, 7): keys[interpreted(slot_of)(keys, key, 0)] = key
    >>> keys.tolist(), interpreted(home_of)(2, 7), interpreted(home_of)(7, 7)
    ([0, 0, 2, 7, 0, 0, 0, 0], 2, 2)
"""

from __future__ import annotations

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int, Ints

_HALF, _LESS = np.uint64(32), np.uint64(29)
_ODD, _ODD_2, _ODD_3 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9))
"""Shifts and factors of a hash."""


@kernel(inline=True, makes_arrays=False)
def home_of(key: Int, mask: Int) -> Int:
    """The slot where a key belongs, if it is free; `mask` is the number of slots - 1."""
    mixed = np.uint64(key)
    return int(((mixed ^ (mixed >> _HALF)) * _ODD) >> _HALF) & mask


@kernel(inline=True, makes_arrays=False)
def slot_of(keys: Array, key: Int, free: Int) -> Int:
    """The slot that holds a key, or the free one where it belongs; free slots hold `free`, which is no key."""
    mask = len(keys) - 1
    slot = home_of(key, mask)
    while keys[slot] != key and keys[slot] != free:
        slot = (slot + 1) & mask
    return slot


@kernel(inline=True, makes_arrays=False)
def home_of_pair(one: Int, two: Int, mask: Int) -> Int:
    """The slot where a key of two words belongs, if it is free."""
    mixed = (np.uint64(one) ^ (np.uint64(two) * _ODD_2)) * _ODD
    return int(((mixed ^ (mixed >> _LESS)) * _ODD_3) >> _HALF) & mask


@kernel(inline=True, makes_arrays=False)
def slot_of_pair(ones: Array, twos: Array, one: Int, two: Int) -> Int:
    """Like `slot_of` for keys of two words, the first of which is never 0: that stands for a free slot."""
    mask = len(ones) - 1
    slot = home_of_pair(one, two, mask)
    while ones[slot] != 0 and (ones[slot] != one or twos[slot] != two):
        slot = (slot + 1) & mask
    return slot


@kernel(inline=True, makes_arrays=False)
def slot_of_number(numbers: Ints, keys: Array, key: Int) -> Int:
    """The slot that holds the number of a key in `keys`, or the free one, -1, where it belongs."""
    mask = len(numbers) - 1
    slot = home_of(key, mask)
    while numbers[slot] >= 0 and keys[numbers[slot]] != key:
        slot = (slot + 1) & mask
    return slot


@kernel()
def grown_numbers(numbers: Ints, keys: Array) -> Ints:
    """The numbers of keys in four times as many slots."""
    larger = np.full(4 * len(numbers), -1, dtype=np.int64)
    for number in numbers:
        if number >= 0:
            larger[slot_of_number(larger, keys, keys[number])] = number
    return larger
