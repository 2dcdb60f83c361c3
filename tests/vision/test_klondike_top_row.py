"""The top row: a fan is one pile; a waste and one foundation beside the stock are asked about where both may be."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards import parse_card, parse_cards
from solver.klondike import Position
from solver.place import Place
from tests.vision import simulate
from vision.layout.game_reading import PlacedCard
from vision.layout.klondike_top_row import agree_in_fans, doubts_of_sides
from vision.layout.vocabulary import ZONES
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
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


def zones_in_a_fan(cards: str, foundation: str, step_mm: float = 16.0) -> list[str]:
    """The likeliest zone of each card that lies in a line, of which the network takes one for a foundation's."""
    laid = [simulate.Laid(card, step_mm * n, 0.0, 0.0, "waste") for n, card in enumerate(parse_cards(cards))]
    table = simulate.seen(simulate.photograph(laid, game=None, position=None))
    says = np.full((len(table.cards), len(ZONES["klondike"])), np.log(0.01))
    for row, card in enumerate(table.cards):
        says[row, ZONES["klondike"].index("foundation" if str(card.best) == foundation else "waste")] = np.log(0.9)
    unlinked = np.full((len(says), len(says)), -9.0)
    layout = Layout(np.zeros(5), np.array([0, 1.0]), {"klondike": says}, np.zeros((len(says), MOST + 1)), unlinked)
    agreed = agree_in_fans(table, layout).log_zone["klondike"]
    np.testing.assert_allclose(np.exp(agreed).sum(1), np.exp(says).sum(1))
    order = np.argsort([card.centre[0] for card in table.cards])
    return [ZONES["klondike"][k] for k in agreed[order].argmax(1)]


def test_an_ace_in_the_middle_of_a_fan_lies_in_the_waste() -> None:
    assert zones_in_a_fan("5D KH AD 4C QS 3D", "AD") == ["waste"] * 6


def test_a_card_apart_from_the_fan_stays_where_the_network_says() -> None:
    assert zones_in_a_fan("5D KH AD", "AD", step_mm=70.0) == ["waste", "waste", "foundation"]


def test_two_cards_upon_each_other_are_no_fan() -> None:
    assert zones_in_a_fan("5D AC", "AC") == ["waste", "foundation"]
