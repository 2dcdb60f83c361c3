"""Cards that were turned over later, for everything that lay face down: a proof instead of an estimate.

    found = with_turned_over(reading, fans_in(tables))     # tables: what the photos of the turned-over cards show

Cards that overlap are one fan, and a fan is read from the card that lies lowest to the one that covers all: of a column
that is the one dealt first, and of the stock the one that would be turned first. A fan that shows face-up cards of a
column too is that column turned in place; the others are told by how many cards they hold, and in order from the left,
or from the far end; the stock may lie in several rows.
What is face down in the first photo holds each card of the deck that is not seen there exactly once, so a card that was
misread is put right by the others, and one that was read twice is found.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, groupby, product
from typing import Any, Final

import numpy as np

from drawing.zones import place_in_words, place_name
from solver.cards import DECK, UNKNOWN, Card, cards_text, parse_card
from solver.games import position_from_json
from solver.place import NOWHERE, Place
from solver.position import Position
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.confidence import PART_SURE_FROM
from vision.errors import OtherTableError
from vision.fans import Fan, fans_of, without, without_second_corners
from vision.layout.constrained_decoding import Option, Problem, decode
from vision.layout.klondike import IN_STOCK
from vision.question import Question, QuestionKind
from vision.read_card import ReadCard, Sight
from vision.reading import Reading

LEAST_LOG_PROBABILITY: Final = -20.0
"""No read speaks against a card more than this."""
LEAST_READ_LOG_PROBABILITY: Final = -7.0
"""A card of which its read says less is contradicted by the photo, whatever the deck leaves."""
DOUBT_SHARE: Final = 0.1
"""What is left of the doubt about a card once the whole deck is known, each card as often as it is there."""
MOST_MISSED: Final = 2
"""So many cards of a fanned stock are told by the deck, which lacks them, and by the gaps that they leave."""
WIDE_STEP: Final = 1.6
"""Of a fan's steps one that is so many times as wide as those beside it misses a card."""
LEAST_STEPS: Final = 4
"""Of fewer steps none is the usual one."""
MOST_ROWS: Final = 3
"""The stock is fanned in so many rows at most."""
RETAKEN_SHARE: Final = 0.6
"""A fan of which another photo shows a larger share of the cards was photographed twice."""
MOST_ELSEWHERE: Final = 2
"""So few turned cards that lie face up elsewhere may always be misread."""
MOST_MISREAD_SHARE: Final = 0.05
"""Of the cards of the right table no more are misread."""
LEAST_SHARE: Final = 0.5
"""A photo that shows fewer of the cards that lay face down may be of another table, if its rows fit no piles either."""
MOST_LISTED: Final = 6
"""Cards that are not seen and that are all named."""
SAME_CARD_LOG_PROBABILITY: Final = -3.0
"""A card whose read gives so much to a face-up card of a column may be that card."""
LEAST_CONFIDENCE: Final = 1e-4
"""No reading speaks against a card more than this: its confidences have so many places."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie face down in the first photo.

    Attributes:
        path: Where the position's JSON holds them, as `columns/2/down`.
        place: The same as a place.
        at: Their numbers in the pile, from 0.
        upon: The face-up cards that lie on them.
    """

    path: str
    place: Place
    at: tuple[int, ...]
    upon: tuple[Card, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.at)


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """A position with what was turned over.

    Attributes:
        position: The position; what is still not known stays face down.
        checks: What is asked; nothing where every card is known for sure.
        stands: Probability that the cards that were turned over are right.
        contradicted: How many of them the photos contradict.
        reads: For each of them the log-probabilities (52,) of what it is by its photo alone.
    """

    position: Position[Any]
    checks: tuple[Question, ...]
    stands: float
    contradicted: int = 0
    reads: Mapping[Card, Array] = field(default_factory=dict)

    @property
    def left_open(self) -> int:
        """How many cards are not known, as the photos show none or another one."""
        return self.position.cards().count(None) + self.contradicted


def hidden_piles(position: Position[Any]) -> list[Pile]:
    """The piles that hold cards face down."""
    return list(_piles(position.to_json(), ""))


