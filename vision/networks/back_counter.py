"""Counts the cards that lie face down under a column's first face-up card: a small network on rectified strips.

    log_count = BackCounter().count(image, quads)

The index of a column's first face-up card tells where that card lies. So the strip above it can be cut out straight.
The network sees what a person would look at: the edges of the cards below. The first look tells how far they reach.
Where it leaves a column in doubt, a second one is as near as they all still fit. Then the print of the backs has its
word (`back_print`), and how far the table's columns reach (`back_steps`). The log-probabilities are calibrated. The
layout network weighs them with the way all columns lie.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image import halved
from vision.networks.back_print import weigh_print
from vision.networks.back_steps import weigh_steps
from vision.networks.runtime import MODELS, Network

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

MOST: Final = 6
"""More cards than this lie face down in no column of Klondike."""
WIDTH: Final = 96
HEIGHT: Final = 384
"""Size of a rectified strip, px."""
SIDE: Final = 0.75
ABOVE: Final = 3.4
BELOW: Final = 0.6
"""What a strip shows, in card widths: to either side of the column's middle, above the upper edge of its first face-up
card, and below that edge. Nearer and farther looks show as much to the sides, and less or more above and below."""
NEAREST: Final = 4.0
"""The nearest look shows the rows of a strip so many times as large."""
FILLED: Final = 0.75
"""Share of what a strip shows above the face-up card that the tallest column fills in a nearer look."""
FARTHEST: Final = 0.45
"""A look at columns that go on beyond the strip shows the rows so many times as large."""
BEYOND: Final = 0.93
"""A column that reaches over this share of what a strip shows above the face-up card may go on beyond it."""
WORTH_IT: Final = 1.25
"""No nearer look is taken that would show the rows fewer times as large."""
PLAIN: Final = 0.9
"""No second look is taken where the first is so sure of every column's count."""
EDGE: Final = 0.5
"""In a row so likely to hold a card's upper edge there is one."""
FADED: Final = (90.0, 50.0, 25.0)
"""A column fades into black where nothing is brighter than this, of 255: on its first face-up card, on the uppermost
card found, and above that one."""
UPPERMOST: Final = 0.25
"""How much of the uppermost card is looked at; above it twice as much; card widths."""


class BackCounter(Network):
    """The counter of face-down cards."""

    weights = MODELS / "back_counter.onnx"
    takes = "strips"
    gives = ("log_count", "edges")

    def count(self, image: Image, quads: Floats) -> Floats:
        """Log-probabilities (n, MOST + 1) of 0, 1, ... cards face down above each first face-up card.

        Args:
            image: uint8 RGB (H, W, 3).
            quads: (n, 4, 2) corners of the strips in the photo, px: top left, top right, bottom right, bottom left as
                the column is seen by its player; `region` says what a strip shows. The strips of one call are taken
                for one table's and weighed together.
        """
        if not len(quads):
            return np.zeros((0, MOST + 1))
        cut_out = strips(image, np.asarray(quads, np.float64))
        log_count, edges = self._look(cut_out)
        is_faded = fades_out(cut_out, edges)
        nearness = nearness_of(edges)
        if 1 <= nearness < WORTH_IT or np.exp(log_count.max(1)).min() >= PLAIN:
            nearness = 1.0
        else:
            beyond = reaches_of(edges) > BEYOND
            cut_out = strips(image, nearer(np.asarray(quads, np.float64), nearness))
            second, edges = self._look(cut_out)
            both = np.where(beyond[:, None], second, (log_count + second) / 2)
            log_count = both - np.logaddexp.reduce(both, axis=1)[:, None]
        high = ABOVE + BELOW
        log_count = np.asarray(weigh_print(log_count, cut_out, edges, ABOVE / high, nearness / high), np.float64)
        shown, row = ABOVE / nearness, high / nearness / edges.shape[1]
        reach = np.where(is_faded, 0.0, reaches_of(edges) * shown)
        log_count = np.asarray(weigh_steps(log_count, reach, shown, row), np.float64)
        return np.where(is_faded[:, None], at_least(log_count), log_count)

    def _look(self, cut_out: Image) -> tuple[Floats, Floats]:
        count, edges = self.run(cut_out)
        return np.asarray(count, np.float64), np.asarray(edges, np.float64)


