"""A film that is read in the background: its frames while it is made, and how far it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from webapp.jobs import Json

if TYPE_CHECKING:
    from vision.film.seen_so_far import SeenSoFar

GONE_S: Final = 15.0
"""After which no further frame of a live film is waited for: a browser sends one every other second."""


class LiveFrames:
    """The frames of a film while it is made: whoever reads them, once, waits for those to come.

    Args:
        key: By which the browser knows the film.
        most: After so many frames it has ended.
    """

    def __init__(self, key: object, most: int) -> None:
        self.key = key
        self._left = most
        self._coming: SimpleQueue[tuple[float, bytes] | None] = SimpleQueue()

    def add(self, frames: Iterable[tuple[float, bytes]], *, ends: bool) -> None:
        """Adds frames, each with its time in seconds; after the last ones the film has ended."""
        for frame in frames:
            self._coming.put(frame)
            self._left -= 1
        if ends or self._left <= 0:
            self._coming.put(None)

    def __iter__(self) -> Iterator[tuple[float, bytes]]:
        with suppress(Empty):
            while (frame := self._coming.get(timeout=GONE_S)) is not None:
                yield frame


class Filming:
    """How far the reading of a film is."""

    def __init__(self) -> None:
        self.seconds = self.whole = 0.0
        self.cards = 0
        self._seen: SeenSoFar | None = None
        self._is_given_up = False

    def give_up(self) -> None:
        """Ends the reading when it tells next how far it is."""
        self._is_given_up = True

    def to_json(self) -> Json:
        """How far it is, as the page shows it; seconds of the film."""
        told: Json = {"seconds": self.seconds, "whole": max(self.whole, self.seconds), "cards": self.cards}
        seen = self._seen
        if seen is not None:
            told["seen"] = {
                "frame": seen.frame,
                "cards": [[*card.quad.round(3).ravel().tolist(), card.times] for card in seen.cards],
                "wanted": None if seen.wanted is None else seen.wanted.round(2).tolist(),
                "whole": seen.is_whole,
                "small": seen.is_far,
            }
        return told

    def tell(self, seconds: float, whole: float, cards: int) -> None:
        """Notes the time in the film, how long it is, in seconds, and how many cards were read so far.

        Raises CancelledError where the reading was given up.
        """
        if self._is_given_up:
            raise CancelledError
        self.seconds, self.whole, self.cards = seconds, whole, cards

    def watch(self, seen: SeenSoFar) -> None:
        """Notes what chosen frames have shown so far."""
        self._seen = seen
