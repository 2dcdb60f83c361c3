"""The games one plays: their logic, and the views without a browser."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from drawing.boards import board
from drawing.card_names import BACK
from plumbing.errors import IllegalMoveError
from solver import parse
from solver.cards import deck, parse_cards
from solver.game_review import review as look_again
from solver.klondike import STANDARD, STANDARD_DRAW_1, KlondikeRules, Move, Position, player, random_deal
from solver.klondike.game import begin
from solver.klondike.plan import describe_plan, next_part
from solver.makiaveli import Position as Table
from solver.makiaveli import Turn, solve
from solver.makiaveli import game as makiaveli_game
from solver.record import Record, parse_record
from solver.tomb_double import best_move
from tests.webapp.taps import data, event, send, send_all
from webapp import streamlit_link as state
from webapp import worker
from webapp.advice import comparison_json, describe_move
from webapp.jobs import Job
from webapp.page import klondike, makiaveli
from webapp.session import Session

SPADES_OPEN = (
    "klondike draw: 1; columns: [KS QS JS TS 9S] | [8S 7S 6S 5S 3S] | - | - | - | - | -; foundations: C13 D13 H13"
)


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Any:
    yield
    state.pool.clear()


def cards(game: makiaveli_game.Game) -> Counter[object]:
    floor = [card for meld in game.floor for card in meld]
    held = [card for hand in game.hands for card in hand]
    return Counter([*floor, *(card for card in game.cross if card), *held, *game.stock])


def best(table: Table) -> Turn | None:
    line = solve(table).line
    return line[0] if line else None


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(makiaveli_game.SEATS), st.integers(0, 10_000))
def test_a_game_of_computers_keeps_every_card_and_comes_to_an_end(seats: int, seed: int) -> None:
    game = makiaveli_game.deal(seats, seed)
    for _ in range(60):
        assert cards(game) == Counter(deck(2))
        if game.is_over:
            break
        turn = best(game.table())
        game = makiaveli_game.draw(game) if turn is None else makiaveli_game.play(game, turn)
        game = makiaveli_game.computers(game, best)
    assert game.turn == 0 or game.is_over


def test_a_turn_against_the_rules_is_refused() -> None:
    game = makiaveli_game.deal(2, 1)
    with pytest.raises(IllegalMoveError):
        makiaveli_game.play(game, Turn((game.hands[0][:2],), game.cross, game.hands[0][2:]))


def test_an_empty_deck_passes_and_all_passing_is_a_draw() -> None:
    game = makiaveli_game.Game((), (None,) * 4, (deck()[:2], deck()[2:4]), ())
    game = makiaveli_game.draw(makiaveli_game.draw(game))
    assert game.is_over
    assert game.winner is None


def test_the_player_sees_no_hidden_card() -> None:
    position = random_deal(5, STANDARD)
    shown = klondike.hide(position.to_json())
    assert all(card == BACK for column in shown["columns"] for card in column["down"])
    assert set(shown["stock"]) <= {BACK}
    assert Position.from_json(shown).cards().count(None) == position.to_json()["stock"].__len__() + 21


@pytest.mark.parametrize("seed", range(3))
def test_each_legal_move_begins_with_exactly_one_place_of_the_board(seed: int) -> None:
    position = random_deal(seed, STANDARD)
    for _ in range(40):
        places = [spot.path for zone in board(position.to_json()).zones() for spot in zone.spots if spot.path]
        found = [move for place in set(places) for move in klondike.moves_from(position, place)]
        wanted = [move for move in position.moves() if str(move) != "draw"]
        assert Counter(map(str, found)) == Counter(map(str, wanted))
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[len(places) % len(moves)])


def run(name: str) -> AppTest:
    page = AppTest.from_string(f"from webapp.page import {name}\n{name}.page()\n", default_timeout=300).run()
    assert not page.exception
    return page


def held(page: AppTest, kind: type[Any]) -> Any:
    return page.session_state[kind.__qualname__]


def playing(*game: Any) -> tuple[AppTest, Any]:
    """A game of Klondike on its page: where it began, and its moves."""
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(klondike.resumed(*game))
    return page, play


@pytest.fixture(autouse=True)
def _one_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance deals the same cards each time; these leave no ace open, which would go home by itself."""
    monkeypatch.setattr(klondike.state, "fresh_seed", lambda: 5)


def moves_of(play: klondike.Play) -> tuple[str, ...]:
    return tuple(map(str, play.game.moves))


def test_klondike_is_dealt_played_and_taken_back() -> None:
    page = run("klondike")
    send(page, "rule", "klondike", key="preset", value="Turn 3")
    send(page, "deal", "klondike")
    assert not page.exception
    assert data(page, "klondike")["title"] == "Klondike"
    play = held(page, klondike.Play)
    (start,) = play.game.tables
    assert start.rules == STANDARD
    turn = event("tap", place="stock")
    send_all(page, "klondike", turn, event("draw"))
    assert not page.exception
    assert play.game.tables[0] == start
    assert len(play.game.tables) == 3
    kept = data(page, "klondike")["keep"]["game:klondike"]
    assert (kept["deal"], kept["moves"]) == (str(start), ["draw", "draw"])
    send_all(page, "klondike", turn, event("undo"), event("undo"))  # the first is sent again with those after it
    assert play.game.tables == (start,)
    send(page, "redo", "klondike")
    assert moves_of(play) == ("draw",)


def test_a_tap_plays_the_best_move_and_what_can_lose_nothing_follows_by_itself() -> None:
    line = "klondike columns: ?? [8C] | [9H] | [2D] | [3S] | ?? [5S] | - | -; foundations: C7 D1 H2 S2; stock: ??"
    page, play = playing(line)
    page.run()
    assert {"stock", "columns/2/up/0"} <= set(data(page, "klondike")["taps"])
    send(page, "tap", "klondike", place="columns/2/up/0")
    assert moves_of(play) == ("T3>F", "T4>F"), "the two home, and the three of which nobody needs to lie on"
    kept = data(page, "klondike")["keep"]["game:klondike"]
    send(page, "undo", "klondike")
    assert moves_of(play) == (), "taken back together"
    again = run("klondike")
    send(again, "resume", "klondike", game=kept)
    resumed = held(again, klondike.Play)
    assert moves_of(resumed) == ("T3>F", "T4>F")
    send(again, "undo", "klondike")
    assert moves_of(resumed) == (), "after a reload, too"
    strange = klondike.Kept.of(kept["deal"], kept["moves"], turns=[3, "x"])
    assert strange.game.turns == (1, 1), "what does not belong together counts for nothing"
    send(page, "redo", "klondike")
    assert moves_of(play) == ("T3>F", "T4>F")
    send(page, "move", "klondike", place="columns/4/up/0", to="columns/1/up", was="5S")
    assert play.notice, "it is told why that cannot be"


def test_a_game_that_was_played_goes_on_after_a_reload() -> None:
    deal = random_deal(5, STANDARD)
    page = run("klondike")
    assert data(page, "klondike")["asks"] == "game:klondike"
    for kept in ({"deal": "nonsense", "moves": []}, {"deal": str(deal), "moves": ["T1>T9"]}, {}, "x"):
        send(page, "resume", "klondike", game=kept)
        assert held(page, klondike.Play).game.tables == ()
    send(page, "resume", "klondike", game={"deal": str(deal), "moves": ["draw", "draw"]})
    assert len(held(page, klondike.Play).game.tables) == 3


