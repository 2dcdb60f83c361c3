"""The tables that a photo may show as well as the one that was read, each with how likely it is beside that.

A card may lie elsewhere than it was read, where the reading, what lies beside it, or the other photo gives a reason;
and melds may lie as the other photo has them. Each reason is tried on what the others made of the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, NamedTuple

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.melds import all_melds, is_meld
from solver.makiaveli.position import COPIES
from solver.place import NOWHERE, Place
from vision.question import QuestionKind
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn.lying import (
    are_two,
    gap_of,
    going_on_elsewhere,
    is_near,
    left_out,
    lies_with,
    of_hand_at_melds,
    of_hand_beside_melds,
    running_on,
)
from vision.turn.sureness import cross_cards
from vision.turn.tuning import TUNING

Tables = list[tuple[float, Any]]
"""Tables of a photo, each with its log-probability relative to the one that was read."""


class _Move(NamedTuple):
    """A card that may as well lie elsewhere on a table: how likely, the card, where it lies, and where else it may."""

    log: float
    card: Card
    source: Place
    to: Place


_Reason = Callable[[Position, ReadCard], Iterator[_Move]]
"""Where else a card of the photo may lie, the likeliest place first."""


def possible_tables(
    reading: Reading, other: Reading, held: Sequence[Card], laid: Sequence[Position] = ()
) -> list[tuple[float, Any]]:
    """The likely tables of a photo with their log-probabilities relative to the reader's best.

    Args:
        reading: What the photo shows.
        other: What the other photo shows.
        held: The hand at the time of the other photo.
        laid: The tables that it may show if it breaks the rules.
    """
    excess = TUNING.legal_bonus * len(reading.problems)
    there: Any = other.position
    best: Tables = [(0.0, reading.position), *((relative - excess, rival) for relative, rival in rivals(reading))]
    best += _lying_otherwise(best[:1], reading, lambda table, read: _beside_its_meld(table, read, reading))
    best += _joined_from_loose(best[0][1], reading)
    best += [(0.0, table) for table in laid]
    best += _lying_otherwise(best, reading, _rather_none)
    best += _lying_otherwise(best, reading, lambda table, read: _left_out(table, read, reading, there))
    best += [(log + price, again) for log, one in best for price, again in _completed(one, there)]
    is_asked = any(question.kind is QuestionKind.MELDS for question in reading.checks)
    price = TUNING.parted_log_price if is_asked else TUNING.joined_melds_log_price
    for change in (_parted, _joined):
        best += [(log + price + more, again) for log, one in best for more, again in change(one, there)]
    known = Counter(held), Counter(held) + Counter(replace(there, hand=()).cards())
    return [(log + TUNING.vanished_log_price * _vanished(table, reading, *known), table) for log, table in best]


def rivals(reading: Reading) -> list[tuple[float, Any]]:
    """The other readings of a photo that are weighed, with their log-probabilities relative to the best."""
    return sorted(reading.others, key=lambda row: -row[0])[: TUNING.most_readings - 1]


def _lying_otherwise(tables: Tables, reading: Reading, reason: _Reason) -> Tables:
    """The tables with each card, and with all cards, where they may as well lie for a reason."""
    found = []
    for log, table in tables:
        every, total, moved = table, 0.0, 0
        for read in reading.cards:
            found += [(log + move.log, _moved(table, move)) for move in reason(table, read)]
            if (move := next(reason(every, read), None)) is not None:
                every, total, moved = _moved(every, move), total + move.log, moved + 1
        found += [(log + total, every)] if moved > 1 else []
    return found


def _moved(table: Position, move: _Move) -> Position:
    """The table with a card elsewhere."""
    floor, cross, hand = [list(meld) for meld in table.floor], list(table.cross), list(table.hand)
    piles = {Place("floor", n): meld for n, meld in enumerate(floor)} | {Place("hand"): hand, NOWHERE: [move.card]}
    if move.source.kind == "cross":
        cross[move.source.ordinal] = None
    else:
        piles[move.source].remove(move.card)
    if move.to.kind == "cross":
        cross[cross.index(None)] = move.card
    else:
        piles[move.to].append(move.card)
    return replace(table, floor=tuple(map(tuple, floor)), cross=tuple(cross), hand=tuple(hand))


def _lies_at(table: Position, read: ReadCard) -> Place | None:
    """Where a card that was read in the cross or on the floor lies on a table: there, or in another meld."""
    if read.place.kind == "cross":
        return read.place if table.cross[read.place.ordinal] == read.card else None
    holds = [n for n, meld in enumerate(table.floor) if read.card in meld and read.place.kind == "floor"]
    return Place("floor", min(holds, key=lambda n: n != read.place.number)) if holds else None


def _beside_its_meld(table: Position, read: ReadCard, reading: Reading) -> Iterator[_Move]:
    """A single card in the meld beside it that it fits; or nowhere, upon its like: the same card seen twice."""
    shown: Any = reading.position
    groups = shown.floor
    if read.card is None or not _is_single(read, groups) or (read.card,) not in table.floor:
        return
    gaps = [(gap_of(card, read), card) for card in reading.cards if card is not read]
    near = [(gap, card) for gap, card in gaps if gap < TUNING.near_card_widths]
    as_near = TUNING.as_near_factor * min((gap for gap, _ in near), default=0.0)
    beside = [set(groups[card.place.ordinal]) for gap, card in near if gap < as_near and card.place.kind == "floor"]
    by_size = sorted(range(len(table.floor)), key=lambda n: len(table.floor[n]))
    holds = Counter(next((n for n in by_size if group <= set(table.floor[n])), None) for group in beside)
    fits = [n for n in by_size if holds[n] and len(table.floor[n]) > 1 and is_meld((*table.floor[n], read.card))]
    source = Place("floor", table.floor.index((read.card,)))
    alike = [card for gap, card in near if card.card == read.card and gap < TUNING.same_card_widths]
    if alike and not any(are_two(read, card, reading) for card in alike):
        yield _Move(TUNING.loose_log_price, read.card, source, NOWHERE)
    elif fits:
        yield _Move(TUNING.loose_log_price, read.card, source, Place("floor", max(fits, key=holds.__getitem__)))


def _is_single(read: ReadCard, groups: Sequence[Sequence[Card]]) -> bool:
    """Whether a card was read as a group of its own."""
    return read.place.kind == "floor" and len(groups[read.place.ordinal]) == 1


def _rather_none(table: Position, read: ReadCard) -> Iterator[_Move]:
    """A card nowhere that is rather none."""
    source = _lies_at(table, read)
    if read.may_be_none and read.card is not None and source is not None:
        yield _Move(math.log(1 / max(read.chance_of_any, 1e-3) - 1), read.card, source, NOWHERE)


def _left_out(table: Position, read: ReadCard, reading: Reading, there: Position) -> Iterator[_Move]:
    """A card that the reader left out in the hand, or in the group beside it; or in the cross as in the other photo."""
    if read.card is None or read.place != NOWHERE or read not in left_out(table, reading):
        return
    beside = lies_with(reading, read)
    near = [] if beside is None else [n for n, meld in enumerate(table.floor) if beside.card in meld]
    if beside is not None and beside.place.kind == "hand":
        yield _Move(_log_odds_of_left_out(read), read.card, NOWHERE, Place("hand"))
    elif beside is not None and beside.place.kind == "floor" and near:
        yield _Move(_log_odds_of_left_out(read), read.card, NOWHERE, _meld_around(table, read, near, reading))
    of_floor = beside is not None and beside.place.kind == "floor"
    if (cross_cards(there) - cross_cards(table))[read.card] and None in table.cross and not of_floor:
        yield _Move(-TUNING.left_out_log_price, read.card, NOWHERE, Place("cross"))


def _meld_around(
    table: Position, read: ReadCard, numbers: Sequence[int], reading: Reading, beside: Place = NOWHERE
) -> Place:
    """Of some groups, the one of which most cards lie near a card; of equals the one that was read beside it."""
    group = Counter(card.card for card in reading.cards if card.place == beside and card.card is not None)
    near = {n: sum(is_near(reading, read, card) for card in table.floor[n]) for n in numbers}
    alike = {n: (Counter(table.floor[n]) & group).total() for n in numbers}
    return Place("floor", max(numbers, key=lambda n: (near[n], alike[n] - len(table.floor[n]))))


def _log_odds_of_left_out(card: ReadCard) -> float:
    """The log-odds that a card which the reader left out is one."""
    if card.is_seen_whole:
        return -TUNING.seen_whole_log_price
    chance = max(card.confidence, card.by_looks, 1e-3)
    return -TUNING.left_out_log_price if chance >= TUNING.left_out_confidence else math.log(chance / (1 - chance))


def _joined_from_loose(table: Position, reading: Reading) -> Iterator[tuple[float, Position]]:
    """The table with its single cards on the floor in one meld, if they make one and lie together."""
    loose = [read for read in reading.cards if _is_single(read, table.floor)]
    cards = tuple(read.card for read in loose if read.card is not None)
    if is_meld(cards) and all(any(gap_of(a, b) < TUNING.near_card_widths for a in loose if a is not b) for b in loose):
        yield TUNING.loose_log_price, replace(table, floor=(*(meld for meld in table.floor if len(meld) > 1), cards))


def _vanished(table: Position, reading: Reading, held: Counter[Card], known: Counter[Card]) -> int:
    """How many cards of a hand, all cards being known, a table lacks though its photo shows them: they were played."""
    left = left_out(table, reading)
    seen = Counter(c.card for c in left if c.card is not None and c.confidence >= TUNING.left_out_confidence)
    return ((known - Counter(table.cards())) & held & seen).total()


def _completed(position: Position, there: Position) -> Iterator[tuple[float, Position]]:
    """The table with the groups that are no melds made melds of which they are a part, with cards that were missed.

    They are the melds of the other photo, or what is left of those without the cards that lie elsewhere now.
    """
    floor, price = list(position.floor), 0.0
    gone = Counter(replace(there, hand=()).cards()) - Counter(replace(position, hand=()).cards())
    alike = Counter(tuple(sorted(meld)) for meld in position.floor)
    for meld in (Counter(tuple(sorted(meld)) for meld in there.floor) - alike).elements():
        parts = [group for group in floor if not is_meld(group) and not Counter(group) - Counter(meld)]
        shown = Counter(chain.from_iterable(parts))
        lacking = Counter(meld) - shown
        for missed in (lacking & gone, lacking):
            whole = tuple((shown + missed).elements())
            if parts and missed and is_meld(whole) and not shown - Counter(meld):
                floor = [group for group in floor if group not in parts] + [whole]
                price += TUNING.missed_log_price * missed.total()
                break
    table = replace(position, floor=tuple(floor))
    if price and max(Counter(table.cards()).values()) <= COPIES:
        yield price, table


def _parted(table: Position, there: Position) -> Iterator[tuple[float, Position]]:
    """The table with a meld parted into two that lie in the other photo; a card of both may cover its like."""
    for number, meld in enumerate(table.floor):
        parts = [part for part in there.floor if set(part) < set(meld)]
        for first, second in combinations(parts, 2):
            again = replace(table, floor=(*table.floor[:number], first, second, *table.floor[number + 1 :]))
            if {*first, *second} == set(meld) and max(Counter(again.cards()).values()) <= COPIES:
                yield TUNING.missed_log_price * (len(first) + len(second) - len(meld)), again


def _joined(table: Position, there: Position) -> Iterator[tuple[float, Position]]:
    """The table with two melds in one, of which a part that lies in both is one meld in the other photo."""
    for first, second in pairs_over(there, table):
        rest = (meld for n, meld in enumerate(table.floor) if n not in (first, second))
        yield 0.0, replace(table, floor=(*rest, (*table.floor[first], *table.floor[second])))


def pairs_over(whole: Position, parts: Position) -> set[tuple[int, int]]:
    """The pairs of melds that are one together, and over which goes one meld of the other table, no second."""
    alike = {tuple(sorted(meld)) for meld in whole.floor} & {tuple(sorted(meld)) for meld in parts.floor}
    melds = [Counter(meld) for meld in whole.floor if tuple(sorted(meld)) not in alike]
    groups = {n: Counter(meld) for n, meld in enumerate(parts.floor) if tuple(sorted(meld)) not in alike}
    found = set()
    for meld in melds:
        over = [n for n, group in groups.items() if group & meld and meld - group]
        for pair in combinations(over, 2):
            both = groups[pair[0]] + groups[pair[1]]
            if (meld - both and both - meld) or not is_meld(tuple(both.elements())):
                continue
            if all(other - (both - meld) for other in melds):  # else a card only changed sides
                found.add(pair)
    return found


def with_hand_apart(tables: Tables, before: Position, reading: Reading) -> Tables:
    """The second tables, and how they are if cards lie in the hand, or melds on the floor, that were read elsewhere.

    A card of the cross beside a meld is rather of that.
    """
    crossed = [read for read in reading.cards if read.place.kind == "cross" and read.card is not None]
    beside = [(read.card, lies_with(reading, read)) for read in crossed]
    of_meld = Counter(card for card, near in beside if card and near is not None and near.place.kind == "floor")
    price = TUNING.by_hand_log_price
    return tables + [(log + price, again) for log, one in tables for again in _with_hand_apart(one, before, of_meld)]


def _with_hand_apart(table: Position, before: Position, of_meld: Counter[Card]) -> Iterator[Position]:
    """The table with cards in the hand that seem to lie in the cross, or as a group, and with melds of the hand laid.

    A card that left its meld was not in the hand. With cards that were played it may have made a new meld, beside which
    the rest of the hand lies: what lies by itself as a hand is one. A lone card is left alone: what lies beside it
    tells more.
    """
    held, lay = Counter(table.hand), {tuple(sorted(meld)) for meld in before.floor}
    left = Counter(chain.from_iterable(before.floor)) - Counter(chain.from_iterable(table.floor))
    if of_hand := cross_cards(table) - cross_cards(before) - left - of_meld:
        cross = list(table.cross)
        for card in of_hand.elements():
            cross[cross.index(card)] = None
        yield replace(table, cross=tuple(cross), hand=(*table.hand, *of_hand.elements()))
    for n, group in enumerate(table.floor):
        if len(group) > 1 and not is_meld(group) and not Counter(group) - Counter(before.hand):
            floor = (*table.floor[:n], *table.floor[n + 1 :])
            yield replace(table, floor=floor, hand=(*table.hand, *group))
    of_floor = set(left & (held - Counter(before.hand)))
    melds = [meld for meld in all_melds() if of_floor.intersection(meld) and held.keys() >= set(meld)]
    melds = [meld for meld in melds if len(meld) < len(table.hand) or tuple(sorted(meld)) in lay]
    for meld in melds:
        if not any(of_floor.intersection(meld) < of_floor.intersection(other) for other in melds):
            hand = tuple((held - Counter(meld)).elements())
            yield replace(table, floor=(*table.floor, meld), hand=hand)


def with_cards_upon_melds(rows: Tables, first: Reading, reading: Reading, settled: Collection[int]) -> Tables:
    """The tables, and how they are if cards of the hand that lie upon melds, or go on with them, are of those.

    A card that is new in the cross may go on with a meld, too. What lay so before the turn tells nothing.
    """
    found, still = [], of_hand_at_melds(first)
    for log, table in rows:
        upon = of_hand_beside_melds(table, reading, settled)
        if len(upon) == len(table.hand):
            upon = []  # a hand that lies beside a meld, or none
        upon = [pair for pair in upon if reading.cards[pair[0]].card not in still]
        upon = list(dict([*upon, *running_on(table, reading, first, still, settled)]).items())
        found.append((log + TUNING.upon_log_price * len(upon), table))
        found += [(log, _with_each(table, upon, reading))] if upon else []
    strays = [(going_on_elsewhere(table, reading, settled), log, table) for log, table in found]
    found = [(log + TUNING.elsewhere_log_price * len(stray), table) for stray, log, table in strays]
    return found + [(log, _with_each(table, stray, reading)) for stray, log, table in strays if stray]


def _with_each(table: Position, pairs: Collection[tuple[int, int]], reading: Reading) -> Position:
    """The table with cards in the melds of others, both by their numbers in the reading."""
    for number, beside in pairs:
        read, other = reading.cards[number], reading.cards[beside]
        source = read.place if read.place.kind == "hand" and read.card in table.hand else _lies_at(table, read)
        holds = [
            n for n, meld in enumerate(table.floor) if _is_of(other, meld, reading) and Place("floor", n) != source
        ]
        if read.card is not None and holds and source is not None:
            to = _meld_around(table, read, holds, reading, other.place)
            table = _moved(table, _Move(0.0, read.card, source, to))
    return replace(table, floor=tuple(meld for meld in table.floor if meld))


def _is_of(read: ReadCard, meld: Sequence[Card], reading: Reading) -> bool:
    """Whether a card, and no copy of it elsewhere, is of a meld: another one of that lies near."""
    return read.card in meld and any(is_near(reading, read, card) for card in meld if card != read.card)


def keeps(table: Position, reading: Reading, settled: Collection[int]) -> bool:
    """Whether all settled cards lie on a table where the reading has them; a meld of such cards only is whole."""
    shown: Any = reading.position
    told: dict[Place, Counter[Card]] = {}
    for number in settled:
        card = reading.cards[number]
        if card.card is not None:
            told.setdefault(card.place, Counter())[card.card] += 1
    melds = [Counter(meld) for meld in table.floor]
    elsewhere = {"hand": Counter(table.hand), "cross": cross_cards(table)}
    for place, cards in told.items():
        if place.kind == "floor":
            is_whole = Counter(shown.floor[place.number]) == cards
            if not any(meld == cards if is_whole else not cards - meld for meld in melds):
                return False
        elif cards - elsewhere.get(place.kind, cards):
            return False
    return True
