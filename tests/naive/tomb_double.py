"""The rules of the two-deck Napoleon's Tomb once more, slow and obvious, and an exhaustive search: the solver's oracle.

Shares no code with the solver: cards are strings, piles are tuples of them in a dictionary by name, a move is a string.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
T_PILES = ("T1", "T2", "T3", "T4")
R_PILES = ("R1", "R2", "R3", "R4")
Table = dict[str, tuple[str, ...]]
"""Piles by name: `C`, `T1`.., `R1`.., `W1`.., the stock `S`, and the foundations `FC` `FD` `FH` `FS` with all cards.

There are as many wastes as there may be cards turned to; one less after each redeal, and no redeal with one.
"""


def whole_foundation(suit: str) -> tuple[str, ...]:
    return tuple(rank + suit for rank in reversed(RANKS)) * 2


def table_of(position: object) -> Table:
    """Reads the JSON object of a position."""
    data = position.to_json()  # type: ignore[attr-defined]
    table: Table = {"C": tuple(data["centre"]), "S": tuple(data["stock"])}
    for letter, key in (("T", "tableau"), ("R", "reserves"), ("W", "wastes")):
        for number, pile in enumerate(data[key], start=1):
            table[f"{letter}{number}"] = tuple(pile)
    for suit in "CDHS":
        table["F" + suit] = whole_foundation(suit)[: data["foundations"][suit]]
    return table


def wastes_of(table: Table) -> list[str]:
    return sorted(name for name in table if name.startswith("W"))


def is_won(table: Table) -> bool:
    return all(len(table["F" + suit]) == 26 for suit in "CDHS")


def one_higher(card: str, below: str) -> bool:
    """The same suit, and the next rank; the ace comes after the king."""
    return card[1] == below[1] and RANKS[(RANKS.index(below[0]) + 1) % 13] == card[0]


def successors(table: Table) -> dict[str, Table]:
    """Every legal move, as printed, with the table after it."""
    found: dict[str, Table] = {}
    wastes = wastes_of(table)
    for source in ("C", *T_PILES, *R_PILES, *wastes):
        if not table[source]:
            continue
        card = table[source][-1]
        rest = {**table, source: table[source][:-1]}
        foundation = table["F" + card[1]]
        if len(foundation) < 26 and whole_foundation(card[1])[len(foundation)] == card:
            found[f"{source}>F"] = {**rest, "F" + card[1]: (*foundation, card)}
        if source == "C":
            continue
        for target in ("C", *T_PILES):
            if target == source:
                continue
            onto = table[target]
            fits = one_higher(card, onto[-1]) if onto else target != "C" or card[0] == "A"
            if fits:
                found[f"{source}>{target}"] = {**rest, target: (*onto, card)}
        if source in T_PILES and table["C"] and one_higher(table[source][0], table["C"][-1]):
            found[f"{source}>>C"] = {**table, source: (), "C": table["C"] + table[source]}
    if table["S"]:
        for waste in wastes:
            found[f"S>{waste}"] = {**table, "S": table["S"][1:], waste: (*table[waste], table["S"][0])}
    elif len(wastes) > 1 and any(table[waste] for waste in wastes):
        again = {name: pile for name, pile in table.items() if name != wastes[-1]}
        for waste in wastes[:-1]:
            again[waste] = ()
        again["S"] = tuple(card for waste in wastes for card in table[waste])
        found["redeal"] = again
    return found


def open_successors(table: Table) -> list[Table]:
    """As if each card of stock and wastes lay alone on a waste of its own: all that can be played.

    The cards of stock and wastes become the stock, sorted, for here their order does not matter.
    """
    loose = sorted([*table["S"], *(card for waste in wastes_of(table) for card in table[waste])])
    piles = {name: pile for name, pile in table.items() if name != "S" and not name.startswith("W")}
    found = []
    for i in range(-1, len(loose)):
        if i > 0 and loose[i] == loose[i - 1]:
            continue
        alone = {"W1": (loose[i],)} if i >= 0 else {}
        rest = loose[:i] + loose[i + 1 :] if i >= 0 else loose
        for move, after in successors({**piles, **alone, "S": ()}).items():
            if move.startswith("W1") == (i >= 0):
                found.append({name: pile for name, pile in after.items() if name != "W1"} | {"S": tuple(rest)})
    return found


def can_win(table: Table, limit: int = 20_000, *, stock_open: bool = False) -> bool | None:
    """Tries everything; None if more than `limit` tables can be reached."""

    def key(some: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple(sorted(some.items()))

    seen = {key(table)}
    waiting = [table]
    while waiting:
        here = waiting.pop()
        if is_won(here):
            return True
        for after in open_successors(here) if stock_open else successors(here).values():
            if key(after) not in seen:
                if len(seen) >= limit:
                    return None
                seen.add(key(after))
                waiting.append(after)
    return False
