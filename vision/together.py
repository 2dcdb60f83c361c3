"""Several photos of one table, read as one.

    photos -> look at each (side by side) -> assembly -> vision.cards.joining -> layout and decode -> Together

A photo that joins no other because it shows only the hand is taken for the hand.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plumbing.errors import CardsError
from solver.cards import Card
from solver.games import GAMES
from vision.cards.assembly import Table
from vision.cards.geometry import project
from vision.cards.joining import MOST_PHOTOS, Joined, join, stacked_rows
from vision.image import RGB
from vision.layout.neighbours import card_gaps, groups
from vision.networks.outputs import Backs, Detections, Reads
from vision.reading import (
    AUTO,
    ReadBack,
    ReadCard,
    Reading,
    box_of,
    detect_and_read,
    hand_of,
    indices_json,
    points_of,
    read_table,
    see_table,
)

MOST_HELD: Final = 20
"""More cards than this are no hand."""
ONE_ROW: Final = 0.8
"""Cards of a hand lie no farther apart than this, card widths."""

Findings = tuple[Detections, Backs, Reads, Mapping[str, float]]


class TogetherError(CardsError):
    """Photos that cannot be read together."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A card as one photo shows it: the photo, counted from 0, and `quad`, `indices` and `points` as in `ReadCard`."""

    photo: int
    quad: NDArray[np.float64]
    indices: tuple[tuple[float, float, float, float], ...]
    points: tuple[tuple[float, float, float, float], ...]

    def of(self, card: ReadCard) -> ReadCard:
        """The card as this photo shows it."""
        return replace(card, quad=self.quad, indices=self.indices, points=self.points)


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """What several photos show of one table.

    Attributes:
        reading: The table. Its cards' corners and boxes are px of the photo that shows each best, `sights[n][0].photo`.
        photos: The same reading as each photo shows it: the same cards in the same order, without corners and boxes
            where the photo does not show them. `vision.annotate` draws it.
        sights: For each card of the reading where photos show it, the best one first; empty where it was inferred.
        apart: Number of each photo that does not join, and why.
        hand_photo: Number of the photo that shows only the hand, None where none does.
        back_photos: For each back of the reading the photo that its corners are px of.
    """

    reading: Reading
    photos: tuple[Reading, ...]
    sights: tuple[tuple[Sight, ...], ...]
    apart: Mapping[int, str] = field(default_factory=dict)
    hand_photo: int | None = None
    back_photos: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The reading's object, with the photos, and for each card the photo that its numbers belong to."""
        body = self.reading.to_json()
        body.pop("image")
        body["photos"] = [
            {"width": photo.width, "height": photo.height, "joined": number not in self.apart}
            | ({"why": self.apart[number]} if number in self.apart else {})
            | ({"hand": True} if number == self.hand_photo else {})
            for number, photo in enumerate(self.photos)
        ]
        for card, sights in zip(body["cards"], self.sights, strict=True):
            card["photo"] = sights[0].photo if sights else None
            card["also"] = [
                {
                    "photo": sight.photo,
                    "quad": np.round(sight.quad, 1).tolist(),
                    "indices": indices_json(sight.indices, sight.points),
                }
                for sight in sights[1:]
            ]
        for back, photo in zip(body["backs"], self.back_photos, strict=True):
            back["photo"] = photo
        return body


def read_together(
    images: Sequence[RGB],
    game: str = AUTO,
    *,
    names: Sequence[str] | None = None,
    hand: Sequence[Card] | str | None = None,
    hand_photo: RGB | None = None,
    decoding: bool = True,
    workers: int | None = None,
) -> Together:
    """Reads photos that show parts of one table, in any order and turn.

    Args:
        images: uint8 (height, width, 3) each, red first, upright; one to `MOST_PHOTOS`.
        game: The game's word, or `auto` to tell it from the layout.
        names: What the photos are called where one of them is named; "photo 1" and so on by default.
        hand: The hand's cards, where no photo shows them (Makiaveli).
        hand_photo: A further photo, which shows only the hand.
        decoding: Weigh the reads with the game's rules.
        workers: Photos read side by side; by default as many as there are cores.

    Raises:
        TogetherError: For no photo or too many.
        NotationError: For an unknown game or a hand that cannot be read.
    """
    if not 1 <= len(images) <= MOST_PHOTOS:
        raise TogetherError(f"{len(images)} photos of one table; expected 1 to {MOST_PHOTOS}")
    every = [*images, *([] if hand_photo is None else [hand_photo])]
    start = time.perf_counter()
    with ThreadPoolExecutor(workers or min(len(every), os.cpu_count() or 1)) as pool:
        findings = list(pool.map(detect_and_read, every))
    seconds = time.perf_counter() - start
    called = list(names) if names is not None else [f"photo {n + 1}" for n in range(len(every))]
    return read_findings(
        findings, [(image.shape[1], image.shape[0]) for image in every], game, names=called, hand=hand,
        hand_photo=None if hand_photo is None else len(images), decoding=decoding, images=every,
        times={"look": seconds},
    )  # fmt: skip


