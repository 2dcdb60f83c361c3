from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import NotationError
from solver.cards import DECK, Card, Rank, Suit, cards_text, deck, parse_card, parse_cards, parse_maybe_cards
from tests.strategies import cards, maybe_cards


def test_the_deck_is_numbered_by_suit_then_rank() -> None:
    assert [card.index for card in DECK] == list(range(52))
    assert sorted(DECK) == list(DECK)
    assert all(Card.from_index(card.index) is card for card in DECK)
    assert len(deck(2)) == 104


@given(st.lists(maybe_cards))
@settings(max_examples=100, deadline=None)
def test_cards_round_trip(piles: list[Card | None]) -> None:
    assert parse_maybe_cards(cards_text(piles)) == tuple(piles)


@given(cards, st.sampled_from(["upper", "lower", "pretty", "spaced"]))
@settings(max_examples=100, deadline=None)
def test_every_way_of_writing_a_card_reads_the_same(card: Card, way: str) -> None:
    text = {
        "upper": str(card),
        "lower": str(card).lower(),
        "pretty": card.pretty,
        "spaced": f"  {card}, ",
    }[way]
    assert parse_card(text) == card


def test_ten_is_written_t_or_10_and_suits_as_pips() -> None:
    assert parse_cards("10H th 10♥ T♥ t♡") == (Card(Suit.HEARTS, Rank.TEN),) * 5
    assert parse_cards("3S4S 5s,6♠") == parse_cards("3S 4S 5S 6S")


@pytest.mark.parametrize(
    ("text", "column"), [("7X", 1), ("7C 1H", 4), ("7C 7", 4), ("11C", 1), ("7C ??", 4), ("7C|8C", 3), ("joker", 1)]
)
def test_the_column_of_the_fault_is_named(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_cards(text)
    assert caught.value.column == column
    assert caught.value.text == text
    assert f"column {column}" in str(caught.value)


@pytest.mark.parametrize("text", ["", "7C 8C"])
def test_one_card_means_one(text: str) -> None:
    with pytest.raises(NotationError, match="exactly one card"):
        parse_card(text)


@given(cards, cards)
@settings(max_examples=100, deadline=None)
def test_cards_are_values(one: Card, two: Card) -> None:
    assert (one == two) == (one.index == two.index) == (hash(one) == hash(two))
    assert (one < two) == (one.index < two.index)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.rank = Rank.ACE  # type: ignore[misc]
