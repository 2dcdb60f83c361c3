"""Records of games from their photos against what was played: positions, moves, whole games, what was asked.

A game is a folder of photos with `game.json`, as `python -m datasets --games` renders them, or with `truth.json` of a
real game: `{"game", "photos": [{"photo", "columns", "foundations", "waste_top"} or
{"photo", "column_tops", "foundation_tops", "waste_top"}]}`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from plumbing.errors import CardsError
from solver.cards import RANK_CHARS, SUIT_CHARS, Card, parse_card
from solver.klondike.move import DRAW
from solver.klondike.position import Column, Position
from solver.notation import Field
from solver.place import Place
from solver.record import parse_record
from vision.confidence import WHOLE_STANDS_FROM
from vision.errors import LabelError
from vision.history.answers import NOTHING, Answer, lacking_told, origins_told, say_origins
from vision.history.doubts import NO_CARD_UP
from vision.history.game_history import RecordedGame
from vision.history.record_writer import PhotoRow
from vision.history.sight import STOCK
from vision.question import Question, QuestionKind

GAME: Final = "game.json"
TRUTH: Final = "truth.json"

Shown = tuple[Any, ...]
"""What a photo can tell of a table: columns, foundations, the waste's top."""


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """What a photo of a game shows.

    Attributes:
        file: Its name.
        shown: The table; of squared columns only their tops.
        only_tops: Whether only the tops are known.
        spoilt: Whether a hand or blur spoils it: it may be left out.
        step: After how many steps of the record it was taken; None where that is not known.
        position: The table with every card; None where that is not known.
    """

    file: str
    shown: Shown
    only_tops: bool = False
    spoilt: bool = False
    step: int | None = None
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class GameTruth:
    """A game with its photos.

    Attributes:
        folder: Where they lie.
        photos: What each shows.
        moves: Every step of the game, as text; empty where they are not known.
        start: Its first table with every card; None where that is not known.
        squared: Whether of each column only the last card shows: what lies under it no photo may tell.
    """

    folder: Path
    photos: tuple[PhotoTruth, ...]
    moves: tuple[str, ...] = ()
    start: Position | None = None
    squared: bool = False

    def without_every_third(self) -> GameTruth:
        """The game without every third photo."""
        return replace(self, photos=tuple(photo for number, photo in enumerate(self.photos) if number % 3 != 2))


@dataclass(frozen=True, slots=True)
class Score:
    """How right records are; sums over photos and games.

    Attributes:
        games: Games.
        whole: Games of which every position is right, of all photos that nothing spoils.
        photos: Photos that nothing spoils.
        exact: Photos whose position is exact.
        tops: Photos in which the last card of each column, the foundations and the waste's top are right: what a photo
            of squared columns shows.
        whole_tops: Games in which they are right in every photo that nothing spoils.
        gaps: Stretches between two photos whose moves are known.
        moves_right: Those whose moves of cards were all found, and no others; draws are left out.
        draws_right: Those of which the record tells as many draws as were made.
        draws_made: How often cards of the stock were turned.
        draws_told: How often by the record.
        wrong_unasked: Photos whose position is wrong, is said to stand, and about which nothing is asked.
    """

    games: int = 0
    whole: int = 0
    photos: int = 0
    exact: int = 0
    tops: int = 0
    whole_tops: int = 0
    gaps: int = 0
    moves_right: int = 0
    wrong_unasked: int = 0
    draws_right: int = 0
    draws_made: int = 0
    draws_told: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def lines(self, name: str) -> list[str]:
        """What is printed."""
        said = [
            f"{name}: games whole {self.whole} of {self.games}, positions exact {_share(self.exact, self.photos)}",
            f"{name}: tops whole {self.whole_tops} of {self.games}, tops exact {_share(self.tops, self.photos)}",
        ]
        if self.gaps:
            said.append(f"{name}: moves right between {_share(self.moves_right, self.gaps)} photos")
            told = f"{self.draws_told} told of {self.draws_made}"
            said.append(f"{name}: draws right between {_share(self.draws_right, self.gaps)} photos, {told}")
        return [*said, f"{name}: wrong with nothing asked {self.wrong_unasked}"]


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / max(whole, 1):.1%})"


