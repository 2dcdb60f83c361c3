"""Makiaveli as people lay it: melds on the floor, the deck with its cross, a hand at somebody's edge of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import pi
from typing import Any, Final, Literal

import numpy as np

from datasets.games.game import PositionJson, first_legal
from datasets.games.makiaveli import random_position
from datasets.layouts.authors import SLOPPY, Anywhere, Neighbour, Newcomer, Stranger, Visitor
from datasets.layouts.dealer import SIDES, Dealer
from datasets.layouts.family import Draw, Recipe, families, lays
from datasets.layouts.geometry import Block, Cards, Face, Way, face, joined, moved, turned
from datasets.picture_tools import Rng
from datasets.scenes.renderer import LaidCard
from solver.cards import RANK_CHARS, SUIT_CHARS, parse_card


class MakiaveliDealer(Dealer):
    """The parts of Makiaveli: which cards lie where."""

    @property
    def melds_of(self) -> list[tuple[list[str], str]]:
        """The melds with their zones."""
        return [(meld, f"floor/{number}") for number, meld in enumerate(self.position["floor"])]

    @property
    def cards_in_melds(self) -> int:
        """How many cards lie on the floor."""
        return sum(map(len, self.position["floor"]))

    @property
    def hand(self) -> list[str]:
        """The hand as it came."""
        return list(self.position["hand"])

    def cross(self, wide: float, tall: float, turns: Way, mess: float | Way) -> Cards:
        """The cross so far off the deck at the origin; `turns` are those of the right and the left card."""
        places = ((0.0, -tall), (wide, 0.0), (0.0, tall), (-wide, 0.0))
        cards = zip(self.position["cross"], places, (0.0, turns[0], 0.0, turns[1]), strict=True)
        return joined(self.card(word, f"cross/{k}", at, turn, mess) for k, (word, at, turn) in enumerate(cards))


def is_run(meld: Sequence[str]) -> bool:
    """Whether a meld is a run, not a set."""
    return meld[0][1] == meld[1][1]


# The house's

MELDS: Final = ("row", "side by side", "fan", "column", "square", "gaps")
USUAL: Final = (0.62, 0.12, 0.13, 0.13, 0.0, 0.0)
VARIED: Final = (0.4, 0.15, 0.12, 0.13, 0.1, 0.1)
COLUMNS: Final = (0.1, 0.0, 0.0, 0.9, 0.0, 0.0)
GAPPED: Final = (0.1, 0.3, 0.0, 0.0, 0.2, 0.4)


@dataclass(frozen=True, slots=True)
class MakiaveliStyle:
    """One way to lay Makiaveli.

    Attributes:
        melds: Chance of each of `MELDS`.
        floor: Melds in lines, or anywhere and turned.
        gaps: Smallest and largest gap between melds, card widths.
        turned: Chance that a meld stands upside down or sideways, as another player laid it.
        hand: Where the hand lies.
        deck: Whether the deck is in the photo.
    """

    melds: tuple[float, ...] = USUAL
    floor: Literal["lines", "apart"] = "lines"
    gaps: Way = (0.22, 0.7)
    turned: float = 0.0
    hand: Literal["near", "right", "two rows"] = "near"
    deck: bool = True


class HouseMakiaveli(MakiaveliDealer):
    """The usual ways, by style."""

    def lay(self, style: MakiaveliStyle) -> Cards:
        """The cards laid in a style."""
        grown = self._grown() if style.deck else {}
        blocks = []
        for number, (meld, zone) in enumerate(self.melds_of):
            if number in grown.values():
                continue
            block = self.meld(meld, zone, style.melds)
            if self.coin(style.turned):
                block = self.turned(block, self.pick(pi, pi, pi / 2, -pi / 2))
            blocks.append(block)
        middle = [self.deck_and_cross(grown)] if style.deck else []
        area = sum((block.width + 0.5) * (block.height + 0.4) for block in (*blocks, *middle))
        wanted = float(np.sqrt(area * self.uniform(1.4, 3.2)))
        width = max([block.width + 0.5 for block in (*blocks, *middle)] + [wanted])
        where = self.count(len(blocks) // 3, len(blocks) - len(blocks) // 3 + 1)
        blocks[where:where] = middle
        if style.floor == "apart":
            placed = self.apart(blocks, (1.6, 3.0))
            width, depth = self.extent(placed)[2:] if placed else (0.0, 0.0)
        else:
            gaps = (self.uniform(*style.gaps), self.uniform(*style.gaps) * 0.8)
            placed, depth = self.in_lines(blocks, width, gaps)
        return placed + self._hand_at(style, width, depth)

    def meld(self, meld: Sequence[str], zone: str, chances: Sequence[float]) -> Block:
        """A meld as somebody lays it."""
        cards = meld[::-1] if self.coin(0.15) else meld
        kind = str(self.rng.choice(MELDS, p=chances))
        if kind == "side by side":
            return self.row(cards, zone, self.uniform(1.0, 1.07))
        if kind == "gaps":
            return self.row(cards, zone, self.uniform(1.05, 1.3))
        if kind == "fan":
            return self.fan(cards, zone, self.uniform(1.8, 3.5) * self.aspect)
        if kind == "column":
            return self.column(cards, zone, [self.down(0.28, 0.5)])
        if kind == "square" and (len(cards) == 4 or len(cards) > 6):
            return self.square(cards, zone, 2 if len(cards) == 4 else (len(cards) + 1) // 2)
        return self.row(cards, zone, self.aside(0.2, 0.5))

    def _hand_at(self, style: MakiaveliStyle, width: float, depth: float) -> Cards:
        if not self.hand:
            return []
        block = self._held(style.hand == "two rows")
        if style.hand == "right":
            if self.coin():
                block = self.turned(block, -pi / 2)
            return block.at(width + self.uniform(0.6, 1.6), self.uniform(0, max(depth - block.height, 0.1)))
        return block.at((width - block.width) * self.uniform(0.2, 0.8), depth + self.uniform(0.35, 1.0) * self.aspect)

    def _held(self, two_rows: bool) -> Block:
        cards = self.hand
        if two_rows and len(cards) > 3:
            return self.two_rows(len(cards) // 2, self.aside(0.25, 0.5), 0.2, (0.4, 1.3))
        if len(cards) > 1 and self.coin():
            return self.fan(cards, "hand", self.uniform(1.6, 3) * self.aspect)
        return self.row(cards, "hand", self.pick(self.aside(0.25, 0.5), 1.06))

    def two_rows(self, half: int, step: float, off: float, below: Way) -> Block:
        """The hand in two rows, the second one so far below the first."""
        upper, lower = (self.row(part, "hand", step) for part in (self.hand[:half], self.hand[half:]))
        under = self.down(*below)
        return self.boxed([*upper.cards, *moved(lower.cards, self.normal(off), under)])

    def _grown(self) -> dict[int, int]:
        """Place of the cross to number of the floor meld that grew there: now and then one, where no card lies."""
        free = [place for place, card in enumerate(self.position["cross"]) if card is None]
        short = [number for number, meld in enumerate(self.position["floor"]) if len(meld) <= 4]
        return {self.pick(*free): self.pick(*short)} if free and short and self.coin(0.2) else {}

    def deck_and_cross(self, grown: Mapping[int, int]) -> Block:
        """The deck face down with up to four cards, or melds that grew from them: above, right, below, left."""
        sideways = self.coin()  # the cards at the sides turned by a quarter
        gap = self.uniform(-0.25, 0.1) if self.coin(0.2) else self.uniform(0.08, 0.5)  # under the deck's edge, or off
        away_x, away_y = 0.5 + gap + (self.aspect if sideways else 1.0) / 2, self.aspect + gap
        placed = Cards()
        for place, word in enumerate(self.position["cross"]):
            if word is not None:
                x = (0, away_x, 0, -away_x)[place] + self.normal(0.03)
                y = (-away_y, 0, away_y, 0)[place] + self.normal(0.03)
                angle = self.pick(-pi / 2, pi / 2) if sideways and place % 2 else pi * self.coin(0.2)
                placed.append(LaidCard(face(word), x, y, angle + self.normal(0.03), f"cross/{place}"))
        placed += self.pack("deck", 2, 0.012)
        for place, number in grown.items():
            placed += self._grown_meld(number, place, (1.0 + max(gap, 0.08), away_y))
        return self.boxed(placed)

    def _grown_meld(self, number: int, place: int, away: Way) -> Cards:
        """A meld that grew at a place of the cross, away from the deck, each card showing its upper left corner.

        Args:
            number: Of the meld.
            place: 0 above the deck, 1 at its right, 2 below, 3 at its left.
            away: From the deck to the first card, sideways and towards the player, in card widths.
        """
        meld, zone = self.melds_of[number]
        step = (self.aside if place % 2 else self.down)(0.3, 0.45)
        placed = Cards()
        for k, word in enumerate(meld):
            out = (k if place in (1, 2) else len(meld) - 1 - k) * step
            x = (0, away[0] + out, 0, -(away[0] + out))[place]
            y = (-away[1] - out, 0, away[1] + out, 0)[place]
            angle = self.normal(0.015)
            placed.append(LaidCard(face(word), x + self.normal(0.01), y + self.normal(0.01), angle, zone))
        return placed


def without_deck(rng: Rng) -> PositionJson:
    """A table whose deck is not in the photo, so it has no cross."""
    return random_position(rng) | {"cross": [None] * 4}


def floor_only(rng: Rng) -> PositionJson:
    """Only melds: the hand is told, or is in another photo."""
    return without_deck(rng) | {"hand": []}


def few_melds(rng: Rng) -> PositionJson:
    """The beginning of a game: one to three melds, a full hand."""
    position = random_position(rng)
    return position | {"floor": position["floor"][: int(rng.integers(1, 4))]}


class AnywhereMakiaveli(Anywhere, HouseMakiaveli):
    """Melds each in a way of its own; the deck with its cross among them or beside; a hand at some side."""

    def lay_anywhere(self, deck: bool = True) -> Cards:
        """The cards, each zone in a way of its own."""
        chances = tuple(self.rng.dirichlet(np.full(len(MELDS), 0.6)))
        quarters = self.pick(0.0, 0.0, 0.2, 0.6)
        blocks = []
        for meld, zone in self.melds_of:
            block = self.meld(meld, zone, chances)
            if self.coin(quarters):
                block = self.turned(block, self.pick(pi, pi / 2, -pi / 2))
            elif self.coin(0.2):
                block = self.turned(block, self.normal(0.25))
            blocks.append(block)
        middle = self.deck_and_cross({}) if deck else None
        if middle is not None and self.coin(0.6):
            blocks.insert(self.count(0, len(blocks) + 1), middle)
            middle = None
        core = self._floor(blocks)
        others: list[tuple[Block, str | None]] = []
        if self.hand:
            side = SIDES[int(self.rng.choice(4, p=[0.12, 0.64, 0.12, 0.12]))]
            others.append((self._hand_before(side), side))
        if middle is not None:
            others.insert(self.count(0, len(others) + 1), (middle, None))
        return self.around(core, others)

    def _floor(self, melds: Sequence[Block]) -> Cards:
        """Melds in lines, or wherever there is room."""
        if not self.coin(0.6):
            return self.apart(melds, self.uniform(1.3, 3.0), self.pick(0.1, 0.5, pi))
        area = sum((meld.width + 0.4) * (meld.height + 0.3) for meld in melds)
        limit = max([float(np.sqrt(area * self.uniform(1.0, 3.5))), *(meld.width + 0.3 for meld in melds)])
        gap = self.uniform(0.03, 0.9), self.uniform(0.03, 0.7)
        return self.in_lines(melds, limit, gap, careless=self.pick(0.03, 0.15))[0]

    def _hand_before(self, side: str) -> Block:
        """A hand as it lies before somebody at that side, who may have turned it to the camera."""
        cards = self.hand
        kind = self.pick("row", "row", "fan", "column", "two rows", "single")
        step = self.aside(0.2, 0.5)
        if kind == "fan" and len(cards) > 1:
            block = self.fan(cards, "hand", self.uniform(1.5, 3.2) * self.aspect)
        elif kind == "column":
            block = self.column(cards, "hand", [self.down(0.28, 0.5)])
        elif kind == "two rows" and len(cards) > 3:
            block = self.two_rows(self.count(2, len(cards) - 1), step, 0.3, (0.4, 1.5))
        else:
            block = self.row(cards, "hand", step if kind != "single" else self.uniform(1.02, 1.3))
        turn = {"far": pi, "near": 0.0, "left": pi / 2, "right": -pi / 2}[side]
        return self.turned(block, turn) if turn and self.coin(0.6) else block


Meld = Callable[[Sequence[Face], str], Block]


class NeighbourMakiaveli(Neighbour, MakiaveliDealer):
    """Melds in ways that fit them, groups put together by their boxes."""

    def overlapped(self, cards: Sequence[Face], zone: str) -> Block:
        """Cards as a row in which each lies on the one before."""
        return self.row(cards, zone, self.aside(0.22, 0.55))

    def upright(self, cards: Sequence[Face], zone: str) -> Block:
        """Cards as a column."""
        return self.column(cards, zone, [self.down(0.25, 0.55)])

    def whole(self, cards: Sequence[Face], zone: str) -> Block:
        """Whole cards side by side."""
        return self.row(cards, zone, self.uniform(1.0, 1.12))

    def stairs(self, cards: Sequence[Face], zone: str) -> Block:
        """Cards up or down to the right."""
        step = (self.aside(0.3, 0.6), self.uniform(0.08, 0.35) * self.pick(-1, 1))
        return self.boxed(self.trail(cards, zone, [step], 0.03))

    def plus(self, cards: Sequence[Face], zone: str) -> Block:
        """A set about a point: all upright, or each turned outwards as a windmill."""
        windmill = self.coin()
        first, way = self.count(0, 4), self.pick(-1, 1)
        far = (self.aspect + 1) / 2 + self.uniform(-0.15, 0.15)
        reach = (far, far) if windmill else (self.uniform(0.9, 1.1), self.aspect * self.uniform(0.52, 0.7))
        placed = Cards()
        for k, card in enumerate(cards):
            angle = (first + way * k) % 4 * pi / 2
            x, y = reach[0] * np.sin(angle), -reach[1] * np.cos(angle)
            placed.append(LaidCard(face(card), float(x), float(y), angle if windmill else 0.0, zone))
        return self.boxed(self.jitter(placed, 0.02, 0.05))

    def folded(self, cards: Sequence[Face], zone: str) -> Block:
        """A long run there and, below, back again, where the table ends."""
        half = (len(cards) + 1) // 2
        step = self.aside(0.25, 0.5) if self.coin(0.6) else self.uniform(1.0, 1.1)
        low = self.uniform(0.75, 1.1) * self.aspect
        return self.boxed(self.trail(cards, zone, [(step, 0)] * (half - 1) + [(0, low), (-step, 0)], 0.02))

    def melds(self, sets: Sequence[Meld], runs: Sequence[Meld], long: Sequence[Meld]) -> list[Block]:
        """The melds in any order; a run of seven or more is `long`."""
        blocks = []
        for words, zone in self.mixed(self.melds_of):
            ways = sets if words[0][0] == words[1][0] else long if len(words) >= 7 else runs
            blocks.append(self.pick(*ways)(words, zone))
        return blocks

    def deck_and_cross(self, gap: float) -> Cards:
        """The deck and its cross `gap` away; with a negative gap the cross's cards lie under the deck's edge."""
        sideways = self.coin()
        reach_x, reach_y = ((self.aspect + 1) / 2 if sideways else 1.0) + gap, self.aspect + gap
        placed = Cards()
        for place, word in enumerate(self.position["cross"]):
            angle = place * pi / 2
            at = (float(reach_x * np.sin(angle)), float(-reach_y * np.cos(angle)))
            turn = angle if sideways and place % 2 else 0.0
            placed += [LaidCard(face(word), *at, turn, f"cross/{place}")] if word else []
        return [*self.jitter(placed, 0.04, 0.06), *self.mound("deck")]

    def sorted_hand(self) -> Cards:
        """The hand by suits in two rows, the second one below the first or over its lower part."""
        cards = sorted(self.hand, key=lambda word: parse_card(word).index)
        half = len(cards) if len(cards) < 4 else (len(cards) + 1) // 2
        step = (self.aside(0.22, 0.5), self.normal(0.01))
        low = self.down(0.5, 0.9) if self.coin() else self.aspect + self.uniform(0.03, 0.2)
        rows = [self.trail(part, "hand", [step], 0.02) for part in (cards[:half], cards[half:])]
        return self.line(rows, (0, low), 0.1)

    def fanned_hand(self) -> Cards:
        """The hand as a fan."""
        return list(self.usual_fan(self.hand, "hand").cards) if self.hand else []

    @lays("makiaveli/seats")
    def seats(self) -> Cards:
        """Every player's melds lie before them and face them, round the deck; others' hands may lie face down."""
        ways = (self.overlapped, self.overlapped, self.upright, self.usual_fan, self.whole)
        sides = (("near", 0.0), ("left", pi / 2), ("far", pi), ("right", -pi / 2))
        seats = self.mixed(sides)[: self.count(2, 5)]
        shares: list[list[Block]] = [[] for _ in seats]
        for block in self.melds(ways, ways[:4], ways[:2]):
            self.pick(*shares).append(block)
        table = self.deck_and_cross(self.uniform(-0.2, 0.35))
        for (side, angle), blocks in zip(seats, shares, strict=True):
            gaps = (self.uniform(0.15, 0.5), self.uniform(0.1, 0.4))
            wide = self.uniform(2, 3.2) * np.sqrt(len(blocks)) + 2
            cards = turned(self.in_lines(blocks, wide, gaps)[0], angle + self.normal(0.05))
            table = self.beside(table, cards, side, (0.1, 0.6), (0.25, 0.75))
            if side != "near" and self.coin(0.3):
                backs = self.usual_fan([None] * self.count(3, 10))
                table = self.beside(table, turned(backs.cards, angle), side, (0.2, 0.8), (0, 1))
        return self.beside(table, self.fanned_hand(), "near", (0.4, 1), (0.2, 0.8))

    @lays("makiaveli/amphitheatre")
    def amphitheatre(self) -> Cards:
        """Melds in arcs that face one player; the hand at the right or in the middle, the deck at the left."""
        ways = (self.upright, self.overlapped, self.usual_fan) if self.coin() else (self.upright,)
        blocks = self.melds(ways, ways, ways)
        inner, arc = self.uniform(3, 5), self.uniform(0.7, 1.05) * pi
        table = self._in_arcs(blocks, inner, arc, self.uniform(0.08, 0.2))
        hand = self.sorted_hand() if self.coin() else self.fanned_hand()
        corner = self.deck_and_cross(self.uniform(-0.1, 0.3))
        if self.coin():
            table = self.beside(table, hand, "right", (0.2, 0.6), (0.7, 1.1))
            return self.beside(table, corner, "left", (0.3, 0.8), (0.1, 1))
        near = self.beside(corner, hand, "right", (0.5, 1.5), (0.5, 1))
        return self.beside(table, near, "near", (0.2, 0.6), (0.3, 0.7))

    def _in_arcs(self, blocks: Sequence[Block], inner: float, arc: float, gap: float) -> Cards:
        """Blocks in arcs behind the origin and facing it; where the first is full, the next begins behind it."""
        placed, depth, at = Cards(), 0.0, -arc / 2
        for block in blocks:
            # Blocks that are clear of each other at their near ends are clear everywhere.
            wedge = 2 * float(np.arctan((block.width / 2 + gap) / inner))
            if at + wedge > arc / 2 and depth:
                inner, depth, at = inner + depth + gap, 0.0, -arc / 2
                wedge = 2 * float(np.arctan((block.width / 2 + gap) / inner))
            far = block.height + abs(self.normal(0.1))
            placed += turned(block.at(-block.width / 2, -inner - far), at + wedge / 2)
            at, depth = at + wedge, max(depth, far)
        return placed

    @lays("makiaveli/plus")
    def pluses(self) -> Cards:
        """Sets as pluses and windmills, runs as stairs, anywhere about the table; the deck at its left or right."""
        blocks = self.melds((self.plus, self.plus, self.stairs), (self.stairs,), (self.stairs, self.folded))
        blocks = [self.turned(block, self.normal(0.12)) for block in blocks]
        wide = self.uniform(3, 4) * np.sqrt(len(blocks)) + 2
        table, _ = self.in_lines(blocks, wide, (self.uniform(0.25, 0.5), self.uniform(0.2, 0.5)), careless=0.05)
        # Apart from the melds: a windmill beside the deck would look like a second cross.
        corner = self.deck_and_cross(self.uniform(-0.2, 0.3))
        table = self.beside(table, corner, self.pick("left", "right"), (0.6, 1.4), (0, 1))
        return self.beside(table, self.sorted_hand(), "near", (0.3, 0.9), (0, 1))

    @lays("makiaveli/deck at the edge")
    def deck_at_edge(self) -> Cards:
        """Little room: lines pushed together, long runs folded, the deck in a far corner, its cross half under it."""
        blocks = self.melds((self.overlapped, self.overlapped, self.whole), (self.overlapped,), (self.folded,))
        gaps = (self.uniform(0.06, 0.25), self.uniform(0.02, 0.15))
        table, _ = self.in_lines(blocks, self.uniform(1.8, 2.8) * np.sqrt(len(blocks)) + 2, gaps)
        corner = turned(self.deck_and_cross(self.uniform(-0.45, -0.05)), self.normal(0.1))
        side, gap = self.pick("far", "far", "left"), self.uniform(0.15, 0.6)
        table = self.beside(table, corner, side, gap, self.pick(0.0, 1.0))
        return self.beside(table, self.sorted_hand(), "near", (0.2, 0.6), (0, 1))

    @staticmethod
    def without_cross(rng: Rng) -> PositionJson:
        """A table without a cross that is legal all the same."""
        return first_legal(lambda: without_deck(rng))

    @lays("makiaveli/columns without a deck", without_cross)
    def no_deck(self) -> Cards:
        """Neither deck nor cross: melds as columns in a row, the hand as a column or fan at the right."""
        blocks = self.melds((self.upright,), (self.upright, self.upright, self.stairs), (self.upright,))
        table, _ = self.in_lines(blocks, self.uniform(6, 12), (self.uniform(0.05, 0.4), self.uniform(0.1, 0.5)))
        hand = [*self.upright(self.hand, "hand").cards] if self.coin() else self.fanned_hand()
        return self.beside(table, hand, self.pick("right", "right", "left"), (0.6, 1.5), (0.3, 1))


class StrangerMakiaveli(Stranger, MakiaveliDealer):
    """All melds of a table strung along the same way or two, on shelves."""

    def melds(self, ways: Sequence[Way]) -> list[Block]:
        """The floor's melds, each strung along one of the ways, in any order."""
        return self.mixed([self.boxed(self.strung(meld, zone, [self.pick(*ways)])) for meld, zone in self.melds_of])

    def deck_and_cross(self) -> Cards:
        """The deck at the origin with its four cards; those at its sides upright or turned."""
        turn, gap = self.pick(0, pi / 2), self.uniform(0.1, 0.4)
        far, wide = self.aspect + gap, (1 + (self.aspect if turn else 1)) / 2 + gap
        deck = self.backs("deck", 0, 0) if any(self.position["cross"]) or self.coin(0.7) else []
        return deck + self.cross(wide, far, (turn, turn), SLOPPY)

    def shelves(self, blocks: Sequence[Block], limit: float, gap: float, level: float = 0.5) -> Cards:
        """Blocks in lines no wider than `limit`; level 0 hangs them from a line's far edge, 1 from its near."""
        lines: list[list[tuple[float, Block]]] = [[]]
        x = 0.0
        for block in blocks:
            if lines[-1] and x + block.width > limit:
                lines.append([])
                x = 0.0
            lines[-1].append((x, block))
            x += block.width + gap * self.uniform(1, 1.7)
        placed, y = Cards(), 0.0
        for line in lines:
            tall = max((block.height for _, block in line), default=0.0)
            end = max((x + block.width for x, block in line), default=0.0)
            slack = self.uniform(0, 0.5) * max(0.0, limit - end)
            placed += joined(block.at(x + slack, y + level * (tall - block.height)) for x, block in line)
            y += tall + gap * self.uniform(1, 1.5)
        return placed

    def with_deck(self, placed: Cards, *sides: str) -> Cards:
        """The table with the deck at one of the sides."""
        side = self.pick(*sides)
        return self.with_part(placed, self.deck_and_cross(), side)

    def with_part(self, placed: Cards, other: Cards, side: str) -> Cards:
        """Two parts of a table, the other one at a side of what lies there."""
        return self.beside(placed, other, side, (0.5, 1.1), (0, 1)) if placed and other else placed + other

    def with_hand(self, placed: Cards, way: int = 1) -> Cards:
        """The table with the hand at its near edge: a row (to the left with `way` -1), two rows, or a fan."""
        words, step = self.hand, (way * self.aside(0.28, 0.6), 0.0)
        if not words:
            return placed
        if way == 1 and self.coin(0.35):
            block = self.fan(words, "hand", (2, 4))
        else:
            first = len(words) // 2 if len(words) > 5 and self.coin() else 0
            down = self.aspect + 0.1 if way < 0 else self.down(0.5, 1.5) + 0.04
            cards = self.strung(words[:first], "hand", [step])
            block = self.boxed(cards + moved(self.strung(words[first:], "hand", [step]), 0, down))
        left, _, right, near = self.extent(placed) if placed else (0.0, 0.0, 5.0, 0.0)
        x = left + self.uniform(0.1, 0.9) * (right - left - block.width)
        return placed + block.at(x, near + self.uniform(0.7, 1.6))

    @lays("makiaveli/facing each player")
    def four_sides(self) -> Cards:
        """A round of two to four: each player's melds lie before that player, the deck and its cross amid them."""
        melds = self.melds([(self.aside(0.27, 0.36), 0.0)])
        half = max([2.9, *(meld.width / 2 + 0.05 for meld in melds)]) + self.uniform(0, 0.6)
        sides = sorted(self.mixed(range(4))[: self.count(2, 5)])
        shares = np.array_split(np.arange(len(melds)), len(sides))
        placed = self.deck_and_cross()
        for side, share in zip(sides, shares, strict=True):
            cards = self.shelves([melds[k] for k in share], 2 * half, self.uniform(0.15, 0.35))
            placed += turned(moved(cards, -half, half), side * pi / 2)
        return self.with_hand(placed)

    @lays("makiaveli/pillars")
    def pillars(self) -> Cards:
        """A narrow table filled pillar by pillar: melds run towards the player, each below the one before."""
        melds = self.melds([(0.0, self.down(0.3, 0.55))])
        depths = [0.0] * int(np.clip(round(len(melds) * self.uniform(0.35, 0.7)), 3, 11))
        gap, placed = self.uniform(0.15, 0.4), Cards()
        pitch = max([1.0, *(meld.width for meld in melds)]) + gap * self.uniform(0.4, 1)
        for meld in melds:
            slot = int(np.argmin(depths))
            placed += meld.at(slot * pitch, depths[slot])
            depths[slot] += meld.height + gap * self.uniform(1, 1.5)
        return self.with_hand(self.with_deck(placed, "left", "right", "far"))

    @lays("makiaveli/left-handed rows")
    def left_handed(self) -> Cards:
        """A left-hander's rows: each card lies on the left part of the one before, so that right ends show."""
        melds = self.melds([(-self.aside(0.27, 0.5), 0.0)])
        placed = self.shelves(melds, self.uniform(7, 15), self.uniform(0.15, 0.5), self.pick(0.0, 0.5))
        side = str(self.rng.choice(["left", "right"], p=[0.8, 0.2]))
        return self.with_hand(self.with_deck(placed, side), way=-1)

    @lays("makiaveli/stairs on a blanket")
    def stairs(self) -> Cards:
        """Melds as stairs, going down or up to the right, packed on a blanket; all together may lie askew."""
        aside, rise = self.aside(0.27, 0.4), self.uniform(0.1, 0.4)
        ways = self.pick([(aside, rise)], [(aside, -rise)], [(aside, rise), (aside, -rise)])
        placed = self.shelves(self.melds(ways), self.uniform(8, 15), self.uniform(0.12, 0.35), self.uniform(0, 1))
        placed = turned(placed, self.normal(0.06))
        return self.with_hand(self.with_deck(placed, "left", "right", "far"))

    @lays("makiaveli/runs apart from sets")
    def runs_apart(self) -> Cards:
        """A tidy club: the runs by suit as rows in one half, the sets as columns in the other, the deck beyond."""
        aside, down = self.aside(0.27, 0.5), self.down(0.3, 0.5)
        runs, sets = list[tuple[str, Block]](), list[tuple[str, Block]]()
        for meld, zone in self.melds_of:
            run = is_run(meld)
            cards = self.strung(meld, zone, [(aside, 0.0) if run else (0.0, down)])
            key = meld[0][1] if run else f"{RANK_CHARS.index(meld[0][0]):02}"
            (runs if run else sets).append((key, self.boxed(cards)))
        rows, columns = ([block for _, block in sorted(half, key=lambda pair: pair[0])] for half in (runs, sets))
        gap = self.uniform(0.12, 0.4)
        placed = self.shelves(rows, self.uniform(5, 10), gap, 0.0) if rows else []
        other = self.shelves(columns, self.uniform(4, 8), gap, 0.0) if columns else []
        placed = self.with_part(placed, other, self.pick("left", "right"))
        return self.with_hand(self.with_deck(placed, "far"))


