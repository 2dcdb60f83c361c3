"""The game with an open stock: its verdicts, and how its plans come true."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from solver.cards import Card, Rank, Suit, parse_cards
from solver.numeric.outcomes import FOUND, NOTHING
from solver.place import Place
from solver.solution import Limits, Solution, Verdict, WinInAnyCase
from solver.tomb_double import kernels
from solver.tomb_double import open_stock_kernels as open_stock
from solver.tomb_double.position import Position, random_deal
from solver.tomb_double.rules import next_down
from solver.tomb_double.solve import OpenGame, answer, decode, encode, solve
from solver.verifier import replay
from tests.naive import tomb_double as naive

SEED = np.uint64(1)


def open_verdict(position: Position, stray: float = 0.0, budget: int = 50_000) -> int:
    start, plan = encode(position), np.zeros(open_stock.PLAN, np.int64)
    row, reserves = open_stock.open_stock_of(start), start[kernels.RESERVE_AT : kernels.RESERVE_AT + 40]
    return int(open_stock.search(row, reserves, budget, stray, SEED, plan)[0])


def stuck(rng: Random) -> Position:
    """One or two suits that lie in long reserves, so that little can be played."""
    counts = [26, 26, 26, 26]
    for suit in range(rng.choice((1, 2))):
        counts[suit] -= rng.randrange(10, 16)
    left = [
        Card(suit, next_down(place)) for suit, count in zip(Suit, counts, strict=True) for place in range(count, 26)
    ]
    rng.shuffle(left)
    stock = tuple(left.pop() for _ in range(rng.randrange(4)))
    tableau = tuple((left.pop(),) for _ in range(4))
    piles = rng.randrange((len(left) + 9) // 10, 5)
    reserves = tuple(tuple(left[i::piles]) if i < piles else () for i in range(4))
    return Position((counts[0], counts[1], 26, 26), (), tableau, reserves, ((),), stock, 0)


def test_its_verdicts_are_those_of_exhaustive_search() -> None:
    found = Counter()
    for seed in range(400):
        position = stuck(Random(seed))
        expected = naive.can_win(naive.table_of(position), limit=1500, stock_open=True)
        found[expected] += 1
        if expected is not None:
            for stray in (0.0, 6.0):
                assert open_verdict(position, stray) == (FOUND if expected else NOTHING)
    assert found[True] > 200
    assert found[False] > 10


@pytest.mark.parametrize("number", range(8))
def test_a_plan_comes_true_in_whatever_order_the_stock_lies(number: int) -> None:
    position, rng = random_deal(9, number=number), Random(number)
    line = np.zeros(kernels.LONGEST, np.int64)
    for _ in range(4):
        stock = list(position.stock)
        rng.shuffle(stock)
        position = replace(position, stock=tuple(stock))
        for seen in (True, False):
            game = OpenGame(encode(position))
            assert game.decide(200_000, SEED) == FOUND
            length = game.played(line, seen=seen)
            assert replay(position, map(decode, line[:length].tolist())).is_won


def test_a_stock_that_was_not_seen_is_not_looked_at() -> None:
    # Two deals that differ only in the order of the stock's last thirty cards are played alike until they turn up.
    position = random_deal(9, number=1)
    lines = []
    for stock in (position.stock, position.stock[:30] + position.stock[30:][::-1]):
        game, line = OpenGame(encode(replace(position, stock=stock))), np.zeros(kernels.LONGEST, np.int64)
        assert game.decide(200_000, SEED) == FOUND
        game.played(line, seen=False)
        turned = np.cumsum([decode(move).source == Place("stock") for move in line.tolist()])
        lines.append(line[turned <= 30].tolist())
    assert lines[0] == lines[1]


def test_a_move_may_bring_a_whole_lap_of_stock_cards() -> None:
    stock = "AC AC 2C 2C 3C 3C 4C 4C 5C 6C 7C 7C 8C 8C 9C 9C TC TC JC JC QC QC KC KC"
    position = Position.parse(
        f"foundations: D26 H26 S26; tableau: 5C | - | - | -; reserves: 6C | - | - | -; stock: {stock}; redeals: 0"
    )
    start, moves, plan = (
        encode(position),
        np.zeros(open_stock.MOST, np.int64),
        np.zeros(open_stock.PLAN, np.int64),
    )
    row, reserves = open_stock.open_stock_of(start), start[kernels.RESERVE_AT : kernels.RESERVE_AT + 40]
    count = open_stock._moves(row, reserves, moves)
    lap = 16 * kernels.RESERVE | open_stock.LAP
    assert lap in moves[:count]
    length = open_stock._play(row, reserves, lap, plan, 0)
    laid = [Card(Suit.CLUBS, Rank((play - open_stock.FROM_STOCK >> 4) + 1)) for play in plan[: length - 1].tolist()]
    assert laid == list(parse_cards("6C 7C 8C 9C TC JC QC KC AC 2C 3C 4C 5C"))
    assert plan[length - 1] == 16 * kernels.RESERVE
    assert row[open_stock.TABLEAU_AT + 2] == 15


def test_deals_that_are_lost_in_any_order_are_proved_lost() -> None:
    position = random_deal(2, number=522)
    assert solve(position, Limits(time=None, nodes=5_000)).verdict is Verdict.NO_WIN
    hidden = replace(position, stock=(None,) * 60)
    result = answer(hidden)
    assert isinstance(result, Solution)
    assert result.verdict is Verdict.NO_WIN


def test_an_opening_with_a_hidden_stock_is_won_in_any_order() -> None:
    position = replace(random_deal(2, number=1), stock=(None,) * 60)
    result = answer(position)
    assert isinstance(result, WinInAnyCase)
    assert result.verdict is Verdict.WIN
    assert "whatever order" in result.headline
    assert replay(result.example.position, result.example.line).is_won
    assert Counter(result.example.position.cards()) == Counter(random_deal(2, number=1).cards())
