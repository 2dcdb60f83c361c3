"""What the commands' arguments take."""

from __future__ import annotations

import io
import json

import pytest

from solver.answer import game_module
from solver.arguments import read_position
from solver.errors import NotationError
from tests.conformance import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_a_position_comes_as_line_json_or_standard_input(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, position = game_module(case.game).Position, case.position(case.legal[0])
    monkeypatch.setattr("sys.stdin", io.StringIO(f"\n  {position}\n"))
    assert read_position("-", kind) == position
    assert read_position(str(position), kind) == position
    assert read_position(json.dumps(position.to_json()), kind) == position


@pytest.mark.parametrize("text", ["klondike columns: KS", '{"game": "klondike", "columns": [["KS"]]}'])
def test_another_games_position_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="the game is 'klondike'; expected 'makiaveli'"):
        read_position(text, game_module("makiaveli").Position)
