"""Tables to train the layout network on: laid by `datasets.layouts`, seen as the networks before it see a table.

No picture is rendered. What the detector, the reader and `cards.assembly` make of a table is simulated with their
kinds of error: indices that are covered, missed or misread, cards found twice or where none are, print on backs taken
for cards, places off by what the fitted plane leaves open, backs mostly missed where they show only a strip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from datasets.layouts import Laid, Part, Shape, sample
from datasets.layouts.mirrored import mirrored
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard
from vision.cards.geometry import Array, gaps, rectangle
from vision.layout.game_layout import layout_of
from vision.layout.tokens import FAR, MOST_TOKENS, WIDTH, Tokens
from vision.layout.vocabulary import CARDS, CLASSES, GAMES, NONE, ZONES, zone_number
from vision.networks.back_counter import ABOVE, MOST

Ints = NDArray[np.int64]

BATCH: Final = 32
SHARES: Final = {"klondike": 0.28, "makiaveli": 0.21, "tomb_single": 0.08, "tomb_double": 0.13, None: 0.3}
"""How often each game is drawn."""
MIRRORED: Final = {
    "klondike": (0.08, 0.0),
    "makiaveli": (0.15, 0.0),
    "tomb_single": (0.35, 0.35),
    "tomb_double": (0.35, 0.35),
    None: (0.3, 0.3),
}
"""How often tables are laid with left and right exchanged, and with far and near; a game that is not here never is."""
ASIDE: Final = -1
"""A label that is not learned."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the counter is simulated, and how batches are made.

    Attributes:
        beside_widths: A card farther aside than this, in card widths, is not in a column's strip.
        thin_widths: Steps of so many card widths between face-down cards blur the counter's view by one card.
        lost_share: Share of strips that the counter takes for something else.
        size_step: A batch holds tables of about one size: those whose cards and backs, divided by this, are as many.
    """

    beside_widths: float = 0.6
    thin_widths: float = 0.018
    lost_share: float = 0.04
    size_step: int = 12


TUNING: Final = Tuning()


@dataclass(frozen=True, eq=False, slots=True)
class Example:
    """What is seen of a table, and the truth.

    Attributes:
        tokens: What is seen.
        game: Its number in `CLASSES`.
        toward: Quarter turns from the frame's down to the direction towards the player, clockwise as seen.
        zone: (n,) each token's zone in its game; `ASIDE` for no game.
        count: (n,) cards face down in the column whose first face-up card this is; `ASIDE` for all others.
        after: (n,) the token that lies next to this one in its meld or on it in its column; `ASIDE` for none.
        family: The family's name.
    """

    tokens: Tokens
    game: int
    toward: int
    zone: Ints
    count: Ints
    after: Ints
    family: str


@dataclass(frozen=True, slots=True)
class Noise:
    """How badly a photo is seen; drawn once for each table."""

    place: float
    missed: float
    misread: float
    plane: float
    scale: float
    strips_found: float

    @classmethod
    def draw(cls, rng: Rng) -> Noise:
        """Draws noise: mostly that of good photos, sometimes of bad ones."""
        return cls(
            place=float(rng.choice([0.01, 0.02, 0.04, 0.08], p=[0.3, 0.4, 0.2, 0.1])),
            missed=float(rng.choice([0.0, 0.01, 0.04, 0.15], p=[0.4, 0.35, 0.15, 0.1])),
            misread=float(rng.choice([8.0, 6.0, 4.5, 3.0], p=[0.4, 0.35, 0.15, 0.1])),
            plane=float(rng.choice([0.003, 0.01, 0.02])),
            scale=float(rng.choice([0.01, 0.03, 0.08])),
            strips_found=float(rng.choice([0.0, 0.1, 0.4, 0.7, 0.95], p=[0.2, 0.3, 0.2, 0.15, 0.15])),
        )


def examples(rng: Rng, part: Part) -> Iterator[Example]:
    """Endless tables of random games."""
    games, shares = list(SHARES), list(SHARES.values())
    while True:
        yield draw_example(rng, games[int(rng.choice(len(games), p=shares))], part)


def draw_example(rng: Rng, game: str | None, part: Part = "train", shape: Shape | None = None) -> Example:
    """One table of a game, laid and seen; a `game` of None is none of ours."""
    shape = shape or random_shape(rng)
    while True:
        laid = sample(rng, game, shape, part=part)
        if part == "train":
            laid = replace(laid, cards=tuple(_mirror(rng, laid.cards, MIRRORED.get(game, (0.0, 0.0)))))
        example = see_laid(rng, laid, shape)
        if len(example.tokens.xy):
            return example


def _mirror(rng: Rng, cards: Sequence[LaidCard], chances: tuple[float, float]) -> Sequence[LaidCard]:
    """The cards as they were laid, or mirrored sideways or lengthways, with these chances."""
    sideways, lengthways = chances
    if rng.random() < sideways:
        cards = mirrored(cards, "sideways")
    return mirrored(cards, "lengthways") if rng.random() < lengthways else cards


def random_shape(rng: Rng) -> Shape:
    """Random measures of a deck, like those of rendered decks."""
    index = float(rng.uniform(0.13, 0.3))
    shape = Shape(float(np.clip(rng.normal(1.42, 0.05), 1.28, 1.6)), index + 0.05, index * rng.uniform(1.6, 2.3) + 0.06)
    if rng.random() < 0.12:
        return Shape(shape.aspect, shape.right, shape.below, float(rng.uniform(0.6, 0.95)))
    return shape


def see_laid(rng: Rng, laid: Laid, shape: Shape) -> Example:
    """Simulates what detector, reader and assembly make of a table."""
    noise = Noise.draw(rng)
    cards = laid.cards
    places = np.array([[c.x, c.y, c.angle] for c in cards], float).reshape(-1, 3)
    faces = np.array([c.card is not None for c in cards], bool)
    spots = _index_spots(rng, shape)
    shown = _shown(places, spots, shape.aspect)  # (n, corners) share of each index that nothing covers
    found = (shown > rng.uniform(0.35, 0.75, shown.shape)) & (rng.random(shown.shape) >= noise.missed) & faces[:, None]
    inside, border = _framed(rng, places, shape.aspect)
    seen = np.flatnonzero(found.any(1) & inside)
    # A card looks the same from its other end: which end is taken for its top is told by the index that is seen.
    turns = np.where(found[:, 0::2].any(1), np.where(found[:, 1::2].any(1), rng.random(len(cards)) < 0.5, False), True)
    places = places + np.stack([np.zeros(len(cards)), np.zeros(len(cards)), np.pi * turns], axis=1)
    rows = [_face(rng, cards[i], places[i], i, int(found[i].sum()), len(spots), noise) for i in seen.tolist()]
    for i in seen[
        (rng.random(len(seen)) < 0.012) & (found[seen].sum(1) > 1)
    ].tolist():  # its two indices taken for two cards
        twin = _face(rng, cards[i], places[i] + [*rng.normal(0, 0.12, 2), np.pi], i, 1, len(spots), noise)
        rows.append(twin)
    rows += _false_faces(rng, places, faces)
    rows += _backs(rng, cards, places, faces, inside, shape.aspect, noise)
    return _example(rng, laid, rows, border, shape, noise)


@dataclass(frozen=True, slots=True)
class _Row:
    """One thing seen; `card` is its number on the table, -1 for what is not there."""

    card: int
    x: float
    y: float
    angle: float
    is_face: bool
    visible: float
    sure: float
    indices: int
    rank: Array
    suit: Array


def _index_spots(rng: Rng, shape: Shape) -> Array:
    """Points (corners, points, 2) spread over each index, in card widths from the card's middle."""
    right, below = shape.right - 0.02, shape.below - 0.03
    x, y = np.meshgrid(np.linspace(0.05, right, 3) - 0.5, np.linspace(0.08, below, 4) - shape.aspect / 2)
    first = np.stack([x.ravel(), y.ravel()], axis=1)
    spots = [first, -first]  # upright ones and those on their head in turn
    if rng.random() < 0.25:
        spots += [first * (-1, 1), first * (1, -1)]
    return np.array(spots)


