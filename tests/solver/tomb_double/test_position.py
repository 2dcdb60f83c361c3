from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import IllegalMoveError, NotationError
from solver.cards import parse_cards
from solver.tomb_double.position import Position
from solver.tomb_double.rules import Move
from tests.naive import tomb_double as naive
from tests.solver.tomb_double.strategies import ending, hidden, played, rngs


@settings(max_examples=40, deadline=None)
@given(rngs, st.integers(0, 250), st.floats(0, 1))
def test_positions_round_trip(rng: Random, moves: int, share: float) -> None:
    position = hidden(rng, played(rng, moves), share)
    assert Position.parse(str(position)) == position
    assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position
    assert position.problems() == ()


@settings(max_examples=30, deadline=None)
@given(rngs, st.integers(0, 300))
def test_moves_are_those_of_the_naive_twin(rng: Random, moves: int) -> None:
    position = played(rng, moves, eager=rng.random())
    for _ in range(10):
        table = naive.table_of(position)
        expected = naive.successors(table)
        assert {str(move) for move in position.moves()} == set(expected)
        for move in position.moves():
            assert naive.table_of(position.play(move)) == expected[str(move)]
            assert Move.parse(str(move)) == move
        assert position.is_won == naive.is_won(table)
        if not position.moves():
            break
        position = position.play(rng.choice(position.moves()))


@settings(max_examples=60, deadline=None)
@given(rngs, st.integers(0, 12))
def test_endings_are_legal_and_agree_with_the_naive_twin(rng: Random, cards: int) -> None:
    position = ending(rng, cards)
    assert position.problems() == ()
    assert {str(move) for move in position.moves()} == set(naive.successors(naive.table_of(position)))


def test_redeal_gathers_from_waste_1_each_bottom_card_first() -> None:
    position = Position.parse("wastes: 2C 3C | - | 4C 5C; stock: -; redeals: 2")
    assert position.play(Move.parse("redeal")).stock == parse_cards("2C 3C 4C 5C")
    assert position.play(Move.parse("redeal")).wastes == ((), ())


def test_a_second_king_waits_for_the_ace() -> None:
    position = Position.parse("foundations: C12; tableau: KC | AC | - | -")
    with pytest.raises(IllegalMoveError, match="takes AC next"):
        position.play(Move.parse("T1>F"))
    assert position.play(Move.parse("T2>F")).play(Move.parse("T1>F")).foundations[0] == 14


def test_a_whole_pile_needs_a_card_in_the_centre() -> None:
    position = Position.parse("tableau: AC 2C | - | - | -")
    with pytest.raises(IllegalMoveError, match="needs a card in the centre"):
        position.play(Move.parse("T1>>C"))
    position = Position.parse("centre: AC; tableau: 2C 3C | - | - | -")
    assert position.play(Move.parse("T1>>C")).centre == parse_cards("AC 2C 3C")


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        ("reserves: 2C | - | - | -", "R1>C", "begins with an ace"),
        ("reserves: ?? | - | - | -", "R1>F", "not known"),
        ("centre: AC; tableau: - | - | - | -", "C>T1", "foundations only"),
        ("stock: 2C", "redeal", "not used up"),
        ("redeals: 0; wastes: 2C; stock: -", "redeal", "no redeal is left"),
        ("redeals: 1; stock: -", "redeal", "wastes are empty"),
        ("stock: 2C; redeals: 1", "S>W3", "only 2 wastes"),
        ("stock: 2C", "S>T1", "onto a waste"),
        ("", "W1>F", "W1 is empty"),
        ("redeals: 0", "W2>F", "taken away"),
        ("tableau: 2C | - | - | -", "T1>T1", "own pile"),
        ("tableau: 2C | 4C | - | -", "T2>T1", "cannot lie on"),
        ("reserves: 2C | 3C | - | -", "R1>R2", "no card from R1 may go to R2"),
        ("reserves: 2C | - | - | -; centre: AC", "R1>>C", "only a tableau pile"),
    ],
)
def test_refusals_give_their_reason(text: str, move: str, reason: str) -> None:
    position = Position.parse(text)
    assert Move.parse(move) not in position.moves()
    with pytest.raises(IllegalMoveError, match=reason):
        position.play(Move.parse(move))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("tableau: 7X", 10),
        ("tableau: ??", 10),
        ("foundations: C27", 14),
        ("foundations: C1 C2", 17),
        ("redeals: 5", 10),
        ("klondike stock: 5", 1),
        ("stack: 5", 1),
    ],
)
def test_unreadable_text_names_its_column(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        Position.parse(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    "data",
    [
        {"foundations": {"X": 1}},
        {"foundations": {"C": True}},
        {"foundations": {"C": 27}},
        {"foundations": [1, 2, 3, 4]},
        {"stock": "7C"},
        {"stock": [7]},
        {"stock": ["7C 8C"]},
        {"stock": [""]},
        {"tableau": [["??"]]},
        {"tableau": "7C"},
        {"tableau": ["7C"]},
        {"redeals": -1},
        {"redeals": "4"},
        {"talons": []},
        {"game": "klondike"},
    ],
)
def test_unreadable_json_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        Position.from_json({"game": "tomb_double", **data})


@pytest.mark.parametrize("text", ["R5>F", "R1", "R1>>F>", "S>W6", "redeals", "", "X>F", "R1>F T1>F"])
def test_unreadable_moves_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Move.parse(text)


def test_every_fault_is_named_at_once() -> None:
    position = Position.parse("foundations: C13; centre: 2D; tableau: AC | AC | 3H 5H; wastes: - | -; stock: 61")
    text = " ".join(position.problems())
    for word in (
        "begins with 2D",
        "3 tableau piles",
        "2 wastes",
        "5H cannot lie on 3H",
        "3 copies of AC, not up to 2: they lie in the foundation of clubs and in tableau pile 1 and in tableau pile 2",
        "61 cards in",
    ):
        assert word in text
    twice = Position.parse("centre: AC; reserves: AC 7D AC | - | - | -; stock: 9")
    assert "they lie in the centre and in reserve 1 (2 times)" in " ".join(twice.problems())


def test_a_photo_of_tops_is_filled_up() -> None:
    seen = "tableau: 7C | QH | 2D | 5D; reserves: 3C | 4C | 9 5C | -; wastes: 2C | 7H | - | - | -"
    position = Position.parse(f"{seen}; foundations: C10")
    assert position.problems() == ()
    assert len(position.stock) == 58
    assert [len(reserve) for reserve in position.reserves] == [10, 10, 10, 0]
    counted = Position.parse(
        "tableau: 7C | QH | 2D | 5D; reserves: 9 3C | ?? 4C | 9 5C | KC; foundations: C12; stock: 2C ?? 58"
    )
    assert [len(reserve) for reserve in counted.reserves] == [10, 2, 10, 1]
    assert (counted.stock[0], len(counted.stock)) == (parse_cards("2C")[0], 60)
    data = position.to_json()
    del data["stock"]
    assert Position.from_json(data) == position
    crowded = Position.parse("tableau: 7C | QH | 2D | 5D; reserves: 3C | - | - | -")
    assert crowded.problems() == ("74 cards, not 104 (?? or a number such as 9 stands for hidden ones)",)
