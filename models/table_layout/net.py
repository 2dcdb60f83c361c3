"""The layout network: a small set transformer over what is seen of a table.

Every card and back is a token. Attention between two tokens is biased by how they lie to each other (in the frame of
the one, in the table's frame, on each other, in rank and suit), so the network needs to learn no geometry from places.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import torch
from torch import nn
from torch.nn import functional

from models.table_layout.data import ASIDE
from models.train import loop
from models.train.onnx_files import to_onnx
from vision.layout.tokens import WIDTH
from vision.layout.vocabulary import CLASSES, GAMES, ZONES
from vision.networks.back_counter import MOST
from vision.networks.table_layout import LayoutNetwork

TOKEN_SIZE: Final = 96
HEADS: Final = 6
LAYERS: Final = 6
PAIR_SIZE: Final = 64
PAIR_FEATURES: Final = 28
LINK_SIZE: Final = 16
NEAR_WIDTHS: Final = 4.0
"""Only tokens nearer than this, in card widths, may follow each other."""
GAINS: Final = {"game": 0.6, "toward": 0.3, "zone": 1.5, "count": 0.6, "link": 3.0}
"""Weights of the losses."""
ZONE_COUNT: Final = sum(len(zones) for zones in ZONES.values())


class LayoutNet(nn.Module):
    """Takes tokens (b, n, WIDTH) and a mask (b, n) of the real ones.

    Returns logits of the game (b, classes), of the quarter turn towards the player (b, 4), of the zones of all games
    one after another (b, n, ZONE_COUNT), of the number of cards face down above (b, n, MOST + 1), and of one token's
    following another in a meld or column (b, n, n).
    """

    def __init__(self) -> None:
        super().__init__()
        self.enter = _perceptron(WIDTH, TOKEN_SIZE)
        self.table = nn.Parameter(torch.zeros(TOKEN_SIZE))
        self.pair = nn.Sequential(*_perceptron(PAIR_FEATURES, PAIR_SIZE, PAIR_SIZE), nn.GELU())
        self.bias = nn.Linear(PAIR_SIZE, HEADS * LAYERS)
        self.layers = nn.ModuleList(_Layer() for _ in range(LAYERS))
        self.leave = nn.LayerNorm(TOKEN_SIZE)
        self.game, self.toward = _perceptron(TOKEN_SIZE, len(CLASSES)), _perceptron(TOKEN_SIZE, 4)
        self.zone, self.count = _perceptron(TOKEN_SIZE, ZONE_COUNT), _perceptron(TOKEN_SIZE, MOST + 1)
        self.before, self.behind = nn.Linear(TOKEN_SIZE, LINK_SIZE), nn.Linear(TOKEN_SIZE, LINK_SIZE)
        self.link = nn.Linear(PAIR_SIZE, 1)

    def forward(self, rows: Any, mask: Any) -> tuple[Any, ...]:
        """The logits that the class names."""
        pair = self.pair(pair_features(rows))
        bias = self.bias(pair).permute(0, 3, 1, 2)  # (b, heads * layers, n, n)
        blank = torch.zeros_like(mask).masked_fill(mask < 0.5, -1e4)
        h = self.enter(rows)
        # The table itself is a token that all cards see and that sees all cards, whatever lies where.
        h = torch.cat([self.table.expand(h.shape[0], 1, TOKEN_SIZE), h], dim=1)
        bias = functional.pad(bias, (1, 0, 1, 0))
        hidden = functional.pad(blank, (1, 0))[:, None, None, :]
        for number, layer in enumerate(self.layers):
            h = layer(h, bias[:, number * HEADS : (number + 1) * HEADS] + hidden)
        h = self.leave(h)
        whole, tokens = h[:, 0], h[:, 1:]
        link = self.before(tokens) @ self.behind(tokens).transpose(1, 2) / LINK_SIZE**0.5 + self.link(pair)[..., 0]
        return self.game(whole), self.toward(whole), self.zone(tokens), self.count(tokens), link


def _perceptron(inputs: int, outputs: int, hidden: int = TOKEN_SIZE) -> nn.Sequential:
    """Two linear layers with a GELU between them."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))


