"""Laid tables come back as the positions they show, in each game, from every side, with noisy reads put right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.answer import position_from_json
from solver.cards import parse_card
from tests.vision import simulate
from tests.vision.simulate import Laid, seen
from vision import layout
from vision.layout import klondike as klondike_layout
from vision.layout.hidden import Columns, count_hidden
from vision.layout.makiaveli import _PathSearch
from vision.layout.neighbours import path_graph
from vision.layout.parsed import IMPOSSIBLE, Parsed

DECKS = list(simulate.DECKS)


def canonical(position: Any) -> object:
    """A position without what a photo leaves free: the order of melds and cards in them, the rules."""
    body = {key: value for key, value in position.items() if key != "rules"}
    if "floor" in body:
        body["floor"] = sorted(sorted(meld) for meld in body["floor"])
        body["hand"] = sorted(body["hand"])
    return body


def makiaveli(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    camera = simulate.random_camera(rng, (1600, 1200))
    deck = simulate.DECKS[DECKS[seed % 4]]
    return simulate.makiaveli(
        rng, melds=3 + seed % 4, hand=1 + seed % 7, cross=seed % 5, deck=deck, camera=camera, gap=22.0
    )


def klondike(seed: int, quarter: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    camera = simulate.turned(simulate.random_camera(rng, (1600, 1200)), quarter)
    deck = simulate.DECKS[DECKS[seed % 3]]
    step = (0.08, 0.12, 0.2)[seed % 3]
    return simulate.klondike(
        rng, deck=deck, camera=camera, stock_right=seed % 2 == 0, waste=seed % 4, down_step=step, empty=seed % 3
    )


def tomb_single(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    deck = simulate.DECKS[DECKS[seed % 5]]
    return simulate.tomb_single(rng, deck=deck, camera=simulate.random_camera(rng), side=(1, -1)[seed % 2])


def tomb_double(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    deck = simulate.DECKS[DECKS[seed % 5]]
    return simulate.tomb_double(rng, deck=deck, camera=simulate.random_camera(rng), left=seed % 2 == 1)


MAKERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "makiaveli": makiaveli,
    "klondike": klondike,
    "tomb_single": tomb_single,
    "tomb_double": tomb_double,
}


@pytest.mark.parametrize("game", layout.GAMES)
def test_tables_come_back_and_their_game_is_told(game: str) -> None:
    right, told, tables = 0, 0, 6
    for seed in range(tables):
        truth = MAKERS[game](seed)
        table = seen(truth, seed)
        right += canonical(layout.parse(game, table).position) == canonical(truth["position"])
        chosen, _ = layout.choose(table)
        told += chosen is not None and chosen.game == game
    assert right >= tables - 1
    assert told == tables


@pytest.mark.parametrize("quarter", range(4))
def test_klondike_is_read_from_every_side_of_the_table(quarter: int) -> None:
    for seed in (0, 1):
        truth = klondike(seed, quarter)
        parsed = layout.parse("klondike", seen(truth, seed))
        assert canonical(parsed.position) == canonical(truth["position"])


@pytest.mark.parametrize("game", ["makiaveli", "klondike"])
def test_decoding_repairs_more_than_it_breaks(game: str) -> None:
    noise = simulate.Noise(missed=0.0, false=0.0, rank=3.9, suit=3.9)
    with_rules = without = 0
    for seed in range(7):
        truth = MAKERS[game](seed)
        table = seen(truth, seed, noise)
        wanted = canonical(truth["position"])
        with_rules += canonical(layout.parse(game, table).position) == wanted
        without += canonical(layout.parse(game, table, decoding=False).position) == wanted
    assert with_rules > without


@pytest.mark.parametrize("game", ["makiaveli", "klondike", "tomb_single"])
def test_an_unreadable_table_is_never_sure_of_its_cards(game: str) -> None:
    noise = simulate.Noise(missed=0.0, false=0.0, rank=0.3, suit=0.3)
    sure = wrong = 0
    for seed in range(2):
        truth = MAKERS[game](seed)
        table = seen(truth, seed, noise)
        parsed = layout.parse(game, table)
        there = {row["card"]: np.array(row["quad"]).mean(0) for row in truth["cards"] if row["card"]}
        for placed in parsed.placed:
            if placed.seen is not None and placed.confidence >= 0.95:
                sure += 1
                at = table.cards[placed.seen].quad.mean(0)
                wrong += np.linalg.norm(there.get(str(placed.card), np.zeros(2)) - at) > 30
    assert wrong == 0, f"{wrong} of {sure} sure cards are wrong"


@pytest.mark.parametrize("game", layout.GAMES)
def test_every_parsed_position_can_be_read_by_the_solver(game: str) -> None:
    for seed in range(3):
        parsed = layout.parse(game, seen(MAKERS[game](seed), seed))
        position = position_from_json(parsed.position)
        assert position.game == game
        if canonical(parsed.position) == canonical(MAKERS[game](seed)["position"]):
            assert position.problems() == ()


def laid(text: str, x: float, y: float, step: float = 25.0, zone: str = "none") -> list[Laid]:
    return [Laid(parse_card(word), x + step * k, y, 0.0, zone) for k, word in enumerate(text.split())]


def parse_laid(cards: list[Laid], **options: bool) -> Parsed:
    truth = simulate.photograph(cards, game="makiaveli", position=None)
    return layout.parse("makiaveli", seen(truth, 1), **options)


def test_touching_melds_are_cut_where_the_rules_want_it() -> None:
    row = laid("7C 7D 7H 4S 5S 6S 7S", 0, 0)
    parsed = parse_laid([*row, *laid("KD KS KH", 0, 130), *laid("2C 9D", 0, 330)])
    assert Counter(map(len, parsed.position["floor"])) == {3: 2, 4: 1}
    assert sorted(parsed.position["hand"]) == ["2C", "9D"]


def test_a_full_run_is_not_taken_for_one_with_a_gap() -> None:
    """Reads that leave a neighbouring rank possible once made 2 3 4 of spades out as A 3 4 with the two unseen."""
    spades = [parse_card(text).index for text in ("AS", "2S", "3S", "4S")]
    plausible = [dict.fromkeys(spades, -10.0) | {card: 0.0} for card in spades]
    centres = np.stack([np.arange(4) * 0.35, np.zeros(4)], axis=1)
    gap = np.abs(centres[:, None, 0] - centres[None, :, 0]) - 1
    edge = path_graph(centres, gap, 0.2)
    melds = list(_PathSearch(centres, np.tile([0.0, 1.0], (4, 1)), gap, edge, plausible).run())
    best = max(melds, key=lambda meld: (round(meld.score, 1), len(meld.cards)))
    assert (sorted(best.identities), best.missing) == (spades, ())
    three = max((meld for meld in melds if set(meld.cards) == {1, 2, 3}), key=lambda meld: meld.score)
    assert (sorted(three.identities), three.missing) == (spades[1:], ())


def test_a_run_laid_with_a_gap_in_it_is_one_where_the_rules_want_it() -> None:
    run, apart = laid("6S 7S", 0, 0), laid("8S 9S", 110, 0)
    others = [*laid("KD KS KH", 0, 130), *laid("5D 6D 7D", 135, 130), *laid("2C 9D", 0, 330)]
    parsed = parse_laid([*run, *apart, *others])
    assert sorted(map(sorted, parsed.position["floor"])) == [
        ["5D", "6D", "7D"],
        ["6S", "7S", "8S", "9S"],
        ["KD", "KH", "KS"],
    ]


def test_a_run_of_three_whose_middle_is_unseen_is_still_a_run() -> None:
    run = laid("AH 3H", 0, 0, step=40)
    parsed = parse_laid([*run, *laid("KD KS KH", 0, 130), *laid("2C 9S", 0, 330)])
    assert sorted(map(sorted, parsed.position["floor"])) == [["2H", "3H", "AH"], ["KD", "KH", "KS"]]
    unseen = next(placed for placed in parsed.placed if placed.card == parse_card("2H"))
    assert unseen.seen is None
    assert unseen.confidence < 0.95


def test_a_given_hand_leaves_every_card_on_the_floor() -> None:
    rows = [*laid("7C 7D 7H", 0, 0), *laid("3S 4S 5S", 0, 330)]
    assert parse_laid(rows).position["hand"] == ["3S", "4S", "5S"]
    assert len(parse_laid(rows, hand_given=True).position["floor"]) == 2


def test_a_meld_that_grew_at_the_deck_is_floor_and_single_cards_are_the_cross() -> None:
    deck = [Laid(None, 400, 0, 0, "deck")]
    above = laid("2S", 400, -110)
    grown = laid("5H 6H 7H", 480, 0)
    parsed = parse_laid([*deck, *above, *grown, *laid("9C 9D 9H", 0, 0), *laid("KD 4C", 350, 420)])
    assert parsed.position["cross"] == ["2S", None, None, None]
    assert sorted(map(sorted, parsed.position["floor"])) == [["5H", "6H", "7H"], ["9C", "9D", "9H"]]
    assert parsed.back_zones == ("deck",)


def test_the_cross_is_told_by_its_single_cards_where_the_deck_is_not_found() -> None:
    around = [*laid("2S", 400, -110), *laid("KD", 490, 0), *laid("5H", 310, 0)]
    parsed = parse_laid([*around, *laid("9C 9D 9H", 0, 0), *laid("KH 4C", 350, 420)])
    assert parsed.position["cross"] == ["2S", "KD", None, "5H"]


def test_cards_that_make_no_meld_are_named_and_stay() -> None:
    parsed = parse_laid([*laid("7C 9D 2H", 0, 0), *laid("KD KS KH", 0, 130), *laid("2C 9S", 0, 330)])
    assert position_from_json(parsed.position).problems()
    assert parsed.checks


def test_what_may_be_no_card_breaks_no_rule_but_is_asked_for() -> None:
    """A find far from all others that is hardly sure to be a card: the rest is a legal table, with its verdict."""
    cards = [*laid("7C 7D 7H", 0, 0), *laid("9S", 500, 60), *laid("KD KS KH", 0, 130), *laid("2C 9S", 0, 330)]
    table = seen(simulate.photograph(cards, game="makiaveli", position=None), 1)
    stray = max(range(len(table.cards)), key=lambda i: float(table.centres[i][0]))
    unsure = [replace(card, is_card=1 - 1e-5) if i == stray else card for i, card in enumerate(table.cards)]
    parsed = layout.parse("makiaveli", replace(table, cards=tuple(unsure)))
    assert position_from_json(parsed.position).problems() == ()
    assert [placed.card for placed in parsed.placed if placed.zone == "none"] == [parse_card("9S")]
    assert any("9S" in check for check in parsed.checks)


def test_the_columns_of_a_fan_of_real_photos_keep_their_order() -> None:
    column = [
        Laid(parse_card(word), 2.0 * k, 28.0 * k, 0.03 * k, "none") for k, word in enumerate(["KS", "QH", "JC", "TD"])
    ]
    parsed = layout.parse("klondike", seen(simulate.photograph(column, game=None, position=None), 0))
    ups = [column["up"] for column in parsed.position["columns"] if column["up"]]
    assert ups == [["KS", "QH", "JC", "TD"]]


PLACES = {"tomb_single": "deck", "tomb_double": "stock"}


@pytest.mark.parametrize("game", list(PLACES))
@pytest.mark.parametrize("where", ["on a card", "far away"])
def test_a_stray_back_moves_nothing_in_a_tomb(game: str, where: str) -> None:
    """Detectors take the edge of a pile, or something on the table, for a back now and then."""
    for seed in range(4):
        table = seen(MAKERS[game](seed), seed)
        true = next(back for back in table.backs)
        spot = table.cards[seed].centre if where == "on a card" else table.centres.min(0) - 3 * table.template.height
        stray = replace(true, centre=spot, confidence=0.5)
        parsed = layout.parse(game, replace(table, backs=(stray, *table.backs)))
        assert parsed.position == layout.parse(game, table).position
        assert parsed.back_zones[:2] == ("none", PLACES[game])
        chosen, _ = layout.choose(replace(table, backs=(stray, *table.backs)))
        assert chosen is not None
        assert chosen.game == game


@pytest.mark.parametrize("game", layout.GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_klondike_is_given_up_early_only_where_it_cannot_reach_the_score(game: str, seed: int) -> None:
    table = seen(MAKERS[game](seed), seed)
    whole = klondike_layout.parse(table, doubts=0)
    assert klondike_layout.parse(table, doubts=0, least=whole.score - 1e-6) == whole
    early = klondike_layout.parse(table, doubts=0, least=1000.0)
    assert early.score <= IMPOSSIBLE


def test_what_lies_in_the_decks_column_is_beside_the_grid_of_a_sparse_tomb() -> None:
    """Three spares say little of where the grid is: discard pile and spare six lie with the deck."""
    spares = [*laid("QS", 80, 0), *laid("QC", 0, 110), *laid("JD", 160, 110)]
    beside = [*laid("6D", -110, 0), *laid("8S", -110, 110), Laid(None, -110, 220, 0, "deck")]
    table = seen(simulate.photograph([*spares, *beside], game="tomb_single", position=None), 1)
    chosen, _ = layout.choose(table)
    assert chosen is not None
    assert chosen.game == "tomb_single"
    assert chosen.position["spares"] == ["QS", "QC", "JD", None]
    assert (chosen.position["spare_six"], chosen.position["discard"]) == (["6D"], ["8S"])


def test_two_decks_are_no_game_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a table with many cards twice only the games of two decks are tried; of any other table all are."""
    tried: list[str] = []
    before = layout.parse

    def spy(game: str, *given: Any, **options: Any) -> Parsed:
        tried.append(game)
        return before(game, *given, **options)

    monkeypatch.setattr(layout, "parse", spy)
    row = " ".join(f"{rank}H {rank}S {rank}C {rank}D" for rank in "3456")
    cards = [*laid(row, 0, 0), *laid(row, 0, 170)]
    twice = seen(simulate.photograph(cards, game="makiaveli", position=None), 1)
    chosen, sure = layout.choose(twice)
    assert chosen is not None
    assert chosen.game == "makiaveli"
    assert sure > 0.99
    assert not {"klondike", "tomb_single"} & set(tried)
    layout.choose(seen(klondike(0), 0))
    assert {"klondike", "tomb_single"} <= set(tried)


