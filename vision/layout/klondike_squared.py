"""Klondike with squared piles: seven piles in a row of which each shows its top alone, the rest in a second row.

Robots and some people play so. The layout network knows columns by what overlaps, so this looks for the plan itself:
two rows of single cards, one of them in up to seven places at even steps, the other with the waste at one end and up
to four foundations of different suits, below whose tops no card of theirs lies anywhere. What lies under a pile's top
no photo shows: at the deal it is known, later a person is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.tokens import Tokens, tokens_of
from vision.layout.vocabulary import CLASSES, ZONES
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of

GAME: Final = "klondike"
COLUMNS: Final = 7
SUITS: Final = 4


@dataclass(frozen=True, slots=True)
class SquaredPilesTuning:
    """What makes two rows of single cards seven piles with what belongs to them.

    Attributes:
        game_doubt: That a table which lies so is not Klondike.
        zone_doubt: That a card of it lies elsewhere than the plan says.
        dealt_doubt: That a pile does not hide what was dealt to it, where the table may still be as dealt.
        played_doubt: The same where it was played on: a person is asked then.
        least_card_probability: What is less likely a card is not looked at.
        parallel: Mean of the cosines of twice the angles at which cards lie, 1 where all are upright.
        row_card_heights: Cards of a row lie at most so far out of line.
        apart_card_heights: The two rows lie at least so far from each other.
        slopes: How askew rows may be seen, in card widths a card width, the likeliest first.
        steps_card_widths: From one card of a row to the next, at least; from one pile to the next, at most.
        uneven_steps: A pile lies at most so many steps from its place.
        beyond_steps: The second row reaches at most so many steps beyond the first and the last place.
        waste_steps: Where all cards of the second row may be foundations, one that lies farther from them is the waste.
        steps_a_rank: A card that is a rank higher than the foundations counts as so many steps farther from them.
        fewest_piles: Piles that still show a card, at least.
        fewest_places: Piles and foundations together, at least: seven piles were dealt, and few get empty without one.
    """

    game_doubt: float
    zone_doubt: float
    dealt_doubt: float
    played_doubt: float
    least_card_probability: float = 0.5
    parallel: float = 0.95
    row_card_heights: float = 0.3
    apart_card_heights: float = 0.95
    slopes: tuple[float, ...] = (0.0, -0.03, 0.03, -0.06, 0.06)
    steps_card_widths: tuple[float, float] = (0.95, 2.6)
    uneven_steps: float = 0.3
    beyond_steps: float = 1.0
    waste_steps: float = 1.5
    steps_a_rank: float = 0.25
    fewest_piles: int = 2
    fewest_places: int = 6


TUNING: Final = SquaredPilesTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class SquaredPiles:
    """Which cards, by their rows, lie where.

    Attributes:
        columns: The card on top of each column; None for an empty one.
        waste: The waste's top, if it shows one.
        foundations: The foundations' tops.
        is_stock_left: Whether stock and waste lie left of the columns' middle, where most people have them.
        outside: What lies face down outside the row of columns: the stock, or nothing, but no card of a column.
        quarters: Quarter turns from the frame's down to the direction towards the player.
    """

    columns: tuple[int | None, ...]
    waste: int | None
    foundations: tuple[int, ...]
    is_stock_left: bool = True
    outside: tuple[int, ...] = ()
    quarters: int = 0

    @property
    def may_be_the_deal(self) -> bool:
        """Whether nothing shows that a card of the deal was moved, nor that the photo was taken from across.

        Cards look alike from both ends. A stock at the right may be one at the left, seen from across: then the columns
        hide 6 to 0 cards and not 0 to 6.
        """
        return None not in self.columns and not self.foundations and self.is_stock_left


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """What lies where, by rows: how far to the right and how far down, card widths.

    `identity` is that of each face-up card; `backs` are the rows of cards face down.
    """

    x: Array
    y: Array
    identity: Mapping[int, int]
    backs: tuple[int, ...]
    height: float


def find_squared_piles(tokens: Tokens, quarters: int = 0) -> SquaredPiles | None:
    """The plan of a table whose Klondike piles are squared; None where it does not lie so.

    Args:
        tokens: What is seen.
        quarters: Quarter turns from the frame's down to the side where the network supposes the player.
    """
    faces = np.flatnonzero((tokens.is_face > 0.5) & (tokens.sure >= TUNING.least_card_probability))
    identity = (tokens.suit.argmax(1) * 13 + tokens.rank.argmax(1))[faces].tolist()
    if not TUNING.fewest_places < len(faces) <= COLUMNS + 1 + SUITS or len(set(identity)) < len(faces):
        return None
    backs = np.flatnonzero((tokens.is_face < 0.5) & (tokens.sure >= TUNING.least_card_probability))
    for turn in (quarters, 0, 1):
        seen = tokens.turned(turn)
        if (2 * seen.down[faces, 1] ** 2 - 1).mean() >= TUNING.parallel:
            known = dict(zip(faces.tolist(), identity, strict=True))
            cards = _Cards(seen.xy[:, 0], seen.xy[:, 1], known, tuple(backs.tolist()), tokens.aspect)
            found = next(filter(None, (_plan(*rows, cards) for rows in _two_rows(cards))), None)
            return None if found is None else replace(found, quarters=turn)
    return None


def _two_rows(cards: _Cards) -> list[tuple[list[int], list[int]]]:
    """The cards as two rows from left to right, the longer one first, then the other way round; empty if in no two.

    At the deal the second row may be the stock alone, which has no card to show.
    """
    most = TUNING.row_card_heights * cards.height
    faces = list(cards.identity)
    for slope in TUNING.slopes:  # what is seen of a table is askew a little
        y = cards.y - slope * cards.x
        rows = _cut(faces, cards.x, y, most)
        if not rows:
            continue
        apart = np.abs(y[list(cards.backs)] - y[rows[0]].mean()) > TUNING.apart_card_heights * cards.height
        if len(rows) == 1 and len(faces) == COLUMNS and apart.any():
            return [(rows[0], [])]
        if len(rows) == 2 and y[rows[1]].mean() - y[rows[0]].mean() > TUNING.apart_card_heights * cards.height:
            longer, shorter = sorted(rows, key=len, reverse=True)
            return [(longer, shorter), (shorter, longer)]
    return []


def _cut(faces: Sequence[int], x: Array, y: Array, most: float) -> list[list[int]]:
    """Cards in rows, the far one first, each `most` high at most, from left to right; none where cards overlap."""
    rows: list[list[int]] = []
    for card in sorted(faces, key=lambda row: float(y[row])):
        if rows and y[card] - y[rows[-1][0]] <= most:
            rows[-1].append(card)
        else:
            rows.append([card])
    rows = [sorted(row, key=lambda card: float(x[card])) for row in rows]
    step = min((float(np.diff(x[row]).min()) for row in rows if len(row) > 1), default=0.0)
    return rows if step >= TUNING.steps_card_widths[0] else []


def _plan(piles: Sequence[int], others: Sequence[int], cards: _Cards) -> SquaredPiles | None:
    """Two rows as the piles and what belongs to them, if they can be that."""
    if not TUNING.fewest_piles <= len(piles) <= COLUMNS:
        return None
    grid = _grid(cards.x[list(piles)], cards.x[list(others or piles)])
    if grid is None:
        return None
    shared = _share(others, grid[1], cards)
    if shared is None or len(piles) + len(shared[1]) < TUNING.fewest_places:
        return None
    columns: list[int | None] = [None] * COLUMNS
    for pile, place in zip(piles, grid[0], strict=True):
        columns[place] = pile
    outside = _outside(piles, cards)
    waste, foundations = shared
    is_stock_left = _is_left(piles, outside if waste is None else [waste], cards)
    return SquaredPiles(tuple(columns), waste, foundations, is_stock_left, outside)


def _outside(piles: Sequence[int], cards: _Cards) -> tuple[int, ...]:
    """What lies face down outside the row of piles."""
    middle, most = cards.y[list(piles)].mean(), TUNING.apart_card_heights * cards.height
    return tuple(back for back in cards.backs if abs(cards.y[back] - middle) > most)


def _is_left(piles: Sequence[int], rows: Sequence[int], cards: _Cards) -> bool:
    """Whether some cards lie left of the middle of the piles."""
    x = cards.x
    return bool(rows) and bool(x[list(rows)].mean() < (x[piles[0]] + x[piles[-1]]) / 2)


def _grid(piles: Array, others: Array) -> tuple[list[int], Array] | None:
    """The place of each pile, 0 to 6, and where the others lie in the same steps; None if the steps are uneven."""
    steps = {float(np.diff(row).min()) for row in (piles, others) if len(row) > 1}
    for step in sorted(steps, reverse=True):
        place = np.r_[0, np.cumsum(np.round(np.diff(piles) / step))].astype(int)
        if step > TUNING.steps_card_widths[1] or place[-1] >= COLUMNS or np.diff(place).min() < 1:
            continue
        far = np.arange(-COLUMNS, 2 * COLUMNS)
        # Seen from aside the steps grow or shrink: so does their fit, where there are piles enough for one.
        at = np.poly1d(np.polyfit(place, piles, min(len(piles) - 1, 2 if len(piles) > 4 else 1)))
        aside = np.interp(others, at(far), far)
        beyond = [float((np.abs(aside + first - 3).max() - 3).clip(0)) for first in range(COLUMNS - int(place[-1]))]
        if np.abs(at(place) - piles).max() <= TUNING.uneven_steps * step and min(beyond) <= TUNING.beyond_steps:
            first = int(np.argmin(beyond))  # of columns that are empty at an end the other row tells
            return (place + first).tolist(), aside + first
    return None


def _share(row: Sequence[int], at: Array, cards: _Cards) -> tuple[int | None, tuple[int, ...]] | None:
    """The waste, at an end and by itself, and the foundations of a row, by their places; None if it can be no such row.

    Foundations grow about alike, and nobody leaves an ace on the waste.
    """
    rank = [cards.identity[card] % 13 for card in row]
    if len(row) < 2:
        is_foundation = rank == [0] and at[0] > TUNING.waste_steps
        return (None, tuple(row)) if is_foundation or not row else (row[0], ())
    ways: list[tuple[float, int | None, Sequence[int]]] = [(TUNING.waste_steps, None, row)]
    for end, gap, rest in ((0, at[1] - at[0], slice(1, None)), (-1, at[-1] - at[-2], slice(-1))):
        higher = max(rank[end] - max(rank[rest]), 0)
        ways.append((float(gap + TUNING.steps_a_rank * higher) * (rank[end] > 0), row[end], row[rest]))
    possible = [way for way in ways if _may_be_foundations(way[2], cards.identity)]
    _, waste, foundations = max(possible, key=lambda way: way[0], default=(0.0, None, ()))
    return (waste, tuple(foundations)) if possible else None


def _may_be_foundations(tops: Sequence[int], identity: Mapping[int, int]) -> bool:
    """Whether cards have different suits and no card that lies under them lies elsewhere."""
    height = {identity[top] // 13: identity[top] % 13 for top in tops}
    under = [card for card in identity.values() if card % 13 < height.get(card // 13, 0)]
    return len(height) == len(tops) <= SUITS and not under


def layout_of_squared_piles(table: SeenTable, layout: Layout) -> Layout | None:
    """What is known of a table with squared piles; None for another. See `GameLayout.plan`."""
    found = find_squared_piles(tokens_of(table), layout.quarters)
    return None if found is None else squared_layout(layout, found)


def squared_layout(layout: Layout, found: SquaredPiles) -> Layout:
    """What the network says of a table, put right where its piles are squared.

    Args:
        layout: What the network says.
        found: The plan that the table lies in.
    """
    cards = [row for row in (*found.columns, found.waste, *found.foundations) if row is not None]
    zones = ZONES[GAME]
    log_zone = layout.log_zone[GAME].copy()
    for zone, rows in _zones(found):
        chance = np.full(len(zones), TUNING.zone_doubt / (len(zones) - 1))
        chance[zones.index(zone)] = 1 - TUNING.zone_doubt
        log_zone[rows] = np.log(chance)
    log_count = layout.log_count.copy()
    for dealt, row in enumerate(found.columns):
        if row is not None:
            log_count[row] = _log_count(dealt, found.may_be_the_deal)
    link = layout.link.copy()
    link[np.ix_(cards, cards)] = -9.0
    others = TUNING.game_doubt / (len(CLASSES) - 1)
    chances = np.where(np.array(CLASSES) == GAME, 1 - TUNING.game_doubt, others)
    angle = found.quarters * np.pi / 2
    toward = np.array([-np.sin(angle), np.cos(angle)]).round()
    return Layout(np.log(chances), toward, layout.log_zone | {GAME: log_zone}, log_count, link, tops_only=True)


def _zones(found: SquaredPiles) -> list[tuple[str, list[int]]]:
    """The cards of each zone."""
    columns = [(f"column/{number}", [row]) for number, row in enumerate(found.columns) if row is not None]
    waste = [] if found.waste is None else [found.waste]
    return [*columns, ("waste", waste), ("foundation", list(found.foundations)), ("stock", list(found.outside))]


def _log_count(dealt: int, is_deal: bool) -> Array:
    """(MOST + 1,) log-probabilities of how many cards a pile hides to which so many were dealt face down."""
    chance = np.full(MOST + 1, 0.02)
    chance[: dealt + 1] = 0.1  # cards are turned one by one, and cards laid on a pile come after
    chance[dealt] = 0.0
    doubt = TUNING.dealt_doubt if is_deal else TUNING.played_doubt
    chance *= doubt / chance.sum()
    chance[dealt] = 1 - doubt
    return np.asarray(np.log(chance))