def _shown(places: Array, spots: Array, aspect: float) -> Array:
    """Visible share (n, corners) of each index."""
    n, corners, points = len(places), len(spots), spots.shape[1]
    if not n:
        return np.zeros((0, corners))
    at = _to_table(places, spots.reshape(-1, 2))  # (n, corners * points, 2)
    hidden = _covered(at, places, aspect)
    return np.asarray(1 - hidden.reshape(n, corners, points).mean(-1))


def _to_table(places: Array, local: Array) -> Array:
    """Where the points (k, 2) of a card lie on the table, for each card: (n, k, 2)."""
    cos, sin = np.cos(places[:, 2])[:, None], np.sin(places[:, 2])[:, None]
    x = cos * local[:, 0] - sin * local[:, 1] + places[:, :1]
    y = sin * local[:, 0] + cos * local[:, 1] + places[:, 1:2]
    return np.stack([x, y], axis=-1)


def _covered(at: Array, places: Array, aspect: float) -> NDArray[np.bool_]:
    """Mask (n, k) of the points of each card that lie under a later card."""
    n = len(places)
    hidden = np.zeros(at.shape[:2], bool)
    apart = np.linalg.norm(places[:, None, :2] - places[None, :, :2], axis=-1)
    under, over = np.nonzero((apart < np.hypot(1, aspect)) & (np.arange(n)[:, None] < np.arange(n)))
    if not len(under):
        return hidden
    line = at[under] - places[over][:, None, :2]
    cos, sin = np.cos(places[over, 2])[:, None], np.sin(places[over, 2])[:, None]
    x, y = cos * line[..., 0] + sin * line[..., 1], -sin * line[..., 0] + cos * line[..., 1]
    np.logical_or.at(hidden, under, (np.abs(x) < 0.5) & (np.abs(y) < aspect / 2))
    return hidden


