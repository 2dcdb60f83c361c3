"""What is plain to see of a column is believed, whatever the deal gave to it: rendered and read with the networks.

The seeds are those of tables whose columns the networks count with hardly a doubt. Others they count wrong, or so
nearly either way that noise decides.
"""

from __future__ import annotations

import numpy as np
import pytest

from datasets.layouts import FAMILIES
from datasets.scenes.whole_tables import render_table
from vision.photo_to_reading import read_photo

UP = ("KS QH", "9D 8S", "5C", "JC TD", "7H 6S", "3D 2C", "QC")
HIDDEN = [0, 1, 2, 1, 4, 3, 5]
"""The deal hides 0 to 6: three of these columns have turned cards since."""
POSITION = {
    "game": "klondike",
    "columns": [{"down": ["??"] * hidden, "up": up.split()} for hidden, up in zip(HIDDEN, UP, strict=True)],
    "foundations": {"C": 0, "D": 0, "H": 2, "S": 0},
    "stock": ["??"] * 21,
    "waste": ["9S"],
}
FAMILY = next(family for family in FAMILIES if family.name == "klondike/usual")


@pytest.mark.usefixtures("own_fonts")
@pytest.mark.parametrize("seed", [5, 7, 14])
def test_a_column_that_plainly_hides_another_number_than_the_deal_is_counted_as_it_is(seed: int) -> None:
    assert counts_of(seed, "usual") == HIDDEN


@pytest.mark.usefixtures("own_fonts")
@pytest.mark.parametrize("seed", [2, 7, 14])
def test_so_it_is_where_backs_are_printed_to_the_edge(seed: int) -> None:
    assert counts_of(seed, "ornate") == HIDDEN


def counts_of(seed: int, backs: str) -> list[int]:
    """How many cards each column hides, as a rendered photo is read."""
    rng = np.random.default_rng([7, seed])
    photo, truth = render_table(
        rng, "validation", "klondike", (1280, 960), position=POSITION, family=FAMILY, backs=backs, strength=0.0
    )
    reading = read_photo(photo, game="klondike")
    assert truth["position"] is not None
    assert reading.position is not None
    return [len(column["down"]) for column in reading.position.to_json()["columns"]]
