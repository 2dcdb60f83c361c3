"""Could this deal be won? The exact answer where every card is known."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solver.klondike import kernels
from solver.klondike.position import Position
from solver.klondike.rules import ColumnMoves

Ints = NDArray[np.int64]


def bit_of(card):
    return 4 * (card.rank - 1) + kernels.LANES[card.suit]


@dataclass
class Encoded:
    row: Ints
    columns: Ints
    stock: Ints
    units: Ints
    draw: int
    redeals: int
    wb: bool
    lazy: bool

LAZY=True


def encode(position: Position) -> Encoded:
    columns = np.zeros((7, 32), np.int64)
    row = np.zeros(kernels.ROW, np.int64)
    visible = locked = left = 0
    lefts = []
    for i, column in enumerate(position.columns):
        original = [*column.down, *column.up[:1]]
        for j, card in enumerate(original):
            columns[i, j] = bit_of(card)
        n = len(original)
        if n == 1 and original[0].rank == 13:
            n = 0
        if n:
            locked |= 1 << bit_of(original[-1])
        for card in column.up:
            visible |= 1 << bit_of(card)
        left |= n << 5 * i
        lefts.append(n)
    cards = (*position.waste, *position.stock)
    n = len(cards)
    stock = np.zeros(24, np.int64)
    stock[:n] = [bit_of(c) for c in cards]
    raised = code = 0
    for suit in range(4):
        lane = kernels.LANES[suit]
        for q in range(position.foundations[suit]):
            raised |= 1 << 4 * q + lane
        code |= position.foundations[suit] << 4 * lane
    redeals = -1
    used = 0
    if position.rules.redeals is not None:
        redeals = position.rules.redeals - position.redealt
        if redeals > n:
            redeals = -1
    waste = len(position.waste)
    if redeals < 0 and (waste % position.rules.draw == 0 or waste == n):
        waste = 0
    units = np.zeros(48, np.int64)
    draw = position.rules.draw
    ws = [v for v in range(n + 1) if redeals >= 0 or (draw > 1 and v % draw and v < n) or v == 0]
    units[[16 + v for v in ws]] = range(len(ws))
    unit = 1 << n
    units[7] = unit
    unit *= len(ws)
    units[8] = unit
    if redeals >= 0:
        unit *= redeals + 1
    for i in range(7):
        units[i] = unit
        unit *= lefts[i] + 1
    units[9] = unit
    unit *= 14**4
    assert unit < 1 << 64
    lazy = unit * 32 < 1 << 64
    if lazy: units[10] = unit
    key = (1 << n) - 1 + units[16 + waste] * units[7] + sum(units[i] * lefts[i] for i in range(7))
    row[:] = [visible, locked, raised, (1 << n) - 1, left, waste, key, code, 0, 0, 0]
    return Encoded(row, columns, stock, units, position.rules.draw, redeals, position.rules.worrying_back, lazy and LAZY)


class Work:
    def __init__(self):
        self.pool = np.zeros((1 << 16, kernels.ROW), np.int64)
        self.scores = np.zeros(1 << 16)
        self.lo = np.zeros(200, np.int64)
        self.hi = np.zeros(200, np.int64)
        self.keys = np.zeros(200, np.int64)
        self.stamps = np.zeros(1 << 16, np.int64)
        self.stamp = 0
        self.members = np.zeros((40000, 9), np.int64)
        self.reach = np.zeros(64, np.int64)


WORK = Work()
#                    T     F   -   T-rev F-rev -  perleft  empties
DEFAULT = np.array([-1.0, 0.5, 0.6, 1.0, 2.0, 0.0, 0.1, -0.5])


class Search:
    def __init__(self, position, orders, seed, amp):
        self.e = encode(position)
        self.table = np.zeros(1 << 12, np.int64)
        self.filed = 0
        self.orders = orders
        self.attempt = 0
        self.rng = np.random.default_rng(seed)
        self.amp = amp
        self.visits = 0
        self.members = 0

    def run(self, budget):
        e, w = self.e, WORK
        noise = self.rng.random(64) * self.amp if self.attempt else np.zeros(64)
        o = self.orders[self.attempt % len(self.orders)]
        self.attempt += 1
        spent = 0
        while True:
            w.pool[0] = e.row
            before = w.stamp
            how, v, self.filed, w.stamp, depth, m = kernels.search(
                w.pool, w.lo, w.hi, w.keys, self.table, self.filed, e.columns, e.stock, e.units, e.draw, e.redeals, e.wb, e.lazy,
                o, noise, budget - spent, w.stamps, w.stamp, w.members, w.scores, w.reach)
            spent += v
            self.visits += v
            self.members += m
            if how != kernels.TABLE_FULL:
                return how, spent
            new = np.zeros(self.table.size * 4, np.int64)
            kernels.grow(self.table, new)
            self.table = new


def solve_raw(position, visits=3_000_000, orders=(DEFAULT,), first=1000, factor=1.5, cap=2_000_000, seed=0, amp=1.0, share=0.3, stats=None):
    main = Search(position, orders, seed, amp)
    relaxed = None
    total = 0
    budget = first
    out = None
    while True:
        how, v = main.run(int(min(budget, visits - total)))
        total += v
        if how in (kernels.WON, kernels.LOST):
            out = "W" if how == kernels.WON else "L"
            break
        if total >= visits:
            out = "?"
            break
        if main.attempt >= 2 and share and position.rules.draw > 1:
            if relaxed is None:
                relaxed = Search(position.with_rules(replace(position.rules, draw=1, redeals=None)), (DEFAULT,), seed, amp)
            how, v = relaxed.run(int(min(budget * share, visits - total)))
            total += v
            if how == kernels.LOST:
                out = "L"
                break
            if how == kernels.WON:
                share = 0
        budget = min(budget * factor, cap)
    if stats is not None:
        stats["members"] = main.members + (relaxed.members if relaxed else 0)
    return out, total, main.attempt
