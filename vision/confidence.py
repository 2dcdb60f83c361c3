"""How sure is sure enough: the two limits of the whole project, one for a part of a reading and one for the whole.

A reading is made of many parts, each of which may be right while another is not. So the position as a whole, and the
verdict that hangs on it, have a limit of their own.
"""

from __future__ import annotations

from typing import Final

PART_SURE_FROM: Final = 0.95
"""Probability from which a part is taken as read: one card, or how many cards a column hides. Below it a person is
asked about this part."""
WHOLE_STANDS_FROM: Final = 0.97
"""Probability from which the whole stands: the position, the game, or the verdict over all likely positions. Below it
no win, and no proof that there is none, is announced, and a person is asked first; by `vision.detect` and by the page.
At 0.95 more than one position in a hundred of all sets together was wrong without a question (datasets/README.md has
what `vision.evaluate` prints for each set)."""
