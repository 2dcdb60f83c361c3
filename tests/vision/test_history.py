"""Games found from what their photos show: simulated sights of games whose every move is known."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from datasets.games.played_klondike import PlayedGame, play_game
from solver.cards import Card, parse_card
from solver.klondike.house_rules import STANDARD, STANDARD_DRAW_1
from solver.klondike.move import Move
from solver.klondike.position import Column, Position
from solver.place import Place
from solver.record import parse_record
from tests.vision.simulate import Laid, photograph, seen
from tests.vision.simulated_sights import see
from vision.cards.geometry import Plane
from vision.cards.seen_table import SeenBack, SeenCard, SeenTable
from vision.cards.template import Template
from vision.errors import PhotosError
from vision.history import game_history
from vision.history.answers import DEAL_PLACE, DRAW_PLACE, Answer
from vision.history.common_layout import (
    Shift,
    find_shift,
    group_spots,
    join_lone,
    lay_together,
    read_as_squared,
    see_from_one_side,
)
from vision.history.draw_number import choose_draw, doubt_draw
from vision.history.game_history import RecordedGame, _in_order, broken_rules, state_of, tell_game
from vision.history.lattice import TUNING, Edge, History, Memory, Node, _keep_likely
from vision.history.moves_between import find_moves
from vision.history.progress import COMPARED, FITTED
from vision.history.read_tables import ReadTable
from vision.history.record_moves import _played, position_of
from vision.history.record_writer import (
    PhotoRow,
    PhotoSight,
    RecordWriter,
    _ask_bindings,
    _ask_which,
    _contradicted_waste,
    _doubtful,
)
from vision.history.search_node import Event
from vision.history.sight import SeenPile, TableSight, belief_of, likeliest
from vision.history.stock_order import ONE, THREE
from vision.history.table_sights import sights_of
from vision.history.table_state import GAP, StockWaste, fresh_deal, turn_to, turn_to_unseen, with_cards_below_top
from vision.layout import klondike
from vision.layout.game_choice import predict_layout_from
from vision.layout.klondike import GAME
from vision.measure.records import PhotoTruth, has_right_tops, is_exact, load_game, score_record, shown_of
from vision.networks.table_layout import Layout
from vision.question import Question, QuestionKind
from vision.record import _sights, main, photos_in_order, single_positions

pytestmark = pytest.mark.xdist_group("history")  # which searches each game once
PHOTOS = 6


@cache
def game(seed: int) -> PlayedGame:
    return play_game(np.random.default_rng(seed))


def sights(seed: int, *, squared: bool = False, noise: float = 0.0, count: int = PHOTOS) -> list[TableSight]:
    rng = np.random.default_rng(seed)
    return [see(rng, game(seed).position(n), squared=squared, noise=noise) for n in range(count)]


def told(shown: list[TableSight], draw: int | None = None) -> RecordedGame:
    return tell_game([PhotoSight(f"{n:02d}.jpg", sight) for n, sight in enumerate(shown, 1)], draw)


@cache
def plain(seed: int, squared: bool = False) -> RecordedGame:
    """The record of a game that is seen plainly."""
    return told(sights(seed, squared=squared))


def right(seed: int, found: RecordedGame) -> list[bool]:
    truths = [PhotoTruth(row.file, shown_of(game(seed).position(n))) for n, row in enumerate(found.photos)]
    return [is_exact(truth, row.position) for truth, row in zip(truths, found.photos, strict=True)]


def _columns(position: Any) -> tuple[Column, ...]:
    """The columns of a position whose game is known to be Klondike."""
    columns: tuple[Column, ...] = position.columns
    return columns


@pytest.mark.parametrize(("seed", "squared"), [(1, False), (4, True), (5, False)])
def test_games_that_are_seen_plainly_are_found(seed: int, squared: bool) -> None:
    found = plain(seed, squared)
    assert all(right(seed, found))
    record = found.record
    assert record is not None
    assert parse_record(str(record)) == record  # and every move of it can be played
    assert len(record.positions) == len(record.steps) + 1
    assert all(step.move is not None for step in record.steps)


def test_the_search_tells_which_work_begins_and_how_far_it_is() -> None:
    said: list[tuple[str, int]] = []
    photos = [PhotoSight(f"{n}.jpg", sight) for n, sight in enumerate(sights(1), 1)]
    tell_game(photos, done=lambda work, number: said.append((work, number)))
    works = [(work, number) for work in (FITTED, COMPARED) for number in (0, *[1] * PHOTOS)]
    assert said == works, "the first photo of each takes long"


@pytest.mark.parametrize("score", [-200.0, -400.0])
def test_a_game_under_way_is_searched_by_itself_where_a_fresh_deal_contradicts_most_photos(
    score: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "klondike columns: [7S] | [4C] | ?? ?? [KD] | ?? ?? [2C] | ?? ?? ?? ?? [9D] | ?? ?? ?? ?? [6S]"
    table += f" | ?? ?? ?? ?? [QC]; foundations: C0 D0 H0 S5; stock: {'?? ' * 24}"
    sight = see(np.random.default_rng(0), Position.parse(table), noise=0.0)

    def find(sights: Any, starts: Any, *more: Any) -> Any:
        fresh = [state for _, state in starts if not state.known]
        start = fresh[0] if fresh else starts[0][1]
        return SimpleNamespace(start=start, states=(start,) * 2, score=(2, -300.0 if fresh else score))

    monkeypatch.setattr(game_history, "find_history", find)
    monkeypatch.setattr(game_history, "_with_twins_in_place", lambda history, sights: history)
    photos = [PhotoSight("a.jpg", sight), PhotoSight("b.jpg", sight)]
    found = game_history._find_history(photos, [0, 1], 1, lambda work, number: None, Memory(), FITTED)
    assert bool(found.start.known) == (score > -300.0), "what explains all photos best is taken"


@pytest.mark.parametrize(("fan", "told_of"), [(1, 2), (3, 4), (4, 0)])
def test_a_record_says_that_no_photo_shows_how_many_cards_lie_in_a_squared_waste(fan: int, told_of: int) -> None:
    rng = np.random.default_rng(0)
    text = "klondike columns: [KH QC] | [JC] | ?? ?? [{}] | ?? ?? [6S] | ?? ?? ?? ?? [TS] | ?? ?? ?? ?? ?? [4S]"
    text += f" | ?? ?? ?? ?? ?? ?? [8C]; foundations: C0 D0 H0 S1; waste: KC 8D QD 3S{{}}; stock:{' ??' * 19}"
    tables = [Position.parse(text.format(*own)) for own in (("2H", " AC"), ("2H AC", ""))]
    record = told([see(rng, table, noise=0.0, fan=fan) for table in tables], draw=1).record
    assert record is not None
    note = f"The photos do not show how many cards lie in the waste at first. The record assumes {told_of}."
    assert record.note == (note if told_of else "")
    assert plain(4).record is not None
    assert plain(4).record.note == "", "of a fresh deal all cards lie in the stock"


def test_a_waste_that_one_photo_reads_from_top_to_bottom_lies_as_the_photo_before_shows_it() -> None:
    rng = np.random.default_rng(0)
    text = "klondike columns: [7S] | ?? [4C] | ?? ?? [KD] | ?? ?? ?? [2C] | ?? ?? ?? ?? [9D] | ?? ?? ?? ?? ?? [6S]"
    text += " | ?? ?? ?? ?? ?? ?? [{}]; foundations: C0 D0 H0 S0; waste: {}"
    tables = [Position.parse(text.format(*own)) for own in (("QC", "AH KH JD"), *[("QC JD", "AH KH")] * 2)]
    shown = [see(rng, table, noise=0.0, fan=3) for table in tables]
    for spoilt in (1, 2):
        misread = [replace(own, waste=own.waste[::-1]) if n == spoilt else own for n, own in enumerate(shown)]
        photos = told(misread, draw=3).photos
        assert [photo.position.waste[-1] for photo in photos if photo.position] == [
            parse_card(name) for name in ("JD", "KH", "KH")
        ]
        assert all(str(move) != "draw" for photo in photos[1:] for move in photo.moves)


def test_a_squared_column_that_hid_more_than_was_told_goes_on_with_what_it_shows() -> None:
    rng = np.random.default_rng(0)
    text = "klondike columns: [{}] | ?? [{}] | ?? ?? [KD] | ?? ?? ?? [2C] | ?? ?? ?? ?? [{}] | ?? ?? ?? ?? ?? [6H]"
    text += " | ?? ?? ?? ?? ?? ?? [{}]; foundations: C0 D0 H0 S0; waste:"
    tops = [("7H", "8S", "TD", "9C"), ("JC", "8S 7H", "TD", "9C"), *[("JC", "8S 7H", "TD 9C", "3S")] * 2]
    tables = [Position.parse(text.format(*own)) for own in tops]  # one end hides more than a deal from either side
    found = told([see(rng, table, squared=True, noise=0.0) for table in tables])
    truths = [PhotoTruth(row.file, shown_of(table)) for row, table in zip(found.photos, tables, strict=True)]
    assert all(has_right_tops(truth, row.position) for truth, row in zip(truths, found.photos, strict=True))
    checks = [str(check) for row in found.photos for check in row.checks]
    assert any(check.startswith("03.jpg: no moves that I can find lead to its table") for check in checks)


def test_a_card_that_one_table_holds_in_the_waste_is_turned_up_and_moved_in_another_one() -> None:
    rng, spade, diamond = np.random.default_rng(0), parse_card("6S").index, parse_card("5D").index
    text = "klondike columns: [{}] | {} | ?? ?? [KD] | ?? ?? ?? [2C] | ?? ?? ?? ?? [9D] | ?? ?? ?? ?? ?? [{}]"
    text += " | ?? ?? ?? ?? ?? ?? [JC]; foundations: C0 D0 H0 S0; waste:"
    tables = [Position.parse(text.format(*own)) for own in (("7S", "?? [6H]", "6S"), ("7S 6H", "-", "6S 5D"))]
    before, after = (see(rng, table, noise=0.0) for table in tables)
    unseen = find_moves([fresh_deal(1)], before)[0][0].state
    stock_waste = unseen.stock_waste._replace(stock=(diamond, GAP), unseen=unseen.stock_waste.unseen - 1)
    in_stock = unseen._replace(stock_waste=stock_waste, known=unseen.known | 1 << diamond)
    end = find_moves([in_stock, unseen], after)[1][0]
    assert (end.state.up[1], end.state.up[5]) == ((), (spade, diamond))
    assert end.bindings == ((unseen.down[1][0], diamond),)


def test_a_card_from_the_stock_and_one_from_under_a_column_come_between_the_same_photos() -> None:
    """5S comes from the stock, 4H 3C go onto it, and what lay under them, TD, goes onto JC: 2H is turned up."""
    text = "klondike columns: [KS QD JC] | [KH] | ?? ?? [6H] | ?? ?? [6C 5H 4S] | ?? ?? ?? ?? [JD TS 9H 8C]"
    text += " | ?? ?? ?? ?? [4H 3C] | ?? ?? ?? ?? ?? ?? [JH TC]; foundations: C1 D0 H1 S2; waste: 7S"
    after = (
        "klondike columns: [KS QD JC TD] | [KH] | ?? ?? [6H 5S 4H 3C] | ?? ?? [6C 5H 4S] | ?? ?? ?? ?? [JD TS 9H 8C]"
    )
    after += " | ?? ?? [2H] | ?? ?? ?? ?? ?? ?? [JH TC]; foundations: C1 D0 H1 S2; waste: 5D"
    before = state_of(see(np.random.default_rng(0), Position.parse(text), noise=0.0))
    assert before is not None
    turned = tuple(parse_card(name).index for name in ("7D", "8D", "KD", "6D", "4D", "7S"))
    waste = tuple(token for card in turned for token in (GAP, card))
    known = before.known | sum(1 << card for card in turned[:-1])
    before = before._replace(stock_waste=StockWaste(waste, (GAP,), 8, draw=3, under=8), known=known)
    shown = see(np.random.default_rng(0), Position.parse(after), squared=True, noise=0.0)
    ends = find_moves([before], shown)[0]
    hidden = {len(end.state.down[5]) for end in ends if end.score > ends[0].score - 0.1}
    assert hidden == {2, 3}, "as likely is that TD came from the stock, too"


def test_states_that_know_of_other_cards_are_kept_beside_the_likeliest() -> None:
    state = fresh_deal(1)
    alike = [state._replace(heights=(n % 13, n // 13, 0, 0), known=1) for n in range(TUNING.states + 10)]
    waste = [state.stock_waste._replace(waste=(n,)) for n in range(1, 10)]
    others = [state._replace(known=1 << n, stock_waste=holds) for n, holds in enumerate(waste, 1)]
    before = Node(state, forward=0.0)
    nodes = [Node(one, [Edge(0, -float(n))], -float(n)) for n, one in enumerate(alike + others)]
    for most in (0, 6):
        kept = _keep_likely(nodes, [before], frozenset(), most)
        assert [node.state for node in kept] == [*alike[: TUNING.states], *others[:most]]


def test_of_states_through_which_no_way_leads_nothing_is_sure() -> None:
    node = Node(fresh_deal())
    history = History(((node,), (node,)), (0, 0), (Edge(0, 0.0),), ())
    assert history.chance(0, lambda state: state.visible) == 0.0


def test_the_top_of_the_waste_is_asked_for_with_both_cards_that_it_may_be() -> None:
    def choices(*tops: tuple[int, ...]) -> tuple[str, ...]:
        state = fresh_deal(1)
        states = [state._replace(stock_waste=state.stock_waste._replace(waste=top)) for top in tops]
        nodes = [Node(one, forward=0.0) for one in states]
        return _ask_which(SimpleNamespace(layers=[[], nodes], states=states[:1]), 0, "a.jpg", 0.6).choices  # type: ignore[arg-type]

    spade, club = (parse_card(name).index for name in ("JS", "JC"))
    assert choices((spade,), (club,)) == ("JS", "JC")
    assert choices((spade,), ()) == ("JS", "none")
    assert choices((spade,), (GAP,)) == (), "no answer names a card that nobody saw"


@pytest.mark.parametrize(("seed", "photo"), [(1, 3), (6, 2), (8, 4)])
def test_a_card_of_the_waste_that_is_read_as_either_of_two_stays_open_long_after(seed: int, photo: int) -> None:
    shown = sights(seed, count=16)
    position = game(seed).position(photo)
    top, other = (card.index for card in (position.waste[-1], position.stock[-1]) if card is not None)
    chance = np.full(52, 1e-6)
    chance[top], chance[other] = 0.52, 0.48
    shown[photo] = replace(shown[photo], waste=(belief_of(np.log(chance)),))
    row = told(shown).photos[photo]
    assert row.stands < 0.8
    names = {str(Card.from_index(card)) for card in (top, other)}
    assert any(names <= set(check.choices) for check in row.checks)


def test_a_squared_top_that_one_photo_misreads_is_what_the_next_ones_show() -> None:
    text = "klondike columns: [7S] | ?? [4C] | ?? ?? [KD] | ?? ?? ?? [2C] | ?? ?? ?? ?? [9D] | ?? ?? ?? ?? ?? [6S]"
    table = Position.parse(f"{text} | ?? ?? ?? ?? ?? ?? [JC]; foundations: C0 D0 H0 S0; waste:")
    rng, king, other = np.random.default_rng(0), parse_card("KD").index, parse_card("JD").index
    shown = [see(rng, table, squared=True, noise=0.0) for _ in range(3)]
    chance = np.full(52, 1e-6)
    chance[king], chance[other] = 0.03, 0.97
    columns = [*shown[0].columns]
    columns[2] = replace(columns[2], cards=(belief_of(np.log(chance)),))
    shown[0] = replace(shown[0], columns=tuple(columns))
    for row in told(shown).photos:
        assert row.position is not None
        assert [str(card) for card in _columns(row.position)[2].up] == ["KD"]


def test_a_waste_that_plainly_shows_another_card_than_the_game_is_asked_about() -> None:
    state = fresh_deal(1)
    lies = state._replace(stock_waste=state.stock_waste._replace(waste=(GAP, parse_card("8S").index)))
    chance = np.full(52, 1e-6)
    chance[parse_card("9D").index] = 1.0
    sight = TableSight((SeenPile(),) * 7, waste=(belief_of(np.log(chance)),))
    assert [text for _, text in _contradicted_waste(sight, lies)] == ["the waste shows 9D, and by the game 8S"]
    assert [text for _, text in _contradicted_waste(sight, state)] == ["the waste shows 9D, and by the game no card"]
    nine = lies._replace(stock_waste=lies.stock_waste._replace(waste=(parse_card("9D").index,)))
    assert not _contradicted_waste(sight, nine)


def test_a_column_of_which_a_photo_shows_nothing_holds_a_card_that_it_missed() -> None:
    shown = sights(4, squared=True)
    columns = list(shown[0].columns)
    columns[5] = SeenPile()
    shown[0] = replace(shown[0], columns=tuple(columns))
    first = told(shown).photos[0]
    assert first.position is not None
    assert _columns(first.position)[5].up == _columns(game(4).position(0))[5].up, "the next photo shows which"
    backs = replace(shown[0], columns=(*columns[:5], SeenPile(backs=1), columns[6]))
    turned = told([backs, *shown[1:]]).photos[0].position
    assert not _columns(turned)[5].up, "a back is seen: nobody has turned it over yet"


def test_a_photo_that_shows_no_card_of_the_waste_is_asked_about_where_one_may_lie() -> None:
    shown = sights(1)
    assert all(sight.waste for sight in shown)
    shown[2] = replace(shown[2], waste=())
    checks = told(shown).photos[2].checks
    assert any(check.place == Place("waste") for check in checks)


def test_hindsight_tells_only_what_lay_there() -> None:
    found = plain(4)
    assert found.record is not None
    for column, truth in zip(_columns(found.record.hindsight), _columns(game(4).record.start), strict=True):
        doubtful = {choice for row in found.photos for check in row.checks for choice in check.choices}
        for card, other in zip(column.down, truth.down, strict=True):
            assert card in (None, other) or str(card) in doubtful


def test_a_misread_and_a_missed_card_are_put_right_by_their_neighbours() -> None:
    shown = sights(5, count=8)
    pile = shown[4].columns[3]
    wrong = belief_of(np.where(np.arange(52) == (likeliest(pile.cards[0]) + 1) % 52, 0.0, -12.0))
    columns = [*shown[4].columns]
    columns[3] = SeenPile((wrong, *pile.cards[1:]), pile.log_count, pile.backs)
    columns[5] = SeenPile(columns[5].cards[:-1], columns[5].log_count, columns[5].backs)
    shown[4] = TableSight(tuple(columns), shown[4].foundations, shown[4].waste)
    found = told(shown)
    assert all(right(5, found))
    assert found.photos[4].checks  # what the photo shows is put to a person
    assert not found.photos[5].checks


def test_a_photo_stands_once_what_is_asked_of_it_is_answered() -> None:
    shown = sights(5)
    columns = list(shown[4].columns)
    columns[5] = replace(columns[5], cards=sights(6)[0].columns[0].cards)
    shown[4] = replace(shown[4], columns=tuple(columns))
    asked = told(shown).photos[4]
    assert [check.place for check in asked.checks] == [Place("column", 5)]
    assert asked.stands <= 0.9
    column = _columns(game(5).position(4))[5]
    content = f"{len(column.down)} face down, {' '.join(map(str, column.up))}"
    photos = [PhotoSight(f"{n:02d}.jpg", sight) for n, sight in enumerate(shown, 1)]
    settled = tell_game(photos, answers=[Answer("05.jpg", Place("column", 5), content)]).photos[4]
    assert not settled.checks
    assert settled.stands > 0.97


def test_a_question_that_is_answered_leaves_no_doubt_at_its_photo() -> None:
    question = Question(QuestionKind.CARD, "?", Place("column", 5))
    writer = RecordWriter((), None, [Answer("05.jpg", Place("column", 5), "3 face down, 9C")])
    assert writer._not_answered("05.jpg", [question]) == []
    assert writer._not_answered("06.jpg", [question]) == [question]


@pytest.mark.parametrize(("fanned", "number"), [(3, THREE), (1, ONE)])
def test_one_record_has_one_number_of_cards_turned_at_a_time(
    fanned: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By themselves the longer stretch takes one at a time, and the shorter one three; it is asked all the same."""
    asked = Question(QuestionKind.DRAW, "1 or 3?", DRAW_PLACE, ("1", "3"))
    other = Question(QuestionKind.ORIGIN, "was it ...?", DRAW_PLACE, ("4S from the stock", "4S from column 6"))
    tables = {rules.draw: position_of(fresh_deal(), {}, rules) for rules in (STANDARD, STANDARD_DRAW_1)}

    def tell(photos: Sequence[PhotoSight], draw: int | None, *_: object) -> RecordedGame:
        taken = (ONE, ONE, THREE) if draw is None else (draw,) * 3
        rows = [PhotoRow(photo.file, tables[own]) for photo, own in zip(photos, taken, strict=True)]
        return RecordedGame(None, (replace(rows[0], checks=(asked, other) * (draw is None)), *rows[1:]))

    monkeypatch.setattr(game_history, "_tell_each_stretch", tell)
    card = belief_of(np.zeros(52))
    found = told([replace(sight, waste=(card,) * fanned) for sight in sights(5, count=3)])
    assert {row.position.rules.draw for row in found.photos if row.position is not None} == {number}
    assert found.photos[0].checks == (asked,)


