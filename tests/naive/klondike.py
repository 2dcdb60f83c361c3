"""The rules of Klondike once more, slow and obvious, and an exhaustive search: what the solver is checked against.

Shares no code with the solver: a card is its number (13 * suit + rank - 1, suits C D H S), piles are tuples, a move is
a string, and every state that can be reached is looked at.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

Pile = tuple[int, ...]
RED = (1, 2)


class Table(NamedTuple):
    """Piles bottom to top; `stock[0]` is turned first. A column is its face-down part and its face-up part."""

    foundations: tuple[int, ...]
    columns: tuple[tuple[Pile, Pile], ...]
    stock: Pile
    waste: Pile
    redealt: int


class Rules(NamedTuple):
    draw: int
    redeals: int | None
    runs: bool
    worrying_back: bool


def is_won(table: Table) -> bool:
    return sum(table.foundations) == 52


def successors(table: Table, rules: Rules) -> dict[str, Table]:
    """Every legal move, as printed, with the table after it."""
    found: dict[str, Table] = {}
    if table.stock:
        turned = table.stock[: rules.draw]
        found["draw"] = table._replace(stock=table.stock[rules.draw :], waste=table.waste + turned)
    elif table.waste and (rules.redeals is None or table.redealt < rules.redeals):
        redealt = table.redealt + 1 if rules.redeals is not None else 0
        turned = table.waste[: rules.draw]
        found["draw"] = table._replace(stock=table.waste[rules.draw :], waste=turned, redealt=redealt)
    if table.waste:
        rest = table._replace(waste=table.waste[:-1])
        put(found, "W>F", rest, to_foundation(rest, table.waste[-1]))
        for to in range(len(table.columns)):
            put(found, f"W>T{to + 1}", rest, onto(rest.columns, to, table.waste[-1:]))
    for source, (_, up) in enumerate(table.columns):
        if not up:
            continue
        rest = table._replace(columns=lift(table.columns, source, 1))
        put(found, f"T{source + 1}>F", rest, to_foundation(rest, up[-1]))
        for count in range(1, len(up) + 1 if rules.runs else 2):
            rest = table._replace(columns=lift(table.columns, source, count))
            for to in range(len(table.columns)):
                if to != source:
                    put(found, f"T{source + 1}>T{to + 1}:{count}", rest, onto(rest.columns, to, up[-count:]))
    if rules.worrying_back:
        for suit, height in enumerate(table.foundations):
            if height:
                lowered = tuple(h - (s == suit) for s, h in enumerate(table.foundations))
                rest = table._replace(foundations=lowered)
                card = 13 * suit + height - 1
                for to in range(len(table.columns)):
                    put(found, f"F:{'CDHS'[suit]}>T{to + 1}", rest, onto(rest.columns, to, (card,)))
    return found


def put(found: dict[str, Table], move: str, rest: Table, changed: dict | None) -> None:
    if changed is not None:
        found[move] = rest._replace(**changed)


def to_foundation(table: Table, card: int) -> dict | None:
    if table.foundations[card // 13] != card % 13:
        return None
    return {"foundations": tuple(h + (s == card // 13) for s, h in enumerate(table.foundations))}


def onto(columns: tuple, place: int, cards: Pile) -> dict | None:
    down, up = columns[place]
    first = cards[0]
    if up:
        if not lies_on(first, up[-1]):
            return None
    elif first % 13 != 12:
        return None
    return {"columns": tuple((down, up + cards) if i == place else c for i, c in enumerate(columns))}


def lies_on(card: int, parent: int) -> bool:
    return parent % 13 == card % 13 + 1 and (parent // 13 in RED) != (card // 13 in RED)


def lift(columns: tuple, place: int, count: int) -> tuple:
    down, up = columns[place]
    up = up[:-count]
    if down and not up:
        down, up = down[:-1], down[-1:]
    return tuple((down, up) if i == place else c for i, c in enumerate(columns))


def solve(table: Table, rules: Rules, limit: int = 10**9) -> bool | None:
    """Whether the game can be won; None if more than `limit` states can be reached."""
    start = table._replace(columns=tuple(sorted(table.columns)))
    seen = {start}
    todo = [start]
    while todo:
        table = todo.pop()
        if is_won(table):
            return True
        # Whatever is further on is looked at first: a win is found sooner, and all is looked at without one.
        for after in sorted(successors(table, rules).values(), key=lambda after: sum(after.foundations)):
            after = after._replace(columns=tuple(sorted(after.columns)))  # which column is which makes no difference
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > limit:
            return None
    return False


def random_endgame(random: Random, cards: int, columns: int = 7) -> Table:
    """A table on which `cards` cards are left off the foundations, dealt at random."""
    heights = [13] * 4
    while sum(heights) > 52 - cards:
        suit = random.randrange(4)
        heights[suit] = max(0, heights[suit] - random.randint(1, 2))
    left = [13 * suit + rank for suit, height in enumerate(heights) for rank in range(height, 13)]
    random.shuffle(left)
    stock = tuple(left.pop() for _ in range(random.randint(0, min(8, len(left)))))
    in_use = random.randint(1, columns)
    piles: list[list[int]] = [[] for _ in range(columns)]
    while left:
        piles[random.randrange(in_use)].append(left.pop())
    dealt = []
    for pile in piles:
        shown = 1
        while shown < len(pile) and random.random() < 0.7 and is_run(pile[-shown - 1 :]):
            shown += 1
        dealt.append((tuple(pile[: len(pile) - shown]), tuple(pile[len(pile) - shown :])) if pile else ((), ()))
    turned = random.randint(0, len(stock))
    return Table(tuple(heights), tuple(dealt), stock[turned:], stock[:turned], 0)


def is_run(cards: list[int]) -> bool:
    return all(lies_on(b, a) for a, b in pairwise(cards))