def _stock_of(piles: Sequence[Pile]) -> Pile | None:
    """The stock, by whatever name its game has for it: else the largest pile upon which nothing lies."""
    bare = [pile for pile in piles if not pile.upon]
    return max(bare, key=lambda pile: (pile.place.kind == "stock", pile.count), default=None)


def _piles(value: Any, path: str) -> Iterator[Pile]:
    if isinstance(value, list) and UNKNOWN in value:
        upon = [card for card in value if card != UNKNOWN]
        yield Pile(path, Place.of_path(path), _unknown(value), tuple(map(parse_card, upon)))
    elif isinstance(value, dict) and UNKNOWN in (value.get("down") or ()):
        down = value["down"]
        upon = [card for card in (*down, *value.get("up", ())) if card != UNKNOWN]
        yield Pile(f"{path}/down", Place.of_path(path), _unknown(down), tuple(map(parse_card, upon)))
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _piles(part, f"{path}/{key}" if path else str(key))


def _lists(value: Any) -> Iterator[list[str]]:
    """The cards of each pile of a position's JSON."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _lists(part)


def _unknown(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(number for number, card in enumerate(cards) if card == UNKNOWN)


def fans_in(tables: Sequence[SeenTable]) -> list[Fan]:
    """The fans that photos show, a table each."""
    return [fan for photo, table in enumerate(tables) for fan in fans_of(table, photo)]


def check_fit(position: Position[Any], fans: Sequence[Fan]) -> None:
    """Raises OtherTableError for fans that rather show another table than the hidden cards of this one.

    Of another table's cards as many lie face up in this one as of the deck; of its own only those that are misread.
    """
    hidden = _hidden_cards(position)
    fans = _with_hidden_cards(fans, hidden)
    elsewhere = _face_up_elsewhere(position, fans)
    if len(elsewhere) <= MOST_ELSEWHERE:
        return
    others = sum(len(fan.cards) for fan in fans) - len(elsewhere)
    face_up = 1 - len(hidden) / len(DECK)
    per_other = math.log((1 - face_up) / (1 - MOST_MISREAD_SHARE * face_up))
    if others * per_other > len(elsewhere) * math.log(MOST_MISREAD_SHARE):
        raise OtherTableError(cards_text(dict.fromkeys(elsewhere)))


def _face_up_elsewhere(position: Position[Any], fans: Sequence[Fan]) -> list[Card]:
    """The cards of fans that lie face up in the table, but for those that lie on the hidden ones: one run in a fan."""
    hidden = _hidden_cards(position)
    pile_of = {card: n for n, pile in enumerate(_lists(position.to_json())) for card in pile}
    found: list[Card] = []
    for fan in fans:
        by_pile = groupby(fan.cards, lambda card: None if hidden[card] else pile_of.get(str(card), -1))
        runs = sorted((list(run) for pile, run in by_pile if pile is not None), key=len)
        found += chain(*runs[:-1])
    return found


def with_turned_over(reading: Reading, fans: Sequence[Fan]) -> Reading:
    """A reading with the cards that later photos show turned over.

    Where its likeliest table does not agree with them, a less likely one that does is taken: how many cards lie face
    down is counted anew. All cards of the deck known, each as often as it is there, speak for every card that was read.
    What was open after other photos of turned cards is asked anew, but for what single cards are.

    Args:
        reading: What the photo of the game shows.
        fans: What the later photos show.
    """
    if reading.position is None:
        return reading
    found = _best_turned_over(reading, fans)
    if found.position.is_known:  # no card is left that the photos do not show
        reading = replace(reading, notes=tuple(note for note in reading.notes if not note.endswith(IN_STOCK)))
    asked = tuple(_counted_on(check, len(reading.photos)) for check in found.checks)
    before = [check for check in reading.checks if check.kind is not QuestionKind.TURNED or check.number is not None]
    if asked or not found.position.is_known or found.position.problems():
        stands = round(reading.position_probability * found.stands, 4)
        return replace(
            reading, position=found.position, others=(), checks=(*before, *asked), position_probability=stands
        )
    cards = []
    for card in reading.cards:
        card, found = _confirm(card, found)
        cards.append(card)
    stands = reading.game_confidence * found.stands * math.prod(card.confidence for card in cards)
    settled = (QuestionKind.HIDDEN, QuestionKind.UNREAD)  # no card is left that could lie anywhere else
    checks = tuple(check for check in before if check.kind not in settled)
    return replace(
        reading,
        position=found.position,
        others=(),
        cards=tuple(cards),
        checks=checks,
        position_probability=round(stands, 4),
    )


def _confirm(card: ReadCard, found: TurnedOver) -> tuple[ReadCard, TurnedOver]:
    """A face-up card and the table, now that the whole deck is known: what has no place is no card of it.

    What was turned over is what the face-up cards leave. So where one of these was misread, a card turned over is told
    wrong as well: both are exchanged where that is likelier.
    """
    if card.place == NOWHERE:
        return replace(card, confidence=1.0), found
    rival = max(_rivals(card, found), default=None, key=lambda pair: pair[1])
    if card.card is None or rival is None:
        return replace(card, confidence=_confirmed(card.confidence)), found
    other, log_odds = rival
    chance = round(1 / (1 + math.exp(-log_odds)), 4)
    rest = round(1 - chance, 4)
    if chance <= 0.5:
        return replace(card, confidence=min(rest, _confirmed(card.confidence))), found
    exchanged = replace(found, position=_exchange(found.position, card.card, other))
    return replace(card, card=other, confidence=chance, alternatives=((card.card, rest),)), exchanged


def _rivals(card: ReadCard, found: TurnedOver) -> Iterator[tuple[Card, float]]:
    """Cards that were turned over and that a face-up card may be instead, with the log-odds of the exchange."""
    often = Counter(found.position.cards())
    for other, chance in card.alternatives:
        read = found.reads.get(other)
        if card.card is not None and read is not None and chance > 0 and often[card.card] == often[other] == 1:
            log_odds = math.log(chance / max(card.confidence, LEAST_CONFIDENCE))
            yield other, log_odds + float(read[card.card.index] - read[other.index])


def _exchange(position: Position[Any], one: Card, other: Card) -> Position[Any]:
    """A position with two cards exchanged."""
    names = {str(one): str(other), str(other): str(one)}
    pattern = "|".join(f'(?<="){name}(?=")' for name in names)
    body = re.sub(pattern, lambda found: names[found[0]], json.dumps(position.to_json()))
    return position_from_json(json.loads(body))


def _counted_on(question: Question, photos: int) -> Question:
    """A question whose photos are counted on from those of the reading."""
    return replace(question, sights=tuple(replace(sight, photo=photos + sight.photo) for sight in question.sights))


def leave_out(fans: Sequence[Fan], sight: Sight) -> list[Fan]:
    """The fans without the card that is seen at a place, which is none."""
    return without(fans, [(n, fan.sights.index(sight)) for n, fan in enumerate(fans) if sight in fan.sights])


def _best_turned_over(reading: Reading, fans: Sequence[Fan]) -> TurnedOver:
    """The likeliest table of a reading that agrees with the fans; that with the fewest cards open where none does.

    Where none does, a card that was read twice is tried as one.
    """
    tried: list[TurnedOver] = []
    for seen in chain([fans], without_second_corners(fans)):
        tried += _ways_to_turn_over(reading, seen)
        if (sure := next((one for one in tried if not one.checks), None)) is not None:
            return sure
    return min(tried, key=lambda one: one.left_open)


def _ways_to_turn_over(reading: Reading, fans: Sequence[Fan]) -> list[TurnedOver]:
    """What the fans tell of each table that the photo may show, the likelier first."""
    assert reading.position is not None
    position = reading.position
    likely = [position, *(other for _, other in reading.others), _recounted(position, fans)]
    tried = [turn_over(one, fans) for one in (*likely, *_counted_by_fans(position, fans))]
    return tried + [_ask_waste(turn_over(one, fans)) for one in _with_covered_waste(position)]


def _confirmed(confidence: float) -> float:
    """How sure a card is that every other card of the deck agrees with."""
    return round(1 - DOUBT_SHARE * (1 - confidence), 4)


def turn_over(position: Position[Any], fans: Sequence[Fan]) -> TurnedOver:
    """The position with the cards of the fans where they lay face down.

    Args:
        position: What the first photo shows.
        fans: What the later ones show.
    """
    piles, hidden = hidden_piles(position), _hidden_cards(position)
    fans = _with_hidden_cards(_without_retaken(fans), hidden)
    shown, checks = _shown(fans, piles)
    is_plain = not checks
    rows = [(pile, n) for pile in piles if pile.path in shown for n in pile.at]
    if not rows:
        nothing = _ask("no card that lay face down is seen in the later photos", needs_photo=True)
        return TurnedOver(position, tuple(checks or [nothing]), 1.0)
    turned = _joined([shown[pile.path] for pile in piles if pile.path in shown])
    cards, sure = _each_once(turned.log_card, hidden)
    missing = list((hidden - Counter(cards)).elements())
    unseen = [pile for pile in piles if pile.path not in shown]
    last = _last_card(missing, unseen)
    checks += [*_doubts(rows, cards, sure, turned, hidden), *_ask_ends(fans)]
    if missing and not last and is_plain:
        which = cards_text(missing) if len(missing) <= MOST_LISTED else f"{len(missing)} cards"
        where = " and ".join(map(_name, unseen))
        text = f"not turned over, or not seen: {which} of {where}; please take one more photo of them"
        checks.append(_ask(text, needs_photo=True))
    filled = [(pile.path, card) for (pile, _), card in zip(rows, cards, strict=True)] + last
    return TurnedOver(
        _filled(position, filled),
        tuple(checks),
        float(np.prod(sure)),
        sure.count(0.0),
        dict(zip(cards, turned.log_card, strict=True)),
    )


def _ask(text: str, sights: Sequence[Sight | None] = (), **more: Any) -> Question:
    """A question about cards that were turned over, and where they are seen."""
    return Question(QuestionKind.TURNED, text, sights=tuple(sight for sight in sights if sight is not None), **more)


def _joined(fans: Sequence[Fan]) -> Fan:
    """Fans of one pile as one, in their order; how far their cards lie apart is left out."""
    sights = [fan.sights or (None,) * len(fan.log_card) for fan in fans]
    return Fan(np.concatenate([fan.log_card for fan in fans]), fans[0].at, sights=tuple(chain(*sights)))


def _last_card(missing: Sequence[Card], holders: Sequence[Pile]) -> list[tuple[str, Card]]:
    """The one card that was not turned over, and the path of the pile that it lies in: the deck tells which it is."""
    is_told = len(missing) == len(holders) == 1 and holders[0].count == 1
    return [(holders[0].path, missing[0])] if is_told else []


def _hidden_cards(position: Position[Any]) -> Counter[Card]:
    """The cards that lie face down, each as often as it does: the decks without what is seen."""
    there = position.cards()
    return Counter(list(DECK) * (len(there) // len(DECK))) - Counter(card for card in there if card is not None)


def _with_hidden_cards(fans: Sequence[Fan], hidden: Counter[Card]) -> list[Fan]:
    """The fans without those that show nothing but what lay face up."""
    return [fan for fan in fans if any(hidden[card] for card in fan.cards)]


def _without_retaken(fans: Sequence[Fan]) -> list[Fan]:
    """The fans without those that another photo shows better: with more cards of the same, or as many and later."""
    photos = {fan.at[0] for fan in fans}
    return [fan for fan in fans if not any(_is_shown_better(fan, fans, photo) for photo in photos - {fan.at[0]})]


def _is_shown_better(fan: Fan, fans: Sequence[Fan], photo: int) -> bool:
    """Whether another photo shows most cards of a fan, and no fewer of what both photos show."""
    own, other = ([one for one in fans if one.at[0] == number] for number in (fan.at[0], photo))
    there = Counter(card for one in other for card in one.cards)
    if (Counter(fan.cards) & there).total() <= RETAKEN_SHARE * len(fan.log_card):
        return False
    here = Counter(card for one in own for card in one.cards)
    less, more = (
        sum(len(one.log_card) for one in group if Counter(one.cards) & shown)
        for group, shown in ((own, there), (other, here))
    )
    return more > less or (more == less and photo > fan.at[0])


def _shown(fans: Sequence[Fan], piles: Sequence[Pile]) -> tuple[dict[str, Fan], list[Question]]:
    """What the fans show of the hidden piles, by path, and what is asked where it is not plain which is which."""
    in_place, left = _turned_in_place(fans, piles)
    dealt, checks = _by_count(left, [pile for pile in piles if pile.path not in in_place])
    return in_place | dealt, checks


def _recounted(position: Position[Any], fans: Sequence[Fan]) -> Position[Any]:
    """The position with as many cards under each column's face-up ones as were turned over there, the stock the rest.

    A column that seemed to hide none may hide some, too.
    """
    body = position.to_json()
    more = 0
    for column in body.get("columns", ()):
        up = [parse_card(card) for card in column["up"]] if isinstance(column, dict) else []
        fan = next((fan for fan in fans if up and list(fan.cards[-len(up) :]) == up), None)
        if fan is not None and set(column["down"]) <= {UNKNOWN}:
            hidden = len(fan.cards) - len(up)
            more += hidden - len(column["down"])
            column["down"] = [UNKNOWN] * hidden
    stock = _stock_of(hidden_piles(position))
    if stock is None or more > stock.count:
        return position
    _count_anew(body, stock, stock.count - more)
    return position_from_json(body)


def _counted_by_fans(position: Position[Any], fans: Sequence[Fan]) -> Iterator[Position[Any]]:
    """The position with the piles as large as the fans, where these show all that is hidden, a fan each, in order.

    A count of cards face down is off by one at the most, but for that of the stock, which is the rest.
    """
    piles = hidden_piles(position)
    fans = _with_hidden_cards(fans, _hidden_cards(position))
    sizes = [len(fan.log_card) for fan in fans]
    stock = _stock_of(piles)
    if len(piles) != len(fans) or sum(sizes) != sum(pile.count for pile in piles):
        return
    for order in _orders(fans, []):
        body = position.to_json()
        steps = [abs(len(fan.log_card) - pile.count) for fan, pile in zip(order, piles, strict=True)]
        if all(step <= 1 or pile is stock for step, pile in zip(steps, piles, strict=True)):
            for fan, pile in zip(order, piles, strict=True):
                _count_anew(body, pile, len(fan.log_card))
            yield position_from_json(body)
            return  # an order that fits less well is none


def _with_covered_waste(position: Position[Any]) -> Iterator[Position[Any]]:
    """The position with a card or two of the stock under those of the waste, which may cover some wholly."""
    body = position.to_json()
    stock, waste = body.get("stock", []), body.get("waste", [])
    for covered in range(1, MOST_MISSED + 1):
        if waste and UNKNOWN not in waste and stock.count(UNKNOWN) == len(stock) > covered:
            yield position_from_json(body | {"stock": stock[covered:], "waste": [UNKNOWN] * covered + waste})


def _ask_waste(turned: TurnedOver) -> TurnedOver:
    """The same, with the question whether the lowest card of the waste is there: it may lie in the stock, unseen."""
    lowest = turned.position.to_json()["waste"][0]
    asked = f"was the {lowest} the lowest card of the waste? It is in none of the photos"
    return turned if lowest == UNKNOWN else replace(turned, checks=(*turned.checks, _ask(asked)))


def _turned_in_place(fans: Sequence[Fan], piles: Sequence[Pile]) -> tuple[dict[str, Fan], list[Fan]]:
    """The hidden cards of the piles that lie under their face-up cards in a fan, and the fans that are left."""
    shown: dict[str, Fan] = {}
    left = []
    for fan in fans:
        pile = next((pile for pile in piles if pile.path not in shown and _lies_under(fan, pile)), None)
        if pile is None:
            left.append(fan)
        else:
            shown[pile.path] = fan.part(range(pile.count))
    return shown, left


def _lies_under(fan: Fan, pile: Pile) -> bool:
    """Whether a fan is a pile with its face-up cards upon it."""
    if not pile.upon or len(fan.log_card) != pile.count + len(pile.upon):
        return False
    upon = fan.log_card[pile.count :]
    reads = [row[card.index] for row, card in zip(upon, pile.upon, strict=True)]
    return bool(np.mean([read > SAME_CARD_LOG_PROBABILITY for read in reads]) > 0.5)


def _by_count(fans: Sequence[Fan], piles: Sequence[Pile]) -> tuple[dict[str, Fan], list[Question]]:
    """Which fan was which pile, by how many cards they hold and in order; what is asked where that does not tell."""
    if not fans or not piles:
        return {}, [_ask_rows(fans, piles)] if fans else []
    short = list(_with_short_stock(fans, piles))  # if there is one, no pile is to make up for what the stock lacks
    for rows in range(0 if short else MOST_ROWS + 1):  # of the stock; 0 where it is not shown
        ways = list(_with_rows(fans, piles, rows)) if rows else _in_order(fans, piles)
        if len(ways) == 1:
            return ways[0], []
    for missing, rows in product(range(1, MOST_MISSED + 1), range(1, MOST_ROWS + 1)):
        ways = list(_with_rows(fans, piles, rows, missing))
        if len(ways) == 1:
            return ways[0], []
    return short[0] if len(short) == 1 else ({}, [_ask_rows(fans, piles)])


def _with_short_stock(fans: Sequence[Fan], piles: Sequence[Pile]) -> Iterator[tuple[dict[str, Fan], list[Question]]]:
    """The ways in which fans are all piles but the stock, and the others rows of it that show too few of its cards."""
    stock = _stock_of(piles)
    if stock is None:
        return
    others = [pile for pile in piles if pile is not stock]
    for rows in range(1, MOST_ROWS + 1):
        for chosen in combinations(fans, rows):
            seen = sum(len(fan.log_card) for fan in chosen)
            left = [fan for fan in fans if fan not in chosen]
            if len(left) == len(others) and seen < stock.count and _may_be_one(chosen, fans):
                text = f"{seen} of the {stock.count} cards of the stock are read; please take one more photo"
                sights = [fan.sights[0] for fan in chosen if fan.sights]
                asked = _ask(f"{text} of all of them", sights, needs_photo=True)
                yield from ((way, [asked]) for way in _in_order(left, others))


def _ask_rows(fans: Sequence[Fan], piles: Sequence[Pile]) -> Question:
    """That rows fit no piles, or that none is left; where a photo shows a card twice, which of the two is none."""
    lie = _say_what_lacks(fans, piles)
    seen: dict[tuple[int, Card], list[Sight]] = {}
    for fan in fans:
        for card, sight in zip(fan.cards, fan.sights, strict=False):
            if sight is not None:
                seen.setdefault((fan.at[0], card), []).append(sight)
    (_, twice), sights = max(seen.items(), key=lambda item: len(item[1]), default=((0, None), []))
    if len(sights) == 2 and sum(len(fan.log_card) for fan in fans) > sum(pile.count for pile in piles):
        return _ask(f"{lie}: of the two {twice} that are read one is no card: which?", sights, choices=("1", "2"))
    wanted = "please take one more photo of the turned cards, each pile in a row of its own"
    return _ask(f"{lie}; {wanted}", needs_photo=True)


def _say_what_lacks(fans: Sequence[Fan], piles: Sequence[Pile]) -> str:
    """Why rows of cards fit no piles: which of the piles are as long as none of them."""
    left = Counter(len(fan.log_card) for fan in fans)
    shown, hidden = sum(len(fan.log_card) for fan in fans), sum(pile.count for pile in piles)
    if not piles:
        return f"the rows show {_cards(shown)} more than lay face down"
    if shown < LEAST_SHARE * hidden:
        longest = max(piles, key=lambda pile: pile.count)
        seen = f"only {_cards(shown)} of the {hidden} that lay face down are seen"
        return f"this may be a photo of another table: {seen}, and not {_name(longest)} as a row of {longest.count}"
    lacking = []
    for pile in piles:
        if not left[pile.count]:
            lacking.append(f"{_name(pile)} ({_cards(pile.count)})")
        left[pile.count] -= bool(left[pile.count])
    if not lacking:
        return "it is not plain which row lay in which pile"
    others = ", ".join(str(size) for size, count in sorted(left.items()) if count)
    return f"no row is as long as {' and '.join(lacking)}{f'; I see rows of {others} instead' if others else ''}"


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count > 1)}"


def _name(pile: Pile) -> str:
    """A pile as it is called in a sentence."""
    return f"{'the ' * (pile.place.number is None)}{place_name(pile.place)}"


def _with_rows(fans: Sequence[Fan], piles: Sequence[Pile], rows: int, missing: int = 0) -> Iterator[dict[str, Fan]]:
    """The ways in which so many fans, from the far end on, are the stock and the others the other piles.

    So many cards of the stock may be missing, if gaps in the rows show where.
    """
    stock = _stock_of(piles)
    if stock is None:
        return
    others = [pile for pile in piles if pile is not stock]
    for chosen in combinations(sorted(fans, key=lambda fan: (fan.at[0], fan.at[2])), rows):
        if sum(len(fan.log_card) for fan in chosen) == stock.count - missing and _may_be_one(chosen, fans):
            of_stock = {stock.path: _joined([_with_gaps(fan) for fan in chosen] if missing else chosen)}
            if len(of_stock[stock.path].log_card) == stock.count:
                yield from (way | of_stock for way in _in_order([fan for fan in fans if fan not in chosen], others))


def _may_be_one(rows: Sequence[Fan], fans: Sequence[Fan]) -> bool:
    """Whether rows may be of one pile: in several photos, none of them looks like the other piles of its photo."""
    photos = {row.at[0] for row in rows}
    others = [fan for fan in fans if fan not in rows and fan.at[0] in photos]
    return len(photos) == 1 or all(
        len(row.log_card) > len(other.log_card) for row in rows for other in others if other.at[0] == row.at[0]
    )


def _with_gaps(fan: Fan) -> Fan:
    """A fan with a card of which nothing is known for each that is missing in a wide step."""
    if len(fan.steps) < LEAST_STEPS:
        return fan
    usual = [
        float(np.median(fan.steps[max(0, k - 3) : k + 4])) for k in range(len(fan.steps))
    ]  # far cards look smaller
    wide = [step / by if step > WIDE_STEP * by else 1.0 for step, by in zip(fan.steps, usual, strict=True)]
    unknown = Fan(np.full((1, fan.log_card.shape[1]), -np.log(fan.log_card.shape[1])), fan.at)
    rows = [fan.part([0])]
    for number, by in enumerate(wide, start=1):
        rows += [unknown] * (round(by) - 1) + [fan.part([number])]
    return _joined(rows)


def _in_order(fans: Sequence[Fan], piles: Sequence[Pile]) -> list[dict[str, Fan]]:
    """The ways in which fans are piles of as many cards, from the left, or from the far end where they lie so.

    Where neither order fits, as in a photo from another side, fans that all differ in size are told by it alone.
    """
    counts = [pile.count for pile in piles]
    for order in _orders(fans, counts):
        sizes = [len(fan.log_card) for fan in order]
        ways = [
            {pile.path: fan for pile, fan in zip(chosen, order, strict=True)}
            for chosen in combinations(piles, len(order))
            if [pile.count for pile in chosen] == sizes
        ]
        if ways:
            return ways
    return []


def _orders(fans: Sequence[Fan], counts: Sequence[int]) -> list[list[Fan]]:
    """The orders in which fans may be piles of these counts, the likelier first."""
    own = [[fan.at for fan in fans if fan.at[0] == photo] for photo in {fan.at[0] for fan in fans}]
    x, y = (max((np.ptp([at[k] for at in of_photo]) for of_photo in own), default=0.0) for k in (1, 2))
    from_left, from_far = (sorted(fans, key=lambda fan: (fan.at[0], fan.at[k])) for k in (1, 2))
    orders = [from_left, from_far] if x > y else [from_far, from_left]
    sizes = {len(fan.log_card) for fan in fans}
    if len(sizes) == len(fans) == len(counts) and sizes == set(counts):
        orders.append(sorted(fans, key=lambda fan: counts.index(len(fan.log_card))))
    return orders


def _each_once(log: Array, hidden: Counter[Card]) -> tuple[list[Card], list[float]]:
    """What each card is if they are those that are hidden, each as often as it is, and how sure that is.

    Where all are there, each once, one can be wrong only if it was taken for another and that one for it.
    """
    log = np.maximum(log, LEAST_LOG_PROBABILITY)
    options = [
        Option(float(log[row, card.index]), (row,), ((card.index, 1),), ((row, card.index),))
        for row in range(len(log))
        for card in hidden
    ]
    found = decode(Problem(options, {card.index: count for card, count in hidden.items()}), dict(enumerate(log)))
    if found is None:  # more cards than are hidden
        return _as_read(log, hidden)
    beliefs = [found.posteriors[row] for row in range(len(log))]
    cards = [Card.from_index(belief.best or 0) for belief in beliefs]
    fits = [row[card.index] > LEAST_READ_LOG_PROBABILITY for row, card in zip(log, cards, strict=True)]
    sure = [belief.confidence if fit else 0.0 for belief, fit in zip(beliefs, fits, strict=True)]
    return cards, [_confirmed(chance) if chance else 0.0 for chance in sure] if hidden == Counter(cards) else sure


def _as_read(log: Array, hidden: Counter[Card]) -> tuple[list[Card], list[float]]:
    """What each card looks like, and how sure that is; not at all for one that does not lie face down."""
    best = [Card.from_index(int(row.argmax())) for row in log]
    return best, [float(np.exp(row.max())) if card in hidden else 0.0 for row, card in zip(log, best, strict=True)]


def _doubts(
    rows: Sequence[tuple[Pile, int]], cards: Sequence[Card], sure: Sequence[float], turned: Fan, hidden: Counter[Card]
) -> Iterator[Question]:
    """What is asked of single cards; each may be any that lay face down, the likeliest first."""
    seen_at = turned.sights
    for (pile, n), card, chance, read, sight in zip(rows, cards, sure, turned.log_card, seen_at, strict=True):
        if chance < PART_SURE_FROM:
            seen = Card.from_index(int(read.argmax()))
            why = f"it looks like {seen}, which lies elsewhere" if seen != card else "it is hard to read"
            text = f"is card {n + 1} that was turned over {place_in_words(pile.place)} the {card}? ({why})"
            others = sorted(set(hidden) - {card}, key=lambda other: -float(read[other.index]))
            choices = tuple(map(str, (card, *others)))
            doubt = round(1 - chance, 4)
            yield _ask(text, [sight], place=pile.place, number=n, choices=choices, doubt=doubt)


def _ask_ends(fans: Sequence[Fan]) -> Iterator[Question]:
    """What is asked of fans of which it is not plain which end lies lowest."""
    for fan in fans:
        if not fan.is_sure:
            ends = f"which end of {cards_text(fan.cards)} lies lowest? It is read as the {fan.cards[0]}"
            yield _ask(ends, fan.sights[:1])


def _filled(position: Position[Any], cards: Sequence[tuple[str, Card]]) -> Position[Any]:
    """The position with each card as the first that is not known at its path."""
    body = position.to_json()
    for path, card in cards:
        pile = _pile_at(body, path)
        pile[pile.index(UNKNOWN)] = str(card)
    return position_from_json(body)


def _count_anew(body: dict[str, Any], pile: Pile, count: int) -> None:
    """Has a pile of a position's JSON hold so many cards face down, none of which is known."""
    assert pile.at == tuple(range(pile.count)), "whole piles are turned over, so what is not known lies lowest"
    _pile_at(body, pile.path)[: pile.count] = [UNKNOWN] * count


def _pile_at(body: dict[str, Any], path: str) -> list[str]:
    """The cards at a path of a position's JSON."""
    value: Any = body
    for key in path.split("/"):
        value = value[int(key)] if isinstance(value, list) else value[key]
    assert isinstance(value, list)
    return value
