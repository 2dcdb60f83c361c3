"""The decoder's optimum is that of trying every choice, and doubt stays doubt."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.layout.constrained_decoding import Option, Problem, decode


def brute_force(problem: Problem) -> float | None:
    """The best score by trying every subset of options."""
    items = {item for option in problem.options for item in option.covers}
    best: float | None = None
    for chosen in product((False, True), repeat=len(problem.options)):
        taken = [option for option, use in zip(problem.options, chosen, strict=True) if use]
        if sorted(i for o in taken for i in o.covers) != sorted(items):
            continue
        used: dict[object, int] = {}
        for option in taken:
            for limit, amount in option.uses:
                used[limit] = used.get(limit, 0) + amount
        if any(amount > problem.limits.get(limit, amount) for limit, amount in used.items()):
            continue
        numbers = {n for n, use in enumerate(chosen) if use}
        if any(numbers & set(left) and not numbers & set(right) for left, right in problem.follows):
            continue
        score = sum(option.score for option in taken)
        best = score if best is None else max(best, score)
    return best


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    options = []
    for item in range(draw(st.integers(1, 4))):
        for _ in range(draw(st.integers(1, 2))):
            card = draw(st.integers(0, 3))
            covers = (item,) if item == 0 or draw(st.booleans()) else (item - 1, item)
            score = -draw(st.integers(0, 40)) / 4
            options.append(Option(score, covers, ((card, 1),), tuple((i, card) for i in covers)))
    follows = []
    if len(options) > 2 and draw(st.booleans()):
        follows.append(((0,), (draw(st.integers(1, len(options) - 1)),)))
    return Problem(options, dict.fromkeys(range(4), draw(st.integers(1, 2))), follows)


@settings(max_examples=120, deadline=None)
@given(problems())
def test_the_optimum_is_that_of_trying_everything(problem: Problem) -> None:
    found, wanted = problem.solve(), brute_force(problem)
    assert (found is None) == (wanted is None)
    if found is not None and wanted is not None:
        assert abs(found[0] - wanted) < 1e-6


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_is_given_up_for_limits_is_the_least_as_the_integer_program_finds_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, cards = int(rng.integers(3, 14)), int(rng.integers(4, 9))
    options = [Option(-30.0, (item,)) for item in range(items)]
    for _ in range(6 * items):
        first = int(rng.integers(items))
        covers = tuple(range(first, min(items, first + int(rng.choice([1, 1, 2, 3])))))
        used = {int(card) for card in rng.integers(0, cards, len(covers) + int(rng.random() < 0.2))}
        options.append(Option(-float(rng.exponential(4)), covers, tuple((card, 1) for card in sorted(used))))
    options += [Option(-float(rng.exponential(8)), (), ((int(rng.integers(cards)), -1),)) for _ in range(3)]
    problem = Problem(options, dict.fromkeys(range(cards), int(rng.integers(1, 3))))
    found, wanted = problem.solve(), problem._search(())
    assert found is not None
    assert wanted is not None
    assert abs(found[0] - wanted[0]) < 1e-6
    assert abs(sum(options[n].score for n in found[1]) - found[0]) < 1e-9
    without = [n for n in found[1] if options[n].score > -30][:2]
    again, other = problem.solve(without), problem._search(without)
    assert (again is None) == (other is None)
    assert again is None or other is None or abs(again[0] - other[0]) < 1e-6


def test_a_long_row_of_items_in_any_order_needs_no_integer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty cards that lie side by side, numbered as they were found: too many partial covers, if taken so."""
    rng = np.random.default_rng(1)
    name = rng.permutation(40).tolist()
    covers = [(item,) for item in range(40)]
    covers += [tuple(name[at : at + length]) for at in range(39) for length in (2, 3, 4) if at + length <= 40]
    options = [Option(-float(rng.exponential(4)), cover) for cover in covers]
    problem = Problem(options, {})
    wanted = problem._search(())
    monkeypatch.setattr(Problem, "_search", None)
    found = problem.solve()
    assert found is not None
    assert wanted is not None
    assert abs(found[0] - wanted[0]) < 1e-6


