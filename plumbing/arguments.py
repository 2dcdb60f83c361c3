"""Shared parts of the command lines: argument types whose errors name the allowed range, printing, exit statuses."""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from plumbing.clock import announce_compiling
from plumbing.errors import CardsError, describe_fault
from plumbing.parallel import cores, new_seed

MAX_SAMPLES: Final = 10**12
PRECISION: Final = (
    "sample until chance makes the 95%% interval no wider than this, 0.02 for two points; undecided deals widen it"
    " further, however many are sampled"
)
"""What `--precision` does."""
GARBAGE: Final = 300_000
"""New objects after which Python looks for garbage. With the usual 700 it does so while libraries are loaded, for a
tenth of the time that a photo needs in all; with 100,000 once in a photo of Klondike, for 28 ms."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, which names the argument and what would be right."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with status 2."""
        self.exit(2, f"{self.prog}: error: {message} (--help tells more)\n")


def command_parser(module: str, description: str, epilog: str) -> Parser:
    """The parser of `python -m MODULE`. Its help ends with the epilog, such as examples, line by line as written."""
    return Parser(
        prog=f"python -m {module}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """An argparse type: an integer from `low` to `high`; `1e6` and `1_000_000` are fine.

    >>> whole_number(1, 10**9)("1e6")
    1000000
    """

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            try:
                number = int(float(text)) if float(text).is_integer() else low - 1
            except (ValueError, OverflowError):
                number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {low:,} to {high:,}")
        return number

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """An argparse type: a number from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {low:g} to {high:g}")
        return value

    return read


def named_path(text: str) -> Path:
    """An argparse type: a file or folder whose name is not empty; `Path("")` would be the current folder."""
    if not text.strip():
        raise argparse.ArgumentTypeError("an empty name is no file or folder; . is the current folder")
    if "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} holds a zero byte, which no file's name does")
    return Path(text)


def written_file(text: str) -> Path:
    """An argparse type: a file to be written; it must not be a folder.

    >>> written_file("results.jsonl").name
    'results.jsonl'
    """
    file = named_path(text)
    if not file.name or file.name == ".." or os.path.isdir(file):
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; expected the name of a file")
    return file


def written_as(*suffixes: str) -> Callable[[str], Path]:
    """An argparse type: a file to be written whose name ends in one of these, or has no ending, which claims nothing.

    >>> written_as(".jsonl", ".parquet")("results.parquet").name
    'results.parquet'
    """

    def read(text: str) -> Path:
        file = written_file(text)
        if file.suffix.lower() not in ("", *suffixes):
            raise argparse.ArgumentTypeError(f"{text!r} is no name ending in {' or '.join(suffixes)}")
        return file

    return read


@contextmanager
def naming_argument(name: str) -> Iterator[None]:
    """Puts the name of an argument before an error of what it holds, so that `column 4` is known to be of it."""
    try:
        yield
    except CardsError as error:
        raise CardsError(f"{name}: {error}") from error


@contextmanager
def error_as_json(args: argparse.Namespace, named: Mapping[str, object]) -> Iterator[None]:
    """With `--json`, prints why there is no answer as an object, too: a script reads standard output alone.

    Args:
        args: The command's arguments.
        named: What the object says beside its `error`, such as the file.
    """
    try:
        yield
    except (CardsError, OSError) as error:
        if args.json:
            print(json.dumps({**named, "error": describe_fault(error)}))
        raise


