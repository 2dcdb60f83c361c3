"""Klondike: seven columns that run towards the player, stock, waste and foundations somewhere beside them.

The network tells each card's zone and how many cards lie face down in each column; the rules have the last word: a
column goes down in alternating colours, no card stands twice, a foundation's top holds all cards below it, and what no
column hides must fit into stock and waste. How stock and waste share the cards that nobody sees is not in the photo:
the waste holds what is seen of it, the stock the rest as `??`.

`parse` goes this way: `places_of` gives each card its column, `_problem` lists what each card may be,
`vision.layout.constrained_decoding` chooses, `count_down` counts the cards face down, and `_position` puts the columns
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from solver.cards import SUIT_CHARS, Card, Suit
from solver.place import NOWHERE, Place
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.constrained_decoding import DOUBTS, RULE_BROKEN, Decoded, Option, Problem, decode
from vision.layout.game_layout import GameLayout, Hand
from vision.layout.game_reading import (
    GameReading,
    PlacedCard,
    argmax_log_probs,
    doubts_of_zones,
    left_out,
    left_out_penalty,
    place,
    unzoned,
)
from vision.layout.klondike_columns import COLUMNS, lies_on, number_columns, weigh_numbers
from vision.layout.klondike_counts import DEALT_UP_AND_DOWN, DECK_SIZE, Counts, count_down
from vision.layout.klondike_squared import layout_of_squared_piles
from vision.layout.klondike_top_row import agree_in_fans, doubts_of_sides
from vision.layout.neighbours import groups
from vision.layout.tokens import frame
from vision.layout.vocabulary import NONE, ZONES, zone_of_card
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind, ask_about_broken_rules

if TYPE_CHECKING:
    from solver.klondike import Position

GAME: Final = "klondike"
THREE: Final = 3
IN_STOCK: Final = "in the stock"
"""Where the table shows the cards that no photo does: so a note ends that says it."""
"""Cards that are turned at a time lie fanned beside the stock; more than three do so in no game of these."""
TOP_ROW: Final = ("waste", "foundation")
_ZONES: Final = ZONES[GAME]
_Follows = list[tuple[tuple[int, ...], tuple[int, ...]]]
"""`Problem.follows`."""


@dataclass(frozen=True, slots=True)
class KlondikeTuning:
    """How columns are told.

    Attributes:
        least_zone_probability: A less probable zone is not considered for a card.
        least_identity_log_odds: Less likely identities, relative to the best, are not considered.
        unruly_column_log_price: Of a column that does not keep to the rules at all: cards laid in a row, in whatever
            order.
        unsure_order_card_widths: Cards whose places differ by less lie in the order in which they cover each other.
        waste_gap_card_widths: Cards of the waste lie at most so far from the next.
        one_pile_card_widths: Cards of one suit on foundations lie on one pile where they are at most so far apart.
        uncut_card_widths: Where all cards are farther from the photo's edges, no part of the table is cut off.
        negligible_doubt: What is no likelier to be otherwise is not listed as a doubt.
    """

    unruly_column_log_price: float
    least_zone_probability: float = 1e-3
    least_identity_log_odds: float = -20.0
    unsure_order_card_widths: float = 0.4
    waste_gap_card_widths: float = 1.3
    one_pile_card_widths: float = 0.8
    uncut_card_widths: float = 0.3
    negligible_doubt: float = 1e-3


TUNING: Final = KlondikeTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """Where everything lies: rows of cards from the far end to the player, rows of backs.

    `top_row` are the cards that may be waste or foundations, and `aside` those of them that are no waste if there is
    one: it lies together, and they lie elsewhere. Columns `run_to_right` where they are laid as rows.
    """

    columns: tuple[tuple[int, ...], ...]
    backs: tuple[tuple[int, ...], ...]
    top_row: tuple[int, ...]
    aside: frozenset[int]
    stock: tuple[int, ...]
    run_to_right: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Explained:
    """A table with its likeliest explanation; `unruly` columns keep to no rule."""

    places: TablePlaces
    problem: Problem
    decoded: Decoded
    unruly: int
    decoding: bool

    def chosen(self, numbers: Sequence[int] | None = None) -> list[Option]:
        return [self.problem.options[n] for n in (self.decoded.chosen if numbers is None else numbers)]

    @property
    def broken(self) -> int:
        """At how many places the cards as read break the rules."""
        return sum(isinstance(o.meaning, tuple) and o.meaning[0] in ("broken", "twice") for o in self.chosen())

    def second_tops(self) -> int:
        """How many foundations show a further card of a suit that has one already."""
        tops = [
            o.identities[0][1] // 13
            for o in self.chosen()
            if isinstance(o.meaning, tuple) and o.meaning[0] in ("broken", "foundation") and o.identities
        ]
        return len(tops) - len(set(tops))


def _explain(table: SeenTable, layout: Layout, doubts: int, decoding: bool = True) -> _Explained:
    """The likeliest explanation; `doubts` further searches at most weigh doubtful cards."""
    log = table.log_card if decoding else argmax_log_probs(table.log_card)
    places = places_of(table, layout, decoding)
    problem, unruly = _problem(places, layout, log, decoding)
    decoded = decode(problem, dict(enumerate(table.log_card)), budget=doubts)
    if decoded is None:  # more equal cards than the slack allows: stay with the plain reads
        return _explain(table, layout, 0, decoding=False)
    return _Explained(places, problem, decoded, unruly, decoding)


def rule_penalty(table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
    """How badly a table suits the game; see `vision.layout.game_layout.RulePenalty`."""
    found = _explain(table, layout, 0, decoding)
    left = left_out_penalty(found.chosen(), layout.log_zone[GAME])
    return RULE_BROKEN * found.broken + TUNING.unruly_column_log_price * found.unruly + left


def count_missing(table: SeenTable, layout: Layout) -> int:
    """How many cards of the deck lie nowhere, though the photo shows the whole table: stock and waste hold no more.

    A foundation of whose cards one lies elsewhere is none of this game: others begin with another card than an ace.
    """
    if layout.tops_only or not _is_whole(table):
        return 0
    places = places_of(table, layout)
    read = table.log_card.argmax(1).tolist()
    tops = [read[row] for row in places.top_row if _is_foundation(layout, row)]
    on_foundations = sum(1 if set(_up_to(top)) & (set(read) - {top}) else len(_up_to(top)) for top in tops)
    hidden = sum(int(layout.log_count[column[0]].argmax()) for column in places.columns if column)
    up = sum(map(len, places.columns))
    return max(DECK_SIZE - up - hidden - on_foundations - (DECK_SIZE - DEALT_UP_AND_DOWN), 0)


def _is_foundation(layout: Layout, row: int) -> bool:
    """Whether the network takes a card of the top row for a foundation's rather than the waste's."""
    waste, foundation = (layout.log_zone[GAME][row, _ZONES.index(zone)] for zone in TOP_ROW)
    return bool(foundation > waste)


def _is_whole(table: SeenTable) -> bool:
    """Whether nothing lies at the photo's edges, so that no part of the table is likely to be cut off."""
    return bool(table.margins.min() >= TUNING.uncut_card_widths)


