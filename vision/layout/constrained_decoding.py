"""The most likely legal position: choices weighed by log-probability under the rules as linear constraints.

A layout module offers `Option`s: repairs to explain cards (this one is the 7H of that column; these five are a run).
Each card must be explained exactly once. Limits hold over all options, for example two copies of a card.
`Problem.solve` finds the exact optimum. Groups of cards that only limits join are solved on their own by dynamic
programs. Where their solutions break a limit, a best-first search over the options to give up makes them agree.
Problems of another shape go to the HiGHS solver.

What is searched is bounded by counts of work, never by time: a photo gives the same position on a slow or busy machine.

An option that breaks the game's rules may be offered at a price (`RULE_BROKEN`): an unreadable table then stays what it
is, a table that could not be read, instead of becoming a confident legal one.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

RULE_BROKEN: Final = -12.0
"""Log-probability that a real table breaks the rules at one place, or that its layout was misunderstood there."""


ROUNDS: Final = 60
"""Most rounds of HiGHS on one integer program, about a second for the largest. The best choice found by then is used. A
real table needs a handful."""
MAX_SECONDS: Final = 120.0
"""No integer program may take longer: a safety net for the case that HiGHS hangs within a round."""
MAX_NODES: Final = 300
"""Choices of what to give up for a limit, before the integer program takes over."""
MAX_MASKS: Final = 20000
"""The same for the partial covers of one part."""
SHARED_ERROR: Final = 0.6
"""How much the reads of one photo err alike: a rival that reads k cards differently is not k times as unlikely."""
DOUBTS: Final = 24
"""Searches, at most, that weigh what doubtful cards could be instead."""
DOUBT_WORK: Final = 300_000
"""Most work (see `Problem.work`) of all further searches that weigh alternatives: about a second."""


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
        follows: Rows `(left, right)` of option numbers: if one of `left` is chosen, one of `right` must be.
    """

    options: list[Option]
    limits: dict[Hashable, int]
    follows: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    _program: _Program | None = field(default=None, repr=False)
    _work: int = field(default=0, repr=False)
    _parts: _Parts | None = field(default=None, repr=False)
    _best: tuple[float, tuple[int, ...]] | None = field(default=None, repr=False)
    _hard: bool = field(default=False, repr=False)

    @property
    def work(self) -> int:
        """What all searches so far have cost, in partial covers tried: the same count on every machine."""
        return self._work + (sum(part.work for part in self._parts.parts) if self._parts is not None else 0)

    def solve(self, without: Sequence[int] = ()) -> tuple[float, tuple[int, ...]] | None:
        """The best choice of options, None where there is none.

        Items that no option and no row of `follows` joins are independent but for the limits. So each such part is
        solved on its own, exactly, and where the parts together exceed a limit, the search branches over which of the
        options that use it is given up; the first choice within all limits is the optimum. Parts of another shape, and
        tables where that takes too long, go to the HiGHS solver as one integer program.

        Args:
            without: Numbers of options that may not be chosen.

        Returns:
            Its log-probability and the numbers of the chosen options.
        """
        if without:
            return self._solve(without)
        if self._best is None:
            self._best = self._solve(())
        return self._best

    def _solve(self, without: Sequence[int]) -> tuple[float, tuple[int, ...]] | None:
        if not self._hard:
            try:
                if self._parts is None:
                    self._parts = _parts_of(self)
                return self._branch(frozenset(without), self._parts)
            except _TooHardError:
                self._hard = True  # with other options banned it will be as hard
        return self._search(without)

    def _branch(self, without: frozenset[int], parts: _Parts) -> tuple[float, tuple[int, ...]] | None:
        queue: list[tuple[float, int, _Node]] = []
        seen: set[tuple[frozenset[int], frozenset[int]]] = set()

        def push(node: _Node) -> None:
            if (node.banned, node.loosened) in seen:
                return
            seen.add((node.banned, node.loosened))
            node.repairs, loss = self._list_repairs(node, parts)
            if loss < np.inf:
                heapq.heappush(queue, (loss - node.score, len(seen), node))

        found = [part.solve(without) for part in parts.parts]
        solved = [part for part in found if part is not None]
        if len(solved) == len(found):
            push(_Node(without, frozenset(), solved, sum(score for score, _ in solved)))
        while queue:
            if len(seen) > MAX_NODES:
                raise _TooHardError
            _, _, node = heapq.heappop(queue)
            self._work += len(node.repairs)
            if not node.repairs:
                return node.score, tuple(sorted([n for _, chosen in node.solved for n in chosen] + list(node.loosened)))
            for loss, n, other in node.repairs:
                if other is None:
                    push(_Node(node.banned, node.loosened | {n}, node.solved, node.score - loss))
                else:
                    solved = list(node.solved)
                    solved[parts.part_of[n]] = other
                    push(_Node(node.banned | {n}, node.loosened, solved, node.score - loss))
        return None

    def _list_repairs(self, node: _Node, parts: _Parts) -> tuple[list[_Repair], float]:
        """The ways to mend the costliest limit that a node breaks, and the least that mending all of them costs.

        Limits that are broken by different parts of the problem are paid for one after the other, so the least that
        each costs adds up; of those that share a part only the costliest counts.
        """
        chosen = [n for _, numbers in node.solved for n in numbers] + list(node.loosened)
        broken = []
        for limit in self._broken_limits(chosen):
            repairs = [*self._without_one(node, parts, chosen, limit), *self._loosened(node, parts, limit)]
            if not repairs:
                return [], np.inf
            broken.append((min(loss for loss, _, _ in repairs), repairs))
        if not broken:
            return [], 0.0
        broken.sort(key=lambda pair: -pair[0])
        least, touched = 0.0, set[int]()
        for loss, repairs in broken:
            own = {parts.part_of.get(n, -1 - n) for _, n, _ in repairs}
            if not own & touched:
                touched |= own
                least += loss
        return broken[0][1], least

    def _broken_limits(self, chosen: Sequence[int]) -> list[Hashable]:
        """The limits of which the chosen options use more than there is."""
        used: dict[Hashable, int] = {}
        for n in chosen:
            for limit, amount in self.options[n].uses:
                used[limit] = used.get(limit, 0) + amount
        return [limit for limit, amount in used.items() if amount > self.limits.get(limit, amount)]

    def _without_one(self, node: _Node, parts: _Parts, chosen: Sequence[int], limit: Hashable) -> Iterator[_Repair]:
        """The ways to do without one of the options that use a limit."""
        for n in chosen:
            if any(u == limit and amount > 0 for u, amount in self.options[n].uses):
                place = parts.part_of[n]
                other = parts.parts[place].solve(node.banned | {n})
                if other is not None:
                    yield node.solved[place][0] - other[0], n, other

    def _loosened(self, node: _Node, parts: _Parts, limit: Hashable) -> Iterator[_Repair]:
        """The options that loosen a limit at a price."""
        for n in parts.slack:
            if n not in node.banned and n not in node.loosened and any(u == limit for u, _ in self.options[n].uses):
                yield -self.options[n].score, n, None

    def _search(self, without: Sequence[int]) -> tuple[float, tuple[int, ...]] | None:
        if not self.options:
            return 0.0, ()
        if self._program is None:
            self._program = _program_of(self)
        chosen, iterations = self._program.solve(without)
        self._work += len(self.options) * (1 + iterations)  # each looks at every option
        return None if chosen is None else (sum(self.options[n].score for n in chosen), chosen)


