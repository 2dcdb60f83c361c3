"""What a film has shown so far, by place, and where the camera ought to go next."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solver.cards import parse_card
from vision.film.seen_so_far import SETTLED, SeenSoFar, seen_so_far

WIDTH, HEIGHT = 600, 400
CARD = np.array([[0.0, 0], [40, 0], [40, 60], [0, 60]])


def frame(
    x: float, cards: dict[tuple[int, int], str], *, speed: float = 0.0, run: int = 0, index_px: float = 12.0
) -> Any:
    """A frame that shows 600 x 400 px of a table from `x` on, with what was read of the cards at some places in it."""
    to_run = np.array([[1.0, 0, x], [0, 1, 0], [0, 0, 1]])
    key = SimpleNamespace(to_run=to_run, size=(WIDTH, HEIGHT), run=run, is_blurred=speed > 0.02)
    seen = []
    for (left, top), name in cards.items():
        log_card = np.full(52, -9.0)
        log_card[parse_card(name).index] = -0.01
        if left < x + WIDTH:
            quad = CARD + np.array([left - x, top])
            seen.append(SimpleNamespace(log_card=log_card, best=parse_card(name), quad=quad))
    return key, SimpleNamespace(cards=seen, template=SimpleNamespace(height=60 / index_px))


def told(*frames: Any) -> SeenSoFar:
    keys, tables = zip(*frames, strict=True)
    return seen_so_far(keys, tables, 12.0)


def test_a_card_is_seen_twice_at_its_own_place_only() -> None:
    twins = {(100, 200): "7C", (300, 200): "7C"}
    found = told(frame(0, twins), frame(10, twins))
    assert [card.times for card in found.cards] == [2, 2]
    assert found.cards[0].quad[0] == pytest.approx([90 / WIDTH, 200 / HEIGHT]), "where the latest frame shows it"
    assert found.is_whole
    assert found.wanted is None


def test_what_one_frame_showed_is_wanted_again() -> None:
    found = told(frame(0, {(280, 180): "7C"}), frame(0, {}))
    assert not found.is_whole
    assert found.wanted == pytest.approx([0.5, 0.525])
    views = [frame(0, {}) for _ in range(SETTLED - 1)]
    assert told(frame(0, {(280, 180): "7C"}), *views).is_whole, "what no other frame shows there may be nothing"


def test_what_lies_round_a_card_ought_to_be_in_view() -> None:
    at_the_right = {(550, 200): "7C"}
    found = told(frame(0, at_the_right), frame(0, at_the_right))
    assert found.wanted is not None
    assert found.wanted[0] > 1
    assert told(frame(0, at_the_right), frame(60, at_the_right)).is_whole
    assert not told(frame(0, at_the_right), frame(60, at_the_right, speed=0.1)).is_whole, "it was blurred there"
    views = [frame(0, {}) for _ in range(SETTLED - 1)]
    assert told(frame(0, at_the_right), *views).is_whole, "round what may be nothing there is nothing to be seen"


def test_what_was_only_seen_from_afar_is_wanted_once_more() -> None:
    twins = {(100, 200): "7C", (300, 200): "7C"}
    afar, near = frame(0, twins, index_px=7.0), frame(0, twins)
    found = told(*[afar] * (SETTLED + 1))
    assert not found.is_whole
    assert [card.times for card in found.cards] == [1, 1]
    assert not told(afar, afar, near).is_whole
    assert told(afar, near, near).is_whole


def test_the_camera_ought_to_come_closer_where_indices_are_small() -> None:
    key, table = frame(0, {(100, 200): "7C"})
    assert [seen_so_far([key], [table], px).is_far for px in (None, 12.0, 7.0)] == [False, False, True]


def test_nothing_seen_is_not_everything_seen() -> None:
    assert not told(frame(0, {})).is_whole


def test_where_the_way_is_lost_what_was_before_does_not_lie_anywhere() -> None:
    found = told(frame(0, {(100, 200): "7C"}), frame(0, {(200, 200): "8C"}, run=1))
    assert len(found.cards) == 1
    assert replace(found, cards=()).frame == 1
