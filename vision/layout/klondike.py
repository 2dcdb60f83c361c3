"""Klondike: seven columns that run towards the player, above them stock, waste and foundations.

The direction towards the player is the one in which cards lie on each other, so the photo may be taken from any side.
A column's face-up part must go down in alternating colours and no card stands twice; `vision.decode` finds the
likeliest reading that obeys. How stock and waste share the cards that nobody sees is not in the photo: the waste holds
what is seen of it, the stock the rest as `??`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import SUIT_CHARS, UNKNOWN, Card
from vision.cards_seen import Table
from vision.counter import MOST, region
from vision.decode import DOUBTS, RULE_BROKEN, Decoded, Option, Problem, decode
from vision.geometry import Array, across, gaps, rectangle, unit
from vision.layout.hidden import COUNTED, NOT_ALL, SLOPE, Columns, count_hidden
from vision.layout.neighbours import groups, up_of
from vision.layout.parsed import Parsed, hardened, left_out, place, unplaced

GAME: Final = "klondike"
COLUMNS: Final = 7
DECK_SIZE: Final = 52
MAX_STOCK: Final = 24
ALIGNED: Final = 0.42
"""Cards of a pile are at most this many card widths out of line."""
SURE: Final = 0.95
"""A column whose count is less probable is asked for."""
UNRULY: Final = -12.0
"""Log-probability that a column does not keep to the rules at all: cards laid in a row, in whatever order."""
DROPPED: Final = -4.0
"""Log-price of leaving out a card, besides what speaks for it."""
HIDES: Final = 1.0
"""Log-price of a card face down where the photo shows only part of a table."""
HIDES_UNSEEN: Final = 3.0
"""The same where no back was found either: a column of open cards is seldom given one that is not there."""
CLEAR: Final = 0.95
"""A strip whose count is less probable is counted at other places along its column too..."""
SHIFTS: Final = (-0.06, 0.06)
"""...namely so far from its own, in card widths: what the counts agree on is surer."""
TWICE: Final = 1.5
"""Misfit of a card that lies in a column or on the waste and would be in a foundation too."""
FANNED: Final = 1.15
"""Cards of the waste are seldom farther apart than this, in card widths."""
MAX_PILES: Final = 24
"""Fourteen piles can show; with many more the photo shows another game."""
MAX_CARDS: Final = 60
"""So it does with more cards than a deck has, but for a few false findings."""
BEST_SHAPE: Final = 22.0
"""No table looks more like Klondike than this, as a log-likelihood: all of `_shape_score`."""
SPLITS: Final = 3
"""So many ways to tell the row above from the columns are followed."""


_EMPTY: Final[Mapping[str, Any]] = {
    "game": GAME,
    "columns": [{"down": [], "up": []}] * COLUMNS,
    "foundations": dict.fromkeys(SUIT_CHARS, 0),
    "stock": [UNKNOWN] * DECK_SIZE,
    "waste": [],
}


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """A card or a back in the player's frame: x to the right, y towards the player, in card widths."""

    card: int | None
    back: int | None
    x: float
    y: float
    layer: int
    rank: int = 0
    suit: int = 0
    is_card: float = 1.0


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
    """Piles by their place on the table, and how many cards lie face down in each column."""

    columns: tuple[_Pile | None, ...]
    down: tuple[int, ...]
    stock: _Pile | None
    waste: tuple[_Item, ...]
    foundations: tuple[_Pile, ...]
    misfit: float
    extra: tuple[_Item, ...] = ()
    unsure: tuple[tuple[int, int, int], ...] = ()
    """Column, and the two likeliest numbers of cards face down in it, where it could be either."""
    partial: bool = False
    """Whether the photo shows a lone column or two, not a whole table."""


