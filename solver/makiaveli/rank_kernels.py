"""What one rank of the table offers: the steps of each suit's runs, and the ways to make sets.

Each suit is an automaton over the ranks 1 to 14 (14 is the ace after the king). Its state says which runs are open,
how long they are (three means three or more), which floor run each of them keeps whole, which floor run it inherits
from, and which floor runs may still find an heir. The four automata are joined by the sets of each rank; what is
joined, and searched, is the matter of `fewest_broken_kernels` and `fewest_moved_kernels`. A search visits few of the
states, so states and their steps are built when it reaches them.

Heirs. Each final meld inherits from one floor meld at most, and each floor meld has one heir at most. The cards that
both share have stayed; all other floor cards have moved. A floor meld is broken if its cards end in different melds.

A state is packed into one word:

    run      bits 0-1 length, 2-3 floor run it keeps whole (0 none, 1, 2), 4-5 heir (0 of nothing yet, 1 spent,
             2 or 3 of floor run 1 or 2), 6-7 its ace (1 it began at a low ace, 2 it inherits from a floor run that
             began at a low ace, which stays with it if it goes on to the high one)
    suit     bits 0-7 first run, 8-15 second run, 16-17 floor runs that may still find an heir, 18-19 aces kept for
             after the king, 20-21 floor runs with a high ace that stays with its heir at rank 1 (a set of aces, or a
             run with a low ace), 22-23 sets and low runs whose ace stays with a run with a high ace, 24-25 broken
             floor runs whose first moved card is paid for in advance

Worked example: a run of three or more that keeps floor run 1 whole is 3 + (1 << 2) = 7.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from solver.makiaveli.kernels import _ACES_END, _AFTER, _INTO, _USAGE, _USAGE_COUNT, _USAGE_LIST, RUN_STATES
from solver.numeric.jit import kernel
from solver.numeric.kernel_types import Array, Int

INFINITE: Final = 1 << 28

BROKEN_SHIFT: Final = 7
BROKEN_WEIGHT: Final = 1 << BROKEN_SHIFT
"""The cost of a broken meld beside that of a moved card: more than the 104 cards that a turn can move."""

SECOND, CLAIMS, HIGH_ACES, GIVEN, TAKEN, PREPAID = 8, 16, 18, 20, 22, 24  # where the fields of a suit's state begin


class SuitRank(NamedTuple):
    """One suit at one rank: all that its steps depend on beside the state before it.

    Attributes:
        rank: 1 to 14.
        copies: Copies of the card there are.
        slot: The suit's floor runs by place and rank.
        runs: All floor runs as (suit, first, last).
        broken_cost: Cost of a broken floor meld, 0 where nobody asks.
        moved_cost: 1 where moved cards cost, else 0.
        most_broken: Cost of broken melds above which a step is of no interest.
        most_moved: Moved cards above which it is of none.
        set_here: Whether a set of this rank may use this suit.
        floor_sets: Number of floor sets of this rank with this suit (of aces at rank 1).
        loss: Fewest hand cards left behind by copies used, of this suit and rank.
        goal: Viable run states by high aces and rank, of this suit.
        ace_wraps: See `ace_wraps_of`.
    """

    rank: Int
    copies: Int
    slot: Array
    runs: Array
    broken_cost: Int
    moved_cost: Int
    most_broken: Int
    most_moved: Int
    set_here: Int
    floor_sets: Int
    loss: Array
    goal: Array
    ace_wraps: Int


class Settled(NamedTuple):
    """What is settled at a rank before it is tried who keeps and who inherits what.

    Attributes:
        n_runs: Runs that hold the rank; the scratch array describes them.
        high: Aces that are kept for after the king at this rank.
        aces: All that are kept.
        due: What the runs that ended here pay.
        claims: Floor runs that may still find an heir.
        ace_given: Floor runs whose high ace stays with its heir at rank 1, two bits.
        ace_taken: Sets and low runs whose ace stays with a run with a high ace.
        heirs_of_high_ace: At rank 1, two bits for each floor run, who inherits its high ace: 0 nobody there, 1 a set,
            2 or 3 a run.
        prepaid: Broken floor runs whose first moved card is paid for in advance.
    """

    n_runs: Int
    high: Int
    aces: Int
    due: Int
    claims: Int
    ace_given: Int
    ace_taken: Int
    heirs_of_high_ace: Int
    prepaid: Int


class FloorRun(NamedTuple):
    """One of the two floor runs that may share a rank.

    Attributes:
        is_here: Whether it holds the rank.
        starts: Whether the rank is its first.
        ends: Whether the rank is its last.
        last: Its last rank, 14 for a high ace.
        pays_late: Whether its low ace is paid for once it is known that it does not stay at the other end of its heir.
        may_choose: Whether it may choose an heir at this rank.
        stays: If not, whether its card here stays with its heir.
    """

    is_here: Int
    starts: Int
    ends: Int
    last: Int
    pays_late: Int
    may_choose: Int
    stays: Int


class Choice(NamedTuple):
    """Who keeps a floor run whole that starts here, and who inherits from it.

    0 is nobody, 1 or 2 a run, 3 a set, 4 a run that will share just the ace, at its high end; -1: nothing to decide.
    """

    hold: tuple[Int, Int]
    heir: tuple[Int, Int]


LENGTH, HOLDS, HEIR, LOW, ORIGIN = range(5)
"""Rows of the scratch array that describes the runs of one suit at one rank."""

_SINGLE = [15 - (1 << left_out) for left_out in range(4)] + [15]
# The sets, as masks of suits, that each of SET_USAGES is made of, and the number of suits in a mask.
SETS_MADE = np.array(
    [(0, 0), *((one, 0) for one in _SINGLE), *combinations_with_replacement(_SINGLE, 2)], dtype=np.int64
)
_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.int64)

# The index in RUN_STATES of two capped lengths.
PAIR = np.array(
    [[RUN_STATES.index(tuple(n for n in sorted((a, b), reverse=True) if n)) for b in range(4)] for a in range(4)],
    dtype=np.int64,
)


@kernel(makes_arrays=False)
def viable(need: Array, total: Array, forced: Array, goal: Array, loss: Array) -> None:
    """Per suit, number of high aces and rank: which capped run states can still end well (ten bits).

    Fills `goal[suit, aces, rank]` and `loss[suit, rank, used]`, the fewest hand cards that must stay behind when
    `used` copies go to runs (INFINITE where the rank's sets do not allow that).
    """
    for suit in range(4):
        for rank in range(1, 14):
            for used in range(3):
                loss[suit, rank, used] = INFINITE
    for rank in range(1, 14):
        i = rank - 1
        code = total[i] + 3 * total[i + 13] + 9 * total[i + 26] + 27 * total[i + 39]
        for k in range(_USAGE_COUNT[code]):
            v = _USAGE_LIST[code, k]
            for suit in range(4):
                card = 13 * suit + i
                in_sets = _USAGE[v, suit]
                for used in range(max(0, need[card] - in_sets), total[card] - in_sets + 1):
                    lost = max(0, forced[card] - used - in_sets)
                    if lost < loss[suit, rank, used]:
                        loss[suit, rank, used] = lost
    for suit in range(4):
        for aces in range(3):
            mask = 0
            for x in range(10):
                if (int(_ACES_END[x]) >> aces) & 1:
                    mask |= 1 << x
            goal[suit, aces, 13] = mask
            for rank in range(13, 1, -1):
                into = 0
                for used in range(3):
                    if loss[suit, rank, used] < INFINITE:
                        into |= int(_INTO[used, goal[suit, aces, rank]])
                goal[suit, aces, rank - 1] = into


@kernel(makes_arrays=False)
def places_of_runs(runs: Array, suit: Int, slot: Array) -> Int:
    """Gives each floor run of a suit one of two places such that runs that share a rank differ; -1: impossible.

    `slot[place, rank]` becomes the run's index or -1.
    """
    slot[:, :] = -1
    for rank in range(1, 15):
        for i in range(len(runs)):
            if runs[i, 0] == suit and runs[i, 1] == rank:
                place = 0 if slot[0, rank] < 0 else 1
                if slot[place, rank] >= 0:
                    return -1
                for r in range(rank, runs[i, 2] + 1):
                    slot[place, r] = i
    return 0


@kernel(makes_arrays=False)
def ace_wraps_of(suit: Int, total: Array, runs: Array, moved_cost: Int) -> Int:
    """Which aces may matter at both ends of a run of this suit.

    Bit 0: a run could go from low ace to high ace; 1: the high ace of a floor run could stay with the rest at the low
    end of a run; 2: the other way round.
    """
    lowest_gap = 14
    highest_gap = 1
    for rank in range(2, 14):
        if total[13 * suit + rank - 1] == 0:
            lowest_gap = min(lowest_gap, rank)
            highest_gap = rank
    found = int(total[13 * suit] == 2 and lowest_gap == 14)
    for i in range(len(runs)):
        if moved_cost and runs[i, 0] == suit:
            found |= 2 * int(runs[i, 2] == 14 and runs[i, 1] < lowest_gap)
            found |= 4 * int(runs[i, 1] == 1 and runs[i, 2] > highest_gap)
    return found


@kernel(inline=True, makes_arrays=False)
def _claim(
    m: Int, rank: Int, slot: Array, runs: Array, claims: Int, ace_given: Int, now: Array, n_runs: Int
) -> tuple[bool, bool]:
    """Whether floor run `m` may choose an heir at this rank; if not, whether its card here stays with its heir."""
    for j in range(n_runs):
        if now[HEIR, j] == m + 2:
            return False, True
    i = slot[m, rank]
    if (ace_given >> m) & 1 and rank > 1 and slot[m, 14] == i:
        return False, rank == 14  # its heir has ended, or holds just its ace
    return bool(runs[i, 1] == rank or (claims >> m) & 1), False


@kernel(inline=True, makes_arrays=False)
def _floor_run(m: Int, here: SuitRank, settled: Settled, now: Array) -> FloorRun:
    """Floor run `m` as the rank finds it."""
    i, rank = here.slot[m, here.rank], here.rank
    if i < 0:
        return FloorRun(False, False, False, np.int64(0), False, False, True)
    first, last = here.runs[i, 1], here.runs[i, 2]
    may_choose, stays = False, True
    if here.moved_cost:
        may_choose, stays = _claim(
            m, rank, here.slot, here.runs, settled.claims, settled.ace_given, now, settled.n_runs
        )
    pays_late = here.ace_wraps & 4 != 0 and first == 1
    return FloorRun(True, first == rank, last == rank, last, pays_late, may_choose, stays)


@kernel(makes_arrays=False)
def steps_from(code: Int, here: SuitRank, out: Array, now: Array) -> Int:
    """Writes all steps of a suit's automaton over one rank from the state `code` and gives their number.

    Args:
        code: The state before the rank.
        here: The suit and the rank.
        out: Rows of (next state, origins, copies used, x, y, cost): x floor sets find an heir in a run here,
            y sets here inherit from a floor run; origins holds for both runs 1, 2 (an old run) or 3 (new).
        now: int64 (5, 2), room for the runs of the rank.

    Worked example. Of a suit without floor runs a run of length 1 is open (state 1), and its next card is there once.
    The run is too short to end, so it takes the card and becomes 2: one step, of run 1, that uses one copy. From a run
    of three (state 3) there are three: it takes the card, it ends and nothing is open, or it ends and another begins,
    which is left out here, since going on is as good.

    >>> from solver.numeric.jit import interpreted
    >>> no_runs, slot = np.zeros((0, 3), np.int64), np.full((2, 15), -1)
    >>> loss, goal = np.zeros(3, np.int64), np.full((3, 14), 1023)  # anything may stay out of runs, any state may end
    >>> out, now = np.zeros((9, 6), np.int64), np.zeros((5, 2), np.int64)
    >>> here = SuitRank(4, 1, slot, no_runs, 0, 0, INFINITE, INFINITE, 0, 0, loss, goal, 0)  # rank 4, one copy
    >>> def steps(code):
    ...     return out[: interpreted(steps_from)(code, here, out, now)].tolist()
    >>> steps(1), steps(3)
    ([[2, 1, 1, 0, 0, 0]], [[0, 0, 0, 0, 0, 0], [3, 1, 1, 0, 0, 0]])
    """
    count = np.int64(0)  # a plain 0 would have what it is passed to compiled once more
    old = (code & 255, (code >> SECOND) & 255)
    n_old = int(old[0] > 0) + int(old[1] > 0)
    for extended in range(1 << n_old):
        n, may_begin, due = _extended_runs(old, n_old, extended, here, now)
        if n < 0:
            continue
        for n_runs in range(n, min(here.copies, 2 if may_begin else n) + 1):
            if n_runs > n:
                now[LENGTH, n_runs - 1] = 1
                now[HOLDS, n_runs - 1] = 0
                now[HEIR, n_runs - 1] = 0
                now[LOW, n_runs - 1] = 1 if here.rank == 1 and here.ace_wraps & 3 else 0
                now[ORIGIN, n_runs - 1] = 3
            for high in range(here.copies - n_runs + 1 if here.rank == 1 else 1):
                count = _steps_of_lengths(count, code, here, n_runs, high, due, out, now)
    return count


@kernel(makes_arrays=False)
def _extended_runs(
    old: tuple[Int, Int], n_old: Int, extended: Int, here: SuitRank, now: Array
) -> tuple[Int, bool, Int]:
    """Describes in `now` the old runs that take a card of the rank, where the others may end.

    Returns:
        n: How many these are; -1 where a run may not end, or not go on.
        may_begin: Whether a new run may begin beside them.
        due: What the runs that end pay.
    """
    n = np.int64(0)
    may_begin = here.rank < 14
    due = np.int64(0)
    for i in range(n_old):
        if (extended >> i) & 1:
            if here.rank == 14 and old[i] >> 6 == 1:
                return np.int64(-1), False, due  # 14 cards are no run
            now[LENGTH, n] = min(3, (old[i] & 3) + 1)
            now[HOLDS, n] = (old[i] >> 2) & 3
            now[HEIR, n] = (old[i] >> 4) & 3
            now[LOW, n] = old[i] >> 6
            now[ORIGIN, n] = i + 1
            n += 1
        else:
            if (old[i] & 3) < 3 or (old[i] >> 2) & 3:
                return np.int64(-1), False, due
            if old[i] >> 4 == 0:
                may_begin = False  # extending this run would have been as good
            if old[i] >> 6 == 2:
                due += here.moved_cost  # the low ace of its floor run does not stay with it
    return n, may_begin, due


@kernel(makes_arrays=False)
def _steps_of_lengths(
    count: Int, code: Int, here: SuitRank, n_runs: Int, high: Int, due: Int, out: Array, now: Array
) -> Int:
    """The steps of `steps_from` in which these runs hold the rank and so many more aces are kept."""
    rank = here.rank
    if rank < 14 and here.loss[n_runs + high] >= INFINITE:
        return count
    aces = high if rank == 1 else (code >> HIGH_ACES) & 3
    if rank == 14 and n_runs != aces:
        return count
    settled = Settled(
        n_runs, high, aces, due, (code >> CLAIMS) & 3, (code >> GIVEN) & 3, (code >> TAKEN) & 3, np.int64(0),
        (code >> PREPAID) & 3,
    )  # fmt: skip
    one, two = _floor_run(0, here, settled, now), _floor_run(1, here, settled, now)
    if here.moved_cost == 0 and (here.broken_cost == 0 or not (one.starts or two.starts)):
        return _put_plain_step(count, here, settled, one.ends, two.ends, out, now)
    if rank > 1 or here.moved_cost == 0:
        return _steps_of_runs(count, here, settled, out, now)
    # Who inherits the high ace of each floor run.
    for ace_taken in range(min(high, here.floor_sets) + 1):
        for heir_of_two in range(n_runs + 2):
            for heir_of_one in range(n_runs + 2):
                ace_given = int(heir_of_one > 0) + 2 * int(heir_of_two > 0)
                if (ace_given & 1 and here.slot[0, 14] < 0) or (ace_given & 2 and here.slot[1, 14] < 0):
                    continue
                if (heir_of_one == 1 or heir_of_two == 1) and not here.set_here:
                    continue
                if heir_of_one > 1 and heir_of_one == heir_of_two:
                    continue
                pledged = Settled(
                    n_runs, high, aces, due, settled.claims, ace_given, ace_taken, heir_of_one | heir_of_two << 2,
                    settled.prepaid,
                )  # fmt: skip
                count = _steps_of_runs(count, here, pledged, out, now)
    return count


@kernel(makes_arrays=False)
def _put_plain_step(
    count: Int, here: SuitRank, settled: Settled, ends0: Int, ends1: Int, out: Array, now: Array
) -> Int:
    """Adds the step where nothing is to be decided but the lengths of the runs, the common case."""
    rank, n_runs, aces, zero = here.rank, settled.n_runs, settled.aces, np.int64(0)
    target, origins = _plain_step(rank, n_runs, now, ends0, ends1)
    if rank == 14:
        return _put(count, out, zero, origins, n_runs, zero, zero, zero) if target >= 0 else count
    if not (here.goal[aces, rank] >> PAIR[target & 3, (target >> SECOND) & 3]) & 1:
        return count
    return _put(count, out, target | (aces << HIGH_ACES), origins, n_runs + settled.high, zero, zero, zero)


@kernel(makes_arrays=False)
def _plain_step(rank: Int, n_runs: Int, now: Array, ends0: Int, ends1: Int) -> tuple[Int, Int]:
    """The runs of a suit's next state where no floor run begins, and their origins; -1 where a last run is short."""
    a = 0
    b = 0
    for j in range(n_runs):
        h = now[HOLDS, j]
        size = 3 if h else now[LENGTH, j]
        if rank == 14 and size < 3:
            return -1, 0
        if (h == 1 and ends0) or (h == 2 and ends1):
            h = 0
        word = size | (h << 2) | (now[LOW, j] << 6)
        if j == 0:
            a = word
        else:
            b = word
    target, origins = _in_order(rank, a, b, n_runs, now)
    return target, origins


@kernel(makes_arrays=False)
def _steps_of_runs(count: Int, here: SuitRank, settled: Settled, out: Array, now: Array) -> Int:
    """The steps of `steps_from` in which these runs hold the rank: who keeps and who inherits what.

    Choices are tried one in the other: which run keeps each of the two floor runs whole, which one inherits from it
    (see `Choice`), and which runs give what they inherit to a floor set (`spend`).

    Worked example. The floor has the run 3 4 5 of hearts, in place 0. Its 3 is read, of which there is one copy. A
    broken meld costs 128 (BROKEN_WEIGHT), a moved card 1. The 3 may stay out of runs: then the floor run is broken, and
    its 3 has moved, which costs 129. Or the 3 begins a run, the word of which has the bits of ace, heir, floor run kept
    whole, and length (see above):

    - it keeps the floor run whole and inherits from it: 39 = 0b00_10_01_11, for nothing;
    - it keeps it whole, but another one will inherit: 7 = 0b00_00_01_11, the 3 has moved;
    - it inherits from a broken floor run, the first moved card of which is paid in advance: 33 = 0b00_10_00_01, 129;
    - it has nothing to do with the floor run: 1 = 0b00_00_00_01, 129.

    >>> from solver.numeric.jit import interpreted
    >>> runs, slot = np.array([(2, 3, 5)]), np.full((2, 15), -1)
    >>> slot[0, 3:6] = 0
    >>> loss, goal = np.zeros(3, np.int64), np.full((3, 14), 1023)
    >>> out, now = np.zeros((9, 6), np.int64), np.zeros((5, 2), np.int64)
    >>> here = SuitRank(3, 1, slot, runs, BROKEN_WEIGHT, 1, INFINITE, INFINITE, 0, 0, loss, goal, 0)
    >>> count = interpreted(steps_from)(0, here, out, now)
    >>> [(int(row[0]) & 255, int(row[5])) for row in out[:count]]
    [(0, 129), (1, 129), (33, 129), (7, 1), (39, 0)]
    """
    rank, n_runs, broken_cost = here.rank, settled.n_runs, here.broken_cost
    one, two = _floor_run(0, here, settled, now), _floor_run(1, here, settled, now)
    keep_one, keep_two = broken_cost and one.starts, broken_cost and two.starts
    heirs = 5 if rank == 1 and settled.aces > settled.ace_taken else 4
    for hold_one in range(0 if keep_one else -1, n_runs + 1 if keep_one else 0):
        if hold_one > 0 and now[HOLDS, hold_one - 1] != 0:
            continue
        for hold_two in range(0 if keep_two else -1, n_runs + 1 if keep_two else 0):
            if hold_two > 0 and (now[HOLDS, hold_two - 1] != 0 or hold_two == hold_one):
                continue
            if broken_cost * (int(hold_one == 0) + int(hold_two == 0)) > here.most_broken:
                continue
            for heir_one in range(0 if one.may_choose else -1, heirs if one.may_choose else 0):
                if not _may_inherit(heir_one, rank, one.starts, now, n_runs, here.set_here):
                    continue
                for heir_two in range(0 if two.may_choose else -1, heirs if two.may_choose else 0):
                    if not _may_inherit(heir_two, rank, two.starts, now, n_runs, here.set_here):
                        continue
                    if (heir_two == 1 or heir_two == 2) and heir_two == heir_one:
                        continue
                    choice = Choice((hold_one, hold_two), (heir_one, heir_two))
                    count = _steps_of_choice(count, here, settled, one, two, choice, out, now)
    return count


@kernel(inline=True, makes_arrays=False)
def _steps_of_choice(
    count: Int, here: SuitRank, settled: Settled, one: FloorRun, two: FloorRun, choice: Choice, out: Array, now: Array
) -> Int:
    """The steps of `_steps_of_runs` by one choice of who keeps and who inherits."""
    rank, n_runs = here.rank, settled.n_runs
    heir_one, heir_two = choice.heir
    ace_taken = settled.ace_taken
    if rank == 1:
        ace_taken += int(heir_one == 4) + int(heir_two == 4)
    if ace_taken > settled.aces:
        return count
    cost, prepaid, ace_given = _paid_here(here, settled, one, two, choice, now)
    if cost >= INFINITE or (cost & (BROKEN_WEIGHT - 1)) > here.most_moved:
        return count
    spend_ways = 1
    if here.moved_cost and ((rank < 14 and here.floor_sets) or (rank == 14 and settled.ace_taken)):
        spend_ways = 1 << n_runs
    claims = (
        int(one.is_here and not one.ends and heir_one == 0) | int(two.is_here and not two.ends and heir_two == 0) << 1
    )
    carried = (claims if here.moved_cost else 0) << CLAIMS | settled.aces << HIGH_ACES | ace_given << GIVEN
    carried |= ace_taken << TAKEN | prepaid << PREPAID
    heirs_of_high_ace = settled.heirs_of_high_ace
    for spend in range(spend_ways):
        x = (spend & 1) + (spend >> 1)
        if (rank == 14 and x != settled.ace_taken) or (rank < 14 and x > here.floor_sets):
            continue
        a = b = np.int64(0)
        for j in range(n_runs):
            word = _run_after(j, rank, now, spend, choice, one, two, heirs_of_high_ace)
            a, b = (word, b) if j == 0 else (a, word)
        if a < 0 or b < 0:
            continue
        target, origins = _in_order(rank, a, b, n_runs, now)
        if rank == 14:
            if (n_runs > 0 and a & 3 < 3) or (n_runs > 1 and b & 3 < 3):
                continue
            target = x = 0
        elif not (here.goal[settled.aces, rank] >> PAIR[a & 3, b & 3]) & 1:
            continue
        else:
            target |= carried
        y = int(heir_one == 3) + int(heir_two == 3)
        if rank == 1:
            x += settled.ace_taken
            y += int(heirs_of_high_ace & 3 == 1) + int(heirs_of_high_ace >> 2 == 1)
        count = _put(count, out, target, origins, n_runs + settled.high, x, y, cost)
    return count


@kernel(inline=True, makes_arrays=False)
def _paid_here(
    here: SuitRank, settled: Settled, one: FloorRun, two: FloorRun, choice: Choice, now: Array
) -> tuple[Int, Int, Int]:
    """What a choice costs at this rank.

    Returns:
        cost: INFINITE or more where a floor run paid in advance for a card that does not move.
        prepaid: As in `Settled`, after the rank.
        ace_given: As in `Settled`, after the rank.
    """
    cost = settled.due + here.broken_cost * (int(choice.hold[0] == 0) + int(choice.hold[1] == 0))
    prepaid, ace_given = np.int64(0), settled.ace_given
    if not here.moved_cost:
        return cost, prepaid, ace_given
    for m in range(2):
        run = one if m == 0 else two
        hold, heir = choice.hold[m], choice.heir[m]
        moved = int(heir == -1 and not run.stays)
        if run.is_here:
            if here.rank > 1 and (heir == 1 or heir == 2) and run.last == 14:
                ace_given |= int(now[LOW, heir - 1] == 1) << m
            # A broken meld loses a card: it is paid for at once, which is what tells good ways from bad ones early.
            in_advance = here.broken_cost and not here.ace_wraps & 6
            moved, paid = _moved_here(here.rank, heir, hold, moved, run, in_advance, (settled.prepaid >> m) & 1)
            prepaid |= paid << m
        cost += here.moved_cost * moved
    return cost, prepaid, ace_given


@kernel(inline=True, makes_arrays=False)
def _moved_here(
    rank: Int, heir: Int, hold: Int, moved: Int, run: FloorRun, in_advance: Int, paid: Int
) -> tuple[Int, Int]:
    """What a floor run that shares the rank pays here for moved cards, and whether it has then paid in advance.

    INFINITE stands for a run that paid for a card that does not move. `moved` says whether its card here moves where
    nothing is to be decided about an heir.
    """
    if heir == 0:
        moved = int(rank > 1 or not run.pays_late) + int(run.pays_late and run.ends)
    elif heir == 3 and run.pays_late and rank > 1:
        moved = 1
    if not in_advance:
        return moved, 0
    if run.starts:
        paid = int(hold == 0 and moved == 0)
        moved += paid
    elif paid and moved:
        moved -= 1
        paid = 0
    return INFINITE if paid and run.ends else moved, paid


@kernel(inline=True, makes_arrays=False)
def _run_after(
    j: Int, rank: Int, now: Array, spend: Int, choice: Choice, one: FloorRun, two: FloorRun, heirs_of_high_ace: Int
) -> Int:
    """The word of a run after the rank; -1 where it would have to inherit twice."""
    inherits_one, inherits_two = choice.heir[0] == j + 1, choice.heir[1] == j + 1
    keeps = 1 if choice.hold[0] == j + 1 else 2 if choice.hold[1] == j + 1 else now[HOLDS, j]
    heir = 2 if inherits_one else 3 if inherits_two else now[HEIR, j]
    ace = now[LOW, j]
    if rank > 1 and ((one.pays_late and inherits_one) or (two.pays_late and inherits_two)):
        ace = 2
    to_sets = int(heirs_of_high_ace & 3 == j + 2 or heirs_of_high_ace >> 2 == j + 2) + ((spend >> j) & 1)
    if to_sets:
        if heir != 0 or to_sets == 2:
            return -1
        heir = 1
    size = 3 if keeps else now[LENGTH, j]
    if (keeps == 1 and one.ends) or (keeps == 2 and two.ends):
        keeps = 0
    if (heir == 2 and one.ends) or (heir == 3 and two.ends):
        heir = 1
    return size | (keeps << 2) | (heir << 4) | (ace << 6)


@kernel(inline=True, makes_arrays=False)
def _in_order(rank: Int, a: Int, b: Int, n_runs: Int, now: Array) -> tuple[Int, Int]:
    """The words of two runs as those of a suit's state, the greater first, and their origins; 0 for no run."""
    one = now[ORIGIN, 0] if n_runs > 0 else 0
    two = now[ORIGIN, 1] if n_runs > 1 else 0
    if b > a and rank < 14:
        return b | (a << SECOND), two | (one << 2)
    return a | (b << SECOND), one | (two << 2)


@kernel(inline=True, makes_arrays=False)
def _may_inherit(heir: Int, rank: Int, starts: Int, now: Array, n_runs: Int, set_here: Int) -> Int:
    """Whether a floor run may take this heir: a run is claimed where the two first share a rank."""
    if heir <= 0 or heir == 4:
        return True
    if heir == 3:
        return set_here and rank < 14
    return heir <= n_runs and now[HEIR, heir - 1] == 0 and (starts or now[ORIGIN, heir - 1] == 3)


@kernel(makes_arrays=False)
def _put(count: Int, out: Array, target: Int, origins: Int, used: Int, x: Int, y: Int, cost: Int) -> Int:
    """Adds a step, or lowers the cost of the same step; gives the new number of steps."""
    for k in range(count):
        if out[k, 0] == target and out[k, 2] == used and out[k, 3] == x and out[k, 4] == y:
            if cost < out[k, 5]:
                out[k, 1] = origins
                out[k, 5] = cost
            return count
    out[count, 0] = target
    out[count, 1] = origins
    out[count, 2] = used
    out[count, 3] = x
    out[count, 4] = y
    out[count, 5] = cost
    return count + 1


@kernel()
def set_options(
    rank: Int,
    total: Array,
    runs: Array,
    sets: Array,
    broken_cost: Int,
    moved_cost: Int,
    most_broken: Int,
    most_moved: Int,
    start: Int,
    out: Array,
) -> Int:
    """Writes the ways to make sets of a rank and to find heirs for its floor sets; gives the end of the rows.

    Rows of `out`: usage (index into SET_USAGES), four x, four y (see `steps_from`), cost. Left out are those that break
    or move more than `most_broken` (a cost) and `most_moved`.

    Worked example. The sevens are there once each, and three of them lie on the floor as a set, without spades. A set
    of all four or the same three keep the floor set whole; any other three, or none, break it, which costs 1 here.

    >>> from solver.numeric.jit import interpreted
    >>> from solver.makiaveli.kernels import SET_USAGES
    >>> one_each, no_runs, sets = np.ones(52, np.int64), np.zeros((0, 3), np.int64), np.array([(7, 0b0111)])
    >>> out = np.zeros((21, 10), np.int64)
    >>> far = INFINITE, INFINITE
    >>> count = interpreted(set_options)(7, one_each, no_runs, sets, 1, 0, *far, 0, out)
    >>> [(SET_USAGES[row[0]], int(row[9])) for row in out[:count]]  # doctest: +NORMALIZE_WHITESPACE
    [((0, 0, 0, 0), 1), ((0, 1, 1, 1), 1), ((1, 0, 1, 1), 1), ((1, 1, 0, 1), 1), ((1, 1, 1, 0), 0),
     ((1, 1, 1, 1), 0)]
    """
    count = start
    i = rank - 1
    code = total[i] + 3 * total[i + 13] + 9 * total[i + 26] + 27 * total[i + 39]
    floor = np.zeros(2, dtype=np.int64)
    n_floor = 0
    for k in range(len(sets)):
        if sets[k, 0] == rank:
            floor[n_floor] = sets[k, 1]
            n_floor += 1
    from_runs = _suits_of_runs(rank, runs)
    for k in range(_USAGE_COUNT[code]):
        v = _USAGE_LIST[code, k]
        made = (SETS_MADE[v, 0], SETS_MADE[v, 1])
        n_made = int(made[0] > 0) + int(made[1] > 0)
        direct = int(n_floor > 0 and floor[0] & ~made[0] == 0) + int(n_floor > 1 and floor[1] & ~made[1] == 0)
        crossed = int(n_floor > 0 and floor[0] & ~made[1] == 0) + int(n_floor > 1 and floor[1] & ~made[0] == 0)
        base = broken_cost * (n_floor - max(direct, crossed))
        if base > most_broken:
            continue
        if not moved_cost:
            out[count, 0] = v
            out[count, 1:9] = 0
            out[count, 9] = base
            count += 1
            continue
        first = count
        # A floor set and a set of its rank share two cards or more: matching them is never worse than anything else.
        for swap in range(2 if max(n_floor, n_made) == 2 else 1):
            matched = base
            picks = np.full(2, 1 << 4, dtype=np.int64)  # the suits that may be picked; 4 is none
            for j in range(2):
                theirs = made[1 - j] if swap else made[j]
                if floor[j] and theirs:
                    matched += _BITS[floor[j]] - _BITS[floor[j] & theirs]
                elif floor[j]:
                    matched += _BITS[floor[j]]
                    picks[j] |= floor[j]
                elif theirs:
                    picks[j] |= theirs & from_runs
            for i0 in range(5):
                if not (picks[0] >> i0) & 1:
                    continue
                for i1 in range(5):
                    if not (picks[1] >> i1) & 1:
                        continue
                    cost = matched
                    x = 0
                    y = 0
                    for j in range(2):
                        pick = i0 if j == 0 else i1
                        if pick < 4 and floor[j]:
                            cost -= 1
                            x += 1 << (2 * pick)
                        elif pick < 4:
                            y += 1 << (2 * pick)
                    if (cost & (BROKEN_WEIGHT - 1)) > most_moved:
                        continue
                    count = _put_option(v, x, y, cost, first, count, out)
    return count


@kernel(makes_arrays=False)
def _suits_of_runs(rank: Int, runs: Array) -> Int:
    """The suits, as a mask, of which a floor run holds this rank."""
    suits = 0
    for k in range(len(runs)):
        if runs[k, 1] <= rank <= runs[k, 2] or (rank == 1 and runs[k, 2] == 14):
            suits |= 1 << runs[k, 0]
    return suits


@kernel(makes_arrays=False)
def _put_option(usage: Int, x: Int, y: Int, cost: Int, first: Int, count: Int, out: Array) -> Int:
    """Adds an option, or lowers the cost of the same one from row `first` on; gives the new number of rows.

    Of each suit `x` and `y` hold two bits.
    """
    for o in range(first, count):
        same = True
        for s in range(4):
            if out[o, 1 + s] != (x >> (2 * s)) & 3 or out[o, 5 + s] != (y >> (2 * s)) & 3:
                same = False
        if same:
            out[o, 9] = min(out[o, 9], cost)
            return count
    out[count, 0] = usage
    for s in range(4):
        out[count, 1 + s] = (x >> (2 * s)) & 3
        out[count, 5 + s] = (y >> (2 * s)) & 3
    out[count, 9] = cost
    return count + 1


@kernel()
def fewest_lost(total: Array, goal: Array, loss: Array) -> Array:
    """The fewest hand cards left behind above a rank: int64 (4, 3, 14, 10) by suit, high aces, rank and run state."""
    rest = np.full((4, 3, 14, 10), INFINITE, dtype=np.int64)
    for suit in range(4):
        for aces in range(int(total[13 * suit]) + 1):
            for x in range(10):
                if (goal[suit, aces, 13] >> x) & 1:
                    rest[suit, aces, 13, x] = 0
            for rank in range(13, 1, -1):
                for x in range(10):
                    for used in range(3):
                        after = _AFTER[used, x]
                        if after < 10:
                            lost = loss[suit, rank, used] + rest[suit, aces, rank, after]
                            rest[suit, aces, rank - 1, x] = min(lost, rest[suit, aces, rank - 1, x])
    return rest
