"""`python -m solver klondike`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from solver.__main__ import main
from solver.klondike import Move, Position, answer, estimate, random_deal
from solver.klondike.command import _both_numbers
from solver.klondike.house_rules import STANDARD_DRAW_1
from solver.klondike.player import Advice, hide
from solver.solution import Estimate, Limits
from solver.verifier import replay

RANDOM = ["klondike", "--random", "60", "--draw", "1", "--seed", "1", "--workers", "1", "--node-limit", "2000"]


def test_a_deal_is_solved_and_its_line_replays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["klondike", "--deal", "1", "--rules", "standard", "--draw", "1", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["game"], result["verdict"], result["stop_reason"]) == ("klondike", "win", "solved")
    assert result["stats"]["nodes"] > 0
    assert replay(random_deal(1, STANDARD_DRAW_1), map(Move.parse, result["line"])).is_won


def test_rules_on_the_command_line_override_the_positions(capsys: pytest.CaptureFixture[str]) -> None:
    text = str(random_deal(1)).removeprefix("klondike ")
    assert main(["klondike", text, "--moves", "run", "--worrying-back", "yes"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("win in ")
    assert "states in" in err


def test_hidden_cards_get_an_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    data = random_deal(1, STANDARD_DRAW_1).to_json()
    data["stock"] = ["??"] * 24
    text = json.dumps(data)
    assert main(["klondike", text, "-n", "8", "--seed", "1", "--workers", "1", "--moves-share", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["n"], body["stopped_by"]) == (8, "samples")
    assert 0 <= body["unseen"]["mean"] <= 1
    assert set(body["best"]) == {"move", "why"}
    assert {row["move"] for row in body["moves"]} == {str(m) for m in Position.from_json(data).moves()}
    command = ["klondike", text, "--precision", "0.5", "-n", "200", "--seed", "1", "--workers", "1", "--json"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stopped_by"] == "narrow"
    assert found["high"] - found["low"] - found["undecided"] <= 0.5
    assert main(["klondike", text, "--time-limit", "0.001", "--seed", "1", "--workers", "1", "--work", "100"]) == 0
    assert "stopped by the time limit after " in capsys.readouterr().out


def test_the_notation_tells_how_to_repeat_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "klondike draw: 1; redeals: 1; moves: run; columns: ?? ?? ?? [JH] | [QS] | ?? ?? [KS] | [9H] | - | - | -; "
        "foundations: C9 D9 H8 S9; stock: ?? ?? ?? ?? ?? ?? ?? ??"
    )
    told = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")
    (line,) = (line for line in told.splitlines() if line.startswith("$ python -m solver klondike POSITION"))
    words = [text if word == "POSITION" else word for word in line.split()[4:]]
    assert main([*words, "--time-limit", "1000", "--json"]) == 0
    found = answer(Position.parse(text), Limits(None)).to_json()
    assert found["stopped_by"] == "narrow"
    same = {key: found[key] for key in ("mean", "n", "seed", "unseen")}
    assert json.loads(capsys.readouterr().out).items() >= same.items()


@pytest.mark.parametrize(("undecided", "told"), [(0.0, "wins 50 of 100"), (0.25, "wins between 39 and 83 of 100")])
def test_undecided_deals_are_not_told_as_lost(undecided: float, told: str) -> None:
    few = round(80 * undecided)
    found = Estimate.from_counts(40, 80, seed=1, what="deals", undecided=few, details={"undecided": undecided})
    assert told in _both_numbers(found, Advice(None, "no move brings anything new", (), 1, 1))


def test_the_example_of_the_help_is_a_position_that_is_won(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["klondike", "--help"])
    lines = capsys.readouterr().out.splitlines()
    example = next(line for line in lines if 'solver klondike "moves' in line)
    assert main(shlex.split(example.partition("solver ")[2])) == 0
    assert capsys.readouterr().out.startswith("win in ")


def test_a_stock_that_was_left_out_is_told_to_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["klondike", "foundations: C13 D13 H4"]) == 1
    assert "22 cards are missing: there are 30 instead of 52; in a line of text the stock's" in capsys.readouterr().err


HELP_OF_RULES = ("--draw", "1", "3"), ("--moves", "one", "run"), ("--worrying-back", "no", "yes")


def test_an_answer_names_the_rules_that_it_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    line = "columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S"
    hidden = "columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S9; stock: ?? ?? ??"
    rules, asked = Position().rules, [line + "12", hidden]
    for text in asked:
        assert main(["klondike", text]) == 0
        assert f"rules: {rules.describe()} (those of a position that names no others" in capsys.readouterr().out
        assert main(["klondike", text, "--rules", "standard"]) == 0
        assert capsys.readouterr().out.endswith("and a foundation's card may come back\n")
        assert answer(Position.parse(text)).to_json()["rules"] == rules.to_json()
    assert main(["klondike", str(hide(random_deal(1))), "--node-limit", "100", "-n", "1", "--work", "100"]) == 0
    assert "rules: one card is turned at a time" in capsys.readouterr().out
    found = estimate(hide(random_deal(1)), Limits(None, 100), n=1, workers=1)
    assert found.to_json()["rules"] == rules.to_json()
    with pytest.raises(SystemExit):
        main(["klondike", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    for option, one_card, standard in HELP_OF_RULES:
        assert f"(one-card {one_card}, standard {standard})" in told.partition(f" {option} ")[2]
    assert "one-card (default of a position that names no rules)" in told


@pytest.mark.parametrize("arguments", [[], ["--deal", "1", "--random", "5"], ["--random", "5", "--resume", "x.jsonl"]])
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["klondike", *arguments]) == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["stock: AS AS", "talon: AS", "{", '{"game": "klondike", "rules": {"draw": 99}}'])
def test_bad_positions_are_status_1(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["klondike", text]) == 1
    assert capsys.readouterr().err.startswith("error:")


def test_random_deals_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = ["--plot", "final", "--out", str(tmp_path / "rate.png")]
    assert main([*RANDOM, "--json", *plot]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole["n"] == 60 == whole["win"] + whole["no_win"] + whole["unknown"]
    assert whole["low"] < whole["mean"] < whole["high"]
    assert (tmp_path / "rate.png").stat().st_size > 1000


def test_deals_are_played_without_peeking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["klondike", "--random", "3", "--unseen", "--work", "300", "--seed", "1", "--workers", "1", "--draw", "1"]
    command += ["--plot", "none"]
    kept = ["--resume", str(tmp_path / "unseen.jsonl")]
    assert main([*command, *kept, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["n"] == 3
    assert main([*command, *kept, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == first
    assert main([*command]) == 0
    assert "games without peeking, seed 1, work 300" in capsys.readouterr().out
    assert main(["klondike", "--deal", "3", "--unseen"]) == 2
