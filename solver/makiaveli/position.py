"""A Makiaveli table at the start of a turn, and a whole turn as the move that leads to the next one.

>>> table = Position.parse("floor: 7C 7D 7H; cross: 2S; hand: 3S 4S 5S")
>>> print(table)
makiaveli floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S
>>> table.play(Turn.parse("melds: 7C 7D 7H | 2S 3S 4S 5S")).is_won
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress, product
from operator import attrgetter, not_
from random import Random
from typing import Any, ClassVar, Final, Self

from plumbing.errors import IllegalMoveError, check_whole_number
from solver.cards import Card, MaybeCard, cards_text, deck
from solver.makiaveli.melds import MIN_MELD, all_melds, in_order, is_meld, meld_problem
from solver.notation import (
    EMPTY,
    KNOWN_PILE,
    Entry,
    Field,
    Kind,
    Notation,
    check_game,
    json_error,
    known_cards_from_json,
    piles_from_json,
    several,
)
from solver.notebook_drawing import Drawn
from solver.place import Place
from solver.position import Fault, check_move, replaced

_INDEX = attrgetter("index")

COPIES: Final = 2
"""Two decks: no card stands on the table more than twice."""

CROSS_PLACES: Final = ("above", "right of", "below", "left of")
"""The four places around the deck, in the order in which they are written."""

HAND: Final = 5
"""Cards dealt to each player."""

Meld = tuple[Card, ...]
Cross = tuple[MaybeCard, ...]


def cross_text(cross: Cross) -> str:
    """A cross as written, `-` for an empty place."""
    return " ".join(EMPTY if card is None else str(card) for card in cross)


def _read_cross(field: Field) -> Cross:
    cross: list[MaybeCard] = []
    for place, part in enumerate(field.split(EMPTY)):
        cross += [None] if place else []
        cross += part.known_cards()
    return tuple(cross)


def _cross_from_json(data: object, name: str) -> Cross:
    places = piles_from_json(data, name, lambda card, _: [] if card is None else [card])
    return tuple(next(iter(known_cards_from_json(card, name)), None) for card in places)


_MELDS: Final = several(KNOWN_PILE)
_CROSS: Final = Kind(
    _read_cross,
    cross_text,
    _cross_from_json,
    lambda cross: [None if card is None else str(card) for card in cross],
)
_CROSS_AND_HAND: Final = (Entry("cross", _CROSS), Entry("hand", KNOWN_PILE))
_NOTATION: Final = Notation("makiaveli", (Entry("floor", _MELDS), *_CROSS_AND_HAND), rules=("rules",))
_TURN: Final = Notation("turn", (Entry("melds", _MELDS), *_CROSS_AND_HAND))


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: the table it leaves behind. Cards of the hand that are not named as kept were played.

    Attributes:
        melds: All melds on the floor at the end of the turn.
        cross: The cross at the end of the turn, None for an empty place.
        hand: The cards that stay in the hand.
    """

    melds: tuple[Meld, ...]
    cross: Cross = (None, None, None, None)
    hand: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "melds", _without_empty(self.melds))
        object.__setattr__(self, "cross", _four_places(self.cross))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `melds: 7C 7D 7H | 2S 3S 4S; cross: - - - -; hand: 9C`; fields may be left out.

        Raises:
            NotationError: Where the text cannot be read.
        """
        return cls(**{"melds": ()} | _TURN.parse(_TURN.split(text)))

    def __str__(self) -> str:
        return "; ".join(_TURN.texts(self)).rstrip()

    def to_json(self) -> dict[str, Any]:
        """The `final` object of a result's JSON; `hand` holds what stays in the hand."""
        return _TURN.to_json(self)


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """The table and one player's hand.

    Attributes:
        floor: The melds on the table.
        cross: The single cards above, right of, below and left of the deck, None for an empty place.
        hand: The player's cards.
        strict_cross: The house rule that every meld made with a cross card holds a hand card too.
        repair: Accept floor groups that are no melds; their cards lie loose and have to end up in melds.
    """

    game: ClassVar[str] = "makiaveli"

    floor: tuple[Meld, ...] = ()
    cross: Cross = (None, None, None, None)
    hand: tuple[Card, ...] = ()
    strict_cross: bool = field(default=False, kw_only=True)
    repair: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "floor", _without_empty(self.floor))
        object.__setattr__(self, "cross", _four_places(self.cross))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation; fields may be left out.

        Raises:
            NotationError: Where the text cannot be read.
        """
        fields = _NOTATION.split(text)
        return cls(**_NOTATION.parse(fields) | _read_rules(fields["rules"]))

    def __str__(self) -> str:
        rules = [f"rules: {' '.join(self._rule_names())}"] if self._rule_names() else []
        return f"{self.game} " + "; ".join(map(str.rstrip, rules + _NOTATION.texts(self)))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the position's JSON object; the cross may be shorter than four, and empty floors and hands left out.

        Raises:
            NotationError: Where a card cannot be read or a key holds something else than its cards.
        """
        check_game(data, cls.game)
        _refuse_misspelt_keys(data)
        return cls(**_NOTATION.from_json(data) | _rules_from_json(data.get("rules", {})))

    def to_json(self) -> dict[str, Any]:
        """The position's JSON object."""
        rules = {"rules": dict.fromkeys(self._rule_names(), True)} if self._rule_names() else {}
        return {"game": self.game} | rules | _NOTATION.to_json(self)

    def problems(self) -> tuple[str, ...]:
        """Every fault at once: melds that are none with the reason, cards too often, too many cross cards."""
        melds = () if self.repair else self._meld_problems()
        return (*melds, *self._cross_problems(), *self._count_problems())

    def _meld_problems(self) -> Iterator[str]:
        for place, meld in enumerate(self.floor, start=1):
            reason = meld_problem(meld)
            if reason:
                text = f"floor meld {place} ({cards_text(meld)}) is no meld: {reason}"
                yield Fault(text, places=[Place("floor", place - 1)], unfinished=len(meld) < MIN_MELD)

    def _cross_problems(self) -> Iterator[str]:
        if len(self.cross) > len(CROSS_PLACES):
            shown = cross_text(self.cross)
            yield f"{len(self.cross)} cross cards ({shown}); there are {len(CROSS_PLACES)} places around the deck"

    def _count_problems(self) -> Iterator[str]:
        counts = Counter(self.cards())
        for card in sorted(card for card, count in counts.items() if count > COPIES):
            places = ", ".join(self._places_of(card))
            yield Fault(f"{card} stands {counts[card]} times ({places}); two decks hold {COPIES}", cards=[card])

    def _rule_names(self) -> list[str]:
        return [name for name in RULES if getattr(self, name)]

    def cards(self) -> tuple[Card, ...]:
        """All cards on the floor, in the cross and in the hand."""
        return (*chain.from_iterable(self.floor), *(card for card in self.cross if card is not None), *self.hand)

    @property
    def is_known(self) -> bool:
        """Always: a turn needs no card that the player does not see."""
        return True

    @property
    def is_won(self) -> bool:
        """Whether the hand is empty; a player who starts the turn without cards has already won."""
        return not self.hand

    def moves(self) -> tuple[Turn, ...]:
        """The turns that leave all other melds as they lie: a new meld, or one hand card to a meld of the floor.

        Whole tables are too many to list; `solve` finds the best of those.

        >>> for turn in Position.parse("floor: 7C 7D 7H; cross: 2S; hand: 7S 3S 4S").moves(): print(turn)
        melds: 7C 7D 7H 7S; cross: 2S - - -; hand: 3S 4S
        melds: 7C 7D 7H | 2S 3S 4S; cross: - - - -; hand: 7S
        """
        found = dict.fromkeys((*self._extensions(), *self._new_melds()))  # each once, in this order
        return tuple(turn for turn in found if all(map(is_meld, turn.melds)))  # under `repair` some may be none

    def _extensions(self) -> Iterator[Turn]:
        """The turns that add one hand card to a meld of the floor."""
        for (place, meld), card in product(enumerate(self.floor), dict.fromkeys(self.hand)):
            if is_meld((*meld, card)):
                yield self._turn(replaced(self.floor, place, in_order((*meld, card))), (card,), ())

    def _new_melds(self) -> Iterator[Turn]:
        hand, cross = set(self.hand), set(self.cross)
        for meld in all_melds():
            if set(meld) <= hand | cross:
                for sources in product(*(_sources(card, hand, cross) for card in meld)):
                    played, joined = compress(meld, sources), compress(meld, map(not_, sources))
                    if any(sources):
                        yield self._turn((*self.floor, meld), played, joined)

    def _turn(self, melds: tuple[Meld, ...], played: Iterable[Card], joined: Iterable[Card]) -> Turn:
        """The turn that leaves `melds`, played from the hand and joined by cards of the cross."""
        hand, cross = list(self.hand), list(self.cross)
        for card in played:
            hand.remove(card)
        for card in joined:
            cross[cross.index(card)] = None
        return Turn(melds, tuple(cross), tuple(hand))

    def turned_up(self, move: Turn) -> tuple[str, ...]:
        """Nothing: all cards of a table lie open."""
        return ()

    def play(self, move: Turn) -> Self:
        """The table after a whole turn.

        Raises:
            IllegalMoveError: For a turn that plays no card, takes floor cards into the hand, moves a cross card
                elsewhere than into a meld, loses or invents cards, or leaves a meld that is none.
        """
        check_move(move, Turn)
        refusal = next(self._refusals(move), None)
        if refusal is not None:
            raise IllegalMoveError(move, refusal)
        return replace(self, floor=move.melds, cross=move.cross, hand=move.hand)

    def joined(self, turn: Turn) -> list[Card]:
        """The cross cards that end in a meld."""
        return [b for b, a in zip(self.cross, turn.cross, strict=True) if b is not None and a is None]

    def played(self, turn: Turn) -> list[Card]:
        """The hand cards that are played."""
        return list((Counter(self.hand) - Counter(turn.hand)).elements())

    def _refusals(self, move: Turn) -> Iterator[str]:
        """Why the rules do not allow a turn; each check relies on those before it, so only the first counts."""
        yield from self._hand_refusals(move)
        yield from self._cross_refusals(move)
        yield from _meld_refusals(move)
        yield from self._card_refusals(move)
        if self.strict_cross:
            joined = self.joined(move)
            if not strict_cross_holds(move.melds, joined, self.played(move)):
                yield f"strict cross: a meld with {cards_text(joined)} holds no card of the hand"

    def _hand_refusals(self, move: Turn) -> Iterator[str]:
        extra = Counter(move.hand) - Counter(self.hand)
        if extra:
            yield f"{cards_text(sorted(extra))} cannot stay in the hand: not among its cards"
        if len(move.hand) == len(self.hand):
            yield "a turn plays at least one card of the hand"

    def _cross_refusals(self, move: Turn) -> Iterator[str]:
        for place, (before, after) in enumerate(zip(self.cross, move.cross, strict=False)):
            if after is not None and after != before:
                yield f"{after} stands {_place_name(place)} the deck, where it was {before or 'empty'}"
        if len(move.cross) != len(self.cross):
            yield f"{len(move.cross)} places of the cross; there are {len(self.cross)}"

    def _card_refusals(self, move: Turn) -> Iterator[str]:
        if sorted(map(_INDEX, self.cards())) == sorted(map(_INDEX, _all_cards(move))):  # much faster than counters
            return
        before, after = Counter(self.cards()), Counter(_all_cards(move))
        parts = (("lost", before - after), ("extra", after - before))
        texts = [f"{name} {cards_text(sorted(cards.elements()))}" for name, cards in parts if cards]
        yield "the cards differ: " + ", ".join(texts)

    def _places_of(self, card: Card) -> list[str]:
        """Where the copies of a card stand, one entry a copy."""
        places = {f"floor meld {i}": meld for i, meld in enumerate(self.floor, start=1)}
        places |= {f"{_place_name(i)} the deck": (other,) for i, other in enumerate(self.cross) if other is not None}
        places["hand"] = self.hand
        return [place for place, cards in places.items() for _ in range(cards.count(card))]


