"""Asks about cards of which each shows an index where the other lies: no table looks so.

Two copies of a card may stand in a hand as the two sides of one card do, with another card between them. They are read
as one card then, but its two sides lie over and under the card between them. A meld holds no card twice: there it is an
index that was misread, and the other cards of the meld have told which card it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.question import Question, QuestionKind
from vision.read_card import ReadCard, Sight
from vision.reading_doubts import UNREAD_DOUBT

INSIDE: Final = (0.2, 0.05)
"""A rank so far from a card's long sides lies on it surely, and so far from its short ones, as shares of its width and
height: cards that hardly overlap may seem to lie on each other."""
LEAST_SHARE: Final = 0.5
"""In more of the photos that show both cards they look so: one of two may have found their outlines badly."""


def ask_about_crossed_cards(cards: Sequence[ReadCard]) -> list[Question]:
    """A question about each two cards that would lie on each other at once: one of them may be two cards."""
    shown: list[dict[int, Sight]] = [{sight.photo: sight for sight in card.sights} for card in cards]
    crossed: Counter[tuple[int, int]] = Counter()
    for photo in {photo for sights in shown for photo in sights}:
        numbers = [number for number, sights in enumerate(shown) if photo in sights]
        crossed.update((numbers[a], numbers[b]) for a, b in _crossed([shown[number][photo] for number in numbers]))
    return [
        _ask(cards, pair)
        for pair, times in sorted(crossed.items())
        if times > LEAST_SHARE * len(shown[pair[0]].keys() & shown[pair[1]].keys()) and not _are_one_meld(cards, pair)
    ]


def _are_one_meld(cards: Sequence[ReadCard], pair: tuple[int, int]) -> bool:
    one, other = (cards[number].place for number in pair)
    return one == other and one.kind == "floor"


def _crossed(sights: Sequence[Sight]) -> list[tuple[int, int]]:
    """Numbers of each two of a photo's cards that show an index inside the outline of the other."""
    indices = [(number, index) for number, sight in enumerate(sights) for index in sight.indices]
    if not indices:
        return []
    ranks = np.array([index.rank for _, index in indices])
    within = _lie_within(ranks, np.array([sight.quad for sight in sights]))
    over = np.zeros((len(sights), len(sights)), bool)  # (the card whose index it is, the card where it lies)
    for (number, _), where in zip(indices, within.T, strict=True):
        over[number] |= where
    return [(a, b) for a, b in combinations(range(len(sights)), 2) if over[a, b] and over[b, a]]


def _lie_within(points: Array, quads: Array) -> NDArray[np.bool_]:
    """(quads, points) which points (m, 2) lie clearly inside cards' outlines (n, 4, 2), px."""
    origin, right, down = quads[:, 0], quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    frames = np.linalg.inv(np.stack([right, down], axis=-1))
    shares = np.einsum("nij,nmj->nmi", frames, points[None] - origin[:, None])
    return np.asarray(((shares > INSIDE) & (shares < 1 - np.array(INSIDE))).all(-1))


def _ask(cards: Sequence[ReadCard], pair: tuple[int, int]) -> Question:
    """The question about two cards; the one of which more indices are seen may be two."""
    number, other = sorted(pair, key=lambda n: -max(len(sight.indices) for sight in cards[n].sights))
    card = cards[number]
    text = f"{card.text} may be two cards, as {cards[other].text} seems to lie between its corners: which is the other?"
    sights = tuple(Sight(sight.photo, sight.quad) for sight in card.sights)
    photos = tuple(sight.photo for sight in sights)
    return Question(QuestionKind.UNREAD, text, card.place, (card.text,), (number, other), photos, UNREAD_DOUBT, sights)