def _framed(rng: Rng, places: Array, aspect: float) -> tuple[NDArray[np.bool_], Array]:
    """Which cards the photo shows, and how far from its edge each lies, card widths."""
    low, high = places[:, :2].min(0, initial=0.0) - aspect / 2, places[:, :2].max(0, initial=0.0) + aspect / 2
    room = np.abs(rng.normal(0, 1.0, 4)) + 0.02
    if rng.random() < 0.12:  # a part of the table is cut off
        room[rng.integers(4)] = -rng.uniform(0, 0.3) * (high - low).max()
    edges = np.stack(
        [places[:, 0] - low[0] + room[0], high[0] - places[:, 0] + room[1],
         places[:, 1] - low[1] + room[2], high[1] - places[:, 1] + room[3]], axis=1
    )  # fmt: skip
    border = edges.min(1, initial=FAR)
    return border > 0.25, np.maximum(border, 0.0)


def _noisy_probabilities(rng: Rng, truth: int, count: int, strength: float) -> Array:
    """Probabilities of classes, seen through Gaussian noise, and so calibrated."""
    evidence = rng.normal(0, 1, count)
    evidence[truth] += strength
    log = strength * evidence
    chance = np.exp(log - log.max())
    return np.asarray(chance / chance.sum())


def _face(rng: Rng, placed: LaidCard, place: Array, number: int, indices: int, corners: int, noise: Noise) -> _Row:
    assert placed.card is not None
    rough = noise.place * (1 if indices > 1 else 2)
    x, y = place[:2] + rng.normal(0, rough, 2)
    angle = place[2] + rng.normal(0, rough)
    if corners == 4 and indices < 3 and rng.random() < 0.05:  # taken for the other side's
        x, y = x + np.cos(angle) * 0.8, y + np.sin(angle) * 0.8
    strength = noise.misread * (1.2 if indices > 1 else 1.0)
    rank = _noisy_probabilities(rng, placed.card.rank - 1, 13, strength)
    suit = _noisy_probabilities(rng, placed.card.suit, 4, 0.9 * strength)
    sure = 1 - 10 ** -rng.uniform(1, 4) if rng.random() < 0.95 else rng.uniform(0.5, 1)
    return _Row(number, float(x), float(y), float(angle), True, 1.0, float(sure), indices, rank, suit)


