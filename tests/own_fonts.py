"""Decks that are drawn from fonts of the tests' own, so that what is rendered looks the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import ANY

import matplotlib
import pytest

from datasets.decks import deck_choice, fonts

_FOLDER = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
OWN_FONTS = tuple(
    fonts.Font(str(_FOLDER / f"{name.replace(' ', '')}{bold}.ttf"), 0, name, True, weight, 0)
    for name in ("DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif")
    for bold, weight in (("", 80), ("-Bold", 200))
)
"""The fonts that come with matplotlib: what is rendered with them looks the same on every machine."""


@pytest.fixture
def own_fonts(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Decks are drawn from the tests' own fonts, in all splits, and nothing is drawn into the checkout."""
    cached = (fonts.fonts, fonts.families, fonts.symbol_fonts, fonts._installed, deck_choice.drawn_deck)
    monkeypatch.setattr("datasets.decks.package_decks.package_deck", lambda _: None)
    monkeypatch.setattr(fonts, "_query", lambda _: OWN_FONTS)
    monkeypatch.setattr(fonts, "split_of", lambda *_: ANY)
    monkeypatch.setenv("SYNTH_CACHE", str(tmp_path_factory.getbasetemp() / "own-fonts"))
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def no_package_decks() -> Iterator[None]:
    """Card packages are left alone where they are installed: rasterising them takes a quarter of an hour.

    Their jokers alone take half a minute, and other machines have none.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.decks.package_decks.package_deck", lambda _: None)
        patch.setattr("datasets.decks.package_decks._jokers_of", lambda _: None)
        yield
