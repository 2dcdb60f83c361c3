"""Exact answers where every card is known, estimates where some are hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from plumbing.clock import Clock
from plumbing.errors import PositionError, check_whole_number
from solver.numeric.outcomes import FOUND, NOTHING
from solver.place import Place
from solver.position import check
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict
from solver.tomb_single import rules as names
from solver.tomb_single.forced_kernels import forced_completions
from solver.tomb_single.free_kernels import REACHES, distance, policy_completions
from solver.tomb_single.kernels import KernelTable, Piles
from solver.tomb_single.position import Position
from solver.tomb_single.rules import Move, centre_next, corner_next
from solver.tomb_single.search_kernels import layers
from solver.verifier import replay, verify

WIDTHS: Final = (16, 128, 1024, 8192, 65536)
"""Layer widths that the search tries one after the other; the last takes some 100 MB."""
_NODES_PER_SECOND: Final = 250_000
"""A cautious guess that turns what is left of the time into a bound on the next, wider search."""
ROLLOUTS: Final = 100_000


def _bit(rank: int | None) -> int:
    return 0 if rank is None else 1 << 4 * rank


def encode(position: Position) -> tuple[Piles, KernelTable]:
    """A position as the kernels see it."""
    spares, sixes, discard, deck = position.rank_piles()
    hidden = position.unseen_ranks()
    ordinary = [rank for rank in hidden if rank not in (6, 7)]
    special = [rank for rank in hidden if rank in (6, 7)]
    stack = np.zeros(54, np.uint64)
    stack[1 : len(discard) + 1] = [_bit(rank) for rank in discard]
    spare = sum(map(_bit, spares)) + len(sixes) * _bit(6)
    piles = Piles(
        deck=np.array([*map(_bit, deck), 0], np.uint64),
        stack=stack,
        height=len(discard),
        pool=np.array([_bit(rank) for rank in (*ordinary, *special)], np.uint64),
        ordinary=len(ordinary),
        spares=spares.count(None),
    )
    table = KernelTable(
        tops=np.uint64(sum(_bit(6 + len(corner)) for corner in position.corners)),
        centre=len(position.centre),
        spare=np.uint64(spare),
        free=names.SPARES - len(spares),
    )
    return piles, table


def solve(position: Position, limits: Limits | None = None) -> Solution:
    """Could this position be won, its cards all known?

    Forced play has no choices that matter, so its verdict is exact. In free play a layered search looks for a win with
    growing widths; it proves a loss when a whole search never had to leave a state out.

    Args:
        position: A legal position without hidden cards.
        limits: Bounds on the search; 10 seconds by default.

    Returns:
        A verdict with its line, replayed by the verifier; `unknown` at a limit.

    Raises:
        PositionError: For a position that breaks the rules, or hides cards.
    """
    check(position)
    if not position.is_known:
        raise PositionError(position.game, ["some cards are not known (??); estimate() answers for those"])
    clock = Clock()
    if position.rules.mode == "forced":
        line = tuple(forced_line(position))
        won = replay(position, line).is_won
        stats = SearchStats(clock.seconds, len(line))
        verdict = Verdict.WIN if won else Verdict.NO_WIN
        return verify(Solution(position=position, verdict=verdict, line=line if won else (), stats=stats))
    return _search(position, limits or Limits(), clock)


def _search(position: Position, limits: Limits, clock: Clock) -> Solution:
    (piles, table), nodes = encode(position), 0
    pops = np.zeros(piles.deck.size, np.int64)

    def solution(verdict: Verdict, stop: StopReason = StopReason.SOLVED, line: tuple[Move, ...] = ()) -> Solution:
        stats = SearchStats(clock.seconds, nodes)
        return verify(Solution(position=position, verdict=verdict, line=line, stats=stats, stop_reason=stop))

    for width in WIDTHS:
        budget = _budget(limits, clock, nodes, is_first=width == WIDTHS[0])
        if budget <= 0:
            break
        status, looked, length, policy = layers(piles.deck, piles.stack, piles.height, table, width, budget, pops)
        nodes += looked
        if status == FOUND:
            return solution(Verdict.WIN, line=tuple(_free_line(position, pops[:length].tolist(), policy)))
        if status == NOTHING:
            return solution(Verdict.NO_WIN)
    too_wide = StopReason.MEMORY_LIMIT if limits.time is None else StopReason.TIME_LIMIT
    return solution(Verdict.UNKNOWN, limits.reached(clock.seconds, nodes) or too_wide)


def _budget(limits: Limits, clock: Clock, nodes: int, *, is_first: bool) -> int:
    """How many states the next search may visit; time never bounds the first one."""
    budget = 1 << 60 if limits.nodes is None else limits.nodes - nodes
    if limits.time is None or is_first:
        return budget
    return min(budget, int((limits.time - clock.seconds) * _NODES_PER_SECOND))


def forced_line(position: Position) -> Iterator[Move]:
    """The moves of a forced game to its end: any legal one, the order never matters."""
    while moves := position.moves():
        yield moves[0]
        position = position.play(moves[0])


def _free_line(position: Position, pops: list[int], policy: int) -> list[Move]:
    """The moves of a win: so many pops before each draw, then the policy to the end."""
    line: list[Move] = []

    def play(move: Move | None) -> None:
        nonlocal position
        while move is not None:
            position = position.play(move)
            line.append(move)
            move = _spare_play(position)  # the kernels play spares as soon as they can be played

    play(_spare_play(position))
    for count in pops:
        for _ in range(count):
            play(_pop(position))
        play(_draw(position))
    while not position.is_won:
        wants_pop = bool(position.discard) and (not position.deck or _policy_pops(position, policy))
        play(_pop(position) if wants_pop else _draw(position))
    return _joined(line)


def _build(position: Position, rank: int) -> Place | None:
    """The centre or the corner that takes a rank now."""
    if centre_next(len(position.centre)) == rank:
        return names.CENTRE
    corners = zip(names.CORNER_PLACES, position.corners, strict=True)
    return next((name for name, corner in corners if corner_next(len(corner)) == rank), None)


def _spare_play(position: Position) -> Move | None:
    tops = {source: position.top(source) for source in names.SPARE_PLACES}
    ranks = {source: int(card.rank) for source, card in tops.items() if card}
    if position.spare_six:
        ranks[names.SPARE_SIX] = 6
    plays = ((source, _build(position, rank)) for source, rank in ranks.items())
    return next((Move(source, target) for source, target in plays if target), None)


def _pop(position: Position) -> Move:
    card = position.top(names.DISCARD)
    assert card is not None
    target = _build(position, card.rank)
    return Move(names.DISCARD, target or names.SPARE_PLACES[position.spares.index(())])


def _draw(position: Position) -> Move:
    """A 7 goes to a corner, a 6 to the spare-six pile (and from there on if possible), others to the discard pile."""
    card = position.top(names.DECK)
    assert card is not None
    if card.rank == 6:
        return Move(names.DECK, names.SPARE_SIX)
    corner = _build(position, 7) if card.rank == 7 else None
    return Move(names.DECK, corner or names.DISCARD)


def _policy_pops(position: Position, policy: int) -> bool:
    piles, table = encode(position)
    steps = distance(piles.stack[piles.height], table)
    return bool(steps == 1 or (table.free and steps <= REACHES[policy, table.free]))


def _joined(line: list[Move]) -> list[Move]:
    """The line with `D>X, X>S1` joined to `D>S1`, as a person would play it."""
    joined: list[Move] = []
    for move in line:
        before = joined[-1] if joined else None
        if before and before.source == names.DECK and before.target == move.source:
            joined[-1] = Move(names.DECK, move.target)
        else:
            joined.append(move)
    return joined


def estimate(position: Position, limits: Limits | None = None, *, n: int = ROLLOUTS, seed: int = 0) -> Estimate:
    """How often a position with hidden cards would be won, over all ways that they may lie.

    Every way that agrees with what is seen counts alike (hidden cards of the discard pile and the spares are no 6 and
    no 7: those have their own places).

    Args:
        position: A legal position.
        limits: As every game's estimate takes them; a completion is played so fast that none is left out.
        n: Completions to play.
        seed: The same seed gives the same completions.

    Returns:
        The rate under the position's own rules with its 95% interval; the other rate stands in `details`. Forced: what
        the rules alone make of it. Free: a simple policy that does not see the deck; a good player wins more often.
    """
    check(position)
    check_whole_number("n", n, 1)
    check_whole_number("seed", seed, 0)
    piles, table = encode(position)
    estimates = {}
    for mode, play, what in (
        ("forced", forced_completions, "forced play wins"),
        ("free", policy_completions, "free play by a simple policy wins"),
    ):
        wins = play(piles, table, n, np.uint64(seed))
        estimates[mode] = Estimate.from_counts(int(wins), n, seed=seed, what=what)
    own, other = position.rules.mode, "free" if position.rules.mode == "forced" else "forced"
    chosen = estimates[own]
    return Estimate.from_counts(
        round(chosen.mean * n), n, seed=seed, what=chosen.what, details={other: estimates[other].to_json()}
    )


def answer(position: Position, limits: Limits | None = None) -> Solution | Estimate:
    """A verdict with its line where every card is known, else an estimate over the hidden cards."""
    return solve(position, limits) if position.is_known else estimate(position)
