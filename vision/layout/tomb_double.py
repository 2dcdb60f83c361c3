"""Napoleon's Tomb with two decks: foundations in the corners, reserves on the edges, the centre between them.

The tableau is a column of four to the right or left of that 3x3 grid, the wastes a row below it with the stock at its
left end. A photo shows the top of each pile. What lies below is asked for: a foundation is taken to be in its first
round, the stock to be as full as the rules allow, and the cards that have no room in it to lie under the reserves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import SUIT_CHARS, UNKNOWN, Card
from vision.cards_seen import Table
from vision.decode import DOUBTS, RULE_BROKEN, Option, Problem, decode
from vision.geometry import Array
from vision.layout.grid import CENTRE, CORNERS, EDGES, Grid, checks_of, fit_grid, free_backs, player_frame, tops
from vision.layout.parsed import Parsed, hardened, left_out, place, unplaced, unzoned

GAME: Final = "tomb_double"
COPIES: Final = 2
DECKS_SIZE: Final = 104
TABLEAU: Final = 4
WASTES: Final = 5
TURNED: Final = 60
"""Most cards in stock and wastes together."""
RESERVE: Final = 10
"""Most cards of a reserve."""
IN_LINE: Final = 0.35
"""Piles of the tableau lie at most this far, in card widths, beside their column..."""
IN_STEP: Final = 0.2
"""...and this far, in card heights, from where its next pile is due."""
LEVEL: Final = 0.6
"""The stock lies at most this far, in card heights, above the lowest card."""
MAX_PILES: Final = 24
"""Eighteen cards can show; with many more the photo shows another game."""


def parse(table: Table, *, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """Reads a table as Napoleon's Tomb with two decks.

    Args:
        table: What is seen.
        decoding: Weigh reads with the rules; without it each card stays as read (the baseline in evaluations).
        doubts: How many further searches weigh doubtful cards; 0 where only position and score are asked for.
    """
    points, back_points = player_frame(table)
    log = table.log_card if decoding else hardened(table.log_card)
    if not len(points):
        return Parsed(GAME, _position({}), (), ("stock",) * len(table.backs), 0.0)
    rows = tops(table, points)
    if len(rows) > MAX_PILES:
        return unplaced(GAME, _position({}), table)
    height = table.template.height / table.template.width
    free = free_backs(points, back_points)
    stock = _stock(table, points[rows], back_points, free, height)
    stock_at = None if stock is None else back_points[stock]
    floor = np.inf if stock_at is None else float(stock_at[1]) - 0.5 * height
    cell_score = np.zeros((len(rows), 9))
    cell_score[:, list(EDGES)] += 0.4  # reserves are rarely empty
    cell_score -= 8.0 * (points[rows, 1] > floor)[:, None]  # the row of the stock holds the wastes

    def outside(at: Array, out: NDArray[np.bool_]) -> Array:
        below = at[..., 1] > 2.55
        right, left = at[..., 0] > 2.6, at[..., 0] < -0.6
        beside = (right | left) & ~below & (at[..., 1] > -0.9)
        sides = np.asarray((right & beside & out).any(1) & (left & beside & out).any(1))[:, None]
        price = np.where(below, 0.8, np.where(beside, 0.7, 7.0)) + 3.0 * (sides & beside)
        many = np.clip((beside & out).sum(1) - TABLEAU, 0, None) + np.clip((below & out).sum(1) - WASTES, 0, None)
        return np.asarray(-price - 5.0 * many[:, None] / max(len(rows), 1))

    grid = fit_grid(points[rows], height, cell_score, outside)
    assert grid is not None
    zones = _zones(_level(points, rows, grid), rows, grid, height, stock_at)
    problem = _problem(table, log, zones, decoding)
    decoded = decode(problem, {row: table.log_card[row] for row in zones}, budget=doubts if decoding else 0)
    assert decoded is not None
    identity = {item: c for n in decoded.chosen for item, c in problem.options[n].identities}
    placed = [place(table, decoded, row, c, _named(zones[row], c)) for row, c in identity.items()]
    placed += [
        (left_out if row in zones else unzoned)(table, row) for row in range(len(table.cards)) if row not in identity
    ]
    readings = []
    for relative, numbers in decoded.others:
        other = {item: c for n in numbers for item, c in problem.options[n].identities}
        readings.append((relative, _position({zones[row]: c for row, c in other.items()})))
    score = decoded.score + grid.score - 6.0 * (len(table.cards) - len(zones))
    score -= 4.0 * sum(table.backs[k].confidence for k in free if k != stock)
    score -= 1.2 * sum(f"reserve/{k}" not in zones.values() for k in range(4))
    score -= 1.5 * sum(f"tableau/{k}" not in zones.values() for k in range(TABLEAU))
    if stock_at is not None:  # the stock lies at the left end of the row below the grid
        at = (stock_at - grid.origin) / grid.pitch
        score -= (4.0 if at[1] < 2.4 else 0.0) + (2.0 if at[0] > 2.5 else 0.0)
    notes = (
        "only tops are seen: the cards below them are counted as stock and, beyond its 60, under the reserves; "
        "foundations as in their first round",
        "redeals cannot be seen: 4 are assumed to be left",
    )
    out = [row for row in range(len(table.cards)) if row not in zones]
    asked = checks_of(table, out, grid)
    empty = [str(k + 1) for k in range(4) if f"reserve/{k}" not in {zones[row] for row in identity}]
    if empty:  # rare, and as often a card that was not found
        asked.append(f"reserve {' and '.join(empty)} seem{'s' * (len(empty) == 1)} to be empty: please check")
    position = _position({zones[row]: c for row, c in identity.items()})
    back_zones = tuple("stock" if k == stock else "none" for k in range(len(back_points)))
    return Parsed(GAME, position, tuple(placed), back_zones, score, notes, tuple(asked), tuple(readings))


def _stock(table: Table, tops_at: Array, back_points: Array, free: NDArray[np.intp], height: float) -> int | None:
    """The back that is the stock, None without one: it lies as low on the table as the lowest card."""
    low = [int(k) for k in free if back_points[k, 1] > tops_at[:, 1].max() - LEVEL * height]
    return max(low, key=lambda k: table.backs[k].confidence, default=None)


def _level(points: Array, rows: NDArray[np.intp], grid: Grid) -> Array:
    """Points with the grid's rows made level: a photo leaves a little shear open."""
    on = grid.cells >= 0
    column, line = grid.cells[on] % 3, grid.cells[on] // 3
    x = points[rows[on], 0] - grid.origin[0]
    y = points[rows[on], 1] - grid.origin[1] - line * grid.pitch[1]
    if len(set(column.tolist())) < 2:
        return points
    slope = float(np.polyfit(x, y, 1)[0])
    return np.asarray(points - np.stack([np.zeros(len(points)), slope * (points[:, 0] - grid.origin[0])], axis=1))


