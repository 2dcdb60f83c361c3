"""Colours as CIE Lab: lightness, and how far from grey towards red and towards yellow.

`cv2.cvtColor` with `COLOR_RGB2LAB` gives the very same numbers, but when a process first asks it for a Lab colour, it
works out tables for all its ways to do so, in arithmetic that is made of whole numbers: 80 ms, a twelfth of what a
photo of Klondike takes from the command to the answer. Of these tables one is needed here, and NumPy makes it in 3 ms.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

TO_XYZ: Final = ((0.412453, 0.357580, 0.180423), (0.212671, 0.715160, 0.072169), (0.019334, 0.119193, 0.950227))
WHITE: Final = (0.950456, 1.0, 1.088754)
DARK: Final = 216 / 24389
"""Below this share of white's light, Lab's cube root is a straight line."""
CELLS: Final = 32
"""The table has so many cells along each of red, green and blue."""
ONE: Final = 1 << 14
"""Stands for 1 in the table and in what is looked up in it."""
FINE: Final = 16
"""Steps within a cell."""
_ROWS: Final = ((CELLS + 1) ** 2, CELLS + 1, 1)
"""So far apart are neighbours along red, green and blue in the table."""
_ROOT_ABOVE: Final = (
    45.2548339756803,
    192.27983683550610,
    119.16548242855816,
    13.43250139086239872,
    0.16361612265857542,
)
_ROOT_BELOW: Final = (14.80884093219134573, 151.97140510444356486, 168.52544141015682836, 33.99059413502155987, 1.0)
"""Polynomials whose ratio is nearly the cube root of a number from 1/8 to 1: OpenCV takes them, so they serve here."""


def to_lab(colours: Floats) -> Floats:
    """Lab colours, interpolated in a table: lightness from 0 to 100, the others from -128 to 127.

    Args:
        colours: float32 (..., 3), red first, from 0 to 1.
    """
    steps = np.rint(np.clip(colours.reshape(-1, 3), 0, 1) * np.float32(ONE)).astype(np.int32) // (ONE // CELLS // FINE)
    cell = np.minimum(steps // FINE, CELLS - 1)
    after = steps - cell * FINE
    shares = np.stack([FINE - after, after])
    row = cell @ np.array(_ROWS, np.int32)
    total = np.zeros((3, len(row)), np.int32)
    for red, green, blue in product((0, 1), repeat=3):
        share = shares[red, :, 0] * shares[green, :, 1] * shares[blue, :, 2]
        total += share * _table()[:, row + int(np.dot((red, green, blue), _ROWS))]
    whole = FINE**3
    mixed = ((total.T + whole // 2) // whole).astype(np.float32) / np.float32(ONE)
    lab = mixed * np.array([100, 256, 256], np.float32) - np.array([0, 128, 128], np.float32)
    return lab.reshape(colours.shape)


@cache
def _table() -> NDArray[np.int32]:
    """The Lab colours at the corners of all cells, (3, 33 * 33 * 33), each from 0 to `ONE`."""
    level = np.arange(CELLS + 1) / CELLS
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(np.float32)
    red, green, blue = linear[:, None, None], linear[:, None], linear
    shares = (np.array(TO_XYZ) / np.array(WHITE)[:, None]).astype(np.float32)
    x, y, z = (blue * b + green * g + red * r for r, g, b in shares)  # in this order: a sum of float32 depends on it
    root_x, root_y, root_z = map(_cube_root, (x, y, z))
    lightness = np.where(y > np.float32(DARK), 116 * root_y - 16, np.float32(24389 / 27) * y)
    a, b = 500 * (root_x - root_y), 200 * (root_y - root_z)
    found = [lightness * ONE / 100, (a + 128) * ONE / 256, (b + 128) * ONE / 256]
    return np.rint(found).astype(np.int32).reshape(3, -1)


def _cube_root(light: Floats) -> Floats:
    """Lab's cube root: of little light a straight line."""
    root = _opencv_root(np.maximum(light, np.float32(DARK)))
    return np.where(light > np.float32(DARK), root, np.float32(841 / 108) * light + np.float32(16 / 116))


def _opencv_root(number: Floats) -> Any:
    """The cube root of positive numbers, cut off to float32 and not rounded, as OpenCV works it out."""
    part, power = np.frexp(number.astype(np.float64))
    third = -(-power // 3)
    part = np.ldexp(part, power - 3 * third)
    root: Any = np.polyval(_ROOT_ABOVE, part) / np.polyval(_ROOT_BELOW, part)
    cut = (root.view(np.uint64) & ~np.uint64(2**29 - 1)).view(np.float64)
    return np.ldexp(cut, third).astype(np.float32)
