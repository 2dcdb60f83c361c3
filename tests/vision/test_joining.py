"""Photos of one table become one: every card once, wherever and however they were taken; doubts are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.games.makiaveli import crowded_position
from solver.cards import parse_card
from tests.vision import simulate
from tests.vision.simulate import Laid
from vision.cards.assembly import assemble_cards
from vision.cards.geometry import Array, Plane
from vision.cards.joining.cloud import LaidCards
from vision.cards.joining.join import join
from vision.cards.joining.joined import Joined
from vision.cards.joining.matching import match_misread
from vision.cards.joining.questions import moved_checks
from vision.cards.joining.united_cards import UnitedCards
from vision.cards.seen_table import SeenTable
from vision.question import MOVED

DECKS = list(simulate.DECKS)
NOISE = simulate.Noise(missed=0.0, false=0.0)
CORNER = 0.4 + 0.6j
"""Where an index lies, from the middle of its card."""
SIDE = (-CORNER, -CORNER.conjugate())


def laid_table(seed: int, cards: int = 64) -> tuple[list[Laid], dict[str, Any], simulate.DeckShape]:
    rng = np.random.default_rng(seed)
    deck = simulate.DECKS[DECKS[seed % len(DECKS)]]
    position = crowded_position(rng, cards)
    return simulate.lay_makiaveli(rng, position, deck=deck, gap=20.0, width=14), position, deck


def shot(truths: Sequence[dict[str, Any]], seed: int = 0, noise: simulate.Noise = NOISE) -> list[SeenTable]:
    return [simulate.seen(truth, seed + k, noise) for k, truth in enumerate(truths)]


def cards_of(position: dict[str, Any]) -> Counter[str]:
    there = Counter(card for meld in position["floor"] for card in meld)
    return there + Counter(card for card in position["cross"] if card) + Counter(position["hand"])


def found(joined: Joined) -> Counter[str]:
    return Counter(str(card.best) for card in joined.table.cards)


@pytest.mark.parametrize("seed", range(5))
def test_halves_from_any_side_and_in_any_order_become_the_whole(seed: int) -> None:
    laid, position, deck = laid_table(seed)
    rng = np.random.default_rng(seed)
    truths = simulate.several(rng, laid, simulate.parts(laid, 2), position=position, deck=deck, turn=2.0)
    tables = shot(truths, seed)
    for order in (tables, tables[::-1]):
        joined = join(order)
        assert found(joined) == cards_of(position)
        assert not joined.apart
        assert not joined.checks


@pytest.mark.parametrize(("seed", "count"), [(0, 4), (1, 3), (2, 6), (3, 4)])
def test_many_parts_are_chained(seed: int, count: int) -> None:
    laid, position, deck = laid_table(seed, 80)
    rng = np.random.default_rng(seed)
    joined = join(shot(simulate.several(rng, laid, simulate.parts(laid, count), position=position, deck=deck), seed))
    assert found(joined) == cards_of(position)
    assert all(matrix is not None for matrix in joined.to_map)


@pytest.mark.parametrize("seed", range(3))
def test_cards_pushed_between_the_shots_lie_once(seed: int) -> None:
    laid, position, deck = laid_table(seed)
    rng = np.random.default_rng(seed)
    truths = simulate.several(rng, laid, simulate.parts(laid, 2), position=position, deck=deck, push=0.5)
    assert found(join(shot(truths, seed))) == cards_of(position)


def test_a_card_read_twice_is_weighed_and_one_misread_is_outvoted() -> None:
    laid, position, deck = laid_table(0)
    rng = np.random.default_rng(0)
    truths = simulate.several(rng, laid, simulate.parts(laid, 2), position=position, deck=deck)
    noisy = shot(truths, 0, simulate.Noise(missed=0.0, false=0.0, rank=4.0, suit=4.0))
    joined = join(noisy)
    single = sum((cards_of(position) - Counter(str(c.best) for t in noisy for c in t.cards)).values())
    twice = [(k, sights) for k, sights in enumerate(joined.sights) if len({photo for photo, _ in sights}) > 1]
    assert len(twice) > 8
    for k, sights in twice:
        views = [noisy[photo].cards[row] for photo, row in sights]
        if len({view.best for view in views}) == 1:
            assert joined.table.cards[k].best == views[0].best
            assert joined.table.cards[k].log_card.max() >= min(view.log_card.max() for view in views)
        else:
            surest = max(views, key=lambda view: float(view.log_card.max()))
            assert joined.table.cards[k].best == surest.best
    assert (cards_of(position) - found(joined)).total() <= single + 2


def test_sights_point_at_the_cards_and_the_map_at_their_places() -> None:
    laid, position, deck = laid_table(1)
    tables = shot(
        simulate.several(np.random.default_rng(1), laid, simulate.parts(laid, 2), position=position, deck=deck)
    )
    joined = join(tables)
    assert sorted(view for sights in joined.sights for view in sights) == sorted(
        (photo, row) for photo, table in enumerate(tables) for row in range(len(table.cards))
    )
    size = np.linalg.norm(joined.table.cards[0].quad[0] - joined.table.cards[0].quad[2])
    for card, sights in zip(joined.table.cards, joined.sights, strict=True):
        for photo, row in sights:
            to_map = joined.to_map[photo]
            assert to_map is not None
            middle = np.append(tables[photo].cards[row].quad.mean(0), 1.0)
            at = to_map @ middle
            assert np.linalg.norm(at[:2] / at[2] - card.quad.mean(0)) < 0.35 * size


def test_one_photo_stays_as_it_is() -> None:
    laid, position, deck = laid_table(2)
    table = shot([simulate.photograph(laid, game="makiaveli", position=position, deck=deck)])[0]
    joined = join([table])
    assert found(joined) == Counter(str(card.best) for card in table.cards)
    assert not joined.checks
    assert not joined.apart


def row(cards: str, x: float, y: float, step: float = 24.0, zone: str = "floor/0") -> list[Laid]:
    return [Laid(parse_card(card), x + step * k, y, 0.0, zone) for k, card in enumerate(cards.split())]


def photo_of(laid: Sequence[Laid], aim: Sequence[Laid]) -> SeenTable:
    camera = replace(simulate.Camera(), size=(1600, 1200), tilt=0.2)
    truth = simulate.photograph(laid, game="makiaveli", position=None, camera=camera, aim=aim)
    return assemble_cards(*simulate.observe(truth, np.random.default_rng(5), NOISE), (1600, 1200))


LEFT = row("5H 6H 7H", 0, 0) + row("9C 9D 9S", 0, 130, zone="floor/1") + row("JS QS KS", 0, 260, zone="floor/2")
MIDDLE = row("2C 3C 4C 5C", 330, 60, zone="floor/3") + row("TD TH TS", 330, 200, zone="floor/4")
RIGHT = row("5H 6H 7H", 700, 0, zone="floor/5") + row("AD 2D 3D 4D", 700, 130, zone="floor/6")


def test_equal_melds_at_both_ends_stay_two_where_the_middle_ties() -> None:
    laid = LEFT + MIDDLE + RIGHT
    joined = join([photo_of(laid, LEFT + MIDDLE), photo_of(laid, MIDDLE + RIGHT)])
    assert found(joined) == Counter(str(card.card) for card in laid)
    assert not joined.checks


def test_equal_melds_alone_are_never_taken_for_one_without_asking() -> None:
    """Each photo shows one end of the table, and the ends have equal melds: it may be one meld or two."""
    far = [replace(card, x=card.x + 2000) for card in RIGHT]
    laid = LEFT + far
    joined = join([photo_of(laid, LEFT), photo_of(laid, far)])
    assert joined.checks or joined.apart
    lone = row("5H 6H 7H", 4000, 0)
    joined = join([photo_of(laid, LEFT), photo_of(laid + lone, lone)])
    assert joined.checks or joined.apart


def test_photos_with_an_equal_meld_do_not_join_where_each_lacks_what_lies_beside_it_in_the_other() -> None:
    """Laid on each other by that meld, each photo ought to show what the other one shows, and shows the bare table."""
    left = row("5H 6H 7H", 0, 0) + row("9C 9D 9S", 0, 130, zone="floor/1")
    right = row("5H 6H 7H", 2000, 0, zone="floor/2") + row("AD 2D 3D 4D", 2000, 300, zone="floor/3")
    bare = [row("KD", x, y)[0] for x in (0, 72) for y in (130, 300)]
    photos = [photo_of(left + right, left + bare)]
    photos.append(photo_of(left + right, right + [replace(spot, x=spot.x + 2000) for spot in bare]))
    (apart,) = join(photos).apart.values()
    assert apart.moved == ("5H", "6H", "7H")


def test_a_card_lies_where_the_photo_has_it_that_shows_most_of_its_indices() -> None:
    """Of a deck with four corners a cut card's one side may be taken for the other."""
    cut, whole = _lying(0.9, ranks=SIDE), _lying(0.0, ranks=(*SIDE, CORNER, CORNER.conjugate()))
    union = UnitedCards([[(0, 0), (1, 0)]], [[np.zeros(52)]], {0: cut, 1: whole})
    assert union.cards().at.tolist() == [0]


