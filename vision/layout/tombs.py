"""What both Napoleon's Tombs share: a 3x3 grid of piles, of which a photo shows the tops.

The network tells each card's place. The rules have the last word: a place holds one pile, with one deck no card stands
twice, and each place takes only some ranks; with two decks a foundation's top holds the suit's higher cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from solver.cards import Card
from solver.games import find_game
from solver.place import NOWHERE, Place
from solver.position import Position
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.layout.constrained_decoding import DOUBTS, RULE_BROKEN, Decoded, Option, Problem, decode
from vision.layout.game_layout import Hand
from vision.layout.game_reading import (
    GameReading,
    PlacedCard,
    argmax_log_probs,
    doubts_of_zones,
    left_out,
    left_out_penalty,
    numbers_of,
    place,
)
from vision.layout.vocabulary import NONE, ZONES, zone_of_card
from vision.networks.table_layout import Layout
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind, ask_about_broken_rules

_FOUNDATIONS: Final = 4
LIKE_PILES: Final = ("corner", "spare", "reserve", "tableau")

Pile = tuple[Card, ...]
Uses = tuple[tuple[Any, int], ...]


@dataclass(frozen=True, slots=True)
class TombTuning:
    """What is considered for a card of Napoleon's Tomb.

    Attributes:
        backwards_doubt: That a row of piles counts from its other end, where nothing tells at which end it begins.
        least_zone_probability: A less probable zone is not considered for a card.
        least_identity_log_odds: Less likely identities, relative to the best, are not considered.
        rightward_cosine: A row runs to the right in the photo where its direction has this share to the right.
        beside_row_steps: What lies at the end of a row is no farther from its line, in steps of the row.
    """

    backwards_doubt: float
    least_zone_probability: float = 1e-3
    least_identity_log_odds: float = -12.0
    rightward_cosine: float = 0.7
    beside_row_steps: float = 1.2


TUNING: Final = TombTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class Tomb:
    """One of the two games.

    Attributes:
        game: Its word.
        face_down: The zone of the cards face down, `deck` or `stock`.
        uses: Gives what a card (0 to 51) takes of the decks where it lies in a zone, and whether it may show there.
        position: The position of zones and the cards seen in them.
        notes: What no photo of it shows.
        numbered: The kind of its piles whose order in their row counts; empty if no kind's does.
    """

    game: str
    face_down: str
    uses: Callable[[str, int], tuple[Uses, bool]]
    position: Callable[[Mapping[str, Pile]], Position[Any]]
    notes: tuple[str, ...]
    numbered: str = ""

    def rule_penalty(self, table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> float:
        """How badly a table suits the game; see `vision.layout.game_layout.RulePenalty`."""
        _, _, chosen = self._explain(table, layout, 0, decoding)
        return RULE_BROKEN * _broken(chosen) + left_out_penalty(chosen, self._log_zone(layout))

    def parse(self, table: SeenTable, layout: Layout, *, hand: Hand = None, decoding: bool = True) -> GameReading:
        """Reads a table as this game; see `vision.layout.game_layout.Parse`."""
        problem, decoded, chosen = self._explain(table, layout, DOUBTS if decoding else 0, decoding)
        zones = _zones(chosen)
        out = [card for card in range(len(table.cards)) if card not in zones]
        placed = (*_placed(table, decoded, chosen), *(left_out(table, card) for card in out))
        backs = self._back_places(table, layout)
        doubts = doubts_of_zones(problem, decoded, self._log_zone(layout), ZONES[self.game], placed)
        return GameReading(
            self.game,
            self._position(chosen),
            placed,
            backs,
            self.notes,
            tuple(_asked(table, placed, out, _broken(chosen))),
            tuple((p, self._position([problem.options[n] for n in numbers])) for p, numbers in decoded.others),
            (*doubts, *self._doubts_of_order(table, placed, backs)),
        )

    def _explain(
        self, table: SeenTable, layout: Layout, doubts: int, decoding: bool = True
    ) -> tuple[Problem, Decoded, list[Option]]:
        """The likeliest explanation; `doubts` further searches at most weigh doubtful cards."""
        log = table.log_card if decoding else argmax_log_probs(table.log_card)
        problem = self._problem(self._log_zone(layout), log, decoding)
        decoded = decode(problem, dict(enumerate(table.log_card)), budget=doubts)
        assert decoded is not None, "every card may belong to nothing, so there is always an explanation"
        return problem, decoded, [problem.options[n] for n in decoded.chosen]

    def _problem(self, log_zone: Array, log: Array, decoding: bool) -> Problem:
        names = ZONES[self.game]
        options: list[Option] = []
        for card in range(len(log)):
            options += self._in_zones(card, log_zone[card], log[card], decoding)
            options.append(Option(float(log_zone[card, -1]), (card,), (), (), (NONE, card)))
        copies = find_game(self.game).decks if decoding else 99
        limits: dict[Any, int] = dict.fromkeys(range(52), copies)
        limits |= dict.fromkeys(names[:-1], 1) | {f"foundation {suit}": 1 for suit in range(_FOUNDATIONS)}
        return Problem(options, limits)

    def _log_zone(self, layout: Layout) -> Array:
        """(n, zones) log-probabilities of zones, in which the likeliest of like piles stands for all of them.

        No rule tells such piles apart, so a card that lies in one of them for sure is not doubtful, whichever it is.
        """
        log_zone = layout.log_zone[self.game].copy()
        for kind in LIKE_PILES:
            own = [k for k, zone in enumerate(ZONES[self.game]) if zone.startswith(f"{kind}/")]
            if own:
                part = log_zone[:, own]
                log_zone[:, own] += np.logaddexp.reduce(part, axis=1, keepdims=True) - part.max(1, keepdims=True)
        return log_zone

    def _in_zones(self, card: int, log_zone: Array, log: Array, decoding: bool) -> Iterator[Option]:
        """The ways in which a seen card lies somewhere."""
        order = np.argsort(-log)
        likely = order[log[order] > log[order[0]] + (TUNING.least_identity_log_odds if decoding else -1.0)].tolist()
        for number, zone in enumerate(ZONES[self.game][:-1]):
            if zone != self.face_down and log_zone[number] >= np.log(TUNING.least_zone_probability):
                for c in likely:
                    yield from self._lying(card, c, zone, float(log_zone[number] + log[c]), decoding)

    def _lying(self, card: int, c: int, zone: str, score: float, decoding: bool) -> list[Option]:
        """The ways in which a seen card of identity `c` lies in a zone: by the rules, and against them."""
        at: Uses = ((f"foundation {c // 13}" if zone == "foundation" else zone, 1),)
        uses, fits = self.uses(zone, c)
        ruled = Option(score, (card,), (*uses, *at), ((card, c),), (zone, card))
        broken = Option(score + RULE_BROKEN, (card,), at, ((card, c),), (zone, card, "broken"))
        if not decoding:
            return [ruled]
        if not fits:
            return [broken]
        return [ruled, broken] if len(uses) > 1 else [ruled]  # what it holds may lie elsewhere all the same

    def _position(self, chosen: Sequence[Option]) -> Position[Any]:
        card_of = {card: Card.from_index(c) for option in chosen for card, c in option.identities}
        return self.position({zone_of_card(z, card_of[n].index): (card_of[n],) for n, z in _zones(chosen).items()})

    def _back_places(self, table: SeenTable, layout: Layout) -> tuple[Place, ...]:
        """Where each back lies: the surest one is the deck or the stock, the others are edges of piles."""
        own = self._log_zone(layout)[len(table.cards) :]
        number = ZONES[self.game].index(self.face_down)
        likely = own[:, number] > own[:, -1] if len(own) else np.zeros(0, bool)
        best = int(own[:, number].argmax()) if likely.any() else -1
        return tuple(Place(self.face_down) if k == best else NOWHERE for k in range(len(own)))

    def _doubts_of_order(
        self, table: SeenTable, placed: Sequence[PlacedCard], backs: Sequence[Place]
    ) -> Iterator[Question]:
        """Whether the numbered piles count from the other end of their row, where nothing tells where it begins.

        They count from left to right, from the cards face down on. So a row that runs otherwise, or that ends where
        those lie, may have been laid from across the table.
        """
        row = sorted((c for c in placed if c.place.kind == self.numbered), key=lambda card: card.place.number or 0)
        tops = [card.text for card in row]
        if tops == tops[::-1]:
            return
        rows = [card.seen for card in row if card.seen is not None]
        centres = np.array([table.cards[seen].quad.mean(0) for seen in rows])
        face_down = [table.backs[k].quad.mean(0) for k, at in enumerate(backs) if at != NOWHERE]
        if _begins_at_left(centres, face_down):
            return
        text = f"the {self.numbered}s may count from the other end of their row: is {tops[0]} the first, or {tops[-1]}?"
        choices = (" ".join(tops), " ".join(reversed(tops)))
        doubt = TUNING.backwards_doubt
        yield Question(QuestionKind.ZONE, text, None, choices, numbers_of(placed, rows), doubt=doubt)


def _begins_at_left(row: Array, face_down: Sequence[Array]) -> bool:
    """Whether a row of piles runs to the right in the photo, and does not end at the cards face down.

    Args:
        row: (n, 2) centres of two or more piles in their order, px.
        face_down: (2,) centres of the deck or the stock, px.
    """
    along = row[-1] - row[0]
    length = max(float(np.hypot(*along)), 1e-9)
    step = length / (len(row) - 1)
    for at in face_down:
        x, y = at - row[0]
        beyond, off = (along[0] * x + along[1] * y) / length > length, abs(along[0] * y - along[1] * x) / length
        if beyond and off <= TUNING.beside_row_steps * step:
            return False
    return bool(along[0] >= TUNING.rightward_cosine * length)


def _broken(chosen: Sequence[Option]) -> int:
    """At how many places the cards as read break the rules."""
    return sum(isinstance(o.meaning, tuple) and o.meaning[-1] == "broken" for o in chosen)


def _zones(chosen: Sequence[Option]) -> dict[int, str]:
    """Card to zone, of the cards that lie in one."""
    return {
        o.covers[0]: str(o.meaning[0])
        for o in chosen
        if isinstance(o.meaning, tuple) and o.meaning[0] != NONE and o.identities
    }


def _placed(table: SeenTable, decoded: Decoded, chosen: Sequence[Option]) -> Iterator[PlacedCard]:
    """The cards that lie in a zone, with the posteriors that decoding gave them."""
    identity = {card: c for option in chosen for card, c in option.identities}
    for card, zone in _zones(chosen).items():
        yield place(table, decoded, card, identity[card], zone_of_card(zone, identity[card]))


def _asked(table: SeenTable, placed: Sequence[PlacedCard], out: Sequence[int], broken: int) -> Iterator[Question]:
    """What a person should look at besides doubtful cards; `out` are the rows of the cards that found no place."""
    if out:
        it = "it belongs" if len(out) == 1 else "they belong"
        named = " ".join(str(table.cards[card].best) for card in out)
        text = f"{named} found no place: please check where {it}"
        yield Question(QuestionKind.UNPLACED, text, cards=numbers_of(placed, out))
    if broken:
        yield ask_about_broken_rules(broken)
