"""Punto banco: what cards are worth, who draws, who wins, what bets pay.

A round is two hands; it prints to one line and parses back:

    baccarat player: 4S 7D 5C; banker: KD 5H; dealt: AS 9C

`player` and `banker` hold the hands in the order dealt, two or three cards each; `dealt` holds further cards that
have left the shoe, in any order. The JSON object has the same keys, each a list of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from random import Random
from typing import Any, ClassVar, Final, Self

from plumbing.errors import IllegalMoveError, PositionError, RulesError, check_whole_number
from solver.cards import DECK, Card, Rank, Suit, cards_text
from solver.notation import KNOWN_PILE, Entry, Notation
from solver.notebook_drawing import Drawn

MAX_DECKS: Final = 12
INFINITE: Final = "inf"

STOOD: Final = 10
"""Column of `BANKER_DRAWS` for a player who took no third card."""

BANKER_DRAWS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    tuple(third in drawn_on for third in range(11))
    for drawn_on in (
        range(11),
        range(11),
        range(11),
        (0, 1, 2, 3, 4, 5, 6, 7, 9, STOOD),
        (2, 3, 4, 5, 6, 7, STOOD),
        (4, 5, 6, 7, STOOD),
        (6, 7),
        (),
    )
)
"""`BANKER_DRAWS[banker's total 0-7][value of the player's third card, or STOOD]`."""


class Outcome(IntEnum):
    """Who won."""

    PLAYER = 0
    BANKER = 1
    TIE = 2

    def __str__(self) -> str:
        return self.name.lower()


def value(card: Card) -> int:
    """A card's points: ace 1, 2 to 9 their number, ten and faces 0."""
    return rank_value(card.rank)


def rank_value(rank: int) -> int:
    """The points of a rank, 1 (ace) to 13 (king)."""
    return rank if rank < 10 else 0


def total(cards: Iterable[Card]) -> int:
    """The points of a hand: the last digit of the sum.

    >>> from solver.cards import parse_cards
    >>> total(parse_cards("JS 5H")), total(parse_cards("7C 6D"))
    (5, 3)
    """
    return sum(map(value, cards)) % 10


def player_draws(player_total: int) -> bool:
    """Whether the player takes a third card, when neither hand is a natural."""
    return player_total <= 5


def banker_draws(banker_total: int, third: int) -> bool:
    """Whether the banker takes a third card, when neither hand is a natural.

    Args:
        banker_total: Points of the banker's two cards, 0 to 7.
        third: Value of the player's third card, or `STOOD`.
    """
    return BANKER_DRAWS[banker_total][third]


