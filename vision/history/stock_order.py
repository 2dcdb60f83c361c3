"""How many cards were turned at each draw, and in which order the stock lay, by all that the waste ever showed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from vision.history.search_node import Event
from vision.history.table_state import GAP, Cards, StockWaste, TableState

HIDDEN: Final = -2
"""A card of the stock that nobody ever saw."""
ONE, THREE = 1, 3
MOST_DRAWS: Final = 48
"""More draws than these between two cards: nobody plays so."""


@dataclass(frozen=True, slots=True)
class Draws:
    """A way to turn the stock.

    Attributes:
        draw: How many cards are turned at a time.
        waste: The waste at the beginning, bottom to top, `HIDDEN` for what nobody saw.
        stock: The stock at the beginning.
        counts: How often cards were turned before each event that shows a card of the waste.
        broken: At how many events this many cards at a time do not show what was seen.
    """

    draw: int
    waste: Cards
    stock: Cards
    counts: tuple[int, ...]
    broken: int

    @property
    def price(self) -> float:
        """How unlikely it is."""
        return sum(self.counts) + 6.0 * self.broken


@dataclass(slots=True)
class _Order:
    """The cards of stock and waste in the order in which they are turned; those that were played stay in it.

    Attributes:
        cards: The cards.
        reached: How many of them were turned in this pass.
    """

    cards: list[int] = field(default_factory=list)
    reached: int = 0

    def show(self, stock_waste: StockWaste, redealt: bool) -> None:
        """Puts what the waste shows, and was not known, where it lies."""
        above = None
        known = [card for card in stock_waste.waste if card != GAP]
        for number in range(len(known) - 1, -1, -1):
            card = known[number]
            if card not in self.cards:
                before = [self.cards.index(c) for c in known[:number] if c in self.cards]
                place = before[-1] + 1 if before else 0
                if above is not None:
                    place = self.cards.index(above)
                elif not redealt:
                    place = max(place, self.reached)
                self.cards.insert(place, card)
                self.reached += place < self.reached
            above = card
        if known:
            self.reached = self.cards.index(known[-1]) + 1

    def slip_under(self, stock_waste: StockWaste) -> None:
        """Puts the waste's top card, which lay under others that were played, before those."""
        *under, card = (card for card in stock_waste.waste if card != GAP)
        place = self.cards.index(under[-1]) + 1 if under else 0
        if card not in self.cards:
            self.cards.insert(place, card)
            self.reached += 1


def _shown(events: Sequence[Event]) -> Iterator[Event]:
    return (event for event in events if event.turned is not None)


def order_of_stock(first: TableState, events: Sequence[Event]) -> tuple[Cards, int]:
    """The stock's and waste's cards that were ever seen, in the order of turning, and how many there were at first.

    Args:
        first: The table at the beginning.
        events: What happened since.
    """
    order = _Order([card for card in first.stock_waste.waste if card != GAP])
    order.reached = len(order.cards)
    top = order.cards[-1:]
    order.cards += [card for card in first.stock_waste.stock if card != GAP]
    for event in _shown(events):
        turned = event.turned
        assert turned is not None, "only such events are asked for"
        if turned.uncovered:
            order.slip_under(turned.stock_waste)
        order.show(turned.stock_waste, turned.redealt)
    return tuple(order.cards), order.cards.index(top[0]) + 1 if top else 0


@dataclass(slots=True)
class _Table:
    """Stock and waste while cards are turned; unseen cards are put where the draws need them."""

    draw: int
    waste: list[int]
    stock: list[int]
    unseen: int
    turned_before: int = 0
    broken: int = 0
    put: list[tuple[int, int]] = field(default_factory=list)
    """Before which card so many unseen ones lie; -1: at the end."""

    def turn(self) -> None:
        if not self.stock:
            self.stock, self.waste = self.waste, []
        self.waste += self.stock[: self.draw]
        del self.stock[: self.draw]
        self.turned_before = max(self.turned_before - self.draw, 0)

    def turn_to(self, card: int) -> int:
        """Turns cards until one lies on top; returns how often."""
        count = 0
        if card not in self.stock and self.waste[-1:] != [card]:
            if self.unseen:  # the stock was gone through: nothing unseen can lie elsewhere any more
                self.put.append((-1, self.unseen))
                self.stock += [HIDDEN] * self.unseen
                self.unseen = 0
            while self.stock:
                self.turn()
                count += 1
            self.stock, self.waste = self.waste, []
            self.turned_before = len(self.stock)
        if card in self.stock:
            self._make_reachable(card)
        while self.waste[-1:] != [card] and count < MOST_DRAWS:
            self.turn()
            count += 1
        if self.waste[-1:] != [card]:
            self.broken += 1
            self._force(card)
        return count

    def _make_reachable(self, card: int) -> None:
        """Puts unseen cards before one, so that a draw ends with it."""
        place = self.stock.index(card)
        lacking = -(place + 1) % self.draw
        if lacking and (place >= self.turned_before) and self.unseen >= lacking:
            self.stock[place:place] = [HIDDEN] * lacking
            self.put.append((card, lacking))
            self.unseen -= lacking

    def _force(self, card: int) -> None:
        pile = self.waste if card in self.waste else self.stock
        every = self.waste + self.stock
        if card in pile:
            end = every.index(card) + 1
            self.waste, self.stock = every[:end], every[end:]


def turn_by(draw: int, first: TableState, events: Sequence[Event]) -> Draws:
    """How the stock was turned if so many cards are turned at a time.

    Args:
        draw: Cards turned at a time.
        first: The table at the beginning.
        events: What happened since.
    """
    order, at_start = order_of_stock(first, events)
    unseen = first.stock_waste.unseen - sum(
        card not in first.stock_waste.waste + first.stock_waste.stock for card in order
    )
    under = 0
    if GAP in first.stock_waste.waste and at_start:
        under = min(-at_start % draw, unseen)
    waste = [HIDDEN] * under + list(order[:at_start])
    table = _Table(draw, list(waste), list(order[at_start:]), unseen - under)
    counts = []
    for event in _shown(events):
        counts.append(table.turn_to(event.card))
        if event.kind != "turn" and table.waste:
            table.waste.pop()
    return Draws(draw, tuple(waste), _full_stock(order[at_start:], table), tuple(counts), table.broken)


def _full_stock(order: Cards, table: _Table) -> Cards:
    stock = list(order)
    for card, count in table.put:
        place = len(stock) if card < 0 else stock.index(card)
        stock[place:place] = [HIDDEN] * count
    return (*stock, *[HIDDEN] * table.unseen)