def parse(table: Table, *, decoding: bool = True, doubts: int = DOUBTS, least: float = -np.inf) -> Parsed:
    """Reads a table as Klondike.

    Args:
        table: What is seen.
        decoding: Weigh reads with the rules; without it each card stays as read, and each column hides as many cards
            as its strip alone shows (the baseline in evaluations).
        doubts: How many further searches weigh doubtful cards; 0 where only position and score are asked for.
        least: A table that can reach no such score is given up early.
    """
    if len(table.cards) > MAX_CARDS or len(_all_piles(table)) > MAX_PILES:
        return unplaced(GAME, _EMPTY, table)
    log = table.log_card if decoding else hardened(table.log_card)
    # The score is what the reads say, at best, less twice the misfit, and what the table's shape adds.
    there = np.array([card.is_card for card in table.cards])
    reads = np.maximum(np.log(np.maximum(there, 1e-4)) + log.max(1), np.log(np.maximum(1 - there, 1e-9)) + DROPPED)
    places = _places(table, decoding, (float(reads.sum()) + BEST_SHAPE - least) / 2)
    if places is None:
        return unplaced(GAME, _EMPTY, table)
    return _decoded(table, places, log, decoding, doubts)


def toward_player(table: Table) -> Array:
    """The direction in the plane in which piles run towards the player.

    Each overlapping pair votes from the covered card to the covering one, each back to the card that it is covered by,
    the row of columns for the directions across it; a photo that leaves it open is taken to be upright.
    """
    up = up_of(table)
    axes = np.array([-up, across(up), up, -across(up)])
    votes = np.zeros(4)
    votes[0] = 0.6
    cards, width, height = table.cards, table.template.width, table.template.height
    if len(cards) > 1:
        line = table.centres[None] - table.centres[:, None]
        length = np.maximum(np.linalg.norm(line, axis=-1), 1e-6)
        layer = np.array([card.layer for card in cards])
        quads = rectangle(table.centres, table.downs, width, height)
        meet = (gaps(quads) < -0.1 * width) & (length > 0.15 * width) & (length < 1.2 * height)
        # Of a leaning column every index is seen: nothing tells which card covers which, but it still has an axis.
        covers = meet & (layer[None] >= layer[:, None])
        cosine = line @ axes.T / length[..., None]
        along = np.abs((line * table.downs[:, None]).sum(-1)) / length > 0.9  # columns run along the cards
        weight = np.where(along | along.T, 1.0, 0.2) * np.where(layer[None] == layer[:, None], 0.5, 1.0)
        weight = np.where(covers & (cosine.max(-1) > 0.9), weight, 0.0)
        votes += np.bincount(cosine.argmax(-1).ravel(), weight.ravel(), minlength=4)
        spans = [np.ptp(table.centres @ axis) for axis in axes]
        if max(spans) > 1.6 * min(spans):  # seven columns are broader than two rows are tall
            votes[[0, 2] if spans[0] < spans[1] else [1, 3]] += 1.5
        away = [back.centre for back in table.backs if back.visible > 0.75]
        if away:  # the stock lies beyond the columns
            cosine = axes @ unit(table.centres.mean(0) - np.mean(away, axis=0))
            votes += 0.8 * np.clip(cosine, 0, None)
        for back in table.backs:
            shown = back.centre - back.down * height * (1 - back.visible) / 2
            to = table.centres - shown
            far = np.linalg.norm(to, axis=1)
            near = int(far.argmin())
            if back.visible < 0.75 and far[near] < 1.3 * height:
                cosine = axes @ to[near] / max(far[near], 1e-6)
                votes[int(cosine.argmax())] += 0.7 if cosine.max() > 0.85 else 0.0
    return np.asarray(axes[int(votes.argmax())])


def _items(table: Table) -> tuple[list[_Item], list[_Item]]:
    """Cards and backs."""
    toward = toward_player(table)
    axes = np.stack([across(toward), toward]) / table.template.width
    cards = [
        _Item(n, None, float(x), float(y), card.layer, card.best.rank, card.best.suit, card.is_card)
        for n, card in enumerate(table.cards)
        for x, y in [axes @ card.centre]
    ]
    backs = [
        _Item(None, n, float(x), float(y), -1) for n, back in enumerate(table.backs) for x, y in [axes @ back.centre]
    ]
    return cards, backs


