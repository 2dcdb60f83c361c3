"""Trains a network of the Klondike player that does not peek, on its own games.

    python -m tools.train_klondike_player draw_3 --fresh --turns 8 --games 40000 --searched 20000

It begins with random numbers, or without `--fresh` goes on from the weights that are there. In each turn of the first
part the network plays random deals alone, one choice in forty at random, and learns which tables were won. In the
second part each choice is searched, in rounds of some thousand games. For each choice that was looked at closely the
network learns what the search said of it, and for those that were made also whether the game was won, which keeps its
chances true. After each round it goes once over the games of the last four, so the next games are played by a better
network. The weights go to `solver/klondike/player_weights.npz` after each turn and round: if stopped, the same command
without `--fresh` goes on from there. Needs PyTorch.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from tqdm import tqdm

from solver.klondike import player_kernels as game
from solver.klondike import player_search_kernels as tree
from solver.klondike.encoding import draw_table_of
from solver.klondike.player import LAYERS, WEIGHTS, _chances, _network, tuning_for
from solver.klondike.position import MAX_STOCK

Rules = tuple[int, int, int, int]

NETWORKS: Final[dict[str, list[Rules]]] = {
    "draw_3": [(3, -1, 1, 0)],
    "draw_1": [(1, -1, 1, 0)],
    "one_card": [(1, -1, 0, 1)],
    "draw_3_counted": [(3, redeals, 1, 0) for redeals in (0, 1, 2, 2, 3, 5)],
    "draw_1_counted": [(1, redeals, 1, 0) for redeals in (0, 0, 1, 2, 2, 3)],
    "one_card_counted": [(1, redeals, 0, 1) for redeals in (0, 1, 2, 3)],
}
"""The rules of the games that each network learns from, see `player_kernels.DRAW` and what follows it."""
ROWS: Final = {name: game.ROWS if name in ("draw_3", "one_card") else game.PLACE_ROW for name in NETWORKS}
"""The rows that each network has once it has learned; those that it did not have before begin with zeros."""
FRESH: Final = 0.2
"""Spread of the random numbers that an untrained network begins with."""
NOISE: Final = 40
BATCH: Final = 4096
RATE: Final = 5e-4
SEARCHED_RATE: Final = 1e-3
"""Of the first pass over games played by search."""
FALL: Final = 0.05
"""What is left of that rate in the end."""
HARD: Final = 0.02
"""Below this share of wins a lost game counts for the cards that went up, or there is nothing to learn."""
TABLES_A_GAME: Final = 90
CHOICES_A_GAME: Final = 600
SEARCHED_A_ROUND: Final = 3000
ROUNDS_KEPT: Final = 4
"""Rounds of searched games that each pass goes over, so each game is learned so many times."""
NODES: Final = 4096


def fresh_layers(row_count: int, random: np.random.Generator) -> tuple[Any, ...]:
    """Random layers of a network that has learned nothing, as `_network` gives those that are there."""
    sizes = ((row_count + 1, game.HIDDEN), (game.HIDDEN + 1, game.HIDDEN2), (game.HIDDEN2 + 1,))
    return tuple(256 * random.normal(0, FRESH, size) for size in sizes)


class Network(torch.nn.Module):
    """The network in floating point."""

    def __init__(self, layers: Sequence[Any], row_count: int) -> None:
        super().__init__()
        first, second, last = (torch.tensor(layer, dtype=torch.float32) / 256 for layer in layers)
        new = torch.zeros(row_count - len(first) + 1, first.shape[1])
        rows = torch.cat([first[:-1], new])
        unused = game.NO_ROW if row_count > game.NO_ROW else None
        self.features = int(game.count_features(row_count))
        self.first = torch.nn.EmbeddingBag.from_pretrained(rows, freeze=False, mode="sum", padding_idx=unused)
        self.bias = torch.nn.Parameter(first[-1])
        self.second = torch.nn.Parameter(second)
        self.last = torch.nn.Parameter(last)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The logarithm of the odds of winning, of tables given by the rows that they switch on."""
        hidden = torch.relu(self.first(rows) + self.bias)
        hidden = torch.relu(hidden @ self.second[:-1] + self.second[-1])
        return hidden @ self.last[:-1] + self.last[-1]

    def layers(self) -> tuple[Any, ...]:
        """The layers as `player_kernels.value` takes them."""
        first = torch.cat([self.first.weight, self.bias[None]])
        kinds = (np.int16, np.int32, np.int32)
        parts = zip((first, self.second, self.last), kinds, strict=True)
        return tuple(np.round(part.detach().numpy() * 256).clip(-32767, 32767).astype(kind) for part, kind in parts)


