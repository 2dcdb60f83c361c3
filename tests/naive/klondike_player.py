"""What the player of Klondike may choose, found on real tables, slow and obvious.

Shares no code with the solver: tables are those of `tests.naive.klondike`.
"""

from __future__ import annotations

from tests.naive.klondike import Rules, Table, onto, successors, to_foundation


def choices(table: Table, rules: Rules, most: int = 3_000) -> set[tuple[int, bool]] | None:
    """Each card that can leave for good now or after moves that can be taken back, and whether it goes up.

    Cards of the stock count as turned up if turning the stock shows them. None where more than `most` tables are in
    reach.
    """
    tops = shown(table, rules)
    found: set[tuple[int, bool]] = set()
    queue = [table]
    seen = {columns_of(table)}
    for here in queue:
        for card in tops:
            if to_foundation(here, card) is not None:
                found.add((card, True))
            if any(onto(here.columns, place, (card,)) is not None for place in range(7)):
                found.add((card, False))
        for move, after in successors(here, rules).items():
            if move == "draw" or move.startswith("W"):
                continue
            card = leaving(here, move)
            goes_for_good = move.endswith(">F") and not rules.worrying_back
            if card is not None and (goes_for_good or is_fixed(here, card)):
                found.add((card, move.endswith(">F")))
            elif columns_of(after) not in seen:
                seen.add(columns_of(after))
                queue.append(after)
                if len(queue) > most:
                    return None
    return found


def columns_of(table: Table) -> object:
    """What lies where, whichever column it is."""
    return table.foundations, tuple(sorted(table.columns))


def leaving(table: Table, move: str) -> int | None:
    """The card that a move takes from a column, the lowest of a run."""
    if not move.startswith("T"):
        return None
    source = int(move[1]) - 1
    count = int(move.split(":")[1]) if ":" in move else 1
    return table.columns[source][1][-count]


def is_fixed(table: Table, card: int) -> bool:
    """Whether a card lies on face-down ones, or is a column's bottom card and no king."""
    return any(up[:1] == (card,) and (down or card % 13 != 12) for down, up in table.columns)


def shown(table: Table, rules: Rules) -> set[int]:
    """The cards that turning the stock brings to the waste's top."""
    tops: set[int] = set()
    seen = set()
    while (table.stock, table.waste, table.redealt) not in seen:
        seen.add((table.stock, table.waste, table.redealt))
        tops |= set(table.waste[-1:])
        after = successors(table, rules).get("draw")
        if after is None:
            break
        table = after
    return tops
