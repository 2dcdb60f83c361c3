"""Several photos of one table become one table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from vision.cards.joining.alignment import align_by_cards, align_by_points
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.joined import Joined, View
from vision.cards.joining.joined_table import lay_on_map, order_nearest_first
from vision.cards.joining.lone_cards import leave_out_lone
from vision.cards.joining.photo_ties import find_ties, order_photos
from vision.cards.joining.picture_ties import SamePoints, points_in_planes, points_of_same_cards, ties_by_points
from vision.cards.joining.questions import ask_about_apart, moved_checks, tie_checks
from vision.cards.joining.uniting import unite_views
from vision.cards.seen_table import SeenTable


def join(
    tables: Sequence[SeenTable],
    names: Sequence[str] | None = None,
    two: Collection[frozenset[View]] = (),
    same_points: SamePoints | None = None,
    partial: Collection[int] = (),
) -> Joined:
    """Joins what several photos show of one table.

    Args:
        tables: What each photo shows, in any order; each photo may be turned.
        names: What the photos are called in `apart` and `checks`: "photo 1", "photo 2" and so on by default.
        two: Views, two each, that are not of one card.
        same_points: What the pictures themselves say of how photos lie on each other, as the frames of a film do.
        partial: Numbers of photos of which not all cards are given: what is not given may be there.

    Raises:
        ValueError: For no photo at all, or other than one name a photo.
    """
    if not tables:
        raise ValueError("no photo to join; expected one or more")
    called = [f"photo {number + 1}" for number in range(len(tables))] if names is None else list(names)
    if len(called) != len(tables):
        raise ValueError(f"{len(called)} names for {len(tables)} photos; expected one each")
    template = max((table.template for table in tables), key=lambda t: t.pairs)
    clouds = [Cloud.of(table, template) for table in tables]
    if same_points is None:
        chain = order_photos(clouds, find_ties(clouds))
        warps = align_by_cards(clouds, chain)
    else:
        clouds = [cloud.of_film(n in partial) for n, cloud in enumerate(clouds)]
        points = points_of_same_cards(clouds, points_in_planes(clouds, same_points))
        chain = order_photos(clouds, ties_by_points(clouds, points))
        warps = align_by_points(clouds, chain, points)
    order = list(warps) if same_points is None else order_nearest_first(tables, warps)
    union = unite_views(clouds, order, warps, two, may_move=same_points is None)
    if same_points is not None:
        leave_out_lone(tables, clouds, union, warps)
    moved = moved_checks(union, called)
    one_deck, two_decks = ((*tie_checks(chain, clouds, called, decks), *moved) for decks in (1, 2))
    apart = {n: ask_about_apart(n, clouds, warps, called) for n in range(len(tables)) if n not in warps}
    joined = lay_on_map(tables, clouds, union, warps, template, apart)
    return replace(joined, checks=two_decks, checks_of_one_deck=one_deck, loose=tuple(union.loose))
