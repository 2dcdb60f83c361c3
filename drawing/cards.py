"""What cards are called. A leaf; on the page `webapp/board/cards.js` draws them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

BACK: Final = "??"
EMPTY: Final = ""

Mark = Literal["doubtful", "fault"]
"""What a card on the board may be marked as."""
SUIT_WORDS: Final[Mapping[str, str]] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_WORDS: Final[Mapping[str, str]] = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


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
