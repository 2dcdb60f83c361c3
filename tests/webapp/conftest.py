"""What tests of the page share."""

from __future__ import annotations

from tests.own_fonts import own_fonts

__all__ = ["own_fonts"]
