"""Klondike: seven columns that run towards the player, above them stock, waste and foundations.

The direction towards the player is the one in which cards lie on each other, so the photo may be taken from any side.
A column's face-up part must go down in alternating colours and no card stands twice; `vision.decode` finds the
likeliest reading that obeys. How stock and waste share the cards that nobody sees is not in the photo: the waste holds
what is seen of it, the stock the rest as `??`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from solver.cards import SUIT_CHARS, UNKNOWN, Card
from vision.cards_seen import Table
from vision.decode import RULE_BROKEN, Decoded, Option, Problem, decode
from vision.geometry import Array, across, gaps, rectangle
from vision.layout.neighbours import groups, up_of
from vision.layout.parsed import Parsed, hardened, place

GAME: Final = "klondike"
COLUMNS: Final = 7
DECK_SIZE: Final = 52
MAX_STOCK: Final = 24
ALIGNED: Final = 0.42
"""Cards of a pile are at most this many card widths out of line."""


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A card or a back in the player's frame: x to the right, y towards the player, in card widths."""

    card: int | None
    back: int | None
    x: float
    y: float
    layer: int
    visible: float = 1.0


@dataclass(frozen=True, slots=True)
class _Pile:
    """Items from the far end to the near end."""

    items: tuple[_Item, ...]

    @property
    def x(self) -> float:
        return float(np.mean([item.x for item in self.items]))

    @property
    def start(self) -> float:
        return min(item.y for item in self.items)

    @property
    def cards(self) -> tuple[int, ...]:
        return tuple(item.card for item in self.items if item.card is not None)

    @property
    def backs(self) -> tuple[_Item, ...]:
        return tuple(item for item in self.items if item.back is not None)


@dataclass(frozen=True, slots=True)
class _Places:
    """Piles by their place on the table."""

    columns: tuple[_Pile | None, ...]
    stock: _Pile | None
    waste: tuple[_Item, ...]
    foundations: tuple[_Pile, ...]
    misfit: float
    extra: tuple[_Item, ...] = ()


def parse(table: Table, *, decoding: bool = True) -> Parsed:
    """Reads a table as Klondike.

    Args:
        table: What is seen.
        decoding: Weigh reads with the rules; without it each card stays as read (the baseline in evaluations).
    """
    places = _places(table)
    log = table.log_card if decoding else hardened(table.log_card)
    return _decoded(table, places, log, decoding)


def toward_player(table: Table) -> Array:
    """The direction in the plane in which piles run towards the player.

    Each overlapping pair votes from the covered card to the covering one; a photo without any is taken to be upright.
    """
    up = up_of(table)
    axes = np.array([-up, across(up), up, -across(up)])
    votes = np.zeros(4)
    votes[0] = 0.6
    cards, width = table.cards, table.template.width
    if len(cards) > 1:
        quads = rectangle(table.centres, table.downs, table.template.width, table.template.height)
        touching = gaps(quads) < -0.1 * width
        for i in range(len(cards)):
            for j in np.flatnonzero(touching[i]):
                line = cards[j].centre - cards[i].centre
                length = float(np.linalg.norm(line))
                if cards[j].layer > cards[i].layer and 0.15 * width < length < 1.2 * table.template.height:
                    cosine = axes @ line / length
                    along = abs(float(line @ cards[i].down)) / length > 0.9  # columns run along the cards
                    if cosine.max() > 0.9:
                        votes[int(cosine.argmax())] += 1.0 if along else 0.2
    for back in table.backs:
        if back.visible < 0.75:  # the free end of a covered back points away from the player
            cosine = axes @ back.down
            votes[int(cosine.argmax())] += 1.0
    return np.asarray(axes[int(votes.argmax())])


def _items(table: Table) -> list[_Item]:
    toward = toward_player(table)
    right = across(toward)
    width = table.template.width
    items = [
        _Item(n, None, float(card.centre @ right) / width, float(card.centre @ toward) / width, card.layer)
        for n, card in enumerate(table.cards)
    ]
    for n, back in enumerate(table.backs):
        x, y = float(back.centre @ right) / width, float(back.centre @ toward) / width
        items.append(_Item(None, n, x, y, -1, back.visible))
    return items


def _piles(items: Sequence[_Item], height: float) -> list[_Pile]:
    """Items that overlap in one line towards the player; `height` is a card's, in widths."""
    if not items:
        return []
    x = np.array([item.x for item in items])
    y = np.array([item.y for item in items])
    apart_y = np.abs(y[:, None] - y[None])
    near = (np.abs(x[:, None] - x[None]) < ALIGNED + 0.1 * apart_y) & (apart_y < 0.94 * height)
    found = []
    for group in groups(near):
        ordered = sorted((items[k] for k in group), key=lambda item: item.y)
        found.append(_Pile(tuple(ordered)))
    return found