def play(layers: tuple[Any, ...], rules: Rules, games: int, seed: int) -> tuple[Any, Any]:
    """The rows of all tables of games that the network plays alone, and whether each was won."""
    room = TABLES_A_GAME * games
    samples, labels = np.zeros((room, game.FEATURES), np.int16), np.zeros(room, np.uint8)
    scratch = np.zeros((7, 128), np.int64), np.zeros((game.MAX_CHOICES, game.CHOICE), np.int64)
    tables = np.zeros((game.MAX_MEMBERS, 3), np.int64), np.zeros((7, 32), np.int64), np.zeros((3, 256), np.int64)
    numbers = np.array(rules, np.int64)
    wins, count, _ = game.self_play(
        seed, games, numbers, draw_table_of(rules[0]), layers, NOISE, samples, labels, *scratch, *tables
    )
    won = labels[:count] == 52
    soft = 0.3 * labels[:count] / 52 if wins < HARD * games else 0.0
    tqdm.write(f"rules {rules}: alone {wins / games:.2%} of {games} games won, {count:,} tables")
    return samples[:count], np.where(won, 1.0, soft).astype(np.float32)


def play_searched(layers: tuple[Any, ...], rules: Rules, games: int, seed: int, work: int) -> tuple[Any, Any]:
    """The rows of choices that were looked at in games played by search, and what each proved to be worth."""
    numbers = np.array(rules, np.int64)
    turns, tuning, chances = draw_table_of(rules[0]), np.array(tuning_for(rules), np.int64), _chances()
    dealt, scratch = np.zeros((5, 64), np.int64), np.zeros((8, 128), np.int64)
    cards, truth_slots, truth_stock, unknown, spots = dealt
    truth, columns = np.zeros((7, 32), np.int64), np.zeros((7, 32), np.int64)
    faces, path = np.zeros((3, 256), np.int64), np.zeros(256, np.int64)
    members, choices = np.zeros((game.MAX_MEMBERS, 3), np.int64), np.zeros((game.MAX_CHOICES, game.CHOICE), np.int64)
    keys, homes, nodes = (np.zeros(shape, np.int64) for shape in (2 * NODES, 2 * NODES, (NODES, tree.NODE)))
    edges = np.zeros((8 * NODES + 4 * game.MAX_CHOICES, tree.EDGE), np.int64)
    samples, worths = np.zeros((CHOICES_A_GAME, game.FEATURES), np.int16), np.zeros((CHOICES_A_GAME, 2), np.int64)
    rows, targets, wins = [], [], 0
    for number in range(games):
        state = np.zeros(game.STATE, np.int64)
        game.deal(seed + number, cards, truth, truth_slots, truth_stock, faces, state)
        state[game.UNSEEN] = state[game.STOCK] if rules[1] >= 0 else 0
        game.settle(state, numbers)
        columns[:], slots, stock = truth, truth_slots.copy(), truth_stock.copy()
        won, _, _, count = tree.play_searching(
            seed + number, state, numbers, unknown, spots, columns, slots, stock, turns, faces, truth, truth_slots,
            truth_stock, chances, layers, keys, homes, nodes, edges, members, choices, scratch, path, tuning, work,
            samples, worths,
        )  # fmt: skip
        wins += won
        worth = worths[:count, 0] / tree.SURE
        rows.append(samples[:count].copy())
        targets.append(np.where(worths[:count, 1] == 1, (worth + won) / 2, worth))
    tqdm.write(f"rules {rules}: searched {wins / games:.2%} of {games} games won")
    return np.concatenate(rows), np.concatenate(targets).astype(np.float32)


