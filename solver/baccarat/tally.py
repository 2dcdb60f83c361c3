"""Counts of rounds by their outcome, for all possible deals or for a sample, and what bets earn on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

from plumbing.errors import RulesError
from solver.baccarat.kernels import BANKER_PAIR, CELLS, PLAYER_PAIR, Ints
from solver.baccarat.rules import Outcome, Payouts


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rounds ended how.

    Attributes:
        rounds: `rounds[outcome][cards - 4]`: rounds by winner and number of cards (4, 5, 6).
        banker_six: Of the banker's wins, those with six points.
        player_pairs: Rounds whose first two player cards are of one rank.
        banker_pairs: The same for the banker.
    """

    rounds: tuple[tuple[int, ...], ...]
    banker_six: int
    player_pairs: int
    banker_pairs: int

    @classmethod
    def from_kernel(cls, counts: Ints) -> Self:
        """Wraps what a kernel counted; shape (CELLS,)."""
        if counts.shape != (CELLS,):
            raise RulesError("shape", counts.shape, f"({CELLS},)")
        rows = counts[:12].reshape(4, 3)
        by_outcome = np.array([rows[0], rows[1] + rows[3], rows[2]])
        return cls(
            rounds=tuple(tuple(map(int, row)) for row in by_outcome),
            banker_six=int(rows[3].sum()),
            player_pairs=int(counts[PLAYER_PAIR]),
            banker_pairs=int(counts[BANKER_PAIR]),
        )

    @property
    def total(self) -> int:
        """All rounds."""
        return sum(map(sum, self.rounds))

    def count(self, outcome: Outcome) -> int:
        """Rounds with this outcome."""
        return sum(self.rounds[outcome])

    def probability(self, outcome: Outcome) -> Fraction:
        """The share of rounds with this outcome."""
        return Fraction(self.count(outcome), self.total)

    def decided(self, outcome: Outcome) -> Fraction:
        """The share of an outcome (not a tie) among rounds that are no tie."""
        rounds = self.total - self.count(Outcome.TIE)
        return Fraction(self.count(outcome), rounds) if rounds else Fraction(0)

    def with_cards(self, cards: int) -> Fraction:
        """The share of rounds that took 4, 5 or 6 cards."""
        return Fraction(sum(row[cards - 4] for row in self.rounds), self.total)

    def bets(self, payouts: Payouts | None = None) -> tuple[Bet, ...]:
        """Every bet's chances on these rounds."""
        payouts = payouts or Payouts()
        player, banker, tie = (self.probability(outcome) for outcome in Outcome)
        six = Fraction(self.banker_six, self.total)
        # The decimal that a person typed, not the binary fraction next to it: 0.05 is a twentieth.
        commission, tie_pays, pair_pays = (
            Fraction(str(pays)) for pays in (payouts.commission, payouts.tie_pays, payouts.pair_pays)
        )
        half = Fraction(1, 2)
        rows = [
            ("player", ((player, Fraction(1)), (banker, Fraction(-1)), (tie, Fraction(0)))),
            (
                f"banker, {100 * payouts.commission:g}% commission",
                ((banker, 1 - commission), (player, Fraction(-1)), (tie, Fraction(0))),
            ),
            (
                "banker, no commission, six pays half",
                ((banker - six, Fraction(1)), (six, half), (player, Fraction(-1)), (tie, Fraction(0))),
            ),
            *(
                (f"tie, {float(pays):g}:1", ((tie, pays), (1 - tie, Fraction(-1))))
                for pays in sorted({tie_pays, Fraction(9)})
            ),
        ]
        for name, pairs in (("player pair", self.player_pairs), ("banker pair", self.banker_pairs)):
            share = Fraction(pairs, self.total)
            rows.append((f"{name}, {payouts.pair_pays:g}:1", ((share, pair_pays), (1 - share, Fraction(-1)))))
        return tuple(Bet(name, returns) for name, returns in rows)

    def to_json(self) -> dict[str, Any]:
        """Counts and shares."""
        return {
            "rounds": self.total,
            "counts": {str(outcome): self.count(outcome) for outcome in Outcome},
            "probabilities": {str(outcome): float(self.probability(outcome)) for outcome in Outcome},
            "decided": {str(o): float(self.decided(o)) for o in (Outcome.PLAYER, Outcome.BANKER)},
            "cards": {str(cards): float(self.with_cards(cards)) for cards in (4, 5, 6)},
        }


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet of 1: what it may return, and how likely.

    Attributes:
        name: As `tie, 8:1`.
        returns: (probability, gain) pairs whose probabilities add to 1; a loss is a gain of -1.
    """

    name: str
    returns: tuple[tuple[Fraction, Fraction], ...]

    @property
    def expected_value(self) -> Fraction:
        """The mean gain of a bet of 1."""
        return sum((chance * gain for chance, gain in self.returns), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a bet of 1, on average."""
        return -self.expected_value

    @property
    def deviation(self) -> float:
        """Standard deviation of the gain of one bet of 1."""
        mean = self.expected_value
        return math.sqrt(sum((chance * (gain - mean) ** 2 for chance, gain in self.returns), Fraction(0)))

    def to_json(self) -> dict[str, Any]:
        """Name, expected value and house edge."""
        return {"bet": self.name, "expected_value": float(self.expected_value), "house_edge": float(self.house_edge)}