class _Layer(nn.Module):
    """Attention with a bias for each pair of tokens, then a feed-forward net; each after a norm."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.norm_out = nn.LayerNorm(TOKEN_SIZE), nn.LayerNorm(TOKEN_SIZE)
        self.qkv, self.out = nn.Linear(TOKEN_SIZE, 3 * TOKEN_SIZE), nn.Linear(TOKEN_SIZE, TOKEN_SIZE)
        self.feed = nn.Sequential(
            nn.Linear(TOKEN_SIZE, 3 * TOKEN_SIZE), nn.GELU(), nn.Linear(3 * TOKEN_SIZE, TOKEN_SIZE)
        )

    def forward(self, h: Any, bias: Any) -> Any:
        """Tokens (b, n, TOKEN_SIZE), bias (b, HEADS, n, n)."""
        b, n, _ = h.shape
        q, k, v = self.qkv(self.norm(h)).view(b, n, 3, HEADS, TOKEN_SIZE // HEADS).permute(2, 0, 3, 1, 4)
        weight = torch.softmax(q @ k.transpose(2, 3) / (TOKEN_SIZE // HEADS) ** 0.5 + bias, dim=-1)
        h = h + self.out((weight @ v).transpose(1, 2).reshape(b, n, TOKEN_SIZE))
        return h + self.feed(self.norm_out(h))


def pair_features(rows: Any) -> Any:
    """Features (b, n, n, PAIR_FEATURES) of each pair of tokens: how j lies to i, and how their cards go together."""
    xy, down, face, layer = rows[..., 0:2], rows[..., 2:4], rows[..., 4], rows[..., 8]
    aspect = rows[..., 9:10] + 1.4
    rank, suit = rows[..., 11:24], rows[..., 24:28]
    line = xy[:, None] - xy[:, :, None]  # (b, i, j, 2)
    right = torch.stack([down[..., 1], -down[..., 0]], dim=-1)
    x = (line * right[:, :, None]).sum(-1)
    y = (line * down[:, :, None]).sum(-1)
    far = torch.sqrt((line**2).sum(-1) + 1e-6)
    cos = down @ down.transpose(1, 2)
    sin = right @ down.transpose(1, 2)
    gap = torch.maximum(x.abs() - 1, y.abs() - aspect)
    above = torch.tanh(40 * (layer[:, None] - layer[:, :, None])) * torch.sigmoid(-12 * gap)
    higher = rank[..., :12] @ rank[..., 1:].transpose(1, 2)
    lower = rank[..., 1:] @ rank[..., :12].transpose(1, 2)
    red = suit[..., 1:3].sum(-1)
    black = suit[..., 0] + suit[..., 3]
    other = red[:, :, None] * black[:, None] + black[:, :, None] * red[:, None]
    parts = [torch.tanh(part / scale) for part in (x, y, line[..., 0], line[..., 1]) for scale in (0.3, 1.2, 5.0)]
    parts += [torch.tanh(far / scale) for scale in (0.5, 1.5, 5.0)]
    parts += [torch.tanh(4 * gap), torch.exp(-((x / 0.15) ** 2)), torch.exp(-((y / 0.15) ** 2)), cos, sin, above]
    parts += [rank @ rank.transpose(1, 2), higher, lower, suit @ suit.transpose(1, 2), other]
    parts += [face[:, :, None].expand_as(x), face[:, None].expand_as(x)]
    return torch.stack(parts, dim=-1)


def loss(model: Any, batch: loop.Batch) -> tuple[Any, dict[str, float]]:
    """The weighted sum of all heads' losses, and each loss."""
    game, toward, zone, count, link = (part.float() for part in model(batch["rows"], batch["mask"]))
    known = batch["game"] < len(GAMES)
    losses = {"game": functional.cross_entropy(game, batch["game"])}
    losses["toward"] = _mean(functional.cross_entropy(toward, batch["toward"], reduction="none"), known)
    total, first = zone.new_zeros(()), 0
    for number, name in enumerate(GAMES):
        own = batch["game"] == number
        logits = zone[own][..., first : first + len(ZONES[name])]
        truth = batch["zone"][own]
        if own.any():
            part = functional.cross_entropy(logits.flatten(0, 1), truth.flatten(), ignore_index=ASIDE, reduction="none")
            total = total + part.sum()
        first += len(ZONES[name])
    losses["zone"] = total / (batch["zone"] >= 0).sum().clamp(min=1)
    counted = batch["count"] >= 0
    losses["count"] = _mean(
        functional.cross_entropy(count.flatten(0, 1), batch["count"].flatten().clamp(min=0), reduction="none"),
        counted.flatten(),
    )
    losses["link"] = _link_loss(link, batch, known)
    total = sum(GAINS[name] * part for name, part in losses.items())
    return total, {name: float(part.detach()) for name, part in losses.items()}


def _mean(values: Any, which: Any) -> Any:
    return (values * which).sum() / which.sum().clamp(min=1)


def _link_loss(link: Any, batch: loop.Batch, known: Any) -> Any:
    rows, mask = batch["rows"], batch["mask"]
    xy, face = rows[..., :2], rows[..., 4] * mask * known[:, None]
    near = (torch.cdist(xy, xy) < NEAR_WIDTHS) & (face[:, :, None] * face[:, None] > 0.5)
    near = near & ~torch.eye(xy.shape[1], dtype=torch.bool, device=xy.device)
    truth = torch.zeros_like(link)
    at = torch.nonzero(batch["after"] >= 0)
    to = batch["after"][at[:, 0], at[:, 1]]
    truth[at[:, 0], at[:, 1], to] = 1
    truth = torch.maximum(truth, truth.transpose(1, 2))  # in a meld nobody can tell which comes first
    both = link + link.transpose(1, 2)
    return _mean(functional.binary_cross_entropy_with_logits(both, truth, reduction="none"), near.float())


def _step(model: Any, batch: loop.Batch) -> tuple[Any, dict[str, float]]:
    with loop.autocast(batch["rows"].device):
        return loss(model, batch)


class SingleTable(nn.Module):
    """The network as it is exported: one table at a time."""

    def __init__(self, net: Any) -> None:
        super().__init__()
        self.net = net

    def forward(self, rows: Any) -> tuple[Any, ...]:
        """The five outputs for rows (n, WIDTH)."""
        out = self.net(rows[None], torch.ones_like(rows[None, :, 0]))
        return tuple(part[0] for part in out)


TASK: Final = loop.Task(
    LayoutNet, lambda _: _step, SingleTable, as_exported=lambda rows: rows[0], pictures_to_start=1, takes="rows"
)


def export(model: Any, path: Path, _: None = None) -> None:
    """Writes the network as ONNX: `tokens` (n, WIDTH) float32 in, all five outputs without a batch."""
    free = {"tokens": {0: "n"}, "zone": {0: "n"}, "count": {0: "n"}, "link": {0: "n", 1: "n"}}
    to_onnx(SingleTable(model), torch.zeros(5, WIDTH), path, LayoutNetwork, free)
