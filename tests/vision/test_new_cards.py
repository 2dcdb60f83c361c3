"""Cards that one of two photos shows, and the other one the bare table there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solver.cards import parse_card
from vision.image import load
from vision.networks.surface_map import NEITHER, Surfaces, load_surface_map
from vision.new_cards import ask_about_new_cards
from vision.photo_to_reading import read_images
from vision.question import LAID, Question
from vision.read_card import ReadCard, Sight
from vision.reading import Reading

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "makiaveli_1.jpg"


@pytest.fixture(scope="module")
def photo() -> np.ndarray[Any, np.dtype[np.uint8]]:
    return load(SAMPLE)


@pytest.fixture(scope="module")
def reading(photo: np.ndarray[Any, np.dtype[np.uint8]]) -> Reading:
    return read_images([photo])


def bare_place(surfaces: Surfaces, quad: np.ndarray) -> np.ndarray:
    """An outline moved to where nothing lies for half a card round it."""
    high, wide = surfaces.probabilities.shape[:2]
    least, most = quad.min(0), quad.max(0)
    size = np.ceil(1.5 * (most - least) / surfaces.spot_px).astype(int)
    covered = 1 - surfaces.probabilities[..., NEITHER]
    places = [(x, y) for y in range(high - size[1]) for x in range(wide - size[0])]
    x, y = min(places, key=lambda at: float(covered[at[1] : at[1] + size[1], at[0] : at[0] + size[0]].max()))
    return np.asarray(quad - least + (np.array([x, y]) + size / 6) * surfaces.spot_px)


def asked(reading: Reading, cards: list[ReadCard], photo: Any) -> list[Question]:
    joined: Any = SimpleNamespace(to_map=(np.eye(3), np.eye(3)))
    findings: Any = [SimpleNamespace(image=photo)] * 2
    backs = [replace(back, sights=(*back.sights, replace(back.sights[0], photo=1))) for back in reading.backs]
    return list(ask_about_new_cards(cards, backs, joined, findings, ["photo 1", "photo 2"]))


def test_a_card_is_asked_about_where_the_other_photo_shows_the_bare_table(reading: Reading, photo: Any) -> None:
    both = [replace(card, sights=(*card.sights, replace(card.sights[0], photo=1))) for card in reading.cards]
    assert not asked(reading, both, photo)
    *others, last = both
    there = [*others, replace(last, sights=last.sights[1:])]
    assert not asked(reading, there, photo), "it was not read there, but it lies there"
    quad = bare_place(load_surface_map().see(photo), np.array(last.quad))
    new = replace(last, card=parse_card("KC"), sights=(Sight(1, tuple(map(tuple, quad.tolist()))),))
    (question,) = asked(reading, [*both, new], photo)
    assert (question.photos, question.choices, question.moved) == ((0, 1), LAID, ("KC",))
    assert question.text.startswith("KC only in photo 2; photo 1 shows a bare table there")
    (question,) = asked(reading, [*both, replace(new, sights=(replace(new.sights[0], photo=0),))], photo)
    assert question.photos == (1, 0), "photo 1 was taken later"
    assert not asked(reading, [*both, replace(new, confidence=0.5)], photo), "it may be none"
    beyond = tuple((x - 10_000, y) for x, y in new.sights[0].quad)
    assert not asked(reading, [*both, replace(new, sights=(Sight(1, beyond),))], photo), (
        "the photo does not show its place"
    )


def test_of_one_photo_nothing_is_asked(reading: Reading, photo: Any) -> None:
    joined: Any = SimpleNamespace(to_map=(np.eye(3),))
    assert not list(ask_about_new_cards(reading.cards, reading.backs, joined, [], ["photo 1"]))
