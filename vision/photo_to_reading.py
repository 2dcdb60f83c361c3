"""Reads photos of a card table.

    photos -> indices and backs -> cards (of several photos: joined) -> layout and decoding -> Reading

`read_photo` does all of it. A photo that joins no other because it shows only the hand is taken for the hand.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from solver.cards import Card, parse_cards
from solver.games import GAMES, find_game
from solver.place import NOWHERE, Place
from solver.position import Fault, Position
from vision.cards.assembly import assemble_cards
from vision.cards.face_evidence import with_faces
from vision.cards.face_paper import find_unread_faces, without_cards_on_backs
from vision.cards.geometry import Array, project
from vision.cards.joining import MOST_PHOTOS, Joined, View, join, stacked_rows
from vision.cards.seen_table import SeenTable
from vision.cards.suit_place import count_readable, read_indices
from vision.cards.template import Template
from vision.confidence import chance_of_whole
from vision.cut_melds import ask_about_cut_melds
from vision.cut_piles import ask_about_cut_piles
from vision.errors import PhotosError
from vision.image import RGB, load
from vision.layout.game_choice import Choice, choose_game, parse_as
from vision.layout.game_reading import GameReading, PlacedCard
from vision.layout.neighbours import card_gaps, groups
from vision.layout.vocabulary import CARDS
from vision.networks import index_detector, index_reader
from vision.networks.back_counter import BackCounter
from vision.networks.index_detector import Detector
from vision.networks.index_reader import Reader
from vision.networks.outputs import Backs, Detections, Reads
from vision.networks.surface_map import SurfaceMap
from vision.photo_quality import assess, index_length
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind, chance_without, to_be_asked
from vision.read_card import Photo, Quad, ReadBack, ReadCard, ReadIndex, Sight
from vision.reading import NO_HAND, Readable, Reading

SMALL: Final = 9.0
"""Pixels from rank to suit below which clubs and spades begin to look alike."""
UNUSUAL_BELOW: Final = 0.75
"""Where the usual networks read at least this share of a photo's indices, weighed by the detector's confidence, those
for unusual decks do not look. On validation scenes these are believed at shares up to 0.67."""
MUCH_MORE: Final = 1.25
"""Where the networks for unusual decks read so many times as many indices, the deck is taken for an unusual one. Chosen
on validation scenes, where decks with usual indices stay below it."""
MOST_HELD: Final = 20
"""More cards than this are no hand."""
ONE_ROW: Final = 0.8
"""Cards of a hand lie no farther apart than this, card widths."""
FEWEST_ON_TABLE: Final = 3
"""Fewer cards are no table whose game is asked for."""

UNREAD_DOUBT: Final[float] = preferences_of(__name__)["UNREAD_DOUBT"]
"""How likely a face that was seen and not read makes a reading wrong: it may be no card of the game, as a joker is."""

HAND: Final = Place("hand")

PhotoSource = RGB | bytes | str | Path
"""A photo: a file or its bytes, or uint8 (height, width, 3), red first, upright (as `vision.load` gives it)."""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What the networks say of a photo.

    Attributes:
        detections: Its n indices.
        backs: Its face-down cards.
        reads: The n reads of the indices.
        size: The photo's width and height, px.
        image: The photo itself; with it faces are read and face-down cards counted more surely.
        times: Seconds of each stage.
    """

    detections: Detections
    backs: Backs
    reads: Reads
    size: tuple[int, int]
    image: RGB | None = None
    times: Mapping[str, float] = field(default_factory=dict)


