"""Winning lines of every game, falsified in every way there is, and slow twins that say what each is still worth.

A falsified line must be refused by `solver.verifier` unless the twin of its game, which shares no code with it, finds
that it still wins (two draws swapped, say). `tests/solver/test_corruptions.py` tries some thousands of lines;
`python -m tests.bench.fuzz --surface won_line` as many as are wanted.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from plumbing.errors import VerificationError
from solver import klondike, makiaveli
from solver import tomb_double as double
from solver import tomb_single as single
from solver.baccarat.rules import Outcome, Position
from solver.cards import DECK, Card
from solver.solution import Limits, Solution, Verdict
from solver.tomb_double.rules import Move as DoubleMove
from solver.verifier import verify
from tests.naive import baccarat as naive_baccarat
from tests.naive import klondike as naive_klondike
from tests.naive import makiaveli as naive_makiaveli
from tests.naive import tomb_double as naive_double
from tests.solver.klondike.tables import naive_rules, table_of

Words = tuple[str, ...]


# Lines of moves, as words


def _swap(words: Words, rng: random.Random, other: Words) -> Words:
    a, b = rng.sample(range(len(words)), 2)
    made = list(words)
    made[a], made[b] = made[b], made[a]
    return tuple(made)


def _swap_neighbours(words: Words, rng: random.Random, other: Words) -> Words:
    at = rng.randrange(len(words) - 1)
    return (*words[:at], words[at + 1], words[at], *words[at + 2 :])


def _drop(words: Words, rng: random.Random, other: Words) -> Words:
    at = rng.randrange(len(words))
    return words[:at] + words[at + 1 :]


def _duplicate(words: Words, rng: random.Random, other: Words) -> Words:
    at = rng.randrange(len(words))
    return words[: at + 1] + words[at:]


def _change(words: Words, rng: random.Random, other: Words) -> Words:
    at = rng.randrange(len(words))
    return (*words[:at], rng.choice(other), *words[at + 1 :])


def _change_place(words: Words, rng: random.Random, other: Words) -> Words:
    """Another source with this target, or another target with this source."""
    at = rng.randrange(len(words))
    one, two = words[at].partition(">"), rng.choice([word for word in other if ">" in word]).partition(">")
    word = one[0] + ">" + two[2] if rng.random() < 0.5 else two[0] + ">" + (one[2] or "F")
    return (*words[:at], word, *words[at + 1 :])


def _truncate(words: Words, rng: random.Random, other: Words) -> Words:
    return words[: rng.randrange(len(words))]


def _append(words: Words, rng: random.Random, other: Words) -> Words:
    return (*words, rng.choice(other))


def _insert(words: Words, rng: random.Random, other: Words) -> Words:
    at = rng.randrange(len(words))
    return (*words[:at], rng.choice(other), *words[at:])


def _reverse(words: Words, rng: random.Random, other: Words) -> Words:
    at, to = sorted(rng.sample(range(len(words) + 1), 2))
    return words[:at] + words[at:to][::-1] + words[to:]


def _other_deal(words: Words, rng: random.Random, other: Words) -> Words:
    return other


KINDS: Final[Mapping[str, Callable[[Words, random.Random, Words], Words]]] = {
    "two moves swapped": _swap,
    "neighbours swapped": _swap_neighbours,
    "a move dropped": _drop,
    "a move twice": _duplicate,
    "a move changed": _change,
    "a place changed": _change_place,
    "cut short": _truncate,
    "a move appended": _append,
    "a move inserted": _insert,
    "a part reversed": _reverse,
    "the line of another deal": _other_deal,
}


@dataclass(frozen=True)
class Game:
    """A game whose lines are moves written as words.

    Attributes:
        solutions: Some wins.
        parse: Reads a move.
        wins: The twin: whether a line, from the start, is legal to its end and wins.
    """

    solutions: Callable[[], Sequence[Solution]]
    parse: Callable[[str], Any]
    wins: Callable[[Any, Words], bool]


def _klondike_wins(position: Any, words: Words) -> bool:
    table, rules = table_of(position), naive_rules(position.rules)
    for word in words:
        moves = naive_klondike.successors(table, rules)
        if word not in moves:
            return False
        table = moves[word]
    return naive_klondike.is_won(table)


def _double_wins(position: Any, words: Words) -> bool:
    table = naive_double.table_of(position)
    for word in words:
        moves = naive_double.successors(table)
        if word not in moves:
            return False
        table = moves[word]
    return naive_double.is_won(table)


def _single_wins(position: Any, words: Words) -> bool:
    """The document's sentences of the free game, on ranks."""
    deck = [card.rank for card in position.deck]
    places = ("X", "6", "C", "S1", "S2", "S3", "S4", "K1", "K2", "K3", "K4")
    piles: dict[str, list[int]] = {name: [] for name in places}
    for word in words:
        source, _, target = word.partition(">")
        if source not in ("D", "X", "6", "S1", "S2", "S3", "S4") or target not in piles:
            return False
        pile = deck if source == "D" else piles[source]
        if not pile:
            return False
        rank, there = pile[0 if source == "D" else -1], piles[target]
        if target == "C":
            fits = len(there) < 24 and rank == (6 if not there or there[-1] == 1 else there[-1] - 1)
        elif target[0] == "K":
            fits = rank == (there[-1] + 1 if there else 7)
        elif target == "6":
            fits = rank == 6 and source == "D"
        elif target == "X":
            fits = rank not in (6, 7) and source == "D"
        else:
            fits = rank not in (6, 7) and source in ("D", "X") and not there
        if not fits:
            return False
        there.append(pile.pop(0 if source == "D" else -1))
    return len(piles["C"]) == 24 and all(len(piles[f"K{n}"]) == 7 for n in (1, 2, 3, 4))


