"""What a reader might see of a table, without any photo: cards dropped, misread and invented, backs miscounted."""

from __future__ import annotations

import numpy as np

from solver.klondike.position import Position
from vision.history.sight import Belief, SeenPile, TableSight, belief_of


def see(
    rng: np.random.Generator, position: Position, *, squared: bool = False, noise: float = 1.0, fan: int = 1
) -> TableSight:
    """What is seen of a table whose cards are all known.

    Args:
        rng: Random generator.
        position: The table.
        squared: Whether of each column only the last card shows.
        noise: Scale of everything that goes wrong; 0 for perfect sight.
        fan: How many of the waste's cards show.
    """
    columns = []
    for column in position.columns:
        up = [card.index for card in column.up if card is not None]
        backs = len(column.down)
        cards = _seen(rng, up[-1:] if squared else up, noise)
        shown_backs = backs if not squared else int(backs > 0 and not up)  # of a squared pile its last card shows
        columns.append(SeenPile(cards, () if squared else _count(rng, backs, noise), shown_backs))
    tops = [13 * suit + height - 1 for suit, height in enumerate(position.foundations) if height]
    rng.shuffle(tops)
    waste = [card.index for card in position.waste[-fan:] if card is not None]
    seen = _seen(rng, tops, noise), _seen(rng, waste, noise)
    return TableSight(tuple(columns), *seen, squared, stock=bool(position.stock))


def _seen(rng: np.random.Generator, cards: list[int], noise: float) -> tuple[Belief, ...]:
    return tuple(_belief(rng, card, noise) for card in cards if rng.random() >= 0.006 * noise)


def _belief(rng: np.random.Generator, card: int, noise: float) -> Belief:
    chance = np.full(52, 1e-6)
    kind = rng.random()
    other = int(rng.choice([card % 13 + 13 * (3 - card // 13), (card + 1) % 52, int(rng.integers(52))]))
    if kind < 0.004 * noise:
        chance[other], chance[card] = 0.97, 0.03  # misread
    elif kind < 0.03 * noise:
        share = rng.uniform(0.2, 0.95)
        chance[card], chance[other] = share, 1 - share
    else:
        chance[card] = 1.0
    return belief_of(np.log(chance))


def _count(rng: np.random.Generator, backs: int, noise: float) -> tuple[float, ...]:
    said = backs + (int(rng.integers(-1, 2)) if rng.random() < 0.06 * noise else 0)
    log_count = -3.0 * np.abs(np.arange(7) - max(said, 0))
    return tuple((log_count - np.logaddexp.reduce(log_count)).tolist())
