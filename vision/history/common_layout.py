"""Where the places of one game lie, by all of its photos together.

Photos of one game show one table: its columns, stock, waste and foundations stay where they are, and the camera moves.
Cards that did not move tell how two photos lie to each other. So what the layout network says of a spot in one photo is
weighed with what it says of the same spot in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.history.read_tables import ReadTable
from vision.layout.game_choice import predict_layout_from
from vision.layout.klondike import GAME, spots_of, toward_player
from vision.layout.klondike_squared import layout_of_squared_piles
from vision.layout.neighbours import groups


@dataclass(frozen=True, slots=True)
class CommonLayoutTuning:
    """How photos are laid over each other. Lengths are in card widths.

    Attributes:
        least_common: So many cards tell how two photos lie to each other.
        least_if_still: So many are enough where the camera seems not to have moved.
        still_share: It has not where such a share of the photo's cards lies where cards lie in the other one.
        near: A card that did not move lies so near to where it lay.
        spot: So near to each other two cards lie at one spot.
        pile: So near to each other two cards lie in one pile: piles lie side by side.
        most_stretch: A table is never so much larger in one photo than in the other, in widths of its own cards.
        tried_photos: Each photo is laid over so many photos before it, one after the other.
        least_places: A photo that no card joins lies on another one by so many piles that lie alike, whatever they
            show,
        places_share: and by this share of the piles of that photo which shows fewer.
        reach: Piles of two photos may be one where they lie no farther apart, before the photos are laid on each other.
        least_share: What a spot's other photos say counts with this share at least.
        upright_vote: What it counts towards which side a photo is upright from, where the network's word for it is 1.
        upright_vote_squared: The same where piles are squared, of which the network never saw any.
    """

    least_common: int = 4
    least_if_still: int = 2
    still_share: float = 0.7
    near: float = 0.35
    spot: float = 0.5
    pile: float = 0.8
    most_stretch: float = 1.12
    tried_photos: int = 6
    least_places: int = 7
    places_share: float = 0.8
    reach: float = 0.6
    least_share: float = 1e-4
    upright_vote: float = 0.6
    upright_vote_squared: float = 0.95


TUNING: Final = CommonLayoutTuning()


@dataclass(frozen=True, slots=True)
class Shift:
    """How one photo's table lies on another's: turned and stretched by a complex factor, then moved.

    Attributes:
        factor: How it is turned and stretched.
        offset: How it is moved then.
        common: How many cards tell it.
        piles: In how many piles those lie.
    """

    factor: complex = 1.0
    offset: complex = 0.0
    common: int = 0
    piles: int = 0

    @property
    def support(self) -> tuple[int, int]:
        """The higher of two is told more surely: a run that moved lies alike in itself, so its pile counts once."""
        return self.piles, self.common

    def __call__(self, spots: Array) -> Array:
        """(n, 2) spots of the one photo where they lie in the other."""
        moved = (spots[:, 0] + 1j * spots[:, 1]) * self.factor + self.offset
        return np.stack([moved.real, moved.imag], axis=1)

    def then(self, other: Shift) -> Shift:
        """This shift and another after it."""
        return Shift(self.factor * other.factor, self.offset * other.factor + other.offset, self.common, self.piles)

    @property
    def inverse(self) -> Shift:
        """How the other photo's table lies on this one's."""
        return Shift(1 / self.factor, -self.offset / self.factor, self.common, self.piles)


def find_shift(spots: Array, cards: Sequence[int], others: Array, other_cards: Sequence[int]) -> Shift | None:
    """How a photo lies on another one, by the cards that both show; None where too few lie alike.

    Args:
        spots: (n, 2) where the photo's cards lie.
        cards: Which cards they are.
        others: (m, 2) where the other photo's cards lie.
        other_cards: Which cards those are.
    """
    pairs = _pair_lone_cards(cards, other_cards)
    own = np.array([complex(*spots[k]) for k, _ in pairs])
    there = np.array([complex(*others[k]) for _, k in pairs])
    still = np.abs(own - there) < TUNING.near
    shifts = []
    if still.sum() >= TUNING.least_if_still and _share_in_place(spots, others) >= TUNING.still_share:
        shifts.append(_fit_shift(own[still], there[still]))
    alike = _find_most_alike(own, there) if len(pairs) >= TUNING.least_common else None
    if alike is not None and alike.sum() >= TUNING.least_common:
        shifts.append(_fit_shift(own[alike], there[alike]))
    return max(shifts, key=lambda shift: shift.piles, default=None)


def _share_in_place(spots: Array, others: Array) -> float:
    """The share of one photo's cards that lie just where cards lie in the other one, whichever makes it larger."""
    near = np.linalg.norm(spots[:, None] - others, axis=-1) < TUNING.near
    return max(float(near.any(1).mean()), float(near.any(0).mean()))


