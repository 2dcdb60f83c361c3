"""The player of Klondike that does not peek: the best move by what is seen, and how likely each move wins.

`best_move` gets a position whose hidden cards are `??` and knows nothing else. It searches a tree of *choices* (see
`player_kernels`): what lies face down is laid anew at each visit, as chance may have laid it, so that nothing is ever
decided by a card that a person could not know. Where the stock's order is not known yet and redeals are unlimited, it
first compares playing on with looking through the stock; where redeals are counted, each turn is a choice of the tree.
Where every card is known the exact solver decides.

Work decides, never the clock: the same table, work and seed give the same move on every machine. A choice depends only
on what moves that can be taken back do not change, and the moves that lead to it come nearer to it each time, so a game
never runs in a circle.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from solver.cards import DECK, Card, MaybeCard, Rank, Suit
from solver.klondike import kernels
from solver.klondike import player_kernels as game
from solver.klondike import player_search_kernels as tree
from solver.klondike.encoding import (
    LineBuilder,
    bit_of,
    card_of,
    cards_in_bytes,
    draw_table_of,
    redeals_left,
    stack_depth,
)
from solver.klondike.house_rules import ColumnMoves
from solver.klondike.kernels import KINGS, next_up, safe
from solver.klondike.known_deal_search import OneCardSearch, RunSearch, odd_parents
from solver.klondike.move import DRAW, FOUNDATION, WASTE, Move
from solver.klondike.position import MAX_STOCK, Column, Position
from solver.klondike.solve import verdict_of
from solver.numeric.kernel_types import Ints
from solver.position import check
from solver.solution import Z95, Limits, StopReason, Verdict

WORK: Final = 200_000
"""Choices tried for a move, by default: about a twentieth of a second."""
SAMPLES: Final = 200
"""Orders of the stock that are laid before it is looked through."""
FEWEST_TRIED, MOST_TRIED, TRIED_WORK = 8, 48, 7_500
"""On how many of them the game is searched on to learn how far the network errs: with as much work together as the move
itself, and with so much each where there is enough."""
KEPT_WORK: Final = 30_000
"""Up to so much work each, the searches of the orders that are tried out are kept, so that they can go on. Larger ones
would fill the memory, and follow each other in one place."""
ALL: Final = (1 << 52) - 1
"""The bits of all cards."""
NODES_FIRST, NODES_MOST = 1 << 12, 1 << 18
"""For how many nodes a search first makes room, and at most."""
TUNING: Final = (256, 1, 1)
ONE_CARD_TUNING: Final = (64, 1, 1)
"""See `player_search_kernels.EXPLORE`. Where few games are won, choices differ by less, so visits spread less."""
MORE_WORK: Final = 4
WORKS: Final = tuple(50_000 * MORE_WORK**turn for turn in range(5))
"""How long is thought about a move, turn by turn: the first takes some hundredths of a second."""
AS_GOOD: Final = 0.003
"""Choices whose chances differ by less are as good; so a choice that costs no more comes before a look at the stock."""
LITTLE: Final = 0.02
"""An ace or a two is advised to go home where that seems to cost no more chance than this."""
LOW: Final = range(8)
"""The bits of aces and twos."""
WEIGHTS: Final = Path(__file__).with_name("player_weights.npz")
LAYERS: Final = ("first", "second", "last")
"""What the file of weights calls the layers of a network, see `player_kernels.value`."""
MOST_MEMBERS: Final = 4096
LOOKS: Final = "shows what the stock holds"
EXACT_TURNS, EXACT_STATES = 4, 50_000
"""How long the exact solver looks for a win once every card is known."""


@dataclass(frozen=True, slots=True)
class MoveChance:
    """A legal move and the share of games that are won when it is played, and played on without peeking.

    Attributes:
        move: The move.
        chance: The share, 0 to 1.
        low: Lower end of its 95% interval.
        high: Upper end of it.
        n: How often it was tried, each time on a deal that agrees with what is seen.
    """

    move: Move
    chance: float
    low: float
    high: float
    n: int

    def to_json(self) -> dict[str, Any]:
        """The move with its share and interval."""
        return {"move": str(self.move), "share": self.chance, "low": self.low, "high": self.high, "n": self.n}


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play.

    Attributes:
        move: The best move; None where no move can bring anything new.
        why: What speaks for it, in a few words.
        moves: Each legal move with its chance, the best first.
        work: Choices tried.
        seed: The seed asked with.
        line: The moves that lead to what is aimed at, `move` first; of the last one `why` tells.
    """

    move: Move | None
    why: str
    moves: tuple[MoveChance, ...]
    work: int
    seed: int
    line: tuple[Move, ...] = ()

    @property
    def chance(self) -> float:
        """The share of games won from here."""
        return self.moves[0].chance if self.moves else 0.0


