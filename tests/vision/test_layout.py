"""Laid tables come back as the positions they show: by the network that is shipped, and by the rules alone.

What the network says is replaced by the truth (`true_layout`) wherever a test is about the rules, so that such a test
does not depend on any weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from plumbing.errors import NotationError
from solver import parse
from solver.cards import Card, parse_card
from solver.games import position_from_json
from solver.klondike import Position as Klondike
from solver.place import NOWHERE, Place
from tests.vision import simulate
from tests.vision.simulate import Laid, Noise, seen
from vision.cards.disputes import LEAST_DOUBT
from vision.cards.geometry import Array
from vision.cards.seen_table import SeenCard, SeenTable
from vision.confidence import PART_SURE_FROM
from vision.layout import game_choice, klondike, makiaveli
from vision.layout.constrained_decoding import Option, Problem, decode
from vision.layout.game_layout import GameLayout, layout_of
from vision.layout.game_reading import GameReading, PlacedCard, doubts_of_zones
from vision.layout.tokens import MOST_TOKENS, WIDTH, Tokens, tokens_of
from vision.layout.vocabulary import CARDS, CLASSES, GAMES, NONE, ZONES, zone_number
from vision.networks.back_counter import MOST
from vision.networks.table_layout import Layout
from vision.question import QuestionKind

DECKS = list(simulate.DECKS)
DOUBT = Noise(missed=0.0, false=0.0, rank=3.5, suit=3.5)


def json_of(parsed: GameReading) -> dict[str, Any]:
    assert parsed.position is not None
    return parsed.position.to_json()


def canonical(position: Any) -> object:
    """A position without what a photo leaves free: the order of melds and cards in them, the rules."""
    body = {key: value for key, value in position.items() if key != "rules"}
    if "floor" in body:
        body["floor"] = sorted(sorted(meld) for meld in body["floor"])
        body["hand"] = sorted(body["hand"])
    return body


def makiaveli_table(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    camera = simulate.random_camera(rng, (1600, 1200))
    deck = simulate.DECKS[DECKS[seed % 4]]
    return simulate.makiaveli(
        rng, melds=3 + seed % 4, hand=1 + seed % 7, cross=seed % 5, deck=deck, camera=camera, gap=22.0
    )


def klondike_table(seed: int, quarter: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    camera = simulate.turned(simulate.random_camera(rng, (1600, 1200)), quarter)
    deck = simulate.DECKS[DECKS[seed % 3]]
    step = (0.08, 0.12, 0.2)[seed % 3]
    return simulate.klondike(
        rng, deck=deck, camera=camera, stock_right=seed % 2 == 0, waste=seed % 4, down_step=step, empty=seed % 3
    )


def tomb_single_table(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    deck = simulate.DECKS[DECKS[seed % 5]]
    return simulate.tomb_single(rng, deck=deck, camera=simulate.random_camera(rng), side=(1, -1)[seed % 2])


def tomb_double_table(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    deck = simulate.DECKS[DECKS[seed % 5]]
    return simulate.tomb_double(rng, deck=deck, camera=simulate.random_camera(rng), left=seed % 2 == 1)


MAKERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "makiaveli": makiaveli_table,
    "klondike": klondike_table,
    "tomb_single": tomb_single_table,
    "tomb_double": tomb_double_table,
}


def true_layout(game: str, table: SeenTable, truth: dict[str, Any], sure: float = 1 - 1e-6) -> Layout:
    """What a network would say that knows the truth: each card's zone, its neighbours, the cards under it."""
    middles = np.array([np.mean(row["quad"], axis=0) for row in truth["cards"]])
    backs = np.array([row["card"] is None for row in truth["cards"]])
    names = [str(row["card"]) for row in truth["cards"]]
    match = []
    for card in table.cards:
        away = np.linalg.norm(middles - card.quad.mean(0), axis=1) + 1e3 * backs
        away += 20.0 * np.array([name != str(card.best) for name in names])
        match.append(int(away.argmin()))
    for back in table.backs:
        match.append(int((np.linalg.norm(middles - back.quad.mean(0), axis=1) + 1e3 * ~backs).argmin()))
    n, zones = len(match), [truth["cards"][row]["zone"] for row in match]
    log_zone = {}
    for name, words in ZONES.items():
        chance = np.full((n, len(words)), (1 - sure) / (len(words) - 1))
        for k, zone in enumerate(zones):
            chance[k, zone_number(game, zone) if name == game else -1] = sure
        log_zone[name] = np.log(chance)
    link, count = np.full((n, n), -6.0), np.full((n, MOST + 1), -6.0)
    faces = range(len(table.cards))
    for zone in {z for z in zones if z.startswith(("floor", "column"))}:
        own = sorted((k for k in faces if zones[k] == zone), key=lambda k: match[k])
        for a, b in pairwise(own):
            link[a, b] = link[b, a] = 6.0
        down = sum(row["zone"] == zone and row["card"] is None for row in truth["cards"])
        if own:
            count[own[0], min(down, MOST)] = 0.0
    count -= np.log(np.exp(count).sum(1, keepdims=True))
    log_game = np.log(np.where(np.array(CLASSES) == game, 0.96, 0.01))
    # Simulated tables are laid with the player at the lower edge, and their cameras turned by less than an eighth.
    return Layout(log_game, np.array([0.0, 1.0]), log_zone, count, link)


def by_rules(game: str, table: SeenTable, layout_told: Layout, **options: Any) -> GameReading:
    return layout_of(game).parse(table, layout_told, **options)


# The network that is shipped


@pytest.mark.parametrize("game", GAMES)
def test_the_game_of_simulated_tables_is_told(game: str) -> None:
    """They are laid by other code than the network was trained on."""
    found = [game_choice.choose_game(seen(MAKERS[game](seed), seed)) for seed in range(8)]
    assert sum(choice.parsed is not None and choice.parsed.game == game for choice in found) >= 6


@pytest.mark.parametrize("game", GAMES)
def test_every_parsed_position_can_be_read_by_the_solver(game: str) -> None:
    for seed in range(3):
        parsed = game_choice.parse_as(game, seen(MAKERS[game](seed), seed))
        assert json_of(parsed)["game"] == game
        assert position_from_json(json_of(parsed)) == parsed.position
        assert 0 <= parsed.sure <= 1


