"""A film that is read in the background, so that the page can tell how far it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any

from webapp import photo_session
from webapp.photo_session import FilmData, Json, PhotoSession


class Filming:
    """One film, being read in a thread of its own.

    Args:
        name: What the film is called.
        film: The file, or frames chosen from it.
        game: The game's word or `auto`.
        slot: Is held while it is read.
    """

    def __init__(self, name: str, film: FilmData, game: str, slot: AbstractContextManager[Any]) -> None:
        self.seconds = self.whole = 0.0
        self.cards = 0
        pool = ThreadPoolExecutor(1, thread_name_prefix="film")
        self._reading = pool.submit(self._read, name, film, game, slot)
        pool.shutdown(wait=False)

    @property
    def done(self) -> bool:
        """Whether it has been read, or cannot be."""
        return self._reading.done()

    def shot(self) -> PhotoSession:
        """What it shows, once it has been read. Raises CardsError where it cannot be read."""
        return self._reading.result()

    def to_json(self) -> Json:
        """How far it is, as the page shows it; seconds of the film."""
        return {"seconds": self.seconds, "whole": max(self.whole, self.seconds), "cards": self.cards}

    def _read(self, name: str, film: FilmData, game: str, slot: AbstractContextManager[Any]) -> PhotoSession:
        with slot:
            return photo_session.read_film(name, film, game, self._tell)

    def _tell(self, seconds: float, whole: float, cards: int) -> None:
        self.seconds, self.whole, self.cards = seconds, whole, cards
