"""Napoleon's Tomb as people lay it: a 3x3 grid, with one deck a column beside it, with two a tableau and wastes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import pi
from typing import Any, Final, Literal

from datasets.games.game import PositionJson, foundation_tops
from datasets.games.tomb_single import random_position
from datasets.layouts.authors import SLOPPY, Anywhere, Neighbour, Newcomer, Stranger, Visitor
from datasets.layouts.dealer import CORNERS, EDGES, GRID, Dealer, Top
from datasets.layouts.family import Recipe, families, lays
from datasets.layouts.geometry import Block, Cards, Way, joined, moved, turned
from datasets.picture_tools import Rng
from solver.cards import SUIT_CHARS

SIDE_PILES: Final = ("spare_six", "discard", "deck")
"""What lies beside the nine with one deck."""


def top_of(pile: Sequence[str] | str | None) -> str | None:
    """The word of a pile's top card, or of a single card; None where nothing lies."""
    return pile if isinstance(pile, str) else pile[-1] if pile else None


class TombDealer(Dealer):
    """The parts of both Tombs: which cards lie where."""

    def pile_of(self, name: str) -> Sequence[str]:
        """A pile beside the nine; the deck is there if the position does not say otherwise."""
        pile: Sequence[str] = self.position.get(name, ["??"])
        return pile

    def tops_of(self, field: str) -> list[Top]:
        """The tops of a field's piles; `wastes` lie in the zones `waste/0`, `waste/1` and so on."""
        return [(top_of(pile), f"{field.removesuffix('s')}/{k}") for k, pile in enumerate(self.position[field])]

    def begun(self, field: str, places: Sequence[Way]) -> list[tuple[Top, Way]]:
        """The same without empty ones, each with its place."""
        return [(top, at) for top, at in zip(self.tops_of(field), places, strict=True) if top[0]]

    def centre(self) -> Top:
        """The top in the middle of the nine."""
        return top_of(self.position["centre"]), "centre"

    def corners_and_edges(self) -> tuple[list[Top], list[Top]]:
        """The tops in the corners of the nine and on the edges; with two decks each suit has any corner."""
        if "corners" in self.position:
            return self.tops_of("corners"), self.tops_of("spares")
        return foundation_tops(self.position, self.mixed(SUIT_CHARS), from_king=True), self.tops_of("reserves")

    def nine(self) -> list[Top]:
        """The tops of the nine as one reads them."""
        c, e = self.corners_and_edges()
        return [c[0], e[0], c[1], e[1], self.centre(), e[2], c[2], e[3], c[3]]


# The house's


@dataclass(frozen=True, slots=True)
class TombStyle:
    """One way to lay a Tomb.

    Attributes:
        gap: Smallest and largest gap between piles, card widths.
        crooked: Standard deviations of places and turns, one of which is drawn.
        side: One deck: where spare sixes, discard and deck lie. Two decks: whether the tableau is a column beside the
            grid, or a row below it with the wastes under that.
        piles: Chance that a pile shows the edges of cards below its top.
    """

    gap: Way = (0.1, 0.5)
    crooked: tuple[float, ...] = (0.008, 0.02, 0.04)
    side: Literal["column", "row below", "free"] = "column"
    piles: float = 0.0


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells in which places are counted from the grid's upper left one, and how carelessly piles lie in them."""

    right: float
    below: float
    crooked: float
    piles: float


class HouseTombs(TombDealer):
    """The usual ways, by style."""

    def cells(self, style: TombStyle) -> _Cells:
        """The cells of a style."""
        right, below = 1 + self.uniform(*style.gap), self.aspect + self.uniform(*style.gap)
        return _Cells(right, below, self.pick(*style.crooked), style.piles)

    def in_cells(self, cells: _Cells, tops: Sequence[Top], places: Sequence[Way], under: int = 0) -> Cards:
        """Piles' tops, with the edges of at least `under` backs below them; nothing where a pile is empty."""
        placed = Cards()
        for (word, zone), (column, row) in zip(tops, places, strict=True):
            if word:
                below = max(under, self.count(1, 3)) if self.coin(cells.piles) else under
                x = column * cells.right + self.normal(cells.crooked)
                y = row * cells.below + self.normal(cells.crooked)
                placed += moved(self.pile(word, zone, below), x, y)
        return placed

    def lay_single(self, style: TombStyle) -> Cards:
        """One deck: corners, centre and spares as a 3x3 grid; spare sixes, discard and deck beside or below it."""
        cells, (corners, edges) = self.cells(style), self.corners_and_edges()
        placed = self.in_cells(cells, [*corners, self.centre(), *edges], _NINE)
        order = self.mixed(range(3)) if self.coin(0.4) else range(3)
        left = self.coin(0.3)
        beside = (-1.2 - self.uniform(0, 0.6)) if left else (3.1 + self.uniform(0, 0.6))
        for at, zone in zip(order, SIDE_PILES, strict=True):
            pile, is_deck = self.pile_of(zone), zone == "deck"
            if pile:
                place = self._place_beside(style, at, beside)
                placed += self.in_cells(cells, [("??" if is_deck else pile[-1], zone)], [place], 2 * is_deck)
        return placed

    def _place_beside(self, style: TombStyle, at: float, beside: float) -> Way:
        """Where one of three piles lies that are beside the nine, or below them."""
        if style.side == "row below":
            return at + self.normal(0.05), 3.1 + self.uniform(0, 0.2)
        if style.side == "free":
            return beside + self.normal(0.2), at * self.uniform(0.9, 1.3) + self.normal(0.15)
        return beside, at

    def lay_double(self, style: TombStyle) -> Cards:
        """Two decks: foundations in the corners, reserves on the edges, the centre; tableau beside or below; wastes."""
        cells, (corners, edges) = self.cells(style), self.corners_and_edges()
        placed = self.in_cells(cells, [*corners, *edges, self.centre()], (*_NINE[:4], *_NINE[5:], _NINE[4]))
        row = style.side == "row below"
        beside = 3.1 + self.uniform(0.1, 0.6) if self.coin(0.75) else -1.2 - self.uniform(0.1, 0.5)
        first = self.uniform(-0.7, 0.05)
        step = self.uniform(1.0, 1.12) if first < -0.4 else 1.0
        places = [(k - 0.5, 3.1) if row else (beside, k * step + first) for k in range(4)]
        placed += self.in_cells(cells, self.tops_of("tableau"), places)
        down = (4.2 if row else 3.15 if beside > 0 else 3.55) + self.uniform(0, 0.3)
        aside = 0.6 if row else 0.0
        placed += self.in_cells(cells, self.tops_of("wastes"), [(k - 0.2 - aside, down) for k in range(5)])
        stock = [("??", "stock")] if self.position["stock"] else []
        return placed + self.in_cells(cells, stock, [(-1.35 - (0.5 if row else 0.0), down)] * len(stock), 2)


