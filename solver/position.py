"""What every position offers, and what is wrong with one that is not legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, Self, TypeVar, runtime_checkable

from plumbing.errors import IllegalMoveError, PositionError, kind_of
from solver.cards import Card, MaybeCard
from solver.place import Place

MoveT = TypeVar("MoveT")
PileT = TypeVar("PileT")
PositionT = TypeVar("PositionT")


class Fault(str):
    """A fault of a position: a sentence, and the places and cards that it is about.

    Attributes:
        places: Where it lies; empty for anywhere.
        cards: The cards that it is about; empty for all that lie at `places`.
        unfinished: Whether it may only be that further cards are still to be laid.
        unnamed: Whether it is only that nobody has said which card lies there.

    >>> from solver.cards import parse_card
    >>> fault = Fault("7C stands 3 times; two decks hold 2", cards=[parse_card("7C")])
    >>> fault == "7C stands 3 times; two decks hold 2", fault.cards
    (True, (Card('7C'),))
    """

    places: tuple[Place, ...]
    cards: tuple[Card, ...]
    unfinished: bool
    unnamed: bool

    def __new__(
        cls,
        text: str,
        *,
        places: Iterable[Place] = (),
        cards: Iterable[MaybeCard] = (),
        unfinished: bool = False,
        unnamed: bool = False,
    ) -> Self:
        """The sentence, and what it speaks of."""
        fault = super().__new__(cls, text)
        fault.places = tuple(places)
        fault.cards = tuple(card for card in cards if card is not None)
        fault.unfinished = unfinished
        fault.unnamed = unnamed
        return fault


@runtime_checkable
class Position(Protocol[MoveT]):
    """A position of any game: frozen, hashable, equal by value.

    `parse(str(p)) == p` and `from_json(p.to_json()) == p` hold for each one, legal or not; `problems` judges.
    """

    game: ClassVar[str]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation. Raises NotationError."""
        ...

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the position's JSON object. Raises NotationError or PositionError."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The position's JSON object."""
        ...

    def problems(self) -> tuple[str, ...]:
        """Every fault at once, each a `Fault` where it has a place; empty for a legal position."""
        ...

    def cards(self) -> tuple[MaybeCard, ...]:
        """All cards on the table and in the hand, None for unknown ones."""
        ...

    def moves(self) -> Sequence[MoveT]:
        """The legal moves, each once; in Makiaveli, where a move is a whole turn, only those that change one meld."""
        ...

    def play(self, move: MoveT) -> Self:
        """The position after `move`. Raises IllegalMoveError; never searches."""
        ...

    def turned_up(self, move: MoveT) -> tuple[str, ...]:
        """Paths in the position's JSON object of the hidden cards that `move`, if it is legal, turns up."""
        ...

    @property
    def is_known(self) -> bool:
        """Whether no card that matters is hidden, so that the answer can be exact."""
        ...

    @property
    def is_won(self) -> bool:
        """Whether the game is won in this position."""
        ...


def say_where(places: Iterable[str]) -> str:
    """Where something lies, for a sentence; a place may be named more than once.

    >>> say_where(["the waste", "column 1", "the waste"])
    'in the waste (2 times) and in column 1'
    """
    often = Counter(places).items()
    return " and ".join(f"in {place}{f' ({count} times)' if count > 1 else ''}" for place, count in often)


def check(position: Position[Any]) -> None:
    """Raises PositionError with every fault if the position is not legal."""
    problems = position.problems()
    if problems:
        raise PositionError(position.game, problems)


def check_move(move: object, kind: type) -> None:
    """Raises IllegalMoveError for what is no move of the game at all, such as a move's text."""
    if not isinstance(move, kind):
        name = kind.__name__
        raise IllegalMoveError(move, f"{kind_of(move)} is no {name} of this game; {name}.parse reads one from text")


def pile_at(position: Any, place: Place) -> Any:
    """The cards that a position holds at a place: a pile, or all piles of its kind where it has no number."""
    held = getattr(position, place.field)
    return held if place.number is None else held[place.number]


def with_piles(position: PositionT, piles: Mapping[Place, Any]) -> PositionT:
    """A position (a dataclass) with other cards at some places."""
    held: dict[str, Any] = {}
    for place, pile in piles.items():
        field = place.field
        before = held[field] if field in held else getattr(position, field)
        held[field] = pile if place.number is None else replaced(before, place.number, pile)
    dataclass: Any = position
    changed: PositionT = replace(dataclass, **held)
    return changed


def replaced(piles: tuple[PileT, ...], place: int, pile: PileT) -> tuple[PileT, ...]:
    """The piles with another one at a place, counted from 0.

    >>> replaced(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*piles[:place], pile, *piles[place + 1 :])