def of_two_turned(told: Sequence[tuple[str, int]], new: str, waste: str = "") -> list[Question]:
    """What is asked where two cards of column 6 were turned up and moved on, 3D and 9S.

    Args:
        told: Cards of which it was said where they came from.
        new: What photos show after it besides and did not before.
        waste: Which of them lies in the waste.
    """
    state = fresh_deal()
    on_top, below = state.down[5][-1], state.down[5][-2]
    cards = {name: parse_card(name).index for name in ("9S", "3D", *new.split())}
    bindings = ((on_top, cards["3D"]), (below, cards["9S"]))
    stock_waste = state.stock_waste._replace(waste=tuple(parse_card(name).index for name in waste.split()))
    after = state._replace(known=sum(1 << card for card in cards.values()), stock_waste=stock_waste)
    edge = Edge(0, 0.0, bindings=bindings)
    before = Node(state, forward=0.0, backward=0.0)
    history = History(((before,), (Node(after, [edge], forward=0.0, backward=0.0),)), (0, 0), (edge,), ())
    origins = tuple((parse_card(name).index, column) for name, column in told)
    doubtful = _doubtful(history, origins)
    return list(_ask_bindings("2.jpg", doubtful, bindings, state, (), origins))


def test_of_two_cards_turned_in_one_column_the_second_is_asked_about_without_the_first() -> None:
    (first,) = of_two_turned((), "JD")
    assert set(first.choices) == {"3D from column 6", "9S from column 6", "JD from column 6"}
    assert "came first" in str(first)
    (second,) = of_two_turned([("3D", 5)], "JD")
    assert set(second.choices) == {"9S from column 6", "JD from column 6"}
    assert "came next" in str(second)
    assert of_two_turned([("3D", 5), ("JD", 4)], "JD") == []


