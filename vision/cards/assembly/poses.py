"""Where each card lies, by those of its indices that are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.indices_in_plane import IndicesInPlane
from vision.cards.geometry import Array, Plane, across, inside, rectangle, unit
from vision.cards.template import Template

MOST_SHOWN: Final = (0.8, 0.6)
"""Outlines of which larger shares show cards are equally good: what is seen of a photo is coarse."""
CardShare = Callable[[Array], Array]
"""How much of outlines (p, 4, 2), px, shows cards: (p, 2) of the whole and of its barest strip, 0 to 1."""


def choose_poses(
    groups_: Sequence[Sequence[int]],
    flat: IndicesInPlane,
    template: Template,
    plane: Plane,
    size: tuple[int, int],
    card_share: CardShare | None = None,
) -> list[tuple[Array, Array]]:
    """One pose a card: of a four-corner deck's card whose one side is seen, the pose that hides the other side.

    A side is hidden by a card that lies there or by the edge of the photo; cards whose pose is clear come first, so a
    fan is settled from its uncovered end on. Where the photo shows the bare table no card lies.
    """
    options = [_poses(group, flat, template) for group in groups_]
    settled = {n: poses[0] for n, poses in enumerate(options) if len(poses) == 1}
    if len(settled) < len(options):
        unsettled = _OpenPoses.find(options, [flat.rank[list(group)] for group in groups_], template, plane, size)
        if card_share is not None:
            unsettled.look(card_share, plane)
        unsettled.cover(list(settled.values()))
        waiting = set(range(len(unsettled.of)))
        while waiting:
            number, choice = unsettled.of[unsettled.clearest(waiting)]
            settled[number] = options[number][choice]
            waiting -= {p for p in waiting if unsettled.of[p][0] == number}
            unsettled.cover([settled[number]])
    return [settled[n] for n in range(len(options))]


def _poses(group: Sequence[int], flat: IndicesInPlane, template: Template) -> list[tuple[Array, Array]]:
    """Where a card with these indices may lie: (centre, down), the usual place first."""
    x, y = template.across, template.along
    first = group[0]
    if len(group) == 1:
        down = flat.down[first]
        left = flat.rank[first] + across(down) * x / 2 + down * y / 2
        return [(left, down)] + ([(left - across(down) * x, down)] if template.corners == 4 else [])
    if template.corners == 2:
        second = group[1]
        line = flat.rank[second] - flat.rank[first]
        turn, along = np.arctan2(x, y), unit(line)
        down = np.cos(turn) * along - np.sin(turn) * across(along)
        return [((flat.rank[first] + flat.rank[second]) / 2, down)]
    turned = [flat.down[k] if flat.down[k] @ flat.down[first] > 0 else -flat.down[k] for k in group]
    down = unit(np.sum(turned, axis=0))
    frame = np.stack([across(down), down])
    local = (flat.rank[list(group)] - flat.rank[first]) @ frame.T
    low, high = local.min(0), local.max(0)
    middle = (low + high) / 2
    if high[1] - low[1] < y / 2:  # the two indices of one end point away from it, in their own frame down
        middle[1] = low[1] + y / 2
    if high[0] - low[0] > x / 2:
        return [(flat.rank[first] + middle @ frame, down)]
    sides = [np.array([middle[0] + x / 2, middle[1]]), np.array([middle[0] - x / 2, middle[1]])]
    return [(flat.rank[first] + side @ frame, down) for side in sides]


@dataclass(frozen=True, eq=False, slots=True)
class _OpenPoses:
    """Poses of cards of a four-corner deck of which one side is seen: which one, is to be settled.

    Attributes:
        of: (p,) the card and which of its poses.
        centres: (p, 2) their centres.
        downs: (p, 2) the direction down each.
        spots: (p, 4, 2) where the corners' indices then are.
        missing: (p, 4) those where none is seen.
        under: (p, 4) those that something hides; grows as cards are settled.
        nearest: (p,) distance of the nearest card that hides one; shrinks.
        shown: (p, 2) how much of each shows cards, as `CardShare` tells; 1 where nobody looked.
        template: The deck's.
    """

    of: list[tuple[int, int]]
    centres: Array
    downs: Array
    spots: Array
    missing: NDArray[np.bool_]
    under: NDArray[np.bool_]
    nearest: Array
    shown: Array
    template: Template

    @classmethod
    def find(
        cls,
        options: Sequence[Sequence[tuple[Array, Array]]],
        ranks: Sequence[Array],
        template: Template,
        plane: Plane,
        size: tuple[int, int],
    ) -> _OpenPoses:
        """The poses of cards that have several, from all cards' poses and the ranks (k, 2) seen of each."""
        of = [(n, k) for n, poses in enumerate(options) if len(poses) > 1 for k in range(len(poses))]
        centres, downs = stack_poses([options[n][k] for n, k in of])
        corners = np.array([[a * template.across, b * template.along] for a in (-1, 1) for b in (-1, 1)]) / 2
        spots = centres[:, None] + corners @ np.stack([across(downs), downs], axis=1)
        away = [np.linalg.norm(at[:, None] - ranks[n], axis=-1).min(1) for at, (n, _) in zip(spots, of, strict=True)]
        photo = plane.to_photo(spots.reshape(-1, 2)).reshape(spots.shape)
        outside = np.asarray((photo < 0).any(2) | (photo > np.array(size)).any(2))
        far = np.full(len(of), 3 * template.width)
        missing = np.array(away).reshape(-1, 4) > 1
        return cls(of, centres, downs, spots, missing, outside, far, np.ones((len(of), 2)), template)

    def look(self, card_share: CardShare, plane: Plane) -> None:
        """Tells of each pose how much of it shows cards."""
        quads = rectangle(self.centres, self.downs, self.template.width, self.template.height)
        self.shown[:] = card_share(plane.to_photo(quads))

    def cover(self, poses: Sequence[tuple[Array, Array]]) -> None:
        """Hides the corners on which cards in these poses lie."""
        middles, lying = stack_poses(poses)
        quads = rectangle(middles, lying, self.template.width, self.template.height)
        distance = np.linalg.norm(middles[:, None] - self.centres, axis=-1)  # (m, p)
        covers = inside(quads[:, None], self.spots.reshape(-1, 2), -0.2).reshape(len(poses), *self.missing.shape)
        covers &= self.missing & (distance < 1.6 * self.template.height)[..., None]
        self.under[:] |= covers.any(0)
        self.nearest[:] = np.minimum(self.nearest, np.where(covers.any(2), distance, np.inf).min(0, initial=np.inf))

    def clearest(self, waiting: set[int]) -> int:
        """Which of the poses is hidden best: by the share of its unseen corners, a nearer neighbour a little more.

        A pose of which a part shows the table is less likely by that part.
        """
        shown = np.minimum(self.shown, MOST_SHOWN).sum(1)
        share = (self.under & self.missing).sum(1) / np.maximum(self.missing.sum(1), 1)
        share = share - 0.05 * self.nearest / self.template.width + shown
        return max(waiting, key=lambda p: (share[p], -self.of[p][0], self.of[p][1]))


def stack_poses(poses: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Centres (n, 2) and downs (n, 2) of poses."""
    centres, downs = (np.array([pose[part] for pose in poses]).reshape(-1, 2) for part in (0, 1))
    return centres, downs
