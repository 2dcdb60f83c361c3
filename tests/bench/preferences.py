"""Prints what the log prices, odds and doubts in `models/preferences.json` are worth, and fits them by likelihood.

    R="python -m datasets --size 1600 --split validation --part train --seed 3401"
    for GAME in klondike cards makiaveli; do $R --game $GAME -n 60 --out out/fit/$GAME; done
    $R --game makiaveli --views 2 --cards 40 80 -n 14 --out out/fit/views
    python -m tests.bench.preferences out/fit/*

The networks look at each photo once; what they say is kept beside it (`NAME.seen`, `NAME.networks`). Then the tables
are read again with each preference at other values, the rest as they are. Printed is how many nats more the truth costs
with each value, of all tables together: what is above 0 speaks for the value in the code.

What the truth is depends on the preference. Of layouts and doubts it is a table's game and position, which cost the
logarithm of the probability that the reading gives to them. Of how indices become cards it is the cards of a photo, and
of how photos are joined the cards of a table in several photos (`card_likelihood.py`).

`--fit` tries other values of each preference in turn, takes those that the tables speak for, prints the same for them,
and writes the file anew. Each cost is kept in `preference_costs.jsonl` beside the folders as soon as it is known, so a
run that was stopped goes on where it was. `--report` prints how many positions of each probability are exact instead.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from tqdm import tqdm

from plumbing.files import whole_file
from tests.bench.card_likelihood import LEAST_CHANCE, Photo, cost_of_photo, cost_of_table
from vision import reading_doubts
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenTable
from vision.confidence import chance_of_whole
from vision.image import load
from vision.layout.game_choice import Choice, _strips, choose_game, parse_as, predict_layout
from vision.layout.game_layout import layout_of
from vision.layout.vocabulary import CARDS, GAMES
from vision.measure.labels import TABLE, PhotoTruth, photos_of_table, truth_of
from vision.measure.one_photo import is_exact
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
from vision.photo_to_table import detect_and_read, see_table
from vision.preferences import FILE, read_preferences
from vision.question import chance_without
from vision.reading_doubts import ask_about_unread_faces, doubts_of

Values = Mapping[str, Mapping[str, float]]
"""By module without `vision.`, then by name."""

FACTORS: Final = (1e-9, 0.5, 2.0)
"""Times its value that the cost of a preference is printed at. The first one is as good as nothing."""
STEPS: Final = (0.5, 2.0)
"""Times its value that a preference is tried at, and again where one of these is taken."""
FINE_STEPS: Final = (0.7, 1.4)
"""Times the value taken that is tried then."""
LEAST_GAIN_NATS: Final = 0.2
"""A value that gains less is not taken, whichever single table is left out: it would be of that table."""
NOT_FITTED: Final = (
    *("SHARED_DOUBT", "UNREAD_DOUBT", "no_game_log_odds", "index_log_odds", "reader_weight", "detector_weight"),
    *("length_weight", "rank_weight", "suit_weight", "doubtful_near_weight", "good_near_weight"),
)
"""Rendered tables of families in training do not tell these: how often photos are unlike them all, what a wrong answer
costs, and what lies about on a real table and looks like an index (`index_chance.py` fits that, on photos too)."""
PRIOR_NATS: Final = 1.0
"""What it costs to double or halve a preference: one that hardly any table tells of stays as it was."""
MOST_DOUBT: Final = 0.98
"""No probability is tried at more."""
EVERY: Final = 2
"""Of so many photos one tells how its indices become cards: each has many of them."""
GAMES_OF: Final = {
    "layout.klondike": ("klondike",),
    "layout.klondike_columns": ("klondike",),
    "layout.klondike_squared": ("klondike",),
    "layout.makiaveli": ("makiaveli",),
    "layout.lines_of_cards": ("makiaveli",),
    "layout.tombs": ("tomb_single", "tomb_double"),
}
"""The games that a module is about; all others are about every table."""


class Table(Protocol):
    """What a truth is known of."""

    @property
    def name(self) -> str:
        """Its name."""

    def depends_on(self, module: str) -> bool:
        """Whether the preferences of a module may change its cost."""

    def cost(self) -> tuple[float, bool]:
        """Nats that the truth costs with the preferences in force, and whether it is what is read."""


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
        name: The photo's.
        truth: What it shows.
        table: Its cards.
        layout: What the layout network said of it before anything was counted.
        unread: How many faces were seen that no card explains.
    """

    name: str
    truth: PhotoTruth
    table: SeenTable
    layout: Layout
    unread: int

    def depends_on(self, module: str) -> bool:
        """Whether the preferences of a module may change its cost."""
        return not module.startswith("cards.")

    def cost(self) -> tuple[float, bool]:
        """Nats that its game and position cost, and whether they are right."""
        log_chance, _, right = measure(self)
        return -log_chance, right

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
        photo.stem,
        truth,
        replace(table),
        table.once("layout", lambda: predict_layout(table)),
        len(ask_about_unread_faces(table, found)),
    )
    kept.write_bytes(pickle.dumps(seen))
    return seen


