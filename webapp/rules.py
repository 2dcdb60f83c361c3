"""Optional rules that a photo does not show: which there are to choose from, and choosing one.

They are shown under the verdict, which depends on them. If a visitor chooses another rule, the verdict is updated at
once. The rules of each game are in its module of `webapp/games/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from webapp.games.game import RuleChoice, Rules, TableChoice, page_of
from webapp.jobs import Json
from webapp.questions import answer_json, asked_json
from webapp.session import Session
from webapp.trust import RULES
from webapp.wording import capitalised

OWN: Final = "Own"
"""What a set of rules is called that has no name."""
PRESET: Final = "preset"
"""What a whole set of rules is chosen as."""


def describe_rules(table: Json) -> str:
    """The rules of a table in words, as far as they are not the game's only ones.

    >>> describe_rules({"game": "tomb_single", "rules": {"mode": "free"}})
    'A card that fits may be played or wait'
    """
    page, held = page_of(table["game"]), table.get("rules") or {}
    return capitalised(page.describe_rules(held) if page.describe_rules else _list_rules(page.rules, held))


def _list_rules(choices: tuple[RuleChoice, ...], held: Rules) -> str:
    """The first rule, and of the others those that are not as usual."""
    told = [choice for choice in choices if choice is choices[0] or _value(choice, held) != choice.options[0][0]]
    return "; ".join(f"{choice.label}: {dict(choice.options)[_value(choice, held)]}" for choice in told)


def _value(choice: RuleChoice, held: Rules) -> Any:
    return held.get(choice.key, choice.options[0][0])


def rules_json(table: Json) -> Json | None:
    """The rules of the verdict as the board shows them; None if the game has no choice of rules.

    `main` are those that are always visible, `more` those behind a button.
    """
    page, held = page_of(table["game"]), table.get("rules") or {}
    main = [
        *([_table_row(page.table_choice, table)] if page.table_choice else []),
        *([_preset_row(page.presets, held)] if page.presets else []),
        *(_row(choice, held) for choice in page.rules if choice.in_view),
    ]
    more = [_row(choice, held) for choice in page.rules if not choice.in_view]
    if not main and not more:
        return None
    unusual = any(_value(choice, held) != choice.options[0][0] for choice in page.rules if not choice.in_view)
    told = f"{describe_rules(table)}." if page.presets or unusual else ""
    return {"main": main, "more": more, "told": told}


def _table_row(choice: TableChoice, table: Json) -> Json:
    options = [[number, f"{number}"] for number in choice.options(table)]
    return {"key": choice.key, "label": choice.label, "options": options, "now": table[choice.field]}


def preset_name(presets: Mapping[str, Rules], held: Rules) -> str:
    """What a set of rules is called; `OWN` for one without a name."""
    return next((name for name, rules in presets.items() if dict(rules) == dict(held)), OWN)


def _preset_row(presets: Mapping[str, Rules], held: Rules) -> Json:
    now = preset_name(presets, held)
    names = [*presets] if now in presets else [*presets, OWN]
    return {"key": PRESET, "label": "Rules", "options": [[name, name] for name in names], "now": now}


def _row(choice: RuleChoice, held: Rules) -> Json:
    now = _value(choice, held)
    options = [[value, word] for value, word in choice.options]
    if now not in dict(choice.options):
        options.append([now, str(now)])
    return {"key": choice.key, "label": choice.label, "options": options, "now": now}


def question(session: Session, game: str) -> Json | None:
    """The question about the rules that nobody has told as the board shows it, until it is answered.

    Those of the table before are suggested, and not taken in silence: a verdict hangs on them.
    """
    asked, position = page_of(game).question, session.position()
    if asked is None or not session.hides_rules() or RULES in session.answered:
        return None
    if position is not None and not asked.matters(position.to_json()):
        return None
    is_unlike = position is not None and asked.is_unlike(position.to_json())
    held = session.agreed.get(game)
    last = None if held is None else preset_name(page_of(game).presets, held)
    choices = [answer_json(name, f"{label}, as last time" if name == last else label) for name, label in asked.options]
    now = None if position is None else preset_name(page_of(game).presets, position.to_json().get("rules") or {})
    made = asked_json(RULES, asked.text_if_unlike if is_unlike else asked.text, choices)
    return made | ({"taken": dict(asked.options)[now].lower()} if now in dict(asked.options) else {})


def choose(session: Session, key: object, value: Any) -> None:
    """Changes a rule of a session's table; ignores what is not a rule of its game."""
    position = session.position()
    if position is None:
        return
    table = position.to_json()
    game, page = table["game"], page_of(table["game"])
    rules = page.presets.get(value) if key == PRESET else _with_rule(page.rules, table.get("rules") or {}, key, value)
    if rules is not None:
        session.agree(game, dict(rules))
    here = page.table_choice
    if here is not None and key == here.key and value in here.options(table):
        session.edit(lambda now: here.put(now, value))


def _with_rule(choices: tuple[RuleChoice, ...], held: Rules, key: object, value: Any) -> Rules | None:
    """A table's rules with another choice; None where that is none."""
    choice = next((choice for choice in choices if choice.key == key), None)
    if choice is None or value not in dict(choice.options):
        return None
    return {**held, choice.key: value}
