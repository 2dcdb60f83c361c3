"""The decoder's optimum is that of trying every choice, and doubt stays doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.layout.constrained_decoding import Option, Problem, decode


def best_by_trying(problem: Problem, without: Sequence[int] = ()) -> float | None:
    """The best score by trying every choice: first what only loosens limits, then item after item."""
    allowed = {n: option for n, option in enumerate(problem.options) if n not in without}
    loosening = [n for n, option in allowed.items() if not option.covers]
    ranked = sorted((n for n, option in allowed.items() if option.covers), key=lambda n: -allowed[n].score)
    most = max([0.0, *(allowed[n].score for n in ranked)])
    best: float | None = None

    def choose(chosen: tuple[int, ...], left: frozenset[int], score: float) -> None:
        nonlocal best
        if best is not None and score + most * len(left) <= best:
            return
        if not left and is_allowed(problem, chosen):
            best = score
        for n in ranked:
            covers = frozenset(allowed[n].covers)
            if left and min(covers) == min(left) and covers <= left:
                choose((*chosen, n), left - covers, score + allowed[n].score)

    items = frozenset(item for option in problem.options for item in option.covers)
    for count in range(len(loosening) + 1):
        for taken in combinations(loosening, count):
            choose(taken, items, sum(allowed[n].score for n in taken))
    return best


def is_allowed(problem: Problem, chosen: Sequence[int]) -> bool:
    """Whether a choice explains each item once and keeps limits and rows."""
    used: Counter[object] = Counter()
    for n in chosen:
        used.update(dict(problem.options[n].uses))
    explained = Counter(item for n in chosen for item in problem.options[n].covers)
    return (
        explained == Counter({item for option in problem.options for item in option.covers})
        and all(amount <= problem.limits.get(limit, amount) for limit, amount in used.items())
        and all(not set(left) & set(chosen) or set(right) & set(chosen) for left, right in problem.follows)
    )


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


@st.composite
def columns(draw: st.DrawFn) -> Problem:
    """Cards in a row, each of which asks the next one for a fitting identity, or for a price not to."""
    identities, cards = 4, draw(st.integers(2, 5))
    options = [Option(-draw(st.integers(8, 40)) / 4, (card,)) for card in range(cards)]
    number = {}
    for card in range(cards):
        for identity in range(identities):
            number[card, identity] = len(options)
            options.append(Option(-draw(st.integers(0, 40)) / 4, (card,), ((identity, 1),), ((card, identity),)))
    follows = []
    for card in range(cards - 1):
        options.append(Option(-draw(st.integers(4, 40)) / 4, ()))
        for identity in range(identities):
            fitting = tuple(number[card + 1, d] for d in draw(st.sets(st.integers(0, identities - 1), max_size=2)))
            follows.append(((number[card, identity],), (*fitting, card + 1, len(options) - 1)))
    return Problem(options, dict.fromkeys(range(identities), draw(st.integers(1, 2))), follows)


@st.composite
def melds(draw: st.DrawFn) -> Problem:
    """Items in a row of which neighbours may belong together, few copies of each card, and prices for further ones."""
    items, cards = draw(st.integers(3, 8)), draw(st.integers(4, 8))
    scores, numbers = st.integers(-60, 0), st.integers(0, cards - 1)
    options = [Option(-30.0, (item,)) for item in range(items)]
    for first in draw(st.lists(st.integers(0, items - 1), min_size=items, max_size=5 * items)):
        covers = tuple(range(first, min(items, first + draw(st.sampled_from([1, 1, 2, 3])))))
        used = draw(st.sets(numbers, min_size=1, max_size=len(covers) + 1))
        options.append(Option(draw(scores) / 4, covers, tuple((card, 1) for card in sorted(used))))
    options += [Option(draw(scores) / 4, (), ((draw(numbers), -1),)) for _ in range(2)]
    return Problem(options, dict.fromkeys(range(cards), draw(st.integers(1, 2))))


@settings(max_examples=300, deadline=None)
@given(st.one_of(problems(), columns(), melds()))
def test_the_optimum_is_that_of_trying_everything(problem: Problem) -> None:
    without: tuple[int, ...] = ()
    for _ in range(4):  # each search goes on from the one before
        found, wanted = problem.solve(without), best_by_trying(problem, without)
        assert (found is None) == (wanted is None)
        if found is None or wanted is None:
            return
        score, chosen = found
        assert abs(score - wanted) < 1e-6
        assert abs(sum(problem.options[n].score for n in chosen) - score) < 1e-9
        assert is_allowed(problem, chosen)
        assert not set(chosen) & set(without)
        without = (*without[-1:], *chosen[:2])


def test_a_row_of_forty_items_is_cut_at_the_best_places() -> None:
    """Forty cards that lie side by side, numbered as they were found."""
    rng = np.random.default_rng(1)
    name = rng.permutation(40).tolist()
    spans = [(at, at + length) for at in range(40) for length in (1, 2, 3, 4) if at + length <= 40]
    options = [Option(-float(rng.exponential(4)), tuple(name[first:end])) for first, end in spans]
    best = [0.0]
    for end in range(1, 41):
        ending = [(span[0], option.score) for span, option in zip(spans, options, strict=True) if span[1] == end]
        best.append(max(best[first] + score for first, score in ending))
    found = Problem(options, {}).solve()
    assert found is not None
    assert abs(found[0] - best[-1]) < 1e-6


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
    """Cards of which any few could belong together: linear programs choose many options in part."""
    rng = np.random.default_rng(3)
    options = [Option(-30.0, (item,), (), ((item, 0),)) for item in range(items)]
    for _ in range(20 * items):
        covers = tuple(sorted(rng.choice(items, int(rng.integers(1, 6)), replace=False).tolist()))
        uses = tuple((int(card), 1) for card in sorted(set(rng.integers(0, 52, len(covers)).tolist())))
        options.append(Option(-float(rng.exponential(4)), covers, uses))
    return Problem(options, dict.fromkeys(range(52), 1))


def test_a_hopeless_table_ends_after_the_same_work_with_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.layout.constrained_decoding.MAX_PROGRAMS", 40)
    first, again = unstructured(), unstructured()
    found = first.solve()
    assert found is not None
    assert is_allowed(first, found[1])
    assert found == again.solve()
    assert first.iterations == again.iterations
    monkeypatch.setattr("vision.layout.constrained_decoding.MAX_PROGRAMS", 80)
    longer = unstructured()
    better = longer.solve()
    assert better is not None
    assert better[0] >= found[0]
    assert longer.iterations > first.iterations


def test_alternatives_end_with_the_iterations_allowed_and_not_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    log = np.log(np.tile([[0.5, 0.3, 0.2]], (12, 1)))
    problem = singles(log, 12)
    assert decode(problem, dict(enumerate(log))) is not None
    all_of_them = problem.iterations
    monkeypatch.setattr("vision.layout.constrained_decoding.MAX_DOUBT_ITERATIONS", all_of_them // 3)
    fewer = singles(log, 12)
    decoded = decode(fewer, dict(enumerate(log)))
    assert decoded is not None
    assert fewer.iterations < all_of_them
    assert [belief.best for belief in decoded.posteriors.values()] == [0] * 12


def test_no_choice_at_all_is_none() -> None:
    assert Problem([Option(0.0, (0,), (("x", 2),))], {"x": 1}).solve() is None
