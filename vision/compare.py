"""The command `python -m vision.compare`: two photos of a Makiaveli table; what happened between, and was it legal?

    compared = compare_photos("before.jpg", "after.jpg", hand="7D 7H")     # compared.legal: True, False or None

Both photos are read on their own. Of the likely readings of each, the two are chosen that go together best: a turn
changes little. What was read alike in both photos is as good as sure; what differs is said only as surely as the cards
there were read, and asked otherwise. Where cards lie does not count, so the photos may be of any angle and size.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from drawing.zones import place_name
from plumbing.arguments import command_parser, named_path, run_command
from solver.cards import Card, cards_text, parse_cards
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.errors import PhotosError
from vision.question import QuestionKind

if TYPE_CHECKING:
    from solver.makiaveli import Position
    from solver.makiaveli.comparison import Comparison
    from vision.photo_to_reading import PhotoSource
    from vision.read_card import ReadCard
    from vision.reading import Reading

PHOTOS: Final = ("before", "after")
_EPILOG: Final = """examples:
  python -m vision.compare before.jpg after.jpg
  python -m vision.compare before.jpg after.jpg --hand "3S 4S 5S" --out back.jpg
  python -m vision.compare before.jpg after.jpg --json

With --hand the photos show no hand: it is the player's before the turn. Without it, a hand that lies in the first photo
and holds what was played is taken for it. --out writes the second photo with the way back drawn on it.
Status 0: compared, be it with questions; 1: a photo could not be read; 2: wrong usage."""


@dataclass(frozen=True, slots=True)
class CompareTuning:
    """How likely changes are between two photos of a table, as log-prices.

    Attributes:
        gone_log_price: Of a card that is no more on the table: rules forbid it, and a missed card looks the same.
        broken_log_price: Of a meld that is none.
        played_log_price: Of a card played.
        moved_log_price: Of a floor card that left its meld.
        joined_log_price: Of a card of the cross that joined a meld.
        nothing_log_price: Of a turn that plays nothing.
        legal_bonus: How much more readily the reader takes a meld for a legal one than one does here.
        most_readings: Readings of each photo that are weighed, the likeliest.
        put_right_confidence: A card that the rules put right is no surer than this: whether the rules were kept is the
            question.
        regrouped_log_price: Of a card of the cross that belongs to a meld instead, where its place is in doubt.
        parted_log_price: Of a meld that is two in the other photo, where a gap in it is asked about.
        loose_log_price: Of a single card on the floor that belongs to a meld beside it, or is one that lies there.
        near_card_widths: The middles of neighbours in a meld are no farther apart.
        same_card_widths: Two views of one card are no farther apart.
        left_out_confidence: How sure it is that a card was played or is gone that the other photo shows, but was left
            out there.
        of_hand_doubt_share: What is left of the doubt about a card that was played, if the hand is known to hold it.
    """

    gone_log_price: float = -5.0
    broken_log_price: float = -4.0
    played_log_price: float = -0.7
    moved_log_price: float = -0.7
    joined_log_price: float = -2.0
    nothing_log_price: float = -2.0
    legal_bonus: float = 8.0
    most_readings: int = 10
    put_right_confidence: float = 0.9
    regrouped_log_price: float = -1.5
    parted_log_price: float = -0.5
    loose_log_price: float = -0.5
    near_card_widths: float = 1.7
    same_card_widths: float = 0.5
    left_out_confidence: float = 0.5
    of_hand_doubt_share: float = 0.1


TUNING: Final = CompareTuning()


@dataclass(frozen=True, slots=True)
class Compared:
    """Two photos of a table, compared.

    Attributes:
        readings: What each photo shows.
        positions: The two tables that go together best; the first one holds the player's hand, where it is known.
        comparison: What happened between them; None where one photo gives no table.
        hand: The player's hand before the turn; None where it is not known.
        playable: The most cards that this hand could have played; None where that is not known.
        stands: Probability that the comparison is right.
        legal: Whether the turn was legal; None where that cannot be told. It may be told where other things are asked.
        checks: What is asked, a sentence each.
        doubtful: Cards that matter and are in doubt: number of the photo, and of the card in its reading.
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
    before: PhotoSource, after: PhotoSource, hand: str | Sequence[Card] | None = None, *, names: Sequence[str] = PHOTOS
) -> Compared:
    """Reads and compares two photos of a Makiaveli table.

    Args:
        before: The table before the turn: a file or an array.
        after: The table after it.
        hand: The player's hand before the turn, where the photos show none.
        names: What the photos are called in errors.

    Raises:
        NotationError: For a hand that cannot be read.
        PhotoError: For a file that is no photo.
        PhotosError: For a photo of another game.
    """
    cards = parse_cards(hand) if isinstance(hand, str) else None if hand is None else tuple(hand)
    first, second = (
        read_table(photo, name, shows_hand=cards is None) for photo, name in zip((before, after), names, strict=True)
    )
    return compare_readings(first, second, cards)


