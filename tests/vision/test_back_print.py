"""The print on face-down cards tells how many lie there, whatever is printed."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.networks.back_counter import ABOVE, BELOW, HEIGHT, MOST, WIDTH
from vision.networks.back_print import weigh_print

FACE = ABOVE / (ABOVE + BELOW)
CARD = (134, 64)
"""Height and width of a card in a strip, px."""


def draw_table(rng: np.random.Generator, counts: list[int]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Strips of borderless cards with one blurred random print, some upside down, and where edges are seen weakly."""
    noise = rng.random((CARD[0], CARD[1], 3)).astype(np.float32)
    blurred = cv2.GaussianBlur(noise, (0, 0), 4)
    print_ = (255 * (blurred - blurred.min()) / np.ptp(blurred)).astype(np.uint8)
    strips = np.full((len(counts), HEIGHT, WIDTH, 3), 40, np.uint8)
    edges = np.full((len(counts), HEIGHT // 4), 0.02)
    face = round(FACE * HEIGHT)
    for number, count in enumerate(counts):
        steps = rng.integers(22, 44, count)
        tops = face - np.cumsum(steps[::-1])[::-1]
        for top in tops:
            left = (WIDTH - CARD[1]) // 2 + rng.integers(-3, 4)
            card = print_ if rng.random() < 0.5 else print_[::-1, ::-1]
            strips[number, top : top + CARD[0], left : left + CARD[1]] = card[: HEIGHT - top]
            edges[number, top // 4] = rng.uniform(0.4, 0.9)
        strips[number, face:, 16:80] = 250
    noisy = strips + rng.normal(0, 4, strips.shape)
    return noisy.clip(0, 255).astype(np.uint8), edges


def log_of(chances: Any) -> NDArray[np.float64]:
    return np.asarray(np.log(chances / np.sum(chances, axis=-1, keepdims=True)))


def guess(counts: list[int], sure: float) -> NDArray[np.float64]:
    """A guess at each count that holds one card more or less possible too."""
    rows = np.full((len(counts), MOST + 1), 1e-3)
    for row, count in zip(rows, counts, strict=True):
        row[max(count - 1, 1) if count else 1] = row[min(count + 1, MOST)] = (1 - sure) / 2
        row[count] = sure
    return log_of(rows)


@pytest.mark.parametrize("seed", range(4))
def test_the_print_makes_right_counts_surer(seed: int) -> None:
    counts = [0, 1, 2, 3, 4, 5, 6]
    strips, edges = draw_table(np.random.default_rng(seed), counts)
    before = guess(counts, 0.6)
    after = weigh_print(before, strips, edges, FACE, 1 / (ABOVE + BELOW))
    assert after.argmax(1).tolist() == counts
    assert (after[1:, 1:].max(1) > before[1:, 1:].max(1)).all()
    assert np.exp(after.max(1)[1:]).min() > 0.75


def test_the_print_corrects_a_count_that_is_a_card_short() -> None:
    counts = [1, 2, 3, 4, 5, 4]
    strips, edges = draw_table(np.random.default_rng(7), counts)
    before = guess(counts, 0.8)
    before[4] = log_of([0.001, 0.001, 0.001, 0.01, 0.55, 0.4, 0.04])
    after = weigh_print(before, strips, edges, FACE, 1 / (ABOVE + BELOW))
    assert after[4].argmax() == 5


def test_probabilities_stay_probabilities_and_whether_any_card_lies_there_is_left_alone() -> None:
    counts = [0, 2, 3, 4]
    strips, edges = draw_table(np.random.default_rng(3), counts)
    before = guess(counts, 0.7)
    after = weigh_print(before, strips, edges, FACE, 1 / (ABOVE + BELOW))
    assert np.allclose(np.exp(after).sum(1), 1)
    assert np.allclose(after[:, 0], before[:, 0])


@pytest.mark.parametrize("counts", [[], [0, 0, 0], [3]])
def test_too_few_backs_tell_nothing(counts: list[int]) -> None:
    strips, edges = draw_table(np.random.default_rng(1), counts)
    before = guess(counts, 0.7)
    assert np.allclose(weigh_print(before, strips, edges, FACE, 1 / (ABOVE + BELOW)), before)


def test_a_table_that_nobody_can_count_is_left_alone() -> None:
    counts = [2, 3, 4]
    strips, edges = draw_table(np.random.default_rng(2), counts)
    before = guess(counts, 0.3)
    assert np.array_equal(weigh_print(before, strips, edges, FACE, 1 / (ABOVE + BELOW)), before)
