"""`python -m solver makiaveli`."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from solver.__main__ import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["makiaveli", *arguments]) == 0
    return capsys.readouterr().out


def test_a_win_shows_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S")
    assert "win: all 3 hand cards" in text
    assert "3S 4S 5S" in text
    assert "1. Put down" in text


def test_a_loss_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "floor: 5D 6D 7D; hand: 8D QS", "--outs")
    assert "no win: at most 1 of 2" in text
    assert "why not: no table can place QS at all" in text
    assert "stays in the hand: QS" in text
    assert "outs: none" in text


def test_all_cards_that_no_table_can_place_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "why not: no table can place any of 9D KH 3S" in said(capsys, "hand: 3S 9D KH")
    assert "why not: no table can place 8S 8S together" in said(capsys, "floor: 7C 7D 7H | 9S TS JS; hand: 7S 8S 8S")
    assert said(capsys, "floor: 7C 7D 7H | 9S TS JS; hand: 7S 8S").startswith("win: both hand cards can be played")


def test_nothing_to_play_means_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "a card must be drawn" in said(capsys, "hand: 8D QS")


def test_json_holds_the_whole_result(capsys: pytest.CaptureFixture[str]) -> None:
    row = json.loads(said(capsys, "makiaveli hand: 3S 4S", "--json", "--outs"))
    assert row["verdict"] == "no_win"
    assert row["outs"] == ["2S", "5S"]
    assert (row["max_cards"], row["final"], row["blockers"]) == (0, None, ["3S"])


def test_rules_and_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    table = "floor: 7C 7D 7H; cross: 7S; hand: 8D 9D"
    assert said(capsys, table).startswith("win")
    assert said(capsys, table, "--strict-cross").startswith("no win")
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"game": "makiaveli", "floor": [["7C", "7D"]], "hand": ["7H"]}'))
    assert said(capsys, "-", "--repair").startswith("win")


@pytest.mark.parametrize(
    ("position", "word"),
    [("floor: 7X", "column 8"), ("floor: 7C 7D", "at least 3"), ("{broken", "JSON"), ("klondike waste: 3S", "game")],
)
def test_bad_input_is_one_line_and_status_1(position: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["makiaveli", position]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert word in captured.err
    assert captured.err.count("\n") == 1


def test_wrong_usage_is_status_2() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["makiaveli", "hand: 3S", "--objective", "fun"])
    assert caught.value.code == 2


def test_help_teaches_with_an_example() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "solver", "makiaveli", "--help"], capture_output=True, text=True, check=True
    )
    assert "example: python -m solver makiaveli" in done.stdout