def read_table(photo: PhotoSource, name: str, *, shows_hand: bool) -> Reading:
    """One photo as a table of Makiaveli, whose melds need be none."""
    import numpy as np

    from solver.games import GAMES
    from solver.makiaveli import Position
    from vision.image import load
    from vision.photo_to_reading import read_findings
    from vision.photo_to_table import detect_and_read

    image = photo if isinstance(photo, np.ndarray) else load(photo)
    found = detect_and_read(image)
    hand = None if shows_hand else ()
    reading = read_findings([found], names=[name], hand=hand)
    game = Position.game
    if reading.game != game:
        if reading.cards and reading.game in GAMES:
            raise PhotosError(f"{name} shows {reading.game}; expected a table of {game}")
        reading = read_findings([found], game, names=[name], hand=hand)
    if not reading.problems:
        return reading
    plain = read_findings([found], game, names=[name], hand=hand, decoding=False)
    return replace(reading, position=_with_groups_as_laid(reading, plain))


def _with_groups_as_laid(reading: Reading, plain: Reading) -> Position | None:
    """The position in which cards that belong to no meld lie with those beside which they were laid."""
    position: Any = reading.position
    floor = list(position.floor)
    for group in [] if plain.position is None else plain.position.floor:  # type: ignore[attr-defined]
        inside = [meld for meld in floor if not Counter(meld) - Counter(group)]
        if len(set(group)) < len(group):
            continue  # one card seen twice, perhaps
        is_whole = Counter(card for meld in inside for card in meld) == Counter(group)
        if len(inside) > 1 and is_whole and any(len(meld) < 3 for meld in inside):
            floor = [meld for meld in floor if meld not in inside] + [tuple(group)]
    return replace(position, floor=tuple(floor))  # type: ignore[no-any-return]


def compare_readings(before: Reading, after: Reading, hand: Sequence[Card] | None = None) -> Compared:
    """Compares what two photos of a Makiaveli table show.

    Args:
        before: The reading of the first photo.
        after: The reading of the second.
        hand: The player's hand before the turn, if it is in no photo.
    """
    from solver.makiaveli.comparison import most_playable

    readings = before, after
    empty = tuple(
        f"no card is seen in the photo {word} the turn: please take it again"
        for word, reading in zip(PHOTOS, readings, strict=True)
        if not reading.cards
    )
    if empty:
        return Compared(readings, (None, None), None, None, None, 0.0, None, empty, ())
    given = None if hand is None else tuple(hand)
    first, second, found, chance, agree = _best_pair(before, after, given)
    known = given if given is not None else _hand_of(first, found)
    sureness = _sureness_of_change(readings, (first, second), found, known)
    doubtful = tuple(row for row, sure in sureness.items() if sure < PART_SURE_FROM)
    stands = chance * math.prod(sureness.values())
    checks = (*_ask_broken(first), *_checks(readings, found, tuple(sureness), doubtful, stands))
    playable = None if known is None or checks or first.problems() else most_playable(first, known)
    legal = found.is_legal if not checks else None
    if not found.is_legal and agree * _surest_broken(after, second) >= WHOLE_STANDS_FROM:
        legal = False  # whatever else is asked
    positions = replace(first, hand=known or first.hand), second
    return Compared(readings, positions, found, known, playable, round(stands, 4), legal, checks, doubtful)


def _surest_broken(after: Reading, second: Position) -> float:
    """Probability that the surest of the melds that are none was read right; 0 where all are melds.

    A lone card counts for nothing: more often than it lies so, its meld was not seen as one.
    """
    chances = [0.0]
    for meld in (meld for meld in second.floor if len(meld) > 1 and not _is_meld(meld)):
        reads = [max((_sureness(card) for card in after.cards if card.card == own), default=0.0) for own in meld]
        chances.append(math.prod(reads))
    return max(chances)