def _false_faces(rng: Rng, places: Array, faces: NDArray[np.bool_]) -> list[_Row]:
    """Cards where none are: anywhere on the table, or print on the backs."""
    rows = []
    low, high = places[:, :2].min(0, initial=0.0), places[:, :2].max(0, initial=0.0)
    at = [rng.uniform(low - 1, high + 1) for _ in range(rng.poisson(0.25))]
    if rng.random() < 0.04:
        at += [place[:2] + rng.normal(0, 0.3, 2) for place in places[~faces] if rng.random() < 0.5]
    for x, y in at:
        strength = float(rng.choice([1.0, 3.0, 6.0]))
        rank, suit = (
            _noisy_probabilities(rng, int(rng.integers(13)), 13, strength),
            _noisy_probabilities(rng, int(rng.integers(4)), 4, strength),
        )
        angle = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.05)
        rows.append(_Row(-1, x, y, float(angle), True, 1.0, float(rng.uniform(0.4, 1)), 1, rank, suit))
    return rows


def _backs(
    rng: Rng,
    cards: tuple[LaidCard, ...],
    places: Array,
    faces: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    aspect: float,
    noise: Noise,
) -> list[_Row]:
    """Backs as the detector finds them: whole ones nearly always, strips often not."""
    numbers = rng.permutation(np.flatnonzero(~faces & inside))
    rows: list[_Row] = []
    merged, told = rng.random() < 0.4, set[str]()
    hidden = _hidden_along(places, aspect) if len(numbers) else np.zeros((0, 0), np.bool_)
    for i in numbers:
        shows = _Strip.of(~hidden[i])
        if shows is None or rng.random() >= _chance_of_strip(shows.visible, noise):
            continue
        visible = shows.visible
        if merged and cards[i].zone.startswith("column") and rng.random() < 0.7:
            if cards[i].zone in told:  # a column's backs, printed alike, are taken for one card
                continue
            told.add(cards[i].zone)
            visible = float(rng.choice([1.0, 1.0, rng.uniform(0.3, 1.0)]))
        flip = shows.from_bottom or (visible == 1.0 and rng.random() < 0.5)
        rows += [_back(rng, int(i), places[i], visible, flip, noise) for _ in range(1 + (rng.random() < 0.04))]
    return rows + _false_backs(rng, places)


_NO_RANK, _NO_SUIT = np.zeros(13), np.zeros(4)
_SPOTS: Final = 25
"""So many points of a back's middle axis tell how far it is covered."""


def _hidden_along(places: Array, aspect: float) -> NDArray[np.bool_]:
    """Mask (n, _SPOTS) of the points of each card's middle axis, from its top down, that a later card covers."""
    steps = np.linspace(-0.48, 0.48, _SPOTS) * aspect
    return _covered(_to_table(places, np.stack([np.zeros(_SPOTS), steps], axis=1)), places, aspect)


@dataclass(frozen=True, slots=True)
class _Strip:
    """The visible part of a back: its share of the height, and whether only the lower end is free."""

    visible: float
    from_bottom: bool

    @classmethod
    def of(cls, free: NDArray[np.bool_]) -> _Strip | None:
        """The strip whose points of the middle axis are `free`; None if no point is."""
        if not free.any():
            return None
        if free.all():
            return cls(1.0, False)
        if free[0]:
            return cls(int(np.argmin(free)) / _SPOTS, False)
        if free[-1]:
            return cls(int(np.argmin(free[::-1])) / _SPOTS, True)
        return cls(float(free.mean()), False)


def _chance_of_strip(visible: float, noise: Noise) -> float:
    """Probability that a back is found: narrow strips rarely, whole backs nearly always."""
    found = noise.strips_found
    return 0.55 + 0.44 * found if visible > 0.9 else found * (0.5 + 0.5 * min(1.0, visible / 0.15))


def _back(rng: Rng, number: int, place: Array, visible: float, flip: bool, noise: Noise) -> _Row:
    x, y = place[:2] + rng.normal(0, 1.5 * noise.place + 0.01, 2)
    angle = place[2] + rng.normal(0, 0.03) + np.pi * flip
    sure = rng.uniform(0.3, 1) if visible < 0.9 else rng.uniform(0.6, 1)
    seen = float(np.clip(visible * np.exp(rng.normal(0, 0.1)), 0.03, 1.0))
    return _Row(number, float(x), float(y), float(angle), False, seen, float(sure), 0, _NO_RANK, _NO_SUIT)


