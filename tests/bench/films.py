"""Prints how films of large tables are read: `python -m tests.bench.films --out out/films`.

Tables of Makiaveli with 60 to 104 cards, laid in ways that no training sees and with test decks, are filmed (sweep,
zigzag, approach, in turns) and read. Beside them stand the same tables from one photo and from two, of 12 megapixels.
Films that are there already are not rendered again, and readings are kept, so a stopped run goes on.
`--split validation --part train` is for looking at what goes wrong.

    python -m tests.bench.films --pairs --out out/pairs
    python -m tests.bench.films --photos DIR --out out/films_over_photos
    python -m tests.bench.films --traced out/traced_films
    python -m tests.bench.films --real pan_1.mp4 --truth truth.json
    python -m tests.bench.films --time --out out/films

The first reads pairs of photos of Klondike tables, each alone and both together. The second films labelled photos, as
if they lay on a table, and reads films and photos. The third reads films that `datasets.path_traced --films` traced,
and names those that are not exact. The fourth says what was found of the cards that a film shows as its list says, and
the last what a film of 15 s and 1080p takes, or one that is named.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import numpy as np
from tqdm import tqdm

from datasets.games.makiaveli import crowded_position
from datasets.layouts import Part, families
from datasets.scenes.films import WAYS, film_photo, film_table, write_film
from datasets.scenes.several_photos import LaidTable, lay_table, views
from datasets.splits import SPLITS
from vision.film.film_to_reading import read_film
from vision.image import load, photos_in
from vision.measure.labels import PhotoTruth, truth_of, truth_of_table
from vision.measure.metrics import proportion
from vision.measure.one_photo import is_exact
from vision.photo_to_reading import read_findings, read_images
from vision.photo_to_table import Findings, detect_and_read
from vision.reading import Reading

SIZE = (720, 1280)
PHOTO = (4000, 3000)
FILM = "film, 720p"
TRACED = "path-traced film"
_Rows = Iterator[tuple[str, dict[str, Any]]]
OFTEN = 5
"""A card that so many frames show ought to be read surely and right."""


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a row for films, for one photo and for two."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("-n", type=int, default=20, help="tables (20)")
    parser.add_argument("--cards", type=int, nargs=2, default=(60, 104), help="fewest and most cards (60 104)")
    parser.add_argument("--seed", type=int, default=40)
    parser.add_argument("--split", choices=SPLITS, default="test", help="whose decks and backgrounds (test)")
    parser.add_argument("--part", choices=get_args(Part), default="held out", help="ways to lay (held out)")
    parser.add_argument("--out", type=Path, metavar="DIR", default=Path("out/films"), help="folder (out/films)")
    parser.add_argument("--films-only", action="store_true", help="no photos beside the films")
    parser.add_argument("--pairs", action="store_true", help="pairs of photos of Klondike tables instead of films")
    parser.add_argument("--photos", type=Path, metavar="DIR", help="films over labelled photos instead")
    parser.add_argument("--traced", type=Path, metavar="DIR", help="path-traced films instead: nothing is rendered")
    parser.add_argument(
        "--time",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILM",
        help="time and memory for a film instead, by default a rendered one of 15 s and 1080p",
    )
    parser.add_argument("--real", type=Path, metavar="FILM", help="a real film instead")
    parser.add_argument("--truth", type=Path, metavar="JSON", help="its cards, by the name of the film")
    args = parser.parse_args(argv)
    if args.real is not None:
        print(_describe_real(args.real, json.loads(args.truth.read_text())[args.real.name]))
        return
    if args.time is not None and args.time.name:
        print(_read_timed(args.time)[1])
        return
    args.out.mkdir(parents=True, exist_ok=True)
    if args.time is not None:
        print(_read_timed(_long_film(args))[1])
        return
    rows: dict[str, list[dict[str, Any]]] = {}
    photos = _labelled(args.photos) if args.photos else []
    read = _film_over_photo(photos) if args.photos else _pair if args.pairs else _film_and_photos
    traced = sorted(args.traced.glob("*.mp4")) if args.traced else []
    if args.traced:
        read = _traced(traced)
    for number in tqdm(range(len(traced) or len(photos) or args.n), unit="table", disable=None):
        for name, row in read(args, number):
            rows.setdefault(name, []).append(row)
    print("| | exact positions | wrong with nothing asked | said to stand | cards found | cards invented |")
    print("|---|---|---|---|---|---|")
    for name, found in rows.items():
        shares = [proportion(sum(row[what] for row in found), len(found)) for what in ("exact", "silent", "stands")]
        missing, extra, there = (sum(row[what] for row in found) for what in ("missing", "extra", "there"))
        print(f"| {name} | {' | '.join(shares)} | {proportion(there - missing, there)} | {extra} |")
    if args.traced:
        print("\n".join(_describe_traced(traced, rows[TRACED])))
    elif not args.pairs and not args.photos:
        print("\n".join([*_describe_ways(rows[FILM]), _describe_often(rows[FILM])]))


def _describe_ways(films: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What films are like by the way of the camera."""
    for number, way in enumerate(WAYS):
        own = films[number :: len(WAYS)]
        exact, silent, stands = (sum(row[what] for row in own) for what in ("exact", "silent", "stands"))
        yield f"{way}: exact {exact} of {len(own)}, wrong with nothing asked {silent}, said to stand {stands}"


