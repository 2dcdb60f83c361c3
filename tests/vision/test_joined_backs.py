"""A heap of face-down cards is counted by the photos that show all of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.cards.geometry import Plane
from vision.cards.joining.joined_backs import CounterOfPhotos
from vision.networks.back_counter import MOST

STRIP = np.array([[100.0, 100], [160, 100], [160, 260], [100, 260]])
"""A strip on the map, whose first face-up card begins at 236."""


def photo_from(top: int, count: int, backs: list[int], height: int = 300) -> Any:
    """A photo that begins at a row of the map and counts so many cards; its backs begin at these rows of the map."""

    def count_backs(regions: np.ndarray) -> np.ndarray:
        return np.tile(np.log(np.where(np.arange(MOST + 1) == count, 0.94, 0.01)), (len(regions), 1))

    quads = [np.array([[110.0, y], [150, y], [150, y + 56], [110, y + 56]]) - [0, top] for y in backs]
    found = tuple(SimpleNamespace(quad=quad) for quad in quads)
    return SimpleNamespace(size=(300, height), count_backs=count_backs, backs=found, top=top)


@pytest.mark.parametrize(
    ("photos", "count"),
    [
        ([photo_from(0, 3, [190, 205, 220]), photo_from(0, 2, [190, 205], height=225)], 3),  # below, one is cut off
        ([photo_from(0, 3, [140, 170, 200]), photo_from(155, 2, [170, 200])], 3),  # above
        ([photo_from(0, 2, [190, 205], height=225)], 2),  # no other photo shows more
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_photo_that_cuts_a_heap_has_no_say_where_another_shows_it(
    photos: list[Any], count: int, is_first: bool
) -> None:
    photos = photos if is_first else photos[::-1]
    shifts = {k: np.array([[1.0, 0, 0], [0, 1, photo.top], [0, 0, 1]]) for k, photo in enumerate(photos)}
    counter = CounterOfPhotos(photos, shifts, Plane(np.eye(3)))
    (read,) = np.exp(counter(STRIP[None]))
    assert read.argmax() == count
    assert read[count] > 0.9
    assert not counter.is_seen_twice(STRIP[None]).any()


def test_photos_that_show_a_heap_whole_make_its_count_surer() -> None:
    photos = [photo_from(0, 3, [190, 205, 220]), photo_from(20, 3, [190, 205, 220])]
    shifts = {k: np.array([[1.0, 0, 0], [0, 1, photo.top], [0, 0, 1]]) for k, photo in enumerate(photos)}
    counter = CounterOfPhotos(photos, shifts, Plane(np.eye(3)))
    assert np.exp(counter(STRIP[None]))[0, 3] > 0.97
    assert counter.is_seen_twice(STRIP[None]).all()
