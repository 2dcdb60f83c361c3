"""Tables as SVG pictures, for a notebook or a report. On the page `webapp/board/` draws them itself, so that they move.

A picture holds no ids and no styles for a whole document, so that many can stand in one notebook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from drawing.boards import Board, Section, Zone, board
from drawing.card_names import BACK, EMPTY, SUIT_PATHS, pretty, spoken


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths in px of a picture at its natural size.

    Attributes:
        card_width: Width of a card.
        card_height: Height of a card.
        gap: Between two zones, and around the picture.
        text_line: Height of a line of text.
        right_step: How much of a card shows where the next lies on it to the right.
        down_step: How much of a card shows where the next lies below it.
        flow_width: Zones that flow, and fans, are broken into lines not wider than this.
    """

    card_width: int = 44
    card_height: int = 62
    gap: int = 10
    text_line: int = 18
    right_step: int = 24
    down_step: int = 20
    flow_width: int = 720


LENGTHS: Final = Lengths()
FELT: Final = "#24543f"
_FONT: Final = "font-family='system-ui,sans-serif'"
_INK: Final[Mapping[str, str]] = {"C": "#1d2129", "S": "#1d2129", "D": "#c4122f", "H": "#c4122f"}


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a picture with its size, drawn with its upper left corner at (0, 0)."""

    width: float
    height: float
    body: str

    def at(self, x: float, y: float) -> str:
        return f"<g transform='translate({x:g} {y:g})'>{self.body}</g>"


def draw_tables(tables: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Positions beside each other, or below where they are wide, as a whole SVG picture.

    Args:
        tables: Each with the words above it, which may be empty, and a position's JSON object.

    >>> draw_tables([("win", {"game": "makiaveli", "floor": [["7C"]], "cross": [], "hand": []})])[:13]
    "<svg xmlns='h"
    """
    drawn = [(words, _draw_board(board(table))) for words, table in tables]
    blocks = [_stack([_text(words, "#fff", 15), block]) if words else block for words, block in drawn]
    picture = _flow(blocks, LENGTHS.flow_width)
    width, height = picture.width + 2 * LENGTHS.gap, picture.height + 2 * LENGTHS.gap
    label = "; ".join(words for words, _ in tables if words) or "a card table"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' role='img' aria-label='{escape(label)}'>"
        f"<rect width='100%' height='100%' rx='10' fill='{FELT}'/>{picture.at(LENGTHS.gap, LENGTHS.gap)}</svg>"
    )


def _draw_board(table: Board) -> _Block:
    """All sections; lists end where a wide grid ends, so that they make it no smaller on a narrow screen."""
    grids = [_draw_section(section, LENGTHS.flow_width).width for section in table.sections if section.columns]
    widest = max(grids, default=0)
    width = widest if widest >= LENGTHS.flow_width / 2 else LENGTHS.flow_width
    return _stack([_draw_section(section, width) for section in table.sections if not _is_told(section, table)])


def _is_told(section: Section, table: Board) -> bool:
    """Whether a section only spreads out piles that lie elsewhere on the table."""
    zones = [zone for zone in section.zones if zone is not None]
    return bool(zones) and all(map(table.is_told_elsewhere, zones))


def _draw_section(section: Section, width: float) -> _Block:
    zones = [None if zone is None else _draw_zone(zone, width) for zone in section.zones]
    body = _grid(section, zones) if section.columns else _flow([zone for zone in zones if zone is not None], width)
    return _stack([_text(section.title), body]) if section.title else body


def _grid(section: Section, blocks: Sequence[_Block | None]) -> _Block:
    """Zones in columns of equal width; a zone that spans two takes two places."""
    spans = [1 if zone is None else zone.span for zone in section.zones]
    wide = (
        max((block.width / span for block, span in zip(blocks, spans, strict=True) if block), default=0) + LENGTHS.gap
    )
    rows: list[list[tuple[int, _Block]]] = [[]]
    place = 0
    for block, span in zip(blocks, spans, strict=True):
        if place == section.columns:
            rows.append([])
            place = 0
        rows[-1] += [] if block is None else [(place, block)]
        place += span
    lines = [
        _Block(section.columns * wide, max((block.height for _, block in row), default=0), body)
        for row in rows
        for body in ["".join(block.at(column * wide, 0) for column, block in row)]
    ]
    return _stack(lines)


