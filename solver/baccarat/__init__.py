"""Punto banco: exact odds, simulation, rounds settled from their cards.

>>> from solver.baccarat import Outcome, Shoe, exact_tally
>>> round(float(exact_tally(Shoe.of_decks(8)).probability(Outcome.BANKER)), 10)
0.4585974226
"""

from solver.baccarat.exact import exact_tally, finishing_odds, removal_effects
from solver.baccarat.rules import Outcome, Payouts, Position, Shoe, random_deal
from solver.baccarat.simulate import Simulation, simulate
from solver.baccarat.tally import Bet, Tally

__all__ = [
    "Bet",
    "Outcome",
    "Payouts",
    "Position",
    "Shoe",
    "Simulation",
    "Tally",
    "exact_tally",
    "finishing_odds",
    "random_deal",
    "removal_effects",
    "simulate",
]