QUEENS = [
    str(parse(f"klondike columns: [KS] | ?? [{card}] | - | - | - | - | -; foundations: C13 {home} S11; stock: ??"))
    for card, home in (("QH", "D13 H11"), ("QD", "D11 H13"))
]


@pytest.mark.parametrize(
    ("kept", "begins", "moves", "past"),
    [
        (None, 0, 0, 0),
        ({"deal": QUEENS[0], "moves": ["T2>T1:1"]}, 0, 1, 0),
        ({"deal": QUEENS[1], "moves": ["T2>T1:1"]}, 0, 0, 1),  # the other one stays beside it
        ({"deal": QUEENS[1], "moves": [], "past": [[QUEENS[0], ["T2>T1:1"]]]}, 1, 0, 1),  # a new deal after it
    ],
)
def test_the_table_of_the_address_is_played(kept: Any, begins: int, moves: int, past: int) -> None:
    page = AppTest.from_string("from webapp.page import klondike\nklondike.page()\n", default_timeout=300)
    page.query_params[klondike.state.PARAMETER] = QUEENS[0]
    send(page.run(), "resume", "klondike", game=kept or data(page, "klondike")["otherwise"])
    play = held(page, klondike.Play)
    assert (str(play.game.tables[0]), len(play.game.moves), len(play.past)) == (QUEENS[begins], moves, past)
    assert play.keeps_before == (past > 0 and begins == 0)


@pytest.mark.parametrize("begun", [0, 1])
def test_a_table_that_is_played_on_after_a_reload_takes_the_place_of_no_game_that_the_browser_kept(begun: int) -> None:
    page = run("klondike")
    session = held(page, Session)
    session.begin(QUEENS[begun])
    session.play_on()
    queens = [{"deal": line, "moves": ["T2>T1:1"]} for line in QUEENS]
    past = [list(queens[0].values())]
    send(page.run(), "resume", "klondike", game=queens[1] | {"past": past})
    play = held(page, klondike.Play)
    assert (str(play.game.tables[0]), len(play.game.moves)) == (QUEENS[begun], 1)
    assert [str(one.game.tables[0]) for one in play.past] == [QUEENS[1 - begun]]


def test_a_table_whose_kept_game_is_won_is_played_on_again() -> None:
    page = run("klondike")
    line = "columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S12; stock:; waste:"
    session = held(page, Session)
    session.begin(f"klondike {line}")
    session.play_on()
    send(page.run(), "resume", "klondike", game={"deal": str(parse(f"klondike {line}")), "moves": ["T1>F"]})
    play = held(page, klondike.Play)
    assert (len(play.game.moves), [len(one.game.moves) for one in play.past]) == (0, [1])


def test_a_reload_keeps_the_rules_of_the_next_deal() -> None:
    page, other = run("klondike"), run("klondike")
    send(page, "deal", "klondike")
    send(page, "rule", "klondike", value="Turn 3")
    kept = data(page, "klondike")["keep"]["game:klondike"]
    send(other, "resume", "klondike", game=kept)
    send(other, "agreed", "klondike", rules={"klondike": STANDARD_DRAW_1.to_json()})
    assert data(other, "klondike")["rules"]["main"][0]["now"] == "Turn 3"


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("draw: 3; moves: run; worrying_back: yes", "This game: turn 3."),
        ("draw: 1; moves: one", "This game: turn 1, move 1 card."),
        ("draw: 2; moves: one", "This game: two cards are turned at a time, "),
    ],
)
def test_the_rules_of_the_game_are_told(rules: str, told: str) -> None:
    page = run("klondike")
    assert data(page, "klondike")["rules"]["told"] == ""
    deal = f"klondike {rules}; columns: [KS] | - | - | - | - | - | -"
    send(page, "resume", "klondike", game={"deal": deal, "moves": []})
    assert data(page, "klondike")["rules"]["told"].startswith(told)


def test_no_button_of_klondike_tells_a_hidden_card() -> None:
    page = run("klondike")
    send(page, "resume", "klondike", game={"deal": str(random_deal(5, STANDARD)), "moves": []})
    told = data(page, "klondike")
    position = held(page, klondike.Play).game.table
    hidden = {str(card) for column in position.columns for card in column.down} | {str(c) for c in position.stock}
    assert not hidden & set(re.findall(r"\b[A2-9TJQK][CDHS]\b", json.dumps(told | {"keep": None})))


def test_a_card_goes_where_it_may_and_nowhere_else() -> None:
    line = "klondike columns: [KS] | [QH] | ?? [7C] | - | - | - | -; foundations: C6 D0 H0 S0; stock: ??"
    page, play = playing(line)
    page.run()
    legal = data(page, "klondike")["legal"]
    assert legal["columns/1/up/0"] == ["columns/0/up"]
    assert legal["columns/2/up/0"] == ["foundations/C"]
    send(page, "move", "klondike", place="columns/1/up/0", to="columns/2/up", was="QH")
    assert len(play.game.moves) == 0
    send(page, "move", "klondike", place="columns/1/up/0", to="columns/0/up", was="QH")
    assert moves_of(play) == ("T2>T1:1",)


def test_a_game_that_is_as_good_as_won_is_finished_with_one_tap() -> None:
    cards = "columns: - | - | - | - | - | [KS] | [KH]; foundations: C13 D12 H12 S12; stock: KD"
    page, play = playing(f"klondike draw: 3; {cards}")
    page.run()
    assert "finish" in [tool["name"] for tool in data(page, "klondike")["playTools"]]
    send(page, "finish", "klondike")
    assert play.game.table.is_won
    assert data(page, "klondike")["said"]["tone"] == "good"
    assert klondike.find_finish(random_deal(5, STANDARD)) is None


def test_a_table_from_a_photo_is_played_on_and_asks_which_card_was_turned() -> None:
    line = (
        "klondike draw: 3; moves: run; worrying_back: yes; columns: ?? [2D] | ?? [9H] | [8S] | - | - | - | -;"
        f" foundations: C13 D1 H7 S7; stock: {'?? ' * 18}; waste: 3D"
    )
    page = run("klondike")
    play = held(page, klondike.Play)
    session = held(page, Session)
    session.begin(line)
    session.play_on()
    page.run()
    assert session.play is None
    send(page, "resume", "klondike", game=data(page, "klondike")["otherwise"])
    assert str(play.game.table) == str(parse(line))
    assert data(page, "klondike")["title"] == "Your game"
    send(page, "tap", "klondike", place="columns/0/up/0")
    assert moves_of(play) == ("T1>F",), "nothing plays itself before it is known what was turned"
    assert data(page, "klondike")["turned"]["title"] == "column 1"
    send(page, "turned", "klondike", card="9H")
    assert data(page, "klondike")["turned"], "that one lies elsewhere"
    send(page, "turned", "klondike", card="KH")
    send(page, "draw", "klondike")
    assert str(play.game.table.columns[0]) == "[KH]"
    assert data(page, "klondike")["turned"]["title"] == "card 1 of 3: top of the waste"
    send(page, "turned", "klondike", card="4D")
    assert str(play.game.tables[0].stock[2]) == "4D"
    assert data(page, "klondike")["turned"]["title"] == "card 2 of 3: waste, under 4♦"
    send(page, "turned", "klondike", card="5D")
    assert data(page, "klondike")["turned"]["title"] == "card 3 of 3: waste, under 5♦"
    send(page, "turned", "klondike", card="9S")
    assert data(page, "klondike")["turned"] is None
    assert [str(card) for card in play.game.seen().waste] == ["3D", "9S", "5D", "4D"], "a look at the stock ends"
    assert play.rules == "Turn 3", "the next deal is played as this one"
    send(page, "draw", "klondike")
    send(page, "turned", "klondike")
    assert data(page, "klondike")["turned"] is None
    assert play.game.table.is_known
    assert play.game.table.columns[0].up == tuple(parse_cards("KH")), "what was told stays"


