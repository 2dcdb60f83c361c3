"""What a reading asks: each thing in which it may be wrong is a question with a place, its choices and its share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from solver.cards import Card
from solver.games import GAMES, find_game
from solver.place import NOWHERE, Place
from solver.position import Fault, Position
from vision.cards.face_paper import find_unread_faces
from vision.cards.seen_table import SeenTable
from vision.confidence import chance_of_whole
from vision.layout.game_choice import Choice
from vision.layout.game_reading import GameReading, PlacedCard
from vision.layout.vocabulary import CARDS
from vision.located_cards import round_quad
from vision.networks.surface_map import load_surface_map
from vision.photo_to_table import Findings
from vision.preferences import preferences_of
from vision.question import Question, QuestionKind, chance_without
from vision.read_card import ReadCard, Sight
from vision.reading import Reading

HAND: Final = Place("hand")
FEWEST_ON_TABLE: Final = 3
"""Fewer cards are no table whose game is asked for."""
UNREAD_DOUBT: Final[float] = preferences_of(__name__)["UNREAD_DOUBT"]
"""How likely a face that was seen and not read makes a reading wrong: it may be no card of the game, as a joker is."""


def ask_about_unread_faces(table: SeenTable, found: Findings) -> list[Question]:
    """A question about each face of a photo that no card explains which was read."""
    if found.image is None or not table.cards:
        return []
    quads = find_unread_faces(table, found.detections, load_surface_map().see(found.image), found.image)
    text = "I see a card here that I cannot read"
    sights = [Sight(0, round_quad(quad)) for quad in quads]
    return [
        Question(QuestionKind.UNREAD, _nth(text, n, len(sights)), photos=(0,), doubt=UNREAD_DOUBT, sights=(sight,))
        for n, sight in enumerate(sights)
    ]


def _nth(text: str, number: int, of: int) -> str:
    """A question's text, with its number where it is one of several: no two questions read alike."""
    return text if of == 1 else f"{text} ({number + 1} of {of})"


def ask_about_hand(text: str, photo: int) -> Question:
    """A question about the hand that a photo shows."""
    return Question(QuestionKind.HAND, text, HAND, photos=(photo,))


def ask_about_lone_meld(cards: Sequence[Card], name: str, photo: int) -> list[Question]:
    """Asks about a photo of a lone meld that was taken for the hand."""
    from solver.makiaveli.melds import is_meld  # its package compiles kernels: imported when a table is read

    if len(cards) < 3 or not is_meld(list(cards)):
        return []
    text = f"{name} shows only {' '.join(map(str, cards))}, a meld, taken for the hand: please check it"
    return [ask_about_hand(text, photo)]


def find_sure_ones(questions: Iterable[Question], cards: Sequence[ReadCard]) -> tuple[int, ...]:
    """Numbers of the cards in question that are sure enough by themselves."""
    numbers = (n for question in about_cards(questions) for n in question.cards)
    return tuple(sorted(n for n in numbers if not cards[n].doubtful))


def about_cards(questions: Iterable[Question], are: bool = True) -> Iterator[Question]:
    """The questions about cards, or those about anything else: a reading makes those about cards itself."""
    return (question for question in questions if (question.kind is QuestionKind.CARD) == are)


def ask_about_rules(reading: Reading, checks: Sequence[Question]) -> list[Question]:
    """What the layout asks; where the position breaks the rules, that is asked in one line, with the first such place.

    One misread card or one misplaced pile breaks the rules at several places: to name them all helps nobody.
    """
    if not reading.problems or reading.position is None:
        return list(checks)
    numbers = _cards_at_fault(reading.cards, reading.problems[0])
    sights = tuple(replace(sight, indices=()) for number in numbers for sight in reading.cards[number].sights)
    text = _say_broken_rules(find_game(reading.position.game).title, reading.problems)
    places, _ = _places_and_cards(reading.problems[0])
    place = places[0] if len(places) == 1 else None
    broken = Question(QuestionKind.RULES, text, place, cards=numbers, sights=sights)
    return [broken, *(check for check in checks if check.kind is not QuestionKind.RULES)]


