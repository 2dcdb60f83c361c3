"""Where a deck prints its indices on its cards, and what several photos of one deck say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

USUAL_ACROSS: Final = 4.75
USUAL_ALONG: Final = 7.05
"""Offset from one rank symbol to the opposite one in lengths of an index, the median of many decks."""


@dataclass(frozen=True, slots=True)
class TemplateTuning:
    """When templates count.

    Attributes:
        least_pairs_to_place: So many pairs must agree on the template for it to tell that two cards are one.
        least_alike_templates: So many photos must agree on a deck's template for it to be that of all of them.
        other_template_log_ratio: Templates that differ more are of different decks. Those of the frames of one film
            differ by 0.05 where they rest on many pairs.
    """

    least_pairs_to_place: int = 2
    least_alike_templates: int = 3
    other_template_log_ratio: float = 0.15


TUNING: Final = TemplateTuning()


@dataclass(frozen=True, slots=True)
class Template:
    """Where a deck prints its indices, in lengths of an index (rank centre to suit centre).

    Attributes:
        across: From the left index's rank to the right one's.
        along: From the upper index's rank to the lower one's.
        side_margin: From the card's side to the rank.
        end_margin: From the card's short end to the rank.
        corners: 2 (top left and bottom right) or 4.
        pairs: How many pairs of the photo agree on it; 0 where it is the usual deck's.
        spread: How much the pairs differ in length (median of logarithms): large where cards do not lie in one plane,
            as on a blanket or in a hand.
    """

    across: float = USUAL_ACROSS
    along: float = USUAL_ALONG
    side_margin: float = 0.65
    end_margin: float = 0.95
    corners: int = 2
    pairs: int = 0
    spread: float = 0.0

    @property
    def width(self) -> float:
        """The card's width."""
        return self.across + 2 * self.side_margin

    @property
    def height(self) -> float:
        """The card's height."""
        return self.along + 2 * self.end_margin

    @property
    def is_sure(self) -> bool:
        """Whether enough pairs agree on it to tell that two cards are one."""
        return self.pairs >= TUNING.least_pairs_to_place

    def agrees(self, other: Template) -> bool:
        """Whether another template is of a deck with such indices."""
        ratios = np.log([self.across / other.across, self.along / other.along])
        return self.corners == other.corners and bool(np.abs(ratios).max() < TUNING.other_template_log_ratio)


def common_template(templates: Sequence[Template]) -> Template | None:
    """The template on which photos of one deck agree, as the one of them has it that shows most pairs.

    Args:
        templates: That of each photo.

    Returns:
        None where too few photos tell it, or most of their pairs tell another one.

    >>> jumbo = Template(2.0, 2.9, pairs=3)
    >>> common_template([jumbo, jumbo, jumbo, Template(5.2, 8.0, pairs=1)]) == jumbo
    True
    >>> common_template([jumbo, jumbo, Template(5.2, 8.0, pairs=1)]) is None
    True
    """
    telling = [template for template in templates if template.is_sure]
    alike = [[other for other in telling if template.agrees(other)] for template in telling]
    most = max(alike, key=lambda found: sum(template.pairs for template in found), default=[])
    if len(most) < TUNING.least_alike_templates or 2 * sum(t.pairs for t in most) <= sum(t.pairs for t in telling):
        return None
    return max(most, key=lambda template: template.pairs)
