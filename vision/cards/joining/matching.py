"""Which cards that two photos show are one card, where both lie in one plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud, LaidCards
from vision.cards.joining.complex_points import invert
from vision.cards.joining.tuning import TUNING

Pairs = list[tuple[int, int]]


def same_identity(a: Array, b: Array) -> Array:
    """(n, m) how much likelier reads (n, 52) and (m, 52) are of one identity than of any two."""
    return np.asarray(np.log(52 * (a @ b.T) + 1e-3))


@dataclass(frozen=True, eq=False, slots=True)
class CardPairs:
    """Cards of two photos that are one card.

    Attributes:
        a: (k,) rows of the one photo's cards.
        b: (k,) rows of the other's.
        off: (k,) how far apart the two views put it.
        spot_a: (k,) which of its points tells its place best: 0 its centre, 1 to 4 an index.
        spot_b: (k,) the same point in the other view.
    """

    a: NDArray[np.intp]
    b: NDArray[np.intp]
    off: Array
    spot_a: NDArray[np.intp]
    spot_b: NDArray[np.intp]

    @classmethod
    def none(cls) -> CardPairs:
        """No pair at all."""
        empty = np.zeros(0, np.intp)
        return cls(empty, empty, np.zeros(0), empty, empty)

    def tells_as(self, other: CardPairs) -> bool:
        """Whether another matching has the same cards, placed by the same of their points."""
        if len(self.a) != len(other.a):
            return False
        own, theirs = (np.stack([pairs.b, pairs.a, pairs.spot_b, pairs.spot_a]) for pairs in (self, other))
        return bool((own[:, self.b.argsort()] == theirs[:, other.b.argsort()]).all())


def match_cards(a: LaidCards, b: LaidCards, same: Array, reach: Array) -> CardPairs:
    """Cards of two photos in one plane that are one card, each in one pair at most, the surest first.

    Args:
        a: The one photo's cards, n of them.
        b: The other's, m of them.
        same: (n, m) how much their reads speak for one identity.
        reach: (m,) how far the other's may lie off; what lies on the very same spot may also be misread.
    """
    centre = np.abs(a.at[:, None] - b.at[None])
    i, j = np.nonzero(
        ((same > TUNING.same_card_weight) & (centre < reach + TUNING.wrong_side_card_widths))
        | (centre < 2 * TUNING.misread_card_widths)
    )
    if not len(i):
        return CardPairs.none()
    off, spot_a, spot_b = compare_views(a, b, i, j)
    turned = np.abs((a.down[i].conj() * b.down[j]).imag)
    free = np.where(a.lone[i] | b.lone[j], TUNING.most_turn_sine_of_single_index, TUNING.most_turn_sine)
    named = (same[i, j] > TUNING.same_card_weight) & (off < reach[j]) & (turned < free)
    misread = (off < TUNING.misread_card_widths) & (centre[i, j] < 2 * TUNING.misread_card_widths) & (turned < free / 2)
    gain = np.minimum(same[i, j], TUNING.most_agreed_card_weight) - 4 * off / reach[j] - np.where(named, 0.0, 20.0)
    fits = np.flatnonzero(named | misread)
    ranked = fits[np.argsort(-gain[fits], kind="stable")]
    rows = ranked[free_pairs(list(zip(i[ranked].tolist(), j[ranked].tolist(), strict=True)))]
    return CardPairs(i[rows], j[rows], off[rows], spot_a[rows], spot_b[rows])


def match_misread(a: LaidCards, b: LaidCards, left: NDArray[np.bool_], fresh: NDArray[np.bool_]) -> Pairs:
    """What two photos read as two cards on one spot, of which one shows a single index, or which both show whole.

    Args:
        a: Cards of the one photo, n of them.
        b: Cards of the other, m of them, in the same plane.
        left: (n,) cards of the one photo that are no card of the other, as far as they were compared.
        fresh: (m,) the same of the other photo. Only two of them that are nearest to each other are one card.
    """
    i, j = np.nonzero(
        left[:, None] & fresh[None] & (np.abs(a.at[:, None] - b.at[None]) < 2 * TUNING.misread_cut_card_widths)
    )
    if not len(i):
        return []
    off, _, _ = compare_views(a, b, i, j)
    turned = np.abs((a.down[i].conj() * b.down[j]).imag)
    far = np.full((len(a.at), len(b.at)), np.inf)
    plain = a.lone[i] | b.lone[j] | (a.whole[i] & b.whole[j])
    far[i, j] = np.where(plain & (turned < TUNING.most_turn_sine_of_single_index / 2), off, np.inf)
    best = far.argmin(0)
    return [
        (int(k), row)
        for row, k in enumerate(best)
        if far[k, row] < TUNING.misread_cut_card_widths and far[k].argmin() == row
    ]


def count_unseen(a: Cloud, b: Cloud, laid: LaidCards, warp: Array, pairs: CardPairs) -> int:
    """How many cards one of two photos shows that the other one ought to show and does not.

    Args:
        a: The photo that stays.
        b: The photo that is laid on it.
        laid: The cards of `b` in the plane of `a`.
        warp: The way there.
        pairs: The cards that both show.
    """
    missing = a.shows(laid) & ~mask_of(len(b), pairs.b)
    wanted = b.shows(a.laid(invert(warp))) & ~mask_of(len(a), pairs.a)
    return int(missing.sum() + wanted.sum())


def compare_views(
    a: LaidCards, b: LaidCards, i: NDArray[np.intp], j: NDArray[np.intp]
) -> tuple[Array, NDArray[np.intp], NDArray[np.intp]]:
    """How far apart views lie, by their centres or by an index that both show, and by which points."""
    far = np.abs(a.ranks[i][:, :, None] - b.ranks[j][:, None, :]).reshape(len(i), 16)
    far = np.where(np.isnan(far), np.inf, far)
    best = far.argmin(1)
    index, centre = far[np.arange(len(i)), best], np.abs(a.at[i] - b.at[j])
    by_index = (index < centre - 0.05) | ((a.lone[i] | b.lone[j]) & (index < centre + 0.1))
    spots = np.where(by_index, 1 + best // 4, 0), np.where(by_index, 1 + best % 4, 0)
    return np.where(by_index, index, centre), *spots


def placing_points(laid: LaidCards, rows: NDArray[np.intp], spots: NDArray[np.intp]) -> NDArray[np.complex128]:
    """For each pair of views, the points (k,) that are compared."""
    every = np.concatenate([laid.at[:, None], laid.ranks], axis=1)
    return np.asarray(every[rows, spots])


def mask_of(count: int, rows: Sequence[int] | NDArray[np.intp]) -> NDArray[np.bool_]:
    """(count,) which numbers are among these rows."""
    mask = np.zeros(count, np.bool_)
    mask[list(rows)] = True
    return mask


def true_pairs(which: NDArray[np.bool_]) -> Pairs:
    """Row and column numbers of the true entries of a matrix (n, m), as pairs."""
    rows, columns = np.nonzero(which)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def free_pairs(pairs: Pairs) -> NDArray[np.intp]:
    """Which of the pairs have neither of their two in an earlier one that was chosen."""
    taken, taken_other = set[int](), set[int]()
    chosen = []
    for number, (one, other) in enumerate(pairs):
        if one not in taken and other not in taken_other:
            taken.add(one)
            taken_other.add(other)
            chosen.append(number)
    return np.array(chosen, np.intp)
