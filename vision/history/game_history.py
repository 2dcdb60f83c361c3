"""The record of a game from what its photos show: every step, each photo's position, and what remains in doubt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from math import exp, prod
from typing import Any, Final

import numpy as np

from plumbing.errors import CardsError
from solver.cards import Card, MaybeCard, Suit
from solver.klondike.house_rules import STANDARD, STANDARD_DRAW_1, KlondikeRules
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import Column, Position
from solver.place import Place
from solver.record import Record, Step, with_cards
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.history.answers import (
    DEAL_PLACE,
    DRAW_PLACE,
    NOTHING,
    Answer,
    counts_told,
    deal_told,
    draw_told,
    order_questions,
    tell_sights,
)
from vision.history.count_evidence import CountEvidence
from vision.history.doubts import (
    OPEN_DOUBT,
    UNTURNED_DOUBT,
    ask_about_counts,
    ask_about_rivals,
    ask_about_twins,
    ask_about_untold,
    ask_about_unturned,
    find_counts,
    find_rival_counts,
    find_untold,
    is_same_doubt,
    shown_cards,
    twin_of,
    weigh_twins,
)
from vision.history.lattice import History, Memory, find_history
from vision.history.moves_between import Event, unexplained
from vision.history.partings import Parting, find_partings
from vision.history.sight import NO_CARD, STOCK, SeenPile, TableSight, likeliest
from vision.history.stock_order import ONE, THREE, Draws, turn_by
from vision.history.table_state import (
    COLUMNS,
    FIRST_LABEL,
    GAP,
    STOCK_WASTE_SIZE,
    Bindings,
    Cards,
    StockWaste,
    TableState,
    fresh_deal,
    lies_on,
)
from vision.history.where_to_look import with_sights
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class HistoryTuning:
    """When something is told or asked.

    Attributes:
        from_right: Log-odds of a deal whose first column lies at the right.
        under_way: Log-odds that the first photo shows a game under way that no few moves explain.
        unseen_waste: Where no card of the waste is seen, it is asked about from this doubt on.
        per_card: Log-price of each card that such a photo shows: nothing tells which it is.
        plain: A card is plainly seen from this log-probability.
        contradicted: A photo that the likeliest history explains so much worse than any could is asked about.
        hard_to_read: A photo that is explained so much worse in all is asked about.
        alike: A photo shows an earlier table where that explains it nearly as well as any could.
        hidden_share: A photo that shows a smaller share of the cards that lie there is hidden or blurred.
        new_start_after: Photos in a row that nothing explains, after which the record goes on from the next table.
        of_a_deal: A table hides so many cards at least where few moves were played.
        after_gap: Probability of the table with which the record goes on after a stretch that is not told: one photo
            shows it, and no move leads to it.
        fresh_deal: Probability that squared columns are a deal of which no card was moved before the first photo, and
            that what they hide is as the history says: nothing shows it.
        turns_that_tell: So many turns of the stock that all fit three cards at a time show that it is so.
    """

    from_right: float = -3.0
    under_way: float = -16.0
    per_card: float = -4.0
    unseen_waste: float = 0.01
    plain: float = -0.05
    contradicted: float = 7.0
    hard_to_read: float = 10.0
    alike: float = 5.0
    hidden_share: float = 0.7
    new_start_after: int = 2
    of_a_deal: int = 19
    after_gap: float = 0.9
    fresh_deal: float = 0.96
    turns_that_tell: int = 12


TUNING: Final = HistoryTuning()


@dataclass(frozen=True, slots=True)
class PhotoRow:
    """What is told of one photo.

    Attributes:
        file: Its name.
        position: The table; None for a photo that was left out.
        moves: What happened since the photo before.
        stands: Probability that the position is right.
        checks: What a person should look at.
    """

    file: str
    position: Position | None
    moves: tuple[Move, ...] = ()
    stands: float = 0.0
    checks: tuple[Question, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {
            "file": self.file,
            "position": None if self.position is None else self.position.to_json(),
            "moves": list(map(str, self.moves)),
            "stands": round(self.stands, 4),
            "checks": [str(check) for check in self.checks],
            "doubtful": [check.to_json() for check in self.checks],
        }


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game as its photos tell it.

    Attributes:
        record: The game; None where no photo shows one.
        photos: What is told of each photo.
    """

    record: Record | None
    photos: tuple[PhotoRow, ...]

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


