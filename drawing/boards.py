"""How each game lies on the table: a position's JSON becomes a `Board`, which the page draws.

It knows no rules: what a card may do is the solver's business. Every place on a board carries its path in the
position's JSON (`floor/0/2` is `json["floor"][0][2]`), which is what `webapp.edits` changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from drawing.cards import BACK, EMPTY, Mark
from drawing.zones import zone_name
from solver.cards import RANK_CHARS, SUIT_CHARS
from solver.position import Fault

Fan = Literal["right", "down", "pile"]
Kind = Literal["list", "slot", "height", "fixed"]
"""`list` holds any number of cards, `slot` one or none, `height` counts a foundation's cards, `fixed` is no target."""


GAME_TITLES: Final[Mapping[str, str]] = {
    "makiaveli": "Makiaveli",
    "klondike": "Klondike",
    "tomb_single": "Napoleon's Tomb, one deck",
    "tomb_double": "Napoleon's Tomb, two decks",
}
DECKS: Final[Mapping[str, int]] = {"makiaveli": 2, "klondike": 1, "tomb_single": 1, "tomb_double": 2}
"""How many copies of a card a game has, so that the card grid can show which are used up."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A card on the board and its path in the position's JSON; an empty path is a card nobody can pick."""

    card: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that lie together.

    Attributes:
        title: What people call it; shown above it where `titled`.
        path: Path of the list, the slot or the count in the position's JSON.
        spots: Bottom to top.
        fan: How the cards lie.
        kind: What the path holds.
        titled: Whether the title is printed.
        note: A few words under it, as a count.
        ghost: A suit shown faintly on an empty place.
        span: How many grid columns it takes.
        most: The most cards a counted foundation takes.
        shown: How many of the uppermost cards are drawn; 0 for all.
        under: Path of the list whose face-down cards lie lowest here, where their number may be misread.
    """

    title: str
    path: str
    spots: tuple[Spot, ...]
    fan: Fan = "right"
    kind: Kind = "list"
    titled: bool = False
    note: str = ""
    ghost: str = ""
    span: int = 1
    most: int = 13
    shown: int = 0
    under: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Zones under one heading: in a grid of `columns` (None is a hole), or flowing where `columns` is 0."""

    title: str
    zones: tuple[Zone | None, ...]
    columns: int = 0
    grows: str = ""
    """Path at which a new zone can be begun, as `floor/*`."""


@dataclass(frozen=True, slots=True)
class Board:
    """A whole table."""

    game: str
    sections: tuple[Section, ...]

    def zones(self) -> tuple[Zone, ...]:
        """All zones in reading order."""
        return tuple(zone for section in self.sections for zone in section.zones if zone is not None)

    def zone_of(self, place: str) -> Zone | None:
        """The zone that a place belongs to."""
        return next((zone for zone in self.zones() if any(spot.place == place for spot in zone.spots)), None)

    def card_at(self, place: str) -> str | None:
        """The card at a place, "" for an empty one, None where there is no such place."""
        return next((spot.card for zone in self.zones() for spot in zone.spots if spot.place == place), None)


def board(position: Mapping[str, Any]) -> Board:
    """The table of a position given as its JSON object."""
    game = str(position["game"])
    return Board(game, _BOARDS[game](position))


def path_zone(path: str) -> str:
    """The zone of `datasets/README.md`, as a photo's cards name it, of a path in the position's JSON.

    >>> path_zone("columns/2/up"), path_zone("floor/0"), path_zone("reserves/3"), path_zone("hand")
    ('column/2', 'floor/0', 'reserve/3', 'hand')
    """
    family, *rest = path.split("/")
    return "/".join((_FAMILIES.get(family, family), *rest[:1]))


_FAMILIES: Final[Mapping[str, str]] = {
    "columns": "column",
    "foundations": "foundation",
    "corners": "corner",
    "spares": "spare",
    "reserves": "reserve",
    "wastes": "waste",
}


