"""Could this position be won? A line where every card is known, an estimate where some are hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, cycle, permutations
from math import factorial
from typing import Any, Final

import numpy as np

from plumbing.clock import Clock
from plumbing.errors import PositionError, check_whole_number
from solver.cards import Card, MaybeCard
from solver.numeric.kernel_types import Bytes, Ints
from solver.numeric.outcomes import FOUND, NOTHING, OPEN
from solver.position import check
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict, WinInAnyCase
from solver.tomb_double import kernels as k
from solver.tomb_double import open_stock_kernels as open_stock
from solver.tomb_double import rules
from solver.tomb_double.playing_rule_kernels import WEIGHTS
from solver.tomb_double.position import Position
from solver.tomb_double.proof_kernels import prove
from solver.tomb_double.rules import REDEAL, Move
from solver.tomb_double.search_kernels import hidden_games, nested, restarts, shorten
from solver.verifier import verify

COMPLETIONS: Final = 64
"""Deals that an estimate samples, unless its time runs out: about half a second."""


@dataclass(frozen=True, slots=True)
class SearchTuning:
    """How much work each stage of a search does.

    Attributes:
        rollout_heat: How far rollouts stray from the rule at most.
        first_rollouts: Rollouts before anything else is tried.
        rollouts: Rollouts of a later stage, at least.
        rollouts_after_win: Further rollouts after the first win, for a shorter line.
        nested_each: Rollouts for each choice of the nested search, in turns: each wins deals that the other misses.
        nested_rollouts: Rollouts of a nested search at most.
        nested_rollouts_of_sample: The same for a deal that an estimate samples.
        rollouts_per_second: A guess, by which the time that is left bounds a nested search.
        proof_positions: Positions that the complete search visits at most.
        first_turn_positions: Positions that the open game's search visits in its first turn.
        turn_growth: How many times more each further turn visits.
        longest_turn_positions: Positions of the longest turn, which takes 130 MiB.
        positions_per_second: A guess, by which the time that is left bounds a turn.
        turn_stray_places: By how many places the order of moves strays in all turns but the first.
        sample_positions: Positions of the open game that a sampled deal may cost until it is undecided: 0.6 s.
        most_enumerated_cards: With up to so many hidden cards every completion is looked at.
    """

    rollout_heat: float = 8.0
    first_rollouts: int = 16
    rollouts: int = 64
    rollouts_after_win: int = 4
    nested_each: tuple[int, int] = (1, 2)
    nested_rollouts: int = 3_000
    nested_rollouts_of_sample: int = 500
    rollouts_per_second: int = 3_000
    proof_positions: int = 20_000
    first_turn_positions: int = 1_000
    turn_growth: float = 1.25
    longest_turn_positions: int = 4_000_000
    positions_per_second: int = 100_000
    turn_stray_places: float = 6.0
    sample_positions: int = 200_000
    most_enumerated_cards: int = 4


TUNING: Final = SearchTuning()
WHAT: Final = "deals of the hidden cards that could be won"
WHAT_FAIR: Final = "won by a player who sees the reserves but not the stock"

_PLACES: Final = (*rules.TABLEAU_PLACES, *rules.RESERVE_PLACES, *rules.WASTE_PLACES, rules.CENTRE)
"""The places of the table by the kernels' numbers."""

_WEIGHTS: Final = np.array(WEIGHTS)


def solve(position: Position, limits: Limits | None = None, *, seed: int = 0) -> Solution:
    """Could this position be won, its cards all known?

    A few rollouts come first: where they win, the line is short. Then the game with an open stock is searched (see
    `open_stock_kernels`): lost there is lost, and won there is won wherever the redeals suffice to sort the stock, as
    they always do at the start of a game. Only where they do not, further on in a game, a complete search of up to
    20,000 positions and then rollouts, nested searches and other plans go on until a limit is hit.

    Args:
        position: A legal position without hidden cards.
        limits: `nodes` counts rollouts and positions.
        seed: The same seed gives the same line.

    Returns:
        `win` with a line that has been replayed, `no_win` if that is proved, else `unknown`.

    Raises:
        PositionError: For a position that breaks the rules, or hides cards.

    >>> end = Position.parse("foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0")
    >>> [str(move) for move in solve(end).line]
    ['W1>F', 'T1>F']
    """
    check(position)
    if not position.is_known:
        raise PositionError(position.game, ["some cards are not known (??); estimate() answers for those"])
    return _Search(position, limits or Limits(), seed).run()


