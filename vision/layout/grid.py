"""The 3x3 grid of both Tombs: found among cards that lie singly, with whatever lies outside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards_seen import Table
from vision.geometry import Array, across
from vision.layout.neighbours import up_of

CORNERS: Final = (0, 2, 6, 8)
EDGES: Final = (1, 3, 5, 7)
CENTRE: Final = 4
OFF_GRID: Final = 0.16
"""Standard deviation of a pile's place, in card widths."""


ON_TOP: Final = 0.35
"""Cards whose middles are nearer, in card widths, lie on each other."""
UNSURE: Final = 0.7
"""A grid that is this much likelier than the next, as a logarithm, is sure."""
FREE: Final = 0.15
"""A back nearer to a face-up card, in card widths, is none: the edge of the pile below that card was taken for it."""


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """A 3x3 grid in the player's frame.

    Attributes:
        cells: (n,) cell of each pile in reading order, -1 for a pile outside.
        origin: (2,) middle of cell 0.
        pitch: (2,) distance of neighbouring cells to the right and down.
        score: Log-likelihood.
        rival: Log-likelihood of the best grid that puts the piles into other cells.
    """

    cells: NDArray[np.intp]
    origin: Array
    pitch: Array
    score: float
    rival: float = -np.inf

    @property
    def unsure(self) -> bool:
        """Whether the piles may well lie in other cells."""
        return self.score - self.rival < UNSURE


def checks_of(table: Table, out: Sequence[int], grid: Grid) -> list[str]:
    """What a person should look at, though every card that was read is sure.

    Args:
        table: What is seen.
        out: Rows of cards that found no place.
        grid: The fitted grid.
    """
    checks = []
    if grid.unsure:
        checks.append("the cards may also belong to other places of the grid: please check where they stand")
    if out:
        cards = " ".join(str(table.cards[row].best) for row in out)
        checks.append(f"{cards} found no place: please check where {'it belongs' if len(out) == 1 else 'they belong'}")
    return checks


def player_frame(table: Table) -> tuple[Array, Array]:
    """(n, 2) middles of cards and (m, 2) of backs: x to the right, y towards the camera, in card widths."""
    toward = -up_of(table)
    axes = np.stack([across(toward), toward]) / table.template.width
    backs = np.array([back.centre for back in table.backs]).reshape(-1, 2)
    return table.centres @ axes.T, backs @ axes.T


def tops(table: Table, points: Array) -> NDArray[np.intp]:
    """Rows of the cards that lie on top of their pile: of cards that lie squarely on each other, the highest.

    Where that is not told, the card with more to be seen of it.
    """
    layer = np.array([card.layer for card in table.cards])
    shown = [(len(card.indices), card.is_card * float(np.exp(card.log_card.max()))) for card in table.cards]
    keep: list[int] = []
    for i in sorted(range(len(points)), key=shown.__getitem__, reverse=True):
        near = np.linalg.norm(points - points[i], axis=1) < ON_TOP
        if layer[near].max() == layer[i] and not any(near[k] and layer[k] == layer[i] for k in keep):
            keep.append(i)
    return np.array(sorted(keep), np.intp)


def free_backs(points: Array, back_points: Array) -> NDArray[np.intp]:
    """Rows of the backs that lie where no face-up card lies; what the others are taken for is the edge of a pile."""
    apart = np.linalg.norm(back_points[:, None] - points[None], axis=-1)
    return np.flatnonzero(apart.min(1, initial=np.inf) > FREE)


def _pitches(points: Array, axis: int, low: float, high: float) -> list[float]:
    """Distances at which cells may follow each other along an axis."""
    step = np.abs(points[:, None] - points[None])
    aligned = step[..., 1 - axis] < 0.4
    lengths = step[..., axis][aligned]
    options = np.concatenate([lengths, lengths / 2])
    options = np.sort(options[(options > low) & (options < high)])
    found: list[float] = []
    for value in options:
        if not found or value - found[-1] > 0.09:
            found.append(float(value))
    return found or [low * 1.15]


def fit_grid(
    points: Array,
    height: float,
    cell_score: Array,
    outside: Callable[[Array, NDArray[np.bool_]], Array],
) -> Grid | None:
    """The likeliest grid, None without piles.

    Args:
        points: (n, 2) piles in the player's frame.
        height: A card's height in widths.
        cell_score: (n, 9) log-likelihood of each pile in each cell.
        outside: Gives (m, n) log-likelihoods of piles outside m grids from (m, n, 2) places in cells, counted from
            cell 0, and (m, n) whether each is outside.
    """
    count = len(points)
    if count == 0:
        return None
    best: Grid | None = None
    tried: list[tuple[float, NDArray[np.intp]]] = []
    usual = (1.25, height + 0.25)
    rights = [*_pitches(points, 0, 1.02, 2.6)[:10], usual[0]]
    belows = [*_pitches(points, 1, 1.02 * height, 2.2 * height)[:10], usual[1]]
    cells = np.array([(k % 3, k // 3) for k in range(9)], float)
    for right in rights:
        for below in belows:
            if abs((right - 1) - (below - height)) > 0.7 and (right, below) != usual:
                continue
            pitch = np.array([right, below])
            origins = (points[:, None] - cells[None] * pitch).reshape(-1, 2)
            place = (points[None] - origins[:, None]) / pitch  # (m, n, 2)
            whole = np.round(place)
            off = np.linalg.norm((place - whole) * pitch, axis=-1)
            within = ((whole >= 0) & (whole <= 2)).all(-1)
            on = within & (off < 0.45)
            cell = np.where(on, whole[..., 0] + 3 * whole[..., 1], -1).astype(np.intp)
            inner = cell_score[np.arange(count)[None], np.maximum(cell, 0)] - 0.5 * (off / OFF_GRID) ** 2
            outer = outside(place, ~on)
            twice = np.stack([(cell == k).sum(1) for k in range(9)], axis=1)
            score = np.where(on, inner, outer).sum(1) - 9.0 * np.clip(twice - 1, 0, None).sum(1)
            top = int(score.argmax())
            if best is None or score[top] > best.score:
                best = Grid(cell[top], origins[top], pitch, float(score[top]))
            tried += [(float(score[k]), cell[k]) for k in np.flatnonzero(score > score[top] - UNSURE)]
    assert best is not None
    others = [score for score, cell in tried if score > best.score - UNSURE and not np.array_equal(cell, best.cells)]
    return replace(best, rival=max(others, default=-np.inf))
