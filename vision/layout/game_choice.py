"""Tells which game a table shows, and reads the table as that game.

The network proposes game, zones and neighbours, and each game's module applies its rules:

    table = assemble_cards(...)            # vision.cards.assembly
    choice = choose_game(table)            # the likeliest game, or none
    parsed = parse_as("klondike", table)   # a game that was named
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from plumbing.errors import NotationError
from solver.games import find_game
from solver.place import NOWHERE
from vision.cards.geometry import Array, across
from vision.cards.seen_table import SeenTable
from vision.layout.game_layout import GameLayout, Hand, layout_of
from vision.layout.game_reading import GameReading, PlacedCard
from vision.layout.tokens import tokens_of
from vision.layout.vocabulary import CARDS, CLASSES, GAMES
from vision.networks.back_counter import MOST, region
from vision.networks.table_layout import Layout, LayoutNetwork
from vision.preferences import preferences_of


@dataclass(frozen=True, slots=True)
class GameChoiceTuning:
    """How a game is chosen.

    Attributes:
        tried_from_probability: A less probable game is not tried, unless it is the likeliest one.
        most_games_tried: Games whose rules are asked at most.
        strips_read_from_probability: A game that hides cards in columns and is at least so probable has its columns'
            strips read before the game is chosen.
        leaning_radians: A column leans where its first card does by so much; by less the card is crooked, by more it
            lies across.
        sideways_cosine: A column is laid as a row where the cosine of the angle between it and its first card is
            smaller.
        rule_penalty_share: How much of their log-price broken rules speak against a game: the network has seen the
            cards too.
        missing_card_log_price: Of each card that a game must have and that lies nowhere: in one misread table a few, in
            another patience a dozen.
        no_game_log_odds: Given to no game: there are more ways to lay cards than any simulator draws, and a game that
            is not there costs more than one question. The largest that made no difference on photos of
            `black_deck_phone`, `single_cards_phone` and `edje_rank_only` and on tables of families in training;
            models/README.md says more.
        named_from_probability: A game at least so probable is named where none is found.
        plain_probability: A game at least so probable before its rules are asked is named too: broken rules speak
            against it, but a table may be laid against the rules, or misread.
        plain_agreement: Where layout network and counter agree by so much a column (`_agreement`), the player sits
            there; where they agree less, the table is looked at from across too.
        shown_log_odds: What one column says at least and at most of whether cards lie face down on that side: a column
            that hides nothing says little, and a pattern of the table is seldom so like several cards.
        nothing_hidden_share: Of all columns, those that hide nothing; other counts are as likely as each other.
        shown_probability: Something shows above a card that is less likely to hide nothing.
        layout_count_weight: Of the log-probabilities of a column's count as the layout network gives them: it has heard
            the counter, but was trained beside one that counted worse.
        counter_count_weight: Of those that the counter gives.
        second_photo_count_weight: Of the log-probabilities of a column's count where two photos show it. Likeliest on
            26 pairs of photos of families in training.
        hidden_if_shown_share: Cards are seen to lie under the first ones if more than such a share of columns shows
            something.
    """

    rule_penalty_share: float
    no_game_log_odds: float
    missing_card_log_price: float
    layout_count_weight: float
    counter_count_weight: float
    second_photo_count_weight: float
    tried_from_probability: float = 0.02
    most_games_tried: int = 2
    strips_read_from_probability: float = 0.01
    leaning_radians: tuple[float, float] = (0.15, 0.8)
    sideways_cosine: float = 0.7
    named_from_probability: float = 0.01
    plain_probability: float = 0.5
    plain_agreement: float = 1.0
    shown_log_odds: tuple[float, float] = (-0.5, 3.0)
    nothing_hidden_share: float = 0.4
    shown_probability: float = 0.1
    hidden_if_shown_share: float = 0.5


LEAST_COUNT_CHANCE: Final = 1e-6
"""What the counter all but rules out is this likely for it."""

TUNING: Final = GameChoiceTuning(**preferences_of(__name__))


@dataclass(frozen=True, slots=True)
class Choice:
    """What a photo shows.

    Attributes:
        parsed: The table as the likeliest game, or as cards; None for an empty table.
        chance: Probability of that.
        likeliest: The nearest game where it is none; None where none is near.
        rival: The next likely game, or `cards` for none; None where it was not chosen.
    """

    parsed: GameReading | None
    chance: float
    likeliest: str | None = None
    rival: str | None = None


def parse_as(game: str, table: SeenTable, *, hand: Hand = None, decoding: bool = True) -> GameReading:
    """A table as a position of `game` under the rules people play at home, or only its cards.

    No photo shows rules. `vision.layout.game_layout.Parse` explains the arguments.

    Raises:
        NotationError: For an unknown game.
    """
    if game not in CLASSES:
        raise NotationError(game, 1, f"unknown game {game!r}", "one of " + ", ".join((*GAMES, CARDS)))
    if game == CARDS or not layout_of(game).doubted:
        table = table.firm
    if game == CARDS:
        return as_cards(table)
    found = layout_of(game).parse(table, predict_layout(table, game), hand=hand, decoding=decoding)
    return _with_house_rules(found)


def _with_house_rules(found: GameReading) -> GameReading:
    """A reading whose positions go by the rules people play at home; as it is if its game leaves no choice."""
    house_rules = layout_of(found.game).house_rules
    if house_rules is None or found.position is None:
        return found
    places = [card.place for card in found.placed]
    readings = tuple((relative, house_rules(other, places)) for relative, other in found.readings)
    return replace(found, position=house_rules(found.position, places), readings=readings)


def choose_game(table: SeenTable, *, hand: Hand = None, decoding: bool = True) -> Choice:
    """The game that a table shows, or that it shows none.

    The network's probabilities are weighed with how badly the table breaks the rules of each likely game.
    """
    firm = table.firm
    if not firm.cards and not firm.backs:
        return Choice(None, 0.0)
    log_game = _log_game(firm)
    weighed = _with_doubt(log_game) if hand is None else _with_hand(log_game)
    weighed = _with_rules_kept(weighed, firm, hand, decoding)
    for game in _likely(weighed):
        weighed[CLASSES.index(game)] += _rule_penalty(firm, game, hand, decoding)
    likeliest = CLASSES[int(weighed.argmax())]
    if likeliest != CARDS:
        weighed[CLASSES.index(likeliest)] += TUNING.missing_card_log_price * _count_missing(firm, likeliest)
    chance = np.exp(weighed - weighed.max())
    chance /= chance.sum()
    second, best = (CLASSES[k] for k in np.argsort(chance)[-2:])
    if best != CARDS:
        return Choice(parse_as(best, table, hand=hand, decoding=decoding), float(chance.max()), rival=second)
    return Choice(as_cards(firm), float(chance[-1]), _nearest(chance, np.exp(log_game)), second)


def _nearest(chance: Array, before_rules: Array) -> str | None:
    """The nearest game by the probabilities of all classes where none is likeliest; None where no game is near."""
    for found, least in ((chance, TUNING.named_from_probability), (before_rules, TUNING.plain_probability)):
        games = found[: len(GAMES)]
        if games.max() > least:
            return GAMES[int(games.argmax())]
    return None


def _log_game(table: SeenTable) -> Array:
    """What the network says of the game; cards face down tell one that hides them in columns from loose cards."""
    log_game = predict_layout(table).log_game
    for game in GAMES:
        if log_game[CLASSES.index(game)] > np.log(TUNING.strips_read_from_probability) and layout_of(game).columns:
            log_game = predict_layout(table, game).log_game
    return log_game


def _rule_penalty(table: SeenTable, game: str, hand: Hand, decoding: bool) -> float:
    """What the rules that a table breaks speak against a game."""
    layout = layout_of(game)
    share = 1.0 if layout.ruled is None else min(1.0, layout.ruled / max(len(table.cards), 1))
    return (
        TUNING.rule_penalty_share
        * share
        * layout.rule_penalty(table, predict_layout(table, game), hand=hand, decoding=decoding)
    )


def _count_missing(table: SeenTable, game: str) -> int:
    """How many cards a game must have that lie nowhere on a table."""
    count = layout_of(game).count_missing
    return 0 if count is None or not table.cards else count(table, predict_layout(table, game))


def _with_rules_kept(log_game: Array, table: SeenTable, hand: Hand, decoding: bool) -> Array:
    """The log-probabilities with what speaks for a game because the table keeps its rules as no other would."""
    kept = np.zeros(len(CLASSES))
    for game in GAMES:
        tells = layout_of(game).tells
        if tells is not None:
            kept[CLASSES.index(game)] = tells(table, predict_layout(table, game), hand=hand, decoding=decoding)
    return np.asarray(log_game + kept - np.logaddexp.reduce(log_game + kept))


def _likely(log_game: Array) -> list[str]:
    """The games whose rules are to be asked: none where that changes nothing, since rules speak only against a game."""
    order = [CLASSES[k] for k in np.argsort(-log_game)]
    if order[0] == CARDS:
        return []
    possible = [name for name in order if log_game[CLASSES.index(name)] > np.log(TUNING.tried_from_probability)]
    likely = [name for name in possible if name != CARDS][: TUNING.most_games_tried]
    rivals = len(likely) + (CARDS in possible) > 1
    return likely if rivals or layout_of(order[0]).always_penalised else []


def predict_layout(table: SeenTable, game: str | None = None) -> Layout:
    """What the network says of a table.

    Of a game that hides cards in columns it is told what their strips show.
    """
    layout = table.once("layout", lambda: _network().predict(tokens_of(table)))
    planned = table.once("planned layout", lambda: _as_planned(table, layout))
    if planned is not None:
        return planned
    if game is None or layout_of(game).columns is None:
        return layout
    return table.once(f"layout as {game}", lambda: _predict_columns(table, layout, layout_of(game)))


def predict_layout_from(table: SeenTable, game: str, quarters: int) -> Layout:
    """What the network says of a table whose player is known to sit at one side; it does not look at hidden cards.

    Args:
        table: What is seen.
        game: The game.
        quarters: Quarter turns from the frame's down to the direction towards the player.
    """
    layout = _network().predict(tokens_of(table), quarters)
    plan = layout_of(game).plan
    return (None if plan is None else plan(table, layout)) or _agreed(table, layout, layout_of(game))


def _agreed(table: SeenTable, layout: Layout, game: GameLayout) -> Layout:
    """What the network says once cards of one pile agree."""
    return layout if game.agree is None else game.agree(table, layout)


def _as_planned(table: SeenTable, layout: Layout) -> Layout | None:
    """What is known of a table that lies in a plan which the network was not shown; None for any other table."""
    for game in map(layout_of, GAMES):
        planned = None if game.plan is None else game.plan(table, layout)
        if planned is not None and not _shows_hidden(table, planned, game):
            return planned
    return None


def _shows_hidden(table: SeenTable, layout: Layout, game: GameLayout) -> bool:
    """Whether the photo shows something above the first cards of most columns, seen from the player or from across.

    Piles that show their top cards alone look alike from both.
    """
    if game.columns is None or table.count_backs is None:
        return False
    first, toward = game.columns(table, layout)
    shares = [
        (_count(table, first, side)[first, 0] < TUNING.shown_probability).mean() if first else 0.0
        for side in (toward, -toward)
    ]
    return bool(max(shares) > TUNING.hidden_if_shown_share)


def _predict_columns(table: SeenTable, layout: Layout, game: GameLayout) -> Layout:
    """What the network says where it is told what the columns' strips show.

    Where the cards lie often says little of where the player sits: a fresh deal looks alike from both ends. On the
    player's side the backs say of each column what its place says, too; on the other side there is a bare table.
    """
    if game.columns is None or table.count_backs is None:
        return layout
    own = _CountedSide.look(table, layout, game)
    if own.agreement >= TUNING.plain_agreement * len(own.first):
        return _agreed(table, own.layout, game)
    across_table = _CountedSide.look(table, _network().predict(tokens_of(table), layout.quarters + 2), game)
    less, more = sorted((own, across_table), key=lambda side: side.log_weight)
    doubt = float(1 / (1 + np.exp(more.log_weight - less.log_weight)))
    return replace(_agreed(table, more.layout, game), side_doubt=doubt)


@dataclass(frozen=True, slots=True, eq=False)
class _CountedSide:
    """A table as a player at one side sees it, with the cards that its columns hide on that side.

    Attributes:
        layout: What the network says when it is told what the strips show.
        first: The rows of the columns' first cards.
        agreement: How much the counter agrees with the network before it was told, see `_agreement`.
        shown: How much speaks for face-down cards on that side, see `_shown`.
    """

    layout: Layout
    first: list[int]
    agreement: float
    shown: float = 0.0

    @classmethod
    def look(cls, table: SeenTable, layout: Layout, game: GameLayout) -> _CountedSide:
        """Looks at what a side's strips show.

        Args:
            table: What is seen.
            layout: What the network says of the table from that side.
            game: Its game, which hides cards in columns.
        """
        # The strips are cut away from the player, so what they show holds for no other side of the table.
        assert game.columns is not None
        first, toward = game.columns(table, layout)
        counted = _count(table, first, toward)
        found = _network().predict(tokens_of(table, counted), layout.quarters)
        if not first:
            return cls(replace(found, log_side=layout.log_side), first, 0.0)
        log_count = found.log_count.copy()
        log_count[first] = weigh_counts(log_count[first], counted[first])
        if table.is_seen_twice is not None:
            rows = np.array(first)[table.is_seen_twice(_strips(table, first, toward))]
            log_count[rows] *= TUNING.second_photo_count_weight
        log_count -= np.logaddexp.reduce(log_count, axis=1)[:, None]
        agreement = _agreement(layout.log_count[first], counted[first])
        sided = replace(found, log_count=log_count, log_side=layout.log_side)
        return cls(sided, first, agreement, _shown(counted[first]))

    @property
    def log_weight(self) -> float:
        """What speaks for the player sitting there: where the cards lie, and the backs.

        These agree with the cards' places. Or they are plainly there, and the places speak of another table, as where
        the columns were dealt from the right.
        """
        return float(self.layout.log_side[self.layout.quarters]) + max(self.agreement, self.shown)


def _shown(counted: Array) -> float:
    """Log-odds that face-down cards lie where columns (n, MOST + 1) were counted, against a bare table.

    >>> plain, bare = np.eye(MOST + 1)[[3, 4]], np.full((2, MOST + 1), 1 / (MOST + 1))
    >>> _shown(plain) > 5 > 0 > _shown(bare)
    True
    """
    likeliest = np.clip(counted[:, 1:].max(1), LEAST_COUNT_CHANCE, 1 - LEAST_COUNT_CHANCE)
    return float(np.clip(np.log(likeliest / (1 - likeliest)), *TUNING.shown_log_odds).sum())


def _agreement(log_layout: Array, counted: Array) -> float:
    """Log-odds that two opinions of columns' counts are of the same columns, against two that have nothing in common.

    Args:
        log_layout: Log-probabilities (n, MOST + 1) by where the cards lie.
        counted: The counter's probabilities (n, MOST + 1).

    >>> plain = np.eye(MOST + 1)[[0, 1, 2]]
    >>> same, other = _agreement(np.log(plain + 1e-3), plain), _agreement(np.log(plain[::-1] + 1e-3), plain)
    >>> same > 3 > 0 > other
    True
    """
    share = np.full(MOST + 1, (1 - TUNING.nothing_hidden_share) / MOST)
    share[0] = TUNING.nothing_hidden_share
    return float(np.log((np.exp(log_layout) * counted / share).sum(1) + LEAST_COUNT_CHANCE).sum())


def weigh_counts(log_layout: Array, counted: Array) -> Array:
    """Log-probabilities (n, MOST + 1) of columns' counts by both who tell of them; a row need not sum to 1.

    Args:
        log_layout: The layout network's (n, MOST + 1), which weigh how all columns lie.
        counted: The counter's probabilities (n, MOST + 1), which come from the backs alone.

    >>> layout, counter = np.log([[0.6, 0.4]]), np.array([[0.01, 0.99]])
    >>> int(weigh_counts(layout, counter).argmax())
    1
    """
    log_counter = np.log(np.maximum(counted, LEAST_COUNT_CHANCE))
    return np.asarray(TUNING.layout_count_weight * log_layout + TUNING.counter_count_weight * log_counter)


def _count(table: SeenTable, first: list[int], toward: Array) -> Array:
    """(cards, MOST + 1) probabilities of the cards face down above each column's first face-up card."""
    hides = np.zeros((len(table.cards), MOST + 1))
    if first and table.count_backs is not None:
        hides[first] = np.exp(table.count_backs(_strips(table, first, toward)))
    return hides


