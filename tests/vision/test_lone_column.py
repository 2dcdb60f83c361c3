"""A photo of one Klondike column gives its cards in order, from pixels on: rendered and read with the networks."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.layouts import FAMILIES
from datasets.scenes.whole_tables import render_table
from vision.photo_to_reading import read_photo

COLUMNS = [["KS", "QH", "JC", "TD", "9S"], ["5D", "9C", "QS", "2H", "JH", "3C"], ["7H", "6S", "5D", "4C"]]
EMPTY = {"down": [], "up": []}
FAMILY = next(family for family in FAMILIES if family.name == "klondike/a column or a few")
"""Named, so that a new way to lay other tables does not change these pictures."""


@pytest.mark.usefixtures("own_fonts")
@pytest.mark.parametrize("seed", range(len(COLUMNS)))
def test_the_cards_of_a_lone_column_come_in_order(seed: int) -> None:
    position = {
        "game": "klondike",
        "columns": [{"down": [], "up": COLUMNS[seed]}, *[EMPTY] * 6],
        "foundations": dict.fromkeys("CDHS", 0),
        "stock": [],
        "waste": [],
    }
    rng = np.random.default_rng([5, seed])
    photo, _ = render_table(rng, "validation", "klondike", (960, 720), position=position, family=FAMILY)
    reading = read_photo(photo, game="klondike")
    assert [card.text for card in reading.cards if card.place.kind == "column"] == COLUMNS[seed]
    assert f"the other {52 - len(COLUMNS[seed])} cards are taken to lie in the stock" in " ".join(reading.notes)