@dataclass(frozen=True, slots=True)
class _Program:
    """A problem as an integer program: choose options such that every row's sum lies between its bounds.

    Attributes:
        score: float64 (n,), of each option.
        starts: int32 (rows + 1,), where each row's entries begin.
        columns: int32, the option of each entry.
        values: float64, its coefficient.
        low: float64 (rows,), least sum of each row.
        high: The same, greatest.
    """

    score: NDArray[np.float64]
    starts: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def solve(self, without: Sequence[int]) -> tuple[tuple[int, ...] | None, int]:
        """The numbers of the best choice without some options, None where none was found, and the iterations taken."""
        import highspy  # few tables need it

        count = len(self.score)
        ceiling = np.ones(count)
        ceiling[list(without)] = 0
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = count, len(self.low)
        program.sense_ = highspy.ObjSense.kMaximize
        program.col_cost_, program.col_lower_, program.col_upper_ = self.score, np.zeros(count), ceiling
        program.row_lower_, program.row_upper_ = self.low, self.high
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_, program.a_matrix_.index_ = self.starts, self.columns
        program.a_matrix_.value_ = self.values
        program.integrality_ = [highspy.HighsVarType.kInteger] * count
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),  # HiGHS 1.15.1 with it has called what was not best the optimum
            ("threads", 1),
            ("mip_rel_gap", 0.0),
            ("time_limit", MAX_SECONDS),
        ):
            solver.setOptionValue(option, value)
        rounds = 0

        def count_round(event: Any) -> None:
            nonlocal rounds
            rounds += 1
            if rounds > ROUNDS:
                event.interrupt()

        solver.cbMipInterrupt += count_round  # asked at fixed points of the search, however fast the machine
        solver.passModel(program)
        solver.run()
        told = solver.getInfo()
        iterations = max(0, int(told.simplex_iteration_count))
        if told.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None, iterations
        chosen = np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5)
        return tuple(chosen.tolist()), iterations


