"""Where the photos of a reading show what a question is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from solver.place import Place
from vision.question import Question, QuestionKind
from vision.read_card import ReadBack, ReadCard, Sight
from vision.reading import Reading

BEYOND_SHARE: Final = 0.2
"""So much of a card is shown beyond where piles seem to begin."""


def sights_of(question: Question, reading: Reading) -> Iterator[tuple[Sight, bool]]:
    """Where the photos show what a question is about, and whether that is the back of a card."""
    if question.sights:
        yield from ((sight, False) for sight in question.sights)
    elif question.cards:
        yield from ((sight, False) for number in question.cards for sight in reading.cards[number].sights)
    elif question.place is not None and question.kind is QuestionKind.HIDDEN:
        yield from ((back.sights[0], True) for back in reading.backs if back.place == question.place)
        yield from ((card.sights[0], False) for card in reading.cards if card.place == question.place and card.sights)


def start_of_pile(question: Question, sights: Sequence[Sight], reading: Reading) -> list[tuple[float, float]]:
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
    beyond = BEYOND_SHARE * abs(complex(*lowest.quad[3]) - complex(*lowest.quad[0]))
    shift = (row - height(lowest) + beyond) * way
    return [(x + shift.real, y + shift.imag) for x, y in lowest.quad]


def _mean(sights: Sequence[Sight]) -> complex:
    return sum(sight.middle for sight in sights) / len(sights)
