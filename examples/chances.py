"""How many Klondike deals can be won? Solves random deals with every card known.

Run it by `python examples/chances.py [DEALS]`.
"""

from __future__ import annotations

from argparse import ArgumentParser

from plumbing.arguments import whole_number
from solver import Estimate, Limits, Verdict, answer_many, klondike

FIRST_SEED = 1


def main(deals: int) -> Estimate:
    """Prints the share of deals won, and how many a time limit left undecided; these do not count as won."""
    positions = [klondike.random_deal(FIRST_SEED + n, klondike.STANDARD) for n in range(deals)]
    found = answer_many(positions, Limits(time=2))
    verdicts = [one.verdict for one in found if not isinstance(one, Estimate)]
    share = Estimate.from_counts(verdicts.count(Verdict.WIN), deals, seed=FIRST_SEED, what="deals won")
    print(share)
    print(f"undecided: {verdicts.count(Verdict.UNKNOWN)}")
    return share


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("deals", nargs="?", type=whole_number(1, 10**6), default=100, metavar="DEALS")
    main(parser.parse_args().deals)
