"""The record of a game from what its photos show: every step, each photo's position, and what remains in doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, starmap
from typing import Any, Final

import numpy as np

from solver.cards import Card, Suit
from solver.place import Place
from solver.record import Record
from vision.history.answers import Answer, counts_told, draw_told, order_questions, tell_sights
from vision.history.count_evidence import CountEvidence
from vision.history.doubts import twin_of, weigh_twins
from vision.history.draw_number import doubt_draw
from vision.history.drawn_order import DrawnOrder, find_drawn_order, say_open
from vision.history.lattice import History, Memory, find_history
from vision.history.partings import Parting, find_partings
from vision.history.progress import COMPARED, FITTED, REFITTED, Done
from vision.history.record_writer import PhotoRow, PhotoSight, RecordWriter, contradictions, left_out_row
from vision.history.sight import NO_CARD, Belief, SeenPile, TableSight, likeliest
from vision.history.stock_order import ONE, THREE
from vision.history.table_state import COLUMNS, FIRST_LABEL, GAP, STOCK_WASTE_SIZE, StockWaste, TableState, fresh_deal
from vision.history.where_to_look import is_from_across, with_sights
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class HistoryTuning:
    """Where a history may begin, and what is told of it.

    Attributes:
        from_right: Log-odds of a deal whose first column lies at the right.
        under_way: Log-odds that the first photo shows a game under way that no few moves explain.
        per_card: Log-price of each card that such a photo shows: nothing tells which it is.
        plain: A card is plainly seen from this log-probability.
        new_start_after: Photos in a row that nothing explains, after which the record goes on from the next table.
        disordered: Photos are in the order of time where cards go back into hiding before no larger share of them,
        gone_back: and not so many more cards go back to where no move brings them than in the order that their cards
            speak for,
        gone_back_share: nor so many for each photo, as some are misread,
        restless_factor: and not so many times more piles change from photo to photo than in that order,
        restless_piles: or not so many more.
    """

    from_right: float = -3.0
    under_way: float = -16.0
    per_card: float = -4.0
    plain: float = -0.05
    new_start_after: int = 2
    disordered: float = 1 / 3
    gone_back: int = 3
    gone_back_share: float = 1 / 3
    restless_factor: float = 1.8
    restless_piles: int = 6


TUNING: Final = HistoryTuning()
DISORDERED: Final = "the photos do not seem to be in the order of time"
"""How it begins what is said where they are not."""
_IN_WASTE: Final = 0
_NEVER_BACK: Final = 2
"""So many cards of a suit, its lowest ones, nobody brings back from their foundation."""


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as its photos tell it.

    Attributes:
        record: The game; None where no photo shows one.
        photos: What is told of each photo.
        order: The numbers of the photos in the order that their cards speak for; empty where they are in order.
        is_from_across: Whether most photos show the table from the other side.
    """

    record: Record | None
    photos: tuple[PhotoRow, ...]
    order: tuple[int, ...] = ()
    is_from_across: bool = False

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        record = self.record
        return {
            "game": None if record is None else record.game,
            "record": None if record is None else str(record),
            "photos": [photo.to_json() for photo in self.photos],
            "moves": [] if record is None else [str(step.move) for step in record.steps if step.move is not None],
            "hindsight": None if record is None else str(record.hindsight),
        }


Ask = Callable[[RecordedGame, Sequence[tuple[str, Question]]], Answer | None]
"""Answers one of the questions about a record, which come in the order to be put, with their photos; None ends it."""


def settle_game(
    photos: Sequence[PhotoSight],
    draw: int | None = None,
    done: Done = lambda work, photos: None,
    answers: Sequence[Answer] = (),
    ask: Ask | None = None,
    memory: Memory | None = None,
) -> Iterator[RecordedGame]:
    """The record of a game from what its photos show, and those after each further answer.

    Arguments are as of `tell_game`; `ask` is asked until it has no answer.
    """
    memory, known = memory or Memory(), list(answers)
    while True:
        game = tell_game(photos, draw, done, known, memory)
        yield game
        questions = order_questions((row.file, row.checks) for row in game.photos)
        answer = ask(game, questions) if ask is not None and questions else None
        if answer is None:
            return
        known.append(answer)


