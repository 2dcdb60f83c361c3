"""Was a turn legal? Told from two photos where it is sure, whatever else is open.

A turn that keeps the rules is the rule: a card that was missed, or whose place was misread, explains most that breaks
them. So what breaks a rule counts only where nothing of that can be behind it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from drawing.zones import place_in_words
from solver.cards import DECK, Card, cards_text
from solver.makiaveli import Position
from solver.makiaveli.comparison import Comparison, FaultKind, say_fault
from solver.makiaveli.melds import is_meld
from solver.place import NOWHERE, Place
from vision.confidence import WHOLE_STANDS_FROM
from vision.question import Question, QuestionKind
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn import PHOTOS
from vision.turn.likely_tables import (
    is_off_photo,
    left_out,
    lie_near,
    lies_apart,
    lies_with,
    missed,
    of_hand_beside_melds,
    rivals,
    unplaced,
)
from vision.turn.sureness import CardOf, chance_of_change, cross_cards, read_sureness
from vision.turn.tuning import TUNING

MOST_GONE = 1
"""More cards that no hand shows are hardly taken up at once: the photo shows less of the table, or they were missed."""
MOST_STRANGE = 1
"""More cards that are not of the hand are hardly played at once: the photo before shows less, or they were missed."""


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
    """

    readings: tuple[Reading, Reading]
    tables: tuple[Position, Position]
    found: Comparison
    hand: Sequence[Card] | None
    agree: float
    sureness: Mapping[CardOf, float]
    settled: Collection[int] = ()


def tell_legality(seen: TurnSeen) -> bool | None:
    """Whether the turn was legal; None where that is not sure."""
    if any(reading.readable.reasons for reading in seen.readings) or any(_broken(seen.tables[0])):
        return None
    if not seen.found.is_legal:
        return False if tell_faults(seen) else None
    return True if seen.agree * _chance_of_legal(seen) >= WHOLE_STANDS_FROM else None


def tell_faults(seen: TurnSeen) -> tuple[str, ...]:
    """Why a turn was surely not legal, a sentence each; what hangs on a question is not told."""
    faults = _chances_of_faults(seen)
    sure = ((kind, cards) for chance, kind, cards in faults if seen.agree * chance >= WHOLE_STANDS_FROM)
    return tuple(dict.fromkeys(say_fault(kind, cards) for kind, cards in sure))


def ask_about_legality(seen: TurnSeen) -> Iterator[str]:
    """Questions about what breaks a rule, but may be something that was missed or misread."""
    for when, groups in (("before", _broken(seen.tables[0])), ("after", _completable(seen))):
        for group in groups:
            yield f"photo {when} the turn: {cards_text(group)} is no meld: is a card missing there?"
    vanished = [card for card in seen.found.gone if _has_vanished(seen, card)]
    for photo, when in enumerate(PHOTOS):
        if cards := (*_missed(seen, photo), *(vanished if photo == 1 else ())):
            does = "does" if len(cards) == 1 else "do"
            yield f"photo {when} the turn: {does} {cards_text(cards)} lie there too, as in the other photo?"
    if (laid := _laid(seen)) and _may_lie_in_hand(seen):
        lies, they = ("lies", "does it") if len(laid) == 1 else ("lie", "do they")
        named = f"{cards_text(laid)} {lies} in the cross, where no card may be put"
        yield f"photo after the turn: {named}: or {they} lie in a hand?"
    yield from (ask_card(card, "after") for card in _open_cards(seen))
    yield from (ask_of_hand(seen.readings[1].cards[number]) for number, _ in beside_melds(seen))
    gone = [card for card in seen.found.gone if card not in vanished and _may_be_there(seen, card)]
    if gone and _misses_cards(seen):
        is_gone, does = ("is it gone", "does") if len(gone) == 1 else ("are they gone", "do")
        named = f"{does} {cards_text(gone)} lie there too"
        yield f"other cards are hidden in the photo after the turn: {named}, or {is_gone}?"
    elif _is_cut(seen):
        yield f"{cards_text(_unseen(seen))} are not in the photo after the turn: does it show the whole table?"
    if len(strange := _strange(seen)) > MOST_STRANGE:
        named = f"{cards_text(strange)} are in the photo after the turn only, and not of the hand"
        yield f"{named}: does the photo before the turn show the whole table?"
    for card in seen.found.gone:
        if (own := _lookalike_played(seen, card)) is not None:
            yield f"{card} is gone and {own} is new: or is it the same card in both photos?"
    if joined := _joined_unseen(seen):
        they = "they" if len(joined) > 1 else "it"
        yield f"photo before the turn: {cards_text(joined)} lay in the cross: or did {they} come from a hand?"


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


