"""Makiaveli: melds on the floor, single cards around the deck, a hand at somebody's edge of the table.

The network tells each card's zone and which cards lie next to each other in a meld. Every path of such neighbours that
could be a meld is an option; the best legal partition of all cards into melds, cross and hand is found by
`constrained_decoding`. So a row of touching melds is cut where the rules want it, and a misread card is put
right where its neighbours leave one choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from solver.cards import Card
from solver.place import NOWHERE, Place
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.constrained_decoding import DOUBTS, RULE_BROKEN, Decoded, Option, Problem, decode
from vision.layout.game_layout import GameLayout, Hand
from vision.layout.game_reading import (
    GameReading,
    PlacedCard,
    argmax_log_probs,
    ask_about_zone,
    doubts_of_zones,
    left_out,
    left_out_penalty,
    numbers_of,
    place,
    unzoned,
)
from vision.layout.lines_of_cards import cards_in_row, folded_lines, lines_of, wide_steps, wrapped_pairs
from vision.layout.misread_ranks import doubt_misread_ranks
from vision.layout.neighbours import groups
from vision.layout.tokens import frame, tokens_of
from vision.layout.vocabulary import NONE, ZONES
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind

if TYPE_CHECKING:
    from solver.makiaveli import Position

GAME: Final = "makiaveli"
COPIES: Final = 2
MIN_MELD: Final = 3
MAX_RUN: Final = 13
ROW_WIDTHS: Final = 0.7
"""Melds of one row begin no farther below each other, in card widths: half a card's height."""
_ZONES: Final = ZONES[GAME]
_SINGLE: Final = ("hand", *(f"cross/{k}" for k in range(4)))


@dataclass(frozen=True, slots=True)
class MakiaveliTuning:
    """How melds are weighed.

    Attributes:
        least_neighbour_log_odds: Cards whose log-odds to lie next to each other are lower are no neighbours.
        most_neighbours: Neighbours of a card that are considered, the likeliest.
        most_neighbour_log_odds: No pair of neighbours speaks for or against a meld more than this.
        meld_log_price: There are some 370 melds, and two halves laid in one go are rather one meld.
        fitting_card_log_odds: What each card that fits speaks for its meld: one at random would fit one time in 52
            (logarithm 3.95), but the network that tells neighbours has seen the cards too.
        unseen_card_log_price: Of a meld's card that is wholly unseen.
        one_meld_log_odds: Neighbours with lower ones make a person be asked whether a meld is two that touch. Of 1,221
            runs of four and more cards read right, on tables of validation and training decks, none has such a pair; of
            eight read as one that were two, seven have.
        touching_runs_log_price: Of a run that could be cut in two melds between cards that may be no neighbours,
        whole_run_log_odds: and none where those are neighbours with higher log-odds. With both, neighbours of log-odds
            -2 make one run as often as two. Within a run such odds are hardly ever below 0, between two runs nearly
            always. Chosen on simulated tables of 60 to 104 cards.
        wrapped_line_log_odds: Of the last card of a line and the first card of the next one, which begins below it: of
            one line that goes on, or two melds.
        folded_line_log_odds: Of the last card of a line and the one beside it, where a run goes on and back again: on
            simulated tables hardly ever two melds lie so.
        wide_step_log_price: Of two cards that would be neighbours in a run, after a wider step than the run's others.
        loose_card_log_price: Of a single card on the floor that belongs to no meld.
        least_identity_log_odds: Less likely identities, relative to the best, are not considered.
        least_cut_log_odds: Less likely ways to cut the cards into melds, relative to the best, are no rivals.
        other_side_log_price: Of a card of the cross at another side of the deck than its place tells.
        in_row_with_hand_log_price: Of two cards that would be neighbours in a meld, in one row with the hand.
        most_melds_of_same_cards: So many melds are kept that the same cards may be.
        most_cards_ruled: With more cards a broken meld speaks less against the game: a card was misread rather than
            laid so.
        most_usual_melds: So many sets and runs may lie on a table of another game.
        telling_meld_log_odds: Each further one speaks so much for this game, where there are both sets and runs. Chosen
            on simulated tables: those of no game have five at most.
        most_telling_log_odds: All of them together speak for it no more than this.
        least_share_upon: A card of which a larger share lies inside a meld's card lies upon that,
        upon_doubt: and so likely elsewhere than in the cross or in the hand: hardly any lies so, but misread ones do.
        beside_card_widths: The middles of a card and of one of a meld beside it are no farther apart.
        seen_twice_card_widths: Two copies of a card, of which one lies in a meld, are farther from each other.
        least_zone_probability: A less probable zone is not considered for a card.
        least_line_probability: A card that lies on the floor with less is of no line there. A run's last card, laid in
            a second line beside the deck, looks much like one of the cross.
    """

    meld_log_price: float
    fitting_card_log_odds: float
    unseen_card_log_price: float
    touching_runs_log_price: float
    wrapped_line_log_odds: float
    wide_step_log_price: float
    loose_card_log_price: float
    other_side_log_price: float
    whole_run_log_odds: float
    in_row_with_hand_log_price: float
    telling_meld_log_odds: float
    most_telling_log_odds: float
    folded_line_log_odds: float = 2.0
    least_neighbour_log_odds: float = -3.5
    most_neighbours: int = 4
    most_neighbour_log_odds: float = 7.0
    one_meld_log_odds: float = -1.0
    least_identity_log_odds: float = -13.0
    least_cut_log_odds: float = -10.0
    most_melds_of_same_cards: int = 4
    most_cards_ruled: int = 12
    most_usual_melds: int = 6
    least_share_upon: float = 0.3
    upon_doubt: float = 0.8
    beside_card_widths: float = 1.7
    seen_twice_card_widths: float = 1.0
    least_zone_probability: float = 1e-3
    least_line_probability: float = 0.1


