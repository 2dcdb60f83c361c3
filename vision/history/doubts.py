"""What the photos of a game leave open, however well one history explains them.

The search keeps few rivals of the likeliest history, so it may be sure of what nothing shows. Its rivals are made here:

- a card that no photo shows may as well be its twin, the other card of its rank and colour;
- two twins may be exchanged throughout the game, unless one of them went up to its foundation; all photos of both
  together tell which is which;
- a card that photo after photo does not show, where it would lie open, may not lie there;
- a card that photos show where another one lies by the history may be that one in the other photos, too;
- a run that moved between two photos may have moved before or after one that shows it at neither place;
- a pile face down may hold another number than the history says, if all photos of it together count it so;
- where two cards come into sight between two photos, one from the stock and one from under a column, it may have been
  the other way round: so the column hides one card more or less from then on, until it is empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import exp
from typing import Final, NamedTuple

from solver.cards import UNKNOWN, Card
from solver.klondike.position import Position
from solver.place import Place
from vision.history.hidden_counts import LogCount, say_together
from vision.history.search_node import Event
from vision.history.sight import TUNING as SIGHT
from vision.history.sight import Belief, SeenPile, TableSight, ToldPile, likeliest
from vision.history.table_state import FIRST_LABEL, Bindings, Cards, TableState
from vision.layout.klondike_columns import may_carry
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class DoubtTuning:
    """When something is open.

    Attributes:
        counted_otherwise: Log-odds of another number of cards face down, by all photos of the same pile together.
        photo_weight: What they count of what the photos say.
        unseen: Log-odds, by all photos together, that a card does not lie where the history has it open.
        plain: A photo plainly shows a card from this log-probability.
        unseen_move: Of a run that moves, a photo tells whether it had moved yet by so much more log-probability.
        misread_photos: A card that so many photos plainly show where another one lies may be that one elsewhere too.
        again: What n photos that show a card at one place say together is what one says, times n to this power.
    """

    counted_otherwise: float = 3.0
    photo_weight: float = 0.5
    again: float = 0.3
    unseen: float = 7.0
    unseen_move: float = 1.5
    plain: float = -0.05
    misread_photos: int = 2


TUNING: Final = DoubtTuning()
OPEN_DOUBT: Final = 0.5
"""Doubt of a part that is open: one of two answers that nothing tells apart."""
UNTURNED_DOUBT: Final = 0.1
"""Doubt that a player had not turned a card up yet, where none is seen face up: it may have been missed."""
FOUNDATION: Final = -1
"""In the place of a column's number: the foundations."""
NO_CARD_UP: Final = "no card face up"
"""What is said of a column that shows no card but backs, or nothing at all."""
NEITHER: Final = "neither {} nor {}"
"""The answer that none of two cards lies in a column."""
_SUIT_OF_TWIN: Final = (3, 2, 1, 0)


