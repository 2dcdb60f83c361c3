"""What all tests of photos share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.own_fonts import own_fonts

__all__ = ["own_fonts"]


@pytest.fixture(scope="session", autouse=True)
def _no_package_decks() -> Iterator[None]:
    """Card packages are left alone where they are installed: rasterising them takes a quarter of an hour."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.decks.packages.package_deck", lambda _: None)
        yield
