"""`python -m solver makiaveli "<notation>"`."""

from __future__ import annotations

import argparse
import json

from solver.makiaveli.position import Position
from solver.makiaveli.solve import solve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the command's arguments."""
    parser.add_argument("position", help='as "floor: 7C 7D 7H; cross: 2S - - -; hand: 3S 4S 5S"')
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(args: argparse.Namespace) -> int:
    """Solves one position and prints the answer."""
    position = Position.parse(args.position)
    solution = solve(position)
    if args.json:
        print(json.dumps(solution.to_json()))
        return 0
    print(f"{solution.verdict}: {solution.max_cards} of {len(position.hand)} hand cards can be played")
    if solution.final:
        print(solution.final)
    return 0
