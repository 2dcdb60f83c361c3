"""The order of photos between which only the stock was turned, where they were sorted by the cards that they show.

Columns and foundations tell nothing of that order, so sorting may put such photos the wrong way round. The record would
then tell of a whole way round the stock that nobody went. Once a history is found, each photo's card of the waste is
known, and what was played before and after. So the order is told that takes the fewest draws, by all photos together:
cards of the stock keep their order. Where another order takes about as few, nothing tells which is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, starmap
from math import inf
from typing import Any, Final

from vision.history.draw_number import TUNING as DRAW_TUNING
from vision.history.draw_number import shown_wastes
from vision.history.lattice import Edge, History
from vision.history.search_node import Event
from vision.history.sight import TableSight
from vision.history.stock_order import ONE, THREE, ShownWaste, begin_roughly, go_on_roughly, turn_by
from vision.history.table_state import GAP, Cards, TableState, Turned

ROUND: Final = 3.0
"""Going round the stock once more counts so many draws at least: where less speaks for an order, nothing does."""
MOST_PASSES: Final = 4
"""So often all orders near the best one are tried."""
FARTHEST: Final = 3
"""So many places away another place of a photo is looked for at most."""
_DRAWS: Final = ("turn", "redeal")

Groups = tuple[tuple[int, ...], ...]
"""Photos between which only the stock was turned, in an order, for each table."""


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """Photos in the order of the fewest draws.

    Attributes:
        order: Their numbers.
        open: Those of which nothing tells which was taken first, in this order.
    """

    order: tuple[int, ...]
    open: tuple[tuple[int, ...], ...] = ()


def say_open(files: Sequence[str]) -> str:
    """That nothing tells in which order photos were taken.

    >>> say_open(["4.jpg", "5.jpg", "6.jpg"])
    'between 4.jpg, 5.jpg and 6.jpg only the stock was turned: nothing tells in which order they were taken'
    """
    which = "which of them was taken first" if len(files) == 2 else "in which order they were taken"
    return f"between {', '.join(files[:-1])} and {files[-1]} only the stock was turned: nothing tells {which}"


def find_drawn_order(history: History, sights: Sequence[TableSight], draw: int | None) -> DrawnOrder:
    """The photos of a history in the order that takes the fewest draws: only those of the same table change places.

    Args:
        history: What was found with the photos in any such order.
        sights: What the photos show of which it is told, from the first one on.
        draw: Cards turned at a time; None if that is not known: a wrong order may have told it wrong.
    """
    edges, states, wastes = history.edges[: len(sights)], history.states[: len(sights)], shown_wastes(history, sights)
    said = states[0].stock_waste.draw
    numbers = (ONE, THREE) if draw is None else (said,)
    ways = [_Ties(states, wastes, _groups_of(edges, states), number) for number in numbers]
    orders = [(ties, ties.with_fewest_draws()) for ties in ways]
    ties, groups = min(orders, key=lambda way: way[0].price(way[1]) + DRAW_TUNING.fewer * (way[0].draw != said))
    return DrawnOrder(tuple(chain.from_iterable(groups)), tuple(ties.open_among(groups)))


def _groups_of(edges: Sequence[Edge], states: Sequence[TableState]) -> Groups:
    """The photos of each table, in the order of the history."""
    groups: list[tuple[int, ...]] = []
    for number, (edge, state) in enumerate(zip(edges, states, strict=True)):
        is_same = number > 0 and state[:3] == states[number - 1][:3] and all(e.kind in _DRAWS for e in edge.events)
        if is_same and not edge.left_out and not edges[number - 1].left_out:
            groups[-1] = (*groups[-1], number)
        else:
            groups.append((number,))
    return tuple(groups)


@dataclass(frozen=True)
class _Ties:
    """Photos of which some show the same table but for the stock.

    Attributes:
        states: The table in each photo.
        wastes: What each shows of stock and waste, and what happened before it.
        groups: The photos of each table.
        draw: Cards turned at a time.
    """

    states: Sequence[TableState]
    wastes: Sequence[ShownWaste]
    groups: Groups
    draw: int
    _known: dict[Groups, list[Any]] = field(default_factory=dict)

    @cached_property
    def tops(self) -> Cards:
        """The card on top of the waste in each photo; `GAP` where there is none, or nobody saw it."""
        return tuple(state.stock_waste.waste[-1] if state.stock_waste.waste else GAP for state in self.states)

    @cached_property
    def _firsts(self) -> dict[int, TableState]:
        """The first table, by which of its photos comes first."""
        first = self.groups[0]
        state = self.states[0]
        if not state.stock_waste.unseen or GAP in (self.tops[n] for n in first):
            return {first[0]: state}  # nothing was drawn in the first photo, or all is known of the stock
        return {n: _with_waste(state, self.wastes[n].cards) for n in first} | {first[0]: state}

    def with_fewest_draws(self) -> Groups:
        """The photos of each table in the order with which all photos together need the fewest draws."""
        best, least = self.groups, self._price_roughly(self.groups, 0)
        for _ in range(MOST_PASSES):
            before = least
            for place in range(len(best)):
                for other in _with_neighbours(best, place, self.tops):
                    if (price := self._price_roughly(other, place)) <= least - ROUND:
                        best, least = other, price
            if least == before:
                break
        return best if best != self.groups and self.price(best) < self.price(self.groups) else self.groups

    def open_among(self, groups: Groups) -> Iterator[tuple[int, ...]]:
        """The photos of each table of which another order takes about as few draws."""
        most = self._price_roughly(groups, 0) + ROUND
        for place, group in enumerate(groups):
            shown = {n: self.tops[n] for n in group if self.tops[n] != GAP}
            is_again = 1 < len(set(shown.values())) < len(shown)  # they were taken in several rounds of the stock
            open_ = set(shown) if is_again else set()
            for other in _with_neighbours(groups, place, self.tops):
                moved = {n for own, new in zip(group, other[place], strict=True) if own != new for n in (own, new)}
                if not moved <= open_ and self._price_roughly(other, place) < most:
                    open_ |= moved
            if open_:
                yield tuple(n for n in group if n in open_)

    def price(self, groups: Groups) -> float:
        """How many draws the photos need in this order, and what contradicts it."""
        return turn_by(self.draw, self._firsts[groups[0][0]], tuple(self._shown(groups))).price

    def _price_roughly(self, groups: Groups, place: int) -> float:
        """About the same; the orders of the tables before a place are those of many more."""
        return float(self._turned(groups, place)[0].price) if groups[0][0] in self._firsts else inf

    def _turned(self, groups: Groups, place: int) -> list[Any]:
        """Ways to turn the stock that show what the photos show; those up to a place are searched once."""
        if place:
            return go_on_roughly(self.draw, self._turned_before(groups[:place]), self._shown(groups, place))
        first, *others = self._shown(groups)
        return go_on_roughly(self.draw, begin_roughly(self.draw, self._firsts[groups[0][0]], first), others)

    def _turned_before(self, groups: Groups) -> list[Any]:
        ends = range(len(groups), 0, -1)
        known = next((end for end in ends if groups[:end] in self._known), 0)
        for end in range(known + 1, len(groups) + 1):  # one by one: of a long game a call within a call goes too deep
            self._known[groups[:end]] = self._turned(groups[:end], end - 1)
        return self._known[groups]

    def _shown(self, groups: Groups, place: int = 0) -> Iterator[ShownWaste]:
        """What the photos from a table on show of stock and waste if they were taken in this order."""
        return chain.from_iterable(starmap(self._shown_by, zip(self.groups[place:], groups[place:], strict=False)))

    def _shown_by(self, group: Sequence[int], order: Sequence[int]) -> Iterator[ShownWaste]:
        """What a table's photos show of stock and waste in another order."""
        moves = _without_draws(self.wastes[group[0]].events)
        for number in order:
            own, top = self.wastes[number], self.tops[number]
            draws = own.events[len(_without_draws(own.events)) :]
            if top != GAP and not draws:  # the photo before showed the same card
                draws = (Event("turn", card=top, turned=Turned(self.states[number].stock_waste, 0)),)
            yield own._replace(events=(*moves, *draws))
            moves = ()


