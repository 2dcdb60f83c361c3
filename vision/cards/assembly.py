"""Corner indices and backs become cards: each index of one card merged, each card with its outline and its place.

The photo calibrates itself. Two indices that read the same and point in opposite directions are usually two corners of
one card. Where several such pairs agree on one offset, that offset is the deck's template. It merges the pairs, and it
gives every other card its outline from the one index that is seen. Two equal cards of a two-deck game stay two, because
their indices do not have that offset.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards.black_suits import weigh_black_suits
from vision.cards.disputes import LEAST_DOUBT, disputed_cards, mix_opinions
from vision.cards.geometry import Array, Plane, across, fit_plane, gaps, inside, rectangle, unit
from vision.measure.metrics import iou_matrix
from vision.networks.outputs import Backs, Detections, Reads
from vision.preferences import preferences_of

Made = TypeVar("Made")

USUAL_ACROSS: Final = 4.75
USUAL_ALONG: Final = 7.05
"""Offset from one rank symbol to the opposite one in lengths of an index, the median of many decks."""


@dataclass(frozen=True, slots=True)
class AssemblyTuning:
    """How findings become cards. Lengths are in lengths of an index, from rank to suit.

    Attributes:
        enough_indices: So many indices tell how long an index is in the photo.
        least_index_probability: Indices less likely to be one are left out, unless they complete a card.
        same_ink_lengths: Two findings whose middles lie nearer show the same ink, whatever they read.
        much_weaker_share: A finding is much weaker than another if it has a smaller share of its confidence.
        beside_sine: Two findings lie side by side if the sine between their direction and the way from one to the other
            is larger.
        part_share: Of two findings one shows ink of the other where more of the smaller box lies in the larger one.
        crossed_cosine: Two findings cross where the cosine between their directions is smaller.
        same_back_iou: Two backs whose boxes overlap more are one.
        back_tilts: Directions that are tried for a back among cards that lie anyhow.
        whole_back_log_ratio: A back's box is a whole card's where its sides differ from a card's by less (logarithm).
        neighbour_lengths: How far other findings speak for or against one: a card's other index is nearer.
        index_log_odds: That a finding is an index, before anything speaks for it. This and the next seven are the
            weights of `evidence`. Fitted on rendered scenes of validation decks and on a photo set as
            `python tests/bench/index_chance.py` does it; with the networks of today it proposes others, which read
            validation tables no better.
        reader_weight: Of the reader's log-odds that it is one.
        detector_weight: Of the detector's.
        length_weight: Of how far its length is from all the others'.
        rank_weight: Of the log-odds of its best rank.
        suit_weight: Of those of its best suit.
        doubtful_near_weight: Of how many doubtful findings are near it.
        good_near_weight: Of how many good ones are.
        second_index_weight: Reads of one card's indices are not independent (same deck, same light): each counts this
            much when there are two.
        known_template_log_odds: Where the photo's own pairs tell the deck's offset, two indices that have it are of one
            card: so much beside what their reads say.
        same_place_lengths: Two cards are one, of which corners read differently, where their centres lie nearer. On
            rendered tables of training families those of different cards are 0.48 apart or more: else no index shows.
        same_place_cosine: And where the cosine between their directions, either way, is larger.
        least_pairs_to_place: So many pairs must agree on the template for it to tell that two cards are one.
        least_alike_templates: So many photos must agree on a deck's template for it to be that of all of them.
        other_template_log_ratio: Templates that differ more are of different decks. Those of the frames of one film
            differ by 0.05 where they rest on many pairs.
    """

    index_log_odds: float
    reader_weight: float
    detector_weight: float
    length_weight: float
    rank_weight: float
    suit_weight: float
    doubtful_near_weight: float
    good_near_weight: float
    second_index_weight: float
    known_template_log_odds: float
    enough_indices: int = 3
    least_index_probability: float = 0.5
    same_ink_lengths: float = 0.5
    much_weaker_share: float = 0.75
    beside_sine: float = 0.8
    part_share: float = 0.75
    crossed_cosine: float = 0.8
    same_back_iou: float = 0.45
    back_tilts: int = 36
    whole_back_log_ratio: float = 0.22
    neighbour_lengths: float = 9.0
    same_place_lengths: float = 0.35
    same_place_cosine: float = 0.98
    least_pairs_to_place: int = 2
    least_alike_templates: int = 3
    other_template_log_ratio: float = 0.15

    @property
    def index_weights(self) -> tuple[float, ...]:
        """The weights of the columns of `evidence`."""
        return (
            self.index_log_odds,
            self.reader_weight,
            self.detector_weight,
            self.length_weight,
            self.rank_weight,
            self.suit_weight,
            self.doubtful_near_weight,
            self.good_near_weight,
        )


TUNING: Final = AssemblyTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class Template:
    """Where a deck prints its indices, in lengths of an index (rank centre to suit centre).

    Attributes:
        across: From the left index's rank to the right one's.
        along: From the upper index's rank to the lower one's.
        side_margin: From the card's side to the rank.
        end_margin: From the card's short end to the rank.
        corners: 2 (top left and bottom right) or 4.
        pairs: How many pairs of the photo agree on it; 0 where it is the usual deck's.
        spread: How much the pairs differ in length (median of logarithms): large where cards do not lie in one plane,
            as on a blanket or in a hand.
    """

    across: float = USUAL_ACROSS
    along: float = USUAL_ALONG
    side_margin: float = 0.65
    end_margin: float = 0.95
    corners: int = 2
    pairs: int = 0
    spread: float = 0.0

    @property
    def width(self) -> float:
        """The card's width."""
        return self.across + 2 * self.side_margin

    @property
    def height(self) -> float:
        """The card's height."""
        return self.along + 2 * self.end_margin

    def agrees(self, other: Template) -> bool:
        """Whether another template is of a deck with such indices."""
        ratios = np.log([self.across / other.across, self.along / other.along])
        return self.corners == other.corners and bool(np.abs(ratios).max() < TUNING.other_template_log_ratio)


