"""Path-traced photos of a turn of Makiaveli: the same table before and after it, and the camera held anew for each.

What a turn leaves alone stays where it lies, but for what somebody pushed. A meld grows at its ends, as people do it;
what fits in there no longer is laid anew where room is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import Any, Final

import numpy as np

from datasets.games.played_turns import TurnScene, given_hand, random_kind, turn_from
from datasets.path_traced.decks import Deck
from datasets.path_traced.fairness import shows_from_above
from datasets.path_traced.games import maker_of
from datasets.path_traced.tables import Box, Laid, Person, Table, bounds, group, moved, turned
from datasets.path_traced.trace import TRIES, Order, take_photo
from datasets.picture_tools import Rng
from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.melds import in_order, is_meld, is_set

BEFORE: Final = "before.jpg"
AFTER: Final = "after.jpg"
TURN: Final = "truth.json"
"""The files of a turn."""
_PLAY, _LAY, _PHOTO = 901, 902, 903
"""Parts of the work, each with a generator of its own."""
_FROM: Final = (0.0, 0.0, 0.0, 20.0, -20.0, 40.0, -40.0)
"""From where each photo may be taken, degrees round the table."""
_MARGIN: Final = 4.0
"""Between groups of cards, mm."""
_FROM_HAND: Final = 36.0
"""Between a hand and what is laid near it, mm: nearer than that, nobody could tell them apart."""
_STRAIGHT: Final = 12.0
"""How far the cards of a straight row are turned against each other at most, degrees."""
_EVEN: Final = 0.35
"""How much the steps of a row differ at most, as a share of them."""


@dataclass(frozen=True, slots=True)
class TracedTurn:
    """A turn whose two photos are to be traced.

    Attributes:
        order: Whose deck, back, surface and light it has.
        scene: What is played.
        hand: The hand that is named, None where it lies in the photos.
        tables: The table before and after the turn.
    """

    order: Order
    scene: TurnScene
    hand: tuple[Card, ...] | None
    tables: tuple[Table, Table]

    @classmethod
    def draw(cls, order: Order) -> TracedTurn:
        """The turn of an order: the first one whose tables hide no index."""
        deck, rng = order.look.deck, order.rng(_LAY)
        scene, *tables = next(turn for turn in _laid_turns(order, rng) if _shows_all(turn[1:], deck))
        is_named = scene.kind == "not of the hand" or rng.random() < 0.5
        first, second = (_without_hand(table) if is_named else table for table in tables)
        return cls(order, scene, given_hand(rng, scene) if is_named else None, (first, second))

    def trace(self, photo: int, size: int | None, samples: int) -> tuple[bytes, dict[str, Any]] | None:
        """The photo before (0) or after (1) the turn, and its label; None where none of some tries is fair."""
        maker = maker_of(self.order.kind)
        for attempt in range(TRIES):
            rng = self.order.rng(_PHOTO, photo, attempt)
            table = replace(self.tables[photo], azimuths=(float(rng.choice(_FROM)),))
            side = size or maker.closer or max(maker.sides)
            if shot := take_photo(rng, table, self.order.look, side, samples, stands=maker.stands):
                return shot
        return None

    def truth(self) -> dict[str, Any]:
        """The turn as a JSON object."""
        hand = None if self.hand is None else [str(card) for card in self.hand]
        scene = self.scene
        return {"kind": scene.kind, "hand": hand, "before": str(scene.before), "after": str(scene.after)}


def _turns(order: Order) -> Iterator[tuple[Table, TurnScene]]:
    """Tables on which a turn of the order's kind can be played."""
    kind = random_kind(order.rng(_PLAY))
    for attempt in count():
        rng = order.rng(_PLAY, attempt)
        table = maker_of(order.kind).lay(rng, order.look.deck, order.seed - 1)
        assert table.position is not None, "a kind of which no turns are played"
        if (scene := turn_from(rng, kind, Position.from_json(table.position))) is not None:
            yield table, scene


def _laid_turns(order: Order, rng: Rng) -> Iterator[tuple[TurnScene, Table, Table]]:
    """Turns, each with the table before and after it."""
    for table, scene in _turns(order):
        cards = _lie_after(rng, order.look.deck, table, scene)
        yield scene, table, replace(table, position=scene.after.to_json(), cards=cards)


