"""Baccarat on the page: it is only simulated, because nobody chooses a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from solver.baccarat.exact import exact_tally
from solver.baccarat.rules import Outcome, Shoe
from solver.baccarat.simulate import simulate as simulate_rounds
from webapp.games.game import GamePage, Simulation

DECKS: Final = 8


def simulate(size: int, seed: int) -> Sequence[int]:
    """How often player, banker and tie came out in some rounds."""
    tally = simulate_rounds(size, seed=seed).tally
    return [tally.count(outcome) for outcome in Outcome]


def exact_shares() -> Sequence[float]:
    """The exact chances of the three."""
    tally = exact_tally(Shoe.of_decks(DECKS))
    return [float(tally.probability(outcome)) for outcome in Outcome]


PAGE: Final = GamePage(
    simulation=Simulation(
        ("player", "banker", "tie"),
        simulate,
        "Two sides, the player and the banker, get cards. They add them up. The sum whose last digit is higher wins; a"
        " tie is when both are the same.",
        exact_shares,
        "This is Punto banco, as casinos play it: a fixed rule tells who draws one more card. All eight decks are mixed"
        " anew for each game.",
    )
)
