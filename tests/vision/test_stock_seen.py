"""Whether photos show a stock, and which of them tell that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.cards import parse_card
from tests.vision.simulate import Laid, photograph, seen
from vision.cards.missed_backs import find_missed_backs
from vision.history.common_layout import lay_together
from vision.history.read_tables import ReadTable
from vision.history.stock_seen import find_stocks
from vision.layout.game_choice import predict_layout_from
from vision.layout.klondike import GAME, places_of, spots_of, spots_to_photo
from vision.networks.surface_map import BACK, Surfaces

COLUMNS = ["2S", "AD", "JS", "9C", "8C", "4C", "TS"]
WASTE, STOCK = 5 * 90.0, 6 * 90.0


def photo(*, stock: bool = True, on_it: str = "", aim_at_stock: bool = True, line: float | None = None) -> ReadTable:
    """Seven columns of a card each, and above them foundations, the waste and the stock; a line that looks like one."""
    row = [Laid(parse_card(word), 90.0 * k, 0.0, 0.0, "none") for k, word in enumerate(COLUMNS)]
    tops = [Laid(parse_card(word), 90.0 * k, -130.0, 0.0, "none") for k, word in enumerate(("2D", "3C"))]
    waste = Laid(parse_card("JH"), WASTE, -130.0, 0.0, "none")
    there = [Laid(parse_card(on_it) if on_it else None, STOCK, -130.0, 0.0, "none")] * (stock or bool(on_it))
    there += [Laid(None, line, 260.0, 0.0, "none")] * (line is not None)
    aim = [*row[:6], *tops, waste] if not aim_at_stock else [*row, Laid(None, STOCK, -130.0, 0.0, "none")]
    table = seen(photograph([*row, *tops, waste, *there], game=None, position=None, aim=aim), 1)
    return ReadTable(table, predict_layout_from(table, GAME, 0))


def stocks(photos: Sequence[ReadTable]) -> list[bool | None]:
    places = [places_of(read.table, read.layout) for read in photos]
    return find_stocks(photos, places, lay_together(photos))


def test_a_photo_that_shows_nothing_in_the_place_of_the_stock_tells_that_it_is_gone() -> None:
    assert stocks([photo(), photo(), photo(), photo(stock=False)]) == [True, True, True, False]


def test_what_looks_like_a_back_elsewhere_is_no_stock_and_keeps_none_from_being_found() -> None:
    seen_stocks = [photo(line=x) for x in (0.0, 200.0, 400.0)]
    assert stocks([*seen_stocks, photo(stock=False, line=100.0), photo(stock=False)]) == [True, True, True, None, False]


def test_a_stock_that_few_photos_show_is_missed_in_none() -> None:
    assert stocks([photo(), photo(), photo(stock=False)]) == [True, True, None]


def test_a_photo_tells_nothing_where_what_looks_like_a_back_lies_in_the_place_of_the_stock() -> None:
    without, shown = photo(stock=False), photo().table
    (back,) = shown.backs
    missed = replace(
        without, missed_backs=without.table.plane.to_photo(shown.plane.from_photo(back.quad.mean(0)[None]))
    )
    assert stocks([photo(), photo(), photo(), missed])[3] is None
    elsewhere = replace(without, missed_backs=missed.missed_backs + 300.0)
    assert stocks([photo(), photo(), photo(), elsewhere])[3] is False


def test_backs_that_were_not_found_lie_where_no_card_and_no_back_does() -> None:
    table = photo().table
    width, height = table.size
    shown = np.zeros((height // 8, width // 8, 3), np.float32)
    (back,) = table.backs
    away = np.array([0.0, 480.0])
    for quad in (back.quad, back.quad + away):
        (left, top), (right, bottom) = (edge.astype(int) // 8 for edge in (quad.min(0), quad.max(0)))
        shown[top:bottom, left:right, BACK] = 1.0
    assert find_missed_backs(table, Surfaces(np.zeros_like(shown), 8.0)).shape == (0, 2)
    (missed,) = find_missed_backs(table, Surfaces(shown, 8.0))
    assert np.abs(missed - back.quad.mean(0) - away).max() < 16.0


def test_a_photo_whose_edge_cuts_the_stocks_place_or_in_which_a_card_lies_there_tells_nothing() -> None:
    cut = photo(stock=False, aim_at_stock=False)
    assert stocks([photo(), photo(), photo(), cut, photo(stock=False, on_it="5H")])[3:] == [None, None]


def test_spots_lie_where_the_photo_shows_them() -> None:
    read = photo()
    middles = np.array([card.centre for card in read.table.cards])
    spots = spots_of(read.table, read.layout)[: len(middles)]
    assert np.allclose(spots_to_photo(read.table, read.layout, spots), read.table.plane.to_photo(middles))
