"""What the command prints, plots and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.__main__ import main

PHOTO = "corners: 9C | 7D | - | -; centre: 4C; spares: 2H KS QD JC; discard: 3D"


def test_simulation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "rate.png"
    arguments = ["-n", "20000", "--seed", "1", "--workers", "1", "--out", str(out)]
    assert main(["tomb-single", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("forced play wins: 19.")
    assert "95% interval" in captured.out
    assert out.read_bytes().startswith(b"\x89PNG")


def test_simulation_of_free_play_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    base = ["tomb-single", "--seed", "1", "--workers", "1", "--plot", "none", "--json", "--mode", "free"]
    assert main([*base, "-n", "5000"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["game"], data["player"], data["n"]) == ("tomb_single", "simple", 5000)
    assert main([*base, "-n", "20", "--lookahead", "4"]) == 0
    assert json.loads(capsys.readouterr().out)["player"] == "lookahead"


@pytest.mark.parametrize("mode", ["forced", "free"])
def test_trace(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tomb-single", "--trace", "--seed", "3", "--mode", mode]) == 0
    out = capsys.readouterr().out
    assert f"Deal of seed 3, {mode} play" in out
    assert "(52 of 52 drawn)" in out or "states" in out


def test_a_photo_gets_estimates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tomb-single", PHOTO, "-n", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("forced play wins: ")
    assert lines[1].startswith("free play by a simple policy wins: ")
    assert main(["tomb-single", PHOTO, "-n", "2000", "--mode", "free", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forced"]["n"] == 2000


def test_a_simple_player_who_wins_less_than_forced_play_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("forced", "free"):
        assert main(["tomb-single", "corners: 9C | 7D | - | -; centre: 4C", "-n", "5000", "--mode", mode]) == 0
        assert "the best free play wins at least as often as forced play" in capsys.readouterr().out
    assert main(["tomb-single", "deck: 52", "-n", "5000"]) == 0
    assert "best free play" not in capsys.readouterr().out


def test_a_known_position_gets_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    kings = "QC | KD | KH | KS"
    assert main(["tomb-single", f"corners: {kings}; centre: 23 AS; deck: KC"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("win in ")
    assert "K1" in out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "give -n"),
        (["-n", "5", "--lookahead", "--mode", "forced"], 2, "--lookahead needs --mode free"),
        (["spares: 6C - - -"], 1, "it belongs in the centre or the spare-six pile"),
        (["discard: 3X"], 1, "column 10"),
        (['{"game": "makiaveli"}'], 1, ""),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tomb-single", *arguments]) == status
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
