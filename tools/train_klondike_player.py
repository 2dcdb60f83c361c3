"""Trains the network of the Klondike player that does not peek, on its own games.

    python -m tools.train_klondike_player draw_3 --games 40000 --turns 8

Each turn the network plays random deals alone, one choice in forty at random, and learns which tables were won. The
weights go to `solver/klondike/player_weights.npz` when all turns are done. Needs PyTorch.

The shipped weights for draw 1 and draw 3 went on from there with what `player_search_kernels.play_searching` gave of
searched games. That last step is not part of this command yet.
"""

from __future__ import annotations

import argparse
from typing import Any, Final

import numpy as np
import torch

from solver.klondike import player_kernels as game
from solver.klondike.encoding import draw_table_of
from solver.klondike.player import WEIGHTS, _network

RULES: Final = {"draw_3": (3, -1, 1, 0), "draw_1": (1, -1, 1, 0), "one_card": (1, -1, 0, 1)}
NOISE: Final = 40
BATCH: Final = 8192
RATE: Final = 5e-4
HARD: Final = 0.02
"""Below this share of wins a lost game counts for the cards that went up, or there is nothing to learn."""


class Network(torch.nn.Module):
    """The network in floating point."""

    def __init__(self, layers: tuple[Any, ...]) -> None:
        super().__init__()
        first, second, last = (torch.tensor(layer, dtype=torch.float32) / 256 for layer in layers)
        self.first = torch.nn.EmbeddingBag.from_pretrained(first[:-1], freeze=False, mode="sum")
        self.bias = torch.nn.Parameter(first[-1])
        self.second = torch.nn.Parameter(second)
        self.last = torch.nn.Parameter(last)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The logarithm of the odds of winning, of tables given by the rows that they switch on."""
        hidden = torch.relu(self.first(rows) + self.bias)
        hidden = torch.relu(hidden @ self.second[:, :-1].T + self.second[:, -1])
        return hidden @ self.last[:-1] + self.last[-1]

    def layers(self) -> tuple[Any, ...]:
        """The layers as `player_kernels.value` takes them."""
        first = torch.cat([self.first.weight, self.bias[None]])
        kinds = (np.int16, np.int32, np.int32)
        parts = zip((first, self.second, self.last), kinds, strict=True)
        return tuple(np.round(part.detach().numpy() * 256).clip(-32767, 32767).astype(kind) for part, kind in parts)


def play(layers: tuple[Any, ...], rules: tuple[int, ...], games: int, seed: int) -> tuple[Any, Any]:
    """The rows of all tables of some games, and how many cards were up in the end, 52 in a won game."""
    room = 46 * games
    samples, labels = np.zeros((room, game.FEATURES), np.int16), np.zeros(room, np.uint8)
    net = (*layers, np.zeros(game.HIDDEN, np.int32))
    scratch = np.zeros((7, 64), np.int64), np.zeros((game.MAX_CHOICES, game.CHOICE), np.int64)
    tables = np.zeros((game.MAX_MEMBERS, 3), np.int64), np.zeros((7, 32), np.int64), np.zeros((3, 256), np.int64)
    numbers = np.array(rules, np.int64)
    wins, count, _ = game.self_play(
        seed, games, numbers, draw_table_of(rules[0]), net, NOISE, samples, labels, *scratch, *tables
    )
    won = labels[:count] == 52
    soft = 0.3 * labels[:count] / 52 if wins < HARD * games else 0.0
    print(f"won {wins / games:.2%} of {games} games, {count:,} tables", flush=True)
    return samples[:count].astype(np.int64), np.where(won, 1.0, soft).astype(np.float32)


def mirrored(rows: Any, random: np.random.Generator) -> Any:
    """The same tables with suits of a colour changed, and the colours, each by chance."""
    numbers = np.arange(game.STATUSES)
    other = (numbers & 0x55) << 1 | (numbers & 0xAA) >> 1
    offsets = np.arange(game.PAIRS) * game.STATUSES
    pairs = rows[:, : game.PAIRS] - offsets
    for colour in range(2):
        chosen = random.random((len(rows), 1)) < 0.5
        pairs[:, colour::2] = np.where(chosen, other[pairs[:, colour::2]], pairs[:, colour::2])
    turned = pairs.reshape(-1, 13, 2)[:, :, ::-1].reshape(-1, game.PAIRS)
    pairs = np.where(random.random((len(rows), 1)) < 0.5, turned, pairs)
    return np.concatenate([pairs + offsets, rows[:, game.PAIRS :]], axis=1)


def main() -> None:
    """Trains one network and files its weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=RULES)
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--turns", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    network = Network(_network(args.name))
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    random = np.random.default_rng(args.seed)
    for turn in range(args.turns):
        rows, wins = play(network.layers(), RULES[args.name], args.games, args.seed + turn * args.games)
        order = random.permutation(len(rows))
        for start in range(0, len(rows), BATCH):
            batch = order[start : start + BATCH]
            said = network(torch.from_numpy(mirrored(rows[batch], random)))
            loss = torch.nn.functional.binary_cross_entropy_with_logits(said, torch.from_numpy(wins[batch]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with np.load(WEIGHTS) as old:
        kept = dict(old)
    for part, layer in zip(("first", "second", "last"), network.layers(), strict=True):
        kept[f"{args.name}_{part}"] = layer
    np.savez_compressed(WEIGHTS, **kept)


if __name__ == "__main__":
    main()
