"""A table filmed with a phone in the hand: one large picture of it, seen along the way of the camera.

The table is painted once, from straight above. Each frame is that picture through a camera that moves, trembles and
tilts: row after row (rolling shutter), while it goes on (motion blur), lighter and darker (automatic exposure), now and
then out of focus, with glare that stays with the camera, and at times a hand that passes through.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.picture_tools import Image, Points, Rng
from datasets.scenes.renderer import Camera, Stage
from datasets.scenes.several_photos import LaidTable
from datasets.scenes.stray_objects import hand
from datasets.scenes.surfaces import background

Way = Literal["sweep", "zigzag", "approach"]
WAYS: Final[tuple[Way, ...]] = ("sweep", "zigzag", "approach")
FRAME_RATE: Final = 24.0
PHOTO_CARD_WIDTHS: Final = 12.0
"""The longer side of a photo that is filmed, in card widths: about so many are usual."""
PHOTO_MARGIN: Final = 0.05
"""So much of it at each side need not be filmed."""
MOST_PIXELS: Final = 40_000_000
"""Of the large picture."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FilmTuning:
    """How a phone is held and what it does to a film. Lengths are shares of the picture's shorter side.

    Attributes:
        room: The table's part that a sweep shows at a time is so much larger than the table across it.
        zigzag_view_card_widths: How many card widths the shorter side of a zigzag's picture shows.
        speed_a_second: How fast the camera goes over the table, pictures along its way a second.
        trembling: How far the hand trembles, standard deviation.
        trembling_radians: The same for turn and tilt.
        usual_tilt_radians: How far the phone is tilted, at most.
        exposure_seconds: How long a frame is exposed.
        readout_seconds: From the first row to the last.
        pause_chance: That the camera rests for a second on its way.
        shake_chance: That it is shaken for half a second.
        hand_chance: That a hand passes through.
        focus_chance: That it is out of focus for half a second.
    """

    room: tuple[float, float] = (1.04, 1.2)
    zigzag_view_card_widths: tuple[float, float] = (6.5, 9.0)
    speed_a_second: tuple[float, float] = (0.16, 0.4)
    trembling: float = 0.012
    trembling_radians: float = 0.02
    usual_tilt_radians: float = 0.45
    exposure_seconds: tuple[float, float] = (1 / 400, 1 / 60)
    readout_seconds: tuple[float, float] = (0.004, 0.02)
    pause_chance: float = 0.4
    shake_chance: float = 0.3
    hand_chance: float = 0.25
    focus_chance: float = 0.3


TUNING: Final = FilmTuning()


@dataclass(frozen=True, slots=True, eq=False)
class _Poses:
    """Where the phone is at each of n moments, 1 / (4 * FRAME_RATE) apart.

    Attributes:
        at: (n, 2) the point of the table in the middle of the picture, card widths.
        scale: (n,) px to a card width there.
        turn: (n,) radians.
        tilt: (n,) radians.
    """

    at: Points
    scale: Matrix
    turn: Matrix
    tilt: Matrix

    def camera(self, moment: float, size: tuple[int, int]) -> Camera:
        """The camera at a moment, in between two of them too."""
        n = np.arange(len(self.scale))
        x, y, scale, turn, tilt = (
            float(np.interp(moment, n, row)) for row in (*self.at.T, self.scale, self.turn, self.tilt)
        )
        middle = (size[0] / 2, size[1] / 2)
        return Camera((x, y), middle, scale, turn, tilt, 1.1 * max(size), 0.0, 1.0, size)


MOMENTS: Final = 4
"""Poses to a frame."""


def film_table(
    rng: Rng, table: LaidTable, size: tuple[int, int], way: Way, seconds: float | None = None
) -> Iterator[Image]:
    """The frames of a film of a table, `FRAME_RATE` a second.

    Args:
        rng: Random generator.
        table: The table.
        size: Shorter and longer side, px. A sweep along a table holds the phone across its way.
        way: `sweep`: once along the table; `zigzag`: nearer, in lanes; `approach`: first all of it, then a sweep.
        seconds: How long the film is; by default as long as a hand takes.
    """
    low, high = _extent(table)
    frame = _frame(low, high, size, way)
    poses = _move(rng, low, high, frame, way, seconds)
    still, origin, density = _paint_table(rng, table, low, high, float(poses.scale.max()))
    yield from _shoot(rng, still, origin, density, poses, frame)