def beside_melds(seen: TurnSeen) -> list[tuple[int, int]]:
    """The cards of the hand after the turn that may be of the meld beside them, each with a card of that."""
    return of_hand_beside_melds(seen.tables[1], seen.readings[1], seen.settled, TUNING.beside_card_widths)


def _chance_of_legal(seen: TurnSeen) -> float:
    """Probability that the cards are those of a legal turn: they were read right, and one of the hand was played."""
    if _open_cards(seen) or _lost(seen) or beside_melds(seen) or _lies_in_meld_as_another(seen):
        return 0.0
    return chance_of_change(seen.readings, seen.sureness) * math.prod(_chances_of_places(seen)) * _chance_of_hand(seen)


def _lies_in_meld_as_another(seen: TurnSeen) -> bool:
    """Whether a card that is in the hand after the turn was read in a meld, where the rules made another one of it."""
    cards = seen.readings[1].cards
    shown = Counter(card.card for card in cards if card.place.kind != "floor" and card.card is not None)
    held = Counter(seen.tables[1].hand) - shown
    put_right = (card for card in cards if card.why and card.place.kind == "floor")
    return any(other in held for card in put_right for other, _ in card.alternatives)


def _chance_of_hand(seen: TurnSeen) -> float:
    """Probability that one of the cards that were played lay in the hand: of those in doubt, the surest one."""
    asked = _asked_places(seen)
    if set(seen.found.played) - asked.keys():
        return 1.0
    chances = [0.0]
    for question in open_checks(seen, 0):
        lay_in_hand = [seen.readings[0].cards[number] for number in question.cards]
        if question.kind is QuestionKind.ZONE and question.doubt is not None:
            is_played = all(card.card in seen.found.played and card.place.kind == "hand" for card in lay_in_hand)
            chances.append(1 - question.doubt if lay_in_hand and is_played else 0.0)
    return max(chances)


def _chances_of_places(seen: TurnSeen) -> Iterator[float]:
    """Of each question where cards lie that leaves the turn open, the probability that they lie as it was read."""
    of_table = Counter(seen.tables[0].cards()) - Counter(seen.tables[0].hand)
    for photo, reading in enumerate(seen.readings):
        for question in open_checks(seen, photo):
            cards = [reading.cards[number] for number in question.cards]
            doubt = 1.0 if question.doubt is None else question.doubt
            if question.kind is QuestionKind.ZONE:
                # A card of the table may have been taken up. One of the hand that lies elsewhere leaves a broken group.
                is_taken_up = photo == 1 and any(
                    _may_leave(card, question, of_table) and not _lies_in_hand(card, seen.tables[1]) for card in cards
                )
                is_open = is_taken_up or question.doubt is None
                yield 1 - doubt * (1.0 if is_open else math.exp(TUNING.broken_log_price))
            elif photo == 1 and question.doubt is not None and "other melds" in question.choices:  # else of a gap alone
                is_settled = _lay_together(cards, seen.tables[0]) or _is_weighed(question, reading)
                yield 1.0 if is_settled else 1 - doubt