def _piles(items: Sequence[_Item], height: float) -> list[_Pile]:
    """Items that overlap in one line towards the player; `height` is a card's, in widths."""
    if not items:
        return []
    x = np.array([item.x for item in items])
    y = np.array([item.y for item in items])
    apart_y = np.abs(y[:, None] - y[None])
    near = (np.abs(x[:, None] - x[None]) < ALIGNED + 0.1 * apart_y) & (apart_y < 0.94 * height)
    return [_Pile(tuple(sorted((items[k] for k in group), key=lambda item: item.y))) for group in groups(near)]


def _all_piles(table: Table) -> list[_Pile]:
    """The piles of all face-up cards."""
    return _piles(_items(table)[0], table.template.height / table.template.width)


def _places(table: Table, decoding: bool, most: float = np.inf) -> _Places | None:
    """The best of the likeliest ways to tell the row above from the columns; None where all misfit by `most` or more.

    What the columns hide is counted, which takes most of the time, only where a way may yet be the best.
    """
    backs, height = _items(table)[1], table.template.height / table.template.width
    piles = _all_piles(table)
    if not piles:
        return _Places((None,) * COLUMNS, (0,) * COLUMNS, None, (), (), 0.0, tuple(backs))
    count = _counts(table)
    ways = [way for split in _splits(piles, height) for way in _ways(split, backs, height)]
    best: _Places | None = None
    for split, places in sorted(ways, key=lambda way: way[1].misfit):
        if places.misfit >= most - 1e-9:
            break
        down, unsure, fit = _hidden(places, split.top, count, decoding)
        misfit = places.misfit - 0.5 * fit
        if misfit < most - 1e-9:
            best, most = replace(places, down=down, unsure=unsure, misfit=misfit), misfit
    return best


@dataclass(frozen=True, slots=True)
class _Split:
    """Piles of the columns, of the row above them and of neither, the rows' slope, and the log-price of that."""

    tableau: tuple[_Pile, ...]
    top: tuple[_Pile, ...]
    extra: tuple[_Pile, ...]
    slope: float
    price: float


def _splits(piles: Sequence[_Pile], height: float) -> list[_Split]:
    """The likeliest ways to tell the row above from the columns, over slopes that the photo may leave to the rows.

    The row above is level and ends a card's height above the columns; what lies farther away is no part of the game.
    """
    x = np.array([pile.x for pile in piles])
    y = np.array([pile.start for pile in piles])
    sure = np.array([sum(item.is_card for item in pile.items) for pile in piles])  # so many cards are lost with a pile
    slope = np.linspace(-0.3, 0.3, 41)
    level = y - slope[:, None] * (x - x.mean())  # (slopes, piles)
    near = np.exp(-0.5 * ((level[:, :, None] - level[:, None]) / 0.07) ** 2)
    row = np.concatenate([np.full((len(slope), 1), -np.inf), np.round(level, 1)], axis=1)[..., None]  # or no row above
    at = level[:, None]
    below = at >= row + 0.9 * height
    top = np.abs(at - row) < 0.3
    extra = ~below & ~top
    price = 0.5 * (slope[:, None] / SLOPE) ** 2 + extra @ (3.0 * sure) + (extra & (at > row)) @ (4.0 * sure)
    price += (0.5 * np.where(top, np.minimum((at - row) / 0.08, 4.0), 0.0) ** 2).sum(-1)
    price -= 0.5 * np.sqrt(np.einsum("srp,spq,srq->sr", below, near, below)) + 0.3 * top.sum(-1)
    price += 6.0 * ~below.any(-1) + 3.0 * np.maximum(0, below.sum(-1) - COLUMNS)
    price += 2.0 * np.maximum(0, top.sum(-1) - 6)
    best: dict[bytes, tuple[float, int, int]] = {}
    for k in np.argsort(price, axis=None, kind="stable"):
        s, r = divmod(int(k), price.shape[1])
        if len(best) == SPLITS or price[s, r] > price.min() + 8:
            break
        best.setdefault(below[s, r].tobytes() + top[s, r].tobytes(), (float(price[s, r]), s, r))
    return [
        _Split(
            tuple(pile for pile, there in zip(piles, below[s, r], strict=True) if there),
            tuple(pile for pile, there in zip(piles, top[s, r], strict=True) if there),
            tuple(pile for pile, there in zip(piles, extra[s, r], strict=True) if there),
            float(slope[s]),
            cost,
        )
        for cost, s, r in best.values()
    ]