@dataclass(frozen=True, slots=True)
class PhotoSight:
    """A photo with what it shows.

    Attributes:
        file: Its name.
        sight: What it shows; None for a photo that shows nothing of the game.
        why: Why it shows nothing, in words.
    """

    file: str
    sight: TableSight | None
    why: str = ""


Ask = Callable[[RecordedGame, Sequence[tuple[str, Question]]], Answer | None]
"""Answers one of the questions about a record, which come in the order to be put, with their photos; None ends it."""


def settle_game(
    photos: Sequence[PhotoSight],
    draw: int | None = None,
    done: Callable[[], object] = lambda: None,
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
    done: Callable[[], object] = lambda: None,
    answers: Sequence[Answer] = (),
    memory: Memory | None = None,
) -> RecordedGame:
    """The record of a game from what its photos show, in the order of time.

    Args:
        photos: The photos.
        draw: Cards turned at a time; told from the waste if None.
        done: Called after each photo.
        answers: What somebody who was there said: the history is found under it.
        memory: What was searched with fewer answers, so that it need not be searched again.
    """
    squared = [photo.file for photo in photos if photo.sight is not None and photo.sight.squared]
    late = [answer for answer in answers if answer.is_count and answer.photo in squared[1:]]
    counted = counts_told(late)
    photos, draw = _told(photos, [answer for answer in answers if answer not in late]), draw_told(answers) or draw
    memory = memory or Memory()
    rows: dict[int, PhotoRow] = {}
    shown: list[int] = []
    broken = [broken_rules(photo.sight) if photo.sight is not None else "" for photo in photos]
    for number, photo in enumerate(photos):
        lasting = len(photos) == 1 or any(broken[max(number - 1, 0) : number] + broken[number + 1 : number + 2])
        why = photo.why if photo.sight is None else broken[number] * lasting  # once alone it may be misread
        if photo.sight is None or why:
            rows[number] = _left_out(photo.file, why)
            done()
        else:
            shown.append(number)
    is_reversed = _fall_all_along([sight for n in shown if (sight := photos[n].sight) is not None])
    writer = _Writer(photos, draw, answers)
    while shown:
        history = _find_history(photos, shown, draw, done, memory)
        told = _explained_from_start(history)
        counts = {k: counted[photos[n].file] for k, n in enumerate(shown[:told]) if photos[n].file in counted}
        evidence = CountEvidence.of_history(history, told, counts)
        retold = evidence.origins_to_tell if counts else {}
        if retold is None or retold:
            for k, origins in (retold or {}).items():
                photos = _with_origins(photos, shown[k], origins)
            asked = find_partings(evidence.retold, [photos[n].file for n in shown[:told]])
            writer.photos = _told(photos, late)
            writer.retold += [parting for parting in asked if parting.photo in (retold or {})]
            history = _find_history(writer.photos, shown, draw, lambda: None, memory.again)
            told = _explained_from_start(history)
            evidence = CountEvidence.of_history(history, told, counts)
        rows |= writer.write(shown[:told], history, evidence)
        done = lambda: None  # noqa: E731  (each photo is counted once)
        shown = shown[told:]
        if shown and told < TUNING.new_start_after:
            rows[shown[0]] = _left_out(photos[shown[0]].file, f"{photos[shown[0]].file} does not fit the others")
            shown = shown[1:]
    told_rows = [rows[number] for number in sorted(rows)]
    if is_reversed:
        text = "the foundations fall from photo to photo: are the photos in the wrong order, the last one first?"
        question = Question(QuestionKind.APART, text, Place("foundation"))
        told_rows[0] = replace(told_rows[0], checks=(question, *told_rows[0].checks))
    laid = [None if rows[n].position is None else photo.sight for n, photo in enumerate(photos)]
    told_rows = [_without_answered(row, answers) for row in told_rows]
    return RecordedGame(writer.record, tuple(_with_sights(row, n, laid) for n, row in enumerate(told_rows)))


def _find_history(
    photos: Sequence[PhotoSight], shown: Sequence[int], draw: int | None, done: Callable[[], object], memory: Memory
) -> History:
    """The likeliest history of the photos of these numbers."""
    sights = [s for n in shown if (s := photos[n].sight) is not None]
    return _with_twins_in_place(find_history(sights, _starts(sights[0], draw), done, memory), sights)


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


