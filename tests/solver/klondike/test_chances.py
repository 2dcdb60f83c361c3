"""Positions that hide cards: samples that agree with what is seen, proofs, and playing on without peeking."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from plumbing.errors import PositionError, RulesError
from solver.games import sharpened
from solver.klondike import STANDARD_DRAW_1, Position, random_deal, solve
from solver.klondike.chances import answer, completed, completions, estimate, prove
from solver.solution import Estimate, Limits, Solution, Verdict, WinInAnyCase
from solver.verifier import replay

KINGS = "foundations: C12 D12 H12 S12"


def hide(position: Position, stock: bool = True, columns: bool = True) -> Position:
    data = position.to_json()
    if stock:
        data["stock"] = ["??"] * len(data["stock"])
    if columns:
        data["columns"] = [{"down": ["??"] * len(c["down"]), "up": c["up"]} for c in data["columns"]]
    return Position.from_json(data)


def test_completions_agree_with_what_is_seen() -> None:
    seen = hide(random_deal(1, STANDARD_DRAW_1))
    deals = completions(seen, Random(0))
    first, second = next(deals), next(deals)
    assert first != second
    for deal in (first, second):
        assert deal.problems() == ()
        assert hide(deal) == seen


def test_known_cards_give_the_exact_answer() -> None:
    result = answer(random_deal(1, STANDARD_DRAW_1))
    assert isinstance(result, Solution)
    one_unknown = Position.parse(f"columns: ?? [KS] | [KH] | [KD] | - | - | - | -; {KINGS}")
    assert one_unknown.unseen()[0] == Position.parse("waste: KC").waste[0]
    result = answer(one_unknown)
    assert isinstance(result, Solution)
    assert result.verdict is Verdict.WIN


def test_a_win_for_every_completion_is_proved() -> None:
    position = Position.parse(f"moves: run; columns: [KS] | - | - | - | - | - | -; stock: ?? ?? ??; {KINGS}")
    proved = prove(position)
    assert isinstance(proved, WinInAnyCase)
    assert (proved.verdict, proved.line) == (Verdict.WIN, ())
    assert proved.headline == "win: each of the 6 ways in which the unknown cards may lie can be won"
    assert replay(proved.example.position, proved.example.line).is_won
    assert proved.example.position in {completed(position, list(cards)) for cards in permutations(position.unseen())}
    assert isinstance(answer(position), WinInAnyCase)


def test_a_loss_that_no_unknown_card_can_change_is_proved() -> None:
    # Only black cards are left and no column is empty: nothing moves but what goes up, and the aces lie at the bottom.
    position = Position.parse(
        "columns: ?? ?? 3C [2C] | 4C 5C 6C [7C] | 8C 9C TC [JC] | QC KC 2S [3S] | 4S 5S 6S [7S] | 8S 9S TS [JS] | "
        "QS [KS]; foundations: D13 H13"
    )
    assert position.problems() == ()
    proved = prove(position)
    assert isinstance(proved, Solution)
    assert proved.verdict is Verdict.NO_WIN


def test_estimates_agree_with_all_completions() -> None:
    position = Position.parse(
        "moves: run; columns: ?? ?? ?? [KD] | ?? [KS] | ?? [KC] | - | - | - | -; foundations: C9 D11 H12 S11; waste: KH"
    )
    assert position.problems() == (), position.problems()
    unseen = position.unseen()
    verdicts = [solve(completed(position, list(cards))).verdict for cards in permutations(unseen)]
    exact = verdicts.count(Verdict.WIN) / len(verdicts)
    found = estimate(position, Limits(None), n=64, seed=1, workers=1)
    assert found.low - 0.1 <= exact <= found.high + 0.1
    assert found.n == 64
    assert estimate(position, Limits(None), n=64, seed=1, workers=1) == found


def test_an_estimate_is_sharpened_until_it_is_as_narrow_as_asked_for_or_work_and_time_end() -> None:
    position = Position.parse(
        "moves: run; columns: ?? ?? ?? [KD] | ?? [KS] | ?? [KC] | - | - | - | -; foundations: C9 D11 H12 S11; waste: KH"
    )
    first = estimate(position, Limits(None), n=16, seed=3, workers=1)
    first = replace(first, details={**first.details, "unseen": 0.5})
    steps: list[Estimate] = []
    sharp = sharpened(first, position, 0.2, progress=steps.append)
    assert sharp.high - sharp.low <= 0.2 < first.high - first.low
    assert steps[-1] == sharp
    assert sharp.details["unseen"] == 0.5, "what was known besides is kept"
    assert sharpened(first, position, 0.2) == sharp
    assert sharpened(sharp, position, 0.2) is sharp
    assert sharpened(first, position, 0.2, seconds=0.0).n < sharp.n
    same = estimate(position, Limits(None), n=sharp.n, width=0.2, seed=3, workers=1)
    assert same.n <= sharp.n
    assert same.details["stopped_by"] == "narrow"


def test_sampling_stops_when_the_interval_is_narrow() -> None:
    seen = hide(random_deal(2, STANDARD_DRAW_1), columns=False)
    found = estimate(seen, Limits(None), seed=3, width=0.4, workers=1)
    assert found.high - found.low <= 0.4
    assert found.details["stopped_by"] == "narrow"
    assert 0 <= found.details["undecided"] <= 1


def test_sampling_stops_where_only_undecided_deals_keep_the_interval_wide() -> None:
    seen = hide(random_deal(2, STANDARD_DRAW_1), columns=False)
    found = estimate(seen, Limits(None, nodes=1), seed=3, workers=1)
    assert found.details["undecided"] > 0.5
    assert found.high - found.low > 0.5
    assert found.details["stopped_by"] == "narrow"


def test_the_same_question_samples_the_same_deals() -> None:
    seen = hide(random_deal(2, STANDARD_DRAW_1), columns=False)
    for _ in range(2):
        found = answer(seen, Limits(0.01))
        assert isinstance(found, Estimate)
        assert found.seed == 0


def test_wrong_parameters_are_refused() -> None:
    seen = hide(random_deal(2))
    with pytest.raises(RulesError):
        estimate(seen, n=0)
    with pytest.raises(RulesError):
        estimate(seen, width=0)
    with pytest.raises(PositionError):
        estimate(Position())