def _program_of(problem: Problem) -> _Program:
    """One row for each item, which is explained once, for each limit, and for each row of `follows`."""
    covers = _rows_of_items(problem)
    uses = _rows_of_limits(problem)
    follows = [
        [(n, 1) for n in left if n not in right] + [(n, -1) for n in right if n not in left]
        for left, right in problem.follows
    ]
    rows = [*covers, *uses, *follows]
    entries = np.array(list(chain.from_iterable(rows)), dtype=np.int64).reshape(-1, 2)
    low = np.r_[np.ones(len(covers)), np.full(len(uses) + len(follows), -np.inf)]
    high = np.r_[np.ones(len(covers)), np.array([*problem.limits.values()], float), np.zeros(len(follows))]
    return _Program(
        np.array([option.score for option in problem.options]),
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
        entries[:, 0].astype(np.int32),
        entries[:, 1].astype(np.float64),
        low,
        high,
    )


def _rows_of_items(problem: Problem) -> list[list[tuple[int, int]]]:
    """For each item the options that cover it, with their coefficient."""
    covers: dict[int, list[tuple[int, int]]] = {}
    for n, option in enumerate(problem.options):
        for item in option.covers:
            covers.setdefault(item, []).append((n, 1))
    return list(covers.values())


def _rows_of_limits(problem: Problem) -> list[list[tuple[int, int]]]:
    """For each limit the options that use it, with the amount."""
    uses: dict[Hashable, dict[int, int]] = {limit: {} for limit in problem.limits}
    for n, option in enumerate(problem.options):
        for limit, amount in option.uses:
            if limit in uses:
                uses[limit][n] = uses[limit].get(n, 0) + amount
    return [list(row.items()) for row in uses.values()]


class _TooHardError(Exception):
    """The parts have another shape than expected, or too many choices."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """Independent parts of a problem, and its options that explain nothing but loosen a limit."""

    parts: tuple[_Cover | _Chain, ...]
    slack: tuple[int, ...]
    part_of: dict[int, int]
    """The part that each other option belongs to."""


_Repair = tuple[float, int, "tuple[float, tuple[int, ...]] | None"]
"""One way to mend a broken limit: what it costs, the option given up, and its part's best without it.

