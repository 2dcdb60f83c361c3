"""How cards come to rest on a table and on each other. Lengths in millimetres; the world of a scene is in metres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import highspy
import numpy as np

from datasets.path_traced.decks import Deck
from datasets.path_traced.tables import CORNERS, Box, Laid, on_table
from datasets.picture_tools import Points
from plumbing.linear_programs import silent_highs

MM: Final = 0.001
"""A millimetre in metres."""
_STEEPEST: Final = 0.4
_GAP: Final = 0.03


class Ground:
    """Height of everything that lies on the table, on a grid of millimetres.

    Args:
        box: What it covers: left, near, right, far.

    Attributes:
        x0: Left edge of the grid.
        y0: Near edge of the grid.
        height: Heights, rows from near to far.
    """

    def __init__(self, box: Box) -> None:
        self.x0, self.y0 = math.floor(box[0]), math.floor(box[1])
        self.height = np.zeros((math.ceil(box[3]) - self.y0 + 1, math.ceil(box[2]) - self.x0 + 1))

    def at(self, x: Points, y: Points) -> Points:
        """Heights at points."""
        row = np.clip(np.rint(y - self.y0).astype(int), 0, self.height.shape[0] - 1)
        column = np.clip(np.rint(x - self.x0).astype(int), 0, self.height.shape[1] - 1)
        heights: Points = self.height[row, column]
        return heights

    def cover(self, rest: Rest) -> None:
        """Raises it to the upper face of a card."""
        card, deck = rest.card, rest.deck
        radius = math.hypot(deck.width, deck.height) / 2
        row = max(0, math.floor(card.y - radius - self.y0))
        column = max(0, math.floor(card.x - radius - self.x0))
        side = math.ceil(2 * radius) + 2
        block = self.height[row : row + side, column : column + side]
        y, x = np.mgrid[0 : block.shape[0], 0 : block.shape[1]]
        dx, dy = x + column + self.x0 - card.x, y + row + self.y0 - card.y
        c, s = math.cos(math.radians(card.turn)), math.sin(math.radians(card.turn))
        along, across = dx * c + dy * s, -dx * s + dy * c
        inside = (np.abs(along) <= deck.width / 2 + 0.5) & (np.abs(across) <= deck.height / 2 + 0.5)
        top = rest.under(along, across) - _GAP + rest.thick
        block[inside] = np.maximum(block, top)[inside]


@dataclass(frozen=True, slots=True)
class Bend:
    """How a card is warped: along one axis, and one lifted corner.

    Attributes:
        amount: Height of the ends over the middle.
        angle: Direction of the axis, radians.
        corner: Signs of the lifted corner's x and y.
        curl: How much that corner is lifted.
        half: Half the card's width and height.
    """

    amount: float
    angle: float
    corner: tuple[int, int]
    curl: float
    half: tuple[float, float]

    def __call__(self, x: Points, y: Points) -> Points:
        """Heights at points of the card."""
        along = (x * math.cos(self.angle) + y * math.sin(self.angle)) / self.half[1]
        lifted = np.clip((x * self.corner[0] / self.half[0] + y * self.corner[1] / self.half[1]) - 1.1, 0, None)
        heights: Points = self.amount * along**2 + self.curl * lifted**2
        return heights


@dataclass(frozen=True, slots=True)
class Rest:
    """A card at rest: its underside is a plane in its own axes, and the bend.

    Attributes:
        card: The card.
        deck: Its measures.
        bend: How it is warped.
        thick: Its thickness.
        plane: Height at the middle, slope to the right, slope upwards.
    """

    card: Laid
    deck: Deck
    bend: Bend
    thick: float
    plane: tuple[float, float, float]

    def under(self, x: Points, y: Points) -> Points:
        """Heights of the underside at points of the card, mm."""
        heights: Points = self.plane[0] + self.plane[1] * x + self.plane[2] * y + self.bend(x, y)
        return heights

    def points(self, local: Points) -> Points:
        """Points (N, 2) of the upper face, mm from the card's middle, as points (N, 3) of the world, metres."""
        height = self.under(local[:, 0], local[:, 1]) + self.thick
        return np.column_stack([on_table(self.card, local), height]) * MM

    @property
    def corners(self) -> Points:
        """The card's own upper left, upper right, lower right and lower left corner in the world, metres."""
        return self.points(CORNERS * (self.deck.width / 2, self.deck.height / 2))


def settle(card: Laid, deck: Deck, bend: Bend, thick: float, ground: Ground) -> Rest:
    """Lays a card on what lies there: as low as it can at its middle without going through anything."""
    grid = np.meshgrid(
        np.linspace(-deck.width / 2, deck.width / 2, 13), np.linspace(-deck.height / 2, deck.height / 2, 17)
    )
    local = np.column_stack([axis.ravel() for axis in grid])
    place = on_table(card, local)
    a, b, c = _lowest_plane(local, ground.at(place[:, 0], place[:, 1]) - bend(local[:, 0], local[:, 1]))
    rest = Rest(card, deck, bend, thick, (a + _GAP, b, c))
    ground.cover(rest)
    return rest


def _lowest_plane(local: Points, heights: Points) -> tuple[float, float, float]:
    """The plane above all points that is lowest at 0, 0: its height there and its slopes."""
    program, count = highspy.HighsLp(), len(heights)
    program.num_col_, program.num_row_ = 3, count
    program.col_cost_ = np.array([1.0, 0.0, 0.0])
    program.col_lower_ = np.array([-highspy.kHighsInf, -_STEEPEST, -_STEEPEST])
    program.col_upper_ = np.array([highspy.kHighsInf, _STEEPEST, _STEEPEST])
    program.row_lower_ = np.full(count, -highspy.kHighsInf)
    program.row_upper_ = -heights
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.arange(0, 3 * count + 1, 3)
    program.a_matrix_.index_ = np.tile([0, 1, 2], count)
    program.a_matrix_.value_ = -np.column_stack([np.ones(count), local]).ravel()
    solver = silent_highs()
    solver.passModel(program)
    solver.run()
    a, b, c = solver.getSolution().col_value
    return float(a), float(b), float(c)