def twin_of(card: int) -> int:
    """The other card of the same rank and colour.

    >>> [str(Card.from_index(n)) for n in (7, twin_of(7))]
    ['8C', '8S']
    """
    return 13 * _SUIT_OF_TWIN[card // 13] + card % 13


def shown_cards(sights: Sequence[TableSight]) -> frozenset[int]:
    """The cards that photos plainly show or somebody named, and those under a foundation's top that one shows."""
    seen: set[int] = set()
    for sight in sights:
        seen |= {card for pile in sight.columns if pile.told is not None for card in pile.told.holds}
        piles = chain(sight.waste, *(pile.cards for pile in sight.columns))
        seen |= {likeliest(belief) for belief in piles if max(belief) > SIGHT.plain}
        for top in (likeliest(belief) for belief in sight.foundations if max(belief) > SIGHT.plain):
            seen |= set(range(top - top % 13, top + 1))
    return frozenset(seen)


def find_untold(states: Sequence[TableState], shown: frozenset[int]) -> frozenset[int]:
    """The cards of columns that may as well be their twins, since no photo shows either."""
    placed = set(chain.from_iterable(up for state in states for up in state.up))
    untold = (card for card in placed if card < FIRST_LABEL and card not in shown and twin_of(card) not in shown)
    return frozenset(untold)


def ask_about_untold(file: str, state: TableState, untold: frozenset[int]) -> Iterator[Question]:
    """Which of two twins lies in a column, if one of them does."""
    for number, up in enumerate(state.up):
        for card in untold.intersection(up):
            names = tuple(str(Card.from_index(k)) for k in (card, twin_of(card)))
            over = [str(Card.from_index(above)) for above in up[up.index(card) + 1 :] if above < FIRST_LABEL]
            under = f" under {over[0]}" if over else ""
            last = f", whose last card is {over[-1]}" if len(over) > 1 else ""  # of squared columns only that one shows
            either = f"{names[0]} or {names[1]} lies{under} in column {number + 1}{last}"
            text = f"{file}: no photo shows whether {either}: which?"
            choices = (*names, NEITHER.format(*(Card.from_index(k) for k in sorted((card, twin_of(card))))))
            yield Question(QuestionKind.CARD, text, Place("column", number), choices, doubt=OPEN_DOUBT)


def is_same_doubt(question: Question, other: Question) -> bool:
    """Whether two questions about different photos have one answer: which twin is which, or what a column hides."""
    if QuestionKind.HIDDEN in (question.kind, other.kind) and question.place != other.place:
        return False
    return question.kind is other.kind and bool(question.choices) and set(question.choices) == set(other.choices)


def find_told(states: Sequence[TableState], sights: Sequence[TableSight]) -> frozenset[tuple[int, int]]:
    """The cards of columns, with these, of which somebody said of some photo what lies face up there."""
    return frozenset(
        (number, card)
        for state, sight in zip(states, sights, strict=True)
        for number, (up, pile) in enumerate(zip(state.up, sight.columns, strict=True))
        for card in up
        if pile.told is not None and pile.told.shown is not None
    )


def ask_about_unturned(
    file: str, state: TableState, sight: TableSight, truth: Position, told: frozenset[tuple[int, int]]
) -> Iterator[Question]:
    """Whether the last card of a column was not turned up yet, where no card of it is seen.

    Args:
        file: The photo's name.
        state: The table in it.
        sight: What it shows.
        truth: The table with names for its cards.
        told: The cards of columns of which somebody said it of some photo.
    """
    for number, (up, pile) in enumerate(zip(state.up, sight.columns, strict=True)):
        if pile.shows_no_card_of(up) and (number, up[0]) not in told:
            text = f"{file}: no card of column {number + 1} is seen face up: was it not turned over yet?"
            column = truth.columns[number]
            turned = f"{len(column.down)} face down, {' '.join(str(card or UNKNOWN) for card in column.up)}"
            choices = (turned, f"{len(column.down) + 1} face down, {NO_CARD_UP}")
            choices = choices[::-1] if pile.backs else choices
            yield Question(QuestionKind.HIDDEN, text, Place("column", number), choices, doubt=UNTURNED_DOUBT)


# --- cards that should show ------------------------------------------------------------------------------------------


def find_unseen(photos: Iterable[tuple[TableState, TableSight]]) -> frozenset[tuple[int, int]]:
    """The columns with a card that would lie open there, and that all photos together say does not; foundations, too.

    One photo may miss a card. Where nearly every photo misses it, the history has it at the wrong place.
    """
    odds: dict[tuple[int, int], float] = defaultdict(float)
    for state, sight in photos:
        for number, up in enumerate(state.up):
            down = len(state.down[number])
            own = sight.explain_column(number, up, down).score
            for card in (card for card in up if card < FIRST_LABEL and len(up) > 1):
                rest = tuple(other for other in up if other != card)
                odds[number, card] += sight.explain_column(number, rest, down).score - own
        at_heights = sight.explain_foundations(state.heights)[0]
        for suit, height in enumerate(state.heights):
            if height:
                lower = (*state.heights[:suit], height - 1, *state.heights[suit + 1 :])
                odds[FOUNDATION, 13 * suit + height - 1] += sight.explain_foundations(lower)[0] - at_heights
    return frozenset(place for place, own in odds.items() if own > TUNING.unseen)


def ask_about_unseen(file: str, state: TableState, unseen: frozenset[tuple[int, int]]) -> Iterator[Question]:
    """Whether a card lies in a column that photos do not show there."""
    for number, up in enumerate(state.up):
        for card in (card for card in up if (number, card) in unseen):
            name, down = str(Card.from_index(card)), len(state.down[number])
            rest = tuple(other for other in up if other != card)
            choices = tuple(f"{down} face down, {names_of(cards)}" for cards in (up, rest))
            text = f"{file}: by the game {name} lies in column {number + 1}, and the photos do not show it: does it?"
            yield Question(QuestionKind.CARD, text, Place("column", number), choices, doubt=OPEN_DOUBT)
    for suit, height in enumerate(state.heights):
        card = 13 * suit + height - 1
        if height and (FOUNDATION, card) in unseen:
            name = str(Card.from_index(card))
            text = f"{file}: by the game {name} lies on its foundation, and the photos do not show it: does it?"
            yield Question(QuestionKind.CARD, text, Place("foundation"), doubt=OPEN_DOUBT)


def names_of(cards: Sequence[int]) -> str:
    """Cards of a column as text, `??` for one that nobody saw."""
    return " ".join(UNKNOWN if card >= FIRST_LABEL else str(Card.from_index(card)) for card in cards) or NO_CARD_UP


# --- twins ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TwinOdds:
    """How surely two twins are told apart by all photos.

    Attributes:
        plain: Log-odds that they are not exchanged, each photo by itself.
        shared: The same if photos that show a card at one place err alike.
    """

    plain: float
    shared: float


def weigh_twins(states: Sequence[TableState], sights: Sequence[TableSight]) -> dict[int, TwinOdds]:
    """The odds of each pair of twins that may be exchanged and that a photo shows, by the lower of both cards."""
    pairs = ((card, twin_of(card)) for card in range(2 * 13))
    found = ((card, _weigh_pair(states, sights, card, other)) for card, other in pairs)
    return {card: odds for card, odds in found if odds is not None}


def _weigh_pair(states: Sequence[TableState], sights: Sequence[TableSight], card: int, other: int) -> TwinOdds | None:
    if any(state.heights[c // 13] > c % 13 for state in states for c in (card, other)):
        return None  # what lies on a foundation lies on the card below it of its own suit
    places: dict[tuple[str, int], list[float]] = defaultdict(list)
    swap = {card: other, other: card}
    for state, sight in zip(states, sights, strict=True):
        for number, up in enumerate(state.up):
            if card in up or other in up:
                down = len(state.down[number])
                swapped = tuple(swap.get(c, c) for c in up)
                own, rival = (sight.explain_column(number, cards, down).score for cards in (up, swapped))
                places[f"{card in up}{other in up}", number].append(own - rival)
        top = state.stock_waste.waste[-1] if state.stock_waste.waste else FIRST_LABEL
        if top in swap and sight.waste:
            places["waste", top].append(sight.waste[-1][top] - sight.waste[-1][swap[top]])
    if not places:
        return None
    plain = sum(sum(odds) for odds in places.values())
    shared = sum(sum(odds) * len(odds) ** (TUNING.again - 1) for odds in places.values())
    return TwinOdds(plain, shared)


def ask_about_twins(file: str, state: TableState, doubts: Mapping[int, float]) -> Iterator[Question]:
    """Whether twins are exchanged that may be, with the probability of each."""
    for card, doubt in doubts.items():
        own = next((own for own in (card, twin_of(card)) if _place_of(state, own) is not None), card)
        yield from _ask_which(file, state, own, twin_of(own), round(doubt, 4))


def _ask_which(file: str, state: TableState, card: int, other: int, doubt: float) -> Iterator[Question]:
    """Whether a card is another one, if it lies open."""
    place = _place_of(state, card)
    if place is not None:
        names = str(Card.from_index(card)), str(Card.from_index(other))
        text = f"{file}: is the card in {_in_words(place)} {names[0]} or {names[1]}?"
        yield Question(QuestionKind.CARD, text, place, names, doubt=doubt)


def find_misread(shown: Iterable[tuple[TableState, TableSight]]) -> dict[int, int]:
    """The cards that several photos show where others lie, with those: by the history, or by the card that lies on it.

    What a deck's print makes of a card it makes of it in each photo, also in those that contradict nothing yet.
    """
    piles = [pair for state, sight in shown for pair in zip(state.up, sight.columns, strict=True)]
    by_history = Counter(pair for up, pile in piles for pair in _misread_by_history(up, pile))
    by_neighbours = Counter(pair for _, pile in piles for pair in _misread_by_neighbours(pile))
    pairs = (*by_neighbours.items(), *by_history.items())  # the history knows more than a neighbour
    return {shown: card for (shown, card), photos in pairs if photos >= TUNING.misread_photos}


def _misread_by_history(up: Cards, pile: SeenPile) -> Iterator[tuple[int, int]]:
    """The cards that a photo plainly shows in a column where others lie by the history, with those."""
    for card, belief in zip(up, pile.cards, strict=False) if len(pile.cards) == len(up) else ():
        if card < FIRST_LABEL and likeliest(belief) not in up and _is_plain(belief):
            yield likeliest(belief), card


def _misread_by_neighbours(pile: SeenPile) -> Iterator[tuple[int, int]]:
    """The cards on which a photo plainly shows one that may not lie there, with the likeliest on which it may."""
    for belief, upper in pairwise(pile.cards):
        carriers = may_carry(likeliest(upper))
        if carriers and _is_plain(belief) and _is_plain(upper) and likeliest(belief) not in carriers:
            yield likeliest(belief), max(carriers, key=belief.__getitem__)


def _is_plain(belief: Belief) -> bool:
    return belief[likeliest(belief)] > TUNING.plain


def ask_about_misread(file: str, state: TableState, misread: Mapping[int, int]) -> Iterator[Question]:
    """Whether a card is the one that photos show in its place, as of `find_misread`."""
    for shown, card in misread.items():
        yield from _ask_which(file, state, shown, card, OPEN_DOUBT)


class HiddenMove(NamedTuple):
    """A run of which a photo does not show whether it had moved yet.

    Attributes:
        column: The column where it lay before.
        to: The column where it lies after.
        ways: What lies in the first one by the history, and if it went otherwise.
    """

    column: int
    to: int
    ways: tuple[str, str]


def find_hidden_moves(shown: Sequence[tuple[TableState, TableSight]]) -> list[list[HiddenMove]]:
    """The runs of each photo of which it shows neither where they lay nor where they went: a hand may hide both."""
    found: list[list[HiddenMove]] = [[] for _ in shown]
    for number, ((before, first), (after, second)) in enumerate(pairwise(shown)):
        for column, to, moved in _moved_runs(before, after):
            rivals = [(number, first, before, moved)]
            if all((moved.up[k], moved.down[k]) == (after.up[k], after.down[k]) for k in (column, to)):
                rivals.append((number + 1, second, after, before))
            for photo, sight, own, rival in rivals:
                if _explain(sight, own, column, to) - _explain(sight, rival, column, to) < TUNING.unseen_move:
                    found[photo].append(HiddenMove(column, to, (say_column(own, column), say_column(rival, column))))
    return found


def _moved_runs(before: TableState, after: TableState) -> Iterator[tuple[int, int, TableState]]:
    """The columns from and to which a run moved from one table to the next, and the first table with it moved."""
    for to, (lay, lies) in enumerate(zip(before.up, after.up, strict=True)):
        came = lies[len(lay) :]
        for column, up in enumerate(before.up):
            size = next((n for n in range(len(up), 0, -1) if up[-n:] == came[:n]), 0)
            if column == to or not size or lies[: len(lay)] != lay or before.down[to] != after.down[to]:
                continue
            left, down = up[:-size], before.down[column]
            if not left and down:  # the next card was turned up then
                left, down = after.up[column][:1], down[:-1]
                if after.down[column] != down:
                    continue
            ups, downs = list(before.up), list(before.down)
            ups[column], downs[column], ups[to] = left, down, lay + up[-size:]
            yield column, to, before._replace(up=tuple(ups), down=tuple(downs))


def _explain(sight: TableSight, state: TableState, *columns: int) -> float:
    return sum(sight.explain_column(column, state.up[column], len(state.down[column])).score for column in columns)


def say_column(state: TableState, column: int) -> str:
    """What lies in a column, as an answer says it."""
    return f"{len(state.down[column])} face down, {names_of(state.up[column]) or NO_CARD_UP}"


def ask_about_hidden_moves(file: str, moves: Iterable[HiddenMove]) -> Iterator[Question]:
    """Whether runs had moved yet that a photo shows at neither place."""
    for column, to, ways in moves:
        text = f"{file} does not show whether cards had gone from column {column + 1} to column {to + 1} yet"
        yield Question(QuestionKind.CARD, text, Place("column", column), ways, doubt=OPEN_DOUBT)


def _place_of(state: TableState, card: int) -> Place | None:
    for number, up in enumerate(state.up):
        if card in up:
            return Place("column", number)
    return Place("waste") if state.stock_waste.waste[-1:] == (card,) else None


def _in_words(place: Place) -> str:
    return "the waste" if place.kind == "waste" else f"column {place.ordinal + 1}"


# --- cards face down --------------------------------------------------------------------------------------------------


def find_rival_counts(
    states: Sequence[TableState], steps: Sequence[tuple[Sequence[Event], Bindings]], sights: Sequence[TableSight]
) -> list[dict[int, tuple[int, float]]]:
    """For each photo the columns that may hide one card more or less, with the number and its probability.

    Args:
        states: The table in each photo.
        steps: What happened before each photo, and the labels that turned out to be cards in it.
        sights: What each photo shows.
    """
    found: list[dict[int, tuple[int, float]]] = [{} for _ in states]
    for photo in range(1, len(states)):
        for number, off in _rivals_of_step(states[photo - 1], states[photo], *steps[photo]):
            span = _span_of_rival(states, sights, photo, number, off)
            if span is None:
                continue
            odds = _odds_of_count(states, sights, span, number, off)
            chance = 1 / (1 + exp(min(odds, 50)))
            for later in span:
                if chance > found[later].get(number, (0, 0.0))[1]:
                    found[later][number] = len(states[later].down[number]) + off, chance
    return found


def _rivals_of_step(
    before: TableState, after: TableState, events: Sequence[Event], bindings: Bindings
) -> Iterator[tuple[int, int]]:
    """Columns that may hide one card less, or one more, than a step of the history says."""
    from_stock = any(event.kind in ("waste", "waste_up") and before.is_unseen(event.card) for event in events)
    in_place = {up[0] for up in after.up if up}
    gone = {label for label, card in bindings if card not in in_place}
    for number, (old, new) in enumerate(zip(before.down, after.down, strict=True)):
        turned = set(old) - set(new)
        if turned and from_stock and new:
            yield number, -1
        if turned & gone:
            yield number, 1


def _span_of_rival(
    states: Sequence[TableState], sights: Sequence[TableSight], photo: int, number: int, off: int
) -> range | None:
    """The photos in which a column may hide so many more cards; None where a later one shows or is told otherwise."""
    for later in range(photo, len(states)):
        up, down, told = states[later].up[number], states[later].down[number], sights[later].columns[number].told
        if told is not None and not told.leaves_open(sights[later].hides(states[later])[number] + off):
            return None
        if off < 0 and not down:  # the last card was turned up, by the rival one turn earlier
            return None if up and up[0] in sights[later].plain(number) else range(photo, later)
        if off > 0 and not up:
            seen = sights[later].columns[number]
            return range(photo, later) if seen.cards or seen.backs else None
    return range(photo, len(states))


def _odds_of_count(
    states: Sequence[TableState], sights: Sequence[TableSight], span: range, number: int, off: int
) -> float:
    """Log-odds of the history's count against another one."""
    odds: dict[Cards, list[float]] = defaultdict(list)
    for photo in span:
        down, counted = states[photo].down[number], sights[photo].columns[number].log_count
        if counted and not sights[photo].squared:
            own, rival = (max(counted[min(len(down) + k, len(counted) - 1)], SIGHT.least_count) for k in (0, off))
            odds[down].append(own - rival)
    return float(sum(sum(row) * len(row) ** (TUNING.again - 1) for row in odds.values()))


def _cards(count: str) -> str:
    """So many cards, in words."""
    return f"{count} card{'s' * (count != '1')}"


def ask_about_rivals(
    file: str, state: TableState, sight: TableSight, rivals: Mapping[int, tuple[int, float]], asked_from: float
) -> Iterator[Question]:
    """How many cards a column hides where the game would go as well with another number."""
    for number, (count, chance) in rivals.items():
        if chance >= asked_from:
            choices = _counts_in_photo(state, sight, number, count)
            choices = choices if chance <= OPEN_DOUBT else choices[::-1]
            text = f"{file}: column {number + 1} hides {_cards(choices[0])}, or {choices[1]}: please count them"
            yield Question(QuestionKind.HIDDEN, text, Place("column", number), choices, doubt=round(chance, 4))


def find_counts(states: Sequence[TableState], sights: Sequence[TableSight]) -> dict[tuple[int, Cards], int]:
    """How many cards piles hide by all photos that show them, where that is plainly not what the history says.

    What somebody counted in one of them is settled in all: no move changes how many cards a pile hides.

    Returns:
        The number for a column with its labels, which name a pile as long as no card of it is turned.
    """
    rows: dict[tuple[int, Cards], list[LogCount]] = defaultdict(list)
    told: dict[tuple[int, Cards], list[ToldPile]] = defaultdict(list)
    for state, sight in zip(states, sights, strict=True):
        for number, (down, pile) in enumerate(zip(state.down, sight.columns, strict=True)):
            if pile.log_count and not sight.squared:
                rows[number, down].append(pile.log_count)
            if pile.told is not None:
                told[number, down].append(pile.told)
    said = {pile: say_together(counts) for pile, counts in rows.items()}
    odds = {pile: -TUNING.photo_weight * row[min(len(pile[1]), len(row) - 1)] for pile, row in said.items()}
    found = {pile: said[pile].index(0.0) for pile, own in odds.items() if own > TUNING.counted_otherwise}
    return {pile: count for pile, count in found.items() if all(own.leaves_open(count) for own in told[pile])}


def _counts_in_photo(state: TableState, sight: TableSight, number: int, other: int) -> tuple[str, ...]:
    """The number of cards that a column hides, and another one, as a person counts them in the photo."""
    shown = sight.hides(state)[number]
    return str(shown), str(other + shown - len(state.down[number]))


def ask_about_counts(
    file: str, state: TableState, sight: TableSight, counts: Mapping[tuple[int, Cards], int]
) -> Iterator[Question]:
    """How many cards a column hides that the photos count otherwise."""
    for number, down in enumerate(state.down):
        if (number, down) in counts:
            choices = _counts_in_photo(state, sight, number, counts[number, down])
            hides = f"hides {_cards(choices[0])}, by the photos {choices[1]}"
            text = f"{file}: by the game column {number + 1} {hides}: which?"
            yield Question(QuestionKind.HIDDEN, text, Place("column", number), choices, doubt=OPEN_DOUBT)