def _shows_all(tables: Iterable[Table], deck: Deck) -> bool:
    return all(shows_from_above(table.cards, deck) for table in tables)


def _without_hand(table: Table) -> Table:
    assert table.position is not None, "a table without a game has no hand"
    cards = tuple(card for card in table.cards if card.zone != "hand")
    return replace(table, cards=cards, position=table.position | {"hand": []})


def _lie_after(rng: Rng, deck: Deck, table: Table, scene: TurnScene) -> tuple[Laid, ...]:
    """The cards as they lie after a turn."""
    person, lying = Person.draw(rng), _Lying(deck, [])
    zones: dict[str, list[Laid]] = {}
    for card in table.cards:
        zones.setdefault(card.zone, []).append(card)
    for place, face in enumerate(scene.after.cross):
        lying.add(zones.get(f"cross/{place}", []) if face else [])
    lying.add(zones.get("deck", []))
    lying.add(_hand_after(rng, person, deck, zones.get("hand", []), scene.after.hand))
    heirs = _heirs(scene)
    before = {number: zones[f"floor/{heir}"] for number, heir in heirs.items()}
    changed = []
    for number, meld in enumerate(scene.after.floor):
        cards = before.get(number, [])
        if sorted(card.face for card in cards) == sorted(map(str, meld)):
            lying.add([replace(card, zone=f"floor/{number}") for card in _nudged(rng, cards)])
        else:
            changed.append((number, meld, cards))
    box = bounds([card for card in table.cards if card.zone != "hand"], deck)
    for number, meld, cards in changed:
        lying.add_where_room_is(_meld_after(rng, person, deck, (number, meld), cards, box))
    return tuple(card for group in lying.groups for card in group)


def _heirs(scene: TurnScene) -> dict[int, int]:
    """The meld before, by its number, of which each meld after the turn is what became: that it has most cards of."""
    pairs = [
        (first == second, len(set(first) & set(second)), new, old)
        for new, first in enumerate(map(sorted, scene.after.floor))
        for old, second in enumerate(map(sorted, scene.before.floor))
    ]
    heirs: dict[int, int] = {}
    for _, shared, new, old in sorted(pairs, key=lambda pair: (-pair[0], -pair[1], pair[2:])):
        if shared and new not in heirs and old not in heirs.values():
            heirs[new] = old
    return heirs


def _nudged(rng: Rng, cards: Sequence[Laid]) -> Sequence[Laid]:
    """Now and then somebody pushes a meld a little."""
    if rng.random() < 0.7 or not cards:
        return cards
    x, y = cards[0].x, cards[0].y
    dx, dy = (float(v) for v in np.clip(rng.normal(0, 1.5, 2), -_MARGIN, _MARGIN))
    return moved(turned(moved(cards, -x, -y), float(np.clip(rng.normal(0, 0.7), -1.5, 1.5))), x + dx, y + dy)


def _hand_after(rng: Rng, person: Person, deck: Deck, cards: Sequence[Laid], hand: Sequence[Card]) -> list[Laid]:
    """The hand after a turn: with gaps where cards were, or closed up; what was taken up lies at its end."""
    stay, new = _taken_from(cards, list(map(str, hand)))
    if not stay:
        return group(rng, person, deck, new, "hand", "row", 350) if new else []
    if rng.random() < 0.5:
        return [*stay, *_beyond(person, cards, new, "hand", end=True)]
    faces = [*(card.face for card in stay), *new]
    return moved(group(rng, person, deck, faces, "hand", "row", 350), stay[0].x, stay[0].y)


def _taken_from(cards: Sequence[Laid], faces: list[str]) -> tuple[list[Laid], list[str]]:
    """Those of the cards that have these faces, each face once, and the faces that no card has."""
    stay, new = [], list(faces)
    for card in cards:
        if card.face in new:
            new.remove(card.face)
            stay.append(card)
    return stay, new


