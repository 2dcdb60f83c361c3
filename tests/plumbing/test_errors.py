from __future__ import annotations

import inspect

import pytest

from plumbing import errors
from plumbing.errors import (
    CardsError,
    IllegalMoveError,
    NotationError,
    PositionError,
    RulesError,
    VerificationError,
)

ERRORS = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_is_a_cards_error_and_a_value_error(kind: type[Exception]) -> None:
    assert issubclass(kind, CardsError)
    assert issubclass(kind, ValueError)


@pytest.mark.parametrize(
    ("error", "parts"),
    [
        (NotationError("7X", 1, "'7X' is no card", "rank and suit"), ["column 1", "7X", "rank and suit"]),
        (PositionError("makiaveli", ["one fault", "another"]), ["makiaveli", "one fault", "another"]),
        (IllegalMoveError("W>F", "the waste is empty"), ["W>F", "the waste is empty"]),
        (VerificationError(3, "no such card"), ["step 3", "no such card"]),
        (RulesError("draw", 4, "1, 2 or 3"), ["draw", "4", "1, 2 or 3"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_messages_say_what_where_and_what_would_be_right(error: CardsError, parts: list[str]) -> None:
    for part in parts:
        assert part in str(error)


def test_objects_carry_the_same_as_fields() -> None:
    assert NotationError("7X", 1, "p", "e").expected == "e"
    assert PositionError("g", ["a", "b"]).problems == ("a", "b")
    assert IllegalMoveError(7, "r").move == "7"
    assert VerificationError(3, "r").step == 3
    assert RulesError("draw", 4, "1").value == 4
