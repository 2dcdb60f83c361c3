"""Face-down cards: each once, with the outline of the whole card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.tuning import TUNING
from vision.cards.geometry import Array, Plane, rectangle, unit
from vision.cards.seen_table import SeenBack, SeenCard
from vision.cards.template import Template
from vision.measure.metrics import iou_matrix
from vision.networks.outputs import Backs


def place_backs(backs: Backs, plane: Plane, template: Template, cards: Sequence[SeenCard] = ()) -> tuple[SeenBack, ...]:
    """Each back once, with its whole outline. Where its two ends make no sense, its box and the cards around decide."""
    seen = []
    ends = plane.from_photo(backs.ends.astype(float))
    centres = np.array([card.centre for card in cards]).reshape(-1, 2)
    axes = _common_axes(cards)
    for row in _distinct_backs(backs, ends / template.height):
        line = ends[row, 1] - ends[row, 0]
        length, start = float(np.linalg.norm(line)), ends[row, 0]
        crooked = axes is not None and float(np.abs(axes @ line).max()) < 0.9 * length
        if length < 0.06 * template.height or crooked:
            start, line = _guess_from_box(backs.boxes[row], plane, template, axes, centres)
            length = float(np.linalg.norm(line))
        down = unit(line)
        centre = start + line / 2 if length > 0.8 * template.height else start + down * template.height / 2
        whole = _find_whole_card(backs.boxes[row], plane, template, axes, line)
        if whole is not None:  # the box says better where a back lies that nothing covers
            centre, length = plane.from_photo(backs.boxes[row].reshape(2, 2).mean(0).astype(float)), template.height
            down = whole if whole @ down >= 0 else -whole
        quad = plane.to_photo(rectangle(centre, down, template.width, template.height))
        seen.append(SeenBack(float(backs.confidence[row]), centre, down, min(length / template.height, 1.0), quad))
    return tuple(seen)


def plane_of_backs(backs: Backs) -> Plane:
    """A plane scaled so that the longest back is a usual card's height."""
    longest = float(np.linalg.norm(backs.ends[:, 1] - backs.ends[:, 0], axis=1).max())
    scale = Template().height / max(longest, 1.0)
    return Plane(np.diag([scale, scale, 1.0]))


def _find_whole_card(
    box: NDArray[np.float32], plane: Plane, template: Template, axes: Array | None, line: Array
) -> Array | None:
    """The direction in which a whole card of a back's size lies in its box, None where none does.

    Among cards that lie along common `axes` it is one of those; else the one nearest to the back's own `line`.
    """
    x1, y1, x2, y2 = (float(v) for v in box)
    middle = plane.from_photo(np.array([(x1 + x2) / 2, (y1 + y2) / 2]))
    if axes is None:
        angle = np.arctan2(line[1], line[0]) + np.linspace(-np.pi / 2, np.pi / 2, TUNING.back_tilts, endpoint=False)
        downs = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        downs = axes[:2]
    quads = plane.to_photo(
        rectangle(np.repeat(middle[None], len(downs), 0), downs, template.width, template.height).reshape(-1, 2)
    ).reshape(-1, 4, 2)
    off = np.abs(np.log(np.maximum(np.ptp(quads, axis=1), 1.0) / (max(x2 - x1, 1.0), max(y2 - y1, 1.0)))).max(1)
    fits = np.flatnonzero(off < TUNING.whole_back_log_ratio)
    if not len(fits):
        return None
    if axes is None:  # a tilt to either side fills the box alike
        close = fits[off[fits] < off[fits].min() + 0.05]
        return np.asarray(downs[close[np.abs(downs[close] @ line).argmax()]])
    return np.asarray(downs[off.argmin()])


def _distinct_backs(backs: Backs, ends: Array) -> list[int]:
    """Rows of backs that are not found twice: the surer of two whose boxes mostly cover each other.

    Strips of a slanting column cover each other too, but begin at different places (`ends`, in card heights).
    """
    sane = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 0.05
    apart = np.linalg.norm(ends[:, None, 0] - ends[None, :, 0], axis=-1) > 0.045
    order = np.argsort(-backs.confidence, kind="stable")
    overlap = iou_matrix(backs.boxes, backs.boxes)
    kept: list[int] = []
    for row in order:
        same = (overlap[row] > TUNING.same_back_iou) & ~(sane[row] & sane & apart[row])
        if not same[kept].any():
            kept.append(int(row))
    return kept


def _common_axes(cards: Sequence[SeenCard]) -> Array | None:
    """The four directions along which most cards lie, None where they lie anyhow."""
    if len(cards) < 3:
        return None
    downs = np.array([card.down for card in cards])
    fourfold = np.exp(4j * np.arctan2(downs[:, 1], downs[:, 0])).mean()
    if abs(fourfold) < 0.5:
        return None
    angles = float(np.angle(fourfold)) / 4 + np.arange(4) * np.pi / 2
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _guess_from_box(
    box: NDArray[np.float32], plane: Plane, template: Template, axes: Array | None, centres: Array
) -> tuple[Array, Array]:
    """The free end of a back and the line to where its visible part ends, from its box alone.

    The side of about a card's width lies across; a covered back's free end is the one away from the nearest card.
    """
    x1, y1, x2, y2 = (float(v) for v in box)
    corners = plane.from_photo(np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]]))
    middle = corners.mean(0)
    sides = np.array(
        [corners[1] - corners[0] + corners[2] - corners[3], corners[3] - corners[0] + corners[2] - corners[1]]
    )
    across_side, along_side = sides / 2
    if np.linalg.norm(across_side) > np.linalg.norm(along_side) > 0.85 * template.width:
        across_side, along_side = along_side, across_side  # a whole card on its side
    elif abs(np.linalg.norm(along_side) - template.width) < abs(np.linalg.norm(across_side) - template.width):
        across_side, along_side = along_side, across_side
    length = min(float(np.linalg.norm(along_side)), template.height)
    down = unit(along_side)
    if axes is not None:
        down = axes[int((axes @ down).argmax())]
    if len(centres) and length < 0.8 * template.height:
        nearest = centres[int(np.linalg.norm(centres - middle, axis=1).argmin())] - middle
        down = down if float(nearest @ down) > 0 else -down
    return middle - down * length / 2, down * length
