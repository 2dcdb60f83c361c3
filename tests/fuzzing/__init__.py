"""Hostile input for every surface that takes text, files or bytes, and what must hold of it.

`SURFACES` names each surface's case: a function that makes one input from a random generator, tries it, and returns
what went wrong (None: nothing). Refusals are `CardsError`s; anything else that escapes is a fault, and so is a position
that is accepted but does not print and parse back, or a line that the verifier and a naive twin judge differently.
`tests/test_fuzzing.py` tries some of each; `python -m tests.bench.fuzz` a hundred thousand.
"""

from __future__ import annotations

from typing import Final

from tests.fuzzing import commands, files, games, text

SURFACES: Final[dict[str, text.Case]] = {
    "notation": text.notation,
    "json": text.json_row,
    "address": text.address,
    "photo": files.photo,
    "film": files.film,
    "model": files.model,
    "labels": files.labels,
    "archive": files.archive,
    "kept_counts": files.kept_counts,
    "kept_rows": files.kept_rows,
    "command": commands.solver_command,
    "vision_command": commands.vision_command,
    "klondike_line": games.klondike_line,
    "tomb_line": games.tomb_line,
    "won_line": games.won_line,
    "text_game": games.text_game,
}