def film_photo(rng: Rng, photo: Image, size: tuple[int, int], way: Way) -> Iterator[Image]:
    """The frames of a film over a photo of a table, as if it lay there: a real picture whose truth is known.

    Args:
        rng: Random generator.
        photo: uint8 RGB (H, W, 3), taken from nearly above.
        size: Shorter and longer side, px.
        way: How the phone moves, as `film_table` takes it.
    """
    density = max(photo.shape[:2]) / PHOTO_CARD_WIDTHS
    spread = np.array(photo.shape[1::-1]) / density
    low, high = PHOTO_MARGIN * spread, (1 - PHOTO_MARGIN) * spread
    frame = _frame(low, high, size, way)
    yield from _shoot(rng, photo, np.zeros(2), density, _move(rng, low, high, frame, way), frame)


def _frame(low: Points, high: Points, size: tuple[int, int], way: Way) -> tuple[int, int]:
    """Width and height of the film of what lies between two points: a sweep holds the phone across its way."""
    wide = (high - low)[0] >= (high - low)[1]
    across_way = way != "zigzag"
    return (size[0], size[1]) if wide == across_way else (size[1], size[0])


def _extent(table: LaidTable) -> tuple[Points, Points]:
    at = np.array([[card.x, card.y] for card in table.cards])
    return at.min(0) - 0.75, at.max(0) + 0.75


def _move(rng: Rng, low: Points, high: Points, frame: tuple[int, int], way: Way, wanted: float | None = None) -> _Poses:
    """The way of the phone over a table."""
    corners, scale = _corners_of_way(rng, low, high, frame, way)
    speed = rng.uniform(*TUNING.speed_a_second) * min(frame)
    px = np.linalg.norm(np.diff(corners, axis=0), axis=1) * (scale[1:] + scale[:-1]) / 2
    seconds = np.maximum(px / speed, 0.3)
    if rng.random() < TUNING.pause_chance:
        seconds[int(rng.integers(len(seconds)))] += 1.0
    if wanted is not None:
        seconds *= (wanted - 0.6) / seconds.sum()
    ends = np.concatenate([[0.0], np.cumsum(seconds)]) + 0.3
    count = int((ends[-1] + 0.3) * FRAME_RATE * MOMENTS)
    time = np.arange(count) / (FRAME_RATE * MOMENTS)
    kernel = np.hanning(int(0.4 * FRAME_RATE * MOMENTS))

    def smooth(values: Matrix) -> Matrix:
        even = np.interp(time, ends, values)
        padded = np.pad(even, len(kernel), mode="edge")
        return np.asarray(np.convolve(padded, kernel / kernel.sum(), "same")[len(kernel) : -len(kernel)])

    strength = np.ones(count)
    if rng.random() < TUNING.shake_chance:
        strength += 3 * np.exp(-(((time - rng.uniform(0.2, 0.8) * time[-1]) / 0.2) ** 2))
    zoom = smooth(scale)
    off = TUNING.trembling * min(frame) / zoom
    at = np.stack([smooth(row) + off * strength * _tremble(rng, time) for row in corners.T], axis=1)
    turn = rng.normal(0, 0.06) + TUNING.trembling_radians * strength * _tremble(rng, time)
    tilt = rng.uniform(0, TUNING.usual_tilt_radians) + TUNING.trembling_radians * strength * _tremble(rng, time)
    return _Poses(at, zoom, turn, np.clip(tilt, 0, 0.7))


