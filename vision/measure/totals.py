"""The figures of an evaluation, in one pass over its rows. Memory holds counts, sums and some numbers a photo."""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from solver.solution import wilson
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.measure.metrics import Calibration, proportion

ALL: Final = "all games"
STANDS: Final = f"positions exact of those said to stand with {WHOLE_STANDS_FROM:.0%} or more"
SAID: Final = "exact positions said to stand"
UNASKED: Final = "not said to stand and nothing asked"
WORST: Final = 12
"""Photos kept to be shown."""
ERRORS: Final = 100
"""Photos that could not be evaluated which are kept to be named; all are counted, and all stand in the rows."""
EDGES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0001)
"""Confidences between which the calibration plot counts."""
Row = Mapping[str, Any]

_COUNTED: Final = {
    "exact": "exact positions",
    "exact_auto": "exact positions, game not told",
    "exact_without_decoding": "exact positions without decoding",
    "silently_wrong": "wrong without a question",
    "verdict_agrees": "verdict agrees",
}
_RATIOS: Final = {
    "card precision": ("cards_right", "cards_found"),
    "card recall": ("cards_right", "cards_there"),
    "precision of different cards": ("cards_right_distinct", "cards_found_distinct"),
    "rank right": ("ranks_right", "cards_there"),
}


class Totals:
    """Takes rows of `vision.measure.one_photo.evaluate_photo` one by one and gives the summary.

    What it holds does not grow with the photos but for eight bytes a photo and stage of its time.

    Attributes:
        calibration: Confidence against accuracy, in bins of equal width.
        plotted: The same between `EDGES`.
        standing: Probability that a position stands against its being exact, between `EDGES`.
        none: Probability that a photo shows none of our games against its showing none, between `EDGES`.
        errors: (photo, error) of the first photos that could not be evaluated.

    >>> totals = Totals()
    >>> totals.add({"photo": "a.jpg", "error": "", "game_right": True, "seconds_read": 0.2})
    >>> totals.add({"photo": "b.jpg", "error": "no ground truth beside the photo"})
    >>> totals.summary()["lines"][:2]
    ['photos: 2, of which 1 could not be evaluated', 'game told right: 100.0% [20.7, 100.0] (1/1)']
    """

    def __init__(self) -> None:
        self.calibration = Calibration()
        self.plotted = Calibration(EDGES)
        self.standing = Calibration(EDGES)
        self.none = Calibration(EDGES)
        self.errors: list[tuple[str, str]] = []
        self._rows = self._bad = 0
        self._shares: dict[str, list[int]] = {}
        self._games: set[str] = set()
        self._sure = [0, 0]
        self._precision: list[float] = [0.0, 0.0]
        self._recall: list[float] = [0.0, 0.0]
        self._confusions: Counter[tuple[str, str]] = Counter()
        self._seconds: dict[str, array[float]] = {}
        self._worst: list[tuple[float, int, Row]] = []

    def add(self, row: Row) -> None:
        """Counts a row."""
        self._rows += 1
        if row.get("error"):
            self._bad += 1
            if len(self.errors) < ERRORS:
                self.errors.append((row["photo"], row["error"]))
            return
        self._count_ratios(row)
        self._count_boxes(row)
        if row.get("game"):
            self._count_game(row)
        self._count_choice(row)
        if "readable" in row:
            self._share("readable", bool(row["readable"]))
        if "zones_right" in row and "zones_seen" in row:
            self._share("zone right", row["zones_right"], row["zones_seen"])
        self._count_cards(row)
        self._count_seconds(row)
        self._keep_if_worst(row)

    def _count_ratios(self, row: Row) -> None:
        for name, (top, bottom) in _RATIOS.items():
            if top in row and bottom in row:
                self._share(name, row[top], row[bottom])

    def _count_seconds(self, row: Row) -> None:
        for key, value in row.items():
            if key.startswith("seconds_"):
                self._seconds.setdefault(key.removeprefix("seconds_"), array("d")).append(value)

    def _count_boxes(self, row: Row) -> None:
        """Counts the cards of a photo whose label holds no position."""
        if "cards_exact" in row:
            self._share("photos with every visible card right and nothing extra", bool(row["cards_exact"]))
            _mean(self._precision, row["cards_right"], row["cards_found"])
            _mean(self._recall, row["cards_right"], row["cards_there"])

    def _count_choice(self, row: Row) -> None:
        """Counts whether the game (or none) was told rightly, and whether a position said to be right is so."""
        if "game_right" in row:
            self._share("game told right", bool(row["game_right"]))
        if "none_told" in row:
            self._share("no game: recognised", bool(row["none_told"]))
            if "none_said" in row:
                self._share("no game: a verdict given", bool(row["none_said"]))
        if "chance_of_none" in row:
            self.none.add(row["chance_of_none"], not row.get("game"))
        if "stands" in row:
            self.standing.add(row["stands"], bool(row["exact_auto"]))
            stands = row["stands"] >= WHOLE_STANDS_FROM
            if stands:
                self._share(STANDS, bool(row["exact_auto"]))
            if row["exact_auto"]:
                self._share(SAID, stands)
            self._share(UNASKED, not stands and not row.get("asked", 1))

    def _count_cards(self, row: Row) -> None:
        """Counts how sure each card was and whether it was right, and which card was taken for which."""
        for was, said, confidence, right in row.get("pairs", ()):
            self.calibration.add(confidence, right)
            self.plotted.add(confidence, right)
            if confidence >= PART_SURE_FROM:
                self._sure[0] += not right
                self._sure[1] += 1
            if not right:
                self._confusions[str(was), str(said)] += 1

    def _count_game(self, row: Row) -> None:
        if "wrong_cards" in row:
            self._games.add(row["game"])
        for game in (row["game"], ALL):
            for key, name in _COUNTED.items():
                if key in row:
                    self._share(f"{game}: {name}", bool(row[key]))
            if "wrong_cards" in row:
                self._share(f"{game}: at most one card wrong", row["wrong_cards"] <= 1)

    def _share(self, name: str, right: int, of: int = 1) -> None:
        count = self._shares.setdefault(name, [0, 0])
        count[0] += int(right)
        count[1] += of

    def _keep_if_worst(self, row: Row) -> None:
        wrong = wrongness(row)
        if wrong > 0:
            entry = (wrong, -self._rows, row)  # of equals the first one stays
            if len(self._worst) < WORST:
                heapq.heappush(self._worst, entry)
            else:
                heapq.heappushpop(self._worst, entry)

    def worst(self) -> list[Row]:
        """The rows with most wrong, the worst first."""
        return [row for *_, row in sorted(self._worst, key=lambda entry: entry[:2], reverse=True)]

    def summary(self) -> dict[str, Any]:
        """Figures over all rows: each proportion as [right, of] with its 95% Wilson interval."""
        shares = self._ordered_shares()
        means = {
            f"mean {name} of a photo": total / count
            for name, (total, count) in (("precision", self._precision), ("recall", self._recall))
            if count
        }
        summary: dict[str, Any] = {
            "photos": self._rows,
            "errors": self._bad,
            "shares": {name: _interval(*count) for name, count in shares.items()},
            "means": means,
            "standing": [
                {"from": low, "to": min(high, 1.0), "exact": right, "of": of}
                for low, high, right, of in zip(
                    self.standing.edges, self.standing.edges[1:], self.standing.right, self.standing.count, strict=False
                )
                if of
            ],
            "calibration_error": self.calibration.error if self.calibration.n else None,
            "confusions": [[*pair, n] for pair, n in self._confusions.most_common(40)],
            "rank_confusions": _parts(self._confusions, 0),
            "suit_confusions": _parts(self._confusions, 1),
            "seconds": {
                stage: {"median": float(np.median(spent)), "p95": float(np.percentile(spent, 95))}
                for stage, spent in self._seconds.items()
            },
        }
        return summary | {"lines": _lines(summary)}

    def _ordered_shares(self) -> dict[str, list[int]]:
        names = [*_RATIOS, "photos with every visible card right and nothing extra"]
        for game in [*sorted(self._games), *([ALL] if len(self._games) > 1 else [])]:
            names += [f"{game}: {name}" for name in list(_COUNTED.values())[:3]]
            names += [f"{game}: at most one card wrong"]
            names += [f"{game}: {_COUNTED[key]}" for key in ("silently_wrong", "verdict_agrees")]
        names += [
            "game told right",
            "no game: recognised",
            "no game: a verdict given",
            "zone right",
            STANDS,
            SAID,
            UNASKED,
            "readable",
        ]
        found = {name: self._shares[name] for name in names if name in self._shares}
        return found | (
            {f"wrong among cards at confidence >= {PART_SURE_FROM}": self._sure} if self.calibration.n else {}
        )