def test_a_card_in_the_waste_came_from_no_column() -> None:
    (first,) = of_two_turned((), "JD QS", waste="QS")
    assert set(first.choices) == {"3D from column 6", "9S from column 6", "JD from column 6"}


def test_of_two_cards_that_must_have_come_from_one_column_it_is_asked_which_came_first() -> None:
    (order,) = of_two_turned((), "")
    assert set(order.choices) == {"3D from column 6", "9S from column 6"}
    assert of_two_turned([("9S", 5)], "") == [], "then the other one came next"


def test_the_same_table_twice_is_no_move() -> None:
    shown = sights(5, count=3)
    found = told([shown[0], shown[0], shown[1], shown[2]])
    assert found.photos[1].moves == ()
    assert found.photos[1].position == found.photos[0].position


def test_a_card_placed_unseen_is_its_twin_where_a_later_photo_shows_the_other_one() -> None:
    """A black 8 goes from the stock under another card between two photos; later the waste shows which it is not."""
    truth = Position.parse(
        "klondike draw: 1; foundations: C0 D0 H0 S0; waste: ; stock: 8S 7H 6C 8C 2C; "
        "columns: [9D] | ?? [KC] | ?? ?? [KH] | ?? ?? ?? [QC] | ?? ?? ?? ?? [3C] | ?? ?? ?? ?? ?? [2D] |"
        " ?? ?? ?? ?? ?? ?? [TS]"
    )
    shown, position = [], truth
    rng = np.random.default_rng(0)
    for moves in ("", "draw W>T1 draw W>T1", "draw W>T1", "draw"):
        for move in moves.split():
            position = position.play(Move.parse(move))
        shown.append(see(rng, position, squared=True, noise=0.0))
    last = told(shown, ONE).photos[-1].position
    assert last is not None
    assert list(map(str, last.columns[0].up)) == ["9D", "8S", "7H", "6C"]


