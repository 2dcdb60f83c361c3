"""Chooses the frames of a film that are read: sharp ones, each tied to those before it by the picture itself.

    with open_film(path) as film:
        for key in key_frames(film): ...

The sharpest frame is taken each time that the camera has gone on by a part of the picture, or some time has passed.
Frames are streamed: no more than a few are held at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cards.geometry import Array, project
from vision.film.film_file import ChosenFrames, Film, Frame
from vision.film.tracking import Tie, View, overlap_share, tie_far, tie_views
from vision.image import RGB


@dataclass(frozen=True, slots=True)
class KeyFrameTuning:
    """Which frames are chosen.

    Attributes:
        near_share: A frame that has more in common with the last one chosen is no candidate, unless time has passed.
        far_share: When so little is common with the last one chosen, the sharpest candidate is taken.
        longest_wait_seconds: So long at most nothing is chosen while the camera stands still.
        first_wait_seconds: The first frame is the sharpest of so long.
        common_share: Two chosen frames with so much in common are tied.
        most_ties: Each chosen frame is tied to so many before it, besides the last one.
        drift_share: A tie may lie off what the way of the camera says by this share of the picture.
        fast_share: Where the camera moves by more of the picture's diagonal in 1/30 s, it shows nothing sharply.
    """

    near_share: float = 0.82
    far_share: float = 0.62
    longest_wait_seconds: float = 1.5
    first_wait_seconds: float = 0.4
    common_share: float = 0.2
    most_ties: int = 7
    drift_share: float = 0.12
    fast_share: float = 0.02


TUNING: Final = KeyFrameTuning()


@dataclass(frozen=True, slots=True, eq=False)
class KeyFrame:
    """A frame that is read.

    Attributes:
        frame: The frame in the film.
        seconds: When it is shown.
        image: uint8 (height, width, 3), red first.
        run: Number of the run it belongs to. The way of the camera is known within a run.
        to_run: 3x3 from its pixels to those of the first frame of its run.
        ties: For earlier key frames, by number, points (n, 2) of it and the same points here, px.
        speed: How fast the camera moved, shares of the picture's diagonal in 1/30 s; infinite where it was lost.
        size: Width and height of the frame, px.
        contrast: How strong its edges are on the whole, grey levels.
        sharpness: How steep its edges are, whatever it shows: about 1 where sharp, less where not.
    """

    frame: int
    seconds: float
    image: RGB
    run: int
    to_run: Array
    ties: dict[int, tuple[Array, Array]]
    speed: float
    size: tuple[int, int]
    contrast: float
    sharpness: float

    @property
    def is_blurred(self) -> bool:
        """Whether the camera moved too fast to show anything sharply."""
        return self.speed > TUNING.fast_share


@dataclass(slots=True, eq=False)
class _Seen:
    """A frame that was looked at; `way` leads from the last key frame to it, px of the small views."""

    frame: Frame
    view: View
    way: Array
    overlap: float
    speed: float


@dataclass(slots=True, eq=False)
class _Chosen:
    """What is kept of a key frame: its view, its run, and the way from it to the first frame of its run."""

    view: View
    run: int
    to_run: Array


@dataclass(slots=True, eq=False)
class _Chooser:
    """Follows the camera and chooses frames.

    Attributes:
        chosen_before: Whether the frames are chosen ones: each is taken, and the camera has gone far between two.
    """

    chosen_before: bool = False
    chosen: list[_Chosen] = field(default_factory=list)
    last: _Seen | None = None
    best: _Seen | None = None
    since: float = 0.0
    run: int = -1

    def look(self, frame: Frame) -> KeyFrame | None:
        """Takes the next frame; gives the key frame that is thereby settled, if one is."""
        view = View.of(frame.image)
        seen = self._follow(frame, view)
        if seen is None:  # lost: what was good so far is taken, and a new run begins here
            is_first = self.last is None
            taken = self.finish()
            self._begin(frame, view, 0.0 if is_first else np.inf)
            return self._take() if self.chosen_before else taken
        self.last = seen
        waited = frame.seconds - self.since
        if self._is_candidate(seen, waited) and (self.best is None or _sharper(seen, self.best)):
            self.best = seen
        return self._take() if self._is_due(seen, waited) else None

    def finish(self) -> KeyFrame | None:
        """The key frame that the end of a run settles, if there is one."""
        if self.chosen_before:
            return None  # each was taken when it came
        if (
            self.best is None
            and self.last is not None
            and not (self._has_key and self.last.overlap > TUNING.near_share)
        ):
            self.best = self.last
        return None if self.best is None else self._take()

    @property
    def _has_key(self) -> bool:
        """Whether this run has a key frame."""
        return bool(self.chosen) and self.chosen[-1].run == self.run

    def _begin(self, frame: Frame, view: View, speed: float) -> None:
        """Begins a run; where the picture was lost, the camera was too fast until a frame says otherwise."""
        self.run += 1
        self.since = frame.seconds
        self.last = self.best = _Seen(frame, view, np.eye(3), 1.0, speed)

    def _follow(self, frame: Frame, view: View) -> _Seen | None:
        """Where the camera is; None where that cannot be told."""
        last = self.last
        if last is None:
            return None
        anchor = self.chosen[-1].view if self._has_key else last.view
        way = last.way
        tie = tie_views(anchor, view, way) if self._has_key and not self.chosen_before else None
        if tie is None:
            step = (tie_far if self.chosen_before else tie_views)(last.view, view)
            if step is None:
                return None
            way = step.matrix @ last.way
            tie = tie_views(anchor, view, way) if self._has_key else None
        way = way if tie is None else tie.matrix
        way = way / way[2, 2]
        overlap = overlap_share(anchor, view, way) if self._has_key else 1.0
        middle = np.array(view.grey.shape[::-1]) / 2
        back = project(last.way @ np.linalg.inv(way), middle)
        passed = max(frame.seconds - last.frame.seconds, 1e-3)
        speed = float(np.linalg.norm(back - middle) / np.hypot(*view.grey.shape) / (30 * passed))
        return _Seen(frame, view, way, overlap, speed)

    def _is_candidate(self, seen: _Seen, waited: float) -> bool:
        return (
            self.chosen_before
            or not self._has_key
            or seen.overlap < TUNING.near_share
            or waited > TUNING.longest_wait_seconds / 2
        )

    def _is_due(self, seen: _Seen, waited: float) -> bool:
        if self.chosen_before:
            return True
        if not self._has_key:
            return waited > TUNING.first_wait_seconds
        return seen.overlap < TUNING.far_share or waited > TUNING.longest_wait_seconds

    def _take(self) -> KeyFrame | None:
        """Makes the best frame a key frame; the way goes on from it."""
        best, last = self.best, self.last
        assert best is not None
        assert last is not None
        back = np.linalg.inv(best.way)
        to_run = self.chosen[-1].to_run @ back if self._has_key else np.eye(3)
        view, number = best.view, len(self.chosen)
        ties = self._ties(view, to_run)
        self.chosen.append(_Chosen(view, self.run, to_run))
        last.way = last.way @ back
        self.best, self.since = None, best.frame.seconds
        grow = np.diag([view.scale, view.scale, 1.0])
        assert number == len(self.chosen) - 1
        return KeyFrame(
            best.frame.number,
            best.frame.seconds,
            best.frame.image,
            self.run,
            grow @ to_run @ np.linalg.inv(grow),
            {other: (tie.here * view.scale, tie.there * view.scale) for other, tie in ties.items()},
            best.speed,
            (best.frame.image.shape[1], best.frame.image.shape[0]),
            *view.contrast_and_sharpness(),
        )

    def _ties(self, view: View, to_run: Array) -> dict[int, Tie]:
        """The ties of a new key frame to those before it that show a part of the same, by their numbers."""
        near = []
        for number, other in enumerate(self.chosen):
            if other.run == self.run:
                guess = np.linalg.inv(to_run) @ other.to_run
                near.append((overlap_share(other.view, view, guess), number, guess))
        last = len(self.chosen) - 1
        ranked = sorted(near, key=lambda row: (row[1] != last, -row[0]))[: TUNING.most_ties + 1]
        found = {}
        for common, number, guess in ranked:
            if common < TUNING.common_share and number != last:
                continue
            tie = tie_views(self.chosen[number].view, view, guess)
            if tie is not None and _drift(tie.matrix, guess, view) < TUNING.drift_share:
                found[number] = tie
        return found


def _sharper(one: _Seen, other: _Seen) -> bool:
    """Whether a frame shows more than another: it has more detail, and the camera moves less."""
    return one.view.sharpness / (1 + 40 * one.speed) > other.view.sharpness / (1 + 40 * other.speed)


def _drift(matrix: Array, guess: Array, view: View) -> float:
    """By how much two ways to lie differ in the middle of what both show, as a share of the picture."""
    height, width = view.grey.shape
    grid = np.stack(np.meshgrid(np.linspace(0, width, 5), np.linspace(0, height, 5)), -1).reshape(-1, 2)
    there = project(guess, grid)
    shown = ((there > 0) & (there < (width, height))).all(1)
    off = np.linalg.norm(project(matrix, grid) - there, axis=1)
    return float(np.median(off[shown] if shown.any() else off) / np.hypot(width, height))


def key_frames(film: Film | ChosenFrames) -> Iterator[KeyFrame]:
    """The frames of a film that are worth reading, as they are found.

    A frame is given when later ones show that it was the sharpest of its place.
    """
    chooser = _Chooser(chosen_before=isinstance(film, ChosenFrames))
    for frame in film.frames():
        if (key := chooser.look(frame)) is not None:
            yield key
    if (key := chooser.finish()) is not None:
        yield key