def test_of_moved_cards_it_is_asked_in_the_order_of_the_photos() -> None:
    reads = [[np.zeros(52)], [np.zeros(52)]]
    union = UnitedCards([[(1, 0), (0, 0)], [(0, 1), (1, 1)]], reads, moved=[(0, 0, 0), (1, 1, 1)])
    (asked,) = moved_checks(union, ["photo 1", "photo 2"])
    assert (asked.photos, asked.moved) == ((0, 1), ("AC",))


def test_a_photo_that_does_not_join_is_named_with_the_reason() -> None:
    other = row("4S 5S 6S 7S", 3000, 0) + row("8H 8C 8D", 3000, 140)
    laid = LEFT + MIDDLE + other
    joined = join([photo_of(laid, LEFT + MIDDLE), photo_of(laid, other)], ["left.jpg", "far.jpg"])
    assert {n: str(asked) for n, asked in joined.apart.items()} == {
        1: "far.jpg shows no card that another photo shows too"
    }
    assert not joined.apart[1].moved
    assert found(joined) == Counter(str(card.card) for card in LEFT + MIDDLE)
    strewn = row("5H TS 9C 3C QS 7H TD 2C", 0, 0, step=90) + row("JS 6H 9S KS 4C 9D TH 5C", 0, 120, step=90)
    joined = join([photo_of(laid, LEFT + MIDDLE), photo_of(strewn, strewn)], ["left.jpg", "far.jpg"])
    assert "Unless it shows another table, one more photo" in str(joined.apart[1])


