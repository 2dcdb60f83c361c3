"""A photo's indices say together where the deck prints its suit."""

from __future__ import annotations

import numpy as np
import pytest

from vision import photo_to_table
from vision.cards.suit_place import DOWN, PLACES, Place, choose_places, read_indices, readable, turned
from vision.networks.index_reader import Image
from vision.networks.outputs import Backs, Detections, Reads

IMAGE = np.zeros((400, 400, 3), np.uint8)
DIAMOND_NINE = 3
"""Number of the index that reads as well on its head."""


def reads(good: np.ndarray) -> Reads:
    """Reads that are upright indices where `good` says so, and then name the ace of clubs."""
    rank = np.full((len(good), 13), 0.01 / 12)
    rank[:, 0] = 0.99
    suit = np.full((len(good), 4), 0.01 / 3)
    suit[:, 0] = 0.99
    return Reads(np.log(rank), np.log(suit), np.log(np.where(good, 0.97, 0.02)))


class FakeReader:
    """Reads an index where its points lie as `down` says; the nine of diamonds on its head too."""

    def __init__(self, down: np.ndarray) -> None:
        self.down = down
        self.calls = 0

    def read(self, image: Image, found: Detections) -> Reads:
        self.calls += 1
        axis = found.suit_xy - found.rank_xy
        along = (axis * self.down).sum(1) / np.linalg.norm(axis, axis=1)
        either = (np.arange(len(found)) == DIAMOND_NINE) & (along < -0.9)
        return reads((along > 0.9) | either)


def photo(place: Place, count: int = 8) -> tuple[Detections, np.ndarray]:
    """Indices at all angles of a deck whose suit stands at `place`, and each card's down."""
    rng = np.random.default_rng(2)
    turn = rng.uniform(0, 2 * np.pi, count)
    down = np.stack([np.cos(turn), np.sin(turn)], 1)
    axis = down @ np.linalg.inv(np.array(DOWN[place]))
    middle = rng.uniform(100, 300, (count, 2))
    boxes = np.concatenate([middle - 15, middle + 15], 1)
    return Detections(boxes, np.full(count, 0.9), middle - 10 * axis, middle + 10 * axis), down


@pytest.mark.parametrize("place", PLACES)
def test_every_convention_comes_back_with_down_from_rank_to_suit(place: Place) -> None:
    found, down = photo(place)
    reader = FakeReader(down)
    upright, read = read_indices(reader, IMAGE, found)
    axis = upright.suit_xy - upright.rank_xy
    assert ((axis * down).sum(1) / np.linalg.norm(axis, axis=1)).min() > 0.99, "the ambiguous one follows the others"
    assert np.exp(read.log_index).min() > 0.9
    assert reader.calls == (1 if place == "below" else 7), "usual decks are read once"
    assert np.allclose((upright.rank_xy + upright.suit_xy) / 2, (found.rank_xy + found.suit_xy) / 2, atol=1e-3)
    assert np.array_equal(upright.boxes, found.boxes)


def test_a_photo_that_reads_badly_every_way_stays_as_it_is() -> None:
    found, down = photo("below")
    reader = FakeReader(np.zeros_like(down))
    upright, read = read_indices(reader, IMAGE, found)
    assert np.array_equal(upright.suit_xy, found.suit_xy)
    assert readable(read).max() < 0.1


def test_an_index_that_the_detector_turned_wrongly_is_mended_alone() -> None:
    as_read = np.zeros((4, 6))
    as_read[1] = 0.9
    as_read[:2, 5] = 0.9, 0.0  # the detector took its suit for its rank
    assert choose_places(as_read, np.ones(6)).tolist() == [1, 1, 1, 1, 1, 0]


def test_no_index_is_no_error() -> None:
    upright, read = read_indices(FakeReader(np.zeros((0, 2))), IMAGE, Detections.empty())
    assert len(upright) == len(read) == 0


def test_turning_twice_by_opposite_places_gives_the_points_back() -> None:
    found, _ = photo("below")
    there = turned(turned(found, "right"), "left")
    assert np.allclose(there.rank_xy, found.rank_xy, atol=1e-3)


class FakeDetector:
    """Finds what it was given."""

    def __init__(self, found: Detections) -> None:
        self.found = found
        self.calls = 0

    def detect(self, image: Image) -> tuple[Detections, Backs]:
        self.calls += 1
        return self.found, Backs.empty()


@pytest.mark.parametrize(
    ("usual_reads", "unusual_reads", "believed"), [(8, 8, 0), (3, 8, 1), (3, 3, 0), (5, 6, 0), (7, 8, 0)]
)
def test_networks_for_unusual_decks_are_believed_where_they_read_much_more(
    monkeypatch: pytest.MonkeyPatch, usual_reads: int, unusual_reads: int, believed: int
) -> None:
    pairs = []
    for count in (usual_reads, unusual_reads):
        found, down = photo("below")
        down[count:] = 0  # so many of the eight can be read
        pairs.append((FakeDetector(found), FakeReader(down)))
    monkeypatch.setattr(photo_to_table, "_networks", lambda: pairs[0])
    monkeypatch.setattr(photo_to_table, "_networks_for_unusual_decks", lambda: pairs[1])
    found = photo_to_table.detect_and_read(IMAGE)
    assert found.detections is pairs[believed][0].found
    assert (readable(found.reads) > 0.5).sum() == (usual_reads, unusual_reads)[believed]
    assert pairs[1][0].calls == (usual_reads < 7), "what reads well is looked at once"
