"""Seen cards to positions: the network proposes game, zones and neighbours, one module a game applies its rules.

table = assemble_cards(...)                    # vision.assembly
parsed, others = choose(table)      # the likeliest game, or none
parsed = parse("klondike", table)   # a game that was told
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from plumbing.errors import NotationError
from solver.cards import Card
from vision.assembly import Table
from vision.counter import MOST, region
from vision.decode import DOUBTS
from vision.geometry import Array, across
from vision.layout import klondike, makiaveli, tombs
from vision.layout.network import Layout, LayoutNetwork
from vision.layout.parsed import Parsed, Placed
from vision.layout.tokens import tokens_of
from vision.layout.vocabulary import CARDS, CLASSES, GAMES

POSSIBLE: Final = 0.02
"""A game less probable than this is not tried, unless it is the likeliest one."""
MOST_TRIED: Final = 2
LOOK_AGAIN: Final = 0.01
"""Where Klondike is at least this probable its columns' strips are looked at before the game is chosen."""
LEANING: Final = (0.1, 0.8)
"""A column leans where its first card does by so much, radians; by less the card is crooked, by more it lies across."""
STRAIN: Final = 0.5
"""How much of their log-price broken rules speak against a game: the network has seen the cards too."""
NO_GAME: Final = 1.5
"""Log-odds given to no game: there are more ways to lay cards than any simulator draws. Chosen on photos of
`black_deck_phone`, `single_cards_phone` and `edje_rank_only`, and on validation tables; models/README.md says more."""
RULED: Final = 12
"""With more cards than these a broken meld speaks less against Makiaveli: a card was misread rather than laid so."""
NEAR: Final = 0.05
"""A game at least so probable is named where none is found."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a photo shows.

    Attributes:
        parsed: The table as the likeliest game, or as cards; None for an empty table.
        chance: Probability of that.
        likeliest: The nearest game where it is none; None where none is near.
    """

    parsed: Parsed | None
    chance: float
    likeliest: str | None = None


def parse(game: str, table: Table, *, hand_given: bool = False, decoding: bool = True, doubts: int = DOUBTS) -> Parsed:
    """A table as a position of `game`, or only its cards; see the games' own `parse` for what is asked of it.

    Raises:
        NotationError: For an unknown game.
    """
    if game == CARDS:
        return as_cards(table)
    if game not in GAMES:
        raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join((*GAMES, CARDS)))
    return _parse(game, table, predict_layout(table, game), hand_given, decoding, doubts)


def choose(table: Table, *, hand_given: bool = False, decoding: bool = True) -> Choice:
    """The game that a table shows, or that it shows none.

    The network's probabilities are weighed with how badly the table breaks the rules of each likely game.
    """
    if not table.cards and not table.backs:
        return Choice(None, 0.0)
    log_game = predict_layout(table).log_game
    if log_game[CLASSES.index(klondike.GAME)] > np.log(LOOK_AGAIN):  # cards face down tell it from loose single cards
        log_game = predict_layout(table, klondike.GAME).log_game
    log_game = _makiaveli_only(log_game) if hand_given else _with_doubt(log_game)
    order = [CLASSES[k] for k in np.argsort(-log_game)]
    # Rules speak only against a game: where none is the likeliest, none need be tried.
    tried = [g for g in order if g != CARDS and log_game[CLASSES.index(g)] > np.log(POSSIBLE)][:MOST_TRIED]
    rivals = len(tried) + (log_game[-1] > np.log(POSSIBLE)) > 1 or order[0] == makiaveli.GAME  # melds make Makiaveli
    tried = tried if order[0] != CARDS and rivals else []
    found = {game: _parse(game, table, predict_layout(table, game), hand_given, decoding, 0) for game in tried}
    weighed = log_game.copy()
    for game, parsed in found.items():
        share = min(1.0, RULED / max(len(table.cards), 1)) if game == makiaveli.GAME else 1.0
        weighed[CLASSES.index(game)] += STRAIN * share * parsed.strain
    chance = np.exp(weighed - weighed.max())
    chance /= chance.sum()
    best = CLASSES[int(chance.argmax())]
    if best == CARDS:
        games = chance[: len(GAMES)]
        near = GAMES[int(games.argmax())] if games.max() > NEAR else None
        return Choice(as_cards(table), float(chance[-1]), near)
    # Only now is it worth weighing what doubtful cards could be instead, and where else they may lie.
    return Choice(_parse(best, table, predict_layout(table, best), hand_given, decoding, DOUBTS), float(chance.max()))


