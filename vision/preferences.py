"""Log prices, odds and doubts: the code has names and meanings, a file the values.

`python -m tests.bench.preferences DIR... --fit` fits them by likelihood on rendered tables and writes the file anew.
The few that such tables do not tell stay as they are; `NOT_FITTED` there names them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).resolve().parents[1] / "models" / "preferences.json"


@cache
def read_preferences() -> dict[str, dict[str, float]]:
    """All values: by module without `vision.`, then by name."""
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def preferences_of(module: str) -> dict[str, Any]:
    """The values of a module's preferences by name.

    Args:
        module: Its `__name__`.

    >>> sorted(preferences_of("vision.confidence"))
    ['SHARED_DOUBT']
    """
    return dict(read_preferences()[module.removeprefix("vision.")])
