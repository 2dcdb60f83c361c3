"""The deck's template, found in one photo by the pairs of its indices.

Opposite corners tell it. A photo that shows no card down to its lower end tells by the two upper corners of cards
whether the deck prints an index in each of them.
"""

from __future__ import annotations

import numpy as np

from vision.cards.assembly.indices_in_plane import IndicesInPlane, misfit, upper_pairs
from vision.cards.assembly.tuning import TUNING
from vision.cards.geometry import Array
from vision.cards.template import Template


def find_template(flat: IndicesInPlane, chance: Array) -> Template:
    """The offset that most pairs of equal reads agree on; each counts as it is usual and both are indices by chance."""
    opposite = _by_opposite_corners(flat, chance)
    upper = _by_upper_corners(flat, chance)
    if upper is None or opposite.corners == 4 or 2 * opposite.pairs > upper.pairs:
        return opposite
    return upper


def _by_upper_corners(flat: IndicesInPlane, chance: Array) -> Template | None:
    """The template of a deck with indices in both upper corners; None where too few cards show both.

    Two equal cards side by side look the same once. Several different ones never lie so, all of them as far apart: of
    two runs side by side each card lies a whole card's width from its copy.
    """
    pairs = upper_pairs((flat.same > np.log(5)) & (flat.turn > 0.95))
    offset = np.abs(flat.level(*pairs))
    fewest, most = TUNING.upper_corners_lengths
    fits = (offset[:, 1] < 0.12 * offset[:, 0]) & (offset[:, 0] > fewest) & (offset[:, 0] < most)
    fits &= np.minimum(chance[pairs[0]], chance[pairs[1]]) > 0.5
    if not fits.any():
        return None
    length = np.log(offset[fits, 0])
    alike = np.abs(length[:, None] - length[None]) < 0.1
    near = alike[alike.sum(1).argmax()]
    x = float(np.exp(np.median(length[near])))
    first, second = (row[fits][near] for row in pairs)
    cards = len(np.unique(flat.log_card[first].argmax(1)))
    paired = len(np.union1d(first, second)) / int((chance > 0.5).sum())
    few = TUNING.fewest_upper_pairs if x < Template().width else TUNING.fewest_wide_pairs
    if cards < few or paired < TUNING.upper_pairs_share:
        return None
    usual = Template()
    y = (x + 2 * usual.side_margin) * usual.height / usual.width - 2 * usual.end_margin
    spread = float(np.median(np.abs(length[near] - np.log(x))))
    return Template(x, y, corners=4, pairs=int(near.sum()), spread=spread)


def _by_opposite_corners(flat: IndicesInPlane, chance: Array) -> Template:
    """The template of which most pairs of opposite corners tell; the usual one where none does."""
    usual = Template()
    equal = flat.same > np.log(5)
    pairs = upper_pairs(equal & (flat.turn < -0.85))
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
    level = misfit(np.abs(flat.level(*upper_pairs(equal & (flat.turn > 0.85)))), (x, 0.0), 0.06, 0.15) < 2
    upright = misfit(opposed, (0.0, y), 0.06, 0.15) < 2
    wide = (np.abs(np.log(length / far)) < 0.45) & (np.abs(lean - angle) < 0.4)
    spread = float(np.median(np.abs(np.log(length[wide] / far)))) if wide.sum() > 2 else 0.06
    four = left.sum() + level.sum() + upright.sum() >= max(2, 0.35 * near.sum())
    return Template(x, y, corners=4 if four else 2, pairs=int(near.sum()), spread=spread)
