"""Indices at a slant are read as they look from above too; those that are seen from above are read once."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from solver.cards import DECK
from vision.cards.tilted_reads import read_from_above
from vision.networks.index_reader import Reader, upright_crops
from vision.networks.outputs import Detections, Reads

SIZE = (1600, 1200)
PLACES = [(250.0 + 180 * column, 200.0 + 250 * row) for row in range(4) for column in range(7)]


class Looking(Reader):
    """Says the same of every index, and keeps what it was shown."""

    def __init__(self) -> None:
        self.crops = np.zeros((0, 64, 48, 3), np.uint8)

    def read(self, image: np.ndarray, detections: Detections, side: np.ndarray | None = None) -> Reads:
        self.crops = upright_crops(image, detections.rank_xy, detections.suit_xy, side=side)
        return reads_of(len(detections), 0.6)


def reads_of(count: int, sure: float) -> Reads:
    """Reads of the first cards of a deck."""
    rank, suit = np.full((count, 13), (1 - sure) / 12), np.full((count, 4), (1 - sure) / 3)
    for row in range(count):
        rank[row, DECK[row].rank - 1] = suit[row, DECK[row].suit] = sure
    return Reads(np.log(rank), np.log(suit), np.full(count, -0.01))


def photo_of(table: np.ndarray, tilt: float) -> tuple[np.ndarray, Detections]:
    """A picture of a table by a camera that sees its far end narrower and flatter, and where its indices are then."""
    width, height = SIZE
    seen = np.float32([[tilt * 0.2 * width, tilt * 0.45 * height], [(1 - tilt * 0.2) * width, tilt * 0.45 * height]])
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    matrix = cv2.getPerspectiveTransform(corners, np.concatenate([seen, corners[2:]]))
    points = np.float32([[(x, y), (x, y + 40)] for x, y in PLACES]).reshape(-1, 1, 2)
    rank, suit = cv2.perspectiveTransform(points, matrix).reshape(-1, 2, 2).transpose(1, 0, 2)
    boxes = np.concatenate([np.minimum(rank, suit) - 15, np.maximum(rank, suit) + 15], axis=1)
    found = Detections(boxes, np.full(len(PLACES), 0.9, np.float32), rank, suit)
    return cv2.warpPerspective(table, matrix, SIZE), found


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    rng = np.random.default_rng(2)
    return np.asarray(cv2.resize(rng.integers(0, 255, (75, 100, 3), np.uint8), SIZE, interpolation=cv2.INTER_LINEAR))


def test_what_lies_at_a_slant_is_shown_as_from_above(table: np.ndarray) -> None:
    flat = upright_crops(*upright(photo_of(table, 0.0)))
    image, found = photo_of(table, 1.0)
    plain, reader = upright_crops(*upright((image, found))), Looking()
    both = read_from_above(reader, image, found, reads_of(len(found), 0.97))
    assert len(reader.crops) == len(found)
    as_shown, as_seen = (np.abs(crops.astype(float) - flat).mean() for crops in (reader.crops, plain))
    assert as_shown < 0.5 * as_seen
    assert np.exp(both.log_rank.max(1)).max() < 0.97, "both reads count"
    assert both.log_rank.argmax(1).tolist() == [card.rank - 1 for card in DECK[: len(found)]]


def test_what_is_seen_from_above_is_read_once(table: np.ndarray) -> None:
    image, found = photo_of(table, 0.0)
    reader, reads = Looking(), reads_of(len(found), 0.97)
    assert read_from_above(reader, image, found, reads) is reads
    assert not len(reader.crops)


def test_few_indices_tell_no_table(table: np.ndarray) -> None:
    image, found = photo_of(table, 1.0)
    reads = reads_of(4, 0.97)
    assert read_from_above(Looking(), image, found[:4], reads) is reads


def upright(photo: tuple[np.ndarray, Detections]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    image, found = photo
    return image, found.rank_xy, found.suit_xy
