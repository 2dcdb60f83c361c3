"""Moments of rest in a film of a game, for a camera on a stand: between two moves nothing moves.

for frame, is_hand in find_rests("game.mp4"): ...     # each is one photo of the table, unless a hand lies over it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.film.film_file import Frame, open_film
from vision.film.tracking import Grey

LOOKS_A_SECOND: Final = 8.0
SMALL_PX: Final = 240
"""Longer side of the pictures that are compared."""
CHANGED_LEVELS: Final = 18
"""A pixel has changed where its brightness differs by more: noise and flicker stay below."""
MOVING_SHARE: Final = 0.002
"""Something moves where more of the picture changes from one look to the next."""
REST_SECONDS: Final = 0.8
"""Nothing moves for at least so long."""
MOVE_SHARE: Final = 0.004
"""A move changed at least so much of the picture: about half a card of a whole table."""
BORDER_PX: Final = 3


@dataclass(slots=True, eq=False)
class _Rest:
    """A moment in which nothing moves: a frame of it, how that looks, and when it began, s."""

    frame: Frame
    grey: Grey
    begun: float


def find_rests(path: str | Path) -> Iterator[tuple[Frame, bool]]:
    """The frames in which a game rests between moves, one for each state of the table, and whether each shows a hand.

    A hand that stays over the table for a while is no state of it: something that reaches in from the border, and that
    is there neither in the rest before nor in the one after.

    Raises:
        FilmError: For a file that cannot be read as a film.
    """
    before: _Rest | None = None
    waiting: _Rest | None = None
    with open_film(path) as film:
        for rest in _still_moments(film.frames(LOOKS_A_SECOND)):
            if waiting is not None and _changed_share(waiting.grey, rest.grey) < MOVE_SHARE:
                continue
            if waiting is not None and _is_new(before, waiting):
                is_hand = _is_hand(before, waiting, rest)
                yield waiting.frame, is_hand
                before = before if is_hand else waiting
            waiting = rest
    if waiting is not None and _is_new(before, waiting):
        yield waiting.frame, False


def _is_new(before: _Rest | None, rest: _Rest) -> bool:
    """Whether a move was made since the rest before."""
    return before is None or _changed_share(before.grey, rest.grey) >= MOVE_SHARE


def _still_moments(frames: Iterator[Frame]) -> Iterator[_Rest]:
    """The moments in which nothing moves for long enough."""
    current: _Rest | None = None
    told = False
    last: Grey | None = None
    for frame in frames:
        grey = _look(frame)
        moving = last is not None and _changed_share(last, grey) > MOVING_SHARE
        last = grey
        if moving or current is None:
            current, told = _Rest(frame, grey, frame.seconds), False
        elif not told and frame.seconds - current.begun >= REST_SECONDS:
            told = True
            yield _Rest(frame, grey, current.begun)


def _look(frame: Frame) -> Grey:
    scale = SMALL_PX / max(frame.image.shape[:2])
    small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), (3, 3), 0), np.uint8)


def _changed(one: Grey, other: Grey) -> NDArray[np.bool_]:
    """Which pixels differ, when the light as a whole is made equal."""
    light = float(np.median(other.astype(np.int16) - one))
    return np.asarray(np.abs(other.astype(np.float32) - one - light) > CHANGED_LEVELS)


def _changed_share(one: Grey, other: Grey) -> float:
    return float(_changed(one, other).mean())


def _is_hand(before: _Rest | None, rest: _Rest, after: _Rest) -> bool:
    """Whether something reaches in from the border that is there neither before nor after."""
    fresh = _changed(rest.grey, after.grey)
    if before is not None:
        fresh &= _changed(before.grey, rest.grey)
    _, label = cv2.connectedComponents(fresh.astype(np.uint8))
    edge = np.ones(fresh.shape, np.bool_)
    edge[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX] = False
    reaching = {int(number) for number in np.unique(label[edge & fresh])} - {0}
    return any((label == number).mean() > 5 * MOVE_SHARE for number in reaching)
