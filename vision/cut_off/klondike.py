"""Columns, foundations, stock and waste of Klondike that lie, or may go on, beyond the edge of every picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from drawing.zones import place_name
from solver.cards import SUIT_CHARS
from solver.place import Place
from vision.cards.geometry import Array
from vision.cut_off.pictures import Hidden, Pictures, Spot, ask_there, line_step, near_cards
from vision.read_card import ReadBack, ReadCard

COLUMNS: Final = 7
TOP_ROW: Final = ("foundation", "waste", "stock")
"""Kinds of places that lie in one row above the columns."""
ROW_CARD_HEIGHTS: Final = 1.25
"""How far that row is above the uppermost card of the columns where nothing of it is seen."""
SHOWN_CARD_HEIGHTS: Final = 0.25
"""So far above its middle a card's place in that row is to be shown: of less the index is cut off."""
SEEN_CARD_HEIGHTS: Final = 0.25
"""So far below its middle it is to be shown where the stock or the waste lies elsewhere: of a lone row of foundations
that began there one would see the lower ends."""
FEWEST_COLUMNS: Final = 3
"""So many columns tell where the others would lie."""
UPRIGHT_COSINE: Final = 0.8
"""Cards that lie otherwise are laid in rows, and where their top row lies nothing tells."""
FAN_CARD_HEIGHTS: Final = 0.6
"""Of the last card of a column so much is to be shown: in a fan the next one would lie no farther down."""
INDEX_CARD_HEIGHTS: Final = 0.4
"""So far above its middle a card's index lies."""
SIDE_SHARE: Final = 0.7
"""A card is cut off where the picture does not show it so far from its middle to a side."""


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """The columns on the map.

    Attributes:
        columns: Those that have cards.
        start: (2,) where column 0 lies, and `step` (2,) how far each is from the one before.
        down: (2,) unit vector towards the player.
        depth: How far down the uppermost card of all lies, along `down`.
        height: A card's height.
    """

    columns: frozenset[int]
    start: Array
    step: Array
    down: Array
    depth: float
    height: float

    def spot(self, column: int, depth: float | None = None) -> Array:
        """(2,) the middle of a card of a column; `depth` says how far down."""
        at = self.start + column * self.step
        return np.asarray(at if depth is None else at + (depth - at @ self.down) * self.down)


def find_hidden_in_klondike(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], pictures: Pictures
) -> Iterator[Hidden]:
    """Each pile that no picture shows whole, where the columns that are seen tell its place."""
    quads = pictures.outlines(cards)
    seen = _find_columns(cards, quads)
    if seen is None:
        return
    piles = (
        *_hidden_piles(seen, cards, backs, quads, pictures),
        *_cut_columns(seen, cards, quads, pictures),
        *_cut_top_row(cards, quads, pictures),
        *_hidden_waste(seen, cards, backs, pictures),
    )
    yield from near_cards(piles, cards, quads)


def _hidden_piles(
    seen: _Columns,
    cards: Sequence[ReadCard],
    backs: Sequence[ReadBack],
    quads: Mapping[int, Array],
    pictures: Pictures,
) -> Iterator[Spot]:
    """Columns that no picture shows, or else the row above them."""
    empty = [k for k in range(COLUMNS) if k not in seen.columns]
    columns = [(k, spot) for k in empty if not pictures.show(spot := seen.spot(k))]
    for k, spot in columns:
        yield ask_there(f"column {k + 1} would lie beyond the edge of the picture"), Place("column", k), spot
    row = _depth_to_be_shown(seen, cards, backs, quads, pictures)
    spots = [] if row is None else [seen.spot(k, row) for k in range(COLUMNS)]
    cut = [spot for spot in spots if not pictures.show(spot)]
    if cut and not columns:
        text = "the picture does not show the whole row above the columns: does a card lie beyond its edge?"
        yield text, None, cut[0]


def _cut_columns(
    seen: _Columns, cards: Sequence[ReadCard], quads: Mapping[int, Array], pictures: Pictures
) -> Iterator[Spot]:
    """Columns that may go on where the picture cuts off their last card."""
    last: dict[Place, Array] = {}
    for number, quad in quads.items():
        place, middle = cards[number].place, quad.mean(0)
        if place.kind == "column" and (place not in last or (middle - last[place]) @ seen.down > 0):
            last[place] = middle
    along = seen.height * seen.down
    cut = {
        place: spot
        for place, middle in last.items()
        if pictures.show(middle - INDEX_CARD_HEIGHTS * along)
        and not pictures.show(spot := middle + (FAN_CARD_HEIGHTS - 0.5) * along)
    }
    if len(cut) > 1:  # one question: the edge cuts them alike
        *others, last_one = sorted(int(place.number or 0) + 1 for place in cut)
        columns = f"columns {', '.join(map(str, others))} and {last_one}"
        yield ask_there(f"the picture ends in {columns}"), None, next(iter(cut.values()))
    else:
        yield from ((ask_there(f"the picture ends in {place_name(place)}"), place, spot) for place, spot in cut.items())


