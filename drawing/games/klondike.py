"""Klondike on the table: stock, waste and foundations above seven columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, Spot, Zone, list_zone, path_zone
from drawing.cards import BACK, EMPTY
from drawing.zones import zone_name
from solver.cards import RANK_CHARS, SUIT_CHARS


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    stock, waste = position["stock"], position["waste"]
    top = [
        Zone("stock", "stock", (Spot(BACK if stock else EMPTY),), fan="pile", kind="fixed", note=f"{len(stock)}"),
        list_zone("waste", "waste", waste, span=2, shown=3, note=f"{len(waste)}"),
    ]
    top += [_foundation(suit, position["foundations"][suit], f"foundations/{suit}") for suit in SUIT_CHARS]
    columns: list[Zone] = []
    for number, column in enumerate(position["columns"]):
        whole = not isinstance(column, Mapping)
        down, up = (column[:-1], column[-1:]) if whole else (column.get("down", []), column["up"])
        path = f"columns/{number}"
        spots = [Spot(BACK, f"{path}/{place}" if whole else f"{path}/down/{place}") for place in range(len(down))]
        spots += [Spot(card, f"{path}/{len(down)}" if whole else f"{path}/up/{place}") for place, card in enumerate(up)]
        inner, under = (path, "") if whole else (f"{path}/up", f"{path}/down")
        columns.append(Zone(zone_name(f"column/{number}"), inner, tuple(spots), fan="down", under=under))
    sections = [Section("", tuple(top), columns=7), Section("", tuple(columns), columns=7)]
    hidden = [
        list_zone(f"under column {number + 1}", f"columns/{number}/down", column["down"], titled=True)
        for number, column in enumerate(position["columns"])
        if isinstance(column, Mapping) and any(card != BACK for card in column.get("down", []))
    ]
    if hidden:
        sections.append(Section("Known face-down cards, lowest first", tuple(hidden)))
    sections.append(Section("Stock, first turned first", (list_zone("stock", "stock", stock),)))
    return tuple(sections)


def _foundation(suit: str, height: int, path: str) -> Zone:
    """A foundation built from the ace up, stored as a count of cards."""
    card = f"{RANK_CHARS[height - 1]}{suit}" if 0 < height <= 13 else EMPTY
    return Zone(zone_name(path_zone(path)), path, (Spot(card, path),), fan="pile", kind="height", ghost=suit)
