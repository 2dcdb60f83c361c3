"""Asks about melds and hands that the edge of every picture cuts: nothing misses a card that lies beyond it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from solver.place import Place
from vision.cards.geometry import Array, project
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadBack, ReadCard

ROWS: Final = ("floor", "hand")
"""Kinds of places where cards lie in a row."""
CUT_DOUBT: Final = 0.3
"""Probability that a row goes on beyond the edge of a picture that cuts its last card; above all it must be asked."""


def ask_about_cut_melds(
    cards: Sequence[ReadCard], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> list[Question]:
    """A question about each end of a row that no picture shows.

    Args:
        cards: What was read.
        photos: The pictures.
        to_map: For each of the first pictures the 3x3 homography from its pixels to one map; None where it has none.
    """
    places: dict[Place, list[int]] = {}
    for number, card in enumerate(cards):
        if card.place.kind in ROWS and quad_on_map(card, to_map) is not None:
            places.setdefault(card.place, []).append(number)
    return [
        Question(
            QuestionKind.UNREAD,
            f"the picture ends at {cards[number].text}: does a card lie beyond it?",
            place,
            cards=(number,),
            doubt=CUT_DOUBT,
            sights=tuple(sight.outline for sight in cards[number].sights[:1]),
        )
        for place, numbers in places.items()
        for number in _cut_cards(cards, numbers, photos, to_map)
    ]


def _cut_cards(
    cards: Sequence[ReadCard], numbers: Sequence[int], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> list[int]:
    """The cards of a row beyond which no picture looks: its ends, and those of which a whole side is in no picture.

    A card of another row that begins at a picture's edge may be taken into this one, and is no end of it.
    """
    ends = set(_cut_ends(cards, numbers, photos, to_map)) if len(numbers) > 1 else set()
    return [n for n in numbers if n in ends or _has_cut_side(cards[n], photos, to_map)]


def _has_cut_side(card: ReadCard, photos: Sequence[Photo], to_map: Sequence[Array | None]) -> bool:
    """Whether no picture shows either corner of one of a card's long sides, beside which the next card would lie."""
    quad = quad_on_map(card, to_map)
    assert quad is not None, "only cards on the map are asked for"
    sides = [quad[[k, (k + 1) % 4]] for k in range(4)]
    lengths = [float(np.hypot(*(side[1] - side[0]))) for side in sides]
    long_sides = sides[::2] if lengths[0] + lengths[2] > lengths[1] + lengths[3] else sides[1::2]
    return any(
        not any(is_shown(side, photo, own) for photo, own in zip(photos, to_map, strict=False)) for side in long_sides
    )


def _cut_ends(
    cards: Sequence[ReadCard], numbers: Sequence[int], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> Iterator[int]:
    """Which end cards of a row no picture shows to a corner of their far edge."""
    quads = np.array([quad_on_map(cards[number], to_map) for number in numbers])
    middles = quads.mean(1)
    line = np.linalg.svd(middles - middles.mean(0))[2][0]
    order = (middles @ line).argsort()
    for end, before in ((order[0], order[1]), (order[-1], order[-2])):
        step = middles[end] - middles[before]
        far = quads[end][(quads[end] @ step).argsort()[2:]]
        if not any(is_shown(far, photo, own) for photo, own in zip(photos, to_map, strict=False)):
            yield numbers[int(end)]


def quad_on_map(card: ReadCard | ReadBack, to_map: Sequence[Array | None]) -> Array | None:
    """(4, 2) a card's outline on the map, from its best sight; None where that is in no picture of the map."""
    if not card.sights or card.sights[0].photo >= len(to_map):
        return None
    own = to_map[card.sights[0].photo]
    return None if own is None else project(own, np.array(card.sights[0].quad))


def is_shown(points: Array, photo: Photo, to_map: Array | None) -> bool:
    """Whether a picture shows one of some points (n, 2) of the map; one without a homography shows none."""
    if to_map is None:
        return False
    at = project(np.asarray(np.linalg.inv(to_map), np.float64), points)
    return bool(((at > 0) & (at < (photo.width, photo.height))).all(1).any())
