from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.__main__ import main

END = "foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0"


def test_a_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tomb-double", END]) == 0
    assert "W1>F T1>F" in capsys.readouterr().out
    assert main(["tomb-double", END, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["line"] == ["W1>F", "T1>F"]


def test_a_json_object_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    data = {"game": "tomb_double", "foundations": {"C": 26, "D": 26, "H": 26, "S": 25}, "stock": ["AS"]}
    assert main(["tomb-double", json.dumps(data)]) == 0
    assert capsys.readouterr().out.startswith("win in 2 moves")
    assert main(["tomb-double", '{"game":"makiaveli","hand":["3S"]}']) == 1


def test_a_simulation_prints_its_rate_and_plots_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "rate.png"
    words = ["tomb-double", "-n", "64", "--seed", "1", "--player", "rule", "--workers", "1", "--out", str(plot)]
    assert main(words) == 0
    assert "95% interval" in capsys.readouterr().out
    assert plot.stat().st_size > 1000
    assert main([*words, "--json", "--plot", "none"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["won"]["n"] == 64
    assert body["won"]["seed"] == 1


@pytest.mark.parametrize("words", [[], [END, "--deal", "1"], ["--deal", "1", "-n", "5"]])
def test_wrong_usage_is_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tomb-double", *words]) == 2
    assert "exactly one of" in capsys.readouterr().err


def test_a_faulty_position_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tomb-double", "stock: 5"]) == 1
    assert "not 104" in capsys.readouterr().err


def test_a_photo_of_tops_gets_its_chances(capsys: pytest.CaptureFixture[str]) -> None:
    tops = "tableau: 7C | QH | 2D | 5D; reserves: 9 3C | 9 4C | 9 5C | 9 KC; stock: 60"
    assert main(["tomb-double", tops, "-n", "8", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "n = 8, seed 3" in out
    assert "sees the reserves but not the stock" in out
    assert main(["tomb-double", tops, "-n", "8", "--seed", "3", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["game"], body["n"], body["stopped_by"]) == ("tomb_double", 8, "samples")