The last is None where an option that loosens the limit is taken instead.
"""


@dataclass(eq=False, slots=True)
class _Node:
    """A partial solution: options banned, options taken that loosen limits, and the best of each part under these."""

    banned: frozenset[int]
    loosened: frozenset[int]
    solved: list[tuple[float, tuple[int, ...]]]
    score: float
    repairs: list[_Repair] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Cover:
    """Items that must be covered exactly once, each option (number, bits of its items, score)."""

    items: int
    options: list[tuple[int, int, float]]
    _solved: dict[frozenset[int], tuple[float, tuple[int, ...]] | None] = field(default_factory=dict)
    own: frozenset[int] = frozenset()
    work: int = 0
    _ranked: list[dict[int, list[tuple[float, int]]]] = field(default_factory=list)
    """By lowest item and by bits: the options (score, number) that cover just these items, best first."""

    def __post_init__(self) -> None:
        self.own = frozenset(number for number, _, _ in self.options)
        self._ranked = [{} for _ in range(self.items)]
        for number, bits, score in sorted(self.options, key=lambda option: (-option[2], option[0])):
            self._ranked[(bits & -bits).bit_length() - 1].setdefault(bits, []).append((score, number))

    def solve(self, banned: frozenset[int]) -> tuple[float, tuple[int, ...]] | None:
        """The best cover by dynamic programming over what is covered, None where there is none."""
        key = banned & self.own
        if key not in self._solved:
            self._solved[key] = self._best(key)
        return self._solved[key]

    def _best(self, banned: frozenset[int]) -> tuple[float, tuple[int, ...]] | None:
        whole = (1 << self.items) - 1
        best = self._search([_best_allowed(own, banned) for own in self._ranked], whole)
        if whole not in best:
            return None
        chosen, mask = [], whole
        while mask:
            _, mask, number = best[mask]
            chosen.append(number)
        return best[whole][0], tuple(chosen)

    def _search(
        self, starting: Sequence[Sequence[tuple[int, float, int]]], whole: int
    ) -> dict[int, tuple[float, int, int]]:
        """The best way to each partial cover: score, the cover before and the option taken last.

        Items are covered in ascending order, so an option is taken when its lowest item is the lowest left.
        """
        best: dict[int, tuple[float, int, int]] = {0: (0.0, -1, -1)}
        waiting = [0]
        while waiting:
            mask = heapq.heappop(waiting)  # a mask's successors are larger, so it is final when it is taken
            if mask == whole:
                break
            left = ~mask & whole
            base = best[mask][0]
            fitting = starting[(left & -left).bit_length() - 1]
            self.work += len(fitting)
            for bits, score, number in fitting:
                if bits & mask:
                    continue
                to = mask | bits
                if to not in best:
                    heapq.heappush(waiting, to)
                if to not in best or base + score > best[to][0]:
                    best[to] = (base + score, mask, number)
            if len(best) > MAX_MASKS:
                raise _TooHardError
        return best


def _best_allowed(own: dict[int, list[tuple[float, int]]], banned: frozenset[int]) -> list[tuple[int, float, int]]:
    """Bits, score and number of the best option for each set of items, of those that may be chosen."""
    return [(bits, *first) for bits, ranked in own.items() if (first := _first(ranked, banned)) is not None]


def _first(ranked: Sequence[tuple[float, int]], banned: frozenset[int]) -> tuple[float, int] | None:
    """The best option that may be chosen."""
    return next((option for option in ranked if option[1] not in banned), None) if banned else ranked[0]


@dataclass(eq=False, slots=True)
class _Chain:
    """Items in a row, each with options of its own; neighbours' options go together, or at a price, or not at all.

    Attributes:
        options: Numbers of each item's options.
        scores: Their log-probabilities.
        price: (options of an item, options of the next): what a pair adds to the score, -inf where it may not be.
        slack: The slack option that a pair takes, -1 for none.
    """

    options: list[NDArray[np.intp]]
    scores: list[NDArray[np.float64]]
    price: list[NDArray[np.float64]]
    slack: list[NDArray[np.intp]]
    _solved: dict[frozenset[int], tuple[float, tuple[int, ...]] | None] = field(default_factory=dict)
    own: frozenset[int] = frozenset()
    work: int = 0

    def __post_init__(self) -> None:
        self.own = frozenset(int(n) for numbers in (*self.options, *self.slack) for n in numbers.ravel())

    def solve(self, banned: frozenset[int]) -> tuple[float, tuple[int, ...]] | None:
        """The best row of options by Viterbi's algorithm, None where there is none."""
        key = banned & self.own
        if key not in self._solved:
            self._solved[key] = self._best(list(key))
        return self._solved[key]

    def _best(self, banned: list[int]) -> tuple[float, tuple[int, ...]] | None:
        scores = [np.where(np.isin(n, banned), -np.inf, s) for n, s in zip(self.options, self.scores, strict=True)]
        total, back = scores[0], []
        for price, slack, score in zip(self.price, self.slack, scores[1:], strict=True):
            lost = np.where(np.isin(slack, banned) & (slack >= 0), -np.inf, 0.0) if banned else 0.0
            table = total[:, None] + price + lost
            self.work += table.shape[0]
            back.append(table.argmax(0))
            total = table.max(0) + score
        at = int(total.argmax())
        best = float(total[at])
        return None if best == -np.inf else (best, tuple(self._path_to(at, back)))

    def _path_to(self, at: int, back: Sequence[NDArray[np.intp]]) -> Iterator[int]:
        """The numbers of the options on the way to one of the last item, from there back, with the slack they take."""
        yield int(self.options[-1][at])
        for k in range(len(back) - 1, -1, -1):
            before = int(back[k][at])
            if self.slack[k][before, at] >= 0:
                yield int(self.slack[k][before, at])
            at = before
            yield int(self.options[k][at])


