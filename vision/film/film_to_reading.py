"""Reads a film of a card table: one sweep over it becomes one reading of the whole table.

    film -> key frames -> cards of each -> joined by the way of the camera -> layout and decoding -> Reading

`read_film` does all of it. A film is many photos whose order is known: they are joined as photos are
(`vision.cards.joining`), but the picture itself says how they lie on each other, not their cards.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards.alike_faces import without_alike_faces
from vision.cards.geometry import Array, project
from vision.cards.joining.join import join
from vision.cards.joining.joined import Joined, View
from vision.cards.joining.picture_ties import SamePoints
from vision.cards.seen_table import SeenTable
from vision.cards.template import Template, common_template
from vision.errors import FilmError
from vision.film.film_file import NO_SWEEP, ChosenFrames, Film, open_film
from vision.film.key_frames import KeyFrame, key_frames
from vision.film.mosaic import draw_mosaic
from vision.film.screen import NO_CARD_ON_SCREEN, SCREEN, ScreenLook, is_recorded_screen
from vision.film.seen_so_far import SURE_READ, SeenSoFar, seen_so_far
from vision.image import RGB, at_most, encode, load, opencv
from vision.photo_quality import index_length
from vision.photo_to_reading import SMALL, cards_of_given, read_joined
from vision.photo_to_table import Counting, Findings, detect_and_read, see_table
from vision.question import Question, QuestionKind
from vision.read_card import Photo, Sight
from vision.reading import Readable, Reading, annotate

BREAKS_OFF_SHARE: Final = 0.9
"""A film of which a smaller share can be read breaks off."""

SHORT_SECONDS: Final = 1.0
"""A film that is shorter went over no table."""

MOST_WAITING: Final = 3
"""So many frames wait to be read at most,"""
WAITING_PIXELS: Final = 9_000_000
"""and fewer if they have more pixels together."""
KEPT_SIDE_PX: Final = 1920
"""Frames in which no face-down cards are counted are kept no larger: a minute of 4K has a hundred of them."""

NEAR_SHARE: Final = 0.6
"""A frame whose indices are smaller than this share of what most frames show is one from far away."""

SPLIT_FACTOR: Final = 1.25
"""A frame that has so many times more cards where others show the same took indices of one card for two cards."""
FEWEST_COMPARED: Final = 8
"""Frames are compared so where both show so many cards."""

SOFT_SHARE: Final = 0.55
"""A frame whose edges are less steep than this share of what most frames show is out of focus,"""
BARE_SHARE: Final = 0.25
"""if it has edges: more than this share of what most frames have. A bare table has none."""
ASIDE_SHARE: Final = 0.3
"""What lies farther away than this share of a frame is said to lie on that side."""

FEWEST_FAR: Final = 2
"""A part of a table is named as seen from afar where so many cards of it were."""
ONE_TIME_SECONDS: Final = 1.0
"""Moments of a film that are no farther apart are named as one time."""
MOST_NAMED: Final = 4
"""Of the nine parts of a table, so many are named at most; more are most of it."""

ALIKE_SHARE: Final = 0.05
"""A card lies at the same place of two frames where it lies no farther apart in them, in shares of their diagonal."""
FEWEST_ALIKE: Final = 4
"""So many cards lie at the same places where it is the same table, at least."""
OF_A_GAME: Final = 'the film of a game is taken by "Whole game"'

Progress = Callable[[float, float, int], None]
"""Is told the time in the film, how long it is (0: unknown), seconds both, and how many cards were read so far."""
Watch = Callable[[SeenSoFar], None]
"""Is told what has been seen so far, each time that a frame was read, by the thread that read it."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmReading:
    """What a film shows.

    Attributes:
        reading: The reading; its photos are the frames that were read.
        picture: The whole table put together from the frames, uint8 (height, width, 3), red first.
        on_picture: The same reading with its cards where they lie in that picture.
    """

    reading: Reading
    picture: RGB
    on_picture: Reading

    @property
    def annotated(self) -> RGB:
        """The picture with the reading drawn on it."""
        return annotate(self.picture, self.on_picture)


