"""Replays a line of moves through the public rules of its position.

It knows no game and no search. Every solution passes it before it is returned.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from plumbing.errors import CardsError, IllegalMoveError, VerificationError
from solver.position import Position
from solver.solution import Solution, Verdict, WinInAnyCase

SolutionT = TypeVar("SolutionT", bound=Solution)


def replay(position: Position[Any], line: Iterable[Any]) -> Position[Any]:
    """The position after all moves of `line`.

    Raises:
        VerificationError: Naming the first move that the rules refuse.
    """
    for step, move in enumerate(line, start=1):
        try:
            position = position.play(move)
        except IllegalMoveError as error:
            raise VerificationError(step, str(error)) from error
    return position


def verify(solution: SolutionT) -> SolutionT:
    """Replays a solution's line and returns the solution.

    Raises:
        VerificationError: If a move is illegal, a win does not end won, or a line that wins has another verdict.
        CardsError: For what is no solution, such as an estimate.
    """
    if not isinstance(solution, Solution):
        raise CardsError(f"no solution but: {type(solution).__name__}; verify() takes what answer() gives")
    if isinstance(solution, WinInAnyCase):
        return _verify_example(solution)
    final = replay(solution.position, solution.line)
    won = final.is_won
    if won != (solution.verdict is Verdict.WIN):
        state = "won" if won else "not won"
        raise VerificationError(len(solution.line) + 1, f"the verdict is {solution.verdict} but the end is {state}")
    return solution


def _verify_example(solution: SolutionT) -> SolutionT:
    """Checks a `WinInAnyCase`: its example is won, and agrees with the position in all known cards."""
    assert isinstance(solution, WinInAnyCase)
    won = verify(solution.example)
    if solution.line or Verdict.WIN is not solution.verdict or Verdict.WIN is not won.verdict:
        raise VerificationError(1, "a win in any case has no line of its own, and an example that wins")
    seen, laid = solution.position.cards(), won.position.cards()
    if len(seen) != len(laid) or any(
        card is not None and card != other for card, other in zip(seen, laid, strict=True)
    ):
        raise VerificationError(1, "the example's cards are not those of the position")
    return solution
