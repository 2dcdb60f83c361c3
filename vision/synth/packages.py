"""Decks from card packages."""

from __future__ import annotations

from vision.synth.decks import Deck
from vision.synth.splits import Split


def package_decks(split: Split) -> tuple[Deck, ...]:
    """The decks of a split."""
    return ()


def court_art(split: Split) -> list[object]:
    """Court pictures."""
    return []
