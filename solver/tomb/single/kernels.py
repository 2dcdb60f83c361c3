"""Compiled play of the one-deck game: forced games, completions of hidden cards, a policy, and the search.

Suits never matter, so a card is one bit: rank r is `1 << 4 * r`, and a sum of such bits counts cards by rank, four
bits a rank. A table is five numbers:

    tops    how many corners show each rank; an empty corner shows a 6 (it takes a 7)
    centre  cards in the centre, 0 to 24
    spare   cards in the spares and in the spare-six pile, counted by rank
    free    empty spares; a 6 takes none
    stack, height   the discard pile bottom to top in stack[1 : height + 1]; stack[0] is 0

and the deck in the order of drawing, of which the first `drawn` cards are gone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from numba import njit

from solver.bits import above, lowest
from solver.rng import State, below, next_u64, seeded

Bits = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Octets = npt.NDArray[np.uint8]
Table = tuple[np.uint64, int, np.uint64, int]
"""(tops, centre, spare, free)."""

_0, _1, _2, _3, _4, _15, _16 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 15, 16))
_LOW: Final = np.uint64(0x1111111111111111)
SIX: Final = np.uint64(1 << 24)
SEVEN: Final = np.uint64(1 << 28)
ACE: Final = np.uint64(1 << 4)
EMPTY_CORNERS: Final = np.uint64(4 << 24)
_KINGS: Final = np.uint64(4 << 52)
_NEED: Final = np.array([0 if n == 24 else 1 << 4 * (6 - n % 6) for n in range(25)], np.uint64)
_FULL: Final = 24

WON: Final = 1
LOST: Final = 0
STOPPED: Final = -1

_DECK: Final = np.uint64(52)
_MASK: Final = np.uint64((1 << 16) - 1)


@njit(cache=True, inline="always")
def _present(counts: np.uint64) -> np.uint64:
    """One bit for each rank of which there is a card."""
    return (counts | (counts >> _1) | (counts >> _2)) & _LOW


@njit(cache=True, inline="always")
def _wanted(tops: np.uint64, centre: int) -> np.uint64:
    """The ranks that corners and centre take now."""
    need: np.uint64 = _NEED[centre]
    return (_present(tops) << _4) | need


@njit(cache=True, inline="always")
def _is_won(tops: np.uint64, centre: int | np.int64) -> bool:
    return centre == _FULL and tops == _KINGS


@njit(cache=True)
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


@njit(cache=True)
def shuffled_indices(seed: np.uint64) -> Bits:
    """The card indices of the first deal of a stream: the same cards as the first game that is played with it."""
    cards = np.arange(53).astype(np.uint64)
    shuffle(cards, seeded(seed))
    return cards[:52]


@njit(cache=True)
def forced_game(
    deck: Bits,
    drawn: int,
    cards: int,
    stack: Bits,
    height: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
    free: int,
) -> bool:
    """Plays a forced game to its end; whether it is won. `stack` needs room for the whole deck and is overwritten.

    What a play does is computed rather than branched on, as far as a processor could not predict it.
    """
    while free > 0 and height > 0:
        spare += stack[height]
        height -= 1
        free -= 1
    at, end, size, empty = np.uint64(drawn), np.uint64(cards), np.uint64(height), np.uint64(free)
    built = np.uint64(centre)
    need = tops << _4  # the corners' next cards, counted by rank
    want = _present(need) | _NEED[built]
    top = stack[size]  # 0 when the pile is empty
    while True:
        ready = (_present(spare) | top) & want
        while ready != _0:
            card = ready & (~ready + _1)
            in_spare = (_present(spare) & card) != _0
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
            want = _present(need) | _NEED[built]
            ready = (_present(spare) | top) & want
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
            return _is_won(need >> _4, np.int64(built))
        corner = card >= SEVEN
        need += (card << _4) - card if corner else _0
        built += np.uint64(not corner)
        want = _present(need) | _NEED[built]


Game = tuple[
    np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, bool
]
"""A forced game from a whole deck, told in sets of places of the deck (bit i is the card drawn as number i):