def _best_pair(
    before: Reading, after: Reading, hand: Sequence[Card] | None
) -> tuple[Position, Position, Comparison, float, float]:
    """The two tables that go together best, and what happened between them.

    With the probability that it did, and that the verdict on legality is this one.
    """
    from solver.makiaveli.comparison import compare

    weighed = []
    for (log_first, first), (log_second, second) in product(_candidates(before, after), _candidates(after, before)):
        found = compare(first, second, hand)
        weighed.append((log_first + log_second + _log_prior(first, second, found), first, second, found))
    best = max(weighed, key=lambda row: row[0])
    total = same = agree = 0.0
    for log, _, _, found in weighed:
        weight = math.exp(log - best[0])
        total += weight
        same += weight if _told(found) == _told(best[3]) else 0.0
        agree += weight if found.is_legal == best[3].is_legal else 0.0
    return *best[1:], same / total, agree / total


def _told(found: Comparison) -> tuple[Any, ...]:
    """What is said of a turn."""
    return found.played, found.gone, found.moved, found.faults


def _candidates(reading: Reading, other: Reading) -> list[tuple[float, Any]]:
    """The likely tables of a photo with their log-probabilities relative to the reader's best."""
    position: Any = reading.position
    excess = TUNING.legal_bonus * len(reading.problems)
    others = [(relative - excess, rival) for relative, rival in reading.others]
    best = [(0.0, position), *sorted(others, key=lambda row: -row[0])[: TUNING.most_readings - 1]]
    if reading.problems:
        best += [(log, again) for log, again in _with_loose_cards_placed(reading)]
    if not _structure_stands(reading):
        best += [(log + TUNING.regrouped_log_price, again) for log, one in best for again in _cross_in_melds(one)]
    if any(question.kind is QuestionKind.MELDS for question in reading.checks):
        best += [(log + TUNING.parted_log_price, again) for log, one in best for again in _parted(one, other)]
    return best


def _with_loose_cards_placed(reading: Reading) -> list[tuple[float, Any]]:
    """The table with its single cards on the floor where they probably belong.

    One beside a meld that it fits was taken for a lone one; one that lies upon its like is the same card seen twice.
    """
    position: Any = reading.position
    log, floor = 0.0, list(position.floor)
    for loose in reading.cards:
        if loose.card is None or loose.place.kind != "floor" or (loose.card,) not in floor:
            continue
        near = [card for card in reading.cards if card is not loose and _gap(card, loose) < TUNING.near_card_widths]
        placed = _placed(loose, loose.card, floor, near)
        if placed is not None:
            log, floor = log + TUNING.loose_log_price, placed
    return [(log, replace(position, floor=tuple(floor)))] if log else []


def _placed(
    loose: ReadCard, card: Card, floor: Sequence[tuple[Card, ...]], near: Sequence[ReadCard]
) -> list[tuple[Card, ...]] | None:
    """The floor with a single card where it belongs by the cards that lie near it; None where it lies alone."""
    rest = list(floor)
    rest.remove((card,))
    if any(other.card == card and _gap(other, loose) < TUNING.same_card_widths for other in near):
        return rest
    fits = [n for n, meld in enumerate(rest) if len(meld) > 1 and _is_meld((*meld, card))]
    beside = {n: sum(other.card in rest[n] for other in near) for n in fits}
    if not any(beside.values()):
        return None
    best = max(fits, key=beside.__getitem__)
    rest[best] = (*rest[best], card)
    return rest


def _is_meld(cards: Sequence[Card]) -> bool:
    from solver.makiaveli.melds import is_meld

    return is_meld(cards)


def _gap(card: ReadCard, other: ReadCard) -> float:
    """How far apart the middles of two cards are in a photo, in widths of the second; infinite for one not seen."""
    if card.quad is None or other.quad is None:
        return math.inf
    (x, y), (x2, y2) = (tuple(sum(c) / 4 for c in zip(*quad, strict=True)) for quad in (card.quad, other.quad))
    return math.dist((x, y), (x2, y2)) / max(1.0, math.dist(other.quad[0], other.quad[1]))


def _structure_stands(reading: Reading) -> bool:
    """Whether it is sure which cards lie together and which in the cross, whatever cards they are."""
    if reading.problems:
        return True  # nothing is told of it then
    cards = math.prod(card.confidence for card in reading.cards if card.place.kind != "none" or card.why)
    return reading.position_probability >= WHOLE_STANDS_FROM * cards