def wrongness(row: Row) -> float:
    """How many cards of a photo a person would have to correct; half a card for right cards in wrong melds."""
    if row.get("error"):
        return 0.0
    if "wrong_cards" in row:
        return float(row["wrong_cards"]) + (0.0 if row["exact"] else 0.5)
    if "cards_there" not in row:
        return 0.0
    missed = row["cards_there"] - row.get("cards_right", row.get("ranks_right", 0))
    extra = row["cards_found"] - row["cards_right"] if "cards_right" in row else 0
    return float(missed + extra)


def _mean(total: list[float], right: int, of: int) -> None:
    total[0] += right / of if of else 1.0
    total[1] += 1


def _interval(right: int, of: int) -> dict[str, Any]:
    low, high = wilson(right, of)
    return {"right": right, "of": of, "share": right / of if of else None, "low": low, "high": high}


def _parts(confusions: Counter[tuple[str, str]], part: int) -> list[list[Any]]:
    """How often each rank (part 0) or suit (part 1) was taken for another."""
    counts: Counter[tuple[str, str]] = Counter()
    for (was, said), n in confusions.items():
        if len(was) == len(said) == 2 and was[part] != said[part]:
            counts[was[part], said[part]] += n
    return [[*pair, n] for pair, n in counts.most_common(20)]


def _lines(summary: Mapping[str, Any]) -> list[str]:
    lines = [f"photos: {summary['photos']}, of which {summary['errors']} could not be evaluated"]
    lines += [f"{name}: {proportion(share['right'], share['of'])}" for name, share in summary["shares"].items()]
    lines += [f"{name}: {value:.4f}" for name, value in summary["means"].items()]
    if summary["standing"]:
        bins = (f"{b['from']:g} to {b['to']:g}: {b['exact']} of {b['of']}" for b in summary["standing"])
        lines.append(f"positions exact, by the probability that they stand: {', '.join(bins)}")
    if summary["calibration_error"] is not None:
        lines.append(f"expected calibration error of the cards: {summary['calibration_error']:.4f}")
    if summary["confusions"]:
        shown = ", ".join(f"{was} as {said} ({n})" for was, said, n in summary["confusions"][:8])
        lines.append(f"most confused: {shown}")
    spent = ", ".join(f"{stage} {1000 * t['median']:.0f} ms" for stage, t in summary["seconds"].items())
    return [*lines, f"median time: {spent}"] if spent else lines