def begun() -> AppTest:
    """A game of Makiaveli that has just begun."""
    page = run("makiaveli")
    send(page, "begin", "makiaveli")
    assert not page.exception
    return page


def test_two_quick_taps_on_the_stock_turn_one_card_where_that_must_be_named() -> None:
    cards = "?? [QS] | [KD] | [3H] | - | - | - | ?? [5C]; foundations: C1 D1 H1 S1; stock: ?? ?? ?? ?? ?? ?? ?? ??"
    page, play = playing(f"klondike draw: 1; moves: run; columns: {cards}")
    send_all(page.run(), "klondike", event("draw"), event("tap", place="stock"), event("draw"))
    assert moves_of(play) == ("draw",)
    send(page, "turned", "klondike", card="7D")
    send(page, "draw", "klondike")
    assert moves_of(play) == ("draw", "draw")


def test_a_card_that_was_named_goes_home_by_itself_if_nothing_can_be_lost() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed("klondike draw: 1; columns: ?? ?? [AD] | - | - | - | - | - | -; foundations: C13 H13 S12")
    )
    page.run()
    send(page, "tap", "klondike", place="columns/0/up/0")
    send(page, "turned", "klondike", card="2D")
    assert moves_of(play) == ("T1>F", "T1>F"), "the two follows, and what lay under it is asked for"
    assert data(page.run(), "klondike")["turned"]["title"] == "column 1, as 2♦ went home by itself"
    send(page, "undo", "klondike")
    assert moves_of(play) == (), "taken back together"


def test_what_goes_home_by_itself_once_the_hidden_cards_are_dealt_is_taken_back_with_the_move_before() -> None:
    page, play = playing("klondike draw: 1; columns: ?? ?? [QS] | [KD] | - | - | - | - | -; foundations: C0 D0 H0 S11")
    send(page.run(), "tap", "klondike", place="columns/0/up/0")
    dealt = (play.game.with_hidden_dealt(seed) for seed in range(99))
    game = next(one for one in dealt if len(one.moves) > 1)
    assert game.undo().moves == ()


def to_correct(page: AppTest) -> list[str]:
    """The cards that "Correct a card" offers, the last one first."""
    tools = data(page.run(), "klondike")["playTools"]
    assert [tool["name"] for tool in tools] == ["draw", "undo", "redo", "hint", "give_up", "name_again"], "none moves"
    told: list[str] = tools[-1]["asks"]["told"]
    assert tools[-1]["off"] == (not told)
    return told


def test_a_card_that_was_named_by_mistake_is_asked_for_again() -> None:
    page, play = playing("klondike columns: ?? [JH] | [QS] | ?? [KD] | - | - | - | -; foundations: C0 D0 H0 S0")
    assert to_correct(page) == []
    send(page, "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "turned", "klondike", card="KC", was="5D")
    assert data(page.run(), "klondike")["turned"], "nothing was named before"
    send(page, "turned", "klondike", card="5D")
    assert to_correct(page) == ["5D"]
    assert set(tool_of(data(page, "klondike"), "name_again")["asks"]["used"]) == {"JH", "QS", "KD"}
    for _ in range(2):  # tapped twice
        send(page, "turned", "klondike", card="6D", was="5D")
    send(page, "turned", "klondike", card="KD", was="6D")
    assert [str(card) for card in play.game.table.columns[0].up] == ["6D"], "KD lies on the table"
    assert moves_of(play) == ("T1>T2:1",)
    send(page, "undo", "klondike")
    assert to_correct(page) == [], "the table before asked nothing"
    send(page, "redo", "klondike")
    assert to_correct(page) == ["6D"]


def test_who_names_a_card_that_chance_has_dealt_goes_on_with_real_cards() -> None:
    columns = "?? [JH] | [QS] | ?? [KD] | ?? [KC] | [QH] | - | -"
    page, play = playing(f"klondike columns: {columns}; foundations: C0 D0 H0 S0")
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "turned", "klondike", card="5D")
    send(page, "move", "klondike", place="columns/4/up/0", to="columns/3/up")
    send(page, "move", "klondike", place="columns/2/up/0", to="columns/5/up")
    send(page, "turned", "klondike")
    assert data(page.run(), "klondike")["turned"] is None, "dealt by chance"
    assert "nobody knows" in data(page, "klondike")["notice"]
    send(page, "turned", "klondike", card="6D", was="5D")
    dealt = play.game.table.columns[2].up[0]
    assert (to_correct(page), play.made_up) == ([str(dealt), "6D"], True), "that was told before"
    send(page, "turned", "klondike", card="7D", was=str(dealt))
    assert (to_correct(page), play.made_up) == (["7D", "6D"], False)
    assert play.game.table.columns[3].down == (None,), "what chance dealt elsewhere is not known"


def test_undo_takes_back_what_chance_has_dealt_once_none_of_its_cards_lies_open() -> None:
    columns = "?? ?? [JH] | [QS] | ?? [KD] | [TC] | [QH] | - | -"
    page, play = playing(f"klondike columns: {columns}; foundations: C0 D0 H0 S0; stock: QC QD")
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "turned", "klondike", card="5D")
    send(page, "move", "klondike", place="columns/3/up/0", to="columns/1/up")
    before = play.game
    send(page, "move", "klondike", place="columns/2/up/0", to="columns/5/up")
    send(page, "turned", "klondike")
    send(page, "undo", "klondike")
    send(page, "redo", "klondike")
    assert data(page.run(), "klondike")["turned"], "it is asked for again"
    send(page, "turned", "klondike")
    kept = data(page.run(), "klondike")["keep"]["game:klondike"]
    assert data(page, "klondike")["status"] == "Moves: 3. Home: 0 of 52. Hidden cards by chance."
    send(page, "draw", "klondike")
    send(page, "undo", "klondike")
    assert play.made_up, "the first card still lies open"
    again = run("klondike")
    send(again, "resume", "klondike", game=kept)
    for shown in (page, again):
        send(shown, "undo", "klondike")
        after = held(shown, klondike.Play)
        assert (after.game.tables, after.game.moves, after.made_up) == (before.tables, before.moves, False)
        assert data(shown.run(), "klondike")["status"] == "Moves: 2. Home: 0 of 52."
        send(shown, "redo", "klondike")
        send(shown, "turned", "klondike", card="6D")
        assert to_correct(shown) == ["6D", "5D"], "what was told stays"