def _false_backs(rng: Rng, places: Array) -> list[_Row]:
    """Random backs that are not there."""
    low, high = places[:, :2].min(0, initial=0.0), places[:, :2].max(0, initial=0.0)
    rows = []
    for _ in range(rng.poisson(0.12)):
        x, y = rng.uniform(low - 1.5, high + 1.5)
        visible = float(rng.choice([1.0, 0.3]))
        angle, sure = rng.normal(0, 0.1), float(rng.uniform(0.25, 0.8))
        rows.append(_Row(-1, x, y, angle, False, visible, sure, 0, _NO_RANK, _NO_SUIT))
    return rows


def _example(rng: Rng, laid: Laid, rows: list[_Row], border: Array, shape: Shape, noise: Noise) -> Example:
    rows = sorted(rows, key=lambda row: not row.is_face)[:MOST_TOKENS]
    xy = np.array([(row.x, row.y) for row in rows]).reshape(-1, 2)
    is_face = np.array([row.is_face for row in rows], bool)
    number = np.array([row.card for row in rows], int)
    zone, count, after = _labels(laid, rows, number)
    hides = _strips(rng, laid, number, count, is_face)
    # The frame: square to the cards, seen from one of four sides; what the fitted plane leaves open bends it.
    quarter = int(rng.choice(4, p=[0.79, 0.07, 0.07, 0.07]))
    turn = quarter * np.pi / 2 + rng.normal(0, 0.02)
    if laid.game is None and rng.random() < 0.5:
        turn += rng.uniform(-np.pi / 4, np.pi / 4)
    xy = _bend(rng, xy, noise)
    cos, sin = np.cos(turn), np.sin(turn)
    angle = np.array([row.angle for row in rows]) + turn
    layer = _layers(rng, rows, shape.aspect)
    tokens = Tokens(
        xy @ np.array([[cos, sin], [-sin, cos]]),
        np.stack([-np.sin(angle), np.cos(angle)], axis=1),
        is_face.astype(float),
        np.array([row.visible for row in rows]),
        np.array([row.sure for row in rows]),
        np.array([float(row.indices) for row in rows]),
        layer,
        np.append(border, FAR)[number],
        np.array([row.rank for row in rows]).reshape(-1, 13),
        np.array([row.suit for row in rows]).reshape(-1, 4),
        float(shape.aspect * np.exp(rng.normal(0, 0.02))),
        hides,
    )
    game = CLASSES.index(laid.game or CARDS)
    return Example(tokens, game, quarter, zone, count, after, laid.family)


def _layers(rng: Rng, rows: list[_Row], aspect: float) -> Array:
    """(n,) layers as `assembly` tells them: a card lies one above the highest that it lies on; backs are -1.

    Cards that lie on nothing are all of layer 0: in what order they were laid, nobody can see.
    """
    faces = [k for k, row in enumerate(rows) if row.is_face]
    layer = np.full(len(rows), -1.0)
    if not faces:
        return layer
    angle = np.array([rows[k].angle for k in faces])
    middle = np.array([(rows[k].x, rows[k].y) for k in faces])
    quads = rectangle(middle, np.stack([-np.sin(angle), np.cos(angle)], axis=1), 1.0, aspect)
    meet = gaps(quads) < -0.05
    own = np.zeros(len(faces))
    order = sorted(range(len(faces)), key=lambda k: rows[faces[k]].card)
    for place, k in enumerate(order):
        below = [j for j in order[:place] if meet[k, j]]
        own[k] = 1 + own[below].max() if below and rng.random() < 0.95 else 0.0
    layer[faces] = own
    return layer


def _bend(rng: Rng, xy: Array, noise: Noise) -> Array:
    """The places, sheared, stretched and in a little perspective, as an inexact plane shows them."""
    if not len(xy):
        return xy
    middle = np.asarray(xy.mean(0))
    x, y = (xy - middle).T
    depth = np.clip(1 + rng.normal(0, noise.plane) * x + rng.normal(0, noise.plane) * y, 0.5, 2)
    shear = rng.normal(0, 1.5 * noise.plane + 0.005, 2)
    grow = np.exp(rng.normal(0, noise.scale)) * np.exp(rng.normal(0, 0.015, 2))
    bent = np.stack([(x + shear[0] * y) * grow[0], (y + shear[1] * x) * grow[1]], axis=1)
    return np.asarray(bent / depth[:, None])


