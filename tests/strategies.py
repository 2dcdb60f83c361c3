"""Hypothesis strategies that several test modules share."""

from __future__ import annotations

from collections import Counter

from hypothesis import strategies as st

from solver.cards import DECK, Card, MaybeCard
from solver.makiaveli import Position as MakiaveliPosition
from solver.makiaveli.melds import all_melds

cards = st.sampled_from(DECK)
maybe_cards: st.SearchStrategy[MaybeCard] = st.one_of(st.none(), cards)

# A narrow part of the deck, with both aces' neighbours, where melds meet often.
NARROW = tuple(card for card in DECK if card.rank in (1, 2, 3, 4, 12, 13))


@st.composite
def any_makiaveli_positions(draw: st.DrawFn) -> MakiaveliPosition:
    """Makiaveli positions of any kind, most of them against the rules."""
    piles = st.lists(cards, max_size=5).map(tuple)
    return MakiaveliPosition(
        tuple(draw(st.lists(piles, max_size=4))),
        tuple(draw(st.lists(maybe_cards, max_size=6))),
        draw(piles),
        strict_cross=draw(st.booleans()),
        repair=draw(st.booleans()),
    )


@st.composite
def makiaveli_positions(
    draw: st.DrawFn, *, max_melds: int = 3, max_hand: int = 4, max_run: int = 5, narrow: bool = True
) -> MakiaveliPosition:
    """Legal Makiaveli positions, small enough to be solved by trying everything."""
    left = Counter(dict.fromkeys(DECK, 2))
    pool = [m for m in all_melds() if len(m) <= max_run and (not narrow or all(card in NARROW for card in m))]
    floor = []
    for _ in range(draw(st.integers(0, max_melds))):
        meld = draw(st.sampled_from(pool))
        if all(left[card] for card in meld):
            floor.append(meld)
            left -= Counter(meld)
    # Hand and cross lie near the floor, so that something can be done with them.
    near = st.sampled_from(NARROW if narrow else DECK)

    def take(most: int) -> tuple[Card, ...]:
        taken = []
        for card in draw(st.lists(near, max_size=most)):
            if left[card]:
                left[card] -= 1
                taken.append(card)
        return tuple(taken)

    return MakiaveliPosition(tuple(floor), take(2), take(max_hand))
