"""The rules that people may have agreed on, which no photo can show: what there is to choose, and choosing it.

They stand right under the verdict, since it goes by them; another choice is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from solver.klondike import ONE_CARD, STANDARD, STANDARD_DRAW_1, KlondikeRules
from webapp.edits import Json, with_redeals
from webapp.visit import Visit


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
        "One card moves": ONE_CARD.to_json(),
    }
}
"""Whole sets of rules that have a name; where a game has them they stand on the page instead of its first rule."""
OWN: Final = "Own"
PRESET: Final = "preset"
"""What a whole set of rules is chosen as."""
LEFT: Final = "redeals_left"
REDEALS: Final = 4


def describe_rules(table: Json) -> str:
    """The rules of a table in words, as far as they are not the game's only ones.

    >>> describe_rules({"game": "tomb_single", "rules": {"mode": "free"}})
    'Plays: the player chooses'
    """
    held = table.get("rules") or {}
    if table["game"] == "klondike":
        text = KlondikeRules.from_json(held).describe()
        return text[:1].upper() + text[1:]
    words = []
    for number, choice in enumerate(RULE_CHOICES.get(table["game"], ())):
        value = held.get(choice.key, choice.options[0][0])
        name = str(dict(choice.options).get(value, value))
        if not number:
            words.append(f"{choice.label}: {name}")
        elif value != choice.options[0][0]:
            words.append(choice.told.format(name))
    text = "; ".join(words)
    return text[:1].upper() + text[1:]


def rules_json(visit: Visit, table: Json) -> Json | None:
    """The rules that the verdict goes by as the board shows them; None where a game has none to choose.

    `main` are those that stand on the page, `more` those behind a button; a photo of Klondike asks once.
    """
    game = table["game"]
    choices = RULE_CHOICES.get(game, ())
    held = table.get("rules") or {}
    main, more, question = [], [_row(choice, held) for choice in choices], None
    if game == "tomb_double":
        least = max((number for number, waste in enumerate(table["wastes"]) if waste), default=0)
        options = [[number, f"{number}"] for number in range(REDEALS, least - 1, -1)]
        main.append({"key": LEFT, "label": "Redeals left", "options": options, "now": table["redeals"]})
    elif game in PRESETS:
        named = PRESETS[game]
        now = next((name for name, rules in named.items() if dict(rules) == dict(held)), OWN)
        names = [*named] if now in named else [*named, OWN]
        main.append({"key": PRESET, "label": "Rules", "options": [[name, name] for name in names], "now": now})
        if visit.shot is not None and game not in visit.agreed:
            options = [["Turn 1", "One card"], ["Turn 3", "Three cards"]]
            question = {"text": "Do you turn one card or three?", "options": options}
    elif game == "tomb_single":
        main.append(more.pop(0))
    if not main and not more:
        return None
    shown = describe_rules(table) if game in PRESETS or any(held.get(choice.key) for choice in choices[1:]) else ""
    return {"question": question, "main": main, "more": more, "told": f"{shown}." if shown else ""}


def _row(choice: RuleChoice, held: Mapping[str, Any]) -> Json:
    words = dict(choice.options)
    now = held.get(choice.key, choice.options[0][0])
    options = [[value, word] for value, word in choice.options]
    if now not in words:
        options.append([now, str(now)])
    return {"key": choice.key, "label": choice.label, "options": options, "now": now}


def choose(visit: Visit, key: object, value: Any) -> None:
    """Puts a visit's table under another rule; what is no rule of its game is passed over."""
    position = visit.position()
    if position is None:
        return
    table = position.to_json()
    game = table["game"]
    if key == PRESET:
        if value in PRESETS.get(game, {}):
            visit.agree(game, PRESETS[game][value])
        return
    if key == LEFT and game == "tomb_double":
        if isinstance(value, int) and 0 <= value <= REDEALS:
            visit.edit(lambda now: with_redeals(now, value))
        return
    choice = next((choice for choice in RULE_CHOICES.get(game, ()) if choice.key == key), None)
    if choice is not None and value in dict(choice.options):
        visit.agree(game, (table.get("rules") or {}) | {choice.key: value})
