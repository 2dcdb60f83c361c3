"""Where photos show the cards of a reading: each card and back with what every photo shows of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from solver.cards import Card
from solver.place import NOWHERE, Place
from vision.cards.geometry import Array, project
from vision.cards.joining.joined import Joined, View
from vision.cards.seen_table import SeenTable
from vision.layout.game_reading import GameReading, PlacedCard
from vision.networks.outputs import Detections
from vision.photo_to_table import Findings
from vision.read_card import Quad, ReadBack, ReadCard, ReadIndex, Sight


def locate_cards(
    placed: Iterable[PlacedCard], joined: Joined, tables: Sequence[SeenTable], findings: Sequence[Findings]
) -> list[ReadCard]:
    """The cards, each in all photos that show it."""

    def sights(row: int | None) -> tuple[Sight, ...]:
        views = [] if row is None else _one_each(joined.sights[row])
        return tuple(_sight(tables[photo], findings[photo].detections, photo, own) for photo, own in views)

    return [
        _read_card(p.card, p.confidence, p.alternatives, p.place, sights(p.seen), p.why, p.by_looks) for p in placed
    ]


def cards_of_hand(table: SeenTable, found: Findings, photo: int) -> list[ReadCard]:
    """The cards of the hand's photo, from left to right."""
    return [
        _read_card(card.best, *card.belief(), Place("hand"), (_sight(table, found.detections, photo, row),))
        for row in table.from_left
        for card in [table.cards[row]]
    ]


def _read_card(
    card: Card | None,
    confidence: float,
    alternatives: Sequence[tuple[Card, float]],
    place: Place,
    sights: tuple[Sight, ...],
    why: str = "",
    by_looks: float = 0.0,
) -> ReadCard:
    others = tuple((other, round(float(chance), 4)) for other, chance in alternatives)
    return ReadCard(card, round(float(confidence), 4), others, place, sights, why, round(float(by_looks), 4))


def _sight(table: SeenTable, detections: Detections, photo: int, row: int) -> Sight:
    """A card of a photo, the one of that row, as the photo shows it."""
    card = table.cards[row]
    return Sight(photo, round_quad(card.quad), tuple(_index(detections, own) for own in card.indices))


def _index(detections: Detections, row: int) -> ReadIndex:
    """An index of a photo, the one of that row."""
    x1, y1, x2, y2 = (round(float(value), 1) for value in detections.boxes[row])
    rank_x, rank_y = (round(float(value), 1) for value in detections.rank_xy[row])
    suit_x, suit_y = (round(float(value), 1) for value in detections.suit_xy[row])
    return ReadIndex((x1, y1, x2, y2), (rank_x, rank_y), (suit_x, suit_y))


def round_quad(quad: Array) -> Quad:
    """Corners to a tenth of a pixel."""
    a, b, c, d = ((x, y) for x, y in np.round(quad, 1).tolist())
    return a, b, c, d


def _one_each(views: Sequence[View]) -> list[View]:
    """One view of a card in each photo: a photo may have taken its two ends for two cards."""
    found: dict[int, int] = {}
    for photo, row in views:
        found.setdefault(photo, row)
    return list(found.items())


def locate_backs(parsed: GameReading | None, joined: Joined, tables: Sequence[SeenTable]) -> list[ReadBack]:
    """The face-down cards, each in all photos that show it."""
    backs = joined.table.backs
    places = parsed.back_places if parsed is not None and parsed.back_places else (NOWHERE,) * len(backs)
    found = []
    for back, (photo, row), place in zip(backs, joined.back_sights, places, strict=True):
        best = Sight(photo, round_quad(tables[photo].backs[row].quad))
        others = [
            Sight(number, round_quad(quad))
            for number, to_map in enumerate(joined.to_map)
            if number != photo and to_map is not None
            for quad in _quad_in_photo(back.quad, to_map, tables[number].size)
        ]
        found.append(ReadBack(place, round(float(back.confidence), 4), (best, *others)))
    return found


def _quad_in_photo(quad: Array, to_map: Array, size: tuple[int, int]) -> list[Array]:
    """Where a photo shows a card that lies there on the map: its corners, px; nothing if it does not show it."""
    to_photo = np.asarray(np.linalg.inv(to_map), np.float64)
    there = project(to_photo, quad)
    depth = np.c_[quad, np.ones(4)] @ to_photo[2]
    middle = there.mean(0)
    is_shown = (depth * depth[0] > 0).all() and ((middle > 0) & (middle < np.array(size))).all()
    return [there] if is_shown else []