def _cut_top_row(cards: Sequence[ReadCard], quads: Mapping[int, Array], pictures: Pictures) -> Iterator[Spot]:
    """Waste and foundations that may go on where the picture cuts off one of their cards."""
    kinds = {kind: [quad for n, quad in quads.items() if cards[n].place.kind == kind] for kind in TOP_ROW}
    cut = {
        kind: [spot for quad in own for spot in _sides(quad) if not pictures.show(spot)] for kind, own in kinds.items()
    }
    if cut["waste"]:
        yield ask_there("the picture ends in the waste"), Place("waste"), cut["waste"][0]
    if cut["foundation"] and len(kinds["foundation"]) < len(SUIT_CHARS):
        yield ask_there("the picture ends in the foundations"), None, cut["foundation"][0]


def _sides(quad: Array) -> Array:
    """(4, 2) spots of a card near the middles of its sides."""
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    return np.asarray(quad.mean(0) + SIDE_SHARE * (middles - quad.mean(0)))


def _hidden_waste(
    seen: _Columns, cards: Sequence[ReadCard], backs: Sequence[ReadBack], pictures: Pictures
) -> Iterator[Spot]:
    """The waste, where none is seen and the stock beside it is cut off, or not seen either after the deal."""
    stock = [back for back in backs if back.place.kind == "stock"]
    kinds = Counter(card.place.kind for card in cards)
    if kinds["waste"]:
        return
    if stock and not any(map(pictures.show_whole, stock)):
        yield ask_there("the picture cuts off the stock"), Place("waste"), seen.start
    elif not stock and (kinds["foundation"] or kinds["column"] != COLUMNS):
        yield (
            "I see no stock: does a waste of turned cards lie beyond the edge of the picture?",
            Place("waste"),
            seen.start,
        )


def _find_columns(cards: Sequence[ReadCard], quads: Mapping[int, Array]) -> _Columns | None:
    """The columns; None where too few are seen, or where they are laid as rows."""
    seen = [number for number in quads if cards[number].place.kind == "column"]
    numbers = np.array([cards[number].place.number for number in seen])
    if len(set(numbers.tolist())) < FEWEST_COLUMNS:
        return None
    own = np.array([quads[number] for number in seen])
    middles, along = own.mean(1), (own[:, 3] + own[:, 2] - own[:, 0] - own[:, 1]) / 2
    height = float(np.median(np.linalg.norm(along, axis=1)))
    right = line_step(numbers, middles)
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
    step = line_step(columns, upper)
    start = upper.mean(0) - columns.mean() * step
    depth = float((upper @ down).min())
    return _Columns(frozenset(first), start, step, down, depth, height)


def _depth_to_be_shown(
    columns: _Columns,
    cards: Sequence[ReadCard],
    backs: Sequence[ReadBack],
    quads: Mapping[int, Array],
    pictures: Pictures,
) -> float | None:
    """How far up the top row is to be shown; None where it lies elsewhere, or all foundations and the waste are seen.

    Stock and waste may lie elsewhere without the foundations.
    """
    foundations = {card.place.number for card in cards if card.place.kind == "foundation" and card.sights}
    if len(foundations) == len(SUIT_CHARS) and any(card.place.kind == "waste" for card in cards):
        return None
    closed = ((back.place.kind, pictures.outline(back)) for back in backs)
    found = [*((cards[number].place.kind, quad) for number, quad in quads.items()), *closed]
    depths = [
        (kind, float(quad.mean(0) @ columns.down)) for kind, quad in found if kind in TOP_ROW and quad is not None
    ]
    above = [depth for _, depth in depths if depth < columns.depth - columns.height / 2]
    if not above and any(kind == "foundation" for kind, _ in depths):
        return None
    row = float(np.median(above)) if above else columns.depth - ROW_CARD_HEIGHTS * columns.height
    is_lone = bool(depths) and not above
    return row + (SEEN_CARD_HEIGHTS if is_lone else -SHOWN_CARD_HEIGHTS) * columns.height
