"""The views of each card put together: who shows the same card, and what was moved between the photos."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud, LaidCards
from vision.cards.joining.complex_points import invert
from vision.cards.joining.joined import View
from vision.cards.joining.matching import (
    Pairs,
    free_pairs,
    mask_of,
    match_cards,
    match_misread,
    same_identity,
    true_pairs,
)
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.united_cards import UnitedCards
from vision.layout.neighbours import groups


def unite_views(
    clouds: Sequence[Cloud],
    order: Sequence[int],
    warps: Mapping[int, Array],
    two: Collection[frozenset[View]] = (),
    *,
    may_move: bool = True,
) -> UnitedCards:
    """Each card of the joined photos once; `two` are views that are not of one card.

    With `may_move` a card that two photos show at different places may have been moved between them.
    """
    union = UnitedCards()
    for photo in order:
        cloud, laid = clouds[photo], clouds[photo].laid(warps[photo])
        pairs = _pairs_with(union, clouds, warps, photo, laid, two, may_move) if union.members and len(cloud) else []
        union.laid[photo] = laid
        for k, row in pairs:
            union.members[k].append((photo, row))
            union.reads[k].append(cloud.log_card[row])
        found = {row for _, row in pairs}
        fresh = [row for row in range(len(cloud)) if row not in found]
        union.members += [[(photo, row)] for row in fresh]
        union.reads += [[cloud.log_card[row]] for row in fresh]
    _merge(union, clouds[0].corners)
    return union


def _pairs_with(
    union: UnitedCards,
    clouds: Sequence[Cloud],
    warps: Mapping[int, Array],
    photo: int,
    laid: LaidCards,
    two: Collection[frozenset[View]],
    may_move: bool,
) -> Pairs:
    """Which cards of the union a photo's cards are; cards that were moved are noted in the union."""
    cards = union.cards()
    same = same_identity(np.exp(union.log_card()), clouds[photo].p)
    for k, row in np.ndindex(same.shape) if two else ():
        if any(frozenset((view, (photo, row))) in two for view in union.members[k]):
            same[k, row] = -np.inf
    found = match_cards(cards, laid, same, np.full(len(laid.at), TUNING.one_card_widths))
    pairs = list(zip(found.a.tolist(), found.b.tolist(), strict=True))
    far = [pair for pair, off in zip(pairs, found.off, strict=True) if off > TUNING.misread_card_widths]
    union.loose += [frozenset((union.members[k][0], (photo, row))) for k, row in far]
    left, fresh = ~mask_of(len(cards.at), found.a), ~mask_of(len(laid.at), found.b)
    for k, row in match_misread(cards, laid, left, fresh):
        if same[k, row] > -np.inf:
            pairs.append((k, row))
            left[k] = fresh[row] = False
    one = (same > TUNING.same_card_elsewhere_weight) & left[:, None] & fresh[None]
    return pairs + _moved_pairs(union, clouds, warps, photo, laid, one) if may_move and one.any() else pairs


def _moved_pairs(
    union: UnitedCards,
    clouds: Sequence[Cloud],
    warps: Mapping[int, Array],
    photo: int,
    laid: LaidCards,
    one: NDArray[np.bool_],
) -> Pairs:
    """Cards that both photos ought to show and each shows elsewhere: they were moved between them.

    Args:
        union: The cards joined so far; what was moved, or may have been, is noted there.
        clouds: The photos' cards.
        warps: Each joined photo's way into the plane.
        photo: The photo that is to join.
        laid: Its cards in the plane.
        one: (cards of the union, cards of the photo) pairs of one identity, of which neither has been found again.
    """
    cards = union.cards()
    lost = clouds[photo].shows(cards.moved(invert(warps[photo])))
    new = np.zeros(len(laid.at), np.bool_)
    for other in union.laid:
        new |= clouds[other].shows(laid.moved(invert(warps[other])))
    off = np.abs(cards.at[:, None] - laid.at[None])
    either, both = lost[:, None] | new[None], lost[:, None] & new[None]
    moved = one & (both | (off < TUNING.copies_card_widths) | ((off < TUNING.pushed_card_widths) & either))
    near_first = sorted(true_pairs(moved), key=lambda at: off[at])
    pairs = [near_first[k] for k in free_pairs(near_first)]
    union.moved += [(k, photo, row) for k, row in pairs if off[k, row] > TUNING.pushed_card_widths]
    taken_k, taken_row = {k for k, _ in pairs}, {row for _, row in pairs}
    for k, row in true_pairs(one & either):
        if k not in taken_k and row not in taken_row:
            union.unsure.append((k, photo, row))
    return pairs


def _merge(union: UnitedCards, corners: NDArray[np.complex128]) -> None:
    """Makes one of what a photo took for two cards: the indices of one card, of which each lies in a corner of its own.

    Two copies that lie on each other, as in a hand, show the same corner each.
    """
    if not union.members:
        return
    cards, p = union.cards(), np.exp(union.log_card())
    near = np.triu(
        (np.abs(cards.at[:, None] - cards.at[None]) < TUNING.copies_card_widths)
        & (same_identity(p, p) > TUNING.same_card_elsewhere_weight),
        1,
    )
    alike = np.zeros(near.shape, np.bool_)
    for k, other in true_pairs(near):
        alike[k, other] = alike[other, k] = _is_one(union, cards, corners, (k, other))
    if alike.any():
        union.join_groups(groups(alike))


def _is_one(union: UnitedCards, cards: LaidCards, corners: NDArray[np.complex128], pair: tuple[int, int]) -> bool:
    """Whether two cards of a union, of which a photo shows both, have indices in different corners of one place."""
    k, other = sorted(pair, key=lambda n: bool(cards.lone[n]))  # the one whose place is better known first
    spots = cards.at[k] + cards.down[k] * corners
    shared = {photo for photo, _ in union.members[k]} & {photo for photo, _ in union.members[other]}
    for photo in shared:
        own, theirs = (
            np.concatenate([union.laid[photo].ranks[row] for number, row in union.members[n] if number == photo])
            for n in (k, other)
        )
        own, theirs = own[~np.isnan(own)], theirs[~np.isnan(theirs)]
        if len(own) + len(theirs) > len(corners):
            return False
        if (np.abs(own[:, None] - theirs[None]) < 2 * TUNING.corner_card_widths).any():
            return False
        if (np.abs(spots[:, None] - theirs[None]).min(0) > TUNING.corner_card_widths).any():
            return False
    return bool(shared)
