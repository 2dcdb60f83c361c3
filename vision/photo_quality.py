"""Is what is seen of a photo enough for a position? If not, why, and what would help.

A position that misses half of the table is worse than none. So this module counts what is clearly there but was not
read: card-sized outlines in which no card was found, and indices that the reader could not read. Then it looks at how
sure the rest is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly import Table
from vision.cards.geometry import Array, inside, rectangle
from vision.networks.outputs import Detections
from vision.reading import Readable

Image = NDArray[np.uint8]

SIDE: Final = 800
"""Outlines are looked for in a picture of this longer side, px: cards are large in it, print is not."""
LEVELS: Final = (90, 120, 150, 180, 210)
"""Brightnesses at which paper is told from the table."""
LEAST_AREA: Final = 0.0006
"""Smallest share of the picture that an outline is looked at for."""
ASPECTS: Final = (1.2, 1.8)
"""Longer to shorter side of a card as it may look in a photo taken aslant."""
AREA_RATIO: Final = 1.6
"""Outlines whose area differs by more than this factor from a card's there are none."""
SOLID: Final = 0.92
"""Share of its quadrilateral that an outline fills at least."""
SMALL: Final = 4.5
"""Pixels from rank to suit below which an index cannot be read, whatever the light."""
DARK: Final = 45.0
"""Median brightness of the paper below which a photo is too dark."""
UNREAD_SHARE: Final = 0.2
"""A larger share of cards that are there but unread leaves no position..."""
UNREAD: Final = 2
"""...where they are at least so many."""
DOUBTFUL_SHARE: Final = 0.5
"""With a larger share of doubtful cards nothing is said."""
MISSED_INDEX: Final = 0.5
"""A finding this sure of the detector's, that the reader made nothing of, is an unread index."""


def assess(table: Table, detections: Detections, confidences: Sequence[float], image: Image | None) -> Readable:
    """Says whether a photo is readable.

    Args:
        table: What is seen.
        detections: The findings whose rows the table's cards name.
        confidences: Of the cards as read, 0 to 1.
        image: The photo, uint8 RGB (H, W, 3); without it only the findings speak.
    """
    reasons = [*_missing(table, detections, image), *_guessed(table, confidences), *_too_small(table, detections)]
    if image is not None and table.cards and reasons and (bright := _paper_brightness(image, table)) < DARK:
        reasons.append(f"the photo is dark (its paper has {bright:.0f} of 255): more light would help")
    return Readable(not reasons, tuple(reasons))


def _missing(table: Table, detections: Detections, image: Image | None) -> list[str]:
    """Whether too much was there that could not be read."""
    seen = len(table.cards)
    unread, where = (0, "") if image is None else _unread(image, table)
    if unread >= UNREAD and unread > UNREAD_SHARE * (seen + unread):
        return [
            f"only {seen} of about {seen + unread} cards could be read; unread ones lie {where}: "
            "take the photo from nearer and straight above, with even light"
        ]
    missed = _missed_indices(table, detections)
    if missed >= 2 * UNREAD and missed > max(seen, 1):
        return [
            f"only {seen} cards could be read, and {missed} marks that look like a card's corner could not: "
            "the deck may have corners of a kind that is not known, or the photo is not sharp"
        ]
    return []


def _guessed(table: Table, confidences: Sequence[float]) -> list[str]:
    """Whether too many cards are hardly more than guessed."""
    seen, doubtful = len(table.cards), sum(confidence < 0.5 for confidence in confidences)
    if not seen or doubtful <= DOUBTFUL_SHARE * seen:
        return []
    return [f"{doubtful} of {seen} cards are hardly more than guessed: a sharper or brighter photo would help"]


def _too_small(table: Table, detections: Detections) -> list[str]:
    """Whether the indices are too small to be read."""
    length = index_length(table, detections)
    if length is None or length >= SMALL:
        return []
    return [
        f"the cards are too small in the photo ({length:.0f} px from a rank to its suit, {SMALL:.0f} are needed): "
        "send it in full size, or take it from nearer"
    ]


def index_length(table: Table, detections: Detections) -> float | None:
    """Median way from rank to suit, px; None without cards."""
    rows = [row for card in table.cards for row in card.indices]
    if not rows:
        return None
    return float(np.median(np.linalg.norm(detections.suit_xy[rows] - detections.rank_xy[rows], axis=1)))


def _missed_indices(table: Table, detections: Detections) -> int:
    """How many findings the detector is sure of, but no card came of."""
    rows = np.array(table.rejected, np.intp)
    return int((detections.confidence[rows] >= MISSED_INDEX).sum()) if len(rows) else 0


