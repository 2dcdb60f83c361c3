"""Compares the reading of one photo with its ground truth: a row of figures for `python -m vision.evaluate`."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from plumbing.errors import CardsError, describe_fault
from solver import answer
from solver.cards import UNKNOWN, Card
from solver.games import position_from_json
from solver.place import NOWHERE
from solver.position import Position
from solver.solution import Estimate, Limits, Solution
from vision.cards.seen_table import SeenTable
from vision.framing import WHOLE, Frame, Rect
from vision.image import RGB, load
from vision.judgement import judge
from vision.layout.vocabulary import CARDS
from vision.measure.labels import NO_TRUTH, TABLE, PhotoTruth, TrueCard, photos_of_table, truth_of, truth_of_table
from vision.measure.metrics import card_rates
from vision.photo_to_reading import read_findings
from vision.photo_to_table import Findings, detect_and_read, see_table
from vision.read_card import ReadCard
from vision.reading import Reading

AGREE: Final = 0.1
"""Two shares of deals that can be won agree if they differ by no more."""
_LIKE_CARDS: Final = frozenset({"/floor", "/hand", "/cross"})
"""Cards whose order means nothing: `_same_melds` compares how a floor is split into melds."""
_LIKE_PILES: Final = frozenset({"/corners", "/spares", "/tableau", "/reserves"})
"""Piles that no rule tells apart, so that their numbers mean nothing."""
_IN_ORDER: Final = frozenset({"/wastes"})
"""A redeal takes these up in their order; an empty one between two others changes nothing."""


def evaluate_photo(
    photo: Path,
    name: str,
    verdicts: bool = True,
    time_limit: float = 5.0,
    quarters: int = 0,
    rect: Rect | None = None,
) -> dict[str, Any]:
    """One photo's row: flat figures, and the cards compared under `pairs`; a bad file gives a row with its error.

    Where `table.json` lies beside the photo, all photos that it names are read as one table. Photos are turned
    counter-clockwise by so many quarters first, as if they were taken from another side of the table. Of each photo
    only a part is read; the truth remains that of the whole.
    """
    row: dict[str, Any] = {"photo": name, "error": ""}
    start = time.perf_counter()
    try:
        together = (photo.parent / TABLE).is_file()
        images = [load(path) for path in (photos_of_table(photo.parent / TABLE) if together else [photo])]
        size = images[0].shape[1], images[0].shape[0]
        truth = truth_of_table(photo.parent / TABLE) if together else truth_of(photo, size)
        if truth is None:
            return row | {"error": NO_TRUTH}
        truth.refuse_impossible()
        row |= {"kind": truth.kind, "game": truth.game, "deck": truth.deck, "photos": len(images)}
        row["width"], row["height"] = size
        left, top = (round(share * side) for share, side in zip((rect or WHOLE)[:2], size, strict=True))
        images = [Frame(0, rect).cut(image) for image in images]
        size = images[0].shape[1], images[0].shape[0]
        truth = replace(truth, cards=tuple(card.moved(-left, -top).turned(quarters, size) for card in truth.cards))
        images = [np.ascontiguousarray(np.rot90(image, quarters)) for image in images]
        row |= ({"turned": quarters} if quarters else {}) | ({"part": list(rect)} if rect else {})
        decoded = time.perf_counter() - start
        row |= _measure(images, truth, verdicts, time_limit)
        row["seconds_decode_file"] = round(decoded, 4)
    except (CardsError, OSError) as error:
        row["error"] = describe_fault(error)
    return row


def _measure(images: Sequence[RGB], truth: PhotoTruth, verdicts: bool, time_limit: float) -> dict[str, Any]:
    findings = [detect_and_read(image) for image in images]
    reading = read_findings(findings)
    row: dict[str, Any] = {"game_read": reading.game, "game_confidence": round(reading.game_confidence, 4)}
    row |= {"game_right": _game_right(reading, truth)} if truth.tells_game else {}
    row["readable"] = reading.readable.ok
    if reading.game is not None and truth.tells_game:
        none = reading.game_confidence if reading.game == CARDS else 1 - reading.game_confidence
        row["chance_of_none"] = round(none, 4)
    limit = time_limit if verdicts else None
    if truth.position is None:
        row |= _measure_cards(findings, reading, truth, limit)
    else:
        row |= _measure_position(findings, reading, truth, limit)
    return row | {f"seconds_{stage}": round(seconds, 4) for stage, seconds in reading.times.items()}


def _game_right(reading: Reading, truth: PhotoTruth) -> bool:
    """Whether the game is told rightly, or that there is none."""
    return (reading.game or CARDS) == (truth.game or CARDS)


def _measure_cards(
    findings: Sequence[Findings], reading: Reading, truth: PhotoTruth, limit: float | None
) -> dict[str, Any]:
    """Figures of a photo whose label holds no position; `limit` in seconds where verdicts are asked for."""
    row: dict[str, Any] = {}
    if truth.tells_cards:
        row = _compare_with_boxes(see_table(findings[0]), findings[0].detections.boxes, truth)
    if truth.game is None and truth.tells_game:
        row["none_told"] = _game_right(reading, truth)
        if limit is not None:
            row["none_said"] = _announces_verdict(reading, limit)
    return row


def _measure_position(
    findings: Sequence[Findings], reading: Reading, truth: PhotoTruth, limit: float | None
) -> dict[str, Any]:
    """Figures of a photo with a position, read as its true game; `limit` in seconds where verdicts are asked for."""
    given = read_findings(findings, truth.game) if truth.game and reading.game != truth.game else reading
    plain = read_findings(findings, truth.game, decoding=False)
    row = _compare_with_position(given, truth)
    row["exact_auto"] = bool(row["exact"] and _game_right(reading, truth))
    row["exact_without_decoding"] = is_exact(plain, truth)
    row["doubtful"] = len(given.doubtful)
    row["stands"] = round(reading.position_probability, 4)
    row["asked"] = len(reading.questions)
    row["silently_wrong"] = reading.unquestioned and not row["exact_auto"]
    row["checks"] = [str(check) for check in given.checks]
    return row if limit is None else row | _verdicts(given, truth, limit)


def _announces_verdict(reading: Reading, time_limit: float) -> bool:
    """Whether a win or a proof of none is said of a photo that shows no game."""
    judged = judge(reading, Limits(time=time_limit))
    return judged.is_announced and isinstance(judged.answer, Solution) and str(judged.answer.verdict) != "unknown"


def _inside(box: Sequence[float], x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _compare_with_boxes(table: SeenTable, boxes: Any, truth: PhotoTruth) -> dict[str, Any]:
    """Figures of the cards that were read, wherever they lie, where the labels hold no position."""
    matched = [(there, seen) for there, seen in _cards_in_boxes(table, boxes, truth) if seen is not None]
    pairs = []
    for there, seen in matched:
        was, said = (there.card, seen.best) if there.card else (there.rank, seen.best.rank)
        confidence = float(_confidence(seen, rank_only=there.card is None))
        pairs.append([str(was), str(said), round(confidence, 4), bool(was == said)])
    row: dict[str, Any] = {"pairs": pairs, "cards_there": len(truth.cards)}
    if _has_boxes(truth):
        row["ranks_right"] = sum(seen.best.rank == there.rank for there, seen in matched)
    if truth.kind == "voc":
        return row | {"cards_found": len(table.cards)}
    wanted = _true_cards(truth)
    return row | _compare_sets(_without_ignored([card.best for card in table.cards], wanted, truth), wanted)


def _true_cards(truth: PhotoTruth) -> list[Card]:
    return [there.card for there in truth.cards if there.card]


def _without_ignored(found: Sequence[Card], wanted: Sequence[Card], truth: PhotoTruth) -> list[Card]:
    """The cards found, without those that are none of the wanted ones and need not be judged."""
    extra = Counter(found) - Counter(wanted)
    return list((Counter(found) - (extra & Counter(truth.ignored))).elements())


def _has_boxes(truth: PhotoTruth) -> bool:
    """Whether the labels tell where cards lie: else nobody knows which of the cards read is which."""
    return any(there.boxes for there in truth.cards)


def _compare_sets(found: Sequence[Card], there: Sequence[Card]) -> dict[str, Any]:
    """How many cards are right, missing and too many; their order does not matter."""
    rates = card_rates(found, there)
    missing, extra = Counter(there) - Counter(found), Counter(found) - Counter(there)
    return {
        "cards_right": rates.right,
        "cards_found": rates.found,
        "cards_right_distinct": len(set(there) & set(found)),
        "cards_found_distinct": len(set(found)),
        "cards_exact": rates.right == rates.found == rates.wanted,
        "missing": " ".join(str(card) for card in missing.elements()),
        "extra": " ".join(str(card) for card in extra.elements()),
    }


def _cards_in_boxes(table: SeenTable, boxes: Any, truth: PhotoTruth) -> Iterator[tuple[Any, Any]]:
    """Each true card with the surest card whose index lies in one of its boxes, or None."""
    spots = [[((b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for b in boxes[list(card.indices)]] for card in table.cards]
    for there in truth.cards:
        found = [
            card
            for card, points in zip(table.cards, spots, strict=True)
            if any(_inside(box, *point) for box in there.boxes for point in points)
        ]
        yield there, max(found, key=lambda card: float(card.log_card.max()) + card.is_card, default=None)


def _confidence(card: Any, *, rank_only: bool) -> float:
    probability = np.exp(card.log_card)
    best = int(probability.argmax())
    return float(probability.reshape(4, 13)[:, best % 13].sum() if rank_only else probability[best])


def _compare_with_position(reading: Reading, truth: PhotoTruth) -> dict[str, Any]:
    """Figures of the cards, zones and position of a reading in the true game."""
    pairs: list[list[Any]] = []
    zones_right, misplaced = 0, []
    for there in truth.cards:
        found = _find_card(reading, there)
        if found is not None:
            pairs.append([str(there.card), found.text, round(found.confidence, 4), found.card == there.card])
            is_there = _zone_kind(str(found.place)) == _zone_kind(there.zone)
            zones_right += is_there
            misplaced += [] if is_there else [str(there.card)]
    seen = [card.card for card in reading.cards if card.card is not None and card.place != NOWHERE]
    wanted = _true_cards(truth)
    rates = card_rates(_without_ignored(seen, wanted, truth), wanted)
    wrong_none, wrong = _count_wrong(reading, truth)
    return {
        "pairs": pairs,
        **(
            {"cards_there": len(truth.cards), "cards_right": rates.right, "cards_found": rates.found}
            if truth.cards
            else {}
        ),
        **({"zones_right": zones_right, "zones_seen": len(pairs)} if _has_boxes(truth) else {}),
        "wrong_cards": wrong,
        "misplaced": " ".join(misplaced),
        "exact": wrong_none and _same_melds(reading, truth),
        "legal": reading.position is not None and not reading.problems,
    }


def _find_card(reading: Reading, there: TrueCard) -> ReadCard | None:
    """The card of a reading that was read where a true one lies.

    In a fan an index may be counted to a neighbour's card: the card with the most of its indices here is meant, and of
    two such cards the right one, since each of them is then compared with a card of its own.
    """

    def here(card: ReadCard) -> float:
        middles = [((x1 + x2) / 2, (y1 + y2) / 2) for x1, y1, x2, y2 in (index.box for index in card.indices)]
        inside = [any(_inside(box, *middle) for box in there.boxes) for middle in middles]
        return sum(inside) / max(len(inside), 1)

    found = [card for card in reading.cards if here(card) > 0]
    return max(found, key=lambda card: (round(here(card), 3), card.card == there.card), default=None)


def _zone_kind(zone: str) -> str:
    """A zone without what a photo numbers freely: melds, and foundations, which the suit names."""
    return zone.split("/")[0] if zone.startswith(("floor", "foundation")) else zone


def _piles(data: object, path: str = "") -> Iterator[tuple[str, str]]:
    """(place, card) of everything in a position's JSON; piles that the rules treat alike go without their number."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key not in ("game", "rules", "id"):
                yield from _piles(value, f"{path}/{key}")
    elif isinstance(data, list | tuple):
        yield from _piles_of_list(data, path)
    elif data is not None:
        yield path, str(data)


