"""A position of Napoleon's Tomb with one deck: notation, JSON, legality and moves.

    tomb_single rules: free; corners: 7H 8C | 7D | - | -; centre: 6S 5D 4C; spares: 2H KS - QD; spare_six: 6H;
    discard: 3C JH; deck: 9D ?? 38

Each field may be left out; `docs/notation.md` explains them. A pile of which only the top card is given has the cards
that must lie below it, hidden: `9C` is `?? ?? 9C` in a corner, `4C` the centre's first time round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Final, Self

import numpy as np

from plumbing.errors import IllegalMoveError, RulesError, check_whole_number
from plumbing.parallel import chunks
from solver.cards import Card, MaybeCard, Rank, cards_text
from solver.hidden_piles import counted_text, hidden_pile
from solver.notation import EMPTY, Entry, Field, Kind, Notation, cards_from_json, json_error, piles_from_json
from solver.notebook_drawing import Drawn
from solver.place import Place
from solver.position import Fault, check_move, pile_at, say_where, with_piles
from solver.tomb_single import rules as names
from solver.tomb_single.rules import FORCED, LETTERS, Move, TombRules, centre_next, corner_next

MaybeCards = tuple[MaybeCard, ...]

DECK_SIZE: Final = 52


_PILE: Final = replace(hidden_pile(DECK_SIZE), text=counted_text)


def _parse_corners(field: Field) -> tuple[MaybeCards, ...]:
    corners = tuple(map(_PILE.parse, field.split()))
    if len(corners) != names.CORNERS:
        raise field.error(f"{len(corners)} piles in 'corners'", f"{names.CORNERS} separated by |, - if empty")
    return corners


def _parse_spares(field: Field) -> tuple[MaybeCards, ...]:
    words = [field.part(*word.span()) for word in re.finditer(r"[^\s|,]+", field.value)]
    if not words:
        return ((),) * names.SPARES
    if len(words) != names.SPARES:
        raise field.error(f"{len(words)} spares", f"{names.SPARES} places, - for an empty one")
    spares = tuple(() if word.value == EMPTY else word.cards() for word in words)
    for word, cards in zip(words, spares, strict=True):
        if len(cards) > 1:
            raise word.error(f"{len(cards)} cards in one spare", "one card, or - for none")
    return spares


def _piles_text(piles: Sequence[MaybeCards], separator: str) -> str:
    """Piles as written, "" where all are empty."""
    return separator.join(counted_text(pile) or EMPTY for pile in piles) if any(piles) else ""


def _four_from_json(data: object, name: str) -> tuple[MaybeCards, ...]:
    """Four piles, each a list, a single card or null for none; null for all four where none holds a card."""
    found = piles_from_json([None] * 4 if data is None else data, name, _place_from_json)
    if len(found) != 4:
        raise json_error(data, f"{name!r} is no list of 4", "one entry a place")
    return found


def _place_from_json(data: Any, name: str) -> MaybeCards:
    return cards_from_json([] if data is None else [data] if isinstance(data, str) else data, name)


def _spare_json(spare: MaybeCards) -> str | list[str] | None:
    return cards_text(spare) if len(spare) == 1 else _PILE.to_json(spare) or None


_CORNERS: Final = Kind(
    _parse_corners,
    lambda corners: _piles_text(corners, " | "),
    _four_from_json,
    lambda corners: list(map(_PILE.to_json, corners)),
)
_SPARES: Final = Kind(
    _parse_spares,
    lambda spares: _piles_text(spares, " "),
    _four_from_json,
    lambda spares: list(map(_spare_json, spares)),
)
_NOTATION: Final = Notation(
    "tomb_single",
    (
        Entry("corners", _CORNERS, printed_if_empty=False),
        Entry("centre", _PILE, printed_if_empty=False),
        Entry("spares", _SPARES, printed_if_empty=False),
        Entry("spare_six", _PILE, printed_if_empty=False),
        Entry("discard", _PILE, printed_if_empty=False),
        Entry("deck", _PILE),
    ),
    rules=("rules",),
)


@dataclass(frozen=True, slots=True)
class Position(Drawn):
    """A position of the one-deck game; equal by value.

    Attributes:
        corners: Four piles, bottom to top; None for a card that is not known.
        centre: The centre, bottom to top.
        spares: Four places; `()` for an empty one, else one card.
        spare_six: Sixes kept for later.
        discard: The discard pile, bottom to top.
        deck: The deck, the first card is drawn first.
        rules: Who decides.
    """

    corners: tuple[MaybeCards, ...] = ((), (), (), ())
    centre: MaybeCards = ()
    spares: tuple[MaybeCards, ...] = ((), (), (), ())
    spare_six: MaybeCards = ()
    discard: MaybeCards = ()
    deck: MaybeCards = ()
    rules: TombRules = FORCED

    game: ClassVar[str] = "tomb_single"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads the one-line notation.

        Raises:
            NotationError: With the column of the fault.

        >>> position = Position.parse("corners: 9C | - | - | -; centre: 4C; spares: 2H - - -")
        >>> print(position)
        tomb_single corners: 2 9C | - | - | -; centre: 2 4C; spares: 2H - - -; deck: 45
        """
        fields = _NOTATION.split(text)
        values = _NOTATION.parse(fields)
        return cls(**values, rules=_parse_rules(fields["rules"]))._with_hidden(values)

    def __str__(self) -> str:
        rules = [] if self.rules == FORCED else [f"rules: {self.rules.mode}"]
        return f"{self.game} " + "; ".join([*rules, *_NOTATION.texts(self)]).rstrip()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads the JSON object. Raises NotationError."""
        rules = data.get("rules", {})
        if not isinstance(rules, Mapping) or set(rules) - {"mode"}:
            raise json_error(rules, "'rules' is not understood", '{"mode": "forced" or "free"}')
        values = _NOTATION.from_json(data)
        return cls(**values, rules=TombRules(rules.get("mode", "forced")))._with_hidden(values)

    def to_json(self) -> dict[str, Any]:
        """The JSON object."""
        return {"game": self.game, "rules": self.rules.to_json()} | _NOTATION.to_json(self)

    def _with_hidden(self, given: Mapping[str, Any]) -> Self:
        """With the cards that must lie below each pile's lowest, and a deck where none is among what was given."""
        corners = tuple(_filled(corner, 7, 1) for corner in self.corners)
        filled = replace(self, corners=corners, centre=_filled(self.centre, 6, -1))
        return filled if "deck" in given else filled.with_unseen()

    def with_unseen(self) -> Self:
        """With the cards that nobody sees: those that must lie below a pile's lowest, and all others in the deck."""
        return replace(self, deck=())._with_hidden({"deck": ()}).with_full_deck()

    def with_full_deck(self) -> Self:
        """With a deck of as many unknown cards as lie nowhere else; one in which a card is known stays as it is.

        >>> len(Position.parse("spares: 4C - - -; deck: 52").with_full_deck().deck)
        51
        """
        if any(self.deck):
            return self
        elsewhere = len(self.cards()) - len(self.deck)
        return replace(self, deck=(None,) * max(0, DECK_SIZE - elsewhere))

    def with_rules(self, rules: TombRules) -> Self:
        """The same table under other rules."""
        return replace(self, rules=rules)

    def cards(self) -> MaybeCards:
        """All cards, None for those not known."""
        piles = (*self.corners, self.centre, *self.spares, self.spare_six, self.discard, self.deck)
        return tuple(card for pile in piles for card in pile)

    def problems(self) -> tuple[str, ...]:
        """Every fault at once, one sentence each."""
        found = (*self._build_problems(), *self._spare_problems(), *self._misplaced_cards(), *self._count_problems())
        return found or self._impossible_hidden_cards()

    def _build_problems(self) -> Iterator[str]:
        for number, corner in enumerate(self.corners, start=1):
            if len(corner) > names.CORNER_CARDS:
                text = f"corner {number} holds {len(corner)} cards; it is complete with {names.CORNER_CARDS}"
                yield Fault(text, places=[Place("corner", number - 1)])
            yield from _wrong_ranks(corner, f"corner {number}", Place("corner", number - 1), corner_next)
        if len(self.corners) != names.CORNERS:
            yield f"{len(self.corners)} corners; expected {names.CORNERS}"
        if len(self.centre) > names.CENTRE_CARDS:
            text = f"the centre holds {len(self.centre)} cards; it is complete with {names.CENTRE_CARDS}"
            yield Fault(text, places=[Place("centre")])
        yield from _wrong_ranks(self.centre, "the centre", Place("centre"), centre_next)

    def _spare_problems(self) -> Iterator[str]:
        if len(self.spares) != names.SPARES:
            yield f"{len(self.spares)} spares; expected {names.SPARES}"
        for number, spare in enumerate(self.spares, start=1):
            if len(spare) > 1:
                text = f"spare {number} holds {len(spare)} cards; it has room for one"
                yield Fault(text, places=[Place("spare", number - 1)])
        for card in self.spare_six:
            if card and card.rank != 6:
                yield Fault(f"{card} in the spare-six pile is no 6", places=[Place("spare_six")], cards=[card])
        if len(self.spare_six) > 4:
            text = f"the spare-six pile holds {len(self.spare_six)} cards; there are 4 sixes"
            yield Fault(text, places=[Place("spare_six")])

    def _misplaced_cards(self) -> Iterator[str]:
        for pile, place in (*((spare, "a spare") for spare in self.spares), (self.discard, "the discard pile")):
            for card in pile:
                if card and card.rank in (6, 7):
                    right = "the centre or the spare-six pile" if card.rank == 6 else "a corner"
                    yield Fault(f"{card} in {place}; it belongs in {right}", cards=[card])

    def _places_of(self, card: Card) -> Iterator[str]:
        """Where a card lies, once for each time."""
        corners = ((f"corner {number}", pile) for number, pile in enumerate(self.corners, 1))
        spares = ((f"spare {number}", pile) for number, pile in enumerate(self.spares, 1))
        others = ("the centre", self.centre), ("the spare-six pile", self.spare_six), ("the discard pile", self.discard)
        for name, pile in (*corners, *spares, *others, ("the deck", self.deck)):
            yield from [name] * pile.count(card)

    def _count_problems(self) -> Iterator[str]:
        cards = self.cards()
        for card, count in sorted(Counter(card for card in cards if card).items()):
            if count > 1:
                places = say_where(self._places_of(card))
                yield Fault(f"{card} stands {count} times; a deck has one, and it lies {places}", cards=[card])
        if len(cards) != DECK_SIZE:
            yield f"{len(cards)} cards; expected {DECK_SIZE} (??, or a number, stands for hidden ones)"

    def rank_piles(self) -> tuple[tuple[int | None, ...], ...]:
        """Ranks of spares (one pile), spare sixes, discard and deck; None where hidden.

        Hidden cards of corners, centre and spare-six pile need no guess: their place tells the rank.
        """
        spares = tuple(card for spare in self.spares for card in spare)
        return tuple(
            tuple(None if card is None else int(card.rank) for card in pile)
            for pile in (spares, self.spare_six, self.discard, self.deck)
        )

    def unseen_ranks(self) -> tuple[int, ...]:
        """The ranks of the hidden cards of spares, discard and deck, rising; in what order they lie is not known."""
        seen: Counter[int] = Counter()
        for corner in self.corners:
            seen.update(range(7, 7 + len(corner)))
        seen.update(6 - place % 6 for place in range(len(self.centre)))
        seen[6] += len(self.spare_six)
        spares, _, discard, deck = self.rank_piles()
        seen.update(rank for rank in (*spares, *discard, *deck) if rank is not None)
        return tuple(rank for rank in range(1, 14) for _ in range(4 - seen[rank]))

    @property
    def is_known(self) -> bool:
        """Whether the order of all cards is known, as far as it matters."""
        return not any(None in pile for index, pile in enumerate(self.rank_piles()) if index != 1)

    @property
    def is_won(self) -> bool:
        """Corners and centre complete, nothing left elsewhere."""
        corners_complete = all(len(corner) == names.CORNER_CARDS for corner in self.corners)
        return corners_complete and len(self.centre) == names.CENTRE_CARDS

    def turned_up(self, move: Move) -> tuple[str, ...]:
        """Paths in the JSON object of the hidden cards that `move`, if it is legal, turns up."""
        if move.source == names.DECK:
            return ("deck/0",) if self.deck[:1] == (None,) else ()
        if move.source == names.DISCARD and self.discard[-2:-1] == (None,):
            return (f"discard/{len(self.discard) - 2}",)
        return ()

    def moves(self) -> tuple[Move, ...]:
        """Every legal move: plays first, then refills, then draws."""
        sources = [source for source in names.SOURCES if pile_at(self, source)]
        moves = (Move(source, target) for source in sources for target in names.TARGETS)
        return tuple(move for move in moves if self._objection(move) is None)

    def play(self, move: Move) -> Self:
        """The position after `move`.

        Raises:
            IllegalMoveError: If the rules do not allow it, or the card is not known.
        """
        check_move(move, Move)
        objection = self._objection(move)
        if objection is not None:
            raise IllegalMoveError(move, objection)
        pile = pile_at(self, move.source)
        left = pile[1:] if move.source == names.DECK else pile[:-1]
        return with_piles(self, {move.source: left, move.target: (*pile_at(self, move.target), self.top(move.source))})

    def top(self, source: Place) -> MaybeCard:
        """The card that a move from `source` would take; None if there is none or it is not known."""
        pile: MaybeCards = pile_at(self, source)
        return pile[0 if source == names.DECK else -1] if pile else None

    def _objection(self, move: Move) -> str | None:
        if not pile_at(self, move.source):
            return f"{_PLACES[move.source.kind]} {LETTERS.text(move.source)} is empty"
        card = self.top(move.source)
        if card is None and move.source != names.SPARE_SIX:
            return "the card is not known"
        rank = Rank.SIX if card is None else card.rank
        objection = self._target_objection(move, rank)
        if objection is None and self.rules.mode == "forced":
            objection = self._forced_objection(move, rank)
        return objection

    def _target_objection(self, move: Move, rank: Rank) -> str | None:
        source, target = move.source, move.target
        if target in names.BUILT:
            wanted = self._next_rank(target)
            place = "the centre" if target == names.CENTRE else f"corner {LETTERS.text(target)}"
            return None if rank == wanted else f"{place} takes {wanted or 'no card'} next, not {rank}"
        if target == names.SPARE_SIX:
            return None if source == names.DECK and rank == 6 else "only a 6 from the deck is kept there"
        if rank in (6, 7):
            return "a 6 goes to the centre or the spare-six pile, a 7 to a corner"
        if target == names.DISCARD:
            return None if source == names.DECK else "only a drawn card is discarded"
        if source not in (names.DECK, names.DISCARD):
            return "a spare is filled from the discard pile or the deck"
        return f"spare {LETTERS.text(target)} is taken" if pile_at(self, target) else None

    def _forced_objection(self, move: Move, rank: Rank) -> str | None:
        if move.source != names.DECK:
            return None
        sources = (*names.SPARE_PLACES, names.DISCARD, names.SPARE_SIX)
        first = next(filter(self._is_playable, sources), None)
        if first is not None:
            return f"forced play: {LETTERS.text(first)} can be played first"
        return self._drawn_objection(move.target, rank)

    def _drawn_objection(self, target: Place, rank: Rank) -> str | None:
        has_room = not all(self.spares)
        if has_room and self.discard:
            return "forced play: empty spares are filled from the discard pile first"
        if has_room and target == names.DISCARD:
            return "forced play: a drawn card goes to an empty spare"
        if target == names.SPARE_SIX and self._next_rank(names.CENTRE) == 6:
            return "forced play: the centre takes the 6"
        if rank not in (6, 7) and target in names.BUILT:
            return "forced play: a drawn card goes to a spare or the discard pile first"
        return None

    def _next_rank(self, target: Place) -> Rank | None:
        if target == names.CENTRE:
            return centre_next(len(self.centre))
        return corner_next(len(self.corners[target.number or 0]))

    def _is_playable(self, source: Place) -> bool:
        if source == names.SPARE_SIX:
            return bool(self.spare_six) and self._next_rank(names.CENTRE) == 6
        card = self.top(source)
        return card is not None and card.rank in map(self._next_rank, names.BUILT)

    def _impossible_hidden_cards(self) -> tuple[Fault, ...]:
        return tuple(map(self._too_often, self._ranks_beyond_four())) or tuple(self._misplaced_hidden_cards())

    def _ranks_beyond_four(self) -> list[Rank]:
        """The ranks of which more than four cards are on the table, the hidden ones counted whose place tells them."""
        spares, _, discard, deck = self.rank_piles()
        seen = Counter((*spares, *discard, *deck, *self.unseen_ranks()))
        return [rank for rank in Rank if seen[rank] + self._built(rank) > 4]

    def _too_often(self, rank: Rank) -> Fault:
        cards = [card for card in self.cards() if card is not None and card.rank == rank]
        return Fault(f"more than four cards of rank {rank} are on the table", cards=cards)

    def _misplaced_hidden_cards(self) -> Iterator[Fault]:
        """Of hidden cards of spares and discard that would have to be sixes or sevens."""
        spares, _, discard, _ = self.rank_piles()
        places = (*spares, *discard).count(None)
        ordinary = sum(rank not in (6, 7) for rank in self.unseen_ranks())
        if places > ordinary:
            text = f"{places} hidden cards in spares and discard, but only {ordinary} that are neither 6 nor 7"
            yield Fault(text, places=[Place("discard"), *(Place("spare", number) for number in range(names.SPARES))])

    def _built(self, rank: int) -> int:
        if rank >= 7:
            return sum(len(corner) > rank - 7 for corner in self.corners)
        return (len(self.centre) + rank - 1) // 6 + (len(self.spare_six) if rank == 6 else 0)


