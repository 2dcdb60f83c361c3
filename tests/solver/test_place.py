"""Places: one type behind zones, paths and attributes."""

from __future__ import annotations

import pytest

from plumbing.errors import NotationError
from solver import klondike, makiaveli, tomb_double, tomb_single
from solver.place import NOWHERE, Place
from vision.layout.vocabulary import ZONES

NAMES = [*(zone for zones in ZONES.values() for zone in zones), *(f"foundation/{suit}" for suit in "CDHS"), "floor/11"]


@pytest.mark.parametrize("name", [str(name) for name in NAMES])
def test_a_zone_prints_as_it_was_written(name: str) -> None:
    assert str(Place.parse(name)) == name


@pytest.mark.parametrize(
    ("zone", "path"),
    [
        ("column/2", "columns/2"),
        ("foundation/H", "foundations/H"),
        ("waste/4", "wastes/4"),
        ("waste", "waste"),
        ("floor/0", "floor/0"),
        ("tableau/3", "tableau/3"),
        ("spare_six", "spare_six"),
    ],
)
def test_zone_and_path_are_the_same_place(zone: str, path: str) -> None:
    place = Place.parse(zone)
    assert place.path == path
    assert Place.of_path(path) == Place.of_path(f"{path}/0") == place
    assert Place.of_path(f"{path}/up/3") == place or place.number is None


@pytest.mark.parametrize("text", ["", "Column/2", "column/", "column/2/up", "column/-1", "foundation/X", "a b"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no place"):
        Place.parse(text)


@pytest.mark.parametrize(
    ("position", "kinds"),
    [
        (klondike.random_deal(1), ("column", "foundation", "stock", "waste")),
        (makiaveli.random_deal(1), ("floor", "cross", "hand")),
        (tomb_single.random_deal(1), ("corner", "centre", "spare", "spare_six", "discard", "deck")),
        (tomb_double.random_deal(1), ("foundation", "centre", "tableau", "reserve", "waste", "stock")),
    ],
)
def test_each_position_holds_its_places_under_their_fields(position: object, kinds: tuple[str, ...]) -> None:
    for kind in kinds:
        held = [place.field for place in (Place(kind), Place(kind, 0)) if hasattr(position, place.field)]
        assert held, kind
    assert not hasattr(position, NOWHERE.field)
