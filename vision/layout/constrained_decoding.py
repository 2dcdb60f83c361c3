"""The most likely legal position: choices weighed by log-probability under the rules as linear constraints.

A layout module offers `Option`s: repairs to explain cards (this one is the 7H of that column; these five are a run).
Each card must be explained exactly once. Limits hold over all options, for example two copies of a card.
`Problem.solve` gives the exact optimum, which HiGHS finds. `decode` also asks what else doubtful cards could be.

What is searched is bounded by counts of work, never by time: a photo gives the same position on a slow or busy machine.

An option that breaks the game's rules may be offered at a price (`RULE_BROKEN`): an unreadable table then stays what it
is, a table that could not be read, instead of becoming a confident legal one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.preferences import preferences_of

RULE_BROKEN: Final[float] = preferences_of(__name__)["RULE_BROKEN"]
"""Log-probability that a real table breaks the rules at one place, or that its layout was misunderstood there."""
SHARED_ERROR: Final[float] = preferences_of(__name__)["SHARED_ERROR"]
"""How much the reads of one photo err alike: a rival that reads k cards differently is not k times as unlikely."""
LEAST_RIVAL_LOG_ODDS: Final = -14.0
"""Log-odds to the best explanation below which another one is no rival."""
MOST_LISTED: Final = 3
"""Other identities that are looked for and listed of an item, at most."""
LEAST_LISTED_LOG_PROBABILITY: Final = -12.0
"""Log-probability below which a card's read is not listed as an alternative."""
SURE_READ_PROBABILITY: Final = 0.995
"""A read with a lower probability leaves a doubt."""
DOUBTS: Final = 24
"""Searches, at most, that weigh what doubtful cards could be instead."""

MAX_PROGRAMS: Final = 300
"""Linear programs, at most, for one optimum; the best choice found by then is used. A real table needs a handful."""
MAX_ITERATIONS: Final = 20_000
"""Simplex iterations, at most, for one linear program. A real table needs some hundreds."""
MAX_DOUBT_ITERATIONS: Final = 20_000
"""Simplex iterations after which no further search weighs alternatives: about a second."""
WHOLE_WITHIN: Final = 1e-6
"""A share of an option that is this near to 0 or 1 is whole."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to explain some cards.

    Attributes:
        score: Its log-probability.
        covers: What it explains; every item of the problem is explained exactly once.
        uses: What it takes from the limits, as (limit, amount).
        identities: The identities it gives, as (item, identity), for posteriors.
        meaning: The layout module's own name for it.
    """

    score: float
    covers: tuple[int, ...]
    uses: tuple[tuple[Hashable, int], ...] = ()
    identities: tuple[tuple[int, int], ...] = ()
    meaning: object = None


@dataclass(slots=True)
class Problem:
    """Options, limits, and the optimum among them.

    Attributes:
        options: All of them.
        limits: How much of each limit there is.
        follows: Rows `(left, right)` of option numbers: at most one of `left` is chosen, and if one is, so is one of
            `right`.
    """

    options: list[Option]
    limits: dict[Hashable, int]
    follows: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    _program: _Program | None = field(default=None, repr=False)

    @property
    def iterations(self) -> int:
        """Simplex iterations of all searches so far."""
        return 0 if self._program is None else self._program.iterations

    def solve(self, without: Sequence[int] = ()) -> tuple[float, tuple[int, ...]] | None:
        """The best choice of options, None where there is none.

        Args:
            without: Numbers of options that may not be chosen.

        Returns:
            Its log-probability and the numbers of the chosen options.
        """
        if not self.options:
            return 0.0, ()
        if self._program is None:
            self._program = _Program(self)
        chosen = self._program.solve(without)
        return None if chosen is None else (sum(self.options[n].score for n in chosen), chosen)


