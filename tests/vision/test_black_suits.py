"""Clubs and spades of one photo weighed together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cards.black_suits import CLUB, SPADE, TUNING, weigh_black_suits
from vision.networks.outputs import Reads


def reads_of(odds: np.ndarray, red: int = 3) -> Reads:
    """Black indices with these log-odds of club to spade, and some red ones."""
    suit = np.full((len(odds) + red, 4), 1e-4)
    suit[: len(odds), CLUB] = 1 / (1 + np.exp(-odds))
    suit[: len(odds), SPADE] = 1 / (1 + np.exp(odds))
    suit[len(odds) :, 1] = 1
    suit /= suit.sum(1, keepdims=True)
    n = len(suit)
    return Reads(np.full((n, 13), -np.log(13)), np.log(suit), np.zeros(n))


def test_a_deck_whose_clubs_all_lean_to_spades_is_put_right() -> None:
    rng = np.random.default_rng(0)
    odds = np.concatenate([rng.normal(-2.0, 0.8, 15), rng.normal(-6.0, 0.5, 15)])
    before = reads_of(odds)
    after = weigh_black_suits(before)
    club = after.log_suit[:30, CLUB] > after.log_suit[:30, SPADE]
    assert (before.log_suit[:15, CLUB] < before.log_suit[:15, SPADE]).sum() >= 13
    assert club[:15].sum() >= 13
    assert not club[15:].any()
    assert np.array_equal(before.log_suit[30:], after.log_suit[30:])  # red ones stay
    assert np.array_equal(before.log_rank, after.log_rank)


@pytest.mark.parametrize("side", [-5.0, 6.0])
def test_a_photo_of_one_suit_stays_of_one_suit(side: float) -> None:
    odds = side + np.random.default_rng(1).normal(0, 0.7, 13)
    after = weigh_black_suits(reads_of(odds))
    assert ((after.log_suit[:13, CLUB] > after.log_suit[:13, SPADE]) == (side > 0)).all()


@pytest.mark.parametrize("middle", [-1.0, 0.0, 1.0])
def test_blurred_symbols_that_form_one_heap_between_both_suits_are_not_sure(middle: float) -> None:
    odds = np.random.default_rng(2).normal(middle, 0.5, 20)
    after = weigh_black_suits(reads_of(odds))
    weighed = after.log_suit[:20, CLUB] - after.log_suit[:20, SPADE]
    assert np.abs(weighed).max() < 3, "they may all be clubs as well as spades"


@given(st.lists(st.floats(-9, 9), max_size=40))
def test_probabilities_stay_probabilities(odds: list[float]) -> None:
    """What comes out are reads again, and few indices stay as they are."""
    before = reads_of(np.array(odds, float))
    after = weigh_black_suits(before)  # Reads checks its sums
    black = np.logaddexp(after.log_suit[:, CLUB], after.log_suit[:, SPADE])
    assert np.allclose(black, np.logaddexp(before.log_suit[:, CLUB], before.log_suit[:, SPADE]), atol=1e-6)
    if len(odds) < TUNING.fewest_indices:
        assert after is before
