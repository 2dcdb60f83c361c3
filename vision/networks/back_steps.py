"""Weighs counts of face-down cards by how far a table's columns reach: who lays it overlaps all cards about alike.

So the columns whose counts are plain tell how much shows of each card, and with that how many a doubtful one hides. It
says nothing of a column whose uppermost edge is not found, nor whether a column hides any card, nor anything of a table
of which too little is plain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Tuning:
    """How reaches are compared; lengths in card widths.

    Attributes:
        least_step: What shows of each card at least.
        most_step: What shows of each card at most.
        steps: How many steps between these are tried.
        first: By how much more the lowest face-down card may show.
        uneven: How much a person's steps may differ, as a share of them: one who is exact, and one who is not.
        edge: How far off an edge is found.
        edge_rows: How far off besides, in rows of the look.
        least_rows: A column that reaches no farther than so many rows tells nothing: its edges run into each other.
        cut_off: Beyond this share of what the look shows a column may go on.
        chance: Density of an edge that is something else, per card width.
        wrong: Probability that the uppermost edge is something else.
        least_sure: How sure the counts of columns with backs must be, on average.
        weight: Natural logarithm of odds that the evidence stands for: the counter saw these edges, too.
        doubt: Probability that the steps tell nothing.
    """

    least_step: float = 0.02
    most_step: float = 1.8
    steps: int = 32
    first: tuple[float, ...] = (0.0, 0.06)
    uneven: tuple[float, ...] = (0.1, 0.25)
    edge: float = 0.015
    edge_rows: float = 0.6
    least_rows: float = 3.0
    cut_off: float = 0.75
    chance: float = 0.3
    wrong: float = 0.35
    least_sure: float = 0.5
    weight: float = 0.6
    doubt: float = 0.1


TUNING: Final = Tuning()


def weigh_steps(log_count: Floats, reach: Floats, shown: float, row: float) -> Floats:
    """Log-probabilities (n, counts) of 0, 1, ... face-down cards, with what the reaches of all columns tell.

    Args:
        log_count: (n, counts) what is known of each column by itself.
        reach: (n,) how far above its first face-up card's upper edge each column's uppermost edge was found, card
            widths; 0 where none was.
        shown: How far above that edge the look shows, card widths.
        row: Height of a row of the look, card widths.
    """
    hides = log_count.argmax(1) > 0
    if not hides.any() or np.exp(log_count.max(1))[hides].mean() < TUNING.least_sure:
        return log_count
    hidden, none = log_count[:, 1:], log_count[:, 0]
    told = TUNING.weight * np.array([_tell(there, hidden.shape[1], shown, row) for there in reach])
    by_count = hidden[:, :, None] + told  # (n, counts - 1, ways in which a person lays cards)
    by_way = np.logaddexp(np.logaddexp.reduce(by_count, axis=1), none[:, None] + TUNING.weight * np.log(TUNING.chance))
    others = by_way.sum(0) - by_way
    joint = np.logaddexp.reduce(by_count + others[:, None], axis=2)
    kept = np.logaddexp.reduce(hidden, axis=1, keepdims=True)
    joint += kept - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    mixed = np.logaddexp(np.log(1 - TUNING.doubt) + joint, np.log(TUNING.doubt) + hidden)
    return np.concatenate([none[:, None], mixed], axis=1)


def _tell(reach: float, most: int, shown: float, row: float) -> Floats:
    """Log-density (most, ways) of a column's reach if it hides 1, 2, ... `most` cards, for each way to lay them."""
    steps = np.geomspace(TUNING.least_step, TUNING.most_step, TUNING.steps)
    step, first, uneven = (part.ravel() for part in np.meshgrid(steps, TUNING.first, TUNING.uneven))
    count = np.arange(1, most + 1)[:, None]
    expected = first + count * step
    spread = np.sqrt(
        TUNING.edge**2
        + (TUNING.edge_rows * row) ** 2
        + count * (uneven * step) ** 2  # each card by itself
        + (uneven * expected / 2) ** 2  # and the whole column
    )
    if reach <= TUNING.least_rows * row:
        return np.zeros_like(expected)
    off = (reach - expected) / spread
    if reach > TUNING.cut_off * shown:
        seen = 1 / (1 + np.exp(np.clip(1.702 * off, -50, 50)))  # near to a normal distribution's: it reaches so far
    else:
        seen = np.exp(-(off**2) / 2) / (spread * np.sqrt(2 * np.pi))
    return np.asarray(np.log(TUNING.wrong * TUNING.chance + (1 - TUNING.wrong) * seen))
