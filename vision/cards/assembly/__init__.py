"""Corner indices and backs become cards: each index of one card merged, each card with its outline and its place.

The photo calibrates itself. Two indices that read the same and point in opposite directions are usually two corners of
one card. Where several such pairs agree on one offset, that offset is the deck's template. It merges the pairs, and it
gives every other card its outline from the one index that is seen. Two equal cards of a two-deck game stay two, because
their indices do not have that offset.

`assemble.py` runs the steps. What is likely an index (`index_chance.py`), each ink once (`same_ink.py`), is laid in the
table's plane (`indices_in_plane.py`). Pairs of indices tell the deck's template (`template_search.py`) and which are of
one card (`couples.py`). Then each card gets its place (`poses.py`), its identity (`make_cards.py`) and its layer
(`layers.py`), and the backs theirs (`backs.py`). `tuning.py` has all numbers.
"""

from vision.cards.assembly.assemble import assemble_cards, weigh_indices
from vision.cards.assembly.tuning import TUNING

__all__ = ["TUNING", "assemble_cards", "weigh_indices"]
