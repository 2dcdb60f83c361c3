"""Won lines of Klondike are made shorter and still win."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from solver.cards import DECK
from solver.klondike import shorten_kernels
from solver.klondike.house_rules import STANDARD, STANDARD_DRAW_1, ColumnMoves, KlondikeRules
from solver.klondike.move import DRAW, Move
from solver.klondike.position import Position, deal
from solver.klondike.shorten import shortened
from solver.klondike.solve import solve
from solver.numeric.jit import interpreted
from solver.solution import Limits

WON = [
    (STANDARD, range(8)),
    (STANDARD_DRAW_1, range(8)),
    (KlondikeRules(draw=1, redeals=2), (1, 2, 7)),
    (KlondikeRules(draw=3, redeals=6, worrying_back=False), (1, 2, 4, 7)),
    (KlondikeRules(draw=1, column_moves=ColumnMoves.ONE), (1, 2, 4, 7)),
]
"""Rules, and the seeds below 8 whose deals are won by them: a search for the others ends at its limit of time."""


def ends_won(position: Position, line: tuple[Move, ...]) -> bool:
    for move in line:
        position = position.play(move)
    return position.is_won


def moves_of(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.parse, text.split()))


@pytest.mark.parametrize(("rules", "seeds"), WON, ids=str)
def test_shorter_lines_win_by_the_same_rules(rules: KlondikeRules, seeds: Iterable[int]) -> None:
    for seed in seeds:
        cards = [DECK[k] for k in np.random.default_rng(seed).permutation(52)]
        position = deal(cards, rules)
        line = solve(position, Limits(time=None)).line
        assert line
        wandering = (DRAW,) * 24 + line if rules == STANDARD_DRAW_1 else line  # once through the stock
        again = shortened(position, wandering)
        assert ends_won(position, again)
        assert len(again) <= len(wandering)


def test_a_card_that_goes_home_and_comes_back_stays_where_it_was() -> None:
    table = Position.parse(
        "klondike draw: 1; moves: run; worrying_back: yes; columns: 3H [2H] | [3S] | - | - | - | - | -; "
        "stock: KH QH JH TH 9H 8H 7H 6H 5H 4H KS QS JS TS 9S 8S 7S 6S 5S 4S; foundations: C13 D13 H1 S2"
    )
    assert not table.problems()
    line = moves_of("T1>F F:H>T2 T2>F")
    after = table
    for move in line:
        after = after.play(move)
    rest = solve(after).line
    short = shortened(table, line + rest)
    assert ends_won(table, short)
    assert Move.parse("F:H>T2") not in short
    assert len(short) < len(line + rest)


def test_no_table_comes_twice() -> None:
    table = Position.parse(
        "klondike draw: 3; redeals: 1; moves: run; worrying_back: yes; columns: [KS QD JS TH] |"
        " [5D 4S] | 2S QC [JD TC 9D] | 6C 5S 8H [9C 8D] | 3C KC 8C [KH] | JH AC JC 9S [7H] | 5C 9H [6D];"
        " foundations: C0 D0 H2 S0; stock: 4D 6S 7D 8S AS 7C TS 7S TD AD 6H 2C; waste: QS 5H KD 3H 4C 3D QH 3S 4H 2D"
    )
    tables = [table]
    for move in solve(table).line:  # the search takes two cards of a suit's foundations there and back
        tables.append(tables[-1].play(move))
    assert len(set(tables)) == len(tables)


def test_cards_of_the_stock_are_played_as_they_come() -> None:
    start = "klondike draw: 1; columns: [KC] | [KD] | [KH] | [KS] | - | - | -; stock: {}; foundations: C11 D11 H11 S11"
    position = Position.parse(start.format("QC QD QH QS"))
    assert not position.problems()
    line = moves_of("draw draw draw draw W>F draw draw draw W>F draw draw W>F draw W>F T1>F T2>F T3>F T4>F")
    assert ends_won(position, line)
    assert len(shortened(position, line)) == 4 + 8


def test_what_plain_python_makes_of_it_is_what_numba_makes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [DECK[k] for k in np.random.default_rng(5).permutation(52)]
    position = deal(cards, STANDARD)
    line = solve(position).line
    assert line
    found = shortened(position, line)
    monkeypatch.setattr("solver.klondike.shorten.MOST_TRIES", 40)
    few = shortened(position, line)
    monkeypatch.setattr("solver.klondike.shorten.shorten", interpreted(shorten_kernels.shorten))
    assert shortened(position, line) == few
    assert len(found) <= len(few) <= len(line)
