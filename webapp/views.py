"""Tables drawn as cards: a position's JSON becomes a `Board`, a board becomes HTML for the page or one SVG to send.

The only file of the page that knows how each game lies on the table. It knows no rules: what a card may do is the
solver's business. Every place on a board carries its path in the position's JSON (`floor/0/2` is
`json["floor"][0][2]`), which is what `webapp.edits` changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import zip_longest
from typing import Any, Final, Literal

from solver.cards import RANK_CHARS, SUIT_CHARS
from webapp.faces import BACK, EMPTY, HEIGHT, SUIT_WORDS, WIDTH, Mark, face, mark, pip, pretty, spoken

Fan = Literal["right", "down", "pile"]
Kind = Literal["list", "slot", "height", "fixed"]
"""`list` holds any number of cards, `slot` one or none, `height` counts a foundation's cards, `fixed` is no target."""

GAP: Final = 10
STEP_RIGHT: Final = 40
STEP_DOWN: Final = 42
STEP_BACK: Final = 15
ROW: Final = 13
FELT: Final = "#1b5a3b"

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


@dataclass(frozen=True, slots=True)
class Section:
    """Zones under one heading: in a grid of `columns` (None is a hole), or flowing where `columns` is 0."""

    title: str
    zones: tuple[Zone | None, ...]
    columns: int = 0
    grows: str = ""
    """Path at which a new zone can be begun, as `floor/+`."""


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
    """The table of a position given as the JSON contract's object."""
    game = str(position["game"])
    return Board(game, _BOARDS[game](position))


def _list_zone(title: str, path: str, cards: Iterable[str | None], **more: Any) -> Zone:
    spots = tuple(Spot(card or EMPTY, f"{path}/{number}") for number, card in enumerate(cards))
    return Zone(title, path, spots, **more)


def _slot_zone(title: str, path: str, card: str | None, **more: Any) -> Zone:
    return Zone(title, path, (Spot(card or EMPTY, path),), fan="pile", kind="slot", **more)


def _makiaveli(position: Mapping[str, Any]) -> tuple[Section, ...]:
    floor = tuple(
        _list_zone(f"meld {number}", f"floor/{number - 1}", meld) for number, meld in enumerate(position["floor"], 1)
    )
    places = [*position["cross"], None, None, None, None][:4]
    above, right, below, left = (
        _slot_zone(f"cross, {side}", f"cross/{number}", card)
        for number, (side, card) in enumerate(zip(("above", "right", "below", "left"), places, strict=True))
    )
    deck = Zone("deck", "", (Spot(BACK),), fan="pile", kind="fixed")
    hand = _list_zone("hand", "hand", position["hand"])
    return (
        Section("Floor", floor, grows="floor/+"),
        Section("Cross", (None, above, None, left, deck, right, None, below, None), columns=3),
        Section("Hand", (hand,)),
    )


def _klondike(position: Mapping[str, Any]) -> tuple[Section, ...]:
    stock, waste = position["stock"], position["waste"]
    top = [
        Zone("stock", "stock", (Spot(BACK if stock else EMPTY),), fan="pile", kind="fixed", note=f"{len(stock)}"),
        _window("waste", "waste", waste, span=2),
    ]
    top += [_foundation(suit, position["foundations"][suit], f"foundations/{suit}") for suit in SUIT_CHARS]
    columns: list[Zone] = []
    for number, column in enumerate(position["columns"]):
        whole = not isinstance(column, Mapping)
        down, up = (column[:-1], column[-1:]) if whole else (column.get("down", []), column["up"])
        path = f"columns/{number}"
        spots = [Spot(BACK, f"{path}/{place}" if whole else f"{path}/down/{place}") for place in range(len(down))]
        spots += [
            Spot(card, f"{path}/{len(down)}" if whole else f"{path}/up/{place}") for place, card in enumerate(up)
        ]
        columns.append(Zone(f"column {number + 1}", path if whole else f"{path}/up", tuple(spots), fan="down"))
    sections = [Section("", tuple(top), columns=7), Section("", tuple(columns), columns=7)]
    hidden = [
        _list_zone(f"under column {number + 1}", f"columns/{number}/down", column["down"])
        for number, column in enumerate(position["columns"])
        if isinstance(column, Mapping) and any(card != BACK for card in column.get("down", []))
    ]
    if hidden:
        sections.append(Section("Known face-down cards, lowest first", tuple(hidden)))
    sections.append(Section("Stock, first turned first", (_list_zone("stock", "stock", stock),)))
    return tuple(sections)


