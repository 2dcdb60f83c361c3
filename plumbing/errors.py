"""Every error a person can cause, by name.

Each message says what was wrong, where, and what would be right; the object carries the same as fields, so that a
page can point at the place and a batch row can store it.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any


class CardsError(ValueError):
    """Base of all errors about cards, positions, moves and rules."""

    def __reduce__(self) -> tuple[object, ...]:
        # The default calls the class with the message alone, which fails for constructors of several arguments: such
        # an error would kill the worker pool that it was to be sent through.
        return _restored, (type(self), str(self), dict(self.__dict__))


def _restored(kind: type[CardsError], message: str, fields: dict[str, object]) -> CardsError:
    error = kind.__new__(kind, message)
    error.__dict__.update(fields)
    return error


class NotationError(CardsError):
    """Text that cannot be read.

    Attributes:
        text: The whole text.
        column: Place of the fault in `text`, counted from 1.
        problem: What is wrong there.
        expected: What would be right.
    """

    def __init__(self, text: str, column: int, problem: str, expected: str) -> None:
        self.text = text
        self.column = column
        self.problem = problem
        self.expected = expected
        super().__init__(f"column {column}: {problem}; expected {expected}")


class PositionError(CardsError):
    """A position that breaks the rules of its game; `problems` lists every fault at once.

    Attributes:
        game: The game's name.
        problems: One sentence a fault.
    """

    def __init__(self, game: str, problems: Sequence[str]) -> None:
        self.game = game
        self.problems = tuple(problems)
        super().__init__(f"not a {game} position: " + "; ".join(self.problems))


class IllegalMoveError(CardsError):
    """A move that the rules do not allow in this position.

    Attributes:
        move: The move as printed.
        reason: Why it is not allowed.
    """

    def __init__(self, move: object, reason: str) -> None:
        self.move = str(move)
        self.reason = reason
        super().__init__(f"{self.move}: {reason}")


class VerificationError(CardsError):
    """A solver's line that does not replay: always a bug in the solver, never the user's fault.

    Attributes:
        step: Index of the failing move, counted from 1; the line's length + 1 when the end position is wrong.
        reason: What failed.
    """

    def __init__(self, step: int, reason: str) -> None:
        self.step = step
        self.reason = reason
        super().__init__(f"line fails at step {step}: {reason}")


class RulesError(CardsError):
    """A rule parameter out of its range.

    Attributes:
        parameter: The parameter's name.
        value: What was given.
        allowed: What would be right.
    """

    def __init__(self, parameter: str, value: object, allowed: str) -> None:
        self.parameter = parameter
        self.value = value
        self.allowed = allowed
        super().__init__(f"{parameter} is {value!r}; allowed: {allowed}")


def check_whole_number(parameter: str, value: Any, least: int) -> None:
    """Raises RulesError for a parameter that is no whole number, or too small.

    >>> check_whole_number("n", 1.5, 1)
    Traceback (most recent call last):
    plumbing.errors.RulesError: n is 1.5; allowed: 1 or more, a whole number
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise RulesError(parameter, value, f"{least} or more, a whole number")
