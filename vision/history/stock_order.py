"""How many cards were turned at each draw, and in which order the stock lay, by all that the waste ever showed.

The history tells which card lay on top of the waste, and when; how often cards were turned for it, it only estimates.
Here that is found out: cards of the stock keep their order, so each card that is shown, or comes up again, says where
it lies. Of the orders in which everything can have been shown, the one that takes the fewest draws is told. Of cards
that were played from the waste between two photos nothing tells the order either: they are taken as the stock gives
them.

Where cards are turned one by one, it is enough to know what lies before what (`vision.history.turned_singly`). Where
three are turned at a time, only every third one is shown, so each has a number from the top of the stock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import groupby, islice, permutations
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from vision.history.search_node import Event
from vision.history.table_state import GAP, Cards, StockWaste, TableState
from vision.history.turned_singly import HIDDEN, TUNING, SinglyTurned

ONE, THREE = 1, 3
MOST_PERMUTED: Final = 4
"""Of more cards that were played from the waste between two photos no other order is tried."""
MOST_KEPT: Final = 8
"""So many ways to turn the stock are remembered: for a history they are asked for several times."""
FEW_WAYS: Final = {ONE: 12, THREE: 30}
"""So many ways are kept after each card where many orders of photos are compared."""


class ShownWaste(NamedTuple):
    """What a photo shows of stock and waste, and what came to the waste's top since the photo before.

    Attributes:
        events: What happened before the photo.
        cards: The waste's cards that the photo shows, bottom to top; the last one lies on top.
        stock: Whether it shows a stock; None where it cannot tell.
        is_empty: Whether no card lies on the waste, all that were turned having been played.
    """

    events: tuple[Event, ...] = ()
    cards: Cards = ()
    stock: bool | None = None
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Draws:
    """A way to turn the stock.

    Attributes:
        draw: How many cards are turned at a time.
        waste: The waste at the beginning, bottom to top, `HIDDEN` for what nobody saw.
        stock: The stock at the beginning.
        events: What happened before each photo, cards of the waste in the order in which they can be played.
        counts: How often cards were turned before each of those events that shows a card of the waste.
        broken: How many cards cannot have been shown by turning this many cards at a time.
        price: How unlikely it is; a draw counts 1.
    """

    draw: int
    waste: Cards
    stock: Cards
    events: tuple[tuple[Event, ...], ...]
    counts: tuple[int, ...]
    broken: int
    price: float


class _Pile(Protocol):
    """Stock and waste of which not everything is known."""

    def shows(self, card: int) -> Iterator[tuple[float, int, Self]]:
        """The ways in which a card comes to the waste's top: a price, how many draws, and what lies there then."""

    def forced(self, card: int) -> Self:
        """What lies there if a card is on top though it cannot be."""

    def without_top(self, card: int) -> Self:
        """What lies there once the waste's top card was played."""

    def with_below(self, cards: Cards) -> tuple[float, Self]:
        """What lies there, and at which price, if a photo shows cards of the waste, the last of them on top."""

    @property
    def has_stock(self) -> bool:
        """Whether cards may lie in the stock."""

    def without_stock(self) -> Iterator[tuple[float, Self]]:
        """What may lie there, and at which price, if a photo shows no stock."""

    def without_waste(self) -> tuple[float, Self]:
        """What lies there, and at which price, if no card lies on the waste."""