def measure(seen: Seen) -> tuple[float, float, bool]:
    """The logarithm of the truth's probability, the probability that the reading stands, and whether it is right."""
    choice = choose_game(seen.again())
    if seen.truth.game is None:
        none = choice.chance if choice.parsed is None or choice.parsed.game == CARDS else 1 - choice.chance
        return float(np.log(max(none, LEAST_CHANCE))), none, none > 0.5
    stands = chance_of_whole(chance_without(doubts_of(choice)) * (1 - reading_doubts.UNREAD_DOUBT) ** seen.unread)
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


@dataclass(frozen=True, slots=True)
class CardsOfPhoto:
    """A photo of which the cards are told."""

    photo: Photo

    @property
    def name(self) -> str:
        """The photo's name."""
        return f"cards of {self.photo.file.stem}"

    def depends_on(self, module: str) -> bool:
        """Whether the preferences of a module may change its cost."""
        return module.startswith("cards.") and module != "cards.joining"

    def cost(self) -> tuple[float, bool]:
        """Nats that its cards cost, and whether all are right."""
        return cost_of_photo(self.photo)


@dataclass(frozen=True, slots=True)
class CardsOfTable:
    """Photos of one table of which the cards are told."""

    photos: tuple[Photo, ...]

    @property
    def name(self) -> str:
        """The name of the folder."""
        return f"cards of {self.photos[0].file.parent.name}"

    def depends_on(self, module: str) -> bool:
        """Whether the preferences of a module may change its cost."""
        return module.startswith("cards.")

    def cost(self) -> tuple[float, bool]:
        """Nats that its cards cost, and whether all are right."""
        return cost_of_table(self.photos)


@contextmanager
def in_force(values: Values) -> Iterator[None]:
    """Other values of preferences, wherever they are used."""
    before: list[tuple[Any, str, Any]] = []
    tunings = {name: tuning_of(name) for name in values}
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "vision"]
    try:
        for name, own in values.items():
            for constant, value in own.items():
                if constant.isupper():
                    before += [(m, constant, getattr(m, constant)) for m in modules if hasattr(m, constant)]
                    for module in modules:
                        if hasattr(module, constant):
                            setattr(module, constant, value)
            tuned = {field_name: value for field_name, value in own.items() if not field_name.isupper()}
            if not tuned:
                continue
            old = tunings[name]
            users = [(m, at) for m in modules for at, held in vars(m).items() if held is old]
            before += [(module, at, old) for module, at in users]
            for module, at in users:
                setattr(module, at, replace(old, **tuned))
        yield
    finally:
        for module, at, old in reversed(before):
            setattr(module, at, old)


def tuning_of(name: str) -> Any:
    """The numbers of a module or package of `vision`; None where it has single constants."""
    owner = import_module(f"vision.{name}")
    if hasattr(owner, "__path__"):  # a package
        owner = import_module(f"vision.{name}.tuning")
    return getattr(owner, "TUNING", None)


def with_value(values: Values, module: str, name: str, value: float) -> Values:
    """The values with another one for a preference."""
    return {own: dict(row) | ({name: value} if own == module else {}) for own, row in values.items()}


def scaled(name: str, value: float, factor: float) -> float:
    """A preference times a factor; a probability stays one."""
    likely = name.lower().endswith(("doubt", "chance", "share", "factor"))
    return min(value * factor, MOST_DOUBT) if likely else value * factor


def about(tables: Sequence[Table], module: str) -> list[Table]:
    """The tables that a module's preferences are about."""
    if module == "cards.joining":
        return [table for table in tables if isinstance(table, CardsOfTable)]
    if module.startswith("cards."):
        return [table for table in tables if isinstance(table, CardsOfPhoto)]
    games = GAMES_OF.get(module, (*GAMES, None))
    return [table for table in tables if isinstance(table, Seen) and table.truth.game in games]


