"""Makiaveli on the table: melds on the floor, the cross round the deck, the hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, face_down_pile, list_zone, slot_zone
from drawing.card_names import BACK
from solver.place import Place


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    melds = (list_zone(Place("floor", n), meld, titled=True) for n, meld in enumerate(position["floor"]))
    cards = [*position["cross"], None, None, None, None][:4]
    above, right, below, left = (slot_zone(Place("cross", n), card) for n, card in enumerate(cards))
    deck = face_down_pile(Place("deck"), [BACK])
    return (
        Section("Floor", tuple(melds), grows="floor/*"),
        Section("Cross", (None, above, None, left, deck, right, None, below, None), columns=3),
        Section("Hand", (list_zone(Place("hand"), position["hand"]),)),
    )