class _Numbered(NamedTuple):
    """Stock and waste of which each card has a place.

    Attributes:
        draw: How many cards are turned at a time.
        cards: All that lay there at the beginning, in the order in which they are turned, `HIDDEN` where none is known.
        turned: How many of those that are left lie on the waste.
        gone: A bit for each place of which the card was played.
    """

    draw: int
    cards: Cards
    turned: int
    gone: int = 0

    @property
    def left(self) -> tuple[int, ...]:
        """The places of the cards that are left."""
        return _left(len(self.cards), self.gone)

    def with_card(self, place: int, card: int) -> _Numbered | None:
        """The pile with a card at a place; None where another one lies there, or the card lies elsewhere."""
        if self.cards[place] == card:
            return self
        if self.cards[place] != HIDDEN or card in self.cards:
            return None
        return self._replace(cards=(*self.cards[:place], card, *self.cards[place + 1 :]))

    def shows(self, card: int) -> Iterator[tuple[float, int, _Numbered]]:
        left, turned, price, count = self.left, self.turned, 0.0, 0
        is_known = card in self.cards
        seen: set[int] = set()
        while left:
            shown = self._replace(turned=turned).with_card(left[turned - 1], card) if turned else None
            if shown is not None:
                yield price + count, count, shown
            if turned in seen or (is_known and shown is not None):
                return
            seen.add(turned)
            if turned == len(left):
                price, turned = price + TUNING.redeal, 0
            turned, count = min(turned + self.draw, len(left)), count + 1

    def forced(self, card: int) -> _Numbered:
        place = self.cards.index(card) if card in self.cards else -1
        return self._replace(turned=self.left.index(place) + 1) if place in self.left else self

    def without_top(self, card: int) -> _Numbered:
        top = self.left[self.turned - 1] if self.turned else None
        if top is None or self.cards[top] != card:
            return self
        return self._replace(turned=self.turned - 1, gone=self.gone | 1 << top)

    def with_below(self, cards: Cards) -> tuple[float, _Numbered]:
        pile, on_waste = self, self.left[: self.turned][::-1]
        wrong = max(len(cards) - len(on_waste), 0)
        for place, card in zip(on_waste, cards[::-1], strict=False):
            with_card = pile.with_card(place, card)
            wrong += with_card is None
            pile = with_card or pile
        return TUNING.broken * wrong, pile

    @property
    def has_stock(self) -> bool:
        return self.turned < len(self.left)

    def without_stock(self) -> Iterator[tuple[float, _Numbered]]:
        yield TUNING.other_stock * self.has_stock, self

    def without_waste(self) -> tuple[float, _Numbered]:
        return TUNING.other_waste * (self.turned > 0), self


P = TypeVar("P", bound=_Pile)


@lru_cache(1 << 12)
def _left(count: int, gone: int) -> tuple[int, ...]:
    return tuple(place for place in range(count) if not gone >> place & 1)


class _Way(NamedTuple, Generic[P]):
    """Stock and waste with what led to them.

    Attributes:
        price: Of the draws, and of what contradicts it.
        pile: What lies there.
        first: What lay there at the beginning, as far as that was known then.
        broken: How many cards cannot have been shown.
        counts: How often cards were turned before each event.
        events: What happened before each photo.
    """

    price: float
    pile: P
    first: P
    broken: int = 0
    counts: tuple[int, ...] = ()
    events: tuple[tuple[Event, ...], ...] = ()


@lru_cache(MOST_KEPT)
def turn_by(draw: int, first: TableState, photos: tuple[ShownWaste, ...]) -> Draws:
    """How the stock was turned if so many cards are turned at a time.

    Args:
        draw: Cards turned at a time.
        first: The table in the first photo.
        photos: What each photo shows, the first one's too; what happened before that counts for nothing.
    """
    starts = list(_starts(draw, first.stock_waste))
    if draw == ONE:
        singly = SinglyTurned.of(first.stock_waste)
        way = _find_way([(0.0, singly)], photos)
        cards, at_first = way.pile.all_cards(singly)
        starts = [(0.0, _Numbered(draw, cards, at_first))]
        photos = tuple(photo._replace(events=events) for photo, events in zip(photos, way.events, strict=True))
    best = _find_way(starts, photos)
    cards, at_first = best.pile.cards, best.first.turned
    return Draws(draw, cards[:at_first], cards[at_first:], best.events, best.counts, best.broken, best.price)


def _starts(draw: int, stock_waste: StockWaste) -> Iterator[tuple[float, _Numbered]]:
    """Stock and waste in the first photo, with the draws before it, which nobody counts, as their prices."""
    if not stock_waste.unseen:
        cards = tuple(card for card in (*stock_waste.waste, *stock_waste.stock) if card != GAP)
        yield 0.0, _Numbered(draw, cards, sum(card != GAP for card in stock_waste.waste))
        return
    known = sum(card != GAP for card in (*stock_waste.waste, *stock_waste.stock))
    hidden = (HIDDEN,) * (stock_waste.unseen + known)
    if not stock_waste.waste:
        yield 0.0, _Numbered(draw, hidden, 0)
    for turned in range(1, len(hidden) + 1) if stock_waste.waste else ():
        is_even = turned % draw == 0 or turned == len(hidden)
        yield turned / draw + (0.0 if is_even else TUNING.played_before), _Numbered(draw, hidden, turned)


def _find_way(starts: Sequence[tuple[float, P]], photos: Sequence[ShownWaste]) -> _Way[P]:
    """The likeliest way in which photos come to show what they show of stock and waste.

    Where cards may have been played in any order there are so many ways that a good one may be given up among them. So
    ways in the order of the history are searched by themselves, too.
    """
    return min((_search_way(starts, photos, any_order) for any_order in (False, True)), key=lambda way: way.price)


