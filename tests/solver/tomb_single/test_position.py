"""Notation, JSON and legality of one-deck positions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import NotationError
from solver import parse
from solver.games import position_from_json
from solver.tomb_single import FREE, Move, Position, random_deal


def random_position(seed: int, steps: int, hide: float) -> Position:
    generator = random.Random(seed)
    position = random_deal(seed, rules=FREE)
    for _ in range(steps):
        moves = position.moves()
        if not moves:
            break
        position = position.play(generator.choice(moves))
    data = position.to_json()
    for name in ("deck", "discard", "spare_six", "centre"):
        data[name] = ["??" if generator.random() < hide else card for card in data[name]]
    return Position.from_json(data)


@given(st.integers(0, 10_000), st.integers(0, 90), st.sampled_from([0, 0.3, 1]))
@settings(max_examples=60, deadline=None)
def test_round_trips(seed: int, steps: int, hide: float) -> None:
    position = random_position(seed, steps, hide)
    assert position.problems() == ()
    assert Position.parse(str(position)) == position
    assert parse(str(position)) == position
    assert position_from_json(position.to_json()) == position
    assert len(position.cards()) == 52
    spares, _, discard, deck = position.rank_piles()
    assert len(position.unseen_ranks()) == sum(pile.count(None) for pile in (spares, discard, deck))


def test_a_photo_of_tops_is_filled_up() -> None:
    position = Position.parse("corners: 9C | 7D | - | -; centre: 4C; spares: 2H KS QD JC; discard: 3D")
    assert [len(corner) for corner in position.corners] == [3, 1, 0, 0]
    assert len(position.centre) == 3
    assert len(position.deck) == 52 - 4 - 3 - 4 - 1
    assert position.problems() == ()
    later = Position.parse("corners: 9C | 7D | - | -; centre: 8 4C; spares: 2H KS QD JC; discard: 3D")
    assert len(later.centre) == 9
    assert later.problems() == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("corners: 9C TC 9D | - | - | -", "9D is card 5 of corner 1, where a J belongs"),
        ("centre: 6C 4D", "4D is card 2 of the centre, where a 5 belongs"),
        ("spares: 6C - - -", "6C in a spare; it belongs in the centre or the spare-six pile"),
        ("discard: 7C", "7C in the discard pile; it belongs in a corner"),
        ("spare_six: 5C", "5C in the spare-six pile is no 6"),
        ("discard: 5C 5C", "5C stands 2 times"),
        (
            "discard: 5C; spares: - 5C - -",
            "5C stands 2 times; a deck has one, and it lies in spare 2 and in the discard pile",
        ),
        ("deck: 51", "51 cards; expected 52"),
        ("centre: 12 6C 5D; discard: 5H 5S 5C", "more than four cards of rank 5"),
        ("corners: KC | KD | KH | KS; centre: 23 AC; deck: ??", "53 cards; expected 52"),
    ],
)
def test_every_fault_is_named(line: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in Position.parse(line).problems()), Position.parse(line).problems()


def test_all_faults_at_once() -> None:
    assert len(Position.parse("spares: 6C - - -; discard: 7C 5D 5D; deck: 3").problems()) == 4


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("corners: 9C | 7D", 10),
        ("spares: 2H 3H", 9),
        ("spares: 2H 3H4H - -", 12),
        ("deck: 60", 7),
        ("rules: fair", 8),
        ("discard: 3X", 10),
        ("klondike deck: 3C", 1),
    ],
)
def test_bad_notation_names_the_column(line: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(line)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "data",
    [
        {"corners": [["7C"]]},
        {"deck": "7C"},
        {"deck": [7]},
        {"spares": [1, 2, 3, 4]},
        {"rules": {"draw": 1}},
        {"rules": []},
    ],
)
def test_bad_json_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        Position.from_json(data)


@pytest.mark.parametrize("text", ["D>S2", "X>C", "S1>K3", "6>C", "D>6", "D>X"])
def test_moves_print_and_parse(text: str) -> None:
    assert str(Move.parse(text.lower())) == text


@pytest.mark.parametrize("text", ["", "D", "D>S5", "K1>S1", "S1 K1"])
def test_bad_moves_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Move.parse(text)


def test_won() -> None:
    kings = " | ".join(f"K{suit}" for suit in "CDHS")
    won = Position.parse(f"corners: {kings}; centre: 23 AS; deck: ")
    assert won.problems() == ()
    assert won.is_won
    assert won.moves() == ()