cards not drawn, in spares, in the discard pile, its top, sixes not built; those that corners take and that the centre
takes, of whatever whereabouts; the ranks that corners take, counted as above; cards in the centre; empty spares; and
whether anything could still be played at the last step.
"""

_CENTRE_RANKS: Final = np.array([0 if n == _FULL else 6 - n % 6 for n in range(_FULL + 1)], np.uint8)
_TOP_BIT: Final = np.uint64(1 << 63)
_ALL: Final = np.uint64((1 << 52) - 1)
_SEVENS: Final = np.uint64(7)


@njit(cache=True, inline="always")
def _dealt(deck: Bits, ranks: Octets, places: Bits) -> Game:
    """A new game; `deck` holds ranks. Fills the rank at each place, shape (64,), and the places of each rank, (16,)."""
    places[:14] = _0
    for i in range(52):
        ranks[i] = deck[i]
        places[deck[i]] |= _1 << np.uint64(i)
    return _ALL, _0, _0, _0, places[6], places[7], places[6], EMPTY_CORNERS << _4, _0, _4, True


@njit(cache=True, inline="always")
def _next_build(ranks: Octets, places: Bits, game: Game) -> Game:
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
    rank = np.uint64(ranks[lowest(card | _TOP_BIT)])  # 0 where the game is over
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
    top = _0 if pile == _0 else _TOP_BIT >> np.uint64(above(pile | _1))
    in_corner = rank >= _SEVENS
    shift = _4 * rank
    need += (_15 << shift) if in_corner else _0
    takes = corners_take | places[rank + _1]
    takes = takes if (need >> shift) & _15 != _0 else takes & ~places[rank]
    corners_take = takes if in_corner else corners_take
    built += np.uint64(rank != _0) & np.uint64(not in_corner)
    centre_takes = places[_CENTRE_RANKS[built]]
    return rest, spare, pile, top, sixes, corners_take, centre_takes, need, built, empty, card != _0


@njit(cache=True, inline="always")
def _has_won(game: Game) -> bool:
    return bool(_is_won(game[7] >> _4, np.int64(game[8])))


@njit(cache=True, nogil=True)
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
        if not game[10]:
            if number < games:
                wins[number // block] += _has_won(game)
            state = shuffle(deck, state)
            game, number = _dealt(deck, ranks, places), dealt
            dealt += 1
        if not other[10]:
            if other_number < games:
                wins[other_number // block] += _has_won(other)
            state = shuffle(deck, state)
            other, other_number = _dealt(deck, other_ranks, other_places), dealt
            dealt += 1
    return wins


@njit(cache=True)
def new_deck() -> Bits:
    """52 cards in the order of `solver.cards.DECK`, and a 0 behind them."""
    deck = np.zeros(53, np.uint64)
    for i in range(52):
        deck[i] = _1 << np.uint64(4 * (i % 13 + 1))
    return deck


@njit(cache=True)
def complete(
    pool: Bits,
    ordinary: int,
    deck: Bits,
    stack: Bits,
    height: int,
    hidden_spares: int,
    out_deck: Bits,
    out_stack: Bits,
    state: State,
) -> tuple[np.uint64, State]:
    """Puts the hidden cards somewhere, every way as likely as any other; spares and discard hold no 6 and no 7.

    Args:
        pool: The hidden cards, those that are neither 6 nor 7 first; is reordered within these two parts.
        ordinary: How many those are.
        deck: The deck to be drawn, 0 for a hidden card.
        stack: The discard pile from index 1, 0 for a hidden card.
        height: Its height.
        hidden_spares: How many hidden cards lie in spares.
        out_deck: Takes the deck.
        out_stack: Takes the discard pile.
        state: Of the generator.

    Returns:
        The hidden spares' cards, and the generator's next state.
    """
    cards = pool.copy()
    used = 0
    spares = _0
    for k in range(hidden_spares + height):
        if k >= hidden_spares:
            place = k - hidden_spares + 1
            out_stack[place] = stack[place]
            if stack[place] != _0:
                continue
        other, state = below(np.uint64(ordinary - used), state)
        chosen = used + np.int64(other)
        card = cards[chosen]
        cards[chosen] = cards[used]
        used += 1
        if k < hidden_spares:
            spares += card
        else:
            out_stack[k - hidden_spares + 1] = card
    for i in range(deck.size):
        out_deck[i] = deck[i]
        if deck[i] == _0:
            other, state = below(np.uint64(cards.size - used), state)
            chosen = used + np.int64(other)
            out_deck[i] = cards[chosen]
            cards[chosen] = cards[used]
            used += 1
    return spares, state


@njit(cache=True, nogil=True)
def forced_completions(
    pool: Bits,
    ordinary: int,
    deck: Bits,
    stack: Bits,
    height: int,
    hidden_spares: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
    free: int,
    games: int,
    seed: np.uint64,
) -> int:
    """Wins among `games` forced games from completions of a position; arguments as in `complete` and `forced_game`."""
    full_deck, full_stack = np.zeros(deck.size + 1, np.uint64), np.zeros(54, np.uint64)
    state, wins = seeded(seed), 0
    for _ in range(games):
        spares, state = complete(pool, ordinary, deck, stack, height, hidden_spares, full_deck, full_stack, state)
        wins += forced_game(full_deck, 0, deck.size, full_stack, height, tops, centre, spare + spares, free)
    return wins


@njit(cache=True)
def settle(tops: np.uint64, centre: int, spare: np.uint64, free: int) -> Table:
    """Plays every spare that can be played: in free play that is never worse than waiting.

    Whoever waits and later plays another card of that rank instead could have played the spare, and put the other card
    into the place that it left.
    """
    while True:
        ready = _present(spare) & _wanted(tops, centre)
        if ready == _0:
            return tops, centre, spare, free
        card = ready & (~ready + _1)
        spare -= card
        if card != SIX:
            free += 1
        if card >= SEVEN:
            tops += card - (card >> _4)
        else:
            centre += 1


@njit(cache=True)
def draw(
    card: np.uint64, stack: Bits, height: int, tops: np.uint64, centre: int, spare: np.uint64, free: int
) -> tuple[int, Table]:
    """Draws a card in free play: a 6 and a 7 to their places, others onto the discard pile, whence `pop` takes them."""
    if card == SEVEN:
        return height, settle(tops + SEVEN - SIX, centre, spare, free)
    if card == SIX:
        return height, settle(tops, centre, spare + SIX, free)
    stack[height + 1] = card
    return height + 1, (tops, centre, spare, free)


@njit(cache=True)
def pop(card: np.uint64, tops: np.uint64, centre: int, spare: np.uint64, free: int) -> Table:
    """Takes the discard pile's top card: to corner or centre if one takes it, else to an empty spare."""
    if card & _wanted(tops, centre):
        return (
            settle(tops + card - (card >> _4), centre, spare, free)
            if card >= SEVEN
            else settle(tops, centre + 1, spare, free)
        )
    return tops, centre, spare + card, free - 1


