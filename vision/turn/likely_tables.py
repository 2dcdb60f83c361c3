"""The two tables that go together best: of the likely readings of two photos of one turn, with what may lie otherwise.

A turn changes little and keeps the rules nearly always, so each photo helps to read the other one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import Comparison, compare
from solver.makiaveli.melds import all_melds, is_meld
from solver.makiaveli.position import COPIES
from solver.place import Place
from vision.confidence import WHOLE_STANDS_FROM
from vision.question import QuestionKind
from vision.read_card import ReadCard
from vision.reading import Reading
from vision.turn.sureness import cross_cards
from vision.turn.tuning import TUNING

_Rows = list[tuple[float, Any]]


@dataclass(frozen=True, slots=True)
class LikelyTurn:
    """What most likely happened between two photos.

    Attributes:
        before: The table before the turn.
        after: The table after it.
        found: What happened between them.
        chance: Probability that just this did.
        agree: Probability that the verdict on its legality is this one.
    """

    before: Position
    after: Position
    found: Comparison
    chance: float
    agree: float


def likely_turn(
    before: Reading,
    after: Reading,
    hand: Sequence[Card] | None,
    laid: Sequence[Position] = (),
    settled: Collection[int] = (),
) -> LikelyTurn:
    """The two tables that go together best, and what happened between them.

    Args:
        before: The reading of the first photo.
        after: The reading of the second.
        hand: The player's hand before the turn, if it was named.
        laid: The tables that the second may show if it breaks the rules.
        settled: Numbers of the cards after the turn of which a person has told where they lie.
    """
    shown: Any = before.position
    left: Any = after.position
    held = shown.hand if hand is None else hand
    rows = _candidates(before, after, left.hand), _candidates(after, before, held, laid)
    if not is_off_photo(hand, before):
        rows = _with_hands_apart(rows, (before, after))
    rows = rows[0], _with_hand_upon_melds(rows[1], after, settled)
    kept = [row for row in rows[1] if _keeps(row[1], after, settled)] if settled else []
    rows = _likeliest(rows[0]), _likeliest(kept or rows[1])
    weighed: list[tuple[float, Position, Position, Comparison]] = []
    for bound, first, second in sorted(_bounded(*rows, hand), key=lambda row: -row[0]):
        if weighed and bound < max(row[0] for row in weighed) - TUNING.negligible_log_odds:
            break
        found = compare(first, second, hand)
        weighed.append((bound + TUNING.moved_log_price * len(found.moved), first, second, found))
    best = max(weighed, key=lambda row: row[0])
    total = same = agree = 0.0
    for log, _, _, found in weighed:
        weight = math.exp(log - best[0])
        total += weight
        same += weight if _told(found) == _told(best[3]) else 0.0
        agree += weight if found.is_legal == best[3].is_legal else 0.0
    return LikelyTurn(*best[1:], same / total, agree / total)


def is_off_photo(hand: Sequence[Card] | None, before: Reading) -> bool:
    """Whether a hand was named that does not lie in the photo before the turn: then no photo shows one."""
    return hand is not None and all(card.place.kind != "hand" for card in before.cards)


def _keeps(table: Position, reading: Reading, settled: Collection[int]) -> bool:
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


def _bounded(before: _Rows, after: _Rows, hand: Sequence[Card] | None) -> Iterator[tuple[float, Position, Position]]:
    """All pairs of tables, with how likely each is if nothing moved."""
    for (log_first, first), (log_second, second) in product(before, after):
        yield log_first + log_second + _log_prior(first, second, hand), first, second


def _told(found: Comparison) -> tuple[Any, ...]:
    """What is said of a turn."""
    return found.played, found.gone, found.moved, found.faults


def _candidates(
    reading: Reading, other: Reading, held: Sequence[Card], laid: Sequence[Position] = ()
) -> list[tuple[float, Any]]:
    """The likely tables of a photo with their log-probabilities relative to the reader's best.

    Args:
        reading: What the photo shows.
        other: What the other photo shows.
        held: The hand at the time of the other photo.
        laid: The tables that it may show if it breaks the rules.
    """
    position: Any = reading.position
    excess = TUNING.legal_bonus * len(reading.problems)
    best = [(0.0, position), *((relative - excess, rival) for relative, rival in rivals(reading))]
    if reading.problems:
        best += [(log, again) for log, again in _with_loose_cards_placed(reading)]
        best += [(TUNING.loose_log_price, again) for again in _with_loose_cards_joined(reading)]
    best += [(0.0, table) for table in laid]
    best += [(log + odds, again) for log, one in best for odds, again in _without_doubted(one, reading)]
    best += [(log + price, again) for log, one in best for price, again in _with_left_out_placed(one, reading)]
    best += [
        (log - TUNING.left_out_log_price, again) for log, one in best for again in _with_cross(one, reading, other)
    ]
    best += [(log + price, again) for log, one in best for price, again in _completed(one, other)]
    if not structure_stands(reading):
        price = TUNING.regrouped_log_price
        best += [(log + price, again) for log, one in best for again in _cross_in_melds(one, reading)]
    is_asked = any(question.kind is QuestionKind.MELDS for question in reading.checks)
    if is_asked:
        best += [(log + TUNING.parted_log_price, again) for log, one in best for again in _parted(one, other)]
    price = TUNING.parted_log_price if is_asked else TUNING.joined_melds_log_price
    best += [(log + price, again) for log, one in best for again in _joined(one, other)]
    there: Any = other.position
    known = Counter(held), Counter(held) + Counter(replace(there, hand=()).cards())
    return [(log + TUNING.vanished_log_price * _vanished(table, reading, *known), table) for log, table in best]


def rivals(reading: Reading) -> list[tuple[float, Any]]:
    """The other readings of a photo that are weighed, with their log-probabilities relative to the best."""
    return sorted(reading.others, key=lambda row: -row[0])[: TUNING.most_readings - 1]


def _without_doubted(position: Position, reading: Reading) -> Iterator[tuple[float, Position]]:
    """The table without each card that is rather none, and without them all, with the log-odds that there is none."""
    doubted = doubted_cards(reading)
    for none in [[card] for card in doubted] + [doubted] * (len(doubted) > 1):
        log, table = 0.0, position
        for card in none:
            without = _without(table, card)
            log += math.log(1 / max(card.chance_of_any, 1e-3) - 1) if without != table else 0.0
            table = without
        if table != position:
            yield log, table


def doubted_cards(reading: Reading) -> list[ReadCard]:
    """The cards on a table that are rather none."""
    return [card for card in reading.cards if card.may_be_none and card.place.kind != "hand"]


def _without(position: Position, read: ReadCard) -> Position:
    """The table without a card of its floor or of its cross, if it lies there."""
    if read.place.kind == "cross":
        cross = tuple(
            None if (n, card) == (read.place.number, read.card) else card for n, card in enumerate(position.cross)
        )
        return replace(position, cross=cross)
    holds = [n for n, meld in enumerate(position.floor) if read.card in meld]
    if not holds:
        return position
    number = min(holds, key=lambda n: n != read.place.number)
    at = position.floor[number].index(read.card)
    meld = (*position.floor[number][:at], *position.floor[number][at + 1 :])
    return replace(position, floor=(*position.floor[:number], meld, *position.floor[number + 1 :]))


def _vanished(table: Position, reading: Reading, held: Counter[Card], known: Counter[Card]) -> int:
    """How many cards of a hand, all cards being known, a table lacks though its photo shows them: they were played."""
    left = left_out(table, reading)
    seen = Counter(c.card for c in left if c.card is not None and c.confidence >= TUNING.left_out_confidence)
    return ((known - Counter(table.cards())) & held & seen).total()


def _with_loose_cards_placed(reading: Reading) -> list[tuple[float, Any]]:
    """The table with its single cards on the floor where they probably belong.

    One beside a meld that it fits was taken for a lone one; one that lies upon its like is the same card seen twice.
    """
    position: Any = reading.position
    log, floor = 0.0, dict(enumerate(position.floor))
    for loose in reading.cards:
        number = _meld_of(loose)
        if loose.card is None or number is None or floor.get(number) != (loose.card,):
            continue
        near = [(_gap(card, loose), card) for card in reading.cards if card is not loose]
        near = [(gap, card) for gap, card in near if gap < TUNING.near_card_widths]
        if any(card.card == loose.card and gap < TUNING.same_card_widths for gap, card in near):
            del floor[number]
        elif (best := _nearest_fit(loose.card, floor, near)) is not None:
            floor[best] = (*floor[best], loose.card)
            del floor[number]
        else:
            continue
        log += TUNING.loose_log_price
    return [(log, replace(position, floor=tuple(floor.values())))] if log else []


def _with_loose_cards_joined(reading: Reading) -> Iterator[Position]:
    """The table with its single cards on the floor in one meld, if they make one and lie together."""
    position: Any = reading.position
    loose = [
        card
        for card in reading.cards
        if (number := _meld_of(card)) is not None and position.floor[number] == (card.card,)
    ]
    gaps = [min((_gap(other, card) for other in loose if other is not card), default=math.inf) for card in loose]
    cards = tuple(card.card for card in loose if card.card is not None)
    if is_meld(cards) and max(gaps) < TUNING.near_card_widths:
        yield replace(position, floor=(*(meld for meld in position.floor if len(meld) > 1), cards))


def _nearest_fit(
    card: Card, floor: Mapping[int, tuple[Card, ...]], near: Sequence[tuple[float, ReadCard]]
) -> int | None:
    """The number of the meld that a single card fits, and of which a card lies as near as the nearest one."""
    least = min((gap for gap, _ in near), default=0.0)
    beside = Counter(_meld_of(other) for gap, other in near if gap < TUNING.as_near_factor * least)
    fits = [n for n in floor if beside[n] and len(floor[n]) > 1 and is_meld((*floor[n], card))]
    return max(fits, key=beside.__getitem__, default=None)


def _meld_of(read: ReadCard) -> int | None:
    """The number of the group on the floor in which a card lies."""
    return read.place.number if read.place.kind == "floor" else None


def _with_left_out_placed(position: Position, reading: Reading) -> Iterator[tuple[float, Position]]:
    """The table with the cards that the reader left out where they lie: in the hand, or in the group beside them."""
    log, hand, floor = 0.0, position.hand, list(position.floor)
    for card in left_out(position, reading):
        beside = lies_with(reading, card)
        assert card.card is not None, "what is left out was read"
        if beside is None:
            return
        if beside.place.kind == "hand":
            hand = (*hand, card.card)
        else:
            near = [n for n, meld in enumerate(floor) if beside.card in meld]
            if beside.place.kind != "floor" or not near:
                return
            n = max(near, key=lambda n: sum(_is_near(reading, card, other) for other in floor[n]))
            floor[n] = (*floor[n], card.card)
        log += _log_odds_of_left_out(card)
    if log:
        yield log, replace(position, hand=hand, floor=tuple(floor))


def _log_odds_of_left_out(card: ReadCard) -> float:
    """The log-odds that a card which the reader left out is one."""
    if card.is_seen_whole:
        return -TUNING.seen_whole_log_price
    chance = max(card.confidence, card.by_looks, 1e-3)
    return -TUNING.left_out_log_price if chance >= TUNING.left_out_confidence else math.log(chance / (1 - chance))


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
    return any(_is_near(reading, read, other, near) for read in own for other in others)


def _with_cross(position: Position, reading: Reading, other: Reading) -> Iterator[Position]:
    """The table with each card that the reader left out in the cross, if it lies there in the other photo."""
    there: Any = other.position
    lacking = cross_cards(there) - cross_cards(position)
    for card in dict.fromkeys(read.card for read in left_out(position, reading)):
        if card is not None and lacking[card] and None in position.cross:
            cross = list(position.cross)
            cross[cross.index(None)] = card
            yield replace(position, cross=tuple(cross))


def _is_near(reading: Reading, card: ReadCard, other: Card, near: float = TUNING.near_card_widths) -> bool:
    """Whether a card of that face lies near a card."""
    return any(one.card == other and _gap(one, card) < near for one in reading.cards)


def _completed(position: Position, other: Reading) -> Iterator[tuple[float, Position]]:
    """The table with the groups that are no melds made melds of which they are a part, with cards that were missed.

    They are the melds of the other photo, or what is left of those without the cards that lie elsewhere now.
    """
    there: Any = other.position
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


def missed(position: Position, reading: Reading) -> tuple[Card, ...]:
    """The cards of a table that its photo does not show."""
    there: Any = reading.position
    placed = sum(card.place.kind == "none" for card in reading.cards) - len(left_out(position, reading))
    if len(position.cards()) <= len(there.cards()) + placed:
        return ()  # another reading of the same cards
    shown = Counter[Card](there.cards())
    shown |= Counter(card.card for card in reading.cards if card.card is not None)
    return tuple(sorted((Counter(position.cards()) - shown).elements()))


def left_out(position: Position, reading: Reading) -> list[ReadCard]:
    """The cards that a photo shows, but that are at no place of a table; not those that are one seen twice."""
    there = Counter(position.cards())
    found = []
    for card in unplaced(position, reading):
        is_twice = any(_is_seen_twice(card, other) for other in reading.cards)
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


def _is_seen_twice(card: ReadCard, other: ReadCard) -> bool:
    """Whether a card is another one that has a place."""
    is_same = other is not card and other.card == card.card and other.place.kind != "none"
    return is_same and _gap(other, card) < TUNING.seen_twice_card_widths


def lies_with(reading: Reading, card: ReadCard) -> ReadCard | None:
    """The card beside which one lies, if any is near: the nearest with a place."""
    placed = [
        other for other in reading.cards if other is not card and other.place.kind not in ("none", card.place.kind)
    ]
    nearest = min(placed, key=lambda other: _gap(other, card), default=None)
    return nearest if nearest is not None and _gap(nearest, card) < TUNING.near_card_widths else None


def melds_beside(reading: Reading, card: ReadCard) -> list[Place]:
    """The groups on the floor beside which a card lies, the nearest first, but for its own."""
    near = sorted(
        (gap, n) for n, other in enumerate(reading.cards) if (gap := _gap(other, card)) < TUNING.near_card_widths
    )
    places = (reading.cards[n].place for _, n in near)
    return list(dict.fromkeys(place for place in places if place.kind == "floor" and place != card.place))


def lies_apart(reading: Reading, card: ReadCard) -> bool:
    """Whether no other card lies near."""
    return all(_gap(other, card) >= TUNING.near_card_widths for other in reading.cards if other is not card)


def _gap(card: ReadCard, other: ReadCard) -> float:
    """How far apart the middles of two cards are in a photo, in widths of the second; infinite if none shows both."""
    pairs = ((sight, there) for sight in card.sights if (there := other.sight_in(sight.photo)) is not None)
    gaps = (abs(here.middle - there.middle) / max(1.0, math.dist(*there.quad[:2])) for here, there in pairs)
    return min(gaps, default=math.inf)


def structure_stands(reading: Reading) -> bool:
    """Whether it is sure which cards lie together and which in the cross, whatever cards they are."""
    if reading.problems:
        return True  # nothing is told of it then
    cards = math.prod(card.confidence for card in reading.cards if card.place.kind != "none" or card.why)
    return reading.position_probability >= WHOLE_STANDS_FROM * cards


def _cross_in_melds(position: Position, reading: Reading) -> Iterator[Position]:
    """The table with a card of the cross in a meld that it fits and that lies near it."""
    for place, card in enumerate(position.cross):
        seen = next((read for read in reading.cards if card == read.card and read.place == ("cross", place)), None)
        for number, meld in enumerate(position.floor):
            is_far = seen is None or not any(_is_near(reading, seen, other) for other in meld)
            if card is not None and not is_far and is_meld((*meld, card)):
                cross = tuple(None if k == place else c for k, c in enumerate(position.cross))
                floor = tuple((*m, card) if k == number else m for k, m in enumerate(position.floor))
                yield replace(position, floor=floor, cross=cross)


def _parted(position: Position, other: Reading) -> Iterator[Position]:
    """The table with a meld parted into two that lie in the other photo."""
    there: Any = other.position
    for number, meld in enumerate(position.floor):
        for first in there.floor:
            second = tuple((Counter(meld) - Counter(first)).elements())
            if 0 < len(second) == len(meld) - len(first) and any(sorted(second) == sorted(m) for m in there.floor):
                yield replace(position, floor=(*position.floor[:number], first, second, *position.floor[number + 1 :]))


def _joined(position: Position, other: Reading) -> Iterator[Position]:
    """The table with two melds in one, of which a part that lies in both is one meld in the other photo."""
    there: Any = other.position
    for first, second in _pairs_over(there, position):
        whole = (*position.floor[first], *position.floor[second])
        rest = (meld for n, meld in enumerate(position.floor) if n not in (first, second))
        yield replace(position, floor=(*rest, whole))


def _pairs_over(whole: Position, parts: Position) -> set[tuple[int, int]]:
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


def _with_hands_apart(rows: tuple[_Rows, _Rows], readings: tuple[Reading, Reading]) -> tuple[_Rows, _Rows]:
    """The tables, and how they are if cards lie in the hand, or on the floor, that were read elsewhere."""
    first, second = (table[0][1] for table in rows)
    beside = [_beside_melds(reading) for reading in readings]
    price = TUNING.by_hand_log_price
    hands = [(log + price, t) for log, one in rows[0] for t in _before_by_hand(one, second, beside[0])]
    return rows[0] + hands, rows[1] + [
        (log + price, again) for log, one in rows[1] for again in _after_by_hand(one, first, beside[1])
    ]


def _likeliest(rows: _Rows) -> _Rows:
    """The likeliest tables, best first, each once."""
    once: dict[Any, tuple[float, Any]] = {}
    for log, table in sorted(rows, key=lambda row: -row[0]):
        lying = (tuple(sorted(cards)) for cards in (cross_cards(table).elements(), table.hand))
        once.setdefault((tuple(sorted(map(tuple, map(sorted, table.floor)))), *lying), (log, table))
    return list(once.values())[: TUNING.most_tables]


def _beside_melds(reading: Reading) -> Counter[Card]:
    """The cards of the cross that lie beside a meld: rather of it than of the hand."""
    near = [card for card in reading.cards if card.place.kind == "cross" and card.card is not None]
    others = [(card.card, lies_with(reading, card)) for card in near]
    return Counter(card for card, other in others if card and other is not None and other.place.kind == "floor")


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
            others = [(_gap(other, card), n) for n, other in enumerate(reading.cards) if other is not card]
            gap, nearest = min(others, default=(math.inf, 0))
            if gap < near and reading.cards[nearest].card not in position.hand:
                found.append((number, nearest))
    return found


def _with_hand_upon_melds(rows: _Rows, reading: Reading, settled: Collection[int]) -> _Rows:
    """The tables, and how they are if cards of the hand that lie upon melds, and not with its others, are of those."""
    found = []
    for log, table in rows:
        upon = of_hand_beside_melds(table, reading, settled)
        if len(upon) == len(table.hand):
            upon = []  # a hand that lies beside a meld, or none
        found.append((log + TUNING.upon_log_price * len(upon), table))
        if upon:
            found.append((log, _laid_upon(table, reading, upon)))
    return found


def _laid_upon(position: Position, reading: Reading, upon: Sequence[tuple[int, int]]) -> Position:
    """The table with cards of the hand in the groups of the cards on which they lie."""
    hand, floor = list(position.hand), list(position.floor)
    for number, beside in upon:
        read, other = reading.cards[number], reading.cards[beside]
        holds = [n for n, meld in enumerate(floor) if other.card in meld]
        if read.card in hand and holds:
            hand.remove(read.card)
            n = max(holds, key=lambda n: (sum(_is_near(reading, read, card) for card in floor[n]), -len(floor[n])))
            floor[n] = (*floor[n], read.card)
    return replace(position, hand=tuple(hand), floor=tuple(floor))


def _before_by_hand(position: Position, after: Position, beside: Counter[Card]) -> Iterator[Position]:
    """The first table with the cards in the hand that lie there after the turn: none gets there from cross or group."""
    crossed = (cross_cards(position) - cross_cards(after)) & Counter(after.hand)
    yield from _in_hand(position, crossed - beside, after)


def _after_by_hand(position: Position, before: Position, beside: Counter[Card]) -> Iterator[Position]:
    """The second table with cards in the hand that seem to lie elsewhere, and melds on the floor that seem not to.

    A card that left its meld was not in the hand. With cards that were played it may have made a new meld, beside which
    the rest of the hand lies: what lies by itself as a hand is one.
    """
    lay = {tuple(sorted(meld)) for meld in before.floor}
    left = Counter(chain.from_iterable(before.floor)) - Counter(chain.from_iterable(position.floor))
    yield from _in_hand(position, cross_cards(position) - cross_cards(before) - beside - left, before)
    of_floor = set(left & (Counter(position.hand) - Counter(before.hand)))
    melds = [
        meld
        for meld in all_melds()
        if of_floor.intersection(meld)
        and set(position.hand).issuperset(meld)
        and (len(meld) < len(position.hand) or tuple(sorted(meld)) in lay)
    ]
    for meld in melds:
        if not any(of_floor.intersection(meld) < of_floor.intersection(other) for other in melds):
            hand = tuple((Counter(position.hand) - Counter(meld)).elements())
            yield replace(position, floor=(*position.floor, meld), hand=hand)


def _in_hand(position: Position, crossed: Counter[Card], other: Position) -> Iterator[Position]:
    """The table with these cards of its cross in the hand, and with each group there that the other photo has there.

    A lone card is left alone: what lies beside it tells more.
    """
    if crossed:
        cross = list(position.cross)
        for card in crossed.elements():
            cross[cross.index(card)] = None
        yield replace(position, cross=tuple(cross), hand=(*position.hand, *crossed.elements()))
    for n, group in enumerate(position.floor):
        if len(group) > 1 and not is_meld(group) and not Counter(group) - Counter(other.hand):
            floor = (*position.floor[:n], *position.floor[n + 1 :])
            yield replace(position, floor=floor, hand=(*position.hand, *group))


def _log_prior(before: Position, after: Position, hand: Sequence[Card] | None) -> float:
    """How likely such a change is, but for what moved."""
    floors = [Counter(chain.from_iterable(position.floor)) for position in (before, after)]
    crosses = cross_cards(before), cross_cards(after)
    played = floors[1] + crosses[1] - floors[0] - crosses[0]
    gone = floors[0] + crosses[0] - floors[1] - crosses[1]
    is_unseen = hand is not None and not after.hand
    if hand is None and Counter(before.hand) & played:
        hand = before.hand  # the player's, as it lies in the photo
    strange = Counter[Card]() if hand is None else played - Counter(hand)
    may_be_taken = bool(gone if is_unseen else gone & Counter(after.hand)) and not strange
    broken = [meld for position in (before, after) for meld in position.floor if not is_meld(meld)]
    lone = sum(len(meld) == 1 for meld in broken)
    return (
        TUNING.gone_log_price * (gone.total() - may_be_taken)
        + TUNING.taken_log_price * may_be_taken
        + TUNING.broken_log_price * (len(broken) - lone)
        + TUNING.lone_log_price * lone
        + TUNING.played_log_price * played.total()
        + TUNING.strange_log_price * strange.total()
        + TUNING.joined_log_price * (crosses[0] - crosses[1]).total()
        + TUNING.nothing_log_price * (not played)
        + TUNING.laid_log_price * (crosses[1] - crosses[0]).total()
        + TUNING.split_log_price * (len(_pairs_over(before, after)) + len(_pairs_over(after, before)))
    )