def _window(title: str, path: str, cards: Sequence[str | None], **more: Any) -> Zone:
    """The last three cards of a pile."""
    zone = _list_zone(title, path, cards, note=f"{len(cards)}", **more)
    return Zone(title, path, zone.spots[-3:] or (Spot(EMPTY),), note=f"{len(cards)}", **more)


def _foundation(suit: str, height: int, path: str) -> Zone:
    """A foundation built from the ace up, stored as a count of cards."""
    card = f"{RANK_CHARS[height - 1]}{suit}" if 0 < height <= 13 else EMPTY
    return Zone(f"foundation of {SUIT_WORDS[suit]}", path, (Spot(card, path),), fan="pile", kind="height", ghost=suit)


def _tomb_double(position: Mapping[str, Any]) -> tuple[Section, ...]:
    def foundation(suit: str) -> Zone:
        count = position["foundations"][suit]
        card = f"{RANK_CHARS[12 - (count - 1) % 13]}{suit}" if count else EMPTY  # twice from the king down
        path = f"foundations/{suit}"
        title = f"foundation of {SUIT_WORDS[suit]}"
        return Zone(title, path, (Spot(card, path),), fan="pile", kind="height", ghost=suit, note=f"{count}", most=26)

    def top(title: str, path: str, pile: Sequence[str]) -> Zone:
        spots = (Spot(pile[-1], f"{path}/{len(pile) - 1}"),) if pile else (Spot(EMPTY),)
        return Zone(title, path, spots, fan="pile", kind="fixed", note=f"{len(pile)}")

    def tops(name: str, word: str) -> list[Zone]:
        return [top(f"{word} {i + 1}", f"{name}/{i}", pile) for i, pile in enumerate(position[name])]

    reserves = [*tops("reserves", "reserve"), *[None] * 4][:4]
    tableau = [*tops("tableau", "tableau pile"), *[None] * 4][:4]
    centre = top("centre", "centre", position["centre"])
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
            _list_zone(f"{word} {i}", f"{name}/{i - 1}", pile, titled=True) for i, pile in enumerate(position[name], 1)
        ]
    return (
        Section("Foundations, reserves, centre; tableau on the right", grid, columns=4),
        Section("Stock and wastes", wastes, columns=6),
        Section("Each pile, top card last", tuple(full)),
        Section("Stock, first turned first", (_list_zone("stock", "stock", position["stock"]),)),
    )


_BOARDS: Final[Mapping[str, Callable[[Mapping[str, Any]], tuple[Section, ...]]]] = {
    "makiaveli": _makiaveli,
    "klondike": _klondike,
    "tomb_double": _tomb_double,
}

Marks = Mapping[str, Mark]
"""Place to mark."""


def moved_places(before: Board, after: Board) -> dict[str, Mark]:
    """The places of `after` that hold a card their zone did not hold before, each marked as moved.

    Zones are compared by what they hold, not by their number, so melds that only changed places stay unmarked.
    """
    old = {zone.path: [spot.card for spot in zone.spots] for zone in before.zones()}
    marks: dict[str, Mark] = {}
    for zone in after.zones():
        left = list(_closest(zone, old))
        for spot in zone.spots:
            if spot.card in (EMPTY, BACK) or not spot.place:
                continue
            if spot.card in left:
                left.remove(spot.card)
            else:
                marks[spot.place] = "moved"
    return marks


def _closest(zone: Zone, old: Mapping[str, list[str]]) -> list[str]:
    """The earlier zone of the same family that shares most cards with `zone`."""
    family = zone.path.split("/")[0]
    cards = [spot.card for spot in zone.spots]
    if zone.path in old and not (zone.kind == "list" and family == "floor"):
        return old[zone.path]
    rivals = [held for path, held in old.items() if path.split("/")[0] == family]
    return max(rivals, key=lambda held: len(set(held) & set(cards)), default=[])