def _spacing(x: Array) -> float:
    """The distance of neighbouring columns, card widths."""
    steps = np.diff(np.sort(x))
    steps = steps[steps > 0.85]
    if not len(steps):
        return 1.25
    smallest = float(np.min(steps))
    small = steps[steps < 1.45 * smallest]
    return float(np.median(small))


def _counts(table: Table) -> Callable[[Sequence[int]], Array]:
    """How the photo counts the cards face down above the first face-up cards of columns.

    The function gives log-probabilities (n, MOST + 1); flat ones where there is no photo.
    """
    toward = toward_player(table)
    axes = np.stack([across(toward), toward]) * table.template.width
    known: dict[int, Array] = {}

    def count(cards: Sequence[int]) -> Array:
        new = [card for card in cards if card not in known]
        if new and table.count_backs is not None:
            edges = table.centres[new] - toward * table.template.height / 2

            def counted(rows: NDArray[np.intp], shift: float) -> Array:
                strips = edges[rows][:, None] + (region() + np.array([0.0, shift])) @ axes
                return table.count_backs(table.plane.to_photo(strips)) if table.count_backs else np.zeros((0, 0))

            found = counted(np.arange(len(new)), 0.0).copy()
            doubtful = np.flatnonzero(found.max(1) < np.log(CLEAR))
            if len(doubtful):
                seen = np.mean([found[doubtful], *(counted(doubtful, shift) for shift in SHIFTS)], axis=0)
                found[doubtful] = seen - np.log(np.exp(seen).sum(1, keepdims=True))
            known.update(zip(new, found, strict=True))
        return np.array([known.get(card, np.zeros(MOST + 1)) for card in cards]).reshape(-1, MOST + 1)

    return count


def _ways(split: _Split, backs: Sequence[_Item], height: float) -> list[tuple[_Split, _Places]]:
    """Seven columns and the row above, fitted with the stock at either side and the columns at every offset.

    What each column hides is not counted yet; `misfit` can only grow with it.
    """
    x = np.array([pile.x for pile in split.tableau])
    top_x = np.array([item.x for pile in split.top for item in pile.items])
    spacing = _spacing(np.concatenate([x, top_x]) if len(x) < 3 else x)
    anchor = float(x.min()) if len(x) else (float(top_x.min()) if len(top_x) else 0.0)
    slots = np.round((x - anchor) / spacing).astype(int)
    if len(set(slots.tolist())) > 2:  # the photo's remaining perspective adds up over seven columns
        spacing, anchor = (float(v) for v in np.polyfit(slots, x, 1))
        slots = np.round((x - anchor) / spacing).astype(int)
    ways = []
    span = int(slots.max()) if len(slots) else 0
    for offset in range(max(COLUMNS - span, 1)):
        columns, extra, misfit = _columns(split, slots + offset, anchor - offset * spacing, spacing)
        filled, others = _with_backs(columns, backs, height)
        above = [_above(split, others, anchor - offset * spacing, spacing, left, height) for left in (True, False)]
        for built in {_built(found) for found in above}:  # which pile is the waste decides how many cards are out
            found = min((found for found in above if _built(found) == built), key=lambda places: places.misfit)
            places = replace(
                found, columns=filled, misfit=found.misfit + misfit + split.price + TWICE * _twice(found, filled),
                extra=(*found.extra, *extra), partial=_is_partial(filled, built),
            )  # fmt: skip
            ways.append((split, places))
    return ways


def _columns(split: _Split, slots: Any, origin: float, spacing: float) -> tuple[list[_Pile | None], list[_Item], float]:
    columns: list[_Pile | None] = [None] * COLUMNS
    extra = [item for pile in split.extra for item in pile.items]
    misfit = 0.0
    for pile, slot in zip(split.tableau, slots, strict=True):
        misfit += (2 * (pile.x - origin) / spacing - 2 * slot) ** 2
        if 0 <= slot < COLUMNS and columns[slot] is None:
            columns[slot] = pile
        else:
            misfit += 6.0
            extra += pile.items
    return columns, extra, misfit


