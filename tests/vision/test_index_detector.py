"""Decoding, suppression and cutting out, on raw maps written by hand; the network itself is tested with its weights."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.networks import index_detector
from vision.networks.index_detector import BINS, Detector
from vision.networks.outputs import Detections
from vision.networks.runtime import ModelError

needs_weights = pytest.mark.skipif(not index_detector.DetectorNetwork.weights.is_file(), reason="no weights in models/")


def raw_map(cells: dict[tuple[int, int], tuple[int, float, tuple[int, int, int, int]]], size: int = 8) -> np.ndarray:
    """A map with one finding a cell: kind, logit, distances in strides; the points lie half a stride around."""
    grid = np.zeros((4 * BINS + 6, size, size), np.float32)
    grid[4 * BINS : 4 * BINS + 2] = -20
    for (x, y), (kind, logit, sides) in cells.items():
        grid[4 * BINS + kind, y, x] = logit
        for side, distance in enumerate(sides):
            grid[side * BINS + distance, y, x] = 50.0
        grid[4 * BINS + 2 :, y, x] = [0.25, 0.0, 0.25, 0.5]
    return grid


def test_a_map_is_decoded_to_pixels() -> None:
    found = index_detector._decode(
        raw_map({(2, 3): (0, 0.0, (1, 2, 1, 2)), (5, 5): (1, 2.0, (1, 1, 1, 1))}), 8, (0.3, 0.3)
    )
    assert found.kind.tolist() == [0, 1]
    assert found.boxes[0].tolist() == pytest.approx([12, 12, 28, 44])
    assert found.score.tolist() == pytest.approx([0.5, 1 / (1 + np.exp(-2))])
    assert found.points[0].tolist() == [[20, 24], [20, 32]]


def test_what_is_unsure_is_left_out() -> None:
    grid = raw_map({(2, 3): (0, -2.0, (1, 1, 1, 1))})
    assert len(index_detector._decode(grid, 8, (0.25, 0.25)).score) == 0
    assert len(index_detector._decode(grid, 8, (0.1, 0.9)).score) == 1
    assert len(index_detector._decode(grid, 8, (1.0, 0.0001)).score) == 0


def found(kind: int, boxes: list[list[float]], points: list[list[list[float]]] | None = None) -> index_detector._Found:
    count = len(boxes)
    score = np.linspace(0.9, 0.5, count, dtype=np.float32)
    where = np.asarray(points if points is not None else np.zeros((count, 2, 2)), np.float32)
    return index_detector._Found(np.full(count, kind), np.asarray(boxes, np.float32), score, where)


def test_of_the_same_index_the_surest_stays() -> None:
    kept = index_detector._distinct(found(0, [[0, 0, 10, 20], [1, 0, 11, 20], [7, 0, 17, 20]]))
    assert kept.tolist() == [0, 2]


def test_overlapped_backs_in_a_slanting_column_stay_apart() -> None:
    """Strips of a column at 45 degrees have boxes that nearly coincide; their middles tell them apart."""
    boxes = [[d, d, 70 + d, 70 + d] for d in (0, 10, 20)] + [[1, 0, 71, 70]]
    ends = [[[30 + d, 40 + d], [40 + d, 50 + d]] for d in (0, 10, 20)] + [[[31, 40], [41, 50]]]
    assert index_detector._distinct(found(1, boxes, ends)).tolist() == [0, 1, 2]


@given(st.floats(0, 6.28), st.floats(8, 60), st.floats(0.45, 0.8))
@settings(max_examples=100, deadline=None)
def test_points_are_put_where_the_box_says(turn: float, height: float, ratio: float) -> None:
    """Whatever the turn: an index of known height and width gives its points back from box and direction."""
    down, side = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
    corners = [x * down * height / 2 + y * side * ratio * height / 2 for x in (-1, 1) for y in (-1, 1)]
    box = np.concatenate([np.min(corners, 0), np.max(corners, 0)])[None].astype(np.float32)
    drawn_together = np.stack([-down, down])[None].astype(np.float32)
    rank, suit = index_detector._align_points(box + 100, drawn_together)[0]
    distance = index_detector.SPREAD * (1 + ratio) * height
    assert (suit - rank).tolist() == pytest.approx((down * distance).tolist(), abs=0.05)
    assert ((suit + rank) / 2).tolist() == pytest.approx(
        (100 + down * distance * index_detector.TUNING.points_below_share).tolist(), abs=0.05
    )


@given(st.floats(0, 6.28), st.floats(8, 150), st.floats(60, 120))
@settings(max_examples=100, deadline=None)
def test_ends_of_a_back_are_put_where_the_box_says(turn: float, length: float, width: float) -> None:
    down, side = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
    corners = [x * down * length / 2 + y * side * width / 2 for x in (-1, 1) for y in (-1, 1)]
    box = np.concatenate([np.min(corners, 0), np.max(corners, 0)])[None].astype(np.float32)
    first, last = index_detector._stretch_ends(box + 200, np.stack([-down, down])[None].astype(np.float32))[0]
    askew = abs(abs(down[0]) - abs(down[1])) < index_detector.TUNING.diagonal_difference
    assert (last - first).tolist() == pytest.approx((down * (2 if askew else length)).tolist(), abs=0.2)


@given(st.integers(200, 6000), st.floats(0.2, 2.0))
@settings(max_examples=80, deadline=None)
def test_pieces_cover_a_side_and_overlap(side: int, scale: float) -> None:
    spans = index_detector._spans(side, scale)
    assert (spans[0][0], spans[-1][1]) == (0, side)
    assert max(end - start for start, end in spans) <= index_detector.TUNING.sheet_px / scale + 2
    assert len({end - start for start, end in spans}) <= 3, "all are of one length, but for rounding"
    for (_, end), (start, _) in itertools.pairwise(spans):
        assert end - start >= index_detector.TUNING.piece_overlap_px / scale - 1


def test_missing_and_broken_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nowhere\.onnx: no such weights"):
        Detector(tmp_path / "nowhere.onnx")
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no network")
    with pytest.raises(ModelError, match="not an ONNX network that can be loaded"):
        Detector(broken)


@needs_weights
def test_another_network_is_refused() -> None:
    from vision.networks.index_reader import Reader

    with pytest.raises(ModelError, match="takes crops; expected image"):
        Detector(Reader.weights)


BOXES = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(0, 1500), st.integers(5, 40), st.integers(5, 40)), min_size=1
)


@given(BOXES, st.floats(0, 60))
@settings(max_examples=60, deadline=None)
def test_parts_show_all_boxes_and_a_margin_and_no_two_would_be_smaller_as_one(
    boxes: list[tuple[int, ...]], margin: float
) -> None:
    corners = np.array([(x, y, x + width, y + height) for x, y, width, height in boxes], np.float32)
    parts = index_detector._parts_round(corners, margin).astype(float)
    wanted = corners + np.array([-margin, -margin, margin, margin])
    low, high = parts[:, None, :2] <= wanted[:, :2] + 1e-3, parts[:, None, 2:] >= wanted[:, 2:] - 1e-3
    assert (low.all(2) & high.all(2)).any(0).all()
    for first, second in itertools.combinations(parts, 2):
        both = np.maximum(first[2:], second[2:]) - np.minimum(first[:2], second[:2])
        assert both.prod() >= 0.999 * sum((part[2:] - part[:2]).prod() for part in (first, second))


def test_only_indices_that_lie_in_a_tight_fan_are_looked_at_again() -> None:
    fan = [[100, 100, 120, 140], [125, 100, 145, 140], [180, 100, 200, 140], [900, 100, 920, 140]]
    (part,) = index_detector._crowded_parts(found(0, fan), 40.0).tolist()
    assert part == [20, 20, 225, 220], "the first two with a margin: the third lies farther away than an index is long"
    assert index_detector._crowded_parts(found(0, fan[2:]), 40.0).shape == (0, 4)
    assert index_detector._crowded_parts(found(0, [[0, 0, 1, 1]]).take(np.zeros(0, int)), 40.0).shape == (0, 4)


@needs_weights
def test_parts_are_not_looked_at_twice_at_nearly_the_same_scale() -> None:
    detector = Detector()
    photo, part, limits = np.full((200, 300, 3), 114, np.uint8), np.array([[0, 0, 300, 200]], np.float32), (0.5, 0.5)
    closer, scale = detector._see_cuts(photo, part, 1.0, 1.75, limits)
    assert (len(closer), scale) == (1, 1.75)
    assert detector._see_cuts(photo, part, scale, 2.0, limits) == ([], scale)
    assert detector._see_cuts(photo, np.zeros((0, 4), np.float32), 1.0, 2.0, limits) == ([], 1.0)


def test_two_indices_that_from_afar_looked_like_one_are_two() -> None:
    closer = found(0, [[100, 100, 120, 140], [118, 100, 138, 140]])
    afar = [[102, 99, 137, 141], [99, 100, 119, 140], [300, 100, 320, 140]]
    left = index_detector._without_several(found(0, afar), closer)
    assert left.boxes.tolist() == afar[1:], "the first box holds the middles of both"
    assert len(index_detector._without_several(found(1, afar), closer).boxes) == 3, "backs stay"


def test_parts_are_whole_px_of_the_photo() -> None:
    parts = np.array([[-20.5, 40.2, 120, 70], [300, 200, 310.5, 290]], np.float32)
    assert index_detector._whole_px(parts, 1000, 250).tolist() == [[0, 40, 120, 70], [300, 200, 311, 250]]


@given(st.lists(st.tuples(st.integers(8, 1284), st.integers(8, 1284)), min_size=1, max_size=40))
@settings(max_examples=60, deadline=None)
def test_pieces_lie_apart_on_sheets(pieces: list[tuple[int, int]]) -> None:
    sizes = np.array(pieces)
    sheets = index_detector._sheets_of(sizes)
    assert sorted(row for rows, _ in sheets for row in rows.tolist()) == list(range(len(pieces)))
    for rows, corners in sheets:
        ends = corners + sizes[rows]
        assert ends.max() <= index_detector.TUNING.sheet_px + index_detector.GAP
        for one, other in itertools.combinations(range(len(rows)), 2):
            gap = np.maximum(corners[one] - ends[other], corners[other] - ends[one]).max()
            assert gap >= index_detector.GAP


@needs_weights
def test_small_indices_are_found_where_they_are_in_the_photo() -> None:
    """A photo made four times smaller, on a large table: its indices are cut out, and put back to where they lie."""
    from vision.image import load, shrunk

    photo = load(Path(__file__).parents[2] / "datasets/samples/makiaveli_1.jpg")
    detector = Detector()
    alone, _ = detector.detect(photo)
    table = np.full((1200, 1600, 3), (40, 90, 50), np.uint8)
    table[300:900, 500:1300] = shrunk(photo, (800, 600))
    small, _ = detector.detect(table)
    middles = [(boxes[:, :2] + boxes[:, 2:]) / 2 for boxes in (alone.boxes[alone.confidence > 0.6], small.boxes)]
    there = middles[0] * 800 / photo.shape[1] + np.array([500, 300])
    nearest = np.linalg.norm(there[:, None] - middles[1], axis=2).min(1)
    assert len(there) > 30
    assert (nearest < 2.5).mean() > 0.95


@needs_weights
@pytest.mark.parametrize("shape", [(8, 8), (5, 400), (1, 1), (33, 700), (480, 640)])
def test_an_empty_picture_of_any_shape_has_no_cards(shape: tuple[int, int]) -> None:
    image = np.full((*shape, 3), 128, np.uint8)
    detections, backs = Detector().detect(image)
    assert isinstance(detections, Detections)
    assert len(detections) == len(backs) == 0


@needs_weights
def test_a_wrong_array_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected uint8 \(H, W, 3\)"):
        Detector().detect(np.zeros((10, 10), np.uint8))
