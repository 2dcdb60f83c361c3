"""How much a final table changes the floor, and the steps that lead to it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plumbing.errors import VerificationError
from solver.cards import Card, cards_text
from solver.makiaveli.floor_comparison_kernels import compared
from solver.makiaveli.melds import in_order, is_meld, run_start
from solver.makiaveli.position import Meld, Position, Turn
from solver.numeric.jit import call_light

_INDEX = attrgetter("index")

HAND: Final = "hand"
CROSS: Final = "cross"


@dataclass(frozen=True, slots=True)
class Disruption:
    """What a final table costs the floor.

    Attributes:
        broken: Floor melds whose cards do not all stay together in one final meld.
        moved: Floor cards that leave their meld.
        heirs: For each final meld the floor meld that it inherits from, None for a new one.
    """

    broken: int
    moved: int
    heirs: tuple[int | None, ...]


def disruption(floor: Sequence[Meld], melds: Sequence[Meld]) -> Disruption:
    """Compares the floor with a final table; independent of how the table was found.

    >>> from solver.cards import parse_cards
    >>> disruption([parse_cards("3H 4H 5H 6H 7H")], [parse_cards("3H 4H 5H"), parse_cards("5H 6H 7H")])
    Disruption(broken=1, moved=2, heirs=(0, None))
    """
    heirs, stays, together = call_light(compared, _masks(floor), _masks(melds), work=10)
    return Disruption(
        len(floor) - together,
        sum(map(len, floor)) - stays,
        tuple(None if heir < 0 else heir for heir in heirs.tolist()),
    )


def _masks(melds: Sequence[Meld]) -> NDArray[np.int64]:
    """Each meld as the bits of its cards' numbers; what holds a card twice, and so is none, as if it held it once."""
    if not melds:
        return np.empty(0, dtype=np.int64)
    cards = np.fromiter(map(_INDEX, chain.from_iterable(melds)), dtype=np.int64)
    starts = np.fromiter(accumulate(map(len, melds[:-1]), initial=0), dtype=np.int64)
    return np.bitwise_or.reduceat(1 << cards, starts)


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a turn: some cards come together at one place.

    Places are counted from 0: the floor's melds first, then the new ones in the order in which they begin.

    Attributes:
        kind: `take` cards out of a meld, `split` a meld in two, `join` a whole meld to another, `extend` a meld with
            cards of the hand or the cross, or begin a `new` meld with them.
        source: The place that floor cards come from, None where none come.
        target: The place that they go to.
        cards: Cards from the source.
        cross: Cards from the cross.
        cross_places: Where they lie there, 0 above the deck to 3 left of it; the cross may hold a card twice.
        hand: Cards from the hand.
        text: What to do, in words.
    """

    kind: str
    source: int | None
    target: int
    cards: tuple[Card, ...]
    cross: tuple[Card, ...]
    cross_places: tuple[int, ...]
    hand: tuple[Card, ...]
    text: str

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, Any]:
        """The step as an object; places are counted from 1, as in the text."""
        return {
            "kind": self.kind,
            "text": self.text,
            "from": None if self.source is None else self.source + 1,
            "to": self.target + 1,
            "cards": [str(card) for card in self.cards],
            "cross": [str(card) for card in self.cross],
            "hand": [str(card) for card in self.hand],
        }


@dataclass(slots=True)
class _Goal:
    """One final meld on its way: where it lies and what still has to come."""

    place: int | None
    meld: Meld
    pieces: dict[int, list[Card]] = field(default_factory=dict)
    cross: list[tuple[Card, int]] = field(default_factory=list)
    hand: list[Card] = field(default_factory=list)

    def givers(self) -> list[int | None]:
        """The places that give cards, each in a step of its own; None for a step of hand and cross cards only."""
        return [*self.pieces] or [None] * bool(self.hand or self.cross)

    def is_untouched(self, floor: Sequence[Meld]) -> bool:
        """Whether the meld lies on the floor already."""
        return self.place is not None and self.meld == floor[self.place]


def steps(position: Position, turn: Turn) -> tuple[Step, ...]:
    """What to do with two hands to get from the table to the end of the turn.

    Every pair of a meld that gives cards and a meld that takes them costs a step, and so does every meld that takes
    cards from the hand or the cross only: for the melds that stay where they are (those of `disruption`) no plan
    has fewer. Which of two identical cards goes where is chosen so that such pairs coincide, greedily. The order
    keeps apart what does not belong together and as many melds whole as possible between the steps, greedily too.

    Raises:
        VerificationError: If the steps do not give the turn's table, which would be a bug.
    """
    goals = _goals(position, turn)
    table = _TableUnderWay(position)
    pending = [(goal, source) for goal in goals for source in goal.givers()]
    done: list[Step] = []
    untidy = [table.untidier_by(goal, source) for goal, source in pending]
    while pending:
        chosen = untidy.index(min(untidy))
        del untidy[chosen]
        done.append(table.do(*pending.pop(chosen)))
        touched = (done[-1].source, done[-1].target)
        for n, (goal, source) in enumerate(pending):
            if goal.place in touched or (source is not None and source in touched):
                untidy[n] = table.untidier_by(goal, source)
    table.expect(turn)
    return tuple(done)


def replayed(position: Position, plan: Iterable[Step]) -> Turn:
    """The turn that the steps amount to; a slow and obvious replay.

    Raises:
        VerificationError: Where a step takes a card that is not there.
    """
    places, cross, hand = _places_after(position, plan)
    melds = tuple(sorted(tuple(in_order(cards)) if is_meld(cards) else tuple(cards) for cards in places if cards))
    return Turn(melds, cross, tuple(sorted(hand)))


def tables_after(position: Position, plan: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """The JSON object of the table after each step. Emptied melds stay, so that numbers keep their sense.

    >>> table = Position.parse("floor: 3H 4H 5H 6H; hand: 6D 6S")
    >>> plan = steps(table, Turn.parse("melds: 3H 4H 5H | 6D 6H 6S"))
    >>> [after["floor"] for after in tables_after(table, plan)]
    [[['3H', '4H', '5H'], ['6D', '6H', '6S']]]
    """
    for number in range(1, len(plan) + 1):
        places, cross, hand = _places_after(position, plan[:number])
        yield position.to_json() | {
            "floor": [[str(card) for card in cards] for cards in places],
            "cross": [None if card is None else str(card) for card in cross],
            "hand": [str(card) for card in hand],
        }


def _places_after(
    position: Position, plan: Iterable[Step]
) -> tuple[list[list[Card]], tuple[Card | None, ...], list[Card]]:
    """The cards at each place, in the cross and in the hand after the steps; see `replayed`."""
    places = [list(meld) for meld in position.floor]
    cross = list(position.cross)
    hand = list(position.hand)
    for number, step in enumerate(plan, start=1):
        try:
            _remove_cards(step, places, cross, hand)
        except (ValueError, IndexError):
            raise VerificationError(number, f"{step}: a card is not there") from None
        places += [[] for _ in range(step.target + 1 - len(places))]
        places[step.target] = _laid(places[step.target], [*step.cards, *step.cross, *step.hand])
    return places, tuple(cross), hand


def _remove_cards(step: Step, places: Sequence[list[Card]], cross: list[Card | None], hand: list[Card]) -> None:
    """Takes a step's cards from where they lie. Raises ValueError or IndexError where one is not there."""
    giver = [] if step.source is None else places[step.source]
    for card in step.cards:
        giver.remove(card)
    for card in step.hand:
        hand.remove(card)
    for card, place in zip(step.cross, step.cross_places, strict=True):
        if cross[place] != card:
            raise ValueError
        cross[place] = None


