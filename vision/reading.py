"""A photo's reading: the position with what is sure of it, what else it could be, and what should be checked.

    photo -> Detector -> Reader -> assembly -> layout + decode -> Reading -> solver.games.answer -> Judged

`read_photo` does all of it up to the reading; `judge` asks the solver, over the likeliest readings.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plumbing.clock import Clock
from plumbing.errors import CardsError
from solver import answer
from solver.cards import Card, MaybeCard, card_text, parse_cards
from solver.games import find_game
from solver.position import Position
from solver.solution import Estimate, Limits, Solution, Verdict
from vision.cards.assembly import Table, assemble_cards
from vision.cards.face_evidence import with_faces
from vision.cards.index_convention import READ_WELL, count_readable, read_indices
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.image import RGB, load
from vision.layout.game_choice import Choice, choose_game, parse_as
from vision.layout.game_reading import GameReading, PlacedCard
from vision.layout.vocabulary import CARDS
from vision.networks import index_detector, index_reader
from vision.networks.back_counter import BackCounter
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.outputs import Backs, Detections, Reads
from vision.photo_quality import Readable, assess, index_length

AUTO: Final = "auto"
SMALL: Final = 9.0
"""Pixels from rank to suit below which clubs and spades begin to look alike."""
RIVAL_WORK: Final = 200_000
"""States that the solver may visit for all rivals of a reading together: a second or less, a few hundred mostly."""
MUCH_MORE: Final = 1.25
"""Where the networks for unusual decks read so many times as many indices, the deck is taken for an unusual one. Chosen
on validation scenes, where decks with usual indices stay below it."""
ESTIMATE_WORK: Final = 50_000
"""States that an estimate is counted as, since it does not say how many it visited."""

NO_HAND: Final = "no hand is seen in the photo: give its cards, or a photo of it"


@dataclass(frozen=True, slots=True, eq=False)
class ReadCard:
    """A card of a reading.

    Attributes:
        card: Its identity, None where it is not known.
        confidence: Posterior probability of the identity.
        alternatives: Next likeliest identities with their probabilities.
        zone: Where it lies, in the words of datasets/README.md.
        quad: (4, 2) its own corners in the photo, px; None for a card that was inferred, not seen.
        indices: Boxes x1, y1, x2, y2 of its corner indices, px.
        why: What decoding changed against the plain read, in words.
        seen: Its row in the cards of the table that was read; None for a card that was inferred.
        points: Middles x, y of the rank symbol and x, y of the suit symbol of each of `indices`, px.
    """

    card: MaybeCard
    confidence: float
    alternatives: tuple[tuple[Card, float], ...]
    zone: str
    quad: NDArray[np.float64] | None
    indices: tuple[tuple[float, float, float, float], ...] = ()
    why: str = ""
    seen: int | None = None
    points: tuple[tuple[float, float, float, float], ...] = ()

    @property
    def text(self) -> str:
        """The card as printed."""
        return card_text(self.card)

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at it."""
        return self.confidence < PART_SURE_FROM

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        body: dict[str, Any] = {
            "card": self.text,
            "confidence": round(self.confidence, 4),
            "alternatives": [[str(card), round(p, 4)] for card, p in self.alternatives],
            "zone": self.zone,
            "quad": None if self.quad is None else np.round(self.quad, 1).tolist(),
            "indices": indices_json(self.indices, self.points),
        }
        return body | ({"why": self.why} if self.why else {})