def test_any_card_that_was_told_can_be_put_right_and_two_change_places() -> None:
    line = "klondike draw: 3; columns: [8S] | [JC] | [9H] | - | - | - | -; foundations: C0 D0 H0 S0; stock: "
    page, play = playing(line + "?? " * 48)
    send(page.run(), "draw", "klondike")
    for card in ("AC", "6H", "TS"):
        send(page, "turned", "klondike", card=card)
    send(page, "tap", "klondike", place="waste/2")
    assert play.game.table.foundations[0] == 1
    assert to_correct(page) == ["TS", "6H", "AC"]
    send(page, "move", "klondike", place="columns/0/up/0", to="columns/2/up")
    before = play.game
    send(page, "turned", "klondike", card="QS", was="TS")
    assert (to_correct(page), play.game.moves) == (["QS", "6H", "AC"], before.moves), "no turn is lost"
    send(page, "turned", "klondike", card="QS", was="6H")
    assert (to_correct(page), play.game.moves) == (["6H", "QS", "AC"], before.moves)
    assert data(page.run(), "klondike")["notice"] == klondike.CHANGED_PLACES.format("6♥", "Q♠")
    for _ in before.turns:
        send(page, "undo", "klondike")
    send(page, "draw", "klondike")
    assert to_correct(page) == ["6H", "QS", "AC"], "they come up again, and can be put right again"
    send(page, "turned", "klondike", card="2H", was="AC")
    assert [str(card) for card in play.game.table.waste] == ["6H", "QS", "2H"]


def test_each_card_that_was_named_can_be_named_again_once_the_later_ones_are_taken_back() -> None:
    columns = "?? ?? [JH] | [QS] | ?? [KD] | [QC] | - | - | -"
    page, play = playing(f"klondike columns: {columns}; foundations: C0 D0 H0 S0")
    page.run()
    send(page, "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "turned", "klondike", card="JD")
    send(page, "move", "klondike", place="columns/0/up/0", to="columns/3/up")
    send(page, "turned", "klondike", card="5D")
    send(page, "undo", "klondike")
    assert to_correct(page) == ["JD"]
    send(page, "turned", "klondike", card="6D", was="JD")
    assert [str(card) for card in play.game.table.columns[0].up] == ["6D"]
    send(page, "undo", "klondike")
    send(page, "draw", "klondike")
    assert to_correct(page) == [], "another turn named nothing"


def test_a_card_can_be_named_again_after_a_reload_and_once_it_has_come_up_anew() -> None:
    columns = "[9S] | [TH] | ?? [KD] | - | - | - | -"
    page, play = playing(f"klondike draw: 1; columns: {columns}; foundations: C0 D0 H0 S0; stock: {'?? ' * 48}")
    page.run()
    send(page, "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "draw", "klondike")
    send(page, "turned", "klondike", card="7S")
    assert to_correct(page) == ["7S"]
    kept = data(page, "klondike")["keep"]["game:klondike"]
    for _ in range(2):
        send(page, "undo", "klondike")
    assert to_correct(page) == [], "7S lies in the stock"
    send(page, "draw", "klondike")
    assert to_correct(page) == ["7S"], "it lies on top of the waste, though other moves led to it"
    send(page, "turned", "klondike", card="8S", was="7S")
    assert (moves_of(play), str(play.game.table.waste[-1])) == (("draw",), "8S")
    again = run("klondike")
    send(again, "resume", "klondike", game=kept)
    assert to_correct(again) == ["7S"]
    send(again, "turned", "klondike", card="8D", was="7S")
    assert str(held(again, klondike.Play).game.table.waste[-1]) == "8D"
    strange = run("klondike")
    send(strange, "resume", "klondike", game=kept | {"named": ["klondike columns: - | - | - | - | - | - | -"]})
    assert to_correct(strange) == [], "what does not belong to the game asks nothing"


def test_a_game_of_which_turns_are_lost_when_a_card_is_put_right_is_kept() -> None:
    columns = "?? [JH] | [QS] | ?? [KD] | [8S] | - | - | -"
    page, play = playing(f"klondike columns: {columns}; foundations: C0 D0 H0 S0")
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/1/up")
    send(page, "turned", "klondike", card="9D")
    send(page, "move", "klondike", place="columns/3/up/0", to="columns/0/up")
    before = play.game
    send(page, "turned", "klondike", card="9D", was="9D")
    assert play.game == before, "it was right"
    send(page, "turned", "klondike", card="9H", was="9D")
    assert moves_of(play) == ("T1>T2:1", "T4>T1:1"), "8S may lie on it, too"
    before = play.game
    send(page, "turned", "klondike", card="9C", was="9H")
    assert moves_of(play) == ("T1>T2:1",)
    assert [str(card) for card in play.game.table.columns[0].up] == ["9C"]
    assert [kept.game for kept in play.past] == [before]
    told = data(page.run(), "klondike")
    assert told["notice"] == klondike.KEPT_BEFORE
    send(page, told["noticeTool"]["name"], "klondike")
    assert play.game == before


def test_no_hint_is_looked_for_once_the_last_card_is_named() -> None:
    cards = "columns: ?? [QS] | ?? [QH] | - | - | - | - | -; foundations: C13 D13 H11 S11"
    page, play = playing(f"klondike draw: 1; {cards}")
    send(page.run(), "tap", "klondike", place="columns/0/up/0")
    play.hints_on = True  # the hint led to the turned card
    send(page, "turned", "klondike", card="KH")
    assert play.game.table.is_won
    shown = data(page.run(), "klondike")
    assert (shown["said"]["headline"], shown["advice"]) == ("You won", None)


def test_who_gives_up_before_the_turned_card_is_named_is_told_of_the_table_before() -> None:
    cards = "columns: ?? [QS] | ?? [KD] | [KH] | - | - | - | -; foundations: C13 D12 H12 S10"
    page, play = playing(f"klondike draw: 1; {cards}")
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/2/up")
    assert play.game.unnamed() is not None
    send(page, "give_up", "klondike")
    assert all(search.wait(300) for search in play.missed)
    told = data(page.run(), "klondike")
    assert told["said"]["headline"].startswith("Yes")
    assert told["said"]["detail"].startswith(klondike.NOT_NAMED)
    assert "QS" in json.dumps(told["board"]["sections"][1]["zones"][0]), "the board shows that table"


def test_a_turn_of_makiaveli_is_answered_by_the_computer() -> None:
    page = begun()
    draw = event("draw", turn=0)
    send_all(page, "makiaveli", draw, event("draw", turn=0))  # a second tap on the same button is no second turn
    assert not page.exception
    game = held(page, makiaveli.Seat).game
    assert game.turn == 0
    assert len(game.log) == 2
    assert len(game.hands[0]) == 6


def test_an_unfinished_table_is_no_turn() -> None:
    page = begun()
    seat = held(page, makiaveli.Seat)
    seat.lay(seat.laid | {"floor": [[*seat.laid["hand"][:2]]], "hand": seat.laid["hand"][2:]})
    page.run()
    send(page, "end", "makiaveli", turn=0)
    assert not page.exception
    notice = data(page, "makiaveli")["notice"]
    assert "meld has at least 3" in notice
    assert not re.search(r"\b[A2-9TJQK][CDHS]\b", notice), "errors are told in the board's symbols"


def test_a_hint_of_makiaveli_is_explained_before_it_is_laid_out() -> None:
    page = begun()
    seat = held(page, makiaveli.Seat)
    easy = makiaveli_game.Game(
        (tuple(parse_cards("7C 7D 7H")),), (None,) * 4, (tuple(parse_cards("7S KD")), deck()[:2]), ()
    )
    seat.take(easy)
    page.run()
    send(page, "hint", "makiaveli", turn=0)
    seat.hint.wait(60)
    page.run()
    told = data(page, "makiaveli")
    assert seat.laid == easy.table(0).to_json(), "nothing is laid out yet"
    assert told["advice"]["headline"] == "You can play 1 card"
    assert "7♠" in told["steps"][0]["text"]
    send(page, "lay", "makiaveli", turn=0)
    assert seat.laid["hand"] == ["KD"]


def test_a_game_of_makiaveli_goes_on_after_a_reload() -> None:
    page = begun()
    kept = data(page, "makiaveli")["keep"]["game:makiaveli"]
    game = held(page, makiaveli.Seat).game
    other = run("makiaveli")
    for broken in ({}, {"game": kept["game"] | {"stock": []}, "laid": kept["laid"]}, 7):
        send(other, "resume", "makiaveli", game=broken)
        assert held(other, makiaveli.Seat).game is None
    send(other, "resume", "makiaveli", game=kept)
    assert held(other, makiaveli.Seat).game == game


def test_a_hint_knows_only_what_has_lain_face_up() -> None:
    deal = random_deal(3, STANDARD)
    after = deal.play(deal.moves()[0])
    seen = player.hide(deal)
    assert len(seen.unseen()) == 45
    moved = begin(deal, deal.moves()[:1])
    assert moved.table == after
    assert moved.seen().cards().count(None) <= 45
    shown = {card for column in deal.columns for card in column.up}
    assert set(seen.cards()) - {None} == shown


STUCK = (
    "klondike draw: 3; moves: run; columns: 8D 8H [9C] | 6D [9S] | 6H 4D 4H [7C] | QD QH [7S] | 4C 3D 3H 4S [5C] |"
    " KD [5S] | [KC]; foundations: C3 D2 H2 S3; stock: 5D 5H 6C 6S 7D 7H 8C 8S 9D 9H TC TD TH TS JD JH QS KH KS;"
    " waste: JC JS QC"
)
"""No card that the stock brings can be played; what would fit lies face down."""


def test_a_hint_knows_what_was_known_of_a_table_that_is_played_on() -> None:
    line = f"klondike draw: 1; columns: ?? [QS] | [KD] | - | - | - | - | -; stock: 9H 7C {'?? ' * 22}; waste: 5D"
    page, play = playing(line)
    assert play.game.seen() == parse(line), "the table that was played on shows its stock"
    send(page.run(), "draw", "klondike")
    assert [str(card) for card in play.game.seen().stock[:1]] == ["7C"]
    assert play.game.record().start == parse(line)
    again = run("klondike")
    send(again, "resume", "klondike", game=data(page.run(), "klondike")["keep"]["game:klondike"])
    assert held(again, klondike.Play).game.seen() == play.game.seen()


def test_a_hint_puts_away_what_was_said_before_it() -> None:
    page = run("klondike")
    held(page, klondike.Play).begin(klondike.resumed("klondike columns: ?? [QH] | [KD] | - | - | - | - | -"))
    send(page.run(), "tap", "klondike", place="columns/0/up/0")
    assert data(page.run(), "klondike")["notice"] == "Q♥ has no place to go now."
    send(page, "hint", "klondike")
    assert not data(page.run(), "klondike")["notice"]
    assert held(page, klondike.Play).hint.job.wait(300)


def test_a_hint_in_a_stuck_game_says_that_nothing_leads_on() -> None:
    page = run("klondike")
    send(page, "resume", "klondike", game={"deal": STUCK, "moves": ["draw"]})
    for turns, headline in ((0, "Next: turn the next 3 cards"), (16, "You are stuck")):
        send_all(page, "klondike", *(event("draw") for _ in range(turns)))
        send(page, "hint", "klondike")
        assert held(page, klondike.Play).hint.job.wait(300)
        assert data(page.run(), "klondike")["advice"]["headline"] == headline
    send(page, "draw", "klondike")
    told = data(page.run(), "klondike")
    assert told["advice"]["headline"] == headline, "it is so after every further move, too"
    assert tool_of(told, "hint")["off"]
    send_all(page, "klondike", event("undo"), event("undo"))
    assert not tool_of(data(page.run(), "klondike"), "hint")["off"]


def test_a_way_to_win_is_followed_tap_by_tap_and_two_taps_play_one_move() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            "klondike draw: 1; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H12 S12; stock: KH"
        )
    )
    searches = set()
    while not play.game.table.is_won:
        if play.hint is None:
            send(page.run(), "hint", "klondike")
        assert play.hint is not None
        assert play.hint.job.wait(300)
        searches.add(id(play.hint.job))
        told, turns = data(page.run(), "klondike"), len(play.game.turns)
        given = told["advice"]["tools"][0]["given"]
        assert list(told["marks"].values()) == ["selected"], "the card that it takes"
        send_all(page, "klondike", event("follow", **given), event("follow", **given))
        assert len(play.game.turns) == turns + 1
    assert len(searches) < len(play.game.turns), "the way that was found is gone on with"


