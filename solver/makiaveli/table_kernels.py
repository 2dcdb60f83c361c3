"""Compiled search for the best final table: most cards, fewest broken melds, fewest moved cards, proved.

Each suit is an automaton over the ranks 1 to 14 (14 is the ace after the king). Its state says which runs are open,
how long they are (three means three or more), which floor run each of them keeps whole, which floor run it inherits
from, and which floor runs may still find an heir. The four automata are joined by the sets of each rank. The joint
search is best-first (A*): the cost still to come is bounded from below by what each suit alone would have to pay.

A state is packed into one word:

    run      bits 0-1 length, 2-3 floor run it keeps whole (0 none, 1, 2), 4-5 heir (0 of nothing yet, 1 spent,
             2 or 3 of floor run 1 or 2), 6-7 its ace (1 it began at a low ace, 2 it inherits from a floor run that
             began at a low ace, which stays with it if it goes on to the high one)
    suit     bits 0-7 first run, 8-15 second run, 16-17 floor runs that may still find an heir, 18-19 aces kept for
             after the king, 20-21 floor runs with a high ace that stays with its heir at rank 1 (a set of aces, or a
             run with a low ace), 22-23 sets and low runs whose ace stays with a run with a high ace
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numba import njit

from solver.makiaveli.kernels import _ACES_END, _INTO, _USAGE, _USAGE_COUNT, _USAGE_LIST, RUN_STATES, SET, grown

INFINITE: Final = 1 << 28

BROKEN_WEIGHT: Final = 128
"""The cost of a broken meld beside that of a moved card: more than the 104 cards that a turn can move."""

STATE_BITS: Final = 14
"""Bits of a joint key for the state of one suit between two ranks."""

STATE_MASK: Final = (1 << STATE_BITS) - 1
SECOND, CLAIMS, HIGH_ACES, GIVEN, TAKEN = 8, 16, 18, 20, 22  # where the fields of a suit's state begin
RANK_SHIFT: Final = 4 * STATE_BITS

LENGTH, HOLDS, HEIR, LOW, ORIGIN, AFTER = range(6)
"""Rows of the scratch array that describes the runs of one suit at one rank."""

FOUND: Final = 1
NOTHING: Final = 0
FULL: Final = -1

_SINGLE = [15 - (1 << left_out) for left_out in range(4)] + [15]
# The sets, as masks of suits, that each of SET_USAGES is made of, and the number of suits in a mask.
_MADE = np.array([(0, 0), *((one, 0) for one in _SINGLE), *combinations_with_replacement(_SINGLE, 2)], dtype=np.int64)
_BITS = np.array([bin(mask).count("1") for mask in range(16)], dtype=np.int64)

# The index in RUN_STATES of two capped lengths.
_PAIR = np.array(
    [[RUN_STATES.index(tuple(n for n in sorted((a, b), reverse=True) if n)) for b in range(4)] for a in range(4)],
    dtype=np.int64,
)


@njit(cache=True)
def _viable(need, total, forced, goal, loss):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def _slots(runs, suit, slot):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def _claim(m, rank, slot, runs, claims, pledged, now, n_runs):  # type: ignore[no-untyped-def]
    """Whether floor run `m` may choose an heir at this rank; if not, whether its card here stays with its heir."""
    for j in range(n_runs):
        if now[HEIR, j] == m + 2:
            return False, True
    i = slot[m, rank]
    if (pledged >> m) & 1 and rank > 1 and slot[m, 14] == i:
        return False, rank == 14  # its heir has ended, or holds just its ace
    return bool(runs[i, 1] == rank or (claims >> m) & 1), False


@njit(cache=True)
def _edges_from(code, rank, copies, slot, runs, keep, inherit, set_here, floor_sets, loss, goal, crossing, out, now):  # type: ignore[no-untyped-def]
    """Writes all steps of a suit's automaton over one rank from the state `code` and gives their number.

    Args:
        code: The state before the rank.
        rank: 1 to 14.
        copies: Copies of the card there are.
        slot: The suit's floor runs by place and rank.
        runs: All floor runs as (suit, first, last).
        keep: Cost of a broken floor meld, 0 where nobody asks.
        inherit: Cost of a moved card, 0 where nobody asks.
        set_here: Whether a set of this rank may use this suit.
        floor_sets: Number of floor sets of this rank with this suit (of aces at rank 1).
        loss: Fewest hand cards left behind by copies used, of this suit and rank.
        goal: Viable run states by high aces and rank, of this suit.
        crossing: See `_crossing`.
        out: Rows of (next state, origins, copies used, x, y, cost): x floor sets find an heir in a run here,
            y sets here inherit from a floor run; origins holds for both runs 1, 2 (an old run) or 3 (new).
        now: int64 (6, 2), room for the runs of the rank.
    """
    count = 0
    old = (code & 255, (code >> SECOND) & 255)
    n_old = int(old[0] > 0) + int(old[1] > 0)
    claims = (code >> CLAIMS) & 3
    here0, here1 = slot[0, rank] >= 0, slot[1, rank] >= 0
    ends0 = here0 and runs[slot[0, rank], 2] == rank
    ends1 = here1 and runs[slot[1, rank], 2] == rank
    begins = (here0 and runs[slot[0, rank], 1] == rank) or (here1 and runs[slot[1, rank], 1] == rank)
    plain = inherit == 0 and (keep == 0 or not begins)
    for extended in range(1 << n_old):
        fine = True
        may_begin = rank < 14
        due = 0
        n = 0
        for i in range(n_old):
            if (extended >> i) & 1:
                if rank == 14 and old[i] >> 6 == 1:
                    fine = False  # 14 cards are no run
                now[LENGTH, n] = min(3, (old[i] & 3) + 1)
                now[HOLDS, n] = (old[i] >> 2) & 3
                now[HEIR, n] = (old[i] >> 4) & 3
                now[LOW, n] = old[i] >> 6
                now[ORIGIN, n] = i + 1
                n += 1
            else:
                if (old[i] & 3) < 3 or (old[i] >> 2) & 3:
                    fine = False
                if old[i] >> 4 == 0:
                    may_begin = False  # extending this run would have been as good
                if old[i] >> 6 == 2:
                    due += inherit  # the low ace of its floor run does not stay with it
        if not fine:
            continue
        for n_runs in range(n, (min(2, copies) if may_begin else n) + 1):
            if n_runs > n:
                now[LENGTH, n_runs - 1] = 1
                now[HOLDS, n_runs - 1] = 0
                now[HEIR, n_runs - 1] = 0
                now[LOW, n_runs - 1] = 1 if rank == 1 and crossing & 3 else 0
                now[ORIGIN, n_runs - 1] = 3
            if n_runs > copies:
                break
            for high in range(copies - n_runs + 1 if rank == 1 else 1):
                if rank < 14 and loss[n_runs + high] >= INFINITE:
                    continue
                aces = high if rank == 1 else (code >> HIGH_ACES) & 3
                if rank == 14 and n_runs != aces:
                    continue
                if plain:
                    # Nothing to decide here but the lengths; the common case.
                    target, origins = _plain_step(rank, n_runs, now, ends0, ends1)
                    if rank == 14:
                        if target >= 0:
                            count = _put(count, out, 0, origins, n_runs, 0, 0, 0)
                    elif (goal[aces, rank] >> _PAIR[target & 3, (target >> SECOND) & 3]) & 1:
                        count = _put(count, out, target | (aces << HIGH_ACES), origins, n_runs + high, 0, 0, 0)
                    continue
                # At rank 1, who inherits the high ace of each floor run: 0 nobody there, 1 a set, 2 or 3 a run.
                pledges = n_runs + 2 if rank == 1 and inherit else 1
                for pledge in range(pledges * pledges * (min(high, floor_sets) + 1 if rank == 1 and inherit else 1)):
                    giver0 = pledge % pledges
                    giver1 = pledge // pledges % pledges
                    take = pledge // (pledges * pledges) if rank == 1 else (code >> TAKEN) & 3
                    give = int(giver0 > 0) + 2 * int(giver1 > 0) if rank == 1 else (code >> GIVEN) & 3
                    if (give & 1 and slot[0, 14] < 0) or (give & 2 and slot[1, 14] < 0):
                        continue
                    if ((giver0 == 1 or giver1 == 1) and not set_here) or (giver0 > 1 and giver0 == giver1):
                        continue
                    count = _edges_of_runs(
                        count, rank, slot, runs, keep, inherit, set_here, floor_sets, goal, crossing, out, claims,
                        n_runs, now, due, high, aces, give, take, giver0 | giver1 << 2,
                    )  # fmt: skip
    return count


@njit(cache=True)
def _plain_step(rank, n_runs, now, ends0, ends1):  # type: ignore[no-untyped-def]
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
    oa = now[ORIGIN, 0] if n_runs > 0 else 0
    ob = now[ORIGIN, 1] if n_runs > 1 else 0
    if b > a and rank < 14:
        return b | (a << SECOND), ob | (oa << 2)
    return a | (b << SECOND), oa | (ob << 2)


@njit(cache=True)
def _edges_of_runs(  # type: ignore[no-untyped-def]
    count, rank, slot, runs, keep, inherit, set_here, floor_sets, goal, crossing, out, claims,
    n_runs, now, due, high, aces, give, take, givers,
):  # fmt: skip
    """The steps of `_edges_from` in which these runs hold the rank: who keeps and who inherits what."""
    here = (slot[0, rank] >= 0, slot[1, rank] >= 0)
    starts = (here[0] and runs[slot[0, rank], 1] == rank, here[1] and runs[slot[1, rank], 1] == rank)
    ends = (here[0] and runs[slot[0, rank], 2] == rank, here[1] and runs[slot[1, rank], 2] == rank)
    choose = (False, False)
    stays = (True, True)
    if inherit:
        claim0, claim1 = (False, True), (False, True)
        if here[0]:
            claim0 = _claim(0, rank, slot, runs, claims, give, now, n_runs)
        if here[1]:
            claim1 = _claim(1, rank, slot, runs, claims, give, now, n_runs)
        choose = (claim0[0], claim1[0])
        stays = (claim0[1], claim1[1])
    # Who keeps a floor run that starts here and who inherits: 0 nobody, 1 or 2 a run, 3 a set; -1 nothing to decide.
    keep0, keep1 = keep and starts[0], keep and starts[1]
    # The low ace of a floor run is paid for once it is known that it does not stay at the other end of its heir.
    late0 = here[0] and crossing & 4 and runs[slot[0, rank], 1] == 1
    late1 = here[1] and crossing & 4 and runs[slot[1, rank], 1] == 1
    heirs = 5 if rank == 1 and aces > take else 4  # 4: a run that will share just the ace, at its high end
    spend_ways = 1
    if inherit and ((rank < 14 and floor_sets) or (rank == 14 and take)):
        spend_ways = 1 << n_runs
    for hold0 in range(0 if keep0 else -1, n_runs + 1 if keep0 else 0):
        if hold0 > 0 and now[HOLDS, hold0 - 1] != 0:
            continue
        for hold1 in range(0 if keep1 else -1, n_runs + 1 if keep1 else 0):
            if hold1 > 0 and (now[HOLDS, hold1 - 1] != 0 or hold1 == hold0):
                continue
            for heir0 in range(0 if choose[0] else -1, heirs if choose[0] else 0):
                if not _may_inherit(heir0, 0, rank, starts, now, n_runs, set_here):
                    continue
                for heir1 in range(0 if choose[1] else -1, heirs if choose[1] else 0):
                    if not _may_inherit(heir1, 1, rank, starts, now, n_runs, set_here):
                        continue
                    if (heir1 == 1 or heir1 == 2) and heir1 == heir0:
                        continue
                    taken = take + int(heir0 == 4) + int(heir1 == 4) if rank == 1 else take
                    if taken > aces:
                        continue
                    cost = due + keep * (int(hold0 == 0) + int(hold1 == 0))
                    given = give
                    if inherit:
                        cost += inherit * (int(heir0 == -1 and not stays[0]) + int(heir1 == -1 and not stays[1]))
                        for m in range(2):
                            heir = heir0 if m == 0 else heir1
                            late = late0 if m == 0 else late1
                            if heir == 0:
                                cost += inherit * (int(rank > 1 or not late) + int(late and ends[m]))
                            elif heir == 3 and late and rank > 1:
                                cost += inherit
                            elif rank > 1 and (heir == 1 or heir == 2) and runs[slot[m, rank], 2] == 14:
                                given |= int(now[LOW, heir - 1] == 1) << m
                    left = 0
                    if inherit and here[0] and not ends[0] and heir0 == 0:
                        left |= 1
                    if inherit and here[1] and not ends[1] and heir1 == 0:
                        left |= 2
                    for spend in range(spend_ways):
                        x = 0
                        fine = True
                        short = False
                        for j in range(n_runs):
                            h = 1 if hold0 == j + 1 else 2 if hold1 == j + 1 else now[HOLDS, j]
                            size = 3 if h else now[LENGTH, j]
                            if h and ends[h - 1]:
                                h = 0
                            e = 2 if heir0 == j + 1 else 3 if heir1 == j + 1 else now[HEIR, j]
                            ace = now[LOW, j]
                            if rank > 1 and ((late0 and heir0 == j + 1) or (late1 and heir1 == j + 1)):
                                ace = 2
                            if givers & 3 == j + 2 or givers >> 2 == j + 2:
                                if e != 0:
                                    fine = False
                                e = 1
                            if (spend >> j) & 1:
                                x += 1
                                if e != 0:
                                    fine = False
                                e = 1
                            if e >= 2 and ends[e - 2]:
                                e = 1
                            if size < 3:
                                short = True
                            now[AFTER, j] = size | (h << 2) | (e << 4) | (ace << 6)
                        if not fine or (rank == 14 and (short or x != take)) or (rank < 14 and x > floor_sets):
                            continue
                        a = now[AFTER, 0] if n_runs > 0 else 0
                        b = now[AFTER, 1] if n_runs > 1 else 0
                        origins = (now[ORIGIN, 0] if n_runs > 0 else 0) | ((now[ORIGIN, 1] if n_runs > 1 else 0) << 2)
                        target = 0
                        if rank < 14:
                            if not (goal[aces, rank] >> _PAIR[a & 3, b & 3]) & 1:
                                continue
                            if b > a:
                                a, b = b, a
                                origins = (origins >> 2) | ((origins & 3) << 2)
                            target = a | (b << SECOND) | (left << CLAIMS)
                            target |= (aces << HIGH_ACES) | (given << GIVEN) | (taken << TAKEN)
                        else:
                            x = 0
                        y = int(heir0 == 3) + int(heir1 == 3)
                        if rank == 1:
                            x += take
                            y += int(givers & 3 == 1) + int(givers >> 2 == 1)
                        count = _put(count, out, target, origins, n_runs + high, x, y, cost)
    return count


@njit(cache=True)
def _crossing(suit, total, runs, inherit):  # type: ignore[no-untyped-def]
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
        if inherit and runs[i, 0] == suit:
            found |= 2 * int(runs[i, 2] == 14 and runs[i, 1] < lowest_gap)
            found |= 4 * int(runs[i, 1] == 1 and runs[i, 2] > highest_gap)
    return found


@njit(cache=True)
def _may_inherit(choice, m, rank, starts, now, n_runs, set_here):  # type: ignore[no-untyped-def]
    """Whether floor run `m` may take this heir: a run is claimed where the two first share a rank."""
    if choice <= 0 or choice == 4:
        return True
    if choice == 3:
        return set_here and rank < 14
    return choice <= n_runs and now[HEIR, choice - 1] == 0 and (starts[m] or now[ORIGIN, choice - 1] == 3)


@njit(cache=True)
def _put(count, out, target, origins, used, x, y, cost):  # type: ignore[no-untyped-def]
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


@njit(cache=True)
def _set_options(rank, total, runs, sets, keep, inherit, start, out):  # type: ignore[no-untyped-def]
    """Writes the ways to make sets of a rank and to find heirs for its floor sets; gives the end of the rows.

    Rows of `out`: usage (index into SET_USAGES), four x, four y (see `_edges_from`), cost.
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
    from_runs = 0
    for k in range(len(runs)):
        if runs[k, 1] <= rank <= runs[k, 2] or (rank == 1 and runs[k, 2] == 14):
            from_runs |= 1 << runs[k, 0]
    for k in range(_USAGE_COUNT[code]):
        v = _USAGE_LIST[code, k]
        made = (_MADE[v, 0], _MADE[v, 1])
        n_made = int(made[0] > 0) + int(made[1] > 0)
        direct = int(n_floor > 0 and floor[0] & ~made[0] == 0) + int(n_floor > 1 and floor[1] & ~made[1] == 0)
        crossed = int(n_floor > 0 and floor[0] & ~made[1] == 0) + int(n_floor > 1 and floor[1] & ~made[0] == 0)
        base = keep * (n_floor - max(direct, crossed))
        if not inherit:
            out[count, 0] = v
            out[count, 1:9] = 0
            out[count, 9] = base
            count += 1
            continue
        first = count
        # A floor set and a set of its rank share two cards or more: matching them is never worse than anything else.
        for swap in range(2 if max(n_floor, n_made) == 2 else 1):
            for i0 in range(5):
                for i1 in range(5):
                    cost = base
                    x = 0
                    y = 0
                    fine = True
                    for j in range(2):
                        pick = i0 if j == 0 else i1
                        theirs = made[1 - j] if swap else made[j]
                        if floor[j] and theirs:
                            cost += inherit * (_BITS[floor[j]] - _BITS[floor[j] & theirs])
                            fine = fine and pick == 4
                        elif floor[j]:
                            cost += inherit * (_BITS[floor[j]] - int(pick < 4))
                            fine = fine and (pick == 4 or (floor[j] >> pick) & 1 == 1)
                            if pick < 4:
                                x += 1 << (2 * pick)
                        elif theirs:
                            fine = fine and (pick == 4 or (theirs & from_runs) >> pick & 1 == 1)
                            if pick < 4:
                                y += 1 << (2 * pick)
                        else:
                            fine = fine and pick == 4
                    if not fine:
                        continue
                    known = False
                    for o in range(first, count):
                        same = True
                        for s in range(4):
                            if out[o, 1 + s] != (x >> (2 * s)) & 3 or out[o, 5 + s] != (y >> (2 * s)) & 3:
                                same = False
                        if same:
                            known = True
                            out[o, 9] = min(out[o, 9], cost)
                            break
                    if not known:
                        out[count, 0] = v
                        for s in range(4):
                            out[count, 1 + s] = (x >> (2 * s)) & 3
                            out[count, 5 + s] = (y >> (2 * s)) & 3
                        out[count, 9] = cost
                        count += 1
    return count


