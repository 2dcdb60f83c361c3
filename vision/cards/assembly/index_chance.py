"""How likely each finding is an index."""

from __future__ import annotations

import numpy as np

from vision.cards.assembly.tuning import TUNING
from vision.cards.geometry import Array, Plane
from vision.networks.outputs import Detections, Reads


def evidence(detections: Detections, reads: Reads, plane: Plane | None = None) -> Array:
    """What speaks for each of n detections being an index, (n, 8).

    The columns: 1; log-odds of the reader that it is an index and of the detector; how far the index's length in the
    plane is from all the others' (squared logarithm, 1 at most; 0 without a plane); log-odds of the best rank and of
    the best suit; how many doubtful and how many good findings are near (logarithm of 1 and their number). Keyboards,
    print and court art give many doubtful findings side by side, cards give good ones.
    """
    size = np.zeros(len(detections))
    if plane is not None:
        tips = [plane.from_photo(points.astype(float)) for points in (detections.rank_xy, detections.suit_xy)]
        length = np.nan_to_num(np.linalg.norm(tips[1] - tips[0], axis=1), posinf=1e3)
        size = np.minimum(np.log(np.maximum(length, 1e-3)) ** 2, 1.0)
    is_index, confidence = np.exp(reads.log_index.astype(float)), detections.confidence.astype(float)
    p = np.exp(reads.log_card.astype(float)).reshape(-1, 4, 13)
    rank, suit = p.sum(1).max(1, initial=0.0), p.sum(2).max(1, initial=0.0)
    good = is_index * rank * suit * np.sqrt(confidence) >= 0.5
    middle = (detections.rank_xy + detections.suit_xy).astype(float) / 2
    length = np.linalg.norm(detections.suit_xy - detections.rank_xy, axis=1)
    apart = np.linalg.norm(middle[:, None] - middle[None], axis=-1) / np.maximum(length, 1e-3)[:, None]
    near = (apart > TUNING.same_ink_lengths) & (apart < TUNING.neighbour_lengths)
    counts = [np.log1p((near & ~good).sum(1)), np.log1p((near & good).sum(1))]
    parts = [np.ones(len(size)), _log_odds(is_index), _log_odds(confidence), size, _log_odds(rank), _log_odds(suit)]
    return np.stack([*parts, *counts], axis=1)


def index_chance(detections: Detections, reads: Reads, plane: Plane | None = None) -> Array:
    """Probability that each detection is an index."""
    return np.asarray(1 / (1 + np.exp(-evidence(detections, reads, plane) @ np.array(TUNING.index_weights))))


def _log_odds(p: Array) -> Array:
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)))