def test_photos_join_by_two_cards_where_the_camera_did_not_move() -> None:
    spots = np.array([[k, 0.0] for k in range(7)])
    cards, other = [1, 2, 3, 4, 5, 6, 7], [1, 22, 23, 24, 5, 26, 27]
    assert find_shift(spots, cards, spots + 0.1, other) is not None
    assert find_shift(spots, cards, spots + 3.0, other) is None
    assert find_shift(spots, cards, spots * 1.2, other) is None


def test_photos_that_lie_on_two_others_show_that_all_are_of_one_table() -> None:
    """The first photo is blurred: the second lies on the third alone, which lies on both."""
    spots = np.array([[k, 0.1 * k * k] for k in range(7)])
    turned = spots @ np.array([[0.0, 1.1], [-1.1, 0.0]]) + [3.0, -1.0]
    cards = [[1, 2, 3, 4, 25, 26, 27], [31, 2, 33, 34, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7]]
    shown = [spots, turned, spots + 0.4]
    assert [sorted(group) for group in group_spots(shown[:2], cards[:2])] == [[0], [1]]
    (group,) = group_spots(shown, cards)
    assert sorted(group) == [0, 1, 2]
    for number, own in enumerate(shown):
        assert np.allclose(group[number](own), spots, atol=1e-9)
    elsewhere = [spots, turned, spots + 0.4]
    strangers = [cards[0], [card + 10 for card in cards[1]], cards[2]]
    assert [sorted(group) for group in group_spots(elsewhere, strangers)] == [[0, 2], [1]]


def test_a_photo_whose_cards_all_changed_lies_on_the_next_ones_by_its_piles() -> None:
    """A deal of seven cards and the stock; later photos show foundations and a waste, and a longer column too."""
    deal = np.array([*([1.1 * k, 0.0] for k in range(7)), [6.6, 3.0]])
    later = np.concatenate([deal, [[0.0, 3.0], [1.1, 3.0], [2.2, 0.4]]])
    parts: list[dict[int, Shift]] = [{0: Shift()}, {1: Shift(), 2: Shift()}]
    (group,) = join_lone(parts, [deal * 1.02 + [0.3, -0.2], later, later])
    assert np.allclose(group[0](deal * 1.02 + [0.3, -0.2]), deal)
    aside = np.add(deal, [1.3, 0.0])
    (group,) = join_lone(parts, [aside, later, later])
    assert np.allclose(group[0](aside), deal), "one pile more moves the middle by more than a column"
    assert len(join_lone(parts, [deal[:6], later, later])) == 2, "six piles are too few"
    assert len(join_lone(parts, [deal * 1.25, later, later])) == 2, "no table is so much larger"
    turned = np.stack([deal[:, 1], deal[:, 0]], axis=1)
    assert len(join_lone(parts, [turned, later, later])) == 2, "piles lie otherwise"
    assert len(join_lone([{0: Shift(), 1: Shift()}, {2: Shift(), 3: Shift()}], [deal] * 4)) == 2, (
        "two are no lone photo"
    )