def _piles_of_list(data: Sequence[object], path: str) -> Iterator[tuple[str, str]]:
    for number, value in enumerate(filter(None, data) if path in _IN_ORDER else data):
        if path in _LIKE_PILES and isinstance(value, list | tuple):
            yield path, " ".join(str(card) for card in value if card != UNKNOWN)
            yield from ((path, UNKNOWN) for card in value if card == UNKNOWN)  # no photo tells how many lie where
        else:
            yield from _piles(value, path if path in _LIKE_PILES | _LIKE_CARDS else f"{path}/{number}")


def _true_position(truth: PhotoTruth) -> Position[Any]:
    """The true position as the solver has it: hidden cards that its rules imply are filled in."""
    return position_from_json(truth.position)


def _count_wrong(reading: Reading, truth: PhotoTruth) -> tuple[bool, int]:
    """Whether every pile holds the right cards, and how many cards a person would have to correct."""
    data = {} if reading.position is None else reading.position.to_json()
    read, there = Counter(_piles(data)), Counter(_piles(_true_position(truth).to_json()))
    extra, missing = read - there, there - read
    return not extra and not missing, max(extra.total(), missing.total())


def is_exact(reading: Reading, truth: PhotoTruth) -> bool:
    """Whether a reading is the true position in everything."""
    return _count_wrong(reading, truth)[0] and _same_melds(reading, truth)


