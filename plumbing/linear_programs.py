"""HiGHS, which solves linear programs, without a word on standard output: that belongs to the answer."""

from __future__ import annotations

from highspy import Highs


class SilentHighs(Highs):
    """A HiGHS that prints nothing, whatever its version."""

    def enableCallbacks(self) -> None:  # noqa: N802
        """The first call to a new HiGHS, while it is being made: HiGHS 1.16 prints its name at it."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def silent_highs() -> SilentHighs:
    """A new HiGHS that prints nothing."""
    made = SilentHighs()  # type: ignore[no-untyped-call]
    made.setOptionValue("output_flag", False)
    return made