@dataclass(slots=True)
class Costs:
    """What the truth of tables costs with values of all preferences, and which tables are right.

    Attributes:
        file: Where costs are kept.
        known: By what they are costs of: nats, and whether it is right, of each table.
        code: Digest of the code: a cost is that of the code which gave it.
    """

    file: Path
    known: dict[str, tuple[list[float], list[bool]]] = field(default_factory=dict)
    code: str = ""

    @classmethod
    def open(cls, file: Path) -> Costs:
        """The costs that are kept in a file."""
        code = [*Path(reading_doubts.__file__).parent.rglob("*.py"), *Path(__file__).parent.glob("*.py")]
        parts = [path.read_bytes() for path in sorted(code)]
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []
        known = {row["of"]: (row["nats"], row["right"]) for row in rows}
        return cls(file, known, hashlib.sha256(b"".join(parts)).hexdigest())

    def of(self, tables: Sequence[Table], values: Values) -> tuple[float, int]:
        """Of some tables together."""
        nats, right = self._kept(tables, values)
        return sum(nats), sum(right)

    def by_table(self, tables: Sequence[Table], values: Values) -> Array:
        """(n,) nats of each table."""
        return np.array(self._kept(tables, values)[0])

    def _kept(self, tables: Sequence[Table], values: Values) -> tuple[list[float], list[bool]]:
        weighed = {name: row for name, row in values.items() if any(table.depends_on(name) for table in tables)}
        told = json.dumps([self.code, [table.name for table in tables], weighed])
        name = hashlib.sha256(told.encode()).hexdigest()
        if name not in self.known:
            with in_force(values):
                rows = [table.cost() for table in tables]
            self.known[name] = [round(row[0], 4) for row in rows], [row[1] for row in rows]
            nats, right = self.known[name]
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"of": name, "nats": nats, "right": right}) + "\n")
        return self.known[name]


def print_costs(tables: Sequence[Table], values: Values, costs: Costs, only: str = "") -> None:
    """Prints what each preference is worth, or each whose name has `only` in it."""
    print(f"{'preference':50} {'value':>7}  " + "".join(f"{factor:>15.1f} x" for factor in FACTORS))
    chosen = [row for row in listed(values) if only in f"{row[0]}.{row[1]}"]
    for module, name, value in tqdm(chosen, desc="weighing"):
        if own := about(tables, module):
            before, right = costs.of(own, values)
            tried = [with_value(values, module, name, scaled(name, value, factor)) for factor in FACTORS]
            rows = [costs.of(own, others) for others in tried]
            cells = [f"{cost - before:+9.2f} ({there - right:+d})" for cost, there in rows]
            tqdm.write(f"{module + '.' + name:50} {value:7g}  " + "".join(f"{cell:>17}" for cell in cells))


def fit(tables: Sequence[Table], values: Values, costs: Costs) -> Values:
    """The values that the tables speak for, one preference after the other, the others as they were fitted so far."""
    fitted = values
    for module, name, start in tqdm(list(listed(values)), desc="fitting"):
        own = about(tables, module)
        if name in NOT_FITTED or not own:
            continue
        best, known = start, costs.by_table(own, fitted)
        for steps in (STEPS, FINE_STEPS):
            if steps is FINE_STEPS and best == start:
                break
            for tried in [float(f"{scaled(name, best, step):.3g}") for step in steps]:
                found = costs.by_table(own, with_value(fitted, module, name, tried))
                if sure_gain(known, found) - prior_nats(start, tried) + prior_nats(start, best) > LEAST_GAIN_NATS:
                    best, known = tried, found
        fitted = with_value(fitted, module, name, best)
    return fitted


def prior_nats(start: float, tried: float) -> float:
    """What it costs that a preference is another one than before."""
    return PRIOR_NATS * float(np.log2(tried / start)) ** 2


def sure_gain(before: Array, after: Array) -> float:
    """Nats that tables (n,) gain without the one that gains most.

    >>> sure_gain(np.array([5.0, 1.0, 1.0]), np.array([0.0, 0.5, 1.0]))
    0.5
    """
    gains = before - after
    return float(gains.sum() - gains.max(initial=0.0))


def listed(values: Values) -> Iterator[tuple[str, str, float]]:
    """Each preference: module, name, value."""
    return ((module, name, value) for module, own in values.items() for name, value in own.items())


def print_curve(tables: Sequence[Table]) -> None:
    """Prints how many positions of each probability are exact."""
    rows = [measure(seen) for seen in tables if isinstance(seen, Seen) and seen.truth.position is not None]
    said, right = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 1.01)):
        here = (said >= low) & (said < high)
        if here.any():
            mean = float(said[here].mean())
            print(
                f"  said {low:.2f} to {min(high, 1):.2f} (mean {mean:.3f}): exact {right[here].sum()} of {here.sum()}"
            )