def read_photo(
    *photos: PhotoSource, hand: Sequence[Card] | PhotoSource | None = None, game: str | None = None
) -> Reading:
    """Reads one photo of a card table, or up to six photos of parts of one table, by the rules people play at home.

    Args:
        photos: Files or arrays, in any order; each photo may be turned.
        hand: The hand, if the photos do not show it (Makiaveli): its cards as text such as "3S 4S" or as a sequence, or
            a photo that shows only the hand. Text that names a file is a photo.
        game: The game's word, or `cards` for cards that make no game; by default told from the layout.

    Raises:
        NotationError: For an unknown game or a hand that cannot be read.
        PhotoError: For a file that is no photo.
        PhotosError: For no photo at all or too many.
    """
    cards, hand_photo = _hand_given(hand)
    sources = [*photos, *([] if hand_photo is None else [hand_photo])]
    default = _numbered_names(len(sources))
    names = [str(s) if isinstance(s, str | Path) else name for s, name in zip(sources, default, strict=True)]
    images = [source if isinstance(source, np.ndarray) else load(source) for source in sources]
    reading = read_images(images, game, names=names, hand=cards, hand_is_last=hand_photo is not None)
    shown = (
        replace(photo, image=source) if isinstance(source, np.ndarray) else photo
        for photo, source in zip(reading.photos, sources, strict=True)
    )
    return replace(reading, photos=tuple(shown))


def _hand_given(hand: Sequence[Card] | PhotoSource | None) -> tuple[Sequence[Card] | None, PhotoSource | None]:
    """The cards of a hand, and the photo of it; one of them at most."""
    if isinstance(hand, str):
        return (None, hand) if Path(hand).is_file() else (parse_cards(hand), None)
    if isinstance(hand, np.ndarray | bytes | Path):
        return None, hand
    return (None if hand is None else tuple(hand)), None


def read_images(
    images: Sequence[RGB],
    game: str | None = None,
    *,
    names: Sequence[str] | None = None,
    hand: Sequence[Card] | None = None,
    hand_is_last: bool = False,
) -> Reading:
    """`read_photo` for loaded photos, each with the name by which questions speak of it; arguments as there.

    With `hand_is_last` the last photo shows only the hand.
    """
    count = len(images) - hand_is_last
    if not 1 <= count <= MOST_PHOTOS:
        raise PhotosError(f"{count} photos of one table; expected 1 to {MOST_PHOTOS}")
    with ThreadPoolExecutor(min(len(images), os.cpu_count() or 1)) as pool:
        findings = list(pool.map(detect_and_read, images) if len(images) > 1 else map(detect_and_read, images))
    return read_findings(findings, game, names=names, hand=hand, hand_is_last=hand_is_last)


@cache
def _networks() -> tuple[Detector, Reader]:
    return Detector(), Reader()


@cache
def _networks_for_unusual_decks() -> tuple[Detector, Reader]:
    return Detector(index_detector.UNUSUAL_WEIGHTS), Reader(index_reader.UNUSUAL_WEIGHTS)


@cache
def _counter() -> BackCounter:
    return BackCounter()


def detect_and_read(image: RGB) -> Findings:
    """What the networks say of a photo.

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
    if known < UNUSUAL_BELOW * detections.confidence.sum():
        detector, reader = _networks_for_unusual_decks()
        others, other_reads = read_indices(reader, image, detector.detect(image)[0])
        if count_readable(others, other_reads) > max(MUCH_MORE * known, known + 1):
            detections, reads = others, other_reads
    times = {"load": loaded - start, "detect": detected - loaded, "read": time.perf_counter() - detected}
    return Findings(detections, backs, reads, (image.shape[1], image.shape[0]), image, times)


class Counting:
    """Counts a photo's face-down cards when a layout asks for it, and how long that takes.

    Args:
        image: The photo, or its file.
    """

    def __init__(self, image: RGB | bytes) -> None:
        self.image, self.seconds = image, 0.0

    def __call__(self, regions: Array) -> Array:
        """What `BackCounter.count` says of strips of the photo."""
        start = time.perf_counter()
        image = load(self.image) if isinstance(self.image, bytes) else self.image
        found = _counter().count(image, regions)
        self.seconds += time.perf_counter() - start
        return found


def see_table(found: Findings, template: Template | None = None) -> SeenTable:
    """The cards of a photo: by their indices, and with the photo itself by their faces and with a counter of backs.

    Args:
        found: What the networks say of it.
        template: The deck's, where it is known from other photos.
    """
    table = assemble_cards(found.detections, found.backs, found.reads, found.size, template)
    if found.image is None:
        return table
    table = without_cards_on_backs(table, found.detections, found.image)
    return replace(with_faces(table, found.image), count_backs=Counting(found.image))


@cache
def _surface_map() -> SurfaceMap:
    return SurfaceMap()


def _ask_about_unread_faces(table: SeenTable, found: Findings) -> list[Question]:
    """A question about each face of a photo that no card explains which was read."""
    if found.image is None or not table.cards:
        return []
    quads = find_unread_faces(table, found.detections, _surface_map().see(found.image), found.image)
    text = "I see a card here that I cannot read"
    sights = [Sight(0, _rounded(quad)) for quad in quads]
    return [
        Question(QuestionKind.UNREAD, _nth(text, n, len(sights)), photos=(0,), doubt=UNREAD_DOUBT, sights=(sight,))
        for n, sight in enumerate(sights)
    ]


def _nth(text: str, number: int, of: int) -> str:
    """A question's text, with its number where it is one of several: no two questions read alike."""
    return text if of == 1 else f"{text} ({number + 1} of {of})"


