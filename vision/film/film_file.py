"""Films in: the only place that knows film files. Frames are streamed, upright and red first, one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from plumbing.errors import fault_of
from vision.errors import FilmError
from vision.image import RGB, load

if TYPE_CHECKING:  # it takes a tenth of a second to import, and only films need it
    from av import VideoFrame
    from av.container import InputContainer

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
"""So many parts that cannot be decoded are passed over, one after the other, before a film counts as ended."""
MOST_THREADS: Final = 4
"""Each thread that decodes holds some frames: more would take more memory for little."""
MOST_PIXELS: Final = 8192 * 4320
"""Of a frame with its margins of 128 px: a file of few bytes may claim any number, and take that much memory."""
UNSPECIFIED: Final = 2, 0
"""What FFmpeg calls a colour space and a range of levels of which a file says nothing."""
OPENING: Final = {"format_whitelist": "mov,avi,matroska,mpegts,mpeg", "protocol_whitelist": "file"}
"""A file whose name is a film's may be a list of other files, or of addresses: none of them is opened."""


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
    _pictures: Iterator[VideoFrame]
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

        What is damaged on the way is passed over, and so is what has another size.
        """
        step = max(1, round(self.frame_rate / most_a_second))
        begin = before = 0.0
        for number, picture in enumerate(self._pictures):
            told = picture.time or 0.0
            begin = begin if number else told
            # As the file says, for a phone's frames come at no even rate.
            seconds = told - begin if told - begin > before else max(before, number / self.frame_rate)
            if number % step == 0 and (image := upright(picture)).shape[:2] == (self.height, self.width):
                yield Frame(number, seconds, image)
            before = seconds
            self._passed[:] = [seconds]


def upright(picture: VideoFrame) -> RGB:
    """A decoded frame as it is shown; colours that are told in an unknown way are taken as if nothing were told."""
    from av import FFmpegError

    try:
        pixels = picture.to_ndarray(format="rgb24")
    except FFmpegError:
        picture.colorspace, picture.color_range = UNSPECIFIED
        pixels = picture.to_ndarray(format="rgb24")
    return np.ascontiguousarray(np.rot90(pixels, picture.rotation // 90), np.uint8)


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
    import av

    name = os.fspath(path)
    _check_file(name)
    nothing = f"no pictures in it that can be read: damaged, sound only, or no film; {EXPECTED}"
    try:
        container = av.open(name, container_options=OPENING, metadata_errors="ignore")
    except (av.FFmpegError, OSError, ValueError) as error:
        raise FilmError(name, nothing) from error
    with container:
        if not container.streams.video or container.streams.video[0].codec_context is None:
            raise FilmError(name, nothing)
        pictures = _decode(container)
        first = next(pictures, None)
        if first is None:
            raise FilmError(name, nothing)
        yield _describe(name, container, first, chain([first], pictures))


def _decode(container: InputContainer) -> Iterator[VideoFrame]:
    """The frames of a film's pictures; what is damaged is passed over."""
    import av

    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    stream.codec_context.options = {"max_pixels": str(MOST_PIXELS)}
    stream.codec_context.thread_count = min(os.cpu_count() or 1, MOST_THREADS)
    lost = 0
    while lost <= MOST_LOST:
        try:
            for packet in container.demux(stream):
                for picture in packet.decode():
                    lost = 0
                    yield picture
            return
        except av.FFmpegError:
            lost += 1


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


def _describe(name: str, container: InputContainer, first: VideoFrame, pictures: Iterator[VideoFrame]) -> Film:
    """A film whose first frame was decoded."""
    stream = container.streams.video[0]
    height, width = (first.width, first.height) if first.rotation % 180 else (first.height, first.width)
    if min(width, height) < LEAST_SIDE_PX:
        raise FilmError(name, f"its pictures have {width} x {height} px; expected {LEAST_SIDE_PX} px and more a side")
    rate = float(stream.average_rate or stream.guessed_rate or 0)
    rate = rate if 1 <= rate <= 1000 else UNKNOWN_RATE
    seconds = (container.duration or 0) / 1e6
    return Film(name, width, height, rate, stream.frames or max(0, round(seconds * rate)), pictures)
