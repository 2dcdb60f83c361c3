"""The command line: `python -m solver GAME ...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from plumbing.arguments import Parser, forgive_streams, run_command, stopped
from solver.games import COMMANDS

OTHERS: Final = {
    "solve": ("solver.batch", "solve a JSONL file of positions of any game"),
    "review": ("solver.game_review", "look at a recorded game again: where it was lost, and what each move cost"),
}
"""Commands that are no game's: their modules, and what they do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; status 0 done, 1 the work could not be done, 2 wrong usage."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    forgive_streams()
    parser = Parser(
        prog="python -m solver",
        description="Could I have won? Exact answers for card games. Cards are written 7C, TH or 10♥.",
        epilog='example: python -m solver makiaveli "floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"\n'
        "exit status: 0 done, whatever the verdict; 1 the work could not be done; 2 wrong usage; 130 stopped by Ctrl-C",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next((word for word in arguments if not word.startswith("-")), None)
    helps = {word: game.help for word, game in COMMANDS.items()} | {word: said for word, (_, said) in OTHERS.items()}
    for name, help_text in helps.items():
        command = commands.add_parser(
            name,
            help=help_text,
            description=help_text.capitalize(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == wanted:  # only the wanted command's module is imported: --help stays fast
            try:
                loaded = COMMANDS[name].command if name in COMMANDS else import_module(OTHERS[name][0])
            except KeyboardInterrupt:  # it may take a second or two
                return stopped()
            loaded.add_arguments(command)
            command.set_defaults(run=loaded.run)
    args = parser.parse_args(arguments)
    return run_command(
        args.run, args, "stopped; run the same command again to continue" if vars(args).get("resume") else "stopped"
    )


if __name__ == "__main__":
    sys.exit(main())
