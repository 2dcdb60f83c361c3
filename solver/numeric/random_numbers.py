"""Random numbers for compiled kernels: the same stream on every machine, whatever the number of cores.

xoshiro256++ seeded through SplitMix64, as its authors recommend. Source: D. Blackman and S. Vigna, "Scrambled linear
pseudorandom number generators", 2021 (https://prng.di.unimi.it). The state is four uint64 held in a tuple, which a
kernel keeps in registers:

    state = seeded(seed)
    number, state = next_u64(state)
    place, state = below(n, state)
    share, state = uniform(state)
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np

from solver.numeric.jit import kernel

State: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)
_LOW_32: Final = np.uint64(0xFFFFFFFF)
_U11, _U17, _U19, _U23, _U27, _U30, _U31, _U32, _U41, _U45 = (
    np.uint64(n) for n in (11, 17, 19, 23, 27, 30, 31, 32, 41, 45)
)


@kernel(inline=True)
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31)


@kernel()
def seeded(seed: np.uint64) -> State:
    """The start state of the stream numbered `seed`."""
    a = seed + _GAMMA
    b = a + _GAMMA
    c = b + _GAMMA
    return _mix(a), _mix(b), _mix(c), _mix(c + _GAMMA)


@kernel(inline=True)
def next_u64(state: State) -> tuple[np.uint64, State]:
    """64 random bits, and the next state."""
    s0, s1, s2, s3 = state
    total = s0 + s3
    result = ((total << _U23) | (total >> _U41)) + s0
    t = s1 << _U17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << _U45) | (s3 >> _U19)
    return result, (s0, s1, s2, s3)


@kernel()
def uniform(state: State) -> tuple[float, State]:
    """A number between 0 and 1, both excluded, and the next state."""
    bits, state = next_u64(state)
    return (np.float64(bits >> _U11) + 0.5) * (1.0 / 9007199254740992.0), state


@kernel(inline=True)
def below(n: np.uint64, state: State) -> tuple[np.uint64, State]:
    """A number from 0 to n - 1 (n below 2^32), each exactly as likely, and the next state.

    Source: D. Lemire, "Fast random integer generation in an interval", 2019.
    """
    bits, state = next_u64(state)
    product = (bits >> _U32) * n
    if (product & _LOW_32) < n:
        threshold = ((_LOW_32 - n) + np.uint64(1)) % n
        while (product & _LOW_32) < threshold:
            bits, state = next_u64(state)
            product = (bits >> _U32) * n
    return product >> _U32, state