def fades_out(cut_out: Image, edges: Floats) -> NDArray[np.bool_]:
    """(n,) whether the columns of strips (n, HEIGHT, WIDTH, 3) with these edges (n, rows) fade into black.

    Then more cards may lie above the uppermost one that is found, and nobody can see them.
    """
    width, face = HEIGHT / (ABOVE + BELOW), round(HEIGHT * ABOVE / (ABOVE + BELOW))
    tops = np.round(face * (1 - reaches_of(edges))).astype(int)
    faded = []
    for strip, top in zip(cut_out, tops, strict=True):
        rows = strip[:, WIDTH // 5 : -WIDTH // 5].max(2)
        step = round(UPPERMOST * width)
        shown = rows[face:], rows[top : top + step], rows[max(top - 2 * step, 0) : max(top - step // 4, 1)]
        bright = [float(np.percentile(part, 98)) for part in shown]  # paper, and not what is printed on it
        faded.append(all(one < most for one, most in zip(bright, FADED, strict=True)))
    return np.array(faded, bool)


def at_least(log_count: Floats) -> Floats:
    """Log-probabilities (n, MOST + 1) of counts where any number of cards more is as likely as none.

    >>> np.exp(at_least(np.log([[0.02, 0.02, 0.02, 0.02, 0.9, 0.01, 0.01]]))).round(2).tolist()
    [[0.0, 0.01, 0.01, 0.02, 0.32, 0.32, 0.33]]
    """
    spread = log_count - np.log(np.arange(MOST + 1, 0, -1))  # each count over itself and all that are higher
    return np.asarray(np.logaddexp.accumulate(spread, axis=1))


def reaches_of(edges: Floats) -> Floats:
    """(n,) how far up columns reach, as a share of what strips with these edges (n, rows) show above the face-up card.

    >>> reaches_of(np.eye(2, 40)[:, ::-1]).tolist()  # edges in the last two of 40 rows: below the face-up card's own
    [0.0, 0.0]
    """
    rows = np.arange(edges.shape[1])
    tops = np.where(edges > EDGE, rows, edges.shape[1]).min(1)
    face = edges.shape[1] * ABOVE / (ABOVE + BELOW)
    return np.asarray(np.maximum((face - tops) / face, 0.0))


def nearness_of(edges: Floats) -> float:
    """How many times as large the next look may show a table's strips, by where they (n, rows) have edges of cards.

    Where a column may go on beyond its strip the next look is from farther away.
    """
    reach = float(reaches_of(edges).max())
    return FARTHEST if reach > BEYOND else float(np.clip(FILLED / max(reach, 1e-6), 1.0, NEAREST))


def nearer(quads: Floats, nearness: float) -> Floats:
    """Corners (n, 4, 2) of strips that show the rows about the face-up card's edge so many times as large.

    >>> nearer(np.array([[[0, 0], [60, 0], [60, 160], [0, 160]]], float), 2.0).tolist()
    [[[0.0, 68.0], [60.0, 68.0], [60.0, 148.0], [0.0, 148.0]]]
    """
    face = ABOVE / (ABOVE + BELOW)
    start, end = face - face / nearness, face + (1 - face) / nearness
    left, right = quads[:, 0], quads[:, 1]
    along = quads[:, 3] - left, quads[:, 2] - right
    return np.stack(
        [left + start * along[0], right + start * along[1], right + end * along[1], left + end * along[0]], 1
    )


def region() -> Floats:
    """Corners (4, 2) of a strip in card widths, x to the right and y towards the player.

    The origin is the middle of the upper edge of the first face-up card.

    >>> region().tolist()
    [[-0.75, -3.4], [0.75, -3.4], [0.75, 0.6], [-0.75, 0.6]]
    """
    return np.array([[-SIDE, -ABOVE], [SIDE, -ABOVE], [SIDE, BELOW], [-SIDE, BELOW]])


def strips(image: Image, quads: Floats) -> Image:
    """Rectified strips, uint8 RGB (n, HEIGHT, WIDTH, 3); what lies outside the photo is its edge repeated.

    Args:
        image: uint8 RGB (H, W, 3).
        quads: (n, 4, 2) corners in the photo, px.
    """
    out = np.empty((len(quads), HEIGHT, WIDTH, 3), np.uint8)
    pyramid = [image]
    for number, quad in enumerate(np.asarray(quads, np.float64)):
        tall = min(np.hypot(*(quad[3] - quad[0])), np.hypot(*(quad[2] - quad[1])))
        finer = 1 if tall <= HEIGHT else 2  # a warp takes single pixels: a thin edge would be lost
        wide, high = finer * WIDTH, finer * HEIGHT
        level = int(np.clip(np.floor(np.log2(max(tall / high, 1.0)) + 0.5), 0, 4))
        while len(pyramid) <= level:
            pyramid.append(halved(pyramid[-1]))
        target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        matrix = cv2.getPerspectiveTransform((quad / 2**level).astype(np.float32), target)
        strip = cv2.warpPerspective(pyramid[level], matrix, (wide, high), None, cv2.INTER_LINEAR, cv2.BORDER_REPLICATE)
        out[number] = strip if finer == 1 else cv2.resize(strip, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return out
