"""Was a turn legal? Told from two photos where it is sure, whatever else is open.

A turn that keeps the rules is the rule: a card that was missed, or whose place was misread, explains most that breaks
them. So what breaks a rule counts only where nothing of that can be behind it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from solver.cards import DECK, Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import FaultKind, say_fault
from solver.makiaveli.melds import is_meld
from vision.confidence import WHOLE_STANDS_FROM
from vision.question import Question, QuestionKind
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn.lying import left_out, of_hand_at_melds, running_on
from vision.turn.possible_tables import rivals
from vision.turn.seen import (
    TurnSeen,
    asked_places,
    beside_melds,
    broken,
    cards_missed,
    count_told,
    doubt_of,
    dropped,
    is_cut,
    is_in_no_meld,
    is_no_part,
    is_told_whole,
    laid,
    lookalike,
    lost_from_hand,
    may_be_there,
    may_lie_in_hand,
    misses_cards,
    off_cross,
    open_cards,
    open_checks,
    put_right,
    strange,
    unheld,
    would_be_meld,
)
from vision.turn.sureness import chance_of_change

MOST_STRANGE = 1
"""More cards that are not of the hand are hardly played at once: the photo before shows less, or they were missed."""


def tell_legality(seen: TurnSeen) -> bool | None:
    """Whether the turn was legal; None where that is not sure."""
    if any(reading.readable.reasons for reading in seen.readings) or broken(seen.tables[0]):
        return None
    if not seen.found.is_legal:
        return False if tell_faults(seen) else None
    return True if seen.agree * _chance_of_legal(seen) >= WHOLE_STANDS_FROM else None


def tell_faults(seen: TurnSeen) -> tuple[str, ...]:
    """Why a turn was surely not legal, a sentence each; what hangs on a question is not told."""
    faults = _chances_of_faults(seen)
    sure = ((kind, cards) for chance, kind, cards in faults if seen.agree * chance >= WHOLE_STANDS_FROM)
    return tuple(dict.fromkeys(say_fault(kind, cards) for kind, cards in sure))


def _chance_of_legal(seen: TurnSeen) -> float:
    """Probability that the cards are those of a legal turn: they were read right, and one of the hand was played."""
    if open_cards(seen) or dropped(seen) or lost_from_hand(seen) or unheld(seen):
        return 0.0
    if beside_melds(seen) or _lies_in_meld_as_another(seen):
        return 0.0
    asked = asked_places(seen)
    of_hand = max((1 - asked.get(card, 0.0) for card in seen.found.played), default=0.0)
    return chance_of_change(seen.readings, seen.sureness) * math.prod(_chances_of_places(seen)) * of_hand


def _lies_in_meld_as_another(seen: TurnSeen) -> bool:
    """Whether a card that is in the hand after the turn was read in a meld, where the rules made another one of it."""
    cards = seen.readings[1].cards
    shown = Counter(card.card for card in cards if card.place.kind != "floor" and card.card is not None)
    held = Counter(seen.tables[1].hand) - shown
    put_right = (card for card in cards if card.why and card.place.kind == "floor")
    return any(other in held for card in put_right for other, _ in card.alternatives)


def _chances_of_places(seen: TurnSeen) -> Iterator[float]:
    """Of each question where cards lie that leaves the turn open, the probability that they lie as it was read."""
    of_table = Counter(seen.tables[0].cards()) - Counter(seen.tables[0].hand)
    for photo, reading in enumerate(seen.readings):
        for question in open_checks(seen, photo):
            cards = [reading.cards[number] for number in question.cards]
            if question.kind is QuestionKind.ZONE:
                is_taken_up = photo == 1 and any(_may_leave(seen, card, question, of_table) for card in cards)
                yield 1 - doubt_of(question) if is_taken_up or question.doubt is None else 1.0
            elif photo == 1 and question.doubt is not None and "other melds" in question.choices:  # else of a gap alone
                is_settled = _lay_together(cards, seen.tables[0]) or _is_weighed(question, reading)
                yield 1.0 if is_settled else 1 - question.doubt


def _is_weighed(question: Question, reading: Reading) -> bool:
    """Whether a rival reading has the cards of a question in other melds: what follows from that is weighed then."""
    asked = sorted(reading.cards[number].text for number in question.cards)
    if "other melds" not in question.choices:
        return False
    return any(asked not in [sorted(map(str, meld)) for meld in table.floor] for _, table in rivals(reading))


def _lay_together(cards: Iterable[ReadCard], table: Position) -> bool:
    """Whether cards are part of one meld of a table."""
    return any({card.card for card in cards} <= set(meld) for meld in table.floor)


def _may_leave(seen: TurnSeen, read: ReadCard, question: Question, of_table: Mapping[Card, int]) -> bool:
    """Whether a card on the table, where it also lay before, may by a question have been taken up or put elsewhere."""
    table = seen.tables[1]
    if read.card is None or read.place.kind == "hand" or not of_table.get(read.card):
        return False
    if read.place.kind == "cross" and read.card in table.hand and table.cross[read.place.ordinal] != read.card:
        return False  # it lies in the hand on the likely table, too
    return any(choice.split("/")[0] != read.place.kind for choice in question.choices)


def _chances_of_faults(seen: TurnSeen) -> Iterator[tuple[float, FaultKind, tuple[Card, ...]]]:
    """Probability of each fault that it is one, of which kind it is, and which cards show it."""
    found, asked = seen.found, asked_places(seen)
    is_hidden = misses_cards(seen) or bool(cards_missed(seen, 1))
    may_lack = is_hidden or is_cut(seen)
    of_floor = {card for meld in seen.tables[0].floor for card in meld}
    of_cross = Counter(found.gone) & off_cross(seen)
    for card in found.gone:
        if not may_be_there(seen, card):
            off_floor = FaultKind.TAKEN_UP if card in seen.tables[1].hand else FaultKind.OFF_FLOOR
            kind, doubt = FaultKind.OFF_CROSS if of_cross[card] else off_floor, asked.get(card, 0.0)
            if card in of_floor and is_in_no_meld(seen, card):
                kind, doubt = FaultKind.OFF_MELDS, 0.0  # in a hand or on the floor, it is in no meld
            yield (1 - doubt) * _sureness_of_gone(seen, card), kind, (card,)
    on_floor = asked_places(seen, "floor")
    for card in of_floor.intersection(laid(seen)):
        if _may_be_its_lookalike(seen, card):
            continue  # and this one lay in the cross before, too
        kind = FaultKind.OFF_MELDS if may_lie_in_hand(seen) else FaultKind.LAID
        yield (1 - on_floor.get(card, 0.0)) * _sureness_of(seen, card, 0), kind, (card,)
    groups = broken(seen.tables[1])
    for group in groups if len(groups) == 1 else ():  # of several, some rather lie otherwise than they were read
        is_whole = (len(group) > 1 and not may_lack) or is_no_part(seen, group)
        is_whole |= is_told_whole(seen, group) or (count_told(seen, group) > 0 and not would_be_meld(group, DECK))
        if is_whole and (together := _chance_together(seen, group)):
            sure = together * math.prod(_sureness_of(seen, card, 1) for card in group)
            yield sure * _chance_of_group(seen, group), FaultKind.BROKEN, tuple(sorted(group))
    if not found.played and not is_hidden:
        as_read = math.prod(1 - doubt for doubt in asked.values())
        yield as_read * chance_of_change(seen.readings, seen.sureness), FaultKind.NOTHING, ()
    of_no_hand = strange(seen)
    for card in of_no_hand if len(of_no_hand) <= MOST_STRANGE and not is_cut(seen) else ():
        may_be_another = _lies_with_unseen(seen, card) or any(read.card == card for read in put_right(seen))
        may_be_gone = any(card.rank == other.rank or card.suit == other.suit for other in found.gone)
        if not (may_be_gone or may_be_overlooked(seen, card) or may_be_another):
            yield _sureness_of(seen, card, 1), FaultKind.STRANGE, (card,)


def _chance_of_group(seen: TurnSeen, group: Sequence[Card]) -> float:
    """Probability that the cards of a group that were read in hand or cross lie in it, as far as that is asked."""
    second, (first, reading) = seen.tables[1], seen.readings
    moved = dict[int, Position]()
    for number, read in enumerate(reading.cards):
        if read.card is None or read.card not in group or read.card not in seen.found.played:
            continue
        if read.place.kind == "hand" and read.card not in second.hand:
            moved[number] = replace(second, hand=(*second.hand, read.card))
        if read.place.kind == "cross" and second.cross[read.place.ordinal] != read.card:
            place = read.place.ordinal
            moved[number] = replace(second, cross=(*second.cross[:place], read.card, *second.cross[place + 1 :]))
    still = of_hand_at_melds(first)
    runs_on = {n for n, as_read in moved.items() if n in dict(running_on(as_read, reading, first, still))}
    open_ones = moved.keys() - {*seen.settled} - runs_on
    asked = (one for one in reading.checks if one.kind is QuestionKind.ZONE and open_ones & set(one.cards))
    return math.prod(doubt_of(question) for question in asked)


def _may_be_its_lookalike(seen: TurnSeen, card: Card) -> bool:
    """Whether the first photo may show a card's lookalike in its meld: that one is new on the floor after the turn.

    In a run all cards were misread then.
    """
    before, after = (Counter(card for meld in table.floor for card in meld) for table in seen.tables)
    new = after - before
    if (other := lookalike(card, new)) is None:
        return False
    return any(
        is_meld([other if one == card else one for one in meld]) or all(lookalike(one, new) for one in meld)
        for meld in seen.tables[0].floor
        if card in meld
    )


def may_be_overlooked(seen: TurnSeen, card: Card) -> tuple[Card, ...]:
    """As what the first photo, which does not tell of a card, may show it all the same: cards that were left out."""
    others = [read.card for read in left_out(seen.tables[0], seen.readings[0]) if read.card is not None]
    return tuple(other for other in others if card.rank == other.rank or card.suit == other.suit)


def _lies_with_unseen(seen: TurnSeen, card: Card) -> bool:
    """Whether a card lies after the turn in a meld that was taken to hold another one unseen: it may be that one."""
    cards = seen.readings[1].cards
    return any(
        read.card == card and not other.sights and other.place == read.place for read in cards for other in cards
    )


def _sureness_of(seen: TurnSeen, card: Card, photo: int) -> float:
    """How sure it is that the photo shows a card: the surest of its copies there, of those that changed if one did."""
    reading = seen.readings[photo]
    copies = [n for n, read in enumerate(reading.cards) if read.card == card]
    changed = [seen.sureness[photo, n] for n in copies if (photo, n) in seen.sureness]
    return max(changed or [reading.cards[n].confidence for n in copies], default=0.0)


def _sureness_of_gone(seen: TurnSeen, card: Card) -> float:
    """How sure it is that a card of the first photo is not on the second table, whatever card it is.

    One that is new in the hand is rather one that was misread on the first table, and in the wrong place on the second.
    """
    new = {*seen.found.played, *(Counter(seen.tables[1].cards()) - Counter(seen.tables[0].cards()))}
    is_of_cross = off_cross(seen)[card] > 0
    copies = [c for c in seen.readings[0].cards if c.card == card and (c.place.kind == "cross") == is_of_cross]
    others = [sum(chance for other, chance in c.alternatives if other not in new) for c in copies]
    return min(1.0, _sureness_of(seen, card, 0) + min(others, default=0.0))


def _chance_together(seen: TurnSeen, group: Sequence[Card]) -> float:
    """Probability that the cards of a group after the turn lie together, as far as it is asked."""
    reading, chance = seen.readings[1], 1.0
    of_floor = {card for meld in seen.tables[0].floor for card in meld}
    for question in open_checks(seen, 1):
        if question.kind is QuestionKind.MELDS and not _is_weighed(question, reading):
            cards = {reading.cards[number].card for number in question.cards}
            is_of_hand = "hand" in question.choices
            if cards & set(group) and not (is_of_hand and cards <= of_floor):  # else taken up, if they are in the hand
                chance *= 1 - doubt_of(question)
    return chance
