"""The best next move at a table that hides cards: what each choice wins for a player who sees only what lies open.

In free play there is never more to choose than whether to take the discard pile's top card or to turn the deck's next
one. A spare that can be played is always played (waiting is never better, see `free_kernels.settle`), and to which of
several equal places a card goes makes no difference. Under forced play even that choice is not the player's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from solver.cards import DECK, Card, Rank
from solver.position import check
from solver.solution import Estimate
from solver.tomb_single import rules as names
from solver.tomb_single.position import Position
from solver.tomb_single.rules import Move
from solver.tomb_single.solve import ROLLOUTS, estimate

WHAT: Final = {
    "forced": "forced play wins after it",
    "free": "the better of two simple players, one of whom makes every play, wins after it",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that could be done next.

    Attributes:
        move: The move; None for turning a card of the deck that is not known, which then goes where it is best.
        estimate: How often playing on wins after it.
    """

    move: Move | None
    estimate: Estimate

    def __str__(self) -> str:
        return names.LETTERS.text(names.DECK) if self.move is None else str(self.move)


def choices(position: Position, *, rollouts: int = ROLLOUTS, seed: int = 0) -> tuple[Choice, ...]:
    """What could be done next, the best first; a single choice if the rules or logic leave only one.

    To turn a card comes before taking one only where it clearly wins more often: the intervals do not meet.

    Args:
        position: A legal position.
        rollouts: Completions of the hidden cards that are played after each choice.
        seed: The same seed gives the same completions.

    Raises:
        PositionError: For a position that breaks the rules.

    >>> table = Position.parse("rules: free; corners: 7H | - | - | -; spares: KH 9D - -; discard: 8C")
    >>> print(*choices(table, rollouts=20_000))
    X>K1 D
    """
    check(position)
    choose = _forced_choice if position.rules.mode == "forced" else _free_choices
    return choose(position, rollouts, seed)


def _forced_choice(position: Position, rollouts: int, seed: int) -> tuple[Choice, ...]:
    moves = position.moves()
    if not moves and not position.deck:
        return ()
    # Whatever is played first, the game ends alike.
    return (Choice(moves[0] if moves else None, _played_on(position, rollouts, seed)),)


def _free_choices(position: Position, rollouts: int, seed: int) -> tuple[Choice, ...]:
    moves = position.moves()
    played = next((move for move in moves if move.source not in (names.DECK, names.DISCARD)), None)
    if played is not None:
        return (_after(position, played, rollouts, seed),)
    taken = next((move for move in moves if move.source == names.DISCARD), None)  # to a spare only if nowhere else
    found = [] if taken is None else [_after(position, taken, rollouts, seed)]
    found += [_turned(position, rollouts, seed)] if position.deck else []
    if len(found) > 1 and found[1].estimate.low > found[0].estimate.high:
        found.reverse()
    return tuple(found)


def _after(position: Position, move: Move, rollouts: int, seed: int) -> Choice:
    return Choice(move, _played_on(position.play(move), rollouts, seed))


def _played_on(position: Position, rollouts: int, seed: int) -> Estimate:
    return _estimated(position, max(_wins(position, rollouts, seed)), rollouts, seed)


def _wins(position: Position, rollouts: int, seed: int) -> tuple[int, ...]:
    """How many games each kind of player wins from here: one in forced play, two in free play."""
    found = estimate(position, n=rollouts, seed=seed)
    shares = [found.mean]
    if position.rules.mode == "free":
        shares.append(found.details["forced"]["mean"])
    return tuple(round(share * rollouts) for share in shares)


def _estimated(position: Position, wins: int, n: int, seed: int) -> Estimate:
    return Estimate.from_counts(wins, n, seed=seed, what=WHAT[position.rules.mode])


def _turned(position: Position, rollouts: int, seed: int) -> Choice:
    """Turns the deck's next card in free play: each rank that it may have gets its share of the completions."""
    first = position.deck[0]
    if first is not None:
        return _after(position, _to_its_place(position, first.rank), rollouts, seed)
    wins, n = (0, 0), 0  # of each player: the same one has to play on whatever card comes, as after any other choice
    for rank, share in _next_ranks(position).items():
        known = replace(position, deck=(_any_card(position, rank), *position.deck[1:]))
        part = max(1, round(share * rollouts))
        simple, forced = _wins(known.play(_to_its_place(known, rank)), part, seed + rank)
        wins, n = (wins[0] + simple, wins[1] + forced), n + part
    return Choice(None, _estimated(position, max(wins), n, seed))


def _to_its_place(position: Position, rank: Rank) -> Move:
    """Where a turned card goes first; from the discard pile it is taken on if that is better."""
    if rank is Rank.SIX:
        return Move(names.DECK, names.SPARE_SIX)
    if rank is Rank.SEVEN:
        return Move(names.DECK, names.CORNER_PLACES[position.corners.index(())])
    return Move(names.DECK, names.DISCARD)


def _next_ranks(position: Position) -> dict[Rank, float]:
    """How likely the deck's hidden next card has each rank: hidden cards of spares and discard are no 6 and no 7."""
    hidden = Counter(position.unseen_ranks())
    ordinary = sum(number for rank, number in hidden.items() if rank not in (6, 7))
    spares, _, discard, _ = position.rank_piles()
    elsewhere = spares.count(None) + discard.count(None)
    total = sum(hidden.values()) - elsewhere
    stays = 1 - elsewhere / ordinary if ordinary else 1.0
    return {
        Rank(rank): (number if rank in (6, 7) else number * stays) / total
        for rank, number in hidden.items()
        if rank in (6, 7) or stays
    }


def _any_card(position: Position, rank: Rank) -> Card:
    """A card of a rank that is not on the table; which suit it has never matters."""
    seen = set(position.cards())
    return next(card for card in DECK if card.rank is rank and card not in seen)
