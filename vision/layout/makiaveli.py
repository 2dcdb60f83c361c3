"""Makiaveli: melds on the floor, single cards around the deck, a hand at the edge nearest the camera.

Every path of neighbouring cards that could be a meld is an option, weighed by its reads and by how well it is laid; the
best legal partition of all cards into melds, cross and hand is found by `vision.decode`. So a row of touching melds is
cut where the rules want it, and a misread card is put right where its neighbours leave one choice.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.cards import Card
from vision.cards_seen import Table
from vision.decode import DOUBTS, RULE_BROKEN, Decoded, Option, Problem, decode
from vision.geometry import Array, across, gaps, rectangle
from vision.layout.neighbours import card_gaps, groups, outlines, path_graph, up_of
from vision.layout.parsed import Parsed, Placed, hardened, left_out, place

GAME: Final = "makiaveli"
COPIES: Final = 2
TOUCHING: Final = 0.22
"""Cards nearer than this, in card widths, can belong together."""
GAPPED: Final = 0.45
"""So can they at this distance where a card would belong to no meld otherwise..."""
GAPS: Final = 3.0
"""...at this price, as a logarithm..."""
FEW: Final = 6
"""...unless more cards than this belong to none: then it is another game, or hardly anything can be read."""
HAND_REACH: Final = 0.8
"""The same for the cards of a hand, which may be laid loosely."""
LONELY: Final = -0.05
"""A card that no other is nearer to, in card widths, lies singly; outlines are not known better."""
DECK_APART: Final = (0.0, 0.25)
"""How far a card of the cross may lie from the deck, in card widths, where the deck is looked for beside it."""
CLEAR_BACK: Final = 0.6
"""A back as sure as this is hardly anything else."""
LAPPED: Final = -0.07
"""Outlines that lie this far on each other, in card widths, are those of cards that do, not of ones that touch."""
COVERED: Final = 5.0
"""Price of a card in the cross that lies on or under another: a meld grows there rather."""
MIN_MELD: Final = 3
MAX_RUN: Final = 13
HAND_APART: Final = 0.4
"""A row of melds nearer than this, in card heights, to the rest of the table is no hand."""
BEYOND: Final = 0.25
"""A row over which a card of the cross reaches by more than this towards the camera, in card heights, is no hand."""
ONE_ROW: Final = 2.0
"""Cards that reach farther than this towards the camera, in card heights, are several rows: the last may be a hand."""
HELD: Final = 6
"""Nobody keeps a meld of so many cards in the hand."""
MELD: Final = -8.0
"""Log-price of a meld: there are some 370 of them, and two halves laid in one go are rather one meld."""
FITS: Final = 3.0
"""What each card that fits speaks for its meld: one at random would fit one time in 52 (logarithm 3.95), were reads
independent."""
MISSED: Final = -5.5
"""Log-probability that a meld's card is wholly unseen."""
LOOSE: Final = -9.0
"""Log-probability of a single card that lies nowhere."""
WITHOUT: Final = -6.0
"""A table on which no card lies so is taken instead, and is asked about, where it is not less likely than by this."""
SURE: Final = 0.9
"""A card less likely to be there than this may also be left out of a row that leads over it."""
PLAUSIBLE: Final = -13.0
"""Identities less likely than this, relative to the best, are not considered."""


@dataclass(frozen=True, slots=True)
class _Meld:
    """A candidate: cards in the order laid, their identities, cards missing between them, log-score."""

    cards: tuple[int, ...]
    identities: tuple[int, ...]
    missing: tuple[int, ...]
    score: float
    broken: bool = False


