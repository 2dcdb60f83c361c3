"""Tells a recording of a screen from a film that a camera took.

A program paints large areas in exactly one colour, the same in all frames, and nothing trembles while nothing moves.
Before a camera light falls off from place to place, so that each colour has many shades beside it, and a hand trembles.
Codecs make pixels equal, too, but not in one colour from end to end, and they make no hand stand still.

Not told are screens that a camera films, and programs that paint everything in black, white or shades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.image import RGB

SCREEN: Final = (
    "this looks like a recording of a screen, not a film of real cards on a table: please check each card that was read"
)
"""The note of a recording in which cards were read,"""
NO_CARD_ON_SCREEN: Final = (
    "no card was seen in the film, and it looks like a recording of a screen: film real cards on a table, from near"
)
"""and that of one without."""

BLOCK_PX: Final = 8
"""Squares of so many pixels are of one colour or not."""
MOST_BLOCKS: Final = 80
"""Squares looked at along the longer side."""
ONE_COLOUR: Final = 1
"""Levels by which the pixels of a square of one colour differ at most,"""
SAME_COLOUR: Final = 3
"""and by which it may come out otherwise in another frame."""
SHADE: Final = 8
"""A colour that differs by more is no shade of another."""
PLAIN_FACTOR: Final = 0.8
"""So many times as much of the picture has a painted colour as has shades of it: light that falls off shades all."""
LARGE_SHARE: Final = 0.03
"""Share of the picture that one colour covers to count."""
DARKEST: Final = 40
LIGHTEST: Final = 244
"""Where all three channels lie below the one or above the other, a camera shows areas of one colour, too."""
LEAST_PAINTED: Final = 0.2
"""Share of a recorded screen in such colours,"""
LEAST_COLOURED: Final = 0.04
"""and in those that are neither black nor white."""

SAMPLED_SIDE_PX: Final = 320
EDGE: Final = 24
"""Levels between two neighbours at an edge;"""
STILL: Final = 4
"""its pixels stand still if they change by no more."""
STANDING_SHARE: Final = 0.2
"""Of two frames of a recorded screen, so many edges stand still,"""
STANDING_PAIRS: Final = 0.4
"""in so many of the pairs of neighbouring frames: a program scrolls and moves cards at times."""
MOST_FRAMES: Final = 0.6
"""In so many frames a colour is there, if a program painted it."""
FEWEST_FRAMES: Final = 3

Colour = NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class ScreenLook:
    """What tells of a frame whether a program painted it.

    Attributes:
        colours: (n, 3) the colours of its larger areas of one colour.
        shares: (n,) how much of the picture each covers.
        sampled: (h, w, 3) some of its pixels, as they are.
    """

    colours: Colour
    shares: NDArray[np.float64]
    sampled: RGB

    @classmethod
    def of(cls, image: RGB) -> ScreenLook:
        """The look of a frame."""
        colours, counts, total = _count_colours(image)
        kept = []
        for colour in colours[counts >= LARGE_SHARE / 2 * total]:
            off = np.abs(colours - colour).max(1)
            own, near = (float(counts[off <= most].sum()) for most in (ONE_COLOUR, SHADE))
            if own >= max(LARGE_SHARE * total, PLAIN_FACTOR * (near - own)):
                kept.append((colour, own / total))
        step = max(1, -(-max(image.shape[:2]) // SAMPLED_SIDE_PX))
        found = np.array([colour for colour, _ in kept], np.int16).reshape(-1, 3)
        return cls(found, np.array([share for _, share in kept]), image[::step, ::step].copy())

    def share_of(self, colour: Colour) -> float:
        """How much of the picture has about that colour, in areas."""
        alike = (np.abs(self.colours - colour) <= SAME_COLOUR).all(1)
        return float(self.shares[alike].max(initial=0.0))


def is_recorded_screen(looks: Sequence[ScreenLook]) -> bool:
    """Whether frames of a film, in their order, are those of a recording of a screen."""
    if len(looks) < FEWEST_FRAMES:
        return False
    standing = np.array([_standing_share(one, other) for one, other in pairwise(looks)])
    if (standing >= STANDING_SHARE).mean() < STANDING_PAIRS:
        return False
    painted = _painted(looks)
    coloured = sum(share for colour, share in painted if not (colour.max() < DARKEST or colour.min() >= LIGHTEST))
    return coloured >= LEAST_COLOURED and sum(share for _, share in painted) >= LEAST_PAINTED


def _count_colours(image: RGB) -> tuple[Colour, NDArray[np.intp], int]:
    """The colours of squares of one colour, how many squares have each, and how many squares there are."""
    height, width = (side // BLOCK_PX for side in image.shape[:2])
    step = max(1, -(-max(height, width) // MOST_BLOCKS))
    whole = image[: height * BLOCK_PX, : width * BLOCK_PX]
    squares = whole.reshape(height, BLOCK_PX, width, BLOCK_PX, 3)[::step, :, ::step]
    plain = (squares.max((1, 3)) - squares.min((1, 3)) <= ONE_COLOUR).all(2)
    middle = squares[:, BLOCK_PX // 2, :, BLOCK_PX // 2]
    colours, counts = np.unique(middle[plain], axis=0, return_counts=True)
    return colours.astype(np.int16), counts, plain.size


def _painted(looks: Sequence[ScreenLook]) -> list[tuple[Colour, float]]:
    """The colours that most frames show in large areas, and the share of the picture that each has as a rule."""
    found: list[tuple[Colour, float]] = []
    every: Any = sorted(
        ((share, colour) for look in looks for colour, share in zip(look.colours, look.shares, strict=True)),
        key=lambda pair: (-pair[0], pair[1].tolist()),
    )
    for _, colour in every:
        if any(bool((np.abs(colour - other) <= SHADE).all()) for other, _ in found):
            continue
        shares = np.array([look.share_of(colour) for look in looks])
        if (shares >= LARGE_SHARE).mean() >= MOST_FRAMES:
            found.append((colour, float(np.median(shares))))
    return found


def _standing_share(one: ScreenLook, other: ScreenLook) -> float:
    """Which share of a frame's edges is at the same place in another, 0 to 1; 0 without edges."""
    if one.sampled.shape != other.sampled.shape:
        return 0.0
    here, there = one.sampled.astype(np.int16), other.sampled.astype(np.int16)
    edges = np.abs(here[:, 1:] - here[:, :-1]).max(2) > EDGE
    still = (np.abs(here - there).max(2) <= STILL)[:, 1:]
    return float(still[edges].mean()) if edges.any() else 0.0
