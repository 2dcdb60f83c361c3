"""Notation, faults and moves."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import IllegalMoveError, NotationError, RulesError
from solver.cards import DECK
from solver.klondike import ONE_CARD, Column, KlondikeRules, Move, Position, deal, random_deal
from tests.naive import klondike as naive
from tests.solver.klondike.tables import RULE_SETS, position_of, table_of
from tests.strategies import maybe_cards

piles = st.lists(maybe_cards, max_size=5).map(tuple)
rules = st.builds(
    KlondikeRules,
    st.integers(1, 24),
    st.one_of(st.none(), st.integers(0, 9)),
    st.sampled_from(["one", "run"]),
    st.booleans(),
)
heights = st.integers(-1, 20)
positions = st.builds(
    Position,
    st.lists(st.builds(Column, piles, piles), min_size=1, max_size=8).map(tuple),
    st.tuples(heights, heights, heights, heights),
    piles,
    piles,
    rules,
    st.integers(0, 3),
)


@given(positions)
@settings(max_examples=100, deadline=None)
def test_notation_and_json_round_trip_for_any_position(position: Position) -> None:
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position
    position.problems()


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_moves_are_the_twins_moves(rules: naive.Rules) -> None:
    random = Random(3)
    for _ in range(15):
        position = position_of(naive.random_endgame(random, random.randint(4, 30)), rules)
        for _ in range(12):
            expected = naive.successors(table_of(position), rules)
            moves = position.moves()
            assert {str(move) for move in moves} == set(expected)
            if not moves:
                break
            move = random.choice(moves)
            position = position.play(move)
            assert table_of(position) == expected[str(move)]


def test_a_deal_has_the_documents_shape() -> None:
    position = deal(DECK)
    assert [len(column.down) for column in position.columns] == list(range(7))
    assert all(len(column.up) == 1 for column in position.columns)
    assert (len(position.stock), position.waste) == (24, ())
    assert position.problems() == ()
    assert str(position.columns[6].up[0]) == "2H"  # the 28th card of C, D, H, S in order
    assert random_deal(5) == random_deal(5) != random_deal(6)


def test_a_dealt_column_shows_its_last_card() -> None:
    brief = Position.parse("columns: AS | 3C JH | 5C 9H 2D")
    assert brief.columns[1] == Column(brief.columns[1].down, brief.columns[1].up)
    assert str(brief.columns[1]) == "3C [JH]"
    data = {"columns": [["AS"], ["3C", "JH"], ["5C", "9H", "2D"]]}
    assert Position.from_json(data).columns == brief.columns


@pytest.mark.parametrize(
    ("text", "column", "word"),
    [
        ("klondike columns: 9C [8H", 19, "brackets"),
        ("klondike columns: [9C] 8H", 19, "brackets"),
        ("klondike columns: [9X]", 20, "no card"),
        ("klondike draw: three", 16, "whole number"),
        ("klondike redeals: often", 19, "unlimited"),
        ("klondike moves: some", 17, "'one' or 'run'"),
        ("klondike foundations: C1 X2", 26, "no foundation"),
        ("klondike foundations: C1 D2 C3", 29, "stands twice"),
        ("klondike talon: 3C", 10, "unknown field"),
        ("makiaveli stock: 3C", 1, "'klondike'"),
    ],
)
def test_unreadable_text_names_the_place(text: str, column: int, word: str) -> None:
    with pytest.raises(NotationError, match=word) as caught:
        Position.parse(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "data",
    [
        {"columns": "AS"},
        {"columns": [7]},
        {"columns": [{"down": ["AS"], "sideways": []}]},
        {"stock": ["AS KD"]},
        {"stock": [None]},
        {"foundations": [1, 2]},
        {"redealt": "twice"},
        {"game": "makiaveli"},
    ],
)
def test_broken_json_is_one_clear_error(data: dict) -> None:
    with pytest.raises(NotationError):
        Position.from_json(data)


@pytest.mark.parametrize("data", [{"foundations": {"X": 1}}, {"foundations": {"C": "1"}}])
def test_impossible_foundations_are_named(data: dict) -> None:
    with pytest.raises(NotationError, match="foundation"):
        Position.from_json(data)


@pytest.mark.parametrize(
    "values",
    [
        {"draw": 0},
        {"draw": 25},
        {"draw": True},
        {"redeals": -1},
        {"column_moves": "two"},
        {"worrying_back": 1},
        {"x": 1},
    ],
)
def test_rules_out_of_range_are_refused(values: dict) -> None:
    with pytest.raises(RulesError):
        KlondikeRules.from_json(values)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("columns: AS | 2S", "7|columns"),
        ("columns: [9C 8C] | - | - | - | - | - | -", "does not go on"),
        ("columns: 9C 8D [] | - | - | - | - | - | -", "face down"),
        ("columns: [??] | - | - | - | - | - | -", "not named"),
        ("stock: AS AS", "AS stands 2 times"),
        (
            "foundations: H13; waste: 9H QH 2H",
            "2H, 9H, QH cannot lie under KH and elsewhere; KH on its foundation means that A to KH lie there",
        ),
        ("foundations: S1; waste: AS", "AS stands 2 times"),
        ("foundations: S1; waste: AS", "a deck has one, and it lies in foundation S and in the waste"),
        ("columns: 2D [3C] | - | 3C [4D] | - | - | - | -; stock: 3C", "in column 1 and in column 3 and in the stock"),
        ("waste: 3C 2D 3C", "it lies in the waste (2 times)"),
        ("foundations: C14 D-1", "14 cards"),
        ("redeals: 1; redealt: 2", "2 times"),
        ("stock: " + "?? " * 25, "1 card is missing in columns and foundations; stock and waste hold 25, at most 24"),
    ],
)
def test_every_fault_is_named(text: str, word: str) -> None:
    problems = Position.parse(text).problems()
    assert any(part in problem for problem in problems for part in word.split("|"))


def test_a_card_too_many_in_the_stock_is_not_missing_elsewhere() -> None:
    position = random_deal(1)
    for much, told in ((1, ""), (-1, "1 card is missing in columns and foundations; ")):
        columns = position.columns if much > 0 else (Column(), *position.columns[1:])
        found = replace(position, columns=columns, stock=(*position.stock, None)).problems()
        assert f"{told}stock and waste hold 25, at most 24 can" in found


@pytest.mark.parametrize("text", ["draw", "W>F", "W>T3", "T3>F", "T3>T5:2", "T1>T7:1", "F:H>T4"])
def test_moves_round_trip(text: str) -> None:
    assert str(Move.parse(text)) == text
    assert Move.parse(text.lower()) == Move.parse(text)


@pytest.mark.parametrize("text", ["", "W>", "T3>", "T3>T5:", "F>T4", "F:X>T4", "draw 2", "T-1>F", "W>T" + "9" * 5000])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Move.parse(text)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("W>F", "waste is empty"),
        ("T4>F", "column 4 is empty"),
        ("T1>F", "the AH"),
        ("T1>T1:1", "onto itself"),
        ("T1>T2:1", "only a black three does"),
        ("T1>T2:2", "only the last card"),
        ("T1>T4:1", "only a king"),
        ("T9>F", "no column 9"),
        ("T1>T9:1", "no column 9"),
        ("F:C>T1", "no card comes back"),
    ],
)
def test_illegal_moves_say_why(move: str, reason: str) -> None:
    position = Position.parse("columns: [6S 5H] | [4H] | [7D] | - | - | - | -; foundations: C13; stock: 2S 3S")
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(Move.parse(move))


@pytest.mark.parametrize(("height", "reason"), [(99, "too full"), (-5, "is empty")])
def test_a_foundation_that_cannot_be_takes_and_gives_no_card(height: int, reason: str) -> None:
    position = Position.parse(f"worrying_back: yes; columns: [6S] | - | - | - | - | - | -; foundations: S{height}")
    for move, why in (("T1>F", "takes nothing more"), ("F:S>T2", reason)):
        with pytest.raises(IllegalMoveError, match=why):
            position.play(Move.parse(move))


def test_drawing_turns_the_waste_over_as_often_as_allowed() -> None:
    draw = Move.parse("draw")
    position = Position.parse("draw: 2; redeals: 1; stock: AS 2S 3S")
    position = position.play(draw).play(draw)
    assert [str(card) for card in position.waste] == ["AS", "2S", "3S"]
    position = position.play(draw)
    assert ([str(card) for card in position.waste], position.redealt) == (["AS", "2S"], 1)
    position = position.play(draw)
    with pytest.raises(IllegalMoveError, match="all 1 redeals"):
        position.play(draw)
    with pytest.raises(IllegalMoveError, match="both empty"):
        Position(rules=ONE_CARD).play(draw)


def test_an_uncovered_card_is_turned_at_once() -> None:
    position = Position.parse("columns: 3C ?? [AS] | - | - | - | - | - | -")
    assert str(position.play(Move.parse("T1>F")).columns[0]) == "3C [??]"
