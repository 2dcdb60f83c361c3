"""Pictures of tables: well-formed, each card on them, and every position and solution has one."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from drawing.card_names import spoken
from drawing.svg import LENGTHS, draw_card, draw_tables
from solver import answer, parse
from solver.cards import DECK, card_text
from solver.games import COMMANDS
from tests.conformance import CASES


def names_on(picture: str) -> list[str]:
    """What a screen reader says of each card of a picture; raises where the picture is no XML."""
    return [str(node.text) for node in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}title")]


@pytest.mark.parametrize("game", COMMANDS.values(), ids=lambda game: game.word)
def test_a_deal_draws_itself_with_all_its_cards(game: Any) -> None:
    position = game.solver.random_deal(3)
    picture = position._repr_svg_()
    assert {spoken(card_text(card)) for card in position.cards()} <= set(names_on(picture))
    assert float(ElementTree.fromstring(picture).get("width", "0")) <= LENGTHS.flow_width + 20


def test_a_long_stock_does_not_make_the_columns_of_a_klondike_smaller() -> None:
    deal = COMMANDS["klondike"].solver.random_deal(3).to_json()
    (whole, without) = (draw_tables([("", deal | {"stock": stock})]) for stock in (deal["stock"], []))
    assert len(deal["stock"]) == 24
    assert len(names_on(whole)) == len(names_on(without)) + 24
    assert ElementTree.fromstring(whole).get("width") == ElementTree.fromstring(without).get("width")


def test_a_stock_of_which_nobody_knows_a_card_is_not_spread_out() -> None:
    deal = COMMANDS["klondike"].solver.random_deal(3).to_json()
    names = names_on(draw_tables([("", deal | {"stock": ["??"] * 24})]))
    down = sum(len(column["down"]) for column in deal["columns"])
    assert names.count("face-down card") == down + 1


@pytest.mark.parametrize("text", [text for case in CASES for text in (*case.legal, *(f for f, _ in case.faulty))])
def test_any_position_can_be_drawn(text: str) -> None:
    game = next(case.game for case in CASES if text in case.legal or text in {f for f, _ in case.faulty})
    table = COMMANDS[game.replace("_", "-")].position.parse(text)
    assert names_on(table._repr_svg_())


@pytest.mark.xdist_group("makiaveli")
def test_a_solution_shows_the_table_before_and_after() -> None:
    solution = answer(parse("makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 3S 4S 5S"))
    names = names_on(solution._repr_svg_())
    assert names.count("4 of spades") == 2
    assert "win in 1 turn" in solution._repr_svg_()


def test_every_card_has_a_face_of_its_own() -> None:
    assert len({draw_card(str(card)) for card in DECK}) == len(DECK)


def test_words_cannot_break_out_of_a_picture() -> None:
    table = {"game": "makiaveli", "floor": [], "cross": [], "hand": []}
    assert names_on(draw_tables([("<b> & ' \"", table)]))