def _labels(laid: Laid, rows: list[_Row], number: Ints) -> tuple[Ints, Ints, Ints]:
    """Labels of each thing seen: its zone, how many cards it hides, and the card that follows it."""
    zone, count, after = (np.full(len(rows), ASIDE, np.int64) for _ in range(3))
    if laid.game is None:
        return zone, count, after
    zone[:] = [zone_number(laid.game, laid.cards[i].zone if i >= 0 else NONE) for i in number]
    first_row: dict[int, int] = {}
    for row, i in enumerate(number.tolist()):
        if i >= 0 and first_row.setdefault(i, row) != row and laid.cards[i].card is not None:
            zone[row] = zone[first_row[i]] = ASIDE  # found twice: which is the card and which is none, nobody can tell
    for cards in _rows_of_cards(laid):
        _label_row(laid, cards, first_row, count, after)
    return zone, count, after


def _label_row(laid: Laid, cards: list[int], first_row: dict[int, int], count: Ints, after: Ints) -> None:
    """Writes who follows whom in one meld or column into `after`, and what a column hides into `count`."""
    faces = [i for i in cards if laid.cards[i].card is not None]
    for a, b in pairwise(first_row[i] for i in faces if i in first_row):
        after[a] = b
    hiding = laid.game is not None and layout_of(laid.game).columns is not None
    if hiding and faces and faces[0] in first_row:
        count[first_row[faces[0]]] = min(len(cards) - len(faces), MOST)  # a squared pile may hide more than were dealt


def _rows_of_cards(laid: Laid) -> list[list[int]]:
    """Numbers of the cards of each meld and column, in the order in which they were laid."""
    found: dict[str, list[int]] = {}
    for i, placed in enumerate(laid.cards):
        if placed.zone.startswith(("floor/", "column/")):
            found.setdefault(placed.zone, []).append(i)
    return list(found.values())


def _strips(rng: Rng, laid: Laid, number: Ints, count: Ints, is_face: NDArray[np.bool_]) -> Array:
    """What the counter says of the strips above columns' first face-up cards; nothing where it was not asked."""
    hides = np.zeros((len(number), MOST + 1))
    hiding = laid.game is not None and layout_of(laid.game).columns is not None
    if rng.random() < (0.25 if hiding else 0.5):
        return hides
    blur = float(rng.choice([0.1, 0.25, 0.4, 0.8], p=[0.35, 0.3, 0.2, 0.15]))
    if not hiding:  # other tables are looked at too: nothing lies under their cards, though it may seem so
        faces = np.flatnonzero(is_face)
        for row in rng.permutation(faces)[: int(rng.integers(1, 9))]:
            hides[row] = _noisy_count(rng, int(rng.integers(0, 4)) if rng.random() < 0.15 else 0, blur)
        return hides
    turn = -np.pi / 2 if _columns_run_to_right(laid) else 0.0
    for row in np.flatnonzero(count >= 0):
        inside = _backs_in_strip(laid, laid.cards[int(number[row])], turn)
        steps = np.abs(np.diff([*inside, 0.0]))
        own = np.hypot(blur, TUNING.thin_widths / max(float(steps.min(initial=1.0)), 1e-3)) * (
            2 if steps.max(initial=0.0) > 1 else 1
        )
        hides[row] = _noisy_count(rng, min(len(inside), MOST), float(own))
    return hides


def _columns_run_to_right(laid: Laid) -> bool:
    """Whether most columns are laid as rows: their strips are then cut out to the left of their first cards."""
    reach = np.zeros(2)
    for cards in _rows_of_cards(laid):
        first, last = laid.cards[cards[0]], laid.cards[cards[-1]]
        reach += abs(last.x - first.x), abs(last.y - first.y)
    return bool(reach[0] > reach[1])


