"""A game of Makiaveli against the computer: dealing, turns and the end. Pure functions.

Every turn, also the computer's, goes through `Position.play`, which refuses illegal turns.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from plumbing.errors import CardsError
from solver.cards import Card, deck, parse_card
from solver.makiaveli.position import HAND, Position, Turn
from solver.position import replaced

SEATS: Final = (2, 3, 4)

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress.

    Attributes:
        floor: The melds on the table.
        cross: The four cards round the deck, None where one has been played.
        hands: Each player's cards; player 0 is the person.
        stock: The deck, the next card to be drawn last.
        turn: Whose turn it is.
        passed: How many players in a row could only pass because the deck was empty.
        log: What was done, one sentence a turn.
    """

    floor: tuple[Cards, ...]
    cross: tuple[Card | None, ...]
    hands: tuple[Cards, ...]
    stock: Cards
    turn: int = 0
    passed: int = 0
    log: tuple[str, ...] = ()

    def table(self, player: int | None = None) -> Position:
        """The table as one player sees it, by default the one whose turn it is."""
        return Position(self.floor, self.cross, self.hands[self.turn if player is None else player])

    @property
    def winner(self) -> int | None:
        """Who has played the last card of the hand."""
        return next((player for player, hand in enumerate(self.hands) if not hand), None)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or nobody can play any more."""
        return self.winner is not None or self.passed >= len(self.hands)


def name(player: int) -> str:
    """What a player is called."""
    return "You" if player == 0 else f"Computer {player}"


def deal(seats: int, seed: int) -> Game:
    """A fresh game: five cards each and four for the cross.

    >>> game = deal(2, seed=1)
    >>> [len(hand) for hand in game.hands], len(game.stock)
    ([5, 5], 90)
    """
    cards = list(deck(2))
    random.Random(seed).shuffle(cards)
    hands = tuple(tuple(sorted(cards[HAND * seat : HAND * (seat + 1)])) for seat in range(seats))
    rest = cards[HAND * seats :]
    return Game((), tuple(rest[:4]), hands, tuple(rest[4:]))


def play(game: Game, turn: Turn) -> Game:
    """The game after a turn that plays cards. Raises IllegalMoveError."""
    before = game.table()
    after = before.play(turn)
    played = len(before.hand) - len(after.hand)
    words = f"{name(game.turn)} played {played} card{'s' if played != 1 else ''}"
    return _next(game, after.hand, f"{words}, {len(after.hand)} left", floor=after.floor, cross=after.cross, passed=0)


def draw(game: Game) -> Game:
    """The game after a turn that takes a card, or passes where the deck is empty."""
    hand = game.hands[game.turn]
    if not game.stock:
        return _next(game, hand, f"{name(game.turn)} passed: the deck is empty", passed=game.passed + 1)
    words = f"{name(game.turn)} drew a card, {len(hand) + 1} in the hand"
    drawn = tuple(sorted((*hand, game.stock[-1])))
    return _next(game, drawn, words, stock=game.stock[:-1], passed=0)


def _next(game: Game, hand: Cards, words: str, **changes: object) -> Game:
    hands = replaced(game.hands, game.turn, hand)
    turn = (game.turn + 1) % len(game.hands)
    changed: Game = replace(game, hands=hands, turn=turn, log=(*game.log, words), **changes)  # type: ignore[arg-type]
    return changed


def computers(game: Game, best: Callable[[Position], Turn | None]) -> Game:
    """The game after all computers up to the person have had their turns.

    Args:
        game: Before their turns.
        best: The solver's turn for a table; None where no card can be played.
    """
    while game.turn != 0 and not game.is_over:
        turn = best(game.table())
        game = draw(game) if turn is None else play(game, turn)
    return game


def summary(game: Game) -> str:
    """How the game stands, in a sentence."""
    hands = ", ".join(f"{name(player)}: {len(hand)}" for player, hand in enumerate(game.hands))
    return f"Cards in hand: {hands}. {len(game.stock)} in the deck."


def to_json(game: Game) -> dict[str, Any]:
    """A game as plain JSON, to be continued later.

    >>> from_json(to_json(deal(2, seed=1))) == deal(2, seed=1)
    True
    """
    return {
        "floor": [[str(card) for card in meld] for meld in game.floor],
        "cross": [None if card is None else str(card) for card in game.cross],
        "hands": [[str(card) for card in hand] for hand in game.hands],
        "stock": [str(card) for card in game.stock],
        "turn": game.turn,
        "passed": game.passed,
        "log": list(game.log),
    }


def from_json(data: Mapping[str, Any]) -> Game:
    """The game that `to_json` wrote; a browser may send anything. Raises CardsError."""
    try:
        game = Game(
            tuple(_cards(meld) for meld in data["floor"]),
            tuple(None if card is None else parse_card(card) for card in data["cross"]),
            tuple(_cards(hand) for hand in data["hands"]),
            _cards(data["stock"]),
            int(data["turn"]),
            int(data["passed"]),
            tuple(str(line)[:200] for line in data["log"][:2000]),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise CardsError("this is no game of Makiaveli") from error
    held = Counter((*game.stock, *(card for pile in (*game.floor, *game.hands) for card in pile)))
    held.update(card for card in game.cross if card is not None)
    if held != Counter(deck(2)) or len(game.hands) not in SEATS or len(game.cross) != 4 or game.turn != 0:
        raise CardsError("this is no game of Makiaveli: cards are missing or too many")
    return game


def _cards(names: Sequence[str]) -> Cards:
    return tuple(parse_card(name) for name in names)
