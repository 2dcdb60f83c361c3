"""What the faces of a table's cards say of them, weighed with what their indices say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.disputes import SURE_OPINION, mix_opinions
from vision.cards.geometry import Array, gaps
from vision.cards.seen_table import SeenCard, SeenTable
from vision.networks.card_face import FaceReader, Image, cut_faces
from vision.networks.outputs import Reads
from vision.preferences import preferences_of

RANKS: Final = 13


@dataclass(frozen=True, slots=True)
class FaceTuning:
    """How much faces count.

    Attributes:
        other_face_doubt: A face says what it shows less surely by this: the card may lie elsewhere, or be another
            deck's.
        court_doubt: The picture of a jack, queen or king tells which of the twelve it is less surely by this: each deck
            draws its own.
        face_weight: Of what faces say beside indices. On validation scenes `python tests/bench/face_weight.py` prints
            nearly the same log loss from here to 1; the less sure end is taken.
        least_overlap_index_lengths: A card lies on another where they overlap by more.
    """

    other_face_doubt: float
    court_doubt: float
    face_weight: float
    least_overlap_index_lengths: float = 0.05


TUNING: Final = FaceTuning(**preferences_of(__name__))


def with_faces(table: SeenTable, image: Image) -> SeenTable:
    """The table with its cards' identities weighed anew.

    Args:
        table: Cards assembled from indices.
        image: uint8 RGB (H, W, 3), its photo.
    """
    if not table.cards:
        return table
    cards = (_weigh(card, own) for card, own in zip(table.cards, faces_of(table, image), strict=True))
    return replace(table, cards=tuple(cards))


def _weigh(card: SeenCard, face: Array) -> SeenCard:
    """A card by what its indices and its face, log-ratios (52,), say together.

    Where each is sure of another rank or another suit, as where E or another letter that other decks have for a jack
    stands on an ace, their product would believe the surer one. Either may be right.
    """
    index = card.log_card
    rival = _rival(index, face)
    if rival is not None:
        disputed = tuple(sorted({*card.disputed, int(index.argmax()), int(rival.argmax())}))
        return replace(card, log_card=mix_opinions([index, rival]), disputed=disputed)
    log = index + TUNING.face_weight * face
    return replace(card, log_card=_normal(log))


def _rival(index: Array, face: Array) -> Array | None:
    """(52,) what a face says that is sure against the index; None where they do not disagree.

    A face that is sure of the rank may leave the suit open, and the other way round: the index says that part.
    """
    for axis in (0, 1):  # over suits, which leaves ranks, and over ranks
        own, theirs = (np.exp(_normal(log)).reshape(-1, RANKS).sum(axis) for log in (index, face))
        if own.argmax() != theirs.argmax() and min(own.max(), theirs.max()) >= SURE_OPINION:
            rest = np.logaddexp.reduce(index.reshape(-1, RANKS), axis=1 - axis, keepdims=True)
            return _normal((face.reshape(-1, RANKS) + rest).ravel())
    return None


def _normal(log: Array) -> Array:
    """Logarithms whose exponentials sum to 1."""
    return np.asarray(log - np.logaddexp.reduce(log))


def faces_of(table: SeenTable, image: Image) -> Array:
    """(cards, 52) log-ratio of each identity to what no face told, as each card's face says."""
    reads = read_faces(table, image)
    face = (1 - TUNING.other_face_doubt) * np.exp(reads.log_index.astype(float))[:, None]
    chances = _doubt_courts(np.exp(reads.log_card.astype(float)), TUNING.court_doubt)
    return np.asarray(np.log(face * 52 * chances + 1 - face))


def _doubt_courts(chances: Array, doubt: float) -> Array:
    """Probabilities (n, 52) of cards, of which all jacks, queens and kings share this much between them.

    >>> chances = np.zeros((1, 52))
    >>> chances[0, [4, 11]] = 0.4, 0.6  # 5C and QC
    >>> _doubt_courts(chances, 0.1)[0, [4, 11, 12, 51]].round(3).tolist()  # KC and KS too
    [0.4, 0.545, 0.005, 0.005]
    """
    by_rank = chances.reshape(-1, 4, RANKS)
    courts = by_rank[..., RANKS - 3 :]
    shared = (1 - doubt) * courts + doubt * courts.mean(axis=(1, 2), keepdims=True)
    return np.concatenate([by_rank[..., : RANKS - 3], shared], axis=2).reshape(chances.shape)


def read_faces(table: SeenTable, image: Image) -> Reads:
    """What the network makes of each card's face."""
    quads = np.array([card.quad for card in table.cards])
    return _reader().read(cut_faces(image, quads, [quads[on] for on in _covers(table)]))


def _covers(table: SeenTable) -> list[NDArray[np.intp]]:
    """For each card the rows of the cards that lie on it."""
    layer = np.array([card.layer for card in table.cards])
    on = (gaps(table.outlines) < -TUNING.least_overlap_index_lengths) & (layer[None] > layer[:, None])
    return [np.flatnonzero(row) for row in on]


@lru_cache(maxsize=1)
def _reader() -> FaceReader:
    return FaceReader()