def _levelled(items: Sequence[_Item], piles: Sequence[_Pile]) -> list[_Item]:
    """Items with the rows made level: a photo leaves a little shear open, which equal starts of columns settle."""
    x = np.array([pile.x for pile in piles])
    y = np.array([pile.start for pile in piles])
    slopes = np.linspace(-0.36, 0.36, 73)
    start = y[None] - slopes[:, None] * x[None]
    near = np.exp(-0.5 * ((start[:, :, None] - start[:, None, :]) / 0.07) ** 2).sum((1, 2))
    slope = float(slopes[int((near - 2.0 * np.abs(slopes)).argmax())])
    return [replace(item, y=item.y - slope * item.x) for item in items]


def _places(table: Table) -> _Places:
    items = _items(table)
    height = table.template.height / table.template.width
    piles = _piles(items, height)
    if not piles:
        return _Places((None,) * COLUMNS, None, (), (), 0.0)
    piles = _piles(_levelled(items, piles), height)
    starts = sorted(pile.start for pile in piles)
    steps = np.diff(starts)
    top: list[_Pile] = []
    breaks = np.flatnonzero(steps > 0.55 * height)
    if len(breaks):
        cut = starts[int(breaks[0])] + 0.1
        top = [pile for pile in piles if pile.start <= cut]
        tableau = [pile for pile in piles if pile.start > cut]
    else:
        tableau = piles
        long = [pile for pile in tableau if len(pile.items) > 1]
        if not long and len(piles) <= 3:  # nothing but a few single piles: no tableau is left
            top, tableau = piles, []
    return _best_places(tableau, top)


def _spacing(x: Array) -> float:
    """The distance of neighbouring columns, card widths."""
    steps = np.diff(np.sort(x))
    steps = steps[steps > 0.85]
    if not len(steps):
        return 1.25
    smallest = float(np.min(steps))
    small = steps[steps < 1.45 * smallest]
    return float(np.median(small))


def _best_places(tableau: Sequence[_Pile], top: Sequence[_Pile]) -> _Places:
    """Fits seven columns and the row above; tries stock at either side and every offset of the columns."""
    x = np.array([pile.x for pile in tableau])
    top_x = np.array([item.x for pile in top for item in pile.items])
    spacing = _spacing(np.concatenate([x, top_x]) if len(x) < 3 else x)
    anchor = float(x.min()) if len(x) else (float(top_x.min()) if len(top_x) else 0.0)
    slots = np.round((x - anchor) / spacing).astype(int)
    best: _Places | None = None
    span = int(slots.max()) if len(slots) else 0
    for offset in range(max(COLUMNS - span, 1)):
        for left in (True, False):
            found = _try(tableau, top, slots + offset, anchor - offset * spacing, spacing, left)
            if best is None or found.misfit < best.misfit - 1e-9:
                best = found
    assert best is not None
    return best


def _try(
    tableau: Sequence[_Pile], top: Sequence[_Pile], slots: Any, origin: float, spacing: float, left: bool
) -> _Places:
    columns: list[_Pile | None] = [None] * COLUMNS
    extra: list[_Item] = []
    misfit = 0.0
    for pile, slot in zip(tableau, slots, strict=True):
        misfit += ((pile.x - origin) / spacing - slot) ** 2
        if 0 <= slot < COLUMNS and columns[slot] is None:
            columns[slot] = pile
            misfit += 3.0 * max(0, len(pile.backs) - int(slot))  # a column never hides more cards than its number
        else:
            misfit += 6.0
            extra += pile.items
    stock: _Pile | None = None
    waste: list[_Item] = []
    foundations: list[_Pile] = []
    for pile in top:
        at = (pile.x - origin) / spacing
        at = at if left else COLUMNS - 1 - at  # counted from the stock's side
        if pile.backs and not pile.cards:
            if stock is None:
                stock = pile
                misfit += 0.3 * abs(at) + (1.0 if at > 2 else 0.0)
            else:
                misfit += 4.0
                extra += pile.items
        elif at < 2.7:
            waste += pile.items
            misfit += 0.3 * max(0.0, 0.6 - at)
        else:
            foundations.append(pile)
            misfit += 0.15 * abs(at - round(at)) + 4.0 * max(0, len(pile.cards) - 1) + 0.5 * max(0.0, at - 6.4)
    misfit += 5.0 * max(0, len(foundations) - 4) + 4.0 * max(0, len(waste) - 3)
    waste.sort(key=lambda item: (item.layer, item.x))
    return _Places(tuple(columns), stock, tuple(waste), tuple(foundations), misfit, tuple(extra))


