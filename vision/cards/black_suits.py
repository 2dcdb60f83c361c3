"""Tells clubs from spades by all cards of a photo at once.

The reader confuses small black symbols most, and it errs by deck: if it takes one club for a spade, it leans that way
with all of them. But the clubs of one deck look alike, and so do its spades. Their log-odds therefore form two groups.
Where these groups lie says more than the sign of a single index. A mixture of two normal distributions is fitted to
them, with what is usual as the prior. Blurred symbols may form one heap that could be either: so the fits that explain
them about as well all have a say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from solver.cards import SUIT_CHARS
from vision.cards.geometry import Array
from vision.networks.outputs import Reads
from vision.preferences import preferences_of

CLUB, SPADE = SUIT_CHARS.index("C"), SUIT_CHARS.index("S")


@dataclass(frozen=True, slots=True)
class BlackSuitTuning:
    """How the heaps of clubs and spades are found; log-odds are those of club to spade.

    Attributes:
        weight_of_all: Of the mixture's log-odds.
        weight_of_one: Of the index's own log-odds.
        largest_log_odds: To which those of the mixture, weighed, are limited.
        fewest_indices: With fewer black indices nothing is changed.
        least_probability: An index takes part if it is black and an index with at least this probability each.
        usual_middles: Mean and standard deviation of the middle of each heap, clubs and spades, over decks.
        least_distance: The heaps' middles are at least so far apart.
        usual_spread: Standard deviation within a heap, weighed like four indices.
        share_prior: Parameter of the Beta prior on the share of clubs: larger is nearer to a half.
        first_middles: Middles, clubs and spades, from which fits start; each counts as much as it is likely.
        rounds: Steps of the fit.
    """

    weight_of_all: float
    weight_of_one: float
    largest_log_odds: float
    fewest_indices: int = 8
    least_probability: float = 0.8
    usual_middles: tuple[tuple[float, float], tuple[float, float]] = ((5.0, 3.0), (-4.0, 2.5))
    least_distance: float = 1.2
    usual_spread: float = 1.3
    share_prior: float = 3.0
    first_middles: tuple[tuple[float, float], ...] = (
        (5.0, -4.0),
        (5.0, 1.0),
        (5.0, 3.0),
        (-2.0, -5.0),
        (-1.0, -5.0),
        (2.0, -2.0),
        (0.0, -3.0),
        (3.5, 0.0),
    )
    rounds: int = 40


TUNING: Final = BlackSuitTuning(**preferences_of(__name__))
_LEAST_CHANCE: Final = 1e-12


def weigh_black_suits(reads: Reads) -> Reads:
    """Reads whose clubs and spades were weighed together; what else they say, red suits among it, stays.

    Args:
        reads: Of all indices of one photo.
    """
    suit = reads.log_suit.astype(float)
    black = np.logaddexp(suit[:, CLUB], suit[:, SPADE])
    part = (black > np.log(TUNING.least_probability)) & (reads.log_index > np.log(TUNING.least_probability))
    if part.sum() < TUNING.fewest_indices:
        return reads
    own = suit[:, CLUB] - suit[:, SPADE]
    together = log_odds(own[part])
    odds = (
        np.clip(TUNING.weight_of_all * together, -TUNING.largest_log_odds, TUNING.largest_log_odds)
        + TUNING.weight_of_one * own[part]
    )
    changed = reads.log_suit.copy()
    changed[part, CLUB] = black[part] - np.logaddexp(0, -odds)
    changed[part, SPADE] = black[part] - np.logaddexp(0, odds)
    return replace(reads, log_suit=changed)


def log_odds(own: Array) -> Array:
    """Log-odds (n,) of club to spade by the two heaps that the indices' own log-odds (n,) form.

    >>> log_odds(np.array([-2.0, -2.2, -1.8, -2.1, -6.0, -6.3, -5.8, -6.1])).round() > 0
    array([ True,  True,  True,  True, False, False, False, False])
    """
    (club, club_sd), (spade, spade_sd) = TUNING.usual_middles
    middle = np.array(TUNING.first_middles)  # (starts, 2): clubs, spades
    spread, share = np.full(len(middle), TUNING.usual_spread), np.full(len(middle), 0.5)
    count = len(own)
    prior, prior_sd = np.array([club, spade]), np.array([club_sd, spade_sd])
    for _ in range(TUNING.rounds):
        odds = _odds(own, middle, spread, share)
        weight = np.stack([1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(odds))], axis=1)  # (starts, 2, n)
        mass = weight.sum(-1)
        sure = 1 / spread[:, None] ** 2
        middle = ((weight * own).sum(-1) * sure + prior / prior_sd**2) / (mass * sure + 1 / prior_sd**2)
        near = middle[:, 0] - middle[:, 1] < TUNING.least_distance
        mean = middle.mean(1)
        middle[near] = mean[near, None] + np.array([TUNING.least_distance, -TUNING.least_distance]) / 2
        square = (weight * (own - middle[..., None]) ** 2).sum((1, 2))
        spread = np.sqrt((square + 4 * TUNING.usual_spread**2) / (count + 4))
        share = (mass[:, 0] + TUNING.share_prior - 1) / (count + 2 * TUNING.share_prior - 2)
    parts = -0.5 * ((own - middle[..., None]) / spread[:, None, None]) ** 2
    parts += np.log(np.stack([share, 1 - share], axis=1))[..., None]
    likely = np.logaddexp(parts[:, 0], parts[:, 1]).sum(1) - count * np.log(spread)
    likely -= (
        0.5 * (((middle - prior) / prior_sd) ** 2).sum(1) + 0.5 * (np.log(spread / TUNING.usual_spread) / 0.35) ** 2
    )
    likely += (TUNING.share_prior - 1) * np.log(share * (1 - share))
    weight_of_fit = np.exp(likely - likely.max())
    club_chance = weight_of_fit @ (1 / (1 + np.exp(-_odds(own, middle, spread, share)))) / weight_of_fit.sum()
    club_chance = np.clip(club_chance, _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    return np.asarray(np.log(club_chance) - np.log1p(-club_chance))


def _odds(own: Array, middle: Array, spread: Array, share: Array) -> Array:
    """(starts, n) log-odds of club to spade, limited to what numbers can hold."""
    square = (own - middle[..., None]) ** 2
    odds = np.log(share / (1 - share))[:, None] + (square[:, 1] - square[:, 0]) / (2 * spread[:, None] ** 2)
    return np.asarray(np.clip(odds, -60, 60))
