"""Could this position be won? A line where every card is known, an estimate where some are hidden."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, permutations
from math import factorial
from typing import Any, Final

import numpy as np

from solver.cards import Card, MaybeCard
from solver.position import check
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict
from solver.tomb.double import kernels as k
from solver.tomb.double.position import Position
from solver.tomb.double.rules import REDEAL, RULES, Move
from solver.verify import verified

HEAT: Final = 8.0
"""How far rollouts stray from the rule at most."""
EACH: Final = (1, 2)
"""Rollouts for each choice of the nested search, in turns: each wins deals that the other misses."""
COMPLETIONS: Final = 64
"""Deals that an estimate samples, unless its time runs out: about half a second."""
_TRIES: Final = 64
_MORE: Final = 4
_PROOF: Final = 20_000
_NESTED: Final = 3_000
_NESTED_SAMPLE: Final = 500
_ROLLOUTS_A_SECOND: Final = 3_000
_FEW: Final = 4
"""With up to so many hidden cards every completion is looked at."""

_NAMES: Final = (
    *(f"T{i}" for i in range(1, 5)),
    *(f"R{i}" for i in range(1, 5)),
    *(f"W{i}" for i in range(1, 6)),
    "C",
)

_WEIGHTS: Final = np.array(k.WEIGHTS)


def solve(position: Position, limits: Limits | None = None, *, seed: int = 0) -> Solution:
    """Looks for a line that wins, every card known.

    Rollouts that start anew come first; then a complete search of up to 20,000 positions, which proves a loss where
    so few are left; then nested searches until a limit is hit.

    Args:
        position: A legal position without hidden cards.
        limits: `visits` counts rollouts and positions of the complete search.
        seed: The same seed gives the same line.

    Returns:
        `win` with a line that has been replayed, `no_win` if that is proved, else `unknown`.

    Raises:
        PositionError: For a position that breaks the rules.

    >>> end = Position.parse("foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0")
    >>> [str(move) for move in solve(end).line]
    ['W1>F', 'T1>F']
    """
    check(position)
    if position.hidden:
        raise ValueError("the position hides cards; ask for an estimate")
    return _Search(position, limits or Limits(), seed).run()


class _Search:
    """One search: the order of its stages, and what they have cost."""

    def __init__(self, position: Position, limits: Limits, seed: int) -> None:
        self.position = position
        self.limits = limits
        self.began = time.perf_counter()
        self.visits = 0
        self.start = encode(position)
        self.line = np.zeros(k.LONGEST, np.int64)
        self.seeds = _seeds(seed)

    def run(self) -> Solution:
        if self._restarts(_TRIES):
            return self._win()
        budget = self._allowed(_PROOF)
        found, visited, self.length = k.prove(self.start, budget, self.line)
        self.visits += visited
        if found == k.WON:
            return self._win()
        if found == k.LOST:
            return self._answer(Verdict.NO_WIN, StopReason.SOLVED)
        for each in cycle(EACH):
            reason = self._stop_reason()
            if reason is not None:
                return self._answer(Verdict.UNKNOWN, reason)
            if self._restarts(2 * _TRIES) or self._nested(each):
                return self._win()
        raise AssertionError("the cycle never ends")

    def _restarts(self, tries: int) -> bool:
        seed = next(self.seeds)
        tries = self._allowed(tries)
        made, self.length = k.restarts(self.start, _WEIGHTS, HEAT, tries, _MORE, seed, self.line)
        self.visits += made
        return self.length > 0 or self.position.is_won

    def _nested(self, each: int) -> bool:
        budget = self._allowed(_NESTED)
        if self.limits.time is not None:
            left = self.limits.time - (time.perf_counter() - self.began)
            budget = min(budget, max(1, int(left * _ROLLOUTS_A_SECOND)))
        made, self.length = k.nested(self.start, _WEIGHTS, HEAT, each, budget, next(self.seeds), self.line)
        self.visits += made
        return bool(self.length > 0)

    def _allowed(self, wanted: int) -> int:
        return wanted if self.limits.visits is None else max(1, min(wanted, self.limits.visits - self.visits))

    def _stop_reason(self) -> StopReason | None:
        if self.limits.visits is not None and self.visits >= self.limits.visits:
            return StopReason.VISIT_LIMIT
        if self.limits.time is not None and time.perf_counter() - self.began >= self.limits.time:
            return StopReason.TIME_LIMIT
        return None

    def _win(self) -> Solution:
        length = k.shorten(self.start, self.line, self.length)
        return self._answer(Verdict.WIN, StopReason.SOLVED, tuple(map(decode, self.line[:length].tolist())))

    def _answer(self, verdict: Verdict, reason: StopReason, line: tuple[Move, ...] = ()) -> Solution:
        stats = SearchStats(time.perf_counter() - self.began, self.visits)
        return verified(Solution(position=self.position, verdict=verdict, line=line, stats=stats, stop_reason=reason))


def estimate(position: Position, limits: Limits | None = None, *, n: int = COMPLETIONS, seed: int = 0) -> Estimate:
    """How likely the hidden cards lie so that the position could be won.

    Samples what the hidden cards may be. A sample counts when a line that wins is found with its cards open, so the
    figure leans to the low side by the few that would have taken a longer search. `details["fair"]` is the share that a
    player wins who sees no more than the position shows, turns the stock and remembers what was turned.

    Args:
        position: A legal position.
        limits: Fewer than `n` samples are drawn when the time runs out.
        n: Number of samples.
        seed: The same seed gives the same samples.

    Raises:
        PositionError: For a position that breaks the rules.
    """
    check(position)
    began = time.perf_counter()
    limit = (limits or Limits()).time
    generator = np.random.default_rng(seed)
    unseen = np.array([card.index for card in position.unseen()], np.int8)
    places, start = _hidden_places(position)
    line = np.zeros(k.LONGEST, np.int64)
    lengths = np.zeros(1, np.int64)
    open_wins = fair_wins = done = 0
    while done < n and (done == 0 or limit is None or time.perf_counter() - began < limit):
        starts = start[np.newaxis].copy()
        starts[0, places] = generator.permutation(unseen)
        seeds = generator.integers(0, 2**63, 1).astype(np.uint64)
        k.hidden_games(starts, _WEIGHTS, HEAT, _TRIES, 0, seeds, lengths)
        fair_wins += bool(lengths[0] >= 0)
        # A win of the player who saw less is a win with open cards, too.
        open_wins += bool(lengths[0] >= 0) or line_found(starts[0], seeds[0], line) > 0
        done += 1
    fair = Estimate.from_counts(fair_wins, done, seed=seed, what="won by a player who does not see the stock")
    what = "deals of the hidden cards that could be won"
    return Estimate.from_counts(open_wins, done, seed=seed, what=what, details={"fair": fair.to_json()})


def answer(
    position: Position, limits: Limits | None = None, *, n: int = COMPLETIONS, seed: int = 0
) -> Solution | Estimate:
    """A solution where all cards are known or follow from the others, an estimate where they do not.

    `no_win` for a position with hidden cards means that every completion is lost.

    Args:
        position: A legal position.
        limits: Bounds on the search, or on the estimate.
        n: Samples of an estimate.
        seed: The same seed gives the same answer.

    Raises:
        PositionError: For a position that breaks the rules.
    """
    check(position)
    limits = limits or Limits()
    if not position.hidden:
        return solve(position, limits, seed=seed)
    unseen = position.unseen()
    if len(set(unseen)) == 1:
        return solve(completed(position, unseen), limits, seed=seed)
    if position.hidden <= _FEW:
        lost = _lost_in_any_case(position, limits)
        if lost is not None:
            return lost
    return estimate(position, limits, n=n, seed=seed)


def _lost_in_any_case(position: Position, limits: Limits) -> Solution | None:
    """`no_win` if every completion of the hidden cards is proved lost; stops at the first that is not."""
    began = time.perf_counter()
    share = None if limits.time is None else limits.time / factorial(_FEW) / 2
    each = replace(limits, time=share, visits=2 * _PROOF if limits.visits is None else limits.visits)
    visits = 0
    for cards in sorted(set(permutations(position.unseen()))):
        result = solve(completed(position, cards), each)
        visits += result.stats.visits
        if result.verdict is not Verdict.NO_WIN:
            return None
    stats = SearchStats(time.perf_counter() - began, visits)
    return verified(Solution(position=position, verdict=Verdict.NO_WIN, stats=stats))


def completed(position: Position, cards: Sequence[Card]) -> Position:
    """The position with its hidden cards named: reserves first, then wastes, then the stock, each bottom to top."""
    left = iter(cards)

    def named(pile: Sequence[MaybeCard]) -> tuple[Card, ...]:
        return tuple(next(left) if card is None else card for card in pile)

    reserves = tuple(map(named, position.reserves))
    wastes = tuple(map(named, position.wastes))
    return replace(position, reserves=reserves, wastes=wastes, stock=named(position.stock))


def encode(position: Position) -> k.Bytes:
    """The kernels' state of a legal position; shape (SIZE,). A hidden card is -1."""

    def indices(cards: Sequence[MaybeCard]) -> list[int]:
        return [-1 if card is None else card.index for card in cards]

    state = np.zeros(k.SIZE, np.int8)
    state[k.F : k.F + 4] = position.foundations
    if position.centre:
        state[k.C_SUIT : k.C_SIZE + 1] = position.centre[0].suit, len(position.centre)
    for i, pile in enumerate(position.tableau):
        if pile:
            state[k.T + 3 * i : k.T + 3 * i + 3] = pile[0].suit, pile[0].rank - 1, len(pile)
    for i, reserve in enumerate(position.reserves):
        state[k.R_SIZE + i] = len(reserve)
        state[k.R + 10 * i : k.R + 10 * i + len(reserve)] = indices(reserve)
    for i, waste in enumerate(position.wastes):
        state[k.W_SIZE + i] = len(waste)
        state[k.W + 60 * i : k.W + 60 * i + len(waste)] = indices(waste)
    state[k.S : k.S + len(position.stock)] = indices(position.stock)
    state[k.S_END] = len(position.stock)
    state[k.REDEALS] = position.redeals
    return state


