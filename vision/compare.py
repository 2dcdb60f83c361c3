"""The command `python -m vision.compare`: two photos of a Makiaveli table; what happened between, and was it legal?

    compared = compare_photos("before.jpg", "after.jpg", hand="7D 7H")     # compared.legal: True, False or None

Both photos are read on their own. Of the likely readings of each, the two are chosen that go together best: a turn
changes little. What was read alike in both photos is as good as sure; what differs is said only as surely as the cards
there were read, and asked otherwise. Where cards lie does not count, so the photos may be of any angle and size.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from plumbing.arguments import (
    command_parser,
    error_as_json,
    named_path,
    naming_argument,
    overwriting_fault,
    run_command,
    wrong_usage,
)
from solver.cards import Card, cards_text, parse_cards
from solver.place import NOWHERE, Place
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.errors import PhotosError
from vision.question import Question, QuestionKind
from vision.turn import PHOTOS

if TYPE_CHECKING:
    from solver.makiaveli import Position
    from solver.makiaveli.comparison import Comparison
    from vision.photo_to_reading import PhotoSource
    from vision.photo_to_table import Findings
    from vision.reading import Reading
    from vision.turn.seen import TurnSeen

_EPILOG: Final = """examples:
  python -m vision.compare before.jpg after.jpg
  python -m vision.compare before.jpg after.jpg --hand "3S 4S 5S" --out back.jpg
  python -m vision.compare before.jpg after.jpg --json

