"""Makiaveli as integer programs, for CP-SAT and HiGHS: oracles and what the solver is timed against.

    python -m tests.bench.makiaveli_peers cp-sat < positions.jsonl > answers.jsonl

One process for each of them: ortools and highspy cannot be imported together. CPU time covers model and search.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.melds import all_melds
from solver.makiaveli.position import Meld

DISTINCT_MELDS = tuple({frozenset(meld): meld for meld in all_melds()}.values())


@dataclass(frozen=True, slots=True)
class Answer:
    """What CP-SAT proved; None where it was not asked."""

    cards: int
    broken: int | None = None
    moved: int | None = None
    least: tuple[int, int] | None = None


def useful(position: Position) -> tuple[list[Meld], Counter[Card], Counter[Card], Counter[Card]]:
    """The melds that the cards allow, and the counts of floor, hand and all cards."""
    total = Counter(position.cards())
    floor = Counter(card for meld in position.floor for card in meld)
    melds = [meld for meld in DISTINCT_MELDS if all(card in total for card in meld)]
    return melds, floor, Counter(position.hand), total


def by_cp_sat(position: Position, *, broken: bool = False, moved: bool = False, seconds: float = 60.0) -> Answer | None:
    """The optima, each proved, or None where CP-SAT did not prove one in time."""
    from ortools.sat.python import cp_model

    melds, floor, hand, total = useful(position)
    model = cp_model.CpModel()
    times = [model.new_int_var(0, min(total[card] for card in meld), "") for meld in melds]
    holding: dict[Card, list[int]] = {card: [] for card in total}
    for i, meld in enumerate(melds):
        for card in meld:
            holding[card].append(i)
    played = {card: model.new_int_var(0, hand[card], "") for card in hand}
    for card, places in holding.items():
        used = sum(times[i] for i in places)
        model.add(used >= floor[card] + played.get(card, 0))
        model.add(used <= total[card])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds

    def maximum(goal: Any) -> int | None:
        model.maximize(goal)
        return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None

    cards = maximum(sum(played.values())) if played else 0
    if cards is None or not (broken or moved) or cards == 0:
        return None if cards is None else Answer(cards, 0, 0, (0, 0))
    model.add(sum(played.values()) == cards)
    kept: list[Any] = []
    by_card: dict[tuple[int, Card], list[Any]] = {}
    stays: list[Any] = []
    by_final: dict[int, list[Any]] = {}
    for number, lying in enumerate(position.floor):
        homes, heirs = [], []
        for i, meld in enumerate(melds):
            shared = set(lying) & set(meld)
            if len(shared) == len(lying):
                whole = model.new_bool_var(f"{number} in {i}")
                homes.append(whole)
                for card in lying:
                    by_card.setdefault((i, card), []).append(whole)
            if moved and shared:
                heir = model.new_bool_var("")
                heirs.append(heir)
                by_final.setdefault(i, []).append(heir)
                stays.append(len(shared) * heir)
        if homes:
            model.add(sum(homes) <= 1)
            kept += homes
        if heirs:
            model.add(sum(heirs) <= 1)
    for (i, _card), wholes in by_card.items():
        model.add(sum(wholes) <= times[i])
    for i, heirs in by_final.items():
        model.add(sum(heirs) <= times[i])
    most_kept = maximum(sum(kept)) if kept else 0
    if most_kept is None:
        return None
    least_broken = len(position.floor) - most_kept
    if not moved:
        return Answer(cards, least_broken)
    size = sum(map(len, position.floor))
    most_stays = maximum(sum(stays)) if stays else 0
    if kept:
        model.add(sum(kept) == most_kept)
    both = maximum(sum(stays)) if stays else 0
    if most_stays is None or both is None:
        return None
    return Answer(cards, least_broken, size - most_stays, (least_broken, size - both))


def by_highs(position: Position) -> bool | None:
    """Whether the whole hand can be played; None where HiGHS does not say."""
    import highspy
    import numpy as np

    melds, floor, hand, total = useful(position)
    if not melds:
        return not position.hand
    order = {card: row for row, card in enumerate(total)}
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("threads", 1)
    for meld in melds:
        solver.addVar(0.0, float(min(total[card] for card in meld)))
    for i in range(len(melds)):
        solver.changeColIntegrality(i, highspy.HighsVarType.kInteger)
    holding: list[list[int]] = [[] for _ in order]
    for i, meld in enumerate(melds):
        for card in meld:
            holding[order[card]].append(i)
    for card, row in order.items():
        places = np.array(holding[row], dtype=np.int32)
        need = float(floor[card] + hand[card])
        solver.addRow(need, float(total[card]), len(places), places, np.ones(len(places)))
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return True
    return False if status == highspy.HighsModelStatus.kInfeasible else None


def main() -> None:
    """Answers the win question for positions on standard input, with the CPU time of each in microseconds."""
    peer = sys.argv[1]
    for line in sys.stdin:
        position = Position.parse(line)
        for _ in range(2):  # the first call of a process also loads the library
            start = time.process_time()
            if peer == "highs":
                win = by_highs(position)
            else:
                found = by_cp_sat(position)
                win = None if found is None else found.cards == len(position.hand)
            spent = time.process_time() - start
        print(json.dumps({"win": win, "us": spent * 1e6}), flush=True)


if __name__ == "__main__":
    main()
