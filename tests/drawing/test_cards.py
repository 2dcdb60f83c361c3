from __future__ import annotations

from drawing.cards import BACK, EMPTY, pretty, spoken
from solver.cards import DECK

NAMES = [*map(str, DECK), BACK, EMPTY]


def test_names_for_reader_and_eye() -> None:
    assert len({spoken(name) for name in NAMES}) == len(NAMES)
    assert [pretty(card) for card in ("TH", "AS", "??", "")] == ["10♥", "A♠", "??", ""]
