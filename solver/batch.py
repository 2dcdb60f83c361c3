"""`python -m solver solve FILE.jsonl --out R.jsonl`: one result for each position, in order.

If a run is stopped or killed, the same command continues after the last row that was written, see
`plumbing.result_files`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

from tqdm import tqdm

from plumbing.arguments import add_worker_arguments, number, overwriting_fault, whole_number, written_as, wrong_usage
from plumbing.errors import CardsError
from plumbing.parallel import Workers, ordered_map
from plumbing.result_files import ROWS, ResultFile
from solver.games import GAMES, answer_many, find_game, parse, read_json
from solver.position import Position
from solver.solution import Failure, Limits

CHUNK: Final = 8
"""Rows that a worker gets at a time: few, so that results appear soon, but enough to be worth sending."""

STDOUT: Final = Path("-")

EXAMPLE: Final = "python -m solver solve positions.jsonl --out results.jsonl --time-limit 5"


@dataclass(frozen=True, slots=True)
class Task:
    """What to compute for each row.

    Attributes:
        limits: Bounds on the search for each row.
        outs: Whether the game's outs are wanted, where it has any.
        game: The game of rows that name none.
    """

    limits: Limits
    outs: bool = False
    game: str | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    statuses = "exit status: 0 all rows are solved, 1 some are not (their `error` says why), 2 wrong usage"
    parser.epilog = f"example: {EXAMPLE}\n{statuses}"
    parser.add_argument(
        "file",
        help="positions, one JSON object or one-line notation a line; - reads standard input; a row may hold an id, "
        "else its number in the file is its id: give an id to all rows or to none",
    )
    parser.add_argument(
        "--out",
        type=written_as(*ROWS),
        default=STDOUT,
        metavar="R.jsonl",
        help="where results go (default -: standard output); R.parquet writes Parquet, every id as text. The file "
        "appears when all rows are done; if stopped before, the same command continues",
    )
    parser.add_argument(
        "--time-limit", type=number(0.001, 1e6), default=10.0, metavar="S", help="seconds a row (default 10)"
    )
    parser.add_argument(
        "--node-limit", type=whole_number(1, 10**12), metavar="N", help="states visited a row (default: no limit)"
    )
    add_worker_arguments(parser)
    parser.add_argument("--outs", action="store_true", help="Makiaveli: also the unseen cards that would have won")
    parser.add_argument("--game", choices=sorted(GAMES), help="the game of rows that do not name one")


def run(args: argparse.Namespace) -> int:
    """Solves a file; status 1 where it or one of its rows could not be read or solved, 130 where it was stopped."""
    if args.file != "-" and (fault := overwriting_fault("--out", [args.out], [args.file])):
        return wrong_usage(fault)
    task = Task(Limits(time=args.time_limit, nodes=args.node_limit), args.outs, args.game)
    results = _result_file(args, task)
    counts = _Counts() if results is None else _Counts(results.done, results.failed)
    if counts.done:
        print(f"continuing after row {counts.done}", file=sys.stderr)
    try:
        _solve_file(args, task, results, counts)
    except KeyboardInterrupt:
        kept = "" if results is None else f"; they are kept in {results.file}; run the same command again to continue"
        print(f"stopped after {counts.done} rows{kept}", file=sys.stderr)
        return 130
    if counts.failed:
        print(f"{counts.failed} of {counts.done} rows could not be solved; see their error field", file=sys.stderr)
    return 1 if counts.failed else 0


@dataclass(slots=True)
class _Counts:
    """Rows that are done, those of an earlier run too, and how many of them could not be solved."""

    done: int = 0
    failed: int = 0


def _result_file(args: argparse.Namespace, task: Task) -> ResultFile | None:
    """Where results go; None for standard output."""
    if args.out == STDOUT:
        return None
    results = ResultFile(args.out, _work(args, task))
    if args.file == "-":  # what came through a pipe cannot be read again
        results.forget()
    return results


def _solve_file(args: argparse.Namespace, task: Task, results: ResultFile | None, counts: _Counts) -> None:
    is_shown = sys.stderr.isatty()
    total = _count(args.file) if args.file != "-" and is_shown else None
    with ExitStack() as stack:
        source: IO[str] = sys.stdin
        if args.file != "-":
            source = stack.enter_context(open(args.file, encoding="utf-8", errors="replace"))
        if results is not None:
            stack.enter_context(results)
        bar = tqdm(total=total, initial=counts.done, unit="row", disable=not is_shown, leave=False)
        stack.enter_context(bar)
        for result in solve_rows(source, task, args.workers, skip=counts.done):
            if results is None:
                print(json.dumps(result), flush=True)
            else:
                results.add(result)
            counts.done += 1
            counts.failed += "error" in result
            bar.update()


def _count(file: str) -> int:
    with open(file, "rb") as counted:
        return sum(1 for line in counted if line.strip())


def _work(args: argparse.Namespace, task: Task) -> str:
    if args.file == "-":
        return f"standard input, {task}"
    with open(args.file, "rb") as file:
        return f"{hashlib.file_digest(file, 'sha256').hexdigest()}, {task}"


def solve_rows(lines: Iterable[str], task: Task, workers: Workers = 1, skip: int = 0) -> Iterator[dict[str, Any]]:
    """One result for each row that is not blank, in order, as soon as it and those before it are known.

    Args:
        lines: JSON objects or one-line notations; they are read only as far ahead as the workers need.
        task: What to compute for each row.
        workers: Processes; 1 solves in this one, None takes all cores; or the address of a Dask scheduler.
        skip: So many rows at the start are done already.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    rows = islice(numbered, skip, None)
    size = 1 if workers == 1 else CHUNK
    chunks = iter(lambda: list(islice(rows, size)), [])
    for results in ordered_map(partial(solve_chunk, task=task), chunks, workers=workers):
        yield from results


def solve_chunk(rows: list[tuple[int, str]], task: Task) -> list[dict[str, Any]]:
    """The results of some numbered rows; a row that cannot be solved gets an `error` instead."""
    results: list[dict[str, Any]] = []
    wanted: list[tuple[int, Position[Any]]] = []
    for place, line in rows:
        row_id: Any = place
        try:
            row = read_row(line, task.game)
            if isinstance(row, dict):
                row_id = row.get("id", place)
            wanted.append((len(results), parse(row)))
            results.append({"id": row_id})
        except CardsError as error:
            results.append({"id": row_id, "error": f"row {place}: {error}"})
    found = answer_many([position for _, position in wanted], task.limits)
    for (place, position), solution in zip(wanted, found, strict=True):
        if isinstance(solution, Failure):
            results[place]["error"] = f"row {rows[place][0]}: {solution}"
            continue
        results[place] |= {"game": position.game} | solution.to_json()
        package = find_game(position.game).solver
        if task.outs and hasattr(package, "outs"):
            results[place] |= package.outs(position).to_json()
    return results


def read_row(line: str, game: str | None) -> dict[str, Any] | str:
    """A row's JSON object, or its text where it is a one-line notation.

    Args:
        line: The row.
        game: The game of objects that name none.

    Raises:
        NotationError: For broken JSON.

    >>> read_row('{"id": "a", "hand": ["3S"]}', "makiaveli")
    {'id': 'a', 'hand': ['3S'], 'game': 'makiaveli'}
    """
    text = line.strip().lstrip("\ufeff")
    if not text.startswith("{"):
        return text
    data: dict[str, Any] = read_json(text)
    if game is not None:
        data.setdefault("game", game)
    return data
