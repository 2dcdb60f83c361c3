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
ARROW_COLOURS: Final = ((255, 214, 10), (80, 200, 255), (255, 130, 190), (140, 255, 120), (255, 160, 60))


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
    quads = _quads_by_place(shown)
    for back, quad in shown_backs:
        if all_backs or back.place != NOWHERE:
            # Where face-up cards lie too, the place's name stands there.
            _draw_back(cv2, drawn, back.place, quad, unit, named=back.place not in quads)
    _draw_cards(cv2, drawn, shown, unit)
    for place, own in quads.items():
        corner = np.concatenate([*own, *(quad for back, quad in shown_backs if back.place == place)]).min(0)
        at = (int(max(corner[0], 2)), int(max(corner[1] - 13 * unit, 14 * unit)))
        _label(cv2, drawn, place_name(place), at, place_colour(place), 0.4 * unit, filled=True)
    return drawn


def _quads_by_place(shown: Sequence[tuple[ReadCard, Sight]]) -> dict[Place, list[Quad]]:
    quads: dict[Place, list[Quad]] = {}
    for card, sight in shown:
        if card.place != NOWHERE:
            quads.setdefault(card.place, []).append(sight.quad)
    return quads


def _draw_back(cv2: Any, drawn: RGB, place: Place, quad: Quad, unit: float, *, named: bool) -> None:
    _outline(cv2, drawn, quad, place_colour(place), round(2 * unit))
    if named:
        _label(cv2, drawn, place_name(place), _middle(quad), place_colour(place), 0.4 * unit)


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


def draw_arrows(image: RGB, arrows: Sequence[tuple[str, Sequence[Quad], Sequence[Quad]]]) -> RGB:
    """A copy of a photo with cards that are to be moved outlined, and an arrow to where they go.

    Args:
        image: uint8 (height, width, 3), red first.
        arrows: Of each move its number, the cards' corners, and the corners of the cards that they go to; without those
            the cards are only outlined.
    """
    cv2 = opencv()
    drawn = np.ascontiguousarray(image).copy()
    unit = max(1.0, min(drawn.shape[:2]) / 700)
    for number, (_, quads, there) in enumerate(arrows):
        colour = ARROW_COLOURS[number % len(ARROW_COLOURS)]
        for quad in quads:
            _outline(cv2, drawn, quad, DARK, round(5 * unit))
            _outline(cv2, drawn, quad, colour, round(3 * unit))
        start = _middle(_one_quad(quads))
        if there:
            end = _middle(_one_quad(there))
            cv2.arrowedLine(drawn, start, end, DARK, round(5 * unit), cv2.LINE_AA, 0, 0.06)
            cv2.arrowedLine(drawn, start, end, colour, round(3 * unit), cv2.LINE_AA, 0, 0.06)
    taken: list[tuple[int, int]] = []
    for number, (text, quads, _) in enumerate(arrows):  # above all arrows
        corner = np.asarray(quads).reshape(-1, 2).min(0)
        at = int(corner[0]), int(corner[1] + 16 * unit)
        while any(max(abs(at[0] - x), abs(at[1] - y)) < 20 * unit for x, y in taken):  # two numbers would read as one
            at = at[0], at[1] + round(20 * unit)
        taken.append(at)
        _label(cv2, drawn, text, at, ARROW_COLOURS[number % len(ARROW_COLOURS)], 0.7 * unit, filled=True)
    return drawn


def _one_quad(quads: Sequence[Quad]) -> Quad:
    """Four corners around the same middle as several cards have."""
    a, b, c, d = ((float(x), float(y)) for x, y in np.asarray(quads).mean(0))
    return a, b, c, d
