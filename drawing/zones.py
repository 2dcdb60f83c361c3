"""What people call the places of a table, and in which colours they see them: on annotated photos and on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drawing.card_names import SUIT_WORDS
from solver.cards import SUIT_CHARS
from solver.place import NOWHERE, Place

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

PALETTE: Final[tuple[Colour, ...]] = (
    (0, 114, 178),
    (230, 159, 0),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (213, 94, 0),
    (240, 228, 66),
)
"""Okabe and Ito's colours, told apart by colour-blind people too."""
GREY: Final[Colour] = (150, 150, 150)
_NAMES: Final[Mapping[str, str]] = {"floor": "meld", "tableau": "tableau pile", "spare_six": "spare sixes"}
_SIDES: Final = ("above", "right", "below", "left")
_IN_WORDS: Final[Mapping[str, str]] = {
    NOWHERE.kind: "without a place",
    "floor": "on the floor",
    "discard": "in the discard pile",
    "spare_six": "among the spare sixes",
}
"""What is said of a card that lies at a place without a number, where it is not `in the` with the place's name."""
_FIRST_COLOURS: Final[Mapping[str, int]] = {"hand": 3, "centre": 4, "waste": 4, "discard": 5, "cross": 5, "spare": 1}
"""Which colour of the palette the first place of a kind has, so that neighbours of different kinds differ."""


def place_name(place: Place) -> str:
    """What people call a place, counted from 1.

    >>> [place_name(Place.parse(zone)) for zone in ("floor/0", "cross/3", "foundation/H", "spare_six", "hand")]
    ['meld 1', 'cross, left', 'foundation of hearts', 'spare sixes', 'hand']
    """
    name = _NAMES.get(place.kind, place.kind)
    if place.number is None:
        return name
    if place.kind == "cross":
        return f"cross, {_SIDES[place.number % 4]}"
    if place.kind == "foundation":
        return f"{name} of {SUIT_WORDS[SUIT_CHARS[place.number]]}"
    return f"{name} {place.number + 1}"


def place_in_words(place: Place) -> str:
    """Where a card lies, in a sentence.

    >>> [place_in_words(Place.parse(zone)) for zone in ("column/2", "cross/1", "cross/3", "foundation/H")]
    ['in column 3', 'right of the deck', 'left of the deck', 'on the foundation of hearts']
    >>> [place_in_words(Place.parse(zone)) for zone in ("hand", "floor", "floor/0", "none")]
    ['in the hand', 'on the floor', 'in meld 1', 'without a place']
    """
    if place.number is None:
        return _IN_WORDS.get(place.kind, f"in the {place_name(place)}")
    if place.kind == "cross":
        side = _SIDES[place.number % 4]
        return f"{side}{' of' * (side in ('right', 'left'))} the deck"
    return f"on the {place_name(place)}" if place.kind == "foundation" else f"in {place_name(place)}"


def place_colour(place: Place) -> Colour:
    """A place's colour, the same on every photo; places that follow each other differ, all of the cross are alike.

    >>> place_colour(Place("floor", 0)) == place_colour(Place("floor", 1))
    False
    >>> place_colour(Place("cross", 0)) == place_colour(Place("cross", 2))
    True
    >>> place_colour(NOWHERE), place_colour(Place("deck"))
    ((150, 150, 150), (150, 150, 150))
    """
    if place.kind in (NOWHERE.kind, "deck", "stock"):
        return GREY
    number = 0 if place.number is None or place.kind == "cross" else place.number
    return PALETTE[(_FIRST_COLOURS.get(place.kind, 0) + number) % len(PALETTE)]