BOUNDED: Final = Limits(time=None, nodes=100_000)
"""No seconds: a busy machine finds the same wins."""


def _wins(solve: Callable[[int], Any], wanted: int = 6) -> Sequence[Solution]:
    found = (solve(seed) for seed in range(200))
    wins = (one for one in found if isinstance(one, Solution) and one.verdict is Verdict.WIN)
    return [next(wins) for _ in range(wanted)]


@cache
def _klondike() -> Sequence[Solution]:
    one = replace(klondike.STANDARD, draw=1)
    draw_three = _wins(lambda seed: klondike.solve(klondike.random_deal(seed, klondike.STANDARD), BOUNDED), 4)
    return [*draw_three, *_wins(lambda seed: klondike.solve(klondike.random_deal(seed, one), BOUNDED), 4)]


@cache
def _double() -> Sequence[Solution]:
    return _wins(lambda seed: double.solve(double.random_deal(seed), BOUNDED), 3)


@cache
def _single() -> Sequence[Solution]:
    return _wins(lambda seed: single.solve(single.random_deal(seed, rules=single.FREE), BOUNDED))


GAMES: Final[Mapping[str, Game]] = {
    "klondike": Game(_klondike, klondike.Move.parse, _klondike_wins),
    "tomb_single": Game(_single, single.Move.parse, _single_wins),
    "tomb_double": Game(_double, DoubleMove.parse, _double_wins),
}


def is_accepted(solution: Solution) -> bool:
    """Whether the verifier lets a solution pass."""
    try:
        return verify(solution) is solution
    except VerificationError:
        return False


def try_line(game: str, kind: str, rng: random.Random) -> tuple[bool, str | None]:
    """Falsifies a line of `game`; whether it was refused, and what is wrong with that."""
    here = GAMES[game]
    solution, other = rng.sample(here.solutions(), 2)
    words = tuple(map(str, solution.line))
    bent = KINDS[kind](words, rng, tuple(map(str, other.line)))
    try:
        line = tuple(map(here.parse, bent))
    except ValueError:  # no move at all: such a line cannot be made
        return True, None
    passes, wins = is_accepted(replace(solution, line=line)), here.wins(solution.position, bent)
    if passes != wins:
        said = "accepted" if passes else "refused"
        return not passes, f"{game}, {kind}: {said}, but the twin says {wins}: {bent} on {solution.position}"
    return not passes, None


# Makiaveli: a turn is a table


@cache
def _turns() -> Sequence[Solution]:
    texts = (
        "floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - 8S -; hand: 5H 3S 4S",
        "floor: 7C 7D 7H | 9S TS JS | 4H 5H 6H 7H | QC QD QS; cross: 2S - KD -; hand: 3S 4S 8H",
        "floor: AS 2S 3S 4S | 5D 5H 5C | JD QD KD; cross: - 4D - AD; hand: 5S 6S TD",
    )
    solutions = [makiaveli.solve(makiaveli.Position.parse(text)) for text in texts]
    assert all(solution.verdict is Verdict.WIN for solution in solutions)
    return solutions


def _bend_turn(turn: Any, position: Any, kind: str, rng: random.Random) -> Any:
    melds = [list(meld) for meld in turn.melds]
    a, b = rng.randrange(len(melds)), rng.randrange(len(melds))
    i, j = rng.randrange(len(melds[a])), rng.randrange(len(melds[b]))
    card = rng.choice(DECK)
    cross, hand = list(turn.cross), list(turn.hand)
    match kind:
        case "two cards swapped":
            melds[a][i], melds[b][j] = melds[b][j], melds[a][i]
        case "a card dropped":
            del melds[a][i]
        case "a card twice":
            melds[b].append(melds[a][i])
        case "a card changed":
            melds[a][i] = card
        case "a card in another meld":
            melds[b].append(melds[a].pop(i))
        case "a meld dropped":
            del melds[a]
        case "a meld twice":
            melds.append(melds[a])
        case "two melds in one":
            melds[a] = melds[a] + melds.pop(b) if a < b else melds[a]
        case "a meld cut in two":
            melds.append([melds[a].pop() for _ in range(rng.randrange(1, len(melds[a]) + 1))])
        case "a card kept":
            hand.append(rng.choice((*position.hand, melds[a][i])))
        case "a cross card invented":
            cross[rng.randrange(4)] = rng.choice((card, melds[a][i], None))
        case "a card appended":
            melds.append([card])
    return replace(turn, melds=tuple(tuple(meld) for meld in melds), cross=tuple(cross), hand=tuple(hand))


