"""What a layout module hands on: every card in its zone, with its posterior, and the position they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from solver.cards import Card, MaybeCard
from vision.cards_seen import Table
from vision.decode import Decoded
from vision.geometry import Array

IMPOSSIBLE: Final = -1000.0
"""Score of a layout that cannot be."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card of the position.

    Attributes:
        card: Its identity, None where the photo does not tell it.
        zone: Where it lies, in the words of datasets/README.md, as `floor/0` or `column/3`.
        seen: Its row in the table's cards, None for a card that was inferred and not seen.
        confidence: Posterior probability of the identity, 0 to 1.
        alternatives: Next likeliest identities with their posterior probabilities, best first.
        why: What decoding changed against the plain read, in words; empty where nothing.
    """

    card: MaybeCard
    zone: str
    seen: int | None
    confidence: float = 1.0
    alternatives: tuple[tuple[Card, float], ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A table understood as one game's position.

    Attributes:
        game: The game's word.
        position: The position in the JSON contract.
        placed: Its cards.
        back_zones: Zone of each of the table's backs, empty where none.
        score: Log-likelihood of the layout, comparable between games on one table.
        notes: What the photo cannot show, or what could not be made legal, one sentence each.
        checks: What a person should look at besides doubtful cards, one sentence each.
        readings: Further likely readings: log-probability relative to the best, and the position.
    """

    game: str
    position: Mapping[str, Any]
    placed: tuple[Placed, ...]
    back_zones: tuple[str, ...] = ()
    score: float = 0.0
    notes: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    readings: tuple[tuple[float, Mapping[str, Any]], ...] = field(default=(), compare=False)


def hardened(log_card: Array) -> Array:
    """Reads without doubt: the best identity certain, the rest next to impossible. For evaluations without decoding."""
    hard = np.full_like(log_card, -60.0)
    if len(hard):
        hard[np.arange(len(hard)), log_card.argmax(1)] = 0.0
    return hard


def place(table: Table, decoded: Decoded, seen: int, identity: int, zone: str) -> Placed:
    """A seen card in its zone, with the posterior that decoding gave it; with its read alone where it has no zone."""
    if zone == "none":
        return unzoned(table, seen)
    belief = decoded.posteriors[seen]
    read, card = table.cards[seen].best, Card.from_index(identity)
    why = "" if read == card else f"read as {read}, the rules leave {card}"
    others = tuple((Card.from_index(c), p) for c, p in belief.alternatives if c != identity)
    return Placed(card, zone, seen, belief.confidence, others, why)


def unzoned(table: Table, seen: int) -> Placed:
    """A seen card that the layout has no place for, as it was read."""
    card = table.cards[seen]
    return Placed(card.best, "none", seen, float(np.exp(card.log_card.max())))


def left_out(table: Table, seen: int) -> Placed:
    """A seen card that decoding left out, because the rest makes more sense without it: never sure, always shown."""
    card = table.cards[seen]
    chance = min(float(np.exp(card.log_card.max())), card.is_card, 0.5)
    return Placed(card.best, "none", seen, chance, (), "left out: without it the rest fits better")


def unplaced(game: str, position: Mapping[str, Any], table: Table) -> Parsed:
    """A table that cannot be this game's: an empty position, every card in no zone."""
    placed = tuple(unzoned(table, row) for row in range(len(table.cards)))
    note = "the cards do not lie as this game lays them"
    return Parsed(game, position, placed, ("none",) * len(table.backs), IMPOSSIBLE, (note,))