def _tremble(rng: Rng, time: Matrix) -> Matrix:
    """What a hand does at each time, about -1..1: slow swaying and a little quick trembling."""
    total = np.zeros(len(time))
    for rate, share in ((0.25, 1.0), (0.6, 0.7), (1.4, 0.3), (3.5, 0.12), (8.0, 0.05)):
        total += share * np.sin(2 * np.pi * rate * rng.uniform(0.7, 1.3) * time + rng.uniform(0, 2 * np.pi))
    return np.asarray(total / 1.3)


def _corners_of_way(rng: Rng, low: Points, high: Points, frame: tuple[int, int], way: Way) -> tuple[Points, Matrix]:
    """The corners (n, 2) of the way, card widths, and the scale at each, px to a card width."""
    spread, middle = high - low, (low + high) / 2
    long = int(spread.argmax())
    room = rng.uniform(*TUNING.room)
    if way == "zigzag":
        scale = min(frame) / rng.uniform(*TUNING.zigzag_view_card_widths)
    else:
        scale = frame[1 - long] / (room * spread[1 - long])
    view = np.array(frame) / scale
    inner = np.maximum(spread - 0.8 * view, 0.0) / 2
    lanes = max(1, int(np.ceil((spread[1 - long] * room - view[1 - long]) / (0.72 * view[1 - long]))) + 1)
    corners = []
    for lane in range(lanes):
        side = 0.0 if lanes == 1 else (2 * lane / (lanes - 1) - 1) * (spread[1 - long] - 0.85 * view[1 - long]) / 2
        for end in (-1, 1) if lane % 2 == 0 else (1, -1):
            corner = middle.copy()
            corner[long] += end * inner[long]
            corner[1 - long] += side
            corners.append(corner)
    scales = np.full(len(corners), scale)
    if way == "approach":
        whole = float((np.array(frame) / (1.1 * spread)).min())
        corners, scales = [middle, *corners], np.array([min(whole, scale), *scales])
    if rng.random() < 0.5:
        return np.array(corners[::-1]), scales[::-1]
    return np.array(corners), scales


