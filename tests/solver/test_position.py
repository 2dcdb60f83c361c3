from __future__ import annotations

import pytest

from plumbing.errors import NotationError
from solver.notation import Field, game_of, parse_count, parse_fields

NAMES = ("floor", "hand")


def test_fields_keep_their_place_in_the_line() -> None:
    text = "makiaveli floor: 7C 7D ;hand:3S"
    fields = parse_fields(text, "makiaveli", NAMES)
    assert {name: field.value for name, field in fields.items()} == {"floor": "7C 7D", "hand": "3S"}
    assert all(text[field.start :].startswith(field.value) for field in fields.values())


@pytest.mark.parametrize("text", ["", "makiaveli", "  ", ";", "makiaveli ;;"])
def test_nothing_but_the_game_has_no_fields(text: str) -> None:
    assert parse_fields(text, "makiaveli", NAMES) == {}


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("klondike hand: 3S", 1, "the game is 'klondike'"),
        ("hand: 3S; table: 4S", 11, "unknown field 'table'"),
        ("hand: 3S; hand: 4S", 11, "stands twice"),
        ("makiaveli 3S 4S", 11, "is no field"),
        ("makiaveli floor: 7C 7D 7H hand: 3S", 27, "'hand:' stands inside the field 'floor'"),
    ],
)
def test_the_fault_and_its_column_are_named(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_fields(text, "makiaveli", NAMES)
    assert (caught.value.column, problem in caught.value.problem) == (column, True)


@pytest.mark.parametrize("text", ["-3", "x", "", "1.5"])
def test_a_count_is_a_whole_number_from_0_on(text: str) -> None:
    assert parse_count(Field("24")) == 24
    with pytest.raises(NotationError, match="is no number; expected a whole number from 0 on"):
        parse_count(Field(text))


def test_a_split_field_keeps_the_place_of_its_parts() -> None:
    text = "7C 7D |  9S| "
    parts = Field(text, 5).split()
    assert [(part.value, part.start) for part in parts] == [("7C 7D", 5), ("9S", 14), ("", 18)]
    assert Field("", 5).split() == ()


def test_the_game_of_a_line_is_its_first_word() -> None:
    assert game_of("tomb_double floor: 3S") == "tomb_double"
    assert game_of("floor: 3S") is None
    assert game_of("") is None
