"""Which card would have won? Asks a Makiaveli table that is no win about every card that could be drawn.

Run it by `python examples/what_if.py`.
"""

from __future__ import annotations

from solver import answer, makiaveli, parse

TABLE = "makiaveli floor: 3H 4H 5H 6H 7H | 8C 8D 8H; cross: 2S - - -; hand: 5H 3S"


def main(line: str) -> None:
    """Prints the verdict, each card that would make it a win, and how likely one of them is drawn."""
    table = parse(line)
    print(f"as it is: {answer(table).headline}")
    outs = makiaveli.outs(table)
    for out in outs.cards:
        with_it = parse(f"{line} {out.card}")
        print(f"with {out.card}: {answer(with_it).headline}")
    print(f"chance to draw one of them: {outs.chance:.1%}")


if __name__ == "__main__":
    main(TABLE)
