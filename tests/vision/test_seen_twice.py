"""Two cards of one deck that a photo shows alike: one is misread, and others like it are in other photos, too."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_misread_ranks import read
from vision.cards.geometry import Plane
from vision.cards.seen_table import SeenCard, SeenTable
from vision.cards.template import Template
from vision.history.seen_twice import doubt_as_seen_twice


def photo(*cards: SeenCard) -> SeenTable:
    return SeenTable((640, 480), Plane(np.eye(3)), Template(), cards)


ACE = read("AH", "TH", 11)
TEN = read("AH", "TH", 4)
LONE = photo(read("AH", "TH", 5.5), read("3C", "9S", 5))


def best(tables: list[SeenTable]) -> list[str]:
    return [str(card.best) for table in tables for card in table.cards]


def test_a_card_that_looks_like_misread_ones_of_other_photos_is_rather_what_those_are() -> None:
    settled = doubt_as_seen_twice([LONE, *[photo(ACE, TEN)] * 3])
    assert best(settled) == ["TH", "3C", *["AH", "TH"] * 3]


@pytest.mark.parametrize("pairs", [(ACE, TEN, 2), (ACE, ACE, 3), (TEN, TEN, 3)], ids=["few", "all sure", "all unsure"])
def test_pairs_tell_nothing_that_are_few_or_read_alike_surely(pairs: tuple[SeenCard, SeenCard, int]) -> None:
    one, other, count = pairs
    tables = [LONE, *[photo(one, other)] * count]
    assert best(doubt_as_seen_twice(tables)) == best(tables)


def test_suits_are_misread_in_cards_of_all_ranks() -> None:
    pairs = [photo(read(f"{rank}S", f"{rank}C", 8), read(f"{rank}S", f"{rank}C", 1)) for rank in "58J"]
    assert best(doubt_as_seen_twice([photo(read("7S", "7C", 2)), *pairs]))[0] == "7C"


def test_one_photo_alone_never_makes_the_other_card_sure() -> None:
    (settled, *_) = doubt_as_seen_twice([photo(read("AH", "TH", 0.5)), *[photo(ACE, TEN)] * 3])
    assert 0.9 < np.exp(settled.cards[0].log_card.max()) < 0.96
