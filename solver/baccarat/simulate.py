"""Simulates random rounds on all cores and compares them with the exact odds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plumbing.errors import RulesError, check_whole_number
from plumbing.parallel import Chunk, Workers, chunks
from plumbing.resumable import resumable_map
from solver.baccarat.exact import exact_tally
from solver.baccarat.kernels import CELLS, fresh_rounds, shoe_rounds
from solver.baccarat.rules import Outcome, Payouts, Shoe
from solver.baccarat.tally import Tally
from solver.solution import Z95, Estimate, Progress

ShoeMode = Literal["fresh", "whole"]

CUT: Final = 14
"""Cards behind the cut card unless said otherwise."""
MIN_CUT: Final = 6
"""A round takes up to six cards: one that begins before the cut card can always be finished."""

_CHUNK: Final = 1 << 20
_BLOCKS: Final = 500
"""Points that a plot of the running rate gets, at least."""


def _deal(shoe: Shoe, cut: int | None, block: int, chunk: Chunk) -> tuple[list[list[int]], list[int]]:
    """The counts of each block (see `solver.baccarat.kernels`), and the sums over shoes for the standard errors."""
    cards = np.repeat(np.arange(1, 14), shoe.ranks).astype(np.uint8)
    block = min(block, chunk.size)
    if cut is None:
        return fresh_rounds(cards, shoe.infinite, chunk.size, block, np.uint64(chunk.seed)).tolist(), [0] * 8
    tallies, sums = shoe_rounds(cards, cut, chunk.size, block, np.uint64(chunk.seed))
    return tallies.tolist(), sums.tolist()


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was dealt, and how far it lies from the exact odds.

    Attributes:
        shoe: The full shoe.
        mode: `fresh` shuffles all cards for each round, `whole` deals shoes down to the cut card.
        cut: Cards behind the cut card; None for fresh shoes.
        seed: Gives the same rounds again.
        tally: The rounds dealt.
        exact: All deals of a full shoe.
        shoes: How many shoes were dealt; one a round for fresh shoes.
        errors: Standard error of the share of player, banker and tie. Rounds of one shoe are not independent, so that
            whole shoes are treated as clusters.
    """

    shoe: Shoe
    mode: ShoeMode
    cut: int | None
    seed: int
    tally: Tally
    exact: Tally
    shoes: int
    errors: tuple[float, float, float]

    def estimate(self, outcome: Outcome) -> Estimate:
        """The share of an outcome with its 95% interval."""
        what = f"{outcome}, all rounds"
        share = Estimate.from_counts(self.tally.count(outcome), self.tally.total, seed=self.seed, what=what)
        if self.mode == "fresh":
            return share
        half = Z95 * self.errors[outcome]
        low, high = max(0.0, share.mean - half), min(1.0, share.mean + half)
        return Estimate(mean=share.mean, low=low, high=high, n=share.n, seed=share.seed, what=what)

    def decided(self, outcome: Outcome) -> Estimate:
        """The share of an outcome among rounds that are no tie, with its 95% interval."""
        rounds = self.tally.total - self.tally.count(Outcome.TIE)
        return Estimate.from_counts(self.tally.count(outcome), rounds, seed=self.seed, what=f"{outcome}, ties left out")

    def z(self, outcome: Outcome) -> float:
        """How many standard errors the share lies from the exact one; within ±2 in 95 of 100 runs."""
        exact = float(self.exact.probability(outcome))
        error = self.errors[outcome]
        if self.mode == "fresh":
            error = math.sqrt(exact * (1 - exact) / self.tally.total)
        return (float(self.tally.probability(outcome)) - exact) / error if error else math.nan

    def chi_square(self) -> tuple[float, float]:
        """Pearson's statistic of the nine kinds of round (winner and 4, 5 or 6 cards), 8 degrees of freedom, and p."""
        total, statistic = self.tally.total, 0.0
        for outcome in Outcome:
            for seen, ways in zip(self.tally.rounds[outcome], self.exact.rounds[outcome], strict=True):
                expected = total * ways / self.exact.total
                statistic += (seen - expected) ** 2 / expected if expected else math.inf if seen else 0.0
        # With an even number of degrees of freedom the tail is a finite sum.
        half = statistic / 2
        return statistic, math.exp(-half) * sum(half**k / math.factorial(k) for k in range(4))

    def to_json(self, payouts: Payouts | None = None) -> dict[str, Any]:
        """Everything that the command prints."""
        statistic, p = self.chi_square()
        bets = zip(self.tally.bets(payouts), self.exact.bets(payouts), strict=True)
        return {
            "game": "baccarat",
            "shoe": {"mode": self.mode, "cards": None if self.shoe.infinite else self.shoe.size, "cut": self.cut},
            "seed": self.seed,
            "simulated": self.tally.to_json()
            | {
                "shoes": self.shoes,
                "intervals": {str(o): [self.estimate(o).low, self.estimate(o).high] for o in Outcome},
                "z": {str(o): self.z(o) for o in Outcome},
                "chi_square": {"statistic": statistic, "degrees_of_freedom": 8, "p": p},
                "bets": [seen.to_json() for seen, _ in bets],
            },
            "exact": self.exact.to_json() | {"bets": [bet.to_json() for bet in self.exact.bets(payouts)]},
        }


