"""The cards of one photo as points of its plane, and the same cards laid in another plane.

Lengths are in card widths.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array, across, project
from vision.cards.joining.complex_points import as_complex, as_xy, invert, map_points
from vision.cards.joining.tuning import TUNING
from vision.cards.seen_table import SeenTable
from vision.cards.template import Template


@dataclass(frozen=True, eq=False, slots=True)
class Cloud:
    """The cards of a photo in its plane, in card widths.

    Attributes:
        at: (n,) their centres as complex numbers.
        down: (n,) their downs as complex numbers of length 1.
        log_card: (n, 52) log-probabilities of their identities.
        p: (n, 52) the probabilities.
        best: (n,) their likeliest identities.
        spots: (n, 3) their centres and their two opposite index places.
        ranks: (n, 4) where the rank symbols of their indices were seen; NaN where there are fewer.
        plane: From px of the photo to the plane.
        photo: Back from the plane to px.
        size: Width and height of the photo, px.
        index: Length of an index.
        corners: (2,) or (4,) where a card has its ranks, from its middle; its down is 1.
        expected_px: An index at least so long is hardly missed in the photo.
    """

    at: NDArray[np.complex128]
    down: NDArray[np.complex128]
    log_card: Array
    p: Array
    best: NDArray[np.intp]
    spots: NDArray[np.complex128]
    ranks: NDArray[np.complex128]
    plane: Array
    photo: Array
    size: tuple[int, int]
    index: float
    corners: NDArray[np.complex128]
    expected_px: float = TUNING.expected_index_px

    @classmethod
    def of(cls, table: SeenTable, template: Template) -> Cloud:
        """The cards of a photo.

        Args:
            table: What it shows.
            template: The deck's, as the photo has it that tells it best. Its card width is the unit of all photos.
        """
        own = table.template
        centres, downs = table.centres.copy(), table.downs
        if own.corners == template.corners == 2:  # a card of one index lies where the better known deck has it
            off = np.array([template.across - own.across, template.along - own.along]) / 2
            single = np.array([len(card.indices) == 1 for card in table.cards], bool)
            centres[single] += (across(downs) * off[0] + downs * off[1])[single]
        at, down = as_complex(centres) / template.width, as_complex(downs)
        corner = complex(template.along, -template.across) / 2 / template.width  # right of down is -i * down
        step = corner * down
        plane = np.diag([1 / template.width, 1 / template.width, 1.0]) @ table.plane.matrix
        photo = invert(plane)
        if len(at):  # so that what is before the camera has a depth above 0
            depth = photo[2, 0] * at.real.mean() + photo[2, 1] * at.imag.mean() + photo[2, 2]
            photo = photo / depth
        log_card = table.log_card
        best = log_card.argmax(1) if len(at) else np.zeros(0, np.intp)
        spots = np.stack([at, at - step, at + step], 1)
        ranks = np.full((len(at), 4), np.nan + 0j)
        for row, card in enumerate(table.cards):
            ranks[row, : len(card.ranks)] = as_complex(card.ranks[:4]) / template.width
        return cls(
            at, down, log_card, np.exp(log_card), best, spots, ranks, plane, photo, table.size, 1 / template.width,
            np.array([-corner, corner, corner.conjugate(), -corner.conjugate()][: template.corners]),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.at)

    @property
    def reach(self) -> float:
        """How far the cards lie from their middle, typically."""
        return max(float(np.sqrt((np.abs(self.at - self.at.mean()) ** 2).mean())), 1.5)

    def laid(self, warp: Array | None = None) -> LaidCards:
        """The cards in another plane, or in their own."""
        own = LaidCards(self.at, self.down, self.spots, self.ranks)
        return own if warp is None else own.moved(warp)

    def of_film(self, is_partial: bool) -> Cloud:
        """The same as a frame of a film: an index nearly as long as those that the frame has is hardly missed."""
        if not len(self) or is_partial:
            return replace(self, expected_px=np.inf)
        ends = project(self.photo, as_xy(np.stack([self.at, self.at + self.index * self.down])))
        usual = float(np.median(np.linalg.norm(ends[1] - ends[0], axis=-1)))
        return replace(self, expected_px=min(TUNING.expected_index_px, TUNING.expected_film_share * usual))

    def shows(self, cards: LaidCards) -> NDArray[np.bool_]:
        """Whether cards in the photo's own plane lie whole in the photo, and large enough to be read there."""
        if not len(cards.at):
            return np.zeros(0, np.bool_)
        ends = np.concatenate([cards.spots, (cards.spots[:, 1] + self.index * cards.down)[:, None]], axis=1)
        points = as_xy(ends)
        depth = points @ self.photo[2, :2] + self.photo[2, 2]
        px, room = project(self.photo, points), np.array(self.size, float)
        long = np.linalg.norm(px[:, 3] - px[:, 1], axis=-1)
        margin = np.maximum(1.2 * long, 4.0)[:, None, None]
        whole = ((px > margin) & (px < room - margin)).all((1, 2))
        return np.asarray((depth > 0.05).all(1) & whole & (long >= self.expected_px))


@dataclass(frozen=True, eq=False, slots=True)
class LaidCards:
    """Cards in some plane: centres, downs, spots and ranks as in `Cloud`."""

    at: NDArray[np.complex128]
    down: NDArray[np.complex128]
    spots: NDArray[np.complex128]
    ranks: NDArray[np.complex128]

    @property
    def shown(self) -> NDArray[np.intp]:
        """(n,) how many of their indices are seen."""
        return np.asarray((~np.isnan(self.ranks)).sum(1))

    @property
    def lone(self) -> NDArray[np.bool_]:
        """(n,) which of them show a single index."""
        return np.asarray(self.shown < 2)

    @property
    def whole(self) -> NDArray[np.bool_]:
        """(n,) which of them show indices in opposite corners: hardly anything lies on them."""
        ranks = np.where(np.isnan(self.ranks), self.at[:, None], self.ranks)
        far = np.abs(ranks[:, :, None] - ranks[:, None]).max((1, 2))
        return np.asarray(far > TUNING.opposite_share * np.abs(self.spots[:, 1] - self.spots[:, 2]))

    def moved(self, warp: Array) -> LaidCards:
        """The cards in another plane."""
        step = 0.5 * self.down
        ends = [(self.at - step)[:, None], (self.at + step)[:, None]]
        moved = map_points(warp, np.concatenate([self.spots, self.ranks, *ends], axis=1))
        down = moved[:, 8] - moved[:, 7]
        down = down / np.maximum(np.abs(down), 1e-9)
        return LaidCards(moved[:, 0], down, moved[:, :3], moved[:, 3:7])
