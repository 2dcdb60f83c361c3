"""What the commands' arguments take."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from plumbing.arguments import named_path, written_file
from plumbing.errors import NotationError
from solver.__main__ import main
from solver.games import find_game, read_position
from tests.conformance import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_a_position_comes_as_line_json_or_standard_input(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, position = find_game(case.game).solver.Position, case.position(case.legal[0])
    monkeypatch.setattr("sys.stdin", io.StringIO(f"\n  {position}\n"))
    assert read_position("-", kind) == position
    assert read_position(str(position), kind) == position
    assert read_position(json.dumps(position.to_json()), kind) == position


@pytest.mark.parametrize("text", ["klondike columns: KS", '{"game": "klondike", "columns": [["KS"]]}'])
def test_another_games_position_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="the game is 'klondike'; expected 'makiaveli'"):
        read_position(text, find_game("makiaveli").solver.Position)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_no_text_is_no_position(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    for given in ("-", "", " "):
        assert main([find_game(case.game).command_word, given]) == 1
        assert "no position given; expected a line" in capsys.readouterr().err


@pytest.mark.parametrize("given", [b"\xff", b"makiaveli hand: 3S \xf0\x9f"])
def test_bytes_that_are_no_text_are_told_in_a_line(given: bytes) -> None:
    strict = os.environ | {"PYTHONIOENCODING": "ascii:strict"}  # a terminal that knows no suits either
    command = [sys.executable, "-m", "solver", "makiaveli", "-"]
    done = subprocess.run(command, input=given, capture_output=True, env=strict, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: column ")
    assert done.stderr.count(b"\n") == 1
    done = subprocess.run([*command[:-2], "--help"], capture_output=True, env=strict, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("name", ["", " ", ".", "..", "/", "a\0b"])
def test_a_file_to_be_written_has_a_name_and_is_no_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        written_file(name)
    with pytest.raises(argparse.ArgumentTypeError, match="is a folder"):
        written_file(str(tmp_path))
    assert written_file(str(tmp_path / "new")) == tmp_path / "new"
    assert named_path(str(tmp_path)) == tmp_path
