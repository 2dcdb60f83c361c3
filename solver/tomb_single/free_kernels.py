"""Compiled free play: what a move does, a simple policy that never looks at the deck, and a lookahead."""

from __future__ import annotations

from typing import Final

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.random_numbers import State, below, seeded
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
    new_deck,
    present,
    shuffle,
    wanted,
)

_0, _1, _4, _15 = (np.uint64(n) for n in (0, 1, 4, 15))

REACHES: Final = np.array([[0, 3, 4, 5, 6], [0, 2, 3, 4, 6], [0, 4, 5, 6, 7], [0, 3, 3, 3, 3]], np.int64)
"""Simple policies: up to which distance a card is worth one of 0 to 4 empty spares. Row 0 is the best on its own."""


@kernel()
def settle(table: KernelTable) -> KernelTable:
    """Plays every spare that can be played: in free play that is never worse than waiting.

    Whoever waits and later plays another card of that rank instead could have played the spare, and put the other card
    into the place that it left.
    """
    tops, centre, spare, free = table
    while True:
        ready = present(spare) & wanted(tops, centre)
        if ready == _0:
            return KernelTable(tops, centre, spare, free)
        card = ready & (~ready + _1)
        spare -= card
        if card != SIX:
            free += 1
        if card >= SEVEN:
            tops += card - (card >> _4)
        else:
            centre += 1


@kernel()
def draw(card: np.uint64, stack: Bits, height: int, table: KernelTable) -> tuple[int, KernelTable]:
    """Draws a card in free play: a 6 and a 7 to their places, others onto the discard pile, whence `pop` takes them."""
    tops, centre, spare, free = table
    if card == SEVEN:
        return height, settle(KernelTable(tops + SEVEN - SIX, centre, spare, free))
    if card == SIX:
        return height, settle(KernelTable(tops, centre, spare + SIX, free))
    stack[height + 1] = card
    return height + 1, table


@kernel()
def pop(card: np.uint64, table: KernelTable) -> KernelTable:
    """Takes the discard pile's top card: to corner or centre if one takes it, else to an empty spare."""
    tops, centre, spare, free = table
    if card & wanted(tops, centre):
        if card >= SEVEN:
            return settle(KernelTable(tops + card - (card >> _4), centre, spare, free))
        return settle(KernelTable(tops, centre + 1, spare, free))
    return KernelTable(tops, centre, spare + card, free - 1)


@kernel()
def distance(card: np.uint64, table: KernelTable) -> int:
    """How many cards must be built before this one can be played, itself included; 99 if never."""
    if card >= SEVEN:
        steps = 1
        below_it = card >> _4
        while below_it >= SIX:
            if present(table.tops) & below_it:
                return steps
            steps += 1
            below_it >>= _4
        return 99
    for steps in range(FULL - table.centre):
        if NEED[table.centre + steps] == card:
            return steps + 1
    return 99


@kernel()
def _prefers_pop(card: np.uint64, table: KernelTable, reach: Ints) -> bool:
    """The simple policy: play what can be played; into a spare with what will be needed soon (see `REACHES`)."""
    if card & wanted(table.tops, table.centre):
        return True
    return table.free > 0 and distance(card, table) <= reach[table.free]


@kernel()
def policy_left(deck: Bits, drawn: int, stack: Bits, height: int, table: KernelTable, reach: Ints) -> int:
    """Plays a free game to its end by the simple policy, which never looks at the deck.

    Args:
        deck: The deck in the order of drawing, a 0 behind it.
        drawn: How many of its cards are drawn.
        stack: The discard pile from index 1; is overwritten.
        height: Its height.
        table: The table.
        reach: A row of `REACHES`.

    Returns:
        How many cards are left outside corners and centre: 0 is a win.
    """
    table = settle(table)
    while True:
        card = stack[height]
        if height > 0 and _prefers_pop(card, table, reach):
            height -= 1
            table = pop(card, table)
        elif drawn < deck.size - 1:
            height, table = draw(deck[drawn], stack, height, table)
            drawn += 1
        elif height > 0 and table.free > 0:
            height -= 1
            table = pop(card, table)
        else:
            return height + 4 - table.free + int((table.spare >> np.uint64(24)) & _15)