def random_deal(seed: int, rules: TombRules = FORCED, *, number: int = 0) -> Position:
    """Deal `number` of a seed, every card known; number 0 is the first deal that a simulation with it plays.

    >>> len(random_deal(1).deck)
    52
    """
    from solver.tomb_single.kernels import shuffled_indices  # compiled code only where it is needed

    check_whole_number("number", number, 0)
    (chunk,) = islice(chunks(number + 1, 1, seed), number, None)
    cards = tuple(Card.from_index(int(index)) for index in shuffled_indices(np.uint64(chunk.seed)))
    return Position(deck=cards, rules=rules)


_PLACES: Final = {
    "spare": "spare",
    "discard": "the discard pile",
    "spare_six": "the spare-six pile",
    "deck": "the deck",
}


def _filled(pile: MaybeCards, first: int, step: int) -> MaybeCards:
    """A pile of which only the upper cards were given, with `None` for those that must lie below."""
    if not pile or pile[0] is None:
        return pile
    below = (pile[0].rank - first) * step
    return (None,) * max(0, below) + pile


def _wrong_ranks(pile: Sequence[MaybeCard], name: str, place: Place, wanted: Any) -> Iterable[Fault]:
    for height, card in enumerate(pile):
        rank = wanted(height)
        if card is not None and rank is not None and card.rank != rank:
            text = f"{card} is card {height + 1} of {name}, where a {rank} belongs"
            yield Fault(text, places=[place], cards=[card])


def _parse_rules(field: Field) -> TombRules:
    try:
        return TombRules(field.value.lower()) if field.value else FORCED  # type: ignore[arg-type]
    except RulesError as error:
        raise field.error(f"{field.value!r} are no rules", error.allowed) from error
