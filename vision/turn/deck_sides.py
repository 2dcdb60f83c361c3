"""At which side of the deck a card of the cross lay, as the photo after the turn shows it.

That photo may be taken from another side of the table than the one before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

import numpy as np

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
    """A step with the side of the deck as the second photo shows it; the same where the photos do not tell."""
    side = None if step.target is None else find_side(readings, step.target)
    if side is None or step.target is None:
        return step
    was, now = (f"back {CROSS_PLACES[number]} the deck" for number in (step.target.ordinal, side))
    return replace(step, text=step.text.replace(was, now))


def free_place(readings: tuple[Reading, Reading], place: Place) -> Any:
    """The corners of a place of the cross in the second photo, beside the deck; None where the photos do not tell."""
    side, deck = find_side(readings, place), _deck(readings[1])
    if side is None or deck is None:
        return None
    return deck + _AWAY * np.ptp(deck, axis=0) * _SIDES[side]


def find_side(readings: tuple[Reading, Reading], place: Place) -> int | None:
    """At which side of the deck the second photo shows a place of the cross that the first one shows with its card."""
    deck, turned = _deck(readings[0]), _turned(readings)
    card = next((card.sight_in(_photo_of(readings[0])) for card in readings[0].cards if card.place == place), None)
    if place.kind != "cross" or deck is None or turned is None or card is None:
        return None
    there = (card.middle - complex(*deck.mean(axis=0))) * turned
    return int((_SIDES @ (there.real, there.imag)).argmax())


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
