"""Exact odds: counts every deal of the shoe."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from plumbing.errors import PositionError
from solver.baccarat.kernels import BANKER_PAIR, PLAYER_PAIR, count_deals
from solver.baccarat.rules import Outcome, Payouts, Position, Shoe, rank_value
from solver.baccarat.tally import Tally
from solver.cards import Card, Rank, Suit


def exact_tally(shoe: Shoe) -> Tally:
    """All ordered deals of six cards from the shoe, by the round they make.

    >>> tally = exact_tally(Shoe.of_decks(8))
    >>> tally.count(Outcome.PLAYER), tally.count(Outcome.BANKER), tally.count(Outcome.TIE)
    (2230518282592256, 2292252566437888, 475627426473216)
    """
    counts = count_deals(np.array(shoe.values, np.int64), int(shoe.infinite))
    taken = 0 if shoe.infinite else 1
    pairs = sum(count * (count - taken) for count in shoe.ranks)
    for drawn in range(2, 6):
        pairs *= shoe.size - drawn * taken
    counts[PLAYER_PAIR] = counts[BANKER_PAIR] = pairs
    return Tally.from_kernel(counts)


@dataclass(frozen=True, slots=True)
class Removal:
    """What taking one card of a value out of the shoe does to each bet.

    Attributes:
        value: The card's points, 0 to 9.
        name: The ranks with that value, as `T J Q K`.
        effects: (bet's name, change of its expected value).
    """

    value: int
    name: str
    effects: tuple[tuple[str, Fraction], ...]


def removal_effects(shoe: Shoe, payouts: Payouts | None = None) -> tuple[Removal, ...]:
    """What it does to each bet to take a card of a value out of the shoe; bets on pairs are left out."""
    if shoe.infinite or shoe.size < 7:
        return ()
    before = {bet.name: bet.expected_value for bet in exact_tally(shoe).bets(payouts)[:-2]}
    found = []
    for rank, _ in sorted(_one_rank_a_value(list(shoe.ranks)), key=lambda ranked: rank_value(ranked[0])):
        after = exact_tally(shoe.without([Card(Suit.CLUBS, rank)])).bets(payouts)
        effects = tuple((bet.name, bet.expected_value - before[bet.name]) for bet in after[:-2])
        alike = [str(other) for other in Rank if rank_value(other) == rank_value(rank)]
        found.append(Removal(rank_value(rank), " ".join(alike), effects))
    return tuple(found)


def finishing_odds(position: Position, shoe: Shoe) -> dict[Outcome, Fraction]:
    """The chances of a round that has begun; `shoe` is what is left after all its cards.

    Raises:
        PositionError: For cards that the tableau does not allow.
    """
    problems = position.problems()
    if problems:
        raise PositionError(position.game, problems)
    odds = dict.fromkeys(Outcome, Fraction(0))
    left = list(shoe.ranks)
    _deal_on(position, left, shoe.size, Fraction(1), odds, 0 if shoe.infinite else 1)
    return odds


def _deal_on(
    position: Position, left: list[int], size: int, chance: Fraction, odds: dict[Outcome, Fraction], taken: int
) -> None:
    """Adds all ways to finish the round to `odds`, one rank for each value, because suits and faces do not matter."""
    outcome = position.outcome
    if outcome is not None:
        odds[outcome] += chance
        return
    for rank, ways in _one_rank_a_value(left):
        after = position.play(Card(Suit.CLUBS, rank))
        left[rank - 1] -= taken
        _deal_on(after, left, size - taken, chance * Fraction(ways, size), odds, taken)
        left[rank - 1] += taken


def _one_rank_a_value(left: list[int]) -> list[tuple[Rank, int]]:
    faces = [rank for rank in Rank if rank >= Rank.TEN and left[rank - 1] > 0]
    low = [(rank, left[rank - 1]) for rank in Rank if rank < Rank.TEN and left[rank - 1] > 0]
    return low + ([(faces[0], sum(left[9:]))] if faces else [])
