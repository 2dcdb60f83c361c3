"""From photos of a card table to a reading: cards, position, and what is in doubt.

The front door. Each name is loaded when it is used:

    from vision import read_photo
    reading = read_photo("table.jpg")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from vision.image import load
    from vision.judgement import judge
    from vision.photo_to_reading import read_photo
    from vision.reading import Reading, annotate

__all__ = ["Reading", "annotate", "judge", "load", "read_photo"]

_HOMES: Final = {
    "Reading": "vision.reading",
    "annotate": "vision.reading",
    "judge": "vision.judgement",
    "load": "vision.image",
    "read_photo": "vision.photo_to_reading",
}
"""The module that each name comes from."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name == "__version__":
        value = import_module("plumbing.package_metadata").version()
    else:
        raise AttributeError(f"module 'vision' has no attribute {name!r}")
    globals()[name] = value  # asked for once
    return value


def __dir__() -> list[str]:
    return __all__
