"""How the waste comes to show what a photo shows of it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from math import log

from vision.history.search_node import TUNING, Event
from vision.history.sight import NO_CARD, Belief, TableSight, likeliest
from vision.history.sight import TUNING as SIGHT
from vision.history.table_state import (
    GAP,
    StockWaste,
    TableState,
    redealt,
    turn_to,
    turn_to_unseen,
    with_cards_below_top,
)
from vision.history.waste_plays import log_weight_of_draws, price_turned

_Way = tuple[float, TableState, tuple[Event, ...]]


def explain_waste(state: TableState, sight: TableSight, before: Sequence[Event]) -> Iterator[_Way]:
    """The ways in which the waste comes to show what is seen of it after some events."""
    waste = sight.waste
    if not waste:
        yield from _explain_no_waste(state, before, sight.no_waste)
        return
    yield sum(max(belief[NO_CARD], TUNING.waste_ignored) for belief in waste) + _waste_missed(state), state, ()
    ways = list(_explain_fan(state, waste, before))
    if len(waste) > 1:
        turned_round = _explain_fan(state, waste[::-1], before)
        ways += [(score + TUNING.waste_reversed, after, events) for score, after, events in turned_round]
    ways.sort(key=lambda way: -way[0])
    yield from ways[:6]


def _explain_fan(state: TableState, waste: Sequence[Belief], before: Sequence[Event]) -> Iterator[_Way]:
    """The ways in which the waste comes to show these cards, bottom to top."""
    *below, top = waste
    for chance, card in heapq.nlargest(4, ((chance, card) for card, chance in enumerate(top[:NO_CARD]))):
        if chance < max(top) - 9 or not _in_stock_waste(state, card):
            continue
        is_new = state.is_unseen(card)
        new = log(max(state.unseen, 1)) if is_new else 0.0
        for turned in (turn_to_unseen if is_new else turn_to)(state.stock_waste, card):
            shows = state.stock_waste.waste[-1:] == (card,)
            event = () if shows else (Event("turn", card=card, turned=turned),)
            price = chance - new + price_turned(turned)
            if state.stock_waste.waste[-2:] == (card, GAP) and not turned.redealt:
                price += _price_closed(state.stock_waste, before)
            after = state._replace(stock_waste=turned.stock_waste, known=state.known | 1 << card)
            yield from _show_below(after, price, event, below)


def _price_closed(stock_waste: StockWaste, events: Sequence[Event]) -> float:
    """The log-price of no card lying in the last gap of the waste: all that were turned there were played.

    Each of them was weighed as if any number of draws had brought it, and one did.
    """
    turned = (event.turned for event in events if event.turned is not None)
    played = [t for t in turned if t.stock_waste.waste[:-1] == stock_waste.waste]
    uncovered = sum(turned.uncovered for turned in played)
    draws = max(len(played) - uncovered, 1)
    once = TUNING.draw - log_weight_of_draws(stock_waste.unseen, stock_waste.draw)
    is_lacking = stock_waste.under and draws * (stock_waste.draw - 1) > uncovered
    return draws * once + (TUNING.none_under if is_lacking else 0.0)


def _waste_missed(state: TableState) -> float:
    """The log-price where no card of the waste is seen."""
    waste = state.stock_waste.waste
    return 0.0 if not waste else -0.7 if waste == (GAP,) else SIGHT.missed_top


def _show_below(state: TableState, price: float, event: tuple[Event, ...], below: list[Belief]) -> list[_Way]:
    """The way with the cards that show under the waste's top one; those that cannot lie there are left out."""
    if not below:
        return [(price, state, event)]
    cards = tuple(map(likeliest, below))
    best = (price + sum(belief[NO_CARD] for belief in below), state, event)
    for first in range(len(cards)):
        shown = with_cards_below_top(state.stock_waste, cards[first:], ~state.known)
        if shown is not None:
            stock_waste, new = shown
            known = state.known | sum(1 << card for card in set(cards[first:]))
            score = price - new * log(max(state.unseen, 1)) + sum(belief[NO_CARD] for belief in below[:first])
            score += sum(belief[card] for belief, card in zip(below[first:], cards[first:], strict=True))
            if score > best[0]:
                best = score, state._replace(stock_waste=stock_waste, known=known), event
    return [best]


def _explain_no_waste(state: TableState, before: Sequence[Event], is_told: bool) -> Iterator[_Way]:
    """No card of the waste is seen; `is_told` where somebody said that none lies there."""
    waste = state.stock_waste.waste
    if not waste:
        yield 0.0, state, ()
        return
    if waste == (GAP,):  # every card that was turned may have been played, where they were the first to be turned
        stock = (
            GAP,
            *(token for token in state.stock_waste.stock if token != GAP or state.stock_waste.stock[0] != GAP),
        )
        yield (
            _price_closed(state.stock_waste, before),
            state._replace(stock_waste=state.stock_waste._replace(waste=(), stock=stock)),
            (),
        )
    yield TUNING.against_told if is_told else SIGHT.missed_top, state, ()
    yield (
        TUNING.turned_over,
        state._replace(stock_waste=redealt(state.stock_waste)),
        (Event("redeal"),),
    )


def _in_stock_waste(state: TableState, card: int) -> bool:
    return state.is_unseen(card) or card in state.stock_waste.waste or card in state.stock_waste.stock
