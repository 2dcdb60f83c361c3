"""Prints what it would bring to compare the rank symbols of a photo with each other: a deck has one alphabet.

    R="python -m datasets --size 1600 --split validation --part train"
    $R --game klondike -n 40 --seed 3401 --out out/usual
    for GAME in makiaveli klondike; do $R --game $GAME --decks unusual -n 30 --seed 3402 --out out/letters; done
    python -m tests.bench.alike_ranks out/usual out/letters

Two indices of one rank look alike, two of different ranks do not. How alike two upright cut-outs of rank symbols are
tells how likely they are of one rank, which is fitted on half of each folder's photos for the other half. `votes`: each
index is also read as those are that look like it. `pairs`: all pairs of indices together speak for and against.
Readings know nothing of this. For each weight it prints how many aces, tens and courts are read as another rank, the
log loss of their ranks, and what the cards of all photos cost (`card_likelihood.py`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from tqdm import tqdm

from tests.bench.card_likelihood import Photo, cost_of_photo
from vision import photo_to_table
from vision.cards.geometry import Array
from vision.image import photos_in
from vision.networks.index_reader import Image, Reader, upright_crops
from vision.networks.outputs import Detections, Reads

LETTERS = (0, 9, 10, 11, 12)
"""Ranks, from the ace on as 0, that other countries write with other letters."""
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.2)
SPAN = 2.5
RANK_ROWS, RANK_COLUMNS = slice(2, 34), slice(8, 40)
"""The part of a cut-out index that shows its rank."""
BLUR_PX = 1.2
SURE = 0.5
"""What is less likely an index is compared with none."""
NARROW = 0.03
"""Votes count less by e for so much less likeness."""
MOST_LOG_ODDS = (-3.0, 5.0)
ROUNDS = 6
POWERS = 4

Weigh = Callable[[Array, Array, float], Array]
"""From how the ranks of n indices read, and how alike each two are, with a weight: how they read then."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Log-odds that two symbols are of one rank, by how alike they are: a polynomial, less those of any two."""

    factors: Array
    before: float

    @classmethod
    def fit(cls, photos: Sequence[Photo]) -> Pairs:
        """From photos whose truth is known, by logistic regression."""
        alike, same = [], []
        for photo in photos:
            reads, found, rows = read(photo)
            if len(rows) < 2:
                continue
            ranks, named = np.array([_rank(photo, row) for row in rows]), np.array(rows)
            one, other = np.triu_indices(len(rows), 1)
            known = (named[one] >= 0) & (named[other] >= 0) & (named[one] != named[other])
            alike.append(np.nan_to_num(likeness(photo.image, found, reads), nan=1.0)[one, other][known])
            same.append((ranks[one] == ranks[other])[known])
        x, y = _powers(np.concatenate(alike)), np.concatenate(same).astype(float)
        factors = np.zeros(POWERS)
        for _ in range(30):
            p = 1 / (1 + np.exp(-x @ factors))
            curved = (x * (p * (1 - p))[:, None]).T @ x + 1e-2 * np.eye(POWERS)
            factors += np.linalg.solve(curved, x.T @ (y - p) - 1e-2 * factors)
        return cls(factors, float(np.log(y.mean() / (1 - y.mean()))))

    def weigh(self, log_rank: Array, alike: Array, weight: float) -> Array:
        """Ranks by all pairs together, by mean field."""
        odds = np.exp(np.clip(_powers(alike) @ self.factors - self.before, *MOST_LOG_ODDS))
        odds[np.isnan(alike)] = 1.0
        now = log_rank
        for _ in range(ROUNDS):
            said = np.log(np.maximum(1 + (odds[:, :, None] - 1) * np.exp(now)[None], 1e-3)).sum(1)
            now = _normal(np.log((np.exp(_normal(log_rank + weight * said)) + np.exp(now)) / 2))
        return _normal(log_rank + weight * said)


def by_votes(log_rank: Array, alike: Array, weight: float) -> Array:
    """Ranks as those read that look alike."""
    share = np.where(np.isnan(alike), 0.0, np.exp((np.nan_to_num(alike) - 1) / NARROW))
    p = np.exp(log_rank)
    voted = (share @ p + 1e-2 * p.mean(0)) / (share.sum(1, keepdims=True) + 1e-2)
    return _normal(log_rank + weight * np.log(voted + 1e-4))


