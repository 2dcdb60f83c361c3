"""The picture of a whole table, put together from the frames of a film."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.cards.geometry import Array, project
from vision.cards.joining.joined import Joined
from vision.cards.seen_table import SeenTable
from vision.image import RGB, load

LONGEST_SIDE_PX: Final = 3200
"""Of the picture."""
GROUND: Final = 40
"""Brightness of what no frame shows."""


def draw_mosaic(
    pictures: Sequence[bytes], tables: Sequence[SeenTable], joined: Joined
) -> tuple[RGB, list[Array | None]]:
    """The whole table from straight above. Each place is taken from the frame that has it farthest from its border.

    Args:
        pictures: The frames as picture files, which may be made smaller; one is decoded at a time.
        tables: What each of them shows.
        joined: How they lie.

    Returns:
        uint8 (height, width, 3), red first, and for each frame the 3x3 homography from its pixels to those of the
        picture; None where it does not join.
    """
    size, fit = _fit_picture(tables, joined)
    whole = np.full((size[1], size[0], 3), GROUND, np.uint8)
    best = np.zeros((size[1], size[0]), np.uint8)
    to_picture = [None if to_map is None else fit @ to_map for to_map in joined.to_map]
    for data, table, matrix in zip(pictures, tables, to_picture, strict=True):
        if matrix is not None:
            _paint(whole, best, load(data), table.size, matrix)
    return whole, to_picture


def _fit_picture(tables: Sequence[SeenTable], joined: Joined) -> tuple[tuple[int, int], Array]:
    """The picture's size, and the 3x3 matrix from the map to it. A single photo is its own map."""
    width, height = joined.table.size
    scale = min(1.0, LONGEST_SIDE_PX / max(width, height))
    return (max(1, round(scale * width)), max(1, round(scale * height))), np.diag([scale, scale, 1.0])


def _paint(whole: RGB, best: RGB, image: RGB, size: tuple[int, int], matrix: Array) -> None:
    """Lays a frame on the picture where it shows a place better than those before it."""
    corners = project(matrix, np.array([[0.0, 0], [size[0], 0], size, [0, size[1]]]))
    low = np.clip(np.floor(corners.min(0)).astype(int), 0, None)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 1, whole.shape[1::-1])
    if (high <= low).any():
        return
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    grow = np.diag([size[0] / image.shape[1], size[1] / image.shape[0], 1.0])
    shifted = np.array([[1.0, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ matrix @ grow
    room = (int(high[0] - low[0]), int(high[1] - low[1]))
    across, down = ((1 + 254 * (1 - np.abs(np.linspace(-1, 1, side)))).astype(np.uint8) for side in image.shape[1::-1])
    inner = np.minimum(across[None], down[:, None])  # small whole numbers: a frame of 4K has 8 million of them
    weight = cv2.warpPerspective(inner, shifted, room)
    warped = cv2.warpPerspective(image, shifted, room, flags=cv2.INTER_AREA)
    better = weight > best[part]
    np.copyto(whole[part], warped, where=better[..., None])
    np.copyto(best[part], weight, where=better)
