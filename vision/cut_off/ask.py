"""The questions about what the edge of the pictures may cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.cards.geometry import Array
from vision.cut_off.klondike import find_hidden_in_klondike
from vision.cut_off.melds import find_cut_melds
from vision.cut_off.pictures import Pictures
from vision.cut_off.tombs import find_hidden_in_tombs
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadBack, ReadCard

CUT_DOUBT: Final = 0.3
"""Probability that something lies beyond the edge of a picture that ends at a card or before a pile; above all it must
be asked."""


def ask_about_cut_off(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> list[Question]:
    """A question about each meld, hand or pile that may go on or lie where no picture shows it.

    Args:
        cards: What was read.
        backs: The cards face down that were found.
        photos: The pictures.
        to_map: For each of the first pictures the 3x3 homography from its pixels to one map; None where it has none.
    """
    pictures = Pictures(photos, to_map)
    hidden = (
        *find_cut_melds(cards, pictures),
        *find_hidden_in_klondike(cards, backs, pictures),
        *find_hidden_in_tombs(cards, backs, pictures),
    )
    return [
        Question(
            QuestionKind.UNREAD,
            text,
            place,
            cards=(number,),
            doubt=CUT_DOUBT,
            sights=tuple(sight.outline for sight in cards[number].sights[:1]),
        )
        for text, place, number in hidden
    ]
