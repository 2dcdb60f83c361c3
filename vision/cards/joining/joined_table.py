"""The joined cards and backs laid on one map, as if a single photo from straight above showed them all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.assembly.layers import order_layers
from vision.cards.geometry import Array, Plane, gaps, project, rectangle, unit
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.complex_points import as_xy, invert
from vision.cards.joining.joined import Joined, View, count_rows
from vision.cards.joining.joined_backs import CounterOfPhotos, join_backs
from vision.cards.joining.presence import card_chances
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.seen_table import SeenCard, SeenTable
from vision.cards.template import Template
from vision.question import Question


def lay_on_map(
    tables: Sequence[SeenTable],
    clouds: Sequence[Cloud],
    union: UnitedCards,
    warps: Mapping[int, Array],
    template: Template,
    apart: Mapping[int, Question],
) -> Joined:
    """The joined cards and backs as one table, seen from above."""
    grow = np.diag([template.width, template.width, 1.0])
    to_plane = {photo: grow @ warp @ clouds[photo].plane for photo, warp in warps.items()}
    clear = [_clarity(table) for table in tables]
    sights = tuple(tuple(sorted(members, key=lambda sight: -clear[sight[0]][sight[1]])) for members in union.members)
    lying = union.cards()
    centres, downs = as_xy(lying.at) * template.width, as_xy(lying.down)
    turn = _up_direction(tables, to_plane)
    size, plane = _fit_map(tables, to_plane, centres, turn, template)
    quads = plane.to_photo(rectangle(centres, downs, template.width, template.height))
    layers = _order_layers(tables, union, centres, downs, template)
    offsets = np.cumsum([0, *(count_rows(table) for table in tables)])
    cards = []
    chances, log_card = card_chances(tables, clouds, union, warps), union.log_card()
    for k, disputed in enumerate(union.disputed()):
        photo, best = sights[k][0]
        rows = tuple(int(offsets[photo]) + row for row in tables[photo].cards[best].indices)
        own = [tables[number].cards[row].disputed for number, row in sights[k]]
        disputed = disputed or (own[0] if all(own) else ())  # a photo that is in no doubt settles another's
        pose = centres[k], downs[k], quads[k]
        cards.append(SeenCard(log_card[k], chances[k], rows, *pose, int(layers[k]), disputed=disputed))
    backs, back_sights = join_backs(tables, to_plane, plane, template)
    table = SeenTable(size, plane, template, tuple(cards), backs, best_margins=_best_margins(tables, sights))
    counter = CounterOfPhotos(tables, to_plane, plane)
    if counter.counters:
        table = replace(table, count_backs=counter, is_seen_twice=counter.is_seen_twice)
    inverse = invert(plane.matrix)
    to_map = tuple(inverse @ to_plane[n] if n in to_plane else None for n in range(len(tables)))
    return Joined(table, sights, back_sights, to_map, apart)


def order_nearest_first(tables: Sequence[SeenTable], photos: Collection[int]) -> list[int]:
    """Frames of a film in the order in which their cards are put together.

    From afar the indices of two cards may be taken for those of one. Where nearer frames came before, such a card is
    a sight of one of the two; the first of all, it would be taken for both.
    """
    size = {photo: float(np.median(_clarity(tables[photo]))) if tables[photo].cards else 0.0 for photo in photos}
    return sorted(photos, key=lambda photo: -size[photo])


def _quads(table: SeenTable) -> Array:
    """(n, 4, 2) outlines of a photo's cards, px."""
    return np.array([card.quad for card in table.cards]).reshape(-1, 4, 2)


def _clarity(table: SeenTable) -> Array:
    """(n,) how well a photo shows its cards: their size in it, px, and more where both indices of one are seen."""
    quads = _quads(table)
    whole = np.array([1.2 if len(card.indices) > 1 else 1.0 for card in table.cards])
    return np.asarray(np.linalg.norm(quads[:, 0] - quads[:, 2], axis=-1) * whole)


def _best_margins(tables: Sequence[SeenTable], sights: Sequence[Sequence[View]]) -> Array:
    """(n,) how far each card lies from the edges of the photo that shows it farthest from them, card widths."""
    own = [table.margins for table in tables]
    return np.array([max(own[photo][row] for photo, row in members) for members in sights])


def _up_direction(tables: Sequence[SeenTable], to_plane: Mapping[int, Array]) -> float:
    """The direction in the plane, as an angle, that is up in most photos; in the first one where they disagree."""
    ups = []
    for photo in sorted(to_plane):
        middle = np.array(tables[photo].size, float) / 2
        if len(tables[photo].cards):
            middle = _quads(tables[photo]).mean((0, 1))
        step = project(to_plane[photo], np.stack([middle, middle - [0, 0.02 * tables[photo].size[1]]]))
        ups.append(complex(*unit(step[1] - step[0])))
    agree = [sum((up * other.conjugate()).real > np.cos(np.pi / 4) for other in ups) for up in ups]
    return float(np.angle(ups[agree.index(max(agree))]))


def _fit_map(
    tables: Sequence[SeenTable], to_plane: Mapping[int, Array], centres: Array, up: float, template: Template
) -> tuple[tuple[int, int], Plane]:
    """Size of the map, px, and the plane that belongs to it: as large as the photos show their cards, upright."""
    quads = np.concatenate([_quads(tables[photo]) for photo in to_plane])
    lengths = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=-1) / template.height
    scale = float(np.median(lengths)) if len(lengths) else 20.0
    cos, sin = np.cos(-np.pi / 2 - up), np.sin(-np.pi / 2 - up)
    turn = np.array([[cos, -sin], [sin, cos]]) * scale
    points = centres if len(centres) else np.zeros((1, 2))
    spread = points @ turn.T
    margin = template.height * scale
    low, high = spread.min(0) - margin, spread.max(0) + margin
    forward = np.eye(3)
    forward[:2, :2], forward[:2, 2] = turn, -low
    size = (int(np.ceil(high[0] - low[0])), int(np.ceil(high[1] - low[1])))
    return size, Plane(invert(forward))


def _order_layers(
    tables: Sequence[SeenTable], union: UnitedCards, centres: Array, downs: Array, template: Template
) -> NDArray[np.intp]:
    """Painting order of the joined cards from the order in each photo."""
    count = len(union.members)
    if count < 2:
        return np.zeros(count, np.intp)
    overlap = gaps(rectangle(centres, downs, template.width, template.height)) < -0.05
    net = np.zeros((count, count))
    for photo, table in enumerate(tables):
        layer = np.full(count, np.nan)
        for k, members in enumerate(union.members):
            row = next((row for number, row in members if number == photo), None)
            if row is not None:
                layer[k] = table.cards[row].layer
        net += np.nan_to_num(np.sign(layer[:, None] - layer[None]))
    return order_layers(np.where(overlap, net, 0.0))