@dataclass(frozen=True, eq=False, slots=True)
class SeenCard:
    """One face-up card on the table.

    Attributes:
        log_card: (52,) log-probabilities of its identity, summing to 1 once exponentiated.
        is_card: Probability that there is a card at all.
        indices: Rows of its indices in the detections; empty for a card that was only inferred.
        centre: (2,) its centre in the plane.
        down: (2,) unit vector from its top to its bottom in the plane.
        quad: (4, 2) its own corners in the photo, px: top-left, top-right, bottom-right, bottom-left; may leave it.
        layer: Painting order: a card lies on those of lower layers that it overlaps.
        ranks: (k, 2) where the rank symbols of its k indices were seen, in the plane.
        disputed: Identities of which different opinions are sure; none where none disagree.
    """

    log_card: Array
    is_card: float
    indices: tuple[int, ...]
    centre: Array
    down: Array
    quad: Array
    layer: int = 0
    ranks: Array = field(default_factory=lambda: np.zeros((0, 2)))
    disputed: tuple[int, ...] = ()

    @property
    def best(self) -> Card:
        """The likeliest identity by the read alone."""
        return Card.from_index(int(self.log_card.argmax()))

    def belief(self) -> tuple[float, tuple[tuple[Card, float], ...]]:
        """Probability of the likeliest identity, and the next three with theirs, by the read alone."""
        chance = np.exp(self.log_card)
        first, *others = (int(c) for c in np.argsort(-chance)[:4])
        listed = tuple((Card.from_index(c), float(chance[c])) for c in others if chance[c] > 1e-5)
        return self.with_dispute(Card.from_index(first), float(chance[first]), listed)

    def with_dispute(
        self, card: Card, confidence: float, others: Sequence[tuple[Card, float]]
    ) -> tuple[float, tuple[tuple[Card, float], ...]]:
        """How sure an identity can be, and what else it may be: what opinions dispute is never sure."""
        if not self.disputed or confidence <= 1 - LEAST_DOUBT:
            return confidence, tuple(others)
        rivals = [Card.from_index(c) for c in self.disputed if Card.from_index(c) != card]
        rest = {rival: LEAST_DOUBT / len(rivals) for rival in rivals}
        listed = {**rest, **{other: chance for other, chance in others if other not in rest}}
        return 1 - LEAST_DOUBT, tuple(listed.items())


@dataclass(frozen=True, eq=False, slots=True)
class SeenBack:
    """One face-down card, or the top of a pile of them.

    Attributes:
        confidence: 0 to 1.
        centre: (2,) centre of the whole card in the plane.
        down: (2,) unit vector along its long side, from the free end.
        visible: Visible length along `down`, in card heights (1 is a whole card).
        quad: (4, 2) the whole card's outline in the photo, px.
    """

    confidence: float
    centre: Array
    down: Array
    visible: float
    quad: Array


