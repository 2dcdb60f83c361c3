"""Asks about piles of solitaires that would lie beyond the edge of every picture: what is not shown is not empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np

from drawing.zones import place_name
from solver.cards import SUIT_CHARS
from solver.place import NOWHERE, Place
from vision.cards.geometry import Array
from vision.cut_melds import CUT_DOUBT, is_shown, quad_on_map
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadBack, ReadCard

COLUMNS: Final = 7
DECK: Final = 52
TOP_ROW: Final = ("foundation", "waste", "stock")
"""Kinds of places that lie in one row above the columns."""
ROW_CARD_HEIGHTS: Final = 1.25
"""How far that row is above the uppermost card of the columns where nothing of it is seen."""
SHOWN_CARD_HEIGHTS: Final = 0.25
"""So far above its middle a card's place in that row is to be shown: of less the index is cut off."""
FEWEST_COLUMNS: Final = 3
"""So many columns tell where the others would lie."""
UPRIGHT_COSINE: Final = 0.8
"""Cards that lie otherwise are laid in rows, and where their top row lies nothing tells."""
FAN_CARD_HEIGHTS: Final = 0.6
"""Of the last card of a column so much is to be shown: in a fan the next one would lie no farther down."""
SIDE_SHARE: Final = 0.7
"""A card is cut off where the picture does not show it so far from its middle to a side."""
INDEX_CARD_HEIGHTS: Final = 0.4
"""So far above its middle a card's index lies."""
EDGE_SHARE: Final = 0.01
"""What comes nearer to the edge of a picture, as a share of its width, may be cut off by it."""
_Spots = Mapping[int | None, tuple[int, int]]
CORNERS: Final[_Spots] = {0: (-1, -1), 1: (1, -1), 2: (-1, 1), 3: (1, 1)}
"""Steps to the right and down from the middle of the nine piles, by the numbers of the piles."""
_EDGES: Final[_Spots] = {0: (0, -1), 1: (-1, 0), 2: (1, 0), 3: (0, 1)}
_CENTRE: Final[_Spots] = {None: (0, 0)}
NINE: Final[tuple[Mapping[str, _Spots], ...]] = (
    {"corner": CORNERS, "spare": _EDGES, "centre": _CENTRE},
    {"reserve": _EDGES, "centre": _CENTRE},
)
"""The kinds of piles among the nine that have a fixed place, with one deck and with two."""
BESIDE_NINE: Final[Mapping[str, tuple[str, Collection[str]]]] = {
    "deck": ("discard", ("corner", "spare")),
    "stock": ("waste", ("reserve", "tableau")),
}
"""What lies beside the nine piles: the deck, the pile of cards turned from it, and piles that tell which game it is."""
BEYOND: Final = "the picture shows no {}: do cards that were turned lie beyond its edge?"
TABLEAU_PILES: Final = 4
FEWEST_IN_LINE: Final = 2
"""So many piles of a two-deck tableau tell where the others would lie."""
FEWEST_OF_NINE: Final = 4
"""So many of them tell where the others would lie."""
MOST_UNEVEN_STEPS: Final = 0.4
"""They lie in a grid if none is farther from its place in it, in steps."""

_Hidden = tuple[str, Place | None, Array]
"""A pile that no picture shows: in words, its place if it is a single one, and where it would lie on the map."""


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


def ask_about_cut_piles(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], photos: Sequence[Photo], to_map: Sequence[Array | None]
) -> list[Question]:
    """A question about each empty pile that no picture shows, where those that are seen tell its place.

    These are columns of Klondike and the row above them, and the nine piles of Napoleon's Tomb.

    Args:
        cards: What was read.
        backs: The cards face down that were found.
        photos: The pictures.
        to_map: For each of the first pictures the 3x3 homography from its pixels to one map; None where it has none.
    """

    def is_seen(spot: Array) -> bool:
        return any(is_shown(spot[None], photo, own) for photo, own in zip(photos, to_map, strict=False))

    middles = {
        number: quad.mean(0)
        for number, card in enumerate(cards)
        if card.place != NOWHERE and (quad := quad_on_map(card, to_map)) is not None
    }
    places = {cards[number].place: middle for number, middle in middles.items()}
    hidden = [
        *_hidden_of_klondike(columns := _find_columns(cards, to_map), cards, backs, to_map, is_seen),
        *_hidden_in_fans(columns, cards, to_map, is_seen),
        *_hidden_in_top_row(columns, cards, to_map, is_seen),
        *_hidden_by_stock(columns, cards, backs, photos),
        *_hidden_of_nine(places, is_seen),
        *_hidden_of_tableau(places, is_seen),
        *_hidden_beside_nine(cards, backs, photos, middles),
    ]
    asked = []
    for text, place, spot in hidden:
        number = min(middles, key=lambda number: float(np.linalg.norm(middles[number] - spot)))
        text = text if text.endswith("?") else f"{text}: does a card lie there?"
        sights = tuple(sight.outline for sight in cards[number].sights[:1])
        asked.append(Question(QuestionKind.UNREAD, text, place, cards=(number,), doubt=CUT_DOUBT, sights=sights))
    return asked


