"""Prints what CP-SAT or HiGHS answers on Makiaveli positions, and its time: oracles, and peers of the solver.

    python -m tests.bench.makiaveli_peers cp-sat < positions.jsonl > answers.jsonl

One process for each of them: ortools and highspy cannot be imported together. CPU time covers model and search.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solver.cards import Card
from solver.makiaveli import Position
from solver.makiaveli.melds import all_melds
from solver.makiaveli.position import Meld

DISTINCT_MELDS = tuple({frozenset(meld): meld for meld in all_melds()}.values())


@dataclass(frozen=True, slots=True)
class Claim:
    """A final table, and how little it is said to disturb the floor: None for what does not matter.

    It is said that no table breaks fewer melds; or, where moved cards matter, that no table moves fewer of those that
    break so few.
    """

    melds: tuple[Meld, ...]
    broken: int | None = None
    moved: int | None = None


def useful(position: Position) -> tuple[list[Meld], Counter[Card], Counter[Card], Counter[Card]]:
    """The melds that the cards allow, and the counts of floor, hand and all cards."""
    total = Counter(position.cards())
    floor = Counter(card for meld in position.floor for card in meld)
    melds = [meld for meld in DISTINCT_MELDS if all(card in total for card in meld)]
    return melds, floor, Counter(position.hand), total


@dataclass(frozen=True, slots=True)
class _Program:
    """The integer program of a table: how often each meld is on it, and hand cards played."""

    model: Any
    melds: list[Meld]
    times: list[Any]
    played: Any

    @classmethod
    def of(cls, position: Position) -> _Program:
        from ortools.sat.python import cp_model

        melds, floor, hand, total = useful(position)
        model = cp_model.CpModel()
        times = [model.new_int_var(0, min(total[card] for card in meld), "") for meld in melds]
        holding: dict[Card, list[Any]] = {card: [] for card in total}
        for meld, often in zip(melds, times, strict=True):
            for card in meld:
                holding[card].append(often)
        played = {card: model.new_int_var(0, hand[card], "") for card in hand}
        for card, places in holding.items():
            model.add(sum(places) >= floor[card] + played.get(card, 0))
            model.add(sum(places) <= total[card])
        return cls(model, melds, times, sum(played.values()))

    def lay(self, table: Sequence[Meld]) -> None:
        """Allows no table but this."""
        laid = Counter(map(frozenset, table))
        for meld, often in zip(self.melds, self.times, strict=True):
            self.model.add(often == laid[frozenset(meld)])

    def kept(self, floor: Sequence[Meld]) -> Any:
        """Adds the floor melds that lie whole; gives their number."""
        whole: list[Any] = []
        needed: dict[tuple[int, Card], list[Any]] = {}
        for lying, copies in Counter(map(frozenset, floor)).items():
            homes = []
            for i, meld in enumerate(self.melds):
                if lying <= set(meld):
                    homes.append(self.model.new_int_var(0, copies, ""))
                    for card in lying:
                        needed.setdefault((i, card), []).append(homes[-1])
            self.model.add(sum(homes) <= copies)
            whole += homes
        for (i, _card), homes in needed.items():
            self.model.add(sum(homes) <= self.times[i])
        return sum(whole)

    def stays(self, floor: Sequence[Meld]) -> Any:
        """Adds the heirs of the floor melds; gives the number of cards that stay with them."""
        cards: list[Any] = []
        givers: dict[int, list[Any]] = {}
        for lying, copies in Counter(map(frozenset, floor)).items():
            heirs = []
            for i, meld in enumerate(self.melds):
                shared = len(lying & set(meld))
                if shared:
                    heirs.append(self.model.new_int_var(0, copies, ""))
                    givers.setdefault(i, []).append(heirs[-1])
                    cards.append(shared * heirs[-1])
            self.model.add(sum(heirs) <= copies)
        for i, heirs in givers.items():
            self.model.add(sum(heirs) <= self.times[i])
        return sum(cards)


def by_cp_sat(position: Position) -> int | None:
    """The most hand cards that can be played; None where CP-SAT does not say."""
    from ortools.sat.python import cp_model

    program = _Program.of(position)
    program.model.maximize(program.played)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 60.0
    return round(solver.objective_value) if solver.solve(program.model) == cp_model.OPTIMAL else None


def proved(position: Position, cards: int, claims: Sequence[Claim], *, effort: float = 60.0) -> bool | None:
    """Whether CP-SAT, too, finds that no more cards can be played, and each claim about tables that play so many true.

    It is asked whether each table is one and costs no more than is said, and whether any costs less: to prove that
    none does takes a fraction of the time of a search for the best. None where one question takes it more effort, in
    its deterministic seconds, which are the same on a busy machine.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = effort
    solver.parameters.linearization_level = 2  # the linear relaxation refutes most claims by itself

    def exists(program: _Program) -> bool | None:
        status = solver.solve(program.model)
        return None if status == cp_model.UNKNOWN else status in (cp_model.OPTIMAL, cp_model.FEASIBLE)

    right: list[bool | None] = []
    if cards < len(position.hand):
        program = _Program.of(position)
        program.model.add(program.played >= cards + 1)
        right.append(_not(exists(program)))
    for claim in claims:
        for better in (0, 1):
            program = _Program.of(position)
            program.model.add(program.played == cards)
            if claim.broken is not None:
                kept = len(position.floor) - claim.broken + (better if claim.moved is None else 0)
                program.model.add(program.kept(position.floor) >= kept)
            if claim.moved is not None:
                stays = sum(map(len, position.floor)) - claim.moved + better
                program.model.add(program.stays(position.floor) >= stays)
            if better:
                right.append(_not(exists(program)))
            else:
                program.lay(claim.melds)
                right.append(exists(program))
    return False if False in right else None if None in right else True


def _not(found: bool | None) -> bool | None:
    return None if found is None else not found


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
                win = None if found is None else found == len(position.hand)
            spent = time.process_time() - start
        print(json.dumps({"win": win, "us": spent * 1e6}), flush=True)


if __name__ == "__main__":
    main()