def parse(table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> GameReading:
    """Reads a table as Klondike; see `vision.layout.game_layout.Parse`."""
    found = _explain(table, layout, DOUBTS if decoding else 0, decoding)
    places, decoded = found.places, found.decoded
    out = _out(found.problem, decoded)
    zones = _zones(found.chosen(), len(table.cards))
    room = DECK_SIZE - out - list(zones.values()).count("waste")
    counts = count_down(places.columns, places.backs, layout, out, found.decoding, room=room)
    position, spots = _position(table, layout, places, counts.best, found.chosen()), spots_of(table, layout)
    placed = tuple(_placed(table, found, zones))
    doubts = [
        *(_doubts_of_squared(counts, placed) if layout.tops_only else _doubts_of_counts(counts)),
        *_doubt_of_side(layout),
        *_doubts_of_numbers(places, layout, spots, len(table.cards)),
        *doubts_of_zones(found.problem, decoded, _in_one_column(layout.log_zone[GAME], places.columns), _ZONES, placed),
        *doubts_of_sides(position, placed, spots, [len(table.cards) + back for back in places.stock]),
    ]
    return GameReading(
        GAME,
        position,
        placed,
        _back_places(places, len(table.backs)),
        tuple(_notes(places, position)),
        (
            *_asked(found.broken - found.second_tops(), found.unruly, _not_turned(position)),
            *_asked_of_foundations(table, placed),
        ),
        tuple(sorted(_other_readings(table, layout, found, counts), key=lambda row: -row[0])),
        tuple(doubts),
    )


def columns(table: SeenTable, layout: Layout) -> tuple[list[int], Array]:
    """Rows of the cards that lie first in their columns, above which cards may lie face down; where columns run."""
    places = places_of(table, layout)
    down = toward_player(table, layout)
    along = np.array([down[1], -down[0]]) if places.run_to_right else down
    return [column[0] for column in places.columns if column], along


def toward_player(table: SeenTable, layout: Layout) -> Array:
    """(2,) unit vector in the table's plane in which columns run."""
    return np.asarray(layout.toward @ frame(table) * table.template.width)


def places_of(table: SeenTable, layout: Layout, decoding: bool = True, run_to_right: bool | None = None) -> TablePlaces:
    """The likeliest zone of each card; columns stand side by side, so that their numbers rise from left to right.

    Args:
        table: What is seen.
        layout: What the network says of it.
        decoding: Whether the rules have their word.
        run_to_right: Whether columns are laid as rows, where that is known.
    """
    log_zone = layout.log_zone[GAME]
    count = len(table.cards)
    spots, named = spots_of(table, layout), _named(log_zone)
    log_card = table.log_card if decoding else argmax_log_probs(table.log_card)
    height = table.template.height / table.template.width
    found = number_columns(spots, layout, np.flatnonzero(named == 0), height, log_card, run_to_right)
    number = found.column
    columns = _by_column({row: column for row, column in number.items() if row < count})
    backs = _by_column({row - count: column for row, column in number.items() if row >= count})
    outside = np.setdiff1d(np.arange(len(named)), list(number)).astype(int)
    may_be = log_zone[:, [_ZONES.index(name) for name in TOP_ROW]].max(1) > np.log(TUNING.least_zone_probability)
    top_row = outside[(outside < count) & may_be[outside]].tolist()
    stock = outside[(outside >= count) & (named[outside] == _ZONES.index("stock"))] - count
    return TablePlaces(
        tuple(_in_order(column, spots[:, int(not found.run_to_right)], table, decoding) for column in columns),
        tuple(map(tuple, backs)),
        tuple(top_row),
        _aside(spots, log_zone, top_row),
        tuple(stock.tolist()),
        found.run_to_right,
    )


def _by_column(number: Mapping[int, int]) -> list[list[int]]:
    """The rows of each column, ascending, from each row's column."""
    return [sorted(row for row in number if number[row] == column) for column in range(COLUMNS)]


def spots_of(table: SeenTable, layout: Layout) -> Array:
    """(n, 2) middles of cards and backs as the player sees them, card widths."""
    spots = np.array([*(c.centre for c in table.cards), *(b.centre for b in table.backs)]).reshape(-1, 2)
    down = toward_player(table, layout)
    return np.asarray(spots @ np.stack([[down[1], -down[0]], down], axis=1) / table.template.width)


def spots_to_photo(table: SeenTable, layout: Layout, spots: Array) -> Array:
    """(n, 2) where spots as of `spots_of` lie in the photo, px."""
    down = toward_player(table, layout)
    return table.plane.to_photo(spots @ np.array([[down[1], -down[0]], down]) * table.template.width)


def _named(log_zone: Array) -> Array:
    """(n,) number of the likeliest zone in the network's order; 0 stands for all columns."""
    in_column = np.logaddexp.reduce(log_zone[:, :COLUMNS], axis=1)
    return np.where(in_column > log_zone[:, COLUMNS:].max(1), 0, COLUMNS + log_zone[:, COLUMNS:].argmax(1))


def _aside(spots: Array, log_zone: Array, top_row: Sequence[int]) -> frozenset[int]:
    """The cards of the top row that do not lie with those which are the likeliest waste."""
    if not top_row:
        return frozenset()
    own = spots[list(top_row)]
    near = np.linalg.norm(own[:, None] - own, axis=-1) < TUNING.waste_gap_card_widths
    piles = [[top_row[k] for k in pile] for pile in groups(near)]
    odds = log_zone[:, _ZONES.index("waste")] - log_zone[:, _ZONES.index("foundation")]
    waste = max(piles, key=lambda pile: sum(max(float(odds[row]), 0.0) for row in pile))
    return frozenset(top_row) - set(waste)


def _in_order(column: Sequence[int], depth: Array, table: SeenTable, decoding: bool) -> tuple[int, ...]:
    """A column's cards from the far end to the player: by their places, and by what lies on what where those are near.

    Of a card that others cover only one end is seen, so its place is known less well than that of the last one. The
    rules have the last word on which of two near ones comes first, and on which end of the column does: where each card
    shows a narrow strip, what lies on what is hard to see.
    """
    layer = [card.layer for card in table.cards]
    read = [card.best.index for card in table.cards]

    def broken(cards: Sequence[int]) -> int:
        return sum(read[above] not in lies_on(read[below]) for below, above in pairwise(cards)) if decoding else 0

    order = sorted(column, key=lambda row: depth[row])
    sinks = sum(int(np.sign(layer[b] - layer[a])) for a, b in pairwise(order)) < 0
    if sinks and broken(order[::-1]) <= broken(order):
        order.reverse()  # a column grows towards the player, over the cards that lie there, wherever the player sits
        depth = -depth
    order = _swapped(order, lambda a, b: layer[a] > layer[b] and depth[b] - depth[a] < TUNING.unsure_order_card_widths)
    if decoding:
        for k in range(len(order) - 1):
            other = [*order[:k], order[k + 1], order[k], *order[k + 2 :]]
            if abs(depth[order[k + 1]] - depth[order[k]]) < TUNING.unsure_order_card_widths and broken(other) < broken(
                order
            ):
                order = other
    return tuple(order)


def _swapped(order: Sequence[int], wrong: Callable[[int, int], bool]) -> list[int]:
    """An order in which neighbours that stand the wrong way round have changed places, as often as there are cards."""
    swapped = list(order)
    for _ in order:
        for k, (a, b) in enumerate(pairwise(swapped)):
            if wrong(a, b):
                swapped[k], swapped[k + 1] = b, a
    return swapped


@dataclass(frozen=True, slots=True, eq=False)
class _Offers:
    """The ways to explain the cards, while they are put together.

    Attributes:
        log_zone: (cards and backs, zones) log-probabilities.
        log: (cards, 52) log-probabilities of the identities.
        options: What is offered.
        number: The option of each card and identity.
    """

    log_zone: Array
    log: Array
    options: list[Option] = field(default_factory=list)
    number: dict[tuple[int, int], int] = field(default_factory=dict)

    def identities(self, card: int) -> list[int]:
        """The identities that a card is offered as."""
        return [c for other, c in self.number if other == card]

    def add(self, card: int, zone: str, deep: float, price: float = 0.0) -> None:
        """Offers a card in a zone, as each identity whose log-probability is at most so far below the best one's."""
        order = np.argsort(-self.log[card])[:26]
        for c in order[self.log[card, order] > self.log[card, order[0]] + deep].tolist():
            self.number[card, c] = len(self.options)
            score = float(self.log_zone[card, _ZONES.index(zone)] + self.log[card, c]) + price
            uses = tuple((taken, 1) for taken in (_up_to(c) if zone == "foundation" else (c,)))
            self.options.append(Option(score, (card,), uses, ((card, c),), (zone, card)))
            if zone == "foundation":  # a card of another pile is on it, or two piles are of one suit
                self.options.append(Option(score + RULE_BROKEN, (card,), (), ((card, c),), ("broken", card)))

    def add_top_row(self, places: TablePlaces, decoding: bool) -> None:
        """Offers the cards that may be waste or foundations as such."""
        for card in places.top_row:
            for zone in TOP_ROW:
                if self.log_zone[card, _ZONES.index(zone)] > np.log(TUNING.least_zone_probability):
                    far = decoding and zone == "waste" and card in places.aside
                    self.add(
                        card,
                        zone,
                        TUNING.least_identity_log_odds + 4 if decoding else -1.0,
                        RULE_BROKEN if far else 0.0,
                    )

    def add_twice(self, cards: Iterable[int]) -> None:
        """Offers, at a price, that what several of the cards are read as is there twice."""
        read = [int(self.log[card].argmax()) for card in cards]
        for c in {c for c in read if read.count(c) > 1}:
            self.options.append(Option(RULE_BROKEN, (), ((c, -1),), (), ("twice", c)))


def _up_to(card: int) -> range:
    """Identities of a foundation's cards up to its top."""
    return range(13 * (card // 13), card + 1)


def _problem(places: TablePlaces, layout: Layout, log: Array, decoding: bool) -> tuple[Problem, int]:
    """All cards with the ways to explain them, and how many columns keep to no rule."""
    offers = _Offers(layout.log_zone[GAME], log)
    for number, cards in enumerate(places.columns):
        for card in cards:
            offers.add(card, f"column/{number}", TUNING.least_identity_log_odds if decoding else -1.0)
    offers.add_top_row(places, decoding)
    none = offers.log_zone[: len(log), _ZONES.index(NONE)].tolist()
    offers.options.extend(Option(price, (card,), (), (), (NONE, card)) for card, price in enumerate(none))
    limits: dict[Any, int] = dict.fromkeys(range(DECK_SIZE), 1 if decoding else 99)
    if not decoding:
        return Problem(offers.options, limits), 0
    follows, unruly = _follow_in_columns(places, offers)
    offers.add_twice(set(places.top_row) | set(chain.from_iterable(places.columns)))
    return Problem(offers.options, limits, follows), unruly


def _follow_in_columns(places: TablePlaces, offers: _Offers) -> tuple[_Follows, int]:
    """The constraints on cards that follow each other, and the number of columns that keep to no rule and have none."""
    follows: _Follows = []
    unruly = 0
    for cards in places.columns:
        before = len(offers.options)
        asked = _follow(cards, offers)
        if _is_unruly(cards, offers, asked):
            unruly += 1
            del offers.options[before:]
        else:
            follows += asked
    return follows, unruly


def _follow(cards: Sequence[int], offers: _Offers) -> _Follows:
    """For each card of a column, the options of the next one that may lie on it."""
    options, number = offers.options, offers.number
    follows: _Follows = []
    for below, above in pairwise(cards):
        slack = len(options)
        options.append(Option(RULE_BROKEN, (), (), (), ("broken", below)))
        gone = [n for n, o in enumerate(options) if o.covers == (above,) and not o.identities]
        asking: dict[tuple[int, ...], list[int]] = {}  # one row for all that ask for the same is searched faster
        for c in offers.identities(below):
            wanted = tuple(number[above, d] for d in lies_on(c) if (above, d) in number)
            asking.setdefault(wanted, []).append(number[below, c])
        follows += [(tuple(left), (*wanted, *gone, slack)) for wanted, left in asking.items()]
    return follows


def _is_unruly(cards: Sequence[int], offers: _Offers, follows: _Follows) -> bool:
    """Whether a column is rather laid without the rules than read wrong: its cards then stay as they were read."""
    read = [int(offers.log[card].argmax()) for card in cards]
    if sum(above not in lies_on(below) for below, above in pairwise(read)) < 2:
        return False
    own = {card: [n for n, option in enumerate(offers.options) if option.covers == (card,)] for card in sorted(cards)}
    ruled = _column_alone(own, offers.options, follows).solve()
    free = sum(max(offers.options[n].score for n in own[card]) for card in cards)
    return ruled is None or ruled[0] < free + TUNING.unruly_column_log_price


def _column_alone(own: Mapping[int, Sequence[int]], options: Sequence[Option], follows: _Follows) -> Problem:
    """The problem of a single column, from the options that cover each of its cards."""
    broken = {("broken", card) for card in own}
    slack = [n for n, option in enumerate(options) if not option.covers and option.meaning in broken]
    chosen = [*sorted(chain.from_iterable(own.values())), *slack]
    place = {n: k for k, n in enumerate(chosen)}
    rows = [(tuple(place[n] for n in left), tuple(place[n] for n in right)) for left, right in follows]
    return Problem([options[n] for n in chosen], {}, rows)


def _out(problem: Problem, decoded: Decoded) -> int:
    """How many cards lie face up in columns and foundations."""
    out = 0
    for number in decoded.chosen:
        option = problem.options[number]
        if option.identities and isinstance(option.meaning, tuple):
            zone = str(option.meaning[0])
            out += zone.startswith("column") or (option.identities[0][1] % 13 + 1) * (zone == "foundation")
    return out


def _zones(chosen: Sequence[Option], count: int) -> dict[int, str]:
    """The zone of each of `count` cards."""
    zones = dict.fromkeys(range(count), NONE)
    for option in chosen:
        if option.identities and isinstance(option.meaning, tuple):
            (card, c), zone = option.identities[0], str(option.meaning[0])
            zones[card] = zone_of_card("foundation" if zone == "broken" else zone, c)
    return zones


def _position(
    table: SeenTable, layout: Layout, places: TablePlaces, down: Sequence[int], chosen: Sequence[Option]
) -> Position:
    """The position of an explanation, with `down` cards hidden in each column."""
    from solver.klondike import Column, Position  # it brings Numba: not before a table is taken for this game

    card_of = {item: Card.from_index(c) for option in chosen for item, c in option.identities}
    cards_in = _by_zone(_zones(chosen, len(table.cards)))
    laid = []
    for number, cards in enumerate(places.columns):
        own = cards_in.get(f"column/{number}", ())
        laid.append(Column((None,) * down[number], tuple(card_of[card] for card in cards if card in own)))
    heights = _heights([card_of[card] for suit in SUIT_CHARS for card in cards_in.get(f"foundation/{suit}", ())])
    waste = tuple(card_of[card] for card in waste_order(table, layout, cards_in.get("waste", ())))
    on_table = sum(len(column.down) + len(column.up) for column in laid) + sum(heights) + len(waste)
    return Position(tuple(laid), heights, (None,) * max(DECK_SIZE - on_table, 0), waste)


def _by_zone(zones: Mapping[int, str]) -> dict[str, list[int]]:
    """The cards of each zone."""
    found: dict[str, list[int]] = {}
    for card, zone in zones.items():
        found.setdefault(zone, []).append(card)
    return found


def _heights(tops: Sequence[Card]) -> tuple[int, int, int, int]:
    """How many cards each suit's foundation holds, from the tops that are seen."""
    c, d, h, s = (max((int(top.rank) for top in tops if top.suit == suit), default=0) for suit in Suit)
    return c, d, h, s


def waste_order(table: SeenTable, layout: Layout, waste: Sequence[int]) -> list[int]:
    """Cards of the waste from the lowest to the top one; most of its overlaps tell at which end that is."""
    if len(waste) < 2:
        return list(waste)
    down = toward_player(table, layout)
    right = np.array([down[1], -down[0]])
    centres = table.centres[list(waste)]
    spread = np.ptp(centres, axis=0)
    axis = right if abs(spread @ np.abs(right)) >= abs(spread @ np.abs(down)) else down
    row = [waste[k] for k in np.argsort(centres @ axis)]
    layers = [table.cards[card].layer for card in row]
    rising = sum((b > a) - (b < a) for a, b in pairwise(layers))
    return row if rising >= 0 else row[::-1]


def _placed(table: SeenTable, found: _Explained, zones: Mapping[int, str]) -> Iterator[PlacedCard]:
    """Every card in its zone: first those of columns and top row, then what lies in none."""
    identity = {item: c for option in found.chosen() for item, c in option.identities}
    known = [*chain.from_iterable(found.places.columns), *found.places.top_row]
    for card in known:
        if zones[card] != NONE:
            yield place(table, found.decoded, card, identity[card], zones[card])
    for card, zone in zones.items():
        if zone == NONE:
            yield left_out(table, card) if card in known else unzoned(table, card)


def _back_places(places: TablePlaces, count: int) -> tuple[Place, ...]:
    """Where each of so many backs lies."""
    found = dict.fromkeys(places.stock, Place("stock"))
    for number, backs in enumerate(places.backs):
        found |= dict.fromkeys(backs, Place("column", number))
    return tuple(found.get(back, NOWHERE) for back in range(count))


def _other_readings(
    table: SeenTable, layout: Layout, found: _Explained, counts: Counts
) -> Iterator[tuple[float, Position]]:
    """Further likely positions: other explanations, and other counts of the cards that a column hides."""
    for relative, numbers in found.decoded.others:
        yield relative, _position(table, layout, found.places, counts.best, found.chosen(numbers))
    for column, best, second in counts.unsure():
        other = [*counts.best[:column], second, *counts.best[column + 1 :]]
        relative = float(np.log(max(counts.chance[column, second], 1e-9) / max(counts.chance[column, best], 1e-9)))
        yield relative, _position(table, layout, found.places, other, found.chosen())


def _doubts_of_counts(counts: Counts) -> Iterator[Question]:
    """How many cards each column hides, where it may hide another number."""
    for column, best, second in counts.unsure(1 - TUNING.negligible_doubt):
        hidden = f"{second} card{'' if second == 1 else 's'}"
        text = f"column {column + 1} may hide {hidden} face down instead of {best}: please count them"
        doubt = round(1 - float(counts.chance[column, best]), 4)
        choices = (str(best), str(second))
        yield Question(QuestionKind.HIDDEN, text, Place("column", column), choices, doubt=doubt)


def _doubts_of_squared(counts: Counts, placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """How many cards lie under the tops of squared piles: no photo shows it, so one question is about all of them."""
    sure = float(np.prod([chance[best] for best, chance in zip(counts.best, counts.chance, strict=True)]))
    if 1 - sure > TUNING.negligible_doubt:
        taken = ", ".join(map(str, counts.best))
        text = f"the piles lie squared: how many cards lie under each? {taken} are taken, from left to right"
        tops = tuple(number for number, card in enumerate(placed) if card.place.kind == "column")
        yield Question(QuestionKind.HIDDEN, text, Place("column"), cards=tops, doubt=round(1 - sure, 4))


def _in_one_column(log_zone: Array, columns: Sequence[Sequence[int]]) -> Array:
    """(n, zones) log-probabilities, in which one column stands for all of them: which one it is asked of the pile.

    It is the column in which a card was put, and the likeliest one for a card that was put in none.
    """
    column = log_zone[:, :COLUMNS].argmax(1)
    for number, cards in enumerate(columns):
        column[list(cards)] = number
    one = np.full_like(log_zone, -np.inf)
    one[:, COLUMNS:] = log_zone[:, COLUMNS:]
    one[np.arange(len(one)), column] = np.logaddexp.reduce(log_zone[:, :COLUMNS], axis=1)
    return one


def _doubt_of_side(layout: Layout) -> Iterator[Question]:
    """Whether the photo was taken from across the table, where that is not plain: all columns are other ones then."""
    if layout.side_doubt > TUNING.negligible_doubt:
        text = "the photo may be taken from across the table: please check which column is the first"
        yield Question(QuestionKind.PHOTOS, text, doubt=round(layout.side_doubt, 4))


def _doubts_of_numbers(places: TablePlaces, layout: Layout, spots: Array, count: int) -> Iterator[Question]:
    """Which columns are empty, where piles may be other columns; they rise from left to right, so seven piles are sure.

    Backs are numbered behind the `count` cards.
    """
    log_zone, across = layout.log_zone[GAME][:, :COLUMNS], spots[:, int(places.run_to_right)]
    chosen, x, own = [], [], []
    for number, (cards, backs) in enumerate(zip(places.columns, places.backs, strict=True)):
        rows = [*cards, *(count + back for back in backs)]
        if rows:
            chosen.append(number)
            x.append(float(across[list(cards) or rows].mean()))
            own.append(log_zone[rows])
    if not 0 < len(chosen) < COLUMNS:
        return
    score = weigh_numbers(x, own)
    total = float(np.logaddexp.reduce(list(score.values())))
    doubt = round(1 - float(np.exp(score[tuple(chosen)] - total)), 4)
    if doubt > TUNING.negligible_doubt:
        ways = [tuple(chosen), *sorted(score, key=lambda way: -score[way])]
        choices = tuple(dict.fromkeys(" ".join(str(k + 1) for k in way) for way in ways))[:COLUMNS]
        text = f"the piles may not be columns {choices[0]}: please check which are empty or were not found"
        yield Question(QuestionKind.ZONE, text, None, choices, doubt=doubt)


def _not_turned(position: Position) -> list[int]:
    """The columns whose last card lies face down: it was uncovered, and is still to be turned."""
    return [number for number, column in enumerate(position.columns) if column.down and not column.up]


def _asked(broken: int, unruly: int, not_turned: Iterable[int]) -> Iterator[Question]:
    """What a person should look at besides doubtful cards."""
    for number in not_turned:
        text = f"the last card of column {number + 1} is not turned yet: which card is it?"
        yield Question(QuestionKind.RULES, text, Place("column", number))
    if broken:
        yield ask_about_broken_rules(broken)
    if unruly:
        text = "a column does not go down in alternating colours: its cards stand as they were read"
        yield Question(QuestionKind.RULES, text)


def _asked_of_foundations(table: SeenTable, placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """Whether cards of one suit on foundations lie on one pile, where they lie apart: somebody may have laid two."""
    for suit in range(len(SUIT_CHARS)):
        own = Place("foundation", suit)
        tops = sorted(
            (card.card, card.seen, n)
            for n, card in enumerate(placed)
            if card.place == own and card.card is not None and card.seen is not None
        )
        at = table.centres[[row for _, row, _ in tops]] / table.template.width
        if len(tops) > 1 and np.ptp(at, axis=0).max() > TUNING.one_pile_card_widths:
            names = " and ".join(str(card) for card, _, _ in tops)
            text = f"{names} lie apart on foundations, but the table shows one pile of them"
            yield Question(QuestionKind.RULES, text, own, cards=tuple(n for _, _, n in tops))


def _notes(places: TablePlaces, position: Position) -> list[str]:
    """What the photo does not show."""
    left = len(position.stock)
    others = f"the other {f'{left} cards are' if left > 1 else 'card is'} taken to lie {IN_STOCK}"
    if _is_part(position):
        number = {0: "no column", 1: "1 column"}.get(_shown(position), f"{_shown(position)} columns")
        return [f"only part of a table: {number}; {others}"]
    return [others] if left and (position.waste or not places.stock) else []


def _shown(position: Position) -> int:
    """How many columns show a card."""
    return sum(bool(column.up) for column in position.columns)


def _is_part(position: Position) -> bool:
    """Whether the photo shows only a part of the table: few columns, and fewer cards than were dealt to them."""
    out_and_down = DECK_SIZE - len(position.stock) - len(position.waste)
    return out_and_down < DEALT_UP_AND_DOWN and _shown(position) <= COLUMNS // 2


def house_rules(position: Position, places: Sequence[Place]) -> Position:
    """A position by the rules that people play at home.

    Where the waste shows two or three fanned cards, three are turned at a time, else one. By the rules of
    the text game, `ONE_CARD`, only the last card of a column moves. Hardly anybody plays so: nearly every table would
    be lost.
    """
    from solver.klondike import STANDARD, STANDARD_DRAW_1

    return position.with_rules(STANDARD if 2 <= places.count(Place("waste")) <= THREE else STANDARD_DRAW_1)


LAYOUT: Final = GameLayout(
    parse,
    rule_penalty,
    columns=columns,
    plan=layout_of_squared_piles,
    agree=agree_in_fans,
    house_rules=house_rules,
    count_missing=count_missing,
)
