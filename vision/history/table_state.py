"""What may lie on a Klondike table while photos are read: cards by number, and labels for those that nobody has seen.

A card is its index (`solver.cards.Card.index`). A card that was never seen is a label, `FIRST_LABEL` and up; which card
it is, is told when it is seen, and then for all photos before, too.

Stock and waste are a `StockWaste`: the cards seen of it, in the order in which they are turned, and `GAP` wherever any
number of unseen cards may lie between them. So nothing has to be assumed about how many cards were turned between two
photos.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

COLUMNS: Final = 7
SUITS: Final = 4
FIRST_LABEL: Final = 52
GAP: Final = -1
STOCK_WASTE_SIZE: Final = 24
MOST_KEPT: Final = 1 << 13
"""So many ways to turn the stock are remembered: a search asks for the same ones again and again."""

Cards = tuple[int, ...]
Bindings = tuple[tuple[int, int], ...]
"""Labels and the cards that they turned out to be."""


class StockWaste(NamedTuple):
    """Stock and waste.

    Attributes:
        waste: Its cards, bottom to top, with gaps.
        stock: Its cards, the next one first, with gaps.
        unseen: How many cards all gaps hold together.
        draw: How many cards are turned at a time.
        under: How many cards that nobody saw may at most lie under those that were turned with them.
    """

    waste: Cards
    stock: Cards
    unseen: int
    draw: int = 1
    under: int = 0


class Turned(NamedTuple):
    """Stock and waste with a card on top of its waste.

    Attributes:
        stock_waste: The stock_waste.
        draws: How many cards, of those that are known, were turned for it at least.
        redealt: Whether the waste was turned over for it.
        uncovered: Whether it was never seen before and came to the top as the card on it was played.
    """

    stock_waste: StockWaste
    draws: int
    redealt: bool = False
    uncovered: bool = False


class TableState(NamedTuple):
    """What lies where.

    Attributes:
        down: Labels of the face-down cards of each column.
        up: Face-up cards of each column.
        heights: How many cards lie on each suit's foundation.
        stock_waste: Stock and waste.
        known: A bit for each card whose place is known.
    """

    down: tuple[Cards, ...]
    up: tuple[Cards, ...]
    heights: Cards
    stock_waste: StockWaste
    known: int

    def is_unseen(self, card: int) -> bool:
        """Whether a card has been seen nowhere so far."""
        return not self.known >> card & 1

    @property
    def unseen(self) -> int:
        """How many cards have been seen nowhere so far."""
        return 52 - self.known.bit_count()

    @property
    def visible(self) -> object:
        """What a photo's position says of it."""
        return tuple(map(len, self.down)), self.up, self.heights, self.stock_waste.waste[-1:]

    def bound(self, label: int, card: int) -> TableState:
        """The state in which a label that lies face up is a card."""
        up = tuple(
            [tuple([card if c == label else c for c in cards]) if label in cards else cards for cards in self.up]
        )  # lists are faster than generators, and this is called most of all
        return TableState(self.down, up, self.heights, self.stock_waste, self.known | 1 << card)


KINGS: Final = (12, 25, 38, 51)


def fresh_deal(draw: int = 1, from_left: bool = True) -> TableState:
    """A deal of which nothing has been seen: 1 to 7 cards in the columns, the last of each face up."""
    labels = iter(range(FIRST_LABEL, FIRST_LABEL + 28))
    dealt = range(COLUMNS) if from_left else range(COLUMNS - 1, -1, -1)
    down = tuple(tuple(next(labels) for _ in range(count)) for count in dealt)
    stock_waste = StockWaste((), (GAP,), STOCK_WASTE_SIZE, draw)
    return TableState(down, tuple((next(labels),) for _ in dealt), (0,) * SUITS, stock_waste, 0)


# --- stock and waste -------------------------------------------------------------------------------------------------


def _joined(*parts: Cards) -> Cards:
    """Cards one behind the other; gaps that meet are one."""
    joined: list[int] = []
    for part in parts:
        joined += [card for n, card in enumerate(part) if card != GAP or n or not joined or joined[-1] != GAP]
    return tuple(joined)


def _closed(stock_waste: StockWaste) -> StockWaste:
    """Stock and waste without gaps where they hold nothing."""
    if stock_waste.unseen:
        return stock_waste
    waste, stock = (tuple(card for card in pile if card != GAP) for pile in stock_waste[:2])
    return stock_waste._replace(waste=waste, stock=stock)


def _count(pile: Cards) -> int:
    return sum(card != GAP for card in pile)