@kernel(nogil=True)
def policy_deals(games: int, block: int, reach: Ints, seed: np.uint64) -> Ints:
    """Free games by the simple policy; wins in each block, as `forced_deals`."""
    wins = np.zeros((games + block - 1) // block, np.int64)
    deck = new_deck()
    stack = np.zeros(54, np.uint64)
    state = seeded(seed)
    for b in range(wins.size):
        for _ in range(min(block, games - b * block)):
            state = shuffle(deck, state)
            wins[b] += policy_left(deck, 0, stack, 0, START, reach) == 0
    return wins


@kernel(nogil=True)
def policy_completions(piles: Piles, table: KernelTable, games: int, seed: np.uint64) -> int:
    """Wins of the simple policy in `games` games, each from a completion of its own of a position with hidden cards."""
    deck, stack = np.zeros_like(piles.deck), np.zeros_like(piles.stack)
    state, wins = seeded(seed), 0
    for _ in range(games):
        spares, state = complete(piles, deck, stack, state)
        completed = KernelTable(table.tops, table.centre, table.spare + spares, table.free)
        wins += policy_left(deck, 0, stack, piles.height, completed, REACHES[0]) == 0
    return wins


@kernel()
def _lookahead_game(deck: Bits, stack: Bits, samples: int, state: State) -> tuple[bool, State]:
    """Plays a free game from a whole deck without looking at it: each choice is tried on imagined decks.

    Where the discard pile's top could be popped, the cards not yet drawn are shuffled `samples` times, and the simple
    policy plays each out from both choices; the one that wins more often (then: leaves fewer cards) is taken.

    Returns:
        Whether it is won, and the generator's next state.
    """
    table, height, drawn = START, 0, 0
    imagined, scratch = np.zeros(53, np.uint64), np.zeros(54, np.uint64)
    reach = REACHES[0]
    while True:
        card = stack[height]
        is_wanted = height > 0 and (card & wanted(table.tops, table.centre)) != _0
        can_pop = is_wanted or (height > 0 and table.free > 0)
        if not can_pop and drawn == 52:
            return is_won(table.tops, table.centre), state
        pops = can_pop
        if can_pop and drawn < 52:
            score = 0
            popped = pop(card, table)
            for _ in range(samples):
                imagined[drawn:52] = deck[drawn:52]
                for i in range(drawn, 51):
                    place, state = below(np.uint64(52 - i), state)
                    other = i + np.int64(place)
                    swapped = imagined[other]
                    imagined[other] = imagined[i]
                    imagined[i] = swapped
                scratch[:height] = stack[:height]
                left = policy_left(imagined, drawn, scratch, height - 1, popped, reach)
                score += 1000 * (left == 0) - left
                scratch[: height + 1] = stack[: height + 1]
                size, after = draw(imagined[drawn], scratch, height, table)
                left = policy_left(imagined, drawn + 1, scratch, size, after, reach)
                score -= 1000 * (left == 0) - left
            pops = score > 0 if score != 0 else _prefers_pop(card, table, reach)
        if pops:
            height -= 1
            table = pop(card, table)
        else:
            height, table = draw(deck[drawn], stack, height, table)
            drawn += 1


@kernel(nogil=True)
def lookahead_deals(games: int, block: int, samples: int, seed: np.uint64) -> Ints:
    """Free games with lookahead; wins in each block, as `forced_deals`."""
    wins = np.zeros((games + block - 1) // block, np.int64)
    deck = new_deck()
    stack = np.zeros(54, np.uint64)
    state = seeded(seed)
    for b in range(wins.size):
        for _ in range(min(block, games - b * block)):
            state = shuffle(deck, state)
            won, state = _lookahead_game(deck, stack, samples, state)
            wins[b] += won
    return wins
