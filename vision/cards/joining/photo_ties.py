"""The tie of two photos: how the plane of one lies on that of the other, told by cards that both show.

Each two cards of equal identity say how the planes may lie. The ways that most cards agree on are refined, and what
speaks for and against each of them is weighed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.complex_points import invert, map_points
from vision.cards.joining.matching import CardPairs, Pairs, count_unseen, match_cards, placing_points, same_identity
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.warp_fit import fit_warp


@dataclass(frozen=True, eq=False, slots=True)
class PhotoTie:
    """A way to lay one photo's plane on another's.

    Attributes:
        onto: The photo that stays.
        photo: The photo that is laid on it.
        warp: (3, 3) from the plane of `photo` to that of `onto`.
        weight: What speaks for it, less what speaks against it.
        pairs: Rows of cards that both show, of `onto` and of `photo`.
        rival: Weight of the next best way that lays the photo elsewhere.
    """

    onto: int
    photo: int
    warp: Array
    weight: float
    pairs: Pairs
    rival: float = -np.inf

    @property
    def holds(self) -> bool:
        """Whether it ties the photos: two cards and enough weight."""
        return len(self.pairs) > 1 and self.weight >= TUNING.enough_weight

    @property
    def is_by_picture(self) -> bool:
        """Whether the picture itself tells it, not cards."""
        return not self.pairs

    def turned_round(self) -> PhotoTie:
        """The same tie, the other photo staying."""
        back = invert(self.warp)
        return replace(self, onto=self.photo, photo=self.onto, warp=back, pairs=[(j, i) for i, j in self.pairs])


Chain = Sequence[tuple[int, PhotoTie | None]]
"""Photos in the order in which they join, each with its tie to one before it."""


def find_ties(clouds: Sequence[Cloud]) -> dict[tuple[int, int], PhotoTie]:
    """The best tie of each two photos that have one."""
    found = {}
    for onto in range(len(clouds)):
        for photo in range(onto + 1, len(clouds)):
            tie = find_tie(clouds, onto, photo)
            if tie is not None:
                found[onto, photo] = tie
                found[photo, onto] = tie.turned_round()
    return found


def find_tie(clouds: Sequence[Cloud], onto: int, photo: int) -> PhotoTie | None:
    """The best tie of two photos by their cards; None where none holds."""
    a, b = clouds[onto], clouds[photo]
    if not len(a) or not len(b):
        return None
    same = same_identity(a.p, b.p)
    refined = [_refine(a, b, same, guess) for guess in _guesses(a, b, same)]
    ways = sorted((way for way in refined if way is not None), key=lambda way: -way[1])
    if not ways:
        return None
    warp, weight, pairs = ways[0]
    marks = b.at.mean() + np.array([0.0, 3.0])
    apart = [np.abs(map_points(other, marks) - map_points(warp, marks)).max() for other, _, _ in ways]
    rival = next((way[1] for way, far in zip(ways, apart, strict=True) if far > TUNING.same_guess_card_widths), -np.inf)
    tie = PhotoTie(onto, photo, warp, weight, pairs, rival)
    return tie if tie.holds else None


_Guess = tuple[complex, complex, complex]
"""Turn and shift of the other's plane, and the place of the card that says so."""


def _guesses(a: Cloud, b: Cloud, same: Array) -> list[_Guess]:
    """Ways to lay b's plane on a's that most cards of equal identity agree on, best first."""
    i, j = np.nonzero(same > TUNING.same_card_weight)
    if not len(i):
        return []
    weight = np.minimum(same[i, j], TUNING.most_agreed_card_weight)
    if len(i) > TUNING.most_pairs:
        surest = np.argsort(-weight, kind="stable")[: TUNING.most_pairs]
        i, j, weight = i[surest], j[surest], weight[surest]
    turn = a.down[i] * b.down[j].conj()
    turn = np.concatenate([turn, -turn])  # a card looks the same upside down
    anchor = np.concatenate([j, j])
    shift = np.concatenate([a.at[i], a.at[i]]) - turn * b.at[anchor]
    off = np.abs(turn[:, None] * b.at[j] + shift[:, None] - a.at[i])
    reach = TUNING.near_card_widths + TUNING.swing_share * np.abs(b.at[anchor][:, None] - b.at[j])
    along = np.abs((a.down[i].conj() * turn[:, None] * b.down[j]).imag)
    votes = np.where((off < reach) & (along < TUNING.most_turn_sine), weight, 0.0).sum(1)
    chosen = _different_guesses(turn, turn * b.at.mean() + shift, votes)
    return [(complex(turn[h]), complex(shift[h]), complex(a.at[i[h % len(i)]])) for h in chosen]


def _different_guesses(turn: NDArray[np.complex128], middle: NDArray[np.complex128], votes: Array) -> list[int]:
    """The guesses with the most votes that differ, by their turns and by where the photo's middle comes to lie."""
    chosen: list[int] = []
    for h in np.argsort(-votes, kind="stable")[: 20 * TUNING.most_guesses].tolist():
        near = np.abs(middle[chosen] - middle[h]) < TUNING.same_guess_card_widths
        if not (near & (np.abs(np.angle(turn[chosen] * turn[h].conj())) < TUNING.same_guess_radians)).any():
            chosen.append(h)
        if len(chosen) == TUNING.most_guesses or votes[h] < max(
            TUNING.enough_weight / 2, TUNING.least_vote_share * votes[chosen[0]]
        ):
            break
    return chosen


def _refine(a: Cloud, b: Cloud, same: Array, guess: _Guess) -> tuple[Array, float, Pairs] | None:
    """A guess fitted to all cards that agree with it: the warp, its weight and the cards that both photos show."""
    turn, shift, around = guess
    warp = np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag], [0, 0, 1.0]])
    lying, own, pairs = a.laid(), b.laid(), CardPairs.none()
    for slack in (TUNING.swing_share, TUNING.swing_share / 2, 0.0, 0.0):
        laid, before = own.moved(warp), pairs
        pairs = match_cards(lying, laid, same, TUNING.one_card_widths + slack * np.abs(laid.at - around))
        if len(pairs.a) < 2:
            return None
        if not pairs.tells_as(before):
            warp = fit_warp(b, placing_points(own, pairs.b, pairs.spot_b), placing_points(lying, pairs.a, pairs.spot_a))
            around = complex(lying.at[pairs.a].mean())
        elif not slack:  # the same cards give the same plane, and would again
            break
    else:
        laid = own.moved(warp)
        pairs = match_cards(lying, laid, same, np.full(len(b), TUNING.one_card_widths))
    agreed = np.minimum(same[pairs.a, pairs.b], TUNING.most_agreed_card_weight)
    weight = float(agreed.sum()) + TUNING.unseen_card_weight * count_unseen(a, b, laid, warp, pairs)
    return warp, weight, list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True))


def order_photos(clouds: Sequence[Cloud], ties: Mapping[tuple[int, int], PhotoTie]) -> Chain:
    """Photos in the order in which they join, each with the tie to one before it: the strongest ties first."""
    sums = [sum(tie.weight for (onto, _), tie in ties.items() if onto == n) for n in range(len(clouds))]
    start = max(range(len(clouds)), key=lambda n: (sums[n], len(clouds[n]), -n))
    chain: list[tuple[int, PhotoTie | None]] = [(start, None)]
    chained: set[int] = {start}
    while True:
        possible = [tie for (onto, photo), tie in ties.items() if onto in chained and photo not in chained]
        if not possible:
            return chain
        best = max(possible, key=lambda tie: tie.weight)
        chain.append((best.photo, best))
        chained.add(best.photo)
