"""The most likely legal position: choices weighed by log-probability under the rules as linear constraints.

A layout module offers `Option`s: ways to explain cards (this one is the 7H of that column; these five are a run).
Each card must be explained exactly once, and limits such as two copies of a card hold over all. `Problem.solve` finds
the exact optimum with the HiGHS solver of SciPy; where every card's own best option already obeys the limits, that is
the optimum and nothing is searched.

An option that breaks the game's rules may be offered at a price (`RULE_BROKEN`): an unreadable table then stays what it
is, a table that could not be read, instead of becoming a confident legal one.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

RULE_BROKEN: Final = -9.0
"""Log-probability that a real table breaks the rules at one place, or that its layout was misunderstood there."""


SEARCH_SECONDS: Final = 1.0
"""Longest single search; a readable table takes milliseconds, an unreadable one gets the best found so far."""
DOUBT_SECONDS: Final = 1.0
"""Longest time for all further searches that weigh alternatives."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to explain some cards.

    Attributes:
        score: Its log-probability.
        covers: What it explains; every item of the problem is explained exactly once.
        uses: What it takes from the limits, as (limit, amount).
        identities: The identities it gives, as (item, identity), for posteriors.
        what: The layout module's own name for it.
    """

    score: float
    covers: tuple[int, ...]
    uses: tuple[tuple[Hashable, int], ...] = ()
    identities: tuple[tuple[int, int], ...] = ()
    what: object = None


@dataclass(slots=True)
class Problem:
    """Options, limits, and the optimum among them.

    Attributes:
        options: All of them.
        limits: How much of each limit there is.
        follows: Rows `(left, right)` of option numbers: if one of `left` is chosen, one of `right` must be.
    """

    options: list[Option]
    limits: dict[Hashable, int]
    follows: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    _matrices: tuple[object, ...] | None = field(default=None, repr=False)

    def solve(self, without: Sequence[int] = ()) -> tuple[float, tuple[int, ...]] | None:
        """The best choice of options, None where there is none.

        Args:
            without: Numbers of options that may not be chosen.

        Returns:
            Its log-probability and the numbers of the chosen options.
        """
        quick = self._greedy(set(without))
        return quick if quick is not None else self._search(without)

    def _greedy(self, without: set[int]) -> tuple[float, tuple[int, ...]] | None:
        """The best option of each item, where all of them go together; only for options of one item each."""
        best: dict[int, int] = {}
        for number, option in enumerate(self.options):
            if len(option.covers) > 1:
                return None
            if not option.covers:  # slack, for the search only
                continue
            item = option.covers[0]
            if number not in without and (item not in best or option.score > self.options[best[item]].score):
                best[item] = number
        if len(best) < len({item for option in self.options for item in option.covers}):
            return None
        used: dict[Hashable, int] = {}
        for number in best.values():
            for limit, amount in self.options[number].uses:
                used[limit] = used.get(limit, 0) + amount
        chosen = set(best.values())
        if any(amount > self.limits.get(limit, amount) for limit, amount in used.items()):
            return None
        if any(chosen & set(left) and not chosen & set(right) for left, right in self.follows):
            return None
        return sum(self.options[n].score for n in chosen), tuple(sorted(chosen))

    def _search(self, without: Sequence[int]) -> tuple[float, tuple[int, ...]] | None:
        from scipy.optimize import Bounds, LinearConstraint, milp  # 0.3 s to import: only when needed
        from scipy.sparse import csr_matrix

        count = len(self.options)
        if count == 0:
            return 0.0, ()
        if self._matrices is None:
            items = {item: row for row, item in enumerate(dict.fromkeys(i for o in self.options for i in o.covers))}
            data = [(items[i], n, 1) for n, o in enumerate(self.options) for i in o.covers]
            low, high = [1.0] * len(items), [1.0] * len(items)
            rows = {limit: len(items) + k for k, limit in enumerate(self.limits)}
            data += [(rows[u], n, a) for n, o in enumerate(self.options) for u, a in o.uses if u in rows]
            low += [-np.inf] * len(rows)
            high += [float(amount) for amount in self.limits.values()]
            for left, right in self.follows:
                data += [(len(low), n, 1) for n in left] + [(len(low), n, -1) for n in right if n not in left]
                low.append(-np.inf)
                high.append(0.0)
            r, c, v = (np.array(part) for part in zip(*data, strict=True))
            self._matrices = (csr_matrix((v, (r, c)), shape=(len(low), count)), np.array(low), np.array(high))
        matrix, lows, highs = self._matrices
        ceiling = np.ones(count)
        ceiling[list(without)] = 0
        score = np.array([option.score for option in self.options])
        found = milp(
            -score,
            constraints=LinearConstraint(matrix, lows, highs),
            integrality=np.ones(count),
            bounds=Bounds(0, ceiling),
            options={"time_limit": SEARCH_SECONDS, "mip_rel_gap": 0.0},
        )
        if found.x is None:
            return None
        chosen = np.flatnonzero(found.x > 0.5)
        return float(score[chosen].sum()), tuple(int(n) for n in chosen)


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is believed of one item.

    Attributes:
        best: Its identity in the best explanation.
        confidence: Probability of it.
        alternatives: Other identities with their probabilities, best first.
    """

    best: int | None
    confidence: float
    alternatives: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Decoded:
    """The optimum of a problem with what else could be.

    Attributes:
        score: Log-probability of the best choice.
        chosen: Numbers of its options.
        posteriors: Belief in each item's identity.
        others: Further choices: log-probability relative to the best, and their options; best first.
    """

    score: float
    chosen: tuple[int, ...]
    posteriors: dict[int, Posterior]
    others: tuple[tuple[float, tuple[int, ...]], ...]


