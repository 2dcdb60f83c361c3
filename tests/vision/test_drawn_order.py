"""Mixed photos between which only the stock was turned are put in the order that takes the fewest draws."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from datasets.games.played_klondike import play_game
from solver.klondike.move import DRAW
from solver.klondike.position import Position
from solver.record import Record
from tests.vision.simulated_sights import see
from vision.history import game_history
from vision.history.drawn_order import DrawnOrder, find_drawn_order
from vision.history.game_history import order_by_draws, order_of, tell_game, with_order_by_draws
from vision.history.lattice import Memory
from vision.history.record_writer import PhotoSight

pytestmark = pytest.mark.xdist_group("history")  # which searches each game once
TABLE = (
    "klondike draw: 1; columns: [KD] | ?? [7S] | ?? ?? [QC] | ?? ?? ?? [4D] | ?? ?? ?? ?? [{}] | {} [3D] | {} [6S]"
    "; foundations:; stock: {}; waste: {}"
)
DEAL = ("9D", "?? " * 5, "?? " * 6)
LATER = ("9D 8S", "?? " * 5, "?? " * 6)
DRAWN = (
    TABLE.format(*DEAL, "?? " * 24, ""),
    TABLE.format(*DEAL, "?? " * 23, "5D"),
    TABLE.format(*DEAL, "?? " * 22, "5D TC"),
    TABLE.format(*LATER, "?? " * 21, "5D TC"),
)


def photos_of(*tables: str) -> list[PhotoSight]:
    rng = np.random.default_rng(0)
    return [PhotoSight(f"{n}.jpg", see(rng, Position.parse(table), noise=0.0)) for n, table in enumerate(tables)]


def draws_of(record: Record | None) -> int:
    assert record is not None
    return sum(step.move == DRAW for step in record.steps)


def test_of_photos_of_one_table_those_come_first_whose_cards_were_turned_first() -> None:
    photos = photos_of(*DRAWN)
    wrong = [photos[n] for n in (0, 2, 1, 3)]
    memory = Memory()
    assert order_by_draws(wrong, 1, memory=memory) == DrawnOrder((0, 2, 1, 3))
    assert order_by_draws(photos, 1) == DrawnOrder((0, 1, 2, 3)), "what is in order stays so"
    assert draws_of(tell_game(wrong, 1, memory=memory).record) > 3 == draws_of(tell_game(photos, 1).record)


def test_where_nothing_tells_which_was_taken_first_it_is_said() -> None:
    photos = photos_of(*DRAWN[:3])
    assert order_by_draws(photos, 1) == DrawnOrder((0, 1, 2), ((1, 2),))
    again = [*photos, photos[1]]
    assert [set(numbers) for numbers in order_by_draws(again, 1).open] == [{1, 2, 3}], "the stock was turned over"
    mixed = replace(tell_game(photos, 1), order=(0, 2, 1))
    said = [str(check) for check in with_order_by_draws(mixed, photos, 1).photos[0].checks]
    assert said[0].endswith("their order is: 0.jpg, 2.jpg, 1.jpg")
    undecided = "between 2.jpg and 1.jpg only the stock was turned: nothing tells which of them was taken first"
    assert said[1] == undecided


def test_a_tie_after_hundreds_of_photos_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(game_history, "find_drawn_order", lambda *given: asked.append(given) or DrawnOrder((0, 1, 2)))
    order_by_draws(photos_of(*DRAWN[:3]), 1)
    ((history, (first, *others), draw),) = asked
    apart, state = replace(history.edges[0], left_out=True), history.states[0]
    many: Any = SimpleNamespace(
        edges=(*[apart] * 600, *history.edges[1:]), states=(*[state] * 600, *history.states[1:])
    )
    assert find_drawn_order(many, [*[first] * 600, *others], draw).open == ((600, 601),)


@pytest.mark.parametrize("seed", [8])
def test_a_mixed_game_with_missing_photos_has_as_many_draws_as_in_order(seed: int) -> None:
    game, rng = play_game(np.random.default_rng(seed)), np.random.default_rng(seed)
    tables = [see(rng, game.position(n), noise=0.0) for n in range(10) if n % 3 != 2]
    photos = [PhotoSight(f"{n}.jpg", sight) for n, sight in enumerate(tables)]
    mixed = [photos[n] for n in np.random.default_rng(seed).permutation(len(photos))]
    by_cards = [mixed[n] for n in order_of(mixed, range(len(mixed)))]
    memory = Memory()
    found = order_by_draws(by_cards, memory=memory)
    assert [by_cards[n] for n in found.order] == photos
    assert not found.open
    assert draws_of(tell_game(by_cards, memory=memory).record) > 2 * draws_of(tell_game(photos).record)
