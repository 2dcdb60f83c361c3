"""Changes to a table, as pure functions over a position's JSON.

A place is a path such as `floor/0/2` or `cross/1`; a zone is the path of the list, slot or count that holds places, as
the table's board has it. Nothing here knows a rule: whether the result is a legal table is for the position's own
`problems()` to say.

    >>> table = {"game": "makiaveli", "floor": [["7C", "7D", "7H"]], "cross": ["2S"], "hand": ["3S"]}
    >>> change(table, "floor/0/2", "7S")["floor"]
    [['7C', '7D', '7S']]
    >>> move(table, "cross/0", "floor/0")
    {'game': 'makiaveli', 'floor': [['7C', '7D', '7H', '2S']], 'cross': [None], 'hand': ['3S']}
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Final

from drawing.boards import Zone, board
from drawing.card_names import BACK
from plumbing.errors import CardsError
from solver.cards import RANK_CHARS
from webapp.jobs import Json

NEW: Final = "*"
"""As the last part of a path: a new list in a list of lists."""


def value_at(table: Any, path: str) -> Any:
    """The value at a path. Raises KeyError if there is none."""
    for part in path.split("/"):
        try:
            table = table[int(part)] if isinstance(table, list) else table[part]
        except (ValueError, IndexError, TypeError) as error:
            raise KeyError(path) from error
    return table


def unchanged(table: Json, place: str, card: str) -> Json:
    """The table, if a card is still at its place. Raises KeyError if an earlier tap has moved or changed it.

    >>> unchanged({"hand": ["3S"]}, "hand/0", "3S")
    {'hand': ['3S']}
    """
    if value_at(table, place) != card:
        raise KeyError(place)
    return table


def find_zone(table: Json, path: str) -> Zone:
    """The zone of a path that takes cards. Raises KeyError if there is none."""
    found = next((zone for zone in board(table).zones() if zone.path == path and zone.kind != "fixed"), None)
    if found is None:
        raise KeyError(path)
    return found


def count_hidden(table: Json, path: str) -> int:
    """How many cards of a list lie face down."""
    return list(value_at(table, path)).count(BACK)


def _parent(table: Json, path: str) -> tuple[Any, int | str]:
    head, _, last = path.rpartition("/")
    parent = value_at(table, head) if head else table
    return parent, int(last) if isinstance(parent, list) else last


def change(table: Json, place: str, card: str) -> Json:
    """The table with another card at a place. A face-down card on which nothing lies any more is turned by naming it.

    >>> change({"columns": [{"down": ["??", "??"], "up": []}]}, "columns/0/down/1", "5C")["columns"]
    [{'down': ['??'], 'up': ['5C']}]
    """
    table = deepcopy(table)
    parent, last = _parent(table, place)
    parent[last] = card
    pile = value_at(table, place.rpartition("/down/")[0]) if "/down/" in place else None
    if pile and card != BACK:
        _turn_last(pile)
    return table


def _turn_last(pile: Json) -> None:
    """Turns the last face-down card of a pile if nothing lies on it and it is known."""
    if not pile["up"] and pile["down"] and pile["down"][-1] != BACK:
        pile["up"].append(pile["down"].pop())


def number_in_list(place: str) -> int:
    """The number of a place in its list; 0 for one that is in none."""
    last = place.rpartition("/")[2]
    return int(last) if last.isdigit() else 0


def change_height(table: Json, path: str, by: int) -> Json:
    """The table with a counted foundation raised or lowered, kept between 0 and the most that it takes."""
    most, table = find_zone(table, path).most, deepcopy(table)
    parent, last = _parent(table, path)
    parent[last] = min(most, max(0, parent[last] + by))
    return table


def change_hidden(table: Json, path: str, by: int) -> Json:
    """The table with more or fewer face-down cards at the bottom of a pile; the stock gives them or takes them.

    >>> change_hidden({"columns": [{"down": ["??"], "up": ["9C"]}], "stock": ["??", "??"]}, "columns/0/down", 1)
    {'columns': [{'down': ['??', '??'], 'up': ['9C']}], 'stock': ['??']}
    """
    table = deepcopy(table)
    pile, stock = value_at(table, path), table.get("stock")
    source, target = (stock, pile) if by > 0 else (pile, stock)
    for _ in range(abs(by)):
        if source is not None and BACK in source:
            source.remove(BACK)
        elif by < 0:
            break
        if target is not None:
            target.insert(0, BACK)
    return table


def remove(table: Json, place: str) -> Json:
    """The table without the card at a place: a slot becomes empty, a list shorter."""
    zone, table = board(table).zone_of(place), deepcopy(table)
    parent, last = _parent(table, place)
    if zone is not None and zone.kind == "slot":
        parent[last] = None
    else:
        del parent[last]
        pile, _, part = place.rpartition("/")[0].rpartition("/")
        if part == "up":
            _turn_last(value_at(table, pile))
    return table


def add(table: Json, path: str, card: str) -> Json:
    """The table with a card put on a zone: last in a list, in place of what a slot held, next on a counted foundation.

    As the zone `floor/*` begins a new list. Raises CardsError for a card that does not top a foundation.
    """
    if path.endswith(f"/{NEW}"):
        table = deepcopy(table)
        value_at(table, path.removesuffix(f"/{NEW}")).append([card])
        return table
    zone, table = find_zone(table, path), deepcopy(table)
    parent, last = _parent(table, path)
    if zone.kind == "list":
        parent[last].append(card)
        return table
    if zone.kind == "height":
        ranks = RANK_CHARS if zone.most == len(RANK_CHARS) else RANK_CHARS[::-1]  # with two decks down from the king
        wanted = f"{ranks[parent[last] % len(ranks)]}{last}"
        if card != wanted:
            raise CardsError(f"on this foundation {wanted} comes next, not {card}")
        parent[last] += 1
        return table
    if isinstance(parent, list):
        parent.extend([None] * (int(last) + 1 - len(parent)))
    parent[last] = card
    return table


def insert(table: Json, place: str, card: str) -> Json:
    """The table with a card put into a list before the one that lies at a place.

    >>> insert({"hand": ["3S", "5S"]}, "hand/1", "4S")
    {'hand': ['3S', '4S', '5S']}
    """
    table = deepcopy(table)
    parent, last = _parent(table, place)
    parent.insert(last, card)
    return table


def move_run(table: Json, place: str, to: str) -> Json:
    """The table with the card at a place of a list, and those on it, put on another list."""
    path, first = place.rpartition("/")[0], number_in_list(place)
    cards = list(value_at(table, path))[first:]
    for card in cards:
        table = add(table, to, card)
    for number in reversed(range(first, first + len(cards))):
        table = remove(table, f"{path}/{number}")
    return table


def move(table: Json, place: str, to: str) -> Json:
    """The table with the card at a place put on another zone."""
    card = value_at(table, place)
    if isinstance(card, int) or card is None:
        raise KeyError(place)
    return remove(add(table, to, card), place)