RULES: Final = ("strict_cross", "repair")
"""The house rules that a position may carry, as they are written in its `rules` field."""


def _meld_refusals(move: Turn) -> Iterator[str]:
    for meld in move.melds:
        reason = meld_problem(meld)
        if reason:
            yield f"{cards_text(meld)} is no meld: {reason}"


def strict_cross_holds(melds: Iterable[Meld], joined: Sequence[Card], played: Iterable[Card]) -> bool:
    """Whether copies can be told apart such that each meld with a joined cross card holds a played hand card.

    Of two identical cards it is free to say which came from the cross, the floor or the hand.

    Args:
        melds: The final melds.
        joined: Cross cards that ended in a meld.
        played: Hand cards that were played.

    >>> from solver.cards import parse_cards
    >>> nines = parse_cards("9C 9D 9H")
    >>> strict_cross_holds([nines], nines[:1], nines[1:2]), strict_cross_holds([nines], nines[:1], ())
    (True, False)
    """
    tables = tuple(melds)
    homes = [[i for i, meld in enumerate(tables) if card in meld] for card in joined]
    for chosen in product(*homes):
        crossed = set(zip(chosen, joined, strict=True))
        if len(crossed) == len(joined) and _feed(tables, sorted(set(chosen)), crossed, Counter(played)):
            return True
    return False


