"""Exact odds against published integers, tables and a count of every deal of small shoes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import PositionError
from solver.baccarat.exact import exact_tally, finishing_odds, removal_effects
from solver.baccarat.rules import Outcome, Payouts, Position, Shoe
from tests.naive import baccarat as naive

PLAYER, BANKER, TIE = Outcome


def test_published_integers_of_8_decks() -> None:
    tally = exact_tally(Shoe.of_decks(8))
    assert [tally.count(o) for o in Outcome] == [2230518282592256, 2292252566437888, 475627426473216]
    assert tally.total == 416 * 415 * 414 * 413 * 412 * 411


@pytest.mark.parametrize(
    ("decks", "shares"),
    [
        (1, (".4467604303", ".4596241552", ".0936154145")),
        (2, (".4465081508", ".4590727346", ".0944191146")),
        (6, (".4462785698", ".4586527188", ".0950687113")),
        (8, (".4462466093", ".4585974226", ".0951559680")),
    ],
)
def test_published_shares(decks: int, shares: tuple[str, ...]) -> None:
    tally = exact_tally(Shoe.of_decks(decks))
    for outcome, share in zip(Outcome, shares, strict=True):
        assert f"{float(tally.probability(outcome)):.10f}" == "0" + share


def test_published_house_edges_of_8_decks() -> None:
    edges = {bet.name: float(bet.house_edge) for bet in exact_tally(Shoe.of_decks(8)).bets()}
    assert {name: round(100 * edge, 4) for name, edge in edges.items()} == {
        "player": 1.2351,
        "banker, 5% commission": 1.0579,
        "banker, no commission, six pays half": 1.4581,
        "tie, 8:1": 14.3596,
        "tie, 9:1": 4.8440,
        "player pair, 11:1": 10.3614,
        "banker pair, 11:1": 10.3614,
    }
    assert round(edges["player"], 8) == 0.01235081
    assert round(edges["banker, 5% commission"], 8) == 0.01057906
    assert round(edges["tie, 8:1"], 8) == 0.14359629


def test_infinite_deck_is_the_limit_of_many_decks() -> None:
    endless = exact_tally(Shoe.endless())
    assert endless.total == 13**6
    for outcome in Outcome:
        # A share is a series in 1 / decks; Richardson's extrapolation takes out its first two terms.
        three, six, twelve = (exact_tally(Shoe.of_decks(decks)).probability(outcome) for decks in (3, 6, 12))
        limit = (4 * (2 * twelve - six) - (2 * six - three)) / 3
        assert float(endless.probability(outcome)) == pytest.approx(float(limit), abs=3e-7)  # the third term stays


@given(st.lists(st.integers(1, 13), min_size=6, max_size=8))
@settings(max_examples=40, deadline=None)
def test_small_shoes_equal_a_count_of_every_deal(ranks: list[int]) -> None:
    shoe = Shoe(tuple(ranks.count(rank) for rank in range(1, 14)))
    # A shoe of n > 6 cards has (n - 6)! orders of what is left behind each deal: count deals of six.
    counted, tally = naive.count_all(ranks), exact_tally(shoe)
    for outcome in Outcome:
        for cards in (4, 5, 6):
            expected = sum(n for (winner, taken, _), n in counted.items() if (winner, taken) == (str(outcome), cards))
            assert tally.rounds[outcome][cards - 4] == expected
    assert tally.banker_six == sum(n for (winner, _, points), n in counted.items() if (winner, points) == ("banker", 6))


def test_pairs_of_one_deck() -> None:
    tally = exact_tally(Shoe.of_decks(1))
    assert Fraction(tally.player_pairs, tally.total) == Fraction(3, 51)
    assert Fraction(exact_tally(Shoe.endless()).player_pairs, 13**6) == Fraction(1, 13)


def test_both_ways_of_counting_ties() -> None:
    tally = exact_tally(Shoe.of_decks(8))
    assert sum(map(tally.probability, Outcome)) == 1
    assert tally.decided(PLAYER) + tally.decided(BANKER) == 1
    assert tally.decided(BANKER) == tally.probability(BANKER) / (1 - tally.probability(TIE))


def test_removal_effects_add_up_to_nothing_over_the_shoe() -> None:
    # Taking a random card out changes nothing on average: the next round is then dealt from one card further down.
    effects = removal_effects(Shoe.of_decks(8))
    assert [effect.value for effect in effects] == list(range(10))
    weights = Shoe.of_decks(8).values
    for bet in range(len(effects[0].effects)):
        assert sum(weights[e.value] * e.effects[bet][1] for e in effects) == 0


def test_published_removal_effects() -> None:
    # Player bet, eight decks; M. Shackleford, wizardofodds.com, baccarat appendix on card counting.
    player = [round(float(effect.effects[0][1]), 6) for effect in removal_effects(Shoe.of_decks(8))]
    assert player == [-18e-6, -45e-6, -54e-6, -67e-6, -120e-6, 84e-6, 113e-6, 82e-6, 53e-6, 25e-6]


def test_commission_and_tie_pay_what_they_are_told() -> None:
    tally = exact_tally(Shoe.of_decks(8))
    bets = {bet.name: bet for bet in tally.bets(Payouts(commission=0, tie_pays=9.5))}
    free = bets["banker, 0% commission"]
    assert free.expected_value == tally.probability(BANKER) - tally.probability(PLAYER)
    assert bets["tie, 9.5:1"].expected_value == Fraction(21, 2) * tally.probability(TIE) - 1


def test_odds_of_a_round_that_has_begun_add_up() -> None:
    shoe = Shoe.of_decks(1)
    position = Position.parse("player: 4S 7D; banker: KD 5H")
    odds = finishing_odds(position, shoe.without(position.cards()))
    assert sum(odds.values()) == 1
    six = Position.parse("player: 6S KD; banker: 7H KS")
    assert finishing_odds(six, shoe.without(six.cards())) == {PLAYER: 0, BANKER: 1, TIE: 0}
    with pytest.raises(PositionError, match="should not have been drawn"):
        finishing_odds(Position.parse("player: 6S KD 2C; banker: 7H KS"), shoe)


def test_odds_before_the_last_cards_average_to_the_whole() -> None:
    shoe = Shoe((0, 0, 1, 1, 1, 2, 1, 0, 0, 2, 0, 0, 0))  # eight cards
    whole = exact_tally(shoe)
    odds = finishing_odds(Position(), shoe)
    assert odds == {outcome: whole.probability(outcome) for outcome in Outcome}
