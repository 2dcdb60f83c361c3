"""The rules that a reading goes by until somebody says otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver import parse
from solver.klondike import STANDARD, STANDARD_DRAW_1
from solver.klondike import Position as Klondike
from vision.house_rules import with_house_rules
from vision.reading import ReadCard, Reading

TABLE = parse("klondike columns: ?? [9C] | - | - | - | - | - | -; stock: ??; waste: 2C 3C 4C")


def reading(fanned: int, game: str = "klondike") -> Reading:
    waste = tuple(ReadCard(None, 1.0, (), "waste", None) for _ in range(fanned))
    other = ReadCard(None, 1.0, (), "column/0", None)
    return Reading(9, 9, game, 1.0, (*waste, other), (), TABLE, others=((-1.0, TABLE),))


@pytest.mark.parametrize(("fanned", "draw"), [(0, 1), (1, 1), (2, 3), (3, 3), (4, 1)])
def test_as_many_cards_are_turned_as_lie_fanned(fanned: int, draw: int) -> None:
    found = with_house_rules(reading(fanned))
    for position in (found.position, found.others[0][1]):
        assert isinstance(position, Klondike)
        assert position.rules == (STANDARD if draw == 3 else STANDARD_DRAW_1)
        assert position == replace(TABLE, rules=position.rules)  # type: ignore[type-var]


def test_other_games_stay_as_they_are() -> None:
    other = reading(3, "makiaveli")
    assert with_house_rules(other) is other
