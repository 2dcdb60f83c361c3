from __future__ import annotations

from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import NotationError, PositionError
from solver import answer, parse
from solver.solution import Estimate, StopReason
from webapp.turns import name_turn
from webapp.wording import describe_error, describe_result, escape_markdown, percent, pointer


@pytest.mark.parametrize(
    ("line", "hand", "headline", "detail"),
    [
        ("makiaveli hand: 3S 4S 5S", 3, "Yes, you could have won", "All 3 hand cards"),
        ("makiaveli floor: 3S 4S 5S; hand: 6S", 1, "Yes, you could have won", "The one hand card"),
        ("makiaveli floor: 3S 4S 5S; hand: 6S 9D", 2, "No, you could not have won", "at most 1 of the 2 hand cards"),
        ("makiaveli hand: KS AS 2S", 3, "No, you could not have won", "its player must draw"),
        ("makiaveli floor: 3S 4S 5S", 0, "Already won", "no card left"),
    ],
)
def test_verdicts_on_a_hand(line: str, hand: int, headline: str, detail: str) -> None:
    said = describe_result(answer(parse(line)).to_json(), 10, hand)
    assert said.headline == headline
    assert detail in said.detail


def test_a_turn_that_was_made_and_the_next_one_are_not_both_this_turn() -> None:
    said = asdict(describe_result({"verdict": "win", "max_cards": 2}, 10, hand=2))
    named = name_turn({"isLegal": True, "tone": "good", "headline": "A legal turn"}, said)
    assert named is not None
    assert named["detail"].count("this turn") == 1


def test_a_limit_is_never_called_a_loss() -> None:
    for reason in set(StopReason) - {StopReason.SOLVED}:
        said = describe_result({"verdict": "unknown", "stop_reason": reason, "line": []}, 10)
        assert said.headline == "Not decided"
        assert said.tone == "open"
        assert said.detail != describe_result({"verdict": "unknown", "line": []}, 10).detail, (
            "each limit has words of its own"
        )


def test_an_estimate_gives_its_interval_and_claims_no_proof() -> None:
    said = describe_result(Estimate.from_counts(670, 1000, seed=7, what="winnable").to_json(), 10, hidden=21)
    assert said.headline == "It can be won in about 67 of 100 ways the 21 hidden cards may lie"
    assert said.details.startswith("I tried 1,000 ways in which they may lie: 670 can be won. An estimate")
    assert "not a proof" in said.details
    assert "95% interval 64% to 70%, seed 7" in said.details
    assert not any(word in said.headline + said.detail for word in ("95%", "seed", "interval"))


def test_what_is_won_without_seeing_stands_beside_what_is_won_by_seeing_every_card() -> None:
    found = Estimate.from_counts(870, 1000, seed=7, what="winnable", details={"unseen": {"mean": 0.6}})
    said = describe_result(found.to_json(), 10)
    assert said.headline == "A good player wins in about 60 of 100 ways the hidden cards may lie"
    assert "knows only the cards shown here" in said.detail
    assert "Someone who could look under every card would win in about 87 of 100." in said.detail


@pytest.mark.parametrize(
    ("won", "headline", "seeing"),
    [
        (84, "It can be won in about 84 or more of 100 ways the hidden cards may lie", "about 96 or more of 100"),
        (0, "It can be won in 0 to 23 of 100 ways the hidden cards may lie", "about 96 or more of 100"),
    ],
)
def test_deals_that_were_not_decided_may_be_won_too(won: int, headline: str, seeing: str) -> None:
    open_ones = Estimate.from_counts(won, 100, seed=7, what="winnable", undecided=15, details={"undecided": 0.15})
    assert describe_result(open_ones.to_json(), 10).headline == headline
    unseen = {"undecided": 0.15, "unseen": {"mean": 0.96}}
    found = Estimate.from_counts(won, 100, seed=7, what="winnable", undecided=15, details=unseen)
    assert f"would win in {seeing}." in describe_result(found.to_json(), 10).detail, "who knows less wins no more often"


def test_the_figures_of_an_estimate_add_up_and_hardly_any_open_deals_make_no_least() -> None:
    few = Estimate.from_counts(454, 640, seed=0, what="winnable", undecided=8, details={"undecided": 0.0125})
    said = describe_result(few.to_json(), 10)
    assert "640 ways in which they may lie: 454 can be won, 178 cannot, 8 were not decided in time." in said.details
    assert said.headline.startswith("It can be won in about 71 of 100 ways")


@settings(max_examples=100, deadline=None)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_share_is_never_rounded_to_certainty(share: float) -> None:
    assert percent(share) not in ("0%", "100%")


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_markdown_and_control_characters_lose_their_power(text: str) -> None:
    shown = escape_markdown(text)
    for place, char in enumerate(shown):
        assert char.isprintable()
        if char in "`*_{}[]()<>#|~$!:":
            assert shown[place - 1] == "\\"


def test_errors_say_where_and_what_would_be_right() -> None:
    with pytest.raises(NotationError) as caught:
        parse("makiaveli hand: 3S 9X")
    assert describe_error(caught.value) == "9X is no card. Write 10♥ as 10h, and K♠ as Ks."
    with pytest.raises(NotationError) as unknown:
        parse("makiaveli hands: 3S")
    assert describe_error(unknown.value).startswith("Unknown field 'hands'. Expected ")
    text, caret = pointer(caught.value).split("\n")
    assert text[caret.index("^") :].startswith("9X")
    assert "no meld" in describe_error(PositionError("makiaveli", ["floor meld 1 is no meld"]))


def test_a_simple_players_share_is_not_called_what_can_be_won() -> None:
    free = "tomb_single rules: free; corners: 7H | - | - | -; deck: 51"
    found = answer(parse(free)).to_json() | {"mean": 0.62, "forced": {"n": 100, "mean": 0.64}}
    said = describe_result(found, 10)
    best = "A good player wins in about 64 or more of 100 ways the hidden cards may lie"
    assert said.headline == best, "who may play can play all"
    assert "A simple player wins 62%, one who makes every legal play 64%." in said.detail
    sure = found | {"mean": 0.7, "low": 0.696, "high": 0.704}
    assert describe_result(sure, 10).headline.startswith("A good player wins in at least 70 of 100")
    assert "in which they may lie: a simple player won 70,000. An" in describe_result(sure, 10).details
    none = describe_result(found | {"mean": 0.0, "forced": None}, 10)
    assert none.headline == "A simple player wins in none of the ways the hidden cards may lie that I tried"


def test_a_win_proved_for_every_completion_is_told_as_one() -> None:
    said = describe_result({"game": "tomb_double", "line": [], "verdict": "win", "proof": "in whatever order"}, 0)
    assert (said.headline, said.tone) == ("Yes, you could have won", "good")
    assert "in whatever order" in said.detail


def test_an_estimate_over_one_way_is_no_plural() -> None:
    told = describe_result(Estimate.from_counts(1, 1, seed=0, what="x").to_json(), 1).details
    assert told.startswith("I tried 1 way in which they may lie: 1 can be won.")
