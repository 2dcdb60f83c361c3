"""The names of cards. Imports nothing of ours; on the page `webapp/board/cards.js` draws the cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

BACK: Final = "??"
EMPTY: Final = ""

Mark = Literal["doubtful", "fault"]
"""What a card on the board may be marked as."""
SUIT_WORDS: Final[Mapping[str, str]] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_WORDS: Final[Mapping[str, str]] = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}

SUIT_PATHS: Final[Mapping[str, str]] = {
    "C": "M0-10a4.7 4.7 0 0 1 3.6 7.7a4.7 4.7 0 1 1-2.6 7.1C1.2 7.3 2 9 3.4 10H-3.4C-2 9-1.2 7.3-1 4.8"
    "a4.7 4.7 0 1 1-2.6-7.1A4.7 4.7 0 0 1 0-10Z",
    "D": "M0-10.5Q3-4.5 7.6 0Q3 4.5 0 10.5Q-3 4.5-7.6 0Q-3-4.5 0-10.5Z",
    "H": "M0 9.5C-4 5-9.6 1.2-9.6-3.8C-9.6-7-7.4-9-4.9-9C-2.6-9-.8-7.5 0-5.4C.8-7.5 2.6-9 4.9-9C7.4-9 9.6-7 9.6-3.8"
    "C9.6 1.2 4 5 0 9.5Z",
    "S": "M0-10.2C3-5.6 9.4-1.6 9.4 3C9.4 5.6 7.4 7.2 5.2 7.2C3.4 7.2 1.8 6.2 1 4.6C1.2 7 2 9 3.4 10H-3.4"
    "C-2 9-1.2 7-1 4.6C-1.8 6.2-3.4 7.2-5.2 7.2C-7.4 7.2-9.4 5.6-9.4 3C-9.4-1.6-3-5.6 0-10.2Z",
}
"""Each suit's outline as an SVG path, 20 high with its middle at (0, 0); those of `webapp/board/cards.js`."""


def spoken(card: str) -> str:
    """A card's name for a screen reader.

    >>> spoken("TH"), spoken("??"), spoken("")
    ('10 of hearts', 'face-down card', 'empty place')
    """
    if card == EMPTY:
        return "empty place"
    if card == BACK:
        return "face-down card"
    return f"{RANK_WORDS.get(card[0], card[0])} of {SUIT_WORDS[card[1]]}"


def pretty(card: str) -> str:
    """A card with its suit symbol, as a button shows it.

    >>> pretty("TH"), pretty("??")
    ('10♥', '??')
    """
    if card in (BACK, EMPTY):
        return card
    return ("10" if card[0] == "T" else card[0]) + dict(zip("CDHS", "♣♦♥♠", strict=True))[card[1]]
