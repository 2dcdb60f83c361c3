"""The vocabulary that everything speaks: suits, ranks, cards and their notation. A leaf module.

A card prints as rank and suit (`TH` is the ten of hearts). It has no copy id: a camera cannot tell two copies apart,
so two-deck positions are multisets. A card whose identity is unknown is `None` in Python and `??` in text and JSON.

    >>> parse_cards("7c 10H Q♠")
    (Card('7C'), Card('TH'), Card('QS'))
    >>> parse_card("KD").is_red
    True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Final

from plumbing.errors import NotationError

RANK_CHARS: Final = "A23456789TJQK"
SUIT_CHARS: Final = "CDHS"
SUIT_SYMBOLS: Final = "♣♦♥♠"
UNKNOWN: Final = "??"


class Suit(IntEnum):
    """A suit, numbered in the order of `SUIT_CHARS`."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    def __str__(self) -> str:
        return SUIT_CHARS[self]

    @property
    def symbol(self) -> str:
        """The suit's pip, as `♥`."""
        return SUIT_SYMBOLS[self]

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class Rank(IntEnum):
    """A rank, ace = 1 to king = 13."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    def __str__(self) -> str:
        return RANK_CHARS[self - 1]


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """A playing card, ordered by suit, then rank (the order of `index`).

    Attributes:
        suit: Its suit.
        rank: Its rank.
        index: Its number, 0 (ace of clubs) to 51 (king of spades): `13 * suit + rank - 1`; stored, because solvers
            read it in their innermost loops.
    """

    suit: Suit
    rank: Rank
    index: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", 13 * self.suit + self.rank - 1)

    def __hash__(self) -> int:
        return self.index

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __repr__(self) -> str:
        return f"Card('{self}')"

    @property
    def is_red(self) -> bool:
        """Whether the suit is diamonds or hearts."""
        return self.suit.is_red

    @property
    def pretty(self) -> str:
        """The card with its suit symbol, as `10♥`."""
        return ("10" if self.rank is Rank.TEN else str(self.rank)) + self.suit.symbol

    @classmethod
    def from_index(cls, index: int) -> Card:
        """The card numbered `index` (0 to 51)."""
        return DECK[index]


MaybeCard = Card | None
"""A card, or None for one whose identity is not known (`??`)."""

DECK: Final[tuple[Card, ...]] = tuple(Card(suit, rank) for suit in Suit for rank in Rank)
"""All 52 cards; `DECK[i].index == i`."""

_CARD_PATTERN = re.compile(r"(10|[A2-9TJQK])([CDHS♣♦♥♠♧♢♡♤])\ufe0e?\ufe0f?|(\?\?)", re.IGNORECASE)
_SEPARATOR_PATTERN = re.compile(r"[\s,]*")
_RANKS = dict(zip(RANK_CHARS, Rank, strict=True)) | {"10": Rank.TEN}
_SUITS = {char: suit for chars in (SUIT_CHARS, SUIT_SYMBOLS, "♧♢♡♤") for char, suit in zip(chars, Suit, strict=True)}


def deck(copies: int = 1) -> tuple[Card, ...]:
    """All cards of `copies` decks in order.

    >>> len(deck(2))
    104
    """
    return DECK * copies


def parse_maybe_cards(text: str, *, whole: str | None = None, start: int = 0) -> tuple[MaybeCard, ...]:
    """Reads cards separated by blanks, commas or nothing; `??` gives None.

    Args:
        text: The cards, as `3S 4s 10H ??` or `3S4S`.
        whole: The text that `text` is a part of, for the error's column. Defaults to `text`.
        start: Where `text` begins in `whole`, counted from 0.

    Raises:
        NotationError: At the first place that is no card.

    >>> parse_maybe_cards("?? 3S")
    (None, Card('3S'))
    """
    cards: list[MaybeCard] = []
    place = _skip_separators(text, 0)
    while place < len(text):
        match = _CARD_PATTERN.match(text, place)
        if match is None:
            word = re.split(r"[\s,]", text[place:], maxsplit=1)[0][:20]
            raise NotationError(
                whole or text, start + place + 1, f"{word!r} is no card", "rank and suit such as TH or 10♥"
            )
        rank, suit, unknown = match.groups()
        cards.append(None if unknown else Card(_SUITS[suit.upper()], _RANKS[rank.upper()]))
        place = _skip_separators(text, match.end())
    return tuple(cards)


def parse_cards(text: str, *, whole: str | None = None, start: int = 0) -> tuple[Card, ...]:
    """Like `parse_maybe_cards`, but every card must be known.

    >>> parse_cards("AC, 2C")
    (Card('AC'), Card('2C'))
    >>> parse_cards("AC ??")
    Traceback (most recent call last):
    plumbing.errors.NotationError: column 4: an unknown card (??) cannot stand here; expected a known card
    """
    cards = parse_maybe_cards(text, whole=whole, start=start)
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        column = start + text.index(UNKNOWN) + 1
        raise NotationError(whole or text, column, "an unknown card (??) cannot stand here", "a known card")
    return known


@lru_cache(maxsize=1024)  # positions in JSON name the same few texts again and again
def parse_card(text: str) -> Card:
    """Reads exactly one card.

    >>> parse_card("10♥")
    Card('TH')
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise NotationError(text, 1, f"{len(cards)} cards", "exactly one card")
    return cards[0]


def card_text(card: MaybeCard) -> str:
    """A card as printed, `??` for None."""
    return UNKNOWN if card is None else str(card)


def cards_text(cards: Iterable[MaybeCard]) -> str:
    """Cards separated by single blanks.

    >>> cards_text((None, *parse_cards("3s")))
    '?? 3S'
    """
    return " ".join(map(card_text, cards))


def _skip_separators(text: str, place: int) -> int:
    match = _SEPARATOR_PATTERN.match(text, place)
    return match.end() if match else place