@pytest.mark.parametrize(("drawn", "stock", "moves"), [(1, "AS 4S 2S", ("draw", "W>F")), (3, "2S 4S AS", ("draw",))])
def test_an_ace_of_the_stock_goes_home_by_itself_where_the_same_cards_come_up_after_it(
    drawn: int, stock: str, moves: tuple[str, ...]
) -> None:
    page, play = playing(f"{SPADES_OPEN.replace('draw: 1', f'draw: {drawn}')}; stock: {stock}")
    page.run()
    send(page, "draw", "klondike")
    assert moves_of(play) == moves


def test_a_hint_is_followed_through_what_goes_home_by_itself() -> None:
    page, play = playing(f"{SPADES_OPEN}; stock: AS 4S 2S")
    page.run()
    way = ["draw", "W>F", "draw", "draw", "W>F"]
    play.hint = klondike.Hint(finished({"verdict": "win", "line": way}), play.game.table, exact=True)
    send(page, "follow", "klondike", moves=["draw"], made=0)
    assert moves_of(play) == ("draw", "W>F")
    assert play.hint is not None
    assert play.hint.way() == way[2:]


def test_a_hint_tells_what_goes_home_by_itself_and_no_hidden_card() -> None:
    cards = "columns: 4D 3D [2D] | - | - | - | - | - | -; foundations: C13 D0 H13 S13; stock: AD TD 5D"
    page, play = playing(f"klondike draw: 1; moves: run; {cards}", ["draw"] * 5)
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row, row], "by": "unseen", "line": ["draw", "draw", "W>F"], "why": "brings the win nearer"}
    play.hint = klondike.Hint(finished(found), play.game.table, exact=False)
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "Next: turn the stock twice (after 1 turn the waste over)"
    assert told["detail"].endswith('"Play it" sends A♦ and 2♦ home, too.')
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play)[5:10] == ("draw", "draw", "W>F", "T1>F", "T1>F")


def test_the_question_which_card_was_turned_tells_what_went_home_by_itself() -> None:
    cards = "?? [AC] | ?? [3D] | [4S] | - | - | - | -; foundations: C0 D13 H13 S3; stock: ?? ?? ?? ?? ?? ?? ?? ??"
    page, play = playing(f"klondike draw: 1; moves: run; columns: {cards}".replace("D13", "D2"))
    page.run()
    send(page, "move", "klondike", place="columns/1/up/0", to="columns/2/up", was="3D")
    assert data(page, "klondike")["turned"]["title"] == "column 2"
    send(page, "turned", "klondike", card="9D")
    assert moves_of(play) == ("T2>T3:1", "T1>F")
    assert data(page, "klondike")["turned"]["title"] == "column 1, as A♣ went home by itself"


