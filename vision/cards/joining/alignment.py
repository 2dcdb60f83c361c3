"""All photos in one plane: along the ties that chain them, then fitted to everything that they have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.cards.geometry import Array
from vision.cards.joining.bundle_adjustment import CommonPoints, adjust_warps
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.matching import compare_views, placing_points
from vision.cards.joining.photo_ties import Chain
from vision.cards.joining.picture_ties import PlanePoints
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.uniting import unite_views
from vision.cards.joining.warp_fit import fit_warp


def align_by_cards(clouds: Sequence[Cloud], chain: Chain) -> dict[int, Array]:
    """The warp (3, 3) of each joined photo's plane to that of the first one, all fitted to each other."""
    warps: dict[int, Array] = {}
    order: list[int] = []
    for photo, tie in chain:
        warps[photo] = np.eye(3) if tie is None else warps[tie.onto] @ tie.warp
        order.append(photo)
        if len(order) > 2:
            _fit_again(clouds, order, warps, [photo])
    for _ in range(TUNING.sweeps if len(order) > 2 else 0):
        _fit_again(clouds, order, warps, order[1:])
    return warps


def _fit_again(clouds: Sequence[Cloud], order: Sequence[int], warps: dict[int, Array], photos: Sequence[int]) -> None:
    """Fits photos anew to where the others see the same cards."""
    union = unite_views(clouds, order, warps)
    for photo in photos:
        own, targets = [], []
        for other, views in union.shared_views(photo).items():
            rows, theirs = (np.array(part, np.intp) for part in zip(*views, strict=True))
            _, spot_own, spot_their = compare_views(union.laid[photo], union.laid[other], rows, theirs)
            own.append(placing_points(clouds[photo].laid(), rows, spot_own))
            targets.append(placing_points(union.laid[other], theirs, spot_their))
        if sum(map(len, own)) > 1:
            warps[photo] = fit_warp(clouds[photo], np.concatenate(own), np.concatenate(targets))


def align_by_points(clouds: Sequence[Cloud], chain: Chain, points: PlanePoints) -> dict[int, Array]:
    """The warp (3, 3) of each joined photo's plane to that of the first one, all adjusted together.

    First by the points of the picture, then by the cards too that photos show in common.
    """
    warps: dict[int, Array] = {}
    for photo, tie in chain:
        warps[photo] = np.eye(3) if tie is None else warps[tie.onto] @ tie.warp
    if len(warps) < 2:
        return warps
    order = list(warps)
    known = [
        CommonPoints(one, other, *both, TUNING.point_card_widths)
        for (one, other), both in points.items()
        if one in warps and other in warps
    ]
    warps = adjust_warps(clouds, warps, known)
    union = unite_views(clouds, order, warps, may_move=False)
    for photo in order:
        for other, views in union.shared_views(photo).items():
            if other < photo:
                rows, theirs = (np.array(part, np.intp) for part in zip(*views, strict=True))
                _, own, their = compare_views(union.laid[photo], union.laid[other], rows, theirs)
                here = placing_points(clouds[photo].laid(), rows, own)
                there = placing_points(clouds[other].laid(), theirs, their)
                known.append(CommonPoints(photo, other, here, there, TUNING.place_card_widths))
    return adjust_warps(clouds, warps, known)