@dataclass(frozen=True, slots=True, eq=False)
class _ReadFrame:
    """A key frame that was read. Its picture is kept as JPEG: a long film has many.

    With `is_partial` the table has not all of its cards, only those that no other frame shows whole.
    """

    key: KeyFrame
    picture: bytes
    found: Findings
    table: SeenTable
    look: ScreenLook
    is_partial: bool = False


def read_film(
    path: str | Path,
    *,
    game: str | None = None,
    hand: Iterable[Card | str] | None = None,
    progress: Progress | None = None,
) -> FilmReading:
    """Reads a film of a card table; after Ctrl-C, what was filmed until then.

    Args:
        path: MP4, MOV, AVI or WebM.
        game: The game's word, or `cards`; by default told from the layout.
        hand: The hand's cards, if the film does not show them (Makiaveli).
        progress: Is called now and then.

    Raises:
        FilmError: For a file that cannot be read as a film.
        KeyboardInterrupt: If nothing had been read yet.
    """
    cards = None if hand is None else cards_of_given(hand)
    with open_film(path) as film:
        return read_open_film(film, game=game, hand=cards, progress=progress)


def read_open_film(
    film: Film | ChosenFrames,
    *,
    game: str | None = None,
    hand: Sequence[Card] | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> FilmReading:
    """Reads a film that is open, or frames that were chosen from one; otherwise as `read_film`."""
    start = time.perf_counter()
    frames, notes = _read_frames(film, progress, watch)
    if not frames:
        raise FilmError(film.name, "no picture in it that can be read; expected a film of a card table")
    filmed = time.perf_counter()
    is_screen = is_recorded_screen([frame.look for frame in frames])
    frames = _of_one_deck(frames)
    telling = _telling_frames(frames)
    shown, lost = _without_lost(telling)
    changed = _changed_at_rest(telling)
    if changed:
        notes.append(f"the table changes {_name_times(changed)} while the camera rests: {OF_A_GAME}")
    if too_fast := [seconds for seconds in lost if seconds not in changed]:
        notes.append(f"the camera was too fast {_name_times(too_fast)}: what it passed there may be missing")
    if not shown:
        shown = frames[:1]
        nothing = "no card was seen in the film: film open cards from near, in good light"
        notes.append(NO_CARD_ON_SCREEN if is_screen else nothing)
    elif is_screen:
        notes.insert(0, SCREEN)
    tables = without_alike_faces([frame.table for frame in shown])
    findings = [frame.found for frame in shown]
    names = [f"{Path(film.name).name} at {frame.key.seconds:.1f} s" for frame in shown]
    if len(shown) == 1:
        joined = Joined.of_one(tables[0])
    else:
        partial = [number for number, frame in enumerate(shown) if frame.is_partial]
        joined = replace(join(tables, names, same_points=_same_points(frames, shown), partial=partial), loose=())
    times = {"film": filmed - start, "join": time.perf_counter() - filmed}
    reading = read_joined(joined, tables, findings, game, names=names, hand=hand, times=times)
    places = [
        *_note_fast_places(shown, joined),
        *_note_far_places(shown, joined),
        *_note_out_of_focus([frame.key for frame in frames]),
    ]
    checks = tuple(_ask_once_about_frames(reading.checks, [frame.key for frame in shown]))
    readable = _readable(film, reading.readable)
    reading = replace(reading, readable=readable, notes=(*reading.notes, *notes, *places), checks=checks)
    picture, to_picture = draw_mosaic([frame.picture for frame in shown], tables, joined)
    return FilmReading(reading, picture, _on_mosaic(picture, reading, to_picture))


def _readable(film: Film | ChosenFrames, by_cards: Readable) -> Readable:
    """Whether what a film shows is enough: however well its cards are read, a moment is no sweep over a table."""
    seconds = film.seconds or film.last_seconds
    if not 0 < seconds < SHORT_SECONDS:
        return by_cards
    short = f"this film is only {seconds:.1f} s long; {NO_SWEEP}"
    return Readable(False, (short, *by_cards.reasons))


def _read_frames(
    film: Film | ChosenFrames, progress: Progress | None, watch: Watch | None
) -> tuple[list[_ReadFrame], list[str]]:
    """The key frames of a film, each read while the film goes on, and notes about the film."""
    waiting: list[Future[_ReadFrame]] = []
    notes: list[str] = []
    seconds = 0.0
    with ThreadPoolExecutor(1) as reader:
        try:
            for key in key_frames(film):
                seconds = key.seconds
                waiting.append(reader.submit(_read_frame, key))
                if watch is not None:
                    waiting[-1].add_done_callback(partial(_tell_seen, watch, waiting))
                room = _room_for_waiting(key.size)
                if len(waiting) > room:
                    waiting[-room - 1].result()
                if progress is not None:
                    progress(seconds, film.seconds, _count_cards([w.result() for w in waiting if w.done()]))
            if film.seconds and film.last_seconds < BREAKS_OFF_SHARE * film.seconds:
                notes.append(f"the film breaks off after {film.last_seconds:.1f} s of {film.seconds:.1f} s")
        except KeyboardInterrupt:
            for job in waiting:
                job.cancel()
            waiting = [job for job in waiting if not job.cancelled()]
            if not waiting:
                raise
            notes.append(f"stopped at {seconds:.1f} s of the film: what comes after it was not read")
        return [job.result() for job in waiting], notes


def _room_for_waiting(size: tuple[int, int]) -> int:
    """How many frames of a size, px, may wait to be read: whole ones fill memory."""
    return int(np.clip(WAITING_PIXELS // (size[0] * size[1]), 1, MOST_WAITING))


def _read_frame(key: KeyFrame) -> _ReadFrame:
    found = detect_and_read(key.image)
    table = see_table(found)
    picture = encode(key.image if table.backs else at_most(key.image, KEPT_SIDE_PX))
    # Pixels would fill memory: 25 MB a frame. In a frame without backs nobody will count face-down cards.
    table = replace(table, count_backs=Counting(picture) if table.backs else None)
    look = ScreenLook.of(key.image)
    return _ReadFrame(replace(key, image=key.image[:0].copy()), picture, replace(found, image=None), table, look)


def _of_one_deck(frames: Sequence[_ReadFrame]) -> list[_ReadFrame]:
    """The frames; those are seen anew that take the deck for one whose indices lie elsewhere on a card.

    In a frame of which few cards show both indices, a chance pair may tell where these lie. Then all of its cards are
    laid half a card beside their places, and some are joined to others.
    """
    template = common_template([frame.table.template for frame in frames if frame.table.cards])
    if template is None:
        return list(frames)
    return [
        frame if not frame.table.cards or template.agrees(frame.table.template) else _see_again(frame, template)
        for frame in frames
    ]


def _see_again(frame: _ReadFrame, template: Template) -> _ReadFrame:
    """A frame with its cards laid as those of a deck with that template."""
    image = load(frame.picture)
    if image.shape[1::-1] != frame.found.size:
        image = np.asarray(opencv().resize(image, frame.found.size), np.uint8)
    table = see_table(replace(frame.found, image=image), template)
    return replace(frame, table=replace(table, count_backs=frame.table.count_backs))


def _tell_seen(watch: Watch, jobs: Sequence[Future[_ReadFrame]], _: Future[_ReadFrame]) -> None:
    """Tells what all frames show that have been read."""
    read = [job.result() for job in tuple(jobs) if job.done() and not job.cancelled() and job.exception() is None]
    if read:
        index_px = index_length(read[-1].table, read[-1].found.detections)
        watch(seen_so_far([frame.key for frame in read], [frame.table for frame in read], index_px))


def _count_cards(frames: Sequence[_ReadFrame]) -> int:
    """How many cards were surely read so far; of two equal ones, one until a frame shows both."""
    seen: Counter[Card] = Counter()
    for frame in frames:
        seen |= Counter(card.best for card in frame.table.cards if np.exp(card.log_card.max()) > SURE_READ)
    return seen.total()


def _telling_frames(frames: Sequence[_ReadFrame]) -> list[_ReadFrame]:
    """The frames that show cards. Of poor ones only the cards count that no other frame shows whole.

    Poor are those from far away, and those in which the indices of one card were taken for two cards.
    """
    shown = [frame for frame in frames if frame.table.cards]
    lengths = [index_length(frame.table, frame.found.detections) or 0.0 for frame in shown]
    near = NEAR_SHARE * float(np.percentile(lengths, 75)) if shown else 0.0
    good = [length >= near and not _is_split(frame, shown) for frame, length in zip(shown, lengths, strict=True)]
    told = [frame for frame, is_good in zip(shown, good, strict=True) if is_good]
    kept = [frame if is_good else _only_alone(frame, told) for frame, is_good in zip(shown, good, strict=True)]
    return [frame for frame in kept if frame.table.cards]


def _without_lost(frames: Sequence[_ReadFrame]) -> tuple[list[_ReadFrame], list[float]]:
    """The frames without those that the camera rushed over so that nothing ties them, and when these were, seconds."""
    lost = [frame for frame in frames if np.isinf(frame.key.speed)]
    kept = [frame for frame in frames if not np.isinf(frame.key.speed)]
    return (kept, [frame.key.seconds for frame in lost]) if kept else (list(frames), [])


def _changed_at_rest(frames: Sequence[_ReadFrame]) -> list[float]:
    """When a frame that nothing ties to the one before shows most of its cards where that has them, in seconds."""
    return [
        late.key.seconds for early, late in pairwise(frames) if np.isinf(late.key.speed) and _lie_alike(early, late)
    ]


def _lie_alike(one: _ReadFrame, other: _ReadFrame) -> bool:
    """Whether two frames have most of their cards at the same places of the picture."""
    here, there = (
        {card.best: middle for card, middle in zip(frame.table.cards, _middles(frame), strict=True)}
        for frame in (one, other)
    )
    far = [float(np.linalg.norm(here[card] - there[card])) for card in here.keys() & there.keys()]
    alike = sum(distance < ALIKE_SHARE * np.hypot(*one.table.size) for distance in far)
    return bool(alike >= FEWEST_ALIKE and 2 * alike > max(len(here), len(there)))


def _name_times(seconds: Sequence[float]) -> str:
    """Times of a film in words; those that follow each other are one.

    >>> _name_times([3.0]), _name_times([3.0, 3.4, 3.9, 12.0])
    ('at 3.0 s', 'from 3.0 to 3.9 s and at 12.0 s')
    """
    spans: list[list[float]] = []
    for moment in sorted(seconds):
        if spans and moment - spans[-1][-1] <= ONE_TIME_SECONDS:
            spans[-1].append(moment)
        else:
            spans.append([moment])
    said = [
        f"at {span[0]:.1f} s" if f"{span[0]:.1f}" == f"{span[-1]:.1f}" else f"from {span[0]:.1f} to {span[-1]:.1f} s"
        for span in spans
    ]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _is_split(frame: _ReadFrame, others: Sequence[_ReadFrame]) -> bool:
    """Whether a frame has more cards than others have where both show the same."""
    factors = []
    for other in others:
        if other is not frame and other.key.run == frame.key.run:
            own, theirs = _count_common(frame, other), _count_common(other, frame)
            if min(own, theirs) >= FEWEST_COMPARED:
                factors.append(own / theirs)
    return bool(factors) and float(np.median(factors)) > SPLIT_FACTOR


def _count_common(frame: _ReadFrame, other: _ReadFrame) -> int:
    """How many cards of a frame lie where another one shows the table too."""
    there = project(np.linalg.inv(other.key.to_run) @ frame.key.to_run, _middles(frame))
    return int(((there > 0) & (there < other.table.size)).all(1).sum())


def _middles(frame: _ReadFrame) -> Array:
    """(n, 2) the middles of a frame's cards, px."""
    return np.array([card.quad.mean(0) for card in frame.table.cards])


def _only_alone(frame: _ReadFrame, others: Sequence[_ReadFrame]) -> _ReadFrame:
    """A frame with those of its cards that no other shows whole."""
    cards = frame.table.cards
    quads = np.array([card.quad for card in cards])
    alone = np.ones(len(cards), np.bool_)
    for other in others:
        if other.key.run == frame.key.run:
            there = project(np.linalg.inv(other.key.to_run) @ frame.key.to_run, quads.reshape(-1, 2)).reshape(-1, 4, 2)
            alone &= ((there < 0) | (there > other.table.size)).any((1, 2))
    kept = [card for card, is_kept in zip(cards, alone, strict=True) if is_kept]
    dropped = [row for card, is_kept in zip(cards, alone, strict=True) if not is_kept for row in card.indices]
    rejected = (*frame.table.rejected, *dropped)
    return replace(frame, table=replace(frame.table, cards=tuple(kept), rejected=rejected), is_partial=True)


def _same_points(frames: Sequence[_ReadFrame], shown: Sequence[_ReadFrame]) -> SamePoints:
    """The points that two frames with cards show both.

    Where frames without cards lie between two, the way of the camera leads over them.
    """
    keys = [frame.key for frame in shown]
    place = {number: keys.index(frame.key) for number, frame in enumerate(frames) if frame.key in keys}
    found: dict[tuple[int, int], tuple[Array, Array]] = {}
    for number, frame in enumerate(frames):
        for other, both in frame.key.ties.items():
            if number in place and other in place:
                found[place[other], place[number]] = both
    for here, (before, after) in enumerate(pairwise(shown)):
        if before.key.run == after.key.run and not any(late == here + 1 for _, late in found):
            width, height = before.table.size
            grid = np.stack(np.meshgrid(np.linspace(0, width, 5), np.linspace(0, height, 5)), -1).reshape(-1, 2)
            way = np.linalg.inv(after.key.to_run) @ before.key.to_run
            found[here, here + 1] = grid, project(way, grid)
    return found


def _ask_once_about_frames(checks: Sequence[Question], keys: Sequence[KeyFrame]) -> list[Question]:
    """The questions, with a single one about all frames that do not join, and one about all that few cards tie.

    A question with choices stays by itself: it is about cards that were moved.
    """
    told = {
        QuestionKind.APART: "nothing ties the frames at {} s to the others: cards may be missing; please film again",
        QuestionKind.PHOTOS: "few cards tie the frames at {} s: please check that no card is there twice or left out",
    }

    def is_of(check: Question, kind: QuestionKind) -> bool:
        return check.kind is kind and bool(check.photos) and not check.choices

    asked = [check for check in checks if not any(is_of(check, kind) for kind in told)]
    for kind, text in told.items():
        own = [check for check in checks if is_of(check, kind)]
        if len(own) > 1:
            photos = tuple(sorted({number for check in own for number in check.photos}))
            when = ", ".join(f"{keys[number].seconds:.1f}" for number in photos)
            own = [Question(kind, text.format(when), photos=photos)]
        asked += own
    return asked


def _note_fast_places(shown: Sequence[_ReadFrame], joined: Joined) -> list[str]:
    """Where the camera was never slow enough."""
    width, height = joined.table.size
    sharp = np.zeros((3, 3), np.bool_)
    blurred = np.zeros((3, 3), np.bool_)
    for frame, to_map in zip(shown, joined.to_map, strict=True):
        if to_map is None:
            continue
        inner = np.array([[x, y] for x in (0.2, 0.5, 0.8) for y in (0.2, 0.5, 0.8)]) * frame.table.size
        at = project(to_map, inner) / (width, height)
        for x, y in at[((at > 0) & (at < 1)).all(1)]:
            (blurred if frame.key.is_blurred else sharp)[int(3 * y), int(3 * x)] = True
    lost = _name_parts(blurred & ~sharp)
    return [f"the camera was too fast over {lost} of the table: film it again more slowly"] if lost else []


def _name_parts(which: NDArray[np.bool_]) -> str:
    """The parts (3, 3) of a table in words, the upper left one first; nothing for none."""
    rows, columns = ("upper", "middle", "lower"), ("left", "middle", "right")
    places = [" ".join(dict.fromkeys((rows[y], columns[x]))) for y, x in np.argwhere(which).tolist()]
    if len(places) > MOST_NAMED:
        return "most"
    return f"the {', '.join(places)}" if places else ""


def _note_far_places(shown: Sequence[_ReadFrame], joined: Joined) -> list[str]:
    """Where most cards were only seen from afar, if most of the table was seen from nearer."""
    lengths = np.array([_longest_index(views, shown) for views in joined.sights])
    if not len(lengths) or float(np.median(lengths)) < SMALL:
        return []  # the whole table is too small, and that is said
    at = np.array([card.quad.mean(0) for card in joined.table.cards]) / joined.table.size
    part = np.clip((3 * at).astype(int), 0, 2)
    far, near = (np.zeros((3, 3), np.intp) for _ in range(2))
    for (x, y), length in zip(part.tolist(), lengths.tolist(), strict=True):
        (far if length < SMALL else near)[y, x] += 1
    lost = _name_parts((far >= FEWEST_FAR) & (far > near))
    return [f"{lost} of the table was only seen from afar: film it once more from nearer"] if lost else []


def _longest_index(views: Sequence[View], shown: Sequence[_ReadFrame]) -> float:
    """How long the indices of a card are in the frame that shows them largest, px; infinite where none is known."""
    found = [(shown[photo].found.detections, shown[photo].table.cards[row].indices) for photo, row in views]
    lengths = [float(np.linalg.norm(seen.suit_xy[n] - seen.rank_xy[n])) for seen, rows in found for n in rows]
    return max(lengths, default=np.inf)


def _note_out_of_focus(keys: Sequence[KeyFrame]) -> list[str]:
    """What the film shows only out of focus: when, and on which side of what it shows sharply."""
    if not keys:
        return []
    usual = float(np.percentile([key.sharpness for key in keys], 75))
    edges = float(np.percentile([key.contrast for key in keys], 75))
    soft = [key.sharpness < SOFT_SHARE * usual and key.contrast > BARE_SHARE * edges for key in keys]
    sharp = [key for key, is_soft in zip(keys, soft, strict=True) if not is_soft]
    lost = [key for key, is_soft in zip(keys, soft, strict=True) if is_soft and not _is_seen(key, sharp)]
    if not lost:
        return []
    seconds = sorted(key.seconds for key in lost)
    side = _side_of(lost, [key for key in sharp if key.run == lost[0].run])
    when = f"at {seconds[0]:.1f} s" if len(lost) == 1 else f"between {seconds[0]:.1f} and {seconds[-1]:.1f} s"
    return [f"the picture was out of focus {when}{side}: cards there may be missing; film that part again"]


def _middle_of(key: KeyFrame) -> Array:
    """(2,) the middle of a key frame where its run begins, px."""
    width, height = key.size
    return project(key.to_run, np.array([width / 2, height / 2]))


def _is_seen(key: KeyFrame, others: Sequence[KeyFrame]) -> bool:
    """Whether others of its run show the middle of a key frame."""
    backs = (np.asarray(np.linalg.inv(other.to_run), np.float64) for other in others if other.run == key.run)
    return any(bool(((at := project(back, _middle_of(key))) > 0).all() and (at < key.size).all()) for back in backs)


def _side_of(keys: Sequence[KeyFrame], others: Sequence[KeyFrame]) -> str:
    """On which side of others key frames lie, in words; nothing where that is not plain."""
    if not others:
        return ""
    away = np.mean([_middle_of(key) for key in keys], 0) - np.mean([_middle_of(key) for key in others], 0)
    x, y = away / keys[0].size
    if max(abs(x), abs(y)) < ASIDE_SHARE:
        return ""
    return f", {('on the left', 'on the right')[int(x > 0)] if abs(x) > abs(y) else ('above', 'below')[int(y > 0)]}"


def _on_mosaic(picture: RGB, reading: Reading, to_picture: Sequence[Array | None]) -> Reading:
    """The reading with everything where the picture of the whole table shows it, from the best frame of each."""

    def on_picture(sights: Sequence[Sight]) -> tuple[Sight, ...]:
        for sight in sights:
            matrix = to_picture[sight.photo]
            if matrix is not None:
                a, b, c, d = ((x, y) for x, y in project(matrix, np.array(sight.quad)).tolist())
                return (Sight(0, (a, b, c, d)),)
        return ()

    height, width = picture.shape[:2]
    cards = tuple(replace(card, sights=on_picture(card.sights)) for card in reading.cards)
    backs = tuple(replace(back, sights=on_picture(back.sights)) for back in reading.backs)
    checks = tuple(replace(check, sights=on_picture(check.sights), photos=()) for check in reading.checks)
    whole = (Photo("the whole table", width, height),)
    return replace(reading, photos=whole, cards=cards, backs=backs, checks=checks)