def test_without_decoding_touching_cards_are_one_meld_whatever_they_are() -> None:
    cards = [*laid("7C 7D 7H 2S 3S 4S", 0, 0), *laid("KD 5C 9H", 0, 130), *laid("AH", 0, 330)]
    table = seen(simulate.photograph(cards, game="makiaveli", position=None), 1)
    plain = layout.parse("makiaveli", table, decoding=False).position["floor"]
    assert sorted(map(sorted, plain)) == [sorted(["7C", "7D", "7H", "2S", "3S", "4S"]), sorted(["KD", "5C", "9H"])]
    ruled = layout.parse("makiaveli", table).position["floor"]
    assert ["2S", "3S", "4S"] in map(sorted, ruled)


def test_without_decoding_reads_do_not_tell_where_the_tombs_grid_lies() -> None:
    table = seen(tomb_single(0), 0)
    fives = [replace(card, log_card=np.roll(card.log_card, 3)) for card in table.cards]
    places = []
    for cards in (table.cards, fives):
        parsed = layout.parse("tomb_single", replace(table, cards=tuple(cards)), decoding=False)
        beside = ("spare_six", "discard")  # which of the two it is, the card itself says
        places.append({p.seen: "beside" if p.zone in beside else p.zone for p in parsed.placed})
    assert places[0] == places[1]