def _feed(melds: tuple[Meld, ...], hungry: list[int], crossed: set[tuple[int, Card]], spare: Counter[Card]) -> bool:
    """Whether each of the melds with the numbers `hungry` can hold a hand card of its own, taken from `spare`."""
    if not hungry:
        return True
    first, *rest = hungry
    return any(
        spare[card] and (first, card) not in crossed and _feed(melds, rest, crossed, spare - Counter((card,)))
        for card in melds[first]
    )


def random_deal(seed: int) -> Position:
    """The first turn of a game: five cards in the hand, four round the deck, nothing on the floor.

    >>> print(random_deal(1))
    makiaveli floor:; cross: 7H 8D AC 5C; hand: AS JD TC TS JC
    """
    check_whole_number("seed", seed, 0)
    cards = list(deck(COPIES))
    Random(seed).shuffle(cards)
    return Position(hand=tuple(cards[:HAND]), cross=tuple(cards[HAND : HAND + len(CROSS_PLACES)]))


def _sources(card: Card, hand: Container[Card], cross: Container[MaybeCard]) -> list[bool]:
    """Where a card may come from: True for the hand, False for the cross."""
    return [in_hand for in_hand, cards in ((True, hand), (False, cross)) if card in cards]


def _place_name(place: int) -> str:
    return CROSS_PLACES[place] if place < len(CROSS_PLACES) else f"at place {place + 1} of"