def test_a_photo_of_nothing_is_left_out_and_named() -> None:
    shown = [PhotoSight("a.jpg", sights(5)[0]), PhotoSight("rules.jpg", None, "rules.jpg shows no card")]
    found = tell_game([*shown, PhotoSight("c.jpg", sights(5)[1])])
    assert found.photos[1].position is None
    assert str(found.photos[1].checks[0]) == "rules.jpg shows no card"
    assert found.photos[1].checks[0].kind is QuestionKind.APART, "whatever it is called"
    assert found.photos[1].checks[0].doubt == 0, "nothing about the game is open for that"
    assert found.photos[2].position is not None


def test_a_photo_at_the_wrong_place_in_time_is_asked_about() -> None:
    shown = sights(5, count=PHOTOS)
    moved = [*shown[:2], *shown[3:6], shown[2]]
    found = told(moved)
    assert found.photos[-1].checks


def test_photos_in_reverse_or_mixed_order_are_told() -> None:
    text = "klondike columns: {} | {} | - | - | - | - | -; foundations: {} H13 S13; stock:; waste:"
    ends = [
        ("[QC KC]", "[KD]", "C11 D12"),
        ("[KC]", "[KD]", "C12 D12"),
        ("-", "[KD]", "C13 D12"),
        ("-", "-", "C13 D13"),
    ]
    rng = np.random.default_rng(0)
    shown = [see(rng, Position.parse(text.format(*end)), noise=0.0) for end in ends]
    mixed = [shown[n] for n in (2, 1, 3, 0)]
    for photos, order in ((shown[::-1], (3, 2, 1, 0)), (mixed, (3, 1, 0, 2)), (shown, ())):
        found = told(photos)
        assert found.order == order
        checks = [str(check) for check in found.photos[0].checks]
        assert any("order of time" in text for text in checks) is bool(order)
    assert not any("order of time" in str(check) for row in plain(5).photos for check in row.checks)


def test_photos_are_sorted_by_cards_that_are_turned_up_where_none_is_home_yet() -> None:
    text = "klondike columns: {} | - | - | - | - | - | -; foundations: {}; stock: {}; waste:"
    ends = [("[KC]", 51), ("[KC QD]", 50), ("[KC QD JC]", 49), ("[KC QD JC TD]", 48), ("[KC QD JC TD 9C 8D]", 46)]
    rng = np.random.default_rng(0)
    shown = [see(rng, Position.parse(text.format(own, "", "?? " * rest)), noise=0.0) for own, rest in ends]
    order = (3, 0, 4, 2, 1)
    found = told([shown[order.index(n)] for n in range(5)])
    assert found.order == order, "no card is home"
    assert str(found.photos[0].checks[0]).endswith(", ".join(found.photos[n].file for n in order)), "to be typed so"


@pytest.mark.parametrize("seed", [1, 4])
def test_mixed_photos_are_told_where_hardly_a_card_goes_back_from_home(seed: int) -> None:
    shown = [PhotoSight(f"{n}", sight) for n, sight in enumerate(sights(seed, squared=True, count=8))]
    mixed = [shown[n] for n in (0, 4, 1, 5, 2, 6, 3, 7)]
    assert game_history.order_of(shown, range(8)) == ()
    assert sorted(game_history.order_of(mixed, range(8))) == list(range(8))


def test_few_photos_are_mixed_where_aces_and_cards_of_columns_go_back_to_where_nothing_brings_them() -> None:
    text = "klondike columns: ?? {} | {} | ?? [7S] | ?? [QC] | ?? [4D] | ?? [3D] | ?? [6S]; foundations: {}; stock:"
    tables = [
        ("[8H]", "[5D]", "C0 D0 H0 S0", "9H"),
        ("[AC]", "[5D]", "C0 D0 H0 S0", "AD"),
        ("[9H]", "[5D]", "C1 D0 H0 S0", "AD"),
        ("[9H]", "[5D 4C]", "C1 D1 H0 S0", "JH"),
        ("[9H]", "[JH]", "C1 D1 H0 S0", "TS"),
    ]
    shown = [
        see(
            np.random.default_rng(0),
            Position.parse(f"{text.format(*on_table)}; waste: {waste}"),
            squared=True,
            noise=0.0,
        )
        for *on_table, waste in tables
    ]
    mixed = [shown[n] for n in (0, 2, 4, 1, 3)]
    assert game_history._gone_back(shown) == set()
    assert {str(Card.from_index(card)) for card in game_history._gone_back(mixed)} == {"AC", "AD", "JH"}
    for photos, is_mixed in ((shown, False), (mixed, True)):
        assert game_history._are_disordered(photos, shown) is is_mixed


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("seed", [1, 4])
def test_photos_that_are_as_far_are_sorted_by_what_differs_between_them(seed: int, squared: bool) -> None:
    shown = sights(seed, squared=squared, count=8)
    sent = (6, 3, 1, 0, 7, 2, 5, 4)
    order = _in_order({photo: shown[n] for photo, n in enumerate(sent)})
    assert [sent[photo] for photo in order] == list(range(8))


def test_photos_of_the_same_table_lie_beside_each_other() -> None:
    first, drawn, later = sights(4, squared=True, count=3)
    assert _in_order({0: first, 1: drawn, 2: later, 3: drawn, 4: first}) == [0, 4, 1, 3, 2]


@pytest.mark.parametrize("squared", [False, True])
def test_a_deal_that_nobody_had_touched_comes_first(squared: bool) -> None:
    """Photos of the first pass through the stock show nearly as many cards."""
    columns = "{} | ?? [7S] | ?? ?? [QC] | ?? ?? ?? [4D] | ?? ?? ?? ?? [{}] | {} [3D] | {} [6S]"
    down = columns.format("{}", "{}", "?? " * 5, "?? " * 6)
    text = f"klondike columns: {down}; foundations:; stock: {{}}; waste: {{}}"
    lies = [
        ("[8S]", "9D", 24, ""),
        ("[8S]", "9D", 21, "5D TC KD"),
        ("-", "9D 8S", 21, "5D TC KD"),
        ("[8S]", "9D", 24, ""),
    ]
    rng = np.random.default_rng(0)
    deal, drawn, moved, again = (
        see(rng, Position.parse(text.format(first, fifth, "?? " * rest, waste)), noise=0.0, squared=squared)
        for first, fifth, rest, waste in lies
    )
    assert told([moved, deal, drawn]).order == (1, 2, 0)
    assert told([drawn, deal]).order == (1, 0)
    assert told([deal, drawn, moved]).order == ()
    assert told([deal, drawn, again]).order == (), "the stock was turned over"


