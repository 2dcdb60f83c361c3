"""Whether a photo shows what must be seen of a table, and the labels of its cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.path_traced.camera import Camera, Shot
from datasets.path_traced.decks import Deck
from datasets.path_traced.rest import Bend, Rest
from datasets.path_traced.tables import Laid, Table, from_table, on_table
from datasets.picture_tools import Points

Ids = NDArray[np.int64]
"""Which card each pixel shows, by its place in the table's cards, -1 for none; (H, W)."""
_SEEN: Final = 0.93
"""Share of an index that must be seen."""
_RANK_PX: Final = 11.5
"""Least height of an index's rank in a picture 1600 px wide."""
_STRIP_PX: Final = 5.5
"""Least height of an overlapped back's strip, likewise."""
_FILM_RANK_PX: Final = 11.0
"""Least height of an index's rank in a frame of a film."""
_FILM_FRAMES: Final = 3
"""Frames of a film that show each card at least."""
_SMEARED: Final = 0.15
"""How far a sharp index is smeared at most, as a share of its rank's height."""
_THICK: Final = 0.3
_WHOLE: Final = 0.998
"""Area of a card with round corners, as a share of its quad."""


def judge(table: Table, rests: Sequence[Rest], camera: Camera, ids: Ids) -> tuple[list[dict[str, Any]], list[str]]:
    """The cards' labels, and what is unfair about the photo: indices hidden or too small, backs that do not show.

    Args:
        table: The table.
        rests: Its cards at rest.
        camera: The camera.
        ids: What the photo shows, at any scale.
    """
    cards, faults = [], []
    scale = ids.shape[1] / camera.size[0]
    least = min(1.0, max(camera.size) / 1600)  # previews
    areas = np.bincount(ids[ids >= 0], minlength=len(rests)) / scale**2
    for place, (card, rest) in enumerate(zip(table.cards, rests, strict=True)):
        quad = camera.project(rest.corners)
        in_column = card.zone.startswith("column")
        if card.must and card.up and (share := _seen_of_index(rest, camera, ids, place, _RANK_PX * least)) < _SEEN:
            faults.append(f"{card.face} in {card.zone} {share:.2f}")
        if table.countable and in_column and not card.up and (strip := _strip(quad, areas[place])) < _STRIP_PX * least:
            faults.append(f"back in {card.zone} {strip:.1f} px")
        visible = min(1.0, float(areas[place]) / max(_area(quad), 1.0) / _WHOLE)
        if visible < 0.004 and not in_column and not card.must:
            continue
        cards.append(
            {
                "card": card.face if card.up else None,
                "zone": card.zone,
                "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in quad],
                "visible": round(visible, 3),
                "indices": [],
            }
        )
    return cards, faults


def judge_film(table: Table, deck: Deck, shots: Sequence[Shot]) -> list[str]:
    """What is unfair about a film: indices and backs that too few frames show sharp, and cards in no frame as a whole.

    Cards count as if they lay flat.

    Args:
        table: The table.
        deck: Whose measures the cards have.
        shots: The frames.
    """
    rests = flat_rests(table.cards, deck)
    corners = [rest.corners for rest in rests]
    seen, whole = np.zeros(len(rests), int), np.zeros(len(rests), bool)
    for shot in shots:
        camera, size = shot.opening, np.array(shot.opening.size)
        ids = paint_ids(rests, camera)
        areas = np.bincount(ids[ids >= 0], minlength=len(rests))
        for place in np.flatnonzero((areas > 0) & ~((seen >= _FILM_FRAMES) & whole)):
            quad, card = camera.project(corners[place]), table.cards[place]
            whole[place] |= bool(((quad > 0) & (quad < size)).all())
            smear = shot.smear(corners[place].mean(0)) / _SMEARED
            if card.up:
                least = max(_FILM_RANK_PX, smear)
                seen[place] += _seen_of_index(rests[place], camera, ids, int(place), least) >= _SEEN
            else:
                seen[place] += _strip(quad, areas[place]) >= max(_STRIP_PX, smear)
    return [
        f"{card.face} in {card.zone} in {count} frames"
        for card, count, is_whole in zip(table.cards, seen, whole, strict=True)
        if _is_wanted(table, card) and not (count >= _FILM_FRAMES and is_whole)
    ]


