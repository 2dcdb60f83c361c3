"""A Klondike position: its notation, its faults, and what a move makes of it.

    klondike draw: 3; redeals: unlimited; moves: run; worrying_back: yes; columns: ?? ?? [9C 8H] | - | [KS] | ...;
    foundations: C0 D2 H0 S1; stock: ?? ??; waste: 4D 8S

(on one line). Columns run from bottom to top with the face-up part in brackets and `-` for an empty column; where a
column has no brackets its last card is face up, as in a fresh deal. The first card of the stock is turned first; the
last card of the waste is the one that may be played.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar, Final, Self

from plumbing.errors import IllegalMoveError, check_whole_number
from solver.cards import DECK, Card, MaybeCard, Rank, Suit, card_text, cards_text
from solver.klondike.house_rules import ONE_CARD, ColumnMoves, KlondikeRules
from solver.klondike.move import DRAW, FOUNDATION, STOCK, WASTE, Move
from solver.notation import (
    EMPTY,
    PILE,
    Entry,
    Field,
    Kind,
    Notation,
    cards_from_json,
    check_game,
    count_from_json,
    foundations,
    json_error,
    parse_count,
    several,
)
from solver.notebook_drawing import Drawn
from solver.place import Place
from solver.position import Fault, check_move, replaced, say_where

COLUMNS: Final = 7
COLUMN_PLACES: Final = tuple(Place("column", number) for number in range(COLUMNS))
FOUNDATION_PLACES: Final = tuple(Place("foundation", suit) for suit in Suit)
MAX_STOCK: Final = 24
"""28 of the 52 cards are dealt to the columns, and no card ever returns to stock or waste."""
MAX_DOWN: Final = 21
"""The seven columns are dealt with 0 to 6 face-down cards; none is ever turned down again."""

_COLUMN: Final = re.compile(r"([^\[\]]*)(?:\[([^\[\]]*)\])?")


def fits(card: Card, parent: Card) -> bool:
    """Whether `card` may lie on `parent` in a column: one rank lower, the other colour."""
    return card.rank + 1 == parent.rank and card.is_red != parent.is_red


@dataclass(frozen=True, slots=True)
class Column:
    """A column, bottom to top.

    Attributes:
        down: Face-down cards; None for one whose identity is not known.
        up: Face-up cards.
    """

    down: tuple[MaybeCard, ...] = ()
    up: tuple[MaybeCard, ...] = ()

    def __str__(self) -> str:
        if not self.down and not self.up:
            return EMPTY
        up = f"[{cards_text(self.up)}]"
        return f"{cards_text(self.down)} {up}" if self.down else up

    def without(self, count: int) -> Column:
        """The column after its last `count` cards have left; a card uncovered turns face up at once."""
        up = self.up[: len(self.up) - count]
        if not up and self.down:
            return Column(self.down[:-1], self.down[-1:])
        return Column(self.down, up)

    @classmethod
    def parse(cls, part: Field) -> Column:
        """Reads a column of the one-line notation; without brackets its last card is face up.

        Raises:
            NotationError: At the first place that cannot be read.

        >>> print(Column.parse(Field("?? 9C 8H")))
        ?? 9C [8H]
        """
        if part.value == EMPTY:
            return cls()
        match = _COLUMN.fullmatch(part.value)
        if match is None:
            raise part.error(f"{part.value!r} is no column", "face-down cards, then the face-up ones in brackets")
        down = part.part(*match.span(1)).cards()
        if match.group(2) is None:
            return cls(down[:-1], down[-1:])
        return cls(down, part.part(*match.span(2)).cards())

    @classmethod
    def from_json(cls, data: object, place: str) -> Column:
        """Reads `{"down": [...], "up": [...]}`; of a plain list the last card is face up. Raises NotationError."""
        if isinstance(data, Mapping):
            unknown = set(data) - {"down", "up"}
            if unknown:
                problem = f"{place} has the key {min(map(str, unknown))!r}"
                raise json_error(data, problem, "'down' and 'up'")
            down, up = (cards_from_json(data.get(part) or [], place) for part in ("down", "up"))
            return cls(down, up)
        cards = cards_from_json(data, place)
        return cls(cards[:-1], cards[-1:])

    def to_json(self) -> dict[str, list[str]]:
        """The column's JSON object."""
        return {"down": [card_text(card) for card in self.down], "up": [card_text(card) for card in self.up]}

    def faults(self, number: int) -> Iterator[Fault]:
        """What breaks the rules in the column, which is that of a number counted from 0."""
        name, places = f"column {number + 1}", [Place("column", number)]
        if self.down and not self.up:
            yield Fault(f"the last card of {name} lies face down; turn it over", places=places, unfinished=True)
        for upper, lower in zip(self.up, self.up[1:], strict=False):
            if upper is not None and lower is not None and not fits(lower, upper):
                text = f"{name}: {lower} does not go on {upper}"
                yield Fault(text, places=places, cards=[upper, lower])
        if None in self.up:
            yield Fault(f"{name} shows a face-up card that is not named", places=places, unnamed=True)