def _count_stock(stock_waste: StockWaste) -> int:
    """How many cards the stock holds, if each gap holds as many unseen ones."""
    in_stock, in_waste = stock_waste.stock.count(GAP), stock_waste.waste.count(GAP)
    unseen = stock_waste.unseen * in_stock // max(in_stock + in_waste, 1)
    return _count(stock_waste.stock) + unseen


@lru_cache(MOST_KEPT)
def turn_to(stock_waste: StockWaste, card: int) -> tuple[Turned, ...]:
    """The ways in which a card comes to lie on top of the waste, if it was seen in stock or waste."""
    return tuple(_turn_to(stock_waste, card))


def _turn_to(stock_waste: StockWaste, card: int) -> Iterator[Turned]:
    waste, stock = stock_waste.waste, stock_waste.stock
    if waste[-1:] == (card,):
        yield Turned(stock_waste, 0)
    elif waste[-2:] == (card, GAP):
        yield Turned(stock_waste._replace(waste=waste[:-1]), 0)
        if stock_waste.draw > 1:
            yield _turn_again_to(stock_waste, card)
    elif card in stock:
        end = stock.index(card) + 1
        after = stock_waste._replace(waste=_joined(waste, stock[:end]), stock=stock[end:])
        yield Turned(after, _count(stock[:end]))
    elif card in waste:
        yield _turn_again_to(stock_waste, card)


def _turn_again_to(stock_waste: StockWaste, card: int) -> Turned:
    """Goes through the stock and turns the waste over until one of its cards lies on top again."""
    every = _joined(stock_waste.waste, stock_waste.stock)
    end = every.index(card) + 1
    after = stock_waste._replace(waste=every[:end], stock=every[end:])
    return Turned(after, _count_stock(stock_waste) + _count(every[:end]), redealt=True)


@lru_cache(MOST_KEPT)
def turn_to_unseen(stock_waste: StockWaste, card: int) -> tuple[Turned, ...]:
    """The ways in which a card that was never seen comes to lie on top of the waste: in each gap there may be."""
    return tuple(_turn_to_unseen(stock_waste, card))


def _turn_to_unseen(stock_waste: StockWaste, card: int) -> Iterator[Turned]:
    waste, stock = stock_waste.waste, stock_waste.stock
    if not stock_waste.unseen:
        return
    less = stock_waste._replace(unseen=stock_waste.unseen - 1)
    if waste[-1:] == (GAP,) and (stock_waste.draw == 1 or stock_waste.under):  # what lay on it was played
        uncovered = less._replace(waste=(*waste, card), under=max(stock_waste.under - 1, 0))
        yield Turned(_closed(uncovered), 0, uncovered=True)
    less = less._replace(under=min(stock_waste.under + stock_waste.draw - 1, less.unseen))
    for place, token in enumerate(stock):
        if token == GAP:
            turned = less._replace(waste=_joined(waste, stock[:place], (GAP, card)), stock=(GAP, *stock[place + 1 :]))
            yield Turned(_closed(turned), _count(stock[:place]) + 1)
    every = _joined(waste, stock)
    for place, token in enumerate(_joined(waste)):
        if token == GAP:
            again = less._replace(waste=(*every[:place], GAP, card), stock=(GAP, *every[place + 1 :]))
            yield Turned(_closed(again), _count_stock(stock_waste) + _count(every[:place]) + 1, redealt=True)


def play_top(stock_waste: StockWaste) -> StockWaste:
    """Stock and waste without the card on top of its waste."""
    return stock_waste._replace(waste=stock_waste.waste[:-1])


def redealt(stock_waste: StockWaste) -> StockWaste:
    """Stock and waste after the waste was turned over and before the next card was turned."""
    return stock_waste._replace(waste=(), stock=_joined(stock_waste.waste, stock_waste.stock))


def with_cards_below_top(stock_waste: StockWaste, below: Cards, is_unseen: int) -> tuple[StockWaste, int] | None:
    """The stock and waste whose waste shows cards under its top one; None where they cannot lie there.

    Args:
        stock_waste: The stock_waste with its top card on the waste.
        below: The cards seen under it, bottom to top.
        is_unseen: A bit for each card that has been seen nowhere.

    Returns:
        The stock_waste and how many of the cards were seen for the first time.
    """
    *rest, top = stock_waste.waste
    shown, new, unseen = [top], 0, stock_waste.unseen
    for card in reversed(below):
        if rest and rest[-1] == card:
            rest.pop()
        elif rest[-2:] == [card, GAP]:
            del rest[-2:]
        elif unseen and rest and rest[-1] == GAP and is_unseen >> card & 1:
            new, unseen, is_unseen = new + 1, unseen - 1, is_unseen & ~(1 << card)
        else:
            return None
        shown.insert(0, card)
    return _closed(stock_waste._replace(waste=(*rest, *shown), unseen=unseen)), new
