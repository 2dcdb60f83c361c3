"""How sure is sure enough: the two limits of the whole project, one for a part of a reading and one for the whole.

A reading is made of many parts, each of which may be right while another is not. So the position as a whole, and the
verdict that hangs on it, have a limit of their own.

What is wrong is wrong in few photos together, the dark and the blurred ones, and small doubts of a good photo add up to
less than their sum. `chance_of_whole` tells how much less.
"""

from __future__ import annotations

import math
from typing import Final

from vision.preferences import preferences_of

SHARED_DOUBT: Final[float] = preferences_of(__name__)["SHARED_DOUBT"]
"""Sum of doubts (the negative logarithm of their product) below which a photo has less to doubt than the sum says. On
rendered tables of families in training and held-out ones alike the likelihood is nearly the same from 0.05 to 0.1;
`python -m vision.evaluate` prints how many positions of each probability are exact."""

PART_SURE_FROM: Final = 0.95
"""Probability from which a part is taken as read: one card, or how many cards a column hides. Below it a person is
asked about this part."""
WHOLE_STANDS_FROM: Final = 0.97
"""Probability from which the whole stands: the position, the game, or the verdict over all likely positions. Below it
no win, and no proof that there is none, is announced, and a person is asked first; by `vision.detect` and by the page.
At 0.95 more than one position in a hundred of all sets together was wrong without a question (datasets/README.md has
what `vision.evaluate` prints for each set)."""


def chance_of_whole(product: float) -> float:
    """Probability that a reading is right in everything, from the product of the probabilities of its parts.

    >>> [round(chance_of_whole(product), 3) for product in (0.0, 0.5, 0.8, 0.9, 0.95, 1.0)]
    [0.0, 0.564, 0.879, 0.963, 0.991, 1.0]
    """
    doubt = -math.log(max(product, 1e-300))
    return product if product <= 0 else math.exp(-doubt * (doubt / (doubt + SHARED_DOUBT)) ** 2)
