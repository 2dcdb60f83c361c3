"""A board drawn as HTML that wraps to any width.

Built from cards and fixed words only, everything else escaped: no user's text reaches a page through here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Final

from solver.cards import RANK_CHARS, SUIT_CHARS
from vision.zones import zone_colour
from webapp.boards import Board, Section, Spot, Zone, path_zone
from webapp.faces import BACK, EMPTY, HEIGHT, SUIT_WORDS, WIDTH, Mark, face, mark, pip, pretty, spoken

GAP: Final = 10
STEP_RIGHT: Final = 40
STEP_DOWN: Final = 42
STEP_BACK: Final = 15
STEP_SIDE: Final = 16
"""From a face-down card to the next in a fan to the right: it has no index to leave visible."""
ROW: Final = 13
"""Cards in a row before a fan goes on below."""

Marks = Mapping[str, Mark]
"""Place to mark."""


def icon() -> str:
    """The page's icon, an ace; a drawing of our own, so that nothing is fetched from elsewhere."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="140" height="140" viewBox="-20 0 {HEIGHT} {HEIGHT}">'
        f"{face('AH')}</svg>"
    )


def zone_size(zone: Zone) -> tuple[int, int]:
    """Width and height of a zone in SVG units."""
    if zone.fan == "right":
        return WIDTH + sum(_step_right(spot) for spot in zone.spots[:-1]), HEIGHT
    if zone.fan == "down":
        return WIDTH, HEIGHT + sum(STEP_BACK if spot.card == BACK else STEP_DOWN for spot in zone.spots[:-1])
    return WIDTH, HEIGHT


def _step_right(spot: Spot) -> int:
    return STEP_SIDE if spot.card == BACK else STEP_RIGHT


def spots_svg(zone: Zone, marks: Marks, pickable: bool) -> str:
    """The cards of a zone as SVG groups, each a button where it can be picked."""
    index: Final = "line" if zone.fan == "down" else "stacked"
    x = y = 0
    parts = []
    for spot in zone.spots or (Spot(EMPTY, f"{zone.path}/+" if zone.kind == "list" else ""),):
        drawing = face(spot.card, index)
        if spot.card == EMPTY and zone.ghost:
            drawing += pip(zone.ghost, WIDTH / 2, HEIGHT / 2, 44, opacity=0.35)
        name = marks.get(spot.place)
        label = f"{spoken(spot.card)}, {zone.title}"
        if name is not None:
            drawing += mark(name, index)
            label += f", {name}"
        role = 'role="img"'
        if pickable and spot.place:
            role = f'data-place="{escape(spot.place)}" role="button" tabindex="0"'
        parts.append(
            f'<g transform="translate({x} {y})" {role} aria-label="{escape(label)}"><title>{escape(label)}</title>'
            f"{drawing}</g>"
        )
        if zone.fan == "right":
            x += _step_right(spot)
        elif zone.fan == "down":
            y += STEP_BACK if spot.card == BACK else STEP_DOWN
    return "".join(parts)


def board_html(
    table: Board, marks: Marks | None = None, *, pickable: bool = False, adding: bool = False, photo: bool = False
) -> str:
    """A board as HTML that wraps to any width; built from cards and fixed words only.

    Args:
        table: What to draw.
        marks: Cards to mark, by place.
        pickable: Whether cards are buttons.
        adding: Whether places to add cards are shown.
        photo: Whether zones carry their colours, as on the annotated photo beside the board.
    """
    sections = [_section_html(section, marks or {}, pickable, adding, photo) for section in table.sections]
    return f'<div class="felt" data-game="{escape(table.game)}">{"".join(sections)}</div>'


def _section_html(section: Section, marks: Marks, pickable: bool, adding: bool, photo: bool) -> str:
    cells = [
        _zone_html(zone, marks, pickable, adding, photo) if zone else '<div class="hole"></div>'
        for zone in section.zones
    ]
    if adding and section.grows:
        cells.append(_plus_html(section.grows, "new meld", "+ meld"))
    if not section.zones and not adding:
        cells.append('<p class="none">nothing here</p>')
    title = f"<h3>{escape(section.title)}</h3>" if section.title else ""
    style = f' style="--columns:{section.columns}"' if section.columns else ""
    kind = "grid" if section.columns else "flow"
    return (
        f'<section class="{kind} c{section.columns}"{style}>{title}<div class="zones">{"".join(cells)}</div></section>'
    )


def _zone_html(zone: Zone, marks: Marks, pickable: bool, adding: bool, photo: bool) -> str:
    drawings = []
    for part in pieces(zone):
        width, height = zone_size(part)
        drawings.append(
            f'<svg viewBox="0 0 {width} {height}" style="--w:{width}" role="group"'
            f' aria-label="{escape(zone.title)}">{spots_svg(part, marks, pickable)}</svg>'
        )
    title = f'<span class="title">{escape(zone.title)}</span>' if zone.titled else ""
    note = f'<span class="note">{escape(zone.note)}</span>' if zone.note else ""
    plus = _plus_html(f"{zone.path}/+", zone.title) if adding and zone.kind == "list" else ""
    style = f"grid-column:span {zone.span};justify-self:start;" if zone.span > 1 else ""
    names = ["zone", zone.fan]
    if photo and zone.path:
        names.append("lit")
        style += "--zone:#{:02x}{:02x}{:02x}".format(*zone_colour(path_zone(zone.path)))
    span = f' style="{style}"' if style else ""
    drawn = f'{title}<div class="fan">{"".join(drawings)}{plus}</div>{note}'
    return f'<div class="{" ".join(names)}"{span}>{drawn}</div>'