def predict_layout(table: Table, game: str | None = None) -> Layout:
    """What the network says of a table; for Klondike a second time, with what its columns' strips show."""
    layout = table.once("layout", lambda: _network().predict(tokens_of(table)))
    if game != klondike.GAME or table.count_backs is None:
        return layout
    return table.once("counted layout", lambda: _network().predict(tokens_of(table, _count(table, layout))))


def _parse(game: str, table: Table, layout: Layout, hand_given: bool, decoding: bool, doubts: int) -> Parsed:
    if game == makiaveli.GAME:
        return makiaveli.parse(table, layout, hand_given=hand_given, decoding=decoding, doubts=doubts)
    if game == klondike.GAME:
        return klondike.parse(table, layout, decoding=decoding, doubts=doubts)
    return tombs.parse(game, table, layout, decoding=decoding, doubts=doubts)


def _count(table: Table, layout: Layout) -> Array:
    """(cards, MOST + 1) probabilities of the cards face down above each column's first face-up card."""
    hides = np.zeros((len(table.cards), MOST + 1))
    first = klondike.first_faces(table, layout)
    if first and table.count_backs is not None:
        toward = _along_columns(table.downs[first], klondike.toward_player(table, layout))
        axes = np.stack([across(toward), toward], axis=1) * table.template.width  # (n, 2, 2)
        edges = table.centres[first] - toward * table.template.height / 2
        strips = edges[:, None] + region() @ axes
        hides[first] = np.exp(table.count_backs(table.plane.to_photo(strips)))
    return hides


def _along_columns(downs: Array, toward: Array) -> Array:
    """(n, 2) the direction of each column: towards the player, or where its card clearly leans as the card lies."""
    own = downs * np.sign(downs @ toward + 1e-9)[:, None]
    lean = np.arccos(np.clip(own @ toward, -1, 1))
    leans = (lean > LEANING[0]) & (lean < LEANING[1])
    return np.where(leans[:, None], own, toward)


def _with_doubt(log_game: Array) -> Array:
    """The network's log-probabilities with what speaks for no game beforehand."""
    doubtful = log_game + NO_GAME * (np.arange(len(CLASSES)) == CLASSES.index(CARDS))
    return np.asarray(doubtful - np.logaddexp.reduce(doubtful))


def _makiaveli_only(log_game: Array) -> Array:
    """A hand that is told belongs to Makiaveli."""
    only = np.full_like(log_game, -60.0)
    only[CLASSES.index(makiaveli.GAME)] = 0.0
    return only


@lru_cache(maxsize=1)
def _network() -> LayoutNetwork:
    return LayoutNetwork()


def as_cards(table: Table) -> Parsed:
    """Each card on its own, from left to right."""
    rows = sorted(range(len(table.cards)), key=lambda row: float(table.cards[row].quad[:, 0].mean()))
    placed = []
    for row in rows:
        card = table.cards[row]
        chance = np.exp(card.log_card)
        order = [int(c) for c in np.argsort(-chance)[:4]]
        others = tuple((Card.from_index(c), float(chance[c])) for c in order[1:] if chance[c] > 1e-5)
        placed.append(Placed(card.best, "none", row, float(chance[order[0]]), others))
    return Parsed(CARDS, {}, tuple(placed), ("none",) * len(table.backs))


__all__ = ["CARDS", "GAMES", "Choice", "Parsed", "as_cards", "choose", "parse", "predict_layout"]