def _list_zone(title: str, path: str, cards: Iterable[str | None], **more: Any) -> Zone:
    spots = tuple(Spot(card or EMPTY, f"{path}/{number}") for number, card in enumerate(cards))
    return Zone(title, path, spots, **more)


def _slot_zone(title: str, path: str, card: str | None, **more: Any) -> Zone:
    return Zone(title, path, (Spot(card or EMPTY, path),), fan="pile", kind="slot", **more)


def _makiaveli(position: Mapping[str, Any]) -> tuple[Section, ...]:
    floor = tuple(
        _list_zone(zone_name(f"floor/{number}"), f"floor/{number}", meld, titled=True)
        for number, meld in enumerate(position["floor"])
    )
    places = [*position["cross"], None, None, None, None][:4]
    above, right, below, left = (
        _slot_zone(zone_name(f"cross/{number}"), f"cross/{number}", card) for number, card in enumerate(places)
    )
    deck = Zone("deck", "", (Spot(BACK),), fan="pile", kind="fixed")
    hand = _list_zone("hand", "hand", position["hand"])
    return (
        Section("Floor", floor, grows="floor/*"),
        Section("Cross", (None, above, None, left, deck, right, None, below, None), columns=3),
        Section("Hand", (hand,)),
    )


def _klondike(position: Mapping[str, Any]) -> tuple[Section, ...]:
    stock, waste = position["stock"], position["waste"]
    top = [
        Zone("stock", "stock", (Spot(BACK if stock else EMPTY),), fan="pile", kind="fixed", note=f"{len(stock)}"),
        _list_zone("waste", "waste", waste, span=2, shown=3, note=f"{len(waste)}"),
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
        _list_zone(f"under column {number + 1}", f"columns/{number}/down", column["down"], titled=True)
        for number, column in enumerate(position["columns"])
        if isinstance(column, Mapping) and any(card != BACK for card in column.get("down", []))
    ]
    if hidden:
        sections.append(Section("Known face-down cards, lowest first", tuple(hidden)))
    sections.append(Section("Stock, first turned first", (_list_zone("stock", "stock", stock),)))
    return tuple(sections)


def _foundation(suit: str, height: int, path: str) -> Zone:
    """A foundation built from the ace up, stored as a count of cards."""
    card = f"{RANK_CHARS[height - 1]}{suit}" if 0 < height <= 13 else EMPTY
    return Zone(zone_name(path_zone(path)), path, (Spot(card, path),), fan="pile", kind="height", ghost=suit)


def _top(title: str, path: str, pile: Sequence[str]) -> Zone:
    """A pile of which only the top card is seen; the whole pile is spread out elsewhere."""
    spots = (Spot(pile[-1], f"{path}/{len(pile) - 1}"),) if pile else (Spot(EMPTY),)
    return Zone(title, path, spots, fan="pile", kind="fixed", note=f"{len(pile)}")


def _baccarat(position: Mapping[str, Any]) -> tuple[Section, ...]:
    hands = tuple(_list_zone(name, name, position[name], titled=True) for name in ("player", "banker", "dealt"))
    return (Section("", hands),)


def _tomb_single(position: Mapping[str, Any]) -> tuple[Section, ...]:
    corners = [_top(f"corner {i + 1}", f"corners/{i}", pile) for i, pile in enumerate(position["corners"])]
    spares = []
    for number, held in enumerate(position["spares"]):
        card = held[-1] if isinstance(held, list) and held else held or None
        spares.append(_slot_zone(f"spare {number + 1}", f"spares/{number}", card))
    centre = _top("centre", "centre", position["centre"])
    grid = (
        *(corners[0], spares[0], corners[1]),
        *(spares[1], centre, spares[2]),
        *(corners[2], spares[3], corners[3]),
    )
    deck = Zone("deck", "", (Spot(BACK if position["deck"] else EMPTY),), fan="pile", kind="fixed")
    beside = (
        _top("spare sixes", "spare_six", position["spare_six"]),
        _top("discard", "discard", position["discard"]),
        replace(deck, note=f"{len(position['deck'])}"),
    )
    full = [
        *(_list_zone(f"corner {i}", f"corners/{i - 1}", p, titled=True) for i, p in enumerate(position["corners"], 1)),
        _list_zone("centre", "centre", position["centre"], titled=True),
        _list_zone("spare sixes", "spare_six", position["spare_six"], titled=True),
        _list_zone("discard", "discard", position["discard"], titled=True),
    ]
    return (
        Section("Corners, spares, centre", grid, columns=3),
        Section("Spare sixes, discard, deck", beside, columns=3),
        Section("Each pile, top card last", tuple(full)),
        Section("Deck, first drawn first", (_list_zone("deck", "deck", position["deck"]),)),
    )


