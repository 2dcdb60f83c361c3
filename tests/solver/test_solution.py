from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import RulesError
from solver.makiaveli import Position
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict, wilson


@pytest.mark.parametrize(
    ("verdict", "stop"), [(Verdict.UNKNOWN, StopReason.SOLVED), (Verdict.WIN, StopReason.TIME_LIMIT)]
)
def test_a_limit_is_unknown_and_nothing_else_is(verdict: Verdict, stop: StopReason) -> None:
    with pytest.raises(ValueError, match="stop_reason is"):
        Solution(position=Position(), verdict=verdict, stop_reason=stop)


def test_the_result_object_is_the_contracts() -> None:
    solution = Solution(position=Position(), verdict=Verdict.WIN, stats=SearchStats(0.5, 7))
    assert json.loads(json.dumps(solution.to_json())) == {
        "game": "makiaveli",
        "verdict": "win",
        "stop_reason": "solved",
        "line": [],
        "stats": {"seconds": 0.5, "nodes": 7},
    }
    assert str(solution) == "win in 0 moves"


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(max_examples=100, deadline=None)
def test_wilsons_interval_holds_the_proportion(counts: tuple[int, int]) -> None:
    successes, n = counts
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n <= high <= 1
    # The interval is where the score test does not reject: its ends solve (p - x)^2 = z^2 x (1 - x) / n.
    for end in (low, high):
        gap = (successes / n - end) ** 2 - 1.959963984540054**2 * end * (1 - end) / n
        assert abs(gap) < 1e-9


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="allowed"):
        wilson(successes, n)


def test_an_estimate_prints_its_interval_and_seed() -> None:
    estimate = Estimate.from_counts(8, 10, seed=3, what="wins")
    assert "49.02%" in str(estimate)
    assert "seed 3" in str(estimate)
    assert estimate.to_json()["n"] == 10
    assert Estimate.from_counts(0, 0, seed=3, what="wins").to_json()["mean"] is None


def test_an_estimate_tells_what_undecided_deals_and_a_time_limit_do_to_it() -> None:
    def caveats(**details: Any) -> str:
        return " / ".join(Estimate.from_counts(8, 10, seed=3, what="wins", details=details).caveats())

    assert caveats() == caveats(undecided=0.0, stopped_by="narrow") == ""
    assert caveats(undecided=0.1) == (
        "undecided: 10.00% of the deals (the interval covers both ways, and more deals do not narrow that part of it)"
    )
    assert caveats(stopped_by="time_limit").startswith("stopped by the time limit after 10 deals")


def test_limits_are_bounded_by_default() -> None:
    assert Limits().time is not None


@pytest.mark.parametrize(
    "bounds", [{"time": -1}, {"time": float("nan")}, {"time": "5"}, {"nodes": -1}, {"nodes": 1e6}], ids=str
)
def test_what_is_no_limit_is_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=f"{next(iter(bounds))} is"):
        Limits(**bounds)