def _zones(points: Array, rows: NDArray[np.intp], grid: Grid, height: float, stock: Array | None) -> dict[int, str]:
    """Zone of each top; a second pile in one place is left out."""
    zones: dict[int, str] = {}
    beside, below = [], []
    origin, pitch = grid.origin, grid.pitch
    bottom = origin[1] + 2.75 * pitch[1]
    if stock is not None:
        bottom = max(bottom, float(stock[1]) - 0.45 * height)
    bottom = min(bottom, origin[1] + 3.1 * pitch[1])
    for row, cell in zip(rows, grid.cells, strict=True):
        if cell == CENTRE:
            zones[int(row)] = "centre"
        elif cell in CORNERS:
            zones[int(row)] = f"foundation/{CORNERS.index(cell)}"
        elif cell in EDGES:
            zones[int(row)] = f"reserve/{EDGES.index(cell)}"
        elif points[row, 1] > bottom:
            below.append(int(row))
        else:
            beside.append(int(row))
    middle = origin[1] + pitch[1]
    beside.sort(key=lambda row: float(points[row, 1]))
    steps = np.diff([points[row, 1] for row in beside])
    steps = steps[steps > 0.8 * height]
    step = float(np.median(steps / np.maximum(np.round(steps / pitch[1]), 1))) if len(steps) else float(pitch[1])
    if len(steps) == len(beside) - 1 and 2 <= len(beside) < TABLEAU:  # the column may reach down to the wastes' row
        due = points[beside].mean(0)[0], float(points[beside[-1], 1]) + step
        off = np.abs(points[below] - due).reshape(-1, 2)
        beside += [
            below.pop(int(k)) for k in np.flatnonzero((off[:, 0] < IN_LINE) & (off[:, 1] < IN_STEP * height))[:1]
        ]
    for number, row in enumerate(beside):
        slot = number if len(beside) == TABLEAU else round((points[row, 1] - middle) / step + 1.5)
        zones[row] = f"tableau/{min(max(slot, 0), TABLEAU - 1)}"
    below.sort(key=lambda row: float(points[row, 0]))
    order = list(range(len(below)))
    if stock is not None:  # an emptied waste leaves its place free
        slots = [round((float(points[row, 0]) - float(stock[0])) / pitch[0] - 1) for row in below]
        if slots == sorted(set(slots)) and all(0 <= slot < WASTES for slot in slots):
            order = slots
    zones |= {row: f"waste/{slot}" for slot, row in zip(order, below, strict=True) if slot < WASTES}
    kept: dict[str, int] = {}
    for row, zone in zones.items():
        kept.setdefault(zone, row)
    return {row: zone for zone, row in kept.items()}


