"""Turns of Makiaveli in two photos: the table before and after, of another angle each, with what happened between.

What a turn leaves alone stays where it lies, but for what somebody pushed. Legal turns play some or all of a hand and
rearrange what that takes. Illegal ones break one rule each (`KINDS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.games.game import first_legal
from datasets.games.makiaveli import crowded_position
from datasets.layouts import Part, families
from datasets.layouts.geometry import Cards, extent, moved
from datasets.picture_tools import Image, Rng
from datasets.scenes.camera_effects import develop
from datasets.scenes.renderer import LaidCard, Stage
from datasets.scenes.several_photos import LaidTable, lay_table, pushed
from datasets.scenes.surfaces import background
from datasets.scenes.whole_tables import fitted
from datasets.splits import Split
from solver.cards import Card, MaybeCard
from solver.makiaveli import Position, solve
from solver.makiaveli.melds import is_meld
from solver.solution import Limits

KINDS: Final = ("legal", "taken up", "no meld", "nothing played", "cross taken", "not of the hand")
LEGAL_SHARE: Final = 0.5
REARRANGED_SHARE: Final = 0.3
"""Of legal turns that move a card more than they need to."""
MOST_STATES: Final = 5_000
"""Of the search for a turn that leaves most as it lies."""
MOST_MOVED: Final = 20
"""Cards that people move in a turn at most; the search knows ways that nobody would find."""
MARGIN: Final = 0.12
"""Between melds, card widths."""


@dataclass(frozen=True, slots=True)
class TurnScene:
    """A turn, legal or not.

    Attributes:
        kind: One of `KINDS`.
        before: The table with the hand of the player.
        after: The table behind it, with what is left of the hand.
    """

    kind: str
    before: Position
    after: Position


def random_turn(rng: Rng, cards: int) -> TurnScene:
    """A turn on a table with so many cards, 40 to 104."""
    kind = "legal" if rng.random() < LEGAL_SHARE else str(rng.choice(KINDS[1:]))
    while True:
        before = Position.from_json(first_legal(lambda: crowded_position(rng, cards)))
        found = _play(rng, before)
        broken = found if found is None or kind == "legal" else _break(rng, kind, before, found)
        if broken is not None:
            return TurnScene(kind, before, broken)


def _play(rng: Rng, before: Position) -> Position | None:
    """The table after a legal turn that plays some of the hand; None where none can be played."""
    if not before.hand:
        return None
    count = int(rng.integers(1, len(before.hand) + 1))
    rows = rng.permutation(len(before.hand))
    chosen, kept = [before.hand[n] for n in rows[:count]], [before.hand[n] for n in rows[count:]]
    found = solve(replace(before, hand=tuple(chosen)), Limits(nodes=MOST_STATES))
    if found.final is None or found.moved > MOST_MOVED:
        return None
    after = before.play(replace(found.final, hand=(*found.final.hand, *kept)))
    return _rearranged(rng, after) or after if rng.random() < REARRANGED_SHARE else after


def _break(rng: Rng, kind: str, before: Position, after: Position) -> Position | None:
    """The table after a turn that breaks one rule; None where this one cannot."""
    match kind:
        case "taken up":
            return _with_card_taken_up(rng, before, after)
        case "no meld":
            return _with_wrong_meld(rng, after)
        case "nothing played":
            return _rearranged(rng, before)
        case "cross taken":
            return _without_cross_card(rng, before, after)
    return after if len(after.hand) < len(before.hand) else None


def _with_card_taken_up(rng: Rng, before: Position, after: Position) -> Position | None:
    """The last card of a long meld in the hand."""
    long = [n for n, meld in enumerate(after.floor) if len(meld) > 3 and meld[-1] in _floor(before)]
    if not long:
        return None
    n = int(rng.choice(long))
    taken = after.floor[n][-1]
    if _count(after, taken) != _count(before, taken):  # the copy of the hand was played: nobody could tell
        return None
    return replace(_with_meld(after, n, after.floor[n][:-1]), hand=(*after.hand, taken))


def _without_cross_card(rng: Rng, before: Position, after: Position) -> Position | None:
    """A card of the cross gone."""
    there = [n for n, card in enumerate(after.cross) if card is not None]
    if not there:
        return None
    n = int(rng.choice(there))
    if after.cross[n] in Counter(before.hand) - Counter(after.hand):  # nobody could tell it from the copy played
        return None
    return replace(after, cross=tuple(None if k == n else card for k, card in enumerate(after.cross)))


def given_hand(rng: Rng, scene: TurnScene) -> tuple[Card, ...]:
    """The hand to name: the player's own, but a card short where the turn plays what is not of it."""
    if scene.kind != "not of the hand":
        return scene.before.hand
    played = list(scene.before.hand)
    for card in scene.after.hand:
        played.remove(card)
    away = played[int(rng.integers(len(played)))]
    rest = list(scene.before.hand)
    rest.remove(away)
    return tuple(rest) if away not in rest else tuple(card for card in rest if card != away)


def _with_wrong_meld(rng: Rng, after: Position) -> Position | None:
    """A card of the hand laid where it does not fit, or of a run its middle taken to lengthen a set."""
    tries = [(n, card) for n in range(len(after.floor)) for card in after.hand]
    rng.shuffle(tries)
    for n, card in tries:
        meld = (*after.floor[n], card)
        if not is_meld(meld):
            rest = list(after.hand)
            rest.remove(card)
            return replace(_with_meld(after, n, meld), hand=tuple(rest))
    return None


