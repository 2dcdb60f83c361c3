"""Readings carry the contract's JSON, and a verdict under doubt says how far it stands and which card to check."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plumbing.errors import NotationError
from solver import parse
from solver.cards import parse_card, parse_cards
from solver.games import position_from_json
from solver.place import NOWHERE, Place
from solver.solution import Estimate, Limits, SearchStats, Solution, StopReason, Verdict
from tests.vision import simulate
from tests.vision.simulate import Laid
from vision import photo_to_reading
from vision.cards.assembly import assemble_cards
from vision.confidence import PART_SURE_FROM, WHOLE_STANDS_FROM
from vision.detect import report
from vision.judgement import Judged, judge
from vision.layout.game_choice import Choice, as_cards
from vision.networks.outputs import Backs, Detections, Reads
from vision.photo_to_reading import read_findings, read_images
from vision.photo_to_table import Findings, hand_of, see_table
from vision.question import Question, QuestionKind
from vision.read_card import Photo, ReadCard
from vision.reading import Reading, annotate

SIZE = (1280, 960)
PHOTO = (Photo("photo 1", 640, 480),)


def table(seed: int = 1, **options: Any) -> dict[str, Any]:
    return simulate.makiaveli(np.random.default_rng(seed), melds=3, hand=3, cross=2, gap=22.0, **options)


def read(
    truth: dict[str, Any], game: str | None = None, noise: simulate.Noise = simulate.PERFECT, **options: Any
) -> Reading:
    size = (truth["image"]["width"], truth["image"]["height"])
    found = Findings(*simulate.observe(truth, np.random.default_rng(0), noise), size)
    return read_findings([found], game, **options)


def test_the_json_is_the_contract() -> None:
    truth = table()
    reading = read(truth)
    body = json.loads(json.dumps(reading.to_json()))
    assert body["image"] == {"width": 1280, "height": 960}
    assert body["game"] == "makiaveli"
    assert sorted(map(sorted, body["position"]["floor"])) == sorted(map(sorted, truth["position"]["floor"]))
    assert position_from_json(body["position"]) == reading.position == parse(body["line"])
    assert body["doubtful"] == []
    assert body["problems"] == []
    for card in body["cards"]:
        assert set(card) >= {"card", "confidence", "alternatives", "zone", "quad", "indices"}
        assert np.shape(card["quad"]) == (4, 2)
        assert all(len(index["box"]) == 4 for index in card["indices"])
    assert [back["zone"] for back in body["backs"]] == ["deck"]


@pytest.mark.parametrize("maker", [simulate.makiaveli, simulate.klondike, simulate.tomb_single, simulate.tomb_double])
def test_a_reading_is_read_back_from_its_json(maker: Any) -> None:
    for seed in range(4):
        reading = read(maker(np.random.default_rng(seed)), noise=simulate.Noise())
        again = Reading.from_json(json.loads(json.dumps(reading.to_json())))
        assert again == reading
        assert again.to_json() == reading.to_json()


def test_a_document_of_an_older_version_is_read() -> None:
    body = read(table()).to_json()
    new = {"photos", "questions", "others"}
    old = Reading.from_json({name: value for name, value in body.items() if name not in new})
    assert (old.width, old.height, old.cards) == (1280, 960, read(table()).cards)


def test_what_is_asked_has_a_place_and_choices() -> None:
    reading = doubtful_reading()
    (asked,) = reading.questions
    assert (asked.kind, asked.place, asked.choices, asked.cards) == (
        QuestionKind.CARD,
        Place("hand"),
        ("4S", "9D"),
        (1,),
    )
    assert asked.doubt == pytest.approx(0.3)
    few = {"number": 0, "gap": (3, 4), "moved": ("7C",), "needs_photo": True}
    assert not few.keys() & asked.to_json().keys(), "written only where they say something"
    for question in (asked, replace(asked, **few)):
        assert Question.from_json(json.loads(json.dumps(question.to_json()))) == question


def test_a_reading_shows_itself_in_a_notebook() -> None:
    reading = doubtful_reading()
    shown = reading._repr_html_()
    assert "<img" not in shown, "the photo is not at hand"
    assert "<svg" in shown
    assert "4S in the hand is 70% sure" in shown
    photo = replace(reading.photos[0], image=np.zeros((480, 640, 3), np.uint8))
    assert "<img" in replace(reading, photos=(photo,))._repr_html_()


def test_no_cards_are_an_empty_reading() -> None:
    nothing = Findings(Detections.empty(), Backs.empty(), Reads.empty(), SIZE)
    for game in (None, "makiaveli", "klondike", "tomb_single", "tomb_double", "cards"):
        reading = read_findings([nothing], game)
        assert reading.cards == ()
        assert reading.doubtful == ()
    assert read_findings([nothing]).position is None


@pytest.mark.parametrize(
    ("near", "rival", "asked"),
    [
        ("klondike", "klondike", [("cards", "klondike")]),
        (None, "tomb_single", [("cards", "tomb_single", "makiaveli", "klondike", "tomb_double")]),
        (None, None, []),  # somebody said that it is no game
    ],
)
def test_where_no_game_is_found_it_is_asked_which_it_is(
    monkeypatch: pytest.MonkeyPatch, near: str | None, rival: str | None, asked: list[tuple[str, ...]]
) -> None:
    monkeypatch.setattr(photo_to_reading, "choose_game", lambda table, **_: Choice(as_cards(table), 0.9, near, rival))
    reading = read(table())
    assert (reading.game, reading.position) == ("cards", None)
    assert [check.choices for check in reading.checks if check.kind is QuestionKind.GAME] == asked


def test_of_two_cards_nobody_asks_which_game_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        photo_to_reading, "choose_game", lambda table, **_: Choice(as_cards(table), 0.9, None, "klondike")
    )
    rows = [Laid(parse_card(word), 40.0 * k, 0, 0, "floor/0") for k, word in enumerate(["7C", "2D"])]
    reading = read(simulate.photograph(rows, game="makiaveli", position=None))
    assert (len(reading.cards), reading.checks) == (2, ())


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(NotationError, match="chess"):
        read(table(), "chess")


def test_a_given_hand_takes_the_place_of_the_photo_s() -> None:
    rows = [Laid(parse_card(word), 25.0 * k, 0, 0, "floor/0") for k, word in enumerate(["7C", "7D", "7H"])]
    truth = simulate.photograph(rows, game="makiaveli", position=None)
    reading = read(truth, "makiaveli", hand=parse_cards("3S 4S"))
    assert str(reading.position) == "makiaveli floor: 7C 7D 7H; cross: - - - -; hand: 3S 4S"
    found, _, reads = simulate.observe(truth, np.random.default_rng(0), simulate.PERFECT)
    assert [str(card) for card in hand_of(assemble_cards(found, Backs.empty(), reads, SIZE))] == ["7C", "7D", "7H"]


def test_a_card_that_is_rather_none_is_never_sure_and_several_photos_do_without() -> None:
    found = Findings(*simulate.observe_doubted(parse_cards("7C 8C 9C TC JC")), SIZE)
    (doubted,) = (card for card in read_findings([found], "makiaveli").cards if card.text == "JC")
    assert doubted.may_be_none
    assert see_table(found, doubted=True).firm.rejected == see_table(found).rejected
    assert "JC" not in [card.text for card in read_findings([found, found], "makiaveli").cards]
    assert "JC" not in [card.text for card in read_findings([found], "klondike").cards], "backs bear prints"


def read_shrunk(wanted: float) -> Reading:
    """The reading of a photo in which it is so many px from a rank to its suit."""
    truth = simulate.makiaveli(np.random.default_rng(4))
    found, backs, reads = simulate.observe(truth, np.random.default_rng(0), simulate.PERFECT)
    share = wanted / float(np.median(np.linalg.norm(found.suit_xy - found.rank_xy, axis=1)))
    small = Detections(found.boxes * share, found.confidence, found.rank_xy * share, found.suit_xy * share)
    shrunk = Backs(backs.boxes * share, backs.confidence, backs.ends * share)
    size = (round(SIZE[0] * share), round(SIZE[1] * share))
    return read_findings([Findings(small, shrunk, reads, size)], "makiaveli")


def test_cards_that_are_too_small_are_said_to_be() -> None:
    for wanted, told in ((25.0, False), (7.0, True)):
        assert any("small" in note for note in read_shrunk(wanted).notes) == told


def test_what_keeps_a_photo_from_being_read_is_told_also_where_no_solver_is_asked() -> None:
    reading = read_shrunk(4.46)
    assert not reading.readable.ok
    (said,) = (line for line in report(reading, None) if "too small" in line)
    assert "4.4 px from a rank to its suit, 4.5 px are needed" in said


def test_places_have_one_name_in_all_that_is_said_of_them() -> None:
    nine = ReadCard(parse_card("9C"), 0.6, ((parse_card("9S"), 0.3),), Place("column", 2))
    left = ReadCard(parse_card("7C"), 0.5, (), NOWHERE, why="left out: without it the rest fits better")
    reading = Reading(PHOTO, "klondike", 1.0, (nine, left), (), None)
    assert report(reading, None) == [
        "cards: 2",
        "  column 3:     9C?",
        "  none:         7C?",
        "game: klondike",
        "doubtful: 7C without a place, 50% sure; left out: without it the rest fits better",
        "doubtful: 9C in column 3, 60% sure; else 9S 30%",
    ]
    assert [str(question) for question in reading.questions] == [
        "7C without a place is 50% sure: please check it",
        "9C in column 3 is 60% sure: please check it",
    ]


def test_the_verdict_is_the_solver_s() -> None:
    reading = read(table())
    judged = judge(reading, Limits(time=None))
    assert isinstance(judged.answer, Solution)
    assert judged.verdict_probability is not None
    assert judged.verdict_probability > 0.98
    assert judged.ask is None
    assert json.loads(json.dumps(judged.to_json(reading)))["result"]["verdict"] == str(judged.answer.verdict)


def doubtful_reading() -> Reading:
    """A hand card that is 4S with 70% and 9D with 30%."""
    line = "makiaveli floor: 7C 7D 7H | 5S 6S 7S; hand: "
    sure = ReadCard(parse_card("7C"), 1.0, (), Place("floor", 0))
    doubt = ReadCard(parse_card("4S"), 0.7, ((parse_card("9D"), 0.3),), Place("hand"))
    others = ((float(np.log(0.3 / 0.7)), parse(line + "9D")),)
    position = parse(line + "4S")
    return Reading(PHOTO, "makiaveli", 1.0, (sure, doubt), (), position, others=others, position_probability=0.7)


def test_a_reading_says_whether_anything_is_put_to_a_person() -> None:
    assert read(table()).unquestioned
    assert not doubtful_reading().unquestioned
    line = parse("makiaveli floor: 7C 7D 7H; hand: 3S")
    asked = Question(QuestionKind.HIDDEN, "please count")
    assert Reading(PHOTO, "makiaveli", 1.0, (), (), line).unquestioned
    assert not Reading(PHOTO, "makiaveli", 1.0, (), (), line, checks=(asked,)).unquestioned
    illegal = parse("makiaveli floor: 7C 7D; hand: 3S")
    assert not Reading(PHOTO, "makiaveli", 1.0, (), (), illegal).unquestioned


def test_a_verdict_that_hangs_on_a_card_says_so_and_asks_for_it() -> None:
    reading = doubtful_reading()
    judged = judge(reading, Limits(time=None))
    assert isinstance(judged.answer, Solution)
    assert judged.answer.verdict is Verdict.WIN
    assert judged.verdict_probability == pytest.approx(0.7, abs=0.01)
    assert judged.ask == 1
    assert judged.to_json(reading)["ask"] == {"number": 1, "card": "4S", "zone": "hand"}


@pytest.mark.parametrize(("chance", "asked"), [(0.98, None), (0.96, 1), (0.9, 1)])
def test_a_sure_card_is_asked_for_only_where_the_verdict_is_in_doubt(chance: float, asked: int | None) -> None:
    before = doubtful_reading()
    cards = (before.cards[0], replace(before.cards[1], confidence=chance))
    others = ((float(np.log((1 - chance) / chance)), before.others[0][1]),)
    doubtful = replace(before, cards=cards, others=others, position_probability=chance)
    judged = judge(doubtful, Limits(time=None))
    assert judged.verdict_probability == pytest.approx(chance, abs=0.01)
    assert judged.ask == asked
    assert judged.is_announced == (asked is None)


def test_the_whole_has_a_limit_of_its_own_above_that_of_its_parts() -> None:
    between = (PART_SURE_FROM + WHOLE_STANDS_FROM) / 2
    before = doubtful_reading()
    cards = tuple(replace(card, confidence=between) for card in before.cards)
    reading = replace(before, cards=cards, others=())
    assert not reading.doubtful
    estimate = Estimate.from_counts(93, 100, seed=0, what="deals won")
    for stands, enough in ((between, False), (WHOLE_STANDS_FROM, True)):
        whole = replace(reading, position_probability=stands)
        assert whole.unquestioned == enough
        assert judge(whole, solve=lambda position, limits: estimate).is_announced == enough


def test_a_card_that_does_not_matter_is_not_asked_for() -> None:
    reading = doubtful_reading()

    def always(position: Any, limits: Limits) -> Solution:
        return Solution(position=position, verdict=Verdict.NO_WIN)

    judged = judge(reading, solve=always)
    assert judged.ask is None
    assert judged.verdict_probability == pytest.approx(1.0)


def test_readings_that_were_not_solved_count_by_half() -> None:
    calls: list[Any] = []

    def first_only(position: Any, limits: Limits) -> Solution:
        calls.append(position)
        if len(calls) > 1:
            return Solution(position=position, verdict=Verdict.UNKNOWN, stop_reason=StopReason.TIME_LIMIT)
        return Solution(position=position, verdict=Verdict.NO_WIN)

    judged = judge(doubtful_reading(), solve=first_only)
    assert judged.verdict_probability == pytest.approx(0.85, abs=0.01)


def test_rivals_are_solved_until_so_much_work_is_done_however_long_it_takes() -> None:
    asked: list[int | None] = []

    def laborious(position: Any, limits: Limits) -> Solution:
        asked.append(limits.nodes)
        return Solution(position=position, verdict=Verdict.NO_WIN, stats=SearchStats(seconds=1000.0, nodes=40))

    reading = doubtful_reading()
    reading = replace(reading, others=tuple((-1.0 - n, reading.others[0][1]) for n in range(4)))
    judged = judge(reading, work=100, solve=laborious)
    assert asked == [None, 100, 60, 20]  # the last one goes over, as it may; then nothing is left for a fourth
    assert judged.tried == 4
    assert judge(reading, Limits(nodes=50), work=100, solve=laborious).tried == 4
    assert asked[4:] == [50, 50, 50, 20]


def test_an_illegal_position_has_no_verdict() -> None:
    reading = Reading(PHOTO, "makiaveli", 1.0, (), (), parse("makiaveli floor: 7C 7D; hand: 3S"))
    assert reading.problems
    assert judge(reading) == Judged(None, error="; ".join(reading.problems))


@pytest.mark.parametrize("size", [(960, 1280, 3), (9, 9, 3)])
def test_annotations_are_drawn_on_a_copy(size: tuple[int, int, int]) -> None:
    photo = np.full(size, 200, np.uint8)
    reading = read(table())
    drawn = annotate(photo, reading)
    assert (photo == 200).all()
    assert drawn.shape == photo.shape
    if size[0] > 100:
        assert (drawn != photo).any(axis=2).mean() > 0.01


def test_melds_without_a_hand_have_no_verdict_but_ask_for_it() -> None:
    truth = simulate.makiaveli(np.random.default_rng(1), melds=3, hand=0, cross=2, gap=22.0)
    reading = read(truth)
    assert reading.position is not None
    assert not reading.unquestioned
    assert any("no hand" in check.text for check in reading.checks)
    assert "no hand" in judge(reading).error
    told = read(truth, hand=parse_cards("7C 7D"))
    assert not any("no hand" in check.text for check in told.checks)


@pytest.mark.parametrize(("side", "game", "is_readable"), [(1, None, 0), (44, "makiaveli", 0), (45, None, 1)])
def test_a_photo_of_too_few_pixels_for_a_card_says_so(side: int, game: str | None, is_readable: int) -> None:
    reading = read_images([np.zeros((side, side, 3), np.uint8)], game)
    assert reading.readable.ok == is_readable
    said = [] if is_readable else [f"the photo has only {side} x {side} px"]
    assert [reason.partition(",")[0] for reason in reading.readable.reasons] == said
    assert (reading.position_probability >= WHOLE_STANDS_FROM) == is_readable


def test_an_estimate_is_told_with_the_other_shares_that_it_holds() -> None:
    other = Estimate.from_counts(3, 4, seed=1, what="free play wins").to_json()
    details = {"free": other, "unseen": {"mean": 0.5, "work": 9}}
    found = Estimate.from_counts(1, 4, seed=1, what="forced play wins", details=details)
    told = [line for line in report(read(table()), Judged(found, is_announced=True)) if line.startswith("estimate: ")]
    assert [line.split(":")[1].strip() for line in told] == [
        "forced play wins",
        "free play wins",
        "played well without peeking",
    ]


def test_piles_are_listed_by_their_numbers() -> None:
    reading = read(table())
    listed = [line for line in report(reading, None) if line.startswith("  meld ")]
    mixed = replace(reading, cards=reading.cards[::-1])
    assert [line.split(":")[0] for line in report(mixed, None) if line.startswith("  meld ")] == [
        line.split(":")[0] for line in listed
    ]