def _is_wanted(table: Table, card: Laid) -> bool:
    """Whether a film must show a card."""
    return card.must if card.up else table.countable and card.zone.startswith("column")


def flat_rests(cards: Sequence[Laid], deck: Deck) -> list[Rest]:
    """Cards at rest as if each lay flat on the table."""
    flat = Bend(0.0, 0.0, (1, 1), 0.0, (deck.width / 2, deck.height / 2))
    return [Rest(card, deck, flat, _THICK, (0.0, 0.0, 0.0)) for card in cards]


def paint_ids(rests: Sequence[Rest], camera: Camera) -> Ids:
    """Which card each pixel shows, painted card by card."""
    ids = np.full(camera.size[::-1], -1, np.int32)
    for place, rest in enumerate(rests):
        if (((rest.corners - camera.position) @ camera.forward) > _NEAREST).all():
            cv2.fillConvexPoly(ids, camera.project(rest.corners).round().astype(np.int32), place)
    return ids.astype(np.int64)


_NEAREST: Final = 0.02
"""How far before the camera cards are that it may show, metres."""


def shows_from_above(cards: Sequence[Laid], deck: Deck) -> bool:
    """Whether each card that a fair photo shows has an index that none of the cards on it covers.

    Else hardly any photo is fair, wherever it is taken from.

    Args:
        cards: The cards of a table; later ones lie on top.
        deck: Whose measures they have.
    """
    indices = [points for _, points in _indices(deck)]
    shown = (n for n, card in enumerate(cards) if card.must and card.up)
    return all(
        max(_uncovered(on_table(cards[n], points), cards[n + 1 :], deck) for points in indices) >= _SEEN for n in shown
    )


def _uncovered(points: Points, cards: Sequence[Laid], deck: Deck) -> float:
    """The share of some points on which none of the cards lies; points (N, 2), mm."""
    half = np.array([deck.width, deck.height]) / 2
    covered = np.zeros(len(points), bool)
    for card in cards:
        covered |= (np.abs(from_table(card, points)) < half).all(1)
    return 1 - float(covered.mean())


def _indices(deck: Deck) -> list[tuple[tuple[int, int], Points]]:
    """The corners of a card with an index, each as signs, and points all over that, from the middle of the card."""
    half = np.array([deck.width, deck.height]) / 2
    grid = np.meshgrid(np.linspace(1.5, deck.index[0] - 0.5, 5), np.linspace(1.8, deck.index[1] - 1.0, 8))
    inset = np.column_stack([axis.ravel() for axis in grid])
    corners = ((-1, 1), (1, -1), (1, 1), (-1, -1))[: deck.corners]
    return [(sign, (half - inset) * sign) for sign in corners]


def _strip(quad: Points, area: float) -> float:
    """How high the strip is that shows of a back, px."""
    return area / max(min(_length(quad[0], quad[1]), _length(quad[1], quad[2])), 1)


def _length(start: Points, end: Points) -> float:
    return float(np.hypot(*(end - start)))


def _area(quad: Points) -> float:
    x, y = quad.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _seen_of_index(rest: Rest, camera: Camera, ids: Ids, place: int, least: float) -> float:
    """The share of the best index that is seen; 0 if its rank is less than `least` px high."""
    deck = rest.deck
    half = np.array([deck.width, deck.height]) / 2
    rank = deck.index[1] * 0.42
    ends = np.array([[5.5, 3], [5.5, 3 + rank], [2.5, 6], [8.5, 6]])
    size = np.array(ids.shape[::-1])
    best = 0.0
    for sign, points in _indices(deck):
        top, bottom, left, right = camera.project(rest.points((half - ends) * sign))
        if min(_length(top, bottom), _length(left, right) * 1.4) <= least:
            continue
        pixels = camera.project(rest.points(points))
        pixels = (pixels * (size[0] / camera.size[0])).astype(int)
        inside = ((pixels >= 1) & (pixels < size - 1)).all(1)
        x, y = np.clip(pixels, 0, size - 1).T
        best = max(best, float((inside & (ids[y, x] == place)).mean()))
    return best
