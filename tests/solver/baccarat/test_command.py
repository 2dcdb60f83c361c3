"""What the command prints, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.__main__ import main


def test_exact_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baccarat", "--removal"]) == 0
    out = capsys.readouterr().out
    for text in ("44.62466093%", "2292252566437888", "1.057906%", "14.359629%", "4.844032%", "1.458104%", "T J Q K"):
        assert text in out


def test_simulation_prints_and_plots(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "p.png"
    arguments = ["baccarat", "-n", "2e5", "--seed", "1", "--workers", "1", "--out", str(plot)]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    assert "200,000 rounds, seed 1" in captured.out
    assert "chi-square" in captured.out
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert "plot:" in captured.err


def test_simulation_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["baccarat", "-n", "1000", "--seed", "1", "--workers", "1", "--plot", "none", "--json", "--removal"]
    assert main([*arguments, "--shoe", "whole", "--decks", "1"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["simulated"]["rounds"] == 1000
    assert data["shoe"] == {"mode": "whole", "cards": 52, "cut": 14}
    assert len(data["removal"]) == 10


def test_a_round_is_settled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baccarat", "player: 4S 7D 5C; banker: KD 5H 2C"]) == 0
    out = capsys.readouterr().out
    assert "player 6, banker 7: banker wins" in out
    assert "410 cards left of 8 decks" in out


def test_an_open_round_gets_its_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baccarat", "player: 4S 7D; banker: KD 5H", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["outcome"] is None
    assert sum(data["odds"].values()) == pytest.approx(1)


def test_known_cards_change_the_next_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baccarat", "dealt: 9S 9D 8C 8H", "--decks", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["next_round"]["rounds"] == 48 * 47 * 46 * 45 * 44 * 43


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["player: 4S 7D; banker: KD 5H 2C"], 1, "the player's third card is missing"),
        (["player: 9S KS; banker: 8S 9S", "--decks", "1"], 1, "9S stands 2 times; the limit with 1 deck is 1"),
        (["player: 9X"], 1, "column 9"),
        (["-n", "5", "--shoe", "whole", "--decks", "1", "--cut", "60"], 2, "argument --cut is 60; allowed: 6 to 51"),
        (["-n", "5", "--shoe", "whole", "--decks", "inf"], 2, "argument --shoe"),
        (["-n", "5", "player: 9S"], 2, "not both"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["baccarat", "--plot", "none", *arguments]) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "0"], "argument -n: '0' is no whole number from 1 to 1,000,000,000,000"),
        (["-n", "many"], "argument -n: 'many'"),
        (["--decks", "13"], "argument --decks: '13' is no number of decks from 1 to 12"),
        (["--cut", "5"], "argument --cut: '5' is no whole number from 6 to 624"),
        (["--commission", "nan"], "argument --commission: 'nan' is no number from 0 to 1"),
        (["--tie-pays", "-1"], "argument --tie-pays: '-1' is no number from 0 to 1000"),
        (["--seed", "-3"], "argument --seed"),
    ],
)
def test_bad_arguments_are_one_line_and_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["baccarat", *arguments])
    assert caught.value.code == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