def test_a_stretch_that_no_few_moves_explain_is_asked_about() -> None:
    seed = 4
    played = game(seed)
    late = range(len(played.photos) - 2, len(played.photos))
    rng = np.random.default_rng(0)
    shown = [see(rng, played.position(n), noise=0.0) for n in (0, *late)]
    found = told(shown)
    assert found.record is not None
    assert parse_record(str(found.record)) == found.record
    asked = [str(check) for row in found.photos for check in row.checks]
    assert any("more happened than I can find" in text for text in asked)
    assert all(row.stands <= 0.9 for row in found.photos[1:])  # nothing but one photo shows the table after the gap
    assert any(step.move is None for step in found.record.steps)
    (count,) = (check for check in found.photos[-1].checks if check.kind is QuestionKind.DEAL)
    counts = " ".join(str(len(column.down)) for column in _columns(played.position(late[-1])))
    assert count.choices == (counts,)
    photos = [PhotoSight(row.file, sight) for row, sight in zip(found.photos, shown, strict=True)]
    settled = tell_game(photos, answers=[Answer(photos[-1].file, DEAL_PLACE, counts)]).photos[-1]
    assert all(check.kind is not QuestionKind.DEAL for check in settled.checks)
    assert settled.stands > 0.97


def test_photos_of_two_games_are_told_from_each_other() -> None:
    late = see(np.random.default_rng(0), game(4).position(len(game(4).photos) - 2), noise=0.0)
    found = told([late, late, *sights(5, count=3)])
    asked = [str(check) for row in found.photos for check in row.checks]
    assert sum("seems to begin another game" in text for text in asked) == 1
    assert all(row.position is not None for row in found.photos)


def test_two_foundations_of_one_suit_are_told() -> None:
    tops = tuple(belief_of(np.where(np.arange(52) == parse_card(c).index, 0.0, -12.0)) for c in ("AH", "2H", "AC"))
    sight = TableSight((SeenPile(),) * 7, tops)
    assert "AH and 2H" in broken_rules(sight)
    assert tell_game([PhotoSight("a.jpg", sight)]).photos[0].checks[0].kind is QuestionKind.RULES
    assert broken_rules(TableSight((SeenPile(),) * 7, tops[1:])) == ""
    plain = PhotoSight("c.jpg", sights(5)[0])
    found = tell_game([PhotoSight("a.jpg", sight), PhotoSight("b.jpg", sight), plain])
    assert [row.position is None for row in found.photos] == [True, True, False]


def test_cards_of_stock_and_waste_keep_their_order() -> None:
    stock_waste = StockWaste((GAP, 3), (GAP,), 20)
    first = turn_to_unseen(stock_waste, 7)[0]
    assert first.stock_waste.waste == (GAP, 3, GAP, 7)
    assert first.stock_waste.unseen == 19
    (again,) = turn_to(first.stock_waste, 3)
    assert again.redealt
    assert again.stock_waste.waste == (GAP, 3)
    assert again.stock_waste.stock == (GAP, 7, GAP)
    assert not turn_to_unseen(StockWaste((3,), (4,), 0), 9)


def test_of_many_moves_all_that_explain_a_photo_as_well_are_found() -> None:
    # 9C and 3H come into sight. Each may have lain in column 4 or 6, and the search finds one of these ways first.
    rng = np.random.default_rng(0)
    text = "klondike columns: - | [8S] | ?? [TD{}] | ?? {}[{}] | ?? ?? [QS JD] | ?? ?? {}[{}]"
    text += " | ?? ?? ?? ?? ?? ?? [5H {}]; foundations: C2 D6 H0 S{}; waste: 5C JH"
    before = Position.parse(text.format("", "?? ", "8H", "?? ?? ", "4C", "4S", 3))
    after = Position.parse(text.format(" 9C 8H", "", "4H", "", "QC", "4C 3H", 4))
    state = state_of(see(rng, before, noise=0.0))
    assert state is not None
    (reached,) = find_moves([state], see(rng, after, squared=True, noise=0.0))
    best = {(tuple(map(len, end.state.down)), end.state.up) for end in reached if end.score > reached[0].score - 0.01}
    shown = tuple(tuple(card.index for card in column.up if card) for column in _columns(after))
    assert {hidden[3] for hidden, up in best if up == shown} == {0, 1}


def test_cards_under_the_top_of_the_waste_must_lie_there() -> None:
    stock_waste = StockWaste((1, GAP, 2), (GAP,), 5)
    assert with_cards_below_top(stock_waste, (9,), 1 << 9) == (StockWaste((1, GAP, 9, 2), (GAP,), 4), 1)
    assert with_cards_below_top(stock_waste, (1,), 0) == (StockWaste((1, 2), (GAP,), 5), 0)
    assert with_cards_below_top(stock_waste, (8,), 0) is None


@pytest.mark.parametrize(("seed", "draw"), [(4, 1), (1, 3)])
def test_the_number_of_cards_turned_at_a_time_shows_itself(seed: int, draw: int) -> None:
    assert game(seed).position(0).rules.draw == draw
    found = plain(seed)
    assert found.record is not None
    asked = [str(check) for row in found.photos for check in row.checks]
    assert f"draw: {draw}" in str(found.record.start) or any("turned at a time" in text for text in asked)


@pytest.mark.parametrize(
    ("said", "shown", "draw", "is_asked"),
    [
        (ONE, range(4), ONE, False),
        (ONE, (2, 5, 8), ONE, True),  # three at a time show these as well
        (THREE, (2, 5, 8), THREE, True),  # one at a time does, too
        (THREE, tuple(range(2, 24, 3)) * 2, THREE, False),
        (THREE, (*range(2, 24, 3), *[23] * 6), THREE, True),  # one at a time takes 16 draws more, which a player may do
        (THREE, range(4), ONE, True),  # the search and the order of the stock contradict each other
    ],
)
def test_the_number_of_cards_turned_at_a_time_is_asked_where_the_waste_does_not_show_it(
    said: int, shown: Sequence[int], draw: int, is_asked: bool
) -> None:
    history, sights = _turning(said, shown)
    for chance in (0.2, 1.0):  # the search takes draws for few, and so three at a time for likely
        history.chance = lambda photo, alike, own=chance: own
        draws, questions = choose_draw(history, sights, asked=True)
        assert draws.draw == draw
        assert [question.kind for question in questions] == [QuestionKind.DRAW] * is_asked
    assert choose_draw(history, sights, asked=False)[1] == []


@pytest.mark.parametrize(
    ("said", "shown", "other"),
    [
        (ONE, range(4), None),
        (ONE, (2, 5, 8), None),  # three at a time show these with six draws fewer, which may be chance
        (ONE, tuple(range(2, 24, 3)), THREE),
        (ONE, (2, 5, 8, 11), THREE),  # eight draws fewer, and each time a multiple of three
        (ONE, (2, 5, 8, 10), None),
        (THREE, tuple(range(2, 24, 3)), None),
        (THREE, range(4), ONE),
    ],
)
def test_a_history_is_searched_again_where_the_other_number_shows_all_with_far_fewer_draws(
    said: int, shown: Sequence[int], other: int | None
) -> None:
    assert doubt_draw(*_turning(said, shown)) == other


