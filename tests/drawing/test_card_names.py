from __future__ import annotations

import re
from pathlib import Path

from drawing.card_names import BACK, EMPTY, SUIT_PATHS, pretty, spoken
from solver.cards import DECK

CARDS_JS = Path(__file__).resolve().parents[2] / "webapp" / "board" / "cards.js"
NAMES = [*map(str, DECK), BACK, EMPTY]


def test_names_for_reader_and_eye() -> None:
    assert len({spoken(name) for name in NAMES}) == len(NAMES)
    assert [pretty(card) for card in ("TH", "AS", "??", "")] == ["10♥", "A♠", "??", ""]


def test_the_page_draws_the_same_suits() -> None:
    script = re.sub(r'" \+\s+"', "", CARDS_JS.read_text(encoding="utf-8"))
    assert all(f'{suit}: "{path}"' in script for suit, path in SUIT_PATHS.items())
