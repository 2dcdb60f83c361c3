"""The exact answer for one Makiaveli table: can the whole hand be played this turn, and how with the least disruption?

>>> from solver.makiaveli.position import Position
>>> solution = solve(Position.parse("floor: 3H 4H 5H 6H 7H; hand: 5H"))
>>> print(solution.verdict, solution.broken, solution.moved, *solution.line)
win 1 2 melds: 3H 4H 5H | 5H 6H 7H; cross: - - - -; hand:
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, combinations, repeat
from operator import attrgetter
from threading import TIMEOUT_MAX, Event, Thread
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plumbing.clock import Clock, paused_clocks
from plumbing.errors import CardsError, IllegalMoveError, PositionError, RulesError
from solver.cards import DECK, Card
from solver.makiaveli.encoding import Counts, copies, larger_table, melds_of, seen_bytes, visited_table, winnable
from solver.makiaveli.fewest_broken_kernels import best_table
from solver.makiaveli.fewest_moved_kernels import fewest_moved
from solver.makiaveli.kernels import judge_table, win_each
from solver.makiaveli.melds import is_meld
from solver.makiaveli.position import Meld, Position, Turn
from solver.makiaveli.strict_cross import LeastSearch, Rest, strict_turn
from solver.makiaveli.turn_steps import Disruption, Step, disruption, steps, tables_after
from solver.numeric.jit import as_int64, call_light, interpreted, is_compiled, spend, work_left
from solver.numeric.outcomes import FOUND, ILLEGAL, NOTHING, OPEN, TABLE_FULL
from solver.position import check
from solver.solution import Failure, Limits, SearchStats, Solution, StopReason, Verdict
from solver.verifier import verify

_INDEX = attrgetter("index")

Objective = Literal["least", "broken", "moved", "cards"]
"""What is minimised among the tables that play the most hand cards.