def test_a_card_moved_from_one_place_to_another_is_taken_once_and_asked_about() -> None:
    before = LEFT + MIDDLE + row("KD", 200, 330)
    after = LEFT + MIDDLE + row("KD", 560, 330)
    joined = join([photo_of(before, before + after), photo_of(after, before + after)])
    assert found(joined)["KD"] == 1
    assert any("KD" in check.text and check.choices == MOVED for check in joined.checks)


def test_nothing_to_join_and_wrong_names_are_refused() -> None:
    with pytest.raises(ValueError, match="no photo"):
        join([])
    with pytest.raises(ValueError, match="2 names for 1"):
        join([photo_of(LEFT, LEFT)], ["one", "two"])


def _lying(*at: float, ranks: Sequence[complex]) -> LaidCards:
    """Upright cards in a row, of which indices are seen at these places from their middles."""
    places = np.array(at, np.complex128)
    seen_at = np.full((len(at), 4), np.nan + 0j)
    seen_at[:, : len(ranks)] = places[:, None] + np.array(ranks, np.complex128)
    return LaidCards(places, np.full(len(at), 1j), places[:, None] + [0, -CORNER, CORNER], seen_at)


@pytest.mark.parametrize(
    ("cut", "ranks", "fresh", "found"),
    [
        ((0.2, 1.0), (), (True, False), [(0, 0)]),
        ((0.2, 1.0), SIDE, (True, False), []),
        ((0.2, 1.0), (-CORNER, CORNER), (True, False), [(0, 0)]),
        ((0.2, 1.0), (), (False, False), []),
        ((0.5, 1.0), (), (True, False), []),
        ((0.2, -0.1), (), (True, True), [(0, 1)]),
    ],
    ids=["cut", "one side, as in a fan", "whole", "another card", "too far", "the nearer of two"],
)
def test_a_misread_card_that_the_border_cuts_or_that_is_seen_whole_lies_there_once(
    cut: tuple[float, ...], ranks: Sequence[complex], fresh: tuple[bool, ...], found: list[tuple[int, int]]
) -> None:
    whole = _lying(0.0, 1.0, ranks=(-CORNER, CORNER))
    assert match_misread(whole, _lying(*cut, ranks=ranks), np.array([True, False]), np.array(fresh)) == found


