"""Cards that only one of two photos shows, where the other one shows the bare table: a turn may lie between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from vision.cards.face_paper import draw_covered
from vision.cards.geometry import Array, project
from vision.cards.joining.joined import Joined
from vision.networks.surface_map import NEITHER, Surfaces, load_surface_map
from vision.photo_to_table import Findings
from vision.question import LAID, Question, QuestionKind
from vision.read_card import ReadBack, ReadCard

SURE: Final = 0.9
"""Cards that are less sure may be none."""
NEAR_SPOTS: Final = 1
"""Spots so near to another card belong to it: outlines are not exact."""
FEWEST_SPOTS: Final = 5
LEAST_FREE: Final = 0.05
"""So many spots of a card, and so much of it, lie free of others where the other photo shows its place."""
MOST_COVERED: Final = 0.1
"""A place is bare where cards are there with a smaller probability on average: a card that was not read is there."""


def ask_about_new_cards(
    cards: Sequence[ReadCard],
    backs: Sequence[ReadBack],
    joined: Joined,
    findings: Sequence[Findings],
    names: Sequence[str],
) -> Iterator[Question]:
    """Asks whether cards were laid between two photos, of which one shows their places bare.

    Args:
        cards: The cards that the photos show.
        backs: The same face down.
        joined: How the photos were joined; of others than two nothing is asked.
        findings: What the networks said of each.
        names: What they are called.
    """
    if len(joined.to_map) != 2:
        return
    all_sights = [card.sights for card in cards] + [back.sights for back in backs]
    quads = [{sight.photo: np.array(sight.quad) for sight in sights} for sights in all_sights]
    to_map = dict(enumerate(joined.to_map))
    for lacking, showing in ((0, 1), (1, 0)):
        own, other, image = to_map[lacking], to_map[showing], findings[lacking].image
        new = [n for n, card in enumerate(cards) if card.confidence >= SURE and quads[n].keys() == {showing}]
        if own is None or other is None or image is None or not new:
            continue
        way, surfaces = np.linalg.inv(own) @ other, load_surface_map().see(image)
        there = [seen[lacking] for seen in quads if lacking in seen]
        laid = [cards[n].text for n in new if _is_bare(surfaces, project(way, quads[n][showing]), there)]
        if laid:
            text = f"{' '.join(laid)} only in {names[showing]}; {names[lacking]} shows a bare table there: laid since?"
            moved = tuple(dict.fromkeys(laid))
            yield Question(QuestionKind.PHOTOS, text, choices=LAID, photos=(lacking, showing), moved=moved)


def _is_bare(surfaces: Surfaces, quad: Array, others: Sequence[Array]) -> bool:
    """Whether a photo shows no card where an outline (4, 2), px, lies free of those that were read."""
    high, wide = shape = surfaces.probabilities.shape[:2]
    if (quad < 0).any() or (quad > np.array([wide, high]) * surfaces.spot_px).any():
        return False
    side = 2 * NEAR_SPOTS + 1
    near = cv2.dilate(draw_covered(list(others), shape, surfaces.spot_px), np.ones((side, side), np.uint8))
    whole = draw_covered([quad], shape, surfaces.spot_px) > 0
    free = whole & (near == 0)
    if free.sum() < max(FEWEST_SPOTS, LEAST_FREE * whole.sum()):
        return False
    return float(1 - surfaces.probabilities[free][:, NEITHER].mean()) < MOST_COVERED
