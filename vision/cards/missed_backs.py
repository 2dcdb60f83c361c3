"""Backs that lie open in a photo, but that the detector did not find: pictures on backs pass for the table's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.cards.face_paper import draw_covered
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.networks.surface_map import BACK, Surfaces


@dataclass(frozen=True, slots=True)
class MissedTuning:
    """What is a back that was missed.

    Attributes:
        probability: Spots that show a back with more are one.
        near_spots: Spots so near to a card or a back that was found belong to it: outlines are not exact.
        least_area: It shows no less, in areas of a card.
    """

    probability: float = 0.5
    near_spots: int = 2
    least_area: float = 0.4


TUNING: Final = MissedTuning()


def find_missed_backs(table: SeenTable, surfaces: Surfaces) -> Array:
    """The middles (n, 2), px, of what looks like backs where no card and no back was found.

    Args:
        table: What was found.
        surfaces: What lies at each spot of the photo.
    """
    quads = [card.quad for card in table.cards] + [back.quad for back in table.backs]
    if not quads:
        return np.zeros((0, 2))
    shown = surfaces.probabilities[..., BACK] > TUNING.probability
    side = 2 * TUNING.near_spots + 1
    known = cv2.dilate(draw_covered(quads, shown.shape, surfaces.spot_px), np.ones((side, side), np.uint8))
    opened = cv2.morphologyEx((shown & (known == 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(opened)
    area = float(np.median([cv2.contourArea(quad.astype(np.float32)) for quad in quads])) / surfaces.spot_px**2
    large = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= TUNING.least_area * area]
    return (np.asarray(middles[large], np.float64).reshape(-1, 2) + 0.5) * surfaces.spot_px
