"""A waste and one foundation on both sides of the stock: asked about only where place and rules leave both."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards import parse_card
from solver.klondike import Position
from solver.place import Place
from vision.layout.game_reading import PlacedCard
from vision.layout.klondike_top_row import doubts_of_sides
from vision.question import Question

COLUMNS = "[6H 5C 4D] | [9S] | ?? [8C] | ?? ?? [TH 9C 8H] | ?? ?? [JH] | ?? ?? ?? ?? ?? [KS] | ?? ?? ?? ?? ?? [4C]"


def asked(columns: str, waste: tuple[float, float], foundation: tuple[float, float]) -> list[Question]:
    """What is asked of a table with 4H on the waste and 3C on a foundation, at these places beside the stock."""
    position = Position.parse(f"klondike columns: {columns}; foundations: C3 D0 H0 S0; stock: {'?? ' * 22}; waste: 4H")
    placed = [
        PlacedCard(parse_card("4H"), Place("waste"), 0),
        PlacedCard(parse_card("3C"), Place("foundation", 0), 1),
    ]
    return list(doubts_of_sides(position, placed, np.array([waste, foundation, (0.0, 0.0)]), [2]))


def test_piles_that_lie_alike_are_asked_about() -> None:
    first, second = asked(COLUMNS, (-1.6, 0.0), (1.5, 0.1))
    assert first.text == "perhaps 4H does not lie in the waste: please check where it lies"
    assert first.choices == ("waste", "foundation/H")
    assert second.text == "perhaps 3C does not lie on the foundation of clubs: please check where it lies"
    assert second.choices == ("foundation/C", "waste")


@pytest.mark.parametrize(
    ("columns", "waste", "foundation"),
    [
        (COLUMNS, (1.5, 0.0), (4.5, 0.0)),  # both on one side: the near one is the waste
        (COLUMNS, (-1.3, 0.0), (3.5, 0.0)),  # one lies apart, as foundations do
        (COLUMNS.replace("[9S]", "[3H]"), (-1.6, 0.0), (1.5, 0.0)),  # a foundation up to 4H would hold the 3H
    ],
)
def test_what_place_or_rules_tell_is_not_asked(
    columns: str, waste: tuple[float, float], foundation: tuple[float, float]
) -> None:
    assert asked(columns, waste, foundation) == []