def forgive_streams() -> None:
    """Makes sure that no character stops a command: invalid bytes are replaced, and what cannot be shown is escaped.

    File names may contain any bytes, and a terminal may be unable to show `♥`.
    """
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def run_command(work: Callable[[argparse.Namespace], int], args: argparse.Namespace, said: str = "stopped") -> int:
    """Runs a command's work. Errors that a user can cause are one line on standard error, with `--debug` a traceback.

    Args:
        work: Does it; returns the exit status.
        args: The command's arguments.
        said: What is printed after Ctrl-C.

    Returns:
        The exit status: that of the work, 1 if it failed, 130 after Ctrl-C.
    """
    forgive_streams()
    announce_compiling()
    gc.set_threshold(GARBAGE)
    try:
        return work(args)
    except BrokenPipeError:  # for example `| head` has read enough
        sys.stderr.close()
        return 0
    except (CardsError, OSError) as error:
        if getattr(args, "debug", False):
            raise
        print(f"error: {describe_fault(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return stopped(said)


def stopped(said: str = "stopped") -> int:
    """Says that Ctrl-C has ended a command; returns the exit status for it."""
    print(said, file=sys.stderr)
    return 130


def wrong_usage(message: str) -> int:
    """Says what is wrong with how a command was called; returns the exit status for it."""
    print(f"error: {message}", file=sys.stderr)
    return 2


def overwriting_fault(
    name: str,
    written: Iterable[Path | None],
    read: Iterable[Path | str | None],
    instead: str = "name another file",
) -> str | None:
    """What is wrong with files that a command would write over what it reads, be it by another name; None if nothing.

    Args:
        name: The argument that names what is written, such as `--out`.
        written: The files to be written; None stands for none.
        read: The files that are read; None stands for none, and one that is not there is left to what reads it.
        instead: What would be right.
    """
    inputs = {file for path in read if path is not None and (file := _identity(path)) is not None}
    for path in written:
        if path is not None and _identity(path) in inputs:
            return f"{name} would write over {path}, which is read; {instead}"
    return None


def _identity(path: Path | str) -> tuple[int, int] | None:
    """What tells a file from all others, whatever it is called; None for a folder, and where nothing is there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return None if stat.S_ISDIR(found.st_mode) else (found.st_dev, found.st_ino)


def print_answer(args: argparse.Namespace, body: object, lines: Iterable[str]) -> int:
    """Prints an answer, with `--json` as one JSON object, else line by line; returns the exit status.

    Args:
        args: The command's arguments.
        body: The JSON object.
        lines: The same for people.
    """
    print(json.dumps(body) if args.json else "\n".join(lines))
    return 0


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--json`, by which `print_answer` goes."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_position_argument(parser: argparse._ActionsContainer) -> None:
    """Adds the optional argument `POSITION`."""
    parser.add_argument(
        "position", nargs="?", metavar="POSITION", help="one line of notation, a JSON object, or - for standard input"
    )


def seed_of(args: argparse.Namespace) -> int:
    """The seed that `--seed` gives, else a new one."""
    return new_seed() if args.seed is None else int(args.seed)


def add_sampling_arguments(parser: argparse.ArgumentParser, what: str, seed: str = "a new one, printed") -> None:
    """Adds `-n`, `--seed`, `--resume` and `--workers`: how many `what` to sample, and how.

    Args:
        parser: The command's parser.
        what: What is sampled, in words.
        seed: Which seed is taken where none is given, in words.
    """
    parser.add_argument("-n", type=whole_number(1, MAX_SAMPLES), metavar="N", help=f"how many {what} to simulate")
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**63 - 1),
        metavar="S",
        help=f"the same seed gives the same result on any number of cores (default: {seed})",
    )
    add_resume_argument(parser)
    add_worker_arguments(parser)


def add_resume_argument(parser: argparse._ActionsContainer) -> None:
    """Adds `--resume`, the file of `plumbing.resumable.resumable_map`."""
    parser.add_argument(
        "--resume",
        type=written_file,
        metavar="FILE.jsonl",
        help="save the counts of random deals here; if stopped or killed, the same command continues from them",
    )


def resume_fault(args: argparse.Namespace, *, sampled: bool, name: str = "resume") -> str | None:
    """What is wrong with how `--resume`, or the argument of that name, is used; None where nothing is.

    Args:
        args: The command's arguments.
        sampled: Whether the command samples random deals.
        name: The argument that names a file which keeps what is done.
    """
    if getattr(args, name) is None:
        return None
    if not sampled:
        return f"--{name} belongs to a sample of random deals"
    return None if args.seed is not None else f"--{name} needs --seed, so that the same deals can be continued"


def add_worker_arguments(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Adds `--workers` and `--scheduler`, which both set `workers` (see `plumbing.parallel.Workers`).

    Args:
        parser: The command's parser.
        default: How many processes without either; None is one a core.
    """
    where = parser.add_mutually_exclusive_group()
    usual = f"all cores, here {cores()}" if default is None else str(default)
    where.add_argument(
        "--workers",
        type=whole_number(1, 4096),
        default=default,
        metavar="W",
        help=f"processes to use (default: {usual})",
    )
    where.add_argument(
        "--scheduler",
        dest="workers",
        type=_address,
        default=argparse.SUPPRESS,
        metavar="tcp://HOST:PORT",
        help="use the workers of this Dask cluster instead (pip install 'could-i-have-won[cluster]')",
    )


def _address(text: str) -> str:
    kind, _, rest = text.partition("://")
    if kind not in ("tcp", "tls", "ws", "wss", "ucx", "inproc") or not rest:
        raise argparse.ArgumentTypeError(f"{text!r} is no scheduler's address; expected one like tcp://host:8786")
    return text


def add_plot_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds `--plot` and `--out`, the same for every simulation."""
    parser.add_argument(
        "--plot",
        choices=("final", "live", "none"),
        default="final",
        help="plot of the rate so far: at the end (default), also on the way, or none",
    )
    parser.add_argument(
        "--out",
        type=written_as(".png"),
        metavar="FILE.png",
        help="write the plot there (without --out: a window, or a PNG in this folder where there is no screen)",
    )
