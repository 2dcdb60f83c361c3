"""Random tables of Napoleon's Tomb with one deck, as their tops tell them.

What lies under them follows from the rules or is in the deck.
"""

from __future__ import annotations

from typing import Final

from datasets.games.game import GameScene, PositionJson, first_legal, shuffled
from datasets.picture_tools import Rng

HIGH: Final = "789TJQK"
"""Ranks of the corners."""
LOW: Final = "A23456"
"""Ranks of the centre."""
SPARE: Final = "A234589TJQK"
"""Ranks that a spare and the discard pile hold; sixes have a place of their own, and each seven goes to a corner."""


def random_position(rng: Rng) -> PositionJson:
    """A game under way."""
    return first_legal(lambda: _random_tops(rng))


def _random_tops(rng: Rng) -> PositionJson:
    cards = shuffled(rng)
    stage = rng.uniform(0.2, 1)
    corners = [_take(rng, cards, HIGH, stage) for _ in range(4)]
    return {
        "game": "tomb_single",
        "corners": [_pile(corner) for corner in corners],
        "centre": _pile(_take(rng, cards, LOW, stage)),
        "spares": [_take(rng, cards, SPARE, 0.95) for _ in range(4)],
        "spare_six": _pile(_take(rng, cards, "6", 0.5)),
        "discard": _pile(_take(rng, cards, SPARE, 0.8)),
    }


def _take(rng: Rng, cards: list[str], ranks: str, chance: float) -> str | None:
    """Takes the first card of some ranks from the cards, with a chance; None for none."""
    found = next((card for card in cards if card[0] in ranks), None)
    if found is None or rng.random() >= chance:
        return None
    cards.remove(found)
    return found


def _pile(card: str | None) -> list[str]:
    return [] if card is None else [card]


SCENE: Final = GameScene(random_position)