def _named(zone: str, card: int) -> str:
    return f"foundation/{SUIT_CHARS[card // 13]}" if zone.startswith("foundation") else zone


def _problem(table: Table, log: Array, zones: Mapping[int, str], decoding: bool) -> Problem:
    options = []
    for row, zone in zones.items():
        order = np.argsort(-log[row])
        for named in order[log[row, order] > log[row, order[0]] - 16]:
            c = int(named)
            uses: list[tuple[object, int]] = [(c, 1)]
            if zone.startswith("foundation"):  # the suit's higher cards lie below, from the king down
                uses = [(13 * (c // 13) + rank, 1) for rank in range(c % 13, 13)] + [(f"suit {c // 13}", 1)]
            if zone == "centre":
                uses = [(below, 1) for below in _under_centre(c)]
            score = float(log[row, c]) + float(np.log(max(table.cards[row].is_card, 1e-4)))
            options.append(Option(score, (row,), tuple(uses), ((row, c),), zone))
            if zone.startswith("foundation") or zone == "centre":
                options.append(Option(score + RULE_BROKEN, (row,), (), ((row, c),), zone))
        options.append(Option(float(np.log(max(1 - table.cards[row].is_card, 1e-9))) - 2.0, (row,), (), (), "none"))
    limits: dict[Any, int] = dict.fromkeys(range(52), COPIES if decoding else 99)
    limits |= {f"suit {suit}": 1 if decoding else 9 for suit in range(4)}
    return Problem(options, limits)


def _position(cards: Mapping[str, int]) -> dict[str, Any]:
    def pile(zone: str) -> list[str]:
        return [str(Card.from_index(cards[zone]))] if zone in cards else []

    foundations = dict.fromkeys(SUIT_CHARS, 0)
    for zone, card in cards.items():
        if zone.startswith("foundation"):
            foundations[SUIT_CHARS[card // 13]] = 13 - card % 13
    body: dict[str, Any] = {
        "game": GAME,
        "foundations": foundations,
        "centre": [str(Card.from_index(c)) for c in _under_centre(cards["centre"])] if "centre" in cards else [],
        "tableau": [pile(f"tableau/{k}") for k in range(TABLEAU)],
        "reserves": [pile(f"reserve/{k}") for k in range(4)],
        "wastes": [pile(f"waste/{k}") for k in range(WASTES)],
    }
    return with_hidden(body | {"redeals": 4})


def _under_centre(top: int) -> range:
    """The centre's cards up to its top: it begins with an ace and builds up in suit."""
    return range(13 * (top // 13), top + 1)


def with_hidden(position: Mapping[str, Any]) -> dict[str, Any]:
    """A position's tops with every card that nobody sees as `??`: in the stock up to its 60, then under the reserves.

    How many lie where is not in a photo; this is the one way in which labels and readings write it.

    >>> bare = {"foundations": {"C": 2, "D": 0, "H": 0, "S": 0}, "centre": [], "tableau": [["7C"], ["8D"], [], []],
    ...         "reserves": [["2C"], ["3D"], ["4H"], ["5S"]], "wastes": [["9C"], [], [], [], []]}
    >>> filled = with_hidden(bare)
    >>> len(filled["stock"]), [len(pile) for pile in filled["reserves"]]
    (59, [10, 10, 10, 10])
    """
    piles = (*position["tableau"], *position["reserves"], *position["wastes"], position["centre"])
    hidden = DECKS_SIZE - sum(position["foundations"].values()) - sum(map(len, piles))
    stock = max(0, min(hidden, TURNED - sum(map(len, position["wastes"]))))
    room = [max(0, RESERVE - len(pile)) if pile else 0 for pile in position["reserves"]]
    under = [0] * len(room)
    for _ in range(min(hidden - stock, sum(room))):  # one after the other, each time under the reserve with most room
        most = max(range(len(room)), key=lambda k: room[k] - under[k])
        under[most] += 1
    left = hidden - stock - sum(under)  # no room for them anywhere: the position then says that it is not legal
    reserves = [[UNKNOWN] * count + list(pile) for count, pile in zip(under, position["reserves"], strict=True)]
    return dict(position) | {"reserves": reserves, "stock": [UNKNOWN] * (stock + left)}