def _is_weighed(question: Question, reading: Reading) -> bool:
    """Whether a rival reading has the cards of a question in other melds: what follows from that is weighed then."""
    asked = sorted(reading.cards[number].text for number in question.cards)
    if "other melds" not in question.choices:
        return False
    return any(asked not in [sorted(map(str, meld)) for meld in table.floor] for _, table in rivals(reading))


def _lay_together(cards: Iterable[ReadCard], table: Position) -> bool:
    """Whether cards are part of one meld of a table."""
    return any({card.card for card in cards} <= set(meld) for meld in table.floor)


def _may_leave(read: ReadCard, question: Question, of_table: Mapping[Card, int]) -> bool:
    """Whether a card on the table, where it also lay before, may lie in the hand or elsewhere by a question."""
    if read.card is None or read.place.kind == "hand" or not of_table.get(read.card):
        return False
    return any(choice.split("/")[0] != read.place.kind for choice in question.choices)


def _lies_in_hand(read: ReadCard, table: Position) -> bool:
    """Whether a card that was read in the cross lies in the hand on a table."""
    in_cross = read.place.kind == "cross" and read.place.number is not None
    return in_cross and read.card in table.hand and table.cross[read.place.number or 0] != read.card


def _chances_of_faults(seen: TurnSeen) -> Iterator[tuple[float, FaultKind, tuple[Card, ...]]]:
    """Probability of each fault that it is one, of which kind it is, and which cards show it."""
    found, asked = seen.found, _asked_places(seen)
    is_hidden = any((_misses_cards(seen), _open_cards(seen), _completable(seen), _missed(seen, 1)))
    may_lack = is_hidden or _is_cut(seen)
    of_floor = {card for meld in seen.tables[0].floor for card in meld}
    on_floor, lay = _asked_places(seen, "floor"), _asked_places(seen, "floor", photos=(0,))
    off_cross = Counter(found.gone) & _off_cross(seen)
    for card in found.gone:
        if not _may_be_there(seen, card):
            kind = FaultKind.OFF_CROSS if off_cross[card] else FaultKind.OFF_FLOOR
            doubt = (on_floor if card in of_floor else asked).get(card, 0.0)
            is_open = doubt > 1 - WHOLE_STANDS_FROM or _without_place(seen, card)
            if is_open and card in of_floor and _is_in_no_meld(seen, card) and card not in lay:
                kind, doubt = FaultKind.OFF_MELDS, 0.0  # in a hand or on the floor, it is in no meld
            yield (1 - doubt) * _sureness_of_gone(seen, card), kind, (card,)
    laid = _laid(seen)
    for card in laid if len(laid) == 1 and not _is_cut(seen) else ():  # more were rather read in the wrong place
        if card in of_floor and not _may_lie_in_meld(seen, card):
            kind = FaultKind.OFF_MELDS if _may_lie_in_hand(seen) else FaultKind.LAID
            yield (1 - on_floor.get(card, 0.0)) * _sureness_of(seen, card, 0), kind, laid
    groups = list(_broken(seen.tables[1]))
    for group in groups if len(groups) == 1 else ():  # of several, some rather lie otherwise than they were read
        is_whole = (len(group) > 1 and not may_lack) or _is_no_part(seen, group)
        is_whole |= _is_told_whole(seen, group) or (_count_told(seen, group) > 0 and not _would_be_meld(group, DECK))
        if is_whole and not _is_asked(seen, group):
            yield math.prod(_sureness_of(seen, card, 1) for card in group), FaultKind.BROKEN, tuple(sorted(group))
    if not found.played and not asked and not (is_hidden or _missed(seen, 0)) and not _joined_unseen(seen):
        yield chance_of_change(seen.readings, seen.sureness), FaultKind.NOTHING, ()
    if len(strange := _strange(seen)) <= MOST_STRANGE and not _missed(seen, 0):
        for card in strange:
            if not (_is_cut(seen) or _looks_like_one_gone(seen, card) or _may_be_overlooked(seen, card)):
                yield (1 - asked.get(card, 0.0)) * _sureness_of(seen, card, 1), FaultKind.STRANGE, (card,)


