"""How each game lies on the table: a position's JSON becomes a `Board`, which the page draws.

It knows no rules: what a card may do is the solver's business. Every card on a board carries its path in the
position's JSON (`floor/0/2` is `json["floor"][0][2]`), which is what `webapp.edits` changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Any, Final, Literal

from drawing import games
from drawing.card_names import BACK, EMPTY, Mark
from drawing.zones import place_name
from solver.cards import RANK_CHARS, SUIT_CHARS
from solver.place import Place
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
    path: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that lie together.

    Attributes:
        place: The place on the table.
        spots: The cards, bottom to top.
        path: Path of the list, the slot or the count in the position's JSON; "" where nothing can be put.
        name: What people call it where they do not call it like its place.
        fan: How the cards lie.
        kind: What the path holds.
        titled: Whether the title is printed above.
        note: A few words under it, as a count.
        ghost: A suit shown faintly on an empty place.
        span: How many grid columns it takes.
        most: The most cards a counted foundation takes.
        shown: How many of the uppermost cards are drawn; 0 for all.
        under: Path of the list whose face-down cards lie lowest here, where their number may be misread.
    """

    place: Place
    spots: tuple[Spot, ...]
    path: str = ""
    name: str = ""
    fan: Fan = "right"
    kind: Kind = "list"
    titled: bool = False
    note: str = ""
    ghost: str = ""
    span: int = 1
    most: int = 13
    shown: int = 0
    under: str = ""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name or place_name(self.place)

    @property
    def heading(self) -> str:
        """What is printed above it, "" where it is not `titled`: no suit, which the cards show.

        >>> Zone(Place("foundation", 2), (), titled=True).heading, Zone(Place("waste", 2), ()).heading
        ('foundation', '')
        """
        return self.title.partition(" of ")[0] if self.titled else ""


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

    def is_told_elsewhere(self, zone: Zone) -> bool:
        """Whether a pile need not be spread out: its top lies elsewhere, and nobody knows a card under it.

        >>> table = board({"game": "tomb_single", "corners": [["??", "7C"], ["7C", "8C"], [], []], "spares": [None] * 4,
        ...     "centre": [], "spare_six": [], "discard": [], "deck": ["??", "??"]})
        >>> [zone.title for zone in table.zones() if zone.kind == "list" and not table.is_told_elsewhere(zone)]
        ['corner 2']
        """
        top = zone.spots[-1].card if zone.spots else EMPTY
        tops = [other.spots[-1].card for other in self.zones() if other.kind == "fixed" and other.place == zone.place]
        is_shown = top in tops
        return zone.kind == "list" and is_shown and all(spot.card == BACK for spot in zone.spots[:-1])

    def zone_of(self, path: str) -> Zone | None:
        """The zone in which the card of a path lies."""
        return next((zone for zone in self.zones() if any(spot.path == path for spot in zone.spots)), None)

    def card_at(self, path: str) -> str | None:
        """The card at a path, "" for an empty place, None where there is no such path."""
        return next((spot.card for zone in self.zones() for spot in zone.spots if spot.path == path), None)


def board(position: Mapping[str, Any]) -> Board:
    """The table of a position given as its JSON object. Raises KeyError for an unknown game."""
    game = str(position["game"])
    if game not in GAMES:
        raise KeyError(game)
    return Board(game, import_module(f"drawing.games.{game}").draw_sections(position))


def list_zone(place: Place, cards: Iterable[str | None], *, path: str = "", **more: Any) -> Zone:
    """A zone of any number of cards; `path` is the place's own unless given, `more` are other attributes of `Zone`."""
    path = path or place.path
    spots = tuple(Spot(card or EMPTY, f"{path}/{number}") for number, card in enumerate(cards))
    return Zone(place, spots, path, **more)


def slot_zone(place: Place, card: str | None, **more: Any) -> Zone:
    """A zone of one card or none."""
    return Zone(place, (Spot(card or EMPTY, place.path),), place.path, fan="pile", kind="slot", **more)


def pile_top(place: Place, pile: Sequence[str], **more: Any) -> Zone:
    """A pile of which only the top card is seen; the whole pile is spread out elsewhere."""
    spots = (Spot(pile[-1], f"{place.path}/{len(pile) - 1}"),) if pile else (Spot(EMPTY),)
    return Zone(place, spots, place.path, fan="pile", kind="fixed", note=f"{len(pile)}", **more)


def face_down_pile(place: Place, pile: Sequence[str], **more: Any) -> Zone:
    """A pile of which only the back is seen."""
    return Zone(place, (Spot(BACK if pile else EMPTY),), fan="pile", kind="fixed", **more)


def foundation(suit: str, count: int, *, from_king: bool = False, **more: Any) -> Zone:
    """A foundation, stored as a count of cards; built up from the ace, or down from the king and then once more.

    Args:
        suit: Its suit.
        count: How many cards lie on it; where it can hold no such number, it is drawn empty.
        from_king: Whether it is built down from the king.
        more: Further attributes of `Zone`.
    """
    place = Place("foundation", SUIT_CHARS.index(suit))
    rank = RANK_CHARS[(-count if from_king else count - 1) % 13]
    card = f"{rank}{suit}" if count > 0 and (from_king or count <= 13) else EMPTY
    return Zone(place, (Spot(card, place.path),), place.path, fan="pile", kind="height", ghost=suit, **more)


def faulty_places(table: Board, problems: Iterable[str]) -> dict[str, Mark]:
    """The cards that a position's faults speak of, to be marked on the board.

    >>> from solver.cards import parse_card
    >>> drawn = board({"game": "makiaveli", "floor": [["7C", "7D", "8H"]], "cross": ["2S"], "hand": ["2S", "2S"]})
    >>> list(faulty_places(drawn, [Fault("no meld", places=[Place("floor", 0)])]))
    ['floor/0/0', 'floor/0/1', 'floor/0/2']
    >>> list(faulty_places(drawn, [Fault("2S stands 3 times", cards=[parse_card("2S")])]))
    ['cross/0', 'hand/0', 'hand/1']
    """
    marks: dict[str, Mark] = {}
    for fault in problems:
        if not isinstance(fault, Fault) or not (fault.places or fault.cards):
            continue  # it speaks of the whole table
        zones = [zone for zone in table.zones() if not fault.places or zone.place in fault.places]
        for path in _paths_of(zones, {str(card) for card in fault.cards}):
            marks[path] = "fault"
    return marks


def _paths_of(zones: Iterable[Zone], cards: Collection[str]) -> Iterator[str]:
    """Where some cards lie open in these zones; all cards where none is named."""
    for spot in chain.from_iterable(zone.spots for zone in zones):
        if spot.path and spot.card not in (EMPTY, BACK) and (not cards or spot.card in cards):
            yield spot.path