def _with_backs(
    columns: Sequence[_Pile | None], backs: Sequence[_Item], height: float
) -> tuple[tuple[_Pile | None, ...], list[_Item]]:
    """Columns with the backs that lie in them, and the backs that lie in none: a chain up from the first face."""
    left = list(backs)
    filled = list(columns)
    for number, pile in enumerate(columns):
        if pile is None or number == 0:  # the first column hides nothing
            continue
        first = pile.items[0]
        chain: list[_Item] = []
        at = first.y
        for back in sorted((b for b in left if abs(b.x - first.x) < 0.5), key=lambda b: -b.y):
            if back.y < first.y - 0.03 and at - back.y < 0.72 * height and first.y - back.y < 0.45 * number + 0.3:
                chain.append(back)
                at = back.y
        left = [back for back in left if back not in chain]
        filled[number] = _Pile((*reversed(chain), *pile.items))
    covered = [item for pile in columns if pile for item in pile.items]
    free = [b for b in left if not any(abs(b.x - c.x) < 0.5 and -0.2 < b.y - c.y < 0.9 * height for c in covered)]
    return tuple(filled), free


def _above(split: _Split, backs: Sequence[_Item], origin: float, spacing: float, left: bool, height: float) -> _Places:
    """The row above: stock, waste of up to three, foundations, counted from the stock's side."""
    level = split.slope
    line = min((pile.start - level * pile.x for pile in split.tableau), default=np.inf)
    misfit = 0.0
    waste: list[_Item] = []
    foundations: list[_Pile] = []
    stock: _Pile | None = None
    beyond = [b for b in backs if b.y - level * b.x < line - 0.55 * height]

    def place_of(x: float) -> float:
        at = (x - origin) / spacing
        return at if left else COLUMNS - 1 - at

    if beyond:
        first = min(beyond, key=lambda b: abs(place_of(b.x)))
        stock = _Pile(tuple(b for b in beyond if abs(b.x - first.x) < 0.6))
        at = place_of(first.x)
        misfit += 0.3 * abs(at) + (2.0 if at > 2 else 0.0) + 0.5 * (len(beyond) - len(stock.items))
    for pile in split.top:
        at = place_of(pile.x)
        if at < 2.7:
            waste += pile.items
            misfit += 0.3 * max(0.0, 0.6 - at)
        else:
            foundations.append(pile)
            misfit += 0.15 * abs(at - round(at)) + 4.0 * max(0, len(pile.cards) - 1) + 0.5 * max(0.0, at - 6.4)
    misfit += 5.0 * max(0, len(foundations) - 4) + 4.0 * max(0, len(waste) - 3)
    fan = _fanned(waste)
    misfit += sum(abs(b.x - a.x) > FANNED for a, b in pairwise(fan))
    return _Places((), (), stock, fan, tuple(foundations), misfit)


def _fanned(waste: Sequence[_Item]) -> tuple[_Item, ...]:
    """Cards of a fan from the lowest to the top one; most of its overlaps tell at which end that is."""
    row = sorted(waste, key=lambda item: item.x)
    rising = sum((b.layer > a.layer) - (b.layer < a.layer) for a, b in pairwise(row))
    return tuple(row if rising >= 0 else reversed(row))


def _built(places: _Places) -> int:
    """How many cards the foundations hold: as many as their top cards say."""
    return sum(max(item.rank for item in pile.items) for pile in places.foundations)


def _twice(places: _Places, columns: Sequence[_Pile | None]) -> int:
    """How many cards lie in a column or on the waste that a foundation holds as well, by their reads."""
    tops = [item for pile in places.foundations for item in pile.items]
    seen = [item for pile in columns if pile for item in pile.items if item.card is not None]
    seen += places.waste
    return sum(card.suit == top.suit and card.rank <= top.rank for card in seen for top in tops)


def _is_partial(columns: Sequence[_Pile | None], built: int) -> bool:
    """Whether few columns show and even with all they may hide, and a full stock, cards are missing."""
    most = [len(pile.cards) + number for number, pile in enumerate(columns) if pile is not None]
    return len(most) <= COLUMNS // 2 and sum(most) + built + MAX_STOCK < DECK_SIZE


