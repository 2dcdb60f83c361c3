"""Compiled forced games: every play that the rules allow is made, and the order never matters."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.numeric.bits import leading_zeros, trailing_zeros
from solver.numeric.jit import kernel
from solver.numeric.random_numbers import seeded
from solver.tomb_single.kernels import (
    FULL,
    NEED,
    SEVEN,
    SIX,
    START,
    Bits,
    Ints,
    KernelTable,
    Piles,
    complete,
    is_won,
    present,
    shuffle,
)

Octets = npt.NDArray[np.uint8]

_0, _1, _4, _15 = (np.uint64(n) for n in (0, 1, 4, 15))


@kernel()
def forced_game(deck: Bits, stack: Bits, height: int, table: KernelTable) -> bool:
    """Plays a forced game to its end; whether it is won.

    The deck has a 0 behind it; `stack`, the discard pile from index 1, needs room for all of it and is overwritten.

    What a play does is computed rather than branched on, as far as a processor could not predict it.
    """
    tops, centre, spare, free = table
    while free > 0 and height > 0:
        spare += stack[height]
        height -= 1
        free -= 1
    at, end, size, empty = _0, np.uint64(deck.size - 1), np.uint64(height), np.uint64(free)
    built = np.uint64(centre)
    need = tops << _4  # the corners' next cards, counted by rank
    want = present(need) | NEED[built]
    top = stack[size]  # 0 when the pile is empty
    while True:
        ready = (present(spare) | top) & want
        while ready != _0:
            card = ready & (~ready + _1)
            in_spare = (present(spare) & card) != _0
            # Wherever the card lay, the pile's top leaves the pile: it was played, or it fills the spare. Only a 6
            # leaves no spare empty.
            ordinary = np.uint64(card != SIX)
            refill = top if ordinary else _0
            spare += refill - card if in_spare else _0
            empty += np.uint64(in_spare & (size == _0)) & ordinary
            size -= np.uint64(size != _0) & ordinary
            top = stack[size]
            corner = card >= SEVEN
            need += (card << _4) - card if corner else _0
            built += np.uint64(not corner)
            want = present(need) | NEED[built]
            ready = (present(spare) | top) & want
        # Cards that nothing takes go to spares, then to the discard pile; the first one wanted is played.
        card = _0
        while at < end:
            drawn_card = deck[at]
            at += _1
            card = drawn_card & want
            if card != _0:
                break
            six = drawn_card == SIX
            if empty != _0:
                spare += drawn_card
                empty -= np.uint64(not six)
            else:
                spare += SIX if six else _0
                size += np.uint64(not six)
                stack[size] = top if six else drawn_card
                top = stack[size]
        if card == _0:
            return is_won(need >> _4, np.int64(built))
        corner = card >= SEVEN
        need += (card << _4) - card if corner else _0
        built += np.uint64(not corner)
        want = present(need) | NEED[built]


@kernel(nogil=True)
def forced_completions(piles: Piles, table: KernelTable, games: int, seed: np.uint64) -> int:
    """Wins among `games` forced games, each from a completion of its own of a position with hidden cards."""
    deck, stack = np.zeros_like(piles.deck), np.zeros_like(piles.stack)
    state, wins = seeded(seed), 0
    for _ in range(games):
        spares, state = complete(piles, deck, stack, state)
        completed = KernelTable(table.tops, table.centre, table.spare + spares, table.free)
        wins += forced_game(deck, stack, piles.height, completed)
    return wins


class _Game(NamedTuple):
    """A forced game from a whole deck, told in sets of places of the deck: bit i is the card drawn as number i.

    Attributes:
        rest: Cards not drawn.
        spare: Cards in spares.
        pile: Cards in the discard pile.
        top: Its top.
        sixes: Sixes not built.
        corners_take: Cards that corners take, of whatever whereabouts.
        centre_takes: Cards that the centre takes.
        need: The ranks that corners take, counted as in `KernelTable.tops`.
        built: Cards in the centre.
        empty: Empty spares.
        goes_on: Whether anything could still be played at the last step.
    """

    rest: np.uint64
    spare: np.uint64
    pile: np.uint64
    top: np.uint64
    sixes: np.uint64
    corners_take: np.uint64
    centre_takes: np.uint64
    need: np.uint64
    built: np.uint64
    empty: np.uint64
    goes_on: bool


_CENTRE_RANKS: Final = np.array([0 if n == FULL else 6 - n % 6 for n in range(FULL + 1)], np.uint8)
_TOP_BIT: Final = np.uint64(1 << 63)
_ALL: Final = np.uint64((1 << 52) - 1)
_SEVENS: Final = np.uint64(7)
_EMPTY_CORNERS: Final = START.tops << _4


@kernel(inline=True)
def _dealt(deck: Bits, ranks: Octets, places: Bits) -> _Game:
    """A new game; `deck` holds ranks. Fills the rank at each place, shape (64,), and the places of each rank, (16,)."""
    places[:14] = _0
    for i in range(52):
        ranks[i] = deck[i]
        places[deck[i]] |= _1 << np.uint64(i)
    return _Game(_ALL, _0, _0, _0, places[6], places[7], places[6], _EMPTY_CORNERS, _0, _4, True)


@kernel(inline=True)
def _next_build(ranks: Octets, places: Bits, game: _Game) -> _Game:
    """Goes on to the next card that is built: one that lies ready, or else the first of the deck that is wanted.

    What is drawn before it goes to empty spares and the discard pile all at once. Written without branches that a
    processor could not predict, so that two games can be played side by side.
    """
    rest, spare, pile, top, sixes, corners_take, centre_takes, need, built, empty, _ = game
    want = corners_take | centre_takes
    ready = (spare | top | (sixes & ~rest)) & want
    draws = ready == _0
    ready = (want & rest) if draws else ready
    card = ready & (~ready + _1)
    rank = np.uint64(ranks[trailing_zeros(card | _TOP_BIT)])  # 0 where the game is over
    drawn = (rest & (card | (card - _1))) if draws else _0
    kept = drawn & ~sixes & ~card
    sixes &= ~card
    rest &= ~drawn
    while empty != _0 and kept != _0:
        first = kept & (~kept + _1)
        spare |= first
        kept ^= first
        empty -= _1
    from_spare = (card & spare) != _0
    refill = top if from_spare else _0
    spare = (spare & ~card) | refill
    empty += np.uint64(from_spare) & np.uint64(top == _0)
    pile = (pile & ~(card | refill)) | kept
    top = _0 if pile == _0 else _TOP_BIT >> np.uint64(leading_zeros(pile | _1))
    in_corner = rank >= _SEVENS
    shift = _4 * rank
    need += (_15 << shift) if in_corner else _0
    takes = corners_take | places[rank + _1]
    takes = takes if (need >> shift) & _15 != _0 else takes & ~places[rank]
    corners_take = takes if in_corner else corners_take
    built += np.uint64(rank != _0) & np.uint64(not in_corner)
    centre_takes = places[_CENTRE_RANKS[built]]
    return _Game(rest, spare, pile, top, sixes, corners_take, centre_takes, need, built, empty, card != _0)


@kernel(inline=True)
def _has_won(game: _Game) -> bool:
    return bool(is_won(game.need >> _4, np.int64(game.built)))


@kernel(nogil=True)
def forced_deals(games: int, block: int, seed: np.uint64) -> Ints:
    """Plays forced games from shuffled decks: the same as `forced_game`, only faster.

    Two games are played side by side, since each alone would mostly wait for its own last step.

    Returns:
        Wins in each block of games; shape (ceil(games / block),).
    """
    wins = np.zeros((games + block - 1) // block, np.int64)
    deck = (np.arange(53) % 13 + 1).astype(np.uint64)
    ranks, other_ranks = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
    places, other_places = np.zeros(16, np.uint64), np.zeros(16, np.uint64)
    state = shuffle(deck, seeded(seed))
    game, number = _dealt(deck, ranks, places), 0
    state = shuffle(deck, state)
    other, other_number = _dealt(deck, other_ranks, other_places), 1
    dealt = 2
    while number < games or other_number < games:
        game = _next_build(ranks, places, game)
        other = _next_build(other_ranks, other_places, other)
        if not game.goes_on:
            if number < games:
                wins[number // block] += _has_won(game)
            state = shuffle(deck, state)
            game, number = _dealt(deck, ranks, places), dealt
            dealt += 1
        if not other.goes_on:
            if other_number < games:
                wins[other_number // block] += _has_won(other)
            state = shuffle(deck, state)
            other, other_number = _dealt(deck, other_ranks, other_places), dealt
            dealt += 1
    return wins
