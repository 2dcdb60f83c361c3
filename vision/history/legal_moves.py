"""The legal moves of a state at places where a photo shows something else than lies there."""

from __future__ import annotations

from collections.abc import Iterator

from vision.history.search_node import LOG_COUNTS, TUNING, Differing, Event, Node, after_move, bind, put
from vision.history.table_state import (
    COLUMNS,
    FIRST_LABEL,
    KINGS,
    SUITS,
    Cards,
    TableState,
)
from vision.history.waste_plays import play_waste
from vision.layout.klondike_columns import lies_on, may_carry


def moves_of(node: Node, differs: Differing) -> Iterator[Node]:
    """The moves at places that differ from what is seen."""
    columns, suits, _ = differs
    for source in range(COLUMNS):
        if node.state.up[source]:
            yield from _up(node, source, columns, suits)
            yield from _runs(node, source, differs)
    for target in columns:
        yield from _waste_down(node, target, differs.tops)
        yield from _back(node, target, suits)
    for suit in suits:
        yield from _waste_up(node, suit)


def _price(*differs: bool) -> float | None:
    """The log-price of a move by which of its places differ from what is seen; None where none does."""
    return None if not any(differs) else TUNING.move + (0.0 if all(differs) else TUNING.detour)


def _without(state: TableState, source: int, count: int) -> TableState:
    """The state after a column's last cards have left; a card uncovered turns up."""
    up, down = state.up[source][:-count], state.down[source]
    if not up and down:
        up, down = down[-1:], down[:-1]
    downs = put(state.down, source, down)
    return TableState(downs, put(state.up, source, up), state.heights, state.stock_waste, state.known)


def _up(node: Node, source: int, columns: frozenset[int], suits: frozenset[int]) -> Iterator[Node]:
    """A column's last card goes up."""
    last = node.state.up[source][-1]
    for suit in range(SUITS):
        height = node.state.heights[suit]
        price = _price(source in columns, suit in suits)
        if height == 13 or price is None:
            continue
        bound = bind(node, last, 13 * suit + height)
        if bound is not None:
            state = _without(bound.state, source, 1)
            state = state._replace(heights=put(state.heights, suit, height + 1))
            yield after_move(bound, price, state, Event("up", source))


def _runs(node: Node, source: int, differs: Differing) -> Iterator[Node]:
    """Cards go from a column to another."""
    up = node.state.up[source]
    for target in range(COLUMNS):
        price = _price(source in differs.columns, target in differs.columns)
        if target == source or price is None:
            continue
        for count in range(1, len(up) + 1):
            whole = count == len(up)
            if not node.state.up[target] and whole and not node.state.down[source]:
                continue  # from one empty column to the next
            for bound in _bound_to_fit(node, up[-count], target, differs.tops if count == 1 else frozenset()):
                down, ups, heights, stock_waste, known = bound.state
                ups = put(ups, target, (*ups[target], *ups[source][-count:]))
                state = TableState(down, ups, heights, stock_waste, known)
                event = Event("run", source, target, count)
                yield after_move(bound, price + (0.0 if whole else TUNING.split), _without(state, source, count), event)


def _bound_to_fit(node: Node, card: int, target: int, tops: frozenset[int]) -> Iterator[Node]:
    """The nodes in which a card may lie on a column: whatever of both is not known is what it must be.

    Where neither is known, the card is one of `tops`, which the photo shows where something else lay.
    """
    up = node.state.up[target]
    if not up:
        for king in KINGS:
            bound = bind(node, card, king)
            if bound is not None:
                yield bound
        return
    last = up[-1]
    if card < FIRST_LABEL and last < FIRST_LABEL:
        if card in lies_on(last):
            yield node
        return
    if last < FIRST_LABEL:
        pairs = [(card, other) for other in lies_on(last)]
    elif card < FIRST_LABEL:
        pairs = [(last, other) for other in may_carry(card)]
    else:
        shown = [bound for top in tops if (bound := bind(node, card, top)) is not None]
        for bound in shown:
            yield from _bound_to_fit(bound, bound.bindings[-1][1], target, frozenset())
        return
    for label, other in pairs:
        bound = bind(node, label, other)
        if bound is not None:
            yield bound


def _plays_from_waste(node: Node, card: int, up: tuple[Cards, ...], heights: Cards, target: int = -1) -> Iterator[Node]:
    """The nodes in which a card of the waste was played, after which columns and foundations are these."""
    state = node.state
    is_new = state.is_unseen(card)
    if is_new and node.told.get(card):
        return
    price = node.price + TUNING.move - (LOG_COUNTS[state.known.bit_count()] if is_new else 0.0)
    known, kind = state.known | 1 << card, "waste_up" if target < 0 else "waste"
    for played in play_waste(state.stock_waste, card, is_new):
        after = TableState(state.down, up, heights, played.stock_waste, known)
        events = (*node.events, Event(kind, target=target, card=card, turned=played.turned))
        yield Node(price + played.price, after, events, node.bindings, node.moved, node.told)


def _waste_down(node: Node, target: int, tops: frozenset[int]) -> Iterator[Node]:
    """A card of the waste goes to a column."""
    for bound, card in _ready_for_waste(node, target, tops):
        up = bound.state.up
        yield from _plays_from_waste(bound, card, put(up, target, (*up[target], card)), bound.state.heights, target)


def _ready_for_waste(node: Node, target: int, tops: frozenset[int]) -> Iterator[tuple[Node, int]]:
    """The cards of the waste that may go to a column; one that nobody saw there is what it must be to carry them."""
    up = node.state.up[target]
    if not up or up[-1] < FIRST_LABEL:
        yield from ((node, card) for card in (lies_on(up[-1]) if up else KINGS))
        return
    for card in tops:
        for other in may_carry(card):
            bound = bind(node, up[-1], other)
            if bound is not None:
                yield bound, card


def _waste_up(node: Node, suit: int) -> Iterator[Node]:
    """A card of the waste goes to its foundation."""
    up, heights = node.state.up, node.state.heights
    height = heights[suit]
    if height < 13:
        yield from _plays_from_waste(node, 13 * suit + height, up, put(heights, suit, height + 1))


def _back(node: Node, target: int, suits: frozenset[int]) -> Iterator[Node]:
    """A foundation's card comes back to a column."""
    state = node.state
    up = state.up[target]
    for suit in suits:
        card = 13 * suit + state.heights[suit] - 1
        if state.heights[suit] and up and up[-1] < FIRST_LABEL and card in lies_on(up[-1]):
            after = state._replace(
                heights=put(state.heights, suit, state.heights[suit] - 1), up=put(state.up, target, (*up, card))
            )
            yield after_move(node, TUNING.move + TUNING.back, after, Event("back", suit, target))