def load_game(folder: Path) -> GameTruth:
    """The ground truth of a game's photos. Raises LabelError for a file that cannot be read."""
    file = next((path for path in (folder / GAME, folder / TRUTH) if path.is_file()), None)
    if file is None:
        raise LabelError(str(folder), f"no {GAME} or {TRUTH} in this folder")
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if file.name == TRUTH:
            shown = tuple(map(_real_photo, data["photos"]))
            return GameTruth(folder, shown, squared=all(photo.only_tops for photo in shown))
        record = parse_record(data["record"])
        moves = tuple(str(step.move) for step in record.steps)
        start, photos = Position.parse(str(record.start)), tuple(map(_rendered_photo, data["photos"]))
        return GameTruth(folder, photos, moves, start, bool(data.get("squared")))
    except (KeyError, TypeError, ValueError, CardsError) as error:
        raise LabelError(str(file), f"{error}; expected the ground truth of a game's photos") from error


def _rendered_photo(row: Mapping[str, Any]) -> PhotoTruth:
    position = Position.from_json(row["position"])
    return PhotoTruth(row["photo"], shown_of(position), False, bool(row["spoilt"]), row["step"], position)


def _real_photo(row: Mapping[str, Any]) -> PhotoTruth:
    if "column_tops" in row:
        heights = {top[1]: RANK_CHARS.index(top[0]) + 1 for top in row["foundation_tops"]}
        tops = tuple("" if top == "-" else top for top in row["column_tops"])
        shown = tops, tuple(heights.get(suit, 0) for suit in SUIT_CHARS), row["waste_top"]
        return PhotoTruth(row["photo"], shown, only_tops=True)
    columns = tuple(Column.parse(Field(part.strip())) for part in row["columns"].split("|"))
    heights_ = tuple(int(part[1:]) for part in row["foundations"].split())
    shown = tuple((len(c.down), tuple(map(str, c.up))) for c in columns), heights_, row["waste_top"]
    return PhotoTruth(row["photo"], shown)


def shown_of(position: Position) -> Shown:
    """What a photo can tell of a position."""
    columns = tuple((len(column.down), tuple(map(str, column.up))) for column in position.columns)
    return columns, tuple(position.foundations), str(position.waste[-1]) if position.waste else ""


def is_exact(truth: PhotoTruth, position: Position | None) -> bool:
    """Whether a photo's position is right in all that the truth tells."""
    if position is None:
        return False
    shown = shown_of(position)
    return (_tops_of(shown) if truth.only_tops else shown) == truth.shown


def has_right_tops(truth: PhotoTruth, position: Position | None) -> bool:
    """Whether the last card of each column, the foundations and the waste's top are right."""
    if position is None:
        return False
    return _tops_of(shown_of(position)) == (truth.shown if truth.only_tops else _tops_of(truth.shown))


def _tops_of(shown: Shown) -> Shown:
    columns, heights, top = shown
    return tuple(up[-1] if up else "" for _, up in columns), heights, top


def score_record(truth: GameTruth, game: RecordedGame) -> Score:
    """How right a record is."""
    rows = {row.file: row for row in game.photos}
    clear = [photo for photo in truth.photos if not photo.spoilt]
    exact = [is_exact(photo, rows[photo.file].position) for photo in clear]
    tops = [has_right_tops(photo, rows[photo.file].position) for photo in clear]
    unasked = sum(_is_wrong_unasked(photo, rows[photo.file]) for photo in truth.photos)
    gaps = list(_moves_between(truth, game.photos))
    right = sum(_of_cards(played) == _of_cards(told) for played, told in gaps)
    draws = [(_count_draws(played), _count_draws(told)) for played, told in gaps]
    whole = int(all(exact)), len(exact), sum(exact)
    of_draws = sum(made == told for made, told in draws), sum(made for made, _ in draws), sum(told for _, told in draws)
    return Score(1, *whole, sum(tops), int(all(tops)), len(gaps), right, unasked, *of_draws)


def score_single(truth: GameTruth, positions: Sequence[Position | None]) -> Score:
    """How right photos are that are read one by one."""
    pairs = [pair for pair in zip(truth.photos, positions, strict=True) if not pair[0].spoilt]
    exact = [is_exact(photo, position) for photo, position in pairs]
    tops = [has_right_tops(photo, position) for photo, position in pairs]
    return Score(1, int(all(exact)), len(exact), sum(exact), sum(tops), int(all(tops)))


