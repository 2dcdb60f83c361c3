"""Films in: the only place that knows film files. Frames are streamed, upright and red first, one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from plumbing.errors import fault_of
from vision.errors import FilmError
from vision.image import RGB, load, opencv

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong is said by us, in one line

SUFFIXES: Final = (".mp4", ".mov", ".m4v", ".avi", ".webm", ".mkv", ".3gp")
"""File names that are taken for films."""
NO_SWEEP: Final = "film the whole table in one sweep"
"""What is asked for in the place of a film that is too short to be one."""
EXPECTED: Final = "expected a film (MP4, MOV, AVI or WebM)"
MOST_A_SECOND: Final = 32.0
"""Of a film with more frames a second, some are skipped: what moves is followed as well."""
LEAST_SIDE_PX: Final = 64
UNKNOWN_RATE: Final = 30.0
"""Frames a second where the file does not say."""
MOST_LOST: Final = 120
"""So many frames that cannot be decoded are passed over, one after the other, before a film counts as ended."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a film.

    Attributes:
        number: Its number in the film, from 0.
        seconds: When it is shown.
        image: uint8 (height, width, 3), red first, upright.
    """

    number: int
    seconds: float
    image: RGB


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """An open film.

    Attributes:
        name: Its file.
        width: Of its upright frames, px.
        height: Of its upright frames, px.
        frame_rate: Frames a second.
        frame_count: How many frames the file says it has; 0 where it does not say.
    """

    name: str
    width: int
    height: int
    frame_rate: float
    frame_count: int
    _capture: Any
    _passed: list[float] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """How long the film takes as its file says; 0 where it does not say."""
        return self.frame_count / self.frame_rate

    @property
    def last_seconds(self) -> float:
        """When the last frame ends that was read."""
        return self._passed[-1] + 1 / self.frame_rate if self._passed else 0.0

    def frames(self, most_a_second: float = MOST_A_SECOND) -> Iterator[Frame]:
        """The frames from where the film stands, once; of faster films only every second one, or third, and so on.

        What is damaged on the way is passed over.
        """
        step, to_rgb = max(1, round(self.frame_rate / most_a_second)), opencv().COLOR_BGR2RGB
        number = lost = 0
        seconds = 0.0
        while lost <= (MOST_LOST if number < self.frame_count else 0):
            if not self._capture.grab():
                lost += 1
            else:
                lost = 0
                seconds = self._seconds_now(number, seconds)
                if number % step == 0:
                    shown, image = self._capture.retrieve()
                    if shown:
                        yield Frame(number, seconds, np.asarray(opencv().cvtColor(image, to_rgb), np.uint8))
                self._passed[:] = [seconds]
            number += 1

    def _seconds_now(self, number: int, before: float) -> float:
        """When the frame of a number is shown: as the file says, for a phone's frames come at no even rate."""
        told = float(self._capture.get(opencv().CAP_PROP_POS_MSEC)) / 1000
        return told if told > before else max(before, number / self.frame_rate)


@dataclass(frozen=True, slots=True)
class ChosenFrames:
    """Frames of a film that were chosen where it lies: sharp ones, each a part of the picture on from the last.

    Attributes:
        name: What the film is called.
        seconds: How long it takes; 0 while it is still being made.
        pictures: When each frame is shown, in seconds, and its file (JPEG); they may come while the film is being made.
    """

    name: str
    seconds: float
    pictures: Iterable[tuple[float, bytes]]

    @property
    def last_seconds(self) -> float:
        """When it ends: whoever chose the frames has seen all of it."""
        return self.seconds

    def frames(self) -> Iterator[Frame]:
        """The frames. Raises PhotoError for a file that is no picture."""
        for number, (seconds, picture) in enumerate(self.pictures):
            yield Frame(number, seconds, load(picture))


def is_film(path: str | os.PathLike[str]) -> bool:
    """Whether a file's name is that of a film."""
    return Path(path).suffix.lower() in SUFFIXES and not Path(path).is_dir()


@contextmanager
def open_film(path: str | os.PathLike[str]) -> Iterator[Film]:
    """Opens a film.

    Raises:
        FilmError: For a file that is missing, empty, broken, without pictures, or no film.
    """
    name = os.fspath(path)
    _check_file(name)
    cv2 = opencv()
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    capture = cv2.VideoCapture(name)
    try:
        yield _describe(name, capture, cv2)
    finally:
        capture.release()
        cv2.utils.logging.setLogLevel(level)


def _check_file(name: str) -> None:
    if not os.path.exists(name):
        raise FilmError(name, "no such file")
    if os.path.isdir(name):
        raise FilmError(name, f"a folder; {EXPECTED}")
    try:
        with open(name, "rb") as file:
            head = file.read(16)
    except OSError as error:
        raise FilmError(name, fault_of(error)) from error
    if not head:
        raise FilmError(name, f"the file is empty; {EXPECTED}")


def _describe(name: str, capture: Any, cv2: Any) -> Film:
    if not capture.isOpened():
        raise FilmError(name, f"no pictures in it that can be read: damaged, sound only, or no film; {EXPECTED}")
    width, height, rate, count = (
        capture.get(what)
        for what in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FPS, cv2.CAP_PROP_FRAME_COUNT)
    )
    if min(width, height) < LEAST_SIDE_PX:
        raise FilmError(
            name, f"its pictures have {width:.0f} x {height:.0f} px; expected {LEAST_SIDE_PX} px and more a side"
        )
    known = 1 <= rate <= 1000
    return Film(name, int(width), int(height), rate if known else UNKNOWN_RATE, max(0, int(count)), capture)
