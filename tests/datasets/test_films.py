"""Rendered films: each frame is the table as the camera of that moment sees it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from datasets.scenes.films import FRAME_RATE, WAYS, Way, _extent, _move, _to_still, film_table, write_film
from datasets.scenes.renderer import Camera
from datasets.scenes.several_photos import LaidTable, lay_table
from vision.cards.geometry import project
from vision.film.film_file import open_film

SIZE = (180, 320)


@pytest.fixture
def table(own_fonts: None) -> LaidTable:
    return lay_table(np.random.default_rng(3), "validation", "klondike")


def test_a_frame_and_the_large_picture_show_the_same_place() -> None:
    camera = Camera((4.0, 3.0), (160.0, 90.0), 30.0, 0.2, 0.5, 350.0, 0.0, 1.0, (320, 180))
    places = np.array([[2.0, 1.5], [6.0, 2.0], [7.5, 4.5], [1.0, 4.0]])
    still = project(_to_still(camera, np.array([-1.0, -2.0]), 50.0), camera.project(places))
    assert still == pytest.approx((places + np.array([1.0, 2.0])) * 50.0, abs=0.05)


@pytest.mark.parametrize("way", WAYS)
def test_the_way_shows_every_card(table: LaidTable, way: Way) -> None:
    low, high = _extent(table)
    frame = (320, 180) if (high - low)[0] < (high - low)[1] else (180, 320)
    frame = frame if way != "zigzag" else frame[::-1]
    poses = _move(np.random.default_rng(4), low, high, frame, way)
    unseen = {(card.x, card.y) for card in table.cards}
    for moment in range(0, len(poses.scale), 4):
        at = poses.camera(moment, frame).project(np.array(sorted(unseen)))
        inside = np.asarray(((at > 0) & (at < frame)).all(1)).tolist()
        unseen = {place for place, seen in zip(sorted(unseen), inside, strict=True) if not seen}
        if not unseen:
            break
    assert not unseen


def test_frames_are_written_as_a_film(table: LaidTable, tmp_path: Path) -> None:
    frames = list(islice(film_table(np.random.default_rng(5), table, SIZE, "sweep"), 6))
    assert {sorted(frame.shape[:2]) == [180, 320] for frame in frames} == {True}
    assert not np.array_equal(frames[0], frames[5])
    assert write_film(tmp_path / "film.mp4", frames) == 6
    with open_film(tmp_path / "film.mp4") as film:
        assert film.frame_rate == pytest.approx(FRAME_RATE)
        shown = [frame.image for frame in film.frames()]
    assert len(shown) == 6
    assert np.abs(shown[0].astype(float) - frames[0]).mean() < 12
