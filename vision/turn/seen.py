"""A turn as two photos show it, and what they leave open: cards that were missed, cut off, left out or misread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from solver.cards import DECK, Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import Comparison
from solver.makiaveli.melds import all_melds, is_meld
from solver.place import NOWHERE, Place
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.question import Question, QuestionKind
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn.lying import (
    left_out,
    lie_near,
    lies_apart,
    lies_with,
    missed,
    of_hand_beside_melds,
)
from vision.turn.sureness import CardOf, cross_cards
from vision.turn.tuning import TUNING

MOST_GONE = 1
"""More cards that no hand shows are hardly taken up at once: the photo shows less of the table, or they were missed."""


@dataclass(frozen=True, slots=True)
class TurnSeen:
    """A turn as two photos show it.

    Attributes:
        readings: What each photo shows.
        tables: The two tables that go together best.
        found: What happened between them.
        hand: The player's hand before the turn, if it was named.
        agree: Probability that the verdict on legality is the one of `found`.
        sureness: How sure each card is on which the comparison hangs.
        settled: Numbers of the second photo's cards of which a person has told where they lie.
        absent: Cards of which a person has told that the second table has no more of them than its photo shows.
    """

    readings: tuple[Reading, Reading]
    tables: tuple[Position, Position]
    found: Comparison
    hand: Sequence[Card] | None
    agree: float
    sureness: Mapping[CardOf, float]
    settled: Collection[int] = ()
    absent: Collection[Card] = ()


def open_checks(seen: TurnSeen, photo: int) -> list[Question]:
    """What the reading of a photo asks, but for what the table after the turn answers: which cards left its hand."""
    reading: Any = seen.readings[photo]
    if photo == 0:
        return list(reading.checks)
    hand, on_floor = Counter(seen.tables[photo].hand), set[int]()
    for number, read in enumerate(reading.cards):
        if read.place.kind == "hand":
            hand[read.card] -= 1
            on_floor |= {number} if hand[read.card] < 0 else set()
    upon = {beside for n, beside in of_hand_beside_melds(reading.position, reading, seen.settled) if n in on_floor}

    def is_answered(question: Question) -> bool:
        cards = set(question.cards)
        return bool(cards) and (cards <= on_floor or bool(cards & upon and "hand" in question.choices))

    return [question for question in reading.checks if not is_answered(question)]


def asked_places(seen: TurnSeen, place: str = "hand") -> dict[Card, float]:
    """The cards of which it is asked whether they lie in the hand, or elsewhere of this kind, each with the doubt."""
    found: dict[Card, float] = {}
    for photo, reading in enumerate(seen.readings):
        for question in open_checks(seen, photo):
            is_of_place = question.kind in (QuestionKind.ZONE, QuestionKind.MELDS)
            if is_of_place and any(choice.startswith(place) for choice in question.choices or (place,)):
                doubt = doubt_of(question)
                cards = (reading.cards[number].card for number in question.cards)
                found |= {card: max(doubt, found.get(card, 0.0)) for card in cards if card is not None}
    return found


def doubt_of(question: Question) -> float:
    """Probability that something lies otherwise than it was read, where it is asked where it lies."""
    return 1.0 if question.doubt is None else question.doubt


def beside_melds(seen: TurnSeen) -> list[tuple[int, int]]:
    """The cards of the hand after the turn that may be of the meld beside them, each with a card of that."""
    return of_hand_beside_melds(seen.tables[1], seen.readings[1], seen.settled, TUNING.beside_card_widths)


def cards_missed(seen: TurnSeen, photo: int) -> tuple[Card, ...]:
    """The cards that lie on a table by the other photo, but that this one does not show."""
    return missed(seen.tables[photo], seen.readings[photo])


def broken(table: Position) -> list[tuple[Card, ...]]:
    """The groups of a table that are no melds."""
    return [group for group in table.floor if not is_meld(group)]


def off_cross(seen: TurnSeen) -> Counter[Card]:
    """The cards that left the cross."""
    return cross_cards(seen.tables[0]) - cross_cards(seen.tables[1])


def laid(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that are new in the cross."""
    return tuple(sorted((cross_cards(seen.tables[1]) - cross_cards(seen.tables[0])).elements()))


