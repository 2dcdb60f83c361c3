"""What the compiled one-deck game is made of: the table in bits, the piles, shuffling and hidden cards.

Suits never matter, so a card is one bit: rank r is `1 << 4 * r`. A sum of such bits counts cards by rank, four bits a
rank. Worked example, one six and two sevens:

    >>> hex(int(SIX) + 2 * int(SEVEN))
    '0x21000000'
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.numeric.jit import kernel
from solver.numeric.random_numbers import State, below, next_u64, seeded

Bits = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

_0, _1, _2, _3, _4, _16 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 16))
_LOW: Final = np.uint64(0x1111111111111111)
SIX: Final = np.uint64(1 << 24)
SEVEN: Final = np.uint64(1 << 28)
_KINGS: Final = np.uint64(4 << 52)
FULL: Final = 24
"""Cards that the centre takes."""
NEED: Final = np.array([0 if n == FULL else 1 << 4 * (6 - n % 6) for n in range(FULL + 1)], np.uint64)
"""The card that a centre of so many cards takes next."""

_DECK: Final = np.uint64(52)
_MASK: Final = np.uint64((1 << 16) - 1)


class KernelTable(NamedTuple):
    """What lies on the table but for the discard pile.

    Attributes:
        tops: How many corners show each rank; an empty corner shows a 6 (it takes a 7).
        centre: Cards in the centre, 0 to 24.
        spare: Cards in the spares and in the spare-six pile, counted by rank.
        free: Empty spares; a 6 takes none.
    """

    tops: np.uint64
    centre: int
    spare: np.uint64
    free: int


START: Final = KernelTable(np.uint64(4 << 24), 0, np.uint64(0), 4)
"""The table before the first card is drawn."""


class Piles(NamedTuple):
    """The piles of a position, and what is known of its hidden cards.

    Attributes:
        deck: The cards in the order of drawing, 0 for a hidden one, and a 0 behind them.
        stack: The discard pile from bottom to top in stack[1 : height + 1], 0 for a hidden card; stack[0] is 0; (54,).
        height: Cards in the discard pile.
        pool: The hidden cards, those that are neither 6 nor 7 first.
        ordinary: How many those are.
        spares: How many hidden cards lie in spares; there and in the discard pile is neither 6 nor 7.
    """

    deck: Bits
    stack: Bits
    height: int
    pool: Bits
    ordinary: int
    spares: int


@kernel(inline=True)
def present(counts: np.uint64) -> np.uint64:
    """One bit for each rank of which there is a card."""
    return (counts | (counts >> _1) | (counts >> _2)) & _LOW


@kernel(inline=True)
def wanted(tops: np.uint64, centre: int) -> np.uint64:
    """The ranks that corners and centre take now."""
    need: np.uint64 = NEED[centre]
    return (present(tops) << _4) | need


@kernel(inline=True)
def is_won(tops: np.uint64, centre: int | np.int64) -> bool:
    """Whether corners and centre are complete."""
    return centre == FULL and tops == _KINGS


@kernel()
def shuffle(deck: Bits, state: State) -> State:
    """Shuffles the first 52 entries; returns the generator's next state.

    Four places come from one random number, 16 bits each; a number with bits that would favour some places is thrown
    away whole: every order is exactly as likely as any other (Fisher-Yates, with Lemire's rejection).
    """
    place, n = _0, _DECK
    for _ in range(13):
        while True:
            bits, state = next_u64(state)
            m0 = (bits & _MASK) * n
            m1 = ((bits >> _16) & _MASK) * (n - _1)
            m2 = ((bits >> (_16 + _16)) & _MASK) * (n - _2)
            m3 = (bits >> (_16 + _16 + _16)) * (n - _3)
            if min(min(m0 & _MASK, m1 & _MASK), min(m2 & _MASK, m3 & _MASK)) >= n:
                break
            words = _MASK + _1  # as many values as 16 bits have; what is left over would favour some places
            fair = (m0 & _MASK) >= words % n
            fair &= (m1 & _MASK) >= words % (n - _1)
            fair &= (m2 & _MASK) >= words % (n - _2)
            if fair and (m3 & _MASK) >= words % (n - _3):
                break
        others = place + (m0 >> _16), place + _1 + (m1 >> _16), place + _2 + (m2 >> _16), place + _3 + (m3 >> _16)
        for other in others:
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
            place += _1
        n -= _4
    return state


@kernel()
def shuffled_indices(seed: np.uint64) -> Bits:
    """The card indices of the first deal of a stream: the same cards as the first game that is played with it."""
    cards = np.arange(53).astype(np.uint64)
    shuffle(cards, seeded(seed))
    return cards[:52]


@kernel()
def new_deck() -> Bits:
    """52 cards in the order of `solver.cards.DECK`, and a 0 behind them."""
    deck = np.zeros(53, np.uint64)
    for i in range(52):
        deck[i] = _1 << np.uint64(4 * (i % 13 + 1))
    return deck


@kernel()
def complete(piles: Piles, out_deck: Bits, out_stack: Bits, state: State) -> tuple[np.uint64, State]:
    """Puts the hidden cards somewhere, every way as likely as any other.

    Args:
        piles: The piles with the hidden cards.
        out_deck: Takes the deck; as large as that of the piles.
        out_stack: Takes the discard pile.
        state: Of the generator.

    Returns:
        The hidden spares' cards, and the generator's next state.
    """
    cards = piles.pool.copy()
    used = 0
    spares = _0
    for k in range(piles.spares + piles.height):
        if k >= piles.spares:
            place = k - piles.spares + 1
            out_stack[place] = piles.stack[place]
            if piles.stack[place] != _0:
                continue
        other, state = below(np.uint64(piles.ordinary - used), state)
        chosen = used + np.int64(other)
        card = cards[chosen]
        cards[chosen] = cards[used]
        used += 1
        if k < piles.spares:
            spares += card
        else:
            out_stack[k - piles.spares + 1] = card
    for i in range(piles.deck.size - 1):
        out_deck[i] = piles.deck[i]
        if piles.deck[i] == _0:
            other, state = below(np.uint64(cards.size - used), state)
            chosen = used + np.int64(other)
            out_deck[i] = cards[chosen]
            cards[chosen] = cards[used]
            used += 1
    return spares, state
