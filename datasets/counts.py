"""How the commands here say what they made."""

from __future__ import annotations


def say_made(made: int, noun: str, how: str, there: int) -> str:
    """How many were made, and how many were there already.

    >>> say_made(1, "game", "rendered", 0), say_made(2, "game", "traced", 1)
    ('1 game rendered, 0 were there', '2 games traced, 1 was there')
    """
    return f"{made} {noun}{'s' * (made != 1)} {how}, {there} {'was' if there == 1 else 'were'} there"