@dataclass(frozen=True, slots=True, eq=False)
class ReadBack:
    """A face-down card of a reading: its outline in the photo (px), zone and confidence."""

    quad: NDArray[np.float64]
    zone: str
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {"quad": np.round(self.quad, 1).tolist(), "zone": self.zone, "confidence": round(self.confidence, 4)}


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a photo shows.

    Attributes:
        width: Of the upright photo, px.
        height: Of the upright photo, px.
        game: The game's word; `cards` where it is no game that is known; None where no card was found and none was
            asked for.
        game_confidence: Probability that it is this game (or none), 1 where it was given.
        cards: Face-up cards.
        backs: Face-down cards.
        position: The position, None where there is none; `problems` says whether it is legal.
        problems: Why the position is not legal, one sentence each.
        notes: What the photo cannot show.
        checks: What a person should look at besides doubtful cards.
        others: Further likely positions with their log-probability relative to this one, best first.
        times: Seconds of each stage.
        readable: Whether what is seen is enough for a position.
        stands: Probability that the position is right in everything: cards, layout and game.
        likeliest: The known game that is nearest where `game` is `cards`; None where none is near.
    """

    width: int
    height: int
    game: str | None
    game_confidence: float
    cards: tuple[ReadCard, ...]
    backs: tuple[ReadBack, ...]
    position: Position[Any] | None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    others: tuple[tuple[float, Position[Any]], ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)
    readable: Readable = field(default_factory=Readable)
    stands: float = 1.0
    likeliest: str | None = None

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Numbers of the cards that a person should look at, the most doubtful first."""
        rows = [n for n, card in enumerate(self.cards) if card.doubtful]
        return tuple(sorted(rows, key=lambda n: self.cards[n].confidence))

    @property
    def unquestioned(self) -> bool:
        """Whether nothing is put to a person: no card, no place is in doubt, and the position is legal and stands."""
        asked = self.doubtful or self.checks or self.problems or self.position is None
        return not asked and self.readable.ok and self.stands >= WHOLE_STANDS_FROM

    def to_json(self) -> dict[str, Any]:
        """The reading's JSON object, with what else a page needs."""
        doubtful = [
            {"number": n, "card": self.cards[n].text, "zone": self.cards[n].zone, "confidence": round(c, 4)}
            for n in self.doubtful
            for c in [self.cards[n].confidence]
        ]
        return {
            "image": {"width": self.width, "height": self.height},
            "game": self.game,
            "game_confidence": round(self.game_confidence, 4),
            "likeliest": self.likeliest,
            "readable": self.readable.to_json(),
            "stands": round(self.stands, 4),
            "cards": [card.to_json() for card in self.cards],
            "backs": [back.to_json() for back in self.backs],
            "position": None if self.position is None else self.position.to_json(),
            "line": None if self.position is None else str(self.position),
            "problems": list(self.problems),
            "notes": [*self.notes, *self.checks],
            "checks": list(self.checks),
            "doubtful": doubtful,
            "times": {stage: round(seconds, 4) for stage, seconds in self.times.items()},
        }


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The solver's answer on a reading.

    Attributes:
        answer: On the best reading; None where it is no legal position.
        error: Why there is no answer.
        verdict_probability: Probability that the best reading's verdict stands, over the likely readings; None
            where there is no verdict.
        ask: Number of the card whose check would settle the verdict most; None where none matters, or where both the
            card and the verdict are as good as sure.
        tried: How many readings were solved.
        said: Whether a win or a proof of none may be said at all: the photo is readable, and `verdict_probability` is
            `WHOLE_STANDS_FROM` or more; for an estimate, whether the position stands.
    """

    answer: Solution | Estimate | None
    error: str = ""
    verdict_probability: float | None = None
    ask: int | None = None
    tried: int = 0
    said: bool = False

    def to_json(self, reading: Reading) -> dict[str, Any]:
        """The answer's JSON object with the doubt about it."""
        body: dict[str, Any] = {} if self.answer is None else {"result": self.answer.to_json()}
        if self.error:
            body["error"] = self.error
        if self.answer is not None:
            body["said"] = self.said
        if self.verdict_probability is not None:
            body["verdict_probability"] = round(self.verdict_probability, 4)
            card = None if self.ask is None else reading.cards[self.ask]
            body["ask"] = None if card is None else {"number": self.ask, "card": card.text, "zone": card.zone}
        return body


@cache
def _networks() -> tuple[Detector, Reader]:
    return Detector(), Reader()


@cache
def _networks_for_unusual_decks() -> tuple[Detector, Reader]:
    return Detector(index_detector.UNUSUAL_WEIGHTS), Reader(index_reader.UNUSUAL_WEIGHTS)


@cache
def _counter() -> BackCounter:
    return BackCounter()


def detect_and_read(image: RGB) -> tuple[Detections, Backs, Reads, dict[str, float]]:
    """What the networks say of a photo, and the seconds they took.

    Where they read it badly, networks that know decks with unusual indices look too, and are believed where they read
    much more of it. Each pair of networks reads the other's decks less well.
    """
    start = time.perf_counter()
    detector, reader = _networks()
    loaded = time.perf_counter()
    detections, backs = detector.detect(image)
    detected = time.perf_counter()
    detections, reads = read_indices(reader, image, detections)
    known = count_readable(detections, reads)
    if known < READ_WELL * detections.confidence.sum():
        detector, reader = _networks_for_unusual_decks()
        others, other_reads = read_indices(reader, image, detector.detect(image)[0])
        if count_readable(others, other_reads) > max(MUCH_MORE * known, known + 1):
            detections, reads = others, other_reads
    times = {"load": loaded - start, "detect": detected - loaded, "read": time.perf_counter() - detected}
    return detections, backs, reads, times


