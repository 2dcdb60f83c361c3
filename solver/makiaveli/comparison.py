"""Two tables of one game: what was played between them and what moved, whether that was legal, and the way back.

Only cards count, never where a meld lies: what was pushed or turned, or touches something, has not changed. Two copies
of a card are interchangeable, and so are the places of the cross, which look different from each side of a table.

>>> before = Position.parse("floor: 4C 5C 6C 7C | KC KD KH; cross: 2S; hand: 7D 7H")
>>> found = compare(before, Position.parse("floor: 4C 5C 6C | KC KD KH | 7C 7D 7H; cross: 2S"), before.hand)
>>> found.is_legal, cards_text(found.played), cards_text(found.moved)
(True, '7D 7H', '7C')
>>> for step in found.put_back: print(step)
Take 7D 7H from 7C 7D 7H back into the hand.
Move 7C back to 4C 5C 6C.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import chain, product
from typing import Any, Final

from solver.cards import Card, cards_text
from solver.makiaveli.melds import in_order, is_meld, meld_problem
from solver.makiaveli.position import CROSS_PLACES, Meld, Position, Turn
from solver.makiaveli.turn_steps import disruption
from solver.place import Place
from solver.solution import Limits

HAND: Final = Place("hand")
MOST_CHOICES: Final = 2048
"""Ways to say which of two identical cards goes where that are tried; there are hardly ever more than a few."""


class FaultKind(Enum):
    """What makes a turn none that is legal."""

    OFF_FLOOR = auto()
    """Cards of a meld are on the table no more."""
    TAKEN_UP = auto()
    """Cards of a meld are in the hand."""
    OFF_CROSS = auto()
    """Cards of the cross are on the table no more."""
    OFF_MELDS = auto()
    """Cards of a meld are in none any more, wherever they lie."""
    LAID = auto()
    """Cards were put in the cross."""
    BROKEN = auto()
    """A group of cards is no meld."""
    NOTHING = auto()
    """No card was played."""
    STRANGE = auto()
    """Cards were played that are not of the hand."""


@dataclass(frozen=True, slots=True)
class StepBack:
    """Cards that go back from one place of the second table to where they came from.

    Attributes:
        cards: The cards.
        source: Where they lie: a meld of the second table, its cross, or the hand for what is no more on the table.
        target: Where they belong: a meld that grew from theirs, the cross or the hand; None for a meld that lies
            nowhere any more and is laid out again.
        text: What to do, in words.
    """

    cards: tuple[Card, ...]
    source: Place
    target: Place | None
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """Its JSON object; melds are counted from 0, in the order of the second table."""
        return {
            "text": self.text,
            "cards": [str(card) for card in self.cards],
            "from": str(self.source),
            "to": None if self.target is None else str(self.target),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What happened between two tables.

    Attributes:
        played: Cards that are on the second table and not on the first.
        gone: Cards that are on the first table and not on the second.
        moved: Floor cards that lie in another meld now, as few as possible.
        faults: Why that was no legal turn, a sentence each; empty where it was one.
        put_back: Steps from the second table to the first, as few cards as possible, and of these ways the one with
            the fewest steps.
    """

    played: tuple[Card, ...]
    gone: tuple[Card, ...]
    moved: tuple[Card, ...]
    faults: tuple[str, ...]
    put_back: tuple[StepBack, ...]

    @property
    def is_legal(self) -> bool:
        """Whether it was a legal turn."""
        return not self.faults


def compare(before: Position, after: Position, hand: Sequence[Card] | None = None) -> Comparison:
    """Compares the tables of two positions; the hands that they hold are not looked at.

    Args:
        before: The table before the turn.
        after: The table after it; its melds may be none.
        hand: The player's cards before the turn, if they are known.
    """
    first, second = _Table.of(before), _Table.of(after)
    played, gone = _sorted(second.cards - first.cards), _sorted(first.cards - second.cards)
    heirs = _heirs(first.melds, second.melds)
    left = Counter(chain.from_iterable(_without(meld, heirs.get(k, ((), 0))[0]) for k, meld in enumerate(first.melds)))
    moved = _sorted(left - (Counter(gone) - (first.cross - second.cross)))
    faults = tuple(_faults(first, second, Counter(played), Counter(gone), hand))
    strange = Counter[Card]() if hand is None else Counter(played) - Counter(hand)
    return Comparison(played, gone, moved, faults, tuple(_put_back(before, after, first, second, heirs, strange)))