TUNING: Final = MakiaveliTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class _Meld:
    """A candidate: cards in the order laid, their identities, cards missing between them, log-score."""

    cards: tuple[int, ...]
    identities: tuple[int, ...]
    missing: tuple[int, ...]
    score: float
    broken: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Explained:
    """A table with its likeliest explanation; `layout` and `zone` hold what place and hand tell too.

    `xy` (n, 2) are the middles of cards and backs in the table's own frame, card widths.
    """

    layout: Layout
    zone: Array
    problem: Problem
    decoded: Decoded
    xy: Array

    def split(self, numbers: Sequence[int] | None = None) -> tuple[_Melds, dict[int, tuple[int, int]], list[Any]]:
        return _split(self.chosen(numbers), self.xy)

    def chosen(self, numbers: Sequence[int] | None = None) -> list[Option]:
        return [self.problem.options[n] for n in (self.decoded.chosen if numbers is None else numbers)]

    @property
    def loose(self) -> list[int]:
        """Cards of the floor that belong to no meld."""
        return [o.covers[0] for o in self.chosen() if isinstance(o.meaning, tuple) and o.meaning[0] == "floor"]

    @property
    def broken(self) -> int:
        """How many melds break the rules."""
        return sum(isinstance(o.meaning, _Meld) and o.meaning.broken for o in self.chosen())


def _explain(table: SeenTable, layout: Layout, hand_given: bool, doubts: int, decoding: bool = True) -> _Explained:
    """The likeliest explanation; `doubts` further searches at most weigh doubtful cards.

    With the hand given every card of the photo is floor or cross. Without decoding each card stays as read, and cards
    that lie next to each other are one meld.
    """

    def pose() -> tuple[Layout, Array, Problem]:
        log = table.log_card if decoding else argmax_log_probs(table.log_card)
        zone = _with_sides(table, layout, layout.log_zone[GAME])
        told = layout
        if hand_given:
            told, zone = _without_hand(layout, zone)
        linked = _with_lines(table, told, zone)
        if not hand_given:
            _keep_rows_of_hand(linked.link, tokens_of(table).xy[: len(table.cards)], zone)
        return linked, zone, _problem(linked, zone, log, decoding)

    def explain() -> tuple[Layout, _Explained]:
        linked, zone, problem = table.once((GAME, id(layout), hand_given, decoding), pose)
        decoded = decode(problem, dict(enumerate(table.log_card)), budget=doubts)
        assert decoded is not None, "every card may lie loose, so there is always an explanation"
        return layout, _Explained(linked, zone, problem, decoded, tokens_of(table).xy)

    # The layout is kept too, so that its id stays.
    return table.once((GAME, id(layout), hand_given, decoding, doubts), explain)[1]