def hand_of(table: SeenTable) -> tuple[Card, ...]:
    """The cards of a photo that shows only a hand, from left to right."""
    return tuple(table.cards[row].best for row in table.from_left)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the cards of a table tell, before it is said which photo shows them where.

    Attributes:
        choice: The game and its position.
        readable: Whether what is seen is enough.
        notes: What the photos cannot show.
        checks: What a person should look at.
        seconds: What it took to tell the game and place the cards, and to tell whether it is readable.
    """

    choice: Choice
    readable: Readable
    notes: tuple[str, ...]
    checks: tuple[Question, ...]
    seconds: tuple[float, float]

    @property
    def placed(self) -> tuple[PlacedCard, ...]:
        """The cards in their zones."""
        return () if self.choice.parsed is None else self.choice.parsed.placed

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the position is not legal."""
        parsed = self.choice.parsed
        return () if parsed is None or parsed.position is None else parsed.position.problems()

    @property
    def open_questions(self) -> int:
        """How many questions are put to a person."""
        return sum(placed.doubtful for placed in self.placed) + len(self.checks) + len(self.problems)


def read_findings(
    findings: Sequence[Findings],
    game: str | None = None,
    *,
    names: Sequence[str] | None = None,
    hand: Sequence[Card] | None = None,
    hand_is_last: bool = False,
    decoding: bool = True,
) -> Reading:
    """`read_images` from what the networks said of each photo.

    Args:
        findings: What `detect_and_read` gives of each photo.
        game: The game's word; told from the layout if None.
        names: What each photo is called; `photo 1` and so on by default.
        hand: The hand's cards, if no photo shows them.
        hand_is_last: The last photo shows only the hand.
        decoding: Weigh the reads with the game's rules; without it each card stays as read.
    """
    start = time.perf_counter()
    called = _numbered_names(len(findings)) if names is None else list(names)
    tables = [see_table(found) for found in findings]
    seen = time.perf_counter()
    shown = tables[:-1] if hand_is_last else tables
    joined = Joined.of_one(shown[0]) if len(shown) == 1 else join(shown, called[: len(shown)])
    times = {**_times_of(findings), "see": seen - start, "join": time.perf_counter() - seen}
    return read_joined(
        joined,
        tables,
        findings,
        game,
        names=called,
        hand=hand,
        hand_is_last=hand_is_last,
        decoding=decoding,
        times=times,
    )


