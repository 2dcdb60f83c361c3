"""Piles of Napoleon's Tomb that lie beyond the edge of every picture."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from drawing.zones import place_name
from solver.place import NOWHERE, Place
from vision.cards.geometry import Array
from vision.cut_off.pictures import Hidden, Pictures, Spot, ask_there, line_step, near_cards
from vision.read_card import ReadBack, ReadCard

_Steps = Mapping[int | None, tuple[int, int]]
CORNERS: Final[_Steps] = {0: (-1, -1), 1: (1, -1), 2: (-1, 1), 3: (1, 1)}
"""Steps to the right and down from the middle of the nine piles, by the numbers of the piles."""
_EDGES: Final[_Steps] = {0: (0, -1), 1: (-1, 0), 2: (1, 0), 3: (0, 1)}
_CENTRE: Final[_Steps] = {None: (0, 0)}
NINE: Final[tuple[Mapping[str, _Steps], ...]] = (
    {"corner": CORNERS, "spare": _EDGES, "centre": _CENTRE},
    {"reserve": _EDGES, "centre": _CENTRE},
)
"""The kinds of piles among the nine that have a fixed place, with one deck and with two."""
BESIDE_NINE: Final[Mapping[str, tuple[str, Collection[str]]]] = {
    "deck": ("discard", ("corner", "spare")),
    "stock": ("waste", ("reserve", "tableau")),
}
"""What lies beside the nine piles: the deck, the pile of cards turned from it, and piles that tell which game it is."""
TABLEAU_PILES: Final = 4
FEWEST_IN_LINE: Final = 2
"""So many piles of a two-deck tableau tell where the others would lie."""
FEWEST_OF_NINE: Final = 4
"""So many of the nine tell where the others would lie."""
MOST_UNEVEN_STEPS: Final = 0.4
"""They lie in a grid if none is farther from its place in it, in steps."""


def find_hidden_in_tombs(cards: Sequence[ReadCard], backs: Sequence[ReadBack], pictures: Pictures) -> Iterator[Hidden]:
    """Each pile that no picture shows, where those that are seen tell its place, or that there is one."""
    quads = pictures.outlines(cards)
    middles = {n: quad.mean(0) for n, quad in quads.items() if cards[n].place != NOWHERE}
    places = {cards[number].place: middle for number, middle in middles.items()}
    piles = (
        *_hidden_of_nine(places, pictures),
        *_hidden_of_tableau(places, pictures),
        *_hidden_beside_nine(cards, backs, pictures, middles),
    )
    yield from near_cards(piles, cards, quads)


def _hidden_of_nine(middles: Mapping[Place, Array], pictures: Pictures) -> Iterator[Spot]:
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
        if place not in middles and not pictures.show(spot(at)):
            yield ask_there(f"{place_name(place)} would lie beyond the edge of the picture"), place, spot(at)
    foundations = sum(place.kind == "foundation" for place in middles)
    cut = [spot(at) for at in CORNERS.values() if not pictures.show(spot(at))]
    if "corner" not in kinds and cut and foundations < len(CORNERS):
        yield ask_there("the picture cuts off a corner of the nine piles"), None, cut[0]


def _hidden_of_tableau(middles: Mapping[Place, Array], pictures: Pictures) -> Iterator[Spot]:
    """Piles of the two-deck Tomb's tableau, which lie in a line, that no picture shows."""
    row = {place.number or 0: middle for place, middle in middles.items() if place.kind == "tableau"}
    if len(row) < FEWEST_IN_LINE:
        return
    numbers, found = np.array(list(row)), np.array(list(row.values()))
    step = line_step(numbers, found)
    start = found.mean(0) - numbers.mean() * step
    for k in range(TABLEAU_PILES):
        if k not in row and not pictures.show(spot := start + k * step):
            place = Place("tableau", k)
            yield ask_there(f"{place_name(place)} would lie beyond the edge of the picture"), place, spot


def _hidden_beside_nine(
    cards: Sequence[ReadCard], backs: Sequence[ReadBack], pictures: Pictures, middles: Mapping[int, Array]
) -> Iterator[Spot]:
    """The cards that were turned from the deck, where none is seen.

    There are none only at the beginning. Where the deck is not seen either, or the edge of the picture touches one of
    the piles, they may lie beyond it.
    """
    for closed, (turned, piles) in BESIDE_NINE.items():
        own = [number for number in middles if cards[number].place.kind in piles]
        if len(own) < FEWEST_OF_NINE or any(card.place.kind == turned for card in cards):
            continue
        cut = [number for number in own if not pictures.show_whole(cards[number])]
        if all(back.place.kind != closed for back in backs):
            yield (
                f"I see no {closed}: do cards that were turned lie beyond the edge of the picture?",
                None,
                middles[own[0]],
            )
        elif cut:
            yield ask_there(f"the picture ends at {cards[cut[0]].text}"), None, middles[cut[0]]