def _strips(table: SeenTable, first: list[int], toward: Array) -> Array:
    """(n, 4, 2) corners of the strips above columns' first face-up cards, px of the photo."""
    along = _along_columns(table.downs[first], toward)
    axes = np.stack([across(along), along], axis=1) * table.template.width  # (n, 2, 2)
    upright = np.abs((table.downs[first] * along).sum(1)) > TUNING.sideways_cosine
    size = np.where(upright, table.template.height, table.template.width)
    edges = table.centres[first] - along * size[:, None] / 2
    return np.asarray(table.plane.to_photo(edges[:, None] + region() @ axes))


def _along_columns(downs: Array, toward: Array) -> Array:
    """(n, 2) the direction of each column: towards the player, or where its card clearly leans as the card lies."""
    own = downs * np.sign(downs @ toward + 1e-9)[:, None]
    lean = np.arccos(np.clip(own @ toward, -1, 1))
    leans = (lean > TUNING.leaning_radians[0]) & (lean < TUNING.leaning_radians[1])
    return np.where(leans[:, None], own, toward)


def _with_doubt(log_game: Array) -> Array:
    """The network's log-probabilities with what speaks for no game beforehand."""
    doubtful = log_game + TUNING.no_game_log_odds * (np.arange(len(CLASSES)) == CLASSES.index(CARDS))
    return np.asarray(doubtful - np.logaddexp.reduce(doubtful))


def _with_hand(log_game: Array) -> Array:
    """A hand that is told belongs to a game with hands."""
    takes = [game != CARDS and find_game(game).takes_hand for game in CLASSES]
    only = np.where(takes, log_game, -np.inf)
    return np.asarray(np.maximum(only - np.logaddexp.reduce(only), -60.0))


@lru_cache(maxsize=1)
def _network() -> LayoutNetwork:
    return LayoutNetwork()


def as_cards(table: SeenTable) -> GameReading:
    """Each card on its own, from left to right."""
    placed = (PlacedCard(table.cards[row].best, NOWHERE, row, *table.cards[row].belief()) for row in table.from_left)
    return GameReading(CARDS, None, tuple(placed), (NOWHERE,) * len(table.backs))
