"""Boards and their drawings: every place leads to its card, every drawing is well-formed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from solver.answer import GAMES, game_module, parse_position
from solver.cards import RANK_CHARS
from solver.klondike import random_deal
from webapp import edits
from webapp.boards import DECKS, GAME_TITLES, board, faulty_places
from webapp.changes import moved_places, stepped, told
from webapp.drawing import board_html, card_grid_html, icon
from webapp.faces import BACK, EMPTY
from webapp.poster import poster_svg
from webapp.rules import RULE_CHOICES
from webapp.rules import told as rules_told

LINES = {
    "makiaveli": "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - 9H -; hand: 3S 4S 5S",
    "klondike": str(random_deal(7)),
    "tomb_single": "tomb_single corners: 7H 8C | 7D | - | -; centre: 6S 5D 4C; spares: 2H KS - QD; spare_six: 6H;"
    " discard: 3C JH; deck: 9D ?? 38",
    "tomb_double": "tomb_double foundations: C1 D0 H14 S0; tableau: 7C 8C | QH | - | 5D; reserves: ?? 3D | - | 2C | -;"
    " wastes: 4H | - | - | 9S TS | -; stock: ?? ??",
}
TABLES = {game: parse_position(line).to_json() for game, line in LINES.items()}


def test_every_game_of_the_solver_can_be_shown() -> None:
    assert set(LINES) == set(GAMES) == set(DECKS) == set(GAME_TITLES)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_leads_to_its_card(game: str) -> None:
    table = TABLES[game]
    for zone in board(table).zones():
        for spot in zone.spots:
            if not spot.place:
                continue
            held = edits.at(table, spot.place)
            if zone.kind == "height":
                rank = spot.card[:1]
                assert bool(held) == (spot.card != EMPTY)
                assert not held or RANK_CHARS.index(rank) in ((held - 1) % 13, 12 - (held - 1) % 13)
            else:
                assert held == spot.card or (held is None and spot.card == EMPTY) or spot.card == BACK


@pytest.mark.parametrize("game", GAMES)
def test_drawings_are_well_formed_and_name_every_card(game: str) -> None:
    drawn = board(TABLES[game])
    for html in (board_html(drawn), board_html(drawn, pickable=True, adding=True)):
        tree = ElementTree.fromstring(html)
        assert tree.get("data-game") == game
        for group in tree.iter("g"):
            if group.get("role"):
                assert group.get("aria-label")
    svg = ElementTree.fromstring(poster_svg(drawn, "<b>Yes</b>", "All & sundry " * 30))
    assert "<b>Yes</b>" in "".join(svg.itertext())


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_table_can_be_shown_and_filled(game: str) -> None:
    table = parse_position(game).to_json()
    drawn = board(table)
    ElementTree.fromstring(board_html(drawn, pickable=True, adding=True))
    zone = next(zone for zone in drawn.zones() if zone.kind == "list")
    filled = edits.add(table, edits.Target(zone.path), "AS")
    assert game_module(game).Position.from_json(filled).cards().count(parse_position("makiaveli hand: AS").cards()[0])


def test_the_pictures_texts_fit_its_width() -> None:
    drawn = board(parse_position("makiaveli hand: 3S 4S 5S").to_json())
    rules = rules_told({"game": "klondike"})
    svg = poster_svg(drawn, "Not settled yet: could be won in 10% to 97% of the possible deals", "x " * 90, rules=rules)
    texts = list(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
    assert len([text for text in texts if text.get("font-size") == "54"]) == 2
    assert all(len(text.text or "") * float(text.get("font-size", 0)) * 0.55 < 1080 for text in texts)
    assert any("Turn 1" in (text.text or "") for text in texts), "the rules it goes by"


@pytest.mark.parametrize("game", RULE_CHOICES)
def test_every_rule_that_is_offered_is_understood(game: str) -> None:
    table: dict[str, Any] = TABLES[game]
    for choice in RULE_CHOICES[game]:
        for value, _ in choice.options:
            changed = table | {"rules": (table.get("rules") or {}) | {choice.key: value}}
            position = game_module(game).Position.from_json(changed)
            held = (position.to_json().get("rules") or {}).get(choice.key, choice.options[0][0])
            assert held == value


def test_the_grid_disables_only_what_is_used_up() -> None:
    tree = ElementTree.fromstring(
        card_grid_html({"7H": 2, "8H": 1}, 2, unknown=True).replace(" disabled>", ' disabled="">')
    )
    disabled = [button.get("data-place") for button in tree.iter("button") if button.get("disabled") is not None]
    assert disabled == ["7H"]
    assert len(list(tree.iter("button"))) == 53


def test_the_icon_is_a_drawing_of_our_own() -> None:
    assert "http" not in icon().replace("http://www.w3.org/2000/svg", "")


def test_only_what_moved_is_marked() -> None:
    before = TABLES["makiaveli"]
    after = before | {"floor": [["9S", "TS", "JS"], ["7C", "7D", "7H"], ["2S", "3S", "4S", "5S"]], "hand": []}
    after |= {"cross": [None, None, "9H", None]}
    assert set(moved_places(board(before), board(after))) == {f"floor/2/{n}" for n in range(4)}


def test_moves_are_told_in_words() -> None:
    position = random_deal(1)
    moves = {
        str(move): told(board(position.to_json()), board(position.apply(move).to_json())) for move in position.moves()
    }
    assert moves["draw"].endswith("from stock to waste")
    assert all(" to " in words for words in moves.values())


def test_steps_end_with_the_cards_of_the_final_table() -> None:
    position = parse_position("makiaveli floor: 3H 4H 5H 6H 7H; hand: 5H")
    result = game_module("makiaveli").solve(position).to_json()
    end = stepped(position.to_json(), result["steps"])[-1]
    assert sorted(map(sorted, end["floor"])) == sorted(map(sorted, result["final"]["melds"]))
    assert end["hand"] == []


def test_every_card_of_a_new_meld_is_marked_as_moved() -> None:
    before = {"game": "makiaveli", "floor": [["9S", "TS", "JS", "QS"]], "cross": ["9H"], "hand": ["9C"]}
    after = {"game": "makiaveli", "floor": [["TS", "JS", "QS"], ["9C", "9H", "9S"]], "cross": [None], "hand": []}
    assert set(moved_places(board(before), board(after))) == {"floor/1/0", "floor/1/1", "floor/1/2"}


@pytest.mark.parametrize(
    ("line", "places"),
    [
        (
            "tomb_double tableau: 7C | 7C | QH | -; reserves: 7C 3D | - | - | -; stock: 99",
            {"tableau/0/0", "tableau/1/0", "reserves/0/0"},
        ),
        ("klondike columns: [9C 8C] | - | - | - | - | - | -", {"columns/0/up/0", "columns/0/up/1"}),
        ("tomb_single corners: 7H 9C | - | - | -; deck: 50", {"corners/0/1"}),
        ("makiaveli floor: 7C 7D 8H; hand: 3S", {"floor/0/0", "floor/0/1", "floor/0/2"}),
    ],
)
def test_what_a_fault_speaks_of_is_marked(line: str, places: set[str]) -> None:
    position = parse_position(line)
    assert set(faulty_places(board(position.to_json()), position.problems())) == places
