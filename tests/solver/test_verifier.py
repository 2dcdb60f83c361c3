"""The verifier refuses every line that was tampered with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import CardsError, VerificationError
from solver.makiaveli import Position, Turn, solve
from solver.solution import Estimate, Solution, Verdict, WinInAnyCase
from solver.verifier import replay, verify

TABLE = Position.parse("floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - 8S -; hand: 5H 3S 4S")


def test_a_right_line_comes_back_as_it_is() -> None:
    solution = solve(TABLE)
    assert solution.verdict is Verdict.WIN
    assert verify(solution) is solution
    assert replay(TABLE, solution.line).is_won


def test_a_line_that_does_not_win_is_no_win() -> None:
    with pytest.raises(VerificationError, match="step 1"):
        verify(Solution(position=TABLE, verdict=Verdict.WIN))


def test_a_line_that_wins_proves_no_loss() -> None:
    with pytest.raises(VerificationError, match="the verdict is no_win but the end is won"):
        verify(Solution(position=TABLE, verdict=Verdict.NO_WIN, line=solve(TABLE).line))


def test_a_second_turn_without_a_hand_is_refused_and_named() -> None:
    solution = solve(TABLE)
    with pytest.raises(VerificationError, match="step 2") as caught:
        verify(replace(solution, line=solution.line * 2))
    assert caught.value.step == 2


def test_what_is_no_solution_is_named() -> None:
    other: Any = Estimate.from_counts(1, 2, seed=1, what="wins")
    with pytest.raises(CardsError, match="no solution but: Estimate; verify"):
        verify(other)


def test_a_win_in_any_case_stands_on_its_example() -> None:
    won = solve(TABLE)
    proved = WinInAnyCase(position=TABLE, verdict=Verdict.WIN, proof="there is one case", example=won)
    assert verify(proved) is proved
    for wrong in (
        replace(proved, line=won.line),
        replace(proved, verdict=Verdict.NO_WIN),
        replace(proved, example=solve(replace(TABLE, hand=TABLE.hand[:1]))),
        replace(proved, example=solve(replace(TABLE, hand=(*TABLE.hand, TABLE.floor[1][0])))),
        replace(proved, example=replace(won, line=())),
    ):
        with pytest.raises(VerificationError):
            verify(wrong)


def corruptions(turn: Turn) -> dict[str, Turn]:
    """One of each way to falsify a turn."""
    first, *others = turn.melds
    return {
        "a lost meld": replace(turn, melds=tuple(others)),
        "a lost card": replace(turn, melds=(first[1:], *others)),
        "a meld twice": replace(turn, melds=(first, *turn.melds)),
        "two melds in one": replace(turn, melds=(first + others[0], *others[1:])),
        "a card kept that was played": replace(turn, hand=(TABLE.hand[0],)),
        "a floor card taken into the hand": replace(turn, hand=TABLE.floor[1][:1]),
        "nothing played": Turn(TABLE.floor, TABLE.cross, TABLE.hand),
        "a cross card moved": replace(turn, cross=(None, TABLE.cross[0], None, None)),
        "a cross card invented": replace(turn, cross=(*turn.cross[:3], TABLE.hand[0])),
        "five places": replace(turn, cross=(*turn.cross, None)),
    }


@pytest.mark.parametrize("name", corruptions(Turn(TABLE.floor + TABLE.floor)))
def test_a_corrupted_turn_is_refused(name: str) -> None:
    solution = solve(TABLE)
    with pytest.raises(VerificationError):
        verify(replace(solution, line=(corruptions(solution.line[0])[name],)))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_swapping_any_two_different_cards_between_melds_is_refused_or_still_right(data: st.DataObject) -> None:
    turn = solve(TABLE).line[0]
    cards = [(i, j) for i, meld in enumerate(turn.melds) for j in range(len(meld))]
    (a, i), (b, j) = data.draw(st.sampled_from(cards)), data.draw(st.sampled_from(cards))
    melds = [list(meld) for meld in turn.melds]
    melds[a][i], melds[b][j] = melds[b][j], melds[a][i]
    swapped = replace(turn, melds=tuple(map(tuple, melds)))
    if [set(meld) for meld in melds] == [set(meld) for meld in turn.melds]:
        assert replay(TABLE, (swapped,)).is_won
    else:
        with pytest.raises(VerificationError):
            replay(TABLE, (swapped,))
