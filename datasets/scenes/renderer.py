"""What a picture is painted on: cards and objects laid on a plane, seen by a camera, with exact ground truth.

The plane's unit is one card width, x to the right and y towards the viewer. The ground truth's format is told in
`datasets/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck import Box, Deck, Index, outline
from datasets.decks.jokers import joker_face
from datasets.picture_tools import Image, Points, Rng
from datasets.scenes.stray_objects import hand, stray_object
from datasets.splits import Split
from solver.cards import Card

Truth = dict[str, Any]

_LEVELS: Final = (40, 56, 80, 112, 160, 224, 320, 448, 640, 900)
_MOST_SPREAD: Final = 8
"""An index that is so many times as large as the picture lies at the camera's horizon."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card lying on the table.

    Attributes:
        card: The card, or None for a card face down.
        x: Centre on the plane, in card widths.
        y: Centre on the plane.
        angle: Turn in radians, clockwise as seen; 0 has the card's top away from the viewer.
        zone: As in the ground truth.
        deck: Which of the scene's decks it belongs to.
    """

    card: Card | None
    x: float
    y: float
    angle: float = 0.0
    zone: str = "none"
    deck: int = 0


@dataclass(frozen=True, slots=True)
class Camera:
    """Maps the plane to pixels: turn, tilt, perspective, lens distortion, stretch.

    Attributes:
        centre: Point of the plane that is seen at `middle`.
        middle: That pixel.
        scale: Pixels a card width there.
        turn: Turn of the table in radians.
        tilt: Angle between the view and straight down, radians.
        focal: Focal length in pixels.
        barrel: Radial distortion; negative is wide-angle (barrel).
        stretch: Factor of the picture's width against its height.
        size: Width and height of the picture.
    """

    centre: tuple[float, float]
    middle: tuple[float, float]
    scale: float
    turn: float
    tilt: float
    focal: float
    barrel: float
    stretch: float
    size: tuple[int, int]

    def project(self, points: Points) -> Points:
        """Pixels (n, 2) of points of the plane (n, 2)."""
        x, y = points[:, 0] - self.centre[0], points[:, 1] - self.centre[1]
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        x, y = cos * x - sin * y, sin * x + cos * y
        distance = self.focal / self.scale
        depth = np.maximum(distance - y * np.sin(self.tilt), 0.25 * distance)
        u = self.focal * x / depth
        v = self.focal * y * np.cos(self.tilt) / depth
        half = max(self.size) / 2
        bend = 1 + self.barrel * (u**2 + v**2) / half**2
        return np.stack([self.middle[0] + u * bend * self.stretch, self.middle[1] + v * bend], axis=1)


@dataclass
class Stage:
    """A picture under way: cards are painted in order, each on top of those before."""

    rng: Rng
    image: Image
    camera: Camera
    decks: list[Deck]
    owner: NDArray[np.int16] = field(init=False)
    rows: list[tuple[LaidCard, Points]] = field(init=False, default_factory=list)
    _faces: dict[tuple[int, int, int], Image] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.owner = np.full(self.image.shape[:2], -1, np.int16)
        angle = self.rng.uniform(0, 2 * np.pi)
        reach = self.rng.uniform(0.0, 0.07)
        self._shadow = (
            np.array([np.cos(angle), np.sin(angle)]) * reach,
            float(self.rng.uniform(0.01, 0.08)),
            float(self.rng.uniform(0.15, 0.6)),
        )

    def quad(self, placed: LaidCard) -> Points:
        """Pixels of a card's top-left, top-right, bottom-right, bottom-left corner."""
        aspect = self.decks[placed.deck].aspect
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * (1, aspect)
        cos, sin = np.cos(placed.angle), np.sin(placed.angle)
        turned = corners @ np.array([[cos, sin], [-sin, cos]])
        return self.camera.project(turned + np.array([placed.x, placed.y]))

    def lay(self, placed: LaidCard) -> None:
        """Paints a card and remembers it for the ground truth."""
        deck = self.decks[placed.deck]
        quad = self.quad(placed)
        self.rows.append((placed, quad))
        number = len(self.rows) - 1
        size = float(max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))
        height, width = self.image.shape[:2]
        margin = 0.2 * size + 2
        if (
            quad[:, 0].max() < -margin
            or quad[:, 1].max() < -margin
            or quad[:, 0].min() > width + margin
            or quad[:, 1].min() > height + margin
            or size < 4
        ):
            return
        level = next((level for level in _LEVELS if level >= size * 0.95), _LEVELS[-1])
        face = self._picture(deck, placed, level)
        self._cast_shadow(quad, size)
        self._paint(face, outline(face.shape[1], face.shape[0], deck.corner), quad, number)

    def lay_joker(self, split: Split, placed: LaidCard) -> None:
        """Paints a joker where a card would lie; no index or back of it is in the ground truth."""
        deck, quad = self.decks[placed.deck], self.quad(placed)
        size = float(max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])))
        width = next((level for level in _LEVELS if level >= size * 0.95), _LEVELS[-1])
        face = joker_face(self.rng, split, width, deck.aspect)
        self.cover(face, outline(face.shape[1], face.shape[0], deck.corner), quad)

    def cover(self, picture: Image, mask: NDArray[np.uint8], quad: Points, *, hides: bool = True) -> None:
        """Lays a stray object over (or, with `hides` false, before any card: under) the cards."""
        self._cast_shadow(quad, float(np.linalg.norm(quad[1] - quad[0])) * 0.5)
        self._paint(picture, mask, quad, -2 if hides else -1)

    def truth(self) -> list[Truth]:
        """The ground truth's `cards`: painted order, with the visible shares that painting left."""
        counts = np.bincount((self.owner[self.owner >= 0]).astype(np.int64), minlength=len(self.rows) or 1)
        rows = []
        for number, (placed, quad) in enumerate(self.rows):
            area = max(1.0, abs(float(cv2.contourArea(quad.astype(np.float32)))))
            indices = []
            if placed.card is not None:
                deck = self.decks[placed.deck]
                unit = np.array([[0, 0], [1, 0], [1, deck.aspect], [0, deck.aspect]], np.float32)
                matrix = np.asarray(cv2.getPerspectiveTransform(unit, quad.astype(np.float32)), np.float64)
                indices = [self._index_truth(index, matrix, number) for index in deck.indices(placed.card)]
            rows.append(
                {
                    "card": None if placed.card is None else str(placed.card),
                    "zone": placed.zone,
                    "quad": np.round(quad, 1).tolist(),
                    "visible": round(min(1.0, float(counts[number]) / area), 3),
                    "indices": indices,
                }
            )
        return rows

    def _index_truth(self, index: Index, matrix: NDArray[np.float64], number: int) -> Truth:
        whole = _warp_box(index.box, matrix)
        rank, suit = _warp_box(index.rank_box, matrix), _warp_box(index.suit_box, matrix)
        low, high = whole.min(axis=0), whole.max(axis=0)
        truth: Truth = {
            "box": [round(float(v), 1) for v in (*low, *high)],
            "rank": np.round(rank.mean(axis=0), 1).tolist(),
            "suit": np.round(suit.mean(axis=0), 1).tolist(),
            "visible": self._share(whole, number),
            "rank_visible": self._share(rank, number),
            "suit_visible": self._share(suit, number),
        }
        if not index.suit_below:
            seen = [
                cv2.perspectiveTransform(np.array([points], np.float32), matrix)[0].round(1).tolist()
                for points in (index.points, index.upright)
            ]
            truth |= {"rank": seen[0][0], "suit": seen[0][1], "upright": seen[1]}
        return truth

    def _share(self, polygon: Points, number: int) -> float:
        """The share of a polygon's pixels, those outside the picture too, that show card `number`.

        What reaches the camera's horizon would be endlessly large; nothing of it can be read.
        """
        low = np.floor(polygon.min(axis=0)).astype(int)
        high = np.ceil(polygon.max(axis=0)).astype(int) + 1
        height, width = self.owner.shape
        x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
        if x1 <= x0 or y1 <= y0 or (high - low).max() > _MOST_SPREAD * max(width, height):
            return 0.0
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
        total = int(mask.sum())
        inside = mask[y0 - low[1] : y1 - low[1], x0 - low[0] : x1 - low[0]]
        seen = int(((self.owner[y0:y1, x0:x1] == number) & (inside > 0)).sum())
        return round(seen / total, 3) if total else 0.0

    def _picture(self, deck: Deck, placed: LaidCard, level: int) -> Image:
        if placed.card is not None:
            return deck.face(placed.card, level)
        key = (placed.deck, -1, level)
        if key not in self._faces:
            self._faces[key] = deck.back(level)
        return self._faces[key]

    def _cast_shadow(self, quad: Points, size: float) -> None:
        offset, softness, strength = self._shadow
        sigma = max(0.6, softness * size)
        reach = int(3 * sigma) + 1
        shifted = quad + offset * size
        x0, y0 = np.floor(shifted.min(axis=0)).astype(int) - reach
        x1, y1 = np.ceil(shifted.max(axis=0)).astype(int) + reach
        height, width = self.image.shape[:2]
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
        if x1 <= x0 or y1 <= y0:
            return
        shade = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(shade, np.round(shifted - (x0, y0)).astype(np.int32), round(255 * strength))
        side = 2 * max(1, round(sigma)) + 1
        shade = cv2.blur(cv2.blur(shade, (side, side)), (side, side))
        part = self.image[y0:y1, x0:x1]
        cv2.multiply(part, cv2.merge([255 - shade] * 3), part, 1 / 255)

    def _paint(self, picture: Image, mask: NDArray[np.uint8], quad: Points, number: int) -> None:
        height, width = self.image.shape[:2]
        x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, (width, height))
        if x1 <= x0 or y1 <= y0:
            return
        h, w = picture.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, (quad - (x0, y0) - 0.5).astype(np.float32))
        size = (int(x1 - x0), int(y1 - y0))
        warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        alpha = cv2.warpPerspective(mask, matrix, size, flags=cv2.INTER_LINEAR)
        part = self.image[y0:y1, x0:x1]
        alpha3 = cv2.merge([alpha] * 3)
        cv2.add(cv2.multiply(warped, alpha3, scale=1 / 255), cv2.multiply(part, 255 - alpha3, scale=1 / 255), part)
        self.owner[y0:y1, x0:x1][alpha > 127] = number