def _parts_of(problem: Problem) -> _Parts:
    """The independent parts of a problem."""
    options = problem.options
    of_row = [_covered(options, [*left, *right]) for left, right in problem.follows]
    if not all(of_row):
        raise _TooHardError
    root = _roots([*(option.covers for option in options if option.covers), *of_row])
    members = _grouped((root[item], item) for item in root)
    numbers = _grouped((root[option.covers[0]], n) for n, option in enumerate(options) if option.covers)
    rows = _grouped((root[items[0]], row) for row, items in enumerate(of_row))
    parts: list[_Cover | _Chain] = []
    for name, items in members.items():
        if name in rows:
            parts.append(_chain(problem, items, numbers[name], [(problem.follows[r], of_row[r]) for r in rows[name]]))
        else:
            parts.append(_cover(problem, items, numbers[name]))
    return _Parts(tuple(parts), _slack_of(problem), {n: k for k, part in enumerate(parts) for n in part.own})


def _slack_of(problem: Problem) -> tuple[int, ...]:
    """The options that explain nothing and stand in no row of `follows`: they loosen limits."""
    in_rows = set(chain.from_iterable((*left, *right) for left, right in problem.follows))
    return tuple(n for n, option in enumerate(problem.options) if not option.covers and n not in in_rows)


def _covered(options: Sequence[Option], numbers: Sequence[int]) -> list[int]:
    """The items that some of the options cover, each once."""
    return list(dict.fromkeys(item for n in numbers for item in options[n].covers))


def _cover(problem: Problem, items: Sequence[int], numbers: Sequence[int]) -> _Cover:
    """Items that no row joins, with the options that cover them as bits."""
    options = problem.options
    place = {item: k for k, item in enumerate(_side_by_side(items, [options[n].covers for n in numbers]))}
    bits = [(n, sum(1 << place[item] for item in options[n].covers), options[n].score) for n in numbers]
    return _Cover(len(items), bits)