@njit(cache=True)
def hopeless(
    deck: Bits,
    drawn: int,
    cards: int,
    stack: Bits,
    height: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
) -> bool:
    """A proof of loss in free play: the discard pile could not be dug out even if every other card could wait.

    When a card of the pile is taken off, after so many draws, all that lay above it and all that has been drawn since
    is built or lies in a spare. So there must be a time at which no more than four of those cards are left over when
    all the others are built as far as they go; and these times must follow one another from the pile's top to its
    bottom. What lies in the pile below the card cannot help before. For each card in turn the earliest such time is
    sought; where there is none, the game is lost. Sixes never need a spare, sevens are built at once.

    Args:
        deck: The deck in the order of drawing.
        drawn: Cards drawn.
        cards: Size of the deck.
        stack: The discard pile from index 1.
        height: Its height.
        tops: As in the table.
        centre: As in the table.
        spare: As in the table.
    """
    waiting = spare  # cards that can be reached and are not built, counted by rank
    left = 0  # those of them that need a spare: all but sixes
    for rank in range(1, 14):
        if rank != 6:
            left += int((spare >> np.uint64(4 * rank)) & _15)
    while True:
        want = _wanted(tops, centre)
        ready = _present(waiting) & want
        while ready != _0:
            card = ready & (~ready + _1)
            waiting -= card
            left -= card != SIX
            if card >= SEVEN:
                tops += card - (card >> _4)
            else:
                centre += 1
            want = _wanted(tops, centre)
            ready = _present(waiting) & want
        while True:  # takes cards until one can be built
            if left <= 4:
                if height == 0:
                    return False
                card = stack[height]
                height -= 1
            else:
                if drawn == cards:
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


@njit(cache=True)
def distance(card: np.uint64, tops: np.uint64, centre: int) -> int:
    """How many cards must be built before this one can be played, itself included; 99 if never."""
    if card >= SEVEN:
        steps = 1
        below_it = card >> _4
        while below_it >= SIX:
            if _present(tops) & below_it:
                return steps
            steps += 1
            below_it >>= _4
        return 99
    for steps in range(_FULL - centre):
        if _NEED[centre + steps] == card:
            return steps + 1
    return 99