def _hidden(
    places: _Places, top: Sequence[_Pile], count: Callable[[Sequence[int]], Array], decoding: bool
) -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...], float]:
    """How many cards each column hides, of which columns that is not sure, and the log-likelihood, at most 0."""
    columns, partial = places.columns, places.partial
    shown = [n for n, pile in enumerate(columns) if pile is not None and pile.cards]
    faces = [next(item for item in pile.items if item.card is not None) for pile in columns if pile and pile.cards]
    backs = [(row, item) for row, n in enumerate(shown) if (pile := columns[n]) for item in pile.backs]
    up = sum(len(pile.cards) for pile in columns if pile)
    price = (HIDES if backs else HIDES_UNSEEN) / COUNTED
    seen = Columns(
        np.array(shown, np.intp),
        np.array([item.x for item in faces]),
        np.array([item.y for item in faces]),
        np.array([row for row, _ in backs], np.intp),
        np.array([item.y for _, item in backs]),
        np.array([(item.x, item.y) for pile in top for item in pile.items]).reshape(-1, 2),
        NOT_ALL if partial else up + _built(places) - COLUMNS,
        count([item.card for item in faces if item.card is not None]) - partial * price * np.arange(MOST + 1),
    )
    counts = count_hidden(seen)
    if not decoding and seen.log_count.any():
        counts = replace(counts, best=seen.log_count.argmax(1))
    down = [0] * COLUMNS
    unsure = []
    for n, hidden, other, sure in zip(shown, counts.best, counts.second, counts.sure, strict=True):
        down[n] = int(hidden)
        if sure < SURE:
            unsure.append((n, int(hidden), int(other)))
    for n, pile in enumerate(columns):  # nothing but backs: what is found
        if pile is not None and not pile.cards:
            down[n] = min(len(pile.backs), n)
    return tuple(down), tuple(unsure), counts.score


def _decoded(table: Table, places: _Places, log: Array, decoding: bool, doubts: int) -> Parsed:
    columns = [() if pile is None else pile.cards for pile in places.columns]
    down = places.down
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
            if zone == "foundation":  # a card of another pile is on it, or two piles are of one suit
                options.append(Option(score + RULE_BROKEN, (card,), (), ((card, c),), ("broken", card)))
        if zone != "foundation":
            options.append(Option(drop + DROPPED, (card,), (), (), ("none", card)))

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
    unruly = 0
    if decoding:
        for cards in columns:
            first, rows_before = len(options), len(follows)
            for below, above in pairwise(cards):
                slack = len(options)
                options.append(Option(RULE_BROKEN, (), (), (), ("broken", below)))
                gone = [n for n, o in enumerate(options) if o.covers == (above,) and not o.identities]
                for c in {options[n].identities[0][1] for n in rows[below]}:
                    wanted = [names[above, d] for d in _lies_on(c) if (above, d) in names]
                    follows.append(((names[below, c],), (*wanted, *gone, slack)))
            if _is_unruly(cards, log, options, follows[rows_before:]):
                unruly += 1
                del options[first:], follows[rows_before:]
        read = [int(log[card].argmax()) for card in placed_cards]
        for c in {c for c in read if read.count(c) > 1}:
            options.append(Option(RULE_BROKEN, (), ((c, -1),), (), ("twice", c)))
    problem = Problem(options, dict.fromkeys(range(DECK_SIZE), 1 if decoding else 99), follows)
    decoded = decode(problem, dict(enumerate(table.log_card)), budget=doubts if decoding else 0)
    if decoded is None:  # more equal cards than the slack allows: stay with the plain reads
        return _decoded(table, places, hardened(log), False, doubts)
    return _parsed(table, places, down, problem, decoded, unruly)


