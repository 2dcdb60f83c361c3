"""The works of a search for a game, as whoever waits for it is told of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Done = Callable[[str, int], object]
"""Is told on which work so many photos more were done: none when it begins, since the first may take long."""
FITTED: Final = "Photos put together"
REFITTED: Final = "Photos put together again"
COMPARED: Final = "Photos checked for other moves"