_NINE: Final = ((0, 0), (2, 0), (0, 2), (2, 2), (1, 1), (1, 0), (0, 1), (2, 1), (1, 2))
"""Corners, centre and edges in cells."""


class AnywhereTombs(Anywhere, HouseTombs):
    """The grid, and all other piles about it."""

    def any_style(self) -> TombStyle:
        """A style with gaps and care of its own."""
        gap = self.pick(0.0, 0.1, 0.5)
        crooked = ((0.01, 0.03), (0.05, 0.12))[self.coin(0.3)]
        return TombStyle(gap=(gap, gap + 0.5), crooked=crooked, piles=self.pick(0.0, 0.5))

    def without(self, **empty: Any) -> AnywhereTombs:
        """The dealer of the same table without some piles."""
        return replace(self, position={**self.position, **empty})

    @lays("tomb_single/anywhere", weight=5.0)
    def single_anywhere(self) -> Cards:
        """The grid, and spare sixes, discard and deck about it."""
        grid = self.without(spare_six=[], discard=[], deck=[]).lay_single(self.any_style())
        piles = []
        for zone in SIDE_PILES:
            if self.pile_of(zone):
                top = None if zone == "deck" else self.pile_of(zone)[-1]
                piles.append(self.any_pile(top, zone, self.any_turn(), self.count(0, 3)))
        piles = self.mixed(piles)
        parts = [piles] if self.coin(0.4) else [[pile] for pile in piles]
        blocks: list[tuple[Block, str | None]] = [(self.arrange(part), None) for part in parts if part]
        return self.around(self._zones_turned(grid), blocks)

    @lays("tomb_double/anywhere", weight=6.0)
    def double_anywhere(self) -> Cards:
        """The grid, and tableau, wastes and stock about it."""
        bare = self.without(tableau=[[]] * 4, wastes=[[]] * 5, stock=[])
        grid = bare.lay_double(self.any_style())
        stock = [self.any_pile(None, "stock", self.any_turn(), self.count(0, 3))] if self.position["stock"] else []
        rows: list[list[Cards]] = []
        for field in ("tableau", "wastes"):
            turn = self.any_turn()
            tops = [top for top in self.tops_of(field) if top[0]]
            rows.append([self.any_pile(*top, turn, self.count(0, 2)) for top in tops])
        if stock and self.coin(0.8):  # the stock at an end of the wastes
            rows[1] = [*stock, *rows[1]] if self.coin(0.7) else [*rows[1], *stock]
            stock = []
        blocks: list[tuple[Block, str | None]] = [(self.arrange(piles), None) for piles in (*rows, stock) if piles]
        blocks = self.mixed(blocks)
        return self.around(self._zones_turned(grid), blocks)

    def _zones_turned(self, cards: Cards) -> Cards:
        """Each kind of pile turned in a way of its own, as some lay the centre sideways; or each pile by itself."""
        turns: dict[str, float] = {}
        result = Cards()
        singly = self.coin(0.15)
        for card in cards:
            turn = turns.setdefault(card.zone if singly else card.zone.split("/")[0], self.any_turn())
            result.append(replace(card, angle=card.angle + turn))
        return result