def _same_melds(reading: Reading, truth: PhotoTruth) -> bool:
    """Whether melds are split as they are on the table; other games have told it all by `_count_wrong`."""
    if reading.position is None or truth.position is None:
        return False
    melds = [
        Counter(tuple(sorted(meld)) for meld in data.get("floor", []))
        for data in (reading.position.to_json(), truth.position)
    ]
    return melds[0] == melds[1]


def _verdicts(reading: Reading, truth: PhotoTruth, time_limit: float) -> dict[str, Any]:
    """The solver's answers on the read and the true position, both under the true rules: no photo shows those.

    Both are what a photo can show: what is hidden in the truth is hidden from the solver too. Two verdicts agree if
    they are the same word. Where cards are hidden the answers are shares of deals that can be won; they agree if they
    differ by at most `AGREE`, a verdict counting as a share of 0 or 1. Each answer is given the same time.
    """
    limits = Limits(time=time_limit)
    true_position = _true_position(truth)
    ruled = reading.with_rules((truth.position or {}).get("rules"))
    if ruled.position is not None and ruled.position == true_position:
        return {"verdict_agrees": True}
    true_answer = _answer(true_position, limits)
    judged = judge(ruled, limits)
    read_answer = judged.answer if judged.answer is not None else judged.error
    row: dict[str, Any] = {
        "verdict_true": _describe_answer(true_answer),
        "verdict_read": _describe_answer(read_answer),
        "verdict_agrees": agree(read_answer, true_answer),
    }
    if judged.verdict_probability is not None:
        row["verdict_probability"] = round(judged.verdict_probability, 4)
    return row