def _goals(position: Position, turn: Turn) -> list[_Goal]:
    """The final melds with the cards that have to come from elsewhere."""
    goals = _goals_in_place(position, turn)
    untouched = {goal.place for goal in goals if goal.is_untouched(position.floor)}
    left = {place: Counter(meld) for place, meld in enumerate(position.floor) if place not in untouched}
    wanted = [(goal, card) for goal in goals if goal.place not in untouched for card in _taken_in(goal, left)]
    _choose_sources(wanted, left, _joined_places(position, turn), Counter(position.played(turn)))
    return goals


def _goals_in_place(position: Position, turn: Turn) -> list[_Goal]:
    """The final melds, each at the place of the floor meld that it inherits from."""
    whole = [place for place, meld in enumerate(position.floor) if not position.repair or is_meld(meld)]
    heirs = disruption([position.floor[place] for place in whole], turn.melds).heirs
    places = (None if heir is None else whole[heir] for heir in heirs)
    return list(map(_Goal, places, turn.melds))


def _choose_sources(
    wanted: list[tuple[_Goal, Card]],
    left: Mapping[int, Counter[Card]],
    joined: Mapping[Card, list[int]],
    played: Counter[Card],
) -> None:
    """Chooses for each wanted card where it comes from, and writes it into its goal; `wanted` is used up."""
    sources = _sources(left, joined, played)
    # Cards of which only one copy is on the move have no choice; they go first, so that the others can follow them.
    wanted.sort(key=lambda pair: len(set(sources[pair[1]])))
    while wanted:
        easy = (n for n, (goal, card) in enumerate(wanted) if _costs_no_step(goal, sources[card]))
        goal, card = wanted.pop(next(easy, 0))
        choices = sources[card]
        choice = (_costs_no_step(goal, choices) or choices)[0]
        choices.remove(choice)
        _give(goal, card, choice, joined)