def _hidden_of_klondike(
    seen: _Columns | None,
    cards: Sequence[ReadCard],
    backs: Sequence[ReadBack],
    to_map: Sequence[Array | None],
    is_seen: Callable[[Array], bool],
) -> Iterator[_Hidden]:
    """Columns that no picture shows, or else the row above them."""
    if seen is None:
        return
    empty = [k for k in range(COLUMNS) if k not in seen.columns]
    columns = [(k, spot) for k in empty if not is_seen(spot := seen.spot(k))]
    for k, spot in columns:
        yield f"column {k + 1} would lie beyond the edge of the picture", Place("column", k), spot
    row = _depth_of_top_row(seen, cards, backs, to_map)
    above = SHOWN_CARD_HEIGHTS * seen.height * seen.down
    spots = [] if row is None else [seen.spot(k, row) for k in range(COLUMNS)]
    cut = [spot for spot in spots if not (is_seen(spot) and is_seen(spot - above))]
    if cut and not columns:
        yield "the picture ends above the columns", None, cut[0]


def _hidden_in_fans(
    seen: _Columns | None,
    cards: Sequence[ReadCard],
    to_map: Sequence[Array | None],
    is_seen: Callable[[Array], bool],
) -> Iterator[_Hidden]:
    """Columns that may go on where the picture cuts off their last card."""
    if seen is None:
        return
    last: dict[Place, Array] = {}
    for card in cards:
        if card.place.kind == "column" and (quad := quad_on_map(card, to_map)) is not None:
            middle = quad.mean(0)
            if card.place not in last or (middle - last[card.place]) @ seen.down > 0:
                last[card.place] = middle
    along = seen.height * seen.down
    for place, middle in last.items():
        spot = middle + (FAN_CARD_HEIGHTS - 0.5) * along
        if is_seen(middle - INDEX_CARD_HEIGHTS * along) and not is_seen(spot):
            yield f"the picture ends in {place_name(place)}", place, spot


def _hidden_in_top_row(
    seen: _Columns | None,
    cards: Sequence[ReadCard],
    to_map: Sequence[Array | None],
    is_seen: Callable[[Array], bool],
) -> Iterator[_Hidden]:
    """Waste and foundations that may go on where the picture cuts off one of their cards."""
    if seen is None:
        return
    lying = [(card.place, quad) for card in cards if (quad := quad_on_map(card, to_map)) is not None]
    for kind, place, most in (("waste", Place("waste"), DECK), ("foundation", None, len(SUIT_CHARS))):
        quads = [quad for own, quad in lying if own.kind == kind]
        cut = [spot for quad in quads for spot in _sides(quad) if not is_seen(spot)]
        if cut and len(quads) < most:
            yield f"the picture ends in the {kind}{'s' * (place is None)}", place, cut[0]


def _sides(quad: Array) -> Array:
    """(4, 2) spots of a card near the middles of its sides."""
    middles = (quad + np.roll(quad, -1, axis=0)) / 2
    return np.asarray(quad.mean(0) + SIDE_SHARE * (middles - quad.mean(0)))


def _hidden_by_stock(
    seen: _Columns | None, cards: Sequence[ReadCard], backs: Sequence[ReadBack], photos: Sequence[Photo]
) -> Iterator[_Hidden]:
    """The waste, where none is seen and the stock beside it is cut off, or not seen either after the deal."""
    stock = [back for back in backs if back.place.kind == "stock"]
    kinds = Counter(card.place.kind for card in cards)
    if seen is None or kinds["waste"]:
        return
    if stock and not any(_is_shown_whole(back, photos) for back in stock):
        yield "the picture cuts off the stock", Place("waste"), seen.start
    elif not stock and (kinds["foundation"] or kinds["column"] != COLUMNS):
        yield BEYOND.format("stock"), Place("waste"), seen.start


def _is_shown_whole(lying: ReadCard | ReadBack, photos: Sequence[Photo]) -> bool:
    """Whether a picture shows a card with something around it."""
    for sight in lying.sights:
        photo, quad = photos[sight.photo], np.array(sight.quad)
        margin = EDGE_SHARE * photo.width
        if ((quad > margin) & (quad < np.array([photo.width, photo.height]) - margin)).all():
            return True
    return False


