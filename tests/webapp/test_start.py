from __future__ import annotations

from solver.answer import GAMES
from webapp.start import _sample_game, samples


def test_there_is_a_sample_photo_of_each_game() -> None:
    assert {_sample_game(path) for path in samples()} == set(GAMES)