def test_what_went_home_by_itself_is_told_where_no_card_has_to_be_named_too() -> None:
    cards = "?? [QS] | [KD] | [3H] | - | - | - | ?? [5C]; foundations: C1 D1 H1 S1; stock: ?? ?? ?? ?? ?? ?? ?? ??"
    page, _ = playing(f"klondike draw: 1; moves: run; columns: {cards}")
    send(page.run(), "tap", "klondike", place="columns/0/up/0")
    send(page, "turned", "klondike", card="2H")
    went = "2♥ and 3♥ went home by themselves."
    assert data(page, "klondike")["notice"] == went
    send(page, "undo", "klondike")
    assert data(page, "klondike")["notice"] == ""
    send(page, "redo", "klondike")
    assert data(page, "klondike")["notice"] == went
    send(page, "draw", "klondike")
    assert data(page, "klondike")["notice"] == ""


def test_a_hint_finishes_a_game_in_which_nothing_is_hidden_with_one_tap() -> None:
    cards = "columns: - | - | [KD QC] | - | - | - | -; foundations: C10 D12 H13 S13; waste: JC KC"
    page, play = playing(f"klondike draw: 3; moves: run; {cards}")
    assert klondike.find_finish(play.game.table) is None
    found = {"verdict": "win", "line": ["W>T1", "W>F", "T3>F", "T3>F", "T1>F"]}
    play.hint = klondike.Hint(finished(found), play.game.seen(), exact=True)
    told = data(page.run(), "klondike")["advice"]
    assert [tool["name"] for tool in told["tools"]] == ["follow", "finish"]
    send(page, "finish", "klondike")
    assert play.game.table.is_won
    assert play.game.turns == (5,)


def test_a_hint_offers_no_second_button_to_finish() -> None:
    cards = "columns: - | - | [KD] | - | - | - | -; foundations: C13 D12 H13 S13; waste:"
    page, play = playing(f"klondike draw: 3; moves: run; {cards}")
    play.hint = klondike.Hint(finished({"verdict": "win", "line": ["T3>F"]}), play.game.seen(), exact=True)
    told = data(page.run(), "klondike")
    assert [tool["name"] for tool in told["playTools"] + told["advice"]["tools"]].count("finish") == 1


def finished(result: dict[str, Any]) -> Job:
    """A job that has found something."""
    job = Job({}, 1)
    job.result = result
    job._done.set()
    return job


def test_chances_that_were_weighed_are_not_told_as_counted_deals() -> None:
    table = Position.parse("klondike draw: 1; columns: [9C] | [TH] | - | - | - | - | -; stock: ?? ??")
    rows = [{"move": move, "share": 0.74, "low": 0.73, "high": 0.75, "n": 200} for move in ("T1>T2:1", "draw")]
    found = {"moves": rows, "by": "unseen", "line": ["T1>T2:1"], "why": "frees a place for a king", "seed": 1}
    told = comparison_json(finished(found), table)
    assert told["rows"][1] == ["turn the stock", "74%", "73% to 75%"]
    assert "not counted in whole games" in told["note"]
    assert "a good player wins in about 74 of 100 ways the" in told["detail"]
    beside_verdict = comparison_json(finished(found), table, is_told=True)
    assert beside_verdict == told | {"detail": told["detail"].partition(" From here")[0]}, "one chance on one screen"


def test_a_hint_turns_the_stock_as_often_as_it_must_be_with_one_tap_and_says_what_comes_then() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            "klondike draw: 1; moves: run; columns: ?? ?? ?? ?? ?? [9H] | [JH] | - | - | - | - | -;"
            " foundations: C13 D13 H5 S5; stock: QS KS QH KH TH JS 8S 9S TS",
            ["draw"] * 9,
        )
    )
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    line = [*["draw"] * 9, "W>T2"]
    found = {"moves": [row, row], "by": "unseen", "line": line, "why": "brings a card out of the stock"}
    play.hint = klondike.Hint(finished(found), play.game.table, False, False)
    told = data(page.run(), "klondike")["advice"]
    turns = "turn the waste over, then turn the stock 9 times"
    assert told["headline"] == f"Next: {turns}", 'what "Play it" plays'
    assert told["detail"].startswith("Then 10♠ goes on J♥. That brings a card out of the stock.")
    assert told["rows"]
    given = told["tools"][0]["given"]
    send_all(page, "klondike", event("follow", **given), event("follow", **given))  # two taps play it once
    assert moves_of(play) == ("draw",) * 18
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "Next: 10♠ goes on J♥", "the hint goes on"
    assert not told["rows"], "they were about the table before"
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play) == ("draw",) * 9 + tuple(line)
    assert play.hint is None
    send_all(page, "klondike", event("undo"), event("undo"))
    assert moves_of(play) == ("draw",) * 9, "the turns are taken back together"


@pytest.mark.parametrize(
    ("preset", "seed", "hints"),
    [("Turn 1", 1, 22), ("Turn 1", 3, 20), ("Turn 3", 5, 8), ("Turn 1, move 1 card", 0, 15)],
)
def test_hints_whose_moves_a_person_makes_by_hand_never_lead_back_to_a_table_of_before(
    preset: str, seed: int, hints: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = Random(seed)

    def compare(known: Position, _: float) -> Job:
        found = player.best_move(known, works.choice((2_000, 8_000)))  # as on a computer that is now fast, now slow
        rows, line = [move.to_json() for move in found.moves], list(map(str, found.line))
        return finished({"moves": rows, "by": "unseen", "line": line, "why": found.why})

    monkeypatch.setattr(klondike.advice, "compare_moves", compare)
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(begin(random_deal(seed, KlondikeRules.from_json(dict(klondike.PRESETS[preset])))))
    seen: set[str] = set()
    for _ in range(hints):
        if play.hint is None:
            klondike._hint(play)
        table = str(play.game.seen())
        assert table not in seen
        seen.add(table)
        for move in next_part(play.hint.way()):
            play.move(Move.parse(move))


def test_a_hint_of_several_moves_goes_on_on_the_table_that_they_lead_to() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            "klondike draw: 1; moves: run; worrying_back: yes; columns: ?? ?? [3S] | [5S] | ?? ?? [9H] | - | - | - | -;"
            f" foundations: C13 D4 H5 S1; stock: {'?? ' * 22}"
        )
    )
    row = {"move": "F:D>T2", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row], "by": "unseen", "line": ["F:D>T2", "T1>T2:1"], "why": "uncovers a card"}
    play.hint = klondike.Hint(finished(found), play.game.seen(), False, False)
    told = data(page.run(), "klondike")["advice"]
    assert told["detail"].startswith(
        "It is the only move. It is on the way to this: 3♠ goes on 4♦, and that turns over"
    )
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert not page.exception
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "Next: 3♠ goes on 4♦"
    assert told["detail"].startswith("It turns over a card of column 1")
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play) == ("F:D>T2", "T1>T2:1")


def test_turns_of_a_hint_stop_at_a_card_that_nobody_has_named() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            f"klondike draw: 1; columns: [KS] | - | - | - | - | - | -; stock: {'?? ' * 24}; foundations: C13 D13 H1 S0"
        )
    )
    send(page, "follow", "klondike", moves=["draw"] * 24, made=0)
    assert moves_of(play) == ("draw",)
    assert data(page.run(), "klondike")["turned"]["title"] == "top of the waste"


