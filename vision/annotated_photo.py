"""Draws a reading on a copy of its photo: outlines coloured by zone, each card's name, doubtful cards marked.

Zones have the names and colours of `drawing.zones`, as on the page; melds that lie side by side also differ in number,
and a doubtful card has a double outline and a question mark, so nothing rests on colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from drawing.zones import place_colour, place_name
from solver.place import NOWHERE, Place
from vision.image import RGB, opencv
from vision.read_card import Quad, ReadBack, ReadCard, Sight

DARK: Final = (20, 20, 20)
WHITE: Final = (255, 255, 255)


def draw_outlines(
    image: RGB, cards: Sequence[ReadCard], backs: Sequence[ReadBack], photo: int, *, all_backs: bool
) -> RGB:
    """A copy of a photo with the outlines of what it shows.

    Args:
        image: uint8 (height, width, 3), red first.
        cards: The reading's cards.
        backs: The reading's backs.
        photo: Number of the photo in the reading.
        all_backs: Draw backs outside of all zones too; in a game they are a court's pattern.
    """
    cv2 = opencv()
    drawn = np.ascontiguousarray(image).copy()
    unit = max(1.0, min(drawn.shape[:2]) / 700)
    shown = [(card, sight) for card in cards if (sight := card.sight_in(photo)) is not None]
    shown_backs = [(back, sight.quad) for back in backs for sight in back.sights if sight.photo == photo]
    quads: dict[Place, list[Quad]] = {}
    for card, sight in shown:
        quads.setdefault(card.place, []).append(sight.quad)
    quads.pop(NOWHERE, None)
    for back, quad in shown_backs:
        if all_backs or back.place != NOWHERE:
            _outline(cv2, drawn, quad, place_colour(back.place), round(2 * unit))
            if back.place not in quads:  # where face-up cards lie too, the place's name stands there
                _label(cv2, drawn, place_name(back.place), _middle(quad), place_colour(back.place), 0.4 * unit)
    _draw_cards(cv2, drawn, shown, unit)
    for place, own in quads.items():
        corner = np.concatenate([*own, *(quad for back, quad in shown_backs if back.place == place)]).min(0)
        at = (int(max(corner[0], 2)), int(max(corner[1] - 13 * unit, 14 * unit)))
        _label(cv2, drawn, place_name(place), at, place_colour(place), 0.4 * unit, filled=True)
    return drawn


def _draw_cards(cv2: Any, drawn: RGB, shown: Sequence[tuple[ReadCard, Sight]], unit: float) -> None:
    """Draws the outlines of cards, and their names above all outlines."""
    for card, sight in shown:
        if card.doubtful:
            _outline(cv2, drawn, sight.quad, DARK, 3 * round(2 * unit))
        _outline(cv2, drawn, sight.quad, place_colour(card.place), round(2 * unit))
    for card, sight in shown:
        _label(cv2, drawn, *_name_of(card, sight, unit), place_colour(card.place), 0.45 * unit)


def _name_of(card: ReadCard, sight: Sight, unit: float) -> tuple[str, tuple[int, int]]:
    """A card's text, and where it is written: over its first index, or in its middle if none was seen."""
    text = card.text + ("?" if card.doubtful else "")
    if not sight.indices:
        return text, _middle(sight.quad)
    left, top, *_ = sight.indices[0].box
    return text, (int(left), int(top) - round(2 * unit))


def _outline(cv2: Any, image: RGB, quad: Quad, colour: tuple[int, int, int], thick: int) -> None:
    points = np.clip(np.asarray(quad), -1e5, 1e5).round().astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(image, [points], True, colour, thick, cv2.LINE_AA)


def _middle(quad: Quad) -> tuple[int, int]:
    x, y = np.clip(np.asarray(quad).mean(0), -1e5, 1e5)
    return int(x), int(y)


def _label(
    cv2: Any,
    image: RGB,
    text: str,
    at: tuple[int, int],
    colour: tuple[int, int, int],
    size: float,
    *,
    filled: bool = False,
) -> None:
    """Text on a plate that keeps it legible on any picture; always inside the image."""
    face, weight = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(size * 2))
    (width, height), below = cv2.getTextSize(text, face, size, weight)
    x = min(max(at[0], 1), max(image.shape[1] - width - 3, 1))
    y = min(max(at[1], height + 2), image.shape[0] - below - 1)
    plate, ink = (colour, DARK if sum(colour) > 330 else WHITE) if filled else (DARK, WHITE)
    cv2.rectangle(image, (x - 2, y - height - 2), (x + width + 2, y + below), plate, -1)
    if not filled:
        cv2.rectangle(image, (x - 2, y - height - 2), (x + width + 2, y + below), colour, max(1, weight // 2))
    cv2.putText(image, text, (x, y), face, size, ink, weight, cv2.LINE_AA)