def _powers(x: Array) -> Array:
    return np.stack([np.nan_to_num(x) ** k for k in range(POWERS)], axis=-1)


def _normal(log: Array) -> Array:
    return np.asarray(log - np.logaddexp.reduce(log, axis=1, keepdims=True))


def likeness(image: Image, found: Detections, reads: Reads) -> Array:
    """(n, n) how alike the rank symbols of indices are, 1 at most; NaN for those that may be of one card."""
    crops = upright_crops(image, found.rank_xy, found.suit_xy, span=SPAN)
    grey = [
        cv2.GaussianBlur(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), BLUR_PX) for crop in crops
    ]
    flat = np.array([part[RANK_ROWS, RANK_COLUMNS].ravel() for part in grey], float)
    flat -= flat.mean(1, keepdims=True)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    best = reads.log_card.argmax(1)
    return np.where(best[:, None] == best, np.nan, flat @ flat.T)


def read(photo: Photo) -> tuple[Reads, Detections, list[int]]:
    """The sure indices of a photo, and the row of the truth of each, -1 where it is not plain."""
    with photo.memory.answering():
        found = photo_to_table.detect_and_read(photo.image)
    sure = np.exp(found.reads.log_index) > SURE
    kept, reads = found.detections[sure], found.reads[sure]
    rows = [photo.truth.rows_at(middle[None]) for middle in (kept.rank_xy + kept.suit_xy).astype(float) / 2]
    return reads, kept, [next(iter(at)) if len(at) == 1 and at <= photo.truth.clear else -1 for at in rows]


def _rank(photo: Photo, row: int) -> int:
    card = photo.truth.cards[row] if row >= 0 else None
    return -1 if card is None else card.rank - 1


def print_indices(name: str, photos: Sequence[Photo], ways: Sequence[Weigh], weight: float) -> None:
    """Prints how the letters of photos are read with a weight; each photo has a way of its own."""
    losses, wrong = [], 0
    for photo, way in zip(photos, ways, strict=True):
        reads, found, rows = read(photo)
        if not rows:
            continue
        log = way(reads.log_rank.astype(float), likeness(photo.image, found, reads), weight)
        for own, row in zip(log, rows, strict=True):
            rank = _rank(photo, row)
            if rank in LETTERS:
                losses.append(-own[rank])
                wrong += int(own.argmax() != rank)
    costs = [cost_of_photo(photo) for photo in photos] if not weight else _costs(photos, ways, weight)
    print(
        f"  {name}, weight {weight:g}: letters wrong {wrong}/{len(losses)}, log loss {np.mean(losses):.4f}; "
        f"cards cost {sum(cost for cost, _ in costs):.1f} nats, right in {sum(right for _, right in costs)} photos"
    )


def _costs(photos: Sequence[Photo], ways: Sequence[Weigh], weight: float) -> list[tuple[float, bool]]:
    """What the cards of photos cost where indices are read so."""
    usual = photo_to_table.read_indices
    costs = []
    for photo, way in zip(photos, ways, strict=True):

        def weighed(reader: Reader, image: Image, found: Detections, way: Weigh = way) -> tuple[Detections, Reads]:
            found, reads = usual(reader, image, found)
            sure = np.exp(reads.log_index) > SURE
            if sure.sum() < 2:
                return found, reads
            log_rank = reads.log_rank.copy()
            log_rank[sure] = way(log_rank[sure].astype(float), likeness(image, found[sure], reads[sure]), weight)
            return found, replace(reads, log_rank=log_rank)

        with patch.object(photo_to_table, "read_indices", weighed):
            costs.append(cost_of_photo(photo))
    return costs


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="rendered tables")
    for folder in parser.parse_args().folders:
        photos = [Photo.open(path) for path in tqdm(photos_in(folder), desc=folder.name)]
        halves = [Pairs.fit(photos[1::2]), Pairs.fit(photos[::2])]
        print(f"{folder.name}: {len(photos)} photos")
        for weight in WEIGHTS:
            print_indices("votes", photos, [by_votes] * len(photos), weight)
            if weight:
                print_indices("pairs", photos, [halves[n % 2].weigh for n in range(len(photos))], weight)


if __name__ == "__main__":
    main()
