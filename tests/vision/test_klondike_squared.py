"""Klondike with squared piles: told by its plan, its tops read, and what lies under them asked about."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from datasets.layouts import FAMILIES, sample
from datasets.layouts.geometry import Shape
from models.table_layout.data import see_laid
from solver.cards import parse_card
from solver.klondike import Position
from solver.place import Place
from tests.vision import simulate
from tests.vision.simulate import Laid, seen
from vision.layout.game_choice import choose_game, predict_layout_from
from vision.layout.game_reading import GameReading
from vision.layout.klondike import GAME, places_of
from vision.layout.klondike_squared import find_squared_piles, layout_of_squared_piles
from vision.layout.vocabulary import ZONES
from vision.question import QuestionKind, to_be_asked

SQUARED = next(family for family in FAMILIES if family.name == "klondike/squared piles")
DEALT = "2S AD JS 9C 8C 4C TS"


def row(words: str, y: float = 0.0) -> list[Laid]:
    """Single cards in a row at even steps; `-` is an empty place and `??` a card face down."""
    places = ((word, 90.0 * k) for k, word in enumerate(words.split()) if word != "-")
    return [Laid(None if word == "??" else parse_card(word), x, y, 0.0, "none") for word, x in places]


def read(*rows: list[Laid]) -> GameReading:
    truth = simulate.photograph(list(chain(*rows)), game=None, position=None)
    parsed = choose_game(seen(truth, 1)).parsed
    assert parsed is not None
    return parsed


def tops(position: Position) -> list[str]:
    return [str(column.up[-1]) if column.up else "-" for column in position.columns]


def asked(found: GameReading) -> list[tuple[QuestionKind, Place | None]]:
    return [(check.kind, check.place) for check in (*found.checks, *to_be_asked(found.doubts))]


@pytest.mark.parametrize("second", ["JH", "?? JH", "??"])
def test_at_the_deal_seven_piles_hide_what_was_dealt_to_them(second: str) -> None:
    found = read(row(DEALT), row(second, 130.0))
    assert isinstance(found.position, Position)
    assert tops(found.position) == DEALT.split()
    assert [len(column.down) for column in found.position.columns] == list(range(7))
    assert [str(card) for card in found.position.waste] == ["JH"] * ("JH" in second)
    assert not found.position.problems()
    assert asked(found) == []
    assert found.sure > 0.97


def test_lines_of_the_cloth_that_look_like_backs_belong_to_no_squared_pile() -> None:
    """The network takes the lines for cards of a column."""
    lines = [Laid(None, x, -190.0, 0.0, "none") for x in (45.0, 450.0)]
    table = seen(simulate.photograph([*row(DEALT), *row("?? JH", 130.0), *lines], game=None, position=None), 1)
    layout = predict_layout_from(table, GAME, 0)
    for back in range(len(table.cards), len(layout.log_zone[GAME])):
        layout.log_zone[GAME][back] = np.log(np.where(np.arange(len(ZONES[GAME])) == 3, 0.9, 0.01))
    planned = layout_of_squared_piles(table, layout)
    assert planned is not None
    places = places_of(table, planned)
    assert [len(column) for column in places.columns] == [1] * 7
    assert not any(places.backs)


def test_with_the_stock_at_the_right_a_person_is_asked_from_which_side_it_was_dealt() -> None:
    """Seen from across, a stock at the left lies at the right, and the columns hide 6 to 0 cards."""
    found = read(row(DEALT), row("- - - - - - ??", -130.0))
    assert found.game == "klondike"
    assert asked(found) == [(QuestionKind.HIDDEN, Place("column"))]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("far", [False, True])
def test_later_a_person_is_asked_once_what_lies_under_all_piles(mirrored: bool, far: bool) -> None:
    """Nothing tells how many cards lie there, or whether cards that were turned lie on others."""
    second = ["QS", "-", "-", "-", "AS", "3C", "AD"]
    found = read(row("2S - 6H 9D 8C 4C TS"), row(" ".join(second[:: -1 if mirrored else 1]), -130.0 if far else 130.0))
    assert isinstance(found.position, Position)
    assert tops(found.position) == ["2S", "-", "6H", "9D", "8C", "4C", "TS"]
    assert found.position.foundations == (3, 1, 0, 1)
    assert [str(card) for card in found.position.waste] == ["QS"]
    assert not found.position.problems()
    assert asked(found) == [(QuestionKind.HIDDEN, Place("column"))]
    assert found.sure < 0.5


def test_late_in_the_game_no_more_cards_are_taken_for_hidden_than_the_deck_has() -> None:
    found = read(row("QD JD 6H - - - TC"), row("QC - - KS 9C 5H TD", 130.0))
    assert isinstance(found.position, Position)
    assert len(found.position.cards()) == 52
    assert asked(found) != []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (DEALT, "JH 3C 5D 8H 9S"),  # five cards are no waste and foundations
        (DEALT, "JH - - - 9S 9D"),  # under the nine of spades the two would lie
        ("2S AD JS 9C", "JH QD"),  # too few piles
        (DEALT, "5H 5H"),  # a card twice
    ],
)
def test_two_rows_of_loose_cards_are_no_squared_piles(first: str, second: str) -> None:
    assert read(row(first), row(second, 130.0)).game != "klondike"


def test_tables_laid_so_are_told_and_rows_of_loose_cards_are_not() -> None:
    """Simulated as the layout network's tables are, with all errors of the networks before it."""
    rng, shape = np.random.default_rng(1), Shape(1.4, 0.2, 0.4)
    loose = [family for family in FAMILIES if family.game is None]
    found = [find_squared_piles(see_laid(rng, sample(rng, "klondike", shape, family=SQUARED), shape).tokens)
             for _ in range(40)]  # fmt: skip
    wrong = [find_squared_piles(see_laid(rng, sample(rng, None, shape, family=family), shape).tokens)
             for family in loose for _ in range(4)]  # fmt: skip
    assert sum(plan is not None for plan in found) >= 12
    assert sum(plan is not None for plan in wrong) <= len(wrong) // 50