def _cross_in_melds(position: Position) -> Iterator[Position]:
    """The table with a card of the cross in a meld that it fits."""
    for place, card in enumerate(position.cross):
        for number, meld in enumerate(position.floor):
            if card is not None and _is_meld((*meld, card)):
                cross = tuple(None if k == place else c for k, c in enumerate(position.cross))
                floor = tuple((*m, card) if k == number else m for k, m in enumerate(position.floor))
                yield replace(position, floor=floor, cross=cross)


def _parted(position: Position, other: Reading) -> Iterator[Position]:
    """The table with a meld parted into two that lie in the other photo."""
    there: Any = other.position
    for number, meld in enumerate(position.floor):
        for first in there.floor:
            second = tuple((Counter(meld) - Counter(first)).elements())
            if 0 < len(second) == len(meld) - len(first) and any(sorted(second) == sorted(m) for m in there.floor):
                yield replace(position, floor=(*position.floor[:number], first, second, *position.floor[number + 1 :]))


def _log_prior(before: Position, after: Position, found: Comparison) -> float:
    """How likely such a change is."""
    broken = sum(not _is_meld(meld) for position in (before, after) for meld in position.floor)
    joined = Counter(before.cross) - Counter(after.cross)
    return (
        TUNING.gone_log_price * len(found.gone)
        + TUNING.broken_log_price * broken
        + TUNING.played_log_price * len(found.played)
        + TUNING.moved_log_price * len(found.moved)
        + TUNING.joined_log_price * sum(count for card, count in joined.items() if card is not None)
        + TUNING.nothing_log_price * (not found.played)
    )


def _hand_of(before: Position, found: Comparison) -> tuple[Card, ...] | None:
    """The hand in the first photo, if the cards that were played are of it; else it is somebody else's."""
    is_players = before.hand and not Counter(found.played) - Counter(before.hand)
    return before.hand if is_players else None


def _sureness_of_change(
    readings: tuple[Reading, Reading],
    positions: tuple[Position, Position],
    found: Comparison,
    hand: tuple[Card, ...] | None,
) -> dict[tuple[int, int], float]:
    """How sure each card is on which the comparison hangs, by the numbers of the photo and of the card in it.

    They are the cards of melds, and of the cross, that do not lie alike in the other photo. One that both photos show
    was read twice.
    """
    changed = _changed_cards(positions)
    left = changed[0].copy(), changed[1].copy()
    differ = Counter(found.played) + Counter(found.gone)
    rows: list[tuple[int, int, ReadCard]] = []
    sureness: dict[tuple[int, int], float] = {}
    for photo, reading in enumerate(readings):
        for number, card in enumerate(reading.cards):
            if card.card is None or card.place.kind == "hand":
                continue
            if card.place.kind == "none":
                if differ[card.card]:
                    sureness[photo, number] = TUNING.left_out_confidence
            elif left[photo][card.card]:
                left[photo][card.card] -= 1
                rows.append((photo, number, card))
    for photo, number, card in rows:
        twins = [_sureness(twin) for where, _, twin in rows if where != photo and twin.card == card.card]
        doubt = (1 - _sureness(card)) * (1 - max(twins, default=0.0))
        if card.card in (hand or ()) and card.card in found.played:
            doubt *= TUNING.of_hand_doubt_share
        sureness[photo, number] = 1 - doubt
    return sureness


def _changed_cards(positions: tuple[Position, Position]) -> tuple[Counter[Card], Counter[Card]]:
    """Of each table the cards of melds, and of the cross, that do not lie so in the other one."""
    groups = [Counter(tuple(sorted(meld)) for meld in position.floor) for position in positions]
    crosses = [Counter(card for card in position.cross if card is not None) for position in positions]
    first, second = (
        Counter(card for meld in (groups[k] - groups[1 - k]).elements() for card in meld)
        + (crosses[k] - crosses[1 - k])
        for k in range(2)
    )
    return first, second


def _sureness(card: ReadCard) -> float:
    """How sure a card is by its photo alone, where the question is whether the rules were kept."""
    return min(card.confidence, TUNING.put_right_confidence) if card.why or not card.sights else card.confidence


