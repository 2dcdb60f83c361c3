"""How a search ended: one set of numbers for the kernels of all games."""

from __future__ import annotations

from typing import Final

NOTHING: Final = 0
"""There is none of what was looked for, such as a winning line: this is proved."""
FOUND: Final = 1
OPEN: Final = 2
"""Neither is known: a limit was hit."""
TABLE_FULL: Final = 3
"""Neither is known: the search goes on once its hash table is larger."""
POOL_FULL: Final = 4
"""Neither is known: the search goes on once it has room for more states that wait."""
SUITS_FULL: Final = 5
"""Neither is known: the search goes on once it has room for more states and steps of single suits."""
ILLEGAL: Final = 6
"""The position breaks the rules."""
