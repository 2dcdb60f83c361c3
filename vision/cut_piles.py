"""Asks about piles of Klondike that would lie beyond the edge of every picture: what is not shown is not empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from solver.cards import SUIT_CHARS
from solver.place import Place
from vision.cards.geometry import Array
from vision.cut_melds import CUT_DOUBT, is_shown, quad_on_map
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadBack, ReadCard

COLUMNS: Final = 7
TOP_ROW: Final = ("foundation", "waste", "stock")
"""Kinds of places that lie in one row above the columns."""
ROW_CARD_HEIGHTS: Final = 1.25
"""How far that row is above the uppermost card of the columns where nothing of it is seen."""
FEWEST_COLUMNS: Final = 3
"""So many columns tell where the others would lie."""
UPRIGHT_COSINE: Final = 0.8
"""Cards that lie otherwise are laid in rows, and where their top row lies nothing tells."""


@dataclass(frozen=True, slots=True, eq=False)
class _Tableau:
    """The columns on the map.

    Attributes:
        first: By column, the number of its uppermost card that is seen.
        start: (2,) where column 0 lies, and `step` (2,) how far each is from the one before.
        down: (2,) unit vector towards the player.
        depth: How far down the uppermost card of all lies, along `down`.
        height: A card's height.
    """

    first: dict[int, int]
    start: Array
    step: Array
    down: Array
    depth: float
    height: float

    def spot(self, column: int, depth: float | None = None) -> Array:
        """(2,) the middle of a card of a column; `depth` says how far down."""
        at = self.start + column * self.step
        return np.asarray(at if depth is None else at + (depth - at @ self.down) * self.down)


def ask_about_cut_piles(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> list[Question]:
    """A question about each empty column that no picture shows, and one about the row above them where that is cut.

    Args:
        cards: What was read.
        backs: The cards face down that were found.
        photos: The pictures.
        to_map: For each of the first pictures the 3x3 homography from its pixels to one map; None where it has none.
    """
    tableau = _find_tableau(cards, to_map)
    if tableau is None:
        return []

    def is_seen(spot: Array) -> bool:
        return any(is_shown(spot[None], photo, own) for photo, own in zip(photos, to_map, strict=False))

    def ask(text: str, place: Place | None, column: int) -> Question:
        number = tableau.first[min(tableau.first, key=lambda other: abs(other - column))]
        sights = cards[number].sights[:1]
        return Question(QuestionKind.UNREAD, text, place, cards=(number,), doubt=CUT_DOUBT, sights=sights)

    hidden = [k for k in range(COLUMNS) if k not in tableau.first and not is_seen(tableau.spot(k))]
    asked = [
        ask(f"column {k + 1} would lie beyond the edge of the picture: does a card lie there?", Place("column", k), k)
        for k in hidden
    ]
    row = _depth_of_top_row(tableau, cards, backs, to_map)
    cut = [] if row is None else [k for k in range(COLUMNS) if not is_seen(tableau.spot(k, row))]
    if cut and not hidden:
        asked.append(ask("the picture ends above the columns: does a card lie beyond it?", None, cut[0]))
    return asked


def _find_tableau(cards: Sequence[ReadCard], to_map: Sequence[Array | None]) -> _Tableau | None:
    """The columns; None where too few are seen, or where they are laid as rows."""
    seen = [n for n, card in enumerate(cards) if card.place.kind == "column" and quad_on_map(card, to_map) is not None]
    numbers = np.array([cards[n].place.number for n in seen])
    if len(set(numbers.tolist())) < FEWEST_COLUMNS:
        return None
    quads = np.array([quad_on_map(cards[n], to_map) for n in seen])
    middles, along = quads.mean(1), (quads[:, 3] + quads[:, 2] - quads[:, 0] - quads[:, 1]) / 2
    height = float(np.median(np.linalg.norm(along, axis=1)))
    right = _step(numbers, middles)
    down = np.array([-right[1], right[0]]) / max(float(np.linalg.norm(right)), 1e-9)
    lean = along / np.linalg.norm(along, axis=1, keepdims=True)
    lean *= np.sign(lean @ down + 1e-9)[:, None]
    if float(np.mean(lean @ down)) < UPRIGHT_COSINE:
        return None
    down = lean.mean(0) / np.linalg.norm(lean.mean(0))
    order = np.argsort(middles @ down)[::-1]
    first = {int(numbers[k]): int(k) for k in order}  # of each column the uppermost one stays
    columns = np.array(sorted(first))
    upper = middles[[first[k] for k in columns.tolist()]]
    step = _step(columns, upper)
    start = upper.mean(0) - columns.mean() * step
    depth = float((upper @ down).min())
    return _Tableau({k: seen[row] for k, row in first.items()}, start, step, down, depth, height)


def _step(numbers: Array, middles: Array) -> Array:
    """(2,) how far a column lies from the one before, by the cards of numbered columns."""
    away = numbers - numbers.mean()
    return np.asarray((away[:, None] * (middles - middles.mean(0))).sum(0) / (away**2).sum())


def _depth_of_top_row(
    tableau: _Tableau, cards: Sequence[ReadCard], backs: Sequence[ReadBack], to_map: Sequence[Array | None]
) -> float | None:
    """How far down the top row lies; None where it lies elsewhere, or all foundations are seen."""
    foundations = {card.place.number for card in cards if card.place.kind == "foundation" and card.sights}
    if len(foundations) == len(SUIT_CHARS):
        return None
    lying: list[ReadCard | ReadBack] = [*cards, *backs]
    found = [quad_on_map(one, to_map) for one in lying if one.place.kind in TOP_ROW]
    depths = [float(quad.mean(0) @ tableau.down) for quad in found if quad is not None]
    above = [depth for depth in depths if depth < tableau.depth - tableau.height / 2]
    if depths and not above:
        return None
    return float(np.median(above)) if above else tableau.depth - ROW_CARD_HEIGHTS * tableau.height
