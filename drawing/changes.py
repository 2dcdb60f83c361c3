"""What happened between two tables of any game, in words."""

from __future__ import annotations

from collections import Counter

from drawing.boards import Board
from drawing.card_names import BACK, EMPTY, pretty


def describe_changes(before: Board, after: Board) -> str:
    """What happened between two tables, in words; "" if nothing can be said.

    >>> from drawing.boards import board
    >>> one = {"game": "makiaveli", "floor": [], "cross": ["2S"], "hand": ["3S"]}
    >>> two = one | {"cross": [None], "hand": ["3S", "2S"]}
    >>> describe_changes(board(one), board(two))
    '2♠ from cross, above to the hand'
    >>> from solver import parse
    >>> table = parse("klondike worrying_back: yes; columns: [9D] | - | - | - | - | - | -; foundations: S8; stock:")
    >>> describe_changes(*(board(one.to_json()) for one in (table, table.play(table.moves()[-1]))))
    '8♠ from the foundation of spades to column 1'
    >>> table = parse("klondike columns: 9H [QD] | [KS] | - | - | - | - | -; stock:")
    >>> describe_changes(*(board(one.to_json()) for one in (table, table.play(table.moves()[0]))))
    'Q♦ from column 1 to column 2; 9♥ turns up: column 1'
    """
    was, now = _cards_by_zone(before), _cards_by_zone(after)
    gone = {title: was[title] - now.get(title, Counter()) for title in was}
    moves: list[str] = []
    flips: list[str] = []  # a card turns up only once what lay on it has gone
    turns: dict[str, Counter[str]] = {}
    for title, cards in now.items():
        come = cards - was.get(title, Counter())
        for source, left in gone.items():
            moved = come & left
            if moved and source != title:
                gone[source] = left - moved
                come -= moved
                if source == f"under {title}":
                    flips.append(f"{_name_cards(moved)} turns up: {title}")
                else:
                    moves.append(f"{_name_cards(moved)} from {_with_article(source)} to {_with_article(title)}")
        turns[title] = come
    heights = {zone.title for zone in before.zones() if zone.kind == "height"}
    uncovered = {title for title in heights if gone.get(title) != was.get(title)}  # its last card lies elsewhere now
    said = (
        f"{_name_cards(come)} {'turns' if come.total() == 1 else 'turn'} up: {title}"
        for title, come in turns.items()
        if come and title not in uncovered
    )
    return "; ".join([*moves, *flips, *said][:4])


def _cards_by_zone(table: Board) -> dict[str, Counter[str]]:
    """The known cards of each zone by its title; a counted foundation holds all that it shows it must hold."""
    held: dict[str, Counter[str]] = {}
    for zone in table.zones():
        if zone.kind != "fixed" and zone.title not in held:
            held[zone.title] = Counter(spot.card for spot in zone.spots if spot.card not in (EMPTY, BACK))
    return held


def _with_article(title: str) -> str:
    """A zone as it is called in a sentence.

    >>> _with_article("foundation of hearts"), _with_article("column 7"), _with_article("cross, left")
    ('the foundation of hearts', 'column 7', 'cross, left')
    """
    return title if title[-1:].isdigit() or "," in title else f"the {title}"


def _name_cards(cards: Counter[str]) -> str:
    if cards.total() > 4:
        return f"{cards.total()} cards"
    return " ".join(pretty(card) for card in cards.elements())