@njit(cache=True)
def _automata(need, total, forced, runs, sets, keep, inherit, limit, least):  # type: ignore[no-untyped-def]
    """The automata of the four suits.

    Returns:
        ok: 1, or FULL where a suit has too many states.
        first: Index of the first state of (suit, ranks read).
        edge_first: Index of the first step of each state; one more at the end.
        edges: Rows of (next state counted from the first of its layer, origins, used, x, y, cost).
        rest: Cost still to come from each state, at least.
        rest_lost: Hand cards still to be left behind from each state, at least.
        loss: See `_viable`.
    """
    goal = np.zeros((4, 3, 14), dtype=np.int64)
    loss = np.zeros((4, 15, 3), dtype=np.int64)
    _viable(need, total, forced, goal, loss)
    slot = np.empty((2, 15), dtype=np.int64)
    codes = np.empty(512, dtype=np.int64)
    edge_first = np.empty(513, dtype=np.int64)
    edges = np.empty((1024, 6), dtype=np.int64)
    first = np.zeros((4, 16), dtype=np.int64)
    out = np.empty((4096, 6), dtype=np.int64)
    now = np.zeros((6, 2), dtype=np.int64)
    index = np.zeros((2 << STATE_BITS if inherit else 2048, 2), dtype=np.int64)
    mask = len(index) - 1
    so_far = np.empty((512, 2), dtype=np.int64)  # cost and moved cards on the cheapest way, each for itself
    n_states = 0
    n_edges = 0
    moved_limit = limit % BROKEN_WEIGHT if inherit and limit < INFINITE else INFINITE
    for suit in range(4):
        _slots(runs, suit, slot)
        crossing = _crossing(suit, total, runs, inherit)
        slack = limit + least[suit] - least.sum()
        first[suit, 0] = n_states
        if n_states + 1 >= len(codes):
            codes = grown(codes)
            edge_first = grown(edge_first)
            so_far = grown(so_far)
        codes[n_states] = 0
        so_far[n_states, 0] = 0
        so_far[n_states, 1] = 0
        n_states += 1
        for rank in range(1, 15):
            first[suit, rank] = n_states
            card = 13 * suit + (rank - 1) % 13
            set_here = 0
            if rank < 14:
                i = rank - 1
                code = total[i] + 3 * total[i + 13] + 9 * total[i + 26] + 27 * total[i + 39]
                set_here = int(total[card] > 0 and _USAGE_COUNT[code] > 1)
            floor_sets = 0
            for k in range(len(sets)):
                if sets[k, 0] == rank and (sets[k, 1] >> suit) & 1:
                    floor_sets += 1
            stamp = 16 * suit + rank
            for state in range(first[suit, rank - 1], first[suit, rank]):
                edge_first[state] = n_edges
                count = _edges_from(
                    codes[state], rank, int(total[card]), slot, runs, keep, inherit, set_here, floor_sets,
                    loss[suit, min(rank, 13)], goal[suit], crossing, out, now,
                )  # fmt: skip
                while n_edges + count > len(edges):
                    edges = grown(edges)
                for k in range(count):
                    cost = so_far[state, 0] + out[k, 5]
                    moved = so_far[state, 1] + (out[k, 5] % BROKEN_WEIGHT if inherit else 0)
                    if cost > slack or moved > moved_limit:
                        continue
                    place = (out[k, 0] * 40503 >> 4) & mask
                    tag = (out[k, 0] << 6 | stamp) + 1
                    while index[place, 0] != tag:
                        if index[place, 0] == 0 or (index[place, 0] - 1) & 63 != stamp:
                            if n_states - first[suit, rank] >= len(index) // 2:
                                return FULL, first, edge_first, edges, codes, codes, loss
                            if n_states + 1 >= len(codes):
                                codes = grown(codes)
                                edge_first = grown(edge_first)
                                so_far = grown(so_far)
                            index[place, 0] = tag
                            index[place, 1] = n_states - first[suit, rank]
                            codes[n_states] = out[k, 0]
                            so_far[n_states, 0] = cost
                            so_far[n_states, 1] = moved
                            n_states += 1
                            break
                        place = (place + 1) & mask
                    to = index[place, 1]
                    to += first[suit, rank]
                    so_far[to, 0] = min(cost, so_far[to, 0])
                    so_far[to, 1] = min(moved, so_far[to, 1])
                    edges[n_edges, 0] = to - first[suit, rank]
                    for i in range(1, 6):
                        edges[n_edges, i] = out[k, i]
                    n_edges += 1
        for state in range(first[suit, 14], n_states):
            edge_first[state] = n_edges
        first[suit, 15] = n_states
    edge_first[n_states] = n_edges
    rest = np.full(n_states, INFINITE, dtype=np.int64)
    rest_lost = np.full(n_states, INFINITE, dtype=np.int64)
    for suit in range(4):
        rest[first[suit, 14] : first[suit, 15]] = 0
        rest_lost[first[suit, 14] : first[suit, 15]] = 0
        for rank in range(14, 0, -1):
            for state in range(first[suit, rank - 1], first[suit, rank]):
                for e in range(edge_first[state], edge_first[state + 1]):
                    to = first[suit, rank] + edges[e, 0]
                    rest[state] = min(rest[state], rest[to] + edges[e, 5])
                    lost = loss[suit, rank, edges[e, 2]] if rank < 14 else 0
                    rest_lost[state] = min(rest_lost[state], rest_lost[to] + lost)
    return FOUND, first, edge_first, edges, rest, rest_lost, loss