def mirrors() -> Any:
    """Each row in the eight tables that are the same for a player: suits of a colour changed, and the colours."""
    rows = np.tile(np.arange(game.ROWS), (8, 1))
    status, card, place = np.arange(game.STATUSES), np.arange(52), np.arange(MAX_STOCK)
    swapped = (status & 0x55) << 1 | (status & 0xAA) >> 1
    for number, row in enumerate(rows):
        red, black, colours = number & 1, number >> 1 & 1, number & 4
        for pair in range(game.PAIRS):
            other = pair ^ 1 if colours else pair
            row[pair * game.STATUSES + status] = other * game.STATUSES + (
                swapped if (black if pair & 1 else red) else status
            )
        other_card = card ^ np.where(card & 2, black, red) ^ (2 if colours else 0)
        row[game.PLACE_ROW + card[:, None] * MAX_STOCK + place] = (
            game.PLACE_ROW + other_card[:, None] * MAX_STOCK + place
        )
        row[game.BEHIND_ROW + card[:, None] * 52 + card] = game.BEHIND_ROW + other_card[:, None] * 52 + other_card
    return rows


def learn(network: Network, parts: Sequence[tuple[Any, Any]], rate: float, random: np.random.Generator) -> None:
    """One pass over tables and what they are worth, each in one of its mirrors."""
    mirrored = mirrors()
    optimizer = torch.optim.Adam(network.parameters(), rate)
    rows, worth = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = random.permutation(len(rows))
    for start in range(0, len(rows), BATCH):
        batch = order[start : start + BATCH]
        known = rows[batch, : network.features].astype(np.int64)
        said = network(torch.from_numpy(mirrored[random.integers(8, size=(len(batch), 1)), known]))
        loss = torch.nn.functional.binary_cross_entropy_with_logits(said, torch.from_numpy(worth[batch]))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()


def save(name: str, layers: tuple[Any, ...]) -> None:
    """Files the weights of one network beside those of the others."""
    with np.load(WEIGHTS) as old:
        kept = dict(old)
    new = {f"{name}_{part}": layer for part, layer in zip(LAYERS, layers, strict=True)}
    written = WEIGHTS.with_suffix(".new.npz")
    np.savez_compressed(written, **kept | new)
    written.replace(WEIGHTS)


def main() -> None:
    """Trains one network and files its weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=NETWORKS)
    parser.add_argument("--fresh", action="store_true", help="begin with random numbers")
    parser.add_argument("--turns", type=int, default=8, help="in which the network plays alone")
    parser.add_argument("--games", type=int, default=40_000, help="a turn")
    parser.add_argument("--searched", type=int, default=20_000, help="games played by search, in rounds of 3,000")
    parser.add_argument("--work", type=int, default=3_000, help="choices tried before each choice of those")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    random = np.random.default_rng(args.seed)
    start = fresh_layers(ROWS[args.name], random) if args.fresh else _network(args.name)
    network = Network(start, ROWS[args.name])
    many = NETWORKS[args.name]
    seed = args.seed << 32
    for _ in tqdm(range(args.turns), unit=" turns alone", disable=None):
        games = args.games // len(many)
        parts = [play(network.layers(), rules, games, seed + at * games) for at, rules in enumerate(many)]
        seed += args.games
        learn(network, parts, RATE, random)
        save(args.name, network.layers())
    rounds = args.searched // SEARCHED_A_ROUND
    kept: deque[list[tuple[Any, Any]]] = deque(maxlen=ROUNDS_KEPT)
    for number in tqdm(range(rounds), unit=" rounds searched", disable=None):
        games = SEARCHED_A_ROUND // len(many)
        layers = network.layers()
        kept.append(
            [play_searched(layers, rules, games, seed + at * games, args.work) for at, rules in enumerate(many)]
        )
        seed += SEARCHED_A_ROUND
        learn(network, [part for parts in kept for part in parts], SEARCHED_RATE * FALL ** (number / rounds), random)
        save(args.name, network.layers())


if __name__ == "__main__":
    main()
