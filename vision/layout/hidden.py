"""How many cards lie face down in each column of Klondike, from where its first face-up card lies.

All columns begin at one line and a column's face-down cards show strips of about one height, so the way from the line
to the first face-up card counts them. The line's slope (a photo leaves a little shear open), its place and the strip
are found together with the counts: likely counts come from a grid of slopes, strips and lines, and each is then weighed
by least squares, with the backs that were found, the row above and the rules: column n of 0 to 6 hides at most n cards,
and what no column hides must fit into stock and waste.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array

SLOPE: Final = 0.08
"""Standard deviation of a row's slope in the fitted plane."""
STRIP: Final = 0.2
"""Usual height of a strip, card widths."""
PLACE: Final = 0.06
"""Standard deviation of a card's place along its column, card widths."""
UNEVEN: Final = 0.12
"""How much strips of different columns differ, relative to their height."""
DEALT: Final = 21
"""Cards that lie face down in the columns at the deal."""
TOO_FEW: Final = 7.0
"""Log-price of each card for which neither column nor stock has room."""
COUNTED: Final = 2.0
"""Weight of what the strips show against how the columns lie."""
NOT_ALL: Final = -DEALT
"""Number of cards turned that says nothing of how many are hidden."""
ALIKE: Final = 1.4
"""How much the columns of one photo err alike: a rival is this much nearer than its log-likelihood says."""
KEPT: Final = 64
"""Candidates that are weighed."""


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """What is seen of the columns, in card widths: x to the right, y towards the player.

    Attributes:
        slots: (k,) number of each column that shows a face-up card, 0 to 6.
        x: (k,) middle of its first face-up card.
        y: (k,) the same.
        back_column: (m,) row in `slots` of each back that was found in a column.
        back_y: (m,) where the middle of each back would be if it were not covered.
        top: (n, 2) middles of the cards and backs of the row above.
        turned: How many cards lie face up in columns and foundations, beyond the seven of the deal: each was uncovered
            in a column or came from the stock, so that at least 21 less this many cards are still hidden; `NOT_ALL`
            where the photo shows only part of a table.
        log_count: (k, 7) log-probabilities of the number hidden in each column, as the photo's strips show them.
    """

    slots: NDArray[np.intp]
    x: Array
    y: Array
    back_column: NDArray[np.intp]
    back_y: Array
    top: Array
    turned: int
    log_count: Array


@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """How many cards lie face down.

    Attributes:
        best: (k,) the likeliest number of each column.
        score: Log-likelihood of these numbers.
        sure: (k,) probability of each.
        second: (k,) each column's next likeliest number.
    """

    best: NDArray[np.intp]
    score: float
    sure: Array
    second: NDArray[np.intp]


def count_hidden(columns: Columns) -> Counts:
    """The likeliest number of face-down cards of each column.

    >>> slots = np.arange(7)
    >>> none = np.zeros(0)
    >>> seen = Columns(slots, 1.2 * slots, 0.2 * slots, none.astype(int), none, np.zeros((0, 2)), 0, np.zeros((7, 7)))
    >>> count_hidden(seen).best.tolist()
    [0, 1, 2, 3, 4, 5, 6]
    """
    k = len(columns.slots)
    if not k:
        return Counts(np.zeros(0, np.intp), 0.0, np.zeros(0), np.zeros(0, np.intp))
    counts = np.unique(np.concatenate([_candidates(columns), _as_counted(columns)]), axis=0)
    scores = _score(columns, counts)
    chance = np.exp((scores - scores.max()) / ALIKE)
    share = np.zeros((k, columns.log_count.shape[1]))
    for column in range(k):
        np.add.at(share[column], counts[:, column], chance / chance.sum())
    best = counts[scores.argmax()]
    sure = share[np.arange(k), best]
    share[np.arange(k), best] = -1
    return Counts(best, float(scores.max()), sure, share.argmax(1))


def _candidates(columns: Columns) -> NDArray[np.intp]:
    """(c, k) counts that some slope, strip and line explain, the better explained first."""
    most = columns.slots
    slope = np.linspace(-0.24, 0.24, 17)[:, None, None, None]
    strip = np.geomspace(0.06, 0.7, 11)[None, :, None, None]
    column = np.repeat(np.arange(len(most)), most + 1)
    count = np.concatenate([np.arange(m + 1) for m in most])
    level = columns.y[None, None, None] - slope * columns.x[None, None, None]  # (t, 1, 1, k)
    line = level[..., column].reshape(len(slope), 1, len(column), 1) - strip * count[None, None, :, None]
    found = np.clip(np.round((level - line) / strip), 0, most)
    off = (level - line - found * strip) / np.hypot(PLACE, UNEVEN * found * strip)
    cost = (
        0.5 * (off**2).sum(-1) + 0.5 * (slope[..., 0] / SLOPE) ** 2 + 0.5 * (np.log(strip[..., 0] / STRIP) / 0.7) ** 2
    )
    cost = cost + _total_price(found.sum(-1), columns.turned)
    order = np.argsort(cost, axis=None)[: 12 * KEPT]
    likely = found.reshape(-1, len(most))[order].astype(np.intp)
    code = likely @ (7 ** np.arange(len(most)))
    _, first = np.unique(code, return_index=True)
    return np.concatenate([likely[np.sort(first)[:KEPT]], most[None].astype(np.intp)])  # and the deal


