"""Is what is seen of a photo enough for a position? If not, why, and what would help.

A position that misses half of the table is worse than none. So this module counts what is clearly there but was not
read: card-sized outlines in which no card was found, and indices that the reader could not read. Then it looks at how
sure the rest is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.face_paper import blank_colour, stand_on_paper
from vision.cards.geometry import Array, inside, rectangle
from vision.cards.seen_table import SeenTable
from vision.image import shrunk
from vision.networks.outputs import Detections
from vision.reading import Readable

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PhotoQualityTuning:
    """When a photo is good enough.

    Attributes:
        outline_picture_px: Longer side of the picture in which outlines are looked for: cards are large in it, print is
            not.
        paper_brightness_levels: Brightnesses at which paper is told from the table.
        least_outline_area_share: Smallest share of the picture that an outline is looked at for.
        card_aspects: Longer to shorter side of a card as it may look in a photo taken aslant.
        most_area_factor: An outline whose area differs by a larger factor from a card's is none.
        least_filled_share: Share of its quadrilateral that an outline fills at least.
        unreadable_index_px: From rank to suit; a smaller index cannot be read, whatever the light.
        card_index_lengths: A card is about so many ways from its rank to its suit long.
        dark_paper_brightness: A photo is too dark where the median brightness of its paper is lower.
        most_unread_share: A larger share of cards that are there but unread leaves no position.
        fewest_unread_cards: Fewer unread cards never prevent a position.
        most_doubtful_share: With a larger share of doubtful cards nothing is announced.
        missed_index_confidence: A finding that the detector is so sure of and the reader made nothing of is an unread
            index.
        sharp_blur: An edge of a sharp photo is no wider than this, in ways from rank to suit.
        blur_doubt: How much less sure a card may be for each such way that edges are wider.
        fewest_edges: With fewer indices nothing tells how wide edges are.
        least_contrast: Indices with fewer levels between ink and paper tell nothing either.
    """

    outline_picture_px: int = 640
    paper_brightness_levels: tuple[int, ...] = (90, 120, 150, 180, 210)
    least_outline_area_share: float = 0.0006
    card_aspects: tuple[float, float] = (1.2, 1.8)
    most_area_factor: float = 1.6
    least_filled_share: float = 0.92
    unreadable_index_px: float = 4.5
    card_index_lengths: float = 10.0
    dark_paper_brightness: float = 45.0
    most_unread_share: float = 0.2
    fewest_unread_cards: int = 2
    most_doubtful_share: float = 0.5
    missed_index_confidence: float = 0.5
    sharp_blur: float = 0.3
    blur_doubt: float = 0.3
    fewest_edges: int = 4
    least_contrast: float = 15.0


TUNING: Final = PhotoQualityTuning()


def assess(table: SeenTable, detections: Detections, confidences: Sequence[float], image: Image | None) -> Readable:
    """Says whether a photo is readable.

    Args:
        table: What is seen.
        detections: The findings whose rows the table's cards name.
        confidences: Of the cards as read, 0 to 1.
        image: The photo, uint8 RGB (H, W, 3); without it only the findings speak.
    """
    if reason := _too_few_pixels(table):
        return Readable(False, (reason,))
    reasons = [*_missing(table, detections, image), *_guessed(table, confidences), *_too_small(table, detections)]
    if (
        image is not None
        and table.cards
        and reasons
        and (bright := _paper_brightness(image, table)) < TUNING.dark_paper_brightness
    ):
        reasons.append(f"the photo is dark (its paper has {bright:.0f} of 255): more light would help")
    return Readable(not reasons, tuple(reasons))


def assess_nothing(table: SeenTable) -> Readable:
    """Says whether a photo in which no game was looked for, as it shows no card, could have shown one."""
    reason = _too_few_pixels(table)
    return Readable() if reason is None else Readable(False, (reason,))


def _too_few_pixels(table: SeenTable) -> str | None:
    """Why a photo without a card could show none: one that can be read is longer than it; None if it could."""
    width, height = table.size
    if table.cards or max(width, height) >= TUNING.card_index_lengths * TUNING.unreadable_index_px:
        return None
    return f"the photo has only {width} x {height} px, and no card can be read in so few: send it in full size"


def _missing(table: SeenTable, detections: Detections, image: Image | None) -> list[str]:
    """Why too much was there that could not be read; empty if it was not."""
    seen = len(table.cards)
    unread, where = (0, "") if image is None else _unread(image, table)
    if unread >= TUNING.fewest_unread_cards and unread > TUNING.most_unread_share * (seen + unread):
        return [
            f"only {seen} of about {seen + unread} cards could be read; unread ones lie {where}: "
            "take the photo from nearer and straight above, with even light"
        ]
    missed = _missed_indices(table, detections, image)
    if missed >= 2 * TUNING.fewest_unread_cards and missed > max(seen, 1):
        unknown = "the deck may have corners of a kind that is not known, or the photo is not sharp"
        if not seen:
            return [f"no card was seen: there may be none, {unknown}"]
        cards = "card" if seen == 1 else "cards"
        return [
            f"only {seen} {cards} could be read, and {missed} marks that look like a card's corner could not: {unknown}"
        ]
    return []


def _guessed(table: SeenTable, confidences: Sequence[float]) -> list[str]:
    """Why too many cards are hardly more than guessed; empty if they are not."""
    seen, doubtful = len(table.cards), sum(confidence < 0.5 for confidence in confidences)
    if not seen or doubtful <= TUNING.most_doubtful_share * seen:
        return []
    return [f"{doubtful} of {seen} cards are hardly more than guessed: a sharper or brighter photo would help"]


def _too_small(table: SeenTable, detections: Detections) -> list[str]:
    """Why the indices are too small to be read; empty if they are not."""
    length = index_length(table, detections)
    if length is None or length >= TUNING.unreadable_index_px:
        return []
    needed = f"{length_text(length)} from a rank to its suit, {TUNING.unreadable_index_px:g} px are needed"
    return [f"the cards are too small in the photo ({needed}): send it in full size, or take it from nearer"]


def surest_read(table: SeenTable, detections: Detections, image: Image) -> float:
    """How sure a card of a photo may be at most; 1 for a sharp one.

    What a moved camera blurs is misread with more certainty than the reader says: clubs and spades look alike then.
    """
    rows = [row for card in table.cards for row in card.indices]
    lengths = np.linalg.norm(detections.suit_xy[rows] - detections.rank_xy[rows], axis=1)
    widths = [
        found
        for box, length in zip(detections.boxes[rows], lengths.tolist(), strict=True)
        if (found := _edge_widths(image, box, length)) is not None
    ]
    if len(widths) < TUNING.fewest_edges:
        return 1.0
    blur = float(np.median(widths, axis=0).max())  # along the way that the camera moved
    return 1.0 - TUNING.blur_doubt * max(0.0, blur - TUNING.sharp_blur)


def _edge_widths(image: Image, box: NDArray[np.float32], length: float) -> list[float] | None:
    """How wide the sharpest edges of an index are along four ways, in its lengths; None where nothing tells."""
    margin = 0.15 * length
    left, top = np.maximum(box[:2] - margin, 0).astype(int).tolist()
    right, bottom = (box[2:] + margin).astype(int).tolist()
    part = image[top : bottom + 1, left : right + 1].min(2, initial=255).astype(np.float32)
    if min(part.shape) < 4:
        return None
    dark, light = _ranked(part, 0.03), _ranked(part, 0.97)
    if light - dark < TUNING.least_contrast:
        return None
    steps = (
        np.diff(part, axis=1),
        np.diff(part, axis=0),
        (part[1:, 1:] - part[:-1, :-1]) / np.sqrt(2),
        (part[1:, :-1] - part[:-1, 1:]) / np.sqrt(2),
    )
    steep = [max(_ranked(np.abs(step), 0.98), 1e-3) for step in steps]
    return [(light - dark) / most / length for most in steep]


def _ranked(values: NDArray[np.float32], share: float) -> float:
    """The value that about this share of the others stay below; a fraction of the time that a percentile takes."""
    rank = int(share * (values.size - 1))
    return float(np.partition(values, rank, axis=None)[rank])


def index_length(table: SeenTable, detections: Detections) -> float | None:
    """Median way from rank to suit, px; None without cards."""
    rows = [row for card in table.cards for row in card.indices]
    if not rows:
        return None
    return float(np.median(np.linalg.norm(detections.suit_xy[rows] - detections.rank_xy[rows], axis=1)))


def length_text(length: float) -> str:
    """A length that is too small, px, as printed: never rounded up to what is wanted.

    >>> length_text(4.46), length_text(8.999)
    ('4.4 px', '8.9 px')
    """
    return f"{math.floor(10 * length) / 10:g} px"


def _missed_indices(table: SeenTable, detections: Detections, image: Image | None) -> int:
    """How many findings on paper the detector is sure of that became no card."""
    rows = np.array(table.rejected, np.intp)
    rows = rows[detections.confidence[rows] >= TUNING.missed_index_confidence]
    return len(rows) if image is None else int(stand_on_paper(table, detections, rows, image).sum())


def _paper_brightness(image: Image, table: SeenTable) -> float:
    middles = np.array([card.quad.mean(0) for card in table.cards]).round().astype(int)
    middles = middles.clip(0, np.array(table.size) - 1)
    return float(np.percentile(image[middles[:, 1], middles[:, 0]].mean(1), 75))


def _unread(image: Image, table: SeenTable) -> tuple[int, str]:
    """How many card outlines hold no card that was seen, and where they lie."""
    scale = min(1.0, TUNING.outline_picture_px / max(image.shape[:2]))
    width, height = (round(side * scale) for side in image.shape[1::-1])
    quads = card_outlines(shrunk(image, (width, height)) if scale < 1 else image) / scale
    if not len(quads):
        return 0, ""
    middles = quads.mean(1)
    known = [card.quad for card in table.cards] + [back.quad for back in table.backs]
    if known:
        taken = inside(np.array(known)[:, None], middles, 0.0).reshape(len(known), len(middles)).any(0)
        taken |= inside(quads[:, None], np.mean(known, axis=1), 0.0).reshape(len(quads), len(known)).any(1)
        if table.cards:
            area, size = _areas(quads), _card_areas(table, middles)
            taken |= np.abs(np.log(np.maximum(area, 1.0) / np.maximum(size, 1.0))) > np.log(TUNING.most_area_factor)
        quads = quads[~taken]
    # people mark the foundations' places with blank sheets
    quads = np.array([quad for quad in quads if blank_colour(image, quad) is None]).reshape(-1, 4, 2)
    if len(table.cards) < 2 and len(quads):  # nothing tells a card's size but that cards are all alike
        area = np.log(_areas(quads))
        alike = np.abs(area[:, None] - area[None]) < np.log(TUNING.most_area_factor)
        quads = quads[alike[alike.sum(1).argmax()]]
    return len(quads), _where(quads.mean(1), table.size) if len(quads) else ""


def _areas(quads: Array) -> Array:
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray(0.5 * np.abs((x * np.roll(y, -1, -1) - y * np.roll(x, -1, -1)).sum(-1)))


def _card_areas(table: SeenTable, middles: Array) -> Array:
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
    least = TUNING.least_outline_area_share * grey.size
    found: list[Array] = []
    for level in TUNING.paper_brightness_levels:
        mask = cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)[1]
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            area = cv2.contourArea(contour)
            if not least < area < grey.size / 4:
                continue
            hull = cv2.convexHull(contour)
            quad = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)[:, 0].astype(float)
            if (
                len(quad) != 4
                or area < TUNING.least_filled_share * cv2.contourArea(hull)
                or area < 0.85 * cv2.contourArea(quad.astype(np.float32))
            ):
                continue
            sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
            long, short = max(sides[0] + sides[2], sides[1] + sides[3]), min(sides[0] + sides[2], sides[1] + sides[3])
            if TUNING.card_aspects[0] < long / max(short, 1e-6) < TUNING.card_aspects[1]:
                found.append(quad)
    quads = np.array(found).reshape(-1, 4, 2)
    middles, radii = quads.mean(1), 0.3 * np.sqrt(_areas(quads))
    kept: list[int] = []
    for row in range(len(quads)):  # one outline is found at several brightnesses
        if (np.linalg.norm(middles[kept] - middles[row], axis=1) > radii[row]).all():
            kept.append(row)
    return np.asarray(quads[kept])
