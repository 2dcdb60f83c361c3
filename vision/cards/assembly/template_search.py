"""The deck's template, found in one photo by the pairs of its indices."""

from __future__ import annotations

import numpy as np

from vision.cards.assembly.indices_in_plane import IndicesInPlane, misfit, upper_pairs
from vision.cards.geometry import Array
from vision.cards.template import Template


def find_template(flat: IndicesInPlane, chance: Array) -> Template:
    """The offset that most pairs of equal reads agree on; each counts as it is usual and both are indices by chance."""
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
