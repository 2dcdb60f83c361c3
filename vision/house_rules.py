"""The rules that people play at home. No photo shows rules, so a reading takes these until somebody names others."""

from __future__ import annotations

from dataclasses import replace

from vision.layout.game import layout_of
from vision.layout.vocabulary import GAMES
from vision.reading import Reading


def with_house_rules(reading: Reading) -> Reading:
    """A reading whose positions go by the rules people play at home; as it is where its game leaves no choice."""
    house_rules = layout_of(reading.game).house_rules if reading.game in GAMES else None
    if house_rules is None:
        return reading
    zones = [card.zone for card in reading.cards]
    position = None if reading.position is None else house_rules(reading.position, zones)
    return replace(
        reading, position=position, others=tuple((p, house_rules(other, zones)) for p, other in reading.others)
    )
