"""How each game lies on the table: a position's JSON becomes a `Board`, which the page draws.

It knows no rules: what a card may do is the solver's business. Every place on a board carries its path in the
position's JSON (`floor/0/2` is `json["floor"][0][2]`), which is what `webapp.edits` changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final, Literal

from drawing import games
from drawing.cards import BACK, EMPTY, Mark
from solver.position import Fault

GAMES: Final = frozenset(module.name for module in iter_modules(games.__path__))
"""The words of the games that can be drawn."""
Fan = Literal["right", "down", "pile"]
Kind = Literal["list", "slot", "height", "fixed"]
"""`list` holds any number of cards, `slot` one or none, `height` counts a foundation's cards, `fixed` is no target."""


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
    """The table of a position given as its JSON object. Raises KeyError for an unknown game."""
    game = str(position["game"])
    if game not in GAMES:
        raise KeyError(game)
    return Board(game, import_module(f"drawing.games.{game}").draw_sections(position))


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


def list_zone(title: str, path: str, cards: Iterable[str | None], **more: Any) -> Zone:
    """A zone of any number of cards; `more` are further attributes of `Zone`."""
    spots = tuple(Spot(card or EMPTY, f"{path}/{number}") for number, card in enumerate(cards))
    return Zone(title, path, spots, **more)


def slot_zone(title: str, path: str, card: str | None, **more: Any) -> Zone:
    """A zone of one card or none."""
    return Zone(title, path, (Spot(card or EMPTY, path),), fan="pile", kind="slot", **more)


def pile_top(title: str, path: str, pile: Sequence[str]) -> Zone:
    """A pile of which only the top card is seen; the whole pile is spread out elsewhere."""
    spots = (Spot(pile[-1], f"{path}/{len(pile) - 1}"),) if pile else (Spot(EMPTY),)
    return Zone(title, path, spots, fan="pile", kind="fixed", note=f"{len(pile)}")


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
