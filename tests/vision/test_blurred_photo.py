"""Photos that a moved camera has blurred: no card of them is as sure as one of a sharp photo."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.image import RGB, load
from vision.photo_quality import surest_read
from vision.photo_to_reading import read_images
from vision.photo_to_table import detect_and_read, see_table

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "klondike_1.jpg"


def moved(image: RGB, px: int) -> RGB:
    """A photo whose camera moved sideways while it was taken."""
    return cv2.filter2D(image, -1, np.full((1, px), 1 / px)).astype(np.uint8)


def surest(image: RGB) -> float:
    found = detect_and_read(image)
    return surest_read(see_table(found), found.detections, image)


def test_cards_are_less_sure_the_further_the_camera_moved() -> None:
    image = load(SAMPLE)
    by = [surest(image if px == 1 else moved(image, px)) for px in (1, 9, 21)]
    assert by[0] == 1.0
    assert by[0] >= by[1] > by[2]
    assert by[2] < 0.98


def test_a_photo_that_shows_little_tells_nothing_of_the_camera() -> None:
    assert surest(np.full((400, 600, 3), 90, np.uint8)) == 1.0


@pytest.mark.parametrize("px", [15, 21])
def test_a_blurred_table_does_not_stand(px: int) -> None:
    reading = read_images([moved(load(SAMPLE), px)])
    assert not reading.unquestioned
    assert all(card.confidence < 0.995 for card in reading.cards if card.sights)


def test_two_blurred_photos_of_a_table_are_no_surer_than_the_sharper_of_them() -> None:
    image = load(SAMPLE)
    both = [moved(image, 15), moved(np.ascontiguousarray(image[8:, 10:]), 21)]
    reading = read_images(both)
    assert max(len(card.sights) for card in reading.cards) == 2
    assert all(card.confidence <= surest(both[0]) + 1e-4 for card in reading.cards if card.sights)
    sharp = read_images([image, both[1]])
    assert max(card.confidence for card in sharp.cards) > 0.999
