"""Writes a record from the likeliest history: every step, each photo's position, and what remains in doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import exp, prod
from typing import Any, Final

from drawing.zones import place_name
from solver.cards import UNKNOWN, Card
from solver.klondike.house_rules import STANDARD, STANDARD_DRAW_1
from solver.klondike.move import Move
from solver.klondike.position import Position
from solver.place import Place
from solver.record import NOTE, PHOTO, Record, Step
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.history.answers import DEAL_PLACE, NOTHING, Answer, counts_told, deal_told, origins_told, say_origins
from vision.history.count_evidence import CountEvidence
from vision.history.doubts import (
    OPEN_DOUBT,
    UNTURNED_DOUBT,
    HiddenMove,
    ask_about_counts,
    ask_about_hidden_moves,
    ask_about_misread,
    ask_about_rivals,
    ask_about_twins,
    ask_about_unseen,
    ask_about_untold,
    ask_about_unturned,
    find_counts,
    find_hidden_moves,
    find_misread,
    find_rival_counts,
    find_told,
    find_unseen,
    find_untold,
    is_same_doubt,
    names_of,
    say_column,
    shown_cards,
    twin_of,
    weigh_twins,
)
from vision.history.draw_number import choose_draw
from vision.history.lattice import History
from vision.history.moves_between import unexplained
from vision.history.partings import Parting, find_partings
from vision.history.record_moves import (
    all_moves,
    as_it_lies,
    differs,
    first_position,
    play_all,
    position_of,
    with_waste_of,
)
from vision.history.sight import NO_CARD, STOCK, Belief, TableSight, likeliest
from vision.history.stock_order import THREE, Draws
from vision.history.table_state import COLUMNS, FIRST_LABEL, GAP, Bindings, Cards, TableState
from vision.history.turned_singly import HIDDEN
from vision.question import Question, QuestionKind


@dataclass(frozen=True, slots=True)
class WriterTuning:
    """When something is asked.

    Attributes:
        unseen_waste: Where no card of the waste is seen, it is asked about from this doubt on.
        contradicted: A photo that the likeliest history explains so much worse than any could is asked about.
        hard_to_read: A photo that is explained so much worse in all is asked about.
        alike: A photo shows an earlier table where that explains it nearly as well as any could.
        hidden_share: A photo that shows a smaller share of the cards that lie there is hidden or blurred.
        of_a_deal: A table hides so many cards at least where few moves were played.
        covered: A hand lies over a card in so many photos in a row at most, where those before and after show it.
        after_gap: Probability of the table with which the record goes on after a stretch that is not told: one photo
            shows it, and no move leads to it.
        fresh_deal: Probability that squared columns are a deal of which no card was moved before the first photo, and
            that what they hide is as the history says: nothing shows it.
    """

    unseen_waste: float = 0.01
    contradicted: float = 7.0
    hard_to_read: float = 10.0
    alike: float = 5.0
    hidden_share: float = 0.7
    of_a_deal: int = 19
    covered: int = 2
    after_gap: float = 0.9
    fresh_deal: float = 0.96


TUNING: Final = WriterTuning()
ANSWERED: Final = ("column", "waste", "foundation")
"""Of what piles it is answered what a photo shows there."""


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


@dataclass(slots=True)
class RecordWriter:
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
    unseen: frozenset[tuple[int, int]] = frozenset()
    told: frozenset[tuple[int, int]] = frozenset()
    counts: dict[tuple[int, Cards], int] = field(default_factory=dict)
    twins: dict[int, float] = field(default_factory=dict)
    misread: dict[int, int] = field(default_factory=dict)
    hidden_moves: dict[int, list[HiddenMove]] = field(default_factory=dict)
    rivals: list[dict[int, tuple[int, float]]] = field(default_factory=list)
    partings: list[Parting] = field(default_factory=list)
    start_chance: float = 1.0
    asked: list[Question] = field(default_factory=list)
    tells_other_waste: bool = False

    @property
    def record(self) -> Record | None:
        """What was written so far."""
        return None if self.start is None else Record(self.start, tuple(self.steps), self.headers)

    def write(
        self, numbers: Sequence[int], history: History, evidence: CountEvidence, retold: Sequence[Parting] = ()
    ) -> dict[int, PhotoRow]:
        """Writes the part of a history that these photos show; returns what is told of each of them.

        Args:
            numbers: The photos' numbers.
            history: The history.
            evidence: What may have happened before each of its photos.
            retold: What is asked of it where a count told cards to come from elsewhere.
        """
        edges, states = history.edges[: len(numbers)], history.states
        bound = dict(chain.from_iterable(edge.bindings for edge in edges))
        doubtful = _doubtful(
            history, {origin for p in self.photos if p.sight is not None for origin in p.sight.origins}
        )
        self._find_open(numbers, history, evidence)
        self.partings += retold
        sights = [self.photos[number].sight for number in numbers]
        draws, asked = choose_draw(history, sights, self.draw is None and not self.steps)
        asked += self._ask_first(numbers[0], states[0])
        rules = STANDARD if draws.draw == THREE else STANDARD_DRAW_1
        truth = first_position(states[0], draws, bound, rules)
        seen = first_position(states[0], draws, {}, rules, only_seen=True)
        first = self.photos[numbers[0]].file
        self._begin(seen, first, _say_waste(states[0], draws, sights[0]))
        hidden = {card for label, card in bound.items() if label in doubtful} | self.untold
        rows = {numbers[0]: self._row(history, 0, numbers[0], truth, hidden, (), asked)}
        counts = iter(draws.counts)
        for photo, number in enumerate(numbers[1:], 1):
            edge = edges[photo]
            seen, truth, steps = play_all(seen, truth, all_moves(draws.events[photo], counts))
            self.steps += steps
            if self._is_left_out(history, photo, number, len(numbers)):
                rows[number] = self._row_left_out(history, photo, number, numbers)
                continue
            asked = [parting.question for parting in self.partings if parting.photo == photo]
            file = self.photos[number].file
            questions = list(
                _ask_bindings(file, doubtful, edge.bindings, states[photo - 1], asked, history.sights[photo].origins)
            )
            if differs(truth, states[photo]):
                truth = seen = position_of(states[photo], bound, rules)
                self.steps.append(Step(table=seen, comment=f"as {file} shows it"))
                text = f"{file}: no moves that I can find lead to its table, so what columns hid before may be wrong"
                questions.append(Question(QuestionKind.APART, text))
            elif with_waste_of(truth, states[photo]) is not truth:
                questions += self._tell_other_waste(file)
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
        self.told = find_told(states, sights)
        triples = zip(edges, states, sights, strict=True)  # a photo that is left out shows nothing of what lies there
        shown = [(state, sight) for edge, state, sight in triples if not edge.left_out]
        self.unseen = find_unseen(shown) - self.told
        self.misread = find_misread(shown)
        kept = [photo for photo, edge in enumerate(edges) if not edge.left_out]
        self.hidden_moves = dict(zip(kept, find_hidden_moves(shown), strict=True))
        self.counts = find_counts(states, sights)
        doubts = {card: 1 / (1 + exp(min(odds.shared, 50))) for card, odds in weigh_twins(states, sights).items()}
        self.twins = {
            card: doubt
            for card, doubt in doubts.items()
            if doubt > 1 - WHOLE_STANDS_FROM and not self.untold & {card, twin_of(card)}
        }
        self.rivals = find_rival_counts(states, [(edge.events, edge.bindings) for edge in edges], sights)
        self.partings = find_partings(evidence, [self.photos[number].file for number in numbers])

    def _is_left_out(self, history: History, photo: int, number: int, count: int) -> bool:
        """Whether nothing explains a photo, or the table of another one of the first so many explains it better."""
        sight = self.photos[number].sight
        assert sight is not None, "photos that show nothing are not written"
        if history.edges[photo].left_out:
            return True
        return bool(contradictions(sight, history.states[photo]) and _fitting(history, sight, count))

    def _ask_first(self, number: int, state: TableState) -> list[Question]:
        """The question how many cards the columns of a first table hide, where no photo before it tells.

        Squared columns show it nowhere, and after a stretch that is not told one photo alone counts them. Of squared
        ones after such a stretch the last photo is asked about.
        """
        sight, file = self.photos[number].sight, self.photos[number].file
        assert sight is not None, "photos that show nothing are not written"
        is_deal = self.start is None
        if (is_deal and not sight.squared) or deal_told(self.answers, file):
            return []
        chance = TUNING.fresh_deal if is_deal else TUNING.after_gap
        self.start_chance = min(self.start_chance, chance)
        if sight.squared is not is_deal:
            return []
        why = "columns are squared" if is_deal else "one photo alone counts the columns"
        text = f"{why}: {_ask_each(file, state)}"
        choices = (" ".join(map(str, sight.hides(state))),)
        return [Question(QuestionKind.DEAL, text, DEAL_PLACE, choices, doubt=round(1 - chance, 4))]

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
        text = f"columns are squared: {_ask_each(file, state)}"
        choices = (" ".join(map(str, sight.hides(state))),)
        about = (numbers[first], number)
        return [Question(QuestionKind.DEAL, text, DEAL_PLACE, choices, photos=about, doubt=round(doubt, 4))]

    def _begin(self, seen: Position, file: str, note: str) -> None:
        if self.start is None:
            self.start = seen
            self.headers[PHOTO] = file
            if note:
                self.headers[NOTE] = note
        else:
            comment = f"More happened before than the photos tell. {note}".strip()
            self.steps.append(Step(table=seen, photos=(file,), comment=comment))

    def _attach(self, file: str) -> None:
        if self.steps:
            last = self.steps[-1]
            self.steps[-1] = replace(last, photos=(*last.photos, file))
        else:
            self.headers[PHOTO] = f"{self.headers[PHOTO]}, {file}"

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
        checks += map(_tell_unheard, self._unheard(file, with_waste_of(truth, state), state, sight))
        shown = _without_covered(history, photo)
        contradiction = self._not_answered(file, _ask_about_contradictions(file, sight, state, shown))
        if contradiction:
            new = self._not_asked_yet(contradiction)
            checks += [own if own in new else replace(own, choices=()) for own in contradiction]
            stands = min(stands, 0.9)
        left_open = [
            *self._not_answered(file, ask_about_untold(file, state, self.untold)),
            *self._not_answered(file, ask_about_unseen(file, state, self.unseen)),
            *self._not_answered(file, ask_about_counts(file, state, sight, self.counts)),
            *self._not_answered(file, ask_about_hidden_moves(file, self.hidden_moves.get(photo, ()))),
        ]
        stands *= OPEN_DOUBT ** len(left_open)
        stands *= self.start_chance
        stands *= prod(1 - (parting.question.doubt or 0.0) for parting in self.partings if parting.photo <= photo)
        checks += [parting.question for parting in self.partings if parting.photo == photo]
        if not sight.squared:  # of squared columns only the first table tells how many cards they hide
            stands *= prod(1 - chance for _, chance in self.rivals[photo].values())
            left_open += ask_about_rivals(file, state, sight, self.rivals[photo], 1 - WHOLE_STANDS_FROM)
        twins = self._not_answered(file, ask_about_twins(file, state, self.twins))
        twins += self._not_answered(file, ask_about_misread(file, state, self.misread))
        stands *= prod(1 - (question.doubt or 0.0) for question in twins)
        left_open += twins
        if not contradiction and explains_badly(sight, shown):
            checks.append(Question(QuestionKind.CARD, f"{file} is hard to read: please check this table"))
            stands = min(stands, 0.9)
        if not sight.waste and (doubt := _doubt_waste(history, photo)) > TUNING.unseen_waste:
            text = f"{file}: no card of the waste is seen, and one may lie there: which?"
            told = state.stock_waste.waste[-1:]
            choices = (NOTHING, *(str(Card.from_index(card)) for card in told if card != GAP))
            left_open.append(Question(QuestionKind.CARD, text, Place("waste"), choices, doubt=round(doubt, 4)))
            stands *= OPEN_DOUBT if state.stock_waste.waste[-1:] == (GAP,) else 1.0
        unturned = self._not_answered(file, ask_about_unturned(file, state, sight, truth, self.told))
        stands *= (1 - UNTURNED_DOUBT) ** len(unturned)
        left_open += unturned
        checks += self._not_asked_yet(left_open)
        if chance < WHOLE_STANDS_FROM <= self.last_chance and not left_open:
            checks.append(_ask_which(history, photo, file, chance))
        self.last, self.last_chance = file, chance
        return PhotoRow(file, as_it_lies(truth, state, sight, hidden), moves, stands, tuple(checks))

    def _not_answered(self, file: str, questions: Iterable[Question]) -> list[Question]:
        """The questions about a photo that nobody has answered: an answer takes the doubt away with the question."""
        return [question for question in questions if not any(own.settles(file, question) for own in self.answers)]

    def _not_asked_yet(self, questions: Iterable[Question]) -> list[Question]:
        """The questions without those that were asked under an earlier photo: one answer settles them for all."""
        new = [question for question in questions if not any(is_same_doubt(question, old) for old in self.asked)]
        self.asked += new
        return new

    def _tell_other_waste(self, file: str) -> list[Question]:
        """That the record has another waste than a photo: said of the first one, and of those that were asked about."""
        says = [own.says for own in self._answers_about(file) if own.place.kind == "waste"]
        if self.tells_other_waste and not says:
            return []
        self.tells_other_waste = True
        by = f", by your answer {_said(says[-1])}" if says else ""
        text = f"{file} shows another waste than the record{by}: no photo shows in which order the whole stock lay"
        return [Question(QuestionKind.APART, text)]

    def _answers_about(self, file: str) -> list[Answer]:
        """What was answered of what lies in a photo; where cards had lain before it is another matter."""
        own = (answer for answer in self.answers if answer.photo == file and answer.place.kind in ANSWERED)
        return [answer for answer in own if not origins_told(answer.says)]

    def _unheard(self, file: str, lies: Position, state: TableState, sight: TableSight) -> Iterator[Answer]:
        """The answers about a photo that do not agree with its table, since no history that was found does."""
        for answer in self._answers_about(file):
            place, columns = answer.place, _columns_of(answer)
            top = str(lies.waste[-1] or UNKNOWN) if lies.waste else NOTHING
            is_other = any(sight.columns[k].contradicts_told(state.up[k], len(state.down[k])) for k in columns)
            if place.kind == "foundation":
                is_other = answer.says != _top_named(state.heights, place.ordinal)
            if is_other or (place.kind == "waste" and answer.says != top):
                yield answer

    def _row_left_out(self, history: History, photo: int, number: int, numbers: Sequence[int]) -> PhotoRow:
        file, sight = self.photos[number].file, self.photos[number].sight
        assert sight is not None, "photos that show nothing are not written"
        row = left_out_row(file, _why_left_out(history, photo, file, sight, [self.photos[n].file for n in numbers]))
        return replace(row, checks=(*row.checks, *map(_tell_unheard, self._answers_about(file))))


def _columns_of(answer: Answer) -> Sequence[int]:
    """The columns that an answer is about."""
    if answer.place == DEAL_PLACE:
        return range(COLUMNS)
    return [answer.place.ordinal] if answer.place.kind == "column" else []


def _tell_unheard(answer: Answer) -> Question:
    """That no history was found that agrees with an answer."""
    columns = _columns_of(answer)
    where = "the columns" if len(columns) > 1 else f"{'the ' * (not columns)}{place_name(answer.place)}"
    text = f"{answer.photo}: no game that I can find agrees with your answer about {where}: {_said(answer.says)}"
    return Question(QuestionKind.APART, text)


def _said(says: str) -> str:
    """What was answered, in words."""
    return "no card" if says == NOTHING else says


def _say_waste(state: TableState, draws: Draws, sight: TableSight | None) -> str:
    """That nothing shows how many cards lay in the waste at first, where it is so; a fanned waste shows all of them."""
    is_open = GAP in state.stock_waste.waste and HIDDEN in (*draws.waste, *draws.stock)
    if not is_open or not draws.waste or sight is None or sight.stock is False or len(sight.waste) > THREE:
        return ""
    return f"The photos do not show how many cards lie in the waste at first. The record assumes {len(draws.waste)}."


def left_out_row(file: str, why: str, kind: QuestionKind = QuestionKind.APART, doubt: float | None = None) -> PhotoRow:
    """What is told of a photo that shows nothing of the game; without a doubt where it speaks against nothing."""
    checks = (Question(kind, why, doubt=doubt),) if why else ()  # said once for several photos
    return PhotoRow(file, None, checks=checks)


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
    onward = " and does not lead to the next one" * (photo + 1 < len(history.sights))
    why = "perhaps it is of another game, or a photo in between is missing"
    return f"{file} is left out: its table does not follow from the photo before{onward}; {why}"


def _fitting(history: History, sight: TableSight, count: int) -> list[int]:
    """The photos, of the first so many, whose table explains what another photo shows."""
    best = sight.best_possible
    states = enumerate(history.states[:count])
    return [n for n, s in states if sight.score(s) > best - TUNING.alike and not history.edges[n].left_out]


def _doubtful(history: History, told: Collection[tuple[int, int]]) -> dict[int, dict[int, float]]:
    """The labels of which it is not sure what they were, with what they may be; `told` are cards and their columns.

    A card that was turned up and went on before a photo was never seen where it lay. Where several cards are new in
    that photo, it may have been another one of them, but for those in stock and waste.
    """
    found = {}
    where = {label: k for k, down in enumerate(history.layers[0][history.path[0]].state.down) for label in down}
    likely = history.bindings()
    named = {card for card, _ in told}
    before = history.layers[0][history.path[0]].state
    for edge, state in zip(history.edges, history.states, strict=True):
        new = {card for card in range(FIRST_LABEL) if state.known & ~before.known & 1 << card}
        in_place = {up[0] for up in state.up if up} & {card for _, card in edge.bindings}
        for label, card in edge.bindings:
            chances = likely.get(label, {card: 1.0})
            if (card, where.get(label, STOCK)) in told:
                continue
            elsewhere = in_place.union({card}, named, state.stock_waste.waste, state.stock_waste.stock)
            rivals = new - elsewhere if label in where and card not in in_place else set()
            if rivals or chances.get(card, 0.0) < PART_SURE_FROM * sum(chances.values()):
                even = dict.fromkeys(sorted(rivals | {card}), 1 / (len(rivals) + 1))
                found[label] = even if rivals else chances
        before = state
    return found


def _ask_each(file: str, state: TableState) -> str:
    """How many cards each column hides; a photo that is taken from across shows the columns in another order."""
    ends = ", ".join(names_of(up[-1:]) for up in state.up)
    return f"how many cards does each hide in {file}, in the order of their last cards: {ends}?"


def _ask_bindings(
    file: str,
    doubtful: Mapping[int, Mapping[int, float]],
    bindings: Bindings,
    before: TableState,
    asked: Sequence[Question],
    told: Collection[tuple[int, int]],
) -> Iterator[Question]:
    """What the labels were that a photo tells and of which it is not sure, where nothing else is asked of it.

    Of several cards of one column one is asked about at a time: an answer leaves fewer cards for the next.
    """
    bound = dict(bindings)
    for column, down in enumerate(before.down):
        own = [label for label in reversed(down) if label in bound and label in doubtful]
        if not own:
            continue
        number = sum(place == column for _, place in told)
        alone = not number and len(own) == 1
        question = _ask_binding(file, doubtful[own[0]], bound[own[0]], column, None if alone else number)
        if not any(set(question.choices).intersection(other.choices) for other in asked):
            yield question


def _ask_binding(file: str, cards: Mapping[int, float], told: int, column: int, number: int | None) -> Question:
    """Which card of a column came into sight; `number` as of a `Question`."""
    likely = sorted(cards, key=lambda card: (card != told, -cards[card]))[:4]
    came = f"of column {column + 1} {'was' if number is None else 'were'} turned up and moved on"
    which = {None: f"a card {came}", 0: f"cards {came}; which came first"}.get(number, f"cards {came}; which came next")
    text = f"before {file} {which}: {' or '.join(str(Card.from_index(card)) for card in likely)}?"
    choices = tuple(say_origins([(card, column)]) for card in likely)
    doubt = round(1 - cards[told], 4)
    return Question(QuestionKind.ORIGIN, text, Place("column", column), choices, doubt=doubt, number=number)


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
            choices = tuple(say_column(s, k) for s in (own, other))
            text = f"{file}: column {k + 1} holds {choices[0]}, or {choices[1]}: please check it"
            return Question(QuestionKind.CARD, text, Place("column", k), choices, doubt=round(1 - stands, 4))
    if own.heights != other.heights:
        text = f"{file}: how high the foundations are is {stands:.0%} sure: please check them"
        return Question(QuestionKind.CARD, text, Place("foundation"), doubt=round(1 - stands, 4))
    tops = [state.stock_waste.waste[-1:] for state in (own, other)]
    is_named = (GAP,) not in tops
    choices = tuple(str(Card.from_index(top[0])) if top else NOTHING for top in tops) if is_named else ()
    text = f"{file}: the waste's top card is {stands:.0%} sure: please check it"
    return Question(QuestionKind.CARD, text, Place("waste"), choices, doubt=round(1 - stands, 4))


def contradictions(sight: TableSight, state: TableState) -> list[tuple[Place, str]]:
    """Where a photo plainly shows something else than lies there."""
    found = []
    for k, pile in enumerate(sight.columns):
        explained = sight.explain_column(k, state.up[k], len(state.down[k]))
        if pile.best - explained.score + len(explained.labels) * -3.4 > TUNING.contradicted and pile.cards:
            shows = " ".join(str(Card.from_index(likeliest(belief))) for belief in pile.cards)
            found.append(
                (Place("column", k), f"column {k + 1} shows {shows}, and by the game it holds {names_of(state.up[k])}")
            )
    score, suits = sight.explain_foundations(state.heights)
    if suits and sum(map(max, sight.foundations)) - score > TUNING.contradicted:
        shows = " ".join(str(Card.from_index(likeliest(belief))) for belief in sight.foundations) or "nothing"
        tops = [13 * suit + height - 1 for suit, height in enumerate(state.heights) if height]
        found.append(
            (Place("foundation"), f"the foundations show {shows}, and by the game {names_of(tops) or 'nothing'}")
        )
    return found


def _without_covered(history: History, photo: int) -> TableState:
    """The table of a photo without the cards that something covers there, such as a hand.

    Those are the ones that it does not show, and that photos shortly before and after it plainly show where they lie.
    """
    state, sight, ups = history.states[photo], history.sights[photo], []
    for number, up in enumerate(state.up):
        seen = set(map(likeliest, sight.columns[number].cards))
        left = tuple(card for card in up if card in seen or not _is_shown_around(history, photo, number, card))
        explained = [sight.explain_column(number, cards, len(state.down[number])).score for cards in (left, up)]
        ups.append(left if explained[0] > explained[1] else up)
    return state._replace(up=tuple(ups))


def _is_shown_around(history: History, photo: int, column: int, card: int) -> bool:
    """Whether photos before and after one plainly show a card in a column in which it stays until then."""

    def is_shown(photos: Iterable[int]) -> bool:
        for number in photos:
            if not 0 <= number < len(history.states) or card not in history.states[number].up[column]:
                return False
            if card in history.sights[number].plain(column) and not history.edges[number].left_out:
                return True
        return False

    return all(is_shown(photo + step * off for off in range(1, TUNING.covered + 1)) for step in (-1, 1))


def _ask_about_contradictions(file: str, sight: TableSight, state: TableState, shown: TableState) -> Iterator[Question]:
    """What lies where a photo plainly shows something else than the game says, also without what is covered there."""
    still = {place for place, _ in contradictions(sight, shown)}
    found = [(place, text) for place, text in contradictions(sight, state) if place in still]
    for place, text in found + _contradicted_waste(sight, state):
        for own, choices in _shown_and_told(place, sight, state):
            yield Question(QuestionKind.CARD, f"{file}: {text}", own, choices)


def _shown_and_told(place: Place, sight: TableSight, state: TableState) -> list[tuple[Place, tuple[str, ...]]]:
    """What a photo shows at a place and what lies there by the game, as answers, for each suit of the foundations.

    There are no answers where nobody saw what lies there by the game.
    """
    if place.kind == "column":
        shown = (
            f"{len(state.down[place.ordinal])} face down, {names_of(_likeliest_of(sight.columns[place.ordinal].cards))}"
        )
        told = say_column(state, place.ordinal)
        return [(place, () if shown == told else (shown, told))]
    if place.kind == "waste":
        tops = _likeliest_of(sight.waste)[-1:], state.stock_waste.waste[-1:]
        return [(place, () if GAP in tops[1] else tuple(names_of(top) if top else NOTHING for top in tops))]
    shown_heights = [0] * len(state.heights)
    for card in _likeliest_of(sight.foundations):
        shown_heights[card // 13] = card % 13 + 1
    pairs = [tuple(_top_named(heights, suit) for heights in (shown_heights, state.heights)) for suit in range(4)]
    return [(Place("foundation", suit), both) for suit, both in enumerate(pairs) if both[0] != both[1]] or [(place, ())]


def _top_named(heights: Sequence[int], suit: int) -> str:
    """The last card on a foundation, or that there is none."""
    return names_of([13 * suit + heights[suit] - 1]) if heights[suit] else NOTHING


def _likeliest_of(beliefs: Iterable[Belief]) -> list[int]:
    """What cards that a photo shows most likely are."""
    return list(map(likeliest, beliefs))


def _contradicted_waste(sight: TableSight, state: TableState) -> list[tuple[Place, str]]:
    """Where the waste plainly shows another card than lies on top of it by the game."""
    top, told = sight.waste[-1:], state.stock_waste.waste[-1:]
    if (
        not top
        or max(top[0]) - (top[0][told[0]] if told and told[0] != GAP else top[0][NO_CARD]) <= TUNING.contradicted
    ):
        return []
    shows = Card.from_index(likeliest(top[0]))
    return [(Place("waste"), f"the waste shows {shows}, and by the game {_names_of_waste(told)}")]


def _names_of_waste(top: Sequence[int]) -> str:
    return "a card that nobody saw" if GAP in top else names_of(top) if top else "no card"


def explains_badly(sight: TableSight, state: TableState) -> bool:
    """Whether a table explains a photo much worse than any could; cards never seen before are no fault of it."""
    best = sight.best_possible
    return unexplained(state, sight, best) > TUNING.hard_to_read