@njit(cache=True)
def _prefers_pop(card: np.uint64, tops: np.uint64, centre: int, free: int, reach: Ints) -> bool:
    """The simple policy: play what can be played; into a spare with what will be needed soon.

    `reach[free]` is the distance up to which a card is worth one of `free` empty spares.
    """
    if card & _wanted(tops, centre):
        return True
    return free > 0 and distance(card, tops, centre) <= reach[free]


@njit(cache=True)
def policy_left(
    deck: Bits,
    drawn: int,
    cards: int,
    stack: Bits,
    height: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
    free: int,
    reach: Ints,
) -> int:
    """Plays a free game to its end by the simple policy, which never looks at the deck.

    Returns:
        How many cards are left outside corners and centre: 0 is a win. `stack` is overwritten.
    """
    tops, centre, spare, free = settle(tops, centre, spare, free)
    while True:
        card = stack[height]
        if height > 0 and _prefers_pop(card, tops, centre, free, reach):
            height -= 1
            tops, centre, spare, free = pop(card, tops, centre, spare, free)
        elif drawn < cards:
            height, (tops, centre, spare, free) = draw(deck[drawn], stack, height, tops, centre, spare, free)
            drawn += 1
        elif height > 0 and free > 0:
            height -= 1
            tops, centre, spare, free = pop(card, tops, centre, spare, free)
        else:
            return height + 4 - free + int((spare >> np.uint64(24)) & _15)