class _Search:
    """One search: the order of its stages, and what they have cost."""

    def __init__(self, position: Position, limits: Limits, seed: int) -> None:
        self.position = position
        self.limits = limits
        self.clock = Clock()
        self.nodes = 0
        self.length = 0
        self.start = encode(position)
        self.line = np.zeros(k.LONGEST, np.int64)
        self.seeds = _seeds(seed)

    def run(self) -> Solution:
        if self.position.is_won:
            return self._answer(Verdict.WIN, StopReason.SOLVED)
        for found in self._stages():
            if found == FOUND:
                return self._win()
            if found == NOTHING:
                return self._answer(Verdict.NO_WIN, StopReason.SOLVED)
            reason = self.limits.reached(self.clock.seconds, self.nodes)
            if reason is not None:
                return self._answer(Verdict.UNKNOWN, reason)
        raise AssertionError("the stages never end")

    def _stages(self) -> Iterator[int]:
        """`FOUND` (the line is there), `NOTHING` (proved) or `OPEN` after each stage of the search; see `solve`."""
        yield self._restarts(TUNING.first_rollouts)
        plans = OpenGame(self.start)
        while not plans.is_winnable:
            yield self._turn(plans)
        yield self._prove()
        for each in cycle(TUNING.nested_each):
            yield self._restarts(2 * TUNING.rollouts)
            yield self._nested(each)
            yield self._turn(plans)

    def _restarts(self, tries: int) -> int:
        tries, seed = self._allowed(tries), next(self.seeds)
        made, self.length = restarts(
            self.start, _WEIGHTS, TUNING.rollout_heat, tries, TUNING.rollouts_after_win, seed, self.line
        )
        self.nodes += made
        return FOUND if self.length else OPEN

    def _turn(self, plans: OpenGame) -> int:
        found, visited = plans.turn(
            self._allowed(self._in_time(TUNING.positions_per_second, TUNING.longest_turn_positions)), next(self.seeds)
        )
        self.nodes += visited
        self.length = plans.played(self.line) if found == FOUND else 0
        return OPEN if found == FOUND and not self.length else found

    def _prove(self) -> int:
        found, visited, self.length = prove(self.start, self._allowed(TUNING.proof_positions), self.line)
        self.nodes += visited
        return found

    def _nested(self, each: int) -> int:
        budget = self._allowed(self._in_time(TUNING.rollouts_per_second, TUNING.nested_rollouts))
        made, self.length = nested(self.start, _WEIGHTS, TUNING.rollout_heat, each, budget, next(self.seeds), self.line)
        self.nodes += made
        return FOUND if self.length else OPEN

    def _allowed(self, wanted: int) -> int:
        return wanted if self.limits.nodes is None else max(1, min(wanted, self.limits.nodes - self.nodes))

    def _in_time(self, a_second: int, most: int) -> int:
        if self.limits.time is None:
            return most
        return min(most, max(1, int((self.limits.time - self.clock.seconds) * a_second)))

    def _win(self) -> Solution:
        length = shorten(self.start, self.line, self.length)
        return self._answer(Verdict.WIN, StopReason.SOLVED, tuple(map(decode, self.line[:length].tolist())))

    def _answer(self, verdict: Verdict, reason: StopReason, line: tuple[Move, ...] = ()) -> Solution:
        stats = SearchStats(self.clock.seconds, self.nodes)
        return verify(Solution(position=self.position, verdict=verdict, line=line, stats=stats, stop_reason=reason))


