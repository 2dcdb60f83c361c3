"""Exact solvers and simulators for card games; knows nothing of photos or pages.

The front door. `parse` reads any game's line, `answer` says whether it could have been won, `verify` replays a
solution. Each game is a package of the same words: `Position`, `random_deal`, `solve`, and `estimate` where cards may
be hidden; a position has `moves()` and `play(move)`. Nothing is loaded before it is used.

>>> from solver import answer, klondike, parse, verify
>>> verify(answer(parse("makiaveli floor: 7C 7D 7H; hand: 7S"))).headline
'win in 1 turn'
>>> print(*klondike.random_deal(7, klondike.STANDARD).moves())
draw T3>T2:1 T1>T3:1 T5>T3:1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from plumbing.errors import CardsError
    from solver import baccarat, klondike, makiaveli, tomb_double, tomb_single
    from solver.game_review import review
    from solver.games import answer, answer_many, parse
    from solver.record import Record, parse_record
    from solver.solution import Estimate, Failure, Limits, Solution, Verdict
    from solver.verifier import verify

__all__ = [
    "CardsError",
    "Estimate",
    "Failure",
    "Limits",
    "Record",
    "Solution",
    "Verdict",
    "answer",
    "answer_many",
    "baccarat",
    "klondike",
    "makiaveli",
    "parse",
    "parse_record",
    "review",
    "tomb_double",
    "tomb_single",
    "verify",
]

_NAMES: Final = {
    "solver.games": ("answer", "answer_many", "parse"),
    "solver.game_review": ("review",),
    "solver.record": ("Record", "parse_record"),
    "solver.verifier": ("verify",),
    "plumbing.errors": ("CardsError",),
    "solver.solution": ("Estimate", "Failure", "Limits", "Solution", "Verdict"),
}
"""Names, by the module that they come from."""
_HOMES: Final = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES: Final = ("baccarat", "klondike", "makiaveli", "tomb_double", "tomb_single")


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        value: Any = import_module(f"solver.{name}")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name == "__version__":
        value = import_module("plumbing.package_metadata").version()
    else:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    globals()[name] = value  # asked for once
    return value


def __dir__() -> list[str]:
    return __all__