def _checks(
    readings: tuple[Reading, Reading],
    found: Comparison,
    changed: Sequence[tuple[int, int]],
    doubtful: Sequence[tuple[int, int]],
    stands: float,
) -> Iterator[str]:
    """What is asked, as nothing that hangs on it can be told."""
    for word, reading in zip(PHOTOS, readings, strict=True):
        yield from (f"photo {word} the turn: {reason}" for reason in reading.readable.reasons)
    yield from (_ask_card(readings[photo].cards[number], PHOTOS[photo]) for photo, number in doubtful)
    if found.gone and _misses_cards(readings[1]):
        named, gone = cards_text(found.gone), "is it gone" if len(found.gone) == 1 else "are they gone"
        yield f"other cards are hidden in the photo after the turn: do {named} lie there too, or {gone}?"
    for photo, reading in enumerate(readings if found.is_legal else readings[:1]):
        yield from _ask_places(reading, PHOTOS[photo], {number for where, number in changed if where == photo})
    if stands < WHOLE_STANDS_FROM and not doubtful:
        named = cards_text(sorted({readings[p].cards[n].card for p, n in changed} - {None}))  # type: ignore[type-var]
        yield f"these cards lie otherwise in the two photos, or were read wrong: {named}; please check them"


def _ask_broken(first: Position) -> Iterator[str]:
    """Questions about groups that are no melds before the turn: more likely a card of them was not seen."""
    for group in first.floor:
        if not _is_meld(group):
            yield f"photo {PHOTOS[0]} the turn: {cards_text(group)} is no meld: is a card missing there?"


def _ask_card(card: ReadCard, when: str) -> str:
    """The question which card one is."""
    others = " or ".join(str(other) for other, _ in card.alternatives[:2])
    asked = f"is the {card.text} in {place_name(card.place)} of the photo {when} the turn right"
    return asked + (f", or is it {others}?" if others else "?")


def _ask_places(reading: Reading, when: str, changed: set[int]) -> Iterator[str]:
    """Questions where cards lie: those that changed, or that may have been left out of the floor."""
    for question in reading.checks:
        is_of_change = question.kind is QuestionKind.MELDS and changed & set(question.cards)
        if is_of_change or question.kind is QuestionKind.ZONE:
            yield f"photo {when} the turn: {question.text}"


def _misses_cards(reading: Reading) -> bool:
    """Whether a photo shows some cards so badly that others may be missed too."""
    return any(not card.sights or card.place.kind == "none" for card in reading.cards)


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
    from vision.image import load, opencv, save

    opencv()  # a missing system library is named before anything else imports OpenCV
    hand = None if args.hand is None else parse_cards(args.hand)
    images = load(args.before), load(args.after)
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
        lines += [f"legal: cannot be told yet; what was read stands with {found.stands:.0%}"]
    else:
        lines += ["legal: yes"] if found.legal else ["legal: no", *(f"  {fault}" for fault in comparison.faults)]
    lines += [f"check: {check}" for check in found.checks] or _report_hand(found)
    steps = [f"  {number}. {step}" for number, step in enumerate(comparison.put_back, start=1)]
    return [*lines, *(["put it back:", *steps] if steps else ["put it back: nothing to do"])]


def _report_hand(found: Compared) -> list[str]:
    """Whether the hand could have played more."""
    if found.hand is None:
        return ["could more have been played? Say which cards were in the hand: --hand"]
    if found.playable is None or found.comparison is None:
        return []
    played = (Counter(found.comparison.played) & Counter(found.hand)).total()
    said = "yes" if found.playable > played else "no"
    return [f"could more have been played? {said}: {played} were, of {len(found.hand)} cards {found.playable} could be"]


def draw_way_back(image: Any, found: Compared) -> Any:
    """A copy of the second photo with the steps to the first table: numbered arrows from card to place."""
    from vision.annotated_photo import draw_arrows

    if found.comparison is None:
        return image.copy()
    cards = found.readings[1].cards
    arrows = []
    for number, step in enumerate(found.comparison.put_back, start=1):
        quads = [quad for card in step.cards for quad in _quads(cards, card, str(step.source))[:1]]
        there = [] if step.target is None else [c.quad for c in cards if c.place == step.target and c.quad is not None]
        if step.target is not None and step.target.kind == "cross":  # its places look different from each side
            there = [back.quad for back in found.readings[1].backs if back.place.kind == "deck"]
        if quads:
            arrows.append((str(number), quads, there))
    return draw_arrows(image, arrows)


def _quads(cards: Sequence[ReadCard], card: Card, place: str) -> list[Any]:
    """The corners of a card in the photo: at its place first, else where a copy of it lies."""
    shown = [read for read in cards if read.card == card and read.quad is not None]
    return [read.quad for read in sorted(shown, key=lambda read: str(read.place) != place)]


if __name__ == "__main__":
    raise SystemExit(main())