def _rearranged(rng: Rng, before: Position) -> Position | None:
    """Floor cards moved from meld to meld, nothing played."""
    ways = [
        (giver, end, taker)
        for giver, meld in enumerate(before.floor)
        if len(meld) > 3
        for end in (0, len(meld) - 1)
        for taker, other in enumerate(before.floor)
        if taker != giver and is_meld((*other, meld[end]))
    ]
    if not ways:
        return None
    giver, end, taker = ways[int(rng.integers(len(ways)))]
    meld, card = before.floor[giver], before.floor[giver][end]
    changed = _with_meld(before, giver, meld[:end] + meld[end + 1 :])
    joined = (*before.floor[taker], card)
    return _with_meld(changed, taker, joined)


def _with_meld(position: Position, number: int, meld: Sequence[Card]) -> Position:
    return replace(position, floor=tuple(tuple(meld) if n == number else m for n, m in enumerate(position.floor)))


def _floor(position: Position) -> list[Card]:
    return [card for meld in position.floor for card in meld]


def _count(position: Position, card: Card) -> int:
    return _floor(position).count(card) + position.cross.count(card)


def photograph_turn(
    rng: Rng, split: Split, scene: TurnScene, size: tuple[int, int], *, hand: bool, strength: float = 0.7
) -> tuple[list[Image], str]:
    """The two photos of a turn; with test decks on a table laid in a way that no training sees.

    Args:
        rng: Random generator.
        split: Whose decks and backgrounds are used.
        scene: The turn.
        size: Width and height of each photo, px.
        hand: Whether the hand lies in the photos.
        strength: Chance factor of harsh light and blur, 0 to 1.

    Returns:
        uint8 RGB pictures, and the name of the way to lay them.
    """
    part: Part = "held out" if split == "test" else "train"
    choices = [family for family in families(Position.game, part) if family.position is None]  # others lay no cross
    family = choices[int(rng.integers(len(choices)))]
    seed = int(rng.integers(2**31))
    laid = []
    for position in (scene.before, scene.after):
        shown = position if hand else replace(position, hand=())
        laid.append(lay_table(np.random.default_rng(seed), split, Position.game, shown.to_json(), family))
    first, second = laid
    second = replace(first, cards=pushed(rng, _lie_after(scene, first, second)))
    return [shoot(rng, table, size, strength) for table in (first, second)], family.name


def _lie_after(scene: TurnScene, first: LaidTable, second: LaidTable) -> Cards:
    """The cards after the turn: what it left alone where it lay, the rest as the second table has it, where room is."""
    kept = _kept_melds(scene)
    lying = list(_left_alone(first.cards, scene.after, kept))
    hand: Counter[MaybeCard] = Counter(scene.after.hand)
    hand.subtract(card.card for card in lying if card.zone == "hand")
    pieces: dict[str, Cards] = {}
    for card in second.cards:
        if card.zone.startswith("floor/") and int(card.zone[6:]) not in kept.values():
            pieces.setdefault(card.zone, []).append(card)
        elif card.zone == "hand" and hand[card.card]:
            hand[card.card] -= 1
            pieces.setdefault("hand", []).append(card)
    for cards in pieces.values():
        lying += _where_room_is(lying, cards, first.deck.aspect)
    return lying


def _kept_melds(scene: TurnScene) -> dict[int, int]:
    """The number after the turn of each meld that it left alone, by the number before it."""
    left = {n: sorted(meld) for n, meld in enumerate(scene.before.floor)}
    kept: dict[int, int] = {}
    for number, meld in enumerate(scene.after.floor):
        same = next((n for n, cards in left.items() if cards == sorted(meld)), None)
        if same is not None:
            kept[same] = number
            del left[same]
    return kept


def _left_alone(laid: Sequence[LaidCard], after: Position, kept: Mapping[int, int]) -> Iterator[LaidCard]:
    """The cards of the first table that lie so after the turn too, in the zones that they have then."""
    hand: Counter[MaybeCard] = Counter(after.hand)
    for card in laid:
        kind, _, place = card.zone.partition("/")
        if kind == "floor":
            if int(place) in kept:
                yield replace(card, zone=f"floor/{kept[int(place)]}")
        elif kind == "hand":
            if hand[card.card]:
                hand[card.card] -= 1
                yield card
        elif kind != "cross" or after.cross[int(place)] is not None:
            yield card


def _where_room_is(lying: Cards, cards: Cards, aspect: float) -> Cards:
    """The cards moved as little as needed to cover nothing that lies there."""
    zones: dict[str, Cards] = {}
    for card in lying:
        zones.setdefault(card.zone, []).append(card)
    boxes = np.array([extent(group, aspect) for group in zones.values()]).reshape(-1, 4)
    left, far, right, near = extent(cards, aspect)
    for distance in np.arange(0, 40, 0.4):
        for angle in np.arange(0, 2 * np.pi, np.pi / 8) if distance else (0.0,):
            x, y = distance * np.cos(angle), distance * np.sin(angle)
            apart = (
                (boxes[:, 0] > right + x + MARGIN)
                | (boxes[:, 2] < left + x - MARGIN)
                | (boxes[:, 1] > near + y + MARGIN)
                | (boxes[:, 3] < far + y - MARGIN)
            )
            if apart.all():
                return moved(cards, float(x), float(y))
    raise AssertionError("there is always room far off")


def shoot(rng: Rng, table: LaidTable, size: tuple[int, int], strength: float) -> Image:
    """A photo of a whole table."""
    camera = fitted(rng, table.cards, table.deck, size)
    stage = Stage(rng, background(np.random.default_rng(table.surface), table.split, *size), camera, [table.deck])
    for card in table.cards:
        stage.lay(card)
    return develop(rng, stage.image, stage.owner >= 0, strength=strength)
