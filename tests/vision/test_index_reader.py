from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.networks import index_reader
from vision.networks.index_reader import HEIGHT, WIDTH, Reader, crop_matrix, upright_crops
from vision.networks.outputs import Detections, Reads

coordinate = st.floats(5, 500)


@given(coordinate, coordinate, st.floats(3, 200), st.floats(0, 6.28))
@settings(max_examples=100, deadline=None)
def test_points_land_upright_in_the_middle(x: float, y: float, distance: float, turn: float) -> None:
    rank = np.asarray([x, y], np.float32)
    suit = rank + np.float32(distance) * np.asarray([np.cos(turn), np.sin(turn)], np.float32)
    matrix = crop_matrix(rank, suit)
    (rank_x, rank_y), (suit_x, suit_y) = (matrix @ [*point, 1] for point in (rank, suit))
    assert rank_x == pytest.approx(WIDTH / 2, abs=0.1)
    assert suit_x == pytest.approx(WIDTH / 2, abs=0.1)
    assert rank_y + suit_y == pytest.approx(HEIGHT, abs=0.2)
    assert suit_y - rank_y == pytest.approx(HEIGHT / index_reader.SPAN, abs=0.1)
    assert np.linalg.det(matrix[:, :2]) > 0, "never mirrored"


def test_a_turned_photo_gives_the_same_crop() -> None:
    rng = np.random.default_rng(3)
    image = np.kron(rng.integers(0, 255, (30, 40, 3), np.uint8), np.ones((8, 8, 1), np.uint8))
    rank, suit = np.float32([[150, 100]]), np.float32([[156, 128]])
    upright = upright_crops(image, rank, suit)
    last = image.shape[0] - 1
    turned = np.ascontiguousarray(np.rot90(image, -1))  # clockwise: (x, y) -> (last - y, x)
    again = upright_crops(turned, *(np.stack([last - p[:, 1], p[:, 0]], 1) for p in (rank, suit)))
    assert np.abs(upright.astype(int) - again).mean() < 6


def test_big_indices_are_averaged_not_sampled() -> None:
    board = (np.indices((900, 900)).sum(0) % 2 * 255).astype(np.uint8)
    crops = upright_crops(np.repeat(board[..., None], 3, 2), np.float32([[450, 350]]), np.float32([[450, 550]]))
    assert crops.std() < 30


def test_coinciding_points_are_no_error() -> None:
    crops = upright_crops(np.zeros((20, 20, 3), np.uint8), np.float32([[5, 5]]), np.float32([[5, 5]]))
    assert crops.shape == (1, HEIGHT, WIDTH, 3)


def test_views_of_an_index_are_averaged_to_probabilities() -> None:
    rng = np.random.default_rng(0)
    views = []
    for _ in range(3):
        rank, suit = rng.normal(0, 3, (4, 13)), rng.normal(0, 3, (4, 4))
        views.append(Reads(*(v - np.log(np.exp(v).sum(1, keepdims=True)) for v in (rank, suit)), -rng.random(4)))
    mean = index_reader.averaged(views)  # Reads itself checks that the probabilities sum to 1
    assert mean.log_rank.argmax(1).tolist() == np.mean([v.log_rank for v in views], 0).argmax(1).tolist()
    same = index_reader.averaged([views[0], views[0]])
    assert np.allclose(same.log_suit, views[0].log_suit, atol=1e-5)


@pytest.mark.skipif(not Reader.weights.is_file(), reason="no weights in models/")
def test_reads_have_a_row_each() -> None:
    image = np.full((100, 100, 3), 90, np.uint8)
    read = Reader()
    assert len(read.read(image, Detections.empty())) == 0
    many = 150
    boxes = np.tile(np.float32([10, 10, 30, 40]), (many, 1))
    found = Detections(
        boxes, np.full(many, 0.9, np.float32), np.full((many, 2), 20, np.float32), np.full((many, 2), 35, np.float32)
    )
    reads = read.read(image, found)
    assert reads.log_rank.shape == (many, 13)
    assert np.exp(reads.log_index).max() < 0.5, "plain grey is no index"