def _fall_all_along(sights: Sequence[TableSight]) -> bool:
    """Whether foundations fall between photos and never rise: a card comes back from one now and then, not always."""
    heights = [sum(_heights_of(sight)) for sight in sights]
    falls = [after - before for before, after in pairwise(heights)]
    return sum(fall < 0 for fall in falls) > 1 and not any(fall > 0 for fall in falls)


def _with_twins_in_place(history: History, sights: Sequence[TableSight]) -> History:
    """The history with twins exchanged that all photos together tell otherwise than the search took them."""
    odds = weigh_twins(history.states, sights[: len(history.states)])
    for card in (card for card, own in odds.items() if own.plain < 0 and own.shared < 0):
        history = history.exchanged(card, twin_of(card))
    return history


def _left_out(file: str, why: str) -> PhotoRow:
    kind = QuestionKind.RULES if "rules" in why else QuestionKind.APART
    return PhotoRow(file, None, checks=(Question(kind, why),) if why else ())  # said once for several photos


def _explained_from_start(history: History) -> int:
    """How many photos from the first on one history explains; after them, it explains none of the next few."""
    left_out = [edge.left_out for edge in history.edges]
    for number in range(1, len(left_out)):
        following = left_out[number : number + TUNING.new_start_after]
        if all(following) and len(following) == min(TUNING.new_start_after, len(left_out)):
            return number
    return len(left_out)


