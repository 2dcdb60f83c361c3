"""What `tests.bench.preferences` rests on: answers of the networks that are kept, and other values put in force."""

from pathlib import Path

import pytest

from tests.bench.preferences import in_force, tuning_of, with_value
from tests.bench.remembered_networks import Memory
from vision import photo_to_table
from vision.image import load
from vision.photo_to_table import detect_and_read, see_table
from vision.preferences import read_preferences

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "samples" / "makiaveli_1.jpg"


def test_a_photo_is_read_from_memory_as_it_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    image, memory, cards = load(SAMPLE), Memory(), []
    for _ in range(2):
        with memory.answering():
            cards.append([str(card.best) for card in see_table(detect_and_read(image)).cards])
        monkeypatch.setattr(photo_to_table, "_networks", lambda: pytest.fail("the networks are asked once"))
    assert cards[0] == cards[1]
    assert len(cards[0]) > 10


def test_another_value_of_any_preference_can_be_put_in_force() -> None:
    values = read_preferences()
    for module, own in values.items():
        before = tuning_of(module)
        for name in (name for name in own if name.islower()):
            with in_force(with_value(values, module, name, own[name] + 1)):
                assert getattr(tuning_of(module), name) == own[name] + 1, f"{module}.{name}"
        assert tuning_of(module) is before
