"""What a recorded game could have come to: where it was lost, and which moves cost what.

Two questions are asked of each table, and never mixed:

- *Hindsight*: could it still be won, with every card that the game ever turned up or its record tells? Proved where
  all cards are known in the end; otherwise the share of deals that agree with them, the same deals for every table of
  the game.
- *Known then*: how many of the deals that agree with what had been seen by then are still won after each legal move?
  Where the game has a player who knows no more than that (Klondike), by that player; else by somebody who knew every
  card, on the same deals for all moves. A move is measured against the best one.

Where a move is a whole turn (Makiaveli) there is one question: how many cards of the hand that is known could it have
played? Other players' turns stand as `now` in the record.

`python -m solver review GAME.txt` prints it, and `--html` writes it as a page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate, islice, pairwise, zip_longest
from math import hypot
from pathlib import Path
from random import Random
from typing import Any, Final

from tqdm import tqdm

from plumbing.arguments import (
    add_json_argument,
    named_path,
    naming_argument,
    overwriting_fault,
    print_answer,
    whole_number,
    written_file,
    wrong_usage,
)
from plumbing.errors import CardsError, kind_of
from plumbing.files import naming, whole_file
from solver.cards import cards_text
from solver.games import answer, find_game
from solver.position import Position
from solver.record import DEAL, Record, decoded, read_record
from solver.review_page import notebook_view, whole_page
from solver.solution import Limits, Solution, Verdict, wilson

DEALS: Final = 32
"""Deals on which each question is asked."""
STATES: Final = 20_000
"""States that the solver may visit for one deal; beyond, the deal counts as undecided."""
TURN_STATES: Final = 300_000
"""The same for a turn of Makiaveli."""
PROOF_STATES: Final = 3_000_000
"""The same for a table whose cards are all known."""
PLAYER_WORKS: Final = tuple(50_000 * 3**turn for turn in range(5))
"""Choices that a player without peeking tries before a move, a measure of time: some hundredths of a second, and more
as long as that changes the answer."""
SETTLED_WITHIN: Final = 0.05
"""More thought is of no use where it changes the share by less than this."""
GOOD_WITHIN: Final = 0.05
"""A move that loses less than this share of the deals against the best one is a good one."""
TOLD_FROM: Final = 0.01
"""Of a good move nothing is said to be better that wins less than this share more."""
LUCK_FROM: Final = 0.1
"""A card that comes up and changes the chance by so much is told to be luck."""
LIKELY: Final = 0.5
"""Above this share of deals a game counts as one that could be won: to lose all of them is to throw it away."""
NOT_LIKELY: Final = "Most likely not"
"""What is said of a game that fewer deals win."""
WORST_MOVES: Final = 3


class Mark(StrEnum):
    """How good a move was by what had been seen then; `THREW_AWAY` by hindsight."""

    BEST = "best"
    GOOD = "good"
    UNSURE = "may have cost"
    COSTS = "costs"
    THREW_AWAY = "threw it away"


IF_SO: Final = "if it went so"
"""Stands behind what is said of a move whose table no photo shows."""
AS_TOLD: Final = "As far as the photos tell,"
"""Stands before what a review says whose photos leave something open."""
SUPPOSED: Final = "if the cards lay as the photos suggest"
"""Under what all holds that hindsight says of a game found from photos."""
BETWEEN_PHOTOS: Final = (
    "Between photos the likeliest moves are told, with the fewest draws: it may have gone otherwise, and the stock may"
    " have lain in another order."
)
ONLY_MOVE: Final = "only move"
NOT_COMPARED: Final = "not compared"
MEANINGS: Final = {
    Mark.BEST: "nothing was better",
    Mark.GOOD: "something was hardly better, or that may be chance",
    Mark.UNSURE: "something may have been clearly better, or that is chance: a hint there thinks longer",
    Mark.COSTS: "something was clearly better",
    Mark.THREW_AWAY: "the game could be won before it and, as far as I can tell, not after it",
    ONLY_MOVE: "there was no other",
    NOT_COMPARED: "too little was known to weigh it against others",
    IF_SO: "the table before it or after it is in no photo",
}
"""What is said of a move, and what it means."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A share of deals that can still be won.

    Attributes:
        wins: Deals that can be won.
        undecided: Deals on which the solver gave up.
        n: Deals looked at; 1 where every card is known, and then the answer is proved unless it is undecided.
        proved: Whether every card is known.
    """

    wins: int
    undecided: int
    n: int
    proved: bool = False

    @property
    def share(self) -> float:
        """The share of deals that can surely be won, 0 to 1."""
        return self.wins / self.n

    @property
    def verdict(self) -> Verdict:
        """The proved verdict; `unknown` where nothing is proved."""
        if not self.proved or self.undecided:
            return Verdict.UNKNOWN
        return Verdict.WIN if self.wins else Verdict.NO_WIN

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares it lies, so surely as `wilson` says."""
        return wilson(self.wins, self.n, undecided=self.undecided)

    def is_clearly_above(self, other: Chance) -> bool:
        """Whether it is higher, and proved or by more than chance explains: the two intervals do not overlap."""
        if self.proved and other.proved:
            return self.share > other.share
        return self.interval[0] > other.interval[1]

    def lies_above(self, other: Chance) -> tuple[float, float]:
        """Between which shares it lies above a lower one: Newcombe's interval, made of both intervals."""
        gap, (low, high), (other_low, other_high) = self.share - other.share, self.interval, other.interval
        least = gap - hypot(self.share - low, other_high - other.share)
        return max(least, 0.0), min(gap + hypot(high - self.share, other.share - other_low), 1.0)

    @property
    def is_lost(self) -> bool:
        """Whether none of the deals can be won, and all of them were decided."""
        return not (self.wins or self.undecided)

    @property
    def likelihood(self) -> str:
        """A few words on whether a game can be won of which only some deals were tried."""
        low, high = self.interval
        return "Most likely yes" if low > LIKELY else NOT_LIKELY if high < LIKELY else "Perhaps"

    @property
    def in_ways(self) -> str:
        """In how many of the deals it can be won, for a sentence behind "in"."""
        return f"{self.wins_of} of {self.n} way{'s' * (self.n > 1)} the hidden cards may lie"

    @property
    def wins_of(self) -> str:
        """How many of the deals can be won, for a sentence before "of"."""
        return f"{'at least ' if self.undecided and self.wins else ''}{self.wins or 'none'}"

    @property
    def in_words(self) -> str:
        """How high it is, with its margin, for a sentence."""
        low, high = self.interval
        return str(self) if self.proved else f"between {low:.0%} and {high:.0%}"

    def __str__(self) -> str:
        if self.proved:
            return {Verdict.WIN: "won", Verdict.NO_WIN: "lost", Verdict.UNKNOWN: "not decided"}[self.verdict]
        low, high = self.interval
        return f"{low:.0%} to {high:.0%}"

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        if self.proved:
            return {"verdict": str(self.verdict)}
        low, high = self.interval
        return {"share": self.share, "low": low, "high": high, "undecided": self.undecided, "n": self.n}