def _describe_often(films: Sequence[Mapping[str, Any]]) -> str:
    """How sure films are of what they show often."""
    often, wrong, asked = (sum(row[what] for row in films) for what in ("often", "often_wrong", "often_asked"))
    return f"cards seen in {OFTEN} frames or more: {often}; misread with certainty: {wrong}; asked about: {asked}"


def _describe_traced(paths: Sequence[Path], films: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """How sure films are of what they show often, how long they took, and what was wrong in which film."""
    yield _describe_often(films)
    yield f"seconds a film: {np.mean([film['seconds'] for film in films]):.1f}"
    for path, film in zip(paths, films, strict=True):
        if not film["exact"]:
            missing, extra = (" ".join(film[what]) or "-" for what in ("missing_cards", "extra_cards"))
            yield f"{path.name}: missing {missing}; extra {extra}; asked: {'; '.join(film['questions']) or '-'}"


def _traced(films: Sequence[Path]) -> Callable[[argparse.Namespace, int], _Rows]:
    """What a path-traced film gives."""

    def read(args: argparse.Namespace, number: int) -> _Rows:
        film = films[number]
        truth = truth_of_table(film.with_suffix(".json"))
        yield TRACED, _kept(args.out / f"{film.stem}.json", lambda: read_film(film).reading, truth)

    return read


def _film_and_photos(args: argparse.Namespace, number: int) -> _Rows:
    """What a film of a table gives, and one photo and two of 12 megapixels."""
    table, way = _table(args, number)
    film = args.out / f"{args.seed}-{number}-{way}.mp4"
    if not film.exists():
        part = film.with_suffix(".part.mp4")
        write_film(part, film_table(np.random.default_rng((args.seed, number)), table, SIZE, way))
        part.rename(film)
    yield FILM, _kept(film.with_suffix(".0.json"), lambda: read_film(film).reading, table)
    for count, name in () if args.films_only else ((1, "one photo"), (2, "two photos")):

        def shoot(count: int = count) -> Reading:
            rng = np.random.default_rng((args.seed, number, count))
            return read_images([image for image, _ in views(rng, table, PHOTO, count)])

        yield name, _kept(film.with_suffix(f".{count}.json"), shoot, table)


def _pair(args: argparse.Namespace, number: int) -> _Rows:
    """What two photos of a table of Klondike give, each alone and both together."""
    rng = np.random.default_rng((args.seed, number, 8))
    laid = families("klondike", args.part)
    table = lay_table(rng, args.split, "klondike", family=laid[number % len(laid)])
    shots: list[Findings] = []

    def read(*which: int) -> Reading:
        if not shots:
            shots.extend(detect_and_read(views(rng, table, (1600, 1200), 1)[0][0]) for _ in range(2))
        return read_findings([shots[k] for k in which])

    for name, which in (("one of them", (0,)), ("the other", (1,)), ("both together", (0, 1))):
        path = args.out / f"pair-{args.seed}-{number}-{''.join(map(str, which))}.json"
        yield name, _kept(path, lambda which=which: read(*which), table)  # type: ignore[misc]


def _labelled(folder: Path) -> list[tuple[Path, PhotoTruth]]:
    """The photos of a folder that show a whole position, with it."""
    found = []
    for photo in photos_in(folder):
        truth = truth_of(photo, load(photo).shape[1::-1])
        if truth is not None and truth.position is not None:
            found.append((photo, truth))
    return found


def _film_over_photo(photos: Sequence[tuple[Path, PhotoTruth]]) -> Callable[[argparse.Namespace, int], _Rows]:
    """What a film over a photo gives, and the photo itself."""

    def read(args: argparse.Namespace, number: int) -> _Rows:
        photo, truth = photos[number]
        way, film = WAYS[number % len(WAYS)], args.out / f"{args.seed}-{photo.stem}.mp4"
        if not film.exists():
            part, rng = film.with_suffix(".part.mp4"), np.random.default_rng((args.seed, number))
            write_film(part, film_photo(rng, load(photo), SIZE, way))
            part.rename(film)
        yield FILM, _kept(film.with_suffix(".0.json"), lambda: read_film(film).reading, truth)
        yield "the photo", _kept(film.with_suffix(".1.json"), lambda: read_images([load(photo)]), truth)

    return read


def _table(args: argparse.Namespace, number: int) -> tuple[LaidTable, Any]:
    """The table of a number, and the way to film it."""
    rng = np.random.default_rng((args.seed, number, 7))
    position = crowded_position(rng, int(rng.integers(args.cards[0], args.cards[1] + 1)))
    laid = families("makiaveli", args.part)
    return lay_table(rng, args.split, "makiaveli", position, laid[number % len(laid)]), WAYS[number % len(WAYS)]


def _kept(path: Path, make: Callable[[], Reading], table: LaidTable | PhotoTruth) -> dict[str, Any]:
    """What is measured of a reading, kept in a file."""
    if path.exists():
        return dict(json.loads(path.read_text()))
    start = time.perf_counter()
    reading = make()
    seconds = time.perf_counter() - start
    truth: Any = SimpleNamespace(position=table.position, game=table.game)
    exact = reading.game == table.game and is_exact(reading, truth)
    read = Counter(card.text for card in reading.cards)
    there = Counter(str(card.card) for card in table.cards if card.card is not None)
    row = {
        "exact": exact,
        "silent": reading.unquestioned and not exact,
        "stands": reading.unquestioned,
        "missing": (there - read).total(),
        "extra": (read - there).total(),
        "there": there.total(),
        "missing_cards": sorted((there - read).elements()),
        "extra_cards": sorted((read - there).elements()),
        "seconds": seconds,
        "often": sum(len(card.sights) >= OFTEN for card in reading.cards),
        "often_asked": sum(len(reading.cards[number].sights) >= OFTEN for number in reading.doubtful),
        "often_wrong": (_sure_cards(reading, OFTEN) & (_sure_cards(reading) - there)).total(),
        "questions": [str(question) for question in reading.questions],
    }
    path.write_text(json.dumps(row))
    return row


def _sure_cards(reading: Reading, frames: int = 0) -> Counter[str]:
    """The cards that are not asked about and that so many frames show at least.

    More of an identity than there are: one of them is misread with certainty. A copy that is asked about is not.
    """
    sure = (card for number, card in enumerate(reading.cards) if number not in reading.doubtful)
    return Counter(card.text for card in sure if len(card.sights) >= frames)


def _long_film(args: argparse.Namespace) -> Path:
    """The film whose reading is timed, rendered by another process: its memory does not count."""
    film = Path(args.out / f"{args.seed}-15s.mp4")
    if not film.exists():
        # A pool that ends its process by force would leave behind the lock of that process's progress bars.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            pool.submit(_render_long_film, args, film).result()
    return film


def _render_long_film(args: argparse.Namespace, film: Path) -> None:
    table, _ = _table(args, 0)
    part = film.with_suffix(".part.mp4")
    write_film(part, film_table(np.random.default_rng((args.seed, 0)), table, (1080, 1920), "zigzag", 15.0))
    part.rename(film)


def _read_timed(path: Path) -> tuple[Reading, str]:
    """The reading of a film, and what it took."""
    start, cpu = time.perf_counter(), time.process_time()
    reading = read_film(path).reading
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = f"{time.perf_counter() - start:.1f} s, CPU {time.process_time() - cpu:.1f} s, {memory:.0f} MB at most"
    return reading, took


def _describe_real(path: Path, truth: dict[str, Any]) -> str:
    """What was found of a real film's cards, and what it took."""
    reading, took = _read_timed(path)
    read = Counter(card.text for card in reading.cards)
    found = [card for card in truth["cards"] if read[card]]
    known = set(truth["cards"]) | set(truth["maybe"])
    invented = [card for card in read if card not in known]
    twice = [card for card, count in read.items() if count > 1]
    return f"found {len(found)} of {len(truth['cards'])}; invented {len(invented)}; taken for two {len(twice)}; {took}"


if __name__ == "__main__":
    main()