NO_COLUMNS: Final = (Column(),) * COLUMNS
_COLUMNS: Final = several(Kind(Column.parse, str, Column.from_json, Column.to_json))
_NOTATION: Final = Notation(
    "klondike",
    (
        Entry("columns", replace(_COLUMNS, parse=lambda field: _COLUMNS.parse(field) or NO_COLUMNS)),
        Entry("foundations", foundations(), maybe_null=True),
        Entry("stock", PILE, maybe_null=True),
        Entry("waste", PILE, maybe_null=True),
    ),
    rules=("draw", "redeals", "moves", "worrying_back", "redealt"),
)


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """A Klondike position: what lies where, and by which rules it is played.

    Attributes:
        columns: Seven columns.
        foundations: Cards on the foundation of each suit, in the order C, D, H, S; 0 to 13.
        stock: Face-down cards; the first is turned first.
        waste: Turned cards, bottom to top; the last one may be played.
        rules: The rule parameters.
        redealt: How often the waste has been turned over so far.

    >>> position = Position.parse("klondike columns: ?? [KS] | [QH] | - | - | - | - | -; foundations: C13 D13 H11 S11")
    >>> str(position.play(Move.parse("T2>T1")).columns[0])
    '?? [KS QH]'
    >>> Position.parse(str(position)) == Position.from_json(position.to_json()) == position
    True
    """

    game: ClassVar[str] = "klondike"
    columns: tuple[Column, ...] = NO_COLUMNS
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0)
    stock: tuple[MaybeCard, ...] = ()
    waste: tuple[MaybeCard, ...] = ()
    rules: KlondikeRules = field(default=ONE_CARD)
    redealt: int = 0

    # -- notation ----------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation. Raises NotationError or RulesError."""
        fields = _NOTATION.split(text)
        rules = KlondikeRules.from_fields(fields)
        piles = _NOTATION.parse(fields)
        return cls(**piles, rules=rules, redealt=parse_count(fields["redealt"]) if "redealt" in fields else 0)

    def __str__(self) -> str:
        redealt = [f"redealt: {self.redealt}"] if self.redealt else []
        return f"{self.game} " + "; ".join([str(self.rules), *redealt, *_NOTATION.texts(self)]).rstrip()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the position's JSON object. Raises NotationError or RulesError.

        A column given as a plain list is freshly dealt: its last card is face up.
        """
        check_game(data, cls.game)
        rules = KlondikeRules.from_json(data.get("rules") or {})
        piles = _NOTATION.from_json(data)
        return cls(**piles, rules=rules, redealt=count_from_json(data.get("redealt", 0), "redealt"))

    def to_json(self) -> dict[str, Any]:
        """The position's JSON object."""
        body = {"game": self.game, "rules": self.rules.to_json()} | _NOTATION.to_json(self)
        return body | ({"redealt": self.redealt} if self.redealt else {})

    # -- what lies on the table ----------------------------------------------------------------------------------

    def cards(self) -> tuple[MaybeCard, ...]:
        """All 52 cards, those of the foundations included; None for unknown ones."""
        piles: list[MaybeCard] = []
        for suit, height in zip(Suit, self.foundations, strict=True):
            piles += DECK[13 * suit : 13 * suit + min(max(height, 0), 13)]
        for column in self.columns:
            piles += [*column.down, *column.up]
        return (*piles, *self.stock, *self.waste)

    def unseen(self) -> tuple[Card, ...]:
        """The cards that the unknown places hold between them, in the deck's order."""
        seen = set(self.cards())
        return tuple(card for card in DECK if card not in seen)

    def renamed(self, names: Mapping[Card, MaybeCard]) -> Position:
        """The table on which some cards of columns, stock and waste are others; None for one that nobody knows.

        >>> from solver.cards import parse_card
        >>> table = Position.parse("columns: 2C [KS] | - | - | - | - | - | -; foundations: C1; stock: 9H")
        >>> two, nine = map(parse_card, ("2C", "9H"))
        >>> str(table.renamed({two: nine, nine: None}).columns[0]), table.renamed({nine: None}).stock
        ('9H [KS]', (None,))
        """

        def rename(pile: tuple[MaybeCard, ...]) -> tuple[MaybeCard, ...]:
            return tuple(card if card is None else names.get(card, card) for card in pile)

        columns = tuple(Column(rename(column.down), rename(column.up)) for column in self.columns)
        return replace(self, columns=columns, stock=rename(self.stock), waste=rename(self.waste))

    @property
    def is_known(self) -> bool:
        """Whether every card is known."""
        return None not in self.cards()

    @property
    def is_won(self) -> bool:
        """Whether all cards are on the foundations."""
        return self.foundations == (13, 13, 13, 13)

    def with_rules(self, rules: KlondikeRules) -> Position:
        """The same cards under other rules."""
        return replace(self, rules=rules)

    def problems(self) -> tuple[str, ...]:
        """Every fault at once, one sentence each; empty for a legal position."""
        return (*self._pile_problems(), *self._card_problems(), *self._dealing_problems())

    def _pile_problems(self) -> Iterator[str]:
        if len(self.columns) != COLUMNS:
            yield f"there are {len(self.columns)} columns instead of {COLUMNS}"
        for suit, height in zip(Suit, self.foundations, strict=True):
            if not 0 <= height <= 13:
                text = f"foundation {suit} holds {height} cards instead of 0 to 13"
                yield Fault(text, places=[Place("foundation", suit)])
        for number, column in enumerate(self.columns):
            yield from column.faults(number)

    def _card_problems(self) -> Iterator[str]:
        cards = self.cards()
        often = {card: count for card, count in Counter(cards).items() if card is not None and count > 1}
        below = [card for card in sorted(often) if card.rank < self.foundations[card.suit] <= 13]
        for suit in sorted({card.suit for card in below}):  # only the top is seen, and may be what is wrong
            top, doubled = Card(suit, Rank(self.foundations[suit])), [card for card in below if card.suit is suit]
            names = ", ".join(map(str, doubled))
            text = (
                f"{names} cannot lie under {top} and elsewhere; {top} on its foundation means that A to {top} lie there"
            )
            yield Fault(text, cards=[top, *doubled])
        for card, count in often.items():
            if card not in below:
                places = say_where(self._places_of(card))
                yield Fault(f"{card} stands {count} times; a deck has one, and it lies {places}", cards=[card])
        if len(cards) > len(DECK):
            yield f"there are {len(cards)} cards in all instead of {len(DECK)}"
        elif len(cards) < len(DECK):
            few = len(DECK) - len(cards)
            missing = f"{few} {'card is' if few == 1 else 'cards are'} missing"
            text = f"{missing}: there are {len(cards)} instead of {len(DECK)}"
            if len(self.stock) + len(self.waste) == MAX_STOCK:
                text += f"; stock and waste hold {MAX_STOCK} already, so look at the columns and foundations"
            elif not self.stock and few + len(self.waste) <= MAX_STOCK:
                text += "; in a line of text the stock's cards are written ??, one for each"
            yield Fault(text, unfinished=True)

    def _places_of(self, card: Card) -> Iterator[str]:
        """Where a card lies, once for each time."""
        if card.rank <= self.foundations[card.suit]:
            yield f"foundation {card.suit}"
        columns = ((f"column {n}", (*column.down, *column.up)) for n, column in enumerate(self.columns, 1))
        for name, pile in (*columns, ("the stock", self.stock), ("the waste", self.waste)):
            yield from [name] * pile.count(card)

    def _dealing_problems(self) -> Iterator[str]:
        """Faults of numbers that no deal and no redeal leads to."""
        turning, down = len(self.stock) + len(self.waste), sum(len(column.down) for column in self.columns)
        if turning > MAX_STOCK:
            # With a card too many in all, those of columns and foundations may be whole.
            few = min(turning - MAX_STOCK, len(DECK) - MAX_STOCK - (len(self.cards()) - turning))
            missing = f"{few} {'card is' if few == 1 else 'cards are'} missing in columns and foundations; "
            yield f"{missing if few > 0 else ''}stock and waste hold {turning}, at most {MAX_STOCK} can"
        if down > MAX_DOWN:
            yield f"{down} cards lie face down in the columns; at most {MAX_DOWN} can"
        if self.redealt < 0 or (self.rules.redeals is not None and self.redealt > self.rules.redeals):
            yield f"the waste was turned over {self.redealt} times; the rules allow {self.rules.redeals}"

    # -- play ------------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> Position:
        """The position after `move`. Raises IllegalMoveError."""
        check_move(move, Move)
        match move.source.kind, move.target.kind:
            case "stock", "waste":
                return self._draw(move)
            case "waste", "foundation":
                card = self._waste_top(move)
                return replace(self, foundations=self._raised(card, move), waste=self.waste[:-1])
            case "waste", "column":
                card = self._waste_top(move)
                return replace(self, columns=self._placed((card,), move), waste=self.waste[:-1])
            case "column", "foundation":
                source = move.source.ordinal
                cards = self._lifted(source, 1, move)
                foundations = self._raised(cards[-1], move)
                return replace(self, foundations=foundations, columns=_shortened(self.columns, source, 1))
            case "column", "column":
                return self._move_run(move)
            case "foundation", "column":
                return self._worry_back(move)
        raise IllegalMoveError(move, "there is no such move")

    def carried(self, move: Move) -> tuple[Card | None, ...]:
        """The cards that `move`, if it is legal, takes along; none where the stock is turned."""
        match move.source.kind:
            case "waste":
                return self.waste[-1:]
            case "column":
                return self.columns[move.source.ordinal].up[-move.count :]
            case "foundation":
                suit = Suit(move.source.ordinal)
                return (Card(suit, Rank(self.foundations[suit])),)
        return ()

    def done_before(self, move: Move) -> str:
        """What is done at a table before `move` that its notation does not tell; "" where nothing is.

        >>> table = Position.parse("klondike columns: [KS] | - | - | - | - | - | -; stock:; waste: QS")
        >>> table.done_before(DRAW), table.done_before(Move.parse("W>F"))
        ('turn the waste over', '')
        """
        return "turn the waste over" if move == DRAW and not self.stock else ""

    def turned_up(self, move: Move) -> tuple[str, ...]:
        """Paths in the JSON object of the hidden cards that `move`, if it is legal, turns up.

        >>> Position.parse("klondike columns: ?? [KS] | - | - | - | - | - | -").turned_up(Move.parse("T1>T2"))
        ('columns/0/down/0',)
        """
        match move.source.kind:
            case "stock":
                pile, place = (self.stock, STOCK) if self.stock else (self.waste, WASTE)
                return tuple(f"{place.path}/{n}" for n, card in enumerate(pile[: self.rules.draw]) if card is None)
            case "waste":
                return (f"{WASTE.path}/{len(self.waste) - 2}",) if self.waste[-2:-1] == (None,) else ()
            case "column":
                column = _column(self.columns, move.source.ordinal, move)
                bared = move.count >= len(column.up) and column.down[-1:] == (None,)
                return (f"{move.source.path}/down/{len(column.down) - 1}",) if bared else ()
        return ()

    def moves(self) -> tuple[Move, ...]:
        """Every legal move."""
        tries = [DRAW, Move(WASTE, FOUNDATION)]
        tries += [Move(source, FOUNDATION) for source in COLUMN_PLACES]
        for target in COLUMN_PLACES:
            tries.append(Move(WASTE, target))
            tries += [Move(source, target) for source in FOUNDATION_PLACES]
            for source, column in zip(COLUMN_PLACES, self.columns, strict=False):
                tries += [Move(source, target, length) for length in range(1, len(column.up) + 1)]
        return tuple(move for move in tries if self._allows(move))

    def _allows(self, move: Move) -> bool:
        try:
            self.play(move)
        except IllegalMoveError:
            return False
        return True

    def _draw(self, move: Move) -> Position:
        stock, waste, redealt = self.stock, self.waste, self.redealt
        if not stock:
            if not waste:
                raise IllegalMoveError(move, "stock and waste are both empty")
            if self.rules.redeals is not None and redealt >= self.rules.redeals:
                raise IllegalMoveError(move, f"the stock is empty and all {self.rules.redeals} redeals are used up")
            stock, waste, redealt = waste, (), redealt + 1
        turned = stock[: self.rules.draw]
        kept = redealt if self.rules.redeals is not None else 0  # without a limit nobody counts
        return replace(self, stock=stock[len(turned) :], waste=waste + turned, redealt=kept)

    def _waste_top(self, move: Move) -> Card:
        if not self.waste:
            raise IllegalMoveError(move, "the waste is empty")
        return _known(self.waste[-1], move)

    def _lifted(self, source: int, count: int, move: Move) -> tuple[Card, ...]:
        up = _column(self.columns, source, move).up
        if not up:
            raise IllegalMoveError(move, f"column {source + 1} is empty")
        if not 1 <= count <= len(up):
            raise IllegalMoveError(move, f"column {source + 1} shows {len(up)} cards, not {count}")
        return tuple(_known(card, move) for card in up[len(up) - count :])

    def _raised(self, card: Card, move: Move) -> tuple[int, int, int, int]:
        height = self.foundations[card.suit]
        if card.rank != height + 1:
            wanted = f"the {Card(card.suit, Rank(height + 1))}" if 0 <= height < 13 else "nothing more"
            raise IllegalMoveError(move, f"{card} does not go up: its foundation takes {wanted}")
        return _with_height(self.foundations, card.suit, height + 1)

    def _placed(self, cards: tuple[Card, ...], move: Move) -> tuple[Column, ...]:
        """The columns with `cards` on column `move.target`."""
        target = move.target.ordinal
        column, name = _column(self.columns, target, move), f"column {target + 1}"
        if not column.up:
            if cards[0].rank is not Rank.KING:
                raise IllegalMoveError(move, f"{cards[0]} cannot go to {name}: only a king goes to an empty column")
        else:
            top = _known(column.up[-1], move)
            if not fits(cards[0], top):
                raise IllegalMoveError(move, f"{cards[0]} does not go on {top}: {_taken_by(top)}")
        return replaced(self.columns, target, Column(column.down, column.up + cards))

    def _move_run(self, move: Move) -> Position:
        if move.source == move.target:
            raise IllegalMoveError(move, "a column cannot move onto itself")
        if self.rules.column_moves is ColumnMoves.ONE and move.count != 1:
            raise IllegalMoveError(move, "only the last card of a column moves by these rules")
        cards = self._lifted(move.source.ordinal, move.count, move)
        return replace(self, columns=_shortened(self._placed(cards, move), move.source.ordinal, move.count))

    def _worry_back(self, move: Move) -> Position:
        if not self.rules.worrying_back:
            raise IllegalMoveError(move, "no card comes back from a foundation by these rules")
        if move.source not in FOUNDATION_PLACES:
            raise IllegalMoveError(move, "there is no such foundation")
        height = self.foundations[move.source.ordinal]
        if not 0 < height <= 13:
            raise IllegalMoveError(move, "that foundation is empty" if height <= 0 else "that foundation is too full")
        card = Card(Suit(move.source.ordinal), Rank(height))
        columns = self._placed((card,), move)
        return replace(self, columns=columns, foundations=_with_height(self.foundations, card.suit, height - 1))


