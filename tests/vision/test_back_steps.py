"""Counts of face-down cards by how far columns reach: what is plain of some columns tells of the others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.networks.back_counter import ABOVE, BELOW, MOST
from vision.networks.back_steps import weigh_steps

ROW = (ABOVE + BELOW) / 96


def plain(count: int) -> np.ndarray:
    """A count of which one is 96% sure."""
    chance = np.full(MOST + 1, 0.04 / MOST)
    chance[count] = 0.96
    return np.log(chance)


def either(first: int, second: int) -> np.ndarray:
    """One of two counts, both as likely."""
    chance = np.full(MOST + 1, 0.02 / (MOST - 1))
    chance[[first, second]] = 0.49
    return np.log(chance)


def weigh(log_count: list[np.ndarray], reach: list[float]) -> np.ndarray:
    return np.exp(weigh_steps(np.array(log_count), np.array(reach), ABOVE, ROW))


def test_the_step_of_plain_columns_tells_a_doubtful_count() -> None:
    plain_ones, reaches = [plain(count) for count in (2, 3, 4)], [0.4, 0.6, 0.8]
    for count in (5, 6):
        told = weigh([*plain_ones, either(5, 6)], [*reaches, 0.2 * count])
        assert told[-1].argmax() == count
        assert told[-1, count] > 0.55


def test_what_reaches_beyond_the_look_may_go_on() -> None:
    step = ABOVE / 5
    log_count = [plain(2), plain(3), either(4, 6)]
    told = weigh(log_count, [2 * step, 3 * step, 4.9 * step])
    assert told[-1, 6] > told[-1, 4]


def test_where_too_little_is_plain_nothing_is_told() -> None:
    vague = np.full(MOST + 1, 0.1)
    vague[3] = 0.4
    assert np.allclose(weigh([np.log(vague)] * 4, [0.2, 0.4, 0.6, 0.8]), vague)


@given(
    arrays(float, (4, MOST + 1), elements=st.floats(0.001, 1)),
    arrays(float, 4, elements=st.floats(0, ABOVE)),
)
def test_steps_tell_how_many_cards_lie_there_and_not_whether_any_does(chance: np.ndarray, reach: np.ndarray) -> None:
    chance /= chance.sum(1, keepdims=True)
    told = weigh_steps(np.log(chance), reach, ABOVE, ROW)
    assert np.allclose(np.exp(told).sum(1), 1)
    assert np.allclose(np.exp(told[:, 0]), chance[:, 0])


@given(arrays(float, (3, MOST + 1), elements=st.floats(0.001, 1)))
def test_where_no_edge_is_found_nothing_is_told(chance: np.ndarray) -> None:
    chance /= chance.sum(1, keepdims=True)
    assert np.allclose(np.exp(weigh_steps(np.log(chance), np.zeros(3), ABOVE, ROW)), chance)