@dataclass(frozen=True, slots=True)
class _EncodedTable:
    """What is seen, in numbers that reversible moves do not change. See `player_kernels` for the parts."""

    state: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    unknown: tuple[int, ...]
    spots: tuple[int, ...]
    rules: tuple[int, int, int, int]

    @property
    def can_look(self) -> bool:
        """Whether the stock hides cards and may be looked through for nothing."""
        return -1 in self.stock and self.rules[game.REDEALS] < 0

    @property
    def turned(self) -> int:
        """Cards of the stock that are known and can be played."""
        _, _, faces, turns = _laid(self)
        hidden = sum(1 << bit for bit in self.unknown)
        return int(game.playable(np.array(self.state), np.array(self.rules), turns, faces)) & ~hidden


@dataclass(frozen=True, slots=True)
class _Option:
    """A choice at the root, and what it is worth.

    Attributes:
        bit: The card.
        way: Where it goes, see `player_kernels.UP`.
        member: Visible and raised cards, and odd parents, where it is made.
        visits: How often it was tried.
        chance: Its worth.
        error: Half the width of the interval.
    """

    bit: int
    way: int
    member: tuple[int, int, int]
    visits: int
    chance: float
    error: float


@dataclass(frozen=True, slots=True)
class _Decision:
    options: tuple[_Option, ...]
    best: _Option | None
    look: float | None
    work: int
    is_proved: bool = False
    """Whether the exact solver found that `best` wins."""
    first_word: float = 0.0
    """What the network says of the best choice before any is tried."""
    margin: float = 0.02
    """Half the width of the interval of `look`."""


# -- what is seen, in numbers ------------------------------------------------------------------------------------------


def _mask(cards: Iterable[MaybeCard]) -> int:
    return sum(1 << bit_of(card) for card in cards if card is not None)


def _bit(card: MaybeCard) -> int:
    return -1 if card is None else bit_of(card)


def _encode(seen: Position) -> tuple[_EncodedTable, Member]:
    """The table in its normal form, and its member."""
    rules = seen.rules
    left, turned = redeals_left(seen)
    one = rules.column_moves is ColumnMoves.ONE
    numbers = (rules.draw, left, int(rules.worrying_back), int(one))
    stacks = _stacks(seen)
    depths = list(map(stack_depth, stacks))
    locked = sum(1 << stack[-1] for stack in stacks if stack)
    stock = tuple(map(_bit, (*seen.waste, *seen.stock)))
    raised = _mask(DECK[13 * suit + rank] for suit, height in enumerate(seen.foundations) for rank in range(height))
    member = sum(_mask(column.up) for column in seen.columns), raised, odd_parents(seen) if one else 0
    visible, raised, odd = _home(member, locked, numbers)
    lefts = sum(depth << 5 * place for place, depth in enumerate(depths))
    unseen = sum(1 << place for place, bit in enumerate(stock) if bit < 0) if left >= 0 else 0
    state = (visible, locked, raised, (1 << len(stock)) - 1, lefts, (1 << turned) - 1, odd, 0, unseen, 0)
    known = visible | raised | sum(_mask(column.down) for column in seen.columns)
    unknown = tuple(_bits(ALL & ~known & ~sum(1 << bit for bit in stock if bit >= 0)))
    return _EncodedTable(state, stacks, stock, unknown, _unknown_spots(stacks, stock), numbers), member


def _stacks(seen: Position) -> tuple[tuple[int, ...], ...]:
    """The columns' cards that were dealt there; a king that owns a column may own any other as well, so not that."""
    stacks = (tuple(map(_bit, (*column.down, *column.up[:1]))) for column in seen.columns)
    return tuple(stack if stack_depth(stack) else () for stack in stacks)


def _unknown_spots(stacks: Sequence[Sequence[int]], stock: Sequence[int]) -> tuple[int, ...]:
    """Where the unknown cards lie, as `player_search_kernels.lay` takes it."""
    spots = [place | depth << 3 for place, stack in enumerate(stacks) for depth, bit in enumerate(stack) if bit < 0]
    return (*spots, *(7 | place << 3 for place, bit in enumerate(stock) if bit < 0))


Member = tuple[int, int, int]
"""Visible cards, raised cards, and loose cards on the odd card of their pair."""
_Step = tuple[Member, int, int]
"""A member beside another, the card that moves, and its way (`player_kernels.UP` ...)."""