def test_a_card_that_is_left_out_is_shown_and_doubtful() -> None:
    """A false finding amid a run: the run is read without it, and a person is asked."""
    row = [*laid("7C 8C 9C TC", 0, 0), *laid("KD KS KH", 0, 130), *laid("2C 9S", 0, 330)]
    table = seen(simulate.photograph(row, game="makiaveli", position=None), 1)
    between = [k for k, card in enumerate(table.cards) if str(card.best) in ("8C", "9C")]
    log = np.full(52, -14.0)
    log[parse_card("4H").index] = -0.01
    spot = table.centres[between].mean(0)
    false = replace(table.cards[between[0]], log_card=log, centre=spot, is_card=0.6)
    parsed = layout.parse("makiaveli", replace(table, cards=(*table.cards, false)))
    assert sorted(map(sorted, parsed.position["floor"])) == [["7C", "8C", "9C", "TC"], ["KD", "KH", "KS"]]
    out = [placed for placed in parsed.placed if placed.zone == "none"]
    assert [str(placed.card) for placed in out] == ["4H"]
    assert out[0].confidence <= 0.5
    assert out[0].why


def test_a_meld_in_the_hand_is_asked_for() -> None:
    parsed = parse_laid([*laid("7C 7D 7H", 0, 0), *laid("KD KS KH", 0, 130), *laid("3S 4S 5S", 0, 330)])
    assert parsed.position["hand"] == ["3S", "4S", "5S"]
    assert "3S 4S 5S of the hand make a meld" in parsed.checks[0]


