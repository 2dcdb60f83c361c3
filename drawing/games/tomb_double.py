"""Napoleon's Tomb with two decks on the table: a grid of nine, the tableau beside it, the wastes below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drawing.boards import Section, Zone, face_down_pile, foundation, list_zone, pile_top
from solver.cards import SUIT_CHARS
from solver.place import Place


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    reserves = [*_tops(position["reserves"], "reserve"), *[None] * 4][:4]
    tableau = [*_tops(position["tableau"], "tableau"), *[None] * 4][:4]
    centre, stock = Place("centre"), Place("stock")
    counts = position["foundations"]
    clubs, diamonds, hearts, spades = (
        foundation(suit, counts[suit], from_king=True, most=26, note=f"{counts[suit]}", titled=True)
        for suit in SUIT_CHARS
    )
    grid = (
        *(clubs, reserves[0], diamonds, tableau[0]),
        *(reserves[1], pile_top(centre, position["centre"], titled=True), reserves[2], tableau[1]),
        *(hearts, reserves[3], spades, tableau[2]),
        *(None, None, None, tableau[3]),
    )
    full = (
        list_zone(centre, position["centre"], titled=True),
        *_spread(position["reserves"], "reserve", misread=True),
        *_spread(position["tableau"], "tableau"),
        *_spread(position["wastes"], "waste", misread=True),
    )
    pile = face_down_pile(stock, position["stock"], titled=True, note=f"{len(position['stock'])}")
    wastes = (pile, *_tops(position["wastes"], "waste"))
    return (
        Section("", grid, columns=4),
        Section("", wastes, columns=6),
        Section("Each pile, top card last", full),
        Section("Stock, spread out: the first is next", (list_zone(stock, position["stock"]),)),
    )


def _tops(piles: Sequence[Sequence[str]], kind: str) -> list[Zone]:
    """The piles of a list, of which only the top cards are seen."""
    return [pile_top(Place(kind, number), pile, titled=True) for number, pile in enumerate(piles)]


def _spread(piles: Sequence[Sequence[str]], kind: str, *, misread: bool = False) -> list[Zone]:
    """The same piles with all their cards; `misread` says that the number of face-down cards may be wrong."""
    places = (Place(kind, number) for number in range(len(piles)))
    return [
        list_zone(place, pile, titled=True, under=place.path if misread else "")
        for place, pile in zip(places, piles, strict=True)
    ]
