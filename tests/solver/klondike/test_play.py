"""The text game: the document's commands, hostile input, hints and a whole game."""

from __future__ import annotations

import copy
import io
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import CardsError
from solver.cards import MaybeCard
from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, Column, KlondikeRules, Position
from solver.klondike.play import COMMANDS, TextGame, board, carry_out, help_text, main, play, say_where_saved
from solver.record import parse_record

ROOT = Path(__file__).resolve().parents[3]


def typed(text: str, game: TextGame | None = None) -> str:
    out = io.StringIO()
    play(game or TextGame(ONE_CARD, 1), io.StringIO(text), out)
    return out.getvalue()


def typed_line(line: str, game: TextGame) -> str:
    """What is said to one line, without the board before it."""
    return typed(line.replace("\n", " ").replace("\r", " ") + "\n", game).removeprefix(board(game) + "\n")


def state(game: TextGame) -> tuple:
    return copy.deepcopy((game.position, game.suits))


words = st.one_of(
    st.sampled_from([*COMMANDS, "sw", "Wf", "tt"]),
    st.integers(-2, 12).map(str),
    st.sampled_from(["", "1.0", "١", "²", "1e1", "x" * 500, "\x00", "\x1b[2J", "SW;", "--help", "None", "🂡"]),
    st.text(max_size=5),
)


@given(st.lists(st.lists(words, max_size=4).map(" ".join), max_size=30), st.sampled_from([ONE_CARD, STANDARD]))
@settings(max_examples=100, deadline=None)
def test_an_invalid_line_changes_nothing_and_is_one_error_line(lines: list[str], rules: KlondikeRules) -> None:
    game = TextGame(rules, 1)
    for line in lines:
        if line.strip().upper().startswith(("HINT", "SAVE")):
            continue  # tested below; a search for each of thousands of lines would take long, and SAVE writes files
        before = state(game)
        said = typed_line(line, game)
        if said.startswith("Error: "):
            assert state(game) == before
            assert said.count("\n") == 1
        elif game.position != before[0]:
            assert game.position.problems() == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "no command"),
        ("deal", "'deal' is no command"),
        ("SW 1", "SW takes nothing after it, not 1 word"),
        ("H 1", "H takes nothing"),
        ("R 1", "R takes nothing"),
        ("Q 1", "Q takes nothing"),
        ("WF", "WF takes a foundation number after it, not 0 words"),
        ("TT 1", "TT takes two column numbers after it, not 1 word"),
        ("TF 1", "TF takes a column number and a foundation number after it, not 1 word"),
        ("SAVE", "SAVE takes a file's name after it, such as SAVE game.txt"),
        ("save .", "'.' is a folder; expected the name of a file"),
        ("save no/where.txt", "not saved: no/where.txt: no such file or folder"),
        ("T9>F", "there is no column 9"),
        ("W>F", "8H does not go up"),
        ("WT 8", "there is no column 8; columns are 1 to 7"),
        ("WF 0", "there is no foundation 0; foundations are 1 to 4"),
        ("TF one 1", "'one' is no column number"),
        ("WT -1", "'-1' is no column number"),
        ("TT 1 1", "a column cannot move onto itself"),
        ("FT 1 1", "'FT' is no command"),
        ("undo", "there is nothing to undo"),
    ],
)
def test_errors_name_the_reason(line: str, reason: str) -> None:
    lines = typed(line + "\n").splitlines()
    assert [text for text in lines if text.startswith("Error: ")] == lines[-1:]
    assert lines[-1].startswith(f"Error: {reason}")


def test_case_and_blanks_do_not_matter() -> None:
    for line in ("SW", "sw", "  sW\t "):
        game = TextGame(ONE_CARD, 1)
        carry_out(game, line)
        assert (len(game.position.stock), len(game.position.waste)) == (22, 2)


def test_the_stock_comes_back_and_runs_dry() -> None:
    game = TextGame(ONE_CARD, 1)
    first = game.position.waste
    for _ in range(23):
        carry_out(game, "SW")
    assert (len(game.position.stock), len(game.position.waste)) == (0, 24)
    carry_out(game, "SW")
    assert (len(game.position.stock), game.position.waste) == (23, first)
    game.position = Position.parse("columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13")
    with pytest.raises(CardsError, match="both empty"):
        carry_out(game, "SW")