def print_counts(tables: Sequence[Table]) -> None:
    """Prints what becomes of columns of which the counter of backs gives another number than the deal."""
    rows = np.array([row for seen in tables if isinstance(seen, Seen) for row in _other_counts(seen)])
    for low, high in ((0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        own = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        taken, right, deal = (int(own[:, k].sum()) for k in (1, 2, 3))
        print(
            f"  another number than the deal's, seen with {low:.2f} to {min(high, 1):.2f}: read so in {taken} of "
            f"{len(own)} columns, as the deal's in {deal}; right {right}"
        )


def _other_counts(seen: Seen) -> Iterator[tuple[float, bool, bool, bool]]:
    """Of columns that seem to hide another number than the deal's: how surely, and if it is read, right, the deal's."""
    if seen.truth.game != "klondike" or seen.truth.position is None:
        return
    table = seen.again()
    finder, parsed = layout_of("klondike").columns, parse_as("klondike", table)
    if finder is None or parsed.position is None:
        return
    first, toward = finder(table, predict_layout(table))
    read, true = parsed.position.to_json()["columns"], seen.truth.position["columns"]
    places = {placed.seen: placed.place.number for placed in parsed.placed if placed.place.kind == "column"}
    for row, hides in zip(first, np.exp(counted(table, first, toward)) if first else (), strict=True):
        number = places.get(row)
        told = int(hides.argmax())
        if number is not None and read[number]["up"] == true[number]["up"] and told not in (0, number):
            taken = len(read[number]["down"])
            yield float(hides.max()), taken == told, taken == len(true[number]["down"]), taken == number


def counted(table: SeenTable, first: list[int], toward: Array) -> Array:
    """(n, MOST + 1) log-probabilities of what the counter of backs sees above columns' first cards."""
    assert table.count_backs is not None
    return table.count_backs(_strips(table, first, toward))


def open_positions(folders: Sequence[Path]) -> list[Table]:
    """The photos in some folders that tell of games and positions."""
    photos = [photo for folder in folders for photo in sorted(folder.glob("*.jpg"))]
    looked = [seen for photo in tqdm(photos, desc="looking") if (seen := see(photo)) is not None]
    return [seen for seen in looked if seen.truth.game is None or seen.truth.position is not None]


def open_cards(folders: Sequence[Path]) -> list[Table]:
    """The photos in some folders, single ones and several of one table, that tell of cards."""
    photos = [photo for folder in folders for photo in sorted(folder.glob("*.jpg"))][::EVERY]
    tables: list[Table] = [CardsOfPhoto(Photo.open(photo)) for photo in tqdm(photos, desc="looking at cards")]
    together = [table for folder in folders for table in sorted(folder.glob(f"*/{TABLE}"))]
    for table in tqdm(together, desc="looking at several photos"):
        tables.append(CardsOfTable(tuple(Photo.open(photo) for photo in photos_of_table(table))))
    return tables


def print_sums(tables: Sequence[Table], values: Values, costs: Costs) -> None:
    """Prints what all costs together."""
    for kind, what in ((Seen, "tables"), (CardsOfPhoto, "photos' cards"), (CardsOfTable, "joined tables' cards")):
        if own := [table for table in tables if isinstance(table, kind)]:
            cost, right = costs.of(own, values)
            print(f"{len(own)} {what}, right {right}, the truth costs {cost:.2f} nats")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="rendered tables, each game's its own")
    parser.add_argument("--fit", action="store_true", help=f"fit the preferences and write {FILE.name}")
    parser.add_argument(
        "--report",
        action="store_true",
        help="print how many positions of each probability are exact, and whether what is seen outweighs the deal",
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="print what those are worth whose name has TEXT in it"
    )
    options = parser.parse_args()
    folders = [folder for folder in options.folders if folder.is_dir()]
    if not folders:
        parser.error("none of these is a folder")
    tables, values = open_positions(folders), read_preferences()
    if options.report:
        print_curve(tables)
        print_counts(tables)
        return
    tables += open_cards(folders)
    costs = Costs.open(folders[0].parent / "preference_costs.jsonl")
    print_sums(tables, values, costs)
    if options.fit:
        values = fit(tables, values, costs)
        with whole_file(FILE) as path:
            path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        print_sums(tables, values, costs)
    print_costs(tables, values, costs, options.only)


if __name__ == "__main__":
    main()
