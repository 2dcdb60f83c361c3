"""Napoleon's Tomb with two decks on the page."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

from drawing.card_names import BACK
from solver.solution import Limits, Verdict, wilson
from webapp.games.game import GamePage, Simulation, TableChoice
from webapp.jobs import Json

SECONDS: Final = 0.15
"""How long one deal may be searched when moves are compared."""
ROUND: Final = 4
"""Deals on which all moves are compared before the clock is looked at."""
DEALS: Final = 400


def hide(table: Json) -> Json:
    """A table as its player sees it: the stock without its cards' names."""
    return table | {"stock": [BACK] * len(table["stock"])}


def describe_turn(move: str) -> str:
    """Says a move that turns a card to a waste; "" for other moves."""
    return f"turn a card to waste {move[3:]}" if move.startswith("S>W") else ""


def redeals_possible(table: Json) -> list[int]:
    """How many redeals may be left: there is one waste more than that, and each begun waste must exist.

    >>> redeals_possible({"wastes": [["4H"], [], ["9S"], [], []]})
    [4, 3, 2]
    """
    from solver.tomb_double.rules import REDEALS

    least = max((number for number, waste in enumerate(table["wastes"]) if waste), default=0)
    return list(range(REDEALS, least - 1, -1))


def with_redeals(table: Json, redeals: int) -> Json:
    """The table with so many redeals left, and as many wastes as go with them: one more.

    >>> with_redeals({"wastes": [["4H"], [], []], "redeals": 2}, 1)
    {'wastes': [['4H'], []], 'redeals': 1}
    """
    wastes = [*table["wastes"], *([] for _ in range(redeals))][: redeals + 1]
    return table | {"wastes": wastes, "redeals": redeals}


def compare(position: Any, seconds: float, seed: int, emit: Callable[[Json], object]) -> Json:
    """Compares moves on deals that fit what is seen, as `webapp.games.game.Compare` says.

    Rounds of a few deals are added up until `seconds` have passed, so that every move has had the same deals.
    """
    end = time.monotonic() + seconds
    won: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    n = 0
    while n < DEALS and (not n or time.monotonic() < end):
        for move, wins, open_ones in move_shares(position, ROUND, seed + n):
            won[move] += wins
            undecided[move] += open_ones
        n += ROUND
        emit({"deals": n})
    rows: list[Json] = []
    for move, wins in won.items():
        low, high = wilson(wins, n, undecided=undecided[move])
        rows.append({"move": move, "share": wins / n, "low": low, "high": high, "undecided": undecided[move], "n": n})
    rows.sort(key=lambda row: (-won[row["move"]], _idle(row["move"])))
    return {"moves": rows, "seed": seed, "by": "knowing"}


def _idle(move: str) -> int:
    """The order of equally good moves: to a foundation, off a reserve, within the tableau, off a waste, turns.

    >>> sorted(["redeal", "S>W1", "W1>T2", "T1>T2", "W1>F", "R1>T2"], key=_idle)
    ['W1>F', 'R1>T2', 'T1>T2', 'W1>T2', 'S>W1', 'redeal']
    """
    return 0 if move.endswith(">F") else {"R": 1, "C": 1, "T": 2, "W": 3, "S": 4}.get(move[0], 5)


def move_shares(position: Any, deals: int, seed: int) -> Iterator[tuple[str, int, int]]:
    """Of each move: on how many of some deals it can still be won, and how many stay undecided; all on the same."""
    from solver.tomb_double.solve import completed, solve

    rng = Random(seed)
    moves = [move for move in position.moves() if not changes_nothing(position, str(move))] or position.moves()
    verdicts: dict[str, Counter[Verdict]] = {str(move): Counter() for move in moves}
    for _ in range(deals):
        cards = list(position.unseen())
        rng.shuffle(cards)
        deal = completed(position, cards)
        for move in moves:
            found = solve(deal.play(move), Limits(time=SECONDS), seed=seed)
            verdicts[str(move)][found.verdict] += 1
    for name, counts in verdicts.items():
        yield name, counts[Verdict.WIN], counts[Verdict.UNKNOWN]


def changes_nothing(position: Any, move: str) -> bool:
    """Whether a move only takes a pile of one card to an empty place of the tableau.

    >>> from solver import parse
    >>> table = parse("tomb_double tableau: 6C | - | 3C 4C | -")
    >>> changes_nothing(table, "T1>T2"), changes_nothing(table, "T3>T2"), changes_nothing(table, "T1>F")
    (True, False, False)
    """
    source, _, target = move.partition(">")
    if source[0] != "T" or target[0] != "T":
        return False
    from_pile, to_pile = (position.tableau[int(name[1]) - 1] for name in (source, target))
    return len(from_pile) == 1 and not to_pile


def simulate(size: int, seed: int) -> Sequence[int]:
    """How many of some random deals were won."""
    from solver.tomb_double.simulate import Player
    from solver.tomb_double.simulate import simulate as simulate_deals

    won = simulate_deals(size, player=Player.RULE, seed=seed).won
    return [round(won.mean * won.n)]


PAGE: Final = GamePage(
    about="a larger solitaire with reserves",
    warm_up=(
        "tomb_double foundations: C26 D26 H26 S25; tableau: AS | - | - | -",
        "tomb_double foundations: C26 D26 H26 S18; tableau: 8S | - | - | -; stock: ?? ?? ?? ?? ?? ?? ??",
        # Only a whole deal takes the search of the open game; this one is won at once.
        "tomb_double tableau: 5C | 5H | QH | 6S; reserves: JS 2H 3C 6H 9H 7C KH 9S KC 6D | AD 9S JH 7D 5H 8H 6D 3H AC"
        " JD | TH 7C 5D QH 9D 9D 2D TH TC 5C | 7S 8C 8H TD 4D AS TC 3H 4C 5S; stock: 7H 2D JC 4C 6C 8S 5S 9C AC 4D 7D"
        " QS 7S AD 4H TD 8S 8D JH 8D 3D AH 2H 2C JD 9H 2C AH QD KD JS KS KH 3S 4H 6H 7H TS 6C 8C 9C KS 4S QC TS KC AS"
        " QC QS JC 5D 3S 6S 2S QD 3D 3C 2S 4S KD",
    ),
    table_choice=TableChoice("redeals_left", "Redeals left", "redeals", redeals_possible, with_redeals),
    hide=hide,
    describe_turn=describe_turn,
    compare=compare,
    simulation=Simulation(
        ("won",), simulate, "How often a player wins who does not see the stock and plays by a fixed rule."
    ),
)