def rule_penalty(table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
    """How badly a table suits the game; see `vision.layout.game_layout.RulePenalty`."""
    found = _explain(table, layout, hand is not None, 0, decoding)
    unseen = sum(len(o.meaning.missing) for o in found.chosen() if isinstance(o.meaning, _Meld))
    left = left_out_penalty(found.chosen(), found.zone)
    return (
        TUNING.loose_card_log_price * len(found.loose)
        + RULE_BROKEN * found.broken
        + TUNING.unseen_card_log_price * unseen
        + left
    )


def tells(table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
    """How plainly a table shows the game by many sets and runs; see `vision.layout.game_layout.Tells`."""
    if len(table.cards) <= TUNING.most_usual_melds * MIN_MELD:
        return 0.0
    read = table.log_card.argmax(1)
    found = [o.meaning for o in _explain(table, layout, hand is not None, 0, decoding).chosen()]
    melds = [
        meld
        for meld in found
        if isinstance(meld, _Meld) and not meld.broken and tuple(read[list(meld.cards)]) == meld.identities
    ]
    runs = sum(meld.identities[0] % 13 != meld.identities[1] % 13 for meld in melds)
    if not 0 < runs < len(melds):
        return 0.0
    beyond = max(0, len(melds) - TUNING.most_usual_melds)
    return min(TUNING.most_telling_log_odds, TUNING.telling_meld_log_odds * beyond)


def parse(table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> GameReading:
    """Reads a table as Makiaveli; see `vision.layout.game_layout.Parse`."""
    found = _explain(table, layout, hand is not None, DOUBTS if decoding else 0, decoding)
    if decoding and (again := doubt_misread_ranks(table, *_told_by_rules(table, found))) is not table:
        table, found = again, _explain(again, layout, hand is not None, DOUBTS)
    deck = _deck(table, found.zone)
    cuts = _other_cuts(found.problem, found.decoded)
    others = (*found.decoded.others, *cuts.values())
    readings = [(relative, _position(*found.split(numbers), hand)) for relative, numbers in others]
    placed = tuple(_placed(table, found))
    return GameReading(
        GAME,
        _position(*found.split(), hand),
        placed,
        tuple(Place("deck") if number == deck else NOWHERE for number in range(len(table.backs))),
        tuple(_note_seen_hand(layout, placed, hand)) if hand is not None else (),
        tuple(_asked(table, layout, found, placed)),
        tuple(sorted(readings, key=lambda row: -row[0])),
        (
            *_doubts_of_cuts(found, cuts, placed),
            *_doubts_of_places(table, found, placed),
        ),
    )


def _told_by_rules(table: SeenTable, found: _Explained) -> tuple[dict[int, int], list[dict[int, int]], list[int]]:
    """The cards of runs, the others in groups of one rank, and those without a place; see `doubt_misread_ranks`."""
    runs, others = dict[int, int](), list[dict[int, int]]()
    for option in found.chosen():
        cards = dict(option.identities)
        is_whole = isinstance(option.meaning, _Meld) and not option.meaning.broken
        if is_whole and len({card % 13 for card in cards.values()}) > 1:
            runs |= cards
        elif is_whole:
            others.append(cards)
        else:
            others += [{row: card} for row, card in cards.items()]
    lying = Counter(chain(runs.values(), *(cards.values() for cards in others)))
    nowhere = [o.covers[0] for o in found.chosen() if isinstance(o.meaning, tuple) and o.meaning[0] == NONE]
    return runs, others, [row for row in nowhere if lying[int(table.log_card[row].argmax())] == COPIES]


def _with_sides(table: SeenTable, layout: Layout, zone: Array) -> Array:
    """Zones in which a card of the cross lies at the side of the deck that its place tells; the deck must be seen."""
    zone = zone.copy()
    deck = _deck(table, zone)
    if deck is None or not table.cards:
        return zone
    down = layout.toward @ frame(table)
    right = np.array([down[1], -down[0]])
    line = table.centres - table.backs[deck].centre
    along, beside = line @ down, line @ right
    side = np.where(np.abs(along) > np.abs(beside), np.where(along < 0, 0, 2), np.where(beside > 0, 1, 3))
    rows, cross = np.arange(len(line)), np.array([_ZONES.index(f"cross/{k}") for k in range(4)])
    whole = np.logaddexp.reduce(zone[rows][:, cross], axis=1)
    zone[np.ix_(rows, cross)] = whole[:, None] + TUNING.other_side_log_price
    zone[rows, cross[side]] = whole
    return zone


def _with_lines(table: SeenTable, layout: Layout, zone: Array) -> Layout:
    """The layout in which the lines of the floor tell of neighbours too: they go on below, run back, or are parted."""
    floor = np.flatnonzero(zone[: len(table.cards), _ZONES.index("floor")] > np.log(TUNING.least_line_probability))
    link, tokens = layout.link.copy(), tokens_of(table)
    own, xy = layout.link[np.ix_(floor, floor)], tokens.xy[floor]
    for pair in wrapped_pairs(own, xy, tokens.down[floor], tokens.aspect):
        one, other = floor[list(pair)]
        link[one, other] = link[other, one] = max(link[one, other], TUNING.wrapped_line_log_odds)
    named = table.log_card.argmax(1)
    for there, back in folded_lines(own, xy, tokens.down[floor], tokens.aspect):
        bend = floor[[*there[-2:], *back[:2]]]
        if any(all(_follower(named[a], way, 1) == named[b] for a, b in pairwise(bend)) for way in (1, -1)):
            one, other = bend[1:3]
            link[one, other] = link[other, one] = max(link[one, other], TUNING.folded_line_log_odds)
    for pair in wide_steps(own, xy):
        one, other = floor[list(pair)]
        if _follower(named[one], 1, 1) == named[other] or _follower(named[other], 1, 1) == named[one]:
            link[one, other] = link[other, one] = link[one, other] + TUNING.wide_step_log_price
    return replace(layout, link=link)


def _without_hand(layout: Layout, zone: Array) -> tuple[Layout, Array]:
    """Layout and zones, given that the photo shows no hand: what looks like one lies elsewhere, and has neighbours.

    Cards of a hand are no neighbours in a meld. So what the network gives a pair is divided by the probability that
    none of the two is of the hand; as a hand lies together, that of the one which is rather of it.
    """
    hand, n = _ZONES.index("hand"), len(layout.link)
    elsewhere = np.log(-np.expm1(np.minimum(zone[:, hand], -1e-6)))
    link = np.minimum(layout.link - np.minimum.outer(elsewhere[:n], elsewhere[:n]), np.maximum(layout.link, 0.0))
    zone = zone - elsewhere[:, None]
    zone[:, hand] = -60.0
    return replace(layout, link=link), zone


def _note_seen_hand(layout: Layout, placed: Sequence[PlacedCard], hand: Sequence[Card]) -> Iterator[str]:
    """A note where the hand was given, and the photo shows one all the same: most of its cards are left out.

    It may be the given one: then nothing would be asked about its cards without that.
    """
    is_held = layout.log_zone[GAME].argmax(1) == _ZONES.index("hand")
    held = [card for card in placed if card.seen is not None and is_held[card.seen] and card.place.kind != "floor"]
    if sum(card.place == NOWHERE for card in held) > 1:
        shown = " ".join(card.text for card in held)
        same = (Counter[Card | None](hand) & Counter(card.card for card in held)).total()
        if 2 * same > len(held):
            yield f"the photo seems to show the given hand: {shown}; give no hand, and these cards are taken for it"
        else:
            yield f"the photo seems to show a hand too: {shown}; it does not count, since the hand was given"


def _keep_rows_of_hand(link: Array, xy: Array, zone: Array) -> None:
    """Keeps cards in the hand that lie in one row with it: a sorted hand may hold a whole run. Changes both arrays."""
    own = zone[: len(xy)]
    floor, hand = own[:, _ZONES.index("floor")], own[:, _ZONES.index("hand")]
    lying = np.flatnonzero(own.argmax(1) == _ZONES.index("floor"))
    held = np.flatnonzero(own.argmax(1) == _ZONES.index("hand")).tolist()
    for line in lines_of(link[np.ix_(lying, lying)], xy[lying]):
        cards = lying[line]
        row = cards_in_row(cards.tolist(), held, xy)
        if row and (hand - floor)[[*cards, *row]].mean() > 0:
            floor[cards], hand[cards] = hand[cards].copy(), floor[cards].copy()
            link[np.ix_(cards, cards)] += TUNING.in_row_with_hand_log_price


def _problem(layout: Layout, zone: Array, log: Array, decoding: bool) -> Problem:
    """All cards, each to be explained by a meld or as a single one."""
    options = [option for i in range(len(log)) for option in _as_single(i, zone[i], log[i], decoding)]
    floor = zone[: len(log), _ZONES.index("floor")]
    on_floor = np.flatnonzero(floor > np.log(TUNING.least_zone_probability)).tolist()
    for meld in _melds(layout, log, on_floor) if decoding else _as_laid(layout, zone, log):
        uses = tuple((c, 1) for c in meld.identities + meld.missing)
        score = meld.score + sum(float(floor[i]) + TUNING.fitting_card_log_odds for i in meld.cards)
        options.append(Option(score, meld.cards, uses, tuple(zip(meld.cards, meld.identities, strict=True)), meld))
    limits: dict[Any, int] = {f"cross/{spot}": 1 for spot in range(4)}
    limits |= dict.fromkeys(range(52), COPIES if decoding else 104)
    return Problem(options, limits)


def _as_single(card: int, zone: Array, log: Array, decoding: bool) -> Iterator[Option]:
    """The options of a card outside of all melds: nowhere, loose on the floor, in the hand or in the cross."""
    base = dict(zip(_ZONES, zone.tolist(), strict=True))
    yield Option(base[NONE], (card,), (), (), (NONE, card))
    yield from _single(card, log, base["floor"] + (TUNING.loose_card_log_price if decoding else 0.0), ("floor", card))
    for name in _SINGLE:
        if base[name] > np.log(TUNING.least_zone_probability):
            yield from _single(card, log, base[name], (name, card), ((name, 1),) if name != "hand" else ())


def _single(
    card: int, log: Array, base: float, meaning: object, uses: tuple[tuple[Hashable, int], ...] = ()
) -> Iterator[Option]:
    """Options of a card on its own: its plausible identities."""
    order = np.argsort(-log)[:8]
    for named in order[log[order] > log[order[0]] + TUNING.least_identity_log_odds].tolist():
        yield Option(base + float(log[named]), (card,), ((named, 1), *uses), ((card, named),), meaning)


def _as_laid(layout: Layout, zone: Array, log: Array) -> list[_Meld]:
    """Cards of the floor that lie next to each other as melds, whatever the rules say of them."""
    floor = np.flatnonzero(zone[: len(log)].argmax(1) == _ZONES.index("floor")).tolist()
    cards = [group for group in _neighbours(layout, floor) if len(group) >= MIN_MELD]
    return [_Meld(tuple(group), tuple(log[group].argmax(1).tolist()), (), 1.0) for group in cards]


def _neighbours(layout: Layout, cards: Sequence[int]) -> list[list[int]]:
    """The groups of cards that the network links."""
    if not cards:
        return []
    link = layout.link[np.ix_(cards, cards)] > 0
    return [[cards[k] for k in group] for group in groups(link | link.T)]


def _melds(layout: Layout, log: Array, floor: Sequence[int]) -> list[_Meld]:
    """All candidates: paths over neighbours whose reads allow a set or a run."""
    if len(floor) < MIN_MELD:
        return []
    likely = [np.flatnonzero(log[i] > log[i].max() + TUNING.least_identity_log_odds).tolist() for i in floor]
    plausible = [{c: float(log[i, c]) for c in own} for i, own in zip(floor, likely, strict=True)]
    odds = np.clip(layout.link[np.ix_(floor, floor)], -TUNING.most_neighbour_log_odds, TUNING.most_neighbour_log_odds)
    np.fill_diagonal(odds, -np.inf)
    found: dict[tuple[int, ...], list[_Meld]] = {}
    for meld in _PathSearch(odds, plausible).run():
        found.setdefault(tuple(sorted(meld.cards)), []).append(meld)
    chosen = [meld for melds in found.values() for meld in _hypotheses(melds, plausible)]
    return [replace(meld, cards=tuple(floor[i] for i in meld.cards)) for meld in chosen]


def _hypotheses(melds: list[_Meld], plausible: Sequence[Mapping[int, float]]) -> list[_Meld]:
    """The best candidate melds for these cards; the cards as read if none is legal."""
    kept: dict[tuple[int, ...], _Meld] = {}
    for meld in sorted(melds, key=lambda meld: -meld.score):
        kept.setdefault(tuple(sorted(meld.identities + meld.missing)), meld)
    chosen = _different(list(kept.values()))
    best = chosen[0]
    reads = [plausible[i] for i in best.cards]
    read = tuple(max(own, key=own.__getitem__) for own in reads)
    if best.identities != read:
        change = sum(own[r] - own[c] for own, r, c in zip(reads, read, best.identities, strict=True))
        score = best.score + change + RULE_BROKEN - TUNING.unseen_card_log_price * len(best.missing)
        chosen.append(_Meld(best.cards, read, (), score, broken=True))
    return chosen


def _different(melds: Sequence[_Meld]) -> list[_Meld]:
    """The best few melds that the same cards may be, and for each card one in which it is another card."""
    chosen = list(melds[: TUNING.most_melds_of_same_cards])
    own = dict(zip(melds[0].cards, melds[0].identities, strict=True))
    for card, identity in own.items():
        other = next((m for m in melds if m.identities[m.cards.index(card)] != identity), None)
        if other is not None and other not in chosen:
            chosen.append(other)
    return chosen


@dataclass(frozen=True, slots=True)
class _Path:
    """Cards that lie one after the other, and what they may be together.

    Attributes:
        cards: Their rows.
        runs: Runs of them, as (identity of the last card, direction), with their log-scores.
        skipped: The unseen cards of those runs that have some.
        sets: Sets of them, as (rank, a bit for each suit), with their log-scores.
        laid: Log-odds that they lie next to each other, and the price of a meld.
    """

    cards: tuple[int, ...]
    runs: dict[tuple[int, int], float]
    skipped: dict[tuple[int, int], tuple[int, ...]]
    sets: dict[tuple[int, int], float]
    laid: float


class _PathSearch:
    """Walks from neighbour to neighbour and keeps the hypotheses of meld that the reads still allow.

    Args:
        odds: (n, n) log-odds that two cards lie next to each other in a meld.
        plausible: Each card's plausible identities with their log-probabilities.
    """

    def __init__(self, odds: Array, plausible: Sequence[dict[int, float]]) -> None:
        self.odds, self.plausible = odds.tolist(), plausible
        self.best = [max(reads.values()) for reads in plausible]
        near = odds >= np.sort(odds, axis=1)[:, -TUNING.most_neighbours :].min(1, keepdims=True)
        self.next = [np.flatnonzero(row).tolist() for row in (near | near.T) & (odds > TUNING.least_neighbour_log_odds)]

    def run(self) -> Iterator[_Meld]:
        """All candidate melds; each path is walked once."""
        for start, singles in enumerate(self.plausible):
            runs = {(c, d): s for c, s in singles.items() for d in (1, -1)}
            sets = {(c % 13, 1 << (c // 13)): s for c, s in singles.items()}
            yield from self._extend(_Path((start,), runs, {}, sets, TUNING.meld_log_price))

    def _extend(self, path: _Path) -> Iterator[_Meld]:
        """The melds of a path and of all paths that begin with it."""
        if path.cards[0] < path.cards[-1]:  # the same path from its other end is no other meld
            yield from self._melds_of(path)
        if len(path.cards) == MAX_RUN:
            return
        last = path.cards[-1]
        best = sum(self.best[i] for i in path.cards)
        for to in self.next[last]:
            if to in path.cards:
                continue
            here, least = self.plausible[to], best + self.best[to] + 1.5 * TUNING.least_identity_log_odds
            runs, skipped = _grown_runs(path, here, least)
            sets = _grown_sets(path.sets, here, least)
            if runs or sets:
                laid = path.laid + self.odds[last][to]
                yield from self._extend(_Path((*path.cards, to), runs, skipped, sets, laid))

    def _melds_of(self, path: _Path) -> Iterator[_Meld]:
        cards = path.cards
        cut = self._cut_log_price(cards)
        for (last, way), score in path.runs.items():
            missing = path.skipped.get((last, way), ())
            run = [13 * (last // 13) + (last % 13 - way * k) % 13 for k in range(len(cards) + len(missing))]
            identities = tuple(c for c in reversed(run) if c not in missing)
            if len(identities) == len(cards) and len(run) >= MIN_MELD:
                yield _Meld(cards, identities, missing, score + path.laid + cut)
        for rank, suits in path.sets if len(cards) >= MIN_MELD else ():
            yield from self._best_set(path, rank, suits)

    def _cut_log_price(self, cards: Sequence[int]) -> float:
        """What speaks against a run of these cards because it may be two that touch."""
        inner = list(pairwise(cards))[MIN_MELD - 1 : 1 - MIN_MELD]
        weakest = min((self.odds[one][other] for one, other in inner), default=TUNING.most_neighbour_log_odds)
        return max(TUNING.touching_runs_log_price, min(0.0, 2 * (weakest - TUNING.whole_run_log_odds)))

    def _best_set(self, path: _Path, rank: int, suits: int) -> Iterator[_Meld]:
        """The best way to give the suits of a set to its cards."""
        given: _Given = {0: (0.0, ())}
        for i in path.cards:
            given = _give_suit(given, [13 * suit + rank for suit in range(4) if suits >> suit & 1], self.plausible[i])
        if suits in given:
            score, identities = given[suits]
            yield _Meld(path.cards, identities, (), score + path.laid)


_Given = dict[int, tuple[float, tuple[int, ...]]]
"""By the suits given, as bits: the best log-score, and the identities of the cards that have them."""


def _give_suit(given: _Given, choice: Sequence[int], reads: Mapping[int, float]) -> _Given:
    """The best ways to give suits when one more card gets an identity of the set that is still free."""
    grown: _Given = {}
    for used, (score, cards) in given.items():
        for card in choice:
            suit = 1 << card // 13
            if not used & suit and card in reads:
                new = score + reads[card]
                if used | suit not in grown or new > grown[used | suit][0]:
                    grown[used | suit] = new, (*cards, card)
    return grown


def _grown_runs(
    path: _Path, here: Mapping[int, float], least: float
) -> tuple[dict[tuple[int, int], float], dict[tuple[int, int], tuple[int, ...]]]:
    """The runs of a path that go on with one more card, of each last identity and direction the likeliest.

    Args:
        path: The path.
        here: The card's plausible identities with their log-probabilities.
        least: A run must have a higher log-score.
    """
    runs: dict[tuple[int, int], float] = {}
    skipped: dict[tuple[int, int], tuple[int, ...]] = {}
    for (card, way), score in path.runs.items():
        before = path.skipped.get((card, way), ())
        for follower, missing in _followers(card, way, len(path.cards), before):
            price = TUNING.unseen_card_log_price * (len(missing) - len(before))
            read = here.get(follower)
            if read is not None and (total := score + read + price) > runs.get((follower, way), least):
                runs[follower, way] = total
                skipped[follower, way] = missing
    return runs, {key: missing for key, missing in skipped.items() if missing}


@cache
def _followers(card: int, way: int, length: int, skipped: tuple[int, ...]) -> Sequence[tuple[int, tuple[int, ...]]]:
    """What may come next in a run: a card, and the cards that the run has then skipped, one at most."""
    follower = _follower(card, way, length)
    if follower is None:
        return ()
    if skipped:
        return ((follower, skipped),)
    after = _follower(follower, way, length + 1)
    direct: tuple[int, tuple[int, ...]] = (follower, ())
    return (direct,) if after is None else (direct, (after, (follower,)))


def _grown_sets(
    sets: Mapping[tuple[int, int], float], here: Mapping[int, float], least: float
) -> dict[tuple[int, int], float]:
    """The sets that go on with one more card; arguments as in `_grown_runs`."""
    grown: dict[tuple[int, int], float] = {}
    for (rank, suits), score in sets.items():
        for suit in range(4):
            read = None if suits >> suit & 1 else here.get(13 * suit + rank)
            if read is not None and score + read > least:
                key = (rank, suits | 1 << suit)
                grown[key] = max(grown.get(key, -np.inf), score + read)
    return grown


def _follower(card: int, way: int, length: int) -> int | None:
    """The next card of a run that has `length` cards so far, None after its end; the ace ends a run at either end."""
    rank = card % 13
    if rank == 0 and length > 1:  # an ace in the middle ends the run, unless the run began with it
        return None
    if way == 1:
        return card + 1 if rank < 12 else card - 12
    return card - 1 if rank > 0 else card + 12


def _placed(table: SeenTable, found: _Explained) -> Iterator[PlacedCard]:
    """Every card in its zone: melds in reading order, cross, hand from left to right, what was left out."""
    melds, cross, hand = found.split()
    lying = [(card, c, f"cross/{spot}") for spot, (card, c) in sorted(cross.items())]
    lying += [(card, c, "hand") for card, c in hand]
    for number, meld in enumerate(melds):
        yield from _placed_meld(table, found, number, meld)
    for card, c, zone in lying:
        yield place(table, found.decoded, card, c, zone)
    for option in found.chosen():
        if isinstance(option.meaning, tuple) and option.meaning[0] == NONE:
            row = option.covers[0]
            yield unzoned(table, row) if _is_seen_twice(table, row, melds) else left_out(table, row)


def _is_seen_twice(table: SeenTable, row: int, melds: Sequence[_SplitMeld]) -> bool:
    """Whether a card that was left out is one of a meld, by another corner: neighbours in a meld are never alike."""
    return any(
        c == table.cards[row].best.index
        and np.linalg.norm(table.centres[card] - table.centres[row])
        < TUNING.seen_twice_card_widths * table.template.width
        for cards, identities, _ in melds
        for card, c in zip(cards, identities, strict=True)
    )


def _placed_meld(table: SeenTable, found: _Explained, number: int, meld: _SplitMeld) -> Iterator[PlacedCard]:
    cards, identities, missing = meld
    for card, c in zip(cards, identities, strict=True):
        yield place(table, found.decoded, card, c, f"floor/{number}")
    for c in missing:
        why = f"not seen, but meld {number + 1} needs it"
        yield PlacedCard(Card.from_index(c), Place("floor", number), None, 0.5, (), why)


def _asked(table: SeenTable, layout: Layout, found: _Explained, placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """What a person should look at besides doubtful cards."""
    melds, _, hand = found.split()
    yield from _perhaps_two(found.layout, [o.meaning for o in found.chosen() if isinstance(o.meaning, _Meld)], placed)
    yield from _laid_as_melds(layout, dict(hand), placed)
    yield from _in_row_with_hand(table, melds, [card for card, _ in hand], placed)
    if found.loose:
        names = " ".join(str(table.cards[card].best) for card in found.loose)
        text = (
            f"{names} of the floor belong{'s' if len(found.loose) == 1 else ''} to no meld as read: please look there"
        )
        yield Question(QuestionKind.RULES, text, cards=numbers_of(placed, found.loose))
    if found.broken:
        one = found.broken == 1
        text = f"{found.broken} meld{'' if one else 's'} as read break{'s' if one else ''} the rules"
        yield Question(QuestionKind.RULES, text)


def _perhaps_two(layout: Layout, melds: Sequence[_Meld], placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """Asks where two cards of a meld hardly lie next to each other: two runs may touch that would make one."""
    for meld in melds:
        for k, (card, after) in enumerate(pairwise(meld.cards)):
            if max(layout.link[card, after], layout.link[after, card]) < TUNING.one_meld_log_odds:
                numbers = numbers_of(placed, meld.cards)
                if min(k + 1, len(meld.cards) - k - 1) < MIN_MELD:  # no two melds, but it may be none
                    yield _ask_if_one_meld(numbers, placed)
                    continue
                names = " ".join(str(Card.from_index(c)) for c in meld.identities)
                between = " and ".join(str(Card.from_index(c)) for c in meld.identities[k : k + 2])
                text = f"{names} may be two melds, parted between {between}: please check the gap"
                choices, gap = ("one meld", "two melds"), numbers_of(placed, (card, after))
                yield Question(QuestionKind.MELDS, text, placed[numbers[0]].place, choices, numbers, gap=gap)


def _ask_if_one_meld(numbers: tuple[int, ...], placed: Sequence[PlacedCard], doubt: float | None = None) -> Question:
    """The question whether cards are the meld as which they were read."""
    text = f"{' '.join(placed[k].text for k in numbers)} may not lie as one meld: please check which cards do"
    choices = ("one meld", "other melds")
    return Question(QuestionKind.MELDS, text, placed[numbers[0]].place, choices, numbers, doubt=doubt)


def _other_cuts(problem: Problem, decoded: Decoded) -> dict[int, tuple[float, tuple[int, ...]]]:
    """Other ways to cut the cards into melds: by the number of a chosen meld that is none there.

    The table is explained again without each meld in turn; what is nearly as likely then is a rival, with its
    log-probability relative to the best explanation.
    """
    rivals: dict[int, tuple[float, tuple[int, ...]]] = {}
    known: set[frozenset[tuple[int, ...]]] = set()
    of_cards: dict[frozenset[int], list[int]] = {}
    for number, option in enumerate(problem.options):
        of_cards.setdefault(frozenset(option.covers), []).append(number)
    for n in decoded.chosen:
        if isinstance(problem.options[n].meaning, _Meld):
            again = problem.solve(of_cards[frozenset(problem.options[n].covers)])
            if again is not None and again[0] > decoded.score + TUNING.least_cut_log_odds:
                cut = frozenset(tuple(sorted(problem.options[k].covers)) for k in again[1])
                if cut not in known:
                    rivals[n] = again[0] - decoded.score, again[1]
                known.add(cut)
    return rivals


def _doubts_of_cuts(
    found: _Explained, rivals: Mapping[int, tuple[float, tuple[int, ...]]], placed: Sequence[PlacedCard]
) -> Iterator[Question]:
    """Which melds may be laid otherwise than it says."""
    odds = {n: float(np.exp(min(relative, 0.0))) for n, (relative, _) in rivals.items()}
    for n, own in odds.items():
        option = found.problem.options[n]
        doubt = round(own / (1 + sum(odds.values())), 4)
        yield _ask_if_one_meld(numbers_of(placed, option.covers), placed, doubt)


def _doubts_of_places(table: SeenTable, found: _Explained, placed: Sequence[PlacedCard]) -> Iterable[Question]:
    """Which cards may lie elsewhere: where the network is not sure, and where a card lies upon a meld."""
    # That a card lies loose on the floor, where no rule allows it, is one of the options.
    zones = doubts_of_zones(found.problem, found.decoded, found.zone, _ZONES, placed, broken=0.0)
    asked = {question.cards: _with_melds_beside(question, found, placed) for question in zones}
    return (asked | {question.cards: question for question in _doubts_of_laid_upon(table, found, placed)}).values()


def _with_melds_beside(question: Question, found: _Explained, placed: Sequence[PlacedCard]) -> Question:
    """A question where a card lies that may lie on the floor, with the melds beside which the photo shows it."""
    seen = [placed[number].seen for number in question.cards]
    if not any(choice.startswith("floor") for choice in question.choices):
        return question
    melds, _, _ = found.split()
    ways = [
        f"floor/{number}"
        for number, (cards, _, _) in enumerate(melds)
        for row in seen
        if np.linalg.norm(found.xy[list(cards)] - found.xy[row], axis=1).min() < TUNING.beside_card_widths
    ]
    return replace(question, choices=tuple(dict.fromkeys((*question.choices, *ways))))


def _doubts_of_laid_upon(table: SeenTable, found: _Explained, placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """Asks about the one card of the cross or of the hand that lies upon a meld: it is rather of that, or none.

    Several are a fan of cards that is held over the table.
    """
    melds, cross, hand = found.split()
    of_meld = {card: number for number, (cards, _, _) in enumerate(melds) for card in cards}
    upon = []
    for row, _ in (*cross.values(), *hand):
        share, card = max(((_share_upon(table, row, card), card) for card in of_meld), default=(0.0, -1))
        if share > TUNING.least_share_upon:
            upon.append((row, of_meld[card]))
    for row, meld in upon if len(upon) == 1 else ():
        for number in numbers_of(placed, (row,)):
            yield ask_about_zone(number, placed[number], [f"floor/{meld}"], TUNING.upon_doubt)


def _share_upon(table: SeenTable, card: int, other: int) -> float:
    """Share of a card's outline that lies inside another one's."""
    one, two = table.outlines[[card, other]].astype(np.float32)
    return float(cv2.intersectConvexConvex(one, two)[0]) / max(cv2.contourArea(one), 1e-9)


def _deck(table: SeenTable, zone: Array) -> int | None:
    """The deck's back, None where none is likely to be one."""
    own = zone[len(table.cards) :]
    likely = own[:, _ZONES.index("deck")] > own[:, _ZONES.index(NONE)] if len(own) else np.zeros(0, bool)
    return int(own[:, _ZONES.index("deck")].argmax()) if likely.any() else None


def _laid_as_melds(layout: Layout, hand: Mapping[int, int], placed: Sequence[PlacedCard]) -> Iterator[Question]:
    """Asks for cards of the hand (row to identity) that lie together as a meld, as cards of a hand hardly ever do.

    So it does for a whole hand that is a meld, however it lies: who holds that would have laid it.
    """
    from solver.makiaveli.melds import is_meld

    beside = _neighbours(layout, list(hand))
    for group in beside if any(len(group) == len(hand) for group in beside) else (*beside, list(hand)):
        cards = [Card.from_index(hand[card]) for card in group]
        if len(cards) >= MIN_MELD and is_meld(cards):
            text = f"{' '.join(map(str, cards))} of the hand make a meld: please check whether they lie on the floor"
            yield Question(QuestionKind.MELDS, text, Place("hand"), ("hand", "floor"), numbers_of(placed, group))


def _in_row_with_hand(
    table: SeenTable, melds: Sequence[_SplitMeld], hand: Sequence[int], placed: Sequence[PlacedCard]
) -> Iterator[Question]:
    """Asks for melds that lie in one row with the hand: a sorted hand may hold a whole meld."""
    xy = tokens_of(table).xy
    for cards, identities, _ in melds:
        if cards_in_row(cards, hand, xy):
            names = " ".join(str(Card.from_index(card)) for card in identities)
            text = f"{names} lie in a row with the hand: please check whether they belong to it"
            yield Question(QuestionKind.MELDS, text, Place("hand"), ("hand", "floor"), numbers_of(placed, cards))


_SplitMeld = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""A meld's cards as they are read, their identities, and the cards that nobody saw."""
_Melds = list[_SplitMeld]


def _split(chosen: Sequence[Option], xy: Array) -> tuple[_Melds, dict[int, tuple[int, int]], list[Any]]:
    """Chosen options as melds (cards, identities, missing) in reading order, cross, and hand from left to right."""
    melds: _Melds = []
    cross: dict[int, tuple[int, int]] = {}
    hand: list[tuple[int, int]] = []
    for option in chosen:
        if isinstance(option.meaning, _Meld):
            melds.append(_as_read_by_people(option.meaning, xy))
        elif isinstance(option.meaning, tuple) and option.identities:
            zone, (card, identity) = str(option.meaning[0]), option.identities[0]
            if zone == "hand":
                hand.append((card, identity))
            elif zone == "floor":
                melds.append(((card,), (identity,), ()))
            else:
                cross[int(zone.split("/")[1])] = card, identity
    hand.sort(key=lambda pair: float(xy[pair[0], 0]))
    return _in_rows(melds, xy), cross, hand


def _in_rows(melds: _Melds, xy: Array) -> _Melds:
    """Melds in reading order: the next row begins half a card's height below the first of a row."""
    rows: list[list[tuple[float, _SplitMeld]]] = []
    for y, meld in sorted(((float(xy[list(meld[0]), 1].mean()), meld) for meld in melds), key=lambda one: one[0]):
        if not rows or y - rows[-1][0][0] > ROW_WIDTHS:
            rows.append([])
        rows[-1].append((y, meld))
    return [meld for row in rows for _, meld in sorted(row, key=lambda one: xy[one[1][0][0], 0])]


def _as_read_by_people(meld: _Meld, xy: Array) -> _SplitMeld:
    """A meld's cards, identities and missing cards from left to right, or from top to bottom if it stands upright."""
    line = xy[meld.cards[-1]] - xy[meld.cards[0]]
    step = -1 if (line[0] if abs(line[0]) > abs(line[1]) else line[1]) < 0 else 1
    return meld.cards[::step], meld.identities[::step], meld.missing


def _position(
    melds: _Melds, cross: Mapping[int, tuple[int, int]], hand: Sequence[tuple[int, int]], given: Sequence[Card] | None
) -> Position:
    """The position of an explanation; a hand that was given counts instead of the one seen."""
    from solver.makiaveli import Position  # it brings kernels: not before a table is taken for this game

    floor = tuple(_whole_meld(identities, missing) for _, identities, missing in melds)
    above, right, below, left = (Card.from_index(cross[k][1]) if k in cross else None for k in range(4))
    seen = tuple(Card.from_index(c) for _, c in hand)
    return Position(floor, (above, right, below, left), seen if given is None else tuple(given))


def _whole_meld(identities: Sequence[int], missing: Sequence[int]) -> tuple[Card, ...]:
    """A meld's cards with those that nobody saw."""
    cards = list(identities)
    for card in missing:
        cards.insert(_gap_of(cards, card), card)
    return tuple(map(Card.from_index, cards))


def _gap_of(cards: Sequence[int], card: int) -> int:
    """The position in a run at which its missing card belongs."""
    for after in range(1, len(cards)):
        if {abs(card - cards[after - 1]) % 13, abs(card - cards[after]) % 13} <= {1, 12}:
            return after
    return len(cards)


LAYOUT: Final = GameLayout(
    parse, rule_penalty, tells, always_penalised=True, ruled=TUNING.most_cards_ruled, doubted=True
)
