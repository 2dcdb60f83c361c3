from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawing.boards import board
from plumbing.errors import CardsError
from solver import parse
from solver.games import position_from_json
from webapp import edits

TABLE = parse("makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - 9H -; hand: 3S 4S 5S").to_json()


def cards(table: edits.Json) -> Counter[object]:
    return Counter(position_from_json(table).cards())


def test_adding_changing_removing_and_moving_back_gives_the_same_table() -> None:
    changed = edits.change(TABLE, "floor/0/2", "7S")
    assert changed["floor"][0] == ["7C", "7D", "7S"]
    assert edits.change(changed, "floor/0/2", "7H") == TABLE
    added = edits.add(TABLE, "hand", "KD")
    assert edits.remove(added, "hand/3") == TABLE
    moved = edits.move(TABLE, "cross/0", "hand")
    assert moved["cross"] == [None, None, "9H", None]
    assert edits.move(moved, "hand/3", "cross/0") == TABLE


def test_a_new_meld_can_be_begun() -> None:
    assert edits.add(TABLE, f"floor/{edits.NEW}", "KD")["floor"][-1] == ["KD"]


def test_a_foundation_stays_between_empty_and_full() -> None:
    table = parse("klondike foundations: C12").to_json()
    assert edits.change_height(table, "foundations/C", 5)["foundations"]["C"] == 13
    assert edits.change_height(table, "foundations/C", -20)["foundations"]["C"] == 0
    assert edits.add(table, "foundations/C", "KC")["foundations"]["C"] == 13
    with pytest.raises(CardsError):
        edits.add(table, "foundations/C", "QC")


def test_a_foundation_of_two_decks_is_built_down_from_the_king_twice() -> None:
    for count, card in enumerate([*"KQJT98765432A"] * 2):
        table = parse(f"tomb_double foundations: C{count}").to_json()
        assert edits.add(table, "foundations/C", f"{card}C")["foundations"]["C"] == count + 1
    with pytest.raises(CardsError):
        edits.add(parse("tomb_double").to_json(), "foundations/C", "AC")


@pytest.mark.parametrize("path", ["floor/9/0", "nothing", "hand/x", "hand/0/0/0"])
def test_a_path_to_nowhere_is_refused(path: str) -> None:
    with pytest.raises(KeyError):
        edits.value_at(TABLE, path)


PLACES = [spot.path for zone in board(TABLE).zones() for spot in zone.spots if spot.card and spot.path]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(["hand", "floor/0", "floor/1", "floor/*"])), max_size=8)
)
def test_moves_lose_no_card_and_leave_the_original_alone(steps: list[tuple[str, str]]) -> None:
    before = json.dumps(TABLE)
    table = TABLE
    for place, target in steps:
        drawn = board(table)
        zone = drawn.zone_of(place)
        if zone is None or not drawn.card_at(place) or zone.path == target:
            continue
        table = edits.move(table, place, target)
        assert cards(table) == cards(TABLE)
    assert json.dumps(TABLE) == before


def test_a_run_goes_along_with_its_lowest_card_and_uncovers_what_is_known() -> None:
    table = parse("klondike columns: 4C [9C 8H 7S] | [TH] | - | - | - | - | -").to_json()
    run = edits.move_run(table, "columns/0/up/0", "columns/1/up")
    assert run["columns"][:2] == [{"down": [], "up": ["4C"]}, {"down": [], "up": ["TH", "9C", "8H", "7S"]}]
    tail = edits.move_run(table, "columns/0/up/2", "columns/1/up")
    assert tail["columns"][0] == {"down": ["4C"], "up": ["9C", "8H"]}
