"""A photo's indices and backs become the cards of its table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.backs import place_backs, plane_of_backs
from vision.cards.assembly.couples import find_couples, group_indices
from vision.cards.assembly.index_chance import index_chance
from vision.cards.assembly.indices_in_plane import IndicesInPlane
from vision.cards.assembly.layers import order_cards
from vision.cards.assembly.make_cards import find_one_place, join_groups, make_cards
from vision.cards.assembly.poses import CardShare
from vision.cards.assembly.same_ink import find_parts, find_single
from vision.cards.assembly.template_search import find_template
from vision.cards.assembly.tuning import TUNING
from vision.cards.black_suits import weigh_black_suits
from vision.cards.geometry import Array, Plane, fit_plane
from vision.cards.seen_table import SeenTable
from vision.cards.template import Template
from vision.networks.outputs import Backs, Detections, Reads


def assemble_cards(
    detections: Detections,
    backs: Backs,
    reads: Reads,
    size: tuple[int, int],
    template: Template | None = None,
    card_share: CardShare | None = None,
    *,
    doubted: bool = False,
) -> SeenTable:
    """Merges indices into cards and puts cards and backs into the table's plane.

    Args:
        detections: n indices of a photo.
        backs: Its face-down cards.
        reads: The n reads of the indices.
        size: Width and height of the photo, px.
        template: The deck's, where it is known from other photos; found in this one by default.
        card_share: Tells how much of an outline shows cards, where there is the photo itself.
        doubted: Whether findings that are rather no cards, but may well be, are among its cards.
    """
    if len(detections) != len(reads):
        raise ValueError(f"{len(detections)} detections but {len(reads)} reads; expected one read an index")
    rank, suit = detections.rank_xy.astype(float), detections.suit_xy.astype(float)
    reads = weigh_black_suits(reads)
    single, chance = weigh_indices(detections, reads)
    good = single & (chance >= TUNING.least_index_probability)
    if not good.any():
        plane = plane_of_backs(backs) if len(backs) else Plane(np.eye(3))
        return SeenTable(size, plane, Template(), (), place_backs(backs, plane, Template()), tuple(range(len(rank))))
    plane = fit_plane(rank[good], suit[good], size)
    if good.sum() >= TUNING.enough_indices:
        chance = index_chance(detections, reads, plane)
    rows = np.flatnonzero(single & (chance >= TUNING.least_index_probability / 5))
    flat = IndicesInPlane.of(plane, rank[rows], suit[rows], reads.log_card[rows].astype(float), chance[rows])
    plane, flat, template, couples = _fit_to_cards(plane, flat, chance[rows], size, template)
    least = TUNING.least_doubted_probability if doubted else TUNING.least_index_probability
    groups = [g for g in group_indices(couples, len(rows)) if len(g) > 1 or chance[rows[g[0]]] >= least]
    cards = make_cards(groups, flat, template, plane, size, rows, chance[rows], card_share)
    together = find_one_place(cards, template)
    if together:
        cards = make_cards(join_groups(groups, together), flat, template, plane, size, rows, chance[rows], card_share)
    ordered = order_cards(cards, flat, template, plane, size)
    firm = tuple(card for card in ordered if len(card.indices) > 1 or card.is_card >= TUNING.least_index_probability)
    seen = firm + tuple(replace(card, is_doubted=True) for card in ordered if card not in firm)
    used = {row for card in cards for row in card.indices}
    rejected = tuple(row for row in range(len(rank)) if row not in used)
    return SeenTable(size, plane, template, seen, place_backs(backs, plane, template, firm), rejected)


def weigh_indices(detections: Detections, reads: Reads) -> tuple[NDArray[np.bool_], Array]:
    """Which findings (n,) show ink of their own, and how likely each is an index (n,)."""
    rank, suit = detections.rank_xy.astype(float), detections.suit_xy.astype(float)
    chance = index_chance(detections, reads)
    boxes, sure = detections.boxes.astype(float), chance * detections.confidence
    single = find_single(rank, suit, boxes, sure, reads.log_card.astype(float)) & ~find_parts(boxes, sure)
    return single, chance


def _fit_to_cards(
    plane: Plane, flat: IndicesInPlane, chance: Array, size: tuple[int, int], known: Template | None
) -> tuple[Plane, IndicesInPlane, Template, NDArray[np.intp]]:
    """Plane, indices, template and pairs of indices, each fitted again with what the others tell."""
    template = find_template(flat, chance) if known is None else known
    couples = find_couples(flat, template)
    fitted: list[list[int]] = []
    for _ in range(2):
        if not template.pairs:
            break
        i, j = couples.T
        diagonal = couples[(flat.turn[i, j] < 0) & (np.abs(flat.opposed(i, j)[:, 0]) > template.across / 2)]
        if sorted(diagonal.tolist()) == fitted:
            break
        fitted = sorted(diagonal.tolist())
        # Weak findings may complete a card, but what is none must not bend the plane.
        sound = np.flatnonzero((chance >= TUNING.least_index_probability) | np.isin(np.arange(len(chance)), diagonal))
        rank, suit = flat.photo[:, 0], flat.photo[:, 1]
        plane = fit_plane(rank[sound], suit[sound], size, np.searchsorted(sound, diagonal))
        flat = IndicesInPlane.of(plane, rank, suit, flat.log_card, chance)
        template = find_template(flat, chance) if known is None else known
        couples = find_couples(flat, template)
    return plane, flat, template, couples