def begin_roughly(draw: int, first: TableState, photo: ShownWaste) -> list[_Way[Any]]:
    """Few ways in which the first photo may come to show what it shows, the likeliest first: to compare many orders."""
    singly = SinglyTurned.of(first.stock_waste)
    starts: list[tuple[float, Any]] = [(0.0, singly)] if draw == ONE else list(_starts(draw, first.stock_waste))
    ways = [_Way(price, pile, pile) for price, pile in starts]
    return _after_photo(ways, photo._replace(events=()), any_order=False, width=FEW_WAYS[draw])


def go_on_roughly(draw: int, ways: list[_Way[Any]], photos: Iterable[ShownWaste]) -> list[_Way[Any]]:
    """Few ways in which further photos may come to show what they show, the likeliest first."""
    for photo in photos:
        ways = _after_photo(ways, photo, any_order=False, width=FEW_WAYS[draw])
    return ways


def _search_way(starts: Iterable[tuple[float, P]], photos: Sequence[ShownWaste], any_order: bool) -> _Way[P]:
    ways = _likeliest(_Way(price, pile, pile) for price, pile in starts)
    for number, photo in enumerate(photos):
        own = photo if number else photo._replace(events=())
        ways = _after_photo(ways, own, any_order)
    return ways[0]._replace(events=(photos[0].events, *ways[0].events[1:])) if photos else ways[0]


def _after_photo(
    ways: Sequence[_Way[P]], photo: ShownWaste, any_order: bool, width: int = TUNING.width
) -> list[_Way[P]]:
    reached: list[_Way[P]] = []
    for events in _orders_of(photo.events) if any_order else [photo.events]:
        some = [way._replace(events=(*way.events, events)) for way in ways]
        for event in events:
            if event.turned is not None:
                some = _likeliest((after for way in some for after in _show(way, event)), width)
        reached += some
    return _likeliest((after for way in reached for after in _compare(way, photo)), width)


def _likeliest(ways: Iterable[_Way[P]], width: int = TUNING.width) -> list[_Way[P]]:
    """The likeliest of ways, so many, each pile once."""
    best: dict[tuple[P, P], _Way[P]] = {}
    for way in ways:
        key = way.pile, way.first
        if key not in best or way.price < best[key].price:
            best[key] = way
    return nsmallest(width, best.values(), key=lambda way: way.price)


def _orders_of(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """What happened between two photos, with cards of the waste that go to different piles played in any order."""
    groups = [tuple(group) for _, group in groupby(events, key=_is_played)]
    if not any(1 < len(group) <= MOST_PERMUTED and _is_played(group[0]) for group in groups):
        yield events
        return
    orders: list[tuple[Event, ...]] = [()]
    for group in groups:
        is_open = _is_played(group[0]) and len(group) <= MOST_PERMUTED
        own = [order for order in permutations(group) if _keeps_piles(group, order)] if is_open else [group]
        orders = [(*before, *after) for before in orders for after in own]
    yield from orders


def _is_played(event: Event) -> bool:
    return event.kind in ("waste", "waste_up")


def _keeps_piles(events: Sequence[Event], order: Sequence[Event]) -> bool:
    """Whether the cards of each pile stay in their order."""
    return all(
        [event for event in events if _pile_of(event) == pile] == [event for event in order if _pile_of(event) == pile]
        for pile in map(_pile_of, events)
    )


def _pile_of(event: Event) -> tuple[str, int]:
    return event.kind, event.target if event.kind == "waste" else event.card // 13


def _show(way: _Way[P], event: Event) -> Iterator[_Way[P]]:
    """The ways in which a card comes to the waste's top, and leaves it where it is played."""
    found = False
    for price, count, shown in islice(way.pile.shows(event.card), TUNING.places):
        found = True
        after = shown.without_top(event.card) if _is_played(event) else shown
        yield way._replace(price=way.price + price, pile=after, counts=(*way.counts, count))
    if not found:
        pile = way.pile.forced(event.card)
        after = pile.without_top(event.card) if _is_played(event) else pile
        price, counts = way.price + TUNING.broken, (*way.counts, 0)
        yield way._replace(price=price, pile=after, counts=counts, broken=way.broken + 1)


def _compare(way: _Way[P], photo: ShownWaste) -> Iterator[_Way[P]]:
    """The ways with what a photo shows of stock and waste, and the price of what contradicts it."""
    price, pile = way.pile.without_waste() if photo.is_empty else way.pile.with_below(photo.cards)
    is_redealt = any(event.kind == "redeal" for event in photo.events)  # here that is done with the next draw
    if photo.stock is False:
        yield from (way._replace(price=way.price + price + more, pile=other) for more, other in pile.without_stock())
        return
    if photo.stock and not is_redealt and not pile.has_stock:
        price += TUNING.other_stock
    yield way._replace(price=way.price + price, pile=pile)