def tell_game(
    photos: Sequence[PhotoSight],
    draw: int | None = None,
    done: Done = lambda work, photos: None,
    answers: Sequence[Answer] = (),
    memory: Memory | None = None,
) -> RecordedGame:
    """The record of a game from what its photos show, in the order of time.

    Args:
        photos: The photos.
        draw: Cards turned at a time; told from the waste if None.
        done: Is told what is done.
        answers: What somebody who was there said: the history is found under it.
        memory: What was searched with fewer answers, so that it need not be searched again.
    """
    memory = memory or Memory()
    game = _tell_each_stretch(photos, draw_told(answers) or draw, done, answers, memory)
    numbers = Counter(row.position.rules.draw for row in game.photos if row.position is not None)
    if len(numbers) < 2:
        return game
    wastes = [len(photo.sight.waste) for photo in photos if photo.sight is not None]
    number = THREE if ONE < max(wastes) <= THREE else numbers.most_common(1)[0][0]  # as for a single photo
    again = _tell_each_stretch(photos, number, partial(_again, done), answers, memory.other("one number"))
    asked = [(own.file, check) for own in game.photos for check in own.checks if check.kind is QuestionKind.DRAW]
    rows = (replace(row, checks=(*(q for file, q in asked if file == row.file), *row.checks)) for row in again.photos)
    return replace(again, photos=tuple(rows))


def _again(done: Done, _: str, photos: int) -> None:
    """Tells that photos were put together again."""
    done(REFITTED, photos)


def _tell_each_stretch(
    photos: Sequence[PhotoSight], draw: int | None, done: Done, answers: Sequence[Answer], memory: Memory
) -> RecordedGame:
    """The record of a game, of which each stretch between photos that no moves join is found by itself."""
    squared = [photo.file for photo in photos if photo.sight is not None and photo.sight.squared]
    late = [answer for answer in answers if answer.is_count and answer.photo in squared[1:]]
    counted = counts_told(late)
    photos = _told(photos, [answer for answer in answers if answer not in late])
    rows: dict[int, PhotoRow] = {}
    shown: list[int] = []
    broken = [broken_rules(photo.sight) if photo.sight is not None else "" for photo in photos]
    for number, photo in enumerate(photos):
        lasting = len(photos) == 1 or any(broken[max(number - 1, 0) : number] + broken[number + 1 : number + 2])
        if photo.sight is None:
            rows[number] = left_out_row(photo.file, photo.why, doubt=0.0)
        elif broken[number] and lasting:  # once alone it may be misread
            rows[number] = left_out_row(photo.file, broken[number], QuestionKind.RULES)
        else:
            shown.append(number)
            continue
        done(FITTED, 1)
        done(COMPARED, 1)
    order = order_of(photos, shown)
    writer = RecordWriter(photos, draw, answers)
    while shown:
        own = memory.other(f"from photo {shown[0]}")
        history = _find_history(photos, shown, draw, done, own, FITTED)
        told = _explained_from_start(history)
        counts = {k: counted[photos[n].file] for k, n in enumerate(shown[:told]) if photos[n].file in counted}
        evidence = CountEvidence.of_history(history, told, counts, _counting(done, COMPARED))
        retold = evidence.origins_to_tell if counts else {}
        partings: list[Parting] = []
        if retold is None or retold:
            for k, origins in (retold or {}).items():
                photos = _with_origins(photos, shown[k], origins)
            asked = find_partings(evidence.retold, [photos[n].file for n in shown[:told]])
            writer.photos = _told(photos, late)
            partings = [parting for parting in asked if parting.photo in (retold or {})]
            history = _find_history(writer.photos, shown, draw, done, own.again, REFITTED)
            told = _explained_from_start(history)
            evidence = CountEvidence.of_history(history, told, counts)
        rows |= writer.write(shown[:told], history, evidence, partings)
        shown = shown[told:]
        if shown and told < TUNING.new_start_after:
            rows[shown[0]] = left_out_row(photos[shown[0]].file, f"{photos[shown[0]].file} does not fit the others")
            shown = shown[1:]
    told_rows = [rows[number] for number in sorted(rows)]
    if order:
        told_rows[0] = replace(told_rows[0], checks=(_say_order(photos, order), *told_rows[0].checks))
    laid = [None if rows[n].position is None else photo.sight for n, photo in enumerate(photos)]
    told_rows = [_without_answered(row, answers) for row in told_rows]
    rows_shown = tuple(_with_sights(row, n, laid) for n, row in enumerate(told_rows))
    return RecordedGame(writer.record, rows_shown, order, is_from_across(list(filter(None, laid))))


