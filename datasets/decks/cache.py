"""Where rasterised decks and textures are kept."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plumbing.files import whole_file


def cache_folder() -> Path:
    """Where rasterised decks and textures are kept: `$SYNTH_CACHE`, else `out/synth-cache` in the current folder."""
    folder = Path(os.environ.get("SYNTH_CACHE", "out/synth-cache"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save_array(path: Path, array: NDArray[np.uint8]) -> None:
    """Writes an array so that no reader, in this process or another, ever sees half of it."""
    with whole_file(path) as part, part.open("wb") as file:
        np.save(file, array)