def read_photo(
    photo: RGB | str | Path,
    game: str = AUTO,
    *,
    hand: Sequence[Card] | str | None = None,
    hand_photo: RGB | None = None,
    decoding: bool = True,
) -> Reading:
    """Reads a photo of a card table.

    Args:
        photo: A file, or uint8 (height, width, 3), red first, upright (as `vision.image.load` gives it).
        game: The game's word, or `auto` to tell it from the layout.
        hand: The hand's cards, where the photo does not show them (Makiaveli).
        hand_photo: A second photo that shows only the hand.
        decoding: Weigh the reads with the game's rules; without it each card stays as read.

    Raises:
        NotationError: For an unknown game or a hand that cannot be read.
        PhotoError: For a file that is no photo.
    """
    image = load(photo) if isinstance(photo, str | Path) else photo
    detections, backs, reads, times = detect_and_read(image)
    if hand_photo is not None:
        found, _, hand_reads, _ = detect_and_read(hand_photo)
        hand = hand_of(assemble_cards(found, Backs.empty(), hand_reads, (hand_photo.shape[1], hand_photo.shape[0])))
    size = (image.shape[1], image.shape[0])
    return read_detections(detections, backs, reads, size, game, image=image, hand=hand, decoding=decoding, times=times)


def hand_of(table: Table) -> tuple[Card, ...]:
    """The cards of a photo that shows only a hand, from left to right."""
    return tuple(table.cards[row].best for row in table.from_left)


class _Counting:
    """Counts a photo's face-down cards when a layout asks for it, and how long that takes."""

    def __init__(self, image: RGB) -> None:
        self.image, self.seconds = image, 0.0

    def __call__(self, regions: NDArray[np.float64]) -> NDArray[np.float64]:
        start = time.perf_counter()
        found = _counter().count(self.image, regions)
        self.seconds += time.perf_counter() - start
        return found


def read_detections(
    detections: Detections,
    backs: Backs,
    reads: Reads,
    size: tuple[int, int],
    game: str = AUTO,
    *,
    image: RGB | None = None,
    hand: Sequence[Card] | str | None = None,
    decoding: bool = True,
    times: Mapping[str, float] | None = None,
) -> Reading:
    """`read_photo` from what the networks said.

    `size` is the photo's width and height, px. With the photo itself the cards' faces are read beside their indices,
    and face-down cards are counted more surely.
    """
    start = time.perf_counter()
    table = see_table(detections, backs, reads, size, image)
    times = dict(times or {}) | {"see": time.perf_counter() - start}
    reading = read_table(table, detections, game, hand=hand, decoding=decoding, times=times, image=image)
    if not isinstance(table.count_backs, _Counting):
        return reading
    seconds = table.count_backs.seconds
    return replace(reading, times=dict(reading.times) | {"count": seconds, "layout": reading.times["layout"] - seconds})


def see_table(
    detections: Detections, backs: Backs, reads: Reads, size: tuple[int, int], image: RGB | None = None
) -> Table:
    """The cards of a photo: by their indices, and with the photo itself by their faces and with a counter of backs."""
    table = assemble_cards(detections, backs, reads, size)
    if image is None:
        return table
    return replace(with_faces(table, image), count_backs=_Counting(image))


def read_table(
    table: Table,
    detections: Detections,
    game: str = AUTO,
    *,
    hand: Sequence[Card] | str | None = None,
    decoding: bool = True,
    times: Mapping[str, float] | None = None,
    image: RGB | None = None,
) -> Reading:
    """`read_detections` from the cards that were seen on a table.

    `detections` are those that its cards count; with the photo `image` cards that are there but unread are looked for.
    """
    given = parse_cards(hand) if isinstance(hand, str) else None if hand is None else tuple(hand)
    start = time.perf_counter()
    if game == AUTO:
        choice = choose_game(table, hand=given, decoding=decoding)
    else:
        choice = Choice(parse_as(game, table, hand=given, decoding=decoding), 1.0)
    stages = dict(times or {}) | {"layout": time.perf_counter() - start}
    if choice.parsed is None:
        return Reading(*table.size, None, 0.0, (), _read_backs(table, None), None, times=stages)
    reading = _reading(table, detections, choice.parsed, choice, stages)
    started = time.perf_counter()
    readable = assess(table, detections, [card.confidence for card in reading.cards], image)
    stages["readable"] = time.perf_counter() - started
    return replace(reading, readable=readable, times=stages)


