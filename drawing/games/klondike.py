"""Klondike on the table: stock, waste and foundations above seven columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from drawing.boards import Section, Spot, Zone, face_down_pile, foundation, list_zone
from drawing.card_names import BACK
from solver.cards import SUIT_CHARS
from solver.place import Place


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    stock, waste = position["stock"], position["waste"]
    top = (
        face_down_pile(Place("stock"), stock, path="stock", note=f"{len(stock)}"),
        list_zone(Place("waste"), waste, span=2, shown=3, note=f"{len(waste)}"),
        *(foundation(suit, position["foundations"][suit]) for suit in SUIT_CHARS),
    )
    columns = tuple(_column(Place("column", number), column) for number, column in enumerate(position["columns"]))
    known = tuple(_known_face_down(position["columns"]))
    return (
        Section("", top, columns=7),
        Section("", columns, columns=7),
        *([Section("Face down, but known: the deepest card first", known)] if known else []),
        Section("Stock, spread out: the first is next", (list_zone(Place("stock"), stock),)),
    )


def _column(place: Place, column: Mapping[str, Any] | Sequence[str]) -> Zone:
    """A column with its face-down cards as backs; one that is a plain list has only its last card face up."""
    path = place.path
    if isinstance(column, Mapping):
        down, up = column.get("down", []), column["up"]
        spots = [Spot(BACK, f"{path}/down/{number}") for number in range(len(down))]
        spots += [Spot(card, f"{path}/up/{number}") for number, card in enumerate(up)]
        return Zone(place, tuple(spots), f"{path}/up", fan="down", under=f"{path}/down")
    last = len(column) - 1
    spots = [Spot(card if number == last else BACK, f"{path}/{number}") for number, card in enumerate(column)]
    return Zone(place, tuple(spots), path, fan="down")


def _known_face_down(columns: Sequence[Mapping[str, Any] | Sequence[str]]) -> Iterator[Zone]:
    for number, column in enumerate(columns):
        down = column.get("down", []) if isinstance(column, Mapping) else []
        if any(card != BACK for card in down):
            place = Place("column", number)
            yield list_zone(place, down, path=f"{place.path}/down", name=f"under column {number + 1}", titled=True)