--hand is the player's hand before the turn. Unless it lies in the first photo, the photos show no hand then. Without
--hand, a hand that lies in the first photo and holds what was played is taken for it. --out writes the second photo
with the way back drawn on it.
Status 0: compared, be it with questions; 1: a photo could not be read; 2: wrong usage."""


DIFFERENT: Final = "the two photos seem to show different tables: few cards lie alike in both"
"""All that is told of two photos that no turn lies between."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two photos of a table, compared.

    Attributes:
        readings: What each photo shows.
        positions: The two tables that go together best; the first one holds the player's hand, where it is known.
        comparison: What happened between them; None where one photo gives no table, or they show different ones.
        hand: The player's hand before the turn; None where it is not known.
        playable: The most cards that this hand could have played; None where that is not known.
        stands: Probability that the comparison is right.
        legal: Whether the turn was legal; None where that cannot be told. It may be told where other things are asked.
        checks: What is asked, a sentence each.
        doubtful: Cards that matter and are in doubt: number of the photo, and of the card in its reading.
        questions: What a choice of answers about the second photo would settle.
    """

    readings: tuple[Reading, Reading]
    positions: tuple[Position | None, Position | None]
    comparison: Comparison | None
    hand: tuple[Card, ...] | None
    playable: int | None
    stands: float
    legal: bool | None
    checks: tuple[str, ...]
    doubtful: tuple[tuple[int, int], ...]
    questions: tuple[Question, ...] = ()

    @property
    def played_of_hand(self) -> int:
        """How many cards of the hand were played."""
        played = () if self.comparison is None else self.comparison.played
        return (Counter(played) & Counter(self.hand or ())).total()

    def to_json(self) -> dict[str, Any]:
        """Its JSON object."""
        found = self.comparison
        before, after = (None if position is None else position.to_json() for position in self.positions)
        return {
            "before": before,
            "after": after,
            "played": None if found is None else [str(card) for card in found.played],
            "moved": None if found is None else [str(card) for card in found.moved],
            "legal": self.legal,
            "why": "; ".join(found.faults if found is not None and self.legal is not None else self.checks),
            "put_back": None if found is None else [step.to_json() for step in found.put_back],
            "hand": None if self.hand is None else [str(card) for card in self.hand],
            "playable": self.playable,
            "more_playable": None if self.playable is None else self.playable > self.played_of_hand,
            "stands": self.stands,
            "checks": list(self.checks),
            "doubtful": [
                {"photo": PHOTOS[photo], "number": number, "card": card.text, "zone": str(card.place)}
                | {"confidence": card.confidence}
                for photo, number in self.doubtful
                for card in [self.readings[photo].cards[number]]
            ],
        }


def compare_photos(
    before: PhotoSource | Reading,
    after: PhotoSource,
    hand: str | Sequence[Card] | None = None,
    *,
    names: Sequence[str] = PHOTOS,
    told: Reading | None = None,
    settled: Collection[int] = (),
    absent: Collection[Card] = (),
) -> Compared:
    """Reads and compares two photos of a Makiaveli table.

    Args:
        before: The table before the turn: a file or an array, or what was read of it.
        after: The table after it: a file or an array.
        hand: The player's hand before the turn; text without a card names none. Unless it lies in the first photo, the
            photos show none then.
        names: What the photos are called in errors.
        told: What was read of the second photo, with what a person has told of it; then it is not read again.
        settled: Numbers of its cards of which a person has told where they lie.
        absent: Cards of which a person has told that no more of them lie there than it shows.

    Raises:
        NotationError: For a hand that cannot be read.
        PhotoError: For a file that is no photo.
        PhotosError: For a photo of another game.
    """
    from vision.reading import Reading

    cards = (parse_cards(hand) or None) if isinstance(hand, str) else hand
    if isinstance(before, Reading):
        first = before
    else:
        found = _find_cards(before)
        first = _read_table(found, names[0])
        if not _may_show(first, cards):
            first = _read_table(found, names[0], shows_hand=False)
    found, shows_hand = _find_cards(after), _may_show(first, cards)
    second = _read_table(found, names[1], shows_hand=shows_hand) if told is None else told
    laid = _tables_as_laid(found, second, shows_hand=shows_hand)
    return compare_readings(first, second, cards, laid, settled, absent)


def _find_cards(photo: PhotoSource) -> Findings:
    import numpy as np

    from vision.image import load
    from vision.photo_to_table import detect_and_read

    return detect_and_read(photo if isinstance(photo, np.ndarray) else load(photo))


def _may_show(before: Reading, hand: Sequence[Card] | None) -> bool:
    """Whether photos may show a hand: none was named, or the first one shows it, but for what was missed or misread."""
    shown = Counter(card.card for card in before.cards if card.place.kind == "hand")
    return hand is None or 2 * (shown & Counter[Card | None](hand)).total() > shown.total()


def _read_table(found: Findings, name: str, *, shows_hand: bool = True) -> Reading:
    """What a photo shows by the rules of Makiaveli. Raises PhotosError for another game."""
    from solver.games import GAMES
    from solver.makiaveli import Position
    from vision.photo_to_reading import read_findings

    hand = None if shows_hand else ()
    reading = read_findings([found], names=[name], hand=hand)
    game = Position.game
    if reading.game != game:
        if reading.cards and reading.game in GAMES:
            raise PhotosError(f"{name} shows {reading.game}; expected a table of {game}")
        reading = read_findings([found], game, names=[name], hand=hand)
    return reading


def _tables_as_laid(found: Findings, reading: Reading, *, shows_hand: bool) -> list[Position]:
    """The tables that a photo may show if it breaks the rules; none where its reading leaves nothing open."""
    from solver.makiaveli import Position
    from vision.photo_to_reading import read_findings
    from vision.turn.as_laid import tables_as_laid

    if not (reading.problems or reading.checks):
        return []
    plain = read_findings([found], Position.game, hand=None if shows_hand else (), decoding=False)
    return tables_as_laid(reading, plain)


def compare_readings(
    before: Reading,
    after: Reading,
    hand: Sequence[Card] | None = None,
    laid: Sequence[Position] = (),
    settled: Collection[int] = (),
    absent: Collection[Card] = (),
) -> Compared:
    """Compares what two photos of a Makiaveli table show.

    Args:
        before: The reading of the first photo.
        after: The reading of the second.
        hand: The player's hand before the turn, if it was named.
        laid: The tables that the second may show if it breaks the rules: a turn begins with a table that keeps them.
        settled: Numbers of the second reading's cards of which a person has told where they lie.
        absent: Cards of which a person has told that no more of them lie on the second table than its photo shows.
    """
    from solver.makiaveli.comparison import most_playable
    from vision.turn.deck_sides import tell_side
    from vision.turn.legality import tell_faults, tell_legality
    from vision.turn.likely_tables import likely_turn
    from vision.turn.lying import is_off_photo
    from vision.turn.questions import ask_about_legality, ask_with_choices
    from vision.turn.seen import TurnSeen
    from vision.turn.sureness import are_different, chance_of_change, weigh_change

    cards = enumerate(after.cards)  # one of which a person has said that it lies nowhere is no card
    seen_cards = (replace(c, card=None) if n in settled and c.place == NOWHERE else c for n, c in cards)
    after = replace(after, cards=tuple(seen_cards))
    readings = before, after
    empty = tuple(
        f"no card is seen in the photo {word} the turn: please take it again"
        for word, reading in zip(PHOTOS, readings, strict=True)
        if not reading.cards
    )
    if empty:
        return Compared(readings, (None, None), None, None, None, 0.0, None, empty, ())
    given = None if hand is None else tuple(hand)
    if is_off_photo(given, before):  # the page writes a hand that was typed into its table
        before = replace(before, position=replace(cast("Position", before.position), hand=()))
    likely = likely_turn(before, after, given, laid, settled, absent)
    first, second, found = likely.before, likely.after, likely.found
    found = replace(found, put_back=tuple(tell_side(step, readings) for step in found.put_back))
    if are_different((first, second), len(found.gone)):
        return Compared(readings, (first, second), None, None, None, 0.0, None, (DIFFERENT,), ())
    known = given if given is not None else _hand_of(first, found)
    sureness = weigh_change(readings, (first, second), found, known)
    doubtful = tuple(row for row, sure in sureness.items() if sure < PART_SURE_FROM)
    stands = likely.chance * chance_of_change(readings, sureness)
    seen = TurnSeen(readings, (first, second), found, given, likely.agree, sureness, settled, absent)
    legal = tell_legality(seen)
    if legal is False:
        found = replace(found, faults=tell_faults(seen))
    asked = tuple(ask_about_legality(seen))
    asked += tuple(_ask_photos(seen, tuple(sureness), doubtful))
    if not asked and (stands < WHOLE_STANDS_FROM or legal is None):
        asked = tuple(_ask_doubted(readings)) or (_ask_all(readings, tuple(sureness), is_told=legal is not None),)
    checks = tuple(dict.fromkeys(asked))
    positions = replace(first, hand=known or first.hand), second
    can_tell = not positions[0].problems() and (legal is True or not checks)
    playable = most_playable(first, known) if can_tell and known is not None else None
    questions = tuple(ask_with_choices(seen, [number for photo, number in doubtful if photo == 1]))
    return Compared(readings, positions, found, known, playable, round(stands, 4), legal, checks, doubtful, questions)


def decisive_questions(
    found: Compared,
    hand: Sequence[Card] | None = None,
    settled: Collection[int] = (),
    absent: Collection[Card] = (),
) -> list[Question]:
    """The questions about a turn told legal that offer an answer with which it is not told so any more.

    Args:
        found: The comparison.
        hand: The player's hand before the turn, if it was named.
        settled: Numbers of the second reading's cards of which a person had told where they lie.
        absent: Cards of which a person had told that no more of them lie on the second table than its photo shows.
    """

    def is_legal_as_read(question: Question) -> bool:
        told = {*settled, *question.cards}
        return compare_readings(*found.readings, hand, settled=told, absent=absent).legal is True

    asked = (question for question in found.questions if question.choices) if found.legal else ()
    return [one for one in asked if _breaks_melds(one, found.readings[1]) or not is_legal_as_read(one)]


def _breaks_melds(question: Question, reading: Reading) -> bool:
    """Whether an answer puts cards into a meld that they do not fit."""
    from solver.makiaveli.melds import is_meld

    cards = [reading.cards[number].card for number in question.cards]
    floor = cast("Position", reading.position).floor
    melds = (Place.parse(choice) for choice in question.choices[1:])
    numbers = (place.number for place in melds if place.kind == "floor" and place.number is not None)
    return any(not is_meld([*floor[n], *filter(None, cards)]) for n in numbers)


def lie_alike(one: Position | None, other: Position | None) -> bool:
    """Whether two tables have the same melds and the same cards in the cross."""
    tables = [table for table in (one, other) if table is not None]
    melds = {tuple(sorted(tuple(sorted(meld)) for meld in table.floor)) for table in tables}
    return len(melds) == 1 and len({tuple(sorted(filter(None, table.cross))) for table in tables}) == 1


def _hand_of(before: Position, found: Comparison) -> tuple[Card, ...] | None:
    """The hand in the first photo, if the cards that were played are of it; else it is somebody else's."""
    is_players = before.hand and not Counter(found.played) - Counter(before.hand)
    return before.hand if is_players else None


