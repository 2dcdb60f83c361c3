from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.cards import Card, cards_text, parse_cards
from solver.makiaveli.melds import all_melds, in_order, is_meld, is_set, meld_problem
from tests.naive import makiaveli as naive
from tests.strategies import cards


def test_there_are_373_melds() -> None:
    ours = {frozenset((int(c.suit), int(c.rank)) for c in meld) for meld in all_melds()}
    # A2..K and 2..KA hold the same 13 cards: as cards on a table they are one meld, written in two ways.
    assert ours == set(naive.MELDS)
    assert len(all_melds()) == len(set(all_melds())) == 373


@given(st.lists(cards, max_size=6))
@settings(max_examples=200, deadline=None)
def test_a_meld_is_what_the_naive_list_holds(chosen: list[Card]) -> None:
    different = len(set(chosen)) == len(chosen)
    expected = different and frozenset((int(c.suit), int(c.rank)) for c in chosen) in set(naive.MELDS)
    assert is_meld(chosen) == expected


@given(st.sampled_from(all_melds()).flatmap(lambda meld: st.tuples(st.just(meld), st.permutations(meld))))
@settings(max_examples=100, deadline=None)
def test_a_melds_order_does_not_matter(pair: tuple[Sequence[Card], Sequence[Card]]) -> None:
    meld, shuffled = pair
    assert is_meld(shuffled)
    ordered = in_order(shuffled)
    assert sorted(ordered) == sorted(meld)
    if not is_set(meld) and len(meld) < 13:
        assert ordered == meld


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 cards"),
        ("7C", "1 card,"),
        ("7C 8C", "2 cards"),
        ("KS AS 2S", "never between"),
        ("QS KS AS 2S 3S", "never between"),
        ("7C 7D 7C", "7C twice"),
        ("7C 7D 7H 7S 7C", "7C twice"),
        ("5C 6C 7D", "neither"),
        ("5C 6C 8C", "not consecutive"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "split it"),
    ],
)
def test_the_reason_is_named(text: str, reason: str) -> None:
    assert reason in (meld_problem(parse_cards(text)) or "")


@pytest.mark.parametrize(
    "text", ["AS 2S 3S", "QS KS AS", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"]
)
def test_an_ace_is_low_or_high_and_runs_end_at_13(text: str) -> None:
    assert is_meld(parse_cards(text))
    assert text[-2:] in cards_text(in_order(parse_cards(text)))