def _pair_lone_cards(cards: Sequence[int], other_cards: Sequence[int]) -> list[tuple[int, int]]:
    """Which card of the one photo is which of the other, for the cards that each of both shows once."""
    own, others = list(cards), list(other_cards)
    return [(k, others.index(card)) for k, card in enumerate(own) if own.count(card) == 1 == others.count(card)]


def _find_most_alike(own: Array, there: Array) -> Array | None:
    """Which spots lie alike in both photos, of most piles, where two of them are laid over each other; None for no way.

    A run that moved may hold more cards than all piles that stayed, so cards count only where piles are as many.
    """
    most, best = None, (0, 0)
    pile = _number_piles(own)
    for i, j in combinations(range(len(own)), 2):
        if abs(own[j] - own[i]) < 1:
            continue
        factor = (there[j] - there[i]) / (own[j] - own[i])
        if not 1 / TUNING.most_stretch < abs(factor) < TUNING.most_stretch:
            continue
        alike = np.abs((own - own[i]) * factor + there[i] - there) < TUNING.near
        found = len(np.unique(pile[alike])), int(alike.sum())
        if found > best:
            most, best = alike, found
    return most


def _number_piles(spots: Array) -> Array:
    """The number of the pile in which each complex spot lies."""
    number = np.zeros(len(spots), int)
    for k, pile in enumerate(groups(np.abs(spots[:, None] - spots) < TUNING.pile)):
        number[pile] = k
    return number


def _fit_shift(own: Array, there: Array) -> Shift:
    """The shift that lays complex spots best on others."""
    middle, other = own.mean(), there.mean()
    factor = complex(np.vdot(own - middle, there - other) / np.vdot(own - middle, own - middle))
    return Shift(factor, complex(other - factor * middle), len(own), len(np.unique(_number_piles(own))))


def lay_together(tables: Sequence[ReadTable]) -> list[Shift | None]:
    """How each photo lies on the first one; None for photos that show another table, or too little of it."""
    largest = max(group_by_table(tables), key=len, default={})
    return [largest.get(number) for number in range(len(tables))]


def group_by_table(tables: Sequence[ReadTable]) -> list[dict[int, Shift]]:
    """The photos, by number, that show the same table, with how each lies on the first of them."""
    places = [spots_of(t.table, t.layout) for t in tables]
    spots = [own[: len(t.table.cards)] for own, t in zip(places, tables, strict=True)]
    cards = [t.table.log_card.argmax(1).tolist() if t.table.cards else [] for t in tables]
    return join_lone(group_spots(spots, cards), places)