def _backs_in_strip(laid: Laid, card: LaidCard, turn: float) -> list[float]:
    """Distances from a column's first face-up card to those of its backs that the card's strip shows.

    A strip goes up from its card as that card lies, or a turn from there, radians clockwise; what lies beside it is not
    in it.
    """
    cos, sin = np.cos(card.angle + turn), np.sin(card.angle + turn)
    backs = [(b.x - card.x, b.y - card.y) for b in laid.cards if b.card is None and b.zone == card.zone]
    return [
        cos * y - sin * x
        for x, y in backs
        if abs(cos * x + sin * y) < TUNING.beside_widths and sin * x - cos * y < ABOVE
    ]


def _noisy_count(rng: Rng, count: int, blur: float) -> Array:
    """Probabilities that the counter gives for a strip: calibrated, and mostly off by one where they are wrong.

    Args:
        rng: Random generator.
        count: How many cards lie there.
        blur: Standard deviation of what the counter sees, in cards.
    """
    lost = rng.random() < TUNING.lost_share  # something else was counted
    seen = rng.uniform(-0.5, MOST + 0.5) if lost else count + rng.normal(0, blur)
    log = -0.5 * ((seen - np.arange(MOST + 1)) / blur) ** 2
    chance = np.exp(log - log.max())
    return np.asarray((1 - TUNING.lost_share) * chance / chance.sum() + TUNING.lost_share / (MOST + 1))


def collate(tables: Sequence[Example]) -> dict[str, Any]:
    """Tables side by side as arrays, the smaller ones filled up; `mask` (b, n) is 1 where a token is."""
    b, n = len(tables), max(len(t.tokens.xy) for t in tables)
    rows, mask = np.zeros((b, n, WIDTH), np.float32), np.zeros((b, n), np.float32)
    zone, count, after = (np.full((b, n), ASIDE, np.int64) for _ in range(3))
    for k, table in enumerate(tables):
        m = len(table.tokens.xy)
        rows[k, :m], mask[k, :m] = table.tokens.rows(), 1
        zone[k, :m], count[k, :m], after[k, :m] = table.zone, table.count, table.after
    game, toward = np.array([t.game for t in tables]), np.array([t.toward for t in tables])
    return {"rows": rows, "mask": mask, "zone": zone, "count": count, "after": after, "game": game, "toward": toward}


def batches(batch: int, seed: int) -> Any:
    """Endless batches of `batch` tables, others in each worker process."""
    from models.train.loop import Batches

    return Batches(partial(_stream, batch), seed)


def _stream(batch: int, rng: Rng) -> Iterator[dict[str, Any]]:
    import torch

    alike: dict[int, list[Example]] = defaultdict(list)
    for table in examples(rng, "train"):
        waiting = alike[len(table.tokens.xy) // TUNING.size_step]
        waiting.append(table)
        if len(waiting) == batch:
            yield {name: torch.from_numpy(part) for name, part in collate(waiting).items()}
            waiting.clear()


def measure(model: Any, part: Part, count: int, seed: int = 1) -> dict[str, float]:
    """Shares of tables of which game, zones, side and counts are told right, by game and by family."""
    import torch

    model.eval()
    right: dict[str, list[float]] = defaultdict(list)
    source = examples(np.random.default_rng(seed), part)
    for _ in range(count):
        table = next(source)
        arrays = collate([table])
        with torch.no_grad():
            game, toward, zone, counts, _ = model(*(torch.from_numpy(arrays[name]) for name in ("rows", "mask")))
        told = int(game[0].argmax()) == table.game
        names = [CLASSES[table.game], table.family]
        for name in names:
            right[f"{name}: game"].append(told)
        if CLASSES[table.game] == CARDS:
            continue
        first = sum(len(ZONES[name]) for name in GAMES[: table.game])
        guess = zone[0, :, first : first + len(ZONES[GAMES[table.game]])].argmax(-1).numpy()
        counted = table.count >= 0
        fits = bool((counts[0].argmax(-1).numpy()[counted] == table.count[counted]).all())
        hit = (guess == table.zone)[(table.zone >= 0) & (table.tokens.is_face > 0.5)]
        for name in names:
            right[f"{name}: zone"].append(float(hit.mean()) if len(hit) else 1.0)
            right[f"{name}: all zones"].append(bool(hit.all()))
            right[f"{name}: toward"].append(int(toward[0].argmax()) == table.toward)
            if counted.any():
                right[f"{name}: counts"].append(fits)
    return {name: float(np.mean(values)) for name, values in sorted(right.items())}