def test_a_long_meld_far_below_the_others_is_no_hand() -> None:
    run = "3D 4D 5D 6D 7D 8D 9D"
    parsed = parse_laid([*laid("7C 7S 7H", 0, 0), *laid("KD KS KH", 0, 130), *laid(run, 0, 330)])
    assert parsed.position["hand"] == []
    assert run.split() in parsed.position["floor"]


def test_a_row_of_several_melds_is_no_hand_though_a_card_of_them_is_unseen() -> None:
    row = [*laid("2C 2H 2D", 0, 330), *laid("7C 7S", 140, 330), *laid("4D 5D 6D 7D", 260, 330)]
    parsed = parse_laid([*laid("7C 7D 7H", 0, 0), *laid("KD KS KH", 0, 130), *row])
    assert parsed.position["hand"] == []
    assert ["4D", "5D", "6D", "7D"] in parsed.position["floor"]
    held = [*laid("2C 2H 2D", 0, 330), *laid("7C 9S JH", 140, 330), *laid("KC AD", 260, 330)]
    parsed = parse_laid([*laid("7C 7D 7H", 0, 0), *laid("KD KS KH", 0, 130), *held])
    assert len(parsed.position["hand"]) == 8


def test_a_card_of_the_cross_makes_no_hand_of_the_meld_that_it_touches() -> None:
    deck = [Laid(None, 400, 0, 0, "deck")]
    around = [*laid("4C", 400, -105), *laid("3H", 480, 0), *laid("9H", 320, 0), *laid("AH", 400, 105)]
    parsed = parse_laid([*deck, *around, *laid("7C 7S 7H", 0, 0), *laid("2C 2H 2D", 400, 200)])
    assert parsed.position["cross"] == ["4C", "3H", "AH", "9H"]
    assert parsed.position["hand"] == []
    assert ["2C", "2H", "2D"] in parsed.position["floor"]