def read_findings(
    findings: Sequence[Findings],
    sizes: Sequence[tuple[int, int]],
    game: str = AUTO,
    *,
    names: Sequence[str],
    hand: Sequence[Card] | str | None = None,
    hand_photo: int | None = None,
    decoding: bool = True,
    images: Sequence[RGB] = (),
    times: Mapping[str, float] | None = None,
) -> Together:
    """`read_together` from what the networks said of each photo.

    Args:
        findings: What `vision.reading.detect_and_read` gives of each photo.
        sizes: Width and height of each, px.
        game: The game's word or `auto`.
        names: What each photo is called.
        hand: The hand's cards, where no photo shows them.
        hand_photo: Number of the photo that shows only the hand, the last one; None where any may.
        decoding: Weigh the reads with the game's rules.
        images: The photos themselves, by which faces are read and face-down cards counted; none where there are none.
        times: Seconds of the stages before.
    """
    start = time.perf_counter()
    photos: Sequence[RGB | None] = images or [None] * len(sizes)
    tables = [see_table(*found[:3], size, photo) for found, size, photo in zip(findings, sizes, photos, strict=True)]
    seen = time.perf_counter()
    joined = join(tables[:hand_photo], names[:hand_photo])
    stages = dict(times or {}) | {"see": seen - start, "join": time.perf_counter() - seen}
    every = [detections for detections, *_ in findings]
    found = _stacked(every[: len(tables[:hand_photo])], tables[:hand_photo])
    apart = dict(joined.apart)

    def read(joined: Joined, cards: Sequence[Card] | str | None) -> Reading:
        return read_table(joined.table, found, game, hand=cards, decoding=decoding, times=stages)

    shown = hand if hand_photo is None else hand_of(tables[hand_photo])
    joined, reading, checks = _tell_apart(joined, tables[:hand_photo], names, lambda joined: read(joined, shown))
    if hand_photo is None and hand is None and _takes_hand(reading.game, reading.likeliest):
        may_be = [n for n in joined.apart if _is_hand(tables[n])]
        hand_photo, reading, said = _find_hand(reading, tables, may_be, names, lambda cards: read(joined, cards))
        checks += said
        apart = {number: why for number, why in apart.items() if number != hand_photo}
    reading = replace(reading, checks=(*reading.checks, *checks, *apart.values()))
    return _locate_cards(reading, joined, tables, every, apart, hand_photo, given=hand is None)


def _tell_apart(
    joined: Joined, tables: Sequence[Table], names: Sequence[str], read: Callable[[Joined], Reading]
) -> tuple[Joined, Reading, list[str]]:
    """The joined photos, their reading and what a person should check.

    In a tight fan each photo may miss another card, and the two that are left may be taken for one. They are told apart
    where the reading then breaks fewer rules and finds two different cards.
    """
    reading = read(joined)
    for views in joined.loose if reading.problems else ():
        rival = join(tables, names[: len(tables)], [views])
        other = read(rival)
        cards = {view: card.text for card in other.cards if card.seen is not None for view in rival.sights[card.seen]}
        found = [(photo, cards.get((photo, row), "")) for photo, row in sorted(views)]
        if len(other.problems) < len(reading.problems) and len({card for _, card in found}) > 1:
            named = " and ".join(f"{card} in {names[photo]}" for photo, card in found)
            return rival, other, [*rival.checks, f"{named} lie close together: please check that these are two cards"]
    return joined, reading, list(joined.checks)


def _find_hand(
    reading: Reading,
    tables: Sequence[Table],
    may_be: Sequence[int],
    names: Sequence[str],
    read: Callable[[Sequence[Card]], Reading],
) -> tuple[int | None, Reading, list[str]]:
    """The photo of the hand among those that `may_be` it, the reading with that hand, and what a person should check.

    It shows the hand on the table again, or its cards as the hand leave no more in doubt than there was.
    """
    shown = Counter(card.card for card in reading.cards if card.zone == "hand" and card.card is not None)
    for number in may_be:
        cards = hand_of(tables[number])
        own = Counter(cards)
        if (own & shown).total() * 2 >= shown.total() > 0:  # the hand again: held up, and on the table too
            said = f"{names[number]} shows the hand as {' '.join(map(str, cards))}: please check it"
            return number, reading, [] if own == shown else [said]
        other = read(cards)
        if not shown or _count_open(other) <= _count_open(reading):
            return number, other, _meld_check(tables[number], names[number])
    return None, reading, []


def _count_open(reading: Reading) -> int:
    """How much of a reading is put to a person."""
    return len(reading.doubtful) + len(reading.checks) + len(reading.problems)


