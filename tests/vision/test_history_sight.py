"""What one photo shows: which of the cards that are seen is which of those that lie there."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from vision.history.search_node import Node
from vision.history.seen_labels import MOST_WAYS, bind_seen
from vision.history.sight import NO_CARD, TUNING, Belief, SeenPile, TableSight, belief_of
from vision.history.table_state import fresh_deal

TOPS = (3, 13, 30, 44)
HEIGHTS = tuple(card % 13 + 1 for card in TOPS)


def seen_cards(count: int, seed: int) -> list[Belief]:
    rng = np.random.default_rng(seed)
    return [belief_of(np.log(rng.dirichlet(np.full(52, 0.1)) + 1e-9), is_card=rng.uniform()) for _ in range(count)]


def best_of_all_orders(seen: list[Belief]) -> float:
    slots = [*range(len(TOPS)), *[-1] * len(seen)]
    return max(
        sum(belief[NO_CARD] if k < 0 else belief[TOPS[k]] for belief, k in zip(seen, order, strict=True))
        + TUNING.missed_top * (len(TOPS) - sum(k >= 0 for k in order))
        for order in permutations(slots, len(seen))
    )


@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize("seed", range(5))
def test_foundations_explain_what_is_seen_as_well_as_any_order_does(count: int, seed: int) -> None:
    seen = seen_cards(count, seed)
    score, _ = TableSight((), tuple(seen)).explain_foundations(HEIGHTS)
    assert score == pytest.approx(best_of_all_orders(seen))


def test_a_fan_that_seems_to_lie_on_foundations_is_no_long_work() -> None:
    """In all orders there are 10 ** 12 ways to match so many cards."""
    score, wrong = TableSight((), tuple(seen_cards(13, 0))).explain_foundations(HEIGHTS)
    assert np.isfinite(score)
    assert wrong


def test_of_many_cards_that_are_not_plain_the_first_one_may_be_another_one_too() -> None:
    """Each column shows one of four cards, and the first one of two that are nearly as likely."""

    def column(number: int) -> SeenPile:
        rest = -0.1 if number == 0 else -2.0
        own = range(4 * number, 4 * number + 4)
        log_card = [(0.0 if card == own[0] else rest) if card in own else -30.0 for card in range(NO_CARD)]
        return SeenPile((belief_of(log_card),))

    sight = TableSight(tuple(map(column, range(7))))
    found = list(bind_seen(Node(0.0, fresh_deal()), 0.0, sight))
    assert len(found) == MOST_WAYS
    assert {node.bindings[0][1] for _, node in found[:4]} == {0, 1, 2, 3}
    assert all(len(node.bindings) == 7 for _, node in found)
