"""A table and its verdict as one SVG picture, to send to the others.

Built from cards and the page's own words, everything else escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest
from typing import Final

from webapp.boards import Board, Section, Zone
from webapp.drawing import GAP, Marks, pieces, spots_svg, zone_size
from webapp.faces import BACK, EMPTY, WIDTH

FELT: Final = "#1b5a3b"
ACROSS: Final = 1080
"""Width of the picture, pixels."""
MARGIN: Final = 48
STEPS: Final = 12
"""Steps of the way that are told."""
SCALE: Final = 0.86
"""Pixels to one SVG unit of the cards."""
LETTER: Final = 19
"""Width of a title's letter, in SVG units of the cards."""


def poster_svg(
    table: Board,
    headline: str,
    detail: str,
    steps: Sequence[str] = (),
    after: Board | None = None,
    marks: Marks | None = None,
    rules: str = "",
) -> str:
    """One picture to send to the others: the verdict, the table, and where there is one the way with its end.

    Args:
        table: What to draw below the verdict.
        headline: The verdict in a few words.
        detail: One more sentence.
        steps: The way, one sentence each; of more than `STEPS` the first ones are told.
        after: The table at the end of the way.
        marks: Cards of `after` to mark, by place.
        rules: The rules it goes by, in a sentence.
    """
    told = list(steps[:STEPS])
    if len(steps) > len(told):
        told.append(f"and {len(steps) - len(told)} more steps")
    parts: list[str] = []
    y = _text(parts, MARGIN, _wrap(headline, 34), 54, 750) + 8
    y = _text(parts, y, _wrap(detail, 68), 28) + 8
    y = _text(parts, y, _wrap(rules, 90), 22) + 20
    y = _board(parts, y, table, {})
    if told:
        y = _title(parts, y, "How")
        y = _text(parts, y, [line for step in told for line in _wrap(step, 74)], 26) + 24
    if after is not None:
        y = _board(parts, y, after, marks or {}, "At the end: ")
    y += 24
    parts.append(
        f'<text x="{ACROSS - MARGIN}" y="{y}" text-anchor="end" font-size="20" fill="#dff3e6"'
        ' font-family="system-ui,sans-serif">Could I have won?</text>'
    )
    y += 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{ACROSS}" height="{y}" viewBox="0 0 {ACROSS} {y}">'
        f'<rect width="100%" height="100%" fill="{FELT}"/>{"".join(parts)}</svg>'
    )


def _text(parts: list[str], y: int, lines: Sequence[str], size: int, weight: int = 400) -> int:
    """Adds lines of text below `y`; where the next thing may begin."""
    for line in lines:
        y += size
        parts.append(
            f'<text x="{MARGIN}" y="{y}" font-size="{size}" font-weight="{weight}" fill="#fff"'
            f' font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">{escape(line)}</text>'
        )
        y += 14
    return y


def _title(parts: list[str], y: int, title: str, x: float = MARGIN) -> int:
    parts.append(
        f'<text x="{x:g}" y="{y + 18}" font-size="20" letter-spacing="1.5" fill="#dff3e6"'
        f' font-family="system-ui,sans-serif">{escape(title.upper())}</text>'
    )
    return y + 34


def _board(parts: list[str], y: int, table: Board, marks: Marks, prefix: str = "") -> int:
    """Adds a table below `y`, without the sections where no card lies; where the next thing may begin.

    Narrow sections stand beside each other.
    """
    room = (ACROSS - 2 * MARGIN) / SCALE
    left, top, bottom = 0.0, y, y
    for section in table.sections:
        zones = [zone for zone in section.zones if zone is not None]
        if section.title and all(spot.card in (EMPTY, BACK) for zone in zones for spot in zone.spots):
            continue
        title = prefix + section.title if section.title else ""
        rows = _rows(section, room)
        width = max([x + zone_size(zone)[0] for row in rows for x, zone in row] + [len(title) * LETTER])
        if left and left + width > room:
            left, top = 0.0, bottom + 12
        at = _title(parts, top, title, MARGIN + left * SCALE) if title else top
        for row in rows:
            for x, zone in row:
                place = f"translate({MARGIN + (left + x) * SCALE:g} {at}) scale({SCALE})"
                parts.append(f'<g transform="{place}">{spots_svg(zone, marks, pickable=False)}</g>')
            at += round((max((zone_size(zone)[1] for _, zone in row), default=0) + 2 * GAP) * SCALE)
        left, bottom = left + width + 6 * GAP, max(bottom, at)
    return bottom + 12


def _rows(section: Section, width: float) -> list[list[tuple[float, Zone]]]:
    """Zones of a section in rows with their x, wrapped at `width` units or at the section's columns."""
    if section.columns:
        cells = zip_longest(*[iter(_spread(section))] * section.columns)
        return [
            [(number * (WIDTH + 2 * GAP), pieces(zone)[0]) for number, zone in enumerate(row) if zone is not None]
            for row in cells
        ]
    rows: list[list[tuple[float, Zone]]] = [[]]
    x = 0.0
    flowing = (piece for zone in section.zones if zone is not None for piece in pieces(zone))
    for zone in flowing:
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
