"""What the commands' arguments take."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from plumbing.arguments import command_parser, named_path, run_command, written_as, written_file
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


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl.txt", "x.json"])
def test_a_file_of_results_does_not_claim_in_its_name_to_be_another_kind(name: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"is no name ending in \.jsonl or \.parquet"):
        written_as(".jsonl", ".parquet")(name)
    assert written_as(".jsonl", ".parquet")("x.PARQUET") == Path("x.PARQUET")


@pytest.mark.parametrize(
    "words",
    [
        ["solver", "solve", "a.jsonl", "--out", "a.csv"],
        ["solver", "klondike", "--random", "2", "--rows", "a.csv"],
        ["solver", "tomb-single", "--out", "a.xyz"],
        ["vision.detect", "photos", "--rows", "a.csv"],
    ],
)
def test_no_command_writes_results_under_another_name(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    module = import_module(f"{words[0]}.__main__" if words[0] == "solver" else words[0])
    with pytest.raises(SystemExit, match="2"):
        module.main(words[1:])
    said = capsys.readouterr().err
    assert "is no name ending in" in said
    assert said.count("\n") == 1, "wrong usage is told in a line"


def _mkdir(path: Path) -> None:
    path.mkdir(parents=True, exist_ok=True)


@pytest.mark.parametrize(
    ("work", "name", "said"),
    [
        (_mkdir, "file", "a file; expected a folder"),
        (_mkdir, "file/x", "a part of this path is a file; expected a folder"),
        (Path.read_text, ".", "a folder; expected a file"),
        (Path.read_text, "missing/x", "no such file or folder"),
        (Path.read_text, 300 * "x", "its name is too long"),
    ],
)
def test_errors_of_the_system_are_plain_words_with_the_file(
    work: Callable[[Path], object], name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    args = command_parser("nothing", "", "").parse_args([])
    assert run_command(lambda _: int(work(tmp_path / name) is None), args) == 1
    assert capsys.readouterr().err == f"error: {tmp_path / name}: {said}\n"
