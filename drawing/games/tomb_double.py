"""Napoleon's Tomb with two decks on the table: a grid of nine, the tableau beside it, the wastes below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drawing.boards import Section, Spot, Zone, list_zone, path_zone, pile_top
from drawing.cards import BACK, EMPTY
from drawing.zones import zone_name
from solver.cards import RANK_CHARS, SUIT_CHARS


def draw_sections(position: Mapping[str, Any]) -> tuple[Section, ...]:
    """The zones of a position, given as its JSON object."""
    reserves = [*_tops(position, "reserves", "reserve"), *[None] * 4][:4]
    tableau = [*_tops(position, "tableau", "tableau pile"), *[None] * 4][:4]
    centre = pile_top("centre", "centre", position["centre"])
    clubs, diamonds, hearts, spades = (_foundation(suit, position["foundations"][suit]) for suit in SUIT_CHARS)
    grid = (
        *(clubs, reserves[0], diamonds, tableau[0]),
        *(reserves[1], centre, reserves[2], tableau[1]),
        *(hearts, reserves[3], spades, tableau[2]),
        *(None, None, None, tableau[3]),
    )
    stock = Zone("stock", "", (Spot(BACK if position["stock"] else EMPTY),), fan="pile", kind="fixed")
    wastes = (stock, *_tops(position, "wastes", "waste"))
    full = (
        list_zone("centre", "centre", position["centre"], titled=True),
        *_spread(position, "reserves", "reserve", misread=True),
        *_spread(position, "tableau", "tableau pile"),
        *_spread(position, "wastes", "waste", misread=True),
    )
    return (
        Section("Foundations, reserves, centre, tableau", grid, columns=4),
        Section("Stock and wastes", wastes, columns=6),
        Section("Each pile, top card last", full),
        Section("Stock, first turned first", (list_zone("stock", "stock", position["stock"]),)),
    )


def _foundation(suit: str, count: int) -> Zone:
    """A foundation, built twice from the king down and stored as a count of cards."""
    card = f"{RANK_CHARS[12 - (count - 1) % 13]}{suit}" if count else EMPTY
    path = f"foundations/{suit}"
    return Zone(
        zone_name(path_zone(path)),
        path,
        (Spot(card, path),),
        fan="pile",
        kind="height",
        ghost=suit,
        note=f"{count}",
        most=26,
    )


def _tops(position: Mapping[str, Any], name: str, word: str) -> list[Zone]:
    """The piles of a list, of which only the top cards are seen."""
    return [pile_top(f"{word} {i + 1}", f"{name}/{i}", pile) for i, pile in enumerate(position[name])]


def _spread(position: Mapping[str, Any], name: str, word: str, *, misread: bool = False) -> list[Zone]:
    """The same piles with all their cards; `misread` where the number of those face down may be."""
    return [
        list_zone(f"{word} {i + 1}", f"{name}/{i}", pile, titled=True, under=f"{name}/{i}" if misread else "")
        for i, pile in enumerate(position[name])
    ]