def _steps(member: Member, locked: int, rules: Sequence[int]) -> Iterator[_Step]:
    """The members next to one: with the card that moves and its way (`player_kernels.UP` ...)."""
    visible, raised, odd = member
    _, _, back, one = rules
    loose = visible & ~locked
    top, on_even, on_odd = map(int, game.bare_cards(visible, locked, odd, one))
    ups = loose & top & int(next_up(raised))
    if not back:
        ups &= int(safe(raised, 0))
    for bit in _bits(ups):
        yield (visible ^ 1 << bit, raised | 1 << bit, odd & ~(1 << bit)), bit, game.UP
    if back:
        if locked.bit_count() + (loose & KINGS).bit_count() < 7:
            on_even |= KINGS
        downs = raised & ~(raised >> 4) & ~int(safe(raised, 1))
        for bit in _bits(downs & on_even):
            yield (visible | 1 << bit, raised ^ 1 << bit, odd), bit, game.ONTO
        for bit in _bits(downs & on_odd):
            yield (visible | 1 << bit, raised ^ 1 << bit, odd | 1 << bit), bit, game.ONTO_ODD
    if one:
        for bit in _bits(loose & top & (odd & on_even | ~odd & on_odd) & ~KINGS):
            yield (visible, raised, odd ^ 1 << bit), bit, game.ONTO if odd >> bit & 1 else game.ONTO_ODD


def _bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


@lru_cache(maxsize=256)
def _component(
    start: Member, locked: int, rules: tuple[int, int, int, int]
) -> dict[Member, tuple[Member, int, int] | None]:
    """The members that reversible moves lead to, each with the one before it, the card that moves and its way."""
    came: dict[Member, _Step | None] = {start: None}
    queue = [start]
    for member in queue:
        for after, bit, way in _steps(member, locked, rules):
            if after not in came and len(came) < MOST_MEMBERS:
                came[after] = member, bit, way
                queue.append(after)
    return came


def _home(member: Member, locked: int, rules: tuple[int, int, int, int]) -> Member:
    """The member that stands for its component: with the most cards up."""
    return max(_component(member, locked, rules), key=lambda other: (other[1].bit_count(), other[1], -other[2]))


# -- the search --------------------------------------------------------------------------------------------------------


class _Space:
    """The kernels' arrays for one search, which goes on where it stopped if more work is asked for. The tree grows."""

    def __init__(self) -> None:
        self.ints: Ints = np.zeros((8, 128), np.int64)
        self.path: Ints = np.zeros(256, np.int64)
        self.members: Ints = np.zeros((game.MAX_MEMBERS, 3), np.int64)
        self.choices: Ints = np.zeros((game.MAX_CHOICES, game.CHOICE), np.int64)
        self.nodes: Ints = np.zeros((0, tree.NODE), np.int64)
        self.edges: Ints = np.zeros((0, tree.EDGE), np.int64)
        self.searched: tuple[_EncodedTable, int] | None = None
        self.work = 0
        self._make_room(NODES_FIRST)

    def begin(self, table: _EncodedTable, seed: int, work: int) -> None:
        """Lays the known cards of a table, unless it has been searched with this seed, and with no more work."""
        goes_on = self.searched == (table, seed) and self.work <= work
        self.searched = None  # until it has ended: what is broken off is not gone on with
        if goes_on:
            return
        self.ints[tree.PROGRESS] = 0
        self.columns, self.slots, self.faces, self.turns = (array.copy() for array in _laid(table))
        self.stock: Ints = np.zeros(MAX_STOCK, np.int64)
        self.stock[: len(table.stock)] = [bit if bit >= 0 else table.unknown[0] for bit in table.stock]
        self.unknown, self.spots = np.zeros(64, np.int64), np.zeros(64, np.int64)
        self.unknown[: len(table.unknown)], self.spots[: len(table.unknown)] = table.unknown, table.spots
        self._make_room(NODES_FIRST)

    def grow(self) -> None:
        """Makes room for twice as many nodes."""
        keys, homes = self.keys, self.homes
        self._make_room(len(keys))
        tree.move_homes(keys, homes, self.keys, self.homes)

    def _make_room(self, nodes: int) -> None:
        """An empty table of keys for so many nodes, and room for them; nodes and edges that there are stay."""
        self.keys: Ints = np.zeros(2 * nodes, np.int64)
        self.homes: Ints = np.zeros(2 * nodes, np.int64)
        if nodes >= len(self.nodes):
            before, edges = self.nodes, self.edges
            self.nodes = np.zeros((nodes + 1, tree.NODE), np.int64)
            self.edges = np.zeros((8 * nodes + 4 * game.MAX_CHOICES, tree.EDGE), np.int64)
            self.nodes[: len(before)], self.edges[: len(edges)] = before, edges