def _hidden_of_nine(middles: Mapping[Place, Array], is_seen: Callable[[Array], bool]) -> Iterator[_Hidden]:
    """Piles of the nine that no picture shows; with two decks each foundation has any of the corners."""
    kinds = NINE[any(place.kind == "reserve" for place in middles)]
    grid = {Place(kind, number): at for kind, spots in kinds.items() for number, at in spots.items()}
    seen = [place for place in grid if place in middles]
    if len(seen) < FEWEST_OF_NINE:
        return
    # The piles' places on the map by their places in the grid: how far a step to the right and one down leads.
    steps = np.array([(*grid[place], 1) for place in seen], float)
    found = np.array([middles[place] for place in seen])
    to_spot = np.linalg.lstsq(steps, found)[0]
    pitch = float(np.linalg.norm(to_spot[:2], axis=1).min())
    if np.linalg.matrix_rank(steps) < 3 or np.abs(steps @ to_spot - found).max() > MOST_UNEVEN_STEPS * pitch:
        return

    def spot(at: tuple[int, int]) -> Array:
        return np.asarray(np.array([*at, 1.0]) @ to_spot)

    for place, at in grid.items():
        if place not in middles and not is_seen(spot(at)):
            yield f"{place_name(place)} would lie beyond the edge of the picture", place, spot(at)
    foundations = sum(place.kind == "foundation" for place in middles)
    cut = [spot(at) for at in CORNERS.values() if not is_seen(spot(at))]
    if "corner" not in kinds and cut and foundations < len(CORNERS):
        yield "the picture cuts off a corner of the nine piles", None, cut[0]


def _hidden_beside_nine(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], photos: Sequence[Photo], middles: Mapping[int, Array]
) -> Iterator[_Hidden]:
    """The cards that were turned from the deck, where none is seen.

    There are none only at the beginning. Where the deck is not seen either, or the edge of the picture touches one of
    the piles, they may lie beyond it.
    """
    for closed, (turned, piles) in BESIDE_NINE.items():
        own = [number for number in middles if cards[number].place.kind in piles]
        if len(own) < FEWEST_OF_NINE or any(card.place.kind == turned for card in cards):
            continue
        if all(back.place.kind != closed for back in backs):
            yield BEYOND.format(closed), None, middles[own[0]]
        else:
            cut = (number for number in own if not _is_shown_whole(cards[number], photos))
            yield from ((f"the picture ends at {cards[n].text}", None, middles[n]) for n in islice(cut, 1))


def _hidden_of_tableau(middles: Mapping[Place, Array], is_seen: Callable[[Array], bool]) -> Iterator[_Hidden]:
    """Piles of the two-deck Tomb's tableau, which lie in a line, that no picture shows."""
    row = {place.number or 0: middle for place, middle in middles.items() if place.kind == "tableau"}
    if len(row) < FEWEST_IN_LINE:
        return
    numbers, found = np.array(list(row)), np.array(list(row.values()))
    step = _step(numbers, found)
    start = found.mean(0) - numbers.mean() * step
    for k in range(TABLEAU_PILES):
        if k not in row and not is_seen(spot := start + k * step):
            place = Place("tableau", k)
            yield f"{place_name(place)} would lie beyond the edge of the picture", place, spot


def _find_columns(cards: Sequence[ReadCard], to_map: Sequence[Array | None]) -> _Columns | None:
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
    return _Columns(frozenset(first), start, step, down, depth, height)


def _step(numbers: Array, middles: Array) -> Array:
    """(2,) how far a column lies from the one before, by the cards of numbered columns."""
    away = numbers - numbers.mean()
    return np.asarray((away[:, None] * (middles - middles.mean(0))).sum(0) / (away**2).sum())


def _depth_of_top_row(
    columns: _Columns, cards: Sequence[ReadCard], backs: Sequence[ReadBack], to_map: Sequence[Array | None]
) -> float | None:
    """How far down the top row lies; None where it lies elsewhere, or all foundations and the waste are seen.

    Stock and waste may lie elsewhere without the foundations.
    """
    foundations = {card.place.number for card in cards if card.place.kind == "foundation" and card.sights}
    if len(foundations) == len(SUIT_CHARS) and any(card.place.kind == "waste" for card in cards):
        return None
    lying: list[ReadCard | ReadBack] = [*cards, *backs]
    found = [
        (one, quad) for one in lying if one.place.kind in TOP_ROW and (quad := quad_on_map(one, to_map)) is not None
    ]
    depths = [(one.place.kind, float(quad.mean(0) @ columns.down)) for one, quad in found]
    above = [depth for _, depth in depths if depth < columns.depth - columns.height / 2]
    if not above and any(kind == "foundation" for kind, _ in depths):
        return None
    return float(np.median(above)) if above else columns.depth - ROW_CARD_HEIGHTS * columns.height
