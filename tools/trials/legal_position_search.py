"""Prints how exact and how fast the search for the most likely legal position is, on photos with ground truth.

    python -m datasets --game makiaveli --part "held out" -n 36 --out out/makiaveli
    python tools/trials/legal_position_search.py out/makiaveli                    the code in the working directory
    python tools/trials/legal_position_search.py out/makiaveli --tree ../before   that of another checkout

Every tenth optimum is compared with that of HiGHS's own branch and bound on a model that is built anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from statistics import mean
from typing import Any

import highspy
import numpy as np
from tqdm import tqdm

EVERY = 10
"""One of so many optima is compared."""


def best_by_branch_and_bound(problem: Any, without: Sequence[int]) -> float:
    """The best score of a problem by HiGHS's integer programming, without presolve."""
    model = highspy.Highs()
    for name, value in (("output_flag", False), ("presolve", "off"), ("mip_rel_gap", 0.0), ("threads", 1)):
        model.setOptionValue(name, value)
    chosen = [model.addBinary(obj=option.score) for option in problem.options]
    covering, using = defaultdict(list), defaultdict(list)
    for n, option in enumerate(problem.options):
        for item in option.covers:
            covering[item].append(chosen[n])
        for limit, amount in option.uses:
            using[limit].append(amount * chosen[n])
    for n in without:
        model.changeColBounds(n, 0, 0)
    for terms in covering.values():
        model.addConstr(model.qsum(terms) == 1)
    for limit, most in problem.limits.items():
        model.addConstr(model.qsum([0 * chosen[0], *using[limit]]) <= most)
    for left, right in problem.follows:
        for n in left:
            model.addConstr(chosen[n] <= model.qsum([0 * chosen[0], *(chosen[k] for k in right)]))
    model.setMaximize()
    model.run()
    return float(model.getInfo().objective_function_value)


def main() -> None:
    """Prints the figures of all photos together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=Path, nargs="+", metavar="DIR", help="folder of photos with ground truth")
    parser.add_argument("--tree", type=Path, default=Path(), help="the checkout whose code runs (default: here)")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    decoding: Any = import_module("vision.layout.constrained_decoding")
    read_photo = import_module("vision").read_photo
    solve = decoding.Problem.solve
    milliseconds: list[float] = []
    asked: list[tuple[Any, Sequence[int], float]] = []

    def timed_solve(problem: Any, without: Sequence[int] = ()) -> Any:
        start = time.process_time()
        found = solve(problem, without)
        milliseconds[-1] += 1000 * (time.process_time() - start)
        asked.append((problem, tuple(without), found[0] if found else -np.inf))
        return found

    decoding.Problem.solve = timed_solve
    for truth in tqdm([path for folder in args.photos for path in sorted(folder.rglob("*.json"))]):
        game = json.loads(truth.read_text()).get("game")
        if game and truth.with_suffix(".jpg").exists():
            milliseconds.append(0.0)
            read_photo(truth.with_suffix(".jpg"), game=game)
    differ = [score - best_by_branch_and_bound(problem, without) for problem, without, score in tqdm(asked[::EVERY])]
    worse, better = (sum(sign * gap > 1e-6 for gap in differ) for sign in (-1, 1))
    print(
        f"{len(milliseconds)} photos, {len(asked)} searches of {mean(len(p.options) for p, _, _ in asked):.0f} options"
    )
    print(f"CPU time a photo: mean {mean(milliseconds):.1f} ms, most {max(milliseconds):.1f} ms")
    print(f"compared: {len(differ)}; worse than branch and bound: {worse}, better: {better}")


if __name__ == "__main__":
    main()