def group_spots(spots: Sequence[Array], cards: Sequence[Sequence[int]]) -> list[dict[int, Shift]]:
    """The same for photos by where their cards lie, and which cards they are.

    A photo that is blurred or half hidden may lie on none before it. The photos after it that lie on it and on others
    show that all are of one table.
    """
    parts: list[dict[int, Shift]] = []
    for number in range(len(spots)):
        found: list[tuple[dict[int, Shift], Shift]] = []
        for group in parts:
            shifts = [
                shift.then(group[other])
                for other in sorted(group)[-TUNING.tried_photos :][::-1]
                if (shift := find_shift(spots[number], cards[number], spots[other], cards[other])) is not None
            ]
            if shifts:
                found.append((group, max(shifts, key=lambda shift: shift.support)))
        if not found:
            parts.append({number: Shift()})
            continue
        (first, own), *others = found
        first[number] = own
        for group, shift in others:
            if min(own.common, shift.common) >= TUNING.least_common:
                first |= {other: to.then(shift.inverse).then(own) for other, to in group.items()}
                parts.remove(group)
    return parts


def join_lone(parts: Sequence[dict[int, Shift]], places: Sequence[Array]) -> list[dict[int, Shift]]:
    """The photos that show the same table, with each first or last one that lies on them by its piles alone.

    From the deal to the next photo each card in sight may have changed; its piles lie where they lay. A photo between
    others, of which those show the same cards, is of another table.

    Args:
        parts: The photos that show the same table by their cards.
        places: (n, 2) where the cards and backs of each photo lie.
    """
    largest = max(parts, key=len, default={})
    joined, apart = dict(largest), []
    for part in parts:
        if part is largest:
            continue
        (number, *more) = part
        near = sorted(largest, key=lambda other: abs(other - number))[: TUNING.tried_photos]
        is_between = min(largest) < number < max(largest)
        found = [] if more or is_between else [(find_shift_by_places(places[number], places[k]), k) for k in near]
        shifts = [shift.then(largest[other]) for shift, other in found if shift is not None]
        if shifts:
            joined[number] = max(shifts, key=lambda shift: shift.piles)
        else:
            apart.append(part)
    return [joined, *apart] if joined else apart


def find_shift_by_places(places: Array, others: Array) -> Shift | None:
    """How a photo lies on another one, by where its piles lie; None where those lie otherwise, or are few.

    Args:
        places: (n, 2) where the photo's cards and backs lie.
        others: (m, 2) where those of the other photo lie.
    """
    own, there = _heads_of_piles(places), _heads_of_piles(others)
    starts = [0.0, *(there[:, None] - own).ravel()]  # a photo that shows a pile more has another middle
    shifts = [shift for start in starts if (shift := _fit_piles(own, there, Shift(offset=start))) is not None]
    return max(shifts, key=lambda shift: shift.common, default=None)


def _fit_piles(own: Array, there: Array, shift: Shift) -> Shift | None:
    """The shift near to another one that lays most complex spots of piles on others; None where those are too few."""
    least = max(TUNING.least_places, TUNING.places_share * min(len(own), len(there)))
    reach = TUNING.reach
    for _ in range(2):
        apart = np.abs((own * shift.factor + shift.offset)[:, None] - there)
        alike = (apart == apart.min(1, keepdims=True)) & (apart == apart.min(0)) & (apart < reach)
        if alike.sum() < least:
            return None
        mine, theirs = alike.nonzero()
        shift, reach = _fit_shift(own[mine], there[theirs]), TUNING.near
    return shift if 1 / TUNING.most_stretch < abs(shift.factor) < TUNING.most_stretch else None


def _heads_of_piles(places: Array) -> Array:
    """The complex spot of each pile's first card: that of a column which grows stays where it is."""
    spots = places[:, 0] + 1j * places[:, 1]
    pile = _number_piles(spots)
    return np.array([min(spots[pile == number], key=lambda spot: spot.imag) for number in np.unique(pile)])


def read_as_squared(tables: Sequence[ReadTable]) -> list[ReadTable]:
    """The tables; where most lie in the plan of squared piles, each that does is read so.

    By itself a photo is not where hidden cards seem to show above the first ones, as the lines of a tablecloth may.
    """
    plans = [layout_of_squared_piles(table.table, table.layout) for table in tables]
    if 2 * sum(plan is not None for plan in plans) <= len(tables):
        return list(tables)
    return [table if plan is None else replace(table, layout=plan) for table, plan in zip(tables, plans, strict=True)]