class _Spaces(threading.local):
    """The spaces of a thread, by number."""

    def __init__(self) -> None:
        self.all: list[_Space] = []

    def take(self, number: int) -> _Space:
        """The space of this number."""
        while len(self.all) <= number:
            self.all.append(_Space())
        return self.all[number]


_SPACES: Final = _Spaces()


@cache
def _network(name: str) -> tuple[Any, ...]:
    with np.load(WEIGHTS) as weights:
        return tuple(weights[f"{name}_{layer}"] for layer in LAYERS)


def _network_for(rules: Sequence[int]) -> tuple[Any, ...]:
    name = "one_card" if rules[game.ONE] else "draw_1" if rules[game.DRAW] == 1 else "draw_3"
    return _network(name if rules[game.REDEALS] < 0 else f"{name}_counted")


def tuning_for(rules: Sequence[int]) -> tuple[int, int, int]:
    """How the search spreads its visits under these rules."""
    return ONE_CARD_TUNING if rules[game.ONE] else TUNING


@cache
def _chances() -> Ints:
    """What the network's word means: a probability for each step of 1/64 in the logarithm of the odds."""
    odds = [(step - 511.5) / 64 for step in range(1024)]
    return np.array([round(tree.SURE / (1 + math.exp(-odd))) for odd in odds], np.int64)


@lru_cache(maxsize=8)
def _laid(table: _EncodedTable) -> tuple[Ints, Ints, Ints, Ints]:
    """Columns, homes of the cards, faces of the stock, and how the stock is turned."""
    columns = np.zeros((7, 32), np.int64)
    slots = np.zeros(64, np.int64)
    for place, stack in enumerate(table.columns):
        for depth, bit in enumerate(stack):
            if bit >= 0:
                columns[place, depth] = bit
                slots[bit] = place | depth << 3
    stock = np.zeros(MAX_STOCK, np.int64)
    for place, bit in enumerate(table.stock):
        if bit >= 0:
            slots[bit] = place
            stock[place] = bit
    faces = cards_in_bytes([1 << bit if bit >= 0 else 0 for bit in table.stock])
    return columns, slots, faces, draw_table_of(table.rules[0])