def _say_order(photos: Sequence[PhotoSight], order: Sequence[int]) -> Question:
    """That photos are not in the order of time, and which order their cards speak for."""
    names = ", ".join(photos[n].file for n in order)
    text = f"{DISORDERED}: from photo to photo cards go back. By the cards that each shows, their order is: {names}"
    return Question(QuestionKind.APART, text, Place("foundation"))


def _find_history(
    photos: Sequence[PhotoSight], shown: Sequence[int], draw: int | None, done: Done, memory: Memory, work: str
) -> History:
    """The likeliest history of the photos of these numbers."""
    sights = [s for n in shown if (s := photos[n].sight) is not None]
    history = find_history(sights, _starts(sights[0], draw), _counting(done, work), memory)
    under_way = _under_way(_starts(sights[0], draw))
    if under_way and not history.start.known and _is_contradicted(history, sights):
        other = find_history(sights, under_way, _counting(done, REFITTED), memory.other("start"))
        history = max(history, other, key=lambda found: found.score)
    if draw is None and (number := doubt_draw(history, sights)) is not None:
        starts = _starts(sights[0], number)
        starts = _under_way(starts) if history.start.known else starts
        history = find_history(sights, starts, _counting(done, REFITTED), memory.other("draw"))
    return _with_twins_in_place(history, sights)


def _under_way(starts: Iterable[tuple[float, TableState]]) -> list[tuple[float, TableState]]:
    """The starts at which cards had been moved before the first photo."""
    return [(score, state) for score, state in starts if state.known]


def _is_contradicted(history: History, sights: Sequence[TableSight]) -> bool:
    """Whether most photos plainly show something else than a history says.

    A search that began at a fresh deal may explain the first photo better than one that began with the game under way,
    which it then gives up, though all the others show that it was.
    """
    pairs = zip(sights, history.states, strict=False)
    return 2 * sum(bool(contradictions(sight, state)) for sight, state in pairs) > len(history.states)


def _counting(done: Done, work: str) -> Callable[[], object]:
    """A function to call after each photo on which a work was done; that it begins is told at once."""
    done(work, 0)
    return partial(done, work, 1)


def _with_origins(photos: Sequence[PhotoSight], number: int, origins: Mapping[int, int]) -> list[PhotoSight]:
    """Photos of which one is told where cards lay that came into sight before it."""
    sight = photos[number].sight
    assert sight is not None, "photos that show nothing are not searched"
    own = replace(photos[number], sight=replace(sight, origins=(*sight.origins, *origins.items())))
    return [*photos[:number], own, *photos[number + 1 :]]


def _told(photos: Sequence[PhotoSight], answers: Sequence[Answer]) -> list[PhotoSight]:
    """Photos with what was said of them."""
    shown = [(photo.file, photo.sight) for photo in photos if photo.sight is not None]
    told = iter(tell_sights([file for file, _ in shown], [sight for _, sight in shown], answers))
    return [photo if photo.sight is None else replace(photo, sight=next(told)) for photo in photos]


