"""Reads photos of a card table.

    photos -> indices and backs -> cards (of several photos: joined) -> layout and decoding -> Reading

`read_photo` does all of it. A photo that joins no other because it shows only the hand is taken for the hand.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from solver.cards import Card, parse_cards
from solver.games import GAMES
from solver.notation import known_cards_from_json
from vision.cards.alike_faces import without_alike_faces
from vision.cards.joining.joined import MOST_PHOTOS, Joined, View, stacked_rows
from vision.cards.seen_table import SeenTable
from vision.crossed_cards import ask_about_crossed_cards
from vision.cut_off import ask_about_cut_off
from vision.errors import PhotoError, PhotosError
from vision.film.film_file import is_film
from vision.image import RGB, load
from vision.layout.game_choice import Choice, choose_game, parse_as
from vision.layout.game_reading import PlacedCard
from vision.layout.neighbours import card_gaps, groups
from vision.located_cards import cards_of_hand, locate_backs, locate_cards
from vision.networks.outputs import Detections
from vision.new_cards import ask_about_new_cards
from vision.photo_quality import assess, assess_nothing, index_length, length_text, surest_read
from vision.photo_to_table import Counting, Findings, detect_and_read, hand_of, see_table
from vision.question import Question, QuestionKind, to_be_asked
from vision.read_card import Photo, ReadBack, ReadCard
from vision.reading import NO_HAND, Readable, Reading
from vision.reading_doubts import (
    HAND,
    about_cards,
    ask_about_hand,
    ask_about_lone_meld,
    ask_about_rules,
    ask_about_unread_faces,
    ask_together,
    ask_which_game,
    chance_it_stands,
    doubts_of,
    find_sure_ones,
)

SMALL: Final = 9.0
"""Pixels from rank to suit below which clubs and spades begin to look alike."""
MOST_HELD: Final = 20
"""More cards than this are no hand."""
ONE_ROW: Final = 0.8
"""Cards of a hand lie no farther apart than this, card widths."""

PhotoSource = RGB | bytes | str | Path
"""A photo: a file or its bytes, or uint8 (height, width, 3), red first, upright (as `vision.load` gives it)."""


def read_photo(
    *photos: PhotoSource, hand: Iterable[Card | str] | PhotoSource | None = None, game: str | None = None
) -> Reading:
    """Reads one photo of a card table, or up to six photos of parts of one table, by the rules people play at home.

    Args:
        photos: Files or arrays, in any order; each photo may be turned.
        hand: The hand, if the photos do not show it (Makiaveli): its cards as text such as "3S 4S", or one by one as
            cards or texts, or a photo that shows only the hand. Text that names a file is a photo. With no cards it is
            looked for in the photos.
        game: The game's word, or `cards` for cards that make no game; by default told from the layout.

    Raises:
        NotationError: For an unknown game or a hand that cannot be read.
        PhotoError: For what is no photo.
        PhotosError: For no photo at all or too many.
    """
    cards, hand_photo = _hand_given(hand)
    sources = [*photos, *([] if hand_photo is None else [hand_photo])]
    default = _numbered_names(len(sources))
    names = [str(s) if isinstance(s, str | Path) else name for s, name in zip(sources, default, strict=True)]
    images = [_image_of(source, name) for source, name in zip(sources, names, strict=True)]
    reading = read_images(images, game, names=names, hand=cards, hand_is_last=hand_photo is not None)
    shown = (
        replace(photo, image=source) if isinstance(source, np.ndarray) else photo
        for photo, source in zip(reading.photos, sources, strict=True)
    )
    return replace(reading, photos=tuple(shown))


def _image_of(source: PhotoSource, name: str) -> RGB:
    """A photo as an array. Raises PhotoError for what is none."""
    if isinstance(source, str | Path) and is_film(source):
        raise PhotoError(name, "a film, not a photo; vision.film.film_to_reading.read_film reads it")
    if isinstance(source, str | bytes | Path):
        return load(source)
    expected = "expected a file, its bytes, or an array as vision.load gives: uint8 (height, width, 3), red first"
    if not isinstance(source, np.ndarray):
        raise PhotoError(name, f"its type is {type(source).__name__}; {expected}")
    if source.dtype != np.uint8 or source.ndim != 3 or source.shape[2] != 3 or not source.size:
        raise PhotoError(name, f"an array of {source.dtype} {source.shape}; {expected}")
    return source


def _hand_given(hand: Iterable[Card | str] | PhotoSource | None) -> tuple[Sequence[Card] | None, PhotoSource | None]:
    """The cards of a hand, and the photo of it; one of them at most."""
    if isinstance(hand, str):
        return (None, hand) if Path(hand).is_file() else (parse_cards(hand) or None, None)
    if isinstance(hand, np.ndarray | bytes | Path):
        return None, hand
    return (None if hand is None else cards_of_given(hand) or None), None


def cards_of_given(hand: object) -> tuple[Card, ...]:
    """The cards of a hand that is given one by one, as cards or their texts. Raises NotationError.

    >>> cards_of_given(["3S", Card.from_index(0)])
    (Card('3S'), Card('AC'))
    """
    return known_cards_from_json([*map(str, hand)] if isinstance(hand, Iterable) else hand, "the hand")


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
    tables = without_alike_faces([see_table(found, doubted=len(findings) == 1) for found in findings])
    seen = time.perf_counter()
    shown = tables[:-1] if hand_is_last else tables
    joined = Joined.of_one(shown[0]) if len(shown) == 1 else _join(shown, called[: len(shown)])
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

    surest = [
        1.0 if found.image is None else surest_read(table.firm, found.detections, found.image)
        for table, found in zip(shown, findings, strict=False)
    ]

    def tell(joined: Joined, cards: Sequence[Card] | None) -> _Told:
        return _tell(joined, surest, detections, game, cards, decoding=decoding, image=image)

    given = hand_of(tables[-1]) if hand_is_last else hand
    joined, told, asked = _tell_apart(joined, shown, called, lambda joined: tell(joined, given))
    hand_photo = len(shown) if hand_is_last else None
    if given is None and _may_take_hand(told.choice):
        hand_photo, told, more = _find_hand(told, tables, list(joined.apart), called, lambda cards: tell(joined, cards))
        asked += more
    apart = {number: asked for number, asked in joined.apart.items() if number != hand_photo}
    photos = _photos(called, tables, apart, hand_photo)
    asked += apart.values()
    read = {placed.seen for placed in told.placed}
    of_game = [card for row, card in enumerate(tables[0].cards) if row in read]
    unread = ask_about_unread_faces(tables[0].with_cards(of_game), findings[0]) if len(tables) == 1 else []
    cards = locate_cards(told.placed, joined, tables, findings)
    backs = locate_backs(told.choice.parsed, joined, tables)
    cut_off = ask_about_cut_off(cards, backs, photos, joined.to_map)
    unseen = [*unread, *cut_off, *ask_about_crossed_cards(cards)]
    if _may_take_hand(told.choice) and not any(question.moved for question in asked):
        asked += ask_about_new_cards(cards, backs, joined, findings, called)
    if hand_photo is not None and all(card.place != HAND for card in cards):
        cards += cards_of_hand(tables[hand_photo], findings[hand_photo], hand_photo)
    return _reading(photos, told, cards, backs, unseen, asked, {**times, **_times_of_layout(told, shown)})


def _join(tables: Sequence[SeenTable], names: Sequence[str], two: Collection[frozenset[View]] = ()) -> Joined:
    """What several photos show together."""
    from vision.cards.joining.join import join  # a single photo does without

    return join(tables, names, two)


def _numbered_names(count: int) -> list[str]:
    """What so many photos are called by default."""
    return [f"photo {number}" for number in range(1, count + 1)]


def _photos(
    names: Sequence[str], tables: Sequence[SeenTable], apart: Mapping[int, Question], hand_photo: int | None
) -> list[Photo]:
    """The photos: their names and sizes, and which ones are apart from the others."""
    return [
        Photo(name, *table.size, str(apart.get(number, "")), number == hand_photo)
        for number, (name, table) in enumerate(zip(names, tables, strict=True))
    ]


def _tell(
    joined: Joined,
    surest: Sequence[float],
    detections: Detections,
    game: str | None,
    hand: Sequence[Card] | None,
    *,
    decoding: bool,
    image: RGB | None,
) -> _Told:
    """What a table's cards tell.

    Args:
        joined: The cards.
        surest: How sure a card of each photo may be at most.
        detections: The findings that the cards count.
        game: The game's word; told from the layout if None.
        hand: The hand's cards, if known from elsewhere.
        decoding: Weigh the reads with the rules.
        image: The photo, in which cards that are there but unread are looked for; None for joined photos.
    """
    start, table = time.perf_counter(), joined.table
    if game is None:
        choice = choose_game(table, hand=hand, decoding=decoding)
    else:
        choice = Choice(parse_as(game, table, hand=hand, decoding=decoding), 1.0)
    laid = time.perf_counter()
    if choice.parsed is None:
        return _Told(choice, assess_nothing(table), (), (), (laid - start, 0.0))
    parsed = replace(choice.parsed, placed=tuple(_no_surer(one, joined, surest) for one in choice.parsed.placed))
    choice = replace(choice, parsed=parsed)
    firm = [one.confidence for one in parsed.placed if one.seen is None or not table.cards[one.seen].is_doubted]
    readable = assess(table.firm, detections, firm, image)
    notes = (*parsed.notes, *_note_small_cards(detections, table))
    return _Told(choice, readable, notes, parsed.checks, (laid - start, time.perf_counter() - laid))


def _no_surer(placed: PlacedCard, joined: Joined, surest: Sequence[float]) -> PlacedCard:
    """A card that is no surer than the sharpest of the photos that show it lets it be."""
    most = 1.0 if placed.seen is None else max(surest[photo] for photo, _ in joined.sights[placed.seen])
    return placed if placed.confidence <= most else replace(placed, confidence=most)


def _note_small_cards(detections: Detections, table: SeenTable) -> tuple[str, ...]:
    """A note where the photo shows its cards so small that a better one would be worth taking."""
    length = index_length(table, detections)
    if length is None or length >= SMALL:
        return ()
    return (
        f"the cards are small: {length_text(length)} from a rank to its suit, and {SMALL:g} or more are wanted;"
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
        rival = _join(tables, names[: len(tables)], [views])
        other = tell(rival)
        cards = {view: p.text for p in other.placed if p.seen is not None for view in rival.sights[p.seen]}
        found = [(photo, cards.get((photo, row), "")) for photo, row in sorted(views)]
        if len(other.problems) < len(told.problems) and len({card for _, card in found}) > 1:
            named = " and ".join(f"{card} in {names[photo]}" for photo, card in found)
            text = f"{named} lie close together: please check that these are two cards"
            asked = Question(QuestionKind.PHOTOS, text, photos=tuple(photo for photo, _ in found))
            return rival, other, [*_checks(rival, other), asked]
    return joined, told, [*_checks(joined, told)]


def _checks(joined: Joined, told: _Told) -> tuple[Question, ...]:
    """What a person should check of how photos were joined: no card of a game with one deck has a copy."""
    game = "" if told.choice.parsed is None else told.choice.parsed.game
    return joined.checks_of_one_deck if game in GAMES and GAMES[game].decks == 1 else joined.checks


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
            return number, told, [] if own == shown else [ask_about_hand(text, number)]
        other = tell(cards)
        if not shown or other.open_questions <= told.open_questions:
            return number, other, ask_about_lone_meld(cards, names[number], number)
    return None, told, []


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
    doubts = [*doubts_of(choice), *unseen]
    asked_too = to_be_asked(doubts, may_stand=not reading.problems)
    no_hand = [Question(QuestionKind.HAND, NO_HAND, HAND)] if reading.lacks_hand else []
    readings = () if parsed is None else parsed.readings
    others = tuple((round(float(relative), 4), other) for relative, other in readings if not other.problems())
    is_blind = not cards and not told.readable.ok
    return replace(
        reading,
        position_probability=0.0 if is_blind else 1.0 if parsed is None else chance_it_stands(position, doubts),
        checks=(
            *ask_which_game(choice),
            *ask_together((*about_cards(asked_too, False), *ask_about_rules(reading, told.checks))),
            *no_hand,
            *asked,
        ),
        also_asked=find_sure_ones(asked_too, cards),
        others=others,
    )
