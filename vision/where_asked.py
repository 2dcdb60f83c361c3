"""Where the photos of a reading show what a question is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from solver.place import Place
from vision.question import Question, QuestionKind
from vision.read_card import Box, Point, Quad, ReadBack, ReadCard, Sight
from vision.reading import Reading

BEYOND_SHARE: Final = 0.2
"""So much of a card is shown beyond where piles seem to begin,"""
MISSED_SHARE: Final = 0.5
"""and beyond the lowest back that was found at the most: there is room for those that were missed."""
OPEN_SHARE: Final = 0.25
"""So much of a pile's first open card is shown below its backs."""
BESIDE_SHARE: Final = 0.1
"""So much of a card is shown beside a pile."""


def sights_of(question: Question, reading: Reading) -> Iterator[tuple[Sight, bool]]:
    """Where the photos show what a question is about, and whether that is the back of a card."""
    if question.sights:
        yield from ((sight, False) for sight in question.sights)
    elif question.cards:
        yield from ((sight, False) for number in question.cards for sight in reading.cards[number].sights)
    elif question.place is not None and question.kind is QuestionKind.HIDDEN:
        yield from ((back.sights[0], True) for back in reading.backs if back.place == question.place)
        yield from ((card.sights[0], False) for card in reading.cards if card.place == question.place and card.sights)


def start_of_pile(question: Question, sights: Sequence[Sight], reading: Reading) -> Quad:
    """The lowest card that was found of a pile, put where the piles beside it begin: they all begin about on one line.

    It is put a little beyond, since the lowest cards of all piles may have been missed.
    """
    photo, kind = sights[0].photo, question.place.kind if question.place else ""
    piles: dict[Place, tuple[list[Sight], list[Sight]]] = {}
    things: tuple[ReadBack | ReadCard, ...] = (*reading.backs, *reading.cards)
    for thing in things:
        if thing.place.kind == kind:
            seen = [sight for sight in thing.sights if sight.photo == photo]
            piles.setdefault(thing.place, ([], []))[isinstance(thing, ReadCard)].extend(seen)
    way = sum((_mean(backs) - _mean(cards) for backs, cards in piles.values() if backs and cards), 0j)
    way = way / abs(way) if way else -1j  # where no back was found the photo is taken from the player's side

    def height(sight: Sight) -> float:
        """How far its farthest corner lies along the way from the open cards to the lowest, px."""
        return max((complex(x, y) * way.conjugate()).real for x, y in sight.quad)

    lowest = max(sights, key=height)
    row = max((height(sight) for pile in piles.values() for seen in pile for sight in seen), default=height(lowest))
    length = abs(complex(*lowest.quad[3]) - complex(*lowest.quad[0]))
    far = row - height(lowest) + BEYOND_SHARE * length
    if question.place in {back.place for back in reading.backs}:
        far = min(far, MISSED_SHARE * length)
    shift = far * way
    one, two, three, four = ((x + shift.real, y + shift.imag) for x, y in lowest.quad)
    return one, two, three, four


def part_to_count(backs: Sequence[Sight], cards: Sequence[Sight], start: Quad) -> Box | None:
    """The part of a photo in which the face-down cards of a pile are counted; None where no open card of it was found.

    Args:
        backs: The backs of the pile that were found in the photo.
        cards: Its open cards there.
        start: Where its lowest card may lie.
    """
    if not cards:
        return None
    way = _mean(backs or [Sight(cards[0].photo, start)]) - _mean(cards)

    def heights(quad: Sequence[Point]) -> list[float]:
        """How far corners lie along the way from the open cards to the backs, px."""
        return [(complex(x, y) * way.conjugate()).real / (abs(way) or 1.0) for x, y in quad]

    first = max(cards, key=lambda sight: max(heights(sight.quad)))
    low, _, _, high = sorted(heights(first.quad))
    margin, limit = BESIDE_SHARE * (high - low), high - OPEN_SHARE * (high - low)
    quads = (start, first.quad, *(back.quad for back in backs))
    xs, ys = zip(*(point for quad in quads for point in _above(limit, quad, heights(quad))), strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def _above(limit: float, quad: Sequence[Point], heights: Sequence[float]) -> Iterator[Point]:
    """The corners of the part of a quadrilateral that is no lower than a limit."""
    corners = list(zip(quad, heights, strict=True))
    for ((x, y), height), ((to_x, to_y), to) in zip(corners, corners[1:] + corners[:1], strict=True):
        if height >= limit:
            yield x, y
        if min(height, to) < limit < max(height, to):
            share = (limit - height) / (to - height)
            yield x + share * (to_x - x), y + share * (to_y - y)


def _mean(sights: Sequence[Sight]) -> complex:
    return sum(sight.middle for sight in sights) / len(sights)