def _without_answered(row: PhotoRow, answers: Sequence[Answer]) -> PhotoRow:
    """What is told of a photo without the questions that were answered."""
    checks = (check for check in row.checks if not any(answer.settles(row.file, check) for answer in answers))
    return replace(row, checks=tuple(checks))


def _with_sights(row: PhotoRow, number: int, sights: Sequence[TableSight | None]) -> PhotoRow:
    """What is told of a photo, with where a person has to look."""
    return replace(row, checks=tuple(with_sights(check, number, sights) for check in row.checks))


def order_of(photos: Sequence[PhotoSight], shown: Iterable[int]) -> tuple[int, ...]:
    """The photos in the order that their cards speak for; empty where those that show the game hardly contradict it.

    No search is needed for it. Of photos that are as far, each is followed by the one that differs least; those that
    show nothing come last.
    """
    sights = {n: sight for n in shown if (sight := photos[n].sight) is not None}
    in_order = _in_order(sights) if sights else []
    if not _are_disordered(list(sights.values()), [sights[n] for n in in_order]):
        return ()
    return (*in_order, *(n for n in range(len(photos)) if n not in sights))


def with_order_by_draws(game: RecordedGame, photos: Sequence[PhotoSight], draw: int | None = None) -> RecordedGame:
    """A record of photos in mixed order that tells their order with the fewest draws, and what is open about it."""
    found = order_by_draws([photos[n] for n in game.order], draw)
    order = tuple(game.order[n] for n in found.order)
    open_ = (say_open([photos[game.order[n]].file for n in numbers]) for numbers in found.open)
    said = [_say_order(photos, order), *(Question(QuestionKind.APART, text) for text in open_)]
    first, *others = game.photos
    kept = (check for check in first.checks if not check.text.startswith(DISORDERED))
    return replace(game, photos=(replace(first, checks=(*said, *kept)), *others), order=order)


def order_by_draws(
    photos: Sequence[PhotoSight],
    draw: int | None = None,
    done: Done = lambda work, photos: None,
    memory: Memory | None = None,
) -> DrawnOrder:
    """Photos that were sorted by their cards, with those between which only the stock was turned put right.

    Arguments are as of `tell_game`, which finds what was searched here in the memory if the order is right already.
    """
    memory = memory or Memory()
    shown = [n for n, photo in enumerate(photos) if photo.sight is not None and not broken_rules(photo.sight)]
    order, left_open = list(range(len(photos))), list[tuple[int, ...]]()
    while shown:
        history = _find_history(photos, shown, draw, done, memory.other(f"from photo {shown[0]}"), FITTED)
        told = shown[: _explained_from_start(history)]
        found = find_drawn_order(history, [sight for n in told if (sight := photos[n].sight) is not None], draw)
        for place, number in zip(told, found.order, strict=True):
            order[place] = told[number]
        left_open += [tuple(told[number] for number in numbers) for numbers in found.open]
        shown = shown[max(len(told), 1) :]
    return DrawnOrder(tuple(order), tuple(left_open))


def _are_disordered(sights: Sequence[TableSight], in_order: Sequence[TableSight]) -> bool:
    """Whether photos rather come in the order that their cards speak for than as they were given."""
    far = map(_progress, sights)
    falls = sum(after < before - 1 for before, after in pairwise(far))  # a single card may be missed
    if falls > max(1, TUNING.disordered * (len(sights) - 1)) or _is_dealt_later(sights):
        return True
    gone_back = len(_gone_back(sights)) - len(_gone_back(in_order))
    if gone_back >= max(TUNING.gone_back, TUNING.gone_back_share * len(sights)):
        return True
    given, least = (sum(starmap(_differ, pairwise(map(_faces, order)))) for order in (sights, in_order))
    return given >= max(TUNING.restless_factor * least, least + TUNING.restless_piles)


