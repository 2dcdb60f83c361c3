"""How likely the true cards of rendered photos are by what is believed of them, whatever position they make.

Each card that a photo shows clearly costs the logarithm of the probability that it is there and is what it is; a card
that nobody read costs that of the least one. A card that was read where none lies costs the logarithm of the
probability that there is none. What shows too little of itself to be read counts neither way.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.cards import Card, parse_card
from tests.bench.remembered_networks import Memory
from vision.cards.geometry import Array
from vision.cards.joining.join import join
from vision.cards.seen_table import SeenCard, SeenTable
from vision.image import RGB, load
from vision.measure.labels import VISIBLE
from vision.networks.outputs import Detections
from vision.photo_to_table import detect_and_read, see_table

LEAST_CHANCE = 0.002
"""Nobody is surer than this leaves."""
ROUND_BOX = 0.25
"""An index found is one of the truth's where its middle lies in that one's box, larger by this share on each side."""


@dataclass(frozen=True, slots=True)
class TrueIndices:
    """The corners of the face-up cards of a photo.

    Attributes:
        cards: The card of each row of the truth; None for one that lies face down.
        clear: The rows of those that can be read in the photo.
        boxes: (n, 4) boxes of all indices, px.
        rows: (n,) the row of each.
    """

    cards: tuple[Card | None, ...]
    clear: frozenset[int]
    boxes: Array
    rows: Array

    @classmethod
    def read(cls, path: Path) -> TrueIndices:
        """The truth beside a rendered photo."""
        data = json.loads(path.read_text(encoding="utf-8"))
        image, size = data["cards"], np.array([data["image"]["width"], data["image"]["height"]])
        cards = tuple(None if row["card"] is None else parse_card(row["card"]) for row in image)
        boxes, rows, clear = [], [], set[int]()
        for number, row in enumerate(image):
            for index in row["indices"] if row["card"] else ():
                boxes.append(index["box"])
                rows.append(number)
                shown = min(index["visible"], index["rank_visible"], index["suit_visible"]) >= VISIBLE
                middle = np.add(index["rank"], index["suit"]) / 2
                if shown and (middle >= 0).all() and (middle < size).all():
                    clear.add(number)
        return cls(cards, frozenset(clear), np.array(boxes, float).reshape(-1, 4), np.array(rows, int))

    def rows_at(self, points: Array) -> set[int]:
        """The rows of the truth of which an index lies at one of the points (n, 2), px."""
        room = ROUND_BOX * (self.boxes[:, 2:] - self.boxes[:, :2])
        low, high = self.boxes[:, :2] - room, self.boxes[:, 2:] + room
        inside = ((points[:, None] >= low) & (points[:, None] <= high)).all(-1)
        return set(self.rows[inside.any(0)].tolist())


@dataclass(slots=True)
class Photo:
    """A rendered photo that is read again and again."""

    image: RGB
    truth: TrueIndices
    memory: Memory
    file: Path

    @classmethod
    def open(cls, path: Path) -> Photo:
        """A photo with what is kept of it, or asked and kept now."""
        file = path.with_suffix(".networks")
        memory = pickle.loads(file.read_bytes()) if file.is_file() else Memory()
        photo = cls(load(path), TrueIndices.read(path.with_suffix(".json")), memory, file)
        if not memory.answers:
            photo.see()
        return photo

    def see(self) -> tuple[SeenTable, Detections]:
        """Its cards, and the findings whose rows they name."""
        with self.memory.answering():
            found = detect_and_read(self.image)
            table = see_table(found)
        if self.memory.grown:
            self.memory.grown = False
            self.file.write_bytes(pickle.dumps(self.memory))
        return table, found.detections

    def rows_of(self, card: SeenCard, detections: Detections) -> set[int]:
        """The rows of the truth that a card may be."""
        rows = list(card.indices)
        return self.truth.rows_at((detections.rank_xy[rows] + detections.suit_xy[rows]).astype(float) / 2)


def cost_of_photo(photo: Photo) -> tuple[float, bool]:
    """Nats that the cards of a photo cost, and whether all are right."""
    table, detections = photo.see()
    at = [photo.rows_of(card, detections) for card in table.cards]
    return cost_of_cards(table.cards, at, photo.truth.cards, photo.truth.clear)


def cost_of_table(photos: Sequence[Photo]) -> tuple[float, bool]:
    """The same of several photos of one table, joined."""
    seen = [photo.see() for photo in photos]
    joined = join([table for table, _ in seen])
    at = [
        set[int]().union(
            *(photos[k].rows_of(seen[k][0].cards[row], seen[k][1]) for k, row in sights),
        )
        for sights in joined.sights
    ]
    clear = frozenset[int]().union(*(photo.truth.clear for photo in photos))
    return cost_of_cards(joined.table.cards, at, photos[0].truth.cards, clear)


def cost_of_cards(
    found: Sequence[SeenCard], at: Sequence[Collection[int]], truth: Sequence[Card | None], clear: Collection[int]
) -> tuple[float, bool]:
    """Nats that true cards cost by what is believed of those that were found, and whether all are right.

    Each true card is one of those found at most, and the reverse, the likeliest pairs first.

    Args:
        found: The cards found.
        at: For each of them the rows of the truth that lie there.
        truth: The true cards by their rows.
        clear: The rows that can be read.
    """
    pairs = [(card.is_card * chance_of(card, truth[row]), k, row) for k, card in enumerate(found) for row in at[k]]
    taken: dict[int, int] = {}  # by card, the row of the truth
    cost = 0.0
    for chance, k, row in sorted(pairs, reverse=True):
        if row in clear and k not in taken and row not in taken.values():
            taken[k] = row
            cost += _nats(chance)
    missing = len(clear) - len(taken)
    extra = [
        card
        for k, card in enumerate(found)
        if k not in taken and card.best not in {truth[row] for row in at[k] if row not in clear}
    ]
    cost += missing * _nats(0.0) + sum(_nats(1 - card.is_card) for card in extra)
    right = not missing and not extra and all(found[k].best == truth[row] for k, row in taken.items())
    return cost, right


def chance_of(card: SeenCard, true: Card | None) -> float:
    """The probability that a card is this one, as readings give it."""
    if true is None:
        return 0.0
    confidence, others = card.belief()
    listed = dict(others) | {card.best: confidence}
    return listed.get(true, float(np.exp(card.log_card[true.index])))


def _nats(chance: float) -> float:
    return -float(np.log(max(chance, LEAST_CHANCE)))
