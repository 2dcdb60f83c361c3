"""Indices that lie at a slant in a photo are read a second time, as they look from straight above.

    reads = read_from_above(Reader(), image, detections, reads)

A photo taken from the side shows an index flat and slanted, and the reader has seen most from above. The indices that
were read surely tell how the table lies; then each is cut out as if the camera were above it. Both reads count alike:
where the table is no plane, as with a hand that somebody holds, the second one may be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cards.assembly import TUNING as ASSEMBLY
from vision.cards.assembly import weigh_indices
from vision.cards.black_suits import weigh_black_suits
from vision.cards.geometry import Array, Plane, across, fit_plane
from vision.networks.index_reader import Image, Reader, averaged
from vision.networks.outputs import Detections, Reads


@dataclass(frozen=True, slots=True)
class TiltTuning:
    """Which indices are read a second time.

    Attributes:
        fewest_indices: With fewer sure ones nothing tells how the table lies.
        flattest: What seems flatter than this share of its length is no index on the table.
        upright: What is flattened less than to this share looks the same from above.
    """

    fewest_indices: int = 6
    flattest: float = 0.25
    upright: float = 0.9


TUNING: Final = TiltTuning()


def read_from_above(reader: Reader, image: Image, detections: Detections, reads: Reads) -> Reads:
    """What the reader makes of indices that lie at a slant, by the photo and as they look from above.

    Args:
        reader: The reader.
        image: uint8 RGB (H, W, 3), the photo.
        detections: Its n indices, from `rank_xy` to `suit_xy` is the card's down.
        reads: What was read of them.
    """
    single, chance = weigh_indices(detections, weigh_black_suits(reads))
    sure = single & (chance >= ASSEMBLY.least_index_probability)
    if sure.sum() < TUNING.fewest_indices:
        return reads
    rank, suit = detections.rank_xy.astype(float), detections.suit_xy.astype(float)
    plane = fit_plane(rank[sure], suit[sure], (image.shape[1], image.shape[0]))
    side = _side(plane, rank, suit)
    lengths = np.linalg.svd(np.stack([side, suit - rank], axis=-1), compute_uv=False)
    flat = lengths[:, 1] / np.maximum(lengths[:, 0], 1e-9)
    rows = np.flatnonzero((flat > TUNING.flattest) & (flat < TUNING.upright))
    if not len(rows):
        return reads
    again = reader.read(image, detections[rows], side[rows].astype(np.float32))
    both = averaged([reads[rows], again])
    fields = []
    for name in ("log_rank", "log_suit", "log_index"):
        field = getattr(reads, name).copy()
        field[rows] = getattr(both, name)
        fields.append(field)
    return Reads(*fields)


def _side(plane: Plane, rank: Array, suit: Array) -> Array:
    """What lies in the photo (n, 2) from left to right of a card, as long in the plane as from rank to suit."""
    start, end = plane.from_photo(rank), plane.from_photo(suit)
    middle, half = (start + end) / 2, across(end - start) / 2
    return plane.to_photo(middle + half) - plane.to_photo(middle - half)