def test_a_row_level_with_a_card_of_the_cross_is_no_hand() -> None:
    """The card below the deck reaches four tenths of a card nearer to the player than the row beside it."""
    cross = [Laid(None, 460, 0, 0, "deck"), *laid("TC", 460, 105)]
    row = [*laid("KC KD KH", 0, 70), *laid("4C 4D 9S", 140, 70)]
    parsed = parse_laid([*laid("7C 7D 7H", 0, -80), *cross, *row])
    assert parsed.position["hand"] == []
    assert parsed.position["cross"] == [None, None, "TC", None]


@pytest.mark.parametrize(("x", "y"), [(200, 230), (460, 10)])
def test_a_row_beyond_the_deck_or_its_cross_is_no_hand(x: float, y: float) -> None:
    """All melds lie in one row, the deck or a card at it nearer to the player, and the hand is empty."""
    deck = [Laid(None, x, y, 0, "deck")]
    row = [*laid("6S 7S 8S", 0, 0), *laid("JC JD JH JS", 125, 0), *laid("QC QD QH", 275, 0)]
    parsed = parse_laid([*deck, *laid("KH", x, y + 100), *row])
    assert parsed.position["hand"] == []
    assert sorted(map(len, parsed.position["floor"])) == [3, 3, 4]
    assert parsed.position["cross"] == [None, None, "KH", None]


