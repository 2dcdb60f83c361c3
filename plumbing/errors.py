"""Every error a person can cause, by name.

Each message says what was wrong, where, and what would be right; the object carries the same as fields, so that a
page can point at the place and a batch row can store it.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Final

_FAULTS: Final = {
    errno.ENOENT: "no such file or folder",
    errno.EEXIST: "a file; expected a folder",  # only folders are made, and it may be there already
    errno.ENOTDIR: "a part of this path is a file; expected a folder",
    errno.EISDIR: "a folder; expected a file",
    errno.EACCES: "you may not read or write it",
    errno.EPERM: "you may not read or write it",
    errno.EROFS: "nothing can be written on this disk",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk has no more room for you",
    errno.EFBIG: "the file is too large for this disk",
    errno.ENAMETOOLONG: "its name is too long",
}
"""What the system says of a file, in plain words."""


def fault_of(error: OSError) -> str:
    """What the system says is wrong with a file, in plain words."""
    return _FAULTS.get(error.errno or 0, f"cannot be read or written ({error.strerror or error})")


def describe_fault(error: BaseException) -> str:
    """What went wrong, in a line: of an error of the system the file and what is wrong with it, in plain words.

    >>> describe_fault(FileExistsError(17, "File exists", "out"))
    'out: a file; expected a folder'
    """
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    return fault_of(error) if error.filename is None else f"{error.filename}: {fault_of(error)}"


def kind_of(value: object) -> str:
    """What kind of value it is, with an article.

    >>> kind_of("7C"), kind_of(7), kind_of(None)
    ('a str', 'an int', 'None')
    """
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"


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