# --- where a game begins, and what no game shows ----------------------------------------------------------------------


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
        if belief[card] > TUNING.plain and belief[NO_CARD] < -4:
            tops.setdefault(card // 13, []).append(card)
    for suit, cards in tops.items():
        if len(cards) > 1:
            names = " and ".join(str(Card.from_index(card)) for card in sorted(cards))
            text = f"two foundations show {Suit(suit).name.lower()}, {names}: a card was laid there against the rules"
            return f"{text}, so the table is no position of Klondike"
    return ""


# --- the record ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    """Writes the record, one history after the other."""

    photos: Sequence[PhotoSight]
    draw: int | None
    answers: Sequence[Answer] = ()
    start: Position | None = None
    steps: list[Step] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    last: str = ""
    last_chance: float = 1.0
    untold: frozenset[int] = frozenset()
    counts: dict[tuple[int, Cards], int] = field(default_factory=dict)
    twins: dict[int, float] = field(default_factory=dict)
    rivals: list[dict[int, tuple[int, float]]] = field(default_factory=list)
    partings: list[Parting] = field(default_factory=list)
    retold: list[Parting] = field(default_factory=list)
    start_chance: float = 1.0
    asked: list[Question] = field(default_factory=list)
    tells_other_waste: bool = False

    @property
    def record(self) -> Record | None:
        """What was written so far."""
        return None if self.start is None else Record(self.start, tuple(self.steps), self.headers)

    def write(self, numbers: Sequence[int], history: History, evidence: CountEvidence) -> dict[int, PhotoRow]:
        """Writes the part of a history that these photos show; returns what is told of each of them."""
        edges, states = history.edges[: len(numbers)], history.states
        bound = dict(chain.from_iterable(edge.bindings for edge in edges))
        doubtful = _doubtful(
            history, {origin for p in self.photos if p.sight is not None for origin in p.sight.origins}
        )
        self._find_open(numbers, history, evidence)
        events = list(chain.from_iterable(edge.events for edge in edges[1:]))
        draws, asked = _choose_draw(history, events, self.draw is None and not self.steps)
        asked += self._ask_fresh(numbers[0], states[0])
        rules = STANDARD if draws.draw == THREE else STANDARD_DRAW_1
        truth = _first_position(states[0], draws, bound, rules)
        seen = _first_position(states[0], draws, {}, rules, only_seen=True)
        first = self.photos[numbers[0]].file
        self._begin(seen, first)
        hidden = {card for label, card in bound.items() if label in doubtful} | self.untold
        rows = {numbers[0]: self._row(history, 0, numbers[0], truth, hidden, (), asked)}
        counts = iter(draws.counts)
        for photo, number in enumerate(numbers[1:], 1):
            edge = edges[photo]
            seen, truth, steps = _play_all(seen, truth, _all_moves(edge.events, counts))
            self.steps += steps
            if self._is_left_out(history, photo, number, len(numbers)):
                rows[number] = self._row_left_out(history, photo, number, numbers)
                continue
            asked = [parting.question for parting in self.partings if parting.photo == photo]
            questions = list(_ask_bindings(doubtful, edge.bindings, states[photo - 1], asked))
            file = self.photos[number].file
            if _differs(truth, states[photo]):
                truth = seen = _position(states[photo], bound, rules)
                self.steps.append(Step(table=seen, comment=f"as {file} shows it"))
                text = f"{file}: the moves before do not lead to this table, so what columns hid before may be wrong"
                questions.append(Question(QuestionKind.APART, text))
            elif not self.tells_other_waste and _with_waste_of(truth, states[photo]) is not truth:
                self.tells_other_waste = True
                text = f"{file}: the record has another waste than this photo, as no photo tells how all the stock lay"
                questions.append(Question(QuestionKind.APART, text))
            self._attach(file)
            moves = tuple(step.move for step in steps if step.move is not None)
            if number == numbers[-1]:
                questions += self._ask_counts(numbers, history, evidence)
            rows[number] = self._row(history, photo, number, truth, hidden, moves, questions)
        return rows

    def _find_open(self, numbers: Sequence[int], history: History, evidence: CountEvidence) -> None:
        """Finds the cards and counts that these photos leave open."""
        edges, states = history.edges[: len(numbers)], history.states[: len(numbers)]
        sights = [sight for number in numbers if (sight := self.photos[number].sight) is not None]
        self.untold = find_untold(states, shown_cards(sights))
        self.counts = find_counts(states, sights)
        doubts = {card: 1 / (1 + exp(min(odds.shared, 50))) for card, odds in weigh_twins(states, sights).items()}
        self.twins = {
            card: doubt
            for card, doubt in doubts.items()
            if doubt > 1 - WHOLE_STANDS_FROM and not self.untold & {card, twin_of(card)}
        }
        self.rivals = find_rival_counts(states, [(edge.events, edge.bindings) for edge in edges], sights)
        self.partings = find_partings(evidence, [self.photos[number].file for number in numbers]) + self.retold

    def _is_left_out(self, history: History, photo: int, number: int, count: int) -> bool:
        """Whether nothing explains a photo, or the table of another one of the first so many explains it better."""
        sight = self.photos[number].sight
        assert sight is not None, "photos that show nothing are not written"
        if history.edges[photo].left_out:
            return True
        return bool(contradictions(sight, history.states[photo]) and _fitting(history, sight, count))

    def _ask_fresh(self, number: int, state: TableState) -> list[Question]:
        """The question whether squared columns are freshly dealt: nothing shows how many cards they hide."""
        sight = self.photos[number].sight
        if sight is None or not sight.squared or self.start is not None:
            return []
        file = self.photos[number].file
        if deal_told(self.answers, file):
            return []
        self.start_chance = TUNING.fresh_deal
        choices = [" ".join(str(len(down)) for down in state.down)]
        text = f"columns are squared: how many cards does each hide in {file}, from the left?"
        return [Question(QuestionKind.HIDDEN, text, DEAL_PLACE, tuple(choices), doubt=round(1 - TUNING.fresh_deal, 4))]

    def _ask_counts(self, numbers: Sequence[int], history: History, evidence: CountEvidence) -> list[Question]:
        """How many cards squared columns hide at last: what came from the stock and what from under them adds up."""
        number, state = numbers[-1], history.states[len(numbers) - 1]
        sight, file = self.photos[number].sight, self.photos[number].file
        if sight is None or not sight.squared or len(counts_told(self.answers).get(file, ())) == COLUMNS:
            return []
        doubts = [(photo, 1 - chance) for photo, chance in enumerate(evidence.chances_of_counts)]
        doubt = 1 - prod(1 - own for _, own in doubts)
        if doubt <= 1 - PART_SURE_FROM or not any(state.down):
            return []
        first = next(photo for photo, own in doubts if own >= max(own for _, own in doubts) / 2)
        text = f"columns are squared: how many cards does each hide in {file}, from the left?"
        choices = (" ".join(str(len(down)) for down in state.down),)
        about = (numbers[first], number)
        return [Question(QuestionKind.HIDDEN, text, DEAL_PLACE, choices, photos=about, doubt=round(doubt, 4))]

    def _begin(self, seen: Position, file: str) -> None:
        if self.start is None:
            self.start = seen
            self.headers["Photo"] = file
        else:
            self.start_chance = min(self.start_chance, TUNING.after_gap)
            self.steps.append(Step(table=seen, photos=(file,), comment="more happened before than the photos tell"))

    def _attach(self, file: str) -> None:
        if self.steps:
            last = self.steps[-1]
            self.steps[-1] = replace(last, photos=(*last.photos, file))
        else:
            self.headers["Photo"] = f"{self.headers['Photo']}, {file}"

    def _row(
        self,
        history: History,
        photo: int,
        number: int,
        truth: Position,
        hidden: set[int],
        moves: tuple[Move, ...],
        asked: Iterable[Question],
    ) -> PhotoRow:
        file, sight = self.photos[number].file, self.photos[number].sight
        assert sight is not None, "photos that show nothing are not written"
        state = history.states[photo]
        chance = stands = history.chance(photo, lambda state: state.visible)
        checks = list(asked)
        if self.last and photo == 0 and self.steps:
            text = f"between {self.last} and {file} more happened than I can find: what is between them is not told"
            if sum(map(len, state.down)) >= TUNING.of_a_deal and not any(state.heights):
                text = f"{file} seems to begin another game than {self.last}: record the two by themselves"
            checks.append(Question(QuestionKind.APART, text))
        contradiction = contradictions(sight, state)
        if contradiction:
            checks += [Question(QuestionKind.CARD, f"{file}: {text}", place) for place, text in contradiction]
            stands = min(stands, 0.9)
        left_open = [*ask_about_untold(file, state, self.untold), *ask_about_counts(file, state, self.counts)]
        stands *= OPEN_DOUBT ** len(left_open)
        stands *= self.start_chance
        stands *= prod(1 - (parting.question.doubt or 0.0) for parting in self.partings if parting.photo <= photo)
        checks += [parting.question for parting in self.partings if parting.photo == photo]
        if not sight.squared:  # of squared columns only the first table tells how many cards they hide
            stands *= prod(1 - chance for _, chance in self.rivals[photo].values())
            left_open += ask_about_rivals(file, state, self.rivals[photo], 1 - WHOLE_STANDS_FROM)
        twins = list(ask_about_twins(file, state, self.twins))
        stands *= prod(1 - (question.doubt or 0.0) for question in twins)
        left_open += twins
        if not contradiction and explains_badly(sight, state):
            checks.append(Question(QuestionKind.CARD, f"{file} is hard to read: please check this table"))
            stands = min(stands, 0.9)
        if not sight.waste and (doubt := _doubt_waste(history, photo)) > TUNING.unseen_waste:
            text = f"{file}: no card of the waste is seen, and one may lie there: which?"
            told = state.stock_waste.waste[-1:]
            choices = (NOTHING, *(str(Card.from_index(card)) for card in told if card != GAP))
            left_open.append(Question(QuestionKind.CARD, text, Place("waste"), choices, doubt=round(doubt, 4)))
            stands *= OPEN_DOUBT if state.stock_waste.waste[-1:] == (GAP,) else 1.0
        unturned = list(ask_about_unturned(file, state, sight))
        stands *= (1 - UNTURNED_DOUBT) ** len(unturned)
        left_open += unturned
        checks += self._not_asked_yet(left_open)
        if chance < PART_SURE_FROM <= self.last_chance and not left_open:
            checks.append(_ask_which(history, photo, file, chance))
        self.last, self.last_chance = file, chance
        return PhotoRow(file, _as_it_lies(truth, state, sight, hidden), moves, stands, tuple(checks))

    def _not_asked_yet(self, questions: Iterable[Question]) -> list[Question]:
        """The questions without those that were asked under an earlier photo: one answer settles them for all."""
        new = [question for question in questions if not any(is_same_doubt(question, old) for old in self.asked)]
        self.asked += new
        return new

    def _row_left_out(self, history: History, photo: int, number: int, numbers: Sequence[int]) -> PhotoRow:
        file, sight = self.photos[number].file, self.photos[number].sight
        assert sight is not None, "photos that show nothing are not written"
        return _left_out(file, _why_left_out(history, photo, file, sight, [self.photos[n].file for n in numbers]))


def _doubt_waste(history: History, photo: int) -> float:
    """How doubtful it is what lies on top of the waste in a photo that shows no card of it."""
    if history.states[photo].stock_waste.waste[-1:] == (GAP,):
        return OPEN_DOUBT
    return 1 - history.chance(photo, lambda state: state.stock_waste.waste[-1:])


def _why_left_out(history: History, photo: int, file: str, sight: TableSight, files: Sequence[str]) -> str:
    """Why nothing explains a photo, in words."""
    states = history.states
    fitting = _fitting(history, sight, len(files))
    if fitting:
        return f"{file} shows the table as it lay in {files[fitting[0]]}: its place in the order of time is another one"
    expected = sum(map(len, states[photo].up)) + sum(map(bool, states[photo].heights))
    if not sight.squared and sight.seen < TUNING.hidden_share * expected:
        return f"{file} is left out: it shows {sight.seen} of about {expected} cards; a hand or blur hides the others"
    return f"{file} is left out: no few moves lead to what it shows, nor from there to the next photo"


def _fitting(history: History, sight: TableSight, count: int) -> list[int]:
    """The photos, of the first so many, whose table explains what another photo shows."""
    best = sight.best_possible
    states = enumerate(history.states[:count])
    return [n for n, s in states if sight.score(s) > best - TUNING.alike and not history.edges[n].left_out]


def _doubtful(history: History, told: Collection[tuple[int, int]]) -> dict[int, dict[int, float]]:
    """The labels of which it is not sure what they were, with what they may be; `told` are cards and their columns.

    A card that was turned up and went on before a photo was never seen where it lay. Where several cards are new in
    that photo, it may have been another one of them.
    """
    found = {}
    where = {label: k for k, down in enumerate(history.layers[0][history.path[0]].state.down) for label in down}
    likely = history.bindings()
    before = history.layers[0][history.path[0]].state
    for edge, state in zip(history.edges, history.states, strict=True):
        new = {card for card in range(FIRST_LABEL) if state.known & ~before.known & 1 << card}
        in_place = {up[0] for up in state.up if up} & {card for _, card in edge.bindings}
        for label, card in edge.bindings:
            chances = likely.get(label, {card: 1.0})
            if (card, where.get(label, STOCK)) in told:
                continue
            rivals = (new - in_place - {card}) if label in where and card not in in_place else set()
            if rivals or chances.get(card, 0.0) < PART_SURE_FROM * sum(chances.values()):
                even = dict.fromkeys(sorted(rivals | {card}), 1 / (len(rivals) + 1))
                found[label] = even if rivals else chances
        before = state
    return found


def _ask_bindings(
    doubtful: Mapping[int, Mapping[int, float]], bindings: Bindings, before: TableState, asked: Sequence[Question]
) -> Iterator[Question]:
    """What the labels were that a photo tells and of which it is not sure, where nothing else is asked of it."""
    for label, card in bindings:
        column = next((k for k, down in enumerate(before.down) if label in down), None)
        if label in doubtful and column is not None:
            question = _ask_binding(doubtful[label], card, column)
            if not any(set(question.choices).intersection(other.choices) for other in asked):
                yield question


def _ask_binding(cards: Mapping[int, float], told: int, column: int) -> Question:
    likely = sorted(cards, key=lambda card: (card != told, -cards[card]))[:4]
    names = [str(Card.from_index(card)) for card in likely]
    text = f"a card of column {column + 1} was turned up and went on before this photo: {' or '.join(names)}?"
    choices = tuple(f"{name} from column {column + 1}" for name in names)
    return Question(QuestionKind.CARD, text, Place("column", column), choices, doubt=round(1 - cards[told], 4))


def _ask_which(history: History, photo: int, file: str, stands: float) -> Question:
    """What else a photo's table may be."""
    nodes = history.layers[photo + 1]
    own = history.states[photo]
    weight = {k: node.forward + node.backward for k, node in enumerate(nodes) if node.state.visible != own.visible}
    if not weight:
        return Question(QuestionKind.CARD, f"{file}: please check this table", doubt=round(1 - stands, 4))
    other = nodes[max(weight, key=lambda k: weight[k])].state
    for k in range(COLUMNS):
        if (own.up[k], len(own.down[k])) != (other.up[k], len(other.down[k])):
            choices = tuple(f"{len(s.down[k])} face down, {_names(s.up[k])}" for s in (own, other))
            text = f"{file}: column {k + 1} holds {choices[0]}, or {choices[1]}: please check it"
            return Question(QuestionKind.CARD, text, Place("column", k), choices, doubt=round(1 - stands, 4))
    if own.heights != other.heights:
        text = f"{file}: how high the foundations are is {stands:.0%} sure: please check them"
        return Question(QuestionKind.CARD, text, Place("foundation"), doubt=round(1 - stands, 4))
    text = f"{file}: the waste's top card is {stands:.0%} sure: please check it"
    return Question(QuestionKind.CARD, text, Place("waste"), doubt=round(1 - stands, 4))


def _names(cards: Sequence[int]) -> str:
    return " ".join("??" if card >= FIRST_LABEL else str(Card.from_index(card)) for card in cards) or "no card face up"


def contradictions(sight: TableSight, state: TableState) -> list[tuple[Place, str]]:
    """Where a photo plainly shows something else than lies there."""
    found = []
    for k, pile in enumerate(sight.columns):
        explained = sight.explain_column(k, state.up[k], len(state.down[k]))
        if pile.best - explained.score + len(explained.labels) * -3.4 > TUNING.contradicted and pile.cards:
            shows = " ".join(str(Card.from_index(likeliest(belief))) for belief in pile.cards)
            found.append(
                (Place("column", k), f"column {k + 1} shows {shows}, and by the game it holds {_names(state.up[k])}")
            )
    score, suits = sight.explain_foundations(state.heights)
    if suits and sum(map(max, sight.foundations)) - score > TUNING.contradicted:
        shows = " ".join(str(Card.from_index(likeliest(belief))) for belief in sight.foundations) or "nothing"
        tops = [13 * suit + height - 1 for suit, height in enumerate(state.heights) if height]
        found.append(
            (Place("foundation"), f"the foundations show {shows}, and by the game {_names(tops) or 'nothing'}")
        )
    return found


def explains_badly(sight: TableSight, state: TableState) -> bool:
    """Whether a table explains a photo much worse than any could; cards never seen before are no fault of it."""
    best = sight.best_possible
    return unexplained(state, sight, best) > TUNING.hard_to_read


def _choose_draw(history: History, events: Sequence[Event], asked: bool) -> tuple[Draws, list[Question]]:
    """How the stock was turned, and the question where the waste does not tell how many cards at a time.

    Args:
        history: The history.
        events: What happened in it.
        asked: Whether the number may be asked for.
    """
    first = history.states[0]
    three = turn_by(THREE, first, events)
    said = first.stock_waste.draw
    draws = turn_by(ONE, first, events) if three.broken or said == ONE else three
    # The search alone does not tell: it takes any card of the stock to be within reach, and fewer draws for likelier.
    agrees = len(three.counts) >= TUNING.turns_that_tell if said == THREE else three.broken > 0
    chance = history.chance(len(history.states) - 1, lambda state: state.stock_waste.draw)
    if not asked or (agrees and draws.draw == said and chance >= PART_SURE_FROM):
        return draws, []
    text = "the waste does not tell how many cards are turned at a time: 1 or 3?"
    return draws, [Question(QuestionKind.RULES, text, DRAW_PLACE, ("1", "3"), doubt=OPEN_DOUBT)]


def _card(card: int, bound: Mapping[int, int]) -> MaybeCard:
    card = bound.get(card, card)
    return Card.from_index(card) if 0 <= card < FIRST_LABEL else None


def _columns(state: TableState, bound: Mapping[int, int]) -> tuple[Column, ...]:
    return tuple(
        Column(tuple(_card(c, bound) for c in down), tuple(_card(c, bound) for c in up))
        for down, up in zip(state.down, state.up, strict=True)
    )


def _first_position(
    state: TableState, draws: Draws, bound: Mapping[int, int], rules: KlondikeRules, *, only_seen: bool = False
) -> Position:
    """The first table; `only_seen` without what was turned up later."""
    c, d, h, s = state.heights
    stock = tuple(None if only_seen else _card(card, {}) for card in draws.stock)
    return Position(_columns(state, bound), (c, d, h, s), stock, tuple(_card(card, {}) for card in draws.waste), rules)


def _position(state: TableState, bound: Mapping[int, int], rules: KlondikeRules) -> Position:
    """A table by itself, with the cards that nobody saw in the stock."""
    c, d, h, s = state.heights
    waste, stock = (tuple(_card(card, {}) for card in pile if card != GAP) for pile in state.stock_waste[:2])
    return Position(_columns(state, bound), (c, d, h, s), (*stock, *[None] * state.stock_waste.unseen), waste, rules)


def _moves_of(event: Event, draws: int) -> list[Move]:
    """The moves of an event, with so many draws before it."""
    moves = [DRAW] * draws
    source, target = Place("column", event.source), Place("column", event.target)
    match event.kind:
        case "run":
            moves.append(Move(source, target, event.cards))
        case "up":
            moves.append(Move(source, FOUNDATION))
        case "waste":
            moves.append(Move(WASTE, target))
        case "waste_up":
            moves.append(Move(WASTE, FOUNDATION))
        case "back":
            moves.append(Move(Place("foundation", event.source), target))
    return moves


def _all_moves(events: Iterable[Event], counts: Iterator[int]) -> Iterator[Move]:
    """The moves of events one after the other; `counts` tells how often cards are turned before each that needs it."""
    for event in events:
        yield from _moves_of(event, next(counts) if event.turned is not None else 0)


def _play_all(seen: Position, truth: Position, moves: Iterable[Move]) -> tuple[Position, Position, list[Step]]:
    """The positions after moves, as seen and as they were, and the steps; moves that cannot be are left out."""
    steps = []
    for move in moves:
        played = _played(seen, truth, move)
        if played is not None:
            seen, truth, cards = played
            steps.append(Step(move, cards))
    return seen, truth, steps


def _played(seen: Position, truth: Position, move: Move) -> tuple[Position, Position, tuple[MaybeCard, ...]] | None:
    """Both tables after a move and the cards that it turned up; None where it cannot be played.

    Nor can it be written down where it goes onto a card that nobody had seen by then: nobody could replay it.
    """
    paths = seen.turned_up(move)
    try:
        after = truth.play(move)
        cards = tuple(_at(truth, path) for path in paths)
        return with_cards(seen, dict(zip(paths, cards, strict=True))).play(move), after, cards
    except CardsError:
        return None


def _at(position: Position, path: str) -> MaybeCard:
    pile, *rest = path.split("/")
    if pile == "columns":
        column, _, number = rest
        return position.columns[int(column)].down[int(number)]
    card: MaybeCard = getattr(position, pile)[int(rest[0])]
    return card


def _differs(position: Position, state: TableState) -> bool:
    """Whether a table is not the one that the history says."""
    columns = _columns(state, {})
    same = all(
        len(a.down) == len(b.down)
        and len(a.up) == len(b.up)
        and all(y is None or x == y for x, y in zip(a.up, b.up, strict=True))
        for a, b in zip(position.columns, columns, strict=True)
    )
    return not same or position.foundations != state.heights


def _as_it_lies(truth: Position, state: TableState, sight: TableSight, hidden: set[int]) -> Position:
    """A photo's table: doubtful cards as `??`, and a card that is not turned up yet still face down."""
    columns = []
    for k, column in enumerate(truth.columns):
        down = tuple(None if card is not None and card.index in hidden else card for card in column.down)
        label_alone = len(state.up[k]) == 1 and state.up[k][0] >= FIRST_LABEL
        if label_alone and not sight.columns[k].cards:
            columns.append(Column((*down, *column.up), ()))
        else:
            columns.append(Column(down, column.up))
    return replace(_with_waste_of(truth, state), columns=tuple(columns))


def _with_waste_of(truth: Position, state: TableState) -> Position:
    """The table with the waste's top card that the history tells, where no way to turn the stock agrees with it."""
    waste = state.stock_waste.waste
    told = _card(waste[-1], {}) if waste else None
    shows = truth.waste[-1] if truth.waste else None
    if waste[-1:] == (GAP,) or told == shows:
        return truth
    lies = _position(state, {}, truth.rules)
    return replace(truth, waste=lies.waste, stock=lies.stock)


__all__ = ["PhotoRow", "PhotoSight", "RecordedGame", "lies_on", "tell_game"]
