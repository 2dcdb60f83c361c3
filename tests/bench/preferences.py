"""Prints what the log prices, odds and doubts in `models/preferences.json` are worth, and fits them by likelihood.

    for GAME in klondike cards makiaveli; do
      python -m datasets --game $GAME -n 60 --split validation --part train --size 1600 --seed 3401 --out out/fit/$GAME
    done
    python -m tests.bench.preferences out/fit/*

The networks look at each photo once; what they say is kept beside it (`NAME.seen`). Then the tables are read again with
each preference at other values, the rest as they are. Printed is how many nats more the truth costs with each value, of
all tables together: what is above 0 speaks for the value in the code. The truth of a table is its game and position: it
costs the logarithm of the probability that the reading gives to it.

`--fit` tries other values of each preference in turn, takes those that the tables speak for, prints the same for them,
and writes the file anew. `--report` prints how many positions of each probability are exact instead.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from tqdm import tqdm

from vision.cards.assembly import SeenTable
from vision.cards.geometry import Array
from vision.confidence import chance_of_whole
from vision.image import load
from vision.layout.game_choice import Choice, choose_game, parse_as, predict_layout
from vision.layout.vocabulary import CARDS, GAMES
from vision.measure.labels import PhotoTruth, truth_of
from vision.measure.one_photo import is_exact
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
from vision.photo_to_reading import UNREAD_DOUBT, _ask_about_unread_faces, _doubts, detect_and_read, see_table
from vision.preferences import FILE, read_preferences
from vision.question import chance_without

Values = Mapping[str, Mapping[str, float]]
"""By module without `vision.`, then by name."""

LEAST_CHANCE: Final = 0.002
"""What is not listed among the likely readings has this share of what is left: nobody knows it better."""
FACTORS: Final = (1e-9, 0.5, 2.0)
"""The first one is as good as nothing."""
STEPS: Final = (0.7, 0.85, 1.2, 1.4)
"""Times its value that a preference is tried at, one after the other."""
LEAST_GAIN_NATS: Final = 0.2
"""A value that gains less is not taken: it would be of these tables."""
NOT_FITTED: Final = ("SHARED_DOUBT", "no_game_log_odds")
"""Tables of families in training do not tell these: how often photos are unlike them all, what a wrong answer costs."""
PRIOR_NATS: Final = 1.0
"""What it costs to double or halve a preference: one that hardly any table tells of stays as it was."""


@dataclass(slots=True, eq=False)
class Remembered:
    """Counts cards face down as often as asked, and looks once.

    Attributes:
        count: What looks; None once all has been looked at.
        known: What was found in which strips.
    """

    count: Callable[[Array], Array] | None
    known: dict[bytes, Array] = field(default_factory=dict)

    def __call__(self, regions: Array) -> Array:
        """What `BackCounter.count` says; of strips that nobody looked at, nothing."""
        name = np.asarray(regions).round(1).tobytes()
        if self.count is not None:
            self.known.setdefault(name, self.count(regions))
        return self.known.get(name, np.full((len(regions), MOST + 1), -np.log(MOST + 1)))


@dataclass(frozen=True, slots=True)
class Seen:
    """A photo as the networks saw it.

    Attributes:
        truth: What it shows.
        table: Its cards.
        layout: What the layout network said of it before anything was counted.
        unread: How many faces were seen that no card explains.
    """

    truth: PhotoTruth
    table: SeenTable
    layout: Layout
    unread: int

    def again(self) -> SeenTable:
        """The table, of which nothing is known but what the networks said."""
        table = replace(self.table)
        table.once("layout", lambda: self.layout)
        return table


def see(photo: Path) -> Seen | None:
    """What the networks say of a photo: read from beside it, or found and kept there; None without a truth."""
    kept = photo.with_suffix(".seen")
    if kept.is_file():
        return pickle.loads(kept.read_bytes())
    image = load(photo)
    truth = truth_of(photo, (image.shape[1], image.shape[0]))
    if truth is None:
        return None
    found = detect_and_read(image)
    table = see_table(found)
    counter = Remembered(table.count_backs)
    table = replace(table, count_backs=counter)
    choose_game(table)
    if truth.game in GAMES:
        parse_as(truth.game, table)
    counter.count = None
    seen = Seen(
        truth,
        replace(table),
        table.once("layout", lambda: predict_layout(table)),
        len(_ask_about_unread_faces(table, found)),
    )
    kept.write_bytes(pickle.dumps(seen))
    return seen


def measure(seen: Seen) -> tuple[float, float, bool]:
    """The logarithm of the truth's probability, the probability that the reading stands, and whether it is right."""
    choice = choose_game(seen.again())
    if seen.truth.game is None:
        none = choice.chance if choice.parsed is None or choice.parsed.game == CARDS else 1 - choice.chance
        return float(np.log(max(none, LEAST_CHANCE))), none, none > 0.5
    stands = chance_of_whole(chance_without(_doubts(choice)) * (1 - UNREAD_DOUBT) ** seen.unread)
    return *_weigh(choice, stands, seen.truth), _is_truth(choice, seen.truth)