# ---------------------------------------------------------------------------------------------------- drawing


def zone_size(zone: Zone) -> tuple[int, int]:
    """Width and height of a zone in SVG units."""
    last = max(0, len(zone.spots) - 1)
    if zone.fan == "right":
        return WIDTH + STEP_RIGHT * last, HEIGHT
    if zone.fan == "down":
        return WIDTH, HEIGHT + sum(STEP_BACK if spot.card == BACK else STEP_DOWN for spot in zone.spots[:-1])
    return WIDTH, HEIGHT


def _spots_svg(zone: Zone, marks: Marks, pickable: bool) -> str:
    """The cards of a zone as SVG groups, each a button where it can be picked."""
    index: Final = "line" if zone.fan == "down" else "stacked"
    x = y = 0
    parts = []
    for spot in zone.spots or (Spot(EMPTY),):
        drawing = face(spot.card, index)
        if spot.card == EMPTY and zone.ghost:
            drawing += pip(zone.ghost, WIDTH / 2, HEIGHT / 2, 44, opacity=0.35)
        name = marks.get(spot.place)
        label = f"{spoken(spot.card)}, {zone.title}"
        if name is not None:
            drawing += mark(name, index)
            label += f", {name}"
        button = ""
        if pickable and spot.place:
            button = f' data-place="{escape(spot.place)}" role="button" tabindex="0"'
        parts.append(
            f'<g transform="translate({x} {y})" aria-label="{escape(label)}"{button or " role=" + chr(34) + "img" + chr(34)}>'
            f"<title>{escape(label)}</title>{drawing}</g>"
        )
        if zone.fan == "right":
            x += STEP_RIGHT
        elif zone.fan == "down":
            y += STEP_BACK if spot.card == BACK else STEP_DOWN
    return "".join(parts)


def board_html(table: Board, marks: Marks | None = None, *, editing: bool = False) -> str:
    """A board as HTML that wraps to any width; built from cards and fixed words only.

    Args:
        table: What to draw.
        marks: Cards to mark, by place.
        editing: Whether cards can be picked and places to add cards are shown.
    """
    sections = [_section_html(section, marks or {}, editing) for section in table.sections]
    return f'<div class="felt" data-game="{escape(table.game)}">{"".join(sections)}</div>'


def _section_html(section: Section, marks: Marks, editing: bool) -> str:
    cells = [_zone_html(zone, marks, editing) if zone else '<div class="hole"></div>' for zone in section.zones]
    if editing and section.grows:
        cells.append(_plus_html(section.grows, "new meld"))
    if not section.zones and not editing:
        cells.append('<p class="none">nothing here</p>')
    title = f"<h3>{escape(section.title)}</h3>" if section.title else ""
    style = f' style="--columns:{section.columns}"' if section.columns else ""
    kind = "grid" if section.columns else "flow"
    return f'<section class="{kind} c{section.columns}"{style}>{title}<div class="zones">{"".join(cells)}</div></section>'


def _zone_html(zone: Zone, marks: Marks, editing: bool) -> str:
    drawings = []
    for part in _pieces(zone):
        width, height = zone_size(part)
        drawings.append(
            f'<svg viewBox="0 0 {width} {height}" style="--w:{width}" role="group"'
            f' aria-label="{escape(zone.title)}">{_spots_svg(part, marks, editing)}</svg>'
        )
    title = f'<span class="title">{escape(zone.title)}</span>' if zone.titled else ""
    note = f'<span class="note">{escape(zone.note)}</span>' if zone.note else ""
    plus = _plus_html(f"{zone.path}/+", zone.title) if editing and zone.kind == "list" else ""
    span = f' style="grid-column:span {zone.span}"' if zone.span > 1 else ""
    return f'<div class="zone {zone.fan}"{span}>{title}<div class="fan">{"".join(drawings)}{plus}</div>{note}</div>'


def _pieces(zone: Zone) -> tuple[Zone, ...]:
    """A long fan in rows of at most `ROW` cards, so that cards keep their size on a phone."""
    if zone.fan != "right" or len(zone.spots) <= ROW:
        return (zone,)
    rows = range(0, len(zone.spots), ROW)
    return tuple(replace(zone, spots=zone.spots[start : start + ROW]) for start in rows)


