"""Napoleon's Tomb with one deck and with two: a 3x3 grid of piles, of which a photo shows the tops.

The network tells each card's place. The rules have the last word: a place holds one pile, with one deck no card stands
twice, and each place takes only some ranks; with two decks a foundation's top holds the suit's higher cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from solver.cards import SUIT_CHARS, Card
from vision.assembly import Table
from vision.decode import DOUBTS, RULE_BROKEN, Option, Problem, decode
from vision.geometry import Array
from vision.layout.hidden_piles import under_centre, with_hidden
from vision.layout.network import Layout
from vision.layout.parsed import Parsed, chance_of_choice, hardened, left_out, place, strain_of_left_out
from vision.layout.vocabulary import NONE, ZONES

SINGLE: Final = "tomb_single"
DOUBLE: Final = "tomb_double"
CHANCE: Final = 1e-3
"""A zone less probable than this is not considered for a card."""
PLAUSIBLE: Final = -12.0
"""Identities less likely than this, relative to the best, are not considered."""
_FOUNDATIONS: Final = 4


def parse(game: str, table: Table, layout: Layout, *, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """Reads a table as a Tomb.

    Args:
        game: `tomb_single` or `tomb_double`.
        table: What is seen.
        layout: What the network says of it.
        decoding: Weigh reads with the rules; without it each card stays as read (the baseline in evaluations).
        doubts: How many further searches weigh doubtful cards; 0 where only position and strain are asked for.
    """
    log = table.log_card if decoding else hardened(table.log_card)
    problem = _problem(game, layout.log_zone[game], log, decoding)
    decoded = decode(problem, dict(enumerate(table.log_card)), budget=doubts if decoding else 0)
    assert decoded is not None, "every card may belong to nothing, so there is always an explanation"
    chosen = [problem.options[n] for n in decoded.chosen]
    zones = _zones(chosen)
    identity = {card: c for option in chosen for card, c in option.identities}
    placed = [place(table, decoded, card, identity[card], _named(zone, identity[card])) for card, zone in zones.items()]
    placed += [left_out(table, card) for card in range(len(table.cards)) if card not in zones]
    readings = []
    for relative, numbers in decoded.others:
        readings.append((relative, _position(game, [problem.options[n] for n in numbers])))
    broken = sum(isinstance(o.meaning, tuple) and o.meaning[-1] == "broken" for o in chosen)
    sure = chance_of_choice(problem, decoded, layout.log_zone[game], {z: k for k, z in enumerate(ZONES[game])})
    position = _position(game, chosen)
    return Parsed(
        game,
        position,
        tuple(placed),
        _back_zones(game, table, layout),
        RULE_BROKEN * broken + strain_of_left_out(chosen, layout.log_zone[game]),
        _notes(game),
        tuple(_asked(table, zones, broken)),
        tuple(readings),
        sure,
    )


def _problem(game: str, log_zone: Array, log: Array, decoding: bool) -> Problem:
    names = ZONES[game]
    options: list[Option] = []
    for card in range(len(log)):
        order = np.argsort(-log[card])
        likely = order[log[card, order] > log[card, order[0]] + (PLAUSIBLE if decoding else -1.0)].tolist()
        for number, zone in enumerate(names[:-1]):
            if zone in ("deck", "stock") or log_zone[card, number] < np.log(CHANCE):
                continue
            for c in likely:
                score, broken = float(log_zone[card, number] + log[card, c]), (zone, card, "broken")
                place_of: tuple[Any, int] = (f"foundation {c // 13}" if zone == "foundation" else zone, 1)
                uses, fits = _uses(game, zone, c)
                if not fits and decoding:
                    options.append(Option(score + RULE_BROKEN, (card,), (place_of,), ((card, c),), broken))
                    continue
                options.append(Option(score, (card,), (*uses, place_of), ((card, c),), (zone, card)))
                if len(uses) > 1 and decoding:  # what it holds may lie elsewhere all the same
                    options.append(Option(score + RULE_BROKEN, (card,), (place_of,), ((card, c),), broken))
        options.append(Option(float(log_zone[card, -1]), (card,), (), (), (NONE, card)))
    copies = (1 if game == SINGLE else 2) if decoding else 99
    limits: dict[Any, int] = dict.fromkeys(range(52), copies)
    limits |= dict.fromkeys(names[:-1], 1) | {f"foundation {suit}": 1 for suit in range(_FOUNDATIONS)}
    return Problem(options, limits)


def _uses(game: str, zone: str, card: int) -> tuple[tuple[tuple[Any, int], ...], bool]:
    """What a card in a place takes of the decks, and whether it may show there at all."""
    rank = card % 13
    if game == SINGLE:
        if zone.startswith("corner"):
            return ((card, 1),), rank >= 6
        if zone == "centre":
            return ((card, 1),), rank < 6
        return ((card, 1),), rank == 5 if zone == "spare_six" else rank not in (5, 6)
    if zone == "foundation":  # the suit's higher cards lie below, from the king down
        return tuple((card - rank + r, 1) for r in range(rank, 13)), True
    if zone == "centre":
        return tuple((below, 1) for below in under_centre(card)), True
    return ((card, 1),), True


def _zones(chosen: list[Option]) -> dict[int, str]:
    """Card to zone, of the cards that lie in one."""
    return {
        o.covers[0]: str(o.meaning[0])
        for o in chosen
        if isinstance(o.meaning, tuple) and o.meaning[0] != NONE and o.identities
    }


def _named(zone: str, card: int) -> str:
    return f"foundation/{SUIT_CHARS[card // 13]}" if zone == "foundation" else zone


def _back_zones(game: str, table: Table, layout: Layout) -> tuple[str, ...]:
    """The surest back is deck or stock, where one is; the others are edges of piles."""
    own = layout.log_zone[game][len(table.cards) :]
    name = "deck" if game == SINGLE else "stock"
    number = ZONES[game].index(name)
    likely = own[:, number] > own[:, -1] if len(own) else np.zeros(0, bool)
    best = int(own[:, number].argmax()) if likely.any() else -1
    return tuple(name if k == best else NONE for k in range(len(own)))


def _notes(game: str) -> tuple[str, ...]:
    if game == SINGLE:
        return ("the deck is every card that is not seen, in an unknown order",)
    return (
        "only tops are seen: the cards below them are counted as stock and, beyond its 60, under the reserves; "
        "foundations as in their first round",
        "redeals cannot be seen: 4 are assumed to be left",
    )


def _asked(table: Table, zones: Mapping[int, str], broken: int) -> list[str]:
    out = [str(card.best) for row, card in enumerate(table.cards) if row not in zones]
    checks = []
    if out:
        it = "it belongs" if len(out) == 1 else "they belong"
        checks.append(f"{' '.join(out)} found no place: please check where {it}")
    if broken:
        checks.append(f"at {broken} place{'s' if broken > 1 else ''} the cards as read break the rules")
    return checks


def _position(game: str, chosen: list[Option]) -> dict[str, Any]:
    identity = {card: c for option in chosen for card, c in option.identities}
    by_zone: dict[str, int] = {}
    foundations = dict.fromkeys(SUIT_CHARS, 0)
    for card, zone in _zones(chosen).items():
        if zone == "foundation":
            suit, rank = divmod(identity[card], 13)
            foundations[SUIT_CHARS[suit]] = 13 - rank
        else:
            by_zone[zone] = identity[card]

    def pile(zone: str) -> list[str | None]:
        return [str(Card.from_index(by_zone[zone]))] if zone in by_zone else []

    if game == SINGLE:
        return {
            "game": game,
            "corners": [pile(f"corner/{k}") for k in range(4)],
            "centre": pile("centre"),
            "spares": [card for k in range(4) for card in (pile(f"spare/{k}") or [None])],
            "spare_six": pile("spare_six"),
            "discard": pile("discard"),
        }
    centre = by_zone.get("centre")
    return with_hidden(
        {
            "game": game,
            "foundations": foundations,
            "centre": [] if centre is None else [str(Card.from_index(c)) for c in under_centre(centre)],
            "tableau": [pile(f"tableau/{k}") for k in range(4)],
            "reserves": [pile(f"reserve/{k}") for k in range(4)],
            "wastes": [pile(f"waste/{k}") for k in range(5)],
            "redeals": 4,
        }
    )