def _reading(
    table: Table,
    detections: Detections,
    parsed: GameReading,
    choice: Choice,
    times: Mapping[str, float],
) -> Reading:
    cards = [_read_card(table, detections, placed) for placed in parsed.placed]
    problems = () if parsed.position is None else parsed.position.problems()
    return Reading(
        *table.size,
        parsed.game,
        choice.chance,
        tuple(cards),
        _read_backs(table, parsed),
        parsed.position,
        problems,
        (*parsed.notes, *_note_small_cards(detections, table)),
        (*parsed.checks, *((NO_HAND,) if _lacks_hand(parsed.position) else ())),
        tuple((relative, other) for relative, other in parsed.readings if not other.problems()),
        times,
        likeliest=choice.likeliest,
        stands=_chance_it_stands(choice, cards) if parsed.position is not None and not problems else 0.0,
    )


def _read_card(table: Table, detections: Detections, placed: PlacedCard) -> ReadCard:
    card = ReadCard(placed.card, placed.confidence, placed.alternatives, placed.zone, None, why=placed.why)
    if placed.seen is None:
        return card
    seen = table.cards[placed.seen]
    return replace(
        card,
        quad=seen.quad,
        indices=tuple(box_of(detections, row) for row in seen.indices),
        seen=placed.seen,
        points=tuple(points_of(detections, row) for row in seen.indices),
    )


def _lacks_hand(position: Position[Any] | None) -> bool:
    """Whether the question is about a hand, and there is none."""
    return position is not None and find_game(position.game).takes_hand and not position.to_json()["hand"]


def _chance_it_stands(choice: Choice, cards: Sequence[ReadCard]) -> float:
    """Probability that game, layout and every card of a position are right."""
    assert choice.parsed is not None
    placed = [card.confidence for card in cards if card.zone != "none" or card.why]
    return choice.chance * choice.parsed.sure * float(np.prod(placed))


def _note_small_cards(detections: Detections, table: Table) -> tuple[str, ...]:
    """A note where the photo shows its cards so small that a better one would be worth taking."""
    length = index_length(table, detections)
    if length is None or length >= SMALL:
        return ()
    short = math.floor(10 * length) / 10  # never rounded up to what is wanted
    return (
        f"the cards are small in this photo: {short:g} px from a rank to its suit, and {SMALL:g} or more are wanted;"
        " one taken from nearer, or not made smaller, is read more surely",
    )


def box_of(detections: Detections, row: int) -> tuple[float, float, float, float]:
    """The box x1, y1, x2, y2 of an index."""
    x1, y1, x2, y2 = (float(v) for v in detections.boxes[row])
    return x1, y1, x2, y2


def points_of(detections: Detections, row: int) -> tuple[float, float, float, float]:
    """The middles x, y of an index's rank and x, y of its suit."""
    (rank_x, rank_y), (suit_x, suit_y) = detections.rank_xy[row].tolist(), detections.suit_xy[row].tolist()
    return rank_x, rank_y, suit_x, suit_y


def indices_json(
    boxes: Sequence[tuple[float, float, float, float]], points: Sequence[tuple[float, float, float, float]]
) -> list[dict[str, Any]]:
    """Indices as JSON objects; without `points` their boxes alone."""
    rows: list[dict[str, Any]] = [{"box": [round(v, 1) for v in box]} for box in boxes]
    for row, (rank_x, rank_y, suit_x, suit_y) in zip(rows, points, strict=False):
        row |= {"rank": [round(rank_x, 1), round(rank_y, 1)], "suit": [round(suit_x, 1), round(suit_y, 1)]}
    return rows


def _read_backs(table: Table, parsed: GameReading | None) -> tuple[ReadBack, ...]:
    zones = parsed.back_zones if parsed and parsed.back_zones else ("none",) * len(table.backs)
    return tuple(ReadBack(back.quad, zone, back.confidence) for back, zone in zip(table.backs, zones, strict=True))


