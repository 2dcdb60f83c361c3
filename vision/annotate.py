"""Draws a reading on a copy of its photo: outlines coloured by zone, each card's name, doubtful cards marked.

Zones have the names and colours of `drawing.zones`, as on the page; melds that lie side by side also differ in number,
and a doubtful card has a double outline and a question mark, so nothing rests on colour alone.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from drawing.zones import Colour, place_colour, place_name
from solver.place import Place
from vision.image import RGB, opencv
from vision.reading import ReadCard, Reading

DARK: Final = (20, 20, 20)
WHITE: Final = (255, 255, 255)


def annotate(image: RGB, reading: Reading) -> RGB:
    """A copy of the photo with the reading drawn on it; the photo itself is left alone.

    Args:
        image: uint8 (height, width, 3), red first, the photo that was read.
        reading: What was read from it.
    """
    cv2 = opencv()
    drawn = np.ascontiguousarray(image).copy()
    unit = max(1.0, min(drawn.shape[:2]) / 700)
    zones = _by_zone(reading)
    for back in reading.backs:
        if reading.game is None or back.zone != "none":  # else a court's pattern: the layout found no place for it
            _outline(cv2, drawn, back.quad, _colour(back.zone), round(2 * unit))
            if back.zone not in zones:  # where face-up cards lie too, the zone's name stands there
                _label(cv2, drawn, _title(back.zone), _middle(back.quad), _colour(back.zone), 0.4 * unit)
    shown = [card for card in reading.cards if card.quad is not None]
    for card in shown:
        if card.doubtful:
            _outline(cv2, drawn, card.quad, DARK, 3 * round(2 * unit))
        _outline(cv2, drawn, card.quad, _colour(card.zone), round(2 * unit))
    for card in shown:
        _label(cv2, drawn, *_name_of(card, unit), _colour(card.zone), 0.45 * unit)
    for zone, cards in zones.items():
        quads = [*(card.quad for card in cards), *(back.quad for back in reading.backs if back.zone == zone)]
        corner = np.concatenate(quads).min(0)
        at = (int(max(corner[0], 2)), int(max(corner[1] - 13 * unit, 14 * unit)))
        _label(cv2, drawn, _title(zone), at, _colour(zone), 0.4 * unit, filled=True)
    return drawn


def _colour(zone: str) -> Colour:
    return place_colour(Place.parse(zone))


def _title(zone: str) -> str:
    return place_name(Place.parse(zone))


def _name_of(card: ReadCard, unit: float) -> tuple[str, tuple[int, int]]:
    """A card's text, and where it is written: over its first index, or in its middle where none was seen."""
    text = card.text + ("?" if card.doubtful else "")
    if not card.indices:
        return text, _middle(card.quad)
    left, top, *_ = card.indices[0]
    return text, (int(left), int(top) - round(2 * unit))


def _by_zone(reading: Reading) -> dict[str, list[Any]]:
    zones: dict[str, list[Any]] = {}
    for card in reading.cards:
        if card.zone != "none" and card.quad is not None:
            zones.setdefault(card.zone, []).append(card)
    return zones


def _outline(cv2: Any, image: RGB, quad: Any, colour: tuple[int, int, int], thick: int) -> None:
    points = np.clip(np.asarray(quad), -1e5, 1e5).round().astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(image, [points], True, colour, thick, cv2.LINE_AA)


def _middle(quad: Any) -> tuple[int, int]:
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