@dataclass(frozen=True, slots=True)
class Payouts:
    """What a won bet of 1 pays.

    Attributes:
        commission: Taken from a won banker bet, 0 to 1.
        tie_pays: What a won tie bet pays to one.
        pair_pays: What a won pair bet pays to one.
    """

    commission: float = 0.05
    tie_pays: float = 8.0
    pair_pays: float = 11.0

    def __post_init__(self) -> None:
        if not 0 <= self.commission <= 1:
            raise RulesError("commission", self.commission, "0 to 1 (0.05 is 5%)")
        for name in ("tie_pays", "pair_pays"):
            pays = getattr(self, name)
            if not 0 <= pays <= 1000:
                raise RulesError(name, pays, "0 to 1000")


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards that a round is dealt from, counted by rank; suits never matter.

    Attributes:
        ranks: How many aces, twos, ..., kings there are.
        infinite: Whether cards go back before the next is drawn; `ranks` are then proportions.
    """

    ranks: tuple[int, ...]
    infinite: bool = False

    def __post_init__(self) -> None:
        if len(self.ranks) != len(Rank) or min(self.ranks) < 0:
            raise RulesError("ranks", self.ranks, "13 counts of 0 or more")
        if self.size > 52 * MAX_DECKS or (self.size < 6 and not self.infinite) or self.size == 0:
            raise RulesError("shoe", f"{self.size} cards", f"6 (a round's most) to {52 * MAX_DECKS}")

    @classmethod
    def of_decks(cls, decks: int) -> Self:
        """A full shoe of 1 to 12 decks."""
        if not 1 <= decks <= MAX_DECKS:
            raise RulesError("decks", decks, f"1 to {MAX_DECKS} or {INFINITE}")
        return cls((4 * decks,) * 13)

    @classmethod
    def endless(cls) -> Self:
        """The shoe of infinitely many decks."""
        return cls((1,) * 13, infinite=True)

    @property
    def size(self) -> int:
        """How many cards it holds."""
        return sum(self.ranks)

    @property
    def values(self) -> tuple[int, ...]:
        """How many cards of value 0, 1, ..., 9 it holds."""
        return (sum(self.ranks[9:]), *self.ranks[:9])

    def without(self, cards: Iterable[Card]) -> Self:
        """The shoe after `cards` have left it.

        Raises:
            PositionError: If it does not hold them.
        """
        if self.infinite:
            return self
        gone = Counter(card.rank for card in cards)
        left = tuple(count - gone[rank] for rank, count in zip(Rank, self.ranks, strict=True))
        missing = [rank for rank, count in zip(Rank, left, strict=True) if count < 0]
        if missing:
            raise PositionError(
                "baccarat",
                [
                    f"{gone[rank]} cards of rank {rank} are dealt but the shoe holds {self.ranks[rank - 1]}"
                    for rank in missing
                ],
            )
        return replace(self, ranks=left)


_NOTATION: Final = Notation(
    "baccarat", tuple(Entry(name, KNOWN_PILE, printed_if_empty=False) for name in ("player", "banker", "dealt"))
)


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """A round, finished or not, with further cards that are known to have left the shoe.

    Attributes:
        player: The player's cards in the order dealt.
        banker: The banker's cards in the order dealt.
        dealt: Other cards dealt before.
    """

    game: ClassVar[str] = "baccarat"

    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    dealt: tuple[Card, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation; each field may be left out.

        >>> print(Position.parse("player: 4S 7D 5C; banker: KD 5H"))
        baccarat player: 4S 7D 5C; banker: KD 5H

        Raises:
            NotationError: With the column of the fault.
        """
        return cls(**_NOTATION.parse(_NOTATION.split(text)))

    def __str__(self) -> str:
        return f"{self.game} " + "; ".join(_NOTATION.texts(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object."""
        return cls(**_NOTATION.from_json(data))

    def to_json(self) -> dict[str, Any]:
        """The JSON object."""
        return {"game": self.game} | _NOTATION.to_json(self)

    def cards(self) -> tuple[Card, ...]:
        """All cards that have left the shoe."""
        return self.player + self.banker + self.dealt

    @property
    def _is_natural(self) -> bool:
        return max(total(self.player[:2]), total(self.banker[:2])) >= 8

    @property
    def _player_must_draw(self) -> bool:
        return not self._is_natural and player_draws(total(self.player[:2]))

    @property
    def _banker_must_draw(self) -> bool:
        if self._is_natural or (self._player_must_draw and len(self.player) < 3):
            return False
        third = value(self.player[2]) if len(self.player) > 2 else STOOD
        return banker_draws(total(self.banker[:2]), third)

    def problems(self) -> tuple[str, ...]:
        """Every card that the tableau does not allow; empty for a legal round, finished or not."""
        fewest = min(len(self.player), len(self.banker))
        return tuple(self._size_problems(fewest)) or (tuple(self._draw_problems()) if fewest >= 2 else ())

    def _size_problems(self, fewest: int) -> Iterator[str]:
        """Faults of hands that are too large; `fewest` is the size of the smaller hand."""
        for name, hand in (("player", self.player), ("banker", self.banker)):
            if len(hand) > 3:
                yield f"the {name} holds {len(hand)} cards; a hand has at most 3"
            if len(hand) == 3 and fewest < 2:
                yield f"the {name} has a third card {hand[2]} before both hands have two"

    def _draw_problems(self) -> Iterator[str]:
        if len(self.player) == 3 and not self._player_must_draw:
            yield f"the player's third card {self.player[2]} should not have been drawn: {self._player_has()}"
        if len(self.banker) == 2:
            return
        drawn = f"the banker's third card {self.banker[2]} should not have been drawn"
        if self._player_must_draw and len(self.player) == 2:
            yield f"the player's third card is missing: {self._player_has()}"
            yield f"{drawn} before the player's"
        elif not self._banker_must_draw:
            yield f"{drawn}: the banker has {total(self.banker[:2])}, {self._why_banker()}"

    @property
    def next_hand(self) -> Outcome | None:
        """Who gets the next card in a legal round (`PLAYER` or `BANKER`); None when it is over."""
        if len(self.player) < 2 or len(self.banker) < 2:
            return Outcome.PLAYER if len(self.player) <= len(self.banker) else Outcome.BANKER
        if len(self.player) == 2 and self._player_must_draw:
            return Outcome.PLAYER
        if len(self.banker) == 2 and self._banker_must_draw:
            return Outcome.BANKER
        return None

    def moves(self) -> tuple[Card, ...]:
        """All cards that may come next, whichever lie in the shoe; empty once the round is over."""
        return () if self.next_hand is None else DECK

    def play(self, move: Card) -> Self:
        """The round after one more card, dealt to whose turn it is.

        Raises:
            IllegalMoveError: Where the round is over.

        >>> print(Position.parse("player: 4S 7D; banker: KD 5H").play(Card(Suit.CLUBS, Rank.FIVE)))
        baccarat player: 4S 7D 5C; banker: KD 5H
        """
        match self.next_hand:
            case Outcome.PLAYER:
                return replace(self, player=(*self.player, move))
            case Outcome.BANKER:
                return replace(self, banker=(*self.banker, move))
        raise IllegalMoveError(move, f"the round is over: {self.explain()[-1]}")

    @property
    def outcome(self) -> Outcome | None:
        """Who won; None while cards are still to be drawn."""
        if self.next_hand is not None:
            return None
        return compare(total(self.player), total(self.banker))

    def explain(self) -> tuple[str, ...]:
        """The tableau's decisions in a legal round, one line each, in the order they are made.

        >>> for line in Position.parse("player: 4S 7D 5C; banker: KD 5H 2C").explain(): print(line)
        player 4S 7D = 1: draws on 0 to 5
        banker KD 5H = 5: draws when the player's third card was worth 5
        player 6, banker 7: banker wins
        """
        waiting = tuple(
            f"{name} {cards_text(hand) or '-'}: waits for two cards"
            for name, hand in (("player", self.player), ("banker", self.banker))
            if len(hand) < 2
        )
        return waiting or (*self._decisions(), self._state())

    def _decisions(self) -> Iterator[str]:
        yield f"player {cards_text(self.player[:2])} = {total(self.player[:2])}: {self._why_player()}"
        if self._is_natural or not self._player_must_draw or len(self.player) > 2:
            yield f"banker {cards_text(self.banker[:2])} = {total(self.banker[:2])}: {self._why_banker()}"

    def _state(self) -> str:
        """Who won, or who gets the next card."""
        result = self.outcome
        if result is None:
            return f"the {self.next_hand} gets the next card"
        won = "tie" if result is Outcome.TIE else f"{result} wins"
        return f"player {total(self.player)}, banker {total(self.banker)}: {won}"

    def _player_has(self) -> str:
        return f"the player has {total(self.player[:2])}, {self._why_player()}"

    def _why_player(self) -> str:
        if self._is_natural:
            return "nobody draws after a natural"
        return "draws on 0 to 5" if self._player_must_draw else "stands on 6 and 7"

    def _why_banker(self) -> str:
        if self._is_natural:
            return "nobody draws after a natural"
        if len(self.player) > 2:
            when = f"when the player's third card was worth {value(self.player[2])}"
            return f"draws {when}" if self._banker_must_draw else f"stands {when}"
        on = "draws on 0 to 5" if self._banker_must_draw else "stands on 6 and 7"
        return f"{on} when the player stood"


def random_deal(seed: int, shoe: Shoe | None = None) -> Position:
    """The first four cards of a round: two for the player, two for the banker.

    Args:
        seed: The same seed deals the same cards.
        shoe: Where they come from; a full one of eight decks by default.

    >>> print(random_deal(1))
    baccarat player: 8D TS; banker: 4C 9S
    """
    check_whole_number("seed", seed, 0)
    generator = Random(seed)
    shoe = shoe or Shoe.of_decks(8)
    position = Position()
    for _ in range(4):
        card = Card(generator.choice(tuple(Suit)), generator.choices(tuple(Rank), shoe.ranks)[0])
        position, shoe = position.play(card), shoe.without([card])
    return position


def compare(player_total: int, banker_total: int) -> Outcome:
    """Who wins with these totals. Naturals need no special case: 9 beats 8, and both beat the rest."""
    if player_total == banker_total:
        return Outcome.TIE
    return Outcome.PLAYER if player_total > banker_total else Outcome.BANKER