def judge(
    reading: Reading,
    limits: Limits | None = None,
    *,
    work: int = RIVAL_WORK,
    budget: float = 60.0,
    solve: Callable[[Position[Any], Limits], Solution | Estimate] = answer,
) -> Judged:
    """Could it have been won, and would a doubtful card change that?

    The likeliest readings are solved in the order of their probability until `work` is done, so that a slow machine
    says the same of a photo as a fast one. The verdict's probability is the share of those readings' probability that
    agrees with the best one's; what was not solved, and readings without a proved verdict, count against it by half.

    Args:
        reading: What was read.
        limits: Bounds of each search.
        work: States visited for all readings together, after the first.
        budget: Seconds for the same: a safety net, which counts of work reach long before.
        solve: The solver.
    """
    if (why := _why_no_answer(reading)) is not None:
        return Judged(None, error=why)
    assert reading.position is not None
    limits = limits or Limits()
    try:
        first = solve(reading.position, limits)
    except CardsError as error:
        return Judged(None, error=str(error))
    if not isinstance(first, Solution):
        return Judged(first, tried=1, said=reading.stands >= WHOLE_STANDS_FROM)
    rivals = [(float(np.exp(relative)), other) for relative, other in reading.others]
    agree = total = 1.0
    settled: list[tuple[float, Position[Any], bool]] = []
    results = _answer_rivals([other for _, other in rivals], limits, work, budget, solve)
    for (weight, other), result in zip(rivals, results, strict=True):
        agreement = _agreement(first, result)
        agree, total = agree + weight * agreement, total + weight
        if result is not None:
            settled.append((weight, other, agreement == 1.0))
    left = _left_over(reading, rivals)
    probability = (agree + left / 2) / (total + left)
    ask = _card_to_ask(reading, settled)
    if probability >= WHOLE_STANDS_FROM and not (ask is not None and reading.cards[ask].doubtful):
        ask = None  # neither the card nor the verdict is in doubt: a person has better things to do
    return Judged(first, "", probability, ask, 1 + len(settled), said=probability >= WHOLE_STANDS_FROM)


def _answer_rivals(
    positions: Sequence[Position[Any]],
    limits: Limits,
    work: int,
    budget: float,
    solve: Callable[[Position[Any], Limits], Solution | Estimate],
) -> Iterator[Solution | Estimate | None]:
    """The answer on each position as far as work and seconds go; None where there is none, or nothing is left."""
    clock = Clock()
    for position in positions:
        rest = budget - clock.seconds
        result = None
        if min(work, rest) > 0:
            within = Limits(min(rest, limits.time or rest), min(work, limits.nodes or work))
            result = _answer_or_none(position, within, solve)
        if result is not None:
            work -= result.stats.nodes if isinstance(result, Solution) else ESTIMATE_WORK
        yield result


def _agreement(first: Solution, other: Solution | Estimate | None) -> float:
    """How far another reading's answer agrees with the first one's: 1, or 0, or a half where nothing is proved."""
    if not isinstance(other, Solution):
        return 0.5
    if other.verdict == first.verdict:
        return 1.0
    return 0.5 if other.verdict is Verdict.UNKNOWN else 0.0


def _why_no_answer(reading: Reading) -> str | None:
    """Why nothing can be answered on a reading; None where the solver may be asked."""
    if not reading.readable.ok:
        return "; ".join(reading.readable.reasons)
    if reading.game == CARDS:
        return "the cards lie as in no game that is known here"
    if reading.position is None or reading.problems:
        return "; ".join(reading.problems) or "no position was found in the photo"
    return NO_HAND if _lacks_hand(reading.position) else None


def _answer_or_none(
    position: Position[Any], limits: Limits, solve: Callable[[Position[Any], Limits], Solution | Estimate]
) -> Solution | Estimate | None:
    try:
        return solve(position, limits)
    except CardsError:
        return None


def _left_over(reading: Reading, rivals: Sequence[tuple[float, Position[Any]]]) -> float:
    """Probability, relative to the best reading's 1, that is in no listed reading."""
    if reading.stands < 1e-3:
        return 999.0
    return max(0.0, 1 / reading.stands - 1 - sum(weight for weight, _ in rivals))


def _card_to_ask(reading: Reading, settled: Sequence[tuple[float, Position[Any], bool]]) -> int | None:
    """The card that differs in most of the probability of readings with another verdict."""
    if reading.position is None:
        return None
    weight_of: dict[int, float] = {}
    own = Counter(reading.position.cards())
    for weight, other in ((weight, other) for weight, other, same in settled if not same):
        theirs = Counter(other.cards())
        for number, card in enumerate(reading.cards):
            if card.card is not None and theirs[card.card] < own[card.card]:
                weight_of[number] = weight_of.get(number, 0.0) + weight * (1 - card.confidence + 1e-6)
    return max(weight_of, key=weight_of.__getitem__) if weight_of else None


__all__ = [
    "AUTO",
    "Judged",
    "ReadBack",
    "ReadCard",
    "Readable",
    "Reading",
    "detect_and_read",
    "judge",
    "read_detections",
    "read_photo",
    "read_table",
]
