"""Compiled search of free games with the deck known: a win, or the proof that there is none."""

from __future__ import annotations

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.outcomes import FOUND, NOTHING, OPEN
from solver.tomb_single.free_kernels import REACHES, draw, policy_left, pop, settle
from solver.tomb_single.kernels import SEVEN, SIX, Bits, Ints, KernelTable, present, wanted

_0, _1, _4, _15 = (np.uint64(n) for n in (0, 1, 4, 15))


@kernel()
def hopeless(deck: Bits, drawn: int, stack: Bits, height: int, table: KernelTable) -> bool:
    """A proof of loss in free play: the discard pile could not be dug out even if every other card could wait.

    When a card of the pile is taken off, after so many draws, all that lay above it and all that has been drawn since
    is built or lies in a spare. So there must be a time at which no more than four of those cards are left over when
    all the others are built as far as they go; and these times must follow one another from the pile's top to its
    bottom. What lies in the pile below the card cannot help before. For each card in turn the earliest such time is
    sought; where there is none, the game is lost. Sixes never need a spare, sevens are built at once.

    Args:
        deck: The deck in the order of drawing, a 0 behind it.
        drawn: Cards drawn.
        stack: The discard pile from index 1.
        height: Its height.
        table: The table.
    """
    tops, centre, spare, _ = table
    waiting = spare  # cards that can be reached and are not built, counted by rank
    left = 0  # those of them that need a spare: all but sixes
    for rank in range(1, 14):
        if rank != 6:
            left += int((spare >> np.uint64(4 * rank)) & _15)
    while True:
        want = wanted(tops, centre)
        ready = present(waiting) & want
        while ready != _0:
            card = ready & (~ready + _1)
            waiting -= card
            left -= card != SIX
            if card >= SEVEN:
                tops += card - (card >> _4)
            else:
                centre += 1
            want = wanted(tops, centre)
            ready = present(waiting) & want
        while True:  # takes cards until one can be built
            if left <= 4:
                if height == 0:
                    return False
                card = stack[height]
                height -= 1
            else:
                if drawn == deck.size - 1:
                    return True
                card = deck[drawn]
                drawn += 1
            if card == SEVEN:
                tops += SEVEN - SIX
                break
            waiting += card
            left += card != SIX
            if card & want != _0:
                break


@kernel()
def _key(stack: Bits, height: int, spare: np.uint64, drawn: int) -> np.uint64:
    """64 bits that tell a state of the search: with the deck known, all else follows from these."""
    # Counts of ranks reach up to bit 55, a number of cards drawn takes 6 bits: no two pairs are packed alike.
    key = _mixed(spare | (np.uint64(drawn) << np.uint64(57)))
    for place in range(1, height + 1):
        key = _mixed(key ^ stack[place])
    return key if key != _0 else _1


@kernel(inline=True)
def _mixed(key: np.uint64) -> np.uint64:
    """A one-to-one scramble of 64 bits."""
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@kernel()
def _seen_before(key: np.uint64, table: Bits) -> bool:
    """Whether the key is in the table; puts it there if not and if there is room near its place."""
    mask = np.uint64(table.size - 1)
    place = key & mask
    for _ in range(8):
        entry = table[place]
        if entry == key:
            return True
        if entry == _0:
            table[place] = key
            return False
        place = (place + _1) & mask
    return False


@kernel()
def _left_after(
    deck: Bits, drawn: int, stack: Bits, height: int, table: KernelTable, scratch: Bits
) -> tuple[int, int, int]:
    """Cards left by the best of the policies and in all, and which was the best, from a state with the deck known."""
    best, total, which = 99, 0, 0
    for policy in range(REACHES.shape[0]):
        scratch[: height + 1] = stack[: height + 1]
        left = policy_left(deck, drawn, scratch, height, table, REACHES[policy])
        total += left
        if left < best:
            best, which = left, policy
    return best, total, which


@kernel()
def _table_of(words: Bits, numbers: Ints, place: int) -> KernelTable:
    """The table of a state of a layer."""
    return KernelTable(words[place, 0], numbers[place, 0], words[place, 1], numbers[place, 1])


@kernel()
def _after(
    piles: Bits, words: Bits, numbers: Ints, parent: int, pops: int, card: np.uint64, pile: Bits
) -> tuple[int, KernelTable]:
    """The state after `pops` pops and a draw of `card` from a state of a layer: the pile's height, and the table."""
    height, table = numbers[parent, 2], _table_of(words, numbers, parent)
    pile[: height + 1] = piles[parent, : height + 1]
    for _ in range(pops):
        table = pop(pile[height], table)
        height -= 1
    return draw(card, pile, height, table)


