"""Stock and waste whose cards are turned one by one: what lies before what, and where cards that nobody saw may lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from vision.history.table_state import GAP, Cards, StockWaste

HIDDEN: Final = -2
"""A card of the stock that nobody ever saw."""


@dataclass(frozen=True, slots=True)
class OrderTuning:
    """How orders of the stock are searched; a price of 1 is that of a draw.

    Attributes:
        redeal: Price of turning the waste over, besides the draw that follows.
        broken: Of a card that cannot have been shown, whatever lies where.
        other_stock: Of a photo that shows a stock where none is left, or none where one is.
        other_waste: Of cards on a waste on which none lies.
        played_before: Of cards that were played from the waste before the first photo.
        places: So many places, the next ones, are tried for a card that was never seen before.
        width: Orders that are kept after each card.
    """

    redeal: float = 2.0
    broken: float = 12.0
    other_stock: float = 8.0
    other_waste: float = 8.0
    played_before: float = 2.0
    places: int = 12
    width: int = 120


TUNING: Final = OrderTuning()


class SinglyTurned(NamedTuple):
    """Stock and waste whose cards are turned one by one.

    Attributes:
        cards: Those that were seen, in the order in which they are turned; the ones that were played stay among them.
        open: Whether cards that nobody saw may lie before each of them, and after the last one.
        unseen: How many such cards there are.
        turned: How many of the cards that were seen have been turned since the waste was turned over.
        gone: A bit for each card that was played.
    """

    cards: Cards
    open: tuple[bool, ...]
    unseen: int
    turned: int
    gone: int = 0

    @classmethod
    def of(cls, stock_waste: StockWaste) -> SinglyTurned:
        """What is known of stock and waste in the first photo."""
        tokens = (*stock_waste.waste, *stock_waste.stock)
        cards = tuple(card for card in tokens if card != GAP)
        before = [GAP in tokens[:1], *(tokens[tokens.index(card) - 1] == GAP for card in cards[1:])]
        is_open = (*before[: len(cards)], GAP in tokens[-1:])
        return cls(cards, is_open, stock_waste.unseen, sum(card != GAP for card in stock_waste.waste))

    def all_cards(self, first: SinglyTurned) -> tuple[Cards, int]:
        """All cards in their order, unseen ones as late as they may lie, and how many lay on the waste at first."""
        late = max((place for place, is_open in enumerate(self.open) if is_open), default=len(self.cards))
        cards = (*self.cards[:late], *(HIDDEN,) * self.unseen, *self.cards[late:])
        return cards, cards.index(first.cards[first.turned - 1]) + 1 if first.turned else 0

    def _is_left(self, place: int) -> bool:
        return not self.gone >> self.cards[place] & 1

    def _count_left(self, start: int, end: int) -> int:
        return sum(map(self._is_left, range(start, end)))

    def _with_new(self, card: int, place: int) -> SinglyTurned:
        """A card that was never seen before, on top of the waste, between the ones before a place and the others."""
        return self._replace(
            cards=(*self.cards[:place], card, *self.cards[place:]),
            open=(*self.open[:place], True, *self.open[place:]),
            unseen=self.unseen - 1,
            turned=place + 1,
        )

    def _closed(self, start: int, end: int) -> SinglyTurned:
        """No unseen card lies before the cards of these places."""
        return self._replace(open=(*self.open[:start], *(False,) * (end - start), *self.open[end:]))

    def _under(self, end: int, last: int, card: int) -> SinglyTurned | None:
        """The pile in which a card is the last one that is left before a place; None where it cannot be.

        Args:
            end: The place.
            last: Unseen cards may lie before the cards up to this place.
            card: The card.
        """
        first = end
        while first and not self._is_left(first - 1):
            first -= 1
        if first and self.cards[first - 1] == card:
            return self._closed(first, last)
        place = next((place for place in range(last - 1, first - 1, -1) if self.open[place]), None)
        if card in self.cards or place is None or not self.unseen:
            return None
        turned = self.turned + 1
        return self._with_new(card, place)._replace(turned=turned)._closed(place + 1, last + 1)

    def _on_top(self, card: int) -> SinglyTurned | None:
        """The pile in which a card lies on top without any draw."""
        return self._under(self.turned, self.turned, card)

    def shows(self, card: int) -> Iterator[tuple[float, int, SinglyTurned]]:
        """The ways in which a card comes to the waste's top: a price, how many draws at least, and what lies there."""
        on_top = self._on_top(card)
        if on_top is not None:
            yield 0.0, 0, on_top
        ahead, every = self._count_left(self.turned, len(self.cards)), len(self.cards)
        again = TUNING.redeal + self.unseen / 2  # about half of them lie on the way
        if card in self.cards:
            place = self.cards.index(card)
            if not self._is_left(place):
                return
            shown = self._replace(turned=place + 1)
            if place >= self.turned:
                count = self._count_left(self.turned, place + 1)
                yield count, count, shown
            elif on_top is None or any(self.open[place + 1 : self.turned]):
                count = ahead + self._count_left(0, place + 1)
                yield count + again, count, shown
            return
        for place in range(self.turned, every + 1) if self.unseen else ():
            if self.open[place]:
                count = self._count_left(self.turned, place) + 1
                yield count, count, self._with_new(card, place)
        for place in range(self.turned) if self.unseen else ():
            if self.open[place]:
                count = ahead + self._count_left(0, place) + 1
                yield count + again, count, self._with_new(card, place)

    def forced(self, card: int) -> SinglyTurned:
        """What lies there if a card is on top though it cannot be."""
        if card not in self.cards or not self._is_left(self.cards.index(card)):
            return self
        return self._replace(turned=self.cards.index(card) + 1)

    def without_top(self, card: int) -> SinglyTurned:
        """What lies there once the waste's top card was played."""
        return self._replace(gone=self.gone | 1 << card) if card in self.cards else self

    def with_below(self, cards: Cards) -> tuple[float, SinglyTurned]:
        """What lies there, and at which price, if a photo shows cards of the waste, the last of them on top."""
        pile, end, last = self, self.turned, self.turned
        for number, card in enumerate(cards[::-1]):
            shown = pile._under(end, last, card)
            if shown is None:
                return TUNING.broken * (len(cards) - number), pile
            pile = shown
            end = pile.cards.index(card)
            last = end + 1
        return 0.0, pile

    @property
    def has_stock(self) -> bool:
        """Whether cards may lie in the stock."""
        return self._count_left(self.turned, len(self.cards)) > 0 or (self.unseen > 0 and any(self.open[self.turned :]))

    def without_stock(self) -> Iterator[tuple[float, SinglyTurned]]:
        """What may lie there, and at which price, if a photo shows no stock."""
        is_room = not self.unseen or any(self.open[: self.turned])
        fits = is_room and not self._count_left(self.turned, len(self.cards))
        if fits:
            yield 0.0, self._closed(self.turned, len(self.open))
        if self.has_stock or not fits:
            yield TUNING.other_stock, self

    def without_waste(self) -> tuple[float, SinglyTurned]:
        """What lies there, and at which price, if no card lies on the waste."""
        is_room = not self.unseen or any(self.open[self.turned :])
        fits = is_room and not self._count_left(0, self.turned)
        return (0.0, self._closed(0, self.turned)) if fits else (TUNING.other_waste, self)
