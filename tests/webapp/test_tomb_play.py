"""Tables of Napoleon's Tomb that are played on: the game, and its view without a browser."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from drawing.card_names import BACK
from plumbing.errors import CardsError
from solver import parse, tomb_double, tomb_single
from solver.tomb_double.best_move import choices
from tests.webapp.taps import data, send
from webapp import streamlit_link as state
from webapp.advice import comparison_json
from webapp.games.tomb_single import PAGE
from webapp.page import tomb
from webapp.played import Played, begun
from webapp.session import Session

ONE_DECK = "tomb_single corners: 7H 8H | - | - | -; spares: JD TD 2C -; deck: 47"
FREE = ONE_DECK.replace("corners", "rules: free; corners")
TWO_DECKS = "tomb_double foundations: C1; tableau: KD | 5H | QH | 6S; reserves: 8C | 9C | TD | KH; wastes: 3H |-|-|-|-"
BOTH_NINES = TWO_DECKS.replace("QH", "9C")

TOMBS = (tomb_single, tomb_double)


@pytest.fixture(scope="module", autouse=True)
def close_the_shared_pool() -> Any:
    yield
    state.pool.clear()


@pytest.fixture(autouse=True)
def _one_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "fresh_seed", lambda: 5)


def playing(line: str, kept: object = None) -> tuple[AppTest, tomb.TombPlay]:
    """A table that is played on, on the page of a browser that keeps a game."""
    script = "from webapp.page import tomb\ntomb.page()\n"
    page = AppTest.from_string(script, default_timeout=300).run()
    session: Session = page.session_state["Session"]
    session.begin(line)
    session.play_on()
    assert session.is_to_play("tomb")
    assert not session.is_to_play("klondike")
    page.run()
    assert not page.exception
    assert session.play is None
    assert data(page, "tomb")["asks"] == tomb.KEPT, "the browser may keep a game of it"
    send(page, "resume", "tomb", game=kept or data(page, "tomb")["otherwise"])
    play: tomb.TombPlay = page.session_state["TombPlay"]
    return page, play


def tools(page: AppTest) -> list[tuple[str, bool]]:
    """The names of the tools, and whether each is off."""
    return [(tool["name"], bool(tool.get("off"))) for tool in data(page, "tomb")["playTools"]]


def lying(play: tomb.TombPlay) -> Any:
    assert play.game is not None
    return play.game.table


def test_a_tomb_of_one_deck_is_played_on_and_asks_which_card_was_turned() -> None:
    page, play = playing(ONE_DECK)
    assert data(page, "tomb")["title"] == "Napoleon's Tomb, one deck"
    assert data(page, "tomb")["rules"]["told"] == "A card that fits must be played before the next is turned."
    assert tools(page) == [("draw", False), ("undo", True), ("redo", True), ("hint", False)]
    send(page, "tap", "tomb", place="deck")
    assert data(page, "tomb")["turned"]["title"] == "deck"
    assert tools(page) == [("draw", True), ("undo", False), ("redo", True), ("name", False)], "none moves"
    send(page, "turned", "tomb", card="8H")
    twice = "8♥ stands 2 times; a deck has one, and it lies in corner 1 and in the deck."
    assert play.notice == twice, "that one lies elsewhere"
    send(page, "turned", "tomb", card="9S")
    assert str(lying(play).spares[3][0]) == "9S", "the rules leave it one place"
    assert data(page, "tomb")["turned"] is None
    assert tools(page)[0] == ("draw", True)
    assert "deck" in data(page, "tomb")["taps"], "who taps the deck is told why nothing is turned"
    send(page, "tap", "tomb", place="deck")
    assert play.notice == "First play 9♠ from spare 4 to corner 1. Then the next card can be turned."
    send(page, "tap", "tomb", place="spares/3")
    assert str(lying(play).corners[0][-1]) == "9S"
    assert data(page, "tomb")["status"] == "Moves: 2. Home: 3 of 52."
    send(page, "undo", "tomb")
    send(page, "undo", "tomb")
    assert str(lying(play)) == str(parse(ONE_DECK)), "the naming and the turn go back together"
    send(page, "redo", "tomb")
    assert str(lying(play).spares[3][0]) == "9S"
    send(page, "undo", "tomb")
    send(page, "tap", "tomb", place="deck")
    send(page, "undo", "tomb")
    assert data(page, "tomb")["turned"] is None, "a question is taken back, too"


def test_a_card_that_may_go_to_several_places_waits_on_the_deck() -> None:
    page, play = playing(FREE)
    send(page, "tap", "tomb", place="deck")
    send(page, "turned", "tomb", card="9S")
    stock = next(zone for zone in data(page, "tomb")["board"]["sections"][1]["zones"] if zone["path"] == "deck")
    assert stock["spots"] == [["9S", "deck"]]
    send(page, "move", "tomb", place="deck", to="centre", was="9S")
    assert play.notice == "The centre takes 6 next, not 9."
    send(page, "move", "tomb", place="deck", to="discard", was="9S")
    assert str(lying(play).discard[-1]) == "9S"


def test_a_tomb_of_two_decks_is_played_on_and_chance_deals_what_nobody_has_seen() -> None:
    page, play = playing(TWO_DECKS)
    assert data(page, "tomb")["legal"]["stock"] == [f"wastes/{number}" for number in range(5)]
    assert "stock" not in data(page, "tomb")["taps"], "first it is chosen which waste"
    send(page, "move", "tomb", place="stock", to="wastes/1", was=BACK)
    asked = data(page, "tomb")["turned"]
    assert (asked["title"], asked["copies"], asked["used"]) == ("waste 2", 2, {}), "of no card both copies are seen"
    send(page, "turned", "tomb", card="4S")
    assert str(lying(play).wastes[1][-1]) == "4S"
    send(page, "undo", "tomb")
    assert (lying(play).wastes[1], data(page, "tomb")["turned"]) == ((), None)
    send(page, "redo", "tomb")
    assert str(lying(play).wastes[1][-1]) == "4S"
    send(page, "tap", "tomb", place="reserves/3/8")
    assert lying(play).foundations[2] == 1
    assert data(page, "tomb")["turned"]["title"] == "reserve 4"
    send(page, "turned", "tomb")
    named = lying(play).reserves[3][-1]
    assert named is not None
    assert play.notice == tomb.MADE_UP
    assert data(page, "tomb")["status"].endswith("Hidden cards by chance.")
    send(page, "move", "tomb", place="stock", to="wastes/2", was=BACK)
    by_chance = lying(play).wastes[2][-1]
    assert by_chance is not None, "from there on nothing is asked"
    send(page, "undo", "tomb")
    assert lying(play).wastes[2] == ()
    send(page, "move", "tomb", place="stock", to="wastes/3", was=BACK)
    assert lying(play).wastes[3][-1] == by_chance, "another waste brings no other card"


def test_the_last_move_of_a_tomb_wins_and_a_hint_names_it() -> None:
    page, play = playing("tomb_double foundations: C26 D26 H26 S25; tableau: AS | - | - | -; stock:")
    send(page, "hint", "tomb")
    assert play.hint is not None
    assert play.hint.wait(120)
    page.run()
    told = data(page, "tomb")["advice"]
    assert (told["headline"], told["places"]) == ("It can still be won", ["tableau/0/0", "foundations/S"])
    assert "A♠ from tableau pile 1 to the foundation of spades" in told["detail"]
    (tool,) = told["tools"]
    send(page, tool["name"], "tomb", **tool["given"])
    send(page, tool["name"], "tomb", **tool["given"])  # a second tap
    assert data(page, "tomb")["said"]["headline"] == "You won"
    assert data(page, "tomb")["playTools"][-1]["label"] == "Play it again"
    send(page, "again", "tomb")
    assert (lying(play).is_won, play.game and play.game.taken_back) == (False, ("T1>F",))


@pytest.mark.parametrize(
    ("line", "place", "to", "notice"),
    [
        (TWO_DECKS.replace("8C |", "8C 9C TD KH |"), "reserves/0/7", "foundations/H", tomb.ONLY_TOP),
        (ONE_DECK.replace("-; deck: 47", "3D; discard: 3C 9C; deck: 44"), "discard/0", "corners/0", tomb.ONLY_TOP),
        # The upper card could go home, and the pile as a whole to the centre.
        (
            "tomb_double foundations: C5 D10 S26; centre: AD; tableau: 2D 3D | - | - | -; stock: 60",
            "tableau/0/0",
            "foundations/D",
            "Only a tableau pile moves as a whole, and only to the centre.",
        ),
    ],
)
def test_no_other_card_is_moved_than_the_one_that_is_dragged(line: str, place: str, to: str, notice: str) -> None:
    page, play = playing(line)
    before = lying(play)
    send(page, "move", "tomb", place=place, to=to, was="")
    assert (lying(play), play.notice) == (before, notice)


def test_wastes_of_a_tomb_are_picked_up() -> None:
    page, play = playing(
        "tomb_double foundations: C26 D26 H26 S24; tableau: - | - | - | -; wastes: AS 2S |-|-|-|-; stock: -"
    )
    tool = data(page, "tomb")["playTools"][-1]
    assert tool["label"] == "Pick up the wastes"
    send(page, tool["name"], "tomb", **tool["given"])
    assert lying(play).redeals == 3


def test_a_dead_end_of_a_tomb_leads_back() -> None:
    table = (
        "tomb_single corners: 7H | 7D | 7C | 7S; spares: KH KD KC KS; spare_six: 6H 6D 6C 6S; discard: 39 QH; deck: -"
    )
    page, play = playing(table)
    send(page, "tap", "tomb", place="deck")
    assert play.notice == "The deck is empty.", "as where its last card is tapped twice"
    send(page, "tap", "tomb", place="spare_six/3")
    assert data(page, "tomb")["said"] == {"tone": "bad", "headline": "No move is left", "detail": tomb.DEAD_END}
    assert data(page, "tomb")["playTools"][-1]["label"] == "Start again"
    send(page, "again", "tomb")
    assert lying(play) == parse(table)
    assert data(page, "tomb")["said"] is None


def test_a_hint_of_a_tomb_with_hidden_cards_turns_the_next_card() -> None:
    page, play = playing(ONE_DECK)
    send(page, "hint", "tomb")
    assert play.hint is not None
    assert play.hint.wait(120)
    page.run()
    told = data(page, "tomb")["advice"]
    assert told["headline"] == "Next: turn the next card"
    send(page, told["tools"][0]["name"], "tomb", **told["tools"][0]["given"])
    assert play.is_turning


def test_a_hint_of_a_tomb_turns_to_the_waste_that_buries_least_where_all_are_equal() -> None:
    table = parse("tomb_double foundations: C26 D26 H26 S23; tableau: 3S | - | - | -; wastes: 2S |-|-|-|-; stock: ??")
    turns = [one.to_json() for one in choices(table, deals=4) if str(one.move).startswith("S")]
    job: Any = SimpleNamespace(done=True, result={"moves": turns, "by": "knowing"})
    told = comparison_json(job, table)
    assert told["headline"] == "Next: turn a card to waste 2"
    assert "all wastes are as good as each other. This one is empty, so no card is buried." in told["detail"]


def test_a_hint_tells_of_a_card_that_was_turned_as_one_that_lies_open_and_may_go_elsewhere_too() -> None:
    table = begun(FREE).take("=9S").table
    found = PAGE.compare and PAGE.compare(table, 1, lambda news: None)
    told = comparison_json(cast("Any", SimpleNamespace(done=True, result=found)), table)
    assert told["headline"] == "Next: 9♠ from the deck to the discard"
    assert told["detail"].startswith("From there it can still be played.")


def test_a_tomb_that_is_played_on_is_there_after_a_reload() -> None:
    page, play = playing(TWO_DECKS)
    send(page, "tap", "tomb", place="tableau/0/0")
    send(page, "tap", "tomb", place="reserves/3/8")
    send(page, "turned", "tomb", card="9S")
    send(page, "undo", "tomb")
    kept = data(page, "tomb")["keep"][tomb.KEPT]
    other = AppTest.from_string("from webapp.page import tomb\ntomb.page()\n", default_timeout=300).run()
    assert data(other, "tomb")["asks"] == tomb.KEPT
    send(other, "resume", "tomb", game=[kept[0], kept[1], ["R9>F"]])
    assert data(other, "tomb")["asks"] == tomb.KEPT, "a step that is none"
    send(other, "resume", "tomb", game=kept)
    assert other.session_state["TombPlay"].game == play.game


def test_a_kept_game_goes_on_where_its_table_is_played_on_and_else_the_table_begins() -> None:
    kept = [ONE_DECK, ["=9S", "D>S4"], []]
    assert playing(ONE_DECK, kept)[1].game == begun(*kept[:2])
    assert playing(FREE, kept)[1].game == begun(FREE)
    assert playing(ONE_DECK, [ONE_DECK, ["D>S4"], []])[1].game == begun(ONE_DECK), "a step that is none"


def test_of_a_kept_game_only_so_many_steps_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomb, "MOST_STEPS", 2)
    assert tomb.resumed(None, ONE_DECK, ["=9S"], ["D>S4"]).taken_back == ("D>S4",)
    for steps, taken_back in ((["=9S", "D>S4"], ["none"]), (["=9S", "D>S4", "S4>K1"], [])):
        assert tomb.resumed(None, ONE_DECK, steps, taken_back) == begun(ONE_DECK, ["=9S", "D>S4"])


def test_a_table_that_is_played_on_again_goes_on_where_it_was_left() -> None:
    page, play = playing(FREE)
    send(page, "tap", "tomb", place="deck")
    send(page, "turned", "tomb", card="9S")
    game, session = play.game, page.session_state["Session"]
    session.play_on()
    page.run()
    assert play.game == game
    session.begin(TWO_DECKS)
    session.play_on()
    page.run()
    assert play.game == begun(TWO_DECKS)


def test_the_table_of_the_address_is_played_on_and_not_another_one_that_the_browser_kept() -> None:
    page = AppTest.from_string("from webapp.page import tomb\ntomb.page()\n", default_timeout=300)
    page.query_params[state.PARAMETER] = ONE_DECK
    send(page.run(), "resume", "tomb", game=[TWO_DECKS, [], []])
    assert page.session_state["TombPlay"].game == begun(ONE_DECK)


@pytest.mark.parametrize(("line", "game"), [(ONE_DECK, begun(ONE_DECK)), ("makiaveli floor: 7C 7D 7H; hand: 3S", None)])
def test_the_table_of_the_address_is_played_on_where_the_browser_kept_no_game(line: str, game: Played | None) -> None:
    page = AppTest.from_string("from webapp.page import tomb\ntomb.page()\n", default_timeout=300)
    page.query_params[state.PARAMETER] = line
    send(page.run(), "resume", "tomb", game=data(page, "tomb")["otherwise"])
    assert page.session_state["TombPlay"].game == game
    assert (data(page, "tomb").get("said") == tomb.NO_GAME) == (game is None)


@pytest.mark.parametrize(
    ("line", "step", "barred"),
    [
        (BOTH_NINES, "S>W2", {"9C": 2}),
        # All sevens lie in the corners, hidden or not; under the discard there can be no six.
        (
            f"{FREE[:12]}corners: ?? 8H | ?? 8C | ?? 8D | 7S; discard: ?? 9S",
            "X>K1",
            dict.fromkeys(["7C", "7D", "7H", "7S", "8H", "8C", "8D", "9S", "6C", "6D", "6H", "6S"], 1),
        ),
    ],
)
def test_only_cards_that_can_come_up_are_offered(line: str, step: str, barred: dict[str, int]) -> None:
    page, play = playing(line)
    play.take(step)
    page.run()
    assert data(page, "tomb")["turned"]["used"] == barred


def test_the_last_card_that_nobody_has_seen_names_itself() -> None:
    table = "tomb_double foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: - | - | - | - | -; stock: ??"
    assert [str(card) for card in begun(table).go_on("S>W1").table.wastes[0]] == ["2S"]
    one_deck = begun(PAGE.warm_up[0].replace("deck: KS", "deck: ??")).turn()
    assert one_deck is not None
    assert one_deck.steps == ("=KS", "D>S1"), "and it is laid where it goes"


@pytest.mark.parametrize(
    "line", [ONE_DECK, FREE, TWO_DECKS, str(tomb_single.random_deal(1)), str(tomb_double.random_deal(1))]
)
def test_each_table_on_the_way_is_legal_and_each_move_begins_with_a_place_of_the_board(line: str) -> None:
    game, random = begun(line), Random(1)
    for _ in range(60):
        game = step(game, random)
        assert not game.table.problems()
        places = {spot.path for zone in tomb.as_seen(game).zones() for spot in zone.spots}
        assert set(tomb.find_targets(game)) <= places
        found = [tomb.move_between(game, place, to) for place, tos in tomb.find_targets(game).items() for to in tos]
        legal = [move for move in game.table.moves() if tomb.place_of(game, move) is not None]
        assert Counter(map(str, found)) == Counter(map(str, legal))
        assert game.undo().redo().table == game.table
    assert begun(line, game.steps) == game


def step(game: Played, random: Random) -> Played:
    """The game after a step by chance; chance also names what comes up."""
    moves = list(map(str, game.table.moves()))
    if game.unnamed() is not None or (game.can_turn() and (not moves or random.random() < 0.5)):
        game = game if game.next_card() else game.take("?5")
        return game.go_on(f"={game.next_card()}")
    return game.go_on(random.choice(moves)) if moves else game


def test_the_stock_of_a_deal_comes_up_as_it_was_dealt_and_no_one_sees_it_before() -> None:
    deal = tomb_double.random_deal(1)
    game = begun(str(deal))
    assert set(game.table.to_json()["stock"]) == {BACK}
    for number in range(3):
        game = game.go_on(f"S>W{number + 1}")
    turned = [game.table.to_json()["wastes"][number][0] for number in range(3)]
    assert turned == list(map(str, deal.stock[:3]))


@pytest.mark.parametrize("line", [ONE_DECK, TWO_DECKS])
def test_a_table_of_a_tomb_offers_to_play_on(line: str) -> None:
    page = AppTest.from_string("from webapp.page import table\ntable.page()\n", default_timeout=300).run()
    session: Session = page.session_state["Session"]
    session.begin(line)
    page.run()
    assert data(page)["playable"]


def test_what_is_no_table_of_a_tomb_is_not_played_on() -> None:
    with pytest.raises(CardsError):
        begun("makiaveli floor: 7C 7D 7H; hand: 3S")
    with pytest.raises(CardsError):
        begun(ONE_DECK.replace("JD", "8H"))