def _is_wrong_unasked(truth: PhotoTruth, row: PhotoRow) -> bool:
    wrong = row.position is not None and not is_exact(truth, row.position)
    return wrong and not row.checks and row.stands >= WHOLE_STANDS_FROM


def _moves_between(truth: GameTruth, rows: Iterable[PhotoRow]) -> Iterable[tuple[Sequence[str], Sequence[str]]]:
    """For each stretch between two recorded photos the moves that were played, and those that the record tells."""
    if not truth.moves:
        return
    steps = {photo.file: photo.step for photo in truth.photos}
    recorded = [row for row in rows if row.position is not None]
    for before, after in pairwise(recorded):
        yield truth.moves[steps[before.file] : steps[after.file]], list(map(str, after.moves))


def _of_cards(moves: Iterable[str]) -> Counter[str]:
    return Counter(move for move in moves if move != str(DRAW))


def _count_draws(moves: Sequence[str]) -> int:
    return moves.count(str(DRAW))


# --- answers ----------------------------------------------------------------------------------------------------------


def answer_truthfully(truth: GameTruth, game: RecordedGame, file: str, question: Question) -> Answer | None:
    """What somebody who was there answers to a question about a photo; None where nothing right can be said."""
    numbers = {photo.file: number for number, photo in enumerate(truth.photos)}
    position = truth.photos[numbers[file]].position
    if position is None or question.place is None:
        return None
    if question.kind is QuestionKind.ORIGIN:
        told = [row.file for row in game.photos if row.position is not None]
        earlier = [name for name in told if numbers[name] < numbers[file]]
        before = truth.photos[numbers[earlier[-1]]].position if earlier else truth.start
        says = None if before is None else _origin_of(before, question.place, question)
    else:
        says = _answer_of_place(position, question)
    return None if says is None else Answer(file, question.place, says)


def _answer_of_place(position: Position, question: Question) -> str | None:
    """What a table shows at the place of a question."""
    place = question.place
    if question.kind is QuestionKind.DRAW:
        return str(position.rules.draw)
    if question.kind is QuestionKind.DEAL:
        return " ".join(str(len(column.down)) for column in position.columns)
    if place is not None and place.kind == "waste":
        return str(position.waste[-1]) if position.waste else NOTHING
    if place is not None and place.kind == "foundation" and place.number is not None:
        height = position.foundations[place.number]
        return str(Card.from_index(13 * place.number + height - 1)) if height else NOTHING
    if place is None or place.kind != "column":
        return None
    column = position.columns[place.ordinal]
    up = list(map(str, column.up))
    if any("face down" in choice for choice in question.choices):
        return f"{len(column.down)} face down, {' '.join(up) or NO_CARD_UP}"
    if question.kind is QuestionKind.HIDDEN:
        return str(len(column.down))
    neither = next(filter(lacking_told, question.choices), None)
    return next((choice for choice in question.choices if choice in up), neither)


def _origin_of(before: Position, place: Place, question: Question) -> str | None:
    """Where the cards of a question had lain, or which card came into sight of those that a column may have held."""
    asked = {tuple(str(Card.from_index(card)) for card, _ in origins_told(choice)) for choice in question.choices}
    columns = {str(card): k for k, c in enumerate(before.columns) for card in (*c.down, *c.up)}
    cards = asked.pop()
    if asked:
        hidden = before.columns[place.ordinal].down
        cards = tuple(str(card) for card in hidden[::-1][question.number or 0 :][:1])
    in_stock = set(map(str, (*before.stock, *before.waste)))
    if not cards or not all(card in columns or card in in_stock for card in cards):
        return None
    return say_origins((parse_card(card).index, columns.get(card, STOCK)) for card in cards)


class TruthfulAsker:
    """Somebody who was there: answers the first question of which the labels tell the answer.

    Attributes:
        asked: How many questions were answered.
    """

    def __init__(self, truth: GameTruth, most: int) -> None:
        self.asked = 0
        self._truth = truth
        self._most = most

    def __call__(self, game: RecordedGame, questions: Sequence[tuple[str, Question]]) -> Answer | None:
        """The next answer; None where there is none, or enough were asked."""
        if self.asked == self._most:
            return None
        answers = (answer_truthfully(self._truth, game, file, question) for file, question in questions)
        answer = next((answer for answer in answers if answer is not None), None)
        self.asked += answer is not None
        return answer
