"""The tableau row by row, rounds settled, notation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import NotationError, PositionError, RulesError
from solver.baccarat.rules import (
    BANKER_DRAWS,
    STOOD,
    Outcome,
    Payouts,
    Position,
    Shoe,
    banker_draws,
    player_draws,
    total,
)
from solver.cards import DECK, Card, parse_cards
from tests.naive import baccarat as naive

ROUNDS = st.lists(st.sampled_from(DECK), min_size=6, max_size=6)


@pytest.mark.parametrize(
    ("banker", "drawn_on"),
    [
        (0, "0123456789"),
        (1, "0123456789"),
        (2, "0123456789"),
        (3, "012345679"),
        (4, "234567"),
        (5, "4567"),
        (6, "67"),
        (7, ""),
    ],
)
def test_third_card_table(banker: int, drawn_on: str) -> None:
    for third in range(10):
        assert banker_draws(banker, third) == (str(third) in drawn_on)
    assert banker_draws(banker, STOOD) == (banker <= 5)
    assert len(BANKER_DRAWS[banker]) == 11


def test_player_draws_on_0_to_5() -> None:
    assert [player_draws(points) for points in range(8)] == [True] * 6 + [False] * 2


@pytest.mark.parametrize(("hand", "points"), [("JS 5H", 5), ("7C 6D", 3), ("AS TH KD", 1), ("9S 9D", 8), ("QS QD", 0)])
def test_totals(hand: str, points: int) -> None:
    assert total(parse_cards(hand)) == points


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("player: 9S KD; banker: 8S KH", Outcome.PLAYER),  # a nine beats an eight
        ("player: 8S KD; banker: 4S 4H", Outcome.TIE),
        ("player: 2S KD; banker: 4S 4H", Outcome.BANKER),  # a natural against a hand that would have drawn
        ("player: 6S KD; banker: 7S KH", Outcome.BANKER),
        ("player: 4S 7D 5C; banker: KD 5H 2C", Outcome.BANKER),
        ("player: 4S AD 8C; banker: KD 3H", Outcome.TIE),  # banker 3 stands against an eight
        ("player: 6S KD; banker: 5S KH 9C", Outcome.PLAYER),
    ],
)
def test_rounds_settled(line: str, outcome: Outcome) -> None:
    position = Position.parse(line)
    assert position.problems() == ()
    assert position.outcome is outcome


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("player: 4S 7D; banker: KD 5H 2C", "the player's third card is missing: the player has 1, draws on 0 to 5"),
        (
            "player: 4S 2D 3C; banker: KD 5H",
            "the player's third card 3C should not have been drawn: the player has 6, stands on 6 and 7",
        ),
        (
            "player: 4S 7D 5C; banker: KD 7H 2C",
            "the banker's third card 2C should not have been drawn: the banker has 7, stands when the player's third "
            "card was worth 5",
        ),
        (
            "player: 4S 7D 8C; banker: KD 3H 2C",
            "the banker's third card 2C should not have been drawn: the banker has 3, stands when the player's third "
            "card was worth 8",
        ),
        (
            "player: 4S 4D 2C; banker: KD 3H",
            "the player's third card 2C should not have been drawn: the player has 8, nobody draws after a natural",
        ),
        ("player: 4S 7D 5C 6C; banker: KD 5H", "the player holds 4 cards; a hand has at most 3"),
        ("player: 4S 7D 5C; banker: KD", "the player has a third card 5C before both hands have two"),
    ],
)
def test_a_card_that_should_not_be_there_is_named(line: str, problem: str) -> None:
    assert problem in Position.parse(line).problems()


@given(ROUNDS)
@settings(max_examples=200, deadline=None)
def test_dealing_by_next_hand_equals_the_twin(cards: list[Card]) -> None:
    position, drawn = Position(), iter(cards)
    for _ in range(7):
        assert position.problems() == ()
        hand = position.next_hand
        if hand is None:
            break
        card = next(drawn)
        player = (*position.player, card) if hand is Outcome.PLAYER else position.player
        banker = (*position.banker, card) if hand is Outcome.BANKER else position.banker
        position = Position(player, banker)
    winner, taken, points = naive.play([card.rank for card in cards])
    assert (str(position.outcome), len(position.cards()), total(position.banker)) == (winner, taken, points)
    assert position.explain()[-1].endswith("tie" if winner == "tie" else f"{winner} wins")


@given(st.lists(st.sampled_from(DECK), max_size=9))
@settings(max_examples=50, deadline=None)
def test_notation_and_json_round_trips(cards: list[Card]) -> None:
    position = Position(tuple(cards[:3]), tuple(cards[3:6]), tuple(cards[6:]))
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position


@pytest.mark.parametrize("text", ["player: 4S 1X", "klondike player: 4S", "dealer: 4S", "player: ??", "player 4S"])
def test_bad_notation_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Position.parse(text)


def test_bad_json_is_refused() -> None:
    for data in ({"player": 7}, {"player": "4S"}, {"banker": [1]}, {"dealt": ["4S 1"]}):
        with pytest.raises(NotationError):
            Position.from_json(data)


def test_shoes() -> None:
    shoe = Shoe.of_decks(8)
    assert (shoe.size, shoe.values[0], shoe.values[9]) == (416, 128, 32)
    left = shoe.without(parse_cards("KD TH AS"))
    assert (left.size, left.values[0], left.values[1]) == (413, 126, 31)
    with pytest.raises(PositionError, match="5 cards of rank 9"):
        Shoe.of_decks(1).without(parse_cards("9S") * 5)
    with pytest.raises(RulesError, match="decks is 13; allowed: 1 to 12"):
        Shoe.of_decks(13)
    with pytest.raises(RulesError, match="shoe"):
        Shoe((1,) * 5 + (0,) * 8)
    assert Shoe.endless().without(parse_cards("KD")) == Shoe.endless()


@pytest.mark.parametrize("field", [{"commission": -0.1}, {"commission": 1.5}, {"tie_pays": -1}, {"pair_pays": 1e9}])
def test_payouts_have_ranges(field: dict[str, float]) -> None:
    with pytest.raises(RulesError, match=next(iter(field))):
        Payouts(**field)