def _as_counted(columns: Columns) -> NDArray[np.intp]:
    """(c, k) counts that the strips show, with one or two columns at their second choice."""
    k = len(columns.slots)
    possible = np.where(np.arange(columns.log_count.shape[1]) <= columns.slots[:, None], columns.log_count, -np.inf)
    order = np.argsort(-possible, axis=1, kind="stable")
    second = np.where(columns.slots > 0, order[:, 1], order[:, 0])
    others = [(), *((i,) for i in range(k)), *combinations(range(k), 2)]
    counts = np.repeat(order[None, :, 0], len(others), axis=0)
    for row, changed in enumerate(others):
        counts[row, list(changed)] = second[list(changed)]
    return counts


def _total_price(total: NDArray[Any], turned: int) -> Array:
    """Log-price of so many hidden cards in all: of the cards turned about half were uncovered, the rest dealt."""
    if turned < -1:
        return np.zeros(np.shape(total))
    least = max(0, DEALT - max(turned, 0))
    usual = DEALT - 0.5 * turned - 0.6 * min(turned, 1) if turned > 0 else DEALT
    spread = 0.25 * max(turned, 0) ** 0.75 + 0.4
    return np.asarray(0.5 * ((total - usual) / spread) ** 2 + TOO_FEW * np.clip(least - total, 0, None))


def _score(columns: Columns, counts: NDArray[np.intp]) -> Array:
    """(c,) log-likelihoods of counts, with the likeliest line, slope and strip of each."""
    k, m = len(columns.slots), len(columns.top)
    seen = columns.back_column
    first = np.ones(len(seen), bool)  # the back farthest away begins the column
    for row in range(len(seen)):
        first[row] = columns.back_y[row] <= columns.back_y[seen == seen[row]].min() + 1e-9
    number = np.flatnonzero(first)
    x = np.concatenate([columns.x, columns.x[seen[number]], columns.top[:, 0]])
    y = np.concatenate([columns.y, columns.back_y[number], columns.top[:, 1]])
    rows, c = len(x), len(counts)
    hidden = np.zeros((c, rows))
    hidden[:, :k] = counts
    is_top = np.arange(rows) >= rows - m
    design = np.stack(
        [
            np.broadcast_to(~is_top, (c, rows)),
            np.broadcast_to(is_top, (c, rows)),
            np.broadcast_to(x, (c, rows)),
            hidden,
        ],
        axis=-1,
    ).astype(float)
    middle = float(np.median(columns.y))
    prior_mean = np.array([middle, middle, 0.0, STRIP])
    prior_weight = 1 / np.array([4.0, 4.0, SLOPE, 0.12]) ** 2
    strip = np.full(c, STRIP)
    weight_of = np.ones((c, rows))
    back = (np.arange(rows) >= k) & ~is_top
    for _ in range(3):  # the noise depends on the strip, and backs found at a wrong place are let go
        spread = np.hypot(np.where(is_top, 0.07, np.where(back, 0.08, PLACE)), UNEVEN * strip[:, None] * hidden)
        weight = weight_of / spread**2
        normal = np.einsum("cri,cr,crj->cij", design, weight, design) + np.diag(prior_weight)
        right = np.einsum("cri,cr,r->ci", design, weight, y) + prior_weight * prior_mean
        solved = np.linalg.solve(normal, right[..., None])[..., 0]
        strip = np.clip(solved[:, 3], 0.04, 0.9)
        off = (y - np.einsum("cri,ci->cr", design, solved)) / spread
        weight_of = np.where(is_top | back, 1 / (1 + off**2 / 4), 1.0)
    cost = np.where(is_top | back, 2 * np.log1p(off**2 / 4), 0.5 * off**2 + np.log(spread / PLACE)).sum(1)
    cost += (0.5 * (solved - prior_mean) ** 2 * prior_weight)[:, 2:].sum(1)
    cost -= COUNTED * columns.log_count[np.arange(k), counts].sum(1)
    cost += 0.5 * (np.log(strip / STRIP) / 0.45) ** 2 + _total_price(counts.sum(1), columns.turned)
    if len(seen):
        found = np.bincount(seen, minlength=k)
        cost += 3.0 * np.clip(found - counts, 0, None).sum(1) + 1.5 * ((found > 0) & (counts == 0)).sum(1)
        cost += 0.4 * (np.clip(counts - found, 0, None) * (found > 0)).sum(1)
        line = solved[:, :1] + solved[:, 2:3] * columns.x[seen]
        step = (columns.back_y - line) / strip[:, None]
        nearest = np.clip(np.round(step), 0, np.maximum(counts[:, seen] - 1, 0))
        cost += (0.3 * np.minimum(((step - nearest) / 0.35) ** 2, 4.0)).sum(1)
    return np.asarray(-cost)