def _turning(said: int, shown: Sequence[int]) -> tuple[Any, list[TableSight]]:
    """A history of a known stock in which a card after the other is shown, and what its photos show."""
    state = fresh_deal(said)._replace(stock_waste=StockWaste((), tuple(range(24)), 0, said))
    edges, states = [Edge(0, 0.0)], [state]
    for card in shown:
        turned = next(iter(turn_to(state.stock_waste, card)))
        state = state._replace(stock_waste=turned.stock_waste)
        edges.append(Edge(0, 0.0, (Event("turn", card=card, turned=turned),)))
        states.append(state)
    history = SimpleNamespace(states=states, edges=edges, chance=lambda photo, alike: 1.0)
    return history, [TableSight((SeenPile(),) * 7)] * len(states)


def test_photos_are_laid_over_each_other_by_cards_that_stayed() -> None:
    spots = np.array([[0.0, 0.0], [1.2, 0.1], [2.5, 0.0], [3.6, 1.0], [5.0, 0.4]])
    turned = (spots @ np.array([[0.0, 1.0], [-1.0, 0.0]])) * 1.1 + [4.0, -2.0]
    turned[3] += 2.0  # it moved
    shift = find_shift(spots, [1, 2, 3, 4, 5], turned, [1, 2, 3, 4, 5])
    assert shift is not None
    assert shift.common == 4
    assert np.allclose(shift(spots)[[0, 1, 2, 4]], turned[[0, 1, 2, 4]], atol=1e-9)
    assert find_shift(spots, [1, 2, 3, 4, 5], turned, [11, 12, 13, 14, 15]) is None


FEW_PILES = np.array([[-3.6, 0.0], [-2.4, 0.0], [-1.2, 0.0], [0.0, 0.0]])
RUN = np.array([[1.2, 0.3 * k] for k in range(6)])
"""A run of more cards than there are piles beside it."""


def test_a_run_that_moved_does_not_tell_how_a_photo_lies() -> None:
    before, after = (np.concatenate([FEW_PILES, RUN + np.array([x, 0.0])]) for x in (0.0, 2.4))
    shift = find_shift(after, range(10), before, range(10))
    assert shift is not None
    assert (shift.common, shift.piles) == (4, 4)
    assert np.allclose(shift(after), after)


def test_a_photo_lies_as_that_one_tells_with_which_it_shares_most_piles() -> None:
    """The photo before shows the piles that stayed; the one before it, in which they are not read yet, only the run."""
    numbers = [*range(10)]
    unread = [20, 21, 22, 23, *numbers[4:]]
    shown = [np.concatenate([FEW_PILES, RUN + np.array([x, 0.0])]) for x in (0.0, 0.0, 2.4)]
    shown[0][0] += [0.0, 0.5]  # so that it lies elsewhere by its piles, too
    (group,) = group_spots(shown, [unread, [0, 1, 2, 3, *numbers[4:]], numbers])
    assert np.allclose(group[2](shown[2]), shown[2], atol=0.1)


def test_no_table_is_much_larger_in_one_photo_than_in_another() -> None:
    """Cards that moved lie alike by chance if the one photo is stretched; lengths are in widths of its own cards."""
    spots = np.array([[0.0, 0.0], [1.2, 0.0], [2.4, 0.0], [3.6, 0.0]])
    assert find_shift(spots, [1, 2, 3, 4], spots * 1.2 - [4.0, 1.0], [1, 2, 3, 4]) is None
    assert find_shift(spots, [1, 2, 3, 4], spots * 1.1 - [4.0, 1.0], [1, 2, 3, 4]) is not None


def test_columns_that_grew_do_not_make_it_another_photo() -> None:
    """Most cards of the later photo lie where none lay before; those of the earlier one lie where some do."""
    earlier, later = FEW_PILES, np.concatenate([FEW_PILES, RUN])
    shift = find_shift(later, range(10), earlier, [0, 1, 22, 23])
    assert shift is not None
    assert shift.common == 2


def test_a_read_table_is_what_its_json_says() -> None:
    rng = np.random.default_rng(0)
    card = SeenCard(np.log(np.full(52, 1 / 52)), 0.9, (0,), np.zeros(2), np.array([0.0, 1.0]), np.zeros((4, 2)), 1)
    back = SeenBack(0.8, np.ones(2), np.array([0.0, 1.0]), 0.3, np.ones((4, 2)))
    layout = Layout(
        rng.normal(size=5), np.array([0.0, 1.0]), {GAME: rng.normal(size=(2, 11))}, rng.normal(size=(2, 7)), np.eye(2)
    )
    read = ReadTable(SeenTable((640, 480), Plane(np.eye(3)), Template(), (card,), (back,)), layout)
    again = ReadTable.from_json(read.to_json())
    assert again.to_json() == read.to_json()
    assert np.allclose(again.layout.log_zone[GAME], layout.log_zone[GAME], atol=1e-4)
    assert again.table.template == Template()


def test_a_photo_that_shows_nothing_is_kept_as_it_is() -> None:
    layout = Layout(np.zeros(5), np.array([0.0, 1.0]), {GAME: np.zeros((0, 11))}, np.zeros((0, 7)), np.zeros((0, 0)))
    read = ReadTable(SeenTable((640, 480), Plane(np.eye(3)), Template(), (), ()), layout)
    again = ReadTable.from_json(read.to_json())
    assert again.layout.log_zone[GAME].shape == (0, 11)
    (position,) = single_positions([again])
    assert len(position.stock) == 52


def test_photos_of_squared_piles_that_seem_taken_from_across_are_turned_with_the_others() -> None:
    tops = ["2S", "AD", "JS", "9C", "8C", "4C", "TS"]
    row = [Laid(parse_card(word), 90.0 * k, 0.0, 0.0, "none") for k, word in enumerate(tops)]
    waste = Laid(parse_card("JH"), 0.0, 130.0, 0.0, "none")
    table = seen(photograph([*row, waste], game=None, position=None), 1)
    tables = [ReadTable(table, predict_layout_from(table, GAME, quarters)) for quarters in (0, 2, 0, 0)]
    assert [read.layout.quarters for read in tables] == [0, 2, 0, 0]
    upright = see_from_one_side(tables, lay_together(tables))
    assert [read.layout.quarters for read in upright] == [0, 0, 0, 0]
    assert lay_together(upright)[1] is not None


