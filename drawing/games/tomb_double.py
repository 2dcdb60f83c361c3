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

    def foundation(suit: str) -> Zone:
        count = position["foundations"][suit]
        card = f"{RANK_CHARS[12 - (count - 1) % 13]}{suit}" if count else EMPTY  # twice from the king down
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

    def tops(name: str, word: str) -> list[Zone]:
        return [pile_top(f"{word} {i + 1}", f"{name}/{i}", pile) for i, pile in enumerate(position[name])]

    reserves = [*tops("reserves", "reserve"), *[None] * 4][:4]
    tableau = [*tops("tableau", "tableau pile"), *[None] * 4][:4]
    centre = pile_top("centre", "centre", position["centre"])
    clubs, diamonds, hearts, spades = (foundation(suit) for suit in SUIT_CHARS)
    grid = (
        *(clubs, reserves[0], diamonds, tableau[0]),
        *(reserves[1], centre, reserves[2], tableau[1]),
        *(hearts, reserves[3], spades, tableau[2]),
        *(None, None, None, tableau[3]),
    )
    stock = Zone("stock", "", (Spot(BACK if position["stock"] else EMPTY),), fan="pile", kind="fixed")
    wastes = (stock, *tops("wastes", "waste"))
    full = [list_zone("centre", "centre", position["centre"], titled=True)]
    for name, word in (("reserves", "reserve"), ("tableau", "tableau pile"), ("wastes", "waste")):
        full += [
            list_zone(f"{word} {i + 1}", path, pile, titled=True, under="" if name == "tableau" else path)
            for i, pile in enumerate(position[name])
            for path in [f"{name}/{i}"]
        ]
    return (
        Section("Foundations, reserves, centre, tableau", grid, columns=4),
        Section("Stock and wastes", wastes, columns=6),
        Section("Each pile, top card last", tuple(full)),
        Section("Stock, first turned first", (list_zone("stock", "stock", position["stock"]),)),
    )