def parse(table: Table, *, hand_given: bool = False, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """Reads a table as Makiaveli.

    Args:
        table: What is seen.
        hand_given: The hand is known from elsewhere: every card of the photo is floor or cross.
        decoding: Weigh reads with the rules; without it each card stays as read, and cards that touch each other are
            one meld (the baseline in evaluations).
        doubts: How many further searches weigh doubtful cards; 0 where only position and score are asked for.
    """
    task = table.once((GAME, hand_given, decoding), lambda: _task(table, hand_given, decoding))
    budget = doubts if decoding else 0
    own = dict(enumerate(table.log_card))
    decoded = decode(task.problem, own, budget=budget)
    assert decoded is not None, "every card may lie loose, so there is always an explanation"
    parsed = _parsed(table, task.problem, decoded, task.deck)
    without = None if task.without is None else decode(task.without, own, budget=budget)
    if task.without is None or without is None:
        return parsed
    alone = [option.covers[0] for option in _chosen(task.problem, decoded.chosen) if _is_loose(option)]
    names = " ".join(str(table.cards[i].best) for i in alone)
    check = f"{names} of the floor belong{'s' if len(alone) == 1 else ''} to no meld as read: please look there"
    rest = _parsed(table, task.without, without, task.deck)
    return replace(rest, score=parsed.score, checks=(*rest.checks, check))


@dataclass(frozen=True, slots=True)
class _Task:
    """What is to be decoded.

    Attributes:
        deck: The deck's back.
        problem: All cards with the ways to explain them.
        without: The same with no card left over on the floor, where that is hardly less likely.
    """

    deck: int | None
    problem: Problem
    without: Problem | None


def _task(table: Table, hand_given: bool, decoding: bool) -> _Task:
    """The ways to explain a table's cards, solved but not yet weighed."""
    count = len(table.cards)
    log = table.log_card if decoding else hardened(table.log_card)
    gap = card_gaps(table)
    deck, cross = _cross_places(table, gap)
    hand = set() if hand_given else _hand(table, gap, deck, {i for i, _, _ in cross})
    floor = [i for i in range(count) if i not in hand]
    options: list[Option] = []
    keep = [float(np.log(max(card.is_card, 1e-4))) for card in table.cards]
    for i in range(count):
        drop = float(np.log(max(1 - table.cards[i].is_card, 1e-9)))
        options.append(Option(drop, (i,), (), (), ("none", i)))
    for i in sorted(hand):
        options += _single(i, log[i], keep[i], ("hand", i))
    overlap = (gap + np.diag(np.full(count, np.inf))).min(1, initial=np.inf) if count else np.zeros(0)
    for i, side, cost in cross:
        cost += COVERED * float(overlap[i] < LAPPED)
        options += _single(i, log[i], keep[i] - cost, ("cross", side), ((f"cross {side}", 1),))
    for i in floor:
        best = int(log[i].argmax())
        options.append(Option(keep[i] + LOOSE + float(log[i, best]), (i,), ((best, 1),), ((i, best),), ("loose", i)))
    limits: dict[Any, int] = {f"cross {place}": 1 for place in range(4)}
    limits |= dict.fromkeys(range(52), COPIES if decoding else 104)
    melds = _melds(table, log, gap, floor, TOUCHING) if decoding else _as_laid(log, gap, floor)
    problem = _problem(keep, options, limits, melds)
    score, chosen = _solved(problem)
    laid = _chosen(problem, chosen)
    loose, broken = sum(map(_is_loose, laid)), any(isinstance(o.what, _Meld) and o.what.broken for o in laid)
    if decoding and 0 < loose <= FEW and not broken:  # melds may be laid with gaps in them
        apart = _problem(keep, options, limits, _melds(table, log, gap, floor, GAPPED))
        again = _solved(apart)
        if again[0] > score + GAPS:
            problem, (score, chosen) = apart, again
    if not decoding or not any(map(_is_loose, _chosen(problem, chosen))):
        return _Task(deck, problem, None)
    without = Problem([option for option in problem.options if not _is_loose(option)], limits)
    found = without.solve()
    return _Task(deck, problem, None if found is None or found[0] < score + WITHOUT else without)


def _problem(
    keep: Sequence[float], singles: Sequence[Option], limits: dict[Any, int], melds: Sequence[_Meld]
) -> Problem:
    """All cards, each to be explained by one of these melds or as a single one; `keep` says how sure each is a card."""
    options = list(singles)
    for meld in melds:
        uses = tuple((c, 1) for c in meld.identities + meld.missing)
        score = meld.score + sum(keep[i] + FITS for i in meld.cards)
        options.append(Option(score, meld.cards, uses, tuple(zip(meld.cards, meld.identities, strict=True)), meld))
    return Problem(options, limits)


def _solved(problem: Problem) -> tuple[float, tuple[int, ...]]:
    found = problem.solve()
    assert found is not None, "every card may lie loose, so there is always an explanation"
    return found


def _chosen(problem: Problem, numbers: Sequence[int]) -> list[Option]:
    return [problem.options[number] for number in numbers]


def _is_loose(option: Option) -> bool:
    return isinstance(option.what, tuple) and option.what[0] == "loose"


def _single(
    card: int, log: Array, base: float, what: object, uses: tuple[tuple[Hashable, int], ...] = ()
) -> Iterator[Option]:
    """Options of a card on its own: its plausible identities."""
    order = np.argsort(-log)[:8]
    for identity in order[log[order] > log[order[0]] + PLAUSIBLE]:
        named = int(identity)
        yield Option(base + float(log[named]), (card,), ((named, 1), *uses), ((card, named),), what)


def _cross_places(table: Table, gap: Array) -> tuple[int | None, list[tuple[int, int, float]]]:
    """The deck's back and (card, place, log-price) for cards that may lie in its cross."""
    if not table.cards:
        return (0 if table.backs else None), []
    up = up_of(table)
    best: tuple[float, int | None, Array] = (-1.0, None, np.full((4, len(table.cards)), np.inf))
    for number, back in enumerate(table.backs):
        found = _around(table, back.centre[None], back.down, up)
        weight = back.confidence + float(_weight(found)[0])
        if weight > best[0]:
            best = (weight, number, found[0])
    single = (gap + np.diag(np.full(len(gap), np.inf))).min(1) > LONELY
    unseen = _around_unseen_deck(table, single, up)
    told = int(np.isfinite(best[2][:, single]).any(1).sum())
    if best[1] is not None and told and table.backs[best[1]].confidence >= CLEAR_BACK:
        told += 1  # two cards with room for a deck between them are found by chance, too
    # Where the deck was not found, or its place is wrong, the single cards around it tell.
    prices = unseen if np.isfinite(unseen).any(1).sum() > max(1, told) else best[2]
    return best[1], [(int(i), int(side), float(prices[side, i])) for side, i in np.argwhere(np.isfinite(prices))]


def _weight(prices: Array) -> Array:
    """How much speaks for decks (k,) around which cards lie at such prices (k, 4, n)."""
    return np.asarray(np.exp(-prices.min(2, initial=np.inf)).sum(1))


def _around_unseen_deck(table: Table, single: NDArray[np.bool_], up: Array) -> Array:
    """As `_around`, (4, n), for the place between single cards where a deck would have most of them around it."""
    width, height = table.template.width, table.template.height
    none = np.full((4, len(table.cards)), np.inf)
    outline, side = outlines(table), across(up)
    at, own = table.centres[single], np.where(np.abs(table.downs[single] @ up) > 0.7, height, width)
    rows = [
        at + toward * ((size[:, None] / 2) + apart * width)
        for apart in DECK_APART
        for toward, size in (
            (up, own + height),
            (-up, own + height),
            (side, 2 * width + height - own),
            (-side, 2 * width + height - own),
        )
    ]
    places = np.stack(rows, axis=1).reshape(-1, 2)
    if not len(places):
        return none
    free = (gaps(rectangle(places, -up, width, height), outline) >= -0.15 * width).all(1)
    found = np.where(single, _around(table, places[free], -up, up), np.inf)
    return np.asarray(found[int(_weight(found).argmax())]) if len(found) else none


def _around(table: Table, decks: Array, deck_down: Array, up: Array) -> Array:
    """(k, 4, n) log-price of each card being a deck's cross card above, right of, below and left of it.

    Infinite for a card that does not lie there; `decks` (k, 2) are the decks' middles, which all lie the same way.
    """
    width, height = table.template.width, table.template.height
    down = max((deck_down, -deck_down, across(deck_down), -across(deck_down)), key=lambda v: float(v @ -up))
    upright = abs(down @ deck_down) > 0.7
    half = np.array([height, width] * 2 if upright else [width, height] * 2) / 2
    toward = np.array([-down, across(down), down, -across(down)])
    line = table.centres - decks[:, None]  # (k, n, 2)
    along, aside = (np.moveaxis(line @ axes.T, 2, 1) for axes in (toward, across(toward)))
    own = np.where(np.abs(toward @ table.downs.T) > 0.7, height, width) / 2
    free, aside = (along - half[:, None] - own) / width, np.abs(aside)
    near = (free > -0.35) & (free < 1.1) & (aside < 0.55 * height)
    return np.where(near, 1.5 * np.maximum(0.0, free - 0.3) + 2.0 * aside / height, np.inf)


def _hand(table: Table, gap: Array, deck: int | None, crossing: set[int]) -> set[int]:
    """The cards of the row nearest the camera: the lowest loose group of the photo and what lies level with it.

    Cards of the cross are no hand, nor is a row beyond them or the deck. A row that is all melds as read is floor
    where it keeps no distance from the rest, or where a meld of it is so long that nobody would hold it; so is a row
    that is several melds for the most part, a few of their cards misread or unseen.
    """
    count = len(table.cards)
    if count == 0:
        return set()
    level = outlines(table) @ -up_of(table)  # (n, 4) how far toward the camera each corner lies
    near, far = level.max(1), level.min(1)
    candidates = []
    for group in groups(gap < TOUCHING):
        own = np.array([i for i in group if i not in crossing], np.intp)
        if len(own) and near[own].max() - far[own].min() > ONE_ROW * table.template.height:
            own = own[near[own] > near[own].max() - table.template.height / 2]
            candidates += [own[part].tolist() for part in groups(gap[np.ix_(own, own)] < TOUCHING)]
        elif len(own):
            candidates.append(own.tolist())
    if not candidates:
        return set()
    lowest = max(candidates, key=lambda g: float(near[g].max()))
    low, high = float(far[lowest].min()), float(near[lowest].max())
    if deck is not None and table.backs[deck].confidence >= CLEAR_BACK:
        ahead = max(float(near[i]) - BEYOND * table.template.height for i in crossing) if crossing else -np.inf
        if max(ahead, float(table.backs[deck].centre @ -up_of(table))) > high:
            return set()
    home = set(next(g for g in groups(gap < HAND_REACH) if lowest[0] in g))
    row = [lowest]
    for group in candidates:
        shared = min(high, float(near[group].max())) - max(low, float(far[group].min()))
        tall = max(high - low, float(near[group].max() - far[group].min()))
        if group != lowest and set(group) <= home and shared > 0.7 * tall:
            row.append(group)
    hand = {i for group in row for i in group}
    rest = [float(near[i]) for i in range(count) if i not in hand]
    rest += [float((back.centre @ -up_of(table)) + table.template.width / 2) for back in table.backs]
    distance = (min(float(far[i]) for i in hand) - max(rest)) / table.template.height if rest else 1.0
    melds = [g for g in row if len(g) >= MIN_MELD and _is_meld([table.cards[i].best for i in g])]
    if len(melds) == len(row) and (distance < HAND_APART or any(len(group) >= HELD for group in row)):
        return set()
    several = len(melds) > 1 and 2 * sum(map(len, melds)) > len(hand)
    return set() if several else hand


def _as_laid(log: Array, gap: Array, floor: Sequence[int]) -> list[_Meld]:
    """Each group of three or more touching cards as a meld, whatever the rules say of it."""
    rows = np.array(floor, np.intp)
    touching = groups(gap[np.ix_(rows, rows)] < TOUCHING) if len(rows) else []
    cards = [tuple(floor[k] for k in group) for group in touching if len(group) >= MIN_MELD]
    return [_Meld(group, tuple(int(log[i].argmax()) for i in group), (), 0.0) for group in cards]


def _melds(table: Table, log: Array, gap: Array, floor: Sequence[int], reach: float) -> list[_Meld]:
    """All candidates: paths over neighbours whose reads allow a set or a run, and groups that do so in any order.

    Neighbours are at most `reach` card widths apart.
    """
    if len(floor) < 3:
        return []
    rows = np.array(floor)
    centres = table.centres[rows] / table.template.width
    near = gap[np.ix_(rows, rows)]
    edge = path_graph(centres, near, reach)
    sure = np.flatnonzero([table.cards[i].is_card >= SURE for i in floor])
    if len(sure) < len(floor):  # what may be no card must not part its neighbours
        edge[np.ix_(sure, sure)] |= path_graph(centres[sure], near[np.ix_(sure, sure)], reach)
    downs = table.downs[rows]
    plausible = [{int(c): float(log[i, c]) for c in np.flatnonzero(log[i] > log[i].max() + PLAUSIBLE)} for i in floor]
    search = _PathSearch(centres, downs, near, edge, plausible)
    found: dict[tuple[int, ...], list[_Meld]] = {}
    for meld in search.run():
        found.setdefault(tuple(sorted(meld.cards)), []).append(meld)
    for group in groups(near < reach):
        if 3 <= len(group) <= MAX_RUN:
            heap = _in_any_order(group, plausible)
            if heap is not None:
                found.setdefault(tuple(group), []).append(heap)
    result = []
    for melds in found.values():
        melds.sort(key=lambda meld: -meld.score)
        kept: dict[tuple[int, ...], _Meld] = {}
        for meld in melds:
            kept.setdefault(tuple(sorted(meld.identities + meld.missing)), meld)
        chosen = list(kept.values())[:4]
        read = tuple(max(plausible[i], key=plausible[i].__getitem__) for i in chosen[0].cards)
        if chosen[0].identities != read:  # the same cards as they were read, breaking the rules
            score = chosen[0].score - sum(
                plausible[i][c] for i, c in zip(chosen[0].cards, chosen[0].identities, strict=True)
            )
            score += sum(plausible[i][c] for i, c in zip(chosen[0].cards, read, strict=True)) + RULE_BROKEN
            score -= MISSED * len(chosen[0].missing)
            chosen.append(_Meld(chosen[0].cards, read, (), score, broken=True))
        result += [_Meld(tuple(floor[i] for i in m.cards), m.identities, m.missing, m.score, m.broken) for m in chosen]
    return result


def _is_meld(cards: Sequence[Card]) -> bool:
    from solver.makiaveli.melds import is_meld  # its package compiles kernels: imported when a table is read

    return is_meld(cards)


def _in_any_order(group: Sequence[int], plausible: Sequence[dict[int, float]]) -> _Meld | None:
    """A group of touching cards that is a meld as read, however it is laid."""
    read = tuple(max(plausible[i], key=plausible[i].__getitem__) for i in group)
    if not _is_meld([Card.from_index(c) for c in read]):
        return None
    score = MELD - 1.5 * (len(group) - 1) + sum(plausible[i][c] for i, c in zip(group, read, strict=True))
    return _Meld(tuple(group), read, (), score)


class _PathSearch:
    """Walks the neighbour graph and keeps the hypotheses of meld that the reads still allow."""

    def __init__(
        self, centres: Array, downs: Array, gap: Array, edge: NDArray[np.bool_], plausible: Sequence[dict[int, float]]
    ) -> None:
        self.centres, self.plausible = centres, plausible
        self.best = [max(reads.values()) for reads in plausible]
        self.next = [np.flatnonzero(row).tolist() for row in edge]
        line = centres[None] - centres[:, None]
        length = np.linalg.norm(line, axis=-1)
        self.length = length.tolist()
        safe = np.maximum(length, 1e-9)
        self.line = (line / safe[..., None]).tolist()
        turn = np.arccos(np.clip(np.abs(downs @ downs.T), 0, 1))
        side = np.abs((line * across(downs)[:, None]).sum(-1)) / safe
        straight = 1 - np.maximum(side, np.sqrt(np.clip(1 - side**2, 0, 1)))  # 0 along or across the card, .29 between
        self.cost = (8 * np.clip(gap - 0.04, 0, None) + 2 * np.clip(turn - 0.1, 0, None) + 3 * straight).tolist()

    def run(self) -> Iterator[_Meld]:
        for start in range(len(self.centres)):
            singles = self.plausible[start]
            runs = {(c, d): s for c, s in singles.items() for d in (1, -1)}
            sets = {(c % 13, 1 << (c // 13)): s for c, s in singles.items()}
            yield from self._extend([start], runs, {}, sets, MELD)

    def _bend(self, path: Sequence[int], to: int) -> float | None:
        """Log-price of going on from the end of a path; None where it turns back or jumps."""
        a = path[-1]
        price = float(self.cost[a][to])
        if len(path) > 1:
            before = path[-2]
            cosine = sum(x * y for x, y in zip(self.line[before][a], self.line[a][to], strict=True))
            ratio = self.length[a][to] / max(self.length[before][a], 1e-6)
            if cosine < 0.5:
                if not (cosine > -0.3 and len(path) < 4):  # a square of four, or a loose heap, may turn
                    return None
                price += 2.5
            price += 1.2 * (1 - cosine) + 1.0 * abs(float(np.log(max(ratio, 1e-6))))
        return price

    def _extend(
        self,
        path: list[int],
        runs: dict[tuple[int, int], float],
        gone: dict[tuple[int, int], tuple[int, ...]],
        sets: dict[tuple[int, int], float],
        geometry: float,
    ) -> Iterator[_Meld]:
        """`runs`: (last identity, direction) to log-score; `gone`: the cards that a run skipped; `sets`: by suits."""
        if (len(path) >= MIN_MELD or gone) and path[0] < path[-1]:
            yield from self._finished(path, runs, gone, sets, geometry)
        if len(path) == MAX_RUN:
            return
        last, length = path[-1], len(path)
        best = sum(self.best[i] for i in path)
        for to in self.next[last]:
            if to in path:
                continue
            price = self._bend(path, to)
            if price is None or price > 9:
                continue
            here = self.plausible[to]
            floor = best + self.best[to] + 1.5 * PLAUSIBLE
            apart = self.length[last][to] > 0.18
            more: dict[tuple[int, int], float] = {}
            skipped: dict[tuple[int, int], tuple[int, ...]] = {}
            for (card, way), score in runs.items():  # one hypothesis a card: the likeliest
                follower = _follower(card, way, length)
                if follower is None:
                    continue
                before = gone.get((card, way)) if gone else None
                if (read := here.get(follower)) is not None and (total := score + read) > floor:
                    key = (follower, way)
                    if total > more.get(key, floor):
                        more[key] = total
                        skipped.pop(key, None)
                        if before is not None:
                            skipped[key] = before
                if apart and before is None:  # the card between the two is unseen
                    after = _follower(follower, way, length + 1)
                    read = None if after is None else here.get(after)
                    if after is not None and read is not None and (total := score + read + MISSED) > floor:
                        key = (after, way)
                        if total > more.get(key, floor):
                            more[key], skipped[key] = total, (follower,)
            suited: dict[tuple[int, int], float] = {}
            if length < 4:
                for (rank, suits), score in sets.items():
                    for suit in range(4):
                        card = 13 * suit + rank
                        if not suits >> suit & 1 and card in here and score + here[card] > floor:
                            key = (rank, suits | 1 << suit)
                            suited[key] = max(suited.get(key, -1e9), score + here[card])
            if more or suited:
                yield from self._extend([*path, to], more, skipped, suited, geometry - price)

    def _finished(
        self,
        path: list[int],
        runs: dict[tuple[int, int], float],
        gone: dict[tuple[int, int], tuple[int, ...]],
        sets: dict[tuple[int, int], float],
        geometry: float,
    ) -> Iterator[_Meld]:
        for (card, way), score in runs.items():
            missing = gone.get((card, way), ())
            identities: list[int] = []
            at = card
            for _ in range(len(path) + len(missing)):
                if at not in missing:
                    identities.append(at)
                at = 13 * (at // 13) + (at % 13 - way) % 13
            if len(identities) == len(path) and len(path) + len(missing) >= MIN_MELD:
                yield _Meld(tuple(path), tuple(reversed(identities)), missing, score + geometry)
        for (rank, suits), _score in sets.items() if len(path) >= MIN_MELD else ():
            yield from self._best_set(path, rank, suits, geometry)

    def _best_set(self, path: list[int], rank: int, suits: int, geometry: float) -> Iterator[_Meld]:
        """The best way to give the suits of a set to its cards."""
        options: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
        for i in path:
            grown: dict[int, tuple[float, tuple[int, ...]]] = {}
            for used, (score, cards) in options.items():
                for suit in range(4):
                    card = 13 * suit + rank
                    if suits >> suit & 1 and not used >> suit & 1 and card in self.plausible[i]:
                        new = (score + self.plausible[i][card], (*cards, card))
                        key = used | 1 << suit
                        if key not in grown or new[0] > grown[key][0]:
                            grown[key] = new
            options = grown
        if suits in options:
            score, cards = options[suits]
            yield _Meld(tuple(path), cards, (), score + geometry)


def _follower(card: int, way: int, length: int) -> int | None:
    """The next card of a run that has `length` cards so far, None after its end; the ace ends a run at either end."""
    rank = card % 13
    if rank == 0 and length > 1:  # an ace in the middle ends the run, unless the run began with it
        return None
    if way == 1:
        return card + 1 if rank < 12 else card - 12
    return card - 1 if rank > 0 else card + 12


def _parsed(table: Table, problem: Problem, decoded: Decoded, deck: int | None) -> Parsed:
    photo = [card.quad.mean(0) for card in table.cards]
    chosen = [problem.options[n] for n in decoded.chosen]
    melds, cross, hand = _split(chosen, photo)
    placed: list[Placed] = []
    for number, (cards, identities, missing) in enumerate(melds):
        placed += [place(table, decoded, i, c, f"floor/{number}") for i, c in zip(cards, identities, strict=True)]
        placed += [
            Placed(Card.from_index(c), f"floor/{number}", None, 0.5, (), f"unseen, but {number + 1}. meld needs it")
            for c in missing
        ]
    placed += [place(table, decoded, i, c, f"cross/{spot}") for spot, (i, c) in sorted(cross.items())]
    placed += [place(table, decoded, i, c, "hand") for i, c in hand]
    gone = [option.what[1] for option in chosen if isinstance(option.what, tuple) and option.what[0] == "none"]
    placed += [left_out(table, i) for i in gone]
    back_zones = tuple("deck" if number == deck else "none" for number in range(len(table.backs)))
    # 6 log-units for each meld that really is one: three cards at random would hardly be
    fitting = sum(FITS * len(option.what.cards) for option in chosen if isinstance(option.what, _Meld))
    score = decoded.score - fitting + sum(6.0 for _, identities, _ in melds if len(identities) >= MIN_MELD)
    score -= 0.7 * len(hand) + 1.0 * len(cross) + (4.0 if not any(len(m[0]) >= MIN_MELD for m in melds) else 0.0)
    score -= 3.0 * max(0, len(table.backs) - 1)
    readings = []
    for relative, numbers in decoded.others:
        readings.append((relative, _position(*_split([problem.options[n] for n in numbers], photo))))
    checks = _laid_as_melds(table, [i for i, _ in hand], dict(hand))
    loose = sum(map(_is_loose, chosen))
    if loose:
        checks.append(
            f"{loose} card{'s' if loose > 1 else ''} of the floor belong{'s' if loose == 1 else ''} to no meld"
        )
    position = _position(melds, cross, hand)
    return Parsed(GAME, position, tuple(placed), back_zones, score, (), tuple(checks), tuple(readings))


def _laid_as_melds(table: Table, hand: Sequence[int], identity: Mapping[int, int]) -> list[str]:
    """Asks for cards of the hand that lie together as a meld, as cards of a hand hardly ever do."""
    if not hand:
        return []
    gap = card_gaps(table)[np.ix_(hand, hand)]
    found = [[Card.from_index(identity[hand[k]]) for k in group] for group in groups(gap < TOUCHING)]
    return [
        f"{' '.join(map(str, cards))} of the hand make a meld: please check whether they lie on the floor"
        for cards in found
        if len(cards) >= MIN_MELD and _is_meld(cards)
    ]


_Melds = list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]


def _split(chosen: Sequence[Option], photo: Sequence[Array]) -> tuple[_Melds, dict[int, tuple[int, int]], list[Any]]:
    """Chosen options as melds (cards, identities, missing) in reading order, cross, and hand from left to right."""
    melds: _Melds = []
    cross: dict[int, tuple[int, int]] = {}
    hand: list[tuple[int, int]] = []
    for option in chosen:
        if isinstance(option.what, _Meld):
            meld = option.what
            cards, identities = meld.cards, meld.identities
            line = photo[cards[-1]] - photo[cards[0]]
            if (line[0] if abs(line[0]) > abs(line[1]) else line[1]) < 0:
                cards, identities = cards[::-1], identities[::-1]
            melds.append((cards, identities, meld.missing))
        elif isinstance(option.what, tuple):
            kind, value = option.what
            if kind == "cross":
                cross[value] = option.identities[0]
            elif kind == "hand":
                hand.append(option.identities[0])
            elif kind == "loose":
                card, identity = option.identities[0]
                melds.append(((card,), (identity,), ()))
    hand.sort(key=lambda pair: float(photo[pair[0]][0]))
    melds.sort(key=lambda meld: (round(float(np.mean([photo[i][1] for i in meld[0]])) / 60), photo[meld[0][0]][0]))
    return melds, cross, hand


def _position(melds: _Melds, cross: dict[int, tuple[int, int]], hand: Sequence[tuple[int, int]]) -> dict[str, Any]:
    floor = []
    for _, identities, missing in melds:
        cards = list(identities)
        for card in missing:
            cards.insert(_gap_of(cards, card), card)
        floor.append([str(Card.from_index(c)) for c in cards])
    return {
        "game": GAME,
        "floor": floor,
        "cross": [str(Card.from_index(cross[k][1])) if k in cross else None for k in range(4)],
        "hand": [str(Card.from_index(c)) for _, c in hand],
    }


def _gap_of(cards: Sequence[int], card: int) -> int:
    """Where a missing card of a run belongs."""
    for after in range(1, len(cards)):
        if {abs(card - cards[after - 1]) % 13, abs(card - cards[after]) % 13} <= {1, 12}:
            return after
    return len(cards)