def _meld_after(
    rng: Rng, person: Person, deck: Deck, meld: tuple[int, Sequence[Card]], cards: Sequence[Laid], box: Box
) -> list[Laid]:
    """A meld with its number after the turn, where it would lie if there were room; in `box` if it is new."""
    zone = f"floor/{meld[0]}"
    stay, new = _taken_from(cards, list(map(str, meld[1])))
    faces = _order(meld[1], stay, new)
    start = next((n for n, face in enumerate(faces) if stay and face == stay[0].face), 0)
    end = start + len(stay)
    if _is_even(stay) and faces[start:end] == [card.face for card in stay] and _is_whole(cards, stay):
        lower = _beyond(person, stay, faces[:start], zone, end=False)
        return [
            *lower,
            *(replace(card, zone=zone) for card in stay),
            *_beyond(person, stay, faces[end:], zone, end=True),
        ]
    style = str(rng.choice(["row", "row", "column", "fan"] if len(faces) < 6 else ["row", "fan"]))
    x, y = (stay[0].x, stay[0].y) if stay else (float(rng.uniform(box[0], box[2])), float(rng.uniform(box[1], box[3])))
    return moved(group(rng, person, deck, faces, zone, style, max(300.0, box[2] - box[0])), x, y)


def _order(meld: Sequence[Card], stay: Sequence[Laid], new: Sequence[str]) -> list[str]:
    """The faces of a meld as they are laid: a run upwards, else what is new at the end."""
    if is_meld(meld) and not is_set(meld):
        return [str(card) for card in in_order(meld)]
    return [*(card.face for card in stay), *new]


def _is_even(cards: Sequence[Laid]) -> bool:
    """Whether cards lie in a straight row with even steps, so that one sees where it goes on."""
    if len(cards) < 2 or abs(cards[-1].turn - cards[0].turn) > _STRAIGHT:
        return False
    steps = np.array([(b.x - a.x, b.y - a.y) for a, b in pairwise(cards)])
    mean = steps.mean(0)
    return bool(np.hypot(*(steps - mean).T).max() < _EVEN * np.hypot(*mean))


def _is_whole(cards: Sequence[Laid], stay: Sequence[Laid]) -> bool:
    """Whether those that stay lie next to each other."""
    first = next(n for n, card in enumerate(cards) if card is stay[0])
    return all(a is b for a, b in zip(cards[first:], stay, strict=False))


def _beyond(person: Person, cards: Sequence[Laid], faces: Sequence[str], zone: str, *, end: bool) -> list[Laid]:
    """Cards laid on beyond the last card of a row, or before its first one, in the steps that it has."""
    edge, other = (cards[-1], cards[0]) if end else (cards[0], cards[-1])
    steps = max(1, len(cards) - 1)
    dx, dy = (edge.x - other.x) / steps, (edge.y - other.y) / steps
    if len(cards) < 2:
        dx = 25.0
    numbers = range(1, len(faces) + 1) if end else range(len(faces), 0, -1)
    return [
        person.lay(face, zone, edge.x + dx * n, edge.y + dy * n, edge.turn, steady=0.8)
        for face, n in zip(faces, numbers, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Lying:
    """Groups of cards that lie on a table."""

    deck: Deck
    groups: list[list[Laid]]

    def add(self, cards: Sequence[Laid]) -> None:
        if cards:
            self.groups.append(list(cards))

    def add_where_room_is(self, cards: Sequence[Laid]) -> None:
        """Adds cards, moved as little as needed to cover nothing."""
        taken = [
            (bounds(group, self.deck), _FROM_HAND if group[0].zone == "hand" else _MARGIN) for group in self.groups
        ]
        left, near, right, far = bounds(cards, self.deck)
        for dx, dy in _outwards():
            box = left + dx, near + dy, right + dx, far + dy
            if not any(_touch(box, other, margin) for other, margin in taken):
                self.add(moved(cards, dx, dy))
                return


def _outwards() -> Iterator[tuple[float, float]]:
    """Ways to move cards, the shortest first, mm."""
    yield 0.0, 0.0
    for distance in count(6.0, 6.0):
        for angle in np.arange(0, 2 * np.pi, np.pi / 8):
            yield float(distance * np.cos(angle)), float(distance * np.sin(angle))


def _touch(first: Box, second: Box, margin: float) -> bool:
    return (
        first[0] < second[2] + margin
        and second[0] < first[2] + margin
        and first[1] < second[3] + margin
        and second[1] < first[3] + margin
    )
