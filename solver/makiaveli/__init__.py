"""Makiaveli, rummy with two decks where the whole table may be rearranged: could the hand have been emptied?

>>> from solver.makiaveli import Position, solve
>>> str(solve(Position.parse("floor: 7C 7D 7H; cross: 2S; hand: 3S 4S 5S")).verdict)
'win'
"""

from __future__ import annotations

from solver.makiaveli.position import Position, Turn
from solver.makiaveli.solve import MakiaveliSolution, solve
from solver.solution import Limits

__all__ = ["MakiaveliSolution", "Position", "Turn", "answer", "solve"]


def answer(position: Position, limits: Limits) -> MakiaveliSolution:
    """The one call that `solver.answer` makes."""
    return solve(position, limits)