def decode(
    problem: Problem, own: dict[int, NDArray[np.float64]], *, budget: int = 24, alternatives: int = 3
) -> Decoded | None:
    """Solves a problem and weighs each doubtful item's other identities against the best.

    For an item in doubt the problem is solved again without its identity, up to `alternatives` times: the best
    explanation in which it is something else tells how likely that is (max-marginals). An item whose own read leaves no
    doubt, and which decoding left as read, keeps the read's probability.

    Args:
        problem: What to solve.
        own: (52,) log-probabilities of each item by its read alone.
        budget: How many times to solve again at most; the most doubtful items come first.
        alternatives: Other identities wanted for an item.
    """
    first = problem.solve()
    if first is None:
        return None
    score, chosen = first
    identity = _identities(problem, chosen)
    doubts = []
    for item, log in own.items():
        best = identity.get(item)
        read = float(log[best]) if best is not None else -np.inf
        if best is None or int(log.argmax()) != best or read < np.log(0.995):
            doubts.append((read, str(item), item))
    posteriors: dict[int, Posterior] = {}
    others: dict[tuple[int, ...], float] = {}
    spent, start = 0, time.perf_counter()
    for _, _, item in sorted(doubts, key=lambda row: row[:2]):
        banned: set[int] = set()
        weights: list[tuple[int, float]] = []
        current = identity.get(item)
        for _ in range(alternatives):
            if spent >= budget or time.perf_counter() - start > DOUBT_SECONDS:
                spent = budget
                break
            banned |= {n for n, o in enumerate(problem.options) if (item, current) in o.identities}
            spent += 1
            again = problem.solve(sorted(banned))
            if again is None or again[0] < score - 14:
                break
            others[again[1]] = again[0] - score
            current = _identities(problem, again[1]).get(item)
            weights.append((-1 if current is None else current, float(np.exp(min(again[0] - score, 0.0)))))
            if current is None:
                break
        if weights or spent < budget:  # else nothing is known of the rivals: the plain read must do
            total = 1 + sum(weight for _, weight in weights)
            listed = tuple((c, w / total) for c, w in weights if c >= 0)
            posteriors[item] = Posterior(identity.get(item), 1 / total, listed)
    for item, log in own.items():
        if item not in posteriors:
            posteriors[item] = _by_read(identity.get(item), log, alternatives)
    ranked = tuple(sorted(((s, c) for c, s in others.items()), reverse=True))
    return Decoded(score, chosen, posteriors, ranked)


def _by_read(best: int | None, log: NDArray[np.float64], alternatives: int) -> Posterior:
    order = [int(c) for c in np.argsort(-log)[: alternatives + 1] if c != best]
    listed = tuple((c, float(np.exp(log[c]))) for c in order[:alternatives] if log[c] > -12)
    return Posterior(best, 0.0 if best is None else float(np.exp(log[best])), listed)


def _identities(problem: Problem, chosen: Sequence[int]) -> dict[int, int]:
    return {item: card for n in chosen for item, card in problem.options[n].identities}
