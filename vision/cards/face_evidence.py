"""What the faces of a table's cards say of them, weighed with what their indices say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly import SeenTable
from vision.cards.geometry import Array, gaps
from vision.networks.card_face import FaceReader, Image, cut_faces

RANKS: Final = 13
ACE: Final = slice(1)
COURT: Final = slice(10, RANKS)


@dataclass(frozen=True, slots=True)
class FaceTuning:
    """How much faces count.

    Attributes:
        least_overlap_index_lengths: A card lies on another where they overlap by more.
        most_trusted_probability: A face says what it shows at most this surely: the card may lie elsewhere, or be
            another deck's.
        disputed_probability: Where an index is so sure of a court card and the face of an ace, the card is in doubt.
        face_weight: Of what faces say beside indices. On validation scenes `python tests/bench/face_weight.py` prints
            nearly the same log loss from here to 1; the less sure end is taken.
    """

    least_overlap_index_lengths: float = 0.05
    most_trusted_probability: float = 0.98
    disputed_probability: float = 0.95
    face_weight: float = 0.7


TUNING: Final = FaceTuning()


def with_faces(table: SeenTable, image: Image) -> SeenTable:
    """The table with its cards' identities weighed anew.

    Args:
        table: Cards assembled from indices.
        image: uint8 RGB (H, W, 3), its photo.
    """
    if not table.cards:
        return table
    log = _weigh(table.log_card, faces_of(table, image))
    return replace(table, cards=tuple(replace(card, log_card=own) for card, own in zip(table.cards, log, strict=True)))


def _weigh(index: Array, face: Array) -> Array:
    """(cards, 52) log-probabilities by what indices (log-probabilities) and faces (log-ratios) say together.

    Where an index is sure of a court card and the face of an ace, as where E or another letter that other decks have
    for a jack stands on one, their product would believe the surer one. Either may be right, so a person is asked.
    """
    log = index + TUNING.face_weight * face
    log -= np.logaddexp.reduce(log, axis=1)[:, None]
    seen = face - np.logaddexp.reduce(face, axis=1)[:, None]
    disputed = np.minimum(_chance_of(COURT, index), _chance_of(ACE, seen)) >= TUNING.disputed_probability
    return np.where(disputed[:, None], np.logaddexp(index, seen) - np.log(2), log)


def _chance_of(ranks: slice, log: Array) -> Array:
    """(cards,) probability of these ranks, whatever the suit."""
    return np.asarray(np.exp(log).reshape(-1, 4, RANKS)[..., ranks].sum((1, 2)))


def faces_of(table: SeenTable, image: Image) -> Array:
    """(cards, 52) log-ratio of each identity to what no face told, as each card's face says."""
    cards = table.cards
    quads = np.array([card.quad for card in cards])
    reads = _reader().read(cut_faces(image, quads, [quads[on] for on in _covers(table)]))
    face = TUNING.most_trusted_probability * np.exp(reads.log_index.astype(float))[:, None]
    return np.asarray(np.log(face * 52 * np.exp(reads.log_card.astype(float)) + 1 - face))


def _covers(table: SeenTable) -> list[NDArray[np.intp]]:
    """For each card the rows of the cards that lie on it."""
    layer = np.array([card.layer for card in table.cards])
    on = (gaps(table.outlines) < -TUNING.least_overlap_index_lengths) & (layer[None] > layer[:, None])
    return [np.flatnonzero(row) for row in on]


@lru_cache(maxsize=1)
def _reader() -> FaceReader:
    return FaceReader()
