"""Random tables of Napoleon's Tomb with two decks, as their tops tell them, with foundations in their first round."""

from __future__ import annotations

from typing import Final

from datasets.games.game import GameScene, PositionJson, first_legal, shuffled
from datasets.picture_tools import Rng
from solver.cards import RANK_CHARS, SUIT_CHARS


def random_position(rng: Rng) -> PositionJson:
    """A game under way."""
    return first_legal(lambda: _random_tops(rng))


def _random_tops(rng: Rng) -> PositionJson:
    cards = shuffled(rng, decks=2)
    foundations = {suit: _build_down(rng, cards, suit) for suit in SUIT_CHARS}
    wastes = int(rng.integers(0, 6))
    return {
        "game": "tomb_double",
        "foundations": foundations,
        "centre": _build_centre(rng, cards),
        "tableau": [[cards.pop()] if rng.random() < 0.92 else [] for _ in range(4)],
        "reserves": [[cards.pop()] if rng.random() < 0.96 else [] for _ in range(4)],
        "wastes": [[cards.pop()] if number < wastes else [] for number in range(5)],
        "redeals": 4,
    }


def _build_down(rng: Rng, cards: list[str], suit: str) -> int:
    """How many cards lie on a suit's foundation, from the king down; they are taken from the cards."""
    if rng.random() >= 0.7:
        return 0
    height = int(rng.integers(1, 11))
    for rank in RANK_CHARS[13 - height :]:
        cards.remove(rank + suit)
    return height


def _build_centre(rng: Rng, cards: list[str]) -> list[str]:
    """The centre, from an ace up, as far as its cards are there; they are taken from the cards."""
    centre: list[str] = []
    if rng.random() >= 0.5:
        return centre
    suit = SUIT_CHARS[int(rng.integers(4))]
    for rank in RANK_CHARS[: int(rng.integers(1, 6))]:
        if rank + suit not in cards:
            break
        cards.remove(rank + suit)
        centre.append(rank + suit)
    return centre


SCENE: Final = GameScene(random_position)
