"""The best next move at a table that hides cards: on how many deals that fit what is seen each move still wins."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from solver.cards import Rank
from solver.position import check
from solver.solution import Limits, Verdict, wilson
from solver.tomb_double.position import Position
from solver.tomb_double.rules import Move, next_down
from solver.tomb_double.solve import completed, solve

SECONDS: Final = 0.15
"""How long one deal may be searched."""
ROUND: Final = 4
"""Deals on which all moves are compared before the clock is looked at."""
DEALS: Final = 400


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and the share of deals that can still be won after it, by somebody who sees every card.

    Attributes:
        move: The move.
        won: The share of deals that are won.
        low: Lower end of its 95% interval, which covers the deals that were not decided either way.
        high: Upper end of it.
        undecided: Deals that were not decided in the time.
        n: Deals that it was tried on.
    """

    move: Move
    won: float
    low: float
    high: float
    undecided: int
    n: int

    def to_json(self) -> dict[str, Any]:
        """The move with its share and interval."""
        shares = {"share": self.won, "low": self.low, "high": self.high}
        return {"move": str(self.move), **shares, "undecided": self.undecided, "n": self.n}


def choices(
    position: Position,
    *,
    seconds: float = math.inf,
    deals: int = DEALS,
    seed: int = 0,
    progress: Callable[[int], object] = lambda n: None,
) -> tuple[Choice, ...]:
    """The moves that change anything, the best first, all compared on the same deals.

    Args:
        position: A legal position.
        seconds: After so long no further round of deals begins; the first is always played.
        deals: Deals to try at most.
        seed: The same seed gives the same deals.
        progress: Is told after each round how many deals were tried.

    Raises:
        PositionError: For a position that breaks the rules.

    >>> table = "foundations: C26 D26 H26 S24; tableau: 2S | - | - | -; stock: ??"
    >>> [(str(one.move), one.won) for one in choices(Position.parse(table), deals=4)][:2]
    [('T1>F', 1.0), ('S>W1', 1.0)]
    """
    check(position)
    end = time.monotonic() + seconds
    won: Counter[Move] = Counter()
    undecided: Counter[Move] = Counter()
    n = 0
    while n < deals and (not n or time.monotonic() < end):
        for move, verdicts in _compared(position, ROUND, seed + n):
            won[move] += verdicts[Verdict.WIN]
            undecided[move] += verdicts[Verdict.UNKNOWN]
        n += ROUND
        progress(n)
    found = [
        Choice(move, wins / n, *wilson(wins, n, undecided=undecided[move]), undecided[move], n)
        for move, wins in won.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.won, _idle(one.move), _buries(position, one.move))))


def _idle(move: Move) -> int:
    """The order of equally good moves: to a foundation, off a reserve, within the tableau, off a waste, turns.

    >>> moves = map(Move.parse, ["redeal", "S>W1", "W1>T2", "T1>T2", "W1>F", "R1>T2"])
    >>> [str(move) for move in sorted(moves, key=_idle)]
    ['W1>F', 'R1>T2', 'T1>T2', 'W1>T2', 'S>W1', 'redeal']
    """
    text = str(move)
    return 0 if text.endswith(">F") else {"R": 1, "C": 1, "T": 2, "W": 3, "S": 4}.get(text[0], 5)


def _buries(position: Position, move: Move) -> int:
    """The order of equally good turns: onto an empty waste, then onto the card that its foundation takes latest.

    >>> table = Position.parse("tomb_double foundations: C1 H2; wastes: QC | TC | 2H | - | 3C 5C; stock: 40")
    >>> turns = [Move.parse(f"S>W{number}") for number in range(1, 6)]
    >>> [str(move) for move in sorted(turns, key=lambda move: _buries(table, move))]
    ['S>W4', 'S>W3', 'S>W5', 'S>W2', 'S>W1']
    """
    pile = position.wastes[move.target.ordinal] if move.target.kind == "waste" else ()
    if not pile:
        return 0
    card = pile[-1]
    wait = 0 if card is None else (next_down(position.foundations[card.suit]) - card.rank) % len(Rank)
    return len(Rank) - wait


def _compared(position: Position, deals: int, seed: int) -> Iterator[tuple[Move, Counter[Verdict]]]:
    """Of each move how often each verdict comes after it, on the same deals."""
    rng = Random(seed)
    moves = [move for move in position.moves() if not changes_nothing(position, move)] or position.moves()
    verdicts: dict[Move, Counter[Verdict]] = {move: Counter() for move in moves}
    for _ in range(deals):
        cards = list(position.unseen())
        rng.shuffle(cards)
        deal = completed(position, cards)
        for move in moves:
            verdicts[move][solve(deal.play(move), Limits(time=SECONDS), seed=seed).verdict] += 1
    yield from verdicts.items()


def changes_nothing(position: Position, move: Move) -> bool:
    """Whether a move only takes a pile of one card to an empty place of the tableau.

    >>> table = Position.parse("tomb_double tableau: 6C | - | 3C 4C | -")
    >>> [changes_nothing(table, Move.parse(move)) for move in ("T1>T2", "T3>T2", "T1>F")]
    [True, False, False]
    """
    if move.source.kind != "tableau" or move.target.kind != "tableau":
        return False
    from_pile, to_pile = (position.tableau[place.ordinal] for place in (move.source, move.target))
    return len(from_pile) == 1 and not to_pile