def _give(goal: _Goal, card: Card, source: int | str, joined: Mapping[Card, list[int]]) -> None:
    """Notes in a goal where a card comes from: a place of the floor, the cross (its first such place) or the hand."""
    if isinstance(source, int):
        goal.pieces.setdefault(source, []).append(card)
    elif source == CROSS:
        goal.cross.append((card, joined[card].pop(0)))
    else:
        goal.hand.append(card)


def _joined_places(position: Position, turn: Turn) -> dict[Card, list[int]]:
    """The places of the cross whose cards join a meld, by card."""
    joined: defaultdict[Card, list[int]] = defaultdict(list)
    for place, (card, after) in enumerate(zip(position.cross, turn.cross, strict=True)):
        if card is not None and after is None:
            joined[card].append(place)
    return joined


def _sources(
    left: Mapping[int, Counter[Card]], joined: Mapping[Card, Sequence[int]], played: Counter[Card]
) -> dict[Card, list[int | str]]:
    """Where each card may come from, once for each copy: a place of the floor, the cross or the hand.

    >>> from solver.cards import parse_cards
    >>> six, seven = parse_cards("6C 7C")
    >>> _sources({0: Counter([seven])}, {seven: [2]}, Counter([six]))
    {Card('7C'): [0, 'cross'], Card('6C'): ['hand']}
    """
    sources: defaultdict[Card, list[int | str]] = defaultdict(list)
    for place, counts in left.items():
        for card in counts.elements():
            sources[card].append(place)
    for card, places in joined.items():
        sources[card] += [CROSS] * len(places)
    for card in played.elements():
        sources[card].append(HAND)
    return dict(sources)


def _taken_in(goal: _Goal, left: dict[int, Counter[Card]]) -> Iterator[Card]:
    """The cards of a goal's meld that do not lie at its place; those that do are taken off what is `left` there."""
    stays = left[goal.place] if goal.place is not None else Counter[Card]()
    for card in goal.meld:
        if stays[card]:
            stays[card] -= 1
        else:
            yield card


