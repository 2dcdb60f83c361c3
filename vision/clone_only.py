"""What only a clone has, not an installed package: `vision.synth`, which draws scenes, and `vision.training`."""

from __future__ import annotations

import sys
from typing import Any

from plumbing.errors import CardsError

CLONE_ONLY = ("vision.synth", "vision.training")
INSTALL = "pip install -e '.[train]'"
"""What installs the libraries that these need, in the clone's folder."""


class NeedsCloneError(CardsError, ImportError):
    """Something that only a clone has is asked for, and only the package is installed.

    Attributes:
        name: Its module.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not in the installed package: clone the repository and there run {INSTALL}")
        self.name = name


class CloneOnlyFinder:
    """Python's last finder of modules, asked where no other has found one; says that a clone has it."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        """Finds nothing.

        Raises:
            NeedsCloneError: Only a clone has the module.
            SystemExit: The same in one line, where it was called as a command.
        """
        if name not in CLONE_ONLY:
            return
        error = NeedsCloneError(name)
        if sys.argv[:1] == ["-m"]:  # so it stands while Python looks for the module of a command
            sys.exit(f"error: {error}")
        raise error
