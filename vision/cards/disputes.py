"""Two opinions of one card that are sure of different cards are a doubt, whatever their product says.

One index and its twin in another corner, the indices and the face, one photo and the next: each is seldom wrong and
sure, and where one of them is, nothing tells which. A person tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.preferences import preferences_of

SUITS_AND_RANKS: Final = 4, 13
SURE_OPINION: Final = 0.95
"""An opinion is sure of what it gives so much. Because a face was misread with certainty, one right card in a thousand
is then asked about on rendered validation tables, and one in 240 on `white_deck_webcam`."""
LEAST_SHARE: Final = 0.25
"""What fewer of the sure opinions say is outvoted: one of many photos may be a bad one."""
LEAST_DOUBT: Final[float] = preferences_of(__name__)["LEAST_DOUBT"]
"""No card in dispute is less doubtful, whatever the rules say: it is asked about."""


def disputed_cards(opinions: Sequence[Array]) -> tuple[int, ...]:
    """The identities of which opinions (52,), log-probabilities, are sure, if there are several; else none.

    >>> sure_of = lambda card: np.log(np.where(np.arange(52) == card, 0.97, 0.03 / 51))
    >>> disputed_cards([sure_of(3), sure_of(4), sure_of(3)]), disputed_cards([sure_of(3), sure_of(3)])
    ((3, 4), ())
    """
    least = np.log(SURE_OPINION)
    votes = Counter(int(opinion.argmax()) for opinion in opinions if opinion.max() >= least)
    sure = [card for card, count in votes.items() if count >= LEAST_SHARE * votes.total()]
    return tuple(sorted(sure)) if len(sure) > 1 else ()


def mix_opinions(opinions: Sequence[Array]) -> Array:
    """(52,) what disputing opinions, log-probabilities, say: each may be the right one."""
    return np.asarray(np.logaddexp.reduce(np.array(opinions), axis=0) - np.log(len(opinions)))


def count_odds_from(middle: float, log_card: Array, axis: int, read: int, true: int) -> Array:
    """(52,) log-probabilities in which odds between two suits or two ranks count from elsewhere than from 0.

    Args:
        middle: Log-odds of the one over the other at which both become equally likely.
        log_card: (52,) log-probabilities.
        axis: 0 for two suits, 1 for two ranks.
        read: The number of the one.
        true: The number of the other.
    """
    log = np.moveaxis(log_card.reshape(SUITS_AND_RANKS).copy(), axis, 0)
    both, odds = np.logaddexp(log[read], log[true]), log[read] - log[true] - middle
    log[read], log[true] = both - np.logaddexp(0, -odds), both - np.logaddexp(0, odds)
    return np.moveaxis(log, 0, axis).reshape(log_card.shape)
