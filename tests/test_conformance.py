"""Every game's Position keeps the promises of `solver.position`; see `tests/conformance.py`."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from plumbing.errors import CardsError, IllegalMoveError, NotationError, PositionError, RulesError
from solver import answer, answer_many, parse
from solver.games import find_game, position_from_json
from solver.position import Position, check
from solver.solution import Estimate, Verdict, WinInAnyCase
from solver.verifier import replay, verify
from tests.conformance import CASES, Case


def pairs(attribute: str) -> list[Any]:
    return [
        pytest.param(case, example, id=f"{case.game}-{number}")
        for case in CASES
        for number, example in enumerate(getattr(case, attribute))
    ]


@pytest.mark.parametrize(("case", "text"), pairs("legal"))
def test_a_legal_position_round_trips(case: Case, text: str) -> None:
    position = case.position(text)
    assert isinstance(position, Position)
    assert position.problems() == ()
    assert parse(str(position)) == position
    assert position_from_json(json.loads(json.dumps(position.to_json()))) == position
    assert hash(parse(str(position))) == hash(position)
    assert position.to_json()["game"] == case.game
    assert "\n" not in str(position)


@pytest.mark.parametrize(("case", "example"), pairs("faulty"))
def test_a_faulty_position_is_read_and_names_its_faults(case: Case, example: tuple[str, str]) -> None:
    text, word = example
    position = case.position(text)
    assert parse(str(position)) == position
    assert word in " ".join(position.problems())
    with pytest.raises(PositionError) as caught:
        check(position)
    assert caught.value.problems == position.problems()
    with pytest.raises(PositionError):
        case.answer(text)


@pytest.mark.parametrize(("case", "text"), pairs("unreadable"))
def test_text_that_is_no_position_is_refused(case: Case, text: str) -> None:
    with pytest.raises(NotationError) as caught:
        case.position(text)
    assert 1 <= caught.value.column <= len(text) + 1


@pytest.mark.parametrize(("case", "text"), pairs("won"))
def test_a_won_position_is_won(case: Case, text: str) -> None:
    assert case.position(text).is_won


@pytest.mark.parametrize(("case", "example"), pairs("illegal"))
def test_an_illegal_move_is_refused_with_its_reason(case: Case, example: tuple[str, str]) -> None:
    text, move = example
    position = case.position(text)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(case.parse_move(move))
    assert caught.value.reason
    assert position == case.position(text)


@pytest.mark.parametrize(("case", "text"), pairs("solvable"))
def test_an_answer_carries_a_line_that_replays(case: Case, text: str) -> None:
    solution = case.answer(text)
    json.dumps(solution.to_json())
    if isinstance(solution, Estimate):
        assert 0 <= solution.low <= solution.mean <= solution.high <= 1
        return
    assert verify(solution) is solution
    if isinstance(solution, WinInAnyCase):
        solution = solution.example
    assert replay(solution.position, solution.line).is_won == (solution.verdict is Verdict.WIN)
    for move, said in zip(solution.line, solution.to_json()["line"], strict=True):
        assert case.parse_move(said) == move


@pytest.mark.parametrize(("case", "text"), pairs("legal"))
def test_each_move_is_legal_and_prints(case: Case, text: str) -> None:
    position = case.position(text)
    moves = position.moves()
    assert len(set(moves)) == len(moves)
    for move in moves:
        assert position.play(move) != position
        assert case.parse_move(str(move)) == move


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_each_game_has_the_same_words(case: Case) -> None:
    game = find_game(case.game)
    deal = game.solver.random_deal(1)
    assert isinstance(deal, game.position)
    assert deal == game.solver.random_deal(1) != game.solver.random_deal(2)
    assert not deal.problems()
    assert {"Position", "random_deal", "solve", "answer"} <= set(game.solver.__all__)
    assert callable(game.command.run)
    if "?" in "".join(case.legal):
        assert isinstance(game.solver.estimate(case.position(next(t for t in case.legal if "?" in t))), Estimate)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_positions_are_frozen(case: Case) -> None:
    position = case.position(case.legal[0])
    with pytest.raises(FrozenInstanceError):
        setattr(position, fields(position)[0].name, ())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_a_dict_is_read_and_what_is_no_position_move_or_seed_is_refused(case: Case) -> None:
    position: Any = case.position(case.legal[0])
    text: Any = str(position)
    assert parse(position.to_json()) == position
    for call in (answer, lambda one: answer_many([one])):
        with pytest.raises(CardsError, match="a str is no position"):
            call(text)
    with pytest.raises(IllegalMoveError, match="a str is no"):
        position.play(case.illegal[0][1])
    with pytest.raises(NotationError, match="a dict is no text"):
        type(position).parse(position.to_json())
    package = find_game(case.game).solver
    for number in (-1, 1.5):
        with pytest.raises(RulesError, match=f"seed is {number}"):
            package.random_deal(number)
        for name in {"estimate", "simulate"} & set(package.__all__):
            sampled = (position,) if name == "estimate" else ()
            with pytest.raises(RulesError, match=f"n is {number}"):
                getattr(package, name)(*sampled, n=number)


@pytest.mark.parametrize(
    ("given", "kind"), [(None, "None is"), (b"makiaveli hand: 3S", "a bytes is"), (3, "an int is")]
)
def test_what_is_neither_text_nor_json_is_no_position(given: Any, kind: str) -> None:
    with pytest.raises(NotationError, match=f": {kind} no position"):
        parse(given)


@pytest.mark.parametrize("data", [[], {}, {"game": "whist"}, {"game": 3}, None, "text"])
def test_json_of_another_kind_is_refused(data: object) -> None:
    with pytest.raises(CardsError):
        position_from_json(data)