def _roots(groups: Sequence[Sequence[int]]) -> dict[int, int]:
    """Each item's part, as one of its items: whatever stands in one group is of one part.

    >>> root = _roots([(1, 2), (3,), (2, 4)])
    >>> root[1] == root[2] == root[4], root[3] == root[1]
    (True, False)
    """
    parent: dict[int, int] = {}

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for group in groups:
        for item in group:
            parent.setdefault(item, item)
            parent[root(item)] = root(group[0])
    return {item: root(item) for item in parent}


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """The second numbers by the first."""
    found: dict[int, list[int]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _side_by_side(items: Sequence[int], covers: Sequence[Sequence[int]]) -> list[int]:
    """Items so ordered that those one option covers stand near each other (Cuthill and McKee's algorithm).

    Covered in this order, few are left open between the first uncovered one and the last covered one, so that there are
    few partial covers: one end of the table is done before the other is begun.
    """
    beside: dict[int, set[int]] = {item: set() for item in items}
    for cover in covers:
        for item in cover:
            beside[item].update(cover)
    order, waiting = [], set(items)
    while waiting:
        queue = deque([min(waiting, key=lambda item: len(beside[item]))])
        waiting.discard(queue[0])
        while queue:
            order.append(queue.popleft())
            found = sorted(beside[order[-1]] & waiting, key=lambda item: (len(beside[item]), item))
            waiting.difference_update(found)
            queue.extend(found)
    return order


_Row = tuple[tuple[tuple[int, ...], tuple[int, ...]], list[int]]
"""A row of `follows` and the items that its options cover."""


def _chain(problem: Problem, items: Sequence[int], numbers: Sequence[int], rows: Sequence[_Row]) -> _Chain:
    """Items in the order in which rows join them."""
    options = problem.options
    if any(len(options[n].covers) != 1 for n in numbers) or any(len(pair) != 2 for _, pair in rows):
        raise _TooHardError
    order = _order_of_chain(items, [(pair[0], pair[1]) for _, pair in rows])
    own = _grouped((options[n].covers[0], n) for n in numbers)
    price = [np.zeros((len(own[a]), len(own[b]))) for a, b in pairwise(order)]
    slack_taken = [np.full(part.shape, -1, np.intp) for part in price]
    for row in rows:
        k = order.index(row[1][0])
        _apply_row(options, row, own, price[k], slack_taken[k])
    arrays = [np.array(own[item], np.intp) for item in order]
    scores = [np.array([options[n].score for n in own[item]]) for item in order]
    return _Chain(arrays, scores, price, slack_taken)


def _apply_row(
    options: Sequence[Option],
    row: _Row,
    own: Mapping[int, list[int]],
    price: NDArray[np.float64],
    slack_taken: NDArray[np.intp],
) -> None:
    """Writes what a row asks of two neighbours into their prices and slack, (options of the one, of the other)."""
    (left, right), (first, second) = row
    good, cheapest = _row_of_chain(options, left, right, first, second)
    bad = ~np.isin(own[second], good)
    for n in left:
        at = own[first].index(n)
        if (price[at] != 0).any():
            raise _TooHardError
        price[at, bad] = -np.inf if cheapest < 0 else options[cheapest].score
        slack_taken[at, bad] = cheapest


def _row_of_chain(
    options: Sequence[Option], left: Sequence[int], right: Sequence[int], first: int, second: int
) -> tuple[list[int], int]:
    """The options of the second item that a row allows, and the cheapest one that loosens it, -1 for none.

    Raises _TooHardError for a row that says more than what may follow an option of the first item.
    """
    slack = [n for n in right if not options[n].covers]
    good = [n for n in right if options[n].covers == (second,)]
    one_way = all(options[n].covers == (first,) for n in left) and all(options[n].covers != (first,) for n in right)
    if not one_way or any(options[n].uses for n in slack):
        raise _TooHardError
    return good, max(slack, key=lambda n: options[n].score, default=-1)


def _order_of_chain(items: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Items in the order in which pairs of neighbours join them; raises _TooHardError where they make no chain.

    >>> _order_of_chain([1, 2, 3], [(3, 1), (1, 2)])
    [3, 1, 2]
    """
    after: dict[int, int] = {}
    for first, second in pairs:
        if after.setdefault(first, second) != second:
            raise _TooHardError
    starts = set(items) - set(after.values())
    if len(starts) != 1 or len(set(after.values())) != len(after):
        raise _TooHardError
    order = [starts.pop()]
    while order[-1] in after:
        order.append(after[order[-1]])
    if len(order) != len(items):
        raise _TooHardError
    return order


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
    problem: Problem, own: dict[int, NDArray[np.float64]], *, budget: int = DOUBTS, alternatives: int = 3
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
    search = _RivalSearch(problem, score, identity, budget)
    posteriors = {item: _by_read(identity.get(item), log, alternatives) for item, log in own.items()}
    others: dict[tuple[int, ...], float] = {}
    for item in _doubtful(own, identity):
        rivals = list(search.rivals(item, alternatives))
        others |= {rival.chosen: rival.behind for rival in rivals}
        if rivals or search.left:  # otherwise nothing is known of the rivals, and the plain read stays
            weights = [float(np.exp(rival.behind)) for rival in rivals]
            total = 1 + sum(weights)
            known = [(rival.card, weight / total) for rival, weight in zip(rivals, weights, strict=True)]
            listed = tuple((card, chance) for card, chance in known if card is not None)
            posteriors[item] = Posterior(identity.get(item), 1 / total, listed)
    ranked = tuple(sorted(((s, c) for c, s in others.items()), reverse=True))
    return Decoded(score, chosen, posteriors, ranked)


def _doubtful(own: dict[int, NDArray[np.float64]], identity: dict[int, int]) -> list[int]:
    """The items whose read leaves a doubt, or that are not what was read; the most doubtful first."""
    doubts = []
    for item, log in own.items():
        best = identity.get(item)
        read = float(log[best]) if best is not None else -np.inf
        if best is None or int(log.argmax()) != best or read < np.log(0.995):
            doubts.append((read, str(item), item))
    return [item for _, _, item in sorted(doubts, key=lambda row: row[:2])]


@dataclass(frozen=True, slots=True)
class _Rival:
    """Another explanation: what an item is in it (None for nothing), its log-odds to the best, its options."""

    card: int | None
    behind: float
    chosen: tuple[int, ...]


class _RivalSearch:
    """Looks for explanations in which items are something else; `left` says how many it may still look for."""

    def __init__(self, problem: Problem, score: float, identity: dict[int, int], budget: int) -> None:
        self.left = budget
        self._problem, self._score, self._identity = problem, score, identity
        self._most_work = problem.work + DOUBT_WORK

    def rivals(self, item: int, most: int) -> Iterator[_Rival]:
        """The likeliest explanations in which an item is something else each time."""
        problem, current = self._problem, self._identity.get(item)
        banned: set[int] = set()
        for _ in range(most):
            if not self.left or problem.work > self._most_work:
                self.left = 0
                return
            self.left -= 1
            banned |= {n for n, o in enumerate(problem.options) if (item, current) in o.identities}
            again = problem.solve(sorted(banned))
            if again is None or again[0] < self._score - 14:
                return
            rival = _identities(problem, again[1])
            current = rival.get(item)
            changed = sum(rival[other] != card for other, card in self._identity.items() if other in rival)
            yield _Rival(current, min(again[0] - self._score, 0.0) / (1 + SHARED_ERROR * max(changed - 1, 0)), again[1])
            if current is None:
                return


def _by_read(best: int | None, log: NDArray[np.float64], alternatives: int) -> Posterior:
    order = [int(c) for c in np.argsort(-log)[: alternatives + 1] if c != best]
    listed = tuple((c, float(np.exp(log[c]))) for c in order[:alternatives] if log[c] > -12)
    return Posterior(best, 0.0 if best is None else float(np.exp(log[best])), listed)


def _identities(problem: Problem, chosen: Sequence[int]) -> dict[int, int]:
    return {item: card for n in chosen for item, card in problem.options[n].identities}