def _flow(blocks: Sequence[_Block], width: float) -> _Block:
    """Zones from left to right, in as many lines as they need."""
    lines: list[_Block] = []
    for block in blocks:
        last = lines[-1] if lines else None
        if last is None or last.width + LENGTHS.gap + block.width > width:
            lines.append(block)
            continue
        body = _Block(0, 0, last.body).at(0, 0) + block.at(last.width + LENGTHS.gap, 0)
        lines[-1] = _Block(last.width + LENGTHS.gap + block.width, max(last.height, block.height), body)
    return _stack(lines)


def _stack(blocks: Sequence[_Block]) -> _Block:
    body, y = "", 0.0
    for block in blocks:
        body += block.at(0, y)
        y += block.height + LENGTHS.gap
    return _Block(max((block.width for block in blocks), default=0), max(0, y - LENGTHS.gap), body)


def _draw_zone(zone: Zone, width: float) -> _Block:
    """A zone's cards under its title, or above its note; a fan to the right has as many lines as the width asks for."""
    spots = zone.spots[-zone.shown :] if zone.shown else zone.spots
    right, down = {"right": (LENGTHS.right_step, 0), "down": (0, LENGTHS.down_step), "pile": (0, 0)}[zone.fan]
    drawn = [draw_card(spot.card, beside=zone.fan == "down", ghost=zone.ghost) for spot in spots] or [draw_card(EMPTY)]
    most = int((width - LENGTHS.card_width) // right) + 1 if right else len(drawn)
    lines = [_fan(drawn[start : start + most], right, down) for start in range(0, len(drawn), most)]
    parts = [_text(zone.heading)] if zone.heading else []
    parts += lines + ([_text(zone.note)] if zone.note else [])
    return _stack(parts)


def _fan(drawn: Sequence[str], right: int, down: int) -> _Block:
    body = "".join(_Block(0, 0, card).at(n * right, n * down) for n, card in enumerate(drawn))
    last = len(drawn) - 1
    return _Block(LENGTHS.card_width + last * right, LENGTHS.card_height + last * down, body)


def draw_card(card: str, *, beside: bool = False, ghost: str = "") -> str:
    """One card with its upper left corner at (0, 0).

    Args:
        card: As it is written, `??` for a back and "" for an empty place.
        beside: Rank and suit beside each other, to be read in a column; else one below the other, for a fan.
        ghost: A suit shown faintly where there is no card.
    """
    wide, high = LENGTHS.card_width, LENGTHS.card_height
    frame = f"<rect x='.5' y='.5' width='{wide - 1}' height='{high - 1}' rx='5' "
    name = f"<title>{spoken(card)}</title>"
    if card == EMPTY:
        sign = _symbol(ghost, wide / 2, high / 2, 22, 0.35) if ghost else ""
        return f"<g>{name}{frame}fill='none' stroke='#fff' stroke-opacity='.5' stroke-dasharray='4 3'/>{sign}</g>"
    if card == BACK:
        inner = f"<rect x='5' y='5' width='{wide - 10}' height='{high - 10}' rx='3' fill='#2c4a7c'/>"
        return f"<g>{name}{frame}fill='#fdfdfb' stroke='#7d8794'/>{inner}</g>"
    rank, suit = pretty(card)[:-1], card[1]
    where = (32, 11) if beside else (11, 27)
    squeeze = " textLength='17' lengthAdjust='spacingAndGlyphs'" if rank == "10" else ""
    index = (
        f"<text x='11' y='16' text-anchor='middle' font-size='16' font-weight='700' fill='{_INK[suit]}' {_FONT}"
        f"{squeeze}>{rank}</text>"
    )
    signs = _symbol(suit, *where, 11) + _symbol(suit, 29, 45, 20)
    return f"<g>{name}{frame}fill='#fdfdfb' stroke='#7d8794'/>{index}{signs}</g>"


def _symbol(suit: str, x: float, y: float, size: float, opacity: float = 1) -> str:
    """The SVG of a suit's symbol round a point: a path and no letter, so that it looks the same everywhere."""
    ink = "#fff" if opacity < 1 else _INK[suit]
    place = f"translate({x:g} {y:g}) scale({size / 20:g})"
    return f"<path d='{SUIT_PATHS[suit]}' transform='{place}' fill='{ink}' opacity='{opacity:g}'/>"


def _text(words: str, colour: str = "#d9e6df", size: int = 12) -> _Block:
    body = f"<text y='13' font-size='{size}' fill='{colour}' {_FONT}>{escape(words)}</text>"
    return _Block(len(words) * size * 0.56, LENGTHS.text_line, body)
