"""The paper of a deck's faces tells them from backs and from other things on a table: indices stand on it.

A back may bear suits, so that indices are read on it, and a network may take it for a face. But the faces of one deck
are printed on one paper, which the indices that were read surely show.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, inside
from vision.cards.seen_table import SeenTable
from vision.image import at_most
from vision.networks.outputs import Detections
from vision.networks.surface_map import FACE, Surfaces

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PaperTuning:
    """What is no face of the deck, and what is one that nobody read.

    Attributes:
        darkest_share: What is darker than this share of the median paper is none of the deck's faces. Of 1,254 cards
            read on rendered tables none was darker than 0.45.
        darkest_doubted_share: The same of a card that may be none: on 185 rendered tables none that was one was darker
            than 0.6, and white ornaments on dark backs are.
        surest_doubted: Cards that are likelier to be one than this are never taken for a part of a back.
        fewest_cards: With fewer cards nothing tells the paper.
        fewest_in_light: With fewer sure cards nothing tells how the light falls off.
        face_probability: Spots that show a face with more are a face; on average an unread one has `mean_probability`.
        mean_probability: As said.
        most_tinted: A face's paper differs from the others' in one channel of colour by no larger factor than this from
            how it does in another.
        areas: An unread face is no smaller and no larger, in areas of a card: what is larger is no card.
        cut_area: Where the edge of the photo cuts one off, it may be as small as this, in areas of a card.
        longest: Nor is it longer than this, in lengths of a card: a strip of bright cloth along the photo's edge is.
        blank_side_px: Longer side of what is looked at to see if it is blank: smaller specks are noise.
        blank_inside: So much of an outline is looked at: its edges are not exact, and all faces bear pips or a
            picture there.
        blank_contrast: What is blank is nowhere darker or brighter than its middle by a larger share.
        lit_out: Paper that is brighter than this may bear marks that its light swallows.
        near_spots: Spots so near to a card that was read belong to it: outlines are not exact.
        copies: There are no more cards of a face, in two decks.
        sure_back: What lies on an uncovered back found with such confidence is the print of that back.
    """

    darkest_share: float = 0.5
    darkest_doubted_share: float = 0.6
    surest_doubted: float = 0.95
    fewest_cards: int = 4
    fewest_in_light: int = 6
    face_probability: float = 0.5
    mean_probability: float = 0.65
    most_tinted: float = 1.2
    areas: tuple[float, float] = (0.3, 1.3)
    cut_area: float = 0.05
    longest: float = 1.5
    blank_side_px: int = 60
    blank_inside: float = 0.75
    blank_contrast: float = 0.05
    lit_out: float = 250.0
    near_spots: int = 2
    copies: int = 2
    sure_back: float = 0.7


TUNING: Final = PaperTuning()


def without_cards_on_backs(table: SeenTable, detections: Detections, image: Image) -> SeenTable:
    """The table without cards of which the indices hardly are some, and stand on nothing like the others' paper.

    Args:
        table: Cards assembled from indices.
        detections: The findings whose rows the table's cards name.
        image: uint8 RGB (H, W, 3), their photo.
    """
    if len(table.cards) < TUNING.fewest_cards:
        return table
    bright = np.array([_brightness(image, detections.boxes[list(card.indices)]) for card in table.cards])
    is_sure = np.array([card.is_card > TUNING.surest_doubted for card in table.cards])
    places = np.array([card.quad.mean(0) for card in table.cards])
    least = TUNING.darkest_doubted_share * _paper_at(places, bright, is_sure)
    return table.with_cards(
        [card for card, stays in zip(table.cards, is_sure | (bright >= least), strict=True) if stays]
    )


def without_prints(table: SeenTable) -> SeenTable:
    """The table without doubted cards of which the corners lie on a back, or on a card that shows two corners itself.

    They are what is printed there. A card of which one corner shows may lie half under the doubted one. Where far more
    of one face are doubted than two decks hold, none of them is a card: a tablecloth repeats its print.
    """
    table = _without_repeated(table)
    doubted = [card for card in table.cards if card.is_doubted]
    whole = [card.quad for card in table.cards if not card.is_doubted and len(card.indices) > 1]
    printed = [back.quad for back in table.backs] + whole
    if not doubted or not printed:
        return table
    prints = [
        card
        for card in doubted
        if len(card.ranks) and inside(np.array(printed)[:, None], table.plane.to_photo(card.ranks)).all(1).any()
    ]
    return table.with_cards([card for card in table.cards if card not in prints])


def _without_repeated(table: SeenTable) -> SeenTable:
    """The table without doubted cards of a face of which at least two too many are seen."""
    sure, doubted = (Counter(card.best for card in table.cards if card.is_doubted is told) for told in (False, True))
    repeated = [card for card in doubted if doubted[card] > max(0, TUNING.copies - sure[card]) + 1]
    return table.with_cards([card for card in table.cards if not (card.is_doubted and card.best in repeated)])


def without_blank_paper(table: SeenTable, detections: Detections, image: Image) -> SeenTable:
    """The table without face-down cards that are blank sheets of paper: people mark the foundations' places with such.

    Args:
        table: Cards assembled from indices.
        detections: The findings whose rows the table's cards name.
        image: uint8 RGB (H, W, 3), their photo.
    """
    colours = [blank_colour(image, back.quad) if back.visible >= 1 else None for back in table.backs]
    rows = [row for card in table.cards for row in card.indices]
    if not rows or not any(colour is not None for colour in colours):
        return table
    if any(blank_colour(image, card.quad) is not None for card in table.cards):
        return table  # the photo swallows what is printed on faces, so also what is on backs
    paper = np.median([np.median(part, axis=(0, 1)) for part in _cut(image, detections.boxes[rows])], axis=0)
    kept = [
        back
        for back, colour in zip(table.backs, colours, strict=True)
        if colour is None or not _is_paper(colour, paper)
    ]
    return replace(table, backs=tuple(kept))


def blank_colour(image: Image, quad: Array) -> Array | None:
    """The colour (3,) of what an outline (4, 2), px, shows if it is one even colour, on which nothing is printed.

    >>> sheet = np.full((90, 60, 3), 200, np.uint8)
    >>> quad = np.array([[0.0, 0.0], [60.0, 0.0], [60.0, 90.0], [0.0, 90.0]])
    >>> blank_colour(sheet, quad).tolist()
    [200.0, 200.0, 200.0]
    >>> sheet[40:50, 25:35] = 120
    >>> blank_colour(sheet, quad) is None
    True
    """
    inside = quad.mean(0) + TUNING.blank_inside * (quad - quad.mean(0))
    left, top = np.floor(inside.min(0)).astype(int).clip(0).tolist()
    right, bottom = np.ceil(inside.max(0)).astype(int).clip(0).tolist()
    part = image[top:bottom, left:right]
    if not part.size:
        return None
    small = at_most(part, TUNING.blank_side_px)
    shown = draw_covered([(inside - (left, top)) * len(small) / len(part)], small.shape[:2], 1.0) > 0
    if not shown.any():
        return None
    darkest, middle, brightest = np.quantile(small[shown].min(1), (0.005, 0.5, 0.995))
    is_even = max(brightest - middle, middle - darkest) <= TUNING.blank_contrast * middle
    return np.median(small[shown], axis=0) if is_even and middle < TUNING.lit_out else None


def stand_on_paper(table: SeenTable, detections: Detections, rows: NDArray[np.intp], image: Image) -> NDArray[np.bool_]:
    """(n,) whether findings (n,) of a photo stand on anything as bright as its cards' paper: a back's print does not.

    Args:
        table: Cards assembled from indices.
        detections: The findings whose rows the table's cards name.
        rows: Numbers of findings.
        image: uint8 RGB (H, W, 3), their photo.
    """
    if len(table.cards) < TUNING.fewest_cards:
        return np.ones(len(rows), bool)
    paper = np.median([_brightness(image, detections.boxes[list(card.indices)]) for card in table.cards])
    bright = np.array([_brightness(image, detections.boxes[[row]]) for row in rows])
    return np.asarray(bright >= TUNING.darkest_doubted_share * paper)


def _paper_at(places: Array, bright: Array, is_sure: NDArray[np.bool_]) -> Array:
    """How bright paper is at each place (n, 2) by cards (n,) that are `is_sure`: light falls off across a table.

    >>> places = np.array([[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [0.0, 4.0], [8.0, 4.0], [4.0, 4.0], [0.0, 2.0]])
    >>> bright = np.array([160.0, 80.0, 40.0, 160.0, 40.0, 80.0, 70.0])
    >>> _paper_at(places, bright, bright != 70.0).round().tolist()
    [160.0, 80.0, 40.0, 160.0, 40.0, 80.0, 160.0]
    """
    if is_sure.sum() < TUNING.fewest_in_light:
        return np.full(len(bright), np.median(bright))
    plane = np.column_stack([places / max(float(np.abs(places).max()), 1.0), np.ones(len(places))])
    light = np.log(np.maximum(bright[is_sure], 1.0))
    fall, *_ = np.linalg.lstsq(plane[is_sure], light, rcond=None)
    return np.asarray(np.exp(np.clip(plane @ fall, light.min(), light.max())))


def _brightness(image: Image, boxes: NDArray[np.float32]) -> float:
    """Median brightness of boxes (n, 4), of which ink covers less than half; the brightest of the boxes counts."""
    return max((float(np.median(part)) for part in _cut(image, boxes)), default=0.0)


def _cut(image: Image, boxes: NDArray[np.float32]) -> list[Image]:
    """What boxes (n, 4) of a photo show, but for those outside of it."""
    corners = np.round(boxes).astype(int).clip(0).tolist()
    parts = [image[y1 : max(y2, y1 + 1), x1 : max(x2, x1 + 1)] for x1, y1, x2, y2 in corners]
    return [part for part in parts if part.size]


def _is_paper(colour: Array, paper: Array) -> bool:
    """Whether a colour (3,) may be that of a face's paper in the same light: no much darker one, and no other hue."""
    share = np.maximum(colour, 1.0) / np.maximum(paper, 1.0)
    return bool(share.mean() >= TUNING.darkest_share and share.max() <= TUNING.most_tinted * share.min())


def find_unread_faces(table: SeenTable, detections: Detections, surfaces: Surfaces, image: Image) -> list[Array]:
    """The outlines (4, 2), px, of faces that no card explains which was read.

    Args:
        table: What was read.
        detections: The findings whose rows the table's cards name.
        surfaces: What lies at each spot of the photo.
        image: uint8 RGB (H, W, 3), the photo.
    """
    if len(table.cards) < TUNING.fewest_cards:
        return []
    face = surfaces.probabilities[..., FACE]
    side = 2 * TUNING.near_spots + 1
    backs = [back.quad for back in table.backs if back.confidence >= TUNING.sure_back and back.visible >= 1]
    cards = draw_covered([card.quad for card in table.cards] + backs, face.shape, surfaces.spot_px)
    known = np.asarray(cv2.dilate(cards, np.ones((side, side), np.uint8)), np.uint8)
    left = ((face > TUNING.face_probability) & (known == 0)).astype(np.uint8)
    beyond = cv2.copyMakeBorder(left, 1, 1, 1, 1, cv2.BORDER_REPLICATE)  # what the photo cuts off goes on
    opened = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, np.ones((3, 3)))[1:-1, 1:-1]
    count, names, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(opened))
    quads = np.array([card.quad for card in table.cards], np.float32)
    area = float(np.median([cv2.contourArea(quad) for quad in quads]))
    length_px = float(np.median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).max(1)))
    cut, least, most = (share * area / surfaces.spot_px**2 for share in (TUNING.cut_area, *TUNING.areas))
    papers = _papers(table, detections, surfaces, image)
    found = []
    for name in range(1, count):
        here = names == name
        is_cut = here[[0, -1]].any() or here[:, [0, -1]].any()
        fits = (cut if is_cut else least) <= stats[name, cv2.CC_STAT_AREA] <= most
        if fits and face[here].mean() >= TUNING.mean_probability:
            rectangle = cv2.minAreaRect((np.argwhere(here)[:, ::-1] + 0.5).astype(np.float32))
            quad = np.asarray(cv2.boxPoints(rectangle) * surfaces.spot_px, np.float64)
            if max(rectangle[1]) * surfaces.spot_px > TUNING.longest * length_px:
                continue
            colour = _colour_of(here, surfaces.spot_px, image)
            if any(_is_paper(colour, paper) for paper in papers) and (is_cut or blank_colour(image, quad) is None):
                found.append(quad)
    return found