def test_a_hint_turns_one_card_that_nobody_saw_names_none_of_them_and_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, play = playing(f"{SPADES_OPEN}; stock: 4S AS 2S")
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row, row], "by": "unseen", "line": ["draw"] * 3, "why": "shows what the stock holds"}
    play.hint = klondike.Hint(finished(found), play.game.seen(), exact=False)
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "Next: turn the next card"
    assert told["detail"].startswith("It shows what the stock holds. From here a good player wins"), "nobody saw an ace"
    asked: list[str] = []
    monkeypatch.setattr(klondike.advice, "compare_moves", lambda known, _: asked.append(str(known)) or finished(found))
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play) == ("draw",)
    assert "4S" in asked[0], "it is another table now"


def test_a_hint_turns_the_stock_as_often_as_it_says_where_only_later_cards_have_to_be_told() -> None:
    cards = "columns: ?? [KS] | - | - | - | - | - | -; foundations: C13 D13 H9 S10"
    page, play = playing(f"klondike draw: 1; {cards}; stock: KH QH ?? JH ??")
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row], "by": "unseen", "line": ["draw"] * 5, "why": "shows what the stock holds"}
    play.hint = klondike.Hint(finished(found), play.game.seen(), False, False)
    shown = data(page.run(), "klondike")
    assert tool_of(shown, "draw")["label"] == "Turn the stock"
    told = shown["advice"]
    assert told["headline"] == "Next: turn the stock 3 times, then tell what comes up"
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play) == ("draw",) * 3
    assert data(page.run(), "klondike")["turned"]["title"] == "top of the waste"


def test_with_real_cards_a_hint_is_one_step_and_comes_again_once_the_card_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            f"klondike draw: 3; columns: [KS] | - | - | - | - | - | -; stock: {'?? ' * 24}; foundations: C13 D13 H1 S0"
        )
    )
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row, row], "by": "unseen", "line": ["draw"] * 8, "why": "shows what the stock holds"}
    asked: list[str] = []
    monkeypatch.setattr(klondike.advice, "compare_moves", lambda known, _: asked.append(str(known)) or finished(found))
    send(page, "draw", "klondike")
    for card in ("KH", "QH", "JH"):
        send(page, "turned", "klondike", card=card)
    assert not asked, "no hint was wanted"
    send(page, "hint", "klondike")
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "Next: turn the next 3 cards, then tell which they are"
    send(page, "follow", "klondike", **told["tools"][0]["given"])
    assert moves_of(play) == ("draw",) * 2
    assert play.hint is None
    for card in ("TH", "9H", "8H"):
        assert len(asked) == 1
        send(page, "turned", "klondike", card=card)
    assert len(asked) == 2
    assert "8H 9H TH" in asked[-1]
    assert data(page.run(), "klondike")["advice"]["headline"].startswith("Next: turn the next 3 cards")


def test_a_hint_first_asks_which_card_was_turned_and_comes_once_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    row = {"move": "draw", "share": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    found = {"moves": [row], "by": "unseen", "line": ["draw"], "why": "shows what the stock holds"}
    monkeypatch.setattr(klondike.advice, "compare_moves", lambda *_: finished(found))
    cards = "columns: ?? ?? [QH] | [KS] | - | - | - | - | -; foundations: C0 D0 H0 S0; stock: ?? ?? ??"
    play.begin(klondike.resumed(f"klondike draw: 1; {cards}"))
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/1/up", was="QH")
    send(page, "hint", "klondike")
    shown = data(page.run(), "klondike")
    told = shown["advice"]
    assert told["headline"] == "First tell which card was turned: column 1"
    assert [tool["asks"] for tool in told["tools"]] == [shown["turned"]]
    assert shown["playTools"][0] == told["tools"][0], "it stands in the place of turning the stock"
    send(page, "turned", "klondike", card="5D")
    assert data(page.run(), "klondike")["advice"]["headline"].startswith("Next: turn the next card")


def test_an_unfinished_game_is_kept_when_another_table_is_played_on() -> None:
    page, play = playing("klondike columns: ?? [QH] | [KS] | ?? [3C] | - | - | - | -; foundations: C0 D0 H0 S0")
    session = held(page, Session)
    send(page.run(), "move", "klondike", place="columns/0/up/0", to="columns/1/up", was="QH")
    send(page, "turned", "klondike")
    play.begun -= 60
    before = play.game
    session.begin(QUEENS[0])
    session.play_on()
    page.run()
    told = data(page, "klondike")
    assert told["notice"] == klondike.KEPT_BEFORE
    assert told["noticeTool"]["name"] == "back"
    assert told["keep"]["game:klondike"]["past"][0][1] == ["T1>T2:1"]
    other = run("klondike")
    send(other, "resume", "klondike", game=told["keep"]["game:klondike"])
    assert [kept.game.table for kept in held(other, klondike.Play).past] == [before.table]
    send(page, "move", "klondike", place="columns/1/up/0", to="columns/0/up", was="QH")
    page.run().selectbox[0].select(1).run()
    next(button for button in page.button if button.label == "Play it on").click().run()
    assert play.game == before
    assert play.made_up
    assert play.seconds() >= 60
    assert len(play.past) == 1, "the other one is kept in its place"


def test_a_new_deal_amid_a_game_leads_back_to_it_with_one_tap() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    send_all(page, "klondike", event("deal"), event("draw"))
    before = play.game
    send_all(page, "klondike", event("deal"), event("deal"))
    told = data(page.run(), "klondike")
    assert told["notice"] == klondike.KEPT_BEFORE
    back = told["noticeTool"]["name"]
    send_all(page, "klondike", event(back), event(back))  # two taps lead to one game
    assert play.game == before
    told = data(page.run(), "klondike")
    assert (told["notice"], told["noticeTool"], play.past) == ("", None, ())
    send_all(page, "klondike", event("give_up"), event("deal"))
    assert not data(page.run(), "klondike")["notice"], "that game was over"
    assert all(search.wait(300) for search in play.missed)


def test_a_hint_says_why_just_this_move() -> None:
    table = Position.parse(
        "klondike columns: ?? ?? [9C 8H] | [TH] | [9S] | [2C] | [7S] | - | [KS]; foundations: C1; stock:; waste:"
    )
    whys = {
        "T1>T3:1": "It is on the way to this: 9♣ goes on 10♥, and that turns over a card of column 1, with 1 more"
        " hidden card under it.",
        "T1>T2:2": "It turns over a card of column 1, with 1 more hidden card under it.",
        "T4>F": "It brings the win nearer and leaves column 4 empty for a king.",
        "T5>T1:1": "It leaves column 5 empty for a king.",
        "T7>T6:1": "It gives a king a column of its own.",
    }
    for move, why in whys.items():
        line = [move, "T1>T2:1"] if move == "T1>T3:1" else [move]
        assert describe_plan(table, line, "gives a king a column of its own")[1] == why
    assert describe_plan(table, ["T1>T3:1", "draw"], "brings the win nearer")[1] == "It brings the win nearer."


def test_a_hint_says_why_cards_come_back_from_their_foundations() -> None:
    columns = "?? [7H] | [TC] | - | - | - | - | -"
    table = Position.parse(f"klondike worrying_back: yes; columns: {columns}; foundations: H9 S8; stock:; waste:")
    what, why = describe_plan(table, ["F:H>T2", "F:S>T2", "T1>T2:1"], "brings the win nearer")
    assert what == "9♥ comes back from its foundation, on 10♣"
    goal = "7♥ goes on 8♠, and that turns over the last hidden card of column 1"
    assert why == f"It is one of 2 cards that come back for this: {goal}."


def test_moves_are_compared_on_the_same_deals() -> None:
    seen = player.hide(random_deal(5, STANDARD))
    news: list[dict[str, Any]] = []
    result = worker.moves_task({"line": str(seen), "seconds": 0.0}, news.append)
    assert {row["move"] for row in result["moves"]} == {str(move) for move in seen.moves()}
    assert {row["n"] for row in result["moves"]} == {news[-1]["deals"]}
    assert all(0 <= row["low"] <= row["share"] <= row["high"] <= 1 for row in result["moves"])


def test_moves_of_a_tomb_are_compared_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_move, "ROUND", 1)
    line = "tomb_double foundations: C26 D26 H26 S18; tableau: 8S | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??"
    position = parse(line)
    rows = worker.moves_task({"line": line, "seconds": 0.0}, lambda news: None)["moves"]
    idle = {f"T1>T{place}" for place in (2, 3, 4)}  # the pile would only change its place
    assert {row["move"] for row in rows} == {str(move) for move in position.moves()} - idle
    assert rows[0]["share"] == 1.0
    assert all(row["n"] == 1 for row in rows)
    assert all(describe_move(position, row["move"]) != row["move"] for row in rows)


