"""Turns of Makiaveli: the table before and after, with what happened between.

Legal turns play some or all of a hand and rearrange what that takes. Illegal ones break one rule each (`KINDS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from datasets.games.game import first_legal
from datasets.games.makiaveli import crowded_position
from datasets.picture_tools import Rng
from solver.cards import Card
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
    kind = random_kind(rng)
    while True:
        before = Position.from_json(first_legal(lambda: crowded_position(rng, cards)))
        if (scene := turn_from(rng, kind, before)) is not None:
            return scene


def random_kind(rng: Rng) -> str:
    """One of `KINDS`, half of the time a legal turn."""
    return "legal" if rng.random() < LEGAL_SHARE else str(rng.choice(KINDS[1:]))


def turn_from(rng: Rng, kind: str, before: Position) -> TurnScene | None:
    """A turn of a kind on a table; None where none was found."""
    found = _play(rng, before)
    after = found if found is None or kind == "legal" else _break(rng, kind, before, found)
    return None if after is None else TurnScene(kind, before, after)


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