def _papers(table: SeenTable, detections: Detections, surfaces: Surfaces, image: Image) -> tuple[Array, Array]:
    """The colours (3,) of the faces' paper as it is seen where indices stand, and on whole faces.

    Pictures cover most of court cards, and pips cover the indices of some decks: one of both is right.
    """
    rows = [row for card in table.cards for row in card.indices]
    by_indices = [np.median(part, axis=(0, 1)) for part in _cut(image, detections.boxes[rows])]
    shape = surfaces.probabilities.shape[:2]
    shown = [draw_covered([card.quad], shape, surfaces.spot_px) > 0 for card in table.cards]
    by_faces = [_colour_of(here, surfaces.spot_px, image) for here in shown if here.any()]
    return np.median(by_indices, axis=0), np.median(by_faces or by_indices, axis=0)


def _colour_of(here: NDArray[np.bool_], spot_px: float, image: Image) -> Array:
    """The median colour (3,) of a photo at some of its spots (h, w)."""
    height, width = image.shape[:2]
    rows, columns = ((np.argwhere(here) + 0.5) * spot_px).astype(int).T
    return np.asarray(np.median(image[rows.clip(0, height - 1), columns.clip(0, width - 1)], axis=0))


def draw_covered(quads: list[Array], shape: tuple[int, ...], spot_px: float) -> NDArray[np.uint8]:
    """(h, w) 1 where outlines in the photo lie, else 0."""
    drawn = np.zeros(shape, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(drawn, np.round((quad / spot_px - 0.5) * 16).astype(np.int32), 1, shift=4)
    return drawn
