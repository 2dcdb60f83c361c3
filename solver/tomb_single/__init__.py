"""Napoleon's Tomb with one deck: forced and free play, simulation, exact answers and estimates."""

from solver.tomb_single.position import Position, random_deal
from solver.tomb_single.rules import FORCED, FREE, Move, TombRules
from solver.tomb_single.simulate import simulate
from solver.tomb_single.solve import answer, estimate, solve

__all__ = ["FORCED", "FREE", "Move", "Position", "TombRules", "answer", "estimate", "random_deal", "simulate", "solve"]