def may_lie_in_hand(seen: TurnSeen) -> bool:
    """Whether cards that are new in the cross may lie in a hand: nobody has told of all of them where they lie."""
    reading = seen.readings[1]
    told = [reading.cards[number].card for number in seen.settled if reading.cards[number].place.kind == "cross"]
    return any(card not in told for card in laid(seen))


def strange(seen: TurnSeen) -> list[Card]:
    """The cards that were played, but are not of the hand that was named."""
    return [] if seen.hand is None else sorted((Counter(seen.found.played) - Counter(seen.hand)).elements())


def put_right(seen: TurnSeen) -> list[ReadCard]:
    """The cards of no hand that were read as other ones on the floor after the turn: only the rules made them these."""
    of_no_hand = strange(seen)
    return [c for c in seen.readings[1].cards if c.why and c.place.kind == "floor" and c.card in of_no_hand]


def unseen(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that are gone from the table and in no hand that the second photo shows."""
    return tuple(sorted((Counter(seen.found.gone) - Counter(seen.tables[1].hand)).elements()))


def is_cut(seen: TurnSeen) -> bool:
    """Whether so much is gone from the floor that the second photo rather shows less of it."""
    return len(unseen(seen)) > MOST_GONE


def misses_cards(seen: TurnSeen) -> bool:
    """Whether the second photo hides some cards, so that others may be hidden too."""
    return any(not card.sights for n, card in enumerate(seen.readings[1].cards) if n not in seen.settled)


def open_cards(seen: TurnSeen) -> list[ReadCard]:
    """The cards that the second photo shows, but that have no place on its table.

    A single corner is rather none where neither the hand nor the table can have given such a card.
    """
    left = left_out(seen.tables[1], seen.readings[1])
    return [card for card in left if card.is_seen_whole or _may_have_come(seen, card.card)]


def lost_from_hand(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that left the player's hand and are not on the table, where both photos show that hand."""
    before, after = (table.hand for table in seen.tables)
    played = Counter(seen.found.played) & Counter(before)
    lost = Counter(before) - played - Counter(after)
    is_short = bool(after and played) and len(before) - played.total() > len(after)
    return tuple(sorted(lost.elements())) if is_short else ()


def dropped(seen: TurnSeen) -> list[ReadCard]:
    """The cards that the photo after the turn surely shows, but that the table lacks, with no other one for them."""
    table, placed = Counter(seen.tables[1].cards()), [read for read in seen.readings[1].cards if read.place != NOWHERE]
    lacks = [read for read in placed if read.card is not None and not table[read.card] and not read.may_be_none]
    return lacks if len(placed) > table.total() else []


def _may_have_come(seen: TurnSeen, card: Card | None) -> bool:
    """Whether a card, or one that looks like it, may have been laid on the table: from the hand, or from elsewhere."""
    hand = seen.tables[0].hand if seen.hand is None else seen.hand
    is_players = seen.hand is not None or bool(Counter(hand) & Counter(seen.found.played))
    if card is None or not is_players:
        return True
    spare = Counter(hand) + Counter(seen.found.gone) - Counter(seen.found.played) - Counter(seen.tables[1].hand)
    return lookalike(card, spare) is not None


def lookalike(card: Card, others: Iterable[Card]) -> Card | None:
    """One of the cards that is this one, or differs from it by a like suit only: it may have been read for it."""
    return next((other for other in others if (other.rank, other.is_red) == (card.rank, card.is_red)), None)


def taken_for(seen: TurnSeen, card: Card) -> Card | None:
    """A card that is new after the turn, of no hand that is known, and that may be one that is gone, misread."""
    played, new = Counter(seen.found.played) - Counter(seen.hand or ()), from_nowhere(seen)
    of_one_half = (other for other in new if card.rank == other.rank or card.suit == other.suit)
    return lookalike(card, played) or next(of_one_half, None)


def from_nowhere(seen: TurnSeen) -> Counter[Card]:
    """The cards after the turn that the first photo shows nowhere, and the player's hand before does not hold."""
    before, after = seen.tables
    is_players = seen.hand is not None or bool(Counter(before.hand) & Counter(seen.found.played))
    held = before.hand if seen.hand is None else seen.hand
    known = Counter(replace(before, hand=tuple(held)).cards())
    return Counter(after.cards()) - known if is_players else Counter()


def unheld(seen: TurnSeen) -> list[ReadCard]:
    """The cards that were played and are not of the hand that the first photo shows, of which others were."""
    new = from_nowhere(seen) & Counter(seen.found.played) if seen.hand is None else Counter[Card]()
    shown = {n: read for n, read in enumerate(seen.readings[1].cards) if read.card in new and read.place.kind != "hand"}
    changed = [read for n, read in shown.items() if (1, n) in seen.sureness]
    return changed or list(shown.values())


def without_place(seen: TurnSeen, card: Card) -> list[ReadCard]:
    """The cards of this face that the second photo shows, but that have no place on its table."""
    return [other for other in open_cards(seen) if other.card == card]


def is_in_no_meld(seen: TurnSeen, card: Card) -> bool:
    """Whether a card of which it is open where it lies after the turn has no other card beside it."""
    reading, numbers = seen.readings[1], chain.from_iterable(question.cards for question in open_checks(seen, 1))
    own = [reading.cards[n] for n in numbers if reading.cards[n].card == card] + without_place(seen, card)
    return bool(own) and all(lies_apart(reading, one) for one in own)


def may_be_there(seen: TurnSeen, card: Card) -> bool:
    """Whether a card that is gone may be on the table all the same: cut off, hidden in a meld, or not placed."""
    first, second = seen.readings
    if is_cut(seen):
        return True  # what that photo shows of a hand may be the floor's cards, too
    if any(second.cards[number].card == card for number, _ in beside_melds(seen)):
        return True  # and so may what lies upon a meld
    if taken_for(seen, card) is not None and not _is_surely_held(seen, card):
        return True  # one of the two was read wrong
    if card in seen.tables[1].hand:
        return False
    if lying := without_place(seen, card):
        return not all(other.is_seen_whole and lies_apart(second, other) for other in lying)
    if card in seen.absent:
        return False
    if has_vanished(seen, card):
        return True
    lay = [read.place for read in first.cards if read.card == card]
    if any(read.place in lay and not read.sights for read in first.cards):
        return True  # it may have been read for the card that its meld was taken to hold unseen
    beside = [lies_with(first, read) for read in left_out(seen.tables[0], first)]
    of_cross = any(read is not None and read.card == card and read.place.kind == "cross" for read in beside)
    if of_cross:
        return True  # it may have been in the hand, of which another card was left out
    groups = seen.tables[1].floor if misses_cards(seen) else broken(seen.tables[1])
    return any(
        would_be_meld(group, [card]) or (len(group) == 1 and would_be_meld((*group, card), DECK, most=3))
        for group in groups
    )


def has_vanished(seen: TurnSeen, card: Card) -> bool:
    """Whether a card of a meld lies nowhere any more, and rather was missed.

    It lay within the meld, and the photos show the hand; or it may be covered; or the photo hardly shows what is left.
    """
    if off_cross(seen)[card] or card in (*seen.tables[1].hand, *seen.absent) or without_place(seen, card):
        return False
    is_within = any(card in meld[1:-1] for meld in seen.tables[0].floor)
    return (bool(seen.tables[0].hand) and is_within) or _may_be_covered(seen, card) or _is_left_faint(seen, card)


def _is_left_faint(seen: TurnSeen, card: Card) -> bool:
    """Whether the second photo shows what is left of a card's meld so badly that it may have missed the card."""
    beside = {other for meld in seen.tables[0].floor if card in meld for other in meld if other != card}
    left = (read for read in seen.readings[1].cards if read.card in beside and read.place.kind == "floor")
    return any(read.confidence < PART_SURE_FROM for read in left)


def _may_be_covered(seen: TurnSeen, card: Card) -> bool:
    """Whether what is left of a card's meld may cover it: one corner of it lay bare before, so it was not on top."""
    shown: Any = seen.readings[0].position
    before, after = ([Counter(meld) for meld in table.floor] for table in (shown, seen.tables[1]))
    for read in seen.readings[0].cards:
        if read.card == card and read.place.kind == "floor" and len(read.indices) == 1:
            meld = before[read.place.ordinal]
            changed = before.count(meld) > after.count(meld)
            if changed and any(meld & other and is_meld((*other, card)) for other in after):
                return True
    return False


def _is_surely_held(seen: TurnSeen, card: Card) -> bool:
    """Whether the second photo surely shows a card in the hand."""
    shown = (read for read in seen.readings[1].cards if read.card == card and read.place.kind == "hand")
    return card in seen.tables[1].hand and any(read.confidence >= WHOLE_STANDS_FROM for read in shown)


def completable(seen: TurnSeen) -> list[tuple[Card, ...]]:
    """The groups of the second table that are no melds, but would be with a card that is missed."""
    lost = Counter(seen.found.gone) + Counter(card.card for card in seen.readings[1].cards if card.place.kind == "none")
    lost += Counter(seen.hand if seen.hand is not None else seen.tables[0].hand)
    lost -= Counter(seen.found.played) + Counter(seen.tables[1].hand)
    missing = [card for card in lost if card is not None]
    groups = broken(seen.tables[1])
    return [group for group in groups if would_be_meld(group, missing) and not is_told_whole(seen, group)]


def is_no_part(seen: TurnSeen, group: Sequence[Card]) -> bool:
    """Whether a group after the turn is no part of a meld, with cards of others or such that may lie unseen."""
    hidden = _hidden_on_table(seen)
    if hidden is None:
        return False

    def may_be_meld(cards: Sequence[Card]) -> bool:
        return is_meld(cards) or would_be_meld(cards, hidden)

    others = [other for other in seen.tables[1].floor if other != group]
    reading, beside = seen.readings[1], TUNING.beside_card_widths
    if len(group) > 1 or any(lie_near(reading, group, other, beside) for other in others):
        others = [other for other in others if lie_near(reading, group, other)]  # else it may be of any meld
    pairs = [pair for other in others for pair in ((other, group), (group, other))]
    may_change = any(
        may_be_meld((*whole, card)) and (not (rest := _without(part, n)) or may_be_meld(rest))
        for whole, part in pairs
        for n, card in enumerate(part)
    )
    return not may_be_meld(group) and not may_change and not any(may_be_meld((*group, *other)) for other in others)


def _without(group: Sequence[Card], number: int) -> tuple[Card, ...]:
    """A group without one of its cards."""
    return (*group[:number], *group[number + 1 :])


def _hidden_on_table(seen: TurnSeen) -> Counter[Card] | None:
    """The cards that may lie on the table after the turn though its photo does not show them: the rest of the hand.

    None where it cannot be told which ones these are.
    """
    hand = seen.tables[0].hand if seen.hand is None else seen.hand
    if not hand or is_cut(seen) or open_cards(seen) or cards_missed(seen, 0) or cards_missed(seen, 1):
        return None
    return Counter(replace(seen.tables[0], hand=tuple(hand)).cards()) - Counter(seen.tables[1].cards())


def is_told_whole(seen: TurnSeen, group: Sequence[Card]) -> bool:
    """Whether a person has told of all cards of a group after the turn that they lie there: none is missing then."""
    return count_told(seen, group) == len(group)


def count_told(seen: TurnSeen, group: Sequence[Card]) -> int:
    """Of how many cards of a group after the turn a person has told that they lie there."""
    reading: Any = seen.readings[1]
    alike = [Place("floor", n) for n, meld in enumerate(reading.position.floor) if sorted(meld) == sorted(group)]
    return max((sum(reading.cards[n].place == place for n in seen.settled) for place in alike), default=0)


def would_be_meld(group: Collection[Card], missing: Iterable[Card], most: int = len(DECK)) -> bool:
    """Whether some of the cards make it a meld, of so many cards at most."""
    cards, more = set(group), {*group, *missing}
    of_both = (meld for meld in all_melds() if cards.issubset(meld) and more.issuperset(meld))
    return len(cards) == len(group) and any(len(cards) < len(meld) <= most for meld in of_both)