def test_columns_run_as_they_do_in_most_photos_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines of a tablecloth make the columns of one photo seem to be rows."""
    tops = [Laid(parse_card(word), 90.0 * k, 30.0 * k, 0.0, "none") for k, word in enumerate(("2S", "AD", "JS", "9C"))]
    read = ReadTable(table := seen(photograph(tops, game=None, position=None), 1), predict_layout_from(table, GAME, 0))
    numbered = klondike.number_columns
    photos = itertools.count()

    def mistaken(*args: Any) -> Any:
        *others, run_to_right = args
        return numbered(*others, next(photos) == 1 if run_to_right is None else run_to_right)

    monkeypatch.setattr(klondike, "number_columns", mistaken)
    one, other, last = sights_of([read] * 3, [Shift()] * 3)
    assert one.columns == other.columns == last.columns
    assert next(photos) == 3


def test_photos_of_squared_piles_are_all_read_so_where_lines_of_the_cloth_look_like_hidden_cards() -> None:
    tops = ["2S", "AD", "JS", "9C", "8C", "4C", "TS"]
    row = [Laid(parse_card(word), 90.0 * k, 0.0, 0.0, "none") for k, word in enumerate(tops)]
    table = seen(photograph([*row, Laid(parse_card("JH"), 0.0, 130.0, 0.0, "none")], game=None, position=None), 1)
    hiding = replace(predict_layout_from(table, GAME, 0), tops_only=False)
    blurred = ReadTable(replace(table, cards=table.cards[:3]), predict_layout_from(replace(table, cards=()), GAME, 0))
    read = read_as_squared([ReadTable(table, hiding), blurred, ReadTable(table, hiding)])
    assert [shown.layout.tops_only for shown in read] == [True, False, True]
    assert [shown.layout.tops_only for shown in read_as_squared([blurred, blurred, read[0]])] == [False, False, True]


def test_a_photo_in_which_few_cards_can_be_read_is_said_to_be_blurred_not_of_another_table() -> None:
    def photo(tops: Sequence[str]) -> ReadTable:
        row = [Laid(parse_card(word), 90.0 * k, 0.0, 0.0, "none") for k, word in enumerate(tops)]
        table = seen(photograph(row, game=None, position=None), 1)
        return ReadTable(table, predict_layout_from(table, GAME, 0))

    game, other = ["2S", "AD", "JS", "9C", "8C", "4C", "TS"], ["3S", "6D", "QS", "5C", "KC", "7C", "AS"]
    files = [Path(f"{number}.jpg") for number in range(1, 6)]
    told = _sights(files, [photo(game), photo(game), photo(["5C", "KC"]), photo(other), photo(game)])
    assert told[2].why == "3.jpg is left out: only 2 cards can be read in it. Is it blurred, or is a hand in it?"
    assert told[3].why == "4.jpg is left out: it shows another table or another game than most photos do"


def test_scores_count_positions_moves_and_what_nobody_asked(tmp_path: Path) -> None:
    (tmp_path / "truth.json").write_text(
        '{"photos": [{"photo": "01.jpg", "columns": "[5S] | ?? [7C] | - | - | - | - | -", "foundations": "C0 D0 H1 S0",'
        ' "waste_top": ""}, {"photo": "02.jpg", "column_tops": ["5S", "7C", "-", "-", "-", "-", "-"],'
        ' "foundation_tops": ["AH"], "waste_top": "9D"}]}'
    )
    truth = load_game(tmp_path)
    position = Position.parse("klondike columns: [5S] | ?? [7C] | - | - | - | - | -; foundations: C0 D0 H1 S0; waste:")
    two_hidden = replace(
        position, columns=(position.columns[0], Column((None, None), position.columns[1].up), *position.columns[2:])
    )
    assert is_exact(truth.photos[0], position)
    assert not is_exact(truth.photos[0], two_hidden)
    assert not is_exact(truth.photos[1], position)
    found = plain(5)
    sure = [replace(row, checks=(), stands=1.0) for row in found.photos[:2]]
    score = score_record(truth, RecordedGame(found.record, tuple(sure)))
    assert (score.games, score.whole, score.photos, score.exact, score.wrong_unasked) == (1, 0, 2, 0, 2)
    assert (score.whole_tops, score.tops) == (0, 0)
    assert has_right_tops(truth.photos[0], position)
    assert has_right_tops(truth.photos[0], two_hidden)
    assert not has_right_tops(truth.photos[1], position)  # the waste shows another card
    asked = replace(sure[0], checks=(Question(QuestionKind.HIDDEN, "How many lie under it?"),))
    assert score_record(truth, RecordedGame(found.record, (asked, sure[1]))).wrong_unasked == 1
    unsure = replace(sure[1], stands=0.9)
    assert score_record(truth, RecordedGame(found.record, (asked, unsure))).wrong_unasked == 0


def test_one_photo_is_no_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets/samples/klondike_1.jpg"]) == 1
    assert "one photo is no game" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothere/"], "nothere: no such file or folder"),
        (["datasets/samples/klondike_1.jpg", "klondike.jpg"], "klondike.jpg: no such file or folder"),
        (["README.md"], "README.md: no image that can be read"),
        (["datasets/samples", "--answers", "nothere.txt"], "nothere.txt: no such file; with --ask it is made"),
    ],
)
def test_what_is_not_there_or_no_photo_is_named(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.record.read_tables", None)  # nothing is read before
    assert main(arguments) == 1
    assert capsys.readouterr().err.startswith(f"error: {said}")


def test_photos_are_taken_as_given_and_a_folder_by_name(tmp_path: Path) -> None:
    for name in ("2.jpg", "10.jpg", "1.jpg"):
        (tmp_path / name).write_bytes(b"")
    given = [tmp_path / "2.jpg", tmp_path / "1.jpg"]
    assert photos_in_order(given) == given
    assert [path.name for path in photos_in_order([tmp_path])] == ["1.jpg", "10.jpg", "2.jpg"]


def test_photos_of_one_name_are_refused(tmp_path: Path) -> None:
    photos = [tmp_path / day / "01.jpg" for day in ("monday", "tuesday")]
    for photo in photos:
        photo.parent.mkdir()
        photo.write_bytes(b"")
    with pytest.raises(PhotosError, match=r"two photos are called 01\.jpg; rename one"):
        photos_in_order(photos)


def test_photos_of_a_folder_stand_in_the_order_in_which_they_were_taken(tmp_path: Path) -> None:
    for name, time in (("a.jpg", "2026:11:23 18:02:00"), ("b.jpg", "2026:11:23 18:01:00")):
        exif = Image.Exif()
        exif[0x0132] = time
        Image.new("RGB", (8, 8)).save(tmp_path / name, exif=exif)
    assert [path.name for path in photos_in_order([tmp_path])] == ["b.jpg", "a.jpg"]


def test_a_move_onto_a_card_that_nobody_had_seen_is_no_move_of_the_record() -> None:
    text = "klondike columns: ?? [6H] | [{}] | - | - | - | - | -"
    truth, move = Position.parse(text.format("7S")), Move.parse("T1>T2")
    played = _played(truth, truth, move)
    assert played is not None
    assert played[1].columns[1].up == (parse_card("7S"), parse_card("6H"))
    assert _played(Position.parse(text.format("??")), truth, move) is None
