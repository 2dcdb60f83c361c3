"""Makiaveli, rummy with two decks where the whole table may be rearranged: could the hand have been emptied?

>>> from solver.makiaveli import Position, solve
>>> str(solve(Position.parse("floor: 7C 7D 7H; cross: 2S; hand: 3S 4S 5S")).verdict)
'win'
"""

from __future__ import annotations

from solver.makiaveli.comparison import turn_played
from solver.makiaveli.outs import Out, Outs, outs
from solver.makiaveli.position import Position, Turn, random_deal
from solver.makiaveli.solve import MakiaveliSolution, blockers, solve, solve_each, solve_many, verdict
from solver.makiaveli.turn_steps import Step, disruption, steps
from solver.solution import Limits

__all__ = [
    "MakiaveliSolution",
    "Move",
    "Out",
    "Outs",
    "Position",
    "Step",
    "Turn",
    "answer",
    "blockers",
    "disruption",
    "outs",
    "random_deal",
    "solve",
    "solve_each",
    "solve_many",
    "steps",
    "turn_played",
    "verdict",
]


Move = Turn
"""What a move is called in every game; in Makiaveli it is a whole turn."""


def answer(position: Position, limits: Limits | None = None) -> MakiaveliSolution:
    """Could the hand have been emptied? Nothing is hidden that matters, so the answer is always exact."""
    return solve(position, limits)
