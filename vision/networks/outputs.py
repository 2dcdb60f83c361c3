"""What the networks say about a photo: frozen arrays, one row a thing found.

Pixels are those of the upright photo, x to the right and y down, measured from its top left corner.
`Detections` are the corner indices of cards (rank and suit symbol), `Backs` the visible parts of face-down cards, and
`Reads` what the reader makes of each index. Whoever builds one with wrong shapes or values gets a `ValueError` that
says which field is wrong and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

RANKS: Final = 13
SUITS: Final = 4
SPREAD: Final = 0.39
"""Distance of rank and suit centre as a share of the index's height plus width; over decks it varies by 9%."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Read-only float32 arrays with a row for each thing found; `_shapes` has the shape of each array's rows."""

    _shapes: ClassVar[Mapping[str, tuple[int, ...]]] = {}

    def __post_init__(self) -> None:
        rows: int | None = None
        for name, tail in self._shapes.items():
            array = np.array(getattr(self, name), dtype=np.float32)
            rows = len(array) if rows is None and array.ndim else rows
            wanted = (rows or 0, *tail)
            if array.shape != wanted:
                raise ValueError(f"{type(self).__name__}.{name} has shape {array.shape}; expected {wanted}")
            if np.isnan(array).any():
                raise ValueError(f"{type(self).__name__}.{name} holds NaN; expected numbers")
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self._shapes))))

    def __getitem__(self, rows: NDArray[np.integer] | NDArray[np.bool_] | slice) -> Self:
        return type(self)(*(getattr(self, name)[rows] for name in self._shapes))

    @classmethod
    def empty(cls) -> Self:
        """Nothing found."""
        return cls(*(np.zeros((0, *tail), np.float32) for tail in cls._shapes.values()))


def _check_boxes(owner: Detections | Backs) -> None:
    if (owner.boxes[:, 2:] < owner.boxes[:, :2]).any():
        raise ValueError(f"{type(owner).__name__}.boxes has a box with x2 < x1 or y2 < y1; expected x1, y1, x2, y2")
    if ((owner.confidence < 0) | (owner.confidence > 1)).any():
        raise ValueError(f"{type(owner).__name__}.confidence is outside 0 to 1")


@dataclass(frozen=True, slots=True, eq=False)
class Detections(_Rows):
    """Corner indices found in a photo, best first.

    Attributes:
        boxes: (n, 4) x1, y1, x2, y2 of the upright rectangle round rank and suit symbol, px.
        confidence: (n,) 0 to 1.
        rank_xy: (n, 2) centre of the rank symbol, px; may lie outside the photo.
        suit_xy: (n, 2) centre of the suit symbol; from rank to suit is the card's "down".

    >>> none = Detections.empty()
    >>> len(none), none.boxes.shape
    (0, (0, 4))
    """

    boxes: Floats
    confidence: Floats
    rank_xy: Floats
    suit_xy: Floats

    _shapes: ClassVar = {"boxes": (4,), "confidence": (), "rank_xy": (2,), "suit_xy": (2,)}

    def __post_init__(self) -> None:
        _Rows.__post_init__(self)  # `super()` does not know a class with slots
        _check_boxes(self)


@dataclass(frozen=True, slots=True, eq=False)
class Backs(_Rows):
    """Face-down cards found in a photo, best first; of a covered card its visible part.

    A column of overlapped backs is counted by its `ends`: each card shows a strip at its free end, so one card's
    `ends[1]` lies where the next card's `ends[0]` begins.

    Attributes:
        boxes: (m, 4) x1, y1, x2, y2 of the upright rectangle round the visible part, px.
        confidence: (m,) 0 to 1.
        ends: (m, 2, 2) two points on the card's long middle axis, px: `ends[:, 0]` the middle of the free short
            side (the one that no card covers), `ends[:, 1]` where the visible part ends on the way to the other
            short side. Of a card that lies free (or is covered at both ends) the first is the upper one in the photo.

    >>> len(Backs.empty())
    0
    """

    boxes: Floats
    confidence: Floats
    ends: Floats

    _shapes: ClassVar = {"boxes": (4,), "confidence": (), "ends": (2, 2)}

    def __post_init__(self) -> None:
        _Rows.__post_init__(self)  # `super()` does not know a class with slots
        _check_boxes(self)


@dataclass(frozen=True, slots=True, eq=False)
class Reads(_Rows):
    """What the reader makes of n indices: natural logarithms of calibrated probabilities.

    Attributes:
        log_rank: (n, 13) over ace to king, each row summing to 1 once exponentiated.
        log_suit: (n, 4) over clubs, diamonds, hearts, spades.
        log_index: (n,) that the crop shows an index at all; at most 0.
    """

    log_rank: Floats
    log_suit: Floats
    log_index: Floats

    _shapes: ClassVar = {"log_rank": (RANKS,), "log_suit": (SUITS,), "log_index": ()}

    def __post_init__(self) -> None:
        _Rows.__post_init__(self)  # `super()` does not know a class with slots
        for name in ("log_rank", "log_suit"):
            total = np.exp(getattr(self, name).astype(np.float64)).sum(axis=1)
            if (np.abs(total - 1) > 1e-3).any():
                raise ValueError(f"Reads.{name} has a row whose probabilities sum to {total.max():.4f}; expected 1")
        if (self.log_index > 1e-6).any():
            raise ValueError("Reads.log_index is above 0; expected logarithms of probabilities")

    @property
    def log_card(self) -> Floats:
        """(n, 52) log-probabilities of the cards, numbered as `solver.cards.Card.index` (13 * suit + rank - 1)."""
        return (self.log_suit[:, :, None] + self.log_rank[:, None, :]).reshape(len(self), SUITS * RANKS)
