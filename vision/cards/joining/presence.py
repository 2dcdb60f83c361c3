"""How likely the joined cards are there: photos that ought to show one and do not speak against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vision.cards.geometry import Array
from vision.cards.joining.cloud import Cloud
from vision.cards.joining.complex_points import invert
from vision.cards.joining.tuning import TUNING
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.seen_table import SeenTable


def card_chances(
    tables: Sequence[SeenTable], clouds: Sequence[Cloud], union: UnitedCards, warps: Mapping[int, Array]
) -> list[float]:
    """Probabilities that joined cards are there: photos that show one speak for it, ones that ought to, against."""
    chance = np.array([1 - np.prod([1 - tables[n].cards[row].is_card for n, row in m]) for m in union.members])
    if not len(chance):
        return []
    cards, few = union.cards(), np.array([len({n for n, _ in members}) for members in union.members])
    missing = np.zeros((len(warps), len(chance)), np.bool_)
    for number, photo in enumerate(warps):
        shown = clouds[photo].shows(cards.moved(invert(warps[photo])))
        missing[number] = shown & ~np.array([photo in dict(members) for members in union.members])
    lacking = missing.sum(0)
    doubted = 1 - TUNING.no_card_chance
    chance = np.where(lacking > 1, np.minimum(chance, 1 - (1 - doubted) ** few), chance)
    factor = np.where((few == 1) | (few < lacking), TUNING.absent_odds_factor ** (1.0 * lacking), 1.0)
    weighed = factor * chance / (1 - chance + factor * chance)
    return [float(p) for p in np.where(factor < 1, weighed, chance)]