def _gone_back(sights: Sequence[TableSight]) -> set[int]:
    """The cards that photos show where they do not come from where an earlier one shows them.

    Nothing comes to the waste but from the stock, and nobody brings an ace or a two back from its foundation.
    """
    farthest: dict[int, int] = {}
    back = set()
    for sight in sights:
        for card, stage in _stages(sight).items():
            before = farthest.get(card, stage)
            if before > stage and (stage == _IN_WASTE or card % 13 < _NEVER_BACK):
                back.add(card)
            farthest[card] = max(before, stage)
    return back


def _stages(sight: TableSight) -> dict[int, int]:
    """How far each card is that a photo plainly shows at one place: in the waste, in a column, on its foundation."""
    waste, *columns, tops = (
        {likeliest(belief) for belief in cards if _is_plain(belief)}
        for cards in (sight.waste, *(pile.cards for pile in sight.columns), sight.foundations)
    )
    home = {card for top in tops for card in range(top - top % 13, top + 1)}
    piles = (waste, set().union(*columns), home)
    counts = Counter(chain(*piles))
    return {card: stage for stage, cards in enumerate(piles) for card in cards if counts[card] == 1}


def _is_plain(belief: Belief) -> bool:
    """Whether it is plain that there is a card, and which one."""
    return max(belief[:NO_CARD]) > TUNING.plain and belief[NO_CARD] < -4


