"""Napoleon's Tomb with one deck: 3x3 piles, beside them the spare sixes, the discard pile and the deck.

Corners build up from 7, the centre down from 6, spares lie on the four edges. A photo shows the top of each pile; what
is under it follows from the rules or is `??`, and the deck is every card that stands nowhere else.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards_seen import Table
from vision.decode import DOUBTS, RULE_BROKEN, Option, Problem, decode
from vision.geometry import Array
from vision.layout.grid import CENTRE, CORNERS, EDGES, checks_of, fit_grid, free_backs, player_frame, tops
from vision.layout.parsed import Parsed, hardened, left_out, place, unplaced, unzoned

GAME: Final = "tomb_single"
OUTSIDE_PILES: Final = 2
IN_LINE: Final = 0.45
"""A pile at most this far, in card widths, out of line with the deck lies in one column with it..."""
WITH_DECK: Final = 1.5
"""...and is rather one beside the grid than one of it, as a logarithm."""
MAX_PILES: Final = 16
"""Eleven cards can show; with many more the photo shows another game."""
_LOW, _SIX, _SEVEN, _HIGH = slice(0, 6), 5, 6, slice(6, 13)


def parse(table: Table, *, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """Reads a table as Napoleon's Tomb with one deck.

    Args:
        table: What is seen.
        decoding: Weigh reads with the rules; without it each card stays as read, and its place does not depend on it
            (the baseline in evaluations).
        doubts: How many further searches weigh doubtful cards; 0 where only position and score are asked for.
    """
    points, back_points = player_frame(table)
    log = table.log_card if decoding else hardened(table.log_card)
    if not len(points):
        return Parsed(GAME, _position({}), (), ("deck",) * len(table.backs), 0.0)
    rows = tops(table, points)
    if len(rows) > MAX_PILES:
        return unplaced(GAME, _position({}), table)
    height = table.template.height / table.template.width
    read = np.exp(log[rows]).reshape(-1, 4, 13).sum(1)
    ranks = read if decoding else np.full_like(read, 1 / 13)  # what speaks for a place
    spare = 1 - ranks[:, _SIX] - ranks[:, _SEVEN]
    chance = np.stack([_of_cell(ranks, spare, cell) for cell in range(9)], axis=1)
    usual = np.array([6 / 13 if cell == CENTRE else 7 / 13 if cell in CORNERS else 11 / 13 for cell in range(9)])
    cell_score = np.log(np.maximum(chance, 1e-4) / usual)
    beside = np.log(np.maximum(np.maximum(ranks[:, _SIX], spare), 1e-4)) - 2.0
    free = [int(k) for k in free_backs(points, back_points)]
    deck = max(free, key=lambda k: table.backs[k].confidence, default=None)
    if deck is not None:  # discard pile and spare six lie above or below it
        column = np.abs(points[rows, 0] - back_points[deck, 0]) < IN_LINE
        cell_score -= WITH_DECK * column[:, None]
        beside += WITH_DECK * column

    def outside(at: Array, out: NDArray[np.bool_]) -> Array:
        left_over = np.clip(out.sum(1) - OUTSIDE_PILES, 0, None)[:, None] * 6.0 / max(len(rows), 1)
        amid = ((at > -0.6) & (at < 2.6)).all(-1)  # between the cells lies nothing
        return np.asarray(beside[None] - 7.0 * amid - left_over)

    grid = fit_grid(points[rows], height, cell_score, outside)
    assert grid is not None
    zones = {int(row): _zone(int(cell), read[k]) for k, (row, cell) in enumerate(zip(rows, grid.cells, strict=True))}
    seen_zones: dict[str, int] = {}
    for row, zone in zones.items():  # two piles in one place: the surer card stays
        other = seen_zones.get(zone)
        if other is None or table.cards[row].is_card > table.cards[other].is_card:
            seen_zones[zone] = row
    problem = _problem(table, log, seen_zones, decoding)
    own = {row: table.log_card[row] for row in seen_zones.values()}
    decoded = decode(problem, own, budget=doubts if decoding else 0)
    assert decoded is not None
    identity = {item: c for n in decoded.chosen for item, c in problem.options[n].identities}
    names = {row: zone for zone, row in seen_zones.items()}
    placed = [place(table, decoded, row, identity[row], names[row]) for row in identity]
    placed += [
        (left_out if row in names else unzoned)(table, row) for row in range(len(table.cards)) if row not in identity
    ]
    readings = []
    for relative, numbers in decoded.others:
        other_identity = {item: c for n in numbers for item, c in problem.options[n].identities}
        readings.append((relative, _position({names[row]: c for row, c in other_identity.items()})))
    score = decoded.score + grid.score - 6.0 * (len(table.cards) - len(names))
    score -= 4.0 * sum(table.backs[k].confidence for k in free if k != deck)
    score -= 1.2 * sum(f"spare/{k}" not in seen_zones for k in range(4))
    if deck is not None:  # it lies beside the grid, not in it and not in a row below
        at = (back_points[deck] - grid.origin) / grid.pitch
        score -= 5.0 if (-0.5 < at[0] < 2.5 and -0.5 < at[1] < 2.5) else 2.0 if at[1] > 2.6 else 0.0
    notes = ("the deck is every card that is not seen, in an unknown order",)
    out = [row for row in range(len(table.cards)) if row not in names]
    asked = checks_of(table, out, grid)
    position = _position({names[row]: c for row, c in identity.items()})
    back_zones = tuple("deck" if k == deck else "none" for k in range(len(back_points)))
    return Parsed(GAME, position, tuple(placed), back_zones, score, notes, tuple(asked), tuple(readings))


def _of_cell(ranks: Array, spare: Array, cell: int) -> Array:
    """Probability that a card may show in a cell."""
    if cell == CENTRE:
        return np.asarray(ranks[:, _LOW].sum(1))
    return np.asarray(ranks[:, _HIGH].sum(1)) if cell in CORNERS else spare


def _zone(cell: int, ranks: Array) -> str:
    if cell == CENTRE:
        return "centre"
    if cell in CORNERS:
        return f"corner/{CORNERS.index(cell)}"
    if cell in EDGES:
        return f"spare/{EDGES.index(cell)}"
    return "spare_six" if ranks[_SIX] > 0.5 else "discard"


def _allowed(zone: str) -> tuple[int, ...]:
    """Ranks (0 is the ace) that may show in a zone."""
    if zone.startswith("corner"):
        return tuple(range(6, 13))
    if zone == "centre":
        return tuple(range(6))
    return (5,) if zone == "spare_six" else tuple(r for r in range(13) if r not in (5, 6))


def _problem(table: Table, log: Array, zones: dict[str, int], decoding: bool) -> Problem:
    options = []
    for zone, row in zones.items():
        allowed = _allowed(zone)
        order = np.argsort(-log[row])
        for c in order[log[row, order] > log[row, order[0]] - 16]:
            price = 0.0 if c % 13 in allowed or not decoding else RULE_BROKEN
            score = float(log[row, c]) + price + float(np.log(max(table.cards[row].is_card, 1e-4)))
            options.append(Option(score, (row,), ((int(c), 1),), ((row, int(c)),), zone))
        options.append(Option(float(np.log(max(1 - table.cards[row].is_card, 1e-9))) - 2.0, (row,), (), (), "none"))
    return Problem(options, dict.fromkeys(range(52), 1 if decoding else 9))


def _position(cards: dict[str, int]) -> dict[str, Any]:
    def pile(zone: str) -> list[str | None]:
        return [str(Card.from_index(cards[zone]))] if zone in cards else []

    return {
        "game": GAME,
        "corners": [pile(f"corner/{k}") for k in range(4)],
        "centre": pile("centre"),
        "spares": [card for k in range(4) for card in (pile(f"spare/{k}") or [None])],
        "spare_six": pile("spare_six"),
        "discard": pile("discard"),
    }
