from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import PositionError
from solver.numeric.outcomes import FOUND, NOTHING
from solver.solution import Limits, Solution, StopReason, Verdict, WinInAnyCase
from solver.tomb_double import kernels
from solver.tomb_double.playing_rule_kernels import WEIGHTS
from solver.tomb_double.position import Position, random_deal
from solver.tomb_double.proof_kernels import prove
from solver.tomb_double.rules import REDEAL, Move, shuffled
from solver.tomb_double.search_kernels import nested, restarts, shorten
from solver.tomb_double.solve import answer, decode, encode, encode_deal, estimate, solve
from solver.verifier import replay
from tests.naive import tomb_double as naive
from tests.solver.tomb_double.strategies import crowded, ending, played, rngs

# Every move there is: turns, single cards to tableau, centre and foundation, whole piles to the centre.
CODES = (
    kernels.REDEAL,
    *(16 * kernels.STOCK + waste for waste in range(8, 13)),
    *(16 * source + target for source in range(14) for target in (0, 1, 2, 3, 13, 14)),
    *(16 * source + 13 + kernels.WHOLE for source in range(4)),
)


@settings(max_examples=25, deadline=None)
@given(rngs, st.integers(0, 300))
def test_the_kernels_know_the_rules(rng: Random, moves: int) -> None:
    position = played(rng, moves, eager=rng.random())
    state = encode(position)
    legal = [code for code in CODES if kernels.legal(state, code)]
    assert {decode(code) for code in legal} == set(position.moves())
    for code in legal:
        after = encode(position)
        kernels.apply(after, code)
        assert piles(after) == piles(encode(position.play(decode(code))))


def piles(bytes_: kernels.Bytes) -> list[list[int]]:
    """What a state shows; what lies behind the ends of its piles does not matter."""
    k, state = kernels, bytes_.tolist()
    shown = [
        state[k.FOUNDATION_AT : k.FOUNDATION_AT + 4],
        [state[k.CENTRE_SIZE_AT]],
        [state[k.REDEALS_AT]],
        [state[k.CENTRE_SUIT_AT]] if state[k.CENTRE_SIZE_AT] else [],
    ]
    shown += [
        state[k.TABLEAU_AT + 3 * t : k.TABLEAU_AT + 3 * t + 3] if state[k.TABLEAU_AT + 3 * t + 2] else []
        for t in range(4)
    ]
    shown += [state[k.RESERVE_AT + 10 * r : k.RESERVE_AT + 10 * r + state[k.RESERVE_SIZE_AT + r]] for r in range(4)]
    shown += [state[k.WASTE_AT + 60 * w : k.WASTE_AT + 60 * w + state[k.WASTE_SIZE_AT + w]] for w in range(5)]
    return [*shown, state[k.STOCK_AT + state[k.STOCK_NEXT_AT] : k.STOCK_AT + state[k.STOCK_END_AT]]]


@settings(max_examples=100, deadline=None)
@given(rngs, st.integers(1, 8), st.booleans())
def test_verdicts_on_endings_are_those_of_exhaustive_search(rng: Random, cards: int, few_places: bool) -> None:
    position = crowded(rng) if few_places else ending(rng, cards, redeals=rng.choice((0, 0, 1)))
    expected = naive.can_win(naive.table_of(position), limit=600)
    solution = solve(position, Limits(time=None, nodes=5_000))
    if expected is not None:
        assert solution.verdict is (Verdict.WIN if expected else Verdict.NO_WIN)


def test_the_complete_search_agrees_without_help_from_rollouts() -> None:
    found = set()
    line = np.zeros(kernels.LONGEST, np.int64)
    for seed in range(60):
        position = crowded(Random(seed)) if seed % 4 else ending(Random(seed), 6)
        expected = naive.can_win(naive.table_of(position), limit=600)
        verdict, _, length = prove(encode(position), 5_000, line)
        if expected is None:
            continue
        assert verdict == (FOUND if expected else NOTHING)
        if expected:
            assert replay(position, map(decode, line[:length].tolist())).is_won
        found.add(expected)
    assert found == {True, False}


def test_deals_are_won_with_lines_that_replay_and_repeat() -> None:
    wins = 0
    for number in range(12):
        position = random_deal(7, number=number)
        limits = Limits(time=None, nodes=100)
        solution = solve(position, limits)
        assert solution.line == solve(position, limits).line
        if solution.verdict is Verdict.WIN:
            wins += 1
            assert replay(position, solution.line).is_won
        else:
            assert solution.verdict is Verdict.UNKNOWN
            assert solution.stop_reason is StopReason.NODE_LIMIT
    assert wins >= 8


def test_the_nested_search_wins_by_a_legal_line() -> None:
    line = np.zeros(kernels.LONGEST, np.int64)
    position = random_deal(7, number=1)
    _, length = nested(encode(position), np.array(WEIGHTS), 8.0, 1, 2000, np.uint64(1), line)
    assert length > 0
    assert replay(position, map(decode, line[:length].tolist())).is_won


def test_shortened_lines_still_win() -> None:
    line = np.zeros(kernels.LONGEST, np.int64)
    shorter = 0
    for number in range(8):
        position = random_deal(3, number=number)
        start = encode(position)
        _, length = restarts(start, np.array(WEIGHTS), 8.0, 50, 0, np.uint64(number), line)
        if length:
            left = shorten(start, line, length)
            assert replay(position, map(decode, line[:left].tolist())).is_won
            shorter += length - left
    assert shorter > 0


def test_a_deal_is_encoded_the_short_way_too() -> None:
    assert (encode_deal(shuffled(5, 3)) == encode(random_deal(5, number=3))).all()


def test_a_won_position_needs_no_move() -> None:
    solution = solve(Position.parse("foundations: C26 D26 H26 S26"))
    assert solution.verdict is Verdict.WIN
    assert solution.line == ()


def test_one_possible_completion_is_solved_outright() -> None:
    result = answer(Position.parse("foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: ??; redeals: 0"))
    assert isinstance(result, Solution)
    assert [str(move) for move in result.line] == ["W1>F", "T1>F"]


def test_hidden_cards_that_all_lose_are_a_loss() -> None:
    position = hidden_loss()
    result = answer(position, Limits(time=None, nodes=20_000))
    assert isinstance(result, Solution)
    assert result.verdict is Verdict.NO_WIN
    assert result.position == position


def hidden_loss() -> Position:
    """An ending that is lost whichever way its two hidden cards lie, by exhaustive search."""
    for seed in range(200):
        position = crowded(Random(seed))
        stock = position.stock
        swapped = stock[::-1]
        ways = [naive.can_win(naive.table_of(with_stock(position, way)), limit=600) for way in (stock, swapped)]
        if ways == [False, False]:
            return with_stock(position, (None, None))
    raise AssertionError("no such ending")


def with_stock(position: Position, stock: tuple[object, ...]) -> Position:
    return replace(position, stock=stock)


def test_hidden_cards_give_an_estimate_that_repeats() -> None:
    position = random_deal(2)
    position = with_stock(position, (None,) * 60)
    one, two = (estimate(position, Limits(time=None), n=6, seed=4) for _ in range(2))
    assert one == two
    assert one.n == 6
    assert one.details["fair"]["mean"] <= one.mean
    assert isinstance(answer(position, Limits(time=0.01)), WinInAnyCase)


def test_a_position_against_the_rules_is_refused() -> None:
    with pytest.raises(PositionError):
        answer(Position.parse("stock: 5"))


def test_a_redeal_is_a_move() -> None:
    assert decode(kernels.REDEAL) == REDEAL == Move.parse("redeal")