class OpenGame:
    """Turns of the search of the game with an open stock, each longer than the last and with another order of moves.

    Args:
        start: The kernels' state; the cards of stock and wastes may lie in any order.
    """

    def __init__(self, start: Bytes) -> None:
        self._start = start
        self._row = open_stock.open_stock_of(start)
        self._plan = np.zeros(open_stock.PLAN, np.int64)
        self._length = 0
        self._turns = (
            min(TUNING.first_turn_positions * TUNING.turn_growth**number, TUNING.longest_turn_positions)
            for number in count()
        )
        self._stray = 0.0
        self.is_winnable = False
        self.nodes = 0

    def turn(self, most: int, seed: np.uint64) -> tuple[int, int]:
        """One turn of `most` positions at most.

        Returns:
            `FOUND` (there is a plan), `NOTHING` (the real game is lost, too) or `OPEN`, and positions visited.
        """
        budget = min(int(next(self._turns)), most)
        reserves = self._start[k.RESERVE_AT : k.RESERVE_AT + 40]
        found, visited, self._length = open_stock.search(self._row, reserves, budget, self._stray, seed, self._plan)
        self._stray = TUNING.turn_stray_places
        self.is_winnable |= found == FOUND
        self.nodes += visited
        return found, visited

    def decide(self, most: int, seed: np.uint64) -> int:
        """Turns of `most` positions in all; `FOUND`, `NOTHING` or `OPEN`."""
        found = OPEN
        while found == OPEN and most > 0:
            found, visited = self.turn(most, seed)
            most -= visited
            seed += np.uint64(1)
        return found

    def played(self, line: Ints, *, seen: bool = True) -> int:
        """Plays the plan that was found (`open_stock.play_schedule`); gives the length of the line, 0 if it fails."""
        return open_stock.play_schedule(self._start, self._plan, self._length, seen, line)


def estimate(position: Position, limits: Limits | None = None, *, n: int = COMPLETIONS, seed: int = 0) -> Estimate:
    """The probability that the position can be won, over all arrangements of the hidden cards.

    Samples what the hidden cards may be, and decides each sample with its cards open. `details["undecided"]` is the
    share where neither a line nor a proof of loss was found; the interval covers both ways. `details["fair"]` is the
    share that a player wins who sees the reserves but not the stock, turns it and remembers what was turned.

    Args:
        position: A legal position.
        limits: Fewer than `n` samples are drawn when the time runs out.
        n: Number of samples.
        seed: The same seed gives the same samples.

    Raises:
        PositionError: For a position that breaks the rules.
        RulesError: For a number of samples below 1 or a seed below 0.
    """
    check(position)
    check_whole_number("n", n, 1)
    check_whole_number("seed", seed, 0)
    limit = (limits or Limits()).time
    generator = np.random.default_rng(seed)
    unseen = np.array([card.index for card in position.unseen()], np.int8)
    places, start = _hidden_places(position)
    line = np.zeros(k.LONGEST, np.int64)
    wins = undecided = fair_wins = done = 0
    clock = Clock()
    while done < n and (done == 0 or limit is None or clock.seconds < limit):
        sample = start.copy()
        sample[places] = generator.permutation(unseen)
        found, fair = fair_line(sample, np.uint64(generator.integers(0, 2**63)), line)
        wins += found == FOUND
        undecided += found == OPEN
        fair_wins += fair > 0
        done += 1
    fair_share = Estimate.from_counts(fair_wins, done, seed=seed, what=WHAT_FAIR)
    stopped_by = "samples" if done == n else "time_limit"
    details = {"undecided": undecided / done, "stopped_by": stopped_by, "fair": fair_share.to_json()}
    return Estimate.from_counts(wins, done, seed=seed, what=WHAT, undecided=undecided, details=details)


def fair_line(start: Bytes, seed: np.uint64, line: Ints) -> tuple[int, int]:
    """Plays a deal without seeing its stock, on a fixed budget, and decides it with its cards open.

    Returns:
        `FOUND`, `NOTHING` (proved) or `OPEN` with open cards; and by how many moves a player wins who has not seen the
        stock, 0 where none was found.
    """
    game = OpenGame(start)
    found = game.decide(TUNING.sample_positions, seed)
    if found == NOTHING:
        return NOTHING, 0
    length = game.played(line, seen=False) if found == FOUND else 0
    if length == 0:
        lengths = np.zeros(1, np.int64)
        hidden_games(
            start[np.newaxis].copy(), _WEIGHTS, TUNING.rollout_heat, TUNING.rollouts, np.array([seed]), lengths
        )
        length = max(int(lengths[0]), 0)
    # A win of the player who saw less is a win with open cards, too.
    return (FOUND, length) if length else (open_line(start, seed, line)[0], 0)