@njit(cache=True, nogil=True)
def best_table(need, total, forced, runs, sets, keep, inherit, limit, least, allowed_loss, stop, most_nodes):  # type: ignore[no-untyped-def]
    """The cheapest table that leaves at most `allowed_loss` hand cards behind.

    With `keep` and `inherit` both 0 the cost is the number of hand cards left behind.

    Args:
        need: uint8 (52,), floor cards: all have to be used.
        total: uint8 (52,), all cards.
        forced: uint8 (52,), floor and hand cards: each copy of these that is not used is lost.
        runs: int64 (n, 3), floor runs as suit, first and last rank (14 for a high ace).
        sets: int64 (n, 2), floor sets as rank and mask of suits.
        keep: Cost of a broken floor meld.
        inherit: Cost of a moved floor card.
        limit: Tables that cost more are of no interest; INFINITE for any. Where broken melds and moved cards both
            count, it holds for each of the two: only tables with at most `limit % BROKEN_WEIGHT` moved cards are found
            for sure.
        least: int64 (4,), a cost that each suit's floor runs are known to have at least.
        allowed_loss: Hand cards that may be left behind.
        stop: uint8 (1,); another thread sets it to end the search.
        most_nodes: Joint states that may be visited.

    Returns:
        status: FOUND, NOTHING (proved within `limit`) or FULL (stopped, or there was no room).
        cost: The cost of the table.
        lost: Hand cards left behind.
        melds: int64 (n, 3): runs as (suit, first, last), sets as (4, rank, mask of suits).
        nodes: Joint states visited.
        least: int64 (4,), the cost that the floor runs of each suit have at least.
    """
    by_loss = keep == 0 and inherit == 0
    melds = np.empty((0, 3), dtype=np.int64)
    ok, first, edge_first, edges, rest, rest_lost, _ = _automata(
        need, total, forced, runs, sets, keep, inherit, limit, least
    )
    roots = np.zeros(4, dtype=np.int64)
    if ok != FOUND:
        return FULL, 0, 0, melds, 0, roots
    for suit in range(4):
        roots[suit] = rest[first[suit, 0]]
    options = np.empty((21 * 14 * (50 if inherit else 1), 10), dtype=np.int64)
    option_first = np.zeros(16, dtype=np.int64)
    for rank in range(1, 14):
        option_first[rank + 1] = _set_options(rank, total, runs, sets, keep, inherit, option_first[rank], options)
    status, cost, lost, melds, nodes = _best_first(
        need, total, forced, first, edge_first, edges, rest, rest_lost, options, option_first, by_loss,
        limit, allowed_loss, stop, most_nodes,
    )  # fmt: skip
    return status, cost, lost, melds, nodes, roots


