"""What is seen of a table as the layout network takes it: one row of numbers a card or back.

Places are in card widths in the table's own frame: x to the right and y down as the photo shows it, turned so that most
cards stand square. So the network sees the same table whatever the camera's distance, tilt or small turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, across
from vision.cards.seen_table import SeenTable
from vision.layout.neighbours import up_of
from vision.networks.back_counter import MOST

Floats = NDArray[np.float32]

WIDTH: Final = 40
"""Numbers in a row."""
FAR: Final = 3.0
"""The photo's edge tells nothing where it is farther away, card widths."""
MOST_TOKENS: Final = 160
"""Of a photo with more cards and backs the surest are taken."""


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """Cards and backs of a table, faces first.

    Attributes:
        xy: (n, 2) middles, card widths.
        down: (n, 2) unit vectors from top to bottom.
        is_face: (n,) 1 for a face-up card.
        visible: (n,) share of a back's height that is seen; 1 for faces.
        sure: (n,) probability that there is a card.
        indices: (n,) indices found of it.
        layer: (n,) a card lies on those of lower layers that it overlaps; backs are -1.
        edge: (n,) way to the photo's edge, card widths.
        rank: (n, 13) probabilities, 0 for backs.
        suit: (n, 4) the same.
        aspect: A card's height in its width.
        hides: (n, 7) probabilities of how many cards lie face down above it, as the photo's strip shows; 0 where
            nothing was counted.
    """

    xy: Array
    down: Array
    is_face: Array
    visible: Array
    sure: Array
    indices: Array
    layer: Array
    edge: Array
    rank: Array
    suit: Array
    aspect: float
    hides: Array

    def turned(self, quarters: int) -> Tokens:
        """The table in a frame that is turned back by so many quarters."""
        cos, sin = round(np.cos(quarters * np.pi / 2)), round(np.sin(quarters * np.pi / 2))
        back = np.array([[cos, -sin], [sin, cos]], float)
        return replace(self, xy=self.xy @ back, down=self.down @ back)

    def rows(self) -> Floats:
        """(n, WIDTH) as the network takes them."""
        n = len(self.xy)
        low, high = (self.xy.min(0), self.xy.max(0)) if n else (np.zeros(2), np.zeros(2))
        extent = np.maximum(high - low, 1e-3)
        parts = [
            self.xy - (low + high) / 2,
            self.down,
            self.is_face[:, None],
            self.visible[:, None],
            self.sure[:, None],
            self.indices[:, None] / 4,
            self.layer[:, None] / 50,
            np.full((n, 1), self.aspect - 1.4),
            np.minimum(self.edge, FAR)[:, None] / FAR,
            self.rank,
            self.suit,
            self.hides,
            (self.hides.sum(1, keepdims=True) > 0.5).astype(float),
            (self.xy - low) / np.maximum(extent, 1.0) - 0.5,
            np.broadcast_to(extent / 8, (n, 2)),
        ]
        return np.concatenate(parts, axis=1).astype(np.float32)


def frame(table: SeenTable) -> Array:
    """(2, 2) the table's own axes in the plane, right and down, per card width."""
    down = -up_of(table)
    return np.stack([across(down), down]) / table.template.width


def tokens_of(table: SeenTable, hides: Array | None = None) -> Tokens:
    """The tokens of what is seen: cards in their order, then backs.

    Args:
        table: What is seen.
        hides: (cards, MOST + 1) probabilities of the number of cards face down above each; rows of 0 where unknown.
    """
    axes, width = frame(table), table.template.width
    cards, backs = table.cards, table.backs
    n, m = len(cards), len(backs)
    chance = np.exp(table.log_card).reshape(-1, 4, 13)
    known = np.zeros((n, MOST + 1)) if hides is None else hides
    return Tokens(
        _of_all(table, "centre", 2) @ axes.T,
        _of_all(table, "down", 2) @ axes.T * width,
        np.r_[np.ones(n), np.zeros(m)],
        np.r_[np.ones(n), [b.visible for b in backs]],
        np.r_[[c.is_card for c in cards], [b.confidence for b in backs]],
        np.r_[[float(len(c.indices)) for c in cards], np.zeros(m)],
        np.r_[[float(c.layer) for c in cards], np.full(m, -1.0)],
        _edge_distances(table),
        np.concatenate([chance.sum(1), np.zeros((m, 13))]),
        np.concatenate([chance.sum(2), np.zeros((m, 4))]),
        table.template.height / width,
        np.concatenate([known, np.zeros((m, MOST + 1))]),
    )


def _of_all(table: SeenTable, name: str, *shape: int) -> Array:
    """(n, *shape) one attribute of all cards and backs."""
    return np.array([getattr(seen, name) for seen in (*table.cards, *table.backs)], float).reshape(-1, *shape)


def _edge_distances(table: SeenTable) -> Array:
    """(n,) way from the middle of each card and back to the photo's edge, card widths."""
    quads = _of_all(table, "quad", 4, 2)
    if not len(quads):
        return np.zeros(0)
    middle = quads.mean(1)
    px = np.maximum(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1), 1.0)
    return np.asarray(np.maximum(np.minimum(middle, np.array(table.size) - middle).min(1) / px, 0.0))
