"""How the counter's word and that of the layout network on cards face down are weighed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.layout.game_choice import weigh_counts
from vision.networks.back_counter import MOST


def _log(told: int, share: float) -> NDArray[np.float64]:
    """(1, MOST + 1) log-probabilities with `share` on one count and the rest spread evenly."""
    chances = np.full((1, MOST + 1), (1 - share) / MOST)
    chances[0, told] = share
    return np.asarray(np.log(chances))


def test_a_clear_view_outweighs_a_guess_by_the_layout() -> None:
    together = weigh_counts(_log(6, 0.9), np.exp(_log(5, 0.99)))
    assert together.argmax() == 5


def test_the_layout_decides_where_the_backs_tell_little() -> None:
    counted = np.exp(_log(5, 0.42))
    counted[0, 6] = 0.4
    together = weigh_counts(_log(6, 0.9), counted)
    assert together.argmax() == 6


def test_what_the_counter_rules_out_stays_finite() -> None:
    counted = np.zeros((1, MOST + 1))
    counted[0, 2] = 1.0
    together = weigh_counts(_log(2, 0.5), counted)
    assert np.isfinite(together).all()
    assert together.argmax() == 2