def _lost(seen: TurnSeen) -> list[Card]:
    """The cards that the second photo misses, but for those without which a meld of before would be none any more.

    Nobody who takes up a card leaves such a rest, so it is there.
    """
    lost = Counter(_missed(seen, 1))
    for meld in seen.tables[1].floor:
        rest = tuple((Counter(meld) - lost).elements())
        lay = any(not Counter(meld) - Counter(other) for other in seen.tables[0].floor)
        if 0 < len(rest) < len(meld) and lay and not is_meld(rest):
            lost -= Counter(meld)
    return list(lost.elements())


def _unseen_on_table(seen: TurnSeen) -> Counter[Card] | None:
    """The cards that may lie on the table after the turn though its photo does not show them: the rest of the hand.

    None where it cannot be told which ones these are.
    """
    hand = seen.tables[0].hand if seen.hand is None else seen.hand
    if not hand or _is_cut(seen) or _open_cards(seen) or _missed(seen, 0) or _missed(seen, 1):
        return None
    first = Counter(replace(seen.tables[0], hand=tuple(hand)).cards())
    second = Counter(seen.tables[1].cards())
    return None if second - first else first - second


def _is_no_part(seen: TurnSeen, group: Sequence[Card]) -> bool:
    """Whether a group after the turn is no part of a meld, with cards of others or such that may lie unseen."""
    unseen = _unseen_on_table(seen)
    if unseen is None:
        return False

    def may_be_meld(cards: Sequence[Card]) -> bool:
        return is_meld(cards) or _would_be_meld(cards, unseen)

    others = [other for other in seen.tables[1].floor if other != group]
    reading, beside = seen.readings[1], TUNING.beside_card_widths
    if len(group) > 1 or any(lie_near(reading, group, other, beside) for other in others):
        others = [other for other in others if lie_near(reading, group, other)]  # else it may be of any meld
    for number, card in enumerate(group):
        rest = [*group[:number], *group[number + 1 :]]
        if (not rest or may_be_meld(rest)) and any(may_be_meld((*other, card)) for other in others):
            return False
    for other in others:
        for number, card in enumerate(other):
            if may_be_meld((*other[:number], *other[number + 1 :])) and may_be_meld((*group, card)):
                return False
    return not may_be_meld(group) and not any(may_be_meld((*group, *other)) for other in others)


def _strange(seen: TurnSeen) -> list[Card]:
    """The cards that were played, but are not of the hand that was named."""
    return [] if seen.hand is None else sorted((Counter(seen.found.played) - Counter(seen.hand)).elements())


def _may_be_overlooked(seen: TurnSeen, card: Card) -> bool:
    """Whether the first photo, which does not tell of a card, may show it: hidden, or as one that was left out."""
    reading = seen.readings[0]
    if any(not read.sights or (read.card is None and read.place == NOWHERE) for read in reading.cards):
        return True
    others = [read.card for read in left_out(seen.tables[0], reading) if read.card is not None]
    return any(card.rank == other.rank or card.suit == other.suit for other in others)


def _may_be_there(seen: TurnSeen, card: Card) -> bool:
    """Whether a card that is gone may be on the table all the same: cut off, hidden in a meld, or not placed."""
    if _is_cut(seen):
        return True  # what that photo shows of a hand may be the floor's cards, too
    if any(seen.readings[1].cards[number].card == card for number, _ in beside_melds(seen)):
        return True  # and so may what lies upon a meld
    if _lookalike_played(seen, card) is not None and not _is_surely_held(seen, card):
        return True  # one of the two was read wrong
    if card in seen.tables[1].hand:
        return False
    if lying := _without_place(seen, card):
        return not all(_lies_alone(seen, other) for other in lying)
    if _has_vanished(seen, card):
        return True
    reading = seen.readings[0]
    lay = [read.place for read in reading.cards if read.card == card]
    if any(read.place in lay and not read.sights for read in reading.cards):
        return True  # it may have been read for the card that its meld was taken to hold unseen
    beside = [lies_with(reading, other) for other in left_out(seen.tables[0], reading)]
    of_cross = any(read is not None and read.card == card and read.place.kind == "cross" for read in beside)
    if of_cross and not is_off_photo(seen.hand, reading):
        return True  # it may have been in the hand, of which another card was left out
    groups = seen.tables[1].floor if _misses_cards(seen) else tuple(_broken(seen.tables[1]))
    return any(_would_be_meld(group, [card]) or (len(group) == 1 and _may_go_with(group[0], card)) for group in groups)


