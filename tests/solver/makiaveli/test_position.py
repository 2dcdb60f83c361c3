from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from plumbing.errors import IllegalMoveError, NotationError
from solver import parse
from solver.cards import parse_cards
from solver.games import position_from_json
from solver.makiaveli import Position, Turn
from solver.makiaveli.position import strict_cross_holds
from tests.strategies import any_makiaveli_positions


@given(any_makiaveli_positions())
@settings(max_examples=200, deadline=None)
def test_legal_or_not_a_position_round_trips(position: Position) -> None:
    assert Position.parse(str(position)) == position == parse(str(position))
    assert position_from_json(json.loads(json.dumps(position.to_json()))) == position
    turn = Turn(position.floor, position.cross, position.hand)
    assert Turn.parse(str(turn)) == turn


def test_all_faults_are_listed_at_once() -> None:
    position = Position.parse("floor: 7C 7D | 8H 9H JH | 2S 2S 2D; cross: 2S 3C 4C 5C 6C; hand: 2S")
    problems = position.problems()
    assert len(problems) == 5
    for word in ("floor meld 1 (7C 7D)", "floor meld 2 (8H", "floor meld 3 (2S", "5 cross cards", "2S stands 4 times"):
        assert sum(word in problem for problem in problems) == 1


def test_repair_accepts_bad_melds_but_not_a_third_copy() -> None:
    position = Position.parse("rules: repair; floor: 7C 7D | 7C; hand: 7C")
    assert [problem[:16] for problem in position.problems()] == ["7C stands 3 time"]


def test_the_cross_keeps_its_places() -> None:
    position = Position.parse("cross: - 2S - 3D")
    assert [str(card) if card else None for card in position.cross] == [None, "2S", None, "3D"]
    assert Position.parse("cross: 2S").cross == Position.parse("cross: 2S - - -").cross


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("makiaveli floor: 7C 7X", 21),
        ("floor: 7C | 8C 8D 9Z; hand: 3S", 19),
        ("cross: - - 1S", 12),
        ("rules: strict", 8),
        ("hand: 7C | 8C", 10),
    ],
)
def test_the_column_of_a_fault_is_in_the_whole_line(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "data",
    [
        {"floor": "7C"},
        {"floor": [7]},
        {"floor": [["7C", 7]]},
        {"floor": [["7C", None]]},
        {"hand": [None]},
        {"hand": {"3S": 1}},
        {"cross": "2S"},
        {"hand": ["3S 4S"]},
        {"hand": ["??"]},
        {"rules": ["strict_cross"]},
        {"rules": {"strict_cross": 1}},
        {"rules": {"draw": 1}},
        {"hnd": ["3S"], "floor": []},
        {"game": "klondike"},
    ],
)
def test_broken_json_is_named(data: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        Position.from_json(data)


def test_the_documents_example_turn() -> None:
    table = Position.parse("floor: 7H 7D 7C; cross: 2S; hand: 3S 4S 5S")
    after = table.play(Turn.parse("melds: 7H 7D 7C | 2S 3S 4S 5S"))
    assert after.is_won
    assert after.cross == (None, None, None, None)


@pytest.mark.parametrize(
    ("position", "turn", "reason"),
    [
        ("floor: 7C 7D 7H; hand: 7S", "melds: 7C 7D 7H; hand: 7S", "at least one card"),
        ("floor: 7C 7D 7H 7S; hand: 8C", "melds: 7C 7D 7H; hand: 7S", "cannot stay in the hand"),
        ("floor: 7C 7D 7H; hand: 7S 9D", "melds: 7C 7D 7H; hand: 7S", "lost 9D"),
        ("floor: 7C 7D 7H; hand: 7S", "melds: 7C 7D 7H 7S | 9C 9D 9H", "extra 9C 9D 9H"),
        ("floor: 7C 7D 7H; hand: 7S", "melds: 7C 7D | 7H 7S", "at least 3"),
        ("cross: 9D; hand: 7C 7D 7H", "melds: 7C 7D 7H; cross: - 9D", "where it was empty"),
        ("hand: KS AS 2S", "melds: KS AS 2S", "never between"),
    ],
)
def test_an_illegal_turn_names_its_reason(position: str, turn: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        Position.parse(position).play(Turn.parse(turn))


@pytest.mark.parametrize(
    ("melds", "joined", "played", "holds"),
    [
        ("7C 7D 7H", "7C", "7D", True),
        ("7C 7D 7H", "7C", "", False),
        ("7C 7D 7H | 8C 9C TC", "7C", "8C", False),
        ("7C 7D 7H | 7C 8C 9C", "7C", "8C", True),
        # One hand card cannot feed two melds, even where copies may be swapped.
        ("7C 7D 7H | 7C 8C 9C", "7D 9C", "7C", False),
        ("7C 7D 7H | 7C 8C 9C", "7D 9C", "7C 7C", True),
        ("7C 7D 7H | 7C 8C 9C", "7C", "7C", False),
        ("7C 7D 7H", "7C 7D", "7H", True),
    ],
)
def test_strict_cross_tells_copies_apart_as_it_helps(melds: str, joined: str, played: str, holds: bool) -> None:
    tables = [parse_cards(meld) for meld in melds.split("|")]
    assert strict_cross_holds(tables, parse_cards(joined), parse_cards(played)) == holds