class _Program:
    """A problem as an integer program: choose options such that each row's sum lies within its bounds.

    HiGHS solves the linear program that lets options be chosen in part, and nearly always chooses none in part. Where
    it does, one of those is tried chosen and not chosen. Each linear program goes on from the basis of the last one,
    so that the best choice without some options takes a few simplex iterations.
    """

    def __init__(self, problem: Problem) -> None:
        import highspy  # photos without a game need it not

        from plumbing.linear_programs import silent_highs

        self.iterations = 0
        self._scores = np.array([option.score for option in problem.options])
        self._bounds = np.zeros(len(self._scores)), np.ones(len(self._scores))
        self._optimal = highspy.HighsModelStatus.kOptimal
        self._solver = silent_highs()
        for name, value in (
            ("presolve", "off"),  # HiGHS 1.15.1 with it has called what was not best the optimum
            ("solver", "simplex"),
            ("threads", 1),
            ("simplex_iteration_limit", MAX_ITERATIONS),
        ):
            self._solver.setOptionValue(name, value)
        rows = [*_rows_of_items(problem), *_rows_of_limits(problem), *_rows_of_follows(problem)]
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(self._scores), len(rows)
        program.sense_ = highspy.ObjSense.kMaximize
        program.col_cost_ = self._scores
        program.col_lower_, program.col_upper_ = self._bounds
        program.row_lower_, program.row_upper_ = (np.array([row[k] for row in rows], float) for k in (1, 2))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.cumsum([0, *(len(entries) for entries, _, _ in rows)], dtype=np.int32)
        entries = [entry for row, _, _ in rows for entry in row.items()]
        program.a_matrix_.index_ = np.array([option for option, _ in entries], np.int32)
        program.a_matrix_.value_ = np.array([amount for _, amount in entries], float)
        self._solver.passModel(program)

    def solve(self, without: Sequence[int]) -> tuple[int, ...] | None:
        """The numbers of the best choice without some options, None where none was found."""
        best, chosen = -np.inf, None
        waiting: list[tuple[tuple[int, int], ...]] = [tuple((n, 0) for n in without)]
        for _ in range(MAX_PROGRAMS):
            if not waiting:
                break
            fixed = waiting.pop()
            shares = self._solve_relaxed(fixed)
            if shares is None or shares @ self._scores <= best:
                continue
            partial = np.flatnonzero(np.abs(shares - shares.round()) > WHOLE_WITHIN)
            if len(partial):
                n = int(partial[shares[partial].argmax()])
                waiting += [(*fixed, (n, 0)), (*fixed, (n, 1))]  # the last is tried first: it soon leads to a choice
            else:
                chosen = np.flatnonzero(shares > 0.5)
                best = float(self._scores[chosen].sum())
        return None if chosen is None else tuple(chosen.tolist())

    def _solve_relaxed(self, fixed: Sequence[tuple[int, int]]) -> NDArray[np.float64] | None:
        """(n,) how much of each option is chosen, of which some are fixed; None where no choice keeps the rows."""
        low, high = np.zeros(len(self._scores)), np.ones(len(self._scores))
        for n, share in fixed:
            low[n] = high[n] = share
        changed = np.flatnonzero((low != self._bounds[0]) | (high != self._bounds[1])).astype(np.int32)
        self._solver.changeColsBounds(len(changed), changed, low[changed], high[changed])
        self._bounds = low, high
        self._solver.run()
        self.iterations += 1 + max(0, int(self._solver.getInfo().simplex_iteration_count))
        if self._solver.getModelStatus() != self._optimal:
            return None
        return np.array(self._solver.getSolution().col_value)


_Row = tuple[dict[int, int], float, float]
"""A row of an integer program: each option's amount, and the least and the greatest sum of the chosen ones."""


def _rows_of_items(problem: Problem) -> list[_Row]:
    """Each item is explained once."""
    rows: dict[int, dict[int, int]] = {}
    for n, option in enumerate(problem.options):
        for item in option.covers:
            rows.setdefault(item, {})[n] = 1
    return [(row, 1, 1) for row in rows.values()]


def _rows_of_limits(problem: Problem) -> list[_Row]:
    """Of each limit no more is used than there is."""
    rows: dict[Hashable, dict[int, int]] = {limit: {} for limit in problem.limits}
    for n, option in enumerate(problem.options):
        for limit, amount in option.uses:
            if limit in rows:
                rows[limit][n] = rows[limit].get(n, 0) + amount
    return [(row, -np.inf, problem.limits[limit]) for limit, row in rows.items()]


def _rows_of_follows(problem: Problem) -> list[_Row]:
    """Of the left options no more are chosen than of the right ones."""
    signed = [{n: (n in left) - (n in right) for n in (*left, *right)} for left, right in problem.follows]
    return [({n: sign for n, sign in row.items() if sign}, -np.inf, 0) for row in signed]


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


