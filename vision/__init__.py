"""From a photo to a reading: detection, reading, layout and decoding; uses the solver's vocabulary.

The front door is `read_photo`, loaded when it is used:

    from vision import read_photo
    reading = read_photo("table.jpg")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.reading import read_photo

__all__ = ["read_photo"]


def __getattr__(name: str) -> Any:
    if name != "read_photo":
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    from vision.reading import read_photo

    globals()[name] = read_photo  # asked for once
    return read_photo


def __dir__() -> list[str]:
    return __all__