def most_playable(before: Position, hand: Sequence[Card]) -> int | None:
    """How many cards of a hand could have been played on the first table; None where a limit was hit."""
    from solver.makiaveli.solve import solve

    return solve(replace(before, hand=tuple(hand)), objective="cards").max_cards


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A turn beside what the hand could have done.

    Attributes:
        played: The cards of the hand that it played.
        hand: How many cards the hand had.
        most: The most of them that one turn could play; None where a limit was hit.
        how: A turn that plays so many, in words; empty where this one did.
    """

    played: tuple[Card, ...]
    hand: int
    most: int | None
    how: tuple[str, ...]


def turn_played(before: Position, turn: Turn, states: int) -> TurnPlayed:
    """What else could have been played in a turn, with a search of so many states at most."""
    from solver.makiaveli.solve import solve

    played = tuple(before.played(turn))
    found = solve(before, Limits(None, states))
    is_better = found.max_cards is not None and found.max_cards > len(played)
    return TurnPlayed(played, len(before.hand), found.max_cards, found.describe_steps() if is_better else ())


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as it counts: its melds in an order of their own, so that places make no difference.

    Attributes:
        melds: The melds, each in its order, sorted.
        places: Where each of them lies on the position's floor.
        floor: All cards of the melds.
        cross: The cards of the cross.
    """

    melds: tuple[Meld, ...]
    places: tuple[int, ...]
    floor: Counter[Card]
    cross: Counter[Card]

    @classmethod
    def of(cls, position: Position) -> _Table:
        rows = sorted((_tidy(meld), place) for place, meld in enumerate(position.floor))
        cross = Counter(card for card in position.cross if card is not None)
        melds, places = tuple(meld for meld, _ in rows), tuple(place for _, place in rows)
        return cls(melds, places, Counter(chain.from_iterable(melds)), cross)

    @property
    def cards(self) -> Counter[Card]:
        return self.floor + self.cross


_Heirs = dict[int, tuple[Meld, int]]
"""By the number of a first meld: the cards that stay together, and the number of the second meld that they lie in."""


def _heirs(first: Sequence[Meld], second: Sequence[Meld]) -> _Heirs:
    """What became of each first meld such that most cards stay where they are."""
    return {
        owner: (_sorted(Counter(first[owner]) & Counter(second[place])), place)
        for place, owner in enumerate(disruption(first, second).heirs)
        if owner is not None
    }


def _faults(
    first: _Table, second: _Table, played: Counter[Card], gone: Counter[Card], hand: Sequence[Card] | None
) -> Iterator[str]:
    """Why it was no legal turn."""
    off_cross = gone & (first.cross - second.cross)
    for kind, cards in (
        (FaultKind.OFF_FLOOR, gone - off_cross),
        (FaultKind.OFF_CROSS, off_cross),
        (FaultKind.LAID, second.cross - first.cross),
    ):
        if cards:
            yield say_fault(kind, _sorted(cards))
    yield from (say_fault(FaultKind.BROKEN, meld) for meld in second.melds if meld_problem(meld))
    if not played:
        yield say_fault(FaultKind.NOTHING)
    if hand is not None and (strange := _sorted(played - Counter(hand))):
        yield say_fault(FaultKind.STRANGE, strange)


def say_fault(kind: FaultKind, cards: Sequence[Card] = ()) -> str:
    """Why a turn was not legal, in words, and which cards show it.

    >>> say_fault(FaultKind.OFF_MELDS, Position.parse("floor: ; hand: QC").hand)
    'QC lay on the floor and is in no meld any more'
    """
    named, verb, was = cards_text(cards), *(("is", "was") if len(cards) == 1 else ("are", "were"))
    return {
        FaultKind.OFF_FLOOR: f"{named} lay on the floor and {verb} not on the table any more",
        FaultKind.TAKEN_UP: f"{named} {was} taken from the floor into the hand",
        FaultKind.OFF_CROSS: f"{named} lay in the cross and {verb} not on the table any more",
        FaultKind.OFF_MELDS: f"{named} lay on the floor and {verb} in no meld any more",
        FaultKind.LAID: f"{named} {'lies' if len(cards) == 1 else 'lie'} in the cross now, where no card may be put",
        FaultKind.BROKEN: f"{named} is no meld: {meld_problem(cards)}",
        FaultKind.NOTHING: "no card was played: a turn plays at least one card of the hand",
        FaultKind.STRANGE: f"{named} {was} not in the hand",
    }[kind]


def _put_back(
    before: Position, after: Position, first: _Table, second: _Table, heirs: _Heirs, strange: Counter[Card]
) -> Iterator[StepBack]:
    """The steps from the second table to the first: what goes off the table first, then what goes back to it.

    Cards that were played but are `strange` to the hand that was named go away, and nobody knows where to.
    """
    free = _supplies(first, second, heirs)
    wanted = _wants(before, first, second, heirs)
    chosen = _fewest_steps(free, wanted)
    order = sorted(chosen, key=lambda pair: (pair[1].kind != "hand", pair[1].kind == "floor", pair))
    steps = [(*pair, part) for pair in order for part in _by_owner(chosen[pair], pair[1], strange)]
    laid: dict[Place, list[Card]] = {Place("floor", n): list(meld) for n, meld in enumerate(second.melds)}
    grown = {Place("floor", owner): Place("floor", place) for owner, (_, place) in heirs.items()}
    for source, target, cards in steps:
        lies_at = grown.get(target, Place("again", target.number)) if target.kind == "floor" else target
        text = _say(laid, source, lies_at, cards, after.hand, strange)
        if source.kind == "floor":
            laid[source] = _without(laid[source], cards)
        if target.kind == "floor":
            laid[lies_at] = [*laid.get(lies_at, []), *cards]
        is_new = lies_at.kind == "again"
        yield StepBack(cards, _numbered(source, second), None if is_new else _numbered(lies_at, second), text)