def encode_deal(cards: Sequence[Card]) -> k.Bytes:
    """The kernels' state of `Position.from_deck(cards)`, without the detour."""
    state = np.zeros(k.SIZE, np.int8)
    order = np.array([card.index for card in cards], np.int8)
    state[k.R : k.R + 40] = order[:40]
    state[k.R_SIZE : k.R_SIZE + 4] = RULES.reserve_cards
    for i in range(4):
        card = cards[40 + i]
        state[k.T + 3 * i : k.T + 3 * i + 3] = card.suit, card.rank - 1, 1
    state[k.S : k.S + RULES.stock] = order[44:]
    state[k.S_END] = RULES.stock
    state[k.REDEALS] = RULES.redeals
    return state


def decode(code: int) -> Move:
    """A kernel's move in the rules' notation.

    >>> str(decode(16 * 4 + 14)), str(decode(16 * 14 + 9)), str(decode(16 + 13 + 256)), str(decode(k.REDEAL))
    ('R1>F', 'S>W2', 'T2>>C', 'redeal')
    """
    if code == k.REDEAL:
        return REDEAL
    source, target = (code >> 4) & 15, code & 15
    return Move(
        "S" if source == k.STOCK else _NAMES[source],
        "F" if target == k.FOUNDATION else _NAMES[target],
        bool(code & k.WHOLE),
    )


def line_found(start: k.Bytes, seed: np.uint64, line: k.Ints) -> int:
    """A search with a small, fixed budget: what estimates and simulations of open deals count.

    Returns:
        The length of the winning line in `line`, 0 where none was found.
    """
    length = int(k.restarts(start, _WEIGHTS, HEAT, 4 * _TRIES, 0, seed, line)[1])
    if length:
        return length
    found, _, length = k.prove(start, 1000, line)
    if found == k.OPEN:
        _, length = k.nested(start, _WEIGHTS, HEAT, EACH[0], _NESTED_SAMPLE, seed, line)
    return int(length)


def _hidden_places(position: Position) -> tuple[np.ndarray[Any, Any], k.Bytes]:
    """Where the hidden cards lie in the kernels' state, and that state."""
    state = encode(position)
    card_places = np.arange(k.R, k.SIZE)
    return card_places[state[k.R :] < 0], state


def _seeds(seed: int) -> Iterator[np.uint64]:
    generator = np.random.default_rng([seed, 2])
    while True:
        yield np.uint64(generator.integers(0, 2**63))
