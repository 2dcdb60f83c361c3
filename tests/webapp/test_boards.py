"""Boards and their drawings: every place leads to its card, every drawing is well-formed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from drawing.boards import board, faulty_places
from drawing.card_names import BACK, EMPTY
from drawing.changes import describe_changes
from solver import parse
from solver.cards import RANK_CHARS, parse_card
from solver.games import GAMES, find_game
from solver.klondike import STANDARD, random_deal
from solver.place import Place
from vision.read_card import ReadCard
from webapp import board_json, edits, sample_photos, worker
from webapp.games.game import page_of

LINES = {
    "makiaveli": "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - 9H -; hand: 3S 4S 5S",
    "klondike": str(random_deal(7)),
    "tomb_single": "tomb_single corners: 7H 8C | 7D | - | -; centre: 6S 5D 4C; spares: 2H KS - QD; spare_six: 6H;"
    " discard: 3C JH; deck: 9D ?? 38",
    "tomb_double": "tomb_double foundations: C1 D0 H14 S0; tableau: 7C 8C | QH | - | 5D; reserves: ?? 3D | - | 2C | -;"
    " wastes: 4H | - | - | 9S TS | -; stock: ?? ??",
}
TABLES = {game: parse(line).to_json() for game, line in LINES.items()}


def test_there_is_a_sample_photo_of_each_game() -> None:
    assert {sample_photos.game(path) for path in sample_photos.paths()} == set(GAMES)


def test_every_game_of_the_solver_can_be_shown() -> None:
    assert set(LINES) == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_place_leads_to_its_card(game: str) -> None:
    table = TABLES[game]
    for zone in board(table).zones():
        for spot in zone.spots:
            if not spot.path:
                continue
            held = edits.value_at(table, spot.path)
            if zone.kind == "height":
                rank = spot.card[:1]
                assert bool(held) == (spot.card != EMPTY)
                assert not held or RANK_CHARS.index(rank) in ((held - 1) % 13, 12 - (held - 1) % 13)
            else:
                assert held == spot.card or (held is None and spot.card == EMPTY) or spot.card == BACK


@pytest.mark.parametrize("game", ["tomb_single", "tomb_double"])
def test_each_pile_of_a_tomb_is_named_where_it_lies(game: str) -> None:
    piles = [zone for section in board(TABLES[game]).sections if section.columns for zone in section.zones if zone]
    assert all(zone.heading for zone in piles)
    assert len({zone.title for zone in piles}) == len(piles)


@pytest.mark.parametrize("game", GAMES)
def test_the_browser_is_told_every_zone_with_its_colour(game: str) -> None:
    told = board_json.table_json(TABLES[game])
    zones = [zone for section in told["sections"] for zone in section["zones"] if zone]
    assert [zone["title"] for zone in zones] == [zone.title for zone in board(TABLES[game]).zones()]
    assert all(zone["colour"].startswith("#") for zone in zones if zone["path"])
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_table_can_be_shown_and_filled(game: str) -> None:
    table = parse(game).to_json()
    drawn = board(table)
    board_json.table_json(table)
    zone = next(zone for zone in drawn.zones() if zone.kind == "list")
    filled = edits.add(table, zone.path, "AS")
    assert find_game(game).solver.Position.from_json(filled).cards().count(parse("makiaveli hand: AS").cards()[0])


@pytest.mark.parametrize("game", [game for game in GAMES if page_of(game).cards_may_be_unknown])
def test_the_solver_is_prepared_for_hidden_cards(game: str) -> None:
    assert any(None in parse(line).cards() for line in page_of(game).warm_up)


@pytest.mark.parametrize("game", [game for game in GAMES if page_of(game).rules])
def test_every_rule_that_is_offered_is_understood(game: str) -> None:
    table: dict[str, Any] = TABLES[game]
    for choice in page_of(game).rules:
        for value, _ in choice.options:
            changed = table | {"rules": (table.get("rules") or {}) | {choice.key: value}}
            position = find_game(game).solver.Position.from_json(changed)
            held = (position.to_json().get("rules") or {}).get(choice.key, choice.options[0][0])
            assert held == value


def patched(table: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """What `board/table.js` makes of a patch."""
    if "sections" in patch:
        return table | {"sections": patch["sections"]}
    sections = [section | {"zones": [*section["zones"]]} for section in table["sections"]]
    for section, number, zone in patch["zones"]:
        sections[section]["zones"][number : number + 1] = [zone]
    for section, length in patch.get("cut", ()):
        del sections[section]["zones"][length:]
    return table | {"sections": sections}


@pytest.mark.parametrize(
    "line",
    [
        "makiaveli floor: 3H 4H 5H 6H 7H | 9S TS JS; cross: 2S - - -; hand: 5H 3S 4S",
        str(random_deal(10, STANDARD)),
        "tomb_double foundations: C26 D26 H26 S24; tableau: 2S | AS | - | -",
    ],
    ids=["makiaveli", "klondike", "tomb_double"],
)
def test_the_steps_of_a_way_lead_to_its_last_table(line: str) -> None:
    table = parse(line).to_json()
    result = worker.answer_task({"line": line, "seconds": 20}, lambda news: None)
    if not result.get("frames"):
        pytest.skip("no line was found")
    steps = board_json.steps(table, result)
    shown = board_json.table_json(table)
    for step in steps:
        shown = patched(shown, step["patch"])
    assert shown == board_json.table_json(result["frames"][-1]["position"])
    assert all(step["text"] for step in steps)
    if table["game"] == "klondike":
        assert len(steps) < len(result["frames"]), "turns of the stock are merged"
        assert not any("T1>" in step["text"] or "draw" in step["text"] for step in steps)


def test_melds_keep_the_order_in_which_they_lie() -> None:
    line = "makiaveli floor: QH QS QC QD | JD TD 9D | 7C 7D 7H; cross: - - - -; hand: KD"
    table = parse(line).to_json()
    assert table["floor"][0] == ["QH", "QS", "QC", "QD"]
    result = worker.answer_task({"line": line, "seconds": 20}, lambda news: None)
    shown = board_json.table_json(table)
    for step in board_json.steps(table, result):
        shown = patched(shown, step["patch"])
    melds = [[card for card, _ in zone["spots"]] for zone in shown["sections"][0]["zones"] if zone]
    assert ["QH", "QS", "QC"] in melds
    assert ["KD", "QD", "JD", "TD", "9D"] in melds
    assert ["7C", "7D", "7H"] in melds


def test_each_card_of_a_photo_has_a_place_of_its_own() -> None:
    drawn = board(TABLES["makiaveli"])
    lying = [
        ("7C", "floor/0"),
        ("8H", "floor/0"),  # put right since
        ("3S", "floor/1"),  # laid elsewhere since
        ("KD", "none"),
        ("2S", "cross/0"),
    ]
    cards = [ReadCard(parse_card(card), 1.0, (), Place.parse(zone)) for card, zone in lying]
    assert board_json.match_cards(drawn, cards) == {0: "floor/0/0", 1: "floor/0/1", 2: "hand/0", 4: "cross/0"}


def test_moves_are_told_in_words() -> None:
    position = random_deal(1)
    moves = {
        str(move): describe_changes(board(position.to_json()), board(position.play(move).to_json()))
        for move in position.moves()
    }
    assert moves["draw"].endswith("from the stock to the waste")
    assert all(" to " in words for words in moves.values())


def test_steps_end_with_the_cards_of_the_final_table() -> None:
    position = parse("makiaveli floor: 3H 4H 5H 6H 7H; hand: 5H")
    solution = find_game("makiaveli").solver.solve(position)
    *_, (_, end) = solution.tables()
    assert sorted(map(sorted, end["floor"])) == sorted(map(sorted, solution.to_json()["final"]["melds"]))
    assert end["hand"] == []


@pytest.mark.parametrize(
    ("line", "places"),
    [
        (
            "tomb_double tableau: 7C | 7C | QH | -; reserves: 7C 3D | - | - | -; stock: 99",
            {"tableau/0/0", "tableau/1/0", "reserves/0/0"},
        ),
        ("klondike columns: [9C 8C] | - | - | - | - | - | -", {"columns/0/up/0", "columns/0/up/1"}),
        (
            "klondike columns: [9H] | [QH] | - | - | - | - | -; foundations: H13",
            {"columns/0/up/0", "columns/1/up/0", "foundations/H"},
        ),
        ("tomb_single corners: 7H 9C | - | - | -; deck: 50", {"corners/0/1"}),
        ("makiaveli floor: 7C 7D 8H; hand: 3S", {"floor/0/0", "floor/0/1", "floor/0/2"}),
    ],
)
def test_what_a_fault_speaks_of_is_marked(line: str, places: set[str]) -> None:
    position = parse(line)
    assert set(faulty_places(board(position.to_json()), position.problems())) == places