def singles(log: np.ndarray, copies: int) -> Problem:
    options = [
        Option(float(log[i, c]), (i,), ((c, 1),), ((i, c),)) for i in range(len(log)) for c in range(log.shape[1])
    ]
    return Problem(options, dict.fromkeys(range(log.shape[1]), copies))


def test_the_rules_put_a_doubtful_read_right() -> None:
    log = np.log(np.array([[0.98, 0.01, 0.01], [0.55, 0.44, 0.01]]))
    decoded = decode(singles(log, 1), dict(enumerate(log)))
    assert decoded is not None
    assert (decoded.posteriors[0].best, decoded.posteriors[1].best) == (0, 1)
    assert decoded.posteriors[1].confidence > 0.9
    free = decode(singles(log, 2), dict(enumerate(log)))
    assert free is not None
    assert free.posteriors[1].best == 0
    assert abs(free.posteriors[1].confidence - 0.55) < 0.02


def test_what_cannot_be_read_is_never_sure() -> None:
    log = np.full((5, 8), np.log(1 / 8))
    decoded = decode(singles(log, 1), dict(enumerate(log)))
    assert decoded is not None
    assert all(belief.confidence <= 0.5 for belief in decoded.posteriors.values())
    assert decoded.others


def test_alternatives_come_with_their_probability() -> None:
    log = np.log(np.array([[0.7, 0.2, 0.1]]))
    decoded = decode(singles(log, 1), {0: log[0]})
    assert decoded is not None
    assert [c for c, _ in decoded.posteriors[0].alternatives] == [1, 2]
    assert np.allclose([p for _, p in decoded.posteriors[0].alternatives], [0.2, 0.1], atol=0.01)


def test_a_rival_that_changes_two_cards_is_not_twice_as_unlikely() -> None:
    """Three clubs read as spades err alike, so agreement among them proves less than their number says."""
    log = np.log(np.array([[0.9, 0.1], [0.9, 0.1]]))
    both = [Option(float(log[0, c] + log[1, c]), (0, 1), (), ((0, c), (1, c))) for c in (0, 1)]
    decoded = decode(Problem(both, {}), dict(enumerate(log)))
    assert decoded is not None
    independent = 0.81 / (0.81 + 0.01)
    assert 0.9 < decoded.posteriors[0].confidence < independent


def unstructured(items: int = 40) -> Problem:
    """Cards of which any few could belong together: nothing falls apart, so the integer program has to do."""
    rng = np.random.default_rng(3)
    options = [Option(-30.0, (item,), (), ((item, 0),)) for item in range(items)]
    for _ in range(20 * items):
        covers = tuple(sorted(rng.choice(items, int(rng.integers(1, 6)), replace=False).tolist()))
        uses = tuple((int(card), 1) for card in sorted(set(rng.integers(0, 52, len(covers)).tolist())))
        options.append(Option(-float(rng.exponential(4)), covers, uses))
    return Problem(options, dict.fromkeys(range(52), 1))


def test_a_hopeless_table_ends_after_the_same_work_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.layout.constrained_decoding.ROUNDS", 3)
    first, again = unstructured(), unstructured()
    assert first.solve() == again.solve()
    assert first.work == again.work
    monkeypatch.setattr("vision.layout.constrained_decoding.ROUNDS", 30)
    longer = unstructured()
    longer.solve()
    assert longer.work > first.work


def test_alternatives_end_with_the_work_allowed_and_not_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    log = np.log(np.tile([[0.5, 0.3, 0.2]], (12, 1)))
    problem = singles(log, 12)
    assert decode(problem, dict(enumerate(log))) is not None
    all_of_it = problem.work
    monkeypatch.setattr("vision.layout.constrained_decoding.DOUBT_WORK", all_of_it // 3)
    fewer = singles(log, 12)
    decoded = decode(fewer, dict(enumerate(log)))
    assert decoded is not None
    assert fewer.work < all_of_it
    assert [belief.best for belief in decoded.posteriors.values()] == [0] * 12


def test_no_choice_at_all_is_none() -> None:
    assert Problem([Option(0.0, (0,), (("x", 2),))], {"x": 1}).solve() is None