@dataclass(frozen=True, eq=False, slots=True)
class SeenTable:
    """All that is seen on a table, in its plane.

    Attributes:
        size: Width and height of the photo, px.
        plane: Photo to plane.
        template: The deck's.
        cards: Face-up cards.
        backs: Face-down cards.
        rejected: Rows of detections that are no cards.
        count_backs: Looks again: strips (n, 4, 2) of the photo to `BackCounter.count`; None where there is no photo.
        is_seen_twice: Of several photos, whether (n,) two or more of them show a strip clearly; None for one photo.
    """

    size: tuple[int, int]
    plane: Plane
    template: Template
    cards: tuple[SeenCard, ...]
    backs: tuple[SeenBack, ...] = ()
    rejected: tuple[int, ...] = ()
    count_backs: Callable[[Array], Array] | None = None
    is_seen_twice: Callable[[Array], NDArray[np.bool_]] | None = None
    _kept: dict[Hashable, Any] = field(init=False, default_factory=dict, repr=False)

    def once(self, name: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, which is called once and kept under this name."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast(Made, self._kept[name])

    @property
    def centres(self) -> Array:
        """(n, 2) centres of the cards in the plane."""
        return self._of_cards("centre", 2)

    @property
    def downs(self) -> Array:
        """(n, 2) downs of the cards in the plane."""
        return self._of_cards("down", 2)

    @property
    def log_card(self) -> Array:
        """(n, 52) identities of the cards."""
        return self._of_cards("log_card", 52)

    @property
    def outlines(self) -> Array:
        """(n, 4, 2) the cards' rectangles in the plane."""
        return rectangle(self.centres, self.downs, self.template.width, self.template.height)

    @property
    def from_left(self) -> list[int]:
        """Rows of the cards from left to right in the photo."""
        return sorted(range(len(self.cards)), key=lambda row: float(self.cards[row].quad[:, 0].mean()))

    def _of_cards(self, name: str, length: int) -> Array:
        """One attribute of all cards as an array (n, `length`), made once and read-only."""

        def put_together() -> Array:
            array = np.array([getattr(card, name) for card in self.cards]).reshape(-1, length)
            array.flags.writeable = False
            return array

        return self.once(name, put_together)


def common_template(templates: Sequence[Template]) -> Template | None:
    """The template on which photos of one deck agree, as the one of them has it that shows most pairs.

    Args:
        templates: That of each photo.

    Returns:
        None where too few photos tell it, or most of their pairs tell another one.

    >>> jumbo = Template(2.0, 2.9, pairs=3)
    >>> common_template([jumbo, jumbo, jumbo, Template(5.2, 8.0, pairs=1)]) == jumbo
    True
    >>> common_template([jumbo, jumbo, Template(5.2, 8.0, pairs=1)]) is None
    True
    """
    telling = [template for template in templates if template.pairs >= TUNING.least_pairs_to_place]
    alike = [[other for other in telling if template.agrees(other)] for template in telling]
    most = max(alike, key=lambda found: sum(template.pairs for template in found), default=[])
    if len(most) < TUNING.least_alike_templates or 2 * sum(t.pairs for t in most) <= sum(t.pairs for t in telling):
        return None
    return max(most, key=lambda template: template.pairs)


def assemble_cards(
    detections: Detections, backs: Backs, reads: Reads, size: tuple[int, int], template: Template | None = None
) -> SeenTable:
    """Merges indices into cards and puts cards and backs into the table's plane.

    Args:
        detections: n indices of a photo.
        backs: Its face-down cards.
        reads: The n reads of the indices.
        size: Width and height of the photo, px.
        template: The deck's, where it is known from other photos; found in this one by default.
    """
    if len(detections) != len(reads):
        raise ValueError(f"{len(detections)} detections but {len(reads)} reads; expected one read an index")
    reads = weigh_black_suits(reads)
    rank, suit = detections.rank_xy.astype(float), detections.suit_xy.astype(float)
    chance = _chance(detections, reads)
    boxes, sure = detections.boxes.astype(float), chance * detections.confidence
    single = _find_single(rank, suit, boxes, sure, reads.log_card.argmax(1)) & ~_find_parts(boxes, sure)
    good = single & (chance >= TUNING.least_index_probability)
    if not good.any():
        plane = _plane_of_backs(backs) if len(backs) else Plane(np.eye(3))
        return SeenTable(size, plane, Template(), (), _seen_backs(backs, plane, Template()), tuple(range(len(rank))))
    plane = fit_plane(rank[good], suit[good], size)
    if good.sum() >= TUNING.enough_indices:
        chance = _chance(detections, reads, plane)
    rows = np.flatnonzero(single & (chance >= TUNING.least_index_probability / 5))
    flat = _IndicesInPlane.of(plane, rank[rows], suit[rows], reads.log_card[rows].astype(float), chance[rows])
    plane, flat, template, couples = _fit_to_cards(plane, flat, chance[rows], size, template)
    groups = [
        g for g in _groups(couples, len(rows)) if len(g) > 1 or chance[rows[g[0]]] >= TUNING.least_index_probability
    ]
    cards = _make_cards(groups, flat, template, plane, size, rows, chance[rows])
    together = _find_one_place(cards, template)
    if together:
        cards = _make_cards(_joined(groups, together), flat, template, plane, size, rows, chance[rows])
    seen = _order_cards(cards, flat, template, plane, size)
    used = {row for card in cards for row in card.indices}
    rejected = tuple(row for row in range(len(rank)) if row not in used)
    return SeenTable(size, plane, template, seen, _seen_backs(backs, plane, template, seen), rejected)


def _fit_to_cards(
    plane: Plane, flat: _IndicesInPlane, chance: Array, size: tuple[int, int], known: Template | None
) -> tuple[Plane, _IndicesInPlane, Template, NDArray[np.intp]]:
    """Plane, indices, template and pairs of indices, each fitted again with what the others tell."""
    template = _find_template(flat, chance) if known is None else known
    couples = _find_couples(flat, template)
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
        flat = _IndicesInPlane.of(plane, rank, suit, flat.log_card, chance)
        template = _find_template(flat, chance) if known is None else known
        couples = _find_couples(flat, template)
    return plane, flat, template, couples


def _make_cards(
    groups: Sequence[Sequence[int]],
    flat: _IndicesInPlane,
    template: Template,
    plane: Plane,
    size: tuple[int, int],
    rows: NDArray[np.intp],
    chance: Array,
) -> list[SeenCard]:
    """A card for each group of indices."""
    poses = _choose_poses(groups, flat, template, plane, size)
    quads = plane.to_photo(rectangle(*_stack_poses(poses), template.width, template.height))
    return [
        _make_card(group, pose, quad, flat, rows, chance)
        for group, pose, quad in zip(groups, poses, quads, strict=True)
    ]


def _stack_poses(poses: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Centres (n, 2) and downs (n, 2) of poses."""
    centres, downs = (np.array([pose[part] for pose in poses]).reshape(-1, 2) for part in (0, 1))
    return centres, downs


@dataclass(frozen=True, eq=False, slots=True)
class _IndicesInPlane:
    """Indices in the plane.

    Attributes:
        rank: (n, 2) rank centres.
        down: (n, 2) directions.
        log_card: (n, 52) reads.
        same: (n, n) log-ratio of two indices showing one identity against any two.
        turn: (n, n) cosine between directions.
        apart: (n, n) distances between ranks.
        photo: (n, 2, 2) rank and suit centres in the photo, px.
    """

    rank: Array
    down: Array
    log_card: Array
    same: Array
    turn: Array
    apart: Array
    photo: Array

    @classmethod
    def of(cls, plane: Plane, rank: Array, suit: Array, log_card: Array, chance: Array) -> _IndicesInPlane:
        start = plane.from_photo(rank)
        down = unit(plane.from_photo(suit) - start)
        p, doubted = np.exp(log_card), np.exp(_allow_doubt(log_card, chance))
        same = np.log(52 * np.maximum(p @ p.T, doubted @ doubted.T) + 1e-9)
        line = start[None] - start[:, None]
        apart = np.hypot(line[..., 0], line[..., 1])
        return cls(start, down, log_card, same, down @ down.T, apart, np.stack([rank, suit], axis=1))

    def opposed(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """(k, 2) from i to j in the frame of a card that both are opposite corners of."""
        return _in_frame(self.rank[j] - self.rank[i], unit(self.down[i] - self.down[j]))

    def level(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """(k, 2) from i to j in the frame of a card that both are corners of, pointing the same way."""
        return _in_frame(self.rank[j] - self.rank[i], unit(self.down[i] + self.down[j]))

    def local(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> Array:
        """As `opposed`, but measured in the photo by the two indices themselves, whatever plane their card lies in."""
        down = self.photo[:, 1] - self.photo[:, 0]
        axis = (down[i] - down[j]) / 2
        line = _in_frame(self.photo[j, 0] - self.photo[i, 0], axis)
        return np.asarray(line / np.maximum((axis**2).sum(-1, keepdims=True), 1e-6))


def _pairs(which: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column numbers of the true entries above the diagonal of a matrix (n, n)."""
    rows, columns = np.nonzero(which)
    above = rows < columns
    return rows[above], columns[above]


def _select_pairs(pairs: tuple[NDArray[np.intp], NDArray[np.intp]], which: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The pairs for which `which` holds, as a list."""
    return list(zip(pairs[0][which].tolist(), pairs[1][which].tolist(), strict=True))


def _in_frame(line: Array, down: Array) -> Array:
    """Vectors (k, 2) in frames whose y axes are these downs."""
    return np.stack([(line * across(down)).sum(-1), (line * down).sum(-1)], axis=-1)


def _misfit(offset: Array, target: tuple[float, float], distance: float, angle: float) -> Array:
    """Distances of offsets from a target, in standard deviations along it and around it."""
    length, wanted = np.hypot(offset[..., 0], offset[..., 1]), float(np.hypot(*target))
    along = np.log(np.maximum(length, 1e-6) / wanted) / distance
    difference = np.arctan2(offset[..., 0], offset[..., 1]) - np.arctan2(*target)
    around = (np.mod(difference + np.pi, 2 * np.pi) - np.pi) / angle
    return np.asarray(np.hypot(along, around))


def evidence(detections: Detections, reads: Reads, plane: Plane | None = None) -> Array:
    """What speaks for each of n detections being an index, (n, 8).

    The columns: 1; log-odds of the reader that it is an index and of the detector; how far the index's length in the
    plane is from all the others' (squared logarithm, 1 at most; 0 without a plane); log-odds of the best rank and of
    the best suit; how many doubtful and how many good findings are near (logarithm of 1 and their number). Keyboards,
    print and court art give many doubtful findings side by side, cards give good ones.
    """
    size = np.zeros(len(detections))
    if plane is not None:
        tips = [plane.from_photo(points.astype(float)) for points in (detections.rank_xy, detections.suit_xy)]
        length = np.nan_to_num(np.linalg.norm(tips[1] - tips[0], axis=1), posinf=1e3)
        size = np.minimum(np.log(np.maximum(length, 1e-3)) ** 2, 1.0)
    is_index, confidence = np.exp(reads.log_index.astype(float)), detections.confidence.astype(float)
    p = np.exp(reads.log_card.astype(float)).reshape(-1, 4, 13)
    rank, suit = p.sum(1).max(1, initial=0.0), p.sum(2).max(1, initial=0.0)
    good = is_index * rank * suit * np.sqrt(confidence) >= 0.5
    middle = (detections.rank_xy + detections.suit_xy).astype(float) / 2
    length = np.linalg.norm(detections.suit_xy - detections.rank_xy, axis=1)
    apart = np.linalg.norm(middle[:, None] - middle[None], axis=-1) / np.maximum(length, 1e-3)[:, None]
    near = (apart > TUNING.same_ink_lengths) & (apart < TUNING.neighbour_lengths)
    counts = [np.log1p((near & ~good).sum(1)), np.log1p((near & good).sum(1))]
    parts = [np.ones(len(size)), _log_odds(is_index), _log_odds(confidence), size, _log_odds(rank), _log_odds(suit)]
    return np.stack([*parts, *counts], axis=1)


def _chance(detections: Detections, reads: Reads, plane: Plane | None = None) -> Array:
    """Probability that each detection is an index."""
    return np.asarray(1 / (1 + np.exp(-evidence(detections, reads, plane) @ np.array(TUNING.index_weights))))


def _log_odds(p: Array) -> Array:
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(p / (1 - p)))


def _find_single(
    rank: Array, suit: Array, boxes: Array, confidence: Array, best: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which findings are the surest ones at their places: of two that show the same ink, the surer one."""
    length = np.linalg.norm(suit - rank, axis=1)
    apart = np.linalg.norm(rank[:, None] - rank[None], axis=-1)
    apart = np.maximum(apart, np.linalg.norm(suit[:, None] - suit[None], axis=-1))
    apart = apart / np.maximum(np.minimum(length[:, None], length[None]), 1e-6)
    much_weaker = np.minimum(confidence[:, None], confidence[None]) < TUNING.much_weaker_share * np.maximum(
        confidence[:, None], confidence
    )
    middle = (rank + suit) / 2
    apart_middle = np.linalg.norm(middle[:, None] - middle[None], axis=-1) / (length[:, None] + length[None]) * 2
    on_top = apart_middle < TUNING.same_ink_lengths
    # Two copies of a card lie side by side in a tight fan of two decks: equally sure, each with ink of its own.
    down = unit(suit - rank)
    way = unit(middle[:, None] - middle[None])
    aside = np.abs(down[:, None, 0] * way[..., 1] - down[:, None, 1] * way[..., 0])
    beside = ~much_weaker & (_shared_areas(boxes) == 0) & (aside > TUNING.beside_sine) & (down @ down.T > 0.9)
    near = (apart < 0.35) | on_top
    near |= (best[:, None] == best[None]) & (apart < np.where(much_weaker, 1.6, 1.25)) & ~beside
    # A weak finding across a strong one shows the same ink turned; in a fan neighbours point nearly the same way.
    crossed = (apart_middle < 1.0) & much_weaker & (down @ down.T < TUNING.crossed_cosine)
    near |= crossed
    single = np.ones(len(rank), bool)
    for row in np.argsort(-confidence):
        if single[row]:
            twins = near[row].copy()
            twins[row] = False
            single &= ~twins
    return single


def _shared_areas(boxes: Array) -> Array:
    """The area that each two of the boxes (n, 4) share, (n, n), px²."""
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    return np.asarray(np.maximum(np.minimum(boxes[:, None, 2:], boxes[None, :, 2:]) - low, 0).prod(2))


def _find_parts(boxes: Array, confidence: Array) -> NDArray[np.bool_]:
    """Which findings (n,) show ink of a much surer one, by their boxes (n, 4): a part of it, or all of it and more."""
    own = np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-6)
    much_surer = confidence[:, None] < TUNING.much_weaker_share * confidence
    smaller = np.minimum(own[:, None], own)
    return np.asarray((much_surer & (_shared_areas(boxes) > TUNING.part_share * smaller)).any(1))


def _find_template(flat: _IndicesInPlane, chance: Array) -> Template:
    """The offset that most pairs of equal reads agree on; each counts as it is usual and both are indices by chance."""
    usual = Template()
    equal = flat.same > np.log(5)
    pairs = _pairs(equal & (flat.turn < -0.85))
    opposed = flat.opposed(*pairs)
    offset = opposed
    fits = (offset[:, 1] > 1.2) & (np.abs(offset[:, 0]) > 0.7) & (np.linalg.norm(offset, axis=1) < 30)
    offset = offset[fits]
    if not len(offset):
        return usual
    both = (chance[pairs[0]] * chance[pairs[1]])[fits]
    folded = np.abs(offset)
    length, lean = np.linalg.norm(folded, axis=1), np.arctan2(folded[:, 0], folded[:, 1])
    unusual = (np.log(length / np.hypot(usual.across, usual.along)) / 0.4) ** 2
    unusual += ((lean - np.arctan2(usual.across, usual.along)) / 0.2) ** 2
    likely = (1 + unusual / 4) ** -2  # heavy tails: jumbo indices are few lengths apart, and many pairs tell
    apart = np.hypot((np.log(length)[:, None] - np.log(length)[None]) / 0.05, (lean[:, None] - lean[None]) / 0.12)
    votes = np.exp(-0.5 * apart**2) @ (likely * both)
    mode = int(votes.argmax())
    if votes[mode] < 0.1:
        return usual
    near = apart[mode] < 2.5
    far, angle = float(np.median(length[near])), float(np.median(lean[near]))
    x, y = far * float(np.sin(angle)), far * float(np.cos(angle))
    left = near & (offset[:, 0] < 0)
    level = _misfit(np.abs(flat.level(*_pairs(equal & (flat.turn > 0.85)))), (x, 0.0), 0.06, 0.15) < 2
    upright = _misfit(opposed, (0.0, y), 0.06, 0.15) < 2
    wide = (np.abs(np.log(length / far)) < 0.45) & (np.abs(lean - angle) < 0.4)
    spread = float(np.median(np.abs(np.log(length[wide] / far)))) if wide.sum() > 2 else 0.06
    four = left.sum() + level.sum() + upright.sum() >= max(2, 0.35 * near.sum())
    return Template(x, y, corners=4 if four else 2, pairs=int(near.sum()), spread=spread)


def _partners(template: Template) -> list[tuple[int, float, float]]:
    """Where a card's other indices stand in the frame of one: direction (1 same, -1 opposite), x, y."""
    x, y = template.across, template.along
    if template.corners == 2:
        return [(-1, x, y)]
    return [(-1, x, y), (-1, -x, y), (1, x, 0), (1, -x, 0), (-1, 0, y)]


def _find_couples(flat: _IndicesInPlane, template: Template) -> NDArray[np.intp]:
    """Pairs of indices of one card, surest first, each index with at most one partner of each kind.

    Groups of a four-corner deck grow only where every two of their indices stand as two of one card do, and where all
    reads together still speak for one card.
    """
    found, related = _couples_in_plane(flat, template)
    known = {(i, j) for _, i, j, _ in found}
    found += [(score, i, j, 0) for score, i, j in _couples_in_photo(flat, template) if (i, j) not in known]
    related |= related.T
    taken: set[tuple[int, int]] = set()
    group: dict[int, frozenset[int]] = {}
    result = []
    for _, i, j, kind in sorted(found, reverse=True):
        if (i, kind) in taken or (j, kind) in taken:
            continue
        a, b = group.get(i, frozenset([i])), group.get(j, frozenset([j]))
        if a is b or _is_one_card(flat, template, related, list(a), list(b)):
            taken |= {(i, kind), (j, kind)}
            group.update(dict.fromkeys(a | b, a | b))
            result.append((i, j))
    return np.array(result, np.intp).reshape(-1, 2)


def _couples_in_plane(
    flat: _IndicesInPlane, template: Template
) -> tuple[list[tuple[float, int, int, int]], NDArray[np.bool_]]:
    """Pairs that stand in the plane as two indices of a card do, and who may stand so to whom.

    Returns:
        Score, the two indices and which of `_partners` the second is; (n, n) of which the upper half is meant.
    """
    found: list[tuple[float, int, int, int]] = []
    related = np.eye(len(flat.rank), dtype=bool)
    distance, angle = (0.05, 0.12) if template.pairs else (0.2, 0.2)
    known = TUNING.known_template_log_odds if template.pairs else 0.0
    partners = _partners(template)
    close = flat.apart < max(float(np.hypot(x, y)) for _, x, y in partners) * np.exp(4 * distance)
    beside = {turn: _pairs((flat.turn * turn > 0.85) & close) for turn in {turn for turn, _, _ in partners}}
    for kind, (turn, x, y) in enumerate(partners):
        near = beside[turn]
        off = _misfit(flat.level(*near) if turn == 1 else flat.opposed(*near), (x, y), distance, angle)
        related[near] |= off < 4
        score = flat.same[near] + known - 0.5 * off**2
        good = (off < 3) & (score > 0)
        found += [(s, *pair, kind) for s, pair in zip(score[good].tolist(), _select_pairs(near, good), strict=True)]
    return found, related


def _couples_in_photo(flat: _IndicesInPlane, template: Template) -> Iterator[tuple[float, int, int]]:
    """Score and rows of pairs that stand in the photo as two indices of a card do, whatever plane it lies in.

    Cards on a blanket, on others or in a hand lie in no common plane; their two indices still read the same.
    """
    flat_table = template.pairs >= 4 and template.spread < 0.04
    limits = (0.12, 0.2) if flat_table else (0.25, 0.3)
    alike = _pairs((flat.turn < -0.7) & (flat.same > 2.5))
    off = _misfit(flat.local(*alike), (template.across, template.along), *limits)
    score = (flat.same[alike] - 0.5 * off**2)[off < 2.5]
    return ((s, *pair) for s, pair in zip(score.tolist(), _select_pairs(alike, off < 2.5), strict=True))


def _is_one_card(
    flat: _IndicesInPlane, template: Template, related: NDArray[np.bool_], one: list[int], two: list[int]
) -> bool:
    """Whether two groups of indices may be of one card: by where they stand, and by what all of them show."""
    if len(one) + len(two) == 2:
        return True
    if len(one) + len(two) > template.corners or not related[np.ix_(one, two)].all():
        return False
    return bool(np.log(52 * np.exp(_combine_reads(flat.log_card[one]) + _combine_reads(flat.log_card[two])).sum()) >= 0)


def _allow_doubt(log_card: Array, chance: Array) -> Array:
    """Reads (n, 52) of findings that are whole indices with a chance (n,): a part of one may be of any card."""
    return np.asarray(np.log(chance[:, None] * np.exp(log_card) + (1 - chance[:, None]) / 52))


def _combine_reads(log_card: Array) -> Array:
    """(52,) normalised log-probabilities of what several reads (n, 52) of one card show."""
    total = log_card.sum(0)
    return np.asarray(total - total.max() - np.log(np.exp(total - total.max()).sum()))


def _groups(couples: NDArray[np.intp], count: int) -> list[list[int]]:
    """Groups of indices that pairs connect: each group is one card."""
    name = list(range(count))
    for i, j in couples:
        old, new = name[j], name[i]
        name = [new if n == old else n for n in name]
    members: dict[int, list[int]] = {}
    for row, n in enumerate(name):
        members.setdefault(n, []).append(row)
    return list(members.values())


def _poses(group: Sequence[int], flat: _IndicesInPlane, template: Template) -> list[tuple[Array, Array]]:
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
        spots: (p, 4, 2) where the corners' indices then are.
        missing: (p, 4) those where none is seen.
        under: (p, 4) those that something hides; grows as cards are settled.
        nearest: (p,) distance of the nearest card that hides one; shrinks.
        template: The deck's.
    """

    of: list[tuple[int, int]]
    centres: Array
    spots: Array
    missing: NDArray[np.bool_]
    under: NDArray[np.bool_]
    nearest: Array
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
        centres, downs = _stack_poses([options[n][k] for n, k in of])
        corners = np.array([[a * template.across, b * template.along] for a in (-1, 1) for b in (-1, 1)]) / 2
        spots = centres[:, None] + corners @ np.stack([across(downs), downs], axis=1)
        away = [np.linalg.norm(at[:, None] - ranks[n], axis=-1).min(1) for at, (n, _) in zip(spots, of, strict=True)]
        photo = plane.to_photo(spots.reshape(-1, 2)).reshape(spots.shape)
        outside = np.asarray((photo < 0).any(2) | (photo > np.array(size)).any(2))
        far = np.full(len(of), 3 * template.width)
        return cls(of, centres, spots, np.array(away).reshape(-1, 4) > 1, outside, far, template)

    def cover(self, poses: Sequence[tuple[Array, Array]]) -> None:
        """Hides the corners on which cards in these poses lie."""
        middles, lying = _stack_poses(poses)
        quads = rectangle(middles, lying, self.template.width, self.template.height)
        distance = np.linalg.norm(middles[:, None] - self.centres, axis=-1)  # (m, p)
        covers = inside(quads[:, None], self.spots.reshape(-1, 2), -0.2).reshape(len(poses), *self.missing.shape)
        covers &= self.missing & (distance < 1.6 * self.template.height)[..., None]
        self.under[:] |= covers.any(0)
        self.nearest[:] = np.minimum(self.nearest, np.where(covers.any(2), distance, np.inf).min(0, initial=np.inf))

    def clearest(self, waiting: set[int]) -> int:
        """Which of the poses is hidden best: by the share of its unseen corners, a nearer neighbour a little more."""
        share = (self.under & self.missing).sum(1) / np.maximum(self.missing.sum(1), 1)
        share = share - 0.05 * self.nearest / self.template.width
        return max(waiting, key=lambda p: (share[p], -self.of[p][0], self.of[p][1]))


def _choose_poses(
    groups_: Sequence[Sequence[int]], flat: _IndicesInPlane, template: Template, plane: Plane, size: tuple[int, int]
) -> list[tuple[Array, Array]]:
    """One pose a card: of a four-corner deck's card whose one side is seen, the pose that hides the other side.

    A side is hidden by a card that lies there or by the edge of the photo; cards whose pose is clear come first, so a
    fan is settled from its uncovered end on.
    """
    options = [_poses(group, flat, template) for group in groups_]
    settled = {n: poses[0] for n, poses in enumerate(options) if len(poses) == 1}
    if len(settled) < len(options):
        unsettled = _OpenPoses.find(options, [flat.rank[list(group)] for group in groups_], template, plane, size)
        unsettled.cover(list(settled.values()))
        waiting = set(range(len(unsettled.of)))
        while waiting:
            number, choice = unsettled.of[unsettled.clearest(waiting)]
            settled[number] = options[number][choice]
            waiting -= {p for p in waiting if unsettled.of[p][0] == number}
            unsettled.cover([settled[number]])
    return [settled[n] for n in range(len(options))]


def _find_one_place(cards: Sequence[SeenCard], template: Template) -> list[tuple[int, int]]:
    """Pairs of cards at one place that show corners of their own: a card whose corners were read differently."""
    if len(cards) < 2 or template.pairs < TUNING.least_pairs_to_place:
        return []
    centres, downs = _stack_poses([(card.centre, card.down) for card in cards])
    apart = np.linalg.norm(centres[:, None] - centres, axis=-1)
    near = (apart < TUNING.same_place_lengths) & (np.abs(downs @ downs.T) > TUNING.same_place_cosine)
    found: list[tuple[int, int]] = []
    pairs = zip(*(part.tolist() for part in _pairs(near)), strict=True)
    for i, j in sorted(pairs, key=lambda pair: float(apart[pair])):
        between = np.linalg.norm(cards[i].ranks[:, None] - cards[j].ranks, axis=-1)
        free = not {i, j} & {k for pair in found for k in pair}
        if free and len(cards[i].indices) + len(cards[j].indices) <= template.corners and between.min() > 1:
            found.append((i, j))
    return found


def _joined(groups: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The groups, of which those of each pair are one."""
    second = {j: i for i, j in pairs}
    return [
        [*group, *(row for j, i in second.items() if i == n for row in groups[j])]
        for n, group in enumerate(groups)
        if n not in second
    ]


def _make_card(
    group: Sequence[int],
    pose: tuple[Array, Array],
    quad: Array,
    flat: _IndicesInPlane,
    rows: NDArray[np.intp],
    chance: Array,
) -> SeenCard:
    reads = flat.log_card[list(group)]
    doubted = _allow_doubt(reads, chance[list(group)])
    disputed = disputed_cards([*doubted])
    if disputed:
        log_card = mix_opinions([*doubted])
    else:
        if len(group) > 1:
            reads = TUNING.second_index_weight * max(reads, doubted, key=lambda way: float(np.exp(way.sum(0)).sum()))
        log_card = _combine_reads(reads)
    is_card = 1 - float(np.prod(1 - chance[list(group)]))
    indices, ranks = tuple(int(rows[k]) for k in group), flat.rank[list(group)]
    return SeenCard(log_card, is_card, indices, *pose, quad, ranks=ranks, disputed=disputed)


def _order_cards(
    cards: Sequence[SeenCard], flat: _IndicesInPlane, template: Template, plane: Plane, size: tuple[int, int]
) -> tuple[SeenCard, ...]:
    """Tells which of two overlapping cards lies on top by whose index is seen in the shared part."""
    count = len(cards)
    if count < 2:
        return tuple(cards)
    centres = np.array([card.centre for card in cards])
    downs = np.array([card.down for card in cards])
    quads = rectangle(centres, downs, template.width, template.height)
    overlap = gaps(quads) < -0.05
    signs = [(1, 1), (-1, -1)] + ([(1, -1), (-1, 1)] if template.corners == 4 else [])
    votes = np.zeros((count, count))
    for x, y in signs:  # the middle of the index in this corner of every card
        spot = centres - across(downs) * (x * template.across / 2) - downs * (y * (template.along / 2 - 0.5))
        photo = plane.to_photo(spot)
        shown = ((photo > 0) & (photo < np.array(size))).all(1)
        middles = flat.rank + 0.5 * flat.down
        seen = np.linalg.norm(spot[:, None] - middles[None], axis=-1).min(1) < 0.9
        under = inside(quads[:, None], spot, 0.4) & overlap & shown  # (the card there, the card whose corner it is)
        np.fill_diagonal(under, False)
        votes += np.where(under, np.where(seen, 1.0, -1.0), 0.0).T  # positive: the row lies on the column
    layers = order_layers(votes - votes.T)
    return tuple(replace(card, layer=int(layer)) for card, layer in zip(cards, layers, strict=True))


def order_layers(net: Array) -> NDArray[np.intp]:
    """Painting order (n,) of cards of which the row's lies on the column's where `net` (n, n) is above 0."""
    count = len(net)
    layer = np.zeros(count, np.intp)
    left = set(range(count))
    while left:
        rows = sorted(left)
        covered = (net[np.ix_(rows, rows)] > 0).sum(1)  # how many remaining cards each still lies on
        lowest, place = covered.min(), count - len(left)
        for row, under in zip(rows, covered, strict=True):
            if under == lowest:  # nothing tells which of these lies on which
                layer[row] = place
                left.discard(row)
    return np.asarray(np.unique(layer, return_inverse=True)[1], np.intp)


def _plane_of_backs(backs: Backs) -> Plane:
    """A plane scaled so that the longest back is a usual card's height."""
    longest = float(np.linalg.norm(backs.ends[:, 1] - backs.ends[:, 0], axis=1).max())
    scale = Template().height / max(longest, 1.0)
    return Plane(np.diag([scale, scale, 1.0]))


def _seen_backs(backs: Backs, plane: Plane, template: Template, cards: Sequence[SeenCard] = ()) -> tuple[SeenBack, ...]:
    """Each back once, with its whole outline. Where its two ends make no sense, its box and the cards around decide."""
    seen = []
    ends = plane.from_photo(backs.ends.astype(float))
    centres = np.array([card.centre for card in cards]).reshape(-1, 2)
    axes = _common_axes(cards)
    for row in _distinct_backs(backs, ends / template.height):
        line = ends[row, 1] - ends[row, 0]
        length, start = float(np.linalg.norm(line)), ends[row, 0]
        crooked = axes is not None and float(np.abs(axes @ line).max()) < 0.9 * length
        if length < 0.06 * template.height or crooked:
            start, line = _guess_from_box(backs.boxes[row], plane, template, axes, centres)
            length = float(np.linalg.norm(line))
        down = unit(line)
        centre = start + line / 2 if length > 0.8 * template.height else start + down * template.height / 2
        whole = _find_whole_card(backs.boxes[row], plane, template, axes, line)
        if whole is not None:  # the box says better where a back lies that nothing covers
            centre, length = plane.from_photo(backs.boxes[row].reshape(2, 2).mean(0).astype(float)), template.height
            down = whole if whole @ down >= 0 else -whole
        quad = plane.to_photo(rectangle(centre, down, template.width, template.height))
        seen.append(SeenBack(float(backs.confidence[row]), centre, down, min(length / template.height, 1.0), quad))
    return tuple(seen)


def _find_whole_card(
    box: NDArray[np.float32], plane: Plane, template: Template, axes: Array | None, line: Array
) -> Array | None:
    """The direction in which a whole card of a back's size lies in its box, None where none does.

    Among cards that lie along common `axes` it is one of those; else the one nearest to the back's own `line`.
    """
    x1, y1, x2, y2 = (float(v) for v in box)
    middle = plane.from_photo(np.array([(x1 + x2) / 2, (y1 + y2) / 2]))
    if axes is None:
        angle = np.arctan2(line[1], line[0]) + np.linspace(-np.pi / 2, np.pi / 2, TUNING.back_tilts, endpoint=False)
        downs = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    else:
        downs = axes[:2]
    quads = plane.to_photo(
        rectangle(np.repeat(middle[None], len(downs), 0), downs, template.width, template.height).reshape(-1, 2)
    ).reshape(-1, 4, 2)
    off = np.abs(np.log(np.maximum(np.ptp(quads, axis=1), 1.0) / (max(x2 - x1, 1.0), max(y2 - y1, 1.0)))).max(1)
    fits = np.flatnonzero(off < TUNING.whole_back_log_ratio)
    if not len(fits):
        return None
    if axes is None:  # a tilt to either side fills the box alike
        close = fits[off[fits] < off[fits].min() + 0.05]
        return np.asarray(downs[close[np.abs(downs[close] @ line).argmax()]])
    return np.asarray(downs[off.argmin()])


def _distinct_backs(backs: Backs, ends: Array) -> list[int]:
    """Rows of backs that are not found twice: the surer of two whose boxes mostly cover each other.

    Strips of a slanting column cover each other too, but begin at different places (`ends`, in card heights).
    """
    sane = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 0.05
    apart = np.linalg.norm(ends[:, None, 0] - ends[None, :, 0], axis=-1) > 0.045
    order = np.argsort(-backs.confidence, kind="stable")
    overlap = iou_matrix(backs.boxes, backs.boxes)
    kept: list[int] = []
    for row in order:
        same = (overlap[row] > TUNING.same_back_iou) & ~(sane[row] & sane & apart[row])
        if not same[kept].any():
            kept.append(int(row))
    return kept


def _common_axes(cards: Sequence[SeenCard]) -> Array | None:
    """The four directions along which most cards lie, None where they lie anyhow."""
    if len(cards) < 3:
        return None
    downs = np.array([card.down for card in cards])
    fourfold = np.exp(4j * np.arctan2(downs[:, 1], downs[:, 0])).mean()
    if abs(fourfold) < 0.5:
        return None
    angles = float(np.angle(fourfold)) / 4 + np.arange(4) * np.pi / 2
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _guess_from_box(
    box: NDArray[np.float32], plane: Plane, template: Template, axes: Array | None, centres: Array
) -> tuple[Array, Array]:
    """The free end of a back and the line to where its visible part ends, from its box alone.

    The side of about a card's width lies across; a covered back's free end is the one away from the nearest card.
    """
    x1, y1, x2, y2 = (float(v) for v in box)
    corners = plane.from_photo(np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]]))
    middle = corners.mean(0)
    sides = np.array(
        [corners[1] - corners[0] + corners[2] - corners[3], corners[3] - corners[0] + corners[2] - corners[1]]
    )
    across_side, along_side = sides / 2
    if np.linalg.norm(across_side) > np.linalg.norm(along_side) > 0.85 * template.width:
        across_side, along_side = along_side, across_side  # a whole card on its side
    elif abs(np.linalg.norm(along_side) - template.width) < abs(np.linalg.norm(across_side) - template.width):
        across_side, along_side = along_side, across_side
    length = min(float(np.linalg.norm(along_side)), template.height)
    down = unit(along_side)
    if axes is not None:
        down = axes[int((axes @ down).argmax())]
    if len(centres) and length < 0.8 * template.height:
        nearest = centres[int(np.linalg.norm(centres - middle, axis=1).argmin())] - middle
        down = down if float(nearest @ down) > 0 else -down
    return middle - down * length / 2, down * length
