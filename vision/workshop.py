"""The workshop, which draws scenes and trains networks: `vision.synth` and `vision.training`.

A clone has it, an installed package does not.
"""

from __future__ import annotations

import sys
from typing import Any

from plumbing.errors import CardsError

WORKSHOP = ("vision.synth", "vision.training")
INSTALL = "pip install -e '.[train]'"
"""What installs the libraries that the workshop needs, in the clone's folder."""


class NeedsCloneError(CardsError, ImportError):
    """A part of the workshop, where only the package is installed.

    Attributes:
        name: The part.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not in the installed package: clone the repository and there run {INSTALL}")
        self.name = name


class MissingWorkshop:
    """Python's last finder of modules, asked where no other has found one; says that a clone has it."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        """Finds nothing.

        Raises:
            NeedsCloneError: The module is the workshop's.
            SystemExit: The same in one line, where it was called as a command.
        """
        if name not in WORKSHOP:
            return
        error = NeedsCloneError(name)
        if sys.argv[:1] == ["-m"]:  # so it stands while Python looks for the module of a command
            sys.exit(f"error: {error}")
        raise error