class VisitorMakiaveli(Visitor, MakiaveliDealer):
    """Melds line by line, the deck and the hand beside them."""

    def meld(self, words: Sequence[str], zone: str, manner: str, mess: float = 0.012) -> Block:
        """One meld: as a `row`, a `column`, a `fan`, `whole` cards side by side, or a `square`."""
        if manner == "fan":
            return self.fan(words, zone, (1.6, 3))
        if manner == "square":
            wide, tall = 1 + self.uniform(0.02, 0.15), self.aspect + self.uniform(0.02, 0.15)
            return self.boxed(self.whole(words, zone, 2, wide, tall, mess))
        way = {
            "row": (self.aside(0.27, 0.45) + mess, 0.0),
            "column": (0.0, self.down(0.3, 0.5) + mess),
            "whole": (1 + self.uniform(0.01, 0.08), 0.0),
        }[manner]
        return self.boxed(self.strung(words, zone, way, mess))

    def whole(self, words: Sequence[str], zone: str, most: int, wide: float, tall: float, mess: float) -> Cards:
        """Whole cards in lines of so many."""
        places = [(k % most * wide, k // most * tall) for k in range(len(words))]
        return self.tops([(word, zone) for word in words], places, mess=mess)

    def flow(self, blocks: Sequence[Block], width: float, gap: float) -> Cards:
        """Blocks line by line from the far left, no wider than `width`; wider where all would become far too deep."""
        width = max(width, float(np.sqrt(1.3 * sum((block.width + gap) * (block.height + gap) for block in blocks))))
        placed, x, y, tall = Cards(), 0.0, 0.0, 0.0
        for block in blocks:
            if x and x + block.width > width:
                x, y, tall = self.uniform(0, 0.3), y + tall + gap * self.uniform(0.8, 1.6), 0.0
            placed += block.at(x, y + self.uniform(0, 0.4) * gap)
            x, tall = x + block.width + gap * self.uniform(0.8, 2), max(tall, block.height)
        return placed

    def deck_and_cross(self, gap: float, lying: bool, mess: float = 0.015) -> Cards:
        """The deck and the cards about it; with a negative gap they stick out from under the deck."""
        wide = 0.5 + gap + (self.aspect if lying else 1.0) / 2
        turn = pi / 2 if lying else 0.0
        placed = self.cross(wide, self.aspect + gap, (turn, -turn), mess)
        return placed + (self.closed("deck") if placed or self.coin(0.7) else [])

    def held(self, manner: str, mess: float = 0.012) -> Cards:
        """The hand as a row, a fan, or whole cards in lines; sorted by some players."""
        words = self.hand
        if not words:
            return []
        if self.coin(0.6):
            words.sort(key=lambda card: (card[1], RANK_CHARS.index(card[0])))
        if manner == "fan":
            return list(self.fan(words, "hand", (2, 4)).cards)
        if manner == "row":
            return self.strung(words, "hand", (self.aside(0.28, 0.65) + mess, 0.0), mess)
        return self.whole(words, "hand", 6, 1.06, self.aspect + self.uniform(0.04, 0.2), mess)

    @lays("makiaveli/two across a table")
    def across(self) -> Cards:
        """Two players: melds upside down on the far side, the deck amid them or at an end, a hand face down beyond."""
        manner = str(self.rng.choice(["row", "fan", "column"], p=[0.6, 0.2, 0.2]))
        melds = [self.meld(*meld, manner) for meld in self.melds_of]
        cut, width, gap = round(self.uniform(0.3, 0.7) * len(melds)), self.uniform(8, 13), self.uniform(0.15, 0.45)
        own, theirs = self.flow(melds[cut:], width, gap), turned(self.flow(melds[:cut], width, gap), pi)
        cross, side = self.deck_and_cross(self.uniform(0.05, 0.35), self.coin(0.4)), self.either()
        if self.coin(0.4):
            placed = self.beside(own, cross, "far", (0.3, 0.7), (0.1, 0.9))
            placed = self.beside(placed, theirs, "far", (0.3, 0.7), (0.2, 0.8))
        else:
            placed = self.beside(own, theirs, "far", (0.4, 1.2), (0.2, 0.8))
            placed = self.beside(placed, cross, side, (0.4, 1.2), (0.3, 0.7))
        placed = self.beside(placed, self.held(self.either("fan", "row")), "near", (0.7, 1.6))
        if self.coin(0.6):
            backs = self.fan([None] * self.count(2, 14), "none", (2, 4))
            placed = self.beside(placed, turned(backs.cards, pi), "far", (0.7, 1.5), (0.2, 0.8))
        return placed

    @lays("makiaveli/melds about the deck")
    def about_deck(self) -> Cards:
        """A round table: the cross in the middle, upright melds at its left and right, then beyond and before it."""
        ways = self.pick(["row"], ["column"], ["row", "column"], ["row", "fan"])
        melds = [self.meld(*meld, self.pick(*ways)) for meld in self.melds_of]
        placed = self.deck_and_cross(self.uniform(0.08, 0.5), self.coin(0.4))
        gap, turn = self.uniform(0.15, 0.45), self.count(0, 2)
        shares = np.array_split(np.arange(len(melds)), min(4, max(1, len(melds) // 2)))
        for k, share in enumerate(shares):
            side = ("left", "right", "far", "near")[(k + turn) % 2 if k < 2 else k]
            limit = self.uniform(4, 6) if side in ("left", "right") else self.uniform(8, 14)
            cards = self.flow([melds[n] for n in share], limit, gap)
            placed = self.beside(placed, cards, side, (0.3, 0.8), (0.3, 0.7))
        return self.beside(placed, self.held(self.pick("row", "fan", "whole")), "near", (0.7, 1.5), (0.2, 0.8))

    @lays("makiaveli/packed in a train")
    def train(self) -> Cards:
        """A train's narrow table: all packed in few long lines, sets on end, the cross tucked under the deck."""
        set_manner = self.either("column", "row", 0.7)
        melds = [self.meld(meld, zone, "row" if is_run(meld) else set_manner, 0.006) for meld, zone in self.melds_of]
        placed = self.flow(melds, self.uniform(12, 19), self.uniform(0.06, 0.2))
        lying = self.coin(0.8)
        cross = self.deck_and_cross(-self.uniform(0.25, 0.4) if lying else self.uniform(0.02, 0.08), lying)
        placed = self.beside(placed, cross, self.either(), (0.2, 0.5), (0, 1))
        hand, gap = self.held(self.either("row", "fan", 0.8)), self.uniform(0.4, 0.8)
        return self.beside(placed, hand, "near", gap, self.pick(0.05, 0.5, 0.95))

    @lays("makiaveli/children on a blanket")
    def children(self) -> Cards:
        """Children on a blanket: melds askew and crooked, some fanned; a card added last lies a little off its meld."""
        blocks = list[Block]()
        for meld, zone in self.melds_of:
            manner = self.pick("row", "fan") if is_run(meld) else self.pick("row", "fan", "whole", "square")
            cards = list(self.meld(meld, zone, manner, self.uniform(0.015, 0.035)).cards)
            if self.coin(0.3) and manner == "row":
                cards[-1:] = moved(cards[-1:], self.uniform(0.05, 0.2), self.normal(0.15))
            blocks.append(self.boxed(turned(cards, self.normal(0.18))))
        placed = self.flow(blocks, self.uniform(9, 14), self.uniform(0.3, 0.6))
        cross = turned(self.deck_and_cross(self.uniform(0.2, 0.6), False, 0.06), self.normal(0.15))
        placed = self.beside(placed, cross, self.pick("left", "right", "far"), (0.5, 1.2), (0, 1))
        hand = turned(self.held(self.either("fan", "row"), 0.03), self.normal(0.12))
        return self.beside(placed, hand, "near", (0.9, 1.8), (0, 1))

    @lays("makiaveli/whole cards")
    def whole_cards(self) -> Cards:
        """Poor eyes and a large table: whole cards side by side, long runs on a second line, the hand whole too."""
        most, tall, step = self.count(5, 8), self.aspect + self.uniform(0.02, 0.1), 1 + self.uniform(0.01, 0.1)
        blocks = [self.boxed(self.whole(meld, zone, most, step, tall, 0.014)) for meld, zone in self.melds_of]
        placed = self.flow(blocks, self.uniform(11, 18), self.uniform(0.4, 0.8))
        cross = self.deck_and_cross(self.uniform(0.15, 0.6), self.coin(0.3))
        placed = self.beside(placed, cross, self.pick("left", "right", "far"), (0.6, 1.4), (0, 1))
        return self.beside(placed, self.held(self.either("whole", "row", 0.7)), "near", (0.8, 1.8))


class NewcomerMakiaveli(Newcomer, MakiaveliDealer):
    """Melds in lines, the deck and the hand beside them."""

    def deck_and_cross(self, gap: float, mess: float, flat: bool) -> Cards:
        """The deck with its cross; `flat` has the cards left and right of it lie on their sides."""
        deck = self.pack("deck", 5, mess / 2)
        wide = (1 + self.aspect) / 2 + gap if flat else 1 + gap
        return deck + self.cross(wide, self.aspect + gap, (pi / 2 * flat, pi / 2 * flat), mess)

    def held(self, ways: str = "row fan two") -> Cards:
        """The player's cards, sorted or as they came: in a row, in a fan or in two rows."""
        words = self.hand
        if self.coin(0.7):
            words.sort(key=lambda word: (SUIT_CHARS.index(word[1]), RANK_CHARS.index(word[0])))
        way = self.pick(*ways.split())
        step = (self.aside(0.3, 0.6) + 0.02, 0)
        if way == "fan" and len(words) > 2:
            return list(self.fan(words, "hand", (2.5, 5)).cards)
        if way == "two" and len(words) > 5:
            half = (len(words) + 1) // 2
            upper, lower = (self.string(part, "hand", step, 0.015) for part in (words[:half], words[half:]))
            return self.beside(upper, lower, "near", (0.04, 0.2), 0)
        return self.string(words, "hand", step, 0.015)

    def limit(self, least: float, share: float) -> float:
        """How wide lines are."""
        return max(least, share * float(np.sqrt(self.cards_in_melds)))

    @lays("makiaveli/grandmother")
    def grandmother(self) -> Cards:
        """Somebody who keeps order: sets first, then runs, in lines that begin below each other, all squared up."""
        step, mess = self.aside(0.28, 0.5), self.pick(0.003, 0.008)
        melds = sorted(self.melds_of, key=lambda meld: (meld[0][0][0] != meld[0][1][0], len(meld[0])))
        pieces = [self.string(*meld, (step, 0), mess) for meld in melds]
        floor = self.lines(pieces, self.limit(7.0, 1.5), (self.uniform(0.3, 0.6), self.uniform(0.12, 0.35)))
        cross = self.deck_and_cross(self.uniform(0.03, 0.15), mess, self.coin(0.25))
        side = self.pick("far", "right", "left")
        placed = self.beside(floor, cross, side, (0.4, 0.9), 0.5 if side == "far" else (0, 0.5))
        return self.beside(placed, self.held("row fan"), "near", (0.5, 1))

    @lays("makiaveli/left-hander")
    def left_hander(self) -> Cards:
        """A left-hander lays each card at the left of the one before: lower right indices stay free, ends in line."""
        step = (-(self.aside(0.3, 0.45) + 0.02), 0)
        pieces = [self.string(*meld, step, 0.014) for meld in self.melds_of]
        floor = self.lines(pieces, self.limit(7.0, 1.6), (self.uniform(0.3, 0.7), self.uniform(0.15, 0.4)), 1.0)
        cross = self.deck_and_cross(self.uniform(0.05, 0.25), 0.015, False)
        placed = self.beside(floor, cross, self.pick("left", "far"), (0.4, 1), (0.2, 0.8))
        return self.beside(placed, self.string(self.hand, "hand", step, 0.015), "near", (0.6, 1.2), (0.2, 0.8))

    @lays("makiaveli/friends about a card table")
    def card_table(self) -> Cards:
        """Two to four friends about a card table: the deck in the middle, each one's melds before them, facing them."""
        sides: list[list[Cards]] = [[] for _ in range(4)]
        seats = [0, *self.mixed([1, 2, 3])[: self.count(1, 4)]]
        for meld in self.melds_of:
            step = self.aside(0.28, 0.4) + 0.02
            sides[self.pick(*seats)].append(self.string(*meld, (step, 0), 0.02))
        placed = self.deck_and_cross(self.uniform(0.04, 0.3), 0.02, self.coin(0.2))
        backs = self.coin(0.4)
        for side in (side for side in (1, 3, 0, 2) if side in seats):
            melds = self.lines(sides[side], 5 if side % 2 else 8, (0.4, self.uniform(0.12, 0.3)), 0.5)
            if side and backs:
                theirs = self.string(["??"] * self.count(2, 9), "none", (self.uniform(0.15, 0.3), 0), 0.02)
                melds = self.beside(melds, theirs, "near", (0.3, 0.7))
            piece = turned(melds, -pi / 2 * side + self.normal(0.05))
            placed = self.beside(placed, piece, ("near", "right", "far", "left")[side], (0.3, 0.6))
        return self.beside(placed, self.held(), "near", (0.5, 1))

    @lays("makiaveli/on a beach towel")
    def beach_towel(self) -> Cards:
        """On a towel: melds as columns towards the player, a few as rows, all a little aslant, the deck beside them."""
        pieces = []
        for words, zone in self.melds_of:
            down, aside = self.down(0.28, 0.4) + 0.03, self.aside(0.3, 0.45) + 0.03
            upright = len(words) < 8 and self.coin(0.8)
            step = (self.normal(0.03), down) if upright else (aside, self.normal(0.02))
            pieces.append(turned(self.string(words, zone, step, 0.02), self.normal(0.06)))
        floor = self.lines(pieces, self.limit(6.5, 1.4), (self.uniform(0.2, 0.45), self.uniform(0.2, 0.4)), 0.5)
        cross = turned(self.deck_and_cross(self.uniform(0.1, 0.4), 0.035, False), self.normal(0.1))
        placed = self.beside(floor, cross, self.pick("left", "right", "far"), (0.4, 0.8), (0.1, 0.9))
        placed = self.beside(placed, self.held(), "near", (0.5, 1))
        return turned(placed, self.normal(0.12))

    @lays("makiaveli/along a kitchen counter")
    def kitchen_counter(self) -> Cards:
        """A counter, long and narrow: two or three long lines, the deck at one end, the hand spread before them."""
        step = self.aside(0.26, 0.36) + 0.015
        pieces = [self.string(*meld, (step, 0), self.pick(0.01, 0.02)) for meld in self.melds_of]
        wide = sum(right - left + 0.4 for left, _, right, _ in map(self.extent, pieces))
        limit, gaps = (
            max(6.0, 1.1 * wide / (2 if wide < 26 else 3)),
            (self.uniform(0.15, 0.45), self.uniform(0.06, 0.3)),
        )
        floor = self.lines(pieces, limit, gaps, self.pick(0, 0.5))
        cross = self.deck_and_cross(self.uniform(0.02, 0.1), 0.015, self.coin())
        placed = self.beside(floor, cross, self.pick("left", "right"), (0.35, 0.8))
        hand = self.string(self.hand, "hand", (max(step, self.uniform(0.5, 1.08)), 0), 0.02)
        return self.beside(placed, hand, "near", (0.35, 0.8), (0, 1))


def _styled(name: str, weight: float = 1.0, position: Draw | None = None, **style: Any) -> Recipe:
    return Recipe(f"makiaveli/{name}", partial(HouseMakiaveli.lay, style=MakiaveliStyle(**style)), position, weight)


FAMILIES: Final = (
    *families(
        HouseMakiaveli,
        _styled("usual", 4.0),
        _styled("few melds", 1.5, few_melds, melds=VARIED),
        _styled("varied melds", 2.0, melds=VARIED),
        _styled("columns", 1.0, melds=COLUMNS),
        _styled("gaps", 1.0, melds=GAPPED, gaps=(0.4, 0.9)),
        _styled("crowded", 1.5, gaps=(0.03, 0.2)),
        _styled("across the table", 1.0, melds=VARIED, turned=0.4),
        _styled("apart", 1.0, melds=VARIED, floor="apart"),
        _styled("no deck", 1.0, without_deck, deck=False, melds=VARIED),
        _styled("floor only", 1.0, floor_only, deck=False),
        _styled("hand at the right", 1.0, hand="right"),
        _styled("hand in two rows", 1.0, hand="two rows"),
    ),
    *families(
        AnywhereMakiaveli,
        Recipe("makiaveli/anywhere", AnywhereMakiaveli.lay_anywhere, None, 6.0),
        Recipe("makiaveli/anywhere, few melds", AnywhereMakiaveli.lay_anywhere, few_melds, 1.5),
        Recipe(
            "makiaveli/anywhere without a deck", partial(AnywhereMakiaveli.lay_anywhere, deck=False), without_deck, 2.0
        ),
    ),
    *families(NeighbourMakiaveli),
    *families(StrangerMakiaveli),
    *families(VisitorMakiaveli),
    *families(NewcomerMakiaveli),
)
