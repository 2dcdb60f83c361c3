"""What several reads of one thing say together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.cards.assembly.tuning import TUNING as ASSEMBLY
from vision.cards.disputes import LEAST_SHARE
from vision.cards.geometry import Array
from vision.cards.joining.tuning import TUNING

FEWEST_AGAINST: Final = 2
"""Where so many sights of a card, and `LEAST_SHARE` of them, say another identity, more sights make it no surer."""


def weigh_reads(reads: Sequence[Array]) -> Array:
    """(n,) what several reads of one thing, as of one card's 52 identities, say together; not normalised."""
    if len(reads) < 3:
        weight = 1.0 if len(reads) == 1 else ASSEMBLY.second_index_weight
        return np.asarray(weight * np.sum(reads, axis=0))
    wrong = TUNING.wrong_sight_chance
    bounded = np.log((1 - wrong) * np.exp(np.array(reads)) + wrong / len(reads[0]))
    mean = bounded.mean(0)
    independent = min(1 + TUNING.sight_weight * (len(reads) - 1), TUNING.most_sights)
    return np.asarray(mean if _contradict(reads, int(mean.argmax())) else independent * mean)


def _contradict(reads: Sequence[Array], said: int) -> bool:
    """Whether several of many reads give another identity than they do together.

    Then what they err by is no chance of a single one: more of them make nothing surer.
    """
    against = sum(int(read.argmax()) != said for read in reads)
    return against >= FEWEST_AGAINST and against >= LEAST_SHARE * len(reads)