def _paper_brightness(image: Image, table: Table) -> float:
    middles = np.array([card.quad.mean(0) for card in table.cards]).round().astype(int)
    middles = middles.clip(0, np.array(table.size) - 1)
    return float(np.percentile(image[middles[:, 1], middles[:, 0]].mean(1), 75))


def _unread(image: Image, table: Table) -> tuple[int, str]:
    """How many card outlines hold no card that was seen, and where they lie."""
    scale = min(1.0, SIDE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    quads = card_outlines(np.asarray(small, np.uint8)) / scale
    if not len(quads):
        return 0, ""
    middles = quads.mean(1)
    known = [card.quad for card in table.cards] + [back.quad for back in table.backs]
    if known:
        taken = inside(np.array(known)[:, None], middles, 0.0).reshape(len(known), len(middles)).any(0)
        taken |= inside(quads[:, None], np.mean(known, axis=1), 0.0).reshape(len(quads), len(known)).any(1)
        if table.cards:
            area, size = _areas(quads), _card_areas(table, middles)
            taken |= np.abs(np.log(np.maximum(area, 1.0) / np.maximum(size, 1.0))) > np.log(AREA_RATIO)
        quads, middles = quads[~taken], middles[~taken]
    if len(table.cards) < 2 and len(quads):  # nothing tells a card's size but that cards are all alike
        area = np.log(_areas(quads))
        alike = np.abs(area[:, None] - area[None]) < np.log(AREA_RATIO)
        quads = quads[alike[alike.sum(1).argmax()]]
        middles = quads.mean(1)
    return len(quads), _where(middles, table.size) if len(quads) else ""


def _areas(quads: Array) -> Array:
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray(0.5 * np.abs((x * np.roll(y, -1, -1) - y * np.roll(x, -1, -1)).sum(-1)))


def _card_areas(table: Table, middles: Array) -> Array:
    """(n,) areas of cards of this deck that lie at those places of the photo, px^2."""
    centres = table.plane.from_photo(middles)
    upright = np.broadcast_to([0.0, 1.0], centres.shape)
    quads = rectangle(centres, upright, table.template.width, table.template.height)
    return _areas(table.plane.to_photo(quads.reshape(-1, 2)).reshape(-1, 4, 2))


def _where(points: Array, size: tuple[int, int]) -> str:
    """The part of the photo in which most points lie, in words."""
    x, y = np.median(points, axis=0) / np.array(size)
    column = "left" if x < 0.36 else "right" if x > 0.64 else ""
    row = "at the top" if y < 0.36 else "at the bottom" if y > 0.64 else ""
    spread = np.ptp(points, axis=0) / np.array(size)
    if (spread > 0.6).any() or not (row or column):
        return "all over the photo" if (spread > 0.6).any() else "in the middle"
    return f"{row} {column}".strip() if row else f"at the {column}"


def card_outlines(image: Image) -> Array:
    """(n, 4, 2) outlines that look like single cards lying free: bright, four-sided, of a card's proportions, px.

    Args:
        image: uint8 RGB (H, W, 3).
    """
    red, green, blue = cv2.split(image)
    grey = cv2.GaussianBlur(cv2.min(cv2.min(red, green), blue), (3, 3), 0)  # what is coloured is dark in one of them
    least = LEAST_AREA * grey.size
    found: list[Array] = []
    for level in LEVELS:
        mask = cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)[1]
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            area = cv2.contourArea(contour)
            if not least < area < grey.size / 4:
                continue
            hull = cv2.convexHull(contour)
            quad = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)[:, 0].astype(float)
            if len(quad) != 4 or area < SOLID * cv2.contourArea(hull) or area < 0.85 * _areas(quad[None])[0]:
                continue
            sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
            long, short = max(sides[0] + sides[2], sides[1] + sides[3]), min(sides[0] + sides[2], sides[1] + sides[3])
            if ASPECTS[0] < long / max(short, 1e-6) < ASPECTS[1]:
                found.append(quad)
    quads = np.array(found).reshape(-1, 4, 2)
    middles, radii = quads.mean(1), 0.3 * np.sqrt(_areas(quads))
    kept: list[int] = []
    for row in range(len(quads)):  # one outline is found at several brightnesses
        if (np.linalg.norm(middles[kept] - middles[row], axis=1) > radii[row]).all():
            kept.append(row)
    return np.asarray(quads[kept])