def test_who_gives_up_is_told_what_could_have_been_and_may_go_on() -> None:
    cards = "columns: [KS] | - | - | - | - | - | -; foundations: C13 D12 H12 S12; stock: KH KD"
    page, play = playing(f"klondike draw: 1; {cards}", ["draw"])
    send(page.run(), "give_up", "klondike")
    assert all(search.wait(300) for search in play.missed)
    told = data(page.run(), "klondike")
    assert told["said"]["headline"] == "Yes, it could have been won"
    assert told["steps"]
    assert told["legal"] == {}
    assert klondike.NO_ONE_WAY not in told["said"]["detail"]
    assert told["since"] is None, "the clock stands still"
    assert len(told["board"]["sections"]) == 2, "no hidden card is spread out"
    assert not any("sections" in step["patch"] for step in told["steps"])
    send(page, "give_up", "klondike")
    assert "said" not in data(page, "klondike")
    assert moves_of(play) == ("draw",)


def test_what_could_have_been_with_cards_that_chance_dealt_is_told_as_that() -> None:
    columns = "?? ?? [KS] | - | - | - | - | - | -"
    page, play = playing(f"klondike draw: 1; columns: {columns}; foundations: C13 D11 H11 S12; stock: ?? ??")
    send(page.run(), "tap", "klondike", place="columns/0/up/0")
    send(page, "turned", "klondike")
    assert play.made_up
    send(page, "give_up", "klondike")
    assert all(search.wait(300) for search in play.missed)
    said = data(page.run(), "klondike")["said"]
    assert said["headline"] == "As chance dealt the cards: yes, it could have been won"
    assert said["tone"] == "open"
    assert "nobody knows how they really lie" in said["detail"]


def test_the_review_of_a_game_that_was_given_up_tells_what_was_proved_of_its_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(klondike.review, "open_review", opened.append)
    page = run("klondike")
    play = held(page, klondike.Play)
    start = "klondike draw: 3; columns: [KC] | [KS] | - | - | - | - | -; foundations: C10 D13 H13 S12"
    deal = begin(Position.parse(f"{start}; stock: JC QC"), [Move.parse("T2>F")])
    play.go_on_with(klondike.Kept(deal, known=deal.tables * 2))

    def review_it() -> Record:
        next(button for button in page.run().button if button.label == "Review the game").click().run()
        return parse_record(opened[-1])

    assert review_it().hindsight.cards().count(None) == 2, "it is still being played"
    send(page, "give_up", "klondike")
    assert all(search.wait(300) for search in play.missed)
    assert "it could not be won from the table where you began." in data(page.run(), "klondike")["said"]["detail"]
    record = review_it()
    assert look_again(record).headline == "No, from where the record begins this game could not be won."
    assert record.note == klondike.MADE_UP
    assert record.positions[0].cards().count(None) == 2, "what nobody saw was not known then"


def test_a_win_that_is_proved_for_every_way_to_lie_says_why_no_moves_are_shown() -> None:
    page, play = playing("klondike columns: ?? ?? [KS] | - | - | - | - | - | -; foundations: C13 D12 H12 S12")
    play.missed = (finished({"proof": "each of the 2 ways in which the unknown cards may lie can be won"}),)
    told = data(page.run(), "klondike")
    assert told["steps"] == []
    assert told["said"]["detail"].endswith(f"can be won. {klondike.NO_ONE_WAY}")


def tool_of(shown: Any, name: str) -> Any:
    """A tool of a game that is played."""
    return next(tool for tool in shown["playTools"] if tool["name"] == name)


def test_a_dead_end_leads_to_what_could_have_been() -> None:
    page = run("klondike")
    play = held(page, klondike.Play)
    play.begin(
        klondike.resumed(
            "klondike draw: 1; columns: [KC] | - | - | - | - | - | -; foundations: C11 D13 H13 S13; waste: QC"
        )
    )
    send(page.run(), "hint", "klondike")
    assert play.hint is not None
    play.hint = replace(play.hint, job=finished({"verdict": "no_win"}), exact=True)
    shown = data(page.run(), "klondike")
    told = shown["advice"]
    assert told["headline"] == "From here it can no longer be won"
    assert [tool["name"] for tool in told["tools"]] == ["give_up"]
    assert tool_of(shown, "hint")["off"], "a hint would lead nowhere"
    lost = {"moves": [], "by": "unseen", "line": [], "why": "", "seed": 1}
    play.hint = replace(play.hint, job=finished(lost), exact=False)
    told = data(page.run(), "klondike")["advice"]
    assert told["headline"] == "You are stuck"
    assert [tool["name"] for tool in told["tools"]] == ["give_up"]
    play.begin(klondike.resumed("klondike draw: 1; redeals: 0; columns: [7C] | [6C] | - | - | - | - | -; waste: 5C"))
    told = data(page.run(), "klondike")
    assert told["said"]["headline"] == "No move is left"
    assert tool_of(told, "draw")["label"] == "Turn the waste", "no stock is left"
    assert not tool_of(told, "give_up")["off"]
    assert tool_of(told, "hint")["off"]


def test_a_game_that_was_lost_when_it_was_given_up_is_shown_from_its_deal() -> None:
    deal = "klondike draw: 1; columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13"
    page, play = playing(deal, ["T1>T2:1"])
    lost, won = finished({"verdict": "no_win"}), finished(worker.answer_task({"line": deal, "seconds": 9}, print))
    play.missed = (lost, Job({}, 1.0))
    assert "columns/1/up/0" in str(data(page.run(), "klondike")["board"]), "the board stays where it was given up"
    play.missed = (lost, lost)
    told = data(page.run(), "klondike")
    assert told["said"]["headline"] == "No, it could not have been won"
    never_won = klondike.NEVER_WON.format(klondike.BEGUN_LATER)
    assert told["said"]["detail"] == f"{never_won} Proved: every way to play was searched."
    assert "columns/1/up/0" in str(told["board"])
    play.missed = (lost, won)
    told = data(page.run(), "klondike")
    assert told["said"]["headline"] == "Yes, it could have been won from the table where you began"
    assert "The board shows the table where you began again." in told["said"]["detail"]
    assert len(told["steps"]) == 1
    play.known = (random_deal(1),)
    told = data(page.run(), "klondike")
    assert told["said"]["headline"] == "Yes, it could have been won from the start", "it was dealt here"
    assert "The board shows the start again." in told["said"]["detail"]
