"""Records of games: text, JSON, what was known when, and hindsight."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbing.errors import CardsError
from solver import parse
from solver.games import GAMES, find_game
from solver.record import DEAL, PHOTO, Record, RecordError, Step, decoded, parse_record, read_record, record_from_json

HIDES = {"klondike": ("down", "stock"), "tomb_single": ("deck",), "tomb_double": ("stock",), "makiaveli": ()}
"""The keys of a position's JSON object under which cards lie face down."""


def hide(value: Any, keys: tuple[str, ...], *, hidden: bool = False) -> Any:
    """A position's JSON object as somebody sees it who has not looked under the cards."""
    if isinstance(value, dict):
        return {key: hide(part, keys, hidden=hidden or key in keys) for key, part in value.items()}
    if isinstance(value, list):
        return [hide(part, keys, hidden=hidden) for part in value]
    return "??" if hidden and isinstance(value, str) else value


def seen_of(position: Any) -> Any:
    return type(position).from_json(hide(position.to_json(), HIDES[position.game]))


def random_game(game: str, seed: int, moves: int) -> tuple[Any, Record]:
    """A deal with every card known, and the record of a random game by somebody who sees what lies open."""
    rng = Random(seed)
    deal = truth = find_game(game).solver.random_deal(seed)
    record = Record(seen_of(deal), headers={"Seed": str(seed)})
    for number in range(moves):
        choices = truth.moves()
        if not choices:
            break
        move = rng.choice(choices)
        said = {
            "photos": (f'{number} "a".jpg', "b.jpg")[: rng.randint(0, 2)],
            "comment": rng.choice(("", "so [it] = so")),
        }
        record = record.append(move, truth, **said)
        truth = truth.play(move)
    return deal, record


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 40))
@settings(max_examples=15, deadline=None)
def test_a_record_comes_back_from_text_and_json(game: str, seed: int, moves: int) -> None:
    _, record = random_game(game, seed, moves)
    assert parse_record(str(record)) == record
    assert record_from_json(record.to_json()) == record


@pytest.mark.parametrize("game", GAMES)
def test_hindsight_knows_what_was_turned_up_and_nothing_else(game: str) -> None:
    for seed in range(6):
        deal, record = random_game(game, seed, 60)
        turned = [card for step in record.steps for card in step.turned_up]
        known = record.hindsight
        pairs = list(zip(known.cards(), deal.cards(), strict=True))
        assert all(guess in (None, true) for guess, true in pairs)
        before = sum(card is None for card in record.start.cards())
        assert sum(card is None for card in known.cards()) == before - len(turned)
        truth = deal
        for seen, step in zip(record.positions, record.steps, strict=False):
            assert all(a in (None, b) for a, b in zip(seen.cards(), truth.cards(), strict=True))
            truth = truth.play(step.move)


def test_what_nobody_saw_stays_hidden() -> None:
    record = parse_record(
        '[Game "klondike"]\n[Start "klondike draw: 3; foundations: C13 D13 H10; stock: ?? ?? ?? ?? ??"]\n'
        "1. draw = ?? ?? KH\n2. draw = ?? QH\n"
    )
    assert str(record.hindsight).endswith("stock: ?? ?? KH ?? QH; waste:")


def test_tables_that_no_photo_shows_are_told_with_the_photos_around_them() -> None:
    start = "klondike draw: 1; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S9; stock: TS JS QS"
    steps = f'1. draw\n2. W>F [photo "b"] [photo "c"]\n3. draw\n4. now "{start}"\n5. draw [photo "d"]\n6. draw'
    kept = parse_record(f'[Game "klondike"]\n[Start "{start}"]\n{steps}')
    assert set(kept.unseen) == {""}, "somebody kept it while playing"
    found = replace(kept, headers={PHOTO: "a"})
    assert found.photos == (("a",), (), ("b", "c"), (), (), ("d",), ())
    assert found.unseen == ("", "Between a and b", "", "Between c and d", "", "", "After d")
    assert parse_record(str(found)) == found


def test_a_record_may_tell_the_whole_deal() -> None:
    start = "klondike draw: 1; columns: [KS] | - | - | - | - | - | -; foundations: C13 D13 H13 S9; stock: ?? ?? ??"
    record = parse_record(f'[Game "klondike"]\n[Start "{start}"]\n1. draw = TS\n')
    deal, other = (str(parse(start.replace("?? ?? ??", cards))) for cards in ("TS QS JS", "QS TS JS"))
    assert str(replace(record, headers={DEAL: deal}).hindsight) == deal
    for wrong in (other, start.replace("draw: 1", "draw: 3"), "klondike nonsense"):
        with pytest.raises(RecordError):
            replace(record, headers={DEAL: wrong}).hindsight  # noqa: B018
    assert parse_record(str(told := replace(record, headers={DEAL: deal}))) == told


def test_a_card_seen_late_is_traced_to_the_stock() -> None:
    start = "klondike draw: 3; columns: [KS] | - | - | - | - | - | -; stock: ?? ?? ?? ??"
    record = parse_record(f'[Game "klondike"]\n[Start "{start}"]\n1. draw = ?? ?? QH\n2. W>T1 = 9C\n')
    assert str(record.hindsight).endswith("stock: ?? 9C QH ??; waste:")
    assert str(record.positions[-1].waste[-1]) == "9C"


