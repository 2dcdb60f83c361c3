from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.measure.metrics import Matches, Rates, expected_calibration_error, iou_matrix

NONE = np.zeros(0, np.bool_)


def square(x: float, y: float, side: float = 10) -> list[float]:
    return [x, y, x + side, y + side]


def matches(boxes: list[list[float]], score: list[float], truth: list[list[float]], ignore: list[bool]) -> Matches:
    rows = np.asarray(truth, float).reshape(-1, 4)
    return Matches.of(np.asarray(boxes, float).reshape(-1, 4), np.asarray(score), rows, np.asarray(ignore, bool), 0.5)


def test_a_second_finding_of_the_same_thing_is_wrong() -> None:
    got = matches([square(0, 0), square(1, 0)], [0.8, 0.9], [square(0, 0)], [False])
    assert got.score.tolist() == [0.9, 0.8]
    assert got.right.tolist() == [True, False]


def test_what_is_ignored_counts_neither_way() -> None:
    got = matches(
        [square(0, 0), square(50, 0), [2, 2, 7, 7]], [0.9, 0.8, 0.7], [square(0, 0), square(90, 0)], [True, False]
    )
    assert got.right.tolist() == [False], "the finding at (50, 0) alone"
    assert got.wanted == 1


def test_pictures_without_things_keep_their_wrong_findings() -> None:
    empty = matches([square(0, 0)], [0.95], [], [])
    full = matches([square(0, 0)], [0.9], [square(0, 0)], [False])
    assert Matches.joined([full]).average_precision == 1.0
    assert Matches.joined([full, empty]).average_precision == 0.5
    assert np.isnan(empty.average_precision)


def slow_average_precision(score: list[float], right: list[bool], wanted: int) -> float:
    """By the book: for each found thing, the best precision at that recall or a later one."""
    order = sorted(range(len(score)), key=lambda i: -score[i])
    precision = [sum(right[i] for i in order[: n + 1]) / (n + 1) for n in range(len(order))]
    return sum(max(precision[n:]) for n, i in enumerate(order) if right[i]) / wanted


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 40))
@settings(max_examples=100, deadline=None)
def test_average_precision_agrees_with_the_slow_one(right: list[bool], more: int) -> None:
    score = [(37 * i % 101) / 101 for i in range(len(right))]
    wanted = sum(right) + more
    fast = Matches(np.asarray(score), np.asarray(right, bool), wanted).average_precision
    assert fast == pytest.approx(slow_average_precision(score, right, wanted))


def test_rates_add_up_and_have_no_value_without_cases() -> None:
    total = Rates(1, 2, 4) + Rates(2, 2, 2)
    assert str(total) == "precision 75.0% [30.1, 95.4] (3/4), recall 50.0% [18.8, 81.2] (3/6)"
    assert "precision not measured" in str(Rates())


@given(st.lists(st.floats(0, 100), min_size=4, max_size=4), st.lists(st.floats(0, 100), min_size=4, max_size=4))
@settings(max_examples=100, deadline=None)
def test_overlap_is_symmetric_and_a_share(first: list[float], second: list[float]) -> None:
    a, b = (np.asarray([[min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])]]) for v in (first, second))
    value = float(iou_matrix(a, b)[0, 0])
    assert 0 <= value <= 1 + 1e-9
    assert value == pytest.approx(float(iou_matrix(b, a)[0, 0]))


def test_calibration_of_honest_confidence_is_near_zero() -> None:
    rng = np.random.default_rng(0)
    confidence = rng.uniform(0.3, 1, 20_000)
    assert expected_calibration_error(confidence, rng.random(20_000) < confidence) < 0.02
    assert np.isnan(expected_calibration_error(np.zeros(0), NONE))
