"""A solver in a process of its own: `python -m webapp.worker` reads requests and writes answers, one JSON line each.

A solve that takes long must not hold up other people's pages and must stop when asked; killing a process is the one
way that works for every solver. `webapp.jobs` starts these and is the only one that talks to them.

A request is `{"task": NAME, ...}`. Any number of `{"progress": {...}}` lines come before one last line, which is
`{"result": {...}}` or `{"error": "a sentence"}`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from solver.answer import answer, parse_position
from solver.errors import CardsError
from solver.solution import Limits, Solution

Json = dict[str, Any]


def answer_task(request: Mapping[str, Any]) -> Iterator[Json]:
    """Answers `line` within `seconds`; a solution's line comes with the table after each of its moves."""
    position = parse_position(request["line"])
    found = answer(position, Limits(time=float(request["seconds"])))
    result = found.to_json()
    if isinstance(found, Solution):
        frames = []
        for move in found.line:
            position = position.apply(move)
            frames.append({"move": str(move), "position": position.to_json()})
        result["frames"] = frames
    yield {"result": result}


TASKS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[Json]]]] = {"answer": answer_task}


def serve(lines: Iterator[str], write: Callable[[str], object]) -> None:
    """Works through request lines until there are no more."""
    for line in lines:
        try:
            request = json.loads(line)
            for message in TASKS[request["task"]](request):
                write(json.dumps(message) + "\n")
        except CardsError as error:
            write(json.dumps({"error": str(error)}) + "\n")
        except MemoryError:
            write(json.dumps({"error": "not enough memory for this search"}) + "\n")


def main() -> int:
    """Serves standard input until it closes; anything a library prints goes to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr

    def write(text: str) -> None:
        out.write(text)
        out.flush()

    try:
        serve(iter(sys.stdin.readline, ""), write)
    except (KeyboardInterrupt, BrokenPipeError):
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
