"""The zones that a layout tells apart, by game, and the words for games."""

from __future__ import annotations

from typing import Final

from solver.cards import SUIT_CHARS

NONE: Final = "none"
"""The zone of what belongs to no game."""
FACE_DOWN: Final = ("stock", "deck")
"""Zones in which no card lies face up."""
CARDS: Final = "cards"
"""Instead of a game: only the cards, whatever they mean."""
ZONES: Final[dict[str, tuple[str, ...]]] = {
    "makiaveli": ("floor", *(f"cross/{k}" for k in range(4)), "hand", "deck", NONE),
    "klondike": (*(f"column/{k}" for k in range(7)), "stock", "waste", "foundation", NONE),
    "tomb_single": (
        *(f"corner/{k}" for k in range(4)),
        "centre",
        *(f"spare/{k}" for k in range(4)),
        "spare_six",
        "discard",
        "deck",
        NONE,
    ),
    "tomb_double": (
        "foundation",
        *(f"reserve/{k}" for k in range(4)),
        "centre",
        *(f"tableau/{k}" for k in range(4)),
        *(f"waste/{k}" for k in range(5)),
        "stock",
        NONE,
    ),
}
"""A game's zones in the order of the network's numbers. What a label calls `floor/2` or `foundation/H` is `floor` and
`foundation` here: which meld or suit it is, the cards tell."""
GAMES: Final = tuple(ZONES)
CLASSES: Final = (*GAMES, CARDS)
"""What a photo may show, in the order of the network's numbers."""


def zone_number(game: str, zone: str) -> int:
    """The network's number of a label's zone.

    >>> zone_number("makiaveli", "floor/3"), zone_number("klondike", "column/3")
    (0, 3)
    """
    names = ZONES[game]
    return names.index(zone if zone in names else zone.split("/")[0])


def zone_of_card(zone: str, card: int) -> str:
    """What a label calls the zone of a card (its number): a foundation is that of the card's suit.

    >>> zone_of_card("foundation", 40), zone_of_card("waste", 40)
    ('foundation/S', 'waste')
    """
    return f"foundation/{SUIT_CHARS[card // 13]}" if zone == "foundation" else zone
