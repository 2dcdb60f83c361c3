"""The rules that a reading goes by until somebody says otherwise: those people play at home."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver import answer
from solver.klondike import STANDARD, STANDARD_DRAW_1
from solver.klondike import Position as Klondike
from solver.place import Place
from solver.solution import Estimate
from tests.vision import simulate
from vision import detect, read_photo
from vision.layout.game_choice import parse_as
from webapp import photo_session

SAMPLE = Path(__file__).parents[2] / "datasets" / "samples" / "klondike_1.jpg"


@pytest.mark.parametrize(("fanned", "rules"), [(0, STANDARD_DRAW_1), (1, STANDARD_DRAW_1), (3, STANDARD)])
def test_as_many_cards_are_turned_as_lie_fanned(fanned: int, rules: object) -> None:
    truth = simulate.klondike(np.random.default_rng(1), waste=fanned)
    parsed = parse_as("klondike", simulate.seen(truth, 1))
    assert [card.place for card in parsed.placed].count(Place("waste")) == fanned
    for position in (parsed.position, *(other for _, other in parsed.readings)):
        assert isinstance(position, Klondike)
        assert position.rules == rules


def test_notebook_command_and_page_answer_by_the_same_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """A notebook once answered by the rule that only the last card of a column moves: 0.31 instead of 0.84."""
    reading = read_photo(SAMPLE)
    assert detect.main([str(SAMPLE), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    shot = photo_session.read([(SAMPLE.name, SAMPLE.read_bytes())], "auto")
    assert reading.position is not None
    assert str(reading.position) == told["line"] == shot.line
    assert detect.main([str(SAMPLE), str(SAMPLE), "--together", "--json", "--no-solve"]) == 0
    assert json.loads(capsys.readouterr().out)["position"].get("rules") == told["position"]["rules"]
    found = answer(reading.position)
    assert isinstance(found, Estimate)
    assert found.mean == told["result"]["mean"] > 0.6