@njit(cache=True, nogil=True)
def policy_deals(games: int, block: int, reach: Ints, seed: np.uint64) -> Ints:
    """Free games by the simple policy; wins in each block, as `forced_deals`."""
    wins = np.zeros((games + block - 1) // block, np.int64)
    deck = new_deck()
    stack = np.zeros(54, np.uint64)
    state = seeded(seed)
    for b in range(wins.size):
        for _ in range(min(block, games - b * block)):
            state = shuffle(deck, state)
            wins[b] += policy_left(deck, 0, 52, stack, 0, EMPTY_CORNERS, 0, _0, 4, reach) == 0
    return wins


@njit(cache=True)
def _key(stack: Bits, height: int, spare: np.uint64, drawn: int) -> np.uint64:
    """64 bits that tell a state of the search: with the deck known, all else follows from these."""
    # Counts of ranks reach up to bit 55, a number of cards drawn takes 6 bits: no two pairs are packed alike.
    key = _mixed(spare | (np.uint64(drawn) << np.uint64(57)))
    for place in range(1, height + 1):
        key = _mixed(key ^ stack[place])
    return key if key != _0 else _1


@njit(cache=True, inline="always")
def _mixed(key: np.uint64) -> np.uint64:
    """A one-to-one scramble of 64 bits."""
    key = (key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ (key >> np.uint64(29))


@njit(cache=True)
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


REACHES: Final = np.array([[0, 3, 4, 5, 6], [0, 2, 3, 4, 6], [0, 4, 5, 6, 7], [0, 3, 3, 3, 3]], np.int64)
"""Policies that judge a state of the search, row 0 the best on its own."""


@njit(cache=True)
def _left_after(
    deck: Bits, drawn: int, cards: int, stack: Bits, height: int, table: Table, scratch: Bits
) -> tuple[int, int, int]:
    """Cards left by the best of the policies and in all, and which was the best, from a state with the deck known."""
    best, total, which = 99, 0, 0
    for policy in range(REACHES.shape[0]):
        scratch[: height + 1] = stack[: height + 1]
        left = policy_left(deck, drawn, cards, scratch, height, table[0], table[1], table[2], table[3], REACHES[policy])
        total += left
        if left < best:
            best, which = left, policy
    return best, total, which


@njit(cache=True)
def _after(
    piles: Bits, words: Bits, numbers: Ints, parent: int, pops: int, card: np.uint64, pile: Bits
) -> tuple[int, Table]:
    """The state `pops` pops and one draw of `card` (0 for none) after a state of a layer; its height and table."""
    height = numbers[parent, 2]
    pile[: height + 1] = piles[parent, : height + 1]
    tops, centre, spare, free = words[parent, 0], numbers[parent, 0], words[parent, 1], numbers[parent, 1]
    for _ in range(pops):
        tops, centre, spare, free = pop(pile[height], tops, centre, spare, free)
        height -= 1
    if card != _0:
        height, (tops, centre, spare, free) = draw(card, pile, height, tops, centre, spare, free)
    return height, (tops, centre, spare, free)


@njit(cache=True)
def layers(
    deck: Bits,
    cards: int,
    stack: Bits,
    height: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
    free: int,
    width: int,
    visits: int,
    line: Ints,
) -> tuple[int, int, int, int]:
    """Searches a free game with the deck known, one layer a card drawn.

    A layer holds up to `width` different states after as many draws. From each, the discard pile is popped any number
    of times before the next draw. States are judged by how the simple policies would end from there, and the best are
    kept. If no layer ever had to be cut, every game there is has been looked at, and a loss is proved.

    Args:
        deck: The deck in the order of drawing, a 0 behind it.
        cards: Its size.
        stack: The discard pile from index 1.
        height: Its height.
        tops: As the others, of the table at the start.
        centre: See `tops`.
        spare: See `tops`.
        free: See `tops`.
        width: States kept in a layer.
        visits: States to look at, at most.
        line: Takes the number of pops before each draw of a win, from the start; shape (cards + 1,).

    Returns:
        WON, LOST (proved) or STOPPED; states looked at; and for a win how many entries of `line` are filled, and which
        row of `REACHES` plays on from there to the win.
    """
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
    table = np.zeros(room, np.uint64)
    found = np.zeros((8 * width, 3), np.int64)
    pile, scratch = np.zeros(54, np.uint64), np.zeros(54, np.uint64)
    start = settle(tops, centre, spare, free)
    piles[0, : height + 1] = stack[: height + 1]
    words[0, 0], words[0, 1] = start[0], start[2]
    numbers[0] = start[1], start[3], height
    best, total, which = _left_after(deck, 0, cards, stack, height, start, scratch)
    if best == 0:
        return WON, 1, 0, which
    states, looked, was_cut = 1, 1, False
    for drawn in range(cards):
        candidates = 0
        table[:] = _0
        # A 6 or a 7 covers nothing. All that could be popped before it can be popped after it, and comes to the same:
        # which cards are built depends on which could be reached, not on their order.
        covers = deck[drawn] != SIX and deck[drawn] != SEVEN
        for parent in range(states):
            size = numbers[parent, 2]
            pile[: size + 1] = piles[parent, : size + 1]
            state = words[parent, 0], numbers[parent, 0], words[parent, 1], numbers[parent, 1]
            pops = 0
            while True:
                wanted = size > 0 and (pile[size] & _wanted(state[0], state[1])) != _0
                # A card that can be played, and of whose rank the deck holds no other, is played before the next draw:
                # nothing else can take its place meanwhile (other copies lie below it), and it only gets covered.
                must_pop = covers and wanted and (_present(rest[drawn]) & pile[size]) == _0
                scratch[: size + 1] = pile[: size + 1]
                new_size, new = draw(deck[drawn], scratch, size, state[0], state[1], state[2], state[3])
                if not must_pop and not _seen_before(_key(scratch, new_size, new[2], drawn), table):
                    looked += 1
                    pile[size + 1] = scratch[size + 1]
                    if not hopeless(deck, drawn + 1, cards, scratch, new_size, new[0], new[1], new[2]):
                        best, total, which = _left_after(deck, drawn + 1, cards, pile, new_size, new, scratch)
                        if best == 0:
                            line[drawn] = pops
                            for i in range(drawn, 0, -1):
                                line[i - 1] = pops_before[i, parent]
                                parent = parents[i, parent]
                            return WON, looked, drawn + 1, which
                        if candidates < found.shape[0]:
                            found[candidates] = best * 100 + total, parent, pops
                            candidates += 1
                        else:
                            was_cut = True
                if size == 0 or not covers or (state[3] == 0 and not wanted):
                    break
                state = pop(pile[size], state[0], state[1], state[2], state[3])
                size -= 1
                pops += 1
        if candidates == 0:
            return STOPPED if was_cut else LOST, looked, 0, 0
        if looked > visits:
            return STOPPED, looked, 0, 0
        order = np.argsort(found[:candidates, 0])
        was_cut |= candidates > width
        states = min(candidates, width)
        for i in range(states):
            _, parent, pops = found[order[i]]
            size, state = _after(piles, words, numbers, parent, pops, deck[drawn], next_piles[i])
            next_words[i, 0], next_words[i, 1] = state[0], state[2]
            next_numbers[i] = state[1], state[3], size
            parents[drawn + 1, i], pops_before[drawn + 1, i] = parent, pops
        piles, next_piles = next_piles, piles
        words, next_words = next_words, words
        numbers, next_numbers = next_numbers, numbers
    # With the deck empty nothing is left to choose, and every state has been played out.
    return STOPPED if was_cut else LOST, looked, 0, 0


@njit(cache=True)
def lookahead_game(deck: Bits, stack: Bits, samples: int, state: State) -> tuple[bool, State]:
    """Plays a free game from a whole deck without looking at it: each choice is tried on imagined decks.

    Where the discard pile's top could be popped, the cards not yet drawn are shuffled `samples` times, and the simple
    policy plays each out from both choices; the one that wins more often (then: leaves fewer cards) is taken.

    Returns:
        Whether it is won, and the generator's next state.
    """
    tops, centre, spare, free, height, drawn = EMPTY_CORNERS, 0, _0, 4, 0, 0
    imagined, scratch = np.zeros(53, np.uint64), np.zeros(54, np.uint64)
    reach = REACHES[0]
    while True:
        card = stack[height]
        wanted = height > 0 and (card & _wanted(tops, centre)) != _0
        can_pop = wanted or (height > 0 and free > 0)
        if not can_pop and drawn == 52:
            return _is_won(tops, centre), state
        pops = can_pop
        if can_pop and drawn < 52:
            score = 0
            popped = pop(card, tops, centre, spare, free)
            for _ in range(samples):
                imagined[drawn:52] = deck[drawn:52]
                for i in range(drawn, 51):
                    place, state = below(np.uint64(52 - i), state)
                    other = i + np.int64(place)
                    swapped = imagined[other]
                    imagined[other] = imagined[i]
                    imagined[i] = swapped
                scratch[:height] = stack[:height]
                left = policy_left(
                    imagined, drawn, 52, scratch, height - 1, popped[0], popped[1], popped[2], popped[3], reach
                )
                score += 1000 * (left == 0) - left
                scratch[: height + 1] = stack[: height + 1]
                size, drawn_table = draw(imagined[drawn], scratch, height, tops, centre, spare, free)
                left = policy_left(
                    imagined,
                    drawn + 1,
                    52,
                    scratch,
                    size,
                    drawn_table[0],
                    drawn_table[1],
                    drawn_table[2],
                    drawn_table[3],
                    reach,
                )
                score -= 1000 * (left == 0) - left
            pops = score > 0 if score != 0 else _prefers_pop(card, tops, centre, free, reach)
        if pops:
            height -= 1
            tops, centre, spare, free = pop(card, tops, centre, spare, free)
        else:
            height, (tops, centre, spare, free) = draw(deck[drawn], stack, height, tops, centre, spare, free)
            drawn += 1


@njit(cache=True, nogil=True)
def lookahead_deals(games: int, block: int, samples: int, seed: np.uint64) -> Ints:
    """Free games with lookahead; wins in each block, as `forced_deals`."""
    wins = np.zeros((games + block - 1) // block, np.int64)
    deck = new_deck()
    stack = np.zeros(54, np.uint64)
    state = seeded(seed)
    for b in range(wins.size):
        for _ in range(min(block, games - b * block)):
            state = shuffle(deck, state)
            won, state = lookahead_game(deck, stack, samples, state)
            wins[b] += won
    return wins


@njit(cache=True, nogil=True)
def policy_completions(
    pool: Bits,
    ordinary: int,
    deck: Bits,
    stack: Bits,
    height: int,
    hidden_spares: int,
    tops: np.uint64,
    centre: int,
    spare: np.uint64,
    free: int,
    games: int,
    seed: np.uint64,
) -> int:
    """Wins of the simple policy among `games` completions; arguments as in `forced_completions`."""
    full_deck, full_stack = np.zeros(deck.size + 1, np.uint64), np.zeros(54, np.uint64)
    state, wins = seeded(seed), 0
    for _ in range(games):
        spares, state = complete(pool, ordinary, deck, stack, height, hidden_spares, full_deck, full_stack, state)
        left = policy_left(full_deck, 0, deck.size, full_stack, height, tops, centre, spare + spares, free, REACHES[0])
        wins += left == 0
    return wins
