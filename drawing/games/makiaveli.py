"""Makiaveli on the table: melds on the floor, the cross round the deck, the hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, Spot, Zone, list_zone, slot_zone
from drawing.cards import BACK
from drawing.zones import zone_name


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    floor = tuple(
        list_zone(zone_name(f"floor/{number}"), f"floor/{number}", meld, titled=True)
        for number, meld in enumerate(position["floor"])
    )
    places = [*position["cross"], None, None, None, None][:4]
    above, right, below, left = (
        slot_zone(zone_name(f"cross/{number}"), f"cross/{number}", card) for number, card in enumerate(places)
    )
    deck = Zone("deck", "", (Spot(BACK),), fan="pile", kind="fixed")
    hand = list_zone("hand", "hand", position["hand"])
    return (
        Section("Floor", floor, grows="floor/*"),
        Section("Cross", (None, above, None, left, deck, right, None, below, None), columns=3),
        Section("Hand", (hand,)),
    )
