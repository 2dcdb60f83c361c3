"""Words verdicts and errors as sentences. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from drawing.card_names import pretty
from plumbing.errors import CardsError, NotationError, PositionError

Tone = Literal["good", "bad", "open"]
BY_CHANCE: Final = " Hidden cards by chance."
"""What the line below a played table says as long as chance has dealt them."""
UNSURE: Final = "Not sure yet: "
NO_CARD: Final = " is no card"
"""How a fault in a line of text ends, after the quoted word that is no card."""
NO_CHOICE: Final = "Every card that fits has to be played, so all players win as many."
WIDE: Final = 0.4
"""A 95% interval that is wider is no answer yet, and called so."""
HARDLY_ANY: Final = 0.05
"""Where no larger share was left undecided, an "about" covers it."""


@dataclass(frozen=True, slots=True)
class VerdictText:
    """A verdict in words.

    Attributes:
        headline: The answer in a few words.
        detail: What it rests on.
        tone: `good` for a win, `bad` for a proved loss, `open` for anything else.
        details: How sure it is, in figures.
    """

    headline: str
    detail: str
    tone: Tone
    details: str = ""


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "card"), count(3, "card"), count(0, "card")
    ('1 card', '3 cards', 'no cards')
    """
    word = noun if number == 1 else f"{noun}s"
    return f"{number:,} {word}" if number else f"no {word}"


def join_names(names: Sequence[str]) -> str:
    """Names as people list them.

    >>> join_names(["1", "2", "7"]), join_names(["1"]), join_names([])
    ('1, 2 and 7', '1', '')
    """
    return " and ".join([*[", ".join(names[:-1])] * (len(names) > 1), *names[-1:]])


def with_symbols(text: str) -> str:
    """A solver's sentence with its cards as people see them; never for text that a person typed.

    >>> with_symbols("Add TH from your hand to meld 3 (JS JD JC).")
    'Add 10♥ from your hand to meld 3 (J♠ J♦ J♣).'
    """
    return _CARD.sub(lambda found: pretty(found[0]), text)