def pieces(zone: Zone) -> tuple[Zone, ...]:
    """A long fan in rows of at most `ROW` cards, so that cards keep their size on a phone."""
    if zone.shown:
        return (replace(zone, spots=zone.spots[-zone.shown :]),)
    if zone.fan != "right":
        return (zone,)
    rows: list[list[Spot]] = [[]]
    wide = 0
    for spot in zone.spots:
        if rows[-1] and wide + _step_right(spot) > ROW * STEP_RIGHT:
            rows.append([])
            wide = 0
        rows[-1].append(spot)
        wide += _step_right(spot)
    return tuple(replace(zone, spots=tuple(row)) for row in rows)


def _plus_html(path: str, title: str, sign: str = "+") -> str:
    label = escape(f"add a card: {title}")
    place = f'data-place="{escape(path)}"'
    return f'<button class="plus" type="button" {place} aria-label="{label}" title="{label}">{sign}</button>'


BOARD_CSS: Final = """
:host, .root { display: block; container-type: inline-size; }
.felt { background: #1b5a3b; background-image: radial-gradient(circle at 30% 0%, #ffffff14, #0000 60%); color: #fff;
  border-radius: 14px; padding: 14px; display: flex; flex-wrap: wrap; gap: 16px; box-sizing: border-box;
  box-shadow: inset 0 0 0 1px #00000033; font-family: var(--st-font, system-ui, sans-serif);
  --u: clamp(.46px, .115cqi, .6px); }
section { max-width: 100%; flex: 1 1 100%; min-width: 0; }
section.c3, section.c4, section.c6, .felt[data-game=makiaveli] section:last-child { flex: 0 1 auto; }
/* A heading never makes its section wider than its cards. */
section.grid h3 { width: 0; min-width: 100%; }
@container (min-width: 560px) {
  .felt { column-gap: 28px; }
  .felt[data-game=makiaveli] { display: grid; grid-template-columns: 1fr auto; grid-template-rows: 1fr auto; }
  .felt[data-game=makiaveli] .c3 { grid-column: 2; grid-row: 1 / 3; }
  .felt[data-game=tomb_single] { display: grid; grid-template-columns: auto 1fr; align-items: start; }
  .felt[data-game=tomb_single] section:nth-child(1) { grid-row: 1 / 3; }
  .felt[data-game=tomb_single] section:nth-child(4) { grid-column: 1 / 3; } }
h3 { font-size: 12px; letter-spacing: .06em; text-transform: uppercase; font-weight: 650; margin: 0 0 7px;
  color: #dff3e6; }
.flow .zones { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: flex-start; }
.grid .zones { display: grid; gap: 6px; align-items: start; justify-content: start; justify-items: center;
  grid-template-columns: repeat(var(--columns), calc(100 * var(--u))); }
.c7 { --u: min(.62px, calc((100cqi - 28px - 6px * 6) / 700)); }
.c7 .zones { justify-content: space-between; max-width: 620px; }
@container (min-width: 900px) { .c7 { --u: .85px; } .c7 .zones { max-width: 860px; } }
.zone { display: flex; flex-direction: column; align-items: flex-start; gap: 3px; max-width: 100%; min-width: 0; }
.grid .zone { align-items: center; }
.fan { display: flex; flex-wrap: wrap; align-items: center; gap: 5px; max-width: 100%; }
.fan svg { width: calc(var(--w) * var(--u)); max-width: 100%; height: auto; display: block; overflow: visible; }
.note, .title { font-size: 12px; line-height: 1.2; color: #dff3e6; }
.lit { border-top: 4px solid var(--zone); border-radius: 4px; padding-top: 3px; }
.none { margin: 0; font-size: 14px; color: #dff3e6; }
[data-place] { cursor: pointer; outline: none; touch-action: manipulation; }
g[data-place]:focus-visible > rect:first-of-type { stroke: #1769e0; stroke-width: 9; }
g[data-place]:focus-visible { outline: 3px solid #ffd23f; outline-offset: 2px; }
.plus { min-width: 36px; height: 44px; border-radius: 7px; border: 1.5px dashed #ffffffb0; background: #ffffff1a;
  color: #fff; font: 600 15px var(--st-font, system-ui, sans-serif); line-height: 1; padding: 0 9px; flex: none;
  align-self: center; }
.grid .plus { min-width: 28px; height: 28px; padding: 0; }
.plus:focus-visible { background: #ffffff40; outline: 2px solid #fff; }
.deck { display: grid; gap: 8px; }
.suit { display: grid; grid-template-columns: repeat(7, 1fr); gap: 4px; }
.deck button { min-height: 40px; border-radius: 8px; border: 1px solid #7d8794; background: #fdfdfb; color: #1d2129;
  font: 600 15px var(--st-font, system-ui, sans-serif); padding: 0; }
.deck button.red { color: #c4122f; }
.deck button.back { grid-column: span 2; }
.deck button:focus-visible { outline: 3px solid #1769e0; outline-offset: -1px; }
/* On a phone what was tapped would stay lit. */
@media (hover: hover) { g[data-place]:hover > rect:first-of-type { stroke: #1769e0; stroke-width: 5; }
  .plus:hover { background: #ffffff40; outline: 2px solid #fff; }
  .deck button:hover:not(:disabled) { outline: 3px solid #1769e0; outline-offset: -1px; } }
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
        rows.append(
            f'<div class="suit"><button type="button" class="back" data-place="{BACK}">face down</button></div>'
        )
    return f'<div class="deck" role="group" aria-label="cards">{"".join(rows)}</div>'