def _plus_html(path: str, title: str) -> str:
    label = escape(f"add a card: {title}")
    return f'<button class="plus" type="button" data-place="{escape(path)}" aria-label="{label}" title="{label}">+</button>'


BOARD_CSS: Final = """
:host, .root { display: block; container-type: inline-size; }
.felt { background: #1b5a3b; background-image: radial-gradient(circle at 30% 0%, #ffffff14, #0000 60%); color: #fff;
  border-radius: 14px; padding: 14px; display: flex; flex-wrap: wrap; gap: 16px 28px; box-sizing: border-box;
  box-shadow: inset 0 0 0 1px #00000033; font-family: var(--st-font, system-ui, sans-serif);
  --u: clamp(.46px, .115cqi, .6px); }
section { max-width: 100%; flex: 1 1 100%; min-width: 0; }
section.c3, section.c4, section.c6 { flex: 0 1 auto; }
.felt[data-game=makiaveli] section:first-child { flex: 1 1 300px; }
h3 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; font-weight: 650; margin: 0 0 7px; color: #dff3e6; }
.flow .zones { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: flex-start; }
.grid .zones { display: grid; gap: 6px; align-items: start; justify-content: start; justify-items: center;
  grid-template-columns: repeat(var(--columns), calc(100 * var(--u))); }
.c7 { --u: min(.62px, calc((100cqi - 28px - 6px * 6) / 700)); }
.c7 .zones { justify-content: space-between; max-width: 620px; }
.zone { display: flex; flex-direction: column; align-items: flex-start; gap: 3px; max-width: 100%; min-width: 0; }
.grid .zone { align-items: center; }
.fan { display: flex; flex-wrap: wrap; align-items: center; gap: 5px; max-width: 100%; }
.fan svg { width: calc(var(--w) * var(--u)); max-width: 100%; height: auto; display: block; overflow: visible; }
.note, .title { font-size: 12px; line-height: 1.2; color: #dff3e6; }
.none { margin: 0; font-size: 14px; color: #dff3e6; }
[data-place] { cursor: pointer; outline: none; }
g[data-place]:hover > rect:first-of-type { stroke: #1769e0; stroke-width: 5; }
g[data-place]:focus-visible > rect:first-of-type { stroke: #1769e0; stroke-width: 9; }
.plus { width: 28px; height: 44px; border-radius: 7px; border: 1.5px dashed #ffffffb0; background: #ffffff1a; color: #fff;
  font-size: 18px; line-height: 1; padding: 0; flex: none; }
.grid .plus { width: 24px; height: 24px; }
.plus:hover, .plus:focus-visible { background: #ffffff40; outline: 2px solid #fff; }
.deck { display: grid; gap: 8px; }
.suit { display: grid; grid-template-columns: repeat(7, 1fr); gap: 4px; }
.deck button { min-height: 40px; border-radius: 8px; border: 1px solid #7d8794; background: #fdfdfb; color: #1d2129;
  font: 600 15px var(--st-font, system-ui, sans-serif); padding: 0; }
.deck button.red { color: #c4122f; }
.deck button.back { grid-column: span 2; }
.deck button:hover:not(:disabled), .deck button:focus-visible { outline: 3px solid #1769e0; outline-offset: -1px; }
.deck button:disabled { opacity: .35; cursor: not-allowed; text-decoration: line-through; }
@container (min-width: 620px) { .suit { grid-template-columns: repeat(13, 1fr); } .deck { gap: 4px; } }
"""