def ask_together(asked: Iterable[Question]) -> list[Question]:
    """The questions, with one for a whole meld in place of those whether each of its cards lies in hand or on floor.

    Its cards lie there together, so one answer settles it, and keeps them together on the table.
    """
    asked = tuple(asked)
    of_melds = (one for one in asked if one.kind is QuestionKind.MELDS and "hand" in one.choices)
    together = {number: one for one in of_melds for number in one.cards}
    found: dict[tuple[str, tuple[int, ...]], Question] = {}
    for question in asked:
        is_part = question.kind is QuestionKind.ZONE and {
            choice.partition("/")[0] for choice in question.choices[:2]
        } == {"hand", "floor"}
        one = next((together[n] for n in question.cards if is_part and n in together), question)
        key = one.text, one.cards
        doubts = (each.doubt for each in (question, found.get(key, one)) if each.doubt is not None)
        found[key] = replace(one, doubt=max(doubts, default=None))
    return list(found.values())


def _say_broken_rules(title: str, problems: Sequence[str]) -> str:
    """The first place that breaks the rules of a game, and how many there are, in a line."""
    first, *others = problems
    where, colon, what = first.partition(": ")
    is_place = colon and re.fullmatch(r"[a-z ]+\d*", where)  # else a sentence that ends with its reason
    said = f"{what} in {where}" if is_place else first
    more = f"; places that break the rules: {len(problems)}" if others else ""
    return f"this looks like {title}, but {said}{more}"


def _places_and_cards(problem: str) -> tuple[Sequence[Place], Sequence[Card]]:
    """The places and cards that a problem names."""
    return (problem.places, problem.cards) if isinstance(problem, Fault) else ((), ())


def _cards_at_fault(cards: Sequence[ReadCard], problem: str) -> tuple[int, ...]:
    """Numbers of the cards that a problem is about: those that it names, at the places that it names."""
    places, named = _places_and_cards(problem)
    if not places and not named:
        return ()
    at_places = (number for number, card in enumerate(cards) if not places or card.place in places)
    return tuple(number for number in at_places if not named or cards[number].card in named)


def doubts_of(choice: Choice) -> list[Question]:
    """Everything in which a position may be wrong: the game, where cards lie, and which cards they are."""
    parsed = choice.parsed
    if parsed is None or parsed.position is None:
        return []
    cards = [
        Question(QuestionKind.CARD, card.text, card.place, cards=(number,), doubt=_doubt_of(card))
        for number, card in enumerate(parsed.placed)
        if card.place != NOWHERE or card.why
    ]
    return [*_doubt_of_game(choice), *parsed.doubts, *cards]


def _doubt_of(card: PlacedCard) -> float:
    """How likely the table is wrong about a card: about one that was left out, if it is one."""
    return card.confidence if card.place == NOWHERE else 1 - card.confidence


def _doubt_of_game(choice: Choice) -> Iterator[Question]:
    """The question which game it is."""
    if choice.parsed is not None and choice.rival is not None:
        game = find_game(choice.parsed.game)
        other = "no game that I know" if choice.rival not in GAMES else GAMES[choice.rival].title
        text = f"this looks like {game.title}, but may be {other}: please check which game it is"
        yield Question(QuestionKind.GAME, text, choices=(game.word, choice.rival), doubt=round(1 - choice.chance, 4))


def ask_which_game(choice: Choice) -> Iterator[Question]:
    """The question which game it is, where none was found: without a game nothing else is asked."""
    doubt = round(1 - choice.chance, 4)
    if choice.likeliest is not None:
        text = f"this looks like no game that I know, but may be {find_game(choice.likeliest).title}: which game is it?"
        yield Question(QuestionKind.GAME, text, choices=(CARDS, choice.likeliest), doubt=doubt)
    elif choice.rival is not None and choice.parsed is not None and _is_table_of_no_game(choice.parsed):
        text = "this looks like no game that I know: if it is one, which?"
        others = sorted(GAMES, key=lambda game: game != choice.rival)
        yield Question(QuestionKind.GAME, text, choices=(CARDS, *others), doubt=doubt)


def _is_table_of_no_game(parsed: GameReading) -> bool:
    return parsed.game == CARDS and len(parsed.placed) >= FEWEST_ON_TABLE


def chance_it_stands(position: Position[Any] | None, doubts: Sequence[Question]) -> float:
    """Probability that game, layout and every card of a position are right; 0 without a legal one."""
    if position is None or position.problems():
        return 0.0
    return round(chance_of_whole(chance_without(doubts)), 4)
