"""Napoleon's Tomb with one deck on the table: a grid of nine piles, and what lies beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, face_down_pile, list_zone, pile_top, slot_zone
from solver.place import Place


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    corners = [(Place("corner", number), pile) for number, pile in enumerate(position["corners"])]
    tops = [pile_top(*corner, titled=True) for corner in corners]
    spares = []
    for number, held in enumerate(position["spares"]):
        card = held[-1] if isinstance(held, list) and held else held or None
        spares.append(slot_zone(Place("spare", number), card, titled=True))
    centre, *beside = ((Place(kind), position[kind]) for kind in ("centre", "spare_six", "discard"))
    deck = position["deck"]
    grid = (
        *(tops[0], spares[0], tops[1]),
        *(spares[1], pile_top(*centre, titled=True), spares[2]),
        *(tops[2], spares[3], tops[3]),
    )
    return (
        Section("", grid, columns=3),
        Section(
            "",
            (
                *(pile_top(*pile, titled=True) for pile in beside),
                face_down_pile(Place("deck"), deck, titled=True, note=f"{len(deck)}"),
            ),
            columns=3,
        ),
        Section(
            "Each pile, top card last",
            tuple(list_zone(place, pile, titled=True) for place, pile in (*corners, centre, *beside)),
        ),
        Section("Deck, first drawn first", (list_zone(Place("deck"), deck),)),
    )
