from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from vision.networks.outputs import Backs, Detections, Reads


def one() -> Detections:
    return Detections([[1, 2, 11, 22]], [0.5], [[6, 7]], [[6, 17]])  # type: ignore[arg-type]


def test_arrays_become_float32_and_cannot_be_written() -> None:
    found = one()
    assert found.boxes.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        found.boxes[0, 0] = 5
    with pytest.raises(FrozenInstanceError):
        found.boxes = found.boxes  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("confidence", [0.5, 0.5], r"confidence has shape \(2,\); expected \(1,\)"),
        ("rank_xy", [[1, 2, 3]], r"rank_xy has shape \(1, 3\); expected \(1, 2\)"),
        ("confidence", [1.5], "outside 0 to 1"),
        ("boxes", [[5, 0, 1, 9]], "x2 < x1"),
        ("suit_xy", [[np.nan, 0]], "NaN"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object, message: str) -> None:
    fields = {"boxes": [[1, 2, 11, 22]], "confidence": [0.5], "rank_xy": [[6, 7]], "suit_xy": [[6, 17]]}
    with pytest.raises(ValueError, match=message):
        Detections(**(fields | {field: value}))  # type: ignore[arg-type]


def test_rows_can_be_chosen() -> None:
    backs = Backs([[0, 0, 5, 5], [9, 9, 12, 12]], [0.9, 0.2], np.zeros((2, 2, 2)))  # type: ignore[arg-type]
    assert backs[backs.confidence > 0.5].boxes.tolist() == [[0, 0, 5, 5]]
    assert len(one()[np.zeros(1, np.bool_)]) == 0


def test_reads_are_probabilities() -> None:
    even = np.full((1, 13), -np.log(13)), np.full((1, 4), -np.log(4)), np.zeros(1)
    reads = Reads(*even)
    assert reads.log_card.shape == (1, 52)
    assert np.exp(reads.log_card).sum() == pytest.approx(1, abs=1e-4)
    with pytest.raises(ValueError, match="log_rank has a row whose probabilities sum to 13"):
        Reads(np.zeros((1, 13)), *even[1:])
    with pytest.raises(ValueError, match="log_index is above 0"):
        Reads(*even[:2], np.ones(1))
