"""What every game's Position promises, checked the same way for each game.

A game registers one `Case`; `tests/test_conformance.py` runs all checks on all cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solver import answer, klondike
from solver.games import find_game
from solver.makiaveli import Turn
from solver.tomb_double.rules import Move as TombDoubleMove
from solver.tomb_single import Move as TombSingleMove


@dataclass(frozen=True, slots=True)
class Case:
    """Examples of one game, all in its one-line notation.

    Attributes:
        game: The game's word, a key of `solver.games.GAMES`.
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
        return find_game(self.game).solver.Position.parse(text)

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
    Case(
        game="tomb_single",
        legal=(
            "tomb_single deck: 52",
            "corners: 9C | 7D | - | -; centre: 8 4C; spares: 2H KS - QD; spare_six: 6H; discard: 3C 2 JH",
            "rules: free; spares: 2H - - -; deck: 9D ?? 49",
        ),
        faulty=(
            ("spares: 6C - - -", "belongs in the centre"),
            ("discard: 5C 5C", "5C stands 2 times"),
            ("centre: 6C 4D", "where a 5 belongs"),
            ("deck: 51", "expected 52"),
        ),
        unreadable=("spares: 2H", "deck: 60", "rules: fair", "discard: 3X", "klondike deck: 52", "tableau: 2H"),
        won=("corners: KC | KD | KH | KS; centre: 23 AS; deck:",),
        parse_move=TombSingleMove.parse,
        illegal=(
            ("deck: 2C 51", "D>C"),
            ("deck: 2C 51", "D>X"),
            ("deck: 52", "D>S1"),
            ("rules: free; deck: 7C 51", "D>X"),
        ),
        solvable=(
            "deck: 52",
            "corners: QC | KD | KH | KS; centre: 23 AS; deck: KC",
            "rules: free; corners: QC | KD | KH | KS; centre: 23 AS; deck: KC",
        ),
    ),
    Case(
        game="klondike",
        legal=(
            "klondike draw: 3; redeals: 2; moves: run; worrying_back: yes; redealt: 1; columns: ?? ?? [9C 8H] | "
            "?? [KS] | [QH] | - | - | - | -; foundations: C4 D11 H6 S0; stock: " + "?? " * 20 + "; waste: ?? ?? ?? QD",
            "columns: [KC] | - | - | - | - | - | -; foundations: c12, d13 H13 s13",
            "klondike foundations: C13 D13 H13 S13",
        ),
        faulty=(
            ("columns: AS | 2S", "columns instead of 7"),
            ("columns: [KC 9D] | - | - | - | - | - | -; foundations: C12", "does not go on"),
            ("stock: AS AS", "AS stands 2 times"),
            ("foundations: C12", "instead of 52"),
        ),
        unreadable=("stock: 7X", "klondike draw: x", "makiaveli stock: 3S", "columns: [KS", "stock: 3S; stock: 4S"),
        won=("foundations: C13 D13 H13 S13",),
        parse_move=klondike.Move.parse,
        illegal=(
            ("columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13", "W>F"),
            ("columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13", "draw"),
            ("columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13", "T2>F"),
            ("columns: [KC] | - | - | - | - | - | -; foundations: C12 D13 H13 S13", "F:D>T2"),
        ),
        solvable=(
            "moves: run; columns: QH [KC] | QS [KD] | KH [QD] | QC [KS] | - | - | -; foundations: C11 D11 H11 S11",
            str(klondike.random_deal(1, klondike.STANDARD)),
            "moves: run; columns: [KS] | - | - | - | - | - | -; foundations: C12 D12 H12 S12; stock: ?? ?? ??",
        ),
    ),
    Case(
        game="tomb_double",
        legal=(
            "foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0",
            "tomb_double foundations: C13 D26 H26; centre: AC 2♣; reserves: - | ?? 3c | - | -; wastes: ?? 10C | -; "
            "redeals: 1; stock: 33",
            "foundations: C26 D26; stock: 52",
            "foundations: S26 H26 C26 D26",
        ),
        faulty=(
            ("foundations: C26 D26; stock: 51", "103 cards"),
            ("foundations: C26; stock: 78", "78 cards in stock and wastes"),
            ("foundations: C26 D26; tableau: 7C | - | - | -; stock: 51", "3 copies of 7C"),
            ("foundations: C26 D26; tableau: 7H 9H | - | - | -; stock: 50", "9H cannot lie on 7H"),
            ("foundations: C26 D26; centre: 2H; stock: 51", "begins with 2H"),
            ("foundations: C26 D26; wastes: - | -; stock: 52", "2 wastes"),
            ("foundations: C26 D26; tableau: 7H | 8H; stock: 50", "2 tableau piles"),
        ),
        unreadable=("stock: 7X", "tableau: ??", "klondike stock: 5", "talon: 3S", "stock: 1; stock: 2", "redeals: 5"),
        won=("foundations: C26 D26 H26 S26",),
        parse_move=TombDoubleMove.parse,
        illegal=(
            ("foundations: C26 D26; stock: 52", "redeal"),
            ("foundations: C26 D26; stock: 52", "R1>F"),
            ("foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0", "T1>F"),
            ("foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0", "W1>C"),
        ),
        solvable=(
            "foundations: C26 D26 H26 S24; tableau: AS | - | - | -; wastes: 2S; redeals: 0",
            "foundations: C26 D26 H26 S23; tableau: AS | - | - | -; wastes: ?? ??; redeals: 0",
        ),
    ),
]  # fmt: skip
"""Every game that promises to conform."""