def test_the_network_takes_any_number_of_cards() -> None:
    table = seen(MAKERS["makiaveli"](3), 3)
    tokens = tokens_of(table)
    assert tokens.rows().shape == (len(table.cards) + len(table.backs), WIDTH)
    many = -(-(MOST_TOKENS + 20) // len(tokens.xy))
    crowd = replace(
        tokens,
        **{
            name: np.concatenate([getattr(tokens, name)] * many)
            for name in tokens.__slots__
            if isinstance(getattr(tokens, name), np.ndarray)
        },
    )
    found = game_choice._network().predict(crowd)
    assert found.link.shape == (len(crowd.xy),) * 2
    for game in GAMES:
        np.testing.assert_allclose(np.exp(found.log_zone[game][:MOST_TOKENS]).sum(1), 1, atol=0.01)
        assert (found.log_zone[game][MOST_TOKENS:].argmax(1) == ZONES[game].index(NONE)).all()


def test_a_card_that_rather_is_none_lies_nowhere_by_those_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seen(MAKERS["klondike"](3), 3)
    tokens, faces = tokens_of(table), len(table.cards)
    rows = tokens.rows()
    monkeypatch.setattr(Tokens, "rows", lambda _: rows)

    def odds_of_none(sure: float) -> Array:
        sure_of_all = np.full(len(tokens.sure), sure)
        none = np.exp(game_choice._network().predict(replace(tokens, sure=sure_of_all), 0).log_zone["klondike"][:, -1])
        return np.asarray(none / (1 - none))

    plain, doubted = odds_of_none(0.9), odds_of_none(0.2)
    told = (plain > 1e-5) & (plain < 1e3)  # where no probability is cut off
    assert told[:faces].any()
    np.testing.assert_allclose(doubted[:faces][told[:faces]], 4 * plain[:faces][told[:faces]], rtol=0.01)
    np.testing.assert_allclose(doubted[faces:], plain[faces:])


def test_a_frame_turned_back_puts_the_player_below() -> None:
    tokens = tokens_of(seen(MAKERS["klondike"](1), 1))
    for quarters in range(4):
        angle = quarters * np.pi / 2
        toward = np.array([-np.sin(angle), np.cos(angle)])
        np.testing.assert_allclose(tokens.turned(quarters).xy[:, 1], tokens.xy @ toward, atol=1e-9)


@pytest.mark.parametrize("from_right", [False, True])
def test_columns_are_read_from_whichever_side_they_were_dealt(from_right: bool) -> None:
    right = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        deck, camera = simulate.DECKS[DECKS[seed % 3]], simulate.random_camera(rng, (1600, 1200))
        truth = simulate.klondike(rng, deck=deck, camera=camera, waste=0, from_right=from_right)
        found = json_of(game_choice.parse_as("klondike", seen(truth, seed)))["columns"]
        right += [column["up"] for column in found] == [column["up"] for column in truth["position"]["columns"]]
    assert right >= 6


@pytest.mark.parametrize("from_right", [False, True])
def test_a_table_dealt_from_the_right_hides_most_at_the_left(from_right: bool) -> None:
    truth = MAKERS["klondike"](1)
    found = true_layout("klondike", seen(truth, 1), truth)
    dealt = list(range(7))[::-1] if from_right else list(range(7))
    log_count = np.full((7, MOST + 1), -6.0)
    log_count[range(7), dealt] = 0.0
    log_count[3] = np.where(
        np.arange(MOST + 1) < 5, np.log(0.2), -6.0
    )  # any number, of which three at most are possible
    cards = [(row,) for row in range(7)]
    counts = klondike.count_down(cards, [()] * 7, replace(found, log_count=log_count), out=7)
    assert list(counts.best) == dealt


def test_an_empty_table_has_no_game() -> None:
    table = seen({"image": {"width": 640, "height": 480}, "cards": []}, 0)
    assert game_choice.choose_game(table).parsed is None
    assert all(json_of(game_choice.parse_as(game, table))["game"] == game for game in GAMES)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(NotationError, match="poker"):
        game_choice.parse_as("poker", seen(MAKERS["klondike"](1), 1))


def test_a_column_that_two_photos_show_is_counted_more_surely() -> None:
    table = seen(MAKERS["klondike"](1), 1)

    def count(strips: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.tile(np.log(np.eye(MOST + 1)[2] * 0.8 + 0.2 / (MOST + 1)), (len(strips), 1))

    def counts(share: float) -> np.ndarray[Any, Any]:
        """Of tables of which so many of the strips are seen twice."""

        def twice(strips: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
            return np.arange(len(strips)) < share * len(strips)

        shown = replace(table, count_backs=count, is_seen_twice=twice)
        return np.asarray(game_choice.predict_layout(shown, "klondike").log_count)

    once, both = counts(0.0), counts(1.0)
    changed = np.flatnonzero(np.abs(both - once).max(1) > 1e-9)
    assert len(changed) >= 3
    assert (both[changed].max(1) > once[changed].max(1)).all()
    assert (counts(0.5)[changed] != once[changed]).any(1).sum() < len(changed)


@pytest.mark.parametrize("quarter", [0, 2])
def test_the_backs_of_a_fresh_deal_tell_at_which_end_the_player_sits(quarter: int) -> None:
    """Seven cards in a slanting row look alike from both ends."""
    names, deck = ("TS", "AD", "TH", "3C", "4H", "2H", "4D"), simulate.DeckShape()
    cards = [
        Laid(parse_card(name), 1.2 * deck.width * n, 0.15 * deck.height * n, 0.0, f"column/{n}")
        for n, name in enumerate(names)
    ]
    camera = simulate.turned(simulate.Camera(), quarter)
    table = seen(simulate.photograph(cards, game="klondike", position=None, camera=camera))

    def count(strips: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Sure of the cards under a column on the player's side; anything may lie on a bare table."""
        found = np.full((len(strips), MOST + 1), 1 / (MOST + 1))
        for row, strip in enumerate(strips):
            along = strip[2] - strip[1]
            if along[1] * (1 - quarter) > 0:  # towards the player, who sits at the lower edge or at the upper one
                at = strip.mean(0) + 0.35 * along
                nearest = min(table.cards, key=lambda card: float(np.linalg.norm(card.quad.mean(0) - at)))
                found[row] = 0.98 * np.eye(MOST + 1)[names.index(str(nearest.best))] + 0.02 / (MOST + 1)
        return np.asarray(np.log(found))

    reading = game_choice.choose_game(replace(table, count_backs=count)).parsed
    assert reading is not None
    columns = json_of(reading)["columns"]
    assert [column["up"] for column in columns] == [[name] for name in names]
    assert [len(column["down"]) for column in columns] == list(range(7))


def test_cards_alone_stay_as_they_were_read() -> None:
    table = seen(MAKERS["makiaveli"](2), 2, DOUBT)
    parsed = game_choice.parse_as(CARDS, table)
    assert parsed.position is None
    assert sorted(str(placed.card) for placed in parsed.placed) == sorted(str(card.best) for card in table.cards)


# The choice of the game


def test_a_game_whose_rules_a_table_breaks_is_less_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seen(MAKERS["klondike"](1), 1)
    even = np.log(np.array([0.02, 0.493, 0.02, 0.466, 0.001]))  # Klondike, or two decks
    monkeypatch.setattr(
        game_choice,
        "predict_layout",
        lambda *_: replace(true_layout("klondike", table, MAKERS["klondike"](1)), log_game=even),
    )
    penalties = {"klondike": -24.0, "tomb_double": 0.0}

    def penalised(game: str) -> GameLayout:
        return GameLayout(lambda *_, **__: GameReading(game, None, ()), lambda *_, **__: penalties[game])

    monkeypatch.setattr(game_choice, "layout_of", penalised)
    choice = game_choice.choose_game(table)
    assert choice.parsed is not None
    assert choice.parsed.game == "tomb_double"
    assert choice.chance > 0.85


def test_where_none_is_likeliest_the_cards_stay_and_the_nearest_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seen(MAKERS["klondike"](1), 1)
    near = np.log(np.array([0.05, 0.35, 0.02, 0.03, 0.55]))
    monkeypatch.setattr(
        game_choice,
        "predict_layout",
        lambda *_: replace(true_layout("klondike", table, MAKERS["klondike"](1)), log_game=near),
    )
    choice = game_choice.choose_game(table)
    assert choice.parsed is not None
    assert (choice.parsed.game, choice.likeliest) == (CARDS, "klondike")
    odds = 0.55 / 0.45 * np.exp(game_choice.TUNING.no_game_log_odds)
    assert choice.chance == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize(("plain", "named"), [(0.9, "klondike"), (0.1, None)])
def test_a_game_that_is_plain_but_breaks_its_rules_is_named(
    monkeypatch: pytest.MonkeyPatch, plain: float, named: str | None
) -> None:
    table = seen(MAKERS["klondike"](1), 1)
    log_game = np.log(np.array([1e-9, plain, 1e-9, 1e-9, 1 - plain]))
    laid = replace(true_layout("klondike", table, MAKERS["klondike"](1)), log_game=log_game)
    monkeypatch.setattr(game_choice, "predict_layout", lambda *_: laid)
    monkeypatch.setattr(game_choice, "_rule_penalty", lambda *_: -40.0)
    choice = game_choice.choose_game(table)
    assert choice.parsed is not None
    assert (choice.parsed.game, choice.likeliest) == (CARDS, named)


# The rules


@pytest.mark.parametrize("game", GAMES)
def test_what_the_truth_tells_comes_back(game: str) -> None:
    for seed in range(6):
        truth = MAKERS[game](seed)
        table = seen(truth, seed)
        parsed = by_rules(game, table, true_layout(game, table, truth))
        assert canonical(json_of(parsed)) == canonical(position_from_json(truth["position"]).to_json()), (game, seed)
        assert parsed.sure > 0.5


@pytest.mark.parametrize("game", ["makiaveli", "klondike"])
def test_the_rules_put_doubtful_reads_right(game: str) -> None:
    with_rules = without = 0
    for seed in range(7):
        truth = MAKERS[game](seed)
        table = seen(truth, seed, Noise(missed=0.0, false=0.0, rank=4.0, suit=3.5))
        layout_told = true_layout(game, table, truth)
        wanted = canonical(position_from_json(truth["position"]).to_json())
        with_rules += canonical(json_of(by_rules(game, table, layout_told))) == wanted
        without += canonical(json_of(by_rules(game, table, layout_told, decoding=False))) == wanted
    assert with_rules > without


@pytest.mark.parametrize("game", ["makiaveli", "klondike", "tomb_single"])
def test_an_unreadable_table_is_never_sure_of_its_cards(game: str) -> None:
    noise = Noise(missed=0.0, false=0.0, rank=0.3, suit=0.3)
    sure = wrong = 0
    for seed in range(2):
        truth = MAKERS[game](seed)
        table = seen(truth, seed, noise)
        parsed = by_rules(game, table, true_layout(game, table, truth))
        there = {row["card"]: np.array(row["quad"]).mean(0) for row in truth["cards"] if row["card"]}
        for placed in parsed.placed:
            if placed.seen is not None and placed.confidence >= 0.95:
                sure += 1
                at = table.cards[placed.seen].quad.mean(0)
                wrong += np.linalg.norm(there.get(str(placed.card), np.zeros(2)) - at) > 30
    assert wrong == 0, f"{wrong} of {sure} sure cards are wrong"


def laid(text: str, x: float, y: float, step: float = 25.0, zone: str = "none") -> list[Laid]:
    return [Laid(parse_card(word), x + step * k, y, 0.0, zone) for k, word in enumerate(text.split())]


def column(text: str, x: float, y: float, number: int) -> list[Laid]:
    return [Laid(parse_card(word), x, y + 28.0 * k, 0.0, f"column/{number}") for k, word in enumerate(text.split())]


def parse_laid(
    game: str, cards: list[Laid], change: Callable[[SeenTable, Layout], Layout] | None = None
) -> GameReading:
    truth = simulate.photograph(cards, game=game, position=None)
    table = seen(truth, 1)
    found = true_layout(game, table, truth)
    return by_rules(game, table, found if change is None else change(table, found))


def penalty_of_laid(game: str, cards: list[Laid]) -> float:
    truth = simulate.photograph(cards, game=game, position=None)
    table = seen(truth, 1)
    return layout_of(game).rule_penalty(table, true_layout(game, table, truth))


def row_of(table: SeenTable, card: str) -> int:
    return next(k for k, seen_card in enumerate(table.cards) if str(seen_card.best) == card)


def rezoned(game: str, card: str, **chances: float) -> Callable[[SeenTable, Layout], Layout]:
    """Another opinion on where a card lies."""

    def change(table: SeenTable, found: Layout) -> Layout:
        log = {name: part.copy() for name, part in found.log_zone.items()}
        own = np.full(len(ZONES[game]), 1e-4)
        for zone, chance in chances.items():
            own[ZONES[game].index(zone.replace("_", "/") if zone not in ZONES[game] else zone)] = chance
        log[game][row_of(table, card)] = np.log(own / own.sum())
        return replace(found, log_zone=log)

    return change


HANDED = [*laid("KD KS KH", 0, 130, zone="floor/1"), *laid("2C 9D", 0, 330, zone="hand")]


def test_kings_that_are_read_as_queens_are_asked_about_once_a_run_tells_one() -> None:
    cards = [*laid("JD QD KD", 0, 0, zone="floor/0"), *HANDED]
    truth = simulate.photograph(cards, game="makiaveli", position=None)
    table = seen(truth, 1)

    def misread(card: SeenCard) -> SeenCard:
        log = card.log_card.copy()
        if card.best.rank == 13:
            log[card.best.index - 1] = log[card.best.index] + 3.0
        return replace(card, log_card=log - np.logaddexp.reduce(log))

    alike = replace(table, cards=tuple(map(misread, table.cards)))
    parsed = by_rules("makiaveli", alike, true_layout("makiaveli", table, truth))
    assert sorted(json_of(parsed)["floor"]) == [["JD", "QD", "KD"], ["KD", "KS", "KH"]]
    of_set = [card for card in parsed.placed if card.place == Place("floor", 1)]
    assert all(card.confidence <= 1 - LEAST_DOUBT for card in of_set)
    assert [str(card.alternatives[0][0]) for card in of_set] == ["QD", "QS", "QH"]


@pytest.mark.parametrize(("stray", "is_asked"), [("6C", False), ("9H", True)])
def test_the_like_of_a_card_upon_its_meld_is_that_card_by_another_corner(stray: str, is_asked: bool) -> None:
    run = laid("5C 6C 7C 8C", 0, 0, zone="floor/0")
    upon = Laid(parse_card(stray), 30.0, 40.0, 0.0, "floor/0")
    parsed = parse_laid("makiaveli", [*run, upon, *HANDED], rezoned("makiaveli", stray, floor=0.5, none=0.5))
    (left,) = (card for card in parsed.placed if card.place == NOWHERE)
    assert str(left.card) == stray
    assert bool(left.why) is is_asked


def test_touching_melds_are_cut_where_the_rules_want_it() -> None:
    """The network sees one row of seven; no run and no set has those cards."""
    parsed = parse_laid("makiaveli", [*laid("7C 7D 7H 4S 5S 6S 7S", 0, 0, zone="floor/0"), *HANDED])
    assert sorted(map(len, json_of(parsed)["floor"])) == [3, 3, 4]
    assert sorted(json_of(parsed)["hand"]) == ["2C", "9D"]


@pytest.mark.parametrize(
    ("below", "step", "floor"),
    [
        ("9H", 66, [["4H", "5H", "6H", "7H", "8H", "9H"]]),
        ("9H TH", 66, [["4H", "5H", "6H", "7H", "8H", "9H", "TH"]]),
        ("9H TH JH", 66, [["4H", "5H", "6H", "7H", "8H", "9H", "JH", "TH"]]),
        ("9H TH JH", 25, [["4H", "5H", "6H", "7H", "8H"], ["9H", "JH", "TH"]]),  # overlapping cards need no second line
        ("9C TC JC", 66, [["4H", "5H", "6H", "7H", "8H"], ["9C", "JC", "TC"]]),
    ],
)
def test_a_line_of_whole_cards_may_go_on_below(below: str, step: float, floor: list[list[str]]) -> None:
    lines = [*laid("4H 5H 6H 7H 8H", 0, 0, step, zone="floor/0"), *laid(below, 0, 95, step, zone="floor/1")]
    parsed = parse_laid("makiaveli", [*lines, *laid("2C 9D", 0, 330, zone="hand")])
    assert sorted(map(sorted, json_of(parsed)["floor"])) == floor
    doubted = any("may not lie as one meld" in doubt.text for doubt in parsed.doubts)
    assert not parsed.checks
    assert doubted == (len(floor) == 1 and len(below) > 6), "three cards below are a meld by themselves too"


@pytest.mark.parametrize(
    ("below", "x", "floor"),
    [
        ("KC QC JC", 25, [["7C", "8C", "9C", "JC", "KC", "QC", "TC"]]),
        ("QC JC", 50, [["7C", "8C", "9C", "JC", "QC", "TC"]]),
        ("JC QC KC", 75, [["7C", "8C", "9C", "TC"], ["JC", "KC", "QC"]]),  # it would run on, not back
        ("KC QC JC", 0, [["7C", "8C", "9C", "TC"], ["JC", "KC", "QC"]]),  # not beside its end
        ("KS QS JS", 25, [["7C", "8C", "9C", "TC"], ["JS", "KS", "QS"]]),
    ],
)
def test_a_run_may_be_folded_back_below_its_end(below: str, x: int, floor: list[list[str]]) -> None:
    lines = [*laid("7C 8C 9C TC", 0, 0, zone="floor/0"), *laid(below, x, 80, zone="floor/1")]
    parsed = parse_laid("makiaveli", [*lines, *laid("2C 9D", 0, 330, zone="hand")])
    assert sorted(map(sorted, json_of(parsed)["floor"])) == floor


def test_the_last_card_of_a_run_in_a_second_line_may_be_one_of_the_cross() -> None:
    """It lies by itself, below the first card of the line, where the deck may be near."""
    lines = [*laid("4H 5H 6H 7H 8H", 0, 0, 66, zone="floor/0"), *laid("9H", 0, 95, zone="cross/1")]
    rather_cross = rezoned("makiaveli", "9H", floor=0.4, cross_1=0.6)
    parsed = parse_laid("makiaveli", [*lines, *laid("2C 9D", 0, 330, zone="hand")], rather_cross)
    asked = {doubt.text: doubt.doubt for doubt in parsed.doubts}
    assert (asked.get("4H 5H 6H 7H 8H 9H may not lie as one meld: please check which cards do") or 0.0) > 0.05


def test_a_wide_step_parts_two_runs_that_would_make_one() -> None:
    """Whole cards and, in the same row, overlapping ones: the network hardly parts them."""

    def linked(table: SeenTable, found: Layout) -> Layout:
        link, pair = found.link.copy(), [row_of(table, "8H"), row_of(table, "9H")]
        link[pair, pair[::-1]] = -0.5
        return replace(found, link=link)

    cards = [*laid("6H 7H 8H", 0, 0, 66, zone="floor/0"), *laid("9H TH JH QH", 200, 0, zone="floor/1")]
    parsed = parse_laid("makiaveli", [*cards, *laid("2C 9D", 0, 330, zone="hand")], linked)
    assert sorted(map(sorted, json_of(parsed)["floor"])) == [["6H", "7H", "8H"], ["9H", "JH", "QH", "TH"]]
    assert any("may not lie as one meld" in doubt.text for doubt in parsed.doubts)


def test_a_meld_in_one_row_with_the_hand_may_belong_to_it() -> None:
    """Somebody who sorts a hand may hold a whole run."""
    hand = laid("KC 2H 3H", 0, 330, zone="hand")
    for step, asked in ((25, True), (100, False)):
        run = laid("5H 6H 7H", 50 + step, 330, zone="floor/1")
        parsed = parse_laid("makiaveli", [*laid("KD KS KH", 0, 0, zone="floor/0"), *hand, *run])
        said = "5H 6H 7H lie in a row with the hand: please check whether they belong to it"
        assert ([check.text for check in parsed.checks] == [said]) == asked


@pytest.mark.parametrize("neighbours", [3.0, 6.0])
def test_a_meld_in_the_row_of_a_hand_is_held_where_the_whole_row_rather_is(neighbours: float) -> None:
    def rather_floor(table: SeenTable, found: Layout) -> Layout:
        zone = found.log_zone["makiaveli"].copy()
        for card in ("5H", "6H", "7H"):
            zone[row_of(table, card)] = np.log(1e-6)
            zone[row_of(table, card), [ZONES["makiaveli"].index(word) for word in ("floor", "hand")]] = np.log(
                [0.9, 0.1]
            )
        link, rows = found.link.copy(), [row_of(table, card) for card in ("5H", "6H", "7H")]
        for one, other in pairwise(rows):
            link[one, other] = link[other, one] = neighbours
        return replace(found, log_zone=found.log_zone | {"makiaveli": zone}, link=link)

    cards = [*laid("KD KS KH", 0, 0, zone="floor/0"), *laid("KC JC 2H 3H 5H 6H 7H", 0, 330, zone="hand")]
    parsed = parse_laid("makiaveli", cards, rather_floor)
    assert sorted(json_of(parsed)["hand"]) == ["2H", "3H", "5H", "6H", "7H", "JC", "KC"]
    said = "5H 6H 7H of the hand make a meld: please check whether they lie on the floor"
    assert said in [check.text for check in parsed.checks]


def test_many_sets_and_runs_are_this_game_whatever_the_network_says() -> None:
    """A table without deck and cross, which the network takes for none of our games."""
    runs = ["AH 2H 3H", "4S 5S 6S", "7D 8D 9D", "TC JC QC", "2D 3D 4D", "5C 6C 7C", "8H 9H TH"]
    sets = ["AC AD AS", "KC KD KH", "JD JH JS", "4C 4H 4D", "2C 2S 2H", "9C 9S 9H", "QD QH QS"]
    told = []
    for rows in (runs + sets, runs + runs, runs[:2] + sets[:2]):
        cards = [c for k, row in enumerate(rows) for c in laid(row, 150 * (k % 4), 130 * (k // 4), zone=f"floor/{k}")]
        truth = simulate.photograph(cards, game="makiaveli", position=None)
        table = seen(truth, 1)
        told.append(makiaveli.tells(table, true_layout("makiaveli", table, truth)))
    assert told == [8.0, 0.0, 0.0]


def test_a_run_of_three_whose_middle_is_unseen_is_still_a_run() -> None:
    parsed = parse_laid("makiaveli", [*laid("AH 3H", 0, 0, step=40, zone="floor/0"), *HANDED])
    assert sorted(map(sorted, json_of(parsed)["floor"])) == [["2H", "3H", "AH"], ["KD", "KH", "KS"]]
    unseen = next(placed for placed in parsed.placed if placed.card == parse_card("2H"))
    assert unseen.seen is None
    assert unseen.confidence < 0.95
    assert unseen.why == "not seen, but meld 1 needs it"


def test_a_doubtful_card_of_a_run_is_rather_the_next_one_than_one_after_an_unseen_card() -> None:
    """Of a fan of three the last card is half covered: the 7 may be an 8, but nobody hides a whole card."""
    truth = simulate.photograph([*laid("5H 6H 7H", 0, 0, zone="floor/0"), *HANDED], game="makiaveli", position=None)
    table = seen(truth, 1)
    row = row_of(table, "7H")
    log = np.full(52, -20.0)
    log[[parse_card("7H").index, parse_card("8H").index]] = np.log([0.2, 0.8])
    cards = tuple(replace(card, log_card=log) if k == row else card for k, card in enumerate(table.cards))
    parsed = by_rules("makiaveli", replace(table, cards=cards), true_layout("makiaveli", table, truth))
    assert sorted(map(sorted, json_of(parsed)["floor"])) == [["5H", "6H", "7H"], ["KD", "KH", "KS"]]


def test_a_full_run_is_not_taken_for_one_with_a_gap() -> None:
    """Reads that leave a neighbouring rank possible once made 2 3 4 of spades out as A 3 4 with the two unseen."""
    spades = [parse_card(text).index for text in ("AS", "2S", "3S", "4S")]
    plausible = [dict.fromkeys(spades, -10.0) | {card: 0.0} for card in spades]
    odds = np.where(np.abs(np.arange(4)[:, None] - np.arange(4)) == 1, 6.0, -np.inf)
    melds = list(makiaveli._PathSearch(odds, plausible).run())
    best = max(melds, key=lambda meld: (round(meld.score, 1), len(meld.cards)))
    assert (sorted(best.identities), best.missing) == (spades, ())


def test_a_given_hand_leaves_every_card_on_the_floor() -> None:
    cards = [*laid("7C 7D 7H", 0, 0, zone="floor/0"), *laid("3S 4S 5S", 0, 330, zone="hand")]
    truth = simulate.photograph(cards, game="makiaveli", position=None)
    table = seen(truth, 1)
    floor = true_layout("makiaveli", table, simulate.photograph(
        [*cards[:3], *laid("3S 4S 5S", 0, 330, zone="floor/1")], game="makiaveli", position=None))  # fmt: skip
    assert json_of(by_rules("makiaveli", table, true_layout("makiaveli", table, truth)))["hand"] == [
        "3S",
        "4S",
        "5S",
    ]
    given = json_of(by_rules("makiaveli", table, floor, hand=[parse_card("2C")]))
    assert (len(given["floor"]), given["hand"]) == (2, ["2C"])


@pytest.mark.parametrize(("hand", "asked"), [("9H TH JH", True), ("9H TH JH 2C", False)])
def test_a_whole_hand_that_is_a_meld_is_asked_about_though_its_cards_lie_apart(hand: str, asked: bool) -> None:
    """Somebody's run at the edge of the table: a film's network took it for a hand, and its cards for no neighbours."""
    cards = [*laid("7C 7D 7H", 0, 0, zone="floor/0"), *laid(hand, 0, 330, step=90, zone="hand")]

    def apart(table: SeenTable, found: Layout) -> Layout:
        rows = [row_of(table, card) for card in hand.split()]
        link = found.link.copy()
        link[np.ix_(rows, rows)] = -4.0
        return replace(found, link=link)

    told = [check.text for check in parse_laid("makiaveli", cards, apart).checks]
    assert any("of the hand make a meld" in text for text in told) is asked


def test_what_looks_like_a_hand_lies_on_the_floor_where_the_hand_is_given() -> None:
    """Somebody's meld at the edge of the table: no card of it is left out, and its cards are neighbours."""
    run = ("3S", "4S", "5S", "6S")
    truth = simulate.photograph(
        [*laid("7C 7D 7H", 0, 0, zone="floor/0"), *laid(" ".join(run), 0, 330, zone="hand")],
        game="makiaveli",
        position=None,
    )
    table = seen(truth, 1)
    found = true_layout("makiaveli", table, truth)
    for card in run:
        found = rezoned("makiaveli", card, hand=0.97, floor=0.03)(table, found)
    link, rows = found.link.copy(), [row_of(table, card) for card in run]
    for one, other in pairwise(rows):
        link[one, other] = link[other, one] = -4.0
    given = json_of(by_rules("makiaveli", table, replace(found, link=link), hand=[parse_card("2C")]))
    assert sorted(map(sorted, given["floor"])) == [["3S", "4S", "5S", "6S"], ["7C", "7D", "7H"]]


def test_a_hand_that_the_photo_shows_beside_the_given_one_is_noted() -> None:
    cards = [*laid("7C 7D 7H", 0, 0, zone="floor/0"), *laid("3S 9D JC", 0, 330, zone="hand")]
    truth = simulate.photograph(cards, game="makiaveli", position=None)
    table = seen(truth, 1)
    layout = true_layout("makiaveli", table, truth)
    (note,) = by_rules("makiaveli", table, layout, hand=[parse_card("2C")]).notes
    shown, _, why = note.removeprefix("the photo seems to show a hand too: ").partition("; ")
    assert (sorted(shown.split()), why) == (["3S", "9D", "JC"], "it does not count, since the hand was given")
    (note,) = by_rules("makiaveli", table, layout, hand=[parse_card("3S"), parse_card("9D")]).notes
    assert note.startswith("the photo seems to show the given hand: ")
    assert note.endswith("give no hand, and these cards are taken for it")
    assert not by_rules("makiaveli", table, layout).notes


def test_cards_that_make_no_meld_are_named_and_stay() -> None:
    cards = [*laid("7C 9D 2H", 0, 0, zone="floor/0"), *HANDED]
    parsed = parse_laid("makiaveli", cards)
    assert parsed.position is not None
    assert parsed.position.problems()
    assert parsed.checks
    assert penalty_of_laid("makiaveli", cards) < -10


def test_a_meld_in_the_hand_is_asked_for() -> None:
    cards = [*laid("7C 7D 7H", 0, 0, zone="floor/0"), *laid("3S 4S 5S 9D", 0, 330, zone="hand")]

    def linked(table: SeenTable, found: Layout) -> Layout:
        link = found.link.copy()
        for a, b in (("3S", "4S"), ("4S", "5S")):
            i, j = row_of(table, a), row_of(table, b)
            link[i, j] = link[j, i] = 6.0
        return replace(found, link=link)

    assert any("3S 4S 5S of the hand" in check.text for check in parse_laid("makiaveli", cards, linked).checks)


@pytest.mark.parametrize(
    ("cards", "asked"),
    [
        ([*laid("9D", 150, 25, zone="hand")], ["9D"]),
        ([*laid("9D", 150, 25, zone="cross/1")], ["9D"]),
        ([*laid("9D", 150, 330, zone="hand")], []),
        ([*laid("9D JC", 60, 25, zone="hand", step=90)], []),  # a fan that is held over the table
    ],
)
def test_the_one_card_of_hand_or_cross_that_lies_upon_a_meld_is_asked_about(cards: Any, asked: list[str]) -> None:
    parsed = parse_laid("makiaveli", [*laid("7C 7D 7H", 0, 0, step=70, zone="floor/0"), *cards])
    found = [check for check in parsed.doubts if check.kind is QuestionKind.ZONE]
    assert [parsed.placed[number].text for check in found for number in check.cards] == asked
    assert all(check.choices[1:] == ("floor/0",) for check in found)


@pytest.mark.parametrize(("x", "more"), [(220.0, ("floor/0",)), (400.0, ())])
def test_where_a_card_of_the_hand_may_lie_on_the_floor_the_melds_beside_it_are_offered(
    x: float, more: tuple[str, ...]
) -> None:
    cards = [*laid("7C 7D 7H", 0, 0, step=70, zone="floor/0"), *laid("9S", x, 0, zone="hand"), *HANDED]
    parsed = parse_laid("makiaveli", cards, rezoned("makiaveli", "9S", hand=0.7, floor=0.3))
    (asked,) = (check for check in parsed.doubts if parsed.placed[check.cards[0]].text == "9S")
    assert asked.choices == ("hand", "floor", *more)


def test_sides_of_the_deck_that_are_as_likely_as_the_chosen_one_are_offered() -> None:
    zones = ZONES["makiaveli"]
    chances = {"cross/0": 0.01, "cross/1": 0.3, "cross/2": 0.3, "cross/3": 0.3, "hand": 0.09}
    log_zone = np.log([[chances.get(zone, 1e-6) for zone in zones]])
    options = [Option(np.log(chances[zone]), (0,), meaning=(zone, 0)) for zone in ("cross/1", "hand")]
    problem = Problem(options, {})
    decoded = decode(problem, {})
    assert decoded is not None
    placed = [PlacedCard(parse_card("2S"), Place("cross", 1), 0)]
    (asked,) = doubts_of_zones(problem, decoded, log_zone, zones, placed)
    assert asked.choices == ("cross/1", "cross/2", "cross/3")


def test_two_cards_cannot_lie_in_one_place_of_the_cross() -> None:
    cards = [*laid("2S", 400, -110, zone="cross/0"), *laid("9H", 500, -110, zone="hand"), *HANDED]
    parsed = parse_laid("makiaveli", cards, rezoned("makiaveli", "9H", cross_0=0.6, hand=0.4))
    assert json_of(parsed)["cross"][0] == "2S"
    assert "9H" in json_of(parsed)["hand"]


TABLEAU = [*column("KS QH JC", 0, 200, 0), *column("9D", 90, 200, 1), *column("4C 3D", 180, 200, 2)]


@pytest.mark.parametrize(("x", "are_apart"), [(390.0, True), (320.0, False)])
def test_two_cards_of_one_suit_on_foundations_are_told_where_they_lie_apart(x: float, are_apart: bool) -> None:
    tops = [*laid("AH", 300, 0, zone="foundation/H"), *laid("2H", x, 0, zone="foundation/H")]
    parsed = parse_laid("klondike", [*TABLEAU, *tops])
    assert json_of(parsed)["foundations"]["H"] == 2
    asked = [question.text for question in parsed.checks if question.kind is QuestionKind.RULES]
    told = "AH and 2H lie apart on foundations, but the table shows one pile of them"
    assert asked == [told] * are_apart


def test_a_column_with_one_misread_card_is_put_right() -> None:
    truth = simulate.photograph(TABLEAU, game="klondike", position=None)
    table = seen(truth, 1)
    row = row_of(table, "QH")
    log = np.full(52, -20.0)
    log[[parse_card("QC").index, parse_card("QH").index]] = np.log([0.6, 0.4])
    cards = tuple(replace(card, log_card=log) if k == row else card for k, card in enumerate(table.cards))
    parsed = by_rules("klondike", replace(table, cards=cards), true_layout("klondike", table, truth))
    assert json_of(parsed)["columns"][0]["up"] == ["KS", "QH", "JC"]
    assert "the rules leave QH" in next(placed.why for placed in parsed.placed if str(placed.card) == "QH")


SEVEN = ("KS QH JC", "9D 8S", "TC 9H 8C", "5H", "7D 6C 5D", "4S 3H", "QC JH")


def test_columns_in_two_lines_are_counted_line_by_line() -> None:
    cards = []
    for number, text in enumerate(SEVEN):
        cards += column(text, 90 * (number % 4), 200.0 * (number // 4), number)
    assert [own["up"] for own in json_of(parse_laid("klondike", cards))["columns"]] == [text.split() for text in SEVEN]


def test_few_columns_that_begin_at_different_heights_lie_in_one_line_all_the_same() -> None:
    """Late in a game three columns are left, of which one lies lower. The network hardly tells their numbers."""
    places = {"KS QH": (2, 180.0, 200.0), "9D 8S": (4, 270.0, 250.0), "5H 4S": (3, 360.0, 200.0)}
    cards = [card for text, (number, x, y) in places.items() for card in column(text, x, y, number)]

    def unsure(table: SeenTable, found: Layout) -> Layout:
        for card, by_number in (("9D", (0.4, 0.6)), ("8S", (0.4, 0.6)), ("5H", (0.55, 0.45)), ("4S", (0.55, 0.45))):
            third, fourth = by_number
            found = rezoned("klondike", card, column_3=third, column_4=fourth)(table, found)
        return found

    up = [own["up"] for own in json_of(parse_laid("klondike", cards, unsure))["columns"]]
    assert up[2:5] == [text.split() for text in places]


def test_columns_laid_as_rows_are_counted_from_the_far_end() -> None:
    cards = []
    for number, text in enumerate(SEVEN):
        cards += laid(text, 0, 100.0 * number, zone=f"column/{number}")
    truth = simulate.photograph(cards, game="klondike", position=None)
    table = seen(truth, 1)
    found = true_layout("klondike", table, truth)
    parsed = by_rules("klondike", table, found)
    assert [own["up"] for own in json_of(parsed)["columns"]] == [text.split() for text in SEVEN]
    first, along = klondike.columns(table, found)
    assert {str(table.cards[row].best) for row in first} == {text[:2] for text in SEVEN}
    down = klondike.toward_player(table, found)
    assert abs(along @ down) < 1e-9, "what such columns hide lies beside their first cards"


def test_a_column_in_any_order_is_given_as_it_lies() -> None:
    parsed = parse_laid("klondike", column("5D 9C QS 2H JH 3C", 0, 200, 0))
    assert json_of(parsed)["columns"][0]["up"] == ["5D", "9C", "QS", "2H", "JH", "3C"]
    assert any("alternating colours" in check.text for check in parsed.checks)


def test_what_a_foundation_holds_lies_nowhere_else() -> None:
    """A jack above the columns is waste where cards of its suit below it lie in the columns."""
    cards = [*TABLEAU, *laid("JD", 270, 0, zone="waste")]
    either = rezoned("klondike", "JD", waste=0.4, foundation=0.6)
    parsed = parse_laid("klondike", cards, either)
    assert json_of(parsed)["waste"] == ["JD"]
    assert set(json_of(parsed)["foundations"].values()) == {0}
    assert parsed.sure > 0.9


def test_of_a_card_of_the_waste_that_may_lie_in_a_column_the_likeliest_one_is_offered() -> None:
    cards = [*TABLEAU, *laid("JD", 270, 0, zone="waste")]
    parsed = parse_laid("klondike", cards, rezoned("klondike", "JD", waste=0.6, column_4=0.3, column_5=0.1))
    assert json_of(parsed)["waste"] == ["JD"]
    (asked,) = (question for question in parsed.doubts if question.text.startswith("perhaps JD "))
    assert asked.choices == ("waste", "column/4")


@pytest.mark.parametrize(("plainly", "asked"), [(0.96, True), (0.6, False)])
def test_a_card_that_plainly_lies_elsewhere_than_the_rules_allow_is_asked_about(plainly: float, asked: bool) -> None:
    cards = [*TABLEAU, *laid("JD", 270, 0, zone="waste")]
    parsed = parse_laid("klondike", cards, rezoned("klondike", "JD", waste=1 - plainly, foundation=plainly))
    assert json_of(parsed)["waste"] == ["JD"]
    found = [question for question in parsed.doubts if question.text.startswith("perhaps JD does not lie in the waste")]
    assert found
    assert all(question.choices == ("waste", "foundation/D") for question in found), "it hardly lies in a column"
    assert any((question.doubt or 0) > 1 - PART_SURE_FROM for question in found) is asked


def test_a_card_that_may_be_waste_or_foundation_leaves_the_position_unsure() -> None:
    cards = [*TABLEAU, *laid("AH", 270, 0, zone="waste")]
    parsed = parse_laid("klondike", cards, rezoned("klondike", "AH", waste=0.45, foundation=0.55))
    assert json_of(parsed)["foundations"]["H"] == 1
    assert parsed.sure < 0.6


def test_columns_stand_in_order_whatever_is_said_of_one() -> None:
    parsed = parse_laid("klondike", TABLEAU, rezoned("klondike", "9D", column_0=0.5, column_6=0.3, column_1=0.2))
    assert [c["up"] for c in json_of(parsed)["columns"][:3]] == [["KS", "QH", "JC"], ["9D"], ["4C", "3D"]]


def test_of_a_fan_the_uppermost_card_is_the_last() -> None:
    fan = [*TABLEAU, *laid("2C 8H TS", 270, 0, step=20, zone="waste")]
    assert json_of(parse_laid("klondike", fan))["waste"] == ["2C", "8H", "TS"]
    other = [*TABLEAU, *reversed(laid("2C 8H TS", 270, 0, step=20, zone="waste"))]
    assert json_of(parse_laid("klondike", other))["waste"] == ["TS", "8H", "2C"]


def test_the_rules_say_which_of_two_near_cards_of_a_column_comes_first() -> None:
    table = seen(simulate.photograph(TABLEAU, game="klondike", position=None), 1)
    king, queen, jack = (row_of(table, card) for card in ("KS", "QH", "JC"))
    layers = {king: 0, jack: 1, queen: 2}  # so it was seen: the jack under the queen
    table = replace(table, cards=tuple(replace(c, layer=layers.get(k, 9)) for k, c in enumerate(table.cards)))
    depth = np.zeros(len(table.cards))
    depth[[king, queen, jack]] = 0.0, 0.3, 0.5
    assert klondike._in_order([king, queen, jack], depth, table, decoding=False) == (king, jack, queen)
    assert klondike._in_order([king, queen, jack], depth, table, decoding=True) == (king, queen, jack)
    depth[jack] = 1.5  # too far to be mistaken
    assert klondike._in_order([king, jack, queen], depth, table, decoding=True) == (king, queen, jack)
    depth[[queen, jack]] = 1.5, 0.5
    assert klondike._in_order([king, queen, jack], depth, table, decoding=True) == (king, jack, queen)


def test_a_column_in_order_is_not_turned_round_by_what_seems_to_lie_on_what() -> None:
    table = seen(simulate.photograph(TABLEAU, game="klondike", position=None), 1)
    column = [row_of(table, card) for card in ("KS", "QH", "JC")]
    layers = dict(zip(column, (2, 1, 0), strict=True))  # so it was seen: the king on top
    table = replace(table, cards=tuple(replace(c, layer=layers.get(k, 9)) for k, c in enumerate(table.cards)))
    depth = np.zeros(len(table.cards))
    depth[column] = 0.0, 0.5, 1.0
    assert klondike._in_order(column, depth, table, decoding=True) == tuple(column)
    assert klondike._in_order(column, depth, table, decoding=False) == tuple(column[::-1])


def test_a_card_far_below_the_only_back_found_is_still_of_its_column() -> None:
    """Of six backs the detector may find the first alone."""
    back = Laid(None, 300.0, 0.0, 0.0, "column/6")
    card = Laid(parse_card("JS"), 310.0, 1.8 * simulate.DeckShape().height, 0.0, "column/6")
    parsed = parse_laid("klondike", [*TABLEAU[:6], back, card])
    assert json_of(parsed)["columns"][6]["up"] == ["JS"]
    assert [placed.place for placed in parsed.placed if str(placed.card) == "JS"] == [Place("column", 6)]


def test_it_is_asked_which_card_was_turned_where_a_column_ends_in_a_back() -> None:
    backs = [Laid(None, 300.0, 25.0 * k, 0.0, "column/6") for k in range(2)]
    parsed = parse_laid("klondike", [*TABLEAU[:6], *backs])
    assert json_of(parsed)["columns"][6] == {"down": ["??", "??"], "up": []}
    (asked,) = [check for check in parsed.checks if check.place == Place("column", 6)]
    assert "not turned yet: which card is it?" in str(asked)


def counts_from(log_count: Any, out: int = 7) -> klondike.Counts:
    columns = [[k] for k in range(7)]
    nothing: dict[str, Any] = {}
    found = Layout(np.zeros(5), np.zeros(2), nothing, np.asarray(log_count, float), np.zeros((7, 7)))
    return klondike.count_down(columns, [[]] * 7, found, out)


def test_at_the_deal_the_columns_hide_none_to_six_whatever_the_strips_say() -> None:
    """One face-up card a column and nothing else out: 21 cards must lie face down."""
    nothing_known = np.full((7, MOST + 1), -np.log(MOST + 1))
    counts = counts_from(nothing_known)
    assert counts.best == (0, 1, 2, 3, 4, 5, 6)
    assert counts.chance[6, 6] > 0.9


def test_strips_are_believed_where_the_rules_leave_it_open() -> None:
    wanted = [0, 1, 0, 2, 1, 4, 3]
    log = np.log(np.where(np.arange(MOST + 1) == np.array(wanted)[:, None], 0.94, 0.01))
    counts = counts_from(log, out=20)
    assert list(counts.best) == wanted
    np.testing.assert_allclose(counts.chance.sum(1), 1)


@pytest.mark.parametrize("from_right", [False, True])
def test_a_table_is_taken_to_be_dealt_from_the_right_where_several_columns_say_so(from_right: bool) -> None:
    """Late in a game most columns hide nothing. A seam of the mat above the first one may be a card face down."""
    hidden = [2, 1, 0, 0, 0, 0, 0] if from_right else [0, 0, 0, 2, 0, 0, 0]
    log = np.log(np.where(np.arange(MOST + 1) == np.array(hidden)[:, None], 0.94, 0.01))
    if not from_right:
        log[0, :2] = np.log([0.3, 0.64])
    assert list(counts_from(log, out=30).best) == hidden


def test_a_column_that_could_hide_either_is_asked_for() -> None:
    log = np.full((7, MOST + 1), -9.0)
    log[:, 0] = 0.0
    log[5, 2:4] = np.log([0.55, 0.45])
    log -= np.log(np.exp(log).sum(1, keepdims=True))
    assert [column for column, _, _ in counts_from(log, out=28).unsure()] == [5]


def test_cards_that_no_photo_shows_are_told_alike_with_a_waste_or_without() -> None:
    table = "klondike columns: [KS] | [KH] | [KC] | [KD] | - | - | -; waste: 9C; stock: ?? ??"
    position = parse(table)
    assert isinstance(position, Klondike)
    for stock in ((), (0,)):
        places = klondike.TablePlaces((), (), (), frozenset(), stock, run_to_right=False)
        assert klondike._notes(places, position) == ["the other 2 cards are taken to lie in the stock"]


def test_only_part_of_a_table_says_so() -> None:
    parsed = parse_laid("klondike", column("KS QH JC TD", 0, 0, 3))
    assert "the other 48 cards are taken to lie in the stock" in " ".join(parsed.notes)
    assert sum(len(c["down"]) for c in json_of(parsed)["columns"]) == 0


def other_patience() -> tuple[SeenTable, Layout]:
    """Four short columns that hide nothing, and foundations that begin with kings: too few cards for Klondike."""
    tops = [Laid(parse_card(card), 75.0 * k, -130.0, 0.0, "foundation") for k, card in enumerate(("KC", "KS"))]
    cards = [*tops, *chain.from_iterable(column(c, 75.0 * k, 0, k) for k, c in enumerate(("5C 4H", "8D", "7S", "3C")))]
    aim = [Laid(parse_card("AS"), x, y, 0.0, "none") for x, y in ((-100, -250), (330, 150))]
    truth = simulate.photograph(cards, game="klondike", position=None, aim=aim)
    table = seen(truth, 1)
    return table, true_layout("klondike", table, truth)


def test_a_table_with_far_too_few_cards_is_no_klondike_though_the_network_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, told = other_patience()
    told = replace(told, log_game=np.log(np.where(np.array(CLASSES) == "klondike", 0.999, 0.00025)))
    monkeypatch.setattr(game_choice, "predict_layout", lambda *_: told)
    choice = game_choice.choose_game(table)
    assert choice.parsed is not None
    assert choice.parsed.game == CARDS


def test_cards_may_be_missing_where_the_photo_cuts_the_table_off() -> None:
    table, told = other_patience()
    assert klondike.count_missing(table, told) == 52 - 5 - 2 - 24
    low = np.min([card.quad.min(0) for card in table.cards], axis=0)
    cut = replace(table, cards=tuple(replace(card, quad=card.quad - low) for card in table.cards))
    assert klondike.count_missing(cut, told) == 0


def test_no_card_of_a_deal_is_missing() -> None:
    for seed in range(4):
        truth = MAKERS["klondike"](seed)
        table = seen(truth, seed)
        assert klondike.count_missing(table, true_layout("klondike", table, truth)) == 0


def test_one_place_of_a_tomb_holds_one_pile() -> None:
    cards = [
        *laid("8H", 0, 0, zone="corner/0"),
        *laid("2C", 90, 0, zone="spare/0"),
        *laid("JD", 300, 0, zone="discard"),
    ]
    parsed = parse_laid("tomb_single", cards, rezoned("tomb_single", "JD", spare_0=0.7, discard=0.3))
    assert json_of(parsed)["spares"][0] == "2C"
    assert json_of(parsed)["discard"] == ["JD"]


def test_a_card_that_may_not_lie_where_it_lies_is_asked_for() -> None:
    cards = laid("3H", 0, 0, zone="corner/0")
    parsed = parse_laid("tomb_single", cards)
    assert penalty_of_laid("tomb_single", cards) < -5
    assert any("break the rules" in check.text for check in parsed.checks)


@pytest.mark.parametrize("game", ["tomb_single", "tomb_double"])
def test_only_the_surest_back_is_the_deck(game: str) -> None:
    truth = MAKERS[game](1)
    table = seen(truth, 1)
    found = true_layout(game, table, truth)
    log = {name: part.copy() for name, part in found.log_zone.items()}
    word = "deck" if game == "tomb_single" else "stock"
    stray = replace(table.backs[0], centre=table.backs[0].centre + 40.0, confidence=0.3)
    log[game] = np.concatenate([log[game], np.log(np.full((1, len(ZONES[game])), 0.02))])
    log[game][-1, ZONES[game].index(word)] = np.log(0.5)
    parsed = by_rules(game, replace(table, backs=(*table.backs, stray)), replace(found, log_zone=log))
    assert parsed.back_places.count(Place(word)) == 1
    assert parsed.back_places[-1] == NOWHERE


@pytest.mark.parametrize(
    ("places", "stock", "asked"),
    [
        ((0, 100, 200), -100, False),
        ((0, 100, 200), 300, True),
        ((200, 100, 0), 300, True),
        ((0, 100, 200), None, False),
        ((0,), 100, False),
    ],
)
def test_wastes_that_may_count_from_the_other_end_are_asked_about(
    places: tuple[int, ...], stock: int | None, asked: bool
) -> None:
    tops = ["KC", "4D", "9S"]
    cards = [card for k, x in enumerate(places) for card in laid(tops[k], x, 400, zone=f"waste/{k}")]
    cards += [*laid("2C", 0, 0, zone="reserve/0"), *laid("JD", 200, 0, zone="reserve/1")]
    cards += [] if stock is None else [Laid(None, stock, 400, 0.0, "stock")]
    parsed = parse_laid("tomb_double", cards)
    questions = [doubt for doubt in parsed.doubts if "other end" in doubt.text]
    assert len(questions) == asked
    assert [question.choices for question in questions] == [("KC 4D 9S", "9S 4D KC")] * asked
    assert all(len(question.cards) == 3 and question.doubt and question.doubt > 0.1 for question in questions)


@pytest.mark.parametrize("doubt", [0.0, 0.2])
def test_a_table_that_may_be_seen_from_across_is_asked_about(doubt: float) -> None:
    parsed = parse_laid("klondike", TABLEAU, lambda _, found: replace(found, side_doubt=doubt))
    asked = [question for question in parsed.doubts if question.kind is QuestionKind.PHOTOS]
    assert [question.doubt for question in asked] == [doubt] * bool(doubt)


def test_backs_that_are_plainly_seen_tell_the_side_though_other_counts_were_expected() -> None:
    truth = simulate.photograph(TABLEAU, game="klondike", position=None)
    found = true_layout("klondike", seen(truth, 1), truth)
    plain = 0.98 * np.eye(MOST + 1) + 0.02 / (MOST + 1)  # 0 to 6 cards face down, as they are dealt
    bare = np.full((MOST + 1, MOST + 1), 1 / (MOST + 1))
    own, across = (
        game_choice._CountedSide(replace(found, log_side=np.full(4, log)), [], agreement, game_choice._shown(counted))
        for log, agreement, counted in ((-11.0, -10.0, plain), (0.0, 1.0, bare))
    )
    assert own.log_weight > across.log_weight + 3


def test_a_card_that_is_left_out_is_shown_and_doubtful() -> None:
    parsed = parse_laid("klondike", [*TABLEAU, *laid("5S", 500, 0)], rezoned("klondike", "5S", none=0.9, waste=0.1))
    stray = next(placed for placed in parsed.placed if str(placed.card) == "5S")
    assert stray.place == NOWHERE
    assert stray.confidence < 0.95


@pytest.mark.parametrize(("is_card", "sure"), [(0.18, False), (0.9, True)])
def test_what_may_be_no_card_is_never_a_sure_one(is_card: float, sure: bool) -> None:
    """A find of 0.18 once stayed in a hand that was said to stand with 0.97."""
    truth = simulate.photograph(HANDED, game="makiaveli", position=None)
    table = seen(truth, 1)
    row = row_of(table, "9D")
    cards = tuple(replace(card, is_card=is_card) if k == row else card for k, card in enumerate(table.cards))
    parsed = by_rules("makiaveli", replace(table, cards=cards), true_layout("makiaveli", table, truth))
    placed = next(placed for placed in parsed.placed if placed.seen == row)
    assert (placed.confidence > is_card) == sure
    assert replace(table, cards=cards).firm.cards == cards, "of several photos it keeps its place"
    in_all = placed.confidence + sum(chance for _, chance in placed.alternatives)
    assert (in_all > is_card + 1e-9) == sure, "what it else may be is a card, too"


def test_of_two_cards_far_apart_only_the_likelier_is_waste() -> None:
    zones = ZONES["klondike"]
    log_zone = np.full((4, len(zones)), -9.0)
    log_zone[:, zones.index("waste")] = [-0.1, -0.1, -0.7, -5.0]
    log_zone[:, zones.index("foundation")] = [-2.0, -2.0, -0.7, -0.1]
    spots = np.array([[1.2, 0.0], [1.6, 0.0], [6.0, 0.0], [4.8, 0.0]])
    assert klondike._aside(spots, log_zone, [0, 1, 2, 3]) == {2, 3}
    assert klondike._aside(spots, log_zone, []) == frozenset()


def test_a_person_is_asked_about_two_runs_that_touch_and_would_make_one() -> None:
    link = np.full((6, 6), -7.0)
    for k, odds in enumerate((6.0, 6.0, -2.0, 6.0, 6.0)):
        link[k, k + 1] = link[k + 1, k] = odds
    seen_as = Layout(np.zeros(5), np.array([0.0, 1.0]), {}, np.zeros((6, MOST + 1)), link)
    cards = tuple(parse_card(name).index for name in ["3H", "4H", "5H", "6H", "7H", "8H"])
    run = makiaveli._Meld(tuple(range(6)), cards, (), 0.0)
    asked = ["3H 4H 5H 6H 7H 8H may be two melds, parted between 5H and 6H: please check the gap"]
    placed = [PlacedCard(Card.from_index(card), Place("floor", 0), row) for row, card in enumerate(cards)]
    found = list(makiaveli._perhaps_two(seen_as, [run], placed))
    assert ([question.text for question in found], found[0].gap) == (asked, (2, 3))
    short = makiaveli._Meld(tuple(range(1, 6)), cards[1:], (), 0.0)
    (asked_of_short,) = makiaveli._perhaps_two(seen_as, [short], placed)
    assert (asked_of_short.gap, asked_of_short.choices) == ((), ("one meld", "other melds")), "five are no two melds"
    link[2, 3] = link[3, 2] = 0.0
    assert not list(makiaveli._perhaps_two(seen_as, [run], placed))


def test_melds_are_numbered_by_rows_of_the_table_not_of_the_photo() -> None:
    melds = [((row,), (row,), ()) for row in range(4)]
    xy = np.array([[4.0, 0.0], [0.0, 0.4], [4.0, 1.9], [0.0, 1.5]])
    assert makiaveli._in_rows(melds, xy) == [melds[k] for k in (1, 0, 3, 2)]
