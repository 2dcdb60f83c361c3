"""What the benches keep of the networks' answers."""

from pathlib import Path

import pytest

from tests.bench.remembered_networks import Memory
from vision import photo_to_table
from vision.image import load
from vision.photo_to_table import detect_and_read, see_table

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "samples" / "makiaveli_1.jpg"


def test_a_photo_is_read_from_memory_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    image, memory, cards = load(SAMPLE), Memory(), []
    for _ in range(2):
        with memory.answering():
            cards.append([str(card.best) for card in see_table(detect_and_read(image)).cards])
        monkeypatch.setattr(photo_to_table, "_networks", lambda: pytest.fail("the networks are asked once"))
    assert cards[0] == cards[1]
    assert len(cards[0]) > 10