def _may_go_with(card: Card, other: Card) -> bool:
    """Whether two cards may lie in one meld of three."""
    ranks = sorted((card.rank, other.rank))
    is_near = ranks[1] - ranks[0] in (1, 2) or (ranks[0] == 1 and ranks[1] > 11)
    return (card.rank == other.rank) != (card.suit == other.suit) and (card.rank == other.rank or is_near)


def _has_vanished(seen: TurnSeen, card: Card) -> bool:
    """Whether a card of a meld lies nowhere any more, and rather was missed.

    It lay within the meld, and the photos show the hand; or it may be covered.
    """
    if _off_cross(seen)[card] or card in seen.tables[1].hand or _without_place(seen, card):
        return False
    shows_hand = bool(seen.tables[0].hand) and not is_off_photo(seen.hand, seen.readings[0])
    is_within = any(card in meld[1:-1] for meld in seen.tables[0].floor)
    return (shows_hand and is_within) or _may_be_covered(seen, card)


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


def _without_place(seen: TurnSeen, card: Card) -> list[ReadCard]:
    """The cards of this face that the second photo shows, but that have no place on its table."""
    return [other for other in _open_cards(seen) if other.card == card]


def _lookalike_played(seen: TurnSeen, card: Card) -> Card | None:
    """A card that was played, of no hand that was named, and that differs from one that is gone by a like suit only."""
    strange = Counter(seen.found.played) - Counter(seen.hand or ())
    return next((own for own in strange if (own.rank, own.is_red) == (card.rank, card.is_red)), None)


def _is_surely_held(seen: TurnSeen, card: Card) -> bool:
    """Whether the second photo surely shows a card in the hand."""
    shown = (read for read in seen.readings[1].cards if read.card == card and read.place.kind == "hand")
    return card in seen.tables[1].hand and any(read_sureness(read) >= WHOLE_STANDS_FROM for read in shown)


def _looks_like_one_gone(seen: TurnSeen, card: Card) -> bool:
    """Whether a card that is gone differs from this one by a like suit only: one of the two was read wrong."""
    return any((own.rank, own.is_red) == (card.rank, card.is_red) for own in seen.found.gone)


def _open_cards(seen: TurnSeen) -> list[ReadCard]:
    """The cards that the second photo shows, but that have no place on its table.

    A single corner is rather none where neither the hand nor the table can have given such a card.
    """
    left = left_out(seen.tables[1], seen.readings[1])
    return [card for card in left if card.is_seen_whole or _may_have_come(seen, card.card)]


def _may_have_come(seen: TurnSeen, card: Card | None) -> bool:
    """Whether a card, or one that looks like it, may have been laid on the table: from the hand, or from elsewhere."""
    hand = seen.tables[0].hand if seen.hand is None else seen.hand
    is_players = seen.hand is not None or bool(Counter(hand) & Counter(seen.found.played))
    if card is None or not is_players:
        return True
    spare = Counter(hand) + Counter(seen.found.gone) - Counter(seen.found.played) - Counter(seen.tables[1].hand)
    return any((own.rank, own.is_red) == (card.rank, card.is_red) for own in spare)


def _missed(seen: TurnSeen, photo: int) -> tuple[Card, ...]:
    """The cards that lie on a table by the other photo, but that this one does not show."""
    return missed(seen.tables[photo], seen.readings[photo])