def _without_empty(melds: Iterable[Meld]) -> tuple[Meld, ...]:
    return tuple(tuple(meld) for meld in melds if meld)


def _four_places(cross: Cross) -> Cross:
    return tuple(cross) + (None,) * (len(CROSS_PLACES) - len(cross))


def _all_cards(turn: Turn) -> tuple[Card, ...]:
    return (*chain.from_iterable(turn.melds), *(card for card in turn.cross if card is not None), *turn.hand)


def _read_rules(field: Field) -> dict[str, bool]:
    rules: dict[str, bool] = {}
    for word in field.value.split():
        if word not in RULES:
            raise field.part(field.value.index(word)).error(f"unknown rule {word!r}", " or ".join(RULES))
        rules[word] = True
    return rules


def _rules_from_json(data: object) -> dict[str, bool]:
    if not isinstance(data, Mapping):
        raise json_error(data, "rules is no object", "an object such as {'strict_cross': true}")
    for name, value in data.items():
        if name not in RULES or not isinstance(value, bool):
            raise json_error(data, f"rule {name!r} is {value!r}", " or ".join(RULES) + ", true or false")
    return dict(data)


def _refuse_misspelt_keys(data: Mapping[str, Any]) -> None:
    """Raises NotationError where `floor` or `hand` is missing and another key stands there, perhaps misspelt."""
    missing = [key for key in ("floor", "hand") if key not in data]
    strange = sorted(set(map(str, data)) - {"game", "id", "rules", "floor", "cross", "hand"})
    if missing and strange:
        raise json_error(data, f"key {strange[0]!r} but no {missing[0]!r}", "floor, cross and hand")