def decode(problem: Problem, own: dict[int, NDArray[np.float64]], *, budget: int = DOUBTS) -> Decoded | None:
    """Solves a problem and weighs each doubtful item's other identities against the best.

    For an item in doubt the problem is solved again without its identity, up to `MOST_LISTED` times: the best
    explanation in which it is something else tells how likely that is (max-marginals). An item whose own read leaves no
    doubt, and which decoding left as read, keeps the read's probability.

    Args:
        problem: What to solve.
        own: (52,) log-probabilities of each item by its read alone.
        budget: How many times to solve again at most; the most doubtful items come first.
    """
    found = problem.solve()
    if found is None:
        return None
    score, chosen = found
    identity = _identities(problem, chosen)
    search = _RivalSearch(problem, score, identity, budget)
    posteriors = {item: _by_read(identity.get(item), log) for item, log in own.items()}
    others: dict[tuple[int, ...], float] = {}
    for item in _doubtful(own, identity):
        rivals = list(search.find(item))
        others |= {rival.chosen: rival.log_odds for rival in rivals}
        if rivals or search.searches_left:  # otherwise nothing is known of the rivals, and the plain read stays
            posteriors[item] = _against(rivals, identity.get(item))
    ranked = tuple(sorted(((log_odds, rival) for rival, log_odds in others.items()), reverse=True))
    return Decoded(score, chosen, posteriors, ranked)


def _identities(problem: Problem, chosen: Sequence[int]) -> dict[int, int]:
    """Each item's identity in a choice of options."""
    return {item: card for n in chosen for item, card in problem.options[n].identities}


def _doubtful(own: dict[int, NDArray[np.float64]], identity: dict[int, int]) -> list[int]:
    """The items whose read leaves a doubt, or that are not what was read; the most doubtful first."""
    doubts = []
    for item, log in own.items():
        best = identity.get(item)
        read = float(log[best]) if best is not None else -np.inf
        if best is None or int(log.argmax()) != best or read < np.log(SURE_READ_PROBABILITY):
            doubts.append((read, str(item), item))
    return [item for _, _, item in sorted(doubts)]


@dataclass(frozen=True, slots=True)
class _Rival:
    """Another explanation: an item's identity in it (None where it has none), its log-odds to the best, its options."""

    card: int | None
    log_odds: float
    chosen: tuple[int, ...]


class _RivalSearch:
    """Looks for explanations in which an item is something else, as long as searches are left."""

    def __init__(self, problem: Problem, score: float, identity: dict[int, int], searches: int) -> None:
        self.searches_left = searches
        self._problem, self._score, self._identity = problem, score, identity
        self._options_of: dict[tuple[int, int | None], list[int]] = {}
        for n, option in enumerate(problem.options):
            for named in option.identities:
                self._options_of.setdefault(named, []).append(n)
        self._last_iteration = problem.iterations + MAX_DOUBT_ITERATIONS

    def find(self, item: int) -> Iterator[_Rival]:
        """The likeliest explanations in which an item is something else each time."""
        problem, card = self._problem, self._identity.get(item)
        banned: set[int] = set()
        for _ in range(MOST_LISTED):
            if not self.searches_left or problem.iterations > self._last_iteration:
                self.searches_left = 0
                return
            self.searches_left -= 1
            banned.update(self._options_of.get((item, card), ()))
            again = problem.solve(sorted(banned))
            if again is None or again[0] < self._score + LEAST_RIVAL_LOG_ODDS:
                return
            rival = _Rival(*self._compare(item, *again), again[1])
            yield rival
            if rival.card is None:
                return
            card = rival.card

    def _compare(self, item: int, score: float, chosen: Sequence[int]) -> tuple[int | None, float]:
        """An item's identity in another explanation, and that one's log-odds to the best."""
        rival = _identities(self._problem, chosen)
        changed = sum(rival[other] != card for other, card in self._identity.items() if other in rival)
        return rival.get(item), min(score - self._score, 0.0) / (1 + SHARED_ERROR * max(changed - 1, 0))


def _against(rivals: Sequence[_Rival], best: int | None) -> Posterior:
    """What is believed of an item by the odds of its rivals."""
    odds = [float(np.exp(rival.log_odds)) for rival in rivals]
    total = 1 + sum(odds)
    listed = [(rival.card, weight / total) for rival, weight in zip(rivals, odds, strict=True)]
    return Posterior(best, 1 / total, tuple((card, chance) for card, chance in listed if card is not None))


def _by_read(best: int | None, log: NDArray[np.float64]) -> Posterior:
    """What is believed of an item by its read alone."""
    order = [int(c) for c in np.argsort(-log)[: MOST_LISTED + 1] if c != best]
    listed = tuple((c, float(np.exp(log[c]))) for c in order[:MOST_LISTED] if log[c] > LEAST_LISTED_LOG_PROBABILITY)
    return Posterior(best, 0.0 if best is None else float(np.exp(log[best])), listed)
