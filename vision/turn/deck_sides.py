"""At which side of the deck a card of the cross lay, as the table after the turn is drawn, and as its photo shows it.

That photo may be taken from another side of the table than the one before. A table is drawn as the player sees it whose
hand lies open, so the sides that its photo shows may be others again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

import numpy as np

from solver.cards import Card
from solver.makiaveli.comparison import StepBack
from solver.makiaveli.position import CROSS_PLACES
from solver.place import Place
from vision.cards.geometry import Array
from vision.reading import Reading

_FEWEST: Final = 4
"""Cards that both photos show, from which on they tell how the second one is turned."""
_ALIKE: Final = 0.5
"""How much alike they must lie, from 0 to 1, as some were moved."""
_AWAY: Final = 1.2
"""A deck's length or width from its middle to that of the place beside it."""
_SIDES: Final = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
"""Where a photo shows the sides of the deck, in the order of the cross."""


def tell_side(step: StepBack, readings: tuple[Reading, Reading]) -> StepBack:
    """A step with the side of the deck as the second table is drawn; without it where that cannot be told."""
    if step.target is None or step.target.kind != "cross":
        return step
    side = _drawn_side(readings, step.target)
    was, where = CROSS_PLACES[step.target.ordinal], "beside" if side is None else CROSS_PLACES[side]
    return replace(step, text=step.text.replace(f"back {was} the deck", f"back {where} the deck"))


def _drawn_side(readings: tuple[Reading, Reading], place: Place) -> int | None:
    """At which side of the deck a place of the first cross is drawn on the second table, by the cards of both crosses.

    Where that has none in the cross, the photo alone shows the sides.
    """
    turns = {(there - here) % len(CROSS_PLACES) for here, there in _in_both_crosses(readings)}
    if len(turns) == 1:
        return (place.ordinal + turns.pop()) % len(CROSS_PLACES)
    return None if any(_cross_of(readings[1])) else find_side(readings, place)


def _in_both_crosses(readings: tuple[Reading, Reading]) -> list[tuple[int, int]]:
    """The places in both crosses of each card that each of them has once."""
    first, second = (list(_cross_of(reading)) for reading in readings)
    alike = (card for card in first if card is not None and first.count(card) == second.count(card) == 1)
    return [(first.index(card), second.index(card)) for card in alike]


def _cross_of(reading: Reading) -> tuple[Card | None, ...]:
    """The cross of a photo's table."""
    position: Any = reading.position
    return tuple(position.cross)


def free_place(readings: tuple[Reading, Reading], place: Place) -> Any:
    """The corners of a place of the cross in the second photo, beside the deck; None where the photos do not tell."""
    side, deck = find_side(readings, place), _deck(readings[1])
    if side is None or deck is None:
        return None
    return deck + _AWAY * np.ptp(deck, axis=0) * _SIDES[side]


def find_side(readings: tuple[Reading, Reading], place: Place) -> int | None:
    """At which side of the deck the second photo shows a place of the cross, by another card of it or by all cards."""
    if place.kind != "cross":
        return None
    turned = _turned(readings)
    ways = [
        way * 1j ** (place.ordinal - here)  # the sides are counted clockwise
        for here, there in _in_both_crosses(readings)
        if (way := _way_from_deck(readings[1], Place("cross", there))) is not None
    ]
    if not ways and turned is not None:
        way = _way_from_deck(readings[0], place)
        ways = [] if way is None else [way * turned]
    return int((_SIDES @ (ways[0].real, ways[0].imag)).argmax()) if ways else None


def _way_from_deck(reading: Reading, place: Place) -> complex | None:
    """The way in a photo from the deck to the card at a place; None where it shows one of them not."""
    deck = _deck(reading)
    card = next((card.sight_in(_photo_of(reading)) for card in reading.cards if card.place == place), None)
    return None if deck is None or card is None else card.middle - complex(*deck.mean(axis=0))


def _deck(reading: Reading) -> Array | None:
    """The corners of the deck."""
    return next((np.asarray(back.quad) for back in reading.backs if back.place.kind == "deck"), None)


def _photo_of(reading: Reading) -> int:
    """Number of the photo that shows the deck best."""
    return next((back.sights[0].photo for back in reading.backs if back.place.kind == "deck"), 0)


def _turned(readings: tuple[Reading, Reading]) -> complex | None:
    """How the second photo is turned against the first, by the cards that each shows once: a number of length 1."""
    first, second = map(_single_cards, readings)
    both = sorted(first.keys() & second.keys())
    if len(both) < _FEWEST:
        return None
    here, there = (np.array([middles[name] for name in both]) for middles in (first, second))
    here, there = here - here.mean(), there - there.mean()
    alike = np.vdot(here, there) / max(np.linalg.norm(here) * np.linalg.norm(there), 1e-9)
    return complex(alike / abs(alike)) if abs(alike) >= _ALIKE else None


def _single_cards(reading: Reading) -> dict[str, complex]:
    """The middle of each card that a table has once, by its name, in the photo that shows the deck."""
    shown, photo = Counter(card.text for card in reading.cards), _photo_of(reading)
    sights = ((card.text, card.sight_in(photo)) for card in reading.cards)
    return {name: sight.middle for name, sight in sights if sight is not None and shown[name] == 1}