@njit(cache=True, nogil=True)
def _best_first(  # type: ignore[no-untyped-def]
    need, total, forced, first, edge_first, edges, rest, rest_lost, options, option_first, by_loss,
    limit, allowed_loss, stop, most_nodes,
):  # fmt: skip
    """The joint search of `best_table`.

    A node is popped with a bound; only its children at that bound join the queue, and the node returns with the
    bound of the next. Of two ways to a state the one that leaves fewer cards behind is the better, then the cheaper.
    """
    melds = np.empty((0, 3), dtype=np.int64)
    keys = np.empty(128, dtype=np.int64)
    costs = np.empty((128, 2), dtype=np.int64)  # cost and hand cards left behind
    parents = np.empty(128, dtype=np.int64)
    how = np.empty((128, 5), dtype=np.int64)
    following = np.empty(128, dtype=np.int64)
    heads = np.full(64, -1, dtype=np.int64)
    place_of = np.full(256, -1, dtype=np.int64)
    root_rest = 0
    root_lost = 0
    for suit in range(4):
        state = first[suit, 0]
        if rest[state] >= INFINITE:
            return NOTHING, 0, 0, melds, 0
        root_rest += rest[state]
        root_lost += rest_lost[state]
    if root_lost > allowed_loss or (root_rest > limit and not by_loss):
        return NOTHING, 0, 0, melds, 0
    base = root_lost if by_loss else root_rest
    keys[0] = 0
    costs[0, 0] = 0
    costs[0, 1] = 0
    parents[0] = -1
    following[0] = -1
    heads[0] = 0
    n_nodes = 1
    bound = base
    top = base
    cand = np.empty((4, 256, 3), dtype=np.int64)
    n_cand = np.zeros(4, dtype=np.int64)
    state_of = np.zeros(4, dtype=np.int64)
    pops = 0
    while bound <= top:
        node = heads[bound - base]
        if node < 0:
            bound += 1
            continue
        heads[bound - base] = following[node]
        key = keys[node]
        if node > 0 and place_of[_find(place_of, keys, key)] != node:
            continue
        pops += 1
        if (pops & 255) == 0 and stop[0]:
            return FULL, 0, 0, melds, n_nodes
        rank = (key >> RANK_SHIFT) + 1
        if rank == 14:
            melds = _decoded(node, parents, how, keys, first, edge_first, edges, rest, options)
            return FOUND, bound if not by_loss else costs[node, 1], costs[node, 1], melds, n_nodes
        for suit in range(4):
            state_of[suit] = first[suit, rank - 1] + ((key >> (STATE_BITS * suit)) & STATE_MASK)
        cost0 = costs[node, 0]
        lost0 = costs[node, 1]
        later = INFINITE
        for o in range(option_first[rank], option_first[rank + 1]):
            v = options[o, 0]
            fine = True
            for suit in range(4):
                card = 13 * suit + rank - 1
                in_sets = _USAGE[v, suit]
                n = 0
                for e in range(edge_first[state_of[suit]], edge_first[state_of[suit] + 1]):
                    used = edges[e, 2] + in_sets
                    if used < need[card] or used > total[card]:
                        continue
                    if edges[e, 3] != options[o, 1 + suit] or edges[e, 4] != options[o, 5 + suit]:
                        continue
                    to = first[suit, rank] + edges[e, 0]
                    if rest[to] >= INFINITE:
                        continue
                    cand[suit, n, 0] = e
                    cand[suit, n, 1] = edges[e, 5] + rest[to]
                    cand[suit, n, 2] = max(0, int(forced[card]) - used) + rest_lost[to]
                    n += 1
                if n == 0:
                    fine = False
                    break
                n_cand[suit] = n
            if not fine:
                continue
            for i0 in range(n_cand[0]):
                f0 = cost0 + options[o, 9] + cand[0, i0, 1]
                l0 = lost0 + cand[0, i0, 2]
                if l0 > allowed_loss:
                    continue
                for i1 in range(n_cand[1]):
                    f1 = f0 + cand[1, i1, 1]
                    l1 = l0 + cand[1, i1, 2]
                    if l1 > allowed_loss:
                        continue
                    for i2 in range(n_cand[2]):
                        f2 = f1 + cand[2, i2, 1]
                        l2 = l1 + cand[2, i2, 2]
                        if l2 > allowed_loss:
                            continue
                        for i3 in range(n_cand[3]):
                            l3 = l2 + cand[3, i3, 2]
                            if l3 > allowed_loss:
                                continue
                            f = l3 if by_loss else f2 + cand[3, i3, 1]
                            if f > bound:
                                if f <= limit:
                                    later = min(later, f)
                                continue
                            if f < bound:
                                continue  # joined the queue when the node was popped with that bound
                            e0, e1, e2, e3 = cand[0, i0, 0], cand[1, i1, 0], cand[2, i2, 0], cand[3, i3, 0]
                            child = rank << RANK_SHIFT | edges[e0, 0] | edges[e1, 0] << STATE_BITS
                            child |= edges[e2, 0] << (2 * STATE_BITS) | edges[e3, 0] << (3 * STATE_BITS)
                            spent_rest = (
                                rest[first[0, rank] + edges[e0, 0]]
                                + rest[first[1, rank] + edges[e1, 0]]
                                + rest[first[2, rank] + edges[e2, 0]]
                                + rest[first[3, rank] + edges[e3, 0]]
                            )
                            lost_rest = (
                                rest_lost[first[0, rank] + edges[e0, 0]]
                                + rest_lost[first[1, rank] + edges[e1, 0]]
                                + rest_lost[first[2, rank] + edges[e2, 0]]
                                + rest_lost[first[3, rank] + edges[e3, 0]]
                            )
                            cost = f2 + cand[3, i3, 1] - spent_rest
                            lost = l3 - lost_rest
                            place = _find(place_of, keys, child)
                            known = place_of[place]
                            if known >= 0 and (
                                costs[known, 1] < lost or (costs[known, 1] == lost and costs[known, 0] <= cost)
                            ):
                                continue
                            if n_nodes >= most_nodes:
                                return FULL, 0, 0, melds, n_nodes
                            if n_nodes == len(keys):
                                keys = grown(keys)
                                costs = grown(costs)
                                parents = grown(parents)
                                how = grown(how)
                                following = grown(following)
                            keys[n_nodes] = child
                            costs[n_nodes, 0] = cost
                            costs[n_nodes, 1] = lost
                            parents[n_nodes] = node
                            how[n_nodes, 0] = o
                            how[n_nodes, 1] = e0
                            how[n_nodes, 2] = e1
                            how[n_nodes, 3] = e2
                            how[n_nodes, 4] = e3
                            following[n_nodes] = heads[f - base]
                            heads[f - base] = n_nodes
                            place_of[place] = n_nodes
                            n_nodes += 1
                            if 2 * n_nodes > len(place_of):
                                place_of = _rehashed(place_of, keys)
        if later < INFINITE:
            if later - base >= len(heads):
                heads = _grown_heads(heads, later - base)
            following[node] = heads[later - base]
            heads[later - base] = node
            top = max(top, later)
    return NOTHING, 0, 0, melds, n_nodes