def read_joined(
    joined: Joined,
    tables: Sequence[SeenTable],
    findings: Sequence[Findings],
    game: str | None,
    *,
    names: Sequence[str],
    hand: Sequence[Card] | None = None,
    hand_is_last: bool = False,
    decoding: bool = True,
    times: Mapping[str, float],
) -> Reading:
    """`read_findings` from the joined cards of the photos.

    Args:
        joined: What the photos of the table show together.
        tables: What each photo shows.
        findings: What the networks said of each.
        game: The game's word; told from the layout if None.
        names: What each photo is called.
        hand: The hand's cards, if no photo shows them.
        hand_is_last: The last photo shows only the hand.
        decoding: Weigh the reads with the game's rules.
        times: Seconds of the stages before.
    """
    called, shown = names, tables[:-1] if hand_is_last else tables
    detections = _stacked([found.detections for found in findings[: len(shown)]], shown)
    image = findings[0].image if len(shown) == 1 else None

    def tell(joined: Joined, cards: Sequence[Card] | None) -> _Told:
        return _tell(joined.table, detections, game, cards, decoding=decoding, image=image)

    given = hand_of(tables[-1]) if hand_is_last else hand
    joined, told, asked = _tell_apart(joined, shown, called, lambda joined: tell(joined, given))
    hand_photo = len(shown) if hand_is_last else None
    if given is None and _may_take_hand(told.choice):
        hand_photo, told, more = _find_hand(told, tables, list(joined.apart), called, lambda cards: tell(joined, cards))
        asked += more
    photos = _photos(called, tables, joined.apart, hand_photo)
    asked += _ask_about_apart(photos)
    unread = _ask_about_unread_faces(tables[0], findings[0]) if len(tables) == 1 else []
    cards = _locate_cards(told, joined, tables, findings)
    backs = _locate_backs(told, joined, tables)
    cut_off = (
        *ask_about_cut_melds(cards, photos, joined.to_map),
        *ask_about_cut_piles(cards, backs, photos, joined.to_map),
    )
    unseen = [*unread, *cut_off]
    if hand_photo is not None and all(card.place != HAND for card in cards):
        cards += _cards_of_hand(tables[hand_photo], findings[hand_photo], hand_photo)
    return _reading(photos, told, cards, backs, unseen, asked, {**times, **_times_of_layout(told, shown)})


def _numbered_names(count: int) -> list[str]:
    """What so many photos are called by default."""
    return [f"photo {number}" for number in range(1, count + 1)]


def _photos(
    names: Sequence[str], tables: Sequence[SeenTable], apart: Mapping[int, str], hand_photo: int | None
) -> list[Photo]:
    """The photos: their names and sizes, and which ones are apart from the others."""
    return [
        Photo(name, *table.size, "" if number == hand_photo else apart.get(number, ""), number == hand_photo)
        for number, (name, table) in enumerate(zip(names, tables, strict=True))
    ]


def _ask_about_apart(photos: Sequence[Photo]) -> list[Question]:
    """A question about each photo that does not join the others."""
    return [
        Question(QuestionKind.APART, photo.apart, photos=(number,))
        for number, photo in enumerate(photos)
        if photo.apart
    ]


def _tell(
    table: SeenTable,
    detections: Detections,
    game: str | None,
    hand: Sequence[Card] | None,
    *,
    decoding: bool,
    image: RGB | None,
) -> _Told:
    """What a table's cards tell.

    Args:
        table: The cards.
        detections: The findings that they count.
        game: The game's word; told from the layout if None.
        hand: The hand's cards, if known from elsewhere.
        decoding: Weigh the reads with the rules.
        image: The photo, in which cards that are there but unread are looked for; None for joined photos.
    """
    start = time.perf_counter()
    if game is None:
        choice = choose_game(table, hand=hand, decoding=decoding)
    else:
        choice = Choice(parse_as(game, table, hand=hand, decoding=decoding), 1.0)
    parsed, laid = choice.parsed, time.perf_counter()
    if parsed is None:
        return _Told(choice, Readable(), (), (), (laid - start, 0.0))
    readable = assess(table, detections, [placed.confidence for placed in parsed.placed], image)
    notes = (*parsed.notes, *_note_small_cards(detections, table))
    return _Told(choice, readable, notes, parsed.checks, (laid - start, time.perf_counter() - laid))


