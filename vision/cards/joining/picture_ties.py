"""Ties of photos by points that two pictures have in common, as the frames of a film do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, project
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.complex_points import as_complex
from vision.cards.joining.matching import count_unseen, match_cards, same_identity
from vision.cards.joining.photo_ties import PhotoTie, find_tie
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.warp_fit import fit_warp
from vision.layout.neighbours import groups

SamePoints = Mapping[tuple[int, int], tuple[Array, Array]]
"""For two photos by number, points (n, 2) of the one and the same points of the table in the other, px."""
PlanePoints = Mapping[tuple[int, int], tuple[NDArray[np.complex128], NDArray[np.complex128]]]
"""For two photos, points of the one's plane and the same points of the table in the other's."""


def points_in_planes(clouds: Sequence[Cloud], same_points: SamePoints) -> PlanePoints:
    """The points in the planes of photos that show cards; without them there is no plane."""
    return {
        (one, other): (as_complex(project(clouds[one].plane, here)), as_complex(project(clouds[other].plane, there)))
        for (one, other), (here, there) in same_points.items()
        if len(clouds[one]) and len(clouds[other])
    }


def points_of_same_cards(clouds: Sequence[Cloud], points: PlanePoints) -> PlanePoints:
    """The points without those of two photos whose cards say that the picture is wrong: rows of cards look alike."""
    return {photos: both for photos, both in points.items() if not _cards_deny(clouds, photos, both)}


def _cards_deny(
    clouds: Sequence[Cloud], photos: tuple[int, int], points: tuple[NDArray[np.complex128], NDArray[np.complex128]]
) -> bool:
    """Whether two photos, laid on each other by points, hardly show one card at the same place."""
    a, b = (clouds[photo] for photo in photos)
    warp = fit_warp(b, points[1], points[0], noise_widths=TUNING.point_card_widths, loose=TUNING.loose_by_points)
    lying, laid = a.laid(), b.laid(warp)
    same = same_identity(a.p, b.p)
    pairs = match_cards(lying, laid, same, np.full(len(b), TUNING.one_card_widths))
    agreeing = int((same[pairs.a, pairs.b] > TUNING.same_card_weight).sum())
    against = len(pairs.a) - agreeing + count_unseen(a, b, laid, warp, pairs)
    return against >= TUNING.fewest_denying and agreeing < TUNING.least_agreeing_share * against


def ties_by_points(clouds: Sequence[Cloud], points: PlanePoints) -> dict[tuple[int, int], PhotoTie]:
    """The ties that the picture tells; photos between which none of them leads are tied by their cards."""
    found = {}
    for (onto, photo), (here, there) in points.items():
        warp = fit_warp(clouds[photo], there, here, noise_widths=TUNING.point_card_widths, loose=TUNING.loose_by_points)
        tie = PhotoTie(onto, photo, warp, 4.0 * len(here), [])
        found[onto, photo], found[photo, onto] = tie, tie.turned_round()
    runs = groups(_linked(len(clouds), found))
    run_of = {photo: number for number, run in enumerate(runs) for photo in run}
    for onto in range(len(clouds)):
        for photo in range(onto + 1, len(clouds)):
            if run_of[onto] != run_of[photo] and (tie_of_cards := find_tie(clouds, onto, photo)) is not None:
                found[onto, photo], found[photo, onto] = tie_of_cards, tie_of_cards.turned_round()
    return found


def _linked(count: int, ties: Collection[tuple[int, int]]) -> NDArray[np.bool_]:
    """(count, count) which photos a tie joins."""
    linked = np.zeros((count, count), np.bool_)
    for onto, photo in ties:
        linked[onto, photo] = True
    return linked
