"""Makiaveli, rummy with two decks where the whole table may be rearranged: could the hand have been emptied?

>>> from solver.makiaveli import Position, solve
>>> str(solve(Position.parse("floor: 7C 7D 7H; cross: 2S; hand: 3S 4S 5S")).verdict)
'win'
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.errors import CardsError
from solver.makiaveli.outs import Out, Outs, outs
from solver.makiaveli.plan import Step, disruption, steps
from solver.makiaveli.position import Position, Turn
from solver.makiaveli.solve import MakiaveliSolution, blockers, solve, solve_each, solve_many, verdict
from solver.solution import Limits

__all__ = [
    "MakiaveliSolution",
    "Out",
    "Outs",
    "Position",
    "Step",
    "Turn",
    "answer",
    "answer_many",
    "blockers",
    "disruption",
    "outs",
    "solve",
    "solve_many",
    "steps",
    "verdict",
]


def answer(position: Position, limits: Limits) -> MakiaveliSolution:
    """The one call that `solver.answer` makes."""
    return solve(position, limits)


def answer_many(positions: Sequence[Position], limits: Limits) -> list[MakiaveliSolution | CardsError]:
    """`answer` for many positions, with all verdicts from one call of the kernel; errors stand in their places."""
    return solve_each(positions, limits)
