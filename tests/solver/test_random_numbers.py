"""The generator against published numbers, and its uniformity."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from numba import njit

from solver.numeric.random_numbers import below, next_u64, seeded, uniform

_GAMMA = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1


def twin(seed: int, count: int) -> list[int]:
    """xoshiro256++ after SplitMix64 in plain integers, as the authors' reference describes it."""

    def mixed(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        return z ^ z >> 31

    def rotated(x: int, k: int) -> int:
        return (x << k | x >> 64 - k) & _MASK

    s = [mixed(seed + k * _GAMMA & _MASK) for k in (1, 2, 3, 4)]
    numbers = []
    for _ in range(count):
        numbers.append((rotated(s[0] + s[3] & _MASK, 23) + s[0]) & _MASK)
        t = s[1] << 17 & _MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
    return numbers


@njit
def stream(seed: np.uint64, count: int) -> npt.NDArray[np.uint64]:
    numbers, state = np.empty(count, np.uint64), seeded(seed)
    for i in range(count):
        numbers[i], state = next_u64(state)
    return numbers


@njit
def counts_below(n: np.uint64, seed: np.uint64, draws: int) -> npt.NDArray[np.int64]:
    counts, state = np.zeros(n, np.int64), seeded(seed)
    for _ in range(draws):
        number, state = below(n, state)
        counts[number] += 1
    return counts


@njit
def shares(seed: np.uint64, draws: int) -> npt.NDArray[np.float64]:
    numbers, state = np.empty(draws), seeded(seed)
    for i in range(draws):
        numbers[i], state = uniform(state)
    return numbers


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**64 - 1])
def test_stream_equals_the_reference(seed: int) -> None:
    assert stream(np.uint64(seed), 50).tolist() == twin(seed, 50)


def test_published_first_numbers_of_seed_0() -> None:
    # rand_xoshiro's Xoshiro256PlusPlus::seed_from_u64(0)
    assert twin(0, 2) == [5987356902031041503, 7051070477665621255]


def test_below_is_uniform_and_in_range() -> None:
    n, draws = 7, 1_000_000
    counts = counts_below(np.uint64(n), np.uint64(3), draws)
    expected = draws / n
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi-square, 6 degrees of freedom, p = 0.001


def test_uniform_is_the_stream_between_0_and_1() -> None:
    numbers = shares(np.uint64(5), 50)
    assert numbers.tolist() == [((number >> 11) + 0.5) / 2**53 for number in twin(5, 50)]
    assert numbers.min() > 0
    assert numbers.max() < 1