def open_line(start: Bytes, seed: np.uint64, line: Ints) -> tuple[int, int]:
    """The stages of `solve`, each once and on a fixed budget.

    Returns:
        `FOUND`, `NOTHING` (proved) or `OPEN`, and the length of the winning line in `line`.
    """
    decided = (stage for stage in _stages_of_sample(start, seed, line) if stage[0] == NOTHING or stage[1])
    found, length = next(decided, (OPEN, 0))
    return (FOUND, int(length)) if length else (found, 0)


def _stages_of_sample(start: Bytes, seed: np.uint64, line: Ints) -> Iterator[tuple[int, int]]:
    """For each stage: `NOTHING` if it proves that, and the length of the line that it found, 0 for none."""
    yield (
        OPEN,
        restarts(start, _WEIGHTS, TUNING.rollout_heat, TUNING.first_rollouts, TUNING.rollouts_after_win, seed, line)[1],
    )
    game = OpenGame(start)
    found = game.decide(TUNING.sample_positions, seed)
    yield found, game.played(line) if found == FOUND else 0
    yield OPEN, restarts(start, _WEIGHTS, TUNING.rollout_heat, 4 * TUNING.rollouts, 0, seed, line)[1]
    found, _, length = prove(start, 1000, line)
    yield found, length
    yield (
        OPEN,
        nested(
            start, _WEIGHTS, TUNING.rollout_heat, TUNING.nested_each[0], TUNING.nested_rollouts_of_sample, seed, line
        )[1],
    )