def _differ(piles: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> int:
    """How many piles of two photos show different cards."""
    return sum(here != there for here, there in zip(piles, others, strict=True))


def _in_order(sights: Mapping[int, TableSight]) -> list[int]:
    """Photos by how far the game is; of those that are as far, each next is the first given that differs least.

    The photo to begin with is the one, of those that are least far, from which all together differ least.
    """
    far = {number: _place_in_time(sight) for number, sight in sights.items()}
    piles = {number: _faces(sight) for number, sight in sights.items()}

    def differ(one: int, other: int) -> int:
        return _differ(piles[one], piles[other])

    def from_first(number: int) -> list[int]:
        order, left = [number], [other for other in sights if other != number]
        while left:
            order.append(min(left, key=lambda n: (far[n], differ(order[-1], n))))
            left.remove(order[-1])
        return order

    orders = (from_first(number) for number in sights if far[number] == min(far.values()))
    return min(orders, key=lambda order: sum(differ(*pair) for pair in pairwise(order)))


def _faces(sight: TableSight) -> list[list[int]]:
    """The cards face up of each column, the waste and the foundations, as a photo shows them."""
    piles = (*(pile.cards for pile in sight.columns), sight.waste, sight.foundations)
    return [sorted(map(likeliest, pile)) for pile in piles]


def _place_in_time(sight: TableSight) -> tuple[int, int, int]:
    """How far a game is; of photos that are as far, those of fewer empty columns, then of fewer cards of the waste.

    A column that is filled again shows one card more, but not where columns are squared.
    """
    empty = 0 if sight.squared else sum(not pile.cards for pile in sight.columns)
    return _progress(sight), empty, len(sight.waste)


def _is_dealt_later(sights: Sequence[TableSight]) -> bool:
    """Whether a later photo shows the deal of the first one's game as nobody had touched it yet, and the first not."""
    if not sights or _dealt(sights[0]):
        return False
    first = {likeliest(own) for own in (*sights[0].waste, *chain.from_iterable(p.cards for p in sights[0].columns))}
    deals = filter(None, map(_dealt, sights))  # another game shows other cards
    return any(first - deal and 2 * len(first & deal) > COLUMNS for deal in deals)


def _dealt(sight: TableSight) -> set[int]:
    """The seven cards of a deal that nobody touched yet; empty where a photo shows more, or less."""
    is_deal = not sight.waste and not sight.foundations and all(len(pile.cards) == 1 for pile in sight.columns)
    return {likeliest(pile.cards[0]) for pile in sight.columns} if is_deal else set()


def _progress(sight: TableSight) -> int:
    """How far a game is by what a photo shows: cards turned up in columns or brought home, those at home thrice.

    Only bringing a card back from home takes away from it. Squared columns tell nothing.
    """
    return 3 * sum(_heights_of(sight)) + sum(len(pile.cards) for pile in sight.columns if not sight.squared)


def _with_twins_in_place(history: History, sights: Sequence[TableSight]) -> History:
    """The history with twins exchanged that all photos together tell otherwise than the search took them."""
    odds = weigh_twins(history.states, sights[: len(history.states)])
    for card in (card for card, own in odds.items() if own.plain < 0 and own.shared < 0):
        history = history.exchanged(card, twin_of(card))
    return history


def _explained_from_start(history: History) -> int:
    """How many photos from the first on one history explains; after them, it explains none of the next few."""
    left_out = [edge.left_out for edge in history.edges]
    for number in range(1, len(left_out)):
        following = left_out[number : number + TUNING.new_start_after]
        if all(following) and len(following) == min(TUNING.new_start_after, len(left_out)):
            return number
    return len(left_out)


def _starts(sight: TableSight, draw: int | None) -> list[tuple[float, TableState]]:
    """The states from which the first photo may be reached, for each number of cards that may be turned at a time."""
    under_way = state_of(sight)
    starts = []
    for turned in (ONE, THREE) if draw is None else (draw,):
        starts += [(0.0, fresh_deal(turned)), (TUNING.from_right, fresh_deal(turned, from_left=False))]
        if under_way is not None:
            price = TUNING.under_way + TUNING.per_card * under_way.known.bit_count()
            starts.append((price, under_way._replace(stock_waste=under_way.stock_waste._replace(draw=turned))))
    return starts


def state_of(sight: TableSight) -> TableState | None:
    """The table as a photo plainly shows it by itself; None where that makes none."""
    up = tuple(tuple(map(likeliest, pile.cards)) for pile in sight.columns)
    heights = _heights_of(sight)
    waste = tuple(map(likeliest, sight.waste))
    built = [13 * suit + rank for suit, height in enumerate(heights) for rank in range(height)]
    cards = [*chain.from_iterable(up), *waste, *built]
    if len(set(cards)) < len(cards):
        return None
    labels = iter(range(FIRST_LABEL + 28, FIRST_LABEL + 100))
    down = tuple(tuple(next(labels) for _ in range(_hidden(pile))) for pile in sight.columns)
    unseen = 52 - len(cards) - sum(map(len, down))
    if not 0 <= unseen <= STOCK_WASTE_SIZE - len(waste):
        return None
    stock_waste = StockWaste((GAP, *waste), (GAP,), unseen) if unseen else StockWaste(waste, (), 0)
    return TableState(down, up, heights, stock_waste, sum(1 << card for card in cards))


def _heights_of(sight: TableSight) -> tuple[int, ...]:
    """How many cards lie on the foundation of each suit, as a photo shows it."""
    heights = [0, 0, 0, 0]
    for belief in sight.foundations:
        card = likeliest(belief)
        heights[card // 13] = max(heights[card // 13], card % 13 + 1)
    return tuple(heights)


def _hidden(pile: SeenPile) -> int:
    if pile.told is not None and pile.told.most is not None:
        return pile.told.most
    return int(np.argmax(pile.log_count)) if pile.log_count else 0


def broken_rules(sight: TableSight) -> str:
    """What in a photo plainly breaks the rules of the game, in a sentence; empty for nothing."""
    tops: dict[int, list[int]] = {}
    for belief in sight.foundations:
        card = likeliest(belief)
        if _is_plain(belief):
            tops.setdefault(card // 13, []).append(card)
    for suit, cards in tops.items():
        if len(cards) > 1:
            names = " and ".join(str(Card.from_index(card)) for card in sorted(cards))
            text = f"two foundations show {Suit(suit).name.lower()}, {names}: a card was laid there against the rules"
            return f"{text}, so the table is no position of Klondike"
    return ""