def _tomb_double(position: Mapping[str, Any]) -> tuple[Section, ...]:
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
        return [_top(f"{word} {i + 1}", f"{name}/{i}", pile) for i, pile in enumerate(position[name])]

    reserves = [*tops("reserves", "reserve"), *[None] * 4][:4]
    tableau = [*tops("tableau", "tableau pile"), *[None] * 4][:4]
    centre = _top("centre", "centre", position["centre"])
    clubs, diamonds, hearts, spades = (foundation(suit) for suit in SUIT_CHARS)
    grid = (
        *(clubs, reserves[0], diamonds, tableau[0]),
        *(reserves[1], centre, reserves[2], tableau[1]),
        *(hearts, reserves[3], spades, tableau[2]),
        *(None, None, None, tableau[3]),
    )
    stock = Zone("stock", "", (Spot(BACK if position["stock"] else EMPTY),), fan="pile", kind="fixed")
    wastes = (stock, *tops("wastes", "waste"))
    full = [_list_zone("centre", "centre", position["centre"], titled=True)]
    for name, word in (("reserves", "reserve"), ("tableau", "tableau pile"), ("wastes", "waste")):
        full += [
            _list_zone(f"{word} {i + 1}", path, pile, titled=True, under="" if name == "tableau" else path)
            for i, pile in enumerate(position[name])
            for path in [f"{name}/{i}"]
        ]
    return (
        Section("Foundations, reserves, centre, tableau", grid, columns=4),
        Section("Stock and wastes", wastes, columns=6),
        Section("Each pile, top card last", tuple(full)),
        Section("Stock, first turned first", (_list_zone("stock", "stock", position["stock"]),)),
    )


_BOARDS: Final[Mapping[str, Callable[[Mapping[str, Any]], tuple[Section, ...]]]] = {
    "makiaveli": _makiaveli,
    "klondike": _klondike,
    "tomb_single": _tomb_single,
    "tomb_double": _tomb_double,
    "baccarat": _baccarat,
}


def faulty_places(table: Board, problems: Iterable[str]) -> dict[str, Mark]:
    """The cards that a position's faults speak of, to be marked on the board.

    >>> from solver.cards import parse_card
    >>> drawn = board({"game": "makiaveli", "floor": [["7C", "7D", "8H"]], "cross": ["2S"], "hand": ["2S", "2S"]})
    >>> list(faulty_places(drawn, [Fault("no meld", zones=["floor/0"])]))
    ['floor/0/0', 'floor/0/1', 'floor/0/2']
    >>> list(faulty_places(drawn, [Fault("2S stands 3 times", cards=[parse_card("2S")])]))
    ['cross/0', 'hand/0', 'hand/1']
    """
    marks: dict[str, Mark] = {}
    for fault in problems:
        if not isinstance(fault, Fault) or not (fault.zones or fault.cards):
            continue  # it speaks of the whole table
        cards = {str(card) for card in fault.cards}
        for zone in table.zones():
            for spot in zone.spots:
                lies = not fault.zones or any(f"{spot.place}/".startswith(f"{path}/") for path in fault.zones)
                if spot.place and lies and spot.card not in (EMPTY, BACK) and (not cards or spot.card in cards):
                    marks[spot.place] = "fault"
    return marks
