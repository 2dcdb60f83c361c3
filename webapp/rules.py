"""The rules that people may have agreed on, which no photo can show: what there is to choose, and choosing it.

They stand right under the verdict, since it goes by them; another choice is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from solver.klondike import SEED, STANDARD, STANDARD_DRAW_1
from webapp.boxes import box
from webapp.edits import Json, with_redeals
from webapp.state import is_phone
from webapp.visit import Visit
from webapp.words import plain


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A rule that people may have agreed on.

    Attributes:
        key: Its name in the position's `rules`.
        label: The question.
        options: Value and words; the first is the default.
        told: How a choice is told in a list of them.
    """

    key: str
    label: str
    options: tuple[tuple[Any, str], ...]
    told: str = "{}"


RULE_CHOICES: Final[Mapping[str, tuple[RuleChoice, ...]]] = {
    "makiaveli": (
        RuleChoice(
            "strict_cross",
            "Cross cards",
            ((False, "may join any meld"), (True, "need a hand card")),
        ),
        RuleChoice(
            "repair",
            "Groups on the floor that are no melds",
            ((False, "are a mistake to put right"), (True, "lie loose and must end in melds")),
            "groups that are no melds {}",
        ),
    ),
    "tomb_single": (
        RuleChoice(
            "mode",
            "Plays",
            (("forced", "every legal one is made"), ("free", "the player chooses")),
        ),
    ),
    "klondike": (
        RuleChoice("draw", "Cards turned at a time", ((1, "1"), (2, "2"), (3, "3")), "turn {}"),
        RuleChoice(
            "redeals",
            "Times the waste may be turned over",
            ((None, "unlimited"), *((n, f"{n}") for n in range(4))),
            "redeals {}",
        ),
        RuleChoice(
            "column_moves",
            "Moves between columns",
            (("one", "one card"), ("run", "any part of a run")),
            "{} moves between columns",
        ),
        RuleChoice(
            "worrying_back",
            "From a foundation back to a column",
            ((False, "no"), (True, "yes")),
            "back from a foundation: {}",
        ),
    ),
}
"""The first rule of a game stands on the page, the others behind a button."""

PRESETS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "klondike": {
        "Turn 1": STANDARD_DRAW_1.to_json(),
        "Turn 3": STANDARD.to_json(),
        "One card moves": SEED.to_json(),
    }
}
"""Whole sets of rules that have a name; where a game has them they stand on the page instead of its first rule."""
OWN: Final = "Own"
REDEALS: Final = 4


def told(table: Json) -> str:
    """The rules of a table in words, as far as they are not the game's only ones.

    >>> told({"game": "tomb_single", "rules": {"mode": "free"}})
    'Plays: the player chooses'
    """
    held = table.get("rules") or {}
    words = []
    for number, choice in enumerate(RULE_CHOICES.get(table["game"], ())):
        value = held.get(choice.key, choice.options[0][0])
        name = str(dict(choice.options).get(value, value))
        if table["game"] in PRESETS:
            words.append(choice.told.format(name))
        elif not number:
            words.append(f"{choice.label}: {name}")
        elif value != choice.options[0][0]:
            words.append(choice.told.format(name))
    text = "; ".join(words)
    return text[:1].upper() + text[1:]


def show(visit: Visit, table: Json) -> None:
    """The rules that the verdict goes by, to be changed with a tap."""
    game = table["game"]
    choices = RULE_CHOICES.get(game, ())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="rules"):
        if game == "tomb_double":
            _redeals(visit, table)
        elif game in PRESETS:
            _preset(visit, table, PRESETS[game])
        elif choices:
            _choice(visit, table, choices[0], "pills")
        behind = choices if game in PRESETS else choices[1:]
        if behind:
            with st.popover("All rules", icon=":material/rule:"):
                for choice in behind:
                    _choice(visit, table, choice, "box")
        if game in PRESETS or any((table.get("rules") or {}).get(choice.key) for choice in behind):
            st.caption(plain(told(table)) + ".", width=220 if is_phone() else 480)


def _preset(visit: Visit, table: Json, presets: Mapping[str, Mapping[str, Any]]) -> None:
    held = table.get("rules") or {}
    now = next((name for name, rules in presets.items() if dict(rules) == dict(held)), OWN)
    names = [*presets] if now in presets else [*presets, OWN]
    shown = box("rule_set", now)

    def changed() -> None:
        name = shown.entered()
        if name in presets:
            visit.agree(table["game"], presets[name])

    st.pills("Rules", names, key=shown.key, required=True, on_change=changed)


def _choice(visit: Visit, table: Json, choice: RuleChoice, kind: str) -> None:
    held: dict[str, Any] = table.get("rules") or {}
    words = dict(choice.options)
    now = held.get(choice.key, choice.options[0][0])
    values = list(words) if now in words else [*words, now]
    # By number: a rule's value may be None, which a box would take for no choice.
    shown = box(f"rule_{choice.key}", values.index(now))

    def changed() -> None:
        number = shown.entered()
        if number is not None:
            visit.agree(table["game"], held | {choice.key: values[number]})

    def name(number: int) -> str:
        return str(words.get(values[number], values[number]))

    numbers = range(len(values))
    if kind == "pills":
        st.pills(choice.label, numbers, key=shown.key, format_func=name, required=True, on_change=changed)
    else:
        st.selectbox(choice.label, numbers, key=shown.key, format_func=name, on_change=changed)


def _redeals(visit: Visit, table: Json) -> None:
    """How many redeals the two-deck Tomb has left; as many as the wastes that hold cards ask for, at the least."""
    held = [number for number, waste in enumerate(table["wastes"]) if waste]
    least = max(held, default=0)
    shown = box("redeals", table["redeals"])

    def changed() -> None:
        redeals = shown.entered()
        if redeals is not None:
            visit.edit(lambda now: with_redeals(now, redeals))

    st.pills(
        "Redeals left",
        range(REDEALS, least - 1, -1),
        key=shown.key,
        required=True,
        on_change=changed,
        help="With each redeal there is one waste less; wastes that hold cards stay.",
    )