def simulate(
    n: int,
    *,
    shoe: Shoe | None = None,
    mode: ShoeMode = "fresh",
    cut: int = CUT,
    seed: int = 0,
    workers: Workers = 1,
    resume: Path | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Deals `n` rounds.

    Args:
        n: Number of rounds.
        shoe: What is dealt from; 8 decks by default.
        mode: `fresh` deals each round from the full shoe; `whole` deals one shoe after the other down to the cut card:
            a round begins while more than `cut` cards are left and is always finished.
        cut: Cards behind the cut card, 6 or more and fewer than the shoe holds; for `whole` only.
        seed: The same seed gives the same result, whatever the number of workers.
        workers: Processes; None for all cores.
        resume: A file that keeps the counts, so that a stopped run can be continued (see `plumbing.resumable`).
        progress: Called with the rounds dealt, a block at a time, and how many player, banker and neither won of them.

    Raises:
        RulesError: For a number out of its range.
        CardsError: If `resume` keeps the counts of other rounds.

    >>> simulate(1000, seed=1).tally.total
    1000
    """
    shoe = shoe or Shoe.of_decks(8)
    check_whole_number("n", n, 1)
    _check_shoe(shoe, mode, cut)
    used_cut = cut if mode == "whole" else None
    work = partial(_deal, shoe, used_cut, max(1, min(_CHUNK, n // _BLOCKS)))
    what = {"game": "baccarat", "ranks": shoe.ranks, "infinite": shoe.infinite, "cut": used_cut, "seed": seed}
    counts, sums = np.zeros(CELLS, np.int64), np.zeros(8, dtype=object)  # of Python's integers: squares grow large
    parts = chunks(n, _CHUNK, seed)
    what |= {"chunk": _CHUNK}
    for blocks, shoe_sums in resumable_map(work, parts, resume=resume, what=what, workers=workers):
        tallies = np.array(blocks, np.int64)
        counts += tallies.sum(axis=0)
        sums += np.array(shoe_sums, dtype=object)
        if progress is not None:
            for rounds, *won in _rounds_won(tallies).tolist():
                progress(rounds, won)
    tally = Tally.from_kernel(counts)
    return Simulation(
        shoe=shoe,
        mode=mode,
        cut=used_cut,
        seed=seed,
        tally=tally,
        exact=exact_tally(shoe),
        shoes=n if mode == "fresh" else int(sums[0]),
        errors=_standard_errors(tally, None if mode == "fresh" else [int(x) for x in sums]),
    )


def _check_shoe(shoe: Shoe, mode: ShoeMode, cut: int) -> None:
    if mode not in ("fresh", "whole"):
        raise RulesError("shoe", mode, "fresh or whole")
    if mode == "whole" and shoe.infinite:
        raise RulesError("shoe", "whole", "fresh when the decks are infinite: such a shoe has no end")
    if mode == "whole" and not MIN_CUT <= cut < shoe.size:
        raise RulesError("cut", cut, f"{MIN_CUT} to {shoe.size - 1}")


def _rounds_won(tallies: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each tally a row: how many rounds, and how many of them player, banker and neither won."""
    rows = tallies[:, :12].reshape(-1, 4, 3).sum(axis=2)
    return np.column_stack([rows.sum(axis=1), rows[:, 0], rows[:, 1] + rows[:, 3], rows[:, 2]])


def _standard_errors(tally: Tally, sums: list[int] | None) -> tuple[float, float, float]:
    """Standard errors of the three shares.

    A share of whole shoes is a ratio of sums over shoes. Source: W. G. Cochran, "Sampling Techniques", 1977, chapter 6.
    """
    errors = []
    for outcome in Outcome:
        share = float(tally.probability(outcome))
        if sums is None or sums[0] < 2:
            errors.append(math.sqrt(share * (1 - share) / tally.total))
            continue
        shoes, n_n, o_n, o_o = sums[0], sums[1], sums[2 + outcome], sums[5 + outcome]
        spread = o_o - 2 * share * o_n + share * share * n_n
        errors.append(math.sqrt(max(0.0, spread) * shoes / (shoes - 1)) / tally.total)
    return errors[0], errors[1], errors[2]