class NeighbourTombs(Neighbour, TombDealer):
    """The nine as one group, all other piles as groups beside it."""

    def top(self, word: str | None, zone: str) -> Cards:
        """The top of a pile, if there is one."""
        return self.jitter(self.pile(word, zone), 0.01, 0.02) if word else []

    def tops_laid(self, field: str) -> list[Cards]:
        """The tops of a field's piles."""
        return [self.top(*top) for top in self.tops_of(field)]

    def grid(self, step: Way, careless: float, diagonal: float = 0.0, sideways: bool = False) -> Cards:
        """The nine; corners may point outwards, the cards left and right of the centre lie across."""
        corners, edges = ([self.top(*top) for top in tops] for tops in self.corners_and_edges())
        placed = self.top(*self.centre())
        for (x, y), pile in zip(CORNERS, corners, strict=True):
            placed += moved(turned(pile, -diagonal * x * y), x * step[0], y * step[1])
        for (x, y), pile in zip(EDGES, edges, strict=True):
            placed += moved(turned(pile, pi / 2 * x if sideways else 0.0), x * step[0], y * step[1])
        return self.jitter(placed, careless, careless)

    def pointed_grid(self) -> Cards:
        """Corners at an angle, as patience books draw the tomb."""
        sideways = self.coin()
        reach = (self.aspect + 1) / 2
        step = ((1.55 if sideways else 1.38) + self.uniform(0, 0.3), reach + 0.35 + self.uniform(0, 0.3))
        return self.grid(step, self.uniform(0.01, 0.05), self.uniform(0.6, 0.95), sideways)

    def side_piles(self) -> list[Cards]:
        """Spare six, discard pile and deck of the small Tomb, those that are there, in any order."""
        piles = [self.top(top_of(self.pile_of(name)), name) for name in SIDE_PILES[:2]]
        piles += [self.mound("deck")] if self.pile_of("deck") else []
        return [pile for pile in self.mixed(piles) if pile]

    @lays("tomb_single/piles below")
    def single_below(self) -> Cards:
        """The grid touches; side piles as a row below or above."""
        grid = self.grid((1, self.aspect), self.uniform(0.005, 0.02))
        row = self.line(self.side_piles(), (1 + self.uniform(0.05, 0.9), 0), 0.1)
        return self.beside(grid, row, self.either("near", "far", 0.75), (0.25, 1), (-0.1, 1.1))

    @lays("tomb_single/pointed corners")
    def single_pointed(self) -> Cards:
        """Corners at an angle; side piles as a column at the left or right, leaning."""
        step = (self.normal(0.15), self.aspect + self.uniform(0.05, 0.6))
        column = self.line(self.side_piles(), step, 0.08)
        side = self.pick("left", "right")
        return self.beside(self.pointed_grid(), column, side, (0.3, 1.2), (0, 1))

    @lays("tomb_single/loose")
    def single_loose(self) -> Cards:
        """A wide careless grid; every side pile lies somewhere else round it, the deck perhaps in the hand."""
        step = (1.3 + self.uniform(0, 0.6), self.aspect + self.uniform(0.2, 0.6))
        careless = self.uniform(0.04, 0.12)
        table = self.grid(step, careless, sideways=self.coin(0.3))
        for pile, side in zip(self.side_piles(), self.mixed(("left", "right", "near")), strict=False):
            if pile[0].zone != "deck" or not self.coin(0.2):
                table = self.beside(table, turned(pile, self.normal(0.15)), side, (0.3, 1.5), (0, 1))
        return table

    @lays("tomb_double/wastes in an arc")
    def double_arc(self) -> Cards:
        """Wastes in an arc below the grid or above, the stock in its bend or at its end; the tableau at a side."""
        step = (1.05 + self.uniform(0, 0.35), self.aspect + self.uniform(0.05, 0.35))
        tableau = self.line(self.tops_laid("tableau"), (0, self.aspect + self.uniform(0.02, 0.2)), 0.05)
        table = self.grid(step, self.uniform(0.01, 0.05))
        table = self.beside(table, tableau, self.pick("left", "right"), (0.3, 0.9), (0.2, 0.8))
        radius, pitch = self.uniform(2.5, 5), self.uniform(1.25, 1.5)
        smile = self.pick(-1, 1)
        arc = Cards()
        for k, pile in enumerate(self.tops_laid("wastes")):
            arc += turned(moved(pile, 0, smile * radius), smile * (2 - k) * pitch / radius)
        stock = moved(self.stock(), 0, smile * (radius - self.aspect - self.uniform(0.2, 0.6)))
        arc = [*arc, *stock] if self.coin(0.3) and radius > 3 else self.beside(arc, stock, "left", 0.3, 0.8)
        return self.beside(table, arc, self.either("near", "far", 0.75), (0.2, 0.6), (0.3, 0.7))

    @lays("tomb_double/wastes in a column")
    def double_column(self) -> Cards:
        """The grid touches; wastes a column at one side with the stock at its end, the tableau a row above or below."""
        tableau = self.line(self.tops_laid("tableau"), (1 + self.uniform(0.01, 0.3), 0), 0.04)
        table = self.grid((1.03, self.aspect + 0.03), self.uniform(0.005, 0.02))
        table = self.beside(table, tableau, self.pick("far", "near"), (0.2, 0.6), (0.2, 0.8))
        down = (self.normal(0.05), self.aspect + self.uniform(0.03, 0.2))
        column = self.line(self.tops_laid("wastes"), down, 0.05)
        column = self.beside(column, self.stock(), self.pick("far", "near"), (0.1, 0.4), 0.5)
        return self.beside(table, column, self.pick("left", "right"), (0.3, 0.9), (0, 1))

    @lays("tomb_double/pointed corners")
    def double_pointed(self) -> Cards:
        """Corners at an angle; the tableau a block at a side, wastes a slanting row above or below, stock apart."""
        four = self.tops_laid("tableau")
        pairs = [self.line(four[k : k + 2], (1 + self.uniform(0.02, 0.2), 0)) for k in (0, 2)]
        block = self.line(pairs, (0, self.aspect + self.uniform(0.02, 0.2)))
        side, other = self.pick(("left", "right"), ("right", "left"))
        table = self.beside(self.pointed_grid(), block, side, (0.3, 1), (0, 1))
        table = self.beside(table, self.stock(), other, (0.3, 1.5), (0, 1))
        wastes = self.tops_laid("wastes")
        row = self.line(wastes, (1 + self.uniform(0.05, 0.4), self.normal(0.08)), 0.05)
        return self.beside(table, row, self.pick("far", "near"), (0.2, 0.7), (0.2, 0.8))