def _paint_table(rng: Rng, table: LaidTable, low: Points, high: Points, finest: float) -> tuple[Image, Points, float]:
    """The table from straight above: the picture, the point of the table at its corner, and px to a card width."""
    margin = 0.35 * (high - low).max()
    origin, room = low - margin, high - low + 2 * margin
    density = min(1.1 * finest, float(np.sqrt(MOST_PIXELS / room.prod())))
    width, height = (int(side) for side in np.ceil(room * density))
    ground = background(np.random.default_rng(table.surface), table.split, width // 2, height // 2)
    ground = np.asarray(cv2.resize(ground, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    camera = Camera((origin[0], origin[1]), (0.0, 0.0), density, 0.0, 0.0, 1e6, 0.0, 1.0, (width, height))
    stage = Stage(rng, ground, camera, [table.deck])
    for card in table.cards:
        stage.lay(card)
    return stage.image, origin, density


def _to_still(camera: Camera, origin: Points, density: float) -> Matrix:
    """3x3 from px of a frame to px of the large picture."""
    near = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) + camera.centre
    seen = camera.project(near).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(seen, ((near - origin) * density).astype(np.float32)), np.float64)


def _shoot(
    rng: Rng, still: Image, origin: Points, density: float, poses: _Poses, frame: tuple[int, int]
) -> Iterator[Image]:
    width, height = frame
    exposure, readout = rng.uniform(*TUNING.exposure_seconds), rng.uniform(*TUNING.readout_seconds)
    count = len(poses.scale) // MOMENTS
    gain = 1 + 0.12 * _tremble(rng, np.arange(count) / FRAME_RATE / 3)
    glare, passing = _glare(rng, frame), _PassingHand.random(rng, frame, count)
    blurred = rng.uniform(0.1, 0.9) * count if rng.random() < TUNING.focus_chance else -100.0
    grain = np.clip(rng.normal(0, rng.uniform(1, 6), (height + 64, width + 64)), -60, 60).astype(np.int16)
    noise = cv2.merge([grain] * 3)
    a_second = FRAME_RATE * MOMENTS
    for number in range(count):
        parts = []
        for share in (0.0, 0.5, 1.0):
            moments = [number * MOMENTS + (share * exposure + row) * a_second for row in (0.0, readout)]
            ways = [_to_still(poses.camera(moment, frame), origin, density) for moment in moments]
            parts.append(_expose(still, ways, frame))
        image = cv2.addWeighted(cv2.addWeighted(parts[0], 0.5, parts[2], 0.5, 0), 2 / 3, parts[1], 1 / 3, 0)
        image = cv2.add(cv2.convertScaleAbs(image, alpha=float(gain[number])), glare)
        if abs(number - blurred) < 0.25 * FRAME_RATE:
            image = cv2.GaussianBlur(image, (0, 0), 2.5 * (1 - abs(number - blurred) / (0.25 * FRAME_RATE)) + 0.3)
        dy, dx = rng.integers(0, 64, 2)
        shown = np.asarray(cv2.add(image, noise[dy : dy + height, dx : dx + width], dtype=cv2.CV_8U), np.uint8)
        yield shown if passing is None else passing.paint(number, shown)


def _expose(still: Image, ways: Sequence[Matrix], frame: tuple[int, int]) -> Image:
    """A frame whose first row is seen by the first of two ways to the large picture, and whose last by the second."""
    width, height = frame
    first, last = (way / way[2, 2] for way in ways)
    share = np.linspace(0, 1, height)[:, None, None]
    rows = first + share * (last - first)
    rows[:, :, 2] += rows[:, :, 1] * np.arange(height)[:, None]
    x = np.arange(width, dtype=np.float32)[None]
    u, v, depth = ((rows[:, k, 0, None] * x + rows[:, k, 2, None]).astype(np.float32) for k in range(3))
    return np.asarray(
        cv2.remap(still, u / depth, v / depth, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _glare(rng: Rng, frame: tuple[int, int]) -> Image:
    """The reflection of a lamp (height, width, 3), which stays where it is in the picture."""
    width, height = frame
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    middle, reach = rng.uniform(-0.2, 1.2, 2) * frame, rng.uniform(0.1, 0.3) * min(frame)
    strength = rng.uniform(0, 110) * (rng.random() < 0.6)
    spot = strength * np.exp(-(((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * reach**2)))
    return np.asarray(cv2.merge([spot.astype(np.uint8)] * 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _PassingHand:
    """A hand that goes through the picture, from an edge to the middle and back.

    Attributes:
        picture: The hand; none for no hand.
        mask: Where it is, 0 to 255.
        row: Its place on the other axis, a share of the picture's height.
        middle: Number of the frame in which it reaches farthest.
        frames: In so many frames it comes, and so many it goes.
    """

    picture: Image
    mask: NDArray[np.uint8]
    row: float
    middle: float
    frames: float

    @classmethod
    def random(cls, rng: Rng, frame: tuple[int, int], count: int) -> _PassingHand | None:
        """A hand, or none."""
        if rng.random() > TUNING.hand_chance:
            return None
        picture, mask = hand(rng, int(0.55 * min(frame)))
        return cls(picture, mask, rng.uniform(0.1, 0.6), rng.uniform(0.2, 0.8) * count, 0.8 * FRAME_RATE)

    def paint(self, number: int, image: Image) -> Image:
        """The frame of a number with the hand in it."""
        gone = abs(number - self.middle) / self.frames
        if gone >= 1:
            return image
        shift = -gone * self.picture.shape[1]
        matrix = np.array([[1, 0, shift], [0, 1, self.row * image.shape[0]]])
        size = (image.shape[1], image.shape[0])
        painted, alpha = (cv2.warpAffine(part, matrix, size) for part in (self.picture, self.mask))
        return np.where(alpha[..., None] > 127, painted, image).astype(np.uint8)


def write_film(path: Path, frames: Iterable[Image], rate: float = FRAME_RATE) -> int:
    """Writes a film (MP4), and gives the number of its frames."""
    writer, count = None, 0
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), rate, size)
        writer.write(np.ascontiguousarray(frame[..., ::-1]))
        count += 1
    if writer is not None:
        writer.release()
    return count
