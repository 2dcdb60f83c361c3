"""Compiled comparison of the floor with a final table: which melds stay whole, and which new one continues which."""

from __future__ import annotations

import numpy as np

from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int


@kernel()
def _inheritance(overlap: Array) -> Array:
    """The matching of rows to columns with the largest sum: the column of each row.

    Args:
        overlap: int64 (n, n).

    Source: the Hungarian method with potentials (Kuhn 1955, Munkres 1957) on the negated weights.
    """
    n = len(overlap)
    row_price = np.zeros(n + 1, dtype=np.int64)
    column_price = np.zeros(n + 1, dtype=np.int64)
    row_of = np.full(n + 1, -1, dtype=np.int64)
    for row in range(n):
        row_of[n] = row
        column = n
        slack = np.full(n, 1 << 40, dtype=np.int64)
        before = np.full(n, n, dtype=np.int64)
        done = np.zeros(n + 1, dtype=np.bool_)
        while row_of[column] >= 0:
            done[column] = True
            at = row_of[column]
            least = 1 << 40
            following = n
            for j in range(n):
                if not done[j]:
                    price = -overlap[at, j] - row_price[at] - column_price[j]
                    if price < slack[j]:
                        slack[j] = price
                        before[j] = column
                    if slack[j] < least:
                        least = slack[j]
                        following = j
            for j in range(n + 1):
                if done[j]:
                    row_price[row_of[j]] += least
                    column_price[j] -= least
                elif j < n:
                    slack[j] -= least
            column = following
        while column != n:
            row_of[column] = row_of[before[column]]
            column = before[column]
    result = np.empty(n, dtype=np.int64)
    for column in range(n):
        result[row_of[column]] = column
    return result


@kernel()
def _cards_in(mask: int) -> int:
    """The number of bits that are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel()
def compared(before: Array, after: Array) -> tuple[Array, Int, Array]:
    """Compares the floor with a final table; a meld is an int64 with a bit for each of its cards.

    Args:
        before: int64 (n,), the floor melds.
        after: int64 (m,), the final melds.

    Returns:
        heirs: int64 (m,), for each final meld the floor meld that it inherits from, or -1.
        stays: The floor cards that stay with their meld's heir.
        together: The floor melds whose cards all stay together.
    """
    heirs = np.full(len(after), -1, dtype=np.int64)
    stays = 0
    # A meld that is still there card for card is its own heir in some best matching.
    rest = np.empty(len(before), dtype=np.int64)
    n_rest = 0
    for i in range(len(before)):
        j = 0
        while j < len(after) and (after[j] != before[i] or heirs[j] >= 0):
            j += 1
        if j < len(after):
            heirs[j] = i
            stays += _cards_in(before[i])
        else:
            rest[n_rest] = i
            n_rest += 1
    rest = rest[:n_rest]
    targets = np.flatnonzero(heirs < 0)
    together = len(before) - n_rest + _most_kept(before[rest], after[targets])
    if n_rest == 0 or len(targets) == 0:
        return heirs, stays, together
    size = max(n_rest, len(targets))
    overlap = np.zeros((size, size), dtype=np.int64)
    for a in range(n_rest):
        for b in range(len(targets)):
            overlap[a, b] = _cards_in(before[rest[a]] & after[targets[b]])
    column = _inheritance(overlap)
    for a in range(n_rest):
        if overlap[a, column[a]]:
            heirs[targets[column[a]]] = rest[a]
            stays += overlap[a, column[a]]
    return heirs, stays, together


@kernel()
def _most_kept(melds: Array, targets: Array) -> Int:
    """How many of some melds can lie whole in the targets, no two of them on the same cards."""
    homes = np.zeros(len(melds), dtype=np.int64)
    for i in range(len(melds)):
        for target in targets:
            homes[i] += int(melds[i] & ~target == 0)
    order = np.argsort(homes)
    order = order[np.count_nonzero(homes == 0) :]  # the fewest homes first, those without any left out
    n, skipped = len(order), len(targets)
    free = targets.copy()
    choice = np.full(n + 1, -1, dtype=np.int64)
    best = 0
    kept = 0
    place = 0
    while place >= 0:
        if place == n or kept + n - place <= best:
            best = max(best, kept)
        else:
            cards = melds[order[place]]
            j = choice[place] + 1
            while j < skipped and cards & ~free[j]:
                j += 1
            if j <= skipped:
                choice[place] = j
                if j < skipped:
                    free[j] ^= cards
                    kept += 1
                place += 1
                choice[place] = -1
                continue
        place -= 1
        if place >= 0 and choice[place] < skipped:
            free[choice[place]] ^= melds[order[place]]
            kept -= 1
    return best
