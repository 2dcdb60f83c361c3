"""How the cards of a photo lie: what lies beside what, and what it shows that has no place on a table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.position import COPIES
from solver.place import Place
from vision.read_card import ReadCard, ReadIndex
from vision.reading import Reading
from vision.turn.tuning import TUNING


def is_off_photo(hand: Sequence[Card] | None, before: Reading) -> bool:
    """Whether a hand was named that does not lie in the photo before the turn: then no photo shows one."""
    return hand is not None and all(card.place.kind != "hand" for card in before.cards)


def left_out(position: Position, reading: Reading) -> list[ReadCard]:
    """The cards that a photo shows, but that are at no place of a table; not those that are one seen twice."""
    there = Counter(position.cards())
    found = []
    for card in unplaced(position, reading):
        is_twice = any(_is_seen_twice(card, other, reading) for other in reading.cards)
        if card.card is not None and there[card.card] < COPIES and not is_twice:
            found.append(card)
    return found


def unplaced(position: Position, reading: Reading) -> list[ReadCard]:
    """The cards that a photo shows without a place, but for those that the table has somewhere all the same."""
    spare = Counter(position.cards())
    spare -= Counter(card.card for card in reading.cards if card.card is not None and card.place.kind != "none")
    found = []
    for card in reading.cards:
        if card.place.kind == "none":
            if card.card is not None and spare[card.card] > 0:
                spare[card.card] -= 1
            else:
                found.append(card)
    return found


def _is_seen_twice(card: ReadCard, other: ReadCard, reading: Reading) -> bool:
    """Whether a card is another one that has a place."""
    is_same = other is not card and other.card == card.card and other.place.kind != "none"
    return is_same and gap_of(other, card) < TUNING.seen_twice_card_widths and not are_two(card, other, reading)


def are_two(card: ReadCard, other: ReadCard, reading: Reading) -> bool:
    """Whether two findings show more indices of one way up than any card of the photo: they are no single card."""
    pairs = ((sight, there) for sight in card.sights if (there := other.sight_in(sight.photo)) is not None)
    most = max((_one_way_up(sight.indices) for read in reading.cards for sight in read.sights), default=0)
    return any(_one_way_up((*here.indices, *there.indices)) > most for here, there in pairs)


def _one_way_up(indices: Sequence[ReadIndex]) -> int:
    """How many of some indices stand the same way up, at most; what was found twice in one spot is one."""
    spots = [(complex(*index.rank), complex(*index.suit) - complex(*index.rank)) for index in indices]
    own = [one for n, one in enumerate(spots) if all(abs(one[0] - other) > abs(down) for other, down in spots[:n])]
    return max((sum((down * one.conjugate()).real > 0 for _, down in own) for _, one in own), default=0)


def missed(position: Position, reading: Reading) -> tuple[Card, ...]:
    """The cards of a table that its photo does not show."""
    there: Any = reading.position
    placed = sum(card.place.kind == "none" for card in reading.cards) - len(left_out(position, reading))
    if len(position.cards()) <= len(there.cards()) + placed:
        return ()  # another reading of the same cards
    shown = Counter[Card](there.cards())
    shown |= Counter(card.card for card in reading.cards if card.card is not None)
    return tuple(sorted((Counter(position.cards()) - shown).elements()))


def doubted_cards(reading: Reading) -> list[ReadCard]:
    """The cards on a table that are rather none."""
    return [card for card in reading.cards if card.may_be_none and card.place.kind != "hand"]


def lies_with(reading: Reading, card: ReadCard) -> ReadCard | None:
    """The card beside which one lies, if any is near: the nearest with a place."""
    placed = [
        other for other in reading.cards if other is not card and other.place.kind not in ("none", card.place.kind)
    ]
    nearest = min(placed, key=lambda other: gap_of(other, card), default=None)
    return nearest if nearest is not None and gap_of(nearest, card) < TUNING.near_card_widths else None


def melds_beside(reading: Reading, card: ReadCard) -> list[Place]:
    """The groups on the floor beside which a card lies, the nearest first, but for its own."""
    near = sorted(
        (gap, n) for n, other in enumerate(reading.cards) if (gap := gap_of(other, card)) < TUNING.near_card_widths
    )
    places = (reading.cards[n].place for _, n in near)
    return list(dict.fromkeys(place for place in places if place.kind == "floor" and place != card.place))


def lies_apart(reading: Reading, card: ReadCard) -> bool:
    """Whether no other card lies near."""
    return all(gap_of(other, card) >= TUNING.near_card_widths for other in reading.cards if other is not card)


def lie_near(
    reading: Reading, cards: Sequence[Card], others: Sequence[Card], near: float = TUNING.near_card_widths
) -> bool:
    """Whether a photo shows a card of one group near one of another: no farther apart than so many card widths."""
    shown: Any = reading.position
    own = [read for read in reading.cards if read.card in cards]
    lying_so = [
        read for read in own if read.place.kind == "floor" and sorted(shown.floor[read.place.ordinal]) == sorted(cards)
    ]
    own = lying_so or own  # else a copy elsewhere would count
    return any(is_near(reading, read, other, near) for read in own for other in others)


def is_near(reading: Reading, card: ReadCard, other: Card, near: float = TUNING.near_card_widths) -> bool:
    """Whether another card, of that face, lies near a card."""
    return any(one is not card and one.card == other and gap_of(one, card) < near for one in reading.cards)


def gap_of(card: ReadCard, other: ReadCard) -> float:
    """How far apart the middles of two cards are in a photo, in widths of the second; infinite if none shows both."""
    pairs = ((sight, there) for sight in card.sights if (there := other.sight_in(sight.photo)) is not None)
    gaps = (abs(here.middle - there.middle) / max(1.0, math.dist(*there.quad[:2])) for here, there in pairs)
    return min(gaps, default=math.inf)


def of_hand_beside_melds(
    position: Position, reading: Reading, settled: Collection[int] = (), near: float = TUNING.upon_card_widths
) -> list[tuple[int, int]]:
    """The cards of a table's hand that lie upon one of its floor, each with that: they may be of its meld.

    Not those of which it is settled where they lie. All are told by their numbers in the reading.

    Args:
        position: The table.
        reading: What its photo shows.
        settled: Numbers of the cards of which a person has told where they lie.
        near: How far their middles are apart at most, card widths.
    """
    found = []
    for number, card in enumerate(reading.cards):
        if card.place.kind == "hand" and card.card in position.hand and number not in settled:
            gap, nearest = _nearest(reading, card)
            if gap < near and reading.cards[nearest].card not in position.hand:
                found.append((number, nearest))
    return found


def running_on(
    position: Position,
    reading: Reading,
    first: Reading,
    still: Collection[Card | None],
    settled: Collection[int] = (),
) -> list[tuple[int, int]]:
    """The cards of a table's hand, or new in its cross, that go on with a meld, in line with it and at its distance.

    No hand is laid down so, and a card that is put to a meld always is. Each comes with the end of the meld, both by
    their numbers in the reading. What lay so in the hand before the turn may just lie there still.

    Args:
        position: The table.
        reading: What its photo shows.
        first: What the photo before the turn shows, by whose cross a card is new.
        still: The cards that `of_hand_at_melds` finds there.
        settled: Numbers of the cards of which a person has told where they lie.
    """
    lay: Any = first.position
    found = []
    for number, card in enumerate(reading.cards):
        of_cross = card.place.kind == "cross" and position.cross[card.place.ordinal] == card.card not in lay.cross
        of_hand = card.place.kind == "hand" and card.card in position.hand and card.card not in still
        end = _meld_end(position, reading, card) if number not in settled and (of_cross or of_hand) else None
        found += [] if end is None else [(number, end)]
    return found


def of_hand_at_melds(first: Reading) -> set[Card | None]:
    """The cards of a hand that lie upon a meld of the photo before a turn, or go on with one."""
    table: Any = first.position
    upon = [number for number, _ in of_hand_beside_melds(table, first)]
    hand = [number for number, card in enumerate(first.cards) if card.place.kind == "hand"]
    in_line = [number for number in hand if _meld_end(table, first, first.cards[number]) is not None]
    return {first.cards[number].card for number in (*upon, *in_line)}


def _meld_end(position: Position, reading: Reading, card: ReadCard) -> int | None:
    """The number of the end of a meld with which a card goes on; None where it is nearer to something else."""
    gap, nearest = _nearest(reading, card)
    end = reading.cards[nearest]
    is_beside = gap < TUNING.beside_card_widths and end.place.kind == "floor"  # else it is all in one row
    return nearest if is_beside and _runs_on(position, reading, card, end) else None


def going_on_elsewhere(position: Position, reading: Reading, settled: Collection[int] = ()) -> list[tuple[int, int]]:
    """The cards of melds that go on with another one, far from the other cards of their own: the rules put them there.

    Numbers as in `running_on`, each with the end of the other meld.
    """
    found = []
    for number, card in enumerate(reading.cards):
        gap, nearest = _nearest(reading, card)
        end = reading.cards[nearest]
        if number in settled or gap >= TUNING.beside_card_widths:
            continue
        if card.place.kind == "floor" == end.place.kind and end.place != card.place:
            own = (gap_of(other, card) for other in reading.cards if other.place == card.place and other is not card)
            is_far = min(own, default=0.0) > TUNING.beside_card_widths
            found += [(number, nearest)] if is_far and _runs_on(position, reading, card, end) else []
    return found


def _nearest(reading: Reading, card: ReadCard) -> tuple[float, int]:
    """How far the nearest card lies from one, card widths, and its number; infinite without another."""
    others = ((gap_of(other, card), n) for n, other in enumerate(reading.cards) if other is not card)
    return min(others, default=(math.inf, 0))


def _runs_on(position: Position, reading: Reading, card: ReadCard, end: ReadCard) -> bool:
    """Whether a card lies where the next one of a meld would, of which another one is the end."""
    for sight, meld in product(end.sights, position.floor):
        here, last = card.sight_in(sight.photo), sight.middle
        own = [other for other in reading.cards if other.card in meld and other.card not in (end.card, card.card)]
        others = (other for other in own if gap_of(other, end) < TUNING.near_card_widths)
        row = [there.middle for other in others if (there := other.sight_in(sight.photo)) is not None]
        if end.card in meld and here is not None and row:
            step = last - min(row, key=lambda middle: abs(middle - last))
            if abs(last + step - here.middle) < TUNING.runs_on_steps * abs(step):
                return True
    return False