def _weigh(choice: Choice, stands: float, truth: PhotoTruth) -> tuple[float, float]:
    """The logarithm of the true position's probability, and the probability of what was read, 0 if it is illegal."""
    parsed = choice.parsed
    if parsed is None or parsed.position is None or parsed.position.problems():
        return float(np.log(LEAST_CHANCE)), 0.0
    if _is_truth(choice, truth):
        return float(np.log(max(stands, LEAST_CHANCE))), stands
    others = [(float(np.exp(relative)), other) for relative, other in parsed.readings if not other.problems()]
    true = sum(weight for weight, other in others if is_exact(cast(Any, replace(parsed, position=other)), truth))
    share = true / max(1.0, sum(weight for weight, _ in others))
    return float(np.log(max((1 - stands) * share, LEAST_CHANCE))), stands


def _is_truth(choice: Choice, truth: PhotoTruth) -> bool:
    return choice.parsed is not None and choice.parsed.game == truth.game and is_exact(cast(Any, choice.parsed), truth)


@contextmanager
def changed(module: str, name: str, value: float) -> Iterator[None]:
    """Another value of a preference, wherever it is used."""
    found = import_module(f"vision.{module}")
    first = name if name.isupper() else "TUNING"
    own = getattr(found, first)
    new = value if name.isupper() else replace(own, **{name: value})
    users = [m for n, m in list(sys.modules.items()) if n.startswith("vision") and getattr(m, first, None) is own]
    if name.isupper():
        users = [m for n, m in list(sys.modules.items()) if n.startswith("vision") and hasattr(m, first)]
    for user in users:
        setattr(user, first, new)
    try:
        yield
    finally:
        for user in users:
            setattr(user, first, own)


def about(tables: Sequence[Seen], module: str) -> list[Seen]:
    """The tables that a module's preferences are about: those of one game are weighed on its tables alone."""
    game = module.rpartition(".")[2]
    return [seen for seen in tables if game not in GAMES or seen.truth.game == game]


def cost_of(tables: Sequence[Seen], module: str, name: str, value: float) -> tuple[float, int]:
    """Nats that the truth costs with a preference at a value, and how many tables are right."""
    with changed(module, name, value):
        rows = [measure(seen) for seen in tables]
    return -sum(row[0] for row in rows), sum(row[2] for row in rows)


def print_costs(tables: Sequence[Seen], values: Values) -> None:
    """Prints what each preference is worth."""
    print(f"{'preference':50} {'value':>7}  " + "".join(f"{factor:>15.1f} x" for factor in FACTORS))
    for module, name, value in listed(values):
        if own := about(tables, module):
            before, right = cost_of(own, module, name, value)
            rows = [cost_of(own, module, name, value * factor) for factor in FACTORS]
            cells = [f"{cost - before:+9.2f} ({there - right:+d})" for cost, there in rows]
            print(f"{module + '.' + name:50} {value:7g}  " + "".join(f"{cell:>17}" for cell in cells), flush=True)


def fit(tables: Sequence[Seen], values: Values) -> Values:
    """The values that the tables speak for, one preference after the other, the others as they were fitted so far."""
    fitted = {module: dict(own) for module, own in values.items()}
    with ExitStack() as stack:
        for module, name, start in tqdm(list(listed(values)), desc="fitting"):
            own = about(tables, module)
            if name in NOT_FITTED or not own:
                continue
            best, least = start, cost_of(own, module, name, start)[0]
            for tried in (start * step for step in STEPS):
                prior = PRIOR_NATS * float(np.log2(tried / start)) ** 2
                if (cost := cost_of(own, module, name, tried)[0] + prior) < least - LEAST_GAIN_NATS:
                    best, least = tried, cost
            fitted[module][name] = float(f"{best:.3g}")
            stack.enter_context(changed(module, name, fitted[module][name]))
    return fitted


def listed(values: Values) -> Iterator[tuple[str, str, float]]:
    """Each preference: module, name, value."""
    return ((module, name, value) for module, own in values.items() for name, value in own.items())


def print_curve(tables: Sequence[Seen]) -> None:
    """Prints how many positions of each probability are exact."""
    rows = [measure(seen) for seen in tables if seen.truth.position is not None]
    said, right = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)):
        here = (said >= low) & (said < high)
        if here.any():
            mean = float(said[here].mean())
            print(
                f"  said {low:.2f} to {min(high, 1):.2f} (mean {mean:.3f}): exact {right[here].sum()} of {here.sum()}"
            )


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="rendered tables of one game")
    parser.add_argument("--fit", action="store_true", help=f"fit the preferences and write {FILE.name}")
    parser.add_argument("--report", action="store_true", help="print how many positions of each probability are exact")
    options = parser.parse_args()
    photos = [photo for folder in options.folders for photo in sorted(folder.glob("*.jpg"))]
    looked = [seen for photo in tqdm(photos, desc="looking") if (seen := see(photo)) is not None]
    tables = [seen for seen in looked if seen.truth.game is None or seen.truth.position is not None]
    rows = [measure(seen) for seen in tables]
    cost, right = -sum(row[0] for row in rows), sum(row[2] for row in rows)
    print(f"{len(tables)} tables, right {right}, the truth costs {cost:.2f} nats")
    values = read_preferences()
    if options.report:
        print_curve(tables)
        return
    if options.fit:
        values = fit(tables, values)
        FILE.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    with ExitStack() as stack:
        for preference in listed(values):
            stack.enter_context(changed(*preference))
        print_costs(tables, values)


if __name__ == "__main__":
    main()