def _without_draws(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """What happened before the last draws."""
    last = max((n for n, event in enumerate(events, 1) if event.kind not in _DRAWS), default=0)
    return events[:last]


def _with_waste(state: TableState, shown: Cards) -> TableState:
    """The first table if its waste shows other cards."""
    old = state.stock_waste
    known = sum(card != GAP for card in (*old.waste, *old.stock))
    stock_waste = old._replace(waste=(GAP, *shown), stock=(GAP,), unseen=old.unseen + known - len(shown))
    return state._replace(stock_waste=stock_waste)


def _with_neighbours(groups: Groups, place: int, tops: Cards) -> Iterator[Groups]:
    """The same with another order of one table's photos; those that change nothing are left out."""
    group = groups[place]
    for other in dict.fromkeys(_neighbours_of(group)):
        if [tops[n] for n in other] != [tops[n] for n in group]:
            yield (*groups[:place], other, *groups[place + 1 :])


def _neighbours_of(group: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Orders in which one photo stands elsewhere, not too far away, those that begin elsewhere, and the reverse."""
    for here, number in enumerate(group):
        left = group[:here] + group[here + 1 :]
        for there in range(max(here - FARTHEST, 0), min(here + FARTHEST, len(left)) + 1):
            yield (*left[:there], number, *left[there:])
    for start in range(1, len(group)):
        yield group[start:] + group[:start]
    yield group[::-1]
