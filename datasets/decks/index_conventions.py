"""Ways to print an index that most decks do not use: where the suit stands, what the letters are, how large all is.

Each is a family. Some are never trained on, so that what is read of them shows what other unknown decks will give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from datasets.picture_tools import Rng, choose

Alphabet = tuple[str, str, str, str, str]
"""Ace, ten, jack, queen, king."""


@dataclass(frozen=True, slots=True)
class Convention:
    """How the indices of a deck are printed.

    Attributes:
        place: Where the suit stands, seen from the rank: `below`, `above`, `right`, `left`; or `away`, where the rank
            stands alone and the suit somewhere else on the card.
        size: `usual`, `jumbo`: more than a third of the card's width high, or `far`: with a wide gap.
        corners: `two`, opposite ones; `four`; or `top`, both upper ones.
        chance: Share among those to train on, or among those held back.
    """

    place: str
    size: str = "usual"
    corners: str = "two"
    chance: float = 1.0


TRAINED: Final[dict[str, Convention]] = {
    "above": Convention("above", chance=0.27),
    "right": Convention("right", chance=0.15),
    "left": Convention("left", chance=0.14),
    "away": Convention("away", chance=0.12),
    "jumbo": Convention("below", "jumbo", chance=0.12),
    "jumbo_right": Convention("right", "jumbo", chance=0.04),
    "top": Convention("below", corners="top", chance=0.05),
    "letters": Convention("below", chance=0.11),
}
"""Names of the conventions that are trained on; `letters`: only letters, colours and courts are unusual."""
HELD: Final[dict[str, Convention]] = {
    "jumbo_left": Convention("left", "jumbo", chance=0.2),
    "far": Convention("below", "far", chance=0.2),
    "far_above": Convention("above", "far", chance=0.15),
    "jumbo_above": Convention("above", "jumbo", chance=0.15),
    "above_four": Convention("above", corners="four", chance=0.1),
    "held_letters": Convention("below", chance=0.2),
}
"""Names of the conventions that no network is trained on."""
TRAINED_ALPHABETS: Final[tuple[Alphabet, ...]] = (
    *(("A", "10", "J", "Q", "K"), ("A", "T", "J", "Q", "K"), ("E", "10", "B", "D", "K"), ("1", "10", "V", "D", "R")),
    *(("A", "10", "B", "D", "K"), ("Т", "10", "В", "Д", "К"), ("1", "10", "J", "Q", "K"), ("A", "10", "V", "D", "R")),
    *(("E", "10", "J", "Q", "K"), ("E", "10", "Kn", "D", "K"), ("A", "10", "W", "D", "K"), ("A", "10", "F", "D", "R")),
)
TRAINED_CHANCES: Final = (0.34, 0.06, 0.1, 0.09, 0.09, 0.12, 0.04, 0.05, 0.05, 0.03, 0.02, 0.01)
HELD_ALPHABETS: Final[tuple[Alphabet, ...]] = (
    ("1", "10", "B", "D", "K"),
    ("E", "10", "V", "D", "R"),
    ("1", "T", "Kn", "Q", "K"),
    ("1", "10", "В", "Д", "К"),
)
"""Letters that were seen before, never in this company."""


def convention_of(deck: str) -> str | None:
    """The name of the convention of a drawn deck of the ground truth; None for a deck with usual indices.

    >>> convention_of("drawn/test-jumbo_above-0012+logo"), convention_of("drawn/test-0012")
    ('jumbo_above', None)
    """
    parts = deck.split("+")[0].split("-")
    return parts[1] if len(parts) == 3 and parts[1] in TRAINED | HELD else None


def choose_convention(rng: Rng, *, held: bool) -> tuple[str, Convention]:
    """A convention and its name: of those held back, or of those to train on."""
    table = HELD if held else TRAINED
    chances = np.array([convention.chance for convention in table.values()])
    name = list(table)[int(rng.choice(len(table), p=chances / chances.sum()))]
    return name, table[name]


def choose_alphabet(rng: Rng, name: str) -> Alphabet:
    """The letters of a deck with the convention of a name."""
    if name == "held_letters":
        return choose(rng, HELD_ALPHABETS)
    return TRAINED_ALPHABETS[int(rng.choice(len(TRAINED_ALPHABETS), p=TRAINED_CHANCES))]
