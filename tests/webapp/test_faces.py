from __future__ import annotations

from xml.etree import ElementTree

import pytest

from solver.cards import DECK
from webapp.faces import BACK, EMPTY, face, mark, pretty, spoken

NAMES = [*map(str, DECK), BACK, EMPTY]


@pytest.mark.parametrize("index", ["stacked", "line"])
def test_each_card_is_well_formed_and_unlike_every_other(index: str) -> None:
    drawings = {name: face(name, index) for name in NAMES}  # type: ignore[arg-type]
    for drawing in drawings.values():
        ElementTree.fromstring(f"<svg>{drawing}</svg>")
    assert len(set(drawings.values())) == len(NAMES)


def test_suits_of_one_colour_differ_in_shape_and_not_only_in_colour() -> None:
    def shapes(card: str) -> list[str]:
        return [path.get("d", "") for path in ElementTree.fromstring(f"<svg>{face(card)}</svg>").iter("path")]

    assert len({tuple(shapes(f"7{suit}")) for suit in "CDHS"}) == 4


@pytest.mark.parametrize("text", ["<b", "1H", "7X", "XH", "0C"])
def test_stray_text_never_reaches_the_drawing(text: str) -> None:
    with pytest.raises(KeyError):
        face(text)


def test_marks_differ_in_sign_and_not_only_in_colour() -> None:
    drawings = [mark(name) for name in ("selected", "doubtful", "moved")]
    signs = [ElementTree.fromstring(f"<svg>{d}</svg>").findall(".//path")[0].get("d") for d in drawings]
    assert len(set(signs)) == 3


def test_names_for_reader_and_eye() -> None:
    assert len({spoken(name) for name in NAMES}) == len(NAMES)
    assert [pretty(card) for card in ("TH", "AS", "??", "")] == ["10♥", "A♠", "??", ""]
