"""Where cards lie on a table, in the words and colours that people see: on the annotated photo and on the page's board.

The zones are those of `datasets/README.md` (`floor/0`, `cross/2`, `column/6`). A leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
_SUITS: Final[Mapping[str, str]] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_FIRST: Final[Mapping[str, int]] = {"hand": 3, "centre": 4, "waste": 4, "discard": 5, "cross": 5, "spare": 1}
"""Which colour the first zone of a family has, so that neighbours of another family differ."""


def zone_name(zone: str) -> str:
    """What people call a zone, counted from 1.

    >>> [zone_name(zone) for zone in ("floor/0", "cross/3", "column/6", "foundation/H", "spare_six", "hand")]
    ['meld 1', 'cross, left', 'column 7', 'foundation of hearts', 'spare sixes', 'hand']
    """
    family, _, place = zone.partition("/")
    name = _NAMES.get(family, family)
    if family == "cross" and place.isdigit():
        return f"cross, {_SIDES[int(place) % 4]}"
    if place in _SUITS:
        return f"{name} of {_SUITS[place]}"
    return f"{name} {int(place) + 1}" if place.isdigit() else name


def zone_colour(zone: str) -> Colour:
    """A zone's colour, the same on every photo; zones that follow each other differ, all of the cross are alike.

    >>> zone_colour("floor/0") == zone_colour("floor/1"), zone_colour("cross/0") == zone_colour("cross/2")
    (False, True)
    >>> zone_colour("none"), zone_colour("deck")
    ((150, 150, 150), (150, 150, 150))
    """
    family, _, place = zone.partition("/")
    if family in ("none", "deck", "stock", ""):
        return GREY
    number = "CDHS".index(place) if place in _SUITS else int(place) if place.isdigit() and family != "cross" else 0
    return PALETTE[(_FIRST.get(family, 0) + number) % len(PALETTE)]