def _is_unruly(
    cards: Sequence[int],
    log: Array,
    options: Sequence[Option],
    follows: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> bool:
    """Whether a column is rather laid without the rules than read wrong: its cards then stay as they were read."""
    read = [int(log[card].argmax()) for card in cards]
    if sum(above not in _lies_on(below) for below, above in pairwise(read)) < 2:
        return False
    own = [n for n, option in enumerate(options) if set(option.covers) <= set(cards) and option.covers]
    slack = [
        n for n, option in enumerate(options) if not option.covers and option.what in {("broken", c) for c in cards}
    ]
    number = {n: k for k, n in enumerate(own + slack)}
    rows = [(tuple(number[n] for n in left), tuple(number[n] for n in right)) for left, right in follows]
    ruled = Problem([options[n] for n in number], {}, rows).solve()
    free = sum(max(options[n].score for n in own if options[n].covers == (card,)) for card in cards)
    return ruled is None or ruled[0] < free + UNRULY


def _lies_on(card: int) -> list[int]:
    """Identities that may lie on `card` in a column: one lower, of the other colour."""
    if card % 13 == 0:
        return []
    red = card // 13 in (1, 2)
    return [13 * suit + card % 13 - 1 for suit in ((0, 3) if red else (1, 2))]


def _position(
    places: _Places, down: Sequence[int], chosen: Sequence[Option]
) -> tuple[dict[str, Any], dict[int, str], list[str], list[str]]:
    """The position, each card's zone, notes, and what to check."""
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
    notes, checks = [], []
    if places.partial:
        notes.append(_shown(places, left))
    elif left > 0 and places.stock is not None and waste:
        notes.append(f"stock and waste hold {left} more cards face down or covered; they are written as the stock")
    elif left > 0 and places.stock is None:
        notes.append(f"{left} cards are not in the photo; they are written as the stock")
    for column, found, other in places.unsure:
        hidden = f"{other} card{'' if other == 1 else 's'}"
        checks.append(f"column {column + 1} may hide {hidden} face down instead of {found}: please count them")
    position = {
        "game": GAME,
        "columns": columns,
        "foundations": foundations,
        "stock": [UNKNOWN] * max(left, 0),
        "waste": [str(Card.from_index(identity[c])) for c in waste],
    }
    return position, zones, notes, checks


def _shown(places: _Places, left: int) -> str:
    """What a photo of part of a table shows, and what it does not."""
    shown = [str(len(pile.cards)) for pile in places.columns if pile and pile.cards]
    count = "no column" if not shown else "1 column" if len(shown) == 1 else f"{len(shown)} columns"
    columns = count + (f" with {' and '.join(shown)} cards face up" if shown else "")
    missing = [name for name, there in (("stock", places.stock), ("waste", places.waste)) if not there]
    missing += [] if places.foundations else ["foundations"]
    none = f", no {' and no '.join(missing)}" if missing else ""
    return f"only part of a table: {columns}{none}; {left} cards are not in the photo and are written as the stock"


def _parsed(
    table: Table, places: _Places, down: Sequence[int], problem: Problem, decoded: Decoded, unruly: int
) -> Parsed:
    chosen = [problem.options[n] for n in decoded.chosen]
    position, zones, notes, checks = _position(places, down, chosen)
    identity = {item: c for option in chosen for item, c in option.identities}
    order = [c for pile in places.columns if pile for c in pile.cards]
    order += [pile.cards[-1] for pile in places.foundations if pile.cards]
    order += [item.card for item in places.waste if item.card is not None]
    placed = [place(table, decoded, c, identity[c], zones[c]) for c in order if c in identity and zones[c] != "none"]
    rest = [c for c in identity if c not in {p.seen for p in placed}]
    placed += [place(table, decoded, c, identity[c], "none") for c in rest]
    placed += [left_out(table, c) for c in sorted(order) if c not in identity]
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
        checks.append(f"at {broken} place{'s' if broken > 1 else ''} the cards as read break the rules")
    if unruly:
        checks.append("a column does not go down in alternating colours: its cards stand as they were read")
    readings = tuple(
        (relative, _position(places, down, [problem.options[n] for n in numbers])[0])
        for relative, numbers in decoded.others
    )
    score = decoded.score + UNRULY * unruly - 2.0 * places.misfit + _shape_score(places, down, position)
    return Parsed(GAME, position, tuple(placed), tuple(back_zones), score, tuple(notes), tuple(checks), readings)


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
