"""A position of Napoleon's Tomb with two decks: notation, JSON, legality and moves.

    tomb_double foundations: C0 D13 H4 S0; centre: AS 2S; tableau: 7C 8C | QH | - | 5D; reserves: ?? ?? 3C | ...;
    wastes: 4H | - | - | 9S TS | -; stock: ?? ??; redeals: 4

`docs/notation.md` explains the fields. Where the stock is left out, it holds the cards that are missing, hidden, as far
as there is room for them; the others lie under the tops of the reserves, spread evenly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, product, starmap
from operator import add
from typing import Any, ClassVar, Final

from plumbing.errors import IllegalMoveError, check_whole_number
from solver.cards import DECK, Card, MaybeCard, Rank, Suit, card_text
from solver.hidden_piles import KNOWN_TOMB_PILE, hidden_pile
from solver.notation import EMPTY, Entry, Notation, check_game, count_to, foundations, json_error, several
from solver.notebook_drawing import Drawn
from solver.place import Place
from solver.position import Fault, check_move, pile_at, say_where, with_piles
from solver.tomb_double import rules
from solver.tomb_double.rules import (
    ALL_WASTES,
    CENTRE,
    FOUNDATION,
    FULL,
    LETTERS,
    PLACES,
    REDEAL,
    RESERVE_PLACES,
    STOCK_PLACE,
    TABLEAU_PLACES,
    WASTE_PLACES,
    Move,
    follows,
    next_down,
    shuffled,
)

Cards = tuple[Card, ...]
MaybeCards = tuple[MaybeCard, ...]

_PILE: Final = hidden_pile(2 * len(DECK))
_NOTATION: Final = Notation(
    "tomb_double",
    (
        Entry("foundations", foundations(FULL)),
        Entry("centre", KNOWN_TOMB_PILE),
        Entry("tableau", several(KNOWN_TOMB_PILE, empty=EMPTY)),
        Entry("reserves", several(_PILE, empty=EMPTY)),
        Entry("wastes", several(_PILE, empty=EMPTY)),
        Entry("stock", _PILE),
        Entry("redeals", count_to(rules.REDEALS, "redeals"), read_first=True),
    ),
)


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """A position of the two-deck game; equal by value.

    Attributes:
        foundations: Cards on each foundation, 0 to 26, in the order clubs, diamonds, hearts, spades.
        centre: The centre, bottom to top.
        tableau: Four tableau piles, bottom to top.
        reserves: Four reserves, bottom to top; None for a hidden card.
        wastes: The wastes, `redeals + 1` of them, bottom to top; None for a hidden card.
        stock: The stock, the first card is turned first; None for a hidden card.
        redeals: How many redeals are still to come, 0 to 4.
    """

    foundations: tuple[int, int, int, int] = (0, 0, 0, 0)
    centre: Cards = ()
    tableau: tuple[Cards, ...] = ((),) * rules.TABLEAU
    reserves: tuple[MaybeCards, ...] = ((),) * rules.RESERVES
    wastes: tuple[MaybeCards, ...] = ((),) * rules.WASTES
    stock: MaybeCards = ()
    redeals: int = rules.REDEALS

    game: ClassVar[str] = "tomb_double"

    @classmethod
    def from_deck(cls, cards: Sequence[Card]) -> Position:
        """The opening from 104 cards: reserve after reserve, a card to each tableau pile, then the stock."""
        size, first = rules.RESERVE_CARDS, rules.RESERVES * rules.RESERVE_CARDS
        opening = first + rules.TABLEAU
        return cls(
            (0, 0, 0, 0),
            (),
            tuple((card,) for card in cards[first:opening]),
            tuple(tuple(cards[i * size : (i + 1) * size]) for i in range(rules.RESERVES)),
            ((),) * rules.WASTES,
            tuple(cards[opening:]),
        )

    # Notation

    @classmethod
    def parse(cls, text: str) -> Position:
        """Reads the one-line notation; a field left out is empty but for `redeals` (4) and the stock (what is missing).

        Raises:
            NotationError: At the first place that cannot be read.

        >>> position = Position.parse("tableau: 7C | - | - | -; stock: 5; redeals: 0")
        >>> print(position)  # doctest: +NORMALIZE_WHITESPACE
        tomb_double foundations: C0 D0 H0 S0; centre: ; tableau: 7C | - | - | -; reserves: - | - | - | -;
        wastes: -; stock: ?? ?? ?? ?? ??; redeals: 0
        >>> Position.parse(str(position)) == position
        True
        >>> photo = Position.parse("tableau: 7C | QH | 2D | 5D; reserves: 3C | 4C | 5C | KC; wastes: 2C | 7H | -| -| -")
        >>> len(photo.stock), [len(reserve) for reserve in photo.reserves]
        (58, [10, 10, 10, 10])
        """
        fields = _NOTATION.split(text)
        return cls._of_values(_NOTATION.parse(fields))

    def __str__(self) -> str:
        return f"{self.game} " + "; ".join(_NOTATION.texts(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Reads the JSON object; keys may be left out as fields of a line may.

        Raises:
            NotationError: Naming the key that cannot be read.
        """
        check_game(data, cls.game)
        unknown = set(data) - {*_NOTATION.names, "game", "id"}
        if unknown:
            expected = "one of " + ", ".join(_NOTATION.names)
            raise json_error(data, f"unknown key {min(unknown)!r}", expected)
        return cls._of_values(_NOTATION.from_json(data))

    @classmethod
    def _of_values(cls, values: dict[str, Any]) -> Position:
        """The position of the attributes that were given: as many wastes as redeals ask for, and a stock."""
        wastes = ((),) * (values.get("redeals", rules.REDEALS) + 1)
        position = cls(**{"wastes": wastes} | values)
        return position if "stock" in values else position.with_unseen()

    def to_json(self) -> dict[str, Any]:
        """The position's JSON object.

        >>> Position.from_json(random_deal(3).to_json()) == random_deal(3)
        True
        """
        return {"game": self.game} | _NOTATION.to_json(self)

    # Legality

    def cards(self) -> MaybeCards:
        """All 104 cards of a legal position, those on the foundations too; None for hidden ones."""
        piled = (_piled(suit, count) for suit, count in zip(Suit, self.foundations, strict=True))
        return (*chain(*piled), *self.centre, *self.stock, *chain(*self.tableau, *self.reserves, *self.wastes))

    @property
    def is_known(self) -> bool:
        """Whether every card is known."""
        return None not in self.cards()

    def unseen(self) -> Cards:
        """The cards of two decks that are nowhere to be seen, in order: what the hidden cards must be."""
        left = Counter(DECK * 2)
        left.subtract(card for card in self.cards() if card is not None)
        return tuple(sorted(left.elements()))

    def problems(self) -> tuple[str, ...]:
        """Every fault at once, one sentence each; empty for a legal position.

        >>> Position.parse("foundations: C26 D26; stock: 52").problems()
        ()
        >>> Position.parse("foundations: C26; centre: 2S; tableau: 7D 9D | - | - | -").problems()[:2]
        ('the centre begins with 2S, not with an ace', 'tableau pile 1: 9D cannot lie on 7D')
        """
        return (*self._shape_problems(), *self._pile_problems(), *self._count_problems())

    def _shape_problems(self) -> Iterator[str]:
        if not 0 <= self.redeals <= rules.REDEALS:
            yield f"{self.redeals} redeals to come, not 0 to {rules.REDEALS}"
        for name, found, right in (
            ("foundations", len(self.foundations), 4),
            ("tableau piles", len(self.tableau), rules.TABLEAU),
            ("reserves", len(self.reserves), rules.RESERVES),
            ("wastes", len(self.wastes), self.redeals + 1),
        ):
            if found != right:
                because = f" with {self.redeals} redeals to come" if name == "wastes" else ""
                yield f"{found} {name}, not {right}{because} (an empty pile is written -)"
        for suit, count in zip(Suit, self.foundations, strict=False):
            if not 0 <= count <= FULL:
                text = f"{count} cards on the foundation of {suit.name.lower()}, not 0 to {FULL}"
                yield Fault(text, places=[Place("foundation", suit)])

    def _pile_problems(self) -> Iterator[str]:
        if self.centre and self.centre[0].rank is not Rank.ACE:
            text = f"the centre begins with {self.centre[0]}, not with an ace"
            yield Fault(text, places=[Place("centre")], cards=self.centre[:1])
        for name, place, pile in (
            ("the centre", Place("centre"), self.centre),
            *((f"tableau pile {i + 1}", Place("tableau", i), pile) for i, pile in enumerate(self.tableau)),
        ):
            for below, card in pairwise(pile):
                if not follows(card, below):
                    yield Fault(f"{name}: {card} cannot lie on {below}", places=[place], cards=[below, card])
        for i, reserve in enumerate(self.reserves, start=1):
            if len(reserve) > rules.RESERVE_CARDS:
                text = f"{len(reserve)} cards in reserve {i}, not up to {rules.RESERVE_CARDS}"
                yield Fault(text, places=[Place("reserve", i - 1)])

    def _places_of(self, card: Card) -> Iterator[str]:
        """Where a card lies, once for each time."""
        on_foundation = _piled(card.suit, self.foundations[card.suit])
        rows = (("tableau pile", self.tableau), ("reserve", self.reserves), ("waste", self.wastes))
        numbered = ((f"{name} {number}", pile) for name, piles in rows for number, pile in enumerate(piles, 1))
        others = ("the centre", self.centre), *numbered, ("the stock", self.stock)
        for name, pile in ((f"the foundation of {card.suit.name.lower()}", on_foundation), *others):
            yield from [name] * pile.count(card)

    def _count_problems(self) -> Iterator[str]:
        turned = len(self.stock) + sum(map(len, self.wastes))
        if turned > rules.STOCK:
            yield f"{turned} cards in stock and wastes, not up to {rules.STOCK}"
        cards = self.cards()
        for known, copies in sorted(Counter(card for card in cards if card is not None).items()):
            if copies > 2:
                text = f"{copies} copies of {known}, not up to 2: they lie {say_where(self._places_of(known))}"
                yield Fault(text, cards=[known])
        if len(cards) != 2 * len(DECK):
            text = f"{len(cards)} cards, not {2 * len(DECK)} (?? or a number such as 9 stands for hidden ones)"
            yield Fault(text, unfinished=len(cards) < 2 * len(DECK))

    def with_unseen(self) -> Position:
        """With the cards that nobody sees: in the stock up to its 60, the others under the reserves' tops.

        How many lie where, no photo tells; this is the one way in which labels and readings write it.
        """
        filled = replace(self, stock=()).with_full_stock()
        under = [0] * len(self.reserves)
        for _ in range(2 * len(DECK) - len(filled.cards())):
            sizes = map(add, map(len, self.reserves), under)
            smallest, place = min(((size, i) for i, size in enumerate(sizes) if size), default=(rules.RESERVE_CARDS, 0))
            if smallest >= rules.RESERVE_CARDS:
                break
            under[place] += 1
        reserves = tuple((None,) * more + reserve for reserve, more in zip(self.reserves, under, strict=True))
        return replace(filled, reserves=reserves)

    def with_full_stock(self) -> Position:
        """With a stock of as many unknown cards as lie nowhere else, up to its 60 with the wastes.

        One in which a card is known stays as it is.

        >>> len(Position.parse("tableau: 4C | - | - | -; wastes: 5C |-|-|-| -; stock: 60").with_full_stock().stock)
        59
        """
        if any(self.stock):
            return self
        elsewhere = len(self.cards()) - len(self.stock)
        left = min(2 * len(DECK) - elsewhere, rules.STOCK - sum(map(len, self.wastes)))
        return replace(self, stock=(None,) * max(0, left))

    # Moves

    @property
    def is_won(self) -> bool:
        """Whether all four foundations are complete."""
        return self.foundations == (FULL, FULL, FULL, FULL)

    def refusal(self, move: Move) -> str | None:
        """Why the rules do not allow `move` here; None if they do."""
        if move.source == ALL_WASTES:
            return self._redeal_refusal()
        if move.source == STOCK_PLACE:
            return self._turn_refusal(move)
        if move.source == FOUNDATION:
            return "cards never leave a foundation"
        for place in (move.source, move.target):
            if place not in PLACES:
                return f"there is no pile {LETTERS.text(place)}"
        if move.source == move.target:
            return "a card cannot move onto its own pile"
        return self._pile_refusal(move, self._pile(move.source))

    def _pile_refusal(self, move: Move, pile: MaybeCards | None) -> str | None:
        if pile is None:
            return f"{LETTERS.text(move.source)} has been taken away at a redeal"
        if not pile:
            return f"{LETTERS.text(move.source)} is empty"
        if move.whole:
            return self._whole_refusal(move, pile[0])
        card = pile[-1]
        if card is None:
            return f"the top card of {LETTERS.text(move.source)} is not known"
        return self._card_refusal(move, card)

    def _card_refusal(self, move: Move, card: Card) -> str | None:
        source, target = move.source, move.target
        if target == FOUNDATION:
            return self._foundation_refusal(card)
        if source == CENTRE:
            return "the centre's cards go to the foundations only"
        if target == CENTRE and not self.centre:
            return None if card.rank is Rank.ACE else f"the centre begins with an ace, not with {card}"
        if target.kind not in ("centre", "tableau"):
            return f"no card from {LETTERS.text(source)} may go to {LETTERS.text(target)}"
        onto: Cards = pile_at(self, target)
        return None if not onto or follows(card, onto[-1]) else f"{card} cannot lie on {onto[-1]}"

    def _foundation_refusal(self, card: Card) -> str | None:
        count = self.foundations[card.suit]
        if count >= FULL:
            return f"the foundation of {card.suit.name.lower()} is complete"
        wanted = next_down(count)
        return None if card.rank == wanted else f"the foundation takes {wanted}{card.suit} next, not {card}"

    def _redeal_refusal(self) -> str | None:
        if self.stock:
            return "the stock is not used up"
        if not self.redeals:
            return "no redeal is left"
        return None if any(self.wastes) else "the wastes are empty"

    def _turn_refusal(self, move: Move) -> str | None:
        # Ruling: the stock may be turned while other plays exist.
        if not self.stock:
            return "the stock is empty"
        if move.target not in WASTE_PLACES or move.whole:
            return "a card of the stock is turned onto a waste"
        return None if self._pile(move.target) is not None else f"there are only {len(self.wastes)} wastes"

    def _whole_refusal(self, move: Move, bottom: MaybeCard) -> str | None:
        if move.source.kind != "tableau" or move.target != CENTRE:
            return "only a tableau pile moves as a whole, and only to the centre"
        # Ruling: onto an empty centre single cards only, even where the pile begins with an ace.
        if not self.centre:
            return "a whole pile needs a card in the centre"
        if bottom is None or not follows(bottom, self.centre[-1]):
            return f"{card_text(bottom)} cannot lie on {self.centre[-1]}"
        return None

    def play(self, move: Move) -> Position:
        """The position after `move`.

        Raises:
            IllegalMoveError: With the reason.

        >>> random_deal(1).play(Move.parse("S>W2")).wastes[1] == random_deal(1).stock[:1]
        True
        """
        check_move(move, Move)
        reason = self.refusal(move)
        if reason is not None:
            raise IllegalMoveError(move, reason)
        if move.source == ALL_WASTES:
            # Ruling: gathered from waste 1 on, each pile's bottom card is dealt first, nothing is shuffled.
            gathered = tuple(chain.from_iterable(self.wastes))
            return replace(self, wastes=((),) * self.redeals, stock=gathered, redeals=self.redeals - 1)
        pile: MaybeCards = pile_at(self, move.source)
        if move.source == STOCK_PLACE:
            return with_piles(self, {STOCK_PLACE: pile[1:], move.target: (*pile_at(self, move.target), pile[0])})
        size, card = len(pile) if move.whole else 1, pile[-1]
        if move.target == FOUNDATION and card is not None:
            foundation = Place("foundation", card.suit)
            return with_piles(self, {move.source: pile[:-1], foundation: self.foundations[card.suit] + 1})
        laid = (*pile_at(self, move.target), *pile[-size:])
        return with_piles(self, {move.source: pile[:-size], move.target: laid})

    def turned_up(self, move: Move) -> tuple[str, ...]:
        """Paths in the JSON object of the hidden cards that `move`, if it is legal, turns up."""
        if move.source == STOCK_PLACE:
            return ("stock/0",) if self.stock[:1] == (None,) else ()
        pile = () if move.whole or move.source == ALL_WASTES else self._pile(move.source) or ()
        return (f"{move.source.path}/{len(pile) - 2}",) if pile[-2:-1] == (None,) else ()

    def moves(self) -> tuple[Move, ...]:
        """Every legal move."""
        return tuple(move for move in _ALL_MOVES if self.refusal(move) is None)

    def _pile(self, place: Place) -> MaybeCards | None:
        """The pile that a card may leave or come to; None where there is no such pile any more."""
        held: Any = getattr(self, place.field)
        pile: MaybeCards | None = held
        if place.number is not None:
            pile = held[place.number] if place.number < len(held) else None
        return pile


def _piled(suit: Suit, count: int) -> Cards:
    """The first so many cards of a suit's foundation."""
    return tuple(Card(suit, next_down(place)) for place in range(count))


def random_deal(seed: int, *, number: int = 0) -> Position:
    """Deal `number` of the series that `seed` names, every card known.

    >>> random_deal(1).problems()
    ()
    >>> len(random_deal(1).stock)
    60
    """
    check_whole_number("seed", seed, 0)
    check_whole_number("number", number, 0)
    return Position.from_deck(shuffled(seed, number))


def _all_moves() -> Iterator[Move]:
    """Every move that some position allows, plays to a foundation first."""
    sources = (*TABLEAU_PLACES, *RESERVE_PLACES, *WASTE_PLACES)
    yield from starmap(Move, product((CENTRE, *sources), (FOUNDATION,)))
    yield from starmap(Move, product(sources, (CENTRE,)))
    yield from starmap(Move, product(TABLEAU_PLACES, (CENTRE,), (True,)))
    yield from (Move(source, target) for source, target in product(sources, TABLEAU_PLACES) if source != target)
    yield from starmap(Move, product((STOCK_PLACE,), WASTE_PLACES))
    yield REDEAL


_ALL_MOVES: Final = tuple(_all_moves())
