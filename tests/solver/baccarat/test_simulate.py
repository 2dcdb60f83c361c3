"""The kernels against the twin and against the exact odds at fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from plumbing.errors import RulesError
from solver.baccarat.kernels import fresh_rounds, shoe_rounds
from solver.baccarat.rules import Outcome, Shoe
from solver.baccarat.simulate import simulate
from tests.naive import baccarat as naive


@pytest.mark.parametrize("shoe", [Shoe.of_decks(1), Shoe.of_decks(8), Shoe.endless()], ids=["1", "8", "inf"])
def test_fresh_rounds_fit_the_exact_odds(shoe: Shoe) -> None:
    result = simulate(2_000_000, shoe=shoe, seed=7)
    assert result.tally.total == 2_000_000
    statistic, p = result.chi_square()
    assert p > 0.001, statistic
    assert max(abs(result.z(outcome)) for outcome in Outcome) < 3.3
    pairs = result.exact.player_pairs / result.exact.total
    for seen in (result.tally.player_pairs, result.tally.banker_pairs):
        assert abs(seen / 2e6 - pairs) < 3.3 * (pairs * (1 - pairs) / 2e6) ** 0.5
    six = result.exact.banker_six / result.exact.total
    assert abs(result.tally.banker_six / 2e6 - six) < 3.3 * (six * (1 - six) / 2e6) ** 0.5


def test_fresh_rounds_of_six_cards_are_all_orders_of_them() -> None:
    # A shoe of six different values: every order is as likely as any other.
    ranks = [1, 3, 4, 6, 8, 10]
    counted = naive.count_all(ranks)
    rounds = 720_000
    cells = fresh_rounds(np.array(ranks, np.uint8), False, rounds, rounds, np.uint64(5))[0]
    expected = [0] * 12
    for (winner, taken, points), ways in counted.items():
        row = 3 if (winner, points) == ("banker", 6) else ("player", "banker", "tie").index(winner)
        expected[3 * row + taken - 4] += ways * rounds // 720
    statistic = sum((seen - want) ** 2 / want for seen, want in zip(cells, expected, strict=False) if want)
    assert not any(seen for seen, want in zip(cells, expected, strict=False) if not want)
    assert statistic < 31.3  # chi-square, at most 11 degrees of freedom, p = 0.001


def test_whole_shoes_fit_the_exact_odds_and_use_up_the_shoe() -> None:
    result = simulate(20_000_000, mode="whole", cut=14, seed=7)
    assert result.tally.total == 20_000_000
    assert max(abs(result.z(outcome)) for outcome in Outcome) < 3.3
    cards = sum(k * float(result.tally.with_cards(k)) for k in (4, 5, 6)) * 20_000_000
    # Every full shoe ends with fewer than 14 cards behind the cut card used: 402 to 407 cards dealt.
    assert 402 * (result.shoes - 1) <= cards <= 407 * result.shoes
    error = (0.446 * 0.554 / 2e7) ** 0.5
    assert 0.8 * error < result.errors[Outcome.PLAYER] < 1.2 * error


@pytest.mark.parametrize("cut", [6, 14, 30, 46])
def test_a_shoe_of_one_value_deals_as_many_rounds_as_its_cards_make(cut: int) -> None:
    # All fives: both hands have 0, the player draws (5), the banker draws (5): six cards and a tie each round.
    cells, sums = shoe_rounds(np.full(52, 5, np.uint8), cut, 7 * 60, 7 * 60, np.uint64(1))
    a_shoe = len(range(52, cut, -6))
    assert cells[0, 8] == 420
    assert cells[0, 12] == cells[0, 13] == 420
    assert sums[0] == -(-420 // a_shoe)


def test_a_round_of_the_shoe_is_a_fresh_one_on_average() -> None:
    # The first round of each shoe: a cut card so far up that every shoe is one round.
    cards = np.repeat(np.arange(1, 14), 4).astype(np.uint8)
    cells, sums = shoe_rounds(cards, 51, 500_000, 500_000, np.uint64(9))
    assert sums[0] == 500_000
    exact = simulate(1, shoe=Shoe.of_decks(1)).exact
    for outcome in (Outcome.PLAYER, Outcome.TIE):
        share = cells[0, 3 * outcome : 3 * outcome + 3].sum() / 500_000
        p = float(exact.probability(outcome))
        assert abs(share - p) < 3.3 * (p * (1 - p) / 500_000) ** 0.5


@pytest.mark.parametrize("mode", ["fresh", "whole"])
def test_the_seed_decides_and_the_workers_do_not(mode: str) -> None:
    n = (1 << 20) + 5000
    one, two = (simulate(n, mode=mode, seed=3, workers=workers) for workers in (1, 2))  # type: ignore[arg-type]
    assert one == two
    assert one.tally != simulate(n, mode=mode, seed=4).tally  # type: ignore[arg-type]


def test_progress_reports_every_round_once() -> None:
    seen: list[list[int]] = []
    result = simulate(10_000, seed=1, progress=lambda rounds, won: seen.append([rounds, *won]))
    assert len(seen) >= 500
    assert [sum(column) for column in zip(*seen, strict=True)] == [
        10_000,
        *(result.tally.count(outcome) for outcome in Outcome),
    ]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"n": 0}, "n is 0; allowed: 1 or more"),
        ({"n": 1.5}, "n is 1.5; allowed: 1 or more, a whole number"),
        ({"seed": -1}, "seed is -1; allowed: 0 or more"),
        ({"mode": "whole", "cut": 5}, "cut is 5; allowed: 6 to 415"),
        ({"mode": "whole", "shoe": Shoe.endless()}, "shoe is 'whole'"),
        ({"mode": "used"}, "shoe is 'used'; allowed: fresh or whole"),
    ],
)
def test_bad_arguments_name_the_range(keywords: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        simulate(**({"n": 10} | keywords))  # type: ignore[arg-type]


def test_tiny_samples_print() -> None:
    for mode in ("fresh", "whole"):
        result = simulate(1, mode=mode, seed=2)  # type: ignore[arg-type]
        assert result.estimate(Outcome.TIE).low == 0
        assert result.to_json()["simulated"]["rounds"] == 1