def at(text: str, rules: KlondikeRules = ONE_CARD) -> TextGame:
    game = TextGame(rules, 1)
    game.position = Position.parse(text).with_rules(rules)
    return game


def test_foundations_are_bound_by_their_ace() -> None:
    game = at("columns: [AH] | [AS] | [2S] | [2H] | - | - | -; waste: AC")
    carry_out(game, "TF 1 3")
    with pytest.raises(CardsError, match="does not go on AH"):
        carry_out(game, "TF 2 3")
    with pytest.raises(CardsError, match="takes only an ace"):
        carry_out(game, "TF 4 1")
    carry_out(game, "WF 4")
    carry_out(game, "TF 2 1")
    carry_out(game, "TF 4 3")
    assert [str(suit) for suit in game.suits] == ["S", "None", "H", "C"]
    carry_out(game, "UNDO")
    carry_out(game, "undo")
    assert [str(suit) for suit in game.suits] == ["None", "None", "H", "C"]


def test_runs_move_by_the_standard_rules_and_cards_come_back() -> None:
    game = at("columns: [9C 8H 7S] | [9S] | [KD] | - | - | - | -; waste: AC", STANDARD_DRAW_1)
    carry_out(game, "TT 1 2")
    assert [str(column) for column in game.position.columns[:2]] == ["[9C]", "[9S 8H 7S]"]
    carry_out(game, "TT 3 4")
    carry_out(game, "WF 2")
    with pytest.raises(CardsError, match="foundation 1 is empty"):
        carry_out(game, "FT 1 1")
    assert "FT N1 N2" in help_text(game.rules)
    assert "FT" not in help_text(ONE_CARD)


def test_only_one_card_moves_by_the_seed_rules() -> None:
    game = at("columns: [9C 8H 7S] | [9S] | - | - | - | - | -; waste: AC")
    with pytest.raises(CardsError, match="7S does not go on 9S"):
        carry_out(game, "TT 1 2")


def test_a_whole_game_by_hints() -> None:
    game = TextGame(STANDARD_DRAW_1, 1)
    for _ in range(500):
        hint = carry_out(game, "hint")
        message = carry_out(game, hint.removeprefix("Hint: ").split(" (")[0])
        if message:
            break
    assert message.startswith("You have won!")
    with pytest.raises(CardsError, match="the game is over"):
        carry_out(game, "SW")
    with pytest.raises(CardsError, match="the game is over"):
        carry_out(game, "undo")
    carry_out(game, "H")
    carry_out(game, "R")
    assert not game.position.is_won


def test_a_hint_knows_no_hidden_card() -> None:
    game = TextGame(STANDARD_DRAW_1, 3)
    carry_out(game, "SW")
    carry_out(game, "undo")
    truth = game.position
    said = carry_out(game, "hint")
    hidden = iter(sorted(game._seen.unseen(), reverse=True))

    def other(pile: tuple[MaybeCard, ...], seen: tuple[MaybeCard, ...]) -> tuple[MaybeCard, ...]:
        return tuple(next(hidden) if shown is None else card for card, shown in zip(pile, seen, strict=True))

    pairs = zip(truth.columns, game._seen.columns, strict=True)
    columns = tuple(Column(other(column.down, seen.down), column.up) for column, seen in pairs)
    game.position = replace(truth, columns=columns, stock=other(truth.stock, game._seen.stock))
    assert game.position != truth
    assert carry_out(game, "hint") == said


def test_the_board_is_aligned_and_coloured_only_when_asked() -> None:
    plain = board(TextGame(ONE_CARD, 1))
    assert "\x1b" not in plain
    assert "Stock: 23 cards" in plain
    rows = plain.splitlines()[4:]
    assert len(rows) == 7
    assert rows[0].split().count("##") == 6
    assert all(len(row) % 4 == 0 for row in rows)
    assert "\x1b[31m" in board(TextGame(ONE_CARD, 1), colour=True)