`least`: broken melds, then moved cards; `broken` and `moved`: that alone; `cards`: nothing, any such table will do.
"""

QUICK_NODES: Final = 20_000
"""States that are visited before a clock is started: some milliseconds."""

MOST_NODES: Final = 3_000_000
"""States that are visited at most, for the sake of memory: a few hundred megabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakiaveliSolution(Solution):
    """The verdict on a turn with the table that proves it.

    Attributes:
        max_cards: The most hand cards that one turn can play; None where a limit was hit before that was known.
        final: The best table; None where no card can be played, none has to be, or a limit was hit.
        broken: Floor melds whose cards do not all stay together in `final`.
        moved: Floor cards that leave their meld in `final`.
        minimal: Whether `broken` and `moved` are proved to be least in the sense of the objective asked for.
    """

    MOVE: ClassVar[str] = "turn"

    max_cards: int | None
    final: Turn | None
    broken: int
    moved: int
    minimal: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        """What to do with two hands, in order; replaying it gives exactly `final`."""
        assert isinstance(self.position, Position)
        return () if self.final is None else steps(self.position, self.final)

    def describe_steps(self) -> tuple[str, ...]:
        """The steps in words, in place of the turn's whole table."""
        return tuple(str(step) for step in self.steps)

    def tables(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Each step in words with the JSON object of the table after it, see `turn_steps.tables_after`."""
        assert isinstance(self.position, Position)
        return zip(self.describe_steps(), tables_after(self.position, self.steps), strict=True)

    @property
    def blockers(self) -> tuple[Card, ...]:
        """Hand cards that no table can place together, as few as possible; empty for a win."""
        assert isinstance(self.position, Position)
        return blockers(self.position) if self.verdict is Verdict.NO_WIN else ()

    def to_json(self) -> dict[str, Any]:
        """The result's JSON object."""
        return Solution.to_json(self) | {
            "max_cards": self.max_cards,
            "broken": self.broken,
            "moved": self.moved,
            "minimal": self.minimal,
            "final": None if self.final is None else self.final.to_json(),
            "steps": [step.to_json() for step in self.steps],
            "blockers": [str(card) for card in self.blockers],
        }


def verdict(position: Position) -> Verdict:
    """Whether the whole hand can be played this turn, without the table that proves it.

    Raises:
        PositionError: With every fault, if the position is not legal.

    >>> from solver.makiaveli.position import Position
    >>> str(verdict(Position.parse("hand: KS AS 2S")))
    'no_win'
    """
    if position.strict_cross:
        return solve(position, objective="cards").verdict
    seen = seen_bytes(position)
    found = call_light(judge_table, seen, visited_table(), work=30)
    while found == TABLE_FULL:
        found = judge_table(seen, larger_table())
    if found == ILLEGAL:
        check(position)
    return Verdict.WIN if found == FOUND or not position.hand else Verdict.NO_WIN


def solve_many(floor: NDArray[np.uint8], cross: NDArray[np.uint8], hand: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each of many hands can be played whole; releases the lock of the interpreter while it works.

    Args:
        floor: uint8 (n, 52), copies of each card on the floor, 0 to 2, indexed as `Card.index`.
        cross: The same in the cross.
        hand: The same in the hand.

    Returns:
        bool (n,).

    Raises:
        ValueError: Where the shapes differ or a card stands on a table more than twice.

    >>> from solver.cards import parse_cards
    >>> nothing = copies(())[None]
    >>> solve_many(nothing, nothing, copies(parse_cards("3S 4S 5S"))[None])
    array([ True])
    """
    arrays = [np.ascontiguousarray(counts, dtype=np.uint8) for counts in (floor, cross, hand)]
    shape = arrays[0].shape
    if len(shape) != 2 or shape[1] != 52 or any(counts.shape != shape for counts in arrays):
        raise RulesError("shapes", [counts.shape for counts in arrays], "three times (n, 52)")
    too_often = np.sum(np.stack(arrays), axis=0, dtype=np.int64) > 2
    if too_often.any():
        row, card = np.argwhere(too_often)[0]
        fault = f"row {row}: {Card.from_index(int(card))} stands more than twice; two decks hold 2"
        raise PositionError(Position.game, [fault])
    out = np.empty(shape[0], dtype=np.int8)
    win_each(arrays[0], arrays[1], arrays[2], visited_table(), out)
    while (out == TABLE_FULL).any():
        win_each(arrays[0], arrays[1], arrays[2], larger_table(), out)
    return np.asarray(out == FOUND)


def solve(position: Position, limits: Limits | None = None, *, objective: Objective = "least") -> MakiaveliSolution:
    """The verdict with the best table, replayed.

    Args:
        position: The table; house rules such as `strict_cross` are its own.
        limits: Bounds on the search. The verdict needs microseconds; a limit can only be hit by the proof that the
            table is the least disruptive (`minimal` is then False) or under `strict_cross`.
        objective: What is minimised among the tables that play the most cards.

    Raises:
        PositionError: With every fault, if the position is not legal.
        RulesError: For an unknown objective.
    """
    if objective not in get_args(Objective):
        raise RulesError("objective", objective, ", ".join(get_args(Objective)))
    counts = Counts.of(position)
    return verify(_solve(position, counts, _Clock(limits or Limits()), objective, None))


def solve_each(positions: Sequence[Position], limits: Limits | None = None) -> list[MakiaveliSolution | Failure]:
    """`solve` for many positions, whose verdicts come from one call of `solve_many`.

    Returns:
        One solution for each position; for one that is not legal a `Failure`.
    """
    limits = limits or Limits()
    results: dict[int, MakiaveliSolution | Failure] = {}
    legal: dict[int, Counts] = {}
    for place, position in enumerate(positions):
        try:
            legal[place] = Counts.of(position)
        except CardsError as error:
            results[place] = Failure(position, error)
    if legal:
        floor, hand, total = (
            np.stack([getattr(counts, name) for counts in legal.values()]) for name in ("floor", "hand", "total")
        )
        wins = solve_many(floor, total - floor - hand, hand)
        for (place, counts), is_win in zip(legal.items(), wins.tolist(), strict=True):
            results[place] = verify(_solve(positions[place], counts, _Clock(limits), "least", is_win))
    return [results[place] for place in range(len(positions))]


def _solve(
    position: Position, counts: Counts, clock: _Clock, objective: Objective, is_win: bool | None
) -> MakiaveliSolution:
    """The answer; `is_win` says whether the hand can be played where that is known already."""
    if not position.hand:
        return _solution(position, None, clock, minimal=True)
    if clock.is_over:
        return _solution(position, None, clock, minimal=False, stop=StopReason.TIME_LIMIT, cards=None)
    if is_win is None:
        is_win = winnable(counts.floor + counts.hand, counts.total)
    lost = 0
    if not is_win:
        most_cards = _best(best_table, counts, clock, 0, 1, len(position.hand))  # that it is no win is proved
        if most_cards is None:
            return _solution(position, None, clock, minimal=False, cards=None)
        lost = most_cards.lost
    if lost == len(position.hand):
        return _solution(position, None, clock, minimal=True)
    return _least_disruptive(position, counts, clock, objective, lost)


def _least_disruptive(
    position: Position, counts: Counts, clock: _Clock, objective: Objective, lost: int
) -> MakiaveliSolution:
    """The answer where all hand cards but `lost` can be played, and some are."""
    table = _least(counts, clock, objective, lost)
    if table is None:  # a limit was hit before any table was found
        stop = StopReason.SOLVED if lost else clock.reason
        return _solution(position, None, clock, minimal=False, stop=stop, cards=len(position.hand) - lost)
    turn = turn_of(position, table.melds)
    if position.strict_cross:
        try:
            position.play(turn)
        except IllegalMoveError:
            return _strict(position, counts, clock, objective)
    return _solution(position, turn, clock, minimal=table.is_best)


def blockers(position: Position) -> tuple[Card, ...]:
    """Hand cards that no table can place together: one or two if there are so few, else a set of which none is idle.

    Leaving out any one of them would leave cards that can be placed together. Empty where the hand can be played, be
    it against the rule of the strict cross.
    """
    counts = Counts.of(position)
    cards = sorted(position.hand)

    def blocked(chosen: Sequence[Card]) -> bool:
        return not winnable(counts.floor + copies(chosen), counts.total)

    if not cards or not blocked(cards):
        return ()
    for few in dict.fromkeys(chain(combinations(cards, 1), combinations(cards, 2))):
        if blocked(few):
            return few
    chosen = list(cards)
    for card in cards:
        fewer = list(chosen)
        fewer.remove(card)
        if blocked(fewer):
            chosen = fewer
    return tuple(chosen)


def misfits(position: Position) -> tuple[Card, ...]:
    """The hand cards that no table can place, whatever else is played; each kind of card once."""
    counts = Counts.of(position)
    return tuple(
        card for card in sorted(set(position.hand)) if not winnable(counts.floor + copies([card]), counts.total)
    )


class _Clock:
    """The limits of one answer: whether to stop, and the time and states spent."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.clock = Clock()
        self.nodes = 0
        self.reason = StopReason.SOLVED
        self.flag = np.zeros(1, dtype=np.uint8)

    @property
    def seconds(self) -> float:
        return self.clock.seconds

    @property
    def is_over(self) -> bool:
        return self.limits.time is not None and self.seconds >= self.limits.time

    @property
    def nodes_left(self) -> int:
        return MOST_NODES if self.limits.nodes is None else min(MOST_NODES, max(1, self.limits.nodes - self.nodes))

    @property
    def limit_hit(self) -> StopReason:
        """Which limit ended a search that was not complete."""
        if self.flag[0]:
            return StopReason.TIME_LIMIT
        return self.limits.reached(0.0, self.nodes) or StopReason.MEMORY_LIMIT

    @contextmanager
    def running(self) -> Iterator[None]:
        """Lets a timer raise the flag when the time is over."""
        if self.limits.time is None:
            yield
            return
        over = Event()

        def watch(limit: float) -> None:
            while (left := limit - self.seconds) > 0:  # the clock may have stood still meanwhile
                if over.wait(min(left, TIMEOUT_MAX)):
                    return
            self.flag[0] = 1

        Thread(target=watch, args=(self.limits.time,), daemon=True).start()
        try:
            yield
        finally:
            over.set()


@dataclass(frozen=True, slots=True)
class _FoundTable:
    """The table that a kernel found, and whether it is proved to be the best."""

    lost: int
    melds: tuple[Meld, ...]
    is_best: bool


_Found = tuple[int, int, NDArray[np.int64], int]


def _searched(
    kernel: Callable[..., _Found],
    need: NDArray[np.uint8],
    counts: Counts,
    forced: NDArray[np.uint8],
    count_broken: int,
    lost: int,
    most_lost: int,
    stop: NDArray[np.uint8],
    most: int,
) -> _Found:
    """What a kernel finds: uncompiled where few states are enough, which is what most tables need."""
    total, few = counts.total, min(most, work_left())
    if few and not is_compiled(kernel):
        counted = (as_int64(need), as_int64(total), as_int64(forced), counts.runs, counts.sets)
        with paused_clocks():
            found: _Found = interpreted(kernel)(*counted, count_broken, lost, most_lost, stop, few)
        spend(found[3])
        if found[0] != OPEN or few == most:
            return found
    return kernel(need, total, forced, counts.runs, counts.sets, count_broken, lost, most_lost, stop, most)


def _best(
    kernel: Callable[..., _Found], counts: Counts, clock: _Clock, count_broken: int, lost: int, most_lost: int
) -> _FoundTable | None:
    """The best table of a kernel that leaves `lost` to `most_lost` hand cards behind.

    None where there is no such table, or where a limit was hit before any was found (`clock.reason` says which).
    """
    forced = counts.floor + counts.hand
    need = counts.floor if most_lost else forced

    def search(most: int) -> _Found:
        found = _searched(kernel, need, counts, forced, count_broken, lost, most_lost, clock.flag, most)
        clock.nodes += found[3]
        return found

    most = min(QUICK_NODES, clock.nodes_left)
    found = search(most)
    if found[0] == OPEN and most < clock.nodes_left:
        with clock.running():
            found = search(clock.nodes_left)
    status, left_behind, rows, _ = found
    if status == NOTHING:
        return None
    if status == OPEN:
        clock.reason = clock.limit_hit
        if not len(rows):
            return None
    return _FoundTable(left_behind, melds_of(rows), status == FOUND)


def _strict(position: Position, counts: Counts, clock: _Clock, objective: Objective) -> MakiaveliSolution:
    """The answer under the strict rule, where the least disruptive table without the rule breaks it."""

    def relaxed(
        need: NDArray[np.uint8], total: NDArray[np.uint8], forced: NDArray[np.uint8], allowed: int
    ) -> tuple[int, tuple[Meld, ...]] | None:
        of_rest = replace(counts, total=total)
        found = _searched(best_table, need, of_rest, forced, 0, 0, allowed, clock.flag, MOST_NODES)
        clock.nodes += found[3]
        if found[0] == OPEN:
            clock.reason = StopReason.MEMORY_LIMIT
        return (found[1], melds_of(found[2])) if found[0] == FOUND else None

    def is_over() -> bool:
        clock.reason = clock.limits.reached(clock.seconds, clock.nodes) or clock.reason
        return clock.reason is not StopReason.SOLVED

    turn, proved = strict_turn(position, counts, relaxed, lambda melds: turn_of(position, melds), is_over)
    won = turn is not None and not turn.hand
    stop = StopReason.SOLVED if proved or won else clock.reason
    minimal = stop is StopReason.SOLVED
    if minimal and turn is not None and objective != "cards":
        turn, minimal = _strict_least(position, clock, objective, turn, is_over)
    return _solution(position, turn, clock, minimal=minimal, stop=stop)


def _strict_least(
    position: Position, clock: _Clock, objective: Objective, turn: Turn, is_over: Callable[[], bool]
) -> tuple[Turn, bool]:
    """The least disruptive turn that keeps the strict rule and plays as many cards as `turn`, and whether so proved."""
    floor = _valid_melds(position)

    def best_of(rest: Position, lost: int) -> Rest | None:
        counts = Counts.of(rest)
        table = _best(best_table, counts, clock, 0, 0, lost)
        if table is None or table.lost < lost:
            return None if table is None else Rest(table.lost, table.melds, None)
        least = _least(counts, clock, objective, lost)
        return None if least is None else Rest(lost, least.melds, disruption(_valid_melds(rest), least.melds))

    def cost_of(spent: Disruption) -> tuple[int, ...]:
        return {"broken": (spent.broken,), "moved": (spent.moved,)}.get(objective, (spent.broken, spent.moved))

    return LeastSearch(
        position,
        turn,
        cost_of,
        compared=lambda melds: disruption(floor, melds),
        best_of=best_of,
        turn_of=lambda melds: turn_of(position, melds),
        is_over=lambda: clock.reason is not StopReason.SOLVED or is_over(),
    ).run()


def _least(counts: Counts, clock: _Clock, objective: Objective, lost: int) -> _FoundTable | None:
    """The least disruptive table that leaves `lost` hand cards behind; None where a limit was hit before any."""
    kernel = fewest_moved if objective in ("least", "moved") else best_table
    table = _best(kernel, counts, clock, int(objective in ("least", "broken")), lost, lost)
    if table is None and objective in ("least", "broken"):
        table = _best(best_table, counts, clock, 0, lost, lost)
        return None if table is None else replace(table, is_best=False)
    return table


def turn_of(position: Position, melds: Sequence[Meld]) -> Turn:
    """The turn that leaves these melds; of identical cards the hand's is played before the cross's."""
    left = [0] * len(DECK)
    for number in map(_INDEX, position.cards()):
        left[number] += 1
    for number in map(_INDEX, chain.from_iterable(melds)):
        left[number] -= 1
    cross = tuple(card if _take_one(left, card) else None for card in position.cross)
    return Turn(tuple(melds), cross, tuple(chain.from_iterable(map(repeat, DECK, left))))


def _leave_idle_cross(position: Position, turn: Turn) -> Turn:
    """The turn without the cards of the cross that it does not need: what is not moved needs no step.

    >>> position = Position.parse("floor: 3C 4C 5C | 7H 8H 9H; cross: 2C 7D - 6C; hand: TH 7S 7C")
    >>> turn = Turn.parse("melds: 2C 3C 4C 5C 6C | 7H 8H 9H TH; cross: - 7D - -; hand: 7S 7C")
    >>> print(_leave_idle_cross(position, turn))
    melds: 3C 4C 5C | 7H 8H 9H TH; cross: 2C 7D - 6C; hand: 7C 7S
    """
    used = Counter(filter(None, position.cross)) - Counter(filter(None, turn.cross))
    if not used:
        return turn
    floor, melds = _valid_melds(position), turn.melds
    spent = disruption(floor, melds)
    while True:
        tried = ((card, fewer, disruption(floor, fewer)) for card, fewer in _without_one(melds, used))
        best = next((row for row in tried if row[2].broken <= spent.broken and row[2].moved <= spent.moved), None)
        if best is None:
            return turn if melds is turn.melds else turn_of(position, melds)
        card, melds, spent = best
        used[card] -= 1


def _without_one(melds: tuple[Meld, ...], used: Counter[Card]) -> Iterator[tuple[Card, tuple[Meld, ...]]]:
    """A card of the cross that a meld can do without, and the melds without it."""
    for number, meld in enumerate(melds):
        for place, card in enumerate(meld):
            if used[card] > 0 and is_meld(rest := (*meld[:place], *meld[place + 1 :])):
                yield card, (*melds[:number], rest, *melds[number + 1 :])


def _take_one(left: list[int], card: Card | None) -> bool:
    """Takes one copy of a card from those that are left; False where there is none."""
    if card is None or not left[card.index]:
        return False
    left[card.index] -= 1
    return True


def _valid_melds(position: Position) -> tuple[Meld, ...]:
    return tuple(meld for meld in position.floor if not position.repair or is_meld(meld))


def _solution(
    position: Position,
    turn: Turn | None,
    clock: _Clock,
    *,
    minimal: bool,
    stop: StopReason = StopReason.SOLVED,
    cards: int | None = 0,
) -> MakiaveliSolution:
    spent = Disruption(0, 0, ())
    if turn is not None:
        turn = _leave_idle_cross(position, turn)
        cards = len(position.hand) - len(turn.hand)
        spent = disruption(_valid_melds(position), turn.melds)
    won = cards == len(position.hand) and stop is StopReason.SOLVED
    ruling = Verdict.WIN if won else Verdict.NO_WIN if stop is StopReason.SOLVED else Verdict.UNKNOWN
    return MakiaveliSolution(
        position=position,
        verdict=ruling,
        line=() if turn is None else (turn,),
        stats=SearchStats(clock.seconds, clock.nodes),
        stop_reason=stop,
        max_cards=cards if stop is StopReason.SOLVED else None,
        final=turn,
        broken=spent.broken,
        moved=spent.moved,
        minimal=minimal,
    )