class CardsPlayed(Chance):
    """The share of a hand that a turn plays: `wins` of `n` cards."""

    def __str__(self) -> str:
        return f"{self.wins} of {self.n} cards"

    @property
    def in_words(self) -> str:
        """The same: it is counted, so it has no margin."""
        return str(self)

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {"share": self.share, "played": self.wins, "n": self.n}


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of the game and what it did.

    Attributes:
        number: The step, counted from 1.
        move: The move, of a whole turn what it played; empty where the record goes on from another table.
        known: The chance after it, on deals that agree with what had been seen before it; None where it was not asked.
        best: The move with the best such chance: the one played where none is better.
        best_known: That chance.
        hindsight: The chance after it with all that was ever turned up; None behind a gap in the record.
        mark: How good it was; None where it was the only move, or was not compared.
        unmarked: Why it has no mark: `ONLY_MOVE` or `NOT_COMPARED`.
        is_sure: Whether it was made on the table before it: not where one of the tables around it is in no photo.
        luck: What came up then and changed the chance much, in words; else empty.
    """

    number: int
    move: str
    known: Chance | None = None
    best: str = ""
    best_known: Chance | None = None
    hindsight: Chance | None = None
    mark: Mark | None = None
    unmarked: str = NOT_COMPARED
    is_sure: bool = True
    luck: str = ""

    @property
    def word(self) -> str:
        """What is said of it in a word or two, one of `MEANINGS`; empty for a gap in the record."""
        return self.mark or (self.unmarked if self.move else "")

    @property
    def better(self) -> str:
        """What would have been better, in words; empty where nothing would, or not so much that it can be told."""
        if self.best in ("", self.move) or (self.mark is Mark.GOOD and not self._is_told_apart):
            return ""
        if self.mark is Mark.UNSURE:
            return f"{self.best} may have been better"
        return f"instead: {self.best}" if isinstance(self.best_known, CardsPlayed) else f"{self.best} was better"

    @property
    def _is_told_apart(self) -> bool:
        """Whether the best move is better by more than a point, and by more than chance explains."""
        if self.known is None or self.best_known is None or isinstance(self.known, CardsPlayed):
            return True
        return self.cost >= TOLD_FROM and self.best_known.is_clearly_above(self.known)

    @property
    def cost(self) -> float:
        """The share of deals that it lost against the best move, as known then."""
        if self.known is None or self.best_known is None:
            return 0.0
        return self.best_known.share - self.known.share

    @property
    def price(self) -> str:
        """What it cost, where that can be counted; else empty."""
        known, best = self.known, self.best_known
        if self.mark is not Mark.COSTS or known is None or best is None or known.proved:
            return ""
        if isinstance(known, CardsPlayed):
            cards = best.wins - known.wins
            return f"{cards} card{'s' if cards > 1 else ''}"
        least, most = best.lies_above(known)
        return f"{100 * least:.0f} to {100 * most:.0f} of 100 games"

    @property
    def percent(self) -> str:
        """The chance after it, as known then; of a whole turn how many cards it played; empty where it is unknown."""
        if self.known is None or (self.known.proved and self.known.undecided):
            return ""
        return str(self.known) if isinstance(self.known, CardsPlayed) else f"{self.known.share:.0%}"

    @property
    def doubt(self) -> str:
        """What stands behind its mark: `IF_SO`, or nothing."""
        return "" if self.is_sure or self.mark in (None, Mark.UNSURE) else IF_SO

    @property
    def judgement(self) -> str:
        """Its word, as sure as it is, and the luck that came with it."""
        return ", ".join(filter(None, (self.word, self.doubt, self.luck)))

    @property
    def verdict(self) -> str:
        """The same, with what it cost."""
        return ", ".join(filter(None, (f"{self.word} {self.price}".strip(), self.doubt, self.luck)))

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""

        def chance(found: Chance | None) -> dict[str, Any] | None:
            return None if found is None else found.to_json()

        return {
            "number": self.number,
            "move": self.move,
            "mark": None if self.mark is None else str(self.mark),
            "known": chance(self.known),
            "best": self.best,
            "best_known": chance(self.best_known),
            "hindsight": chance(self.hindsight),
        }


@dataclass(frozen=True, slots=True)
class Review:
    """A game looked at again.

    Attributes:
        record: The game.
        start: The first table's chance, by hindsight.
        moves: Its steps.
        lost_at: Number of the move that lost it for good, proved; None where none is known to.
        rescue: The line that still wins, from the table before that move, or from the last one where no move lost the
            game; None where there is none, and of a game that was won.
        seed: Of the deals that were sampled.
    """

    record: Record
    start: Chance | None
    moves: tuple[ReviewedMove, ...]
    lost_at: int | None
    rescue: Solution | None
    seed: int

    @property
    def worst(self) -> tuple[ReviewedMove, ...]:
        """The moves that cost most, the worst first."""
        bad = [move for move in self.moves if move.mark in (Mark.COSTS, Mark.THREW_AWAY)]
        return tuple(sorted(bad, key=lambda move: (move.mark is not Mark.THREW_AWAY, -move.cost))[:WORST_MOVES])

    @property
    def tables(self) -> tuple[Position[Any], ...]:
        """The first table and that after each step, to play on from: with all that the game ever turned up.

        Behind a gap in the record, and everywhere in a guess, with what was known by then: what lay hidden is not sure.
        """
        told = () if self.is_guess else _with_hindsight(self.record)
        return (*told, *self.record.positions[len(told) :])

    @property
    def is_by_turn(self) -> bool:
        """Whether its moves are whole turns, measured by how much of the hand they play."""
        return any(isinstance(move.known, CardsPlayed) for move in self.moves)

    def named(self, move: ReviewedMove) -> str:
        """A move after the cards that it takes along, in a game that tells them; empty for a gap."""
        return _named(self.record.positions[move.number - 1], move.move)

    def best_named(self, move: ReviewedMove) -> str:
        """The best move in the place of one, after the cards that it takes along."""
        return _named(self.record.positions[move.number - 1], move.best)

    def better(self, move: ReviewedMove) -> str:
        """What would have been better than a move, as that tells it, after the cards that it takes along."""
        return move.better and move.better.replace(move.best, self.best_named(move), 1)

    @property
    def is_guess(self) -> bool:
        """Whether photos left something open that may change it."""
        return bool(self.record.left_open)

    @property
    def supposed(self) -> str:
        """Under what all holds that is said by hindsight: `SUPPOSED`, or nothing."""
        return SUPPOSED if self.record.photos[0] and DEAL not in self.record.headers else ""

    @property
    def headline(self) -> str:
        """Whether it could have been won, in a sentence; nothing is said for sure while photos leave something open."""
        return _after(AS_TOLD, self.answer) if self.is_guess else self.answer

    @property
    def answer(self) -> str:
        """The same as if nothing was left open."""
        first, last = self._ends
        proved = [n for n, chance in enumerate(self._chances) if chance.verdict is Verdict.WIN]
        if self.record.positions[-1].is_won:
            return "The game was won."
        if self.is_by_turn:
            return _say_turns(self.moves)
        if first is not None and first.verdict is Verdict.NO_WIN:
            return self._suppose(self._say_never())
        if last is not None and last.verdict is Verdict.WIN:
            return self._suppose("Yes, the game can still be won: no move lost it.")
        if proved:
            until = "until" if self.lost_at is not None else "at least until"
            return self._suppose(f"Yes, it could have been won {until} move {proved[-1] + 1}.")
        if first is None or last is None:
            return "Perhaps: a part of the game is not known, so nothing is proved."
        if first.proved:
            return "Perhaps: the search found no way to win, and no proof that there is none."
        return self._say_ways(first, last)

    def _say_never(self) -> str:
        """That there was no way to win; of a game under way nobody knows how it was dealt."""
        if self.record.begins_with_a_deal:
            return "No, this deal could never be won."
        begins = "the first photo on" if self.record.photos[0] else "where the record begins"
        return f"No, from {begins} this game could not be won."

    def _say_ways(self, first: Chance, last: Chance) -> str:
        """In how many ways the cards that nobody saw may lie it could be won, and until which move it was so."""
        if last.wins == last.n:
            return f"{last.likelihood}: in {last.in_ways}, it can still be won."
        if first.undecided and not first.wins:
            return f"Perhaps: in {first.in_ways} a win was found, but {first.undecided} were not decided."
        ends = (f", until move {n}" for n, chance in enumerate(self._chances) if chance.is_lost)
        until = "" if first.likelihood == NOT_LIKELY else next(ends, "")
        return f"{first.likelihood}{until}: in {first.in_ways}, it could have been won."

    @property
    def _chances(self) -> tuple[Chance, ...]:
        """The chance by hindsight of the first table and after each move, up to a gap in the record."""
        found = (self.start, *(move.hindsight for move in self.moves))
        return tuple(chance for chance in found if chance is not None)

    @property
    def _ends(self) -> tuple[Chance | None, Chance | None]:
        """The chance by hindsight at the start and at the end."""
        return self.start, self.moves[-1].hindsight if self.moves else self.start

    def _say_mistakes(self) -> str:
        """That no move was a clear mistake; empty where one was: the list of those that cost most follows."""
        unsure = [move for move in self.moves if move.mark is Mark.UNSURE]
        return "" if self.worst else f"You made no clear mistake, by what you could know then{_say_unsure(unsure)}."

    @property
    def detail(self) -> str:
        """What the headline and the list of the moves that cost most do not tell; often nothing."""
        first, last = self._ends
        if self.lost_at is not None and self.rescue is not None:
            keeps = _named(self.rescue.position, str(self.rescue.line[0]))
            return f"Move {self.lost_at}, {self.named(self.moves[self.lost_at - 1])}, lost it; {keeps} keeps it."
        is_told = first is None or last is None or Verdict.NO_WIN is first.verdict or Verdict.WIN is last.verdict
        if is_told or self.is_by_turn or self.record.positions[-1].is_won:
            return ""
        assert first is not None
        assert last is not None
        return " ".join(filter(None, (self._say_mistakes(), "" if first.proved else self._say_end(first, last))))

    def _say_end(self, first: Chance, last: Chance) -> str:
        """In how many of the ways that the headline tells of it could be won at the end; empty where it tells that."""
        tells_loss = last.is_lost and (first.likelihood != NOT_LIKELY or not first.wins)
        if last.wins == last.n or tells_loss:
            return ""
        return self._suppose(f"At the end a win was found in {last.wins_of} of these ways.")

    def _suppose(self, told: str) -> str:
        """A sentence by hindsight, with what it holds under; a guess is not sure in other ways, too."""
        return f"{told[:-1]}, {self.supposed}." if self.supposed and not self.is_guess else told

    @property
    def rescue_steps(self) -> tuple[str, ...]:
        """The moves of the line that wins, each with the cards that it takes along; none where no line is known."""
        if self.rescue is None:
            return ()
        tables = accumulate(self.rescue.line, lambda table, move: table.play(move), initial=self.rescue.position)
        return tuple(_told(table, move) for table, move in zip(tables, self.rescue.line, strict=False))

    @property
    def meanings(self) -> tuple[str, ...]:
        """What is to be known about the list of its moves: how they were found, and what its words mean."""
        words = {word for move in self.moves for word in (move.word, move.doubt)}
        told = "; ".join(f"{word}: {meaning}" for word, meaning in MEANINGS.items() if word in words)
        return tuple(filter(None, (BETWEEN_PHOTOS * any(self.record.unseen), f"{told}." * bool(told))))

    @property
    def notes(self) -> tuple[str, ...]:
        """What its headline takes for true, in sentences."""
        return tuple(filter(None, (self.detail, self.record.note)))

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        return {
            "game": self.record.game,
            "headline": self.headline,
            "detail": self.detail,
            "start": None if self.start is None else self.start.to_json(),
            "moves": [move.to_json() for move in self.moves],
            "worst": [move.number for move in self.worst],
            "lost_at": self.lost_at,
            "rescue": None if self.rescue is None else [str(move) for move in self.rescue.line],
            "seed": self.seed,
        }

    def _repr_html_(self) -> str:
        """The curves and the worst moves, for a notebook."""
        return notebook_view(self)

    def __str__(self) -> str:
        rows = [("", "move", "known then", "best then" if self.is_by_turn else "better then", "with hindsight", "")]
        for move in self.moves:
            best = f"{move.best} {move.best_known}" if move.better else ""
            if self.is_by_turn:
                best = _text(move.best_known)
            chances = (_text(move.known), best, _text(move.hindsight))
            rows.append((f"{move.number}.", move.move or "(gap)", *chances, move.judgement))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        worst = [f"  {move.number}. {self.named(move)}: {move.verdict}; {self.better(move)}" for move in self.worst]
        rescue = [] if self.rescue is None else [f"It wins with: {' '.join(map(str, self.rescue.line))}"]
        costly = ["The moves that cost most:", *worst] if worst else []
        return "\n".join([self.headline, *self.notes, *rescue, *costly, "", *self.meanings, *table])


def review(
    record: Record, *, deals: int = DEALS, seed: int = 1, progress: Callable[[int], object] | None = None
) -> Review:
    """Looks at a game again, move by move.

    The same record, deals and seed give the same review, on any machine.

    Args:
        record: The game.
        deals: Deals that are sampled for each question, but for those that a game's own player answers.
        seed: Of the sampling; the player samples as for a hint, so that both tell of the same deals.
        progress: Is given the number of moves looked at.

    Raises:
        RecordError: For a record that cannot be played, or no game can have been.
        CardsError: For what is no record, such as its text.
    """
    if not isinstance(record, Record):
        raise CardsError(f"{kind_of(record)} is no record; parse_record() reads one from text")
    record.check()
    by_turn = getattr(find_game(record.game).solver, "turn_played", None)
    hindsight = _hindsight(record, deals, seed) if by_turn is None else iter(())
    chances = list(islice(hindsight, 1))
    seen, unseen = record.positions, record.unseen
    moves = []
    for number, step in enumerate(record.steps, 1):
        chances += islice(hindsight, 1)  # table by table, so that the progress tells of it
        chance = chances[number] if number < len(chances) else None
        if step.move is None:
            moves.append(ReviewedMove(number, ""))
        elif by_turn is not None:
            moves.append(_compare_turn(number, by_turn(seen[number - 1], step.move, TURN_STATES)))
        else:
            moved = _compare(seen[number - 1], step.move, number, deals, seed)
            before = chances[number - 1] if number - 1 < len(chances) else None
            mark = Mark.THREW_AWAY if _is_thrown_away(before, chance) else moved.mark
            is_sure = not (unseen[number - 1] or unseen[number])
            moves.append(replace(moved, hindsight=chance, mark=mark, is_sure=is_sure))
        if progress is not None:
            progress(number)
    verdicts = pairwise(chance.verdict for chance in chances)
    lost_at = next((n for n, pair in enumerate(verdicts, 1) if pair == (Verdict.WIN, Verdict.NO_WIN)), None)
    told = tuple(_with_luck(record, moves))
    return Review(record, chances[0] if chances else None, told, lost_at, _rescue(record, chances, lost_at), seed)


def _with_luck(record: Record, moves: Sequence[ReviewedMove]) -> Iterator[ReviewedMove]:
    """The moves, each with what came up if that was luck."""
    for (move, later), step in zip(zip_longest(moves, moves[1:]), record.steps, strict=True):
        cards = " ".join(card.pretty for card in step.turned_up if card is not None)
        luck = _luck(move.known, None if later is None else later.best_known) if cards else ""
        yield replace(move, luck=f"{luck}: {cards} came up") if luck else move


def _luck(expected: Chance | None, came: Chance | None) -> str:
    """Whether the chance that came is clearly another than was to be expected, and by far: good luck, or bad."""
    if expected is None or came is None or abs(came.share - expected.share) < LUCK_FROM:
        return ""
    return "good luck" if came.is_clearly_above(expected) else "bad luck" if expected.is_clearly_above(came) else ""


def _rescue(record: Record, chances: Sequence[Chance], lost_at: int | None) -> Solution | None:
    """The line that wins from before the move that lost the game, or from the last table."""
    if lost_at is not None:
        return _solution(_with_hindsight(record)[lost_at - 1])
    last = record.positions[-1]
    reaches_end = len(chances) == len(record.positions)
    if not reaches_end or chances[-1].verdict is not Verdict.WIN or last.is_won:
        return None
    return _solution(_with_hindsight(record)[-1])


def _named(table: Position[Any], move: str) -> str:
    """A move of a table after the cards that it takes along, as `10♠ from W>T5`; alone where the game tells none."""
    if not move or not hasattr(table, "carried"):
        return move
    carried = table.carried(find_game(table.game).solver.Move.parse(move))
    cards = [card.pretty for card in carried if card is not None]
    return f"{' '.join(cards)} from {move}" if cards else move


def _told(table: Position[Any], move: Any) -> str:
    """A move for somebody who makes it at a table, with what is done before it and its notation does not tell."""
    named = _named(table, str(move))
    first = table.done_before(move) if hasattr(table, "done_before") else ""
    return f"{named} ({first} first)" if first else named


def _with_hindsight(record: Record) -> tuple[Position[Any], ...]:
    """The tables of the game up to the first gap, with every card that was ever turned up."""
    gap = next((n for n, step in enumerate(record.steps) if step.move is None), len(record.steps))
    steps = tuple(replace(step, turned_up=()) for step in record.steps[:gap])
    start = record.hindsight
    if start.cards().count(None) == 1:  # the deck tells which card it is
        start = next(_completions(start, 1, 0), start)
    return Record(start, steps).positions


def _hindsight(record: Record, deals: int, seed: int) -> Iterator[Chance]:
    """The chance of each table up to the first gap, on the same deals."""
    tables = _with_hindsight(record)
    if tables[0].is_known:
        found = None
        for table in tables:
            if found is None or found.verdict is not Verdict.NO_WIN:  # else no move can bring it back
                found = _chance([table], PROOF_STATES, proved=True)
            yield found
        return
    moves = [step.move for step in record.steps[: len(tables) - 1]]
    possible = list(_completions(tables[0], deals, seed))
    if possible:
        yield _chance(possible, STATES)
    for move in moves if possible else ():
        possible = [deal.play(move) for deal in possible]
        yield _chance(possible, STATES)


def _compare(seen: Position[Any], played: Any, number: int, deals: int, seed: int) -> ReviewedMove:
    """The move that was played beside all others, on deals that agree with what was seen before it."""
    only = ReviewedMove(number, str(played), best=str(played))
    moves = seen.moves()
    if seen.problems():  # a card that came up and that no photo shows is no table to play from
        return only
    if len(moves) < 2:
        return replace(only, unmarked=ONLY_MOVE)
    if not seen.is_known and (advise := getattr(find_game(seen.game).solver, "best_move", None)) is not None:
        # On the deals of a hint, and the same for all moves: while nothing new is seen and nothing played, the chances
        # stay what they are.
        return _compare_as_player(_think(lambda work: advise(seen, work)), only)
    possible = [seen] if seen.is_known else list(_completions(seen, deals, seed + number))
    if not possible:
        return only
    chances = {
        move: _chance([deal.play(move) for deal in possible], STATES, proved=seen.is_known)
        for move in dict.fromkeys((played, *moves))
    }
    known = chances[played]
    best = max(chances, key=lambda move: chances[move].wins)  # the move played stands first, so it wins a tie
    cost = chances[best].share - known.share
    mark = Mark.BEST if not cost else Mark.GOOD if cost < GOOD_WITHIN else Mark.COSTS
    return ReviewedMove(number, str(played), known, str(best), chances[best], None, mark)


def _compare_turn(number: int, turn: Any) -> ReviewedMove:
    """A whole turn beside the one that plays most of the hand; who could have played all of it threw a win away."""
    played = cards_text(turn.played)
    if turn.most is None:
        return ReviewedMove(number, played, best=played)
    known, best_known = (CardsPlayed(count, 0, turn.hand) for count in (len(turn.played), turn.most))
    mark = Mark.THREW_AWAY if turn.most == turn.hand else Mark.COSTS
    how = " ".join(turn.how)
    return ReviewedMove(number, played, known, how or played, best_known, None, mark if how else Mark.BEST)


def _after(words: str, sentence: str) -> str:
    """A sentence behind a few words.

    >>> _after(AS_TOLD, "The game was won.")
    'As far as the photos tell, the game was won.'
    """
    return f"{words} {sentence[0].lower()}{sentence[1:]}"


def _say_unsure(moves: Sequence[ReviewedMove]) -> str:
    """Which moves may have been mistakes, as many as the list marks so; for the end of a sentence."""
    if len(moves) < 2:
        return "".join(f"; move {move.number} may have been one" for move in moves)
    if len(moves) <= WORST_MOVES:
        *first, last = (str(move.number) for move in moves)
        return f"; moves {', '.join(first)} and {last} may have been some"
    most = max(moves, key=lambda move: move.cost)
    return f"; {len(moves)} moves may have been some, most of all move {most.number}"


def _say_turns(moves: Sequence[ReviewedMove]) -> str:
    """What the turns could have played, in a sentence."""
    won = next((move.number for move in moves if move.mark is Mark.THREW_AWAY), None)
    if won is not None:
        return f"The whole hand could have been played in turn {won}."
    more = [str(move.number) for move in moves if move.mark is Mark.COSTS]
    if more:
        return f"More could have been played in turn{'s' if len(more) > 1 else ''} {', '.join(more)}."
    return "No turn could have played more."


def _think(advise: Callable[[int], Any]) -> Sequence[Any]:
    """What each move is worth to a player without peeking, who thinks until more thought no longer changes much.

    The first guess fades slowly: with little thought a table that no deal can win keeps a share. A hint thinks for
    seconds.
    """
    rows: Sequence[Any] = advise(PLAYER_WORKS[0]).moves
    for work in PLAYER_WORKS[1:]:
        before, rows = rows, advise(work).moves
        if not (before and rows) or abs(rows[0].chance - before[0].chance) < SETTLED_WITHIN:
            break
    return rows


def _compare_as_player(advised: Sequence[Any], only: ReviewedMove) -> ReviewedMove:
    """The move that was played beside the best one, each with the share that a player without peeking wins behind it.

    Both shares are sampled: a move costs something only where their intervals, which are shown, do not overlap.
    """
    played = next((row for row in advised if str(row.move) == only.move), None)
    if played is None:
        return only
    best = advised[0] if advised[0].chance > played.chance else played
    known, best_known = (Chance(round(row.chance * row.n), 0, row.n) for row in (played, best))
    cost = best.chance - played.chance
    mark = Mark.BEST if not cost else Mark.GOOD
    if cost >= GOOD_WITHIN:
        mark = Mark.COSTS if best_known.is_clearly_above(known) else Mark.UNSURE
    return replace(only, known=known, best=str(best.move), best_known=best_known, mark=mark)


def _completions(position: Position[Any], deals: int, seed: int) -> Iterator[Position[Any]]:
    """Deals that agree with what is seen; none of a game whose package offers no `completions`."""
    offered = getattr(find_game(position.game).solver, "completions", None)
    return iter(()) if offered is None else islice(offered(position, Random(seed)), deals)


def _chance(tables: Sequence[Position[Any]], states: int, *, proved: bool = False) -> Chance:
    package = find_game(tables[0].game).solver
    ask = getattr(package, "verdict_of", None)  # quicker where the line is not wanted
    verdicts = [_solution(t, states).verdict if ask is None else ask(t, Limits(None, states))[0] for t in tables]
    won, lost = verdicts.count(Verdict.WIN), verdicts.count(Verdict.NO_WIN)
    return Chance(won, len(tables) - won - lost, len(tables), proved)


def _solution(table: Position[Any], states: int = PROOF_STATES) -> Solution:
    found = answer(table, Limits(None, states))
    assert isinstance(found, Solution), "every card is known"
    return found


def _is_thrown_away(before: Chance | None, after: Chance | None) -> bool:
    """Whether a game that could be won was lost for good."""
    if before is None or after is None or after.wins or after.undecided:
        return False
    return before.verdict is Verdict.WIN or (not before.proved and before.share > LIKELY)


def _text(chance: Chance | None) -> str:
    return "" if chance is None else str(chance)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `python -m solver review`."""
    parser.add_argument("record", type=named_path, metavar="GAME.txt", help="a record: text or JSON (docs/notation.md)")
    parser.add_argument(
        "--deals",
        type=whole_number(1, 10**6),
        default=DEALS,
        metavar="N",
        help=f"deals sampled for hindsight, and for what was known then ({DEALS}); where hidden cards are left in "
        "Klondike, a player that sees what you saw measures that, on its own number of games",
    )
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), default=1, metavar="N", help="of the deals (1)")
    parser.add_argument(
        "--html", type=written_file, metavar="FILE", help="write a page with the curves and the table at each move"
    )
    add_json_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the review of a recorded game."""
    if fault := overwriting_fault("--html", [options.html], [options.record]):
        return wrong_usage(fault)
    with naming(options.record):
        data = Path(options.record).read_bytes()
    with naming_argument(str(options.record)):
        record = read_record(decoded(data))
        with tqdm(total=len(record.steps), unit="move", disable=None, leave=False) as bar:
            found = review(record, deals=options.deals, seed=options.seed, progress=lambda _: bar.update())
    if options.html is not None:
        with whole_file(options.html) as part:
            part.write_text(whole_page(found), encoding="utf-8")
        print(f"page: {options.html}", file=sys.stderr)
    return print_answer(options, found.to_json(), [str(found)])