def _note_small_cards(detections: Detections, table: SeenTable) -> tuple[str, ...]:
    """A note where the photo shows its cards so small that a better one would be worth taking."""
    length = index_length(table, detections)
    if length is None or length >= SMALL:
        return ()
    short = math.floor(10 * length) / 10  # never rounded up to what is wanted
    return (
        f"the cards are small: {short:g} px from a rank to its suit, and {SMALL:g} or more are wanted;"
        " a picture taken from nearer, or not made smaller, is read more surely",
    )


def _times_of(findings: Sequence[Findings]) -> dict[str, float]:
    """Seconds of the networks' stages, of all photos together."""
    total: dict[str, float] = {}
    for found in findings:
        for stage, seconds in found.times.items():
            total[stage] = total.get(stage, 0.0) + seconds
    return total


def _times_of_layout(told: _Told, tables: Sequence[SeenTable]) -> dict[str, float]:
    """Seconds of the stages after the cards were seen; face-down cards are counted when the layout asks for it."""
    counters = [table.count_backs for table in tables if isinstance(table.count_backs, Counting)]
    counted = sum(counter.seconds for counter in counters)
    laid, assessed = told.seconds
    times = {"layout": laid - counted} | ({} if told.choice.parsed is None else {"readable": assessed})
    return times | ({"count": counted} if counters else {})


# --- several photos --------------------------------------------------------------------------------------------------


def _stacked(detections: Sequence[Detections], tables: Sequence[SeenTable]) -> Detections:
    """The detections of all photos one behind the other, as the joined cards count them."""
    if len(detections) == 1:
        return detections[0]
    starts = stacked_rows(tables)
    assert all(b - a == len(d) for (a, b), d in zip(pairwise(starts), detections, strict=False)), "every row is used"
    names = ("boxes", "confidence", "rank_xy", "suit_xy")
    return Detections(*(np.concatenate([getattr(d, name) for d in detections]) for name in names))


def _tell_apart(
    joined: Joined, tables: Sequence[SeenTable], names: Sequence[str], tell: Callable[[Joined], _Told]
) -> tuple[Joined, _Told, list[Question]]:
    """The joined photos, what they tell, and what a person should check.

    In a tight fan each photo may miss another card, and the two that are left may be taken for one. They are told apart
    where the reading then breaks fewer rules and finds two different cards.
    """
    told = tell(joined)
    for views in joined.loose if told.problems else ():
        rival = join(tables, names[: len(tables)], [views])
        other = tell(rival)
        cards = {view: p.text for p in other.placed if p.seen is not None for view in rival.sights[p.seen]}
        found = [(photo, cards.get((photo, row), "")) for photo, row in sorted(views)]
        if len(other.problems) < len(told.problems) and len({card for _, card in found}) > 1:
            named = " and ".join(f"{card} in {names[photo]}" for photo, card in found)
            text = f"{named} lie close together: please check that these are two cards"
            asked = Question(QuestionKind.PHOTOS, text, photos=tuple(photo for photo, _ in found))
            return rival, other, [*rival.checks, asked]
    return joined, told, list(joined.checks)


def _may_take_hand(choice: Choice) -> bool:
    """Whether the game, or the nearest one, is about a hand."""
    words = (None if choice.parsed is None else choice.parsed.game, choice.likeliest)
    return any(word in GAMES and GAMES[word].takes_hand for word in words if word is not None)


def _is_hand(table: SeenTable) -> bool:
    """Whether a photo may show nothing but a hand: one row or fan, no card face down."""
    if not 0 < len(table.cards) <= MOST_HELD or table.backs:
        return False
    return len(groups(card_gaps(table) < ONE_ROW)) == 1


