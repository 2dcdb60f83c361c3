"""Groups of indices become cards: place, outline and what all reads say together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.indices_in_plane import IndicesInPlane, allow_doubt, combine_reads, upper_pairs
from vision.cards.assembly.poses import CardShare, choose_poses, stack_poses
from vision.cards.assembly.tuning import TUNING
from vision.cards.disputes import disputed_cards, mix_opinions
from vision.cards.geometry import Array, Plane, rectangle
from vision.cards.seen_table import SeenCard
from vision.cards.template import Template


def make_cards(
    groups: Sequence[Sequence[int]],
    flat: IndicesInPlane,
    template: Template,
    plane: Plane,
    size: tuple[int, int],
    rows: NDArray[np.intp],
    chance: Array,
    card_share: CardShare | None = None,
) -> list[SeenCard]:
    """A card for each group of indices.

    Args:
        groups: The indices of each card.
        flat: All n indices.
        template: The deck's.
        plane: Photo to plane.
        size: Width and height of the photo, px.
        rows: (n,) which of the photo's detections the indices are.
        chance: (n,) how likely each is an index.
        card_share: Tells how much of an outline shows cards, where there is the photo itself.
    """
    poses = choose_poses(groups, flat, template, plane, size, card_share)
    quads = plane.to_photo(rectangle(*stack_poses(poses), template.width, template.height))
    return [
        _make_card(group, pose, quad, flat, rows, chance)
        for group, pose, quad in zip(groups, poses, quads, strict=True)
    ]


def _make_card(
    group: Sequence[int],
    pose: tuple[Array, Array],
    quad: Array,
    flat: IndicesInPlane,
    rows: NDArray[np.intp],
    chance: Array,
) -> SeenCard:
    reads = flat.log_card[list(group)]
    doubted = allow_doubt(reads, chance[list(group)])
    disputed = disputed_cards([*doubted])
    if disputed:
        log_card = mix_opinions([*doubted])
    else:
        if len(group) > 1:
            reads = TUNING.second_index_weight * max(reads, doubted, key=lambda way: float(np.exp(way.sum(0)).sum()))
        log_card = combine_reads(reads)
    is_card = 1 - float(np.prod(1 - chance[list(group)]))
    indices, ranks = tuple(int(rows[k]) for k in group), flat.rank[list(group)]
    return SeenCard(log_card, is_card, indices, *pose, quad, ranks=ranks, disputed=disputed)


def find_one_place(cards: Sequence[SeenCard], template: Template) -> list[tuple[int, int]]:
    """Pairs of cards at one place that show corners of their own: a card whose corners were read differently."""
    if len(cards) < 2 or not template.is_sure:
        return []
    centres, downs = stack_poses([(card.centre, card.down) for card in cards])
    apart = np.linalg.norm(centres[:, None] - centres, axis=-1)
    near = (apart < TUNING.same_place_lengths) & (np.abs(downs @ downs.T) > TUNING.same_place_cosine)
    found: list[tuple[int, int]] = []
    pairs = zip(*(part.tolist() for part in upper_pairs(near)), strict=True)
    for i, j in sorted(pairs, key=lambda pair: float(apart[pair])):
        between = np.linalg.norm(cards[i].ranks[:, None] - cards[j].ranks, axis=-1)
        free = not {i, j} & {k for pair in found for k in pair}
        if free and len(cards[i].indices) + len(cards[j].indices) <= template.corners and between.min() > 1:
            found.append((i, j))
    return found


def join_groups(groups: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The groups, of which those of each pair are one."""
    second = {j: i for i, j in pairs}
    return [
        [*group, *(row for j, i in second.items() if i == n for row in groups[j])]
        for n, group in enumerate(groups)
        if n not in second
    ]