def _stacked(detections: Sequence[Detections], tables: Sequence[Table]) -> Detections:
    """The detections of all photos one behind the other, as the joined cards count them."""
    starts = stacked_rows(tables)
    assert all(b - a == len(d) for (a, b), d in zip(pairwise(starts), detections, strict=False)), "every row is used"
    names = ("boxes", "confidence", "rank_xy", "suit_xy")
    return Detections(*(np.concatenate([getattr(d, name) for d in detections]) for name in names))


def _takes_hand(*games: str | None) -> bool:
    """Whether one of the games is about a hand."""
    return any(game in GAMES and GAMES[game].takes_hand for game in games if game is not None)


def _is_hand(table: Table) -> bool:
    """Whether a photo may show nothing but a hand: one row or fan, no card face down."""
    if not 0 < len(table.cards) <= MOST_HELD or table.backs:
        return False
    return len(groups(card_gaps(table) < ONE_ROW)) == 1


def _meld_check(table: Table, name: str) -> list[str]:
    from solver.makiaveli.melds import is_meld  # its package compiles kernels: imported when a table is read

    cards = hand_of(table)
    if len(cards) < 3 or not is_meld(list(cards)):
        return []
    return [f"{name} shows only {' '.join(map(str, cards))}, a meld, taken for the hand: please check it"]


def _locate_cards(
    reading: Reading,
    joined: Joined,
    tables: Sequence[Table],
    found: Sequence[Detections],
    apart: Mapping[int, str],
    hand_photo: int | None,
    *,
    given: bool,
) -> Together:
    """The reading with every card where photos show it."""
    sights = [
        () if card.seen is None else tuple(_sight(tables, found, *view) for view in _one_each(joined.sights[card.seen]))
        for card in reading.cards
    ]
    cards = list(reading.cards)
    if hand_photo is not None and given and all(card.zone != "hand" for card in cards):
        for row in tables[hand_photo].from_left:
            card = tables[hand_photo].cards[row]
            cards.append(ReadCard(card.best, *card.belief(), "hand", card.quad))
            sights.append((_sight(tables, found, hand_photo, row),))
    best = [own[0].of(card) if own else card for card, own in zip(cards, sights, strict=True)]
    photos = [_in_photo(reading, joined, n, table, cards, sights) for n, table in enumerate(tables)]
    first = photos[0]
    backs = tuple(
        replace(back, quad=tables[photo].backs[row].quad)
        for back, (photo, row) in zip(reading.backs, joined.back_sights, strict=True)
    )
    whole = replace(reading, width=first.width, height=first.height, cards=tuple(best), backs=backs)
    back_photos = tuple(photo for photo, _ in joined.back_sights)
    return Together(whole, tuple(photos), tuple(sights), apart, hand_photo, back_photos)


def _sight(tables: Sequence[Table], found: Sequence[Detections], photo: int, row: int) -> Sight:
    """A card as a photo shows it, the card of that row."""
    card, own = tables[photo].cards[row], found[photo]
    boxes = tuple(box_of(own, k) for k in card.indices)
    return Sight(photo, card.quad, boxes, tuple(points_of(own, k) for k in card.indices))


def _in_photo(
    reading: Reading,
    joined: Joined,
    photo: int,
    table: Table,
    cards: Sequence[ReadCard],
    sights: Sequence[tuple[Sight, ...]],
) -> Reading:
    """The reading with every card where one of the photos shows it."""
    here = []
    for card, own in zip(cards, sights, strict=True):
        sight = next((sight for sight in own if sight.photo == photo), None)
        here.append(replace(card, quad=None, indices=(), points=()) if sight is None else sight.of(card))
    width, height = table.size
    backs = _backs_in(reading, joined, photo, table)
    return replace(reading, width=width, height=height, cards=tuple(here), backs=backs)


def _one_each(views: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """One view of a card in each photo: a photo may have taken its two ends for two cards."""
    found: dict[int, int] = {}
    for photo, row in views:
        found.setdefault(photo, row)
    return list(found.items())


def _backs_in(reading: Reading, joined: Joined, photo: int, table: Table) -> tuple[ReadBack, ...]:
    """The reading's backs that lie in a photo, there."""
    to_map = joined.to_map[photo] if photo < len(joined.to_map) else None
    if to_map is None:
        return ()
    found = []
    back_of = np.linalg.inv(to_map)
    for back in reading.backs:
        quad = project(np.asarray(back_of, np.float64), back.quad)
        middle = quad.mean(0)
        depth = np.c_[back.quad, np.ones(4)] @ back_of[2]
        if (depth * depth[0] > 0).all() and ((middle > 0) & (middle < np.array(table.size))).all():
            found.append(replace(back, quad=quad))
    return tuple(found)
