"""The layout network on ONNX Runtime: what is seen of a table to its game, zones, counts and neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.cards.geometry import Array
from vision.layout.tokens import MOST_TOKENS, WIDTH, Tokens
from vision.layout.vocabulary import GAMES, ZONES
from vision.networks.runtime import MODELS, Network

_NONE_COLUMNS: Final = list(np.cumsum([len(zones) for zones in ZONES.values()]) - 1)
LEAST: Final = 1e-6
"""No zone is less probable than this: the network was never shown the table at hand. A card that is surely one is left
out only at a higher price than that of a broken rule."""


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """What the network says of a table with n cards and backs.

    Attributes:
        log_game: (5,) log-probabilities of `CLASSES`.
        toward: (2,) unit vector towards the player, in the table's frame.
        log_zone: By game, (n, zones) log-probabilities.
        log_count: (n, MOST + 1) log-probabilities of how many cards lie face down above a card, if it is the first
            face-up card of a column.
        link: (n, n) log-odds that two cards lie next to each other in one meld, or on each other in one column.
        tops_only: Whether columns show only their top cards, so that cards face up lie under those too.
        log_side: (4,) log-probabilities of how many quarter turns the player sits from the frame's down, by where the
            cards lie alone.
        side_doubt: Probability that the player sits across the table from there, by all that is seen.
    """

    log_game: Array
    toward: Array
    log_zone: dict[str, Array]
    log_count: Array
    link: Array
    tops_only: bool = False
    log_side: Array = field(default_factory=lambda: np.full(4, -np.log(4)))
    side_doubt: float = 0.0

    @property
    def quarters(self) -> int:
        """Quarter turns from the frame's down to `toward`."""
        return round(float(np.arctan2(-self.toward[0], self.toward[1])) / (np.pi / 2)) % 4


class LayoutNetwork(Network):
    """The layout network."""

    weights = MODELS / "table_layout.onnx"
    takes = "tokens"
    gives = ("game", "toward", "zone", "count", "link")

    def predict(self, tokens: Tokens, quarters: int | None = None) -> Layout:
        """What it says of a table; of one seen from another side again, as its player sees it.

        Of more than `MOST_TOKENS` cards and backs the others are in no zone.

        Args:
            tokens: What is seen.
            quarters: Quarter turns from the frame's down to the direction towards the player; the likeliest by default.
        """
        found = self._run(tokens)
        log_side = _normalised(found[1][None])[0]
        quarters = int(log_side.argmax()) if quarters is None else quarters % 4
        if quarters:
            found = self._run(tokens.turned(quarters))
        game, _, zone, counts, link = found
        angle = quarters * np.pi / 2
        first, log_zone = 0, {}
        for name in GAMES:
            own = _normalised(zone[:, first : first + len(ZONES[name])])
            own[:, -1] += _log_odds_of_none(tokens)
            own = _normalised(own)
            log_zone[name] = np.log(np.maximum(np.exp(own), LEAST))
            first += len(ZONES[name])
        toward = np.array([-np.sin(angle), np.cos(angle)]).round()
        return Layout(
            _normalised(game[None])[0],
            toward,
            log_zone,
            _normalised(counts),
            np.asarray(link + link.T, float),
            log_side=log_side,
        )

    def _run(self, tokens: Tokens) -> list[Array]:
        """The network's outputs; tokens beyond its limit get even probabilities."""
        rows = tokens.rows()
        if not len(rows):
            rows = np.zeros((1, WIDTH), np.float32)
            game, toward, *parts = self.run(rows)
            return [game, toward, parts[0][:0], parts[1][:0], parts[2][:0, :0]]
        left = len(rows) - MOST_TOKENS
        game, toward, zone, counts, link = self.run(rows[:MOST_TOKENS])
        if left > 0:
            zone, counts = (np.pad(part, ((0, left), (0, 0))) for part in (zone, counts))
            zone[MOST_TOKENS:, _NONE_COLUMNS] = 20.0
            link = np.pad(link, ((0, left), (0, left)), constant_values=-9.0)
        return [game, toward, zone, counts, link]


def _log_odds_of_none(tokens: Tokens) -> Array:
    """(n,) how much likelier a card that rather is none lies nowhere: the network was hardly shown any."""
    sure = np.clip(np.where(tokens.is_face > 0, tokens.sure, 1.0), LEAST, 0.5)
    return np.asarray(np.log(1 - sure) - np.log(sure))


def _normalised(logits: Array) -> Array:
    logits = np.asarray(logits, np.float64)
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))