def _costs_no_step(goal: _Goal, choices: Sequence[int | str]) -> list[int | str]:
    """Where a card may come from without a step of its own, or as there is no choice.

    Cards of hand and cross go along with the first cards that come from a meld, or with each other.
    """
    if len(set(choices)) == 1:
        return list(choices)
    moving = goal.pieces or goal.hand or goal.cross
    return [s for s in choices if s in goal.pieces] or [s for s in choices if moving and not isinstance(s, int)]


class _TableUnderWay:
    """The floor as it lies between the steps, place by place."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.places = [list(meld) for meld in position.floor]
        self.steps: list[Step] = []

    def untidier_by(self, goal: _Goal, source: int | None) -> tuple[int, int, int, int]:
        """What a step adds to the `_faults` of the places; last whether it takes cards of hand and cross only."""
        taker = self.places[goal.place] if goal.place is not None else []
        giver = self.places[source] if source is not None else []
        taken = goal.pieces[source] if source is not None else []
        rest = list(giver)
        for card in taken:
            rest.remove(card)
        grown = [*taker, *goal.hand, *(card for card, _ in goal.cross), *taken]
        faults = zip(_faults(grown), _faults(rest), _faults(taker), _faults(giver), strict=True)
        mixed, bad, cards = (after + left - before - whole for after, left, before, whole in faults)
        return mixed, bad, cards, int(source is None)

    def do(self, goal: _Goal, source: int | None) -> Step:
        """Does a step and says it in words."""
        is_new = goal.place is None
        if goal.place is None:
            goal.place = len(self.places)
            self.places.append([])
        target = goal.place
        giver = [] if source is None else self.places[source]
        cards = () if source is None else _tidy(goal.pieces[source])
        cross, cross_places = tuple(card for card, _ in goal.cross), tuple(place for _, place in goal.cross)
        hand = _tidy(goal.hand)
        goal.cross, goal.hand = [], []
        kind = _kind_of_step(cards, giver, is_new=is_new)
        taker_name = f"new meld {target + 1}" if is_new else self._name(target)
        extra = _loose_text(cross, hand)
        text = _step_text(kind, self._giver_name(source, kind), cards, extra, taker_name, is_new=is_new)
        for card in cards:
            giver.remove(card)
        self.places[target] = _laid(self.places[target], [*cards, *cross, *hand])
        step = Step(kind, source, target, cards, cross, cross_places, hand, text)
        self.steps.append(step)
        return step

    def expect(self, turn: Turn) -> None:
        """Checks the table that the steps gave."""
        places, cross, hand = _places_after(self.position, self.steps)
        if (_numbers(places), cross, _numbers([hand])) != (_numbers(turn.melds), turn.cross, _numbers([turn.hand])):
            got = replayed(self.position, self.steps)
            raise VerificationError(len(self.steps) + 1, f"the steps give {got}, not {turn}")

    def _name(self, place: int) -> str:
        return f"meld {place + 1} ({cards_text(self.places[place])})" if self.places[place] else f"place {place + 1}"

    def _giver_name(self, source: int | None, kind: str) -> str:
        if source is None:
            return ""
        is_rest = kind == "join" and not self._is_untouched(source)
        return f"what is left of {self._name(source)}" if is_rest else self._name(source)

    def _is_untouched(self, place: int) -> bool:
        floor = self.position.floor
        return place < len(floor) and Counter(self.places[place]) == Counter(floor[place])


def _kind_of_step(cards: Sequence[Card], giver: Sequence[Card], *, is_new: bool) -> str:
    if not cards:
        return "new" if is_new else "extend"
    if len(cards) == len(giver):
        return "join"
    rest = list((Counter(giver) - Counter(cards)).elements())
    return "split" if is_new and _is_split(cards, rest) else "take"


def _step_text(kind: str, giver: str, cards: Sequence[Card], extra: str, taker: str, *, is_new: bool) -> str:
    """A step in words.

    Args:
        kind: See `Step`.
        giver: What the meld is called that gives `cards`; "" where none does.
        cards: The cards of that meld.
        extra: The cards of cross and hand that go along, with where they come from; "" for none.
        taker: What the meld is called that takes them.
        is_new: Whether the taker begins with this step.

    >>> from solver.cards import parse_cards
    >>> _step_text("take", "meld 1 (4C 5C 6C 7C)", parse_cards("7C"), "7D 7H from your hand", "new meld 2", is_new=True)
    'From meld 1 (4C 5C 6C 7C) take 7C; put it with 7D 7H from your hand as new meld 2.'
    """
    named = cards_text(cards)
    also = f" with {extra}" if extra else ""
    them = "it" if len(cards) == 1 else "them"
    match kind:
        case "new":
            return f"Put down {extra} as {taker}."
        case "extend":
            return f"Add {extra} to {taker}."
        case "join":
            return f"Join {giver}{f' and {extra}' if extra else ''} to {taker}."
        case "split":
            return f"Split {giver}: {named} {'begin' if len(cards) > 1 else 'begins'} {taker}{also}."
    if not is_new:
        return f"From {giver} take {named}; add {them}{also} to {taker}."
    return f"From {giver} take {named}; " + (f"put {them}{also} as {taker}." if extra else f"begin {taker}.")


def _numbers(groups: Iterable[Sequence[Card]]) -> list[list[int]]:
    """The numbers of cards that lie together, in an order that is the same for the same cards."""
    return sorted(sorted(map(_INDEX, cards)) for cards in groups if cards)


def _loose_text(cross: Sequence[Card], hand: Sequence[Card]) -> str:
    """Where cards come from. Those of the cross have no side of the deck: from each side of a table that is another."""
    parts = {"the cross": cross, "your hand": hand}
    return " and ".join(f"{cards_text(cards)} from {place}" for place, cards in parts.items() if cards)


def _faults(cards: Sequence[Card]) -> tuple[int, int, int]:
    """How untidy cards at one place are: whether they fit no meld, whether they are no meld, how many they then are."""
    if not cards or is_meld(cards):
        return 0, 0, 0
    return int(_is_mixed(cards)), 1, len(cards)


def _is_mixed(cards: Sequence[Card]) -> bool:
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    return (len(ranks) > 1 and len(suits) > 1) or len(set(cards)) < len(cards)


def _is_split(cards: Sequence[Card], rest: Sequence[Card]) -> bool:
    """Whether a run falls into a lower and an upper part."""
    if len(cards) + len(rest) < 2 or cards[0].suit != rest[0].suit or (len(rest) > 1 and rest[0].rank == rest[1].rank):
        return False
    return all(run_start(part) is not None for part in (cards, rest)) and len(cards) > 1


def _laid(lying: Sequence[Card], added: Sequence[Card]) -> list[Card]:
    """Cards at one place after others have been laid to them: those that lie there are not turned round.

    >>> from solver.cards import parse_cards
    >>> for lying, added in (("KC QC JC", "TC"), ("QH QS QC", "QD"), ("QC", "KC JC")):
    ...     print(cards_text(_laid(parse_cards(lying), parse_cards(added))))
    KC QC JC TC
    QH QS QC QD
    JC QC KC
    """
    whole = list(_tidy([*lying, *added]))
    if len({card.rank for card in whole}) == 1:
        return [*lying, *_tidy(added)]
    is_downwards = len(lying) > 1 and [card for card in reversed(whole) if card in lying] == list(lying)
    return whole[::-1] if is_downwards else whole


def _tidy(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Cards as one would lay them: a meld in its order, anything else by rank, the ace last where it follows kings."""
    if not cards:
        return ()
    if len({card.rank for card in cards}) == 1:
        return tuple(sorted(cards))
    if len({card.suit for card in cards}) == 1 and len(set(cards)) == len(cards):
        start = run_start(cards)
        if start is not None:
            return tuple(sorted(cards, key=lambda card: (card.rank - start) % 13))
    return tuple(sorted(cards, key=lambda card: (card.rank, card.suit)))