def _find_hand(
    told: _Told,
    tables: Sequence[SeenTable],
    may_be: Sequence[int],
    names: Sequence[str],
    tell: Callable[[Sequence[Card]], _Told],
) -> tuple[int | None, _Told, list[Question]]:
    """The photo of the hand among those that `may_be` it, what is told with that hand, and what a person should check.

    It shows the hand on the table again, or its cards as the hand leave no more in doubt than there was.
    """
    shown = Counter(placed.card for placed in told.placed if placed.place == HAND and placed.card is not None)
    for number in filter(lambda number: _is_hand(tables[number]), may_be):
        cards = hand_of(tables[number])
        own = Counter(cards)
        if (own & shown).total() * 2 >= shown.total() > 0:  # the hand again: held up, and on the table too
            text = f"{names[number]} shows the hand as {' '.join(map(str, cards))}: please check it"
            return number, told, [] if own == shown else [_ask_about_hand(text, number)]
        other = tell(cards)
        if not shown or other.open_questions <= told.open_questions:
            return number, other, _meld_check(cards, names[number], number)
    return None, told, []


def _ask_about_hand(text: str, photo: int) -> Question:
    return Question(QuestionKind.HAND, text, HAND, photos=(photo,))


def _meld_check(cards: Sequence[Card], name: str, photo: int) -> list[Question]:
    """Asks about a photo of a lone meld that was taken for the hand."""
    from solver.makiaveli.melds import is_meld  # its package compiles kernels: imported when a table is read

    if len(cards) < 3 or not is_meld(list(cards)):
        return []
    text = f"{name} shows only {' '.join(map(str, cards))}, a meld, taken for the hand: please check it"
    return [_ask_about_hand(text, photo)]


# --- what is told, and where photos show it --------------------------------------------------------------------------


def _reading(
    photos: Sequence[Photo],
    told: _Told,
    cards: Sequence[ReadCard],
    backs: Sequence[ReadBack],
    unseen: Sequence[Question],
    asked: Sequence[Question],
    times: Mapping[str, float],
) -> Reading:
    """The reading of what was told. Its numbers are rounded here, once, so that its JSON holds what it holds."""
    parsed, choice = told.choice.parsed, told.choice
    position = None if parsed is None else parsed.position
    reading = Reading(
        tuple(photos),
        None if parsed is None else parsed.game,
        round(float(choice.chance), 4),
        tuple(cards),
        tuple(backs),
        position,
        told.notes,
        times={stage: round(seconds, 4) for stage, seconds in times.items()},
        readable=told.readable,
        likeliest=choice.likeliest,
    )
    doubts = [*_doubts(choice), *unseen]
    asked_too = to_be_asked(doubts, may_stand=not reading.problems)
    no_hand = [Question(QuestionKind.HAND, NO_HAND, HAND)] if reading.lacks_hand else []
    readings = () if parsed is None else parsed.readings
    others = tuple((round(float(relative), 4), other) for relative, other in readings if not other.problems())
    return replace(
        reading,
        position_probability=_chance_it_stands(position, doubts) if parsed is not None else 1.0,
        checks=(
            *_ask_which_game(choice),
            *_about_cards(asked_too, False),
            *_ask_about_rules(reading, told.checks),
            *no_hand,
            *asked,
        ),
        also_asked=_sure_ones(asked_too, cards),
        others=others,
    )


def _sure_ones(questions: Iterable[Question], cards: Sequence[ReadCard]) -> tuple[int, ...]:
    """Numbers of the cards in question that are sure enough by themselves."""
    numbers = (n for question in _about_cards(questions) for n in question.cards)
    return tuple(sorted(n for n in numbers if not cards[n].doubtful))


def _about_cards(questions: Iterable[Question], are: bool = True) -> Iterator[Question]:
    """The questions about cards, or those about anything else: a reading makes those about cards itself."""
    return (question for question in questions if (question.kind is QuestionKind.CARD) == are)


