"""Which indices are of one card: pairs that stand as two indices of a card do, and the groups that they make."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.indices_in_plane import IndicesInPlane, combine_reads, misfit, select_pairs, upper_pairs
from vision.cards.assembly.tuning import TUNING
from vision.cards.template import Template


def find_couples(flat: IndicesInPlane, template: Template) -> NDArray[np.intp]:
    """Pairs of indices of one card, surest first, each index with at most one partner of each kind.

    Groups of a four-corner deck grow only where every two of their indices stand as two of one card do, and where all
    reads together still speak for one card.
    """
    found, related = _couples_in_plane(flat, template)
    known = {(i, j) for _, i, j, _ in found}
    found += [(score, i, j, 0) for score, i, j in _couples_in_photo(flat, template) if (i, j) not in known]
    related |= related.T
    taken: set[tuple[int, int]] = set()
    group: dict[int, frozenset[int]] = {}
    result = []
    for _, i, j, kind in sorted(found, reverse=True):
        if (i, kind) in taken or (j, kind) in taken:
            continue
        a, b = group.get(i, frozenset([i])), group.get(j, frozenset([j]))
        if a is b or _is_one_card(flat, template, related, list(a), list(b)):
            taken |= {(i, kind), (j, kind)}
            group.update(dict.fromkeys(a | b, a | b))
            result.append((i, j))
    return np.array(result, np.intp).reshape(-1, 2)


def _partners(template: Template) -> list[tuple[int, float, float]]:
    """Where a card's other indices stand in the frame of one: direction (1 same, -1 opposite), x, y."""
    x, y = template.across, template.along
    if template.corners == 2:
        return [(-1, x, y)]
    return [(-1, x, y), (-1, -x, y), (1, x, 0), (1, -x, 0), (-1, 0, y)]


def _couples_in_plane(
    flat: IndicesInPlane, template: Template
) -> tuple[list[tuple[float, int, int, int]], NDArray[np.bool_]]:
    """Pairs that stand in the plane as two indices of a card do, and who may stand so to whom.

    Returns:
        Score, the two indices and which of `_partners` the second is; (n, n) of which the upper half is meant.
    """
    found: list[tuple[float, int, int, int]] = []
    related = np.eye(len(flat.rank), dtype=bool)
    distance, angle = (0.05, 0.12) if template.pairs else (0.2, 0.2)
    known = TUNING.known_template_log_odds if template.pairs else 0.0
    partners = _partners(template)
    close = flat.apart < max(float(np.hypot(x, y)) for _, x, y in partners) * np.exp(4 * distance)
    beside = {turn: upper_pairs((flat.turn * turn > 0.85) & close) for turn in {turn for turn, _, _ in partners}}
    for kind, (turn, x, y) in enumerate(partners):
        near = beside[turn]
        off = misfit(flat.level(*near) if turn == 1 else flat.opposed(*near), (x, y), distance, angle)
        related[near] |= off < 4
        score = flat.same[near] + known - 0.5 * off**2
        good = (off < 3) & (score > 0)
        found += [(s, *pair, kind) for s, pair in zip(score[good].tolist(), select_pairs(near, good), strict=True)]
    return found, related


def _couples_in_photo(flat: IndicesInPlane, template: Template) -> Iterator[tuple[float, int, int]]:
    """Score and rows of pairs that stand in the photo as two indices of a card do, whatever plane it lies in.

    Cards on a blanket, on others or in a hand lie in no common plane; their two indices still read the same.
    """
    flat_table = template.pairs >= 4 and template.spread < 0.04
    limits = (0.12, 0.2) if flat_table else (0.25, 0.3)
    alike = upper_pairs((flat.turn < -0.7) & (flat.same > 2.5))
    off = misfit(flat.local(*alike), (template.across, template.along), *limits)
    score = (flat.same[alike] - 0.5 * off**2)[off < 2.5]
    return ((s, *pair) for s, pair in zip(score.tolist(), select_pairs(alike, off < 2.5), strict=True))


def _is_one_card(
    flat: IndicesInPlane, template: Template, related: NDArray[np.bool_], one: list[int], two: list[int]
) -> bool:
    """Whether two groups of indices may be of one card: by where they stand, and by what all of them show."""
    if len(one) + len(two) == 2:
        return True
    if len(one) + len(two) > template.corners or not related[np.ix_(one, two)].all():
        return False
    return bool(np.log(52 * np.exp(combine_reads(flat.log_card[one]) + combine_reads(flat.log_card[two])).sum()) >= 0)


def group_indices(couples: NDArray[np.intp], count: int) -> list[list[int]]:
    """Groups of indices that pairs connect: each group is one card."""
    name = list(range(count))
    for i, j in couples:
        old, new = name[j], name[i]
        name = [new if n == old else n for n in name]
    members: dict[int, list[int]] = {}
    for row, n in enumerate(name):
        members.setdefault(n, []).append(row)
    return list(members.values())
