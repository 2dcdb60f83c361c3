"""Positions of the two-deck game for tests: reached by random play, and small ones put together freely."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from solver.cards import Card, MaybeCard, Suit
from solver.tomb_double.position import Position, random_deal
from solver.tomb_double.rules import next_down


def played(rng: Random, moves: int, *, eager: float = 0.9) -> Position:
    """A deal after some random moves; `eager` is how often a play comes before turning the stock."""
    position = random_deal(rng.randrange(1000))
    for _ in range(moves):
        choices = position.moves()
        if not choices:
            break
        plays = [move for move in choices if not str(move).startswith(("S>", "redeal"))]
        position = position.play(rng.choice(plays if plays and rng.random() < eager else choices))
    return position


def ending(rng: Random, cards: int, *, redeals: int | None = None) -> Position:
    """A legal position with few cards off the foundations, thrown anywhere."""
    counts = [26, 26, 26, 26]
    for _ in range(cards):
        counts[rng.randrange(2)] -= 1
    left = [
        Card(suit, next_down(place)) for suit, count in zip(Suit, counts, strict=True) for place in range(count, 26)
    ]
    rng.shuffle(left)
    redeals = rng.randrange(3) if redeals is None else redeals
    tableau: list[tuple[Card, ...]] = [(), (), (), ()]
    for i in range(rng.randrange(5)):
        if left:
            tableau[i] = (left.pop(),)
    reserves: list[list[MaybeCard]] = [[], [], [], []]
    wastes: list[list[MaybeCard]] = [[] for _ in range(redeals + 1)]
    stock: list[MaybeCard] = []
    for card in left:
        rng.choice([*reserves, *wastes, stock]).append(card)
    c, d, h, s = counts
    return Position(
        (c, d, h, s), (), tuple(tableau), tuple(map(tuple, reserves)), tuple(map(tuple, wastes)), tuple(stock), redeals
    )


def crowded(rng: Random) -> Position:
    """The last pass of a game with a full tableau and long piles: often lost, and soon stuck."""
    placed = 26 - rng.randrange(6, 9)
    left = [Card(suit, next_down(place)) for suit in Suit for place in range(placed, 26)]
    rng.shuffle(left)
    tableau = tuple((card,) for card in left[:4])
    waste, stock = tuple(left[14:-2]), tuple(left[-2:])
    return Position((placed,) * 4, (), tableau, (tuple(left[4:14]), (), (), ()), (waste,), stock, 0)


def hidden(rng: Random, position: Position, share: float) -> Position:
    """The position with some cards of its reserves, wastes and stock turned into `??`."""

    def veil(pile: tuple[MaybeCard, ...]) -> tuple[MaybeCard, ...]:
        return tuple(None if rng.random() < share else card for card in pile)

    return Position(
        position.foundations,
        position.centre,
        position.tableau,
        tuple(map(veil, position.reserves)),
        tuple(map(veil, position.wastes)),
        veil(position.stock),
        position.redeals,
    )


rngs = st.integers(0, 2**32).map(Random)