def _ask_about_rules(reading: Reading, checks: Sequence[Question]) -> list[Question]:
    """What the layout asks; where the position breaks the rules, that is asked in one line, with the first such place.

    One misread card or one misplaced pile breaks the rules at several places: to name them all helps nobody.
    """
    if not reading.problems or reading.position is None:
        return list(checks)
    numbers = _cards_at_fault(reading.cards, reading.problems[0])
    sights = tuple(replace(sight, indices=()) for number in numbers for sight in reading.cards[number].sights)
    text = _say_broken_rules(find_game(reading.position.game).title, reading.problems)
    places, _ = _places_and_cards(reading.problems[0])
    place = places[0] if len(places) == 1 else None
    broken = Question(QuestionKind.RULES, text, place, cards=numbers, sights=sights)
    return [broken, *(check for check in checks if check.kind is not QuestionKind.RULES)]


def _say_broken_rules(title: str, problems: Sequence[str]) -> str:
    """The first place that breaks the rules of a game, and how many there are, in a line."""
    first, *others = problems
    where, colon, what = first.partition(": ")
    said = f"{what} in {where}" if colon else first
    more = f"; places that break the rules: {len(problems)}" if others else ""
    return f"this looks like {title}, but {said}{more}"


def _places_and_cards(problem: str) -> tuple[Sequence[Place], Sequence[Card]]:
    """The places and cards that a problem names."""
    return (problem.places, problem.cards) if isinstance(problem, Fault) else ((), ())


def _cards_at_fault(cards: Sequence[ReadCard], problem: str) -> tuple[int, ...]:
    """Numbers of the cards that a problem is about: those that it names, at the places that it names."""
    places, named = _places_and_cards(problem)
    if not places and not named:
        return ()
    at_places = (number for number, card in enumerate(cards) if not places or card.place in places)
    return tuple(number for number in at_places if not named or cards[number].card in named)


def _doubts(choice: Choice) -> list[Question]:
    """Everything in which a position may be wrong: the game, where cards lie, and which cards they are."""
    parsed = choice.parsed
    if parsed is None or parsed.position is None:
        return []
    cards = [
        Question(QuestionKind.CARD, card.text, card.place, cards=(number,), doubt=1 - card.confidence)
        for number, card in enumerate(parsed.placed)
        if card.place != NOWHERE or card.why
    ]
    return [*_doubt_of_game(choice), *parsed.doubts, *cards]


def _doubt_of_game(choice: Choice) -> Iterator[Question]:
    """The question which game it is."""
    if choice.parsed is not None and choice.rival is not None:
        game = find_game(choice.parsed.game)
        other = "no game that I know" if choice.rival not in GAMES else GAMES[choice.rival].title
        text = f"this looks like {game.title}, but may be {other}: please check which game it is"
        yield Question(QuestionKind.GAME, text, choices=(game.word, choice.rival), doubt=round(1 - choice.chance, 4))


def _ask_which_game(choice: Choice) -> Iterator[Question]:
    """The question which game it is, where none was found: without a game nothing else is asked."""
    doubt = round(1 - choice.chance, 4)
    if choice.likeliest is not None:
        text = f"this looks like no game that I know, but may be {find_game(choice.likeliest).title}: which game is it?"
        yield Question(QuestionKind.GAME, text, choices=(CARDS, choice.likeliest), doubt=doubt)
    elif choice.rival is not None and choice.parsed is not None and _is_table_of_no_game(choice.parsed):
        text = "this looks like no game that I know: if it is one, which?"
        others = sorted(GAMES, key=lambda game: game != choice.rival)
        yield Question(QuestionKind.GAME, text, choices=(CARDS, *others), doubt=doubt)


def _is_table_of_no_game(parsed: GameReading) -> bool:
    return parsed.game == CARDS and len(parsed.placed) >= FEWEST_ON_TABLE


def _chance_it_stands(position: Position[Any] | None, doubts: Sequence[Question]) -> float:
    """Probability that game, layout and every card of a position are right; 0 without a legal one."""
    if position is None or position.problems():
        return 0.0
    return round(chance_of_whole(chance_without(doubts)), 4)


