"""Which cards are those that nobody had seen, by what a photo shows of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import log
from typing import Final, NamedTuple

from vision.history.search_node import LOG_COUNTS, TUNING, Node
from vision.history.sight import TUNING as SIGHT
from vision.history.sight import Belief, TableSight, likeliest
from vision.history.table_state import COLUMNS, FIRST_LABEL, Bindings, Cards, TableState

MOST_WAYS: Final = 6
"""So many ways are followed of what all cards may be that a photo shows and nobody had seen."""


def bind_all_plain(found: Sequence[tuple[float, Node]], sight: TableSight) -> list[tuple[float, Node]]:
    """Nodes in which each label that photos plainly show is that card, one for each state; the likeliest first.

    Without this, one state would be found many times, with other labels left open each time.
    """
    best: dict[TableState, tuple[float, Node]] = {}
    for _, node in found:
        bound = bind_plain(node._replace(moved=()), sight, unless_misread=True)
        score = bound.price + sight.score(bound.state)
        if bound.state not in best or score > best[bound.state][0]:
            best[bound.state] = score, bound
    return sorted(best.values(), key=lambda pair: -pair[0])


def bind_plain(node: Node, sight: TableSight, *, unless_misread: bool = False) -> Node:
    """The node in which each label that the photo plainly shows is that card.

    Args:
        node: The node.
        sight: What the photo shows.
        unless_misread: Leaves out a card that the next photos do not show in that column, but others.
    """
    down, up, heights, stock_waste, known = node.state
    price, columns, bindings = node.price, list(up), list(node.bindings)
    moved, told = node.moved, node.told
    for k, cards in enumerate(up):
        if not cards or max(cards) < FIRST_LABEL:
            continue
        for label, card in _plain_labels(sight, k, cards, len(down[k]), unless_misread):
            if label in moved or known >> card & 1 or (told and not node.may_be(label, card)):
                continue
            price -= LOG_COUNTS[known.bit_count()]
            known |= 1 << card
            columns[k] = tuple([card if other == label else other for other in columns[k]])
            bindings.append((label, card))
    if len(bindings) == len(node.bindings):
        return node
    state = TableState(down, tuple(columns), heights, stock_waste, known)
    return Node(price, state, node.events, tuple(bindings), node.moved, node.told)


def _plain_labels(sight: TableSight, column: int, up: Cards, down: int, unless_misread: bool) -> Bindings:
    """The labels in a column that the photo plainly shows, with the cards that they are."""
    key = "plain labels", column, up, down, unless_misread
    found: Bindings = sight.find_once(key, lambda: _find_plain_labels(sight, column, up, down, unless_misread))
    return found


def _find_plain_labels(sight: TableSight, column: int, up: Cards, down: int, unless_misread: bool) -> Bindings:
    found = []
    for label, number in sight.explain_column(column, up, down).labels:
        belief = sight.columns[column].cards[number if sight.squared else min(up.index(label), number)]
        card = likeliest(belief)
        is_doubtful = unless_misread and _may_be_misread(card, belief, sight, column)
        if belief[card] > TUNING.plain and not is_doubtful:
            found.append((label, card))
    return tuple(found)


def _may_be_misread(card: int, belief: Belief, sight: TableSight, column: int) -> bool:
    """Whether the next photos show other cards in a column; where only the last card shows, one for which it passes."""
    later = sight.seen_later[column]
    if not later or card in later:
        return False
    return not sight.squared or any(belief[other] > SIGHT.unlikely for other in later)


def _candidates(belief: Belief, state: TableState, most: int = 4) -> list[tuple[float, int]]:
    """The likely identities of a card that was never seen before, with their log-probabilities."""
    open_ = ((belief[card], card) for card in range(FIRST_LABEL) if state.is_unseen(card))
    return heapq.nlargest(most, open_)


class _Binding(NamedTuple):
    """A label that may be a card.

    Attributes:
        score: Log-probability of it.
        label: The label.
        card: The card.
    """

    score: float
    label: int
    card: int


def bind_seen(node: Node, score: float, sight: TableSight) -> Iterator[tuple[float, Node]]:
    """The likely identities of all labels that the photo shows."""
    state = node.state
    options = [
        _likely_bindings(node, sight, k, label, number)
        for k in range(COLUMNS)
        for label, number in sight.explain_column(k, state.up[k], len(state.down[k])).labels
    ]
    likely: list[tuple[_Binding, ...]] = [()]
    for bindings in options:  # the best ways for all labels begin with the best ways for the first ones
        ways = ((*way, binding) for way in likely for binding in bindings)
        likely = heapq.nlargest(MOST_WAYS, ways, key=_score_together)
    for way in likely:
        if len({binding.card for binding in way}) == len(way):
            yield score + _score_together(way), _with_bindings(node, way)


def _score_together(way: Sequence[_Binding]) -> float:
    return sum(binding.score for binding in way)


def _likely_bindings(node: Node, sight: TableSight, column: int, label: int, number: int) -> list[_Binding]:
    """The cards that a label may be, seen as a column's card of that number; the likeliest first."""
    state = node.state
    belief = sight.columns[column].cards[number]
    likely = _candidates(belief, state)
    later = [card for card in sight.seen_later[column] if state.is_unseen(card)]
    likely += [(belief[card], card) for card in later if (belief[card], card) not in likely]
    taken = max(belief) + SIGHT.label
    new = log(max(state.unseen, 1))
    bindings = [_Binding(chance - taken - new, label, card) for chance, card in likely if node.may_be(label, card)]
    bindings.sort(reverse=True)
    return [binding for binding in bindings if binding.score > bindings[0].score - TUNING.margin]


def _with_bindings(node: Node, way: Sequence[_Binding]) -> Node:
    """The node in which labels are cards."""
    state = node.state
    for binding in way:
        state = state.bound(binding.label, binding.card)
    new = tuple((binding.label, binding.card) for binding in way)
    return node._replace(state=state, bindings=(*node.bindings, *new))