def _broken(table: Position) -> Iterator[tuple[Card, ...]]:
    """The groups of a table that are no melds."""
    return (group for group in table.floor if not is_meld(group))


def _completable(seen: TurnSeen) -> list[tuple[Card, ...]]:
    """The groups of the second table that are no melds, but would be with a card that is missed."""
    lost = Counter(seen.found.gone) + Counter(card.card for card in seen.readings[1].cards if card.place.kind == "none")
    lost += Counter(seen.hand if seen.hand is not None else seen.tables[0].hand)
    lost -= Counter(seen.found.played) + Counter(seen.tables[1].hand)
    missing = [card for card in lost if card is not None]
    groups = [group for group in _broken(seen.tables[1]) if not _is_told_whole(seen, group)]
    return [g for g in groups if _would_be_meld(g, missing) or (len(g) == 1 and not _is_no_part(seen, g))]


def _is_told_whole(seen: TurnSeen, group: Sequence[Card]) -> bool:
    """Whether a person has told of all cards of a group after the turn that they lie there: none is missing then."""
    return _count_told(seen, group) == len(group)


def _count_told(seen: TurnSeen, group: Sequence[Card]) -> int:
    """Of how many cards of a group after the turn a person has told that they lie there."""
    reading: Any = seen.readings[1]
    alike = [Place("floor", n) for n, meld in enumerate(reading.position.floor) if sorted(meld) == sorted(group)]
    return max((sum(reading.cards[n].place == place for n in seen.settled) for place in alike), default=0)


def _would_be_meld(group: Sequence[Card], missing: Iterable[Card]) -> bool:
    """Whether some of the cards make it a meld."""
    ranks, suits = {card.rank for card in group}, {card.suit for card in group}
    if len(ranks) == 1 and len(suits) == len(group) and any(is_meld((*group, *m)) for m in _sets(group, missing)):
        return True
    if len(suits) > 1 or len(ranks) < len(group):
        return False
    of_suit = sorted({card for card in missing if card.suit in suits and card.rank not in ranks})
    stretches = combinations(range(len(of_suit) + 1), 2)
    return any(is_meld((*group, *of_suit[first:last])) for first, last in stretches)