def deal(cards: Sequence[Card], rules: KlondikeRules = ONE_CARD) -> Position:
    """Deals a shuffled deck: the columns row by row from left to right, the rest is the stock.

    >>> str(deal(DECK).columns[1])
    '2C [8C]'
    """
    columns: list[list[Card]] = [[] for _ in range(COLUMNS)]
    queue = iter(cards)
    for first in range(COLUMNS):
        for column in columns[first:]:
            column.append(next(queue))
    return Position(tuple(Column(tuple(c[:-1]), tuple(c[-1:])) for c in columns), stock=tuple(queue), rules=rules)


def random_deal(seed: int | Random, rules: KlondikeRules = ONE_CARD) -> Position:
    """A random deal; the same seed gives the same deal again. Raises RulesError for a seed below 0."""
    if not isinstance(seed, Random):
        check_whole_number("seed", seed, 0)  # of -1 Python would make the generator of 1
        seed = Random(seed)
    cards = list(DECK)
    seed.shuffle(cards)
    return deal(cards, rules)


def _taken_by(top: Card) -> str:
    """Which cards go on a card of a column."""
    if top.rank is Rank.ACE:
        return "nothing goes on an ace"
    return f"only a {'black' if top.suit.is_red else 'red'} {Rank(top.rank - 1).name.lower()} does"


def _known(card: MaybeCard, move: Move) -> Card:
    if card is None:
        raise IllegalMoveError(move, "the identity of a card it touches is not known")
    return card


def _column(columns: tuple[Column, ...], place: int, move: Move) -> Column:
    if not 0 <= place < len(columns):
        raise IllegalMoveError(move, f"there is no column {place + 1}")
    return columns[place]


def _shortened(columns: tuple[Column, ...], place: int, count: int) -> tuple[Column, ...]:
    return replaced(columns, place, columns[place].without(count))


def _with_height(foundations: tuple[int, int, int, int], suit: int, height: int) -> tuple[int, int, int, int]:
    c, d, h, s = (height if place == suit else old for place, old in enumerate(foundations))
    return c, d, h, s