@kernel()
def layers(
    deck: Bits, stack: Bits, height: int, table: KernelTable, width: int, max_nodes: int, line: Ints
) -> tuple[int, int, int, int]:
    """Searches a free game with the deck known, one layer a card drawn.

    A layer holds up to `width` different states after as many draws. From each, the discard pile is popped any number
    of times before the next draw. States are judged by how the simple policies would end from there, and the best are
    kept. If no layer ever had to be cut, every game there is has been looked at, and a loss is proved.

    Args:
        deck: The deck in the order of drawing, a 0 behind it.
        stack: The discard pile from index 1.
        height: Its height.
        table: The table at the start.
        width: States kept in a layer.
        max_nodes: States to look at, at most.
        line: Takes the number of pops before each draw of a win, from the start; as long as the deck.

    Returns:
        FOUND, NOTHING (proved) or OPEN; states looked at; and for a win how many entries of `line` are filled, and
        which row of `REACHES` plays on from there to the win.

    Worked example. The spare queen is built at once. From there no policy wins, nor does one after the king is drawn as
    the pile lies. With the queen popped, the 8 of diamonds lies on top: it can be built, and no other 8 comes, so it is
    popped too before anything is drawn. After these two pops and the king, the first policy wins: three states, and a
    line that says to pop two cards before the first draw.

    >>> from solver.tomb_single import Position
    >>> from solver.tomb_single.solve import encode
    >>> position = Position.parse(
    ...     "corners: 7D | 7C 8S 9D TH JD QH KS | 7S 8H 9H TS JS | 7H 8C 9C TD JH QD KH; centre: 6S 5S 4D 3H 2C AH 6D"
    ...     " 5C 4H 3C 2S AC 6C 5H 4S 3D 2D AD 6H; spares: 2H 4C QC 9S; discard: KC 5D 3S JC AS 8D QS; deck: KD TC"
    ... )
    >>> (piles, at_start), pops = encode(position), np.zeros(3, np.int64)
    >>> status, looked, length, policy = layers(piles.deck, piles.stack, piles.height, at_start, 50, 1000, pops)
    >>> status == FOUND, looked, pops[:length].tolist(), policy
    (True, 3, [2], 0)
    """
    cards = deck.size - 1
    piles, next_piles = np.zeros((width, 54), np.uint64), np.zeros((width, 54), np.uint64)
    words, next_words = np.zeros((width, 2), np.uint64), np.zeros((width, 2), np.uint64)
    numbers, next_numbers = np.zeros((width, 3), np.int64), np.zeros((width, 3), np.int64)
    parents, pops_before = np.zeros((cards + 1, width), np.int32), np.zeros((cards + 1, width), np.uint8)
    rest = np.zeros(cards + 1, np.uint64)
    for i in range(cards - 1, -1, -1):
        rest[i] = rest[i + 1] + deck[i]
    room = 1
    while room < 16 * width:
        room *= 2
    seen = np.zeros(room, np.uint64)
    found = np.zeros((8 * width, 3), np.int64)
    pile, scratch = np.zeros(54, np.uint64), np.zeros(54, np.uint64)
    start = settle(table)
    piles[0, : height + 1] = stack[: height + 1]
    words[0, 0], words[0, 1] = start.tops, start.spare
    numbers[0] = start.centre, start.free, height
    best, total, which = _left_after(deck, 0, stack, height, start, scratch)
    if best == 0:
        return FOUND, 1, 0, which
    states, looked, was_cut = 1, 1, False
    for drawn in range(cards):
        candidates = 0
        seen[:] = _0
        # A 6 or a 7 covers nothing. All that could be popped before it can be popped after it, and comes to the same:
        # which cards are built depends on which could be reached, not on their order.
        covers = deck[drawn] != SIX and deck[drawn] != SEVEN
        for parent in range(states):
            size = numbers[parent, 2]
            pile[: size + 1] = piles[parent, : size + 1]
            state = _table_of(words, numbers, parent)
            pops = 0
            while True:
                is_wanted = size > 0 and (pile[size] & wanted(state.tops, state.centre)) != _0
                # A card that can be played, and of whose rank the deck holds no other, is played before the next draw:
                # nothing else can take its place meanwhile (other copies lie below it), and it only gets covered.
                must_pop = covers and is_wanted and (present(rest[drawn]) & pile[size]) == _0
                scratch[: size + 1] = pile[: size + 1]
                new_size, new = draw(deck[drawn], scratch, size, state)
                if not must_pop and not _seen_before(_key(scratch, new_size, new.spare, drawn), seen):
                    looked += 1
                    pile[size + 1] = scratch[size + 1]
                    if not hopeless(deck, drawn + 1, scratch, new_size, new):
                        best, total, which = _left_after(deck, drawn + 1, pile, new_size, new, scratch)
                        if best == 0:
                            line[drawn] = pops
                            for i in range(drawn, 0, -1):
                                line[i - 1] = pops_before[i, parent]
                                parent = parents[i, parent]
                            return FOUND, looked, drawn + 1, which
                        if candidates < found.shape[0]:
                            found[candidates] = best * 100 + total, parent, pops
                            candidates += 1
                        else:
                            was_cut = True
                if size == 0 or not covers or (state.free == 0 and not is_wanted):
                    break
                state = pop(pile[size], state)
                size -= 1
                pops += 1
        if candidates == 0:
            return OPEN if was_cut else NOTHING, looked, 0, 0
        if looked > max_nodes:
            return OPEN, looked, 0, 0
        order = np.argsort(found[:candidates, 0])
        was_cut |= candidates > width
        states = min(candidates, width)
        for i in range(states):
            _, parent, pops = found[order[i]]
            size, state = _after(piles, words, numbers, parent, pops, deck[drawn], next_piles[i])
            next_words[i, 0], next_words[i, 1] = state.tops, state.spare
            next_numbers[i] = state.centre, state.free, size
            parents[drawn + 1, i], pops_before[drawn + 1, i] = parent, pops
        piles, next_piles = next_piles, piles
        words, next_words = next_words, words
        numbers, next_numbers = next_numbers, numbers
    # With the deck empty nothing is left to choose, and every state has been played out.
    return OPEN if was_cut else NOTHING, looked, 0, 0