def test_same_seed_same_deals_and_restart_shuffles() -> None:
    one, two = TextGame(ONE_CARD, 7), TextGame(ONE_CARD, 7)
    assert one.position == two.position
    before = one.position
    carry_out(one, "R")
    carry_out(two, "R")
    assert one.position == two.position != before


def test_random_play_never_breaks_the_table() -> None:
    random = Random(0)
    game = TextGame(STANDARD, 3)
    for _ in range(300):
        move = random.choice(game.position.moves())
        before = game.position
        carry_out(game, game.command_for(move))
        expected = before.play(move)
        assert game.position == expected or str(move).startswith("T")  # by the run rule as many cards as fit move


def test_moves_may_be_written_as_in_records() -> None:
    text = "columns: [9C 8H] | [9S] | [AH] | [KD] | - | - | -; waste: AC; stock: 2C 2D"
    games = [at(text, STANDARD) for _ in range(2)]
    for lines in zip(
        ("TF 3 1", "WF 2", "TT 1 2", "FT 1 2", "SW"), ("t3>f", " W>F", "T1>T2:1", "F:H>T2", "draw"), strict=True
    ):
        for game, line in zip(games, lines, strict=True):
            with suppress(CardsError):
                carry_out(game, line)
        assert state(games[0]) == state(games[1])
    assert (games[0].position.foundations, str(games[0].position.columns[1])) == ((1, 0, 1, 0), "[9S 8H]")


def test_a_game_is_saved_as_a_record(tmp_path: Path) -> None:
    game, file = TextGame(ONE_CARD, 1), tmp_path / "a game.txt"
    assert game.is_saved, "nothing was played"
    for line in ("SW", "draw", "UNDO", f"save {file}"):
        said = carry_out(game, line)
    assert said == f"Saved in {file}."
    kept = parse_record(file.read_text(encoding="utf-8"))
    assert kept == game.record()
    assert kept.begins_with_a_deal
    assert [str(step.move) for step in kept.steps] == ["draw", "draw"]
    assert kept.positions[-1] == game._seen
    carry_out(game, "SW")
    carry_out(game, f"SAVE {file}")
    carry_out(game, "R")
    with pytest.raises(CardsError, match="is there already; choose another name"):
        carry_out(game, f"SAVE {file}")
    assert len(parse_record(file.read_text(encoding="utf-8")).steps) == 3


def test_leaving_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert say_where_saved(TextGame(ONE_CARD, 1)) == ""
    game = TextGame(ONE_CARD, 1)
    for line in ("SW", "R", "SW", "SW"):
        carry_out(game, line)
    told = say_where_saved(game)
    assert sorted(len(parse_record(file.read_text()).steps) for file in tmp_path.iterdir()) == [2, 3]
    assert all(f"A game that was not saved is in {file} " in told for file in tmp_path.iterdir())


def test_a_game_may_be_kept_at_each_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.txt"
    typed("SW\nSW\nR\nSW\nundo\nSW\n", game := TextGame(ONE_CARD, 1, file))
    assert [len(parse_record(kept.read_text()).steps) for kept in (file, tmp_path / "game-2.txt")] == [3, 2]
    assert say_where_saved(game).splitlines()[:2] == [f"A game is saved in {kept}." for kept in game.saved_in]
    assert main(["--record", str(file)]) == 2
    assert "is there already; choose another name" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--help"])
    assert {"SAVE", "--record"} <= set(capsys.readouterr().out.split())


def test_piped_input_ends_with_status_0(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "solver.klondike.play", "--seed", "3"]
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run(command, input=b"SW\nxx\n\xff\xfe\nH", capture_output=True, cwd=ROOT, check=False, env=env)
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.count(b"Error: ") == 2
    assert b"Stock: 22 cards" in done.stdout
    (kept,) = tmp_path.glob("klondike-*.txt")
    assert f"A game that was not saved is in {kept}".encode() in done.stdout


def test_wrong_usage_is_status_2() -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--rules", "house"])
    assert caught.value.code == 2
