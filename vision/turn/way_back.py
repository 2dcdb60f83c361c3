"""The way back from the table after a turn to the one before, drawn on the photo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.comparison import StepBack
from solver.place import Place
from vision.annotated_photo import draw_arrows
from vision.read_card import Quad, ReadCard
from vision.reading import Reading
from vision.turn.deck_sides import free_place
from vision.turn.sureness import cross_cards


def draw_steps(image: Any, steps: Sequence[StepBack], table: Position, readings: tuple[Reading, Reading]) -> Any:
    """A copy of the photo after a turn with the steps to the table before it: numbered arrows from card to place.

    Args:
        image: uint8 RGB (H, W, 3), the photo.
        steps: The steps.
        table: The table after the turn.
        readings: What the photos before and after the turn show.
    """
    lying = find_cards(table, readings[1].cards)
    arrows = []
    for number, step in enumerate(steps, start=1):
        quads = [_take_quad(lying[step.source], card) for card in step.cards]
        there = [] if step.target is None else [card.quad for card in lying.get(step.target, ())]
        if step.target is not None and step.target.kind == "cross":  # its places look different from each side
            free = free_place(readings, step.target)
            decks = (back.quad for back in readings[1].backs if back.place.kind == "deck")
            there = list(decks) if free is None else [free]
        shown, beside = ([quad for quad in row if quad is not None] for row in (quads, there))
        if shown:
            arrows.append((str(number), shown, beside))
    return draw_arrows(image, arrows)


def find_cards(table: Position, cards: Sequence[ReadCard]) -> dict[Place, list[ReadCard]]:
    """Where the photo shows the cards of each meld of a table, of its cross and of its hand.

    The melds of the table need not be those of the reading, nor be numbered alike. So the cards that were read at one
    place go to what shares most of them: thus a copy is not taken for the card.
    """
    wanted = {Place("floor", number): Counter(meld) for number, meld in enumerate(table.floor)}
    wanted |= {Place("cross"): cross_cards(table), Place("hand"): Counter(table.hand)}
    read: dict[Place, list[ReadCard]] = {}
    for card in cards:
        read.setdefault(card.place.any_of_kind if card.place.kind == "cross" else card.place, []).append(card)

    def likeness(pair: tuple[Place, Place]) -> tuple[bool, int, bool]:
        shared = wanted[pair[0]] & Counter(card.card for card in read[pair[1]] if card.card is not None)
        return "hand" in (pair[0].kind, pair[1].kind) and pair[0] != pair[1], -shared.total(), pair[0] != pair[1]

    found: dict[Place, list[ReadCard]] = {place: [] for place in wanted}
    for place, there in sorted(product(wanted, read), key=likeness):
        for card in tuple(read[there]):
            if card.card is not None and wanted[place][card.card] > 0:
                wanted[place][card.card] -= 1
                found[place].append(card)
                read[there].remove(card)
    return found


def _take_quad(lying: list[ReadCard], card: Card) -> Quad | None:
    """The corners of a card of those that lie at a place, which is taken from there."""
    number = next((number for number, read in enumerate(lying) if read.card == card), None)
    return None if number is None else lying.pop(number).quad
