"""What only few frames of a film show: no card, or another sight of one that the others show too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.matching import same_identity, true_pairs
from vision.cards.joining.presence import card_chances
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.seen_table import SeenTable
from vision.layout.neighbours import groups

FEWEST_SHOWING_BOTH: Final = 2
"""A single photo may take the two sides of one card for two copies."""


def leave_out_lone(
    tables: Sequence[SeenTable], clouds: Sequence[Cloud], union: UnitedCards, warps: Mapping[int, Array]
) -> None:
    """Leaves out cards that hardly any of the photos show that ought to: what a single frame shows is no card.

    What few frames take for another card than the others do, at its very place, is a sight of that card. So is a card
    that some frames put a card's width beside where others see it: they show one side of it.
    """
    union.join_groups(groups(_misread_at_one_place(union)))
    union.join_groups(groups(_seen_by_turns(union)))
    chances, others = card_chances(tables, clouds, union, warps), ink_of_others(union)
    union.keep([k for k, chance in enumerate(chances) if chance >= TUNING.fewest_kept_chance and k not in others])


def _misread_at_one_place(union: UnitedCards) -> NDArray[np.bool_]:
    """(n, n) which cards of the union are one: on one spot, and no photo shows them side by side."""
    cards, count = union.cards(), len(union.members)
    photos = [{photo for photo, _ in members} for members in union.members]
    near = np.abs(cards.at[:, None] - cards.at[None]) < TUNING.misread_film_card_widths
    near &= np.abs((cards.down[:, None].conj() * cards.down[None]).imag) < TUNING.most_turn_sine
    alike = np.zeros((count, count), np.bool_)
    for k, other in true_pairs(np.triu(near, 1)):
        few, many = sorted((len(photos[k]), len(photos[other])))
        same_ink = abs(cards.at[k] - cards.at[other]) < TUNING.misread_card_widths
        if few * 2 <= many and (same_ink or not photos[k] & photos[other]):
            alike[k, other] = alike[other, k] = True
    return alike


def ink_of_others(union: UnitedCards) -> set[int]:
    """The cards of a union that are an index of another one, half covered and misread where that one was not whole.

    No photo shows more of such a card than that index. As many photos of the other, which more photos show, have it as
    their second one: a single frame may take the indices of two cards for those of one.
    """
    cards, found = union.cards(), set[int]()
    ranks = [[union.laid[photo].ranks[row] for photo, row in members] for members in union.members]
    inks = [[view[~np.isnan(view)] for view in views] for views in ranks]
    for k, other in true_pairs(np.abs(cards.at[:, None] - cards.at[None]) < TUNING.misread_cut_card_widths):
        own = np.concatenate(inks[k])
        whole = [ink for ink in inks[other] if len(ink) > 1]
        if k == other or not 0 < len(own) <= len(inks[k]) or not whole or len(inks[other]) <= len(inks[k]):
            continue
        far = np.array([np.abs(own[:, None] - ink[None]).min(1).max() for ink in whole])
        if (far < TUNING.misread_card_widths).sum() >= len(inks[k]):
            found.add(k)
    return found


def _seen_by_turns(union: UnitedCards) -> NDArray[np.bool_]:
    """(n, n) which cards of the union are one: of one identity and nearer than two copies lie.

    Hardly any of the photos that show the one show the other too: of two copies most would show both. Where several
    show both, and most of those that show the rarer one do, it is a copy that the others miss.
    """
    cards, p = union.cards(), np.exp(union.log_card())
    photos = [{photo for photo, _ in members} for members in union.members]
    near = np.abs(cards.at[:, None] - cards.at[None]) < TUNING.copies_card_widths
    near &= same_identity(p, p) > TUNING.same_card_elsewhere_weight
    alike = np.zeros(near.shape, np.bool_)
    for k, other in true_pairs(np.triu(near, 1)):
        both, (few, many) = photos[k] & photos[other], sorted((len(photos[k]), len(photos[other])))
        missed = len(both) >= FEWEST_SHOWING_BOTH and len(both) * 2 > few
        alike[k, other] = alike[other, k] = not both or (few * 2 < many and not missed)
    return alike