def capitalised(text: str) -> str:
    """A text whose first letter is a capital; the others stay as they are.

    >>> capitalised("the hand of Ann")
    'The hand of Ann'
    """
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A note as a sentence with its cards as people see them.

    >>> sentence("the deck is every card but TH")
    'The deck is every card but 10♥.'
    """
    text = capitalised(with_symbols(text.strip()))
    return text if text.endswith((".", "?", "!")) else f"{text}."


def percent(share: float) -> str:
    """A share in percent without decimals; never rounded to certainty.

    >>> percent(0.634), percent(0.9999), percent(0.0004), percent(1.0)
    ('63%', 'over 99%', 'under 1%', '100%')
    """
    if 0.99 < share < 1:
        return "over 99%"
    if 0 < share < 0.01:
        return "under 1%"
    return f"{share:.0%}"


def ways(hidden: int = 0) -> str:
    """What an estimate counts: the ways in which so many hidden cards may lie; 0 where it is not known how many.

    >>> ways(21), ways(1), ways()
    ('ways the 21 hidden cards may lie', 'ways the hidden card may lie', 'ways the hidden cards may lie')
    """
    return f"ways the {f'{hidden} ' if hidden > 1 else ''}hidden card{'s' * (hidden != 1)} may lie"


def of_100(share: float, low: float, high: float, what: str, *, is_least: bool = False) -> str:
    """How many of what was counted a sampled share is, never more exactly than its interval allows.

    Args:
        share: The share, 0 to 1.
        low: Lower end of its 95% interval.
        high: Upper end of it.
        what: What was counted, as "games".
        is_least: Whether more may be won, as many were not decided, or somebody may play better.

    >>> of_100(0.843, 0.81, 0.87, "games"), of_100(0.843, 0.81, 0.99, "games", is_least=True)
    ('about 84 of 100 games', 'about 84 or more of 100 games')
    >>> of_100(0.843, 0.842, 0.99, "games", is_least=True), of_100(0.996, 0.93, 1.0, "games")
    ('at least 84 of 100 games', 'nearly all games')
    >>> of_100(0.9999, 0.999, 1.0, "games"), of_100(0.004, 0.0, 0.02, "games"), of_100(0.0, 0.0, 0.07, "games")
    ('over 99 of 100 games', 'hardly any games', 'none of the games that I tried')
    """
    if share in (0, 1):
        return f"{'all' if share else 'none of the'} {what} that I tried"
    number = percent(share).rstrip("%")
    if number.isdigit():
        is_sure = is_least and percent(low) == percent(share)
        about, more = ("at least", "") if is_sure else ("about", " or more" if is_least else "")
        return f"{about} {number}{more} of 100 {what}"
    if percent(low if share > 0.5 else high) == percent(share):
        return f"{number} of 100 {what}"
    return f"{'nearly all' if share > 0.5 else 'hardly any'} {what}"


def span(low: float, high: float) -> str:
    """An interval of shares.

    >>> span(0.4, 0.6), span(0.7798, 0.7849)
    ('40% to 60%', 'about 78%')
    """
    ends = percent(low), percent(high)
    return f"about {ends[0]}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def group_moves(moves: Sequence[str]) -> list[tuple[int, int]]:
    """Which tables each step leads from and to: turns of the stock go with the next move.

    >>> group_moves(["T1>F", "draw", "draw", "W>T3", "draw"])
    [(0, 1), (1, 4), (4, 5)]
    """
    found = []
    first = 0
    for number, move in enumerate(moves, 1):
        if move != "draw" or number == len(moves):
            found.append((first, number))
            first = number
    return found


def describe_result(
    result: Mapping[str, Any], seconds: float, hand: int = 0, *, stuck: bool = False, fits: bool = True, hidden: int = 0
) -> VerdictText:
    """The JSON object of a result or an estimate in words.

    Args:
        result: An answer's JSON object.
        seconds: The time limit that was set.
        hand: How many hand cards there were; 0 in games without a hand.
        stuck: Whether there is no legal move at all.
        fits: Whether any card of the table would fit with those that find no place: these are marked.
        hidden: How many cards of the table nobody has seen.

    >>> describe_result({"verdict": "no_win", "stop_reason": "solved", "line": []}, 10).headline
    'No, it could not have been won'
    """
    if "mean" in result:
        return _say_estimate(result, ways(hidden))
    if "max_cards" in result and result["verdict"] != "unknown":
        return _say_hand(result, hand, fits)
    steps = len(group_moves([frame["move"] for frame in result.get("frames") or ()]) or result.get("line") or ())
    if "proof" in result:
        return VerdictText("Yes, you could have won", f"Proved: {result['proof']}.", "good")
    if result["verdict"] == "win":
        length = f"in {count(steps, 'step')}" if steps else "as it lies"
        detail = f"There is a way {length}; every move was checked by the rules."
        return VerdictText("Yes, it could have been won", detail, "good")
    if result["verdict"] == "no_win":
        proof = "no move is left." if stuck else "every way to play was searched."
        return VerdictText("No, it could not have been won", f"Proved: {proof}", "bad")
    why = {
        "time_limit": f"No way was found within {seconds:g} s, and none was ruled out.",
        "node_limit": "No way was found before the search reached its size limit, and none was ruled out.",
        "memory_limit": "The search ran out of memory before it could tell.",
    }
    return VerdictText(
        "Not decided", why.get(str(result.get("stop_reason")), "The search ended without a verdict."), "open"
    )


def _say_hand(result: Mapping[str, Any], hand: int, fits: bool) -> VerdictText:
    """The verdict on a turn that is won by playing the whole hand."""
    most = result["max_cards"]
    if not hand:
        return VerdictText("Already won", "There is no card left in the hand.", "good")
    if result["verdict"] == "win":
        whole = "The one hand card" if hand == 1 else f"All {hand} hand cards"
        return VerdictText(
            "Yes, you could have won", f"{whole} can be played in one turn. {_disruption(result)}".strip(), "good"
        )
    if most:
        proof = f"Proved: at most {most} of the {count(hand, 'hand card')} can be played. {_disruption(result)}".strip()
    else:
        proof = "Proved: no card of the hand can be played, so its player must draw."
    if result.get("blockers") and most < hand:
        proof += f" {_say_blockers(result['blockers'], result['final']['hand'] if most else [], fits)}"
    return VerdictText("No, you could not have won", proof, "bad")


def _say_blockers(blockers: Sequence[str], left: Sequence[str], fits: bool) -> str:
    """Which cards no table has room for, and which ones the steps leave in the hand; of none where there are no steps.

    >>> print(_say_blockers(["AC", "3D"], ["3D"], True))
    However the table is laid, there is no place for all of A♣ 3♦ at once. The steps leave 3♦ in the hand: it is marked in red. A dashed line is round the cards that would fit with A♣ 3♦: too few of them are free.
    >>> print(_say_blockers(["AC"], [], False))
    However the table is laid, there is no place for A♣. The whole hand stays: it is marked in red. No card on the table would fit with A♣.
    """  # noqa: E501
    named, kept = (" ".join(map(pretty, cards)) for cards in (blockers, left))
    room = named if len(blockers) == 1 else f"all of {named} at once"
    red = f"{'they are' if len(left) > 1 else 'it is'} marked in red."
    why = f"A dashed line is round the cards that would fit with {named}: too few of them are free."
    if not fits:
        why = f"No card on the table would fit with {named}."
    stays = f"The steps leave {kept} in the hand" if left else "The whole hand stays"
    return f"However the table is laid, there is no place for {room}. {stays}: {red} {why}"


def _disruption(result: Mapping[str, Any]) -> str:
    """How much of the table has to be rearranged.

    >>> _disruption({"broken": 1, "moved": 1, "minimal": True})
    'For that 1 meld is taken apart and 1 card moved. It cannot be done with less.'
    >>> _disruption({"broken": 0, "moved": 2})
    'For that no meld is taken apart and 2 cards moved. There may be a way with less.'
    """
    broken, moved = result.get("broken"), result.get("moved")
    if broken is None or moved is None:
        return ""
    if not broken and not moved:
        return "Nothing on the table has to be rearranged."
    apart = f"{count(broken, 'meld')} {'is' if broken == 1 else 'are'}" if broken else "no meld is"
    least = "It cannot be done with less." if result.get("minimal") else "There may be a way with less."
    return f"For that {apart} taken apart and {count(moved, 'card')} moved. {least}"


def describe_outs(result: Mapping[str, Any]) -> str:
    """Which further card would have won, in words; "" where that is not known or not asked.

    >>> describe_outs({"outs": ["9C"], "next_draw": 0.0312})
    'One more card would have won it: 9♣. The chance to draw it next: 3%.'
    """
    if "outs" not in result:
        return ""
    if not result["outs"]:
        return "No single further card would have won it."
    cards, one = " ".join(map(pretty, result["outs"])), len(result["outs"]) == 1
    more = f"One more card would have won it: {'' if one else 'any one of '}{cards}."
    return f"{more} The chance to draw {'it' if one else 'one of them'} next: {percent(result['next_draw'])}."


def _say_estimate(result: Mapping[str, Any], ways: str) -> VerdictText:
    """A share of the ways in which hidden cards may lie, and which players it is about."""
    if not result.get("n"):
        return VerdictText("Not decided", "Some cards are hidden and no deal that fits them was tried.", "open")
    mean = float(result["mean"])
    ends = float(result["low"]), float(result["high"])
    decides = "How the hidden cards lie decides it: turn them over to know for sure."
    what = str(result.get("what", ""))
    if "policy" in what:
        forced = result.get("forced") or {}
        plays_all = float(forced["mean"]) if forced.get("n") else 0.0
        best, least, most = max((mean, *ends), (plays_all, float(forced.get("low", 0)), float(forced.get("high", 1))))
        other = f", one who makes every legal play {percent(plays_all)}" if plays_all else ""
        text = f"{decides} A simple player wins {percent(mean)}{other}. Whoever plays well wins no less than either."
        who, won = "a good player" if best else "a simple player", of_100(best, least, most, ways, is_least=True)
        figures = _figures(result, "a simple player won {}")
        return VerdictText(capitalised(f"{who} wins in {won}"), text, "open", figures)
    if "forced" in what:
        won = of_100(mean, *ends, ways)
        return VerdictText(f"Won in {won}", f"{decides} {NO_CHOICE}", "open", _figures(result, "{} were won"))
    details = result.get("details") or result
    fair, unseen = details.get("fair"), details.get("unseen")
    blind = ""
    if isinstance(fair, Mapping) and fair.get("n"):
        share = of_100(fair["mean"], fair["low"], fair["high"], "ways")
        blind = f" A player who sees the reserves but not the stock wins in {share}."
    is_wide = ends[1] - ends[0] > WIDE
    low, high = (round(100 * end) for end in ends)
    knows_less = float(unseen["mean"]) if isinstance(unseen, Mapping) else 0.0
    is_open, known = float(result.get("undecided") or 0) > HARDLY_ANY, max(mean, knows_less)
    all_seen = f"{low} to {high} of 100 {ways}"
    if not is_wide and not (is_open and known < 0.01):
        all_seen = of_100(known, *ends, ways, is_least=is_open)
    headline, counted = f"it can be won in {all_seen}", "This counts the wins of someone who sees every card."
    if isinstance(unseen, Mapping):
        headline = f"a good player wins in {of_100(float(unseen['mean']), *ends, ways)}"
        counted = (
            "The good player knows only the cards shown here."
            f" Someone who could look under every card would win in {all_seen.removesuffix(f' {ways}')}."
        )
    headline = f"{UNSURE}{headline}" if is_wide else capitalised(headline)
    return VerdictText(headline, f"{decides} {counted}{blind}", "open", _figures(result, "{} can be won"))


def _figures(result: Mapping[str, Any], won: str) -> str:
    """What came out of the ways that were tried, each counted once, and how sure that is.

    >>> print(_figures({"n": 400, "mean": 0.25, "undecided": 0.5, "low": 0.2, "high": 0.7, "seed": 3}, "{} can be won"))
    I tried 400 ways in which they may lie: 100 can be won, 100 cannot, 200 were not decided in time. An estimate, not a proof: 95% interval 20% to 70%, seed 3.
    """  # noqa: E501
    n = int(result["n"])
    wins, open_ones = (round(n * float(result.get(part) or 0)) for part in ("mean", "undecided"))
    lost = f", {n - wins - open_ones:,} cannot, {open_ones:,} {'was' if open_ones == 1 else 'were'} not decided in time"
    return (
        f"I tried {count(n, 'way')} in which they may lie: {won.format(f'{wins:,}')}{lost if open_ones else ''}."
        f" An estimate, not a proof: 95% interval {span(result['low'], result['high'])}, seed {result['seed']}."
    )


def describe_error(error: CardsError) -> str:
    """An error about cards as a sentence for the person who typed or photographed them."""
    if isinstance(error, NotationError):
        if error.problem.endswith(NO_CARD):
            return f"{error.problem.removesuffix(NO_CARD)[1:-1]}{NO_CARD}. Write 10♥ as 10h, and K♠ as Ks."
        return f"{capitalised(error.problem)}. Expected {error.expected}."
    if isinstance(error, PositionError):
        return "This table is not possible: " + with_symbols("; ".join(error.problems))
    return capitalised(str(error))


def pointer(error: NotationError, width: int = 34) -> str:
    """The part of the text round the fault with a caret under it, for a block of code.

    >>> print(pointer(NotationError("hand: 3S 9X 4S", 10, "'9X' is no card", "a card")))
    hand: 3S 9X 4S
             ^
    """
    column = max(0, error.column - 1)
    start = max(0, column - width)
    piece = "".join(char if char.isprintable() else " " for char in error.text[start : column + width])
    return f"{piece}\n{' ' * (column - start)}^"


def escape_markdown(text: str) -> str:
    r"""Text that Streamlit's Markdown shows as it stands, whatever a person put into it.

    >>> print(escape_markdown("![x](y)"))
    \!\[x\]\(y\)
    """
    shown = "".join(char if char.isprintable() else " " for char in text)
    return "".join(f"\\{char}" if char in _MARKDOWN else char for char in shown)


_CARD: Final = re.compile(r"\b[A2-9TJQK][CDHS]\b")
_MARKDOWN: Final = frozenset("\\`*_{}[]()<>#+-.!|~:$&/@^=\"'")