def _ask_doubted(readings: tuple[Reading, Reading]) -> Iterator[str]:
    """Questions about the cards that are rather none, but may well be some."""
    from vision.turn.lying import doubted_cards
    from vision.turn.questions import ask_card

    for word, reading in zip(PHOTOS, readings, strict=True):
        yield from (ask_card(card, word) for card in doubted_cards(reading))


def _ask_all(readings: tuple[Reading, Reading], changed: Sequence[tuple[int, int]], *, is_told: bool) -> str:
    """The question about all that changed, or whether nothing did, where nothing else says why it is not sure."""
    cards = {readings[photo].cards[number].card for photo, number in changed}
    named = cards_text(sorted(card for card in cards if card is not None))
    if not named:
        return "both photos show the same table: was nothing played?"
    end = "the verdict on legality most likely stays" if is_told else "please check them"
    return f"these cards lie otherwise in the two photos, or were read wrong: {named}; {end}"


def _ask_photos(
    seen: TurnSeen, changed: Sequence[tuple[int, int]], doubtful: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Questions about what each photo shows, as far as the change hangs on it."""
    from vision.turn.questions import ask_card
    from vision.turn.seen import open_checks

    readings = seen.readings
    for word, reading in zip(PHOTOS, readings, strict=True):
        yield from (f"photo {word} the turn: {reason}" for reason in reading.readable.reasons)
    yield from (ask_card(readings[photo].cards[number], PHOTOS[photo]) for photo, number in doubtful)
    for photo, when in enumerate(PHOTOS):
        of_photo = {number for where, number in changed if where == photo}
        yield from _ask_places(open_checks(seen, photo), when, of_photo)


def _ask_places(checks: Iterable[Question], when: str, changed: set[int]) -> Iterator[str]:
    """Questions where cards lie: those that changed, or that may have been left out of the floor."""
    for question in checks:
        is_of_meld = question.kind is QuestionKind.MELDS
        is_of_change = is_of_meld and changed & set(question.cards)
        of_places = is_of_meld and question.doubt is not None and "hand" in question.choices  # where its cards lie
        if is_of_change or of_places or question.kind is QuestionKind.ZONE:
            yield f"photo {when} the turn: {question.text}"


# --- the command -----------------------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = command_parser(
        "vision.compare", "Compare two photos of a Makiaveli table: what happened, and was it legal?", _EPILOG
    )
    made.add_argument("before", type=named_path, help="a photo of the table before the turn")
    made.add_argument("after", type=named_path, help="a photo of it after the turn")
    made.add_argument("--hand", metavar="CARDS", help='the player\'s hand before the turn, as "3S 4S"')
    made.add_argument("--json", action="store_true", help="print the comparison as JSON")
    made.add_argument("--out", type=named_path, metavar="PICTURE", help="write the second photo with the way back")
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit status."""
    return run_command(_run, parser().parse_args(argv))


def _run(args: argparse.Namespace) -> int:
    import numpy as np

    from vision.image import load, opencv, picture_fault, save

    opencv()  # a missing system library is named before anything else imports OpenCV
    if fault := overwriting_fault("--out", [args.out], [args.before, args.after]):
        return wrong_usage(fault)
    if args.out is not None and (fault := picture_fault(args.out)):
        return wrong_usage(f"--out {args.out}: {fault}")
    with naming_argument("--hand"):
        hand = None if args.hand is None else parse_cards(args.hand) or None
    with error_as_json(args, {"files": [str(args.before), str(args.after)]}):
        images = load(args.before), load(args.after)
        if np.array_equal(*images):
            raise PhotosError(
                f"{args.before} and {args.after} are the same photo; expected one before and one after the turn"
            )
        found = compare_photos(*images, hand, names=(str(args.before), str(args.after)))
        if args.out is not None:
            save(draw_way_back(images[1], found), args.out)
    print(json.dumps(found.to_json(), ensure_ascii=False) if args.json else "\n".join(report(found)))
    if args.out is not None and not args.json:
        print(f"the way back: {args.out}")
    return 0


def report(found: Compared) -> list[str]:
    """What a person wants to know, in lines."""
    comparison = found.comparison
    if comparison is None:
        return [f"check: {check}" for check in found.checks]
    unsure = " (as read)" if found.checks else ""
    lines = [
        f"played: {cards_text(comparison.played) or 'nothing'}{unsure}",
        f"moved: {cards_text(comparison.moved) or 'nothing'}{unsure}",
    ]
    if found.legal is None:
        lines += ["legal: cannot be told yet, as the turn hangs on what is to be checked"]
    else:
        faults = () if found.legal else comparison.faults
        said = f"legal: {'yes' if found.legal else 'no'}{', as far as can be seen' if found.checks else ''}"
        lines += [said, *(f"  {fault}" for fault in faults)]
    lines += [f"check: {check}" for check in found.checks] or _report_hand(found)
    if found.checks:
        named = "name the player's hand with --hand, " if found.hand is None else ""
        lines.append(f"to settle it: {named}take another photo, or answer on the page of python -m webapp")
    steps = [f"  {number}. {step}" for number, step in enumerate(comparison.put_back, start=1)]
    return [*lines, *(["put it back:", *steps] if steps else ["put it back: nothing to do"])]


def _report_hand(found: Compared) -> list[str]:
    """Whether the hand could have played more."""
    if found.hand is None:
        return ["could more have been played? Say which cards were in the hand: --hand"]
    if found.playable is None or found.comparison is None:
        return []
    size, played = len(found.hand), found.played_of_hand
    if found.legal is False:  # more than what no rule allows says nothing
        return [f"the rules let {_part_of_hand(found.playable, size)} be played"]
    were = "was" if played <= 1 else "were"
    if found.playable > played:
        said = f"yes: {_part_of_hand(found.playable, size)} could be; {played or 'none'} {were}"
    else:
        more = "" if played == size else f", and {'no more' if played else 'none'} could be"
        said = f"no: {_part_of_hand(played, size)} {were}{more}"
    return [f"could more have been played? {said}"]


def _part_of_hand(count: int, size: int) -> str:
    """So many of the cards of a hand, in words.

    >>> _part_of_hand(0, 8), _part_of_hand(2, 8)
    ('no card of the hand', '2 of the 8 cards of the hand')
    >>> _part_of_hand(8, 8), _part_of_hand(1, 1)
    ('all 8 cards of the hand', 'the only card of the hand')
    """
    if count == 0:
        return "no card of the hand"
    if count == size:
        return {1: "the only card", 2: "both cards"}.get(size, f"all {size} cards") + " of the hand"
    return f"{count} of the {size} cards of the hand"


def draw_way_back(image: Any, found: Compared) -> Any:
    """A copy of the second photo with the steps to the first table: numbered arrows from card to place."""
    from vision.turn.way_back import draw_steps

    table = found.positions[1]
    if found.comparison is None or table is None:
        return image.copy()
    return draw_steps(image, found.comparison.put_back, table, found.readings)


if __name__ == "__main__":
    raise SystemExit(main())
