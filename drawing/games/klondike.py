"""Klondike on the table: stock, waste and foundations above seven columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from drawing.boards import Section, Spot, Zone, list_zone, path_zone
from drawing.cards import BACK, EMPTY
from drawing.zones import zone_name
from solver.cards import RANK_CHARS, SUIT_CHARS


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    stock, waste = position["stock"], position["waste"]
    top = (
        Zone("stock", "stock", (Spot(BACK if stock else EMPTY),), fan="pile", kind="fixed", note=f"{len(stock)}"),
        list_zone("waste", "waste", waste, span=2, shown=3, note=f"{len(waste)}"),
        *(_foundation(suit, position["foundations"][suit], f"foundations/{suit}") for suit in SUIT_CHARS),
    )
    columns = tuple(_column(number, column) for number, column in enumerate(position["columns"]))
    known = tuple(_known_face_down(position["columns"]))
    return (
        Section("", top, columns=7),
        Section("", columns, columns=7),
        *([Section("Known face-down cards, lowest first", known)] if known else []),
        Section("Stock, first turned first", (list_zone("stock", "stock", stock),)),
    )


def _column(number: int, column: Mapping[str, Any] | Sequence[str]) -> Zone:
    """A column with its face-down cards as backs; one that is a plain list has only its last card face up."""
    title, path = zone_name(f"column/{number}"), f"columns/{number}"
    if isinstance(column, Mapping):
        down, up = column.get("down", []), column["up"]
        spots = [Spot(BACK, f"{path}/down/{place}") for place in range(len(down))]
        spots += [Spot(card, f"{path}/up/{place}") for place, card in enumerate(up)]
        return Zone(title, f"{path}/up", tuple(spots), fan="down", under=f"{path}/down")
    last = len(column) - 1
    spots = [Spot(card if place == last else BACK, f"{path}/{place}") for place, card in enumerate(column)]
    return Zone(title, path, tuple(spots), fan="down")


def _known_face_down(columns: Sequence[Mapping[str, Any] | Sequence[str]]) -> Iterator[Zone]:
    """The face-down cards of each column of which some can be named."""
    for number, column in enumerate(columns):
        down = column.get("down", []) if isinstance(column, Mapping) else []
        if any(card != BACK for card in down):
            yield list_zone(f"under column {number + 1}", f"columns/{number}/down", down, titled=True)


def _foundation(suit: str, height: int, path: str) -> Zone:
    """A foundation built from the ace up, stored as a count of cards."""
    card = f"{RANK_CHARS[height - 1]}{suit}" if 0 < height <= 13 else EMPTY
    return Zone(zone_name(path_zone(path)), path, (Spot(card, path),), fan="pile", kind="height", ghost=suit)
