"""What every game's Position promises, checked the same way for each game.

A game registers one `Case`; `tests/test_conformance.py` runs all checks on all cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver.answer import answer, game_module
from solver.makiaveli import Turn


@dataclass(frozen=True, slots=True)
class Case:
    """Examples of one game, all in its one-line notation.

    Attributes:
        game: The game's word, a key of `solver.answer.GAMES`.
        legal: Positions without faults.
        faulty: Positions with faults, each with a word that its problems must name.
        unreadable: Texts that are no position.
        won: Positions that are won.
        parse_move: Reads a move of the game.
        illegal: Pairs of a legal position and a move that its rules refuse.
        solvable: Positions that `answer` solves in well under a second.
    """

    game: str
    legal: tuple[str, ...]
    faulty: tuple[tuple[str, str], ...]
    unreadable: tuple[str, ...]
    won: tuple[str, ...]
    parse_move: Callable[[str], Any]
    illegal: tuple[tuple[str, str], ...]
    solvable: tuple[str, ...]

    def position(self, text: str) -> Any:
        """The position that a text describes."""
        return game_module(self.game).Position.parse(text)

    def answer(self, text: str) -> Any:
        """The answer to a position."""
        return answer(self.position(text))


CASES: list[Case] = [
    Case(
        game="makiaveli",
        legal=(
            "makiaveli floor: 7C 7D 7H | 9S TS JS; cross: 2S - - -; hand: 3S 4S 5S",
            "hand: 3S",
            "makiaveli",
            "floor: ac 2c 3c|qh,kh,ah; cross: - 10♥ - 9♠; hand:",
            "rules: strict_cross; floor: 7C 7D 7H; cross: 7S; hand: 8S 9S",
            "rules: repair; floor: 7C 7D | 9S; hand: 7H",
        ),
        faulty=(
            ("floor: 7C 7D", "at least 3"),
            ("floor: KC AC 2C", "between"),
            ("floor: 7C 7D 7D", "identical"),
            ("floor: 7C 8C TC", "consecutive"),
            ("floor: 7C 8D 9H", "neither"),
            ("floor: AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "two aces"),
            ("floor: 7C 7D 7H | 7C 8C 9C; hand: 7C", "7C stands 3 times"),
            ("cross: 2C 3C 4C 5C 6C", "5 cross cards"),
        ),
        unreadable=("floor: 7X", "hand: ??", "klondike hand: 3S", "table: 3S", "hand: 3S; hand: 4S", "rules: nonsense"),
        won=("floor: 7C 7D 7H",),
        parse_move=Turn.parse,
        illegal=(
            ("floor: 7C 7D 7H; hand: 7S 9D", "melds: 7C 7D 7H; hand: 7S 9D"),
            ("floor: 7C 7D 7H; hand: 7S", "melds: 7C 7D 7S; hand: 7H"),
            ("floor: 7C 7D 7H; hand: 7S", "melds: 7C 7D 7S"),
            ("floor: 7C 7D 7H; hand: 7S 9D", "melds: 7C 7D 7H 7S 9D"),
            ("floor: 7C 7D 7H; cross: 7S; hand: 8S 9S", "melds: 7C 7D 7H; cross: - 7S - -; hand: 8S"),
            ("rules: strict_cross; floor: 7C 7D 7H | 8H 9H TH; cross: 7S; hand: JH",
             "melds: 7C 7D 7H 7S | 8H 9H TH JH"),
        ),
        solvable=("floor: 7C 7D 7H; cross: 2S; hand: 3S 4S 5S", "hand: KS AS 2S", "floor: 5D 6D 7D; hand: 8D QS"),
    ),
]  # fmt: skip
"""Every game that promises to conform."""