def _locate_cards(
    told: _Told, joined: Joined, tables: Sequence[SeenTable], findings: Sequence[Findings]
) -> list[ReadCard]:
    """The cards, each in all photos that show it."""

    def sights(row: int | None) -> tuple[Sight, ...]:
        views = [] if row is None else _one_each(joined.sights[row])
        return tuple(_sight(tables[photo], findings[photo].detections, photo, own) for photo, own in views)

    return [
        _read_card(p.card, p.confidence, p.alternatives, p.place, () if p.seen is None else sights(p.seen), p.why)
        for p in told.placed
    ]


def _cards_of_hand(table: SeenTable, found: Findings, photo: int) -> list[ReadCard]:
    """The cards of the hand's photo, from left to right."""
    return [
        _read_card(card.best, *card.belief(), HAND, (_sight(table, found.detections, photo, row),))
        for row in table.from_left
        for card in [table.cards[row]]
    ]


def _read_card(
    card: Card | None,
    confidence: float,
    alternatives: Sequence[tuple[Card, float]],
    place: Place,
    sights: tuple[Sight, ...],
    why: str = "",
) -> ReadCard:
    others = tuple((other, round(float(chance), 4)) for other, chance in alternatives)
    return ReadCard(card, round(float(confidence), 4), others, place, sights, why)


def _sight(table: SeenTable, detections: Detections, photo: int, row: int) -> Sight:
    """A card of a photo, the one of that row, as the photo shows it."""
    card = table.cards[row]
    return Sight(photo, _rounded(card.quad), tuple(_index(detections, own) for own in card.indices))


def _index(detections: Detections, row: int) -> ReadIndex:
    """An index of a photo, the one of that row."""
    x1, y1, x2, y2 = (round(float(value), 1) for value in detections.boxes[row])
    rank_x, rank_y = (round(float(value), 1) for value in detections.rank_xy[row])
    suit_x, suit_y = (round(float(value), 1) for value in detections.suit_xy[row])
    return ReadIndex((x1, y1, x2, y2), (rank_x, rank_y), (suit_x, suit_y))


def _rounded(quad: Array) -> Quad:
    """Corners to a tenth of a pixel."""
    a, b, c, d = ((x, y) for x, y in np.round(quad, 1).tolist())
    return a, b, c, d


def _one_each(views: Sequence[View]) -> list[View]:
    """One view of a card in each photo: a photo may have taken its two ends for two cards."""
    found: dict[int, int] = {}
    for photo, row in views:
        found.setdefault(photo, row)
    return list(found.items())


def _locate_backs(told: _Told, joined: Joined, tables: Sequence[SeenTable]) -> list[ReadBack]:
    """The face-down cards, each in all photos that show it."""
    parsed, backs = told.choice.parsed, joined.table.backs
    places = parsed.back_places if parsed is not None and parsed.back_places else (NOWHERE,) * len(backs)
    found = []
    for back, (photo, row), place in zip(backs, joined.back_sights, places, strict=True):
        best = Sight(photo, _rounded(tables[photo].backs[row].quad))
        others = [
            Sight(number, _rounded(quad))
            for number, to_map in enumerate(joined.to_map)
            if number != photo and to_map is not None
            for quad in _quad_in_photo(back.quad, to_map, tables[number].size)
        ]
        found.append(ReadBack(place, round(float(back.confidence), 4), (best, *others)))
    return found


def _quad_in_photo(quad: Array, to_map: Array, size: tuple[int, int]) -> list[Array]:
    """Where a photo shows a card that lies there on the map: its corners, px; nothing if it does not show it."""
    to_photo = np.asarray(np.linalg.inv(to_map), np.float64)
    there = project(to_photo, quad)
    depth = np.c_[quad, np.ones(4)] @ to_photo[2]
    middle = there.mean(0)
    is_shown = (depth * depth[0] > 0).all() and ((middle > 0) & (middle < np.array(size))).all()
    return [there] if is_shown else []