def are_squared(tables: Sequence[ReadTable]) -> bool:
    """Whether most photos are read as squared piles."""
    return 2 * sum(table.layout.tops_only for table in tables) > len(tables)


def see_from_one_side(tables: Sequence[ReadTable], shifts: Sequence[Shift | None]) -> list[ReadTable]:
    """The tables, all as they lie before the player who sits where most photos say.

    Squared piles look alike from both ends, so the network may take one photo of a game for seen from across. Players
    stay where they are, and most people take photos from there. A photo that lies on no other one yet is taken to be
    held as most are.

    Args:
        tables: What each photo shows.
        shifts: How each lies on the first.
    """
    to_player = {n: _quarters(shift.factor) for n, shift in enumerate(shifts) if shift is not None}
    upright = [_quarters_to_upright(table) for table in tables]
    votes, upright_votes = np.zeros(4), np.zeros(4)
    for number, turned in to_player.items():
        votes[turned] += 1
        upright_votes[(turned + upright[number]) % 4] += 1
    upright_vote = TUNING.upright_vote_squared if are_squared(tables) else TUNING.upright_vote
    agreed = int((votes + upright_vote * upright_votes).argmax())
    from_upright = agreed - int(upright_votes.argmax())
    seen = []
    for number, table in enumerate(tables):
        wrong = agreed - to_player[number] if number in to_player else upright[number] + from_upright
        if wrong % 4:
            layout = predict_layout_from(table.table, GAME, (table.layout.quarters + wrong) % 4)
            table = replace(table, layout=layout)
        seen.append(table)
    return seen


def _quarters(direction: complex) -> int:
    """A direction in quarter turns from the positive real axis."""
    return round(float(np.angle(direction)) / (np.pi / 2)) % 4


def _quarters_to_upright(table: ReadTable) -> int:
    """Quarter turns from the side where the player is supposed to the lower edge of the photo."""
    down = toward_player(table.table, table.layout)
    middle = table.table.centres.mean(0)
    ends = table.table.plane.to_photo(np.stack([middle, middle + down * table.table.template.width]))
    along = complex(*(ends[1] - ends[0]))
    return _quarters(1j / along)


def weigh_zones(tables: Sequence[ReadTable], shifts: Sequence[Shift | None]) -> list[ReadTable]:
    """The tables, each with the zones that all photos give to its spots."""
    own = [spots_of(t.table, t.layout) for t in tables]
    laid = [None if shift is None else shift(spots) for spots, shift in zip(own, shifts, strict=True)]
    chances = [np.exp(t.layout.log_zone[GAME]) for t in tables]
    weighed = []
    for number, table in enumerate(tables):
        spots = laid[number]
        if spots is None or not len(spots):
            weighed.append(table)
            continue
        faces = len(table.table.cards)
        total, count = chances[number].copy(), np.ones(len(spots))
        for other, there in enumerate(laid):
            if other == number or there is None or not len(there):
                continue
            apart = np.linalg.norm(spots[:, None] - there, axis=-1)
            is_face = np.arange(len(there)) < len(tables[other].table.cards)
            apart[(np.arange(len(spots)) < faces)[:, None] != is_face] = np.inf
            nearest = apart.argmin(1)
            near = apart[np.arange(len(spots)), nearest] < TUNING.spot
            total[near] += chances[other][nearest[near]]
            count[near] += 1
        mean = np.maximum(total / count[:, None], TUNING.least_share)
        log_zone = {GAME: np.log(mean / mean.sum(1, keepdims=True))}
        weighed.append(replace(table, layout=replace(table.layout, log_zone=log_zone)))
    return weighed