@njit(cache=True)
def _find(place_of, keys, key):  # type: ignore[no-untyped-def]
    """The place of a key in the open hash table, or the free place where it belongs."""
    mask = len(place_of) - 1
    place = int((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & mask
    while place_of[place] >= 0 and keys[place_of[place]] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True)
def _rehashed(place_of, keys):  # type: ignore[no-untyped-def]
    """The hash table at four times its size."""
    bigger = np.full(4 * len(place_of), -1, dtype=np.int64)
    for node in place_of:
        if node >= 0:
            bigger[_find(bigger, keys, keys[node])] = node
    return bigger


@njit(cache=True)
def _grown_heads(heads, wanted):  # type: ignore[no-untyped-def]
    """The queue with more buckets."""
    bigger = np.full(2 * wanted, -1, dtype=np.int64)
    bigger[: len(heads)] = heads
    return bigger


@njit(cache=True)
def _decoded(node, parents, how, keys, first, edge_first, edges, rest, options):  # type: ignore[no-untyped-def]
    """The melds on the way to a node that has read rank 13."""
    path = np.empty((15, 5), dtype=np.int64)
    last = node
    while parents[node] >= 0:
        rank = keys[node] >> RANK_SHIFT
        for i in range(5):
            path[rank, i] = how[node, i]
        node = parents[node]
    for suit in range(4):
        state = first[suit, 13] + ((keys[last] >> (STATE_BITS * suit)) & STATE_MASK)
        best = -1
        for e in range(edge_first[state], edge_first[state + 1]):
            if best < 0 or edges[e, 5] < edges[best, 5]:
                best = e
        path[14, 1 + suit] = best
    melds = np.empty((64, 3), dtype=np.int64)
    n = 0
    open_from = np.zeros((4, 2), dtype=np.int64)
    for rank in range(1, 15):
        if rank < 14:
            for made in _MADE[options[path[rank, 0], 0]]:
                if made:
                    melds[n, 0], melds[n, 1], melds[n, 2] = SET, rank, made
                    n += 1
        for suit in range(4):
            origins = edges[path[rank, 1 + suit], 1]
            one, two = origins & 3, origins >> 2
            for old in range(2):
                if open_from[suit, old] and one != old + 1 and two != old + 1:
                    melds[n, 0], melds[n, 1], melds[n, 2] = suit, open_from[suit, old], rank - 1
                    n += 1
            a, b = open_from[suit, 0], open_from[suit, 1]
            open_from[suit, 0] = 0 if one == 0 else a if one == 1 else b if one == 2 else rank
            open_from[suit, 1] = 0 if two == 0 else a if two == 1 else b if two == 2 else rank
    for suit in range(4):
        for old in range(2):
            if open_from[suit, old]:
                melds[n, 0], melds[n, 1], melds[n, 2] = suit, open_from[suit, old], 14
                n += 1
    return melds[:n].copy()