def card_grid_html(used: Mapping[str, int], copies: int, *, unknown: bool) -> str:
    """The whole deck as buttons; a card of which every copy lies on the table cannot be chosen.

    Args:
        used: How many copies of each card lie on the table.
        copies: How many the game has.
        unknown: Whether a face-down card is offered too.
    """
    rows = []
    for suit in SUIT_CHARS:
        buttons = []
        for rank in RANK_CHARS:
            card = rank + suit
            spent = used.get(card, 0) >= copies
            state = " disabled" if spent else ""
            red = ' class="red"' if suit in "DH" else ""
            label = escape(spoken(card) + (", all on the table" if spent else ""))
            buttons.append(
                f'<button type="button"{red} data-place="{card}" aria-label="{label}" title="{label}"{state}>'
                f"{pretty(card)}\ufe0e</button>"
            )
        rows.append(f'<div class="suit" role="group" aria-label="{SUIT_WORDS[suit]}">{"".join(buttons)}</div>')
    if unknown:
        rows.append(f'<div class="suit"><button type="button" class="back" data-place="{BACK}">face down</button></div>')
    return f'<div class="deck" role="group" aria-label="cards">{"".join(rows)}</div>'


POSTER_WIDTH: Final = 1080
_POSTER_SCALE: Final = 0.86


def poster_svg(table: Board, headline: str, detail: str, marks: Marks | None = None) -> str:
    """One picture to send to the others: the verdict above the table.

    Args:
        table: What to draw.
        headline: The verdict in a few words.
        detail: One more sentence.
        marks: Cards to mark, by place.
    """
    margin, y = 48, 48
    parts = []
    for line, size, weight in ((headline, 54, 750), *((text, 28, 400) for text in _wrap(detail, 68))):
        y += size
        parts.append(
            f'<text x="{margin}" y="{y}" font-size="{size}" font-weight="{weight}" fill="#fff"'
            f' font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">{escape(line)}</text>'
        )
        y += 14
    y += 24
    for section in table.sections:
        if not section.zones:
            continue
        if section.title:
            parts.append(
                f'<text x="{margin}" y="{y + 18}" font-size="20" letter-spacing="1.5" fill="#dff3e6"'
                f' font-family="system-ui,sans-serif">{escape(section.title.upper())}</text>'
            )
            y += 34
        for row in _rows(section, (POSTER_WIDTH - 2 * margin) / _POSTER_SCALE):
            height = 0
            for x, zone in row:
                width, tall = zone_size(zone)
                place = f"translate({margin + x * _POSTER_SCALE:g} {y}) scale({_POSTER_SCALE})"
                parts.append(f'<g transform="{place}">{_spots_svg(zone, marks or {}, pickable=False)}</g>')
                height = max(height, tall)
            y += round((height + 2 * GAP) * _POSTER_SCALE)
        y += 12
    y += 24
    parts.append(
        f'<text x="{POSTER_WIDTH - margin}" y="{y}" text-anchor="end" font-size="20" fill="#dff3e6"'
        ' font-family="system-ui,sans-serif">Could I have won?</text>'
    )
    y += 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{POSTER_WIDTH}" height="{y}" viewBox="0 0 {POSTER_WIDTH} {y}">'
        f'<rect width="100%" height="100%" fill="{FELT}"/>{"".join(parts)}</svg>'
    )


def _rows(section: Section, width: float) -> list[list[tuple[float, Zone]]]:
    """Zones of a section in rows with their x, wrapped at `width` units or at the section's columns."""
    if section.columns:
        cells = zip_longest(*[iter(_spread(section))] * section.columns)
        return [
            [(number * (WIDTH + 2 * GAP), zone) for number, zone in enumerate(row) if zone is not None] for row in cells
        ]
    rows: list[list[tuple[float, Zone]]] = [[]]
    x = 0.0
    for zone in (piece for zone in section.zones if zone is not None for piece in _pieces(zone)):
        wide = zone_size(zone)[0]
        if rows[-1] and x + wide > width:
            rows.append([])
            x = 0.0
        rows[-1].append((x, zone))
        x += wide + 3 * GAP
    return rows


def _spread(section: Section) -> list[Zone | None]:
    """A grid section's cells, a zone that spans several followed by holes."""
    cells: list[Zone | None] = []
    for zone in section.zones:
        cells.append(zone)
        cells += [None] * ((zone.span if zone else 1) - 1)
    return cells


def _wrap(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines if lines != [""] else []


def places_of(table: Board, cards: Collection[str]) -> dict[str, Mark]:
    """Marks every place that holds one of `cards` as doubtful."""
    return {spot.place: "doubtful" for zone in table.zones() for spot in zone.spots if spot.card in cards}