def _seed(table: _EncodedTable, seed: int) -> int:
    told_once = replace(table, state=table.state[: game.UNSEEN])  # the stock tells what of it is unseen
    digest = blake2b(repr((told_once, seed)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 2


@lru_cache(maxsize=64)
def _decide(table: _EncodedTable, work: int, seed: int, space_number: int = 0) -> _Decision:
    """The best choice of a table; none where no choice is left, or where looking through the stock comes first.

    A search goes on where the last one in the same space stopped, if that was of the same table and seed.
    """
    space = _SPACES.take(space_number)
    space.begin(table, seed, work)
    root, rules = np.array(table.state, np.int64), np.array(table.rules, np.int64)
    many, net, stream = len(table.unknown), _network_for(table.rules), _seed(table, seed)
    look = None
    if table.can_look:
        count, looked = tree.weigh_unseen_stock(
            root, rules, space.unknown, many, space.spots, len(table.stock), space.columns, space.slots, space.stock,
            space.turns, space.faces, _chances(), net, space.members, space.choices, space.ints, space.edges, stream,
            SAMPLES,
        )  # fmt: skip
        look = looked / SAMPLES / tree.SURE
        done = SAMPLES * (count + 8)
    else:
        tuning = np.array(tuning_for(table.rules), np.int64)
        while tree.search(
            root, rules, space.unknown, many, space.spots, space.columns, space.slots, space.stock, space.turns,
            space.faces, _chances(), net, space.keys, space.homes, space.nodes, space.edges, space.members,
            space.choices, space.ints, space.path, tuning, stream, work, NODES_MOST,
        ):  # fmt: skip
            space.grow()
        space.searched, space.work = (table, seed), work
        done = int(space.ints[tree.PROGRESS, tree.DONE])
        count = int(space.nodes[0, tree.COUNT])
    edges = space.edges[:count].tolist()
    options = [_option(edge) for edge in edges]
    best = _choose(table, options, look)
    if best is not None and _is_safe(table, best):  # it costs nothing, so it is worth what the table is worth
        worth = max([look or 0.0, *(option.chance for option in options)])
        better = replace(best, chance=worth)
        options[options.index(best)] = best = better
    first_word = max((edge[tree.WORTH] for edge in edges), default=0) / tree.SURE
    return _Decision(tuple(options), best, look, done, first_word=first_word)


def _tried_out(seen: Position, table: _EncodedTable, decision: _Decision, work: int, seed: int) -> _Decision:
    """A decision about a stock to look through, whose chances are as high as a search finds that has looked.

    The network weighs each order of the stock by one look at the choices, and the best of several guesses is mostly
    one that is too high. Some orders are searched, and all chances are corrected by what they are worth there against
    the network's word: else the chance would fall with the last card that comes up, whichever it is.
    """
    random, unknown = Random(_seed(table, seed)), [card_of(bit) for bit in table.unknown]
    count = min(max(work // TRIED_WORK, FEWEST_TRIED), MOST_TRIED)
    stocks = (random.sample(unknown, len(unknown)) for _ in range(count))
    tables = (_with_stock(seen, stock) for stock in stocks)
    each, is_kept = work // count, work // count <= KEPT_WORK
    pairs = [_worth_of(one, each, seed, number if is_kept else 1) for number, one in enumerate(tables, 1)]
    worths, words = (np.array(side) for side in zip(*pairs, strict=True))
    factor = float(worths.sum() / words.sum()) if words.any() else 1.0
    error = Z95 * float((worths - factor * words).std()) / math.sqrt(count)

    def tried_out(chance: float) -> float:
        return min(factor * chance, 1.0)

    options = tuple(
        replace(one, chance=tried_out(one.chance), error=math.hypot(one.error, error)) for one in decision.options
    )
    assert decision.look is not None
    return replace(decision, options=options, look=tried_out(decision.look), margin=math.hypot(decision.margin, error))


def _with_stock(seen: Position, cards: Iterable[Card]) -> Position:
    """The table with cards in the unknown places of its waste and stock; those face down in columns stay unknown."""
    rest = iter(cards)
    waste, stock = (tuple(card or next(rest) for card in pile) for pile in (seen.waste, seen.stock))
    return replace(seen, waste=waste, stock=stock)


def _worth_of(seen: Position, work: int, seed: int, space_number: int) -> tuple[float, float]:
    """What a table is worth whose stock is known: by a search, and by the network's first word."""
    move, _, made = next_move(seen, work, seed, space_number)
    if made is None:
        return 1.0, 1.0  # the rest plays itself
    _, decision = made
    return 0.0 if move is None or decision.best is None else decision.best.chance, decision.first_word


def _option(edge: Sequence[int]) -> _Option:
    visits = max(edge[tree.VISITS], 1)
    chance = edge[tree.SUM] / visits / tree.SURE if edge[tree.VISITS] else edge[tree.WORTH] / tree.SURE
    spread = max(edge[tree.SQUARES] / visits / tree.SURE - chance * chance, 0.0) if edge[tree.VISITS] else 0.25
    member = edge[game.AT_VISIBLE], edge[game.AT_RAISED], edge[game.AT_ODD]
    return _Option(edge[game.BIT], edge[game.WAY], member, edge[tree.VISITS], chance, Z95 * math.sqrt(spread / visits))


def _choose(table: _EncodedTable, options: Sequence[_Option], look: float | None) -> _Option | None:
    """The most visited option; of those as good, one that uncovers a card, then one that plays home."""
    for option in options:
        if _is_safe(table, option):
            return option
    if not options:
        return None
    if look is not None:
        best = max(options, key=lambda option: option.chance)
        if best.chance < look - AS_GOOD:
            return None
        good = [option for option in options if option.chance >= best.chance - AS_GOOD]
    else:
        best = max(options, key=lambda option: option.visits)
        good = [
            option for option in options if option.chance >= best.chance - AS_GOOD and 2 * option.visits >= best.visits
        ]
    return max(good, key=lambda option: (_merit(table, option), option is best))


def _find_low(decision: _Decision) -> _Option | None:
    """An option that plays an ace or a two home and costs little; None where there is none, or a win is proved.

    No card needs it in a column, so it can harm only by the order in which the stock then comes up. A player may count
    on that order; a person who is advised to leave an ace lying does not understand it.
    """
    low = [option for option in decision.options if option.way == game.UP and option.bit in LOW]
    if not low or decision.is_proved:
        return None
    worth = max([decision.look or 0.0, *(option.chance for option in decision.options)])
    best = max(low, key=lambda option: option.chance)
    return best if best.chance >= worth - LITTLE else None


def _find_loose_low(seen: Position, chances: Sequence[MoveChance]) -> Move | None:
    """A move of an ace or a two home that costs little, as `_find_low`; of cards on others no option tells.

    They may go home at any time, so that a search takes the tables before and after it for one.
    """
    worth = max((one.chance for one in chances), default=0.0)
    good = (one.move for one in chances if one.move.target == FOUNDATION and one.chance >= worth - LITTLE)
    return next((move for move in good if all(card and bit_of(card) in LOW for card in seen.carried(move))), None)


def _is_safe(table: _EncodedTable, option: _Option) -> bool:
    """Whether an option plays a card home that no other card can ever want, see `kernels.safe`."""
    cards = int(safe(table.state[game.RAISED], table.rules[2]))
    if table.rules[0] > 1 or table.rules[1] >= 0:
        cards &= table.state[game.LOCKED]
    return option.way == game.UP and bool(cards >> option.bit & 1)


def _merit(table: _EncodedTable, option: _Option) -> int:
    """Among options as good: 2 for one that uncovers a card, 1 for one that plays home, -1 for turning the stock."""
    if option.way == game.TURN:
        return -1
    if _uncovers(table, option):
        return 2
    return int(option.way == game.UP)


def _uncovers(table: _EncodedTable, option: _Option) -> int:
    """How many cards lie under the card that an option plays."""
    if not table.state[game.LOCKED] >> option.bit & 1:
        return 0
    return next(len(stack) - 1 for stack in table.columns if option.bit in stack)


# -- moves -------------------------------------------------------------------------------------------------------------


def _first_move(seen: Position, table: _EncodedTable, member: Member, option: _Option) -> Move:
    """The first of the moves that lead to an option and play it."""
    if option.way == game.TURN:
        return DRAW
    builder = LineBuilder(seen)
    bit, way = next(_path(table, member, option.member), (option.bit, option.way))
    _carry_out(builder, bit, way, bool(table.rules[3]))
    return builder.moves[0]


def _line_to(seen: Position, table: _EncodedTable, option: _Option) -> tuple[Move, ...]:
    """The moves that lead to an option and play it."""
    if option.way == game.TURN:
        return (DRAW,)
    builder = LineBuilder(seen)
    _, member = _encode(seen)
    for bit, way in (*_path(table, member, option.member), (option.bit, option.way)):
        _carry_out(builder, bit, way, bool(table.rules[3]))
    return tuple(builder.moves)


def _look_through(seen: Position) -> tuple[Move, ...]:
    """The turns after which all of stock and waste was seen."""
    draw = seen.rules.draw
    turns = -(-len(seen.stock) // draw)
    pile, before = (seen.stock, 0) if None in seen.stock else (seen.waste, turns)
    last = max((place for place, card in enumerate(pile) if card is None), default=0)
    return (DRAW,) * (before + last // draw + 1)


def _carry_out(builder: LineBuilder, bit: int, way: int, one: bool) -> None:
    """Moves a card as `player_kernels.UP` and its like say."""
    card = card_of(bit)
    if way == game.UP:
        builder.raise_card(card)
    else:
        builder.place_card(card, builder.open_parent(card, odd=way == game.ONTO_ODD) if one else None)


def _path(table: _EncodedTable, start: Member, goal: Member) -> Iterator[tuple[int, int]]:
    """The fewest cards to move, each with its way, from a member of the table's component to another."""
    came = _component(start, table.state[game.LOCKED], table.rules)
    steps = []
    before = came[goal]
    while before is not None:
        goal, bit, way = before
        steps.append((bit, way))
        before = came[goal]
    return reversed(steps)


def hide(position: Position) -> Position:
    """The position as a person sees it at the start: face-down cards and stock are not known."""
    columns = tuple(Column((None,) * len(column.down), column.up) for column in position.columns)
    return replace(position, columns=columns, stock=(None,) * len(position.stock))


def seen_after(seen: Position, truth: Position, move: Move) -> Position:
    """What is seen after `move` has led to `truth`: known cards stay known, and newly uncovered ones become known."""
    turned = truth.rules.draw if move == DRAW else 1
    showing = {card for column in truth.columns for card in column.up} | set(truth.waste[-turned:])
    return truth.renamed(dict.fromkeys(set(seen.unseen()) - showing))


def best_move(seen: Position, work: int = WORK, seed: int = 0) -> Advice:
    """The best move for a person who sees what `seen` shows, and what each legal move is worth.

    Args:
        seen: The table; what is not known is `??`.
        work: Choices tried before each choice, the measure of how long it thinks: about 4 a microsecond.
        seed: The same seed gives the same advice.

    Raises:
        PositionError: If the position is not legal.

    >>> from solver.klondike import STANDARD_DRAW_1, random_deal
    >>> seen = hide(random_deal(4, STANDARD_DRAW_1))
    >>> str(best_move(seen, work=1000).move) in map(str, seen.moves())
    True
    """
    check(seen)
    move, why, made = next_move(seen, work, seed)
    if made is None:
        others = () if move is None else sorted(seen.moves(), key=lambda other: other != move)
        line = () if move is None else _finishing_line(seen)
        return Advice(move, why, tuple(MoveChance(other, 1.0, 1.0, 1.0, 1) for other in others), 0, seed, line)
    table, decision = made
    if move is None:
        return Advice(None, why, (), decision.work, seed)
    if low := _find_low(decision):
        decision = replace(decision, best=low)
        move, why = _first_move(seen, table, _encode(seen)[1], low), _why(table, low)
    if decision.look is not None:
        decision = _tried_out(seen, table, decision, work, seed)
    proved = {} if table.unknown else _prove_moves(seen)
    if decision.is_proved:
        proved[move] = 1.0
    chances = [
        _as_chance(other, proved[other], 0.0, 1) if other in proved else _chance_after(seen, table, decision, other)
        for other in seen.moves()
    ]
    line = _look_through(seen) if decision.best is None else _line_to(seen, table, decision.best)
    if low is None and not decision.is_proved and (loose := _find_loose_low(seen, chances)) is not None:
        move, why, line = loose, "plays home", (loose,)
    ordered = sorted(chances, key=lambda one: (one.move != move, -one.chance))
    return Advice(move, why, tuple(ordered), decision.work, seed, line)


def best_move_within(
    seen: Position, seconds: float, seed: int = 0, progress: Callable[[int], object] = lambda n: None
) -> Advice:
    """The best move that some seconds of thinking find, once at least: it thinks anew and longer while there is time.

    Args:
        seen: The table; what is not known is `??`.
        seconds: How long may be thought.
        seed: The same seed gives the same advice for the same work.
        progress: Is told each time on how many deals the moves were tried.

    Raises:
        PositionError: If the position is not legal.
    """
    end = time.monotonic() + seconds
    for work in WORKS:
        start = time.monotonic()
        advice = best_move(seen, work, seed)
        progress(max((move.n for move in advice.moves), default=0))
        if time.monotonic() + MORE_WORK * (time.monotonic() - start) > end:
            break
    return advice


def next_move(
    seen: Position, work: int, seed: int, space_number: int = 0
) -> tuple[Move | None, str, tuple[_EncodedTable, _Decision] | None]:
    """The best move, why, and what was decided; None of that where the rest plays itself. No move is weighed here."""
    if seen.is_won:
        return None, "the game is won", None
    table, member = _encode(seen)
    if game.is_won(np.array(table.state, np.int64), np.array(table.rules, np.int64)):
        return _finishing_move(seen), "lets the rest play itself", None
    decision = _decide(table, work, seed, space_number)
    proved = None if table.unknown else _exact_option(seen, member, table)
    if proved is not None:
        decision = replace(decision, best=proved, is_proved=True)
    best = decision.best
    if best is not None:
        return _first_move(seen, table, member, best), _why(table, best), (table, decision)
    if table.can_look:
        return DRAW, LOOKS, (table, decision)
    return None, "nothing can be uncovered or played", (table, decision)


def _finishing_move(seen: Position) -> Move:
    """The next move where the rest plays itself: a card goes up, or the stock is turned until one can."""
    builder = LineBuilder(seen)
    heights = seen.foundations
    for suit in Suit:
        if heights[suit] < 13:
            card = Card(suit, Rank(heights[suit] + 1))
            if card in seen.waste[-1:] or builder.can_bare(card):
                builder.raise_card(card)
                return builder.moves[0]
    return DRAW


def _finishing_line(seen: Position) -> tuple[Move, ...]:
    """Where the rest plays itself, the moves up to the next that plays a card, or the turns that show all cards."""
    line, table = [_finishing_move(seen)], seen
    while line[-1] == DRAW and len(line) <= MAX_STOCK:
        table = table.play(DRAW)
        line.append(_finishing_move(table))
    return _look_through(seen) if line[-1] == DRAW else tuple(line)


def _exact_option(seen: Position, member: Member, table: _EncodedTable) -> _Option | None:
    """The first choice of a winning line, where every card is known and one is found.

    The search begins at the table's normal form, so moves that can be taken back do not change what it finds.
    """
    one = bool(table.rules[3])
    home = table.state[game.VISIBLE], table.state[game.RAISED], table.state[game.ODD]
    builder = LineBuilder(seen)
    for bit, way in _path(table, member, home):
        _carry_out(builder, bit, way, one)
    start = builder.position
    solver = OneCardSearch(start) if one else RunSearch(start)
    if not any(solver.run(EXACT_STATES) is Verdict.WIN for _ in range(EXACT_TURNS)):
        return None
    return _first_run_choice(solver.rows) if isinstance(solver, RunSearch) else _first_choice(start, solver.line())


def _first_run_choice(rows: Sequence[Sequence[int]]) -> _Option:
    """The choice with which a line of `RunSearch` begins."""
    row, after = rows[:2]
    raised = int(after[kernels.AT])
    visible = int(row[kernels.VISIBLE] | row[kernels.RAISED]) & ~raised
    way = game.UP if after[kernels.MOVE] >> 8 == kernels.TO_FOUNDATION else game.ONTO
    return _Option(int(after[kernels.MOVE] & 0xFF), way, (visible, raised, 0), 1, 1.0, 0.0)


def _first_choice(position: Position, line: Sequence[Move]) -> _Option | None:
    """The first move of a line of single cards that cannot be taken back."""
    for move in line:
        if move.source.kind in ("column", "waste"):
            table, member = _encode(position)
            pile = position.waste if move.source == WASTE else position.columns[move.source.ordinal].up
            bit = _bit(pile[-1])
            loose = (table.state[game.VISIBLE] | table.state[game.RAISED]) & ~table.state[game.LOCKED]
            goes_home = move.target == FOUNDATION
            if not loose >> bit & 1 or (goes_home and not table.rules[2] and not int(safe(member[1], 0)) >> bit & 1):
                parents = () if goes_home else position.columns[move.target.ordinal].up[-1:]
                way = game.UP if goes_home else game.ONTO_ODD if parents and bit_of(parents[0]) & 1 else game.ONTO
                return _Option(bit, way, member, 1, 1.0, 0.0)
        position = position.play(move)
    return None


def _prove_moves(position: Position) -> dict[Move, float]:
    """The legal moves after which a win (1) or a loss (0) is proved, where every card is known."""
    limits = Limits(None, EXACT_TURNS * EXACT_STATES)
    verdicts = {move: verdict_of(position.play(move), limits)[0] for move in position.moves()}
    worth: dict[Verdict | StopReason, float] = {Verdict.WIN: 1.0, Verdict.NO_WIN: 0.0}
    return {move: worth[verdict] for move, verdict in verdicts.items() if verdict in worth}


def _chance_after(seen: Position, table: _EncodedTable, decision: _Decision, move: Move) -> MoveChance:
    """What a legal move is worth: an option's own chance, or that of the table where it can be taken back."""
    options: Sequence[_Option] = decision.options
    if move == DRAW and table.state[game.UNSEEN]:
        options = [option for option in options if option.way == game.TURN]
    elif move == DRAW and decision.look is None:
        options = _still_open(seen.play(DRAW), table, options)
    elif move != DRAW and move.source.kind != "foundation":
        options = _options_of_card(seen, table, options, move)
    if decision.look is not None and options is decision.options:
        return _as_chance(move, decision.look, decision.margin, SAMPLES)
    best = max(options, key=lambda option: (option.visits, option.chance), default=None)
    return _as_chance(move, best.chance, best.error, best.visits) if best else MoveChance(move, 0.0, 0.0, 0.0, 1)


def _options_of_card(seen: Position, table: _EncodedTable, options: Sequence[_Option], move: Move) -> Sequence[_Option]:
    """The options for the card that moves: those by which it goes where `move` says; all options where it has none."""
    card = seen.waste[-1] if move.source == WASTE else seen.columns[move.source.ordinal].up[-move.count]
    own = [option for option in options if option.bit == bit_of(card)]
    way = game.UP if move.target == FOUNDATION else game.ONTO
    if table.rules[3] and way == game.ONTO:
        parent = seen.columns[move.target.ordinal].up[-1:]
        way = game.ONTO_ODD if parent and bit_of(parent[0]) & 1 else game.ONTO
    return [option for option in own if option.way == way] or own or options


def _as_chance(move: Move, chance: float, error: float, n: int) -> MoveChance:
    return MoveChance(move, chance, max(0.0, chance - error), min(1.0, chance + error), max(n, 1))


def _still_open(after: Position, table: _EncodedTable, options: Sequence[_Option]) -> list[_Option]:
    """The options that are left after the stock is turned."""
    later, _ = _encode(after)
    in_stock = sum(1 << bit for bit in table.stock if bit >= 0)
    turned = later.turned
    return [option for option in options if not in_stock >> option.bit & 1 or turned >> option.bit & 1]


def _why(table: _EncodedTable, option: _Option) -> str:
    """What speaks for an option, in a few words."""
    if option.way == game.TURN:
        return LOOKS
    bit, under = option.bit, _uncovers(table, option)
    home = "plays home" if option.way == game.UP else ""
    if under:
        text = f"uncovers a card, {under - 1} more under it" if under > 1 else "uncovers a column's last card"
        return f"{text}, and {home}" if home else text
    if table.state[game.LOCKED] >> bit & 1:
        return f"{home}, and frees a place for a king" if home else "frees a place for a king"
    if home:
        return home
    return "gives a king a column of its own" if bit >= 48 else "brings a card out of the stock that others can go on"
