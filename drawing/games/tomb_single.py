"""Napoleon's Tomb with one deck on the table: a grid of nine piles, and what lies beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from drawing.boards import Section, Spot, Zone, list_zone, pile_top, slot_zone
from drawing.cards import BACK, EMPTY


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    corners = [pile_top(f"corner {i + 1}", f"corners/{i}", pile) for i, pile in enumerate(position["corners"])]
    spares = []
    for number, held in enumerate(position["spares"]):
        card = held[-1] if isinstance(held, list) and held else held or None
        spares.append(slot_zone(f"spare {number + 1}", f"spares/{number}", card))
    centre = pile_top("centre", "centre", position["centre"])
    grid = (
        *(corners[0], spares[0], corners[1]),
        *(spares[1], centre, spares[2]),
        *(corners[2], spares[3], corners[3]),
    )
    deck = Zone("deck", "", (Spot(BACK if position["deck"] else EMPTY),), fan="pile", kind="fixed")
    beside = (
        pile_top("spare sixes", "spare_six", position["spare_six"]),
        pile_top("discard", "discard", position["discard"]),
        replace(deck, note=f"{len(position['deck'])}"),
    )
    full = [
        *(list_zone(f"corner {i}", f"corners/{i - 1}", p, titled=True) for i, p in enumerate(position["corners"], 1)),
        list_zone("centre", "centre", position["centre"], titled=True),
        list_zone("spare sixes", "spare_six", position["spare_six"], titled=True),
        list_zone("discard", "discard", position["discard"], titled=True),
    ]
    return (
        Section("Corners, spares, centre", grid, columns=3),
        Section("Spare sixes, discard, deck", beside, columns=3),
        Section("Each pile, top card last", tuple(full)),
        Section("Deck, first drawn first", (list_zone("deck", "deck", position["deck"]),)),
    )
