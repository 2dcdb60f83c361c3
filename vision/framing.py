"""Which part of a photo is read again, turned or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.image import RGB

Rect = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a photo, as shares of its sides, 0 to 1."""
WHOLE: Final[Rect] = (0.0, 0.0, 1.0, 1.0)
"""All of a photo."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A part of a photo that is read again, turned or not.

    Attributes:
        photo: Number of the photo among all files of a shot.
        rect: Which part; None for all of it.
        turn: Degrees clockwise, a multiple of 90.
    """

    photo: int
    rect: Rect | None = None
    turn: int = 0

    def placed(self, points: NDArray[np.float64], size: tuple[int, int], after: tuple[int, int]) -> NDArray[np.float64]:
        """Where points of the photo lie in the part.

        Args:
            points: (N, 2), px of the photo.
            size: Width and height of the photo, px.
            after: Width and height of the part as it was turned, px.

        Returns:
            (N, 2), px of the part; outside 0 to its width and height for what was cut off.
        """
        left, top, right, bottom = self.rect or WHOLE
        shares = (points / size - (left, top)) / (right - left, bottom - top)
        for _ in range(self.turn // 90 % 4):
            shares = np.stack([1 - shares[:, 1], shares[:, 0]], axis=1)
        placed: NDArray[np.float64] = shares * after
        return placed

    def cut(self, image: RGB) -> RGB:
        """The part of a photo, turned."""
        left, top, right, bottom = self.rect or WHOLE
        height, width = image.shape[:2]
        rows, columns = (
            slice(round(low * size), round(high * size))
            for low, high, size in ((top, bottom, height), (left, right, width))
        )
        return np.rot90(image[rows, columns], -(self.turn // 90))

    def after(self, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """The frames with this one added, as few as possible.

        >>> Frame(0, turn=90).after((Frame(0, turn=90),))
        (Frame(photo=0, rect=None, turn=180),)
        """
        if frames and frames[-1].photo == self.photo and self.rect is None:
            return (*frames[:-1], Frame(self.photo, frames[-1].rect, (frames[-1].turn + self.turn) % 360))
        return (*frames, self)