def _sets(group: Sequence[Card], missing: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Cards of the group's rank, of other suits than it has: one, or all."""
    more = sorted({card for card in missing if card.rank == group[0].rank} - set(group))
    yield from ((card,) for card in more)
    yield tuple(more)


def _off_cross(seen: TurnSeen) -> Counter[Card]:
    """The cards that left the cross."""
    return cross_cards(seen.tables[0]) - cross_cards(seen.tables[1])


def _laid(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that are new in the cross."""
    first, second = map(cross_cards, seen.tables)
    return tuple(sorted((second - first).elements()))


def _may_lie_in_hand(seen: TurnSeen) -> bool:
    """Whether cards that are new in the cross may lie in a hand: nobody has told of all of them where they lie."""
    reading = seen.readings[1]
    told = [reading.cards[number].card for number in seen.settled if reading.cards[number].place.kind == "cross"]
    return any(card not in told for card in _laid(seen))


def _may_lie_in_meld(seen: TurnSeen, card: Card) -> bool:
    """Whether a card that lies in the cross after the turn may be one of a meld: none is missed, or it lies near."""
    before, after = (Counter(card for meld in table.floor for card in meld)[card] for table in seen.tables)
    near = [lies_with(seen.readings[1], read) for read in seen.readings[1].cards if read.card == card]
    beside = {read.card for read in near if read is not None and read.place.kind == "floor"}
    return before <= after or any(beside & set(meld) and is_meld((*meld, card)) for meld in seen.tables[1].floor)


def _is_cut(seen: TurnSeen) -> bool:
    """Whether so much is gone from the floor that the second photo rather shows less of it."""
    return len(_unseen(seen)) > MOST_GONE


def _unseen(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that are gone from the table and in no hand that the second photo shows."""
    return tuple(sorted((Counter(seen.found.gone) - Counter(seen.tables[1].hand)).elements()))


def _joined_unseen(seen: TurnSeen) -> tuple[Card, ...]:
    """The cards that left the cross, where nothing was played and no hand is known: one may have come from a hand."""
    if seen.found.played or seen.hand is not None or seen.tables[0].hand:
        return ()
    return tuple(sorted(_off_cross(seen).elements()))


def _sureness_of(seen: TurnSeen, card: Card, photo: int) -> float:
    """How sure it is that the photo shows a card: the surest of its copies there, of those that changed if one did."""
    reading = seen.readings[photo]
    left = unplaced(seen.tables[photo], reading)
    copies = [n for n, read in enumerate(reading.cards) if read.card == card and read not in left]
    changed = [seen.sureness[photo, n] for n in copies if (photo, n) in seen.sureness]
    return max(changed or [read_sureness(reading.cards[n]) for n in copies], default=0.0)


def _sureness_of_gone(seen: TurnSeen, card: Card) -> float:
    """How sure it is that a card of the first photo is not on the second table, whatever card it is."""
    is_of_cross = _off_cross(seen)[card] > 0
    copies = [c for c in seen.readings[0].cards if c.card == card and (c.place.kind == "cross") == is_of_cross]
    others = [sum(chance for other, chance in c.alternatives if other not in seen.found.played) for c in copies]
    return min(1.0, _sureness_of(seen, card, 0) + min(others, default=0.0))


def _asked_places(seen: TurnSeen, place: str = "hand", photos: Sequence[int] = (0, 1)) -> dict[Card, float]:
    """The cards of which it is asked whether they lie in the hand, or elsewhere of this kind, each with the doubt."""
    found: dict[Card, float] = {}
    for photo in () if is_off_photo(seen.hand, seen.readings[0]) else photos:
        reading = seen.readings[photo]
        for question in open_checks(seen, photo):
            is_of_place = question.kind in (QuestionKind.ZONE, QuestionKind.MELDS)
            if is_of_place and (not question.choices or any(choice.startswith(place) for choice in question.choices)):
                doubt = 1.0 if question.doubt is None else question.doubt
                cards = (reading.cards[number].card for number in question.cards)
                found |= {card: max(doubt, found.get(card, 0.0)) for card in cards if card is not None}
    return found


def _is_in_no_meld(seen: TurnSeen, card: Card) -> bool:
    """Whether a card of which it is asked where it lies after the turn has no other card beside it."""
    reading, numbers = seen.readings[1], chain.from_iterable(question.cards for question in open_checks(seen, 1))
    own = [reading.cards[n] for n in numbers if reading.cards[n].card == card] + _without_place(seen, card)
    return bool(own) and all(lies_apart(reading, one) for one in own)


def _lies_alone(seen: TurnSeen, card: ReadCard) -> bool:
    """Whether a card without a place surely is one and lies beside no other: so it is in no meld."""
    return card.is_seen_whole and lies_apart(seen.readings[1], card)


def _is_asked(seen: TurnSeen, group: Sequence[Card]) -> bool:
    """Whether it is asked if the cards of a group after the turn lie together."""
    reading = seen.readings[1]
    of_floor = {card for meld in seen.tables[0].floor for card in meld}
    for question in open_checks(seen, 1):
        if question.kind is QuestionKind.MELDS and not _is_weighed(question, reading):
            cards = {reading.cards[number].card for number in question.cards}
            is_of_hand = "hand" in question.choices
            if cards & set(group) and not (is_of_hand and cards <= of_floor):  # else taken up, if they are in the hand
                return True
    return False


def _misses_cards(seen: TurnSeen) -> bool:
    """Whether the second photo shows some cards so badly that others may be missed too."""
    left = [card for card in _open_cards(seen) if card.confidence >= TUNING.left_out_confidence]
    cards = enumerate(seen.readings[1].cards)
    return any(card in left or not card.sights for n, card in cards if n not in seen.settled)
