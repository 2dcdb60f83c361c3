"""A slow twin of the Baccarat kernels: the rules as the document tells them, one sentence after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations


def points(ranks: Sequence[int]) -> int:
    return sum(0 if rank >= 10 else rank for rank in ranks) % 10


def play(ranks: Sequence[int]) -> tuple[str, int, int]:
    """Winner, number of cards and the banker's points of the round that starts with `ranks` (1 ace to 13 king)."""
    cards: Iterator[int] = iter(ranks)
    player, banker = [next(cards)], [next(cards)]
    player.append(next(cards))
    banker.append(next(cards))
    if points(player) not in (8, 9) and points(banker) not in (8, 9):
        third = None
        if points(player) in (0, 1, 2, 3, 4, 5):
            third = next(cards)
            player.append(third)
        total = points(banker)
        if third is None:
            draws = total <= 5
        else:
            worth = points([third])
            if total <= 2:
                draws = True
            elif total == 3:
                draws = worth != 8
            elif total == 4:
                draws = worth in (2, 3, 4, 5, 6, 7)
            elif total == 5:
                draws = worth in (4, 5, 6, 7)
            elif total == 6:
                draws = worth in (6, 7)
            else:
                draws = False
        if draws:
            banker.append(next(cards))
    winner = "tie"
    if points(player) > points(banker):
        winner = "player"
    if points(banker) > points(player):
        winner = "banker"
    return winner, len(player) + len(banker), points(banker)


def count_all(ranks: Sequence[int]) -> Counter[tuple[str, int, int]]:
    """Every ordered deal of six of these cards."""
    return Counter(play(deal) for deal in permutations(ranks, 6))