class StrangerTombs(Stranger, TombDealer):
    """All piles at places about the centre."""

    def grid(self, pitch: Way, turns: Way = (0.0, 0.0)) -> Cards:
        """The nine about the origin; `turns` are those of the corners (as rays) and of the left and right edge."""
        corners, edges = self.corners_and_edges()
        places = ((0, 0), *CORNERS, *EDGES)
        turned_by = [-x * y * turns[0] if x and y else x * x * turns[1] for x, y in places]
        tops, at = [self.centre(), *corners, *edges], [(x * pitch[0], y * pitch[1]) for x, y in places]
        return self.tops(tops, at, turned_by, SLOPPY)

    def sides(self, places: Sequence[Way], turn: float = 0.0) -> Cards:
        """The one-deck Tomb's deck, discard pile and sixes, in any order."""
        placed = Cards()
        for name, at in zip(self.mixed(("deck", "discard", "spare_six")), places, strict=True):
            if pile := self.pile_of(name):
                placed += self.backs(name, *at, turn) if name == "deck" else self.put(pile[-1], name, *at, turn)
        return placed

    def piles(self, field: str, at: Sequence[Way], turn: float = 0.0) -> Cards:
        """Tableau piles or wastes at their places."""
        return joined(self.put(*top, *place, turn) for top, place in self.begun(field, at))

    def wastes(self, start: Way, step: Way, stock_last: bool, bow: float = 0.0) -> Cards:
        """The wastes in a line from `start` on, the stock at one of its ends, the wastes next to it."""
        count = sum(map(bool, self.position["wastes"]))
        at = [(start[0] + k * step[0], start[1] + k * step[1] + bow * (k - 2.5) ** 2) for k in range(6)]
        first = 5 - count if stock_last else 1
        placed = self.piles("wastes", [*at[first : first + count], *at[:1] * (5 - count)])
        x, y = at[5] if stock_last else at[0]
        push = self.uniform(0.08, 0.3) * (1 if stock_last else -1)  # a little off the wastes
        stock = self.position["stock"]
        return placed + self.backs("stock", x + push * (step[0] > 0), y + push * (step[1] > 0), there=stock)

    @lays("tomb_single/spares lying across")
    def single_lying_spares(self) -> Cards:
        """The spares at the left and right lie across; the side piles in a row before the player."""
        pitch = ((1 + self.aspect) / 2 + self.uniform(0.05, 0.4), self.aspect + self.uniform(0.05, 0.4))
        y = 2 * pitch[1] + self.uniform(0.4, 1.2)
        begin, step = self.uniform(-3.5, 1), self.uniform(1.15, 1.8)
        placed = self.grid(pitch, (0.0, self.pick(-1, 1) * pi / 2))
        return placed + self.sides([(begin + k * step, y) for k in range(3)])

    @lays("tomb_single/corners as rays")
    def single_rays(self) -> Cards:
        """For a picture: the corners turned like rays of a star, the side piles in a column at the left or right."""
        pitch = (1.45 + self.uniform(0.05, 0.4), (1 + 1.71 * self.aspect) / 2 + self.uniform(-0.05, 0.35))
        turn, step = self.uniform(0.45, 0.8) * self.pick(-1, 1), self.aspect + self.uniform(0.1, 0.6)
        x = (pitch[0] + 1.4 + self.uniform(0.5, 1.5)) * self.pick(-1, 1)
        down = self.normal(0.6)
        return self.grid(pitch, (turn, 0.0)) + self.sides([(x, (k - 1) * step + down) for k in range(3)])

    @lays("tomb_single/a side for each pile")
    def single_three_sides(self) -> Cards:
        """The nine cards all but touch on a small table; each side pile has a side of the grid for itself."""
        pitch = (1.08 + self.uniform(0, 0.08), self.aspect + 0.08 + self.uniform(0, 0.08))
        turn = self.pick(0, 0, pi / 2)
        gap = self.uniform(0.6, 1.4) + 0.71
        x, y = pitch[0] + 0.5 + gap, pitch[1] + self.aspect / 2 + gap
        off = [self.uniform(-2, 2) for _ in range(4)]
        places = self.mixed([(-x, off[0]), (x, off[1]), (off[2], -y), (off[3], y)])[:3]
        return self.grid(pitch) + self.sides(places, turn)

    @lays("tomb_double/tableau beyond the nine")
    def double_tableau_beyond(self) -> Cards:
        """The tableau as a row beyond the nine, the wastes as a column at a side with the stock near or far."""
        pitch = (1 + self.uniform(0.06, 0.5), self.aspect + self.uniform(0.06, 0.4))
        step, y = 1 + self.uniform(0.1, 0.5), -2 * pitch[1] - self.uniform(0.3, 0.9)
        placed = self.grid(pitch) + self.piles("tableau", [((k - 1.5) * step, y) for k in range(4)])
        down = self.aspect + self.uniform(0.05, 0.2)
        x = (max(pitch[0], 1.5 * step) + 1 + self.uniform(0.4, 1.2)) * self.pick(-1, 1)
        return placed + self.wastes((x, -3.5 * down), (0.0, down), self.coin())

    @lays("tomb_double/star on a blanket")
    def double_star(self) -> Cards:
        """On a blanket: foundations as rays, the tableau a square beside, the wastes in an arc before the player."""
        pitch = (1.45 + self.uniform(0.05, 0.4), (1 + 1.71 * self.aspect) / 2 + self.uniform(-0.05, 0.35))
        placed = self.grid(pitch, (self.uniform(0.45, 0.8) * self.pick(-1, 1), 0.0))
        wide, tall = 1 + self.uniform(0.05, 0.3), self.aspect + self.uniform(0.05, 0.3)
        x = pitch[0] + 1.4 + self.uniform(0.5, 1.1)
        x, y = (x if self.coin() else -x - wide), self.uniform(-1.2, 0)
        placed += self.piles("tableau", [(x + k % 2 * wide, y + k // 2 * tall) for k in range(4)])
        step, bow = 1 + self.uniform(0.1, 0.35), self.uniform(0.03, 0.08) * self.pick(-1, 1)
        y = pitch[1] + 2 * self.aspect + self.uniform(0.2, 0.7) + max(0.0, -7 * bow)
        return placed + self.wastes((self.normal(0.5) - 2.5 * step, y), (step, 0.0), self.coin(), bow)

    @lays("tomb_double/tableau as wings")
    def double_wings(self) -> Cards:
        """Two tableau piles at each side of the nine like wings, upright or across; the wastes in a row below."""
        pitch = (1 + self.uniform(0.09, 0.4), self.aspect + self.uniform(0.09, 0.4))
        turn = self.pick(0, pi / 2)
        x = pitch[0] + 0.5 + (self.aspect if turn else 1) / 2 + self.uniform(0.5, 1.3)
        tall = (self.aspect + self.uniform(0.1, 1)) / 2
        wings = [(-x, -tall), (x, -tall), (-x, tall), (x, tall)]
        placed = self.grid(pitch) + self.piles("tableau", wings, turn)
        step, y = 1 + self.uniform(0.06, 0.4), 2 * pitch[1] + self.uniform(0.3, 0.9)
        return placed + self.wastes((self.normal(0.4) - 2.5 * step, y), (step, 0.0), self.coin(0.8))

    @lays("tomb_double/wastes beyond the nine")
    def double_wastes_beyond(self) -> Cards:
        """A small table: the wastes and the stock beyond the nine, side reserves across, the tableau at a hand."""
        pitch = ((1 + self.aspect) / 2 + self.uniform(0.08, 0.2), self.aspect + self.uniform(0.08, 0.2))
        placed = self.grid(pitch, (0.0, self.pick(-1, 1) * pi / 2))
        side = float(self.uniform(0.4, 1)), float(self.rng.choice((-1, 1), p=(0.8, 0.2)))
        x = (pitch[0] + self.aspect / 2 + 0.5 + side[0]) * side[1]
        down, lift = self.aspect + self.uniform(0.03, 0.2), self.normal(0.3)
        placed += self.piles("tableau", [(x, (k - 1) * down + lift) for k in range(4)])
        y = -2 * pitch[1] - self.uniform(0.8, 1.4) - max(0.0, -lift)
        step = 1 + self.uniform(0.05, 0.25)
        return placed + self.wastes((-2.5 * step, y), (step, 0.0), self.coin())


class VisitorTombs(Visitor, TombDealer):
    """The nine by a pitch, all other piles as groups beside them."""

    def grid(self, pitch: Way, mess: float | Way) -> Cards:
        """The nine about the origin."""
        return self.tops(self.nine(), [(x * pitch[0], y * pitch[1]) for x, y in GRID], mess=mess)

    def piles(self, field: str, step: Way, mess: float, across: int = 9) -> Cards:
        """Tableau piles or wastes at even steps, so many in a line."""
        tops = self.tops_of(field)
        places = [(k % across * step[0], (k // across if across < 9 else k) * step[1]) for k in range(len(tops))]
        return self.tops(tops, places, mess=mess)

    def side_pile(self, name: str, turn: float = 0.0) -> Cards:
        """The one-deck Tomb's deck, discard pile or sixes, at the origin."""
        pile = self.pile_of(name)
        if name == "deck":
            return self.closed("deck", turn) if pile else []
        return self.card(top_of(pile), name, turn=turn, mess=0.02)

    @lays("tomb_single/deck in the hand")
    def single_deck_in_hand(self) -> Cards:
        """Laid loosely on a cloth, all askew; the deck often in the hand, discards and sixes at either side."""
        pitch = (1 + self.uniform(0.15, 0.7), self.aspect + self.uniform(0.15, 0.6))
        mess = self.uniform(0.02, 0.06)
        placed = self.grid(pitch, mess)
        for name, side in zip(self.mixed(("discard", "spare_six")), (-1, 1), strict=True):
            pile, place = self.side_pile(name), self.uniform(0, 1)
            x = (pitch[0] + 1 + self.uniform(0.2, 0.9)) * side
            placed += moved(pile, x, (2 * place - 1) * pitch[1])
        if self.coin(0.4):
            deck = self.side_pile("deck", self.normal(0.15))
            placed += moved(deck, self.uniform(-1, 1) * pitch[0], 2 * pitch[1] + self.uniform(0.3, 0.9))
        return turned(placed, self.normal(0.05))

    @lays("tomb_single/on a tray")
    def single_tray(self) -> Cards:
        """A tray with no room: the nine lie on each other's edges, all side piles close by in one line."""
        wide, tall = self.uniform(0.8, 1.0), self.uniform(0.75, 1.0) * self.aspect
        pitch = (max(wide, self.shape.right + 0.12), max(tall, self.shape.below + 0.15))
        placed = self.grid(pitch, 0.015)
        side = self.pick("left", "right", "near")
        step = (max(pitch[0], 0.97), 0.0) if side == "near" else (0.0, max(pitch[1], 0.97 * self.aspect))
        names = enumerate(self.mixed(("deck", "discard", "spare_six")))
        line = joined(moved(self.side_pile(name), k * step[0], k * step[1]) for k, name in names)
        return self.beside(placed, line, side, (0.3, 0.6), (0.2, 0.8))

    @lays("tomb_single/spares close about the centre")
    def single_close_cross(self) -> Cards:
        """The spares close about the centre, the corners a little way off; deck, discard by the hand, sixes beyond."""
        gap, off = self.uniform(0.03, 0.12), self.uniform(0.15, 0.5)
        pitch = (1 + gap, self.aspect + gap)
        places = [(x * (pitch[0] + off * abs(y)), y * (pitch[1] + off * abs(x))) for x, y in GRID]
        placed = self.tops(self.nine(), places, mess=0.018)
        hand = self.either(chance=0.4)
        deck, discard = (self.side_pile(name) for name in ("deck", "discard"))
        if self.coin(0.6):  # the discard pile nearer to the grid, where the hand passes
            pair = self.beside(discard, deck, hand, (0.1, 0.4))
        else:
            pair = self.beside(deck, discard, "near", (0.08, 0.4))
        placed = self.beside(placed, pair, hand, (0.5, 1.3), (0.5, 1))
        sixes = self.side_pile("spare_six", self.pick(0.0, pi / 2))
        x, y = self.uniform(-1, 1) * pitch[0], 2 * pitch[1] + off + self.uniform(0.25, 0.8)
        return placed + moved(sixes, x, -y if self.coin(0.6) else y)

    @lays("tomb_double/wastes in two lines")
    def double_two_lines(self) -> Cards:
        """The wastes in two short lines beside the stock, the tableau a column at the other side."""
        placed = self.grid((1 + self.uniform(0.06, 0.35), self.aspect + self.uniform(0.06, 0.3)), 0.014)
        tall, wide = self.aspect + self.uniform(0.04, 0.25), 1 + self.uniform(0.05, 0.25)
        tableau = self.piles("tableau", (0.0, tall), 0.018)
        side, other = ("left", "right") if self.coin() else ("right", "left")
        placed = self.beside(placed, tableau, side, (0.4, 1.1), (0.2, 0.8))
        wastes = self.piles("wastes", (wide, tall), 0.018, across=3)
        wastes = self.beside(wastes, self.stock(), self.either(), (0.15, 0.5), (0, 1))
        return self.beside(placed, wastes, self.either("near", other, 0.6), (0.4, 1.0), (0.1, 0.9))

    @lays("tomb_double/small table")
    def double_small_table(self) -> Cards:
        """A small table: the nine touch, tableau and wastes each half upon one another in a line."""
        placed = self.grid((1 + self.uniform(0.01, 0.06), self.aspect + self.uniform(0.01, 0.06)), 0.01)
        down, aside = self.down(0.5, 0.9), self.aside(0.45, 0.85)
        tableau = self.piles("tableau", (0.0, down), 0.01)
        placed = self.beside(placed, tableau, self.either(chance=0.4), (0.2, 0.5), (0, 1))
        wastes = self.piles("wastes", (aside, 0.0), 0.01)
        wastes = self.beside(self.stock(), wastes, "right", (0.06, 0.25))
        return self.beside(placed, wastes, "near", (0.12, 0.4), (0, 0.6))

    @lays("tomb_double/tableau between")
    def double_tableau_between(self) -> Cards:
        """The tableau in a row between the nine and the wastes, the stock off at a side; a child's cards lie askew."""
        mess = self.pick(0.012, 0.03, 0.05)
        placed = self.grid((1.08 + self.uniform(0.05, 0.6), self.aspect + 0.08 + self.uniform(0.05, 0.4)), mess)
        step = (1.08 + self.uniform(0.05, 0.5), 0.0)
        tableau, wastes = (self.piles(field, step, mess) for field in ("tableau", "wastes"))
        placed = self.beside(placed, tableau, "near", (0.35, 0.9), (0.3, 0.7))
        placed = self.beside(placed, wastes, "near", (0.35, 0.9), (0.1, 0.9))
        stock = self.stock(self.pick(0, 0, pi / 2), mess) if self.position["stock"] else []
        return self.beside(placed, stock, self.either(), (0.3, 1.2), (0.1, 1))


def _with_corners(rng: Rng) -> PositionJson:
    """A game with at least two corners begun, so that their turn is seen."""
    while True:
        position = random_position(rng)
        if sum(map(bool, position["corners"])) > 1:
            return position


class NewcomerTombs(Newcomer, TombDealer):
    """The nine from the upper left one on, all other piles counted from there."""

    def grid(self, pitch: Way, mess: float, corner_turns: Sequence[float] = (0,) * 4, side_turn: float = 0.0) -> Cards:
        """The nine, the first one's middle at the origin, corners and the spares at the sides turned."""
        a, b, c, d = corner_turns
        places = [(k % 3 * pitch[0], k // 3 * pitch[1]) for k in range(9)]
        return self.tops(self.nine(), places, (a, 0, b, side_turn, 0, side_turn, c, 0, d), mess)

    def side_piles(self, step: Way, mess: float, order: str = "deck discard spare_six") -> Cards:
        """Deck, discard pile and spare sixes at even steps, each with its place kept where it is empty."""
        placed = Cards()
        for k, name in enumerate(order.split()):
            placed += moved(self.side_pile(name, mess), k * step[0], k * step[1])
        return placed

    def side_pile(self, name: str, mess: float) -> Cards:
        """Deck, discard pile or spare sixes at the origin."""
        return (
            self.pack("deck", 6, mess / 2) if name == "deck" else self.card(top_of(self.pile_of(name)), name, mess=mess)
        )

    def piles(self, field: str, step: Way, mess: float) -> Cards:
        """The piles of `tableau` or `wastes` at even steps, the first one's place at the origin."""
        tops = self.tops_of(field)
        return self.tops(tops, [(k * step[0], k * step[1]) for k in range(len(tops))], mess=mess)

    @lays("tomb_single/as in a book")
    def single_book(self) -> Cards:
        """A book's picture, or a tidy player: an exact grid, the side piles in a line at the right or below."""
        gap = self.uniform(0.08, 0.4)
        pitch, mess = (1 + gap, self.aspect + gap), self.pick(0.002, 0.005)
        placed = self.grid(pitch, mess)
        order = self.pick("deck discard spare_six", "spare_six discard deck")
        if self.coin():
            piles = self.side_piles((0, pitch[1]), mess, order)
            return [*placed, *moved(piles, 2 * pitch[0] + 1 + gap + self.uniform(0.2, 0.8), 0)]
        piles = self.side_piles((pitch[0], 0), mess, order)
        return [*placed, *moved(piles, 0, 2 * pitch[1] + self.aspect + gap + self.uniform(0.2, 0.6))]

    @lays("tomb_single/corners point outwards", _with_corners)
    def single_star(self) -> Cards:
        """Somebody fond of ornaments: the corners point outwards, the side piles lie apart at the left or right."""
        gap, lean = self.uniform(0.3, 0.45), self.uniform(0.5, pi / 4)
        placed = self.grid((1.2 + gap, self.aspect + gap), self.pick(0.008, 0.02), (-lean, lean, lean, -lean))
        piles = self.side_piles((0, self.aspect + self.uniform(0.1, 0.3)), 0.015)
        return self.beside(placed, piles, self.pick("left", "right"), (0.4, 0.9), (0.2, 0.8))

    @lays("tomb_single/spares lie across")
    def single_flat_spares(self) -> Cards:
        """A grandfather's way: the spares at the sides lie across, so that the grid looks like a cross."""
        gap, way = self.uniform(0.04, 0.2), self.pick(-1, 1)
        pitch = ((1 + self.aspect) / 2 + gap, self.aspect + gap)
        placed = self.grid(pitch, self.pick(0.006, 0.015), side_turn=way * pi / 2)
        piles = self.side_piles((1 + self.uniform(0.1, 0.4), 0), 0.012, "spare_six deck discard")
        return self.beside(placed, piles, self.pick("near", "near", "far"), (0.25, 0.6))

    @lays("tomb_single/in a train")
    def single_railway(self) -> Cards:
        """A train's small table that shakes: the grid's cards touch, the deck and its piles at either hand."""
        mess = self.uniform(0.02, 0.04)
        placed = self.grid((1.02 + mess, self.aspect + 0.02 + mess), mess)
        deck = self.pack("deck", loose=0.02)
        six, discard = (self.side_pile(name, mess) for name in ("spare_six", "discard"))
        hand, other = ("right", "left") if self.coin(0.7) else ("left", "right")
        at_hand = self.beside(deck, discard, self.either("far", "near"), (0.04, 0.2))
        placed = self.beside(placed, at_hand, hand, (0.25, 0.5), (0.6, 1))
        placed = self.beside(placed, six, other, (0.25, 0.6), (0, 1))
        return turned(placed, self.normal(0.1))

    @lays("tomb_double/as in a book")
    def double_book(self) -> Cards:
        """As the rules' picture has it: the tableau a column at the right, stock and wastes in a row below, exact."""
        gap, mess = self.uniform(0.08, 0.3), self.pick(0.003, 0.008)
        pitch = (1 + gap, self.aspect + gap)
        placed = self.grid(pitch, mess)
        aside = 3 * pitch[0] + self.uniform(0.2, 0.7)
        far = pitch[1] * self.pick(-0.5, 0)
        placed += moved(self.piles("tableau", (0, pitch[1]), mess), aside, far)
        below = far + 4 * pitch[1] + self.uniform(0, 0.4)
        placed += moved(self.pack("stock", loose=0.004), 0, below)
        wastes = self.piles("wastes", (pitch[0], 0), mess)
        return [*placed, *moved(wastes, pitch[0] + self.uniform(0, 0.3), below)]

    @lays("tomb_double/wide desk")
    def double_wide_desk(self) -> Cards:
        """A wide desk: the tableau left of the grid, the wastes in a column at its right, the stock beside them."""
        gap, mess = self.uniform(0.03, 0.2), self.pick(0.008, 0.015)
        pitch = (1 + gap, self.aspect + gap)
        placed = self.grid(pitch, mess)
        shift = -pitch[1] / 2 + self.normal(0.1)
        placed += moved(self.piles("tableau", (0, pitch[1]), mess), -1.3 - gap - self.uniform(0, 0.6), shift)
        right = 2 * pitch[0] + 1.4 + self.uniform(0, 0.6)
        column = self.piles("wastes", (0, self.aspect + gap / 2), mess)
        placed += moved(column, right, -pitch[1] * self.uniform(0.5, 1))
        stock = self.pack("stock", loose=0.012)
        return [*placed, *moved(stock, right + 1.3 + self.uniform(0, 0.4), self.uniform(-0.5, 2.5))]

    @lays("tomb_double/on the floor")
    def double_on_the_floor(self) -> Cards:
        """On the floor with much room: wide gaps, careless places, the tableau a row above, wastes a bent row below."""
        gap, mess = self.uniform(0.3, 0.7), self.uniform(0.03, 0.06)
        pitch = (1 + gap, self.aspect + gap)
        placed = self.grid(pitch, mess)
        row = self.piles("tableau", (1 + gap * 0.7, 0), mess)
        middle = (2 * pitch[0] - 3 * (1 + gap * 0.7)) / 2
        placed += moved(row, middle, -self.aspect - gap - self.uniform(0.4, 0.9))
        wastes = [
            replace(card, y=card.y + 0.05 * (card.x - 2) ** 2, angle=card.angle + 0.05 * (card.x - 2))
            for card in self.piles("wastes", (1 + self.uniform(0.1, 0.3), 0), mess)
        ]
        below = 2 * pitch[1] + self.aspect + gap + self.uniform(0.3, 0.7)
        left = -self.uniform(0.8, 1.2)
        placed += moved(wastes, left + 1.7, below)
        return turned([*placed, *moved(self.pack("stock", loose=0.025), left, below)], self.normal(0.08))

    @lays("tomb_double/left-hander")
    def double_left_hander(self) -> Cards:
        """A left-hander: the stock at the near right, the wastes go leftwards from it, the tableau lies at the left."""
        gap, mess = self.uniform(0.06, 0.25), self.pick(0.01, 0.02)
        pitch = (1 + gap, self.aspect + gap)
        placed = self.grid(pitch, mess)
        far = -pitch[1] * self.pick(0.5, 1)
        placed += moved(self.piles("tableau", (0, pitch[1]), mess), -1.3 - gap - self.uniform(0, 0.5), far)
        below, right = 3 * pitch[1] + self.uniform(0.1, 0.4), 3 * pitch[0] + self.uniform(0, 0.4)
        count = len(self.begun("wastes", [(0, 0)] * 5))
        wastes = self.piles("wastes", (1 + gap, 0), mess)
        placed += moved(wastes, right - 1.3 - (count - 1) * (1 + gap), below + pitch[1] / 2)
        return [*placed, *moved(self.pack("stock", loose=0.012), right, below + pitch[1] / 2)]


def _single(name: str, weight: float = 1.0, **style: Any) -> Recipe:
    return Recipe(f"tomb_single/{name}", partial(HouseTombs.lay_single, style=TombStyle(**style)), weight=weight)


def _double(name: str, weight: float = 1.0, **style: Any) -> Recipe:
    return Recipe(f"tomb_double/{name}", partial(HouseTombs.lay_double, style=TombStyle(**style)), weight=weight)


FAMILIES: Final = (
    *families(
        HouseTombs,
        _single("usual", 3.0),
        _single("loose piles", 1.0, crooked=(0.06, 0.1), piles=0.5),
        _single("side piles below", 1.0, side="row below"),
        _single("side piles anywhere", 1.0, side="free"),
        _single("touching", 0.7, gap=(0.0, 0.06)),
        _single("wide", 0.7, gap=(0.5, 1.1)),
        _double("usual", 3.0),
        _double("loose piles", 1.0, crooked=(0.06, 0.1), piles=0.5),
        _double("tableau below", 1.0, side="row below"),
        _double("touching", 0.7, gap=(0.0, 0.06)),
        _double("wide", 0.7, gap=(0.5, 1.0)),
    ),
    *families(AnywhereTombs),
    *families(NeighbourTombs),
    *families(StrangerTombs),
    *families(VisitorTombs),
    *families(NewcomerTombs),
)