def _warp_box(box: Box, matrix: NDArray[np.float64]) -> Points:
    x1, y1, x2, y2 = box
    points = np.array([[[x1, y1], [x2, y1], [x2, y2], [x1, y2]]], np.float32)
    warped: Points = cv2.perspectiveTransform(points, matrix)[0].astype(np.float64)
    return warped


def scene_truth(stage: Stage, *, game: str | None, split: Split, seed: int, position: Truth | None) -> Truth:
    """The ground truth of a finished stage as a JSON object."""
    height, width = stage.image.shape[:2]
    return {
        "image": {"width": width, "height": height},
        "game": game,
        "deck": stage.decks[0].name,
        "split": split,
        "seed": seed,
        "cards": stage.truth(),
        "position": position,
    }


def lay_object(
    rng: Rng, split: Split, stage: Stage, *, hides: bool, middle: Points | None = None, size: float | None = None
) -> None:
    """A stray object: over the cards with `hides`, else to be laid before them; anywhere unless `middle` is given."""
    height, width = stage.image.shape[:2]
    longest = max(height, width) * rng.uniform(0.12, 0.6) if size is None else size
    picture, mask = stray_object(rng, split, max(12, int(longest)))
    if middle is None:
        middle = rng.uniform(-0.05, 1.05, 2) * (width, height)
    stage.cover(picture, mask, _turned(picture, middle, rng.uniform(0, 2 * np.pi)), hides=hides)


def lay_hand(rng: Rng, stage: Stage, reach: float = 0.5) -> None:
    """A hand that reaches in from an edge of the picture, `reach` of its length at most."""
    height, width = stage.image.shape[:2]
    picture, mask = hand(rng, int(max(height, width) * rng.uniform(0.25, 0.5)))
    angle = rng.uniform(0, 2 * np.pi)
    back = (1 - 2 * reach) * picture.shape[0] / 2
    middle = np.array([width / 2 * (1 - np.cos(angle)), height / 2 * (1 - np.sin(angle))])
    stage.cover(picture, mask, _turned(picture, middle - back * np.array([np.cos(angle), np.sin(angle)]), angle))


def _turned(picture: Image, middle: Points, angle: float) -> Points:
    h, w = picture.shape[:2]
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + middle)
