"""The games one plays: their logic, and the views without a browser."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from solver.answer import parse_position
from solver.cards import deck
from solver.errors import IllegalMoveError
from solver.klondike import STANDARD, Position, random_deal
from solver.makiaveli import Position as Table
from solver.makiaveli import Turn, solve
from tests.webapp.taps import tap
from webapp import moves, rummy, state, worker
from webapp.advice import move_words
from webapp.boards import board
from webapp.faces import BACK
from webapp.page import klondike, makiaveli


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Any:
    yield
    state.pool.clear()


def cards(game: rummy.Game) -> Counter[object]:
    floor = [card for meld in game.floor for card in meld]
    held = [card for hand in game.hands for card in hand]
    return Counter([*floor, *(card for card in game.cross if card), *held, *game.stock])


def best(table: Table) -> Turn | None:
    line = solve(table).line
    return line[0] if line else None


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(rummy.SEATS), st.integers(0, 10_000))
def test_a_game_of_computers_keeps_every_card_and_comes_to_an_end(seats: int, seed: int) -> None:
    game = rummy.deal(seats, seed)
    for _ in range(60):
        assert cards(game) == Counter(deck(2))
        if game.is_over:
            break
        turn = best(game.table())
        game = rummy.draw(game) if turn is None else rummy.play(game, turn)
        game = rummy.computers(game, best)
    assert game.turn == 0 or game.is_over


def test_a_turn_against_the_rules_is_refused() -> None:
    game = rummy.deal(2, 1)
    with pytest.raises(IllegalMoveError):
        rummy.play(game, Turn((game.hands[0][:2],), game.cross, game.hands[0][2:]))


def test_an_empty_deck_passes_and_all_passing_is_a_draw() -> None:
    game = rummy.Game((), (None,) * 4, (deck()[:2], deck()[2:4]), ())
    game = rummy.draw(rummy.draw(game))
    assert game.is_over
    assert game.winner is None


def test_the_player_sees_no_hidden_card() -> None:
    position = random_deal(5, STANDARD)
    shown = klondike.hidden(position.to_json())
    assert all(card == BACK for column in shown["columns"] for card in column["down"])
    assert set(shown["stock"]) <= {BACK}
    assert Position.from_json(shown).cards().count(None) == position.to_json()["stock"].__len__() + 21


@pytest.mark.parametrize("seed", range(3))
def test_each_legal_move_begins_with_exactly_one_place_of_the_board(seed: int) -> None:
    position = random_deal(seed, STANDARD)
    for _ in range(40):
        places = [spot.place for zone in board(position.to_json()).zones() for spot in zone.spots if spot.place]
        found = [move for place in set(places) for move in klondike.moves_from(position, place)]
        wanted = [move for move in position.moves() if str(move) != "draw"]
        assert Counter(map(str, found)) == Counter(map(str, wanted))
        moves = position.moves()
        if not moves:
            break
        position = position.apply(moves[len(places) % len(moves)])


def run(name: str) -> AppTest:
    page = AppTest.from_string(f"from webapp.page import {name}\n{name}.page()\n", default_timeout=300).run()
    assert not page.exception
    return page


def held(page: AppTest, kind: type[Any]) -> Any:
    return page.session_state[kind.__qualname__]


def test_klondike_is_dealt_played_and_taken_back() -> None:
    page = run("klondike")
    page.button(key="klondike_new").click().run()
    assert not page.exception
    (start,) = held(page, klondike.Play).history
    tap(page, "klondike_tools", "draw", "draw")
    assert not page.exception
    assert held(page, klondike.Play).history[0] == start
    assert len(held(page, klondike.Play).history) == 3
    tap(page, "klondike_tools", "undo", "undo")
    assert held(page, klondike.Play).history == (start,)


def test_a_turn_of_makiaveli_is_answered_by_the_computer() -> None:
    page = run("makiaveli")
    page.button(key="rummy_new").click().run()
    assert not page.exception
    page.button(key="rummy_draw").click().run()
    assert not page.exception
    game = held(page, makiaveli.Seat).game
    assert game.turn == 0
    assert len(game.log) == 2
    assert len(game.hands[0]) == 6


def test_an_unfinished_table_is_no_turn() -> None:
    page = run("makiaveli")
    page.button(key="rummy_new").click().run()
    seat = held(page, makiaveli.Seat)
    seat.lay(seat.laid | {"floor": [seat.laid["hand"][:2]], "hand": seat.laid["hand"][2:]})
    page.run()
    page.button(key="rummy_end").click().run()
    assert not page.exception
    assert "meld has at least 3" in str(page.warning[0].proto)


def test_a_hint_knows_only_what_has_lain_face_up() -> None:
    deal = random_deal(3, STANDARD)
    after = deal.apply(deal.moves()[0])
    seen = klondike.seen_only([str(deal)])
    assert len(seen.unseen()) == 45
    assert klondike.seen_only([str(deal), str(after)]).cards().count(None) <= 45
    shown = {card for column in deal.columns for card in column.up}
    assert set(seen.cards()) - {None} == shown


def test_moves_are_compared_on_the_same_deals() -> None:
    seen = klondike.seen_only([str(random_deal(5, STANDARD))])
    news: list[dict[str, Any]] = []
    result = worker.moves_task({"line": str(seen), "seconds": 0.0}, news.append)
    assert {row["move"] for row in result["moves"]} == {str(move) for move in seen.moves()}
    assert {row["n"] for row in result["moves"]} == {news[-1]["deals"]}
    assert all(0 <= row["low"] <= row["share"] <= row["high"] <= 1 for row in result["moves"])


def test_moves_of_a_tomb_are_compared_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "ROUND", 1)
    line = "tomb_double foundations: C26 D26 H26 S18; tableau: 8S | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??"
    position = parse_position(line)
    rows = worker.moves_task({"line": line, "seconds": 0.0}, lambda news: None)["moves"]
    idle = {f"T1>T{place}" for place in (2, 3, 4)}  # the pile would only change its place
    assert {row["move"] for row in rows} == {str(move) for move in position.moves()} - idle
    assert rows[0]["share"] == 1.0
    assert all(row["n"] == 1 for row in rows)
    assert all(move_words(position, row["move"]) != row["move"] for row in rows)