def test_behind_a_gap_the_game_goes_on_and_the_first_table_learns_no_more() -> None:
    first = "klondike columns: ?? [KS] | - | - | - | - | - | -; stock: ?? ??"
    other = "klondike columns: ?? [9C] | [KS] | - | - | - | - | -; stock: ?? ??"
    record = parse_record(f'[Game "klondike"]\n[Start "{first}"]\n1. draw = 4D\n2. now "{other}"\n3. draw = 5D')
    assert str(record.hindsight).endswith("stock: 4D ??; waste:")
    assert str(record.positions[-1]).endswith("stock: ??; waste: 5D")
    assert parse_record(str(record)) == record


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_a_file_is_read_in_any_way_in_which_windows_writes_text(code: str) -> None:
    _, record = random_game("klondike", 1, 5)
    for text in (str(record), json.dumps(record.to_json())):
        data = ("\ufeff" * (code == "utf-16-be") + text.replace("\n", "\r\n")).encode(code)
        assert read_record(decoded(data)) == record
    assert parse_record(f"\ufeff{record}") == record


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is empty; expected [Game"),
        ("\ufeff \n".encode("utf-16"), "it is empty; expected [Game"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "it is no text, perhaps a photo; expected [Game"),
        (b"hello", "no header Game; expected [Game"),
    ],
)
def test_a_file_that_holds_no_record_is_told_what_it_holds(data: bytes, says: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(says)}"):
        read_record(decoded(data))


HEAD = '[Game "klondike"]\n[Start "klondike columns: ?? [KS] | - | - | - | - | - | -; stock: ??"]\n'


@pytest.mark.parametrize(
    ("text", "step", "says"),
    [
        ("", 0, "no header Game"),
        ('[Game "klondike"]', 0, "no header Start"),
        ('[Game "chess"]\n[Start "e4"]', 0, "unknown game 'chess'"),
        ('[Game "klondike"]\n[Game "klondike"]', 0, "stands twice"),
        ('[Game "klondike"]\n[Start "klondike stock: 7X"]', 0, "7X"),
        (HEAD + "1. draw = 7X", 1, "7X"),
        (HEAD + "1. draw\n2. jump", 2, "'jump' is no move"),
        (HEAD + '1. draw [colour "red"]', 1, "[colour ...] is unknown"),
        (HEAD + '1. draw [time "1"] [time "2"]', 1, "stands twice"),
        (HEAD + '1. now "klondike stock: ??" = 4D', 1, "turns up no cards"),
        (HEAD + "1. = 4D", 1, "is no move"),
        (HEAD + "1. draw [photo 4]", 1, "is no step"),
        (HEAD + '1. draw [photo "\\x"]', 1, "is no JSON string"),
        (HEAD + "1. draw\n7. draw", 2, "numbered 7; expected 2"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, step: int, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert caught.value.step == step
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("steps", "step", "says"),
    [
        ("1. draw\n2. W>T3", 2, "not known"),
        ("1. draw = 4D 5D", 1, "turns up 1 hidden card here"),
        ("1. T1>T9", 1, "there is no column 9"),
        ("1. draw = 4D\n2. W>F", 2, "4D does not go up"),
    ],
)
def test_what_cannot_be_played_is_named(steps: str, step: int, says: str) -> None:
    record = parse_record(HEAD + steps)
    for asked in ("positions", "hindsight"):
        with pytest.raises(RecordError) as caught:
            getattr(record, asked)
        assert caught.value.step == step
        assert says in str(caught.value)


WHOLE = (
    "klondike draw: 1; columns: ?? [JD] | [KS] | - | - | - | - | -; foundations: C13 D10 H13 S11; stock: ?? QD; waste:"
)


@pytest.mark.parametrize(
    ("start", "steps", "step", "says"),
    [
        (WHOLE.replace("JD", "KS"), "1. draw", 0, "KS stands 2 times"),
        (WHOLE.replace("S11", "S10"), "1. draw", 0, "1 card is missing"),
        (WHOLE.replace("S11", "S99"), "1. T2>F", 0, "foundation S holds 99 cards"),
        (WHOLE.replace(" | -", "", 1), "", 0, "there are 6 columns"),
        (WHOLE, "1. draw = KS", 1, "KS stands 2 times"),
        (WHOLE, "1. draw = QS\n2. draw\n3. T1>F = QS", 3, "QS stands 2 times"),
        (WHOLE, f'1. now "{WHOLE.replace("JD", "KS")}"\n2. draw', 1, "KS stands 2 times"),
    ],
)
def test_what_no_game_can_have_been_is_named(start: str, steps: str, step: int, says: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(f'[Game "klondike"]\n[Start "{start}"]\n{steps}').check()
    assert caught.value.step == step
    assert says in str(caught.value)


def test_a_game_that_may_have_been_is_none_the_less_so_for_cards_that_nobody_saw() -> None:
    later = WHOLE.replace("; stock: ?? QD; waste:", "")
    steps = f'1. draw = ??\n2. now "{WHOLE.replace("JD", "??")}"\n3. draw\n4. now "{later}"'
    parse_record(f'[Game "klondike"]\n[Start "{WHOLE}"]\n{steps}').check()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda part: st.lists(part, max_size=3)))
def test_any_json_is_read_or_refused(data: Any) -> None:
    for body in (data, {"start": data}, {"start": {"game": "klondike"}, "steps": data, "headers": data}):
        with suppress(CardsError):
            record_from_json(body)


@given(st.text(alphabet='[]"=.\\ \ndraw12GmeStp>TF?', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(CardsError):
        assert parse_record(HEAD + text).positions


def test_a_step_needs_a_move_or_a_table() -> None:
    with pytest.raises(RecordError):
        record_from_json({"start": {"game": "klondike"}, "steps": [{"comment": "nothing"}]})
    assert str(Step(None, table=find_game("klondike").position.parse("klondike"))).startswith('now "klondike')