TURN_KINDS: Final = (
    "two cards swapped", "a card dropped", "a card twice", "a card changed", "a card in another meld",
    "a meld dropped", "a meld twice", "two melds in one", "a meld cut in two", "a card kept",
    "a cross card invented", "a card appended",
)  # fmt: skip


def _turn_wins(position: Any, turn: Any) -> bool:
    def plain(card: Card) -> tuple[int, int]:
        return "CDHS".index(str(card)[1]), "A23456789TJQK".index(str(card)[0]) + 1

    melds = [[plain(card) for card in meld] for meld in turn.melds]
    legal = all(len(set(meld)) == len(meld) and frozenset(meld) in naive_makiaveli.MELDS for meld in melds)
    stays = all(after is None or after == before for before, after in zip(position.cross, turn.cross, strict=True))
    before = Counter(card for meld in position.floor for card in meld) + Counter(filter(None, position.cross))
    after = Counter(card for meld in turn.melds for card in meld) + Counter(filter(None, turn.cross))
    return legal and stays and not turn.hand and after == before + Counter(position.hand)


def try_turn(kind: str, rng: random.Random) -> tuple[bool, str | None]:
    """Falsifies a turn of Makiaveli; whether it was refused, and what is wrong with that."""
    solution = rng.choice(_turns())
    turn = _bend_turn(solution.line[0], solution.position, kind, rng)
    passes, wins = is_accepted(replace(solution, line=(turn,))), _turn_wins(solution.position, turn)
    fault = None if passes == wins else f"makiaveli, {kind}: accepted {passes}, the twin says {wins}: {turn}"
    return not passes, fault


# Baccarat: a settled round


ROUND_KINDS: Final = ("two cards swapped", "a card dropped", "a card twice", "a card changed", "a card to the other")


def _natural(player: Sequence[int], banker: Sequence[int]) -> bool:
    return max(naive_baccarat.points(player[:2]), naive_baccarat.points(banker[:2])) >= 8


def _settled(round_: Position) -> str | None:
    """The twin's winner of a finished, legal round, else None."""
    player, banker = ([int(card.rank) for card in hand] for hand in (round_.player, round_.banker))
    if not (2 <= len(player) <= 3 and 2 <= len(banker) <= 3):
        return None
    draws = not _natural(player, banker) and naive_baccarat.points(player[:2]) <= 5
    if draws != (len(player) == 3):
        return None
    dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    winner, used, _ = naive_baccarat.play([*dealt, 1, 1])
    return winner if used == len(dealt) else None


def try_round(kind: str, rng: random.Random) -> tuple[bool, str | None]:
    """Falsifies a settled round; whether it was refused, and what is wrong with that."""
    while True:
        hands = [[rng.choice(DECK) for _ in range(rng.choice((2, 3)))] for _ in range(2)]
        if _settled(Position(tuple(hands[0]), tuple(hands[1]))):
            break
    a, b = rng.sample((0, 1), 2)
    i, j = rng.randrange(len(hands[a])), rng.randrange(len(hands[b]))
    match kind:
        case "two cards swapped":
            hands[a][i], hands[b][j] = hands[b][j], hands[a][i]
        case "a card dropped":
            del hands[a][i]
        case "a card twice":
            hands[a].append(hands[a][i])
        case "a card changed":
            hands[a][i] = rng.choice(DECK)
        case "a card to the other":
            hands[b].append(hands[a].pop(i))
    bent = Position(tuple(hands[0]), tuple(hands[1]))
    outcome = None if bent.problems() else bent.outcome
    said = {None: None, Outcome.PLAYER: "player", Outcome.BANKER: "banker", Outcome.TIE: "tie"}[outcome]
    fault = None if said == _settled(bent) else f"baccarat, {kind}: {said}, the twin says {_settled(bent)}: {bent}"
    return said is None, fault


def attempts() -> Mapping[tuple[str, str], Callable[[random.Random], tuple[bool, str | None]]]:
    """(game, kind of falsification) to what tries one."""

    def line(game: str, kind: str) -> Callable[[random.Random], tuple[bool, str | None]]:
        return lambda rng: try_line(game, kind, rng)

    def of(attempt: Callable[[str, random.Random], tuple[bool, str | None]], kind: str) -> Any:
        return lambda rng: attempt(kind, rng)

    return (
        {(game, kind): line(game, kind) for game in GAMES for kind in KINDS}
        | {("makiaveli", kind): of(try_turn, kind) for kind in TURN_KINDS}
        | {("baccarat", kind): of(try_round, kind) for kind in ROUND_KINDS}
    )


ATTEMPTS: Final = attempts()


def prepare() -> None:
    """Solves what is to be falsified; kernels may be compiled for it."""
    for game in GAMES.values():
        game.solutions()
    _turns()
