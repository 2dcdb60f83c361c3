"""Which move is best where cards are hidden: every legal move tried on the same deals. Runs in `webapp.worker`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from solver.solution import Limits, Verdict, wilson
from webapp.jobs import Json

ROUND: Final = 4
"""Deals on which all moves are compared before the clock is looked at."""
DEALS: Final = 400
SECONDS: Final = 0.15
"""The same for solvers that search by the clock."""
VISITS: Final = 20_000
"""States that one deal may cost when moves are compared; beyond it counts as undecided."""


def compare(position: Any, seconds: float, seed: int, emit: Callable[[Json], object]) -> Json:
    """Compares the legal moves of a position that hides cards, on deals that fit what is seen.

    Rounds of a few deals are added up until `seconds` have passed, so that every move has had the same deals.

    Args:
        position: The table, its hidden cards unknown.
        seconds: How long may be compared; one round is played at the least.
        seed: Of the deals.
        emit: Is given `{"deals": n}` after each round.

    Returns:
        `moves`, the best first, each with `share`, its interval `low` to `high`, `undecided` and `n`; `seed`; `by`, who
        plays on after the move; of the one-deck Tomb also whether the order of plays is `settled` by the rules.
    """
    if position.game == "tomb_single":
        return _tomb_choices(position, seed)
    play = COMPARED[position.game]
    end = time.monotonic() + seconds
    won: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    n = 0
    while n < DEALS and (not n or time.monotonic() < end):
        for move, wins, open_ones in play(position, seed + n):
            won[move] += wins
            undecided[move] += open_ones
        n += ROUND
        emit({"deals": n})
    rows = [
        {
            "move": move,
            "share": won[move] / n,
            "low": wilson(won[move], n)[0],
            "high": wilson(won[move] + undecided[move], n)[1],
            "undecided": undecided[move],
            "n": n,
        }
        for move in won
    ]
    return {
        "moves": sorted(rows, key=lambda row: (-won[row["move"]], _idle(row["move"]))),
        "seed": seed,
        "by": "knowing",
    }


def _tomb_choices(position: Any, seed: int) -> Json:
    """The same for Napoleon's Tomb with one deck, whose players are quick enough to be asked at every choice."""
    from solver.tomb.single.hidden import choices

    rows = [
        {"move": str(choice), "share": found.mean, "low": found.low, "high": found.high, "undecided": 0, "n": found.n}
        for choice in choices(position, seed=seed)
        for found in [choice.estimate]
    ]
    return {"moves": rows, "seed": seed, "by": "playing on", "settled": position.rules.mode == "forced"}


def _klondike_moves(position: Any, seed: int) -> Iterator[tuple[str, int, int]]:
    from solver.klondike.hidden import move_shares

    for share in move_shares(position, ROUND, seed, VISITS):
        yield str(share.move), share.wins, share.undecided


def _tomb_moves(position: Any, seed: int) -> Iterator[tuple[str, int, int]]:
    """The same for Napoleon's Tomb with two decks: every move on the same deals of its hidden cards."""
    from solver.tomb.double.solve import completed, solve

    rng = Random(seed)
    moves = [move for move in position.moves() if not _changes_nothing(position, str(move))] or position.moves()
    verdicts: dict[str, Counter[Verdict]] = {str(move): Counter() for move in moves}
    for _ in range(ROUND):
        cards = list(position.unseen())
        rng.shuffle(cards)
        deal = completed(position, cards)
        for move in moves:
            found = solve(deal.play(move), Limits(time=SECONDS), seed=seed)
            verdicts[str(move)][found.verdict] += 1
    for move, counts in verdicts.items():
        yield move, counts[Verdict.WIN], counts[Verdict.UNKNOWN]


def _changes_nothing(position: Any, move: str) -> bool:
    """Whether a move only takes a pile of one card to an empty place of the tableau.

    >>> from solver import parse
    >>> table = parse("tomb_double tableau: 6C | - | 3C 4C | -")
    >>> _changes_nothing(table, "T1>T2"), _changes_nothing(table, "T3>T2"), _changes_nothing(table, "T1>F")
    (True, False, False)
    """
    source, _, target = move.partition(">")
    if source[0] != "T" or target[0] != "T":
        return False
    from_pile, to_pile = (position.tableau[int(name[1]) - 1] for name in (source, target))
    return len(from_pile) == 1 and not to_pile


COMPARED: Final[Mapping[str, Callable[[Any, int], Iterator[tuple[str, int, int]]]]] = {
    "klondike": _klondike_moves,
    "tomb_double": _tomb_moves,
}
"""For each move of a position: on how many of `ROUND` deals it can still be won, and how many stay undecided."""
ADVISED: Final = (*COMPARED, "tomb_single")
"""Games whose moves can be compared while cards are hidden."""


def _idle(move: str) -> int:
    """Of moves that are as good the one that gets on: to a foundation, off a reserve, between columns, the rest.

    >>> sorted(["F:H>T4", "draw", "W>T3", "T1>T2", "W>F", "S>W1", "R1>T2"], key=_idle)
    ['W>F', 'R1>T2', 'T1>T2', 'W>T3', 'draw', 'S>W1', 'F:H>T4']
    """
    return 0 if move.endswith(">F") else {"R": 1, "C": 1, "T": 2, "W": 3, "d": 4, "S": 4}.get(move[0], 5)
