"""Which findings show the same ink: of those only the surest one counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.tuning import TUNING
from vision.cards.geometry import Array, unit


def find_single(rank: Array, suit: Array, boxes: Array, confidence: Array, log_card: Array) -> NDArray[np.bool_]:
    """Which findings are the surest ones at their places: of two that show the same ink, the surer one.

    Args:
        rank: (n, 2) middles of the ranks, px of the photo.
        suit: (n, 2) middles of the suits.
        boxes: (n, 4) x1, y1, x2, y2.
        confidence: (n,) how sure each finding is, 0 to 1.
        log_card: (n, 52) log-probabilities of what each is.
    """
    best = log_card.argmax(1)
    length = np.linalg.norm(suit - rank, axis=1)
    apart = np.linalg.norm(rank[:, None] - rank[None], axis=-1)
    apart = np.maximum(apart, np.linalg.norm(suit[:, None] - suit[None], axis=-1))
    apart = apart / np.maximum(np.minimum(length[:, None], length[None]), 1e-6)
    much_weaker = np.minimum(confidence[:, None], confidence[None]) < TUNING.much_weaker_share * np.maximum(
        confidence[:, None], confidence
    )
    middle = (rank + suit) / 2
    apart_middle = np.linalg.norm(middle[:, None] - middle[None], axis=-1) / (length[:, None] + length[None]) * 2
    on_top = apart_middle < TUNING.same_ink_lengths
    down = unit(suit - rank)
    way = unit(middle[:, None] - middle[None])
    aside = np.abs(down[:, None, 0] * way[..., 1] - down[:, None, 1] * way[..., 0])
    side_by_side = (aside > TUNING.beside_sine) & (down @ down.T > 0.9)
    # Two copies of a card lie side by side in a tight fan of two decks: equally sure, each with ink of its own.
    area = np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-6)
    shared = _shared_areas(boxes) / np.minimum(area[:, None], area)
    beside = side_by_side & ~much_weaker & (shared < TUNING.own_ink_shared)
    # In a still tighter fan a card's index reaches under the next one's: both are read, each as another card.
    card = np.exp(log_card)
    as_sure = np.minimum(confidence[:, None], confidence) > TUNING.other_card_share * np.maximum(
        confidence[:, None], confidence
    )
    others = side_by_side & as_sure & (apart_middle > TUNING.other_card_lengths)
    others &= card @ card.T < TUNING.other_card_chance
    near = ((apart < 0.35) | on_top) & ~others
    near |= (best[:, None] == best[None]) & (apart < np.where(much_weaker, 1.6, 1.25)) & ~beside
    # A weak finding across a strong one shows the same ink turned; in a fan neighbours point nearly the same way.
    crossed = (apart_middle < 1.0) & much_weaker & (down @ down.T < TUNING.crossed_cosine)
    near |= crossed
    single = np.ones(len(rank), bool)
    for row in np.argsort(-confidence):
        if single[row]:
            twins = near[row].copy()
            twins[row] = False
            single &= ~twins
    return single


def find_parts(boxes: Array, confidence: Array) -> NDArray[np.bool_]:
    """Which findings (n,) show ink of a much surer one, by their boxes (n, 4): a part of it, or all of it and more."""
    own = np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-6)
    much_surer = confidence[:, None] < TUNING.much_weaker_share * confidence
    smaller = np.minimum(own[:, None], own)
    return np.asarray((much_surer & (_shared_areas(boxes) > TUNING.part_share * smaller)).any(1))


def _shared_areas(boxes: Array) -> Array:
    """The area that each two of the boxes (n, 4) share, (n, n), px²."""
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    return np.asarray(np.maximum(np.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - low, 0).prod(2))
