"""Tables of played games as they are photographed."""

from __future__ import annotations

import numpy as np

from datasets.games.played_klondike import play_game
from datasets.scenes.played_game_photos import GameTable

TABLE = GameTable("below", False, 1.2, 0.1, 0.4, 1.4, "CDHS", 0.0, 1, 7)


def test_piles_below_the_columns_stay_where_they_are() -> None:
    game = play_game(np.random.default_rng(3))
    positions = [game.position(photo) for photo in range(len(game.photos))]
    table = TABLE.for_game(positions)
    laid = [card for position in positions for card in table.lay(position)]
    below = [card for card in laid if not card.zone.startswith("column")]
    assert below
    assert max(card.y for card in below) - min(card.y for card in below) < 0.2  # they lie a little crooked
    assert max(card.y for card in laid if card.zone.startswith("column")) + TABLE.aspect < below[0].y + 0.3