def _answer(position: Position[Any], limits: Limits) -> Solution | Estimate | str:
    """The solver's answer, or why there is none."""
    try:
        return answer(position, limits)
    except CardsError as error:
        return str(error)


def agree(first: Solution | Estimate | str, second: Solution | Estimate | str) -> bool:
    """Whether two answers say the same, see `_verdicts`; no answer (its reason) agrees with nothing.

    >>> from solver.solution import Estimate
    >>> likely, unlikely = (Estimate.from_counts(wins, 100, seed=0, what="deals won") for wins in (93, 40))
    >>> agree(likely, likely), agree(likely, unlikely), agree("not legal", likely)
    (True, False, False)
    """
    if isinstance(first, Solution) and isinstance(second, Solution):
        return first.verdict == second.verdict
    if isinstance(first, str) or isinstance(second, str):
        return False
    shares = [
        found.mean if isinstance(found, Estimate) else {"win": 1.0, "no_win": 0.0}.get(str(found.verdict), math.nan)
        for found in (first, second)
    ]
    return abs(shares[0] - shares[1]) <= AGREE


def _describe_answer(found: Solution | Estimate | str) -> str:
    """A verdict's word, an estimate's share, or why there is no answer."""
    if isinstance(found, str):
        return f"none ({found})"
    return f"about {found.mean:.2f}" if isinstance(found, Estimate) else str(found.verdict)