def _down_count(pile: _Pile, column: int, width_per_height: float) -> int:
    """Face-down cards of a column: those found, or more where the strips found leave room for more."""
    backs = pile.backs
    if not backs:
        return 0
    faces = [item for item in pile.items if item.card is not None]
    found = len(backs)
    if not faces or found < 2:
        strip = backs[0].visible * width_per_height
        room = faces[0].y - backs[0].y if faces else 0.0
        guess = round(room / strip) if faces and 0.05 < strip < 0.9 * width_per_height else found
        return min(max(found, guess if guess <= found + 1 else found), column, 6) if column else 0
    steps = np.diff([item.y for item in backs])
    step = float(np.median(steps))
    room = faces[0].y - backs[0].y
    guess = round(room / step) if step > 0.03 else found
    count = guess if found < guess <= found + 2 else found
    return max(0, min(count, column))


def _decoded(table: Table, places: _Places, log: Array, decoding: bool) -> Parsed:
    width_per_height = table.template.height / table.template.width
    columns = [() if pile is None else pile.cards for pile in places.columns]
    down = [0 if pile is None else _down_count(pile, n, width_per_height) for n, pile in enumerate(places.columns)]
    tops = [pile.cards[-1] for pile in places.foundations if pile.cards]
    waste = [item.card for item in places.waste if item.card is not None]
    options: list[Option] = []
    rows: dict[int, list[int]] = {}
    names: dict[tuple[int, int], int] = {}

    def offer(card: int, zone: str) -> None:
        order = np.argsort(-log[card])
        likely = [int(c) for c in order[:14] if log[card, c] > log[card, order[0]] - 16]
        if zone.startswith("column") and decoding:  # what its neighbours could ask for
            likely = [int(c) for c in order[:26] if log[card, c] > log[card, order[0]] - 20]
        drop = float(np.log(max(1 - table.cards[card].is_card, 1e-9)))
        keep = float(np.log(max(table.cards[card].is_card, 1e-4)))
        for c in likely:
            uses = [(c, 1)]
            if zone == "foundation":
                uses = [(13 * (c // 13) + rank, 1) for rank in range(c % 13 + 1)]
            names[card, c] = len(options)
            rows.setdefault(card, []).append(len(options))
            score = keep + float(log[card, c])
            options.append(Option(score, (card,), tuple(uses), ((card, c),), (zone, card)))
        if zone != "foundation":
            options.append(Option(drop - 2.0, (card,), (), (), ("none", card)))

    for number, cards in enumerate(columns):
        for card in cards:
            offer(card, f"column/{number}")
    for card in tops:
        offer(card, "foundation")
    for card in waste:
        offer(card, "waste")
    placed_cards = {c for cards in columns for c in cards} | set(tops) | set(waste)
    for card in range(len(table.cards)):
        if card not in placed_cards:
            best = int(log[card].argmax())
            options.append(Option(RULE_BROKEN, (card,), (), ((card, best),), ("none", card)))
    follows: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    if decoding:
        for cards in columns:
            for below, above in pairwise(cards):
                slack = len(options)
                options.append(Option(RULE_BROKEN, (), (), (), ("broken", below)))
                gone = [n for n, o in enumerate(options) if o.covers == (above,) and not o.identities]
                for c in {options[n].identities[0][1] for n in rows[below]}:
                    wanted = [names[above, d] for d in _lies_on(c) if (above, d) in names]
                    follows.append(((names[below, c],), (*wanted, *gone, slack)))
        read = [int(log[card].argmax()) for card in placed_cards]
        for c in {c for c in read if read.count(c) > 1}:
            options.append(Option(RULE_BROKEN, (), ((c, -1),), (), ("twice", c)))
    problem = Problem(options, dict.fromkeys(range(DECK_SIZE), 1 if decoding else 99), follows)
    decoded = decode(problem, dict(enumerate(table.log_card)), budget=24 if decoding else 0)
    if decoded is None:  # more equal cards than the slack allows: stay with the plain reads
        return _decoded(table, places, hardened(log), False)
    return _parsed(table, places, down, problem, decoded)


def _lies_on(card: int) -> list[int]:
    """Identities that may lie on `card` in a column: one lower, of the other colour."""
    if card % 13 == 0:
        return []
    red = card // 13 in (1, 2)
    return [13 * suit + card % 13 - 1 for suit in ((0, 3) if red else (1, 2))]


def _position(
    places: _Places, down: Sequence[int], chosen: Sequence[Option]
) -> tuple[dict[str, Any], dict[int, str], list[str]]:
    """The position, each card's zone, and notes."""
    identity = {item: c for option in chosen for item, c in option.identities}
    gone = {option.covers[0] for option in chosen if option.covers and option.what == ("none", option.covers[0])}
    zones = dict.fromkeys(gone, "none")
    columns = []
    for number, pile in enumerate(places.columns):
        cards = [] if pile is None else [c for c in pile.cards if c not in gone]
        zones |= dict.fromkeys(cards, f"column/{number}")
        columns.append({"down": [UNKNOWN] * down[number], "up": [str(Card.from_index(identity[c])) for c in cards]})
    foundations = dict.fromkeys(SUIT_CHARS, 0)
    for pile in places.foundations:
        for card in pile.cards[-1:]:
            suit, rank = divmod(identity[card], 13)
            zones[card] = f"foundation/{SUIT_CHARS[suit]}"
            foundations[SUIT_CHARS[suit]] = max(foundations[SUIT_CHARS[suit]], rank + 1)
    waste = [item.card for item in places.waste if item.card is not None and item.card not in gone]
    zones |= dict.fromkeys(waste, "waste")
    on_table = sum(len(c["down"]) + len(c["up"]) for c in columns) + sum(foundations.values()) + len(waste)
    left = DECK_SIZE - on_table
    notes = []
    if left > 0 and places.stock is not None and waste:
        notes.append(f"stock and waste hold {left} more cards face down or covered; they are written as the stock")
    elif left > 0 and places.stock is None:
        notes.append(f"{left} cards are not in the photo; they are written as the stock")
    position = {
        "game": GAME,
        "columns": columns,
        "foundations": foundations,
        "stock": [UNKNOWN] * max(left, 0),
        "waste": [str(Card.from_index(identity[c])) for c in waste],
    }
    return position, zones, notes


def _parsed(table: Table, places: _Places, down: Sequence[int], problem: Problem, decoded: Decoded) -> Parsed:
    chosen = [problem.options[n] for n in decoded.chosen]
    position, zones, notes = _position(places, down, chosen)
    identity = {item: c for option in chosen for item, c in option.identities}
    order = [c for pile in places.columns if pile for c in pile.cards]
    order += [pile.cards[-1] for pile in places.foundations if pile.cards]
    order += [item.card for item in places.waste if item.card is not None]
    placed = [place(table, decoded, c, identity[c], zones[c]) for c in order if c in identity and zones[c] != "none"]
    rest = [c for c in identity if c not in {p.seen for p in placed}]
    placed += [place(table, decoded, c, identity[c], "none") for c in rest]
    back_zones = ["none"] * len(table.backs)
    for number, pile in enumerate(places.columns):
        for item in pile.backs if pile else ():
            assert item.back is not None
            back_zones[item.back] = f"column/{number}"
    for item in places.stock.items if places.stock else ():
        if item.back is not None:
            back_zones[item.back] = "stock"
    broken = sum(1 for option in chosen if isinstance(option.what, tuple) and option.what[0] in ("broken", "twice"))
    if broken:
        notes.append(f"at {broken} place{'s' if broken > 1 else ''} the cards as read break the rules")
    readings = tuple(
        (relative, _position(places, down, [problem.options[n] for n in numbers])[0])
        for relative, numbers in decoded.others
    )
    score = decoded.score - 2.0 * places.misfit + _shape_score(places, down, position)
    return Parsed(GAME, position, tuple(placed), tuple(back_zones), score, tuple(notes), readings)


def _shape_score(places: _Places, down: Sequence[int], position: dict[str, Any]) -> float:
    """How much the table looks like Klondike at all, as a log-likelihood."""
    score = 0.0
    used = [pile for pile in places.columns if pile]
    score += 1.5 * sum(1 for pile in used if len(pile.cards) > 1) + 1.0 * sum(1 for n in down if n)
    score += 1.5 * (len(used) - 4)
    score -= 3.0 * sum(1 for pile in used if not pile.cards)  # a column never ends face down
    score -= 4.0 * len(places.extra)
    score += 1.0 if places.stock else 0.0
    total = DECK_SIZE - len(position["stock"])
    if len(position["stock"]) + len(position["waste"]) > MAX_STOCK:
        score -= 1.0 * (len(position["stock"]) + len(position["waste"]) - MAX_STOCK)
    if total > DECK_SIZE:
        score -= 10.0
    return score