@pytest.mark.parametrize("lean", [0.0, 12.0, -14.0])
def test_a_lone_column_in_any_order_is_given_as_it_lies(lean: float) -> None:
    """Cards that no rule joins, each index seen: nothing but the table's near edge tells where the column begins."""
    words = ["2S", "KC", "JD", "7H", "7C", "AS"]
    column = [Laid(parse_card(word), lean * k, 30.0 * k, 0.02 * (-1) ** k, "none") for k, word in enumerate(words)]
    parsed = layout.parse("klondike", seen(simulate.photograph(column, game=None, position=None), 0))
    assert [column["up"] for column in parsed.position["columns"] if column["up"]] == [words]
    assert not any(column["down"] for column in parsed.position["columns"])
    assert parsed.notes[0].startswith("only part of a table: 1 column with 6 cards face up, no stock")
    assert "46 cards are not in the photo" in parsed.notes[0]


def test_a_column_with_one_misread_card_is_still_put_right() -> None:
    words = ["9S", "8H", "7C", "6D", "5S"]
    column = [Laid(parse_card(word), 0.0, 30.0 * k, 0.0, "none") for k, word in enumerate(words)]
    table = seen(simulate.photograph(column, game=None, position=None), 0)
    wrong = next(n for n, card in enumerate(table.cards) if str(card.best) == "7C")
    log = np.full(52, -12.0)
    log[parse_card("7D").index], log[parse_card("7C").index] = -0.01, -5.0
    cards = tuple(replace(card, log_card=log) if n == wrong else card for n, card in enumerate(table.cards))
    parsed = layout.parse("klondike", replace(table, cards=cards))
    assert [column["up"] for column in parsed.position["columns"] if column["up"]] == [words]


def test_tops_of_two_decks_leave_a_legal_position() -> None:
    """What nobody sees is in the stock up to its 60 cards, then under the reserves."""
    for seed in range(4):
        position = layout.parse("tomb_double", seen(tomb_double(seed), seed)).position
        assert len(position["stock"]) + sum(map(len, position["wastes"])) <= 60
        assert all(set(pile[:-1]) <= {"??"} and len(pile) <= 10 for pile in position["reserves"])


def test_a_tableau_may_reach_down_to_the_row_of_the_wastes() -> None:
    """Four cards as far apart as the rows of the grid: the last one lies level with the stock and the wastes."""
    grid = [*laid("KC 2D 5H", 0, 0, 80), *laid("7S AD 9C", 0, 100, 80), *laid("QD TC KS", 0, 200, 80)]
    tableau = [piece for k, card in enumerate(("3C", "8H", "JD", "4S")) for piece in laid(card, 270, 100 * k)]
    wastes = [Laid(None, -40, 310, 0, "stock"), *laid("6H 6D 2S", 40, 310, 75)]
    table = seen(simulate.photograph([*grid, *tableau, *wastes], game="tomb_double", position=None), 1)
    position = layout.parse("tomb_double", table).position
    assert position["tableau"] == [["3C"], ["8H"], ["JD"], ["4S"]]
    assert [pile[-1:] for pile in position["wastes"]] == [["6H"], ["6D"], ["2S"], [], []]


