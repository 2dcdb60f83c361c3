"""Other backs on the face-down cards of a rendered table: what counts cards must not know them by their art."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.borderless_backs import TRAINED_ORNATE_BACKS, draw_ornate_back
from datasets.decks.deck import outline
from datasets.decks.motif_backs import TRAINED_BACKS, draw_printed_back
from datasets.decks.patterned_backs import draw_back
from datasets.picture_tools import choose
from datasets.scenes.whole_tables import TRAINING_BACKS

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

ART_WIDTH: Final = 208
ART_HEIGHT: Final = 290
"""Size of a card's art, px: as large as cards are in most photos, so that fine print stays as sharp as it is there."""
EDGE_PX: Final = 4
"""Width of the paper's cut edge."""
BLUR_PX: Final = (0.5, 2.6)
"""How far art is blurred (sigma)."""
CUT_SHARE: Final = 0.3
"""Share of backs that are cut out of the photo itself: they resemble nothing that anybody draws."""
ORNATE_SHARE: Final = 0.4
"""Share of the others as brands and casinos print them, most without a border: what repeats tells their cards apart."""
PRINTED_SHARE: Final = 0.45
"""Share of the rest with something printed on them: suit symbols, letters, pictures."""


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """The cards of a rendered table in the photo, px, each (n, 4, 2) with its own top left corner first, clockwise.

    Attributes:
        backs: Face-down cards, in the order in which they were laid.
        faces: Face-up cards; they lie on the backs.
    """

    backs: Floats
    faces: Floats


def cards_of(scene: dict[str, Any]) -> Cards:
    """The cards of a scene's label file."""

    def quads(down: bool) -> Floats:
        chosen = [card["quad"] for card in scene["cards"] if (card["card"] is None) == down and card["quad"]]
        return np.array(chosen, float).reshape(-1, 4, 2)

    return Cards(quads(True), quads(False))


def repaint_backs(image: Image, cards: Cards, rng: np.random.Generator) -> Image:
    """A copy of the picture with one new back on all face-down cards, lit as the faces are, and with shadows.

    Args:
        image: uint8 RGB (H, W, 3).
        cards: Where its cards lie.
        rng: Random generator.
    """
    faces = _covered(image, cards.faces)
    art = _draw_art(image, rng, _light(image, faces))
    corner = int(ART_WIDTH * rng.uniform(0.03, 0.08)) / ART_WIDTH
    shape = np.asarray(outline(ART_WIDTH, ART_HEIGHT, corner) / 255, np.float32)
    shade, reach = float(rng.uniform(0, 0.4)), float(rng.uniform(0.6, 3.0))
    out = image.copy()
    for quad in cards.backs:
        _paint_card(out, quad, art, shape, shade, reach)
    cv2.copyTo(image, faces, out)
    return out


def _draw_art(image: Image, rng: np.random.Generator, paper: NDArray[np.float32]) -> NDArray[np.float32]:
    """The picture of a new back, in the light in which white paper has the colour `paper`."""
    seed, frames = int(rng.integers(*TRAINING_BACKS)), int(rng.choice([0, 0, 1, 2, 3, 4]))
    if rng.random() < CUT_SHARE:
        drawn = _cut_art(image, rng).astype(np.float32)
    elif rng.random() < ORNATE_SHARE:
        family = choose(rng, TRAINED_ORNATE_BACKS)
        drawn = draw_ornate_back(family, seed, "train", ART_WIDTH, ART_HEIGHT).astype(np.float32)
    elif rng.random() < PRINTED_SHARE:
        family = TRAINED_BACKS[int(rng.integers(len(TRAINED_BACKS)))]
        drawn = draw_printed_back(family, seed, "train", ART_WIDTH, ART_HEIGHT).astype(np.float32)
    else:
        drawn = draw_back(seed, ART_WIDTH, ART_HEIGHT, frames).astype(np.float32)
    if rng.random() < 0.3:  # the cut edge of the paper
        cv2.rectangle(drawn, (0, 0), (ART_WIDTH - 1, ART_HEIGHT - 1), [float(rng.uniform(40, 160))] * 3, EDGE_PX)
    return np.asarray(cv2.GaussianBlur(drawn * (paper / 255), (0, 0), float(rng.uniform(*BLUR_PX))), np.float32)


def _cut_art(image: Image, rng: np.random.Generator) -> Image:
    """A part of the photo as a back, which most often repeats, looks alike from both ends, or has a frame."""
    across, down = ((1, 1), (1, 2), (2, 3), (3, 4), (5, 7))[int(rng.choice(5, p=[0.4, 0.2, 0.2, 0.1, 0.1]))]
    size = ART_WIDTH // across, ART_HEIGHT // down
    share = float(np.exp(rng.uniform(np.log(0.08), np.log(0.5))))
    high = share * min(image.shape[0], image.shape[1] * size[1] / size[0])
    high, wide = max(8, int(high)), max(8, int(high * size[0] / size[1]))
    top, left = (int(rng.integers(max(1, have - part))) for have, part in zip(image.shape, (high, wide), strict=False))
    tile = cv2.resize(image[top : top + high, left : left + wide], size, interpolation=cv2.INTER_AREA)
    tile = np.rot90(tile, 2) if rng.random() < 0.5 else tile
    art = cv2.resize(np.tile(tile, (down, across, 1)), (ART_WIDTH, ART_HEIGHT))
    if rng.random() < 0.6:
        art[ART_HEIGHT // 2 :] = np.rot90(art[: (ART_HEIGHT + 1) // 2], 2)
    if rng.random() < 0.6:  # stronger colours, or others
        art = np.clip((art.astype(np.float32) - art.mean()) * rng.uniform(0.8, 2.5) + rng.uniform(60, 200, 3), 0, 255)
    for width in rng.integers(2, 14, int(rng.integers(0, 3))).tolist():
        cv2.rectangle(art, (0, 0), (ART_WIDTH - 1, ART_HEIGHT - 1), rng.uniform(0, 255, 3).tolist(), int(width))
    return np.ascontiguousarray(art, np.uint8)


def _light(image: Image, faces: Image) -> NDArray[np.float32]:
    """The colour (3,) of white paper in this light: a bright colour of the face-up cards, which a mask (H, W) marks."""
    lit = image[::4, ::4][faces[::4, ::4] > 0]
    return np.percentile(lit, 80, axis=0).astype(np.float32) if len(lit) else np.full(3, 220, np.float32)


def _covered(image: Image, quads: Floats) -> Image:
    """Mask (H, W) of all quads (n, 4, 2): 1 inside, else 0."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for quad in quads.round().astype(np.int32):
        cv2.fillConvexPoly(mask, quad, 1)
    return mask


def _paint_card(
    out: Image, quad: Floats, art: NDArray[np.float32], shape: NDArray[np.float32], shade: float, reach: float
) -> None:
    """Paints one card into the picture."""
    margin = int(4 * reach) + 2
    low = np.maximum(np.floor(quad.min(0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(quad.max(0)).astype(int) + margin, (out.shape[1], out.shape[0]))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    if min(size) <= 2 * margin:
        return
    corners = np.array([[0, 0], [ART_WIDTH, 0], [ART_WIDTH, ART_HEIGHT], [0, ART_HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, (quad - low).astype(np.float32))
    picture = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(shape, matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    part = out[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    if shade:
        part *= 1 - shade * cv2.GaussianBlur(cover, (0, 0), reach)[..., None]
    part += (picture - part) * cover
    out[low[1] : high[1], low[0] : high[0]] = np.clip(part, 0, 255).astype(np.uint8)