def test_a_strip_is_seen_twice_where_two_photos_show_it() -> None:
    def count(regions: Array) -> Array:
        return np.zeros((len(regions), 13))

    left, right = (replace(photo_of(part, part), count_backs=count) for part in (LEFT + MIDDLE, MIDDLE + RIGHT))
    both = join([left, right]).table
    assert both.is_seen_twice is not None
    twice = both.is_seen_twice(np.array([card.quad for card in both.cards]))
    seen_by_both = {str(card.best) for card, shown in zip(both.cards, twice, strict=True) if shown}
    assert seen_by_both >= {"2C", "3C", "4C", "5C", "TD", "TH", "TS"}
    assert not seen_by_both & {"9C", "9D", "AD", "2D", "3D", "4D"}


def test_counts_of_two_photos_make_each_other_surer_and_doubt_stays_where_they_differ() -> None:
    laid = LEFT + MIDDLE
    seen_cards = photo_of(laid, laid)

    def saying(count: int) -> SeenTable:
        chances = np.full(13, 0.2 / 12)
        chances[count] = 0.8
        return replace(seen_cards, count_backs=lambda regions: np.tile(np.log(chances), (len(regions), 1)))

    def counted(*counts: int) -> Array:
        table = join([saying(count) for count in counts]).table
        assert table.count_backs is not None
        return np.exp(table.count_backs(np.array([card.quad for card in table.cards[:2]])))

    assert (counted(3, 3)[:, 3] > 0.9).all()
    assert (counted(3, 4)[:, 3] < 0.6).all()
    assert counted(3, 3).sum(1) == pytest.approx(1.0)


def test_a_photo_from_farther_away_counts_too_unless_it_is_far_smaller() -> None:
    laid = LEFT + MIDDLE
    near = replace(photo_of(laid, laid), count_backs=lambda regions: np.zeros((len(regions), 13)))
    for scale, expected in ((0.45, True), (0.3, False)):
        table = join([near, shrunk(near, scale)]).table
        assert table.is_seen_twice is not None
        twice = table.is_seen_twice(np.array([card.quad for card in table.cards]))
        assert twice.all() if expected else not twice.any()


def shrunk(table: SeenTable, scale: float) -> SeenTable:
    """The same photo with fewer pixels."""
    plane = Plane(table.plane.matrix @ np.diag([1 / scale, 1 / scale, 1.0]))
    cards = tuple(replace(card, quad=scale * card.quad) for card in table.cards)
    width, height = (round(scale * length) for length in table.size)
    return replace(table, size=(width, height), plane=plane, cards=cards)


def test_a_joined_table_is_cut_off_where_every_photo_cuts_it() -> None:
    """The map of several photos has edges of its own, far from all cards, and they say nothing."""
    laid = LEFT + MIDDLE
    seen = photo_of(laid, laid)
    right = round(max(card.quad[:, 0].max() for card in seen.cards))
    cut = replace(seen, size=(right, seen.size[1]))
    assert join([seen, cut]).table.margins.min() == pytest.approx(seen.margins.min())
    assert join([cut, cut]).table.margins.min() == pytest.approx(0.0, abs=0.01) != seen.margins.min()


def test_a_strip_whose_end_one_photo_cuts_off_is_counted_in_both() -> None:
    """All strips that a photo shows are weighed together; half of one has no say beside a whole one."""
    asked: list[int] = []

    def count(regions: Array) -> Array:
        asked.append(len(regions))
        return np.tile(np.log(np.full(13, 1 / 13)), (len(regions), 1))

    laid = LEFT + MIDDLE
    seen = replace(photo_of(laid, laid), count_backs=count)
    for share, expected in ((0.9, True), (0.7, True), (0.5, False)):
        right = int(seen.cards[0].quad[:, 0].min() + share * np.ptp(seen.cards[0].quad[:, 0]))
        asked.clear()
        narrow = replace(seen, size=(right, seen.size[1]))
        table = join([seen, narrow]).table
        assert table.count_backs is not None
        assert table.is_seen_twice is not None
        strips = np.array([card.quad for card in table.cards if card.best == seen.cards[0].best])
        assert table.is_seen_twice(strips).tolist() == [expected]
        table.count_backs(strips)
        assert asked == ([1, 1] if expected else [1, 0])