def answer(
    position: Position, limits: Limits | None = None, *, n: int = COMPLETIONS, seed: int = 0
) -> Solution | Estimate:
    """A solution where all cards are known or follow from the others, an estimate where they do not.

    `no_win` for a position with hidden cards means that every completion is lost. Where every completion is won, each
    by another line, the answer is a `WinInAnyCase`.

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
    if position.is_known:
        return solve(position, limits, seed=seed)
    unseen = position.unseen()
    if len(set(unseen)) == 1:
        return solve(completed(position, unseen), limits, seed=seed)
    if None not in chain.from_iterable(position.reserves):
        proved = _in_any_order(position, limits, seed)
        if proved is not None:
            return proved
    if position.cards().count(None) <= TUNING.most_enumerated_cards:
        lost = _lost_in_any_case(position, limits)
        if lost is not None:
            return lost
    return estimate(position, limits, n=n, seed=seed)


def _in_any_order(position: Position, limits: Limits, seed: int) -> Solution | None:
    """The verdict that holds however stock and wastes lie, the reserves being known; None where none is found.

    A loss in the game with an open stock is a loss in any order. A win there is one in any order if nothing has been
    turned yet and the passes that sort have enough wastes for all the stock, see `open_stock_kernels`.
    """
    clock = Clock()
    one = completed(position, position.unseen())
    game = OpenGame(encode(one))
    found = game.decide(TUNING.sample_positions if limits.nodes is None else limits.nodes, np.uint64(seed))
    stats = SearchStats(clock.seconds, game.nodes)
    if found == NOTHING:
        return verify(Solution(position=position, verdict=Verdict.NO_WIN, stats=stats))
    if found == OPEN or any(position.wastes) or len(position.stock) > factorial(position.redeals + 1):
        return None
    proof = "sorted over the redeals, the stock yields each card when a plan needs it, in whatever order it lies now"
    line = np.zeros(k.LONGEST, np.int64)
    length = game.played(line, seen=False)
    won = Solution(position=one, verdict=Verdict.WIN, line=tuple(map(decode, line[:length].tolist())), stats=stats)
    return verify(WinInAnyCase(position=position, verdict=Verdict.WIN, stats=stats, proof=proof, example=won))


def _lost_in_any_case(position: Position, limits: Limits) -> Solution | None:
    """`no_win` if every completion of the hidden cards is proved lost; stops at the first that is not."""
    clock = Clock()
    share = None if limits.time is None else limits.time / factorial(TUNING.most_enumerated_cards) / 2
    each = replace(limits, time=share, nodes=2 * TUNING.proof_positions if limits.nodes is None else limits.nodes)
    nodes = 0
    for cards in sorted(set(permutations(position.unseen()))):
        result = solve(completed(position, cards), each)
        nodes += result.stats.nodes
        if result.verdict is not Verdict.NO_WIN:
            return None
    stats = SearchStats(clock.seconds, nodes)
    return verify(Solution(position=position, verdict=Verdict.NO_WIN, stats=stats))


def completed(position: Position, cards: Sequence[Card]) -> Position:
    """The position with its hidden cards named: reserves first, then wastes, then the stock, each bottom to top."""
    left = iter(cards)

    def named(pile: Sequence[MaybeCard]) -> tuple[Card, ...]:
        return tuple(next(left) if card is None else card for card in pile)

    reserves = tuple(map(named, position.reserves))
    wastes = tuple(map(named, position.wastes))
    return replace(position, reserves=reserves, wastes=wastes, stock=named(position.stock))


def encode(position: Position) -> Bytes:
    """The kernels' state of a legal position; shape (STATE_SIZE,). A hidden card is -1."""

    def indices(cards: Sequence[MaybeCard]) -> list[int]:
        return [-1 if card is None else card.index for card in cards]

    state = np.zeros(k.STATE_SIZE, np.int8)
    state[k.FOUNDATION_AT : k.FOUNDATION_AT + 4] = position.foundations
    if position.centre:
        state[k.CENTRE_SUIT_AT : k.CENTRE_SIZE_AT + 1] = position.centre[0].suit, len(position.centre)
    for i, pile in enumerate(position.tableau):
        if pile:
            state[k.TABLEAU_AT + 3 * i : k.TABLEAU_AT + 3 * i + 3] = pile[0].suit, pile[0].rank - 1, len(pile)
    for i, reserve in enumerate(position.reserves):
        state[k.RESERVE_SIZE_AT + i] = len(reserve)
        state[k.RESERVE_AT + 10 * i : k.RESERVE_AT + 10 * i + len(reserve)] = indices(reserve)
    for i, waste in enumerate(position.wastes):
        state[k.WASTE_SIZE_AT + i] = len(waste)
        state[k.WASTE_AT + 60 * i : k.WASTE_AT + 60 * i + len(waste)] = indices(waste)
    state[k.STOCK_AT : k.STOCK_AT + len(position.stock)] = indices(position.stock)
    state[k.STOCK_END_AT] = len(position.stock)
    state[k.REDEALS_AT] = position.redeals
    return state


def encode_deal(cards: Sequence[Card]) -> Bytes:
    """The kernels' state of `Position.from_deck(cards)`, without the detour."""
    state = np.zeros(k.STATE_SIZE, np.int8)
    order = np.array([card.index for card in cards], np.int8)
    state[k.RESERVE_AT : k.RESERVE_AT + 40] = order[:40]
    state[k.RESERVE_SIZE_AT : k.RESERVE_SIZE_AT + 4] = rules.RESERVE_CARDS
    for i in range(4):
        card = cards[40 + i]
        state[k.TABLEAU_AT + 3 * i : k.TABLEAU_AT + 3 * i + 3] = card.suit, card.rank - 1, 1
    state[k.STOCK_AT : k.STOCK_AT + rules.STOCK] = order[44:]
    state[k.STOCK_END_AT] = rules.STOCK
    state[k.REDEALS_AT] = rules.REDEALS
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
        rules.STOCK_PLACE if source == k.STOCK else _PLACES[source],
        rules.FOUNDATION if target == k.FOUNDATION else _PLACES[target],
        bool(code & k.WHOLE),
    )


def _hidden_places(position: Position) -> tuple[np.ndarray[Any, Any], Bytes]:
    """Where the hidden cards lie in the kernels' state, and that state."""
    state = encode(position)
    card_places = np.arange(k.RESERVE_AT, k.STATE_SIZE)
    return card_places[state[k.RESERVE_AT :] < 0], state


def _seeds(seed: int) -> Iterator[np.uint64]:
    generator = np.random.default_rng([seed, 2])
    while True:
        yield np.uint64(generator.integers(0, 2**63))
