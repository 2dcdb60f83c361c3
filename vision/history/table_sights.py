"""What each photo of a game shows of its table, by place, from what the networks saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from solver.place import Place
from vision.cards.alike_faces import without_alike_faces
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.history.common_layout import Shift, are_squared, weigh_zones
from vision.history.read_tables import ReadTable
from vision.history.seen_twice import doubt_as_seen_twice
from vision.history.sight import SeenPile, TableSight, belief_of
from vision.history.stock_seen import find_stocks
from vision.layout.klondike import GAME, TablePlaces, places_of, waste_order
from vision.layout.vocabulary import ZONES
from vision.networks.back_counter import MOST
from vision.read_card import Quad

FANNED_SHARE: Final = 0.15
"""Where a larger share of the columns show more than their last card, columns are fanned."""


def read_as_one_deck(tables: Sequence[ReadTable]) -> list[ReadTable]:
    """The photos of a game; each card is read as what all of them tell of its deck."""
    settled = doubt_as_seen_twice(without_alike_faces([table.table for table in tables]))
    return [replace(table, table=own) for table, own in zip(tables, settled, strict=True)]


def sights_of(tables: Sequence[ReadTable], shifts: Sequence[Shift | None]) -> list[TableSight]:
    """What each photo shows; how the photos lie to each other tells its places more surely."""
    weighed = weigh_zones(tables, shifts)
    places = _run_alike(weighed)
    squared, stocks = are_squared(tables) or _show_tops_alone(places), find_stocks(weighed, places, shifts)
    return [
        replace(_sight(table, place, squared), stock=stock)
        for table, place, stock in zip(weighed, places, stocks, strict=True)
    ]


def _run_alike(tables: Sequence[ReadTable]) -> list[TablePlaces]:
    """The places of each table, of which the columns run as those of most do."""
    places = [places_of(t.table, t.layout) for t in tables]
    to_right = 2 * sum(place.run_to_right for place in places) > len(places)
    return [
        place if place.run_to_right is to_right else places_of(t.table, t.layout, run_to_right=to_right)
        for t, place in zip(tables, places, strict=True)
    ]


def _show_tops_alone(places: Sequence[TablePlaces]) -> bool:
    """Whether nearly all columns show no more than their last card."""
    columns = [
        (len(cards), len(backs))
        for place in places
        for cards, backs in zip(place.columns, place.backs, strict=True)
        if cards
    ]
    fanned = sum(cards > 1 or backs > 0 for cards, backs in columns)
    return fanned < FANNED_SHARE * max(len(columns), 1)


def _sight(read: ReadTable, places: TablePlaces, squared: bool) -> TableSight:
    table, layout = read.table, read.layout
    beliefs = [belief_of(card.log_card, card.is_card) for card in table.cards]
    columns = []
    for cards, backs in zip(places.columns, places.backs, strict=True):
        count = _counted(layout.log_count, cards, len(backs))
        columns.append(SeenPile(tuple(beliefs[row] for row in cards), count, len(backs)))
    waste, foundations = _top_row(read, places)
    return TableSight(
        tuple(columns),
        tuple(beliefs[row] for row in foundations),
        tuple(beliefs[row] for row in waste_order(table, layout, waste)),
        squared,
        outlines=_outlines(table, places, waste, foundations),
    )


def _outlines(
    table: SeenTable, places: TablePlaces, waste: Sequence[int], foundations: Sequence[int]
) -> dict[Place, tuple[Quad, ...]]:
    """Where the photo shows the cards of each pile."""
    rows = {Place("column", k): (places.columns[k], places.backs[k]) for k in range(len(places.columns))}
    rows |= {Place("waste"): (tuple(waste), ()), Place("stock"): ((), places.stock)}
    rows[Place("foundation")] = tuple(foundations), ()
    return {
        place: tuple(map(_quad, (*(table.cards[n].quad for n in cards), *(table.backs[n].quad for n in backs))))
        for place, (cards, backs) in rows.items()
    }


def _quad(corners: Array) -> Quad:
    return tuple((float(x), float(y)) for x, y in corners)  # type: ignore[return-value]


def _counted(log_count: np.ndarray, cards: Sequence[int], backs: int) -> tuple[float, ...]:
    """Log-probabilities of how many cards a column hides."""
    if cards:
        return tuple(log_count[cards[0]].tolist())
    if not backs:
        return ()
    guess = -1.5 * np.abs(np.arange(MOST + 1) - min(backs, MOST))
    return tuple((guess - np.logaddexp.reduce(guess)).tolist())


def _top_row(read: ReadTable, places: TablePlaces) -> tuple[list[int], list[int]]:
    """Rows of the waste's cards and of the foundations'."""
    log_zone = read.layout.log_zone[GAME]
    names = ZONES[GAME]
    waste, foundation = (log_zone[:, names.index(name)] for name in ("waste", "foundation"))
    in_waste = [row for row in places.top_row if waste[row] >= foundation[row] and row not in places.aside]
    return in_waste, [row for row in places.top_row if row not in in_waste]
