"""What is asked about a turn: in sentences, and with answers to choose from where the photo after it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from drawing.zones import place_in_words
from solver.cards import Card, cards_text
from solver.makiaveli import Position
from solver.makiaveli.melds import is_meld
from solver.place import NOWHERE, Place
from vision.question import Question, QuestionKind, ask_where
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn import PHOTOS
from vision.turn.legality import MOST_STRANGE, may_be_overlooked, tell_legality
from vision.turn.lying import going_on_elsewhere, left_out, melds_beside
from vision.turn.seen import (
    TurnSeen,
    beside_melds,
    broken,
    cards_missed,
    completable,
    dropped,
    has_vanished,
    is_cut,
    laid,
    lost_from_hand,
    may_be_there,
    may_lie_in_hand,
    misses_cards,
    open_cards,
    put_right,
    strange,
    taken_for,
    unheld,
    unseen,
)

_OF_PLACES: Final = (QuestionKind.ZONE, QuestionKind.MELDS)
"""What the reading asks itself of where cards lie."""
_HAND: Final = Place("hand")
_NEW_MELD: Final = Place("floor")
"""Where a card lies whose meld was not read on the floor."""


def ask_about_legality(seen: TurnSeen) -> Iterator[str]:
    """Questions about what breaks a rule, but may be something that was missed or misread."""
    for when, groups in (("before", broken(seen.tables[0])), ("after", completable(seen))):
        for group in groups:
            yield f"photo {when} the turn: {cards_text(group)} is no meld: is a card missing there?"
    vanished = _vanished(seen)
    for photo, when in enumerate(PHOTOS):
        if cards := (*cards_missed(seen, photo), *(vanished if photo == 1 else ())):
            does = "does" if len(cards) == 1 else "do"
            yield f"photo {when} the turn: {does} {cards_text(cards)} lie there too, as in the other photo?"
    if (new := laid(seen)) and may_lie_in_hand(seen):
        lies, they = ("lies", "does it") if len(new) == 1 else ("lie", "do they")
        named = f"{cards_text(new)} {lies} in the cross, where no card may be put"
        yield f"photo after the turn: {named}: or {they} lie in a hand?"
    yield from (ask_card(card, "after") for card in _of_no_hand(seen))
    if lost := lost_from_hand(seen):
        were, do = ("was", "does it") if len(lost) == 1 else ("were", "do they")
        yield f"{cards_text(lost)} {were} in the hand and {were} not found after the turn: where {do} lie?"
    yield from (ask_of_hand(seen.readings[1].cards[number]) for number, _ in beside_melds(seen))
    yield from (_ask_of_meld(seen, number, beside) for number, beside in _of_either_meld(seen))
    if gone := _hidden_or_gone(seen):
        is_gone, does = ("is it gone", "does") if len(gone) == 1 else ("are they gone", "do")
        named = f"{does} {cards_text(gone)} lie there too"
        yield f"other cards are hidden in the photo after the turn: {named}, or {is_gone}?"
    elif is_cut(seen):
        yield f"{cards_text(unseen(seen))} are not in the photo after the turn: does it show the whole table?"
    if len(of_no_hand := strange(seen)) > MOST_STRANGE:
        named = f"{cards_text(of_no_hand)} are in the photo after the turn only, and not of the hand"
        yield f"{named}: does the photo before the turn show the whole table?"
    elif of_no_hand and (others := may_be_overlooked(seen, of_no_hand[0])):
        named = f"{of_no_hand[0]} is new and was not in the hand"
        yield f"{named}: or is it the {' or '.join(map(str, others))} without a place in the photo before the turn?"
    for card in seen.found.gone:
        if (own := taken_for(seen, card)) is not None:
            yield f"{card} is gone and {own} is new: or is it the same card in both photos?"


def _of_no_hand(seen: TurnSeen) -> Iterator[ReadCard]:
    """The cards after the turn that neither the first photo nor the hand explains, each once."""
    cards = (*open_cards(seen), *dropped(seen), *put_right(seen), *unheld(seen))
    yield from (card for n, card in enumerate(cards) if card not in cards[:n])


def _vanished(seen: TurnSeen) -> list[Card]:
    """The cards of melds that lie nowhere any more, and rather were missed."""
    return [card for card in seen.found.gone if has_vanished(seen, card)]


def _hidden_or_gone(seen: TurnSeen) -> list[Card]:
    """Further cards that are gone, or hidden as others are in the photo after the turn."""
    others = [card for card in seen.found.gone if not has_vanished(seen, card) and may_be_there(seen, card)]
    return others if misses_cards(seen) else []


def ask_card(card: ReadCard, when: str) -> str:
    """The question which card one is, or where it lies if the reader left it out."""
    if card.place == NOWHERE:
        return f"the {card.text} in the photo {when} the turn has no place: does it lie on the floor, or in a hand?"
    others = " or ".join(str(other) for other, _ in card.alternatives[:2])
    asked = f"is the {card.text} {place_in_words(card.place)} of the photo {when} the turn right"
    return asked + (f", or is it {others}?" if others else "?")


def ask_of_hand(card: ReadCard) -> str:
    """The question whether a card of the hand that lies beside a meld is of that."""
    return f"photo after the turn: is the {card.text} of the hand, or of the meld beside it?"


def _of_either_meld(seen: TurnSeen) -> list[tuple[int, int]]:
    """The cards that go on with another meld than that to which the rules put them, where the verdict hangs on it."""
    strays = going_on_elsewhere(seen.tables[1], seen.readings[1], seen.settled)
    return strays if strays and tell_legality(seen) is None else []


def _ask_of_meld(seen: TurnSeen, number: int, beside: int) -> str:
    """The question of which meld a card is: of the one that it goes on with, or of its own."""
    reading: Any = seen.readings[1]
    card = reading.cards[number]
    near, own = (cards_text(reading.position.floor[one.place.ordinal]) for one in (reading.cards[beside], card))
    return f"photo after the turn: is the {card.text} of the meld beside it, {near}, or of {own}?"


def ask_with_choices(seen: TurnSeen, doubtful: Sequence[int]) -> Iterator[Question]:
    """The questions: where cards lie that most likely lie elsewhere than they were read, and which card one is.

    Args:
        seen: The turn.
        doubtful: Numbers of the second photo's cards that matter and are in doubt.
    """
    reading: Any = seen.readings[1]
    cards, asked = (
        reading.cards,
        {n for question in reading.checks if question.kind in _OF_PLACES for n in question.cards},
    )
    for (place, to), numbers in _otherwise(seen).items():
        if not asked & set(numbers):
            asked |= set(numbers)
            yield _ask_where(reading, place, to, numbers)
    for number, beside in beside_melds(seen):
        meld = cards[beside].place
        if meld.kind == "floor" and number not in asked:
            choices = str(_HAND), str(meld)
            yield Question(QuestionKind.ZONE, ask_of_hand(cards[number]), _HAND, choices, (number,))
    for number, beside in _of_either_meld(seen):
        choices = str(cards[number].place), str(cards[beside].place)
        if number not in asked:
            asked.add(number)
            text = _ask_of_meld(seen, number, beside)
            yield Question(QuestionKind.ZONE, text, cards[number].place, choices, (number,))
    unplaced = [cards.index(card) for card in left_out(reading.position, reading)]
    for number in dict.fromkeys((*doubtful, *unplaced)):
        if number not in asked:
            yield Question(QuestionKind.CARD, ask_card(cards[number], "after"), cards=(number,))
    yield from _ask_missed(seen)


def _ask_missed(seen: TurnSeen) -> Iterator[Question]:
    """Whether cards lie in melds where the photo after the turn does not show them."""
    reading: Any = seen.readings[1]
    for card in dict.fromkeys((*cards_missed(seen, 1), *_vanished(seen), *_hidden_or_gone(seen))):
        meld = _meld_that_lacks(seen, card)
        if meld is not None:
            named = cards_text(reading.position.floor[meld.ordinal])
            sights = [sight for read in reading.cards if read.place == meld for sight in read.sights]
            text = f"does {card} lie in {named} too, as in the photo before the turn? It may be covered"
            yield Question(QuestionKind.MISSED, text, meld, (str(card),), sights=tuple(sights))


def _meld_that_lacks(seen: TurnSeen, card: Card) -> Place | None:
    """The meld that the photo after the turn shows without a card: it is of that on the likely table, or lay in it."""
    reading: Any = seen.readings[1]
    shown = {place: group for place, group in _groups(reading.position).items() if place.kind == "floor"}
    likely = _as_shown(shown, seen.tables[1])
    lacks = (place for place, group in shown.items() if (likely.get(place, Counter()) - group)[card])
    lay = [Counter(meld) for meld in seen.tables[0].floor if card in meld]
    alike = {place: max(((meld & group).total() for meld in lay), default=0) for place, group in shown.items()}
    near = [place for place in shown if alike[place] and card not in shown[place]]
    best = max(near, key=lambda place: (is_meld((*shown[place].elements(), card)), alike[place]), default=None)
    return next(lacks, best)


def _ask_where(reading: Reading, place: Place, to: Place, numbers: tuple[int, ...]) -> Question:
    """The question whether cards lie where they were read, or elsewhere: one card also in a meld beside it."""
    named = cards_text([card for n in numbers if (card := reading.cards[n].card) is not None])
    if to == _NEW_MELD:
        text = f"{named} of the hand make a meld: please check whether they lie on the floor"
        return Question(QuestionKind.MELDS, text, place, ("floor", "hand"), numbers)
    text = ask_where(named, place, are_many=len(numbers) > 1)
    beside = melds_beside(reading, reading.cards[numbers[0]]) if len(numbers) == 1 else ()
    choices = dict.fromkeys(map(str, (place, *beside, to)))
    return Question(QuestionKind.ZONE, text, place, tuple(choices), numbers)


def _otherwise(seen: TurnSeen) -> dict[tuple[Place, Place], tuple[int, ...]]:
    """The cards that lie elsewhere on the likely table than they were read: numbers by the places from and to.

    A new meld is told of cards of the hand only.
    """
    reading: Any = seen.readings[1]
    shown = _groups(reading.position)
    likely = _as_shown(shown, seen.tables[1])
    spare = {place: group - likely.get(place, Counter()) for place, group in shown.items()}
    lacking = {place: group - shown.get(place, Counter()) for place, group in likely.items()}
    found: dict[tuple[Place, Place], tuple[int, ...]] = {}
    for number, read in enumerate(reading.cards):
        place = read.place
        if number in seen.settled or not spare.get(place, Counter())[read.card]:
            continue
        to = next((other for other, group in lacking.items() if group[read.card]), place)
        if to != place and (to != _NEW_MELD or place == _HAND):
            spare[place][read.card] -= 1
            lacking[to][read.card] -= 1
            found[place, to] = (*found.get((place, to), ()), number)
    return found


def _groups(table: Position) -> dict[Place, Counter[Card]]:
    """The cards at each place of a table."""
    melds = {Place("floor", n): Counter(meld) for n, meld in enumerate(table.floor)}
    cross = {Place("cross", n): Counter([card]) for n, card in enumerate(table.cross) if card is not None}
    return melds | cross | {_HAND: Counter(table.hand)}


def _as_shown(shown: Mapping[Place, Counter[Card]], table: Position) -> dict[Place, Counter[Card]]:
    """The cards of a table by the places of those that are shown: a meld is the one with which it shares most cards."""
    found = {place: group for place, group in _groups(table).items() if place.kind != "floor"}
    left = [place for place in shown if place.kind == "floor"]
    melds = [Counter(meld) for meld in table.floor]
    pairs = [((meld & shown[place]).total(), -n, place) for n, meld in enumerate(melds) for place in left]
    taken = set[int]()
    for alike, n, place in sorted(pairs, reverse=True):
        if place in left and -n not in taken and 2 * alike > min(melds[-n].total(), shown[place].total()):
            found[place] = melds[-n]
            left.remove(place)
            taken.add(-n)
    new = [meld for n, meld in enumerate(melds) if n not in taken]
    return found | {_NEW_MELD: sum(new, Counter[Card]())}
