from __future__ import annotations

import numpy as np
import pytest

from plumbing.errors import RulesError
from solver.numeric.random_numbers import seeded
from solver.tomb_double import kernels
from solver.tomb_double.playing_rule_kernels import WEIGHTS, rollout, scratch
from solver.tomb_double.position import random_deal
from solver.tomb_double.simulate import Player, simulate
from solver.tomb_double.solve import encode


def test_the_same_seed_gives_the_same_result_on_any_number_of_processes() -> None:
    one = simulate(150, player=Player.RULE, seed=5, workers=1)
    assert one == simulate(150, player=Player.RULE, seed=5, workers=2)
    assert one != simulate(150, player=Player.RULE, seed=6, workers=1)


def test_progress_adds_up() -> None:
    rows: list[list[int]] = []
    result = simulate(100, player=Player.GREEDY, seed=1, progress=lambda games, won: rows.append([games, *won]))
    assert sum(games for games, _ in rows) == 100
    assert sum(won for _, won in rows) == round(result.won.mean * 100)


def test_players_differ_as_they_should() -> None:
    greedy, rule, fair, open_cards = (simulate(192, player=player, seed=2).won.mean for player in Player)
    assert greedy < rule < fair <= open_cards + 0.05


def test_the_hidden_stock_is_not_looked_at() -> None:
    # Two deals that differ only in the order of the stock's last thirty cards are played alike until they turn up.
    weights = np.array(WEIGHTS)
    position = random_deal(11)
    start = encode(position)
    other = start.copy()
    other[kernels.STOCK_AT + 30 : kernels.STOCK_AT + 60] = other[kernels.STOCK_AT + 30 : kernels.STOCK_AT + 60][::-1]
    lines = []
    for state in (start, other):
        line = np.zeros(kernels.LONGEST, np.int64)
        rng = tuple(map(np.uint64, seeded(np.uint64(3))))
        rollout(state.copy(), weights, 0.0, rng, line, 0, kernels.LONGEST, True, scratch())
        turns = np.flatnonzero(line >> 4 == kernels.STOCK)
        lines.append(line[: turns[30]].tolist())
    assert lines[0] == lines[1]


def test_no_games_is_no_simulation() -> None:
    with pytest.raises(RulesError):
        simulate(0)