def _by_owner(cards: Sequence[Card], target: Place, strange: Counter[Card]) -> list[Meld]:
    """Cards that go to one place in one step; what goes to the hand in two, if it holds only some of them."""
    foreign = Counter(cards) & strange if target == HAND else Counter[Card]()
    return [_tidy(part.elements()) for part in (Counter(cards) - foreign, foreign) if part]


def _numbered(place: Place, table: _Table) -> Place:
    """A place as the position numbers it."""
    return Place("floor", table.places[place.ordinal]) if place.kind == "floor" else place


def _supplies(first: _Table, second: _Table, heirs: _Heirs) -> dict[Card, list[Place]]:
    """Where each card lies that has to go elsewhere, once for each copy."""
    free: dict[Card, list[Place]] = {}
    stays = {place: cards for cards, place in heirs.values()}
    for place, meld in enumerate(second.melds):
        for card in _without(meld, stays.get(place, ())):
            free.setdefault(card, []).append(Place("floor", place))
    for card in (second.cross - first.cross).elements():
        free.setdefault(card, []).append(Place("cross"))
    for card in (first.cards - second.cards).elements():
        free.setdefault(card, []).append(HAND)
    return free


def _wants(before: Position, first: _Table, second: _Table, heirs: _Heirs) -> dict[Card, list[Place]]:
    """Where a card belongs that is not there, once for each copy."""
    wanted: dict[Card, list[Place]] = {}
    for number, meld in enumerate(first.melds):
        for card in _without(meld, heirs[number][0] if number in heirs else ()):
            wanted.setdefault(card, []).append(Place("floor", number))
    lacking = first.cross - second.cross
    for number, single in enumerate(before.cross):
        if single is not None and lacking[single]:
            lacking[single] -= 1
            wanted.setdefault(single, []).append(Place("cross", number))
    for card in (second.cards - first.cards).elements():
        wanted.setdefault(card, []).append(HAND)
    return wanted


_Chosen = dict[tuple[Place, Place], list[Card]]


def _fewest_steps(free: dict[Card, list[Place]], wanted: dict[Card, list[Place]]) -> _Chosen:
    """Which card goes from where to where, in as few pairs of places as possible."""
    ways = [_ways(card, places, wanted[card]) for card, places in sorted(free.items())]
    best: _Chosen = {}
    for tried, way in enumerate(product(*ways)):
        if tried == MOST_CHOICES:
            break
        chosen: _Chosen = {}
        for card, pairs in zip(sorted(free), way, strict=True):
            for pair in pairs:
                chosen.setdefault(pair, []).append(card)
        if not best or len(chosen) < len(best):
            best = chosen
    return best


def _ways(card: Card, sources: Sequence[Place], targets: Sequence[Place]) -> list[tuple[tuple[Place, Place], ...]]:
    """The ways in which one card's copies, two at most, get from where they lie to where they belong."""
    assert len(sources) == len(targets), f"{card} lies {len(sources)} times and is wanted {len(targets)} times"
    straight = tuple(zip(sources, targets, strict=True))
    if len(set(sources)) == 1 or len(set(targets)) == 1:
        return [straight]
    return [straight, tuple(zip(sources, reversed(targets), strict=True))]


def _say(
    laid: dict[Place, list[Card]],
    source: Place,
    target: Place,
    cards: Sequence[Card],
    hand: Sequence[Card],
    strange: Counter[Card],
) -> str:
    """A step in words; what is gone is in the hand, unless that is known and lacks it."""
    is_elsewhere = source == HAND and bool(hand) and bool(Counter(cards) - Counter(hand))
    giver = "" if is_elsewhere or len(laid.get(source, ())) == len(cards) else f" from {_source_name(laid, source)}"
    named = cards_text(cards) + giver
    if target == HAND:
        foreign = _sorted(Counter(cards) & strange)
        return f"Take {named} {f'away: {say_fault(FaultKind.STRANGE, foreign)}' if foreign else 'back into the hand'}."
    if target.kind == "cross":
        return f"Put {named} back {CROSS_PLACES[target.ordinal]} the deck."
    if target not in laid:
        return f"Move {named} to a place of {'its' if len(cards) == 1 else 'their'} own."
    return f"Move {named} back to {cards_text(_tidy(laid[target]))}."


def _source_name(laid: dict[Place, list[Card]], source: Place) -> str:
    return cards_text(_tidy(laid[source])) if source in laid else f"the {source.kind}"


def _tidy(cards: Iterable[Card]) -> Meld:
    """A meld as it is written; other cards sorted."""
    group = tuple(cards)
    return in_order(group) if is_meld(group) else tuple(sorted(group))


def _without(cards: Iterable[Card], away: Iterable[Card]) -> list[Card]:
    left = list(cards)
    for card in away:
        left.remove(card)
    return left


def _sorted(cards: Counter[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards.elements()))