def test_face_down_cards_are_counted_without_their_backs() -> None:
    """Where a back is missed, the way from the columns' line to the first face counts it; the deal counts itself."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        gap, strip, slope = rng.uniform(1.1, 1.5), rng.uniform(0.1, 0.3), rng.normal(0, 0.05)
        true = np.arange(7)
        x = gap * true + rng.normal(0, 0.02, 7)
        y = strip * true * rng.uniform(0.85, 1.15, 7) + slope * x + rng.normal(0, 0.02, 7)
        none, nothing = np.zeros(0, np.intp), np.zeros(0)
        found = count_hidden(Columns(true, x, y, none, nothing, np.zeros((0, 2)), 0, np.zeros((len(true), 7)))).best
        assert found.tolist() == true.tolist()


def test_columns_that_all_begin_with_a_face_hide_nothing() -> None:
    slots = np.arange(7)
    top = np.stack([1.3 * slots[2:], np.full(5, -2.0)], axis=1)
    none, nothing = np.zeros(0, np.intp), np.zeros(0)
    seen = Columns(slots, 1.3 * slots, 0.02 * (-1.0) ** slots, none, nothing, top, 38, np.zeros((7, 7)))
    assert count_hidden(seen).best.sum() == 0


def test_an_empty_table_has_no_game() -> None:
    empty = {"image": {"width": 640, "height": 480}, "cards": []}
    table = seen(empty, 0)
    assert layout.choose(table) == (None, 0.0)
    for game in (*layout.GAMES, "cards"):
        assert layout.parse(game, table).placed == ()


def dealt(columns: str = "9C,4H,JD,2S,6H,TC,7D", foundation: str = "") -> list[Laid]:
    """Klondike soon after the deal, a king on the waste; `foundation` lies in the row above."""
    gap, rows = 75.0, [Laid(None, 0.0, 0.0, 0.0, "stock"), *laid("KS", 75, 0)]
    rows += laid(foundation, 5 * gap, 0) if foundation else []
    for number, words in enumerate(columns.split(",")):
        rows += [Laid(None, gap * number, 110.0 + 14 * k, 0.0, f"column/{number}") for k in range(number)]
        for k, word in enumerate(words.split()):
            rows += laid(word, gap * number, 110.0 + 14 * number + 25 * k)
    return rows


def test_what_stock_and_waste_can_hold_counts_what_columns_hide_whatever_lies_on_the_waste() -> None:
    """A king on the waste says nothing of foundations: 21 cards are hidden, whatever one strip looks like."""
    table = seen(simulate.photograph(dealt(), game=None, position=None), 0)
    middles = np.array([card.quad.mean(0) for card in table.cards])
    places = np.sort(middles[middles[:, 1] > middles[:, 1].min() + 50, 0])

    def count(strips: Any) -> Any:
        log = np.full((len(strips), 7), -9.0)
        for row, strip in zip(log, strips, strict=True):
            true = int(np.argmin(np.abs(places - strip.reshape(-1, 2)[:, 0].mean())))
            row[true] = 0.0 if true != 6 else -1.4
            row[5] = row[5] if true != 6 else -0.3
        return log

    parsed = layout.parse("klondike", replace(table, backs=table.backs[:1], count_backs=count))
    assert [len(column["down"]) for column in parsed.position["columns"]] == [0, 1, 2, 3, 4, 5, 6]
    assert len(parsed.position["stock"]) + len(parsed.position["waste"]) == 24


def test_a_foundation_holds_no_card_that_lies_in_a_column() -> None:
    """Without the stock either side of the row above may be the waste's; the cards of the columns tell."""
    columns = "9C,4H 3S,JD TS,2S,6H 5C,TC,7D"
    rows = [row for row in dealt(columns, foundation="AH") if row.zone != "stock"]
    parsed = layout.parse("klondike", seen(simulate.photograph(rows, game=None, position=None), 0))
    assert parsed.position["foundations"] == {"C": 0, "D": 0, "H": 1, "S": 0}
    assert parsed.position["waste"] == ["KS"]


def test_cards_a_column_apart_are_no_fan_of_the_waste() -> None:
    """A three beside the stock, three aces farther along: either end could be the waste but for their distance."""
    columns = "9C,4H 3S,JD TS,2S,6H 5C,TC,7D"
    rows = [row for row in dealt(columns) if row.zone != "stock" and row.card != parse_card("KS")]
    rows += [*laid("3H", 75, 0), *laid("AD AC AH", 255, 0, step=75)]
    parsed = layout.parse("klondike", seen(simulate.photograph(rows, game=None, position=None), 0))
    assert parsed.position["foundations"] == {"C": 1, "D": 1, "H": 1, "S": 0}
    assert parsed.position["waste"] == ["3H"]
